#!/usr/bin/env python3
# A monitor command or a packet of tracepoints that GDB's user gives up with ^C: GDB waits no longer, but
# tells nobody, and takes the next packet that comes for the answer to its next request.
#
#   givenup.py STUB SNAPSHOT
#
# SNAPSHOT is one of longloop.py, in which a search takes long.  See rsp.py for what it prints.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import re
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report

SEARCH = 'qRcmd,' + b'values of 0x7fffffff in r0'.hex()


def text_of(said):
    """What GDB shows of SAID if it is one packet for its console."""
    return bytes.fromhex(said[2:-3].decode()) if said.count(b'$') == 1 and said[1:2] == b'O' else b''


def main(stub, snapshot):
    server = rsp.Server(stub, '--ahead=0', '--assume=halt', snapshot)
    client = rsp.Client(server.port())
    pc = client.ask('p19')
    # The first sign of life comes before GDB, which waits for 2 seconds, says anything; up to that it
    # does not look at ^C.
    client.send(SEARCH)
    client.socket.settimeout(60)
    said = client.socket.recv(1 << 16)
    report('a first sign of life', re.fullmatch(rb'Looking: step \d+ of \d+\.\n', text_of(said)), said)
    client.console = b''
    answer, took = rsp.timed(client.ask, 'p19')
    report('given up: the next request has its answer', answer == pc, answer)
    report('given up: at once', took < 10, took)
    report('given up: nothing more of the command', client.console == b'', client.console)
    report('given up: the session goes on', 'the end' in client.monitor('where'), client.console)

    # GDB says "-" each 2 seconds that it waits, and then looks at ^C behind the next packet: there
    # is one packet each time, and none else.
    client.console = b''
    client.send(SEARCH)
    for n in range(3):
        if n > 0:
            time.sleep(1)
            client.socket.sendall(b'-')
        client.socket.settimeout(60)
        try:
            said = client.socket.recv(1 << 16)
        except socket.timeout:
            said = b'nothing'
        text = text_of(said)
        # On a busy machine the seconds of the two differ.
        told = re.fullmatch(rb'(Looking: step \d+ of \d+|Working it out: (\d+) seconds)\.\n', text)
        report('GDB waits: it is told of progress, %d' % n,
               told and (told[2] is None or int(told[2]) > n), said)
    time.sleep(2)
    client.socket.settimeout(0.1)
    try:
        said = client.socket.recv(1 << 16)
    except socket.timeout:
        said = b''
    report('GDB does not wait: it is told nothing', said == b'', said)
    client.socket.settimeout(30)
    answer, took = rsp.timed(client.ask, 'p19')
    report('given up behind progress: the next request has its answer', answer == pc, answer)
    report('given up behind progress: at once', took < 10, took)

    # So it is where tracepoints are looked for, which GDB gives up behind its third "-" in any case.
    for packet in 'QTinit', 'QTDP:1:0000000008000010:E:0:0':
        client.ask(packet)
    client.send('QTStart')
    time.sleep(1)
    client.socket.sendall(b'-')
    said = client.socket.recv(1 << 16)
    report('tracepoints: a sign of life', b'Working it out' in text_of(said), said)
    time.sleep(3)
    answer, took = rsp.timed(client.ask, 'p19')
    report('tracepoints: given up: the next request has its answer', answer == pc and client.console == b'',
           (answer, client.console))
    report('tracepoints: given up: at once', took < 10, took)
    report('tracepoints: how far they were looked for', ':%s:' % b'interrupted'.hex() in client.ask('qTStatus'))

    # Who sends ahead waits for both.
    client.socket.sendall(rsp.packet('qRcmd,' + b'where'.hex()) + rsp.packet('p19'))
    report('sent ahead: both are answered', client.receive() == b'OK' and client.receive().decode() == pc)
    client.close()
    server.stop()
    sys.exit(rsp.failed != 0)


main(*sys.argv[1:])
