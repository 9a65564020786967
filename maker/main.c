/* tracebridge-snapshot: snapshots of their parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "parts.h"
#include "snapshot/write.h"
#include "util/mapfault.h"

/* All messages; notes are of interest here, too.  */
static void
say (void *context, enum tb_severity severity, const char *message)
{
  const struct options *options = context;
  static const char *const words[] = { "note: ", "warning: ", "" };
  if (severity != TB_ERROR && options->quiet)
    return;
  fprintf (stderr, "tracebridge-snapshot: %s%s\n", words[severity], message);
}

/* Does a dump of DEVICE have all of REGION?  */
static bool
is_dumped (const struct tb_device *device, const struct tb_region *region)
{
  for (size_t i = 0; i < device->ndumps; i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      if (region->address >= d->address && region->length <= d->length
	  && region->address - d->address <= d->length - region->length)
	return true;
    }
  return false;
}

/* What the ELF files of S have that no dump has and that the program cannot have changed:
   *COUNT parts, from malloc.  NULL: no memory.  */
static struct tb_written_memory *
find_code (const struct tb_session *s, size_t *count)
{
  size_t most = 1;
  const struct tb_region *regions;
  for (size_t i = 0; i < s->ncores; i++)
    most += tb_memmap_regions (s->cores[i].map, &regions);
  struct tb_written_memory *memory = malloc (most * sizeof *memory);
  *count = 0;
  for (size_t i = 0; i < s->ncores && memory != NULL; i++)
    {
      const struct tb_device *device = s->cores[i].device;
      size_t n = tb_memmap_regions (s->cores[i].map, &regions);
      for (size_t k = 0; k < n && device != NULL; k++)
	if (regions[k].elf != NULL && regions[k].access == TB_ACCESS_READ
	    && !is_dumped (device, &regions[k]))
	  memory[(*count)++] = (struct tb_written_memory) {
	    .device = device, .from = regions[k].name, .address = regions[k].address,
	    .length = regions[k].length, .data = regions[k].data
	  };
    }
  return memory;
}

/* Say what S, which was written as PATH, has.  */
static void
print_summary (const struct tb_session *s, const char *path)
{
  printf ("%s: %zu core%s, %zu trace buffer%s\n", path, s->ncores - 1,
	  s->ncores == 2 ? "" : "s", s->snapshot.nbuffers,
	  s->snapshot.nbuffers == 1 ? "" : "s");
  for (size_t i = 0; i < s->nstreams; i++)
    {
      const struct tb_session_stream *t = &s->streams[i];
      printf ("  trace of %s%s%s: %s\n", t->source->name,
	      t->core->device != NULL ? " of " : "",
	      t->core->device != NULL ? t->core->device->name : "", t->source->type);
    }
}

int
main (int argc, char **argv)
{
  struct options options;
  tb_mapfault_guard ();
  options_parse (&options, argc, argv);
  struct tb_diag diag = { .report = say, .context = &options };
  struct tb_session session;
  enum tb_status status;
  if (options.input != NULL)
    status = tb_session_open (&session, options.input, &options.session, &diag);
  else
    {
      struct tb_snapshot snapshot;
      status = parts_make (&snapshot, &options, &diag);
      if (status == TB_OK)
	status = tb_session_open_made (&session, &snapshot, &options.session, &diag);
      else
	tb_snapshot_close (&snapshot);
    }
  if (status == TB_OK && session.log != NULL)
    {
      tb_error (&diag, "%s: expected an input with dumps or trace buffers, found a log",
		options.input);
      status = TB_ERR_INPUT;
      tb_session_close (&session);
    }
  else if (status == TB_OK)
    {
      size_t count;
      struct tb_written_memory *memory = find_code (&session, &count);
      if (memory != NULL)
	status = tb_snapshot_write (&session.snapshot, memory, count, options.output,
				    &diag);
      else
	{
	  tb_error (&diag, "%s: no memory", options.output);
	  status = TB_ERR_MEMORY;
	}
      free (memory);
      if (status == TB_OK && !options.quiet)
	print_summary (&session, options.output);
      tb_session_close (&session);
    }
  options_fini (&options);
  return status == TB_OK && fclose (stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}
