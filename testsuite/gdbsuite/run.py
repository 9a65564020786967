#!/usr/bin/env python3
"""Run GDB's own test suite against tracebridge-gdbstub.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: run.py [--target=NAME] [--newlib=ROOT] [--gdb=GDB] [--keep=FOLDER] SOURCE STUB [FILE.exp | FOLDER]...

SOURCE is the folder gdb/testsuite of GDB's sources; STUB the program tracebridge-gdbstub.  The files
are those of gdb.reverse unless some are named.  See README.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from targets import TARGETS                                     # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = ('PASS', 'FAIL', 'XFAIL', 'KFAIL', 'UNTESTED', 'UNRESOLVED', 'UNSUPPORTED', 'XPASS', 'KPASS', 'ERROR')


def prepare(folder, source, newlib, target):
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
    compiler = [target.tools + 'gcc', *target.flags]
    multi = subprocess.run([*compiler, '-print-multi-directory'],
                           check=True, capture_output=True, text=True).stdout.strip()
    headers = os.path.join(newlib, 'usr/include/newlib')
    library = folder if target.library else \
        os.path.join(newlib, 'usr/lib/arm-none-eabi/newlib', multi)
    flags = target.flags + ['-isystem', headers]
    own = [('startup.c', 'startup.o')] + ([(target.library, 'library.o')] if target.library else [])
    for name, made in own:
        subprocess.run([*compiler, '-isystem', headers, '-O1', '-ffreestanding', '-c',
                        os.path.join(HERE, name), '-o', os.path.join(folder, made)], check=True)
    if target.library:
        for name, parts in ('libc_nano.a', ['library.o']), ('libm.a', []):
            subprocess.run([target.tools + 'ar', 'rc', name, *parts], cwd=folder, check=True)
    for needed in os.path.join(headers, 'stdio.h'), os.path.join(library, 'libc_nano.a'):
        if not os.path.exists(needed):
            sys.exit('run.py: %s: expected the C library newlib (Debian: libnewlib-arm-none-eabi)' % needed)
    link = ['-nostdlib', '-static', '-L' + folder, '-L' + library, '-Wl,--no-warn-rwx-segments',
            '-Wl,--defsym=code_base=0x%x,--defsym=ram_base=0x%x' % (target.machine.code, target.machine.ram),
            '-T', os.path.join(HERE, 'link.ld')]
    # The suite asks a compiler of its own name of the target which one it is.
    os.mkdir(os.path.join(folder, 'bin'))
    os.symlink(shutil.which(target.tools + 'gcc'), os.path.join(folder, 'bin', target.triplet + '-gcc'))
    return suite, ' '.join(flags), ' '.join(link)


def read_reasons(target):
    """(expression, reason) of the list of why tests cannot pass on TARGET."""
    with open(os.path.join(HERE, 'reasons')) as file:
        lines = [line.rstrip('\n').split('\t') for line in file if not line.startswith('#')]
    return [(re.compile(expression), reason) for expression, reason, *targets in lines
            if not targets or target in targets[0].split()]


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


def print_table(target, rows, failed, not_run):
    """How many failures have no reason."""
    reasons, why, unexplained = read_reasons(target), {}, 0
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
    parser.add_argument('--target', default='m33', choices=sorted(TARGETS))
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
        target = TARGETS[arguments.target]
        suite, flags, link = prepare(folder, source, os.path.abspath(arguments.newlib), target)
        output = os.path.join(folder, 'out')
        os.makedirs(output)
        with open(os.path.join(output, 'site.exp'), 'w') as file:
            file.write('set srcdir "%s"\nset testsuitedir $srcdir\nset objdir "%s"\nset tool gdb\nset host_triplet x86_64-pc-linux-gnu\n'
                       'set build_triplet x86_64-pc-linux-gnu\nset target_triplet %s\n'
                       'set target_alias %s\nset boards_dir "%s/boards"\nset GDB %s\n'
                       % (suite, output, target.triplet, target.triplet, suite, arguments.gdb))
        files = []
        for name in arguments.files or ['gdb.reverse']:
            if name.endswith('.exp'):
                files.append(name)
            else:
                files += sorted(os.path.join(name, f) for f in os.listdir(os.path.join(source, name))
                                if f.endswith('.exp'))
        environment = dict(os.environ, PATH='%s:%s' % (os.path.join(folder, 'bin'), os.environ['PATH']),
                           TB_SUITE_FLAGS=flags, TB_SUITE_LINK=link, LC_ALL='C',
                           TB_SUITE_RECORD='%s --target=%s' % (os.path.join(HERE, 'record.py'), arguments.target),
                           TB_SUITE_COMPILER=target.tools + 'gcc', TB_SUITE_FRAME=target.frame,
                           TB_SUITE_STUB=' '.join([stub, '--listen=stdio', '--quiet', *target.stub]))
        with open(os.path.join(folder, 'said'), 'w') as said:
            subprocess.run(['runtest', '--tool', 'gdb', '--target_board=tracebridge', 'GDB=' + arguments.gdb]
                           + files, cwd=output, env=environment, stdout=said, stderr=subprocess.STDOUT)
        rows = {}
        failed, not_run = read_results(output, rows)
        unexplained = print_table(arguments.target, rows, failed, not_run)
        if not any('PASS' in row for row in rows.values()):
            print('No test passed: see %s' % said.name)
            return 1
        return 1 if unexplained else 0


if __name__ == '__main__':
    sys.exit(main())
