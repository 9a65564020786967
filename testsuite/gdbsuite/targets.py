"""The cores on which programs of GDB's test suite are recorded.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'emulator'))

from machine import MACHINES, Machine                           # noqa: E402


class Target:
    """A machine of ../emulator, and how programs are compiled for it and served.  frame: GDB's name
    of the frame pointer.  etm: the trace is an ETMv4's, else an MTB's."""

    def __init__(self, machine, flags, frame, etm=True, stub=(), library=None):
        self.machine, self.flags, self.frame, self.etm = machine, flags, frame, etm
        self.stub, self.library = stub, library
        self.tools, self.triplet = ('aarch64-linux-gnu-', 'aarch64-none-elf') if machine.a64 else \
            ('arm-none-eabi-', 'arm-none-eabi')


def plain(name, core=None):
    """A machine without FP registers: nothing asks for them at each step."""
    m = MACHINES[name]
    return Machine(name, m.qemu, m.options, core or m.core, m.code, m.ram, is_m=m.is_m, a64=m.a64,
                   xml=m.xml, scratch=m.scratch, backend_base=m.backend_base)


TARGETS = {
    'm33': Target(plain('m33', 'Cortex-M33'), ['-mcpu=cortex-m33+nofp', '-mthumb'], 'r7',
                  stub=['--start=reset']),
    # What ran before the first branch is in no MTB.
    'm0': Target(plain('m0'), ['-mcpu=cortex-m0plus', '-mthumb'], 'r7', etm=False),
    # With registers of floating point, and arguments in them.
    'm4f': Target(MACHINES['m4f'], ['-mcpu=cortex-m4', '-mfpu=fpv4-sp-d16', '-mfloat-abi=hard',
                                    '-mthumb'], 'r7', stub=['--start=reset']),
    'a32': Target(plain('a32'), ['-mcpu=cortex-a32+nofp', '-mfloat-abi=soft', '-marm'], 'r11'),
    't32': Target(plain('a32'), ['-mcpu=cortex-a32+nofp', '-mfloat-abi=soft', '-mthumb'], 'r7'),
    # Nobody packs a C library for a bare core of it.
    'a64': Target(plain('a64'), ['-mcpu=cortex-a57', '-mstrict-align', '-fno-pie'], 'x29', library='library.c'),
}
