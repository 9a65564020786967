/* Packets of channels that are text, joined to lines.  See software.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/software.h"

#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"

/* A line that has no end is cut here.  */
#define LINE_MOST 65536

struct joiner
{
  struct tb_software *from;
  struct tb_said *items;	/* Lines, and flags between them.  */
  size_t count, capacity;
  size_t begin;			/* Of the line in the text.  */
  uint64_t index;		/* Of its first packet.  */
  uint8_t lost;			/* TB_SAID_LOST: before it.  */
  bool open;			/* There is one.  */
  bool failed;
};

/* Is it of a channel, as data and flags are?  */
static bool
is_of_channel (const struct tb_said *said)
{
  return (said->kind == TB_SAID_NUMBER || said->kind == TB_SAID_FLAG)
	 && (said->flags & TB_SAID_SENDER);
}

/* Of a channel, one after the other; what has none comes first.  */
static int
by_channel (const void *a, const void *b)
{
  const struct tb_said *x = a, *y = b;
  if (is_of_channel (x) != is_of_channel (y))
    return is_of_channel (y) ? -1 : 1;
  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  if (x->master != y->master)
    return x->master < y->master ? -1 : 1;
  if (x->channel != y->channel)
    return x->channel < y->channel ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int
by_order (const void *a, const void *b)
{
  const struct tb_said *x = a, *y = b;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  /* Lines that end in one packet.  */
  return x->text < y->text ? -1 : x->text > y->text;
}

/* Sort the COUNT items at ITEMS; they often are.  */
static void
put_in_order (struct tb_said *items, size_t count,
	      int (*compare) (const void *a, const void *b))
{
  for (size_t i = 1; i < count; i++)
    if (compare (&items[i - 1], &items[i]) > 0)
      {
	qsort (items, count, sizeof *items, compare);
	return;
      }
}

static bool
same_channel (const struct tb_said *a, const struct tb_said *b)
{
  return is_of_channel (a) && is_of_channel (b) && a->source == b->source
	 && a->master == b->master && a->channel == b->channel;
}

/* Controls that text has: bell, backspace, tab, line feed, carriage return,
   escape.  */
static bool
is_text_control (unsigned byte)
{
  return (byte >= 7 && byte <= 10) || byte == 13 || byte == 27;
}

/* Fewer characters, or packets, may be numbers that look so.  */
#define TEXT_LEAST 4
#define PACKETS_LEAST 2

/* Are all data of the COUNT packets at ITEMS characters?  */
static bool
is_text (const struct tb_said *items, size_t count)
{
  unsigned char pending[8] = { 0 };
  unsigned npending = 0;
  size_t characters = 0, packets = 0;
  for (size_t i = 0; i < count; i++)
    {
      if (items[i].bits % 8 != 0)
	return false;
      packets += items[i].bits > 0;
      for (unsigned shift = 0; shift < items[i].bits; shift += 8)
	{
	  unsigned byte = items[i].value >> shift & 0xff;
	  /* A zero ends a string, if it is written as such.  */
	  if (byte < 0x20 && !is_text_control (byte)
	      && !(byte == 0 && items[i].bits == 8))
	    return false;
	  characters += byte != 0;
	  if (npending == 0 && byte < 0x80)
	    continue;
	  pending[npending++] = (unsigned char) byte;
	  pending[npending] = 0;
	  if (tb_utf8_length (pending) != 0)
	    npending = 0;
	  else if (npending == 4 || byte < 0x80)
	    return false;
	}
    }
  return npending == 0 && packets >= PACKETS_LEAST && characters >= TEXT_LEAST;
}

static void
push (struct joiner *j, const struct tb_said *said)
{
  void *items = j->items;
  if (!tb_grow (&items, &j->capacity, j->count, 1, sizeof *j->items))
    {
      j->failed = true;
      return;
    }
  j->items = items;
  j->items[j->count++] = *said;
}

/* The line ends with packet LAST.  */
static void
end_line (struct joiner *j, const struct tb_said *last)
{
  const struct tb_buffer *text = &j->from->text;
  size_t end = text->size;
  if (!j->open || text->failed)
    return;
  if (end > j->begin && text->data[end - 1] == '\r')
    end--;
  struct tb_said line = *last;
  line.kind = TB_SAID_TEXT;
  line.text = (uint32_t) j->begin;
  line.length = (uint32_t) (end - j->begin);
  line.index = j->index;
  line.flags = (uint8_t) ((line.flags & ~(TB_SAID_LOST | TB_SAID_MARKED)) | j->lost);
  push (j, &line);
  j->open = false;
}

static void
begin_line (struct joiner *j, const struct tb_said *first)
{
  if (j->open)
    return;
  j->open = true;
  j->begin = j->from->text.size;
  j->index = first->index;
  j->lost = first->flags & TB_SAID_LOST;
}

/* Between the packets A and B something was lost.  */
static bool
is_broken (const struct tb_said *a, const struct tb_said *b)
{
  return b->flags & TB_SAID_LOST || a->text != b->text;
}

static void
join_packet (struct joiner *j, const struct tb_said *said)
{
  struct tb_buffer *text = &j->from->text;
  begin_line (j, said);
  for (unsigned shift = 0; shift < said->bits; shift += 8)
    {
      char byte = (char) (said->value >> shift & 0xff);
      begin_line (j, said);
      if (byte == '\n' || byte == 0)
	{
	  /* The zero behind a line, or another end of one.  */
	  if (byte == '\n' || text->size > j->begin)
	    end_line (j, said);
	  else
	    j->open = false;
	  continue;
	}
      tb_buffer_append (text, &byte, 1);
      if (text->size - j->begin >= LINE_MOST)
	end_line (j, said);
    }
  /* Its last line ended: none has begun.  */
  if (j->open && text->size == j->begin)
    j->open = false;
}

/* The COUNT packets at ITEMS are those of a channel of text.  */
static void
join_channel (struct joiner *j, const struct tb_said *items, size_t count)
{
  j->open = false;
  for (size_t i = 0; i < count && !j->failed; i++)
    {
      const struct tb_said *said = &items[i];
      if (i > 0 && (is_broken (&items[i - 1], said)
		    || (said->kind == TB_SAID_NUMBER
			&& said->flags & TB_SAID_MARKED)))
	end_line (j, &items[i - 1]);
      /* What is marked begins a message, and a flag ends one.  */
      if (said->kind == TB_SAID_NUMBER)
	join_packet (j, said);
      else if (j->open)
	end_line (j, said);
      else
	push (j, said);
    }
  if (count > 0)
    end_line (j, &items[count - 1]);
}

bool
tb_software_join (struct tb_software *software)
{
  struct joiner j = { .from = software };
  struct tb_said *items = software->items;
  size_t count = software->count;
  /* Packets have no text yet; here that is how often synchronisation was lost before
     them.  */
  uint32_t breaks = 0;
  for (size_t i = 0; i < count; i++)
    {
      breaks += items[i].kind == TB_SAID_NO_SYNC || items[i].kind == TB_SAID_BAD;
      if (is_of_channel (&items[i]))
	items[i].text = breaks;
    }
  put_in_order (items, count, by_channel);
  size_t kept = 0;
  for (size_t i = 0, end; i < count && !j.failed; i = end)
    {
      for (end = i + 1; end < count && same_channel (&items[i], &items[end]);)
	end++;
      if (is_of_channel (&items[i]) && is_text (items + i, end - i))
	join_channel (&j, items + i, end - i);
      else
	{
	  memmove (items + kept, items + i, (end - i) * sizeof *items);
	  kept += end - i;
	}
    }
  /* Of a channel of text there are fewer lines than packets, as a rule.  */
  void *all = items;
  software->count = kept;
  if (!j.failed && tb_grow (&all, &software->capacity, kept, j.count, sizeof *items))
    {
      software->items = all;
      if (j.count > 0)
	memcpy (software->items + kept, j.items, j.count * sizeof *items);
      software->count += j.count;
    }
  else
    j.failed = true;
  free (j.items);
  put_in_order (software->items, software->count, by_order);
  return !j.failed && !software->text.failed;
}
