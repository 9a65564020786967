#!/usr/bin/env python3
# Make an ELF core file that is odd in some way, as a file that is damaged, or was made to
# harm, may be.
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: oddcore.py KIND OUT
# The files are sparse where they are large.  KIND objects: many parts of memory; "program" is the
# program of it, with many objects.

import struct
import sys

import elffile

STATUS = bytes(24) + struct.pack('<I', 7) + bytes(120)


def note(owner, kind, data, size=None, name_size=None):
    name = owner + bytes(-len(owner) % 4)
    return struct.pack('<III', len(owner) if name_size is None else name_size,
                       len(data) if size is None else size, kind) + name + data


def write(out, notes, segments, length=0, times=1):
    """SEGMENTS: address, and data or (offset in the file, size).  So many have the same NOTES."""
    offset = 52 + 32 * (len(segments) + times)
    headers = bytearray(struct.pack('<8I', 4, offset, 0, 0, len(notes), len(notes), 4, 4) * times)
    body = bytearray(notes)
    for address, data in segments:
        if isinstance(data, tuple):
            at, size = data
        else:
            at, size = offset + len(body), len(data)
            body += data
        headers += struct.pack('<8I', 1, at, address, 0, size, size, 6, 4)
    with open(out, 'wb') as f:
        f.write(b'\x7fELF\1\1\1' + bytes(9)
                + struct.pack('<HHIIIIIHHHHHH', 4, 40, 1, 0, 52, 0, 0, 52, 32,
                              len(segments) + times, 0, 0, 0) + headers + body)
        if length:
            f.truncate(length)


def main():
    kind, out = sys.argv[1:]
    good = note(b'CORE\0', 1, STATUS)
    ram = [(0, bytes(65536))]
    if kind == 'zeros':
        write(out, good, [(0, (4096, 0xffffe000))], 1 << 32)
    elif kind == 'branches':
        # Conditional branches only, and packets that need all of them to be passed.
        write(out, good, [(0, b'\xff\xd0' * 65536),
                          (0x20000000, struct.pack('<II', 0xfffe, 0) * 131072)])
    elif kind == 'overlap':
        write(out, good, [(0x20000000, (131072, 1 << 24))] * 2000, 131072 + (1 << 24))
    elif kind == 'threads':
        write(out, good * 4000, [(16 * i, bytes(16)) for i in range(60000)])
    elif kind == 'objects':
        write(out, good, [(0x40000000 + 64 * i, bytes(16)) for i in range(30000)])
    elif kind == 'program':
        objects = [('buffer', 0x20000000 + 256 * i, 256) for i in range(2000)]
        with open(out, 'wb') as f:
            f.write(elffile.image([(0, bytes(64))], False, objects))
    elif kind == 'same-notes':
        write(out, good + note(b'GNU\0', 2, bytes(4)) * 125000, ram, 0, 40000)
    elif kind == 'same-number':
        write(out, good * 3, ram)
    elif kind == 'top':
        write(out, good, [(0xfffff000, bytes(65536))])
    elif kind == 'empty-note':
        write(out, note(b'CORE\0', 1, b''), ram)
    elif kind == 'short-note':
        write(out, note(b'CORE\0', 1, bytes(400), 0x7fffffff), ram)
    elif kind == 'long-note':
        write(out, note(b'CORE\0', 1, bytes(400), 0xffffffff), ram)
    elif kind == 'long-name':
        write(out, note(b'CORE\0', 1, STATUS, None, 0xffffffff), ram)
    elif kind == 'long-fp':
        write(out, good + note(b'LINUX\0', 0x400, bytes(100), 1000000), ram)
    elif kind == 'left-out':
        # A thread that is not understood, with FP registers.
        write(out, good + note(b'CORE\0', 1, bytes(100))
              + note(b'LINUX\0', 0x400, b'\x55' * 260), ram)
    elif kind == 'other-owner':
        write(out, note(b'GNU\0', 1, bytes(16)) + good, ram)
    elif kind.startswith('nuttx'):
        # As NuttX has them: of each task who it is, then its registers; and the fault registers.
        notes = b''
        names = [b'Idle Task', b'hpwork(1)', b'']
        for i, name in enumerate(names):
            name = name.ljust(32, b'\0')
            status = bytes(24) + struct.pack('<I', i) + bytes(44) \
                + struct.pack('<18I', *range(0x100 * i, 0x100 * i + 16), 0x01000000, 0) + bytes(4)
            damaged = kind if i == 1 else ''
            notes += note(name, 0x80000003 if damaged == 'nuttx-unnamed' else 3, bytes(124))
            notes += note(b'other'.ljust(32, b'\0') if damaged == 'nuttx-mixed' else name,
                          0x101 if damaged == 'nuttx-bare' else 1, status)
        if kind == 'nuttx-id':
            notes += note(b'GNU\0', 3, bytes(20))
        faults = struct.pack('<6I', 0x00028200, 0x40000002, 0, 0xe000edf8, 0x40001234, 0)
        write(out, notes, ram + [(0xe000ed28, faults)])
    elif kind == 'bare':
        write(out, b'', ram)
    elif kind == 'vendor':
        write(out, note(b'Vendor\0', 0x4154454d, bytes(20)) + note(b'Vendor\0', 2, bytes(4)), ram)
    elif kind == 'vendor-too':
        write(out, note(b'Vendor\0', 0x4154454d, bytes(20)) + good, ram)
    elif kind == 'filled-up':
        write(out, good + bytes(8), ram)


main()
