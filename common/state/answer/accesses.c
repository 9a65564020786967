/* Searches among memory accesses.  See accesses.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/accesses.h"

#include <stdlib.h>

#include "recording/event-steps.h"
#include "state/answer/stacked.h"
#include "util/buffer.h"

/* Steps of a block.  */
#define BLOCK 16384

/* Accesses of one instruction: LDM of all registers makes 16.  An exception puts
   26 words on the stack; several may be taken at one place.  */
#define OF_ONE_STEP 128

struct access_entry
{
  uint64_t address;
  uint16_t offset;		/* Of its step in the block.  */
  uint16_t length;		/* 0: what the step accesses is not known.  */
  bool store, address_known;
  bool gap;			/* LENGTH 0: what is not in the trace, behind the
				   step.  */
  /* Where the address is not known: it is one of the 2 to the power of this many from
     ADDRESS on; ANYWHERE: who knows.  */
  uint8_t span;
};

#define ANYWHERE 64

struct block
{
  struct access_entry *entries;	/* In order.  */
  uint32_t count;
  bool seen;
};

struct tb_accesses
{
  struct tb_state *state;
  struct tb_recording *recording;
  uint64_t first, steps;
  uint64_t base;		/* Where block 0 would begin if it were whole: blocks
				   are counted from the end, as the windows of state
				   are, so that none is in two of them.  */
  struct block *blocks;
  bool (*go_on) (void *context);
  void *context;
  uint64_t reached;		/* By the last search.  */
};

struct tb_accesses *
tb_accesses_new (struct tb_state *state, struct tb_recording *recording,
		 uint64_t first)
{
  struct tb_accesses *a = calloc (1, sizeof *a);
  if (a == NULL)
    return NULL;
  a->state = state;
  a->recording = recording;
  a->steps = tb_recording_steps (recording);
  a->first = first < a->steps ? first : a->steps;
  a->base = a->first - (BLOCK - (a->steps - a->first) % BLOCK) % BLOCK;
  a->blocks = calloc ((a->steps - a->base) / BLOCK + 1, sizeof *a->blocks);
  if (a->blocks == NULL)
    {
      free (a);
      return NULL;
    }
  return a;
}

void
tb_accesses_free (struct tb_accesses *a)
{
  if (a == NULL)
    return;
  for (uint64_t i = 0; i <= (a->steps - a->base) / BLOCK; i++)
    free (a->blocks[i].entries);
  free (a->blocks);
  free (a);
}

void
tb_accesses_set_poll (struct tb_accesses *a, bool (*go_on) (void *context),
		      void *context)
{
  a->go_on = go_on;
  a->context = context;
}

uint64_t
tb_accesses_first (const struct tb_accesses *a)
{
  return a->first;
}

uint64_t
tb_accesses_reached (const struct tb_accesses *a)
{
  return a->reached;
}

/* The accesses of a block as they are listed.  */
struct listing
{
  struct access_entry *entries;
  size_t count, capacity;
};

/* How many bits a number up to MOST has.  */
static uint8_t
span_of (uint64_t most)
{
  uint8_t bits = 0;
  while (bits < ANYWHERE && most >> bits != 0)
    bits++;
  return bits;
}

/* May E, whose address is not known, be an access to what W watches?  */
static bool
may_hit (const struct access_entry *e, const struct tb_watch_range *w)
{
  if (e->span == ANYWHERE)
    return true;
  uint64_t behind = (UINT64_C (1) << e->span) - 1 + (e->length - 1);
  uint64_t last = e->address + behind;
  /* One that goes on behind the last address may be anywhere.  */
  return last < e->address
	 || (e->address <= w->address + (w->length - 1) && w->address <= last);
}

/* Append the COUNT accesses SOME of the step at OFFSET, and before them an entry
   that says that there may be more if BLIND.  */
static bool
append (struct listing *l, uint64_t offset,
	const struct tb_access_info *some, size_t count, bool blind)
{
  bool ok = TB_GROW (l->entries, l->capacity, l->count, count + blind);
  if (!ok)
    return false;
  if (blind)
    l->entries[l->count++] = (struct access_entry) { .offset = (uint16_t) offset };
  for (size_t i = 0; i < count; i++)
    {
      struct access_entry *e = &l->entries[l->count++];
      *e = (struct access_entry) { .offset = (uint16_t) offset };
      e->address = some[i].address;
      e->length = some[i].length < UINT16_MAX ? (uint16_t) some[i].length
					      : UINT16_MAX;
      e->store = some[i].store;
      e->address_known = some[i].address_known;
      e->span = ANYWHERE;
      if (some[i].address_bounded)
	{
	  e->address = some[i].low;
	  e->span = span_of (some[i].high - some[i].low);
	}
    }
  return true;
}

/* Append an entry that says that a gap follows on the step at OFFSET.  */
static bool
append_gap (struct listing *l, uint64_t offset)
{
  if (!append (l, offset, NULL, 0, true))
    return false;
  l->entries[l->count - 1].gap = true;
  return true;
}

/* The first step of block NUMBER.  */
static uint64_t
block_begin (const struct tb_accesses *a, uint64_t number)
{
  return number == 0 ? a->first : a->base + number * BLOCK;
}

/* List the accesses of block NUMBER.  What an exception puts on the stack is
   listed with the step behind which it is taken.  */
static enum tb_search
list (struct tb_accesses *a, uint64_t number)
{
  struct block *block = &a->blocks[number];
  if (block->seen)
    return TB_SEARCH_NONE;
  if (a->go_on != NULL && !a->go_on (a->context))
    return TB_SEARCH_STOPPED;
  uint64_t begin = block_begin (a, number);
  uint64_t end = a->base + (number + 1) * BLOCK;
  if (number == (a->steps - a->base) / BLOCK)
    end = a->steps;
  if (!tb_state_ready (a->state, begin))
    return TB_SEARCH_STOPPED;
  struct listing l = { NULL, 0, 0 };
  uint64_t *exceptions = tb_event_steps (a->recording, begin, end, TB_EVENT_EXCEPTION);
  uint64_t *gaps = tb_event_steps (a->recording, begin, end, TB_EVENT_GAP);
  bool ok = exceptions != NULL && gaps != NULL;
  size_t next = 0, next_gap = 0;
  for (uint64_t step = begin; ok && step < end; step++)
    {
      struct tb_access_info some[OF_ONE_STEP];
      size_t n = tb_state_accesses (a->state, step, some, OF_ONE_STEP);
      if (n > OF_ONE_STEP)
	n = OF_ONE_STEP;
      /* What is not analysed may do more than what is known of it.  */
      bool blind = !tb_state_analysed (a->state, step);
      ok = n + blind == 0 || append (&l, step - begin, some, n, blind);
      if (ok && gaps[next_gap] == step + 1)
	{
	  next_gap++;
	  ok = append_gap (&l, step - begin);
	}
      if (!ok || exceptions[next] != step + 1)
	continue;
      next++;
      n = tb_state_stacked (a->state, step + 1, some, OF_ONE_STEP);
      ok = append (&l, step - begin, some, n < OF_ONE_STEP ? n : OF_ONE_STEP,
		   false);
    }
  free (exceptions);
  free (gaps);
  if (!ok)
    {
      free (l.entries);
      return TB_SEARCH_NO_MEMORY;
    }
  block->entries = l.entries;
  block->count = (uint32_t) l.count;
  block->seen = true;
  return TB_SEARCH_NONE;
}

enum tb_search
tb_accesses_prepare (struct tb_accesses *a, uint64_t first)
{
  enum tb_search listed = TB_SEARCH_NONE;
  if (first < a->first)
    first = a->first;
  if (first >= a->steps)
    return listed;
  uint64_t least = (first - a->base) / BLOCK;
  for (uint64_t n = (a->steps - 1 - a->base) / BLOCK + 1;
       n-- > least && listed == TB_SEARCH_NONE;)
    listed = list (a, n);
  return listed;
}

/* Is E one of what is watched?  FOUND->possible becomes true where it may be.  */
static bool
hits (const struct access_entry *e, const struct tb_watch_range *watches,
      size_t count, struct tb_access_found *found)
{
  if (e->length == 0)
    {
      if (e->gap)
	found->gaps++;
      else
	found->unknown_steps++;
      for (size_t i = 0; i < count; i++)
	found->possible |= watches[i].possible;
      return false;
    }
  bool of_kind = false;
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_watch_range *w = &watches[i];
      if (!(e->store ? w->stores : w->loads))
	continue;
      bool may = e->address_known || may_hit (e, w);
      of_kind |= may;
      found->possible |= w->possible && may && !e->address_known;
      if (!e->address_known
	  || e->address > w->address + (w->length - 1)
	  || w->address > e->address + (e->length - 1))
	continue;
      found->watch = i;
      found->address = e->address > w->address ? e->address : w->address;
      found->store = e->store;
      return true;
    }
  if (of_kind && !e->address_known)
    {
      if (e->store)
	found->unknown_stores++;
      else
	found->unknown_loads++;
    }
  return false;
}

enum tb_search
tb_accesses_next (struct tb_accesses *a, const struct tb_watch_range *watches,
		  size_t count, uint64_t from, uint64_t end,
		  struct tb_access_found *found)
{
  found->unknown_loads = found->unknown_stores = found->unknown_steps = 0;
  found->gaps = 0;
  found->possible = false;
  if (from < a->first)
    from = a->first;
  if (end > a->steps)
    end = a->steps;
  for (uint64_t n = (from - a->base) / BLOCK;
       from < end && block_begin (a, n) < end; n++)
    {
      uint64_t begin = block_begin (a, n);
      a->reached = begin < from ? from : begin;
      enum tb_search listed = list (a, n);
      if (listed != TB_SEARCH_NONE)
	return listed;
      for (uint32_t i = 0; i < a->blocks[n].count; i++)
	{
	  const struct access_entry *e = &a->blocks[n].entries[i];
	  uint64_t step = begin + e->offset;
	  if (step < from)
	    continue;
	  /* What is known of the step's other accesses counts more.  */
	  if (found->possible && step != found->step)
	    return TB_SEARCH_FOUND;
	  if (step >= end)
	    break;
	  found->step = step;
	  if (hits (e, watches, count, found))
	    {
	      found->possible = false;
	      return TB_SEARCH_FOUND;
	    }
	}
      if (found->possible)
	return TB_SEARCH_FOUND;
    }
  return TB_SEARCH_NONE;
}

enum tb_search
tb_accesses_previous (struct tb_accesses *a,
		      const struct tb_watch_range *watches, size_t count,
		      uint64_t from, uint64_t begin,
		      struct tb_access_found *found)
{
  found->unknown_loads = found->unknown_stores = found->unknown_steps = 0;
  found->gaps = 0;
  found->possible = false;
  if (from > a->steps)
    from = a->steps;
  if (begin < a->first)
    begin = a->first;
  if (from <= begin)
    return TB_SEARCH_NONE;
  uint64_t least = (begin - a->base) / BLOCK;
  for (uint64_t n = (from - 1 - a->base) / BLOCK + 1; n-- > least;)
    {
      uint64_t start = block_begin (a, n), behind = block_begin (a, n + 1);
      a->reached = behind < from ? behind : from;
      enum tb_search listed = list (a, n);
      if (listed != TB_SEARCH_NONE)
	return listed;
      for (uint32_t i = a->blocks[n].count; i-- > 0;)
	{
	  const struct access_entry *e = &a->blocks[n].entries[i];
	  uint64_t step = start + e->offset;
	  if (step >= from)
	    continue;
	  if (step < begin)
	    break;
	  if (hits (e, watches, count, found))
	    {
	      found->step = step;
	      return TB_SEARCH_FOUND;
	    }
	}
    }
  return TB_SEARCH_NONE;
}
