/* Are the ELF files of a session the program that ran?  See session-elves.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/elf-bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/facts.h"
#include "recording/session-log.h"

/* Is IMAGE another program than CORE ran, as VISITS say?  NULL: whatever ran.  */
static bool
is_wrong (const struct tb_session_core *core,
	  const struct tb_elf_image *image, struct tb_visits *visits,
	  struct tb_wrong_elf *wrong)
{
  struct tb_elf_bytes c = { .core = core, .image = image };
  tb_elf_bytes_compare_all (&c);
  const struct tb_elf_tally *tally = tb_elf_bytes_tally (&c);
  c.visits = visits;
  if (tally->different != 0 && visits != NULL)
    tb_elf_bytes_compare_all (&c);
  return tb_elf_tally_differs (tally, wrong);
}

/* What of STREAM ran.  NULL after a diagnostic.  */
static struct tb_recording *
open_recording (const struct tb_session_stream *stream, unsigned jobs,
		struct tb_visits **visits, struct tb_diag *diag)
{
  const struct tb_recording_options options = { .jobs = jobs };
  struct tb_decoder_config config;
  tb_session_decoder_config (stream, &config);
  struct tb_recording *recording = tb_recording_open_trace (&config, &options,
							    diag);
  *visits = recording != NULL ? tb_visits_new (recording) : NULL;
  if (recording != NULL && *visits == NULL)
    {
      tb_error (diag, "no memory to compare --elf with what ran");
      tb_recording_close (recording);
      return NULL;
    }
  for (size_t i = 0; recording != NULL && i < tb_recording_windows (recording);
       i++)
    {
      uint64_t step = tb_recording_window_step (recording, i);
      if (step < tb_recording_steps (recording))
	tb_visits_see (*visits, step);
    }
  return recording;
}

void
tb_wrong_elf_add (const struct tb_session *s, const struct tb_session_core *core,
		  const struct tb_elf_image *image, struct tb_wrong_elf *wrong,
		  struct tb_wrong_elf *found, size_t *count)
{
  while (wrong->elf < s->nelves && s->elves[wrong->elf] != image)
    wrong->elf++;
  wrong->core = (size_t) (core - s->cores);
  bool known = false;
  for (size_t k = 0; k < *count; k++)
    known |= found[k].core == wrong->core && found[k].elf == wrong->elf;
  if (!known)
    found[(*count)++] = *wrong;
}

/* Add what is wrong of CORE's ELF files by what ran in STREAM.  */
static enum tb_status
check_stream (const struct tb_session *s,
	      const struct tb_session_stream *stream, unsigned jobs,
	      struct tb_wrong_elf *found, size_t *count, struct tb_diag *diag)
{
  const struct tb_session_core *core = stream->core;
  struct tb_visits *visits;
  struct tb_recording *recording = open_recording (stream, jobs, &visits,
						   diag);
  if (recording == NULL)
    return TB_ERR_INPUT;
  for (size_t i = 0; i < core->nelves; i++)
    {
      struct tb_wrong_elf wrong;
      if (!is_wrong (core, core->elves[i], visits, &wrong))
	continue;
      tb_wrong_elf_add (s, core, core->elves[i], &wrong, found, count);
    }
  tb_visits_free (visits);
  tb_recording_close (recording);
  return TB_OK;
}

/* Does any ELF file of CORE have other bytes than the dumps anywhere?  */
static bool
may_be_wrong (const struct tb_session_core *core)
{
  bool any = false;
  struct tb_wrong_elf wrong;
  for (size_t i = 0; i < core->nelves && !any; i++)
    any = is_wrong (core, core->elves[i], NULL, &wrong);
  return any;
}

enum tb_status
tb_session_wrong_elves (const struct tb_session *s,
			bool (*wants) (const void *context,
				       const struct tb_session_stream *stream),
			const void *context, unsigned jobs,
			struct tb_wrong_elf **found, size_t *count,
			struct tb_diag *diag)
{
  enum tb_status status = TB_OK;
  *count = 0;
  *found = calloc (s->ncores * s->nelves + 1, sizeof **found);
  if (*found == NULL)
    {
      tb_error (diag, "no memory to compare --elf with what ran");
      return TB_ERR_MEMORY;
    }
  for (size_t i = 0; i < s->nstreams && status == TB_OK; i++)
    {
      const struct tb_session_stream *stream = &s->streams[i];
      if (stream->protocol == NULL || stream->protocol->software || !wants (context, stream))
	continue;
      const struct tb_trace_file *file = tb_session_trace_file (s);
      if (file != NULL)
	status = tb_framed_code_check (s, stream->core, file,
			       tb_session_log_facts (s, stream->core->device), *found, count,
			       diag);
      else if (may_be_wrong (stream->core))
	status = check_stream (s, stream, jobs, *found, count, diag);
    }
  if (status != TB_OK)
    {
      free (*found);
      *found = NULL;
      *count = 0;
    }
  return status;
}

void
tb_wrong_elf_text (const struct tb_session *s,
		   const struct tb_session_options *options,
		   const struct tb_wrong_elf *wrong, char *text, size_t room)
{
  const struct tb_device *device = s->cores[wrong->core].device;
  snprintf (text, room, "--elf=%s is not the program that %s%s ran: of %" PRIu64
	    " bytes of code that ran %" PRIu64 " differ, the first at %#" PRIx64,
	    options->elves[wrong->elf].path, device != NULL ? "core " : "",
	    device != NULL ? device->name : "the trace's core", wrong->bytes,
	    wrong->different, wrong->first);
}

const char *
tb_wrong_elf_advice (const struct tb_session *s,
		     const struct tb_session_options *options,
		     const struct tb_wrong_elf *wrong, size_t count)
{
  size_t cores = 0;
  for (size_t i = 0; i < s->ncores; i++)
    cores += s->cores[i].device != NULL;
  for (size_t i = 0; i < count && cores > 1; i++)
    if (options->elves[wrong[i].elf].core == NULL)
      return "there are several cores: --elf=FILE@CORE says which one a file is of";
  return NULL;
}

/* Is ELF file number ELF of SESSION one of core NUMBER, and a right one?  */
static bool
is_right (const struct tb_session *s, size_t number, size_t elf,
	  const struct tb_wrong_elf *wrong, size_t count)
{
  const struct tb_session_core *core = &s->cores[number];
  bool used = false;
  for (size_t i = 0; i < core->nelves; i++)
    used |= core->elves[i] == s->elves[elf];
  for (size_t i = 0; i < count; i++)
    used &= wrong[i].core != number || wrong[i].elf != elf;
  return used;
}

struct tb_session_elf *
tb_session_other_elves (const struct tb_session *s,
			const struct tb_session_options *options,
			const struct tb_wrong_elf *wrong, size_t count,
			size_t *nelves)
{
  size_t most = options->nelves * s->ncores + 1, names = 0;
  for (size_t k = 0; k < s->ncores; k++)
    if (s->cores[k].device != NULL)
      names += strlen (s->cores[k].device->name) + 1;
  /* The names of the cores stand behind the list.  */
  struct tb_session_elf *list
    = calloc (1, most * sizeof *list + options->nelves * names);
  char *name = (char *) (list + most);
  /* NELVES may be that of OPTIONS.  */
  size_t n = 0;
  for (size_t i = 0; list != NULL && i < options->nelves; i++)
    {
      bool any = false;
      for (size_t k = 0; k < count; k++)
	any |= wrong[k].elf == i;
      if (!any)
	list[n++] = options->elves[i];
      for (size_t k = 0; any && k < s->ncores; k++)
	if (s->cores[k].device != NULL
	    && is_right (s, k, i, wrong, count))
	  {
	    list[n++] = (struct tb_session_elf) {
	      .path = options->elves[i].path, .core = name,
	      .context = options->elves[i].context };
	    name = stpcpy (name, s->cores[k].device->name) + 1;
	  }
    }
  *nelves = n;
  return list;
}

const char *
tb_session_left_type (const struct tb_session *s, const struct tb_session_options *options,
		      const struct tb_wrong_elf *wrong, size_t count, size_t nleft,
		      struct tb_diag *diag)
{
  for (size_t i = 0; s->elf_type != NULL && i < count; i++)
    {
      const char *type = tb_elf_image_core_type (s->elves[wrong[i].elf]);
      if (type == NULL)
	continue;
      if (nleft == 0)
	tb_warning (diag, "%s: still taken for that of an %s, which %s was built for; "
		    "--core-type=NAME says it better", s->snapshot.path, type,
		    options->elves[wrong[i].elf].path);
      return type;
    }
  return NULL;
}
