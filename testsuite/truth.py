#!/usr/bin/env python3
"""What really happened in a recorded run: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: truth.py FOLDER count             steps in the trace
       truth.py FOLDER fnv               FNV-1a 64 of their PCs
       truth.py FOLDER state STEP...     registers before each step
       truth.py FOLDER memory STEP ADDRESS LENGTH   bytes before the step, hexadecimal
       truth.py FOLDER writers ADDRESS  steps whose stores change that byte
       truth.py FOLDER stacked          what exceptions changed: lines of step behind which,
                                        address, old and new value
       truth.py FOLDER stores N          the last N stores that changed something: lines of
                                        step, address, size, new value
       truth.py FOLDER popular LEAST MOST  an address that ran so often, and how often
       truth.py FOLDER visits ADDRESS [REGISTER=VALUE]  steps there, with that value
       truth.py FOLDER callers STEP...  lines of step and where the functions that are active
                                        there return to, the innermost first, as far as the
                                        trace has their calls and no exception lies between
       truth.py FOLDER pcs FIRST END    the PCs of these steps
       truth.py FOLDER spread N          N step numbers spread over the trace
       truth.py FOLDER halt STEP OUTPUT  write the snapshot of a halt before the step: no
                                         trace, registers and RAM as they were
       truth.py FOLDER check LISTING     compare a listing of --format=registers
       truth.py FOLDER log LOG           compare a log of --format=tarmac: addresses, opcodes,
                                         registers, what is loaded and stored (of a case)

FOLDER is a sample with truth.txt (see firmware/make-samples.py), or a case of the
corpus with truth.bin.xz (see its FORMAT.md).  A line of "state" is
"STEP pc=VALUE r0=VALUE ...": decimal step, hexadecimal values.  "check" prints
"steps=N wrong=N known=N pairs=N missing=N" and the first wrong values; "log" prints
"steps=N opcodes=N registers=N bytes=N wrong=N", how many are told and how many are wrong.
"""
import collections.abc
import json
import lzma
import os
import shutil
import struct
import sys

NAMES32 = ['r%d' % i for i in range(13)] + ['sp', 'lr']
NAMES64 = ['x%d' % i for i in range(31)] + ['sp']


class Step:
    """pc; registers: name to value, with xpsr, cpsr or pstate under "psr"; before: memory
    (address, old, new) that changed between the step before and this one; after: that
    this step's own stores changed; passed: its condition held; entered, returned: it is
    the first of an exception, or returns from one (of a case)."""

    def __init__(self, pc, registers, flags=1):
        self.pc, self.registers, self.before, self.after = pc, registers, [], []
        self.passed, self.entered, self.returned = (bool(flags & bit) for bit in (1, 4, 8))


class Sample:
    """A sample with truth.txt."""

    width = 32

    def __init__(self, folder):
        self.steps = []
        registers, pending = {}, []
        self.ram_base = 0x20000000
        with open(os.path.join(folder, 'ram.bin'), 'rb') as file:
            self.ram = bytearray(file.read())
        with open(os.path.join(folder, 'truth.txt')) as file:
            for line in file:
                word, *rest = line.split()
                if word in ('step', 'halt'):
                    values = rest[3:] if word == 'step' else rest
                    for item in values:
                        name, value = item.split('=')
                        registers['psr' if name == 'xpsr' else name] = int(value, 16)
                    pc = int(rest[1], 16) if word == 'step' else registers.pop('pc')
                    step = Step(pc, dict(registers))
                    step.before, pending = pending, []
                    self.steps.append(step)
                elif word in ('write', 'stack'):
                    address, size = int(rest[0], 16), int(rest[1])
                    old, new = (int(v, 16).to_bytes(size, 'little') for v in rest[2:])
                    change = (address, old, new)
                    if word == 'stack':
                        pending.append(change)
                    else:
                        self.steps[-1].after.append(change)
        self.count = len(self.steps) - 1        # The last is the state at the halt.
        self.gap = any(line.startswith('gap') for line in open(os.path.join(folder, 'truth.txt')))

    def pcs(self):
        """Of the steps in the trace."""
        return [step.pc for step in self.steps[:self.count]]

    def stores(self):
        for number, step in enumerate(self.steps[:self.count]):
            for address, old, new in step.after:
                if old != new:
                    yield number, address, len(new), int.from_bytes(new, 'little')

    def memory(self, number, address, length):
        """Backward from the halt."""
        ram = bytearray(self.ram)
        for at in range(len(self.steps) - 1, number - 1, -1):
            step = self.steps[at]
            changes = list(step.after)
            if at > number:
                changes = step.before + changes
            for where, old, _ in reversed(changes):
                ram[where - self.ram_base:where - self.ram_base + len(old)] = old
        return bytes(ram[address - self.ram_base:address - self.ram_base + length])

    def images(self, numbers):
        """All RAM before each of the steps NUMBERS, which ascend."""
        ram, at, found = bytearray(self.ram), len(self.steps), []
        for number in reversed(list(numbers)):
            while at > number:
                # What the exception before that step changed, then the stores of the one before.
                changes = self.steps[at].before if at < len(self.steps) else []
                at -= 1
                for where, old, _ in reversed(self.steps[at].after + changes):
                    ram[where - self.ram_base:where - self.ram_base + len(old)] = old
            found.append(bytes(ram))
        return reversed(found)


class Steps(collections.abc.Sequence):
    """The steps of a case, each made when it is first asked for: most questions are about few."""

    def __init__(self, layout, width, body, records):
        self.layout, self.width, self.body, self.records = layout, width, body, records
        self.names = NAMES32 if width == 32 else NAMES64
        self.made = [None] * len(records)

    def __len__(self):
        return len(self.made)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self.made)))]
        if self.made[at] is None:
            record = self.layout.unpack_from(self.body, self.records[at] * self.layout.size)
            registers = dict(zip(self.names, record[5:]))
            registers['psr'] = record[5 + len(self.names)]
            step = self.made[at] = Step(record[0], registers, record[3])
            step.opcode = '%0*x' % (2 * record[2], record[1])
        return self.made[at]


class Case:
    """A case of the corpus."""

    HEADER = struct.Struct('<8sIIQII')
    LAYOUT = {32: struct.Struct('<IIBBH15III'), 64: struct.Struct('<QIBBH31QQII')}
    WRITE = struct.Struct('<IBBHQQ')

    def __init__(self, folder):
        with open(os.path.join(folder, 'case.json')) as file:
            source = json.load(file)['sources'][0]
        self.folder, self.source = folder, source
        self.ram_base = int(source['ram_base'], 0)
        data = lzma.open(os.path.join(folder, source['truth'])).read()
        _, _, size, count, self.width, _ = self.HEADER.unpack_from(data)
        body = data[self.HEADER.size:self.HEADER.size + size * count]
        layout = self.LAYOUT[self.width]
        # Behind PC, opcode and its size.
        flags = body[self.width // 8 + 5::size]
        self.records = [number for number, flag in enumerate(flags) if flag & 128]
        self.steps = Steps(layout, self.width, body, self.records)
        self.count = len(self.steps)
        self.gap = len(source['windows']) > 1

    def pcs(self):
        """Of the steps in the trace."""
        size = self.LAYOUT[self.width].size
        first = struct.Struct('<%s%dx' % ('I' if self.width == 32 else 'Q', size - self.width // 8))
        pcs = [pc for pc, in first.iter_unpack(self.steps.body)]
        return [pcs[number] for number in self.records]

    def writes(self, address):
        """The steps whose stores write the byte, changed or not."""
        data = lzma.open(os.path.join(self.folder, self.source['truth_mem'])).read()
        _, _, size, count, _, _ = self.HEADER.unpack_from(data)
        numbers = {record: number for number, record in enumerate(self.records)}
        return sorted({numbers[index] for index, width, kind, _, where, _ in self.WRITE.iter_unpack(
            data[self.HEADER.size:self.HEADER.size + size * count])
            if kind == 0 and index in numbers and 0 <= address - where < width})

    def stores(self):
        ram = bytearray(lzma.open(os.path.join(self.folder, self.source['truth_ram0'])).read())
        data = lzma.open(os.path.join(self.folder, self.source['truth_mem'])).read()
        _, _, size, count, _, _ = self.HEADER.unpack_from(data)
        numbers = {record: number for number, record in enumerate(self.records)}
        for index, width, kind, _, where, value in self.WRITE.iter_unpack(
                data[self.HEADER.size:self.HEADER.size + size * count]):
            at = where - self.ram_base
            new = (value & (1 << 8 * width) - 1).to_bytes(width, 'little')
            if 0 <= at <= len(ram) - width and ram[at:at + width] != new:
                ram[at:at + width] = new
                if kind == 0 and index in numbers:
                    yield numbers[index], where, width, int.from_bytes(new, 'little')

    def memory(self, number, address, length):
        """Forward from the start."""
        ram = bytearray(lzma.open(os.path.join(self.folder, self.source['truth_ram0'])).read())
        data = lzma.open(os.path.join(self.folder, self.source['truth_mem'])).read()
        _, _, size, count, _, _ = self.HEADER.unpack_from(data)
        at = self.records[number]
        for index, width, kind, _, where, value in self.WRITE.iter_unpack(
                data[self.HEADER.size:self.HEADER.size + size * count]):
            if index > at or index == at and kind == 0:
                break
            where -= self.ram_base
            if 0 <= where <= len(ram) - width:
                ram[where:where + width] = (value & (1 << 8 * width) - 1).to_bytes(width, 'little')
        return bytes(ram[address - self.ram_base:address - self.ram_base + length])

    def images(self, numbers):
        """All RAM before each of the steps NUMBERS, which ascend."""
        ram = bytearray(lzma.open(os.path.join(self.folder, self.source['truth_ram0'])).read())
        data = lzma.open(os.path.join(self.folder, self.source['truth_mem'])).read()
        _, _, size, count, _, _ = self.HEADER.unpack_from(data)
        writes = self.WRITE.iter_unpack(data[self.HEADER.size:self.HEADER.size + size * count])
        write = next(writes, None)
        for number in numbers:
            at = self.records[number]
            while write is not None and (write[0] < at or write[0] == at and write[2] == 1):
                where = write[4] - self.ram_base
                if 0 <= where <= len(ram) - write[1]:
                    ram[where:where + write[1]] = \
                        (write[5] & (1 << 8 * write[1]) - 1).to_bytes(write[1], 'little')
                write = next(writes, None)
            yield bytes(ram)


def read(folder):
    if os.path.exists(os.path.join(folder, 'truth.txt')):
        return Sample(folder)
    return Case(folder)


def fnv(truth):
    value = 0xcbf29ce484222325
    for pc in truth.pcs():
        for byte in pc.to_bytes(8, 'little'):
            value = (value ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return '%016x' % value


def callers(truth):
    """For each step: where the active functions return to, as a linked list (address, SP at
    the call, the rest); an exception has address None."""
    link = 'lr' if truth.width == 32 else 'x30'
    active, all_of_them = None, []
    for step, after in zip(truth.steps, truth.steps[1:] + [None]):
        all_of_them.append(active)
        if after is None:
            break
        back = after.registers[link] & ~1 if truth.width == 32 else after.registers[link]
        entered = after.entered or after.before
        if step.returned or not entered and step.registers['psr'] & 0x1ff and not after.registers['psr'] & 0x1ff:
            while active is not None and active[0] is not None:
                active = active[2]
            active = active[2] if active is not None else None
        # Perhaps the exception came right behind a return.
        if active is not None and after.pc == active[0] and after.registers['sp'] == active[1]:
            active = active[2]
        elif not entered and back - step.pc in (2, 4) and after.pc != back \
                and after.registers[link] != step.registers[link]:
            active = back, after.registers['sp'], active
        if entered:
            active = None, 0, active
    return all_of_them


def log_state(truth):
    """RAM before each step, and what the step stores: address to byte."""
    data = lzma.open(os.path.join(truth.folder, truth.source['truth_mem'])).read()
    _, _, size, count, _, _ = truth.HEADER.unpack_from(data)
    ram = bytearray(lzma.open(os.path.join(truth.folder, truth.source['truth_ram0'])).read())
    writes = list(truth.WRITE.iter_unpack(data[truth.HEADER.size:truth.HEADER.size + size * count]))
    done = 0
    for at in truth.records:
        stored = {}
        while done < len(writes) and (writes[done][0] < at or writes[done][0] == at and writes[done][2] == 1):
            _, width, _, _, where, value = writes[done]
            where -= truth.ram_base
            if 0 <= where <= len(ram) - width:
                ram[where:where + width] = (value & (1 << 8 * width) - 1).to_bytes(width, 'little')
            done += 1
        for _, width, _, _, where, value in (w for w in writes[done:done + 32] if w[0] == at):
            stored.update((where + i, value >> 8 * i & 255) for i in range(width))
        yield ram, stored


def log_name(name):
    """What Step has the register of a log's line as: "r13_svc" is that of the mode."""
    name = name.lower().partition('_')[0]
    return {'r13': 'sp', 'r14': 'lr', 'xpsr': 'psr', 'cpsr': 'psr'}.get(name, name)


def check_log(truth, path):
    """All that a log of ours tells must be so."""
    told, first, fresh = {'opcodes': 0, 'registers': 0, 'bytes': 0}, [], {}
    state, step, number = log_state(truth), None, -1

    def want(what, got, expected, count=1):
        told[what] += count
        if got != expected:
            first.append('step %d: %s, not %s' % (number, got, expected))

    with open(path) as lines:
        for words in map(str.split, lines):
            kind = words[3]
            if kind in ('IT', 'IS') or words[3:5] == ['TB', 'step']:
                number += 1
                if number >= truth.count:
                    first.append('step %d is one too many' % number)
                    break
                step, (ram, stored) = truth.steps[number], next(state)
                step.registers['nzcv'] = step.registers['psr'] & 0xf << 28
                known = kind != 'TB'
                want('opcodes', int(words[5], 16), step.pc, 0)
                if known:
                    want('opcodes', words[6], step.opcode)
                for name, (value, mask) in fresh.items():
                    if name in step.registers:
                        want('registers', value, step.registers[name] & mask)
                fresh = {}
            elif kind == 'R':
                name = log_name(words[4])
                fresh[name] = int(words[5], 16), 0xf << 28 if name == 'nzcv' else -1
            elif kind == 'TB' and len(words) == 7:      # Of a register, among others.
                fresh[log_name(words[4])] = int(words[5], 16), int(words[6], 16)
            elif kind[:2] in ('MR', 'MW') and step is not None:
                at, size = int(words[4], 16), int(kind[2:])
                value = int(words[5], 16).to_bytes(size, 'little')
                where = at - truth.ram_base
                if kind[1] == 'W':
                    want('bytes', list(value), [stored.get(at + i) for i in range(size)], size)
                elif 0 <= where <= len(ram) - size:
                    want('bytes', value, bytes(ram[where:where + size]), size)
    print('steps=%d opcodes=%d registers=%d bytes=%d wrong=%d'
          % (number + 1, told['opcodes'], told['registers'], told['bytes'], len(first)), *first[:5], sep='\n')


def check(truth, listing):
    """Every value a listing claims must be so."""
    known = wrong = 0
    seen, first = set(), []
    flags = {'n': 31, 'z': 30, 'c': 29, 'v': 28}
    with open(listing) as lines:
        touched = sorted({int(line.split(None, 1)[0]) for line in lines if ' m:' in line})
    touched = [number for number in touched if number < truth.count]
    images = zip(touched, truth.images(touched))
    at, ram = next(images, (None, b''))
    with open(listing) as lines:
        for line in lines:
            number, pc, *items = line.split()
            number = int(number)
            if number in seen or number >= truth.count or int(pc, 16) != truth.steps[number].pc:
                wrong += 1
                first.append(line[:40])
                continue
            seen.add(number)
            registers = truth.steps[number].registers
            for item in items:
                name, _, value = item.partition('=')
                value = int(value, 16)
                if name == 'nzcv':
                    right = registers['psr'] >> 28 == value
                elif name in flags:
                    right = registers['psr'] >> flags[name] & 1 == value
                elif name in registers:
                    right = registers[name] == value
                elif name.startswith('m:'):
                    _, address, size = name.split(':')
                    address, size = int(address, 16), int(size)
                    if address < truth.ram_base:
                        continue
                    # As in most listings, steps ascend.
                    while at is not None and at < number:
                        at, ram = next(images, (None, b''))
                    here = ram[address - truth.ram_base:address - truth.ram_base + size] \
                        if at == number else truth.memory(number, address, size)
                    right = int.from_bytes(here, 'little') == value
                else:
                    continue
                known += not name.startswith('m:')
                if not right:
                    wrong += 1
                    first.append('%d %s' % (number, item))
    print('steps=%d wrong=%d known=%d pairs=%d missing=%d'
          % (len(seen), wrong, known, 16 * truth.count, truth.count - len(seen)))
    for text in first[:8]:
        print('wrong: ' + text)


def halt(truth, folder, number, output):
    """The core file of FOLDER, with other registers and RAM."""
    step = truth.steps[number]
    values = {'r13': step.registers.get('sp'), 'r14': step.registers.get('lr'), 'r15': step.pc,
              'pc': step.pc, 'xpsr': step.registers['psr'], 'cpsr': step.registers['psr'],
              **step.registers}
    os.makedirs(output, exist_ok=True)
    dump = None
    with open(os.path.join(folder, 'cpu_0.ini')) as source, \
            open(os.path.join(output, 'cpu_0.ini'), 'w') as target:
        for line in source:
            name, _, value = line.strip().partition('=')
            register = name.partition('(')[0].lower()
            if register in values:
                line = '%s=0x%x\n' % (name, values[register])
            elif name == 'file':
                dump = value
                shutil.copyfile(os.path.join(folder, dump), os.path.join(output, dump))
            elif name == 'address' and int(value, 0) == truth.ram_base:
                length = os.path.getsize(os.path.join(folder, dump))
                os.chmod(os.path.join(output, dump), 0o644)
                with open(os.path.join(output, dump), 'wb') as file:
                    file.write(truth.memory(number, truth.ram_base, length))
            target.write(line)
    with open(os.path.join(output, 'snapshot.ini'), 'w') as file:
        file.write('[snapshot]\nversion=1.0\n\n[device_list]\ndevice0=cpu_0.ini\n')


def main(folder, verb, *rest):
    truth = read(folder)
    if verb == 'count':
        print(truth.count)
    elif verb == 'fnv':
        print(fnv(truth))
    elif verb == 'state':
        for number in map(int, rest):
            step = truth.steps[number]
            print(number, 'pc=%x' % step.pc,
                  ' '.join('%s=%x' % item for item in step.registers.items()))
    elif verb == 'memory':
        print(truth.memory(int(rest[0]), int(rest[1], 16), int(rest[2])).hex())
    elif verb == 'writers':
        address = int(rest[0], 16)
        print(*[number for number, step in enumerate(truth.steps)
                if any(0 <= address - at < len(old) for at, old, _ in step.after)])
    elif verb == 'stores':
        for number, address, size, value in list(truth.stores())[-int(rest[0]):]:
            print(number, '%x' % address, size, '%x' % value)
    elif verb == 'popular':
        often = {}
        for pc in truth.pcs():
            often[pc] = often.get(pc, 0) + 1
        least, most = map(int, rest)
        pcs = sorted(pc for pc, count in often.items() if least <= count <= most)
        if pcs:
            print('%x %d' % (pcs[len(pcs) // 2], often[pcs[len(pcs) // 2]]))
    elif verb == 'stacked':
        for number, step in enumerate(truth.steps):
            for address, old, new in step.before:
                if old != new:
                    print(number - 1, '%x %x %x' % ((address,) + tuple(int.from_bytes(value, 'little')
                                                                       for value in (old, new))))
    elif verb == 'visits':
        wanted = [(name, int(value, 16)) for name, value in (item.split('=') for item in rest[1:])]
        print(*[number for number, pc in enumerate(truth.pcs()) if pc == int(rest[0], 16)
                and all(truth.steps[number].registers[name] == value for name, value in wanted)])
    elif verb == 'callers':
        active = callers(truth)
        for number in map(int, rest):
            at, line = active[number], [str(number)]
            while at is not None and at[0] is not None:
                line.append('%x' % at[0])
                at = at[2]
            print(*line)
    elif verb == 'pcs':
        first, end = map(int, rest)
        print(*['%x' % step.pc for step in truth.steps[first:end]])
    elif verb == 'spread':
        n = int(rest[0]) - 1
        print(*sorted({(truth.count - 1) * i // n for i in range(n + 1)}))
    elif verb == 'halt':
        halt(truth, folder, int(rest[0]), rest[1])
    elif verb == 'check':
        check(truth, rest[0])
    elif verb == 'log':
        check_log(truth, rest[0])
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
