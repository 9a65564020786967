/* Instructions that put another stack in place.  See stack-watch.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/stack-watch.h"

void
tb_stack_watch_start (struct tb_stack_watch *w)
{
  w->computed = w->frame = TB_SLOT_BIT (TB_SLOT_SP);
  w->loaded = 0;
}

#define FRAME_POINTERS (TB_SLOT_BIT (7) | TB_SLOT_BIT (11))

void
tb_stack_watch_go_on (struct tb_stack_watch *w)
{
  /* r4 to r11 are those of whoever goes on.  */
  w->computed = (w->computed & 0xff0) | TB_SLOT_BIT (TB_SLOT_SP)
		| FRAME_POINTERS;
  w->loaded &= 0xff0;
  w->frame = TB_SLOT_BIT (TB_SLOT_SP) | FRAME_POINTERS;
}

static bool
has (uint64_t set, unsigned place)
{
  return place < TB_NPLACES && (set >> place & 1) != 0;
}

/* What U leaves in its destination.  */
static void
follow (const struct tb_stack_watch *w, const struct tb_uop *u,
	bool *computed, bool *loaded, bool *frame)
{
  *computed = *loaded = *frame = false;
  if (u->op <= TB_OP_LAST_VALUE)
    {
      bool two = tb_ops[u->op].operands == 2 && u->b != TB_PLACE_IMM;
      *computed = has (w->computed, u->a)
		  || (two && has (w->computed, u->b));
      /* AND and BIC align it.  */
      *loaded = u->op <= TB_OP_BIC && !two && has (w->loaded, u->a);
      /* Within an instruction; or it makes a frame pointer.  */
      *frame = *computed && !two
	       && (has (w->frame, u->a) || has (w->computed, u->a))
	       && (u->dst >= TB_NSLOTS || u->dst == TB_SLOT_SP
		   || (FRAME_POINTERS >> u->dst & 1) != 0);
    }
  else if (u->op == TB_OP_LOAD)
    {
      /* A frame pointer is given back so.  */
      *loaded = has (w->frame, u->a);
      *computed = *frame = *loaded && u->dst < TB_NSLOTS
			   && (FRAME_POINTERS >> u->dst & 1) != 0;
    }
}

enum tb_stack_event
tb_stack_watch_step (struct tb_stack_watch *w, const struct tb_uop *uops,
		     unsigned count)
{
  enum tb_stack_event event = TB_STACK_STAYS;
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      bool computed, loaded, frame;
      /* MSR to MSP, PSP: one of them stays; CONTROL.  */
      if ((u->when != TB_ALWAYS && u->when != TB_PLACE_IF && u->op == TB_OP_MOV
	   && (u->dst == TB_SLOT_SP || u->dst == TB_SLOT_SP_OTHER))
	  || u->op == TB_OP_WRITE_SPSEL)
	{
	  event = TB_STACK_BANKED;
	  continue;
	}
      if (!tb_op_is (u->op, TB_WRITES) || u->dst >= TB_NPLACES)
	continue;
      follow (w, u, &computed, &loaded, &frame);
      uint64_t place = UINT64_C (1) << u->dst;
      if (u->dst == TB_SLOT_SP && !computed)
	event = loaded ? TB_STACK_LOADED : TB_STACK_REPLACED;
      if (u->when == TB_ALWAYS || u->dst >= TB_NSLOTS)
	{
	  w->computed &= ~place;
	  w->loaded &= ~place;
	  w->frame &= ~place;
	}
      w->computed |= computed ? place : 0;
      w->loaded |= loaded ? place : 0;
      w->frame |= frame ? place : 0;
    }
  if (event == TB_STACK_REPLACED)
    tb_stack_watch_go_on (w);
  w->computed |= TB_SLOT_BIT (TB_SLOT_SP);
  w->frame |= TB_SLOT_BIT (TB_SLOT_SP);
  return event;
}
