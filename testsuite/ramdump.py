#!/usr/bin/env python3
"""Write the memory of a Linux that crashed while it traced: ramdump.py PATH TRACE [OPTION...]

The file PATH becomes an image of physical memory from 0x80000000 on with the trace of the file
TRACE in a reserved region, and the metadata of the sink in another (struct tmc_crash_metadata).

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

  vmcore         as a core file in ELF, whose segments are the two regions
  split          the same, the trace's region in two segments
  crumbs=N       as a core file, the trace filled up to N bytes, in segments of a byte each, the last
                 one first; 62 pages have the metadata again
  full=BYTES     the buffer is full, its oldest byte at BYTES
  etf            the pointers of an ETF: the trace begins at 0
  metadata       a bit of the metadata was lost
  trace          a bit of the trace was lost
  missing        memory ends before the trace does
  pointers       RWP lies behind the buffer
  version        metadata of version 2.0
  raw            the formatter was off"""

import struct
import sys
import zlib

BASE, TRACE, METADATA = 0x80000000, 0x80002000, 0x80001000


def crc(data):
    """What crc32_le of Linux makes of 0."""
    return zlib.crc32(data, 0xffffffff) ^ 0xffffffff


def main(path, trace, *words):
    options = dict(word.partition("=")[::2] for word in words)
    with open(trace, "rb") as file:
        data = file.read()
    length = len(data)
    oldest = int(options.get("full") or 0)
    if "full" in options:
        data = data[length - oldest:] + data[:length - oldest]
    elif "etf" not in options:
        data = data.ljust(int(options.get("crumbs", "4096")), b"\xa5")        # Left from before.
    base = 0 if "etf" in options else TRACE
    rrp = base + oldest
    rwp = rrp if "full" in options else base + length
    if "pointers" in options:
        rwp = base + len(data) + 4
    fields = struct.pack("<8I8xI", crc(data), 0x20000 if "version" in options else 0x10000, 1,
                         len(data) // 4, "full" in options, 0, "raw" not in options, 0, 0)
    fields = fields[:32] + struct.pack("<I5Q", 0, rrp, rwp, base, TRACE, 0) + bytes(16)
    metadata = struct.pack("<I", crc(fields)) + fields
    if "metadata" in options:
        metadata = metadata[:70] + bytes([metadata[70] ^ 8]) + metadata[71:]
    if "trace" in options:
        data = data[:5] + bytes([data[5] ^ 1]) + data[6:]
    if "missing" in options:
        data = data[:16]
    if {"vmcore", "split", "crumbs"} & set(options):
        parts = [(METADATA, metadata), (TRACE, data)]
        if "crumbs" in options:
            parts[1:] = [(TRACE + i, data[i:i + 1]) for i in reversed(range(len(data)))]
            parts.append((METADATA + 0x10000000, metadata.ljust(4096, b"\0") * 62))
        if "split" in options:
            parts[1:] = [(TRACE + 20, data[20:]), (TRACE, data[:20])]
        head = bytearray(struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, 183, 1, 0, 64, 0, 0,
                                     64, 56, len(parts), 0, 0, 0))
        at = 64 + 56 * len(parts)
        for address, content in parts:
            head += struct.pack("<IIQQQQQQ", 1, 7, at, address + 0xffff000000000000, address,
                                len(content), len(content), 1)
            at += len(content)
        image = head + b"".join(content for _, content in parts)
    else:
        image = bytes(METADATA - BASE) + metadata.ljust(TRACE - METADATA, b"\0") + data
    with open(path, "wb") as file:
        file.write(image)


main(*sys.argv[1:])
