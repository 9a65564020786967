#!/usr/bin/env python3
"""Check that the opcodes of scenarios are the instructions that stand beside them.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: opcodes.py SCENARIO...     (see unit/state/scenario.h)

T32 and A32 are disassembled by arm-none-eabi-objdump; A64 is passed over, as no package
that the tests need has a disassembler of it.  Exit status 77 without objdump.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

OBJDUMP = 'arm-none-eabi-objdump'


def plain(text):
    """An instruction in one spelling: numbers as decimals, no widths, no targets."""
    text = re.sub(r'[;@].*|<.*|\{0\}', '', text).lower()
    words = text.split(None, 1)
    if not words:
        return ''
    name = re.sub(r'\.[nw]$', '', words[0])
    rest = words[1] if len(words) > 1 else ''
    if re.match(r'(b|bl|blx|cbn?z|b(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le))$', name) \
       and not re.match(r'r\d|lr|ip', rest):
        rest = ''
    if name.startswith('cb'):
        rest = rest.split(',')[0]
    rest = re.sub(r', #0\]', ']', rest)
    rest = re.sub(r'0x[0-9a-f]+', lambda m: str(int(m.group(0), 16)), rest)
    for number, other in ((9, 'sb'), (10, 'sl'), (11, 'fp'), (12, 'ip')):
        rest = re.sub(rf'\b{other}\b', f'r{number}', rest)
    return f'{name} ' + re.sub(r'\s', '', rest)


def same(got, said):
    """One instruction?  Alone it is not in the IT block that it is in beside others."""
    if got == said:
        return True
    name, _, rest = said.partition(' ')
    governed = re.match(r'(\w+?)(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)$', name)
    return governed is not None and got in (f'{governed.group(1)} {rest}',
                                            f'{governed.group(1)}s {rest}')


def disassemble(halfwords, thumb, machine):
    data = b''.join(int(h, 16).to_bytes(len(h) // 2, 'little') for h in halfwords)
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        text = subprocess.run([OBJDUMP, '-D', '-b', 'binary', '-m',
                               'armv8.1-m.main' if machine == 'v81m' else 'arm', '-M',
                               'force-thumb' if thumb else 'no-force-thumb', file.name],
                              stdout=subprocess.PIPE, check=True).stdout.decode()
    lines = re.findall(r'^ +[0-9a-f]+:\t[0-9a-f ]+\t(.*)$', text, re.M)
    return ' '.join(lines[:1])


def main(paths):
    if shutil.which(OBJDUMP) is None:
        print(f'no {OBJDUMP}')
        return 77
    wrong = checked = 0
    for path in paths:
        machine, code = '', False
        with open(path) as file:
            for number, line in enumerate(file, 1):
                if not line[:1].isspace() and not line.startswith(('#', '[')):
                    words = line.split()
                    code = words[:1] == ['code']
                    if words[:1] == ['machine']:
                        machine = words[1]
                found = re.match(r'\s+(?:\[[^]]*\]\s*)?(?:[\w-]+:\s*)?'
                                 r'((?:[0-9a-f]{8}|[0-9a-f]{4})(?:\s+[0-9a-f]{4})*)'
                                 r'\s+([a-z].*)$', line)
                if not code or machine == 'v8a' or found is None:
                    continue
                opcode, said = found.group(1).split(), found.group(2)
                got = disassemble(opcode, len(opcode[0]) == 4, machine)
                checked += 1
                if not same(plain(got), plain(said)):
                    wrong += 1
                    print(f'{path}:{number}: {" ".join(opcode)} is "{got}", not "{said}"',
                          file=sys.stderr)
    print(f'{checked} instructions checked, {wrong} wrong')
    return 1 if wrong or not checked else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
