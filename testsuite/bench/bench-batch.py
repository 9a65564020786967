#!/usr/bin/env python3
"""What a batch costs beside the conversions themselves.

usage: bench-batch.py CONVERT SNAPSHOT... [--count=200] [--rounds=3]

Copies of the snapshots are converted one by one, then as a batch with --jobs=1, then
again as a batch that has nothing to do.  Processor time is that of all processes.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time


def spent(work):
    """Seconds of the processor and of the clock that WORK takes."""
    def cpu():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    before, begin = cpu(), time.monotonic()
    work()
    return cpu() - before, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('convert')
    parser.add_argument('snapshot', nargs='+')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    run = [options.convert, '--quiet', '--jobs=1']
    with tempfile.TemporaryDirectory(prefix='bench-batch-') as folder:
        inputs = os.path.join(folder, 'in')
        outputs = os.path.join(folder, 'out')
        copies = []
        for i in range(options.count):
            copies.append(os.path.join(inputs, 's%04d' % i))
            shutil.copytree(options.snapshot[i % len(options.snapshot)], copies[-1])

        def alone():
            for copy in copies:
                subprocess.run(run + ['-o', os.path.join(folder, 'x.tfile'), copy],
                               stderr=subprocess.DEVNULL, check=False)

        def batch():
            subprocess.run(run + ['--output-dir=' + outputs, inputs],
                           stderr=subprocess.DEVNULL, check=False)

        print('%-14s %9s %9s' % ('seconds', 'processor', 'clock'))
        for _ in range(options.rounds):
            shutil.rmtree(outputs, ignore_errors=True)
            for name, work in (('one by one', alone), ('batch', batch),
                               ('nothing to do', batch)):
                print('%-14s %9.2f %9.2f' % ((name,) + spent(work)), flush=True)


if __name__ == '__main__':
    main()
