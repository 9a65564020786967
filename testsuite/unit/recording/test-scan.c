/* Scanning a trace: what checkpoints say holds where they stand, whatever the
   number of threads.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Where the environment variable TB_SHARED names the directory that has them,
   with real captures too.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "etmv4-run.h"
#include "long-trace.h"
#include "recording/gap-walk.h"
#include "recording/scan.h"
#include "recording/session.h"

static bool
same_start (const struct tb_window_start *a, const struct tb_window_start *b)
{
  return CHECK_INT (a->elements, b->elements) && CHECK_INT (a->step, b->step)
	 && CHECK_INT (a->timestamp, b->timestamp)
	 && CHECK_INT (a->cycles, b->cycles)
	 && CHECK_INT (a->has_timestamp, b->has_timestamp)
	 && CHECK_INT (a->has_cycles, b->has_cycles)
	 && CHECK_INT (a->has_context, b->has_context)
	 && CHECK_INT (a->context_flags, b->context_flags)
	 && CHECK_INT (a->context_id, b->context_id)
	 && CHECK_INT (a->context_vmid, b->context_vmid)
	 && CHECK_INT (a->context_el, b->context_el)
	 && CHECK_INT (a->context_security, b->context_security)
	 && CHECK_INT (a->gap_before, b->gap_before)
	 && CHECK_INT (a->events_before, b->events_before);
}

static void
same_info (const struct tb_recording_info *a,
	   const struct tb_recording_info *b)
{
  CHECK_INT (a->steps, b->steps);
  CHECK_INT (a->ranges, b->ranges);
  CHECK_INT (a->exceptions, b->exceptions);
  CHECK_INT (a->gaps, b->gaps);
  CHECK_INT (a->lead_in, b->lead_in);
  CHECK_INT (a->end_known, b->end_known);
  CHECK_INT (a->end_pc, b->end_pc);
}

static void
same_index (const struct tb_id_index *a, const struct tb_id_index *b)
{
  if (CHECK_INT (a->nblocks, b->nblocks))
    for (size_t i = 0; i < a->nblocks; i++)
      {
	const struct tb_id_block *x = &a->blocks[i], *y = &b->blocks[i];
	CHECK_INT (x->number, y->number);
	CHECK_INT (x->first_sync, y->first_sync);
	CHECK_INT (x->first_timestamp, y->first_timestamp);
	CHECK_INT (x->last_timestamp, y->last_timestamp);
	CHECK_INT (x->last_context, y->last_context);
	for (int k = 0; k < TB_ID_KINDS; k++)
	  CHECK_INT (x->counts[k], y->counts[k]);
      }
}

/* Each checkpoint of SCAN, with one decoder that reads on from the start and
   one that goes to each.  */
static void
check_checkpoints (const struct tb_scan *scan,
		   const struct tb_decoder_config *config)
{
  struct tb_decoder *on = tb_decoder_open (config, NULL);
  struct tb_decoder *there = tb_decoder_open (config, NULL);
  struct tb_window_start at = { 0 };
  if (!CHECK (on != NULL && there != NULL))
    return;
  for (size_t i = 0; i < scan->checkpoints.count; i++)
    {
      const struct tb_checkpoint *c = &scan->checkpoints.items[i];
      struct tb_element a[50], b[50];
      size_t n;
      while (at.elements < c->start.elements)
	{
	  uint64_t left = c->start.elements - at.elements;
	  n = on->read (on, a, left < 50 ? left : 50);
	  if (!CHECK (n > 0))
	    break;
	  for (size_t k = 0; k < n; k++)
	    tb_window_advance (&at, &a[k]);
	}
      if (!same_start (&at, &c->start))
	break;
      there->restore (there, c->saved);
      void *back = on->save (on);
      n = on->read (on, a, 50);
      CHECK_INT (there->read (there, b, 50), n);
      struct tb_buffer x = { 0 }, y = { 0 };
      for (size_t k = 0; k < n; k++)
	{
	  tb_element_text (&x, &a[k]);
	  tb_element_text (&y, &b[k]);
	}
      CHECK (x.size == y.size && (x.size == 0
				  || memcmp (x.data, y.data, x.size) == 0));
      tb_buffer_fini (&x);
      tb_buffer_fini (&y);
      on->restore (on, back);
      free (back);
    }
  tb_decoder_close (on);
  tb_decoder_close (there);
}

/* The next gaps of WALK that lie before one step, as one.  */
static bool
next_noted (struct tb_gap_walk *walk, struct tb_gap *ahead, bool *more, struct tb_gap *gap)
{
  if (!*more)
    return false;
  *gap = *ahead;
  while ((*more = tb_gap_next (walk, ahead)) && ahead->step == gap->step)
    gap->fault |= ahead->fault;
  return true;
}

/* The gaps that a recording noted are those of its events, whatever the number of JOBS.  */
static void
check_gaps (const struct tb_decoder_config *config, unsigned jobs)
{
  const struct tb_recording_options options = { .jobs = jobs };
  struct tb_recording *noted = tb_recording_open_trace (config, &options, NULL);
  struct tb_recording *r = tb_recording_open_trace (config, NULL, NULL);
  if (!CHECK (noted != NULL && r != NULL))
    return;
  uint64_t total = tb_recording_steps (r), seen = 0;
  struct tb_gap_walk walk = tb_gap_walk_from (noted, 0, total);
  struct tb_event_walk events = { .recording = r };
  struct tb_gap ahead, gap = { 0, false };
  bool more = tb_gap_next (&walk, &ahead), here = false, fault = false;
  CHECK (config->facts != NULL || tb_recording_windows (r) == 0 || walk.noted);
  for (const struct tb_event *e; (e = tb_event_next (&events)) != NULL;)
    {
      if (e->kind != TB_EVENT_GAP)
	continue;
      if (!here || e->step != gap.step)
	{
	  CHECK (!here || gap.fault == fault);
	  here = next_noted (&walk, &ahead, &more, &gap);
	  fault = false;
	  if (!CHECK (here) || !CHECK_INT (gap.step, e->step))
	    break;
	  seen++;
	}
      fault |= e->reason == TB_REASON_BAD_IMAGE;
    }
  CHECK (!here || gap.fault == fault);
  CHECK (!more);
  /* From a place in the middle on.  */
  walk = tb_gap_walk_from (noted, total / 2, total);
  if (tb_gap_next (&walk, &gap))
    CHECK (gap.step >= total / 2);
  CHECK (seen >= tb_recording_info (r)->gaps);
  tb_recording_close (r);
  tb_recording_close (noted);
}

static void
check_trace (const struct tb_decoder_config *config)
{
  struct tb_decoder *d = tb_decoder_open (config, NULL);
  struct tb_scan one = { .index = { .block_size = 512 } };
  if (d == NULL)
    return;
  CHECK (tb_scan_decoder (&one, d));
  tb_decoder_close (d);
  check_checkpoints (&one, config);
  for (unsigned jobs = 1; jobs <= 4; jobs++)
    {
      struct tb_scan scan = { .index = one.index };
      scan.index.blocks = NULL;
      scan.index.nblocks = scan.index.block_capacity = 0;
      const struct tb_sections_options options = { .jobs = jobs, .size = 5000 };
      CHECK_INT (tb_scan_trace (&scan, config, &options, NULL), TB_OK);
      same_info (&scan.info, &one.info);
      same_index (&scan.index, &one.index);
      if (jobs > 1)
	check_checkpoints (&scan, config);
      tb_scan_fini (&scan);
      check_gaps (config, jobs);
    }
  tb_scan_fini (&one);
}

static void
test_made (void)
{
  struct tb_buffer trace = { 0 };
  struct run run;
  long_trace_make (&trace, 300000, 500);
  if (!CHECK (!trace.failed)
      || !run_init (&run, &long_trace_unit, trace.data, trace.size))
    return;
  check_trace (&run.config);
  /* Gaps where synchronisation is lost.  */
  for (size_t at = 3000; at < trace.size; at += 2503)
    trace.data[at] = 0x0f;
  check_trace (&run.config);
  /* Sections without any step first.  */
  memset (trace.data, 0x70, 30000);
  check_trace (&run.config);
  run_fini (&run);
  tb_buffer_fini (&trace);
}

/* Where the program stands when the trace is over: behind a branch that was not taken, at the
   target of one that was, and nowhere behind a return that no call came before.  */
static void
test_end (void)
{
  static const struct { unsigned pc; uint8_t atoms[3]; bool known; unsigned end; } rows[] = {
    { 0, { 0xf6 }, true, 4 },			/* cbz, not taken  */
    { 0, { 0xf7 }, true, 12 },			/* cbz, taken  */
    { 4, { 0xf7 }, true, 20 },			/* bl  */
    { 20, { 0xf6, 0xf7 }, false, 0 },		/* cbz, not taken; ret  */
    { 4, { 0xf7, 0xf6 }, true, 24 }		/* bl; cbz, not taken  */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_buffer trace = { 0 };
      struct long_trace t = { .trace = &trace, .pc = rows[i].pc };
      struct tb_scan scan = { .index = { .block_size = 0 } };
      struct run run;
      long_trace_sync (&t, true);
      for (size_t k = 0; k < 3 && rows[i].atoms[k] != 0; k++)
	long_trace_byte (&trace, rows[i].atoms[k]);
      if (CHECK (!trace.failed)
	  && run_init (&run, &long_trace_unit, trace.data, trace.size))
	{
	  struct tb_decoder *d = tb_decoder_open (&run.config, NULL);
	  if (CHECK (d != NULL) && CHECK (tb_scan_decoder (&scan, d)))
	    {
	      CHECK (scan.info.steps > 0);
	      if (!CHECK_INT (scan.info.end_known, rows[i].known)
		  || (rows[i].known
		      && !CHECK_INT (scan.info.end_pc, LONG_TRACE_CODE + rows[i].end)))
		fprintf (stderr, "  row %zu\n", i);
	    }
	  tb_decoder_close (d);
	  run_fini (&run);
	}
      tb_scan_fini (&scan);
      tb_buffer_fini (&trace);
    }
}

static void
test_real (const char *shared)
{
  static const char *const names[] = { "snapshots", "corpus/cases" };
  for (int i = 0; i < 2; i++)
    {
      char path[1024];
      snprintf (path, sizeof path, "%s/%s", shared, names[i]);
      DIR *dir = opendir (path);
      struct dirent *entry;
      if (!CHECK (dir != NULL))
	continue;
      while ((entry = readdir (dir)) != NULL)
	{
	  struct tb_session session;
	  snprintf (path, sizeof path, "%s/%s/%s", shared, names[i],
		    entry->d_name);
	  if (entry->d_name[0] == '.'
	      || tb_session_open (&session, path, NULL, NULL) != TB_OK)
	    continue;
	  for (size_t k = 0; k < session.nstreams; k++)
	    {
	      struct tb_decoder_config config;
	      tb_session_decoder_config (&session.streams[k], &config);
	      if (session.streams[k].protocol != NULL)
		check_trace (&config);
	    }
	  tb_session_close (&session);
	}
      closedir (dir);
    }
}

int
main (void)
{
  test_end ();
  test_made ();
  const char *shared = getenv ("TB_SHARED");
  if (shared != NULL)
    test_real (shared);
  return check_done ();
}
