#!/usr/bin/env python3
# ^C comes while a monitor command looks through the trace: what was not looked at is not said to have
# nothing.
#
#   interrupted.py STUB SNAPSHOT
#
# See rsp.py for what it prints.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report

# What each says of all of the trace.
COMMANDS = {'exceptions': 'before step', 'gaps': 'before step', 'goto next exception': 'before step',
            'goto previous gap': 'no earlier gap', 'coverage': 'bytes of code ran',
            'values of 1 in r0': 'step', 'find exception': 'before step'}


def main(stub, snapshot):
    server = rsp.Server(stub, '--ahead=0', snapshot)
    client = rsp.Client(server.port())
    for command, result in COMMANDS.items():
        client.monitor('goto start')
        whole = client.monitor(command)
        report('%s: all of it' % command, result in whole, whole)
        client.monitor('goto start')
        client.console = b''
        time.sleep(0.1)                 # The stub looks for ^C each few ms.
        client.socket.sendall(rsp.packet('qRcmd,' + command.encode().hex()) + b'\x03')
        answer, said = client.receive(), client.console.decode()
        report('%s: interrupted' % command, answer == b'OK' and said.startswith('Interrupted'), said)
        report('%s: no result' % command, 'There ' not in said and result not in said.replace(
            'Interrupted before step', ''), said)
    client.close()
    server.stop()
    sys.exit(rsp.failed != 0)


main(*sys.argv[1:])
