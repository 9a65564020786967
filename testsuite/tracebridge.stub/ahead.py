#!/usr/bin/env python3
# Working ahead, while no packet comes: nothing of what is answered may get worse by it, nor
# may anybody have to wait for it.  Prints a line for each thing tried: "ok NAME" or
# "FAILED NAME: what was seen".
#
#   ahead.py STUB SNAPSHOT ADDRESS...       addresses to watch a word at
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import re
import resource
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp

PROGRAM, SNAPSHOT = sys.argv[1:3]
ADDRESSES = [int(text, 0) for text in sys.argv[3:]]
# Small windows, so that there is much to hand on from one to the other.
WINDOW = '--window=64'


def report(name, ok, seen=''):
    print('ok %s' % name if ok else 'FAILED %s: %s' % (name, seen), flush=True)


def step(client):
    return int(re.search(r'step (\d+)', client.monitor('where') + ' step 0').group(1))


def stops(client, address):
    """All stops of a watchpoint on the way from the end back."""
    client.monitor('goto end')
    client.ask('Z2,%x,4' % address)
    found = []
    while not (reply := client.ask('bc')).startswith('T05replaylog'):
        # Where the value is not known on either side the access is unmade already.
        if 'watch:' in reply:
            client.ask('bs')
        found.append(step(client))
    client.ask('z2,%x,4' % address)
    return found


def passed_over(client, address):
    """How many stores are passed over that may have been to ADDRESS."""
    client.monitor('goto end')
    client.ask('Z2,%x,4' % address)
    client.console = b''
    client.ask('bc')
    client.ask('z2,%x,4' % address)
    counts = re.findall(rb'On the way (\d+) stores', client.console)
    return sum(int(count) for count in counts)


plain = rsp.Server(PROGRAM, WINDOW, '--ahead=0', SNAPSHOT)
ahead = rsp.Server(PROGRAM, WINDOW, SNAPSHOT)
ahead.wait_until_done()
report('it works while nobody is connected', ahead.used() > plain.used(),
       '%d and %d' % (ahead.used(), plain.used()))
one, other = rsp.Client(plain.port()), rsp.Client(ahead.port())
one.ask('?')
plain.wait_until_done()
lost, more = [], 0
for address in ADDRESSES:
    old, new = stops(one, address), stops(other, address)
    lost += [(hex(address), number) for number in old if number not in new]
    more += len(new)
report('watchpoints stop where they do without it, or more often', not lost and more > 0,
       (lost, more))
old, new = passed_over(one, 0xfffffff0), passed_over(other, 0xfffffff0)
report('of stores as many addresses are known, or more', new <= old, '%d and %d' % (new, old))
frames = int(re.search('tframes:([0-9a-f]+)', one.ask('qTStatus')).group(1), 16)
wrong = []
for number in range(0, frames, 7):
    pair = []
    for client in one, other:
        client.ask('QTFrame:%x' % number)
        pair.append(client.ask('g'))
    # What is known in both is the same; of the status register, which has known bits beside
    # the poison's, that is not looked at.
    for at in range(0, len(pair[0]), 8):
        a, b = pair[0][at:at + 8], pair[1][at:at + 8]
        if a != b and not {a, b} & {'xxxxxxxx', 'ad0bd0ba'} and at != 16 * 8:
            wrong.append((number, at // 8, a, b))
report('registers are the same, or more of them are known', not wrong, wrong)

# It begins again where it has to, and meanwhile everybody is served.
other.monitor('assume aapcs on')
time.sleep(0.1)
seconds = []
for number in range(30):
    seconds.append(rsp.timed(other.ask, 'QTFrame:%x' % number)[1])
    time.sleep(0.05)
# GDB gives up after 6 seconds.
report('nobody waits for long', max(seconds) < 6, seconds)
report('the session goes on', len(other.ask('g')) >= 0x88)
one.close()
other.close()
whole = ahead.used() / os.sysconf('SC_CLK_TCK')
report('SIGTERM ends it', ahead.stop() == 0 and plain.stop() == 0)
early = rsp.Server(PROGRAM, WINDOW, SNAPSHOT)
time.sleep(0.05)
early.process.send_signal(signal.SIGTERM)


def spent():
    """Seconds of processor time of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


# By processor time: others may keep the processors busy.
before = spent()
early.process.wait(60)
part = spent() - before
report('SIGTERM ends it while it works', part < whole / 2, '%.2f of %.2f s' % (part, whole))
early.process.stdout.close()
