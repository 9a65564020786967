/* What --stats has counted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_STATS_H
#define TB_CONVERTER_STATS_H

#include <stdio.h>

#include "convert.h"
#include "decode/element-stats.h"
#include "recording/session.h"

struct stats_order;

/* One trace.  */
struct stats_report
{
  const struct tb_session_stream *stream;
  struct tb_decoder_stats decoder;
  struct tb_element_stats elements;
  struct tb_packet_count *packets;	/* One more than there are types.  */
  struct stats_order *order;	/* Those that were seen, those with most bytes
				   first.  */
  unsigned norder;
};

/* A packet type that was seen.  */
struct stats_order
{
  unsigned type;
  struct tb_packet_count count;
};

/* The name of packet TYPE, which may be one more than the protocol has.  */
const char *stats_packet_name (const struct stats_report *r, unsigned type);

/* Read all of REPORT's stream and count.  */
enum tb_status stats_read_trace (struct job *job, struct stats_report *report);
void stats_free (struct stats_report *report);

/* As JSON objects.  */
void stats_json_report (const struct stats_report *r, FILE *out);
void stats_json_buffer (const struct tb_trace_buffer *buffer, FILE *out);

#endif /* TB_CONVERTER_STATS_H */
