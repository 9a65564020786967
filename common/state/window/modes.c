/* Naming of the A and R profile's CPSR and of the registers that modes bank.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The registers of the mode that the core is in are slots; those of the others
   are names.bank, in which what is of the present mode does not count.  The mode
   itself is a value: where it is not known, what is banked becomes a choice.

   Source: DDI 0406, B1.3.1 (modes), B1.3.2 (banked registers), B1.3.3 (CPSR).  */

#include "config.h"
#include "state/window/builder.h"

/* Places in names.bank.  */
enum
{
  BANK_SP = 0,			/* Eight: of each bank.  */
  BANK_LR = 8,			/* Seven: Hyp mode has that of User mode.  */
  BANK_SPSR = 14,		/* That of bank B is at BANK_SPSR + B.  */
  BANK_HIGH = 22,		/* r8 to r12 of the others.  */
  BANK_HIGH_FIQ = 27,
  BANK_ELR_HYP = 32
};

/* The banks, by the modes that have them; User mode's is also that of System
   mode.  */
enum { USR, SVC, ABT, UND, IRQ, FIQ, MON, HYP, BANKS };
static const uint8_t mode_of_bank[BANKS] = {
  TB_MODE_USR, TB_MODE_SVC, TB_MODE_ABT, TB_MODE_UND, TB_MODE_IRQ, TB_MODE_FIQ,
  TB_MODE_MON, TB_MODE_HYP
};

/* SPSR counts as register 15, after SP and LR.  */
#define SPSR 15

static unsigned
bank_of_mode (unsigned mode)
{
  for (unsigned i = 0; i < BANKS; i++)
    if (mode_of_bank[i] == mode)
      return i;
  return USR;
}

/* Where register R (8 to 15) of BANK is; NULL: there is none.  */
static tb_vid *
banked (struct tb_names *n, unsigned bank, unsigned r)
{
  if (r < TB_SLOT_SP)
    return &n->bank[(bank == FIQ ? BANK_HIGH_FIQ : BANK_HIGH) + r - 8];
  if (r == TB_SLOT_SP)
    return &n->bank[BANK_SP + bank];
  if (r == TB_SLOT_LR)
    return &n->bank[BANK_LR + (bank == HYP ? USR : bank)];
  return bank == USR ? NULL : &n->bank[BANK_SPSR + bank];
}

/* What is there.  */
static tb_vid
get (struct tb_builder *b, tb_vid *at)
{
  if (*at == 0)
    *at = tb_namer_new (&b->n);
  return *at;
}

static tb_vid
is_mode (struct tb_builder *b, tb_vid mode, unsigned number)
{
  tb_vid other = tb_namer_valuei (&b->n, TB_OP_EOR, mode, number);
  return tb_namer_value (&b->n, TB_OP_ISZERO, other, 0);
}

/* 1 if MODE has BANK, else 0.  */
static tb_vid
has_bank (struct tb_builder *b, tb_vid mode, unsigned bank)
{
  if (mode & TB_CONSTANT)
    {
      unsigned number = (unsigned) tb_graph_known (&b->state->graph, mode).bits;
      return tb_namer_constant (&b->n, bank_of_mode (number) == bank);
    }
  if ((bank == MON && !b->state->has_monitor)
      || (bank == HYP && !b->state->has_hyp))
    return tb_namer_constant (&b->n, 0);
  tb_vid is = is_mode (b, mode, mode_of_bank[bank]);
  if (bank != USR)
    return is;
  return tb_namer_value (&b->n, TB_OP_ORR, is, is_mode (b, mode, TB_MODE_SYS));
}

/* Put the slots into the banks.  */
static void
bank_slots (struct tb_builder *b, const tb_vid *has)
{
  struct tb_names *n = b->names;
  tb_vid none = tb_namer_constant (&b->n, 0);
  for (unsigned i = 0; i < BANKS; i++)
    for (unsigned r = TB_SLOT_SP; r <= SPSR && has[i] != none; r++)
      {
	tb_vid *at = banked (n, i, r);
	if (at != NULL)
	  *at = tb_namer_select (&b->n, has[i], n->slot[r], get (b, at));
      }
  for (unsigned r = 8; r < TB_SLOT_SP; r++)
    {
      tb_vid *fiq = banked (n, FIQ, r), *other = banked (n, USR, r);
      *fiq = tb_namer_select (&b->n, has[FIQ], n->slot[r], get (b, fiq));
      *other = tb_namer_select (&b->n, has[FIQ], get (b, other), n->slot[r]);
    }
}

/* Take the slots from the banks.  */
static void
unbank_slots (struct tb_builder *b, const tb_vid *has)
{
  struct tb_names *n = b->names;
  tb_vid none = tb_namer_constant (&b->n, 0);
  tb_vid one = tb_namer_constant (&b->n, 1);
  for (unsigned r = TB_SLOT_SP; r <= SPSR; r++)
    {
      tb_vid value = 0;
      for (unsigned i = 0; i < BANKS; i++)
	{
	  tb_vid *at = banked (n, i, r);
	  if (at == NULL || has[i] == none)
	    continue;
	  if (value == 0 && has[i] != one)
	    value = tb_namer_new (&b->n);
	  value = tb_namer_select (&b->n, has[i], get (b, at), value);
	}
      n->slot[r] = value != 0 ? value : tb_namer_new (&b->n);
    }
  for (unsigned r = 8; r < TB_SLOT_SP; r++)
    n->slot[r] = tb_namer_select (&b->n, has[FIQ], get (b, banked (n, FIQ, r)),
				  get (b, banked (n, USR, r)));
}

void
tb_build_switch (struct tb_builder *b, tb_vid mode)
{
  tb_vid old = b->names->slot[TB_SLOT_MODE], from[BANKS], to[BANKS];
  bool same = true;
  if (old == mode)
    return;
  for (unsigned i = 0; i < BANKS; i++)
    {
      from[i] = has_bank (b, old, i);
      to[i] = has_bank (b, mode, i);
      same = same && from[i] == to[i];
    }
  b->names->slot[TB_SLOT_MODE] = mode;
  if (same)
    return;
  bank_slots (b, from);
  unbank_slots (b, to);
}

void
tb_build_merge_banks (struct tb_builder *b, tb_vid condition,
		      const struct tb_names *old)
{
  struct tb_names *n = b->names;
  for (unsigned i = 0; i < TB_NBANKED; i++)
    if (n->bank[i] != old->bank[i])
      {
	tb_vid otherwise = old->bank[i] != 0 ? old->bank[i] : tb_namer_new (&b->n);
	n->bank[i] = tb_namer_select (&b->n, condition, n->bank[i], otherwise);
      }
  n->privileged = n->privileged && old->privileged;
}

tb_vid
tb_build_privileged_mode (struct tb_builder *b)
{
  const struct tb_names *n = b->names;
  tb_vid mode = n->slot[TB_SLOT_MODE];
  if (mode & TB_CONSTANT)
    return tb_namer_constant (&b->n,
			      mode != tb_namer_constant (&b->n, TB_MODE_USR));
  if (n->privileged)
    return tb_namer_constant (&b->n, 1);
  return tb_namer_valuei (&b->n, TB_OP_EOR, is_mode (b, mode, TB_MODE_USR), 1);
}

/* PSR has MODE.  */
static void
remember (struct tb_names *n, tb_vid psr, tb_vid mode)
{
  n->psr[n->npsr].psr = psr;
  n->psr[n->npsr].mode = mode;
  n->npsr = (n->npsr + 1) % (sizeof n->psr / sizeof n->psr[0]);
}

/* The mode that is in PSR.  */
static tb_vid
mode_in (struct tb_builder *b, tb_vid psr)
{
  const struct tb_names *n = b->names;
  if (psr & TB_CONSTANT)
    return tb_namer_constant (&b->n, tb_graph_known (&b->state->graph, psr).bits
				 & 31);
  for (unsigned i = 0; i < sizeof n->psr / sizeof n->psr[0]; i++)
    if (n->psr[i].psr == psr)
      return n->psr[i].mode;
  return tb_namer_valuei (&b->n, TB_OP_AND, psr, 31);
}

tb_vid
tb_build_psr (struct tb_builder *b)
{
  tb_vid x = tb_namer_new (&b->n);
  tb_build_tie_psr (b, x);
  tb_namer_bits (&b->n, x, tb_system_psr (b->state->profile).zero, 0);
  tb_build_note_mode (b, x);
  return x;
}

void
tb_build_note_mode (struct tb_builder *b, tb_vid psr)
{
  remember (b->names, psr, b->names->slot[TB_SLOT_MODE]);
}

tb_vid
tb_build_read_banked (struct tb_builder *b, uint32_t number)
{
  struct tb_names *n = b->names;
  if (number == TB_SYS_RETURN)
    return tb_namer_select (&b->n, has_bank (b, n->slot[TB_SLOT_MODE], HYP),
			    get (b, &n->bank[BANK_ELR_HYP]), n->slot[TB_SLOT_LR]);
  unsigned r = TB_SYS_REG_R (number);
  unsigned bank = bank_of_mode (TB_SYS_REG_MODE (number));
  if (r == 0)
    return get (b, &n->bank[BANK_ELR_HYP]);
  tb_vid *at = banked (n, bank, r);
  if (at == NULL)
    return tb_namer_new (&b->n);
  tb_vid here = has_bank (b, n->slot[TB_SLOT_MODE], bank);
  /* r8 to r12 are those of all modes but one; Hyp mode has no LR.  */
  if (r < TB_SLOT_SP && bank != FIQ)
    here = tb_namer_valuei (&b->n, TB_OP_EOR,
			    has_bank (b, n->slot[TB_SLOT_MODE], FIQ), 1);
  else if (r == TB_SLOT_LR && bank == USR)
    here = tb_namer_value (&b->n, TB_OP_ORR, here,
			   has_bank (b, n->slot[TB_SLOT_MODE], HYP));
  return tb_namer_select (&b->n, here, n->slot[r], get (b, at));
}

void
tb_build_write_banked (struct tb_builder *b, uint32_t number, tb_vid value)
{
  struct tb_names *n = b->names;
  unsigned r = TB_SYS_REG_R (number);
  unsigned bank = bank_of_mode (TB_SYS_REG_MODE (number));
  tb_vid mode = n->slot[TB_SLOT_MODE];
  tb_vid *at = r == 0 ? &n->bank[BANK_ELR_HYP] : banked (n, bank, r);
  if (at == NULL)
    return;
  *at = value;
  if (r == 0)
    return;
  tb_vid here = has_bank (b, mode, bank);
  if (r < TB_SLOT_SP && bank != FIQ)
    here = tb_namer_valuei (&b->n, TB_OP_EOR, has_bank (b, mode, FIQ), 1);
  else if (r == TB_SLOT_LR && bank == USR)
    here = tb_namer_value (&b->n, TB_OP_ORR, here, has_bank (b, mode, HYP));
  n->slot[r] = tb_namer_select (&b->n, here, value, n->slot[r]);
}

void
tb_build_mode (struct tb_builder *b, tb_vid psr)
{
  struct tb_names *n = b->names;
  tb_vid mode = mode_in (b, psr);
  n->privileged = false;
  bool certain = b->condition == 0 || b->condition == tb_namer_constant (&b->n, 1);
  if (certain && !(mode & TB_CONSTANT))
    tb_namer_range (&b->n, mode, 16, 31);
  tb_build_switch (b, mode);
}

/* May a mode of which K is known be MODE?  */
static bool
may_be (struct tb_known k, unsigned mode)
{
  return ((k.bits ^ mode) & k.mask) == 0 && mode >= k.lo && mode <= k.hi;
}

/* Does place AT of the banks count, where K is known of the mode?  What is of the
   present mode is not there.  */
static bool
counts (unsigned at, struct tb_known k)
{
  if (at == BANK_ELR_HYP)
    return true;
  if (at >= BANK_HIGH_FIQ)
    return !may_be (k, TB_MODE_FIQ);
  if (at >= BANK_HIGH)
    return tb_known_all (k) && k.bits == TB_MODE_FIQ;
  unsigned bank = at > BANK_SPSR ? at - BANK_SPSR
		  : at >= BANK_LR ? at - BANK_LR : at;
  if (bank != USR)
    return !may_be (k, mode_of_bank[bank]);
  unsigned here = bank_of_mode ((unsigned) k.bits);
  return tb_known_all (k) && here != USR && !(at == BANK_LR && here == HYP);
}

void
tb_state_take_modes (const struct tb_state *s, struct tb_border *border)
{
  const struct tb_names *n = &s->names;
  if (n->slot[TB_SLOT_MODE] == 0)
    return;
  border->privileged = n->privileged;
  struct tb_known mode = tb_graph_known (&s->graph, n->slot[TB_SLOT_MODE]);
  for (unsigned i = 0; i < TB_NBANKED; i++)
    if (n->bank[i] != 0 && counts (i, mode))
      border->banked[i] = tb_border_known (&s->graph, n->bank[i]);
}

/* PSR is an SPSR of which REGISTER is known: its mode, too?  */
static void
know_mode (struct tb_builder *b, tb_vid psr,
	   const struct tb_border_register *reg)
{
  if ((reg->mask & 31) == 31)
    remember (b->names, psr, tb_namer_constant (&b->n, reg->bits & 31));
}

void
tb_build_border_modes (struct tb_builder *b, const struct tb_border *border)
{
  struct tb_names *n = b->names;
  /* What the window never uses is known before it if behind it, too.  */
  for (unsigned i = 0; i < TB_NBANKED; i++)
    get (b, &n->bank[i]);
  if (border == NULL)
    return;
  for (unsigned i = 0; i < TB_NBANKED; i++)
    {
      tb_namer_bits (&b->n, n->bank[i], (uint32_t) border->banked[i].mask,
		     (uint32_t) border->banked[i].bits);
      if (i > BANK_SPSR && i < BANK_HIGH)
	know_mode (b, n->bank[i], &border->banked[i]);
    }
  know_mode (b, n->slot[TB_SLOT_SPSR], &border->slots[TB_SLOT_SPSR]);
  n->privileged |= border->privileged;
  const struct tb_border_register *mode = &border->slots[TB_SLOT_MODE];
  if (mode->mask == UINT32_MAX)
    n->slot[TB_SLOT_MODE] = tb_namer_constant (&b->n, (uint32_t) mode->bits);
}
