#!/usr/bin/env python3
# Clients that GDB never is: cut off, garbled, oversized, silent, too many.  See rsp.py for
# what it prints.
#
#   hostile.py STUB SNAPSHOT [--rounds N] [--large SNAPSHOT] [--gdb GDB]
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import longloop
import rsp
from rsp import report, serves, skip, wait_until_free

def test_reconnects(server, rounds):
    good = 0
    for number in range(rounds):
        client = rsp.Client(server.port(), ack=number % 2 == 0)
        good += client.ask('qC') == 'QC1'
        if number % 3 == 0:
            client.ask('D')
        client.close()
    report('%d connections one after the other' % rounds, good == rounds, good)
    report('serves after that', serves(server))


def test_cut(server, rounds):
    """Clients that vanish in the middle of a packet or a reply."""
    pieces = [b'$', b'$m0,', b'$g#', b'$g#6', b'+$qSupp', b'$qXfer:features:read:target.xml:0,ffff#',
              rsp.packet('qTBuffer:0,8000'), rsp.packet('bc') + b'\x03', rsp.packet('m0,7fff') * 50,
              b'\x03\x03\x03', b'-----', rsp.packet('qRcmd,' + b'coverage'.hex())]
    for number in range(rounds):
        piece = pieces[number % len(pieces)]
        raw = socket.create_connection(('127.0.0.1', server.port()))
        raw.sendall(piece)
        if number % 2:
            # A reset instead of an orderly end.
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
        raw.close()
    wait_until_free(server)
    report('%d clients cut off' % rounds, server.alive())
    report('serves after that', serves(server))


def test_framing(server):
    client = rsp.Client(server.port(), ack=True)

    def raw(data, want):
        client.socket.sendall(data)
        got = b''
        while len(got) < len(want):
            more = client.socket.recv(4096)
            if not more:
                break
            got += more
        return got == want, got
    report('a packet is acknowledged', *raw(b'$qC#b4', b'+$QC1#c5'))
    report('the reply is sent again', *raw(b'-', b'$QC1#c5'))
    report('a damaged packet is refused', *raw(b'+$qC#b5', b'-'))
    report('and taken when sent again', *raw(b'$qC#b4', b'+$QC1#c5'))
    report('noise is passed over', *raw(b'+xyz\n$qC#b4', b'+$QC1#c5'))
    report('a cut packet is followed by a whole one', *raw(b'+$qC#$qC#b4', b'+$QC1#c5'))
    report('a slow packet', *slow(client))
    report('an unknown packet has an empty reply', *raw(rsp.packet('vMustReplyEmpty'), b'+$#00'))
    report('a packet beyond the limit', *raw(rsp.packet(b'x' * 70000), b'+$E01#a6'))
    report('^C while nothing runs is passed over', *raw(b'+\x03$qC#b4', b'+$QC1#c5'))
    client.socket.sendall(b'+')
    replies = []
    for contents in ('m', 'mzz,1', 'm0', 'm0,', 'm0,1,2', 'p', 'p-1', 'p10000000000000000', 'Z0', 'Z0,,',
                     'Z2,0,0', 'QTFrame:', 'QTFrame:x', 'QTFrame:range:1', 'qXfer:features:read:target.xml',
                     'qXfer:features:read:target.xml:0', 'qTV:', 'vCont;',
                     'QTDP:', 'QTStart', 'QTDV:1', 'QTEnable:1:0', 'Z0,0,2;X', 'Z0,0,2;X1,', 'Z0,0,2;Q',
                     'Qbtrace:off', 'qXfer:btrace:read:all:0,10', 'Qbtrace-conf:bts:size=', 'vCont;x', 'vCont;r1', 'qRcmd,0',
                     'qRcmd,zz', 'G00', 'P0=1', 'M0,1:00', 'X0,1:0', 'qTBuffer:0'):
        replies.append((contents, client.ask(contents)))
    bad = [pair for pair in replies if not pair[1].startswith('E')]
    report('malformed packets are errors', not bad, bad)
    report('the end of a run that is not there', client.ask('QTStop') == 'OK')
    report('an annex that is not there', client.ask('qXfer:features:read:other.xml:0,100') == 'E00')
    report('an object that is not there', client.ask('qXfer:auxv:read::0,100') == '')
    report('other kinds of breakpoints', client.ask('Z5,0,4') == '')
    report('beyond a document', client.ask('qXfer:features:read:target.xml:fffff,10') == 'E01')
    report('memory at the top', client.ask('mffffffffffffffff,8').startswith('E'))
    report('memory of no length', client.ask('m0,0') == '')
    report('much memory', len(client.ask('m0,ffffffffffffffff')) > 0)
    report('a number of a frame that is too large', client.ask('QTFrame:7fffffff') == 'F-1')
    report('a range the wrong way round', client.ask('QTFrame:range:200:100') == 'F-1')
    client.close()


def slow(client):
    for byte in b'$qC#b4':
        client.socket.sendall(bytes([byte]))
        time.sleep(0.005)
    got = client.socket.recv(100)
    while len(got) < 8:
        got += client.socket.recv(100)
    client.socket.sendall(b'+')
    return got == b'+$QC1#c5', got


def test_second(server):
    first = rsp.Client(server.port())
    second = rsp.Client(server.port(), ack=True)
    # GDB 13 asks the first, GDB 16 both before it listens.
    for question in 'qSupported:swbreak+', 'vCont?':
        reply = second.ask(question)
        report(f'a second client: {question.split(":")[0]} is answered', reply == '', reply)
    reply = second.ask('vMustReplyEmpty')
    report('a second client is told why', 'another GDB is connected' in reply, reply)
    try:
        second.receive()
        report('a second client is left', False)
    except (EOFError, ConnectionResetError):
        report('a second client is left', True)
    report('the first one is not disturbed', first.ask('qC') == 'QC1')
    silent = [rsp.Client(server.port(), ack=True) for _ in range(20)]
    report('nor by many', first.ask('qC') == 'QC1')
    for client in silent:
        client.close()
    first.close()
    wait_until_free(server)
    report('after the first has left the next is served', serves(server))


def test_interrupt(stub):
    """On a long recording that nothing has been looked for in, so that there is something to do."""
    folder = tempfile.TemporaryDirectory()
    longloop.main(folder.name, 4000, 600000)
    server = rsp.Server(stub, '--ahead=0', folder.name)
    client = rsp.Client(server.port())
    client.ask('Z0,fff0,2')
    client.socket.sendall(rsp.packet('bc') + b'\x03')
    reply = client.receive().decode()
    report('^C ends a search', reply.startswith('T02'), reply)
    report('which says how far it looked', re.search(rb'from \d+ back to \d+, and', client.console), client.console)
    report('and moves nothing', client.ask('?')[3:] == reply[3:], reply)
    reply = client.ask('bc')
    report('the next one goes through', reply.startswith('T05replaylog:begin'), reply)
    client.close()
    server.stop()


def test_pipelined(server):
    """Many packets at once, and nobody who reads the replies for a while."""
    client = rsp.Client(server.port())
    count = 3000
    data = b''.join(rsp.packet('m0,400') for _ in range(count))
    sent, replies = 0, 0
    client.socket.setblocking(False)
    deadline = time.time() + 30
    while replies < count and time.time() < deadline:
        try:
            sent += client.socket.send(data[sent:sent + 65536]) if sent < len(data) else 0
        except BlockingIOError:
            pass
        if sent == len(data) or replies or sent > 20000:
            try:
                client.buffer += client.socket.recv(1 << 20)
            except BlockingIOError:
                time.sleep(0.001)
        replies += client.buffer.count(b'#')
        client.buffer = client.buffer[client.buffer.rfind(b'#') + 1:]
    report('%d packets at once' % count, replies == count, replies)
    client.close()


def test_busy(stub, snapshot):
    """What does not wait for a long search, or does not make one."""
    server = rsp.Server(stub, '--ahead=0', '--idle-limit=2', snapshot)
    first = rsp.Client(server.port())
    first.monitor('goto start')
    first.ask('g')
    pc = int.from_bytes(bytes.fromhex(first.ask('pf')), 'little')
    first.ask('Z0,fff0,2')
    before = server.used()
    reply = first.ask('vCont;r%x,%x:1' % (pc, pc + 2))
    stepped = server.used()
    report('leaving a range', reply.startswith('T05') and 'replaylog' not in reply, reply)
    reply = first.ask('c')
    searched = server.used() - stepped
    report('a breakpoint far away costs nothing in a range',
           searched >= 2 and stepped - before <= searched // 2, (stepped - before, searched, reply))
    # One who comes while the first waits is told so at once.
    first.ask('z0,fff0,2')
    first.ask('Z2,fffffff0,4')
    first.send('bc')
    time.sleep(0.3)
    second = rsp.Client(server.port(), ack=True)
    second.ask('qSupported:swbreak+')
    reply, seconds = rsp.timed(second.ask, 'vMustReplyEmpty')
    first.socket.setblocking(False)
    try:
        early = first.socket.recv(100)
    except BlockingIOError:
        early = b''
    first.socket.settimeout(60)
    report('a second client is told why while the first waits',
           'another GDB is connected' in reply and b'$T05' not in early, (reply, seconds, early))
    second.close()
    reply = first.receive().decode()
    report('and the first one gets its answer', reply.startswith('T05replaylog:begin'), reply)
    time.sleep(0.5)
    try:
        reply = first.ask('qC')
    except EOFError:
        reply = 'ended'
    report('who waited for longer than --idle-limit keeps the place', reply == 'QC1', reply)
    first.close()
    server.stop()


def test_vanish(stub, snapshot, long):
    """Clients that go in the middle of long work, on a recording where it takes a while."""
    define = ['QTinit', 'QTDP:1:%x:E:5:0', 'QTDP:-1:%x:X00000008,260001242345678102']
    server = rsp.Server(stub, snapshot)
    works = {'a search': ['Z0,fff0,2', 'bc'], 'a watch': ['Z2,fffffff0,4', 'bc'], 'tfind': ['QTFrame:pc:fff0'],
             'tsave': ['qTBuffer:0,ffff'] * 20, 'history': ['Qbtrace:bts', 'qXfer:btrace:read:all:0,ffff'],
             'coverage': ['qRcmd,' + b'coverage'.hex()]}
    for name, packets in works.items():
        for wait in (0, 0.003, 0.02):
            client = rsp.Client(server.port())
            client.socket.sendall(b''.join(rsp.packet(packet) for packet in packets))
            time.sleep(wait)
            client.close()
        wait_until_free(server)
        report('gone in the middle of ' + name, server.alive() and serves(server))
    client = rsp.Client(server.port())
    client.ask('?')
    client.ask('QTFrame:0')
    registers = client.ask('g')
    at, width = (15 * 8, 8) if len(registers) == 2 * 0x44 else (32 * 16, 16)
    pc = int.from_bytes(bytes.fromhex(registers[at:at + width]), 'little')
    client.close()
    for wait in (0, 0.003, 0.02):
        client = rsp.Client(server.port())
        for packet in define:
            client.ask(packet.replace('%x', '%x' % pc))
        client.socket.sendall(rsp.packet('QTStart'))
        time.sleep(wait)
        client.close()
    wait_until_free(server)
    report('gone in the middle of tstart', server.alive() and serves(server))
    if long:
        # So much to evaluate that GDB would give up without a sign of life.
        client = rsp.Client(server.port())
        client.ask('QTinit')
        code = '220129' * 3000 + '220027'
        for number in range(1, 101):
            client.ask('QTDP:%x:428:E:0:0:X%x,%s' % (number, len(code) // 2, code))
        client.socket.settimeout(60)
        client.socket.sendall(rsp.packet('QTStart'))
        time.sleep(1)
        client.socket.sendall(b'-')     # GDB waits.
        signs = client.socket.recv(100)
        report('a sign of life during long work', signs.startswith(b'$O') and signs[2:4] != b'K#', signs)
        client.close()
        start = time.time()
        good = serves(server)
        report('which ends with the client', good and time.time() - start < 2, time.time() - start)
    report('SIGTERM ends it', server.stop() == 0)


def test_far(stub, snapshot):
    """Frames are walked up to an offset that no frame reaches."""
    server = rsp.Server(stub, snapshot)
    client = rsp.Client(server.port())
    client.ask('qSupported:swbreak+')
    client.socket.settimeout(20)
    client.socket.sendall(rsp.packet('qTBuffer:7fffffffffff,1'))
    time.sleep(0.5)
    client.socket.sendall(b'\x03')
    reply, seconds = rsp.timed(client.receive)
    # Not interrupted the reply is the end of the buffer.  With sanitizers what is worked out at
    # a time takes a second and more.
    report('^C on the way to an offset far away', reply.startswith(b'E') and seconds < 5,
           (reply, seconds))
    client.close()
    server.stop()


def test_killed(stub, snapshot, gdb):
    """A GDB that is killed while it waits for the stub."""
    server = rsp.Server(stub, snapshot)
    with tempfile.TemporaryDirectory() as folder:
        works = {'a search': 'break *0xfff0\nreverse-continue\n', 'a watch': 'watch *(int *) 0xfffffff0\nreverse-continue\n',
                 'tsave': 'tsave %s\n' % os.path.join(folder, 'saved'), 'tfind': 'tfind pc 0xfff0\n',
                 'tstart': 'trace *$pc if $r0 == 0x12345678\ntstart\n'}
        for name, typed in works.items():
            for wait in (0.02, 0.1):
                process = subprocess.Popen([gdb, '-q', '-nx', '-iex', 'set confirm off',
                                            '-iex', 'set remotetimeout 60'], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                process.stdin.write('target remote %s\necho connected\\n\n%s' % (server.places[0], typed))
                process.stdin.flush()
                for line in process.stdout:
                    if 'connected' in line:
                        break
                time.sleep(wait)
                process.kill()
                process.communicate()
            wait_until_free(server)
            report('GDB is killed in the middle of ' + name, server.alive() and serves(server))
    server.stop()


def test_places(stub, snapshot):
    """Other transports."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'socket')
        server = rsp.Server(stub, snapshot, listen='unix:' + path)
        mode = os.stat(path).st_mode & 0o777
        client = rsp.Client(path=path)
        report('a Unix socket', client.ask('qC') == 'QC1')
        report('a Unix socket is for its owner alone', mode & 0o077 == 0, oct(mode))
        client.close()
        report('SIGTERM ends it', server.stop() == 0)
        report('its socket is gone', not os.path.exists(path))
        # One left over by a stub that was killed.
        server = rsp.Server(stub, snapshot, listen='unix:' + path)
        server.process.kill()
        server.process.wait()
        server.process.stdout.close()
        server = rsp.Server(stub, snapshot, listen='unix:' + path)
        report('a socket left over', rsp.Client(path=path).ask('qC') == 'QC1')
        server.stop()
        other = os.path.join(folder, 'file')
        open(other, 'w').write('precious')
        done = subprocess.run([stub, '--listen=unix:' + other, snapshot], capture_output=True, text=True,
                              timeout=20)
        report('a file is no socket', done.returncode == 1 and open(other).read() == 'precious',
               done)
    try:
        server = rsp.Server(stub, snapshot, listen='[::1]:0')
    except RuntimeError:
        skip('IPv6', 'the stub cannot listen at ::1 here')
    else:
        client = rsp.Client(server.port(), host='::1')
        report('IPv6', client.ask('qC') == 'QC1')
        server.stop()
    server = rsp.Server(stub, '--once', snapshot)
    report('loopback only', server.places[0].startswith('127.0.0.1:'), server.places)
    rsp.Client(server.port()).close()
    report('--once: ends with its client', server.process.wait(20) == 0)
    server.process.stdout.close()
    first = rsp.Server(stub, snapshot)
    done = subprocess.run([stub, '--listen=127.0.0.1:%d' % first.port(), snapshot], capture_output=True,
                          text=True, timeout=20)
    report('a port that is taken', done.returncode == 1 and 'cannot listen' in done.stderr
           and '--listen=:0 one that is free' in done.stderr, done)
    first.stop()

    # Standard input and output; ^C of the terminal is not ours.
    process = subprocess.Popen([stub, '--listen=stdio', snapshot], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdin.write(rsp.packet('qC'))
    process.stdin.flush()
    reply = process.stdout.read(8)
    process.send_signal(signal.SIGINT)
    process.stdin.write(b'+' + rsp.packet('qC'))
    process.stdin.close()
    reply += process.stdout.read()
    report('standard input and output', reply == b'+$QC1#c5' * 2, reply)
    report('they end it', process.wait(20) == 0)


def test_idle(stub, snapshot):
    """Who sends nothing loses his place after the time that was given, and not before."""
    server = rsp.Server(stub, '--idle-limit=2', snapshot)
    silent = rsp.Client(server.port())
    talker_until = time.monotonic() + 3
    while time.monotonic() < talker_until:
        silent.ask('qC')
        time.sleep(0.2)
    report('who talks is kept', silent.ask('qC') == 'QC1')
    silent.socket.settimeout(10)
    (rest, took) = rsp.timed(silent.socket.recv, 100)
    report('who is silent is given up', rest == b'' and 1.5 < took < 8, (rest, took))
    report('another one is served then', serves(server))
    server.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('stub')
    parser.add_argument('snapshot')
    parser.add_argument('--large', help='a snapshot in which work takes a while, and 0x428 runs 10000 times')
    parser.add_argument('--frames', help='a snapshot whose frames take seconds to make')
    parser.add_argument('--rounds', type=int, default=1000)
    parser.add_argument('--gdb', help='a GDB to kill while it works')
    options = parser.parse_args()
    server = rsp.Server(options.stub, options.snapshot)
    test_reconnects(server, options.rounds)
    test_cut(server, options.rounds)
    test_framing(server)
    wait_until_free(server)
    test_interrupt(options.stub)
    test_second(server)
    test_pipelined(server)
    wait_until_free(server)
    report('SIGTERM ends it', server.stop() == 0)
    if options.large:
        test_busy(options.stub, options.large)
    test_vanish(options.stub, options.large or options.snapshot, options.large)
    if options.frames:
        test_far(options.stub, options.frames)
    if options.gdb:
        test_killed(options.stub, options.large or options.snapshot, options.gdb)
    test_places(options.stub, options.snapshot)
    test_idle(options.stub, options.snapshot)
    sys.exit(rsp.failed != 0)


main()
