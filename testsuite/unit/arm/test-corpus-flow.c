/* Flow against recorded runs: from each instruction that ran, to the next one.

   Needs the environment variable TB_SHARED, the directory that has "corpus"
   (its FORMAT.md describes the files).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "arm/flow/flow.h"
#include "check.h"
#include "snapshot/snapshot.h"

/* Flags of a record.  */
enum { PASSED = 1, TAKEN = 2, EXCEPTION = 4, THUMB = 16 };

/* The part of a record of the truth that matters here.  */
struct record
{
  uint64_t pc;
  uint32_t opcode, psr;
  uint8_t length, flags;
};

static unsigned long steps, branches, its;

static uint64_t
little (const uint8_t *p, unsigned length)
{
  uint64_t value = 0;

  while (length-- != 0)
    value = value << 8 | p[length];
  return value;
}

/* Read a record of a core whose registers have WIDTH bytes.  */
static bool
read_record (FILE *file, unsigned width, struct record *r)
{
  uint8_t bytes[280];
  size_t size = width == 8 ? 280 : 80;

  if (fread (bytes, 1, size, file) != size)
    return false;
  r->pc = little (bytes, width);
  r->opcode = little (bytes + width, 4);
  r->length = bytes[width + 4];
  r->flags = bytes[width + 5];
  r->psr = little (bytes + size - 8, 4);
  return true;
}

/* How many instructions are left in the IT block, by the PSR's ITSTATE.  */
static unsigned
it_left (uint32_t psr)
{
  uint32_t state = (psr >> 25 & 3) | (psr >> 8 & 0xfc);

  return (state & 15) != 0 ? 4 - __builtin_ctz (state & 15) : 0;
}

static void
check_step (const struct record *r, const struct record *next,
	    const struct tb_profile *profile, unsigned width,
	    const char *name)
{
  struct tb_flow flow;
  bool t32 = width == 4 && (r->flags & THUMB) != 0;
  bool taken = (r->flags & TAKEN) != 0;

  if (width == 8)
    tb_flow_a64 (&flow, r->opcode, r->pc);
  else if (t32)
    {
      unsigned left = it_left (r->psr);
      its += left != 0;
      tb_flow_t32 (&flow, r->length == 2 ? r->opcode << 16 : r->opcode, r->pc,
		   left != 0, profile);
    }
  else
    tb_flow_a32 (&flow, r->opcode, r->pc, profile);

  bool branch = flow.kind == TB_FLOW_BRANCH || flow.kind == TB_FLOW_INDIRECT;
  steps++;
  branches += branch;

  bool ok = flow.size == r->length && flow.kind != TB_FLOW_UNDEFINED;
  if ((r->flags & PASSED) == 0)
    ok &= flow.conditional && !taken;
  if (taken)
    ok &= branch;
  else
    ok &= !branch || flow.conditional;
  if (next != NULL && (next->flags & EXCEPTION) == 0)
    {
      if (!taken)
	ok &= next->pc == r->pc + r->length;
      else if (flow.kind == TB_FLOW_BRANCH)
	ok &= next->pc == flow.target
	      && (width == 8 || (flow.target_isa == TB_ISA_T32)
				== ((next->flags & THUMB) != 0));
      if (flow.it_length != 0)
	ok &= it_left (next->psr) == flow.it_length;
    }
  check_that (ok, name, 0, "what the flow of a step says");
  if (!ok)
    fprintf (stderr, "  %#" PRIx64 ": %#" PRIx32 " flags %#x, kind %u sub %u"
	     " target %#" PRIx64 "\n", r->pc, r->opcode, r->flags, flow.kind,
	     flow.sub, flow.target);
}

static void
check_truth (const char *directory, const char *file_name,
	     const struct tb_profile *profile)
{
  char command[4096];
  uint8_t head[32];
  struct record last, now;

  snprintf (command, sizeof command, "xz -dc '%s/%s'", directory, file_name);
  FILE *pipe = popen (command, "r");
  if (!CHECK (pipe != NULL))
    return;
  if (CHECK (fread (head, 1, sizeof head, pipe) == sizeof head))
    {
      unsigned width = little (head + 24, 4) / 8;
      uint64_t count = little (head + 16, 8), got = 0;
      if (read_record (pipe, width, &last))
	{
	  for (got = 1; read_record (pipe, width, &now); got++, last = now)
	    check_step (&last, &now, profile, width, directory);
	  check_step (&last, NULL, profile, width, directory);
	}
      CHECK_INT (got, count);
    }
  CHECK_INT (pclose (pipe), 0);
}

static void
check_case (const char *shared, const char *name)
{
  char directory[2048];
  struct tb_snapshot snapshot;
  struct tb_profile profile;
  struct dirent *entry;

  snprintf (directory, sizeof directory, "%s/corpus/cases/%s", shared, name);
  if (!CHECK (tb_snapshot_open (&snapshot, directory, NULL, NULL) == TB_OK))
    return;
  tb_profile_find (&profile, "");
  for (size_t i = 0; i < snapshot.ndevices; i++)
    if (snapshot.devices[i].class == TB_CLASS_CORE)
      CHECK (tb_profile_find (&profile, snapshot.devices[i].type));
  tb_snapshot_close (&snapshot);

  DIR *files = opendir (directory);
  if (!CHECK (files != NULL))
    return;
  while ((entry = readdir (files)) != NULL)
    if (strstr (entry->d_name, "truth.bin.xz") != NULL)
      check_truth (directory, entry->d_name, &profile);
  closedir (files);
}

int
main (void)
{
  const char *shared = getenv ("TB_SHARED");
  char path[2048];
  struct dirent *entry;

  snprintf (path, sizeof path, "%s/corpus/cases",
	    shared != NULL ? shared : "");
  DIR *directory = shared != NULL ? opendir (path) : NULL;
  if (directory == NULL)
    return check_skip ("TB_SHARED is not set or has no corpus");
  while ((entry = readdir (directory)) != NULL)
    if (entry->d_name[0] == 'p')
      check_case (shared, entry->d_name);
  closedir (directory);

  printf ("%lu steps, %lu branches, %lu in IT blocks\n", steps, branches, its);
  CHECK (steps > 100000);
  CHECK (branches > 10000);
  CHECK (its > 100);
  return check_done ();
}
