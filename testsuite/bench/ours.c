/* Our side of the benchmark.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "decode/etmv4/packet.h"

/* One stream of the input, opened as far as the stage asks.  */
struct lane
{
  struct tb_decoder *decoder;	/* BENCH_ELEMENTS  */
  void *start;			/* Its state before the first element.  */
  struct tb_stream *stream;	/* The other two.  */
  struct tb_stream_place place;
  struct tb_etmv4_table table;	/* BENCH_PACKETS  */
};

struct ours
{
  enum bench_stage stage;
  struct tb_follow_share *share;	/* All lanes are read by one thread.  */
  size_t nlanes;
  struct lane lanes[];
};

static void
ours_close (void *decoder)
{
  struct ours *o = decoder;

  for (size_t i = 0; i < o->nlanes; i++)
    {
      struct lane *lane = &o->lanes[i];
      free (lane->start);
      if (lane->decoder != NULL)
	tb_decoder_close (lane->decoder);
      if (lane->stream != NULL)
	tb_stream_close (lane->stream);
    }
  tb_follow_share_free (o->share);
  free (o);
}

static bool
open_lane (struct lane *lane, const struct bench_input *input,
	   const struct tb_session_stream *stream, const struct ours *o)
{
  enum bench_stage stage = o->stage;
  bool framed = input->buffer->format != TB_FORMAT_SOURCE_DATA;

  if (stage == BENCH_ELEMENTS)
    {
      if (stream->protocol == NULL)
	return false;
      struct tb_decoder_config config;
      tb_session_decoder_config (stream, &config);
      config.share = o->share;
      lane->decoder = tb_decoder_open (&config, NULL);
      return lane->decoder != NULL;
    }
  if (stage == BENCH_PACKETS)
    {
      struct tb_etmv4_config config;
      if (stream->protocol != &tb_protocol_etmv4)
	return false;
      struct tb_unit_report report = { .source = stream->source };
      tb_etmv4_config_read (&config, &stream->core->profile, &report);
      tb_etmv4_table_init (&lane->table, &config);
    }
  else if (!framed)
    return false;
  lane->stream = tb_stream_open (input->buffer,
				 framed ? stream->id : TB_ID_NONE);
  if (lane->stream == NULL)
    return false;
  tb_stream_tell (lane->stream, &lane->place);
  return true;
}

static void *
ours_open (const struct bench_input *input, enum bench_stage stage)
{
  struct ours *o = calloc (1, sizeof *o
			      + input->nstreams * sizeof o->lanes[0]);
  size_t opened = 0;

  if (o == NULL)
    return NULL;
  o->stage = stage;
  o->share = tb_follow_share_new ();
  if (o->share == NULL)
    {
      free (o);
      return NULL;
    }
  o->nlanes = input->nstreams;
  for (size_t i = 0; i < o->nlanes; i++)
    opened += open_lane (&o->lanes[i], input, input->streams[i], o);
  if (opened > 0)
    return o;
  ours_close (o);
  return NULL;
}

static bool
ours_mark (void *decoder)
{
  struct ours *o = decoder;
  bool ok = true;

  for (size_t i = 0; i < o->nlanes; i++)
    if (o->lanes[i].decoder != NULL)
      {
	o->lanes[i].start = o->lanes[i].decoder->save (o->lanes[i].decoder);
	ok = ok && o->lanes[i].start != NULL;
      }
  return ok;
}

static void
ours_rewind (void *decoder)
{
  struct ours *o = decoder;

  for (size_t i = 0; i < o->nlanes; i++)
    if (o->lanes[i].start != NULL)
      o->lanes[i].decoder->restore (o->lanes[i].decoder, o->lanes[i].start);
    else if (o->lanes[i].stream != NULL)
      tb_stream_seek (o->lanes[i].stream, &o->lanes[i].place);
}

/* Elements a call: enough that the call does not count, few enough that they
   stay in the first-level cache.  */
#define BATCH 256

static void
count_elements (struct tb_decoder *decoder, struct bench_count *count)
{
  struct tb_element batch[BATCH];
  uint64_t ranges = 0, instructions = 0;
  size_t n;

  while ((n = decoder->read (decoder, batch, BATCH)) > 0)
    {
      count->elements += n;
      for (size_t i = 0; i < n; i++)
	{
	  /* Without a branch: which kind comes next is hard to foresee.  */
	  bool is_range = batch[i].kind == TB_ELEMENT_RANGE;
	  ranges += is_range ? tb_element_lines (&batch[i]) : 0;
	  instructions += is_range ? batch[i].u.range.count : 0;
	}
    }
  count->ranges += ranges;
  count->instructions += instructions;
}

static void
count_packets (struct lane *lane, struct bench_count *count)
{
  const uint8_t *bytes;
  size_t length;
  bool last;

  while ((bytes = tb_stream_peek (lane->stream, &length, &last)), length > 0)
    {
      size_t at = 0;
      /* A packet may go on behind what is there.  */
      while (at < length && (last || length - at >= TB_ETMV4_PACKET_MAX))
	{
	  struct tb_etmv4_packet packet;
	  size_t size = tb_etmv4_packet_read (&lane->table, bytes + at,
					      length - at, &packet);
	  if (size == 0)
	    size = length - at;
	  at += size;
	  count->packets++;
	}
      tb_stream_consume (lane->stream, at);
    }
}

static void
count_bytes (struct tb_stream *stream, struct bench_count *count)
{
  size_t length;
  bool last;

  while (tb_stream_peek (stream, &length, &last), length > 0)
    {
      count->bytes += length;
      tb_stream_consume (stream, length);
    }
}

static uint64_t
ours_decode (void *decoder, struct bench_count *counts)
{
  struct ours *o = decoder;

  for (size_t i = 0; i < o->nlanes; i++)
    if (o->lanes[i].decoder != NULL)
      count_elements (o->lanes[i].decoder, &counts[i]);
    else if (o->lanes[i].stream == NULL)
      continue;
    else if (o->stage == BENCH_PACKETS)
      count_packets (&o->lanes[i], &counts[i]);
    else
      count_bytes (o->lanes[i].stream, &counts[i]);
  return 0;
}

const struct bench_decoder bench_ours = {
  "ours", ours_open, ours_decode, ours_mark, ours_rewind, ours_close
};
