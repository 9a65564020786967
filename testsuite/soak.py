#!/usr/bin/env python3
# Long runs: sessions with the stub and conversions, mixed, for as long as wanted.  The stub's
# memory and descriptors must stay as they are, and no file may be left behind.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: soak.py [--minutes=M] [--packets=N] [--connections=N] SOURCE_DIRECTORY BUILD_DIRECTORY
#
# One round is a session as of a GDB, hostile packets, connections that are cut, and a few
# conversions.  It ends when all three of time, packets and connections are reached.

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rsp

# What makes packets that are nearly right, and some that are.
WORDS = ['qSupported', '?', 'g', 'p%x', 'm%x,%x', 'QTFrame:%x', 'QTFrame:pc:%x', 'qTBuffer:%x,%x', 's', 'c', 'bs',
         'bc', 'Z0,%x,%x', 'z0,%x,%x', 'Z2,%x,%x', 'z2,%x,%x', 'qXfer:features:read:target.xml:%x,%x', 'vCont;s:1', 'qTfV',
         'qTsV', 'QTDP:%x:%x:E:0:0', 'QTinit', 'qTStatus', 'qXfer:memory-map:read::%x,%x', 'X%x,%x:', 'qCRC:%x,%x',
         'qSearch:memory:%x;%x;00', 'QTDV:%x:%x:0:6162', 'qTP:%x:%x', 'H%x', 'T%x', '!']
CONVERSIONS = [['--format=registers'], ['--list', '--json'], ['--coverage'], ['--stats'], ['--format=elements'],
               ['--memory-limit=1G', '--changes'], ['--why=2000:r4']]


def hostile(dice):
    word = dice.choice(WORDS)
    numbers = tuple(dice.choice([0, 1, 2, 4, 0x100, 0x20000024, 0xffffffff, 0x7fffffffffffffff,
                                 dice.getrandbits(dice.randrange(1, 65))]) for _ in range(word.count('%x')))
    contents = (word % numbers).encode()
    if dice.random() < 0.3:
        at = dice.randrange(len(contents) + 1)
        contents = contents[:at] + bytes([dice.choice(b'0;:,*}\x00\xff%z') ]) + contents[at + 1:]
    return contents.replace(b'#', b'').replace(b'$', b'')


def measure(server):
    """Memory in KB, descriptors, threads."""
    folder = '/proc/%d/' % server.process.pid
    with open(folder + 'status') as file:
        fields = dict(line.split(':', 1) for line in file)
    return (int(fields['RssAnon'].split()[0]), len(os.listdir(folder + 'fd')), int(fields['Threads']))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--minutes', type=float, default=0)
    parser.add_argument('--packets', type=int, default=0)
    parser.add_argument('--connections', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--growth', type=int, default=8192, help='KB of memory that it may grow, after a tenth')
    parser.add_argument('source')
    parser.add_argument('build')
    options = parser.parse_args()
    dice = random.Random(options.seed)
    snapshot = os.path.join(options.source, 'testsuite', 'samples', 'crash-m0')
    converter = os.path.join(os.path.abspath(options.build), 'converter', 'tracebridge-convert')
    stub = os.path.join(options.build, 'gdbstub', 'tracebridge-gdbstub')
    end, packets, connections, conversions, errors = time.monotonic() + 60 * options.minutes, 0, 0, 0, 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.environ['TMPDIR'] = folder
        server = rsp.Server(stub, '--elf=' + snapshot + '/program.elf', snapshot)
        base = None
        rounds = 0
        while time.monotonic() < end or packets < options.packets or connections < options.connections:
            rounds += 1
            client = rsp.Client(server.port())
            client.ask('QTFrame:ffffffff')
            whole = (client.ask('?').startswith('T05') and client.ask('QTFrame:5') == 'F5T1'
                     and len(client.ask('g')) >= 0x88)
            errors += not whole
            sent = 0
            try:
                while sent < 2000 and packets < max(options.packets, 1) or sent < 100:
                    batch = b''.join(rsp.packet(hostile(dice)) for _ in range(20))
                    # Some have no answer; this one has.
                    client.socket.settimeout(5)
                    client.socket.sendall(batch + rsp.packet('qC'))
                    while client.receive() not in ('QC1', b'QC1'):
                        pass
                    sent += 20
            except (OSError, EOFError, RuntimeError) as error:
                errors += server.alive() is False
            packets += sent
            client.close()
            connections += 1
            for _ in range(20):
                raw = rsp.socket.create_connection(('127.0.0.1', server.port()))
                raw.sendall(dice.choice([b'', b'$', b'$m0,', b'\x03', rsp.packet('g'), b'+$qSupp']))
                raw.close()
                connections += 1
            rsp.wait_until_free(server)
            if time.monotonic() < end:
                done = subprocess.run([converter, '--quiet', *dice.choice(CONVERSIONS), snapshot], cwd=folder,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                errors += done.returncode != 0
                conversions += 1
            now = measure(server)
            done = max((time.monotonic() - start) / max(60 * options.minutes, 1e-9) if options.minutes else 1,
                       0) if options.minutes else packets / max(options.packets, 1)
            if base is None and done > 0.1 and rounds >= 3:
                base = now
        base = base or now
        last = measure(server)
        rsp.report('the stub serves', server.alive() and rsp.serves(server))
        rsp.report('SIGTERM ends it', server.stop() == 0)
        rsp.report('no files are left', os.listdir(folder) == [], os.listdir(folder))
    rsp.report('each session was whole', errors == 0, errors)
    rsp.report('memory is flat', last[0] - base[0] <= options.growth, (base, last))
    rsp.report('descriptors and threads are as many', last[1:] == base[1:], (base, last))
    print('%.0f s, %d rounds, %d packets, %d connections, %d conversions; memory %d to %d KB, %d descriptors, '
          '%d threads' % (time.monotonic() - start, rounds, packets, connections, conversions, base[0], last[0],
                          *last[1:]))
    sys.exit(rsp.failed != 0)


main()
