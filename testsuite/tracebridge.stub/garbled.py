#!/usr/bin/env python3
# Packets at random, and sessions with something wrong here and there.  See rsp.py for what it
# prints.
#
#   garbled.py STUB SNAPSHOT... [--packets N] [--sessions N] [--seed N] [--gdb GDB]
#
# A SNAPSHOT of several cores has its clients talk in turns, in pieces of packets.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report, serves, wait_until_free

WORDS = ['g', 'p', 'm', 'QTFrame:', 'QTFrame:pc:', 'QTFrame:range:', 'QTFrame:outside:', 'QTFrame:tdp:',
         'qXfer:traceframe-info:read::', 'qXfer:threads:read::', 'qXfer:features:read:target.xml:',
         'vCont;', 'vCont;r', 'bs', 'bc', 's', 'c', 'Z0,', 'Z1,', 'Z2,', 'Z3,', 'Z4,', 'z0,', 'z2,', 'H',
         'qTV:', 'qTP:', 'qTBuffer:', 'qTfP', 'qTsP', 'qTfV', 'qTsV', 'qTStatus', '?', 'T', 'QTDP:', 'qSupported',
         'X', 'G', 'qTfSTM', 'qTSTMat:', 'QTSave:', 'qTracebridge.Known:', 'qHostInfo', 'QTinit',
         'qXfer:statictrace:read::',
         'QTDP:1:2e0:E:', 'QTDP:-1:2e0:', 'QTDPsrc:1:2e0:cmd:0:', 'QTDV:',
         'QTEnable:1:2e0', 'QTDisable:1:2e0', 'QTStart', 'QTStop', 'QTNotes:user:', 'QTBuffer:size:',
         'QTBuffer:circular:', 'QTro:', 'Z0,2e0,2;X', 'Z1,ec,2;X', 'Qbtrace:bts', 'Qbtrace:off',
         'Qbtrace-conf:bts:size=', 'qXfer:btrace:read:all:', 'qXfer:btrace:read:delta:',
         'qXfer:btrace-conf:read::', 'qXfer:exec-file:read::', 'qRcmd,']
NUMBERS = ['0', '1', '4', 'ff', '2e0', 'ec', '20000000', '20000024', 'ffffffff', '7fffffffffffffff',
           'ffffffffffffffff', '10000000000000000', '']
COMMANDS = ['where', 'goto', 'goto timestamp', 'goto core', 'goto next', 'goto previous', 'gaps', 'exceptions',
            'coverage', 'cores', 'unknown', 'assume', 'assume aapcs', 'run', 'run restore', 'run undecided',
            'devices', 'registers', 'registers cpu_0', 'memory', 'memory cpu_0', 'why', 'help']
OPERANDS = ['0', '1', '100', '-1', '0x20000000', '18446744073709551615', '99999999999999999999', 'start', 'end',
            'exception', 'return', 'gap', 'on', 'off', 'navigable', 'filled', 'exact', 'auto', 'r0', 'sp', 'z', 'x7',
            'cpu_0', 'cpu_1', '0x20000000:4', ':', '%s%n', 'x' * 300]


def random_packet(chance):
    """Contents of a packet that nobody checked."""
    if chance.random() < 0.05:
        words = [chance.choice(COMMANDS)]
        words += [chance.choice(OPERANDS) for _ in range(chance.randrange(4))]
        return b'qRcmd,' + ' '.join(words).encode().hex().encode()
    contents = chance.choice(WORDS)
    for _ in range(chance.randrange(4)):
        contents += chance.choice(NUMBERS) + chance.choice([',', ':', ';', '', '-'])
    data = bytearray(contents.encode())
    if chance.random() < 0.3:
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.choice(b'0123456789abcdefgzZ:;,-')
    if chance.random() < 0.05:
        data += bytes(chance.choice(b'abcdefXYZ019') for _ in range(chance.randrange(3000)))
    return bytes(data)


def leaves(data):
    """Would the stub end the session, or leave a run behind for the next one?"""
    data = re.sub(rb'\}(.)', lambda match: bytes([match.group(1)[0] ^ 32]), data, flags=re.DOTALL)
    # A '$' begins the packet anew.
    return any(part.startswith((b'k', b'D', b'vKill', b'QTDisconnected')) for part in data.split(b'$'))


def ask_all(client, packets):
    """Send the packets at once; the number of replies."""
    client.socket.sendall(b''.join(map(rsp.packet, packets)))
    for _ in packets:
        client.receive()
    return len(packets)


def test_random(server, name, seed, count):
    chance = random.Random(seed)
    client = rsp.Client(server.port())
    answered = 0
    while answered < count:
        packets = [random_packet(chance) for _ in range(min(40, count - answered))]
        answered += ask_all(client, [data for data in packets if not leaves(data)])
        if chance.random() < 0.4:
            client.socket.sendall(bytes(chance.choice(b'abc+-xyz\x03}*') for _ in range(20)))
    client.close()
    wait_until_free(server)
    report('%d random packets to %s (seed %d)' % (count, name, seed), server.alive() and serves(server))


def test_interleaved(server, name, seed, count):
    """Clients of all cores at the same time, whose packets come in pieces."""
    chance = random.Random(seed)
    clients, streams = [], []
    for core in range(len(server.places)):
        clients.append(rsp.Client(server.port(core)))
        packets = [data for data in (random_packet(chance) for _ in range(count)) if not leaves(data)]
        streams.append([len(packets), b''.join(map(rsp.packet, packets))])
    sent = [0] * len(clients)
    while any(at < len(stream[1]) for at, stream in zip(sent, streams)):
        core = chance.randrange(len(clients))
        piece = streams[core][1][sent[core]:sent[core] + chance.randrange(1, 400)]
        clients[core].socket.sendall(piece)
        sent[core] += len(piece)
    for client, stream in zip(clients, streams):
        for _ in range(stream[0]):
            client.receive()
        client.close()
    for core in range(len(clients)):
        wait_until_free(server, core)
    report('%d clients of %s at once (seed %d)' % (len(clients), name, seed),
           server.alive() and all(serves(server, core) for core in range(len(clients))))


# What GDB sends in a session: tracepoints after the fact, a search, a breakpoint with a
# condition, branch history.
SESSION = [
    'qSupported:swbreak+;hwbreak+', 'QStartNoAckMode', 'Hg0', 'qXfer:features:read:target.xml:0,1000', 'qTStatus',
    'qTfV', 'qTsV', '?', 'qTfP', 'qTsP', 'qTsP', 'QTinit', 'QTDP:2:00000000000000ec:E:0:0-',
    'QTDP:-2:00000000000000ec:R0200ffff-', 'QTDP:-2:00000000000000ec:M-1,20000004,2cX00000009,2c000b220102-',
    'QTDP:-2:00000000000000ec:X0000000a,2c000b2201022d000b27', 'QTDPsrc:2:ec:at:0:5:2a30786563',
    'QTDPsrc:2:ec:cmd:0:d:636f6c6c65637420247265677', 'QTDP:3:0000000000000178:E:3:1e:Xa,26000122021327-',
    'QTDP:-3:0000000000000178:SR0200ffff', 'QTDV:b:0000000000000000:0:6e', 'QTDV:1:0:0:73746570',
    'QTro:0,5ac', 'QTDisconnected:0', 'QTBuffer:circular:0', 'QTBuffer:size:-1', 'QTNotes:user:6d65;notes:6e;',
    'QTStart', 'qTStatus', 'QTStop', 'QTNotes:tstop:6e;', 'qTP:2:ec', 'QTFrame:0', 'g',
    'qXfer:traceframe-info:read::0,1000', 'm20000fa0,40', 'qTV:b', 'QTFrame:pc:178', 'QTFrame:tdp:3',
    'QTFrame:range:100:200', 'QTFrame:outside:ec:ec', 'qTBuffer:0,1000', 'qTBuffer:1000,1000', 'QTFrame:ffffffff',
    'Z0,178,2;X7,260001220213X7,2600012203132727', 'bc', 'z0,178,2', 'Z2,20000024,2', 'bc', 'z2,20000024,2',
    'Qbtrace-conf:bts:size=0x10000', 'Qbtrace:bts', 'qXfer:btrace-conf:read::0,1000',
    'qXfer:btrace:read:delta:0,1000', 'qXfer:btrace:read:new:0,8000', 'bs', 's', 'vCont;r2e0,2f0:1;c:-1',
    'qXfer:btrace:read:delta:0,1000', 'Qbtrace:off', 'qRcmd,' + b'run restore'.hex(), 'qRcmd,' + b'where'.hex()]

# What a user types, to have GDB tell what it sends.
TYPED = ['tfind start', 'info registers', 'tfind', 'backtrace', 'x/8xw $sp', 'tfind 100', 'tdump', 'tstatus',
         'tfind pc $pc', 'tfind outside $pc, $pc', 'tfind none', 'print $step', 'info threads', 'reverse-stepi',
         'break *$pc if $step < 100', 'reverse-stepi 20', 'reverse-continue', 'stepi', 'next', 'delete',
         'watch *(int *) $sp', 'reverse-continue', 'delete', 'monitor where', 'monitor goto 50',
         'maintenance flush register-cache', 'trace *$pc if $sp > 0', 'tstart', 'tstop', 'tfind 0', 'tsave %s',
         'tfind none', 'monitor run restore', 'record btrace', 'record function-call-history', 'record stop',
         'rwatch *(int *) $sp', 'continue', 'disconnect']


def recorded(gdb, stub, snapshot):
    """What GDB sends in a session of the commands above."""
    with tempfile.TemporaryDirectory() as folder:
        typed = ['set debug remote 1', 'set debug remote-packet-max-chars unlimited', 'set remotetimeout 60',
                 'set confirm off', 'target remote | %s --listen=stdio %s' % (stub, snapshot)]
        typed += [command.replace('%s', os.path.join(folder, 'saved')) for command in TYPED]
        done = subprocess.run([gdb, '-q', '-nx'], input='\n'.join(typed) + '\n', text=True, timeout=120,
                              errors='replace', stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [match.encode().decode('unicode_escape')
            for match in re.findall(r'Sending packet: \$(.*)#[0-9a-f]{2}$', done.stdout, re.MULTILINE)]


def mutate(chance, contents):
    data = bytearray(contents.encode('latin-1'))
    fate = chance.random()
    at = chance.randrange(len(data))
    if fate < 0.1:
        data[at] ^= 1 << chance.randrange(7)
    elif fate < 0.15:
        del data[at:]
    elif fate < 0.2:
        data[at:at] = data[chance.randrange(len(data)):]
    elif fate < 0.25:
        return None
    return bytes(data)


def test_mutated(server, name, session, seed, rounds):
    chance = random.Random(seed)
    answered = 0
    for _ in range(rounds):
        client = rsp.Client(server.port())
        packets = [mutate(chance, contents) for contents in session if contents]
        answered += ask_all(client, [data for data in packets if data is not None and not leaves(data)])
        client.close()
    report('%d mutated sessions of %d packets with %s (seed %d)' % (rounds, len(session), name, seed),
           server.alive() and answered > rounds * len(session) // 2, answered)
    wait_until_free(server)
    report('serves after that', serves(server))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('stub')
    parser.add_argument('snapshots', nargs='+')
    parser.add_argument('--packets', type=int, default=10000, help='for all snapshots together')
    parser.add_argument('--sessions', type=int, default=200, help='with the first snapshot')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--gdb', help='a GDB to learn from')
    options = parser.parse_args()
    each = -(-options.packets // len(options.snapshots))
    for number, snapshot in enumerate(options.snapshots):
        name = os.path.basename(snapshot.rstrip('/'))
        server = rsp.Server(options.stub, snapshot)
        if len(server.places) > 1:
            test_interleaved(server, name, options.seed, each // len(server.places))
        test_random(server, name, options.seed, each)
        if number == 0:
            test_mutated(server, name, SESSION, options.seed, options.sessions)
        if options.gdb and len(server.places) == 1:
            session = recorded(options.gdb, options.stub, snapshot)
            report('a session of GDB with %s' % name, len(session) > 200, session)
            test_mutated(server, name, session, options.seed, options.sessions // 20)
        report('SIGTERM ends it', server.stop() == 0)
    sys.exit(rsp.failed != 0)


if __name__ == '__main__':
    main()
