/* Naming of MRS, MSR and CPS.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0419, B5.2; DDI 0403, B5.2; DDI 0553, D1.1.  */

#include "config.h"
#include "state/window/fp.h"
#include "state/window/builder.h"
#include "state/window/it.h"

uint32_t
tb_state_psr_zero (const struct tb_state *s)
{
  switch (s->profile->arch)
    {
    case TB_ARCH_V6M:
      return UINT32_C (0x0efffdc0);
    case TB_ARCH_V8M_BASE:
      return UINT32_C (0x0efffc00);
    case TB_ARCH_V7M:
      return UINT32_C (0x00ff0000);
    case TB_ARCH_V81M_MAIN:
      /* Bit 21 is EPSR.B.  */
      return UINT32_C (0x00d00000);
    default:
      return UINT32_C (0x00f00000);
    }
}

uint32_t
tb_state_it_zero (struct tb_state *s, uint64_t pc)
{
  struct tb_template t;
  struct tb_uop uops[TB_SEM_MAX];
  if (s->profile->arch == TB_ARCH_V6M || s->profile->arch == TB_ARCH_V8M_BASE)
    return TB_PSR_IT;
  if (!tb_it_never (s, pc)
      || tb_state_template_at (s, pc, &t, uops) == NULL
      || t.flags & (TB_SEM_MULTIPLE | TB_SEM_CONTINUES))
    return 0;
  return TB_PSR_IT;
}

/* 1 where privileged: a handler, or thread mode without nPRIV.  */
static tb_vid
privileged (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  tb_vid one = tb_namer_constant (&b->n, 1);
  if (n->slot[TB_SLOT_HANDLER] == one)
    return one;
  tb_vid allowed = tb_namer_valuei (&b->n, TB_OP_EOR, n->slot[TB_SLOT_NPRIV],
				    1);
  return tb_namer_value (&b->n, TB_OP_ORR, n->slot[TB_SLOT_HANDLER], allowed);
}

void
tb_build_cps (struct tb_builder *b, uint32_t primask)
{
  tb_vid *slot = &b->names->slot[TB_SLOT_PRIMASK];
  *slot = tb_namer_select (&b->n, privileged (b),
			   tb_namer_constant (&b->n, primask), *slot);
}

/* The value that X has where privileged, else 0.  */
static tb_vid
if_privileged (struct tb_builder *b, tb_vid x)
{
  return tb_namer_select (&b->n, privileged (b), x,
			  tb_namer_constant (&b->n, 0));
}

/* xPSR, APSR, IPSR and so on: bit 0 of NUMBER adds IPSR, bit 2 leaves out the
   flags.  */
static tb_vid
read_psr (struct tb_builder *b, uint32_t number)
{
  tb_vid *slot = b->names->slot;
  uint32_t zero = UINT32_MAX;
  tb_vid x = tb_namer_new (&b->n);
  if (number & 1)
    {
      zero &= ~TB_PSR_IPSR;
      tb_namer_node (&b->n, TB_OP_AND, slot[TB_SLOT_IPSR], x,
		     tb_namer_constant (&b->n, TB_PSR_IPSR));
    }
  if (!(number & 4))
    {
      /* Bit 27 is reserved on ARMv6-M (DDI 0419, B1.4.2).  */
      zero &= ~(TB_PSR_NZCV | UINT32_C (1) << 27);
      if (b->state->profile->arch != TB_ARCH_V6M)
	{
	  zero &= ~UINT32_C (0x000f0000);
	  tb_namer_node (&b->n, TB_OP_BIT, slot[TB_SLOT_Q], x,
			 tb_namer_constant (&b->n, 27));
	  tb_namer_node (&b->n, TB_OP_AND, slot[TB_SLOT_GE],
			 tb_namer_valuei (&b->n, TB_OP_LSR, x, 16),
			 tb_namer_constant (&b->n, 15));
	}
      for (unsigned i = 0; i < 4; i++)
	if (slot[TB_SLOT_N + i] != 0)
	  tb_namer_node (&b->n, TB_OP_BIT, slot[TB_SLOT_N + i], x,
			 tb_namer_constant (&b->n, 31 - i));
    }
  tb_namer_bits (&b->n, x, zero, 0);
  return x;
}

/* CONTROL; later architectures have more bits.  */
static tb_vid
read_control (struct tb_builder *b)
{
  tb_vid *slot = b->names->slot, value = tb_namer_new (&b->n);
  enum tb_arch arch = b->state->profile->arch;
  uint32_t bits = arch == TB_ARCH_V6M ? 3 : arch < TB_ARCH_V8M_BASE ? 7
		  : arch == TB_ARCH_V81M_MAIN ? 0xff : 15;
  tb_namer_bits (&b->n, value, ~bits, 0);
  tb_namer_node (&b->n, TB_OP_BIT, slot[TB_SLOT_NPRIV], value,
		 tb_namer_constant (&b->n, 0));
  if (bits & 4)
    tb_namer_node (&b->n, TB_OP_BIT, slot[TB_SLOT_FPCA], value,
		   tb_namer_constant (&b->n, 2));
  if (arch < TB_ARCH_V8M_BASE)
    tb_namer_node (&b->n, TB_OP_BIT, slot[TB_SLOT_SPSEL], value,
		   tb_namer_constant (&b->n, 1));
  else
    /* In handler mode it is that of thread mode.  */
    tb_namer_node (&b->n, TB_NODE_IF0,
		   tb_namer_valuei (&b->n, TB_OP_BIT, value, 1),
		   slot[TB_SLOT_SPSEL], slot[TB_SLOT_HANDLER]);
  return value;
}

void
tb_build_mrs (struct tb_builder *b, unsigned dst, uint32_t number)
{
  tb_vid *slot = b->names->slot, value;
  switch (number)
    {
    case 0: case 1: case 2: case 3: case 5: case 6: case 7:
      value = read_psr (b, number);
      break;
    case 8:
      value = if_privileged (b, tb_namer_select (&b->n, slot[TB_SLOT_SPSEL],
						 slot[TB_SLOT_SP_OTHER],
						 slot[TB_SLOT_SP]));
      break;
    case 9:
      value = if_privileged (b, tb_namer_select (&b->n, slot[TB_SLOT_SPSEL],
						 slot[TB_SLOT_SP],
						 slot[TB_SLOT_SP_OTHER]));
      break;
    case 16:
      value = if_privileged (b, slot[TB_SLOT_PRIMASK]);
      break;
    case 20:
      value = read_control (b);
      break;
    default:
      value = tb_namer_new (&b->n);
      break;
    }
  slot[dst] = value;
}

/* MSP or PSP = VALUE.  */
static void
write_sp (struct tb_builder *b, bool psp, tb_vid value)
{
  tb_vid *slot = b->names->slot;
  tb_vid allowed = privileged (b), spsel = slot[TB_SLOT_SPSEL];
  tb_vid sp = slot[TB_SLOT_SP], other = slot[TB_SLOT_SP_OTHER];
  tb_vid aligned = tb_namer_valuei (&b->n, TB_OP_AND, value, ~UINT32_C (3));
  /* Where PSP is meant, it is in use if SPSEL is 1.  */
  tb_vid in_use = psp ? tb_namer_select (&b->n, spsel, aligned, sp)
		  : tb_namer_select (&b->n, spsel, sp, aligned);
  tb_vid banked = psp ? tb_namer_select (&b->n, spsel, other, aligned)
		  : tb_namer_select (&b->n, spsel, aligned, other);
  slot[TB_SLOT_SP] = tb_namer_select (&b->n, allowed, in_use, sp);
  slot[TB_SLOT_SP_OTHER] = tb_namer_select (&b->n, allowed, banked, other);
}

/* CONTROL = VALUE; SPSEL can be written in thread mode only.  */
static void
write_control (struct tb_builder *b, tb_vid value)
{
  tb_vid *slot = b->names->slot;
  tb_vid allowed = privileged (b);
  tb_vid npriv = tb_namer_valuei (&b->n, TB_OP_BIT, value, 0);
  tb_vid asked = tb_namer_valuei (&b->n, TB_OP_BIT, value, 1);
  tb_vid old = slot[TB_SLOT_SPSEL], sp = slot[TB_SLOT_SP];
  tb_vid other = slot[TB_SLOT_SP_OTHER];

  if (b->state->profile->arch == TB_ARCH_V6M)
    /* Without the Unprivileged/Privileged Extension nPRIV stays 0 (DDI 0419,
       B1.4.3).  */
    npriv = tb_namer_value (&b->n, TB_OP_AND, npriv,
			    tb_build_fresh (b, TB_SLOT_NPRIV));
  asked = tb_namer_select (&b->n, slot[TB_SLOT_HANDLER], old, asked);
  slot[TB_SLOT_NPRIV] = tb_namer_select (&b->n, allowed, npriv,
					 slot[TB_SLOT_NPRIV]);
  if (b->state->has_fp)
    {
      tb_fp_control (b);
      slot[TB_SLOT_FPCA]
	= tb_namer_select (&b->n, allowed,
			   tb_namer_valuei (&b->n, TB_OP_BIT, value, 2),
			   slot[TB_SLOT_FPCA]);
    }
  slot[TB_SLOT_SPSEL] = tb_namer_select (&b->n, allowed, asked, old);
  if (slot[TB_SLOT_SPSEL] == old)
    return;
  tb_vid change = tb_namer_value (&b->n, TB_OP_EOR, slot[TB_SLOT_SPSEL], old);
  slot[TB_SLOT_SP] = tb_namer_select (&b->n, change, other, sp);
  slot[TB_SLOT_SP_OTHER] = tb_namer_select (&b->n, change, sp, other);
}

void
tb_build_msr (struct tb_builder *b, tb_vid value, uint32_t number)
{
  tb_vid *slot = b->names->slot;
  if (number < 4)
    {
      tb_vid flags[4];
      for (unsigned i = 0; i < 4; i++)
	flags[i] = tb_namer_valuei (&b->n, TB_OP_BIT, value, 31 - i);
      tb_build_name_flags (b, flags);
    }
  else if (number == 8 || number == 9)
    write_sp (b, number == 9, value);
  else if (number == 16)
    slot[TB_SLOT_PRIMASK]
      = tb_namer_select (&b->n, privileged (b),
			 tb_namer_valuei (&b->n, TB_OP_BIT, value, 0),
			 slot[TB_SLOT_PRIMASK]);
  else if (number == 20)
    write_control (b, value);
}
