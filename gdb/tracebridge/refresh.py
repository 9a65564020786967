"""GDB's view of what a monitor command has changed.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB takes monitor commands to change nothing that it has read.  But "monitor goto" moves execution,
others change what is known; the stub tells which of both a command did (gdbstub/monitor.c).  A step
that is none, which the stub answers with the new place, has GDB and its front ends stop there.
"""
import gdb

from . import unknown

PACKET = 'qTracebridge.Refresh'


def ask():
    """What the stub says; None where it is not ours."""
    connection = unknown.stub()
    try:
        return connection.send_packet(PACKET) if connection is not None else None
    except gdb.error:
        return None


def before():
    """A monitor command is to be run: the stub need not tell the user what follows does."""
    ask()


def behind():
    """A monitor command was run."""
    answer = ask()
    try:
        if answer == b'moved' and unknown.in_trace_frame():
            # That reads all again.
            gdb.execute('tfind none')
        elif answer == b'moved':
            gdb.execute('stepi')
        elif answer == b'outdated':
            gdb.execute('maintenance flush register-cache', to_string=True)
            gdb.execute('maintenance flush dcache', to_string=True)
    except gdb.error as error:
        gdb.write('%s\n' % error, gdb.STDERR)


def register():
    for hook, name in ('hook', 'before'), ('hookpost', 'behind'):
        gdb.execute('define %s-monitor\npython __import__("tracebridge.refresh").refresh.%s()\nend'
                    % (hook, name), to_string=True)
