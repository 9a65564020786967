/* Assumptions: solving with them, and finding what disproves them.  See
   assume.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/assume.h"
#include "state/window/relied.h"
#include "state/window/windows.h"
#include "state/assume/constants.h"
#include "state/assume/objects.h"
#include "state/assume/saved.h"
#include "state/assume/task-heads.h"
#include "state/assume/tasks.h"

#include <string.h>

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
  return s->templates[s->info[i] & TB_INFO_TEMPLATE].pc;
}

/* Where what PAIR calls begins; the number of its task.  */
static uint64_t
callee_of (const struct tb_state *s, const struct tb_assumed_pair *pair)
{
  struct tb_step step;
  if (pair->kind != TB_PAIR_CALL)
    return pair->callee;
  if (pair->callee < s->steps)
    return pc_of (s, pair->callee);
  /* In another window.  */
  return tb_recording_read (s->recording, s->base + pair->callee,
			    &step, 1) == 1 ? step.pc : 0;
}

/* PAIR of S is disproved.  */
static void
leave_out (struct tb_state *s, struct tb_assumed_pair *pair)
{
  pair->disproved = true;
  s->facts.disproved_outside |= pair->outside != NULL;
}

/* Pair CULPRIT is disproved.  If another one of the same function, handler or task
   was, too, all of them are: it has conventions of its own.  Are they?  */
static bool
disprove (struct tb_state *s, size_t culprit)
{
  struct tb_pairs *pairs = &s->facts.pairs;
  uint64_t callee = callee_of (s, &pairs->items[culprit]);
  bool again = false;
  size_t first = 0, end = pairs->count;
  const size_t parts[] = { s->facts.ntasks, s->facts.nkept };
  /* Those of the same assumption.  */
  for (unsigned i = 0; i < 2; i++)
    if (culprit < parts[i])
      end = parts[i] < end ? parts[i] : end;
    else
      first = parts[i];
  for (size_t i = first; i < end; i++)
    again |= pairs->items[i].disproved
	     && callee_of (s, &pairs->items[i]) == callee;
  leave_out (s, &pairs->items[culprit]);
  for (size_t i = first; i < end && again; i++)
    if (callee_of (s, &pairs->items[i]) == callee)
      leave_out (s, &pairs->items[i]);
  return again;
}

bool
tb_assume_is_news (struct tb_state *certain, uint64_t what)
{
  for (unsigned i = 0; i < certain->ntold; i++)
    if (certain->told[i] == what)
      return false;
  if (certain->ntold < sizeof certain->told / sizeof certain->told[0])
    certain->told[certain->ntold++] = what;
  return true;
}

/* Tell DIAG that PAIR is disproved; ALL: and what is like it.  */
static void
say_disproved (const struct tb_state *s, const struct tb_assumed_pair *pair, bool all,
	       struct tb_diag *diag)
{
  const char *kept = s->a64 != NULL ? "x19 to x29, d8 to d15"
		     : s->fp ? "r4 to r11, s16 to s31" : "r4 to r11";
  unsigned long long from = s->base + pair->from, to = s->base + pair->to;
  if (pair->kind == TB_PAIR_CALL)
    tb_warning (diag, "The call of step %llu did not keep %s and SP "
		"for its caller, which went on at step %llu: the assumption "
		"aapcs is disproved there%s (a smashed stack, a longjmp, or "
		"code of other conventions).", from, kept, to,
		all ? ", and for all calls of the same function" : "");
  else if (pair->kind == TB_PAIR_TASK)
    tb_warning (diag, "What goes on at step %llu has other registers, or another "
		"stack, than what was suspended before step %llu: the assumption "
		"tasks is disproved there%s (another task that waited at the same "
		"place, or one that was written to).", to, from,
		all ? ", and for all of the same task" : "");
  else if (pair->kind == TB_PAIR_SAVED || pair->kind == TB_PAIR_LEFT)
    tb_warning (diag, "What step %llu, or an exception before it, saved on a stack is "
		"something else %s: the assumption frames is disproved there%s (a store went "
		"there that was not through the stack pointer).", from,
		pair->kind == TB_PAIR_LEFT ? "in the dump" : "when it comes back",
		all ? ", and for all that the same instruction or handler saved" : "");
  else
    tb_warning (diag, "What the dump has at 0x%08llx is not of what was "
		"suspended before step %llu: the assumption tasks is disproved "
		"there%s.", (unsigned long long) pair->to, from,
		all ? ", and for all of the same task" : "");
}

/* While S, solved with all pairs, contradicts itself disprove one of them.  False
   without memory.  */
static bool
disprove_pairs (struct tb_state *s, struct tb_state *certain, struct tb_diag *diag)
{
  struct tb_pairs *pairs = &s->facts.pairs;
  for (size_t i = 0; i < pairs->count; i++)
    pairs->items[i].disproved
      |= tb_relied_given_up (s->options.given_up, TB_RELIED_PAIR + pairs->items[i].kind,
			     s->base + pairs->items[i].from, s->base + pairs->items[i].to);
  bool ok = tb_state_solve (s, pairs->count, 0);
  for (unsigned i = 0; i < CULPRITS && ok && s->graph.conflict && pairs->count != 0;
       i++)
    {
      size_t culprit;
      if (!find_culprit (s, false, &culprit))
	return false;
      const struct tb_assumed_pair *pair = &pairs->items[culprit];
      bool all = disprove (s, culprit);
      if (tb_assume_is_news (certain, (s->base + pair->from) | (uint64_t) pair->kind << 56))
	say_disproved (s, pair, all, diag);
      ok = tb_state_solve (s, pairs->count, 0);
    }
  return ok;
}

/* Assume that exceptions save FP registers that are in use, as cores do after a reset: kernels
   rely on it.  Where that is disproved it is reported.  False without memory.  */
static bool
assume_fp_saved (struct tb_state *s, struct tb_state *certain, const struct tb_tasks *tasks,
		 struct tb_diag *diag)
{
  s->saves_fp = s->has_fp && tb_tasks_count (tasks) != 0
		&& !tb_relied_given_up (s->options.given_up, TB_RELIED_FP_SAVED, s->base, 0);
  if (!s->saves_fp)
    return true;
  if (!tb_state_solve (s, 0, 0))
    return false;
  if (!s->graph.conflict)
    return true;
  s->saves_fp = false;
  if (tb_assume_is_news (certain, UINT64_MAX))
    tb_warning (diag, "Exceptions do not save the FP registers that are in use "
		"(FPCCR.ASPEN): the assumption tasks does without it.");
  return tb_state_solve (s, 0, 0);
}

/* Assume that tasks keep their registers; what that is disproved by is reported.
   False without memory.  */
static bool
assume_tasks (struct tb_state *s, struct tb_state *certain, struct tb_state *home,
	      struct tb_diag *diag)
{
  struct tb_facts *facts = &s->facts;
  if (!tb_assume_make_tasks (home) || !assume_fp_saved (s, certain, home->tasks, diag)
      || !tb_assume_find_tasks (s, home))
    return false;
  if (facts->ntasks != 0 && !disprove_pairs (s, certain, diag))
    return false;
  size_t switches = facts->ntasks;
  if (!s->graph.conflict && !tb_assume_find_suspended (s, home))
    return false;
  if (facts->ntasks != switches && !disprove_pairs (s, certain, diag))
    return false;
  switches = facts->ntasks;
  if (!s->graph.conflict && !tb_assume_find_heads (s, home->tasks))
    return false;
  if (facts->ntasks != switches && !disprove_pairs (s, certain, diag))
    return false;
  if (!s->graph.conflict)
    return true;
  tb_warning (diag, "More than %d switches between tasks disprove the assumption "
	      "tasks.  It is given up.", CULPRITS);
  facts->pairs.count = facts->ntasks = 0;
  s->saves_fp = false;
  return tb_state_solve (s, 0, 0);
}

/* Assume the procedure call standard; what it is disproved by is reported.
   False without memory.  */
static bool
assume_calls (struct tb_state *s, struct tb_state *certain,
	      struct tb_diag *diag)
{
  struct tb_facts *facts = &s->facts;
  if (!tb_assume_find_calls (s))
    return false;
  facts->nkept = facts->pairs.count;
  if (!disprove_pairs (s, certain, diag))
    return false;
  if (!s->graph.conflict)
    return true;
  tb_warning (diag, "More than %d calls disprove the assumption aapcs.  It is "
	      "given up.", CULPRITS);
  for (size_t i = 0; i < facts->pairs.count; i++)
    facts->disproved_outside |= facts->pairs.items[i].outside != NULL;
  facts->pairs.count = facts->nkept = facts->ntasks;
  facts->nopen = 0;
  return tb_state_solve (s, facts->ntasks, 0);
}

/* Assume that what is saved on stacks stays; what it is disproved by is reported.  False
   without memory.  */
static bool
assume_frames (struct tb_state *s, struct tb_state *certain, struct tb_state *home,
	       struct tb_diag *diag)
{
  struct tb_facts *facts = &s->facts;
  size_t before = facts->nkept = facts->pairs.count;
  bool doubts;
  if (!tb_assume_make_tasks (home) || !tb_assume_find_saved (s, home, &doubts)
      || !disprove_pairs (s, certain, diag))
    return false;
  /* What handlers saved may tell that they left the stack of a thread alone.  */
  if (doubts && tb_tasks_count (home->tasks) == 0 && !s->graph.conflict)
    {
      facts->pairs.count = before;
      if (!tb_assume_find_saved (s, home, &doubts) || !disprove_pairs (s, certain, diag))
	return false;
    }
  if (!s->graph.conflict)
    return true;
  tb_warning (diag, "What was saved in more than %d places disproves the assumption frames.  "
	      "It is given up.", CULPRITS);
  for (size_t i = before; i < facts->pairs.count; i++)
    leave_out (s, &facts->pairs.items[i]);
  return tb_state_solve (s, facts->pairs.count, 0);
}

/* Assume the constants of functions; what they are disproved by is reported.
   False without memory.  */
static bool
assume_constants (struct tb_state *s, struct tb_state *certain,
		  struct tb_diag *diag)
{
  struct tb_facts *facts = &s->facts;
  if (!tb_assume_find_constants (s))
    return false;
  for (size_t i = 0; i < facts->nconstants; i++)
    facts->constants[i].disproved
      = tb_relied_given_up (s->options.given_up, TB_RELIED_FUNCTION,
			    facts->constants[i].function, 0);
  if (!tb_state_solve (s, facts->pairs.count, facts->nconstants))
    return false;
  for (unsigned i = 0; i < CULPRITS && s->graph.conflict
		       && facts->nconstants != 0; i++)
    {
      size_t culprit;
      if (!find_culprit (s, true, &culprit))
	return false;
      const struct tb_assumed_constant *at = &facts->constants[culprit];
      uint64_t function = at->function;
      if (tb_assume_is_news (certain, function | UINT64_C (1) << 63))
	tb_warning (diag, "The constants of the function at 0x%08llx contradict "
		  "what is known at step %llu: the assumption constants is "
		  "disproved for it (a jump into its middle, or a call that "
		  "did not keep what its caller relies on).",
		  (unsigned long long) function,
		  (unsigned long long) (s->base + at->step));
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
  for (size_t i = 0; i < facts->nconstants; i++)
    facts->constants[i].disproved = true;
  return tb_state_solve (s, facts->pairs.count, facts->nconstants);
}

/* S has what CERTAIN found out, which stays so: what it takes to be read only is, and
   what it takes to have run did.  False: no memory.  */
static bool
keep_certain (struct tb_state *s, const struct tb_state *certain)
{
  tb_state_use_more (s, certain);
  s->memory.keeps = true;
  return tb_recoded_take (&s->recoded, &certain->recoded, s->steps)
	 && tb_state_apply_recoded (s);
}

/* What may be wrong with what is known beside the trace and what is certain.  */
enum
{
  WRONG_HALT = 1,		/* The assumption halt.  */
  WRONG_AFTER = 2,		/* What is assumed behind the window.  */
  WRONG_BEFORE = 4		/* And before it.  */
};

/* Let S, solved without assumptions of its own, do without WRONG.  */
static void
do_without (struct tb_state *s, const struct tb_state *certain,
	    unsigned wrong)
{
  if (wrong & WRONG_HALT)
    s->halt = certain->halt;
  if (wrong & WRONG_AFTER)
    {
      tb_border_unref (s->after[1]);
      s->after[1] = tb_border_ref (certain->after[0]);
    }
  if (wrong & WRONG_BEFORE)
    {
      tb_border_unref (s->before[1]);
      s->before[1] = tb_border_ref (certain->before[0]);
    }
}

/* The neighbours of S assume THEIRS.  Will they find that to be wrong, when they are
   told what is known here?  *YES says so.  False: no memory.  */
static bool
will_find (struct tb_state *s, const struct tb_border *theirs, bool end,
	   bool *yes)
{
  struct tb_border *own = tb_state_border (s, end);
  *yes = own != NULL && tb_border_contradicts (own, theirs);
  tb_border_unref (own);
  return own != NULL;
}

/* Say that WRONG is not used, unless those that it is of will do so.  False: no
   memory.  */
static bool
say_wrong (struct tb_state *s, struct tb_state *certain, unsigned wrong,
	   const struct tb_border *before, const struct tb_border *after,
	   struct tb_diag *diag)
{
  uint64_t first = s->base, last = first + s->steps - 1;
  bool ok = true;
  if (wrong & WRONG_HALT)
    tb_warning (diag, "The registers and memory at the halt contradict the "
		"trace: the assumption halt is disproved and undone.");
  for (unsigned side = WRONG_AFTER; ok && side <= WRONG_BEFORE; side *= 2)
    if (wrong & side)
      {
	bool end = side == WRONG_AFTER, told;
	ok = will_find (s, end ? after : before, end, &told);
	if (ok && !told && tb_assume_is_news (certain, first | (uint64_t) side << 60))
	  tb_warning (diag, "What is assumed of the steps %s steps %llu to "
		      "%llu contradicts what is known of these: it is "
		      "disproved, and not used there.",
		      end ? "after" : "before", (unsigned long long) first,
		      (unsigned long long) last);
      }
  return ok;
}

/* S, solved without assumptions of its own, contradicts what is certain: give up
   what of the halt and of its neighbours' assumptions that takes.  False: no
   memory.  */
static bool
find_wrong (struct tb_state *s, struct tb_state *certain,
	    struct tb_diag *diag)
{
  static const uint8_t tries[] = {
    WRONG_HALT, WRONG_AFTER, WRONG_BEFORE, WRONG_AFTER | WRONG_BEFORE,
    WRONG_HALT | WRONG_BEFORE
  };
  enum tb_halt halt = s->halt;
  struct tb_border *before = tb_border_ref (s->before[1]);
  struct tb_border *after = tb_border_ref (s->after[1]);
  unsigned have = (halt != certain->halt ? WRONG_HALT : 0)
		  | (after != certain->after[0] ? WRONG_AFTER : 0)
		  | (before != certain->before[0] ? WRONG_BEFORE : 0);
  bool ok = true;
  for (unsigned i = 0; ok && i < sizeof tries && s->graph.conflict; i++)
    if ((tries[i] & ~have) == 0)
      {
	s->halt = halt;
	tb_border_unref (s->before[1]);
	tb_border_unref (s->after[1]);
	s->before[1] = tb_border_ref (before);
	s->after[1] = tb_border_ref (after);
	do_without (s, certain, tries[i]);
	ok = tb_state_solve (s, 0, 0)
	     && (s->graph.conflict
		 || say_wrong (s, certain, tries[i], before, after, diag));
      }
  tb_border_unref (before);
  tb_border_unref (after);
  return ok;
}

bool
tb_state_assume (struct tb_state *certain, struct tb_state *home,
		 struct tb_diag *diag)
{
  /* Given up, or no trace: nothing to assume anything of.  */
  if (certain->steps == 0)
    return true;
  struct tb_state *s = tb_state_make (certain->recording, &certain->options,
				      certain->base,
				      certain->steps);
  if (s == NULL)
    return false;
  certain->assumed = s;
  s->assuming = true;
  /* Where stacks are told apart, a few stores of unknown address less are worth more.  */
  if (s->options.assume & (TB_ASSUME_TASKS | TB_ASSUME_FRAMES))
    s->memory.hit_visits *= 8;
  const struct tb_relied_set *given_up = s->options.given_up;
  bool before = !tb_relied_given_up (given_up, TB_RELIED_BEFORE, s->base, 0);
  bool after = !tb_relied_given_up (given_up, TB_RELIED_AFTER, s->base, 0);
  for (unsigned i = 0; i < 2; i++)
    {
      s->before[i] = tb_border_ref (certain->before[before ? i : 0]);
      s->after[i] = tb_border_ref (certain->after[after ? i : 0]);
    }
  if (!tb_state_take_trust (s, certain))
    return false;
  if (!keep_certain (s, certain))
    return false;
  s->stkalign = certain->stkalign;
  s->halt = certain->halt;
  memcpy (s->vectors_at_halt, certain->vectors_at_halt,
	  sizeof s->vectors_at_halt);
  if (certain->options.assume & TB_ASSUME_HALT
      && (s->halt == TB_HALT_ELSEWHERE || s->halt == TB_HALT_UNCONFIRMED)
      && !tb_relied_given_up (given_up, TB_RELIED_HALT, s->base, 0))
    s->halt = TB_HALT_USED;
  if (!tb_state_solve (s, 0, 0))
    return false;
  if (s->graph.conflict && !find_wrong (s, certain, diag))
    return false;
  if (certain->options.assume & TB_ASSUME_TASKS && s->profile->is_m
      && !s->graph.conflict && !assume_tasks (s, certain, home, diag))
    return false;
  if (certain->options.assume & TB_ASSUME_AAPCS && !s->graph.conflict
      && !assume_calls (s, certain, diag))
    return false;
  if (certain->options.assume & TB_ASSUME_FRAMES && s->profile->is_m
      && !s->graph.conflict && !assume_frames (s, certain, home, diag))
    return false;
  if (certain->options.assume & TB_ASSUME_CONSTANTS && !s->graph.conflict
      && !assume_constants (s, certain, diag))
    return false;
  if (certain->options.assume & TB_ASSUME_OBJECTS && !s->graph.conflict
      && !tb_assume_objects (s, certain, diag))
    return false;
  if (s->graph.conflict)
    {
      /* The certain state has said why.  */
      tb_state_close (s);
      certain->assumed = NULL;
    }
  return true;
}
