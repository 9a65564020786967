/* What exceptions of the M profile stacked, for GDB.  See stacked.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, B1.5.6 to B1.5.8; DDI 0553, B3.18 to B3.22 and D1.2 (FPCCR,
   FPCAR).  */

#include "config.h"
#include "stacked.h"

#include <string.h>

#include "arm/machine/m-frame.h"
#include "client.h"
#include "decode/element.h"
#include "interrupted.h"
#include "state/effect.h"

/* Handlers that are looked at, one in another.  */
#define HANDLERS 4

/* Words of a handler's own stack that are looked at.  */
#define OWN_WORDS 64

/* Steps of a handler whose stores are looked at, and accesses of each.  */
#define STEPS_MOST 4096
#define STORES_MOST 32

#define PSR_IPSR UINT32_C (0x1ff)
#define PSR_MOVED (UINT32_C (1) << TB_M_FRAME_MOVED)

/* Bytes from the frame's address on.  */
#define RETURN_ADDRESS (4 * TB_M_FRAME_RETURN)
#define STACKED_PSR (4 * TB_M_FRAME_PSR)

/* Of EXC_RETURN.  */
#define EXC_PSP 4
#define EXC_NO_FP 16

/* FPCCR and FPCAR behind it: GDB reads them where FP registers were stacked.  */
#define FPCCR UINT32_C (0xe000ef34)

bool
stacked_is_exc_return (const struct tb_value *value)
{
  /* Of the low byte all may be unknown, but what is known is as in one.  */
  uint32_t top = UINT32_C (0xffffff00), known = (uint32_t) value->mask;
  return value->origin != TB_UNKNOWN && (known & top) == top
	 && tb_m_is_exc_return ((value->bits & known) | (TB_EXC_RETURN_BITS & ~known));
}

uint32_t
stacked_exc_return (const struct tb_value *values, const struct tb_value *lr)
{
  uint32_t known = (uint32_t) lr->mask, bits = (uint32_t) lr->bits & known;
  bool psp = !tb_moment_whole (&values[TB_PSP], 4);
  /* What is not known is 1 in an EXC_RETURN without anything rare.  */
  uint32_t fill = UINT32_C (0xfffffffb) | (psp ? EXC_PSP : 0);
  /* A handler that was interrupted ran on the main stack.  */
  if (known & 8 && !(bits & 8))
    fill &= ~(uint32_t) EXC_PSP;
  return bits | (fill & ~known);
}

/* An exception whose handler is under way.  */
struct handler
{
  uint64_t step;		/* Its first.  */
  uint32_t address;		/* Where it returns to.  */
  bool chained;			/* Tail-chained: of what the chain began with nothing is told.  */
};

/* The handlers under way before step POSITION, the innermost first, as far as the
   trace tells what they interrupted; returns how many.  */
static unsigned
find_handlers (struct client *c, uint64_t position, struct handler *handlers)
{
  const struct tb_open_exceptions *all = interrupted_find (c);
  struct tb_open_exception open[HANDLERS];
  size_t count = 0;
  unsigned found = 0;
  if (all != NULL)
    count = tb_open_exceptions_at (all, position, open, HANDLERS);
  for (; found < count; found++)
    {
      struct tb_event event;
      if (!tb_exception_taken (c->target->recording, open[found].first, &event)
	  || event.exception == 1
	  || event.flags & (TB_EXCEPTION_HALT | TB_EXCEPTION_NO_RETURN))
	break;
      handlers[found] = (struct handler) {
	open[found].first, (uint32_t) event.address & ~UINT32_C (1),
	(event.flags & TB_EXCEPTION_TAIL_CHAIN) != 0
      };
    }
  return found;
}

static void
patch (struct stacked *s, uint32_t address, uint32_t value, unsigned length,
       const char *what)
{
  if (s->count == sizeof s->patches / sizeof s->patches[0])
    return;
  struct stacked_patch *p = &s->patches[s->count++];
  *p = (struct stacked_patch) { .address = address, .length = (uint8_t) length,
				.what = what };
  for (unsigned i = 0; i < length; i++)
    p->bytes[i] = (uint8_t) (value >> 8 * (i & 3));
}

/* How many bytes of the word at ADDRESS are known at MOMENT, into BYTES.  */
static unsigned
read_word (struct target *t, const struct tb_moment *moment, uint32_t address,
	   uint8_t bytes[4], uint8_t origins[4])
{
  unsigned count = 0;
  target_memory (t, moment, address, bytes, origins, 4);
  for (unsigned i = 0; i < 4; i++)
    count += origins[i] != TB_UNKNOWN;
  return count;
}

/* The registers when HANDLER was entered.  */
static void
read_before (struct target *t, const struct handler *handler,
	     struct tb_value *before)
{
  if (handler->step != 0)
    tb_state_after (t->state, handler->step - 1, before);
  else
    memset (before, 0, TB_NREGS_MAX * sizeof *before);
}

/* xPSR then; what is not known of it is 0, as where nothing rare goes on.  */
static uint32_t
made_up_psr (const struct tb_value *before)
{
  const struct tb_value *v = &before[TB_PSR], *sp = &before[TB_SP];
  uint32_t psr = (uint32_t) (v->bits & v->mask);
  /* Most frames are aligned to 8 bytes.  */
  if (tb_moment_whole (sp, 4) && sp->bits & 4)
    psr |= PSR_MOVED;
  return psr | TB_M_FRAME_THUMB;
}

/* Where the handler has put EXC_RETURN, of which only the low byte, LOW, is not
   known: between its stack pointer and TOP.  */
static void
patch_saved (struct target *t, const struct tb_moment *moment, uint32_t top,
	     uint8_t low, struct stacked *s)
{
  const struct tb_value *sp = &moment->values[TB_SP];
  if (!tb_moment_whole (sp, 4) || sp->bits & 3 || sp->bits >= top)
    return;
  uint32_t at = (uint32_t) sp->bits;
  for (unsigned i = 0; i < OWN_WORDS && at < top; i++, at += 4)
    {
      uint8_t b[4], origins[4];
      if (read_word (t, moment, at, b, origins) == 3
	  && origins[0] == TB_UNKNOWN && (b[1] & b[2] & b[3]) == 0xff)
	patch (s, at, low, 1, "EXC_RETURN");
    }
}

/* Has a step from FIRST on, before END, surely stored to the word at ADDRESS?  Of many steps it is
   not looked up: they may have.  */
static bool
is_stored (struct target *t, uint64_t first, uint64_t end, uint32_t address)
{
  struct tb_access_info list[STORES_MOST];
  if (end - first > STEPS_MOST)
    return true;
  for (uint64_t step = first; step < end; step++)
    {
      size_t count = tb_state_accesses (t->state, step, list, STORES_MOST);
      for (size_t i = 0; i < count && i < STORES_MOST; i++)
	if (list[i].store && list[i].address_known && list[i].address < (uint64_t) address + 4
	    && list[i].address + list[i].length > address)
	  return true;
    }
  return false;
}

/* What the exception put on the stack at FRAME, which is known.  */
static void
patch_frame (struct target *t, const struct tb_moment *moment,
	     const struct handler *handler, uint32_t frame, struct stacked *s)
{
  uint8_t bytes[4], origins[4];
  unsigned known = read_word (t, moment, frame + STACKED_PSR, bytes, origins);
  /* Where nothing of it is known it may have been written to since.  */
  if (known == 4
      || (known == 0 && is_stored (t, handler->step, moment->number, frame + STACKED_PSR)))
    return;
  struct tb_value before[TB_NREGS_MAX];
  if (!handler->chained)
    {
      read_before (t, handler, before);
      patch (s, frame + STACKED_PSR, made_up_psr (before), 4, "xPSR");
    }
  /* Whether the frame was aligned has to be known there.  */
  else if (origins[TB_M_FRAME_MOVED / 8] != TB_UNKNOWN)
    patch (s, frame + STACKED_PSR, TB_M_FRAME_THUMB, 4, "xPSR");
}

/* The same where no address is known: GDB takes the register's poison for one.  What
   is known of the frame stands there.  */
static void
patch_poison (struct target *t, const struct handler *handler, struct stacked *s)
{
  struct tb_value before[TB_NREGS_MAX];
  read_before (t, handler, before);
  for (unsigned i = 0; i < TB_M_FRAME_GENERAL; i++)
    if (tb_moment_whole (&before[tb_m_frame_regs[i]], 4))
      patch (s, TB_POISON32 + 4 * i, (uint32_t) before[tb_m_frame_regs[i]].bits, 4,
	     "the address of a stacked register");
  patch (s, TB_POISON32 + RETURN_ADDRESS, handler->address, 4,
	 "the address of the return address");
  patch (s, TB_POISON32 + STACKED_PSR, made_up_psr (before) & ~PSR_MOVED, 4,
	 "xPSR and its address");
}

void
stacked_find (struct client *c, const struct tb_moment *moment,
	      struct stacked *s)
{
  struct target *t = c->target;
  struct handler handlers[HANDLERS];
  const struct tb_value *psr = &moment->values[TB_PSR];
  s->count = 0;
  if (!target_profile (t)->is_m || t->steps == 0
      || ((psr->mask & PSR_IPSR) == PSR_IPSR && (psr->bits & PSR_IPSR) == 0))
    return;
  unsigned count = find_handlers (c, moment->number, handlers);
  for (unsigned i = 0; i < count; i++)
    {
      struct tb_value entry[TB_NREGS_MAX];
      tb_state_registers (t->state, handlers[i].step, entry);
      if (!stacked_is_exc_return (&entry[TB_LR]))
	return;
      uint32_t exc_return = stacked_exc_return (entry, &entry[TB_LR]);
      /* Which stack GDB looks at: where it knows of one only, that.  */
      unsigned reg = !t->tdesc->stacks ? TB_SP
		     : exc_return & EXC_PSP ? TB_PSP : TB_MSP;
      if (!tb_moment_whole (&entry[TB_LR], 4)
	  && tb_moment_whole (&entry[TB_SP], 4))
	patch_saved (t, moment, (uint32_t) entry[TB_SP].bits,
		     (uint8_t) exc_return, s);
      if (!(exc_return & EXC_NO_FP))
	patch (s, FPCCR, 0, 8, "FPCCR and FPCAR");
      if (tb_moment_whole (&entry[reg], 4))
	patch_frame (t, moment, &handlers[i], (uint32_t) entry[reg].bits, s);
      else if (i == 0 && !handlers[i].chained && !tb_moment_whole (&moment->values[reg], 4)
	       && stacked_is_exc_return (&moment->values[TB_LR]))
	patch_poison (t, &handlers[i], s);
    }
}

bool
stacked_fill (const struct stacked *s, uint64_t address, uint8_t *bytes,
	      uint8_t *origins, size_t length)
{
  bool any = false;
  for (unsigned i = 0; i < s->count; i++)
    {
      const struct stacked_patch *p = &s->patches[i];
      for (unsigned k = 0; k < p->length; k++)
	{
	  uint64_t at = p->address + k - address;
	  if (at < length && origins[at] == TB_UNKNOWN)
	    {
	      bytes[at] = p->bytes[k];
	      origins[at] = TB_ASSUMED;
	      any = true;
	    }
	}
    }
  return any;
}
