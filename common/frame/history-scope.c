/* Variables of a function in histories: what a text means at each of its PCs.  See
   history-internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A variable of a function stands elsewhere from one instruction to the next, so the text is
   compiled anew for each PC of the function that runs.  */

#include "config.h"
#include "frame/history-internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fnv.h"

/* A function that is longer is none.  */
#define BYTES_MOST (UINT64_C (1) << 22)

/* Places of a function at which it is tried whether the text means something.  */
#define TRIES 512

/* Forget what the text means.  */
static void
forget_meanings (struct tb_history_local *l)
{
  for (size_t i = 0; i < l->count; i++)
    {
      tb_expression_fini (&l->meanings[i].value);
      tb_action_list_fini (&l->meanings[i].reads);
      l->meanings[i] = (struct tb_history_meaning) { .tried = false };
    }
}

void
tb_history_local_free (struct tb_history_local *l)
{
  if (l == NULL)
    return;
  if (l->meanings != NULL)
    forget_meanings (l);
  free (l->meanings);
  free (l->text);
  free (l);
}

const struct tb_history_meaning *
tb_history_meaning_at (struct tb_history_local *l, uint64_t pc, struct tb_expression_error *error)
{
  uint64_t at = (pc - l->function->address) / 2;
  if (pc < l->function->address || at >= l->count)
    return NULL;
  struct tb_history_meaning *m = &l->meanings[at];
  if (m->tried)
    return m->ok ? m : NULL;
  const struct tb_type *type;
  size_t length = strlen (l->text);
  struct tb_expression_named named = { .which = TB_FNV_START };
  m->tried = true;
  l->scope.pc = pc;
  l->scope.named = &named;
  m->ok = tb_expression_compile (l->text, length, &l->scope, &m->value, &type, error);
  l->scope.named = NULL;
  if (m->ok && (!named.local || (l->is_own && named.inlined)))
    {
      *error = (struct tb_expression_error) { .offset = 0 };
      snprintf (error->text, sizeof error->text,
		"the function has no variable of that name itself");
      m->ok = false;
    }
  /* Another variable of that name, of a block of its own, an inlined function or none, is
     another thing.  */
  l->ambiguous |= m->ok && l->which != 0 && named.which != l->which;
  m->ok = m->ok && (l->which == 0 || named.which == l->which)
	  && tb_expression_collect (l->text, length, &l->scope, &m->reads, error);
  if (!m->ok)
    return NULL;
  l->which = named.which;
  if (l->type == NULL)
    l->type = type;
  return m;
}

/* Find a place of the function where the text means something, and (not IS_OWN) whether it
   means another thing elsewhere.  False: *ERROR says why there is none.  */
static bool
find_meaning (struct tb_history_local *l, struct tb_expression_error *error)
{
  size_t stride = l->count / TRIES + 1;
  struct tb_expression_error here = { .offset = 0 };
  bool any = false, found = false;
  for (size_t i = 0; i < l->count && !(found && l->is_own); i += stride)
    {
      bool means = tb_history_meaning_at (l, l->function->address + 2 * i, &here) != NULL;
      found |= means;
      /* Where more of it meant something, what is wrong is told best.  */
      if (!means && (!any || here.offset > error->offset))
	*error = here;
      any = true;
    }
  return found;
}

/* TEXT with the variables of FUNCTION: WHICH, as struct tb_expression_named has them, or (0)
   its own.  */
static bool
compile (struct tb_history_expression *e, const char *text,
	 const struct tb_expression_scope *scope, const struct tb_function *function,
	 uint64_t which, struct tb_expression_error *error)
{
  uint64_t bytes = function->end > function->address ? function->end - function->address : 0;
  struct tb_history_local *l = calloc (1, sizeof *l);
  if (l == NULL || bytes > BYTES_MOST)
    {
      free (l);
      return false;
    }
  l->text = strdup (text);
  l->scope = *scope;
  l->scope.no_pc = false;
  l->scope.named = NULL;
  l->function = function;
  l->is_own = which == 0;
  l->which = which;
  l->count = (size_t) (bytes / 2);
  l->meanings = calloc (l->count + 1, sizeof *l->meanings);
  bool found = l->text != NULL && l->meanings != NULL && find_meaning (l, error);
  /* What only functions have that are a part of it: if it is one.  */
  if (!found && l->is_own && l->text != NULL && l->meanings != NULL)
    {
      l->is_own = false;
      forget_meanings (l);
      found = find_meaning (l, error);
      if (found && l->ambiguous)
	{
	  *error = (struct tb_expression_error) { .offset = 0 };
	  snprintf (error->text, sizeof error->text,
		    "more than one inlined function has a variable of that name");
	  found = false;
	}
    }
  if (!found || !tb_history_has_value (l->type))
    {
      tb_history_local_free (l);
      return false;
    }
  e->local = l;
  e->type = l->type;
  return true;
}

bool
tb_history_compile_here (struct tb_history_expression *e, const char *text,
			 const struct tb_expression_scope *scope,
			 const struct tb_symbols *symbols, struct tb_expression_error *error)
{
  struct tb_expression_scope here = *scope;
  struct tb_expression code;
  struct tb_expression_named named = { .which = TB_FNV_START };
  const struct tb_function *function
    = symbols != NULL ? tb_symbols_function_at (symbols, scope->pc) : NULL;
  here.named = &named;
  if (function == NULL
      || !tb_expression_compile (text, strlen (text), &here, &code, NULL, error))
    return false;
  tb_expression_fini (&code);
  return named.local && compile (e, text, scope, function, named.which, error);
}

static bool
in_name (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || c == ':';
}

/* The function of a name with "::" that begins at TEXT and has LENGTH characters; *PREFIX is
   how many of these name it.  NULL: none.  */
static const struct tb_function *
function_of (const char *text, size_t length, const struct tb_expression_scope *scope,
	     const struct tb_symbols *symbols, size_t *prefix)
{
  struct tb_object object;
  for (size_t at = length; at > 2; at--)
    if (text[at - 1] == ':' && text[at - 2] == ':'
	&& tb_variables_find (scope->variables, UINT64_MAX, text, at - 2, &object)
	&& (object.kind == TB_OBJECT_FUNCTION || object.kind == TB_OBJECT_SYMBOL))
      {
	const struct tb_function *function
	  = tb_symbols_function_at (symbols, object.value & ~UINT64_C (1));
	*prefix = at;
	if (function == NULL)
	  function = tb_symbols_function_at (symbols, object.value);
	return function;
      }
  return NULL;
}

bool
tb_history_compile_local (struct tb_history_expression *e, const char *text,
			  const struct tb_expression_scope *scope,
			  const struct tb_symbols *symbols, struct tb_expression_error *error)
{
  const struct tb_function *function = NULL;
  char *plain = strdup (text);
  bool one = plain != NULL && symbols != NULL && scope->variables != NULL;
  /* The name of the function becomes blanks, so that errors are told where they are.  */
  for (size_t i = 0, end; one && text[i] != 0; i = end)
    {
      end = i + 1;
      if (!in_name (text[i]))
	continue;
      while (in_name (text[end]))
	end++;
      size_t prefix = 0;
      const struct tb_function *f = function_of (text + i, end - i, scope, symbols, &prefix);
      if (f == NULL)
	continue;
      one = function == NULL || f == function;
      function = f;
      memset (plain + i, ' ', prefix);
    }
  bool ok = one && function != NULL
	    && compile (e, plain, scope, function, 0, error);
  free (plain);
  return ok;
}
