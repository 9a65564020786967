/* The index of a stream that is being opened.  See indexed.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/indexed.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_MOST 64

bool
tb_indexed_open (struct tb_indexed *x, const struct tb_decoder_config *config,
		 const struct tb_index_options *options, struct tb_diag *diag)
{
  uint8_t secret[TB_MAC_SECRET];
  const struct tb_trace_buffer *buffer = config->buffer;
  if (options == NULL || options->cache == NULL || buffer == NULL
      || buffer->size < options->least)
    return false;
  if (tb_index_secret (options->cache, secret, diag) != TB_OK)
    return false;
  *x = (struct tb_indexed) { .path = "" };
  tb_mac_key_init (&x->key, secret);
  struct tb_mac_value buffer_key = tb_index_buffer_key (buffer, &x->key);
  x->stream_key = tb_index_stream_key (config, &x->key);
  int n = options->file != NULL
	  ? snprintf (x->path, sizeof x->path, "%s", options->file)
	  : snprintf (x->path, sizeof x->path,
		      "%s/%016" PRIx64 "%016" PRIx64 ".tbindex",
		      options->cache, buffer_key.word[0], buffer_key.word[1]);
  if (n < 0 || (size_t) n >= sizeof x->path)
    {
      tb_warning (diag, "the index file's name is too long; no index is used");
      return false;
    }
  if (!tb_index_load (&x->index, x->path, buffer_key, &x->key, diag))
    x->index.key = buffer_key;
  return true;
}

void
tb_indexed_close (struct tb_indexed *x)
{
  tb_index_fini (&x->index);
}

const struct tb_index_stream *
tb_indexed_stream (const struct tb_indexed *x)
{
  return tb_index_find (&x->index, x->stream_key);
}

/* Does a decoder that is sent to C's synchronisation packet come into the state
   that was saved there?  */
static bool
is_reached (const struct tb_checkpoint *c, struct tb_decoder *decoder)
{
  struct tb_checkpoint bare = *c;
  bare.saved = NULL;
  if (!tb_checkpoint_reach (&bare, decoder))
    return false;
  void *saved = decoder->save (decoder);
  bool same = saved != NULL && decoder->same (saved, c->saved);
  free (saved);
  return same;
}

/* Checkpoints that a thread makes sure of: every STEP-th from FIRST on.  */
struct sure
{
  const struct tb_decoder_config *config;
  const struct tb_checkpoints *checkpoints;
  size_t first, step;
  bool *reached;		/* One a checkpoint.  */
  bool done;			/* False: no memory.  */
};

static void *
make_sure (void *argument)
{
  struct sure *sure = argument;
  const struct tb_checkpoints *checkpoints = sure->checkpoints;
  struct tb_decoder *decoder = tb_decoder_open (sure->config, NULL);
  sure->done = decoder != NULL;
  if (decoder != NULL && decoder->seek != NULL)
    for (size_t i = sure->first; i < checkpoints->count; i += sure->step)
      {
	const struct tb_checkpoint *c = &checkpoints->items[i];
	sure->reached[i] = c->has_sync && c->saved != NULL
			   && is_reached (c, decoder);
      }
  tb_decoder_close (decoder);
  return NULL;
}

/* The checkpoints that others can come to by themselves, by JOBS threads.
   False: no memory.  */
static bool
take_points (struct tb_index_stream *stream,
	     const struct tb_decoder_config *config,
	     const struct tb_checkpoints *checkpoints, unsigned jobs)
{
  struct sure sure[JOBS_MOST];
  pthread_t threads[JOBS_MOST];
  unsigned started = 1;
  bool *reached = calloc (checkpoints->count, sizeof *reached);
  stream->points = calloc (checkpoints->count, sizeof *stream->points);
  bool ok = reached != NULL && stream->points != NULL;
  jobs = jobs < 1 ? 1 : jobs > JOBS_MOST ? JOBS_MOST : jobs;
  for (unsigned i = 0; i < jobs; i++)
    sure[i] = (struct sure) { config, checkpoints, i, jobs, reached, false };
  while (ok && started < jobs
	 && pthread_create (&threads[started], NULL, make_sure,
			    &sure[started]) == 0)
    started++;
  if (ok)
    make_sure (&sure[0]);
  for (unsigned i = 1; i < started; i++)
    pthread_join (threads[i], NULL);
  for (unsigned i = 0; i < started; i++)
    ok = ok && sure[i].done;
  for (size_t i = 0; ok && i < checkpoints->count; i++)
    {
      const struct tb_checkpoint *c = &checkpoints->items[i];
      struct tb_checkpoint *point = &stream->points[stream->npoints];
      if (i > 0 && (!reached[i] || c->start.elements <= point[-1].start.elements))
	{
	  ok = tb_packed_ran_join (&point[-1].ran, &c->ran)
	       && tb_packed_gaps_join (&point[-1].gaps, &c->gaps,
				       c->start.step - point[-1].start.step);
	  continue;
	}
      stream->npoints++;
      *point = *c;
      point->saved = NULL;
      point->ran.bytes = NULL;
      point->gaps.bytes = NULL;
      assert (c->ran.bytes != NULL);	/* Who reads to make an index notes it.  */
      ok = tb_packed_ran_copy (&point->ran, &c->ran)
	   && tb_packed_gaps_copy (&point->gaps, &c->gaps);
    }
  free (reached);
  return ok;
}

void
tb_indexed_keep (struct tb_indexed *x, const struct tb_decoder_config *config,
		 const struct tb_scan *scan, unsigned jobs,
		 struct tb_diag *diag)
{
  struct tb_index_stream stream = { .key = x->stream_key, .info = scan->info,
				    .stats = scan->stats,
				    .ids = { .block_size = scan->index.block_size } };
  bool ok = take_points (&stream, config, &scan->checkpoints, jobs)
	    && tb_id_index_append (&stream.ids, &scan->index);
  if (ok && !x->index.has_source
      && config->buffer->format != TB_FORMAT_SOURCE_DATA)
    {
      tb_source_index_init (&x->index.source, config->buffer, 0);
      x->index.has_source = true;
      ok = tb_source_index_extend (&x->index.source, config->buffer,
				   config->buffer->size) == TB_OK;
    }
  if (ok && tb_index_put (&x->index, &stream))
    tb_index_save (&x->index, x->path, &x->key, diag);
  else
    {
      tb_index_stream_fini (&stream);
      tb_warning (diag, "%s: no memory to make it", x->path);
    }
}
