/* What the DWT alone tells of a run.  See sparse.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/sparse.h"

#include <stdlib.h>

#include "recording/level-names.h"

/* Exceptions interrupt each other no deeper: there are as many numbers.  */
#define OPEN_MOST 512

struct sparse_maker
{
  struct tb_sparse *to;
  struct tb_sparse_span open[OPEN_MOST];
  unsigned nopen;
  uint64_t since;		/* Place of the last exception packet or break: no
				   span that is closed goes beyond it.  */
  uint64_t last;		/* The place that was reached.  */
  size_t item;			/* What is taken, of the software's.  */
  size_t opened;		/* How many began.  */
  bool late;			/* What is taken may have been before its place; or ...  */
  bool early;			/* ... behind it.  */
  bool failed;
};

static void
close_last (struct sparse_maker *m, uint64_t place, bool left)
{
  struct tb_sparse *s = m->to;
  struct tb_sparse_span *span = &m->open[--m->nopen];
  span->end = place;
  span->left = left;
  span->exit = m->item;
  span->left_late = left && m->late;
  span->left_early = left && m->early;
  if (!TB_GROW (s->spans, s->span_capacity, s->nspans, 1))
    {
      m->failed = true;
      return;
    }
  s->spans[s->nspans++] = *span;
}

static void
open_one (struct sparse_maker *m, unsigned number, uint64_t place, bool entered)
{
  if (m->nopen == OPEN_MOST)
    close_last (m, place, false);
  m->open[m->nopen] = (struct tb_sparse_span) {
    .begin = place, .depth = m->nopen, .number = (uint16_t) number,
    .entered = entered, .entered_late = entered && m->late,
    .entered_early = entered && m->early, .entry = m->item, .turn = m->opened++ };
  m->nopen++;
}

static bool
is_open (const struct sparse_maker *m, unsigned number)
{
  for (unsigned i = 0; i < m->nopen; i++)
    if (m->open[i].number == number)
      return true;
  return false;
}

/* What ran until now is exception NUMBER, or no exception (0): those that would have
   interrupted it are over.  If it is not open, nobody told when it began; it ran since the
   last packet, and what was open then is not known to have gone on.  */
static void
settle_on (struct sparse_maker *m, unsigned number, uint64_t place)
{
  bool known = number == 0 || is_open (m, number);
  while (m->nopen > 0 && (!known || m->open[m->nopen - 1].number != number))
    close_last (m, known ? place : m->since, false);
  if (!known)
    open_one (m, number, m->since, false);
}

static void
take_exception (struct sparse_maker *m, const struct tb_said *said, uint64_t place)
{
  unsigned number = said->value & TB_DWT_EXCEPTION_NUMBER;
  switch ((enum tb_dwt_action) (said->value >> 12 & 3))
    {
    case TB_DWT_ENTER:
      open_one (m, number, place, true);
      break;
    case TB_DWT_EXIT:
      settle_on (m, number, place);
      if (m->nopen > 0)
	close_last (m, place, true);
      break;
    case TB_DWT_RETURN:
      settle_on (m, number, place);
      break;
    default:
      break;
    }
  m->since = place;
}

static void
take_sample (struct sparse_maker *m, const struct tb_said *said, uint64_t place)
{
  struct tb_sparse *s = m->to;
  if (!TB_GROW (s->samples, s->sample_capacity, s->nsamples, 1))
    {
      m->failed = true;
      return;
    }
  s->samples[s->nsamples++] = (struct tb_sparse_sample) {
    .place = place, .pc = said->value, .kind = said->dwt };
}

/* Nothing that was open is known to go on.  */
static void
take_break (struct sparse_maker *m, uint64_t place)
{
  struct tb_sparse *s = m->to;
  while (m->nopen > 0)
    close_last (m, m->last, false);
  m->since = place;
  if (!TB_GROW (s->breaks, s->break_capacity, s->nbreaks, 1))
    {
      m->failed = true;
      return;
    }
  s->breaks[s->nbreaks++] = place;
}

static void
take (struct sparse_maker *m, const struct tb_said *said, uint64_t place)
{
  switch ((enum tb_dwt) said->dwt)
    {
    case TB_DWT_EVENTS:
      for (unsigned i = 0; i < TB_SPARSE_COUNTERS; i++)
	m->to->wraps[i] += said->value >> i & 1;
      break;
    case TB_DWT_EXCEPTION:
      take_exception (m, said, place);
      break;
    case TB_DWT_PC_SAMPLE:
    case TB_DWT_SLEEP:
    case TB_DWT_PROHIBITED:
      take_sample (m, said, place);
      break;
    case TB_DWT_DATA_PC:
    case TB_DWT_DATA_ADDRESS:
    case TB_DWT_DATA_MATCH:
    case TB_DWT_DATA_READ:
    case TB_DWT_DATA_WRITE:
      m->to->matches++;
      break;
    default:
      break;
    }
}

/* Is something lost before SAID, or there?  */
static bool
is_break (const struct tb_said *said)
{
  return said->flags & TB_SAID_LOST || said->kind == TB_SAID_NO_SYNC
	 || said->kind == TB_SAID_BAD;
}

/* Has all that the DWT said a local time, or else, if it said nothing, all that software did?  */
static bool
has_ticks (const struct tb_software *software)
{
  bool any = false, all = software->count > 0;
  for (size_t i = 0; i < software->count; i++)
    {
      const struct tb_said *said = &software->items[i];
      if (said->kind == TB_SAID_DWT && !(said->flags & TB_SAID_LOCAL))
	return false;
      any |= said->kind == TB_SAID_DWT;
      all &= (said->flags & TB_SAID_LOCAL) != 0;
    }
  return any || all;
}

/* Has all that the DWT said a time of the system?  */
static bool
has_times (const struct tb_software *software)
{
  bool any = false;
  for (size_t i = 0; i < software->count; i++)
    {
      const struct tb_said *said = &software->items[i];
      if (said->kind != TB_SAID_DWT)
	continue;
      if (!(said->flags & (TB_SAID_EARLIEST | TB_SAID_LATEST)))
	return false;
      any = true;
    }
  return any && tb_software_has_time (software);
}

bool
tb_sparse_make (struct tb_sparse *sparse, const struct tb_software *software, bool in_time)
{
  *sparse = (struct tb_sparse) { .in_time = in_time && has_times (software) };
  sparse->in_ticks = !sparse->in_time && has_ticks (software);
  struct sparse_maker *m = calloc (1, sizeof *m);
  uint64_t base = 0, before = 0;
  sparse->places = calloc (software->count + 1, sizeof *sparse->places);
  if (m == NULL || sparse->places == NULL)
    {
      free (m);
      tb_sparse_fini (sparse);
      return false;
    }
  m->to = sparse;
  for (size_t i = 0; i < software->count && !m->failed; i++)
    {
      const struct tb_said *said = &software->items[i];
      uint64_t place = i;
      m->item = i;
      if (sparse->in_time)
	{
	  struct tb_when when = tb_said_time (said);
	  place = when.to ? when.latest : when.from ? when.earliest : before;
	  place = before = place > before ? place : before;
	  m->early = !when.to;
	  m->late = when.to && (!when.from || when.earliest != when.latest);
	}
      else if (sparse->in_ticks)
	{
	  /* The clock starts anew where something was lost.  */
	  bool timed = said->flags & TB_SAID_LOCAL;
	  if (is_break (said))
	    {
	      base = m->last;
	      before = 0;
	    }
	  if (timed && said->local > before)
	    before = said->local;
	  place = base + before;
	  m->late = said->flags & TB_SAID_LATE;
	}
      if (is_break (said))
	take_break (m, place);
      if (said->kind == TB_SAID_DWT)
	take (m, said, place);
      m->last = sparse->places[i] = place;
    }
  while (m->nopen > 0 && !m->failed)
    close_last (m, m->last, false);
  sparse->length = software->count > 0 ? m->last + 1 : 0;
  bool ok = !m->failed;
  free (m);
  if (!ok)
    tb_sparse_fini (sparse);
  return ok;
}

void
tb_sparse_fini (struct tb_sparse *sparse)
{
  free (sparse->spans);
  free (sparse->samples);
  free (sparse->breaks);
  free (sparse->places);
  *sparse = (struct tb_sparse) { .length = 0 };
}

void
tb_sparse_put_name (struct tb_buffer *text, unsigned number)
{
  static const struct tb_profile m_profile = { .is_m = true };
  if (!tb_exception_put_name (text, number, 0, &m_profile))
    tb_buffer_printf (text, "exception %u", number);
}

static const char *
end_text (bool told, bool late, bool early)
{
  return !told ? "not told" : late ? "then or before" : early ? "then or later" : "then";
}

const char *
tb_sparse_entry_text (const struct tb_sparse_span *span)
{
  return end_text (span->entered, span->entered_late, span->entered_early);
}

const char *
tb_sparse_exit_text (const struct tb_sparse_span *span)
{
  return end_text (span->left, span->left_late, span->left_early);
}
