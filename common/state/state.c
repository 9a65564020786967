/* Opening a state: the window, the halt, solving.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/builder.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arm/machine/halt-endian.h"
#include "arm/machine/halt-space.h"
#include "decode/found.h"
#include "recording/facts.h"
#include "recording/tasks.h"
#include "state/window/a64.h"
#include "state/assume/assume.h"
#include "state/evidence/evidence.h"
#include "state/evidence/halt.h"
#include "state/window/fp.h"
#include "state/evidence/log.h"
#include "state/evidence/stated.h"
#include "state/evidence/traced.h"
#include "state/answer/fp-registers.h"
#include "state/window/windows.h"
#include "util/number.h"

void
tb_state_at_halt (const struct tb_device *core,
		  const struct tb_profile *profile, struct tb_value *values)
{
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  bool found[TB_NREGS_MAX] = { false };
  /* Of a register that is there by two names, the own one counts, else the first.  */
  for (unsigned own = 2; own-- > 0;)
    for (size_t i = 0; i < core->nregs; i++)
      {
	const struct tb_device_reg *reg = &core->regs[i];
	int number = tb_reg_number (profile, reg->name);
	if (number < 0 || found[number]
	    || (own != 0) != (strcasecmp (reg->name, regs[number].name) == 0))
	  continue;
	uint64_t mask = regs[number].bits == 64 ? UINT64_MAX : UINT32_MAX;
	found[number] = true;
	values[number] = (struct tb_value) { .bits = reg->value & mask, .mask = mask,
					     .origin = TB_DERIVED };
      }
}

/* Does the trace end where the core was halted, without a gap in between?  */
static enum tb_halt
find_halt (struct tb_state *s)
{
  const struct tb_recording_info *info = tb_recording_info (s->recording);
  unsigned pc_reg = s->profile->has_a64 ? TB_PC64 : TB_PC;

  if (s->options.core == NULL)
    return TB_HALT_NONE;
  tb_state_at_halt (s->options.core, s->profile, s->at_halt);
  for (unsigned i = 0; i < TB_NREGS_MAX && i < 64; i++)
    if (s->options.halt_without >> i & 1)
      s->at_halt[i] = (struct tb_value) { .mask = 0 };
  if (s->at_halt[pc_reg].mask == 0)
    return TB_HALT_NONE;
  uint64_t pc = s->at_halt[pc_reg].bits;
  s->stack_lost = s->options.source != NULL
		  && tb_halt_drop_stack (tb_recording_memmap (s->recording),
					 s->profile, pc, s->at_halt);
  if (s->options.halt == TB_PROOF_WITNESS)
    tb_halt_keep_stack (s->profile, s->at_halt);
  if (info->steps == 0 || s->options.halt == TB_PROOF_CUT)
    return TB_HALT_USED;
  if (info->end_known && info->end_pc >> 1 != pc >> 1)
    return TB_HALT_ELSEWHERE;
  struct tb_event events[16];
  size_t n = tb_recording_events (s->recording, info->steps, info->steps,
				  events, 16);
  if (n > 16)
    return TB_HALT_ELSEWHERE;
  bool in_sequence = true;
  for (size_t i = 0; i < n; i++)
    if (events[i].kind == TB_EVENT_GAP)
      return TB_HALT_ELSEWHERE;
    else if (events[i].kind == TB_EVENT_EXCEPTION
	     || events[i].kind == TB_EVENT_EXCEPTION_RETURN)
      in_sequence = false;
  bool proven = s->options.halt != TB_PROOF_NONE;
  s->end_open = !info->end_known && in_sequence && proven;
  return !info->end_known ? TB_HALT_ELSEWHERE
	 : proven ? TB_HALT_USED : TB_HALT_UNCONFIRMED;
}

/* Is it known by now that the trace ends where the core was halted, by the value that
   its last branch goes to?  Then use that.  */
static void
find_end (struct tb_state *s)
{
  tb_graph_solve_for (&s->graph, s->names.target);
  if (s->graph.conflict || s->graph.failed || !tb_state_ends_at_halt (s))
    return;
  s->halt = TB_HALT_USED;
  s->graph.cause = TB_CAUSE_HALT;
  tb_build_use_halt (s);
  s->graph.cause = TB_CAUSE_MEMORY;
  if (s->options.halt != TB_PROOF_WITNESS)
    tb_memory_use_final (&s->memory);
}

/* Begin with the names of the steps; HALT: those of the halt are known at the end, or may
   turn out to be.  */
static void
name (struct tb_state *s, bool halt)
{
  tb_graph_fini (&s->graph);
  tb_graph_init (&s->graph, s->a64 != NULL ? 64 : 32);
  s->graph.causes_on = s->options.explain;
  s->graph.poll = s->options.poll;
  s->graph.access_changed = tb_memory_changed;
  s->graph.context = &s->memory;
  tb_memory_clear (&s->memory);
  s->graph.cause = TB_CAUSE_TRACE;
  tb_build_window (s, halt);
}

/* Is S solved in two parts, of which the first is what follows without what is known of its
   end, nor of registers before it?  So is a window that others come behind: that part may be
   done ahead.  */
static bool
begins_alone (const struct tb_state *s)
{
  return !s->last && !s->glance && !s->assuming && s->stated == NULL;
}

/* Begin with the first part.  */
static void
begin_alone (struct tb_state *s)
{
  s->memory.border = NULL;
  s->memory.final = false;
  s->graph.cause = TB_CAUSE_MEMORY;
  tb_memory_begin (&s->memory, s->names.epoch);
}

void
tb_state_name (struct tb_state *s)
{
  s->in_parts = true;
  name (s, false);
  if (!s->graph.failed)
    begin_alone (s);
  s->named = !s->graph.failed;
}

bool
tb_state_solve_alone (struct tb_state *s)
{
  return tb_graph_solve_some (&s->graph, TB_POLL_UNITS);
}

bool
tb_state_solve (struct tb_state *s, size_t pairs, size_t constants)
{
  bool halt = s->last && s->halt == TB_HALT_USED;
  bool open = s->find_end && s->last && s->end_open
	      && s->halt == TB_HALT_ELSEWHERE;
  bool alone = s->in_parts = begins_alone (s);
  const struct tb_border *after = s->after[s->assuming];
  do
    {
      if (open)
	s->halt = TB_HALT_ELSEWHERE;
      bool anew = !s->named || !tb_build_is_current (s);
      if (anew)
	name (s, halt || open);
      s->named = false;
      s->graph.poll = s->options.poll;
      if (alone && anew && !s->graph.failed)
	begin_alone (s);
      if (alone)
	tb_graph_solve (&s->graph);
      s->memory.border = after;
      s->memory.final = (halt && s->options.halt != TB_PROOF_WITNESS)
			|| (after != NULL && after->memory
			    && after->space == s->memory.space);
      if (s->graph.failed)
	return false;
      s->graph.cause = TB_CAUSE_HALT;
      if (halt)
	tb_build_use_halt (s);
      s->graph.cause = TB_CAUSE_BORDER;
      tb_build_use_border (s);
      tb_facts_state (&s->facts, &s->graph, pairs, constants);
      s->graph.cause = TB_CAUSE_MEMORY;
      if (!alone)
	tb_memory_begin (&s->memory, s->names.epoch);
      else if (s->memory.final)
	tb_memory_use_final (&s->memory);
      if (open)
	find_end (s);
      if (!tb_memory_solve (&s->memory))
	return false;
      if (!s->graph.conflict)
	tb_memory_end (&s->memory);
      s->memory.restart |= tb_state_distrust_code (s);
      if (s->graph.failed)
	return false;
    }
  while (s->memory.restart);
  return true;
}

/* Tell memory which dumps are code and where stacks are.  False: no memory.  */
static bool
classify_memory (struct tb_state *s)
{
  const struct tb_region *regions;
  size_t nregions = tb_memmap_regions (s->memory.map, &regions), n = 0;
  uint64_t *codes = calloc (s->ntemplates + 1, sizeof *codes);
  uint64_t *stacks = calloc (nregions + 4, sizeof *stacks);
  bool ok = codes != NULL && stacks != NULL;
  for (size_t i = 0; ok && i < s->ntemplates; i++)
    codes[i] = s->templates[i].pc;
  /* A stack pointer that is 0 is one that nobody has set.  */
  static const unsigned pointers[] = { TB_SP, TB_MSP, TB_PSP };
  for (size_t i = 0; ok && i < 3; i++)
    if (s->at_halt[pointers[i]].mask != 0 && s->at_halt[pointers[i]].bits != 0)
      stacks[n++] = s->at_halt[pointers[i]].bits;
  if (ok && s->options.trace_ram_length != 0)
    stacks[n++] = s->options.trace_ram;
  /* A dump that begins with a vector table begins with a stack pointer.  */
  for (size_t i = 0; ok && i < nregions; i++)
    if (regions[i].length >= 8)
      {
	uint32_t reset = tb_number_32 (regions[i].data + 4);
	if ((reset & 1) != 0 && reset - regions[i].address < regions[i].length)
	  stacks[n++] = tb_number (regions[i].data, 4);
      }
  ok = ok && tb_memory_classify (&s->memory, codes, s->ntemplates, stacks, n);
  free (codes);
  free (stacks);
  return ok;
}

/* Where the instruction after the window is.  */
static void
find_next (struct tb_state *s)
{
  const struct tb_recording_info *info = tb_recording_info (s->recording);
  uint64_t end = s->base + s->steps;
  struct tb_step next;
  s->last = end >= info->steps || s->options.halt == TB_PROOF_CUT;
  s->next_known = info->end_known;
  s->next_pc = info->end_pc;
  if (end < info->steps)
    {
      s->next_known = tb_recording_read (s->recording, end, &next, 1) == 1;
      s->next_pc = next.pc;
    }
}

/* How much is spent on trying values.  */
static void
set_visits (struct tb_state *s, uint64_t base, uint64_t steps)
{
  bool whole = base == 0 && s->last;
  uint64_t visits = steps * (whole ? TB_VISITS_STEP
			     : TB_VISITS_STEP_OF_SEVERAL);
  if (visits < TB_VISITS_LEAST)
    visits = TB_VISITS_LEAST;
  s->memory.visits = (size_t) visits;
  /* Not for states that only tell where the trace ends: they are many.  */
  bool proof = s->options.halt == TB_PROOF_WITNESS || s->options.halt == TB_PROOF_CUT;
  s->memory.hit_visits = proof ? 0 : (size_t) visits;
}

struct tb_state *
tb_state_make (struct tb_recording *recording,
	       const struct tb_state_options *options, uint64_t base,
	       uint64_t steps)
{
  struct tb_state *s = calloc (1, sizeof *s);
  if (s == NULL)
    return NULL;
  s->recording = recording;
  s->profile = tb_recording_profile (recording);
  s->options = *options;
  s->halt = find_halt (s);
  s->halt_space = options->space != TB_SPACE_ANY ? options->space
		  : tb_halt_view (options->core, s->profile);
  s->big_endian = tb_halt_big_endian (options->core, s->profile) != NULL
		  || (!s->profile->is_m && options->doubt & TB_PREMISE_ENDIAN);
  if (options->halt != TB_PROOF_WITNESS)
    tb_vectors_at_halt (options->core, s->profile, s->vectors_at_halt);
  s->aligned = s->profile->arch == TB_ARCH_V6M
	       || s->profile->arch == TB_ARCH_V8M_BASE;
  s->exceptions = s->profile->is_m;
  s->conditions_told = tb_recording_conditions_told (recording);
  if (tb_recording_facts (recording) != NULL)
    s->stated = tb_state_log_open (recording, options->volatiles);
  s->teller = s->stated != NULL ? &tb_teller_log
	      : s->options.doubt & tb_state_of_trace (options) & TB_PREMISE_UNIT
	      ? &tb_teller_doubted : &tb_teller_trace;
  s->base = base;
  s->steps = steps;
  tb_graph_init (&s->graph, s->profile->has_a64 ? 64 : 32);
  tb_memory_init (&s->memory, &s->graph);
  s->memory.map = tb_recording_memmap (recording);
  s->memory.is_m = s->profile->is_m;
  s->memory.doubt = options->doubt;
  s->memory.aligned = s->aligned;
  s->memory.usable = !s->big_endian;
  s->memory.trace_ram = options->trace_ram;
  s->memory.trace_ram_length = options->trace_ram_length;
  s->memory.volatiles = options->volatiles;
  s->memory.disputed = options->disputed;
  s->memory.shared = options->shared;
  s->memory.privates = options->privates;
  if (tb_stated_others (recording))
    s->memory.shared = &tb_stated_everything;
  bool ok = (s->stated != NULL || tb_recording_facts (recording) == NULL)
	    && (!s->profile->has_a64 || tb_a64_open (s)) && tb_state_load (s)
	    && (!s->profile->is_m || classify_memory (s));
  if (!ok || !tb_state_find_devices (s) || !tb_state_find_trust (s))
    {
      tb_state_close (s);
      return NULL;
    }
  find_next (s);
  set_visits (s, base, steps);
  return s;
}

struct tb_state *
tb_state_open_windows (struct tb_recording *recording,
		       const struct tb_state_options *options,
		       struct tb_diag *diag)
{
  uint64_t total = tb_recording_steps (recording);
  uint64_t window = tb_windows_size (options, total);
  uint64_t steps = total < window ? total : window;
  bool more;
  struct tb_state_options own = *options;
  const char *big
    = tb_halt_big_endian (options->core, tb_recording_profile (recording));
  if (big != NULL)
    {
      tb_warning (diag, "%s is set at the halt: data are big-endian, which is not "
		  "followed; nothing is known of memory before the halt, nor of "
		  "what instructions load", big);
      own.assume &= ~(unsigned) TB_ASSUME_CONSTANTS;
    }
  unsigned doubts = tb_state_doubts (&own);
  if (doubts & TB_PREMISE_HALT)
    {
      own.halt = TB_PROOF_NONE;
      own.assume &= ~(unsigned) TB_ASSUME_HALT;
    }
  /* What dumped the memory ran behind what the registers are of; or they are not of the core that
     was traced.  */
  if (own.core != NULL && (own.core->late || own.core->unsure) && own.halt == TB_PROOF_SOUGHT)
    own.halt = TB_PROOF_NONE;
  /* What functions do is told by code.  */
  if (doubts & TB_PREMISE_CODE)
    own.assume &= TB_ASSUME_HALT;
  if (doubts & TB_PREMISE_CODE)
    own.start = 0;
  /* Once for all that is worked out, which may be much only to know where the trace ends.  */
  struct tb_trust trust = { .count = 0 };
  bool found = own.trust != NULL || tb_evidence_find_faults (recording, &own, &trust);
  if (trust.recording != NULL)
    own.trust = &trust;
  own.faults = NULL;
  if (found && own.halt == TB_PROOF_SOUGHT)
    own.halt = tb_halt_prove (recording, &own);
  options = &own;
  struct tb_state *s = found ? tb_state_make (recording, options, total - steps, steps)
		       : NULL;
  if (s != NULL && trust.recording != NULL)
    {
      s->all_trust = trust;
      s->options.trust = &s->all_trust;
    }
  else
    tb_trust_fini (&trust);
  if (s != NULL && !(doubts & TB_PREMISE_HALT))
    tb_halt_say (s, diag);
  if (s != NULL && tb_state_work (s, s, &more, diag)
      && (steps == total ? tb_state_share_code (s, s, &more)
	  : tb_windows_new (s) && tb_windows_check_start (s, diag)))
    {
      if (!options->explain)
	tb_state_freeze (s);
      return s;
    }
  tb_error (diag, "No memory to work out the state of %llu steps.",
	    (unsigned long long) total);
  tb_state_close (s);
  return NULL;
}

/* A log says much itself; one that tracebridge wrote all that there is.  */
static struct tb_state *
open_log (struct tb_recording *recording,
	  const struct tb_state_options *options, struct tb_diag *diag)
{
  const struct tb_columns *facts = tb_recording_facts (recording);
  struct tb_state *s = calloc (1, sizeof *s);
  if (s != NULL)
    {
      s->recording = recording;
      s->profile = tb_recording_profile (recording);
      s->halt = TB_HALT_NONE;
      s->log = tb_state_log_open (recording, options->volatiles);
      if (s->log != NULL && !facts->own && facts->steps > 0
	  && !options->lines_alone)
	{
	  s->derived = tb_state_open_windows (recording, options, diag);
	  if (s->derived != NULL)
	    return s;
	  tb_state_close (s);
	  return NULL;
	}
      if (s->log != NULL)
	return s;
    }
  free (s);
  tb_error (diag, "No memory for the state of a log.");
  return NULL;
}

struct tb_state *
tb_state_open (struct tb_recording *recording,
	       const struct tb_state_options *options, struct tb_diag *diag)
{
  if (tb_recording_facts (recording) != NULL)
    return open_log (recording, options, diag);
  return tb_state_open_windows (recording, options, diag);
}

void
tb_state_close (struct tb_state *s)
{
  if (s == NULL)
    return;
  if (s->log != NULL)
    {
      tb_state_log_close (s->log);
      tb_state_close (s->derived);
      free (s);
      return;
    }
  tb_state_log_close (s->stated);
  tb_traced_free (s);
  tb_state_close (s->assumed);
  tb_state_close (s->variants);
  tb_windows_free (s->windows);
  for (unsigned i = 0; i < 2; i++)
    {
      tb_border_unref (s->before[i]);
      tb_border_unref (s->after[i]);
    }
  tb_tasks_free (s->tasks);
  free (s->facts.pairs.items);
  free (s->facts.open);
  free (s->facts.constants);
  free (s->facts.ranges);
  free (s->a64);
  tb_graph_fini (&s->graph);
  tb_memory_fini (&s->memory);
  free (s->info);
  free (s->templates);
  free (s->uops);
  free (s->changes);
  free (s->checkpoints);
  tb_owners_fini (&s->owners);
  tb_walk_reset (&s->walk);
  tb_extents_fini (&s->untraced);
  tb_extents_fini (&s->disputed);
  tb_trust_fini (&s->trust);
  tb_trust_fini (&s->all_trust);
  free (s->recoded.bits);
  tb_code_stores_fini (&s->code);
  free (s->devices);
  free (s);
}

unsigned
tb_state_start (const struct tb_state *s)
{
  return s->derived != NULL ? tb_state_start (s->derived) : s->start_used;
}

enum tb_halt
tb_state_halt (const struct tb_state *s)
{
  return s->derived != NULL ? s->derived->halt : s->halt;
}

bool
tb_state_halt_assumed (const struct tb_state *s)
{
  if (s->derived != NULL)
    s = s->derived;
  return s->halt != TB_HALT_USED && s->assumed != NULL && s->assumed->halt == TB_HALT_USED;
}

bool
tb_state_uses_psp (const struct tb_state *s)
{
  return s->derived != NULL ? s->derived->has_psp : s->has_psp;
}
