/* From elements to what was said.  See software-reader.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/software-reader.h"

#include <stdlib.h>
#include <string.h>

#include "decode/element-stats.h"
#include "decode/element-text.h"

bool
tb_said_bit_set (struct tb_said_bits *bits, uint64_t number)
{
  void *bytes = bits->bytes;
  size_t before = bits->capacity, place = (size_t) (number / 8);
  if (place >= before)
    {
      if (!tb_grow (&bytes, &bits->capacity, before, place - before + 1, 1))
	return false;
      bits->bytes = bytes;
      memset (bits->bytes + before, 0, bits->capacity - before);
    }
  bits->bytes[place] |= (uint8_t) (1u << number % 8);
  return true;
}

/* Another item, which is said now.  NULL: no memory.  */
static struct tb_said *
add (struct tb_software_reader *r, const struct tb_element *e, enum tb_said_kind kind)
{
  size_t kept = (size_t) (r->count - r->base);
  if (!TB_GROW (r->items, r->capacity, kept, 1))
    {
      r->failed = true;
      return NULL;
    }
  struct tb_said *said = &r->items[kept];
  *said = (struct tb_said) { .index = e->index, .kind = kind, .source = e->kind };
  r->last = r->count++;
  if (r->has_time)
    {
      said->flags = TB_SAID_EARLIEST;
      said->earliest = r->reached;
    }
  return said;
}

/* The first from FROM on that is kept.  */
static uint64_t
kept_from (const struct tb_software_reader *r, uint64_t from)
{
  return from > r->settled ? from : r->settled;
}

/* The system's time is VALUE: of what was said before it was told, no later.  */
static void
take_time (struct tb_software_reader *r, uint64_t value, bool other_clock)
{
  if (r->survey)
    {
      struct tb_said_ahead *ahead = r->ahead;
      ahead->last_time = r->count;
      ahead->time_zero |= value == 0;
      ahead->goes_back |= value != 0 && value < ahead->time_most;
      if (value > ahead->time_most)
	ahead->time_most = value;
    }
  /* Zero says that the time is not known (IHI 0014Q, 7.7.4).  */
  if (value == 0)
    {
      r->has_time = false;
      r->time_from = r->count;
      tb_local_clock_part (&r->clock);
      return;
    }
  bool runs = !other_clock && (!r->has_time || value >= r->time);
  uint64_t first = kept_from (r, r->time_from);
  for (uint64_t i = first; i < r->count && runs; i++)
    {
      struct tb_said *said = tb_software_item (r, i);
      said->latest = value;
      said->flags |= TB_SAID_LATEST;
    }
  if (runs)
    tb_local_clock_lower (&r->clock, r->items, r->base, first, r->count);
  else
    tb_local_clock_part (&r->clock);
  r->time = r->reached = value;
  r->has_time = true;
  r->time_from = r->count;
}

/* Local time is of the packet before it, if nothing was delayed; packets before that
   one, and what came later than it happened, were no later.  */
static void
take_local_time (struct tb_software_reader *r, const struct tb_element *e)
{
  unsigned relation = e->u.time.relation;
  if (r->survey)
    r->ahead->last_local = r->count;
  tb_local_clock_told (&r->clock, e->u.time.value, e->u.time.delta);
  for (uint64_t i = kept_from (r, r->local_from); i < r->count; i++)
    {
      struct tb_said *said = tb_software_item (r, i);
      said->local = e->u.time.value;
      said->flags |= TB_SAID_LOCAL;
      if (relation != TB_ITM_SYNCHRONOUS || i != r->last)
	said->flags |= TB_SAID_LATE;
      else if (i + 1 == r->count && r->has_time)
	{
	  tb_local_clock_raise (&r->clock, said);
	  if (said->flags & TB_SAID_EARLIEST && said->earliest > r->reached)
	    r->reached = said->earliest;
	}
      /* It may have happened before a time that was told before it.  */
      if (relation == TB_ITM_PACKET_DELAYED || relation == TB_ITM_BOTH_DELAYED)
	said->flags &= (uint8_t) ~TB_SAID_EARLIEST;
    }
  r->local_from = r->count;
}

/* What comes is of another match of a comparator.  */
static void
end_matches (struct tb_software_reader *r)
{
  memset (r->match, 0, sizeof r->match);
}

/* Nothing that was stated counts for what comes now.  */
static void
forget (struct tb_software_reader *r)
{
  r->local_from = r->time_from = r->count;
  tb_local_clock_restart (&r->clock, r->count);
  r->has_time = r->lost = false;
  end_matches (r);
}

/* E, a time, is the first packet behind lost ones: they are lost to the next item, and the
   local clock began anew before E.  */
static void
note_loss (struct tb_software_reader *r, const struct tb_element *e)
{
  if (!(e->flags & TB_ITM_OVERFLOW))
    return;
  r->local_from = r->count;
  tb_local_clock_restart (&r->clock, r->count);
  r->lost = true;
}

/* A match of a comparator makes one packet or several, one behind the other: the PC or the
   address, then the value (DDI 0403, D4.3.4).  True: E is the next one of those of an
   item, which tells of it now.  */
static bool
goes_on (struct tb_software_reader *r, const struct tb_element *e)
{
  struct tb_buffer *text = &r->text;
  unsigned dwt = e->u.itm.dwt, comparator = e->u.itm.comparator;
  if (e->kind != TB_ELEMENT_DWT || dwt < TB_DWT_DATA_PC)
    return false;
  uint64_t number = r->match[comparator];
  bool value = dwt == TB_DWT_DATA_READ || dwt == TB_DWT_DATA_WRITE;
  bool on = number > 0
	    && (value || (dwt == TB_DWT_DATA_ADDRESS
			  && r->matched[comparator] == TB_DWT_DATA_PC));
  r->match[comparator] = value ? 0 : on ? number : r->count + 1;
  r->matched[comparator] = (uint8_t) dwt;
  if (!on)
    return false;
  r->last = number - 1;
  if (r->survey)
    {
      r->failed |= !tb_said_bit_set (&r->ahead->bits, number - 1);
      return true;
    }
  struct tb_said *said = tb_software_item (r, number - 1);
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
take_itm (struct tb_software_reader *r, const struct tb_element *e)
{
  bool lost = e->flags & TB_ITM_OVERFLOW || r->lost;
  r->lost = false;
  if (lost)
    {
      r->local_from = r->count;
      tb_local_clock_restart (&r->clock, r->count);
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
      said->text = (uint32_t) r->text.size;
      tb_element_explain (&r->text, e);
      said->length = (uint32_t) (r->text.size - said->text);
    }
}

static void
take_stm (struct tb_software_reader *r, const struct tb_element *e)
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
      r->time_from = r->count;
    }
}

void
tb_software_take (struct tb_software_reader *r, const struct tb_element *e)
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

uint64_t
tb_software_settled (const struct tb_software_reader *r, bool end)
{
  uint64_t settled = r->count;
  if (end || r->survey)
    return settled;
  if (r->local_from < settled && r->local_from < r->ahead->last_local)
    settled = r->local_from;
  if (r->time_from < settled && r->time_from < r->ahead->last_time)
    settled = r->time_from;
  for (unsigned i = 0; i < TB_DWT_COMPARATORS; i++)
    if (r->match[i] != 0 && r->match[i] - 1 < settled
	&& tb_said_bit (&r->ahead->bits, r->match[i] - 1))
      settled = r->match[i] - 1;
  return settled;
}

/* Move what is kept to the begin of the memory.  */
static void
tidy (struct tb_software_reader *r)
{
  size_t kept = (size_t) (r->count - r->settled);
  struct tb_buffer text = { 0 };
  memmove (r->items, r->items + (r->settled - r->base), kept * sizeof *r->items);
  r->base = r->settled;
  for (size_t i = 0; i < kept; i++)
    if (r->items[i].length > 0)
      {
	size_t begin = text.size;
	tb_buffer_append (&text, r->text.data + r->items[i].text, r->items[i].length);
	r->items[i].text = (uint32_t) begin;
      }
  r->failed |= text.failed;
  tb_buffer_fini (&r->text);
  r->text = text;
}

/* So many items that are needed no more are worth to be moved over.  */
#define MANY 1024

void
tb_software_drop (struct tb_software_reader *r, uint64_t number)
{
  r->settled = number;
  uint64_t gone = r->settled - r->base, kept = r->count - r->settled;
  if (kept == 0)
    {
      r->base = r->count;
      tb_buffer_clear (&r->text);
    }
  else if (gone >= MANY && gone >= kept)
    tidy (r);
}

uint64_t
tb_software_taken (const struct tb_software_reader *r)
{
  return (r->count - r->base) * sizeof *r->items + r->text.size;
}

void
tb_software_reader_fini (struct tb_software_reader *r)
{
  free (r->items);
  tb_buffer_fini (&r->text);
}
