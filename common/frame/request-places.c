/* Places of requests.  See request-places.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request-places.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/places.h"
#include "snapshot/symbol-names.h"
#include "util/buffer.h"

#define BLANKS " \t"

/* The longest regular expression, with what it repeats by number written out; and its
   brackets in each other.  */
#define PATTERN_MOST 4096
#define PATTERN_DEPTH_MAX 64

struct finding
{
  const struct tb_request *request;
  struct tb_symbols *symbols;
  struct tb_request_places *places;
  struct tb_diag *diag;
};

static bool
no_memory (const struct finding *f)
{
  tb_error (f->diag, "%s: no memory", f->request->origin);
  return false;
}

static bool
add (struct finding *f, uint64_t address, const struct tb_function *function)
{
  struct tb_request_places *p = f->places;
  for (size_t i = 0; i < p->count; i++)
    if (p->items[i].address == address)
      return true;
  bool ok = TB_GROW (p->items, p->capacity, p->count, 1);
  if (ok)
    p->items[p->count++] = (struct tb_request_place) { address, function };
  return ok || no_memory (f);
}

/* Are there any names at all?  Else says what to do.  */
static bool
has_symbols (const struct tb_request *request, size_t offset,
	     const struct tb_symbols *symbols, struct tb_diag *diag)
{
  size_t count;
  tb_symbols_functions (symbols, &count);
  if (count == 0)
    tb_request_error (request, offset, diag, "names need the symbols of the "
		      "program; give its ELF file with --elf=FILE");
  return count != 0;
}

/* No FUNCTIONS (or no symbol) of the name that is at OFFSET.  */
static bool
not_found (const struct tb_request *request, size_t offset, size_t length,
	   const struct tb_symbols *symbols, bool functions,
	   struct tb_diag *diag)
{
  struct tb_buffer like = { 0 };
  const char *name = request->text + offset;
  if (!has_symbols (request, offset, symbols, diag))
    return false;
  tb_symbols_like (symbols, name, length, functions, &like);
  bool some = like.size > 0;
  tb_buffer_append (&like, "", 1);
  tb_request_error (request, offset, diag, "no %s is called '%.*s'%s%s%s",
		    functions ? "function" : "symbol", (int) length, name,
		    some ? "; there is " : "",
		    some && !like.failed ? (const char *) like.data : "", "");
  tb_buffer_fini (&like);
  return false;
}

/* The functions called NAME, in FILE if that is not NULL.  */
static bool
add_functions (struct finding *f, const char *name, size_t length,
	       const char *file, size_t file_length, bool entry)
{
  size_t count;
  const struct tb_function *list = tb_symbols_functions (f->symbols, &count);
  for (size_t i = 0; i < count; i++)
    {
      struct tb_line line;
      if (!tb_symbol_is_called (list[i].name, name, length)
	  || (file != NULL
	      && (!tb_symbols_line_at (f->symbols, list[i].address, &line)
		  || !tb_symbols_is_file (line.file, file, file_length))))
	continue;
      uint64_t address = entry ? list[i].address
			 : tb_symbols_body (f->symbols, &list[i]);
      if (!add (f, address, &list[i]))
	return false;
    }
  return true;
}

/* NAME, of a function: at least one must be called so.  */
static bool
find_function (struct finding *f, size_t offset, size_t length, bool entry)
{
  return add_functions (f, f->request->text + offset, length, NULL, 0, entry)
	 && (f->places->count > 0
	     || not_found (f->request, offset, length, f->symbols, true,
			   f->diag));
}

/* The address that the text from OFFSET on tells: NUMBER or SYMBOL, and + or - NUMBER
   behind it.  *NAMED, if not NULL, is what the symbol is.  */
static bool
find_address (const struct tb_request *request,
	      const struct tb_symbols *symbols, size_t offset, size_t length,
	      uint64_t *address, struct tb_named *named, struct tb_diag *diag)
{
  const char *text = request->text + offset;
  size_t sign = length, behind;
  uint64_t number = 0;
  for (size_t i = length; i > 1 && sign == length; i--)
    if (text[i - 1] == '+' || text[i - 1] == '-')
      sign = i - 1;
  if (sign < length)
    {
      behind = sign + 1 + strspn (text + sign + 1, BLANKS);
      if (behind >= length
	  || !tb_request_number (text + behind, length - behind, &number))
	{
	  tb_request_error (request, offset + behind, diag, "expected a number "
			    "behind %c", text[sign]);
	  return false;
	}
      if (text[sign] == '-')
	number = -number;
      for (length = sign; strchr (BLANKS, text[length - 1]) != NULL;)
	length--;
    }
  if (text[0] >= '0' && text[0] <= '9')
    {
      if (!tb_request_number (text, length, address))
	{
	  tb_request_error (request, offset, diag, "expected an address, found "
			    "'%.*s'", (int) length, text);
	  return false;
	}
    }
  else
    {
      struct tb_named found = tb_symbols_named (symbols, text, length);
      if (found.count == 0)
	return not_found (request, offset, length, symbols, false, diag);
      if (found.count > 1)
	{
	  tb_request_error (request, offset, diag, "%zu symbols are called "
			    "'%.*s'; give the address", found.count,
			    (int) length, text);
	  return false;
	}
      *address = found.address;
      if (named != NULL)
	*named = found;
    }
  *address += number;
  return true;
}

/* FILE:LINE, with the colon at COLON of the subject.  */
static bool
find_line (struct finding *f, size_t colon, uint64_t line)
{
  const struct tb_request_part *s = &f->request->subject;
  const char *file = f->request->text + s->offset;
  struct tb_places found;
  bool ok = true;
  if (!tb_symbols_places (f->symbols, file, colon,
			  line < UINT32_MAX ? (unsigned) line : UINT32_MAX,
			  &found))
    ok = no_memory (f);
  else if (!found.has_file
	   && has_symbols (f->request, s->offset, f->symbols, f->diag))
    tb_request_error (f->request, s->offset, f->diag, "there is no code of a "
		      "file '%.*s' in the program, or it has no line table "
		      "(gcc -g)",
		      (int) colon, file);
  else if (found.has_file && found.count == 0)
    {
      char before[32] = "", after[32] = "";
      if (found.before != 0)
	snprintf (before, sizeof before, " %u", found.before);
      if (found.after != 0)
	snprintf (after, sizeof after, "%s %u", found.before != 0 ? " and" : "",
		  found.after);
      tb_request_error (f->request, s->offset + colon + 1, f->diag, "line %"
			PRIu64 " has no code; the nearest line%s with code:%s%s",
			line, *before != 0 && *after != 0 ? "s" : "", before,
			after);
    }
  else if (ok && found.line != line)
    tb_note (f->diag, "%s: line %" PRIu64 " has no code; line %u is taken",
	     f->request->origin, line, found.line);
  for (size_t i = 0; i < found.count && ok; i++)
    ok = add (f, found.addresses[i], NULL);
  tb_places_fini (&found);
  return ok && f->places->count > 0;
}

/* The last single colon of the subject; its length: there is none.  */
static size_t
find_colon (const struct tb_request *request)
{
  const char *text = tb_request_at (request, request->subject);
  for (size_t i = request->subject.length; i > 1; i--)
    if (text[i - 1] == ':' && text[i - 2] != ':' && text[i] != ':')
      return i - 1;
  return request->subject.length;
}

static bool
find_place (struct finding *f)
{
  const struct tb_request *r = f->request;
  const struct tb_request_part *s = &r->subject;
  const char *text = tb_request_at (r, *s);
  size_t colon = find_colon (r);
  uint64_t address;
  if (text[0] == '*' || (text[0] >= '0' && text[0] <= '9'
			 && colon == s->length))
    {
      size_t skip = text[0] == '*';
      skip += strspn (text + skip, BLANKS);
      if (skip >= s->length)
	{
	  tb_request_error (r, s->offset + s->length, f->diag,
			    "expected an address behind *");
	  return false;
	}
      return find_address (r, f->symbols, s->offset + skip, s->length - skip,
			   &address, NULL, f->diag)
	     && add (f, address & ~UINT64_C (1), NULL);
    }
  if (colon < s->length)
    {
      uint64_t line;
      size_t name = colon + 1;
      if (tb_request_number (text + name, s->length - name, &line))
	return find_line (f, colon, line);
      if (name == s->length)
	{
	  tb_request_error (r, s->offset + name, f->diag,
			    "expected a line or a function behind :");
	  return false;
	}
      return add_functions (f, text + name, s->length - name, text, colon,
			    false)
	     && (f->places->count > 0
		 || not_found (r, s->offset + name, s->length - name,
			       f->symbols, true, f->diag));
    }
  /* With an offset it is exactly there, as GDB's "*SYMBOL+OFFSET"; names of
     operators have such characters, too.  */
  size_t sign = strcspn (text, "+");
  if (sign < s->length && sign > 0
      && !(sign + 1 == s->length && sign >= 8
	   && memcmp (text + sign - 8, "operator", 8) == 0)
      && strspn (text + sign + 1, BLANKS "0123456789abcdefABCDEFxX")
	 >= s->length - sign - 1)
    return find_address (r, f->symbols, s->offset, s->length, &address, NULL,
			 f->diag)
	   && add (f, address & ~UINT64_C (1), NULL);
  return find_function (f, s->offset, s->length, false);
}

/* May PATTERN be given to regcomp?  That copies what is repeated, brackets in brackets
   by the product of their numbers, and calls itself for each open bracket; and regexec
   takes exponential time for \1.  So expect no such, and little of the others.  */
static const char *
check_pattern (const char *pattern)
{
  uint64_t copies = 1;
  unsigned depth = 0;
  size_t length = strlen (pattern);
  for (const char *p = pattern; *p != 0; p++)
    if (*p == '\\' && p[1] != 0)
      {
	if (*++p >= '1' && *p <= '9')
	  return "no reference to what matched before";
      }
    else if (*p == '(' && ++depth > PATTERN_DEPTH_MAX)
      return "fewer brackets in each other";
    else if (*p == ')' && depth > 0)
      depth--;
    else if (*p == '{')
      {
	uint64_t most = 1;
	const char *end = p + 1 + strspn (p + 1, "0123456789,");
	for (const char *q = p + 1; q < end; q += strspn (q, ","))
	  {
	    size_t digits = strspn (q, "0123456789");
	    uint64_t number = digits > 5 ? PATTERN_MOST + 1
				      : strtoull (q, NULL, 10);
	    if (number > most)
	      most = number;
	    q += digits;
	  }
	copies *= most;
	if (copies > PATTERN_MOST)
	  break;
      }
  return copies > PATTERN_MOST || length > PATTERN_MOST / copies
	 ? "fewer characters or repetitions" : NULL;
}

/* Each function whose name, as its language writes it, matches.  */
static bool
find_matching (struct finding *f)
{
  const struct tb_request *r = f->request;
  const char *text = tb_request_at (r, r->subject);
  struct tb_buffer pattern = { 0 };
  regex_t regex;
  size_t count;
  if (!has_symbols (r, r->subject.offset, f->symbols, f->diag))
    return false;
  for (size_t i = 0; i < r->subject.length; i++)
    if (!(text[i] == '\\' && text[i + 1] == '/'))
      tb_buffer_append (&pattern, text + i, 1);
  tb_buffer_append (&pattern, "", 1);
  if (pattern.failed)
    return no_memory (f);
  const char *expected = check_pattern ((const char *) pattern.data);
  if (expected != NULL)
    {
      tb_buffer_fini (&pattern);
      tb_request_error (r, r->subject.offset, f->diag, "expected a regular "
			"expression with %s", expected);
      return false;
    }
  int error = regcomp (&regex, (const char *) pattern.data,
		       REG_EXTENDED | REG_NOSUB);
  tb_buffer_fini (&pattern);
  if (error != 0)
    {
      char why[128];
      regerror (error, NULL, why, sizeof why);
      tb_request_error (r, r->subject.offset, f->diag, "expected an extended "
			"regular expression: %s", why);
      return false;
    }
  const struct tb_function *list = tb_symbols_functions (f->symbols, &count);
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++)
    {
      char *name = tb_symbols_demangle (list[i].name);
      ok = name != NULL || no_memory (f);
      if (ok && regexec (&regex, name, 0, NULL, 0) == 0)
	ok = add (f, tb_symbols_body (f->symbols, &list[i]), &list[i]);
      free (name);
    }
  regfree (&regex);
  if (ok && f->places->count == 0)
    tb_request_error (r, r->subject.offset, f->diag,
		      "no function's name matches");
  return ok && f->places->count > 0;
}

static int
by_address (const void *x, const void *y)
{
  const struct tb_request_place *a = x, *b = y;
  return a->address < b->address ? -1 : a->address > b->address;
}

bool
tb_request_find (const struct tb_request *request, struct tb_symbols *symbols,
		 struct tb_request_places *places, struct tb_diag *diag)
{
  struct finding f = { request, symbols, places, diag };
  bool ok;
  switch (request->kind)
    {
    case TB_REQUEST_FUNCTIONS:
      ok = find_matching (&f);
      break;
    case TB_REQUEST_CALLS: case TB_REQUEST_RETURNS:
      ok = find_function (&f, request->subject.offset, request->subject.length,
			  true);
      break;
    default:
      ok = find_place (&f);
      break;
    }
  if (ok)
    qsort (places->items, places->count, sizeof *places->items, by_address);
  return ok;
}

/* Is it more than an address or a symbol?  */
static bool
is_expression (const struct tb_symbols *symbols, const char *text,
	       size_t length)
{
  size_t plain = strcspn (text, ".[*@{>");
  return plain < length
	 && tb_symbols_named (symbols, text, length).count == 0;
}

bool
tb_request_memory (const struct tb_request *request,
		   const struct tb_symbols *symbols,
		   const struct tb_expression_scope *scope, uint64_t *address,
		   uint64_t *length, struct tb_diag *diag)
{
  const struct tb_request_part *s = &request->subject;
  const char *text = tb_request_at (request, *s);
  size_t comma = s->length, end;
  struct tb_named named = { .size = 0 };
  for (size_t i = s->length; i > 0 && comma == s->length; i--)
    if (text[i - 1] == ',')
      comma = i - 1;
  for (end = comma; end > 0 && strchr (BLANKS, text[end - 1]) != NULL;)
    end--;
  *length = 1;
  if (comma < s->length)
    {
      size_t from = comma + 1 + strspn (text + comma + 1, BLANKS);
      if (from >= s->length
	  || !tb_request_number (text + from, s->length - from, length)
	  || *length == 0)
	{
	  tb_request_error (request, s->offset + comma + 1, diag, "expected how "
			    "many bytes");
	  return false;
	}
    }
  if (end == 0)
    {
      tb_request_error (request, s->offset, diag,
			"expected an address or a symbol");
      return false;
    }
  if (is_expression (symbols, text, end))
    {
      struct tb_expression_error error;
      if (scope->svd == NULL && !has_symbols (request, s->offset, symbols, diag))
	return false;
      if (!tb_expression_place (text, end, scope, address, &named.size, &error))
	{
	  tb_request_error (request, s->offset + error.offset, diag, "%s",
			    error.text);
	  return false;
	}
      named.address = *address;
    }
  else if (!find_address (request, symbols, s->offset, end, address, &named,
			  diag))
    return false;
  /* All of a variable, unless its size is not told.  */
  if (comma == s->length && named.size != 0 && *address == named.address)
    *length = named.size;
  if (*length - 1 > UINT64_MAX - *address)
    *length = UINT64_MAX - *address + 1;
  return true;
}
