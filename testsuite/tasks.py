#!/usr/bin/env python3
"""Judge state and calls of a recorded run of several tasks: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: tasks.py FOLDER state LISTING     compare a listing of --format=registers
       tasks.py FOLDER slices LISTING    compare slices of tasks (--debug=tasks)
       tasks.py FOLDER drawn TIMELINE    compare a time line of calls (--format=perfetto)
       tasks.py FOLDER numbers LISTING   compare numbers of tasks: lines "STEP NUMBER"
       tasks.py FOLDER bound LISTING BOUND  compare what is certain with what can be known

FOLDER is a recorded run with its truth (see kernels/make.py).

"state" prints "steps=N wrong=N memory=N", and the shares of the live registers that are certain, or
known at all, before the last 200, the last 1000 and all steps, in parts of a thousand:
"certain=A/B/C known=A/B/C"; behind it the first wrong values.

"slices" prints "slices=N tied=N torn=N": how many there are; how many are said for sure to be of
the task of an earlier one; how many of these are another task's; behind it the first of them.

"drawn" prints "steps=N mixed=N owned=N named=N torn=N": at how many steps the stack that is drawn
holds functions of two tasks; at how many it holds one of the task's that runs; at how many it
is said to be a task's; at how many of these the same is said of another task, too.  A function
is a task's if, in the truth, no other task runs it.

"bound" takes the lines of state-bound (generator/state-bound.c), and prints of the live registers before
the last 200, the last 1000 and all steps, in parts of a thousand, how many can be known at most, as far
as that was found, and how many are certain: "most=A/B/C certain=A/B/C luck=N"; luck: certain is what
another run with the same flow and halt has otherwise; behind it the first of these.

"numbers" prints "steps=N torn=N tasks=N": how many steps of tasks were told; at how many of these
the number is, at more steps, another task's; how many tasks there are.
"""
import collections
import json
import lzma
import os
import struct
import sys

sys.dont_write_bytecode = True
from levels import Functions                            # noqa: E402
import truth                                            # noqa: E402

TAILS = 200, 1000, 0
FLAGS = 'nzcv'


def spans(folder, count):
    """The task at each step; None: none, or a handler."""
    with open(os.path.join(folder, 'case.json')) as file:
        starts = json.load(file)['sources'][0]['tasks']
    found = []
    for (first, name), (end, _) in zip(starts, starts[1:] + [[count, None]]):
        found += [name] * (end - first)
    return found


def live_names(mask):
    names = [name for bit, name in enumerate(truth.NAMES32) if mask >> bit & 1]
    return names, [FLAGS[bit] for bit in range(4) if mask >> 15 + bit & 1]


def floats(folder, count):
    """S0 to S31 before each step as one number; None where they are not recorded."""
    path = os.path.join(folder, 'truth-fp.bin.xz')
    if not os.path.exists(path):
        return [None] * count
    with lzma.open(path) as file:
        return [int.from_bytes(file.read(128), 'little') for _ in range(count)]


def float_value(name, all_of_them):
    """Of register NAME, s, d or q and its number; None: it is none of these, or not recorded."""
    size = {'s': 32, 'd': 64, 'q': 128}.get(name[0])
    if size is None or all_of_them is None or not name[1:].isdigit():
        return None
    return all_of_them >> size * int(name[1:]) & (1 << size) - 1


def compare(folder, listing):
    """The numbers of "state" as text, and what is wrong."""
    run = truth.read(folder)
    singles = floats(folder, run.count)
    with lzma.open(os.path.join(folder, 'live.bin.xz')) as file:
        masks = [mask for mask, in struct.iter_unpack('<I', file.read())]
    pairs, known = [0] * 3, [[0] * 3, [0] * 3]
    wrong, memory, seen = [], 0, 0
    images = run.images(range(run.count))
    with open(listing) as file:
        lines = [line.split() for line in file if not line.startswith('#')]
    for (number, pc, *items), step, image, mask, single in zip(lines, run.steps, images, masks, singles):
        if int(number) != seen or int(pc, 16) != step.pc:
            wrong.append('step %s: pc %s, truth %x' % (number, pc, step.pc))
            break
        seen += 1
        right = {}
        for item in items:
            name, _, text = item.partition('=')
            tier, name, value = int(name.endswith('~')), name.rstrip('~'), int(text, 16)
            if name.startswith('m:'):
                _, at, size = name.split(':')
                at, size = int(at, 16) - run.ram_base, int(size)
                if not 0 <= at <= len(image) - size:
                    continue
                memory += 1
                true = int.from_bytes(image[at:at + size], 'little')
            elif name in step.registers and name != 'psr':
                true = step.registers[name]
            elif name == 'nzcv':
                true = step.registers['psr'] >> 28
            elif name in FLAGS:
                true = step.registers['psr'] >> 31 - FLAGS.index(name) & 1
            else:
                true = float_value(name, single)
                if true is None:
                    continue
            if value == true:
                right[name] = tier
            else:
                wrong.append('step %d: %s, truth %x' % (seen - 1, item, true))
        names, flags = live_names(mask)
        tiers = [right.get(name) for name in names]
        if flags:
            each = [right.get('nzcv', right.get(flag)) for flag in flags]
            tiers.append(None if None in each else max(each))
        for i, tail in enumerate(TAILS):
            if not tail or seen > run.count - tail:
                pairs[i] += len(tiers)
                known[0][i] += tiers.count(0)
                known[1][i] += len(tiers) - tiers.count(None)
    if seen < run.count and not wrong:
        wrong.append('%d steps of %d' % (seen, run.count))
    return 'steps=%d wrong=%d memory=%d certain=%s known=%s' % (seen, len(wrong), memory, *(
        '/'.join(str(1000 * k // max(n, 1)) for k, n in zip(tier, pairs)) for tier in known)), wrong


def bound(folder, listing, masks):
    count = truth.read(folder).count
    with lzma.open(os.path.join(folder, 'live.bin.xz')) as file:
        live = [mask for mask, in struct.iter_unpack('<I', file.read())]
    with open(masks) as file:
        cannot = {int(step): int(mask, 16) for step, mask in (line.split() for line in file)}
    pairs, most, certain, luck = [0] * 3, [0] * 3, [0] * 3, []
    with open(listing) as file:
        lines = [line.split() for line in file if not line.startswith('#')]
    for number, _, *items in lines:
        step = int(number)
        names, flags = live_names(live[step])
        told = {item.partition('=')[0] for item in items}
        for name in names + ['nzcv'] * bool(flags):
            bit = 15 if name == 'nzcv' else truth.NAMES32.index(name)
            never = cannot.get(step, 0) >> bit & 1
            sure = name in told or name == 'nzcv' and set(flags) <= told
            # Which of the flags it is, the mask does not say.
            if sure and never and name != 'nzcv':
                luck.append('step %d: %s' % (step, name))
            for i, tail in enumerate(TAILS):
                if not tail or step >= count - tail:
                    pairs[i] += 1
                    most[i] += sure or not never
                    certain[i] += sure
    show('most=%s certain=%s luck=%d' % (*(
        '/'.join(str(1000 * k // max(n, 1)) for k, n in zip(what, pairs)) for what in (most, certain)), len(luck)), luck)


def slices(folder, listing):
    """The numbers of "slices" as text, and what is torn."""
    count = truth.read(folder).count
    tasks = spans(folder, count)
    with open(listing) as file:
        told = [line.strip().split(', ') for line in file if line.startswith('slice ')]
    steps = [int(words[0].split()[1]) for words in told] + [count]
    last, torn, tied = {}, [], 0
    for words, first, end in zip(told, steps, steps[1:]):
        number, sure = words[1], not {'open', 'guessed'} & set(words)
        runs = {name for name in tasks[first:end] if name is not None}
        if number != 'task 0' and runs:
            before = last.get(number)
            tied += sure and before is not None
            if sure and before is not None and runs != before:
                torn.append('slice %d, %s: truth %s, before %s' % (
                    first, number, ' '.join(sorted(runs)), ' '.join(sorted(before))))
            last[number] = runs
    return 'slices=%d tied=%d torn=%d' % (len(told), tied, len(torn)), torn


def show(text, wrong):
    print(text, *wrong[:6], sep='\n')


def drawn(folder, timeline):
    run = truth.read(folder)
    functions, tasks = Functions(os.path.join(folder, 'program.elf')), spans(folder, run.count)
    owners = collections.defaultdict(set)
    for step, task in zip(run.steps[:run.count], tasks):
        for name in functions.at(step.pc):
            owners[name].add(task)
    owner = {name: next(iter(those)) for name, those in owners.items() if len(those) == 1 and None not in those}
    with open(timeline) as file:
        events = [event for event in json.load(file)['traceEvents'] if event['ph'] in 'BE']
    events = [event for event in events if event['tid'] == events[0]['tid']]
    stack, at, mixed, owned, first = [], 0, 0, 0, []
    said = collections.Counter()
    for number, task in enumerate(tasks):
        while at < len(events) and events[at]['ts'] <= number:
            if events[at]['ph'] == 'B':
                stack.append(events[at]['name'])
            else:
                stack.pop()
            at += 1
        theirs = {owner[name] for name in stack if name in owner}
        owned += task is not None and theirs == {task}
        if len(theirs) > 1 or task is not None and theirs - {task}:
            mixed += 1
            first.append('%d: %s, truth %s' % (number, ';'.join(stack), task))
        if task is not None and stack and stack[0].startswith('[task'):
            said[stack[0], task] += 1
    torn = sum(count for (name, task), count in said.items()
               if count < max(c for (n, _), c in said.items() if n == name))
    print('steps=%d mixed=%d owned=%d named=%d torn=%d' % (
        run.count, mixed, owned, sum(said.values()), torn), *first[:4], sep='\n')
    print(*('%s: %s %d' % (*pair, count) for pair, count in sorted(said.items())), sep='\n')


def numbers(folder, listing):
    run = truth.read(folder)
    tasks, said = spans(folder, run.count), collections.Counter()
    with open(listing) as file:
        for line in file:
            step, number = map(int, line.split())
            if step < run.count and tasks[step] is not None:
                said[number, tasks[step]] += 1
    torn = sum(count for (number, task), count in said.items()
               if count < max(c for (n, _), c in said.items() if n == number))
    print('steps=%d torn=%d tasks=%d' % (sum(said.values()), torn, len({task for _, task in said})))


if __name__ == '__main__':
    {'state': lambda *words: show(*compare(*words)), 'slices': lambda *words: show(*slices(*words)),
     'drawn': drawn, 'numbers': numbers, 'bound': bound}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
