/* --format=report: a page to look at.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The page is report-page.html with the data, as JSON, in the place that it marks.
   It needs nothing else: no network, no other file.  */

#include "config.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "decode/element-text.h"
#include "histories.h"
#include "json.h"
#include "peripherals.h"
#include "recording/clock.h"
#include "recording/event-walk.h"
#include "recording/stamps.h"
#include "software.h"
#include "stats.h"

static const char page[] =
#include "report-page.h"
;

#define MARK "@DATA@"

static bool
put_gaps (struct tb_recording *recording, FILE *out)
{
  uint64_t count = 0;
  fputs (",\"gaps\":[", out);
  struct tb_event_walk walk = { .recording = recording };
  for (const struct tb_event *e;
       count < REPORT_GAPS_MOST && (e = tb_event_next (&walk)) != NULL;)
    if (e->kind == TB_EVENT_GAP)
      fprintf (out, "%s[%" PRIu64 ",\"%s\",%" PRIu64 "]", count++ > 0 ? "," : "", e->step,
	       tb_reason_name ((enum tb_reason) e->reason), e->address);
  fputc (']', out);
  return !walk.failed;
}

/* Times that a page has.  */
#define TIMES_MOST 2000

/* Steps and the seconds that are stated there; of many some.  */
static bool
put_times (struct job *job, const struct tb_session_stream *stream,
	   struct tb_recording *recording, FILE *out)
{
  struct tb_stamps stamps = { 0 };
  uint64_t frequency = tb_session_clock (&job->session);
  bool ok = frequency == 0 || tb_session_stamps (&job->session, stream, recording, &stamps,
						 job->diag);
  size_t every = stamps.count / TIMES_MOST + 1, next;
  fputs (",\"times\":[", out);
  for (size_t i = 0; i < stamps.count && stamps.count > 1; i = next)
    {
      struct tb_stamp stamp = tb_stamps_get (&stamps, i);
      fprintf (out, "%s[%" PRIu64 ",%.9f]", i > 0 ? "," : "", stamp.step,
	       (double) stamp.time / (double) frequency);
      /* The last one is among them.  */
      next = i + every < stamps.count || i + 1 == stamps.count ? i + every
	     : stamps.count - 1;
    }
  fputc (']', out);
  tb_stamps_fini (&stamps);
  return ok;
}

static enum tb_status
put_recording (struct job *job, const struct named_recording *named, FILE *out)
{
  const struct tb_recording_info *info = tb_recording_info (named->recording);
  struct tb_coverage coverage = { 0 };
  struct peripherals devices = { .svd = job->session.svd };
  struct stats_report stats = { .stream = named->stream };
  fputs (",{\"core\":", out);
  json_string (named->core, out);
  fputs (",\"source\":", out);
  json_string (named->stream->source->name, out);
  fputs (",\"type\":", out);
  json_string (named->stream->core->profile.name, out);
  fprintf (out, ",\"steps\":%" PRIu64 ",\"ranges\":%" PRIu64
	   ",\"exceptions\":%" PRIu64 ",\"gap_count\":%" PRIu64, info->steps,
	   info->ranges, info->exceptions, info->gaps);
  enum tb_status status = report_timeline (named, out)
			  && report_code (named, out)
			  && put_gaps (named->recording, out)
			  && put_times (job, named->stream, named->recording, out)
			  && software_report (job, named, out)
			  ? TB_OK : TB_ERR_MEMORY;
  if (status == TB_OK)
    status = coverage_count (job, named->stream, named->recording, &coverage,
			     devices.svd != NULL ? peripherals_add : NULL, &devices);
  if (status == TB_OK && devices.svd != NULL
      && !peripherals_json (&devices, named, out))
    status = TB_ERR_MEMORY;
  peripherals_fini (&devices);
  if (status == TB_OK)
    status = report_histories (job, named, out);
  if (status == TB_OK)
    {
      fputs (",\"coverage\":", out);
      coverage_json (named->stream, named->recording, &coverage, out);
      status = stats_read_trace (job, &stats);
    }
  if (status == TB_OK)
    {
      fputs (",\"stats\":", out);
      stats_json_report (&stats, out);
    }
  fputc ('}', out);
  stats_free (&stats);
  return status;
}

/* JSON has "<" in strings only; escaped, no text in them can end the script that
   they stand in.  */
static void
put_data (const char *data, size_t size, FILE *out)
{
  for (size_t i = 0; i < size; i++)
    if (data[i] == '<')
      fputs ("\\u003c", out);
    else
      fputc (data[i], out);
}

enum tb_status
list_report (struct job *job, struct tb_outfile *file)
{
  FILE *out = tb_outfile_stream (file);
  char *data = NULL;
  size_t size = 0;
  FILE *memory = open_memstream (&data, &size);
  if (memory == NULL)
    return TB_ERR_MEMORY;
  fputs ("{\"input\":", memory);
  json_string (job->input, memory);
  fputs (",\"version\":\"" PACKAGE_VERSION "\",\"recordings\":[null", memory);
  enum tb_status status = job_each_named (job, memory, true, put_recording);
  bool any = false;
  if (status == TB_OK && !report_sparse (job, memory, &any))
    status = TB_ERR_MEMORY;
  /* The page tells of other trace, too.  */
  job->no_steps = !any && !job_may_have_steps (job);
  fputs ("]}", memory);
  bool whole = !ferror (memory);
  whole &= fclose (memory) == 0 && data != NULL;
  if (!whole && status == TB_OK)
    status = TB_ERR_MEMORY;
  const char *mark = strstr (page, MARK);
  if (status == TB_OK)
    {
      fwrite (page, 1, (size_t) (mark - page), out);
      put_data (data, size, out);
      fputs (mark + strlen (MARK), out);
    }
  free (data);
  return status;
}
