/* Passes over what software and the DWT said.  See software.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The first pass finds what an item must wait for, and which channels are text; the next ones give
   each item as soon as nothing of it can change.  Where there is no room, both begin anew, and
   trace ends for them at the item that had none.  */

#include "config.h"
#include "recording/software.h"

#include <stdlib.h>

#include "recording/software-lines.h"

/* Bytes that no stream's items and text are more than: places in the text have 32 bits.  */
#define MOST (UINT32_MAX - ((uint64_t) 1 << 24))

struct tb_software_plan
{
  struct tb_software *to;
  struct tb_decoder *decoder;
  void *start;			/* Of DECODER, as it was saved.  */
  struct tb_said_ahead ahead;
  struct tb_said_lines lines;
  uint64_t rate;		/* Of the local clock.  */
  uint64_t limit;		/* So many packets' items are taken.  */
  /* Of the pass that runs.  */
  tb_said_take *take;
  void *context;
  uint64_t reached;		/* Time of what was said last ...  */
  bool goes_back;		/* ... and whether some time is before one that was told, or
				   said, before it.  */
  bool stated;			/* The stream states a frequency.  */
};

/* SAID, of the first pass, may state how fast the clock is that times are of.  */
static void
note_frequency (struct tb_software_plan *p, const struct tb_said *said)
{
  struct tb_software *s = p->to;
  if (said->kind != TB_SAID_FREQUENCY || said->value == 0 || s->rate_told)
    return;
  s->several_rates |= p->stated && s->frequency != said->value;
  p->stated = true;
  s->frequency = said->value;
}

static void
settle_clock (const struct tb_software_plan *p)
{
  struct tb_software *s = p->to;
  /* A counter that was set to another rate is still the one that all have; where it is not
     known how fast it is, its ticks have an order.  */
  s->foreign = s->several_rates ? s->system_rate != 0 : s->frequency != s->system_rate;
  if (s->several_rates)
    s->frequency = 0;
}

/* SAID is the next one: give it away.  */
static bool
hand_over (void *context, const struct tb_said *said, const void *text)
{
  struct tb_software_plan *p = context;
  struct tb_software *s = p->to;
  struct tb_when when = tb_said_time (said);
  s->said++;
  s->timed |= when.from || when.to;
  s->local |= (said->flags & TB_SAID_LOCAL) != 0;
  p->goes_back |= (when.from && when.earliest < p->reached)
		  || (when.to && when.latest < p->reached);
  if (when.from)
    p->reached = when.earliest;
  return p->take == NULL || p->take (p->context, said, text);
}

/* Is there no room for more than P and R have?  */
static bool
is_full (const struct tb_software_plan *p, const struct tb_software_reader *r)
{
  const struct tb_software *s = p->to;
  const struct tb_said_lines *l = &p->lines;
  /* While a table grows there are the old one and the new one.  */
  uint64_t table = l->size * sizeof *l->channels * (2 * l->used < l->size ? 1 : 3);
  uint64_t taken = tb_software_taken (r) + s->count * sizeof *s->items + s->text.size
		   + l->begun + p->ahead.bits.capacity + table;
  return taken > (s->memory != 0 && s->memory < MOST ? s->memory : MOST);
}

/* Give those items of R away that change no more; END: all.  */
static void
give_settled (struct tb_software_plan *p, struct tb_software_reader *r, bool end)
{
  uint64_t settled = tb_software_settled (r, end);
  for (uint64_t i = r->settled; i < settled && !p->lines.failed; i++)
    {
      const struct tb_said *said = tb_software_item (r, i);
      if (r->survey)
	note_frequency (p, said);
      tb_said_join (&p->lines, i, said, said->length != 0 ? r->text.data + said->text : NULL);
    }
  if (settled > r->settled)
    tb_software_drop (r, settled);
}

/* Take E.  False: nothing more is to be taken.  */
static bool
take (struct tb_software_plan *p, struct tb_software_reader *r, const struct tb_element *e)
{
  uint64_t before = r->count;
  if (p->limit == UINT64_MAX && is_full (p, r))
    {
      p->to->cut = true;
      p->to->cut_at = e->index;
      p->limit = before;
      return false;
    }
  tb_software_take (r, e);
  if (r->count > p->limit)
    {
      r->count = before;
      return false;
    }
  give_settled (p, r, false);
  return !p->lines.failed && !r->failed && !r->text.failed;
}

/* One pass.  False: no memory, STOPPED, or TAKE said so.  */
static bool
pass (struct tb_software_plan *p, bool survey)
{
  struct tb_software *s = p->to;
  struct tb_software_reader r = {
    .clock = { .local = p->rate, .system = s->system_rate }, .ahead = &p->ahead, .survey = survey
  };
  struct tb_element some[256];
  size_t n;
  p->decoder->restore (p->decoder, p->start);
  p->lines.survey = survey;
  p->reached = s->said = s->count = s->text.size = 0;
  s->timed = s->local = s->stopped = false;
  p->goes_back = p->ahead.goes_back;
  for (bool on = true; on && (n = p->decoder->read (p->decoder, some,
						     sizeof some / sizeof some[0])) > 0;)
    {
      s->stopped = s->go_on != NULL && !s->go_on (s->context);
      on = !s->stopped;
      for (size_t i = 0; i < n && on; i++)
	on = take (p, &r, &some[i]);
    }
  if (!s->stopped)
    give_settled (p, &r, true);
  bool ok = !s->stopped && !p->lines.failed && !r.failed && !r.text.failed;
  s->narrowed = r.clock.narrowed;
  if (!survey)
    {
      s->contradicted |= r.clock.contradicted;
      s->goes_back = p->goes_back;
    }
  tb_software_reader_fini (&r);
  return ok;
}

/* The first pass, to LIMIT.  */
static bool
look_ahead (struct tb_software_plan *p)
{
  tb_said_lines_fini (&p->lines);
  free (p->ahead.bits.bytes);
  p->ahead = (struct tb_said_ahead) { .last_local = 0 };
  p->to->several_rates = p->stated = false;
  p->to->frequency = p->to->system_rate;
  if (!pass (p, true))
    return false;
  tb_said_lines_surveyed (&p->lines);
  settle_clock (p);
  p->to->all_zero = p->ahead.time_zero && p->ahead.time_most == 0;
  return !p->lines.failed;
}

/* Another one, which calls TAKE.  */
static bool
pass_again (struct tb_software_plan *p, tb_said_take *take_said, void *context)
{
  p->take = take_said;
  p->context = context;
  tb_said_lines_again (&p->lines);
  return pass (p, false);
}

/* Set the members of P->to, and call TAKE.  */
static bool
plan (struct tb_software_plan *p, tb_said_take *take_said, void *context)
{
  for (;;)
    {
      uint64_t limit = p->limit;
      if (!look_ahead (p))
	return false;
      if (p->limit == limit && !pass_again (p, take_said, context))
	return false;
      if (p->limit != limit)
	continue;
      if (!p->to->contradicted || p->rate == 0)
	return true;
      p->rate = 0;
    }
}

void
tb_software_plan_free (struct tb_software_plan *p)
{
  if (p == NULL)
    return;
  tb_said_lines_fini (&p->lines);
  free (p->ahead.bits.bytes);
  free (p->start);
  free (p);
}

/* A plan of SOFTWARE, of which TAKE was called with CONTEXT.  */
static bool
make_plan (struct tb_software *software, struct tb_decoder *decoder, tb_said_take *take_said,
	   void *context, struct tb_software_plan **result)
{
  struct tb_software_plan *p = calloc (1, sizeof *p);
  if (p == NULL)
    return false;
  *p = (struct tb_software_plan) { .to = software, .decoder = decoder,
				   .start = decoder->save (decoder),
				   .lines = { .ahead = &p->ahead, .take = hand_over, .context = p },
				   .rate = software->local_rate, .limit = UINT64_MAX };
  if (p->start != NULL && plan (p, take_said, context))
    {
      *result = p;
      return true;
    }
  tb_software_plan_free (p);
  return false;
}

bool
tb_software_plan (struct tb_software *software, struct tb_decoder *decoder,
		  struct tb_software_plan **result)
{
  return make_plan (software, decoder, NULL, NULL, result);
}

bool
tb_software_give (struct tb_software_plan *p, tb_said_take *take_said, void *context)
{
  return pass_again (p, take_said, context);
}

/* Keep SAID, which has the TEXT, among the items of CONTEXT.  */
static bool
keep (void *context, const struct tb_said *said, const void *text)
{
  struct tb_software *s = context;
  if (!TB_GROW (s->items, s->capacity, s->count, 1))
    return false;
  struct tb_said *kept = &s->items[s->count++];
  *kept = *said;
  kept->text = (uint32_t) s->text.size;
  if (said->length != 0)
    tb_buffer_append (&s->text, text, said->length);
  return !s->text.failed && s->text.size <= UINT32_MAX;
}

bool
tb_software_read (struct tb_software *software, struct tb_decoder *decoder)
{
  struct tb_software_plan *p;
  if (!make_plan (software, decoder, keep, software, &p))
    return false;
  tb_software_plan_free (p);
  return true;
}

void
tb_software_fini (struct tb_software *software)
{
  free (software->items);
  tb_buffer_fini (&software->text);
  *software = (struct tb_software) { 0 };
}
