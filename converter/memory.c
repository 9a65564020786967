/* --read: memory of a device as the dumps have it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>

#include "recording/device-memory.h"

/* One line: the address, LENGTH (at most 16) bytes, -- where nothing is mapped,
   and the characters.  */
static void
put_line (FILE *out, const struct tb_device_memory *memory, uint64_t address,
	  unsigned length)
{
  char text[17] = "";
  fprintf (out, "%#" PRIx64 ":", address);
  for (unsigned i = 0; i < length; i++)
    {
      uint8_t byte;
      bool mapped = tb_device_memory_byte (memory, address + i, &byte);
      if (mapped)
	fprintf (out, " %02x", byte);
      else
	fputs (" --", out);
      text[i] = mapped && byte >= 0x20 && byte < 0x7f ? (char) byte : '.';
    }
  fprintf (out, "%*s  %s\n", (int) (16 - length) * 3, "", text);
}

/* The memory of DEVICE that is asked for.  */
static enum tb_status
put_memory (struct job *job, const struct tb_device *device, FILE *out)
{
  const struct read_request *r = &job->options->read;
  struct tb_device_memory memory;
  enum tb_status status
    = tb_device_memory_init (&memory, &job->session, device,
			     job->options->shared.space, job->diag);
  if (status != TB_OK)
    return status;
  struct tb_buffer text = { 0 };
  if (tb_device_heading (device, memory.space, &text))
    fprintf (out, "# %.*s\n", (int) text.size, (const char *) text.data);
  tb_buffer_clear (&text);
  if (job->options->shared.space != TB_SPACE_ANY
      && !tb_device_has_space (device, job->options->shared.space, &text))
    {
      tb_buffer_append (&text, "", 1);
      if (!text.failed)
	tb_warning (job->diag, "%s: --space: %s", job->input,
		    (const char *) text.data);
    }
  tb_buffer_fini (&text);
  for (uint64_t at = 0; at < r->length; at += 16)
    put_line (out, &memory, r->address + at,
	      r->length - at < 16 ? (unsigned) (r->length - at) : 16);
  struct tb_buffer others = { 0 };
  if (tb_device_other_spaces (device, memory.space, r->address, r->length,
			      "--space=", &others) && !others.failed)
    fprintf (out, "# %.*s\n", (int) others.size, (const char *) others.data);
  tb_buffer_fini (&others);
  tb_device_memory_fini (&memory);
  return TB_OK;
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
