/* Symbols by what a user calls them.  See symbol-names.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/symbol-names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/symbols-module.h"
#include "util/like.h"

#define LIKE_MOST 3

static bool
is_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || c == '$';
}

/* Copy the LENGTH characters NAME without the blanks that tell nothing, and with ()
   for (void); NULL: no memory.  */
static char *
squeeze (const char *name, size_t length)
{
  char *copy = malloc (length + 1);
  size_t to = 0;
  for (size_t i = 0; i < length && copy != NULL; i++)
    {
      size_t blanks = strspn (name + i, " \t");
      blanks = blanks < length - i ? blanks : length - i;
      i += blanks;
      if (i == length)
	break;
      if (blanks > 0 && to > 0 && is_word (copy[to - 1]) && is_word (name[i]))
	copy[to++] = ' ';
      copy[to++] = name[i];
      if (to >= 6 && memcmp (copy + to - 6, "(void)", 6) == 0)
	{
	  to -= 4;
	  copy[to - 1] = ')';
	}
    }
  if (copy != NULL)
    copy[to] = '\0';
  return copy;
}

/* The length of the name of an operator that is no word at NAME, "operator<<" or
   "operator()"; 0: there is none.  */
static size_t
operator_length (const char *name)
{
  static const char *const symbols[] = {
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "<", ">"
  };
  if (strncmp (name, "operator", 8) != 0)
    return 0;
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
    if (strncmp (name + 8, symbols[i], strlen (symbols[i])) == 0)
      return 8 + strlen (symbols[i]);
  return 0;
}

/* The length of NAME, demangled, without parameters.  Calls TAKE, if not NULL, with
   where each part of it begins: "a" and "b" of "a::b".  */
static size_t
base_length (const char *name, void (*take) (void *context, size_t part),
	     void *context)
{
  size_t depth = 0, i, skip;
  if (take != NULL)
    take (context, 0);
  for (i = 0; name[i] != '\0'; i++)
    if ((i == 0 || !is_word (name[i - 1]))
	&& (skip = operator_length (name + i)) != 0)
      i += skip - 1;
    else if (name[i] == '<')
      depth++;
    else if (name[i] == '>' && depth > 0)
      depth--;
    else if (depth == 0 && strncmp (name + i, "(anonymous", 10) == 0)
      i += strcspn (name + i, ")") - (strchr (name + i, ')') == NULL);
    else if (name[i] == '(' && depth == 0 && i != 0)
      return i;
    else if (depth == 0 && name[i] == ':' && name[i + 1] == ':' && i != 0
	     && take != NULL)
      take (context, i + 2);
  return i;
}

/* The characters of NAME's arguments of a template or its ABI that begin it; 0:
   there are none.  */
static size_t
optional_length (const char *name)
{
  size_t depth = 0;
  if (strncmp (name, "[abi:", 5) == 0)
    return strcspn (name, "]") + (strchr (name, ']') != NULL);
  for (size_t i = 0; name[0] == '<' && name[i] != '\0'; i++)
    if (name[i] == '<')
      depth++;
    else if (name[i] == '>' && --depth == 0)
      return i + 1;
  return 0;
}

/* Is NAME, squeezed, WHOLE, squeezed, or WHOLE without arguments of templates, without
   parameters (which begin at BASE) or without what tells a clone?  */
static bool
is_same (const char *name, const char *whole, const char *base)
{
  for (bool at_word = true;; at_word = !is_word (whole[-1]))
    {
      size_t skip = at_word ? operator_length (whole) : 0;
      if (skip != 0)
	{
	  if (strncmp (name, whole, skip) != 0)
	    return false;
	}
      else if (*name == '\0'
	       && (whole == base || *whole == '\0' || *whole == '['))
	return true;
      else if (*whole != '\0' && *name == *whole)
	skip = 1;
      else
	{
	  skip = optional_length (whole);
	  if (skip == 0)
	    return false;
	  whole += skip;
	  continue;
	}
      name += skip;
      whole += skip;
    }
}

struct parts
{
  const char *name, *whole;
  const char *base;
  bool same;
};

static void
compare_part (void *context, size_t part)
{
  struct parts *p = context;
  p->same = p->same || is_same (p->name, p->whole + part, p->base);
}

/* The same of a DEMANGLED name and NAME as the user wrote it.  */
static bool
is_called (const char *demangled, const char *name, size_t length)
{
  /* For GDB, that changes nothing.  */
  size_t colons = length > 2 && name[0] == ':' && name[1] == ':' ? 2 : 0;
  struct parts p = { .whole = squeeze (demangled, strlen (demangled)) };
  char *squeezed = squeeze (name + colons, length - colons);
  p.name = squeezed;
  if (p.whole != NULL && squeezed != NULL && squeezed[0] != '\0')
    {
      p.base = p.whole + base_length (p.whole, NULL, NULL);
      base_length (p.whole, compare_part, &p);
    }
  free ((char *) p.whole);
  free (squeezed);
  return p.same;
}

bool
tb_symbol_is_called (const char *raw, const char *name, size_t length)
{
  if (strlen (raw) == length && memcmp (raw, name, length) == 0)
    return true;
  if (raw[0] != '_')
    return false;
  char *whole = tb_symbols_demangle (raw);
  /* What was moved away from a function is none.  */
  bool same = whole != NULL && strcmp (whole, raw) != 0
	      && strstr (whole, "[clone .cold") == NULL
	      && is_called (whole, name, length);
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
	  if (name == NULL)
	    continue;
	  unsigned type = GELF_ST_TYPE (symbol.st_info);
	  if (name[0] != '\0' && name[0] != '$'
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

struct likeness
{
  const char *name;
  size_t length;
  size_t base;			/* Without parameters.  */
  bool functions;
  struct
  {
    char text[TB_LIKE_LENGTH + 1];
    size_t distance;
  } best[LIKE_MOST];
  size_t count;
};

/* The least distance of the user's name from the end of another, from one of its
   parts on.  */
struct nearest
{
  const struct likeness *like;
  const char *name;
  size_t length, distance;
};

/* The length of NAME, which has LENGTH characters, without arguments of a template at
   its end.  */
static size_t
plain_length (const char *name, size_t length)
{
  size_t depth = 0;
  for (size_t i = length; i > 1 && name[length - 1] == '>'; i--)
    if (name[i - 1] == '>')
      depth++;
    else if (name[i - 1] == '<' && --depth == 0)
      return i - 1;
  return length;
}

static void
take_part (void *context, size_t part)
{
  struct nearest *n = context;
  if (part >= n->length)
    return;
  size_t away = tb_like_distance (n->like->name, n->like->base, n->name + part,
			  n->length - part);
  n->distance = away < n->distance ? away : n->distance;
}

static void
take_like (void *context, const char *raw, const GElf_Sym *symbol,
	   uint64_t address)
{
  struct likeness *l = context;
  (void) address;
  if (l->functions && GELF_ST_TYPE (symbol->st_info) != STT_FUNC)
    return;
  char *name = tb_symbols_demangle (raw);
  size_t length = name != NULL ? base_length (name, NULL, NULL) : 0;
  if (length == 0 || length > TB_LIKE_LENGTH)
    {
      free (name);
      return;
    }
  struct nearest nearest = { l, name, plain_length (name, length), SIZE_MAX };
  base_length (name, take_part, &nearest);
  size_t away = nearest.distance;
  /* One that contains it is like it, too.  */
  if (length > l->base && memmem (name, length, l->name, l->base) != NULL
      && away > 2)
    away = 2;
  bool known = away > l->base / 3 + 1;
  /* One with other parameters, which tell what it is.  */
  if (away == 0 && strlen (name) <= TB_LIKE_LENGTH)
    length = strlen (name);
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
  char *terminated = strndup (name, length);
  if (terminated != NULL)
    l.base = base_length (terminated, NULL, NULL);
  free (terminated);
  if (l.base == 0 || l.base > TB_LIKE_LENGTH)
    return;
  each_symbol (symbols, take_like, &l);
  for (size_t i = 0; i < l.count; i++)
    tb_buffer_printf (text, "%s%s", i == 0 ? "" : i + 1 < l.count ? ", " : " or ",
		      l.best[i].text);
}
