#!/usr/bin/env python3
# A monitor command that GDB's user gives up with ^C: GDB waits no longer, but tells nobody, and
# takes the next packet that comes for the answer to its next request.
#
#   givenup.py STUB SNAPSHOT
#
# SNAPSHOT is one of longloop.py, in which a search takes long.  See rsp.py for what it prints.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report

SEARCH = 'qRcmd,' + b'values of 0x7fffffff in r0'.hex()


def main(stub, snapshot):
    server = rsp.Server(stub, '--ahead=0', snapshot)
    client = rsp.Client(server.port())
    pc = client.ask('p19')
    client.send(SEARCH)
    time.sleep(2)
    said = client.console
    answer, took = rsp.timed(client.ask, 'p19')
    report('given up: the next request has its answer', answer == pc, answer)
    report('given up: at once', took < 2, took)
    report('given up: nothing of the command', said == client.console == b'', client.console)
    report('given up: the session goes on', 'the end' in client.monitor('where'), client.console)

    # Who sends ahead waits for both.
    client.socket.sendall(rsp.packet('qRcmd,' + b'where'.hex()) + rsp.packet('p19'))
    report('sent ahead: both are answered', client.receive() == b'OK' and client.receive().decode() == pc)
    client.close()
    server.stop()
    sys.exit(rsp.failed != 0)


main(*sys.argv[1:])
