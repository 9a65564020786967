/* The state of the trace run: qTStatus, its definitions, state variables.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Tracepoint Packets"; GDB 13.1 where that is silent.  */

#include "config.h"
#include "tracing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "experiment.h"
#include "frames.h"
#include "threads.h"
#include "frame/collect.h"
#include "frame/definitions.h"
#include "recording/clock.h"
#include "recording/stamps.h"

/* Why there is no more trace.  */
static const char *
stop_note (const struct target *t)
{
  if (t->steps == 0)
    return "no trace: the state at the halt";
  switch (t->state != NULL ? tb_state_halt (t->state) : TB_HALT_NONE)
    {
    case TB_HALT_USED: return "the core halted";
    case TB_HALT_ELSEWHERE: return "the trace ends before the halt";
    case TB_HALT_UNCONFIRMED: return "the trace may end before the halt";
    case TB_HALT_CONTRADICTED: return "the halt contradicts the trace";
    case TB_HALT_NONE: break;
    }
  return "end of the trace";
}

/* Append why there is no more trace of each core of C: once what several have in common.  */
static void
put_stop_notes (struct client *c, struct tb_buffer *text)
{
  for (size_t i = 0; i < c->nthreads; i++)
    {
      const char *note = stop_note (threads_target (c, i));
      bool told = false, others = false;
      for (size_t k = 0; k < c->nthreads; k++)
	{
	  bool same = strcmp (stop_note (threads_target (c, k)), note) == 0;
	  told |= same && k < i;
	  others |= !same;
	}
      if (told)
	continue;
      tb_buffer_printf (text, "%s", i > 0 ? "; " : "");
      for (size_t k = i; others && k < c->nthreads; k++)
	if (strcmp (stop_note (threads_target (c, k)), note) == 0)
	  tb_buffer_printf (text, "%s%s", k > i ? ", " : "", threads_target (c, k)->name);
      tb_buffer_printf (text, "%s%s", others ? ": " : "", note);
    }
  tb_buffer_append (text, "", 1);
}

/* The status of a run that GDB made: why it ended.  */
static void
append_end (struct client *c, const struct experiment *x)
{
  const struct tb_experiment *e = &x->trace;
  const struct tb_tracepoint *first;
  uint64_t unknown = tb_experiment_unknown (e, &first);
  char text[200] = "end of the recording";
  unsigned number = 0;
  bool failed = true;
  switch (e->end)
    {
    case TB_EXPERIMENT_NOT_RUN:
      reply_text (c, "tnotrun:0");
      return;
    case TB_EXPERIMENT_PASSED:
      reply_printf (c, "tpasscount:%x", e->end_tracepoint);
      return;
    case TB_EXPERIMENT_FULL:
      reply_text (c, "tfull:0");
      return;
    case TB_EXPERIMENT_FAILED:
      snprintf (text, sizeof text, "%s", tb_agent_text (e->error));
      number = e->end_tracepoint;
      break;
    case TB_EXPERIMENT_INTERRUPTED:
      snprintf (text, sizeof text, "interrupted");
      break;
    case TB_EXPERIMENT_NO_MEMORY:
      snprintf (text, sizeof text, "no memory");
      break;
    case TB_EXPERIMENT_DONE:
      if (unknown != 0)
	{
	  snprintf (text, sizeof text, "conditions needed what is not known at %"
		    PRIu64 " places, first at step %" PRIu64, unknown,
		    first->first_unknown);
	  number = first->number;
	}
      else
	{
	  failed = false;
	  if (x->stop_notes != NULL && *x->stop_notes != 0)
	    snprintf (text, sizeof text, "%s", x->stop_notes);
	}
      break;
    }
  reply_text (c, failed ? "terror:" : "tstop:");
  tb_hex_append (&c->reply, text, strlen (text));
  reply_printf (c, ":%x", number);
}

static void
append_note (struct client *c, const char *key, const char *text)
{
  if (text == NULL || *text == 0)
    return;
  reply_printf (c, ";%s:", key);
  tb_hex_append (&c->reply, text, strlen (text));
}

static void
experiment_status (struct client *c, const struct experiment *x)
{
  const struct tb_experiment *e = &x->trace;
  const struct experiment *ended = x;
  uint64_t created = 0, count = frames_count (c);
  bool runs = false;
  for (size_t k = 0; k < c->nthreads; k++)
    {
      const struct experiment *other = threads_target (c, k)->experiment;
      if (other == NULL)
	continue;
      for (size_t i = 0; i < other->trace.set.count; i++)
	created += other->trace.set.items[i].hits;
      runs |= experiment_runs (other);
      /* What ended otherwise than with the recording is what is told.  */
      if (other->trace.end != TB_EXPERIMENT_DONE)
	ended = other;
    }
  if (created < count)
    created = count;
  if (runs)
    reply_text (c, "T1");
  else
    {
      reply_text (c, "T0;");
      append_end (c, ended);
    }
  reply_printf (c, ";tframes:%" PRIx64 ";tcreated:%" PRIx64, count, created);
  tb_definition_buffer (&c->reply, e->buffer_size, e->usage, e->circular, x->keep);
  append_note (c, "username", x->user);
  append_note (c, "notes", (x->notes == NULL || *x->notes == 0) && e->buffer_size == UINT64_MAX
		      ? "the trace buffer has no limit" : x->notes);
}

/* The first and the last time of all cores, in HEADER; 0: none is known.  */
static void
find_span (const struct client *c, struct tb_tracefile_header *header)
{
  bool found = false;
  for (size_t i = 0; i < c->nthreads; i++)
    {
      const struct target *t = threads_target (c, i);
      uint64_t first, last;
      if (!tb_stamps_span (t->recording, tb_session_clock (t->session), &first, &last))
	continue;
      header->start = !found || first < header->start ? first : header->start;
      header->stop = !found || last > header->stop ? last : header->stop;
      found = true;
    }
}

static void
status (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->may_give_up = true;
  if (experiment_of (c) != NULL)
    {
      experiment_status (c, c->target->experiment);
      return;
    }
  uint64_t frames = frames_count (c);
  struct tb_buffer stops = { 0 };
  put_stop_notes (c, &stops);
  struct tb_tracefile_header header = {
    .frames = frames, .created = frames,
    .stop_note = stops.failed ? stop_note (c->target) : (const char *) stops.data,
    .circular = c->target->buffer.is_circular,
    .buffer_size = c->target->buffer.is_limited ? c->target->buffer.size : 0
  };
  char notes[160];
  uint64_t moments = 0;
  for (size_t i = 0; i < c->nthreads; i++)
    moments += threads_target (c, i)->last + 1;
  if (frames < moments)
    {
      snprintf (notes, sizeof notes,
		c->nthreads == 1
		? "Frames are of the last %" PRIu64 " of %" PRIu64
		  " moments, \"monitor goto STEP\" goes to all of them"
		: "The first %" PRIu64 " of %" PRIu64
		  " moments have frames, \"monitor goto STEP\" goes to all of them",
		frames, moments);
      header.notes = notes;
    }
  else if (header.buffer_size == 0)
    header.notes = "the trace buffer has no limit";
  find_span (c, &header);
  reply_text (c, "T");
  tb_definition_status (&c->reply, &header);
  tb_buffer_fini (&stops);
}

/* The source of a tracepoint's location.  */
static void
send_location (struct client *c, unsigned number, uint64_t address,
	       const char *location)
{
  reply_printf (c, "Z%x:%" PRIx64 ":at:0:%zx:", number, address,
		strlen (location));
  tb_hex_append (&c->reply, location, strlen (location));
}

/* Send piece number *PIECE of T's definition, or take T's pieces off *PIECE.  What
   the client cannot make sense of is hidden: a command that it cannot parse ends
   its connection.  */
static bool
send_piece (struct client *c, const struct tb_tracepoint *t, size_t *piece)
{
  size_t pieces = tb_tracepoint_pieces (t);
  for (size_t i = 0; i < pieces; i++)
    {
      char location[40];
      bool hidden = i > 0 && !c->has_symbols
		    && tb_source_needs_symbols (&t->sources[i - 1]);
      if (hidden && t->sources[i - 1].kind != TB_SOURCE_AT)
	continue;
      if ((*piece)-- != 0)
	continue;
      snprintf (location, sizeof location, "*0x%" PRIx64, t->address);
      if (hidden)
	send_location (c, t->number, t->address, location);
      else
	tb_tracepoint_write (&c->reply, t, i);
      return true;
    }
  return false;
}

/* qTfP, and qTsP with the rest.  GDB creates the tracepoints in the reverse order,
   and must get them from the highest number on to give them the same numbers.  */
static void
send_tracepoint (struct client *c)
{
  const struct tb_experiment *e = experiment_of (c);
  size_t piece = c->piece++;
  for (size_t i = e != NULL ? e->set.count : 0; i-- > 0;)
    if (send_piece (c, &e->set.items[i], &piece))
      return;
  reply_text (c, "l");
}

static void
first_tracepoint (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->piece = 0;
  send_tracepoint (c);
}

static void
more_tracepoints (struct client *c, const struct packet_args *args)
{
  (void) args;
  send_tracepoint (c);
}

/* The value of one of the program's own variables.  */
static bool
own_value (struct client *c, unsigned own, int64_t *value)
{
  /* Two tell of the registers that GDB reads.  */
  const struct tb_moment *moment = own == TB_VAR_UNKNOWN || own == TB_VAR_ASSUMED
				   ? client_moment (c) : client_core_moment (c);
  if (own == TB_VAR_UNKNOWN_MEMORY)
    {
      *value = client_stacked (c) != NULL || c->filled_here;
      return moment != NULL && tb_moment_can_have (own, target_profile (c->target));
    }
  return moment != NULL
	 && tb_moment_variable (c->target->moments, moment, own, value);
}

bool
next_variable (struct client *c, size_t *at, struct trace_variable *v)
{
  const struct tb_experiment *e = experiment_of (c);
  if (e != NULL)
    {
      if (*at >= e->set.nvariables)
	return false;
      const struct tb_trace_variable *tv = &e->set.variables[(*at)++];
      *v = (struct trace_variable) { tv->number, tv->name, tv->initial, 0,
				     false };
      if (tv->own != 0)
	v->has_value = own_value (c, tv->own, &v->value);
      else
	{
	  const struct tb_value *value
	    = tb_experiment_value (e, experiment_frame (c), tv);
	  v->has_value = value->mask == UINT64_MAX;
	  v->value = (int64_t) value->bits;
	}
      return true;
    }
  size_t count;
  const struct tb_tsv_def *own
    = tb_moment_variables (&count);
  if (*at >= count)
    return false;
  own += (*at)++;
  *v = (struct trace_variable) { own->number, own->name, own->initial, 0,
				 false };
  v->has_value = own_value (c, own->number, &v->value);
  return true;
}

/* qTfV and qTsV: the state variables.  */
static void
send_variable (struct client *c)
{
  struct trace_variable v;
  if (!next_variable (c, &c->piece, &v))
    {
      reply_text (c, "l");
      return;
    }
  const struct tb_tsv_def def = { v.number, v.name, v.initial };
  tb_definition_variable (&c->reply, &def);
}

static void
first_variable (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->piece = 0;
  send_variable (c);
}

static void
more_variables (struct client *c, const struct packet_args *args)
{
  (void) args;
  send_variable (c);
}

static void
variable_value (struct client *c, const struct packet_args *args)
{
  struct trace_variable v;
  for (size_t at = 0; next_variable (c, &at, &v);)
    if (v.number == args->number[0] && v.has_value)
      {
	reply_printf (c, "V%" PRIx64, (uint64_t) v.value);
	return;
      }
  reply_text (c, "U");
}

/* qTP:NUMBER:ADDRESS; an empty reply where there is none.  */
static void
tracepoint_hits (struct client *c, const struct packet_args *args)
{
  uint64_t hits = 0, usage = 0;
  bool found = false;
  if (experiment_of (c) == NULL || args->number[0] > UINT32_MAX)
    return;
  for (size_t i = 0; i < c->nthreads; i++)
    {
      struct experiment *x = threads_target (c, i)->experiment;
      const struct tb_tracepoint *t
	= x != NULL ? tb_tracepoint_find (&x->trace.set, (unsigned) args->number[0],
					  args->number[1]) : NULL;
      found |= t != NULL;
      hits += t != NULL ? t->hits : 0;
      usage += t != NULL ? t->usage : 0;
    }
  if (found)
    reply_printf (c, "V%" PRIx64 ":%" PRIx64, hits, usage);
}

const struct packet_handler packets_tracing[] = {
  { "qTStatus", "", status },
  { "qTfP", "", first_tracepoint },
  { "qTsP", "", more_tracepoints },
  { "qTfV", "", first_variable },
  { "qTsV", "", more_variables },
  { "qTV:", "x", variable_value },
  { "qTP:", "x:x", tracepoint_hits },
  { NULL, NULL, NULL }
};
