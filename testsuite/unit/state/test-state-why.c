/* State: explanations of what is known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"
#include "state/explain/why.h"

#define MOST 8

/* Ask for REG.  */
static size_t
ask (struct tb_state *s, uint64_t step, unsigned reg, struct tb_why *items,
     size_t most)
{
  struct tb_why_query query = { .kind = TB_WHY_REGISTER,
				.number = (uint8_t) reg };
  return tb_state_why (s, step, &query, items, most);
}

/* The chain of REG before STEP has these rules, its first value VALUE.  */
static void
why (struct tb_state *s, uint64_t step, unsigned reg, uint32_t value,
     const uint8_t *rules, size_t count)
{
  struct tb_why items[MOST];
  size_t n = ask (s, step, reg, items, MOST);
  CHECK_INT (n, count);
  CHECK_INT (items[0].value, value);
  for (size_t i = 0; i < n && i < count; i++)
    CHECK_INT (items[i].rule, rules[i]);
}

#define WHY(s, step, reg, value, ...) \
  why ((s), (step), (reg), (value), (const uint8_t[]) { __VA_ARGS__ }, \
       sizeof (uint8_t[]) { __VA_ARGS__ })

/* Flags and memory; what is not known.  */
static void
test_kinds (void)
{
  struct tb_recording *f = BEGIN (0x2801,	/* cmp r0,#1  */
				  0x6011,	/* str r1,[r2]  */
				  0x6813,	/* ldr r3,[r2]  */
				  0x6825,	/* ldr r5,[r4]  */
				  0x1c6e);	/* adds r6,r5,#1  */
  ram[0] = 7;
  ram[1] = 9;
  fake_reg (f, "R0", 0);
  fake_reg (f, "R2", FAKE_RAM);
  fake_end (f, fake_run (f, MAIN, 5), true);
  struct tb_state *s = finish (f);
  struct tb_why items[MOST];
  struct tb_why_query q;
  const struct tb_profile *profile = &f->profile;

  CHECK (tb_why_parse (&q, profile, "z"));
  CHECK_INT (tb_state_why (s, 1, &q, items, MOST), 3);
  CHECK_INT (items[0].rule, TB_WHY_OPERATION);
  CHECK (items[0].known && items[0].value == 0);
  CHECK (tb_why_parse (&q, profile, "c"));
  CHECK (tb_state_why (s, 1, &q, items, MOST) >= 2);
  CHECK (items[0].known && items[0].value == 0);
  /* Before the CMP nothing tells.  */
  CHECK (tb_state_why (s, 0, &q, items, MOST) >= 1);
  CHECK (!items[0].known);

  /* What was stored is known by the load behind it, that by the dump.  */
  CHECK (tb_why_parse (&q, profile, "0x20000000:2"));
  CHECK_INT (q.size, 2);
  CHECK_INT (tb_state_why (s, 2, &q, items, MOST), 2);
  CHECK_INT (items[0].rule, TB_WHY_ACCESS);
  CHECK (items[0].known && items[0].value == 7);
  CHECK_INT (items[1].value, 7);
  CHECK (tb_why_parse (&q, profile, "536870916"));
  CHECK_INT (q.size, 4);
  CHECK_INT (tb_state_why (s, 0, &q, items, MOST), 1);
  CHECK_INT (items[0].rule, TB_WHY_MEMORY);
  CHECK_INT (items[0].value, 9);

  /* r6 is made of r5, which was loaded by r4, of which nothing is told.  */
  CHECK (tb_why_parse (&q, profile, "r6"));
  CHECK_INT (tb_state_why (s, 5, &q, items, MOST), 3);
  CHECK_INT (items[0].rule, TB_WHY_UNKNOWN);
  CHECK_INT (items[0].step, 4);
  CHECK_INT (items[1].rule, TB_WHY_LOADED);
  CHECK_INT (items[1].step, 3);
  CHECK_INT (items[2].rule, TB_WHY_BEGIN);
  char line[200];
  tb_why_line (line, sizeof line, f, NULL, items, 1);
  CHECK_STR (line, "step 3, pc 0x00000106: loaded from an address that is not "
	     "known: step 0");

  static const char *const bad[] = { "", "r99", "nz", "0x", "4:0", "4:9", "4:",
				     "-1", "4x", "pc:", "99999999999999999999" };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    CHECK (!tb_why_parse (&q, profile, bad[i]));
  end (f, s);
}

int
main (void)
{
  test_kinds ();
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x4b01,	/* ldr r3,[pc,#4]: +8  */
				  0x3201,	/* adds r2,#1  */
				  0x4054,	/* eors r4,r2  */
				  0xbf00, 0xbf00); /* +8  */
  fake_reg (f, "R2", 0x77);
  fake_reg (f, "R4", 0x70);
  fake_end (f, fake_run (f, MAIN, 4), true);
  struct tb_state *s = finish (f);
  struct tb_why items[MOST];

  /* r2 at the halt, and one less before.  */
  WHY (s, 4, TB_R2, 0x77, TB_WHY_HALT);
  WHY (s, 0, TB_R2, 0x76, TB_WHY_OPERATION, TB_WHY_HALT);
  /* r4 before the EOR follows from both.  */
  WHY (s, 0, TB_R4, 0x07, TB_WHY_OPERATION, TB_WHY_HALT, TB_WHY_HALT);
  CHECK_INT (ask (s, 0, TB_R4, items, MOST), 3);
  CHECK_INT (items[0].from_count, 2);
  CHECK_INT (items[1].step, 3);
  CHECK_INT (items[2].step, 2);
  /* The literal pool; the instruction itself.  */
  WHY (s, 2, TB_R3, 0xbf00bf00, TB_WHY_MEMORY);
  WHY (s, 1, TB_R0, 5, TB_WHY_TRACE);
  /* Less room; nothing tells what it was; beyond the end.  */
  CHECK_INT (ask (s, 0, TB_R4, items, 2), 2);
  CHECK_INT (ask (s, 0, TB_R4, items, 0), 0);
  CHECK_INT (ask (s, 0, TB_R7, items, MOST), 1);
  CHECK_INT (items[0].rule, TB_WHY_BEGIN);
  CHECK (!items[0].known);
  CHECK_INT (ask (s, 5, TB_R2, items, MOST), 0);
  end (f, s);
  return check_done ();
}
