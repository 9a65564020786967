/* Naming of exception entry and return on ARMv6-M.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0419, B1.5.6 (entry), B1.5.7 (stacking), B1.5.8 (return),
   B1.5.12 (tail-chaining: neither stacking nor unstacking).  */

#include "config.h"
#include "state/internal.h"

#include "decode/element.h"

/* xPSR in a frame: bit 9 says whether the frame was moved down by 4 to align
   it; bit 24 is the Thumb bit.  */
#define FRAME_MOVED 9
#define FRAME_THUMB UINT32_C (0x01000000)
#define FRAME_SIZE 32

/* Exception numbers of ARMv6-M: 0 to 47.  */
#define NUMBER_MASK UINT32_C (0x3f)

/* The registers at the words of a frame; the last two are the return address
   and xPSR.  */
static const uint8_t frame_slots[6] = { 0, 1, 2, 3, 12, TB_SLOT_LR };

/* 0xfffffff1, f9 and fd: bit 2 is the stack, bit 3 is thread mode.  */
static tb_vid
new_exc_return (struct tb_builder *b)
{
  tb_vid id = tb_build_new (b);
  tb_build_bits (b, id, 0xfffffff3, 0xfffffff1);
  return id;
}

/* The exception number NUMBER, or one that is not told.  */
static tb_vid
exception_number (struct tb_builder *b, unsigned number)
{
  if (number != TB_EXCEPTION_UNKNOWN && number <= NUMBER_MASK)
    return tb_build_constant (b, number);
  tb_vid id = tb_build_new (b);
  tb_build_range (b, id, 1, NUMBER_MASK);
  return id;
}

/* What a handler finds undefined: r0 to r3, r12, the flags.  */
static void
forget_scratch (struct tb_builder *b)
{
  tb_vid *slot = b->names->slot;
  for (unsigned i = 0; i < 5; i++)
    slot[frame_slots[i]] = tb_build_fresh (b, frame_slots[i]);
  tb_build_name_flags (b, NULL);
}

/* The flags and the exception number are those in X.  */
static void
tie_psr (struct tb_builder *b, tb_vid x)
{
  tb_vid *slot = b->names->slot;
  for (unsigned i = 0; i < 4; i++)
    tb_build_node (b, TB_OP_BIT, slot[TB_SLOT_N + i], x,
		   tb_build_constant (b, 31 - i));
  tb_build_node (b, TB_OP_AND, slot[TB_SLOT_IPSR], x,
		 tb_build_constant (b, NUMBER_MASK));
}

/* An instruction at the return address may have been under way: load and store
   multiple are given up half-way and begun again after the return.  */
static void
abandon (struct tb_builder *b, uint32_t address)
{
  struct tb_template t;
  struct tb_uop uops[TB_SEM_MAX];
  if (tb_state_template_at (b->state, address, &t, uops) == NULL)
    tb_build_lose (b);
  else if (t.flags & TB_SEM_MULTIPLE)
    tb_build_abandoned (b, uops, t.count);
}

/* The frame below SP; returns its address, and in *MOVED bit 9 of xPSR.  */
static tb_vid
push_frame (struct tb_builder *b, tb_vid sp, tb_vid *moved)
{
  tb_vid aligned = tb_build_valuei (b, TB_OP_AND, sp, ~UINT32_C (7));
  *moved = tb_build_valuei (b, TB_OP_BIT, sp, 2);
  /* The same once more, so that the frame and SP come into one class.  */
  tb_build_node (b, TB_OP_ADD, sp, aligned,
		 tb_build_valuei (b, TB_OP_LSL, *moved, 2));
  return tb_build_valuei (b, TB_OP_SUB, aligned, FRAME_SIZE);
}

static void
enter (struct tb_builder *b, const struct tb_change *change)
{
  tb_vid *slot = b->names->slot;
  tb_vid one = tb_build_constant (b, 1), zero = tb_build_constant (b, 0);
  tb_vid lr = new_exc_return (b), spsel = slot[TB_SLOT_SPSEL];
  tb_vid other = slot[TB_SLOT_SP_OTHER], moved;

  /* EXC_RETURN tells the stack and the mode that were interrupted.  */
  tb_build_node (b, TB_OP_BIT, spsel, lr, tb_build_constant (b, 2));
  tb_vid thread = tb_build_valuei (b, TB_OP_EOR, slot[TB_SLOT_HANDLER], 1);
  tb_build_node (b, TB_OP_BIT, thread, lr, tb_build_constant (b, 3));

  tb_vid frame = push_frame (b, slot[TB_SLOT_SP], &moved);
  tb_vid pc = tb_build_new (b), psr = tb_build_new (b);
  tb_build_bits (b, pc, ~UINT32_C (1), change->address);
  tie_psr (b, psr);
  tb_build_node (b, TB_OP_BIT, moved, psr,
		 tb_build_constant (b, FRAME_MOVED));
  tb_build_bits (b, psr, FRAME_THUMB, FRAME_THUMB);
  for (unsigned i = 0; i < 8; i++)
    {
      tb_vid value = i < 6 ? slot[frame_slots[i]] : i == 6 ? pc : psr;
      tb_vid at = i == 0 ? frame
		  : tb_build_valuei (b, TB_OP_ADD, frame, 4 * i);
      tb_build_store (b, TB_MEM_STORE, at, value, 4);
    }

  forget_scratch (b);
  slot[TB_SLOT_LR] = lr;
  slot[TB_SLOT_SP] = tb_build_select (b, spsel, other, frame);
  slot[TB_SLOT_SP_OTHER] = tb_build_select (b, spsel, frame, other);
  slot[TB_SLOT_SPSEL] = zero;
  slot[TB_SLOT_HANDLER] = one;
  slot[TB_SLOT_IPSR] = exception_number (b, change->number);
}

/* From one handler to the next: the frame stays where it is.  */
static void
chain (struct tb_builder *b, const struct tb_change *change)
{
  tb_vid *slot = b->names->slot;
  forget_scratch (b);
  slot[TB_SLOT_LR] = new_exc_return (b);
  slot[TB_SLOT_SPSEL] = tb_build_constant (b, 0);
  slot[TB_SLOT_HANDLER] = tb_build_constant (b, 1);
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
    slot[i] = tb_build_select (b, real, returned[i], chained[i]);
}

/* The stack pointer above FRAME, which held PSR.  */
static tb_vid
pop_frame (struct tb_builder *b, tb_vid frame, tb_vid psr)
{
  tb_vid moved = tb_build_valuei (b, TB_OP_BIT, psr, FRAME_MOVED);
  tb_vid gap = tb_build_valuei (b, TB_OP_LSL, moved, 2);
  tb_vid above = tb_build_valuei (b, TB_OP_ADD, frame, FRAME_SIZE);
  /* The bit is put in, not added (a frame that software made may be odd).  */
  tb_vid sp = tb_build_value (b, TB_OP_ORR, above, gap);
  tb_vid odd = tb_build_valuei (b, TB_OP_BIT, above, 2);
  tb_vid sum = tb_build_value (b, TB_OP_ADD, above, gap);
  tb_build_node (b, TB_NODE_IF0, sp, sum, odd);
  return sp;
}

static void
leave (struct tb_builder *b, const struct tb_change *change)
{
  struct tb_names *n = b->names;
  tb_vid *slot = n->slot, word[8], chained[TB_NSLOTS], returned[TB_NSLOTS];
  tb_vid one = tb_build_constant (b, 1);
  tb_vid exc_return = change->exc_return != 0
		      ? tb_build_constant (b, change->exc_return)
		      : n->target != 0 ? n->target : tb_build_new (b);

  if (!(exc_return & TB_CONSTANT))
    tb_build_bits (b, exc_return, 0xfffffff3, 0xfffffff1);
  /* Only a handler returns, and its stack is MSP.  */
  tb_build_bits (b, slot[TB_SLOT_HANDLER], UINT32_MAX, 1);
  tb_build_bits (b, slot[TB_SLOT_SPSEL], UINT32_MAX, 0);

  tb_vid psp = change->exc_return != 0
	       ? tb_build_constant (b, change->exc_return >> 2 & 1)
	       : tb_build_valuei (b, TB_OP_BIT, exc_return, 2);
  tb_vid thread = change->exc_return != 0
		  ? tb_build_constant (b, change->exc_return >> 3 & 1)
		  : tb_build_valuei (b, TB_OP_BIT, exc_return, 3);
  tb_vid msp = slot[TB_SLOT_SP], other = slot[TB_SLOT_SP_OTHER];
  tb_vid frame = tb_build_select (b, psp, other, msp);
  for (unsigned i = 0; i < 8; i++)
    word[i] = tb_build_load (b, i == 0 ? frame
			     : tb_build_valuei (b, TB_OP_ADD, frame, 4 * i),
			     4);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    chained[i] = slot[i];

  for (unsigned i = 0; i < 6; i++)
    slot[frame_slots[i]] = word[i];
  tb_build_name_flags (b, NULL);
  slot[TB_SLOT_IPSR] = tb_build_fresh (b, TB_SLOT_IPSR);
  slot[TB_SLOT_HANDLER] = tb_build_valuei (b, TB_OP_EOR, thread, 1);
  tb_vid is_thread = tb_build_value (b, TB_OP_ISZERO, slot[TB_SLOT_IPSR], 0);
  tb_build_node (b, TB_OP_EOR, slot[TB_SLOT_HANDLER], is_thread, one);
  tie_psr (b, word[7]);
  slot[TB_SLOT_SP] = pop_frame (b, frame, word[7]);
  slot[TB_SLOT_SP_OTHER] = tb_build_select (b, psp, msp, other);
  slot[TB_SLOT_SPSEL] = psp;
  if (change->kind == TB_CHANGE_RETURN)
    {
      tb_build_bits (b, word[6], ~UINT32_C (1), change->address);
      return;
    }

  /* It was a return if the frame leads to where execution went on.  */
  tb_vid real = tb_build_fresh (b, TB_SLOT_Z);
  tb_vid away = tb_build_valuei (b, TB_OP_EOR, word[6], change->address);
  tb_vid same = tb_build_value (b, TB_OP_ISZERO,
				tb_build_valuei (b, TB_OP_AND, away,
						 ~UINT32_C (1)), 0);
  tb_build_node (b, TB_NODE_IF1, same, one, real);
  if (!change->unless_seen)
    tb_build_node (b, TB_NODE_IF1, real, one, same);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    {
      returned[i] = slot[i];
      slot[i] = chained[i];
    }
  chain (b, &(struct tb_change) { .number = TB_EXCEPTION_UNKNOWN });
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    chained[i] = slot[i];
  choose (b, real, returned, chained);
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
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      if (!after_svc)
	abandon (b, change->address);
      tb_build_name_all (b);
      enter (b, change);
      break;
    case TB_CHANGE_RETURN: case TB_CHANGE_RETURN_MAYBE:
      leave (b, change);
      break;
    case TB_CHANGE_TAIL:
      chain (b, change);
      break;
    }
}
