/* What fuzz targets share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A target is one file with FUZZ_TARGET (NAME) and a body that looks at the SIZE bytes DATA.
   That is LLVMFuzzerTestOneInput, for libFuzzer and for AFL++ (afl-clang-fast
   -fsanitize=fuzzer; see fuzz.sh); or, with FUZZ_TOGETHER, one function of a program of all
   targets (together.c).  */

#ifndef TB_FUZZ_H
#define TB_FUZZ_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/levels.h"
#include "recording/recording.h"
#include "recording/session.h"
#include "state/state.h"
#include "util/diag.h"

#ifdef FUZZ_TOGETHER
#define FUZZ_FUNCTION(name) fuzz_target_##name
#else
#define FUZZ_FUNCTION(name) LLVMFuzzerTestOneInput
#endif
#define FUZZ_TARGET(name) \
  int FUZZ_FUNCTION (name) (const uint8_t *data, size_t size); \
  int FUZZ_FUNCTION (name) (const uint8_t *data, size_t size)

/* What must be.  */
#define MUST(condition) \
  do { if (!(condition)) fuzz_broken (__FILE__, __LINE__, #condition); } while (0)

static inline _Noreturn void
fuzz_broken (const char *file, int line, const char *condition)
{
  fprintf (stderr, "%s:%d: not so: %s\n", file, line, condition);
  __builtin_trap ();
}

/* The file of the process, which goes with it.  */
static inline const char *
fuzz_name (void)
{
  static char name[40];
  if (name[0] == 0)
    snprintf (name, sizeof name, "/tmp/fuzz-%ld", (long) getpid ());
  return name;
}

static inline void
fuzz_remove_file (void)
{
  unlink (fuzz_name ());
}

/* Put SIZE bytes of DATA into a file, in PATH its name; returns what is to be closed.  It has
   a name of its own: readers that look for the real path of a file find none of one that lies
   in memory alone.  */
static inline int
fuzz_file (const uint8_t *data, size_t size, char path[40])
{
  static bool known;
  if (!known)
    atexit (fuzz_remove_file);
  known = true;
  snprintf (path, 40, "%s", fuzz_name ());
  int fd = open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  MUST (fd >= 0);
  MUST (write (fd, data, size) == (ssize_t) size);
  MUST (lseek (fd, 0, SEEK_SET) == 0);
  return fd;
}

/* What is not read yet of an input.  Behind its end there are zeros.  */
struct fuzz_reader
{
  const uint8_t *at, *end;
};

static inline unsigned
fuzz_u8 (struct fuzz_reader *reader)
{
  return reader->at < reader->end ? *reader->at++ : 0;
}

static inline uint32_t
fuzz_u16 (struct fuzz_reader *reader)
{
  uint32_t low = fuzz_u8 (reader);
  return low | fuzz_u8 (reader) << 8;
}

static inline uint32_t
fuzz_u32 (struct fuzz_reader *reader)
{
  uint32_t low = fuzz_u16 (reader);
  return low | fuzz_u16 (reader) << 16;
}

/* At most *SIZE bytes; sets *SIZE to how many there are.  */
static inline const uint8_t *
fuzz_bytes (struct fuzz_reader *reader, size_t *size)
{
  const uint8_t *bytes = reader->at;
  if (*size > (size_t) (reader->end - reader->at))
    *size = (size_t) (reader->end - reader->at);
  reader->at += *size;
  return bytes;
}

static inline bool
fuzz_level (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  size_t *depths = context;
  MUST (count > 0 && levels[count - 1].step <= step);
  *depths += count + levels[count - 1].kind;
  return true;
}

static inline bool
fuzz_level_ends (void *context, struct tb_level *levels, size_t count, uint64_t step,
		 enum tb_level_end how, uint64_t by)
{
  size_t *depths = context;
  MUST (count > 0 && step >= levels[count - 1].step);
  *depths += how + (by < step);
  return true;
}

/* Ask STATE, of RECORDING with STEPS steps, for all that it tells of some of them.  */
static inline void
fuzz_state (struct tb_state *state, struct tb_recording *recording, uint64_t steps)
{
  static struct tb_vector vectors[TB_NVECTORS];
  struct tb_value values[TB_NREGS_MAX];
  struct tb_access_info accesses[32];
  uint8_t bytes[64], origins[64];
  for (uint64_t at = 0; at <= steps; at += 1 + steps / 8)
    {
      struct tb_step step = { .pc = 0 };
      memset (values, 0, sizeof values);
      tb_state_registers (state, at, values);
      for (unsigned i = 0; i < TB_NREGS_MAX; i++)
	MUST ((values[i].bits & ~values[i].mask) == 0);
      tb_state_vectors (state, at, vectors);
      if (at < steps && tb_recording_read (recording, at, &step, 1) == 1)
	{
	  size_t n = tb_state_accesses (state, at, accesses, 32);
	  MUST (tb_state_memory (state, at, step.pc, bytes, origins, 64) <= 64);
	  if (n > 0 && n <= 32 && accesses[0].address_known)
	    tb_state_memory (state, at, accesses[0].address - 8, bytes, origins, 32);
	}
      size_t known = tb_state_memory (state, at, values[TB_SP].bits, bytes, origins, 64);
      for (size_t i = 0; i < 64; i++)
	known -= origins[i] != TB_UNKNOWN;
      MUST (known == 0);
    }
}

/* Look at all that SESSION has: steps, events, and what is known at some steps.  */
static inline void
fuzz_session (struct tb_session *session)
{
  for (size_t i = 0; i < session->nstreams; i++)
    {
      const struct tb_session_stream *stream = &session->streams[i];
      struct tb_decoder_config config;
      if (stream->protocol == NULL || stream->core == NULL)
	continue;
      tb_session_decoder_config (stream, &config);
      const struct tb_recording_options options = { .jobs = 1 };
      struct tb_recording *r = tb_recording_open_trace (&config, &options, NULL);
      if (r == NULL)
	continue;
      uint64_t steps = tb_recording_steps (r);
      struct tb_step some[64];
      size_t n = tb_recording_read (r, steps > 64 ? steps - 64 : 0, some, 64);
      MUST (n == (steps > 64 ? 64 : steps) || tb_recording_no_memory (r));
      tb_recording_events (r, 0, steps, NULL, 0);
      size_t depths = 0;
      const struct tb_level_user user = { .open = fuzz_level, .close = fuzz_level_ends,
					  .context = &depths };
      if (steps < 20000)
	tb_levels_walk (r, NULL, &user);
      struct tb_state_options known = { .core = stream->core->device,
					.window = 2000 };
      struct tb_state *state = steps > 0 && steps < 1000
			       ? tb_state_open (r, &known, NULL) : NULL;
      if (state != NULL)
	fuzz_state (state, r, steps);
      tb_state_close (state);
      tb_recording_close (r);
    }
}

/* Open the SIZE bytes DATA as a file, as the programs do with their input, and look at what it
   has.  */
static inline void
fuzz_input (const uint8_t *data, size_t size, const struct tb_session_options *options)
{
  char path[40];
  int fd = fuzz_file (data, size, path);
  struct tb_session session;
  if (tb_session_open (&session, path, options, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  close (fd);
}

#endif /* TB_FUZZ_H */
