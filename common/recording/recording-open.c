/* Recordings: opening and closing.  See recording.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/recording-internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording/facts.h"
#include "recording/indexed.h"
#include "util/buffer.h"

struct tb_recording *
tb_recording_empty (const struct tb_profile *profile,
		    const struct tb_memmap *map)
{
  struct tb_recording *r = calloc (1, sizeof *r);
  if (r == NULL)
    return NULL;
  r->profile = profile;
  r->map = map;
  r->info.lead_in = UINT64_MAX;
  return r;
}

struct tb_recording *
tb_recording_open_facts (const struct tb_columns *facts,
			 const struct tb_profile *profile,
			 const struct tb_memmap *map)
{
  struct tb_recording *r = tb_recording_empty (profile, map);
  if (r == NULL)
    return NULL;
  r->facts = facts;
  tb_facts_info (facts, &r->info);
  tb_facts_stats (facts, &r->stats);
  return r;
}

void
tb_recording_close (struct tb_recording *r)
{
  if (r == NULL)
    return;
  tb_checkpoints_fini (&r->checkpoints);
  tb_id_index_fini (&r->ids);
  free (r->gather.ran.items);
  for (unsigned i = 0; i < WINDOWS; i++)
    tb_window_fini (&r->windows[i]);
  tb_decoder_close (r->decoder);
  free (r);
}

void
tb_recording_take_scan (struct tb_recording *r, struct tb_scan *scan)
{
  tb_checkpoints_fini (&r->checkpoints);
  r->info = scan->info;
  r->stats = scan->stats;
  r->checkpoints = scan->checkpoints;
  scan->checkpoints = (struct tb_checkpoints) { 0 };
  tb_id_index_fini (&r->ids);
  r->ids = scan->index;
  scan->index = (struct tb_id_index) { 0 };
  r->indexed = r->doubtful = false;
  for (unsigned i = 0; i < WINDOWS; i++)
    r->windows[i].valid = false;
}

struct tb_recording *
tb_recording_open (struct tb_decoder *decoder,
		   const struct tb_profile *profile,
		   const struct tb_memmap *map, struct tb_diag *diag)
{
  struct tb_recording *r = tb_recording_empty (profile, map);
  if (r == NULL)
    tb_decoder_close (decoder);
  else
    {
      struct tb_scan scan = { 0 };
      r->decoder = decoder;
      bool done = tb_scan_decoder (&scan, decoder);
      tb_recording_take_scan (r, &scan);
      if (done)
	return r;
      tb_recording_close (r);
    }
  tb_error (diag, "no memory for a recording");
  return NULL;
}

/* Take what INDEX has of the stream; false: it does not fit, as far as a few
   looks tell, or no memory.  */
static bool
take_index (struct tb_recording *r, const struct tb_index_stream *stream)
{
  enum { LOOKS = 8 };
  size_t n = stream->npoints;
  void *items = NULL;
  if (!tb_grow (&items, &r->checkpoints.capacity, 0, n,
		sizeof *r->checkpoints.items))
    return false;
  r->checkpoints.items = items;
  r->checkpoints.count = n;
  r->checkpoints.interval = TB_CHECKPOINT_ELEMENTS;
  memcpy (items, stream->points, n * sizeof *r->checkpoints.items);
  for (size_t i = 0; i < n; i++)
    r->checkpoints.items[i].ran.bytes = r->checkpoints.items[i].gaps.bytes = NULL;
  for (size_t i = 0; i < n; i++)
    if (!tb_packed_ran_copy (&r->checkpoints.items[i].ran, &stream->points[i].ran)
	|| !tb_packed_gaps_copy (&r->checkpoints.items[i].gaps, &stream->points[i].gaps))
      return false;
  r->checkpoints.items[0].saved = r->decoder->save (r->decoder);
  if (r->checkpoints.items[0].saved == NULL)
    return false;
  r->info = stream->info;
  r->stats = stream->stats;
  r->indexed = true;
  /* What blocks have in all is enough.  */
  r->ids = (struct tb_id_index) { .block_size = stream->ids.block_size };
  if (!tb_id_index_append (&r->ids, &stream->ids))
    return false;
  /* The last window, then some on the way to the first.  */
  for (size_t i = 0; i < LOOKS; i++)
    if (tb_recording_checked_window (r, (n - 1) / LOOKS * (LOOKS - 1 - i) + (n - 1) % LOOKS)
	== NULL)
      return false;
  return true;
}

/* How many elements there are between two places to decode from, where an index has blocks
   of so many bytes; 0: as many as usual.  */
static uint64_t
interval_of (uint64_t block)
{
  enum { LEAST = 64 };
  uint64_t interval = block < TB_ID_INDEX_BLOCK
		      ? block * TB_CHECKPOINT_ELEMENTS / TB_ID_INDEX_BLOCK
		      : TB_CHECKPOINT_ELEMENTS;
  return block == 0 ? 0 : interval < LEAST ? LEAST : interval;
}

void
tb_recording_check_end (const struct tb_recording *r, const struct tb_decoder_config *config,
			struct tb_diag *diag)
{
  const struct tb_device_reg *pc
    = config->core != NULL && !config->core->late ? tb_device_pc (config->core) : NULL;
  if (pc == NULL || r->info.steps == 0 || r->info.end_known
      || !tb_recording_reaches_halt (r, config->source))
    return;
  tb_warning (diag, "%s: expected trace up to the halt, at which the registers of the trace unit "
	      "say that it was on, found no way from its end to the PC of %s, %#" PRIx64
	      ": it is of another run, or its place or registers are not what was told",
	      config->source->name, config->core->name, pc->value);
}

struct tb_recording *
tb_recording_open_trace (const struct tb_decoder_config *config,
			 const struct tb_recording_options *options,
			 struct tb_diag *diag)
{
  static const struct tb_recording_options defaults;
  if (config->facts != NULL)
    {
      struct tb_recording *r = tb_recording_open_facts (config->facts,
							config->profile,
							config->map);
      if (r == NULL)
	tb_error (diag, "no memory for a recording");
      return r;
    }
  struct tb_decoder *decoder = tb_decoder_open (config, diag);
  if (decoder == NULL)
    return NULL;
  if (options == NULL)
    options = &defaults;
  bool can_seek = decoder->seek != NULL;
  struct tb_indexed indexed;
  bool use = can_seek
	     && tb_indexed_open (&indexed, config, options->index, diag);
  if (!can_seek && options->index != NULL && options->index->file != NULL)
    tb_warning (diag, "%s: no index is kept of the trace of %s: its protocol can only be "
		"read from the beginning on", options->index->file, config->source->name);
  if (!use && (!can_seek || options->jobs <= 1))
    {
      struct tb_recording *made
	= tb_recording_open (decoder, config->profile, config->map, diag);
      if (made != NULL)
	tb_recording_check_end (made, config, diag);
      return made;
    }

  struct tb_recording *r = tb_recording_empty (config->profile, config->map);
  enum tb_status status = r != NULL ? TB_OK : TB_ERR_MEMORY;
  if (r != NULL)
    {
      r->decoder = decoder;
      r->config = *config;
      r->jobs = options->jobs;
    }
  else
    {
      tb_error (diag, "no memory for a recording");
      tb_decoder_close (decoder);
    }
  const struct tb_index_stream *stream
    = use && r != NULL ? tb_indexed_stream (&indexed) : NULL;
  uint64_t block = use ? options->index->block : 0;
  if (stream != NULL && block != 0 && stream->ids.block_size != block)
    {
      tb_note (diag, "%s: the index has blocks of %" PRIu64 " bytes; it is made anew",
	       indexed.path, stream->ids.block_size);
      stream = NULL;
    }
  else if (stream != NULL && !take_index (r, stream))
    {
      tb_note (diag, "%s: the index does not fit the trace; it is made anew",
	       indexed.path);
      stream = NULL;
    }
  if (r != NULL && stream == NULL)
    {
      const struct tb_sections_options how = { .jobs = options->jobs,
					       .opened_before = true };
      struct tb_scan scan = { 0 };
      if (use)
	scan.index = (struct tb_id_index) {
	  .block_size = block != 0 ? block : TB_ID_INDEX_BLOCK };
      scan.checkpoints.interval = interval_of (block);
      status = tb_scan_trace (&scan, config, &how, diag);
      if (status == TB_OK && use)
	tb_indexed_keep (&indexed, config, &scan, options->jobs, diag);
      tb_recording_take_scan (r, &scan);
      tb_scan_fini (&scan);
    }
  if (use)
    tb_indexed_close (&indexed);
  if (status == TB_OK)
    {
      decoder->stats = r->stats;
      tb_recording_check_end (r, config, diag);
      return r;
    }
  tb_recording_close (r);
  return NULL;
}
