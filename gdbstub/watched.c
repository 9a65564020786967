/* What GDB compares what it watches with.  See watched.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "watched.h"

#include <inttypes.h>
#include <string.h>

#include "client.h"
#include "dispatch.h"
#include "motion.h"
#include "threads.h"

/* No more bytes of a watchpoint are compared.  */
#define BYTES_MOST 256

/* The bytes of what is watched at one moment.  */
struct look
{
  uint8_t bytes[BYTES_MOST];
  bool dark;			/* Some are not known.  */
};

/* Read what B watches at POSITION of T; false: it is more than is compared, or no memory.  */
static bool
look (struct target *t, const struct breakpoint *b, uint64_t position, struct look *l)
{
  uint8_t origins[BYTES_MOST];
  struct tb_moment moment;
  bool has_pc;
  if (b->length > sizeof l->bytes || position > t->last
      || !target_moment (t, position, &moment, &has_pc))
    return false;
  target_memory (t, &moment, b->address, l->bytes, origins, (size_t) b->length);
  l->dark = memchr (origins, TB_UNKNOWN, (size_t) b->length) != NULL;
  return true;
}

/* Has GDB the same of X as of Y, of LENGTH bytes?  Of what it cannot read it has nothing.  */
static bool
is_same (const struct look *x, const struct look *y, uint64_t length)
{
  return x->dark == y->dark
	 && (x->dark || memcmp (x->bytes, y->bytes, (size_t) length) == 0);
}

/* The entry of LENGTH bytes at ADDRESS, which gets first; NULL: there is none.  */
static struct watched_range *
find (struct watched *w, uint64_t address, uint64_t length)
{
  size_t i = 0;
  while (i < w->count && (w->ranges[i].address != address || w->ranges[i].length != length))
    i++;
  if (i == w->count)
    return NULL;
  struct watched_range range = w->ranges[i];
  memmove (w->ranges + 1, w->ranges, i * sizeof *w->ranges);
  w->ranges[0] = range;
  return w->ranges;
}

/* The same; if there is none it is made, without places.  The last one makes way.  */
static struct watched_range *
find_or_make (struct watched *w, uint64_t address, uint64_t length)
{
  struct watched_range *range = find (w, address, length);
  if (range != NULL)
    return range;
  if (w->count < WATCHED_MOST)
    w->count++;
  memmove (w->ranges + 1, w->ranges, (w->count - 1) * sizeof *w->ranges);
  w->ranges[0] = (struct watched_range) { .address = address, .length = length };
  return w->ranges;
}

/* Is the read that comes now one of those right before it?  */
static bool
is_repeated (struct client *c, uint64_t address, uint64_t length)
{
  struct watched *w = &c->watched;
  bool repeated = false;
  if (c->packets != w->next)
    w->nreads = 0;
  w->next = c->packets + 1;
  for (size_t i = 0; i < w->nreads; i++)
    repeated |= w->reads[i].address == address && w->reads[i].length == length;
  if (w->nreads == WATCHED_READS)
    memmove (w->reads, w->reads + 1, --w->nreads * sizeof *w->reads);
  w->reads[w->nreads++] = (struct watched_read) { address, length };
  return repeated;
}

void
watched_note (struct client *c, uint64_t address, uint64_t length, bool marks)
{
  struct watched *w = &c->watched;
  const struct watched_place here = { c->thread, client_position (c) };
  if (marks)
    {
      w->nreads = 0;
      return;
    }
  bool repeated = is_repeated (c, address, length);
  if (w->checks && c->frame < 0 && w->checked.core == here.core
      && w->checked.position == here.position && w->checked_address >= address
      && w->checked_address - address < length)
    {
      struct watched_range *range = find_or_make (w, address, length);
      range->places[0] = here;
      range->count = 1;
      range->lapsed = false;
    }
  /* GDB reads twice what a new watchpoint watches, with nothing between.  A user who has a value
     shown twice may do so too: what was there before still counts.  */
  else if (repeated && (c->frame >= 0 || !w->mended))
    {
      struct watched_range *range = find_or_make (w, address, length);
      range->count = range->lapsed ? 1 : range->count + (range->count < 2);
      range->lapsed = false;
      range->places[range->count - 1] = here;
    }
}

/* Is what R is of set?  */
static bool
is_set (const struct client *c, const struct watched_range *r)
{
  for (size_t i = 0; i < c->nbreakpoints; i++)
    if (c->breakpoints[i].kind >= WATCH_WRITE && c->breakpoints[i].address == r->address
	&& c->breakpoints[i].length == r->length)
      return true;
  return false;
}

void
watched_move (struct client *c, bool goes_on)
{
  struct watched *w = &c->watched;
  size_t kept = 0;
  for (size_t i = 0; i < w->count; i++)
    {
      struct watched_range r = w->ranges[i];
      r.lapsed = !is_set (c, &r);
      if (!goes_on || !r.lapsed)
	w->ranges[kept++] = r;
    }
  w->count = kept;
}

void
watched_report (struct client *c, uint64_t address, uint64_t position)
{
  c->watched.checks = true;
  c->watched.checked_address = address;
  c->watched.checked = (struct watched_place) { c->thread, position };
}

/* How the store of STEP to what B watches would look, as watched_find.  */
static enum watched_look
look_of (const struct motion *m, const struct breakpoint *b, uint64_t step, uint64_t to)
{
  struct client *c = m->client;
  struct look there, other, had;
  const struct watched_range *range = find (&c->watched, b->address, b->length);
  if (b->kind != WATCH_WRITE || !look (c->target, b, to, &there))
    return WATCHED_STOPS;
  if (range == NULL)
    /* As far as anything tells, GDB has it of where it stands.  */
    return there.dark && look (c->target, b, c->position, &had) && had.dark ? WATCHED_DARK
	   : WATCHED_STOPS;
  bool same = false;
  for (unsigned i = 0; i < range->count && !same; i++)
    same = range->places[i].core < c->nthreads
	   && look (threads_target (c, range->places[i].core), b, range->places[i].position, &had)
	   && is_same (&had, &there, b->length);
  if (!same)
    return WATCHED_STOPS;
  if (there.dark)
    return WATCHED_DARK;
  if (!look (c->target, b, m->backward ? step + 1 : step, &other))
    return WATCHED_STOPS;
  if (other.dark)
    return WATCHED_DARK;
  return is_same (&other, &there, b->length) ? WATCHED_STOPS : WATCHED_SAME;
}

enum watched_look
watched_find (const struct motion *m, const struct tb_access_found *found, uint64_t to)
{
  enum watched_look all = WATCHED_STOPS;
  if (to > m->client->target->last)
    return all;
  for (size_t i = 0; i < m->nwatches; i++)
    {
      const struct breakpoint *b = m->which[i];
      if (found->address < b->address || found->address - b->address >= b->length)
	continue;
      enum watched_look one = look_of (m, b, found->step, to);
      if (one == WATCHED_STOPS)
	return one;
      all = one > all ? one : all;
    }
  return all;
}

/* Data may be big-endian, so bytes are what there is for certain.  */
static void
tell_bytes (struct client *c, const char *what, const struct look *l, uint64_t length)
{
  client_console (c, " %s", what);
  for (size_t i = 0; i < length; i++)
    client_console (c, " %02x", l->bytes[i]);
}

void
watched_tell (const struct motion *m, const struct tb_access_found *found)
{
  struct client *c = m->client;
  const struct breakpoint *b = m->which[found->watch];
  struct look before, after;
  if (!look (c->target, b, found->step, &before) || !look (c->target, b, found->step + 1, &after))
    return;
  threads_say (c, "Step %" PRIu64 " changes what is watched at 0x%" PRIx64, found->step,
	       b->address);
  if (b->length <= 8)
    {
      tell_bytes (c, "from the bytes", &before, b->length);
      tell_bytes (c, "to", &after, b->length);
    }
  client_console (c, ";\nGDB may have the same value already, which it read at another "
		  "moment, and would pass over that.\n");
}

/* qTracebridge.Watched: the project's commands have had GDB read anew, at the moment of execution,
   what it watches and has of another one.  */
static void
forget (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->watched.count = c->watched.nreads = 0;
  c->watched.mended = true;
  reply_ok (c);
}

const struct packet_handler packets_watched[] = {
  { "qTracebridge.Watched", "", forget },
  { NULL, NULL, NULL }
};
