#!/usr/bin/env python3
"""Compare histories of variables of functions with what a GDB shows before each step.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: locals.py CONVERTER STUB GDB FOLDER ELF FUNCTION::EXPRESSION...

GDB walks all steps as trace frames and evaluates EXPRESSION where FUNCTION runs.  A line for each
is printed: how many values were compared, how many of them are known, how many GDB knows alone (it
finds what callers passed), how many differ, and the first of these.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

INSIDE = r'''
import gdb, json
wanted, steps, output = json.load(open(%r))
found = {text: {} for text in wanted}
begins = {}
for text in wanted:
    name = text.partition('::')[0]
    low = int(gdb.parse_and_eval('(unsigned long) &' + name)) & ~1
    # In its first line a function is not yet set up.
    begins[name] = low, gdb.find_pc_line(low).last
for step, name in steps:
    gdb.execute('tfind %%d' %% step, to_string=True)
    pc = int(gdb.parse_and_eval('(unsigned long) $pc'))
    low, last = begins[name]
    if low <= pc <= last:
        continue
    for text in wanted:
        function, _, expression = text.partition('::')
        if function != name:
            continue
        try:
            value = gdb.parse_and_eval(expression)
            kind = value.type.strip_typedefs().code
            value = float(value) if kind == gdb.TYPE_CODE_FLT else int(value)
        except (gdb.error, gdb.MemoryError):
            value = None
        found[text][step] = value
json.dump(found, open(output, 'w'))
'''


def steps_of(converter, folder, elf, wanted):
    """(step, function) of the steps of the functions of WANTED."""
    names = {text.partition('::')[0] for text in wanted}
    listed = subprocess.run(['arm-none-eabi-nm', '-S', elf], stdout=subprocess.PIPE, text=True, check=True).stdout
    ranges = [(int(w[0], 16) & ~1, (int(w[0], 16) & ~1) + int(w[1], 16), w[3])
              for w in map(str.split, listed.splitlines()) if len(w) == 4 and w[3] in names]
    changes = subprocess.run([converter, '-q', '--changes', '-o', '-', folder], stdout=subprocess.PIPE,
                             text=True, check=True).stdout
    pcs = [line.split()[:2] for line in changes.splitlines() if not line.startswith('#')]
    return [(int(step), name) for step, pc in pcs for low, high, name in ranges if low <= int(pc, 16) < high]


def shown(folder, elf, stub, gdb, wanted, steps):
    """What GDB shows: EXPRESSION to step to value, None where there is none."""
    with tempfile.TemporaryDirectory() as scratch:
        task, output, inside = (os.path.join(scratch, n) for n in ('task', 'output', 'inside.py'))
        with open(task, 'w') as file:
            json.dump((wanted, steps, output), file)
        with open(inside, 'w') as file:
            file.write(INSIDE % task)
        run = subprocess.run([gdb, '-q', '-nx', '-batch', '-ex', 'set debuginfod enabled off',
                              '-ex', 'set remotetimeout 60',
                              # GDB 13 keeps lines of the stack that are known in part as unknown.
                              '-ex', 'set stack-cache off', elf, '-ex',
                              'target remote | exec %s --listen=stdio -q --elf=%s %s' % (stub, elf, folder),
                              '-ex', 'source ' + inside],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        if not os.path.exists(output):
            sys.exit('GDB: ' + run.stdout[-1000:])
        with open(output) as file:
            return {text: {int(step): value for step, value in steps.items()}
                    for text, steps in json.load(file).items()}


def told(changes):
    """(step, value) of CHANGES: what the value is from that step on."""
    return sorted((c['step'] + ('old' in c), c['new']) for c in changes)


def same(a, b):
    """A is GDB's, B has as few digits as are needed."""
    if not isinstance(a, float) or b is None:
        return a == b
    return math.isnan(a) and math.isnan(b) or a == b or a == struct.unpack('<f', struct.pack('<f', b))[0]


def main():
    converter, stub, gdb, folder, elf, *wanted = sys.argv[1:]
    options = ['--history=' + text for text in wanted]
    run = subprocess.run([converter, '-q', '--json', '--elf=' + elf, *options, '-o', '-', folder],
                         stdout=subprocess.PIPE, text=True, check=True)
    histories = {h['expression']: told(h['changes']) for h in json.loads(run.stdout)['histories']}
    for text, steps in shown(folder, elf, stub, gdb, wanted,
                             steps_of(converter, folder, elf, wanted)).items():
        changes, at, now, wrong, compared, known, less = histories[text], 0, 'nothing', [], 0, 0, 0
        for step in sorted(steps):
            while at < len(changes) and changes[at][0] <= step:
                now = changes[at][1]
                at += 1
            if now == 'nothing':
                continue
            if isinstance(now, str):
                now = float(now)
            compared += 1
            known += now is not None
            if now is None:
                less += steps[step] is not None
            elif not same(steps[step], now):
                wrong.append('%d: %r, GDB %r' % (step, now, steps[step]))
        print('%s: compared=%d known=%d less=%d wrong=%d; %s'
              % (text, compared, known, less, len(wrong), '; '.join(wrong[:3])))


main()
