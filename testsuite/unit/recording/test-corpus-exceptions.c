/* MTB and ETMv4 against one more judge: which exceptions programs took that
   were recorded in an emulator, by number and place, through a recording.

   Needs the environment variable TB_SHARED, the directory that has "corpus".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "corpus.h"
#include "corpus-a64.h"
#include "decode/element.h"
#include "recording/recording.h"
#include "recording/session.h"

static const struct row
{
  const char *name, *source, *truth;
  unsigned exceptions;		/* In the truth.  */
  bool a64;
  bool halts;			/* The trace ends with a debug halt.  */
  bool unnamed;			/* Handlers are shared, so that where an
				   exception goes does not tell which it is.  */
} rows[] =
{
  { "p01-mtb-m0-irq-1k", "mtb_0", "truth.bin.xz", 3, false, false, false },
  { "p05-mtb-m33-irq-16k", "mtb_0", "truth.bin.xz", 24, false, false, true },
  { "p08-etm4-m33-irq", "etm_0", "truth.bin.xz", 40, false, false, false },
  { "p10-etm4-m7-irq", "etm_0", "truth.bin.xz", 40, false, false, false },
  { "p12-etm4-a57-irq-cc", "etm_0", "truth.bin.xz", 49, true, false, false },
  { "p16-etm4-a57-irq-halt", "etm_0", "truth.bin.xz", 32, true, true, false },
  { "p17-etm4-a53t-irq", "etm_0", "truth.bin.xz", 48, false, false, false },
  { "p28-multi-a57x2-itm", "etm_0", "c0_truth.bin.xz", 22, true, false,
    false },
  { "p28-multi-a57x2-itm", "etm_1", "c1_truth.bin.xz", 0, true, false,
    false },
  { "p29-etm4-a57-irq-el0", "etm_0", "truth.bin.xz", 72, true, false, false }
};

/* The exceptions before step N: how many, and the number of the first.  */
static unsigned
exceptions_before (struct tb_recording *r, uint64_t n, unsigned *number)
{
  struct tb_event events[16];
  size_t count = tb_recording_events (r, n, n, events, 16);
  unsigned found = 0;

  for (size_t i = 0; i < count && i < 16; i++)
    if (events[i].kind == TB_EVENT_EXCEPTION && found++ == 0)
      *number = events[i].exception;
  return found;
}

/* Is before step N what its truth says: NUMBER where TAKEN, else nothing?  */
static bool
same_exception (struct tb_recording *r, uint64_t n, bool taken,
		unsigned number, bool unnamed)
{
  unsigned got = 0;
  bool same = CHECK_INT (exceptions_before (r, n, &got), taken);

  if (same && taken && !(unnamed && got == TB_EXCEPTION_UNKNOWN))
    same = CHECK_INT (got, number);
  return same;
}

/* A debug halt is told behind the last step, and is no exception.  */
static void
check_halt (struct tb_recording *r, const struct row *row, uint64_t end)
{
  struct tb_event events[16];
  size_t count = tb_recording_events (r, end, end, events, 16);
  unsigned number = 0, halts = 0;

  CHECK_INT (exceptions_before (r, end, &number), 0);
  for (size_t i = 0; i < count && i < 16; i++)
    halts += events[i].kind == TB_EVENT_HALT;
  CHECK_INT (halts, row->halts);
}

static void
check_steps (struct tb_recording *r, const struct row *row, const void *truth,
	     size_t count, bool is_m)
{
  const struct corpus_step *narrow = truth;
  const struct corpus_step_64 *wide = truth;
  unsigned expected = 0, wrong = 0;

  CHECK_INT (tb_recording_steps (r), count);
  for (size_t n = 0; n < count && wrong < 3; n++)
    {
      unsigned flags = row->a64 ? wide[n].flags : narrow[n].flags;
      unsigned number = row->a64 ? wide[n].exception : narrow[n].exception;
      bool taken = (flags & CORPUS_EXCEPTION) != 0;
      expected += taken;
      /* The A profile's are those of ETMv4 with a mark.  */
      if (!is_m && taken && CHECK ((number & 0x8000) != 0))
	number &= 0x7fff;
      if (!same_exception (r, n, taken, number, row->unnamed))
	{
	  fprintf (stderr, "%s, %s, step %zu\n", row->name, row->source, n);
	  wrong++;
	}
    }
  if (wrong == 0)
    CHECK_INT (expected, row->exceptions);
  check_halt (r, row, count);
}

static void
check_row (const char *shared, const struct row *row)
{
  char directory[512];
  struct tb_session session;
  const struct tb_session_stream *stream = NULL;
  size_t count;
  void *truth;

  snprintf (directory, sizeof directory, "%s/corpus/cases/%s", shared,
	    row->name);
  truth = corpus_records (directory, row->truth,
			  row->a64 ? CORPUS_STEP_64 : CORPUS_STEP, &count);
  if (!CHECK (truth != NULL)
      || !CHECK (tb_session_open (&session, directory, NULL, NULL) == TB_OK))
    {
      free (truth);
      return;
    }
  for (size_t i = 0; i < session.nstreams; i++)
    if (strcmp (session.streams[i].source->name, row->source) == 0)
      stream = &session.streams[i];
  struct tb_decoder *decoder = NULL;
  struct tb_recording *r = NULL;
  if (CHECK (stream != NULL))
    decoder = tb_session_decoder (&session, stream, NULL);
  if (CHECK (decoder != NULL))
    r = tb_recording_open (decoder, &stream->core->profile, stream->core->map,
			   NULL);
  if (CHECK (r != NULL))
    check_steps (r, row, truth, count, stream->core->profile.is_m);
  tb_recording_close (r);
  tb_session_close (&session);
  free (truth);
}

int
main (void)
{
  const char *shared = getenv ("TB_SHARED");

  if (shared == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check_row (shared, &rows[i]);
  return check_done ();
}
