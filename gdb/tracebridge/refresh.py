"""GDB's view of what a monitor command has changed.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB takes monitor commands to change nothing that it has read.  But "monitor goto" moves execution,
others change what is known; the stub tells which of both a command did (gdbstub/monitor.c).  A step
that is none, which the stub answers with the new place, has GDB and its front ends stop there.
"""
import gdb

from . import packet, partly, unknown, watchpoints

# The numbers of connections to what does not know the packet, and of those that a front end uses.
others = set()
fronts = set()

# The numbers of connections of which a stop was shown.
known = set()

# Where the user is when a monitor command begins, if not at frame 0: the level, and the frames up to it.
place = None
# Where execution stands then: the PC of frame 0.
stood = None


def ask():
    """What the stub says; None where something else is debugged.  Unlike what packet.py is for, a
    monitor command is at no frame that GDB could lose."""
    connection = gdb.selected_inferior().connection
    if not hasattr(connection, 'send_packet') or connection.num in others:
        return None
    try:
        reply = connection.send_packet('qTracebridge.Refresh')
    except gdb.error:
        return None
    if reply not in (b'moved', b'outdated', b'OK'):
        others.add(connection.num)
        return None
    return reply


def note():
    """Find out where the user is."""
    global place, stood
    place = stood = None
    try:
        stood = gdb.newest_frame().pc()
        level = gdb.selected_frame().level()
        if level > 0:
            place = level, frames(level)
    except gdb.error:
        pass                    # There are no frames: no program runs.


def leave():
    """Go to frame 0, which GDB has still as it was.  From another one send_packet has GDB look for that
    again, which crashes where execution has moved, and reads the registers of the new place before a stop
    is told there.  Not before the command: behind one that ends in an error there is no way back, as GDB
    runs nothing then."""
    try:
        if place is not None:
            gdb.newest_frame().select()
    except gdb.error:
        pass


def frames(level):
    """Where the frames are up to number LEVEL; None where that is not known."""
    try:
        return partly.stack(level)
    except gdb.error:
        return None


def come_back():
    """Go back to where the user was.  Where that is no more, say so."""
    if place is None:
        return
    level, were = place
    if were is not None and frames(level) == were:
        partly.select(level)
    else:
        gdb.execute('frame')


def read_again():
    """Have GDB read what it has of registers and memory again."""
    gdb.execute('maintenance flush register-cache', to_string=True)
    gdb.execute('maintenance flush dcache', to_string=True)


def before():
    """A monitor command is to be run: the stub need not tell the user what follows does."""
    global place
    place = None
    answer = ask()
    if answer is None:
        return
    note()
    if answer == b'outdated':   # By one that ended in an error.
        read_again()
        come_back()


def behind():
    """A monitor command was run."""
    leave()
    answer = ask()
    try:
        if answer == b'moved' and unknown.in_trace_frame():
            # That reads the registers of the new place, where no stop is told yet.
            gdb.execute('tfind none', False, True)
            gdb.selected_inferior().connection.send_packet('qTracebridge.Moved')
        if answer == b'moved':
            watchpoints.move(stood)
            return
        if answer == b'outdated':
            read_again()
        come_back()
    except gdb.error as error:
        gdb.write('%s\n' % error, gdb.STDERR)


def on_stop(event):
    """GDB shows a stop.  At the first one the stub is told what there is: these commands, which see to what
    watchpoints compare with; a front end (they have set "mi-async"), which takes some stops for exceptions
    of the program."""
    connection = gdb.selected_inferior().connection
    number = getattr(connection, 'num', None)
    if number is None:
        return
    new = number not in known
    front = number not in fronts and gdb.parameter('mi-async')
    if not new and not front:
        return
    known.add(number)
    if front:
        fronts.add(number)
    if packet.answers() is None:
        return
    if new:
        watchpoints.tell()
    if front:
        connection.send_packet('qTracebridge.FrontEnd')


def on_exit(event):
    """The program is over, or begins anew: GDB would go on with the trace frame, as in "tfind"."""
    if unknown.in_trace_frame() and ask() is not None:
        gdb.execute('tfind none', False, True)


def register():
    gdb.events.exited.connect(on_exit)
    gdb.events.stop.connect(on_stop)
    if hasattr(gdb.events, 'connection_removed'):
        gdb.events.connection_removed.connect(lambda event: others.discard(event.connection.num))
    for hook, name in ('hook', 'before'), ('hookpost', 'behind'):
        gdb.execute('define %s-monitor\npython __import__("tracebridge.refresh").refresh.%s()\nend'
                    % (hook, name), to_string=True)
