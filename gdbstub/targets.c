/* Which targets an input has.  See target.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "target.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment.h"
#include "options.h"
#include "recording/programs.h"
#include "recording/index-store.h"
#include "recording/session-elves.h"
#include "recording/session-log.h"
#include "recording/session-streams.h"

static bool
wants (const struct options *o, const struct tb_session_stream *stream)
{
  return (o->shared.source == NULL || strcmp (stream->source->name, o->shared.source) == 0)
	 && (o->shared.buffer == NULL
	     || (stream->buffer != NULL
		 && strcmp (stream->buffer->name, o->shared.buffer) == 0));
}

/* Say what decoding met.  */
static void
judge (const struct target *t, const struct options *o)
{
  const struct tb_decoder_stats *stats = tb_recording_stats (t->recording);
  if (stats->bad_packets != 0 && t->stream->facts != NULL)
    tb_warning (t->diag, "%s: %" PRIu64 " lines are not understood and left out",
		o->input, stats->bad_packets);
  else if (stats->bad_packets != 0 && t->stream->protocol->linked)
    tb_warning (t->diag, "%s, trace of %s: %" PRIu64 " times a packet does not come from where "
		"the one before leads to, or not lead where its branch does; what ran in between "
		"is missing",
		o->input, t->stream->source->name, stats->bad_packets);
  else if (stats->bad_packets != 0)
    tb_warning (t->diag, "%s, trace of %s: %" PRIu64 " %s of %s; decoding goes on "
		"at the next synchronisation, if there is one",
		o->input, t->stream->source->name, stats->bad_packets,
		stats->bad_packets == 1 ? "place is no packet" : "places are no packets",
		t->stream->protocol->name);
  if (stats->bad_image == 0)
    return;
  struct tb_buffer text = { 0 };
  tb_faults_text (&text, stats);
  tb_buffer_append (&text, "", 1);
  tb_warning (t->diag, "%s, trace of %s: at %" PRIu64 " places the code cannot "
	      "have run as traced (%s).  Are the dumps (or --elf) the code that "
	      "ran?", o->input, t->stream->source->name, stats->bad_image,
	      text.failed ? "" : (const char *) text.data);
  tb_buffer_fini (&text);
}

/* The recording of T's stream.  */
static struct tb_recording *
open_recording (const struct target *t, const struct options *o)
{
  struct tb_index_choice index;
  char beside[4096] = "";
  if (t->stream->buffer != NULL)
    snprintf (beside, sizeof beside, "%s/%s", t->session->snapshot.directory,
	      t->stream->buffer->id);
  tb_index_choose (&index, o->shared.index, o->shared.index_file,
		   *beside != 0 ? beside : NULL, t->diag);
  index.options.block = o->shared.index_block;
  const struct tb_recording_options options = { .jobs = o->shared.jobs,
						.index = &index.options };
  struct tb_decoder_config config;
  tb_session_decoder_config (t->stream, &config);
  return tb_recording_open_trace (&config, &options, t->diag);
}

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

/* GDB waits two seconds for a list of threads, and a longer recording may take as long to look
   for tasks in.  */
#define TASKS_STEPS (UINT64_C (1) << 24)

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
  t->window = o->shared.window;
  t->jobs = o->shared.jobs;
  t->ahead = o->ahead;
  t->exact = o->policy == UNKNOWN_EXACT;
  target_measure (t);
  if (stream != NULL && t->steps == 0)
    {
      tb_warning (diag, "%s: the trace of %s tells of no instruction", o->input,
		  stream->source->name);
      tb_recording_close (t->recording);
      return TB_OK;
    }
  t->name = core->device != NULL ? core->device->name : stream->source->name;
  t->assume = o->shared.assume;
  t->doubt = o->shared.doubt;
  t->tasks_as_threads = t->core->profile.is_m
			&& (o->threads & THREADS_TASKS
			    || (o->threads & THREADS_AUTO && t->steps <= TASKS_STEPS));
  t->start = o->shared.start;
  t->space = o->shared.space;
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
  if (all->count > before || core->device == NULL || o->shared.source != NULL
      || o->shared.buffer != NULL)
    return TB_OK;
  /* A CPU of which the threads are asked for is no core that was not traced.  */
  for (size_t i = 0; i < s->nunused; i++)
    if (s->streams[s->nstreams + i].core == core)
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
  return check_name (snapshot, o->input, o->shared.core, TB_CLASS_CORE, "core", diag)
	 && check_name (snapshot, o->input, o->shared.source, TB_CLASS_TRACE_SOURCE,
			"trace source", diag)
	 ? TB_OK : TB_ERR_INPUT;
}

/* Say why there is nothing to serve.  */
static void
say_none (const struct tb_session *s, const struct options *o, struct tb_diag *diag)
{
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_session_stream *stream = &s->streams[i];
      if (!wants (o, stream) || stream->protocol == NULL || !stream->protocol->software)
	continue;
      tb_error (diag, "%s: nothing to serve: the trace of %s tells what software said, and "
		"belongs to no core; tracebridge-convert --format=software lists it", o->input,
		stream->source->name);
      return;
    }
  tb_error (diag, "%s: nothing to serve: no trace that can be decoded%s, and no core",
	    o->input, o->shared.source != NULL || o->shared.buffer != NULL
	    ? " by --source and --buffer" : "");
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
    if (o->shared.core == NULL
	|| (s->cores[i].device != NULL
	    && strcmp (s->cores[i].device->name, o->shared.core) == 0))
      status = add_core (all, o, &s->cores[i], diag);
  if (status == TB_OK && all->count == 0)
    {
      say_none (s, o, diag);
      status = TB_ERR_INPUT;
    }
  return status;
}

static bool
wants_stream (const void *options, const struct tb_session_stream *stream)
{
  const struct options *o = options;
  return wants (o, stream)
	 && (o->shared.core == NULL
	     || (stream->core->device != NULL
		 && strcmp (stream->core->device->name, o->shared.core) == 0));
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
    = tb_session_wrong_elves (&all->session, wants_stream, o, o->shared.jobs, wrong,
			      count, diag);
  for (size_t i = 0; i < *count; i++)
    {
      char text[4096];
      tb_wrong_elf_text (&all->session, session, &(*wrong)[i], text,
			 sizeof text);
      tb_warning (diag, "%s: %s; %s", o->input, text, o->shared.accept_elf
		  ? "it is used all the same"
		  : "it is left out (--accept-elf uses it)");
    }
  const char *advice = tb_wrong_elf_advice (&all->session, session, *wrong, *count);
  if (advice != NULL)
    tb_warning (diag, "%s: %s", o->input, advice);
  if (status != TB_OK || *count == 0 || o->shared.accept_elf)
    return status;
  size_t left;
  all->elves = tb_session_other_elves (&all->session, session, *wrong, *count, &left);
  session->left_type = tb_session_left_type (&all->session, session, *wrong, *count, left, diag);
  session->elves = all->elves;
  session->nelves = left;
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

/* Open all that the ELF file of T is needed for: later the process may be confined.
   False: no memory.  */
static bool
open_elf (struct target *t)
{
  errno = 0;
  t->elf_path = realpath (t->elf, NULL);
  if (t->elf_path == NULL && errno == ENOMEM)
    return false;
  if (target_symbols (t) == NULL)
    return false;
  tb_symbols_open_debug (t->symbols);
  bool enough = cfi_open (&t->cfi, t->elf, t->diag);
  cfi_move (t->cfi, tb_session_elf_bias (t->session, t->elf));
  return enough;
}

enum tb_status
targets_open (struct targets *all, const struct options *o,
	      struct tb_diag *diag)
{
  *all = (struct targets) { .count = 0 };
  struct tb_index_choice index;
  tb_index_choose (&index, o->shared.index, o->shared.index_file, o->input, NULL);
  struct tb_session_options session = o->shared.session;
  session.index = &index.options;
  session.jobs = o->shared.jobs;
  session.software_memory = o->shared.memory;
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
      t->memory = tb_state_memory_within (o->shared.memory) / all->count;
      t->elf = find_elf (t, &right);
      if (t->elf != NULL && !open_elf (t))
	status = TB_ERR_MEMORY;
      if (t->elf == NULL && tb_programs_any (t->core->device))
	{
	  if (target_symbols (t) != NULL)
	    tb_symbols_open_debug (t->symbols);
	  else
	    status = TB_ERR_MEMORY;
	}
      /* With what may be used for it, and the symbols.  */
      if (status == TB_OK && t->stream != NULL
	  && tb_session_trace_file (&all->session) != NULL)
	experiment_from_file (t);
      if (!note_wrong (t, &session, wrong, count))
	status = TB_ERR_MEMORY;
    }
  bool cores = o->threads & THREADS_CORES
	       || (o->threads & THREADS_AUTO && o->listen.kind == ADDRESS_STDIO);
  if (status == TB_OK && !targets_group (all, cores))
    status = TB_ERR_MEMORY;
  for (size_t i = 1; status == TB_OK && o->threads & THREADS_CORES && i < all->ngroups; i++)
    {
      struct target *first = all->groups[0].members[0], *t = all->groups[i].members[0];
      const char *what = targets_differ (first, t);
      tb_warning (diag, "--threads=cores: expected cores of one program and the same registers, "
		  "found another %s in %s than in %s, which is served at a place of its own",
		  what != NULL ? what : "program", t->name, first->name);
    }
  free (wrong);
  if (status == TB_ERR_MEMORY)
    tb_error (diag, "%s: no memory", o->input);
  if (status != TB_OK)
    targets_close (all);
  return status;
}
