/* Following the program by ETMv3 atoms.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/internal.h"

void
tb_etmv3_set_address (struct tb_etmv3_decoder *d, uint32_t address,
		      enum tb_isa isa)
{
  struct tb_etmv3_state *s = &d->state;

  s->address = address;
  s->isa = isa;
  s->have_address = true;
  s->hole_told = false;
  s->half = false;
  d->current = NULL;
}

void
tb_etmv3_lose_address (struct tb_etmv3_decoder *d)
{
  struct tb_etmv3_state *s = &d->state;

  s->have_address = false;
  s->half = false;
  d->current = NULL;
}

uint32_t
tb_etmv3_branch_target (const struct tb_etmv3_decoder *d,
			const struct tb_etmv3_packet *p, enum tb_isa *isa)
{
  const struct tb_etmv3_state *s = &d->state;
  bool alternative = p->has_exception && !p->address.old_exception
		     ? p->exception.alternative : s->alternative;

  *isa = (enum tb_isa) (p->address.full ? p->address.isa : s->packet_isa);
  if (*isa == TB_ISA_T32 || *isa == TB_ISA_T32EE)
    *isa = alternative ? TB_ISA_T32EE : TB_ISA_T32;
  return tb_v7_address_apply (&p->address, s->last, *isa);
}

/* Cycles carried by the element before.  */
static inline void
add_cycles (struct tb_etmv3_decoder *d, struct tb_element **out,
	    uint32_t cycles)
{
  struct tb_element *e = tb_etmv3_emit (d, out, TB_ELEMENT_CYCLES);

  e->flags = TB_CYCLES_WITH_PREVIOUS;
  e->u.value = cycles;
}

static inline void
range (struct tb_element *e, const struct tb_etmv3_instruction *in,
       uint64_t index, bool executed)
{
  e->index = index;
  e->kind = TB_ELEMENT_RANGE;
  e->reason = TB_REASON_NONE;
  e->flags = executed ? in->flags : in->failed_flags;
  e->isa = in->isa;
  e->last_kind = in->kind;
  e->last_sub = in->sub;
  e->last_size = in->size;
  e->space = in->space;
  e->u.range.start = in->start;
  e->u.range.end = (uint64_t) in->start + in->size;
  e->u.range.count = 1;
}

/* Atoms where no address is known: say so once; cycles go on.  */
static void
follow_unknown (struct tb_etmv3_decoder *d, struct tb_element **out,
		unsigned natoms, uint32_t cycles)
{
  struct tb_etmv3_state *s = &d->state;
  bool tell = natoms > 0 && !s->hole_told;

  if (tell)
    {
      tb_etmv3_emit (d, out, TB_ELEMENT_NO_CODE)->flags = TB_NO_CODE_UNKNOWN;
      s->hole_told = true;
    }
  if (!d->cycle_accurate)
    return;
  struct tb_element *e = tb_etmv3_emit (d, out, TB_ELEMENT_CYCLES);
  e->flags = tell ? TB_CYCLES_WITH_PREVIOUS : 0;
  e->u.value = cycles;
}

/* The code at the current address cannot be read.  */
static void
no_code (struct tb_etmv3_decoder *d, struct tb_element **out, uint32_t cycles)
{
  struct tb_etmv3_state *s = &d->state;
  struct tb_element *e = tb_etmv3_emit (d, out, TB_ELEMENT_NO_CODE);

  e->space = tb_v7_space (&d->spaces, &s->context);
  e->u.address = s->address;
  if (d->cycle_accurate)
    add_cycles (d, out, cycles);
  tb_etmv3_lose_address (d);
  s->hole_told = true;
}

/* After IN, whose atom was EXECUTED: the instruction that comes next, NULL where
   it is to be looked up, or the address is not known.  */
static inline const struct tb_etmv3_instruction *
go_on (struct tb_etmv3_decoder *d, const struct tb_etmv3_instruction *in,
       bool executed)
{
  struct tb_etmv3_state *s = &d->state;
  const struct tb_etmv3_instruction *next;

  if (executed && in->kind == TB_FLOW_BRANCH)
    {
      next = in->taken != NULL ? in->taken
			       : tb_etmv3_code_link (d->code, in, true);
      if (__builtin_expect (next == NULL, 0))
	{
	  s->address = in->target;
	  s->isa = in->target_isa;
	}
      return next;
    }
  if (executed && in->kind == TB_FLOW_INDIRECT)
    {
      s->address = in->start + in->size;
      s->isa = in->isa;
      s->have_address = s->hole_told = false;
      return NULL;
    }
  if (executed && in->kind == TB_FLOW_UNDEFINED)
    s->stats.bad_image++;
  next = in->next != NULL ? in->next : tb_etmv3_code_link (d->code, in, false);
  if (__builtin_expect (next == NULL, 0))
    {
      s->address = in->start + in->size;
      s->isa = in->isa;
    }
  return next;
}

/* A 32-bit T32 instruction is two of the trace's (ETMIDR[18] is 0): true for the
   first half.  */
static bool
is_first_half (struct tb_etmv3_state *s, const struct tb_etmv3_instruction *in)
{
  if (in->isa != TB_ISA_T32 || in->size != 4)
    return false;
  s->half = !s->half;
  return s->half;
}

void
tb_etmv3_follow (struct tb_etmv3_decoder *d, struct tb_element **out,
		 const struct tb_etmv3_header *header)
{
  struct tb_etmv3_state *s = &d->state;
  unsigned natoms = header->natoms, atoms = header->atoms;
  uint32_t cycles = header->first_cycles;
  bool cancelled = natoms > 0 && tb_etmv3_instruction_cancelled (d);
  const struct tb_etmv3_instruction *in = d->current;
  struct tb_element *e = *out;
  uint64_t index = s->index;

  if (natoms > 0)
    s->returned = false;
  natoms -= cancelled;
  for (; natoms > 0; natoms--, cycles = header->more_cycles)
    {
      if (__builtin_expect (in == NULL, 0))
	{
	  if (s->have_address)
	    in = tb_etmv3_code_at (d->code,
				   tb_v7_space (&d->spaces, &s->context),
				   (enum tb_isa) s->isa, s->address);
	  if (in == NULL)
	    break;
	}
      bool executed = atoms & 1;
      atoms >>= 1;
      if (__builtin_expect (d->halves, 0) && is_first_half (s, in))
	{
	  if (d->cycle_accurate)
	    {
	      *out = e;
	      add_cycles (d, out, cycles);
	      (*out)[-1].flags = 0;
	      e = *out;
	    }
	  continue;
	}
      range (e++, in, index, executed);
      if (d->cycle_accurate)
	{
	  *out = e;
	  add_cycles (d, out, cycles);
	  e = *out;
	}
      in = go_on (d, in, executed);
    }
  *out = e;
  d->current = in;
  if (in != NULL)
    {
      s->address = in->start;
      s->isa = in->isa;
    }
  if (natoms > 0)
    {
      if (s->have_address)
	{
	  no_code (d, out, cycles);
	  natoms--;
	  cycles = header->more_cycles;
	}
      natoms += cancelled;
      if (natoms > 0)
	follow_unknown (d, out, natoms,
			cycles + (natoms - 1) * header->more_cycles);
    }
  else if (d->cycle_accurate && (cancelled || header->natoms == 0))
    {
      /* Time passed, but nothing ran.  */
      tb_etmv3_emit (d, out, TB_ELEMENT_CYCLES)->u.value = cycles;
    }
}
