"""Random programs in assembler: what all instruction sets have in common.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A program is a few functions of blocks, loops, conditions and calls, filled with
instructions from the set's table.  A line of a table is a weight and a text in which
<NAME> or <NAME:ARGUMENTS> is replaced by what the method f_NAME says, <=N> by what the
Nth of them became, counted from 0.

Data registers hold anything; pointers always lead somewhere into the middle of the RAM,
so that any access may be made through them; counters belong to loops.
"""
import random
import re

FIELD = re.compile(r'<(=?\w+)(?::([^>]*))?>')

# Interesting 32-bit halves of numbers.
SPECIAL = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0x40490fdb, 0x7f800000,
           0x7fc00000, 0x00800000, 0x3ff00000]

POINTERS_AT, POINTERS = 0x6e00, 16      # A table of pointers in RAM that nobody writes.
LOW, HIGH = 0x2000, 0x4000              # Where pointers lead to.


class Program:
    """text: the assembler source.  pointers: numbers of the registers that are one."""

    pointers = ()
    counters = ()
    function_mark = ''

    def __init__(self, machine, seed, compiled):
        """COMPILED: what runs is the function "program" of the C file of this name; or None."""
        self.machine, self.seed, self.compiled = machine, seed, compiled
        self.random = random.Random(seed)
        self.lines, self.labels, self.literals = [], 0, []
        self.functions = self.random.randint(2, 5)
        # Is its trace an ETM's, not an MTB's?
        self.etm = not machine.is_m or machine.name != 'm0' and self.chance(40)
        # Does it keep to the procedure call standard?
        self.standard = compiled is not None or self.chance(40)
        # What other assumptions does it break?
        self.breaks = set()
        self.interrupts = self.chance(60)
        self.interrupt_gaps = self.random.choice(((10, 60), (20, 300), (300, 600)))
        self.table = self.choose_table()
        self.weights = [weight for weight, _ in self.table]
        self.emit(self.prologue())
        self.checked = self.pointers
        if compiled:
            # Handlers have pointers of their own.
            self.checked = ()
            self.emit(self.function_mark)
            self.emit('f0:; start:; ldr {0}0, =0x{1:x}; ldr {0}1, ={2}; ldr {0}2, =program; {3} {0}2; .ltorg'.format(
                *(('x', machine.ram + LOW, seed, 'blr') if machine.a64
                  else ('r', machine.ram + LOW, seed, 'blx'))))
            self.compile_flags = self.flags()
        for number in range(0 if compiled else self.functions):
            self.index = number
            self.function(number)
        self.handlers()
        self.text = '\n'.join(self.lines) + '\n'

    # What a run asks.

    def pointer_table(self):
        """(offset, value) of pointers in RAM."""
        r = random.Random(self.seed + 1)
        width = 8 if self.machine.a64 else 4
        return [(POINTERS_AT + width * i, self.machine.ram + r.randrange(LOW, HIGH, 8))
                for i in range(POINTERS)]

    def start_registers(self):
        """(number, value) of core registers at the start."""
        r = random.Random(self.seed + 2)
        bits = 64 if self.machine.a64 else 32
        data = [(number, self.random_number(r, bits)) for number in self.data]
        return data + [(number, self.machine.ram + r.randrange(LOW, HIGH, 8))
                       for number in self.pointers]

    @staticmethod
    def random_number(r, bits):
        value = r.getrandbits(bits)
        if r.random() < 0.3:
            value = r.choice(SPECIAL) | r.choice(SPECIAL) << 32
        return value & (1 << bits) - 1

    def random_fp(self):
        return self.random_number(self.random, 64)

    # Text.

    def choose_table(self):
        """Each program prefers some of the instructions."""
        r = self.random
        table = [(weight * r.choice((0.2, 1, 1, 3)), text) for weight, text in self.rows()]
        return table

    def emit(self, text):
        self.lines += [line.strip() if line.strip().endswith(':') else '\t' + line.strip()
                       for part in text.split('\n') for line in part.split(';') if line.strip()]

    def label(self):
        self.labels += 1
        return '.L%d' % self.labels

    def expand(self, text):
        drawn = []

        def replace(found):
            name, arguments = found.groups()
            if name.startswith('='):
                return drawn[int(name[1:])]
            arguments = arguments.split(',') if arguments else []
            drawn.append(str(getattr(self, 'f_' + name)(*arguments)))
            return drawn[-1]
        return FIELD.sub(replace, text)

    def choose(self):
        """A text of the table."""
        return self.random.choices(self.table, self.weights)[0][1]

    def instruction(self):
        self.emit(self.expand(self.choose()))

    def chance(self, percent):
        return self.random.random() * 100 < percent

    # Fields that all sets have.

    def f_i(self, low, high, step='1'):
        return self.random.randrange(int(low, 0), int(high, 0) + 1, int(step, 0))

    def f_o(self, *words):
        return self.random.choice(words)

    def f_hex(self, bits):
        return '0x%x' % self.random_number(self.random, int(bits))

    def f_lit(self, size='8', within='0'):
        """A label in the literals behind the function."""
        label = self.label()
        self.literals.append((label, int(size), len(self.lines)))
        return label

    def put_literals(self, jump):
        """The literals so far, jumped over where JUMP."""
        if not self.literals:
            return
        over = self.label()
        if jump:
            self.emit('b ' + over)
        self.emit('.ltorg; .balign 16')
        for label, size, _ in self.literals:
            words = ', '.join(self.f_hex(32) for _ in range(max(size // 4, 1)))
            self.emit('.balign %d; %s:; .word %s' % (max(size, 4), label, words))
        self.literals = []
        if jump:
            self.emit('.balign 4; %s:' % over)

    # Structure.

    def block(self, depth, size):
        while size > 0:
            size -= 1
            kind = self.random.random() * 100
            if kind < 84 or depth >= len(self.counters) - 1:
                self.instruction()
            elif kind < 88:
                self.condition(depth, size)
            elif kind < 91:
                self.loop(depth)
            elif kind < 95:
                self.emit(self.anchor())
            elif kind < 97 and self.index + 1 < self.functions:
                self.emit(self.call(self.random.randrange(self.index + 1, self.functions)))
            else:
                self.emit(self.rare())
            if len(self.literals) > 6 or self.literals and len(self.lines) > self.literals[0][2] + 120:
                self.put_literals(True)

    def condition(self, depth, size):
        other, end = self.label(), self.label()
        self.emit(self.expand(self.branch_unless()).replace('@', other))
        self.block(depth + 1, self.random.randint(1, 5))
        if self.chance(40):
            self.emit('b %s; %s:' % (end, other))
            self.block(depth + 1, self.random.randint(1, 5))
            self.emit(end + ':')
        else:
            self.emit(other + ':')

    def loop(self, depth):
        counter = self.counters[depth]
        start = self.label()
        self.emit(self.load_counter(counter, self.random.randint(2, 6)))
        self.emit(start + ':')
        self.emit(self.anchor())
        self.block(depth + 1, self.random.randint(2, 10))
        self.emit(self.count_down(counter, start))

    def leave_early(self, leave):
        """LEAVE, or not."""
        label = self.label()
        return '%s; %s; %s:' % (self.expand(self.branch_unless()).replace('@', label), leave, label)

    def simple(self):
        """An instruction in one line that needs nothing behind the function."""
        while True:
            text = self.choose()
            if ';' not in text and not re.search('<(lit|ldr_literal|row|table|swap|other)', text):
                return self.expand(text)

    def choices(self, table, count, after):
        """What goes on at one of COUNT places behind the table TABLE, a text with as many {}."""
        labels, end = [self.label() for _ in range(count)], self.label()
        parts = [table.format(*labels)]
        for label in labels:
            parts += [label + ':', self.simple()] + ([after.format(end)] if self.chance(70) else [])
        return '; '.join(parts + [end + ':'])

    def handler_block(self, size):
        """What a handler does."""
        if self.compiled:
            for pointer in self.pointers:
                self.emit('ldr %s%d, =0x%x' % ('x' if self.machine.a64 else 'r', pointer,
                                               self.machine.ram + self.random.randrange(LOW, HIGH, 8)))
        self.block(len(self.counters), size)

    def function(self, number):
        self.emit('.balign 16; ' + self.function_mark)
        self.emit('f%d:' % number)
        if number == 0:
            self.emit('start:')
        if number == 0:
            # All goes round until the run is long enough.
            for pointer in self.pointers:
                self.emit(self.anchor(pointer))
            self.block(0, 40)
            self.emit('b start')
        else:
            enter, leave = self.frame()
            self.emit(enter)
            self.block(0, self.random.randint(5, 20))
            if self.chance(40):
                self.emit(self.leave_early(leave))
                self.block(0, self.random.randint(1, 10))
            self.emit(leave)
        self.put_literals(False)
