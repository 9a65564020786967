#!/usr/bin/env python3
# The tasks of a kernel as threads, at random steps: which there are, what each does, and the
# registers and calls of those that wait, against what the kernel itself has in RAM then; and where
# steps of those lead to.  See rsp.py for what it prints.
#
#   standing.py STUB FOLDER [--steps N] [--seed N] [--least PERCENT] [--kernel ELF --told N]
#               [-- OPTION...]
#
# With --kernel ELF, the same program whose objects have the names of FreeRTOS', only what that
# kernel calls the state of each task is judged; at least N must be told.
#
# FOLDER is a recorded run of the kernel in ../kernels, with its truth.  What is not known is not
# wrong; of the PCs of tasks that wait all must be known, of their other registers PERCENT.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import argparse
import collections
import os
import random
import re
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import levels
import rsp
import truth
from rsp import report

# Of struct task, in ../kernels/kernel.h: its name, and in which lists it is.
NAME_AT, STATE_IN, EVENT_IN, TASK_SIZE = 56, 16, 36, 64
FRAME = ['r0', 'r1', 'r2', 'r3', 'r12', 'lr', 'pc']
# Which registers the switch saves below the frame, the first at the lowest address.
SAVED = {False: ['r%d' % n for n in range(4, 12)], True: [None, None] + ['r%d' % n for n in range(4, 12)]}


class Kernel:
    """What the kernel knows of its tasks, in RAM at a step."""

    def __init__(self, folder):
        self.case = truth.read(folder)
        spans = self.case.source['tasks']
        self.at = [None] * self.case.count
        for (first, name), (end, _) in zip(spans, spans[1:] + [[self.case.count, None]]):
            self.at[first:end] = [name] * (end - first)
        places = {name: value for name, kind, value, _ in levels.symbols(os.path.join(folder, 'program.elf'))
                  if kind == 1}
        self.tasks, self.ready, self.sleeping = places['tasks'], places['ready'], places['sleeping']
        self.saved = SAVED['v8' in open(os.path.join(folder, 'cpu_0.ini')).read() or 'm33' in folder]

    def running(self, step):
        """Which task runs, or was interrupted; None: the recording has not shown."""
        while step >= 0 and self.at[step] is None:
            step -= 1
        return self.at[step] if step >= 0 else None

    def waiting(self, image, name):
        """The registers with which the task waits."""
        def word(address):
            return struct.unpack_from('<I', image, address - self.case.ram_base)[0]

        for number in range(5):
            task = self.tasks + TASK_SIZE * number
            at = task + NAME_AT - self.case.ram_base
            if image[at:at + 8].split(b'\0')[0].decode() == name:
                break
        else:
            raise ValueError(name)
        top, registers = word(task), {}
        for register in self.saved:
            registers[register] = word(top)
            top += 4
        for register in FRAME:
            registers[register] = word(top)
            top += 4
        registers['sp'] = top + 4 + (word(top) >> 9 & 1) * 4
        registers['pc'] &= ~1
        return registers


    def state(self, image, name):
        """What the lists in which it is make of a task's state."""
        def word(address):
            return struct.unpack_from('<I', image, address - self.case.ram_base)[0]

        task = next(at for at in range(self.tasks, self.tasks + 5 * TASK_SIZE, TASK_SIZE)
                    if image[at + NAME_AT - self.case.ram_base:].startswith(name.encode() + b'\0'))
        state, event = word(task + STATE_IN), word(task + EVENT_IN)
        if self.ready <= state < self.sleeping:
            return 'ready'
        return 'delayed' if state == self.sleeping else 'blocked' if state == 0 and event != 0 else None


def states_of_each(a, options, kernel, steps):
    """What the kernel says of tasks, by "info threads" and "monitor tasks"."""
    server = rsp.Server(a.stub, '--elf=' + a.kernel, *options, a.folder)
    client = rsp.Client(server.port())
    client.ask('qSupported:swbreak+')
    client.ask('?')
    told, wrong = collections.Counter(), []
    for step, image in zip(steps, kernel.case.images(steps)):
        client.monitor('goto %d' % step)
        listed = client.monitor('tasks')
        for number, name, what in threads(client):
            match = re.fullmatch(r'(\S+) \(task \d+ \S+\)', name)
            state = re.search(r', priority \d+(?:, ([^;]*))?(?:;|$)', what)
            if not match or not state:
                continue
            right = kernel.state(image, match.group(1))
            said = state.group(1)
            line = 'the kernel: %s, priority' % match.group(1)
            line = next(text for text in listed.splitlines() if line in text)
            told[said] += said is not None
            if said not in (right, None) or (', ' + said if said else '') != re.sub('.*, priority [0-9]+', '', line):
                wrong.append('%d: %s: %s, truth %s, listed %s' % (step, match.group(1), what, right, line))
    client.close()
    server.stop()
    name = ' '.join([os.path.basename(a.folder)] + options)
    report('%s: states by the kernel: none is wrong' % name, not wrong, '%d: %s' % (len(wrong), '; '.join(wrong[:4])))
    report('%s: at least %d states, of each kind' % (name, a.told), sum(told.values()) >= a.told
           and {'ready', 'delayed', 'blocked'} <= told.keys(), repr(told))


def threads(client):
    """The threads: number, name, what it does."""
    text, offset = '', 0
    while not text or text[0] == 'm':
        text = client.ask('qXfer:threads:read::%x,2000' % offset)
        offset += len(text) - 1
    return [(int(number, 16), name, what) for number, name, what in
            re.findall(r'<thread id="([0-9a-f]+)" name="([^"]*)">([^<]*)</thread>', text)]


def registers(client, thread):
    client.ask('Hg%x' % thread)
    text = client.ask('g')
    return {name: None if 'x' in text[8 * i:8 * i + 8] else int.from_bytes(bytes.fromhex(text[8 * i:8 * i + 8]), 'little')
            for i, name in enumerate(truth.NAMES32 + ['pc'])}


def step_each(client, kernel, steps, task_of, choose):
    """Step a task that waits from each of STEPS, forward or backward: how many led to its next
    step, or were said not to be known, and what is wrong."""
    right, unsure, wrong = 0, 0, []
    for step in steps:
        waiting = sorted((number, task) for number, task in task_of.items() if task != kernel.running(step))
        if kernel.running(step) is None or not waiting:
            continue
        number, task = choose.choice(waiting)
        backward = choose.random() < 0.5
        own = [n for n, name in enumerate(kernel.at) if name == task]
        before, after = [n for n in own if n < step], [n for n in own if n > step]
        want = (before[-1:] if backward else after[1:2]) + [None]
        client.ask('qRcmd,' + ('goto %d' % step).encode().hex())
        client.ask('bs')                        # That makes no step.
        client.ask('T%x' % number)              # As GDB's command thread does.
        client.console = b''
        client.ask('Hc0') if backward else None
        reply = client.ask('bs' if backward else 'vCont;s:%x;c' % number)
        place = [re.search(r'step (\d+) of', what) for *_, what in threads(client)]
        here = next((int(match.group(1)) for match in place if match), kernel.case.count)
        if b'does not show for certain' in client.console:
            unsure += 1
            if here != step:
                wrong.append('%d: thread %d moves to %d, not known' % (step, number, here))
        elif here == want[0] and 'thread:%x;' % number in reply:
            right += 1
        else:
            wrong.append('%d: thread %d %s to %d, truth %s: %s' % (
                step, number, 'back' if backward else 'on', here, want[0], reply))
    return right, unsure, wrong


def calls_of_each(client, kernel, folder, steps, task_of, choose):
    """Ask for the calls of a task that waits at each of STEPS: how many were told, and what is
    wrong: the innermost function is that of its PC, the outermost level the task."""
    functions = levels.Functions(os.path.join(folder, 'program.elf'))
    told, wrong = 0, []
    for step, image in zip(steps, kernel.case.images(steps)):
        waiting = sorted((number, task) for number, task in task_of.items() if task != kernel.running(step))
        if kernel.at[step] is None or not waiting:
            continue
        number, task = choose.choice(waiting)
        client.monitor('goto %d' % step)
        client.ask('T%x' % number)
        text = client.monitor('backtrace')
        names = re.findall(r'^#\d+ +(.*?) (?:since|runs) ', text, re.MULTILINE)
        right = functions.at(kernel.waiting(image, task)['pc'])
        told += bool(names)
        if names and (names[0] not in right or not names[-1].startswith('[task %d ' % (number // 1000))):
            wrong.append('%d: %s: %s, truth %s' % (step, task, names, right))
    return told, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('stub')
    parser.add_argument('folder')
    parser.add_argument('--steps', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--least', type=float, default=0)
    parser.add_argument('--kernel')
    parser.add_argument('--told', type=int, default=0)
    arguments, _, options = (' '.join(sys.argv[1:]) + ' ').partition(' -- ')
    a, options = parser.parse_args(arguments.split()), options.split()
    kernel = Kernel(a.folder)
    choose = random.Random(a.seed)
    steps = sorted(choose.sample(range(kernel.case.count), min(a.steps, kernel.case.count)))
    if a.kernel:
        states_of_each(a, options, kernel, steps)
        return
    server = rsp.Server(a.stub, '--unknown=exact', '--elf=' + os.path.join(a.folder, 'program.elf'),
                        *options, a.folder)
    client = rsp.Client(server.port())
    client.ask('qSupported:swbreak+')
    client.ask('?')
    wrong, waits, pcs, pairs, known, ran = [], 0, 0, 0, 0, 0
    seen, said = [], collections.Counter()
    for step in steps:
        client.monitor('goto %d' % step)
        for number, name, what in threads(client):
            seen.append((step, number, name, 'runs since' in what, registers(client, number)))
            if 'runs since' in what and kernel.at[step] is not None:
                said[number, kernel.at[step]] += 1
    # A number is the task that it is said to be most of the time.
    task_of = {number: task for (number, task), count in sorted(said.items(), key=lambda item: item[1])}
    listed = collections.defaultdict(set)
    for step, number, *_ in seen:
        listed[step].add(number)
    wrong += ['%d: no thread %s' % (step, sorted(task_of.keys() - those)) for step, those in listed.items()
              if task_of.keys() - those]
    images = dict(zip(steps, kernel.case.images(steps)))
    for step, number, name, runs, got in seen:
        running, task = kernel.running(step), task_of.get(number)
        match = re.fullmatch(r'task (\d+) \S+', name)
        if running is None or match and task is None and not runs:
            continue                            # What ran before the kernel, and its like.
        if not match or number != 1000 * int(match.group(1)) + 1 or runs != (task == running):
            wrong.append('%d: thread %d, %s, is %s: runs %s, truth %s' % (step, number, name, task, runs, running))
            continue
        ran += runs
        if runs or kernel.at[step] is None:
            continue                            # A switch may be under way.
        waits += 1
        right = kernel.waiting(images[step], task)
        for register, value in got.items():
            if register == 'pc':
                pcs += value is not None
            else:
                pairs += 1
                known += value is not None
            if value is not None and value != right[register]:
                wrong.append('%d: %s: %s=%x, truth %x' % (step, task, register, value, right[register]))
    right, unsure, astray = step_each(client, kernel, choose.sample(steps, len(steps) // 4), task_of, choose)
    some = sorted(choose.sample(steps, len(steps) // 4))
    told, odd = calls_of_each(client, kernel, a.folder, some, task_of, choose)
    client.close()
    server.stop()
    name = ' '.join([os.path.basename(a.folder)] + options)
    report('%s: %d tasks that run and %d that wait, nothing is wrong' % (name, ran, waits),
           ran > len(steps) * 0.9 and waits > len(steps) and not wrong,
           '%d wrong: %s' % (len(wrong), '; '.join(wrong[:5])))
    report('%s: all PCs are known' % name, pcs == waits, '%d of %d' % (pcs, waits))
    share = 100 * known / max(pairs, 1)
    report('%s: %g %% of their registers are known' % (name, a.least), share >= a.least, '%.1f' % share)
    report('%s: %d steps of tasks that wait, and %d that the recording does not show' % (name, right, unsure),
           right > unsure and not astray, '%d wrong: %s' % (len(astray), '; '.join(astray[:5])))
    report('%s: calls of %d tasks that wait' % (name, told), told > len(some) / 2 and not odd,
           '%d wrong: %s' % (len(odd), '; '.join(odd[:5])))


main()
