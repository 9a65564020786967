/* Following the program by ETMv3 atoms.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/cycles.h"

#include <stddef.h>
#include <string.h>

uint32_t
tb_etmv3_branch_target (const struct tb_etmv3_decoder *d,
			const struct tb_etmv3_packet *p, enum tb_isa *isa)
{
  const struct tb_v7_state *s = &d->v7.state;
  bool alternative = p->has_exception && !p->address.old_exception
		     ? p->exception.alternative : s->alternative;

  *isa = (enum tb_isa) (p->address.full ? p->address.isa : s->packet_isa);
  if (*isa == TB_ISA_T32 || *isa == TB_ISA_T32EE)
    *isa = alternative ? TB_ISA_T32EE : TB_ISA_T32;
  return tb_v7_address_apply (&p->address, s->last, *isa);
}

/* After IN, whose atom was EXECUTED: the instruction that comes next, NULL
   where it is to be looked up, or the address is not known.  */
static const struct tb_etmv3_instruction *
go_on (struct tb_etmv3_decoder *d, const struct tb_etmv3_instruction *in,
       bool executed)
{
  struct tb_v7_state *s = &d->v7.state;
  const struct tb_etmv3_instruction *next = tb_etmv3_successor (in, executed);

  if (next != NULL)
    return next;
  if (executed && in->kind == TB_FLOW_INDIRECT)
    {
      s->address = (uint32_t) tb_etmv3_end (in);
      s->isa = in->isa;
      s->have_address = s->hole_told = false;
      return NULL;
    }
  if (executed && tb_flow_traps (in->kind))
    {
      /* It stands if an exception comes now.  */
      s->address = (uint32_t) tb_etmv3_end (in);
      s->isa = in->isa;
      s->trapped = in->size;
      return NULL;
    }
  if (executed && in->kind == TB_FLOW_UNDEFINED)
    tb_count_fault (&s->stats, TB_FAULT_UNDEFINED, s->index,
		    in->start);
  next = tb_etmv3_code_next (d->code, in, executed);
  if (next == NULL)
    {
      bool branches = executed && in->kind == TB_FLOW_BRANCH;
      const struct tb_etmv3_way *way = branches ? tb_etmv3_way (in) : NULL;
      s->address = branches ? way->target : (uint32_t) tb_etmv3_end (in);
      s->isa = branches ? way->target_isa : in->isa;
    }
  return next;
}

/* A 32-bit T32 instruction is two of the trace's (ETMIDR[18] is 0): true for
   the first half.  */
static bool
is_first_half (struct tb_v7_state *s, const struct tb_etmv3_instruction *in)
{
  if (in->isa != TB_ISA_T32 || in->size != 4)
    return false;
  s->half = !s->half;
  return s->half;
}

/* What stands where execution goes on, after what had no successor.  NULL: that is
   not known, or not readable.  */
static inline const struct tb_etmv3_instruction *
arrive (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->v7.state;

  if (s->trapped)
    tb_etmv3_went_on (d, out);
  if (!s->have_address)
    return NULL;
  return tb_etmv3_code_at (d->code, tb_v7_space (&d->v7.spaces, &s->context),
			   (enum tb_isa) s->isa, s->address);
}

/* IN was passed by: count that if it cannot have been.  */
static inline void
check_passed (struct tb_etmv3_decoder *d,
	      const struct tb_etmv3_instruction *in)
{
  struct tb_v7_state *s = &d->v7.state;

  if (in->always != TB_ETMV3_SOMETIMES
      && (in->always == TB_ETMV3_ALWAYS || tb_etmv3_code_always (d->code, in)))
    tb_count_fault (&s->stats, TB_FAULT_NOT_TAKEN, s->index, in->start);
}

/* Atoms that are still to be followed, LEFT of them, the oldest in bit 0 of BITS; whether the
   newest that was followed is E.  */
struct atoms
{
  unsigned bits, left;
  bool executed;
};

/* The instructions that are told of from IN on by ATOMS, of which there are some, as far as
   IN's line has them and all but the last one ran and are plain.  Returns how many.  */
static inline __attribute__ ((always_inline)) unsigned
take_line (const struct tb_etmv3_instruction *in, struct atoms *atoms)
{
  unsigned before = in->run & TB_ETMV3_PLAIN;
  unsigned ran = (unsigned) __builtin_ctz (~atoms->bits);

  before = before < ran ? before : ran;
  before = before < atoms->left - 1 ? before : atoms->left - 1;
  atoms->bits >>= before;
  atoms->executed = atoms->bits & 1;
  atoms->bits >>= 1;
  atoms->left -= before + 1;
  return before + 1;
}

/* What comes after IN, whose atom was EXECUTED, as go_on has it.  */
static inline const struct tb_etmv3_instruction *
pass (struct tb_etmv3_decoder *d, const struct tb_etmv3_instruction *in,
      bool executed)
{
  const struct tb_etmv3_instruction *next = tb_etmv3_successor (in, executed);

  if (__builtin_expect (next != NULL, 1))
    return next;
  if (!executed)
    check_passed (d, in);
  return go_on (d, in, executed);
}

/* RUN ended with its line, and need not; ATOMS are those that are left.  IN is what comes
   next.  Returns what comes after the run.  */
static __attribute__ ((noinline)) const struct tb_etmv3_instruction *
go_on_in_next_line (struct tb_etmv3_decoder *d, struct tb_etmv3_run *run,
		    const struct tb_etmv3_instruction *in, struct atoms *atoms,
		    struct tb_v7_in_order *data)
{
  /* Not beyond the end of the address space.  */
  while (atoms->executed && run->last->run & TB_ETMV3_OPEN && atoms->left > 0
	 && in != NULL && in->start > run->start)
    {
      unsigned count = take_line (in, atoms);
      run->wide |= (in->wide & ((1u << count) - 1)) << run->count;
      run->count += count;
      run->last = in + (count - 1);
      if (data != NULL)
	tb_etmv3_own_data (data, in, count, atoms->executed);
      in = pass (d, run->last, atoms->executed);
    }
  return in;
}

/* Follow the LEFT atoms BITS from *AT: an element for plain instructions that ran
   and the one behind them.  DATA as above.  Returns how many are left, which none
   can be followed of.  */
static inline __attribute__ ((always_inline)) unsigned
follow_runs (struct tb_etmv3_decoder *d,
	     const struct tb_etmv3_instruction **at, struct tb_element **out,
	     unsigned bits, unsigned left, struct tb_v7_in_order *data)
{
  const struct tb_etmv3_instruction *in = *at;
  struct tb_element *e = *out;
  struct atoms atoms = { bits, left, false };
  uint64_t index = d->v7.state.index;

  while (atoms.left > 0)
    {
      if (__builtin_expect (in == NULL, 0) && (in = arrive (d, &e)) == NULL)
	break;
      unsigned count = take_line (in, &atoms);
      struct tb_etmv3_run run = {
	.last = in + (count - 1), .start = in->start, .count = count,
	.wide = in->wide & ((1u << count) - 1)
      };
      if (data != NULL)
	tb_etmv3_own_data (data, in, count, atoms.executed);
      in = pass (d, run.last, atoms.executed);
      if (__builtin_expect (run.last->run & TB_ETMV3_OPEN, 0))
	{
	  /* Copies, so that these here stay in registers.  */
	  struct tb_etmv3_run longer = run;
	  struct atoms rest = atoms;
	  in = go_on_in_next_line (d, &longer, in, &rest, data);
	  run = longer;
	  atoms = rest;
	}
      tb_etmv3_run_range (e++, &run, index, atoms.executed);
    }
  *at = in;
  *out = e;
  return atoms.left;
}

/* What the trace unit sends, besides branches: atoms of instructions alone; with cycles;
   with data; or what it is told to.  */
enum sends { SENDS_PLAIN, SENDS_CYCLES, SENDS_DATA, SENDS_ANY };

/* Follow ATOMS, LEFT of them, from *AT, one by one: each has cycles, or is half an
   instruction.  Returns how many are left, which none can be followed of.  */
static inline __attribute__ ((always_inline)) unsigned
follow_atoms (struct tb_etmv3_decoder *d,
	      const struct tb_etmv3_instruction **at, struct tb_element **out,
	      unsigned atoms, unsigned left, struct tb_etmv3_counted *cycles, enum sends what)
{
  struct tb_v7_state *s = &d->v7.state;
  const struct tb_etmv3_instruction *in = *at;
  struct tb_element *e = *out;
  uint64_t index = s->index;
  bool cycle_accurate = what == SENDS_CYCLES || d->cycle_accurate;
  bool halves = what == SENDS_ANY && d->halves;
  bool has_data = what == SENDS_ANY && d->has_data;

  for (; left > 0; left--)
    {
      if (!halves)
	{
	  left = has_data ? tb_etmv3_follow_known (&in, &e, index, &atoms, left,
					  &s->data.now, cycles)
		 : tb_etmv3_follow_known (&in, &e, index, &atoms, left, NULL, cycles);
	  if (left == 0)
	    break;
	}
      if (__builtin_expect (in == NULL, 0) && (in = arrive (d, &e)) == NULL)
	break;
      bool executed = atoms & 1;
      atoms >>= 1;
      if (__builtin_expect (halves, 0) && is_first_half (s, in))
	{
	  if (cycle_accurate)
	    {
	      tb_etmv3_fill_cycles (e, cycles, index);
	      e++->flags = 0;
	    }
	  continue;
	}
      tb_etmv3_range (e++, in, index, executed);
      if (has_data)
	tb_etmv3_own_data (&s->data.now, in, 1, executed);
      if (!executed)
	check_passed (d, in);
      if (cycle_accurate)
	tb_etmv3_fill_cycles (e++, cycles, index);
      in = go_on (d, in, executed);
    }
  *at = in;
  *out = e;
  return left;
}

/* The packet at hand is the P-header HEADER.  */
static inline __attribute__ ((always_inline)) void
follow (struct tb_etmv3_decoder *d, struct tb_element **out,
	const struct tb_etmv3_header *header, enum sends what)
{
  struct tb_v7_state *s = &d->v7.state;
  bool cycle_accurate = what == SENDS_CYCLES
			|| (what == SENDS_ANY && d->cycle_accurate);
  bool has_data = what == SENDS_DATA || (what == SENDS_ANY && d->has_data);
  unsigned natoms = header->natoms;
  if (natoms == 0)
    {
      if (cycle_accurate)
	tb_etmv3_put_cycles ((*out)++, s->index, s->isa, 0, header->first_cycles);
      return;
    }
  struct tb_etmv3_counted cycles = { 0, 0, 0 };
  bool cancelled = tb_etmv3_instruction_cancelled (d);
  const struct tb_etmv3_instruction *in = d->v7.here;

  s->returned = false;
  natoms -= cancelled;
  if (cycle_accurate || (what == SENDS_ANY && d->halves))
    {
      cycles = (struct tb_etmv3_counted) { header->first_cycles, header->more_cycles,
				  s->isa };
      natoms = follow_atoms (d, &in, out, header->atoms, natoms, &cycles, what);
    }
  else if (has_data)
    natoms = follow_runs (d, &in, out, header->atoms, natoms, &s->data.now);
  else
    natoms = follow_runs (d, &in, out, header->atoms, natoms, NULL);
  d->v7.here = in;
  if (in != NULL)
    {
      s->address = in->start;
      s->isa = in->isa;
    }
  if (has_data && (natoms > 0 || cancelled))
    tb_etmv3_disown_unlisted (d, in, natoms > 0);
  if (natoms > 0)
    {
      if (s->have_address)
	{
	  tb_etmv3_no_code (d, out, cycles.next);
	  natoms--;
	  cycles.next = cycles.more;
	}
      natoms += cancelled;
      if (natoms > 0)
	tb_etmv3_follow_unknown (d, out,
			cycles.next + (natoms - 1) * cycles.more);
    }
  else if (cancelled && cycle_accurate)
    {
      /* Time passed, but nothing ran.  */
      tb_v7_emit (&d->v7, out, TB_ELEMENT_CYCLES)->u.value = cycles.next;
    }
}

void
tb_etmv3_follow (struct tb_etmv3_decoder *d, struct tb_element **out,
		 const struct tb_etmv3_header *header)
{
  follow (d, out, header, SENDS_ANY);
}

/* A branch packet without exception information, of one or two bytes.  Returns
   how many; 0: it is none.  */
static inline unsigned
decode_short_branch (struct tb_etmv3_decoder *d)
{
  struct tb_v7_state *s = &d->v7.state;
  enum tb_isa isa = (enum tb_isa) s->packet_isa;
  struct tb_v7_address address;
  unsigned size
    = tb_v7_address_short (&address, (enum tb_v7_address_form) d->table.form,
			   d->v7.view + d->v7.at, d->v7.length - d->v7.at);

  if (size == 0)
    return 0;
  s->last = tb_v7_address_apply (&address, s->last, isa);
  tb_etmv3_check_target (d, s->last);
  s->returned = s->halted = false;
  tb_v7_set_address (&d->v7, s->last, isa);
  return size;
}

/* As tb_etmv3_stretch.  */
static inline __attribute__ ((always_inline)) void
stretch (struct tb_etmv3_decoder *d, struct tb_element **out,
	 const struct tb_element *stop, enum sends what)
{
  struct tb_v7_decoder *v7 = &d->v7;

  if (stop - *out < TB_V7_STEP)
    return;
  const struct tb_element *full = stop - TB_V7_STEP;
  while (*out <= full && tb_v7_sees_packet (v7))
    {
      if (what == SENDS_CYCLES && (v7->indexes != NULL || v7->in_sequence))
	{
	  tb_etmv3_follow_counted (d, out, full);
	  if (*out > full || !tb_v7_sees_packet (v7))
	    break;
	}
      if (what == SENDS_DATA)
	{
	  tb_etmv3_follow_traced (d, out, full);
	  if (*out > full || !tb_v7_sees_packet (v7))
	    break;
	}
      const struct tb_etmv3_header *header
	= &d->table.header[v7->view[v7->at]];
      tb_v7_note_index (v7);
      if (header->type == TB_ETMV3_P_HEADER)
	{
	  tb_v7_pass_packet (v7, 1);
	  if (what == SENDS_DATA || what == SENDS_ANY)
	    tb_etmv3_follow (d, out, header);
	  else
	    follow (d, out, header, what);
	  continue;
	}
      size_t used = 0;
      if (header->type == TB_ETMV3_BRANCH)
	used = decode_short_branch (d);
      else if (what == SENDS_DATA && header->type == TB_ETMV3_DATA)
	used = tb_etmv3_decode_normal_data (d, out);
      if (used == 0)
	return;
      tb_v7_pass_packet (v7, used);
    }
}

/* The one with cycles by itself: it would take registers from the others.  */
static __attribute__ ((noinline)) void
stretch_counted (struct tb_etmv3_decoder *d, struct tb_element **out,
		 const struct tb_element *stop)
{
  stretch (d, out, stop, SENDS_CYCLES);
}

void
tb_etmv3_stretch (struct tb_etmv3_decoder *d, struct tb_element **out,
		  const struct tb_element *stop)
{
  if (d->halves || (d->cycle_accurate && d->has_data))
    stretch (d, out, stop, SENDS_ANY);
  else if (d->cycle_accurate)
    stretch_counted (d, out, stop);
  else if (d->has_data)
    stretch (d, out, stop, SENDS_DATA);
  else
    stretch (d, out, stop, SENDS_PLAIN);
}
