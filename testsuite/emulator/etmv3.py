"""Encode a recorded run as an ETMv3 would, which tells of each instruction whether its condition held.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Source: IHI 0014, "Embedded Trace Macrocell Architecture Specification", 7.3 to 7.10; conditions:
DDI 0406, A8.3, ITSTATE: A2.5.2.  Numbers of exceptions of the M profile: DDI 0337, table 14-8.
"""

# Addresses of the M profile are compressed another way (ETMIDR[20]).
REGISTERS = [('ETMCR', 0x000, 0x400), ('ETMTRACEIDR', 0x080, 0x10), ('ETMIDR', 0x079, 0x410cf250),
             ('ETMCCER', 0x07a, 0x18000800)]
REGISTERS_M = [(name, number, 0x4114f250 if name == 'ETMIDR' else value) for name, number, value in REGISTERS]
CORES = {'m4f': 'Cortex-M4F', 'a15': 'Cortex-A7'}       # Which have one.

HALT = 1
NUMBERS = {2: 10, 14: 14}       # SVC and IRQ.
NUMBERS_M = {3: 19, 11: 11, 14: 14, 16: 8, 17: 1}
EVERY = 400                     # Steps between two synchronisations.


def holds(condition, psr):
    n, z, c, v = (psr >> bit & 1 for bit in (31, 30, 29, 28))
    value = (z, c, n, v, c and not z, n == v, n == v and not z, True)[condition >> 1]
    return bool(value) != bool(condition & 1 and condition != 15)


class Encoder:
    def __init__(self, run):
        self.run, self.is_m = run, run.machine.is_m
        self.bytes, self.passed = bytearray(), 0
        (self.low, self.code), = run.flow.sections
        self.last = self.thumb = None

    def is_thumb(self, psr):
        return self.is_m or bool(psr >> 5 & 1)

    def half(self, pc):
        return int.from_bytes(self.code[pc - self.low:pc - self.low + 2], 'little')

    def executes(self, step):
        """Does the condition of the instruction of STEP hold?"""
        first = self.half(step.pc)
        if not self.is_thumb(step.psr):
            return holds(self.half(step.pc + 2) >> 12, step.psr)
        state = (step.psr >> 8 & 0xfc) | step.psr >> 25 & 3
        if state & 15:
            return holds(state >> 4, step.psr)
        if first >> 12 == 13 and first >> 8 & 15 < 14:
            return holds(first >> 8 & 15, step.psr)
        if first & 0xf500 == 0xb100:
            return (step.core[first & 7] == 0) != bool(first & 0x800)
        if first >> 11 == 30:
            second = self.half(step.pc + 2)
            if second & 0xd000 == 0x8000 and first >> 6 & 15 < 14:
                return holds(first >> 6 & 15, step.psr)
        return True

    # Packets.

    def flush(self):
        if self.passed:
            self.bytes.append(0x80 | self.passed << 2)
        self.passed = 0

    def atom(self, passed):
        if passed:
            self.passed += 1
            if self.passed == 15:
                self.flush()
        else:
            self.bytes.append(0xc0 | self.passed << 2)
            self.passed = 0

    def synchronise(self, step, starts):
        self.flush()
        thumb = self.is_thumb(step.psr)
        self.bytes += bytes((0, 0, 0, 0, 0, 0x80, 0x08, starts << 5 | 1))
        self.bytes += (step.pc | thumb).to_bytes(4, 'little')
        self.last, self.thumb = step.pc, thumb

    def branch(self, target, thumb, exception=None):
        self.flush()
        more = exception is not None
        shift, end = 1 if thumb else 2, 6 if self.is_m else 7
        field, changed, count = target >> shift, (target ^ self.last) >> shift, 5
        if thumb == self.thumb and not (more and not self.is_m):
            count = 2 if more else 1
            while count < 5 and changed >> (6 if count == 1 else 6 + 7 * (count - 2) + end):
                count += 1
        self.bytes.append((field & 0x3f) << 1 | 1 | (count > 1) << 7)
        field >>= 6
        for i in range(1, min(count, 4)):
            ends = i == count - 1
            bits = end if ends else 7
            self.bytes.append(field & (1 << bits) - 1 | (0x80 if not ends else more << 6))
            field >>= bits
        if count == 5:
            self.bytes.append((0x10 | field & 15 if thumb else 8 | field & 7) | more << 6)
        self.last, self.thumb = target, thumb
        if more:
            two = exception > 15
            self.bytes.append((exception & 15) << 1 | two << 7)
            if two:
                self.bytes.append(exception >> 4)


def encode(run, traced, halt=False):
    """The bytes of the trace; HALT: that the core halts at the end is traced, where it can be."""
    encoder = Encoder(run)
    numbers = NUMBERS_M if run.machine.is_m else NUMBERS
    steps = run.steps + [run.halt]
    for first, end in traced:
        for i in range(first, end):
            step, after = steps[i], steps[i + 1]
            if i == first or (i - first) % EVERY == 0 and not step.events:
                encoder.synchronise(step, i == first)
            place = run.flow.places[step.pc]
            passed = encoder.executes(step)
            encoder.atom(passed)
            events = after.events
            returns = bool(events) and events[0][0] != 'exception'
            if place.kind == 'indirect' and passed and not returns:
                to, psr = (events[0][2], events[0][3]) if events else (after.pc, after.psr)
                encoder.branch(to, encoder.is_thumb(psr))
            for k, (kind, number, to, psr, _) in enumerate(events):
                if kind == 'exception':
                    target = events[k + 1][2] if k + 1 < len(events) else after.pc
                    encoder.branch(target, encoder.is_thumb(after.psr), numbers[number])
                    continue
                encoder.flush()
                encoder.bytes.append(0x76)
                if kind == 'tail':
                    encoder.branch(to, True, numbers[psr & 511])
                else:
                    encoder.branch(to, True)
        encoder.flush()
    if halt and not run.machine.is_m and traced[-1][1] == len(run.steps):
        encoder.branch(run.halt.pc, encoder.is_thumb(run.halt.psr), HALT)
    return bytes(encoder.bytes)
