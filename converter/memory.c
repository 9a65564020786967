/* --read: memory of a device as the dumps have it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <string.h>

#include "arm/halt-space.h"

/* One line: the address, LENGTH (at most 16) bytes, -- where nothing is mapped,
   and the characters.  */
static void
put_line (FILE *out, const struct tb_memmap *map, enum tb_space space,
	  uint64_t address, unsigned length)
{
  char text[17] = "";
  fprintf (out, "%#" PRIx64 ":", address);
  for (unsigned i = 0; i < length; i++)
    {
      uint8_t byte;
      bool mapped
	= tb_memmap_read_from (map, space, address + i, &byte, 1) == 1;
      if (mapped)
	fprintf (out, " %02x", byte);
      else
	fputs (" --", out);
      text[i] = mapped && byte >= 0x20 && byte < 0x7f ? (char) byte : '.';
    }
  fprintf (out, "%*s  %s\n", (int) (16 - length) * 3, "", text);
}

/* The map of DEVICE: that of its core, or one of its own dumps.  */
static enum tb_status
put_memory (struct job *job, const struct tb_device *device, FILE *out)
{
  const struct read_request *r = &job->options->read;
  const struct tb_memmap *map = NULL;
  const struct tb_session_core *core = NULL;
  for (size_t i = 0; i < job->session.ncores; i++)
    if (job->session.cores[i].device == device)
      core = &job->session.cores[i];
  struct tb_memmap *own = NULL;
  enum tb_space halt = TB_SPACE_ANY;
  if (core != NULL)
    {
      map = core->map;
      halt = tb_halt_space (device, &core->profile);
    }
  enum tb_status status = TB_OK;
  if (map == NULL)
    {
      map = own = tb_memmap_new ();
      status = own == NULL ? TB_ERR_MEMORY
	       : tb_memmap_add_device (own, device, job->diag);
      if (status == TB_OK)
	status = tb_memmap_seal (own, job->diag);
    }
  enum tb_space space = TB_SPACE_ANY;
  /* A device whose dumps all lie in one space is read there.  */
  if (device->ndumps > 0)
    space = device->dumps[0].space;
  for (size_t i = 1; i < device->ndumps; i++)
    if (device->dumps[i].space != space)
      space = halt;
  for (uint64_t at = 0; at < r->length && status == TB_OK; at += 16)
    put_line (out, map, space, r->address + at,
	      r->length - at < 16 ? (unsigned) (r->length - at) : 16);
  tb_memmap_free (own);
  return status;
}

enum tb_status
list_memory (struct job *job, struct tb_outfile *out)
{
  const char *name = job->options->read.device;
  const struct tb_device *device
    = tb_snapshot_device (&job->session.snapshot, name);
  if (device == NULL)
    {
      tb_error (job->diag, "%s: no device is named \"%s\"; --list shows what is "
		"there", job->input, name);
      return TB_ERR_INPUT;
    }
  return put_memory (job, device, tb_outfile_stream (out));
}
