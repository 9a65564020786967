/* State of A64 code against recorded runs: no value that is claimed may be wrong,
   with no assumption and with each set of them; as much must be known as could be
   once; explanations must be chains that lead to the value.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The steps are those of the truth, so this needs no decoder.  Needs the
   environment variable TB_SHARED.  */

#include "config.h"

#include "arm/ir/semantics-a64.h"
#include "corpus-a64-run.h"
#include "rounds.h"
#include "state/explain/why.h"

/* Registers known, per 1000: certain, with aapcs and constants, and with halt, too,
   where that does not count anyhow.  */
struct wanted
{
  unsigned known[3];
};

#define ALL_ASSUMPTIONS (TB_ASSUME_AAPCS | TB_ASSUME_HALT | TB_ASSUME_CONSTANTS)

/* Compare the registers before each step; how many are known, per 1000.  */
static unsigned
compare_registers (struct tb_state *state, const struct corpus_run_64 *run)
{
  uint64_t known = 0, wrong = 0;
  for (size_t i = 0; i < run->count; i++)
    {
      const struct corpus_step_64 *s = &run->c.steps[run->traced[i]];
      struct tb_value v[TB_NREGS_MAX];
      tb_state_registers (state, i, v);
      for (unsigned r = 0; r <= TB_SP64; r++)
	{
	  wrong += v[r].bits != (s->x[r] & v[r].mask);
	  known += v[r].mask == UINT64_MAX;
	}
      uint64_t nzcv = v[TB_PSTATE].mask & TB_PSR_NZCV;
      wrong += (v[TB_PSTATE].bits & nzcv) != (s->pstate & nzcv);
      known += nzcv == TB_PSR_NZCV;
    }
  CHECK_INT (wrong, 0);
  return (unsigned) (known * 1000 / (run->count * 33));
}

/* Compare what is known of the memory that each step accesses.  */
static void
compare_memory (struct tb_state *state, struct corpus_run_64 *run)
{
  struct corpus_case_64 *c = &run->c;
  uint64_t wrong = 0, known = 0;
  uint8_t *before = malloc (c->ram_size);
  memcpy (before, c->ram, c->ram_size);
  for (size_t i = 0, write = 0; i < run->count; i++)
    {
      struct tb_access_info accesses[32];
      for (; write < c->nwrites && c->writes[write].index < run->traced[i];
	   write++)
	corpus_store_64 (c, c->writes[write].address, c->writes[write].size,
			 c->writes[write].value);
      size_t n = tb_state_accesses (state, i, accesses, 32);
      for (size_t k = 0; k < n && k < 32; k++)
	{
	  uint8_t bytes[16], origins[16];
	  uint64_t at = accesses[k].address - c->ram_base;
	  if (!accesses[k].address_known || at > c->ram_size - 16
	      || accesses[k].length > 16)
	    continue;
	  tb_state_memory (state, i, accesses[k].address, bytes, origins,
			   accesses[k].length);
	  for (unsigned b = 0; b < accesses[k].length; b++)
	    if (origins[b] != TB_UNKNOWN)
	      {
		known++;
		wrong += bytes[b] != c->ram[at + b];
	      }
	}
    }
  CHECK_INT (wrong, 0);
  CHECK (known > 0);
  memcpy (c->ram, before, c->ram_size);
  free (before);
}

#define CHAIN 40

/* Does the item AT follow from the items that it names?  */
static bool
follows (const struct tb_why *items, size_t at)
{
  const struct tb_why *w = &items[at];
  uint64_t part = UINT64_MAX;
  for (unsigned k = 0; k < w->from_count; k++)
    part &= items[w->from[k]].value;
  switch (w->rule)
    {
    case TB_WHY_OPERATION:
      /* The equation holds of the result and all operands.  */
      if (w->partly || w->told == 0 || !(w->told & 2))
	return true;
      if (w->op <= TB_OP_LAST_VALUE)
	return w->operands[0] == tb_op_value (w->op, 64, w->operands[1],
					       w->operands[2]);
      return true;
    case TB_WHY_KEPT:
      return w->from_count == 0 || w->value == part;
    case TB_WHY_ACCESS:
      return w->op != TB_OP_ADD || w->from_count == 0 || w->value == part;
    case TB_WHY_CONDITION:
      return true;
    default:
      return w->rule >= TB_WHY_TRACE && w->rule <= TB_WHY_FEW;
    }
}

/* Is an item reached from AT that is AT?  */
static bool
goes_round (const struct tb_why *items, size_t count, size_t at)
{
  bool seen[CHAIN] = { false };
  size_t queue[CHAIN + 1], n = 1;
  queue[0] = at;
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < items[queue[i]].from_count; k++)
      {
	size_t to = items[queue[i]].from[k];
	if (to == at || to >= count)
	  return true;
	if (!seen[to])
	  queue[n++] = to;
	seen[to] = true;
      }
  return false;
}

/* The value of a register of a known value's chain is VALUE, by what the chain
   says.  */
static void
check_chain (const struct tb_why *items, size_t count, uint64_t value)
{
  unsigned bad = 0;
  CHECK (count > 0 && items[0].known && items[0].value == value);
  for (size_t i = 0; i < count; i++)
    {
      bad += !items[i].known || !follows (items, i)
	     || goes_round (items, count, i);
      /* Each input is the output of another.  */
      for (unsigned k = 0; k < items[i].from_count; k++)
	if (items[i].rule == TB_WHY_OPERATION && !items[i].partly)
	  {
	    uint64_t from = items[items[i].from[k]].value;
	    bad += from != items[i].operands[0] && from != items[i].operands[1]
		   && from != items[i].operands[2];
	  }
    }
  CHECK_INT (bad, 0);
}

/* What is in the way of what is not known: back to the last item, each step no
   later than the one before.  */
static void
check_unknown (const struct tb_why *items, size_t count)
{
  unsigned bad = count == 0 || items[0].known;
  for (size_t i = 0; i + 1 < count; i++)
    bad += items[i].from_count != 1 || items[i].from[0] != i + 1
	   || items[i].known || items[i + 1].step > items[i].step;
  bad += count > 0 && items[count - 1].from_count != 0;
  CHECK_INT (bad, 0);
}

static void
explain (struct tb_state *state, const struct corpus_run_64 *run)
{
  size_t apart = run->count / 10 + 1;
  for (size_t i = 0; i < run->count; i += apart)
    {
      const struct corpus_step_64 *s = &run->c.steps[run->traced[i]];
      struct tb_value v[TB_NREGS_MAX];
      tb_state_registers (state, i, v);
      for (unsigned r = 0; r <= TB_SP64 + 4; r++)
	{
	  struct tb_why items[CHAIN];
	  struct tb_why_query q = { .kind = TB_WHY_REGISTER,
				    .number = (uint8_t) r };
	  uint64_t value = r <= TB_SP64 ? s->x[r] : 0;
	  bool known = r <= TB_SP64 && v[r].mask == UINT64_MAX;
	  if (r > TB_SP64)
	    {
	      q.kind = TB_WHY_FLAG;
	      q.number = (uint8_t) (r - TB_SP64 - 1);
	      value = s->pstate >> (31 - q.number) & 1;
	      known = v[TB_PSTATE].mask >> (31 - q.number) & 1;
	    }
	  size_t n = tb_state_why (state, i, &q, items, CHAIN);
	  if (known)
	    check_chain (items, n, value);
	  else
	    check_unknown (items, n);
	}
    }
}

static void
run_case (const struct corpus_name_64 *which, const struct wanted *wanted)
{
  struct corpus_run_64 run;
  bool halted = false;
  if (!corpus_run_open_64 (&run, which))
    return;
  for (unsigned assume = 0; assume <= ALL_ASSUMPTIONS; assume++)
    {
      /* Where the halt counts anyhow there is no need to assume it.  */
      if (assume & TB_ASSUME_HALT && halted)
	continue;
      run.f->options.assume = assume;
      run.f->options.explain = assume == 0 || assume == ALL_ASSUMPTIONS
			       || assume == TB_ASSUME_AAPCS;
      struct tb_state *state = fake_open (run.f);
      if (!CHECK (state != NULL))
	break;
      halted = tb_state_halt (state) == TB_HALT_USED;
      unsigned known = compare_registers (state, &run);
      int level = assume == 0 ? 0
		  : assume == (TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS) ? 1
		  : assume == ALL_ASSUMPTIONS ? 2 : -1;
      if (level >= 0)
	{
	  printf ("%s, assumptions %u: %u of 1000 registers\n", which->name,
		  assume, known);
	  CHECK (known >= wanted->known[level]);
	}
      compare_memory (state, &run);
      if (run.f->options.explain)
	explain (state, &run);
      tb_state_close (state);
    }
  corpus_run_close_64 (&run);
}

int
main (void)
{
  static const struct wanted wanted[CORPUS_NAMES_64] = {
    { { 994, 994, 0 } }, { { 994, 994, 0 } }, { { 70, 70, 70 } },
    { { 353, 421, 602 } }, { { 992, 992, 0 } }, { { 985, 985, 0 } },
    { { 988, 988, 0 } }, { { 997, 997, 0 } }, { { 992, 992, 0 } },
    { { 937, 937, 0 } }
  };
  if (getenv ("TB_SHARED") == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < CORPUS_NAMES_64; i++)
    if (!case_left (i, CORPUS_NAMES_64))
      run_case (&corpus_names_64[i], &wanted[i]);
  return check_done ();
}
