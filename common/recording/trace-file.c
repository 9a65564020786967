/* GDB trace files: the reader.  See trace-file.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/trace-file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/facts-build.h"
#include "util/hex.h"
#include "util/number.h"
#include "util/search.h"

/* GDB refuses longer lines; those of others may be longer.  */
#define LINE_MOST 65536

/* More bytes of registers no target has that is told of here (TB_TDESC_SIZE_MAX).  */
#define REGISTERS_MOST 0x4000

/* A frame's tracepoint and size.  */
#define FRAME_HEAD 6

bool
tb_trace_file_recognise (const char *path)
{
  char head[TB_TRACE_FILE_MAGIC_SIZE];
  FILE *file = fopen (path, "rb");
  bool is = file != NULL && fread (head, sizeof head, 1, file) == 1
	    && memcmp (head, TB_TRACE_FILE_MAGIC, sizeof head) == 0;
  if (file != NULL)
    fclose (file);
  return is;
}

/* Line of the header from byte *AT on: where it begins, *LENGTH characters; *AT is then
   behind it.  NULL: the header has ended.  */
static const char *
next_line (const uint8_t *data, size_t size, size_t *at, size_t *length)
{
  if (*at >= size)
    return NULL;
  const char *line = (const char *) data + *at;
  const char *end = memchr (line, '\n', size - *at);
  if (end == NULL || end == line)
    return NULL;
  *length = (size_t) (end - line);
  *at += *length + 1;
  return line;
}

static bool
starts (const char *line, size_t length, const char *with)
{
  size_t n = strlen (with);
  return length >= n && memcmp (line, with, n) == 0;
}

/* The hexadecimal number at *TEXT, before END, of at most 16 digits; *TEXT is then behind
   it.  */
static bool
read_hex (const char **text, const char *end, uint64_t *value)
{
  const char *from = *text;
  for (*value = 0; *text < end && *text - from < 17; ++*text)
    {
      int digit = tb_hex_value ((uint8_t) **text);
      if (digit < 0)
	break;
      *value = *value << 4 | (unsigned) digit;
    }
  return *text > from && *text - from <= 16;
}

/* If the "tsv" LINE is that of a variable called NAME: its number.  */
static void
find_variable (const char *line, size_t length, const char *name, int64_t *number)
{
  const char *text = line + 4, *end = line + length;
  uint64_t value;
  if (!read_hex (&text, end, &value) || value > UINT32_MAX)
    return;
  /* NUMBER:INITIAL:BUILTIN:NAME in hexadecimal.  */
  for (unsigned i = 0; i < 3; i++)
    {
      text = memchr (text, ':', (size_t) (end - text));
      if (text == NULL)
	return;
      text++;
    }
  size_t n = strlen (name);
  if ((size_t) (end - text) != 2 * n)
    return;
  for (size_t i = 0; i < n; i++)
    if (tb_hex_value ((uint8_t) text[2 * i]) != (unsigned char) name[i] >> 4
	|| tb_hex_value ((uint8_t) text[2 * i + 1]) != (name[i] & 15))
      return;
  *number = (int64_t) value;
}

/* Keep what LINE says of a tracepoint, if it defines one: "tp TNUMBER:ADDRESS:E or
   D:STEPS:PASS".  False: no memory.  */
static bool
take_definition (struct tb_trace_file *f, const char *line, size_t length)
{
  struct tb_trace_file_place place;
  uint64_t steps = 0;
  const char *text = line + 4, *end = line + length;
  if (!starts (line, length, "tp T") || !read_hex (&text, end, &place.tracepoint)
      || text == end || *text++ != ':' || !read_hex (&text, end, &place.address))
    return true;
  place.alone = end - text >= 4 && (text += 3, read_hex (&text, end, &steps)) && steps == 0;
  bool ok = TB_GROW (f->places, f->places_room, f->nplaces, 1);
  if (ok)
    f->places[f->nplaces++] = place;
  return ok;
}

static int
compare_places (const void *left, const void *right)
{
  const struct tb_trace_file_place *a = left, *b = right;
  return (a->tracepoint > b->tracepoint) - (a->tracepoint < b->tracepoint);
}

/* Read the header; *AT is then where the frames begin.  */
static bool
read_header (struct tb_trace_file *f, size_t *at, struct tb_diag *diag)
{
  size_t length;
  const char *line;
  f->lines = 1;
  while ((line = next_line (f->map.data, f->map.size, at, &length)) != NULL)
    {
      f->lines++;
      if (length > LINE_MOST || memchr (line, 0, length) != NULL)
	{
	  tb_error (diag, "%s:%zu: expected a line of text of at most %d characters in the "
		    "header of a trace file, found %zu%s", f->path, f->lines, LINE_MOST,
		    length, length > LINE_MOST ? "" : " with a byte 0");
	  return false;
	}
      if (starts (line, length, "R "))
	{
	  uint64_t bytes;
	  const char *text = line + 2;
	  if (!read_hex (&text, line + length, &bytes) || text != line + length
	      || bytes == 0 || bytes > REGISTERS_MOST)
	    {
	      tb_error (diag, "%s:%zu: R: expected the bytes of all registers, hexadecimal, "
			"at most %x, found '%.*s'", f->path, f->lines, REGISTERS_MOST,
			length - 2 > 40 ? 40 : (int) length - 2, line + 2);
	      return false;
	    }
	  f->register_bytes = (uint32_t) bytes;
	}
      else if (starts (line, length, "tdesc "))
	{
	  if (length > 6)
	    tb_buffer_append (&f->tdesc, line + 6, length - 6);
	  /* GDB's first line is empty; nothing may stand before "<?xml".  */
	  if (f->tdesc.size > 0)
	    tb_buffer_append (&f->tdesc, "\n", 1);
	}
      else if (starts (line, length, "tsv "))
	{
	  find_variable (line, length, "unknown_registers", &f->unknown);
	  find_variable (line, length, "assumed_registers", &f->assumed);
	  find_variable (line, length, "assumed_memory", &f->assumed_memory);
	}
      else if (!take_definition (f, line, length))
	{
	  f->no_memory = true;
	  return false;
	}
    }
  if (f->nplaces > 1)
    qsort (f->places, f->nplaces, sizeof *f->places, compare_places);
  if (*at >= f->map.size || f->map.data[*at] != '\n')
    tb_error (diag, "%s:%zu: expected an empty line behind the header of a trace file, "
	      "found the end of the file", f->path, f->lines + 1);
  else if (f->register_bytes == 0)
    tb_error (diag, "%s: expected a line R in the header of a trace file, found none",
	      f->path);
  else
    {
      ++*at;
      f->no_memory = f->tdesc.failed;
      return !f->no_memory;
    }
  return false;
}

/* The bytes that the block at byte AT of the file takes, of LEFT; 0: they are not all
   there, or it is none.  */
static uint64_t
block_size (const struct tb_trace_file *f, uint64_t at, uint64_t left)
{
  uint64_t size;
  switch (f->map.data[at])
    {
    case 'R':
      size = 1 + f->register_bytes;
      break;
    case 'M':
      size = left >= 11 ? 11 + tb_number_16 (f->map.data + at + 9) : UINT64_MAX;
      break;
    case 'V':
      size = 13;
      break;
    default:
      return 0;
    }
  return size <= left ? size : 0;
}

/* Are the SIZE bytes from byte AT of the file on blocks?  *WRONG is where not.  */
static bool
are_blocks (const struct tb_trace_file *f, uint64_t at, uint64_t size, uint64_t *wrong,
	    bool *registers)
{
  *registers = false;
  for (uint64_t end = at + size, n; at < end; at += n)
    {
      n = block_size (f, at, end - at);
      *wrong = at;
      if (n == 0)
	return false;
      *registers |= f->map.data[at] == 'R';
    }
  return true;
}

/* Would the first frame, at byte AT, be one whose numbers have their highest byte
   first?  */
static bool
is_big (const struct tb_trace_file *f, uint64_t at)
{
  const uint8_t *d = f->map.data + at;
  uint64_t size = tb_number_big (d + 2, 4);
  return size <= f->map.size - at - FRAME_HEAD && size > 0
	 && (f->map.data[at + FRAME_HEAD] == 'R' || f->map.data[at + FRAME_HEAD] == 'M'
	     || f->map.data[at + FRAME_HEAD] == 'V');
}

static enum tb_status
read_frames (struct tb_trace_file *f, uint64_t at, struct tb_diag *diag)
{
  for (;;)
    {
      uint64_t left = f->map.size - at;
      uint16_t tracepoint = left >= 2 ? (uint16_t) tb_number_16 (f->map.data + at) : 0;
      if (left >= 2 && tracepoint == 0)
	return TB_OK;
      uint64_t size = left >= FRAME_HEAD ? tb_number_32 (f->map.data + at + 2) : 0, wrong;
      if (left == 0)
	{
	  tb_warning (diag, "%s: the file ends behind frame %zu, without the mark of the "
		      "end: there may have been more", f->path, f->nframes);
	  return TB_OK;
	}
      if (left < FRAME_HEAD || size > left - FRAME_HEAD)
	{
	  if (f->nframes == 0 && left >= FRAME_HEAD && is_big (f, at))
	    {
	      tb_error (diag, "%s, byte 0x%" PRIx64 ": expected the frame of a "
			"little-endian target, found one whose numbers have the highest "
			"byte first; data are then big-endian, which is not followed",
			f->path, at);
	      return TB_ERR_INPUT;
	    }
	  tb_warning (diag, "%s, byte 0x%" PRIx64 ": the file ends in frame %zu, which is "
		      "left out: expected %" PRIu64 " bytes, found %" PRIu64, f->path, at,
		      f->nframes, left < FRAME_HEAD ? (uint64_t) FRAME_HEAD
		      : size + FRAME_HEAD, left);
	  return TB_OK;
	}
      if (f->nframes >= TB_FACTS_STEPS_MOST)
	{
	  tb_error (diag, "%s: expected at most %" PRIu32 " frames, found more", f->path,
		    (uint32_t) TB_FACTS_STEPS_MOST);
	  return TB_ERR_INPUT;
	}
      bool registers;
      if (!are_blocks (f, at + FRAME_HEAD, size, &wrong, &registers))
	{
	  tb_error (diag, "%s, byte 0x%" PRIx64 ": expected a block of registers (R, %u "
		    "bytes), memory (M) or a variable (V) within frame %zu, found 0x%02x%s",
		    f->path, wrong, f->register_bytes, f->nframes, f->map.data[wrong],
		    strchr ("RMV", f->map.data[wrong]) != NULL && f->map.data[wrong] != 0
		    ? ", which is longer than what is left of it" : "");
	  return TB_ERR_INPUT;
	}
      bool ok = TB_GROW (f->frames, f->room, f->nframes, 1);
      if (!ok)
	return TB_ERR_MEMORY;
      f->frames[f->nframes] = (struct tb_trace_file_frame) {
	.number = f->nframes, .at = at + FRAME_HEAD, .size = (uint32_t) size,
	.tracepoint = tracepoint, .has_registers = registers
      };
      f->nframes++;
      at += FRAME_HEAD + size;
    }
}

bool
tb_trace_file_block (const struct tb_trace_file *f, const struct tb_trace_file_frame *frame,
		     uint32_t *at, struct tb_trace_file_block *block)
{
  if (*at >= frame->size)
    return false;
  uint64_t from = frame->at + *at;
  *block = (struct tb_trace_file_block) {
    .kind = (char) f->map.data[from], .data = f->map.data + from + 1,
    .length = f->register_bytes
  };
  if (block->kind == 'M')
    {
      block->address = tb_number_64 (f->map.data + from + 1);
      block->data += 10;
      block->length = tb_number_16 (f->map.data + from + 9);
    }
  else if (block->kind == 'V')
    {
      block->number = tb_number_32 (f->map.data + from + 1);
      block->data += 4;
      block->length = 8;
    }
  *at += (uint32_t) (block->data + block->length - (f->map.data + from));
  return true;
}

bool
tb_trace_file_location (const struct tb_trace_file *f, unsigned tracepoint,
			uint64_t *address)
{
  size_t i;
  TB_LOWER_BOUND (i, f->nplaces, f->places[i].tracepoint < tracepoint);
  if (i == f->nplaces || f->places[i].tracepoint != tracepoint || !f->places[i].alone
      || (i + 1 < f->nplaces && f->places[i + 1].tracepoint == tracepoint))
    return false;
  *address = f->places[i].address;
  return true;
}

enum tb_status
tb_trace_file_open (struct tb_trace_file *f, const char *path, struct tb_diag *diag)
{
  *f = (struct tb_trace_file) { .path = strdup (path), .unknown = -1, .assumed = -1,
				.assumed_memory = -1 };
  size_t at = TB_TRACE_FILE_MAGIC_SIZE;
  enum tb_status status = f->path != NULL ? tb_filemap_open (&f->map, path, diag)
					  : TB_ERR_MEMORY;
  if (status == TB_OK
      && (f->map.size < at || memcmp (f->map.data, TB_TRACE_FILE_MAGIC, at) != 0))
    {
      tb_error (diag, "%s: expected a trace file, found something else", path);
      status = TB_ERR_INPUT;
    }
  if (status == TB_OK && !read_header (f, &at, diag))
    status = f->no_memory ? TB_ERR_MEMORY : TB_ERR_INPUT;
  if (status == TB_OK)
    status = read_frames (f, at, diag);
  if (status == TB_OK && f->nframes == 0)
    {
      tb_error (diag, "%s: expected frames, found none: nothing was collected", path);
      status = TB_ERR_INPUT;
    }
  if (status != TB_OK)
    tb_trace_file_close (f);
  return status;
}

void
tb_trace_file_close (struct tb_trace_file *f)
{
  free (f->path);
  free (f->frames);
  free (f->places);
  tb_buffer_fini (&f->tdesc);
  tb_filemap_close (&f->map);
  *f = (struct tb_trace_file) { .path = NULL };
}
