#!/usr/bin/env python3
"""Judge what is claimed of tasks with random runs of the kernel in this folder.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: check-kernels.py [--seed=N] [--count=N] [--windows=N] [--keep=FOLDER] [--port=PORT,...]
                        [--steps=N] CONVERT
       check-kernels.py --again=FOLDER CONVERT

By each seed: a port, a level of optimization, one of the bugs or none, how often the audit task
wakes, how far apart interrupts are, and how long the run is; it is recorded once.  Of each run
so many windows are made into snapshots, which end and begin anywhere, with an MTB or an ETM.
Each is converted with no assumption and with four lists of them; registers and memory are
compared with the truth, and the slices that are said to be of one task.  CONVERT is the
program tracebridge-convert.  A line "BAD" is a wrong value, or two tasks taken for one; the exit
status is 1 then.  --keep keeps the snapshots with their truth in FOLDER, which --again judges
once more (../tasks.py judges a single one).  --steps: of all runs.

Prints of each list of assumptions how much is known of live registers, in parts of a thousand.
"""
import argparse
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import make                                             # noqa: E402
import tasks                                            # noqa: E402
from liveness import Unknown                            # noqa: E402
from machine import Failure                             # noqa: E402
from snapshot import Nothing, write_snapshot            # noqa: E402

WAYS = ('', 'tasks', 'constants,tasks', 'aapcs,constants,tasks,frames',
        'aapcs,constants,tasks,frames,objects')


class RandomRun(make.KernelRun):
    """A run to where it stops, or to its limit."""

    def is_over(self, before, events):
        stopped = bool(self.steps) and self.stopped(self.steps[-1]) and not events
        return stopped or self.is_long(events)


class Recipe:
    """What a seed stands for."""

    def __init__(self, seed, ports, steps):
        r = self.random = random.Random(seed)
        self.seed, self.port = seed, r.choice(ports)
        self.level = r.choice(('-O0', '-O1', '-O2', '-O2', '-Os', '-O3'))
        self.bug = r.choice((None, 'overflow', 'stale', 'stale', 'handle', 'handle'))
        self.audit = r.choice((3, 5, 9, 20, 60))
        self.every = r.choice((350, 700, 1100, 1700)), r.choice((900, 2300, 5000))
        self.steps = steps or r.choice((5000, 9000, 16000))

    def __str__(self):
        return 'seed %d: %s %s %s, audit %d, every %d %d, %d steps' % (
            self.seed, self.port, self.level, self.bug or 'no bug', self.audit, *self.every, self.steps)

    def record(self, folder):
        """The run; its program is put into FOLDER."""
        port, elf = make.PORTS[self.port], os.path.join(folder, 'program.elf')
        names = {'AUDIT_TICKS': self.audit} if self.bug else {}
        make.build(self.port, self.level, elf, names, self.bug)
        program = make.Program(False, self.bug, port.first, self.every)
        return RandomRun(port.machine, program, elf, make.read_flow(port.machine, elf), self.seed, self.steps)


def image_at(run, number):
    """RAM before step NUMBER."""
    image = bytearray(run.ram0)
    for step in (run.steps + [run.halt])[:number + 1]:
        for offset, data in step.changes:
            image[offset:offset + len(data)] = data
    return bytes(image)


def special_at(run, number, main, floats):
    """MSP, PSP and CONTROL at step NUMBER, if it is a task's: the main stack ends at MAIN.  With
    FLOATS it is not known whether CONTROL says that the task has used them."""
    step = run.steps[number]
    if step.psr & 511:
        return []
    control = [] if floats else [('CONTROL', 32, 2)]
    return [('MSP', 32, main), ('PSP', 32, step.core[13]), *control]


def cut(run, r, start, main, floats):
    """The window's run, a part of RUN, which has tasks from START on, and how it is traced; FLOATS:
    its port has floating point."""
    part = copy.copy(run)
    part.program = copy.copy(run.program)
    part.program.etm = r.random() < 0.6
    part.machine = copy.copy(run.machine)
    if part.program.etm and part.machine.name == 'm3':
        part.machine.core = 'Cortex-M7'         # No Cortex-M3 has an ETMv4.
    count = len(run.steps)
    length = int(2 ** r.uniform(7.5, 13.5))
    end = count if r.random() < 0.15 else r.randrange(min(start + 200, count - 1), count)
    while end < count and run.steps[end].events:
        end += 1
    # The trace of an ETM ends with a branch.
    while part.program.etm and (run.flow.places[run.steps[end - 1].pc].kind is None
                                or end < count and run.steps[end].events):
        end -= 1
    first = max(start, end - length)
    while first < end and run.steps[first].events:
        first += 1
    if end - first < 100:
        raise Nothing
    part.ram0, part.steps = image_at(run, first), [copy.copy(s) for s in run.steps[first:end]]
    part.steps[0].changes = []
    stacks = run.special
    if end < count:
        part.halt = copy.copy(run.steps[end])
        part.ram = image_at(run, end)
        stacks = special_at(run, end, main, floats)
    part.special = stacks if r.random() < 0.7 else []
    style = make.Plain(r.choice((6, 7, 8, 9, 10)), 0)
    style.stacks = bool(part.special)
    if floats:
        style.fp = r.choice('DS-')
    return part, style, '%d to %d' % (first, end)


def write_window(folder, run, style, elf):
    """Make a snapshot with its truth in FOLDER."""
    traced = write_snapshot(folder, run, style)
    make.write_truth(folder, run, traced)
    shutil.copy(elf, os.path.join(folder, 'program.elf'))
    make.write_case(folder, run, make.describe(run, elf, traced))


class Judge:
    """Counts of all windows, and what is wrong."""

    def __init__(self, convert):
        self.convert, self.windows, self.bad = convert, 0, 0
        self.wrong = dict.fromkeys(WAYS, 0)
        self.known = {way: [0, 0, 0] for way in WAYS}
        self.slices = self.tied = self.torn = 0

    def run(self, folder, options):
        """What the converter writes for FOLDER: the name of a file."""
        output = os.path.join(folder, 'listing.txt')
        done = subprocess.run([self.convert, '--quiet', '-o', output, *options, folder],
                              capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            self.bad += 1
            print('BAD %s: %s: status %d: %s' % (folder, ' '.join(options), done.returncode, done.stderr.strip()))
        return output

    def say(self, label, wrong):
        self.bad += len(wrong)
        for text in wrong[:2]:
            print('BAD %s: %s' % (label, text))

    def judge(self, folder, label):
        self.windows += 1
        for way in WAYS:
            options = ['--assume=' + way] if way else []
            if 'objects' in way:
                options.append('--elf=' + os.path.join(folder, 'program.elf'))
            listing = self.run(folder, ['--format=registers'] + options)
            text, wrong = tasks.compare(folder, listing)
            self.wrong[way] += len(wrong)
            for i, share in enumerate(text.rpartition('=')[2].split('/')):
                self.known[way][i] += int(share)
            self.say('%s, %s: %d wrong' % (label, way or 'certain', len(wrong)), wrong)
        text, torn = tasks.slices(folder, self.run(folder, ['--debug=tasks']))
        numbers = dict(word.split('=') for word in text.split())
        self.slices += int(numbers['slices'])
        self.tied += int(numbers['tied'])
        self.torn += len(torn)
        self.say(label, torn)
        os.unlink(os.path.join(folder, 'listing.txt'))
        sys.stdout.flush()

    def close(self):
        for way in WAYS:
            print('%s: known %s, %d wrong' % (way or 'certain', '/'.join(
                str(known // max(self.windows, 1)) for known in self.known[way]), self.wrong[way]))
        print('%d slices, %d of them tied, %d torn' % (self.slices, self.tied, self.torn))


def one(judge, recipe, arguments, skipped):
    """Record, cut and judge the run of RECIPE."""
    with tempfile.TemporaryDirectory(prefix='kernels-') as scratch:
        run = recipe.record(scratch)
        low = run.flow.symbols['stacks']
        start = next((i for i, step in enumerate(run.steps) if step.psr & 511 == 0
                      and low <= step.core[13] <= low + make.STACKS), len(run.steps))
        # The first exception of a task: its frame is on the task's stack.
        main = next((step.core[13] for step in run.steps[start:] if step.psr & 511 and any(
            event[0] == 'exception' and not event[3] & 511 for event in step.events)), None)
        if main is None or len(run.steps) - start < 400:
            raise Failure('no switch')
        for number in range(arguments.windows):
            folder = os.path.join(arguments.keep or scratch, '%d-%d' % (recipe.seed, number))
            try:
                part, style, where = cut(run, recipe.random, start, main, make.PORTS[recipe.port].floats)
                write_window(folder, part, style, os.path.join(scratch, 'program.elf'))
            except (Nothing, Unknown) as why:
                skipped.append('window %d-%d (%s)' % (recipe.seed, number, why or 'too short'))
                shutil.rmtree(folder, ignore_errors=True)
                continue
            label = '%s, window %d: steps %s' % (recipe, number, where)
            with open(os.path.join(folder, 'label'), 'w') as file:
                file.write(label)
            judge.judge(folder, label)
            if not arguments.keep:
                shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition('usage: ')[2])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=5)
    parser.add_argument('--windows', type=int, default=6)
    parser.add_argument('--port', default=','.join(make.PORTS))
    parser.add_argument('--steps', type=int)
    parser.add_argument('--keep')
    parser.add_argument('--again')
    parser.add_argument('convert')
    arguments = parser.parse_args()
    judge, skipped = Judge(arguments.convert), []
    if arguments.again:
        for name in sorted(os.listdir(arguments.again)):
            folder = os.path.join(arguments.again, name)
            if os.path.isfile(os.path.join(folder, 'label')):
                with open(os.path.join(folder, 'label')) as file:
                    judge.judge(folder, file.read())
    for seed in range(arguments.seed, arguments.seed + arguments.count) if not arguments.again else ():
        recipe = Recipe(seed, arguments.port.split(','), arguments.steps)
        try:
            one(judge, recipe, arguments, skipped)
        except (Failure, subprocess.CalledProcessError) as why:
            skipped.append('%s (%s)' % (recipe, why))
    judge.close()
    print('%d windows, %d wrong; left out: %s' % (judge.windows, judge.bad, '; '.join(skipped) or 'none'))
    return 1 if judge.bad or not judge.windows else 0


if __name__ == '__main__':
    sys.exit(main())
