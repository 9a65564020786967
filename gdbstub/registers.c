/* Registers: g, p and refusals to write them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is not known is sent as "xx", which GDB shows as <unavailable>.  But GDB
   13.1 then fails, and all navigation after that, in two cases:
   - 32-bit Arm code without call frame information, where SP, LR, the frame pointer
     or the status register has no value;
   - any code where SP has a value and LR, which holds the return address, has none
     (without either it manages).
   So, by policy, the poison value stands in those registers in those cases, and the
   status register has its known bits with the poison's in the others;
   $unknown_registers says that these are no values.  */

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

/* Does GDB need a value of LR, or (not IS_LR) of another register that it unwinds
   with, at MOMENT?  */
static bool
is_needed (const struct client *c, const struct tb_moment *moment, bool is_lr)
{
  const struct target *t = c->target;
  const struct tb_tdesc_layout *layout = tb_moments_layout (t->moments);
  const struct tb_tdesc_slot *sp = &layout->slots[layout->sp];
  if (c->policy != UNKNOWN_AUTO)
    return c->policy == UNKNOWN_NAVIGABLE;
  if (is_lr && tb_moment_whole (&moment->values[sp->reg], sp->size))
    return true;
  return !is_wide (layout)
	 && (t->cfi == NULL || !cfi_covers (t->cfi, moment->pc));
}

bool
register_shown (const struct client *c, const struct tb_moment *moment,
		unsigned number, uint64_t *bits)
{
  const struct tb_tdesc_layout *layout = tb_moments_layout (c->target->moments);
  const struct tb_tdesc_slot *slot = &layout->slots[number];
  const struct tb_value *value = &moment->values[slot->reg];
  *bits = value->bits;
  if (tb_moment_whole (value, slot->size))
    return true;
  unsigned fp = is_wide (layout) ? FP_A64
		: moment->step.isa == TB_ISA_A32 ? FP_A32 : FP_T32;
  unsigned lr = is_wide (layout) ? LR_64 : LR_32;
  bool unwinds = number == layout->sp || number == fp || number == lr
		 || (number == layout->psr && !is_wide (layout));
  if (!unwinds || !is_needed (c, moment, number == lr))
    return false;
  *bits = slot->size == 8 ? TB_POISON64 : TB_POISON32;
  if (number == layout->psr)
    *bits = (value->bits & value->mask) | (*bits & ~value->mask);
  return true;
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
  tb_hex_append (text, bytes, slot->size);
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
  reply_read_only (c);
}

const struct packet_handler packets_registers[] = {
  { "g", "", read_all },
  { "p", "x", read_one },
  { "G", "*", refuse },
  { "P", "*", refuse },
  { NULL, NULL, NULL }
};
