#!/usr/bin/env python3
# Where watchpoints stop, in both directions, against the accesses that the program made: its
# loads and stores as GDB disassembles them, with the registers that they really had.  See
# rsp.py for what it prints; besides "example ADDRESS SIZE STEP...", the steps that read an
# address.
#
#   watches.py STUB GDB ELF FOLDER
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import rsp
import truth
from rsp import report

ADDRESSES = 4   # How many are watched.


def disassemble(gdb, elf, pcs):
    """PC to the words of its instruction."""
    commands = ''.join('x/i 0x%x\n' % pc for pc in pcs)
    text = subprocess.run([gdb, '-q', '-nx', elf], input='set height 0\nset width 0\n' + commands, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    found = {}
    for match in re.finditer(r' 0x([0-9a-f]+)[^:\n]*:\t([^\t\n]+)\t?([^\n;@]*)', text):
        found[int(match.group(1), 16)] = match.group(2), match.group(3).split('\t')[0].strip()
    return found


def value(registers, name):
    """A register's value, by what a disassembler calls it."""
    aliases = {'r13': 'sp', 'r14': 'lr', 'ip': 'r12', 'fp': 'r11', 'sl': 'r10', 'sb': 'r9', 'wzr': None, 'xzr': None}
    name = aliases.get(name, name)
    if name is None:
        return 0
    if name in registers:
        return registers[name]
    if name[0] == 'w' and 'x' + name[1:] in registers:
        return registers['x' + name[1:]] & 0xffffffff
    return None


def address_of(operand, registers, mask):
    """The address that "[base, index, shift]" names, before or after "!"; None: of code."""
    match = re.search(r'\[([^\]]*)\]', operand)
    if match is None:
        return None
    base, *rest = [part.strip() for part in match.group(1).split(',')]
    at = value(registers, base)
    if at is None:
        return None
    if rest and rest[0].startswith('#'):
        at += int(rest[0][1:], 0)
    elif rest:
        sign = -1 if rest[0].startswith('-') else 1
        index = value(registers, rest[0].lstrip('-'))
        how = rest[1] if len(rest) > 1 else ''
        shift = int(how.split('#')[1], 0) if '#' in how else 0
        if how.startswith('sxtw') and index & 0x80000000:
            index -= 1 << 32
        at += sign * (index >> shift if how.startswith('lsr') else index << shift)
    return at & mask


def accesses(words, registers, width):
    """(address, size, is a load) of each access of an instruction."""
    mask = (1 << width) - 1
    name, operands = words
    name = name.split('.')[0]
    load = name.startswith(('ldr', 'ldm', 'pop', 'ldp', 'ldu', 'lda', 'tb'))
    if not load and not name.startswith(('str', 'stm', 'push', 'stp', 'stu', 'stl')):
        return []
    if width == 32 and ('{' in operands):
        # Several registers.
        count = 0
        for part in re.search(r'{([^}]*)}', operands).group(1).split(','):
            first, _, last = part.strip().partition('-')
            count += int(last[1:]) - int(first[1:]) + 1 if last else 1
        base = 'sp' if name.startswith(('push', 'pop')) else operands.split(',')[0].rstrip('! ')
        at = value(registers, base)
        if name.startswith(('push', 'stmdb', 'ldmdb', 'stmfd')):
            at -= 4 * count
        return [((at + 4 * i) & mask, 4, load) for i in range(count)]
    at = address_of(operands, registers, mask)
    if at is None:
        return []
    registers_named = operands.split('[')[0].replace(' ', '').rstrip(',').split(',')
    if width == 64 and name.startswith(('ldp', 'stp')):
        size = 4 if registers_named[0][0] == 'w' or name == 'ldpsw' else 8
        return [(at, size, load), (at + size, size, load)]
    if width == 32 and re.match(r'(ldr|str)d', name):
        return [(at, 4, load), (at + 4, 4, load)]
    if name.startswith('tb'):
        return [(at, 1 if name == 'tbb' else 2, True)]
    kind = re.match(r'(?:ldr|str|ldur|stur)(s?[bhw]?)', name).group(1)
    size = {'b': 1, 'h': 2, 'w': 4}.get(kind[-1:], 4 if width == 32 or registers_named[0][0] == 'w' else 8)
    return [(at, size, load)]


def all_accesses(case, code):
    """Address of each byte of RAM to the steps that read and write it, but the stack's."""
    lowest_stack = min(step.registers['sp'] for step in case.steps if step.registers['sp'] > case.ram_base)
    reads, writes = {}, {}
    for number, step in enumerate(case.steps[:case.count]):
        words = code.get(step.pc)
        if words is None or not step.passed:
            continue
        for at, size, load in accesses(words, step.registers, case.width):
            if case.ram_base <= at < lowest_stack:
                for byte in range(at, at + size):
                    (reads if load else writes).setdefault(byte, []).append(number)
    return reads, writes


def walk(client, packet, last):
    """The steps of the accesses where execution stops, and how many unknown accesses were
    passed over."""
    client.console = b''
    stops = []
    while len(stops) < 1000:
        reply = client.ask(packet)
        step = int(client.ask('qTV:1')[1:], 16)
        if 'watch:' in reply:
            # Before the access is made, or unmade; without a value on either side, after it.
            stops.append(step - 1 if packet == 'bc' else step)
        elif reply.startswith('T00'):
            stops.append(step if packet == 'bc' else step - 1)
        else:
            break
    passed = sum(int(count) for count in re.findall(rb'On the way (\d+) ', client.console))
    return stops, passed


def main(stub, gdb, elf, folder):
    case = truth.read(folder)
    name = os.path.basename(folder)
    code = disassemble(gdb, elf, sorted({step.pc for step in case.steps}))
    reads, writes = all_accesses(case, code)
    # Addresses of which there is something to say, from all over the RAM.
    several = [at for at in sorted(reads) if at % 4 == 0 and 2 <= len(set(reads[at])) <= 300 and at in writes]
    several = several[::max(1, len(several) // ADDRESSES)][:ADDRESSES]
    report('%s, there is something to watch' % name, several)
    if isinstance(case, truth.Case):
        wrong = ['%x' % at for at in several if sorted(set(writes[at])) != case.writes(at)]
        report('%s, its stores are those that were recorded' % name, not wrong, wrong)
    server = rsp.Server(stub, folder)
    client = rsp.Client(server.port())
    best = None
    for at in several:
        for kind, letter in (('watch', 2), ('rwatch', 3), ('awatch', 4)):
            want = set()
            for byte in range(at, at + 4):
                want |= set(writes.get(byte, []) if kind != 'rwatch' else [])
                want |= set(reads.get(byte, []) if kind != 'watch' else [])
            want = sorted(want)
            client.ask('Z%d,%x,4' % (letter, at))
            for packet, place in (('bc', 'end'), ('c', 'start')):
                client.monitor('goto ' + place)
                stops, passed = walk(client, packet, case.count)
                if packet == 'bc':
                    stops.reverse()
                false = [step for step in stops if step not in want]
                missing = [step for step in want if step not in stops]
                report('%s, %s %x by %s, %d of %d' % (name, kind, at, packet, len(stops), len(want)),
                       not false and len(missing) <= passed and stops == sorted(set(stops)) and stops,
                       'false %s, missing %s, unknown %d' % (false[:5], missing[:5], passed))
                if kind == 'rwatch' and not passed and (best is None or len(want) < len(best[1])):
                    best = at, want
            client.ask('z%d,%x,4' % (letter, at))
    client.close()
    server.stop()
    if best:
        print('example %x 4 %s' % (best[0], ' '.join(map(str, best[1]))))
    sys.exit(rsp.failed != 0)


main(*sys.argv[1:])
