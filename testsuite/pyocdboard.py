#!/usr/bin/env python3
"""A scripted board (board.py) behind pyOCD's own GDB server: pyocdboard.py PORT CASE [OPTION...]

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

What takes the place of the probe and the chip is an access port: memory, the components of the
board, and the registers of debugging by which pyOCD reads those of the core (DDI 0403, C1.6).
--cfbp=VALUE is what CONTROL, FAULTMASK, BASEPRI and PRIMASK are together (else 0).
With --found pyOCD can be used (status 0), and nothing is served."""

import importlib.util
import os
import sys
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import board  # noqa: E402

DHCSR, DCRSR, DCRDR, SYSTEM = 0xe000edf0, 0xe000edf4, 0xe000edf8, 0xe000e000
CFBP = 20
HALTED, READY = 1 << 17, 1 << 16
# By their numbers; the last one is MSP, which SP is in a handler.
NAMES = board.NAMES32 + ["xpsr", "sp"]


class AccessPort:
    """What the core's memory access port reads and writes."""

    def __init__(self, scripted, error, cfbp):
        self.board, self.error, self.cfbp, self.selected = scripted, error, cfbp, 0

    def word(self, at):
        if at == DHCSR:
            return HALTED | READY
        if at == DCRDR and self.selected == CFBP:
            return self.cfbp
        if at == DCRDR:
            name = NAMES[self.selected] if self.selected < len(NAMES) else ""
            return self.board.cores[0][1].get(name, 0)
        try:
            return int.from_bytes(self.board.memory(0, at, 4), "little")
        except LookupError:
            if at & ~0xfff == SYSTEM:
                return 0
            raise self.error(at)

    def read_memory(self, at, size=32, now=True):
        value = self.word(at & ~3) >> 8 * (at & 3) & (1 << size) - 1
        return value if now else lambda: value

    def write_memory(self, at, value, size=32):
        if at == DCRSR:
            self.selected = value & 0x7f
        elif at & ~0xfff in self.board.parts:
            self.board.parts[at & ~0xfff].write(at & 0xfff, value)

    def read_memory_block32(self, at, count):
        return [self.word(at + 4 * i) for i in range(count)]

    def write_memory_block32(self, at, words):
        for i, word in enumerate(words):
            self.write_memory(at + 4 * i, word)

    def read_memory_block8(self, at, count):
        return [self.read_memory(at + i, 8) for i in range(count)]

    def write_memory_block8(self, at, values):
        pass


def main(port, case, *words):
    from pyOCD.core import exceptions, memory_map
    from pyOCD.coresight.cortex_m import CortexM
    from pyOCD.gdbserver.gdbserver import GDBServer
    options = dict(word[2:].partition("=")[::2] for word in words)
    scripted = board.Board(case, options)
    regions = [memory_map.RamRegion(start=at, length=len(data), name="ram%#x" % at)
               for at, data in scripted.cores[0][2]]
    session = types.SimpleNamespace(options={}, board=None,
                                    probe=types.SimpleNamespace(flush=lambda: None))
    root = types.SimpleNamespace(session=session)
    core = CortexM(root, AccessPort(scripted, exceptions.TransferFaultError,
                                    int(options.get("cfbp", "0"), 0)),
                   memory_map.MemoryMap(*regions))
    core.cores = [core]
    core.flash = None
    core.init()
    from pyOCD.debug.context import DebugContext
    core.set_root_context = lambda *args: None
    core.get_target_context = lambda core_=None, core=None: context
    context = DebugContext(core)
    served = types.SimpleNamespace(target=core, flash=None, session=session, uninit=lambda: None)
    session.board = served
    server = GDBServer(served, int(port), {"semihost_console_type": "console"})
    server.join()


if __name__ == "__main__":
    if sys.argv[1:] == ["--found"]:
        sys.exit(importlib.util.find_spec("pyOCD") is None)
    main(*sys.argv[1:])
