/* The lines of a Tarmac log.  See tarmac-lines.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac-lines.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* What is read at once; no line that means anything is longer.  Its lines are to fit
   into a processor's cache.  */
#define CHUNK (64 * 1024)

/* Batches under way.  */
#define BATCHES 8

struct lines
{
  struct tb_unpack *unpack;
  uint64_t offset;		/* Of what comes next.  */
  uint64_t lines;		/* How many lines were before it.  */
  bool skipping;		/* The rest of a line that is too long.  */
  struct tb_tarmac_batch batches[BATCHES];
  /* Of two threads.  FILLED and TAKEN count batches; STOP: no more are wanted.  */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t filled, taken;
  bool stop;
};

/* Parse the line from TEXT to END, of NUMBER, into B.  False: no memory.  */
static bool
add_item (struct tb_tarmac_batch *b, const char *text, const char *end,
	  uint64_t number)
{
  uint8_t wide[TB_TARMAC_VALUE];
  void *items = b->items;
  if (!tb_grow (&items, &b->room, b->count, 1, sizeof *b->items))
    return false;
  b->items = items;
  struct tb_tarmac_item *item = &b->items[b->count++];
  item->text = text;
  item->end = end;
  item->number = number;
  tb_tarmac_parse (&item->line, text, end, wide);
  if (item->line.kind == TB_TARMAC_BLANK)
    {
      b->count--;
      b->blanks++;
      b->blank_bytes += (uint64_t) (end - text) + 1;
      return true;
    }
  item->line.wide = NULL;
  if (item->line.bytes <= 8)
    return true;
  /* As they may move, they are found when all are there.  */
  void *values = b->wide;
  bool ok = tb_grow (&values, &b->wide_room, b->nwide, TB_TARMAC_VALUE, 1);
  b->wide = values;
  if (ok)
    {
      memcpy (b->wide + b->nwide, wide, TB_TARMAC_VALUE);
      b->nwide += TB_TARMAC_VALUE;
    }
  return ok;
}

/* Count the empty lines at TEXT, up to STOP; returns the beginning of the first other one.
   A compressed log may have very many.  */
static inline const char *
pass_empty_lines (struct lines *l, struct tb_tarmac_batch *b, const char *text,
		  const char *stop)
{
  const char *start = text;
  while (text < stop && *text == '\n')
    text++;
  l->lines += (uint64_t) (text - start);
  b->blanks += (uint64_t) (text - start);
  b->blank_bytes += (uint64_t) (text - start);
  return text;
}

/* Fill B with what comes after BEFORE, the batch before it (NULL: none).  */
static void
fill (struct lines *l, struct tb_tarmac_batch *b,
      const struct tb_tarmac_batch *before)
{
  const char *from = before != NULL ? before->text + (before->size
						      - before->kept) : NULL;
  b->count = b->nwide = 0;
  b->overlong = b->blanks = b->blank_bytes = 0;
  b->offset = l->offset;
  b->size = before != NULL ? before->kept : 0;
  if (b->text == NULL)
    b->text = malloc (CHUNK + 1);
  if (b->text == NULL)
    {
      b->status = TB_ERR_MEMORY;
      return;
    }
  if (b->size > 0)
    memmove (b->text, from, b->size);
  size_t got = 1;
  while (b->size < CHUNK && got > 0 && b->status == TB_OK)
    {
      b->status = tb_unpack_read (l->unpack, b->text + b->size,
				  CHUNK - b->size, &got);
      b->size += got;
    }
  b->last = b->status != TB_OK || got == 0;
  /* The last line may lack its newline.  */
  if (b->last && b->size > 0 && b->text[b->size - 1] != '\n')
    b->text[b->size++] = '\n';
  size_t at = 0;
  const char *end, *stop = b->text + b->size;
  while (b->status == TB_OK)
    {
      if (!l->skipping)
	at = (size_t) (pass_empty_lines (l, b, b->text + at, stop) - b->text);
      end = memchr (b->text + at, '\n', b->size - at);
      if (end == NULL)
	break;
      if (!l->skipping && !add_item (b, b->text + at, end, ++l->lines))
	b->status = TB_ERR_MEMORY;
      l->skipping = false;
      at = (size_t) (end - b->text) + 1;
    }
  if (at == 0 && b->size == CHUNK)
    {
      b->overlong += !l->skipping;
      l->lines += !l->skipping;
      l->skipping = true;
      at = b->size;
    }
  b->lines = l->lines;
  b->kept = b->size - at;
  l->offset += at;
  b->end = l->offset;
  for (size_t i = 0, w = 0; i < b->count; i++)
    if (b->items[i].line.bytes > 8)
      {
	b->items[i].line.wide = b->wide + w;
	w += TB_TARMAC_VALUE;
      }
}

/* The second thread: fill one batch after the other.  */
static void *
fill_all (void *argument)
{
  struct lines *l = argument;
  struct tb_tarmac_batch *before = NULL;
  for (uint64_t n = 0;; n++)
    {
      struct tb_tarmac_batch *b = &l->batches[n % BATCHES];
      pthread_mutex_lock (&l->lock);
      /* The one before is still looked at here, so it must not be reused.  */
      while (n - l->taken >= BATCHES - 1 && !l->stop)
	pthread_cond_wait (&l->changed, &l->lock);
      bool stop = l->stop;
      pthread_mutex_unlock (&l->lock);
      if (stop)
	return NULL;
      fill (l, b, before);
      before = b;
      bool last = b->last || b->status != TB_OK;
      pthread_mutex_lock (&l->lock);
      l->filled++;
      pthread_cond_signal (&l->changed);
      pthread_mutex_unlock (&l->lock);
      if (last)
	return NULL;
    }
}

/* Take one after the other, while another thread fills.  */
static enum tb_status
take_all (struct lines *l,
	  enum tb_status (*take) (void *context,
				  struct tb_tarmac_batch *batch),
	  void *context)
{
  enum tb_status status = TB_OK;
  bool last = false;
  for (uint64_t n = 0; !last && status == TB_OK; n++)
    {
      struct tb_tarmac_batch *b = &l->batches[n % BATCHES];
      pthread_mutex_lock (&l->lock);
      while (l->filled == n)
	pthread_cond_wait (&l->changed, &l->lock);
      pthread_mutex_unlock (&l->lock);
      last = b->last;
      status = b->status != TB_OK ? b->status : take (context, b);
      pthread_mutex_lock (&l->lock);
      l->taken++;
      l->stop = status != TB_OK;
      pthread_cond_signal (&l->changed);
      pthread_mutex_unlock (&l->lock);
    }
  return status;
}

enum tb_status
tb_tarmac_lines (struct tb_unpack *unpack, unsigned jobs,
		 enum tb_status (*take) (void *context,
					 struct tb_tarmac_batch *batch),
		 void *context)
{
  pthread_t thread;
  struct lines *l = calloc (1, sizeof *l);
  enum tb_status status = TB_OK;
  if (l == NULL)
    return TB_ERR_MEMORY;
  l->unpack = unpack;
  pthread_mutex_init (&l->lock, NULL);
  pthread_cond_init (&l->changed, NULL);
  if (jobs > 1 && pthread_create (&thread, NULL, fill_all, l) == 0)
    {
      status = take_all (l, take, context);
      pthread_join (thread, NULL);
    }
  else
    {
      /* What is kept of a batch moves within it.  */
      struct tb_tarmac_batch *b = &l->batches[0];
      for (bool first = true; status == TB_OK && !b->last; first = false)
	{
	  fill (l, b, first ? NULL : b);
	  status = b->status != TB_OK ? b->status : take (context, b);
	}
    }
  for (unsigned i = 0; i < BATCHES; i++)
    {
      free (l->batches[i].items);
      free (l->batches[i].text);
      free (l->batches[i].wide);
    }
  pthread_cond_destroy (&l->changed);
  pthread_mutex_destroy (&l->lock);
  free (l);
  return status;
}
