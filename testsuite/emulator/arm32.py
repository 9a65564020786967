"""Random programs of T32 and A32: what both have in common.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

The assembler makes the IT blocks of T32 (-mimplicit-it).
"""
import re

from program import HIGH, LOW, POINTERS, POINTERS_AT, Program
from tables32 import FP_MEMORY, FP_MOVES, FP_SINGLE, INTEGER, MEMORY

CONDITIONS = 'eq ne cs cc mi pl vs vc hi ls ge lt gt le'.split()


class Arm32(Program):
    """What A32 and T32 have in common."""

    data = (0, 1, 2, 3, 7, 12)
    low_data = (0, 1, 2, 3, 7)
    pointers = (5, 6, 8, 9)
    low_pointers = (5, 6)
    counters = (4, 10, 11)
    stack_room = 504

    def expand(self, text):
        return super().expand(text).replace('~', '')

    def one_of(self, numbers, but=None):
        self.last = self.random.choice([n for n in numbers if n != but])
        return self.last

    def f_S(self):
        return 's' if self.chance(40) else ''

    forced = None               # A condition, in a row of conditional instructions.

    def f_c(self):
        if self.forced:
            return self.forced
        return self.random.choice(CONDITIONS) if self.chance(12) else ''

    def f_row(self):
        """Instructions of a condition and its opposite: IT blocks of T32."""
        rows = [text for _, text in self.conditional() if '<c>' in text and ';' not in text]
        at = self.random.randrange(14)
        made = []
        for _ in range(self.random.randint(2, 4)):
            self.forced = CONDITIONS[at ^ (self.random.random() < 0.3)]
            made.append(self.expand(self.random.choice(rows)))
        self.forced = None
        return '; '.join(made)

    def conditional(self):
        """The table of which f_row takes some."""
        return INTEGER + MEMORY + (FP_MEMORY + FP_MOVES + FP_SINGLE if self.with_fp else [])

    def f_r(self):
        return 'r%d' % self.one_of(self.data)

    def f_R(self):
        return 'r%d' % self.one_of(self.data, self.last)

    def f_rl(self):
        return 'r%d' % self.one_of(self.low_data)

    def f_p(self):
        return 'sp' if self.chance(8) else self.f_pw()

    def f_pw(self):
        return 'r%d' % self.random.choice(self.pointers)

    def f_pl(self):
        return 'r%d' % self.random.choice(self.low_pointers)

    def f_align(self, size):
        return 'bic lr, %s, #%d' % (self.f_pw(), int(size) - 1)

    def f_alignp(self, size):
        self.aligned = self.f_pw()
        return 'bic %s, %s, #%d' % (self.aligned, self.aligned, int(size) - 1)

    def f_fa(self):
        """FP accesses are aligned: a pointer made so, or LR."""
        if self.chance(50):
            return self.f_alignp(4)
        self.aligned = 'lr'
        return self.f_align(4)

    def f_ap(self):
        return self.aligned

    def f_imm(self):
        return self.random.choice((self.random.randrange(256), self.random.randrange(1, 256) << 8,
                                   self.random.randrange(1, 256) << 24, 1 << self.random.randrange(31)))

    def f_rlist(self):
        numbers = self.random.sample(self.data, self.random.randint(2, min(5, len(self.data))))
        return '{%s}' % ', '.join('r%d' % n for n in sorted(numbers))

    def f_pushpop(self):
        count = self.random.randint(1, min(5, len(self.data)))
        a, b = (sorted(self.random.sample(self.data, count)) for _ in range(2))
        return 'push {%s}; pop {%s}' % tuple(', '.join('r%d' % n for n in c) for c in (a, b))

    def f_table(self):
        """A branch by a table."""
        here = self.label()
        if self.is_thumb():
            size, way = self.random.choice((('byte', 'tbb [pc, lr]'), ('short', 'tbh [pc, lr, lsl #1]')))
            table = '; .%s %s; .balign 2' % (size, ', '.join('({} - %s) / 2' % here for _ in range(4)))
        else:
            way = self.random.choice(('add pc, pc, lr, lsl #2; nop', 'ldr pc, [pc, lr, lsl #2]; nop'))
            table = '; .word {}, {}, {}, {}' if 'ldr' in way else '; b {}; b {}; b {}; b {}'
        return 'and lr, %s, #3; ' % self.f_r() + self.choices(way + '; ' + here + ':' + table, 4, 'b {}')

    def is_thumb(self):
        return True

    def leave_early(self, leave):
        """Conditional instructions, the last of which is the return."""
        if self.chance(40):
            return super().leave_early(leave)
        condition = self.random.choice(CONDITIONS)
        return re.sub(r'(^|; )(\w+)', r'\1\2' + condition, leave)

    def f_ldr_literal(self):
        return 'ldr %s, %s' % (self.f_r(), self.f_lit(4))

    # FP registers.

    def f_s(self):
        return self.one_of(range(32))

    def f_d(self):
        return self.one_of(range(self.machine.nd))

    def f_sd(self):
        return self.one_of(range(16))

    def f_ssame(self):
        n = self.f_s()
        return 's%d, s%d' % (n, n)

    def f_spair(self):
        n = self.random.randrange(31)
        return 's%d, s%d' % (n, n + 1)

    def run(self, letter, limit, most):
        count = self.random.randint(1, most)
        first = self.random.randrange(limit - count + 1)
        return '{%s}' % ', '.join('%s%d' % (letter, first + i) for i in range(count))

    def f_slist(self):
        return self.run('s', 32, 9)

    def f_dlist(self):
        return self.run('d', self.machine.nd, 9 if self.chance(90) else 16)

    def f_vpushpop(self):
        letter, limit = self.random.choice((('s', 32), ('d', self.machine.nd)))
        count = self.random.randint(1, 8)
        a, b = (self.random.randrange(limit - count + 1) for _ in range(2))
        return 'vpush {%s}; vpop {%s}' % tuple(
            ', '.join('%s%d' % (letter, first + i) for i in range(count)) for first in (a, b))

    def f_fpimm(self):
        return '%s%.8f' % (self.random.choice(('', '-')),
                            self.random.randint(16, 31) / 16 * 2 ** self.random.randint(-3, 4))

    # Structure.

    def anchor(self, pointer=None):
        pointer = 'r%d' % (pointer or self.random.choice(self.pointers))
        kind, ram = self.random.random(), self.machine.ram
        if kind < 0.4:
            return 'ldr %s, =0x%x' % (pointer, ram + self.random.randrange(LOW, HIGH))
        if kind < 0.6:
            return 'ldr lr, =0x%x; ldr %s, [lr, #%d]' % (
                ram + POINTERS_AT, pointer, 4 * self.random.randrange(POINTERS))
        if kind < 0.8:
            return 'and lr, %s, #0x3fc; ldr %s, =0x%x; add %s, %s, lr' % (
                self.f_r(), pointer, ram + LOW, pointer, pointer)
        return 'mov %s, %s' % (pointer, self.f_pw())

    def branch_unless(self):
        return 'b%s @' % self.random.choice(CONDITIONS)

    def load_counter(self, counter, count):
        return 'mov r%d, #%d' % (counter, count)

    def count_down(self, counter, label):
        return 'subs r%d, r%d, #1; bne %s' % (counter, counter, label)

    def save(self, registers, fp):
        """Lines that push registers, and that pop them; an even number of them."""
        push = 'push {%s}' % ', '.join(registers)
        pop = 'pop {%s}' % ', '.join('pc' if name == 'lr' else name for name in registers)
        return (push + ''.join('; vpush {%s}' % names for names in fp),
                ''.join('vpop {%s}; ' % names for names in reversed(fp)) + pop)

    def saved_fp(self):
        if not self.machine.nd:
            return []
        if self.standard:
            return ['d8-d15']
        return self.random.sample(['d8-d9', 's20-s21', 'd2-d3'], self.random.randint(0, 2))

    def frame(self):
        names = 'r4 r5 r6 r7 r8 r9 r10 r11 r12 lr' if self.standard else 'r4 r10 r11 lr'
        push, pop = self.save(names.split(), self.saved_fp())
        room = self.stack_room
        return '%s; sub sp, sp, #%d' % (push, room), 'add sp, sp, #%d; %s' % (room, pop)

    def call(self, number):
        if self.chance(30):
            return 'ldr lr, =f%d; blx lr' % number
        return 'bl f%d' % number
