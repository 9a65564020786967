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
#include "state/answer/sve.h"

/* The frame pointers: r7 of Thumb code, r11 of Arm code, x29.  */
#define FP_T32 7
#define FP_A32 11
#define FP_A64 29
#define LR_32 14
#define LR_64 30

/* The bit of CPSR that tells T32 from A32 (DDI 0406, B1.3.3).  */
#define CPSR_T 0x20

/* Is the code at MOMENT A32?  Where no instruction is known, as of a core without trace, the status
   register tells.  */
static bool
is_a32 (const struct client *c, const struct tb_moment *moment)
{
  const struct tb_value *psr = &moment->values[TB_PSR];
  if (moment->step.isa != TB_ISA_UNKNOWN)
    return moment->step.isa == TB_ISA_A32;
  return !target_profile (c->target)->is_m && (psr->mask & CPSR_T) != 0
	 && (psr->bits & CPSR_T) == 0;
}

/* Does GDB need a value of slot NUMBER at MOMENT, known or not?  */
static bool
is_needed (const struct client *c, const struct tb_moment *moment,
	   unsigned number)
{
  const struct target *t = c->target;
  const struct tb_tdesc *tdesc = t->tdesc;
  const struct tb_tdesc_slot *sp = &tdesc->slots[tdesc->sp];
  unsigned reg = tdesc->slots[number].reg;
  bool wide = sp->size == 8;
  unsigned fp = wide ? FP_A64 : is_a32 (c, moment) ? FP_A32 : FP_T32;
  bool is_sp = reg == sp->reg;
  bool is_lr = reg == (wide ? LR_64 : LR_32);
  bool is_psr = reg == TB_PSR && !wide;
  bool is_m = target_profile (t)->is_m;
  bool is_stack = tdesc->stacks && (reg == TB_MSP || reg == TB_PSP);
  if (client_policy (c) == UNKNOWN_EXACT
      || !(is_sp || reg == fp || is_lr || is_psr || is_stack))
    return false;
  if (client_policy (c) == UNKNOWN_NAVIGABLE || is_stack || (is_psr && is_m)
      || ((is_lr || is_psr)
	  && tb_moment_whole (&moment->values[sp->reg], sp->size)))
    return true;
  if (wide)
    return false;
  const struct tb_value *lr = &moment->values[TB_LR];
  if (is_m && is_sp && stacked_is_exc_return (lr))
    return true;
  return t->cfi == NULL || !cfi_covers (t->cfi, moment->pc)
	 || (tb_moment_whole (lr, 4) && !(is_m && stacked_is_exc_return (lr))
	     && !cfi_covers (t->cfi, (lr->bits & ~UINT64_C (1)) - 2));
}

bool
register_shown (const struct client *c, const struct tb_moment *moment,
		unsigned number, uint64_t *bits)
{
  const struct tb_tdesc *tdesc = c->target->tdesc;
  const struct tb_tdesc_slot *slot = &tdesc->slots[number];
  const struct tb_value *value = &moment->values[slot->reg];
  *bits = value->bits;
  if (tb_moment_whole (value, slot->size))
    return true;
  if (slot->reg == LR_32 && target_profile (c->target)->is_m
      && client_policy (c) != UNKNOWN_EXACT && stacked_is_exc_return (value))
    {
      *bits = stacked_exc_return (moment->values, value);
      return true;
    }
  if (!is_needed (c, moment, number))
    return false;
  *bits = slot->size == 8 ? TB_POISON64 : TB_POISON32;
  if (slot->reg == tdesc->slots[tdesc->psr].reg)
    *bits = (value->bits & value->mask) | (*bits & ~value->mask);
  return true;
}

static void
append_slot (struct client *c, const struct tb_moment *moment,
	     unsigned number, struct tb_buffer *text)
{
  const struct tb_tdesc_slot *slot = &c->target->tdesc->slots[number];
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

/* The same of REG, by all names that it may have there.  */
static bool
read_reg_at_halt (const struct target *t, const struct tb_tdesc_reg *reg,
		  uint8_t *bytes)
{
  char name[16];
  if (read_halt (t, reg->name, bytes, reg->size))
    return true;
  if (reg->kind != TB_TDESC_VECTOR || reg->reg >= TB_FPSCR)
    return false;
  if (target_profile (t)->has_a64)
    {
      /* The low end of a Q register is a D register.  */
      uint8_t whole[16];
      snprintf (name, sizeof name, "q%u", reg->reg);
      if (!read_halt (t, name, whole, 16))
	{
	  snprintf (name, sizeof name, "v%u", reg->reg);
	  if (!read_halt (t, name, whole, 16))
	    return false;
	}
      memcpy (bytes, whole, reg->size);
      return true;
    }
  /* A d register is two of the s registers, a q register two d registers.  */
  for (unsigned i = 0; i < reg->size; i += 4)
    {
      unsigned at = reg->part + i, d = reg->reg + at / 8;
      uint8_t whole[8];
      snprintf (name, sizeof name, "d%u", d);
      if (read_halt (t, name, whole, 8))
	{
	  memcpy (bytes + i, whole + at % 8, 4);
	  continue;
	}
      snprintf (name, sizeof name, "s%u", 2 * d + at % 8 / 4);
      if (d >= 16 || !read_halt (t, name, bytes + i, 4))
	return false;
    }
  return true;
}

/* The bytes of REG, an SVE register, at MOMENT, if all are known.  */
static bool
read_sve (const struct target *t, const struct tb_moment *moment,
	  const struct tb_tdesc_reg *reg, uint8_t *bytes)
{
  unsigned length = tb_state_sve_length (t->state);
  struct tb_sve value;
  if (length != 0 && reg->reg == TB_NSVE)
    {
      memset (bytes, 0, reg->size);
      bytes[0] = (uint8_t) (length / 8);
      return true;
    }
  if (length == 0 || reg->reg >= TB_NSVE || reg->size != tb_sve_size (length, reg->reg)
      || !tb_state_sve (t->state, moment->number, reg->reg, &value)
      || !tb_sve_known (&value, 0, reg->size))
    return false;
  memcpy (bytes, value.bytes, reg->size);
  return true;
}

/* What is known of REG, which is in no slot, at MOMENT, if all of it is: BYTES, lowest
   first.  WAITS: of a thread that does not run then.  */
static bool
read_other (const struct target *t, const struct tb_moment *moment, bool waits,
	    const struct tb_tdesc_reg *reg, uint8_t *bytes)
{
  if (reg->kind == TB_TDESC_CORE
      || (reg->kind == TB_TDESC_BANKED
	  && tb_tdesc_in_use (reg, &moment->values[TB_PSR])))
    {
      struct tb_value value = moment->values[reg->reg];
      /* Without FP and its like CONTROL has two bits (DDI 0403, B1.4.4; DDI 0553,
	 D1.2.19).  */
      if (reg->reg == TB_CONTROL && target_profile (t)->is_m && !t->has_fp
	  && target_profile (t)->arch != TB_ARCH_V81M_MAIN)
	value.mask |= ~UINT64_C (3);
      if (value.origin != TB_UNKNOWN && tb_moment_whole (&value, reg->size))
	{
	  for (unsigned i = 0; i < reg->size; i++)
	    bytes[i] = (uint8_t) (value.bits >> 8 * i);
	  return true;
	}
    }
  if (waits)
    return false;
  if (reg->kind == TB_TDESC_SVE && read_sve (t, moment, reg, bytes))
    return true;
  struct tb_vector vectors[TB_NVECTORS];
  if (reg->kind == TB_TDESC_VECTOR
      && tb_state_vectors (t->state, moment->number, vectors)
      && tb_moment_vector (vectors, &t->tdesc->profile, reg, bytes) != TB_UNKNOWN)
    return true;
  bool at_halt = moment->at_end
		 && (t->steps == 0 || tb_state_halt (t->state) == TB_HALT_USED);
  return at_halt && read_reg_at_halt (t, reg, bytes);
}

/* REG at MOMENT, to C's reply.  */
static void
append_reg (struct client *c, const struct tb_moment *moment,
	    const struct tb_tdesc_reg *reg)
{
  uint8_t bytes[TB_SVE_MAX];
  if (reg->slot >= 0)
    append_slot (c, moment, (unsigned) reg->slot, &c->reply);
  else if (reg->size <= sizeof bytes
	   && read_other (c->target, moment, client_looks_at_waiting (c), reg,
			  bytes))
    tb_hex_append (&c->reply, bytes, reg->size);
  else
    for (unsigned i = 0; i < reg->size; i++)
      tb_buffer_append (&c->reply, "xx", 2);
}

void
append_pc (struct client *c, struct tb_buffer *text)
{
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL || !c->moment_has_pc)
    return;
  const struct tb_tdesc *tdesc = c->target->tdesc;
  tb_buffer_printf (text, "%02x:", tdesc->slots[tdesc->pc].gdb);
  append_slot (c, moment, tdesc->pc, text);
  tb_buffer_append (text, ";", 1);
}

static void
read_all (struct client *c, const struct packet_args *args)
{
  (void) args;
  const struct tb_moment *moment = client_moment (c);
  /* Which it does where it has none from before: it knows of the new place, if it looks at
     what runs there.  LLDB reads them by chance.  */
  c->moved &= c->is_lldb || client_looks_at_waiting (c);
  if (moment == NULL)
    {
      reply_error (c);
      return;
    }
  const struct tb_tdesc *tdesc = c->target->tdesc;
  bool before = target_glance (c->target, true);
  for (unsigned i = 0; i < tdesc->nblock; i++)
    append_reg (c, moment, &tdesc->regs[i]);
  target_glance (c->target, before);
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
  const struct tb_tdesc_reg *reg = tb_tdesc_find (c->target->tdesc,
						  args->number[0]);
  bool before = target_glance (c->target, true);
  if (reg != NULL)
    append_reg (c, moment, reg);
  target_glance (c->target, before);
  if (!c->is_lldb)
    return;
  /* LLDB takes x for some digit, and an error for an unknown value.  But it asks for the first
     register once, to see whether there is such a packet, whatever that says.  After an error it
     reads all by "g", and knows none behind one that is not known, nor the PC.  */
  bool asked = c->asked_registers;
  c->asked_registers = true;
  if ((asked || args->number[0] != 0) && c->reply.size != 0
      && memchr (c->reply.data, 'x', c->reply.size) != NULL)
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
