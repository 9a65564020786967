/* Registers: g, p and refusals to write them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is not known is sent as "xx", which GDB shows as <unavailable>.  But to
   unwind a frame of 32-bit Arm code that has no call frame information GDB needs
   values of SP, LR, the frame pointer and the status register; if one is missing,
   tfind, stepi and backtrace fail, and all navigation after them.  And where SP is
   known and LR or the frame pointer is not, reverse-step and -next fail in any
   code.  (Established with GDB 13.1.)  So, by policy, the poison value stands in
   these, and in these alone; $unknown_registers says that it is none of theirs.  */

#include "config.h"
#include "registers.h"

#include "dispatch.h"

/* The remote numbers of AArch64's vector registers, of which nothing is ever
   known, and of FPSR and FPCR.  */
#define A64_V0 34
#define A64_FPSR 66
#define A64_FPCR 67

/* The frame pointers: r7 of Thumb code, r11 of Arm code, x29.  */
#define FP_T32 7
#define FP_A32 11
#define FP_A64 29
#define LR_32 14
#define LR_64 30

static bool
is_wide (const struct tb_tdesc_layout *layout)
{
  return layout->slots[layout->pc].size == 8;
}

/* Is slot NUMBER, which is not SP or the status register, one that GDB unwinds
   with?  */
static bool
is_link (const struct tb_tdesc_layout *layout, const struct tb_moment *moment,
	 unsigned number)
{
  if (is_wide (layout))
    return number == FP_A64 || number == LR_64;
  return number == LR_32
	 || number == (moment->step.isa == TB_ISA_A32 ? FP_A32 : FP_T32);
}

bool
register_shown (const struct client *c, const struct tb_moment *moment,
		unsigned number, uint64_t *bits)
{
  const struct tb_tdesc_layout *layout = tb_moments_layout (c->target->moments);
  const struct tb_tdesc_slot *slot = &layout->slots[number];
  const struct tb_value *value = &moment->values[slot->reg];
  bool wide = is_wide (layout);
  uint64_t poison = slot->size == 8 ? TB_POISON64 : TB_POISON32;
  *bits = value->bits;
  if (tb_moment_whole (value, slot->size))
    return true;
  if (c->policy == UNKNOWN_EXACT || number == layout->pc)
    return false;
  if (number == layout->psr)
    {
      *bits = (value->bits & value->mask) | (poison & ~value->mask);
      return !wide;
    }
  bool is_sp = number == layout->sp;
  if (!is_sp && !is_link (layout, moment, number))
    return false;
  *bits = poison;
  if (c->policy == UNKNOWN_NAVIGABLE)
    return true;
  const struct tb_tdesc_slot *sp = &layout->slots[layout->sp];
  if (tb_moment_whole (&moment->values[sp->reg], sp->size))
    return true;
  bool has_cfi = c->target->cfi != NULL
		 && cfi_covers (c->target->cfi, moment->pc);
  return !wide && !has_cfi;
}

static void
append_slot (struct client *c, const struct tb_moment *moment,
	     unsigned number, struct tb_buffer *text)
{
  const struct tb_tdesc_layout *layout = tb_moments_layout (c->target->moments);
  const struct tb_tdesc_slot *slot = &layout->slots[number];
  uint64_t bits;
  if (!register_shown (c, moment, number, &bits))
    {
      tb_buffer_append (text, "xxxxxxxxxxxxxxxx", 2 * slot->size);
      return;
    }
  uint8_t bytes[8];
  for (unsigned i = 0; i < slot->size; i++)
    bytes[i] = (uint8_t) (bits >> 8 * i);
  hex_append (text, bytes, slot->size);
}

void
append_pc (struct client *c, struct tb_buffer *text)
{
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL || !c->moment_has_pc)
    return;
  const struct tb_tdesc_layout *layout = tb_moments_layout (c->target->moments);
  tb_buffer_printf (text, "%02x:", layout->slots[layout->pc].gdb);
  append_slot (c, moment, layout->pc, text);
  tb_buffer_append (text, ";", 1);
}

static void
read_all (struct client *c, const struct packet_args *args)
{
  (void) args;
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL)
    {
      reply_error (c);
      return;
    }
  const struct tb_tdesc_layout *layout = tb_moments_layout (c->target->moments);
  for (unsigned i = 0; i < layout->count; i++)
    append_slot (c, moment, i, &c->reply);
}

static void
read_one (struct client *c, const struct packet_args *args)
{
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL)
    {
      reply_error (c);
      return;
    }
  const struct tb_tdesc_layout *layout = tb_moments_layout (c->target->moments);
  uint64_t number = args->number[0];
  for (unsigned i = 0; i < layout->count; i++)
    if (layout->slots[i].gdb == number)
      {
	append_slot (c, moment, i, &c->reply);
	return;
      }
  if (!is_wide (layout))
    return;
  if (number >= A64_V0 && number < A64_FPSR)
    reply_text (c, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  else if (number == A64_FPSR || number == A64_FPCR)
    reply_text (c, "xxxxxxxx");
}

/* What was recorded is not written to.  */
static void
refuse (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_error (c);
}

const struct packet_handler packets_registers[] = {
  { "g", "", read_all },
  { "p", "x", read_one },
  { "G", "*", refuse },
  { "P", "*", refuse },
  { NULL, NULL, NULL }
};
