/* State of A64 code: vector registers, by a few instructions each.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "arm/ir/semantics-a64.h"
#include "state-program-a64.h"
#include "state/effect.h"
#include "state/explain/why.h"

/* What is known of HALF of vector register N before STEP.  */
static struct tb_value
half (struct tb_state *s, uint64_t step, unsigned n, unsigned half)
{
  struct tb_vector v[TB_NVECTORS];
  if (!tb_state_vectors (s, step, v))
    return (struct tb_value) { 0 };
  return v[n].half[half];
}

static void
vector (struct tb_state *s, uint64_t step, unsigned n, uint64_t low,
	uint64_t high, unsigned line)
{
  struct tb_value v[2] = { half (s, step, n, 0), half (s, step, n, 1) };
  if (!CHECK (v[0].mask == UINT64_MAX && v[0].bits == low
	      && v[1].mask == UINT64_MAX && v[1].bits == high))
    fprintf (stderr, "line %u: mask %#llx bits %#llx, %#llx %#llx\n", line,
	     (unsigned long long) v[0].mask, (unsigned long long) v[0].bits,
	     (unsigned long long) v[1].mask, (unsigned long long) v[1].bits);
}

#define VECTOR(s, step, n, low, high) \
  vector ((s), (step), (n), (low), (high), __LINE__)

static bool
nothing (struct tb_state *s, uint64_t step, unsigned n)
{
  return half (s, step, n, 0).mask == 0 && half (s, step, n, 1).mask == 0;
}

/* A register of 128 bits at the halt.  */
static void
give (struct tb_recording *f, const char *name, const uint64_t *value)
{
  fake_reg (f, name, value[0]);
  struct tb_device_reg *r = &f->regs[f->core.nregs - 1];
  r->bits = 128;
  r->bytes = TARGET_BYTES (value, 16);
}

/* Constants forward, to memory and to general registers.  */
static void
test_forward (void)
{
  struct tb_recording *f = BEGIN (0x6f00e405,	/* movi v5.2d,#0  */
				  0x9c0000e3,	/* ldr q3,MAIN+0x20  */
				  0x9e660063,	/* fmov x3,d3  */
				  0x9eae0064,	/* fmov x4,v3.d[1]  */
				  0x4ea31c66,	/* mov v6.16b,v3.16b  */
				  0x1e604066,	/* fmov d6,d3  */
				  0x1e6f1001,	/* fmov d1,#1.5  */
				  0xd503201f,	/* nop  */
				  0x55667788, 0x11223344, 0x89abcdef,
				  0x01234567);
  fake_end (f, fake_run (f, MAIN, 8), false);
  struct tb_state *s = finish (f);
  /* What they write, and what that is right behind them.  */
  static const uint64_t written[] = { UINT64_C (3) << 10, 3 << 6, 0, 0,
				      3 << 12, 3 << 12, 3 << 2, 0 };
  struct tb_effect effect;
  for (unsigned i = 0; i < 8; i++)
    {
      CHECK (tb_state_effect (s, i, &effect));
      CHECK_INT (effect.vectors, written[i]);
      CHECK_INT (effect.may_vectors, written[i]);
      CHECK (!effect.controls);
    }
  struct tb_vector after[TB_NVECTORS];
  CHECK (tb_state_vectors_after (s, 1, after));
  CHECK_INT (after[3].half[1].bits, UINT64_C (0x0123456789abcdef));
  CHECK (nothing (s, 0, 5));
  VECTOR (s, 1, 5, 0, 0);
  VECTOR (s, 2, 3, UINT64_C (0x1122334455667788),
	  UINT64_C (0x0123456789abcdef));
  KNOWN (s, 3, TB_X0 + 3, UINT64_C (0x1122334455667788));
  KNOWN (s, 4, TB_X0 + 4, UINT64_C (0x0123456789abcdef));
  VECTOR (s, 5, 6, UINT64_C (0x1122334455667788),
	  UINT64_C (0x0123456789abcdef));
  VECTOR (s, 6, 6, UINT64_C (0x1122334455667788), 0);
  VECTOR (s, 7, 1, UINT64_C (0x3ff8000000000000), 0);
  end (f, s);
}

/* Backward from the halt and from memory: what LDP and STP move was in memory before;
   the accesses have values.  */
static void
test_backward (void)
{
  static const uint64_t at_halt[2] = { 0x1111, 0x2222 };
  struct tb_recording *f = BEGIN (0xad400400,	/* ldp q0,q1,[x0]  */
				  0xad000420,	/* stp q0,q1,[x1]  */
				  0x6f00e400,	/* movi v0.2d,#0  */
				  0xfd000045,	/* str d5,[x2]  */
				  0xd503201f);
  for (unsigned i = 8; i < 12; i++)
    ram[i] = ram[i + 8] = 0x100 + i;
  ram[4] = 77;
  fake_reg (f, "X0", RAM + 0x80);
  fake_reg (f, "X1", RAM + 0x40);
  fake_reg (f, "X2", RAM + 0x20);
  give (f, "V7", at_halt);
  give (f, "V0", (const uint64_t[]) { 0, 0 });
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  struct tb_access_info a[4];
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  VECTOR (s, 0, 7, 0x1111, 0x2222);
  VECTOR (s, 5, 7, 0x1111, 0x2222);
  CHECK (nothing (s, 0, 0));
  VECTOR (s, 1, 0, 0x108, 0x109);
  VECTOR (s, 2, 1, 0x10a, 0x10b);
  VECTOR (s, 3, 0, 0, 0);
  CHECK (half (s, 0, 5, 0).bits == 77 && half (s, 0, 5, 1).mask == 0);
  CHECK_INT (tb_state_accesses (s, 0, a, 4), 4);
  CHECK (a[2].value_known && a[2].value == 0x10a && !a[2].store);
  CHECK_INT (tb_state_accesses (s, 1, a, 4), 4);
  CHECK (a[3].value_known && a[3].value == 0x10b && a[3].store
	 && a[3].address == RAM + 0x58);
  end (f, s);
}

/* Why the upper half of V1 is known, and V2 is not.  */
static void
test_why (void)
{
  struct tb_recording *f = BEGIN (0x9eaf0001,	/* fmov v1.d[1],x0  */
				  0x4e22d442,	/* fadd v2.4s,v2.4s,v2.4s  */
				  0x4ea21c43,	/* mov v3.16b,v2.16b  */
				  0xd503201f);
  struct tb_why items[8];
  struct tb_why_query q = { .kind = TB_WHY_VECTOR, .number = 1, .size = 8,
			    .address = 8 };
  fake_reg (f, "X0", 0x77);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  CHECK (tb_state_why (s, 2, &q, items, 8) > 0);
  CHECK (items[0].known && items[0].value == 0x77
	 && items[0].rule == TB_WHY_HALT);
  q = (struct tb_why_query) { .kind = TB_WHY_VECTOR, .number = 3, .size = 8 };
  CHECK (tb_state_why (s, 3, &q, items, 8) > 0);
  CHECK (!items[0].known && items[0].step == 1
	 && items[0].rule == TB_WHY_BEGIN);
  q.size = 4;
  q.number = TB_FPSR;
  CHECK (tb_state_why (s, 3, &q, items, 8) > 0 && !items[0].known);
  end (f, s);
}

/* What arithmetic makes is not known, and no more is lost than it writes.  */
static void
test_arithmetic (void)
{
  static const uint64_t at_halt[2] = { 1, 2 };
  struct tb_recording *f = BEGIN (0x0e21d421,	/* fadd v1.2s,v1.2s,v1.2s  */
				  0x1e612800,	/* fadd d0,d0,d1  */
				  0x4e616802,	/* fcvtn2 v2.4s,v0.2d  */
				  0xd503201f);
  give (f, "V1", at_halt);
  give (f, "V2", at_halt);
  give (f, "V3", at_halt);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = fake_open (f);
  /* The upper half of V1 cannot be 2 then.  */
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  CHECK_INT (f->diag.warnings, 1);
  CHECK (nothing (s, 0, 3));
  end (f, s);

  f = BEGIN (0x0e21d421, 0x1e612800, 0x4e616802, 0xd503201f);
  give (f, "V0", at_halt);
  give (f, "V2", at_halt);
  give (f, "V3", at_halt);
  fake_end (f, fake_run (f, MAIN, 4), true);
  s = finish (f);
  CHECK (nothing (s, 0, 1));
  CHECK (half (s, 1, 1, 0).mask == 0 && half (s, 1, 1, 1).bits == 0
	 && half (s, 1, 1, 1).mask == UINT64_MAX);
  CHECK (nothing (s, 1, 0));
  VECTOR (s, 2, 0, 1, 2);
  CHECK (half (s, 0, 2, 0).bits == 1 && half (s, 0, 2, 1).mask == 0);
  VECTOR (s, 3, 2, 1, 2);
  VECTOR (s, 0, 3, 1, 2);
  end (f, s);
}

/* What scalar arithmetic leaves above its result is 0 if FPCR says so; with what of the
   result is in memory all of the register is known then.  */
static void
test_merged (void)
{
  for (unsigned i = 0; i < 4; i++)
    {
      struct tb_recording *f = BEGIN (0x1e222820,	/* fadd s0,s1,s2  */
				      0xbd000000,	/* str s0,[x0]  */
				      0x1e622820,	/* fadd d0,d1,d2  */
				      i == 3 ? 0xd51b441f  /* msr fpcr,xzr  */
				      : 0xd503201f,
				      0x1e622821);	/* fadd d1,d1,d2  */
      ram[0] = 0x3f800000;
      fake_reg (f, "X0", RAM);
      if (i < 2)
	fake_reg (f, "FPCR", i << TB_FPCR_NEP);
      fake_end (f, fake_run (f, MAIN, 5), true);
      struct tb_state *s = finish (f);
      struct tb_value low = half (s, 1, 0, 0), high = half (s, 1, 0, 1);
      CHECK_INT (low.bits, 0x3f800000);
      CHECK_INT (low.mask, i == 0 ? UINT64_MAX : UINT32_MAX);
      CHECK_INT (high.mask, i == 0 ? UINT64_MAX : 0);
      CHECK_INT (high.bits, 0);
      high = half (s, 5, 1, 1);
      CHECK_INT (high.mask, i == 0 || i == 3 ? UINT64_MAX : 0);
      end (f, s);
    }
}

/* Flags of FPSR stay set, and are set by arithmetic only.  */
static void
test_status (void)
{
  struct tb_recording *f = BEGIN (0x1e612800,	/* fadd d0,d0,d1  */
				  0xd51b443f,	/* msr fpsr,xzr  */
				  0x1e612800,	/* fadd d0,d0,d1  */
				  0xd53b4425,	/* mrs x5,fpsr  */
				  0xd51b441f,	/* msr fpcr,xzr  */
				  0xd503201f);
  fake_reg (f, "fpsr", 0x10);
  fake_end (f, fake_run (f, MAIN, 6), true);
  struct tb_state *s = finish (f);
  struct tb_value v = half (s, 1, TB_FPSR, 0);
  CHECK (v.mask == 0);
  v = half (s, 2, TB_FPSR, 0);
  CHECK (v.mask == UINT64_MAX && v.bits == 0);
  v = half (s, 3, TB_FPSR, 0);
  CHECK (v.mask == UINT64_MAX && v.bits == 0x10);
  KNOWN (s, 4, TB_X0 + 5, 0x10);
  CHECK_INT (half (s, 4, TB_FPSCR, 0).mask, 0);
  v = half (s, 5, TB_FPSCR, 0);
  CHECK (v.mask == UINT64_MAX && v.bits == 0);
  end (f, s);
}

/* Exceptions leave them alone; a gap, SVE, and a change of streaming mode do not.  */
static void
test_walls (void)
{
  static const uint64_t at_halt[2] = { 3, 4 };
  static const uint32_t walls[] = { 0x04200000, 0xd503477f };
  struct tb_recording *f = BEGIN (0xd503201f, 0xd503201f);
  code[(HANDLER - MAIN) / 4] = 0xd503201f;
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 4);
  fake_step (f, HANDLER, 0);
  give (f, "Q8", at_halt);
  fake_end (f, HANDLER + 4, true);
  struct tb_state *s = finish (f);
  VECTOR (s, 0, 8, 3, 4);
  end (f, s);

  f = BEGIN (0xd503201f, 0xd503201f);
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_GAP, 0);
  fake_step (f, MAIN + 4, 0);
  give (f, "Q8", at_halt);
  fake_end (f, MAIN + 8, true);
  s = finish (f);
  CHECK (nothing (s, 0, 8));
  VECTOR (s, 1, 8, 3, 4);
  end (f, s);

  for (unsigned i = 0; i < 2; i++)
    {
      f = BEGIN (walls[i], 0xd503201f);
      give (f, "Q8", at_halt);
      fake_end (f, fake_run (f, MAIN, 2), true);
      s = finish (f);
      CHECK (nothing (s, 0, 8));
      VECTOR (s, 1, 8, 3, 4);
      end (f, s);
    }
}

/* A pair that an exception interrupted may have been loaded in part.  */
static void
test_abandoned (void)
{
  static const uint64_t at_halt[2] = { 3, 4 };
  struct tb_recording *f = BEGIN (0xd503201f, 0xad400400);  /* ldp q0,q1,[x0] */
  code[(HANDLER - MAIN) / 4] = 0x4ea11c22;	/* mov v2.16b,v1.16b  */
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 4);
  fake_step (f, HANDLER, 0);
  give (f, "V1", at_halt);
  give (f, "V4", at_halt);
  fake_end (f, HANDLER + 4, true);
  struct tb_state *s = finish (f);
  VECTOR (s, 1, 1, 3, 4);
  CHECK (nothing (s, 0, 1));
  VECTOR (s, 0, 4, 3, 4);
  end (f, s);
}

/* From window to window, both ways.  */
static void
test_windows (void)
{
  static const uint64_t at_halt[2] = { 5, 6 };
  enum { STEPS = 30 };
  uint32_t words[STEPS];
  for (unsigned i = 0; i < STEPS; i++)
    words[i] = 0xd503201f;
  words[1] = 0x6f00e405;	/* movi v5.2d,#0  */
  words[20] = 0x4ea51ca6;	/* mov v6.16b,v5.16b  */
  struct tb_recording *f = begin (words, STEPS);
  give (f, "V9", at_halt);
  fake_end (f, fake_run (f, MAIN, STEPS), true);
  f->options.window = 4;
  struct tb_state *s = finish (f);
  VECTOR (s, 0, 9, 5, 6);
  CHECK (nothing (s, 1, 5));
  for (unsigned i = 2; i < STEPS; i++)
    VECTOR (s, i, 5, 0, 0);
  CHECK (nothing (s, 20, 6));
  VECTOR (s, 21, 6, 0, 0);
  VECTOR (s, STEPS, 6, 0, 0);
  end (f, s);
}

/* A call gives back the lower halves of V8 to V15.  */
static void
test_kept (void)
{
  for (unsigned d = 7; d <= 8; d++)
    {
      struct tb_recording *f = BEGIN (0x1e6f1000 | d,	/* fmov d,#1.5  */
				      0x94000003,	/* bl MAIN+0x10  */
				      0xd503201f, 0,
				      0x1e602800 | d,	/* fadd d,d0,d0  */
				      0xd65f03c0);	/* ret  */
      fake_step (f, MAIN, 0);
      fake_step (f, MAIN + 4, TB_STEP_TAKEN);
      fake_step (f, MAIN + 16, 0);
      fake_step (f, MAIN + 20, TB_STEP_TAKEN);
      fake_step (f, MAIN + 8, 0);
      fake_end (f, MAIN + 12, false);
      f->options.assume = TB_ASSUME_AAPCS;
      struct tb_state *s = finish (f);
      struct tb_value v = half (s, 4, d, 0);
      if (d == 8)
	CHECK (v.mask == UINT64_MAX && v.assumed == UINT64_MAX
	       && v.bits == UINT64_C (0x3ff8000000000000));
      else
	CHECK (v.mask == 0);
      CHECK_INT (half (s, 4, d, 1).mask, 0);
      end (f, s);
    }
}

int
main (void)
{
  test_forward ();
  test_backward ();
  test_why ();
  test_arithmetic ();
  test_merged ();
  test_status ();
  test_walls ();
  test_abandoned ();
  test_windows ();
  test_kept ();
  return check_done ();
}
