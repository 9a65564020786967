"""Backtraces from handlers to what they interrupted, and where no stack pointer is known.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

GDB has no unwinder for exceptions of the A and R profile.  For those of the M profile it has one,
for frames whose PC is EXC_RETURN, but does not get there from a handler that has moved the stack in
code that does not tell of it (assembler, functions that are "naked").  The stub knows from the trace
which exceptions are under way, what they interrupted and with what their handlers began, and tells
it in answer to a packet of its own; see gdbstub/interrupted.c.  Where the stack pointer is not known
(M profile) it tells the callers of all frames; see gdbstub/callers.c.  So it does of tasks that wait:
there a caller is taken from the trace where the stack does not hold the return address.

GDB takes a frame whose callee is no signal handler for one that made a call, and looks it up by the
address before its PC.  Where an exception came before the first instruction of a function, that is
another function; GDB's frames of unwinders like this are no signal handlers'.
"""
import re

import gdb
from gdb.FrameDecorator import FrameDecorator
from gdb.unwinder import Unwinder, register_unwinder

from . import packet

# Where no stack tells frames apart, numbers above all of 32 bits do.  GDB takes the 32 bits below
# for where the frame is: for the addresses of its variables, and for "info frame".  They show that
# nobody knows, and are away from the memory that the stub makes up at 0xbad00bad.
LEVELS = 1 << 30
NOWHERE = 0xbad0bad0

# The bit of CPSR.
THUMB = 1 << 5

SAVED = {False: ['r%d' % i for i in range(4, 12)], True: ['x%d' % i for i in range(19, 30)]}


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


def ask(question):
    """What the stub says of where GDB looks, an item for each frame of which it knows the caller, the
    innermost first: its PC, then (None: not known) its stack pointer, or for CALLERS a number of
    its own, and the registers of its caller.  INTERRUPTED has the outermost frames of the handlers
    that are under way."""
    lines = packet.answers()
    for item in (lines[question] if lines else '').split(';'):
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
    # As GDB prints a pointer; "info symbol" would be a command, see packet.py.
    kind = gdb.selected_inferior().architecture().integer_type(8).pointer()
    text = gdb.Value(pc).cast(kind).format_string(symbols=True, raw=True)
    offset = re.search(r'\+(\d+)>', text)
    return pc - int(offset.group(1)) if offset else pc


def is_inlined(address):
    """Is the code at ADDRESS of a function that is inlined in another one?"""
    block = gdb.block_for_pc(address)
    while block and not block.function:
        block = block.superblock
    return bool(block) and bool(block.superblock) and not block.superblock.is_static


def own_caller(pc):
    """Another address of the function at PC, for a frame that is its own caller: one where GDB makes no
    frames of inlined functions.  It ends with an internal error where these are the callee's again."""
    begin = begin_of_function(pc)
    # GDB looks callers up by the address before.
    return next((at for at in range(begin + 2, begin + STACK_MOST, 2) if at != pc and not is_inlined(at - 1)), begin)


def words(address, end):
    """The words that are known from ADDRESS to END."""
    for at in range(address, end, 4):
        try:
            data = gdb.selected_inferior().read_memory(at, 4)
        except gdb.error:
            continue
        yield int.from_bytes(bytes(data), ORDER)


def follows_call(address):
    """Is the instruction before ADDRESS, of T32, one that calls, as far as that can be read?"""
    if address < 4:
        return True
    try:
        code = bytes(gdb.selected_inferior().read_memory(address - 4, 4))
    except gdb.error:
        return True
    first, second = (int.from_bytes(code[i:i + 2], ORDER) for i in (0, 2))
    # BL and BLX of a label; BLX of a register, and of the Security Extension.
    return first & 0xf800 == 0xf000 and second & 0xc000 == 0xc000 or second & 0xff80 == 0x4780


# Code and data of the M profile are little-endian but on rare parts.
ORDER = 'little'

# From here on is never code of the M profile: EXC_RETURN, which is the PC of an exception's frame,
# and where a core in lockup stands.
NEVER_CODE = 0xe0000000

# Of a frame's stack so much is looked at.
STACK_MOST = 0x1000

# What an item has of an exception, and no register.
EXTRA = 'entry', 'called'


def is_called(registers, pc):
    """Do REGISTERS, of what was interrupted, belong to a function at PC that had just been called?"""
    return 'called' in registers and registers['pc'] == pc


def call_of(registers, wide):
    """The registers of what made that call: those that calls leave alone."""
    saved = {name: registers[name] for name in ('sp', *SAVED[wide]) if name in registers}
    back = registers['called']
    if not wide and 'cpsr' in registers:
        saved['cpsr'] = registers['cpsr'] & ~THUMB | (THUMB if back & 1 else 0)
    saved['pc'] = back if wide else back & ~1
    return saved


class ExceptionUnwinder(Unwinder):
    def __init__(self):
        super().__init__('tracebridge-exceptions')
        # What the stub tells of where GDB looks.
        self.told = None
        # Of CALLERS, the number of the item of each level of frames: recursion has several with one
        # PC.
        self.items = {}
        # The PC of each level of frames.
        self.pcs = {}

    def forget(self):
        """Forget what was found of the frames where execution stood."""
        self.told = None
        self.items, self.pcs = {}, {}

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
            lines = packet.answers()
            told = lines[packet.CALLERS] if lines else ''
            # Nothing is asked about a frame 0 that is inlined: what is kept may be of another place.
            if lines and lines[:packet.KNOWN] + [lines[packet.FRAME]] != self.told:
                self.forget()
                self.told = lines[:packet.KNOWN] + [lines[packet.FRAME]]
            if told and not told.startswith('stack;'):
                info = self.without_stack(frame, pc)
            else:
                info = self.behind_last(frame, pc, sp) or self.of_waiting(frame, pc, sp)
            if info is not None:
                return info
        # Only the outermost frame of a handler, where an exception made it: its caller, as
        # far as code can tell, is nobody.
        for number, (at, pointer, registers) in enumerate(ask(packet.INTERRUPTED)):
            if pc == at and (None in (sp, pointer) or sp == pointer):
                if m_profile:
                    # As GDB's own unwinders have it: the stack where the function began, and
                    # that.
                    identity = FrameId(gdb.Value(registers['sp']),
                                       gdb.Value(begin_of_function(pc)))
                else:
                    identity = self.identify(pc, sp, number, registers)
                    registers = {name: value for name, value in registers.items() if name not in EXTRA}
                return self.caller(frame, identity, registers, wide)
            if frame.level() > 0 and is_called(registers, pc) and sp == registers.get('sp'):
                # Nothing of that function has run.
                return self.caller(frame, FrameId(gdb.Value(sp), gdb.Value(pc)),
                                   call_of(registers, wide), wide)
        return None

    def without_stack(self, frame, pc):
        level = frame.level()
        self.items = {other: item for other, item in self.items.items() if other < level}
        begin = max(self.items.values(), default=-1) + 1
        items = list(ask(packet.CALLERS))
        for number, (at, first, registers) in enumerate(items):
            if number >= begin and at == pc:
                self.items[level] = number
                # The last one is made its own caller, as GDB ends there without an error.
                return self.caller(frame, self.nowhere(pc, first), registers or {'pc': own_caller(pc)}, False)
        if items and level > 0 and not items[-1][2] and pc == own_caller(items[-1][0]):
            return self.caller(frame, self.nowhere(items[-1][0], items[-1][1]), {'pc': pc}, False)
        return None

    def behind_last(self, frame, pc, sp):
        """The frame again of the function that returns to PC, if that is where a task's first
        function returns to: the start of another one, before which nobody calls.  GDB leaves out
        what it takes for the frame of its callee."""
        level = frame.level()
        self.pcs[level] = pc
        callee = self.pcs.get(level - 1, NEVER_CODE)
        if level == 0 or callee >= NEVER_CODE or sp is None or packet.answers() is None \
                or begin_of_function(pc) != pc or follows_call(pc) or is_inlined(pc - 1):
            return None
        return self.caller(frame, FrameId(gdb.Value(sp), gdb.Value(begin_of_function(callee))),
                           {'pc': pc}, False)

    def of_waiting(self, frame, pc, sp):
        level = frame.level()
        self.items = {other: item for other, item in self.items.items() if other < level}
        begin = max(self.items.values(), default=-1) + 1
        for number, (at, _, registers) in enumerate(ask(packet.CALLERS)):
            if number < begin or at != pc:
                continue
            self.items[level] = number
            top = registers.get('sp')
            if None in (sp, top) or not sp <= top <= sp + STACK_MOST:
                return None
            back = registers['pc'] | 1
            if level == 0 and known(frame, 'lr') == back or back in words(sp, top):
                return None
            # The stack pointer at the call is what GDB takes for the frame's address, too.
            return self.caller(frame, FrameId(gdb.Value(top), gdb.Value(begin_of_function(pc))),
                               registers, False)
        return None

    @staticmethod
    def nowhere(pc, first):
        # GDB wants inner frames to have the lower stack, and began later.
        return FrameId(gdb.Value((LEVELS - first) << 32 | NOWHERE), gdb.Value(begin_of_function(pc)))

    @staticmethod
    def identify(pc, sp, number, registers):
        # The same at each instruction of the handler and in what it calls, or "next" would step
        # into that, and "finish" not get back.  So where the handler's stack is above the other
        # one, GDB takes the frame behind that of what was interrupted for a mistake.  Without a
        # stack pointer the exception's own number makes the frame another one.
        begin = registers.get('entry', sp)
        if sp is None or begin is None:
            begin = number + 1
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


class CalledDecorator(FrameDecorator):
    """A frame of a function that had just been called, by its PC."""

    def function(self):
        pc = self.inferior_frame().pc()
        text = gdb.execute('info symbol 0x%x' % pc, to_string=True)
        return pc if text.startswith('No symbol') else text.split()[0]

    def filename(self):
        symtab = gdb.find_pc_line(self.inferior_frame().pc()).symtab
        return symtab.filename if symtab else None

    def line(self):
        return gdb.find_pc_line(self.inferior_frame().pc()).line or None

    def frame_args(self):
        return None

    def frame_locals(self):
        return None


class CallerDecorator(FrameDecorator):
    """A caller of which the trace tells, at PC, below GDB's last FRAME."""

    def __init__(self, frame, pc):
        super().__init__(frame)
        self.pc = pc
        # The call that PC is behind.
        self.call = gdb.find_pc_line(pc - 1)

    def address(self):
        return self.pc

    def function(self):
        block = gdb.block_for_pc(self.pc - 1)
        while block and not block.function:
            block = block.superblock
        return block.function.print_name if block else begin_of_function(self.pc)

    def filename(self):
        return self.call.symtab.filename if self.call.symtab else None

    def line(self):
        return self.call.line or None

    def frame_args(self):
        return None

    def frame_locals(self):
        return None

    def elided(self):
        return None


class LastDecorator(FrameDecorator):
    """GDB's last frame, with the callers at PCS.  GDB has no frames for them: they stand below it like
    frames that a filter hides, and have no numbers."""

    def __init__(self, frame, pcs):
        super().__init__(frame)
        self.pcs = pcs

    def elided(self):
        return iter([CallerDecorator(self, pc) for pc in self.pcs])


class CallersFilter:
    """Backtraces with callers where GDB takes what a handler interrupted for the end, as that has the
    lower stack."""

    name = 'tracebridge-callers'
    priority = 50

    @property
    def enabled(self):
        lines = packet.answers()
        registers = gdb.selected_inferior().architecture().registers() if lines else ()
        return bool(lines and lines[packet.CALLERS]) and 'xpsr' not in (r.name for r in registers)

    def filter(self, frames):
        items = [at for at, _, _ in ask(packet.CALLERS)]
        for frame in frames:
            inner = frame.inferior_frame()
            if inner.unwind_stop_reason() == gdb.FRAME_UNWIND_INNER_ID and inner.pc() in items[1:]:
                frame = LastDecorator(frame, items[items.index(inner.pc(), 1) + 1:])
            yield frame


class CalledFilter:
    """Backtraces with such frames; others are GDB's own."""

    name = 'tracebridge-called'
    priority = 100

    @property
    def enabled(self):
        return any('called' in registers for _, _, registers in ask(packet.INTERRUPTED))

    def filter(self, frames):
        items = [registers for _, _, registers in ask(packet.INTERRUPTED)]
        for frame in frames:
            inner = frame.inferior_frame()
            called = inner.level() > 0 and inner.type() == gdb.NORMAL_FRAME \
                and any(is_called(registers, inner.pc()) for registers in items)
            yield CalledDecorator(frame) if called else frame


def register():
    # A GDB without packets for Python (before 12) has no use for it.
    if not hasattr(gdb, 'RemoteTargetConnection'):
        return
    unwinder = ExceptionUnwinder()
    register_unwinder(None, unwinder, replace=True)
    # Behind "monitor goto" the stub tells of the new place while GDB still has the frames of the old one.
    gdb.events.cont.connect(lambda event: unwinder.forget())
    for one in CalledFilter, CallersFilter:
        gdb.frame_filters[one.name] = one()
