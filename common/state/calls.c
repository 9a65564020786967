/* Calls and exceptions that return.  See calls.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/calls.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* Calls deeper than this are forgotten, the outermost first.  */
#define DEPTH 1024

bool
tb_calls_init (struct tb_calls *c, unsigned kept, struct tb_pairs *pairs)
{
  *c = (struct tb_calls) { .kept = kept, .pairs = pairs };
  c->open = calloc (DEPTH, sizeof *c->open);
  pairs->count = 0;
  return c->open != NULL;
}

void
tb_calls_fini (struct tb_calls *c)
{
  free (c->open);
  c->open = NULL;
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
  *pair = (struct tb_assumed_pair) { .from = call->step, .to = to };
  memcpy (pair->before, call->names, c->kept * sizeof *names);
  memcpy (pair->after, names, c->kept * sizeof *names);
  /* The frame, or the bank, tells of an exception's SP.  */
  if (call->exception)
    pair->before[c->kept - 1] = 0;
}

void
tb_calls_call (struct tb_calls *c, uint64_t step, uint64_t back,
	       const tb_vid *names)
{
  push (c, &(struct tb_open_call) { .step = step, .back = back }, names);
}

void
tb_calls_enter (struct tb_calls *c, uint64_t step, uint64_t back,
		const tb_vid *names)
{
  push (c, &(struct tb_open_call) { .step = step, .back = back,
				    .exception = true }, names);
}

void
tb_calls_leave (struct tb_calls *c, uint64_t step, uint64_t address,
		const tb_vid *names)
{
  size_t at = c->count;
  while (at > 0 && !c->open[at - 1].exception)
    at--;
  /* A return to elsewhere is another thread's: nothing open is of it.  But the
     handler of a fault may step over the instruction at fault.  */
  if (at == 0 || address - c->open[at - 1].back > 4)
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
  /* The innermost one counts; an exception is not left so.  */
  for (size_t at = c->count; at > 0 && !c->open[at - 1].exception; at--)
    if (c->open[at - 1].back == pc)
      {
	add_pair (c, at - 1, step, names);
	return;
      }
}

void
tb_calls_forget (struct tb_calls *c)
{
  c->count = 0;
}
