#!/usr/bin/env python3
"""Write a snapshot of a long loop: longloop.py FOLDER INSTRUCTIONS ROUNDS

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A Cortex-M7 counts in r0, has the rest of INSTRUCTIONS NOPs and goes back, ROUNDS times.  The trace,
an ETMv4's, is a byte a round.  r0 is 0 to begin with, and the core halts at the loop's begin.
"""

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "emulator"))
import etmv4  # noqa: E402

BASE = 0x08000000


def branch(offset):
    """B of 32 bits (DDI 0403, A7.7.12, T4)."""
    sign = offset < 0
    bits = offset & 0x1ffffff
    j1, j2 = ((bits >> 23 & 1) ^ (not sign), (bits >> 22 & 1) ^ (not sign))
    return struct.pack("<HH", 0xf000 | sign << 10 | bits >> 12 & 0x3ff,
                       0x9000 | j1 << 13 | j2 << 11 | bits >> 1 & 0x7ff)


def main(folder, instructions, rounds):
    nops = int(instructions) - 2
    code = b"\x01\x30" + b"\x00\xbf" * nops
    code += branch(-(len(code) + 4))
    trace = bytes(11) + b"\x80\x01\x00\x04"
    # A long address with a context: T32, thread mode, not secure.
    trace += bytes([0x83, BASE >> 1 & 0x7f, BASE >> 8 & 0xff]) + (BASE >> 16).to_bytes(2, "little")
    trace += b"\x20" + b"\xf7" * int(rounds)
    registers = "".join(f"{name}({number:#x})={value:#x}\n"
                        for name, number, value in etmv4.REGISTERS_M)
    files = {
        "code.bin": code, "trace.bin": trace,
        "snapshot.ini": "[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu.ini\n"
                        "device1=etm.ini\n[trace]\nmetadata=trace.ini\n",
        "cpu.ini": f"[device]\nname=cpu_0\nclass=core\ntype=Cortex-M7\n[regs]\nr0={int(rounds):#x}\n"
                   f"r15={BASE:#x}\nxpsr=0x01000000\n[dump0]\nfile=code.bin\naddress={BASE:#x}\n"
                   f"length={len(code)}\n",
        "etm.ini": "[device]\nname=etm_0\nclass=trace_source\ntype=ETM4\n[regs]\n" + registers,
        "trace.ini": "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=ETB\nformat=source_data\n"
                     "file=trace.bin\n[core_trace_sources]\ncpu_0=etm_0\n[source_buffers]\n"
                     "etm_0=ETB\n"}
    os.makedirs(folder, exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb" if isinstance(data, bytes) else "w") as file:
            file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
