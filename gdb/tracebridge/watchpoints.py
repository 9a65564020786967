"""The values that GDB's watchpoints compare with, where they were read at another moment.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB reads what is watched when a watchpoint is set or enabled, and when it triggers; where a watchpoint
triggers and the value is the one that it has, GDB goes on.  "monitor goto" moves execution behind its
back, and a trace frame is another moment than that of execution.  So the watchpoints are enabled anew
where execution stands.
"""
import gdb

from . import packet, unknown

KINDS = {getattr(gdb, name, None) for name in ('BP_WATCHPOINT', 'BP_HARDWARE_WATCHPOINT', 'BP_READ_WATCHPOINT',
                                               'BP_ACCESS_WATCHPOINT')}

# The numbers of those whose values were read in a trace frame.
elsewhere = set()


def enabled():
    return [each for each in gdb.breakpoints() if each.type in KINDS and each.enabled]


def switch(those, on):
    for each in those:
        # GDB deletes those of variables whose frame is no more.
        if each.is_valid():
            try:
                each.enabled = on
            except gdb.error as error:
                gdb.write('%s\n' % error, gdb.STDERR)


def move():
    """Have GDB stop where execution was moved to.  Watchpoints of software would see the way to there as
    one step."""
    those = enabled()
    switch(those, False)
    try:
        gdb.execute('stepi')
    finally:
        switch(those, True)


def on_change(breakpoint):
    """A watchpoint may have been set or enabled."""
    if breakpoint.type in KINDS and unknown.in_trace_frame():
        elsewhere.add(breakpoint.number)


def behind():
    """"tfind" was run."""
    if not elsewhere or unknown.in_trace_frame():
        return
    those = [each for each in enabled() if each.number in elsewhere]
    elsewhere.clear()
    if packet.answers() is not None:
        switch(those, False)
        switch(those, True)


def register():
    gdb.events.breakpoint_created.connect(on_change)
    gdb.events.breakpoint_modified.connect(on_change)
    for prefix, hook in ('', 'tfind'), ('tfind ', 'none'), ('tfind ', 'end'):
        gdb.execute('define %shookpost-%s\npython __import__("tracebridge.watchpoints").watchpoints.behind()\nend'
                    % (prefix, hook), to_string=True)
