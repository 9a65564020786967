/* ETMv3 P-headers, written.  See etmv3-encoder.h; section numbers are those of
   IHI 0014.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/etmv3-encoder.h"

#include <string.h>

void
gen_etmv3_note (struct gen_etmv3 *e)
{
  for (; e->known < e->trace->nfacts; e->known++)
    e->trace->facts[e->known].known_at = e->trace->nbytes;
}

/* P-headers (7.3.1).  */

void
gen_etmv3_cycles_fact (struct gen_etmv3 *e, uint32_t count, bool with_previous)
{
  gen_add_fact (e->trace, GEN_FACT_CYCLES, count)->flags
    = with_previous ? GEN_WITH_PREVIOUS : 0;
}

/* What the oldest COUNT atoms tell is told.  */
static void
tell (struct gen_etmv3 *e, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    {
      const struct gen_etmv3_atom *a = &e->atoms[i];
      if (!a->half)
	{
	  *gen_add_fact (e->trace, GEN_FACT_STEP, 0) = a->step;
	  e->data.told++;
	  if (a->words > 0 && a->passed)
	    gen_etmv3_own_data (e, GEN_INSN, (uint32_t) a->step.a);
	}
      if (e->options->cycle_accurate)
	gen_etmv3_cycles_fact (e, a->cycles, !a->half);
    }
  e->natoms -= count;
  memmove (e->atoms, e->atoms + count, e->natoms * sizeof e->atoms[0]);
  gen_etmv3_note (e);
}

/* How many of the atoms from the oldest on, at most LIMIT, passed and took one
   cycle, where cycles count.  */
static unsigned
run_of_e (const struct gen_etmv3 *e, unsigned limit)
{
  unsigned n = 0;
  while (n < limit && n < e->natoms && e->atoms[n].passed
	 && (!e->options->cycle_accurate || e->atoms[n].cycles == 1))
    n++;
  return n;
}

static void
put_atoms (struct gen_etmv3 *e)
{
  if (e->natoms >= 2 && gen_chance (e->random, 30))
    {
      /* 1000FF10  */
      gen_put (e->trace, 0x82 | !e->atoms[0].passed << 3
			 | !e->atoms[1].passed << 2);
      tell (e, 2);
      return;
    }
  /* 1NEEEE00  */
  unsigned run = run_of_e (e, gen_between (e->random, 1, 15));
  bool n = run < e->natoms && !e->atoms[run].passed;
  gen_put (e->trace, 0x80 | n << 6 | run << 2);
  tell (e, run + n);
}

/* The same with cycles.  */
static void
put_atoms_and_cycles (struct gen_etmv3 *e)
{
  struct gen_trace *t = e->trace;
  struct gen_etmv3_atom *a = &e->atoms[0];
  if (a->cycles == 0)
    {
      gen_put (t, 0x92 | !a->passed << 2);	/* 10010F10  */
      tell (e, 1);
    }
  else if (a->cycles == 1 && e->natoms >= 2 && e->atoms[1].cycles == 0)
    {
      gen_put (t, 0x82 | !a->passed << 3 | !e->atoms[1].passed << 2);
      tell (e, 2);
    }
  else if (a->cycles == 1 && gen_chance (e->random, 80))
    {
      unsigned run = run_of_e (e, 7);		/* 1N0EEE00  */
      bool n = run < e->natoms && !e->atoms[run].passed
	       && e->atoms[run].cycles == 1;
      gen_put (t, 0x80 | n << 6 | run << 2);
      tell (e, run + n);
    }
  else if (a->cycles <= 8 && a->passed)
    {
      gen_put (t, 0xe0 | (a->cycles - 1) << 2);	/* 111WWW00  */
      tell (e, 1);
    }
  else
    {
      /* Cycles alone: W, 101WWW00, or a cycle count packet.  */
      uint32_t part = a->cycles <= 8 ? gen_between (e->random, 1, a->cycles)
				     : gen_between (e->random, 1, 8);
      if (a->cycles > 16)
	{
	  part = a->cycles - gen_between (e->random, 1, 16);
	  gen_put (t, 0x04);
	  gen_put_continued (t, part);
	}
      else if (part == 1 && gen_chance (e->random, 50))
	gen_put (t, 0x80);
      else
	gen_put (t, 0xa0 | (part - 1) << 2);
      a->cycles -= part;
      gen_etmv3_cycles_fact (e, part, false);
      gen_etmv3_note (e);
    }
}

void
gen_etmv3_flush (struct gen_etmv3 *e)
{
  bool data = e->natoms > 0;
  while (e->natoms > 0)
    if (e->options->cycle_accurate)
      put_atoms_and_cycles (e);
    else
      put_atoms (e);
  if (data)
    gen_etmv3_put_data (e);
}

void
gen_etmv3_add_atom (struct gen_etmv3 *e, const struct gen_etmv3_atom *atom)
{
  if (e->natoms == GEN_ETMV3_ATOMS)
    gen_etmv3_flush (e);
  e->atoms[e->natoms++] = *atom;
}
