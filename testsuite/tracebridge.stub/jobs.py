#!/usr/bin/env python3
# Searches for watchpoints with one thread and with two: the stops, the registers there and what
# is said on the way are the same.  Prints a line for each thing tried: "ok NAME" or "FAILED NAME:
# what was seen".
#
#   jobs.py STUB WINDOW SNAPSHOT ADDRESS...     steps of a window; addresses to watch a word at
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp

PROGRAM, WINDOW, SNAPSHOT = sys.argv[1:4]
ADDRESSES = [int(text, 0) for text in sys.argv[4:]]
# A loop may hit the same word thousands of times.
MOST = 20


def stops(jobs, address):
    """What the client sees on the way back and forth, of a stub that has seen nothing yet."""
    server = rsp.Server(PROGRAM, '--ahead=1', '--window=' + WINDOW, '--jobs=%d' % jobs, SNAPSHOT)
    client = rsp.Client(server.port())
    client.ask('?')
    client.ask('Z2,%x,4' % address)
    seen = []
    for way in 'bc', 'c':
        reply = ''
        while len(seen) < MOST and 'replaylog' not in reply:
            client.console = b''
            reply = client.ask(way)
            seen.append((reply, client.ask('g'), client.console))
    client.close()
    return seen, server.stop()


for address in ADDRESSES:
    one, status = stops(1, address)
    two, other = stops(2, address)
    rsp.report('%#x: %d stops with one thread and with two' % (address, len(one)), one == two,
               [pair for pair in zip(one, two) if pair[0] != pair[1]][:1])
    rsp.report('%#x: they end' % address, status == other, (status, other))
