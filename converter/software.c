/* --format=software: what software and the DWT said through an ITM or an STM.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Of the listing: four columns, apart by tabs: when, the source, who, and what
   (recording/software.h says what is in them).  */

#include "config.h"
#include "software.h"

#include <inttypes.h>

#include "json.h"
#include "recording/lane.h"

/* A listing of one stream.  */
struct said_listing
{
  const struct tb_software *software;
  const char *source;
  struct tb_outfile *out;
  struct tb_buffer text;
  enum tb_status status;
};

/* List SAID, which has the TEXT.  False: that failed, by STATUS.  */
static bool
put_item (void *context, const struct tb_said *said, const void *text)
{
  struct said_listing *l = context;
  tb_said_when (&l->text, l->software, said);
  tb_buffer_printf (&l->text, "\t%s\t", l->source);
  tb_said_who (&l->text, said);
  tb_buffer_append (&l->text, "\t", 1);
  tb_said_what_of (&l->text, said, text);
  tb_buffer_append (&l->text, "\n", 1);
  l->status = tb_outfile_put (l->out, &l->text, false);
  return l->status == TB_OK;
}

void
software_say_empty (struct job *job, const struct tb_session_stream *stream,
		    const struct tb_decoder_stats *stats)
{
  struct tb_buffer why = { 0 };
  if (stats->bytes != 0)
    return;
  job_put_reason (&why, stream);
  tb_buffer_append (&why, "", 1);
  tb_warning (job->diag, "%s: nothing was said; %s", job->input,
	      why.failed ? stream->source->name : (const char *) why.data);
  tb_buffer_fini (&why);
}

/* List what STREAM says.  *READ becomes true unless it has bytes of which none could be
   decoded.  */
static enum tb_status
put_stream (struct job *job, const struct tb_session_stream *stream, bool *read,
	    struct tb_outfile *out)
{
  struct tb_decoder *decoder = tb_session_decoder (&job->session, stream,
						   job->diag);
  if (decoder == NULL)
    return TB_ERR_INPUT;
  struct tb_software software = { 0 };
  struct tb_software_plan *plan = NULL;
  struct said_listing l = { .software = &software, .source = stream->source->name, .out = out };
  bool ok = tb_lane_plan (&software, decoder, &job->session, stream, job->diag, &plan)
	    && tb_software_give (plan, put_item, &l);
  enum tb_status status = l.status;
  if (ok)
    status = tb_outfile_put (out, &l.text, true);
  else if (status == TB_OK)
    status = TB_ERR_MEMORY;
  if (status == TB_ERR_MEMORY)
    tb_error (job->diag, "%s: no memory", job->input);
  tb_buffer_fini (&l.text);
  tb_software_plan_free (plan);
  tb_software_fini (&software);
  job_judge (job, stream, &decoder->stats);
  software_say_empty (job, stream, &decoder->stats);
  *read |= decoder->stats.packets != 0 || decoder->stats.bytes == 0;
  tb_decoder_close (decoder);
  return status;
}

enum tb_status
list_software (struct job *job, struct tb_outfile *out)
{
  const struct tb_session_stream *other = NULL;
  size_t listed = 0;
  bool read = false;
  for (size_t i = 0; i < job->session.nstreams; i++)
    {
      const struct tb_session_stream *stream = &job->session.streams[i];
      if (stream->protocol == NULL || !stream->protocol->software)
	continue;
      if (!job_wants (job, stream))
	{
	  other = stream;
	  continue;
	}
      listed++;
      enum tb_status status = put_stream (job, stream, &read, out);
      if (status != TB_OK)
	return status;
    }
  if (read)
    return TB_OK;
  if (listed > 0)
    tb_error (job->diag, "%s: nothing of what software said can be decoded", job->input);
  else if (other != NULL)
    tb_error (job->diag, "%s: expected trace of an ITM or STM, found none of what is chosen; "
	      "that of %s is of %s (--list)", job->input, other->source->name,
	      other->core != NULL && other->core->device != NULL ? other->core->device->name
	      : "no core");
  else
    tb_error (job->diag, "%s: expected trace of an ITM or STM, found none; --list "
	      "shows what there is", job->input);
  return TB_ERR_INPUT;
}

/* Lanes.  */

/* What a page has of each list.  */
#define SAID_MOST 5000

bool
software_item (const struct tb_lane_item *item, FILE *out)
{
  struct tb_buffer text = { 0 };
  tb_lane_text (&text, item);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    json_string ((const char *) text.data, out);
  bool ok = !text.failed;
  tb_buffer_fini (&text);
  return ok;
}

/* Write one of the list of what has no place among steps, behind COUNT others, and WHY.  */
static bool
put_elsewhere (const struct tb_lane_item *item, const char *why, size_t count, FILE *out)
{
  struct tb_buffer text = { 0 };
  tb_said_when (&text, item->software, item->said);
  tb_buffer_append (&text, "", 1);
  bool ok = !text.failed;
  fprintf (out, "%s[\"%s\",", count > 0 ? "," : "", ok ? (const char *) text.data : "");
  tb_buffer_fini (&text);
  ok = ok && software_item (item, out);
  fprintf (out, ",\"%s\"]", why);
  return ok;
}

/* Write the list of what has no place among the steps of LANE.  */
static bool
put_all_elsewhere (const struct tb_lane *lane, FILE *out)
{
  struct tb_lane_walk walk = { .lane = lane };
  struct tb_lane_item item;
  const char *why;
  bool ok = true;
  fputs (",\"elsewhere\":[", out);
  for (size_t n = 0; ok && n < SAID_MOST
		     && (why = tb_lane_next_elsewhere (&walk, &item)) != NULL; n++)
    ok = put_elsewhere (&item, why, n, out);
  fputc (']', out);
  return ok;
}

/* Does a page draw or count SAID already where the DWT tells of a core?  */
static bool
is_drawn (const struct tb_said *said)
{
  return said->kind == TB_SAID_DWT && said->dwt >= TB_DWT_EVENTS && said->dwt <= TB_DWT_PROHIBITED;
}

size_t
software_alone_count (const struct tb_software *software)
{
  size_t count = 0;
  for (size_t i = 0; i < software->count; i++)
    count += !is_drawn (&software->items[i]);
  return count;
}

bool
software_report_alone (const struct tb_session_stream *stream,
		       const struct tb_software *software, FILE *out)
{
  bool ok = true;
  size_t n = 0;
  fputs (",\"software\":[],\"said_count\":0,\"elsewhere\":[", out);
  for (size_t i = 0; i < software->count && n < SAID_MOST && ok; i++)
    {
      const struct tb_lane_item item = { .first = UINT64_MAX, .last = UINT64_MAX,
					 .said = &software->items[i],
					 .software = software, .stream = stream };
      if (!is_drawn (item.said))
	ok = put_elsewhere (&item, "there is no trace of instructions", n++, out);
    }
  fprintf (out, "],\"said_elsewhere\":%zu", software_alone_count (software));
  return ok;
}

bool
software_lane (struct tb_lane *lane, struct job *job, const struct named_recording *named)
{
  const struct tb_session_core *core = named->stream->core;
  bool to_halt = false;
  if (tb_lane_asks_halt (&job->session, core))
    {
      struct tb_state *state = job_state_quiet (job, core, named->stream, named->recording);
      to_halt = state != NULL && tb_state_halt (state) == TB_HALT_USED;
      tb_state_close (state);
    }
  return tb_lane_make (lane, &job->session, named->stream, named->recording, to_halt, NULL, NULL,
		       job->diag);
}

bool
software_report (struct job *job, const struct named_recording *named, FILE *out)
{
  struct tb_lane lane;
  if (!software_lane (&lane, job, named))
    return false;
  size_t shown = lane.count < SAID_MOST ? lane.count : SAID_MOST;
  bool ok = true;
  fputs (",\"software\":[", out);
  for (size_t i = 0; i < shown && ok; i++)
    {
      fprintf (out, "%s[%" PRIu64 ",%" PRIu64 ",", i > 0 ? "," : "",
	       lane.items[i].first, lane.items[i].last);
      ok = software_item (&lane.items[i], out);
      fputc (']', out);
    }
  fprintf (out, "],\"said_count\":%zu,\"said_elsewhere\":%zu", lane.count,
	   lane.elsewhere);
  ok = ok && put_all_elsewhere (&lane, out);
  tb_lane_fini (&lane);
  return ok;
}
