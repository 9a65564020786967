"""Asking the stub from where GDB is in the middle of something.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Unwinders and printers of values run while GDB unwinds or shows a frame.  The connection's
send_packet selects no thread for a moment, and with that GDB (to 13, at least) forgets all frames:
also the one that it is in the middle of, and it crashes.  "maintenance packet" leaves frames alone.
"""
import re

import gdb


def connection():
    """GDB's connection to a stub; None where something else is debugged."""
    # A GDB without packets for Python (before 12) has none.
    kind = getattr(gdb, 'RemoteTargetConnection', None)
    found = getattr(gdb.selected_inferior(), 'connection', None)
    return found if kind and isinstance(found, kind) and found.is_valid() else None


def ask(packet):
    """The stub's reply to PACKET as text, "" where it knows no such packet; None where there is no
    stub or no reply."""
    if connection() is None:
        return None
    try:
        text = gdb.execute('maintenance packet ' + packet, to_string=True)
    except gdb.error:
        return None
    reply = re.search('^received: "(.*)"', text, re.M)
    return reply.group(1) if reply else None
