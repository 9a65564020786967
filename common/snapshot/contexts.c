/* Contexts that have memory of their own.  See contexts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/contexts.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

void
tb_context_text (const struct tb_context *context, char *text, size_t room)
{
  char vmid[24] = "", cid[24] = "";
  if (context->has_vmid)
    snprintf (vmid, sizeof vmid, "vmid:%#" PRIx32, context->vmid);
  if (context->has_cid)
    snprintf (cid, sizeof cid, "context:%#" PRIx32, context->cid);
  snprintf (text, room, "%s%s%s", vmid, *vmid != 0 && *cid != 0 ? "," : "", cid);
}

const char *
tb_space_text (const struct tb_snapshot *snapshot, enum tb_space space, char *text,
	       size_t room)
{
  if (space < TB_SPACE_CONTEXTS)
    return tb_space_name (space);
  for (size_t i = 0; i < snapshot->ncontexts; i++)
    if (snapshot->contexts[i].space == space)
      {
	tb_context_text (&snapshot->contexts[i], text, room);
	return text;
      }
  return "of a thread";
}

/* Read "WORD:NUMBER" at *NAME and go past it and a comma.  */
static bool
take (const char **name, const char *word, uint32_t *value)
{
  size_t length = strlen (word);
  const char *digits = *name + length;
  if (strncmp (*name, word, length) != 0 || !isdigit ((unsigned char) *digits))
    return false;
  char *end;
  errno = 0;
  unsigned long long number = strtoull (digits, &end, 0);
  if (errno != 0 || number > UINT32_MAX || (*end != '\0' && *end != ','))
    return false;
  *value = (uint32_t) number;
  *name = *end == ',' ? end + 1 : end;
  return *end == '\0' || **name != '\0';
}

bool
tb_context_parse (const char *name, struct tb_context *context)
{
  *context = (struct tb_context) { .space = TB_SPACE_ANY };
  while (*name != '\0')
    if (!context->has_cid && take (&name, "context:", &context->cid))
      context->has_cid = true;
    else if (!context->has_vmid && take (&name, "vmid:", &context->vmid))
      context->has_vmid = true;
    else
      return false;
  return context->has_cid || context->has_vmid;
}

bool
tb_contexts_add (struct tb_contexts *contexts, const struct tb_context *context)
{
  assert (context->space >= TB_SPACE_CONTEXTS && context->space < TB_SPACE_LIMIT);
  if (!TB_GROW (contexts->items, contexts->capacity, contexts->count, 1))
    return false;
  contexts->items[contexts->count++] = *context;
  return true;
}

void
tb_contexts_fini (struct tb_contexts *contexts)
{
  free (contexts->items);
  *contexts = (struct tb_contexts) { 0 };
}

/* By which IDs they are known, then by the IDs.  */
static int
compare_names (const void *left, const void *right)
{
  const struct tb_context *a = left, *b = right;
  int known_a = a->has_cid | a->has_vmid << 1, known_b = b->has_cid | b->has_vmid << 1;
  if (known_a != known_b)
    return known_a < known_b ? -1 : 1;
  if (a->vmid != b->vmid)
    return a->vmid < b->vmid ? -1 : 1;
  return a->cid < b->cid ? -1 : a->cid > b->cid;
}

static int
compare (const void *left, const void *right)
{
  const struct tb_context *a = left, *b = right;
  int order = compare_names (a, b);
  return order != 0 ? order : a->space < b->space ? -1 : a->space > b->space;
}

void
tb_contexts_sort (struct tb_contexts *contexts)
{
  struct tb_context *items = contexts->items;
  size_t kept = 0;
  if (contexts->count > 1)
    qsort (items, contexts->count, sizeof *items, compare);
  for (size_t i = 0; i < contexts->count; i++)
    if (kept == 0 || compare_names (&items[kept - 1], &items[i]) != 0)
      items[kept++] = items[i];
  contexts->count = kept;
}

static const struct tb_context *
find (const struct tb_contexts *contexts, bool has_cid, bool has_vmid,
      const struct tb_context *named)
{
  const struct tb_context wanted = {
    .has_cid = has_cid, .has_vmid = has_vmid, .cid = has_cid ? named->cid : 0,
    .vmid = has_vmid ? named->vmid : 0
  };
  return bsearch (&wanted, contexts->items, contexts->count, sizeof wanted, compare_names);
}

const struct tb_context *
tb_contexts_find (const struct tb_contexts *contexts, const struct tb_context *named)
{
  const struct tb_context *found = NULL;
  if (contexts->count == 0)
    return NULL;
  if (named->has_cid && named->has_vmid)
    found = find (contexts, true, true, named);
  if (found == NULL && named->has_cid)
    found = find (contexts, true, false, named);
  if (found == NULL && named->has_vmid)
    found = find (contexts, false, true, named);
  return found;
}
