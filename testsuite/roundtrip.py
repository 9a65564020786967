#!/usr/bin/env python3
"""Compare what two listings of --format=registers say: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: roundtrip.py LISTING OTHER

Prints "steps=N values=N" when both have the same steps with the same registers, and
OTHER the same memory where LISTING has any; else the first differences.
"""
import sys


def sections(path):
    """Lists of steps, each the words of a line; a comment begins another list."""
    found = [[]]
    for line in open(path):
        if line.startswith('#'):
            found.append([])
        else:
            found[-1].append(line.split())
    return [one for one in found if one]


def values(words):
    return dict(word.split('=') for word in words[2:])


def main(one, other):
    ours, theirs = sections(one), sections(other)
    if [len(s) for s in ours] != [len(s) for s in theirs]:
        print('steps', [len(s) for s in ours], [len(s) for s in theirs])
        return 1
    count, wrong = 0, []
    for a, b in ((a, b) for s, t in zip(ours, theirs) for a, b in zip(s, t)):
        x, y = values(a), values(b)
        count += len(x)
        bad = ['%s=%s, %s' % (k, x.get(k), y.get(k)) for k in sorted(set(x) | set(y))
               if x.get(k) != y.get(k) and (k in x or not k.startswith('m:'))]
        if a[:2] != b[:2] or bad:
            wrong.append('step %s: %s' % (a[0], ' '.join(bad) or b[1]))
    if wrong:
        print(len(wrong), 'steps differ:', '; '.join(wrong[:5]))
        return 1
    print('steps=%d values=%d' % (sum(map(len, ours)), count))
    return 0


sys.exit(main(*sys.argv[1:]))
