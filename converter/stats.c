/* --stats: what the trace is made of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each trace is read once, packets being counted on the way.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "coresight/stream.h"
#include "json.h"
#include "recording/facts.h"
#include "recording/session-streams.h"
#include "stats.h"

static const char *
buffer_name (const struct tb_session_stream *stream)
{
  return stream->buffer != NULL ? stream->buffer->name : "the core's RAM";
}

const char *
stats_packet_name (const struct stats_report *r, unsigned type)
{
  return type < r->stream->protocol->npacket_types
	 ? r->stream->protocol->packet_names[type]
	 : "cut off by the end of the trace";
}

static int
by_bits (const void *a, const void *b)
{
  const struct stats_order *x = a, *y = b;
  if (x->count.bits != y->count.bits)
    return x->count.bits > y->count.bits ? -1 : 1;
  return x->type < y->type ? -1 : x->type > y->type;
}

/* False: no memory.  */
static bool
sort_packets (struct stats_report *r)
{
  unsigned types = r->stream->protocol->npacket_types + 1;
  r->order = calloc (types, sizeof *r->order);
  if (r->order == NULL)
    return false;
  for (unsigned i = 0; i < types; i++)
    if (r->packets[i].packets > 0)
      r->order[r->norder++] = (struct stats_order) { i, r->packets[i] };
  qsort (r->order, r->norder, sizeof *r->order, by_bits);
  return true;
}

enum tb_status
stats_read_trace (struct job *job, struct stats_report *report)
{
  const struct tb_protocol *protocol = report->stream->protocol;
  struct tb_decoder_config config;
  tb_session_decoder_config (report->stream, &config);
  config.share = job->share;
  struct tb_decoder *decoder = tb_decoder_open (&config, job->diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  report->packets = calloc (protocol->npacket_types + 1,
			    sizeof *report->packets);
  decoder->packet_counts = report->packets;
  enum tb_status status = report->packets != NULL ? TB_OK : TB_ERR_MEMORY;
  struct tb_element some[512];
  size_t n;
  while (status == TB_OK
	 && (n = decoder->read (decoder, some,
				sizeof some / sizeof some[0])) > 0)
    for (size_t i = 0; i < n; i++)
      tb_element_stats_add (&report->elements, &some[i]);
  if (tb_decoder_no_memory (decoder)
      || (status == TB_OK && !sort_packets (report)))
    status = TB_ERR_MEMORY;
  report->decoder = decoder->stats;
  tb_decoder_close (decoder);
  if (status != TB_OK)
    tb_error (job->diag, "%s: no memory", job->input);
  return status;
}

void
stats_free (struct stats_report *report)
{
  free (report->packets);
  free (report->order);
}

/* Text.  */

/* A line, if there is something to say.  */
static void
line (FILE *out, const char *name, uint64_t count)
{
  if (count > 0)
    fprintf (out, "  %-24s %12" PRIu64 "\n", name, count);
}

/* Several numbers by name on a line of their own, if any is not zero.  */
static void
line_by_reason (FILE *out, const char *name,
		const uint64_t counts[TB_REASONS])
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < TB_REASONS; i++)
    sum += counts[i];
  if (sum == 0)
    return;
  fprintf (out, "  %-24s %12" PRIu64 " ", name, sum);
  for (unsigned i = 0; i < TB_REASONS; i++)
    if (counts[i] > 0)
      fprintf (out, " %s %" PRIu64, tb_reason_name ((enum tb_reason) i),
	       counts[i]);
  fputc ('\n', out);
}

static void
text_packets (const struct stats_report *r, FILE *out)
{
  unsigned count = r->norder;
  if (count > 0)
    fputs ("  packets        bytes  share  type\n", out);
  for (unsigned i = 0; i < count; i++)
    {
      const struct tb_packet_count *c = &r->order[i].count;
      fprintf (out, "  %7" PRIu64 " %10" PRIu64 "%s %5.1f%%  %s\n", c->packets,
	       c->bits / 8, c->bits % 8 != 0 ? ".5" : "  ",
	       r->decoder.bytes > 0
	       ? 100.0 * (double) c->bits / 8 / (double) r->decoder.bytes : 0,
	       stats_packet_name (r, r->order[i].type));
    }
}

static void
text_exceptions (const struct stats_report *r, FILE *out)
{
  const struct tb_element_stats *e = &r->elements;
  if (e->elements[TB_ELEMENT_EXCEPTION] == 0)
    return;
  fprintf (out, "  %-24s %12" PRIu64 " ", "exceptions",
	   e->elements[TB_ELEMENT_EXCEPTION]);
  for (unsigned i = 0; i < TB_EXCEPTION_NUMBERS; i++)
    if (e->exceptions[i] > 0)
      fprintf (out, " number %u: %" PRIu64 ";", i, e->exceptions[i]);
  if (e->other_exceptions > 0)
    fprintf (out, " higher: %" PRIu64 ";", e->other_exceptions);
  if (e->unknown_exceptions > 0)
    fprintf (out, " not told: %" PRIu64 ";", e->unknown_exceptions);
  fputc ('\n', out);
}

static void
text_faults (const struct stats_report *r, FILE *out)
{
  line (out, "code that did not run so", r->decoder.bad_image);
  struct tb_buffer text = { 0 };
  tb_faults_text (&text, &r->decoder);
  if (text.size > 0 && !text.failed)
    {
      fputs ("    ", out);
      fwrite (text.data, 1, text.size, out);
      fputc ('\n', out);
    }
  tb_buffer_fini (&text);
}

/* Reads of what others wrote that are shown.  */
#define OTHERS_SHOWN 5

/* What a log says of others than the core's instructions.  */
static void
text_facts (const struct tb_columns *facts, FILE *out)
{
  const struct tb_facts_other *others
    = (const struct tb_facts_other *) facts->others.data;
  size_t count = facts->others.size / sizeof *others;
  line (out, "loads", facts->totals.reads);
  line (out, "stores", facts->totals.writes);
  line (out, "accesses to devices", facts->totals.devices);
  line (out, "lines that came late", facts->totals.late);
  line (out, "reads of others' writes", facts->totals.others);
  unsigned shown = 0;
  for (size_t i = 0; i < count && shown < OTHERS_SHOWN; i++)
    if (!others[i].device)
      {
	fprintf (out, "    step %" PRIu32 ": %#" PRIx64 " holds %#" PRIx64
		 ", which no line here has written\n", others[i].step,
		 others[i].address, others[i].value);
	shown++;
      }
}

static void
text_report (const struct stats_report *r, FILE *out)
{
  /* They have lines of their own.  */
  static const bool shown[TB_ELEMENT_KINDS] = {
    [TB_ELEMENT_NO_SYNC] = true, [TB_ELEMENT_TRACE_ON] = true,
    [TB_ELEMENT_RANGE] = true, [TB_ELEMENT_NO_CODE] = true,
    [TB_ELEMENT_EXCEPTION] = true, [TB_ELEMENT_BAD_PACKET] = true,
    [TB_ELEMENT_END] = true
  };
  const struct tb_session_stream *stream = r->stream;
  const struct tb_element_stats *e = &r->elements;
  const struct tb_decoder_stats *d = &r->decoder;
  fprintf (out, "trace   %s of %s in %s, %s", stream->source->name,
	   stream->core->device != NULL ? stream->core->device->name
					: "no core",
	   buffer_name (stream), stream->protocol->name);
  if (stream->id != TB_ID_NONE)
    fprintf (out, ", id 0x%02x", stream->id);
  fputc ('\n', out);
  unit_text (stream, "  ", true, out);
  fprintf (out, "  %-24s %12" PRIu64 "\n", "bytes", d->bytes);
  line (out, "bytes without sync", d->skipped);
  line (out, "synchronisations", d->syncs);
  line (out, "places that are no packet", d->bad_packets);
  text_packets (r, out);
  if (!stream->protocol->software)
    {
      fprintf (out, "  %-24s %12" PRIu64 "\n", "instructions",
	       e->instructions);
      if (e->instructions > 0)
	fprintf (out, "  %-24s %12.4f\n", "bytes an instruction",
		 (double) d->bytes / (double) e->instructions);
    }
  line (out, "ranges", e->elements[TB_ELEMENT_RANGE]);
  line (out, "direct branches taken", e->taken);
  line (out, "indirect branches taken", e->indirect);
  line (out, "branches not taken", e->not_taken);
  line (out, "conditions that failed", e->failed);
  text_exceptions (r, out);
  line_by_reason (out, "trace begins", e->trace_on);
  line_by_reason (out, "synchronisation missing", e->no_sync);
  line (out, "code not in the image", e->unreadable);
  line (out, "code at unknown places", e->unknown);
  text_faults (r, out);
  if (stream->facts != NULL)
    text_facts (stream->facts, out);
  for (unsigned i = 0; i < TB_ELEMENT_KINDS; i++)
    if (!shown[i])
      line (out, tb_element_kind_name ((enum tb_element_kind) i),
	    e->elements[i]);
}

/* More IDs than this that no source has are summed up: stale RAM after the
   trace looks like all of them.  */
#define UNOWNED_SHOWN 8

static bool
is_owned (const struct job *job, const struct tb_trace_buffer *buffer,
	  unsigned id)
{
  bool owned = id == 0;
  for (size_t i = 0; i < job->session.nstreams + job->session.nunused; i++)
    owned |= tb_session_stream_owns (&job->session.streams[i], buffer, id);
  return owned;
}

static void
text_ids (const struct job *job, const struct tb_trace_buffer *buffer,
	  const uint64_t counts[TB_TRACE_IDS], FILE *out)
{
  unsigned unowned = 0;
  uint64_t bytes = 0;
  for (unsigned id = 0; id < TB_TRACE_IDS; id++)
    if (counts[id] > 0 && !is_owned (job, buffer, id))
      {
	unowned++;
	bytes += counts[id];
      }
  for (unsigned id = 0; id < TB_TRACE_IDS; id++)
    {
      bool owned = is_owned (job, buffer, id);
      if (counts[id] > 0 && (owned || unowned <= UNOWNED_SHOWN))
	fprintf (out, "  bytes of id 0x%02x         %12" PRIu64 "%s\n", id,
		 counts[id], id == 0 ? "  padding"
		 : owned ? "" : "  no source here");
    }
  if (unowned > UNOWNED_SHOWN)
    fprintf (out, "  bytes of %u other ids     %12" PRIu64
	     "  no sources here\n", unowned, bytes);
}

static void
text_buffer (const struct job *job, const struct tb_trace_buffer *buffer,
	     FILE *out)
{
  uint64_t counts[TB_TRACE_IDS], syncs;
  fprintf (out, "buffer  %s, format %s, %" PRIu64 " bytes\n", buffer->name,
	   buffer->format_name, buffer->size);
  if (buffer->format == TB_FORMAT_SOURCE_DATA
      || buffer->format == TB_FORMAT_OTHER)
    return;
  tb_stream_census (buffer, counts, &syncs);
  line (out, "full syncs", syncs);
  text_ids (job, buffer, counts, out);
}

/* What is wanted.  */

static bool
wants_buffer (const struct job *job, const struct tb_trace_buffer *buffer)
{
  return job->options->shared.buffer == NULL
	 || strcmp (buffer->name, job->options->shared.buffer) == 0;
}

static void
list_buffers (const struct job *job, FILE *out)
{
  const struct tb_snapshot *s = &job->session.snapshot;
  const char *separator = "";
  for (size_t i = 0; i < s->nbuffers; i++)
    if (!wants_buffer (job, &s->buffers[i]))
      continue;
    else if (job->options->json)
      {
	fputs (separator, out);
	stats_json_buffer (&s->buffers[i], out);
	separator = ",";
      }
    else
      text_buffer (job, &s->buffers[i], out);
}

enum tb_status
list_stats (struct job *job, struct tb_outfile *outfile)
{
  FILE *out = tb_outfile_stream (outfile);
  bool json = job->options->json;
  const char *separator = "";
  enum tb_status status = TB_OK;
  if (json)
    {
      fputs ("{\"input\":", out);
      json_string (job->input, out);
      fputs (",\"buffers\":[", out);
    }
  list_buffers (job, out);
  if (json)
    fputs ("],\"traces\":[", out);
  for (size_t i = 0; i < job->session.nstreams && status == TB_OK; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (!job_wants (job, stream) || stream->protocol == NULL)
	continue;
      struct stats_report report = { .stream = stream };
      status = stats_read_trace (job, &report);
      if (status == TB_OK && json)
	{
	  fputs (separator, out);
	  stats_json_report (&report, out);
	  separator = ",";
	}
      else if (status == TB_OK)
	text_report (&report, out);
      job->trace_errors |= report.decoder.bad_packets != 0
			   || report.decoder.bad_image != 0;
      stats_free (&report);
      if (status == TB_OK)
	status = job_check_end (job, stream);
    }
  if (json)
    fputs ("]}\n", out);
  return status;
}
