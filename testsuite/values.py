#!/usr/bin/env python3
"""Compare searches by value with what really happened in a recorded run.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: values.py CONVERTER FOLDER N FILE [OPTION]...

Chooses N values that were stored, and N that instructions put into registers, by a fixed seed;
looks for all of them by --trace, with FILE as the trace file; FOLDER is as in truth.py, OPTIONs are
of the converter.  It prints a line for stores and one for registers: "values=N happened=N hits=N
wrong=N missing=N", and what is wrong.  Missing is what happened beyond the hits and what the
converter says may be more.
"""
import collections
import json
import lzma
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import traced
import truth


def stores(run):
    """(value, bytes): the steps that store it."""
    found = collections.defaultdict(set)
    if isinstance(run, truth.Sample):
        for number, step in enumerate(run.steps):
            for shift, changes in (1, step.before), (0, step.after):
                for _, _, new in changes:
                    if 0 <= number - shift < run.count:
                        found[int.from_bytes(new, 'little'), len(new)].add(number - shift)
        return found
    data = lzma.open(os.path.join(run.folder, run.source['truth_mem'])).read()
    _, _, size, count, _, _ = run.HEADER.unpack_from(data)
    numbers = {record: number for number, record in enumerate(run.records)}
    for index, width, how, _, _, value in run.WRITE.iter_unpack(
            data[run.HEADER.size:run.HEADER.size + size * count]):
        # Exceptions write behind the step before.
        step = numbers.get(index - how)
        if step is not None and width <= 8:
            found[value & (1 << 8 * width) - 1, width].add(step)
    return found


def taken(run):
    """(register, value): the steps behind which the register has it and had another; and those
    behind which it has it, or an exception changed it before anybody looked."""
    changed, held, unseen = collections.defaultdict(set), collections.defaultdict(set), set()
    for number in range(run.count - 1):
        step, following = run.steps[number], run.steps[number + 1]
        handlers = step.registers['psr'] & 0x1ff, following.registers['psr'] & 0x1ff
        if following.entered or step.returned or following.before \
                or isinstance(run, truth.Sample) and handlers[0] != handlers[1]:
            unseen.add(number)
            continue
        for name, value in following.registers.items():
            held[name, value].add(number)
            if step.registers[name] != value and step.passed and name != 'psr':
                changed[name, value].add(number)
    for steps in held.values():
        steps |= unseen
    return changed, held


def main(converter, folder, count, file, *options):
    run = truth.read(folder)
    r = random.Random(1)
    happened, (changed, held) = stores(run), taken(run)
    chosen = r.sample(sorted(happened), min(int(count), len(happened)))
    registers = r.sample(sorted(changed), min(int(count), len(changed)))
    wanted = ['writes of %#x,%d' % item for item in chosen] + ['values of %#x in $%s' % (value, name)
                                                               for name, value in registers]
    said = subprocess.run([converter, '-o', file, '--json', *options, folder]
                          + ['--trace=' + text for text in wanted],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout
    points = json.loads(said)['tracepoints']
    steps = collections.defaultdict(set)
    for frame in traced.read(file)[1]:
        steps[frame.number].add(frame.step)
    for what, first, items, true, may in (('stores', 1, chosen, happened, happened),
                                          ('registers', 1 + len(chosen), registers, changed, held)):
        hits = wrong = missing = total = 0
        for number, item in enumerate(items, first):
            total += len(true[item])
            hits += len(steps[number])
            wrong += len(steps[number] - may[item])
            lost = len(true[item] - steps[number])
            missing += max(0, lost - points[number - 1]['unknown_writes'])
            if steps[number] - may[item] or lost > points[number - 1]['unknown_writes']:
                print('%s: hits %s, true %s, open %d' % (wanted[number - 1], sorted(steps[number]), sorted(true[item]),
                                                       points[number - 1]['unknown_writes']))
        print('%s: values=%d happened=%d hits=%d wrong=%d missing=%d' % (
            what, len(items), total, hits, wrong, missing))


if __name__ == '__main__':
    main(*sys.argv[1:])
