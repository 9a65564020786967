/* A trace file as the input: its frames as GDB knows them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each frame is a step of the recording.  GDB is told of the tracepoints that the file
   defines, and which one each frame is of, as by the target that the file came from.  */

#include "config.h"
#include "experiment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/request-file.h"
#include "recording/session-log.h"
#include "util/number.h"

/* The most values of the user's variables that are kept, 24 bytes each.  */
#define VALUES_MAX ((size_t) 1 << 23)

/* What is said while definitions are read.  */
struct said
{
  struct tb_diag *diag;		/* Where warnings go.  */
  struct tb_buffer error;	/* The last one.  */
};

/* Take MESSAGE for CONTEXT, a struct said: an error is why the definitions are left out.  */
static void
take_message (void *context, enum tb_severity severity, const char *message)
{
  struct said *said = context;
  if (severity != TB_ERROR)
    {
      tb_report_as_is (said->diag, severity, message);
      return;
    }
  tb_buffer_clear (&said->error);
  tb_buffer_append (&said->error, message, strlen (message) + 1);
}

static int
by_number (const void *a, const void *b)
{
  const struct tb_tracepoint *x = a, *y = b;
  return x->number != y->number ? (x->number < y->number ? -1 : 1)
	 : x->address < y->address ? -1 : x->address > y->address;
}

/* The place in SET of a tracepoint NUMBER; if the file does not define it, one at PC.
   SIZE_MAX: no more can be.  */
static size_t
place_of (struct tb_tracepoint_set *set, unsigned number, uint64_t pc)
{
  size_t place = SIZE_MAX;
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i].number == number)
      {
	/* Of several places the one that the frame is at.  */
	if (place == SIZE_MAX || set->items[i].address == pc)
	  place = i;
      }
  if (place != SIZE_MAX)
    return place;
  const struct tb_tracepoint *made = tb_tracepoint_add (set, number, pc);
  return made != NULL ? (size_t) (made - set->items) : SIZE_MAX;
}

/* Set the values that E's variables have in FRAME of FILE from *VALUES on.  */
static void
take_values (const struct tb_experiment *e, const struct tb_trace_file *file,
	     const struct tb_trace_file_frame *frame, struct tb_value *values)
{
  struct tb_trace_file_block b;
  for (uint32_t at = 0; tb_trace_file_block (file, frame, &at, &b);)
    for (size_t i = 0; b.kind == 'V' && i < e->set.nvariables; i++)
      if (e->set.variables[i].number == b.number)
	values[i] = tb_value_stated (tb_number_64 (b.data), UINT64_MAX);
}

/* Make the frames of E those of FILE.  False: no memory, or too many tracepoints.  */
static bool
take_frames (struct target *t, struct tb_experiment *e, const struct tb_trace_file *file)
{
  size_t each = e->set.nvariables, users = 0;
  for (size_t i = 0; i < each; i++)
    users += e->set.variables[i].own == 0;
  /* Without variables of the user's all frames share the values, which are none.  */
  size_t sets = users != 0 ? file->nframes : 1;
  if (each != 0 && sets > VALUES_MAX / each)
    return false;
  e->frames = calloc (file->nframes, sizeof *e->frames);
  e->values = calloc (sets * each + 1, sizeof *e->values);
  if (e->frames == NULL || e->values == NULL)
    return false;
  e->nvalues = sets;
  for (size_t i = 0; i < file->nframes; i++)
    {
      struct tb_step step;
      const struct tb_trace_file_frame *f = &file->frames[i];
      if (tb_recording_read (t->recording, i, &step, 1) != 1)
	return false;
      size_t place = place_of (&e->set, f->tracepoint, step.pc);
      if (place == SIZE_MAX)
	return false;
      e->frames[i] = (struct tb_trace_frame) {
	.step = i, .pc = step.pc, .tracepoint = (uint32_t) place,
	.values = (uint32_t) (users != 0 ? i : 0)
      };
      if (users != 0)
	take_values (e, file, f, e->values + i * each);
      e->usage += f->size;
    }
  e->count = e->capacity = file->nframes;
  e->end = TB_EXPERIMENT_DONE;
  e->buffer_size = UINT64_MAX;
  return true;
}

void
experiment_from_file (struct target *t)
{
  const struct tb_trace_file *file = tb_session_trace_file (t->session);
  struct said said = { .diag = t->diag };
  struct tb_diag diag = { .report = take_message, .context = &said };
  struct tb_request_file definitions = { .path = NULL };
  struct experiment *x = calloc (1, sizeof *x);
  t->experiment = x;
  bool ok = x != NULL && tb_tracepoint_set_init (&x->trace.set)
	    && target_prepare (t);
  if (ok)
    {
      const struct tb_define_input in = { .tdesc = t->tdesc, .diag = &diag };
      x->started = x->stopped = x->fixed = x->keep = true;
      x->stop_notes = strdup ("end of the trace file");
      ok = tb_request_file_read (&definitions, file->path, &diag)
	   && tb_request_file_define (&definitions, &x->trace.set, &x->trace.set, true,
				      &in);
      /* As GDB is told of them (send_tracepoint).  */
      if (ok && x->trace.set.count > 0)
	qsort (x->trace.set.items, x->trace.set.count, sizeof *x->trace.set.items,
	       by_number);
      ok = ok && take_frames (t, &x->trace, file);
      tb_request_file_fini (&definitions);
    }
  if (!ok)
    {
      tb_warning (t->diag, "%s: its tracepoints are left out, and its frames are all of "
		  "tracepoint 1: %s", file->path,
		  said.error.size > 0 && !said.error.failed
		  ? (const char *) said.error.data
		  : "there are too many of them, or no memory");
      experiment_free (t);
    }
  tb_buffer_fini (&said.error);
}
