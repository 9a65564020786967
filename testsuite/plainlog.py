#!/usr/bin/env python3
"""What a plain reader shows of a log of --format=tarmac: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: plainlog.py LOG LISTING [FOLDER]

Common tools know IT, IS, R, MR, MW and E lines and keep what a line of a register said
until the next one.  LISTING (--format=registers, without assumptions) tells what is known
at each step; FOLDER is a sample or a case with the truth (see truth.py).  Prints

    steps=N known=N shown=N stale=N wrong=N

pairs of a register and a step: known by the listing, shown by the plain reader, and shown
where the listing knows no such value, or (with FOLDER) where the truth is another one; then
the first of these.  Names are taken in two ways, as different tools do: each name is a
register of its own, and the number alone counts ("r13_svc" and "MSP" are r13).
"""
import re
import sys

import truth

NUMBERS = re.compile(r'^(r|x|w|lr|sp|msp|psr|xpsr|cpsr|nzcv|apsr_nzcv)(\d*)')
NUMBERED = re.compile(r'[rx]\d+$')


def by_name(name):
    """What a tool calls the register that has each name as one of its own."""
    name = name.lower()
    return {'r13': 'sp', 'r14': 'lr', 'xpsr': 'psr', 'cpsr': 'psr', 'apsr_nzcv': 'nzcv'}.get(
        name, re.sub('^r14_.*', 'lr', re.sub('^r13_.*', 'sp', name)))


def by_number(name):
    """Of one that takes the letters and the number, and MSP for r13."""
    found = NUMBERS.match(name.lower())
    if found is None:
        return name.lower()
    letters, number = found.groups()
    return by_name({'msp': 'r13'}.get(letters, letters + number))


class Reader:
    """values: name to the digits that were said last; pairs: of each name that is shown, whether
    the listing does not know it so, and whether it is wrong; sums of both; told: names of which
    something was said since the last step."""

    def __init__(self, canonical):
        self.canonical, self.values, self.told = canonical, {}, set()
        self.pairs, self.stale, self.wrong = {}, 0, 0

    def state(self, name, digits):
        """Bytes shown as dashes stay as they are."""
        name = self.canonical(name)
        old = self.values.get(name, '-' * len(digits))
        if len(old) == len(digits):
            digits = ''.join(a if b == '-' else b for a, b in zip(old, digits))
        self.values[name] = digits
        self.told.add(name)

    def compare(self, name, names, values, truth_of):
        """The pair of NAME and this step, where one of both, or the truth, has changed."""
        stale, wrong = self.pairs.pop(name, (False, False))
        self.stale -= stale
        self.wrong -= wrong
        digits = self.values.get(name)
        if digits is None or set(digits) == {'-'} \
           or not (name in names or name in ('sp', 'lr', 'psr', 'nzcv') or NUMBERED.match(name)):
            return
        stale, wrong = not agrees(name, digits, values), False
        right = truth_of.get('psr' if name == 'nzcv' else name)
        if right is not None:
            text = '%0*x' % (len(digits), right)
            if name == 'nzcv':
                text, digits = text[0], digits[0]
            wrong = any(a not in ('-', b) for a, b in zip(digits, text))
        self.pairs[name] = stale, wrong
        self.stale += stale
        self.wrong += wrong


def listing_of(path):
    """For each step, (PC, name to value, names that changed); sections one behind the other."""
    before, values = set(), {}
    for line in open(path):
        if not line.startswith('#'):
            words = line.split()
            here = {word for word in words[2:] if word[:2] != 'm:'}
            gone, new = (dict(word.split('=') for word in some)
                         for some in (before - here, here - before))
            if gone or new:
                values = {k: v for k, v in values.items() if k not in gone}
                values.update((k, int(v, 16)) for k, v in new.items())
            before = here
            yield int(words[1], 16), values, set(gone) | set(new)


def agrees(name, digits, known):
    """Does the listing know that the register NAME has the value DIGITS?"""
    if name == 'psr':
        for psr in ('xpsr', 'cpsr'):
            if psr in known:
                text = '%08x' % known[psr]
                return all(a in ('-', b) for a, b in zip(digits, text))
        return set(digits[1:]) <= {'-'} and int(digits[:1], 16) == known.get('nzcv')
    value = int(digits, 16)
    if name == 'nzcv':
        return value >> 28 == known.get('nzcv')
    return value == known.get(name)


def main(log, listing, folder=None):
    steps = truth.read(folder).steps if folder else None
    readers = [Reader(by_name), Reader(by_number)]
    states = list(listing_of(listing))
    number, known, shown, stale, wrong, first = -1, 0, 0, 0, 0, []
    names, right, before = set(), {}, {}
    for words in map(str.split, open(log)):
        if words[3] == 'R':
            for reader in readers:
                reader.state(words[4], words[5])
            continue
        if words[3] not in ('IT', 'IS') and words[3:5] != ['TB', 'step']:
            continue
        number += 1
        pc, values, changed = states[number]
        if pc != int(words[5], 16):
            sys.exit('step %d is at %s, not %x' % (number, words[5], pc))
        if changed:
            names = {'psr' if name in ('xpsr', 'cpsr') else name for name in values
                     if name not in ('n', 'z', 'c', 'v')}
        known += len(names - {'nzcv'} if 'psr' in names else names)
        if steps is not None:
            before, right = right, steps[number].registers
            changed = changed | {name for name, value in before.items() ^ right.items()}
        if not changed.isdisjoint(('psr', 'xpsr', 'cpsr', 'nzcv')):
            changed = changed | {'psr', 'nzcv'}
        for reader in readers:
            for name in changed | reader.told:
                reader.compare(name, names, values, right)
            reader.told.clear()
            stale += reader.stale
            wrong += reader.wrong
            if (reader.stale or reader.wrong) and len(first) < 5:
                first += ['step %d: %s=%s, known are %s' % (
                    number, name, reader.values[name],
                    ' '.join('%s=%x' % item for item in values.items()))
                          for name, pair in reader.pairs.items() if any(pair)]
        shown += len(readers[0].pairs)
    print('steps=%d known=%d shown=%d stale=%d wrong=%d' % (number + 1, known, shown, stale, wrong),
          *first[:5], sep='\n')


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
