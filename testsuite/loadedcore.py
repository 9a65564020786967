#!/usr/bin/env python3
"""Make a program that is independent of its position, and what Linux dumps of a process that it
was loaded for: loadedcore.py BIAS PROGRAM CORE [WHAT...]

The program, of AArch64, has two functions, "start" at 0x1000 and "leaf" at 0x1010; the process halts
in the second, at BIAS + 0x1014.  WHAT is otherwise: "no-auxv", "no-file", the note is not there;
"other-entry", the kernel started another program; "cut-auxv", "cut-file", "many-files", "twice", what
is wrong with a note; "two-maps", the first page is mapped for a second segment, too, with
"other-first" in a row before the first one's; "many-maps", for the last of thousands, again and again; "build", the program
has a build ID, which its dumped first page has, too, or another one by "other-build".  The notes:
Linux, fs/binfmt_elf.c.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later."""

import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import elffile  # noqa: E402

PRSTATUS, AUXV, FILE = 1, 6, 0x46494c45
AT_PHDR, AT_PHENT, AT_PHNUM, AT_ENTRY = 3, 4, 5, 9
NOP, RET, CALL = 0xd503201f, 0xd65f03c0, 0x94000004
ENTRY, PLACE, STACK, SECOND = 0x1000, 0x1014, 0x7ff000, 0x20000
BUILD = 0x800
SECONDS = 8000  # Segments with the first page, of many.


def program(seconds, build=False):
    code = struct.pack("<8I", CALL, NOP, NOP, RET, NOP, NOP, NOP, RET)
    data = bytearray(elffile.image([(ENTRY, code), *((SECOND + 4096 * i, bytes(8)) for i in range(seconds))], True,
                                   [("start", ENTRY, 16, "f"), ("leaf", 0x1010, 16, "f")],
                                   library=True, first=ENTRY))
    # The segment has the headers, too.
    struct.pack_into("<QQQQQ", data, 64 + 8, 0, 0, 0, ENTRY + len(code), ENTRY + len(code))
    # The first page of the file is mapped for the others, too.
    for i in range(seconds):
        place = SECOND + 4096 * i + 0x40
        struct.pack_into("<QQQQQ", data, 64 + 56 * (i + 1) + 8, 0x40, place, place, 8, 8)
    struct.pack_into("<Q", data, 24, ENTRY)
    if build:
        # In the place of the second segment.
        identity = struct.pack("<III4s", 4, 20, 3, b"GNU") + bytes(range(0xa0, 0xb4))
        data[BUILD:BUILD + len(identity)] = identity
        struct.pack_into("<IIQQQQQQ", data, 64 + 56, 4, 4, BUILD, BUILD, BUILD, len(identity), len(identity), 4)
    return bytes(data)


def note(kind, data):
    return struct.pack("<III", 5, len(data), kind) + b"CORE\0\0\0\0" + data + bytes(-len(data) % 4)


def core(bias, name, what, page):
    status = bytearray(392)
    struct.pack_into("<I", status, 32, 7)
    # X30, SP, PC.
    struct.pack_into("<3Q", status, 112 + 30 * 8, bias + ENTRY + 4, STACK + 64, bias + PLACE)
    entry = bias + ENTRY + (0x40 if "other-entry" in what else 0)
    vector = struct.pack("<10Q", AT_PHDR, bias + 64, AT_PHENT, 56, AT_PHNUM, 1, AT_ENTRY, entry, 0, 0)
    rows = [(0x10000, 0x11000, 0, "/lib/other.so"), (bias, bias + 0x2000, 0, "/usr/bin/" + name)]
    if "two-maps" in what:
        rows.insert(len(rows) - ("other-first" in what),
                    (bias + SECOND, bias + SECOND + 0x1000, 0, "/usr/bin/" + name))
    if "many-maps" in what:
        rows += [(bias + SECOND + 4096 * (SECONDS - 1),) * 2 + (0, "/usr/bin/" + name)] * 300000
    if "twice" in what:
        rows.append((bias + 0x100000, bias + 0x101000, 0, "/opt/" + name))
    count = 1 << 40 if "many-files" in what else len(rows)
    files = struct.pack("<2Q", count, 4096) + b"".join(struct.pack("<3Q", *r[:3]) for r in rows) \
        + b"".join(r[3].encode() + b"\0" for r in rows)
    if "cut-auxv" in what:
        vector = vector[:-24]
    if "cut-file" in what:
        files = files[:-3]
    notes = note(PRSTATUS, bytes(status))
    notes += b"" if "no-auxv" in what else note(AUXV, vector)
    notes += b"" if "no-file" in what else note(FILE, files)
    stack = struct.pack("<16Q", *range(16))
    segments = 3 if page else 2
    at = 64 + segments * 56
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, elffile.EM_AARCH64, 1, 0, 64, 0, 0, 64,
                       56, segments, 0, 0, 0)
    head += struct.pack("<IIQQQQQQ", 4, 0, at, 0, 0, len(notes), 0, 4)
    head += struct.pack("<IIQQQQQQ", 1, 6, at + len(notes), STACK, 0, len(stack), len(stack), 8)
    if page:
        head += struct.pack("<IIQQQQQQ", 1, 4, at + len(notes) + len(stack), bias, 0, len(page), len(page), 4096)
    return head + notes + stack + page


def main(bias, path, out, *what):
    data = program(SECONDS if "many-maps" in what else 1, "build" in what)
    page = bytearray(data[:4096] if "build" in what else b"")
    if "other-build" in what:
        page[BUILD + 16] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    with open(out, "wb") as file:
        file.write(core(int(bias, 0), os.path.basename(path), what, bytes(page)))


if __name__ == "__main__":
    main(*sys.argv[1:])
