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
  if (t->experiment != NULL && !t->experiment->keep)
    experiment_free (t);
}

void
experiment_outdated (struct target *t)
{
  if (t->experiment != NULL)
    t->experiment->stale = t->experiment->started;
}

/* Conditions may need registers and memory anywhere.  Worked out from the end back
   more is known of them than if it were done where the run comes by.  */
static void
prepare_state (struct client *c, const struct tb_tracepoint_set *set)
{
  struct target *t = c->target;
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i].enabled
	&& tb_tracepoint_reads (&set->items[i]))
      {
	tb_state_prepare (t->state, t->watched, client_poll, c, t->diag);
	return;
      }
}

/* Look through the recording.  */
static void
run (struct client *c)
{
  struct target *t = c->target;
  struct experiment *x = t->experiment;
  x->stale = false;
  c->frame = -1;
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
  prepare_state (c, &x->trace.set);
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
  return x != NULL && c->frame >= 0
	 ? tb_experiment_frame (&x->trace, (size_t) c->frame) : NULL;
}

static void
initialise (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct target *t = c->target;
  experiment_free (t);
  c->frame = -1;
  client_forget (c);
  struct experiment *x = calloc (1, sizeof *x);
  if (x == NULL
      || !tb_tracepoint_set_init (&x->trace.set))
    {
      free (x);
      reply_error (c);
      return;
    }
  x->trace.buffer_size = UINT64_MAX;
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
  else
    {
      x->stale = x->started;
      /* Frames hold places in what may move now.  */
      c->frame = -1;
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

/* Say what the user should know before looking at the frames.  */
static void
tell (struct client *c, const struct tb_experiment *e)
{
  for (size_t i = 0; i < e->set.count; i++)
    {
      const struct tb_tracepoint *t = &e->set.items[i];
      if (t->unknown != 0)
	client_console (c, "Tracepoint %u: at %" PRIu64 " places its condition "
			"needs what is not known there (the first is step %"
			PRIu64 "); these are not among its %" PRIu64 " hits.  "
			"\"monitor run undecided\" lists them.\n",
			t->number, t->unknown, t->first_unknown, t->hits);
    }
  client_console (c, "The recording was looked through: %zu trace frame%s.  "
		  "Type \"tstop\", then look at them with \"tfind\".\n",
		  e->count, e->count == 1 ? "" : "s");
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
  c->keep_alive = true;
  x->started = true;
  x->stopped = false;
  free (x->stop_notes);
  x->stop_notes = NULL;
  renumber_run (c, &x->trace.set);
  run (c);
  tell (c, &x->trace);
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

static void
make_circular (struct client *c, const struct packet_args *args)
{
  struct experiment *x = defining (c);
  if (x == NULL)
    return;
  x->trace.circular = args->number[0] != 0;
  reply_ok (c);
}

static void
set_size (struct client *c, const struct packet_args *args)
{
  struct experiment *x = defining (c);
  if (x == NULL)
    return;
  x->trace.buffer_size = args->number[0];
  reply_ok (c);
}

static void
set_no_size (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct experiment *x = defining (c);
  if (x == NULL)
    return;
  x->trace.buffer_size = UINT64_MAX;
  reply_ok (c);
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

const struct packet_handler packets_experiment[] = {
  { "QTinit", "", initialise },
  { "QTDP:", "*", define },
  { "QTDPsrc:", "*", define_source },
  { "QTDV:", "*", define_variable },
  { "QTEnable:", "x:x", enable },
  { "QTDisable:", "x:x", disable },
  { "QTro", "*", accept_it },
  { "QTDisconnected:", "x", keep_run },
  { "QTBuffer:circular:", "x", make_circular },
  { "QTBuffer:size:", "x", set_size },
  { "QTBuffer:size:-1", "", set_no_size },
  { "QTNotes:", "*", take_notes },
  { "QTStart", "", start },
  { "QTStop", "", stop },
  { NULL, NULL, NULL }
};
