#!/usr/bin/env python3
# How fast the stub answers: times of single requests over a socket, beside the time that the
# socket itself takes, and what the same costs with GDB.
#
#   bench-stub.py STUB SNAPSHOT [--gdb=PROGRAM --elf=FILE] [--pc=ADDRESS]
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp


def row(name, seconds):
    seconds = sorted(seconds)
    print('%-44s %10.3f %10.3f %10.3f' % (name, seconds[0] * 1e3,
                                          statistics.median(seconds) * 1e3, seconds[-1] * 1e3))


def spent(server):
    """The processor time of the stub, with that of threads that ended, in seconds."""
    # The kernel's number of that clock: see clock_getcpuclockid.
    return time.clock_gettime(~server.process.pid << 3 | 2)


def unprepared(stub, arguments, count):
    """Looks anywhere, and requests that need nothing, each after a second or so: on a stub that
    has just begun, and works ahead in between.  By the clock, and in its processor time."""
    chance = random.Random(7)
    server = rsp.Server(stub, *arguments)
    client = rsp.Client(server.port())
    client.ask('?')
    frames = int(re.search('tframes:([0-9a-f]+)', client.ask('qTStatus')).group(1), 16)
    kinds = {'tfind N, any, a second after another': lambda: (
        client.ask('QTFrame:%x' % chance.randrange(frames)), client.ask('g')),
             'nothing, while it works ahead': lambda: client.ask('qC')}
    for name, ask in kinds.items():
        clock, processor = [], []
        for _ in range(count):
            time.sleep(0.5 + chance.random())
            before, start = spent(server), time.perf_counter()
            ask()
            clock.append(time.perf_counter() - start)
            processor.append(spent(server) - before)
        row(name, clock)
        row('  processor time', processor)
    client.close()
    server.stop()


def times(count, function):
    found = []
    for number in range(count):
        start = time.perf_counter()
        function(number)
        found.append(time.perf_counter() - start)
    return found


def pc_of(client):
    """The address of the moment that is looked at, from its registers."""
    registers = client.ask('g')
    at, width = (15 * 8, 8) if len(registers) < 2 * 0x100 else (32 * 16, 16)
    return int.from_bytes(bytes.fromhex(registers[at:at + width]), 'little')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('stub')
    parser.add_argument('snapshot')
    parser.add_argument('--core')
    parser.add_argument('--gdb')
    parser.add_argument('--elf')
    parser.add_argument('--cold', type=int, default=20,
                        help='how many looks each after a second, 0 for none (default 20)')
    options = parser.parse_args()
    arguments = [options.snapshot] + (['--core=' + options.core] if options.core else [])

    start = time.perf_counter()
    server = rsp.Server(options.stub, *arguments)
    opened = time.perf_counter() - start
    client = rsp.Client(server.port())
    first = times(1, lambda _: client.ask('?'))
    frames = int(re.search('tframes:([0-9a-f]+)', client.ask('qTStatus')).group(1), 16)
    print('%s: %d trace frames' % (options.snapshot, frames))
    print('%-44s %10s %10s %10s' % ('milliseconds', 'least', 'median', 'most'))
    row('start', [opened])
    row('first stop (registers are worked out)', first)
    row('nothing (the socket alone)', times(1000, lambda _: client.ask('qC')))

    def find(number):
        client.ask('QTFrame:%x' % number)
        client.ask('g')
    middle = frames // 2
    row('tfind, the next one (QTFrame, g)', times(2000, lambda n: find((middle + n) % frames)))
    row('tfind, the one before', times(2000, lambda n: find((middle - n) % frames)))
    server.wait_until_done()
    chance = random.Random(1)
    row('tfind N, any', times(300, lambda _: find(chance.randrange(frames))))
    row('memory known in a frame', times(300, lambda n: (
        client.ask('QTFrame:%x' % (frames - 1 - n % frames)),
        client.ask('qXfer:traceframe-info:read::0,8000'))))
    client.ask('QTFrame:0')
    pc = pc_of(client)

    # Cold: each on a stub that has not searched yet.
    def cold(request, *before, quiet=False):
        fresh = rsp.Server(options.stub, *arguments)
        other = rsp.Client(fresh.port())
        other.ask('?')
        if quiet:
            fresh.wait_until_done()
        for packet in before:
            other.ask(packet)
        start = time.perf_counter()
        other.ask(request)
        seconds = time.perf_counter() - start
        other.close()
        fresh.stop()
        return seconds
    row('tfind pc, not there, first search', [cold('QTFrame:pc:fff0', 'QTFrame:0')])
    row('reverse-continue, not there, first search', [cold('bc', 'Z0,fff0,2')])
    row('the same, worked out ahead', [cold('bc', 'Z0,fff0,2', quiet=True)])
    row('reverse-continue to the first step', [cold('bc', 'Z0,%x,2' % pc)])
    row('reverse-continue, watchpoint, first search', [cold('bc', 'Z2,fffffff0,4')])
    row('the same, worked out ahead', [cold('bc', 'Z2,fffffff0,4', quiet=True)])
    client.ask('QTFrame:ffffffff')
    client.ask('Z0,fff0,2')
    row('reverse-continue, not there, again', times(5, lambda n: client.ask('c' if n % 2 else 'bc')))
    client.ask('z0,fff0,2')

    if options.cold:
        unprepared(options.stub, arguments, options.cold)

    # The address that ran most often at some places in the middle.
    seen = {}
    for number in range(200):
        client.ask('QTFrame:%x' % (middle + 7 * number))
        seen[pc_of(client)] = seen.get(pc_of(client), 0) + 1
    hot = max(seen, key=seen.get)
    client.ask('QTFrame:ffffffff')
    client.ask('c')
    # $step == 0xffffffff, which is never so.
    never = 'Xa,2c000124ffffffff1327'
    client.ask('Z0,%x,2;%s' % (hot, never))
    row('reverse-continue over a false condition', times(1, lambda _: client.ask('bc')))
    client.ask('z0,%x,2' % hot)
    for condition in '', ':' + never:
        client.ask('QTinit')
        client.ask('QTDP:1:%x:E:0:0%s' % (hot, condition))
        found = times(1, lambda _: client.ask('QTStart'))
        hits = int(re.search('tframes:([0-9a-f]+)', client.ask('qTStatus')).group(1), 16)
        row('tstart%s, %d hits' % (', a condition' if condition else '', hits), found)
    client.ask('QTinit')
    client.monitor('run restore')
    row('reverse-stepi (bs, g)', times(2000, lambda _: (client.ask('bs'), client.ask('g'))))
    client.close()

    if options.gdb:
        def session(*commands):
            """The least of three, with a stub that runs already."""
            line = [options.gdb, '-q', '-nx', '-batch', '-iex', 'set debuginfod enabled off']
            if options.elf:
                line += ['-ex', 'file ' + options.elf]
            line += ['-ex', 'target remote ' + server.places[0]]
            for command in commands:
                line += ['-ex', command]
            return min(times(3, lambda _: subprocess.run(line, stdin=subprocess.DEVNULL,
                                                         capture_output=True, timeout=600)))
        alone = session()
        row('GDB: start, connect, leave', [alone])
        row('GDB: a tfind', [(session('tfind %d' % middle, *['tfind'] * 1000) - alone) / 1001])
        row('GDB: a reverse-stepi', [(session(*['reverse-stepi'] * 1000) - alone) / 1000])
    server.stop()


main()
