#!/usr/bin/env python3
# Make the crash dump of a snapshot's core as a real-time kernel leaves one: Zephyr's core dump,
# as it is or in the lines of a console, or Mynewt's.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: crashdump.py KIND[+FAULT...] SNAPSHOT OUT
# KIND is zephyr1, zephyr2, zephyr3 (by the version of the registers' block), log (version 3),
# a64 (SNAPSHOT is not read), mynewt; or table, the program that says where Zephyr has its
# threads, of which +threads makes some.  What FAULT is stands below.
# Layouts: Zephyr, include/zephyr/debug/coredump.h, arch/arm/core/cortex_m/coredump.c,
# arch/arm64/core/coredump.c, subsys/debug/thread_info.c; Mynewt, sys/coredump.

import struct
import sys

from corefile import ORDER, parts_of, register_block, value
from elffile import image

# Where the kernel of these dumps has what: of its own data the thread that runs and the list; of
# a thread's the next one, the stack pointer, behind R4 to R11, the name, and in the part of the
# architecture EXC_RETURN.
KERNEL, THREADS, THREAD_SIZE = 0x20009000, 0x20009100, 0x100
CURRENT, LIST, NEXT, STACK, NAME, ARCH, FLOAT, EXC_RETURN = 8, 0x24, 0x74, 0x58, 0x80, 0xa0, 8, 0x4c


def table(faults):
    # Of the state, options and priority nothing is read.
    words = [9 if 'new-table' in faults else 1, CURRENT, LIST, 0x60, NEXT, 13, 12, 14,
             STACK, NAME, ARCH, FLOAT, 0xffffffff, EXC_RETURN]
    if 'old-table' in faults:
        words = words[:13]
    if 'short-table' in faults:
        words = words[:9]
    if 'no-fp' in faults:
        words[11] = words[13] = 0xffffffff
    data = struct.pack('<%dI' % (len(words) + 1), *words, len(words))
    symbols = [('_kernel_thread_info_offsets', 0x8000, 4 * len(words)),
               ('_kernel_thread_info_num_offsets', 0x8000 + 4 * len(words), 4),
               ('_kernel', KERNEL, 0x40)]
    return image([(0x8000, data)], a64=False, symbols=symbols)


def threads(faults):
    """The kernel's own data, and memory with its threads: the one that runs, one that waits with
    a frame that was moved, one whose frame has FP registers, and one that was damaged."""
    names = [b'main', b'worker', b'net rx', b'broken']
    if 'many' in faults:
        names[3:3] = [b'more'] * 996
    stacks = max(0x1000, len(names) * THREAD_SIZE)
    memory = bytearray(stacks + len(names) * 0x100 + 0xb00)
    for i, name in enumerate(names):
        at, sp = i * THREAD_SIZE, THREADS + stacks + i * 0x100
        struct.pack_into('<9I', memory, at + STACK - 32, *range(0x404 + 0x1000 * i,
                                                                0x40c + 0x1000 * i), sp)
        last = i == len(names) - 1
        follows = 0 if last else THREADS + at + THREAD_SIZE
        if last and 'circle' in faults:
            follows = THREADS
        if last and 'list-ends' in faults:
            follows = 0x30000000
        struct.pack_into('<I', memory, at + NEXT, follows)
        memory[at + NAME:at + NAME + len(name)] = name
        memory[at + ARCH + EXC_RETURN] = 0xed if i == 2 else 0xfd
        struct.pack_into('<8I', memory, sp - THREADS, *range(0x100 * i, 0x100 * i + 4),
                         0x112, 0x1001, 0x2001 if last else 0x2000 + 2 * i,
                         0x61000200 if i == 1 else 0x01000000)
    kernel = bytearray(0x40)
    struct.pack_into('<I', kernel, CURRENT, THREADS)
    struct.pack_into('<I', kernel, LIST, THREADS)
    return bytes(kernel), [[KERNEL, bytes(kernel) + bytes(0x100 - 0x40) + bytes(memory)]]


def zephyr(version, registers, segments, faults):
    wide = isinstance(registers, list)
    text = bytearray(struct.pack('<2sHHBBI', b'ZE', 9 if 'version' in faults else 2,
                                 6 if wide else 3, 6 if wide else 5, 0, 0))
    if 'x86' in faults:
        text[4] = 1
    # What Zephyr puts out at once; a line of a log begins with each.
    ends = [len(text)]
    if wide:
        block = struct.pack('<%dQ' % len(registers), *registers)
    else:
        names = ['r0', 'r1', 'r2', 'r3', 'r12', 'lr', 'pc', 'xpsr', 'sp']
        block = struct.pack('<9I', *[value(registers, name) for name in names])
        if version > 1:
            saved = [value(registers, 'r%d' % i) for i in range(4, 12)]
            if 'no-saved' in faults:
                saved = [0] * 8
            block += struct.pack('<8I', *saved)
        if version > 2:
            block += struct.pack('<II', 'no-saved' not in faults, 0x40)
    if 'short-registers' in faults:
        block = block[:-12]
    if 'block-version' in faults:
        version = 7
    if 'no-registers' not in faults:
        text += b'A' + struct.pack('<HH', version, len(block)) + block
        ends += [len(text) - len(block), len(text)]
    kernel = bytes(20)
    if 'threads' in faults:
        kernel, more = threads(faults)
        segments = segments + more
    if 'before' in faults:
        segments = [[0x30000000 + 16 * i, b'x'] for i in range(300000)] + segments
    elif 'many' in faults:
        segments = segments + [[0x30000000 + 16 * i, b'x'] for i in range(9000)]
    if 'no-kernel' not in faults:
        text += b'T' + struct.pack('<HH', 1, len(kernel)) + kernel
        ends += [len(text) - len(kernel), len(text)]
    for address, data in segments:
        end = address + len(data)
        if 'backwards' in faults:
            address, end = end, address
        elif 'huge' in faults:
            end = 0xffffffff
        text += b'M' + struct.pack('<HQQ' if wide else '<HII', 1, address, end) + data
        ends += [len(text) - len(data), len(text)]
    if 'unknown-block' in faults:
        text += b'Q12345'
    if 'erased' in faults:
        text += b'\xff' * 100
    return bytes(text), ends


def mynewt(regs, segments, faults):
    def part(kind, offset, data):
        return struct.pack('<BBHI', kind, 0, len(data), offset) + data
    words = struct.pack('<17I', *[value(regs, name) for name in ORDER])
    text = part(3, 0, words[:40] if 'short-registers' in faults else words) + part(1, 0, bytes(32))
    for address, data in segments:
        for at in range(0, len(data), 0x8000):
            text += part(2, address + at, data[at:at + 0x8000])
    if 'unknown-block' in faults:
        text += part(9, 0, b'1234')
    size = len(text) + 8
    text = struct.pack('<II', 0x690c47c3, size + (100 if 'huge' in faults else 0)) + text
    return text + (b'\xff' * 100 if 'erased' in faults else b'')


def push(regs, segments, extra):
    """Put the frame of an exception below SP, EXTRA bytes further down."""
    names = ['r0', 'r1', 'r2', 'r3', 'r12', 'lr', 'pc', 'xpsr']
    frame = struct.pack('<8I', *[value(regs, name) for name in names])
    at = value(regs, 'sp') - len(frame) - extra
    for segment in segments:
        if segment[0] <= at < segment[0] + len(segment[1]):
            data = bytearray(segment[1])
            data[at - segment[0]:at - segment[0] + len(frame)] = frame
            segment[1] = bytes(data)
    return at


def lines(text, ends, faults):
    if 'stream' in faults:
        ends = []
    digits, at = [], 0
    for end in ends + [len(text)]:
        digits += [text[i:min(i + 32, end, len(text))].hex() for i in range(at, min(end, len(text)), 32)]
        at = end
    for fault in faults:
        if fault.startswith('lost'):
            del digits[int(fault[4:])]
        if fault.startswith('swapped'):
            i = int(fault[7:])
            digits[i], digits[i + 1] = digits[i + 1], digits[i]
    if 'bad-line' in faults:
        digits[5] = 'xy' + digits[5][2:]
    got = ['*** Booting Zephyr OS ***', '[00:00:00.010,000] <err> os: ***** HARD FAULT *****']
    if 'two' in faults:
        got += ['#CD:BEGIN#', '#CD:' + text[:40].hex(), '#CD:END#']
    got += ['[00:00:00.020,000] <err> coredump: #CD:BEGIN#']
    got += ['\x1b[1;31m<err> coredump: #CD:' + d for d in digits]
    if 'error' in faults:
        got += ['#CD:ERROR CANNOT DUMP#']
    if 'no-end' not in faults:
        got += ['#CD:END#']
    return '\r\n'.join(got + ['uart:~$ ']).encode()


def main():
    kind, *faults = sys.argv[1].split('+')
    if kind == 'table':
        text = table(faults)
    elif kind == 'a64':
        x = [0x1100 + i for i in range(19)] + [0x40001234, 0x60000005, 0x40000100, 0x4400, 0x4500]
        version = 1 if 'old' in faults else 2
        text, ends = zephyr(version, x[:22] if 'old' in faults else x, [[0x40000000, bytes(range(64))]],
                      faults)
    else:
        regs, segments, at = parts_of(sys.argv[2], trace='no-trace' not in faults)
        # The registers of the MTB, which was on or off by then.
        for fault in faults:
            if fault in ('on', 'off'):
                segments.append([0xf0000000, register_block(sys.argv[2], fault, at)])
        # SP was the frame's place in the first versions of Zephyr.
        if 'fp-frame' in faults:
            push(regs, segments, 72)
        elif 'no-frame' not in faults:
            at = push(regs, segments, 0)
            if 'old-sp' in faults:
                regs['sp'] = regs['r13'] = at
        if kind == 'mynewt':
            text = mynewt(regs, segments, faults)
        else:
            text, ends = zephyr(3 if kind == 'log' else int(kind[-1]), regs, segments, faults)
    for fault in faults:
        if fault.startswith('cut'):
            text = text[:-int(fault[3:])]
    if kind == 'log':
        text = lines(text, ends, faults)
    with open(sys.argv[3], 'wb') as f:
        f.write(text)


main()
