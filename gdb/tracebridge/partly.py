"""What is known in part: GDB's "print" shows it as trace frames do.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB takes memory for readable or not, but for trace frames, in which any byte can be unavailable: it
marks these then, in what it shows and in what it keeps in its history of values, and refuses to
calculate with them.  So where "print" fails because some memory cannot be read, it is done again in
the trace frame of the moment, with the same frame of the stack, and that frame is left again; if it is
sure that this changes nothing.
"""
import re

import gdb

from . import packet
from .unknown import in_trace_frame

# Before the expression: options up to "--", a format.
BEFORE = re.compile(r'\s*(?:-(?:.*?\s-)??-\s)?\s*(?:/-?\d*[a-z]*)?')
# What is no call though it looks like one, in an expression without spaces: "sizeof(x)"; the "(*)" of
# "(char(*)[4])x"; "(int*)(x)".
NO_CALL = re.compile(r'\bsizeof(?=\()|\(\*+\)|(?<=\*)\)(?=\()')
# A call: a parenthesis behind anything but these operators; a message of Objective-C; an increment; an
# assignment, of whatever language.
CHANGES = re.compile(r'[^-(\[{}!~*/%+&|<=?:,@]\(|operator|(?<![\w)\]}>$])\[|\+\+|--'
                     r'|(?<![=!<>])=(?!=)|<<=|>>=|(?:and|or|xor)_eq')


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


def changes_nothing(argument):
    """Is it sure that what ARGUMENT of "print" has to be evaluated changes nothing?  Macros are looked into."""
    expression = BEFORE.sub('', argument, count=1)
    try:
        expanded = gdb.execute('macro expand ' + expression, to_string=True).partition(':')[2]
    except gdb.error:
        return False
    return not any(CHANGES.search(NO_CALL.sub('', re.sub(r'\s', '', one))) for one in (expression, expanded))


def show_void():
    """What "print" does with a value that is void: it has a number, too."""
    # Not all languages have the name.
    gdb.execute('with language c -- python gdb.add_history(gdb.Value(0).cast(gdb.lookup_type("void")))')
    gdb.write('$%d = ' % gdb.history_count())
    gdb.execute('output $')
    gdb.write('\n')


class Print(gdb.Command):
    """What GDB's own command is: set where this takes its place."""

    def __init__(self):
        super().__init__('print', gdb.COMMAND_DATA)

    def complete(self, text, word):
        if not text.lstrip().startswith('-'):
            return gdb.COMPLETE_EXPRESSION
        # "call" has the same options.  At first GDB asks where the word begins.
        word = text.split(' ')[-1] if word is None else word
        before = 'call ' + text[:len(text) - len(word)]
        lines = gdb.execute('complete call ' + text, to_string=True).splitlines()
        return [line[len(before):] for line in lines if line.startswith(before)]

    def invoke(self, argument, from_tty):
        # GDB asks for a state variable of the trace ($step) without a word of the thread.  It tells the
        # thread that it reads anything else of.
        if '$' in argument and len(gdb.selected_inferior().threads()) > 1:
            packet.answers()
        # "call" is "print", but keeps and says nothing of what is void.
        command = 'call ' + argument
        count = gdb.history_count()
        try:
            gdb.execute(command, from_tty)
            if gdb.history_count() == count:
                show_void()
        except gdb.MemoryError as error:
            # What has a number has been shown.
            if gdb.history_count() != count or not self.again(argument, error):
                raise gdb.GdbError(str(error)) from None
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None

    @staticmethod
    def again(argument, refusal):
        try:
            return changes_nothing(argument) and in_frame_of_moment('call ' + argument)
        except gdb.error as error:
            if 'while trace is running' in str(error):
                raise gdb.GdbError('%s (type "tstop": GDB looks at no trace frame, which shows what is known '
                                   'in part, while a trace run goes on)' % refusal) from None
            raise gdb.GdbError(str(error)) from None


def register():
    # GDB before 12 tells neither of the history nor of the stub.
    if hasattr(gdb, 'add_history') and Print.__doc__.startswith('What GDB'):
        # Without the line of its names, which "help" puts before it.
        Print.__doc__ = re.sub(r'\Aprint, .*\n', '', gdb.execute('help print', to_string=True))
        Print()
