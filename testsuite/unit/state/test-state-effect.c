/* State: what instructions write, the state right after them, and which values are
   live.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

#include "decode/element.h"
#include "state/answer/live.h"

#define R(n) (UINT64_C (1) << (n))
#define N R (TB_EFFECT_N)
#define Z R (TB_EFFECT_N + 1)
#define C R (TB_EFFECT_N + 2)
#define V R (TB_EFFECT_N + 3)

static void
test_effects (void)
{
  static const struct { uint16_t code; uint64_t reads, writes, may; } rows[] = {
    { 0x1888, R (1) | R (2), R (0) | N | Z | C | V, 0 },   /* adds r0,r1,r2  */
    { 0x4148, R (0) | R (1) | C, R (0) | N | Z | C | V, 0 },  /* adcs r0,r1  */
    { 0x6808, R (1), R (0), 0 },			   /* ldr r0,[r1]  */
    { 0x6008, R (0) | R (1), 0, 0 },			   /* str r0,[r1]  */
    { 0xb510, R (4) | R (13) | R (14), R (13), 0 },	   /* push {r4,lr}  */
    { 0x4088, R (0) | R (1), R (0) | N | Z, C },	   /* lsls r0,r1  */
    { 0x46c0, R (8), R (8), 0 },			   /* mov r8,r8  */
    { 0xd0fe, Z, 0, 0 }					   /* beq .  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_recording *f = BEGIN (rows[i].code, 0x46c0);
      struct tb_effect effect;
      fake_run (f, MAIN, 2);
      struct tb_state *s = finish (f);
      CHECK (tb_state_effect (s, 0, &effect));
      CHECK_INT (effect.reads, rows[i].reads);
      CHECK_INT (effect.writes, rows[i].writes);
      CHECK_INT (effect.may_write, rows[i].writes | rows[i].may);
      end (f, s);
    }
}

/* What is not understood may do anything, and so may what is not there.  */
static void
test_not_analysed (void)
{
  struct tb_recording *f = BEGIN (0xde00, 0x46c0);	/* udf  */
  struct tb_effect effect;
  fake_raw_step (f, MAIN, 0xf3bf8f00, 4, 0);
  fake_run (f, MAIN + 4, 1);
  f->options.window = 1;
  struct tb_state *s = finish (f);
  CHECK (!tb_state_effect (s, 0, &effect));
  CHECK_INT (effect.reads, TB_EFFECT_ALL32);
  CHECK_INT (effect.writes, 0);
  CHECK_INT (effect.may_write, TB_EFFECT_ALL32);
  CHECK (!tb_state_effect (s, 2, &effect));
  end (f, s);
}

/* Right after an instruction, before the exception that follows, r0 is known; the
   handler does not know it.  */
static void
test_after (void)
{
  struct tb_recording *f = BEGIN (0x2005, 0x46c0);	/* movs r0,#5  */
  struct tb_value values[TB_NREGS_MAX];
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 15;
  fake_run (f, MAIN + 2, 1);
  struct tb_state *s = finish (f);
  UNKNOWN (s, 0, TB_R0);
  UNKNOWN (s, 1, TB_R0);
  tb_state_after (s, 0, values);
  CHECK_INT (values[TB_R0].mask, UINT32_MAX);
  CHECK_INT (values[TB_R0].bits, 5);
  CHECK_INT (values[TB_R0].origin, TB_DERIVED);
  /* Asking leaves everything as it was.  */
  UNKNOWN (s, 1, TB_R0);
  tb_state_after (s, 7, values);
  CHECK_INT (values[TB_R0].mask, 0);
  end (f, s);
}

/* The values of accesses, also where the address is not known.  */
static void
test_access_values (void)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x7008,	/* strb r0,[r1]  */
				  0x6812,	/* ldr r2,[r2]  */
				  0x2a07,	/* cmp r2,#7  */
				  0xd0fe);	/* beq  */
  struct tb_access_info a;
  fake_run (f, MAIN, 4);
  fake_step (f, MAIN + 8, TB_STEP_TAKEN);
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_accesses (s, 1, &a, 1), 1);
  CHECK (a.store && !a.address_known && a.value_known && !a.value_assumed);
  CHECK_INT (a.value, 5);
  CHECK_INT (tb_state_accesses (s, 2, &a, 1), 1);
  CHECK (!a.store && !a.address_known && a.value_known);
  CHECK_INT (a.value, 7);
  end (f, s);
}

/* The sets of registers of interest that are live before each step.  */
static void
live (struct tb_recording *f, uint64_t mask, const uint64_t *want,
      size_t wanted)
{
  struct tb_state *s = finish (f);
  uint64_t set;
  /* From the first step on, and from each later one.  */
  for (uint64_t begin = 0; begin < wanted; begin++)
    {
      struct tb_live *live = tb_live_new (s, begin);
      if (!CHECK (live != NULL))
	break;
      for (size_t i = begin; i < wanted; i++)
	if (CHECK (tb_live_before (live, i, &set)))
	  CHECK_INT (set & mask, want[i]);
      CHECK (!tb_live_no_memory (live));
      tb_live_free (live);
    }
  end (f, s);
}

static void
test_live (void)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x0001,	/* movs r1,r0  */
				  0x2000,	/* movs r0,#0  */
				  0x2100);	/* movs r1,#0  */
  fake_run (f, MAIN, 4);
  live (f, R (0) | R (1) | R (2) | C,
	(const uint64_t[]) { R (2) | C, R (0) | R (2) | C, R (2) | C,
			     R (0) | R (2) | C }, 4);

  /* An exception's entry puts r0 on the stack; the return takes it from there, so
     what the handler leaves in it does not matter, nor in r0 before, if
     nobody reads it; r5 goes through.  */
  f = BEGIN (0x2005,	/* movs r0,#5  */
	     0x46c0, 0x46c0, 0x46c0);
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 15;
  fake_run (f, MAIN + 4, 1);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN + 2)->value = 0xfffffff9;
  fake_run (f, MAIN + 2, 1);
  live (f, R (0) | R (5) | R (13) | N,
	(const uint64_t[]) { R (5) | R (13), R (5) | R (13),
			     R (0) | R (5) | R (13) | N }, 3);

  /* A gap may read everything.  */
  f = BEGIN (0x46c0, 0x2005);
  fake_run (f, MAIN, 1);
  fake_event (f, TB_EVENT_GAP, 0);
  fake_run (f, MAIN + 2, 1);
  live (f, R (0) | R (1), (const uint64_t[]) { R (0) | R (1), R (1) }, 2);
}

int
main (void)
{
  test_effects ();
  test_not_analysed ();
  test_after ();
  test_access_values ();
  test_live ();
  return check_done ();
}
