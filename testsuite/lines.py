#!/usr/bin/env python3
"""Lines of source, as GDB has them, next to ours: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: lines.py at GDB COMPARE ELF          the line of each address of code: ours
                                            (COMPARE is compare-expression), and "info line"
       lines.py names GDB COMPARE ELF       the name of the function at each address of code
       lines.py places GDB COMPARE ELF SOURCE  where each line of SOURCE is for a tracepoint,
                                            and for a breakpoint of GDB
       lines.py ran GDB ELF INFO FOLDER     which lines ran, and how often at most or at
                                            least, by GDB's line tables and what really ran,
                                            against INFO of --format=lcov

FOLDER is as in truth.py.  Each prints counts, and the first differences.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import truth


def gdb(program, elf, commands):
    with tempfile.NamedTemporaryFile('w') as script:
        script.write(''.join(command + '\n' for command in commands))
        script.flush()
        return subprocess.run([program, '-nx', '-q', '-batch', '-iex', 'set pagination off',
                               '-iex', 'set width 0', '-x', script.name, elf], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True).stdout


def functions(elf):
    """Address and length of each, by readelf."""
    text = subprocess.run(['readelf', '-sW', elf], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout
    for line in text.split('\n'):
        words = line.split()
        if len(words) > 3 and words[3] == 'FUNC':
            yield int(words[1], 16) & ~1, int(words[2], 0)


def report(wrong, **counts):
    print(*('%s=%d' % item for item in counts.items()), 'wrong=%d' % len(wrong))
    for text in wrong[:8]:
        print('wrong: ' + text)


def compare_addresses(program, compare, elf):
    addresses = sorted({address + offset for address, length in functions(elf)
                        for offset in range(0, length, 2)})
    theirs = gdb(program, elf, ['info line *%#x' % address for address in addresses])
    theirs = [line for line in theirs.split('\n') if re.match('Line |No line|Address ', line)]
    ours = subprocess.run([compare, 'Cortex-M0', elf], check=True, stdout=subprocess.PIPE,
                          input=''.join('line %#x\n' % address for address in addresses),
                          universal_newlines=True).stdout.split('\n')[:-1]
    wrong, lines = [], set()
    if not len(theirs) == len(ours) == len(addresses):
        wrong.append('%d lines, GDB %d, for %d addresses' % (len(ours), len(theirs),
                                                             len(addresses)))
    for address, mine, other in zip(addresses, ours, theirs):
        match = re.match(r'Line (\d+) of "(.*)" ', other)
        want = '%s:%s' % (os.path.basename(match[2]), match[1]) if match else '?'
        mine = os.path.basename(mine)
        lines.add(want)
        if want != mine:
            wrong.append('%#x: %s, GDB %s' % (address, mine, want))
    report(wrong, addresses=len(addresses), lines=len(lines))


def compare_names(program, compare, elf):
    addresses = sorted({address + offset for address, length in functions(elf)
                        for offset in range(0, length, 2)})
    theirs = gdb(program, elf, ['info symbol %#x' % address for address in addresses])
    ours = subprocess.run([compare, 'Cortex-M0', elf], check=True, stdout=subprocess.PIPE,
                          input=''.join('function %#x\n' % address for address in addresses),
                          universal_newlines=True).stdout.split('\n')[:-1]
    theirs = re.findall(r'^(?:(.+?)(?: \+ \d+)? in section|No symbol).*$', theirs, re.M)
    wrong = []
    if not len(theirs) == len(ours) == len(addresses):
        wrong.append('%d names, GDB %d, for %d addresses' % (len(ours), len(theirs),
                                                             len(addresses)))
    for address, mine, want in zip(addresses, ours, theirs):
        # GDB leaves out numbers that a compiler adds.
        if mine != want and re.sub(r'\.\d+$', '', mine) != want:
            wrong.append('%#x: %s, GDB %s' % (address, mine, want))
    report(wrong, addresses=len(addresses), names=len(set(ours)))


def tables(program, elf):
    """Rows of GDB's line tables: address, file, line (0: an end), statement."""
    text = gdb(program, elf, ['maint expand-symtabs', 'maint info line-table'])
    rows, name, flag = [], None, 0
    for line in text.split('\n'):
        if line.startswith('symtab: '):
            name = os.path.basename(line[8:].split(' ((')[0])
        elif line.startswith('INDEX'):
            flag = line.index('IS-STMT')
        else:
            match = re.match(r'\d+ +(\d+|END) +(0x[0-9a-f]+)', line)
            if match:
                rows.append((int(match[2], 16), name, 0 if match[1] == 'END' else int(match[1]),
                             line[flag:flag + 1] == 'Y'))
    return rows


def statements(elf):
    """The file and the line of each row that is a statement, by readelf: GDB leaves out
    those whose place another file takes."""
    text = subprocess.run(['readelf', '--debug-dump=decodedline', '-W', elf], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True).stdout
    found = collections.defaultdict(set)
    for line in text.split('\n'):
        match = re.match(r'(?:\S*/)?(\S+) +(\d+) +(0x[0-9a-f]+|0)\b(.*)', line)
        if match and ' x' in match[4]:
            found[match[1], int(match[2])].add(int(match[3], 16))
    return found


def read_info(path):
    counts, name = {}, None
    for line in open(path):
        if line.startswith('SF:'):
            name = os.path.basename(line[3:].strip())
        elif line.startswith('DA:'):
            number, count = line[3:].split(',')
            counts[name, int(number)] = int(count)
    return counts


def compare_run(program, elf, info, folder):
    run = truth.read(folder)
    ran = collections.Counter(run.pcs())
    rows = tables(program, elf)
    ends = sorted({row[0] for row in rows})
    after = dict(zip(ends, ends[1:]))
    want = {}
    for address, name, line, statement in rows:
        if line == 0 or not statement:
            continue
        counts = want.setdefault((name, line), [])
        # An address has the code of its last row only.
        last = [row for row in rows if row[0] == address and row[2] != 0][-1]
        end = after.get(address, address + 2) if last[1:3] == (name, line) else address + 2
        counts.append(max(ran[pc] for pc in range(address, max(end, address + 2), 2)))
    ours = read_info(info)
    hidden = statements(elf)
    wrong = []
    for key, counts in sorted(want.items()):
        if key not in ours:
            wrong.append('%s:%d is not there' % key)
        elif not max(counts) <= ours[key] <= sum(counts):
            wrong.append('%s:%d ran %d times, expected %d to %d' % (*key, ours[key], max(counts),
                                                                   sum(counts)))
    extra = 0
    for key, count in sorted(ours.items()):
        if key in want:
            continue
        extra += 1
        counts = [ran[address] for address in hidden[key]]
        if not counts or not max(counts) <= count <= sum(counts):
            wrong.append('%s:%d is no statement, or ran %d times' % (*key, count))
    report(wrong, lines=len(ours), ran=sum(1 for count in ours.values() if count > 0),
           extra=extra)


def in_functions(source):
    """Of each line in a function, from its name in the first column to its end: the first."""
    first, lines = 0, {}
    for number, text in enumerate(open(source), 1):
        if re.match(r'\w+ \(.*\)$', text):
            first = number
        if first:
            lines[number] = first
        if text.startswith('}'):
            first = 0
    return lines


def compare_places(program, compare, elf, source):
    name = os.path.basename(source)
    numbers = range(1, len(open(source).readlines()) + 1)
    # A command that fails ends a script: each is an option.
    text = subprocess.run([program, '-nx', '-q', '-batch'] + [
        option for number in numbers for option in
        ('-ex', 'delete', '-ex', 'echo BREAK\\n', '-ex', 'break %s:%d' % (name, number),
         '-ex', 'info breakpoints')] + [elf], check=False, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True).stdout
    theirs = [sorted({int(at, 16) for at in re.findall('(0x[0-9a-f]+) in ', part)})
              for part in text.split('BREAK\n')[1:]]
    ours = subprocess.run([compare, 'Cortex-M0', elf], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, universal_newlines=True,
                          input=''.join('place %s:%d\n' % (name, number) for number in numbers))
    ours = [sorted(int(at, 16) for at in line.split()) for line in ours.stdout.split('\n')[:-1]]
    exact = {row[2] for row in tables(program, elf) if row[1] == name and row[3]}
    inside = in_functions(source)
    newer = 'No compiled code' in text
    wrong, next_lines, between = [], 0, 0
    if not len(theirs) == len(ours) == len(numbers):
        wrong.append('%d lines, GDB %d, of %d' % (len(ours), len(theirs), len(numbers)))
    for number, mine, want in zip(numbers, ours, theirs):
        after = min((line for line in exact if line >= number), default=0)
        if after == number:
            right = mine == want
        elif after and number in inside and inside[number] == inside.get(after):
            next_lines += 1
            # GDB 16 leaves out places in inline functions.
            right = mine == want or (newer and set(want) < set(mine))
        else:
            # GDB 13 goes on to the next function, and so does GDB 16 at times.
            between += 1
            right = mine == []
        if not right:
            wrong.append('%s:%d: %s, GDB %s' % (name, number, [hex(at) for at in mine],
                                               [hex(at) for at in want]))
    report(wrong, lines=len(numbers), exact=len(exact), next=next_lines, between=between)


def main():
    if sys.argv[1] == 'names':
        compare_names(*sys.argv[2:])
    elif sys.argv[1] == 'places':
        compare_places(*sys.argv[2:])
    elif sys.argv[1] == 'at':
        compare_addresses(*sys.argv[2:])
    else:
        compare_run(*sys.argv[2:])


if __name__ == '__main__':
    main()
