/* Symbols by what a user calls them.  See symbol-names.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/symbol-names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/symbols-module.h"

/* Longer names are like no other.  */
#define LIKE_LENGTH 64
#define LIKE_MOST 3

/* The length of NAME, demangled, without parameters.  */
static size_t
base_length (const char *name)
{
  size_t depth = 0;
  for (const char *c = name; *c != '\0'; c++)
    if (*c == '<')
      depth++;
    else if (*c == '>' && depth > 0)
      depth--;
    else if (*c == '(' && depth == 0 && c != name
	     && strncmp (c, "(anonymous", 10) != 0)
      return (size_t) (c - name);
  return strlen (name);
}

bool
tb_symbol_is_called (const char *raw, const char *name, size_t length)
{
  if (strlen (raw) == length && memcmp (raw, name, length) == 0)
    return true;
  if (raw[0] != '_')
    return false;
  char *whole = tb_symbols_demangle (raw);
  bool same = false;
  if (whole != NULL)
    {
      size_t lengths[2] = { base_length (whole), strlen (whole) };
      for (unsigned i = 0; i < 2 && !same; i++)
	if (lengths[i] >= length)
	  {
	    const char *tail = whole + lengths[i] - length;
	    same = memcmp (tail, name, length) == 0
		   && (tail == whole || (tail - whole >= 2 && tail[-1] == ':'
					 && tail[-2] == ':'));
	  }
    }
  free (whole);
  return same;
}

/* Call TAKE for each symbol of data or code.  */
static void
each_symbol (const struct tb_symbols *symbols,
	     void (*take) (void *context, const char *name,
			   const GElf_Sym *symbol, uint64_t address),
	     void *context)
{
  Dwfl_Module *module;
  for (size_t i = 0; (module = tb_symbols_module (symbols, i)) != NULL; i++)
    {
      int count = dwfl_module_getsymtab (module);
      for (int k = 0; k < count; k++)
	{
	  GElf_Sym symbol;
	  GElf_Addr address;
	  const char *name = dwfl_module_getsym_info (module, k, &symbol,
						      &address, NULL, NULL,
						      NULL);
	  unsigned type = GELF_ST_TYPE (symbol.st_info);
	  if (name != NULL && name[0] != '\0' && name[0] != '$'
	      && symbol.st_shndx != SHN_UNDEF
	      && (type == STT_NOTYPE || type == STT_OBJECT
		  || type == STT_FUNC))
	    take (context, name, &symbol, address);
	}
    }
}

struct naming
{
  const char *name;
  size_t length;
  struct tb_named found;
};

static void
take_named (void *context, const char *name, const GElf_Sym *symbol,
	    uint64_t address)
{
  struct naming *n = context;
  if (!tb_symbol_is_called (name, n->name, n->length))
    return;
  if (GELF_ST_TYPE (symbol->st_info) == STT_FUNC)
    address &= ~UINT64_C (1);
  if (n->found.count == 0)
    n->found = (struct tb_named) { address, symbol->st_size, 1 };
  else if (n->found.address != address)
    n->found.count++;
  else if (n->found.size == 0)
    n->found.size = symbol->st_size;
}

struct tb_named
tb_symbols_named (const struct tb_symbols *symbols, const char *name,
		  size_t length)
{
  struct naming n = { .name = name, .length = length };
  each_symbol (symbols, take_named, &n);
  return n.found;
}

/* How many characters have to be put in, taken out or changed to make B of A,
   whatever their case; at most LIKE_LENGTH of each.  */
static size_t
distance (const char *a, size_t na, const char *b, size_t nb)
{
  size_t row[LIKE_LENGTH + 1];
  for (size_t k = 0; k <= nb; k++)
    row[k] = k;
  for (size_t i = 1; i <= na; i++)
    {
      size_t corner = row[0];
      row[0] = i;
      for (size_t k = 1; k <= nb; k++)
	{
	  size_t least = corner + (tolower ((unsigned char) a[i - 1])
				   != tolower ((unsigned char) b[k - 1]));
	  corner = row[k];
	  if (row[k] + 1 < least)
	    least = row[k] + 1;
	  if (row[k - 1] + 1 < least)
	    least = row[k - 1] + 1;
	  row[k] = least;
	}
    }
  return row[nb];
}

struct likeness
{
  const char *name;
  size_t length;
  bool functions;
  struct
  {
    char text[LIKE_LENGTH + 1];
    size_t distance;
  } best[LIKE_MOST];
  size_t count;
};

static void
take_like (void *context, const char *raw, const GElf_Sym *symbol,
	   uint64_t address)
{
  struct likeness *l = context;
  (void) address;
  if (l->functions && GELF_ST_TYPE (symbol->st_info) != STT_FUNC)
    return;
  char *name = tb_symbols_demangle (raw);
  size_t length = name != NULL ? base_length (name) : 0;
  if (length == 0 || length > LIKE_LENGTH)
    {
      free (name);
      return;
    }
  size_t away = distance (l->name, l->length, name, length);
  /* One that contains it is like it, too.  */
  if (length > l->length && memmem (name, length, l->name, l->length) != NULL
      && away > 2)
    away = 2;
  bool known = away > l->length / 3 + 1;
  for (size_t i = 0; i < l->count && !known; i++)
    known = strlen (l->best[i].text) == length
	    && memcmp (l->best[i].text, name, length) == 0;
  size_t at = l->count;
  while (at > 0 && l->best[at - 1].distance > away)
    at--;
  if (!known && at < LIKE_MOST)
    {
      size_t moved = l->count < LIKE_MOST ? l->count++ : LIKE_MOST - 1;
      memmove (&l->best[at + 1], &l->best[at],
	       (moved - at) * sizeof l->best[0]);
      memcpy (l->best[at].text, name, length);
      l->best[at].text[length] = '\0';
      l->best[at].distance = away;
    }
  free (name);
}

void
tb_symbols_like (const struct tb_symbols *symbols, const char *name,
		 size_t length, bool functions, struct tb_buffer *text)
{
  struct likeness l = { .name = name, .length = length,
			.functions = functions };
  if (length == 0 || length > LIKE_LENGTH)
    return;
  each_symbol (symbols, take_like, &l);
  for (size_t i = 0; i < l.count; i++)
    tb_buffer_printf (text, "%s%s", i == 0 ? "" : i + 1 < l.count ? ", " : " or ",
		      l.best[i].text);
}
