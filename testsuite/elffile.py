"""An ELF file with the memory of a snapshot's core as its segments, for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import struct

EM_ARM, EM_AARCH64 = 40, 183
PROGBITS, SYMTAB, STRTAB = 1, 2, 3


def sections_of(segments, places, end, symbols, a64):
    """Sections for SEGMENTS, which are at PLACES, and SYMBOLS, (name, address, size): what stands at
    END, the headers, and how many there are."""
    names, table, strings = b"\0", bytes(24 if a64 else 16), b"\0"
    for name, address, size, *function in symbols:
        # A global object, of no section; or a function of the first.
        kind, section = (0x12, 1) if function else (0x11, 0xfff1)
        table += struct.pack("<IBBHQQ", len(strings), kind, 0, section, address, size) if a64 \
            else struct.pack("<IIIBBH", len(strings), address, size, kind, 0, section)
        strings += name.encode() + b"\0"
    rows = [(PROGBITS, 6, address, place, len(data), 0, 0)
            for (address, data), place in zip(segments, places)]
    n = len(rows)
    rows += [(SYMTAB, 0, 0, end, len(table), n + 2, 24 if a64 else 16),
             (STRTAB, 0, 0, end + len(table), len(strings), 0, 0)]
    words = "QQQQ" if a64 else "IIII"
    headers = bytes(64 if a64 else 40)
    for kind, flags, address, place, size, link, each in rows:
        headers += struct.pack("<II" + words + "II" + words[:2], 0, kind, flags, address, place,
                               size, link, 1 if kind == SYMTAB else 0, 1, each)
    return table + strings + names, headers, n + 3


def image(segments, a64=True, symbols=None, library=False, first=0):
    """An executable, or a LIBRARY, with SEGMENTS, (address, bytes), read only, from byte FIRST
    on; and with SYMBOLS."""
    head, phdr = (64, 56) if a64 else (52, 32)
    words = "QQQ" if a64 else "III"
    ident = b"\x7fELF" + bytes([2 if a64 else 1, 1, 1])
    at = head + phdr * len(segments)
    headers, contents, places = b"", b"", []
    filling = bytes(max(first - at, 0))
    at += len(filling)
    for address, data in segments:
        place = at + len(contents)
        places.append(place)
        if a64:
            headers += struct.pack("<IIQQQQQQ", 1, 5, place, address, address, len(data),
                                   len(data), 1)
        else:
            headers += struct.pack("<IIIIIIII", 1, place, address, address, len(data),
                                   len(data), 5, 1)
        contents += data
    table, count = 0, 0
    if symbols is not None:
        more, rows, count = sections_of(segments, places, at + len(contents), symbols, a64)
        contents += more
        table = at + len(contents)
        contents += rows
    start = struct.pack("<16sHHI" + words + "IHHHHHH", ident, 3 if library else 2,
                        EM_AARCH64 if a64 else EM_ARM, 1, 0, head, table, 0, head, phdr,
                        len(segments), 64 if a64 else 40, count, count - 1 if count else 0)
    return start + headers + filling + contents
