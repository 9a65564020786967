/* Does the trace end where the core was halted?  See halt.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/halt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode/follow.h"
#include "decode/found.h"
#include "state/window/internal.h"
#include "state/window/windows.h"

/* Addresses of code that are looked at before it may lead anywhere.  */
#define WALK_MOST 64

/* Steps at the end of the trace that are worked out without the halt.  */
#define STEPS_MOST TB_STATE_WINDOW

/* How far back earlier visits are looked for, how many, and the steps before each
   that are worked out.  Of fewer than VISITS_LEAST not much follows.  */
#define BACK_MOST 32768
#define VISITS_LEAST 4
#define VISITS_MOST 8
#define CUT_MOST 16384

/* Places that must agree where there were few visits; and room for them.  */
#define CELLS_LEAST 6
#define CELL_BITS 12

void
tb_halt_keep_stack (const struct tb_profile *profile, struct tb_value *values)
{
  static const unsigned stacks[]
    = { TB_SP, TB_PC, TB_PSR, TB_MSP, TB_PSP, TB_CONTROL };
  uint64_t keep = 0;
  if (profile->has_a64)
    keep = UINT64_C (1) << TB_SP64 | UINT64_C (1) << TB_PC64;
  for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]
		     && !profile->has_a64; i++)
    keep |= UINT64_C (1) << stacks[i];
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    if (!(keep >> i & 1))
      values[i] = (struct tb_value) { .origin = TB_UNKNOWN };
  /* Of these the mode and the exception's number, no flags.  */
  if (!profile->has_a64)
    {
      values[TB_PSR].mask = 0;
      values[TB_PSR].bits = 0;
    }
}

bool
tb_halt_drop_stack (const struct tb_memmap *map,
		    const struct tb_profile *profile, uint64_t pc,
		    struct tb_value *values)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (map, &regions);
  struct tb_value *sp = &values[profile->has_a64 ? TB_SP64 : TB_SP];
  uint64_t at = sp->bits;
  bool others = false;
  for (size_t i = 0; i < n; i++)
    {
      /* A stack that is empty begins behind its memory.  */
      if (at - regions[i].address <= regions[i].length)
	return false;
      others |= regions[i].halt_contents && regions[i].access != TB_ACCESS_READ
		&& pc - regions[i].address >= regions[i].length;
    }
  if (sp->mask == 0 || !others)
    return false;
  *sp = (struct tb_value) { .origin = TB_UNKNOWN };
  for (unsigned i = TB_MSP; i <= TB_PSP && profile->is_m; i++)
    if (values[i].bits == at)
      values[i] = *sp;
  return true;
}

/* The trace unit.  */

/* Does the trace, or its unit SOURCE, tell that it ends at the halt?  */
static bool
is_told (struct tb_recording *recording, const struct tb_device *source)
{
  uint64_t total = tb_recording_steps (recording);
  struct tb_event events[16];
  size_t n = tb_recording_events (recording, total, total, events, 16);
  for (size_t i = 0; i < n && i < 16; i++)
    if (events[i].kind == TB_EVENT_HALT)
      return true;
  return tb_recording_reaches_halt (recording, source);
}

/* Code.  */

struct way
{
  uint64_t at[WALK_MOST];
  unsigned count, done;
};

/* The walk goes on at ADDRESS.  False: there is no room.  */
static bool
go_on (struct way *w, uint64_t address)
{
  for (unsigned i = 0; i < w->count; i++)
    if (w->at[i] == address)
      return true;
  if (w->count == WALK_MOST)
    return false;
  w->at[w->count++] = address;
  return true;
}

/* Are interrupts of a core of the M profile masked at the halt AT_HALT?  In NMI and HardFault they
   are.  */
static bool
is_masked (const struct tb_value *at_halt)
{
  uint64_t exception = at_halt[TB_PSR].bits & at_halt[TB_PSR].mask & TB_PSR_IPSR;
  return exception == 2 || exception == 3
	 || (at_halt[TB_PRIMASK].bits & at_halt[TB_PRIMASK].mask & 1) != 0
	 || (at_halt[TB_FAULTMASK].bits & at_halt[TB_FAULTMASK].mask & 1) != 0;
}

/* Can the core, once it is at PC, not come there again but by an exception, or, if interrupts are
   taken to be MASKED, by a branch there that does nothing else?  (It may stay in such a branch for
   long, and the handlers of interrupts would change RAM then.)  LAST is a step of the code that
   FOLLOW reads.  */
static bool
never_comes_back (struct tb_follow *follow,
		  const struct tb_profile *profile, const struct tb_step *last,
		  uint64_t pc, bool masked)
{
  struct tb_step step = { .isa = last->isa, .space = last->space };
  struct way way = { .at = { pc }, .count = 1 };
  while (way.done < way.count)
    {
      uint64_t at = way.at[way.done++];
      struct tb_flow flow;
      step.pc = at;
      step.size = (uint8_t) tb_follow_opcode (follow, (enum tb_space) step.space,
				    (enum tb_isa) step.isa, at, &step.opcode);
      if (!tb_flow_of (&flow, step.isa, step.opcode, step.size, at, false, profile)
	  || flow.kind == TB_FLOW_INDIRECT || flow.kind >= TB_FLOW_UNDEFINED
	  || flow.it_length != 0)
	return false;
      bool branch = flow.kind == TB_FLOW_BRANCH;
      bool onwards = !branch || flow.conditional;
      if (branch && (flow.sub == TB_SUB_LINK || flow.target_isa != step.isa))
	return false;
      if (branch && flow.target == pc && (at != pc || onwards || !masked))
	return false;
      if ((branch && !go_on (&way, flow.target))
	  || (onwards && !go_on (&way, at + step.size)))
	return false;
    }
  return true;
}

/* Does the code from PC on show that the halt there is of the trace's end?  */
static bool
code_tells (struct tb_recording *recording, const struct tb_step *last,
	    uint64_t pc, bool masked)
{
  const struct tb_profile *profile = tb_recording_profile (recording);
  struct tb_follow_options options = { 0 };
  struct tb_follow *follow
    = tb_follow_new (tb_recording_memmap (recording), profile, &options);
  bool yes = follow != NULL && never_comes_back (follow, profile, last, pc, masked);
  if (follow == NULL || follow->no_memory)
    tb_recording_lacks_memory (recording);
  tb_follow_free (follow);
  return yes;
}

/* Values.  */

/* The end of the trace.  */
struct ending
{
  struct tb_recording *recording;
  const struct tb_state_options *options;
  uint64_t total, first;	/* Steps; the first that is looked back to.  */
  uint64_t visits[VISITS_MOST];	/* At the PC of the halt, before the end, the last
				   one first.  */
  unsigned nvisits;
  uint64_t pcs[BACK_MOST];	/* Of the steps from FIRST on.  */
};

static bool
look_back (struct ending *e, uint64_t pc)
{
  struct tb_step steps[256];
  e->total = tb_recording_steps (e->recording);
  e->first = e->total > BACK_MOST ? e->total - BACK_MOST : 0;
  for (uint64_t at = e->first; at < e->total;)
    {
      size_t n = tb_recording_read (e->recording, at, steps, 256);
      if (n == 0)
	return false;
      for (size_t i = 0; i < n && at < e->total; i++, at++)
	e->pcs[at - e->first] = steps[i].pc;
    }
  for (uint64_t i = e->total; i-- > e->first && e->nvisits < VISITS_MOST;)
    if (e->pcs[i - e->first] >> 1 == pc >> 1)
      e->visits[e->nvisits++] = i;
  return true;
}

/* Work out the MOST steps before END, as HALT says.  NULL without memory.  */
static struct tb_state *
work_out (const struct ending *e, uint64_t end, uint64_t most,
	  enum tb_halt_proof halt)
{
  uint64_t steps = end < most ? end : most;
  struct tb_state_options own = *e->options;
  struct tb_diag silent = { 0 };
  bool more;
  own.halt = halt;
  own.assume = 0;
  own.explain = own.makers = false;
  struct tb_state *s = tb_state_make (e->recording, &own, end - steps, steps);
  if (s != NULL && tb_state_work (s, s, &more, &silent))
    return s;
  /* Then the halt is not proven, and less is known.  */
  tb_recording_lacks_memory (e->recording);
  tb_state_close (s);
  return NULL;
}

/* Would the halt have contradicted a trace that ended at any of the visits before?
   Then it does so where it is of a later visit, too.  */
static bool
would_be_found_out (const struct ending *e)
{
  bool found = true;
  for (unsigned i = 0; i < e->nvisits && found; i++)
    {
      struct tb_state *s = work_out (e, e->visits[i], CUT_MOST, TB_PROOF_CUT);
      found = s != NULL && s->halt == TB_HALT_CONTRADICTED;
      tb_state_close (s);
    }
  return found;
}

/* A place that the trace stores to.  */
struct cell
{
  uint64_t address, value;	/* What was stored there last, LENGTH bytes.  */
  uint8_t length;		/* 0: no cell.  */
  bool known, varied;		/* What was there before was known, and another
				   value.  */
};

/* STORE happened.  */
static void
take_store (struct cell *cells, const struct tb_access_info *store)
{
  size_t at = (size_t) (store->address * UINT64_C (0x9e3779b97f4a7c15)
			>> (64 - CELL_BITS));
  struct cell *c = &cells[at];
  if (c->length != 0
      && (c->address != store->address || c->length != store->length))
    return;
  c->varied = c->known && store->value_known && c->value != store->value;
  c->address = store->address;
  c->length = (uint8_t) store->length;
  c->known = store->value_known;
  c->value = store->value;
}

/* Is CELL known at the end, without the halt, and the same in the dump?  What was
   known and is not the same would contradict the halt.  */
static bool
cell_agrees (const struct ending *e, struct tb_state *s,
	     const struct cell *cell)
{
  uint8_t end[8], origins[8], dumped[8];
  const struct tb_memmap *map = tb_recording_memmap (e->recording);
  size_t n = cell->length;
  return cell->varied
	 && tb_state_memory (s, e->total, cell->address, end, origins, n) == n
	 && tb_memmap_read (map, TB_SPACE_ANY, cell->address, dumped, n) == n
	 && memcmp (dumped, end, n) == 0;
}

/* Are there several places in RAM, most of them on the stack, that the trace stores
   different values to, and whose last one it makes certain without the halt, and the
   dump has them?  Execution that goes on leaves others there.  */
static bool
memory_agrees (const struct ending *e)
{
  struct cell *cells = calloc ((size_t) 1 << CELL_BITS, sizeof *cells);
  if (cells == NULL)
    tb_recording_lacks_memory (e->recording);
  struct tb_state *s = cells == NULL ? NULL
		       : work_out (e, e->total, STEPS_MOST, TB_PROOF_WITNESS);
  unsigned agree = 0;
  for (uint64_t i = e->first; i < e->total && s != NULL; i++)
    {
      struct tb_access_info accesses[16];
      size_t n = tb_state_accesses (s, i, accesses, 16);
      for (size_t k = 0; k < n && k < 16; k++)
	if (accesses[k].store && accesses[k].address_known
	    && accesses[k].length <= 8)
	  take_store (cells, &accesses[k]);
    }
  for (size_t i = 0; i < (size_t) 1 << CELL_BITS && s != NULL; i++)
    agree += cell_agrees (e, s, &cells[i]);
  tb_state_close (s);
  free (cells);
  return agree >= CELLS_LEAST;
}

/* Do the values at the halt show that it is of the trace's end, by what OPTIONS say of the
   start?  */
static bool
values_show (struct tb_recording *recording,
	     const struct tb_state_options *options, uint64_t pc)
{
  struct ending *e = calloc (1, sizeof *e);
  if (e == NULL)
    {
      tb_recording_lacks_memory (recording);
      return false;
    }
  e->recording = recording;
  e->options = options;
  bool yes = look_back (e, pc) && would_be_found_out (e)
	     && (e->nvisits >= VISITS_LEAST || memory_agrees (e));
  free (e);
  return yes;
}

/* The same.  What is known of the start may leave little to be spent near the end, so what is
   shown without it is shown.  */
static bool
values_tell (struct tb_recording *recording,
	     const struct tb_state_options *options, uint64_t pc)
{
  struct tb_state_options plain = *options;
  plain.start = 0;
  return values_show (recording, options, pc)
	 || (options->start != 0 && values_show (recording, &plain, pc));
}

/* The instruction set at the halt, as it is at step LAST or behind it.  */
static void
find_isa (const struct tb_profile *profile, const struct tb_value *at_halt,
	  struct tb_step *last)
{
  if (profile->has_a64 || profile->is_m || at_halt[TB_PSR].mask == 0)
    return;
  last->isa = at_halt[TB_PSR].bits >> 5 & 1 ? TB_ISA_T32 : TB_ISA_A32;
}

enum tb_halt_proof
tb_halt_prove (struct tb_recording *recording,
	       const struct tb_state_options *options)
{
  const struct tb_recording_info *info = tb_recording_info (recording);
  const struct tb_profile *profile = tb_recording_profile (recording);
  unsigned pc_reg = profile->has_a64 ? TB_PC64 : TB_PC;
  struct tb_value at_halt[TB_NREGS_MAX] = { { .origin = TB_UNKNOWN } };
  struct tb_step last;
  if (options->core == NULL || options->source == NULL || info->steps == 0)
    return TB_PROOF_FOUND;
  tb_state_at_halt (options->core, profile, at_halt);
  uint64_t pc = at_halt[pc_reg].bits;
  if (at_halt[pc_reg].mask == 0
      || (info->end_known && info->end_pc >> 1 != pc >> 1)
      || tb_recording_read (recording, info->steps - 1, &last, 1) != 1
      || is_told (recording, options->source))
    return TB_PROOF_FOUND;
  find_isa (profile, at_halt, &last);
  /* Of packets that were found nothing tells when the MTB was switched off.  */
  bool masked = !tb_source_is_found (options->source) || is_masked (at_halt);
  return code_tells (recording, &last, pc, masked)
	 || values_tell (recording, options, pc)
	 ? TB_PROOF_FOUND : TB_PROOF_NONE;
}

void
tb_halt_say (const struct tb_state *s, struct tb_diag *diag)
{
  bool used = s->halt == TB_HALT_USED || s->end_open;
  if (s->halt == TB_HALT_UNCONFIRMED)
    tb_warning (diag, "The trace ends at the PC of the halt, %#" PRIx64 ", but "
		"the core may have run on and come back there: expected a "
		"trace of the halt, an MTB still enabled, an endless loop, or "
		"values that vary and that trace and halt agree in; found "
		"none.  The registers and memory at the halt are %s%s.",
		s->at_halt[s->profile->has_a64 ? TB_PC64 : TB_PC].bits,
		(s->options.assume & TB_ASSUME_HALT) != 0
		? "used all the same, marked as assumed (--assume=halt)"
		: "not used (--assume=halt uses them, marked as assumed)",
		s->options.source != NULL && tb_source_is_found (s->options.source)
		? "; the registers of the MTB, in the dump or by --mtb=BASE,POSITION,MASTER, tell "
		  "whether it was on" : "");
  else if (used && s->stack_lost)
    tb_warning (diag, "SP at the halt lies in no dump: expected it in one of the "
		"core's dumps of RAM.  It is not used.");
}
