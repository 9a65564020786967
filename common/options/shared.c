/* Options that several programs have alike.  See shared.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options/mtb.h"
#include "state/premise.h"
#include "state/state.h"
#include "util/limits.h"
#include "util/size.h"

const struct tb_word tb_assumption_words[] = {
  { "aapcs", TB_ASSUME_AAPCS }, { "halt", TB_ASSUME_HALT },
  { "constants", TB_ASSUME_CONSTANTS }, { "tasks", TB_ASSUME_TASKS },
  { "frames", TB_ASSUME_FRAMES }, { "objects", TB_ASSUME_OBJECTS },
  { NULL, 0 }
};

static const struct tb_word start_words[] = {
  { "reset", TB_START_RESET }, { "data", TB_START_DATA }, { NULL, 0 }
};

static const struct tb_word recording_words[] = {
  { "cpus", TB_RECORD_CPUS }, { "threads", TB_RECORD_THREADS }, { NULL, 0 }
};

unsigned
tb_jobs_default (void)
{
  long n = sysconf (_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > TB_JOBS_MOST ? TB_JOBS_MOST : (unsigned) n;
}

/* Option NAME has FOUND in place of what is EXPECTED.  */
static bool
wrong (struct tb_buffer *said, const char *name, const char *expected, const char *found)
{
  tb_buffer_printf (said, "--%s: expected %s, found '%s'", name, expected, found);
  return false;
}

bool
tb_option_number (const char *name, const char *text, uint64_t least, uint64_t *number,
		  struct tb_buffer *said)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 0);
  if (*text == 0 || *text == '-' || *end != 0 || errno != 0)
    return wrong (said, name, "a number", text);
  *number = value;
  if (value >= least)
    return true;
  tb_buffer_printf (said, "--%s: expected at least %llu, found '%s'", name,
		    (unsigned long long) least, text);
  return false;
}

/* The bits of the words that TEXT lists.  */
static bool
parse_words (const char *name, const char *text, const struct tb_word *words,
	     unsigned *bits, struct tb_buffer *said)
{
  const char *unknown;
  int length;
  if (tb_words_bits (words, text, bits, &unknown, &length))
    return true;
  tb_buffer_printf (said, "--%s: expected ", name);
  tb_words_list (words, said);
  tb_buffer_printf (said, ", found '%.*s'", length, unknown);
  return false;
}

static bool
parse_jobs (struct tb_shared_options *o, const char *text, struct tb_buffer *said)
{
  uint64_t jobs;
  if (!tb_option_number ("jobs", text, 1, &jobs, said))
    return false;
  o->jobs = (unsigned) jobs;
  if (jobs <= TB_JOBS_MOST)
    return true;
  tb_buffer_printf (said, "--jobs: expected at most %d, found '%s'", TB_JOBS_MOST, text);
  return false;
}

static bool
parse_index (struct tb_shared_options *o, const char *text, struct tb_buffer *said)
{
  char why[400];
  if (tb_index_parse (text, &o->index, &o->index_file, why, sizeof why))
    return true;
  tb_buffer_printf (said, "--index: %s", why);
  return false;
}

#define INDEX_BLOCK_LEAST 1024
#define INDEX_BLOCK_MOST (UINT64_C (1) << 30)

static bool
parse_index_block (struct tb_shared_options *o, const char *text, struct tb_buffer *said)
{
  return (tb_size_parse (text, &o->index_block) && o->index_block >= INDEX_BLOCK_LEAST
	  && o->index_block <= INDEX_BLOCK_MOST)
	 || wrong (said, "index-block", "from 1K to 1G bytes", text);
}

static bool
parse_core_type (struct tb_session_options *session, const char *text, struct tb_buffer *said)
{
  struct tb_profile profile;
  session->core_type = text;
  return tb_profile_find (&profile, text)
	 || wrong (said, "core-type", "the name of a core or of an architecture, such as "
		   "Cortex-M33 or ARMv7-M", text);
}

static bool
parse_mtb (struct tb_session_options *session, const char *text, struct tb_buffer *said)
{
  char why[400];
  struct tb_mtb_told told = { .text = text };
  if (!tb_mtb_parse (text, &told.registers, &told.core, why, sizeof why))
    {
      tb_buffer_printf (said, "--mtb: %s", why);
      return false;
    }
  struct tb_mtb_told *more
    = realloc ((void *) session->mtbs, (session->nmtbs + 1) * sizeof *more);
  said->failed |= more == NULL;
  if (more == NULL)
    return true;
  more[session->nmtbs++] = told;
  session->mtbs = more;
  return true;
}

static const char *
format_option (const struct tb_shared_options *o)
{
  return o->format_option != NULL ? o->format_option : "raw-format";
}

/* The format of the bytes of a trace buffer.  */
static bool
parse_raw_format (struct tb_shared_options *o, const char *text, struct tb_buffer *said)
{
  struct tb_beside *beside = &o->session.snapshot.beside;
  const char *name = strcmp (text, "raw") == 0 ? "source_data"
		     : strcmp (text, "dstream") == 0 ? "dstream_coresight" : text;
  enum tb_buffer_format format = tb_format_find (name);
  if (format == TB_FORMAT_OTHER)
    return wrong (said, format_option (o), "raw, coresight, tpiu or dstream", text);
  enum tb_buffer_format *more
    = realloc ((void *) beside->formats, (beside->nformats + 1) * sizeof *more);
  said->failed |= more == NULL;
  if (more == NULL)
    return true;
  more[beside->nformats++] = format;
  beside->formats = more;
  return true;
}

static bool
parse_protocol (struct tb_session_options *session, const char *text, struct tb_buffer *said)
{
  session->protocol = text;
  return tb_protocol_find (text) != NULL
	 || wrong (said, "protocol", "etmv3, ptm, etmv4, ete, mtb, itm or stm", text);
}

bool
tb_shared_options_check (const struct tb_shared_options *o, bool many, struct tb_buffer *said)
{
  const struct tb_beside *beside = &o->session.snapshot.beside;
  const char *format = format_option (o);
  if (beside->nformats > 1 && beside->nformats != beside->ntraces)
    tb_buffer_printf (said, "--%s: expected one, or one for each --%s=FILE (%zu); found %zu",
		      format, o->format_option != NULL ? "trace" : "raw-trace", beside->ntraces,
		      beside->nformats);
  else if (many && beside->ntraces > 0)
    tb_buffer_printf (said, "--raw-trace=%s: expected one INPUT, which it is beside; found several",
		      beside->traces[0]);
  else
    return true;
  return false;
}

static enum tb_option_fate
take_doubt (struct tb_shared_options *o, const char *text, struct tb_buffer *said)
{
  struct tb_buffer answer = { 0 };
  enum tb_premise_asked asked = tb_premise_ask (text, &o->doubt, &answer);
  if (asked == TB_PREMISES_WRONG)
    tb_buffer_printf (said, "--doubt: ");
  tb_buffer_append (said, answer.data, answer.size);
  if (asked == TB_PREMISES_WRONG)
    tb_buffer_printf (said, " (--doubt=list says what they state)");
  said->failed |= answer.failed;
  tb_buffer_fini (&answer);
  return asked == TB_PREMISES_DOUBTED ? TB_OPTION_TAKEN
	 : asked == TB_PREMISES_LISTED ? TB_OPTION_LISTED : TB_OPTION_WRONG;
}

enum tb_option_fate
tb_shared_option_take (struct tb_shared_options *o, int value, char *argument,
		       struct tb_buffer *said)
{
  struct tb_session_options *session = &o->session;
  bool right = true, memory = true;
  switch (value)
    {
    case TB_OPTION_CORE: o->core = argument; break;
    case TB_OPTION_RECORDINGS:
      right = parse_words ("recordings", argument, recording_words, &session->recordings,
			   said);
      break;
    case TB_OPTION_SOURCE: o->source = argument; break;
    case TB_OPTION_BUFFER: o->buffer = argument; break;
    case TB_OPTION_ELF: memory = tb_session_add_elf (session, argument); break;
    case TB_OPTION_ACCEPT_ELF: o->accept_elf = true; break;
    case TB_OPTION_SVD: session->svd = argument; break;
    case TB_OPTION_TDESC: session->tdesc = argument; break;
    case TB_OPTION_CORE_TYPE: right = parse_core_type (session, argument, said); break;
    case TB_OPTION_SYSROOT: session->snapshot.sysroot = argument; break;
    case TB_OPTION_MTB: right = parse_mtb (session, argument, said); break;
    case TB_OPTION_PROTOCOL: right = parse_protocol (session, argument, said); break;
    case TB_OPTION_RAW_TRACE:
      memory = tb_session_add_text (&session->snapshot.beside.traces,
				    &session->snapshot.beside.ntraces, argument);
      break;
    case TB_OPTION_RAW_FORMAT: right = parse_raw_format (o, argument, said); break;
    case TB_OPTION_FREQUENCY:
      right = tb_option_number ("timestamp-frequency", argument, 1, &session->frequency,
				said);
      break;
    case TB_OPTION_LOCAL:
      right = tb_option_number ("local-frequency", argument, 1, &session->local_frequency,
				said);
      break;
    case TB_OPTION_CYCLES:
      right = tb_option_number ("core-frequency", argument, 1, &session->core_frequency,
				said);
      break;
    case TB_OPTION_ALIGNED: session->itm_aligned = true; break;
    case TB_OPTION_OUTSIDE: session->snapshot.allow_outside = true; break;
    case TB_OPTION_VOLATILE:
      memory = tb_session_add_text (&session->volatiles, &session->nvolatiles, argument);
      break;
    case TB_OPTION_PRIVATE:
      memory = tb_session_add_text (&session->privates, &session->nprivates, argument);
      break;
    case TB_OPTION_START:
      right = parse_words ("start", argument, start_words, &o->start, said);
      break;
    case TB_OPTION_SPACE:
      right = tb_space_parse (argument, strlen (argument), &o->space)
	      || wrong (said, "space", "an address space (" TB_SPACE_NAMES ")", argument);
      break;
    case TB_OPTION_ASSUME:
      right = parse_words ("assume", argument, tb_assumption_words, &o->assume, said);
      break;
    case TB_OPTION_DOUBT: return take_doubt (o, argument, said);
    case TB_OPTION_WINDOW:
      right = tb_option_number ("window", argument, 1, &o->window, said);
      break;
    case TB_OPTION_JOBS: right = parse_jobs (o, argument, said); break;
    case TB_OPTION_INDEX: right = parse_index (o, argument, said); break;
    case TB_OPTION_INDEX_BLOCK: right = parse_index_block (o, argument, said); break;
    case TB_OPTION_MEMORY_LIMIT:
      right = tb_size_parse (argument, &o->memory)
	      || wrong (said, "memory-limit", TB_SIZE_WORDS, argument);
      break;
    case TB_OPTION_TIME_LIMIT:
      right = tb_limit_parse_seconds (argument, &o->seconds)
	      || wrong (said, "time-limit", "a number of seconds", argument);
      break;
    default: return TB_OPTION_NOT_SHARED;
    }
  said->failed |= !memory;
  return right ? TB_OPTION_TAKEN : TB_OPTION_WRONG;
}

const char *
tb_shared_options_clash (const struct tb_shared_options *o)
{
  return o->index_block != 0 && o->index == TB_INDEX_OFF
	 ? "--index-block has no effect with --index=off, by which there is no index" : NULL;
}

void
tb_shared_options_fini (struct tb_shared_options *o)
{
  free ((void *) o->session.elves);
  free ((void *) o->session.volatiles);
  free ((void *) o->session.privates);
  free ((void *) o->session.mtbs);
  free ((void *) o->session.snapshot.beside.traces);
  free ((void *) o->session.snapshot.beside.formats);
  *o = (struct tb_shared_options) { .core = NULL };
}
