/* GDB trace files: the writer.  See tracefile.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Facts about what GDB reads are those of GDB 13 (gdb/tracefile-tfile.c).  */

#include "config.h"
#include "frame/tracefile.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frame/definitions.h"
#include "frame/frame.h"
#include "util/outfile.h"

/* GDB refuses a file with a longer line; not counting the newline.  */
#define LINE_LIMIT 999
/* As tracefile.h promises; with "tdesc " it stays under the limit.  */
#define TDESC_LINE_LIMIT 990
/* GDB reads a frame's tracepoint number as a signed 16-bit number.  */
#define TRACEPOINT_LIMIT 32767

struct tb_tracefile
{
  struct tb_outfile *out;
  struct tb_diag *diag;
  struct tb_frame frame;	/* The blocks of the present one.  */
  unsigned register_bytes;
  unsigned tracepoint;		/* Of the present frame; 0: none is begun.  */
  uint64_t announced;		/* Frames, in the header.  */
  uint64_t written;
  enum tb_status status;	/* The first failure.  */
};

/* Finish the line that begins at START in TEXT: false after a diagnostic if
   GDB would not read it.  */
static bool
end_line (struct tb_buffer *text, size_t start, const char *path,
	  struct tb_diag *diag)
{
  if (!text->failed && text->size - start > LINE_LIMIT)
    {
      tb_error (diag, "%s: a definition of %zu characters; GDB reads at most "
		"%d: %.40s...", path, text->size - start, LINE_LIMIT,
		(const char *) text->data + start);
      return false;
    }
  tb_buffer_append (text, "\n", 1);
  return true;
}

/* Backwards, as the tracepoints: "info tvariables" shows the last definition
   first.  */
static bool
compose_variables (struct tb_buffer *text, const struct tb_tracefile_header *h,
		   const char *path, struct tb_diag *diag)
{
  for (size_t i = h->nvariables; i > 0; i--)
    {
      size_t start = text->size;
      tb_buffer_printf (text, "tsv ");
      tb_definition_variable (text, &h->variables[i - 1]);
      if (!end_line (text, start, path, diag))
	return false;
    }
  return true;
}

static int
compare_descending (const void *left, const void *right)
{
  const struct tb_tracepoint_def *const *a = left;
  const struct tb_tracepoint_def *const *b = right;
  return ((*a)->number < (*b)->number) - ((*a)->number > (*b)->number);
}

static bool
compose_tracepoint (struct tb_buffer *text,
		    const struct tb_tracepoint_def *tracepoint,
		    const char *path, struct tb_diag *diag)
{
  assert (tracepoint->number >= 1 && tracepoint->number <= TRACEPOINT_LIMIT);
  size_t pieces = tb_definition_pieces (tracepoint);
  for (size_t i = 0; i < pieces; i++)
    {
      size_t start = text->size;
      tb_buffer_printf (text, "tp ");
      tb_definition_tracepoint (text, tracepoint, i);
      if (!end_line (text, start, path, diag))
	return false;
    }
  tb_buffer_printf (text, "tp V%x:%" PRIx64 ":%" PRIx64 ":0\n",
		    tracepoint->number, tracepoint->address,
		    tracepoint->hits);
  return true;
}

/* In descending order of their numbers: GDB makes its own tracepoints from the
   last to the first, so that this gives them the same numbers.  */
static bool
compose_tracepoints (struct tb_buffer *text,
		     const struct tb_tracefile_header *h, const char *path,
		     struct tb_diag *diag)
{
  if (h->ntracepoints == 0)
    return true;
  const struct tb_tracepoint_def **order
    = calloc (h->ntracepoints, sizeof *order);
  if (order == NULL)
    {
      text->failed = true;
      return true;
    }
  for (size_t i = 0; i < h->ntracepoints; i++)
    order[i] = &h->tracepoints[i];
  qsort (order, h->ntracepoints, sizeof *order, compare_descending);
  bool good = true;
  for (size_t i = 0; good && i < h->ntracepoints; i++)
    good = compose_tracepoint (text, order[i], path, diag);
  free (order);
  return good;
}

static bool
compose_tdesc (struct tb_buffer *text, const struct tb_tracefile_header *h,
	       const char *path, struct tb_diag *diag)
{
  const char *line = h->tdesc;
  while (line != NULL && *line != '\0')
    {
      size_t length = strcspn (line, "\n");
      if (length > TDESC_LINE_LIMIT)
	{
	  tb_error (diag, "%s: a line of %zu characters in the target "
		    "description; at most %d fit", path, length,
		    TDESC_LINE_LIMIT);
	  return false;
	}
      /* "tdesc " and nothing more would be refused by no one, but says
	 nothing.  */
      if (length != 0)
	{
	  tb_buffer_printf (text, "tdesc ");
	  tb_buffer_append (text, line, length);
	  tb_buffer_append (text, "\n", 1);
	}
      line += length;
      line += *line == '\n';
    }
  return true;
}

/* All that stands before the frames.  */
static bool
compose_header (struct tb_buffer *text, const struct tb_tracefile_header *h,
		const char *path, struct tb_diag *diag)
{
  assert (h->register_bytes > 0);
  tb_buffer_append (text, "\177TRACE0\n", 8);
  /* The manual does not say in which base; GDB reads hexadecimal.  */
  tb_buffer_printf (text, "R %x\n", h->register_bytes);
  /* Always: without it GDB stops at an assertion in MI's -trace-status.  */
  size_t start = text->size;
  tb_buffer_printf (text, "status ");
  tb_definition_status (text, h);
  if (!end_line (text, start, path, diag)
      || !compose_variables (text, h, path, diag)
      || !compose_tracepoints (text, h, path, diag)
      || !compose_tdesc (text, h, path, diag))
    return false;
  tb_buffer_append (text, "\n", 1);
  if (text->failed)
    tb_error (diag, "%s: no memory for the header", path);
  return !text->failed;
}

struct tb_tracefile *
tb_tracefile_create (const char *path, const struct tb_tracefile_header *h,
		     struct tb_diag *diag)
{
  struct tb_tracefile *file = NULL;
  struct tb_buffer text = { 0 };
  if (compose_header (&text, h, path, diag))
    {
      file = calloc (1, sizeof *file);
      if (file == NULL)
	tb_error (diag, "%s: no memory to write it", path);
    }
  if (file != NULL)
    {
      file->diag = diag;
      file->register_bytes = h->register_bytes;
      file->announced = h->frames;
      file->out = tb_outfile_open (path, diag);
      if (file->out == NULL
	  || tb_outfile_write (file->out, text.data, text.size) != TB_OK)
	{
	  tb_tracefile_abandon (file);
	  file = NULL;
	}
    }
  tb_buffer_fini (&text);
  return file;
}

void
tb_tracefile_begin (struct tb_tracefile *file, unsigned tracepoint)
{
  assert (file->tracepoint == 0);
  assert (tracepoint >= 1 && tracepoint <= TRACEPOINT_LIMIT);
  file->tracepoint = tracepoint;
  tb_frame_clear (&file->frame);
}

void
tb_tracefile_blocks (struct tb_tracefile *file, const uint8_t *blocks,
		     size_t length)
{
  assert (file->tracepoint != 0);
  tb_buffer_append (&file->frame.bytes, blocks, length);
}

void
tb_tracefile_registers (struct tb_tracefile *file, const uint8_t *bytes)
{
  assert (file->tracepoint != 0);
  tb_frame_registers (&file->frame, bytes, file->register_bytes);
}

void
tb_tracefile_memory (struct tb_tracefile *file, uint64_t address,
		     const uint8_t *bytes, size_t length)
{
  assert (file->tracepoint != 0);
  tb_frame_memory (&file->frame, address, bytes, length);
}

void
tb_tracefile_variable (struct tb_tracefile *file, unsigned number,
		       int64_t value)
{
  assert (file->tracepoint != 0);
  tb_frame_variable (&file->frame, number, value);
}

void
tb_tracefile_pad (struct tb_tracefile *file, size_t size, unsigned variable,
		  int64_t value)
{
  assert (file->tracepoint != 0);
  tb_frame_pad (&file->frame, size, variable, value);
}

enum tb_status
tb_tracefile_end (struct tb_tracefile *file)
{
  assert (file->tracepoint != 0);
  unsigned tracepoint = file->tracepoint;
  size_t size = file->frame.bytes.size;
  file->tracepoint = 0;
  if (file->status != TB_OK)
    return file->status;
  /* GDB holds the size in an int.  */
  if (file->frame.bytes.failed || size > INT32_MAX)
    {
      file->status = TB_ERR_MEMORY;
      tb_error (file->diag, "%s: no memory for frame %" PRIu64,
		tb_outfile_name (file->out), file->written);
      return file->status;
    }
  uint8_t head[6] =
    {
      (uint8_t) tracepoint, (uint8_t) (tracepoint >> 8),
      (uint8_t) size, (uint8_t) (size >> 8), (uint8_t) (size >> 16),
      (uint8_t) (size >> 24)
    };
  if (tb_outfile_write (file->out, head, sizeof head) != TB_OK
      || tb_outfile_write (file->out, file->frame.bytes.data, size) != TB_OK)
    {
      file->status = TB_ERR_IO;
      return file->status;
    }
  file->written++;
  return TB_OK;
}

enum tb_status
tb_tracefile_finish (struct tb_tracefile *file)
{
  assert (file->tracepoint == 0);
  enum tb_status status = file->status;
  if (status != TB_OK)
    {
      tb_tracefile_abandon (file);
      return status;
    }
  assert (file->written == file->announced);
  /* A frame of tracepoint 0 ends the frames.  Its number alone would do; GDB
     itself writes four bytes.  */
  static const uint8_t terminator[4] = { 0 };
  tb_outfile_write (file->out, terminator, sizeof terminator);
  status = tb_outfile_finish (file->out);
  file->out = NULL;
  tb_tracefile_abandon (file);
  return status;
}

void
tb_tracefile_abandon (struct tb_tracefile *file)
{
  if (file == NULL)
    return;
  tb_outfile_abandon (file->out);
  tb_frame_fini (&file->frame);
  free (file);
}
