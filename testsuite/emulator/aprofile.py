"""Random programs of A32 and T32 of ARMv7-A and ARMv8-A.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
from arm32 import Arm32
from tables32 import (A_PROFILE, DOUBLE, DOUBLE_A32, FP_MEMORY, FP_MOVES,
                      FP_SINGLE, INTEGER, MEMORY, STATE_A, V8A)


class A15(Arm32):
    """A32 and T32 of ARMv7-A with Advanced SIMD, mixed."""

    thumb = False
    thumb_handlers = False
    cpu, fpu = 'cortex-a15', 'neon-vfpv4'

    def more(self):
        """What later ones have."""
        return []

    def rows(self):
        fp = self.random.choice((0, 0.3, 1, 1, 2))
        self.with_fp = fp > 0
        common = INTEGER + MEMORY + [(5, '<row>')] + [
            (weight * fp, text) for weight, text in
            FP_MEMORY + FP_MOVES + FP_SINGLE + A_PROFILE + self.more()] + STATE_A
        self.kind = self.random.choice(('thumb', 'arm', 'both'))
        self.mode = self.random.choice((0x10, 0x1f, 0x13))
        self.only_arm, self.only_thumb = len(common), len(common) + len(DOUBLE_A32)
        return common + DOUBLE_A32 + DOUBLE

    def choose_isa(self):
        self.thumb = self.kind == 'thumb' or self.kind == 'both' and self.chance(50)

    def choose(self):
        while True:
            index = self.random.choices(range(len(self.table)), self.weights)[0]
            if index < self.only_arm or (index >= self.only_thumb) == self.thumb:
                return self.table[index][1]

    @property
    def function_mark(self):
        self.choose_isa()
        return '.thumb; .thumb_func' if self.thumb else '.arm'

    def function(self, number):
        super().function(number)
        self.emit('.type f%d, %%function' % number)

    def is_thumb(self):
        return self.thumb

    def f_other(self):
        """Some instructions in another mode."""
        if self.mode != 0x1f or self.index is None:
            return 'mrs %s, cpsr' % self.f_r()
        return '; '.join(['cps #0x13'] + [self.simple() for _ in range(3)] + ['cps #0x1f'])

    def f_rr(self):
        return self.random.choice(('r0, r1', 'r2, r3'))

    def f_q(self):
        return self.one_of(range(16))

    def f_qq(self):
        return self.one_of(range(16), self.last)

    def vregs(self, count, step, suffix=''):
        first = self.random.randrange(32 - (count - 1) * step)
        return '{%s}' % ', '.join('d%d%s' % (first + i * step, suffix) for i in range(count))

    def vaddress(self):
        kind = self.random.random()
        if kind < 0.5:
            return '[%s]' % self.f_pw()
        if kind < 0.8:
            return '[%s]!' % self.f_pw()
        return '[%s], lr' % self.f_pw()

    def with_index(self, line):
        """LR is the index where it is one."""
        return ('mov lr, #%d; ' % self.random.randrange(0, 40) if line.endswith('lr') else '') + line

    def f_vldst(self):
        n = self.random.randint(1, 4)
        count, step = n, 1
        size = self.random.choice((8, 16, 32, 64) if n == 1 else (8, 16, 32))
        if n == 1:
            count = self.random.randint(1, 4)
        elif n == 2:
            count, step = self.random.choice(((2, 1), (2, 2), (4, 1)))
        else:
            step = self.random.randint(1, 2)
        return self.with_index('%s%d.%d %s, %s' % (
            self.random.choice(('vld', 'vst')), n, size, self.vregs(count, step), self.vaddress()))

    def f_vlane(self):
        n, size = self.random.randint(1, 4), self.random.choice((8, 16, 32))
        step = self.random.randint(1, 2) if size > 8 and n > 1 else 1
        lane = '[%d]' % self.random.randrange(64 // size)
        return self.with_index('%s%d.%d %s, %s' % (
            self.random.choice(('vld', 'vst')), n, size, self.vregs(n, step, lane), self.vaddress()))

    def f_vall(self):
        n, size = self.random.randint(1, 4), self.random.choice((8, 16, 32))
        count, step = (self.random.randint(1, 2), 1) if n == 1 else (n, self.random.randint(1, 2))
        return self.with_index('vld%d.%d %s, %s' % (n, size, self.vregs(count, step, '[]'), self.vaddress()))

    def flags(self):
        """For the compiler."""
        return [self.random.choice(('-marm', '-mthumb')), '-mcpu=cortex-a15', '-mfpu=neon-vfpv4', '-mfloat-abi=hard', '-DVECTORS']

    def rare(self):
        return 'svc #%d' % self.random.randrange(256)

    def prologue(self):
        ram = self.machine.ram
        self.thumb_handlers = self.kind != 'arm' and self.chance(50)
        lines = """.syntax unified; .cpu %s; .fpu %s; .arm; .text; .globl _start
            _start:; ldr r0, =vectors; mcr p15, 0, r0, c12, c0, 0; mov r0, #0xf << 20; mcr p15, 0, r0, c1, c0, 2; isb
            mov r0, #1 << 30; vmsr fpexc, r0
            ldr r0, =0x08000000; mov r1, #1; str r1, [r0]; ldr r1, =0xffff; str r1, [r0, #0x100]
            ldr r0, =0x08010000; mov r1, #1; str r1, [r0]; mov r1, #0xff; str r1, [r0, #4]
            cps #0x12; ldr sp, =0x%x; cps #0x13; ldr sp, =0x%x; cps #0x1f; ldr sp, =0x%x
            """ % (self.cpu, self.fpu, ram + 0x7800, ram + (0x9e00 if self.mode == 0x13 else 0x8400), ram + 0x9e00)
        if self.thumb_handlers:
            lines += 'mrc p15, 0, r0, c1, c0, 0; orr r0, r0, #1 << 30; mcr p15, 0, r0, c1, c0, 0; isb\n'
        return lines + 'cpsie i, #0x%x; ldr pc, =f0; .ltorg' % self.mode

    def handlers(self):
        self.thumb = self.thumb_handlers
        self.index = None
        self.emit('.balign 32; {0}; vectors:; .skip 8; {1} call; .skip 12; {1} irq; .balign 4'.format(
            *(('.thumb', 'b.w') if self.thumb else ('.arm', 'b'))))
        fp = ['d8-d15'] if self.standard else []
        if self.compiled:
            fp = ['d0-d15', 'd16-d31']
        kept = 'r4 r5 r6 r7 r8 r9 r10 r11'.split() if self.standard else []
        room = self.stack_room
        push, pop = self.save(kept + ['lr'], fp)
        self.emit('call:; %s; sub sp, sp, #%d' % (push, room))
        self.handler_block(self.random.randint(1, 8))
        self.emit('add sp, sp, #%d' % room)
        self.emit(self.leave(pop))
        self.put_literals(False)
        if not self.standard:
            kept = ['r7']
        push, pop = self.save('r0 r1 r2 r3'.split() + kept + ['r12', 'lr'], fp)
        other = self.random.random() < 0.4
        self.emit('irq:; sub lr, lr, #4')
        if other:
            self.emit('srsdb sp!, #0x13; cps #0x13')
        self.emit('%s; sub sp, sp, #%d' % (push, room))
        self.emit('ldr r0, =0x08010000; ldr r1, [r0, #0xc]; str r1, [r0, #0x10]')
        self.handler_block(self.random.randint(1, 10))
        self.emit('add sp, sp, #%d' % room)
        self.emit(pop.replace('pc}', 'lr}') + '; rfeia sp!' if other else self.leave(pop))
        self.put_literals(False)

    def leave(self, pop):
        """Pop, and return from an exception."""
        if not self.thumb and self.chance(50):
            # All but the last of them, then with the status.
            at = pop.rindex('pop ')
            return pop[:at] + 'ldmia sp!, ' + pop[at + 4:] + '^'
        return pop.replace('pc}', 'lr}') + '; movs pc, lr'


class A32(A15):
    """With what ARMv8-A added."""

    cpu, fpu = 'cortex-a32', 'crypto-neon-fp-armv8'

    def more(self):
        return V8A
