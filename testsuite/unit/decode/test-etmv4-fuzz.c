/* The ETMv4 decoder on damaged trace: bytes are changed, taken out and cut off
   at random places (always the same).  It must not read or write where it
   should not (run it with sanitizers), must come to the end, must deliver the
   same however it is read, and must be right again soon: what is damaged may
   swallow the start of the next section, but not that of the one after it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "etmv4-run.h"

/* A loop with calls and a return, at 0x400000.  */
static const uint32_t words[] =
{
  0xd503201f,		/* 00	nop  */
  0x94000004,		/* 04	bl 14  */
  0x54ffffc1,		/* 08	b.ne 00  */
  0xd63f0020,		/* 0c	blr x1  */
  0x17fffffc,		/* 10	b 00  */
  0xd503201f,		/* 14	nop  */
  0xd65f03c0,		/* 18	ret  */
};

static uint8_t code[sizeof words];

static const struct run_unit units[] =
{
  { "ETM4", "Cortex-A57", 0x1001, 0x28000ea1, 0x4100f401, 0x488, 0, 0,
    { code, sizeof code, 0x400000 } },
  { "ETM4", "Cortex-A57", 0x8d1, 0x08000ea1, 0x4100f401, 0x488, 12, 0,
    { code, sizeof code, 0x400000 } },
  { "ETM4.2", "Cortex-M33", 0x1701, 0x28018ee1, 0x4100f461, 0x488, 0, 0,
    { code, sizeof code, 0x400000 } },
  { "ETE", "ARM-AA64", 0x1001, 0x2801cea1, 0x4100fff0, 0xd0001088, 4,
    0x47735a13, { code, sizeof code, 0x400000 } },
};

/* A section: synchronisation, then what such a trace may be made of.  */
static const uint8_t section[] =
{
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x09, 0x01, 0x04,
  0x04, 0x82, 0x00, 0x00, 0x40, 0x00, 0x31,
  0xff, 0xdb, 0xf7, 0x95, 0x05, 0xf7, 0xf6, 0xf6, 0x02, 0x85, 0x01, 0x90, 0xd9,
  0x06, 0x1d, 0x95, 0x06, 0x9a, 0x05, 0x00, 0x40, 0x00, 0xf7, 0x07, 0x95, 0x02,
  0x71, 0xf6, 0x2d, 0x02, 0x0e, 0x02, 0x05, 0xc1, 0xe3, 0x81, 0xf1, 0x01, 0x02,
  0x03, 0x04, 0x05, 0x2e, 0x01, 0xf7, 0x30, 0x9d, 0, 0, 0x40, 0, 0, 0, 0, 0,
  0xdb, 0x91, 0xfa
};

/* A section without damage; of two of them the second must be decoded right.  */
static const uint8_t last_section[] =
{
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x00,
  0x04, 0x82, 0x00, 0x00, 0x40, 0x00, 0x31, 0xf7, 0xf7, 0xf7, 0xf7,
  0x95, 0x00, 0xf7, 0xf7, 0x95, 0x00, 0xf7, 0xf7, 0x95, 0x00, 0xf7, 0xf7,
  0x95, 0x00, 0xf7, 0xf7, 0x95, 0x00, 0xf7, 0xf7, 0x95, 0x00, 0xf7, 0xf7
};

#define SECTIONS 4
#define WHOLE_SECTIONS 2
#define ROUNDS 400

static uint32_t seed = 4711;

static unsigned
random_below (unsigned limit)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % limit;
}

/* Damage the SIZE bytes at BYTES; returns the new size.  */
static size_t
damage (uint8_t *bytes, size_t size)
{
  for (unsigned n = 1 + random_below (8); n > 0; n--)
    {
      size_t at = random_below (size), length = 1 + random_below (20);
      if (length > size - at)
	length = size - at;
      switch (random_below (4))
	{
	case 0:
	  bytes[at] ^= 1 << random_below (8);
	  break;
	case 1:
	  for (size_t i = at; i < at + length; i++)
	    bytes[i] = (uint8_t) random_below (256);
	  break;
	case 2:
	  memset (bytes + at, random_below (2) ? 0 : 0x80, length);
	  break;
	default:
	  memmove (bytes + at, bytes + at + length, size - at - length);
	  size -= length;
	  if (size == 0)
	    return 0;
	}
    }
  return size;
}

/* Text from the start of its last SIZE bytes on.  */
static bool
ends_like (const struct tb_buffer *text, const struct tb_buffer *end)
{
  return text->size >= end->size
	 && memcmp (text->data + text->size - end->size, end->data,
		    end->size) == 0;
}

static void
test_unit (const struct run_unit *unit)
{
  static const struct run_reading readings[] = {
    { 4096, false }, { 1, false }, { 7, false }, { 3, true }
  };
  struct tb_buffer want = { 0 };
  struct run run;

  /* What the last section gives, from its first range on.  */
  if (run_init (&run, unit, last_section, sizeof last_section))
    run_decode (&run, readings[0], &want, NULL);
  run_fini (&run);
  const char *range = strstr ((const char *) want.data, "R ");
  if (!CHECK (range != NULL))
    return;
  struct tb_buffer end = { .data = (uint8_t *) range };
  end.size = want.data + want.size - end.data;

  for (int round = 0; round < ROUNDS; round++)
    {
      struct tb_buffer first = { 0 };
      uint8_t *trace = malloc (SECTIONS * sizeof section
			       + WHOLE_SECTIONS * sizeof last_section);
      if (!CHECK (trace != NULL))
	return;
      size_t size = 0;
      for (int i = 0; i < SECTIONS; i++, size += sizeof section)
	memcpy (trace + size, section, sizeof section);
      size = damage (trace, size);
      /* Where elements wait for a commit, their number stays wrong.  */
      bool whole = round % 2 == 0 && unit->idr8 == 0;
      if (whole)
	for (int i = 0; i < WHOLE_SECTIONS; i++, size += sizeof last_section)
	  memcpy (trace + size, last_section, sizeof last_section);
      trace = realloc (trace, size > 0 ? size : 1);
      if (run_init (&run, unit, trace, size))
	for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++)
	  {
	    struct tb_buffer text = { 0 };
	    struct tb_decoder_stats stats;
	    run_decode (&run, readings[i], &text, &stats);
	    CHECK_INT (stats.bytes, size);
	    if (i == 0)
	      {
		first = text;
		if (whole && !CHECK (ends_like (&text, &end)))
		  fprintf (stderr, "round %d: %s\n", round, text.data);
		continue;
	      }
	    CHECK (text.size == first.size
		   && memcmp (text.data, first.data, text.size) == 0);
	    tb_buffer_fini (&text);
	  }
      run_fini (&run);
      tb_buffer_fini (&first);
      free (trace);
    }
  tb_buffer_fini (&want);
}

int
main (void)
{
  for (size_t i = 0; i < sizeof code; i++)
    code[i] = (uint8_t) (words[i / 4] >> 8 * (i % 4));
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    test_unit (&units[i]);
  return check_done ();
}
