"""Why the stub refused what GDB asked for, or that it filled what is written into files.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

Where memory cannot be written or read the protocol has an error without a reason, and no place for
one before execution moves.  So the stub is asked before each prompt; and behind what writes memory
into a file ("dump", "append"), whether it filled some of that ("monitor unknown filled").
"""
import gdb

from . import members, packet

# Of the stub's hint where GDB could not read a structure (gdbstub/client-view.c).
SHOWS_NOTHING = 'so GDB shows nothing of what it is a part of'


def tell():
    """A prompt is to be shown."""
    connection = gdb.selected_inferior().connection
    thread = gdb.selected_thread()
    # Only where an unwinder has met the stub: nothing is asked of other targets.
    if getattr(connection, 'num', None) not in packet.stubs or thread is None or not thread.is_stopped():
        return
    by_members, members.Members.asked = members.Members.asked, False
    lines = packet.answers()
    if lines is None or not lines[packet.REFUSED]:
        return
    # What was shown by its members needs no hint how to show it.
    if not (by_members and SHOWS_NOTHING in lines[packet.REFUSED]):
        gdb.write(lines[packet.REFUSED] + '\n')
    # This makes GDB forget its frames, and which the user is at.
    try:
        level = gdb.selected_frame().level()
        connection.send_packet('qTracebridge.Told')
        frame = gdb.newest_frame()
        for _ in range(level):
            frame = frame.older()
        frame.select()
    except (gdb.error, AttributeError):
        connection.send_packet('qTracebridge.Told')


class RefuseLoad(gdb.Function):
    """An error where a program is to be loaded into the stub; else 0.  (An error of the command
    "python" has lines of Python around it.)"""

    def __init__(self):
        super().__init__('_tracebridge_refuse_load')

    def invoke(self):
        if packet.answers() is not None:
            raise gdb.GdbError('Nothing is loaded: the program has run, and what was recorded cannot be changed.')
        return 0


def tell_written():
    """GDB has written memory into a file, in which nothing marks what the stub filled: tell of that now,
    not with what comes next."""
    if packet.answers() is None:
        return
    # The last line is the policy.
    text = gdb.execute('monitor unknown', to_string=True).rstrip('\n').rpartition('\n')[0]
    if '0xbad00bad' in text:
        gdb.write('%s\nA file that was written of it has that as values.\n' % text, gdb.STDERR)


def register():
    gdb.events.before_prompt.connect(tell)
    RefuseLoad()
    gdb.execute('define hook-load\nif $_tracebridge_refuse_load()\nend\nend', to_string=True)
    for command in 'dump', 'append':
        for form in ('', 'binary ') + (('ihex ', 'srec ', 'tekhex ', 'verilog ') if command == 'dump' else ()):
            for what in 'memory', 'value':
                gdb.execute('define %s %shookpost-%s\npython __import__("tracebridge.refused").refused.tell_written()'
                            '\nend' % (command, form, what), to_string=True)
