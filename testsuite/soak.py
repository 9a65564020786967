#!/usr/bin/env python3
# Long runs: sessions with the stub and conversions, mixed, for as long as wanted.  The stub's
# memory and descriptors must stay as they are, and no file may be left behind.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: soak.py [--minutes=M] [--packets=N] [--connections=N] SOURCE_DIRECTORY BUILD_DIRECTORY
#
# One round is a session as of a GDB, hostile packets, connections that are cut, and a
# conversion.  It ends when all three of time, packets and connections are reached, and as many
# rounds are done as it takes to see memory grow.

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

# Memory is compared with that after so many rounds, or a tenth of the whole if that is more, and
# so many more are done at least.
WARM, MORE = 3, 5


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


def attack(client, dice, least):
    """Send hostile packets, LEAST or more, to a stub that must go on answering; how many were
    sent, and what went wrong or None."""
    sent = 0
    try:
        while sent < least:
            batch = b''.join(rsp.packet(hostile(dice)) for _ in range(20))
            # Some have no answer; this one has.
            client.socket.sendall(batch + rsp.packet('qC'))
            sent += 20
            while client.receive() != b'QC1':
                pass
    except (OSError, EOFError, ValueError) as error:
        return sent, '%s: %s' % (type(error).__name__, error)
    return sent, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--minutes', type=float, default=0)
    parser.add_argument('--packets', type=int, default=0)
    parser.add_argument('--connections', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--growth', type=int, default=1024, help='KB of memory that it may grow, after a tenth')
    parser.add_argument('source')
    parser.add_argument('build')
    options = parser.parse_args()
    dice = random.Random(options.seed)
    snapshot = os.path.join(os.path.abspath(options.source), 'testsuite', 'samples', 'crash-m0')
    converter = os.path.join(os.path.abspath(options.build), 'converter', 'tracebridge-convert')
    stub = os.path.join(options.build, 'gdbstub', 'tracebridge-gdbstub')
    packets = connections = conversions = rounds = base_round = 0
    base, broken, dropped, failed = None, [], [], []
    start = time.monotonic()
    end = start + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        os.environ['TMPDIR'] = folder
        server = rsp.Server(stub, '--elf=' + snapshot + '/program.elf', snapshot)
        while (time.monotonic() < end or packets < options.packets
               or connections < options.connections or base is None or rounds < base_round + MORE):
            rounds += 1
            client = rsp.Client(server.port())
            client.ask('QTFrame:ffffffff')
            if not (client.ask('?').startswith('T05') and client.ask('QTFrame:5') == 'F5T1'
                    and len(client.ask('g')) >= 0x88):
                broken.append(rounds)
            sent, error = attack(client, dice, 2000)
            packets += sent
            if error is not None:
                dropped.append((rounds, error))
            client.close()
            connections += 1
            for _ in range(20):
                raw = rsp.socket.create_connection(('127.0.0.1', server.port()))
                raw.sendall(dice.choice([b'', b'$', b'$m0,', b'\x03', rsp.packet('g'), b'+$qSupp']))
                raw.close()
                connections += 1
            if not server.alive():
                break
            rsp.wait_until_free(server)
            words = dice.choice(CONVERSIONS)
            done = subprocess.run([converter, '--quiet', *words, snapshot], cwd=folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                failed.append((words, done.returncode, done.stderr))
            conversions += 1
            last = measure(server)
            if (base is None and rounds >= WARM and packets >= options.packets / 10
                    and connections >= options.connections / 10
                    and time.monotonic() - start >= 6 * options.minutes):
                base, base_round = last, rounds
        rsp.report('the stub serves', server.alive() and rsp.serves(server))
        rsp.report('SIGTERM ends it', server.stop() == 0)
        rsp.report('no files are left', os.listdir(folder) == [], os.listdir(folder))
    rsp.report('each session was whole', not broken, broken[:5])
    rsp.report('hostile packets neither hang the stub nor make it drop the client', not dropped,
               dropped[:5])
    rsp.report('each conversion succeeded', not failed, failed[:5])
    if base is None:
        rsp.report('it went on until memory could be compared', False, '%d rounds' % rounds)
        sys.exit(1)
    rsp.report('memory is flat', last[0] - base[0] <= options.growth, (base, last))
    rsp.report('descriptors and threads are as many', last[1:] == base[1:], (base, last))
    print('%.0f s, %d rounds, %d packets, %d connections, %d conversions; memory %d to %d KB, %d descriptors, '
          '%d threads' % (time.monotonic() - start, rounds, packets, connections, conversions, base[0], last[0],
                          *last[1:]))
    sys.exit(rsp.failed != 0)


main()
