"""Asking the stub from where GDB is in the middle of something.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Unwinders and printers of values run while GDB unwinds or shows a frame.  The connection's
send_packet makes GDB (to 13, at least) forget all frames then, also the one that it is at.
gdb.execute, and so "maintenance packet", does the commands of the breakpoint that GDB is
telling of.  Either way GDB crashes.  Reading a convenience variable does neither: the stub gives
what is asked as $_sdata (see gdbstub/learned.c).  Other targets have no such variable, or another
one.
"""
import gdb

# The stub's lines behind the first, by which it is known.
INTERRUPTED, CALLERS, KNOWN = 1, 2, 3

# The stub tells of so many bytes at a time.
PIECE = 0x400

# The numbers of connections to the stub.
stubs = set()


def answers():
    """The lines of the stub's answer; None where something else is debugged."""
    # A GDB without packets for Python (before 12) has other unwinders, too.
    if not hasattr(gdb, 'RemoteTargetConnection') or not isinstance(
            gdb.selected_inferior().connection, gdb.RemoteTargetConnection):
        return None
    # The stub says of each thread what it does.  Servers that do not may not answer at all to a
    # request that they do not know, and GDB waits (pyOCD).  GDB before 13 cannot tell.
    thread = gdb.selected_thread()
    if thread is None or not getattr(thread, 'details', True):
        return None
    try:
        data = gdb.convenience_variable('_sdata')
        if data is None or data.type.code != gdb.TYPE_CODE_ARRAY:
            return None
        first, last = data.type.range()
        text = bytes(int(data[i]) & 0xff for i in range(first, last + 1)).decode('latin-1')
    except gdb.error:
        return None
    lines = text.split('\n')
    if lines[0] != 'tracebridge' or len(lines) <= KNOWN:
        return None
    stubs.add(gdb.selected_inferior().connection.num)
    return lines


def known(address, length):
    """What the stub knows of LENGTH bytes at ADDRESS, at most PIECE: a digit for each, 0 if it is not
    known; "OK" if it has never told GDB of bytes that are not known, "" if that cannot be had.
    None: there is no stub."""
    # Of a real target to read may change something.
    if getattr(gdb.selected_inferior().connection, 'num', None) not in stubs and answers() is None:
        return None
    try:
        gdb.selected_inferior().read_memory(address, length)
    except gdb.error:
        pass                    # The stub refuses a piece of which it knows nothing.
    lines = answers()
    if lines is None:
        return None
    at, size, digits = lines[KNOWN].split(',')
    return digits if (int(at, 16), int(size, 16)) == (address, length) or digits == 'OK' else ''
