/* Targets.  See target.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "target.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arm/machine/halt-space.h"
#include "experiment.h"
#include "kernels.h"
#include "options.h"
#include "recording/clock.h"
#include "recording/programs.h"
#include "recording/facts.h"
#include "recording/index-store.h"
#include "recording/open-exceptions.h"
#include "recording/session-elves.h"
#include "recording/session-streams.h"
#include "state/answer/level-sp.h"
#include "state/answer/sve.h"
#include "state/window/faults.h"

/* GDB holds the number of a trace frame in an int.  */
#define FRAMES_MAX ((uint64_t) INT32_MAX)

const struct tb_profile *
target_profile (const struct target *t)
{
  return &t->core->profile;
}

uint64_t
target_frames (const struct target *t)
{
  return t->last - t->first_frame + 1;
}

void
target_measure (struct target *t)
{
  t->generation = tb_recording_generation (t->recording);
  t->steps = tb_recording_steps (t->recording);
  t->last = t->steps == 0 || tb_recording_info (t->recording)->end_known
	    ? t->steps : t->steps - 1;
  t->first_frame = t->last >= FRAMES_MAX ? t->last - FRAMES_MAX + 1 : 0;
  t->watched = t->steps > WATCHED_STEPS ? t->steps - WATCHED_STEPS : 0;
}

/* Forget what was worked out.  */
static void
forget_state (struct target *t)
{
  tb_accesses_free (t->accesses);
  tb_accesses_free (t->better_accesses);
  tb_moments_free (t->moments);
  tb_faults_free (t->faults);
  tb_state_close (t->state);
  tb_open_exceptions_free (t->interruptions);
  kernels_free (t->kernel);
  t->kernel = NULL;
  t->interruptions = NULL;
  t->accesses = t->better_accesses = NULL;
  t->moments = NULL;
  t->state = NULL;
  t->faults = NULL;
  t->failed = false;
  t->stage = AHEAD_VISITS;
}

/* Forget what was read of the recording.  */
static void
forget_recording (struct target *t)
{
  target_forget_lane (t);
  tb_stamps_fini (&t->stamps);
  t->has_stamps = false;
  tb_tasks_free (t->tasks);
  t->tasks = NULL;
}

void
targets_close (struct targets *all)
{
  for (size_t i = 0; i < all->count; i++)
    {
      struct target *t = &all->items[i];
      forget_state (t);
      forget_recording (t);
      tb_variables_free (t->variables);
      tb_symbols_free (t->symbols);
      experiment_free (t);
      tb_visits_free (t->visits);
      tb_recording_close (t->recording);
      cfi_close (t->cfi);
      tb_tdesc_free (t->own_tdesc);
      free (t->wrong_elf);
      free (t->elf_path);
    }
  free (all->items);
  free (all->groups);
  free (all->members);
  tb_session_close (&all->session);
  free (all->elves);
  *all = (struct targets) { .count = 0 };
}

void
target_know_end (struct target *t)
{
  struct tb_moment end;
  bool has_pc;
  if (t->last >= t->steps || !target_prepare (t) || tb_state_halt (t->state) != TB_HALT_USED
      || !target_moment (t, t->steps, &end, &has_pc) || !has_pc)
    return;
  t->last = t->steps;
  t->first_frame = t->last >= FRAMES_MAX ? t->last - FRAMES_MAX + 1 : 0;
}

const struct tb_open_exceptions *
target_interruptions (struct target *t, bool (*go_on) (void *context), void *context)
{
  if (t->interruptions != NULL)
    return t->interruptions;
  struct tb_level_sp level_sp = { .recording = t->recording, .state = t->state };
  const struct tb_open_exceptions_user user = { go_on, context, tb_level_sp, &level_sp };
  t->interruptions = tb_open_exceptions_new (t->recording, &user);
  tb_level_sp_fini (&level_sp);
  return t->interruptions;
}

bool
target_make_ready (struct target *t)
{
  bool changed = false;
  do
    {
      target_know_end (t);
      if (target_prepare (t))
	target_interruptions (t, NULL, NULL);
    }
  while (target_changed (t) && (changed = true));
  return changed;
}

bool
target_changed (struct target *t)
{
  if (t->generation == tb_recording_generation (t->recording))
    return false;
  forget_state (t);
  forget_recording (t);
  t->tdesc = NULL;
  target_measure (t);
  return true;
}

void
target_assume (struct target *t, unsigned what)
{
  if (t->assume == what)
    return;
  t->assume = what;
  forget_state (t);
}

void
target_doubt (struct target *t, unsigned what)
{
  if (t->doubt == what)
    return;
  t->doubt = what;
  forget_state (t);
}

void
target_look_from (struct target *t, enum tb_space space)
{
  if (t->space == space)
    return;
  t->space = space;
  forget_state (t);
}

static bool
halt_has (const struct target *t, const char *name)
{
  return t->core->device != NULL
	 && tb_device_reg (t->core->device, name) != NULL;
}

/* Does a log tell of FP or vector registers?  They are v0 ... there.  */
static bool
log_has_fp (const struct target *t)
{
  const struct tb_columns *facts = tb_recording_facts (t->recording);
  for (size_t i = 0; facts != NULL && i < facts->nregisters; i++)
    {
      const char *name = facts->registers[i].name;
      if (name[0] == 'v' && name[1] >= '0' && name[1] <= '9')
	return true;
    }
  return false;
}

/* Find out which registers GDB is told of, if that is not known yet.
   GDB 13 that knows of MSP and PSP needs a value of both for every frame; without
   them it takes SP for the stack that an exception's frame is on, whichever that is.
   So they are described where there may be two stacks, and shown by the policy for
   registers that GDB cannot do without.  */
static bool
describe (struct target *t)
{
  const struct tb_profile *profile = target_profile (t);
  if (t->tdesc != NULL)
    return true;
  t->has_fp = profile->has_fp || log_has_fp (t)
	      || (tb_profile_can_have_fp (profile)
		  && (halt_has (t, "d0") || halt_has (t, "s0") || halt_has (t, "fpscr")));
  if (t->session->tdesc != NULL)
    {
      t->tdesc = tb_session_tdesc (t->session, t->core, t->diag);
      return t->tdesc != NULL;
    }
  struct tb_tdesc_options with = { .special = true, .fp = t->has_fp };
  with.stacks = profile->is_m && !t->exact
		&& (tb_state_uses_psp (t->state)
		    || (halt_has (t, "msp") && halt_has (t, "psp")));
  with.bare = !t->session->of_linux;
  with.sve = tb_state_sve_length (t->state);
  tb_tdesc_free (t->own_tdesc);
  t->tdesc = t->own_tdesc = tb_tdesc_own (profile, &with);
  return t->tdesc != NULL;
}

bool
target_begin_prepare (struct target *t, bool (*go_on) (void *context), void *context)
{
  if (t->moments != NULL || t->failed
      || tb_recording_stats (t->recording)->bad_image == 0)
    return true;
  if (t->faults == NULL)
    t->faults = tb_faults_new (t->recording, TB_TRUST_LOOK_MOST);
  struct tb_poll poll = { .go_on = go_on, .context = context };
  return t->faults == NULL || tb_faults_search (t->faults, &poll) != TB_FAULTS_MORE;
}

bool
target_prepare (struct target *t)
{
  if (t->moments != NULL || t->failed)
    return !t->failed;
  struct tb_state_options options = { .core = t->core->device,
				      .window = t->window,
				      .memory = t->memory,
				      .jobs = t->jobs,
				      .assume = t->assume,
				      .doubt = t->doubt,
				      .start = t->start,
				      .space = t->space,
				      .initial = t->core->initial,
				      .ninitial = t->core->ninitial,
				      .functions = t->core->functions,
				      .nfunctions = t->core->nfunctions,
				      .objects = t->core->objects,
				      .nobjects = t->core->nobjects,
				      .volatiles = &t->core->volatiles,
				      .privates = &t->core->privates };
  options.shared = tb_session_shared (t->session, t->core, t->diag);
  bool ok = options.shared != NULL;
  if (t->stream != NULL)
    {
      options.source
	= t->stream->facts == NULL ? t->stream->source : NULL;
      if (tb_session_trace_ram (t->stream, &options.trace_ram, &options.trace_ram_length)
	  != TB_OK)
	{
	  tb_error (t->diag, "%s: no memory", t->name);
	  ok = false;
	}
    }
  /* It is of no use where the index was found not to fit meanwhile.  */
  if (t->generation == tb_recording_generation (t->recording))
    options.faults = t->faults;
  if (ok)
    t->state = tb_state_open (t->recording, &options, t->diag);
  tb_faults_free (t->faults);
  t->faults = NULL;
  if (t->state != NULL && describe (t))
    t->moments = tb_moments_new (t->state, t->recording, t->tdesc);
  if (t->moments != NULL)
    tb_moments_set_tasks (t->moments, target_find_tasks, t);
  t->failed = t->moments == NULL;
  /* What else may fail has said so.  */
  if (t->failed && t->state != NULL
      && (t->tdesc != NULL || t->session->tdesc == NULL))
    tb_error (t->diag, "%s: no memory", t->name);
  return !t->failed;
}

struct tb_symbols *
target_symbols (struct target *t)
{
  if (t->symbols != NULL)
    return t->symbols;
  t->symbols = tb_symbols_new ();
  if (t->symbols != NULL && t->elf != NULL
      && tb_symbols_add (t->symbols, t->elf, tb_session_elf_bias (t->session, t->elf),
			 t->diag) != TB_OK)
    {
      tb_symbols_free (t->symbols);
      t->symbols = tb_symbols_new ();
    }
  if (t->symbols != NULL && !tb_programs_add (t->symbols, t->core->device, t->diag))
    {
      tb_symbols_free (t->symbols);
      t->symbols = NULL;
    }
  return t->symbols;
}

struct tb_variables *
target_variables (struct target *t)
{
  if (t->variables == NULL && target_symbols (t) != NULL)
    t->variables = tb_variables_new (t->symbols, target_profile (t)->has_a64 ? 8 : 4);
  return t->variables;
}

const struct tb_stamps *
target_stamps (struct target *t)
{
  if (!t->has_stamps
      && tb_session_stamps (t->session, t->stream, t->recording, &t->stamps, t->diag))
    t->has_stamps = true;
  if (t->has_stamps)
    return &t->stamps;
  tb_stamps_fini (&t->stamps);
  tb_recording_lacks_memory (t->recording);
  return NULL;
}

const struct tb_tasks *
target_tasks (struct target *t)
{
  if (t->tasks == NULL && target_symbols (t) != NULL)
    t->tasks = tb_tasks_new (t->recording, t->symbols);
  return t->tasks;
}

const struct tb_tasks *
target_find_tasks (void *target)
{
  return target_tasks (target);
}

bool
target_prepare_visits (struct target *t)
{
  if (t->visits == NULL)
    t->visits = tb_visits_new (t->recording);
  return t->visits != NULL;
}

bool
target_prepare_accesses (struct target *t)
{
  if (t->accesses == NULL && target_prepare (t))
    t->accesses = tb_accesses_new (t->state, t->recording, t->watched);
  return t->accesses != NULL;
}

bool
target_moment (struct target *t, uint64_t position, struct tb_moment *moment,
	       bool *has_pc)
{
  if (!target_prepare (t))
    return false;
  *has_pc = tb_moment_find (t->moments, position, moment);
  if (*has_pc && t->steps != 0 && target_prepare_visits (t))
    tb_visits_see (t->visits, position < t->steps ? position : t->steps - 1);
  return true;
}

bool
target_knows_sp (struct target *t, uint64_t position)
{
  struct tb_moment moment;
  bool has_pc;
  if (!target_moment (t, position, &moment, &has_pc))
    return false;
  const struct tb_tdesc_slot *slot = &t->tdesc->slots[t->tdesc->sp];
  return tb_moment_whole (&moment.values[slot->reg], slot->size);
}

bool
target_glance (struct target *t, bool on)
{
  return t->ahead != 0 && target_prepare (t) && tb_state_glance (t->state, on);
}

bool
target_end_pc (struct target *t, uint64_t *pc)
{
  if (t->last != t->steps)
    return false;
  const struct tb_recording_info *info = tb_recording_info (t->recording);
  if (info->end_known)
    {
      bool narrow = !target_profile (t)->has_a64;
      *pc = info->end_pc & ~(uint64_t) narrow;
      return true;
    }
  struct tb_moment end;
  bool has_pc;
  if (!target_moment (t, t->last, &end, &has_pc) || !has_pc)
    return false;
  *pc = end.pc;
  return true;
}

void
target_memory (struct target *t, const struct tb_moment *moment,
	       uint64_t address, uint8_t *bytes, uint8_t *origins,
	       size_t length)
{
  const struct tb_memmap *map = tb_recording_memmap (t->recording);
  tb_moments_set_visits (t->moments, t->visits);
  tb_moment_memory (t->moments, moment, address, bytes, origins, length);
  /* Without trace the dumps are the only truth there is.  */
  enum tb_space space = t->space != TB_SPACE_ANY ? t->space
			: tb_halt_view (t->core->device, target_profile (t));
  for (size_t i = 0; i < length && t->steps == 0; i++)
    if (origins[i] == TB_UNKNOWN
	&& tb_memmap_read (map, space, address + i, &bytes[i], 1) == 1)
      origins[i] = TB_DERIVED;
}

static void
stage_memory (void *data, const struct tb_moment *moment, uint64_t address,
	      uint8_t *bytes, uint8_t *origins, size_t length)
{
  target_memory (data, moment, address, bytes, origins, length);
}

struct tb_stage
target_stage (struct target *t)
{
  return (struct tb_stage) { t->moments, stage_memory, t };
}
