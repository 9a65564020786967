#!/usr/bin/env python3
# Steps of tasks at the edges of what a recording shows: where it begins with the exception that
# switches away from one, where one is interrupted before it makes a step, and where the recording
# ends with one's first step.  See rsp.py for what it prints.
#
#   edges.py STUB CONVERTER KERNEL FOLDER
#
# KERNEL is ../kernels/m3; FOLDER gets recordings that are made of it.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
from rsp import report


def change(path, pattern, text):
    with open(path) as file:
        old = file.read()
    new = re.sub(pattern, text, old)
    assert new != old, (path, pattern)
    with open(path, 'w') as file:
        file.write(new)


def cut(kernel, output, *ranges):
    """Make a snapshot of which the MTB has the packets FIRST to END - 1 of each of RANGES alone,
    counted from the oldest on; without RAM and registers, which may be those of another run."""
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(kernel, output, ignore=shutil.ignore_patterns('*.xz', '*.json', '*.elf'))
    trace, unit, core = (os.path.join(output, name) for name in ('trace.bin', 'mtb_0.ini', 'cpu_0.ini'))
    with open(unit) as file:
        position = int(re.search(r'POSITION\(0x000\)=(\w+)', file.read()).group(1), 16)
    with open(trace, 'rb') as file:
        data = file.read()
    assert position & 4                         # It is full.
    packets = data[position & ~7:] + data[:position & ~7]
    kept = b''.join(packets[8 * first:8 * end] for first, end in ranges)
    with open(trace, 'wb') as file:
        file.write(kept + bytes(len(data) - len(kept)))
    change(unit, r'(POSITION\(0x000\)=)\w+', r'\g<1>0x%08X' % len(kept))
    change(core, r'(?s)\[regs\]\n.*?\n\n', '')
    change(core, r'(?s)\n\[dump1\]\n.*', '')
    return output


class Session:
    def __init__(self, stub, kernel, recording):
        self.server = rsp.Server(stub, '--elf=' + os.path.join(kernel, 'program.elf'), recording)
        self.client = rsp.Client(self.server.port())
        self.client.ask('qSupported:swbreak+')
        self.client.ask('?')

    def step(self, at, task, backward):
        """Step TASK, or what runs, from step AT on: what GDB is told, where that leads, and what
        the user is told."""
        self.client.ask('qRcmd,' + ('goto %d' % at).encode().hex())
        self.client.ask('bs')                   # That makes no step.
        thread = '%x' % (1000 * task + 1)
        self.client.ask('T' + thread)
        self.client.ask('Hg' + thread)
        self.client.console = b''
        reply = self.client.ask('bs' if backward else 'vCont;s:%s;c' % thread)
        said = self.client.console.decode()
        where = self.client.monitor('where')
        match = re.match(r'\S+: (?:before step (\d+) of|(the end))', where)
        return reply, int(match.group(1)) if match.group(1) else match.group(2), said

    def end(self):
        self.client.close()
        self.server.stop()


def main():
    stub, converter, kernel, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)

    # The sensor's task, the first, is switched away from before step 0, and goes on at 944.
    session = Session(stub, kernel, cut(kernel, os.path.join(folder, 'begin'), (147, 1024)))
    reply, at, said = session.step(900, 1, True)
    report('left before the recording: a step back of what waits', at == 900 and reply == 'T00thread:3e9;'
           and 'does not show for certain where it ran before' in said, (reply, at, said))
    reply, at, said = session.step(944, 1, True)
    report('left before the recording: a step back where it goes on', at == 657
           and 'here from task 3 logger_task; the recording does not tell for certain where it ran' in said,
           (reply, at, said))
    reply, at, said = session.step(78, 2, True)
    report('left before the recording: a step back to that', at == 77
           and 'here from task 1 sensor_task; the recording does not tell for certain where it ran' in said,
           (reply, at, said))
    session.end()

    # It goes on before step 503, and is interrupted there.
    session = Session(stub, kernel, cut(kernel, os.path.join(folder, 'none'), (30, 114), (147, 1024)))
    reply, at, said = session.step(800, 2, True)
    report('without a step of its own: a step back of what waits', at == 800
           and 'does not show for certain where it ran before' in said, (reply, at, said))
    reply, at, said = session.step(1447, 2, True)
    report('without a step of its own: a step back where it goes on',
           'the recording does not tell for certain where it ran before' in said, (reply, at, said))
    session.end()

    # The log ends with its first step, before number 1803, where it goes on.
    log = os.path.join(folder, 'end.log')
    text = subprocess.run([converter, '-q', '--format=tarmac', '-o', '-', kernel], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    with open(log, 'w') as file:
        file.write(re.match(r'(?s).* IT \(1804\) 000005b8 .*?\n', text).group(0))
    session = Session(stub, kernel, log)
    reply, at, said = session.step(1500, 3, False)
    report('goes on where the recording ends: a step', at == 1803 and 'thread:bb9;' in reply
           and 'No more reverse-execution history' in said, (reply, at, said))
    session.end()
    sys.exit(rsp.failed != 0)


main()
