#!/usr/bin/env python3
"""Write a snapshot of many calls: manycalls.py FOLDER SHORT LONG

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A Cortex-M0+ calls, in one loop, a function of one instruction SHORT times, and then one of 21
instructions LONG times.  The trace is an MTB's, and begins at the first call.
"""

import os
import struct
import sys

CALL, SHORT, LONG, NOPS = 0x100, 0x120, 0x140, 20


def main(folder, short, long):
    code = bytearray(b"\x00\xbf" * 0x100)
    # ldr r0, [r1]; adds r1, #4; blx r0; b CALL
    struct.pack_into("<4H", code, CALL, 0x6808, 0x3104, 0x4780, 0xe7fb)
    struct.pack_into("<H", code, SHORT, 0x4770)                 # bx lr
    struct.pack_into("<H", code, LONG + 2 * NOPS, 0x4770)
    call, back = CALL + 4, CALL + 6

    def rounds(function, last):
        return struct.pack("<6I", call, function, last, back, back, CALL)
    trace = bytearray(rounds(SHORT, SHORT) * int(short) + rounds(LONG, LONG + 2 * NOPS) * int(long))
    trace[4] |= 1                       # Tracing starts.
    files = {
        "code.bin": code, "trace.bin": trace,
        "snapshot.ini": "[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu.ini\ndevice1=mtb.ini\n"
                        "[trace]\nmetadata=trace.ini\n",
        "cpu.ini": f"[device]\nname=cpu_0\nclass=core\ntype=Cortex-M0+\n[regs]\nr15={CALL:#x}\n"
                   f"xpsr=0x01000000\n[dump0]\nfile=code.bin\naddress=0\nlength={len(code)}\n",
        "mtb.ini": f"[device]\nname=mtb_0\nclass=trace_source\ntype=MTB\n[regs]\n"
                   f"MTB_POSITION={len(trace):#x}\nMTB_MASTER=0x80000014\n",
        "trace.ini": "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=MTB\nformat=source_data\n"
                     "file=trace.bin\n[core_trace_sources]\ncpu_0=mtb_0\n[source_buffers]\n"
                     "mtb_0=MTB\n"}
    os.makedirs(folder, exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(folder, name), "w" if isinstance(data, str) else "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
