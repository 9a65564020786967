/* State: the scenarios of scenarios/, see scenario.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: test-state-scenarios [FILE [SCENARIO]]  */

#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

static int
by_name (const struct dirent **a, const struct dirent **b)
{
  return strcmp ((*a)->d_name, (*b)->d_name);
}

static int
is_scenario (const struct dirent *entry)
{
  size_t length = strlen (entry->d_name);
  return length > 9 && strcmp (entry->d_name + length - 9, ".scenario") == 0;
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    {
      scenarios_run (argv[1], argc > 2 ? argv[2] : NULL);
      return scenarios_done ();
    }
  const char *source = getenv ("srcdir");
  char folder[4096], path[8192];
  snprintf (folder, sizeof folder, "%s/unit/state/scenarios",
	    source != NULL ? source : ".");
  struct dirent **entries;
  int count = scandir (folder, &entries, is_scenario, by_name);
  for (int i = 0; i < count; i++)
    {
      snprintf (path, sizeof path, "%s/%s", folder, entries[i]->d_name);
      scenarios_run (path, NULL);
      free (entries[i]);
    }
  if (count >= 0)
    free (entries);
  return scenarios_done ();
}
