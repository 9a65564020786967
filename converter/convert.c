/* tracebridge-convert: snapshots to GDB trace files and listings.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "batch.h"
#include "convert.h"
#include "follow.h"
#include "output.h"
#include "recording/wrong-input.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "recording/index-store.h"
#include "recording/session-elves.h"
#include "recording/session-log.h"
#include "recording/session-streams.h"
#include "util/limits.h"
#include "util/mapfault.h"
#include "util/outfile.h"
#include "util/spool.h"

static void
say (void *context, enum tb_severity severity, const char *message)
{
  const struct options *options = context;
  static const char *const words[] = { "note: ", "warning: ", "" };
  if (severity == TB_NOTE && !options->verbose)
    return;
  if (severity == TB_WARNING && options->quiet)
    return;
  /* Listings on standard output and messages keep their order.  */
  fflush (stdout);
  fprintf (stderr, "tracebridge-convert: %s%s\n", words[severity], message);
}

bool
job_wants (const struct job *job, const struct tb_session_stream *stream)
{
  const struct options *o = job->options;
  if (o->shared.core != NULL
      && (stream->core->device == NULL
	  || strcmp (stream->core->device->name, o->shared.core) != 0))
    return false;
  if (o->shared.source != NULL && strcmp (stream->source->name, o->shared.source) != 0)
    return false;
  return o->shared.buffer == NULL
	 || (stream->buffer != NULL
	     && strcmp (stream->buffer->name, o->shared.buffer) == 0);
}

void
job_judge (struct job *job, const struct tb_session_stream *stream,
	   const struct tb_decoder_stats *stats)
{
  const char *buffer = stream->buffer != NULL ? stream->buffer->name
					      : "the core's RAM";
  job->bytes += stats->bytes;
  job->packets += stats->packets;
  if (stats->bad_packets != 0 && stream->facts != NULL)
    {
      job->trace_errors = true;
      tb_warning (job->diag, "%s: %" PRIu64 " lines are not understood and left "
		  "out", job->input, stats->bad_packets);
    }
  else if (stats->bad_packets != 0 && stream->protocol->linked)
    {
      job->trace_errors = true;
      tb_warning (job->diag, "%s: %s, trace of %s: %" PRIu64 " times a packet does not "
		  "come from where the one before leads to, or not lead where its branch does; "
		  "what ran in between is missing (--format=elements: bad-packet)", job->input,
		  buffer, stream->source->name, stats->bad_packets);
    }
  else if (stats->bad_packets != 0)
    {
      job->trace_errors = true;
      tb_warning (job->diag, "%s: %s, trace of %s: %" PRIu64 " %s of %s; "
		  "decoding goes on at the next synchronisation, if there is one "
		  "(--format=packets says where, and what was expected)", job->input, buffer,
		  stream->source->name, stats->bad_packets,
		  stats->bad_packets == 1 ? "place is no packet" : "places are no packets",
		  stream->protocol->name);
    }
  if (stats->conditions != 0)
    tb_note (job->diag, "%s: %s, trace of %s: %" PRIu64 " results of conditional "
	     "instructions are listed (--format=elements) and not used: which instructions "
	     "they are of is not certain", job->input, buffer, stream->source->name,
	     stats->conditions);
  if (stats->strange != 0)
    {
      const struct tb_context *first = &stats->stranger;
      char name[64];
      tb_context_text (first, name, sizeof name);
      tb_warning (job->diag, "%s: %s, trace of %s: no code is known of contexts that it "
		  "names, %" PRIu64 " times, %s first; --elf=FILE@%s gives that one's",
		  job->input, buffer, stream->source->name, stats->strange, name, name);
    }
  if (stats->bad_image != 0)
    {
      job->trace_errors = true;
      struct tb_buffer text = { 0 };
      tb_faults_text (&text, stats);
      tb_buffer_append (&text, "", 1);
      tb_warning (job->diag, "%s: %s, trace of %s: at %" PRIu64 " places the "
		  "code cannot have run as traced (%s).  Are the dumps (or "
		  "--elf) the code that ran?", job->input, buffer,
		  stream->source->name, stats->bad_image,
		  text.failed ? "there is no memory to say how" : (const char *) text.data);
      tb_buffer_fini (&text);
    }
}

struct tb_recording *
job_recording (struct job *job, const struct tb_session_stream *stream)
{
  const struct options *o = job->options;
  struct tb_index_choice index;
  char beside[4096] = "";
  if (stream->buffer != NULL)
    snprintf (beside, sizeof beside, "%s/%s", job->session.snapshot.directory,
	      stream->buffer->id);
  tb_index_choose (&index, o->shared.index, o->shared.index_file,
		   *beside != 0 ? beside : NULL, job->diag);
  index.options.block = o->shared.index_block;
  const struct tb_recording_options options = { .jobs = o->shared.jobs,
						.index = &index.options };
  struct tb_decoder_config config;
  tb_session_decoder_config (stream, &config);
  struct tb_recording *recording
    = tb_recording_open_trace (&config, &options, job->diag);
  if (recording != NULL)
    job->instructions += tb_recording_steps (recording);
  return recording;
}

static enum tb_status
no_memory (const struct job *job)
{
  tb_error (job->diag, "%s: no memory for all that was asked for", job->input);
  return TB_ERR_MEMORY;
}

enum tb_status
job_close_recording (const struct job *job, struct tb_recording *recording)
{
  bool lacks = recording != NULL && tb_recording_no_memory (recording);
  tb_recording_close (recording);
  return lacks ? no_memory (job) : TB_OK;
}

enum tb_status
job_close_state (const struct job *job, struct tb_state *state)
{
  bool lacks = state != NULL && tb_state_no_memory (state);
  tb_state_close (state);
  return lacks ? no_memory (job) : TB_OK;
}

enum tb_status
job_check_end (const struct job *job, const struct tb_session_stream *stream)
{
  if (stream->protocol == NULL || stream->protocol->reaches_halt == NULL
      || !stream->protocol->reaches_halt (stream->source))
    return TB_OK;
  struct tb_decoder_config config;
  struct tb_diag silent = { 0 };	/* All else was told already.  */
  tb_session_decoder_config (stream, &config);
  struct tb_recording *recording = tb_recording_open_trace (&config, NULL, &silent);
  /* What was opened before is refused by nothing else.  */
  if (recording == NULL)
    return no_memory (job);
  tb_recording_check_end (recording, &config, job->diag);
  return job_close_recording (job, recording);
}

void
job_put_input (const struct job *job, struct tb_outfile *out)
{
  if (job->options->ninputs < 2)
    return;
  /* It is one line whatever the name is.  */
  char *name = tb_diag_plain_copy (job->input);
  fprintf (tb_outfile_stream (out), "# input %s\n", name != NULL ? name : "?");
  free (name);
}

enum tb_status
job_text (struct job *job,
	  enum tb_status (*fill) (struct job *job, struct tb_outfile *out))
{
  const struct options *o = job->options;
  const char *path = o->output != NULL ? o->output : "-";
  char *made = NULL;
  if (job->follow != NULL)
    return follow_text (job, fill);
  enum tb_status status = TB_ERR_INPUT;
  if (o->output_base != NULL)
    {
      if (asprintf (&made, "%s.%s", o->output_base, o->format->suffix) < 0)
	return TB_ERR_MEMORY;
      path = made;
    }
  struct tb_outfile *out = NULL;
  bool steps = o->format->traits & TRAIT_STEPS
	       && !(o->format->traits & TRAIT_SOFTWARE && job_has_software_alone (job));
  if (!(steps && !job_may_have_steps (job)) && output_claim (job, path))
    {
      out = tb_outfile_open (path, job->diag);
      status = TB_ERR_IO;
    }
  if (out != NULL)
    {
      job_put_input (job, out);
      unsigned errors = job->diag->errors;
      status = fill (job, out);
      /* An error, whoever told of it, is one: the text is not whole; but a page or a
	 summary that has nothing of what was asked for tells of the rest.  */
      if (status == TB_OK && job->diag->errors != errors && !job->no_steps)
	status = TB_ERR_INPUT;
      if (status == TB_OK && steps && !job->found
	  && (!job_found_steps (job) || !job_found_choice (job)))
	status = TB_ERR_INPUT;
      if (status != TB_OK)
	tb_outfile_abandon (out);
      else
	status = tb_outfile_finish (out);
    }
  free (made);
  return status;
}

/* Names that the user gave must exist.  */
static bool
check_names (const struct job *job)
{
  const struct options *o = job->options;
  const struct tb_session *s = &job->session;
  struct tb_diag *diag = job->diag;
  const struct tb_device *device;
  bool ok = true;
  if (o->shared.core != NULL
      && ((device = tb_snapshot_device (&s->snapshot, o->shared.core)) == NULL
	  || device->class != TB_CLASS_CORE))
    {
      tb_error (diag, "%s: no core is named \"%s\"; --list shows what is there",
		job->input, o->shared.core);
      ok = false;
    }
  if (o->shared.source != NULL
      && ((device = tb_snapshot_device (&s->snapshot, o->shared.source)) == NULL
	  || device->class != TB_CLASS_TRACE_SOURCE))
    {
      tb_error (diag, "%s: no trace source is named \"%s\"; --list shows what "
		"is there", job->input, o->shared.source);
      ok = false;
    }
  if (o->shared.buffer != NULL)
    {
      bool found = false;
      for (size_t i = 0; i < s->snapshot.nbuffers; i++)
	found |= strcmp (s->snapshot.buffers[i].name, o->shared.buffer) == 0;
      if (!found)
	{
	  tb_error (diag, "%s: no trace buffer is named \"%s\"; --list shows "
		    "what is there", job->input, o->shared.buffer);
	  ok = false;
	}
    }
  /* And together they must name some trace.  */
  bool some = o->format->traits & TRAIT_DUMPS
	      || (o->shared.source == NULL && o->shared.buffer == NULL);
  for (size_t i = 0; i < s->nstreams; i++)
    some |= job_wants (job, &s->streams[i]);
  if (ok && !some)
    {
      tb_error (diag, "%s: no trace is of%s%s%s%s%s%s together; --list shows "
		"which source traces which core into which buffer", job->input,
		o->shared.source != NULL ? " source " : "",
		o->shared.source != NULL ? o->shared.source : "",
		o->shared.core != NULL ? " core " : "",
		o->shared.core != NULL ? o->shared.core : "",
		o->shared.buffer != NULL ? " buffer " : "",
		o->shared.buffer != NULL ? o->shared.buffer : "");
      ok = false;
    }
  return ok;
}

/* Say what of the trace that the user wants is not decoded.  */
static void
say_undecoded (const struct job *job)
{
  if (job->options->format->traits & TRAIT_DUMPS)
    return;
  for (size_t i = 0; i < job->session.nstreams; i++)
    if (job_wants (job, &job->session.streams[i]))
      tb_session_say_undecoded (&job->session.streams[i], job->input,
				job->diag);
}

/* A trace file has moments; there is nothing to tell of what ran between them.  */
static bool
check_run (const struct job *job)
{
  const struct format *format = job->options->format;
  if (tb_session_trace_file (&job->session) == NULL || !(format->traits & TRAIT_RUN))
    return true;
  tb_error (job->diag, "%s: expected trace of all that ran for %s%s, found a trace file, "
	    "which has the moments at which something was collected and nothing of what ran "
	    "between them", job->input, format_lead (format), format->name);
  return false;
}

/* Does what is written call code by its names?  */
static bool
needs_names (const struct options *o)
{
  return o->format->traits & TRAIT_NAMES || o->traces.count != 0;
}

static bool
wants (const void *job, const struct tb_session_stream *stream)
{
  return job_wants (job, stream);
}

/* Hold the ELF files against what ran.  One that is another program cannot name the
   code, which is an error where that is asked for; nor tell what memory holds, so
   that the session is opened again, as SESSION says, without it.  */
static enum tb_status
check_elves (struct job *job, struct tb_session_options *session)
{
  const struct options *o = job->options;
  struct tb_wrong_elf *wrong;
  size_t count;
  if (session->nelves == 0 || o->format->traits & TRAIT_DUMPS)
    return TB_OK;
  enum tb_status status
    = tb_session_wrong_elves (&job->session, wants, job, o->shared.jobs, &wrong,
			      &count, job->diag);
  for (size_t i = 0; i < count; i++)
    {
      char text[4096];
      tb_wrong_elf_text (&job->session, session, &wrong[i], text, sizeof text);
      if (o->shared.accept_elf)
	tb_warning (job->diag, "%s: %s; it is used all the same", job->input,
		    text);
      else if (needs_names (o))
	{
	  tb_error (job->diag, "%s: %s, so its names are not those of what ran.  "
		    "Give the file that ran, or --accept-elf to use this one",
		    job->input, text);
	  status = TB_ERR_INPUT;
	}
      else
	tb_warning (job->diag, "%s: %s; it is left out (--accept-elf uses it)",
		    job->input, text);
    }
  const char *advice = tb_wrong_elf_advice (&job->session, session, wrong, count);
  if (advice != NULL)
    tb_warning (job->diag, "%s: %s", job->input, advice);
  if (status == TB_OK && count > 0 && !o->shared.accept_elf)
    {
      size_t left;
      job->elves = tb_session_other_elves (&job->session, session, wrong, count, &left);
      session->left_type = tb_session_left_type (&job->session, session, wrong, count, left,
						 job->diag);
      session->elves = job->elves;
      session->nelves = left;
      tb_session_close (&job->session);
      status = session->elves == NULL ? TB_ERR_MEMORY
	       : tb_session_open (&job->session, job->path, session, NULL);
      /* What there was to say has been said, but for what fails now.  */
      if (status != TB_OK && session->elves != NULL)
	status = tb_session_open (&job->session, job->path, session,
				  job->diag);
    }
  free (wrong);
  return status;
}

enum tb_status
convert_path (struct job *job)
{
  const struct options *options = job->options;
  progress_init (&job->progress, job->input, options->quiet || job->follow != NULL);
  if (tb_input_is_wrong (job->path, &options->shared.session,
			 "--output-dir=OUT %s converts all of them", job->diag))
    return TB_ERR_INPUT;
  struct tb_index_choice index;
  /* What grows has no index.  */
  tb_index_choose (&index, job->follow != NULL ? TB_INDEX_OFF : options->shared.index,
		   options->shared.index_file, job->path, NULL);
  struct tb_session_options session = options->shared.session;
  /* That what is written does not use them was told (options-check.c).  */
  if ((options->format->takes >> GROUP_CYCLES & 1) == 0)
    session.core_frequency = 0;
  if ((options->format->takes >> GROUP_TICKS & 1) == 0)
    session.local_frequency = 0;
  session.index = &index.options;
  session.jobs = options->shared.jobs;
  /* In a batch the limit is that of the whole process.  */
  session.software_memory = options->batch.directory == NULL ? options->shared.memory : 0;
  enum tb_status status = tb_session_open (&job->session, job->path,
					   &session, job->diag);
  if (status != TB_OK)
    return status;
  if (job->take_input != NULL)
    tb_session_files (&job->session, job->take_input,
		      job->take_input_context);
  if (job->session.log == NULL)
    options_tell (options, true, job->diag);
  bool named = check_run (job) && check_names (job);
  if (named)
    say_undecoded (job);
  status = named ? check_elves (job, &session) : TB_ERR_INPUT;
  const struct format *format = options->format;
  /* Without memory for it nothing is shared.  */
  job->share = tb_follow_share_new ();
  if (status == TB_OK)
    status = format->text != NULL ? job_text (job, format->text)
				  : format->files (job);
  tb_follow_share_free (job->share);
  job->share = NULL;
  tb_session_close (&job->session);
  free (job->elves);
  job->elves = NULL;
  return status;
}

enum tb_status
convert_input (struct job *job)
{
  struct tb_spool spool = { .path = NULL };
  struct tb_diag *diag = job->diag;
  unsigned errors = job->diag->errors;
  enum tb_status status = TB_OK;
  job->path = job->input;
  if (options_follow (job->options))
    status = follow_input (job);
  else if (tb_spool_is_stream (job->input))
    {
      status = tb_spool_open (&spool, job->input, diag);
      job->path = spool.path;
      job->diag = tb_spool_diag (&spool);
    }
  if (status == TB_OK && !options_follow (job->options))
    status = convert_path (job);
  job->diag = diag;
  tb_spool_close (&spool);
  /* Everything but want of memory has a message where it is found.  */
  if (status != TB_OK && job->diag->errors == errors)
    tb_error (job->diag, "%s: no memory", job->input);
  /* And an error, wherever it was found, is one.  */
  return status == TB_OK && job->diag->errors != errors && !job->no_steps
	 ? TB_ERR_INPUT : status;
}

/* One input; the exit status for it.  */
static int
convert (const struct options *options, const char *input,
	 struct outputs *outputs, struct tb_diag *diag)
{
  struct job job = { .options = options, .input = input, .diag = diag,
		     .outputs = outputs };
  if (convert_input (&job) != TB_OK || job.differs || job.no_steps)
    return EXIT_FAILED;
  return job.trace_errors && options->strict ? EXIT_TRACE_ERRORS : EXIT_DONE;
}

int
main (int argc, char **argv)
{
  /* A file that grows beyond the limit is an error to report.  */
  signal (SIGXFSZ, SIG_IGN);
  tb_mapfault_guard ();
  struct options options;
  options_parse (&options, argc, argv);
  struct tb_diag diag = { .report = say, .context = &options };

  options_tell (&options, false, &diag);
  /* Failed is worse than trace errors, which are worse than done.  */
  int worst = EXIT_DONE;
  struct outputs outputs = { 0 };
  if (options.batch.directory != NULL)
    worst = batch_run (&options, &diag);
  else
    tb_limit_memory (0);
  if (options.batch.directory == NULL)
    for (int i = 0; i < options.ninputs; i++)
      {
	if (options.shared.seconds != 0)
	  tb_limit_time ("time-limit", options.shared.seconds);
	int status = convert (&options, options.inputs[i], &outputs, &diag);
	if (worst != EXIT_FAILED && status != EXIT_DONE)
	  worst = status;
      }
  outputs_fini (&outputs);
  if (worst != EXIT_FAILED && tb_outfile_told (&diag) != TB_OK)
    worst = EXIT_FAILED;
  options_fini (&options);
  return worst;
}
