/* State of A64 code: calls and exceptions that return, for the assumption that
   functions keep the callee-saved registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/evidence/facts.h"

/* X19 to X29, D8 to D15 and SP: what a function gives back to its caller (AAPCS64,
   6.1.1 "General-purpose registers", 6.1.2 "SIMD and Floating-Point registers", 6.4.5
   "The stack").  */
#define FIRST_KEPT 19
#define GENERAL_KEPT 11
#define FIRST_VECTOR_KEPT 8
#define KEPT (GENERAL_KEPT + 8 + 1)
_Static_assert (KEPT <= TB_KEPT_MOST, "They have room.");

/* If T is a call the address it returns to, else 0: BL, and BLR of all kinds
   (DDI 0487, C4.1 "Branches, exception generating and system instructions").  */
static uint64_t
return_address (const struct tb_template *t)
{
  bool direct = (t->opcode & 0xfc000000) == 0x94000000;
  bool indirect = (t->opcode & 0xfefff000) == 0xd63f0000;
  return t->isa == TB_ISA_A64 && (direct || indirect) ? t->pc + 4 : 0;
}

/* BR, BLR, RET of all kinds; ERET, too.  */
static bool
is_indirect (const struct tb_template *t)
{
  return t->isa == TB_ISA_A64 && (t->opcode & 0xfe000000) == 0xd6000000;
}

static void
take_names (const struct tb_state *s, tb_vid names[KEPT])
{
  for (unsigned i = 0; i < GENERAL_KEPT; i++)
    names[i] = s->names.slot[FIRST_KEPT + i];
  for (unsigned i = GENERAL_KEPT; i < KEPT - 1; i++)
    names[i] = s->names.fp[2 * (FIRST_VECTOR_KEPT + i - GENERAL_KEPT)];
  names[KEPT - 1] = s->names.slot[TB_A64_SP];
}

/* Exceptions and context before step I, which is at PC.  RETURNED: it was led to
   by ERET; CONTEXT: the ID until now.  */
static void
follow_changes (const struct tb_state *s, struct tb_calls *c, uint64_t i,
		uint64_t pc, bool returned, uint32_t *context,
		const tb_vid *names)
{
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i, &count);
  bool entered = false, lost = false;
  for (size_t k = 0; k < count; k++)
    {
      entered |= change[k].kind == TB_CHANGE_ENTRY;
      lost |= change[k].kind != TB_CHANGE_ENTRY
	      && change[k].kind != TB_CHANGE_CONTEXT;
    }
  /* What returned before a gap did not return to what is behind it.  */
  if (lost)
    tb_open_forget (&c->open);
  if (returned)
    tb_calls_leave (c, i, entered ? change[0].address : pc, names);
  for (size_t k = 0; k < count; k++)
    switch (change[k].kind)
      {
      case TB_CHANGE_ENTRY:
	tb_calls_enter (c, i, change[k].address, names, 0);
	break;
      case TB_CHANGE_CONTEXT:
	/* Another process.  */
	if (change[k].address != *context)
	  tb_open_forget (&c->open);
	*context = change[k].address;
	break;
      default:
	tb_open_forget (&c->open);
	break;
      }
}

static enum tb_same
compare (const void *context, uint64_t a, uint64_t b)
{
  const struct tb_state *s = context;
  return tb_same_value (&s->graph, (tb_vid) a, (tb_vid) b);
}

/* Does T put into SP what is in another register than the frame pointer, or that
   and a constant?  MOV (to SP) is ADD (immediate) of 0 (DDI 0487, C6.2).  */
static bool
may_switch (const struct tb_template *t)
{
  unsigned from = t->opcode >> 5 & 31;
  return t->isa == TB_ISA_A64 && (t->opcode & 0xbf80001f) == 0x9100001f
	 && from != 29 && from != 31;
}

bool
tb_a64_find_calls (struct tb_state *s)
{
  struct tb_facts *facts = &s->facts;
  struct tb_calls c;
  tb_calls_init (&c, KEPT, &facts->pairs, compare, s);
  bool ok = true;
  tb_calls_take (&c, &s->graph, s->before[1], s->base);
  enum tb_calls_way way = tb_calls_way (s->recording, s->base);
  bool returned = way == TB_WAY_RETURN, branched = way == TB_WAY_BRANCH;
  bool switches = false;
  tb_vid names[KEPT] = { 0 };
  uint32_t context = s->context;
  for (uint64_t i = 0; i < s->steps && ok; i++)
    {
      uint32_t info = s->info[i];
      const struct tb_template *t = &s->templates[info & TB_INFO_TEMPLATE];
      tb_vid old = switches ? names[KEPT - 1] : 0;
      tb_state_seek (s, i);
      take_names (s, names);
      if (switches && !(info & TB_INFO_EVENTS))
	tb_open_switch (&c.open, old, names[KEPT - 1]);
      else if (switches)
	tb_open_forget (&c.open);
      switches = may_switch (t);
      if (info & TB_INFO_EVENTS || returned)
	follow_changes (s, &c, i, t->pc, returned, &context, names);
      else if (branched)
	tb_calls_return (&c, i, t->pc, names);
      uint64_t back = return_address (t);
      if (back != 0 && info & TB_INFO_TAKEN)
	tb_calls_call (&c, i, back, names);
      /* A function may branch to where it calls another one itself; it returns
	 by an indirect branch only.  */
      branched = is_indirect (t);
      returned = false;
      for (unsigned k = 0; k < t->count; k++)
	returned |= s->uops[t->first + k].op == TB_OP_ERET;
      ok = !c.open.failed;
    }
  if (ok)
    tb_calls_end (&c, s->after[1], s->base, &facts->open, &facts->nopen);
  ok = ok && !c.open.failed;
  tb_calls_fini (&c);
  return ok;
}
