"""What trace sinks hold: ETB, and TMC as ETB, ETF and ETR.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Sources: ETB: DDI 0314, 9.3 to 9.11.  TMC: DDI 0461, 2.2 (states), 3.3 (registers).  A sink
that captures is flushed, stopped and disabled; then its memory can be read from any place
by RRP and RRD, as often as one likes.
"""
import collections
import time

import gdb

from . import capture

# Registers at the same place in both.
STS, RRD, RRP, RWP, CTL, FFSR, FFCR = 0x00c, 0x010, 0x014, 0x018, 0x020, 0x300, 0x304
LAR, LSR, DEVID = 0xfb0, 0xfb4, 0xfc8
# RSZ: words; of an ETB it is called RDP.
RSZ = 0x004
# TMC alone.
MODE, RRPHI, RWPHI, AXICTL, DBALO, DBAHI = 0x028, 0x038, 0x03c, 0x110, 0x118, 0x11c

CAPTURE, FULL, READY, FT_STOPPED = 1 << 0, 1 << 0, 1 << 2, 1 << 1
STOP_ON_FLUSH, FLUSH, FORMAT = 1 << 12, 1 << 6, 1 << 0
SCATTER = 1 << 7
HARDWARE_FIFO = 2

ETB_PART = 0x907
UNLOCK = 0xc5acce55
FRAME = 16

# What a sink is, and its trace, oldest byte first, whether in frames.
Trace = collections.namedtuple('Trace', 'kind data formatted')

# Seconds that a flush may take, and the most that a sink may say it has.
PATIENCE = 2
MOST = 1 << 28


class Sink:
    """The sink whose registers are at BASE of BUS; PART: its part number."""

    def __init__(self, bus, base, part):
        self.bus, self.base = bus, base
        self.is_etb = part == ETB_PART
        self.kind = 'ETB' if self.is_etb else (
            'ETB', 'ETR', 'ETF', 'TMC')[self.get(DEVID) >> 6 & 3]

    def get(self, register):
        return self.bus.word(self.base + register)

    def put(self, register, value):
        self.bus.write(self.base + register, value)

    def fail(self, why):
        raise gdb.GdbError('The %s at 0x%x %s.' % (self.kind, self.base, why))

    def wait(self, register, mask, value, what):
        end = time.monotonic() + PATIENCE
        while self.get(register) & mask != value:
            if time.monotonic() > end:
                self.fail(what)

    def stop(self):
        """Flush what is on its way, and end the capture; the pointers stay."""
        if self.get(LSR) & 3 == 3:
            self.put(LAR, UNLOCK)
        formatter = self.get(FFCR)
        if self.get(CTL) & CAPTURE:
            if not (self.get(FFSR) & FT_STOPPED):
                self.put(FFCR, formatter | STOP_ON_FLUSH)
                self.put(FFCR, formatter | STOP_ON_FLUSH | FLUSH)
                self.wait(FFCR, FLUSH, 0, 'does not end a flush')
            if not self.is_etb:
                self.wait(STS, READY, READY, 'does not stop')
        return bool(formatter & FORMAT)

    def pointer(self, low, high, base):
        """The offset of a pointer in the buffer, in bytes."""
        value = self.get(low)
        if self.is_etb:
            return value * 4
        if self.kind == 'ETR':
            return (value | self.get(high) << 32) - base
        return value

    def read(self, by_memory):
        """The Trace; None where the sink has none, or only passes it on.  BY_MEMORY: the
        core has an ETR's buffer at the addresses that the ETR has."""
        if not self.is_etb and self.get(MODE) & 3 == HARDWARE_FIFO:
            return None
        base = 0
        if self.kind == 'ETR':
            if self.get(AXICTL) & SCATTER:
                self.fail('has its buffer in pieces (scatter-gather), which is not followed; '
                          'save the trace by other means and give it with "buffer"')
            base = self.get(DBALO) | self.get(DBAHI) << 32
        formatted = self.stop()
        size = self.get(RSZ) * 4
        end, full = self.pointer(RWP, RWPHI, base), bool(self.get(STS) & FULL)
        if not 0 <= end <= size <= MOST:
            self.fail('says that it has 0x%x bytes and writes at 0x%x of them' % (size, end))
        if self.get(CTL) & CAPTURE:
            self.put(CTL, 0)
            self.wait(*((FFSR, FT_STOPPED, FT_STOPPED) if self.is_etb else (STS, READY, READY)),
                      'does not end its capture')
        # The frame that is being written is no whole one: its older bytes are gone.
        first = -(-end // FRAME) * FRAME if formatted else end
        parts = [(first, size), (0, end)] if full else [(0, end)]
        data = b''.join(self.bytes(base, start, stop, by_memory) for start, stop in parts
                        if start < stop)
        return Trace(self.kind, data, formatted) if data else None

    def bytes(self, base, start, stop, by_memory):
        """From START to STOP of the buffer, which is not capturing."""
        if self.kind == 'ETR' and by_memory:
            return capture.memory(base + start, stop - start)
        # A pointer is set to whole words of the memory, of up to 32 bytes.
        begin = start // 32 * 32
        at = base + begin
        if self.kind == 'ETR':
            self.put(RRPHI, at >> 32)
        self.put(RRP, begin // 4 if self.is_etb else at & 0xffffffff)
        words = [self.get(RRD) for _ in range(begin, stop, 4)]
        data = b''.join(word.to_bytes(4, 'little') for word in words)
        return data[start - begin:stop - begin]
