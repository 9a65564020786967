/* GDB trace files: a strict reader.  See tracefile-reader.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "tracefile-reader.h"

#include <inttypes.h>
#include <string.h>

#define MAGIC "\177TRACE0\n"
#define MAGIC_SIZE 8
#define LINE_LIMIT 999

#define fail(reader, offset, format, ...)				\
  (tb_error ((reader)->diag, "%s, byte 0x%zx: " format, (reader)->path,	\
	     (size_t) (offset), __VA_ARGS__), TB_ERR_INPUT)

static uint64_t
get_le (const uint8_t *from, unsigned length)
{
  uint64_t value = 0;
  for (unsigned i = length; i > 0; i--)
    value = value << 8 | from[i - 1];
  return value;
}

/* The hexadecimal number at *TEXT, which ends at END; *TEXT is moved after it.
   False: no digit, or more than 64 bits.  */
static bool
parse_hex (const char **text, const char *end, uint64_t *value)
{
  const char *start = *text;
  *value = 0;
  for (; *text < end; ++*text)
    {
      char c = **text;
      unsigned digit;
      if (c >= '0' && c <= '9')
	digit = (unsigned) (c - '0');
      else if (c >= 'a' && c <= 'f')
	digit = (unsigned) (c - 'a') + 10;
      else
	break;
      if (*value >> 60 != 0)
	return false;
      *value = *value << 4 | digit;
    }
  return *text > start;
}

/* Does [LINE, END) begin with WORD?  *LINE is moved after it then.  */
static bool
skip_word (const char **line, const char *end, const char *word)
{
  size_t length = strlen (word);
  if ((size_t) (end - *line) < length || memcmp (*line, word, length) != 0)
    return false;
  *line += length;
  return true;
}

/* "R 44".  */
static bool
check_register_line (struct tb_tracefile_reader *reader, const char *line,
		     const char *end)
{
  uint64_t size;
  if (reader->register_bytes != 0 || !parse_hex (&line, end, &size)
      || line != end || size == 0 || size > 0xffff)
    return false;
  reader->register_bytes = (unsigned) size;
  return true;
}

/* "status 0;key:value;..."; every item but the first has a colon.  */
static bool
check_status_line (struct tb_tracefile_reader *reader, const char *line,
		   const char *end)
{
  if (end - line < 2 || line[0] != '0' || line[1] != ';')
    return false;
  bool counted = false;
  for (line += 2; line < end;)
    {
      const char *stop = memchr (line, ';', (size_t) (end - line));
      const char *next = stop != NULL ? stop + 1 : end;
      stop = stop != NULL ? stop : end;
      if (memchr (line, ':', (size_t) (stop - line)) == NULL)
	return false;
      if (skip_word (&line, stop, "tframes:"))
	counted = parse_hex (&line, stop, &reader->announced) && line == stop;
      line = next;
    }
  return counted;
}

/* "tp T2:address:E:steps:pass[:X...]", "tp A2:address:action" (or S), "tp Z2:address:at:0:8:hex",
   "tp V2:address:hits:0".  T lines come in descending order; what belongs to one
   follows it.  */
static bool
check_tracepoint_line (const char *line, const char *end, uint64_t *current,
		       uint64_t *address)
{
  char kind = line < end ? *line : '\0';
  uint64_t number, at, count;
  line++;
  if (strchr ("TASZV", kind) == NULL || kind == '\0'
      || !parse_hex (&line, end, &number) || !skip_word (&line, end, ":")
      || !parse_hex (&line, end, &at))
    return false;
  if (kind != 'T')
    return number == *current && at == *address && line < end && *line == ':';
  if (number == 0 || number > 32767
      || (*current != 0 && number != *current - 1)
      || (!skip_word (&line, end, ":E:") && !skip_word (&line, end, ":D:"))
      || !parse_hex (&line, end, &count) || !skip_word (&line, end, ":")
      || !parse_hex (&line, end, &count)
      || (line != end && !skip_word (&line, end, ":X")))
    return false;
  *current = number;
  *address = at;
  return true;
}

/* "tsv 1:0:0:hex".  */
static bool
check_variable_line (const char *line, const char *end)
{
  uint64_t number, initial, builtin;
  if (!parse_hex (&line, end, &number) || number == 0 || number > INT32_MAX
      || !skip_word (&line, end, ":") || !parse_hex (&line, end, &initial)
      || !skip_word (&line, end, ":") || !parse_hex (&line, end, &builtin)
      || !skip_word (&line, end, ":") || line == end
      || (end - line) % 2 != 0)
    return false;
  while (line < end)
    if (strchr ("0123456789abcdef", *line++) == NULL)
      return false;
  return true;
}

static enum tb_status
check_header (struct tb_tracefile_reader *reader)
{
  const char *text = (const char *) reader->map.data;
  size_t size = reader->map.size;
  if (size < MAGIC_SIZE || memcmp (text, MAGIC, MAGIC_SIZE) != 0)
    return fail (reader, 0, "expected the magic of a trace file, found %s",
		 size < MAGIC_SIZE ? "too few bytes" : "other bytes");

  bool status = false;
  uint64_t tracepoint = 0, address = 0;
  for (size_t at = MAGIC_SIZE;;)
    {
      const char *line = text + at;
      const char *end = size > at ? memchr (line, '\n', size - at) : NULL;
      if (end == NULL)
	return fail (reader, at, "expected %s, found the end of the file",
		     "an empty line before the frames");
      size_t length = (size_t) (end - line);
      if (length == 0)
	{
	  reader->header = at + 1;
	  break;
	}
      bool good;
      if (length > LINE_LIMIT)
	return fail (reader, at, "a line of %zu characters; GDB reads at most "
		     "%d", length, LINE_LIMIT);
      const char *rest = line;
      if (memchr (line, '\0', length) != NULL)
	good = false;
      else if (skip_word (&rest, end, "R "))
	good = check_register_line (reader, rest, end);
      else if (skip_word (&rest, end, "status "))
	{
	  good = !status && check_status_line (reader, rest, end);
	  status = true;
	}
      else if (skip_word (&rest, end, "tp "))
	{
	  good = check_tracepoint_line (rest, end, &tracepoint, &address);
	  if (reader->tracepoints == 0)
	    reader->tracepoints = (unsigned) tracepoint;
	}
      else if (skip_word (&rest, end, "tsv "))
	good = tracepoint == 0 && check_variable_line (rest, end);
      else
	good = skip_word (&rest, end, "tdesc ") && rest < end;
      if (!good)
	return fail (reader, at, "expected a definition, found \"%.*s\"",
		     length < 60 ? (int) length : 60, line);
      at += length + 1;
    }
  if (reader->register_bytes == 0)
    return fail (reader, MAGIC_SIZE, "expected %s in the header, found none",
		 "an R line");
  if (!status)
    return fail (reader, MAGIC_SIZE, "expected %s in the header, found none",
		 "a status line");
  if (tracepoint > 1)
    return fail (reader, MAGIC_SIZE, "expected tracepoints down to number 1, "
		 "found the last one to be %u", (unsigned) tracepoint);
  return TB_OK;
}

enum tb_status
tb_tracefile_reader_open (struct tb_tracefile_reader *reader,
			  const char *path, struct tb_diag *diag)
{
  *reader = (struct tb_tracefile_reader) { .path = path, .diag = diag };
  enum tb_status status = tb_filemap_open (&reader->map, path, diag);
  if (status == TB_OK)
    status = check_header (reader);
  if (status != TB_OK)
    {
      tb_tracefile_reader_close (reader);
      return status;
    }
  reader->line = MAGIC_SIZE;
  reader->position = reader->header;
  return TB_OK;
}

void
tb_tracefile_reader_close (struct tb_tracefile_reader *reader)
{
  tb_filemap_close (&reader->map);
}

bool
tb_tracefile_reader_line (struct tb_tracefile_reader *reader,
			  const char **line, size_t *length)
{
  *line = (const char *) reader->map.data + reader->line;
  if (reader->line + 1 >= reader->header)
    return false;
  const char *end = memchr (*line, '\n', reader->header - reader->line);
  *length = (size_t) (end - *line);
  reader->line += *length + 1;
  return true;
}

enum tb_status
tb_tracefile_reader_frame (struct tb_tracefile_reader *reader,
			   struct tb_read_frame *frame, bool *more)
{
  const uint8_t *data = reader->map.data;
  size_t at = reader->position;
  size_t rest = reader->map.size - at;
  *more = false;
  if (rest < 2)
    return fail (reader, at, "expected %s, found the end of the file",
		 "a frame or the end mark");
  unsigned tracepoint = (unsigned) get_le (data + at, 2);
  if (tracepoint == 0)
    {
      /* Two bytes, or four as GDB writes.  */
      if (rest != 2 && (rest != 4 || get_le (data + at + 2, 2) != 0))
	return fail (reader, at, "expected the end of the file after the end "
		     "mark, found %zu bytes", rest - 2);
      if (reader->frames != reader->announced)
	return fail (reader, at, "expected %" PRIu64 " frames as the status "
		     "says, found %" PRIu64, reader->announced,
		     reader->frames);
      return TB_OK;
    }
  if (tracepoint > reader->tracepoints)
    return fail (reader, at, "expected a tracepoint from 1 to %u, found %u",
		 reader->tracepoints, tracepoint);
  if (rest < 6)
    return fail (reader, at, "expected %s, found the end of the file",
		 "the size of a frame");
  size_t size = (size_t) get_le (data + at + 2, 4);
  if (size > INT32_MAX || size > rest - 6)
    return fail (reader, at + 2, "a frame of %zu bytes where %zu are left",
		 size, rest - 6);
  *frame = (struct tb_read_frame) { tracepoint, reader->frames, at + 6, size,
				    at + 6 };
  reader->position = at + 6 + size;
  reader->frames++;
  *more = true;
  return TB_OK;
}

enum tb_status
tb_tracefile_reader_block (struct tb_tracefile_reader *reader,
			   struct tb_read_frame *frame,
			   struct tb_read_block *block, bool *more)
{
  size_t at = frame->next;
  size_t rest = frame->offset + frame->size - at;
  const uint8_t *data = reader->map.data + at;
  *block = (struct tb_read_block) { 0 };
  *more = rest != 0;
  if (rest == 0)
    return TB_OK;
  size_t size = 0;
  block->kind = (char) *data;
  switch (block->kind)
    {
    case 'R':
      size = 1 + (size_t) reader->register_bytes;
      block->bytes = data + 1;
      block->length = reader->register_bytes;
      /* GDB takes the first block of registers.  */
      if (at != frame->offset)
	return fail (reader, at, "registers after other blocks in frame %"
		     PRIu64, frame->number);
      break;
    case 'M':
      size = 11;
      if (rest >= size)
	{
	  block->address = get_le (data + 1, 8);
	  block->bytes = data + size;
	  block->length = (size_t) get_le (data + 9, 2);
	  size += block->length;
	}
      break;
    case 'V':
      size = 13;
      if (rest >= size)
	{
	  block->variable = (unsigned) get_le (data + 1, 4);
	  block->value = (int64_t) get_le (data + 5, 8);
	}
      break;
    default:
      return fail (reader, at, "expected a block, R, M or V, found 0x%02x",
		   *data);
    }
  if (size > rest)
    return fail (reader, at, "a block %c of %zu bytes where the frame has %zu "
		 "left", block->kind, size, rest);
  frame->next = at + size;
  return TB_OK;
}
