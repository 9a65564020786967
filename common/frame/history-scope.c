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

static void
say (struct tb_expression_error *error, const char *text)
{
  error->offset = 0;
  snprintf (error->text, sizeof error->text, "%s", text);
}

/* Are variables WHICH, of them OUTSIDE outside of functions, with a value of TYPE, to be
   told, too?  Those of another block are, as a debugger shows them there.  Those of a
   function that is inlined are another one's, and where a name is one of the function it
   does not mean one outside.  */
static bool
is_meant (struct tb_history_local *l, const struct tb_expression_named *named,
	  const struct tb_type *type)
{
  if (l->type == NULL)
    return l->which == 0 || named->which == l->which;
  bool same = named->which == l->which;
  if (l->is_own)
    same = named->outside == l->outside && type->kind == l->type->kind
	   && type->size == l->type->size && type->is_signed == l->type->is_signed;
  l->ambiguous |= !same;
  return same;
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
  struct tb_expression_named named = { .which = TB_FNV_START, .outside = TB_FNV_START };
  m->tried = true;
  l->scope.pc = pc;
  l->scope.named = &named;
  m->ok = tb_expression_compile (l->text, length, &l->scope, &m->value, &type, error);
  l->scope.named = NULL;
  if (m->ok && (!named.local || (l->is_own && named.inlined)))
    {
      say (error, "the function has no variable of that name itself");
      m->ok = false;
    }
  if (m->ok && !is_meant (l, &named, type))
    {
      say (error, "another variable is meant there");
      m->ok = false;
    }
  m->ok = m->ok && tb_expression_collect (l->text, length, &l->scope, &m->reads,
					   error);
  if (!m->ok)
    return NULL;
  m->which = named.which;
  if (l->type == NULL)
    {
      l->type = type;
      l->outside = named.outside;
      l->which = l->is_own ? 0 : named.which;
    }
  return m;
}

/* The PCs at which it is tried whether the text means something.  */
static bool
note_stretch (void *context, uint64_t pc)
{
  struct tb_buffer *pcs = context;
  /* What begins within an instruction, as what holds during a call, is for the next.  */
  pc += pc & 1;
  tb_buffer_append (pcs, &pc, sizeof pc);
  return !pcs->failed;
}

static int
compare_pcs (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Find out where in the function the text means something, and whether that is another thing
   elsewhere.  False: *ERROR says why there is none.  */
static bool
find_meaning (struct tb_history_local *l, struct tb_expression_error *error)
{
  struct tb_buffer pcs = { 0 };
  struct tb_expression_error here = { .offset = 0 };
  bool any = false, found = false;
  tb_variables_stretches (l->scope.variables, l->function->address, l->function->end,
			  note_stretch, &pcs);
  uint64_t *all = (uint64_t *) (void *) pcs.data;
  size_t count = pcs.failed ? 0 : pcs.size / sizeof *all;
  if (count > 0)
    qsort (all, count, sizeof *all, compare_pcs);
  else
    say (error, "no memory");
  for (size_t i = 0; i < count; i++)
    {
      if (i > 0 && all[i] == all[i - 1])
	continue;
      bool means = tb_history_meaning_at (l, all[i], &here) != NULL;
      found |= means;
      /* Where more of it meant something, what is wrong is told best.  */
      if (!means && !found && (!any || here.offset > error->offset))
	*error = here;
      any = true;
    }
  tb_buffer_fini (&pcs);
  return found;
}

/* Find the meanings of L, and its type.  False: *ERROR says what is wrong.  */
static bool
find_meanings (struct tb_history_local *l, struct tb_expression_error *error)
{
  bool found = find_meaning (l, error);
  /* What only functions have that are a part of it: if it is one.  */
  if (!found && l->is_own)
    {
      l->is_own = false;
      forget_meanings (l);
      found = find_meaning (l, error);
      if (found && l->ambiguous)
	{
	  say (error, "more than one variable of that name is in what is inlined there: of "
	       "several functions, or of one several times");
	  return false;
	}
    }
  else if (found && l->is_own && l->ambiguous)
    {
      say (error, "the function has several variables of that name, of types that differ, or "
	   "one outside of it is meant elsewhere");
      return false;
    }
  return found && tb_history_has_value (l->type, error);
}

/* TEXT with the variables of FUNCTION: WHICH, as struct tb_expression_named has them, or (0)
   its own.  */
static enum tb_history_compiled
compile (struct tb_history_expression *e, const char *text,
	 const struct tb_expression_scope *scope, const struct tb_function *function,
	 uint64_t which, struct tb_expression_error *error)
{
  uint64_t bytes = function->end > function->address ? function->end - function->address : 0;
  if (bytes > BYTES_MOST)
    {
      say (error, "the function is too long");
      return TB_HISTORY_WRONG;
    }
  struct tb_history_local *l = calloc (1, sizeof *l);
  if (l != NULL)
    {
      l->text = strdup (text);
      l->scope = *scope;
      l->scope.no_pc = false;
      l->scope.named = NULL;
      l->function = function;
      l->is_own = which == 0;
      l->which = which;
      l->count = (size_t) (bytes / 2);
      l->meanings = calloc (l->count + 1, sizeof *l->meanings);
    }
  bool ok = l != NULL && l->text != NULL && l->meanings != NULL;
  if (!ok)
    say (error, "no memory");
  if (!ok || !find_meanings (l, error))
    {
      tb_history_local_free (l);
      return TB_HISTORY_WRONG;
    }
  e->local = l;
  e->type = l->type;
  return TB_HISTORY_COMPILED;
}

enum tb_history_compiled
tb_history_compile_here (struct tb_history_expression *e, const char *text,
			 const struct tb_expression_scope *scope,
			 const struct tb_symbols *symbols, struct tb_expression_error *error)
{
  struct tb_expression_scope here = *scope;
  struct tb_expression_error elsewhere;
  struct tb_expression code;
  struct tb_expression_named named = { .which = TB_FNV_START };
  const struct tb_function *function
    = symbols != NULL ? tb_symbols_function_at (symbols, scope->pc) : NULL;
  here.named = &named;
  bool compiled = tb_expression_compile (text, strlen (text), &here, &code, NULL, error);
  if (compiled)
    tb_expression_fini (&code);
  if (!named.local)
    return TB_HISTORY_NOT_LOCAL;
  if (function == NULL)
    {
      say (error, "it is not known which function this is");
      return TB_HISTORY_WRONG;
    }
  /* Elsewhere in the function it may have a place even if it has none here.  */
  return compile (e, text, scope, function, named.which, compiled ? error : &elsewhere);
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

enum tb_history_compiled
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
  enum tb_history_compiled result
    = one && function != NULL ? compile (e, plain, scope, function, 0, error)
			      : TB_HISTORY_NOT_LOCAL;
  free (plain);
  return result;
}
