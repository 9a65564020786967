/* State: explanations of what is known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"
#include "state/why.h"

#define MOST 8

/* The chain of REG before STEP has these rules, its first value VALUE.  */
static void
why (struct tb_state *s, uint64_t step, unsigned reg, uint32_t value,
     const uint8_t *rules, size_t count)
{
  struct tb_why items[MOST];
  size_t n = tb_state_why (s, step, reg, items, MOST);
  CHECK_INT (n, count);
  CHECK_INT (items[0].value, value);
  for (size_t i = 0; i < n && i < count; i++)
    CHECK_INT (items[i].rule, rules[i]);
}

#define WHY(s, step, reg, value, ...) \
  why ((s), (step), (reg), (value), (const uint8_t[]) { __VA_ARGS__ }, \
       sizeof (uint8_t[]) { __VA_ARGS__ })

int
main (void)
{
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
  CHECK_INT (tb_state_why (s, 0, TB_R4, items, MOST), 3);
  CHECK_INT (items[0].from_count, 2);
  CHECK_INT (items[1].step, 3);
  CHECK_INT (items[2].step, 2);
  /* The literal pool; the instruction itself.  */
  WHY (s, 2, TB_R3, 0xbf00bf00, TB_WHY_MEMORY);
  WHY (s, 1, TB_R0, 5, TB_WHY_TRACE);
  /* Less room; nothing known; beyond the end.  */
  CHECK_INT (tb_state_why (s, 0, TB_R4, items, 2), 2);
  CHECK_INT (tb_state_why (s, 0, TB_R4, items, 0), 0);
  CHECK_INT (tb_state_why (s, 0, TB_R7, items, MOST), 0);
  CHECK_INT (tb_state_why (s, 5, TB_R2, items, MOST), 0);
  end (f, s);
  return check_done ();
}
