"""The values that GDB's watchpoints compare with, where they were read at another moment.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB reads what is watched when a watchpoint is set or enabled, and when it triggers; where a watchpoint
triggers and the value is the one that it has, GDB goes on.  "monitor goto" moves execution behind its
back, and a trace frame is another moment than that of execution.  So the watchpoints are enabled anew
where execution stands.
"""
import re

import gdb

from . import packet, unknown

KINDS = {getattr(gdb, name, None) for name in ('BP_WATCHPOINT', 'BP_HARDWARE_WATCHPOINT', 'BP_READ_WATCHPOINT',
                                               'BP_ACCESS_WATCHPOINT')}

# By the number of each: the frame of the variables in it; None where there are none of a frame.
frames = {}

# A name that is no member's.
NAME = re.compile(r'(?<![\w.$])(?<!->)[A-Za-z_]\w*')

# The numbers of those whose values were read in a trace frame.
elsewhere = set()

# How often GDB still stops for one that "enable count" has enabled; it tells of more than one.
HITS = re.compile(r'^\tdisable after (?:next|additional) (\d+) hits$', re.MULTILINE)


def is_of_frame(expression):
    """Has EXPRESSION variables of the selected frame?"""
    if expression.startswith('-location'):
        return False
    for name in NAME.findall(expression):
        try:
            symbol = gdb.lookup_symbol(name)[0]
        except gdb.error:       # There is no frame, or no block of it.
            continue
        if symbol is not None and symbol.needs_frame:
            return True
    return False


def enabled():
    return [each for each in gdb.breakpoints() if each.type in KINDS and each.enabled and each.number in frames]


def is_there(one):
    """GDB half deletes those of variables whose frame is no more: these are left alone."""
    frame = frames.get(one.number)
    return one.is_valid() and (frame is None or frame.is_valid())


def switch_off(those):
    """Disable THOSE.  What to enable again: each, with the count of "enable count", which is lost by that;
    None: there is none."""
    counts = []
    for each in those:
        if is_there(each):
            found = HITS.search(gdb.execute('info breakpoints %d' % each.number, to_string=True))
            counts.append((each, found and found[1]))
            each.enabled = False
    return counts


def switch_on(counts):
    """Enable what switch_off has disabled.  GDB reads what is watched then."""
    for each, count in counts:
        if not is_there(each):
            continue
        try:
            if count is None:
                each.enabled = True
            else:
                gdb.execute('enable count %s %d' % (count, each.number))
        except gdb.error as error:
            gdb.write('%s\n' % error, gdb.STDERR)


def tell():
    """Tell the stub that what GDB watches it has of where execution stands.  Of those that were set before
    these commands were loaded nothing is known."""
    if all(each.number in frames for each in gdb.breakpoints() if each.type in KINDS):
        gdb.selected_inferior().connection.send_packet('qTracebridge.Watched')


def stood_at(pc):
    """The breakpoints that GDB would step over alone where execution stood, at PC: it ends with an internal
    error if another thread stops then, as where another task runs."""
    kinds = gdb.BP_BREAKPOINT, getattr(gdb, 'BP_HARDWARE_BREAKPOINT', None)
    return [each for each in gdb.breakpoints() if each.type in kinds and each.enabled
            # GDB before 13 does not tell where they are.
            and (each.hit_count or pc in [one.address for one in getattr(each, 'locations', ())] or
                 not hasattr(each, 'locations'))]


def move(pc):
    """Have GDB stop where execution was moved to from PC.  Watchpoints of software would see the way to
    there as one step."""
    those = enabled()
    anywhere = [each for each in those if frames[each.number] is None]
    counts = switch_off(anywhere + stood_at(pc))
    try:
        gdb.execute('stepi')
    finally:
        switch_on(counts)
    switch_on(switch_off([each for each in those if each not in anywhere]))
    elsewhere.clear()
    tell()


def on_creation(breakpoint):
    if breakpoint.type in KINDS:
        frames[breakpoint.number] = gdb.selected_frame() if is_of_frame(breakpoint.expression) else None
        on_change(breakpoint)


def on_change(breakpoint):
    """A watchpoint may have been set or enabled."""
    if breakpoint.type in KINDS and unknown.in_trace_frame():
        elsewhere.add(breakpoint.number)


def behind():
    """"tfind" was run."""
    if unknown.in_trace_frame():
        return
    those = [each for each in enabled() if each.number in elsewhere]
    elsewhere.clear()
    if packet.answers() is not None:
        switch_on(switch_off(those))
        tell()


def register():
    gdb.events.breakpoint_created.connect(on_creation)
    gdb.events.breakpoint_modified.connect(on_change)
    for prefix, hook in ('', 'tfind'), ('tfind ', 'none'), ('tfind ', 'end'):
        gdb.execute('define %shookpost-%s\npython __import__("tracebridge.watchpoints").watchpoints.behind()\nend'
                    % (prefix, hook), to_string=True)
