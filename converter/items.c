/* The inputs of a batch.  See items.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "items.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "output.h"
#include "recording/session-log.h"
#include "recording/wrong-input.h"
#include "snapshot/core-file.h"
#include "snapshot/crash-dump.h"
#include "snapshot/perf/data.h"
#include "snapshot/sysfs.h"
#include "util/buffer.h"

/* So many files that are passed over are named.  */
#define PASSED_NAMED 8

/* NAME in place of %p and its last part in place of %n of TEMPLATE, below DIRECTORY;
   from malloc, NULL: no memory.  */
static char *
expand (const char *template, const char *directory, const char *name)
{
  struct tb_buffer text = { 0 };
  size_t length = strlen (name), last = length;
  while (last > 0 && name[last - 1] != '/')
    last--;
  tb_buffer_printf (&text, "%s/", directory);
  for (const char *c = template; *c != '\0'; c++)
    if (c[0] == '%' && c[1] == 'p')
      tb_buffer_append (&text, name, length), c++;
    else if (c[0] == '%' && c[1] == 'n')
      tb_buffer_append (&text, name + last, length - last), c++;
    else if (c[0] == '%' && c[1] == '%')
      tb_buffer_append (&text, c++, 1);
    else
      tb_buffer_append (&text, c, 1);
  tb_buffer_append (&text, "", 1);
  if (text.failed)
    tb_buffer_fini (&text);
  return (char *) text.data;
}

/* The input PATH, which is BELOW a folder, or was named.  */
static bool
add (struct items *items, const struct options *o, const char *path,
     const char *below)
{
  if (!TB_GROW (items->list, items->room, items->count, 1))
    return false;
  struct item *item = &items->list[items->count++];
  *item = (struct item) {
    .input = strdup (path), .name = output_input_name (path, below)
  };
  if (item->name != NULL)
    item->base = expand (o->batch.name, o->batch.directory, item->name);
  return item->input != NULL && item->name != NULL && item->base != NULL;
}

static bool
is_snapshot (const char *directory)
{
  char path[4096];
  struct stat st;
  return snprintf (path, sizeof path, "%s/snapshot.ini", directory)
	 < (int) sizeof path
	 && ((stat (path, &st) == 0 && S_ISREG (st.st_mode))
	     || tb_sysfs_is_folder (directory));
}

static int
by_name (const FTSENT **a, const FTSENT **b)
{
  return strcmp ((*a)->fts_name, (*b)->fts_name);
}

/* Is the file PATH a log or a core file?  */
static bool
is_input_file (const char *path)
{
  return tb_session_is_log (path) || tb_core_file_kind (path) != TB_CORE_FILE_NONE
	 || tb_perf_is_file (path) || tb_crash_kind (path, NULL) != TB_CRASH_NONE;
}

/* Is the symbolic link PATH one to a folder or an input?  */
static bool
leads_to_input (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0
	 && (S_ISDIR (st.st_mode)
	     || (S_ISREG (st.st_mode) && is_input_file (path)));
}

/* Does NAME look like that of a log?  */
static bool
is_called_log (const char *name)
{
  static const char *const ends[] = { ".log", ".tarmac" };
  static const char *const packed[] = { "", ".gz", ".xz", ".zst" };
  size_t length = strlen (name);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    for (size_t k = 0; k < sizeof packed / sizeof *packed; k++)
      {
	char end[16];
	size_t n = (size_t) snprintf (end, sizeof end, "%s%s", ends[i], packed[k]);
	if (length > n && strcasecmp (name + length - n, end) == 0)
	  return true;
      }
  return false;
}

/* Keep the first error; CONTEXT is a char *.  */
static void
keep_error (void *context, enum tb_severity severity, const char *message)
{
  char **why = context;
  if (severity == TB_ERROR && *why == NULL)
    *why = strdup (message);
}

/* PATH is not read as a log.  If it is called one, take down why it is not, as is said
   of it when it is the only INPUT.  */
static bool
pass_over (struct items *items, const char *path, const char *name)
{
  char *why = NULL;
  struct tb_diag keep = { .report = keep_error, .context = &why };
  struct tb_session session;
  if (!is_called_log (path))
    return true;
  if (!tb_input_is_wrong (path, NULL, "%s", &keep)
      && tb_session_open (&session, path, NULL, &keep) == TB_OK)
    tb_session_close (&session);
  if (why == NULL)
    return true;
  if (!TB_GROW (items->passed, items->passed_room, items->npassed, 1))
    {
      free (why);
      return false;
    }
  struct passed *passed = &items->passed[items->npassed++];
  *passed = (struct passed) {
    .input = strdup (path), .name = strndup (name, output_stem (name)), .why = why
  };
  return passed->input != NULL && passed->name != NULL;
}

/* All below the folder ROOT.  */
static bool
search (struct items *items, const struct options *o, const char *root,
	struct tb_diag *diag)
{
  char *const roots[] = { (char *) root, NULL };
  FTS *tree = fts_open (roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR,
			by_name);
  size_t before = items->count;
  bool ok = tree != NULL;
  FTSENT *entry;
  size_t skip = strlen (root);
  while (skip > 0 && root[skip - 1] == '/')
    skip--;
  while (ok && (entry = fts_read (tree)) != NULL)
    {
      const char *below = entry->fts_path + skip;
      while (*below == '/')
	below++;
      switch (entry->fts_info)
	{
	case FTS_D:
	  if (!is_snapshot (entry->fts_path))
	    break;
	  ok = add (items, o, entry->fts_path, below);
	  fts_set (tree, entry, FTS_SKIP);
	  break;
	case FTS_DNR: case FTS_ERR: case FTS_NS:
	  tb_warning (diag, "%s: cannot be searched: %s", entry->fts_path,
		      strerror (entry->fts_errno));
	  break;
	case FTS_SL:
	  if (leads_to_input (entry->fts_path))
	    tb_warning (diag, "%s: a symbolic link, which is not followed; give it "
			"as an INPUT of its own", entry->fts_path);
	  break;
	case FTS_F:
	  if (is_input_file (entry->fts_path))
	    ok = add (items, o, entry->fts_path, below);
	  else
	    ok = pass_over (items, entry->fts_path, below);
	  break;
	default:
	  break;
	}
    }
  if (tree != NULL)
    fts_close (tree);
  if (!ok)
    tb_error (diag, "%s: no memory to search it", root);
  else if (items->count == before)
    {
      tb_error (diag, "%s: expected a snapshot (a folder with a snapshot.ini), a log or a "
		"core file below it, found none; give the folder that has them", root);
      items->nothing_below = true;
    }
  return ok;
}

/* PATH, as the user or a list gave it.  */
static bool
add_path (struct items *items, const struct options *o, const char *path,
	  struct tb_diag *diag)
{
  struct stat st;
  if (stat (path, &st) == 0 && S_ISDIR (st.st_mode) && !is_snapshot (path))
    return search (items, o, path, diag);
  /* What is not there fails when its turn comes, like all that fails.  */
  bool ok = add (items, o, path, NULL);
  if (!ok)
    tb_error (diag, "%s: no memory", path);
  return ok;
}

/* The paths in FILE, a line each; "-": standard input.  */
static bool
add_list (struct items *items, const struct options *o, const char *file,
	  struct tb_diag *diag)
{
  bool standard = strcmp (file, "-") == 0, ok = true;
  FILE *in = standard ? stdin : fopen (file, "r");
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  if (in == NULL)
    {
      tb_error (diag, "%s: cannot read the list of inputs: %s", file,
		strerror (errno));
      return false;
    }
  while (ok && (length = getline (&line, &room, in)) >= 0)
    {
      while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
	line[--length] = '\0';
      if (length > 0 && line[0] != '#')
	ok = add_path (items, o, line, diag);
    }
  if (ferror (in))
    {
      tb_error (diag, "%s: cannot read the list of inputs: %s", file,
		strerror (errno));
      ok = false;
    }
  free (line);
  if (!standard)
    fclose (in);
  return ok;
}

static int
item_order (const void *x, const void *y)
{
  const struct item *a = x, *b = y;
  int order = strcmp (a->base, b->base);
  return order != 0 ? order : strcmp (a->input, b->input);
}

/* Are A and B one place?  */
static bool
same_place (const char *a, const char *b)
{
  struct stat at, bt;
  return stat (a, &at) == 0 && stat (b, &bt) == 0 && at.st_ino == bt.st_ino
	 && at.st_dev == bt.st_dev;
}

static void
free_passed (struct passed *passed)
{
  free (passed->input);
  free (passed->name);
  free (passed->why);
}

static int
passed_order (const void *x, const void *y)
{
  const struct passed *a = x, *b = y;
  return strcmp (a->input, b->input);
}

/* Each once, those of the shard, and a warning of each of the first.  */
static void
choose_passed (struct items *items, const struct options *o, struct tb_diag *diag)
{
  size_t kept = 0, number = 0;
  if (items->npassed > 0)
    qsort (items->passed, items->npassed, sizeof *items->passed, passed_order);
  for (size_t i = 0; i < items->npassed; i++)
    if ((i + 1 == items->npassed
	 || strcmp (items->passed[i].input, items->passed[i + 1].input) != 0)
	&& number++ % o->batch.shards == o->batch.shard - 1)
      items->passed[kept++] = items->passed[i];
    else
      free_passed (&items->passed[i]);
  items->npassed = kept;
  for (size_t i = 0; i < kept && i < PASSED_NAMED; i++)
    tb_warning (diag, "passed over: %s", items->passed[i].why);
  if (kept > PASSED_NAMED)
    tb_warning (diag, "passed over: %zu more file%s called like logs",
		kept - PASSED_NAMED, kept - PASSED_NAMED == 1 ? "" : "s");
}

static void
free_item (struct item *item)
{
  free (item->input);
  free (item->name);
  free (item->base);
}

/* Each base once, and only those of the shard.  */
static bool
choose (struct items *items, const struct options *o, struct tb_diag *diag)
{
  size_t kept = 0;
  bool ok = true;
  if (items->count > 0)
    qsort (items->list, items->count, sizeof *items->list, item_order);
  for (size_t i = 0; i < items->count; i++)
    {
      const struct item *next = i + 1 < items->count ? &items->list[i + 1]
						      : NULL;
      if (next != NULL && strcmp (next->base, items->list[i].base) == 0
	  && strcmp (next->input, items->list[i].input) != 0
	  && !same_place (next->input, items->list[i].input))
	{
	  tb_error (diag, "%s and %s would both become %s; name them apart with "
		    "--name, or convert them into two folders",
		    items->list[i].input, next->input, next->base);
	  ok = false;
	}
    }
  size_t number = 0;
  for (size_t i = 0; i < items->count; i++)
    {
      struct item *item = &items->list[i];
      bool again = i + 1 < items->count
		   && strcmp (items->list[i + 1].base, item->base) == 0;
      if (!again && number++ % o->batch.shards == o->batch.shard - 1)
	items->list[kept++] = *item;
      else
	free_item (item);
    }
  items->count = kept;
  return ok;
}

bool
items_find (struct items *items, const struct options *o,
	    struct tb_diag *diag)
{
  bool ok = true;
  for (int i = 0; i < o->ninputs && ok; i++)
    ok = add_path (items, o, o->inputs[i], diag);
  for (size_t i = 0; i < o->batch.nlists && ok; i++)
    ok = add_list (items, o, o->batch.lists[i], diag);
  ok = ok && choose (items, o, diag);
  if (ok)
    choose_passed (items, o, diag);
  return ok;
}

void
items_fini (struct items *items)
{
  for (size_t i = 0; i < items->count; i++)
    free_item (&items->list[i]);
  free (items->list);
  for (size_t i = 0; i < items->npassed; i++)
    free_passed (&items->passed[i]);
  free (items->passed);
  *items = (struct items) { 0 };
}
