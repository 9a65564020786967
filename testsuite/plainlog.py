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
    def __init__(self, canonical):
        self.canonical, self.values = canonical, {}

    def state(self, name, digits):
        """Bytes shown as dashes stay as they are."""
        name = self.canonical(name)
        old = self.values.get(name, '-' * len(digits))
        if len(old) == len(digits):
            digits = ''.join(a if b == '-' else b for a, b in zip(old, digits))
        self.values[name] = digits


def listing_of(path):
    """For each step, (PC, name to value); sections one behind the other."""
    for line in open(path):
        if not line.startswith('#'):
            words = line.split()
            yield int(words[1], 16), {k: int(v, 16) for k, v in
                                      (w.split('=') for w in words[2:] if w[:2] != 'm:')}


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
    for words in map(str.split, open(log)):
        if words[3] == 'R':
            for reader in readers:
                reader.state(words[4], words[5])
            continue
        if words[3] not in ('IT', 'IS') and words[3:5] != ['TB', 'step']:
            continue
        number += 1
        pc, values = states[number]
        if pc != int(words[5], 16):
            sys.exit('step %d is at %s, not %x' % (number, words[5], pc))
        names = {'psr' if name in ('xpsr', 'cpsr') else name for name in values
                 if name not in ('n', 'z', 'c', 'v')}
        known += len(names - {'nzcv'} if 'psr' in names else names)
        for reader in readers:
            for name, digits in reader.values.items():
                if set(digits) == {'-'}:
                    continue
                compared = name in names or name in ('sp', 'lr', 'psr', 'nzcv') \
                    or re.match(r'[rx]\d+$', name)
                if not compared:
                    continue
                shown += reader is readers[0]
                bad = not agrees(name, digits, values)
                stale += bad
                if steps is not None:
                    right = steps[number].registers.get('psr' if name == 'nzcv' else name)
                    if right is not None:
                        text = '%0*x' % (len(digits), right)
                        if name == 'nzcv':
                            text, digits = text[0], digits[0]
                        bad = any(a not in ('-', b) for a, b in zip(digits, text))
                        wrong += bad
                if bad and len(first) < 5:
                    first.append('step %d: %s=%s, known are %s' % (
                        number, name, digits, ' '.join('%s=%x' % item for item in values.items())))
    print('steps=%d known=%d shown=%d stale=%d wrong=%d' % (number + 1, known, shown, stale, wrong),
          *first, sep='\n')


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
