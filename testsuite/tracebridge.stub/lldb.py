#!/usr/bin/env python3
# What LLDB gets that GDB does not, by its packets.  See rsp.py for what it prints.
#
#   lldb.py STUB FOLDER KERNEL
#
# KERNEL is a recording of tasks.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report


def ask_of_threads():
    """Names, what has stopped and what the others do, against what GDB is told."""
    server = rsp.Server(sys.argv[1], sys.argv[3])
    client = rsp.Client(server.port())
    client.ask('?')
    client.ask('Hg7d1')                         # Who asks of another one has not stopped it.
    threads = json.loads(client.ask('jThreadsInfo'))
    stopped = [thread['tid'] for thread in threads if 'signal' in thread]
    report('jThreadsInfo: what has stopped', len(threads) == 5 and len(stopped) == 1
           and client.ask('?').split('thread:')[1].startswith('%x;' % stopped[0]), repr(threads))
    told = client.ask('qXfer:threads:read::0,4000')
    for thread in threads:
        number = '%x' % thread['tid']
        report('jThreadsInfo: the name of %s' % number, 'id="%s" name="%s"' % (number, thread['name']) in told, told)
        reply = client.ask('qThreadStopInfo' + number)
        report('qThreadStopInfo: %s' % number, reply.startswith('T05' if thread['tid'] in stopped else 'T00')
               and 'hexname:%s;' % thread['name'].encode().hex() in reply, reply)
        reply = json.loads(client.ask('jThreadExtendedInfo:{"thread":%d}]' % thread['tid']))
        report('jThreadExtendedInfo: %s' % number, reply['core'] == 'cpu_0' and '>%s</thread>' % reply['state'] in told, repr(reply))
    for question in 'qThreadStopInfo2', 'qThreadStopInfo', 'jThreadExtendedInfo:{"thread":4242}]', 'jThreadExtendedInfo:x':
        report('%s: refused' % question, client.ask(question)[:1] == 'E', question)
    report('jThreadExtendedInfo: is there', client.ask('jThreadExtendedInfo:') == 'OK')
    client.ask('vCont;s:%x' % stopped[0])
    client.ask('vCont;s:%x' % stopped[0])
    reply = [thread for thread in json.loads(client.ask('jThreadsInfo')) if 'signal' in thread]
    report('jThreadsInfo: the end', [thread['description'] for thread in reply] == ['end of the recording'], repr(reply))
    client.close()
    server.stop()


def main():
    ask_of_threads()
    for question in None, 'QThreadSuffixSupported', 'QListThreadsInStopReply', 'qVAttachOrWaitSupported', 'jThreadsInfo':
        server = rsp.Server(sys.argv[1], sys.argv[2])
        client = rsp.Client(server.port())
        lldb = question is not None
        name = question or 'GDB'
        if lldb:
            reply = client.ask(question)
            if question == 'jThreadsInfo':
                report('jThreadsInfo: a core', [thread['name'] for thread in json.loads(reply)] == ['cpu_0'], reply)
            else:
                report('%s: no such packet' % name, reply == '', question)
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
        if lldb:
            # What LLDB asks until it resumes is of where it stood.
            report('%s: not there yet' % name, client.ask('p0d') != 'E01' and client.ask('p0f') == 'de000000',
                   client.ask('p0f'))
            client.ask('vCont;s:1')
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
               else reply.startswith('T05thread:'), reply)
        if not lldb:
            # GDB makes another one by itself, if that did not end its command.
            reply = client.ask('vCont;s:1')
            report('%s: another step there' % name, reply.startswith('T05replaylog:end;'), reply)
            client.ask('qfThreadInfo')          # It shows a stop.
            reply = client.ask('vCont;s:1')
            report('%s: one that the user makes' % name, reply.startswith('T05thread:'), reply)
            reply = client.ask('vCont;r0,ffffffff:1')
            report('%s: one of a range' % name, reply.startswith('T05replaylog:end;'), reply)
            client.ask('Z0,de,2')
            client.ask('vCont;c')
            client.ask('z0,de,2')
            reply = client.ask('vCont;s:1')
            report('%s: one over a breakpoint' % name, reply.startswith('T00thread:'), reply)
            client.ask('qTracebridge.FrontEnd')
            for packet in 'vCont;s:1', 'vCont;c', 'bc', 'bs':
                reply = client.ask(packet)
                report('%s: for a front end: %s' % (name, packet), reply.startswith('T02thread:'), reply)
        client.close()
        server.stop()


main()
