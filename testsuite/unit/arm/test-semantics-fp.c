/* What micro-operations of A32 and T32 instructions do to FP and vector registers,
   class by class.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is followed exactly is compared with an emulated core
   (semantics-fp-rows.h).  Which registers become unknown otherwise was worked out
   by hand from DDI 0406 and DDI 0487.  */

#include "config.h"

#include "semantics-fp-rows.h"
#include "semantics-machine.h"

#define PC 0x8000u
#define S(n) (TB_PLACE_FP + (n))
#define D(n) (TB_PLACE_FP + 2 * (n))

static const struct tb_profile v8a = { .arch = TB_ARCH_V8A };
static const struct tb_profile v7a = { .arch = TB_ARCH_V7A };
static const struct tb_profile v7em = { .arch = TB_ARCH_V7EM, .is_m = true };
static const struct tb_profile v81m = { .arch = TB_ARCH_V81M_MAIN,
					.is_m = true };

/* Run it; what is not defined becomes UNKNOWN.  */
static void
run (struct machine *m, const struct tb_semantics *from, uint32_t unknown)
{
  struct tb_semantics s = *from;
  struct tb_forward_memory memory = { load, store, m };
  struct tb_semantics_result result;
  for (unsigned i = 0; i < s.count; i++)
    if (s.uops[i].op == TB_OP_UNKNOWN)
      {
	s.uops[i].op = TB_OP_MOV;
	s.uops[i].a = TB_PLACE_IMM;
	s.uops[i].imm = unknown;
      }
  run_32 (&s, m->p, &memory, &result);
}

/* The A32 instruction OPCODE as it is in T32.  */
static uint32_t
as_t32 (uint32_t opcode)
{
  unsigned top = opcode >> 24;
  if (top >> 1 == 0x79)		/* Vectors: U has another place.  */
    return 0xef000000 | (opcode & 0x00ffffff) | (opcode & 0x01000000) << 4;
  return top == 0xf4 ? 0xf9000000 | (opcode & 0x00ffffff) : opcode;
}

/* Describe OPCODE (T32: IS_T32).  */
static bool
describe (struct tb_semantics *s, uint32_t opcode, bool is_t32,
	  const struct tb_profile *profile)
{
  if (is_t32)
    tb_semantics_t32 (s, as_t32 (opcode), 4, PC, profile);
  else
    tb_semantics_a32 (s, opcode, PC, profile);
  return s->modelled;
}

/* The state before row I: all is random but r1 and SP, which are in the middle of
   memory, and r2, an index.  */
static void
start (struct machine *m, unsigned i)
{
  uint32_t x = 0x9e3779b9 * (i + 1), word = 0;
  memset (m, 0, sizeof *m);
#define NEXT (x = fp_rows_random (x))
  for (unsigned k = 0; k < 64; k++)
    m->p[S (k)] = NEXT;
  for (unsigned k = 0; k < 15; k++)
    m->p[k] = NEXT;
  m->p[1] = m->p[TB_SLOT_SP] = BASE;
  m->p[2] = 20;
  NEXT;
  for (unsigned k = 0; k < 4; k++)
    m->p[TB_SLOT_N + k] = x >> (31 - k) & 1;
  NEXT;
  m->p[TB_PLACE_FPSCR] = x & FP_ROWS_FPSCR & TB_FPSCR_CONTROL;
  m->p[TB_PLACE_FPSCR_STATUS] = x & FP_ROWS_FPSCR & ~TB_FPSCR_CONTROL;
  for (unsigned k = 0; k < sizeof m->ram; k++)
    {
      word = k % 4 == 0 ? NEXT : word >> 8;
      m->ram[k] = (uint8_t) word;
    }
  m->p[TB_SLOT_MODE] = TB_MODE_SVC;
}

/* All that the machine holds.  */
static uint32_t
hash (const struct machine *m)
{
  uint32_t h = 2166136261u;
  for (unsigned k = 0; k < 64; k++)
    h = fp_rows_hash (h, m->p[S (k)]);
  for (unsigned k = 0; k < 15; k++)
    h = fp_rows_hash (h, m->p[k] - (k == 1 || k == 13 ? BASE : 0));
  h = fp_rows_hash (h, m->p[TB_SLOT_N] << 3 | m->p[TB_SLOT_Z] << 2
		       | m->p[TB_SLOT_C] << 1 | m->p[TB_SLOT_V]);
  h = fp_rows_hash (h, m->p[TB_PLACE_FPSCR] | m->p[TB_PLACE_FPSCR_STATUS]);
  for (unsigned k = 0; k < sizeof m->ram; k++)
    h = fp_rows_hash (h, m->ram[k]);
  return h;
}

static void
test_exact (void)
{
  for (unsigned i = 0; i < 2 * NROWS (fp_rows); i++)
    {
      const struct fp_row *row = &fp_rows[i / 2];
      struct tb_semantics s;
      struct machine m;
      start (&m, i / 2);
      bool ok = CHECK (describe (&s, row->opcode, i & 1, &v8a));
      run (&m, &s, i & 1 ? UINT32_MAX : 0);
      ok &= CHECK (!m.outside);
      ok &= CHECK_INT (hash (&m), row->hash);
      if (!ok)
	fprintf (stderr, "%s (%s, row %u)\n", row->text, i & 1 ? "T32" : "A32",
		 i / 2);
    }
}

/* FPSCR: the exceptions, saturation, and all of comparisons.  */
enum { E = 0x9f, Q = 1 << 27 };
#define C 0xf000009f

/* Which words become unknown, and which bits of FPSCR may.  */
static void
test_unknown (void)
{
  static const struct
  {
    const char *text;
    uint32_t opcode;
    uint8_t first, words;
    uint32_t fpscr;
    uint32_t mask;		/* 0: all bits of each.  */
  } rows[] = {
    { "vadd.f32 s1,s2,s3", 0xee710a21, S (1), 1, E, 0 },
    { "vmla.f64 d17,d2,d3", 0xee421b03, D (17), 2, E, 0 },
    { "vnmul.f32 s31,s2,s3", 0xee61fa61, S (31), 1, E, 0 },
    { "vdiv.f64 d0,d1,d2", 0xee810b02, D (0), 2, E, 0 },
    { "vfms.f32 s4,s5,s6", 0xeea22ac3, S (4), 1, E, 0 },
    { "vadd.f16 s1,s2,s3", 0xee710921, S (1), 1, E, 0xffff },
    { "vsqrt.f64 d5,d6", 0xeeb15bc6, D (5), 2, E, 0 },
    { "vcvt.f64.f32 d5,s6", 0xeeb75ac3, D (5), 2, E, 0 },
    { "vcvt.f32.f64 s5,d6", 0xeef72bc6, S (5), 1, E, 0 },
    { "vcvt.s32.f64 s5,d6", 0xeefd2bc6, S (5), 1, E, 0 },
    { "vcvt.f64.u32 d5,s6", 0xeeb85b43, D (5), 2, E, 0 },
    { "vcvt.f64.s32 d5,d5,#3", 0xeeba5bce, D (5), 2, E, 0 },
    { "vcvt.u16.f32 s5,s5,#3", 0xeeff2a66, S (5), 1, E, 0 },
    { "vcvtb.f16.f32 s5,s6", 0xeef32a43, S (5), 1, E, 0xffff },
    { "vcvtt.f16.f32 s5,s6", 0xeef32ac3, S (5), 1, E, 0xffff0000 },
    { "vcvtt.f32.f16 s5,s6", 0xeef22ac3, S (5), 1, E, 0 },
    { "vcvtb.f64.f16 d5,s6", 0xeeb25b43, D (5), 2, E, 0 },
    { "vrintz.f64 d5,d6", 0xeeb65bc6, D (5), 2, E, 0 },
    { "vjcvt.s32.f64 s5,d6", 0xeef92bc6, S (5), 1, C, 0 },
    { "vcmp.f32 s1,s2", 0xeef40a41, S (0), 0, C, 0 },
    { "vcmpe.f64 d1,#0", 0xeeb51bc0, S (0), 0, C, 0 },
    { "vmaxnm.f32 s1,s2,s3", 0xfec10a21, S (1), 1, E, 0 },
    { "vrinta.f64 d1,d2", 0xfeb81b42, D (1), 2, E, 0 },
    { "vcvtn.s32.f64 s1,d2", 0xfefd0bc2, S (1), 1, E, 0 },
    { "vadd.i8 d1,d2,d3", 0xf2021803, D (1), 2, 0, 0 },
    { "vadd.f32 q1,q2,q3", 0xf2042d46, D (2), 4, E, 0 },
    { "vqadd.s8 q15,q2,q3", 0xf244e056, D (30), 4, Q, 0 },
    { "vqrdmlah.s16 q1,q2,q3", 0xf3142b56, D (2), 4, Q, 0 },
    { "vqrdmlsh.s16 q1,q2,q3", 0xf3142c56, D (2), 4, Q, 0 },
    { "vfma.f32 q1,q2,q3", 0xf2042c56, D (2), 4, E, 0 },
    { "vpadd.i8 d1,d2,d3", 0xf2021b13, D (1), 2, 0, 0 },
    { "sha1c.32 q1,q2,q3", 0xf2042c46, D (2), 4, 0, 0 },
    { "vaddl.s8 q1,d2,d3", 0xf2822003, D (2), 4, 0, 0 },
    { "vaddhn.i16 d1,q1,q2", 0xf2821404, D (1), 2, 0, 0 },
    { "vqdmull.s16 q1,d2,d3", 0xf2922d03, D (2), 4, Q, 0 },
    { "vmla.i16 d1,d2,d3[0]", 0xf2921043, D (1), 2, 0, 0 },
    { "vmul.f32 q1,q2,d3[0]", 0xf3a42943, D (2), 4, E, 0 },
    { "vmull.s16 q1,d2,d3[0]", 0xf2922a43, D (2), 4, 0, 0 },
    { "vqdmulh.s16 q1,q2,d3[0]", 0xf3942c43, D (2), 4, Q, 0 },
    { "vshr.s8 d1,d2,#1", 0xf28f1012, D (1), 2, 0, 0 },
    { "vqshl.s8 q1,q2,#1", 0xf2892754, D (2), 4, Q, 0 },
    { "vshrn.i16 d1,q1,#1", 0xf28f1812, D (1), 2, 0, 0 },
    { "vqshrun.s16 d1,q1,#1", 0xf38f1812, D (1), 2, Q, 0 },
    { "vshll.u8 q1,d2,#1", 0xf3892a12, D (2), 4, 0, 0 },
    { "vcvt.s32.f32 q1,q2,#1", 0xf2bf2f54, D (2), 4, E, 0 },
    { "vcls.s8 d1,d2", 0xf3b01402, D (1), 2, 0, 0 },
    { "vqneg.s8 d1,d2", 0xf3b01782, D (1), 2, Q, 0 },
    { "vceq.f32 q1,q2,#0", 0xf3b92544, D (2), 4, E, 0 },
    { "vceq.i32 q1,q2,#0", 0xf3b92144, D (2), 4, 0, 0 },
    { "vabs.s8 d1,d2", 0xf3b11302, D (1), 2, 0, 0 },
    { "aese.8 q1,q2", 0xf3b02304, D (2), 4, 0, 0 },
    { "aesd.8 q1,q2", 0xf3b02344, D (2), 4, 0, 0 },
    { "sha1h.32 q1,q2", 0xf3b922c4, D (2), 4, 0, 0 },
    { "vqmovun.s16 d1,q1", 0xf3b21242, D (1), 2, Q, 0 },
    { "vqmovn.u16 d1,q1", 0xf3b212c2, D (1), 2, Q, 0 },
    { "vshll.i8 q1,d2,#8", 0xf3b22302, D (2), 4, 0, 0 },
    { "vcvt.f16.f32 d1,q1", 0xf3b61602, D (1), 2, E, 0 },
    { "vcvt.f32.f16 q1,d2", 0xf3b62702, D (2), 4, E, 0 },
    { "vrintn.f32 q1,q2", 0xf3ba2444, D (2), 4, E, 0 },
    { "vrecpe.f32 d1,d2", 0xf3bb1502, D (1), 2, E, 0 },
    { "vcvta.s32.f32 q1,q2", 0xf3bb2044, D (2), 4, E, 0 },
    { "vtbl.8 d1,{d2-d5},d6", 0xf3b21b06, D (1), 2, 0, 0 },
    { "vzip.8 d2,d3", 0xf3b22183, D (2), 4, 0, 0 },
    { "vtrn.8 d1,d1", 0xf3b21081, D (1), 2, 0, 0 },
    { "vcadd.f32 q1,q2,q3,#90", 0xfc942846, D (2), 4, E, 0 },
    { "vcmla.f16 d1,d2,d3,#0", 0xfc221803, D (1), 2, E, 0 },
    { "vsdot.s8 q1,q2,q3", 0xfc242d46, D (2), 4, E, 0 },
    { "vfmab.bf16 q1,q2,q3", 0xfc342816, D (2), 4, E, 0 }
  };
  for (unsigned i = 0; i < 2 * NROWS (rows); i++)
    {
      struct tb_semantics s;
      struct machine zeros, ones;
      uint32_t mask = rows[i / 2].mask;
      bool ok = CHECK (describe (&s, rows[i / 2].opcode, i & 1, &v8a));
      start (&zeros, i);
      /* What may be set in FPSCR is not yet.  */
      zeros.p[TB_PLACE_FPSCR_STATUS] = 0;
      ones = zeros;
      struct machine before = zeros;
      run (&zeros, &s, 0);
      run (&ones, &s, UINT32_MAX);
      for (unsigned k = 0; k < TB_PLACE_END; k++)
	{
	  if (k >= TB_PLACE_T0 && k < TB_PLACE_FP)
	    continue;
	  unsigned first = rows[i / 2].first;
	  bool in = k >= first && k < first + rows[i / 2].words;
	  uint32_t want = in ? mask != 0 ? mask : UINT32_MAX
			  : k == TB_PLACE_FPSCR_STATUS ? rows[i / 2].fpscr : 0;
	  ok &= CHECK_INT (zeros.p[k] ^ ones.p[k], want);
	  if (!in || mask >> 16)
	    ok &= CHECK_INT (zeros.p[k] & ~want, before.p[k] & ~want);
	}
      if (!ok)
	fprintf (stderr, "%s\n", rows[i / 2].text);
    }
}

/* What is written to FPSCR: what of it stays.  */
static void
test_fpscr (void)
{
  static const struct
  {
    const struct tb_profile *profile;
    uint32_t value, unknown;
  } rows[] = {
    { &v7a, 0, 0 },
    { &v7a, 0xf3c0009f, 0 },
    { &v7a, UINT32_MAX, 0x0c3fff60 },
    { &v7em, UINT32_MAX, 0x083fff60 },
    { &v7em, 0x04000000, 0 },
    { &v81m, 0, 0x00070000 }
  };
  for (size_t i = 0; i < NROWS (rows); i++)
    {
      struct tb_semantics s;
      struct machine m, other;
      uint32_t got[2];
      start (&m, (unsigned) i);
      m.p[0] = rows[i].value;
      other = m;
      for (unsigned k = 0; k < 2; k++)
	{
	  describe (&s, 0xeee10a10, rows[i].profile->is_m, rows[i].profile);
	  run (k ? &other : &m, &s, k ? UINT32_MAX : 0);
	  describe (&s, 0xeef13a10, rows[i].profile->is_m, rows[i].profile);
	  run (k ? &other : &m, &s, 0);
	  got[k] = (k ? &other : &m)->p[3];
	}
      CHECK_INT (got[0] ^ got[1], rows[i].unknown);
      CHECK_INT (got[0] & ~rows[i].unknown, rows[i].value & ~rows[i].unknown);
      CHECK_INT (m.p[TB_PLACE_FPSCR] & ~TB_FPSCR_CONTROL, 0);
      CHECK_INT (m.p[TB_PLACE_FPSCR_STATUS] & TB_FPSCR_CONTROL, 0);
    }
}

/* On the M profile an instruction of them says that FP registers are in use before
   it does something to them; literals.  */
static void
test_m (void)
{
  static const uint32_t opcodes[] = { 0xed910a01, 0xee000a90, 0xeef10a10,
				      0xee300a81, 0xfe200a00, 0xecbd0b04 };
  struct tb_semantics s;
  struct machine m;
  for (size_t i = 0; i < NROWS (opcodes); i++)
    {
      CHECK (describe (&s, opcodes[i], true, &v7em));
      CHECK_INT (s.uops[0].op, TB_OP_FP);
    }
  CHECK (describe (&s, 0xed9f1b02, true, &v7em));	/* vldr d1,[pc,#8]  */
  unsigned loads = 0;
  for (unsigned i = 0; i < s.count; i++)
    if (s.uops[i].op == TB_OP_LOAD)
      CHECK_INT (s.uops[i].dst, D (1) + loads++);
  CHECK_INT (loads, 2);
  /* vdup.32 q1,r3: lanes may be left out.  */
  CHECK (describe (&s, 0xeea23b10, true, &v81m));
  for (unsigned i = 0; i < s.count; i++)
    if (s.uops[i].dst >= TB_PLACE_FP)
      CHECK_INT (s.uops[i].op, TB_OP_UNKNOWN);
  start (&m, 0);
  CHECK (describe (&s, 0xeeb60a00, true, &v7em));	/* vmov.f32 s0,#0.5  */
  run (&m, &s, 0);
  CHECK_INT (m.p[S (0)], 0x3f000000);
  tb_semantics_t32_it (&s, 0xeeb60a00, 4, PC, 0, &v7em);	/* Not if NE.  */
  m.p[S (0)] = 1;
  m.p[TB_SLOT_Z] = 0;
  run (&m, &s, 0);
  CHECK_INT (m.p[S (0)], 1);
}

/* What may have been done already when an instruction is given up half-way.  */
static void
test_flags (void)
{
  static const struct { uint32_t opcode; unsigned flags; } rows[] = {
    { 0xed910a01, TB_SEM_LOADS },	/* vldr s0,[r1,#4]  */
    { 0xed810b00, TB_SEM_STORES | TB_SEM_MULTIPLE | TB_SEM_CONTINUES },
    { 0xec910a02, TB_SEM_LOADS | TB_SEM_MULTIPLE | TB_SEM_CONTINUES },
    { 0xed910900, TB_SEM_LOADS },	/* vldr.16 s0,[r1]  */
    { 0xf421070f, TB_SEM_LOADS | TB_SEM_MULTIPLE },	/* vld1.8 {d0},[r1]  */
    { 0xf4810c0f, 0 },			/* Not an instruction.  */
    { 0xf4a1000f, TB_SEM_LOADS },	/* vld1.8 {d0[0]},[r1]  */
    { 0xf481000f, TB_SEM_STORES },
    { 0xf2002110, 0 }			/* vand d2,d0,d0  */
  };
  for (size_t i = 0; i < NROWS (rows); i++)
    {
      struct tb_semantics s;
      describe (&s, rows[i].opcode, false, &v7a);
      CHECK_INT (s.flags, rows[i].flags);
    }
}

/* What is undefined or unpredictable is not modelled.  */
static void
test_not_modelled (void)
{
  static const uint32_t rows[] = {
    0xec51fb10,			/* vmov r15  */
    0xec410a3f,			/* vmov s31 and the one behind it  */
    0xec511b10,			/* vmov r1, r1, d0  */
    0xec91fa09,			/* vldm beyond s31: s30 to s38  */
    0xecd1eb22,			/* vldm of 17 registers  */
    0xed8f0a00,			/* vstr relative to the PC  */
    0xec9f0a02,			/* vldm at the PC  */
    0xee10fa10,			/* vmov r15, s0  */
    0xee100a11,			/* vmov with bit 0  */
    0xee100b50,			/* vmov.32 with opc2 10  */
    0xee810b42,			/* vdiv with bit 6  */
    0xf2001150,			/* vand q with an odd register  */
    0xf3b01181,			/* no such instruction  */
    0xf462f00d,			/* vld4 beyond d31  */
    0xf421018d | 0x0040f000,	/* vld4 of every second one beyond d31  */
    0xf42f070f,			/* vld1 at the PC  */
    0xf3b00001 | 3 << 18,	/* vrev64.64  */
    0xfe000ac0			/* no vsel  */
  };
  struct tb_semantics s;
  for (size_t i = 0; i < NROWS (rows); i++)
    if (!CHECK (!describe (&s, rows[i], false, &v8a)))
      fprintf (stderr, "opcode %#x\n", rows[i]);
}

/* Any opcode of that space: there is room, and places are written only.  */
static void
test_all (void)
{
  static const uint32_t same[3] = { 0xf2000000, 0xf4000000, 0xec000800 };
  static const uint32_t random[3] = { 0x01ffffff, 0x00efffff, 0x13fff3ff };
  uint32_t x = 1;
  unsigned longest = 0, described = 0;
  for (unsigned i = 0; i < 300000; i++)
    {
      struct tb_semantics s;
      x = fp_rows_random (x);
      if (!describe (&s, same[i % 3] | (x & random[i % 3]), i & 1, &v8a))
	continue;
      described++;
      longest = s.count > longest ? s.count : longest;
      for (unsigned k = 0; k < s.count; k++)
	CHECK (s.uops[k].dst < TB_PLACE_END && s.uops[k].a < TB_PLACE_END
	       && s.uops[k].b < TB_PLACE_END);
    }
  CHECK (described > 100000);
  CHECK (longest > 100 && longest < TB_SEM_MAX);
}

int
main (void)
{
  test_exact ();
  test_unknown ();
  test_fpscr ();
  test_m ();
  test_flags ();
  test_not_modelled ();
  test_all ();
  return check_done ();
}
