/* Calls and exceptions that return.  See calls.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/calls.h"

#include <stdlib.h>
#include <string.h>

#include "arm/flow/flow.h"
#include "util/buffer.h"

/* Calls deeper than this are forgotten, the outermost first.  */
#define DEPTH 1024

/* Are the values A and B of CONTEXT, a graph, the same number?  */
static enum tb_same
compare (const void *context, uint64_t a, uint64_t b)
{
  return tb_same_value (context, (tb_vid) a, (tb_vid) b);
}

void
tb_calls_init (struct tb_calls *c, unsigned kept, struct tb_pairs *pairs,
	       const struct tb_graph *graph)
{
  *c = (struct tb_calls) { .kept = kept, .pairs = pairs };
  tb_open_init (&c->open, DEPTH, sizeof (struct tb_called), compare, graph);
}

void
tb_calls_fini (struct tb_calls *c)
{
  tb_open_fini (&c->open);
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
  tb_flow_of (&flow, one.isa, one.opcode, one.size, one.pc, false, profile);
  return flow.kind != TB_FLOW_INDIRECT ? TB_WAY_OTHER
	 : flow.sub == TB_SUB_ERET ? TB_WAY_RETURN
	 : flow.sub == TB_SUB_RETURN || flow.sub == TB_SUB_V7RETURN ? TB_WAY_BRANCH : TB_WAY_JUMP;
}

/* CALL is open; the values in registers were NAMES then.  */
static struct tb_called *
push (struct tb_calls *c, const struct tb_open_call *call,
      const tb_vid *names)
{
  struct tb_called *called = tb_open_push (&c->open, call);
  if (called != NULL)
    memcpy (called->names, names, c->kept * sizeof *names);
  return called;
}

/* Open call number AT returned; those inside it never did.  */
static void
add_pair (struct tb_calls *c, size_t at, uint64_t to, const tb_vid *names)
{
  const struct tb_open_call *call = &c->open.open[at];
  const struct tb_called *called = tb_open_extra (&c->open, at);
  c->open.count = at;
  if (!TB_GROW (c->pairs->items, c->pairs->room, c->pairs->count, 1))
    c->open.failed = true;
  if (c->open.failed)
    return;
  struct tb_assumed_pair *pair = &c->pairs->items[c->pairs->count++];
  *pair = (struct tb_assumed_pair) {
    .from = call->step, .to = to, .callee = call->step + !call->exception
  };
  memcpy (pair->before, called->names, c->kept * sizeof *names);
  memcpy (pair->after, names, c->kept * sizeof *names);
  /* The frame, or the bank, tells of an exception's SP.  */
  if (call->exception)
    pair->before[c->kept - 1] = pair->after[c->kept - 1] = 0;
  pair->outside = called->outside;
  if (called->outside != NULL)
    memset (pair->before, 0, sizeof pair->before);
}

void
tb_calls_outside (struct tb_calls *c, const struct tb_border_call *call,
		  uint64_t base, const tb_vid *names)
{
  struct tb_called *called = push (c, &(struct tb_open_call) {
      .step = call->step - base, .back = call->back,
      .sp = names[c->kept - 1], .exception = call->exception != 0
    }, names);
  if (called == NULL)
    return;
  called->outside = call;
  c->open.open[c->open.count - 1].banked -= call->banked != 0;
}

void
tb_calls_end (struct tb_calls *c, const struct tb_border *after,
	      uint64_t base, struct tb_left_open **open, size_t *count)
{
  size_t all = c->open.count;
  size_t n = all < TB_BORDER_CALLS ? all : TB_BORDER_CALLS;
  static const tb_vid none[TB_KEPT_MOST];
  *count = 0;
  *open = n != 0 ? malloc (n * sizeof **open) : NULL;
  c->open.failed |= n != 0 && *open == NULL;
  if (*open == NULL)
    return;
  *count = n;
  for (size_t i = 0; i < n; i++)
    {
      struct tb_left_open *left = &(*open)[i];
      left->call = c->open.open[all - n + i];
      left->call.banked = left->call.banked != c->open.banked;
      memcpy (&left->kept, tb_open_extra (&c->open, all - n + i),
	      sizeof left->kept);
    }
  for (size_t i = n; i-- > 0 && !c->open.failed;)
    {
      const struct tb_left_open *left = &(*open)[i];
      const struct tb_border_call *returned
	= tb_border_call (after, base + left->call.step);
      if (returned == NULL || left->kept.outside != NULL)
	continue;
      add_pair (c, all - n + i, returned->to - base, none);
      if (!c->open.failed)
	c->pairs->items[c->pairs->count - 1].outside = returned;
      c->open.count = all;
    }
}

void
tb_calls_call (struct tb_calls *c, uint64_t step, uint64_t back,
	       const tb_vid *names)
{
  push (c, &(struct tb_open_call) { .step = step, .back = back,
				    .sp = names[c->kept - 1] }, names);
}

void
tb_calls_enter (struct tb_calls *c, uint64_t step, uint64_t back,
		const tb_vid *names, tb_vid sp)
{
  struct tb_called *called
    = push (c, &(struct tb_open_call) { .step = step, .back = back, .sp = sp,
					.exception = true }, names);
  if (called != NULL)
    called->names[c->kept - 1] = sp;
}

void
tb_calls_leave (struct tb_calls *c, uint64_t step, uint64_t address,
		const tb_vid *names)
{
  size_t at = tb_open_leave (&c->open, address, names[c->kept - 1]);
  if (at != 0)
    add_pair (c, at - 1, step, names);
}

void
tb_calls_return (struct tb_calls *c, uint64_t step, uint64_t pc,
		 const tb_vid *names, bool jumps)
{
  size_t at = tb_open_returns (&c->open, pc, names[c->kept - 1]);
  if (at == 0)
    return;
  uint64_t before = c->open.open[at - 1].sp, now = names[c->kept - 1];
  if (jumps || (before != 0 && now != 0
		&& c->open.same (c->open.context, before, now) == TB_SAME_NOT))
    c->open.count = at - 1;
  else
    add_pair (c, at - 1, step, names);
}
