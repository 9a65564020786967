/* The speed of Tarmac logs: reading a generated one, and questions to it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: bench-tarmac MEGABYTES DIRECTORY
	  bench-tarmac generate rtl|model MEGABYTES FILE

   A log of each dialect is generated in DIRECTORY, which is the most that is
   written there.  Each is read in a process of its own, so that its peak memory can
   be told; the file is in the page cache.  Times are processor time.  */

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arm/machine/profile.h"
#include "bench/tarmac-generate.h"
#include "recording/session-log.h"
#include "state/state.h"

/* Times are those of the processor: one thread does all of it.  */
static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  if (severity != TB_NOTE)
    fprintf (stderr, "%s\n", message);
}

static uint64_t
next_random (uint64_t *state)
{
  *state = *state * UINT64_C (6364136223846793005)
	   + UINT64_C (1442695040888963407);
  return *state >> 17;
}

/* Microseconds that ROUNDS questions at random steps of STATE take, one for the
   registers, or with LENGTH for so many bytes of memory.  */
static double
ask (struct tb_state *state, uint64_t steps, unsigned rounds, size_t length)
{
  static uint8_t bytes[4096], origins[4096];
  struct tb_value values[TB_NREGS_MAX];
  uint64_t random = 1, known = 0;
  double start = now ();
  for (unsigned i = 0; i < rounds; i++)
    {
      uint64_t step = next_random (&random) % steps;
      if (length == 0)
	{
	  tb_state_registers (state, step, values);
	  known += values[0].mask != 0;
	}
      else
	known += tb_state_memory (state, step, TARMAC_ARRAY
				  + next_random (&random) % 15 * 4096,
				  bytes, origins, length);
    }
  double time = (now () - start) / rounds * 1e6;
  if (known == 0)
    fputs ("nothing is known\n", stderr);
  return time;
}

/* Read PATH with JOBS threads: real time, as far as others leave the processors.  */
static void
measure_real (const char *path, double size, unsigned jobs)
{
  struct tb_session session;
  const struct tb_session_options options = { .jobs = jobs };
  struct timespec from, to;
  clock_gettime (CLOCK_MONOTONIC, &from);
  if (tb_session_open (&session, path, &options, NULL) != TB_OK)
    return;
  clock_gettime (CLOCK_MONOTONIC, &to);
  double time = (double) (to.tv_sec - from.tv_sec)
		+ 1e-9 * (double) (to.tv_nsec - from.tv_nsec);
  printf ("  %-30s %10.2f s, %.0f MB/s\n", jobs == 1 ? "in real time"
	  : "in real time, two threads", time, size / time / 1e6);
  tb_session_close (&session);
}

/* Read the log PATH of SIZE bytes, and ask.  */
static int
measure (const char *path, double size)
{
  struct tb_diag diag = { .report = say };
  struct tb_session session;
  double start = now ();
  if (tb_session_open (&session, path, NULL, &diag) != TB_OK)
    return 1;
  double read = now () - start;
  const struct tb_columns *facts = session.streams[0].facts;
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  double steps = (double) facts->steps, store = (double) tb_facts_size (facts);
  printf ("  %-30s %10.2f s, %.0f MB/s, %.1f million instructions a second\n",
	  "read to a recording", read, size / read / 1e6, steps / read / 1e6);
  measure_real (path, size, 1);
  measure_real (path, size, 2);
  printf ("  %-30s %10.2f bytes of %.0f instructions\n",
	  "stored an instruction", store / steps, steps);
  printf ("  %-30s %10.2f MB, %.2f times the store\n", "peak memory",
	  (double) usage.ru_maxrss * 1024 / 1e6,
	  (double) usage.ru_maxrss * 1024 / store);
  struct tb_recording *recording
    = tb_recording_open_facts (facts, &session.cores[0].profile,
			       session.cores[0].map);
  /* The opcodes are any: nothing can be worked out of them.  */
  static const struct tb_state_options options = { .lines_alone = true };
  struct tb_state *state
    = recording != NULL ? tb_state_open (recording, &options, &diag) : NULL;
  if (state == NULL)
    return 1;
  printf ("  %-30s %10.2f us\n", "registers at a random step",
	  ask (state, facts->steps, 200000, 0));
  printf ("  %-30s %10.2f us\n", "4 KiB at a random step",
	  ask (state, facts->steps, 20000, 4096));
  tb_state_close (state);
  tb_recording_close (recording);
  tb_session_close (&session);
  return 0;
}

/* Open PATH twice with an index in DIRECTORY: it is made, and used.  */
static int
measure_index (const char *path, const char *directory)
{
  struct tb_diag diag = { .report = say };
  char file[4200];
  snprintf (file, sizeof file, "%s/log.tbindex", directory);
  const struct tb_index_options index = { .cache = directory, .file = file };
  const struct tb_session_options options = { .index = &index };
  for (unsigned i = 0; i < 3; i++)
    {
      static const char *const names[] = { "read, and keep an index",
					   "open by the index",
					   "the same, log touched" };
      struct tb_session session;
      if (i == 2)
	utimensat (AT_FDCWD, path, NULL, 0);
      double start = now ();
      if (tb_session_open (&session, path, &options, &diag) != TB_OK)
	return 1;
      printf ("  %-30s %10.3f s\n", names[i], now () - start);
      tb_session_close (&session);
    }
  unlink (file);
  snprintf (file, sizeof file, "%s/secret", directory);
  unlink (file);
  return 0;
}

static int
run (const char *directory, bool rtl, uint64_t size)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s.log", directory, rtl ? "rtl" : "model");
  if (!tarmac_generate (path, rtl, size))
    {
      perror (path);
      return 1;
    }
  printf ("%s dialect, %.0f MB\n", rtl ? "RTL" : "model", (double) size / 1e6);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      int status = measure (path, (double) size);
      if (status == 0)
	status = measure_index (path, directory);
      fflush (stdout);
      _exit (status);
    }
  int status = 1;
  if (child < 0 || waitpid (child, &status, 0) != child)
    status = 1;
  unlink (path);
  return status;
}

int
main (int argc, char **argv)
{
  if (argc == 5 && strcmp (argv[1], "generate") == 0)
    return !tarmac_generate (argv[4], strcmp (argv[2], "rtl") == 0,
			     strtoull (argv[3], NULL, 10) * 1000000);
  if (argc != 3)
    {
      fputs ("usage: bench-tarmac MEGABYTES DIRECTORY\n"
	     "       bench-tarmac generate rtl|model MEGABYTES FILE\n", stderr);
      return 2;
    }
  uint64_t size = strtoull (argv[1], NULL, 10) * 1000000;
  return run (argv[2], true, size) != 0 || run (argv[2], false, size) != 0;
}
