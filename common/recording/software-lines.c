/* Packets of channels that are text, joined to lines.  See software-lines.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/software-lines.h"

#include <stdlib.h>
#include <sys/random.h>

#include "util/utf8.h"

/* A line that has no end is cut here.  */
#define LINE_MOST 65536

/* Is it of a channel, as data and flags are?  */
static bool
is_of_channel (const struct tb_said *said)
{
  return (said->kind == TB_SAID_NUMBER || said->kind == TB_SAID_FLAG)
	 && (said->flags & TB_SAID_SENDER);
}

/* The place of a channel in the table, or of a free one for it.  */
static struct tb_said_channel *
place_of (const struct tb_said_lines *l, unsigned source, unsigned master, unsigned channel)
{
  uint64_t key = (uint64_t) source << 32 | master << 16 | channel;
  for (size_t i = (size_t) (key * l->factor >> 32);; i++)
    {
      struct tb_said_channel *c = &l->channels[i & (l->size - 1)];
      if (c->source == 0
	  || (c->source == source && c->master == master && c->channel == channel))
	return c;
    }
}

/* Make the table so large that another channel has room.  */
static bool
make_room (struct tb_said_lines *l)
{
  struct tb_said_lines larger = { .size = l->size > 0 ? 2 * l->size : 32 };
  if (2 * l->used < l->size)
    return true;
  /* No trace can be made in which many channels have one place.  */
  if (l->factor == 0 && getrandom (&l->factor, sizeof l->factor, GRND_NONBLOCK) < 0)
    l->factor = UINT64_C (0x9e3779b97f4a7c15);
  l->factor |= 1;
  larger.factor = l->factor;
  larger.channels = calloc (larger.size, sizeof *larger.channels);
  if (larger.channels == NULL)
    return false;
  for (size_t i = 0; i < l->size; i++)
    if (l->channels[i].source != 0)
      *place_of (&larger, l->channels[i].source, l->channels[i].master, l->channels[i].channel)
	= l->channels[i];
  free (l->channels);
  l->channels = larger.channels;
  l->size = larger.size;
  return true;
}

/* The one of SOURCE; NULL, and L has failed: no memory.  */
static struct tb_said_channel *
channel_at (struct tb_said_lines *l, uint8_t source, uint16_t master, uint16_t channel)
{
  if (!make_room (l))
    {
      l->failed = true;
      return NULL;
    }
  struct tb_said_channel *c = place_of (l, source, master, channel);
  if (c->source == 0)
    {
      l->used++;
      c->source = source;
      c->master = master;
      c->channel = channel;
    }
  return c;
}

/* The source of channel 0 that tells of a master when it had an error last: BREAKS.  */
#define ERRORS UINT8_MAX

/* Lines end where SAID tells that something is lost: those of a master by an error of it, all by
   one of the STM, or of a master that is not known (STPv2: MERR is of the current master, GERR of
   all).  */
static void
note_break (struct tb_said_lines *l, const struct tb_said *said)
{
  bool of_master = said->flags & TB_SAID_SENDER && !(said->flags & TB_SAID_GLOBAL);
  if (said->kind != TB_SAID_NO_SYNC && said->kind != TB_SAID_BAD && said->kind != TB_SAID_ERROR)
    return;
  l->breaks++;
  if (said->kind == TB_SAID_ERROR && of_master)
    {
      struct tb_said_channel *errors = channel_at (l, ERRORS, said->master, 0);
      if (errors != NULL)
	errors->breaks = l->breaks;
      return;
    }
  l->broken = l->breaks;
  if (said->kind == TB_SAID_ERROR)
    l->errors = l->breaks;
}

/* Was something lost since the last packet of C?  *ERROR: an STM told that it
   was.  */
static bool
is_broken (const struct tb_said_lines *l, const struct tb_said_channel *c, bool *error)
{
  *error = false;
  if (c->breaks == l->breaks)
    return false;
  *error = l->errors > c->breaks || place_of (l, ERRORS, c->master, 0)->breaks > c->breaks;
  return *error || l->broken > c->breaks;
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

/* May SAID, of which the low BYTES are not zeros, be the end of a string of C?  A program
   that writes its strings by words pads the last one: another packet of the string stands
   before it, or it is a whole line.  A small number has zeros, too.  */
static bool
ends_string (struct tb_said_channel *c, const struct tb_said *said, unsigned bytes)
{
  if (said->bits == 8 || (bytes == 0 ? c->filled == said->bits
			  : c->open && c->filled == said->bits))
    return true;
  bool line = bytes > 1 && (said->value >> (8 * bytes - 8) & 0xff) == '\n';
  c->any_short |= line;
  return line;
}

/* Look whether the data SAID of C go on with text.  */
static void
look (struct tb_said_channel *c, const struct tb_said *said)
{
  unsigned bytes = said->bits / 8;
  while (bytes > 0 && (said->value >> (8 * bytes - 8) & 0xff) == 0)
    bytes--;
  c->numbers |= said->bits % 8 != 0;
  c->packets += said->bits > 0;
  if (bytes < said->bits / 8 && !ends_string (c, said, bytes))
    c->numbers = true;
  for (unsigned shift = 0; shift < 8 * bytes && !c->numbers; shift += 8)
    {
      unsigned byte = said->value >> shift & 0xff;
      if (byte < 0x20 && !is_text_control (byte))
	c->numbers = true;
      c->characters++;
      if (c->npending == 0 && byte < 0x80)
	continue;
      c->pending[c->npending++] = (unsigned char) byte;
      c->pending[c->npending] = 0;
      if (tb_utf8_length (c->pending) != 0)
	c->npending = 0;
      else if (c->npending == 4 || byte < 0x80)
	c->numbers = true;
    }
  /* No character goes on behind a zero.  */
  c->numbers |= bytes < said->bits / 8 && c->npending > 0;
  c->filled = said->bits > 8 && bytes == said->bits / 8 ? said->bits : 0;
  c->any_filled |= c->filled != 0;
}

static void
give (struct tb_said_lines *l, const struct tb_said *said, const void *text)
{
  if (!l->survey && !l->failed)
    l->failed = !l->take (l->context, said, text);
}

/* The line of C ends with packet LAST.  */
static void
end_line (struct tb_said_lines *l, struct tb_said_channel *c, const struct tb_said *last)
{
  size_t end = c->line.size;
  if (!c->open)
    return;
  if (end > 0 && c->line.data[end - 1] == '\r')
    end--;
  struct tb_said line = *last;
  line.kind = TB_SAID_TEXT;
  line.length = (uint32_t) end;
  line.index = c->index;
  line.flags = (uint8_t) ((line.flags & ~(TB_SAID_LOST | TB_SAID_MARKED)) | c->lost);
  give (l, &line, c->line.data);
  l->begun -= c->line.size;
  tb_buffer_clear (&c->line);
  c->open = false;
}

static void
begin_line (struct tb_said_channel *c, const struct tb_said *first)
{
  if (c->open)
    return;
  c->open = true;
  c->index = first->index;
  c->lost = first->flags & TB_SAID_LOST;
}

static void
join_packet (struct tb_said_lines *l, struct tb_said_channel *c, const struct tb_said *said)
{
  begin_line (c, said);
  for (unsigned shift = 0; shift < said->bits; shift += 8)
    {
      char byte = (char) (said->value >> shift & 0xff);
      begin_line (c, said);
      if (byte == '\n' || byte == 0)
	{
	  /* The zero behind a line, or another end of one.  */
	  if (byte == '\n' || c->line.size > 0)
	    end_line (l, c, said);
	  else
	    c->open = false;
	  continue;
	}
      tb_buffer_append (&c->line, &byte, 1);
      l->begun++;
      if (c->line.size >= LINE_MOST)
	end_line (l, c, said);
    }
  /* Its last line ended: none has begun.  */
  if (c->open && c->line.size == 0)
    c->open = false;
  l->failed |= c->line.failed;
}

/* The line of C, if there is one, ended with the last packet: note that.  */
static void
note_end (struct tb_said_lines *l, struct tb_said_channel *c)
{
  if (!c->open)
    return;
  l->failed |= !tb_said_bit_set (&l->ahead->bits, c->last);
  l->begun -= c->line.size;
  tb_buffer_clear (&c->line);
  c->open = false;
}

void
tb_said_join (struct tb_said_lines *l, uint64_t number, const struct tb_said *said,
	      const void *text)
{
  note_break (l, said);
  struct tb_said_channel *c
    = is_of_channel (said) ? channel_at (l, said->source, said->master, said->channel) : NULL;
  if (c == NULL)
    {
      give (l, said, text);
      return;
    }
  struct tb_said behind;
  bool error, broken = is_broken (l, c, &error);
  c->breaks = l->breaks;
  if (error)
    {
      behind = *said;
      behind.flags |= TB_SAID_LOST;
      said = &behind;
    }
  if (l->survey && !c->numbers)
    {
      /* Before it something was lost, or it is marked, which begins a message.  */
      if (said->flags & TB_SAID_LOST || broken
	  || (said->kind == TB_SAID_NUMBER && said->flags & TB_SAID_MARKED))
	{
	  note_end (l, c);
	  c->filled = 0;
	}
      look (c, said);
    }
  if (l->survey ? c->numbers : !c->text)
    {
      tb_buffer_fini (&c->line);
      c->open = false;
      give (l, said, text);
      return;
    }
  c->last = number;
  /* A flag ends a message.  */
  if (said->kind == TB_SAID_NUMBER)
    join_packet (l, c, said);
  else if (c->open)
    end_line (l, c, said);
  else
    give (l, said, text);
  if (!l->survey && tb_said_bit (&l->ahead->bits, number))
    end_line (l, c, said);
}

void
tb_said_lines_surveyed (struct tb_said_lines *l)
{
  for (size_t i = 0; i < l->size; i++)
    {
      struct tb_said_channel *c = &l->channels[i];
      if (c->source == 0)
	continue;
      c->text = !c->numbers && c->npending == 0 && (!c->any_short || c->any_filled)
		&& c->packets >= PACKETS_LEAST
		&& c->characters >= TEXT_LEAST;
      note_end (l, c);
    }
  tb_said_lines_again (l);
  l->survey = false;
}

void
tb_said_lines_again (struct tb_said_lines *l)
{
  for (size_t i = 0; i < l->size; i++)
    {
      tb_buffer_fini (&l->channels[i].line);
      l->channels[i].open = false;
      l->channels[i].breaks = 0;
    }
  l->breaks = l->broken = l->errors = l->begun = 0;
  l->failed = false;
}

void
tb_said_lines_fini (struct tb_said_lines *l)
{
  for (size_t i = 0; i < l->size; i++)
    tb_buffer_fini (&l->channels[i].line);
  free (l->channels);
  l->channels = NULL;
  l->size = l->used = 0;
}
