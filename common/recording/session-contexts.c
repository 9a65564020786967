/* The contexts of a session.  See session-contexts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-contexts.h"

#include <stdlib.h>

/* The context that ELF is the code of, if it is listed.  */
static struct tb_context *
context_of (const struct tb_session *s, const struct tb_session_elf *elf)
{
  const struct tb_context *a = &elf->context;
  for (size_t i = 0; tb_session_elf_has_context (elf) && i < s->ncontexts; i++)
    {
      struct tb_context *b = &s->contexts[i];
      if (a->has_cid == b->has_cid && a->has_vmid == b->has_vmid && a->cid == b->cid
	  && a->vmid == b->vmid)
	return b;
    }
  return NULL;
}

/* The first space that nothing in SNAPSHOT is in.  */
static unsigned
free_space (const struct tb_snapshot *snapshot)
{
  unsigned next = TB_SPACE_CONTEXTS + 1;
  for (size_t i = 0; i < snapshot->ncontexts; i++)
    if (snapshot->contexts[i].space >= next)
      next = snapshot->contexts[i].space + 1;
  /* Those whose names are not known have memory, too.  */
  for (size_t i = 0; i < snapshot->ndevices; i++)
    for (size_t k = 0; k < snapshot->devices[i].ndumps; k++)
      if (snapshot->devices[i].dumps[k].space >= next)
	next = snapshot->devices[i].dumps[k].space + 1;
  return next;
}

/* Is another context than CONTEXT in its space?  */
static bool
is_shared (const struct tb_session *s, const struct tb_context *context)
{
  for (size_t i = 0; i < s->ncontexts; i++)
    if (&s->contexts[i] != context && s->contexts[i].space == context->space)
      return true;
  return false;
}

enum tb_space
tb_session_elf_space (const struct tb_session *s, const struct tb_session_elf *elf)
{
  const struct tb_context *context = context_of (s, elf);
  if (!tb_session_elf_has_context (elf))
    return TB_SPACE_ANY;
  /* Those that share a space have the code of none of their ELF files.  */
  return context == NULL || is_shared (s, context) ? TB_SPACE_LIMIT : context->space;
}

enum tb_status
tb_session_make_contexts (struct tb_session *s, const struct tb_session_options *options,
			  struct tb_diag *diag)
{
  size_t nelves = options != NULL ? options->nelves : 0;
  unsigned next = free_space (&s->snapshot);
  s->contexts = calloc (s->snapshot.ncontexts + nelves + 1, sizeof *s->contexts);
  if (s->contexts == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < s->snapshot.ncontexts; i++)
    s->contexts[s->ncontexts++] = s->snapshot.contexts[i];
  for (size_t i = 0; i < nelves; i++)
    {
      const struct tb_session_elf *elf = &options->elves[i];
      struct tb_context *context = context_of (s, elf);
      if (!tb_session_elf_has_context (elf) || (context != NULL && !is_shared (s, context)))
	continue;
      if (next == TB_SPACE_LIMIT)
	{
	  char name[64];
	  tb_context_text (&elf->context, name, sizeof name);
	  tb_warning (diag, "--elf=%s@%s: expected at most %d contexts with code of their own, "
		      "found more: the file is left out", elf->path, name,
		      TB_SPACE_LIMIT - TB_SPACE_CONTEXTS - 1);
	  continue;
	}
      if (context == NULL)
	{
	  context = &s->contexts[s->ncontexts++];
	  *context = elf->context;
	}
      context->space = (enum tb_space) next++;
    }
  return TB_OK;
}

/* Add to MAP what DEVICE has in space FROM, in space TO.  */
static enum tb_status
copy_dumps (struct tb_memmap *map, const struct tb_device *device, enum tb_space from,
	    enum tb_space to, struct tb_diag *diag)
{
  enum tb_status status = TB_OK;
  for (size_t i = 0; device != NULL && i < device->ndumps && status == TB_OK; i++)
    if (device->dumps[i].space == from)
      status = tb_memmap_add_dump (map, &device->dumps[i], to, diag);
  return status;
}

enum tb_status
tb_session_map_contexts (const struct tb_session *s, const struct tb_device *device,
			 struct tb_memmap *map, struct tb_diag *diag)
{
  enum tb_status status = TB_OK;
  for (size_t i = 0; i < s->ncontexts && status == TB_OK; i++)
    {
      enum tb_space space = s->contexts[i].space;
      status = tb_memmap_add_context (map, &s->contexts[i], diag);
      /* Those of the snapshot come first.  */
      if (status == TB_OK && i < s->snapshot.ncontexts && space != s->snapshot.contexts[i].space)
	status = copy_dumps (map, device, s->snapshot.contexts[i].space, space, diag);
    }
  return status;
}
