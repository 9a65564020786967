/* Sessions.  See session.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording/clock.h"
#include "recording/session-contexts.h"
#include "recording/session-core.h"
#include "recording/session-cores.h"
#include "recording/session-log.h"
#include "recording/session-streams.h"
#include "recording/session-threads.h"
#include "recording/wrong-input.h"

void
tb_session_close (struct tb_session *s)
{
  for (size_t i = 0; i < s->ncores; i++)
    {
      if (!s->cores[i].same_map)
	tb_memmap_free (s->cores[i].map);
      for (size_t k = 0; !s->cores[i].same_map && k < s->cores[i].nwithout_breakpoints; k++)
	free (s->cores[i].without_breakpoints[k]);
      if (!s->cores[i].same_map)
	free (s->cores[i].without_breakpoints);
      free (s->cores[i].functions);
      free (s->cores[i].objects);
      free (s->cores[i].elves);
      free (s->cores[i].initial);
      tb_extents_fini (&s->cores[i].volatiles);
      tb_extents_fini (&s->cores[i].privates);
      tb_extents_fini (&s->cores[i].shared);
      tb_tdesc_free (s->cores[i].tdesc);
    }
  tb_session_threads_close (s);
  for (size_t i = 0; i < s->nelves; i++)
    tb_elf_image_close (s->elves[i]);
  free (s->elves);
  free (s->contexts);
  free (s->cores);
  free (s->streams);
  tb_snapshot_close (&s->snapshot);
  tb_session_log_close (s);
  tb_svd_close (s->svd);
  free (s->tdesc);
  *s = (struct tb_session) { 0 };
}

/* Is there a core for ELF, opened as IMAGE?  False after a diagnostic.  */
static bool
check_elf (const struct tb_session *s, const struct tb_session_elf *elf,
	   const struct tb_elf_image *image, struct tb_diag *diag)
{
  const struct tb_device *refused = NULL;
  for (size_t i = 0; i < s->snapshot.ndevices; i++)
    {
      const struct tb_device *device = &s->snapshot.devices[i];
      if (device->class != TB_CLASS_CORE
	  || (elf->core != NULL && strcmp (elf->core, device->name) != 0))
	continue;
      if (tb_session_can_run (device, image))
	return true;
      refused = device;
    }
  if (refused == NULL)
    return true;
  char built = tb_elf_image_profile (image);
  tb_error (diag, "--elf=%s: expected a program for core %s (%s)%s, found one for %s",
	    elf->path, refused->name, refused->type,
	    elf->core == NULL ? " or another of the snapshot" : "",
	    tb_elf_image_is_a64 (image) ? "AArch64"
	    : built == 'M' ? "M profile" : "A or R profile");
  return false;
}

static enum tb_status
open_elves (struct tb_session *s, const struct tb_session_options *options,
	    struct tb_diag *diag)
{
  if (options == NULL || options->nelves == 0)
    return TB_OK;
  s->elves = calloc (options->nelves, sizeof *s->elves);
  if (s->elves == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < options->nelves; i++)
    {
      const struct tb_session_elf *elf = &options->elves[i];
      const struct tb_device *core
	= elf->core != NULL ? tb_snapshot_device (&s->snapshot, elf->core)
			    : NULL;
      if (elf->core != NULL
	  && (core == NULL || core->class != TB_CLASS_CORE))
	{
	  tb_error (diag, "--elf=%s@%s: the snapshot has no core of that name; "
		    "--list shows what it has; a context is context:ID, vmid:ID or "
		    "vmid:ID,context:ID", elf->path, elf->core);
	  return TB_ERR_INPUT;
	}
      s->elves[i] = tb_elf_image_open (elf->path, diag);
      if (s->elves[i] == NULL)
	return TB_ERR_INPUT;
      s->nelves++;
      tb_elf_image_place (s->elves[i], &s->snapshot.loaded);
      if (!check_elf (s, elf, s->elves[i], diag))
	return TB_ERR_INPUT;
    }
  return TB_OK;
}

/* How many timestamps there are a second: the user's word, [timestamp], or what the
   STM's registers say (STMTSFREQR, IHI 0054, 3.4.18), if they say one thing.  DIAG is told of
   a register that says another one than [timestamp].  */
static void
settle_frequency (struct tb_session *s, const struct tb_session_options *options,
		  struct tb_diag *diag)
{
  uint64_t *frequency = &s->snapshot.timestamp_frequency;
  const struct tb_device *from = NULL;
  if (options != NULL && options->frequency != 0)
    {
      *frequency = options->frequency;
      s->frequency_told = true;
    }
  if (options != NULL)
    {
      s->local_frequency = options->local_frequency;
      s->core_frequency = options->core_frequency;
      s->software_memory = options->software_memory;
    }
  if (s->frequency_told)
    return;
  uint64_t told = *frequency;
  for (size_t i = 0; i < s->snapshot.ndevices; i++)
    {
      const struct tb_device *device = &s->snapshot.devices[i];
      if (device->class != TB_CLASS_TRACE_SOURCE
	  || tb_protocol_find (device->type) != &tb_protocol_stm)
	continue;
      const struct tb_device_reg *reg
	= tb_device_reg_id (device, 0x3a3, "STMTSFREQR");
      if (reg == NULL || reg->value == 0)
	continue;
      if (told != 0 && told != reg->value)
	tb_warning (diag, "%s: STMTSFREQR: %" PRIu64 ", but [timestamp] says %" PRIu64
		    ", which counts (--timestamp-frequency)", device->file, reg->value, told);
      if (told != 0)
	continue;
      if (from != NULL && *frequency != reg->value)
	{
	  tb_warning (diag, "%s: STMTSFREQR: %" PRIu64 ", but that of %s is %" PRIu64
		      "; how fast timestamps count is not known", device->file,
		      reg->value, from->name, *frequency);
	  *frequency = 0;
	  return;
	}
      from = device;
      *frequency = reg->value;
    }
}

/* Open the log PATH with the snapshot beside it.  *FITS: they belong together; else
   SESSION is zero.  */
static enum tb_status
open_with_snapshot (struct tb_session *s, const char *path,
		    const struct tb_session_options *options, bool *fits,
		    struct tb_diag *diag)
{
  char directory[4096];
  *fits = false;
  if (!tb_session_log_has_snapshot (path, directory, sizeof directory))
    return TB_OK;
  enum tb_status status
    = tb_snapshot_open (&s->snapshot, directory,
			options != NULL ? &options->snapshot : NULL, diag);
  if (status != TB_OK)
    return status;
  status = tb_session_log_beside (s, true, options, diag);
  *fits = status != TB_OK || tb_session_log_fits (s);
  if (!*fits)
    tb_session_close (s);
  return status;
}

/* Tell DIAG that the option --NAME-frequency has no effect on PATH.  */
static void
say_clock_unknown (const char *name, const char *path, struct tb_diag *diag)
{
  tb_warning (diag, "--%s-frequency has no effect on %s: it is not known how many "
	      "timestamps there are a second (--timestamp-frequency)", name, path);
}

/* S has its streams: what OPTIONS says of ITMs holds for each, and DIAG is told where there
   is none, or none that could have timestamps.  */
static void
settle_clocks (struct tb_session *s, const char *path,
	     const struct tb_session_options *options, struct tb_diag *diag)
{
  size_t count = 0;
  bool timed = s->log != NULL, counted = false;
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_protocol *protocol = s->streams[i].protocol;
      bool is_one = protocol != NULL && protocol->can_be_aligned;
      count += is_one;
      timed |= protocol != NULL && protocol != &tb_protocol_mtb;
      /* Whether there are some is known when it is decoded (clock.h).  */
      counted |= protocol != NULL && protocol != &tb_protocol_mtb && !protocol->software;
      s->streams[i].aligned = is_one && options != NULL && options->itm_aligned;
    }
  if (options == NULL)
    return;
  if (options->frequency != 0 && !timed)
    tb_warning (diag, "--timestamp-frequency has no effect on %s, which has no trace with "
		"timestamps", path);
  if (options->core_frequency != 0 && !counted)
    tb_warning (diag, "--core-frequency has no effect on %s, which has no trace with cycle "
		"counts%s", path, tb_session_clock_options (s));
  bool core = options->core_frequency != 0 && counted;
  bool local = options->local_frequency != 0 && count > 0;
  bool unknown = (core || local) && tb_session_clock (s) == 0;
  if (unknown && core)
    say_clock_unknown ("core", path, diag);
  if (unknown && local)
    say_clock_unknown ("local", path, diag);
  if (count > 0)
    return;
  if (options->itm_aligned)
    tb_warning (diag, "--itm-aligned has no effect on %s, which has no trace of an ITM", path);
  if (options->local_frequency != 0)
    tb_warning (diag, "--local-frequency has no effect on %s, which has no trace of an ITM",
		path);
}

/* S has what PATH, the input, has: find out the rest.  On anything but TB_OK it is
   closed.  */
static enum tb_status
settle (struct tb_session *s, const char *path, const struct tb_session_options *options,
	struct tb_diag *diag)
{
  enum tb_status status = open_elves (s, options, diag);
  if (status == TB_OK && options != NULL && options->svd != NULL)
    {
      s->svd = tb_svd_open (options->svd, diag);
      status = s->svd != NULL ? TB_OK : TB_ERR_INPUT;
    }
  if (status == TB_OK && options != NULL && options->tdesc != NULL)
    {
      s->tdesc = strdup (options->tdesc);
      status = s->tdesc != NULL ? TB_OK : TB_ERR_MEMORY;
    }
  if (status == TB_OK)
    status = tb_session_make_contexts (s, options, diag);
  if (status == TB_OK)
    status = tb_session_make_cores (s, options, diag);
  settle_frequency (s, options, diag);
  if (status == TB_OK)
    status = tb_session_find_mtb (s, options, diag);
  if (status == TB_OK)
    status = tb_session_guess_sources (s, options != NULL ? options->protocol : NULL,
				       diag);
  if (status == TB_OK)
    status = tb_session_find_mtb_beside (s, options, diag);
  if (status == TB_OK)
    status = tb_session_make_streams (s, diag);
  if (status == TB_OK)
    tb_session_check_states (s, path, diag);
  if (status == TB_ERR_MEMORY)
    tb_error (diag, "%s: no memory", path);
  if (status == TB_OK)
    status = tb_session_make_threads (s, options, diag);
  if (status == TB_OK)
    settle_clocks (s, path, options, diag);
  if (status != TB_OK)
    tb_session_close (s);
  return status;
}

enum tb_status
tb_session_open_made (struct tb_session *s, struct tb_snapshot *snapshot,
		      const struct tb_session_options *options, struct tb_diag *diag)
{
  *s = (struct tb_session) { .snapshot = *snapshot };
  *snapshot = (struct tb_snapshot) { 0 };
  return settle (s, s->snapshot.path, options, diag);
}

enum tb_status
tb_session_open (struct tb_session *s, const char *path,
		 const struct tb_session_options *options,
		 struct tb_diag *diag)
{
  *s = (struct tb_session) { 0 };
  enum tb_status status;
  bool fits = false, is_core_file = false, is_raw = false;
  const struct tb_beside *beside = options != NULL ? &options->snapshot.beside : NULL;
  if (tb_session_is_log (path) || tb_session_is_trace_file (path))
    {
      if (beside != NULL && beside->ntraces > 0)
	{
	  tb_error (diag, "%s: expected an input without trace of its own, as the trace buffer %s "
		    "is given beside it, found a log or a trace file", path, beside->traces[0]);
	  return TB_ERR_INPUT;
	}
      status = open_with_snapshot (s, path, options, &fits, diag);
      if (status == TB_OK && !fits)
	status = tb_session_log_open (s, path, options, diag);
    }
  else
    {
      struct tb_snapshot_options how;
      status = tb_session_core_type (path, options, &how, diag);
      if (status == TB_OK)
	status = tb_snapshot_open (&s->snapshot, path, &how, diag);
      if (status != TB_OK)
	return status;
      is_core_file = how.input == TB_INPUT_CORE_FILE;
      s->elf_type = options != NULL && options->core_type == NULL ? how.core_type : NULL;
      is_raw = how.input == TB_INPUT_RAW_BUFFER;
      /* GDB saves core files of bare metal in the same form, without what a kernel tells of a
	 process.  */
      s->of_linux = how.input == TB_INPUT_SYSFS || how.input == TB_INPUT_PERF
		    || s->snapshot.loaded.vector != NULL || s->snapshot.loaded.files != NULL;
      if (how.input == TB_INPUT_FOLDER)
	status = tb_session_log_beside (s, false, options, diag);
    }
  if (status == TB_OK)
    {
      status = settle (s, path, options, diag);
      if (status == TB_OK && is_core_file)
	{
	  tb_session_say_elsewhere (s, path, diag);
	  tb_session_check_builds (s, path, diag);
	}
      if (status == TB_OK && is_raw && s->nstreams == 0)
	{
	  tb_input_say_senseless (path, diag);
	  tb_session_close (s);
	  return TB_ERR_INPUT;
	}
      return status;
    }
  if (status == TB_ERR_MEMORY)
    tb_error (diag, "%s: no memory", path);
  tb_session_close (s);
  return status;
}

uint64_t
tb_session_elf_bias (const struct tb_session *s, const char *path)
{
  for (size_t i = 0; i < s->nelves; i++)
    if (strcmp (tb_elf_image_path (s->elves[i]), path) == 0)
      return tb_elf_image_bias (s->elves[i]);
  return 0;
}

void
tb_session_files (const struct tb_session *s,
		  void (*take) (void *context, const char *path),
		  void *context)
{
  tb_snapshot_files (&s->snapshot, take, context);
  char *log = s->log != NULL ? realpath (s->log->tarmac.path, NULL) : NULL;
  if (log != NULL)
    take (context, log);
  free (log);
}

void
tb_session_decoder_config (const struct tb_session_stream *stream,
			   struct tb_decoder_config *config)
{
  *config = (struct tb_decoder_config) {
    .source = stream->source,
    .core = stream->core->device,
    .buffer = stream->buffer,
    .profile = &stream->core->profile,
    .map = stream->core->map,
    .facts = stream->facts, .stitched = stream->stitched, .space = stream->space,
    .protocol = stream->facts != NULL ? stream->protocol : NULL,
    .aligned = stream->aligned
  };
}

struct tb_decoder *
tb_session_decoder (const struct tb_session *session,
		    const struct tb_session_stream *stream,
		    struct tb_diag *diag)
{
  struct tb_decoder_config config;
  (void) session;
  tb_session_decoder_config (stream, &config);
  return tb_decoder_open (&config, diag);
}

const struct tb_tdesc *
tb_session_tdesc (struct tb_session *s, const struct tb_session_core *core,
		  struct tb_diag *diag)
{
  struct tb_session_core *own = &s->cores[core - s->cores];
  if (own->tdesc == NULL && s->tdesc != NULL)
    own->tdesc = tb_tdesc_read (s->tdesc, &own->profile, diag);
  else if (own->tdesc == NULL)
    {
      own->tdesc = tb_tdesc_own (&own->profile, NULL);
      if (own->tdesc == NULL)
	tb_error (diag, "%s: no memory", s->snapshot.directory);
    }
  return own->tdesc;
}
