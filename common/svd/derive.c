/* Elements of a device description that are copies of others.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   CMSIS-SVD, attribute derivedFrom: the element has all that the named one has, save
   what it says itself.  The name is that of an element beside it, or a path from the
   device down ("PERIPHERAL.CLUSTER.REGISTER").  */

#include "svd/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
svd_warn (struct tb_svd *svd, const struct svd_node *node, const char *name,
	  const char *format, ...)
{
  char why[300];
  va_list arguments;
  if (svd->wrong++ >= 5)
    return;
  va_start (arguments, format);
  vsnprintf (why, sizeof why, format, arguments);
  va_end (arguments);
  tb_warning (svd->diag, "%s:%u: <%s>%s%.60s: %s", svd->path, node->line,
	      svd_kind_name (node->kind), name != NULL ? " " : "",
	      name != NULL ? name : "", why);
}

void
svd_leave_out (struct tb_svd *svd, const struct svd_node *node,
	       const char *format, ...)
{
  char why[280];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (why, sizeof why, format, arguments);
  va_end (arguments);
  svd_warn (svd, node, svd_text (node, SVD_NAME), "%s; it is left out", why);
}

/* What nodes are found by.  */
struct key
{
  const struct svd_node *parent;
  const char *name;
  size_t length;
};

static hashval_t
hash_key (const struct svd_node *parent, const char *name, size_t length)
{
  return iterative_hash (name, length, (hashval_t) ((uintptr_t) parent >> 4));
}

static hashval_t
hash_node (const void *entry)
{
  const struct svd_node *node = entry;
  const char *name = node->texts[SVD_NAME - SVD_NUMBERS];
  return hash_key (node->parent, name, strlen (name));
}

static int
is_key (const void *entry, const void *key)
{
  const struct svd_node *node = entry;
  const struct key *k = key;
  const char *name = node->texts[SVD_NAME - SVD_NUMBERS];
  return node->parent == k->parent && strncmp (name, k->name, k->length) == 0
	 && name[k->length] == '\0';
}

/* Let NODE and all below it be found.  The depth is that of the file, bounded when it
   was read.  */
static bool
add_names (htab_t table, struct svd_node *node)
{
  if (svd_given (node, SVD_NAME))
    {
      const char *name = node->texts[SVD_NAME - SVD_NUMBERS];
      const struct key key = { node->parent, name, strlen (name) };
      void **slot = htab_find_slot_with_hash (table, &key, hash_node (node),
					      INSERT);
      if (slot == NULL)
	return false;
      /* Of two of one name the first one counts.  */
      if (*slot == NULL)
	*slot = node;
    }
  for (struct svd_node *child = node->first; child != NULL; child = child->next)
    if (child->kind != SVD_VALUE && !add_names (table, child))
      return false;
  return true;
}

/* The child called NAME of PARENT or of what PARENT is derived from; NULL: none.  */
static struct svd_node *
child_of (struct tb_svd *svd, struct svd_node *parent, const char *name,
	  size_t length)
{
  if (svd->by_name == NULL)
    {
      svd->by_name = htab_try_create (64, hash_node, is_key, NULL);
      if (svd->by_name == NULL || !add_names (svd->by_name, svd->device))
	return NULL;
    }
  for (; parent != NULL; parent = parent->base)
    {
      const struct key key = { parent, name, length };
      struct svd_node *found
	= htab_find_with_hash (svd->by_name, &key, hash_key (parent, name,
							     length));
      if (found != NULL)
	return found;
    }
  return NULL;
}

/* What PATH names from FROM down; NULL: nothing.  */
static struct svd_node *
follow_path (struct tb_svd *svd, struct svd_node *from, const char *path)
{
  while (from != NULL)
    {
      size_t length = strcspn (path, ".");
      from = child_of (svd, from, path, length);
      if (path[length] == '\0')
	return from;
      /* What is derived has the children of its base.  */
      if (from != NULL && !svd_derive (svd, from))
	return NULL;
      path += length + 1;
    }
  return NULL;
}

/* Find NODE's base; false after a message.  */
static bool
find_base (struct tb_svd *svd, struct svd_node *node)
{
  struct svd_node *base = NULL;
  for (struct svd_node *from = node->parent; from != NULL && base == NULL;
       from = from->parent)
    base = follow_path (svd, from, node->derived_from);
  if (base == NULL || base->kind != node->kind)
    {
      svd_leave_out (svd, node, "derivedFrom: expected the name of another <%s>, "
		     "found '%.60s'", svd_kind_name (node->kind),
		     node->derived_from);
      return false;
    }
  /* Nothing can be derived from what it is in: it would hold itself without end.  */
  const struct svd_node *around = node->parent;
  while (around != NULL && around != base)
    around = around->parent;
  if (around != NULL || !svd_derive (svd, base) || base->chain >= SVD_CHAIN_MAX)
    {
      svd_leave_out (svd, node, "derivedFrom: '%.60s' leads to itself, to what is "
		     "left out, or over more than %d others", node->derived_from,
		     SVD_CHAIN_MAX);
      return false;
    }
  node->base = base;
  node->chain = base->chain + 1;
  return true;
}

bool
svd_derive (struct tb_svd *svd, struct svd_node *node)
{
  if (node->state == SVD_NEW && svd->deriving < SVD_CHAIN_MAX)
    {
      node->state = SVD_BUSY;
      svd->deriving++;
      bool ok = node->derived_from == NULL || find_base (svd, node);
      svd->deriving--;
      node->state = ok ? SVD_DONE : SVD_BAD;
    }
  return node->state == SVD_DONE;
}
