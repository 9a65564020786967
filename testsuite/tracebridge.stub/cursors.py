#!/usr/bin/env python3
# Packets that no GDB sends in just this order, and what must not move by them: the trace frame
# that a client looks at, the thread that its user looks at, where threads stand; and how long
# clients keep their places while several cores are served as one.  See rsp.py for what it
# prints.
#
#   cursors.py STUB FOLDER [SNAPSHOT]
#
# SNAPSHOT has several cores with timestamps.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report

LOG = '''1 clk cpu0 IT (1) 1000 d503201f O EL1h_n : NOP
2 clk cpu1 IT (1) 2000 d503201f O EL1h_n : NOP
3 clk cpu0 IT (2) 1004 b9000020 O EL1h_n : STR      w0,[x1]
3 clk cpu0 MW4 00003000 00000007
5 clk cpu1 IT (2) 2004 d503201f O EL1h_n : NOP
6 clk cpu0 IT (3) 1008 d503201f O EL1h_n : NOP
9 clk cpu1 IT (3) 2008 d503201f O EL1h_n : NOP
10 clk cpu1 IT (4) 200c d503201f O EL1h_n : NOP
'''


def here(client):
    """The PC that the client is told of."""
    return int.from_bytes(bytes.fromhex(client.ask('p20')), 'little')


def step(client, thread):
    """Where THREAD stands."""
    text = client.ask('qXfer:threads:read::0,fff')
    places = re.findall(r'<thread[^>]*>([^<]*)</thread>', text)
    return re.match(r'(?:step|end of the trace, after) (\d+)', places[thread]).group(1)


def test_frames(stub, log):
    """What changes no frames leaves the one that is looked at."""
    for name, arguments in ('one core', ['--core=cpu0']), ('threads', ['--threads=cores']):
        server = rsp.Server(stub, *arguments, log)
        for made in False, True:
            client = rsp.Client(server.port())
            if made:
                for packet in 'QTinit', 'QTDP:1:1004:E:0:0', 'QTStart', 'QTStop':
                    client.ask(packet)
            found = client.ask('QTFrame:0'), here(client)
            for packet in ('QTNotes:user:6d65', 'QTDisconnected:1', 'QTro:0,5ac', 'QTStop'):
                client.ask(packet)
                report('%s, %s run: %s leaves the frame alone'
                       % (name, "GDB's" if made else 'the first', packet.split(':')[0]),
                       here(client) == found[1], (found, '%x' % here(client)))
            if made:
                client.ask('QTBuffer:size:1000')
                report('%s: GDB is to leave the frame of a run that is made again' % name,
                       client.console.count(b'"tfind none"') == 1, client.console)
                client.ask('QTFrame:0')
            client.ask('QTinit')
            report('%s, %s run: QTinit leaves it' % (name, "GDB's" if made else 'the first'),
                   here(client) != found[1], found)
            client.close()
            rsp.wait_until_free(server)
        server.stop()


def test_file(stub, path):
    """The frames of a trace file are all that there is of its run."""
    server = rsp.Server(stub, path)
    client = rsp.Client(server.port())
    frames = [client.ask('QTFrame:%x' % number) for number in range(5)]
    for packet in 'QTBuffer:size:10', 'QTBuffer:circular:1':
        client.ask('QTFrame:1')
        before = client.ask('g')
        reply = client.ask(packet)
        report('a trace file, %s: for runs to come' % packet, reply == 'OK', reply)
        report('a trace file, %s: the frame stays' % packet, client.ask('g') == before)
        again = [client.ask('QTFrame:%x' % number) for number in range(5)]
        report('a trace file, %s: all frames stay' % packet, again == frames, (frames, again))
        status = client.ask('qTStatus')
        report('a trace file, %s: status' % packet,
               ';tframes:4;' in status and ';tsize:10' not in status, status)
    client.close()
    server.stop()


def test_threads(stub, log):
    server = rsp.Server(stub, '--threads=cores', log)
    client = rsp.Client(server.port())
    # What stopped a thread stops it again where others have taken it away and back.
    client.ask('vRun;')
    client.ask('Z2,3000,4')
    reply = client.ask('vCont;c')
    stopped = step(client, 0)
    client.ask('T2')
    client.monitor('goto end')
    client.monitor('goto 0')
    moved = step(client, 0)
    again = client.ask('vCont;c')
    report('a watchpoint stops a thread that was away', reply.startswith('T05')
           and 'watch:' in reply and 'thread:1;' in reply and moved == stopped
           and 'watch:' in again, (reply, stopped, moved, again))
    client.ask('vRun;')
    client.ask('vCont;c')
    client.ask('vRun;')
    reply = client.ask('vCont;c')
    report('and in the next run', 'watch:' in reply, reply)
    client.ask('z2,3000,4')
    # T selects a thread for the user; for registers the last Hg counts.
    client.ask('Hg2')
    client.ask('Hg1')
    client.ask('T2')
    text = client.monitor('where')
    report('a monitor command is about the thread that the user selected',
           text.startswith('cpu1:'), text)
    client.ask('Hg1')
    first = here(client)
    client.ask('T2')
    client.monitor('where')
    report('registers are those of the last Hg', here(client) == first, '%x' % here(client))
    client.close()
    server.stop()


def test_stepped(stub, log):
    """A step is of the thread that Hc chose, and begins where that stands, whichever the user looks at,
    and with a trace frame selected."""
    server = rsp.Server(stub, '--threads=cores', log)
    client = rsp.Client(server.port())
    client.ask('?')
    before = [step(client, thread) for thread in range(2)]
    client.ask('QTFrame:0')
    client.ask('Hc2')
    reply = client.ask('bs')
    after = [step(client, thread) for thread in range(2)]
    report('a step of another thread than that of the trace frame', 'thread:2;' in reply
           and before == ['3', '4'] and after == ['3', '3'], (reply, before, after))
    client.close()
    server.stop()


def times(client):
    status = client.ask('qTStatus')
    found = re.search(r'starttime:([0-9a-f]+);stoptime:([0-9a-f]+)', status)
    return (int(found.group(1), 16), int(found.group(2), 16)) if found else None


def test_times(stub, snapshot):
    """The times of the run are those of all cores."""
    arguments = ['--timestamp-frequency=1000000', snapshot]
    server = rsp.Server(stub, '--threads=none', *arguments)
    alone = []
    for core in range(len(server.places)):
        client = rsp.Client(server.port(core))
        alone.append(times(client))
        client.close()
    server.stop()
    alone = [pair for pair in alone if pair is not None]
    wanted = min(pair[0] for pair in alone), max(pair[1] for pair in alone)
    server = rsp.Server(stub, '--threads=cores', *arguments)
    client = rsp.Client(server.port())
    told = []
    for thread in range(1, 4):
        client.ask('Hg%d' % thread)
        told.append(times(client))
    report('the times of a run of several cores', len(set(alone)) > 1 and set(told) == {wanted},
           (alone, told))
    # Places at the start and the end of all, which are not of one time.
    wrong, known = [], 0
    for thread in range(1, 4):
        for bound in 'start', 'end':
            client.ask('T%d' % thread)
            client.monitor('goto ' + bound)
            for place in re.findall(r'<thread[^>]*>([^<]*)</thread>',
                                    client.ask('qXfer:threads:read::0,fff')):
                told = re.search(r'(\d+)(?: steps| of \d+), from (\d+) to (\d+) ', place)
                known += told is not None
                if told and not int(told.group(2)) <= int(told.group(1)) <= int(told.group(3)):
                    wrong.append((thread, bound, place))
    report('where cores stand at the start and the end is in the range that is told', not wrong,
           wrong)
    client.close()
    server.stop()


def ended(client, seconds):
    """Is CLIENT's connection ended in SECONDS?"""
    client.socket.settimeout(max(seconds, 0.1))
    try:
        while client.socket.recv(1000):
            pass
        return True
    except OSError:
        return False


def test_places(stub, log):
    alone = rsp.Server(stub, '--core=cpu0', '--idle-limit=60', log)
    first = rsp.Client(alone.port())
    # It says nothing, so it is not told.
    second = rsp.Client(alone.port(), ack=True)
    begin = time.monotonic()
    server = rsp.Server(stub, '--threads=cores', '--idle-limit=60', log)
    time.sleep(0.3)
    used = server.used()
    time.sleep(0.7)
    used = server.used() - used
    report('two cores as one target: nobody there, nothing to do', used < 10, used)
    report('a client that is turned away is ended in spite of --idle-limit', ended(second, 10),
           time.monotonic() - begin)
    report('and the first stays', first.ask('qC') == 'QC1')
    server.stop()
    alone.stop()


def main():
    stub, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    log = os.path.join(folder, 'two.log')
    with open(log, 'w') as file:
        file.write(LOG)
    made = os.path.join(folder, 'made.tfile')
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    subprocess.run([sys.executable, os.path.join(tests, 'tracefile.py'), 'arm', made], check=True)
    test_frames(stub, log)
    test_file(stub, made)
    test_threads(stub, log)
    test_stepped(stub, log)
    if len(sys.argv) > 3:
        test_times(stub, sys.argv[3])
    test_places(stub, log)
    sys.exit(rsp.failed != 0)


main()
