#!/usr/bin/env python3
"""Which lines and branches of the sources do the tests reach?  (gcov)

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: coverage.py [options] SOURCE_DIRECTORY BUILD_DIRECTORY

Builds for gcov in BUILD_DIRECTORY/coverage (or in BUILD_DIRECTORY, if that was configured
with --enable-coverage), runs the tests there, and prints a table: for each folder its lines
and branches, how many of them ran, and the share.  The rows at the end are those that
something is asked of: lines of common/ (92 %), branches of packet decoders and parsers (88 %).

Branches that only want of memory takes, and that no test took, are counted apart (the last
column, and left out of the shares): testsuite/faults lets each allocation fail in turn.  Behind
the last row stands the share with them.

Options:
  --tests=WHICH   unit (the unit tests, which is the default), all (DejaGnu's too; an hour),
                  none (what ran before)
  --files=FOLDER  a row for each file of FOLDER, too
  --missing=FILE  the lines of FILE, below the top, that did not run, and the lines with
                  branches that were not taken (a "?" and how many of how many)
  --least         exit with status 1 if less ran than is asked for
Environment: CC the compiler (gcc), JOBS parallel jobs (2), TB_SHARED as for the tests.
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys

FOLDERS = ['common', 'converter', 'gdbstub', 'maker']
# What reads bytes and text from outside.
READERS = ['common/coresight', 'common/decode', 'common/snapshot', 'common/svd']
LINES_WANTED, BRANCHES_WANTED = 92.0, 88.0
# A line whose branch is taken for want of memory alone.
NO_MEMORY = re.compile(
    r'TB_ERR_MEMORY|no_memory|->failed|\.failed|\bout_of_memory\b|no memory')
ALLOCATED = re.compile(r'(\w+(?:(?:->|\.)\w+)*) = (?:\([^)]*\) ?)?'
                       r'(?:malloc|calloc|realloc|strdup|reallocarray) ?\(')


class File:
    """What ran of a source file: by line how often, and for each branch how often."""

    def __init__(self):
        self.lines = {}
        self.branches = {}


def run(command, folder, **options):
    status = subprocess.run(command, cwd=folder, **options).returncode
    if status != 0:
        sys.exit(f'coverage: in {folder}: {" ".join(command)}: status {status}')


def prepare(top, build):
    """The build for gcov, made if need be."""
    makefile = os.path.join(build, 'Makefile')
    if os.path.exists(makefile) and '--coverage' in open(makefile).read():
        return build
    folder = os.path.join(build, 'coverage')
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(folder, 'config.status')):
        run([os.path.join(top, 'configure'), '-q', '--enable-coverage'], folder)
    return folder


def run_tests(top, build, which):
    jobs = '-j' + os.environ.get('JOBS', '2')
    run(['make', '-s', jobs], build)
    run(['make', '-s', jobs, '-C', 'testsuite', 'check', 'TESTS=', 'DEJATOOL='], build)
    for path in glob.glob(os.path.join(build, '**', '*.gcda'), recursive=True):
        os.remove(path)
    # A test that fails is not this script's matter.
    subprocess.run(['make', '-s', '-k', jobs, '-C', 'testsuite', 'check', 'DEJATOOL='],
                   cwd=build, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if which == 'all':
        subprocess.run(['sh', os.path.join(top, 'testsuite/run-dejagnu.sh'), build, top, jobs[2:]],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_counts(top, build):
    """A File for each source file below the top, by its path there."""
    files = collections.defaultdict(File)
    for folder in FOLDERS:
        notes = sorted(glob.glob(os.path.join(build, folder, '**', '*.gcno'), recursive=True))
        for i in range(0, len(notes), 40):
            text = subprocess.run(['gcov', '--json-format', '--stdout', '--branch-probabilities']
                                  + [os.path.abspath(n) for n in notes[i:i + 40]],
                                  cwd=os.path.join(build, folder), stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL).stdout.decode()
            for document in filter(None, text.split('\n')):
                add(files, json.loads(document), top)
    return files


def add(files, document, top):
    for entry in document['files']:
        path = os.path.normpath(os.path.join(document['current_working_directory'],
                                             entry['file']))
        path = os.path.relpath(path, top)
        if path.startswith('..') or path.split(os.sep)[0] not in FOLDERS:
            continue
        file = files[path]
        for line in entry['lines']:
            number = line['line_number']
            file.lines[number] = file.lines.get(number, 0) + line['count']
            # A function of a header is in several objects, each time with the same branches.
            key = number, line.get('function_name')
            counts = [b['count'] for b in line['branches']]
            before = file.branches.get(key)
            if before is not None and len(before) == len(counts):
                counts = [a + b for a, b in zip(before, counts)]
            elif before is not None and sum(before) >= sum(counts):
                counts = before
            file.branches[key] = counts


def only_without_memory(source):
    """The numbers of the lines of SOURCE whose branches ask for nothing but memory."""
    lines, found = source.split('\n'), set()
    for i, line in enumerate(lines, 1):
        names = ALLOCATED.findall(line)
        if NO_MEMORY.search(line):
            found.add(i)
        for name in names:
            asked = re.compile(r'\b(if|while|return|assert)\b.*(?<![\w.>])' + re.escape(name)
                               + r' ([!=]= NULL)')
            for k in range(i, min(i + 8, len(lines) + 1)):
                if asked.search(lines[k - 1]) and '&&' not in lines[k - 1]:
                    found.add(k)
    return found


class Sum:
    def __init__(self):
        self.lines = self.lines_run = self.branches = self.taken = self.memory = 0

    def add(self, file, memory):
        self.lines += len(file.lines)
        self.lines_run += sum(1 for count in file.lines.values() if count > 0)
        for (number, _), counts in file.branches.items():
            taken = sum(1 for count in counts if count > 0)
            # What was taken of them all the same counts.
            left = len(counts) - taken if number in memory else 0
            self.memory += left
            self.branches += len(counts) - left
            self.taken += taken

    def line_share(self):
        return 100 * self.lines_run / self.lines if self.lines else 100

    def branch_share(self):
        return 100 * self.taken / self.branches if self.branches else 100

    def row(self, name):
        return (f'{name:34} {self.lines_run:6} of {self.lines:6} {self.line_share():5.1f} %   '
                f'{self.taken:6} of {self.branches:6} {self.branch_share():5.1f} % '
                f'{self.memory:6}')


def show_missing(top, path, file, memory):
    source = open(os.path.join(top, path)).read().split('\n')
    branches = collections.defaultdict(list)
    for (number, _), counts in file.branches.items():
        branches[number] += counts
    for number in sorted(file.lines):
        missed = sum(1 for count in branches[number] if count == 0)
        if file.lines[number] == 0:
            print(f'{path}:{number}: - {source[number - 1]}')
        elif missed and number not in memory:
            print(f'{path}:{number}: ?{missed}/{len(branches[number])} {source[number - 1]}')


def main():
    if '--help' in sys.argv:
        print(__doc__)
        return
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('--tests', choices=['unit', 'all', 'none'], default='unit')
    parser.add_argument('--files', action='append', default=[])
    parser.add_argument('--missing', action='append', default=[])
    parser.add_argument('--least', action='store_true')
    parser.add_argument('top')
    parser.add_argument('build')
    options = parser.parse_args()
    top = os.path.realpath(options.top)
    build = prepare(top, os.path.realpath(options.build))
    if options.tests != 'none':
        run_tests(top, build, options.tests)
    files = read_counts(top, build)
    if not files:
        sys.exit(f'coverage: nothing was counted in {build}')
    memory = {path: only_without_memory(open(os.path.join(top, path)).read())
              for path in files if os.path.exists(os.path.join(top, path))}
    if options.missing:
        for path in options.missing:
            show_missing(top, path, files[path], memory[path])
        return
    rows, common, readers = collections.defaultdict(Sum), Sum(), Sum()
    for path, skipped in sorted(memory.items()):
        folder = os.path.dirname(path)
        rows[folder].add(files[path], skipped)
        if any(folder == f or folder.startswith(f + '/') for f in options.files):
            rows[path].add(files[path], skipped)
        if path.startswith('common/'):
            common.add(files[path], skipped)
        if any(folder == f or folder.startswith(f + '/') for f in READERS):
            readers.add(files[path], skipped)
    print(f'{"folder":34} {"lines that ran":>25}   {"branches that were taken":>25} no memory')
    for name in sorted(rows):
        print(rows[name].row(name))
    print(common.row('common/'))
    print(readers.row('decoders and parsers')
          + f'  ({100 * readers.taken / max(1, readers.branches + readers.memory):.1f} % of all)')
    if options.least and (common.line_share() < LINES_WANTED
                          or readers.branch_share() < BRANCHES_WANTED):
        sys.exit(1)


main()
