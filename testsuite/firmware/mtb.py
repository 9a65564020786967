"""Encode a recorded run as a Micro Trace Buffer would.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Source: "CoreSight MTB-M0+ Technical Reference Manual" (ARM DDI 0486), 2.3.1 and 3.2.
"""
import struct

A_BIT = S_BIT = 1
WRAP = 4
ENABLE = 1 << 31


class Packet:
    """source and destination words; step: number of the first step after it."""

    def __init__(self, source, destination, step):
        self.source, self.destination, self.step = source, destination, step


def between(before, after, number):
    """The packets of the transition from step BEFORE to step AFTER, number NUMBER."""
    if after.exc_return:
        # A return is two packets; where the next handler runs at once
        # (tail-chaining), the second leads there.
        value = after.exc_return & ~1
        return [Packet(before.pc, value, number), Packet(value | A_BIT, after.pc, number)]
    packets = []
    if after.exception:
        if after.stacked != before.pc + before.size:
            packets.append(Packet(before.pc, after.stacked, number))
        packets.append(Packet(after.stacked | A_BIT, after.pc, number))
    elif after.pc != before.pc + before.size:
        packets.append(Packet(before.pc, after.pc, number))
    return packets


class Trace:
    """The buffer at the halt, and which steps it tells of.

    on: [first, end) pairs of step numbers during which tracing is on.  mask: MASTER.MASK,
    for a buffer of 2^(mask + 4) bytes.  block: offset of the buffer in the SRAM.
    transition: makes packets as between does."""

    def __init__(self, steps, on, mask, base, block=0, transition=between):
        length = 1 << mask + 4
        packets, starts = [], []
        for first, end in on:
            for number in range(max(first, 1), min(end, len(steps))):
                new = transition(steps[number - 1], steps[number], number)
                if new and (not starts or starts[-1][0] < first):
                    new[0].destination |= S_BIT
                    starts.append((number, len(packets)))
                packets += new
        self.total = len(packets)
        kept = packets[-(length // 8):]
        self.wrapped = len(kept) < len(packets) or len(kept) == length // 8
        self.lead_in = kept[0].source
        self.bytes = bytearray(length)
        dropped = len(packets) - len(kept)
        for number, packet in enumerate(kept, dropped):
            struct.pack_into('<2I', self.bytes, 8 * number % length,
                             packet.source, packet.destination)
        position = 8 * len(packets) % length + block
        self.registers = [('POSITION', 0, position | (WRAP if self.wrapped else 0)),
                          ('MASTER', 1, ENABLE | mask), ('FLOW', 2, 0), ('BASE', 3, base)]
        # A window begins where its first packet leads and ends with the last
        # instruction that made a packet; the last one goes on to the halt.
        cuts = [0] + [at - dropped for _, at in starts if at > dropped] + [len(kept)]
        self.windows = []
        for i, (low, high) in enumerate(zip(cuts, cuts[1:])):
            last = i == len(cuts) - 2
            self.windows.append((kept[low].step, len(steps) if last else kept[high - 1].step))
