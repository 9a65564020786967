/* Breakpoints and watchpoints: Z and z.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Conditions come as agent expressions.  Where one needs what is not known
   execution stops and GDB's console says why: passing over it could miss the very
   place that is looked for.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "experiment.h"
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
  *b = (struct breakpoint) { .address = args->number[1],
			     .length = args->number[2],
			     .kind = (uint8_t) args->number[0] };
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
  if (b->kind < WATCH_WRITE && !target_profile (c->target)->has_a64)
    {
      b->odd = b->address & 1;
      b->address &= ~UINT64_C (1);
    }
  return true;
}

static void
conditions_free (struct breakpoint *b)
{
  for (size_t i = 0; i < b->nconditions; i++)
    tb_expression_fini (&b->conditions[i]);
  free (b->conditions);
  b->conditions = NULL;
  b->nconditions = 0;
}

void
breakpoints_free (struct client *c)
{
  for (size_t i = 0; i < c->nbreakpoints; i++)
    conditions_free (&c->breakpoints[i]);
  free (c->breakpoints);
  free (c->ran);
  c->ran = NULL;
  c->nran = c->ran_room = 0;
  c->breakpoints = NULL;
  c->nbreakpoints = c->breakpoint_capacity = 0;
}

/* Read what may follow the numbers: ";" and X with an expression, any number of
   times (one for each of GDB's breakpoints at the place; GDB 13 has one ";" before
   all of them).  */
static bool
read_conditions (struct breakpoint *b, const struct packet_args *args)
{
  const char *at = args->text, *end = args->text + args->length;
  size_t capacity = 0;
  while (at < end)
    {
      at += at[0] == ';';
      bool ok = at < end && *at++ == 'X'
		&& TB_GROW (b->conditions, capacity, b->nconditions, 1);
      if (!ok || !tb_expression_read (&b->conditions[b->nconditions], &at, end))
	{
	  conditions_free (b);
	  return false;
	}
      b->nconditions++;
    }
  return true;
}

/* The same breakpoint again has new conditions.  */
static bool
add (struct client *c, const struct breakpoint *b)
{
  size_t i = find (c, b);
  if (i < c->nbreakpoints)
    {
      conditions_free (&c->breakpoints[i]);
      c->breakpoints[i] = *b;
      return true;
    }
  bool ok = c->nbreakpoints < BREAKPOINTS_MAX
	    && TB_GROW (c->breakpoints, c->breakpoint_capacity, c->nbreakpoints, 1);
  if (ok)
    c->breakpoints[c->nbreakpoints++] = *b;
  return ok;
}

static void
insert (struct client *c, const struct packet_args *args)
{
  struct breakpoint b;
  if (!describe (c, args, &b))
    return;
  if (read_conditions (&b, args) && add (c, &b))
    reply_ok (c);
  else
    {
      conditions_free (&b);
      reply_error (c);
    }
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
      conditions_free (&c->breakpoints[i]);
      c->nbreakpoints--;
      memmove (c->breakpoints + i, c->breakpoints + i + 1,
	       (c->nbreakpoints - i) * sizeof *c->breakpoints);
    }
  reply_ok (c);
}

bool
breakpoint_is_new (const struct client *c, uint64_t address)
{
  for (size_t i = 0; i < c->nran; i++)
    if (c->ran[i] == address)
      return false;
  return true;
}

bool
breakpoint_any_new (const struct client *c)
{
  for (size_t i = 0; i < c->nbreakpoints; i++)
    if (c->breakpoints[i].kind < WATCH_WRITE && breakpoint_is_new (c, c->breakpoints[i].address))
      return true;
  return false;
}

void
breakpoints_ran (struct client *c, uint64_t pc, bool stepped)
{
  if (stepped && c->nbreakpoints == 0 && !breakpoint_is_new (c, pc))
    return;
  bool ok = TB_GROW (c->ran, c->ran_room, 0, c->nbreakpoints);
  c->nran = 0;
  for (size_t i = 0; ok && i < c->nbreakpoints; i++)
    if (c->breakpoints[i].kind < WATCH_WRITE)
      c->ran[c->nran++] = c->breakpoints[i].address;
}

/* Does execution stop at B at POSITION, where B is?  TB_MAYBE: *WHY says why that
   cannot be told.  */
static enum tb_truth
holds (struct client *c, const struct breakpoint *b,
       uint64_t position, const char **why)
{
  struct target *t = c->target;
  enum tb_truth any = TB_FALSE;
  if (b->nconditions == 0)
    return TB_TRUE;
  if (!target_prepare (t))
    {
      *why = "no memory";
      return TB_MAYBE;
    }
  const struct tb_stage stage = target_stage (t);
  struct tb_scene scene;
  tb_scene_init (&scene, &stage,
		 t->experiment != NULL ? &t->experiment->trace.set : NULL,
		 position);
  for (size_t i = 0; i < b->nconditions && any != TB_TRUE; i++)
    {
      struct tb_value value;
      enum tb_agent_status status
	= tb_scene_evaluate (&scene, &b->conditions[i], &value);
      enum tb_truth truth = tb_agent_truth (&value);
      if (truth == TB_MAYBE)
	*why = tb_agent_text (status == TB_AGENT_DONE ? TB_AGENT_UNKNOWN
						      : status);
      if (truth != TB_FALSE)
	any = truth;
    }
  return any;
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
breakpoint_hit (struct client *c, uint64_t pc, uint64_t position,
		const char **why)
{
  const struct breakpoint *perhaps = NULL;
  const char *reason;
  *why = NULL;
  for (size_t i = 0; i < c->nbreakpoints; i++)
    {
      const struct breakpoint *b = &c->breakpoints[i];
      if (b->kind >= WATCH_WRITE || b->address != pc)
	continue;
      enum tb_truth truth = holds (c, b, position, &reason);
      if (truth == TB_TRUE)
	{
	  *why = NULL;
	  return b;
	}
      if (truth == TB_MAYBE)
	{
	  perhaps = b;
	  *why = reason;
	}
    }
  return perhaps;
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
	.address = b->address, .length = b->length, .loads = b->kind != WATCH_WRITE,
	.stores = b->kind != WATCH_READ
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
