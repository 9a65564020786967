/* Memory that is freed all at once, over libiberty's objalloc.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_POOL_H
#define TB_SNAPSHOT_POOL_H

#include <stddef.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/objalloc.h>
#else
# include <objalloc.h>
#endif

/* SIZE bytes, or NULL.  (The function, as objalloc's macro narrows sizes.)  */
static inline void *
tb_pool_alloc (struct objalloc *pool, size_t size)
{
  return _objalloc_alloc (pool, size);
}

/* A copy of SIZE bytes, or NULL when there is no memory.  */
static inline void *
tb_pool_copy (struct objalloc *pool, const void *bytes, size_t size)
{
  void *copy = tb_pool_alloc (pool, size);
  if (copy != NULL && size > 0)
    memcpy (copy, bytes, size);
  return copy;
}

/* A copy of LENGTH characters with a zero behind them, or NULL.  */
static inline char *
tb_pool_text (struct objalloc *pool, const char *text, size_t length)
{
  char *copy = tb_pool_alloc (pool, length + 1);
  if (copy == NULL)
    return NULL;
  if (length > 0)
    memcpy (copy, text, length);
  copy[length] = '\0';
  return copy;
}

#endif /* TB_SNAPSHOT_POOL_H */
