/* Write a trace file of a made-up world (fake-state.h) for tests with GDB.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: make-tracefile [KEY=VALUE]... FILE
   profile=m|a|6  steps=N  pcs=N  unknown=HEX  assumed=HEX  every=N  holes=1
   noend=1  ram=1     the world
   policy=mask|omit|skip  first=N  last=N  from=N  to=N     the export  */

#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake-state.h"
#include "frame/export.h"

static void
report (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  fprintf (stderr, "make-tracefile: %s\n", message);
}

static bool
set (struct tb_export_options *options, const char *key, const char *value)
{
  uint64_t number = strtoull (value, NULL, 10);
  if (strcmp (key, "steps") == 0)
    fake.steps = number;
  else if (strcmp (key, "pcs") == 0)
    fake.pcs = (unsigned) number;
  else if (strcmp (key, "unknown") == 0)
    fake.unknown = strtoull (value, NULL, 16);
  else if (strcmp (key, "assumed") == 0)
    fake.assumed = strtoull (value, NULL, 16);
  else if (strcmp (key, "every") == 0)
    fake.unknown_every = (unsigned) number;
  else if (strcmp (key, "holes") == 0)
    fake.holes = number != 0;
  else if (strcmp (key, "noend") == 0)
    fake.no_end = number != 0;
  else if (strcmp (key, "ram") == 0)
    fake.code_in_ram = number != 0;
  else if (strcmp (key, "first") == 0)
    options->choose.first = number;
  else if (strcmp (key, "last") == 0)
    options->choose.last = number;
  else if (strcmp (key, "from") == 0)
    options->choose.from = number;
  else if (strcmp (key, "to") == 0)
    options->choose.to = number;
  else if (strcmp (key, "policy") == 0)
    options->collect.policy = *value == 'o' ? TB_POLICY_OMIT
      : *value == 's' ? TB_POLICY_SKIP : TB_POLICY_MASK;
  else
    return false;
  return true;
}

int
main (int argc, char **argv)
{
  struct tb_export_options options = TB_EXPORT_DEFAULTS;
  options.notes = "a made-up world";
  const char *path = NULL;
  fake_setup ('m', 250);
  signal (SIGXFSZ, SIG_IGN);
  for (int i = 1; i < argc; i++)
    {
      char *equals = strchr (argv[i], '=');
      if (equals == NULL)
	path = argv[i];
      else
	{
	  *equals = '\0';
	  if (strcmp (argv[i], "profile") == 0)
	    fake_setup (equals[1], fake.steps);
	  else if (!set (&options, argv[i], equals + 1))
	    {
	      fprintf (stderr, "make-tracefile: unknown key %s\n", argv[i]);
	      return 2;
	    }
	}
    }
  if (path == NULL)
    {
      fprintf (stderr, "make-tracefile: expected a file\n");
      return 2;
    }

  struct tb_diag diag = { report, NULL, 0, 0 };
  struct tb_export_summary summary;
  options.tdesc = fake_tdesc ();
  if (tb_export_tracefile (fake_state (), fake_recording (), &options, path,
			   &summary, &diag) != TB_OK)
    return 1;
  fprintf (stderr, "frames=%" PRIu64 " masked=%" PRIu64 " bare=%" PRIu64
	   " skipped=%" PRIu64 " crowded=%" PRIu64 " bytes=%" PRIu64
	   " tracepoints=%u tfind_pc=%d end=%d\n", summary.frames,
	   summary.masked, summary.bare, summary.skipped, summary.crowded,
	   summary.bytes, summary.tracepoints, summary.tfind_pc,
	   summary.end_state);
  return 0;
}
