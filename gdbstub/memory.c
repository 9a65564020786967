/* Memory: m, what of it is known, refusals to write, and the list of what is known in a
   trace frame.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "recording/facts.h"

/* GDB caches stacks and code by lines of so many bytes.  It reads the rest of one that comes back
   short as well; what it needs of one that it does not get it asks for by itself.  */
#define LINE 64

/* The largest numbers have so many bytes (long double and vectors of AArch64); GDB reads
   strings in pieces of 8 characters.  */
#define NUMBER_MOST 16

/* The most bytes that are counted at a time.  */
#define COUNTED_MOST ((uint64_t) 1 << 20)

/* Is what GDB reads an object of which some but not all is known?  ORIGINS tells of LENGTH
   bytes.  */
static bool
is_object (const struct client *c, const uint8_t *origins, size_t length)
{
  size_t known = 0;
  for (size_t i = 0; i < length; i++)
    known += origins[i] != TB_UNKNOWN;
  return known != 0 && known != length && length > NUMBER_MOST && !c->read_line;
}

/* Is what is not known of LENGTH bytes at ADDRESS, of which ORIGINS tells, filled with the
   poison value, or is there an error?

   LLDB reads lines of 512 bytes.  What comes back short it takes for something else (LLDB
   14 destroys its heap), and for memory that cannot be read it shows the program file's.

   GDB shows nothing of an object that is known in part, but for its members that are read
   one by one.  So objects are filled where the user wants that; numbers and pointers are
   not, as one of those that is known in part would be taken for known, nor are lines of the
   cache: return addresses are read from these.  */
static bool
is_filled (const struct client *c, const uint8_t *origins, size_t length)
{
  if (c->policy == UNKNOWN_EXACT || c->policy == UNKNOWN_NAVIGABLE || c->frame >= 0)
    return false;
  if (c->is_lldb)
    return true;
  return c->policy == UNKNOWN_FILLED && is_object (c, origins, length);
}

static void
fill (struct client *c, uint64_t address, uint8_t *bytes, const uint8_t *origins,
      size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (origins[i] == TB_UNKNOWN)
      {
	bytes[i] = (uint8_t) (TB_POISON32 >> 8 * ((address + i) & 3));
	filled_add (&c->filled, address + i);
      }
  c->filled_here = c->filled_ever = true;
}

/* What ARGS, an address and a length, ask for; returns how many bytes, of at most
   PACKET_LIMIT / 2, there can be.  */
static size_t
look (struct client *c, const struct packet_args *args, uint8_t *bytes, uint8_t *origins)
{
  uint64_t address = args->number[0], length = args->number[1];
  if (length > PACKET_LIMIT / 2)
    length = PACKET_LIMIT / 2;
  if (length > 0 && length - 1 > UINT64_MAX - address)
    length = UINT64_MAX - address + 1;
  bool before = target_glance (c->target, true);
  if (length > 0)
    client_memory (c, address, bytes, origins, (size_t) length);
  target_glance (c->target, before);
  return (size_t) length;
}

/* GDB reads LENGTH bytes at ADDRESS.  Is it to mark what is not known of them?  The project's
   commands read single bytes next to them before that, in an order and with nothing between that
   nobody's reads have by chance (packet.py: KNOCKS).  What comes back short GDB reads the rest
   of.  */
static void
note_read (struct client *c, uint64_t address, uint64_t length)
{
  static const uint8_t knocks[CLIENT_KNOCKS] = { 2, 7, 1, 4 };
  bool rest = c->read_known != 0 && address == c->read_address + c->read_known
	      && address + length == c->read_address + c->read_length;
  bool knocked = true;
  for (size_t i = 0; i < CLIENT_KNOCKS; i++)
    knocked &= c->knocks[i] == (address ^ knocks[i]);
  c->read_marks = (rest && c->read_marks) || knocked;
  c->read_line = rest ? c->read_line : length == LINE && address % LINE == 0;
  watched_note (c, address, length, c->read_marks);
  c->read_address = address;
  c->read_length = length;
  c->read_known = 0;
  memmove (c->knocks, c->knocks + 1, sizeof c->knocks - sizeof c->knocks[0]);
  c->knocks[CLIENT_KNOCKS - 1] = length == 1 ? address : UINT64_MAX;
}

static void
read_memory (struct client *c, const struct packet_args *args)
{
  uint8_t bytes[PACKET_LIMIT / 2], origins[PACKET_LIMIT / 2];
  note_read (c, args->number[0], args->number[1]);
  if (client_moment (c) == NULL)
    {
      reply_error (c);
      return;
    }
  size_t length = look (c, args, bytes, origins), known = 0;
  while (known < length && origins[known] != TB_UNKNOWN)
    known++;
  if (known < length && is_filled (c, origins, length))
    {
      fill (c, args->number[0], bytes, origins, length);
      known = length;
    }
  if (known < length && c->frame < 0 && is_object (c, origins, length))
    {
      c->part_refused = true;
      c->part_address = args->number[0] + known;
    }
  /* A short reply says how far it is known.  */
  if ((known == 0 || c->is_lldb) && known != length)
    {
      reply_error (c);
      return;
    }
  tb_hex_append (&c->reply, bytes, known);
  c->read_known = known;
}

/* The project's commands for GDB ask, perhaps to mark what is not known.  Of each byte: 0
   unknown, 1 known, 2 assumed.  OK: as nothing was filled ever, GDB has nothing that is not known,
   in its history of values neither.  */
static void
tell_known (struct client *c, const struct packet_args *args)
{
  uint8_t bytes[PACKET_LIMIT / 2], origins[PACKET_LIMIT / 2];
  if (client_moment (c) == NULL)
    {
      reply_error (c);
      return;
    }
  if (!c->filled_ever)
    {
      reply_ok (c);
      return;
    }
  size_t length = look (c, args, bytes, origins);
  for (size_t i = 0; i < length; i++)
    {
      reply_text (c, origins[i] == TB_UNKNOWN ? "0" : origins[i] == TB_ASSUMED ? "2" : "1");
      if (c->read_marks && origins[i] == TB_UNKNOWN)
	filled_drop (&c->filled, args->number[0] + i);
    }
}

/* The project's commands for GDB ask before a core file is written: how many of the bytes are not
   known.  */
static void
count_unknown (struct client *c, const struct packet_args *args)
{
  uint8_t bytes[4096], origins[4096];
  uint64_t at = args->number[0], left = args->number[1], count = 0;
  if (left > COUNTED_MOST || (left > 0 && left - 1 > UINT64_MAX - at)
      || client_moment (c) == NULL)
    {
      reply_error (c);
      return;
    }
  while (left > 0)
    {
      size_t length = left < sizeof bytes ? (size_t) left : sizeof bytes;
      /* What is made up for GDB's unwinders is not known.  */
      target_memory (c->target, client_core_moment (c), at, bytes, origins, length);
      for (size_t i = 0; i < length; i++)
	count += origins[i] == TB_UNKNOWN;
      at += length;
      left -= length;
    }
  reply_printf (c, "%" PRIx64, count);
}

/* GDB shows no reason where memory is written: it is told later.  */
static void
refuse (struct client *c, const struct packet_args *args)
{
  struct packet_args what;
  /* Writes of no bytes are GDB's, which looks whether the packet is there.  */
  if (packet_parse ("x,x*", args->text, args->length, &what) && what.number[1] != 0)
    {
      c->write_refused = true;
      c->write_address = what.number[0];
    }
  reply_read_only (c);
}

/* qTracebridge.Told: they have told the user why memory was not written or read.  */
static void
told (struct client *c, const struct packet_args *args)
{
  (void) args;
  client_refusal_told (c);
  reply_ok (c);
}

const struct packet_handler packets_memory[] = {
  { "qTracebridge.Told", "", told },
  { "m", "x,x", read_memory },
  { "qTracebridge.Known:", "x,x", tell_known },
  { "qTracebridge.Unknown:", "x,x", count_unknown },
  { "M", "*", refuse },
  { "X", "*", refuse },
  { NULL, NULL, NULL }
};

/* Memory whose bytes are looked at one by one for the list.  What is known of
   more than that would take longer to find out than a user wants to wait for a
   tfind: of the rest, memory that is known to be constant is listed as it is, and
   RAM as if it were known: GDB then asks and gets an error for what is not.  */
#define EXACT_MAX ((uint64_t) 256 << 10)

/* The M profile's Code region ends here (DDI 0403, B3.1): dumps of it that are not
   written do not change.  */
#define CODE_END 0x20000000

/* Contiguous memory of the map.  */
struct extent
{
  uint64_t first, last;
  bool written;			/* Some of it may change.  */
};

static int
by_first (const void *a, const void *b)
{
  const struct extent *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* May what is in REGION change?  */
static bool
may_change (const struct target *t, const struct tb_region *region)
{
  if (region->access == TB_ACCESS_READ)
    return false;
  return region->access == TB_ACCESS_WRITE || !target_profile (t)->is_m
	 || region->address + (region->length - 1) >= CODE_END;
}

/* The regions of T's map, and what a log or the frames of a trace file tell of, as
   disjoint extents; *COUNT of them.  NULL: no memory.  */
static struct extent *
find_extents (const struct target *t, size_t *count)
{
  const struct tb_memmap *map = tb_recording_memmap (t->recording);
  const struct tb_columns *facts = tb_recording_facts (t->recording);
  const struct tb_region *regions;
  struct extent told;
  size_t n = tb_memmap_regions (map, &regions), kept = 0, runs = 0, at = 0;
  while (facts != NULL && tb_facts_run (facts, &at, &told.first, &told.last))
    runs++;
  struct extent *extents = calloc (n + runs + 1, sizeof *extents);
  if (extents == NULL)
    return NULL;
  for (size_t i = 0; i < n; i++)
    extents[i] = (struct extent) {
      regions[i].address, regions[i].address + (regions[i].length - 1),
      may_change (t, &regions[i])
    };
  told.written = true;
  for (at = 0; facts != NULL && tb_facts_run (facts, &at, &told.first, &told.last);)
    extents[n++] = told;
  qsort (extents, n, sizeof *extents, by_first);
  for (size_t i = 1; i < n; i++)
    if (extents[i].first <= extents[kept].last
	&& extents[i].written == extents[kept].written)
      {
	if (extents[i].last > extents[kept].last)
	  extents[kept].last = extents[i].last;
      }
    else
      {
	if (extents[i].first <= extents[kept].last)
	  {
	    if (extents[i].last <= extents[kept].last)
	      {
		extents[kept].written = true;
		continue;
	      }
	    extents[i].first = extents[kept].last + 1;
	  }
	extents[++kept] = extents[i];
      }
  *count = n != 0 ? kept + 1 : 0;
  return extents;
}

/* A piece of the list, which grows while what follows touches it.  */
struct piece
{
  bool open;
  uint64_t first, last;
};

static void
flush (struct piece *p, struct tb_buffer *text)
{
  if (p->open)
    tb_buffer_printf (text, "<memory start=\"0x%" PRIx64 "\" length=\"0x%"
		      PRIx64 "\"/>\n", p->first, p->last - p->first + 1);
  p->open = false;
}

static void
add (struct piece *p, uint64_t first, uint64_t last, struct tb_buffer *text)
{
  if (p->open && p->last + 1 == first)
    p->last = last;
  else
    {
      flush (p, text);
      *p = (struct piece) { true, first, last };
    }
}

/* List what is known from FIRST to LAST.  */
static void
list_exactly (struct client *c, uint64_t first, uint64_t last,
	      struct piece *piece, struct tb_buffer *text)
{
  uint8_t bytes[4096], origins[4096];
  for (uint64_t at = first;;)
    {
      uint64_t rest = last - at;
      size_t length = rest < sizeof bytes ? (size_t) rest + 1 : sizeof bytes;
      client_memory (c, at, bytes, origins, length);
      for (size_t i = 0; i < length;)
	{
	  size_t end = i;
	  while (end < length && origins[end] != TB_UNKNOWN)
	    end++;
	  if (end > i)
	    add (piece, at + i, at + end - 1, text);
	  i = end + 1;
	}
      if (rest < sizeof bytes)
	return;
      at += length;
    }
}

/* Is the byte at ADDRESS known?  */
static bool
is_known (struct client *c, const struct tb_moment *moment, uint64_t address)
{
  uint8_t byte, origin;
  target_memory (c->target, moment, address, &byte, &origin, 1);
  return origin != TB_UNKNOWN;
}

/* Is ADDRESS in one of them?  */
static bool
in_extents (const struct extent *extents, size_t count, uint64_t address)
{
  for (size_t i = 0; i < count; i++)
    if (address >= extents[i].first && address <= extents[i].last)
      return true;
  return false;
}

void
list_known_memory (struct client *c, const struct tb_moment *moment,
		   struct tb_buffer *text)
{
  size_t count;
  struct extent *extents = find_extents (c->target, &count);
  uint64_t budget = EXACT_MAX;
  struct piece piece = { false, 0, 0 };
  text->failed |= extents == NULL;
  for (size_t i = 0; extents != NULL && i < count; i++)
    {
      const struct extent *e = &extents[i];
      /* What does not change is known or not as a whole.  */
      if (!e->written && is_known (c, moment, e->first)
	  && is_known (c, moment, e->last))
	add (&piece, e->first, e->last, text);
      else if (e->last - e->first < budget)
	{
	  list_exactly (c, e->first, e->last, &piece, text);
	  budget -= e->last - e->first;
	}
      else
	add (&piece, e->first, e->last, text);
    }
  /* What is made up may be where there is no memory.  */
  const struct stacked *stacked = client_stacked (c);
  for (unsigned i = 0; extents != NULL && stacked != NULL && i < stacked->count;
       i++)
    if (!in_extents (extents, count, stacked->patches[i].address))
      {
	const struct stacked_patch *p = &stacked->patches[i];
	add (&piece, p->address, p->address + (p->length - 1u), text);
      }
  flush (&piece, text);
  free (extents);
}
