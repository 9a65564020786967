#!/usr/bin/env python3
"""Judge the RAM in frames of several conversions of one case: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: frames.py JUDGE CONVERTER CASE LAST SOURCES [OPTIONS]...

JUDGE is score-frames.py of the corpus.  It judges the last LAST frames of each of the SOURCES first
sources of CASE, with each of the OPTIONS (words of one argument; default: none), and prints a line
for each.  Here it reads the truth of a source once; and it tries the step of the first frame that
comes second, of two that may be, only where something is wrong with the other.
"""
import functools
import importlib.util
import os
import sys

sys.dont_write_bytecode = True


def load(path):
    spec = importlib.util.spec_from_file_location('judge', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hasty(compare):
    """COMPARE, whose last result stands for all of the same trace file if nothing was wrong in it:
    the judge takes the first one that has the least."""
    last = []

    def compare_once(data, *rest):
        if not last or last[0] is not data or last[1][1]:
            last[:] = data, compare(data, *rest)
        return last[1]
    return compare_once


def main(path, converter, case, count, sources, *options):
    judge = load(path)
    judge.score.records = functools.lru_cache(maxsize=2)(judge.score.records)
    judge.compare = hasty(judge.compare)
    status = 0
    for source in range(int(sources)):
        for words in options or ['']:
            status |= judge.main([converter, case, '--source=%d' % source, '--last=' + count,
                                  '--', *words.split()])
            sys.stdout.flush()
    return status


if __name__ == '__main__':
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
