/* --format=folded: instructions by stack of calls, for flame graphs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A line a stack, outermost function first: "main;put;store 123".  That is what
   flamegraph.pl and its kin read.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif
#include <stdlib.h>

#include "names.h"
#include "recording/level-names.h"
#include "snapshot/pool.h"

/* A stack: a level on top of another one.  */
struct stack
{
  const struct stack *below;
  struct stack *next;		/* All, the last one first.  */
  struct tb_level level;
  uint64_t instructions;
};

struct folding
{
  htab_t stacks;
  struct objalloc *pool;
  struct stack *all;
};

static hashval_t
hash (const void *entry)
{
  const struct stack *s = entry;
  uintptr_t key = (uintptr_t) s->below * 31 + (uintptr_t) s->level.function
		  + (uintptr_t) s->level.address * 5 + s->level.number * 3
		  + (s->level.kind == TB_LEVEL_EXCEPTION);
  return (hashval_t) (key ^ key >> 15);
}

static int
same (const void *x, const void *y)
{
  const struct stack *a = x, *b = y;
  return a->below == b->below && a->level.function == b->level.function
	 && (a->level.function != NULL || a->level.address == b->level.address)
	 && (a->level.kind == TB_LEVEL_EXCEPTION)
	    == (b->level.kind == TB_LEVEL_EXCEPTION)
	 && a->level.number == b->level.number;
}

static bool
open_stack (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  struct folding *f = context;
  struct tb_level *level = &levels[count - 1];
  struct stack wanted = {
    .below = count > 1 ? levels[count - 2].data : NULL, .level = *level
  };
  (void) step;
  if (level->function != NULL)
    wanted.level.address = 0;
  void **slot = htab_find_slot (f->stacks, &wanted, INSERT);
  if (slot == NULL)
    return false;
  if (*slot == NULL)
    {
      struct stack *made = tb_pool_alloc (f->pool, sizeof *made);
      if (made == NULL)
	return false;
      *made = wanted;
      made->next = f->all;
      f->all = made;
      *slot = made;
    }
  level->data = *slot;
  return true;
}

static bool
ran (void *context, struct tb_level *levels, size_t count, uint64_t step,
     uint64_t address, uint32_t instructions)
{
  struct stack *stack = levels[count - 1].data;
  (void) context;
  (void) step;
  (void) address;
  stack->instructions += instructions;
  return true;
}

/* Write the names of STACK, outermost first; false: no memory.  */
static bool
put_stack (const struct stack *stack, const struct tb_profile *profile,
	   FILE *out)
{
  /* From the innermost to the outermost, turned round.  */
  const struct stack **order = NULL;
  size_t count = 0, room = 0;
  bool ok = true;
  for (const struct stack *s = stack; s != NULL && ok; s = s->below)
    {
      ok = TB_GROW (order, room, count, 1);
      if (ok)
	order[count++] = s;
    }
  while (count > 0 && ok)
    {
      char *name = tb_level_name (&order[--count]->level, profile);
      ok = name != NULL;
      /* What separates the names may not be in them.  */
      for (char *c = name; ok && *c != '\0'; c++)
	fputc (*c == ';' || *c == '\n' ? ':' : *c, out);
      if (count > 0)
	fputc (';', out);
      free (name);
    }
  free (order);
  return ok;
}

static enum tb_status
fold (struct job *job, const struct named_recording *named, FILE *out)
{
  const struct tb_profile *profile = &named->stream->core->profile;
  struct folding f = { .pool = objalloc_create () };
  f.stacks = htab_create_alloc (1024, hash, same, NULL, calloc, free);
  const struct tb_level_user user = { .open = open_stack, .ran = ran,
				      .context = &f,
				      .sp = tb_level_sp,
				      .sp_context = named->sp,
				      .tasks = named->tasks };
  bool ok = f.pool != NULL && f.stacks != NULL
	    && tb_levels_walk (named->recording, named->symbols, &user);
  (void) job;
  for (const struct stack *s = f.all; s != NULL && ok; s = s->next)
    if (s->instructions != 0)
      {
	if (named->several)
	  fprintf (out, "%s;", named->core);
	ok = put_stack (s, profile, out);
	fprintf (out, " %" PRIu64 "\n", s->instructions);
      }
  if (f.stacks != NULL)
    htab_delete (f.stacks);
  if (f.pool != NULL)
    objalloc_free (f.pool);
  return ok ? TB_OK : TB_ERR_MEMORY;
}

enum tb_status
list_folded (struct job *job, struct tb_outfile *out)
{
  return job_each_named (job, tb_outfile_stream (out), true, fold);
}
