/* What a request collects as GDB's commands.  See request-commands.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request-commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

#define BLANKS " \t"

/* Longer commands are split: a trace file's lines are at most 999 characters long.  */
#define COMMAND_MOST 300

/* GDB prints no larger value ("set max-value-size").  */
#define VALUE_MOST 65536

bool
tb_request_number_memory (const struct tb_request *request,
			  struct tb_request_part part,
			  const struct tb_tdesc *tdesc, int *base,
			  uint64_t *offset, uint64_t *length)
{
  const char *text = tb_request_at (request, part);
  size_t skip;
  *base = -1;
  *offset = 0;
  if (part.length > 6 && strncmp (text, "stack", 5) == 0
      && strchr (BLANKS, text[5]) != NULL)
    {
      *base = tdesc->slots[tdesc->sp].gdb;
      skip = 5 + strspn (text + 5, BLANKS);
      return tb_request_number (text + skip, part.length - skip, length);
    }
  bool braces = text[0] == '{' && text[part.length - 1] == '}';
  size_t middle = strcspn (text, braces ? "," : "@");
  size_t end = part.length - braces;
  if ((!braces && text[0] != '*') || middle >= end)
    return false;
  skip = 1 + strspn (text + 1, BLANKS);
  size_t first = skip < middle ? middle - skip : 0;
  while (first > 0 && strchr (BLANKS, text[skip + first - 1]) != NULL)
    first--;
  size_t second = middle + 1 + strspn (text + middle + 1, BLANKS);
  while (end > second && strchr (BLANKS, text[end - 1]) != NULL)
    end--;
  return tb_request_number (text + skip, first, offset) && second < end
	 && tb_request_number (text + second, end - second, length);
}

static bool
add_command (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
	     struct tb_buffer *text)
{
  bool ok = !text->failed
	    && tb_tracepoint_add_source (set, t, TB_SOURCE_COMMAND,
					 (const char *) text->data, text->size);
  tb_buffer_clear (text);
  return ok;
}

/* Append PART as GDB writes what it says: memory as an array of bytes, which GDB prints
   up to VALUE_MOST of.  */
static void
put_item (const struct tb_request *request, struct tb_request_part part,
	  const struct tb_tdesc *tdesc, struct tb_buffer *text)
{
  uint64_t offset, length;
  int base;
  if (!tb_request_number_memory (request, part, tdesc, &base, &offset, &length))
    tb_buffer_printf (text, "%.*s", (int) part.length,
		      tb_request_at (request, part));
  else if (length <= VALUE_MOST && base >= 0)
    tb_buffer_printf (text, "*(unsigned char *) $sp@%" PRIu64, length);
  else if (length <= VALUE_MOST)
    tb_buffer_printf (text, "*(unsigned char *) 0x%" PRIx64 "@%" PRIu64, offset,
		      length);
}

/* The commands that collect what REQUEST says, at a hit or STEPPING, for GDB: registers,
   which are in every frame, and what is asked for, as it is written.  A command that would
   be too long goes on as another one.  */
static bool
add_collect (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
	     const struct tb_request *request, const bool *left_out,
	     bool stepping, const struct tb_tdesc *tdesc,
	     struct tb_buffer *text)
{
  bool ok = true;
  struct tb_buffer item = { 0 };
  tb_buffer_printf (text, "collect $regs");
  for (size_t i = 0; i < request->nitems && ok; i++)
    {
      struct tb_request_part part = request->items[i].part;
      const char *at = tb_request_at (request, part);
      if (request->items[i].stepping != stepping || left_out[i]
	  || (part.length == 5 && memcmp (at, "$regs", 5) == 0))
	continue;
      tb_buffer_clear (&item);
      put_item (request, part, tdesc, &item);
      ok = !item.failed;
      if (item.size == 0)
	continue;
      bool full = text->size + item.size > COMMAND_MOST;
      if (full)
	ok = add_command (set, t, text);
      tb_buffer_printf (text, full ? "collect " : ", ");
      tb_buffer_append (text, item.data, item.size);
    }
  ok = ok && add_command (set, t, text);
  tb_buffer_fini (&item);
  return ok;
}

bool
tb_define_commands (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
		    const struct tb_request *request, const bool *left_out,
		    bool several, const struct tb_tdesc *tdesc)
{
  struct tb_buffer text = { 0 };
  bool ok = add_collect (set, t, request, left_out, false, tdesc, &text);
  if (request->steps != 0 || several)
    {
      tb_buffer_printf (&text, "while-stepping %" PRIu64,
			request->steps != 0 ? request->steps : 1);
      ok = ok && add_command (set, t, &text)
	   && add_collect (set, t, request, left_out, request->steps != 0, tdesc,
			   &text);
      tb_buffer_printf (&text, "end");
      ok = ok && add_command (set, t, &text);
    }
  tb_buffer_fini (&text);
  return ok;
}
