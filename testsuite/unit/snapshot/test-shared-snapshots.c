/* Opens real snapshots, and what is in them is found.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the directory that the environment variable TB_SHARED names; without
   it, nothing is tested.  */

#include "config.h"

#include <dirent.h>

#include "snapshot-tree.h"

static struct tree tree;

/* What some of the snapshots have, counted by hand from their files.  */
static const struct
{
  const char *name;
  size_t devices, dumps, missing, buffers, streams;
  uint64_t bytes;		/* In all buffers.  */
  unsigned warnings;
} table[] = {
  { "snapshots/001-ack_test", 2, 125, 0, 1, 1, 16168, 0 },
  { "snapshots/TC2", 11, 5, 0, 1, 6, 32768, 0 },
  { "snapshots/a55-test-tpiu", 2, 0, 1, 1, 1, 49152, 1 },
  { "snapshots/a57_single_step", 2, 1, 0, 1, 1, 128, 0 },
  { "snapshots/bugfix-exact-match", 12, 30, 0, 1, 6, 1048576, 0 },
  { "snapshots/ete-ite-instr", 3, 4, 0, 2, 2, 120, 0 },
  { "snapshots/event_test", 2, 0, 2, 1, 1, 13, 2 },
  { "snapshots/init-short-addr", 2, 0, 0, 1, 1, 56, 0 },
  { "snapshots/itm_only_raw", 1, 0, 0, 1, 1, 261, 0 },
  { "snapshots/juno-ret-stck", 12, 0, 6, 1, 6, 65536, 1 },
  { "snapshots/juno_r1_1", 13, 6, 0, 2, 7, 67520, 0 },
  { "snapshots/rme_test", 4, 4, 0, 3, 3, 1037, 0 },
  { "snapshots/tc2-ptm-rstk-t32", 6, 9, 0, 1, 1, 27884, 0 },
  { "snapshots/test-file-mem-offsets", 2, 5, 0, 1, 1, 102992, 5 },
  { "corpus/cases/p04-mtb-m33-fsm-2k", 2, 2, 0, 1, 1, 2048, 0 },
  { "corpus/cases/p06-mtb-m0-fmt-ram", 2, 2, 0, 0, 1, 0, 0 },
  { "corpus/cases/p20-etm3-m3-irq-ts", 2, 2, 0, 1, 1, 1761, 0 },
  { "corpus/cases/p26-tarmac-m3-irq", 1, 2, 0, 0, 0, 0, 0 },
  { "corpus/cases/p28-multi-a57x2-itm", 5, 4, 0, 1, 3, 1360, 0 }
};

static bool
open_shared (const char *shared, const char *name,
	     struct tb_snapshot *snapshot)
{
  char path[1024];
  snprintf (path, sizeof path, "%s/%s", shared, name);
  tree_forget (&tree);
  enum tb_status status = tb_snapshot_open (snapshot, path, NULL, &tree.diag);
  if (CHECK_INT (status, TB_OK))
    return true;
  fprintf (stderr, "%s:\n%s", name, tree.said);
  return false;
}

static void
test_table (const char *shared)
{
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
      struct tb_snapshot snapshot;
      if (!open_shared (shared, table[i].name, &snapshot))
	continue;
      size_t dumps = 0, missing = 0;
      uint64_t bytes = 0;
      for (size_t j = 0; j < snapshot.ndevices; j++)
	{
	  dumps += snapshot.devices[j].ndumps;
	  missing += snapshot.devices[j].missing_dumps;
	}
      for (size_t j = 0; j < snapshot.nbuffers; j++)
	bytes += snapshot.buffers[j].size;
      bool good = CHECK_INT (snapshot.ndevices, table[i].devices);
      good &= CHECK_INT (dumps, table[i].dumps);
      good &= CHECK_INT (missing, table[i].missing);
      good &= CHECK_INT (snapshot.nbuffers, table[i].buffers);
      good &= CHECK_INT (snapshot.nstreams, table[i].streams);
      good &= CHECK_INT (bytes, table[i].bytes);
      good &= CHECK_INT (tree.diag.warnings, table[i].warnings);
      if (!good)
	fprintf (stderr, "%s:\n%s", table[i].name, tree.said);
      tb_snapshot_close (&snapshot);
    }
}

/* Open every snapshot in the folder NAME.  */
static unsigned
test_all (const char *shared, const char *name)
{
  char path[1024];
  snprintf (path, sizeof path, "%s/%s", shared, name);
  DIR *directory = opendir (path);
  unsigned count = 0;
  for (struct dirent *entry; directory != NULL
       && (entry = readdir (directory)) != NULL;)
    {
      char member[1024];
      struct tb_snapshot snapshot;
      snprintf (path, sizeof path, "%s/%s/%.200s/snapshot.ini", shared, name,
		entry->d_name);
      snprintf (member, sizeof member, "%s/%.200s", name, entry->d_name);
      if (access (path, F_OK) != 0
	  || !open_shared (shared, member, &snapshot))
	continue;
      count++;
      CHECK_INT (tree.diag.errors, 0);
      for (size_t i = 0; i < snapshot.ndevices; i++)
	CHECK (snapshot.devices[i].nregs > 0
	       || snapshot.devices[i].class == TB_CLASS_CORE);
      tb_snapshot_close (&snapshot);
    }
  if (directory != NULL)
    closedir (directory);
  return count;
}

/* Values in one of them, byte by byte.  */
static void
test_values (const char *shared)
{
  struct tb_snapshot snapshot;
  if (!open_shared (shared, "snapshots/tc2-ptm-rstk-t32", &snapshot))
    return;
  const struct tb_device *core = tb_snapshot_device (&snapshot,
						     "Cortex-A15_0");
  if (CHECK (core != NULL))
    {
      CHECK_INT (core->class, TB_CLASS_CORE);
      CHECK_INT (tb_device_reg (core, "R4")->value, 0x1f4);
      CHECK_INT (tb_device_reg (core, "s30")->value, 0x00290808);
      CHECK_INT (core->dumps[1].space, TB_SPACE_S);
      CHECK_INT (core->dumps[1].address, 0x80000278);
      CHECK (snapshot.streams[0].core == core);
      CHECK_STR (snapshot.streams[0].source->name, "PTM_0_2");
    }
  tb_snapshot_close (&snapshot);

  if (!open_shared (shared, "snapshots/test-file-mem-offsets", &snapshot))
    return;
  const struct tb_device *device = tb_snapshot_device (&snapshot, "cpu_3");
  if (CHECK (device != NULL && device->ndumps == 5))
    for (size_t i = 0; i < device->ndumps; i++)
      CHECK (device->dumps[i].length > 0);
  tb_snapshot_close (&snapshot);
}

int
main (void)
{
  const char *shared = getenv ("TB_SHARED");
  struct stat st;
  if (shared == NULL || stat (shared, &st) != 0)
    return check_skip ("TB_SHARED is not set or not there");
  test_table (shared);
  test_values (shared);
  CHECK (test_all (shared, "snapshots") >= 32);
  CHECK (test_all (shared, "corpus/cases") >= 31);
  test_all (shared, "corpus/bulk");
  return check_done ();
}
