/* The index file of a log.  See log-index.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The form: a head, then the scalars and texts of the log one after the other, then the
   columns.  One walk over a log writes, hashes or reads it.  */

#include "config.h"
#include "recording/log-index.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recording/index-store.h"
#include "util/buffer.h"
#include "util/outfile.h"
#include "util/readall.h"

/* Columns begin at multiples of this.  */
#define ALIGN 64

/* A log that was changed within so many seconds before its index was made may have been
   changed again without its times telling.  */
#define SETTLED 1

struct head
{
  char magic[8];
  uint32_t version, order;
  uint64_t scalars;		/* Bytes.  */
  uint64_t length;		/* Of the file.  */
  struct tb_mac_value tag;	/* Of this, as if it were zero, and the scalars.  */
  struct tb_mac_value columns;	/* Tag of the columns, one after the other.  */
  struct tb_mac_value content;
  uint64_t device, number, size;
  int64_t changed[2], modified[2];
  uint64_t settled;
};

static const char magic[8] = "TBLOGIX\n";
static const uint8_t zeros[ALIGN];

bool
tb_log_index_open (struct tb_log_index *x, const char *path,
		   const struct tb_index_options *options,
		   struct tb_diag *diag)
{
  uint8_t secret[TB_MAC_SECRET];
  struct stat st;
  if (options == NULL || options->cache == NULL || stat (path, &st) != 0
      || (uint64_t) st.st_size < options->least)
    return false;
  if (tb_index_secret (options->cache, secret, diag) != TB_OK)
    return false;
  *x = (struct tb_log_index) {
    .device = st.st_dev, .number = st.st_ino, .size = (uint64_t) st.st_size,
    .changed = { st.st_ctim.tv_sec, st.st_ctim.tv_nsec },
    .modified = { st.st_mtim.tv_sec, st.st_mtim.tv_nsec },
    .settled = st.st_ctim.tv_sec + SETTLED < time (NULL)
  };
  tb_mac_key_init (&x->key, secret);
  int n;
  if (options->beside)
    n = snprintf (x->path, sizeof x->path, "%s.tbindex", path);
  else if (options->file != NULL)
    n = snprintf (x->path, sizeof x->path, "%s", options->file);
  else
    {
      struct tb_mac mac;
      char *real = realpath (path, NULL);
      tb_mac_start (&mac, &x->key);
      tb_mac_text (&mac, real != NULL ? real : path);
      struct tb_mac_value name = tb_mac_end (&mac);
      free (real);
      n = snprintf (x->path, sizeof x->path, "%s/%016" PRIx64 "%016" PRIx64
		    ".tblog", options->cache, name.word[0], name.word[1]);
    }
  if (n < 0 || (size_t) n >= sizeof x->path)
    {
      tb_warning (diag, "the index file's name is too long; no index is used");
      return false;
    }
  return true;
}

/* The key of the first SIZE bytes of PATH.  */
static bool
read_content (struct tb_log_index *x, const char *path)
{
  enum { CHUNK = 1 << 20 };
  uint8_t *chunk = malloc (CHUNK);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct tb_mac mac;
  uint64_t left = x->size;
  bool ok = chunk != NULL && fd >= 0;
  tb_mac_start (&mac, &x->key);
  while (ok && left > 0)
    {
      size_t want = left < CHUNK ? (size_t) left : CHUNK;
      ok = tb_read_all (fd, chunk, want) == (ssize_t) want;
      if (ok)
	tb_mac_bytes (&mac, chunk, want);
      left -= want;
    }
  x->content = tb_mac_end (&mac);
  x->has_content = ok;
  if (fd >= 0)
    close (fd);
  free (chunk);
  return ok;
}

/* A walk over a log: LOADING reads it, else it is told of.  */
struct index_walk
{
  bool loading, failed;
  struct tb_buffer scalars;	/* Not LOADING: made.  */
  const uint8_t *at, *end;	/* LOADING: the scalars.  */
  const uint8_t *file;		/* LOADING: all of it, ...  */
  uint64_t offset, length;	/* ... the next column in it, its length.  */
  struct tb_mac *mac;		/* Of the columns; NULL: they go to OUT.  */
  struct tb_outfile *out;
};

static void
walk_bytes (struct index_walk *w, void *bytes, size_t size)
{
  if (!w->loading)
    tb_buffer_append (&w->scalars, bytes, size);
  else if ((size_t) (w->end - w->at) < size)
    w->failed = true;
  else if (!w->failed)
    {
      memcpy (bytes, w->at, size);
      w->at += size;
    }
}

/* A number of elements of which each takes a byte at least.  */
static void
walk_count (struct index_walk *w, size_t *count)
{
  uint64_t n = *count;
  walk_bytes (w, &n, sizeof n);
  if (w->loading && (w->failed || n > (uint64_t) (w->end - w->at)))
    {
      w->failed = true;
      n = 0;
    }
  *count = (size_t) n;
}

/* TEXT may be NULL.  */
static void
walk_text (struct index_walk *w, char **text)
{
  size_t length = *text != NULL ? strlen (*text) + 1 : 0;
  walk_count (w, &length);
  if (w->loading && length > 0)
    {
      *text = malloc (length);
      w->failed |= *text == NULL;
    }
  if (length > 0 && !w->failed)
    {
      walk_bytes (w, *text, length);
      (*text)[length - 1] = 0;
    }
}

static void
walk_column (struct index_walk *w, struct tb_column *column)
{
  uint64_t size = column->size;
  walk_bytes (w, &size, sizeof size);
  if (!w->loading && w->mac != NULL)
    {
      tb_mac_bytes (w->mac, column->data, column->size);
      w->length += (size + ALIGN - 1) / ALIGN * ALIGN;
    }
  else if (!w->loading && size > 0 && !w->failed)
    w->failed = tb_outfile_write (w->out, column->data, column->size) != TB_OK
		|| tb_outfile_write (w->out, zeros, -size % ALIGN) != TB_OK;
  if (!w->loading)
    return;
  if (w->failed || size > w->length - w->offset)
    {
      w->failed = true;
      return;
    }
  *column = (struct tb_column) { .data = (uint8_t *) w->file + w->offset,
				 .size = (size_t) size,
				 .capacity = (size_t) size, .borrowed = true };
  tb_mac_bytes (w->mac, column->data, column->size);
  uint64_t padded = (size + ALIGN - 1) / ALIGN * ALIGN;
  w->offset += padded < w->length - w->offset ? padded
					      : w->length - w->offset;
}

/* An array of *COUNT elements of SIZE; LOADING makes it, of zeros.  */
static void
walk_array (struct index_walk *w, void **items, size_t *count, size_t size)
{
  walk_count (w, count);
  if (w->loading)
    {
      *items = calloc (*count + 1, size);
      if (*items == NULL)
	{
	  w->failed = true;
	  *count = 0;
	}
    }
}

static void
walk_register (struct index_walk *w, struct tb_facts_register *r)
{
  size_t nlanes = r->nlanes;
  void *lanes = r->lanes;
  walk_text (w, &r->name);
  walk_array (w, &lanes, &nlanes, sizeof *r->lanes);
  r->lanes = lanes;
  r->nlanes = (unsigned) nlanes;
  for (size_t i = 0; i < nlanes; i++)
    {
      walk_column (w, &r->lanes[i].values.steps);
      walk_column (w, &r->lanes[i].values.values);
      walk_column (w, &r->lanes[i].masks.steps);
      walk_column (w, &r->lanes[i].masks.values);
    }
}

static void
walk_facts (struct index_walk *w, struct tb_columns *f)
{
  void *registers = f->registers, *modes = f->modes;
  walk_text (w, &f->name);
  walk_text (w, &f->unit);
  walk_text (w, &f->type);
  walk_bytes (w, &f->is_m, sizeof f->is_m);
  walk_bytes (w, &f->has_a64, sizeof f->has_a64);
  walk_bytes (w, &f->own, sizeof f->own);
  walk_bytes (w, &f->steps, sizeof f->steps);
  walk_bytes (w, &f->totals, sizeof f->totals);
  walk_bytes (w, f->kinds, sizeof f->kinds);
  walk_bytes (w, &f->has_times, sizeof f->has_times);
  walk_bytes (w, &f->end_known, sizeof f->end_known);
  walk_bytes (w, &f->end_pc, sizeof f->end_pc);
  struct tb_column *const columns[] = {
    &f->codes, &f->run_steps, &f->run_codes, &f->times, &f->time_bytes,
    &f->lines, &f->blocks, &f->changes, &f->accesses, &f->access_marks,
    &f->late_accesses, &f->others, &f->events, &f->undone
  };
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    walk_column (w, columns[i]);
  walk_array (w, &registers, &f->nregisters, sizeof *f->registers);
  f->registers = registers;
  for (size_t i = 0; i < f->nregisters; i++)
    walk_register (w, &f->registers[i]);
  walk_array (w, &modes, &f->nmodes, sizeof *f->modes);
  f->modes = modes;
  for (size_t i = 0; i < f->nmodes; i++)
    walk_text (w, &f->modes[i]);
}

static void
walk_log (struct index_walk *w, struct tb_tarmac_log *log)
{
  void *cores = log->cores;
  walk_bytes (w, &log->lines, sizeof log->lines);
  walk_bytes (w, &log->bytes, sizeof log->bytes);
  walk_bytes (w, log->kinds, sizeof log->kinds);
  walk_bytes (w, &log->damaged, sizeof log->damaged);
  walk_array (w, &cores, &log->ncores, sizeof *log->cores);
  log->cores = cores;
  for (size_t i = 0; i < log->ncores && !w->failed; i++)
    {
      if (w->loading)
	log->cores[i] = calloc (1, sizeof *log->cores[i]);
      if (log->cores[i] == NULL)
	w->failed = true;
      else
	walk_facts (w, log->cores[i]);
    }
}

/* The tag of HEAD and its scalars.  */
static struct tb_mac_value
tag_of (const struct tb_log_index *x, struct head head, const void *scalars)
{
  struct tb_mac mac;
  head.tag = (struct tb_mac_value) { { 0, 0 } };
  tb_mac_start (&mac, &x->key);
  tb_mac_bytes (&mac, &head, sizeof head);
  tb_mac_bytes (&mac, scalars, head.scalars);
  return tb_mac_end (&mac);
}

/* Why the file MAP is no index of X's log; NULL: it is one.  */
static const char *
refuse (struct tb_log_index *x, const char *path, const struct tb_filemap *map)
{
  struct head head;
  if (map->size < sizeof head)
    return "it is too short";
  memcpy (&head, map->data, sizeof head);
  uint64_t from = (sizeof head + head.scalars + ALIGN - 1) / ALIGN * ALIGN;
  if (memcmp (head.magic, magic, sizeof magic) != 0
      || head.version != TB_LOG_INDEX_VERSION || head.order != 0x01020304)
    return "it is no index of this version";
  if (head.length != map->size || head.scalars > map->size
      || from > map->size)
    return "it is not whole";
  if (!tb_mac_equal (head.tag, tag_of (x, head, map->data + sizeof head)))
    return "it is damaged, or somebody else's";
  if (head.size != x->size)
    return "the log has another size";
  bool same = head.settled && head.device == x->device
	      && head.number == x->number
	      && memcmp (head.changed, x->changed, sizeof x->changed) == 0
	      && memcmp (head.modified, x->modified, sizeof x->modified) == 0;
  if (same)
    return NULL;
  if (!read_content (x, path) || !tb_mac_equal (x->content, head.content))
    return "the log has changed";
  return NULL;
}

bool
tb_log_index_load (struct tb_log_index *x, struct tb_tarmac_log *log,
		   struct tb_diag *diag)
{
  struct head head;
  struct tb_filemap map;
  if (access (x->path, F_OK) != 0
      || tb_filemap_open (&map, x->path, NULL) != TB_OK)
    return false;
  const char *why = refuse (x, log->path, &map);
  if (why == NULL)
    {
      struct tb_mac mac;
      memcpy (&head, map.data, sizeof head);
      struct index_walk w = { .loading = true, .at = map.data + sizeof head,
			.end = map.data + sizeof head + head.scalars,
			.file = map.data, .length = map.size, .mac = &mac };
      w.offset = (sizeof head + head.scalars + ALIGN - 1) / ALIGN * ALIGN;
      tb_mac_start (&mac, &x->key);
      struct tb_tarmac_log loaded = { .path = log->path };
      walk_log (&w, &loaded);
      if (!w.failed && tb_mac_equal (tb_mac_end (&mac), head.columns))
	{
	  *log = loaded;
	  log->index = map;
	  return true;
	}
      loaded.path = NULL;
      tb_tarmac_close (&loaded);
      why = w.failed ? "no memory" : "it is damaged";
    }
  tb_filemap_close (&map);
  tb_note (diag, "%s: not used: %s", x->path, why);
  return false;
}

static void
soften (void *context, enum tb_severity severity, const char *message)
{
  tb_report_as_is (context, severity == TB_ERROR ? TB_WARNING : severity, message);
}

void
tb_log_index_save (struct tb_log_index *x, const struct tb_tarmac_log *log,
		   struct tb_diag *diag)
{
  struct tb_diag softer = { .report = soften, .context = diag };
  struct tb_mac mac;
  struct index_walk w = { .mac = &mac };
  if (!x->has_content && !read_content (x, log->path))
    {
      tb_note (diag, "%s: changes while it is read; no index is kept",
	       log->path);
      return;
    }
  tb_mac_start (&mac, &x->key);
  walk_log (&w, (struct tb_tarmac_log *) log);
  struct head head = {
    .version = TB_LOG_INDEX_VERSION, .order = 0x01020304,
    .scalars = w.scalars.size, .columns = tb_mac_end (&mac),
    .content = x->content, .device = x->device, .number = x->number,
    .size = x->size, .changed = { x->changed[0], x->changed[1] },
    .modified = { x->modified[0], x->modified[1] }, .settled = x->settled
  };
  memcpy (head.magic, magic, sizeof magic);
  uint64_t end = sizeof head + head.scalars;
  head.length = end + -end % ALIGN + w.length;
  struct tb_outfile *out = NULL;
  if (w.scalars.failed)
    tb_warning (diag, "%s: no memory to write it", x->path);
  else
    {
      head.tag = tag_of (x, head, w.scalars.data);
      out = tb_outfile_open (x->path, &softer);
    }
  if (out != NULL)
    {
      struct index_walk again = { .out = out };
      again.failed
	= tb_outfile_write (out, &head, sizeof head) != TB_OK
	  || tb_outfile_write (out, w.scalars.data, w.scalars.size) != TB_OK
	  || tb_outfile_write (out, zeros, -end % ALIGN) != TB_OK;
      walk_log (&again, (struct tb_tarmac_log *) log);
      tb_buffer_fini (&again.scalars);
      if (again.failed)
	tb_outfile_abandon (out);
      else
	tb_outfile_finish (out);
    }
  tb_buffer_fini (&w.scalars);
}
