/* All fuzz targets in one program, without a fuzzer: each gets its seeds, what once broke it
   (found/TARGET), and changes of them by chance, the same in each run.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: test-fuzz-targets [COUNT [TARGET [SEED]]]

   COUNT is how many changed inputs each target gets (300; where rounds are sampled in a build
   without sanitizers, which would say little of them, 100).  The input that breaks a target is
   kept as fuzz-found-TARGET in the current folder; SEED are other changes.  */

#include "config.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "rounds.h"

/* The targets but those of command lines, which need the linker's help.  */
#define TARGETS(T) \
  T (agent) T (code) T (core) T (crash) T (dwarf) T (elf) T (etmv4) T (expression) \
  T (frames) T (guess) T (index) T (loaded) T (packet) T (perf) T (ramdump) T (request) \
  T (session) T (snapshot) T (software) T (svd) T (sysfs) T (tarmac) T (tdesc) T (tfile) \
  T (unpack) T (v7)

#define DECLARE(name) int fuzz_target_##name (const uint8_t *data, size_t size);
TARGETS (DECLARE)

static const struct target
{
  const char *name;
  int (*run) (const uint8_t *data, size_t size);
} targets[] =
{
#define ROW(name) { #name, fuzz_target_##name },
  TARGETS (ROW)
};

struct input
{
  uint8_t *data;
  size_t size;
};

#define INPUTS_MOST 200
#define INPUT_MOST 65536

static struct input inputs[INPUTS_MOST];
static size_t ninputs;
static uint64_t state;

static uint32_t
draw (uint32_t below)
{
  state = state * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (state >> 33) % below;
}

static int
by_name (const struct dirent **a, const struct dirent **b)
{
  return strcmp ((*a)->d_name, (*b)->d_name);
}

/* Read the files of FOLDER/NAME, if there is such a folder, in the order of their names.  */
static void
read_inputs (const char *folder, const char *name)
{
  char path[4096];
  struct dirent **entries;
  snprintf (path, sizeof path, "%s/%s", folder, name);
  int n = scandir (path, &entries, NULL, by_name);
  for (int i = 0; i < n; i++)
    {
      char file[8192];
      snprintf (file, sizeof file, "%s/%s", path, entries[i]->d_name);
      FILE *in = entries[i]->d_name[0] != '.' ? fopen (file, "rb") : NULL;
      if (in != NULL && ninputs < INPUTS_MOST)
	{
	  struct input *input = &inputs[ninputs++];
	  input->data = malloc (INPUT_MOST);
	  if (input->data == NULL)
	    abort ();
	  input->size = fread (input->data, 1, INPUT_MOST, in);
	}
      if (in != NULL)
	fclose (in);
      free (entries[i]);
    }
  if (n >= 0)
    free (entries);
}

/* Change the *SIZE bytes DATA, which has room for INPUT_MOST.  */
static void
change (uint8_t *data, size_t *size)
{
  static const uint8_t odd[] = { 0, 1, 0x7f, 0x80, 0xff, '0', '\n', ' ' };
  for (unsigned n = 1 + draw (4); n > 0; n--)
    {
      size_t at = *size > 0 ? draw ((uint32_t) *size) : 0, length = 1 + draw (8);
      switch (*size > 0 ? draw (7) : 5)
	{
	case 0:
	  data[at] ^= (uint8_t) (1 << draw (8));
	  break;
	case 1:
	  data[at] = odd[draw (sizeof odd)];
	  break;
	case 2:
	  data[at] = (uint8_t) draw (256);
	  break;
	case 3:			/* Leave some out.  */
	  length = length < *size - at ? length : *size - at;
	  memmove (data + at, data + at + length, *size - at - length);
	  *size -= length;
	  break;
	case 4:			/* Some of it at another place.  */
	  length = length < *size - at ? length : *size - at;
	  memmove (data + draw ((uint32_t) (*size - length + 1)), data + at, length);
	  break;
	case 6:			/* A piece of another input in place of what is there.  */
	  {
	    const struct input *other = ninputs > 0 ? &inputs[draw ((uint32_t) ninputs)] : NULL;
	    length = 1 + draw (40);
	    if (other == NULL || other->size < length || *size - at < length)
	      break;
	    memcpy (data + at, other->data + draw ((uint32_t) (other->size - length + 1)),
		    length);
	    break;
	  }
	default:		/* Some more.  */
	  if (*size + length > INPUT_MOST)
	    break;
	  memmove (data + at + length, data + at, *size - at);
	  for (size_t i = 0; i < length; i++)
	    data[at + i] = (uint8_t) draw (256);
	  *size += length;
	}
    }
}

/* Let TARGET look at INPUT, of which a copy without anything behind it is made.  What breaks
   the program is kept by who waits for it, in *KEPT.  */
static void
look (const struct target *target, const struct input *input, FILE *kept)
{
  rewind (kept);
  fwrite (input->data, 1, input->size, kept);
  fflush (kept);
  if (ftruncate (fileno (kept), (off_t) input->size) != 0)
    abort ();
  uint8_t *copy = malloc (input->size + (input->size == 0));
  if (copy == NULL)
    abort ();
  memcpy (copy, input->data, input->size);
  target->run (copy, input->size);
  free (copy);
}

/* Run TARGET with all its inputs and COUNT changed ones, in a process of its own.  */
static void
run_target (const struct target *target, unsigned count)
{
  char name[100];
  int status = -1;
  snprintf (name, sizeof name, "fuzz-found-%s", target->name);
  FILE *kept = fopen (name, "wb");
  if (!CHECK (kept != NULL))
    return;
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0)
    {
      static uint8_t data[INPUT_MOST];
      for (size_t i = 0; i < ninputs; i++)
	look (target, &inputs[i], kept);
      for (unsigned i = 0; i < count; i++)
	{
	  const struct input *from = ninputs > 0 ? &inputs[draw ((uint32_t) ninputs)] : NULL;
	  struct input changed = { data, from != NULL ? from->size : 0 };
	  if (from != NULL)
	    memcpy (data, from->data, from->size);
	  change (data, &changed.size);
	  look (target, &changed, kept);
	}
      exit (0);
    }
  fclose (kept);
  bool sound = CHECK (child > 0) && CHECK (waitpid (child, &status, 0) == child)
	       && CHECK_INT (status, 0);
  if (sound)
    unlink (name);
  else
    fprintf (stderr, "fuzz target %s: broken by the input in %s\n", target->name, name);
}

static char folder[] = "/tmp/test-fuzz-XXXXXX";

static int
remove_one (const char *path, const struct stat *st, int type, struct FTW *at)
{
  (void) st;
  (void) type;
  (void) at;
  return remove (path);
}

int
main (int argc, char **argv)
{
  unsigned count = rounds_setting ("TB_SANITIZERS") ? 300 : rounds_of (300);
  if (argc > 1)
    count = (unsigned) strtoul (argv[1], NULL, 10);
  char command[4096];
  if (!CHECK (mkdtemp (folder) != NULL))
    return check_done ();
  /* Without Python only those that are kept.  */
  snprintf (command, sizeof command, "cd %s && sh '%s/fuzz/seeds.sh' '%s/..' >/dev/null 2>&1",
	    folder, FUZZ_SOURCE, FUZZ_SOURCE);
  if (system (command) != 0)
    fprintf (stderr, "not all seeds can be made here\n");
  char seeds[sizeof folder + 10];
  snprintf (seeds, sizeof seeds, "%s/seeds", folder);
  for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
    if (argc <= 2 || strcmp (argv[2], targets[i].name) == 0)
      {
	state = argc > 3 ? strtoull (argv[3], NULL, 10) : 1;
	read_inputs (seeds, targets[i].name);
	read_inputs (FUZZ_SOURCE "/fuzz/seeds", targets[i].name);
	/* All of these have some.  */
	CHECK (ninputs > 0);
	read_inputs (FUZZ_SOURCE "/fuzz/found", targets[i].name);
	run_target (&targets[i], count);
	while (ninputs > 0)
	  free (inputs[--ninputs].data);
      }
  nftw (folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return check_done ();
}
