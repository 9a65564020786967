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

#include "experiment.h"
#include "options.h"
#include "recording/index-store.h"
#include "recording/open-exceptions.h"
#include "recording/session-elves.h"
#include "recording/session-streams.h"

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

<<<<<<< HEAD
=======
/* The ELF file whose symbols are TARGET's, of those that SESSION was opened
   with.  */
static const char *
find_elf (const struct target *t, const struct tb_session_options *session)
{
  for (size_t i = 0; i < session->nelves; i++)
    {
      const struct tb_session_elf *elf = &session->elves[i];
      if (elf->core == NULL
	  || (t->core->device != NULL
	      && strcmp (elf->core, t->core->device->name) == 0))
	return elf->path;
    }
  return NULL;
}

/* Add the target of CORE and STREAM (NULL: none); a stream without steps adds
   none.  */
static enum tb_status
add_target (struct targets *all, const struct options *o,
	    const struct tb_session_core *core,
	    const struct tb_session_stream *stream, struct tb_diag *diag)
{
  struct target *t = &all->items[all->count];
  *t = (struct target) { .session = &all->session, .core = core,
			 .stream = stream, .diag = diag };
  /* What GDB is told cannot be refused later.  */
  if (all->session.tdesc != NULL
      && tb_session_tdesc (&all->session, core, diag) == NULL)
    return TB_ERR_INPUT;
  if (stream == NULL)
    t->recording = tb_recording_empty (&core->profile, core->map);
  else
    t->recording = open_recording (t, o);
  if (t->recording == NULL)
    return TB_ERR_INPUT;
  if (stream != NULL)
    judge (t, o);
  t->window = o->window;
  t->ahead = o->ahead;
  t->exact = o->policy == UNKNOWN_EXACT;
  measure (t);
  if (stream != NULL && t->steps == 0)
    {
      tb_warning (diag, "%s: the trace of %s tells of no instruction", o->input,
		  stream->source->name);
      tb_recording_close (t->recording);
      return TB_OK;
    }
  t->name = core->device != NULL ? core->device->name : stream->source->name;
  t->assume = o->assume;
  t->doubt = o->doubt;
  t->start = o->start;
  t->space = o->space;
  all->count++;
  return TB_OK;
}

/* Add the targets of CORE: one for each stream that OPTIONS wants, else one
   for its state at the halt.  */
static enum tb_status
add_core (struct targets *all, const struct options *o,
	  const struct tb_session_core *core, struct tb_diag *diag)
{
  const struct tb_session *s = &all->session;
  size_t before = all->count;
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_session_stream *stream = &s->streams[i];
      if (stream->core != core || !wants (o, stream)
	  || stream->protocol == NULL || stream->protocol->software)
	continue;
      enum tb_status status = add_target (all, o, core, stream, diag);
      if (status != TB_OK)
	return status;
    }
  if (all->count > before || core->device == NULL || o->source != NULL
      || o->buffer != NULL)
    return TB_OK;
  return add_target (all, o, core, NULL, diag);
}

/* The user gave NAME, which must be that of a device of CLASS: a WHAT.  */
static bool
check_name (const struct tb_snapshot *snapshot, const char *input,
	    const char *name, enum tb_device_class class, const char *what,
	    struct tb_diag *diag)
{
  const struct tb_device *device = NULL;
  if (name == NULL
      || ((device = tb_snapshot_device (snapshot, name)) != NULL
	  && device->class == class))
    return true;
  struct tb_buffer names = { 0 };
  unsigned count = 0;
  for (size_t i = 0; i < snapshot->ndevices; i++)
    if (snapshot->devices[i].class == class)
      tb_buffer_printf (&names, "%s%s", count++ != 0 ? ", " : "",
			snapshot->devices[i].name);
  tb_buffer_append (&names, "", 1);
  tb_error (diag, "%s: no %s is named \"%s\"; %s%s", input, what, name,
	    count != 0 ? "there is " : "there is none",
	    count != 0 && !names.failed ? (const char *) names.data : "");
  tb_buffer_fini (&names);
  return false;
}

/* Names that the user gave must exist.  */
static enum tb_status
check_names (const struct targets *all, const struct options *o,
	     struct tb_diag *diag)
{
  const struct tb_snapshot *snapshot = &all->session.snapshot;
  return check_name (snapshot, o->input, o->core, TB_CLASS_CORE, "core", diag)
	 && check_name (snapshot, o->input, o->source, TB_CLASS_TRACE_SOURCE,
			"trace source", diag)
	 ? TB_OK : TB_ERR_INPUT;
}

static enum tb_status
add_all (struct targets *all, const struct options *o, struct tb_diag *diag)
{
  const struct tb_session *s = &all->session;
  enum tb_status status = check_names (all, o, diag);
  if (status != TB_OK)
    return status;
  all->items = calloc (s->ncores + s->nstreams + 1, sizeof *all->items);
  if (all->items == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < s->nstreams; i++)
    if (wants (o, &s->streams[i]))
      tb_session_say_undecoded (&s->streams[i], o->input, diag);
  for (size_t i = 0; i < s->ncores && status == TB_OK; i++)
    if (o->core == NULL
	|| (s->cores[i].device != NULL
	    && strcmp (s->cores[i].device->name, o->core) == 0))
      status = add_core (all, o, &s->cores[i], diag);
  if (status == TB_OK && all->count == 0)
    {
      tb_error (diag, "%s: nothing to serve: no trace that can be decoded%s, "
		"and no core", o->input,
		o->source != NULL || o->buffer != NULL
		? " by --source and --buffer" : "");
      status = TB_ERR_INPUT;
    }
  return status;
}

static bool
wants_stream (const void *options, const struct tb_session_stream *stream)
{
  const struct options *o = options;
  return wants (o, stream)
	 && (o->core == NULL
	     || (stream->core->device != NULL
		 && strcmp (stream->core->device->name, o->core) == 0));
}

/* Hold the ELF files against what ran.  By one that is another program nothing may be
   worked out, and GDB is not to take its symbols: the session is opened again
   without it, as SESSION then says.  */
static enum tb_status
check_elves (struct targets *all, const struct options *o,
	     struct tb_session_options *session, struct tb_wrong_elf **wrong,
	     size_t *count, struct tb_diag *diag)
{
  if (session->nelves == 0)
    return TB_OK;
  enum tb_status status
    = tb_session_wrong_elves (&all->session, wants_stream, o, o->jobs, wrong,
			      count, diag);
  for (size_t i = 0; i < *count; i++)
    {
      char text[4096];
      tb_wrong_elf_text (&all->session, session, &(*wrong)[i], text,
			 sizeof text);
      tb_warning (diag, "%s: %s; %s", o->input, text, o->accept_elf
		  ? "it is used all the same"
		  : "it is left out (--accept-elf uses it)");
    }
  if (status != TB_OK || *count == 0 || o->accept_elf)
    return status;
  all->elves = tb_session_other_elves (&all->session, session, *wrong, *count,
				       &session->nelves);
  session->elves = all->elves;
  if (all->elves == NULL)
    return TB_ERR_MEMORY;
  tb_session_close (&all->session);
  /* What there was to say has been said, but for what fails now.  */
  status = tb_session_open (&all->session, o->input, session, NULL);
  if (status != TB_OK)
    status = tb_session_open (&all->session, o->input, session, diag);
  return status;
}

/* Keep for T what is WRONG of the ELF files of SESSION.  False: no memory.  */
static bool
note_wrong (struct target *t, const struct tb_session_options *session,
	    const struct tb_wrong_elf *wrong, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (&t->session->cores[wrong[i].core] == t->core && t->wrong_elf == NULL)
      {
	char text[4096];
	tb_wrong_elf_text (t->session, session, &wrong[i], text, sizeof text);
	t->wrong_elf = strdup (text);
	if (t->wrong_elf == NULL)
	  return false;
      }
  return true;
}

enum tb_status
targets_open (struct targets *all, const struct options *o,
	      struct tb_diag *diag)
{
  *all = (struct targets) { .count = 0 };
  struct tb_index_choice index;
  tb_index_choose (&index, o->index, o->index_file, o->input, NULL);
  struct tb_session_options session = o->session;
  session.index = &index.options;
  session.jobs = o->jobs;
  enum tb_status status = tb_session_open (&all->session, o->input,
					   &session, diag);
  if (status != TB_OK)
    return status;
  struct tb_wrong_elf *wrong = NULL;
  size_t count = 0;
  struct tb_session_options right = session;
  status = check_elves (all, o, &right, &wrong, &count, diag);
  if (status == TB_OK)
    status = add_all (all, o, diag);
  for (size_t i = 0; i < all->count; i++)
    {
      struct target *t = &all->items[i];
      t->memory = TB_STATE_MEMORY / all->count;
      t->elf = find_elf (t, &right);
      t->cfi = t->elf != NULL ? cfi_open (t->elf) : NULL;
      if (!note_wrong (t, &session, wrong, count))
	status = TB_ERR_MEMORY;
    }
  free (wrong);
  if (status == TB_ERR_MEMORY)
    tb_error (diag, "%s: no memory", o->input);
  if (status != TB_OK)
    targets_close (all);
  return status;
}

>>>>>>> 633eefc (Say subject and verb in messages that left them out)
/* Forget what was worked out.  */
static void
forget_state (struct target *t)
{
  tb_accesses_free (t->accesses);
  tb_accesses_free (t->better_accesses);
  tb_moments_free (t->moments);
  tb_state_close (t->state);
  tb_open_exceptions_free (t->interruptions);
  t->interruptions = NULL;
  t->accesses = t->better_accesses = NULL;
  t->moments = NULL;
  t->state = NULL;
  t->failed = false;
  t->stage = AHEAD_VISITS;
}

void
targets_close (struct targets *all)
{
  for (size_t i = 0; i < all->count; i++)
    {
      struct target *t = &all->items[i];
      forget_state (t);
      experiment_free (t);
      tb_visits_free (t->visits);
      tb_recording_close (t->recording);
      cfi_close (t->cfi);
      tb_tdesc_free (t->own_tdesc);
      free (t->wrong_elf);
    }
  free (all->items);
  tb_session_close (&all->session);
  free (all->elves);
  *all = (struct targets) { .count = 0 };
}

bool
target_changed (struct target *t)
{
  if (t->generation == tb_recording_generation (t->recording))
    return false;
  forget_state (t);
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
  bool never_fp = profile->arch == TB_ARCH_V6M
		  || profile->arch == TB_ARCH_V8M_BASE;
  t->has_fp = profile->has_fp
	      || (!never_fp && (halt_has (t, "d0") || halt_has (t, "s0")
				|| halt_has (t, "fpscr")));
  if (t->session->tdesc != NULL)
    {
      t->tdesc = tb_session_tdesc (t->session, t->core, t->diag);
      return t->tdesc != NULL;
    }
  struct tb_tdesc_options with = { .special = true, .fp = t->has_fp };
  with.stacks = profile->is_m && !t->exact
		&& (tb_state_uses_psp (t->state)
		    || (halt_has (t, "msp") && halt_has (t, "psp")));
  tb_tdesc_free (t->own_tdesc);
  t->tdesc = t->own_tdesc = tb_tdesc_own (profile, &with);
  return t->tdesc != NULL;
}

bool
target_prepare (struct target *t)
{
  if (t->moments != NULL || t->failed)
    return !t->failed;
  struct tb_state_options options = { .core = t->core->device,
				      .window = t->window,
				      .memory = t->memory,
				      .assume = t->assume,
				      .doubt = t->doubt,
				      .start = t->start,
				      .space = t->space,
				      .initial = t->core->initial,
				      .ninitial = t->core->ninitial,
				      .functions = t->core->functions,
				      .nfunctions = t->core->nfunctions,
				      .volatiles = &t->core->volatiles,
				      .privates = &t->core->privates };
  options.shared = tb_session_shared (t->session, t->core, t->diag);
  if (t->stream != NULL)
    {
      tb_session_trace_ram (t->stream, &options.trace_ram,
			    &options.trace_ram_length);
      options.source
	= t->stream->facts == NULL ? t->stream->source : NULL;
    }
  if (options.shared != NULL)
    t->state = tb_state_open (t->recording, &options, t->diag);
  if (t->state != NULL && describe (t))
    t->moments = tb_moments_new (t->state, t->recording, t->tdesc);
  t->failed = t->moments == NULL;
  return !t->failed;
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
			: (enum tb_space) moment->step.space;
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
