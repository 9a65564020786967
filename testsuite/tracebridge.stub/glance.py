#!/usr/bin/env python3
# A look at a moment far away, in a window that was not worked out yet: it is told of by what is
# near, and the rest is worked out while nothing is asked; what is asked while that is done does not
# wait for it.  Prints a line for each thing tried:
# "ok NAME" or "FAILED NAME: what was seen".
#
#   glance.py STUB SNAPSHOT         of more than two million steps
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import random
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp

PROGRAM, SNAPSHOT = sys.argv[1:3]
# The first is nearer than a million steps to the end of b2-etm3-m3.
PLACES = 13000000, 6000000, 2000000, 30


def report(name, ok, seen=''):
    print('ok %s' % name if ok else 'FAILED %s: %s' % (name, seen), flush=True)


def look(client, number):
    """The registers, and whether more may be known soon: asked in one go, so that nothing is
    worked out in between."""
    requests = ['QTFrame:%x' % number, 'g', 'qRcmd,' + b'where'.hex()]
    client.console = b''
    client.socket.sendall(b''.join(rsp.packet(text) for text in requests))
    client.receive()
    registers = client.receive().decode()
    client.receive()
    return registers, b'may be known here in a moment' in client.console


def start(*options):
    """A stub that has done all that it does while nothing is asked, and a client."""
    server = rsp.Server(PROGRAM, '--unknown=exact', *options, SNAPSHOT)
    client = rsp.Client(server.port())
    client.ask('g')
    server.wait_until_done()
    return server, client


# What is worked out anyway are the last steps.
server, client = start('--ahead=1000')
plain, other = start('--ahead=0')
for place in PLACES:
    before, soon = look(client, place)
    report('step %d: more may be known soon' % place, soon)
    server.wait_until_done()
    after, still = look(client, place)
    report('step %d: then it is' % place, not still)
    lost = [at for at, digit in enumerate(before) if digit not in 'x' + after[at]]
    report('step %d: what was told is told in the end' % place, not lost,
           '%s, %s' % (before, after))
    report('step %d: some registers were known' % place,
           set(before[:8 * 16]) - {'x'} != set(), before)
    waited, late = look(other, place)
    report('step %d: who works nothing out ahead is told at once' % place, not late)
    report('step %d: as much is known in the end' % place,
           after.count('x') <= waited.count('x'), '%s, %s' % (after, waited))
for one, of in (client, server), (other, plain):
    one.close()
    report('SIGTERM ends it', of.stop() == 0)


def spent(server):
    """The processor time of the stub, with that of threads that ended, in ms."""
    # The kernel's number of that clock: see clock_getcpuclockid.
    return time.clock_gettime(~server.process.pid << 3 | 2) * 1e3


# A window takes a tenth of a second of processor time or more.
server = rsp.Server(PROGRAM, SNAPSHOT)
client = rsp.Client(server.port())
client.ask('?')
chance = random.Random(1)
late = []
for _ in range(15):
    time.sleep(0.1 + 0.2 * chance.random())
    before = spent(server)
    client.ask('qC')
    late.append(spent(server) - before)
report('a request while the stub works ahead is not late', statistics.median(late) < 30, late)
client.close()
server.stop()

# So does one at the end, which GDB asks about first, and waits not long for.
server = rsp.Server(PROGRAM, '--ahead=0', SNAPSHOT)
before = spent(server)
client = rsp.Client(server.port())
for request in ('qSupported', 'qXfer:features:read:target.xml:0,fff', '?', 'qTStatus', 'g',
                'qXfer:statictrace:read::0,fff'):
    client.ask(request)
late = spent(server) - before
report('the first requests are not late', late < 60, late)
client.close()
server.stop()
