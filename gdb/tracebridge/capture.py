"""What a snapshot takes from the target that GDB is connected to.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
import os
import tempfile

import gdb

from . import components, unknown

CHUNK = 1 << 16


def read(address, size):
    """SIZE bytes at ADDRESS as the selected core has them.  Inferior.read_memory of GDB 16 asks
    any thread of the process, and cores may have different memory at one address.  The command
    takes a file's name up to the first blank, and numbers as the language has them."""
    with tempfile.TemporaryDirectory() as folder:
        here = os.open('.', os.O_RDONLY | os.O_DIRECTORY)
        os.chdir(folder)
        try:
            gdb.execute('dump binary memory memory %d %d' % (address, address + size),
                        to_string=True)
            with open('memory', 'rb') as file:
                return file.read()
        finally:
            os.fchdir(here)
            os.close(here)


def memory(address, size):
    """SIZE bytes at ADDRESS, or gdb.GdbError."""
    parts = []
    for at in range(address, address + size, CHUNK):
        length = min(CHUNK, address + size - at)
        try:
            parts.append(read(at, length))
        except gdb.error as error:
            raise gdb.GdbError('Cannot read 0x%x to 0x%x of the target: %s'
                               % (at, at + length - 1, error)) from None
        # A stub that fills what it does not know has no dump to give.
        missing = unknown.first_unknown(at, length)
        if missing is not None:
            raise gdb.GdbError('Cannot read 0x%x to 0x%x of the target: 0x%x is not known'
                               % (at, at + length - 1, missing))
    return b''.join(parts)


def readable(address, size):
    """How many bytes from ADDRESS on, up to SIZE, can be read, and what they are."""
    good, bad, content = 0, size, b''
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            content, good = memory(address, middle), middle
        except gdb.GdbError:
            bad = middle
    return content


def available(start, end, starts):
    """What can be read of START to END: address and bytes of each part, and a line for each that is
    left out.  Behind a place that cannot be read it goes on at the next one of STARTS."""
    parts, told, at, begin = [], [], start, start
    content = b''
    while at < end:
        length = min(CHUNK, end - at)
        try:
            content += memory(at, length)
            at += length
            continue
        except gdb.GdbError as error:
            if not gdb.selected_inferior().pid:
                raise
            rest = readable(at, length)
            content += rest
            at += len(rest)
            behind = min([place for place in starts if at < place < end], default=end)
            told.append('Left out: 0x%x to 0x%x. %s' % (at, behind - 1, error))
        if content:
            parts.append((begin, content))
        at = begin = behind
        content = b''
    if content:
        parts.append((begin, content))
    return parts, told


def word(address):
    """The word at ADDRESS, or gdb.GdbError."""
    return int.from_bytes(memory(address, 4), 'little')


def core_registers():
    """Name and value of each register that a snapshot of a core has; its kind: 'a64',
    'm' or 'a32'."""
    frame = gdb.newest_frame()
    architecture = frame.architecture()
    available = {register.name for register in architecture.registers()}
    if architecture.name().startswith('aarch64'):
        kind = 'a64'
        names = [('x%d' % i, 'X%d' % i) for i in range(31)] + [
            ('sp', 'SP'), ('pc', 'PC'), ('cpsr', 'CPSR')]
    else:
        kind = 'm' if 'xpsr' in available else 'a32'
        names = [('r%d' % i, 'R%d' % i) for i in range(13)] + [
            ('sp', 'SP'), ('lr', 'LR'), ('pc', 'PC')]
        names.append(('xpsr', 'xPSR') if kind == 'm' else ('cpsr', 'CPSR'))
        # The banks of the M profile, where the target shows them.
        names += [(name, name.upper()) for name in ('msp', 'psp', 'control', 'primask')
                  if name in available]
    found = []
    for name, title in names:
        try:
            value = frame.read_register(name)
            number = int(value.cast(gdb.lookup_type('unsigned long long'))
                         if value.type.code == gdb.TYPE_CODE_PTR else value)
        except (gdb.error, ValueError) as error:
            raise gdb.GdbError('The target does not give register %s: %s'
                               % (name, error)) from None
        size = 64 if kind == 'a64' and name != 'cpsr' else 32
        found.append((title, size, number & (1 << size) - 1))
    return kind, found


def core_type(kind):
    """What to call the core, if nobody says."""
    if kind == 'm':
        try:
            name = components.m_profile_core(word(components.CPUID))
        except gdb.GdbError:
            name = None
        if name is None:
            raise gdb.GdbError('The core does not tell what it is: say so, as in "core Cortex-M4".')
        return name
    return 'ARMv8-A' if kind == 'a64' else 'ARMv7-A'


def mtb_area(registers):
    """Address and size of the trace area of the MTB with these REGISTERS."""
    value = {name: content for name, _, content in registers}
    size = 1 << (value['MASTER'] & 0x1f) + 4
    return value['BASE'] + (value['POSITION'] & ~(size - 1) & 0xfffffff8) & 0xffffffff, size
