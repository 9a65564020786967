/* A log that contradicts its instructions.  See log-doubt.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   First the steps are walked over, and places are noted where a register may have been
   written without a line; then its known bits are cut there, up to its next line.
   Lines that repeat a value are not kept in the facts: such a register is taken for
   one without a line, which is the safe side.  */

#include "config.h"
#include "state/evidence/log-doubt.h"

#include <stdlib.h>
#include <string.h>

#include "recording/facts-memory.h"
#include "arm/ir/semantics-a64.h"
#include "state/evidence/stated.h"
#include "util/search.h"

/* The bits of the PSR that instructions change by their results: N, Z, C, V, Q and
   GE.  */
#define RESULT_BITS UINT32_C (0xf80f0000)

/* What may be written, a bit each: general registers by number (31 of A64 is SP), the
   PSR's results, and all else.  */
#define BIT(n) (UINT64_C (1) << (n))
#define RESULTS BIT (32)
#define REST BIT (33)
#define GENERAL (BIT (32) - 1)
#define ANYTHING UINT64_MAX

/* The two parts of a register that are doubted on their own; only the PSR has the
   second one.  */
enum { PART_MAIN, PART_REST, PARTS };

/* One register in the course of the walk.  */
struct doubted
{
  struct tb_column marks[PARTS];	/* Steps before which it is not known.  */
  bool is_psr, skip;
};

struct walk
{
  const struct tb_state_log *log;
  const struct tb_columns *facts;
  const struct tb_profile *profile;
  struct doubted *registers;
  uint64_t *effects;		/* By code; 0: not known yet.  */
  uint64_t kept;		/* General registers that exceptions leave alone.  */
  bool failed;
};

/* What CODE may write.  */
static uint64_t
effect_of (const struct walk *w, const struct tb_facts_code *code)
{
  enum { OTHERS = 36 };		/* A64: behind the flags.  */
  uint64_t set = tb_stated_may_write (w->profile, code, 0);
  if (code->isa == TB_ISA_A64)
    return set == UINT64_MAX ? ANYTHING
	   : (set & GENERAL) | (set >> TB_A64_N & 15 ? RESULTS : 0)
	     | (set >> OTHERS ? REST : 0);
  uint32_t general = (UINT32_C (2) << TB_LR) - 1;
  uint32_t results = TB_SLOTS_NZCV | TB_SLOT_BIT (TB_SLOT_Q)
		     | TB_SLOT_BIT (TB_SLOT_GE);
  return set == UINT64_MAX ? ANYTHING
	 : (set & general) | (set & results ? RESULTS : 0)
	   | (set & ~(uint64_t) (general | results) ? REST : 0);
}

/* How many of the ascending numbers of STEPS are at most STEP.  */
static size_t
count_to (const struct tb_column *steps, uint64_t step)
{
  const uint32_t *items = (const uint32_t *) steps->data;
  size_t low;
  TB_LOWER_BOUND (low, TB_COLUMN_COUNT (steps, uint32_t), items[low] <= step);
  return low;
}

static uint32_t
item (const struct tb_column *column, size_t i)
{
  return ((const uint32_t *) column->data)[i];
}

/* The bits that entry I of MASKS makes known.  */
static uint32_t
made_known (const struct tb_facts_changes *masks, size_t i)
{
  uint32_t before = i > 0 ? item (&masks->values, i - 1) : 0;
  return item (&masks->values, i) & ~before;
}

/* Is there a line of PART of REG right before STEP?  *LAST becomes the last place before
   or at STEP where anything of it changed, 0 if there is none.  */
static bool
has_line (const struct tb_facts_register *reg, unsigned part, uint64_t step,
	  uint64_t *last)
{
  bool line = false;
  *last = 0;
  for (unsigned i = 0; i < reg->nlanes; i++)
    {
      const struct tb_facts_lane *lane = &reg->lanes[i];
      const struct tb_facts_changes *both[] = { &lane->values, &lane->masks };
      for (unsigned k = 0; k < 2; k++)
	{
	  size_t n = count_to (&both[k]->steps, step);
	  uint64_t at = n > 0 ? item (&both[k]->steps, n - 1) : 0;
	  if (n > 0 && at == step && k == 1)
	    line |= made_known (both[k], n - 1) != 0;
	  else if (n > 0 && at == step)
	    line |= part == PART_MAIN || n == 1
		    || ((item (&both[k]->values, n - 1)
			 ^ item (&both[k]->values, n - 2)) & ~RESULT_BITS) != 0;
	  if (at > *last)
	    *last = at;
	}
    }
  return line;
}

/* Something may have written PART of register number R right before STEP.  */
static void
mark (struct walk *w, size_t r, unsigned part, uint64_t step)
{
  struct doubted *d = &w->registers[r];
  struct tb_column *marks = &d->marks[part];
  size_t n = TB_COLUMN_COUNT (marks, uint32_t);
  uint64_t last;
  if (d->skip || has_line (&w->facts->registers[r], part, step, &last))
    return;
  /* It is doubted already.  */
  if (n > 0 && item (marks, n - 1) >= last)
    return;
  w->failed |= !tb_column_u32 (marks, (uint32_t) step);
}

/* Register REG of MODE may have been written before STEP.  */
static void
mark_place (struct walk *w, unsigned mode, unsigned reg, uint64_t step)
{
  const struct tb_facts_register *place
    = tb_state_log_place (w->log, mode, reg);
  if (place != NULL)
    mark (w, (size_t) (place - w->facts->registers), PART_MAIN, step);
}

/* Of the M profile: is there a line of a stack pointer right before STEP?  What writes
   one of them leaves the other alone.  */
static bool
has_stack_line (const struct walk *w, unsigned mode, uint64_t step)
{
  static const uint8_t stacks[] = { TB_SP, TB_MSP, TB_PSP };
  bool line = false;
  uint64_t unused;
  for (size_t i = 0; i < sizeof stacks; i++)
    {
      const struct tb_facts_register *place
	= tb_state_log_place (w->log, mode, stacks[i]);
      line |= place != NULL && has_line (place, PART_MAIN, step, &unused);
    }
  return line;
}

/* All but the general registers that are not in SET may have been written right before
   STEP by what ran in MODE; nor the stack pointers if STACKS_TOLD.  */
static void
mark_rest (struct walk *w, unsigned mode, uint64_t step, uint64_t set,
	   bool stacks_told)
{
  const struct tb_facts_register *keep[34] = { NULL };
  unsigned n = 0;
  for (unsigned i = 0; i < 32; i++)
    if ((~set & BIT (i)) != 0 && (i <= TB_LR || w->profile->has_a64)
	&& !(w->profile->is_m && i == TB_SP))
      keep[n++] = tb_state_log_place (w->log, mode, i);
  if (stacks_told)
    {
      keep[n++] = tb_state_log_place (w->log, mode, TB_MSP);
      keep[n++] = tb_state_log_place (w->log, mode, TB_PSP);
    }
  for (size_t r = 0; r < w->facts->nregisters; r++)
    {
      bool kept = false;
      for (unsigned i = 0; i < n && !kept; i++)
	kept = keep[i] == &w->facts->registers[r];
      if (!kept)
	mark (w, r, PART_MAIN, step);
      if (!kept && w->registers[r].is_psr)
	mark (w, r, PART_REST, step);
    }
}

/* SET may have been written right before STEP by what ran in MODE; ONCE: and not more
   than one stack pointer.  */
static void
mark_set (struct walk *w, unsigned mode, uint64_t step, uint64_t set, bool once)
{
  bool is_m = w->profile->is_m;
  bool told = is_m && once && set & (REST | BIT (TB_SP))
	      && has_stack_line (w, mode, step);
  if (set & REST)
    {
      mark_rest (w, mode, step, set, told);
      return;
    }
  for (uint64_t left = set & GENERAL; left != 0; left &= left - 1)
    {
      unsigned i = (unsigned) __builtin_ctzll (left);
      bool stack = is_m && i == TB_SP;
      if (stack && told)
	continue;
      mark_place (w, mode, i, step);
      if (!stack)
	continue;
      unsigned active = tb_state_log_active_sp (w->log, step - 1);
      if (active != TB_FACTS_SP_PSP)
	mark_place (w, mode, TB_MSP, step);
      if (active != TB_FACTS_SP_MSP)
	mark_place (w, mode, TB_PSP, step);
    }
  if (set & RESULTS)
    mark_place (w, mode, w->profile->has_a64 ? TB_PSTATE : TB_PSR, step);
}

/* What EVENT may write.  */
static uint64_t
effect_of_event (const struct walk *w, const struct tb_event *event)
{
  bool exception = event->kind == TB_EVENT_EXCEPTION
		   && tb_exception_kind (TB_NUMBERS_VECTORS, w->facts->is_m,
					 event->exception) != TB_EXC_RESET;
  return exception || event->kind == TB_EVENT_EXCEPTION_RETURN
	 ? ANYTHING & ~w->kept : ANYTHING;
}

static void
walk (struct walk *w)
{
  const struct tb_columns *f = w->facts;
  const struct tb_event *events = (const struct tb_event *) f->events.data;
  size_t nevents = TB_COLUMN_COUNT (&f->events, struct tb_event), e = 0;
  const struct tb_facts_code *codes
    = (const struct tb_facts_code *) f->codes.data;
  while (e < nevents && events[e].step == 0)
    e++;
  for (uint64_t step = 1; step <= f->steps && !w->failed; step++)
    {
      const struct tb_facts_code *code = tb_facts_step (f, step - 1);
      uint64_t *effect = &w->effects[code - codes];
      /* No effect has this bit alone.  */
      if (*effect == 0)
	*effect = effect_of (w, code) | BIT (63);
      uint64_t set = *effect == ANYTHING ? ANYTHING : *effect & ~BIT (63);
      bool writes = set & (REST | BIT (TB_SP)), once = true;
      for (; e < nevents && events[e].step == step; e++)
	{
	  set |= effect_of_event (w, &events[e]);
	  once = !writes;
	  writes = true;
	}
      if (set != 0)
	mark_set (w, code->mode, step, set, once);
    }
}

/* The masks of lane LANE of register number R, into TO, with what is doubted cut.  */
static bool
cut (const struct walk *w, size_t r, unsigned lane, struct tb_facts_changes *to)
{
  const struct tb_facts_register *reg = &w->facts->registers[r];
  const struct doubted *d = &w->registers[r];
  const struct tb_column *masks = &reg->lanes[lane].masks.steps;
  size_t at[PARTS] = { 0, 0 }, m = 0, n = TB_COLUMN_COUNT (masks, uint32_t);
  uint64_t step = 0;
  uint32_t told = UINT32_MAX, last = UINT32_MAX;
  bool lost[PARTS] = { false, false };
  size_t next[2 * 16] = { 0 };
  unsigned lanes = reg->nlanes < 16 ? reg->nlanes : 16;
  while (step != UINT64_MAX)
    {
      /* The next place where anything changes.  */
      step = UINT64_MAX;
      for (unsigned i = 0; i < 2 * lanes; i++)
	{
	  const struct tb_facts_lane *l = &reg->lanes[i / 2];
	  const struct tb_column *c = i % 2 ? &l->masks.steps : &l->values.steps;
	  if (next[i] < TB_COLUMN_COUNT (c, uint32_t)
	      && item (c, next[i]) < step)
	    step = item (c, next[i]);
	}
      for (unsigned p = 0; p < PARTS; p++)
	if (at[p] < TB_COLUMN_COUNT (&d->marks[p], uint32_t)
	    && item (&d->marks[p], at[p]) < step)
	  step = item (&d->marks[p], at[p]);
      if (step == UINT64_MAX)
	break;
      for (unsigned i = 0; i < 2 * lanes; i++)
	{
	  const struct tb_facts_lane *l = &reg->lanes[i / 2];
	  const struct tb_column *c = i % 2 ? &l->masks.steps : &l->values.steps;
	  if (next[i] < TB_COLUMN_COUNT (c, uint32_t)
	      && item (c, next[i]) == step)
	    next[i]++;
	}
      for (; m < n && item (masks, m) == step; m++)
	told = item (&reg->lanes[lane].masks.values, m);
      for (unsigned p = 0; p < PARTS; p++)
	{
	  uint64_t unused;
	  if (lost[p] && has_line (reg, p, step, &unused))
	    lost[p] = false;
	  for (; at[p] < TB_COLUMN_COUNT (&d->marks[p], uint32_t)
		 && item (&d->marks[p], at[p]) == step; at[p]++)
	    lost[p] = true;
	}
      uint32_t main = d->is_psr ? RESULT_BITS : UINT32_MAX;
      uint32_t mask = told & ~((lost[PART_MAIN] ? main : 0)
			       | (lost[PART_REST] ? ~main : 0));
      if (mask != last
	  && (!tb_column_u32 (&to->steps, (uint32_t) step)
	      || !tb_column_u32 (&to->values, mask)))
	return false;
      last = mask;
    }
  return true;
}

/* The registers as W has found them.  NULL: no memory.  */
static struct tb_facts_register *
cut_all (const struct walk *w)
{
  size_t n = w->facts->nregisters;
  struct tb_facts_register *registers = calloc (n + 1, sizeof *registers);
  bool ok = registers != NULL;
  for (size_t r = 0; ok && r < n; r++)
    {
      const struct tb_facts_register *from = &w->facts->registers[r];
      registers[r] = *from;
      registers[r].lanes = calloc (from->nlanes + 1u, sizeof *from->lanes);
      ok = registers[r].lanes != NULL;
      for (unsigned i = 0; ok && i < from->nlanes; i++)
	{
	  registers[r].lanes[i].values = from->lanes[i].values;
	  ok = cut (w, r, i, &registers[r].lanes[i].masks);
	}
    }
  if (ok)
    return registers;
  tb_log_doubt_free (w->facts, registers);
  return NULL;
}

struct tb_facts_register *
tb_log_doubt (const struct tb_state_log *log, const struct tb_profile *profile)
{
  const struct tb_columns *f = tb_state_log_facts (log);
  size_t ncodes = TB_COLUMN_COUNT (&f->codes, struct tb_facts_code);
  struct walk w = {
    .log = log, .facts = f, .profile = profile,
    .registers = calloc (f->nregisters + 1, sizeof *w.registers),
    .effects = calloc (ncodes + 1, sizeof *w.effects),
    /* R4 to R11, R0 to R12 and X0 to X30.  */
    .kept = profile->is_m ? 0xff0 : profile->has_a64 ? BIT (31) - 1 : 0x1fff
  };
  struct tb_facts_register *registers = NULL;
  if (w.registers != NULL && w.effects != NULL)
    {
      for (size_t r = 0; r < f->nregisters; r++)
	{
	  const char *name = f->registers[r].name;
	  w.registers[r].is_psr = strcmp (name, "psr") == 0;
	  /* Vector registers are known for no longer anyway (recording/).  */
	  w.registers[r].skip = strcmp (name, TB_FACTS_ACTIVE_SP) == 0
				|| (name[0] == 'v' && name[1] >= '0'
				    && name[1] <= '9');
	}
      walk (&w);
      if (!w.failed)
	registers = cut_all (&w);
      for (size_t r = 0; r < f->nregisters; r++)
	for (unsigned p = 0; p < PARTS; p++)
	  tb_column_fini (&w.registers[r].marks[p]);
    }
  free (w.registers);
  free (w.effects);
  return registers;
}

void
tb_log_doubt_free (const struct tb_columns *f,
		   struct tb_facts_register *registers)
{
  for (size_t r = 0; registers != NULL && r < f->nregisters; r++)
    {
      for (unsigned i = 0; registers[r].lanes != NULL
			   && i < registers[r].nlanes; i++)
	{
	  tb_column_fini (&registers[r].lanes[i].masks.steps);
	  tb_column_fini (&registers[r].lanes[i].masks.values);
	}
      free (registers[r].lanes);
    }
  free (registers);
}
