/* What the registers of trace units leave to be assumed, beside what is told of their
   trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>

#include "decode/found.h"
#include "json.h"

static void
look (const struct tb_session_stream *stream, struct tb_unit_report *report,
      struct tb_buffer *untraced)
{
  struct tb_decoder_config config;
  tb_session_decoder_config (stream, &config);
  tb_decoder_unit (&config, report);
  tb_unit_untraced (untraced, report);
}

void
unit_text (const struct tb_session_stream *stream, const char *lead, bool all,
	   FILE *out)
{
  struct tb_unit_report report;
  struct tb_buffer text = { 0 };
  look (stream, &report, &text);
  if (text.size > 0 && !text.failed)
    fprintf (out, "%sno trace of %.*s state, which the system did not let be traced "
	     "when the registers were read (TRCAUTHSTATUS, 0x%08" PRIx32 "): what ran "
	     "there is in gaps\n", lead, (int) text.size,
	     (const char *) text.data, report.permissions);
  if (report.sends_addresses || report.sends_values)
    fprintf (out, "%sdata, too: %s%s%s of loads and stores\n", lead,
	     report.sends_addresses ? "addresses" : "",
	     report.sends_addresses && report.sends_values ? " and " : "",
	     report.sends_values ? "values" : "");
  for (unsigned i = 0; i < report.count; i++)
    {
      if (!all && !report.missing[i].matters)
	continue;
      tb_buffer_clear (&text);
      tb_unit_text (&text, &report.missing[i]);
      if (!text.failed)
	fprintf (out, "%smissing %.*s\n", lead, (int) text.size,
		 (const char *) text.data);
    }
  tb_buffer_fini (&text);
}

void
unit_json (const struct tb_session_stream *stream, FILE *out)
{
  const struct tb_device *source = stream->source;
  bool found = tb_source_is_found (source);
  fprintf (out, ",\"settings_worked_out\":%s,\"packets_found\":%s",
	   source->evidence != NULL && !found ? "true" : "false", found ? "true" : "false");
  struct tb_unit_report report;
  struct tb_buffer text = { 0 };
  look (stream, &report, &text);
  tb_buffer_append (&text, "", 1);
  fputs (",\"missing_registers\":[", out);
  for (unsigned i = 0; i < report.count; i++)
    {
      const struct tb_unit_missing *m = &report.missing[i];
      fprintf (out, "%s{\"name\":\"%s\",\"id\":%" PRIu32 ",\"matters\":%s,"
	       "\"taken\":", i == 0 ? "" : ",", m->reg->name, m->reg->id,
	       m->matters ? "true" : "false");
      if (m->taken != NULL)
	json_string (m->taken, out);
      else
	fprintf (out, "%" PRIu32, m->value);
      fputs (",\"for\":", out);
      json_string (m->reg->tells, out);
      fputc ('}', out);
    }
  fputs ("],\"not_traceable\":", out);
  json_string (text.failed ? "" : (const char *) text.data, out);
  tb_buffer_fini (&text);
}
