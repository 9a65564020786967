"""What is known in part: GDB's "print" shows it as trace frames do.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB takes memory for readable or not, but for trace frames, in which any byte can be unavailable: it
marks these then, in what it shows and in what it keeps in its history of values, and refuses to
calculate with them.  So where "print" fails because some memory cannot be read, it is done again in
the trace frame of the moment, with the same frame of the stack, and that frame is left again.
"""
import re

import gdb

from . import packet
from .unknown import in_trace_frame

# What to do twice would do more than once: an assignment, an increment.
CHANGES = re.compile(r'\+\+|(?<!\s)--|--(?!\s)|(?<![=!<>])=(?!=)')
# Before the expression: options up to "--", a format.
BEFORE = re.compile(r'\s*(-.*?\s--\s)?\s*(/\S*)?')


def stack(level):
    """Where the frames are up to number LEVEL, the innermost first; None: there are not so many."""
    if level == 0:
        # In a trace frame GDB has no object for a frame whose caller is not known.
        return int(gdb.parse_and_eval('$pc'))
    frames = []
    frame = gdb.newest_frame()
    for _ in range(level + 1):
        if frame is None:
            return None
        frames.append((frame.pc(), frame.name(), frame.type()))
        frame = frame.older()
    return frames


def select(level):
    """Go to frame LEVEL from frame 0."""
    if level > 0:
        frame = gdb.newest_frame()
        for _ in range(level):
            frame = frame.older()
        frame.select()


def in_frame_of_moment(command):
    """Do COMMAND in the trace frame of the moment; False: there is none in which the stack is as here,
    as of a task that waits."""
    lines = None if in_trace_frame() else packet.answers()
    if lines is None or lines[packet.FRAME] == '':
        return False
    try:
        level = gdb.selected_frame().level()
        before = stack(level)
    except gdb.error:
        return False
    try:
        gdb.execute('tfind ' + lines[packet.FRAME], False, True)
        if stack(level) != before:
            return False
        select(level)
        gdb.execute(command)
        return True
    except gdb.MemoryError:
        return False
    finally:
        gdb.execute('tfind none', False, True)
        select(level)


class Print(gdb.Command):
    """What GDB's own command is: set where this takes its place."""

    def __init__(self):
        super().__init__('print', gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        # "call" is "print", but says nothing of what has no value.
        command = 'call ' + argument
        try:
            gdb.execute(command, from_tty)
            self.say_void(argument)
        except gdb.MemoryError as error:
            if CHANGES.search(argument) or not self.again(command):
                raise gdb.GdbError(str(error)) from None
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None

    @staticmethod
    def again(command):
        try:
            return in_frame_of_moment(command)
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None

    @staticmethod
    def say_void(argument):
        expression = BEFORE.sub('', argument, count=1)
        if not ('$' in expression or 'void' in expression) or CHANGES.search(expression):
            return
        try:
            if gdb.parse_and_eval(expression).type.code != gdb.TYPE_CODE_VOID:
                return
        except gdb.error:
            return
        numbers = re.findall(r'(?m)^\$(\d+) = ', gdb.execute('show values', to_string=True))
        print('$%d = void' % (int(numbers[-1]) + 1 if numbers else 1))


def register():
    if Print.__doc__.startswith('What GDB'):
        # Without the line of its names, which "help" puts before it.
        Print.__doc__ = re.sub(r'\Aprint, .*\n', '', gdb.execute('help print', to_string=True))
        Print()
