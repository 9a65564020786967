"""Encode a recorded run as an ETMv4 would, in the plainest way.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Source: IHI 0064, "Arm Embedded Trace Macrocell Architecture Specification ETMv4", 6.4.
The trace ends with a waypoint.
"""

REGISTERS = [('TRCCONFIGR', 0x004, 0x1), ('TRCTRACEIDR', 0x010, 0x10),
             ('TRCAUTHSTATUS', 0x3ee, 0xcc), ('TRCIDR0', 0x078, 0x28000ea1),
             ('TRCIDR1', 0x079, 0x4100f403), ('TRCIDR2', 0x07a, 0x488),
             ('TRCIDR8', 0x060, 0), ('TRCIDR9', 0x061, 0), ('TRCIDR10', 0x062, 0),
             ('TRCIDR11', 0x063, 0), ('TRCIDR12', 0x064, 1), ('TRCIDR13', 0x065, 0)]

# Of an M-profile core.
REGISTERS_M = [(name, number, {'TRCIDR1': 0x4100f423, 'TRCIDR2': 4}.get(name, value))
               for name, number, value in REGISTERS]
HALT, HALT_M = 1, 24            # "Debug halt" of the profiles.
TAIL_CHAIN = 0xfffffffe         # M profile: an exception instead of a return.


class Encoder:
    def __init__(self, machine):
        self.a64, self.secure = machine.a64, machine.name == 'm33'
        # A-Sync, Trace Info, Trace On.
        self.bytes = bytearray(11) + b'\x80' + b'\x01\x00' + b'\x04'
        self.context = None

    def address(self, address, thumb, level):
        """Where what follows begins: a long address, with the context where it changed."""
        context = (level, thumb) if self.context is None or self.context[0] != level else None
        wide = self.a64
        self.bytes.append(((0x85 if wide else 0x82) if context else (0x9d if wide else 0x9a))
                          + thumb)
        low = [address >> 1 & 0x7f, address >> 8 & 0xff] if thumb else \
            [address >> 2 & 0x7f, address >> 9 & 0x7f]
        self.bytes += bytes(low) + (address >> 16).to_bytes(6 if wide else 2, 'little')
        if context:
            self.bytes.append(level | self.a64 << 4 | (not self.secure) << 5)
            self.context = (level, thumb)

    def atom(self, taken):
        self.bytes.append(0xf6 | taken)

    def exception(self, number):
        self.bytes += bytes((0x06, 0x01 | number << 1))


def windows(run, r, last):
    """(first, end) of the steps that are traced: the LAST ones; 0: all or, now and then, with a gap."""
    count = len(run.steps)
    if 0 < last < count:
        first = count - last
        while run.steps[first].events:
            first += 1
        return [(first, count)]
    if count < 60 or r.random() < 0.7:
        return [(0, count)]
    # Trace ends with a waypoint, and begins anywhere but behind an exception.
    end = r.randrange(count // 8, count // 2)
    while run.flow.places[run.steps[end - 1].pc].kind is None or run.steps[end].events:
        end += 1
    first = end + r.randrange(1, 40)
    while first < count and run.steps[first].events:
        first += 1
    return [(0, end), (first, count)] if first < count else [(0, count)]


def encode(run, traced, halt=False):
    """The bytes of the trace; HALT: that the core halts at the end is traced."""
    machine = run.machine
    encoder = Encoder(machine)

    def mode(psr):
        if machine.is_m:
            return 1, 0
        if machine.a64:
            return 0, psr >> 2 & 3
        return psr >> 5 & 1, 0 if psr & 31 == 16 else 1

    steps = run.steps + [run.halt]
    for window, (first, end) in enumerate(traced):
        if window:
            encoder.bytes += b'\x04'            # Trace On.
            encoder.context = None
        waiting = True                          # For an address.
        for step, after in zip(steps[first:end], steps[first + 1:end + 1]):
            if waiting:
                encoder.address(step.pc, *mode(step.psr))
                waiting = False
            place = run.flow.places[step.pc]
            fall = step.pc + place.size
            reached = after.events[0][2] if after.events else after.pc
            if place.kind is not None:
                taken = reached != fall or place.always
                encoder.atom(taken)
                waiting = place.kind == 'indirect' and taken
            elif not after.events and reached != fall:
                raise ValueError('at %x nothing branches' % step.pc)
            for kind, number, to, psr, _ in after.events:
                if kind == 'exception':
                    if waiting:
                        encoder.address(to, *mode(psr))
                    encoder.exception(number)
                    encoder.address(to, *mode(psr))
                elif kind == 'tail':
                    encoder.exception(psr & 511)
                    encoder.address(TAIL_CHAIN, 1, 0)
                else:
                    encoder.bytes.append(0x07)
                waiting = True
    if halt and traced[-1][1] == len(run.steps):
        where = run.halt.pc, *mode(run.halt.psr)
        if waiting:
            encoder.address(*where)
        encoder.exception(HALT_M if machine.is_m else HALT)
        encoder.address(*where)
    return bytes(encoder.bytes)
