/* Naming of exceptions on the A and R profile, AArch32 state.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An entry changes to the mode of the exception, whose LR becomes the return
   address and SPSR the CPSR; returns are instructions (TB_OP_ERET).  The trace
   tells the kind of an exception and whether Hyp mode took it.  Monitor mode takes
   what SCR routes to it; base assumptions: only where code in the snapshot goes
   there, or an SMC was traced, and from a vector table of its own.

   Source: DDI 0406, B1.8.3 (modes that take exceptions), B1.9 (each one: link
   register and masks), B1.8.4 (Monitor mode).  */

#include "config.h"
#include "state/window/builder.h"

#include "arm/flow/flow.h"

static const struct tb_template *
template_of (const struct tb_state *s, uint64_t i)
{
  return &s->templates[s->info[i] & TB_INFO_TEMPLATE];
}

/* The instruction set that the branch T leads to.  */
static enum tb_isa
isa_after (const struct tb_state *s, const struct tb_template *t)
{
  struct tb_flow flow;
  return tb_flow_of (&flow, t->isa, t->opcode, t->size, t->pc, false, s->profile)
	 && flow.kind == TB_FLOW_BRANCH ? (enum tb_isa) flow.target_isa
	 : TB_ISA_UNKNOWN;
}

/* The instruction set of the instruction at ADDRESS that would have been step I;
   TB_ISA_UNKNOWN where that is not told.  */
static enum tb_isa
isa_at (const struct tb_state *s, uint64_t address, uint64_t i)
{
  if (i > 0 && !(s->info[i - 1] & TB_INFO_TAKEN))
    return (enum tb_isa) template_of (s, i - 1)->isa;
  if (address & 2)
    return TB_ISA_T32;
  enum tb_isa isa = i > 0 ? isa_after (s, template_of (s, i - 1))
		    : TB_ISA_UNKNOWN;
  if (isa != TB_ISA_UNKNOWN)
    return isa;
  for (size_t k = 0; k < s->ntemplates; k++)
    if (s->templates[k].pc == address)
      return (enum tb_isa) s->templates[k].isa;
  return TB_ISA_UNKNOWN;
}

static bool
is_interrupt (const struct tb_change *change)
{
  return change->taken == TB_EXC_IRQ || change->taken == TB_EXC_FIQ;
}

/* Is the table of the handler that step I begins one of those that SVC, or an
   undefined instruction, led to?  Those are never Monitor mode's.  */
static bool
is_plain_table (const struct tb_state *s, uint64_t i)
{
  if (i >= s->steps)
    return false;
  uint32_t base = template_of (s, i)->pc & ~UINT32_C (31);
  if (base == 0xffff0000)
    return true;
  for (unsigned k = 0; k < s->nplain_tables; k++)
    if (s->plain_tables[k] == base)
      return true;
  return false;
}

/* Is T an SVC?  */
static bool
is_svc (const struct tb_template *t)
{
  if (t->isa == TB_ISA_A32)
    return t->opcode >> 28 != 15 && (t->opcode >> 24 & 15) == 15;
  return t->size == 2 && (t->opcode & 0xff00) == 0xdf00;
}

void
tb_state_find_tables (struct tb_state *s)
{
  s->nplain_tables = 0;
  for (size_t k = 0; k < s->nchanges; k++)
    {
      const struct tb_change *c = &s->changes[k];
      if (c->kind != TB_CHANGE_ENTRY || c->step >= s->steps || c->step == 0
	  || (c->taken != TB_EXC_CALL && c->taken != TB_EXC_UNDEFINED))
	continue;
      uint32_t pc = (uint32_t) template_of (s, c->step)->pc;
      bool svc = c->taken == TB_EXC_CALL;
      if ((pc & 31) != (svc ? 8 : 4) || is_plain_table (s, c->step)
	  || (svc && !is_svc (template_of (s, c->step - 1)))
	  || s->nplain_tables == sizeof s->plain_tables
				 / sizeof s->plain_tables[0])
	continue;
      s->plain_tables[s->nplain_tables++] = pc & ~UINT32_C (31);
    }
}

/* HVC; SMC.  */
static bool
is_call (const struct tb_template *t, bool hyp)
{
  if (t->isa == TB_ISA_A32)
    return (t->opcode & 0x0ff000f0) == (hyp ? 0x01400070 : 0x01600070);
  return t->size == 4 && (t->opcode & 0xfff0f000) == (hyp ? 0xf7e08000
						      : 0xf7f08000);
}

/* Where exception CHANGE went: its mode (0: not known), what is added to the
   return address for LR.  */
struct entry
{
  unsigned mode;
  bool or_monitor;		/* Or Monitor mode.  */
  int add;
  bool lr_known, by_thumb;	/* BY_THUMB: 2 less in T32.  */
};

static const struct
{
  uint8_t mode, add;
  bool by_thumb, routed;	/* ROUTED: it may go to Monitor mode instead.  */
} entries[] = {
  [TB_EXC_CALL] = { .mode = TB_MODE_SVC },
  [TB_EXC_SMC] = { .mode = TB_MODE_MON },
  [TB_EXC_UNDEFINED] = { .mode = TB_MODE_UND, .add = 4, .by_thumb = true },
  [TB_EXC_PREFETCH] = { .mode = TB_MODE_ABT, .add = 4, .routed = true },
  [TB_EXC_DATA] = { .mode = TB_MODE_ABT, .add = 8, .routed = true },
  [TB_EXC_IRQ] = { .mode = TB_MODE_IRQ, .add = 4, .routed = true },
  [TB_EXC_FIQ] = { .mode = TB_MODE_FIQ, .add = 4, .routed = true }
};

static struct entry
find_entry (const struct tb_builder *b, const struct tb_change *change,
	    bool hyp)
{
  const struct tb_state *s = b->state;
  unsigned kind = change->taken;
  const struct tb_template *before
    = change->step > 0 ? template_of (s, change->step - 1) : NULL;

  if (hyp || kind == TB_EXC_HYP)
    return (struct entry) { .mode = TB_MODE_HYP };
  /* A call that is not one of SVC.  */
  if (kind == TB_EXC_CALL && before != NULL && is_call (before, false))
    kind = TB_EXC_SMC;
  if (kind >= sizeof entries / sizeof *entries || entries[kind].mode == 0
      || (kind == TB_EXC_CALL && (before == NULL || !is_svc (before))))
    return (struct entry) { .mode = 0 };
  return (struct entry) {
    .mode = entries[kind].mode, .add = entries[kind].add, .lr_known = true,
    .by_thumb = entries[kind].by_thumb,
    .or_monitor = entries[kind].routed && s->has_monitor
		  && !is_plain_table (s, change->step)
  };
}

/* The CPSR's masks in the handler: I is set, F by FIQ, A by all but SVC and
   undefined instructions; where security decides, what they become is not
   known.  */
static void
mask (struct tb_builder *b, unsigned kind, bool plain, bool hyp)
{
  tb_vid *slot = &b->names->slot[TB_SLOT_MASKS];
  uint32_t may = 5;
  if (hyp)
    {
      *slot = tb_build_fresh (b, TB_SLOT_MASKS);
      return;
    }
  if (plain)
    may = kind == TB_EXC_CALL || kind == TB_EXC_UNDEFINED ? 0
	  : kind == TB_EXC_FIQ ? 5 : 4;
  tb_vid set = tb_namer_valuei (&b->n, TB_OP_ORR, *slot, 2);
  if (may != 0)
    set = tb_namer_value (&b->n, TB_OP_ORR, set,
			  tb_namer_valuei (&b->n, TB_OP_AND,
					   tb_namer_new (&b->n),
					   may));
  *slot = set;
}

static void
enter (struct tb_builder *b, const struct tb_change *change, bool hyp,
       enum tb_isa isa)
{
  struct tb_names *n = b->names;
  struct entry e = find_entry (b, change, hyp);
  tb_vid psr = tb_build_psr (b), lr = 0, mode;

  if (isa == TB_ISA_A32)
    tb_namer_bits (&b->n, psr, TB_CPSR_EXECUTION, 0);
  else if (isa == TB_ISA_T32)
    tb_namer_bits (&b->n, psr, 0x01000020, 0x20);
  if (e.lr_known)
    lr = tb_namer_constant (&b->n, change->address + (uint32_t) e.add);
  if (e.by_thumb && isa == TB_ISA_T32)
    lr = tb_namer_constant (&b->n, change->address + 2);
  else if (e.by_thumb && isa != TB_ISA_A32)
    lr = tb_namer_value (&b->n, TB_OP_SUB, lr,
			 tb_namer_valuei (&b->n, TB_OP_LSL,
					  tb_namer_valuei (&b->n, TB_OP_BIT,
							   psr,
							   5), 1));
  mode = e.mode != 0 ? tb_namer_constant (&b->n, e.mode)
	 : tb_build_fresh (b, TB_SLOT_MODE);
  if (e.or_monitor)
    mode = tb_namer_select (&b->n, tb_build_fresh (b, TB_SLOT_Z),
			    tb_namer_constant (&b->n, TB_MODE_MON), mode);
  tb_build_switch (b, mode);
  n->privileged = true;
  n->slot[TB_SLOT_SPSR] = psr;
  if (e.mode == TB_MODE_HYP)
    tb_build_write_banked (b, TB_SYS_REG (TB_MODE_HYP, 0),
			   tb_namer_constant (&b->n, change->address));
  else
    n->slot[TB_SLOT_LR] = lr != 0 ? lr : tb_namer_new (&b->n);
  mask (b, change->taken,
	e.mode != 0 && e.mode != TB_MODE_MON && !e.or_monitor,
	e.mode == TB_MODE_HYP);
}

/* A context that the trace states.  */
static void
set_context (struct tb_builder *b, const struct tb_change *change)
{
  struct tb_names *n = b->names;
  tb_vid mode = n->slot[TB_SLOT_MODE];
  uint32_t regime = (change->number & 0xff00) | (change->el == 2);
  if (change->address != n->context || regime != n->regime)
    n->epoch++;
  n->context = change->address;
  n->regime = regime;
  if (change->el == 0)
    tb_namer_bits (&b->n, mode, UINT32_MAX, TB_MODE_USR);
  else if (change->el == 2)
    tb_namer_bits (&b->n, mode, UINT32_MAX, TB_MODE_HYP);
  if (change->el <= 3)
    n->privileged = change->el != 0;
}

void
tb_build_a_change (struct tb_builder *b, const struct tb_change *changes,
		   size_t count)
{
  const struct tb_state *s = b->state;
  bool first = true;
  for (size_t k = 0; k < count; k++)
    {
      const struct tb_change *change = &changes[k];
      if (change->kind == TB_CHANGE_LOST)
	{
	  tb_build_lose (b);
	  continue;
	}
      tb_build_name_all (b);
      tb_build_forget_condition (b);
      if (change->kind == TB_CHANGE_CONTEXT)
	{
	  set_context (b, change);
	  continue;
	}
      bool hyp = k + 1 < count && changes[k + 1].kind == TB_CHANGE_CONTEXT
		 ? changes[k + 1].el == 2
		 : (b->names->regime & 1) != 0;
      /* One that directly follows another interrupts its handler's first
	 instruction.  */
      enum tb_isa isa = isa_at (s, change->address, first ? change->step : 0);
      first = false;
      bool call = change->taken == TB_EXC_CALL || change->taken == TB_EXC_SMC;
      if (!call && isa != TB_ISA_T32)
	tb_build_abandon (b, change->address, TB_ISA_A32, !is_interrupt (change), 0);
      if (!call && isa != TB_ISA_A32)
	tb_build_abandon (b, change->address, TB_ISA_T32, !is_interrupt (change), 0);
      tb_build_name_all (b);
      enter (b, change, hyp, isa);
    }
}
