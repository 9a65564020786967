#!/usr/bin/env python3
# Make an ELF core file of a snapshot, as a debugger or a crash handler leaves one: the
# registers as notes, the dumps as segments, and the packets of an MTB, if the snapshot has
# them in a file, in the RAM of the core.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: corefile.py [--no-trace] [--random=SEED] [--paint=WORD,...] [--newest=N] [--copy=FROM,N[,stale]]
#                    [--pause=FROM,N]... [--size=BYTES] [--table=WORD,...] [--skew=N] [--pc=N]
#                    [--registers=ADDRESS[,WHAT]] [--vendor] [--thread=NAME=VALUE,...] SNAPSHOT OUT
# --no-trace leaves the packets out; --random puts bytes by chance in their place, --paint these
# words, again and again.
# --newest leaves only the newest N packets, in the place of the first ones, before what --paint says,
# or zeros; --copy has N packets from number FROM on, the oldest is 0, at 0x1000 behind all that, too.
# with stale, they are right behind the newest, and the first has S, as if an earlier run had left them.
# --pause is a pause in tracing: N packets from number FROM on, the oldest is 0, are not there, and the
# one behind them has S; --size has the packets as an MTB with a buffer of so many bytes would have
# them that wrote all of them from its begin on.  With one of these, what --mtb= wants is printed.
# --table has these words right before and behind the packets.
# --registers has the MTB's registers in memory as well, at ADDRESS; WHAT is wrong with them: short,
# no identification; other, those of another component; moved, POSITION is 8 further; off, tracing is.
# --vendor has a note of nobody's knowledge in place of the one with the registers.
# --thread has another thread before, with these registers in place of its.
# --pc has another PC.
# --skew puts the packets N bytes behind a place that their size divides.
# The layout of notes: Linux, include/uapi/linux/elfcore.h; arch/arm/include/asm/elf.h.

import configparser
import os
import random
import struct
import sys

ARM, CORE, LOAD, NOTE, PRSTATUS = 40, 4, 1, 4, 1


def read(path):
    ini = configparser.ConfigParser(strict=False, comment_prefixes=(';', '#'))
    ini.optionxform = str
    ini.read(path)
    return ini


def painted(words, size):
    """SIZE bytes of WORDS, again and again."""
    one = b''.join(struct.pack('<I', word) for word in words)
    return (one * (size // len(one) + 1))[:size]


def instead(folder, packets, seed, paint, newest, copy):
    """What is in RAM in place of PACKETS, of the MTB of the snapshot FOLDER."""
    pointer = mtb_registers(folder)[0] & ~7 & (len(packets) - 1) if newest or copy else 0
    ordered = packets[pointer:] + packets[:pointer]
    size = len(packets)
    if seed is not None:
        packets = random.Random(seed).randbytes(size)
    elif newest:
        packets = ordered[-8 * newest:]
        packets += painted(paint or [0], size - len(packets))
    elif paint:
        packets = painted(paint, size)
    if copy and 'stale' in copy:
        start, count = copy[:2]
        source, destination = struct.unpack_from('<2I', ordered, 8 * start)
        left = struct.pack('<2I', source, destination | 1) + ordered[8 * start + 8:8 * (start + count)]
        packets = packets[:8 * newest] + left + packets[8 * newest + len(left):]
    elif copy:
        start, count = copy
        packets = packets.ljust(0x1000, b'\0') + ordered[8 * start:8 * (start + count)].ljust(size, b'\0')
    return packets


def written(folder, packets, pauses, size):
    """The buffer of SIZE bytes of an MTB that wrote PACKETS, of the snapshot FOLDER, but for PAUSES;
    its POSITION and MASTER."""
    position = mtb_registers(folder)[0]
    pointer = position & ~7 & (len(packets) - 1)
    ordered = packets[pointer:] + packets[:pointer] if position & 4 else packets[:pointer]
    left = list(struct.iter_unpack('<2I', ordered))
    for start, count in sorted(pauses, reverse=True):
        del left[start:start + count]
        if start < len(left):
            left[start] = left[start][0], left[start][1] | 1
    ordered = b''.join(struct.pack('<2I', *packet) for packet in left)
    buffer = bytearray((size or len(packets)))
    for i in range(0, len(ordered), 8):
        buffer[i % len(buffer):i % len(buffer) + 8] = ordered[i:i + 8]
    return bytes(buffer), (len(ordered) % len(buffer) | (4 if len(ordered) >= len(buffer) else 0),
                           1 << 31 | len(buffer).bit_length() - 5)


def parts_of(folder, trace=True, seed=None, skew=0, paint=None, newest=0, copy=None, pauses=(), size=0,
             table=()):
    """The registers of the core of the snapshot FOLDER by name, its memory as lists of an
    address and bytes; with TRACE the packets of an MTB behind the last one, which is RAM, or
    with SEED as many bytes by chance, or what PAINT, NEWEST and COPY, or PAUSES, SIZE and TABLE
    say; and where these packets are, None without."""
    at = None
    core, packets, registers = None, b'', None
    for _, name in read(os.path.join(folder, 'snapshot.ini')).items('device_list'):
        device = read(os.path.join(folder, name))
        if device.get('device', 'class') == 'core':
            core = device
    regs = {k.split('(')[0].lower(): int(v, 0) for k, v in core.items('regs')}
    segments = []
    for section in core.sections():
        if section.lower().startswith('dump'):
            with open(os.path.join(folder, core.get(section, 'file')), 'rb') as f:
                data = f.read()[int(core.get(section, 'offset', fallback='0'), 0):]
            segments.append([int(core.get(section, 'address'), 0),
                             data[:int(core.get(section, 'length', fallback=str(len(data))), 0)]])
    path = os.path.join(folder, 'trace.ini')
    if os.path.exists(path):
        meta = read(path)
        for section in meta.sections():
            if meta.has_option(section, 'file'):
                with open(os.path.join(folder, meta.get(section, 'file')), 'rb') as f:
                    packets = f.read()
    # The trace lies behind the last dump, which is RAM, at a place that its size divides.
    if packets and trace:
        size = size or len(packets)
        if pauses or size != len(packets):
            packets, registers = written(folder, packets, pauses, size)
        packets = instead(folder, packets, seed, paint, newest, copy)
        around = b''.join(struct.pack('<I', word) for word in table)
        last = max(segments)
        end = last[0] + len(last[1])
        at = (end + len(around) + size - 1) // size * size + skew
        last[1] += bytes(at - len(around) - end) + around + packets + around
        if registers:
            print('%#x,%#x,%#x' % (at, *registers))
    return regs, segments, at


def mtb_registers(folder):
    """Those of the MTB of the snapshot FOLDER."""
    for _, name in read(os.path.join(folder, 'snapshot.ini')).items('device_list'):
        device = read(os.path.join(folder, name))
        if device.get('device', 'type', fallback='') == 'MTB':
            regs = {k.split('(')[0].upper(): int(v, 0) for k, v in device.items('regs')}
    return [regs[name] for name in ('POSITION', 'MASTER', 'FLOW', 'BASE')]


def register_block(folder, what, at):
    """The page of registers of the MTB of the snapshot FOLDER, whose packets are at AT, if that is
    not None."""
    words = mtb_registers(folder)
    if at is not None:
        words[3] = at - (words[0] & ~((16 << (words[1] & 0x1f)) - 1))
    if what == 'moved':
        words[0] += 8
    if what == 'off':
        words[1] &= ~(1 << 31)
    block = struct.pack('<4I', *words)
    if what == 'short':
        return block
    page = bytearray(block.ljust(4096, b'\0'))
    struct.pack_into('<I', page, 0xfcc, 0x11 if what == 'other' else 0x31)
    struct.pack_into('<4I', page, 0xff0, 0x0d, 0x90, 0x05, 0xb1)
    return bytes(page)


ORDER = ['r%d' % i for i in range(13)] + ['sp', 'lr', 'pc', 'xpsr']


def value(regs, name):
    return regs.get(name, regs.get({'sp': 'r13', 'lr': 'r14', 'pc': 'r15', 'xpsr': 'cpsr'}
                                   .get(name, name), 0))


def thread_note(number, words):
    """The note of thread NUMBER with the registers WORDS."""
    status = bytes(24) + struct.pack('<I', number) + bytes(44) + struct.pack('<18I', *words, 0) \
        + bytes(4)
    return struct.pack('<III', 5, len(status), PRSTATUS) + b'CORE\0\0\0\0' + status


def main():
    words = sys.argv[1:]
    trace, seed, block, vendor, skew = True, None, None, False, 0
    paint, newest, copy, pc = None, 0, None, None
    pauses, size, table, thread = [], 0, [], None
    while words[0].startswith('--'):
        word = words.pop(0)
        if word == '--no-trace':
            trace = False
        elif word == '--vendor':
            vendor = True
        elif word.startswith('--pc='):
            pc = int(word.split('=')[1], 0)
        elif word.startswith('--skew='):
            skew = int(word.split('=')[1])
        elif word.startswith('--paint='):
            paint = [int(text, 0) for text in word.split('=')[1].split(',')]
        elif word.startswith('--newest='):
            newest = int(word.split('=')[1])
        elif word.startswith('--copy='):
            copy = [text if text == 'stale' else int(text, 0) for text in word.split('=')[1].split(',')]
        elif word.startswith('--pause='):
            pauses.append([int(text, 0) for text in word.split('=')[1].split(',')])
        elif word.startswith('--size='):
            size = int(word.split('=')[1], 0)
        elif word.startswith('--table='):
            table = [int(text, 0) for text in word.split('=')[1].split(',')]
        elif word.startswith('--thread='):
            thread = {name: int(text, 0) for name, text in
                      (item.split('=') for item in word.split('=', 1)[1].split(','))}
        elif word.startswith('--registers='):
            block = word.split('=')[1].split(',')
        else:
            seed = int(word.split('=')[1])
    folder, out = words
    regs, segments, at = parts_of(folder, trace, seed, skew, paint, newest, copy, pauses, size, table)
    if block:
        segments.append([int(block[0], 0), register_block(folder, block[-1], at)])
    words = [value(regs, name) for name in ORDER]
    if pc is not None:
        words[15] = pc
    note = thread_note(1, words)
    if thread is not None:
        note = thread_note(2, [thread.get(name, word) for name, word in zip(ORDER, words)]) + note
    if vendor:
        note = struct.pack('<III', 7, 20, 0x4154454d) + b'Vendor\0\0' + bytes(20)
    parts = [(NOTE, 0, note)] + [(LOAD, address, data) for address, data in segments]
    offset = 52 + 32 * len(parts)
    with open(out, 'wb') as f:
        f.write(b'\x7fELF\1\1\1' + bytes(9)
                + struct.pack('<HHIIIIIHHHHHH', CORE, ARM, 1, 0, 52, 0, 0, 52, 32,
                              len(parts), 0, 0, 0))
        for kind, address, data in parts:
            f.write(struct.pack('<8I', kind, offset, address, 0, len(data), len(data), 6, 4))
            offset += len(data)
        for _, _, data in parts:
            f.write(data)


if __name__ == '__main__':
    main()
