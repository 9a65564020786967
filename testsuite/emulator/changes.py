"""Compare what tracebridge-convert says that instructions write with what changed.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
from judge import FLAGS, FP_BITS, FP_NAME, Truth, Verdict


def units(machine, name):
    """The parts that an FP register is of: 32 bits, or V registers of A64."""
    found = FP_NAME.match(name)
    if not found:
        return ()
    number, bits = int(found.group(2)), FP_BITS[found.group(1)]
    if machine.a64:
        return (number,)
    return range(number * bits // 32, (number + 1) * bits // 32)


def changed(machine, truth, step, after):
    """Names of what a step changed: core registers, flags, parts of FP registers."""
    for name, number in truth.core.items():
        if step.core[number] != after.core[number]:
            yield name
    for name, bit in FLAGS.items():
        if (step.psr ^ after.psr) >> bit & 1:
            yield name
    for number in range(machine.nd):
        differ = step.fp[number] ^ after.fp[number]
        if machine.a64:
            if differ:
                yield number
            continue
        for half in range(2):
            if differ >> 32 * half & 0xffffffff:
                yield 2 * number + half


def judge_changes(run, traced, lines, label, assumed):
    """Compare the lines of --changes."""
    truth, verdict, machine = Truth(run, traced), Verdict(), run.machine
    steps = run.steps + [run.halt]
    for line in lines:
        if line.startswith('#'):
            continue
        number, pc, *items = line.split()
        number = int(number)
        step = truth.go(number)
        after = steps[truth.at + 1]
        where = '%s step %d (run %d) %s %s %s' % (
            label, number, truth.at, pc, run.flow.places[step.pc].mnemonic,
            run.flow.places[step.pc].operands)
        # What an exception does behind it is not told apart.
        alone = not after.events
        listed, stores = set(), False
        olds = []
        for item in items:
            name, _, text = item.partition('=')
            old, _, new = text.partition('->')
            # An address that is assumed.
            maybe = '~' if '~' in name else ''
            name = name.rstrip('?').replace('~', '')
            listed |= {name, *units(machine, name)}
            if name == 'nzcv':
                listed |= set(FLAGS)
            stores |= name.startswith('m:')
            olds.append((name, old + maybe, new + maybe))
        for name, old, new in olds:
            check(verdict, truth, name, old, where + ' before', assumed)
        if not alone:
            continue
        names = set(changed(machine, truth, step, after))
        # What is assumed, and wrong, may be what is not listed.
        if '?' not in items and (assumed or '--assume' not in label):
            for name in names - listed:
                verdict.bad.append('%s: %s changes and is not listed' % (where, name))
            if after.changes and not stores:
                verdict.bad.append('%s: memory changes and is not listed' % where)
        # Look at the state behind it as it is now, not as a later step has it.
        ram = bytes(truth.image)
        for offset, data in after.changes:
            truth.image[offset:offset + len(data)] = data
        truth.step = after
        for name, old, new in olds:
            check(verdict, truth, name, new, where + ' after', assumed)
        truth.step, truth.image[:] = step, ram
    return verdict


def check(verdict, truth, name, text, where, assumed):
    if '?' in text or '?' in name or not text or text.endswith('~') and not assumed:
        return
    value, right = int(text.rstrip('~'), 16), truth.value(name)
    if right is not None and name != 'primask' and value != right:
        verdict.bad.append('%s: %s is %x, truth %x' % (where, name, value, right))
