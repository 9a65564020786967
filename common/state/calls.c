/* Calls and exceptions that return.  See calls.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/calls.h"

#include <stdlib.h>
#include <string.h>

#include "arm/flow.h"
#include "util/buffer.h"

/* Calls deeper than this are forgotten, the outermost first.  */
#define DEPTH 1024

bool
tb_calls_init (struct tb_calls *c, unsigned kept, struct tb_pairs *pairs,
	       enum tb_same (*same) (const void *context, tb_vid a, tb_vid b),
	       const void *context)
{
  *c = (struct tb_calls) { .kept = kept, .pairs = pairs, .same = same,
			   .context = context };
  c->open = calloc (DEPTH, sizeof *c->open);
  pairs->count = 0;
  return c->open != NULL;
}

void
tb_calls_fini (struct tb_calls *c)
{
  tb_calls_forget (c);
  free (c->open);
  c->open = NULL;
}

enum tb_calls_way
tb_calls_way (struct tb_recording *recording, uint64_t step)
{
  const struct tb_profile *profile = tb_recording_profile (recording);
  struct tb_flow flow = { .kind = TB_FLOW_OTHER };
  struct tb_step one;
  if (step == 0 || tb_recording_read (recording, step - 1, &one, 1) != 1
      || !(one.flags & TB_STEP_TAKEN))
    return TB_WAY_OTHER;
  if (one.isa == TB_ISA_A64)
    tb_flow_a64 (&flow, one.opcode, one.pc);
  else if (one.isa == TB_ISA_A32)
    tb_flow_a32 (&flow, one.opcode, one.pc, profile);
  else if (one.isa == TB_ISA_T32)
    tb_flow_t32 (&flow, one.size == 2 ? one.opcode << 16 : one.opcode, one.pc,
		 false, profile);
  return flow.kind != TB_FLOW_INDIRECT ? TB_WAY_OTHER
	 : flow.sub == TB_SUB_ERET ? TB_WAY_RETURN : TB_WAY_BRANCH;
}

static enum tb_same
same (const struct tb_calls *c, tb_vid a, tb_vid b)
{
  return a == 0 || b == 0 ? TB_SAME_UNSURE : c->same (c->context, a, b);
}

/* The thread that has run, with COUNT calls open, stops at stack pointer SP.  */
static void
stop (struct tb_calls *c, size_t count, tb_vid sp)
{
  c->count = 0;
  if (count == 0 || sp == 0)
    return;
  if (c->nasleep == TB_ASLEEP_MOST)
    {
      free (c->asleep[0].open);
      memmove (c->asleep, c->asleep + 1,
	       --c->nasleep * sizeof c->asleep[0]);
    }
  struct tb_open_call *copy = malloc (count * sizeof *copy);
  c->failed |= copy == NULL;
  if (copy == NULL)
    return;
  memcpy (copy, c->open, count * sizeof *copy);
  c->asleep[c->nasleep++] = (struct tb_asleep) { copy, count, sp };
}

/* What goes on runs at stack pointer SP: which thread that is, if any.  */
static void
go_on (struct tb_calls *c, tb_vid sp)
{
  c->count = 0;
  for (size_t i = c->nasleep; i-- > 0;)
    {
      struct tb_asleep *a = &c->asleep[i];
      if (same (c, a->sp, sp) != TB_SAME)
	continue;
      memcpy (c->open, a->open, a->count * sizeof *a->open);
      c->count = a->count;
      free (a->open);
      memmove (a, a + 1, (--c->nasleep - i) * sizeof *a);
      return;
    }
}

static void
push (struct tb_calls *c, const struct tb_open_call *call,
      const tb_vid *names)
{
  if (c->count == DEPTH)
    memmove (c->open, c->open + 1, --c->count * sizeof *c->open);
  c->open[c->count] = *call;
  memcpy (c->open[c->count].names, names, c->kept * sizeof *names);
  c->count++;
}

/* Open call number AT returned; those inside it never did.  */
static void
add_pair (struct tb_calls *c, size_t at, uint64_t to, const tb_vid *names)
{
  const struct tb_open_call *call = &c->open[at];
  void *items = c->pairs->items;
  c->count = at;
  if (!tb_grow (&items, &c->pairs->room, c->pairs->count, 1,
		sizeof *c->pairs->items))
    c->failed = true;
  c->pairs->items = items;
  if (c->failed)
    return;
  struct tb_assumed_pair *pair = &c->pairs->items[c->pairs->count++];
  *pair = (struct tb_assumed_pair) {
    .from = call->step, .to = to, .callee = call->step + !call->exception
  };
  memcpy (pair->before, call->names, c->kept * sizeof *names);
  memcpy (pair->after, names, c->kept * sizeof *names);
  /* The frame, or the bank, tells of an exception's SP.  */
  if (call->exception)
    pair->before[c->kept - 1] = pair->after[c->kept - 1] = 0;
  pair->outside = call->outside;
  if (call->outside != NULL)
    memset (pair->before, 0, sizeof pair->before);
}

void
tb_calls_outside (struct tb_calls *c, const struct tb_border_call *call,
		  uint64_t base, const tb_vid *names)
{
  push (c, &(struct tb_open_call) {
	  .step = call->step - base, .back = call->back,
	  .exception = call->exception != 0,
	  .banked = call->banked ? c->banked - 1 : c->banked, .outside = call
	}, names);
}

void
tb_calls_end (struct tb_calls *c, const struct tb_border *after,
	      uint64_t base, struct tb_open_call **open, size_t *count)
{
  size_t n = c->count < TB_BORDER_CALLS ? c->count : TB_BORDER_CALLS;
  const struct tb_open_call *first = c->open + (c->count - n);
  static const tb_vid none[TB_KEPT_MOST];
  *count = 0;
  *open = n != 0 ? malloc (n * sizeof **open) : NULL;
  c->failed |= n != 0 && *open == NULL;
  if (*open == NULL)
    return;
  memcpy (*open, first, n * sizeof **open);
  *count = n;
  for (size_t i = 0; i < n; i++)
    (*open)[i].banked = first[i].banked != c->banked;
  for (size_t i = n; i-- > 0 && !c->failed;)
    {
      const struct tb_open_call *call = &(*open)[i];
      const struct tb_border_call *returned
	= tb_border_call (after, base + call->step);
      if (returned == NULL || call->outside != NULL)
	continue;
      add_pair (c, c->count - n + i, returned->to - base, none);
      if (!c->failed)
	c->pairs->items[c->pairs->count - 1].outside = returned;
      c->count = (size_t) (first - c->open) + n;
    }
}

void
tb_calls_call (struct tb_calls *c, uint64_t step, uint64_t back,
	       const tb_vid *names)
{
  push (c, &(struct tb_open_call) { .step = step, .back = back }, names);
}

void
tb_calls_enter (struct tb_calls *c, uint64_t step, uint64_t back,
		const tb_vid *names, tb_vid sp)
{
  push (c, &(struct tb_open_call) { .step = step, .back = back,
				    .exception = true, .banked = c->banked },
	names);
  c->open[c->count - 1].names[c->kept - 1] = sp;
}

void
tb_calls_leave (struct tb_calls *c, uint64_t step, uint64_t address,
		const tb_vid *names)
{
  tb_vid sp = names[c->kept - 1];
  size_t at = c->count;
  while (at > 0 && !c->open[at - 1].exception)
    at--;
  c->count = at;
  const struct tb_open_call *entry = at > 0 ? &c->open[at - 1] : NULL;
  enum tb_same here = entry == NULL ? TB_SAME_NOT
		      : same (c, entry->names[c->kept - 1], sp);
  /* Without any hint of another stack, it is the same one.  */
  if (here == TB_SAME_NOT
      || (here == TB_SAME_UNSURE && entry->banked != c->banked))
    {
      stop (c, at, entry != NULL ? entry->names[c->kept - 1] : 0);
      go_on (c, sp);
    }
  /* A return to elsewhere is another thread's: nothing open is of it.  But the
     handler of a fault may step over the instruction at fault.  */
  at = c->count;
  if (at == 0 || !c->open[at - 1].exception
      || address - c->open[at - 1].back > 4)
    c->count = 0;
  else
    add_pair (c, at - 1, step, names);
}

void
tb_calls_chain (struct tb_calls *c)
{
  while (c->count > 0 && !c->open[c->count - 1].exception)
    c->count--;
}

void
tb_calls_return (struct tb_calls *c, uint64_t step, uint64_t pc,
		 const tb_vid *names)
{
  /* The innermost one counts, unless it is known to have another stack pointer
     and one further out has not; an exception is not left so.  */
  size_t found = 0;
  for (size_t at = c->count; at > 0 && !c->open[at - 1].exception; at--)
    if (c->open[at - 1].back == pc)
      {
	if (found == 0)
	  found = at;
	if (same (c, c->open[at - 1].names[c->kept - 1], names[c->kept - 1])
	    != TB_SAME_NOT)
	  {
	    found = at;
	    break;
	  }
      }
  if (found != 0)
    add_pair (c, found - 1, step, names);
}

void
tb_calls_switch (struct tb_calls *c, tb_vid old, tb_vid new)
{
  if (same (c, old, new) == TB_SAME)
    return;
  /* The outermost caller that had this stack pointer.  */
  size_t found = 0;
  for (size_t at = c->count; at > 0 && !c->open[at - 1].exception; at--)
    if (same (c, c->open[at - 1].names[c->kept - 1], new) == TB_SAME)
      found = at;
  if (found != 0)
    {
      c->count = found - 1;
      return;
    }
  stop (c, c->count, old);
  go_on (c, new);
}

void
tb_calls_banked (struct tb_calls *c)
{
  c->banked++;
}

void
tb_calls_forget (struct tb_calls *c)
{
  c->count = 0;
  while (c->nasleep > 0)
    free (c->asleep[--c->nasleep].open);
}
