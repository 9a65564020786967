/* Assumption: functions keep the callee-saved registers.  See assume.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/assume.h"

#include "state/assume/calls.h"
#include "state/window/builder.h"
#include "state/window/stack-watch.h"

/* S16 to S31 first, r4 to r11 and SP: what a function gives back to its caller (AAPCS32,
   6.1.1 "Core registers", 6.1.2 "Co-processor registers").  */
#define FIRST_KEPT_SINGLE 16
#define KEPT_SINGLES 16
#define KEPT (KEPT_SINGLES + 9)

/* X19 to X29, D8 to D15 and SP (AAPCS64, 6.1.1 "General-purpose registers", 6.1.2 "SIMD
   and Floating-Point registers", 6.4.5 "The stack").  */
#define FIRST_KEPT_A64 19
#define GENERAL_KEPT_A64 11
#define FIRST_VECTOR_KEPT 8
#define KEPT_A64 (GENERAL_KEPT_A64 + 8 + 1)
_Static_assert (KEPT <= TB_KEPT_MOST && KEPT_A64 <= TB_KEPT_MOST, "They have room.");

/* If T is a call the address it returns to, else 0.  */
static uint64_t
return_address (const struct tb_template *t)
{
  if (t->isa == TB_ISA_A64)
    {
      /* BL, and BLR of all kinds (DDI 0487, C4.1 "Branches, exception generating and
	 system instructions").  */
      bool calls = (t->opcode & 0xfc000000) == 0x94000000
		   || (t->opcode & 0xfefff000) == 0xd63f0000;
      return calls ? t->pc + 4 : 0;
    }
  if (t->isa == TB_ISA_A32)
    {
      /* BL; BLX (immediate); BLX (register).  DDI 0406 A8.8.25, A8.8.26.  */
      bool calls = t->opcode >> 28 == 15
		   ? (t->opcode & 0x0e000000) == 0x0a000000
		   : (t->opcode & 0x0f000000) == 0x0b000000
		     || (t->opcode & 0x0ffffff0) == 0x012fff30;
      return calls ? t->pc + 4 : 0;
    }
  if (t->isa != TB_ISA_T32)
    return 0;
  /* BL and BLX (immediate), DDI 0403 A7.7.18; BLX (register), A7.7.19.  */
  bool direct = t->size == 4 && (t->opcode & 0xf800c000) == 0xf000c000;
  bool indirect = t->size == 2 && (t->opcode & 0xff87) == 0x4780;
  return direct || indirect ? t->pc + t->size : 0;
}

/* Of NOW the names of the values that are kept; the last one is SP's.  */
static void
take_names (const struct tb_state *s, const struct tb_names *now, tb_vid *names)
{
  if (s->a64 != NULL)
    {
      for (unsigned i = 0; i < GENERAL_KEPT_A64; i++)
	names[i] = now->slot[FIRST_KEPT_A64 + i];
      for (unsigned i = 0; i < KEPT_A64 - 1 - GENERAL_KEPT_A64; i++)
	names[GENERAL_KEPT_A64 + i] = now->fp[2 * (FIRST_VECTOR_KEPT + i)];
      names[KEPT_A64 - 1] = now->slot[TB_A64_SP];
      return;
    }
  for (unsigned i = 0; s->fp && i < KEPT_SINGLES; i++)
    names[i] = now->fp[FIRST_KEPT_SINGLE + i];
  for (unsigned i = KEPT_SINGLES; i < KEPT - 1; i++)
    names[i] = now->slot[4 + i - KEPT_SINGLES];
  names[KEPT - 1] = now->slot[TB_SLOT_SP];
}

/* What has which name behind step I, before what comes between it and the next.  */
static struct tb_names
names_behind (const struct tb_state *s, uint64_t i)
{
  struct tb_names names = s->names;
  struct tb_builder b = tb_builder_of ((struct tb_state *) s, &names, true);
  tb_build_step (&b, i);
  return names;
}

static tb_vid
sp_behind (const struct tb_state *s, uint64_t i)
{
  return names_behind (s, i).slot[tb_slot_sp (s)];
}

/* SP was OLD and is NEW now, which was loaded from the frame: is that known to be
   on the same stack?  */
static bool
is_own_stack (const struct tb_state *s, tb_vid old, tb_vid new)
{
  tb_word difference;
  if (old == 0 || new == 0
      || !tb_graph_difference (&s->graph, new, old, &difference))
    return false;
  return (int32_t) difference >= 0;
}

/* CHANGE, before step I; SP: what it was before the first of those there, 0: not known.  */
static void
follow_change (struct tb_calls *c, const struct tb_change *change, uint64_t i,
	       const tb_vid *names, tb_vid sp)
{
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      tb_calls_enter (c, i, change->address, names, sp);
      break;
    case TB_CHANGE_RETURN: case TB_CHANGE_RETURN_MAYBE:
      tb_calls_leave (c, i, change->address, names);
      break;
    case TB_CHANGE_TAIL:
      tb_open_chain (&c->open);
      break;
    default:
      tb_open_forget (&c->open);
      break;
    }
}

/* Where an instruction that returned from an exception went, by the changes from NUMBER
   on before step I, which is at PC: another exception may have come first.  */
static uint64_t
returned_to (const struct tb_state *s, size_t number, uint64_t i, uint64_t pc)
{
  for (; number < s->nchanges && s->changes[number].step <= i; number++)
    if (s->changes[number].kind == TB_CHANGE_ENTRY)
      return s->changes[number].address;
  return pc;
}

/* The first of the changes from NUMBER on before step I that has the core go on elsewhere; NULL:
   none has.  */
static const struct tb_change *
first_leap (const struct tb_state *s, size_t number, uint64_t i)
{
  for (; number < s->nchanges && s->changes[number].step <= i; number++)
    if (s->changes[number].kind != TB_CHANGE_CONTEXT)
      return &s->changes[number];
  return NULL;
}

/* May T go on in another mode of the A and R profile?  */
static bool
may_change_mode (const struct tb_state *s, const struct tb_template *t)
{
  for (unsigned k = 0; k < t->count && !(t->flags & TB_SEM_RETURNS); k++)
    if (s->uops[t->first + k].op == TB_OP_MODE
	|| s->uops[t->first + k].op == TB_OP_WRITE_BANKED)
      return true;
  return false;
}

/* Is what was known lost before step I, by change number K or one behind it?  */
static bool
loses (const struct tb_state *s, size_t k, uint64_t i)
{
  for (; k < s->nchanges && s->changes[k].step <= i; k++)
    if (s->changes[k].kind == TB_CHANGE_LOST
	|| s->changes[k].kind == TB_CHANGE_WRITTEN)
      return true;
  return false;
}

/* Does T put into SP what is in another register than the frame pointer, or that
   and a constant?  MOV (to SP) is ADD (immediate) of 0 (DDI 0487, C6.2).  */
static bool
may_switch_a64 (const struct tb_template *t)
{
  unsigned from = t->opcode >> 5 & 31;
  return t->isa == TB_ISA_A64 && (t->opcode & 0xbf80001f) == 0x9100001f
	 && from != 29 && from != 31;
}

/* What step I does to the stack, where SP is SP.  */
static enum tb_stack_event
stack_event (const struct tb_state *s, struct tb_stack_watch *watch, uint64_t i,
	     tb_vid sp)
{
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  if (s->a64 != NULL)
    return may_switch_a64 (t) ? TB_STACK_REPLACED : TB_STACK_STAYS;
  enum tb_stack_event event
    = tb_stack_watch_step (watch, s->uops + t->first, t->count);
  if (event == TB_STACK_LOADED)
    event = is_own_stack (s, sp, sp_behind (s, i)) ? TB_STACK_STAYS
	    : TB_STACK_REPLACED;
  if (event == TB_STACK_STAYS && may_change_mode (s, t)
      && tb_same_value (&s->graph, sp, sp_behind (s, i)) != TB_SAME)
    event = TB_STACK_REPLACED;
  return event;
}

/* How step I led to the next.  A function may branch to where it calls another one
   itself; it returns by an indirect branch only.  */
static enum tb_calls_way
way_of (const struct tb_state *s, uint64_t i)
{
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  if (!(s->info[i] & TB_INFO_TAKEN))
    return TB_WAY_OTHER;
  /* A64: BR, BLR, RET of all kinds; ERET, too.  Where they lead is not always followed.  */
  bool indirect = t->isa == TB_ISA_A64 && (t->opcode & 0xfe000000) == 0xd6000000;
  /* What is not understood returns, too.  */
  if (!t->modelled)
    return tb_calls_way (s->recording, s->base + i + 1);
  if (t->flags & TB_SEM_RETURNS)
    return TB_WAY_RETURN;
  for (unsigned k = 0; k < t->count; k++)
    if (s->uops[t->first + k].op == TB_OP_ERET)
      return TB_WAY_RETURN;
    else
      indirect |= s->uops[t->first + k].op == TB_OP_TARGET;
  return indirect ? TB_WAY_BRANCH : TB_WAY_OTHER;
}

/* WAY led to step I.  May it be that of a function that returns?  *JUMPS: it does not, only looks
   so; of what led from the window before only what is written as a return is one.  */
static bool
may_return (const struct tb_state *s, enum tb_calls_way way, uint64_t i, bool *jumps)
{
  if (way != TB_WAY_BRANCH && way != TB_WAY_JUMP)
    return false;
  *jumps = i == 0 ? way == TB_WAY_JUMP : tb_calls_jumps_out (s, i - 1);
  return true;
}

bool
tb_assume_find_calls (struct tb_state *s)
{
  struct tb_calls c;
  struct tb_stack_watch watch;
  bool a64 = s->a64 != NULL, ok = true, jumps = false;
  size_t first = s->facts.pairs.count;
  unsigned kept = a64 ? KEPT_A64 : KEPT;
  uint64_t context = s->context;
  size_t change = 0;
  /* As it was before the exceptions that come before a step; SP is 0 behind the first.  */
  tb_vid behind[TB_KEPT_MOST] = { 0 }, sp = 0;
  tb_calls_init (&c, kept, &s->facts.pairs, &s->graph);
  tb_stack_watch_start (&watch);
  if (s->before[1] != NULL && s->before[1]->ncalls != 0)
    tb_stack_watch_go_on (&watch);
  enum tb_calls_way way = tb_calls_way (s->recording, s->base);
  tb_calls_take (&c, &s->graph, s->before[1], s->base);
  for (uint64_t i = 0; i < s->steps && ok; i++)
    {
      tb_vid names[TB_KEPT_MOST] = { 0 };
      const struct tb_template *t
	= &s->templates[s->info[i] & TB_INFO_TEMPLATE];
      tb_state_seek (s, i);
      take_names (s, &s->names, names);
      if (i > 0)
	way = way_of (s, i - 1);
      const struct tb_change *leap = first_leap (s, change, i);
      /* What returned before a gap did not return to what is behind it.  */
      if (loses (s, change, i))
	tb_open_forget (&c.open);
      if (way == TB_WAY_RETURN)
	tb_calls_leave (&c, i, returned_to (s, change, i, t->pc), names);
      /* An exception came right behind a return.  */
      if (leap != NULL && leap->kind == TB_CHANGE_ENTRY && may_return (s, way, i, &jumps))
	tb_calls_return (&c, i, leap->address, behind, jumps);
      for (; change < s->nchanges && s->changes[change].step <= i; change++)
	{
	  const struct tb_change *one = &s->changes[change];
	  if (one->kind == TB_CHANGE_CONTEXT)
	    {
	      /* Another process.  */
	      if (a64 && one->address != context)
		tb_open_forget (&c.open);
	      context = one->address;
	      continue;
	    }
	  /* Of A64 the bank tells of SP.  */
	  follow_change (&c, one, i, names, a64 ? 0 : sp);
	  /* What a second one interrupts has not run.  */
	  sp = 0;
	  tb_stack_watch_go_on (&watch);
	}
      if (leap == NULL && may_return (s, way, i, &jumps))
	tb_calls_return (&c, i, t->pc, names, jumps);
      uint64_t back = return_address (t);
      if (back != 0 && s->info[i] & TB_INFO_TAKEN)
	tb_calls_call (&c, i, back, names);
      enum tb_stack_event event = stack_event (s, &watch, i, names[kept - 1]);
      if (event == TB_STACK_BANKED)
	tb_open_banked (&c.open);
      if (event != TB_STACK_STAYS)
	tb_open_switch (&c.open, names[kept - 1], sp_behind (s, i));
      if (i + 1 < s->steps && s->info[i + 1] & TB_INFO_EVENTS)
	{
	  struct tb_names now = names_behind (s, i);
	  take_names (s, &now, behind);
	  sp = behind[kept - 1];
	}
      ok = !c.open.failed;
    }
  if (ok)
    tb_calls_end (&c, s->after[1], s->base, &s->facts.open, &s->facts.nopen);
  ok = ok && !c.open.failed;
  tb_calls_fini (&c);
  return ok && (a64 || tb_assume_untie_singles (s, first, KEPT_SINGLES));
}
