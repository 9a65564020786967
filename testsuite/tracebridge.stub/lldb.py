#!/usr/bin/env python3
# What LLDB gets that GDB does not, by its packets.  See rsp.py for what it prints.
#
#   lldb.py STUB FOLDER
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report


def main():
    for question in None, 'QThreadSuffixSupported', 'QListThreadsInStopReply', 'qVAttachOrWaitSupported', 'jThreadsInfo':
        server = rsp.Server(sys.argv[1], sys.argv[2])
        client = rsp.Client(server.port())
        lldb = question is not None
        name = question or 'GDB'
        if lldb:
            report('%s: no such packet' % name, client.ask(question) == '', question)
        client.ask('QTFrame:0')
        # r1 is not known there, r4 is.
        reply = client.ask('p1')
        report('%s: an unknown register' % name, reply == ('E01' if lldb else 'xxxxxxxx'), reply)
        # The frame pointer has a value for GDB's sake.
        reply = client.ask('p7')
        report('%s: nothing made up' % name, reply == ('E01' if lldb else 'ad0bd0ba'), reply)
        reply = client.ask('p4')
        report('%s: a known one' % name, len(reply) == 8, reply)
        client.ask('QTFrame:ffffffff')
        # There is a gap in what is known of the line that has the variables.
        client.ask('qRcmd,' + 'goto 700'.encode().hex())
        reply = client.ask('m20000000,200')
        report('%s: memory' % name, len(reply) == 2 * 512 if lldb else 2 < len(reply) < 64, reply)
        if lldb:
            report('%s: the rest' % name, 'ad0bd0ba' in reply, reply)
            client.ask('qRcmd,' + 'unknown exact'.encode().hex())
            reply = client.ask('m20000000,200')
            report('%s: exactly' % name, reply == 'E01', reply)
        client.ask('qRcmd,' + 'goto end'.encode().hex())
        client.ask('vCont;s:1')
        reply = client.ask('vCont;s:1')
        report('%s: a stop at the end' % name,
               reply.startswith('T02') and 'description:' in reply if lldb
               else reply.startswith('T00'), reply)
        client.close()
        server.stop()


main()
