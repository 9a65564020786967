/* The texts that define tracepoints and state variables.  See tracepoint.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/tracepoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/hex.h"

/* GDB writes the number of a tracepoint into a trace file as a signed 16-bit
   number.  */
#define NUMBER_MAX 32767

/* Text that is read from the left.  */
struct text_cursor
{
  const char *at, *end;
};

static bool
read_char (struct text_cursor *c, char wanted)
{
  if (c->at == c->end || *c->at != wanted)
    return false;
  c->at++;
  return true;
}

/* A hexadecimal number of at most 64 bits.  */
static bool
read_number (struct text_cursor *c, uint64_t *number)
{
  const char *from = c->at;
  int digit;
  *number = 0;
  while (c->at < c->end && (digit = tb_hex_value ((uint8_t) *c->at)) >= 0)
    {
      if (*number >> 60 != 0)
	return false;
      *number = *number << 4 | (unsigned) digit;
      c->at++;
    }
  return c->at > from;
}

/* "NUMBER:" */
static bool
read_field (struct text_cursor *c, uint64_t *number)
{
  return read_number (c, number) && read_char (c, ':');
}

/* LENGTH bytes in hexadecimal, into memory of one byte more, which is zero;
   NULL: they are not there, or there is no memory.  */
static uint8_t *
read_bytes (struct text_cursor *c, size_t length)
{
  if (length > (size_t) (c->end - c->at) / 2)
    return NULL;
  uint8_t *bytes = malloc (length + 1);
  if (bytes == NULL
      || tb_hex_decode (c->at, 2 * length, bytes, length) != length)
    {
      free (bytes);
      return NULL;
    }
  c->at += 2 * length;
  bytes[length] = 0;
  return bytes;
}

bool
tb_expression_read (struct tb_expression *expression, const char **at,
		    const char *end)
{
  struct text_cursor c = { *at, end };
  uint64_t length;
  *expression = (struct tb_expression) { NULL, 0 };
  if (!read_number (&c, &length) || !read_char (&c, ',')
      || length > TB_TRACEPOINT_BYTES_MAX)
    return false;
  expression->code = read_bytes (&c, (size_t) length);
  if (expression->code == NULL)
    return false;
  expression->length = (size_t) length;
  *at = c.at;
  return true;
}

/* A condition; its bytes are counted in SET.  */
static bool
read_condition (struct tb_tracepoint_set *set, struct text_cursor *c,
		struct tb_expression *expression)
{
  if (!tb_expression_read (expression, &c->at, c->end))
    return false;
  if (expression->length > TB_TRACEPOINT_BYTES_MAX - set->bytes)
    {
      tb_expression_fini (expression);
      return false;
    }
  set->bytes += expression->length;
  return true;
}

/* What may stand behind a definition's numbers.  */
static bool
read_options (struct tb_tracepoint_set *set, struct text_cursor *c,
	      struct tb_tracepoint *t)
{
  uint64_t ignored;
  while (read_char (c, ':'))
    if (read_char (c, 'X'))
      {
	if (t->condition.code != NULL
	    || !read_condition (set, c, &t->condition))
	  return false;
      }
    else if (read_char (c, 'F'))
      {
	/* A fast one is one like any other: nothing runs.  */
	if (!read_number (c, &ignored))
	  return false;
      }
    else if (!read_char (c, 'S'))
      return false;
  read_char (c, '-');
  return c->at == c->end;
}

/* What stands behind NUMBER and ADDRESS.  */
static bool
read_definition (struct tb_tracepoint_set *set, struct text_cursor *c,
		 unsigned number, uint64_t address)
{
  struct tb_tracepoint t = { .number = number, .address = address };
  struct tb_tracepoint *added = NULL;
  t.enabled = read_char (c, 'E');
  if ((t.enabled || read_char (c, 'D')) && read_char (c, ':')
      && read_field (c, &t.steps) && read_number (c, &t.pass)
      && tb_tracepoint_find (set, number, address) == NULL
      && read_options (set, c, &t))
    added = tb_tracepoint_add (set, number, address);
  if (added != NULL)
    *added = t;
  else
    tb_expression_fini (&t.condition);
  return added != NULL;
}

/* One action.  */
static bool
read_action (struct text_cursor *c, struct tb_action *a)
{
  uint64_t number = 0;
  if (read_char (c, 'R'))
    {
      /* A mask of as many digits as there are registers: all are collected, so
	 that it does not matter.  */
      a->kind = TB_ACTION_REGISTERS;
      while (c->at < c->end && tb_hex_value ((uint8_t) *c->at) >= 0)
	c->at++;
      return true;
    }
  if (read_char (c, 'M'))
    {
      a->kind = TB_ACTION_MEMORY;
      bool negative = read_char (c, '-');
      if (!read_number (c, &number) || !read_char (c, ',')
	  || (negative ? number != 1 && number != UINT32_MAX
		       : number > UINT16_MAX && number != UINT32_MAX))
	return false;
      a->base = negative || number == UINT32_MAX ? -1 : (int) number;
      return read_number (c, &a->offset) && read_char (c, ',')
	     && read_number (c, &a->length);
    }
  a->kind = TB_ACTION_EXPRESSION;
  return read_char (c, 'X')
	 && tb_expression_read (&a->expression, &c->at, c->end);
}

/* ACTIONs, one behind the other; an S says that it and all later ones are for the
   steps.  */
static bool
read_actions (struct tb_tracepoint_set *set, struct text_cursor *c,
	      struct tb_tracepoint *t)
{
  while (c->at < c->end && !(*c->at == '-' && c->at + 1 == c->end))
    {
      if (read_char (c, 'S'))
	{
	  t->stepping = true;
	  continue;
	}
      struct tb_action action = { .stepping = t->stepping };
      if (!read_action (c, &action)
	  || !tb_tracepoint_add_action (set, t, &action))
	{
	  tb_expression_fini (&action.expression);
	  return false;
	}
    }
  return true;
}

bool
tb_tracepoint_read (struct tb_tracepoint_set *set, const char *text,
		    size_t length)
{
  struct text_cursor c = { text, text + length };
  bool more = read_char (&c, '-');
  uint64_t number, address;
  if (!read_field (&c, &number) || !read_field (&c, &address) || number == 0
      || number > NUMBER_MAX)
    return false;
  if (!more)
    return read_definition (set, &c, (unsigned) number, address);
  struct tb_tracepoint *t = tb_tracepoint_find (set, (unsigned) number,
						address);
  return t != NULL && read_actions (set, &c, t);
}

static const char *const source_names[] = {
  [TB_SOURCE_AT] = "at", [TB_SOURCE_CONDITION] = "cond",
  [TB_SOURCE_COMMAND] = "cmd"
};

/* "at:", "cond:" or "cmd:" */
static bool
read_source_kind (struct text_cursor *c, uint8_t *kind)
{
  size_t rest = (size_t) (c->end - c->at);
  for (uint8_t i = 0; i < sizeof source_names / sizeof source_names[0]; i++)
    {
      size_t length = strlen (source_names[i]);
      if (rest > length && memcmp (c->at, source_names[i], length) == 0
	  && c->at[length] == ':')
	{
	  c->at += length + 1;
	  *kind = i;
	  return true;
	}
    }
  return false;
}

/* Append TEXT, LENGTH long, to the source at the end of T's list.  */
static bool
continue_source (struct tb_tracepoint *t, uint8_t kind, const char *text,
		 size_t length)
{
  struct tb_source *last = t->nsources != 0 ? &t->sources[t->nsources - 1]
					    : NULL;
  if (last == NULL || last->kind != kind)
    return false;
  size_t before = strlen (last->text);
  char *whole = realloc (last->text, before + length + 1);
  if (whole == NULL)
    return false;
  memcpy (whole + before, text, length + 1);
  last->text = whole;
  return true;
}

bool
tb_tracepoint_read_source (struct tb_tracepoint_set *set, const char *text,
			   size_t length)
{
  struct text_cursor c = { text, text + length };
  uint64_t number, address, start, whole;
  uint8_t kind;
  if (!read_field (&c, &number) || !read_field (&c, &address)
      || !read_source_kind (&c, &kind) || !read_field (&c, &start)
      || !read_field (&c, &whole) || number > NUMBER_MAX)
    return false;
  struct tb_tracepoint *t = tb_tracepoint_find (set, (unsigned) number,
						address);
  size_t bytes = (size_t) (c.end - c.at) / 2;
  size_t cost = bytes + sizeof (struct tb_source);
  if (t == NULL || cost > TB_TRACEPOINT_BYTES_MAX - set->bytes)
    return false;
  char *part = (char *) read_bytes (&c, bytes);
  if (part == NULL || c.at != c.end || strlen (part) != bytes)
    {
      free (part);
      return false;
    }
  bool ok = start != 0 ? continue_source (t, kind, part, bytes)
		       : tb_tracepoint_add_source (set, t, kind, part, bytes);
  free (part);
  if (ok && start != 0)
    set->bytes += cost;
  return ok;
}

/* Where the variable VALUE belongs in SET: in place of one of its number, or of
   the program's own one of its name.  NULL: there is no place.  */
static struct tb_trace_variable *
place_variable (struct tb_tracepoint_set *set, unsigned number,
		const char *name)
{
  struct tb_trace_variable *v = tb_trace_variable_named (set, name);
  struct tb_trace_variable *other = tb_trace_variable_find (set, number);
  if (v == NULL)
    v = other;
  else if (other != NULL && other != v)
    {
      /* Two cannot have one number: the other one is no longer meant.  */
      free (other->name);
      struct tb_trace_variable *end = set->variables + set->nvariables;
      memmove (other, other + 1, (size_t) (end - other - 1) * sizeof *other);
      set->nvariables--;
      v = tb_trace_variable_named (set, name);
    }
  if (v != NULL)
    return v;
  bool ok = set->nvariables < TB_TRACE_VARIABLES_MAX
	    && TB_GROW (set->variables, set->variable_capacity, set->nvariables, 1);
  if (!ok)
    return NULL;
  v = &set->variables[set->nvariables++];
  *v = (struct tb_trace_variable) { 0 };
  return v;
}

bool
tb_trace_variable_read (struct tb_tracepoint_set *set, const char *text,
			size_t length)
{
  struct text_cursor c = { text, text + length };
  uint64_t number, initial, own;
  if (!read_field (&c, &number) || !read_field (&c, &initial)
      || !read_field (&c, &own) || number == 0 || number > INT32_MAX)
    return false;
  size_t bytes = (size_t) (c.end - c.at) / 2;
  char *name = bytes <= 256 ? (char *) read_bytes (&c, bytes) : NULL;
  struct tb_trace_variable *v = NULL;
  if (name != NULL && c.at == c.end && strlen (name) == bytes)
    v = place_variable (set, (unsigned) number, name);
  if (v == NULL)
    {
      free (name);
      return false;
    }
  unsigned was = v->name != NULL && strcmp (v->name, name) == 0 ? v->own : 0;
  free (v->name);
  *v = (struct tb_trace_variable) { .number = (unsigned) number, .name = name,
				    .initial = (int64_t) initial, .own = was };
  return true;
}

size_t
tb_tracepoint_pieces (const struct tb_tracepoint *t)
{
  return 1 + t->nsources;
}

void
tb_tracepoint_write (struct tb_buffer *text, const struct tb_tracepoint *t,
		     size_t piece)
{
  if (piece == 0)
    {
      tb_buffer_printf (text, "T%x:%" PRIx64 ":%c:%" PRIx64 ":%" PRIx64,
			t->number, t->address, t->enabled ? 'E' : 'D',
			t->steps, t->pass);
      if (t->condition.code != NULL)
	{
	  tb_buffer_printf (text, ":X%zx,", t->condition.length);
	  tb_hex_append (text, t->condition.code, t->condition.length);
	}
      return;
    }
  const struct tb_source *source = &t->sources[piece - 1];
  tb_buffer_printf (text, "Z%x:%" PRIx64 ":%s:0:%zx:", t->number, t->address,
		    source_names[source->kind], strlen (source->text));
  tb_hex_append (text, source->text, strlen (source->text));
}

void
tb_action_write (struct tb_buffer *text, const struct tb_action *a)
{
  if (a->stepping)
    tb_buffer_printf (text, "S");
  switch ((enum tb_action_kind) a->kind)
    {
    case TB_ACTION_REGISTERS:
      tb_buffer_printf (text, "Rffffffff");
      break;
    case TB_ACTION_MEMORY:
      tb_buffer_printf (text, "M%x,%" PRIx64 ",%" PRIx64, (unsigned) a->base,
			a->offset, a->length);
      break;
    case TB_ACTION_EXPRESSION:
      tb_buffer_printf (text, "X%zx,", a->expression.length);
      tb_hex_append (text, a->expression.code, a->expression.length);
      break;
    }
}
