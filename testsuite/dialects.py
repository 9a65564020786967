"""Rewrite a Tarmac log in another dialect: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: dialects.py es|bus|fp LOG OUT

es:  as cycle models write it: ES lines without serial numbers, LD and ST lines of 16
     bytes, registers without times, EXC for exceptions.
bus: as LOG, with a bus line behind each line of memory that says the same.
fp:  as LOG, with lines of FP registers behind instructions, which say nothing of the rest.

Lines that tracebridge alone writes stay as they are.
"""

import re
import sys

STEP = re.compile(r'^\s*(\d+ \w+ )(cpu\d+ )?(I[TS]) \(([^)]*)\) ([0-9a-f]+)\S*\s+'
                  r'([0-9a-f]{4} [0-9a-f]{4}|[0-9a-f]+) +(T16|T32|[OAT]) ?(.*)$')
RTL = re.compile(r'^\s*(\d+ \w+ )(cpu\d+ )?M[NS]([RW])(\d)____?([DIA]?)\S* +([0-9a-f]+) +([0-9a-fx]+)')
MODEL = re.compile(r'^\s*(\d+ \w+ )(cpu\d+ )?M([RW])(\d+)X? +([0-9a-f]+)\S* +([0-9a-f_]+)')


def memory(line):
    """Is it a write, bytes, address, value; None for other lines."""
    m = RTL.match(line)
    if m:
        if m.group(5) not in ('D', ''):
            return None
        return (m.group(3) == 'W', int(m.group(4)), m.group(6), m.group(7))
    m = MODEL.match(line)
    if m:
        return (m.group(3) == 'W', int(m.group(4)), m.group(5), m.group(6).replace('_', ''))
    return None


def lanes(write, size, address, value):
    """The lines of 16 bytes that the access is in."""
    width, at = len(address), int(address, 16)
    text = value.rjust(2 * size, '0')[-2 * size:]
    shown = {}
    for i in range(size):
        byte = text[2 * (size - 1 - i):2 * (size - i)]
        shown[at + i] = '##' if 'x' in byte else byte
    lines = []
    for base in sorted({a & ~15 for a in shown}):
        words = []
        for word in (12, 8, 4, 0):
            words.append(''.join(shown.get(base + word + 3 - i, '..') for i in range(4)))
        lines.append('%s %0*x  %s   S:%010x NM ISH IWBRWA'
                     % ('ST' if write else 'LD', width, base, ' '.join(words), base))
    return lines


def to_es(line, out):
    m = STEP.match(line)
    if m:
        time, _, how, _, pc, opcode, state, rest = m.groups()
        isa = 'T' if state in ('T16', 'T32') else state
        mode = 'thrd'
        if state in ('O', 'A', 'T'):
            mode, _, rest = rest.partition(':')
        out.append('  %s ES  (%s:%s) %s %s: %s %s' % (
            time, pc, opcode.replace(' ', ''), isa, mode.strip() or 'any',
            'CCFAIL' if how == 'IS' else '', rest.strip()))
        return
    access = memory(line)
    if access:
        out.extend(' ' * 20 + text for text in lanes(*access))
        return
    m = re.match(r'^\s*\d+ \w+ (cpu\d+ )?R (\S+) (.*)$', line)
    if m:
        out.append('%sR %s %s' % (' ' * 20, m.group(2), m.group(3)))
        return
    m = re.match(r'^\s*(\d+ \w+ )(cpu\d+ )?E ([A-Za-z]\S*.*)$', line)
    out.append('%s ES EXC %s' % (m.group(1), m.group(3)) if m else line)


def to_bus(line, out):
    out.append(line)
    access = memory(line)
    if access and 'x' not in access[3]:
        write, size, address, value = access
        value = value.rjust(2 * size, '0')
        # The bus has words.
        for i in range(0, size, 4):
            n = min(size - i, 4)
            part = value[2 * (size - i - n):2 * (size - i)]
            out.append('%sBN%s%d___D %0*x %s' % (
                re.match(r'^\s*\d+ \w+ (cpu\d+ )?', line).group(0),
                'W' if write else 'R', n, len(address), int(address, 16) + i, part))


def to_fp(line, out, count):
    out.append(line)
    m = STEP.match(line)
    if m:
        head = m.group(1) + (m.group(2) or '')
        if m.group(7) == 'O':
            out.append('%sR V%d %016x_%016x' % (head, count % 32, count, 7 * count))
        else:
            out.append('%sR %s%d %0*x' % (head, *(('s', count % 32, 8) if count % 2
                                                 else ('d', count % 16, 16)), count))


def main():
    dialect, source, target = sys.argv[1:]
    out = ['Tarmac Text Rev 3t'] if dialect == 'es' else []
    steps = 0
    with open(source) as file:
        for line in file:
            line = line.rstrip('\n')
            if dialect == 'es':
                to_es(line, out)
            elif dialect == 'bus':
                to_bus(line, out)
            else:
                steps += STEP.match(line) is not None
                to_fp(line, out, steps)
    with open(target, 'w') as file:
        file.write('\n'.join(out) + '\n')


main()
