/* Tracepoints after the fact: QTinit to QTStop.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Tracepoint Packets".  The program has run: QTStart looks
   through the recording when it replies, and QTStop ends the run.

   GDB sends all tracepoints that it has, so also the preloaded run's, which it was
   told of: that takes no part.  */

#include "config.h"
#include "experiment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "frames.h"
#include "server.h"
#include "threads.h"

void
experiment_free (struct target *t)
{
  struct experiment *x = t->experiment;
  if (x == NULL)
    return;
  tb_experiment_fini (&x->trace);
  free (x->user);
  free (x->notes);
  free (x->stop_notes);
  free (x);
  t->experiment = NULL;
}

bool
experiment_runs (const struct experiment *x)
{
  return x->started && !x->stopped && x->trace.end == TB_EXPERIMENT_DONE;
}

void
experiment_left (struct target *t)
{
  if (t->experiment != NULL && t->experiment->keep)
    return;
  experiment_free (t);
  t->buffer = (struct wanted_buffer) { .size = 0 };
}

void
experiment_outdated (struct target *t)
{
  if (t->experiment != NULL)
    t->experiment->stale = t->experiment->started && !t->experiment->fixed;
}

/* Conditions may need registers and memory anywhere.  Worked out from the end back
   more is known of them than if it were done where the run comes by.  */
static void
prepare_state (struct client *c, struct target *t, const struct tb_tracepoint_set *set)
{
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i].enabled
	&& tb_tracepoint_reads (&set->items[i]))
      {
	tb_state_prepare (t->state, t->watched, client_poll, c, t->diag);
	return;
      }
}

/* Look at no frame, and at the core that C looks at: a packet goes to each.  */
static void
leave_frame (struct client *c)
{
  size_t here = c->thread;
  frames_leave (c);
  threads_select (c, here);
}

/* Look through the recording.  */
static void
run (struct client *c)
{
  struct target *t = c->target;
  struct experiment *x = t->experiment;
  x->stale = false;
  leave_frame (c);
  client_forget (c);
  if (!target_prepare (t) || !target_prepare_visits (t))
    {
      x->trace.end = TB_EXPERIMENT_NO_MEMORY;
      return;
    }
  struct tb_experiment_input in = {
    .recording = t->recording, .visits = t->visits,
    .stage = target_stage (t), .first = 0,
    .register_bytes = t->tdesc->size,
    .go_on = client_poll, .context = c
  };
  in.end_known = target_end_pc (t, &in.end_pc);
  prepare_state (c, t, &x->trace.set);
  tb_visits_set_poll (t->visits, client_poll, c);
  tb_experiment_run (&x->trace, &in);
}

const struct tb_experiment *
experiment_of (struct client *c)
{
  struct experiment *x = c->target->experiment;
  if (x == NULL)
    return NULL;
  if (x->stale)
    run (c);
  return &x->trace;
}

uint64_t
experiment_frames (struct client *c)
{
  const struct tb_experiment *e = experiment_of (c);
  return e != NULL ? e->count : target_frames (c->target);
}

const struct tb_trace_frame *
experiment_frame (const struct client *c)
{
  const struct experiment *x = c->target->experiment;
  return x != NULL && c->frame >= 0 && !c->at_moment && (uint64_t) c->local < x->trace.count
	 ? tb_experiment_frame (&x->trace, (size_t) c->local) : NULL;
}

static void
initialise (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct target *t = c->target;
  experiment_free (t);
  leave_frame (c);
  client_forget (c);
  struct experiment *x = calloc (1, sizeof *x);
  if (x == NULL
      || !tb_tracepoint_set_init (&x->trace.set))
    {
      free (x);
      reply_error (c);
      return;
    }
  x->trace.buffer_size = t->buffer.is_limited ? t->buffer.size : UINT64_MAX;
  x->trace.circular = t->buffer.is_circular;
  t->experiment = x;
  reply_ok (c);
}

/* What every packet that needs an experiment begins with; NULL after an error
   reply.  */
static struct experiment *
defining (struct client *c)
{
  struct experiment *x = c->target->experiment;
  if (x == NULL)
    reply_error (c);
  else if (!x->fixed)
    {
      x->stale = x->started;
      /* Frames hold places in what may move now.  */
      leave_frame (c);
    }
  return x;
}

static void
done (struct client *c, bool ok)
{
  if (ok)
    reply_ok (c);
  else
    reply_error (c);
}

static void
define (struct client *c, const struct packet_args *args)
{
  struct experiment *x = defining (c);
  if (x != NULL)
    done (c, tb_tracepoint_read (&x->trace.set, args->text, args->length));
}

/* The number of the preloaded run's frames may be a tracepoint's now: then they get
   one that is nobody's.  */
static void
renumber_run (struct client *c, const struct tb_tracepoint_set *set)
{
  unsigned highest = 0;
  bool taken = false;
  for (size_t i = 0; i < set->count; i++)
    {
      const struct tb_tracepoint *t = &set->items[i];
      taken |= t->number == c->run_number;
      highest = t->number > highest ? t->number : highest;
    }
  if (taken)
    c->run_number = highest + 1;
}

static void
define_source (struct client *c, const struct packet_args *args)
{
  struct experiment *x = defining (c);
  if (x == NULL)
    return;
  done (c, tb_tracepoint_read_source (&x->trace.set, args->text,
				      args->length));
}

static void
define_variable (struct client *c, const struct packet_args *args)
{
  struct experiment *x = defining (c);
  if (x != NULL)
    done (c, tb_trace_variable_read (&x->trace.set, args->text,
				     args->length));
}

static void
switch_one (struct client *c, const struct packet_args *args, bool on)
{
  struct experiment *x = defining (c);
  struct tb_tracepoint *t = NULL;
  if (x == NULL)
    return;
  if (args->number[0] <= UINT32_MAX)
    t = tb_tracepoint_find (&x->trace.set, (unsigned) args->number[0],
			    args->number[1]);
  if (t != NULL)
    t->enabled = on;
  done (c, t != NULL);
}

static void
enable (struct client *c, const struct packet_args *args)
{
  switch_one (c, args, true);
}

static void
disable (struct client *c, const struct packet_args *args)
{
  switch_one (c, args, false);
}

static void
start (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct experiment *x = c->target->experiment;
  if (x == NULL)
    {
      reply_error (c);
      return;
    }
  c->may_give_up = true;
  x->started = true;
  x->stopped = x->fixed = false;
  free (x->stop_notes);
  x->stop_notes = NULL;
  renumber_run (c, &x->trace.set);
  run (c);
  experiment_tell (c, &x->trace);
  reply_ok (c);
}

static void
stop (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct experiment *x = c->target->experiment;
  if (x != NULL)
    x->stopped = true;
  /* Without one "monitor run restore" has ended it, which GDB does not know.  */
  reply_ok (c);
}

/* Memory that does not change needs no telling.  */
static void
accept_it (struct client *c, const struct packet_args *args)
{
  (void) args;
  done (c, c->target->experiment != NULL);
}

static void
keep_run (struct client *c, const struct packet_args *args)
{
  struct experiment *x = c->target->experiment;
  if (x != NULL)
    x->keep = args->number[0] != 0;
  reply_ok (c);
}

/* Have the runs of GDB's, the one there is and those to come, BUFFER.  Before the first one
   it is what the user wishes.  GDB does not leave its frame for that.  */
static void
change_buffer (struct client *c, struct wanted_buffer buffer)
{
  bool looked = c->frame >= 0;
  c->target->buffer = buffer;
  /* The frames of a trace file had theirs.  */
  if (c->target->experiment != NULL && !c->target->experiment->fixed)
    {
      struct experiment *x = defining (c);
      x->trace.buffer_size = buffer.is_limited ? buffer.size : UINT64_MAX;
      x->trace.circular = buffer.is_circular;
    }
  if (looked && c->frame < 0)
    client_console (c, "The run is made again for a buffer of another kind, and GDB still looks "
		    "at a frame\nof the one before: type \"tfind none\".\n");
  reply_ok (c);
}

static void
make_circular (struct client *c, const struct packet_args *args)
{
  struct wanted_buffer buffer = c->target->buffer;
  buffer.is_circular = args->number[0] != 0;
  change_buffer (c, buffer);
}

static void
set_size (struct client *c, const struct packet_args *args)
{
  struct wanted_buffer buffer = c->target->buffer;
  buffer.is_limited = true;
  buffer.size = args->number[0];
  change_buffer (c, buffer);
}

static void
set_no_size (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct wanted_buffer buffer = c->target->buffer;
  buffer.is_limited = false;
  change_buffer (c, buffer);
}

/* KEY:TEXT;..., the texts in hexadecimal.  */
static void
take_notes (struct client *c, const struct packet_args *args)
{
  struct experiment *x = c->target->experiment;
  const char *at = args->text, *end = args->text + args->length;
  if (x == NULL)
    {
      reply_ok (c);
      return;
    }
  const struct { const char *key; char **text; } notes[] = {
    { "user", &x->user }, { "notes", &x->notes }, { "tstop", &x->stop_notes }
  };
  while (at < end)
    {
      const char *next = memchr (at, ';', (size_t) (end - at));
      if (next == NULL)
	next = end;
      const char *colon = memchr (at, ':', (size_t) (next - at));
      for (size_t i = 0; colon != NULL && i < 3; i++)
	if (strlen (notes[i].key) == (size_t) (colon - at)
	    && memcmp (notes[i].key, at, (size_t) (colon - at)) == 0)
	  {
	    size_t digits = (size_t) (next - colon - 1);
	    char *text = calloc (1, digits / 2 + 1);
	    if (text != NULL)
	      tb_hex_decode (colon + 1, digits, (uint8_t *) text, digits / 2);
	    free (*notes[i].text);
	    *notes[i].text = text;
	  }
      at = next + 1;
    }
  reply_ok (c);
}

/* Is the reply an error?  */
static bool
is_error (const struct client *c)
{
  return c->reply.size > 0 && *c->reply.data == 'E';
}

/* Let HANDLE answer the packet of ARGS for each core, up to the first that cannot; else the
   replies are the same.  Where the runs stay as they are GDB goes on looking at its frame,
   and so does C.  */
static void
on_each (struct client *c, const struct packet_args *args,
	 void (*handle) (struct client *c, const struct packet_args *args))
{
  size_t selected = c->thread;
  bool looked = c->frame >= 0;
  for (size_t i = 0; i < c->nthreads; i++)
    {
      tb_buffer_clear (&c->reply);
      threads_select (c, i);
      handle (c, args);
      if (is_error (c))
	break;
    }
  threads_select (c, looked && c->frame < 0 ? c->user.core : selected);
  if (c->frame < 0)
    frames_outdated (c);
}

/* A function that answers a packet as HANDLE does, for each core.  */
#define ON_EACH(handle)						\
  static void							\
  handle##_each (struct client *c, const struct packet_args *args)	\
  {									\
    on_each (c, args, handle);						\
  }

ON_EACH (define)
ON_EACH (define_source)
ON_EACH (define_variable)
ON_EACH (enable)
ON_EACH (disable)
ON_EACH (accept_it)
ON_EACH (keep_run)
ON_EACH (make_circular)
ON_EACH (set_size)
ON_EACH (set_no_size)
ON_EACH (take_notes)
ON_EACH (start)
ON_EACH (stop)

/* All cores have a run of GDB's, or none has.  */
static void
initialise_each (struct client *c, const struct packet_args *args)
{
  on_each (c, args, initialise);
  for (size_t i = 0; is_error (c) && i < c->nthreads; i++)
    experiment_free (threads_target (c, i));
}

/* Static tracepoints are places that an agent in a running program knows.  */
static void
refuse_markers (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_text (c, "E.a program that has run has no markers of static tracepoints; \"trace\" "
	      "takes any place");
}

const struct packet_handler packets_experiment[] = {
  { "qTfSTM", "", refuse_markers },
  { "qTSTMat:", "*", refuse_markers },
  { "QTinit", "", initialise_each },
  { "QTDP:", "*", define_each },
  { "QTDPsrc:", "*", define_source_each },
  { "QTDV:", "*", define_variable_each },
  { "QTEnable:", "x:x", enable_each },
  { "QTDisable:", "x:x", disable_each },
  { "QTro", "*", accept_it_each },
  { "QTDisconnected:", "x", keep_run_each },
  { "QTBuffer:circular:", "x", make_circular_each },
  { "QTBuffer:size:", "x", set_size_each },
  { "QTBuffer:size:-1", "", set_no_size_each },
  { "QTNotes:", "*", take_notes_each },
  { "QTStart", "", start_each },
  { "QTStop", "", stop_each },
  { NULL, NULL, NULL }
};
