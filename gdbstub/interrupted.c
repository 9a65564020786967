/* What the exceptions under way have interrupted: qTracebridge.Interrupted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB has no unwinder for exceptions of the A and R profile; that of the project's
   commands for GDB (gdb/tracebridge/exceptions.py) asks this.  The trace tells where
   an exception returns to, and the state what the registers held then, so nothing
   depends on how handlers save them.

   The reply has an item for each exception, the innermost first, each ended by ';':
   the PC that its handler's outermost frame has, then "SP" where that frame's stack
   pointer is known to be, or "-", then the registers that are known of what was
   interrupted, as "NAME=VALUE"; all set off by ',', numbers hexadecimal.  By the
   client's policy for what is not known the stack pointer, the link register and the
   frame pointer have the poison.  */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "decode/element.h"
#include "dispatch.h"
#include "interrupted.h"
#include "recording/levels.h"
#include "state/effect.h"
#include "util/column.h"

/* The Thumb bit.  */
#define CPSR_T 0x20

/* Exceptions one in another that are told.  */
#define TOLD 16

/* A level that was open: an exception, or a call that its handler's outermost function
   made.  */
struct span
{
  uint64_t first, end;		/* Steps; END is behind the last.  */
  size_t exception;		/* A call: the exception's number.  */
  bool is_call;
};

/* Those of a recording, in the order in which they were opened.  */
struct interruptions
{
  struct span *spans;
  size_t count, room;
  struct target *target;
  struct client *client;	/* Who waits for them to be found.  */
};

void
interruptions_free (struct interruptions *all)
{
  if (all == NULL)
    return;
  free (all->spans);
  free (all);
}

static bool
add (struct interruptions *all, struct tb_level *level, const struct span *span)
{
  void *items = all->spans;
  bool ok = tb_grow (&items, &all->room, all->count, 1, sizeof *all->spans);
  all->spans = items;
  if (!ok)
    return false;
  all->spans[all->count++] = *span;
  /* Not NULL: by it the end finds its beginning.  */
  level->data = (void *) (uintptr_t) all->count;
  return true;
}

static bool
opened (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  struct interruptions *all = context;
  struct tb_level *level = &levels[count - 1];
  struct span span = { .first = step, .end = UINT64_MAX };
  if (!client_poll (all->client))
    return false;
  if (level->kind == TB_LEVEL_EXCEPTION)
    return add (all, level, &span);
  if (level->kind != TB_LEVEL_CALL || count < 3
      || levels[count - 3].kind != TB_LEVEL_EXCEPTION
      || levels[count - 3].data == NULL)
    return true;
  span.is_call = true;
  span.exception = (size_t) (uintptr_t) levels[count - 3].data - 1;
  return add (all, level, &span);
}

static bool
closed (void *context, struct tb_level *levels, size_t count, uint64_t step,
	enum tb_level_end end, uint64_t by)
{
  struct interruptions *all = context;
  uintptr_t number = (uintptr_t) levels[count - 1].data;
  (void) by;
  /* A tail call goes on in its place.  */
  if (number == 0 || (all->spans[number - 1].is_call
		      && end == TB_LEVEL_REPLACED))
    return true;
  all->spans[number - 1].end = step;
  return true;
}

/* The stack pointer before STEP, into *SP.  */
static bool
read_sp (const struct target *t, uint64_t step, uint64_t *sp)
{
  struct tb_value values[TB_NREGS_MAX];
  const struct tb_tdesc_slot *slot = &t->layout->slots[t->layout->sp];
  tb_state_registers (t->state, step, values);
  *sp = values[slot->reg].bits;
  return tb_moment_whole (&values[slot->reg], slot->size);
}

static bool
sp (void *context, uint64_t step, uint64_t *value)
{
  const struct interruptions *all = context;
  return read_sp (all->target, step, value);
}

/* Those of C's target, found at the first call.  NULL: that came to no end.  */
static const struct interruptions *
find (struct client *c)
{
  struct target *t = c->target;
  if (t->interruptions != NULL)
    return t->interruptions;
  struct interruptions *all = calloc (1, sizeof *all);
  if (all == NULL)
    return NULL;
  *all = (struct interruptions) { .target = t, .client = c };
  const struct tb_level_user user = { .open = opened, .close = closed, .sp = sp,
				      .context = all };
  if (tb_levels_walk (t->recording, NULL, &user))
    return t->interruptions = all;
  interruptions_free (all);
  return NULL;
}

/* Where the exception that was taken before STEP returns to.  */
static bool
find_return (struct target *t, uint64_t step, uint64_t *address)
{
  enum { MOST = 16 };
  struct tb_event events[MOST];
  size_t count = tb_recording_events (t->recording, step, step, events, MOST);
  for (size_t i = count < MOST ? count : MOST; i-- > 0;)
    if (events[i].kind == TB_EVENT_EXCEPTION
	&& !(events[i].flags & TB_EXCEPTION_NO_RETURN))
      {
	*address = events[i].address;
	return true;
      }
  return false;
}

/* What was interrupted: its registers, as far as they are known.  */
struct before
{
  struct tb_value values[TB_NREGS_MAX];
  struct tb_step last;		/* Its last one.  */
};

/* What was interrupted before STEP; false: the trace does not have it.  */
static bool
read_before (const struct target *t, uint64_t step, struct before *before)
{
  if (step == 0
      || tb_recording_read (t->recording, step - 1, &before->last, 1) != 1)
    return false;
  tb_state_after (t->state, step - 1, before->values);
  return true;
}

/* Is there a value for C of slot NUMBER in BEFORE?  *BITS: that; *MADE_UP: not all of it
   is known.  */
static bool
find_bits (const struct client *c, const struct before *before, unsigned number,
	   uint64_t *bits, bool *made_up)
{
  const struct tb_tdesc_layout *layout = c->target->layout;
  const struct tb_tdesc_slot *slot = &layout->slots[number];
  bool wide = layout->slots[layout->pc].size == 8;
  struct tb_value v = before->values[slot->reg];
  /* GDB reads the instruction set from it, which the trace tells.  */
  bool is_psr = number == layout->psr && !wide;
  if (is_psr)
    {
      v.mask = v.origin != TB_UNKNOWN ? v.mask | CPSR_T : CPSR_T;
      v.bits = (v.bits & v.mask & ~(uint64_t) CPSR_T)
	       | (before->last.isa == TB_ISA_T32 ? CPSR_T : 0);
      v.origin = TB_STATED;
    }
  *bits = v.bits;
  *made_up = !tb_moment_whole (&v, slot->size);
  if (!*made_up)
    return true;
  /* GDB needs values of these to show the frame at all.  */
  unsigned lr = wide ? 30 : 14, fp = wide ? 29 : 11;
  if (client_policy (c) == UNKNOWN_EXACT
      || !(is_psr || number == layout->sp || number == lr || number == fp))
    return false;
  if (!is_psr)
    *bits = wide ? TB_POISON64 : TB_POISON32;
  return true;
}

/* Append what is known of what was interrupted before STEP, and goes on at PC.  */
static void
append_registers (struct client *c, uint64_t step, uint64_t pc)
{
  const struct target *t = c->target;
  struct tb_buffer *text = &c->reply;
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (target_profile (t), &nregs);
  struct before before;
  uint64_t bits;
  bool made_up;
  tb_buffer_printf (text, ",pc=%" PRIx64, pc);
  if (!read_before (t, step, &before))
    return;
  for (unsigned i = 0; i < t->layout->count; i++)
    if (i != t->layout->pc && find_bits (c, &before, i, &bits, &made_up))
      tb_buffer_printf (text, ",%s=%" PRIx64,
			regs[t->layout->slots[i].reg].name, bits);
}

/* Is MOMENT within SPAN?  */
static bool
is_open (const struct target *t, const struct span *span,
	 const struct tb_moment *moment)
{
  return span->first <= moment->number
	 && (moment->number < span->end
	     || (moment->number == t->steps && span->end >= t->steps));
}

/* The PC of the outermost frame of the handler of exception number AT, and the step
   before which that function left: for a call it made, for the exception INNER
   (SIZE_MAX: none), or for none.  */
static bool
find_frame (struct target *t, const struct interruptions *all, size_t at,
	    size_t inner, const struct tb_moment *moment, uint64_t *pc,
	    uint64_t *step)
{
  *pc = moment->pc;
  *step = moment->number;
  for (size_t i = all->count; --i > at;)
    {
      const struct span *call = &all->spans[i];
      struct tb_step from;
      if (!call->is_call || call->exception != at || !is_open (t, call, moment))
	continue;
      *step = call->first;
      if (tb_recording_read (t->recording, call->first - 1, &from, 1) != 1)
	return false;
      *pc = from.pc + from.size;
      return true;
    }
  if (inner == SIZE_MAX)
    return true;
  *step = all->spans[inner].first;
  return find_return (t, *step, pc);
}

/* Append the item of exception number AT, in whose handler there is INNER.  */
static void
append_exception (struct client *c, const struct interruptions *all, size_t at,
		  size_t inner, const struct tb_moment *moment)
{
  struct target *t = c->target;
  struct tb_buffer *text = &c->reply;
  uint64_t back, pc, step, pointer;
  if (!find_return (t, all->spans[at].first, &back)
      || !find_frame (t, all, at, inner, moment, &pc, &step))
    return;
  tb_buffer_printf (text, "%" PRIx64 ",", pc);
  if (read_sp (t, step, &pointer))
    tb_buffer_printf (text, "%" PRIx64, pointer);
  else
    tb_buffer_append (text, "-", 1);
  append_registers (c, all->spans[at].first, back);
  tb_buffer_append (text, ";", 1);
}

void
interrupted_made_up (struct client *c, struct tb_buffer *text)
{
  const struct target *t = c->target;
  const struct tb_moment *moment = client_moment (c);
  /* Nobody has seen any of it who has not asked.  */
  const struct interruptions *all = t->interruptions;
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (target_profile (t), &nregs);
  unsigned told = 0;
  if (moment == NULL || all == NULL || target_profile (t)->is_m)
    return;
  for (size_t i = all->count; i-- > 0 && told < TOLD;)
    {
      uint64_t step = all->spans[i].first, back, bits;
      struct before before;
      bool made_up, any = false;
      if (all->spans[i].is_call || !is_open (t, &all->spans[i], moment)
	  || !find_return (c->target, step, &back))
	continue;
      told++;
      for (unsigned k = 0; read_before (t, step, &before) && k < t->layout->count;
	   k++)
	if (k != t->layout->pc && find_bits (c, &before, k, &bits, &made_up)
	    && made_up)
	  {
	    tb_buffer_printf (text, "%s%s", any ? ", " : "Made up for GDB where it is "
			      "not known: ", regs[t->layout->slots[k].reg].name);
	    any = true;
	  }
      if (any)
	tb_buffer_printf (text, " of what was interrupted at 0x%" PRIx64 ".\n", back);
    }
}

static void
interrupted (struct client *c, const struct packet_args *args)
{
  (void) args;
  const struct tb_moment *moment = client_moment (c);
  const struct interruptions *all;
  if (moment == NULL || c->target->steps == 0 || (all = find (c)) == NULL)
    return;
  size_t inner = SIZE_MAX;
  unsigned told = 0;
  for (size_t i = all->count; i-- > 0 && told < TOLD;)
    if (!all->spans[i].is_call && is_open (c->target, &all->spans[i], moment))
      {
	append_exception (c, all, i, inner, moment);
	inner = i;
	told++;
      }
}

const struct packet_handler packets_interrupted[] = {
  { "qTracebridge.Interrupted", "", interrupted },
  { NULL, NULL, NULL }
};
