/* Assumption: functions keep the callee-saved registers.  See assume.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume.h"

#include <stdlib.h>

#include "util/buffer.h"

/* Calls deeper than this are forgotten, the outermost first.  */
#define DEPTH 1024

/* A call that has not returned yet.  */
struct open_call
{
  uint64_t step;
  uint32_t back;		/* Return address.  */
  bool exception;		/* An exception's entry, not a call.  */
  tb_vid names[TB_KEPT];
};

/* If T is a call the address it returns to, else 0.  */
static uint32_t
return_address (const struct tb_template *t)
{
  if (t->isa != TB_ISA_T32)
    return 0;
  /* BL and BLX (immediate), DDI 0403 A7.7.18; BLX (register), A7.7.19.  */
  bool direct = t->size == 4 && (t->opcode & 0xf800c000) == 0xf000c000;
  bool indirect = t->size == 2 && (t->opcode & 0xff87) == 0x4780;
  return direct || indirect ? t->pc + t->size : 0;
}

static void
take_names (const struct tb_state *s, tb_vid names[TB_KEPT])
{
  for (unsigned i = 0; i < TB_KEPT - 1; i++)
    names[i] = s->names.slot[4 + i];
  names[TB_KEPT - 1] = s->names.slot[TB_SLOT_SP];
}

static bool
add_pair (struct tb_state *s, const struct open_call *call, uint64_t to)
{
  void *items = s->pairs;
  bool ok = tb_grow (&items, &s->pairs_room, s->npairs, 1, sizeof *s->pairs);
  s->pairs = items;
  if (!ok)
    return false;
  struct tb_assumed_pair *pair = &s->pairs[s->npairs++];
  *pair = (struct tb_assumed_pair) { .from = call->step, .to = to };
  take_names (s, pair->after);
  for (unsigned i = 0; i < TB_KEPT; i++)
    pair->before[i] = call->names[i];
  /* The frame tells of an exception's SP.  */
  if (call->exception)
    pair->before[TB_KEPT - 1] = 0;
  return true;
}

/* The stack of open calls.  */
struct calls
{
  struct open_call *open;
  size_t count;
};

static void
push (struct calls *c, const struct open_call *call)
{
  if (c->count == DEPTH)
    {
      c->count = DEPTH - 1;
      for (size_t i = 0; i < c->count; i++)
	c->open[i] = c->open[i + 1];
    }
  c->open[c->count++] = *call;
}

/* Exceptions before step I.  False: no memory.  */
static bool
follow_change (struct tb_state *s, struct calls *c,
	       const struct tb_change *change, uint64_t i)
{
  size_t at = c->count;
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      {
	struct open_call entry = { .step = i, .back = change->address,
				   .exception = true };
	take_names (s, entry.names);
	push (c, &entry);
      }
      return true;
    case TB_CHANGE_RETURN: case TB_CHANGE_RETURN_MAYBE:
      while (at > 0 && !c->open[at - 1].exception)
	at--;
      /* A return to elsewhere is another thread's: nothing open is of it.  But
	 the handler of a fault may step over the instruction at fault.  */
      if (at == 0 || change->address - c->open[at - 1].back > 4)
	{
	  c->count = 0;
	  return true;
	}
      c->count = at - 1;
      return add_pair (s, &c->open[at - 1], i);
    case TB_CHANGE_TAIL:
      while (c->count > 0 && !c->open[c->count - 1].exception)
	c->count--;
      return true;
    default:
      c->count = 0;
      return true;
    }
}

/* Step I begins at PC: does a call return here?  The innermost one counts;
   those inside it never returned.  An exception is not left so.  */
static bool
follow_return (struct tb_state *s, struct calls *c, uint32_t pc, uint64_t i)
{
  for (size_t at = c->count; at > 0 && !c->open[at - 1].exception; at--)
    if (c->open[at - 1].back == pc)
      {
	c->count = at - 1;
	return add_pair (s, &c->open[at - 1], i);
      }
  return true;
}

bool
tb_assume_find_calls (struct tb_state *s)
{
  struct calls c = { calloc (DEPTH, sizeof *c.open), 0 };
  size_t change = 0;
  bool ok = c.open != NULL;
  s->npairs = 0;
  for (uint64_t i = 0; i < s->steps && ok; i++)
    {
      const struct tb_template *t
	= &s->templates[s->info[i] & TB_INFO_TEMPLATE];
      tb_state_seek (s, i);
      for (; change < s->nchanges && s->changes[change].step <= i && ok;
	   change++)
	ok = follow_change (s, &c, &s->changes[change], i);
      /* A return is a branch taken.  */
      if (ok && i > 0 && s->info[i - 1] & TB_INFO_TAKEN)
	ok = follow_return (s, &c, t->pc, i);
      uint32_t back = return_address (t);
      if (ok && back != 0 && s->info[i] & TB_INFO_TAKEN)
	{
	  struct open_call call = { .step = i, .back = back };
	  take_names (s, call.names);
	  push (&c, &call);
	}
    }
  free (c.open);
  return ok;
}

void
tb_assume_calls (struct tb_state *s, size_t count)
{
  for (size_t i = 0; i < count && !s->graph.failed && !s->graph.conflict; i++)
    {
      const struct tb_assumed_pair *pair = &s->pairs[i];
      for (unsigned k = 0; k < TB_KEPT && !pair->disproved; k++)
	if (pair->before[k] != 0 && pair->after[k] != 0)
	  tb_graph_equal (&s->graph, pair->before[k], pair->after[k]);
    }
}
