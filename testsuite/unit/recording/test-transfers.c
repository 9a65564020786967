/* What a recording has of data trace: tied to steps, in whatever window it came, and
   the same through an index and with threads.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <unistd.h>

#include "v7-run.h"

#include "recording/recording.h"

/* At 0x200: ldr r0,[r1]; push {r4,r5}; b 200.  */
static const uint8_t code[] = { 0x08, 0x68, 0x30, 0xb4, 0xfc, 0xe7 };

static const struct v7_unit unit = { "ETM3.5", "Cortex-M3", 0x40c, 0x4114f250,
				     0x18541800, { code, sizeof code, 0x200 } };

#define ROUNDS 60000
#define STEPS (3 * ROUNDS)

static uint32_t
load_address (uint32_t round)
{
  return 0x20000000 + 4 * (round % 5000);
}

static uint32_t
load_value (uint32_t round)
{
  return round * 0x01000193u | 0x01010101u;
}

/* How many rounds later the value comes; 0: in order, 4: never, too late.  */
static unsigned
delay (uint32_t round)
{
  static const unsigned delays[] = { 0, 1, 3, 200, 400 };
  unsigned i = round % 1000 == 507 ? 3 : round % 1000 == 57 ? 4 : round % 3;
  return delays[i];
}

static void
put32 (struct tb_buffer *b, uint32_t value)
{
  uint8_t bytes[4];
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t) (value >> 8 * i);
  tb_buffer_append (b, bytes, 4);
}

static void
put_full_address (struct tb_buffer *b, uint32_t address)
{
  uint8_t bytes[5];
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t) (0x80 | address >> 7 * i);
  bytes[4] = (uint8_t) (address >> 28);
  tb_buffer_append (b, bytes, 5);
}

/* By how late they are; of each tag one waits at a time.  */
static unsigned
tag_of (uint32_t round)
{
  return delay (round) <= 1 ? 1 : delay (round) == 3 ? 2 : 3;
}

static void
put_late (struct tb_buffer *b, uint32_t round)
{
  static const unsigned delays[] = { 1, 3, 200, 400 };
  for (unsigned i = 0; i < 4; i++)
    if (round >= delays[i] && delay (round - delays[i]) == delays[i])
      {
	tb_buffer_printf (b, "%c", tag_of (round - delays[i]) << 5 | 3 << 2);
	put32 (b, load_value (round - delays[i]));
      }
}

static void
make_trace (struct tb_buffer *b)
{
  static const uint8_t start[] = { 0, 0, 0, 0, 0, 0x80, 0x08, 0x21, 1, 2, 0, 0 };
  for (uint32_t i = 0; i < ROUNDS; i++)
    {
      if (i == 0)
	tb_buffer_append (b, start, sizeof start);
      put_late (b, i);
      tb_buffer_append (b, "\x84", 1);
      if (delay (i) == 0)
	{
	  tb_buffer_append (b, "\x2e", 1);
	  put_full_address (b, load_address (i));
	  put32 (b, load_value (i));
	}
      else
	{
	  tb_buffer_printf (b, "%c", 0x70 | tag_of (i) << 2);
	  put_full_address (b, load_address (i));
	}
      /* push: two words.  */
      tb_buffer_append (b, "\x84\x26", 2);
      put_full_address (b, 0x20010000 - 8 * i);
      tb_buffer_append (b, "\x55\x06\x66", 3);
      tb_buffer_append (b, "\x84", 1);
    }
}

/* It came before the end, and not too late.  */
static bool
has_value (uint32_t round)
{
  return 3 * delay (round) <= TB_TRANSFER_LATE
	 && round + delay (round) < ROUNDS;
}

/* What is told of the step number STEP.  */
static void
check_step (const struct tb_transfer *t, size_t n, uint64_t step)
{
  uint32_t round = (uint32_t) (step / 3);
  if (step % 3 == 2)
    {
      CHECK_INT (n, 0);
      return;
    }
  if (!CHECK_INT (n, step % 3 == 1 ? 2 : 1))
    return;
  for (size_t i = 0; i < n; i++)
    {
      uint32_t address = step % 3 == 0 ? load_address (round)
				       : 0x20010000 - 8 * round + 4 * (uint32_t) i;
      uint32_t value = step % 3 == 0 ? load_value (round) : i ? 0x66 : 0x55;
      bool known = step % 3 == 1 || has_value (round);
      CHECK_INT (t[i].part, i);
      CHECK_INT (t[i].by, TB_BY_STEP);
      CHECK_INT (t[i].address_bits, 32);
      CHECK_INT (t[i].address, address);
      CHECK_INT (t[i].has_value, known);
      if (known)
	CHECK_INT (t[i].value, value);
    }
}

/* All steps, SIZE at a time.  */
static void
check_all (struct tb_recording *r, uint64_t size)
{
  if (!CHECK_INT (tb_recording_steps (r), STEPS))
    return;
  for (uint64_t first = 0; first < STEPS; first += size)
    {
      struct tb_transfer *t;
      size_t count, at = 0;
      uint64_t end = first + size < STEPS ? first + size : STEPS;
      if (!CHECK (tb_recording_transfers (r, first, end, &t, &count)))
	return;
      for (uint64_t step = first; step < end; step++)
	{
	  size_t n = 0;
	  while (at + n < count && t[at + n].step == step)
	    n++;
	  check_step (t + at, n, step);
	  at += n;
	}
      CHECK_INT (at, count);
      free (t);
    }
}

static char directory[] = "/tmp/test-transfers-XXXXXX";

/* The first opening makes an index, the second uses it.  */
static void
check_index (const struct run *run)
{
  char file[sizeof directory + 10], command[sizeof directory + 20];
  if (!CHECK (mkdtemp (directory) != NULL))
    return;
  snprintf (file, sizeof file, "%s/index", directory);
  const struct tb_index_options index = { .cache = directory, .file = file };
  const struct tb_recording_options options = { .jobs = 1, .index = &index };
  for (unsigned i = 0; i < 2; i++)
    {
      struct tb_recording *r = tb_recording_open_trace (&run->config, &options,
							NULL);
      if (!CHECK (r != NULL))
	return;
      CHECK_INT (tb_recording_indexed (r), i);
      check_all (r, 5000);
      CHECK_INT (tb_recording_indexed (r), i);
      tb_recording_close (r);
    }
  snprintf (command, sizeof command, "rm -r '%s'", directory);
  CHECK_INT (system (command), 0);
}

/* An interrupt, which another one preempts before its first instruction: each with its frame; a
   value of the first that comes late is the first's.  */
static void
check_exceptions (void)
{
  static const uint8_t start[] = { 0, 0, 0, 0, 0, 0x80, 0x08, 0x21, 1, 2, 0, 0 };
  /* The step at 0x200; to 0x200 by exception 8, and its frame; so by 15.  */
  static const uint8_t step[] = { 0x84 }, first[] = { 0x81, 0x44, 0x11, 0x7e },
    second[] = { 0x81, 0x44, 0x1f, 0x7e }, late[] = { 1 << 5 | 3 << 2 };
  struct tb_buffer trace = { 0 };
  struct run run;
  tb_buffer_append (&trace, start, sizeof start);
  tb_buffer_append (&trace, step, 1);
  for (uint32_t i = 0; i < 16; i++)
    {
      if (i % 8 == 0)
	tb_buffer_append (&trace, i == 0 ? first : second, 4);
      tb_buffer_append (&trace, i == 3 ? "\x74" : "\x2e", 1);
      put_full_address (&trace, 0x20000100 - 32 * (i / 8) + 4 * (i % 8));
      if (i != 3)
	put32 (&trace, 0x1000 + i);
    }
  tb_buffer_append (&trace, late, 1);
  put32 (&trace, 0x1003);
  tb_buffer_append (&trace, step, 1);
  if (!v7_run_init (&run, &unit, trace.data, trace.size))
    return;
  const struct tb_recording_options options = { .jobs = 1 };
  struct tb_recording *r = tb_recording_open_trace (&run.config, &options, NULL);
  struct tb_transfer *t = NULL;
  size_t count = 0;
  if (CHECK (r != NULL) && CHECK (tb_recording_transfers (r, 0, 2, &t, &count))
      && CHECK_INT (count, 16))
    for (uint32_t i = 0; i < 16; i++)
      {
	CHECK_INT (t[i].step, 1);
	CHECK_INT (t[i].by, TB_BY_ENTRY);
	CHECK_INT (t[i].entry, i / 8);
	CHECK_INT (t[i].part, i % 8);
	CHECK_INT (t[i].address, 0x20000100 - 32 * (i / 8) + 4 * (i % 8));
	CHECK_INT (t[i].value, 0x1000 + i);
	CHECK (!t[i].relative);
	CHECK (i == 3 ? t[i].late_index > t[15].index : t[i].late_index == t[i].index);
      }
  free (t);
  tb_recording_close (r);
  run_fini (&run);
  tb_buffer_fini (&trace);
}

int
main (void)
{
  struct tb_buffer trace = { 0 };
  struct run run;
  make_trace (&trace);
  if (!v7_run_init (&run, &unit, trace.data, trace.size))
    return check_done ();
  for (unsigned jobs = 1; jobs <= 3; jobs += 2)
    {
      const struct tb_recording_options options = { .jobs = jobs };
      struct tb_recording *r = tb_recording_open_trace (&run.config, &options,
							NULL);
      if (CHECK (r != NULL))
	{
	  CHECK (tb_recording_windows (r) > 3);
	  check_all (r, STEPS);
	  check_all (r, 5000);
	  check_all (r, 997);
	  tb_recording_close (r);
	}
    }
  check_index (&run);
  check_exceptions ();
  run_fini (&run);
  tb_buffer_fini (&trace);
  return check_done ();
}
