#!/usr/bin/env python3
# Copy a 32-bit ELF file without the call frame information of some functions.
#
#   without-cfi.py ELF OUTPUT FUNCTION...
#
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

import struct
import sys


def main():
    path, output, *names = sys.argv[1:]
    data = bytearray(open(path, 'rb').read())
    offset, = struct.unpack_from('<I', data, 32)
    size, count, strings = struct.unpack_from('<HHH', data, 46)
    sections = [struct.unpack_from('<10I', data, offset + i * size) for i in range(count)]

    def text(table, at):
        start = sections[table][4] + at
        return data[start:data.index(0, start)].decode()

    symbols = next(s for s in sections if s[1] == 2)
    starts = {}
    for at in range(symbols[4], symbols[4] + symbols[5], 16):
        name, value = struct.unpack_from('<II', data, at)
        starts[text(symbols[6], name)] = value & ~1
    frames = next(s for s in sections if text(strings, s[0]) == '.debug_frame')
    left = {starts[name] for name in names}
    at = frames[4]
    while at < frames[4] + frames[5]:
        length, cie, start = struct.unpack_from('<III', data, at)
        if cie != 0xffffffff and start in left:
            # Code that is nowhere.
            struct.pack_into('<I', data, at + 8, 0xfffff000)
            left.remove(start)
        at += 4 + length
    if left:
        sys.exit('no call frame information at %s' % ' '.join(map(hex, left)))
    open(output, 'wb').write(data)


main()
