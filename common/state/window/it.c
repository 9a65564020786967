/* Following IT blocks along the steps.  See it.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/it.h"
#include "arm/flow/flow.h"

#include <string.h>

static bool
has_it (const struct tb_state *s)
{
  return s->profile->arch != TB_ARCH_V6M
	 && s->profile->arch != TB_ARCH_V8M_BASE;
}

/* Bytes before an instruction that one IT instruction and its block can have.  */
#define BLOCK 18

/* Does what may be an IT instruction at AT of the BLOCK bytes before an instruction
   govern that one?  It governs up to four instructions (DDI 0403, A7.3.2).  */
static bool
governs (const uint8_t *bytes, unsigned at)
{
  unsigned mask = bytes[at] & 15, count = 4 - (unsigned) __builtin_ctz (mask);
  for (at += 2; count > 0 && at < BLOCK; count--)
    at += tb_t32_size ((uint32_t) (bytes[at] | bytes[at + 1] << 8));
  return count > 0 && at == BLOCK;
}

/* May the T32 instruction at PC be in an IT block?  A halfword that only looks like an
   IT instruction counts too.  */
static bool
maybe_in_it (const struct tb_state *s, uint64_t pc)
{
  uint8_t bytes[BLOCK];
  uint64_t from = pc - BLOCK;
  if (!has_it (s))
    return false;
  if (pc < sizeof bytes
      || tb_memmap_read (tb_recording_memmap (s->recording), s->memory.space,
			 from, bytes, sizeof bytes) != sizeof bytes)
    return true;
  for (unsigned i = 0; i < sizeof bytes; i += 2)
    if (bytes[i + 1] == 0xbf && (bytes[i] & 15) != 0 && governs (bytes, i))
      return true;
  return false;
}

bool
tb_it_never (const struct tb_state *s, uint64_t pc)
{
  return !maybe_in_it (s, pc);
}

/* So many instructions behind the place where nothing is known of the block that one may
   be in there is none, unless one begins.  */
#define BLOCK_STEPS 4

static void
forget (struct tb_it_tracker *it)
{
  it->unsure = true;
  it->passed = 0;
}

/* What CHANGE before the step at PC does to it.  */
static void
it_change (struct tb_it_tracker *it, const struct tb_change *change, uint32_t pc)
{
  it->passed = 0;
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      if (it->depth == sizeof it->saved / sizeof it->saved[0])
	memmove (it->saved, it->saved + 1, --it->depth * sizeof it->saved[0]);
      it->saved[it->depth].back = (uint32_t) change->address;
      it->saved[it->depth].state = it->state;
      it->saved[it->depth++].unsure = it->unsure;
      it->state = 0;
      it->unsure = false;
      break;
    case TB_CHANGE_RETURN:
      it->unsure = true;
      if (it->depth != 0 && it->saved[--it->depth].back == pc)
	{
	  it->state = it->saved[it->depth].state;
	  it->unsure = it->saved[it->depth].unsure;
	}
      break;
    case TB_CHANGE_TAIL:
      it->state = 0;
      it->unsure = false;
      break;
    case TB_CHANGE_CONTEXT:
      break;
    default:
      it->depth = 0;
      it->unsure = true;
      break;
    }
}

/* The condition of an A32 instruction, as one in an IT block.  */
static unsigned
a32_condition (uint32_t opcode)
{
  return opcode >> 28 < 14 ? opcode >> 28 : TB_IT_NONE;
}

void
tb_it_before (struct tb_state *s, struct tb_it_tracker *it)
{
  static const struct tb_template plain;
  struct tb_template t;
  struct tb_uop uops[TB_SEM_MAX];
  struct tb_step steps[16];
  uint64_t count = s->base < 16 ? s->base : 16;
  if (!has_it (s) || count == 0 || s->steps == 0)
    return;
  size_t got = tb_recording_read (s->recording, s->base - count, steps, count);
  for (size_t i = 0; i < got; i++)
    {
      s->memory.space = steps[i].space;
      if (it->returns || (steps[i].flags & TB_STEP_EVENTS) != 0)
	forget (it);
      if (it->unsure && steps[i].isa == TB_ISA_T32
	  && !maybe_in_it (s, steps[i].pc))
	{
	  it->state = 0;
	  it->unsure = false;
	}
      bool told = s->profile->is_m || !(steps[i].flags & TB_STEP_TAKEN);
      const struct tb_template *known
	= told ? &plain
	  : tb_state_template_of_isa (s, (uint32_t) steps[i].pc, steps[i].isa,
				      &t, uops);
      tb_it_leave (s, it, &steps[i], known != NULL ? known : &plain);
      /* It may be an exception's return into a block.  */
      if (known == NULL || (!told && (known->opcode != steps[i].opcode
				      || !known->modelled)))
	forget (it);
    }
}

unsigned
tb_it_arrive (const struct tb_state *s, struct tb_it_tracker *it, uint64_t i,
	      const struct tb_step *step)
{
  const struct tb_change returns = { .kind = TB_CHANGE_RETURN };
  if (!has_it (s))
    return TB_IT_NONE;
  if (it->returns)
    it_change (it, &returns, (uint32_t) step->pc);
  it->returns = false;
  for (; it->change < s->nchanges && s->changes[it->change].step <= i;
       it->change++)
    {
      const struct tb_change *change = &s->changes[it->change];
      unsigned next = it->change + 1 < s->nchanges
		      && change[1].step == change->step
		      ? change[1].kind : TB_CHANGE_LOST;
      /* What is chained does not return, and what is interrupted again at once
	 has not run.  */
      if (change->kind != TB_CHANGE_RETURN || next != TB_CHANGE_TAIL)
	it_change (it, change,
		   (uint32_t) (next == TB_CHANGE_ENTRY ? change[1].address : step->pc));
    }
  if (step->isa == TB_ISA_A32)
    return a32_condition (step->opcode);
  if (it->unsure && !maybe_in_it (s, step->pc))
    {
      it->state = 0;
      it->unsure = false;
    }
  return it->unsure ? TB_IT_UNSURE : tb_it_condition (it->state);
}

void
tb_it_leave (const struct tb_state *s, struct tb_it_tracker *it,
	     const struct tb_step *step, const struct tb_template *t)
{
  if (!has_it (s))
    return;
  it->returns = t->flags & TB_SEM_RETURNS && step->flags & TB_STEP_TAKEN;
  if (step->isa == TB_ISA_A32)
    {
      it->state = 0;
      it->unsure = false;
      return;
    }
  uint8_t next = tb_it_next (it->state, step->opcode, step->size);
  bool starts = step->size == 2 && (step->opcode & 0xff00) == 0xbf00
		&& (step->opcode & 15) != 0;
  it->state = next;
  /* A branch that is taken is the last of its block.  */
  if (step->flags & TB_STEP_TAKEN)
    it->state = 0;
  if (step->flags & TB_STEP_TAKEN || starts)
    it->unsure = false;
  else if (it->unsure && ++it->passed == BLOCK_STEPS)
    {
      it->state = 0;
      it->unsure = false;
    }
  if (!it->unsure)
    it->passed = 0;
}

void
tb_it_describe_unsure (struct tb_semantics *semantics, const struct tb_template *t,
		       const struct tb_profile *profile)
{
  enum { ALWAYS = 14 };
  struct tb_semantics governed;
  uint32_t pc = (uint32_t) t->pc;
  tb_semantics_t32_it (semantics, t->opcode, t->size, pc, TB_IT_NONE, profile);
  tb_semantics_t32_it (&governed, t->opcode, t->size, pc, ALWAYS, profile);
  if (semantics->modelled && governed.modelled
      && semantics->count == governed.count
      && tb_uops_same (semantics->uops, governed.uops, governed.count))
    return;
  /* In a block most 16-bit instructions leave the flags.  */
  unsigned count = 0;
  for (unsigned i = 0; i < semantics->count; i++)
    {
      const struct tb_uop *u = &semantics->uops[i];
      bool flags = tb_op_is (u->op, TB_SETS_NZ | TB_SETS_C | TB_SETS_V)
		   || (u->dst >= TB_SLOT_N && u->dst <= TB_SLOT_V);
      if (!flags)
	semantics->uops[count++] = *u;
    }
  semantics->modelled &= governed.modelled && count == governed.count
			 && count + 4 <= TB_SEM_MAX
			 && tb_uops_same (semantics->uops, governed.uops,
					  count);
  for (unsigned i = 0; i < 4 && semantics->modelled; i++)
    semantics->uops[count++] = (struct tb_uop) {
      .op = TB_OP_UNKNOWN, .dst = (uint8_t) (TB_SLOT_N + i), .imm = 1
    };
  semantics->count = (uint8_t) count;
}
