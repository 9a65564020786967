"""Tables of instructions of T32 and A32 (see program.py).

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""

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
    (2, '<alignp:4>; <o:ldmia,stmia,ldmdb,stmdb><c> <ap>, <rlist>'),
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
    (1, 'vcvt<c>.f32.<o:s32,u32> s<s>, s<s>'), (0.5, 'vcvt.f32.s16 <ssame>, #<i:1,15>'),
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

STATE = [       # Of the M profile.
    (1, 'mrs<c> <r>, <o:basepri,faultmask,primask,control,psp,msp,xpsr,iepsr,ipsr>'),
    (0.5, 'and lr, <r>, #0xe0; msr <o:basepri,basepri_max>, lr'), (0.5, 'mov lr, #0; msr basepri, lr'),
    (0.3, 'cpsid f; nop; cpsie f'), (0.3, 'mrs lr, psp; msr psp, lr'), (0.3, 'and <r>, <=0>, #1; msr primask, <=0>'),
    (0.5, 'mov lr, #0; msr primask, lr'), (0.5, 'adds <r>, <=0>, #1; it eq; moveq <=0>, #5'),
]

V8M_FP = [(0.5, '<align:8>; vlstm lr'), (0.5, '<align:8>; vlstm lr; vlldm lr')]

T16 = [
    (6, '<o:adds,subs> <rl>, <rl>, <rl>'), (4, '<o:adds,subs> <rl>, <rl>, #<i:0,7>'),
    (4, '<o:adds,subs> <rl>, #<i:0,255>'), (3, 'movs <rl>, #<i:0,255>'), (1, 'movs <rl>, <rl>'),
    (6, '<o:ands,orrs,eors,bics,adcs,sbcs,muls,lsls,lsrs,asrs,rors> <rl>, <=1>, <rl>'),
    (2, '<o:mvns> <rl>, <rl>'), (2, 'rsbs <rl>, <rl>, #0'), (4, '<o:lsls,lsrs,asrs> <rl>, <rl>, #<i:1,31>'),
    (3, '<o:cmp,cmn,tst> <rl>, <rl>'), (2, 'cmp <rl>, #<i:0,255>'), (2, 'cmp <h>, <rl>'),
    (3, 'mov <h>, <rl>'), (3, 'mov <rl>, <h>'), (2, 'add <rl>, <h>'), (1, 'add <h>, <rl>'), (1, 'mov <rl>, sp'),
    (2, '<o:uxtb,uxth,sxtb,sxth,rev,rev16,revsh> <rl>, <rl>'), (2, 'ldr <rl>, =<hex:32>'),
    (1, '.balign 4; adr <rl>, . + 4'), (1, 'add <rl>, sp, #<i:0,256,4>'), (1, 'mrs <rl>, apsr'),
    # ARMv6-M has no Q (DDI 0419, B1.4.2); QEMU keeps it.
    (0.5, 'lsrs <rl>, <=0>, #28; lsls <=0>, <=0>, #28; msr apsr_nzcvq, <=0>'),
    (5, '<o:ldr,str> <rl>, [<pl>, #<i:0,124,4>]'), (3, '<o:ldr,str> <rl>, [sp, #<i:0,252,4>]'),
    (3, '<o:ldrb,strb> <rl>, [<pl>, #<i:0,31>]'), (3, '<o:ldrh,strh> <rl>, [<pl>, #<i:0,62,2>]'),
    (2, 'movs r3, #0x7c; ands r3, <rl>; <o:ldr,str> <rl>, [<pl>, r3]'),
    (2, 'movs r3, #0x1e; ands r3, <rl>; <o:strh,ldrh,ldrsh,ldrb,strb,ldrsb> <rl>, [<pl>, r3]'),
    (3, '<o:ldmia,stmia> <pl>!, <rlist>'), (2, '<pushpop>'), (1, '<ldr_literal>'),
    (0.5, '<o:nop,dmb,isb,sev>'), (0.3, 'cpsid i'), (0.6, 'cpsie i'),
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
    (1, 'vsli.32 q<q>, q<q>, #<i:0,31>'),
    (1, 'vshr.u64 d<d>, d<d>, #<i:1,63>'), (0.5, 'vqadd.s16 q<q>, q<q>, q<q>'), (0.5, 'vpadd.i8 d<d>, d<d>, d<d>'),
    (1, '<o:vadd,vmul,vmla,vmax>.f32 q<q>, q<q>, q<q>'), (0.5, 'vcvt.f32.s32 q<q>, q<q>'), (0.5, 'vcnt.8 d<d>, d<d>'),
]

STATE_A = [     # Of the A and R profile.
    (1, 'msr<c> cpsr_f, <r>'), (0.5, 'mrs<c> <r>, cpsr'), (0.5, 'ldrt <r>, [<pw>]'), (0.5, 'strbt <r>, [<pw>]'),
    (0.5, '<align:8>; ldrexd r0, r1, [lr]; strexd r7, r2, r3, [lr]'), (0.3, 'pld [<p>]'), (0.5, '<other>'), (2, '<table>'),
    (0.1, 'setend be; ldr <r>, [<p>]; strh <r>, [<p>, #2]; setend le'),
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
]
