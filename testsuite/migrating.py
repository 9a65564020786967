#!/usr/bin/env python3
"""Write a perf.data of threads that move between CPUs: migrating.py FILE SYSROOT SEED [OPTION...]

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

  cpus=N           so many CPUs; else 2
  run=TID:NAME:STEPS:CODE@ADDRESS  a thread of a process of its own, called NAME, that ran what
                   the file STEPS says (a listing of elements of A64 code, of which its ranges
                   are taken), with the memory of the file CODE.  Without any there are three
                   threads of random loops
  again=TID        a thread of another process has this number, too, later
  stamps=WHICH     all (else these): of each slice's first and last waypoint; N: of so many
                   of a hundred, which may leave open what was first; back: they go back; none
  contexts=0       the trace names none
  switches=WHICH   the kernel says when a CPU went on to another thread: all; lost: it says that
                   some are missing; hole: it does not say so
  clock            it says how its times follow from timestamps; other: but the times in the file
                   are of another clock
  stops=N          the trace is stopped and started again about every N rounds; else at the end
  truth=FOLDER     a file for each thread, TID, with the ranges that it ran

A slice is what a thread did on one CPU, before another one came, or after a pause.  The trace is
that of an ETMv4 each, with context IDs.
"""

import os
import random
import re
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perfdata  # noqa: E402

SYNC = bytes(11) + b"\x80\1\0"
ETMV4_MAGIC = 0x4040404040404040
LOST, SWITCH_CPU_WIDE, TIME_CONV = 2, 15, 79
# Of one round, in which each CPU has one slice.
ROUND = 1000
# The kernel's time of a timestamp, in nanoseconds: 40 for each, from ZERO on.
SHIFT, MULT, ZERO = 10, 40 << 10, 5000000


def kernel_time(ticks):
    return ZERO + (ticks * MULT >> SHIFT)


def address(head, value):
    return bytes([head, value >> 2 & 0x7f, value >> 9 & 0x7f]) + (value >> 16).to_bytes(6, "little")


def stamp(value):
    groups = [value >> 7 * i & 0x7f for i in range(9)]
    return b"\2" + bytes(group | 0x80 for group in groups[:8]) + bytes([groups[8]])


class Thread:
    """RANGES: (start, line, executed, indirect), in turn."""

    def __init__(self, tid, name, ranges, code, where):
        self.tid, self.name, self.ranges, self.code, self.where = tid, name, ranges, code, where
        self.at = 0


def loops(number, rng, base):
    """A thread whose path is random, with code of its own at BASE."""
    nops = 1 + number
    # mrs x0, cntvct_el0; cbz over the nops and a branch back; nop; b back.
    code = struct.pack("<II", 0xd53be040, 0xb4000000 | (nops + 2) << 5)
    code += struct.pack("<I", 0xd503201f) * nops + struct.pack("<I", 0x14000000 | -(nops + 2) & 0x3ffffff)
    code += struct.pack("<II", 0xd503201f, 0x14000000 | -(nops + 4) & 0x3ffffff)
    ranges, body, side = [], base + 8, base + 4 + 4 * (nops + 2)
    for _ in range(rng.randrange(200, 400)):
        taken = rng.random() < .5
        ranges.append((base, f"{base:#x} {body:#x} 2 {'E' if taken else 'N'}", taken, False))
        if taken:
            ranges.append((side, f"{side:#x} {side + 8:#x} 2 E", True, False))
        else:
            ranges.append((body, f"{body:#x} {body + 4 + 4 * nops:#x} {nops + 1} E", True, False))
    return Thread(100 + number, f"loop{number}", ranges, code, base)


def read_thread(text):
    tid, name, steps, code = text.split(":", 3)
    path, where = code.rsplit("@", 1)
    ranges = []
    with open(steps) as file:
        for line in file:
            words = line.split()
            if words[:2] == ["R", "A64"]:
                ranges.append((int(words[2], 0), " ".join(words[2:6]), words[5] == "E",
                               words[6] == "IBR"))
    with open(path, "rb") as file:
        return Thread(int(tid), name, ranges, file.read(), int(where, 0))


class Cpu:
    def __init__(self, number, which):
        self.number, self.which, self.bytes = number, which, bytearray(SYNC)
        self.named, self.stops, self.switches = True, [], []

    def switch(self, ticks, old, new):
        """At TICKS go on from thread OLD to NEW."""
        self.switches += [(ticks, 0x2000, old, new), (ticks + 1, 0, new, old)]

    def run(self, thread, begin, rng):
        """Let THREAD run a slice between BEGIN and the end of the round."""
        self.switch(begin + 1, 0, thread.tid)
        self.switch(begin + ROUND - 100, thread.tid, 0)
        end = len(thread.ranges)
        until = min(end, thread.at + rng.randrange(1, max(2, end // 12)))
        ranges = thread.ranges[thread.at:until]
        thread.at = until
        self.bytes += b"\4" + address(0x85, ranges[0][0])
        if self.named:
            self.bytes += b"\xb1" + struct.pack("<I", thread.tid)
        else:
            self.bytes += b"\x31"
        for i, (_, _, executed, indirect) in enumerate(ranges):
            self.bytes += b"\xf7" if executed else b"\xf6"
            if executed and indirect and i + 1 < len(ranges):
                self.bytes += address(0x9d, ranges[i + 1][0])
            ends = i in (0, len(ranges) - 1)
            when = begin + (10 if i == 0 else ROUND - 200)
            if self.which == "all" and ends or self.which.isdigit() and ends and rng.random() < int(self.which) / 100:
                self.bytes += stamp(when)
            elif self.which == "back" and ends:
                self.bytes += stamp(1 << 30 if rng.random() < .5 else when)


def main(out, sysroot, seed, *words):
    options = perfdata.options_of(word for word in words if not word.startswith("run="))
    rng = random.Random(int(seed))
    threads = [read_thread(word[4:]) for word in words if word.startswith("run=")]
    # Without contexts only what is at addresses of its own is known.
    apart = 0x1000 if options.get("contexts") == "0" else 0
    threads = threads or [loops(number, rng, 0x1000 + number * apart) for number in range(3)]
    cpus = [Cpu(i, options.get("stamps", "all")) for i in range(int(options.get("cpus", "2")))]
    for cpu in cpus:
        cpu.named = options.get("contexts") != "0"
    now = 1 << 20
    while any(thread.at < len(thread.ranges) for thread in threads):
        ready = [thread for thread in threads if thread.at < len(thread.ranges)]
        rng.shuffle(ready)
        for cpu, thread in zip(rng.sample(cpus, len(cpus)), ready):
            if rng.random() < .8:
                cpu.run(thread, now, rng)
        # All of a round that is over.
        for cpu in cpus:
            if "stops" in options and rng.random() < 1 / int(options["stops"]):
                cpu.stops.append((len(cpu.bytes), now + ROUND - 50))
        now += ROUND
    for cpu in cpus:
        cpu.stops.append((len(cpu.bytes), now))
    regs = {"TRCCONFIGR": 0x841 if options.get("contexts") != "0" else 0x801, "TRCIDR0": 0x28000ea1, "TRCIDR1": 0x4100f403, "TRCIDR2": 0x488}
    info = [1, 8 << 32 | len(cpus), 0]
    for cpu in cpus:
        regs["TRCTRACEIDR"] = 0x10 + cpu.number
        info += [ETMV4_MAGIC, cpu.number, len(perfdata.ETMV4) + ("clock" in options)]
        info += [regs.get(name, 0) for name in perfdata.ETMV4] + [1] * ("clock" in options)
    data = perfdata.record(perfdata.AUXTRACE_INFO,
                           struct.pack("<II", 3, 0) + struct.pack(f"<{len(info)}Q", *info))
    if "clock" in options:
        data += perfdata.record(TIME_CONV, struct.pack("<QQQQQBB6x", SHIFT, MULT, ZERO, 0, 0, 1, 0))
    for thread in threads:
        pid, name = thread.tid, f"/bin/{thread.name}"
        os.makedirs(sysroot + "/bin", exist_ok=True)
        with open(sysroot + name, "wb") as file:
            file.write(bytes(perfdata.PAGE) + thread.code)
        data += perfdata.sampled(perfdata.COMM, struct.pack("<II", pid, pid)
                                 + perfdata.named(thread.name), 0, perfdata.EXEC, pid)
        data += perfdata.mmap2(pid, thread.where, len(thread.code), name)
    # A thread of another process has that number later.
    if "again" in options:
        data += perfdata.sampled(perfdata.COMM, struct.pack("<II", 999, int(options["again"]))
                                 + perfdata.named("other"), 0, 0, 999)
    for cpu in cpus:
        at = 0
        for end, ticks in cpu.stops:
            perfdata.TIMES[0] = kernel_time(ticks) - 1
            if end > at or "stops" not in options:
                data += perfdata.sampled(perfdata.AUX, struct.pack("<QQQ", at, end - at, 0x100),
                                         cpu.number)
            at = end
        if "switches" not in options:
            continue
        if options["switches"] == "hole":
            del cpu.switches[len(cpu.switches) // 2]
        for ticks, misc, thread, other in cpu.switches:
            perfdata.TIMES[0] = kernel_time(ticks) - 1
            data += perfdata.sampled(SWITCH_CPU_WIDE, struct.pack("<II", other, other), cpu.number,
                                     misc, thread)
        if options["switches"] == "lost":
            data += perfdata.sampled(LOST, struct.pack("<QQ", perfdata.EVENT, 3), cpu.number)
    for cpu in cpus:
        data += perfdata.aux(cpu.number, cpu.number, [bytes(cpu.bytes)])
    with open(out, "wb") as file:
        file.write(perfdata.whole_file(data + perfdata.record(perfdata.FINISHED, b""), {},
                                       "clockid" if options.get("clock") == "other" else ""))
    if "truth" in options:
        os.makedirs(options["truth"], exist_ok=True)
        for thread in threads:
            with open(f"{options['truth']}/{thread.tid}", "w") as file:
                file.write("".join(line + "\n" for _, line, _, _ in thread.ranges))


if __name__ == "__main__":
    main(*sys.argv[1:])
