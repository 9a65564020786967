/* What fuzz targets share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A target is one file with LLVMFuzzerTestOneInput, for libFuzzer and for AFL++
   (afl-clang-fast -fsanitize=fuzzer); see fuzz.sh.  */

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

#include "recording/recording.h"
#include "recording/session.h"
#include "state/state.h"
#include "util/diag.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* What must be.  */
#define MUST(condition) \
  do { if (!(condition)) __builtin_trap (); } while (0)

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
      struct tb_state_options known = { .core = stream->core->device,
					.window = 2000 };
      struct tb_state *state = steps > 0 && steps < 20000
			       ? tb_state_open (r, &known, NULL) : NULL;
      struct tb_value values[TB_NREGS_MAX];
      for (uint64_t at = 0; state != NULL && at <= steps; at += 1 + steps / 8)
	tb_state_registers (state, at, values);
      tb_state_close (state);
      tb_recording_close (r);
    }
}

#endif /* TB_FUZZ_H */
