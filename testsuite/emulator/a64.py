"""Random programs of A64.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""
from program import HIGH, LOW, POINTERS, POINTERS_AT, Program

INTEGER = [
    (6, '<o:add,sub,and,orr,eor,bic,orn,eon,adds,subs,ands,bics> <x>, <x>, <x>'),
    (4, '<o:add,sub,and,orr,eor,bic,orn,eon,adds,subs,ands,bics> <w>, <w>, <w>'),
    (3, '<o:add,sub,adds,subs> <x>, <x>, <x>, <o:lsl,lsr,asr> #<i:0,63>'),
    (2, '<o:and,orr,eor,bic,orn,eon,ands,bics> <w>, <w>, <w>, <o:lsl,lsr,asr,ror> #<i:0,31>'),
    (2, '<o:add,sub,adds,subs> <x>, <x>, <w>, <o:uxtb,uxth,uxtw,sxtb,sxth,sxtw> #<i:0,4>'),
    (4, '<o:add,sub,adds,subs> <x>, <x>, #<i:0,4095>'),
    (2, '<o:add,sub,adds,subs> <w>, <w>, #<i:0,4095>'),
    (1, 'add <x>, <x>, #<i:1,15>, lsl #12'),
    (2, '<o:and,orr,eor,ands> <x>, <x>, #<mask>'),
    (2, '<o:cmp,cmn,tst> <x>, <x>'), (2, 'cmp <w>, #<i:0,40>'),
    (2, '<o:adc,sbc,adcs,sbcs> <x>, <x>, <x>'), (1, '<o:ngc,ngcs> <w>, <w>'),
    (2, '<o:madd,msub> <x>, <x>, <x>, <x>'), (2, '<o:smaddl,umaddl,smsubl,umsubl> <x>, <w>, <w>, <x>'),
    (2, '<o:mul,udiv,sdiv,smulh,umulh> <x>, <x>, <x>'), (1, '<o:udiv,sdiv> <w>, <w>, <w>'),
    (2, '<o:lsl,lsr,asr,ror> <x>, <x>, <x>'), (2, '<o:lsl,lsr,asr,ror> <x>, <x>, #<i:0,63>'),
    (2, '<o:ubfx,sbfx,bfi,bfxil,ubfiz,sbfiz> <x>, <x>, #<i:0,31>, #<i:1,32>'),
    (2, '<o:ubfx,sbfx,bfi,bfxil> <w>, <w>, #<i:0,15>, #<i:1,16>'),
    (1, '<o:extr> <x>, <x>, <x>, #<i:0,63>'), (1, 'extr <w>, <w>, <w>, #<i:0,31>'),
    (2, '<o:clz,cls,rbit,rev,rev16,rev32> <x>, <x>'), (1, '<o:clz,cls,rbit,rev,rev16> <w>, <w>'),
    (3, '<o:csel,csinc,csinv,csneg> <x>, <x>, <x>, <cond>'), (1, 'cset <w>, <cond>'),
    (2, '<o:ccmp,ccmn> <x>, <x>, #<i:0,15>, <cond>'), (1, 'ccmp <w>, #<i:0,31>, #<i:0,15>, <cond>'),
    (3, '<o:movz,movn,movk> <x>, #<i:0,65535>, lsl #<i:0,48,16>'), (1, 'movk <w>, #<i:0,65535>'),
    (2, 'mov <x>, <x>'), (1, 'mvn <x>, <x>'), (1, '<o:crc32b,crc32h,crc32w,crc32cw> <w>, <w>, <w>'),
    (1, 'crc32x <w>, <w>, <x>'), (1, 'ldr <x>, =<hex:64>'), (1, 'adr <x>, .'), (1, 'adrp <x>, start'),
    (1, 'mrs <x>, nzcv'), (0.5, 'msr nzcv, <x>'), (0.5, 'mrs <x>, currentel'), (0.5, 'mov <x>, sp'),
]
MEMORY = [
    (4, '<o:ldr,str> <x>, [<p>, #<i:0,256,8>]'), (3, '<o:ldr,str> <w>, [<p>, #<i:0,128,4>]'),
    (2, '<o:ldrb,strb,ldrsb> <w>, [<p>, #<i:0,63>]'), (2, '<o:ldrh,strh,ldrsh> <w>, [<p>, #<i:0,64,2>]'),
    (1, '<o:ldrsb,ldrsh,ldrsw> <x>, [<p>, #<i:0,64,4>]'),
    (2, '<o:ldur,stur> <x>, [<p>, #<i:-128,128>]'), (1, '<o:ldurb,sturb,ldurh,sturh> <w>, [<p>, #<i:-64,64>]'),
    (2, '<o:ldr,str> <x>, [<pw>], #<i:-32,32,8>'), (2, '<o:ldr,str> <x>, [<pw>, #<i:-32,32,8>]!'),
    (1, '<o:ldrb,strb> <w>, [<pw>], #<i:-8,8>'), (1, '<o:ldrh,strh,ldrsh> <w>, [<pw>, #<i:-8,8,2>]!'),
    (2, 'and <x>, <=0>, #0x78; <o:ldr,str> <x>, [<p>, <=0>]'),
    (1, 'and <x>, <=0>, #0x3f; <o:ldr,str> <x>, [<p>, <=0>, lsl #3]'),
    (1, 'and <x>, <x>, #0x1e; strh <w>, [<p>, <=0>]; ldrsh <x>, [<p>, <=0>]'),
    (2, '<o:ldp,stp> <x>, <X>, [<p>, #<i:-128,128,8>]'), (2, '<o:ldp,stp> <w>, <W>, [<pw>], #<i:-16,16,4>'),
    (1, '<o:ldp,stp> <x>, <X>, [<pw>, #<i:-32,32,16>]!'), (1, 'ldpsw <x>, <X>, [<p>, #<i:0,64,4>]'),
    (1, '<o:ldnp,stnp> <x>, <X>, [<p>, #<i:0,64,8>]'),
    (1, '<align:8>; <o:ldar,stlr> <x>, [x17]'), (1, '<o:ldarb,stlrb> <w>, [<p>]'),
    (1, '<align:8>; ldxr <x>, [x17]; stxr w16, <x>, [x17]'), (0.5, '<align:4>; ldaxr <w>, [x17]; stlxr w16, <w>, [x17]'),
    (0.5, '<align:16>; ldxp <x>, <X>, [x17]; stxp w16, <x>, <x>, [x17]'),
    (1, 'ldr <x>, <lit:8>'), (1, 'ldr <w>, <lit:4>'), (0.5, 'ldrsw <x>, <lit:4>'),
    (0.5, 'prfm pldl1keep, [<p>]'), (0.5, 'ldtr <x>, [<p>, #8]'),
]
FP_MEMORY = [
    (3, '<o:ldr,str> d<v>, [<p>, #<i:0,256,8>]'), (3, '<o:ldr,str> s<v>, [<p>, #<i:0,256,4>]'),
    (4, '<o:ldr,str> q<v>, [<p>, #<i:0,256,16>]'), (1, '<o:ldr,str> h<v>, [<p>, #<i:0,64,2>]'),
    (1, '<o:ldr,str> b<v>, [<p>, #<i:0,64>]'),
    (2, '<o:ldur,stur> <o:b,h,s,d,q>~<v>, [<p>, #<i:-128,128>]'),
    (3, '<o:ldr,str> <o:b,h,s,d,q>~<v>, [<pw>], #<i:-32,32>'),
    (3, '<o:ldr,str> <o:b,h,s,d,q>~<v>, [<pw>, #<i:-32,32>]!'),
    (2, 'and <x>, <=0>, #0x78; <o:ldr,str> <o:b,h,s,d,q>~<v>, [<p>, <=0>]'),
    (1, 'and <x>, <x>, #0x7; <o:ldr,str> q<v>, [<p>, <=0>, lsl #4]'),
    (1, 'and <x>, <x>, #0xf; <o:ldr,str> d<v>, [<p>, <=0>, lsl #3]'),
    (3, '<o:ldp,stp> q<v>, q<V>, [<p>, #<i:-128,128,16>]'), (2, '<o:ldp,stp> d<v>, d<V>, [<p>, #<i:-64,64,8>]'),
    (2, '<o:ldp,stp> s<v>, s<V>, [<p>, #<i:-64,64,4>]'), (1, '<o:ldnp,stnp> q<v>, q<V>, [<p>, #<i:0,64,16>]'),
    (2, '<o:ldp,stp> q<v>, q<V>, [<pw>], #<i:-32,32,16>'), (2, '<o:ldp,stp> d<v>, d<V>, [<pw>, #<i:-32,32,8>]!'),
    (1, '<o:ldp,stp> s<v>, s<V>, [<pw>], #<i:-32,32,4>'),
    (1, 'ldr s<v>, <lit:4>'), (1, 'ldr d<v>, <lit:8>'), (2, 'ldr q<v>, <lit:16>'),
    (2, '<o:ld1,st1> <vl:1234,any>, [<p>]'), (1, '<o:ld2,st2> <vl:2,most>, [<p>]'),
    (1, '<o:ld3,st3> <vl:3,most>, [<p>]'), (1, '<o:ld4,st4> <vl:4,most>, [<p>]'),
    (2, '<ldpost>'),
    (2, '<o:ld1,st1> <lane:1>, [<p>]'), (1, '<o:ld2,st2> <lane:2>, [<p>]'),
    (1, '<o:ld3,st3> <lane:3>, [<p>]'), (1, '<o:ld4,st4> <lane:4>, [<p>]'), (1, '<lanepost>'),
    (1, 'ld1r <vl:1,any>, [<p>]'), (0.5, 'ld2r <vl:2,any>, [<p>]'), (0.5, 'ld3r <vl:3,any>, [<p>]'),
    (0.5, 'ld4r <vl:4,any>, [<p>]'),
]
FP_MOVES = [
    (3, 'fmov <x>, d<v>'), (3, 'fmov d<v>, <x>'), (2, 'fmov <w>, s<v>'), (2, 'fmov s<v>, <w>'),
    (2, 'fmov <x>, v<v>.d[1]'), (2, 'fmov v<v>.d[1], <x>'), (1, 'fmov d<v>, xzr'), (1, 'fmov s<v>, wzr'),
    (2, 'fmov <o:s,d>~<v>, <=0>~<v>'), (2, 'fmov <o:s,d>~<v>, #<fpimm>'),
    (1, 'fmov v<v>.<o:2s,4s,2d>, #<fpimm>'),
    (2, 'mov v<v>.16b, v<v>.16b'), (1, 'mov v<v>.8b, v<v>.8b'),
    (2, 'umov <w>, v<v>.<element:bhs>'), (2, 'umov <x>, v<v>.<element:d>'),
    (1, 'smov <w>, v<v>.<element:bh>'), (1, 'smov <x>, v<v>.<element:bhs>'),
    (2, 'ins v<v>.<element:bhs>, <w>'), (1, 'ins v<v>.<element:d>, <x>'), (2, '<insert>'),
    (2, 'dup v<v>.<o:8b,16b,4h,8h,2s,4s>, <w>'), (1, 'dup v<v>.2d, <x>'), (2, '<duplicate>'),
    (1, '<dupscalar>'),
    (1, 'movi v<v>.<o:8b,16b>, #<i:0,255>'), (1, '<o:movi,mvni> v<v>.<o:2s,4s>, #<i:0,255>, lsl #<i:0,24,8>'),
    (1, '<o:movi,mvni> v<v>.<o:4h,8h>, #<i:0,255>, lsl #<i:0,8,8>'),
    (1, '<o:movi,mvni> v<v>.<o:2s,4s>, #<i:0,255>, msl #<o:8,16>'), (1, 'movi v<v>.2d, #<bytes>'),
    (1, 'movi d<v>, #<bytes>'), (0.5, '<o:orr,bic> v<v>.<o:2s,4s>, #<i:0,255>, lsl #<i:0,24,8>'),
    (1, 'mrs <x>, fpsr'), (1, 'mrs <x>, fpcr'),
    (0.5, 'and <x>, <x>, #0x7c00000; msr fpcr, <=0>'), (0.5, 'mov x17, #0x9f; and <x>, <x>, x17; msr fpsr, <=0>'),
    (1, 'fcsel <o:s,d>~<v>, <=0>~<v>, <=0>~<v>, <cond>'),
]
FP_ARITHMETIC = [
    (2, '<o:fadd,fsub,fmul,fdiv,fmax,fnmul> <o:s,d>~<v>, <=1>~<v>, <=1>~<v>'),
    (1, '<o:fabs,fneg,fsqrt,frinta> <o:s,d>~<v>, <=1>~<v>'), (1, '<o:fmadd,fnmsub> d<v>, d<v>, d<v>, d<v>'),
    (1, 'fcvt d<v>, s<v>'), (1, 'fcvt h<v>, d<v>'), (1, '<o:scvtf,ucvtf> <o:s,d>~<v>, <x>'),
    (1, '<o:fcvtzs,fcvtzu,fcvtns> <x>, <o:s,d>~<v>'), (1, '<o:fcvtzs,fcvtau> <w>, <o:s,d>~<v>'),
    (1, 'scvtf d<v>, <w>, #<i:1,32>'), (1, 'fcvtzs <x>, d<v>, #<i:1,64>'),
    (1, '<o:fcmp,fcmpe> <o:s,d>~<v>, <=1>~<v>'), (1, 'fcmp d<v>, #0.0'), (1, 'fccmp s<v>, s<v>, #<i:0,15>, <cond>'),
    (2, '<o:add,sub,mul,smax,umin,cmeq,cmhi> v<v>.<o:8b,16b,4h,8h,2s,4s>, v<v>.<=2>, v<v>.<=2>'),
    (1, '<o:fadd,fmul,fmla> v<v>.<o:2s,4s,2d>, v<v>.<=2>, v<v>.<=2>'),
    (2, '<o:and,orr,eor,bic,orn,bsl,bit,bif> v<v>.<o:8b,16b>, v<v>.<=2>, v<v>.<=2>'),
    (1, '<o:zip1,zip2,uzp1,uzp2,trn1,trn2> v<v>.<o:8b,16b,4h,8h,2s,4s,2d>, v<v>.<=2>, v<v>.<=2>'),
    (1, 'ext v<v>.16b, v<v>.16b, v<v>.16b, #<i:0,15>'), (1, 'rev64 v<v>.<o:8b,16b,4h,8h,2s,4s>, v<v>.<=1>'),
    (0.5, 'tbl v<v>.16b, {v<v>.16b}, v<v>.16b'), (1, 'addv s<v>, v<v>.4s'), (1, 'addp d<v>, v<v>.2d'),
    (1, 'xtn v<v>.8b, v<v>.8h'), (1, 'xtn2 v<v>.8h, v<v>.4s'), (1, '<o:sshll,ushll> v<v>.2d, v<v>.2s, #<i:0,31>'),
    (1, '<o:shl,sshr,ushr> d<v>, d<v>, #<i:1,63>'), (1, '<o:shl,sri,sli> v<v>.4s, v<v>.4s, #<i:1,31>'),
    (0.5, 'sqadd v<v>.8h, v<v>.8h, v<v>.8h'), (0.5, 'sqxtn s<v>, d<v>'), (0.5, 'pmull v<v>.8h, v<v>.8b, v<v>.8b'),
    (0.3, 'aese v<v>.16b, v<v>.16b'), (0.3, 'sha1h s<v>, s<v>'), (0.3, 'sha256h q<v>, q<v>, v<v>.4s'),
    (1, 'cnt v<v>.8b, v<v>.8b'), (1, 'mul v<v>.4s, v<v>.4s, v<v>.s[<i:0,3>]'),
]
SYSTEM = [
    (2, '<table>'), (0.5, '<swap>'), (0.3, 'msr tpidr_el0, <x>'), (0.3, 'mrs <x>, tpidr_el0'), (0.2, 'dc zva, <pw>'),
    (0.5, 'nop'), (0.3, 'isb'), (0.3, 'dsb sy'), (0.3, 'dmb ish'), (0.3, 'clrex'), (0.3, 'hint #<i:6,15>'),
    (0.3, 'msr daifset, #<i:1,15>'), (0.5, 'msr daifclr, #15'),
]
ANY = '8b 16b 4h 8h 2s 4s 1d 2d'.split()
SIZES = {'b': 1, 'h': 2, 's': 4, 'd': 8}


class A64(Program):
    data = tuple(range(16))
    pointers = tuple(range(19, 24))
    counters = tuple(range(24, 28))

    def rows(self):
        fp = self.random.choice((0.3, 1, 1, 2))
        # At EL1 with either stack pointer, or at EL0.
        self.level = self.random.choice(('h', 't', 'user'))
        # Are the upper 8 bits of addresses ignored, and used?
        self.tagged = self.chance(30)
        integer = [row for row in INTEGER if self.level != 'user' or 'currentel' not in row[1]]
        return integer + MEMORY + SYSTEM + [
            (weight * fp, text) for weight, text in FP_MEMORY + FP_MOVES + FP_ARITHMETIC]

    def expand(self, text):
        # A ~ parts the letter of a register from its number.
        return super().expand(text).replace('~', '')

    # Fields.

    def one_of(self, numbers, but=None):
        self.last = self.random.choice([n for n in numbers if n != but])
        return self.last

    def f_x(self):
        return 'x%d' % self.one_of(self.data)

    def f_w(self):
        return 'w%d' % self.one_of(self.data)

    def f_X(self):
        return 'x%d' % self.one_of(self.data, self.last)

    def f_W(self):
        return 'w%d' % self.one_of(self.data, self.last)

    def f_v(self):
        return self.one_of(range(32))

    def f_V(self):
        return self.one_of(range(32), self.last)

    def f_p(self):
        """A pointer, perhaps SP: frames have room for that."""
        return 'sp' if self.chance(8) else self.f_pw()

    def f_pw(self):
        """A pointer that is written back to."""
        return 'x%d' % self.random.choice(self.pointers)

    def f_align(self, size):
        return 'and x17, %s, #0x%x' % (self.f_pw(), 2 ** 64 - int(size))

    def f_cond(self):
        return self.random.choice('eq ne cs cc mi pl vs vc hi ls ge lt gt le'.split())

    def f_mask(self):
        width = self.random.randint(1, 60)
        value = ((1 << width) - 1) << self.random.randrange(64 - width)
        if self.chance(30):
            value = int(self.random.choice(('01', '0f', '7e', 'f0', '3c')) * 8, 16)
        return '0x%x' % value

    def f_bytes(self):
        return '0x' + ''.join(self.random.choice(('00', 'ff')) for _ in range(8))

    def f_fpimm(self):
        return '%s%.8f' % (self.random.choice(('', '-')),
                         self.random.randint(16, 31) / 16 * 2 ** self.random.randint(-3, 4))

    def arrangement(self, which):
        return self.random.choice([a for a in ANY if which == 'any' or a != '1d'])

    def vectors(self, count, arrangement):
        first = self.random.randrange(32)
        return '{%s}' % ', '.join('v%d.%s' % ((first + i) % 32, arrangement) for i in range(count))

    def f_vl(self, counts, which):
        return self.vectors(int(self.random.choice(counts)), self.arrangement(which))

    def f_ldpost(self):
        """LD1 to LD4, ST1 to ST4 with write-back."""
        n = self.random.randint(1, 4)
        count = self.random.randint(1, 4) if n == 1 else n
        arrangement = self.arrangement('any' if n == 1 else 'most')
        size = count * (16 if arrangement in ('16b', '8h', '4s', '2d') else 8)
        line = '%s%d %s, [%s], ' % (self.random.choice(('ld', 'st')), n,
                                    self.vectors(count, arrangement), self.f_pw())
        return self.by_index(line, size)

    def by_index(self, line, size):
        if self.chance(60):
            return line + '#%d' % size
        return 'mov x17, #%d; %sx17' % (self.random.randrange(-32, 40), line)

    def f_lane(self, n):
        kind = self.random.choice('bhsd')
        return '%s[%d]' % (self.vectors(int(n), kind), self.random.randrange(16 // SIZES[kind]))

    def f_lanepost(self):
        n, kind = self.random.randint(1, 4), self.random.choice('bhsd')
        line = '%s%d %s[%d], [%s], ' % (self.random.choice(('ld', 'st')), n, self.vectors(n, kind),
                                        self.random.randrange(16 // SIZES[kind]), self.f_pw())
        if self.chance(30):
            n, arrangement = self.random.randint(1, 4), self.arrangement('any')
            kind = arrangement[-1]
            line = 'ld%dr %s, [%s], ' % (n, self.vectors(n, arrangement), self.f_pw())
        return self.by_index(line, n * SIZES[kind])

    def f_element(self, kinds):
        kind = self.random.choice(kinds)
        return '%s[%d]' % (kind, self.random.randrange(16 // SIZES[kind]))

    def f_insert(self):
        kind = self.random.choice('bhsd')
        return 'ins v%d.%s, v%d.%s' % (self.f_v(), self.f_element(kind), self.f_v(),
                                       self.f_element(kind))

    def f_duplicate(self):
        to = self.random.choice([a for a in ANY if a != '1d'])
        return 'dup v%d.%s, v%d.%s' % (self.f_v(), to, self.f_v(), self.f_element(to[-1]))

    def f_dupscalar(self):
        kind = self.random.choice('bhsd')
        return 'mov %s%d, v%d.%s' % (kind, self.f_v(), self.f_v(), self.f_element(kind))

    def f_table(self):
        """A branch by a table."""
        here = self.label()
        way = 'adr x16, {0}; ldrb w17, [x16, x17]; add x16, x16, x17, lsl #2; br x16; {0}:'.format(here)
        table = '; .byte %s; .balign 4' % ', '.join('({} - %s) / 4' % here for _ in range(4))
        return 'and x17, %s, #3; ' % self.f_x() + self.choices(way + table, 4, 'b {}')

    def f_swap(self):
        """Some instructions on the other stack."""
        if self.level == 'user' or self.index is None:
            return 'mov %s, sp' % self.f_x()
        swap = [1, 0] if self.level == 't' else [0, 1]
        return '; '.join(['msr spsel, #%d' % swap[0]] + [self.simple() for _ in range(3)] + ['msr spsel, #%d' % swap[1]])

    # Structure.

    def anchor(self, pointer=None):
        pointer = 'x%d' % (pointer or self.random.choice(self.pointers))
        kind, ram = self.random.random(), self.machine.ram
        if kind < 0.4:
            tag = self.random.randrange(256) << 56 if self.tagged else 0
            return 'ldr %s, =0x%x' % (pointer, tag + ram + self.random.randrange(LOW, HIGH))
        if kind < 0.5 and self.tagged:
            return 'eor {0}, {0}, #0x{1:x}00000000000000'.format(pointer, 1 << self.random.randrange(8))
        if kind < 0.6:
            return 'ldr x17, =0x%x; ldr %s, [x17, #%d]' % (
                ram + POINTERS_AT, pointer, 8 * self.random.randrange(POINTERS))
        if kind < 0.8:
            return 'and x17, %s, #0x7f8; ldr %s, =0x%x; add %s, %s, x17' % (
                self.f_x(), pointer, ram + LOW, pointer, pointer)
        return 'mov %s, %s' % (pointer, self.f_pw())

    def branch_unless(self):
        return self.random.choice(('b.<cond> @', 'b.<cond> @', '<o:cbz,cbnz> <x>, @',
                                   '<o:tbz,tbnz> <x>, #<i:0,40>, @'))

    def load_counter(self, counter, count):
        return 'mov x%d, #%d' % (counter, count)

    def count_down(self, counter, label):
        if self.chance(50):
            return 'subs x%d, x%d, #1; b.ne %s' % (counter, counter, label)
        return 'sub w%d, w%d, #1; cbnz w%d, %s' % (counter, counter, counter, label)

    def save(self, registers):
        """Lines that push pairs of registers, and that pop them."""
        push, pop = [], []
        for a, b in zip(registers[::2], registers[1::2]):
            size = 32 if a[0] == 'q' else 16
            push.append('stp %s, %s, [sp, #-%d]!' % (a, b, size))
            pop.insert(0, 'ldp %s, %s, [sp], #%d' % (a, b, size))
        return '; '.join(push), '; '.join(pop)

    def frame(self):
        saved = 'x29 x30 x24 x25 x26 x27'.split()
        if self.standard:
            saved += 'x19 x20 x21 x22 x23 x28 d8 d9 d10 d11 d12 d13 d14 d15'.split()
        else:
            for pair in self.random.sample(['d8 d9', 'q10 q11', 'x19 x20'], self.random.randint(0, 2)):
                saved += pair.split()
        push, pop = self.save(saved)
        return push + '; sub sp, sp, #512', 'add sp, sp, #512; ' + pop + '; ret'

    def call(self, number):
        if self.chance(30):
            return 'ldr x17, =f%d; blr x17' % number
        return 'bl f%d' % number

    def flags(self):
        """For the compiler."""
        return ['-mcpu=cortex-a57', '-mno-outline-atomics', '-DVECTORS']

    def rare(self):
        return 'svc #%d' % self.random.randrange(256)

    def prologue(self):
        main, other = self.machine.ram + 0xa000 - 512, self.machine.ram + 0x8800
        enter = {'h': 'mov sp, x0; msr sp_el0, x1; msr daifclr, #2; ldr x2, =start; br x2',
                 't': 'mov sp, x1; msr sp_el0, x0; msr spsel, #0; msr daifclr, #2; ldr x2, =start; br x2',
                 'user': 'mov sp, x1; msr sp_el0, x0; ldr x0, =start; msr elr_el1, x0; '
                         'msr spsr_el1, xzr; eret'}[self.level]
        return """.arch armv8-a+crc+crypto; .text; .globl _start
            _start:; mov x0, #3 << 20; msr cpacr_el1, x0; isb
            mrs x0, sctlr_el1; orr x0, x0, #0x200; msr sctlr_el1, x0; isb
            ldr x0, =vectors; msr vbar_el1, x0; mov x0, #%d << 37; msr tcr_el1, x0; isb
            ldr x0, =0x08000000; mov w1, #1; str w1, [x0]; mov w1, #0xffff; str w1, [x0, #0x100]
            ldr x0, =0x08010000; mov w1, #1; str w1, [x0]; mov w1, #0xff; str w1, [x0, #4]
            ldr x0, =0x%x; ldr x1, =0x%x; %s; .ltorg""" % (self.tagged, main, other, enter)

    def handlers(self):
        self.index = None
        self.emit('.balign 2048; vectors:; .balign 512; b call; .balign 128; b irq')
        self.emit('.balign 512; b call; .balign 128; b irq; .balign 512; b call; .balign 128; b irq; .balign 128')
        kept = 'x19 x20 x21 x22 x23 x28'.split() if self.standard else []
        if self.standard:
            kept += ['q%d' % n for n in (range(32) if self.compiled else range(8, 16))]
        push, pop = self.save(kept)
        self.emit('call:; %s; sub sp, sp, #512' % push)
        self.handler_block(self.random.randint(1, 6))
        self.emit('add sp, sp, #512; %s; eret' % pop)
        self.put_literals(False)
        push, pop = self.save(['x%d' % n for n in range(18)] + kept)
        self.emit('irq:; ' + push)
        self.emit('ldr x0, =0x08010000; ldr w1, [x0, #0xc]; str w1, [x0, #0x10]')
        self.emit('mrs x16, elr_el1; mrs x17, spsr_el1; stp x16, x17, [sp, #-16]!')
        self.emit('sub sp, sp, #512')
        self.handler_block(self.random.randint(1, 10))
        self.emit('add sp, sp, #512; msr daifset, #2; ldp x16, x17, [sp], #16')
        self.emit('msr elr_el1, x16; msr spsr_el1, x17')
        self.emit(pop + '; eret')
        self.put_literals(False)


NEWER = [
    (3, '<align:8>; <o:ldadd,ldclr,ldset,ldeor,ldsmax,ldumin,swp><o:,a,l,al> <x>, <x>, [x17]'),
    (2, '<align:4>; <o:ldadd,ldclr,ldset,ldeor,ldsmin,swp> <w>, <w>, [x17]'), (1, '<o:ldaddb,swpb,ldseth> <w>, <w>, [<pw>]'),
    (1, '<align:8>; <o:stadd,stclr,stset,steor,stumax> <x>, [x17]'), (2, '<align:8>; cas<o:,a,l,al> <x>, <x>, [x17]'),
    (1, '<align:4>; cas <w>, <w>, [x17]'), (1, '<align:16>; casp x0, x1, x2, x3, [x17]'), (0.5, 'casb <w>, <w>, [<pw>]'),
    (1, '<align:8>; ldapr <x>, [x17]'), (1, '<o:ldapur,stlur> <x>, [<p>, #<i:0,64,8>]'), (0.5, 'ldapursb <x>, [<p>, #<i:-16,16>]'),
    (1, 'cfinv'), (1, 'rmif <x>, #<i:0,63>, #<i:0,15>'), (1, '<o:setf8,setf16> <w>'), (0.5, '<o:axflag,xaflag>'),
    (1, '<o:pacia,pacib,pacda> <x>, <x>'), (1, '<o:xpaci,xpacd> <x>'), (1, 'pacga <x>, <x>, <x>'), (0.5, 'paciza <x>'),
    (1, '<o:fadd,fmul,fsub,fmaxnm> h<v>, h<v>, h<v>'), (1, 'fadd v<v>.<o:4h,8h>, v<v>.<=1>, v<v>.<=1>'),
    (1, 'fmov h<v>, <w>'), (1, 'fmov <w>, h<v>'), (0.5, 'fmov <x>, h<v>'), (0.5, 'fmov h<v>, <x>'), (1, 'fmov h<v>, #<fpimm>'),
    (0.5, 'fmov v<v>.<o:4h,8h>, #<fpimm>'), (0.5, 'fcsel h<v>, h<v>, h<v>, <cond>'), (0.5, 'fcmp h<v>, h<v>'),
    (0.5, 'fcvtzs <x>, h<v>'), (1, '<o:sdot,udot> v<v>.4s, v<v>.16b, v<v>.16b'), (0.5, 'fmlal v<v>.4s, v<v>.4h, v<v>.4h'),
    (0.5, 'sqrdmlah v<v>.4s, v<v>.4s, v<v>.4s'), (0.5, 'fcadd v<v>.4s, v<v>.4s, v<v>.4s, #90'), (0.5, 'fjcvtzs <w>, d<v>'),
    (0.5, 'frint32z d<v>, d<v>'), (0.5, 'bfdot v<v>.4s, v<v>.8h, v<v>.8h'), (0.5, 'bfcvt h<v>, s<v>'), (0.5, 'bfcvtn2 v<v>.8h, v<v>.4s'),
    (0.5, 'usdot v<v>.4s, v<v>.16b, v<v>.16b'), (0.5, 'smmla v<v>.4s, v<v>.16b, v<v>.16b'), (0.5, 'eor3 v<v>.16b, v<v>.16b, v<v>.16b, v<v>.16b'),
    (0.5, 'rax1 v<v>.2d, v<v>.2d, v<v>.2d'), (0.5, 'sb'), (0.5, 'bti'), (0.5, 'mrs <x>, dit'),
]


class Max(A64):
    """With what later architectures have, vectors of other lengths apart."""

    def rows(self):
        self.signed = self.chance(50)           # Return addresses.
        return super().rows() + NEWER

    def flags(self):
        return ['-march=armv8.5-a+fp16+dotprod', '-DVECTORS'] + (
            ['-mbranch-protection=standard'] if self.signed else [])

    def prologue(self):
        text = super().prologue().replace('armv8-a+crc+crypto',
                                          'armv8.6-a+crc+crypto+fp16+fp16fml+sha3')
        if self.signed:
            text = text.replace('orr x0, x0, #0x200;', 'orr x0, x0, #0x200; ldr x1, =0xc8002000; orr x0, x0, x1; '
                                'msr apiakeylo_el1, x1; msr apibkeyhi_el1, x1;')
        return text
