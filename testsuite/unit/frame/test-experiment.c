/* Trace experiments, compared with walking every step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "frame/experiment.h"
#include "recording/session.h"

/* Recordings that are not among the samples.  */
static const char *const cases[] = {
  "corpus/cases/p07-mtb-m33-sort-64k", "corpus/cases/p11-etm4-a57-sort",
  "corpus/cases/p15-etm4-m33-list-gap"
};

#define TRACEPOINTS 6
#define ROUNDS 40
#define REGISTER_BYTES 0x44

static uint32_t random_state = 1;

static unsigned
chance (unsigned below)
{
  random_state = random_state * 1664525 + 1013904223;
  return (random_state >> 8) % below;
}

/* A tracepoint as it was made up.  */
struct wanted
{
  uint64_t address, steps, pass;
  unsigned modulus, rest;	/* $step % MODULUS == REST; 0: no condition.  */
  bool enabled;
  bool listed;			/* By the moments that ADDRESS has.  */
  bool counts;			/* teval $n = $n + 1  */
};

struct world
{
  struct tb_recording *recording;
  struct tb_visits *visits;
  struct tb_moments *moments;
  const struct tb_step *steps;
  uint64_t count;
  bool end_known;
  uint64_t end_pc;
  bool gap_at_end;
};

/* Variable 0x63 is $n.  */
static void
define (struct tb_tracepoint_set *set, const struct wanted *w, unsigned number)
{
  char text[200], condition[40] = "";
  /* getv 1, const8, rem_unsigned, const8, equal, end  */
  if (w->modulus != 0)
    snprintf (condition, sizeof condition, ":Xa,2c000122%02x0822%02x1327",
	      w->modulus, w->rest);
  snprintf (text, sizeof text, "%x:%" PRIx64 ":%c:%" PRIx64 ":%" PRIx64 "%s",
	    number, w->address, w->enabled ? 'E' : 'D', w->steps, w->pass,
	    condition);
  CHECK (tb_tracepoint_read (set, text, strlen (text)));
  if (!w->counts)
    return;
  /* Registers; getv $n, const8 1, add, setv $n, end.  */
  snprintf (text, sizeof text, "-%x:%" PRIx64
	    ":RffffX0000000a,2c00632201022d006327", number, w->address);
  CHECK (tb_tracepoint_read (set, text, strlen (text)));
}

/* Let T be at all moments of its address, and not at it.  */
static void
list (struct tb_tracepoint *t, const struct world *w)
{
  t->listed = true;
  t->moments = malloc ((size_t) (w->count + 1) * sizeof *t->moments);
  for (uint64_t i = 0; i < w->count; i++)
    if (w->steps[i].pc == t->address)
      t->moments[t->nmoments++] = i;
  if (w->end_known && w->end_pc == t->address)
    t->moments[t->nmoments++] = w->count;
}

/* The same by walking every step.  */
struct model
{
  const struct wanted *points;
  size_t order[TRACEPOINTS];	/* Places, by address.  */
  uint64_t left[TRACEPOINTS], hits[TRACEPOINTS], n;
  uint64_t size, used, from, end;
  bool circular, passed, full;
  struct model_frame { uint64_t step; size_t place; bool stepping; uint64_t n; }
    *frames;
  size_t count, first;
};

static void
model_frame (struct model *m, size_t place, uint64_t step, bool stepping)
{
  uint64_t head = 6;
  uint64_t cost = head + (m->points[place].counts && !stepping
			  ? 1 + REGISTER_BYTES : 0);
  while (!m->full && m->size - m->used < cost)
    if (m->circular && m->first < m->count)
      {
	const struct model_frame *f = &m->frames[m->first++];
	m->used -= head + (m->points[f->place].counts && !f->stepping
			   ? 1 + REGISTER_BYTES : 0);
      }
    else
      m->full = true;
  if (m->full)
    return;
  m->frames[m->count++] = (struct model_frame) { step, place, stepping, m->n };
  m->used += cost;
}

static void
model_moment (struct model *m, uint64_t step, uint64_t pc)
{
  for (size_t i = 0; i < TRACEPOINTS; i++)
    {
      size_t p = m->order[i];
      if (m->left[p] == 0 || m->full
	  || (m->points[p].address == pc && !m->passed))
	continue;
      m->left[p]--;
      model_frame (m, p, step, true);
    }
  for (size_t i = 0; i < TRACEPOINTS; i++)
    {
      size_t p = m->order[i];
      const struct wanted *w = &m->points[p];
      if (w->address != pc || m->passed || m->full || !w->enabled)
	continue;
      bool stepping = m->left[p] != 0;
      m->left[p] -= stepping;
      if (w->modulus == 0 || step % w->modulus == w->rest)
	{
	  m->hits[p]++;
	  m->n += w->counts;
	  model_frame (m, p, step, false);
	  if (w->steps != 0)
	    m->left[p] = w->steps;
	  m->passed |= w->pass != 0 && m->hits[p] >= w->pass;
	}
      else if (stepping)
	model_frame (m, p, step, true);
    }
}

/* By address, then those that are listed.  */
static bool
is_before (const struct wanted *a, const struct wanted *b)
{
  return a->listed != b->listed ? b->listed
	 : !a->listed && a->address < b->address;
}

static void
model_run (struct model *m, const struct world *w)
{
  for (size_t i = 0; i < TRACEPOINTS; i++)
    {
      size_t at = i;
      for (; at > 0 && is_before (&m->points[i], &m->points[m->order[at - 1]]);
	   at--)
	m->order[at] = m->order[at - 1];
      m->order[at] = i;
    }
  for (uint64_t i = m->from;
       i < w->count + w->end_known && i < m->end && !m->full; i++)
    {
      if (i < w->count ? (w->steps[i].flags & TB_STEP_AFTER_GAP) != 0
		       : w->gap_at_end)
	memset (m->left, 0, sizeof m->left);
      model_moment (m, i, i < w->count ? w->steps[i].pc : w->end_pc);
    }
}

static void
compare (const struct tb_experiment *e, const struct model *m)
{
  enum tb_experiment_end end = m->full ? TB_EXPERIMENT_FULL
			       : m->passed ? TB_EXPERIMENT_PASSED
			       : TB_EXPERIMENT_DONE;
  CHECK_INT (e->end, end);
  CHECK_INT (e->usage, m->used);
  if (!CHECK_INT (e->count, m->count - m->first))
    return;
  const struct tb_trace_variable *n = tb_trace_variable_find (&e->set, 0x63);
  for (size_t i = 0; i < e->count; i++)
    {
      const struct tb_trace_frame *f = tb_experiment_frame (e, i);
      const struct model_frame *g = &m->frames[m->first + i];
      if (!CHECK_INT (f->step, g->step) || !CHECK_INT (f->tracepoint, g->place)
	  || !CHECK_INT (f->stepping, g->stepping)
	  || !CHECK_INT (tb_experiment_value (e, f, n)->bits, g->n))
	return;
    }
  for (size_t i = 0; i < TRACEPOINTS; i++)
    CHECK_INT (e->set.items[i].hits, m->hits[i]);
}

/* What "tfind" finds among the frames.  */
static void
test_find (const struct tb_experiment *e, const struct wanted *points)
{
  size_t from = 0;
  for (size_t i = 0; i < e->count && i < 300; i++)
    if (e->set.items[e->frames[i].tracepoint].number == 2)
      {
	CHECK_INT (tb_experiment_find_tracepoint (e, from, 2), i);
	from = i + 1;
      }
  from = 0;
  for (size_t i = 0; i < e->count && i < 300; i++)
    if (e->frames[i].pc == points[0].address)
      {
	CHECK_INT (tb_experiment_find_pc (e, from, points[0].address,
					  points[0].address, false), i);
	from = i + 1;
      }
    else
      CHECK_INT (tb_experiment_find_pc (e, i, points[0].address,
					points[0].address, true), i);
  CHECK_INT (tb_experiment_find_pc (e, 0, 1, 1, false), e->count);
}

static void
test_round (const struct world *w)
{
  struct wanted points[TRACEPOINTS];
  struct tb_experiment e = { .buffer_size = UINT64_MAX };
  CHECK (tb_tracepoint_set_init (&e.set));
  CHECK (tb_trace_variable_read (&e.set, "63:0:0:6e", 9));
  bool passes = chance (3) == 0;
  for (unsigned i = 0; i < TRACEPOINTS; i++)
    {
      points[i] = (struct wanted) {
	.address = i > 0 && chance (6) == 0
		   ? points[i - 1].address
		   : w->steps[chance ((unsigned) w->count)].pc,
	.steps = chance (2) == 0 ? chance (9) : 0,
	.pass = passes && chance (2) == 0 ? 1 + chance (9) : 0,
	.modulus = chance (2) == 0 ? 2 + chance (9) : 0,
	.enabled = chance (8) != 0, .counts = chance (2) == 0,
	.listed = chance (3) == 0
      };
      if (points[i].modulus != 0)
	points[i].rest = chance (points[i].modulus);
      define (&e.set, &points[i], i + 1);
      if (points[i].listed)
	list (&e.set.items[i], w);
    }
  if (chance (3) == 0)
    e.buffer_size = chance (4000);
  e.circular = chance (2) == 0;

  struct model m = { .points = points, .size = e.buffer_size,
		     .circular = e.circular, .end = UINT64_MAX };
  if (chance (3) == 0)
    {
      m.from = chance ((unsigned) w->count);
      m.end = m.from + 1 + chance ((unsigned) w->count);
    }
  m.frames = malloc ((size_t) (w->count + 1) * TRACEPOINTS * sizeof *m.frames);
  model_run (&m, w);
  const struct tb_experiment_input in = {
    .recording = w->recording, .visits = w->visits,
    .stage = { w->moments, NULL, NULL }, .first = m.from,
    .end = m.end != UINT64_MAX ? m.end : 0, .end_known = w->end_known,
    .end_pc = w->end_pc, .register_bytes = REGISTER_BYTES
  };
  tb_experiment_run (&e, &in);
  compare (&e, &m);
  /* Once more: nothing is left of the first time.  */
  tb_experiment_run (&e, &in);
  compare (&e, &m);
  test_find (&e, points);
  free (m.frames);
  tb_experiment_fini (&e);
}

static void
test_stream (const struct tb_session *session,
	     const struct tb_session_stream *stream)
{
  struct tb_diag diag = { 0 };
  struct tb_recording *r
    = tb_recording_open (tb_session_decoder (session, stream, &diag),
			 &stream->core->profile, stream->core->map, &diag);
  if (!CHECK (r != NULL))
    return;
  struct tb_state_options options = { .core = stream->core->device };
  struct tb_state *s = tb_state_open (r, &options, &diag);
  struct tb_tdesc *tdesc = tb_tdesc_own (&stream->core->profile, NULL);
  const struct tb_recording_info *info = tb_recording_info (r);
  struct tb_event events[16];
  struct world w = { .recording = r, .visits = tb_visits_new (r),
		     .moments = s != NULL ? tb_moments_new (s, r, tdesc) : NULL,
		     .count = tb_recording_steps (r),
		     .end_known = info->end_known,
		     .end_pc = info->end_pc & ~UINT64_C (1) };
  size_t n = tb_recording_events (r, w.count, w.count, events, 16);
  for (size_t i = 0; i < n && i < 16; i++)
    w.gap_at_end |= events[i].kind == TB_EVENT_GAP;
  struct tb_step *steps = malloc ((size_t) w.count * sizeof *steps + 1);
  w.steps = steps;
  if (CHECK (w.visits != NULL && w.moments != NULL)
      && CHECK_INT (tb_recording_read (r, 0, steps, (size_t) w.count), w.count))
    for (unsigned i = 0; i < ROUNDS; i++)
      test_round (&w);
  free (steps);
  tb_moments_free (w.moments);
  tb_tdesc_free (tdesc);
  tb_visits_free (w.visits);
  tb_state_close (s);
  tb_recording_close (r);
}

static void
test_snapshot (const char *path)
{
  struct tb_session session;
  struct tb_diag diag = { 0 };
  if (!CHECK_INT (tb_session_open (&session, path, NULL, &diag), TB_OK))
    {
      fprintf (stderr, "%s\n", path);
      return;
    }
  for (size_t i = 0; i < session.nstreams; i++)
    if (session.streams[i].protocol != NULL
	&& !session.streams[i].protocol->software)
      test_stream (&session, &session.streams[i]);
  tb_session_close (&session);
}

int
main (void)
{
  const char *source = getenv ("srcdir"), *shared = getenv ("TB_SHARED");
  char path[4096];
  for (unsigned i = 0; i < 2; i++)
    {
      snprintf (path, sizeof path, "%s/samples/%s",
		source != NULL ? source : ".", i == 0 ? "crash-m0" : "gap-m0");
      test_snapshot (path);
    }
  for (size_t i = 0; shared != NULL && i < sizeof cases / sizeof cases[0]; i++)
    {
      snprintf (path, sizeof path, "%s/%s", shared, cases[i]);
      test_snapshot (path);
    }
  return check_done ();
}
