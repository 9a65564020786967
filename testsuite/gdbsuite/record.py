#!/usr/bin/env python3
"""Record a run of a program on a bare core, as a snapshot with trace.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: record.py [--target=NAME] [--steps=N] PROGRAM FOLDER

PROGRAM was linked with startup.c and link.ld.  The run goes from its first instruction to
"bare_halt", or ends with a branch after N steps.  FOLDER gets the snapshot; where it has one of
the same program already, nothing is done.
"""
import argparse
import hashlib
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'emulator'))

from flow import Flow                                           # noqa: E402
from machine import Failure, Run                                # noqa: E402
from snapshot import Style, write_snapshot                      # noqa: E402
from targets import TARGETS                                     # noqa: E402


class Program:
    """What Run and write_snapshot ask of a program."""

    psp, main_stack, checked = False, 0, ()

    def __init__(self, etm):
        self.etm = etm


class Whole:
    """Of a random number that decides on gaps: none."""

    @staticmethod
    def random():
        return 0.5


class Plain(Style):
    """A style of snapshots (see ../emulator/snapshot.py) without gaps."""

    # The buffer of an MTB has room for all.
    fp, stacks, missing, mask, last, random = 'D', True, 0, 16, 0, Whole


class PlainRun(Run):
    """From the first instruction on, without interrupts; RAM is not watched."""

    def prepare(self, board, program):
        board.command('Qqemu.sstep=7')
        board.changed = lambda: []

    def check(self, step, program):
        if step.pc not in self.flow.places:
            raise Failure('at %x there is no program' % step.pc)

    def interrupt(self, board, before, events):
        pass

    def is_over(self, before, events):
        if before.pc == self.flow.symbols['bare_fault'] & ~1:
            raise Failure('a fault or an unexpected exception')
        return before.pc == self.flow.symbols['bare_halt'] & ~1 or self.is_long(events)


def record(target, steps, elf, folder):
    image = os.path.join(folder, 'image')
    subprocess.run([target.tools + 'objcopy', '-O', 'binary', '-R', '.bss', elf, image], check=True)
    flow = Flow(target.tools, elf, target.machine.a64)
    with open(image, 'rb') as file:
        flow.sections = [(target.machine.code, file.read())]
    os.unlink(image)
    run = PlainRun(target.machine, Program(target.etm), elf, flow, 1, steps)
    write_snapshot(folder, run, Plain)
    return len(run.steps)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition('usage: ')[2])
    parser.add_argument('--target', default='m33', choices=sorted(TARGETS))
    parser.add_argument('--steps', type=int, default=20000)
    parser.add_argument('program')
    parser.add_argument('folder')
    arguments = parser.parse_args()
    with open(arguments.program, 'rb') as file:
        name = '%s %d %s' % (arguments.target, arguments.steps, hashlib.sha256(file.read()).hexdigest())
    of = os.path.join(arguments.folder, 'recorded')
    try:
        with open(of) as file:
            if file.read() == name:
                return
    except OSError:
        pass
    shutil.rmtree(arguments.folder, ignore_errors=True)
    os.makedirs(arguments.folder)
    print('%d steps' % record(TARGETS[arguments.target], arguments.steps, arguments.program,
                              arguments.folder))
    with open(of, 'w') as file:
        file.write(name)


if __name__ == '__main__':
    try:
        main()
    except (Failure, subprocess.CalledProcessError, OSError, ValueError) as failure:
        sys.exit('record.py: %s' % failure)
