#!/usr/bin/env python3
# Exceptions of a long recording: all are listed in their order, also when nothing was asked before, so
# that the stub looks through all of the recording between two of them.
#
#   listed.py STUB FOLDER
#
# A log is written into FOLDER.  See rsp.py for what it prints.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report

# So many rounds of a loop, which an interrupt ends.
ROUNDS, LENGTH = 600, 250


def write(path):
    """A Tarmac log; the steps before which its exceptions were taken."""
    taken, step = [], 0
    with open(path, 'w') as file:
        file.write('1 ns R MSP 20001000\n')
        for _ in range(ROUNDS):
            for at in range(LENGTH):
                step += 1
                file.write('%d ns IT (%d) %08x 2001 T16 MOVS r0,#1\n' % (step, step, 0x100 + 2 * at))
            taken.append(step)
            file.write('%d ns E Exception 16\n%d ns R MSP 20000fe0\n%d ns R LR fffffff9\n' % (3 * (step,)))
            step += 1
            # It returns to the begin of the loop.
            file.write('%d ns IT (%d) 00000800 4770 T16 BX lr\n%d ns R MSP 20001000\n' % (3 * (step,)))
    return taken


def main(stub, folder):
    path = os.path.join(folder, 'listed.log')
    taken = write(path)
    server = rsp.Server(stub, '--ahead=0', path)
    client = rsp.Client(server.port())
    found, next_step, pages = [], 0, 0
    while next_step is not None and pages < ROUNDS:
        text = client.monitor('exceptions %d' % next_step)
        found += [int(step) for step in re.findall(r'before step (\d+): exception', text)]
        more = re.search(r'More follow: "monitor exceptions (\d+)"', text)
        next_step = int(more.group(1)) if more else None
        pages += 1
    report('a long list: all exceptions', sorted(set(found)) == taken,
           'missing: %s' % sorted(set(taken) - set(found))[:5])
    report('a long list: in their order', found == sorted(found), found[:10])
    client.close()
    server.stop()
    sys.exit(rsp.failed != 0)


main(*sys.argv[1:])
