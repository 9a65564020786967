"""Backtraces from handlers to what they interrupted, and where no stack pointer is known.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB has no unwinder for exceptions of the A and R profile.  For those of the M profile it has one,
for frames whose PC is EXC_RETURN, but does not get there from a handler that has moved the stack in
code that does not tell of it (assembler, functions that are "naked").  The stub knows from the trace
which exceptions are under way, what they interrupted and with what their handlers began, and tells
it in answer to a packet of its own; see gdbstub/interrupted.c.  Where the stack pointer is not known
(M profile) it tells the callers of all frames; see gdbstub/callers.c.
"""
import re

import gdb
from gdb.unwinder import Unwinder, register_unwinder

INTERRUPTED = 'qTracebridge.Interrupted'
CALLERS = 'qTracebridge.Callers'

# Where no stack tells frames apart, numbers above all of 32 bits do.
NOWHERE = 1 << 62


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


def ask(packet):
    """What the stub says of where GDB looks, an item for each frame of which it knows the caller, the
    innermost first: its PC, then (None: not known) its stack pointer, or for CALLERS a number of
    its own, and the registers of its caller.  INTERRUPTED has the outermost frames of the handlers
    that are under way."""
    connection = gdb.selected_inferior().connection
    if not isinstance(connection, gdb.RemoteTargetConnection) or not connection.is_valid():
        return
    # Not by the connection's send_packet, which makes GDB 13 forget the frame that is being
    # unwound, and crash.
    try:
        text = gdb.execute('maintenance packet %s:%x' % (packet, gdb.selected_thread().ptid[1]), to_string=True)
    except gdb.error:
        return
    reply = re.search('^received: "(.*)"', text, re.M)
    for item in (reply.group(1) if reply else '').split(';'):
        words = item.split(',')
        if len(words) < 2:
            continue
        registers = dict(word.split('=') for word in words[2:])
        yield (int(words[0], 16), None if words[1] == '-' else int(words[1], 16),
               {name: int(value, 16) for name, value in registers.items()})


def known(frame, name):
    """The register as a number; None where it has no value."""
    try:
        return int(frame.read_register(name)) & (1 << 64) - 1
    except (gdb.error, ValueError):
        return None


def begin_of_function(pc):
    """The address of the function that PC is in; PC where nothing tells."""
    text = gdb.execute('info symbol 0x%x' % pc, to_string=True)
    offset = re.search(r'^[^\n]*? \+ (\d+) in section', text)
    return pc - int(offset.group(1)) if offset else pc


class ExceptionUnwinder(Unwinder):
    def __init__(self):
        super().__init__('tracebridge-exceptions')
        # Of CALLERS, the number of the item of each level of frames: recursion has several with one
        # PC.
        self.items = {}

    def __call__(self, frame):
        architecture = frame.architecture()
        wide = architecture.name().startswith('aarch64')
        if not wide and not architecture.name().startswith('arm'):
            return None
        pc, sp = known(frame, 'pc'), known(frame, 'sp')
        if pc is None:
            return None
        m_profile = not wide and 'xpsr' in (r.name for r in architecture.registers())
        if m_profile:
            info = self.without_stack(frame, pc)
            if info is not None:
                return info
        # Only the outermost frame of a handler, where an exception made it: its caller, as
        # far as code can tell, is nobody.
        for number, (at, pointer, registers) in enumerate(ask(INTERRUPTED)):
            if pc == at and (None in (sp, pointer) or sp == pointer):
                if m_profile:
                    # As GDB's own unwinders have it: the stack where the function began, and
                    # that.
                    identity = FrameId(gdb.Value(registers['sp']),
                                       gdb.Value(begin_of_function(pc)))
                else:
                    identity = self.identify(frame, pc, sp, number, registers)
                return self.caller(frame, identity, registers, wide)
        return None

    def without_stack(self, frame, pc):
        level = frame.level()
        self.items = {other: item for other, item in self.items.items() if other < level}
        begin = max(self.items.values(), default=-1) + 1
        for number, (at, first, registers) in enumerate(ask(CALLERS)):
            if number >= begin and at == pc:
                self.items[level] = number
                # GDB wants inner frames to have the lower stack, and began later.
                identity = FrameId(gdb.Value(NOWHERE - first), gdb.Value(begin_of_function(pc)))
                return self.caller(frame, identity, registers, False)
        return None

    @staticmethod
    def identify(frame, pc, sp, number, registers):
        # The same at each instruction of the handler and in what it calls, or "next" would step
        # into that.  GDB takes a caller whose stack is below for a mistake, and knows of one stack
        # only.  Without a stack pointer the exception's own number makes the frame another one.
        begin = registers.pop('entry', sp)
        if sp is None or begin is None:
            begin = number + 1
        elif frame.level() == 0:
            begin = min(begin, registers.get('sp', begin))
        return FrameId(gdb.Value(begin), gdb.Value(begin_of_function(pc)))

    @staticmethod
    def caller(frame, identity, registers, wide):
        info = frame.create_unwind_info(identity)
        architecture = frame.architecture()
        for name, value in registers.items():
            bits = 64 if wide and name != 'cpsr' else 32
            kind = architecture.integer_type(bits, False)
            info.add_saved_register(name, gdb.Value(value).cast(kind))
        return info


def register():
    # A GDB without packets for Python (before 12) has no use for it.
    if not hasattr(gdb, 'RemoteTargetConnection'):
        return
    register_unwinder(None, ExceptionUnwinder(), replace=True)
