/* Registers: g, p and refusals to write them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is not known is sent as "xx", which GDB shows as <unavailable>.  But GDB
   13.1 then fails, and all navigation after that, in these cases:
   - 32-bit Arm code without call frame information, where SP, LR, the frame pointer
     or the status register has no value; that of a caller, too;
   - the M profile, where xPSR has none;
   - a handler of the M profile with EXC_RETURN in LR, where SP has none (or some bits
     of EXC_RETURN are not known, see stacked.h);
   - any code where SP has a value and LR, which holds the return address, has none
     (without either it manages);
   - A32 and T32 code where SP has a value and CPSR, which tells the two apart, has
     none: a backtrace that gets to code without that information ends with an error;
   - where MSP and PSP are described, any code where one of them has no value.
   So, by policy, the poison value stands in those registers in those cases, and the
   status register has its known bits with the poison's in the others;
   $unknown_registers says that these are no values.  */

#include "config.h"
#include "registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "stacked.h"

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

/* Does GDB need a value of slot NUMBER at MOMENT, known or not?  */
static bool
is_needed (const struct client *c, const struct tb_moment *moment,
	   unsigned number)
{
  const struct target *t = c->target;
  const struct tb_tdesc_layout *layout = t->layout;
  const struct tb_tdesc_slot *sp = &layout->slots[layout->sp];
  bool wide = is_wide (layout);
  unsigned fp = wide ? FP_A64
		: moment->step.isa == TB_ISA_A32 ? FP_A32 : FP_T32;
  bool is_lr = number == (wide ? LR_64 : LR_32);
  bool is_psr = number == layout->psr && !wide;
  bool is_stack = number > layout->psr, is_m = target_profile (t)->is_m;
  if (client_policy (c) == UNKNOWN_EXACT
      || !(number == layout->sp || number == fp || is_lr || is_psr || is_stack))
    return false;
  if (client_policy (c) == UNKNOWN_NAVIGABLE || is_stack || (is_psr && is_m)
      || ((is_lr || is_psr)
	  && tb_moment_whole (&moment->values[sp->reg], sp->size)))
    return true;
  if (wide)
    return false;
  const struct tb_value *lr = &moment->values[TB_LR];
  if (is_m && number == layout->sp && stacked_is_exc_return (lr))
    return true;
  return t->cfi == NULL || !cfi_covers (t->cfi, moment->pc)
	 || (tb_moment_whole (lr, 4) && !(is_m && stacked_is_exc_return (lr))
	     && !cfi_covers (t->cfi, (lr->bits & ~UINT64_C (1)) - 2));
}

/* Does slot NUMBER of the layout show a value to GDB at MOMENT?  *BITS is it.  */
static bool
register_shown (const struct client *c, const struct tb_moment *moment,
		unsigned number, uint64_t *bits)
{
  const struct tb_tdesc_layout *layout = c->target->layout;
  const struct tb_tdesc_slot *slot = &layout->slots[number];
  const struct tb_value *value = &moment->values[slot->reg];
  *bits = value->bits;
  if (tb_moment_whole (value, slot->size))
    return true;
  if (number == LR_32 && target_profile (c->target)->is_m
      && client_policy (c) != UNKNOWN_EXACT && stacked_is_exc_return (value))
    {
      *bits = stacked_exc_return (moment->values, value);
      return true;
    }
  if (!is_needed (c, moment, number))
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
  const struct tb_tdesc_layout *layout = c->target->layout;
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

/* The LENGTH bytes, lowest first, of the register NAME of the core at the halt; false:
   the snapshot does not have it.  */
static bool
read_halt (const struct target *t, const char *name, uint8_t *bytes,
	   unsigned length)
{
  const struct tb_device_reg *reg = t->core->device != NULL
				    ? tb_device_reg (t->core->device, name)
				    : NULL;
  if (reg == NULL || reg->bits != 8 * length)
    return false;
  memcpy (bytes, reg->bytes, length);
  return true;
}

/* The same of one that GDB calls OTHER, by all names that it may have.  */
static bool
read_other_at_halt (const struct target *t, const struct tb_tdesc_other *other,
		    uint8_t *bytes)
{
  char half[sizeof other->name];
  unsigned number = (unsigned) strtoul (other->name + 1, NULL, 10);
  if (read_halt (t, other->name, bytes, other->bytes))
    return true;
  switch (other->bytes)
    {
    case 16:
      snprintf (half, sizeof half, "q%u", number);
      return read_halt (t, half, bytes, 16);
    case 8:
      /* A d register is two of the s registers.  */
      for (unsigned i = 0; i < 2; i++)
	{
	  snprintf (half, sizeof half, "s%u", 2 * number + i);
	  if (number >= 16 || !read_halt (t, half, bytes + 4 * i, 4))
	    return false;
	}
      return true;
    default:
      return false;
    }
}

/* The bytes of OTHER, an FP or vector register, if VECTORS have all of it.  */
static bool
read_vector (const struct tb_vector *vectors,
	     const struct tb_tdesc_other *other, uint8_t *bytes)
{
  const struct tb_vector *v;
  if (strcmp (other->name, "fpscr") == 0 || strcmp (other->name, "fpcr") == 0)
    v = &vectors[TB_FPSCR];
  else if (strcmp (other->name, "fpsr") == 0)
    v = &vectors[TB_FPSR];
  else if (other->name[0] == 'd' || other->name[0] == 'v')
    v = &vectors[strtoul (other->name + 1, NULL, 10) % TB_FPSCR];
  else
    return false;
  for (unsigned i = 0; i < other->bytes; i += 8)
    {
      unsigned n = other->bytes - i < 8 ? other->bytes - i : 8;
      if (!tb_moment_whole (&v->half[i / 8], n))
	return false;
      for (unsigned k = 0; k < n; k++)
	bytes[i + k] = (uint8_t) (v->half[i / 8].bits >> 8 * k);
    }
  return true;
}

/* What is known of OTHER at MOMENT, if all of it is: BYTES, lowest first.  */
static bool
read_other (const struct target *t, const struct tb_moment *moment,
	    const struct tb_tdesc_other *other, uint8_t *bytes)
{
  if (other->reg >= 0)
    {
      struct tb_value value = moment->values[other->reg];
      /* Without FP and its like CONTROL has two bits (DDI 0403, B1.4.4; DDI 0553,
	 D1.2.19).  */
      if (other->reg == TB_CONTROL && !t->tdesc.fp
	  && target_profile (t)->arch != TB_ARCH_V81M_MAIN)
	value.mask |= ~UINT64_C (3);
      if (value.origin != TB_UNKNOWN && tb_moment_whole (&value, other->bytes))
	{
	  for (unsigned i = 0; i < other->bytes; i++)
	    bytes[i] = (uint8_t) (value.bits >> 8 * i);
	  return true;
	}
    }
  struct tb_vector vectors[TB_NVECTORS];
  if (other->reg < 0 && tb_state_vectors (t->state, moment->number, vectors)
      && read_vector (vectors, other, bytes))
    return true;
  bool at_halt = moment->at_end
		 && (t->steps == 0 || tb_state_halt (t->state) == TB_HALT_USED);
  return at_halt && read_other_at_halt (t, other, bytes);
}

static void
append_other (const struct client *c, const struct tb_moment *moment,
	      const struct tb_tdesc_other *other, struct tb_buffer *text)
{
  uint8_t bytes[16];
  if (read_other (c->target, moment, other, bytes))
    tb_hex_append (text, bytes, other->bytes);
  else
    tb_buffer_append (text, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		      2 * other->bytes);
}

void
append_pc (struct client *c, struct tb_buffer *text)
{
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL || !c->moment_has_pc)
    return;
  const struct tb_tdesc_layout *layout = c->target->layout;
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
  const struct tb_tdesc_layout *layout = c->target->layout;
  for (unsigned i = 0; i < layout->count; i++)
    append_slot (c, moment, i, &c->reply);
  const struct tb_tdesc_slot *last = &layout->slots[layout->count - 1];
  unsigned offset = last->offset + last->size;
  struct tb_tdesc_other other;
  for (unsigned gdb = last->gdb; offset < layout->size; gdb++)
    if (tb_tdesc_find_other (&c->target->tdesc, gdb, &other))
      {
	append_other (c, moment, &other, &c->reply);
	offset += other.bytes;
      }
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
  const struct tb_tdesc_layout *layout = c->target->layout;
  uint64_t number = args->number[0];
  for (unsigned i = 0; i < layout->count; i++)
    if (layout->slots[i].gdb == number)
      append_slot (c, moment, i, &c->reply);
  struct tb_tdesc_other other;
  if (c->reply.size == 0 && number < TB_TDESC_NUMBERS
      && tb_tdesc_find_other (&c->target->tdesc, (unsigned) number, &other))
    append_other (c, moment, &other, &c->reply);
  /* LLDB takes x for some digit, and an error for an unknown value.  */
  if (c->is_lldb && memchr (c->reply.data, 'x', c->reply.size) != NULL)
    reply_error (c);
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
