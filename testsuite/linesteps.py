"""Where "next", "reverse-next" and "finish" lead to by GDB's rules: for tests.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

The rules are those of GDB 13.1, infrun.c (process_event_stop_test), infcmd.c (prepare_one_step,
finish_command) and inline-frame.c (skip_inline_frames), and, of GDB 15 and later, those of GDB 16.3
(infrun.c: update_line_range_start; symtab.c: find_line_range_start); lines, functions and inlined
calls are those that GDB reads from the program.  Frames are what really was called (activations.py), where
GDB has to find them by the stack.
"""
import json
import os
import tempfile

import lines

# Read in GDB, without a target.
INSIDE = r'''
import json, os, re, gdb
addresses, statements, output = json.load(open(%r))
statements = {tuple(row) for row in statements}
def function_of(pc):
    text = gdb.execute('info symbol 0x%%x' %% pc, to_string=True)
    offset = re.search(r'^[^\n]*? \+ (\d+) (in section|of)', text)
    symbol = None if text.startswith('No symbol') else pc - int(offset.group(1)) if offset else pc
    block, start = gdb.block_for_pc(pc), None
    while block is not None and not (block.is_global or block.is_static):
        start = block.start if block.function is not None else start
        block = block.superblock
    starts = [n for n in (symbol, start) if n is not None]
    return max(starts, default=None)
def blocks(pc):
    """Those of functions around PC, the innermost first: where it lies, line and source of its
    call, which function."""
    found, block = [], gdb.block_for_pc(pc)
    while block is not None and not (block.is_global or block.is_static):
        if block.function is not None:
            found.append([block.start, block.end, block.function.line, block.function.symtab.filename,
                          block.function.name])
        block = block.superblock
    return found
def inlined(pc):
    """Of each inlined call around PC, the innermost first, as above: does it begin there?"""
    before = blocks(pc - 1)
    return [[*block, block not in before] for block in blocks(pc)[:-1]]     # The last one is called.
def named(sal):
    return (sal.line, sal.symtab.filename) if sal.symtab is not None else (0, None)
def first(sal):
    """Where the first one of the rows of SAL's line begins that lie one behind the other."""
    start, line = sal.pc, named(sal)
    while True:
        sal = gdb.find_pc_line(start - 1)
        if named(sal) != line:
            return start
        start = sal.pc
ranges = int(gdb.VERSION.split('.')[0]) >= 15
table = {}
for pc in addresses:
    sal = gdb.find_pc_line(pc)
    has = sal.symtab is not None and sal.line != 0
    table[pc] = [sal.pc if has else pc, sal.last + 1 if has and sal.last is not None else 0,
                 sal.line if has else 0, sal.symtab.filename if has else None,
                 has and (sal.pc, os.path.basename(sal.symtab.filename)) in statements,
                 first(sal) if has and ranges else None, function_of(pc), inlined(pc),
                 *(gdb.selected_inferior().architecture().disassemble(pc)[0][n] for n in ('asm', 'length'))]
json.dump(table, open(output, 'w'))
'''


class Place:
    """What the program says of an address: start, end of its line (end 0: it has none), line,
    source, statement: a statement begins there; first: where the first of the rows of that line
    begins that lie one behind the other, None where this GDB does not ask for it; function: where
    that begins; inlined: the inlined calls around it, the innermost first: start, end, line and source of the call, name, and whether
    it begins there; text and size of the instruction."""

    def __init__(self, row):
        (self.start, self.end, self.line, self.source, self.statement, self.first, self.function, calls,
         text, self.size) = row
        self.inlined = [tuple(call) for call in calls]
        self.text = text.expandtabs()


def read_places(gdb, elf, addresses):
    statements = [row[:2] for row in lines.tables(gdb, elf) if row[2] != 0 and row[3]]
    with tempfile.TemporaryDirectory() as scratch:
        task, output, inside = (os.path.join(scratch, n) for n in ('task', 'output', 'inside.py'))
        with open(task, 'w') as file:
            json.dump((sorted(addresses), statements, output), file)
        with open(inside, 'w') as file:
            file.write(INSIDE % task)
        lines.gdb(gdb, elf, ['source %s' % inside])
        with open(output) as file:
            return {int(pc): Place(row) for pc, row in json.load(file).items()}


class NotJudged(Exception):
    """Nothing is known of where it leads to."""


class Stepper:
    """Steps through a run.  pcs: of each step; places: by PC; calls: the activation of each step;
    step (number, backward): where a step of one instruction leads to, None: not known."""

    def __init__(self, pcs, places, calls, step):
        self.pcs, self.places, self.calls, self.step = pcs, places, calls, step
        self.count = len(pcs)

    def stack_frame(self, at):
        if self.calls[at] is None:
            raise NotJudged
        return self.calls[at], self.places[self.pcs[at]].function

    def caller(self, at):
        return self.calls[at].caller

    def skipped(self, at):
        """How many inlined calls begin right there, which GDB does not show yet."""
        begins = [call[-1] for call in self.places[self.pcs[at]].inlined]
        return (begins + [False]).index(False)

    def frame(self, at, skipped):
        return self.stack_frame(at), tuple(
            call[:-1] for call in reversed(self.places[self.pcs[at]].inlined[skipped:]))

    def go(self, at, backward):
        to = self.step(at, backward)
        if to is None or self.calls[to] is None:
            raise NotJudged
        return to

    def run_to_caller(self, at):
        """The step behind the call that runs at AT; None: it is none in the trace."""
        over = self.calls[at].over
        if over is None or over >= self.count:
            return None
        # Before the instruction there, handlers may run.
        while self.stack_frame(over) != self.caller(at) or self.pcs[over] != self.calls[at].back:
            over += 1
            if over >= self.count:
                return None
        return over

    def run_to_entry(self, at):
        """Backward, the step at the start of the function that runs at AT, in this call; None."""
        frame = self.stack_frame(at)
        for to in range(at, -1, -1):
            if self.calls[to] is None:
                raise NotJudged
            if self.pcs[to] == frame[1] and self.stack_frame(to) == frame:
                return to
        return None

    def next(self, at, backward):
        """Where "next" leads to; the count of steps, or backward -1: the recording ends before."""
        place = self.places[self.pcs[at]]
        if place.end == 0:
            raise NotJudged     # A function without lines: GDB takes its bounds.
        # Since it asks for the first row, GDB wants the line before, from the middle of one, too.
        start = place.start - (backward and place.first is not None)
        return self.walk(at, backward, start, place.end, place.line, place.source,
                         self.frame(at, 0))

    def finish(self, at):
        place = self.places[self.pcs[at]]
        if place.inlined:
            outer = self.frame(at, 1)
            return self.walk(at, False, self.pcs[at], self.pcs[at], 0, None, outer)
        if self.calls[at] is None or self.calls[at].exception:
            raise NotJudged
        to = self.run_to_caller(at)
        if to is None:
            raise NotJudged
        return to

    def walk(self, at, backward, start, end, line, source, frame):
        over_breakpoint = False
        while True:
            if at == (0 if backward else self.count - 1):
                return -1 if backward else self.count
            at = self.go(at, backward)
            pc = self.pcs[at]
            place = self.places[pc]
            skipped = self.skipped(at)
            here = self.frame(at, skipped)
            if start <= pc < end and (not backward or here == frame):
                if backward and pc == start and pc != place.function:
                    return at
                continue
            if here[0] != frame[0] and self.caller(at) == frame[0]:
                # It was stepped into.
                if not backward:
                    to = self.run_to_caller(at)
                    if to is None:
                        return self.count
                    at = to
                    pc, skipped = self.pcs[at], self.skipped(at)
                    place, here = self.places[pc], self.frame(at, skipped)
                    if start <= pc < end:
                        continue
                else:
                    if pc != place.function:
                        to = self.run_to_entry(at)
                        if to is None:
                            # An exception came in place of its first instruction: the call.
                            made = self.calls[at].made
                            return -1 if made is None else made
                        at = to
                    continue
            if place.line == 0:
                return at
            if here == frame and skipped:
                call = place.inlined[skipped - 1]
                if call[2] == line and call[3] == source:
                    continue
                return at
            if here[1] and here != frame and here[0] == frame[0] and here[1][:len(frame[1])] == frame[1]:
                continue        # Through an inlined call.
            refresh = True
            new_line = place.line
            if pc == place.start and (line, source) != (place.line, place.source):
                if place.statement and backward and place.first not in (None, pc):
                    # Not the begin of the line.
                    start, end = place.first, pc
                    line, source, frame = place.line, place.source, here
                    continue
                if place.statement:
                    return at
                if here == frame:
                    refresh = False
                else:
                    new_line = 0
            start, end = place.start, place.end
            if backward and place.first is not None:
                if pc != start:
                    start = place.first
                if here != frame and here[0][1] == frame[0][1]:
                    refresh = False     # A call of the function by itself was left.
            if refresh:
                line, source, frame = new_line, place.source, here
