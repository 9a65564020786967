/* Definitions of tracepoints and state variables: the texts that GDB sends, and
   what it never would.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "frame/moment.h"
#include "frame/tracepoint.h"

/* A copy without anything behind it, so that reading on is found out.  */
static bool
read_with (bool (*reader) (struct tb_tracepoint_set *, const char *, size_t),
	   struct tb_tracepoint_set *set, const char *text)
{
  size_t length = strlen (text);
  char *copy = malloc (length + (length == 0));
  memcpy (copy, text, length);
  bool ok = reader (set, copy, length);
  free (copy);
  return ok;
}

/* What is to be sent to GDB of all of SET.  */
static const char *
written (const struct tb_tracepoint_set *set)
{
  static char text[2000];
  struct tb_buffer out = { 0 };
  for (size_t i = 0; i < set->count; i++)
    for (size_t j = 0; j < tb_tracepoint_pieces (&set->items[i]); j++)
      {
	tb_tracepoint_write (&out, &set->items[i], j);
	tb_buffer_append (&out, "|", 1);
      }
  snprintf (text, sizeof text, "%.*s", (int) out.size, (const char *) out.data);
  tb_buffer_fini (&out);
  return text;
}

static void
test_definitions (void)
{
  struct tb_tracepoint_set set;
  CHECK (tb_tracepoint_set_init (&set));
  /* Without a hole: GDB gives a user's variable the number behind as many as it was told
     of.  */
  for (size_t i = 0; i < set.nvariables; i++)
    CHECK_INT (set.variables[i].number, i + 1);
  static const char *const good[] = {
    "1:00000000000002e0:E:0:0-",
    "-1:00000000000002e0:R0200ffffM-1,20000000,4M2,fffffffffffffff8,10-",
    "-1:00000000000002e0:X00000003,220527SR03X00000002,0027M4,0,1",
    "2:0000000000000100:D:3:a:X5,2601230427",
    "2:0000000000000200:E:0:0:F4:S",
    "7fff:0:E:0:0"
  };
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    if (!CHECK (read_with (tb_tracepoint_read, &set, good[i])))
      fprintf (stderr, "  %s\n", good[i]);
  CHECK_INT (set.count, 4);
  const struct tb_tracepoint *t = tb_tracepoint_find (&set, 1, 0x2e0);
  if (CHECK (t != NULL) && CHECK_INT (t->nactions, 7))
    {
      static const struct { uint8_t kind; bool stepping; int base;
			    uint64_t offset, length; } rows[] = {
	{ TB_ACTION_REGISTERS, false, 0, 0, 0 },
	{ TB_ACTION_MEMORY, false, -1, 0x20000000, 4 },
	{ TB_ACTION_MEMORY, false, 2, (uint64_t) -8, 16 },
	{ TB_ACTION_EXPRESSION, false, 0, 0, 0 },
	{ TB_ACTION_REGISTERS, true, 0, 0, 0 },
	{ TB_ACTION_EXPRESSION, true, 0, 0, 0 },
	{ TB_ACTION_MEMORY, true, 4, 0, 1 }
      };
      for (size_t i = 0; i < 7; i++)
	{
	  CHECK_INT (t->actions[i].kind, rows[i].kind);
	  CHECK_INT (t->actions[i].stepping, rows[i].stepping);
	  CHECK_INT (t->actions[i].base, rows[i].base);
	  CHECK_INT (t->actions[i].offset, rows[i].offset);
	  CHECK_INT (t->actions[i].length, rows[i].length);
	}
      CHECK_INT (t->actions[3].expression.length, 3);
    }
  t = tb_tracepoint_find (&set, 2, 0x100);
  if (CHECK (t != NULL))
    {
      CHECK (!t->enabled);
      CHECK_INT (t->steps, 3);
      CHECK_INT (t->pass, 10);
      CHECK_INT (t->condition.length, 5);
      CHECK_INT (t->condition.code[1], 1);
    }
  CHECK (read_with (tb_tracepoint_read_source, &set, "1:2e0:at:0:5:2a3078323e"));
  CHECK (read_with (tb_tracepoint_read_source, &set, "1:2e0:cmd:0:4:6162"));
  CHECK (read_with (tb_tracepoint_read_source, &set, "1:2e0:cmd:2:4:6364"));
  CHECK (read_with (tb_tracepoint_read_source, &set, "2:100:cond:0:3:783d31"));
  CHECK_STR (written (&set),
	     "T1:2e0:E:0:0|Z1:2e0:at:0:5:2a3078323e|Z1:2e0:cmd:0:4:61626364|"
	     "T2:100:D:3:a:X5,2601230427|Z2:100:cond:0:3:783d31|"
	     "T2:200:E:0:0|T7fff:0:E:0:0|");

  static const char *const bad[] = {
    "", "1", "1:", "1:0", "1:0:", "1:0:E", "1:0:E:", "1:0:E:0", "1:0:E:0:",
    "1:0:X:0:0", "0:0:E:0:0", "8000:0:E:0:0", "g:0:E:0:0", "1:0:E:0:0:",
    "1:0:E:0:0:Q", "1:0:E:0:0:X", "1:0:E:0:0:X2", "1:0:E:0:0:X2,",
    "1:0:E:0:0:X2,22", "1:0:E:0:0:X2,22zz", "1:0:E:0:0:X1,22:X1,22",
    "1:0:E:0:0:Xffffffffffffffff,22", "1:0:E:0:0:F", "1:0:E:0:0-x",
    "1:10000000000000000:E:0:0", "1:2e0:E:0:0",	/* It is there.  */
    "-1:2e1:R1", "-1:2e0:Q", "-1:2e0:M", "-1:2e0:M1", "-1:2e0:M1,2",
    "-1:2e0:M1,2,", "-1:2e0:M-2,0,4", "-1:2e0:M10000,0,4", "-1:2e0:X4,22",
    "-1:2e0:--", "-2e0"
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (!CHECK (!read_with (tb_tracepoint_read, &set, bad[i])))
      fprintf (stderr, "  %s\n", bad[i]);
  static const char *const bad_sources[] = {
    "", "1:2e0", "1:2e0:at", "1:2e0:at:0", "1:2e0:at:0:", "1:2e0:at:0:4",
    "1:2e0:to:0:1:61", "1:2e0:at:0:1:6", "1:2e0:at:0:1:zz", "1:2e0:at:0:1:00",
    "3:2e0:at:0:1:61", "1:2e0:at:5:6:61"
  };
  for (size_t i = 0; i < sizeof bad_sources / sizeof bad_sources[0]; i++)
    if (!CHECK (!read_with (tb_tracepoint_read_source, &set, bad_sources[i])))
      fprintf (stderr, "  %s\n", bad_sources[i]);
  CHECK_INT (set.count, 4);
  tb_tracepoint_set_fini (&set);
}

static void
test_variables (void)
{
  struct tb_tracepoint_set set;
  CHECK (tb_tracepoint_set_init (&set));
  size_t own = set.nvariables;
  CHECK (own > 5);
  /* A new one; one of the program's under its number, under another; a number
     that is taken.  */
  CHECK (read_with (tb_trace_variable_read, &set, "63:ffffffffffffffff:0:6e"));
  CHECK (read_with (tb_trace_variable_read, &set, "1:0:0:73746570"));
  CHECK_INT (set.nvariables, own + 1);
  const struct tb_trace_variable *v = tb_trace_variable_find (&set, 0x63);
  if (CHECK (v != NULL))
    {
      CHECK_STR (v->name, "n");
      CHECK_INT (v->initial, UINT64_MAX);
      CHECK_INT (v->own, 0);
    }
  v = tb_trace_variable_named (&set, "step");
  CHECK (v != NULL && v->own == TB_VAR_STEP && v->number == 1);
  CHECK (read_with (tb_trace_variable_read, &set, "63:0:0:73746570"));
  v = tb_trace_variable_find (&set, 0x63);
  CHECK (v != NULL && v->own == TB_VAR_STEP);
  CHECK (tb_trace_variable_named (&set, "n") == NULL);
  CHECK (tb_trace_variable_find (&set, 1) == NULL);
  CHECK (read_with (tb_trace_variable_read, &set, "2:5:0:78"));
  v = tb_trace_variable_find (&set, 2);
  CHECK (v != NULL && v->own == 0 && strcmp (v->name, "x") == 0);
  static const char *const bad[] = {
    "", "1", "1:0", "1:0:0", "0:0:0:61", "1:0:0:6", "1:0:0:zz", "1:0:0:00",
    "ffffffff:0:0:61"
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (!CHECK (!read_with (tb_trace_variable_read, &set, bad[i])))
      fprintf (stderr, "  %s\n", bad[i]);
  tb_tracepoint_set_fini (&set);
}

/* There is an end to everything.  */
static void
test_limits (void)
{
  struct tb_tracepoint_set set = { 0 };
  char text[80];
  unsigned count = 0;
  for (unsigned i = 1; i < TB_TRACEPOINTS_MAX + 10; i++)
    {
      snprintf (text, sizeof text, "%x:%x:E:0:0", i % 32767, i);
      count += tb_tracepoint_read (&set, text, strlen (text));
    }
  CHECK_INT (count, TB_TRACEPOINTS_MAX);
  count = 0;
  for (unsigned i = 1; i < TB_TRACE_VARIABLES_MAX + 10; i++)
    {
      snprintf (text, sizeof text, "%x:0:0:%04x", i, 0x4141 + i);
      count += tb_trace_variable_read (&set, text, strlen (text));
    }
  CHECK (count <= TB_TRACE_VARIABLES_MAX && count > 900);
  size_t size = 30 + ((size_t) 1 << 21);
  char *large = malloc (size);
  memset (large, '2', size);
  memcpy (large, "-1:1:X00100000,", 15);
  for (count = 0; count < 40; count++)
    if (!tb_tracepoint_read (&set, large, 15 + ((size_t) 1 << 21)))
      break;
  CHECK (count > 10 && count < 17);
  CHECK (set.bytes <= TB_TRACEPOINT_BYTES_MAX);
  free (large);
  tb_tracepoint_set_fini (&set);
}

static void
test_noise (void)
{
  static const char *const words[] = {
    "1", "2e0", ":", ":", ":", "E", "D", "-", "X2,2227", "X", ",", "R", "M", "S",
    "ffffffffffffffff", "at", "cmd", "cond", "0", "61", "step", "F"
  };
  struct tb_tracepoint_set set;
  CHECK (tb_tracepoint_set_init (&set));
  uint32_t state = 7;
  unsigned taken = 0;
  for (unsigned n = 0; n < 50000; n++)
    {
      char text[400] = "";
      for (unsigned i = 0; i < 2 + n % 14; i++)
	{
	  state = state * 1664525 + 1013904223;
	  strcat (text, words[(state >> 24) % (sizeof words / sizeof words[0])]);
	}
      taken += read_with (tb_tracepoint_read, &set, text);
      taken += read_with (tb_tracepoint_read_source, &set, text);
      taken += read_with (tb_trace_variable_read, &set, text);
    }
  CHECK (taken != 0);
  tb_tracepoint_set_fini (&set);
}

int
main (void)
{
  test_definitions ();
  test_variables ();
  test_limits ();
  test_noise ();
  return check_done ();
}
