/* State of A64 code: exception levels, their entry and return, and the stack
   pointers that they bank.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, D1.3 (exceptions), D1.2.2 (stack pointer selection): an
   entry selects SP_ELx of the level that it goes to, saves PSTATE in SPSR_ELx
   and leaves X0 to X30 alone.  What the flags are in the handler is not relied
   on.  */

#include "config.h"
#include "state/window/a64.h"
#include "state/window/teller.h"

#include <string.h>

/* Every stack pointer may be any.  */
static void
forget_stacks (struct tb_builder *b)
{
  tb_vid *slot = b->names->slot;
  slot[TB_A64_SP] = tb_build_fresh (b, TB_A64_SP);
  b->names->narrow &= ~(UINT64_C (1) << TB_A64_SP);
  for (unsigned i = TB_A64_SPSEL; i <= TB_A64_SP_EL3; i++)
    slot[i] = tb_build_fresh (b, i);
}

/* Put SP into the bank that it is of.  */
static void
bank (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  tb_vid *slot = n->slot, sp = slot[TB_A64_SP], sel = slot[TB_A64_SPSEL];
  if (n->el == 0)
    {
      slot[TB_A64_SP_EL0] = sp;
      return;
    }
  slot[TB_A64_SP_EL0] = tb_namer_select (&b->n, sel, slot[TB_A64_SP_EL0], sp);
  tb_vid *own = &slot[TB_A64_SP_EL0 + n->el];
  *own = tb_namer_select (&b->n, sel, sp, *own);
}

/* Take SP from its bank.  */
static void
unbank (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  tb_vid *slot = n->slot;
  slot[TB_A64_SP] = n->el == 0 ? slot[TB_A64_SP_EL0]
		    : tb_namer_select (&b->n, slot[TB_A64_SPSEL],
				       slot[TB_A64_SP_EL0 + n->el],
				       slot[TB_A64_SP_EL0]);
  n->narrow &= ~(UINT64_C (1) << TB_A64_SP);
}

/* Go to level TO with PSTATE.SP = SPSEL; 0: not known.  */
static void
go_to (struct tb_builder *b, uint8_t to, tb_vid spsel)
{
  struct tb_names *n = b->names;
  if (n->el == TB_A64_NO_EL || to == TB_A64_NO_EL)
    forget_stacks (b);
  else
    bank (b);
  n->slot[TB_A64_SPSEL] = spsel != 0 ? spsel
			  : tb_build_fresh (b, TB_A64_SPSEL);
  if (n->el != TB_A64_NO_EL && to != TB_A64_NO_EL)
    {
      n->el = to;
      unbank (b);
    }
  n->el = to;
}

void
tb_a64_write_spsel (struct tb_builder *b, tb_vid value)
{
  go_to (b, b->names->el, value);
}

tb_vid
tb_a64_read_sp (struct tb_builder *b, unsigned el)
{
  const struct tb_names *n = b->names;
  if (n->el == TB_A64_NO_EL || n->el == 0 || (el != 0 && el >= n->el))
    return tb_namer_new (&b->n);
  /* With PSTATE.SP 0 SP_EL0 cannot be named so.  */
  return n->slot[TB_A64_SP_EL0 + el];
}

void
tb_a64_write_sp (struct tb_builder *b, unsigned el, tb_vid value)
{
  const struct tb_names *n = b->names;
  if (n->el == TB_A64_NO_EL || n->el == 0 || (el != 0 && el >= n->el))
    forget_stacks (b);
  else
    b->names->slot[TB_A64_SP_EL0 + el] = value;
}

/* The flags are new values.  */
static void
forget_flags (struct tb_builder *b)
{
  for (unsigned i = TB_A64_N; i <= TB_A64_V; i++)
    b->names->slot[i] = tb_build_fresh (b, i);
  b->names->bits = 0;
}

/* An exception to level TO.  */
static void
enter (struct tb_builder *b, uint64_t address, uint8_t to, bool trapped)
{
  struct tb_names *n = b->names;
  if (!trapped)
    tb_build_abandon (b, address, TB_ISA_A64, true, 0);
  tb_build_name_all (b);
  for (unsigned i = 0; i <= TB_A64_SPSEL - TB_A64_N; i++)
    n->slot[TB_A64_SAVED_N + i] = n->slot[TB_A64_N + i];
  n->saved_el = to;
  forget_flags (b);
  go_to (b, to, tb_namer_constant (&b->n, 1));
}

/* ERET to level TO.  */
static void
leave (struct tb_builder *b, uint8_t to)
{
  struct tb_names *n = b->names;
  bool saved = n->el != TB_A64_NO_EL && n->saved_el == n->el;
  tb_build_name_all (b);
  forget_flags (b);
  for (unsigned i = TB_A64_N; saved && i <= TB_A64_V; i++)
    n->slot[i] = n->slot[TB_A64_SAVED_N + (i - TB_A64_N)];
  go_to (b, to, saved ? n->slot[TB_A64_SAVED_SPSEL] : 0);
  n->saved_el = TB_A64_NO_EL;
}

/* The level after change K, which an exception or return leads to: that of the
   context stated next, if any.  *K is moved behind it.  */
static uint8_t
next_level (const struct tb_change *change, size_t count, size_t *k,
	    uint8_t same)
{
  if (*k + 1 >= count || change[*k + 1].kind == TB_CHANGE_LOST)
    return same;
  if (change[*k + 1].kind == TB_CHANGE_ENTRY)
    return TB_A64_NO_EL;
  ++*k;
  return change[*k].el;
}

/* A context that no exception or return explains, or that follows one.  */
static void
set_context (struct tb_builder *b, const struct tb_change *change)
{
  struct tb_names *n = b->names;
  if (change->address != n->context)
    n->epoch++;
  n->context = change->address;
  if (change->el != n->el && n->el != TB_A64_NO_EL)
    tb_build_lose (b);
  n->el = change->el;
}

/* Others wrote SLOTS.  */
static void
set_written (struct tb_builder *b, uint64_t slots)
{
  struct tb_names *n = b->names;
  if (n->lost)
    return;
  if (slots >> TB_A64_N & 15)
    forget_flags (b);
  /* Of these no line tells.  */
  tb_a64_forget_vectors (b);
  for (unsigned i = 0; i < TB_A64_SP; i++)
    if (slots >> i & 1)
      {
	n->slot[i] = tb_build_fresh (b, i);
	n->narrow &= ~(UINT64_C (1) << i);
      }
}

/* The return that is under way, with the COUNT changes behind it.  */
static void
finish_return (struct tb_builder *b, const struct tb_change *change, size_t count)
{
  struct tb_names *n = b->names;
  uint8_t to = n->el;
  if (count > 0 && change[0].kind == TB_CHANGE_CONTEXT)
    to = change[0].el;
  n->returning = false;
  leave (b, to);
}

void
tb_a64_change (struct tb_builder *b, uint64_t i)
{
  struct tb_names *n = b->names;
  size_t count, k;
  tb_vid before[TB_A64_SP];
  const struct tb_change *change = tb_build_changes (b->state, i, &count);
  bool trapped = n->trapped;

  n->trapped = false;
  if (trapped && (count == 0 || change[0].kind == TB_CHANGE_CONTEXT))
    tb_build_lose (b);
  if (n->returning)
    finish_return (b, change, count);
  for (k = 0; k < count; k++)
    switch (change[k].kind)
      {
      case TB_CHANGE_LOST:
	if (i == 0 && b->state->start != 0)
	  break;
	memcpy (before, n->slot, sizeof before);
	tb_build_lose (b);
	n->el = TB_A64_NO_EL;
	if (change[k].address != 0 && b->state->teller->keep != NULL)
	  b->state->teller->keep (b, i, before, (UINT64_C (1) << TB_A64_SP) - 1);
	break;
      case TB_CHANGE_ENTRY:
	{
	  uint64_t address = change[k].address;
	  uint8_t to = next_level (change, count, &k, n->el);
	  if (n->lost)
	    tb_build_name_all (b);
	  enter (b, address, to, trapped && k == 0);
	  if (change[k].kind == TB_CHANGE_CONTEXT)
	    set_context (b, &change[k]);
	}
	break;
      case TB_CHANGE_WRITTEN:
	set_written (b, change[k].address);
	break;
      default:
	set_context (b, &change[k]);
	break;
      }
}

bool
tb_a64_follow_return (struct tb_builder *b, uint64_t i)
{
  size_t count;
  const struct tb_change *change = tb_build_changes (b->state, i, &count);
  if (i >= b->state->steps || (count > 0 && change->kind != TB_CHANGE_CONTEXT))
    return false;
  if (count <= 1)
    tb_a64_change (b, i);
  else
    {
      /* An exception was taken at once: the first context is that of what was returned to.  */
      finish_return (b, change, count);
      set_context (b, change);
    }
  return true;
}

/* The vectors tell where an exception was taken from (DDI 0487, D1.3: their offsets); tables
   are aligned to 2 KiB.  */
#define VECTOR_FROM 0x67f
#define VECTOR_SAME_SPX 0x200

bool
tb_a64_keeps_sp (const struct tb_state *s, uint64_t i)
{
  size_t count, entries = 0;
  if (i >= s->steps)
    return false;
  const struct tb_change *change = tb_build_changes (s, i, &count);
  for (size_t k = 0; k < count; k++)
    if (change[k].kind == TB_CHANGE_ENTRY && change[k].taken > TB_EXC_RESET)
      entries++;
    else if (change[k].kind != TB_CHANGE_CONTEXT)
      return false;
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  return entries == 1 && (t->pc & VECTOR_FROM) == VECTOR_SAME_SPX;
}
