#!/usr/bin/env python3
"""Compare histories with what really happened in a case of the corpus.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: history.py CONVERTER GDB FOLDER EXPRESSION...

An EXPRESSION is one of memory that needs no registers, of a form that GDB can take the address of.
EXPRESSION@@POINTER@@OFFSET is so many bytes behind what POINTER points to.  Or it is a register,
"$r4".  It prints a line for each: "EXPRESSION: writes=N listed=N wrong=N missing=N unknown=N" and the first that are
wrong.  Missing are stores that are not listed, beyond the stores of which the history says that
they may have been there; unknown are listed values that are not known.
"""
import json
import lzma
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import truth


def ask_gdb(gdb, elf, expressions):
    """The numbers that EXPRESSIONS are, by the file alone."""
    command = [gdb, '-q', '-nx', '-batch', elf]
    for expression in expressions:
        command += ['-ex', 'printf "=%%llu\\n", (unsigned long long) (%s)' % expression]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    found = [int(n) for n in re.findall(r'^=(\d+)$', text, re.M)]
    if len(found) != len(expressions):
        sys.exit('GDB: %s' % text)
    return found


class Memory:
    def __init__(self, case):
        self.base, self.size = case.ram_base, 0
        self.ram = bytearray(lzma.open(os.path.join(case.folder, case.source['truth_ram0'])).read())
        data = lzma.open(os.path.join(case.folder, case.source['truth_mem'])).read()
        _, _, size, count, _, _ = case.HEADER.unpack_from(data)
        self.writes = [w for w in case.WRITE.iter_unpack(
            data[case.HEADER.size:case.HEADER.size + size * count])]

    def read(self, address, size):
        at = address - self.base
        return int.from_bytes(self.ram[at:at + size], 'little') if 0 <= at <= len(self.ram) - size else None

    def write(self, address, size, value):
        at = address - self.base
        if 0 <= at <= len(self.ram) - size:
            self.ram[at:at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, 'little')


def follow(memory, chain):
    """The pieces of memory that are read, and the value.  CHAIN: address, (offset, size)..."""
    at, pieces, value = chain[0], [], None
    for offset, size in chain[1:]:
        pieces.append((at + offset, size))
        value = at = memory.read(at + offset, size)
        if value is None:
            break
    return pieces, value


def true_history(case, chain):
    """Step to (value before, value after), of all that stores where it is read."""
    memory, found = Memory(case), {}
    numbers = {record: number for number, record in enumerate(case.records)}
    for index, size, kind, _, address, value in memory.writes:
        pieces, before = follow(memory, chain)
        hit = any(address < a + n and a < address + size for a, n in pieces)
        memory.write(address, size, value)
        step = numbers.get(index if kind == 0 else index - 1)
        if hit and step is not None:
            found[step] = (found[step][0] if step in found else before, follow(memory, chain)[1])
    return found


def judge_register(case, entry, name):
    wrong, known = [], 0
    for change in entry['changes']:
        if 'old' in change and change['new'] is not None and change['step'] + 1 < case.count:
            known += 1
            right = case.steps[change['step'] + 1].registers[name]
            if change['new'] & (1 << case.width) - 1 != right:
                wrong.append('step %d: %d, not %d' % (change['step'], change['new'], right))
    return known, wrong


def main():
    converter, gdb, folder, *expressions = sys.argv[1:]
    case = truth.read(folder)
    elf = os.path.join(folder, 'program.elf')
    command = [converter, '-q', '--json', '--elf=' + elf, '-o', '-']
    run = subprocess.run(command + ['--history=' + e.split('@@')[0] for e in expressions] + [folder], check=True,
                         stdout=subprocess.PIPE, text=True)
    for expression, entry in zip(expressions, json.loads(run.stdout)['histories']):
        if expression[0] == '$':
            known, wrong = judge_register(case, entry, expression[1:])
            print('%s: changes=%d wrong=%d' % (expression, known, len(wrong)), *wrong[:4])
            continue
        # EXPRESSION@@POINTER@@OFFSET
        text, *pointer = expression.split('@@')
        if pointer:
            values = ask_gdb(gdb, elf, ['(unsigned long) &(%s)' % pointer[0], 'sizeof (%s)' % pointer[0],
                                        'sizeof (%s)' % text])
            chain = values[0], (0, values[1]), (int(pointer[1]), values[2])
        else:
            at, size = ask_gdb(gdb, elf, ['(unsigned long) &(%s)' % text, 'sizeof (%s)' % text])
            chain = at, (0, size)
        mask = (1 << 8 * chain[-1][1]) - 1
        right, wrong, unknown, listed = true_history(case, chain), [], 0, set()
        for change in entry['changes']:
            if 'old' not in change:
                continue
            step = change['step']
            if change['tier'] == 'perhaps' and step not in right:
                continue
            listed.add(step)
            for key, value in zip(('old', 'new'), right.get(step, (-1, -1))):
                shown = change[key]
                unknown += shown is None
                if value is not None and shown is not None and shown & mask != value:
                    wrong.append('step %d: %s %d, truth %s' % (step, key, shown, value))
                elif value == -1:
                    wrong.append('step %d stores nothing there' % step)
        absent = sorted(set(right) - listed)
        missing = max(0, len(absent) - entry['unknown_stores'] - entry['unknown_steps'])
        print('%s: writes=%d listed=%d wrong=%d missing=%d unknown=%d'
              % (expression, len(right), len(listed), len(wrong), missing, unknown), *wrong[:4],
              *(absent[:4] if missing else []))


main()
