#!/usr/bin/env python3
"""Run GDB's own test suite against tracebridge-gdbstub.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: run.py [--newlib=ROOT] [--gdb=GDB] [--keep=FOLDER] SOURCE STUB [FILE.exp | FOLDER]...

SOURCE is the folder gdb/testsuite of GDB's sources; STUB the program tracebridge-gdbstub.  The files
are those of gdb.reverse unless some are named.  See README.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
CORE = ['-mcpu=cortex-m33+nofp', '-mthumb']
CODE, RAM = 0x10000000, 0x80000000
RESULTS = ('PASS', 'FAIL', 'XFAIL', 'KFAIL', 'UNTESTED', 'UNRESOLVED', 'UNSUPPORTED', 'XPASS', 'KPASS', 'ERROR')


def prepare(folder, source, newlib):
    """A suite that is SOURCE's with our board in FOLDER, and how its programs are made."""
    suite = os.path.join(folder, 'gdb', 'testsuite')
    ours = [os.path.join('config', 'tracebridge.exp'), os.path.join('boards', 'tracebridge.exp'),
            os.path.join('gdb.trace', 'trace-common.h')]
    for name in ours:
        os.makedirs(os.path.join(suite, os.path.dirname(name)))
        os.symlink(os.path.join(HERE, name), os.path.join(suite, name))
    for name in os.listdir(source):
        if not os.path.exists(os.path.join(suite, name)):
            os.symlink(os.path.join(source, name), os.path.join(suite, name))
    for name in os.listdir(os.path.join(source, 'gdb.trace')):
        if not os.path.exists(os.path.join(suite, 'gdb.trace', name)):
            os.symlink(os.path.join(source, 'gdb.trace', name), os.path.join(suite, 'gdb.trace', name))
    # Some tests read constants of DWARF out of it.
    os.symlink(os.path.join(source, '..', '..', 'include'), os.path.join(folder, 'include'))
    multi = subprocess.run(['arm-none-eabi-gcc', *CORE, '-print-multi-directory'],
                           check=True, capture_output=True, text=True).stdout.strip()
    headers = os.path.join(newlib, 'usr/include/newlib')
    library = os.path.join(newlib, 'usr/lib/arm-none-eabi/newlib', multi)
    for needed in os.path.join(headers, 'stdio.h'), os.path.join(library, 'libc_nano.a'):
        if not os.path.exists(needed):
            sys.exit('run.py: %s: expected the C library newlib (Debian: libnewlib-arm-none-eabi)' % needed)
    flags = CORE + ['-isystem', headers]
    subprocess.run(['arm-none-eabi-gcc', *flags, '-O1', '-c', os.path.join(HERE, 'startup.c'),
                    '-o', os.path.join(folder, 'startup.o')], check=True)
    link = ['-nostdlib', '-static', '-L' + folder, '-L' + library, '-Wl,--no-warn-rwx-segments',
            '-Wl,--defsym=code_base=0x%x,--defsym=ram_base=0x%x' % (CODE, RAM),
            '-T', os.path.join(HERE, 'link.ld')]
    return suite, ' '.join(flags), ' '.join(link)


def read_reasons():
    """(expression, reason) of the list of why tests cannot pass."""
    with open(os.path.join(HERE, 'reasons')) as file:
        lines = [line.rstrip('\n').split('\t') for line in file if not line.startswith('#')]
    return [(re.compile(expression), reason) for expression, reason in lines]


def read_results(output, rows):
    """Count in ROWS[FILE] how often each result came; the tests that failed or broke off, and
    those that could not run, as (result, file, test)."""
    failed, not_run = [], []
    with open(os.path.join(output, 'gdb.sum'), errors='replace') as file:
        for line in file:
            found = re.match(r'([A-Z]+): (?:(\S+\.exp): )?(.*)', line)
            if not found or found.group(1) not in RESULTS:
                continue
            result, name, text = found.groups()
            # What is of no test: a file that broke off, the board.
            name = name or '(no test)'
            row = rows.setdefault(name, {})
            row[result] = row.get(result, 0) + 1
            if result in ('FAIL', 'UNRESOLVED', 'ERROR'):
                failed.append((result, name, text))
            elif result in ('UNTESTED', 'UNSUPPORTED'):
                not_run.append((result, name, text))
    return failed, not_run


def print_table(rows, failed, not_run):
    """How many failures have no reason."""
    reasons, why, unexplained = read_reasons(), {}, 0
    for name, row in sorted(rows.items()):
        print('%-48s %s' % (name, ' '.join('%d %s' % (row[r], r.lower()) for r in RESULTS if r in row)))
    for result, name, text in failed:
        said = '%s: %s' % (name, text)
        reason = next((reason for expression, reason in reasons if expression.search(said)), None)
        if reason:
            why[reason] = why.get(reason, 0) + 1
        else:
            unexplained += 1
            print('%s: %s' % (result, said))
    for result, name, text in not_run:
        print('%s: %s: %s' % (result.lower(), name, text))
    for reason, count in sorted(why.items()):
        print('%4d failed: %s' % (count, reason))
    total = {r: sum(row.get(r, 0) for row in rows.values()) for r in RESULTS}
    print('%d files: %s; %d failed without a reason' % (
        len(rows), ', '.join('%d %s' % (n, r.lower()) for r, n in total.items() if n), unexplained))
    return unexplained


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition('usage: ')[2])
    parser.add_argument('--newlib', default='/')
    parser.add_argument('--gdb', default='gdb-multiarch')
    parser.add_argument('--keep')
    parser.add_argument('source')
    parser.add_argument('stub')
    parser.add_argument('files', nargs='*')
    arguments = parser.parse_args()
    source, stub = os.path.abspath(arguments.source), os.path.abspath(arguments.stub)
    with tempfile.TemporaryDirectory(prefix='gdbsuite-') as scratch:
        folder = os.path.abspath(arguments.keep or scratch)
        os.makedirs(folder, exist_ok=True)
        suite, flags, link = prepare(folder, source, os.path.abspath(arguments.newlib))
        output = os.path.join(folder, 'out')
        os.makedirs(output)
        with open(os.path.join(output, 'site.exp'), 'w') as file:
            file.write('set srcdir "%s"\nset testsuitedir $srcdir\nset objdir "%s"\nset tool gdb\nset host_triplet x86_64-pc-linux-gnu\n'
                       'set build_triplet x86_64-pc-linux-gnu\nset target_triplet arm-none-eabi\n'
                       'set target_alias arm-none-eabi\nset boards_dir "%s/boards"\nset GDB %s\n'
                       % (suite, output, suite, arguments.gdb))
        files = []
        for name in arguments.files or ['gdb.reverse']:
            if name.endswith('.exp'):
                files.append(name)
            else:
                files += sorted(os.path.join(name, f) for f in os.listdir(os.path.join(source, name))
                                if f.endswith('.exp'))
        environment = dict(os.environ, TB_SUITE_FLAGS=flags, TB_SUITE_LINK=link, LC_ALL='C',
                           TB_SUITE_RECORD=os.path.join(HERE, 'record.py'),
                           TB_SUITE_STUB='%s --listen=stdio --quiet --start=reset' % stub)
        with open(os.path.join(folder, 'said'), 'w') as said:
            subprocess.run(['runtest', '--tool', 'gdb', '--target_board=tracebridge', 'GDB=' + arguments.gdb]
                           + files, cwd=output, env=environment, stdout=said, stderr=subprocess.STDOUT)
        rows = {}
        failed, not_run = read_results(output, rows)
        unexplained = print_table(rows, failed, not_run)
        if not any('PASS' in row for row in rows.values()):
            print('No test passed: see %s' % said.name)
            return 1
        return 1 if unexplained else 0


if __name__ == '__main__':
    sys.exit(main())
