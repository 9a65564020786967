"""The sections of an ELF file that a program has in memory.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import collections
import struct

SHT_NOBITS = 8
SHF_WRITE, SHF_ALLOC = 1, 2

Section = collections.namedtuple('Section', 'name address size writable has_data')


def sections(path):
    """The sections of the file PATH that lie in memory, in order of address; ValueError
    when it is no ELF file that can be read."""
    with open(path, 'rb') as file:
        data = file.read()
    if data[:4] != b'\x7fELF' or len(data) < 52:
        raise ValueError('%s is no ELF file' % path)
    order = '<' if data[5] == 1 else '>'
    wide = data[4] == 2
    try:
        return _sections(data, order, wide)
    except (struct.error, IndexError):
        raise ValueError('the section headers of %s cannot be read' % path) from None


def _sections(data, order, wide):
    if wide:
        offset, = struct.unpack_from(order + 'Q', data, 40)
        size, count, names = struct.unpack_from(order + 'HHH', data, 58)
        header = order + 'IIQQQQ'
    else:
        offset, = struct.unpack_from(order + 'I', data, 32)
        size, count, names = struct.unpack_from(order + 'HHH', data, 46)
        header = order + 'IIIIII'
    heads = [struct.unpack_from(header, data, offset + i * size) for i in range(count)]
    strings = heads[names][4] if count else 0
    found = []
    for name, kind, flags, address, _, length in heads:
        if flags & SHF_ALLOC and length:
            end = data.index(b'\0', strings + name)
            found.append(Section(data[strings + name:end].decode(errors='replace'), address,
                                 length, bool(flags & SHF_WRITE), kind != SHT_NOBITS))
    return sorted(found, key=lambda section: section.address)
