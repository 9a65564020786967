/* Breakpoints and watchpoints: Z and z.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "run.h"
#include "util/buffer.h"

/* The index of the one that ARGS describe; NBREAKPOINTS: it is not set.  */
static size_t
find (const struct client *c, const struct breakpoint *wanted)
{
  size_t i = 0;
  while (i < c->nbreakpoints
	 && (c->breakpoints[i].kind != wanted->kind
	     || c->breakpoints[i].address != wanted->address
	     || (wanted->kind >= WATCH_WRITE
		 && c->breakpoints[i].length != wanted->length)))
    i++;
  return i;
}

/* What a packet with the numbers ARGS describes; false after an error reply. */
static bool
describe (struct client *c, const struct packet_args *args,
	  struct breakpoint *b)
{
  *b = (struct breakpoint) { args->number[1], args->number[2],
			     (uint8_t) args->number[0] };
  /* Empty: other types are not supported.  */
  if (args->number[0] >= BREAKPOINT_KINDS)
    return false;
  if (b->kind >= WATCH_WRITE
      && (b->length == 0 || b->length - 1 > UINT64_MAX - b->address))
    {
      reply_error (c);
      return false;
    }
  /* A32 and T32 code is told apart by the kind of instruction, not by bit 0.  */
  const struct tb_tdesc_layout *layout
    = tb_tdesc_layout (target_profile (c->target));
  if (b->kind < WATCH_WRITE && layout->slots[layout->pc].size == 4)
    b->address &= ~UINT64_C (1);
  return true;
}

static void
insert (struct client *c, const struct packet_args *args)
{
  struct breakpoint b;
  if (!describe (c, args, &b))
    return;
  if (find (c, &b) == c->nbreakpoints)
    {
      void *items = c->breakpoints;
      bool ok = c->nbreakpoints < BREAKPOINTS_MAX
		&& tb_grow (&items, &c->breakpoint_capacity, c->nbreakpoints,
			    1, sizeof *c->breakpoints);
      c->breakpoints = items;
      if (!ok)
	{
	  reply_error (c);
	  return;
	}
      c->breakpoints[c->nbreakpoints++] = b;
    }
  reply_ok (c);
}

static void
remove_it (struct client *c, const struct packet_args *args)
{
  struct breakpoint b;
  if (!describe (c, args, &b))
    return;
  size_t i = find (c, &b);
  if (i < c->nbreakpoints)
    {
      c->nbreakpoints--;
      memmove (c->breakpoints + i, c->breakpoints + i + 1,
	       (c->nbreakpoints - i) * sizeof *c->breakpoints);
    }
  reply_ok (c);
}

static int
by_first (const void *a, const void *b)
{
  const struct tb_visit_range *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

size_t
breakpoint_ranges (const struct client *c, struct tb_visit_range *ranges)
{
  size_t count = 0, kept = 0;
  for (size_t i = 0; i < c->nbreakpoints; i++)
    if (c->breakpoints[i].kind < WATCH_WRITE)
      ranges[count++] = (struct tb_visit_range) { c->breakpoints[i].address,
						  c->breakpoints[i].address };
  if (count != 0)
    qsort (ranges, count, sizeof *ranges, by_first);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || ranges[i].first != ranges[kept - 1].first)
      ranges[kept++] = ranges[i];
  return kept;
}

const struct breakpoint *
breakpoint_at (const struct client *c, uint64_t pc)
{
  for (size_t i = 0; i < c->nbreakpoints; i++)
    if (c->breakpoints[i].kind < WATCH_WRITE
	&& c->breakpoints[i].address == pc)
      return &c->breakpoints[i];
  return NULL;
}

size_t
watch_ranges (const struct client *c, struct tb_watch_range *watches,
	      const struct breakpoint **which)
{
  size_t count = 0;
  for (size_t i = 0; i < c->nbreakpoints; i++)
    {
      const struct breakpoint *b = &c->breakpoints[i];
      if (b->kind < WATCH_WRITE)
	continue;
      watches[count] = (struct tb_watch_range) {
	b->address, b->length, b->kind != WATCH_WRITE, b->kind != WATCH_READ
      };
      which[count++] = b;
    }
  return count;
}

const struct packet_handler packets_breakpoints[] = {
  { "Z", "x,x,x*", insert },
  { "z", "x,x,x*", remove_it },
  { NULL, NULL, NULL }
};
