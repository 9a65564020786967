/* ETMv3 and PTM against one more judge: exceptions and steps of programs that
   were recorded in an emulator, through a recording.

   Needs the environment variable TB_SHARED, the directory that has "corpus".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "corpus.h"
#include "recording/recording.h"
#include "recording/session.h"

/* The exception numbers of PTM for those of A-profile truth.  */
static unsigned
a_profile_exception (unsigned truth)
{
  switch (truth)
    {
    case 0x8002:
      return 10;		/* SVC  */
    case 0x8003:
      return 9;			/* Undefined  */
    case 0x800b:
      return 11;		/* Prefetch abort  */
    case 0x800c:
      return 12;		/* Data abort  */
    case 0x800e:
      return 14;		/* IRQ  */
    case 0x800f:
      return 15;		/* FIQ  */
    default:
      return 0;
    }
}

/* Is the exception that TRUTH tells reported before step N?  */
static bool
same_exception (struct tb_recording *r, uint64_t n,
		const struct corpus_step *truth, bool is_m)
{
  struct tb_event events[16];
  size_t count = tb_recording_events (r, n, n, events, 16);
  unsigned want = is_m ? truth->exception
		  : a_profile_exception (truth->exception);
  bool expected = (truth->flags & CORPUS_EXCEPTION) != 0, found = false;

  if (n == 0)
    return true;	/* Before the trace began.  */
  for (size_t i = 0; i < count && i < 16; i++)
    if (events[i].kind == TB_EVENT_EXCEPTION)
      {
	if (!expected || events[i].exception != want)
	  return false;
	found = true;
      }
  return found == expected;
}

static void
check_steps (struct tb_recording *r, const struct corpus_step *truth,
	     size_t count, bool is_m, const char *name)
{
  enum { BATCH = 1000 };
  static struct tb_step steps[BATCH];
  unsigned wrong = 0;

  CHECK_INT (tb_recording_steps (r), count);
  CHECK_INT (tb_recording_info (r)->gaps, 0);
  for (uint64_t n = 0; n < count && wrong < 3;)
    {
      size_t got = tb_recording_read (r, n, steps, BATCH);
      if (!CHECK (got > 0))
	return;
      for (size_t i = 0; i < got && n < count; i++, n++)
	{
	  bool same = CHECK_INT (steps[i].pc, truth[n].pc);
	  if (steps[i].flags & TB_STEP_NOT_TAKEN)
	    same &= CHECK ((truth[n].flags & CORPUS_PASSED) == 0
			   || (truth[n].flags & CORPUS_TAKEN) == 0);
	  same &= CHECK (same_exception (r, n, &truth[n], is_m));
	  if (!same)
	    {
	      fprintf (stderr, "%s, step %" PRIu64 "\n", name, n);
	      wrong++;
	    }
	}
    }
}

static void
check_case (const char *shared, const char *name)
{
  char directory[512];
  struct tb_session session;
  size_t count;
  struct corpus_step *truth;

  snprintf (directory, sizeof directory, "%s/corpus/cases/%s", shared, name);
  truth = corpus_records (directory, "truth.bin.xz", CORPUS_STEP, &count);
  if (!CHECK (truth != NULL)
      || !CHECK (tb_session_open (&session, directory, NULL, NULL) == TB_OK))
    {
      free (truth);
      return;
    }
  const struct tb_session_stream *stream = &session.streams[0];
  struct tb_decoder *decoder = tb_session_decoder (&session, stream, NULL);
  struct tb_recording *r = NULL;
  if (CHECK (decoder != NULL))
    r = tb_recording_open (decoder, &stream->core->profile,
			   stream->core->map, NULL);
  if (CHECK (r != NULL))
    check_steps (r, truth, count, stream->core->profile.is_m, name);
  tb_recording_close (r);
  tb_session_close (&session);
  free (truth);
}

int
main (void)
{
  static const char *const cases[] = {
    "p19-etm3-m3-fsm", "p20-etm3-m3-irq-ts", "p21-etm3-m4-irq-bb",
    "p22-etm3-a7-list", "p23-ptm-a15-irq", "p24-ptm-a15t-sort-rs",
    "p25-ptm-a15-fmt-ca", "p31-etm3-m3-sort-long"
  };
  const char *shared = getenv ("TB_SHARED");

  if (shared == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_case (shared, cases[i]);
  return check_done ();
}
