/* One pass over a trace.  See scan.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/scan.h"

#include <stdlib.h>

#include "util/buffer.h"

/* At this many checkpoints a part waits until all before it is finished.  */
#define PART_CHECKPOINTS 256

/* After this many intervals a checkpoint is made even without a synchronisation
   packet.  */
#define PATIENCE 2

/* What one section becomes.  A part that is not begun in turn counts as if one
   step had come before it.  */
struct part
{
  bool in_turn;
  struct tb_scan scan;
  struct tb_window_start at;
  struct tb_element last;	/* Of those that say where execution stands; ...  */
  bool has_last;		/* ... is there one?  */
  struct tb_element end;
  bool has_end;
  bool has_range;
  bool gap_at_first;		/* A gap is known of before the first range.  */
  size_t ncheckpoints_before;	/* Checkpoints before the first range.  */
  uint64_t since;		/* Elements since the last checkpoint.  */
  uint64_t interval;
  bool has_sync;
  struct tb_stream_place sync;	/* Of the newest synchronisation packet.  */
  struct tb_gather *gather;	/* What ran since the last checkpoint; NULL: nobody
				   wants to know.  */
  struct tb_packed_ran before;	/* What ran before the first one.  */
  struct tb_gaps_noted gaps;	/* Since the last checkpoint, ...  */
  uint64_t gaps_from;		/* ... which stands at this step; ...  */
  struct tb_packed_gaps gaps_before;	/* ... and before the first one.  */
};

/* The whole, as far as it has been finished.  */
struct whole
{
  struct tb_scan *scan;
  uint64_t interval;		/* Of checkpoints, at first.  */
  bool begun;
  struct tb_window_start at;
  struct tb_element last;
  uint64_t since;
  bool has_sync;
  struct tb_stream_place sync;
  struct tb_gaps_noted gaps;	/* Of the last part, without what was noted.  */
  bool no_memory;
};

void
tb_scan_fini (struct tb_scan *scan)
{
  tb_checkpoints_fini (&scan->checkpoints);
  tb_id_index_fini (&scan->index);
}

/* A part.  */

/* What ran up to here, and gaps, are those of the last checkpoint of PART.  */
static bool
end_piece (struct part *part)
{
  const struct tb_checkpoints *c = &part->scan.checkpoints;
  tb_gaps_end_piece (&part->gaps, c->count > 0 ? &c->items[c->count - 1].gaps
				  : &part->gaps_before);
  part->gaps_from = part->at.step;
  return part->gather == NULL
	 || tb_gather_pack (part->gather, true,
			    c->count > 0 ? &c->items[c->count - 1].ran
					 : &part->before);
}

static bool
take_checkpoint (struct part *part, struct tb_decoder *decoder)
{
  if (!end_piece (part))
    return false;
  part->gaps.open = false;	/* Windows begin anew, too.  */
  struct tb_checkpoint c = { .start = part->at,
			     .saved = decoder->save (decoder) };
  if (decoder->at_sync && part->has_sync)
    {
      struct tb_stream_place place;
      c.has_sync = true;
      c.sync = part->sync;
      c.index = decoder->tell (decoder, &place);
    }
  part->since = 0;
  part->ncheckpoints_before += !part->has_range;
  return c.saved != NULL
	 && tb_checkpoints_add (&part->scan.checkpoints, &c);
}

static void
drop (void *section)
{
  struct part *part = section;
  tb_scan_fini (&part->scan);
  if (part->gather != NULL)
    free (part->gather->ran.items);
  free (part->gather);
  free (part->before.bytes);
  free (part->gaps.packed.bytes);
  free (part->gaps_before.bytes);
  free (part);
}

static void *
begin (void *context, bool in_turn, struct tb_decoder *decoder)
{
  struct whole *whole = context;
  struct part *part = calloc (1, sizeof *part);
  if (part == NULL)
    return NULL;
  part->in_turn = in_turn;
  part->interval = whole->interval;
  part->scan.checkpoints.interval = whole->interval;
  part->scan.info.lead_in = UINT64_MAX;
  part->scan.index.block_size = whole->scan->index.block_size;
  bool first = false, gathers = part->scan.index.block_size != 0;
  if (in_turn)
    {
      part->at = whole->at;
      part->since = whole->since;
      part->has_sync = whole->has_sync;
      part->sync = whole->sync;
      part->gaps = whole->gaps;
      part->interval = whole->scan->checkpoints.interval;
      first = !whole->begun;
      whole->begun = true;
    }
  else
    {
      part->at.step = 1;
      part->has_sync = true;
      part->sync = decoder->sync;
    }
  part->gaps_from = part->at.step;
  if (gathers)
    part->gather = calloc (1, sizeof *part->gather);
  if ((gathers && part->gather == NULL) || (first && !take_checkpoint (part, decoder)))
    {
      drop (part);
      return NULL;
    }
  return part;
}

/* Count E.  True: it says where execution stands.  */
static bool
count_element (struct part *part, const struct tb_element *e)
{
  struct tb_recording_info *info = &part->scan.info;
  switch (e->kind)
    {
    case TB_ELEMENT_RANGE:
      info->ranges += tb_element_lines (e);
      info->gaps += part->at.gap_before;
      if (!part->has_range)
	part->gap_at_first = part->at.gap_before;
      part->has_range = true;
      break;
    case TB_ELEMENT_EXCEPTION:
      info->exceptions += !(e->flags & TB_EXCEPTION_HALT);
      break;
    case TB_ELEMENT_TRACE_ON:
      if (part->at.step == 0 && (e->flags & TB_TRACE_ON_SOURCE))
	info->lead_in = e->u.address;
      break;
    case TB_ELEMENT_NO_SYNC:
    case TB_ELEMENT_NO_CODE:
    case TB_ELEMENT_Q:
    case TB_ELEMENT_EXCEPTION_RETURN:
      break;
    case TB_ELEMENT_END:
      part->end = *e;
      part->has_end = true;
      return false;
    default:
      return false;
    }
  return true;
}

/* Range E ran.  False: no memory.  */
static inline bool
gather (struct tb_gather *g, const struct tb_element *e)
{
  uint64_t start = e->u.range.start, end = e->u.range.end;
  return start == end || tb_gather_knows (g, e->space, start, end)
	 || tb_ran_append (&g->ran, start, end - 1);
}

static enum tb_section_answer
take (void *section, struct tb_decoder *decoder,
      const struct tb_element *elements, size_t count)
{
  struct part *part = section;
  struct tb_id_index *index = &part->scan.index;
  const struct tb_element *last = NULL;
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_element *e = &elements[i];
      if (count_element (part, e))
	last = e;
      tb_window_advance (&part->at, e);
      if (index->block_size != 0
	  && !(e->kind == TB_ELEMENT_RANGE ? gather (part->gather, e)
	       : tb_id_index_note (index, e)))
	return TB_SECTION_FAILED;
      if (e->kind != TB_ELEMENT_RANGE
	  && !tb_gaps_note (&part->gaps, e, part->at.step, part->gaps_from))
	return TB_SECTION_FAILED;
    }
  if (last != NULL)
    {
      part->last = *last;
      part->has_last = true;
    }
  part->since += count;

  /* Those of other places are of no use to an index: that it is to be finer makes no
     more of them.  */
  uint64_t usual = part->interval > TB_CHECKPOINT_ELEMENTS
		   ? part->interval : TB_CHECKPOINT_ELEMENTS;
  bool checkpoint = part->since >= PATIENCE * usual;
  if (decoder->seek == NULL || decoder->at_sync)
    checkpoint |= part->since >= part->interval;
  if (checkpoint && !take_checkpoint (part, decoder))
    return TB_SECTION_FAILED;
  if (decoder->at_sync)
    {
      struct tb_stream_place place;
      part->has_sync = true;
      part->sync = decoder->sync;
      if (index->block_size != 0
	  && !tb_id_index_note_sync (index, decoder->tell (decoder, &place)))
	return TB_SECTION_FAILED;
    }
  return part->scan.checkpoints.count >= PART_CHECKPOINTS
	 ? TB_SECTION_FULL : TB_SECTION_MORE;
}

/* The whole.  */

static bool
fits (void *context, const void *section)
{
  const struct whole *whole = context;
  const struct part *part = section;
  return part->in_turn || whole->at.step > 0;
}

/* Where the trace stops: after the last range, unless the END element says.  */
static void
note_end (struct tb_recording_info *info, struct tb_follow *follow,
	  const struct tb_element *last, const struct tb_element *end)
{
  if (end->flags & TB_END_ADDRESS)
    {
      info->end_known = true;
      info->end_pc = end->u.address;
    }
  else if (last->kind == TB_ELEMENT_EXCEPTION
	   && (last->flags & TB_EXCEPTION_HALT)
	   && !(last->flags & TB_EXCEPTION_NO_RETURN))
    {
      info->end_known = true;
      info->end_pc = last->u.exception.return_address;
    }
  else if (last->kind == TB_ELEMENT_RANGE)
    {
      bool branch = last->last_kind == TB_FLOW_BRANCH
		    || last->last_kind == TB_FLOW_INDIRECT;
      if (!branch || !(last->flags & TB_RANGE_EXECUTED))
	{
	  info->end_known = true;
	  info->end_pc = last->u.range.end;
	}
      else if (last->last_kind == TB_FLOW_BRANCH)
	{
	  const struct tb_block *block
	    = tb_follow_block (follow, last->space, last->isa,
			       last->u.range.end - last->last_size);
	  if (block != NULL && block->count == 1
	      && block->kind == TB_FLOW_BRANCH)
	    {
	      info->end_known = true;
	      info->end_pc = block->target;
	    }
	}
    }
}

/* PART's place AT, which was counted from a start of one step, is counted from
   BASE.  FIRST: no range stands between the two.  */
static void
shift (struct tb_window_start *at, const struct tb_window_start *base,
       bool first)
{
  at->elements += base->elements;
  at->step += base->step - 1;
  at->cycles += base->cycles;
  at->has_cycles |= base->has_cycles;
  if (!at->has_timestamp)
    {
      at->timestamp = base->timestamp;
      at->has_timestamp = base->has_timestamp;
    }
  if (!at->has_context)
    {
      at->has_context = base->has_context;
      at->context_flags = base->context_flags;
      at->context_id = base->context_id;
      at->context_vmid = base->context_vmid;
      at->context_el = base->context_el;
      at->context_security = base->context_security;
    }
  if (first)
    {
      at->gap_before |= base->gap_before;
      at->events_before |= base->events_before;
    }
}

static enum tb_status
finish (void *context, void *section, struct tb_decoder *decoder)
{
  struct whole *whole = context;
  struct part *part = section;
  struct tb_scan *to = whole->scan, *from = &part->scan;
  bool ok = end_piece (part);
  if (ok && part->gather != NULL && to->checkpoints.count > 0)
    ok = tb_packed_ran_join (&to->checkpoints.items[to->checkpoints.count - 1].ran,
			     &part->before);
  if (ok && to->checkpoints.count > 0)
    {
      struct tb_checkpoint *last = &to->checkpoints.items[to->checkpoints.count - 1];
      ok = tb_packed_gaps_join (&last->gaps, &part->gaps_before,
				whole->at.step - last->start.step);
    }
  if (!part->in_turn && whole->at.gap_before && part->has_range
      && !part->gap_at_first)
    from->info.gaps++;
  for (size_t i = 0; i < from->checkpoints.count; i++)
    {
      struct tb_checkpoint *c = &from->checkpoints.items[i];
      if (!part->in_turn)
	shift (&c->start, &whole->at, i < part->ncheckpoints_before);
      if (!ok)
	break;
      ok = tb_checkpoints_add (&to->checkpoints, c);
      c->saved = NULL;
      c->ran.bytes = NULL;
      c->gaps = (struct tb_packed_gaps) { NULL, 0 };
    }
  part->gaps.open &= part->gaps.step == part->at.step;
  if (!part->in_turn)
    shift (&part->at, &whole->at, !part->has_range);
  whole->at = part->at;
  whole->since = part->since;
  whole->has_sync = part->has_sync;
  whole->sync = part->sync;
  whole->gaps = part->gaps;
  whole->gaps.step = whole->at.step;
  if (part->has_last)
    whole->last = part->last;

  to->info.steps = part->at.step;
  to->info.ranges += from->info.ranges;
  to->info.exceptions += from->info.exceptions;
  to->info.gaps += from->info.gaps;
  if (from->info.lead_in != UINT64_MAX)
    to->info.lead_in = from->info.lead_in;
  if (part->has_end)
    note_end (&to->info, decoder->follow, &whole->last, &part->end);
  if (to->index.block_size != 0)
    ok = ok && tb_id_index_append (&to->index, &from->index);
  drop (part);
  whole->no_memory = !ok;
  return ok ? TB_OK : TB_ERR_MEMORY;
}

static void
start_whole (struct whole *whole, struct tb_scan *scan)
{
  *whole = (struct whole) { .scan = scan,
			    .last = { .kind = TB_ELEMENT_NO_SYNC } };
  scan->info = (struct tb_recording_info) { .lead_in = UINT64_MAX };
  if (scan->checkpoints.interval == 0)
    scan->checkpoints.interval = TB_CHECKPOINT_ELEMENTS;
  whole->interval = scan->checkpoints.interval;
}

enum tb_status
tb_scan_trace (struct tb_scan *scan, const struct tb_decoder_config *config,
	       const struct tb_sections_options *options,
	       struct tb_diag *diag)
{
  struct whole whole;
  start_whole (&whole, scan);
  const struct tb_section_consumer consumer = {
    .context = &whole, .begin = begin, .take = take, .fits = fits,
    .finish = finish, .drop = drop
  };
  enum tb_status status = tb_sections_decode (config, options, &consumer,
					      &scan->stats, diag);
  if (whole.no_memory)
    tb_error (diag, "no memory for a recording of %s", config->source->name);
  return status;
}

bool
tb_scan_decoder (struct tb_scan *scan, struct tb_decoder *decoder)
{
  enum { BATCH = 512 };
  struct tb_element elements[BATCH];
  struct whole whole;
  start_whole (&whole, scan);
  decoder->stop_at_sync = decoder->seek != NULL;
  void *part = begin (&whole, true, decoder);
  while (part != NULL)
    {
      size_t n = decoder->read (decoder, elements, BATCH);
      if (n == 0 && !decoder->at_sync)
	break;
      enum tb_section_answer answer
	= tb_decoder_no_memory (decoder) ? TB_SECTION_FAILED
	  : take (part, decoder, elements, n);
      if (answer == TB_SECTION_FAILED)
	{
	  drop (part);
	  part = NULL;
	}
      else if (answer == TB_SECTION_FULL)
	part = finish (&whole, part, decoder) == TB_OK
	       ? begin (&whole, true, decoder) : NULL;
    }
  decoder->stop_at_sync = false;
  scan->stats = decoder->stats;
  return part != NULL && finish (&whole, part, decoder) == TB_OK;
}
