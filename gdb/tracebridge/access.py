"""How the registers of components are read and written.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import contextlib
import re

import gdb

from . import capture


@contextlib.contextmanager
def everywhere():
    """Let GDB read what the target's memory map leaves out: that of pyOCD names flash and RAM
    alone, and not where components are."""
    setting = 'mem inaccessible-by-default'
    strict = gdb.parameter(setting)
    gdb.execute('set %s off' % setting)
    try:
        yield
    finally:
        gdb.execute('set %s %s' % (setting, 'on' if strict else 'off'))


class Memory:
    """Components that the core has in its own memory, as those of the M profile have."""

    word = staticmethod(capture.word)

    @staticmethod
    def write(address, value):
        try:
            gdb.selected_inferior().write_memory(address, value.to_bytes(4, 'little'))
        except gdb.MemoryError as error:
            raise gdb.GdbError('Cannot write the register at 0x%x: %s'
                               % (address, error)) from None


class Monitor:
    """Components behind an access port of their own, by OpenOCD's commands for its target
    NAME: mdw and mww."""

    def __init__(self, name):
        self.name = name

    def _run(self, command):
        try:
            return gdb.execute('monitor %s %s' % (self.name, command), to_string=True)
        except gdb.error as error:
            raise gdb.GdbError('"monitor %s %s" fails: %s'
                               % (self.name, command, error)) from None

    def word(self, address):
        text = self._run('mdw 0x%x' % address)
        match = re.search(r'0x([0-9a-f]+): +([0-9a-f]{8})\b', text, re.IGNORECASE)
        if match is None or int(match.group(1), 16) != address:
            raise gdb.GdbError('"monitor %s mdw 0x%x" should print the address and a word; '
                               'it prints "%s"' % (self.name, address, text.strip()))
        return int(match.group(2), 16)

    def write(self, address, value):
        self._run('mww 0x%x 0x%x' % (address, value))
