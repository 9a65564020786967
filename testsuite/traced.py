#!/usr/bin/env python3
"""The frames of a trace file, next to what really happened: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

usage: traced.py frames FILE               a line a frame: tracepoint, step, bytes of memory
       traced.py places FILE               a line a tracepoint: number, address
       traced.py truth FILE FOLDER         compare registers and RAM with the truth
       traced.py same FILE OTHER SHIFT     compare with the frames of another file, whose
                                           tracepoints have numbers higher by SHIFT
       traced.py events FOLDER KIND [ADDRESS LENGTH]   steps of the events of a kind
       traced.py has FILE TRACEPOINT ADDRESS LENGTH    frames of a tracepoint that have all of
                                                       that memory, and all of its frames

FOLDER and steps are as in truth.py.
"""
import lzma
import os
import struct
import sys

import truth as truths


class Frame:
    """number of the tracepoint; step; unknown: bits of registers; registers: bytes;
    blocks of memory: (address, bytes), of which the first that has a byte tells it."""

    def __init__(self, number, blocks, register_bytes):
        self.number, self.step, self.unknown = number, None, 0
        self.registers, self.blocks, self.variables = None, [], {}
        at = 0
        while at < len(blocks):
            kind = blocks[at:at + 1]
            if kind == b'R':
                self.registers = blocks[at + 1:at + 1 + register_bytes]
                at += 1 + register_bytes
            elif kind == b'M':
                address, length = struct.unpack_from('<QH', blocks, at + 1)
                self.blocks.append((address, blocks[at + 11:at + 11 + length]))
                at += 11 + length
            else:
                assert kind == b'V', kind
                variable, value = struct.unpack_from('<Iq', blocks, at + 1)
                self.variables[variable] = value
                at += 13
        self.step, self.unknown = self.variables[1], self.variables[2]

    def parts(self):
        """The memory: (address, bytes) in order, with gaps in between."""
        found = sorted(self.blocks)
        if any(low + len(data) > high for (low, data), (high, _) in zip(found, found[1:])):
            memory = {}
            for address, data in self.blocks:
                for at, byte in enumerate(data, address):
                    memory.setdefault(at, byte)
            found = [(at, bytes([byte])) for at, byte in sorted(memory.items())]
        joined = []
        for address, data in found:
            if not joined or joined[-1][0] + len(joined[-1][1]) != address:
                joined.append((address, bytearray()))
            joined[-1][1].extend(data)
        return joined

    def known(self, names):
        """Known registers: name to value."""
        width = 8 if len(names) > 30 else 4
        found = {}
        for bit, name in enumerate(names):
            value = self.registers[bit * width:bit * width + (4 if name == 'psr' else width)]
            if not self.unknown >> bit & 1:
                found[name] = int.from_bytes(value, 'little')
        return found


def read(path):
    """Lines of the header, frames."""
    with open(path, 'rb') as file:
        data = file.read()
    assert data.startswith(b'\x7fTRACE0\n')
    end = data.index(b'\n\n')
    lines = data[8:end].decode().split('\n')
    size = next(int(line[2:], 16) for line in lines if line.startswith('R '))
    frames, at = [], end + 2
    while True:
        number, = struct.unpack_from('<H', data, at)
        if number == 0:
            return lines, frames
        length, = struct.unpack_from('<I', data, at + 2)
        frames.append(Frame(number, data[at + 6:at + 6 + length], size))
        at += 6 + length


def names_of(width):
    if width == 32:
        return truths.NAMES32 + ['pc', 'psr']
    return truths.NAMES64 + ['pc', 'psr']


def compare(path, folder):
    run = truths.read(folder)
    names = names_of(run.width)
    _, frames = read(path)
    registers = memory = 0
    wrong = []
    numbers = sorted({frame.step for frame in frames if frame.step < len(run.steps) and frame.blocks})
    images = dict(zip(numbers, run.images(numbers)))
    for frame in frames:
        if frame.step >= len(run.steps):
            continue
        step = run.steps[frame.step]
        right = dict(step.registers, pc=step.pc)
        for name, value in frame.known(names).items():
            registers += 1
            if right.get(name, value) != value:
                wrong.append('step %d: %s is %x, truth %x' % (frame.step, name, value, right[name]))
        image = images.get(frame.step, b'')
        for address, data in frame.parts():
            low, high = (min(max(end - run.ram_base, 0), len(image), 0x10000)
                         for end in (address, address + len(data)))
            memory += high - low
            known, truth = data[low + run.ram_base - address:][:high - low], image[low:high]
            if known != truth:
                wrong += ['step %d: %x is %02x, truth %02x' % (frame.step, run.ram_base + low + i, a, b)
                          for i, (a, b) in enumerate(zip(known, truth)) if a != b]
    print('frames=%d wrong=%d registers=%d bytes=%d'
          % (len(frames), len(wrong), registers, memory))
    for text in wrong[:8]:
        print('wrong: ' + text)


def same(path, other, shift):
    """The other file's frames are GDB's: what both have is the same."""
    _, ours = read(path)
    _, theirs = read(other)
    mine = [(frame.number + shift, frame.step) for frame in ours]
    yours = [(frame.number, frame.step) for frame in theirs]
    wrong, memory = [], 0
    if mine != yours:
        wrong.append('frames %s, there %s' % (mine[:20], yours[:20]))
    for a, b in zip(ours, theirs):
        if a.registers[:68] != b.registers[:68] or a.unknown != b.unknown:
            wrong.append('step %d: registers differ' % a.step)
        if {k: v for k, v in a.variables.items() if k < 10} \
                != {k: v for k, v in b.variables.items() if k < 10}:
            wrong.append('step %d: variables %s, there %s' % (a.step, a.variables, b.variables))
        mine, yours = a.parts(), b.parts()
        memory += sum(len(data) for _, data in yours)
        if mine != yours:
            bytes_of = dict(item for address, data in mine for item in enumerate(data, address))
            for address, byte in (item for address, data in yours for item in enumerate(data, address)):
                if address not in bytes_of:
                    wrong.append('step %d: no %x' % (a.step, address))
                elif bytes_of[address] != byte:
                    wrong.append('step %d: %x differs' % (a.step, address))
    print('frames=%d wrong=%d bytes=%d' % (len(ours), len(wrong), memory))
    for text in wrong[:8]:
        print('wrong: ' + text)


def flags_of(run):
    """pc, opcode, flags of each traced step of a case of the corpus."""
    data = lzma.open(os.path.join(run.folder, run.source['truth'])).read()
    _, _, size, count, _, _ = run.HEADER.unpack_from(data)
    body = data[run.HEADER.size:run.HEADER.size + size * count]
    return [record[:4] for record in run.LAYOUT[run.width].iter_unpack(body) if record[3] & 128]


def is_link(width, opcode, length):
    """A64: BL, BLR; T32: BL, BLX <register>."""
    if width == 64:
        return opcode & 0xfc000000 == 0x94000000 or opcode & 0xfffffc1f == 0xd63f0000
    if length == 4:
        return opcode & 0xf800d000 == 0xf000d000
    return opcode & 0xff87 == 0x4780


def target(step, opcode, length):
    """Where BL or BLX of T32 goes."""
    if length == 2:
        name = (truths.NAMES32 + ['pc'])[opcode >> 3 & 15]
        return step.registers[name] & ~1
    sign, j1, j2 = opcode >> 26 & 1, opcode >> 13 & 1, opcode >> 11 & 1
    offset = (1 ^ j1 ^ sign) << 23 | (1 ^ j2 ^ sign) << 22 \
        | (opcode >> 16 & 0x3ff) << 12 | (opcode & 0x7ff) << 1
    return step.pc + 4 + offset - (sign << 24)


def is_return(opcode, length):
    """T32: BX LR; POP, LDM and LDR of the PC by SP."""
    if length == 2:
        return opcode == 0x4770 or opcode & 0xff00 == 0xbd00
    return opcode & 0xffff8000 == 0xe8bd8000 or opcode == 0xf85dfb04


def returns(run):
    """Steps that return from a call, of a run without exceptions."""
    steps, calls, found = flags_of(run), [], []
    for number in range(len(steps) - 1):
        pc, opcode, length, flags = steps[number]
        following = steps[number + 1][0]
        if run.records[number + 1] != run.records[number] + 1:
            calls = []
        elif flags & 2 and is_link(run.width, opcode, length):
            calls.append(pc + length)
        elif flags & 2 and following in calls:
            del calls[len(calls) - 1 - calls[::-1].index(following):]
            found.append(number)
        elif flags & 2 and is_return(opcode, length):
            found.append(number)
    return found


def events(folder, kind, *rest):
    run = truths.read(folder)
    found, held = [], []
    if kind == 'returns':
        found = returns(run)
    elif kind == 'writes':
        address, length = int(rest[0], 0), int(rest[1], 0)
        data = lzma.open(os.path.join(folder, run.source['truth_mem'])).read()
        _, _, size, count, _, _ = run.HEADER.unpack_from(data)
        numbers = {record: number for number, record in enumerate(run.records)}
        for index, width, how, _, where, _ in run.WRITE.iter_unpack(
                data[run.HEADER.size:run.HEADER.size + size * count]):
            # Exceptions write behind the step before.
            step = numbers.get(index - how)
            if where < address + length and where + width > address and step is not None:
                found.append(step)
        found = sorted(set(found))
    else:
        steps = flags_of(run)
        for number, (pc, opcode, length, flags) in enumerate(steps):
            before = steps[number - 1] if number > 0 else (0, 0, 0, 0)
            if kind == 'exceptions' and flags & 4:
                found.append(number)
            elif kind == 'branches' and flags & 2:
                found.append(number)
            elif kind == 'gaps' and number > 0 and run.records[number] != run.records[number - 1] + 1:
                found.append(number)
            elif kind == 'calls' and before[3] & 2 and is_link(run.width, before[1], before[2]):
                # An exception may come before the first instruction.
                if flags & 4:
                    held.append(target(run.steps[number - 1], before[1], before[2]))
                else:
                    found.append(number)
            elif kind == 'calls' and held and before[3] & 8 and not flags & 4 \
                    and pc == held[-1]:
                held.pop()
                found.append(number)
    print(*found)


def main(verb, path, *rest):
    if verb == 'frames':
        for frame in read(path)[1]:
            print(frame.number, frame.step, sum(len(data) for _, data in frame.parts()))
    elif verb == 'places':
        for line in read(path)[0]:
            if line.startswith('tp T'):
                number, address = line[4:].split(':')[:2]
                print(int(number, 16), address)
    elif verb == 'truth':
        compare(path, rest[0])
    elif verb == 'same':
        same(path, rest[0], int(rest[1]))
    elif verb == 'events':
        events(path, *rest)
    elif verb == 'has':
        number, address, length = int(rest[0]), int(rest[1], 0), int(rest[2], 0)
        frames = [frame for frame in read(path)[1] if frame.number == number]
        print(sum(any(low <= address and address + length <= low + len(data)
                      for low, data in frame.parts()) for frame in frames), len(frames))
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
