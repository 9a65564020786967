/* Assumptions: solving with them, and finding what disproves them.  See
   assume.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64.h"
#include "state/assume.h"
#include "state/windows.h"
#include "state/constants.h"

/* The first pair (with CONSTANTS: the first constant, after all pairs) that
   contradicts what is known and those before it; all of them together do.
   False without memory.  */
static bool
find_culprit (struct tb_state *s, bool constants, size_t *culprit)
{
  size_t low = 0, pairs = s->facts.pairs.count;
  size_t high = constants ? s->facts.nconstants : pairs;
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;
      if (!tb_state_solve (s, constants ? pairs : middle,
			   constants ? middle : 0))
	return false;
      if (s->graph.conflict)
	high = middle;
      else
	low = middle;
    }
  *culprit = low;
  return true;
}

/* Calls or functions that are looked for one by one before the assumption is
   given up.  */
#define CULPRITS 16

/* The address of step I of the window.  */
static uint64_t
pc_of (const struct tb_state *s, uint64_t i)
{
  return s->a64 != NULL ? tb_a64_pc (s->a64, i)
	 : s->templates[s->info[i] & TB_INFO_TEMPLATE].pc;
}

/* Where what PAIR calls begins.  */
static uint64_t
callee_of (const struct tb_state *s, const struct tb_assumed_pair *pair)
{
  struct tb_step step;
  if (pair->callee < tb_state_count (s))
    return pc_of (s, pair->callee);
  /* In another window.  */
  return tb_recording_read (s->recording, tb_state_base (s) + pair->callee,
			    &step, 1) == 1 ? step.pc : 0;
}

/* The call CULPRIT is disproved.  If another one of the same function or handler
   was, too, all of them are: it has conventions of its own.  Are they?  */
static bool
disprove (struct tb_state *s, size_t culprit)
{
  struct tb_pairs *pairs = &s->facts.pairs;
  uint64_t callee = callee_of (s, &pairs->items[culprit]);
  bool again = false;
  for (size_t i = 0; i < pairs->count; i++)
    again |= pairs->items[i].disproved
	     && callee_of (s, &pairs->items[i]) == callee;
  pairs->items[culprit].disproved = true;
  for (size_t i = 0; i < pairs->count && again; i++)
    if (callee_of (s, &pairs->items[i]) == callee)
      pairs->items[i].disproved = true;
  for (size_t i = 0; i < pairs->count; i++)
    s->facts.disproved_outside |= pairs->items[i].disproved
				  && pairs->items[i].outside != NULL;
  return again;
}

/* Is it news for the user of CERTAIN that WHAT (see there) was disproved?  */
static bool
is_news (struct tb_state *certain, uint64_t what)
{
  for (unsigned i = 0; i < certain->ntold; i++)
    if (certain->told[i] == what)
      return false;
  if (certain->ntold < sizeof certain->told / sizeof certain->told[0])
    certain->told[certain->ntold++] = what;
  return true;
}

/* Assume the procedure call standard; what it is disproved by is reported.
   False without memory.  */
static bool
assume_calls (struct tb_state *s, struct tb_state *certain,
	      struct tb_diag *diag)
{
  struct tb_pairs *pairs = &s->facts.pairs;
  const char *kept = s->a64 != NULL ? "x19 to x29" : "r4 to r11";
  if (!tb_assume_find_calls (s) || !tb_state_solve (s, pairs->count, 0))
    return false;
  for (unsigned i = 0; i < CULPRITS && s->graph.conflict; i++)
    {
      size_t culprit;
      if (!find_culprit (s, false, &culprit))
	return false;
      struct tb_assumed_pair *pair = &pairs->items[culprit];
      uint64_t base = tb_state_base (s);
      bool all = disprove (s, culprit);
      if (is_news (certain, base + pair->from))
	tb_warning (diag, "The call of step %llu did not keep %s and SP "
		  "for its caller, which went on at step %llu: the assumption "
		  "aapcs is disproved there%s (a smashed stack, a longjmp, or "
		  "code of other conventions).",
		  (unsigned long long) (base + pair->from), kept,
		  (unsigned long long) (base + pair->to),
		  all ? ", and for all calls of the same function" : "");
      if (!tb_state_solve (s, pairs->count, 0))
	return false;
    }
  if (!s->graph.conflict)
    return true;
  tb_warning (diag, "More than %d calls disprove the assumption aapcs.  It is "
	      "given up.", CULPRITS);
  for (size_t i = 0; i < pairs->count; i++)
    s->facts.disproved_outside |= pairs->items[i].outside != NULL;
  pairs->count = s->facts.nopen = 0;
  return tb_state_solve (s, 0, 0);
}

/* Assume the constants of functions; what they are disproved by is reported.
   False without memory.  */
static bool
assume_constants (struct tb_state *s, struct tb_state *certain,
		  struct tb_diag *diag)
{
  struct tb_facts *facts = &s->facts;
  unsigned written;
  do
    {
      /* They are read from memory that this finds to be written.  */
      written = tb_state_written (s);
      if (!tb_assume_find_constants (s)
	  || !tb_state_solve (s, facts->pairs.count, facts->nconstants))
	return false;
    }
  while (tb_state_written (s) != written);
  for (unsigned i = 0; i < CULPRITS && s->graph.conflict; i++)
    {
      size_t culprit;
      if (!find_culprit (s, true, &culprit))
	return false;
      const struct tb_assumed_constant *at = &facts->constants[culprit];
      uint64_t function = at->function;
      if (is_news (certain, function | UINT64_C (1) << 63))
	tb_warning (diag, "The constants of the function at 0x%08llx contradict "
		  "what is known at step %llu: the assumption constants is "
		  "disproved for it (a jump into its middle, or a call that "
		  "did not keep what its caller relies on).",
		  (unsigned long long) function,
		  (unsigned long long) (tb_state_base (s) + at->step));
      for (size_t k = 0; k < facts->nconstants; k++)
	if (facts->constants[k].function == function)
	  facts->constants[k].disproved = true;
      if (!tb_state_solve (s, facts->pairs.count, facts->nconstants))
	return false;
    }
  if (!s->graph.conflict)
    return true;
  tb_warning (diag, "The constants of more than %d functions are disproved.  "
	      "The assumption constants is given up.", CULPRITS);
  return tb_state_solve (s, facts->pairs.count, 0);
}

bool
tb_state_assume (struct tb_state *certain, struct tb_diag *diag)
{
  /* Given up, or no trace: nothing to assume anything of.  */
  if (tb_state_count (certain) == 0)
    return true;
  struct tb_state *s = tb_state_make (certain->recording, &certain->options,
				      tb_state_base (certain),
				      tb_state_count (certain));
  if (s == NULL)
    return false;
  certain->assumed = s;
  s->assuming = true;
  for (unsigned i = 0; i < 2; i++)
    {
      s->before[i] = tb_border_ref (certain->before[i]);
      s->after[i] = tb_border_ref (certain->after[i]);
    }
  if (!tb_state_take_trust (s, certain))
    return false;
  tb_state_use_more (s, certain);
  s->stkalign = certain->stkalign;
  s->halt = certain->halt;
  if (certain->options.assume & TB_ASSUME_HALT
      && s->halt == TB_HALT_ELSEWHERE)
    s->halt = TB_HALT_USED;
  if (!tb_state_solve (s, 0, 0))
    return false;
  if (s->graph.conflict && s->halt != certain->halt)
    {
      tb_warning (diag, "The registers and memory at the halt contradict the "
		  "trace: the assumption halt is disproved and undone.");
      s->halt = certain->halt;
      if (!tb_state_solve (s, 0, 0))
	return false;
    }
  if (certain->options.assume & TB_ASSUME_AAPCS && !s->graph.conflict
      && !assume_calls (s, certain, diag))
    return false;
  if (certain->options.assume & TB_ASSUME_CONSTANTS && !s->graph.conflict
      && !assume_constants (s, certain, diag))
    return false;
  if (s->graph.conflict)
    {
      /* The certain state has said why.  */
      tb_state_close (s);
      certain->assumed = NULL;
    }
  return true;
}
