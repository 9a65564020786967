/* ETMv3: what one packet tells of code in sequence is one element, wherever that
   code was come into before; listings have an element an instruction.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "v7-run.h"

#include "decode/element-stats.h"
#include "util/fnv.h"

#define START 0x100
#define HALVES 256

/* Every third instruction is of four bytes, the sixtieth is an IT instruction,
   the hundredth a branch.  */
static uint8_t code[2 * HALVES];
static uint64_t starts[HALVES];		/* Where instruction N is.  */
static unsigned ninstructions;

static void
put_half (unsigned *at, unsigned half)
{
  code[2 * *at] = (uint8_t) half;
  code[2 * *at + 1] = (uint8_t) (half >> 8);
  ++*at;
}

static void
make_code (void)
{
  for (unsigned at = 0; at + 2 < HALVES; ninstructions++)
    {
      starts[ninstructions] = START + 2 * at;
      if (ninstructions == 59)
	put_half (&at, 0xbf08);		/* it eq  */
      else if (ninstructions == 99)
	put_half (&at, 0xd0fe);		/* beq, to itself  */
      else if (ninstructions % 3 == 2)
	{
	  put_half (&at, 0xf3af);	/* nop.w  */
	  put_half (&at, 0x8000);
	}
      else
	put_half (&at, 0xbf00);		/* nop  */
    }
}

static const struct v7_unit unit =
  { "ETM3.5", "Cortex-M3", 0x400, 0x4114f250, 0x18541800,
    { code, sizeof code, START } };
static const struct v7_unit with_data =
  { "ETM3.5", "Cortex-M3", 0x40c, 0x4114f250, 0x18541800,
    { code, sizeof code, START } };

/* Append I-sync at instruction N, trace on, then the packets REST.  */
static void
from (char *trace, unsigned n, const char *rest)
{
  unsigned address = (unsigned) starts[n] | 1;
  sprintf (trace + strlen (trace), "0821%02x%02x0000 %s ", address & 0xff,
	   address >> 8, rest);
}

/* The ranges that TRACE makes behind its last I-sync; how many.  */
static size_t
ranges_of (const struct v7_unit *u, const char *trace,
	   struct tb_element *ranges)
{
  static struct tb_element all[256];
  size_t n = v7_elements (u, trace, all, sizeof all / sizeof all[0]);
  size_t count = 0;

  for (size_t i = 0; i < n; i++)
    if (all[i].kind == TB_ELEMENT_TRACE_ON)
      count = 0;
    else if (all[i].kind == TB_ELEMENT_RANGE)
      {
	all[i].index = 0;
	ranges[count++] = all[i];
      }
  return count;
}

/* The range E, whose first instruction is number N, has its COUNT instructions as its
   lines, each as a listing has it.  */
static void
check_lines (const struct tb_element *e, unsigned n, unsigned count,
	     bool last_passed)
{
  struct tb_element_stats stats = { .instructions = 0 };

  CHECK_INT (e->u.range.count, count);
  CHECK_INT (tb_element_lines (e), count);
  for (unsigned i = 0; i < count; i++)
    {
      struct tb_element line;
      tb_element_line (&line, e, i);
      CHECK_INT (tb_element_lines (&line), 1);
      CHECK_INT (line.u.range.start, starts[n + i]);
      CHECK_INT (line.u.range.end, starts[n + i + 1]);
      CHECK_INT (line.u.range.count, 1);
      CHECK_INT (line.last_size, starts[n + i + 1] - starts[n + i]);
      CHECK_INT (line.flags,
		 i + 1 < count || last_passed ? TB_RANGE_EXECUTED
		 : TB_RANGE_CONDITIONAL | TB_RANGE_UNMARKED);
    }
  tb_element_stats_add (&stats, e);
  CHECK_INT (stats.elements[TB_ELEMENT_RANGE], count);
  CHECK_INT (stats.instructions, count);
  CHECK_INT (stats.failed, last_passed ? 0 : 1);
}

/* "f0" is twelve that ran and one that did not, "bc" is fifteen that ran.  */
#define PACKETS "f0 bc bc bc bc 98"
#define ASYNC "000000000080 "

static void
check_runs (void)
{
  static struct tb_element first[64], other[64];
  char trace[512] = ASYNC;

  from (trace, 0, PACKETS);
  if (!CHECK_INT (ranges_of (&unit, trace, first), 6))
    return;
  check_lines (&first[0], 0, 13, false);
  for (unsigned i = 0; i < 4; i++)
    check_lines (&first[i + 1], 13 + 15 * i, 15, true);
  check_lines (&first[5], 73, 6, true);

  /* The same where others have led into the code before.  */
  for (unsigned n = 1; n < 60; n++)
    {
      char more[512] = ASYNC;
      from (more, n, "bc");
      from (more, n / 2, "84");
      from (more, 0, PACKETS);
      if (!CHECK_INT (ranges_of (&unit, more, other), 6))
	break;
      CHECK (memcmp (first, other, 6 * sizeof first[0]) == 0);
    }

  /* Data trace does not part them.  */
  CHECK_INT (ranges_of (&with_data, trace, other), 6);
  CHECK (memcmp (first, other, 6 * sizeof first[0]) == 0);
}

/* A branch, even one that was not taken, ends a run.  */
static void
check_ends (void)
{
  static struct tb_element e[64];
  char trace[512] = ASYNC;

  from (trace, 95, "a0");		/* Eight that ran.  */
  if (CHECK_INT (ranges_of (&unit, trace, e), 4))
    {
      CHECK_INT (e[0].u.range.count, 5);
      CHECK_INT (e[0].last_kind, TB_FLOW_BRANCH);
      CHECK_INT (e[1].u.range.start, starts[99]);
      CHECK_INT (e[3].u.range.count, 1);
    }
  strcpy (trace, ASYNC);
  from (trace, 95, "d0 90");		/* Four that ran, one that did not.  */
  if (CHECK_INT (ranges_of (&unit, trace, e), 2))
    {
      CHECK_INT (e[0].u.range.count, 5);
      CHECK_INT (e[0].flags & TB_RANGE_EXECUTED, 0);
      check_lines (&e[1], 100, 4, true);
    }
}

/* The sum of a listing is that of its lines.  */
static void
check_sum (void)
{
  static struct tb_element e[64];
  char trace[512] = ASYNC;
  struct tb_element_sum sum = TB_ELEMENT_SUM_START;
  struct tb_buffer text = { 0 };

  from (trace, 0, "bc");
  if (!CHECK_INT (ranges_of (&unit, trace, e), 1))
    return;
  uint64_t hash = TB_FNV_START;
  for (unsigned i = 0; i < 15; i++)
    hash = tb_fnv_u64 (hash, starts[i]);
  struct run run;
  CHECK (v7_run_init (&run, &unit, code, 1));
  struct tb_decoder *d = tb_decoder_open (&run.config, NULL);
  if (CHECK (d != NULL))
    {
      tb_element_sum_add (&sum, &e[0], d->follow);
      CHECK_INT (sum.ranges, 15);
      CHECK_INT (sum.instructions, 15);
      CHECK (sum.pc_hash == hash);
      d->close (d);
    }
  run_fini (&run);
  tb_element_text (&text, &e[0]);
  unsigned lines = 0;
  for (size_t i = 0; i < text.size; i++)
    lines += text.data[i] == '\n';
  CHECK_INT (lines, 15);
  tb_buffer_fini (&text);
}

int
main (void)
{
  make_code ();
  check_runs ();
  check_ends ();
  check_sum ();
  return check_done ();
}
