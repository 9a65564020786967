/* State of A64 code: memory that others than the core change, what is not dumped,
   and initial data.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program-a64.h"

/* Which memory is what.  */
enum what
{
  PLAIN, NOT_DUMPED, VOLATILE, SHARED, SHARED_PRIVATE, DATA, DATA_VOLATILE
};

static bool
is_known (struct tb_state *s, uint64_t step, unsigned reg, uint64_t *value)
{
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, step, v);
  *value = v[reg].bits;
  return v[reg].origin != TB_UNKNOWN && v[reg].mask == UINT64_MAX;
}

/* Store and load again; and load what was there before.  */
static void
test (enum what what)
{
  static const uint8_t contents[16] = { 9 };
  static const struct tb_initial initial[] = {
    { RAM + 0x100000, UINT64_C (1) << 60, NULL, true },	/* Mostly no RAM.  */
    { RAM - 0x10000000, 0x10000000, NULL, false },
    { RAM + 8, 16, contents, true }
  };
  struct tb_extent item = { RAM, 64 };
  const struct tb_extents here = { &item, 1, 1 };
  struct tb_recording *f = BEGIN (what == NOT_DUMPED
				  ? 0xd2a00401u		/* mov x1,#0x200000  */
				  : 0xd2900001u,	/* mov x1,#RAM  */
				  0xd28000a0,		/* mov x0,#5  */
				  0xf9000020,		/* str x0,[x1]  */
				  0xf9400022,		/* ldr x2,[x1]  */
				  0xf9400423,		/* ldr x3,[x1,#8]  */
				  0xd503201f);		/* nop  */
  uint64_t got;
  if (what == VOLATILE || what == DATA_VOLATILE)
    f->options.volatiles = &here;
  if (what == SHARED || what == SHARED_PRIVATE)
    f->options.shared = &here;
  if (what == SHARED_PRIVATE)
    f->options.privates = &here;
  if (what == DATA || what == DATA_VOLATILE)
    {
      f->options.start = TB_START_DATA;
      f->options.initial = initial;
      f->options.ninitial = 3;
    }
  fake_run (f, MAIN, 6);
  struct tb_state *s = finish (f);
  CHECK (is_known (s, 1, TB_X0 + 1, &got));
  CHECK_INT (is_known (s, 4, TB_X0 + 2, &got),
	     what == PLAIN || what == SHARED_PRIVATE || what == DATA);
  CHECK_INT (is_known (s, 5, TB_X0 + 3, &got), what == DATA);
  if (what == DATA)
    CHECK_INT (got, 9);
  end (f, s);
}

/* Code that is written, in this window or another, may not have been what ran; also
   where what is written is the SAME as the dump holds.  */
static void
test_rewritten (bool here, bool same, uint64_t window)
{
  struct tb_recording *f
    = BEGIN (0xd28000a0u,		/* mov x0,#5  */
	     same ? 0x52801402u : 0xd503201fu,	/* mov w2,#0xa0  */
	     same ? 0x72ba5002u : 0xd503201fu,	/* movk w2,#0xd280,lsl #16  */
	     here ? 0xd2800001u | MAIN << 5	/* mov x1,#MAIN  */
	     : 0xd2900001u,			/* mov x1,#RAM  */
	     0xb9000022u,		/* str w2,[x1]  */
	     0xd503201fu);
  f->options.window = window;
  fake_run (f, MAIN, 6);
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  uint64_t got;
  CHECK_INT (is_known (s, 1, TB_X0, &got), !here);
  CHECK (is_known (s, 4, TB_X0 + 1, &got));
  end (f, s);
}

/* DC ZVA makes its block zero, as large as the register says; where there is none
   (BLOCK 0), a word, and all other memory may have changed.  */
static void
test_zeros (unsigned block)
{
  struct tb_recording *f
    = BEGIN (0xd2900001u,		/* mov x1,#RAM  */
	     0xd28000a0u,		/* mov x0,#5  */
	     0xf9000020u,		/* str x0,[x1]  */
	     0xf9000420u,		/* str x0,[x1,#8]  */
	     0xf9002020u,		/* str x0,[x1,#64]  */
	     0xd50b7421u,		/* dc zva,x1  */
	     0xf9400422u,		/* ldr x2,[x1,#8]  */
	     0xf9402023u,		/* ldr x3,[x1,#64]  */
	     0xd503201fu);
  if (block != 0)
    fake_reg (f, "DCZID_EL0", block == 16 ? 2 : 4);
  fake_run (f, MAIN, 9);
  struct tb_state *s = finish (f);
  uint64_t got = 1;
  struct tb_access_info some[16];
  uint8_t bytes[4], origins[4];
  CHECK_INT (is_known (s, 7, TB_X0 + 2, &got), block != 0);
  CHECK (block == 0 || got == 0);
  CHECK_INT (is_known (s, 8, TB_X0 + 3, &got), block != 0);
  CHECK (block == 0 || got == 5);
  CHECK_INT (tb_state_memory (s, 6, RAM, bytes, origins, 4), 4);
  CHECK_INT (bytes[0], 0);
  size_t n = tb_state_accesses (s, 5, some, 16);
  CHECK_INT (n, block == 0 ? 1 : block / 8);
  for (size_t i = 0; i < n && i < 16; i++)
    CHECK (some[i].store && some[i].address_known && some[i].value_known
	   && some[i].value == 0 && some[i].address == RAM + 8 * i
	   && some[i].length == (block == 0 ? 4 : 8));
  CHECK_INT (tb_state_analysed (s, 5), block != 0);
  CHECK (tb_state_analysed (s, 6));
  end (f, s);
}

/* The top byte of an address does not count: the second store goes where the first
   did; LAST is what loads from there.  */
static void
test_tagged (uint32_t last, bool tag_first)
{
  struct tb_recording *f
    = BEGIN (0xd2900001u,		/* mov x1,#RAM  */
	     0xd28000a0u,		/* mov x0,#5  */
	     tag_first ? 0xf2eb4001u	/* movk x1,#0x5a00,lsl #48  */
	     : 0xd503201fu,
	     0xf9000020u,		/* str x0,[x1]  */
	     tag_first ? 0xf2e00001u	/* movk x1,#0,lsl #48  */
	     : 0xf2eb4001u,
	     0xd28000e3u,		/* mov x3,#7  */
	     0xf9000023u,		/* str x3,[x1]  */
	     0xd2900001u,		/* mov x1,#RAM  */
	     last, 0xd503201fu);
  uint64_t got;
  fake_run (f, MAIN, 10);
  struct tb_state *s = finish (f);
  CHECK (is_known (s, 9, TB_X0 + 2, &got));
  CHECK_INT (got, 7);
  end (f, s);
}

/* The same where of the second address only some bits are known.  */
static void
test_tag_unknown (void)
{
  struct tb_recording *f
    = BEGIN (0xd2900001u,		/* mov x1,#RAM  */
	     0xd28000a0u,		/* mov x0,#5  */
	     0xf9000020u,		/* str x0,[x1]  */
	     0xf9400004u | 6 << 5,	/* ldr x4,[x6]  */
	     0xb2481c81u,		/* orr x1,x4,#0xff00000000000000  */
	     0xd28000e3u,		/* mov x3,#7  */
	     0xf9000023u,		/* str x3,[x1]  */
	     0xd2900001u,		/* mov x1,#RAM  */
	     0xf9400022u,		/* ldr x2,[x1]  */
	     0xd503201fu);
  uint64_t got;
  fake_run (f, MAIN, 10);
  struct tb_state *s = finish (f);
  CHECK (!is_known (s, 9, TB_X0 + 2, &got));
  end (f, s);
}

/* A random number comes with flags.  */
static void
test_random_number (uint32_t mrs)
{
  struct tb_recording *f = BEGIN (0xd2800023u,	/* mov x3,#1  */
				  0xf100047fu,	/* cmp x3,#1  */
				  mrs, 0xd503201fu);
  fake_run (f, MAIN, 4);
  struct tb_state *s = finish (f);
  flags (s, 2, 15, 6);
  flags (s, 3, 0, 0);
  CHECK (!all_known (s, 3, TB_X0 + 3));
  end (f, s);
}

int
main (void)
{
  test_zeros (0);
  test_zeros (16);
  test_zeros (64);
  test_tagged (0xf9400022u, false);	/* ldr x2,[x1]  */
  test_tagged (0xf9400022u, true);
  test_tag_unknown ();
  test_random_number (0xd53b2403u);	/* mrs x3,rndr  */
  test_random_number (0xd53b2423u);	/* mrs x3,rndrrs  */
  for (uint64_t window = 0; window <= 6; window++)
    for (unsigned same = 0; same < 2; same++)
      {
	test_rewritten (false, same, window);
	test_rewritten (true, same, window);
      }
  test (PLAIN);
  test (NOT_DUMPED);
  test (VOLATILE);
  test (SHARED);
  test (SHARED_PRIVATE);
  test (DATA);
  test (DATA_VOLATILE);
  return check_done ();
}
