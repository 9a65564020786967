/* Reading what software and the DWT said.  See software.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/software.h"

#include <stdlib.h>
#include <string.h>

#include "decode/element-stats.h"
#include "decode/element-text.h"
#include "recording/local-clock.h"

/* Whose packets tell which one it is (DDI 0403, D4.3.4).  */
#define DWT_COMPARATORS 4

/* Bytes that no stream's items and text are more than: numbers of items, and places in the
   text, have 32 bits.  */
#define MOST (UINT32_MAX - ((uint64_t) 1 << 24))

struct software_reader
{
  struct tb_software *to;
  size_t local_from;		/* From this one on there is no local time yet ...  */
  size_t time_from;		/* ... or no latest system time.  */
  size_t last;			/* That of the last packet.  */
  uint64_t time;		/* Stated last, if HAS_TIME ...  */
  uint64_t reached;		/* ... and what comes is no earlier than this.  */
  bool has_time;
  bool lost;			/* Packets before the next item.  */
  bool failed;
  struct tb_local_clock clock;
  /* Of each comparator of the DWT the item, counted from 1, that its next packet may
     go on with, and what that has last: enum tb_dwt.  */
  size_t match[DWT_COMPARATORS];
  uint8_t matched[DWT_COMPARATORS];
};

/* Another item, which is said now.  */
static struct tb_said *
add (struct software_reader *r, const struct tb_element *e, enum tb_said_kind kind)
{
  struct tb_software *s = r->to;
  void *items = s->items;
  uint64_t taken = (s->count + 1) * sizeof *s->items + s->text.size;
  if (taken > (s->memory != 0 && s->memory < MOST ? s->memory : MOST))
    {
      s->cut = true;
      s->cut_at = e->index;
      return NULL;
    }
  if (!tb_grow (&items, &s->capacity, s->count, 1, sizeof *s->items))
    {
      r->failed = true;
      return NULL;
    }
  s->items = items;
  struct tb_said *said = &s->items[s->count];
  *said = (struct tb_said) { .index = e->index, .kind = kind,
			     .source = e->kind, .order = (uint32_t) s->count };
  r->last = s->count++;
  if (r->has_time)
    {
      said->flags = TB_SAID_EARLIEST;
      said->earliest = r->reached;
    }
  return said;
}

/* The system's time is VALUE: of what was said before it was told, no later.  */
static void
take_time (struct software_reader *r, uint64_t value, bool other_clock)
{
  /* Zero says that the time is not known (IHI 0014Q, 7.7.4).  */
  if (value == 0)
    {
      r->has_time = false;
      r->time_from = r->to->count;
      tb_local_clock_part (&r->clock);
      return;
    }
  bool runs = !other_clock && (!r->has_time || value >= r->time);
  for (size_t i = r->time_from; i < r->to->count && runs; i++)
    {
      r->to->items[i].latest = value;
      r->to->items[i].flags |= TB_SAID_LATEST;
    }
  if (runs)
    tb_local_clock_lower (&r->clock, r->to->items, r->time_from, r->to->count);
  else
    tb_local_clock_part (&r->clock);
  r->time = r->reached = value;
  r->has_time = true;
  r->time_from = r->to->count;
}

/* Local time is of the packet before it, if nothing was delayed; packets before that
   one, and what came later than it happened, were no later.  */
static void
take_local_time (struct software_reader *r, const struct tb_element *e)
{
  unsigned relation = e->u.time.relation;
  tb_local_clock_told (&r->clock, e->u.time.value, e->u.time.delta);
  for (size_t i = r->local_from; i < r->to->count; i++)
    {
      struct tb_said *said = &r->to->items[i];
      said->local = e->u.time.value;
      said->flags |= TB_SAID_LOCAL;
      if (relation != TB_ITM_SYNCHRONOUS || i != r->last)
	said->flags |= TB_SAID_LATE;
      else if (i + 1 == r->to->count && r->has_time)
	{
	  tb_local_clock_raise (&r->clock, said);
	  if (said->flags & TB_SAID_EARLIEST && said->earliest > r->reached)
	    r->reached = said->earliest;
	}
      /* It may have happened before a time that was told before it.  */
      if (relation == TB_ITM_PACKET_DELAYED || relation == TB_ITM_BOTH_DELAYED)
	said->flags &= (uint8_t) ~TB_SAID_EARLIEST;
    }
  r->local_from = r->to->count;
}

/* What comes is of another match of a comparator.  */
static void
end_matches (struct software_reader *r)
{
  memset (r->match, 0, sizeof r->match);
}

/* Nothing that was stated counts for what comes now.  */
static void
forget (struct software_reader *r)
{
  r->local_from = r->time_from = r->to->count;
  tb_local_clock_restart (&r->clock, r->to->count);
  r->has_time = r->lost = false;
  end_matches (r);
}

/* E, a time, is the first packet behind lost ones: they are lost to the next item, and the
   local clock began anew before E.  */
static void
note_loss (struct software_reader *r, const struct tb_element *e)
{
  if (!(e->flags & TB_ITM_OVERFLOW))
    return;
  r->local_from = r->to->count;
  tb_local_clock_restart (&r->clock, r->to->count);
  r->lost = true;
}

/* A match of a comparator makes one packet or several, one behind the other: the PC or the
   address, then the value (DDI 0403, D4.3.4).  True: E is the next one of those of an
   item, which tells of it now.  */
static bool
goes_on (struct software_reader *r, const struct tb_element *e)
{
  struct tb_buffer *text = &r->to->text;
  unsigned dwt = e->u.itm.dwt, comparator = e->u.itm.comparator;
  if (e->kind != TB_ELEMENT_DWT || dwt < TB_DWT_DATA_PC)
    return false;
  size_t number = r->match[comparator];
  bool value = dwt == TB_DWT_DATA_READ || dwt == TB_DWT_DATA_WRITE;
  bool on = number > 0
	    && (value || (dwt == TB_DWT_DATA_ADDRESS
			  && r->matched[comparator] == TB_DWT_DATA_PC));
  r->match[comparator] = value ? 0 : on ? number : r->to->count + 1;
  r->matched[comparator] = (uint8_t) dwt;
  if (!on)
    return false;
  struct tb_said *said = &r->to->items[number - 1];
  r->last = number - 1;
  size_t begin = text->size;
  /* A copy, behind which it has room.  */
  uint8_t *copy = tb_buffer_extend (text, said->length);
  if (copy != NULL)
    memcpy (copy, text->data + said->text, said->length);
  tb_buffer_printf (text, ", ");
  tb_dwt_match_text (text, e);
  said->text = (uint32_t) begin;
  said->length = (uint32_t) (text->size - begin);
  said->channel = e->u.itm.channel;
  said->value = e->u.itm.value;
  said->bits = 8 * e->u.itm.bytes;
  said->dwt = (uint8_t) dwt;
  return true;
}

static void
take_itm (struct software_reader *r, const struct tb_element *e)
{
  bool lost = e->flags & TB_ITM_OVERFLOW || r->lost;
  r->lost = false;
  if (lost)
    {
      r->local_from = r->to->count;
      tb_local_clock_restart (&r->clock, r->to->count);
      end_matches (r);
    }
  if (goes_on (r, e))
    return;
  struct tb_said *said = add (r, e, e->kind == TB_ELEMENT_DWT ? TB_SAID_DWT
					  : TB_SAID_NUMBER);
  if (said == NULL)
    return;
  said->flags |= TB_SAID_SENDER | (lost ? TB_SAID_LOST : 0);
  said->channel = e->u.itm.channel;
  said->value = e->u.itm.value;
  said->bits = 8 * e->u.itm.bytes;
  if (e->kind == TB_ELEMENT_DWT)
    {
      said->dwt = e->u.itm.dwt;
      said->text = (uint32_t) r->to->text.size;
      tb_element_explain (&r->to->text, e);
      said->length = (uint32_t) (r->to->text.size - said->text);
    }
}

static void
take_stm (struct software_reader *r, const struct tb_element *e)
{
  bool told = e->flags & TB_SOFTWARE_TIMESTAMP;
  bool timed = told && e->u.software.timestamp != 0;
  bool plain = (e->flags & ~(TB_SOFTWARE_TIMESTAMP | TB_SOFTWARE_ID)) == 0;
  if (told)
    take_time (r, e->u.software.timestamp, false);
  /* Nothing but a timestamp.  */
  if (plain && e->u.software.bits == 0)
    return;
  enum tb_said_kind kind
    = e->flags & TB_SOFTWARE_TRIGGER ? TB_SAID_TRIGGER
      : e->flags & TB_SOFTWARE_FREQUENCY ? TB_SAID_FREQUENCY
      : e->flags & (TB_SOFTWARE_MASTER_ERROR | TB_SOFTWARE_GLOBAL_ERROR)
      ? TB_SAID_ERROR
      : e->u.software.bits == 0 ? TB_SAID_FLAG : TB_SAID_NUMBER;
  struct tb_said *said = add (r, e, kind);
  if (said == NULL)
    return;
  said->master = e->u.software.master;
  said->channel = e->u.software.channel;
  said->value = e->u.software.data;
  said->bits = e->u.software.bits;
  if (e->flags & TB_SOFTWARE_ID)
    said->flags |= TB_SAID_SENDER;
  if (e->flags & TB_SOFTWARE_MARKER)
    said->flags |= TB_SAID_MARKED;
  if (e->flags & TB_SOFTWARE_GLOBAL_ERROR)
    said->flags |= TB_SAID_GLOBAL;
  if (timed)
    {
      said->latest = e->u.software.timestamp;
      said->flags |= TB_SAID_LATEST;
      r->time_from = r->to->count;
    }
}

static void
take (struct software_reader *r, const struct tb_element *e)
{
  struct tb_said *said = NULL;
  switch ((enum tb_element_kind) e->kind)
    {
    case TB_ELEMENT_ITM:
    case TB_ELEMENT_DWT:
      take_itm (r, e);
      break;
    case TB_ELEMENT_SOFTWARE:
      take_stm (r, e);
      break;
    case TB_ELEMENT_ITM_LOCAL_TIME:
      end_matches (r);
      note_loss (r, e);
      take_local_time (r, e);
      break;
    case TB_ELEMENT_ITM_GLOBAL_TIME:
      end_matches (r);
      note_loss (r, e);
      take_time (r, e->u.time.value, e->flags & TB_ITM_CLOCK_CHANGED);
      break;
    case TB_ELEMENT_NO_SYNC:
      /* Before the first packet there was nothing to lose.  */
      forget (r);
      if (e->reason != TB_REASON_INIT && (said = add (r, e, TB_SAID_NO_SYNC)))
	said->value = e->reason;
      break;
    case TB_ELEMENT_BAD_PACKET:
      forget (r);
      add (r, e, TB_SAID_BAD);
      break;
    case TB_ELEMENT_END:
      if ((e->reason == TB_REASON_OVERFLOW || r->lost)
	  && (said = add (r, e, TB_SAID_NO_SYNC)))
	said->value = TB_REASON_OVERFLOW;
      /* That may have been before the time that was told last.  */
      if (r->lost && said != NULL)
	said->flags &= (uint8_t) ~TB_SAID_EARLIEST;
      break;
    default:			/* Of instructions.  */
      break;
    }
}

/* As tb_software_read, without joining; the local clock counts RATE.  */
static bool
read_all (struct tb_software *software, struct tb_decoder *decoder, uint64_t rate)
{
  struct software_reader r = {
    .to = software, .clock = { .local = rate, .system = software->system_rate }
  };
  struct tb_element some[256];
  size_t n;
  while (!r.failed && !software->text.failed && !software->cut
	 && (n = decoder->read (decoder, some, sizeof some / sizeof some[0])) > 0)
    {
      if (software->go_on != NULL && !software->go_on (software->context))
	{
	  software->stopped = true;
	  return false;
	}
      for (size_t i = 0; i < n && !r.failed && !software->cut; i++)
	take (&r, &some[i]);
    }
  software->contradicted |= r.clock.contradicted;
  software->narrowed = r.clock.narrowed;
  return !r.failed && !software->text.failed;
}

/* Find which clock the times of S are of.  */
static void
settle_clock (struct tb_software *s)
{
  bool stated = false, several = false;
  s->frequency = s->system_rate;
  for (size_t i = 0; i < s->count && !s->rate_told; i++)
    {
      const struct tb_said *said = &s->items[i];
      if (said->kind != TB_SAID_FREQUENCY || said->value == 0)
	continue;
      several |= stated && s->frequency != said->value;
      stated = true;
      s->frequency = said->value;
    }
  /* A counter that was set to another rate is still the one that all have; where it is not
     known how fast it is, its ticks have an order.  */
  s->foreign = several ? s->system_rate != 0 : s->frequency != s->system_rate;
  if (several)
    s->frequency = 0;
}

/* Do the times of S go back?  */
static bool
goes_back (const struct tb_software *s)
{
  uint64_t reached = 0;
  for (size_t i = 0; i < s->count; i++)
    {
      struct tb_when when = tb_said_time (&s->items[i]);
      if ((when.from && when.earliest < reached) || (when.to && when.latest < reached))
	return true;
      if (when.from)
	reached = when.earliest;
    }
  return false;
}

bool
tb_software_read (struct tb_software *software, struct tb_decoder *decoder)
{
  void *start = decoder->save (decoder);
  bool ok = start != NULL && read_all (software, decoder, software->local_rate);
  if (ok && software->contradicted)
    {
      decoder->restore (decoder, start);
      software->count = 0;
      software->text.size = 0;
      software->cut = false;
      ok = read_all (software, decoder, 0);
    }
  free (start);
  if (!ok || !tb_software_join (software))
    return false;
  settle_clock (software);
  software->goes_back = goes_back (software);
  return true;
}

void
tb_software_fini (struct tb_software *software)
{
  free (software->items);
  tb_buffer_fini (&software->text);
  *software = (struct tb_software) { 0 };
}
