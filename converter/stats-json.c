/* --stats --json.  See stats.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "stats.h"

#include <inttypes.h>
#include <stdlib.h>

#include "coresight/stream.h"
#include "json.h"

static void
json_member (FILE *out, const char *name, uint64_t value)
{
  fprintf (out, ",\"%s\":%" PRIu64, name, value);
}

static void
json_reasons (FILE *out, const char *name, const uint64_t counts[TB_REASONS])
{
  const char *separator = "";
  fprintf (out, ",\"%s\":{", name);
  for (unsigned i = 0; i < TB_REASONS; i++)
    if (counts[i] > 0)
      {
	fprintf (out, "%s\"%s\":%" PRIu64, separator,
		 tb_reason_name ((enum tb_reason) i), counts[i]);
	separator = ",";
      }
  fputc ('}', out);
}

static void
json_packets (const struct stats_report *r, FILE *out)
{
  fputs (",\"packet_types\":[", out);
  for (unsigned i = 0; i < r->norder; i++)
    {
      fprintf (out, "%s{\"type\":", i == 0 ? "" : ",");
      json_string (stats_packet_name (r, r->order[i].type), out);
      fprintf (out, ",\"packets\":%" PRIu64 ",\"bytes\":%" PRIu64 "%s}",
	       r->order[i].count.packets, r->order[i].count.bits / 8,
	       r->order[i].count.bits % 8 != 0 ? ".5" : "");
    }
  fputc (']', out);
}

static void
json_exceptions (const struct stats_report *r, FILE *out)
{
  const struct tb_element_stats *e = &r->elements;
  const char *separator = "";
  fputs (",\"exceptions\":{", out);
  for (unsigned i = 0; i < TB_EXCEPTION_NUMBERS; i++)
    if (e->exceptions[i] > 0)
      {
	fprintf (out, "%s\"%u\":%" PRIu64, separator, i, e->exceptions[i]);
	separator = ",";
      }
  if (e->other_exceptions > 0)
    {
      fprintf (out, "%s\"higher\":%" PRIu64, separator, e->other_exceptions);
      separator = ",";
    }
  if (e->unknown_exceptions > 0)
    fprintf (out, "%s\"unknown\":%" PRIu64, separator, e->unknown_exceptions);
  fputc ('}', out);
}

static void
json_faults (const struct stats_report *r, FILE *out)
{
  const struct tb_decoder_stats *d = &r->decoder;
  fprintf (out, ",\"faults\":{\"count\":%" PRIu64, d->bad_image);
  for (unsigned i = 0; i < TB_FAULT_COUNT; i++)
    json_member (out, tb_fault_name ((enum tb_fault) i), d->faults[i]);
  fputs (",\"first\":[", out);
  for (unsigned i = 0; i < tb_fault_places (d); i++)
    {
      fprintf (out, "%s{\"fault\":\"%s\"", i == 0 ? "" : ",",
	       tb_fault_name (d->places[i].fault));
      json_member (out, "byte", d->places[i].index);
      json_member (out, "address", d->places[i].address);
      fputc ('}', out);
    }
  fputs ("]}", out);
}

void
stats_json_report (const struct stats_report *r, FILE *out)
{
  const struct tb_session_stream *stream = r->stream;
  const struct tb_element_stats *e = &r->elements;
  const struct tb_decoder_stats *d = &r->decoder;
  fputs ("{\"source\":", out);
  json_string (stream->source->name, out);
  if (stream->core->device != NULL)
    {
      fputs (",\"core\":", out);
      json_string (stream->core->device->name, out);
    }
  if (stream->buffer != NULL)
    {
      fputs (",\"buffer\":", out);
      json_string (stream->buffer->name, out);
    }
  if (stream->id != TB_ID_NONE)
    json_member (out, "id", stream->id);
  fputs (",\"protocol\":", out);
  json_string (stream->protocol->name, out);
  unit_json (stream, out);
  json_member (out, "bytes", d->bytes);
  json_member (out, "bytes_without_sync", d->skipped);
  json_member (out, "syncs", d->syncs);
  json_member (out, "packets", d->packets);
  json_member (out, "bad_packets", d->bad_packets);
  json_packets (r, out);
  json_member (out, "instructions", e->instructions);
  json_member (out, "ranges", e->elements[TB_ELEMENT_RANGE]);
  if (e->instructions > 0)
    fprintf (out, ",\"bytes_per_instruction\":%.6f",
	     (double) d->bytes / (double) e->instructions);
  fprintf (out, ",\"branches\":{\"taken\":%" PRIu64 ",\"indirect\":%" PRIu64
	   ",\"not_taken\":%" PRIu64 "}", e->taken, e->indirect,
	   e->not_taken);
  json_member (out, "conditions_failed", e->failed);
  json_exceptions (r, out);
  json_reasons (out, "trace_on", e->trace_on);
  json_reasons (out, "no_sync", e->no_sync);
  fprintf (out, ",\"no_code\":{\"unreadable\":%" PRIu64 ",\"unknown\":%" PRIu64
	   "}", e->unreadable, e->unknown);
  json_faults (r, out);
  const char *separator = "";
  fputs (",\"elements\":{", out);
  for (unsigned i = 0; i < TB_ELEMENT_KINDS; i++)
    if (e->elements[i] > 0)
      {
	fprintf (out, "%s\"%s\":%" PRIu64, separator,
		 tb_element_kind_name ((enum tb_element_kind) i),
		 e->elements[i]);
	separator = ",";
      }
  fputs ("}}", out);
}

void
stats_json_buffer (const struct tb_trace_buffer *buffer, FILE *out)
{
  uint64_t counts[TB_TRACE_IDS], syncs;
  const char *separator = "";
  fputs ("{\"name\":", out);
  json_string (buffer->name, out);
  fputs (",\"format\":", out);
  json_string (buffer->format_name, out);
  json_member (out, "bytes", buffer->size);
  if (buffer->format != TB_FORMAT_SOURCE_DATA
      && buffer->format != TB_FORMAT_OTHER)
    {
      tb_stream_census (buffer, counts, &syncs);
      json_member (out, "full_syncs", syncs);
      fputs (",\"ids\":{", out);
      for (unsigned id = 0; id < TB_TRACE_IDS; id++)
	if (counts[id] > 0)
	  {
	    fprintf (out, "%s\"%u\":%" PRIu64, separator, id, counts[id]);
	    separator = ",";
	  }
      fputc ('}', out);
    }
  fputc ('}', out);
}
