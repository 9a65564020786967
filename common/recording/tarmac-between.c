/* What lies between two instructions of a Tarmac log: exceptions and their returns.
   See tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   There the core itself writes registers.  Some logs have lines for that, others have
   none: what was told before is stale then.  An entry and a return always change the
   PSR, so a PSR line at that place says that the log tells the rest of it as well,
   and that what has no line is as it was.  Without one, all that the core may have
   written is not known until it is told again.

   What the core writes: DDI 0403, B1.5.6 and B1.5.8 (M profile); DDI 0487, D1.3 and
   G1.16 (A profile).  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <string.h>
#include <strings.h>

#include "arm/machine/m-frame.h"
#include "recording/facts-memory.h"

/* The bits of the PSR that an exception of the A profile leaves: N, Z, C, V, Q, GE.  */
#define RESULT_BITS UINT32_C (0xf80f0000)

/* CONTROL.SPSEL and FPCA.  */
#define CONTROL_BITS UINT32_C (6)

void
tb_tarmac_core_ran (struct tb_tarmac_core *c, uint64_t line)
{
  struct tb_tarmac_between *b = &c->between;
  const struct tb_columns *f = c->facts;
  const uint16_t *class = NULL;
  if (!tb_facts_build_failed (c->builder))
    class = tb_tarmac_core_class (c, tb_facts_build_code (c->builder));
  b->class = class != NULL ? *class : 0;
  b->ran_line = line;
  b->told = b->told_before = b->lines = 0;
  b->target_at = 0;
  b->loads = 0;
  b->exceptions = b->reset = b->debug = b->target_known = false;
  b->fault = false;
  b->nunknown = b->npending = b->nframe = 0;
  /* Logs of tracebridge's own say all of registers; the core tells which names.  */
  if (!c->own)
    c->vectors.a64 = tb_facts_build_code (c->builder)->isa == TB_ISA_A64;
  if (c->vectors.nearly != 0)
    tb_tarmac_core_vectors_start (c);
  if (b->class & TB_CLASS_VECTORS && c->vectors.any && !c->own)
    tb_tarmac_core_vectors_ran (c, tb_facts_build_code (c->builder));
  if (b->class & TB_CLASS_REGISTER && f->is_m)
    {
      size_t reg = c->general[b->class >> TB_CLASS_NUMBER & 15];
      uint32_t mask = 0;
      if (reg != SIZE_MAX)
	b->target = tb_facts_build_last (c->builder, reg, 0, &mask);
      b->target_known = mask == UINT32_MAX;
    }
}

void
tb_tarmac_core_loaded (struct tb_tarmac_core *c, const struct tb_tarmac_line *line)
{
  struct tb_tarmac_between *b = &c->between;
  if (!(b->class & TB_CLASS_LOAD))
    return;
  /* The PC is what comes from the highest address, if all have a line.  */
  bool all = ++b->loads == (b->class >> TB_CLASS_NUMBER & 15);
  if (line->address >= b->target_at)
    {
      b->target_at = line->address;
      b->target = (uint32_t) line->value;
      b->target_told = line->length == 4 && !line->unknown && !line->aborted;
    }
  b->target_known = all && b->target_told;
}

void
tb_tarmac_core_stacked (struct tb_tarmac_core *c, const struct tb_tarmac_line *line)
{
  struct tb_tarmac_between *b = &c->between;
  if (line->length != 4 || line->unknown || line->aborted
      || b->nframe == TB_TARMAC_FRAME)
    return;
  b->frame[b->nframe].address = (uint32_t) line->address;
  b->frame[b->nframe++].value = (uint32_t) line->value;
}

/* The return address in the frame that was stored; false: it is not told.  */
static bool
stacked_address (const struct tb_tarmac_between *b, uint32_t *address)
{
  uint32_t low = UINT32_MAX, seen = 0;
  for (uint32_t i = 0; i < b->nframe; i++)
    if (b->frame[i].address < low)
      low = b->frame[i].address;
  for (uint32_t i = 0; i < b->nframe; i++)
    {
      uint32_t word = (b->frame[i].address - low) / 4;
      seen |= word < TB_M_FRAME_WORDS ? UINT32_C (1) << word : 0;
      if (word == TB_M_FRAME_RETURN)
	*address = b->frame[i].value & ~UINT32_C (1);
    }
  return seen == (1 << TB_M_FRAME_WORDS) - 1;
}

/* Let of the lowest lane of register REG only the bits KEEP stay known before the next
   step, and nothing of the others.  */
static void
forget_but (struct tb_tarmac_core *c, size_t reg, uint32_t keep)
{
  for (unsigned i = 0; i < c->facts->registers[reg].nlanes; i++, keep = 0)
    {
      uint32_t mask, value = tb_facts_build_last (c->builder, reg, i, &mask);
      if (mask & ~keep)
	tb_facts_build_value (c->builder, reg, i, c->facts->steps, value,
			      mask & keep);
    }
}

/* Forget the registers whose names begin with PREFIX.  */
static void
forget_all (struct tb_tarmac_core *c, const char *prefix)
{
  for (size_t i = 0; i < c->facts->nregisters; i++)
    if (strncmp (c->facts->registers[i].name, prefix, strlen (prefix)) == 0)
      forget_but (c, i, 0);
}

/* Forget NAME, but for the bits KEEP, unless TOLD, a bit of those for which there was a
   line, says that its value is new.  */
static void
forget (struct tb_tarmac_core *c, const char *name, uint32_t keep,
	unsigned told)
{
  size_t reg = tb_tarmac_core_number (c, name);
  if (reg != SIZE_MAX && !(c->between.told & told))
    forget_but (c, reg, keep);
}

/* One of the stack pointers (TB_FACTS_SP_...; UNKNOWN: either) has changed.  */
static void
forget_stack (struct tb_tarmac_core *c, unsigned which)
{
  enum { ANY = TB_TOLD_SP | TB_TOLD_MSP | TB_TOLD_PSP };
  unsigned told = which == TB_FACTS_SP_MSP ? TB_TOLD_SP | TB_TOLD_MSP
		  : which == TB_FACTS_SP_PSP ? TB_TOLD_SP | TB_TOLD_PSP : ANY;
  if (c->between.told & told)
    return;
  forget (c, "sp", 0, TB_TOLD_SP);
  if (which != TB_FACTS_SP_PSP)
    forget_all (c, "msp");
  if (which != TB_FACTS_SP_MSP)
    forget_all (c, "psp");
}

/* The exception number that the PSR has by the last line, or UINT32_MAX.  */
static uint32_t
last_ipsr (const struct tb_tarmac_core *c)
{
  size_t psr = tb_tarmac_core_number (c, "psr");
  uint32_t mask = 0, value = 0;
  if (psr != SIZE_MAX)
    value = tb_facts_build_last (c->builder, psr, 0, &mask);
  return (mask & TB_PSR_IPSR) == TB_PSR_IPSR ? value & TB_PSR_IPSR : UINT32_MAX;
}

/* An exception has no lines: nor need the instruction before it have had all of its own,
   which may stand behind the event.  */
static void
forget_results (struct tb_tarmac_core *c)
{
  uint32_t wrote = tb_tarmac_core_may_write (c) & ~(uint32_t) c->between.lines;
  for (unsigned i = 0; i <= 12; i++)
    if (wrote >> i & 1 && c->general[i] != SIZE_MAX)
      forget_but (c, c->general[i], 0);
}

/* An entry to exception NUMBER of the M profile.  */
static void
enter_m (struct tb_tarmac_core *c, unsigned number)
{
  const struct tb_tarmac_between *b = &c->between;
  bool tells = b->told & TB_TOLD_PSR;
  size_t psr = tb_tarmac_core_number (c, "psr"), lr = tb_tarmac_core_number (c, "lr");
  c->between.tells = tells;
  if (!tells)
    forget_results (c);
  /* A handler that follows another at once gets no frame.  */
  if (!tells || !(b->class & (TB_CLASS_REGISTER | TB_CLASS_LOAD)))
    forget_stack (c, c->sp.active);
  if (lr != SIZE_MAX && !(b->told & TB_TOLD_LR))
    {
      /* It holds an EXC_RETURN.  */
      uint32_t mask, value = tb_facts_build_last (c->builder, lr, 0, &mask);
      if (!tells || (value & mask) >> 8 != 0xffffff)
	forget_but (c, lr, 0);
    }
  forget (c, "control", ~CONTROL_BITS, TB_TOLD_CONTROL);
  if (!tells && psr != SIZE_MAX)
    {
      forget_but (c, psr, 0);
      if (number <= TB_PSR_IPSR)
	tb_facts_build_value (c->builder, psr, 0, c->facts->steps, number,
			      TB_PSR_IPSR);
    }
}

/* The last instruction may have written BASEPRI and FAULTMASK: what no line tells of is
   not what it was.  */
static void
forget_masks (struct tb_tarmac_core *c)
{
  unsigned told = c->between.told | c->between.told_before;
  if (!(told & TB_TOLD_BASEPRI))
    forget (c, "basepri", 0, 0);
  if (!(told & TB_TOLD_FAULTMASK))
    forget (c, "faultmask", 0, 0);
}

/* A return from an exception of the M profile, by EXC_RETURN (0: not told).  */
static void
return_m (struct tb_tarmac_core *c, uint32_t exc_return)
{
  static const struct { const char *name; unsigned told; } popped[] = {
    { "r0", TB_TOLD_R0 }, { "r1", TB_TOLD_R0 << 1 }, { "r2", TB_TOLD_R0 << 2 },
    { "r3", TB_TOLD_R0 << 3 }, { "r12", TB_TOLD_R12 }, { "lr", TB_TOLD_LR }
  };
  forget (c, "control", ~CONTROL_BITS, TB_TOLD_CONTROL);
  forget (c, "faultmask", 0, TB_TOLD_FAULTMASK);
  if (c->vectors.any && !c->own && !(exc_return >> TB_EXC_RETURN_NO_FP & 1))
    tb_tarmac_core_vectors_popped (c);
  if (c->between.told & TB_TOLD_PSR)
    return;
  forget_stack (c, exc_return == 0 ? TB_FACTS_SP_UNKNOWN
		   : exc_return >> TB_EXC_RETURN_PSP & 1 ? TB_FACTS_SP_PSP : TB_FACTS_SP_MSP);
  for (size_t i = 0; i < sizeof popped / sizeof popped[0]; i++)
    forget (c, popped[i].name, 0, popped[i].told);
  forget (c, "psr", 0, TB_TOLD_PSR);
}

/* Has the last instruction, of the M profile, returned from an exception, or may it
   have done so?  *EXC_RETURN: by what, or 0.  */
static bool
returns_m (const struct tb_tarmac_core *c, uint32_t *exc_return)
{
  const struct tb_tarmac_between *b = &c->between;
  bool left = c->sp.left || c->sp.returned;
  bool thread = c->sp.mode_known && !c->sp.handler && !left;
  *exc_return = 0;
  if (!(b->class & (TB_CLASS_REGISTER | TB_CLASS_LOAD)) || thread)
    return false;
  if (b->target_known)
    {
      *exc_return = tb_m_is_exc_return (b->target) ? b->target : 0;
      return *exc_return != 0;
    }
  /* What it went by is not told.  Where entries have lines returns have some.  */
  return left || (c->sp.mode_known && !b->tells && !(b->told & TB_TOLD_PSR));
}

void
tb_tarmac_core_put_event (struct tb_tarmac_core *c, const struct tb_event *event)
{
  struct tb_tarmac_between *b = &c->between;
  if (event->step == 0)
    return;
  /* A log of tracebridge's says all itself: nothing is put in order.  */
  if (!c->own && b->npending < TB_TARMAC_PENDING)
    b->pending[b->npending++] = *event;
  else
    tb_facts_build_event (c->builder, event);
}

/* The exceptions at this place, of the M profile, behind a return by EXC_RETURN, if
   that was one.  */
static void
order_m (struct tb_tarmac_core *c, bool returned, uint32_t exc_return,
	 const struct tb_tarmac_line *next)
{
  struct tb_tarmac_between *b = &c->between;
  enum { STACKS = TB_TOLD_SP | TB_TOLD_MSP | TB_TOLD_PSP };
  struct tb_event *first = b->npending > 0 ? &b->pending[0] : NULL;
  uint32_t address = 0;
  bool stacked = stacked_address (b, &address);
  if (first != NULL && stacked && first->flags & TB_EXCEPTION_NO_RETURN)
    {
      first->address = address;
      first->flags = 0;
    }
  if (!returned)
    return;
  if (first != NULL && !stacked && !(b->told & STACKS))
    {
      first->flags |= TB_EXCEPTION_TAIL_CHAIN;
      return;
    }
  const struct tb_event event = {
    .step = c->facts->steps, .kind = TB_EVENT_EXCEPTION_RETURN,
    .index = first != NULL ? first->index : b->next_offset,
    .value = exc_return,
    .address = first != NULL ? first->address
	       : next != NULL ? next->address : 0
  };
  tb_facts_build_event (c->builder, &event);
}

void
tb_tarmac_core_faulted (struct tb_tarmac_core *c,
			const struct tb_tarmac_line *line,
			const struct tb_tarmac_where *where)
{
  struct tb_tarmac_between *b = &c->between;
  c->facts->totals.faulted++;
  b->fault = true;
  /* What was told so far is of the instruction before.  */
  b->told_before |= b->told;
  b->told = 0;
  b->fault_at = line->address;
  b->unknown_offset = where->offset;
}

/* An entry to an exception of the A profile, or a return, if ENTRY is false.  The next
   instruction, if there is one, is in MODE.  */
static void
change_a (struct tb_tarmac_core *c, bool entry, const char *mode)
{
  bool returned = c->between.class & TB_CLASS_ERET;
  if (c->between.told & TB_TOLD_PSR)
    return;
  forget (c, "psr", returned ? 0 : RESULT_BITS, 0);
  if (*mode == 0)
    forget (c, "sp", 0, TB_TOLD_SP);
  if (*mode == 0 && !c->facts->has_a64)
    forget (c, "lr", 0, TB_TOLD_LR);
  if (!entry)
    return;
  char bank[40];
  tb_facts_bank (bank, "lr", mode);
  if (strncmp (bank, "lr_", 3) == 0 && strcmp (bank, "lr_usr") != 0)
    forget (c, bank, 0, TB_TOLD_LR);
  forget_all (c, "elr");
  forget_all (c, "spsr");
  forget_all (c, "esr");
  forget_all (c, "far");
}

void
tb_tarmac_core_event (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
		      const struct tb_tarmac_where *where)
{
  struct tb_tarmac_between *b = &c->between;
  struct tb_event event = {
    .step = c->facts->steps, .index = where->offset,
    .kind = TB_EVENT_EXCEPTION, .exception = TB_EXCEPTION_UNKNOWN,
    .flags = TB_EXCEPTION_NO_RETURN
  };
  c->facts->totals.events++;
  enum tb_tarmac_event what = tb_tarmac_event (line, &event.exception);
  if (what == TB_TARMAC_EVENT_NONE)
    return;
  b->debug |= what == TB_TARMAC_EVENT_DEBUG;
  if (what == TB_TARMAC_EVENT_DEBUG)
    {
      /* A debugger may have changed anything.  */
      tb_tarmac_core_vtor (c, false, 0);
      return;
    }
  if (what == TB_TARMAC_EVENT_UNKNOWN)
    {
      b->told_before |= b->told;
      b->told = 0;
      if (b->nunknown++ == 0)
	{
	  b->unknown_line = where->line;
	  b->unknown_offset = where->offset;
	  b->unknown_length = line->name.length < sizeof b->unknown
			      ? (uint8_t) line->name.length : sizeof b->unknown;
	  memcpy (b->unknown, line->name.text, b->unknown_length);
	}
      return;
    }
  bool reset = what == TB_TARMAC_EVENT_RESET;
  if (reset && b->reset)
    return;			/* Told twice, in two ways.  */
  if (reset)
    {
      /* Where the table is then depends on the core.  */
      tb_tarmac_core_vtor (c, false, 0);
      if (c->facts->steps > 0)
	c->vtor.start = 0;
      /* A register that the reset sets has a line behind this one.  Before the first
	 instruction models tell what they begin with.  */
      if (c->facts->steps > 0)
	tb_facts_build_forget (c->builder, c->facts->steps);
      tb_sp_lost (&c->sp);
      b->told = 0;
    }
  else if (!(b->told & TB_TOLD_PSR)
	   || last_ipsr (c) != (uint32_t) event.exception)
    /* What was told is of the instruction before.  */
    b->told = 0;
  if (((line->has_number && line->address != 0) || b->fault) && !reset)
    {
      event.address = b->fault ? b->fault_at : line->address;
      event.flags = 0;
    }
  b->fault = false;
  b->exceptions = true;
  b->reset = reset;
  b->number = event.exception;
  c->after_event = true;
  tb_sp_exception (&c->sp, reset);
  tb_tarmac_core_put_event (c, &event);
}

/* The last instruction pushed: that SP has no line does not mean that it is as it
   was.  */
static void
check_push (struct tb_tarmac_core *c)
{
  enum { STACKS = TB_TOLD_SP | TB_TOLD_MSP | TB_TOLD_PSP };
  static const char *const names[] = { "sp", "msp", "psp" };
  const struct tb_tarmac_between *b = &c->between;
  bool stale = false;
  if ((b->told | b->told_before) & STACKS || b->exceptions)
    return;
  for (size_t i = 0; i < 3 && !stale; i++)
    {
      uint32_t mask = 0;
      size_t reg = tb_tarmac_core_number (c, names[i]);
      if (reg != SIZE_MAX)
	tb_facts_build_last (c->builder, reg, 0, &mask);
      stale = mask != 0;
    }
  if (!stale)
    return;
  forget_stack (c, c->sp.active);
  tb_tarmac_core_remark (c, TB_TARMAC_REMARK_STACK,
			 (struct tb_tarmac_word) { "SP", 2 }, b->ran_line);
}

void
tb_tarmac_core_between (struct tb_tarmac_core *c,
			const struct tb_tarmac_line *next, const char *mode)
{
  struct tb_tarmac_between *b = &c->between;
  bool nothing = b->nunknown == 0 && !b->debug && !b->fault && !b->exceptions;
  bool leads = next == NULL || tb_tarmac_core_leads_to (c, next->address);
  if (b->class & TB_CLASS_PUSH && next != NULL)
    check_push (c);
  if (b->class & TB_CLASS_MASKS)
    forget_masks (c);
  if (nothing && leads
      && !(b->class & (TB_CLASS_REGISTER | TB_CLASS_LOAD | TB_CLASS_ERET)))
    return;
  uint32_t exc_return = 0;
  if (b->debug && !leads)
    {
      /* A debugger may have changed anything.  */
      tb_tarmac_core_gap (c, b->unknown_offset);
      return;
    }
  if (b->nunknown != 0 && !leads)
    {
      tb_tarmac_core_remark (c, TB_TARMAC_REMARK_EVENT,
			     (struct tb_tarmac_word) { b->unknown,
						       b->unknown_length },
			     b->unknown_line);
      if (!b->exceptions)
	tb_tarmac_core_take (c, TB_EXCEPTION_UNKNOWN, b->unknown_offset);
    }
  if (b->fault)
    tb_tarmac_core_take (c, TB_EXCEPTION_UNKNOWN, b->unknown_offset);
  if (nothing && !leads)
    {
      tb_tarmac_core_jump (c);
      if (!b->exceptions)
	return;
    }
  if (!b->exceptions)
    b->told |= b->told_before;
  if (c->facts->is_m)
    {
      /* Where there was an entry SP is told of the handler's mode already.  */
      bool returns = (!b->exceptions || b->target_known)
		     && returns_m (c, &exc_return);
      order_m (c, returns && (exc_return != 0 || c->sp.left || c->sp.returned),
	       exc_return, next);
      if (returns)
	return_m (c, exc_return);
      if (returns && !b->exceptions)
	tb_sp_return (&c->sp, exc_return);
      if (b->exceptions && !b->reset)
	enter_m (c, b->number);
      if (next != NULL)
	tb_tarmac_core_handler (c, next, leads);
    }
  else if ((b->exceptions && !b->reset) || b->class & TB_CLASS_ERET)
    change_a (c, b->exceptions, mode);
  for (uint32_t i = 0; i < b->npending; i++)
    tb_facts_build_event (c->builder, &b->pending[i]);
  b->npending = 0;
}
