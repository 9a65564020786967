/* Tarmac logs as recordings, for tests: a log is text, and what is known of it is compared
   with text.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_TEST_LOG_RUN_H
#define TB_TEST_LOG_RUN_H

#include "recording/facts.h"
#include "recording/session-log.h"
#include "snapshot-tree.h"
#include "state/state.h"

static struct tree tree;

/* A log, opened.  */
struct log
{
  struct tb_session session;
  struct tb_recording *recording;
  struct tb_state *state;
  unsigned first;		/* The step that the tests call 0.  */
};

/* Open the input NAME of the tree.  */
static inline bool
open_input (struct log *log, const char *name)
{
  tree_forget (&tree);
  *log = (struct log) { .recording = NULL };
  if (!CHECK (tb_session_open (&log->session, tree_path (&tree, name), NULL,
			       &tree.diag) == TB_OK))
    return false;
  struct tb_decoder_config config;
  const struct tb_session_stream *stream = &log->session.streams[0];
  const struct tb_state_options options = { .core = stream->core->device };
  tb_session_decoder_config (stream, &config);
  log->recording = tb_recording_open_trace (&config, NULL, &tree.diag);
  log->state = tb_state_open (log->recording, &options, &tree.diag);
  return CHECK (log->state != NULL)
	 && CHECK (tb_state_prepare (log->state, 0, NULL, NULL, &tree.diag));
}

/* Open the log TEXT.  */
static inline bool
open_log (struct log *log, const char *text)
{
  tree_write_bytes (&tree, "log", text, strlen (text));
  return open_input (log, "log");
}

static inline void
close_log (struct log *log)
{
  tb_state_close (log->state);
  tb_recording_close (log->recording);
  tb_session_close (&log->session);
}

/* Registers, flags and memory before a step: "r0=1 n=0 m:20000000=01020304" with bytes in
   the order of addresses; ? stands for what is not known.  With MARKS, a * stands behind
   a register that no line tells.  What does not hold is a failed check, and false.  */
static inline bool
expect_values (struct log *log, uint64_t step, const char *want, bool marks)
{
  static const char flags[] = "nzcv";
  char copy[512], got[512] = "";
  struct tb_value values[TB_NREGS_MAX];
  size_t count;
  const struct tb_profile *profile = tb_recording_profile (log->recording);
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  snprintf (copy, sizeof copy, "%s", want);
  step += log->first;
  tb_state_registers (log->state, step, values);
  for (char *word = strtok (copy, " "); word != NULL;
       word = strtok (NULL, " "))
    {
      char *is = strchr (word, '='), text[64] = "?";
      const struct tb_value *psr
	= &values[profile->has_a64 && !profile->is_m ? TB_PSTATE : TB_PSR];
      *is = 0;
      const char *flag = word[1] == 0 ? strchr (flags, word[0]) : NULL;
      if (flag != NULL)
	{
	  unsigned at = 31 - (unsigned) (flag - flags);
	  if (psr->mask >> at & 1)
	    snprintf (text, sizeof text, "%u", (unsigned) (psr->bits >> at & 1));
	}
      else if (word[0] == 'm' && word[1] == ':')
	{
	  size_t length = strlen (is + 1) / 2;
	  uint8_t bytes[32], origins[32];
	  tb_state_memory (log->state, step, strtoull (word + 2, NULL, 16),
			   bytes, origins, length);
	  for (size_t i = 0; i < length; i++)
	    snprintf (text + 2 * i, 3, origins[i] == TB_UNKNOWN ? "??" : "%02x",
		      bytes[i]);
	}
      else
	for (size_t i = 0; i < count; i++)
	  if (strcmp (regs[i].name, word) == 0 && values[i].mask != 0
	      && values[i].mask == (regs[i].bits == 64 ? UINT64_MAX
						       : UINT32_MAX))
	    snprintf (text, sizeof text, "%" PRIx64 "%s", values[i].bits,
		      marks && values[i].origin == TB_DERIVED ? "*" : "");
      snprintf (got + strlen (got), sizeof got - strlen (got), "%s%s=%s",
		*got != 0 ? " " : "", word, text);
    }
  if (CHECK_STR (got, want))
    return true;
  fprintf (stderr, "  at step %" PRIu64 "\n", step);
  return false;
}

static inline bool
expect (struct log *log, uint64_t step, const char *want)
{
  return expect_values (log, step, want, false);
}

/* FP and vector registers before STEP: "v1=... d8=... s3=..." (V registers by halves, of
   A64 D and S registers too), ? for what is not wholly known.  */
static inline bool
expect_vectors (struct log *log, uint64_t step, const char *want)
{
  struct tb_vector vectors[TB_NVECTORS];
  char copy[256], got[256] = "";
  bool wide = tb_recording_profile (log->recording)->has_a64;
  if (!tb_state_vectors (log->state, step, vectors))
    memset (vectors, 0, sizeof vectors);
  snprintf (copy, sizeof copy, "%s", want);
  for (char *word = strtok (copy, " "); word != NULL;
       word = strtok (NULL, " "))
    {
      unsigned n = (unsigned) strtoul (word + 1, NULL, 10);
      unsigned lane = word[0] == 's' && !wide ? n % 2 : 0;
      const struct tb_value *v
	= vectors[strncmp (word, "fpsr=", 5) == 0 ? TB_FPSR
		  : strncmp (word, "fp", 2) == 0 ? TB_FPSCR
		  : word[0] == 's' && !wide ? n / 2 : n].half;
      uint64_t need = word[0] == 's' || word[0] == 'f' ? UINT32_MAX : UINT64_MAX;
      char text[40] = "?";
      *strchr (word, '=') = 0;
      if (word[0] == 'v' && (v[0].mask & v[1].mask) == UINT64_MAX)
	snprintf (text, sizeof text, "%016" PRIx64 "%016" PRIx64, v[1].bits,
		  v[0].bits);
      else if (word[0] != 'v' && (v[0].mask >> 32 * lane & need) == need)
	snprintf (text, sizeof text, "%" PRIx64, v[0].bits >> 32 * lane & need);
      snprintf (got + strlen (got), sizeof got - strlen (got), "%s%s=%s",
		*got != 0 ? " " : "", word, text);
    }
  if (CHECK_STR (got, want))
    return true;
  fprintf (stderr, "  at step %" PRIu64 "\n", step);
  return false;
}

/* The events: an exception's number (-1: of unknown kind), where it returns to and the
   step before which it is, t for one that follows another at once; r and EXC_RETURN
   for returns.  */
static inline const char *
exceptions (struct log *log)
{
  static char text[400];
  struct tb_event events[16];
  size_t n = tb_recording_events (log->recording, 0, UINT64_MAX, events, 16);
  text[0] = 0;
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_event *e = &events[i];
      char *p = text + strlen (text), *end = text + sizeof text;
      p += snprintf (p, (size_t) (end - p), "%s", i > 0 ? " " : "");
      if (e->kind == TB_EVENT_EXCEPTION_RETURN)
	p += snprintf (p, (size_t) (end - p), "r%" PRIx64 ">%" PRIx64, e->value,
		       e->address);
      else
	p += snprintf (p, (size_t) (end - p), "%d",
		       e->exception == TB_EXCEPTION_UNKNOWN ? -1
							    : e->exception);
      if (e->kind == TB_EVENT_EXCEPTION
	  && !(e->flags & TB_EXCEPTION_NO_RETURN))
	p += snprintf (p, (size_t) (end - p), "<%" PRIx64, e->address);
      snprintf (p, (size_t) (end - p), "@%" PRIu64 "%s", e->step,
		e->kind == TB_EVENT_EXCEPTION
		&& e->flags & TB_EXCEPTION_TAIL_CHAIN ? "t" : "");
    }
  return text;
}

/* The PCs of all steps.  */
static inline const char *
pcs (struct log *log)
{
  static char text[512];
  struct tb_step steps[32];
  size_t n = tb_recording_read (log->recording, 0, steps, 32);
  text[0] = 0;
  for (size_t i = 0; i < n; i++)
    snprintf (text + strlen (text), sizeof text - strlen (text), "%s%" PRIx64
	      "%s", i > 0 ? " " : "", steps[i].pc,
	      steps[i].flags & TB_STEP_NOT_TAKEN ? "-" : "");
  return text;
}

static inline uint64_t
bad_lines (const struct log *log)
{
  const uint64_t *kinds = log->session.log->tarmac.kinds;
  return kinds[TB_TARMAC_BAD] + kinds[TB_TARMAC_UNKNOWN];
}

/* Run the COUNT functions TESTS; the status of the program.  */
static inline int
log_tests (void (*const tests[]) (void), size_t count)
{
  tree_make (&tree);
  for (size_t i = 0; i < count; i++)
    tests[i] ();
  tree_remove (&tree);
  return check_done ();
}

#endif /* TB_TEST_LOG_RUN_H */
