"""What a core file that GDB writes does not have.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A core file cannot say that something is not known: "generate-core-file" writes 0 for a register that
the stub does not tell, the poison for one that it had to tell something of, 0 for memory that cannot be
read, and the filling where the stub fills.  Whatever reads the file takes all of that for values.
"""
import re

import gdb

from . import partly, refresh, unknown

# "[1]  0x20000000->0x20000030 at 0x00002000: .data ALLOC ..."
SECTION = re.compile(r'\s*\[\d+\]\s+(0x[0-9a-f]+)->(0x[0-9a-f]+) at ')

# The stub counts in so many bytes at a time.
PIECE = 1 << 20


def unknown_registers():
    """The names of general registers of the selected thread that are not known."""
    bits = unknown.variable('unknown_registers') or 0
    missing = unknown.listed(bits)
    frame = gdb.newest_frame()
    for register in frame.architecture().registers('general'):
        try:
            frame.read_register(register.name).fetch_lazy()
        except gdb.error:
            if register.name not in missing:
                missing.append(register.name)
    return missing


def extents():
    """The memory that GDB writes: sections that are loaded, and the stack; as (first, end)."""
    found = []
    for line in gdb.execute('maintenance info sections ALLOC', to_string=True).splitlines():
        section = SECTION.match(line)
        if section:
            found.append((int(section[1], 16), int(section[2], 16)))
    try:
        oldest = newest = gdb.newest_frame()
        while oldest.older() is not None:
            oldest = oldest.older()
        ends = [int(frame.read_register('sp')) & 0xffffffffffffffff for frame in (newest, oldest)]
        found.append((min(ends), max(ends)))
    except gdb.error:
        pass                    # GDB then has no stack to write either.
    return found


def merged(pieces):
    """PIECES without what lies in two of them."""
    end = 0
    for first, last in sorted(pieces):
        if max(first, end) < last:
            yield max(first, end), last
        end = max(end, last)


def unknown_bytes():
    """How many bytes the stub does not know of the memory that GDB writes."""
    count = 0
    connection = gdb.selected_inferior().connection
    for first, end in merged(extents()):
        for at in range(first, end, PIECE):
            reply = connection.send_packet('qTracebridge.Unknown:%x,%x' % (at, min(PIECE, end - at)))
            count += int(reply, 16)
    return count


def warn():
    """A core file is to be written: tell what it will have wrong."""
    if refresh.ask() is None:
        return
    level = gdb.selected_frame().level()
    here = gdb.selected_thread()
    told = []
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
        thread.switch()
        missing = unknown_registers()
        if missing:
            told.append('registers %s%s' % (' '.join(missing),
                                            '' if len(gdb.selected_inferior().threads()) == 1
                                            else ' of thread %d' % thread.num))
    here.switch()
    count = unknown_bytes()
    if count:
        told.append('%d byte%s of memory' % (count, '' if count == 1 else 's'))
    gdb.newest_frame().select()
    partly.select(level)
    if told:
        gdb.write('warning: Not known here: %s.  The core file has 0 or 0xbad00bad there (and 0 for all of '
                  'a section that GDB cannot read), which whatever reads it takes for values; tracebridge, '
                  'too.\n' % '; '.join(told), gdb.STDERR)


def register():
    gdb.execute('define hook-generate-core-file\npython __import__("tracebridge.core").core.warn()\nend',
                to_string=True)
