/* The contexts of a session.  See session-contexts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-contexts.h"

#include <stdlib.h>

enum tb_space
tb_session_elf_space (const struct tb_session *s, const struct tb_session_elf *elf)
{
  const struct tb_context *a = &elf->context;
  for (size_t i = 0; tb_session_elf_has_context (elf) && i < s->ncontexts; i++)
    {
      const struct tb_context *b = &s->contexts[i];
      if (a->has_cid == b->has_cid && a->has_vmid == b->has_vmid && a->cid == b->cid
	  && a->vmid == b->vmid)
	return b->space;
    }
  return TB_SPACE_ANY;
}

enum tb_status
tb_session_make_contexts (struct tb_session *s, const struct tb_session_options *options,
			  struct tb_diag *diag)
{
  size_t nelves = options != NULL ? options->nelves : 0;
  unsigned next = TB_SPACE_CONTEXTS + 1;
  s->contexts = calloc (s->snapshot.ncontexts + nelves + 1, sizeof *s->contexts);
  if (s->contexts == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < s->snapshot.ncontexts; i++)
    {
      struct tb_context *context = &s->contexts[s->ncontexts++];
      *context = s->snapshot.contexts[i];
      if (context->space >= next)
	next = context->space + 1;
    }
  for (size_t i = 0; i < nelves; i++)
    {
      const struct tb_session_elf *elf = &options->elves[i];
      if (!tb_session_elf_has_context (elf) || tb_session_elf_space (s, elf) != TB_SPACE_ANY)
	continue;
      if (next == TB_SPACE_LIMIT)
	{
	  tb_error (diag, "--elf=%s: expected at most %d contexts with code of their own, "
		    "found more", elf->path, TB_SPACE_LIMIT - TB_SPACE_CONTEXTS - 1);
	  return TB_ERR_INPUT;
	}
      struct tb_context *context = &s->contexts[s->ncontexts++];
      *context = elf->context;
      context->space = (enum tb_space) next++;
    }
  return TB_OK;
}
