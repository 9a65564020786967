/* Naming of exception entry and return on the M profile.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv6-M (DDI 0419), B1.5.6 (entry), B1.5.7 (stacking), B1.5.8
   (return), B1.5.12 (tail-chaining: neither stacking nor unstacking); ARMv7-M
   (DDI 0403), the same sections; ARMv8-M (DDI 0553), B3.18 to B3.22.  */

#include "config.h"
#include "state/window/fp.h"
#include "state/window/builder.h"

#include <string.h>

#include "arm/machine/m-frame.h"
#include "decode/element.h"

static bool
is_v6m (const struct tb_builder *b)
{
  return b->state->profile->arch == TB_ARCH_V6M;
}

static bool
is_v8m (const struct tb_builder *b)
{
  return b->state->profile->arch >= TB_ARCH_V8M_BASE;
}

/* The exception number in xPSR: 6 bits on ARMv6-M, later 9.  */
static uint32_t
number_mask (const struct tb_builder *b)
{
  return is_v6m (b) ? 0x3f : TB_PSR_IPSR;
}

/* X and Y, which are 0 or 1.  */
static tb_vid
both (struct tb_builder *b, tb_vid x, tb_vid y)
{
  tb_vid zero = tb_namer_constant (&b->n, 0);
  tb_vid one = tb_namer_constant (&b->n, 1);
  if (x == one || y == zero)
    return y;
  return y == one || x == zero ? x : tb_namer_value (&b->n, TB_OP_AND, x, y);
}

/* What ID says if it is an EXC_RETURN.  */
static void
tie_exc_return (struct tb_builder *b, tb_vid id)
{
  const struct tb_state *s = b->state;
  uint32_t mask = 0xfffffff3, bits = 0xfffffff1;
  if (is_v8m (b))
    {
      mask = 0xffffff82;
      bits = 0xffffff80;
      if (!s->two_worlds)
	{
	  mask |= 1u << TB_EXC_RETURN_DCRS;
	  bits |= 1u << TB_EXC_RETURN_DCRS;
	}
    }
  else if (!is_v6m (b))
    {
      mask = 0xffffffe3;
      bits = 0xffffffe1;
    }
  if (!s->has_fp)
    {
      mask |= 1u << TB_EXC_RETURN_NO_FP;
      bits |= 1u << TB_EXC_RETURN_NO_FP;
    }
  if (!s->has_psp)
    mask |= 1u << TB_EXC_RETURN_PSP;
  tb_namer_bits (&b->n, id, mask, bits);
}

/* Bit NUMBER of EXC_RETURN.  */
static tb_vid
exc_bit (struct tb_builder *b, tb_vid exc_return, unsigned number)
{
  const struct tb_state *s = b->state;
  if (number == TB_EXC_RETURN_NO_FP && !s->has_fp)
    return tb_namer_constant (&b->n, 1);
  if (number == TB_EXC_RETURN_PSP && !s->has_psp)
    return tb_namer_constant (&b->n, 0);
  if (exc_return & TB_CONSTANT)
    {
      tb_word c = tb_graph_known (&s->graph, exc_return).bits;
      return tb_namer_constant (&b->n, c >> number & 1);
    }
  return tb_namer_valuei (&b->n, TB_OP_BIT, exc_return, number);
}

/* 1: the exception was taken from the same security state and nothing but a
   plain frame was stacked; 0: anything else.  */
static tb_vid
is_plain (struct tb_builder *b, tb_vid exc_return)
{
  if (b->state->options.doubt & TB_PREMISE_FRAMES_FIT)
    return tb_build_fresh (b, TB_SLOT_Z);
  if (!b->state->two_worlds)
    return tb_namer_constant (&b->n, 1);
  tb_vid from = exc_bit (b, exc_return, TB_EXC_RETURN_S);
  tb_vid to = exc_bit (b, exc_return, TB_EXC_RETURN_ES);
  tb_vid all = exc_bit (b, exc_return, TB_EXC_RETURN_DCRS);
  /* With FP registers the frame may be larger in Secure state.  */
  tb_vid no_fp = exc_bit (b, exc_return, TB_EXC_RETURN_NO_FP);
  tb_vid same = from & to & TB_CONSTANT
		? tb_namer_constant (&b->n, from == to)
		: tb_namer_opposite (&b->n, tb_namer_value (&b->n, TB_OP_EOR, from, to));
  return both (b, both (b, same, all), no_fp);
}

/* The exception number NUMBER, or one that is not told.  */
static tb_vid
exception_number (struct tb_builder *b, unsigned number)
{
  uint32_t mask = number_mask (b);
  if (number != TB_EXCEPTION_UNKNOWN && number <= mask)
    return tb_namer_constant (&b->n, number);
  tb_vid id = tb_namer_new (&b->n);
  tb_namer_range (&b->n, id, 1, mask);
  return id;
}

/* What a handler finds undefined: r0 to r3, r12, the flags.  */
static void
forget_scratch (struct tb_builder *b)
{
  tb_vid *slot = b->names->slot;
  for (unsigned i = 0; i < 5; i++)
    slot[tb_m_frame_regs[i]] = tb_build_fresh (b, tb_m_frame_regs[i]);
  tb_build_name_flags (b, NULL);
  if (is_v6m (b))
    return;
  slot[TB_SLOT_Q] = tb_build_fresh (b, TB_SLOT_Q);
  slot[TB_SLOT_GE] = tb_build_fresh (b, TB_SLOT_GE);
}

/* May exception CHANGE have been taken when an unaligned store was done in part?  */
static bool
splits_stores (const struct tb_builder *b, const struct tb_change *change)
{
  return !b->state->aligned
	 && (change->taken == TB_EXC_FAULT || change->taken == TB_EXC_OTHER);
}

/* Is it not known whether frames are aligned?  Only ARMv7-M leaves it open.  */
static bool
doubts_alignment (const struct tb_builder *b)
{
  enum tb_arch arch = b->state->profile->arch;
  return (arch == TB_ARCH_V7M || arch == TB_ARCH_V7EM)
	 && b->state->options.doubt & TB_PREMISE_FRAMES_ALIGNED;
}

/* Is a frame moved to be aligned to 8 bytes, where it needs to be?  On ARMv7-M
   CCR.STKALIGN says so, or FP registers.  */
static tb_vid
is_aligned (struct tb_builder *b, tb_vid with_fp)
{
  if (doubts_alignment (b))
    return tb_namer_value (&b->n, TB_OP_ORR, with_fp, tb_build_fresh (b, TB_SLOT_Z));
  return b->state->stkalign ? tb_namer_constant (&b->n, 1) : with_fp;
}

/* The frame below SP; returns its address, and in *MOVED bit 9 of xPSR.  */
static tb_vid
push_frame (struct tb_builder *b, tb_vid sp, tb_vid with_fp, tb_vid *moved)
{
  tb_vid force = is_aligned (b, with_fp), aligned;
  *moved = both (b, tb_namer_valuei (&b->n, TB_OP_BIT, sp, 2), force);
  if (b->state->stkalign && !doubts_alignment (b))
    aligned = tb_namer_valuei (&b->n, TB_OP_AND, sp, ~UINT32_C (7));
  else
    aligned = tb_build_fresh (b, TB_SLOT_SP);
  /* The same once more, so that the frame and SP come into one class.  */
  tb_namer_node (&b->n, TB_OP_ADD, sp, aligned,
		 tb_namer_valuei (&b->n, TB_OP_LSL, *moved, 2));
  tb_vid frame = tb_namer_valuei (&b->n, TB_OP_SUB, aligned, TB_M_FRAME_SIZE);
  if (with_fp == tb_namer_constant (&b->n, 0))
    return frame;
  return tb_namer_select (&b->n, with_fp,
			  tb_namer_valuei (&b->n, TB_OP_SUB, aligned,
					   TB_M_FRAME_SIZE + TB_M_FRAME_FP), frame);
}

/* The names hold if PLAIN is 1; else nothing is known.  */
static void
unless_plain (struct tb_builder *b, tb_vid plain)
{
  tb_vid *slot = b->names->slot;
  if (plain == tb_namer_constant (&b->n, 1))
    return;
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    slot[i] = tb_namer_select (&b->n, plain, slot[i], tb_build_fresh (b, i));
  tb_fp_unless (b, plain, NULL);
  b->names->fp_owed = 0;
}

/* PSR is the xPSR that is saved, so far nothing but a name.  */
static void
enter (struct tb_builder *b, const struct tb_change *change, tb_vid psr)
{
  tb_vid *slot = b->names->slot;
  tb_vid one = tb_namer_constant (&b->n, 1);
  tb_vid zero = tb_namer_constant (&b->n, 0);
  tb_vid lr = tb_namer_new (&b->n), spsel = slot[TB_SLOT_SPSEL];
  tb_vid other = slot[TB_SLOT_SP_OTHER], moved, with_fp = zero;

  /* EXC_RETURN tells the stack and the mode that were interrupted.  */
  tie_exc_return (b, lr);
  tb_vid thread = tb_namer_valuei (&b->n, TB_OP_EOR, slot[TB_SLOT_HANDLER], 1);
  tb_namer_node (&b->n, TB_OP_BIT, thread, lr,
		 tb_namer_constant (&b->n, TB_EXC_RETURN_THREAD));
  if (is_v8m (b))
    {
      /* In handler mode the bit is that of thread mode.  */
      tb_namer_node (&b->n, TB_NODE_IF1, exc_bit (b, lr, TB_EXC_RETURN_PSP), spsel,
		     thread);
      if (!b->state->two_worlds)
	tb_namer_node (&b->n, TB_OP_BIT, exc_bit (b, lr, TB_EXC_RETURN_S), lr,
		       tb_namer_constant (&b->n, TB_EXC_RETURN_ES));
    }
  else
    tb_namer_node (&b->n, TB_OP_BIT, spsel, lr,
		   tb_namer_constant (&b->n, TB_EXC_RETURN_PSP));
  if (b->state->has_fp)
    {
      with_fp = slot[TB_SLOT_FPCA];
      tb_namer_node (&b->n, TB_OP_EOR, with_fp, exc_bit (b, lr, TB_EXC_RETURN_NO_FP),
		     one);
    }
  tb_vid plain = is_plain (b, lr);

  tb_vid frame = push_frame (b, slot[TB_SLOT_SP], with_fp, &moved);
  tb_vid pc = tb_namer_new (&b->n);
  /* Bit 0 of the return address is 0 (DDI 0403, B1.5.6, ReturnAddress).  */
  tb_namer_bits (&b->n, pc, UINT32_MAX, change->address);
  tb_build_tie_psr (b, psr);
  tb_namer_node (&b->n, TB_OP_BIT, moved, psr,
		 tb_namer_constant (&b->n, TB_M_FRAME_MOVED));
  uint32_t unset = tb_system_psr (b->state->profile).zero
		   | tb_state_it_zero (b->state, change->address);
  if (!b->state->has_fp)
    unset |= UINT32_C (1) << TB_M_FRAME_SFPA;
  tb_namer_bits (&b->n, psr, TB_M_FRAME_THUMB | unset, TB_M_FRAME_THUMB);
  b->condition = plain == one ? 0 : plain;
  for (unsigned i = 0; i < TB_M_FRAME_WORDS; i++)
    {
      tb_vid value = i < TB_M_FRAME_GENERAL ? slot[tb_m_frame_regs[i]]
		     : i == TB_M_FRAME_RETURN ? pc : psr;
      tb_vid at = i == 0 ? frame
		  : tb_namer_valuei (&b->n, TB_OP_ADD, frame, 4 * i);
      tb_build_store (b, TB_MEM_STORE, at, value, 4 | TB_ACCESS_ALIGNED);
    }
  b->condition = 0;
  if (plain != one)
    {
      /* Some other frame, somewhere.  */
      tb_vid at = tb_namer_new (&b->n);
      tb_build_maybe (b, at, tb_namer_new (&b->n), 4, plain, false);
    }
  tb_fp_enter (b, tb_namer_valuei (&b->n, TB_OP_ADD, frame, TB_M_FRAME_SIZE),
	       with_fp);

  forget_scratch (b);
  slot[TB_SLOT_LR] = lr;
  slot[TB_SLOT_SP] = tb_namer_select (&b->n, spsel, other, frame);
  slot[TB_SLOT_SP_OTHER] = tb_namer_select (&b->n, spsel, frame, other);
  unless_plain (b, plain);
  slot[TB_SLOT_LR] = lr;
  slot[TB_SLOT_SPSEL] = zero;
  slot[TB_SLOT_HANDLER] = one;
  if (b->state->has_fp)
    slot[TB_SLOT_FPCA] = zero;
  slot[TB_SLOT_IPSR] = exception_number (b, change->number);
}

/* From one handler to the next: the frame stays where it is.  It is as if the first had returned
   and the next had interrupted what that led to, so LR is the EXC_RETURN by which it left
   (EXC_RETURN; 0: not told).  */
static void
chain (struct tb_builder *b, const struct tb_change *change, tb_vid exc_return)
{
  tb_vid *slot = b->names->slot;
  bool is_told = exc_return != 0 && !b->state->two_worlds;
  tb_vid lr = is_told ? exc_return : tb_namer_new (&b->n);
  if (!(lr & TB_CONSTANT))
    tie_exc_return (b, lr);
  forget_scratch (b);
  if (b->state->two_worlds)
    /* The next one may be of the other security state.  */
    {
      for (unsigned i = 0; i < TB_NSLOTS; i++)
	slot[i] = tb_build_fresh (b, i);
      tb_fp_unless (b, tb_namer_constant (&b->n, 0), NULL);
      b->names->fp_owed = 0;
    }
  b->names->fp_used = false;
  slot[TB_SLOT_LR] = lr;
  slot[TB_SLOT_SPSEL] = tb_namer_constant (&b->n, 0);
  slot[TB_SLOT_HANDLER] = tb_namer_constant (&b->n, 1);
  if (b->state->has_fp)
    slot[TB_SLOT_FPCA] = tb_namer_constant (&b->n, 0);
  slot[TB_SLOT_IPSR] = exception_number (b, change->number);
}

/* The names after a return, RETURNED, hold if REAL is 1; those after a tail
   chain, CHAINED, if it is 0.  */
static void
choose (struct tb_builder *b, tb_vid real, const tb_vid *returned,
	const tb_vid *chained)
{
  tb_vid *slot = b->names->slot;
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    slot[i] = tb_namer_select (&b->n, real, returned[i], chained[i]);
}

/* The stack pointer above FRAME, which held PSR.  */
static tb_vid
pop_frame (struct tb_builder *b, tb_vid frame, tb_vid psr, tb_vid with_fp)
{
  tb_vid force = is_aligned (b, with_fp);
  tb_vid moved = both (b, tb_namer_valuei (&b->n, TB_OP_BIT, psr,
					   TB_M_FRAME_MOVED),
		       force);
  tb_vid gap = tb_namer_valuei (&b->n, TB_OP_LSL, moved, 2);
  tb_vid above = tb_namer_valuei (&b->n, TB_OP_ADD, frame, TB_M_FRAME_SIZE);
  if (with_fp != tb_namer_constant (&b->n, 0))
    above = tb_namer_select (&b->n, with_fp,
			     tb_namer_valuei (&b->n, TB_OP_ADD, frame,
					      TB_M_FRAME_SIZE + TB_M_FRAME_FP), above);
  /* The bit is put in, not added (a frame that software made may be odd).  */
  tb_vid sp = tb_namer_value (&b->n, TB_OP_ORR, above, gap);
  tb_vid odd = tb_namer_valuei (&b->n, TB_OP_BIT, above, 2);
  tb_vid sum = tb_namer_value (&b->n, TB_OP_ADD, above, gap);
  tb_namer_node (&b->n, TB_NODE_IF0, sp, sum, odd);
  return sp;
}

static void
leave (struct tb_builder *b, const struct tb_change *change)
{
  struct tb_names *n = b->names;
  tb_vid *slot = n->slot, word[TB_M_FRAME_WORDS], chained[TB_NSLOTS], returned[TB_NSLOTS];
  tb_vid fp_chained[TB_NFP], fp_returned[TB_NFP];
  tb_vid one = tb_namer_constant (&b->n, 1);
  tb_vid zero = tb_namer_constant (&b->n, 0);
  tb_vid with_fp = zero, owed = n->fp_owed;
  tb_vid exc_return = change->exc_return != 0
		      ? tb_namer_constant (&b->n, change->exc_return)
		      : n->target != 0 ? n->target : tb_namer_new (&b->n);

  if (!(exc_return & TB_CONSTANT))
    tie_exc_return (b, exc_return);
  /* Only a handler returns, and its stack is MSP.  */
  tb_namer_bits (&b->n, slot[TB_SLOT_HANDLER], UINT32_MAX, 1);
  tb_namer_bits (&b->n, slot[TB_SLOT_SPSEL], UINT32_MAX, 0);

  tb_vid psp = exc_bit (b, exc_return, TB_EXC_RETURN_PSP);
  tb_vid thread = exc_bit (b, exc_return, TB_EXC_RETURN_THREAD);
  if (is_v8m (b))
    psp = both (b, psp, thread);
  if (b->state->has_fp)
    with_fp = tb_namer_opposite (&b->n, exc_bit (b, exc_return, TB_EXC_RETURN_NO_FP));
  tb_vid plain = is_plain (b, exc_return);
  tb_vid msp = slot[TB_SLOT_SP], other = slot[TB_SLOT_SP_OTHER];
  tb_vid frame = tb_namer_select (&b->n, psp, other, msp);
  b->condition = plain == one && change->kind == TB_CHANGE_RETURN ? 0 : plain;
  for (unsigned i = 0; i < TB_M_FRAME_WORDS; i++)
    word[i] = tb_build_load (b, i == 0 ? frame
			     : tb_namer_valuei (&b->n, TB_OP_ADD, frame, 4 * i),
			     4 | TB_ACCESS_ALIGNED);
  b->condition = 0;
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    chained[i] = slot[i];
  memcpy (fp_chained, n->fp, sizeof fp_chained);

  for (unsigned i = 0; i < TB_M_FRAME_GENERAL; i++)
    slot[tb_m_frame_regs[i]] = word[i];
  tb_build_name_flags (b, NULL);
  if (!is_v6m (b))
    {
      slot[TB_SLOT_Q] = tb_build_fresh (b, TB_SLOT_Q);
      slot[TB_SLOT_GE] = tb_build_fresh (b, TB_SLOT_GE);
    }
  slot[TB_SLOT_IPSR] = tb_build_fresh (b, TB_SLOT_IPSR);
  slot[TB_SLOT_HANDLER] = tb_namer_opposite (&b->n, thread);
  tb_vid is_thread = tb_namer_value (&b->n, TB_OP_ISZERO, slot[TB_SLOT_IPSR],
				     0);
  tb_namer_node (&b->n, TB_OP_EOR, slot[TB_SLOT_HANDLER], is_thread, one);
  tb_build_tie_psr (b, word[TB_M_FRAME_PSR]);
  slot[TB_SLOT_SP] = pop_frame (b, frame, word[TB_M_FRAME_PSR], with_fp);
  slot[TB_SLOT_SP_OTHER] = tb_namer_select (&b->n, psp, msp, other);
  slot[TB_SLOT_SPSEL] = psp;
  if (b->state->has_fp)
    slot[TB_SLOT_FPCA] = with_fp;
  tb_fp_leave (b, tb_namer_valuei (&b->n, TB_OP_ADD, frame, TB_M_FRAME_SIZE),
	       with_fp);
  tb_build_resume (b, change, word[TB_M_FRAME_PSR],
		   plain == one && change->kind == TB_CHANGE_RETURN);
  unless_plain (b, plain);
  if (plain != one && n->next != 0)
    {
      /* Some other frame tells.  */
      n->goes_on = tb_build_fresh (b, TB_SLOT_Z);
      n->next = 0;
    }
  if (change->kind == TB_CHANGE_RETURN)
    {
      if (change->address == 0)
	;
      else if (plain == one)
	tb_namer_bits (&b->n, word[TB_M_FRAME_RETURN], ~UINT32_C (1),
		       change->address);
      else
	tb_namer_node (&b->n, TB_NODE_IF1,
		       tb_namer_valuei (&b->n, TB_OP_AND,
					word[TB_M_FRAME_RETURN],
					~UINT32_C (1)),
		       tb_namer_constant (&b->n, change->address), plain);
      return;
    }

  /* It was a return if the frame leads to where execution went on.  */
  tb_vid real = tb_build_fresh (b, TB_SLOT_Z);
  tb_vid away = tb_namer_valuei (&b->n, TB_OP_EOR, word[TB_M_FRAME_RETURN],
				 change->address);
  tb_vid same = tb_namer_value (&b->n, TB_OP_ISZERO,
				tb_namer_valuei (&b->n, TB_OP_AND, away,
						 ~UINT32_C (1)), 0);
  if (plain == one)
    {
      tb_namer_node (&b->n, TB_NODE_IF1, same, one, real);
      if (!change->unless_seen)
	tb_namer_node (&b->n, TB_NODE_IF1, real, one, same);
    }
  n->goes_on = both (b, n->goes_on, real);
  if (n->next != 0)
    n->next = tb_namer_select (&b->n, real, n->next, zero);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    {
      returned[i] = slot[i];
      slot[i] = chained[i];
    }
  memcpy (fp_returned, n->fp, sizeof fp_returned);
  memcpy (n->fp, fp_chained, sizeof fp_chained);
  chain (b, &(struct tb_change) { .number = TB_EXCEPTION_UNKNOWN }, exc_return);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    chained[i] = slot[i];
  choose (b, real, returned, chained);
  memcpy (fp_chained, n->fp, sizeof fp_chained);
  memcpy (n->fp, fp_returned, sizeof fp_returned);
  tb_fp_unless (b, real, fp_chained);
  if (n->fp_owed != owed)
    n->fp_owed = owed == 0 || n->fp_owed == 0 ? 0
		 : tb_namer_select (&b->n, real, n->fp_owed, owed);
}

void
tb_build_change (struct tb_builder *b, const struct tb_change *change,
		 bool after_svc)
{
  if (change->kind == TB_CHANGE_LOST || !b->state->exceptions)
    {
      tb_build_lose (b);
      return;
    }
  tb_build_name_all (b);
  b->names->holds[0] = 0;
  b->names->nchosen = 0;
  tb_vid psr;
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      psr = tb_namer_new (&b->n);
      if (!after_svc)
	tb_build_abandon (b, change->address, TB_ISA_T32, splits_stores (b, change), psr);
      tb_build_name_all (b);
      enter (b, change, psr);
      break;
    case TB_CHANGE_RETURN: case TB_CHANGE_RETURN_MAYBE:
      leave (b, change);
      b->names->ran = false;
      break;
    case TB_CHANGE_TAIL:
      chain (b, change, tb_build_branched_to (b, change));
      break;
    }
}
