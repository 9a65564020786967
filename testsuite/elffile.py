"""An ELF file with the memory of a snapshot's core as its segments, for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import struct

EM_ARM, EM_AARCH64 = 40, 183


def image(segments, a64=True):
    """An executable with SEGMENTS, (address, bytes), read only."""
    head, phdr = (64, 56) if a64 else (52, 32)
    words = "QQQ" if a64 else "III"
    ident = b"\x7fELF" + bytes([2 if a64 else 1, 1, 1])
    start = struct.pack("<16sHHI" + words + "IHHHHHH", ident, 2,
                        EM_AARCH64 if a64 else EM_ARM, 1, 0, head, 0, 0, head, phdr,
                        len(segments), 0, 0, 0)
    at = head + phdr * len(segments)
    headers, contents = b"", b""
    for address, data in segments:
        place = at + len(contents)
        if a64:
            headers += struct.pack("<IIQQQQQQ", 1, 5, place, address, address, len(data),
                                   len(data), 1)
        else:
            headers += struct.pack("<IIIIIIII", 1, place, address, address, len(data),
                                   len(data), 5, 1)
        contents += data
    return start + headers + contents
