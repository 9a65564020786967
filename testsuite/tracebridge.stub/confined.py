#!/usr/bin/env python3
# The stub confines itself once all is open, and serves as it does without.  See rsp.py for
# what it prints.
#
#   confined.py STUB SNAPSHOT ELF
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report, serves, skip


def states(server):
    """What the kernel says of each thread of SERVER: (no new rights, seccomp's mode)."""
    found = set()
    folder = '/proc/%d/task' % server.process.pid
    for thread in os.listdir(folder):
        with open('%s/%s/status' % (folder, thread)) as file:
            text = file.read()
        found.add(tuple(int(re.search(r'^%s:\s*(\d+)' % name, text, re.M).group(1))
                        for name in ('NoNewPrivs', 'Seccomp')))
    return found


# Of each part of the stub something, and first what once opened a file when it was asked for.
MONITOR = ['exceptions', 'history 0x20000000', 'history $sp', 'gaps', 'coverage', 'help', 'where',
           'calls', 'tasks', 'memory', 'why pc', 'why r0', 'assume', 'assume aapcs', 'space', 'svd',
           'software', 'find step 7', 'goto 100', 'goto end', 'unknown exact', 'interrupts']
PACKETS = ['qSupported:swbreak+', '?', 'qXfer:exec-file:read::0,1000', 'qXfer:features:read:target.xml:0,9000',
           'qXfer:threads:read::0,1000', 'qXfer:memory-map:read::0,1000', 'qTfV', 'qTsV', 'qTsV', 'qTStatus',
           'QTFrame:3', 'g', 'm20000000,100', 'qXfer:traceframe-info:read::0,9000', 'QTFrame:ffffffff',
           'bs', 'bc', 's', 'c', 'qTBuffer:0,4000', 'vRun;', 'QTNotes:', 'vFile:open:2f6574632f706173737764,0,0',
           'vFile:setfs:0', 'vCont?', 'qC', 'qRcmd,', 'M20000000,1:00', 'X20000000,0:', 'D']


def answers(server):
    client = rsp.Client(server.port())
    said = ['%s: %s' % (command, client.monitor(command)) for command in MONITOR]
    said += ['%s: %s' % (request, client.ask(request)) for request in PACKETS]
    client.close()
    return said


def test_answers(stub, arguments):
    server = rsp.Server(stub, '--confine=off', *arguments)
    report('off: not confined', {mode for _, mode in states(server)} == {0}, states(server))
    free = answers(server)
    server.stop()
    server = rsp.Server(stub, *arguments)
    report('confined without being asked', states(server) == {(1, 2)}, states(server))
    confined = answers(server)
    different = [(a, b) for a, b in zip(free, confined) if a != b]
    report('the same answers', not different, different[:2])
    report('the program is named', any('program.elf' in a for a in confined))
    report('threads are confined, too', states(server) == {(1, 2)}, states(server))
    report('serves after that', serves(server))
    report('SIGTERM ends it', server.stop() == 0)


def test_socket(stub, snapshot):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'socket')
        server = rsp.Server(stub, snapshot, listen='unix:' + path)
        client = rsp.Client(path=path)
        report('a Unix socket serves', client.ask('?').startswith('T05') and states(server) == {(1, 2)})
        client.close()
        server.stop()
        report('its socket is gone', os.listdir(folder) == [], os.listdir(folder))


def test_cut(stub, snapshot):
    """Who is confined cannot look up which file was cut, but has looked before."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'copy')
        shutil.copytree(snapshot, copy)
        process = subprocess.Popen([stub, '--listen=127.0.0.1:0', '--index=off', copy], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        places = [process.stdout.readline().split() for _ in range(2)]
        for name in os.listdir(copy):
            if not name.endswith('.ini'):
                os.truncate(os.path.join(copy, name), 0)
        client = rsp.Client(int(places[1][0].rsplit(':', 1)[1]))
        try:
            client.ask('m0,40')
            client.ask('QTFrame:5')
            client.ask('g')
        except (OSError, RuntimeError, EOFError):
            pass
        client.close()
        try:
            said = process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            said = 'still there: ' + process.communicate()[1]
        report('a file that is cut: named', re.search(r'copy/\S+: what was to be read is gone', said), said)


def main():
    stub, snapshot, elf = sys.argv[1:]
    done = subprocess.run([stub, '--listen=stdio', '--confine=must', snapshot], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if 'this build does without it' in done.stderr:
        skip('confined', 'sanitizers and counts for gcov need more rights than the stub')
        sys.exit(done.returncode != 1)
    report('must: serves', done.returncode == 0, done.stderr)
    test_answers(stub, ['--elf=' + elf, snapshot])
    test_socket(stub, snapshot)
    test_cut(stub, snapshot)
    sys.exit(rsp.failed != 0)


main()
