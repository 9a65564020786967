"""Random programs for Cortex-M.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
from arm32 import Arm32, CONDITIONS
from program import HIGH, LOW, POINTERS, POINTERS_AT
from tables32 import (DOUBLE, FP_MEMORY, FP_MOVES, FP_SINGLE, FP_STATE, INTEGER,
                      MEMORY, STATE, T16, V8M, V8M_FP)

TASKS = 0x6f00                  # Offset of which task runs, and their stack pointers.


# R0 becomes the frame of an exception.
FRAME = """movs r0, #4; mov r1, lr; tst r0, r1; bne 1f; mrs r0, msp; b 2f; 1:; mrs r0, psp; 2:; """
# A handler that goes on behind an undefined instruction.
SKIP = '; .thumb_func; skip:; ' + FRAME + 'ldr r1, [r0, #24]; adds r1, #2; str r1, [r0, #24]; bx lr'
# A call that changes R0 of who calls.
RESULT = FRAME + 'ldr r1, [r0]; adds r1, #77; str r1, [r0]'


class MProfile(Arm32):
    """T32 of ARMv7E-M and ARMv8-M with FP extension."""

    cpu, fpu = 'cortex-m4', 'fpv5-d16'
    with_tasks = True           # Some programs are two tasks.
    function_mark = '.thumb_func'
    unmask = 'cpsie i; mov lr, #0; msr basepri, lr; '   # So that a call is no fault.

    def rows(self):
        fp = self.random.choice((0, 0.3, 1, 1, 2))
        self.with_fp = fp > 0
        self.psp = self.chance(50)
        return INTEGER + MEMORY + DOUBLE + STATE + [
            (2, '<table>'), (0.7, '<swap>'), (5, '<row>'), (0.3, 'cpsid i'), (0.6, 'cpsie i')] + [
            (weight * fp, text) for weight, text in FP_MEMORY + FP_MOVES + FP_SINGLE + FP_STATE]

    def f_swap(self):
        """Some instructions on the other stack of a thread."""
        swap = 'mrs lr, control; eor lr, lr, #2; msr control, lr; isb'
        if not self.psp:
            return 'mrs %s, psp' % self.f_r()
        return '; '.join([swap] + [self.simple() for _ in range(3)] + [swap])

    def branch_unless(self):
        if self.chance(70):
            return super().branch_unless()
        return '<o:cbz,cbnz> <rl>, {0}; b.w @; {0}:'.format(self.label())

    def flags(self):
        """For the compiler."""
        abi = '-mfloat-abi=%s' % ('hard' if self.machine.nd else 'soft')
        return ['-mthumb', '-mcpu=' + self.cpu, abi] + (['-mfpu=fpv4-sp-d16'] if self.machine.nd else [])

    def rare(self):
        if self.chance(30 if self.tasks else 60):
            return self.unmask + 'svc #%d' % self.random.randrange(256)
        return 'ldr r0, =0xe000ed04; ldr r1, =0x10000000; str r1, [r0]' + self.random.choice(('', '; isb'))

    def prologue(self):
        ram = self.machine.ram
        self.tasks = self.psp and self.with_tasks and not self.compiled and self.chance(50)
        self.main_stack = ram + 0xa000 - 512
        lines = """.syntax unified; .cpu %s; .fpu %s; .thumb; .text; .globl _start
            vectors:; .word 0x%x, _start + 1, fault + 1, %s + 1, fault + 1, fault + 1, fault + 1
            .word fault + 1, 0, 0, 0, call + 1, fault + 1, 0, pend + 1, fault + 1
            .word irq0 + 1, irq1 + 1
            .thumb_func; _start:; ldr r0, =0xe000ed88; ldr r1, =0xf00000; str r1, [r0]; dsb; isb
            ldr r0, =0xe000e100; ldr r1, =3; str r1, [r0]
            ldr r0, =0xe000e400; ldr r1, =0x2040; strh r1, [r0]
            ldr r0, =0xe000ed1c; ldr r1, =0x%x; str r1, [r0]
            ldr r0, =0xe000ed20; ldr r1, =0x%x; str r1, [r0]
            """ % (self.cpu, self.fpu, self.main_stack, 'skip' if self.compiled == 'tricks' else 'fault',
                   self.random.choice((0x80, 0x20, 0)) << 24, self.random.choice((0xe0, 0x40)) << 16)
        if self.chance(30):
            fpccr = self.random.choice((0x80000000, 0x80000000, 0))
            lines += 'ldr r0, =0xe000ef34; ldr r1, =0x%x; str r1, [r0]\n' % fpccr
            if fpccr == 0:
                self.breaks.add('tasks')
        if self.psp:
            lines += 'ldr r0, =0x%x; msr psp, r0; ldr r0, =2; msr control, r0; isb\n' % (
                ram + 0x8200 - 8 * self.random.randrange(8))
        if self.tasks:
            lines += self.make_task()
        return lines + 'ldr r0, =f0; bx r0; .ltorg; .thumb_func; fault:; b fault' + SKIP

    def make_task(self):
        """What a second task starts with: what the switch and an exception stack."""
        ram = self.machine.ram
        words = [ram + LOW] * 8 + [0xfffffffd] + [0] * 6 + ['task + 1', 0x01000000]
        lines = 'ldr r0, =0x%x; ldr r1, =second; ldr r2, =%d\n' % (ram + 0x9400 - 4 * len(words), len(words))
        lines += 'copy:; ldr r3, [r1], #4; str r3, [r0], #4; subs r2, r2, #1; bne copy\n'
        lines += 'ldr r0, =0x%x; mov r1, #0; str r1, [r0]; ldr r1, =0x%x; str r1, [r0, #8]; b made\n' % (
            ram + TASKS, ram + 0x9400 - 4 * len(words))
        return lines + '.balign 4; second:; .word %s; made:\n' % ', '.join(
            word if isinstance(word, str) else '0x%x' % word for word in words)

    def switch(self):
        """PendSV goes on with the other task."""
        for line in """mrs r0, psp; tst lr, #0x10; it eq; vstmdbeq r0!, {s16-s31}; stmdb r0!, {r4-r11, lr}
                ldr r1, =0x%x; ldr r2, [r1]; add r3, r1, r2, lsl #2; str r0, [r3, #4]
                eor r2, r2, #1; str r2, [r1]; add r3, r1, r2, lsl #2; ldr r0, [r3, #4]
                ldmia r0!, {r4-r11, lr}; tst lr, #0x10; it eq; vldmiaeq r0!, {s16-s31}
                msr psp, r0; isb; bx lr""".split('\n'):
            self.emit(line.replace('0x%x', '0x%x' % (self.machine.ram + TASKS)))
        self.put_literals(False)
        self.emit('.ltorg; .balign 4; .thumb_func; task:')
        self.index = 0
        for pointer in self.pointers:
            self.emit(self.anchor(pointer))
        self.block(0, 20)
        self.emit('b task')
        self.put_literals(False)

    def handlers(self):
        room = self.stack_room
        for name in 'call', 'pend', 'irq0', 'irq1':
            self.emit('.balign 4; .thumb_func; %s:' % name)
            if name == 'pend' and self.tasks:
                self.switch()
                continue
            if name == 'call' and self.compiled == 'tricks':
                self.emit(RESULT)
            kept = 'r4 r5 r6 r7 r8 r9 r10 r11 r12 lr' if self.standard else \
                self.random.choice(('r7 lr', 'r4 r5 r7 lr'))
            push, pop = self.save(kept.split(), ['d8-d15'] if self.standard and self.machine.nd else [])
            self.emit('%s; sub sp, sp, #%d' % (push, room))
            self.handler_block(self.random.randint(1, 10))
            if self.chance(50):
                pop = pop.replace('pc}', 'lr}') + '; bx lr'
            self.emit('add sp, sp, #%d; %s' % (room, pop))
            self.put_literals(False)


class M4F(MProfile):
    pass


class M33(MProfile):
    cpu = 'cortex-m33'

    def rows(self):
        return super().rows() + V8M + (V8M_FP if self.with_fp else [])


class M0(MProfile):
    """T32 of ARMv6-M."""

    cpu = 'cortex-m0plus'
    unmask = 'cpsie i; '
    with_tasks = False
    data = low_data = (0, 1, 2, 3)
    pointers = low_pointers = (5, 6)
    counters = (4, 7)

    def rows(self):
        self.psp = self.chance(50)
        return T16

    def leave_early(self, leave):
        label = self.label()
        return '%s %s; %s; %s:' % ('b' + self.random.choice(CONDITIONS), label, leave, label)

    def f_h(self):
        return 'r%d' % self.random.choice((12,) if self.standard else (8, 9, 10, 11, 12))

    def anchor(self, pointer=None):
        pointer = 'r%d' % (pointer or self.random.choice(self.pointers))
        kind, ram = self.random.random(), self.machine.ram
        if kind < 0.5:
            return 'ldr %s, =0x%x' % (pointer, ram + self.random.randrange(LOW, HIGH, 4))
        if kind < 0.7:
            return 'ldr {0}, =0x{1:x}; ldr {0}, [{0}, #{2}]'.format(
                pointer, ram + POINTERS_AT, 4 * self.random.randrange(POINTERS))
        return 'lsls r3, {1}, #24; lsrs r3, r3, #22; ldr {0}, =0x{2:x}; adds {0}, {0}, r3'.format(
            pointer, self.f_rl(), ram + LOW)

    def branch_unless(self):
        return 'b%s {0}; b @; {0}:'.format(self.label()) % self.random.choice(CONDITIONS)

    def count_down(self, counter, label):
        return 'subs r{0}, #1; beq {1}; b {2}; {1}:'.format(counter, self.label(), label)

    def load_counter(self, counter, count):
        return 'movs r%d, #%d' % (counter, count)

    def frame(self):
        push, pop = self.save('r4 r5 r6 r7 lr'.split() if self.standard else 'r4 r7 lr'.split(), [])
        return push + '; sub sp, sp, #504', 'add sp, sp, #504; ' + pop

    def call(self, number):
        if self.chance(30):
            return 'ldr r3, =f%d; blx r3' % number
        return 'bl f%d' % number

    def handlers(self):
        for name in 'call', 'pend', 'irq0', 'irq1':
            self.emit('.balign 4; .thumb_func; %s:' % name)
            if name == 'call' and self.compiled == 'tricks':
                self.emit(RESULT)
            push, pop = self.save('r4 r5 r6 r7 lr'.split() if self.standard else ['lr'], [])
            self.emit('%s; sub sp, sp, #504' % push)
            self.handler_block(self.random.randint(1, 10))
            self.emit('add sp, sp, #504')
            if not self.standard and self.chance(50):
                pop = 'pop {r0}; mov lr, r0; bx lr'
            self.emit(pop)
            self.put_literals(False)
