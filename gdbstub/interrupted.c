/* What the exceptions under way have interrupted: qTracebridge.Interrupted:THREAD.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB has no unwinder for exceptions of the A and R profile; that of the project's
   commands for GDB (gdb/tracebridge/exceptions.py) asks this.  The trace tells where
   an exception returns to, and the state what the registers held then, so nothing
   depends on how handlers save them.

   The reply has an item for each exception, the innermost first, each ended by ';':
   the PC that its handler's outermost frame has, then "SP" where that frame's stack
   pointer is known to be, or "-", then the registers that are known of what was
   interrupted, as "NAME=VALUE", and as "entry=SP" the handler's own stack pointer where it
   began, if it is known, and as "called=LR" where a function returns to of which nothing has
   run, as the instruction before was its call; all set off by ',', numbers hexadecimal.  By the
   client's policy for what is not known the stack pointer, the link register and the
   frame pointer have the poison.

   For exceptions of the M profile GDB has an unwinder, which begins at a frame whose PC is
   EXC_RETURN.  It does not get there from handlers in assembler ("naked" ones) that have
   moved the stack, or LR, in code that does not tell of it.  So there the item has the
   registers with which the handler began, as GDB sees them then, and EXC_RETURN as the
   PC; it is left out where the stack pointer then is not known.  */

#include "config.h"

#include <inttypes.h>

#include "decode/element.h"
#include "dispatch.h"
#include "interrupted.h"
#include "registers.h"
#include "stacked.h"
#include "state/effect.h"
#include "threads.h"

/* The Thumb bit.  */
#define CPSR_T 0x20

/* Exceptions one in another that are told.  */
#define TOLD 16

/* The stack pointer before STEP, into *SP; TAKEN: before the exception that was taken before
   STEP.  */
static bool
read_sp (const struct target *t, uint64_t step, bool taken, uint64_t *sp)
{
  struct tb_value values[TB_NREGS_MAX];
  const struct tb_tdesc_slot *slot = &t->tdesc->slots[t->tdesc->sp];
  if (taken)
    tb_state_after (t->state, step - 1, values);
  else
    tb_state_registers (t->state, step, values);
  *sp = values[slot->reg].bits;
  return tb_moment_whole (&values[slot->reg], slot->size);
}

bool
interrupted_below (struct client *c)
{
  struct tb_open_exception open[TOLD];
  const struct tb_moment *moment = client_moment (c);
  const struct tb_open_exceptions *all = moment != NULL ? interrupted_find (c) : NULL;
  size_t count = all != NULL ? tb_open_exceptions_at (all, moment->number, open, TOLD) : 0;
  uint64_t before, entry;
  for (size_t i = 0; i < count && i < TOLD; i++)
    if (open[i].first > 0 && read_sp (c->target, open[i].first, true, &before)
	&& read_sp (c->target, open[i].first, false, &entry) && before < entry)
      return true;
  return false;
}

const struct tb_open_exceptions *
interrupted_find (struct client *c)
{
  return target_interruptions (c->target, client_poll, c);
}

/* Where the exception that was taken before STEP returns to.  */
static bool
find_return (struct target *t, uint64_t step, uint64_t *address)
{
  struct tb_event event;
  if (!tb_exception_taken (t->recording, step, &event)
      || event.flags & TB_EXCEPTION_NO_RETURN)
    return false;
  *address = event.address;
  return true;
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
  const struct tb_tdesc *tdesc = c->target->tdesc;
  const struct tb_tdesc_slot *slot = &tdesc->slots[number];
  bool wide = tdesc->slots[tdesc->pc].size == 8;
  struct tb_value v = before->values[slot->reg];
  /* GDB reads the instruction set from it, which the trace tells.  */
  bool is_psr = number == tdesc->psr && !wide;
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
      || !(is_psr || number == tdesc->sp || slot->reg == lr || slot->reg == fp))
    return false;
  if (!is_psr)
    *bits = wide ? TB_POISON64 : TB_POISON32;
  return true;
}

/* Append what is known of what was interrupted before STEP, and goes on at PC, to TEXT.  */
static void
append_registers (struct client *c, uint64_t step, uint64_t pc, struct tb_buffer *text)
{
  const struct target *t = c->target;
  bool wide = t->tdesc->slots[t->tdesc->pc].size == 8;
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (target_profile (t), &nregs);
  struct before before;
  uint64_t bits;
  bool made_up;
  tb_buffer_printf (text, ",pc=%" PRIx64, pc);
  if (!read_before (t, step, &before))
    return;
  for (unsigned i = 0; i < t->tdesc->count; i++)
    if (i != t->tdesc->pc && find_bits (c, &before, i, &bits, &made_up))
      tb_buffer_printf (text, ",%s=%" PRIx64,
			regs[t->tdesc->slots[i].reg].name, bits);
  const struct tb_value *lr = &before.values[wide ? 30 : TB_LR];
  uint64_t behind = before.last.pc + before.last.size;
  if (tb_moment_whole (lr, wide ? 8 : 4) && behind != pc
      && (wide ? lr->bits : lr->bits & ~UINT64_C (1)) == behind)
    tb_buffer_printf (text, ",called=%" PRIx64, lr->bits);
}

/* The PC of the outermost frame of the handler of exception OPEN, and the step before
   which that function left: for a call it made, for the exception INNER (NULL: none), or
   for none.  */
static bool
find_frame (struct target *t, const struct tb_open_exception *open,
	    const struct tb_open_exception *inner,
	    const struct tb_moment *moment, uint64_t *pc, uint64_t *step)
{
  struct tb_step from;
  *pc = moment->pc;
  *step = moment->number;
  if (open->called != UINT64_MAX)
    {
      *step = open->called;
      if (tb_recording_read (t->recording, open->called - 1, &from, 1) != 1)
	return false;
      *pc = from.pc + from.size;
      return true;
    }
  if (inner == NULL)
    return true;
  *step = inner->first;
  return find_return (t, *step, pc);
}

/* What GDB sees at FIRST, the first step of a handler of the M profile, into *ENTRY, and EXC_RETURN
   into *EXC_RETURN.  False: that or SP is not known.  */
static bool
read_entry (const struct client *c, uint64_t first, struct tb_moment *entry,
	    uint64_t *exc_return)
{
  struct target *t = c->target;
  int lr = t->tdesc->slot_of[TB_LR];
  bool has_pc;
  return lr >= 0 && target_moment (t, first, entry, &has_pc)
	 && tb_moment_whole (&entry->values[TB_SP], 4)
	 && stacked_is_exc_return (&entry->values[TB_LR])
	 && register_shown (c, entry, (unsigned) lr, exc_return);
}

/* Does that ENTRY have a value of slot NUMBER for C?  *BITS: that.  */
static bool
find_entry_bits (const struct client *c, const struct tb_moment *entry, unsigned number,
		 uint64_t *bits)
{
  const struct tb_tdesc *tdesc = c->target->tdesc;
  return number != tdesc->pc && tdesc->slots[number].size == 4
	 && register_shown (c, entry, number, bits);
}

bool
interrupted_put_entry (const struct client *c, uint64_t first, struct tb_buffer *text)
{
  const struct tb_tdesc *tdesc = c->target->tdesc;
  struct tb_moment entry;
  uint64_t bits;
  if (!read_entry (c, first, &entry, &bits))
    return false;
  tb_buffer_printf (text, ",pc=%" PRIx64, bits);
  for (unsigned i = 0; i < tdesc->count; i++)
    if (find_entry_bits (c, &entry, i, &bits))
      tb_buffer_printf (text, ",%s=%" PRIx64,
			tb_tdesc_find (tdesc, tdesc->slots[i].gdb)->name, bits);
  return true;
}

/* Append the item of exception OPEN, in whose handler there is INNER.  */
static void
append_exception (struct client *c, const struct tb_open_exception *open,
		  const struct tb_open_exception *inner,
		  const struct tb_moment *moment)
{
  struct target *t = c->target;
  struct tb_buffer head = { 0 };
  uint64_t back, pc, step, pointer;
  if (!find_return (t, open->first, &back)
      || !find_frame (t, open, inner, moment, &pc, &step))
    return;
  tb_buffer_printf (&head, "%" PRIx64 ",", pc);
  if (read_sp (t, step, inner != NULL && step == inner->first, &pointer))
    tb_buffer_printf (&head, "%" PRIx64, pointer);
  else
    tb_buffer_append (&head, "-", 1);
  bool any = true;
  if (target_profile (t)->is_m)
    any = interrupted_put_entry (c, open->first, &head);
  else
    {
      append_registers (c, open->first, back, &head);
      if (read_sp (t, open->first, false, &pointer))
	tb_buffer_printf (&head, ",entry=%" PRIx64, pointer);
    }
  tb_buffer_append (&head, ";", 1);
  c->reply.failed |= head.failed;
  if (any && !head.failed)
    tb_buffer_append (&c->reply, head.data, head.size);
  tb_buffer_fini (&head);
}

/* Append to TEXT the name of register REG, which is made up; ANY: it is not the first.  */
static void
name_one (const struct target *t, unsigned reg, bool any, struct tb_buffer *text)
{
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (target_profile (t), &nregs);
  tb_buffer_printf (text, "%s%s", any ? ", " : "Made up for GDB where it is not known: ",
		    regs[reg].name);
}

/* Append the names of the registers of what was interrupted before STEP that have bits
   made up for C, and that it goes on at BACK.  */
static void
name_made_up (const struct client *c, uint64_t step, uint64_t back,
	      struct tb_buffer *text)
{
  const struct target *t = c->target;
  struct before before;
  uint64_t bits;
  bool made_up, any = false;
  if (!read_before (t, step, &before))
    return;
  for (unsigned i = 0; i < t->tdesc->count; i++)
    if (i != t->tdesc->pc && find_bits (c, &before, i, &bits, &made_up)
	&& made_up)
      {
	name_one (t, t->tdesc->slots[i].reg, any, text);
	any = true;
      }
  if (any)
    tb_buffer_printf (text, " of what was interrupted at 0x%" PRIx64 ".\n", back);
}

/* The same of the registers with which the handler of the M profile began at FIRST.  */
static void
name_entry_made_up (const struct client *c, uint64_t first, struct tb_buffer *text)
{
  const struct target *t = c->target;
  struct tb_moment entry;
  uint64_t bits;
  bool any = false;
  if (!read_entry (c, first, &entry, &bits))
    return;
  for (unsigned i = 0; i < t->tdesc->count; i++)
    if (find_entry_bits (c, &entry, i, &bits)
	&& !tb_moment_whole (&entry.values[t->tdesc->slots[i].reg], 4))
      {
	name_one (t, t->tdesc->slots[i].reg, any, text);
	any = true;
      }
  if (any)
    tb_buffer_printf (text, " where the handler began, at step %" PRIu64 ".\n", first);
}

void
interrupted_made_up (struct client *c, struct tb_buffer *text)
{
  struct target *t = c->target;
  const struct tb_moment *moment = client_moment (c);
  struct tb_open_exception open[TOLD];
  uint64_t back;
  /* Nobody has seen any of it who has not asked.  */
  if (moment == NULL || t->interruptions == NULL || !c->asked_interrupted)
    return;
  size_t count = tb_open_exceptions_at (t->interruptions, moment->number, open,
					TOLD);
  for (size_t i = 0; i < count; i++)
    if (find_return (t, open[i].first, &back) && target_profile (t)->is_m)
      name_entry_made_up (c, open[i].first, text);
    else if (find_return (t, open[i].first, &back))
      name_made_up (c, open[i].first, back, text);
}

static void
reply_interrupted (struct client *c)
{
  const struct tb_moment *moment = client_moment (c);
  const struct tb_open_exceptions *all;
  struct tb_open_exception open[TOLD];
  c->asked_interrupted = true;
  if (moment == NULL || c->target->steps == 0
      || (all = interrupted_find (c)) == NULL)
    return;
  size_t count = tb_open_exceptions_at (all, moment->number, open, TOLD);
  for (size_t i = 0; i < count; i++)
    append_exception (c, &open[i], i > 0 ? &open[i - 1] : NULL, moment);
}

static void
interrupted (struct client *c, const struct packet_args *args)
{
  threads_ask (c, args, reply_interrupted);
}

const struct packet_handler packets_interrupted[] = {
  { "qTracebridge.Interrupted:", "*", interrupted },
  { NULL, NULL, NULL }
};
