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
INTERRUPTED, CALLERS, KNOWN, FRAME, REFUSED = 1, 2, 3, 4, 5

# The stub tells of so many bytes at a time.
PIECE = 0x400

# Single bytes so far from a piece, in this order, are read before it where what is not known of it gets
# marked (see gdbstub/memory.c).  They are in the same eight bytes.
KNOCKS = 2, 7, 1, 4

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
    if lines[0] != 'tracebridge' or len(lines) <= REFUSED:
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
    digits = asked(address, length, ())
    if digits is None or digits == 'OK' or '0' not in digits.ljust(length, '0'):
        return digits
    # What is not known is going to be marked: the stub need not tell of it.  An unwinder may ask just
    # after a user's read, and marks nothing, so it is not to be taken for this.
    return asked(address, length, KNOCKS)


def asked(address, length, knocks):
    """What the stub says of a piece of memory that is read after single bytes at KNOCKS from it."""
    for at, size in [(address ^ knock, 1) for knock in knocks] + [(address, length)]:
        try:
            gdb.selected_inferior().read_memory(at, size)
        except gdb.error:
            pass                # The stub refuses a piece of which it knows nothing.
    lines = answers()
    if lines is None:
        return None
    at, size, digits = lines[KNOWN].split(',')
    return digits if (int(at, 16), int(size, 16)) == (address, length) or digits == 'OK' else ''
