/* The choice of steps and of tracepoints; merged ranges.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "frame/choose.h"
#include "frame/ranges.h"

#define MAX UINT64_MAX

static void
test_steps (void)
{
  static const struct
  {
    uint64_t moments;
    struct tb_choose_options options;	/* from, to, first, last, frames  */
    uint64_t begin, end;
  } cases[] =
    {
      { 0, { 0, MAX, 0, 0, 10 }, 0, 0 },
      { 1, { 0, MAX, 0, 0, 10 }, 0, 1 },
      { 10, { 0, MAX, 0, 0, 10 }, 0, 10 },
      { 11, { 0, MAX, 0, 0, 10 }, 1, 11 },
      { MAX, { 0, MAX, 0, 0, 10 }, MAX - 10, MAX },
      { 100, { 0, MAX, 5, 0, 10 }, 0, 5 },
      { 100, { 0, MAX, 50, 0, 10 }, 0, 50 },
      { 100, { 0, MAX, 500, 0, 10 }, 0, 100 },
      { 100, { 0, MAX, 0, 5, 10 }, 95, 100 },
      { 100, { 0, MAX, 0, 50, 10 }, 50, 100 },
      { 100, { 0, MAX, 50, 5, 10 }, 45, 50 },
      { 100, { 20, 25, 0, 0, 10 }, 20, 25 },
      { 100, { 20, 60, 0, 0, 10 }, 50, 60 },
      { 100, { 20, 60, 3, 0, 10 }, 20, 23 },
      { 100, { 20, 60, 0, 3, 10 }, 57, 60 },
      { 100, { 20, 20, 0, 0, 10 }, 20, 20 },
      { 100, { 60, 20, 0, 0, 10 }, 20, 20 },
      { 100, { 200, MAX, 0, 0, 10 }, 100, 100 }
    };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct tb_choice choice
	= tb_choose_steps (cases[i].moments, &cases[i].options);
      if (!CHECK_INT (choice.begin, cases[i].begin)
	  || !CHECK_INT (choice.end, cases[i].end))
	fprintf (stderr, "in case %zu\n", i);
    }
}

/* COUNT frames at PCS different PCs, from high to low; those at PCs with an
   odd number are bare if BARE.  */
static struct tb_choose_frame *
make_frames (size_t count, size_t pcs, bool bare)
{
  struct tb_choose_frame *frames = calloc (count, sizeof *frames);
  for (size_t i = 0; i < count; i++)
    frames[i] = (struct tb_choose_frame)
      { (pcs - 1 - i % pcs) * 4, bare && i % pcs % 2 != 0 };
  return frames;
}

static void
test_tracepoints (void)
{
  static const struct
  {
    size_t count, pcs;
    bool bare;
    size_t tracepoints;
    bool each;
    size_t left_out;
  } cases[] =
    {
      { 0, 1, false, 0, true, 0 },
      { 1, 1, false, 1, true, 0 },
      { 1, 1, true, 1, true, 0 },
      { 7, 3, false, 3, true, 0 },
      { 5000, 1000, false, 1000, true, 0 },
      { 5000, 1000, true, 1000, true, 0 },
      { 5000, 1001, false, 1, false, 0 },
      { 4004, 1001, true, 500 + 1, false, 0 },
      { 7998, 7998, true, 3999 + 1, false, 0 },
      { 8000, 8000, true, 3999 + 1, false, 1 },
      { 20000, 10000, true, 3999 + 1, false, 2 * (5000 - 3999) }
    };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct tb_choose_frame *frames
	= make_frames (cases[i].count, cases[i].pcs, cases[i].bare);
      struct tb_tracepoints chosen;
      CHECK_INT (tb_choose_tracepoints (&chosen, frames, cases[i].count),
		 TB_OK);
      CHECK_INT (chosen.count, cases[i].tracepoints);
      CHECK_INT (chosen.each, cases[i].each);
      size_t left_out = 0, wrong = 0, last_left_out = 0;
      for (size_t j = 0; j < cases[i].count; j++)
	{
	  unsigned number = tb_tracepoints_find (&chosen, &frames[j]);
	  if (number == 0)
	    {
	      left_out++;
	      last_left_out = j;
	      wrong += !frames[j].bare;
	    }
	  else if (number > chosen.count)
	    wrong++;
	  /* The tracepoint is all that says where a bare frame is.  */
	  else if ((frames[j].bare || chosen.each)
		   && chosen.items[number - 1].address != frames[j].pc)
	    wrong++;
	}
      CHECK_INT (wrong, 0);
      CHECK_INT (left_out, cases[i].left_out);
      if (left_out != 0)
	CHECK (last_left_out < cases[i].count - 3999);
      uint64_t hits = 0;
      for (size_t j = 0; j < chosen.count; j++)
	{
	  hits += chosen.items[j].hits;
	  if (j > 0 && j < chosen.own)
	    CHECK (chosen.items[j - 1].address < chosen.items[j].address);
	}
      CHECK_INT (hits, cases[i].count - left_out);
      tb_tracepoints_fini (&chosen);
      free (frames);
    }

  /* The shared one is at the first frame with registers.  */
  struct tb_choose_frame *frames = make_frames (3000, 3000, true);
  frames[0].bare = true;
  struct tb_tracepoints chosen;
  CHECK_INT (tb_choose_tracepoints (&chosen, frames, 3000), TB_OK);
  CHECK_INT (chosen.items[chosen.count - 1].address, frames[2].pc);
  tb_tracepoints_fini (&chosen);
  free (frames);
}

static void
test_ranges (void)
{
  static const struct
  {
    struct tb_range in[4], out[4];
    size_t nin, nout;
  } cases[] =
    {
      { { { 5, 9, 2 } }, { { 5, 9, 2 } }, 1, 1 },
      /* Touching, overlapping, contained.  */
      { { { 10, 19, 1 }, { 0, 9, 3 } }, { { 0, 19, 1 } }, 2, 1 },
      { { { 0, 12, 1 }, { 10, 19, 0 } }, { { 0, 19, 0 } }, 2, 1 },
      { { { 0, 30, 1 }, { 10, 19, 1 } }, { { 0, 30, 1 } }, 2, 1 },
      /* One byte between: two ranges, by priority.  */
      { { { 0, 8, 1 }, { 10, 19, 0 } }, { { 10, 19, 0 }, { 0, 8, 1 } }, 2, 2 },
      { { { 40, 49, 1 }, { 20, 29, 1 }, { 0, 9, 1 } },
	{ { 0, 9, 1 }, { 20, 29, 1 }, { 40, 49, 1 } }, 3, 3 },
      /* The ends of the address space do not touch.  */
      { { { MAX - 9, MAX, 1 }, { 0, 9, 2 } },
	{ { MAX - 9, MAX, 1 }, { 0, 9, 2 } }, 2, 2 },
      { { { MAX - 9, MAX, 1 }, { MAX, MAX, 0 }, { 3, 3, 1 } },
	{ { MAX - 9, MAX, 0 }, { 3, 3, 1 } }, 3, 2 },
      { { { 0, MAX, 1 }, { 5, 5, 0 }, { MAX, MAX, 3 } },
	{ { 0, MAX, 0 } }, 3, 1 }
    };
  struct tb_ranges ranges = { 0 };
  tb_ranges_merge (&ranges);
  CHECK_INT (ranges.count, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      tb_ranges_clear (&ranges);
      for (size_t j = 0; j < cases[i].nin; j++)
	CHECK (tb_ranges_add (&ranges, cases[i].in[j].first,
			      cases[i].in[j].last, cases[i].in[j].priority));
      tb_ranges_merge (&ranges);
      if (!CHECK_INT (ranges.count, cases[i].nout))
	continue;
      for (size_t j = 0; j < cases[i].nout; j++)
	{
	  CHECK_INT (ranges.items[j].first, cases[i].out[j].first);
	  CHECK_INT (ranges.items[j].last, cases[i].out[j].last);
	  CHECK_INT (ranges.items[j].priority, cases[i].out[j].priority);
	}
    }
  tb_ranges_fini (&ranges);
}

int
main (void)
{
  test_steps ();
  test_tracepoints ();
  test_ranges ();
  return check_done ();
}
