/* The FP and vector registers of a written Tarmac log.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of A64 they are V registers; what R lines show of one is as wide as what is known to
   the end, under one name from then on: common readers do not know that d0 is a part of
   V0.  Of A32 and T32 they are S registers, and D registers from d16 on.  */

#include "config.h"
#include "tarmac.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Steps are looked at from the end in blocks, until nothing is left to be found.  */
#define BLOCK 4096

/* S and D registers of A32.  */
enum { SINGLES = 32, DOUBLES = 16 };

/* What R lines of a V register may show: V, d or s.  */
enum { WIDTHS = 3 };
static const uint8_t widths[WIDTHS] = { 128, 64, 32 };

static bool
is_wide (const struct log_registers *r)
{
  return r->regs[0].bits == 64;
}

static size_t
units (const struct log_registers *r)
{
  return is_wide (r) ? 32 + 2 : SINGLES + DOUBLES + 1;
}

/* How many bits unit UNIT has.  */
static unsigned
bits_of (const struct log_registers *r, size_t unit)
{
  if (is_wide (r))
    return unit < 32 ? 128 : 32;
  return unit >= SINGLES && unit < SINGLES + DOUBLES ? 64 : 32;
}

/* All ones in HALF of what has BITS bits.  */
static uint64_t
whole (unsigned bits, unsigned half)
{
  return half == 1 ? (bits == 128 ? UINT64_MAX : 0)
	 : bits == 32 ? UINT32_MAX : UINT64_MAX;
}

/* Is the lowest BITS bits of V known?  */
static bool
is_known (const struct log_vector *v, unsigned bits)
{
  return (~v->mask[0] & whole (bits, 0)) == 0 && (~v->mask[1] & whole (bits, 1)) == 0;
}

/* What the lowest BITS bits of unit UNIT are called.  */
static const char *
name_of (const struct log_registers *r, size_t unit, unsigned bits, char room[16])
{
  bool wide = is_wide (r);
  if (unit + (wide ? 2 : 1) >= units (r))
    return !wide ? "fpscr" : unit == 32 ? "fpcr" : "fpsr";
  snprintf (room, 16, "%c%zu", bits == 128 ? 'V' : bits == 64 ? 'd' : 's',
	    wide || unit < SINGLES ? unit : unit - SINGLES + 16);
  return room;
}

/* May R lines show BITS bits of unit UNIT?  Names of parts are those of other registers on A32: s24
   is a half of d12, not of d24.  */
static bool
has_name (const struct log_registers *r, size_t unit, unsigned bits)
{
  return is_wide (r) ? bits <= bits_of (r, unit) : bits == bits_of (r, unit);
}

/* What is certain of each unit before STEP; false: nothing of any.  */
static bool
find (struct log_registers *r, uint64_t step, struct log_vector *now)
{
  struct tb_vector all[TB_NVECTORS];
  size_t n = units (r);
  memset (now, 0, n * sizeof *now);
  if (!tb_state_vectors (r->state, step, all))
    return false;
  for (size_t i = 0; i < n; i++)
    {
      bool single = !is_wide (r) && i < SINGLES;
      size_t reg = is_wide (r) ? i : single ? i / 2
		   : i < SINGLES + DOUBLES ? i - SINGLES + 16 : (size_t) TB_FPSCR;
      for (unsigned half = 0; half < 2; half++)
	{
	  const struct tb_value *v = &all[reg].half[half];
	  unsigned shift = single ? 32 * (i % 2) : 0;
	  uint64_t mask = v->origin == TB_UNKNOWN ? 0 : v->mask & ~v->assumed;
	  now[i].mask[half] = mask >> shift & whole (bits_of (r, i), half);
	  now[i].bits[half] = v->bits >> shift & now[i].mask[half];
	}
    }
  return true;
}

/* Look at steps FROM to TO - 1; the last one at which so much of each unit was not known
   goes into BAD (plus one; 0: not found yet).  What was found before stays.  Returns
   whether all is found.  */
static bool
look_at (struct log_registers *r, uint64_t from, uint64_t to,
	 uint64_t bad[LOG_VECTORS][WIDTHS])
{
  uint64_t found[LOG_VECTORS][WIDTHS] = { 0 };
  bool unknown[LOG_VECTORS][WIDTHS] = { { false } };
  struct tb_vectors_mark mark = { .valid = false };
  struct log_vector now[LOG_VECTORS];
  size_t n = units (r);
  bool all = true;
  for (uint64_t step = from; step < to; step++)
    {
      if (tb_state_vectors_same (r->state, step, &mark))
	continue;
      find (r, step, now);
      for (size_t i = 0; i < n; i++)
	for (unsigned w = 0; w < WIDTHS; w++)
	  {
	    /* It was not up to the step before.  */
	    if (unknown[i][w])
	      found[i][w] = step;
	    unknown[i][w] = !has_name (r, i, widths[w]) || !is_known (&now[i], widths[w]);
	  }
    }
  for (size_t i = 0; i < n; i++)
    for (unsigned w = 0; w < WIDTHS; w++)
      if (unknown[i][w])
	found[i][w] = to;
  for (size_t i = 0; i < n; i++)
    for (unsigned w = 0; w < WIDTHS; w++)
      {
	if (bad[i][w] == 0)
	  bad[i][w] = found[i][w];
	all &= bad[i][w] != 0;
      }
  return all;
}

void
log_vectors_look (struct log_registers *r, uint64_t from, uint64_t end)
{
  uint64_t bad[LOG_VECTORS][WIDTHS] = { 0 };
  size_t n = units (r);
  for (uint64_t at = end, begin; at > from; at = begin)
    {
      begin = at - from > BLOCK ? at - BLOCK : from;
      if (look_at (r, begin, at, bad))
	break;
    }
  for (size_t i = 0; i < n; i++)
    {
      r->vectors[i].told = 0;
      for (unsigned w = WIDTHS; w > 0; w--)
	if (bad[i][w - 1] < end)
	  {
	    r->vectors[i].told = widths[w - 1];
	    r->vectors[i].good = bad[i][w - 1];
	  }
    }
}

void
log_vectors_forget (struct log_registers *r)
{
  for (size_t i = 0; i < LOG_VECTORS; i++)
    {
      struct log_vector *v = &r->vectors[i];
      memset (v->bits, 0, sizeof v->bits);
      memset (v->mask, 0, sizeof v->mask);
    }
  r->vectors_shown = false;
  r->vectors_mark.valid = false;
}

/* The lowest BITS bits of the two halves VALUE.  */
static void
put_number (struct tb_buffer *text, const uint64_t value[2], unsigned bits)
{
  if (bits == 128)
    tb_buffer_printf (text, " %016" PRIx64, value[1]);
  else
    tb_buffer_append (text, " ", 1);
  tb_buffer_printf (text, "%0*" PRIx64, bits == 32 ? 8 : 16, value[0] & whole (bits, 0));
}

void
log_vectors_put (struct log_registers *r, uint64_t step, struct log_text *text)
{
  struct log_vector now[LOG_VECTORS];
  if (tb_state_vectors_same (r->state, step, &r->vectors_mark))
    {
      r->known += r->vectors_known;
      r->told += r->vectors_told;
      return;
    }
  r->vectors_known = r->vectors_told = 0;
  if (!find (r, step, now) && !r->vectors_shown)
    return;
  size_t n = units (r);
  r->vectors_shown = true;
  for (size_t i = 0; i < n; i++)
    {
      struct log_vector *was = &r->vectors[i];
      unsigned bits = bits_of (r, i);
      bool good = was->told != 0 && step >= was->good;
      /* Is there more than R lines tell?  */
      bool more = !good;
      for (unsigned half = 0; half < 2 && good; half++)
	more |= (now[i].mask[half] & ~whole (was->told, half)) != 0;
      bool known = is_known (&now[i], 32);
      r->vectors_known += known;
      r->vectors_told += known && !more;
      if (memcmp (now[i].bits, was->bits, sizeof was->bits) == 0
	  && memcmp (now[i].mask, was->mask, sizeof was->mask) == 0)
	continue;
      memcpy (was->bits, now[i].bits, sizeof was->bits);
      memcpy (was->mask, now[i].mask, sizeof was->mask);
      char room[16];
      if (good)
	{
	  log_begin (text);
	  tb_buffer_printf (&text->buffer, "R %s", name_of (r, i, was->told, room));
	  put_number (&text->buffer, now[i].bits, was->told);
	  tb_buffer_append (&text->buffer, "\n", 1);
	}
      if (!more)
	continue;
      log_begin (text);
      tb_buffer_printf (&text->buffer, "TB %s", name_of (r, i, bits, room));
      if ((now[i].mask[0] | now[i].mask[1]) == 0)
	tb_buffer_append (&text->buffer, " ?", 2);
      else
	{
	  put_number (&text->buffer, now[i].bits, bits);
	  put_number (&text->buffer, now[i].mask, bits);
	}
      tb_buffer_append (&text->buffer, "\n", 1);
    }
  r->known += r->vectors_known;
  r->told += r->vectors_told;
}
