"""Random programs of T32 (M profile and A profile) and A32.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

The assembler makes the IT blocks of T32 (-mimplicit-it).
"""
from program import HIGH, LOW, POINTERS, POINTERS_AT, Program

INTEGER = [
    (8, '<o:add,sub,and,orr,eor,bic,adc,sbc,rsb><S><c> <r>, <r>, <r>'),
    (5, '<o:add,sub,and,orr,eor,bic,rsb><S><c> <r>, <r>, #<imm>'),
    (4, '<o:add,sub,and,orr,eor,bic,adc,sbc><S><c> <r>, <r>, <r>, <o:lsl,lsr,asr,ror> #<i:1,31>'),
    (1, '<o:add,sub,orr><S> <r>, <r>, <r>, rrx'), (3, '<o:lsl,lsr,asr,ror><S><c> <r>, <r>, <r>'),
    (3, '<o:lsl,lsr,asr,ror><S><c> <r>, <r>, #<i:1,31>'), (1, 'rrx<S> <r>, <r>'),
    (3, '<o:mov,mvn><S><c> <r>, <r>'), (2, '<o:mov,mvn><S><c> <r>, #<imm>'),
    (2, '<o:movw,movt><c> <r>, #<i:0,65535>'), (2, 'ldr<c> <r>, =<hex:32>'), (1, 'adr <r>, .'),
    (3, '<o:cmp,cmn,tst,teq><c> <r>, <r>'), (2, '<o:cmp,cmn,tst,teq> <r>, #<imm>'),
    (2, 'mul<c> <r>, <r>, <r>'), (1, 'muls <rl>, <rl>, <=0>'), (2, '<o:mla,mls><c> <r>, <r>, <r>, <r>'),
    (2, '<o:umull,smull,umlal,smlal><c> <r>, <R>, <r>, <r>'), (1, 'umaal <r>, <R>, <r>, <r>'),
    (1, '<o:smulbb,smultt,smulwb,smmul,smmulr,smuad,smusdx><c> <r>, <r>, <r>'),
    (1, '<o:smlabb,smlatb,smlawt,smmla,smlad,smlsd> <r>, <r>, <r>, <r>'),
    (1, '<o:smlalbb,smlald> <r>, <R>, <r>, <r>'), (2, '<o:sdiv,udiv><c> <r>, <r>, <r>'),
    (2, '<o:clz,rbit,rev,rev16,revsh><c> <r>, <r>'), (2, '<o:uxtb,uxth,sxtb,sxth><c> <r>, <r>'),
    (1, '<o:uxtb,sxth,uxtb16> <r>, <r>, ror #<i:8,24,8>'), (1, '<o:uxtab,sxtah,uxtab16><c> <r>, <r>, <r>'),
    (2, '<o:ubfx,sbfx,bfi><c> <r>, <r>, #<i:0,15>, #<i:1,16>'), (1, 'bfc <r>, #<i:0,15>, #<i:1,16>'),
    (1, '<o:ssat,usat> <r>, #<i:1,31>, <r>, lsl #<i:0,31>'), (1, '<o:ssat16,usat16> <r>, #<i:1,15>, <r>'),
    (1, '<o:sadd16,uadd8,ssub8,usub16,uasx,sel,qadd16,uhadd8,shsub16> <r>, <r>, <r>'),
    (1, '<o:qadd,qsub,qdadd> <r>, <r>, <r>'), (1, '<o:pkhbt> <r>, <r>, <r>, lsl #<i:1,31>'),
    (0.5, 'pkhtb <r>, <r>, <r>, asr #<i:1,31>'), (0.5, '<o:usad8> <r>, <r>, <r>'),
    (1, 'mrs<c> <r>, apsr'), (1, 'msr<c> apsr_nzcvq, <r>'), (0.5, 'msr apsr_g, <r>'), (1, 'mov<c> <r>, sp'),
]
MEMORY = [
    (4, '<o:ldr,str><c> <r>, [<p>, #<i:0,124,4>]'), (3, '<o:ldr,str><c> <rl>, [<pl>, #<i:0,124,4>]'),
    (3, '<o:ldrb,strb,ldrsb><c> <r>, [<p>, #<i:0,120>]'), (3, '<o:ldrh,strh,ldrsh><c> <r>, [<p>, #<i:0,120,2>]'),
    (2, '<o:ldr,str,ldrb,strb,ldrh,ldrsh><c> <r>, [<p>, #<i:-120,0>]'),
    (3, '<o:ldr,str><c> <r>, [<pw>], #<i:-32,32,4>'), (3, '<o:ldr,str><c> <r>, [<pw>, #<i:-32,32,4>]!'),
    (2, '<o:ldrb,strb,ldrsh,strh><c> <r>, [<pw>], #<i:-8,8>'), (1, '<o:ldrsb,ldrh,strh> <r>, [<pw>, #<i:-8,8>]!'),
    (2, 'and <r>, <=0>, #0x7c; <o:ldr,str> <r>, [<p>, <=0>]'),
    (2, 'and <r>, <r>, #0x1f; <o:ldr,str,ldrb,strb> <r>, [<p>, <=0>, lsl #<i:0,2>]'),
    (1, 'and <r>, <r>, #0x1e; <o:strh,ldrh,ldrsb,ldrsh> <r>, [<p>, <=0>]'),
    (1, '<align:4>; ldrex <r>, [lr]; strex <r>, <R>, [lr]'), (0.5, 'ldrexb <r>, [<pw>]; clrex'),
    (3, '<align:4>; <o:ldmia,stmia,ldmdb,stmdb><c> lr, <rlist>'), (3, '<align:4>; <o:ldmia,stmia,ldmdb,stmdb> lr!, <rlist>'),
    (2, '<alignp:4>; <o:ldmia,stmia,ldmdb,stmdb><c> <=0>, <rlist>'.replace('<=0>', '<ap>')),
    (2, '<pushpop>'), (2, '<ldr_literal>'), (0.5, 'dmb'), (0.3, 'dsb'), (0.3, 'isb'), (0.3, 'nop'), (0.3, 'clrex'),
]
DOUBLE = [      # LDRD and STRD of T32.
    (2, '<align:4>; <o:ldrd,strd><c> <r>, <R>, [lr, #<i:-128,128,4>]'),
    (1, '<align:4>; <o:ldrd,strd> <r>, <R>, [lr], #<i:-16,16,4>'),
    (1, '<align:4>; <o:ldrd,strd> <r>, <R>, [lr, #<i:-16,16,4>]!'),
]
FP_MEMORY = [
    (4, '<fa>; <o:vldr,vstr><c> s<s>, [<ap>, #<i:-128,256,4>]'), (5, '<fa>; <o:vldr,vstr><c> d<d>, [<ap>, #<i:-128,256,4>]'),
    (2, '<o:vldr,vstr> <o:s,d>~<sd>, [sp, #<i:0,128,4>]'),
    (2, '<fa>; <o:vldmia,vstmia><c> <ap>, <slist>'), (3, '<fa>; <o:vldmia,vstmia><c> <ap>, <dlist>'),
    (2, '<fa>; <o:vldmia,vstmia,vldmdb,vstmdb><c> <ap>!, <slist>'),
    (3, '<fa>; <o:vldmia,vstmia,vldmdb,vstmdb><c> <ap>!, <dlist>'),
    (3, '<vpushpop>'), (1, 'vldr<c> s<s>, <lit:4>'), (2, 'vldr<c> d<d>, <lit:8>'),
]
FP_MOVES = [
    (3, 'vmov<c> <r>, s<s>'), (3, 'vmov<c> s<s>, <r>'), (2, 'vmov<c> <r>, <R>, <spair>'),
    (2, 'vmov<c> <spair>, <r>, <r>'), (3, 'vmov<c> <r>, <R>, d<d>'), (3, 'vmov<c> d<d>, <r>, <r>'),
    (2, 'vmov<c>.f32 s<s>, s<s>'), (2, 'vmov<c>.32 d<d>[<i:0,1>], <r>'), (2, 'vmov<c>.32 <r>, d<d>[<i:0,1>]'),
    (2, 'vmov<c>.f32 s<s>, #<fpimm>'), (1, 'vmrs<c> <r>, fpscr'), (1, 'vmrs<c> apsr_nzcv, fpscr'),
    (0.5, 'ldr lr, =0xf7c0009f; and <r>, <r>, lr; vmsr fpscr, <=0>'),
]
FP_SINGLE = [
    (3, '<o:vadd,vsub,vmul,vdiv,vnmul><c>.f32 s<s>, s<s>, s<s>'), (1, '<o:vmla,vmls,vfma,vfms,vnmla><c>.f32 s<s>, s<s>, s<s>'),
    (1, '<o:vabs,vneg,vsqrt><c>.f32 s<s>, s<s>'), (1, 'vcvt<c>.<o:s32,u32>.f32 s<s>, s<s>'),
    (1, 'vcvt<c>.f32.<o:s32,u32> s<s>, s<s>'), (0.5, 'vcvt.f32.s16 s<s>, <=0>, #<i:1,15>'.replace('s<s>, <=0>', '<ssame>')),
    (1, '<o:vcmp,vcmpe><c>.f32 s<s>, s<s>'), (1, 'vcmp.f32 s<s>, #0; vmrs apsr_nzcv, fpscr'),
    (0.5, '<o:vcvtb,vcvtt>.f16.f32 s<s>, s<s>'), (0.5, 'vcvtb.f32.f16 s<s>, s<s>'), (0.5, 'vcvtr.s32.f32 s<s>, s<s>'),
]
V8M = [
    (1, '<align:4>; <o:lda,stl> <r>, [lr]'), (0.5, '<o:ldab,stlb> <r>, [<pw>]'), (0.5, '<align:4>; ldaex <r>, [lr]; stlex <r>, <R>, [lr]'),
    (1, 'vsel<o:eq,vs,ge,gt>.f32 s<s>, s<s>, s<s>'), (0.5, '<o:vmaxnm,vminnm>.f32 s<s>, s<s>, s<s>'),
    (0.5, 'vrint<o:a,n,p,m>.f32 s<s>, s<s>'), (0.5, 'vcvt<o:a,n,p,m>.s32.f32 s<s>, s<s>'),
]
FP_STATE = [    # What an exception stacks, on the M profile.
    (0.3, 'mrs lr, control; bic lr, lr, #4; msr control, lr; isb'), (0.3, 'mrs <r>, control'),
    (0.3, 'ldr lr, =0xe000ef34; ldr <r>, [lr]; bic <=0>, <=0>, #1; str <=0>, [lr]'),
]
V8M_FP = [(0.5, '<align:8>; vlstm lr'), (0.5, '<align:8>; vlstm lr; vlldm lr')]
TASKS = 0x6f00                  # Offset of which task runs, and their stack pointers.
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


class MProfile(Arm32):
    """T32 of ARMv7E-M and ARMv8-M with FP extension."""

    cpu, fpu = 'cortex-m4', 'fpv5-d16'
    with_tasks = True           # Some programs are two tasks.
    function_mark = '.thumb_func'

    def rows(self):
        fp = self.random.choice((0, 0.3, 1, 1, 2))
        self.with_fp = fp > 0
        return INTEGER + MEMORY + DOUBLE + [
            (5, '<row>'), (0.3, 'cpsid i'), (0.6, 'cpsie i')] + [
            (weight * fp, text) for weight, text in FP_MEMORY + FP_MOVES + FP_SINGLE + FP_STATE]

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
            return 'cpsie i; svc #%d' % self.random.randrange(256)
        return 'ldr r0, =0xe000ed04; ldr r1, =0x10000000; str r1, [r0]' + self.random.choice(('', '; isb'))

    def prologue(self):
        ram = self.machine.ram
        self.psp = self.chance(50)
        self.tasks = self.psp and self.with_tasks and not self.compiled and self.chance(50)
        self.main_stack = ram + 0xa000 - 512
        lines = """.syntax unified; .cpu %s; .fpu %s; .thumb; .text; .globl _start
            vectors:; .word 0x%x, _start + 1, fault + 1, fault + 1, fault + 1, fault + 1, fault + 1
            .word fault + 1, 0, 0, 0, call + 1, fault + 1, 0, pend + 1, fault + 1
            .word irq0 + 1, irq1 + 1
            .thumb_func; _start:; ldr r0, =0xe000ed88; ldr r1, =0xf00000; str r1, [r0]; dsb; isb
            ldr r0, =0xe000e100; ldr r1, =3; str r1, [r0]
            ldr r0, =0xe000e400; ldr r1, =0x2040; strh r1, [r0]
            ldr r0, =0xe000ed1c; ldr r1, =0x%x; str r1, [r0]
            ldr r0, =0xe000ed20; ldr r1, =0x%x; str r1, [r0]
            """ % (self.cpu, self.fpu, self.main_stack,
                   self.random.choice((0x80, 0x20, 0)) << 24, self.random.choice((0xe0, 0x40)) << 16)
        if self.chance(30):
            lines += 'ldr r0, =0xe000ef34; ldr r1, =0x%x; str r1, [r0]\n' % (
                self.random.choice((0x80000000, 0x80000000, 0)))
        if self.psp:
            lines += 'ldr r0, =0x%x; msr psp, r0; ldr r0, =2; msr control, r0; isb\n' % (
                ram + 0x8200 - 8 * self.random.randrange(8))
        if self.tasks:
            lines += self.make_task()
        return lines + 'ldr r0, =f0; bx r0; .ltorg; .thumb_func; fault:; b fault'

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


T16 = [
    (6, '<o:adds,subs> <rl>, <rl>, <rl>'), (4, '<o:adds,subs> <rl>, <rl>, #<i:0,7>'),
    (4, '<o:adds,subs> <rl>, #<i:0,255>'), (3, 'movs <rl>, #<i:0,255>'), (1, 'movs <rl>, <rl>'),
    (6, '<o:ands,orrs,eors,bics,adcs,sbcs,muls,lsls,lsrs,asrs,rors> <rl>, <=1>, <rl>'),
    (2, '<o:mvns> <rl>, <rl>'), (2, 'rsbs <rl>, <rl>, #0'), (4, '<o:lsls,lsrs,asrs> <rl>, <rl>, #<i:1,31>'),
    (3, '<o:cmp,cmn,tst> <rl>, <rl>'), (2, 'cmp <rl>, #<i:0,255>'), (2, 'cmp <h>, <rl>'),
    (3, 'mov <h>, <rl>'), (3, 'mov <rl>, <h>'), (2, 'add <rl>, <h>'), (1, 'add <h>, <rl>'), (1, 'mov <rl>, sp'),
    (2, '<o:uxtb,uxth,sxtb,sxth,rev,rev16,revsh> <rl>, <rl>'), (2, 'ldr <rl>, =<hex:32>'),
    (1, '.balign 4; adr <rl>, . + 4'), (1, 'add <rl>, sp, #<i:0,256,4>'), (1, 'mrs <rl>, apsr'), (0.5, 'msr apsr_nzcvq, <rl>'),
    (5, '<o:ldr,str> <rl>, [<pl>, #<i:0,124,4>]'), (3, '<o:ldr,str> <rl>, [sp, #<i:0,252,4>]'),
    (3, '<o:ldrb,strb> <rl>, [<pl>, #<i:0,31>]'), (3, '<o:ldrh,strh> <rl>, [<pl>, #<i:0,62,2>]'),
    (2, 'movs r3, #0x7c; ands r3, <rl>; <o:ldr,str> <rl>, [<pl>, r3]'),
    (2, 'movs r3, #0x1e; ands r3, <rl>; <o:strh,ldrh,ldrsh,ldrb,strb,ldrsb> <rl>, [<pl>, r3]'),
    (3, '<o:ldmia,stmia> <pl>!, <rlist>'), (2, '<pushpop>'), (1, '<ldr_literal>'),
    (0.5, '<o:nop,dmb,isb,sev>'), (0.3, 'cpsid i'), (0.6, 'cpsie i'),
]


class M0(MProfile):
    """T32 of ARMv6-M."""

    cpu = 'cortex-m0plus'
    with_tasks = False
    data = low_data = (0, 1, 2, 3)
    pointers = low_pointers = (5, 6)
    counters = (4, 7)

    def rows(self):
        return T16

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
            push, pop = self.save('r4 r5 r6 r7 lr'.split() if self.standard else ['lr'], [])
            self.emit('%s; sub sp, sp, #504' % push)
            self.handler_block(self.random.randint(1, 10))
            self.emit('add sp, sp, #504')
            if not self.standard and self.chance(50):
                pop = 'pop {r0}; mov lr, r0; bx lr'
            self.emit(pop)
            self.put_literals(False)


A_PROFILE = [
    (3, '<o:vadd,vsub,vmul,vdiv><c>.f64 d<d>, d<d>, d<d>'), (1, '<o:vmla,vfma><c>.f64 d<d>, d<d>, d<d>'),
    (1, '<o:vabs,vneg,vsqrt>.f64 d<d>, d<d>'), (1, 'vcvt.f32.f64 s<s>, d<d>'), (1, 'vcvt.f64.f32 d<d>, s<s>'),
    (1, 'vcvt.<o:s32,u32>.f64 s<s>, d<d>'), (1, 'vcvt.f64.<o:s32,u32> d<d>, s<s>'), (1, 'vcmp.f64 d<d>, d<d>'),
    (2, 'vmov<c>.f64 d<d>, d<d>'), (1, 'vmov.f64 d<d>, #<fpimm>'),
    (8, '<vldst>'), (3, '<vlane>'), (2, '<vall>'),
    (2, 'vmov q<q>, q<q>'), (1, 'vmov d<d>, d<d>'), (1, 'vmvn q<q>, q<q>'), (1, 'vswp <o:d,q>~<q>, <=0>~<q>'),
    (2, 'vdup.<o:8,16,32> <o:d,q>~<q>, <r>'), (1, 'vdup.8 <o:d,q>~<q>, d<d>[<i:0,7>]'),
    (1, 'vdup.16 q<q>, d<d>[<i:0,3>]'), (1, 'vdup.32 <o:d,q>~<q>, d<d>[<i:0,1>]'),
    (1, 'vmov.8 d<d>[<i:0,7>], <r>'), (1, 'vmov.16 d<d>[<i:0,3>], <r>'),
    (1, 'vmov.<o:u8,s8> <r>, d<d>[<i:0,7>]'), (1, 'vmov.<o:u16,s16> <r>, d<d>[<i:0,3>]'),
    (1, 'vmov.i8 <o:d,q>~<q>, #<i:0,255>'), (1, '<o:vmov,vmvn>.i16 d<d>, #<o:0x12,0x3400>'),
    (1, '<o:vmov,vmvn>.i32 q<q>, #<o:0xab,0xcd00,0x120000,0x34000000,0x12ff,0x34ffff>'),
    (1, 'vmov.i64 <o:d,q>~<q>, #<o:0xff00ff00ff00ff,0xffffffff,0xff00000000000000>'),
    (0.5, '<o:vorr,vbic>.i32 q<q>, #<o:0xab,0xcd00>'), (0.5, 'vmov.f32 q<q>, #<fpimm>'),
    (2, '<o:vand,vorr,veor,vbic,vorn,vbsl,vbit,vbif> <o:d,q>~<q>, <=1>~<q>, <=1>~<q>'),
    (2, '<o:vadd,vsub,vceq>.<o:i8,i16,i32> <o:d,q>~<q>, <=2>~<q>, <=2>~<q>'), (1, 'vmul.i16 q<q>, q<q>, q<q>'),
    (1, '<o:vtrn,vuzp,vzip>.<o:8,16> <o:d,q>~<q>, <=2>~<qq>'), (0.5, 'vtrn.32 d<q>, d<qq>'),
    (1, 'vrev64.<o:8,16,32> <o:d,q>~<q>, <=1>~<q>'), (1, 'vext.8 <o:d,q>~<q>, <=0>~<q>, <=0>~<q>, #<i:0,7>'),
    (0.5, 'vtbl.8 d<d>, {d<d>}, d<d>'), (0.5, 'vtbx.8 d<d>, {d4, d5}, d<d>'), (1, 'vmull.s16 q<q>, d<d>, d<d>'),
    (1, 'vmovl.u8 q<q>, d<d>'), (1, 'vmovn.i32 d<d>, q<q>'), (0.5, 'vqmovn.s16 d<d>, q<q>'),
    (1, '<o:vshl,vsli>.i32 q<q>, q<q>, #<i:0,31>'.replace('vshl,vsli>.i32', 'vshl,vsli>.32').replace('vshl,vsli', 'vsli')),
    (1, 'vshr.u64 d<d>, d<d>, #<i:1,63>'), (0.5, 'vqadd.s16 q<q>, q<q>, q<q>'), (0.5, 'vpadd.i8 d<d>, d<d>, d<d>'),
    (1, '<o:vadd,vmul,vmla,vmax>.f32 q<q>, q<q>, q<q>'), (0.5, 'vcvt.f32.s32 q<q>, q<q>'), (0.5, 'vcnt.8 d<d>, d<d>'),
]
DOUBLE_A32 = [
    (2, '<align:8>; <o:ldrd,strd><c> <rr>, [lr, #<i:-128,128,4>]'), (1, '<align:8>; <o:ldrd,strd> <rr>, [lr], #<i:-16,16,4>'),
    (1, '<align:8>; <o:ldrd,strd> <rr>, [lr, #<i:-16,16,4>]!'),
    (1, 'and lr, <r>, #0x7c; <o:ldr,str,ldrb,strb><c> <r>, [<pw>, -lr]'),
    (1, 'and lr, <r>, #0x1c; <o:ldr,str> <r>, [<pw>], <o:,->~lr'), (1, 'and lr, <r>, #0x1c; <o:ldr,strb> <r>, [<pw>, lr]!'),
    (1, 'and lr, <r>, #0x1f; <o:ldr,str> <r>, [<pw>, lr, lsl #<i:0,2>]'), (1, '<o:rsc><S> <r>, <r>, <r>'),
    (1, '<o:add,sub,and,orr,eor,rsc><S><c> <r>, <r>, <r>, <o:lsl,lsr,asr,ror> <r>'),
    (1, '<o:mov,mvn><S> <r>, <r>, <o:lsl,lsr,asr,ror> <r>'), (1, '<o:cmp,tst> <r>, <r>, lsl <r>'),
    (1, '<align:4>; <o:ldmib,stmib,ldmda,stmda><c> lr, <rlist>'), (1, '<o:rsb,rsc><S> <r>, <r>, #<imm>'),
    (1, '<alignp:4>; swp <r>, <R>, [<ap>]'.replace('swp <r>, <R>', 'ldr <r>')),
]

V8A = [
    (1, '<align:4>; <o:lda,stl><c> <r>, [lr]'), (0.5, '<o:ldab,stlb> <r>, [<pw>]'), (0.5, '<align:4>; ldaex <r>, [lr]; stlex <r>, <R>, [lr]'),
    (1, 'vsel<o:eq,vs,ge,gt>.<o:f32> s<s>, s<s>, s<s>'), (1, 'vsel<o:eq,vs,ge,gt>.f64 d<d>, d<d>, d<d>'),
    (1, '<o:vmaxnm,vminnm>.f64 d<d>, d<d>, d<d>'), (1, '<o:vmaxnm,vminnm>.f32 q<q>, q<q>, q<q>'),
    (1, 'vrint<o:a,n,p,m,z,x,r>.f64 d<d>, d<d>'), (0.5, 'vrint<o:a,n,p,m>.f32 q<q>, q<q>'), (1, 'vcvt<o:a,n,p,m>.s32.f64 s<s>, d<d>'),
    (0.5, 'vcvt<o:a,n>.u32.f32 q<q>, q<q>'), (1, 'vcvtb.f16.f64 s<s>, d<d>'), (1, 'vcvtt.f64.f16 d<d>, s<s>'),
    (1, 'crc32<o:b,h,w> <r>, <r>, <r>'), (0.5, '<o:aese,aesmc>.8 q<q>, q<q>'), (0.5, 'sha1h.32 q<q>, q<q>'),
    (0.5, 'sha256h.32 q<q>, q<q>, q<q>'), (0.5, 'sha1c.32 q<q>, q<q>, q<q>'), (0.5, 'vmull.p64 q<q>, d<d>, d<d>'), (0.3, 'sevl'),
]


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
            FP_MEMORY + FP_MOVES + FP_SINGLE + A_PROFILE + self.more()]
        self.kind = self.random.choice(('thumb', 'arm', 'both'))
        self.mode = self.random.choice((0x10, 0x1f, 0x13))
        self.only_arm, self.only_thumb = len(common), len(common) + len(DOUBLE_A32)
        return common + DOUBLE_A32 + DOUBLE

    def choose_isa(self):
        self.thumb = self.kind == 'thumb' or self.kind == 'both' and self.chance(50)

    def instruction(self):
        while True:
            index = self.random.choices(range(len(self.table)), self.weights)[0]
            if index < self.only_arm or (index >= self.only_thumb) == self.thumb:
                break
        self.emit(self.expand(self.table[index][1]))

    @property
    def function_mark(self):
        self.choose_isa()
        return '.thumb; .thumb_func' if self.thumb else '.arm'

    def function(self, number):
        super().function(number)
        self.emit('.type f%d, %%function' % number)

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
        return [self.random.choice(('-marm', '-mthumb')), '-mcpu=cortex-a15', '-mfpu=neon-vfpv4', '-mfloat-abi=hard']

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
