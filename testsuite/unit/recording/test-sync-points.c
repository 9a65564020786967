/* Decoding from each synchronisation point of a trace gives what decoding from
   the start gives there.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A trace that is made here and, where the environment variable TB_SHARED names
   the directory that has them, real captures.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "etmv4-run.h"
#include "long-trace.h"
#include "recording/session.h"

struct counts
{
  unsigned syncs;		/* But the last.  */
  unsigned same;		/* In the same state at the one after.  */
  unsigned suffixes;		/* Elements up to there: the end of what there
				   was from the start.  */
};

/* Read up to the next synchronisation packet or the end.  TEXT gets the
   elements from the first range on (FROM_RANGE) or all.  */
static bool
read_to_sync (struct tb_decoder *d, struct tb_buffer *text, bool from_range)
{
  struct tb_element elements[100];
  size_t n;
  bool on = !from_range;
  tb_buffer_clear (text);
  while ((n = d->read (d, elements, 100)) > 0 || d->at_sync)
    {
      for (size_t i = 0; i < n; i++)
	{
	  on |= elements[i].kind == TB_ELEMENT_RANGE;
	  if (on)
	    tb_element_text (text, &elements[i]);
	}
      if (d->at_sync)
	return true;
    }
  return false;
}

static bool
ends_with (const struct tb_buffer *whole, const struct tb_buffer *end)
{
  return end->size <= whole->size
	 && (end->size == 0
	     || memcmp (whole->data + whole->size - end->size, end->data,
			end->size) == 0);
}

static void
check_trace (const struct tb_decoder_config *config, struct counts *counts)
{
  struct tb_decoder *on = tb_decoder_open (config, NULL);
  struct tb_decoder *from = tb_decoder_open (config, NULL);
  struct tb_buffer x = { 0 }, y = { 0 };
  if (on == NULL || from == NULL || on->seek == NULL)
    goto done;
  on->stop_at_sync = from->stop_at_sync = true;
  bool more = read_to_sync (on, &x, false);
  while (more)
    {
      struct tb_stream_place sync = on->sync, at, there;
      uint64_t index = on->tell (on, &at);
      from->seek (from, &sync);
      if (!CHECK (read_to_sync (from, &y, false)))
	break;
      CHECK_INT (from->tell (from, &there), index);
      more = read_to_sync (on, &x, false);
      bool also = read_to_sync (from, &y, true);
      if (!more)
	break;
      counts->syncs++;
      void *a = on->save (on), *b = from->save (from);
      if (also && a != NULL && b != NULL && on->same (a, b))
	{
	  CHECK (on->same (b, a));
	  counts->same++;
	  counts->suffixes += ends_with (&x, &y);
	  /* And what comes then is the same.  */
	  struct tb_element e[64], f[64];
	  size_t n = on->read (on, e, 64), m = from->read (from, f, 64);
	  if (CHECK_INT (m, n))
	    for (size_t i = 0; i < n; i++)
	      CHECK (e[i].index == f[i].index && e[i].kind == f[i].kind);
	  on->restore (on, a);
	}
      free (a);
      free (b);
    }
done:
  tb_buffer_fini (&x);
  tb_buffer_fini (&y);
  if (on != NULL)
    tb_decoder_close (on);
  if (from != NULL)
    tb_decoder_close (from);
}

static void
test_made (void)
{
  struct tb_buffer trace = { 0 };
  struct run run;
  struct counts counts = { 0 };
  long_trace_make (&trace, 100000, 300);
  if (!CHECK (!trace.failed)
      || !run_init (&run, &long_trace_unit, trace.data, trace.size))
    return;
  check_trace (&run.config, &counts);
  CHECK (counts.syncs > 300);
  CHECK_INT (counts.same, counts.syncs);
  CHECK_INT (counts.suffixes, counts.syncs);
  run_fini (&run);
  tb_buffer_fini (&trace);
}

/* How many synchronisation points of captures are as good as the start, known
   from a first look at them: the rest are at places where trace is lost.  */
static const struct
{
  const char *name;
  unsigned syncs, same;
} table[] = {
  { "bugfix-exact-match", 226, 226 },
  { "juno_r1_1", 35, 35 },
  { "juno-ret-stck", 14, 14 },
  { "001-ack_test", 0, 0 }
};

static void
test_real (const char *shared)
{
  char path[1024];
  snprintf (path, sizeof path, "%s/snapshots", shared);
  DIR *dir = opendir (path);
  struct dirent *entry;
  unsigned seen = 0;
  if (!CHECK (dir != NULL))
    return;
  while ((entry = readdir (dir)) != NULL)
    {
      struct tb_session session;
      struct counts counts = { 0 };
      snprintf (path, sizeof path, "%s/snapshots/%s", shared, entry->d_name);
      if (entry->d_name[0] == '.'
	  || tb_session_open (&session, path, NULL, NULL) != TB_OK)
	continue;
      for (size_t i = 0; i < session.nstreams; i++)
	if (session.streams[i].protocol != NULL)
	  {
	    struct tb_decoder_config config;
	    tb_session_decoder_config (&session.streams[i], &config);
	    check_trace (&config, &counts);
	  }
      tb_session_close (&session);
      if (counts.syncs > 0)
	printf ("%s: %u synchronisation points, from %u the same, %u of them "
		"from the first range on\n", entry->d_name, counts.syncs,
		counts.same, counts.suffixes);
      for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
	if (strcmp (table[i].name, entry->d_name) == 0)
	  {
	    CHECK_INT (counts.syncs, table[i].syncs);
	    CHECK_INT (counts.same, table[i].same);
	    seen++;
	  }
    }
  closedir (dir);
  CHECK_INT (seen, sizeof table / sizeof table[0]);
}

int
main (void)
{
  test_made ();
  const char *shared = getenv ("TB_SHARED");
  if (shared != NULL)
    test_real (shared);
  return check_done ();
}
