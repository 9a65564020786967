/* Trace whose sources no file tells of: working out what sent it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-streams.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coresight/frame.h"
#include "coresight/stream.h"
#include "recording/session-guess.h"

/* Fewer bytes of an ID in a framed buffer show nothing.  */
#define LEAST_BYTES 24

struct tb_decoder_config
tb_guessing_config (const struct tb_session_core *core, const struct tb_trace_buffer *buffer)
{
  return (struct tb_decoder_config) {
    .core = core->device, .buffer = buffer, .profile = &core->profile, .map = core->map
  };
}

bool
tb_guessing_is_open (const struct tb_snapshot *snapshot, const struct tb_trace_buffer *buffer,
		     unsigned id, const struct tb_device **device)
{
  bool settled = false;
  *device = NULL;
  for (size_t i = 0; i < snapshot->nstreams; i++)
    {
      const struct tb_trace_stream *stream = &snapshot->streams[i];
      const struct tb_protocol *protocol = tb_protocol_find (stream->source->type);
      if (stream->buffer != buffer)
	continue;
      settled |= !stream->source->unsettled && stream->source->evidence == NULL;
      if (tb_buffer_is_framed (buffer)
	  && (protocol == NULL || protocol->trace_id (stream->source) != id))
	continue;
      *device = stream->source;
      return stream->source->unsettled || buffer->unsettled;
    }
  return !settled;
}

int
tb_guessing_find (struct tb_guessing *g, const struct tb_trace_buffer *buffer, unsigned id,
		  const struct tb_device *device, const char *protocol, size_t core,
		  struct tb_guess *guess)
{
  const struct tb_device told = { .type = protocol != NULL ? protocol : "" };
  struct tb_decoder_config config = tb_guessing_config (&g->s->cores[core], buffer);
  config.source = device != NULL ? device : &told;
  return tb_guess_find (guess, &config, tb_buffer_is_framed (buffer) ? id : TB_ID_NONE,
			&g->effort);
}

/* Find what sent the trace of the buffer REAL, read as if it were of FORMAT.  */
static enum tb_status
look (struct tb_guessing *g, const struct tb_trace_buffer *real, enum tb_buffer_format format,
      struct tb_guessed *found)
{
  const struct tb_session *s = g->s;
  struct tb_trace_buffer as = *real, *buffer = &as;
  as.format = format;
  *found = (struct tb_guessed) { 0 };
  bool framed = tb_buffer_is_framed (buffer);
  size_t cores = 0;
  if (framed)
    tb_stream_census (buffer, found->bytes, NULL);
  else
    found->bytes[0] = buffer->size;
  for (unsigned id = 0; id < TB_TRACE_IDS; id++)
    {
      const struct tb_device *device;
      if (found->bytes[id] == 0 || (framed && id == 0)
	  || !tb_guessing_is_open (&s->snapshot, real, id, &device))
	{
	  found->bytes[id] = 0;
	  continue;
	}
      /* The last core is the one without a device.  */
      found->core[id] = s->ncores > 1 ? cores % (s->ncores - 1) : 0;
      for (size_t i = 0; i < s->ncores && real->core != NULL; i++)
	if (s->cores[i].device == real->core)
	  found->core[id] = i;
      /* Nothing sends by the reserved IDs but formatters.  */
      int is = 0;
      if ((found->bytes[id] >= LEAST_BYTES || !framed || g->protocol != NULL) && id < 0x70)
	is = tb_guessing_find (g, buffer, id, device, g->protocol, found->core[id],
			       &found->guess[id]);
      if (is < 0)
	return TB_ERR_MEMORY;
      found->obeyed[id] = is == 0 && g->protocol != NULL && found->guess[id].trial.syncs > 0;
      found->any[id] = is > 0 || found->obeyed[id];
      found->sources |= found->any[id];
      found->cost += is > 0 ? found->guess[id].cost : 2 * found->bytes[id];
      cores += is > 0 && !found->guess[id].protocol->software;
    }
  return TB_OK;
}

/* Is it told which units have trace in BUFFER, as it is of what a chip's own sink holds?  */
static bool
is_of_units (const struct tb_snapshot *snapshot, const struct tb_trace_buffer *buffer)
{
  bool any = false;
  for (size_t i = 0; i < snapshot->nstreams; i++)
    any |= snapshot->streams[i].buffer == buffer;
  return any;
}

/* Take the format by which BUFFER makes most sense, if it is to be worked out, and what is
   found then.  */
static enum tb_status
settle_buffer (struct tb_guessing *g, const struct tb_trace_buffer *buffer,
	       struct tb_guessed *found, struct tb_buffer *evidence)
{
  static const enum tb_buffer_format formats[] = {
    TB_FORMAT_SOURCE_DATA, TB_FORMAT_CORESIGHT, TB_FORMAT_DSTREAM
  };
  if (!buffer->unsettled)
    return look (g, buffer, buffer->format, found);
  struct tb_guessed *other = malloc (sizeof *other);
  if (other == NULL)
    return TB_ERR_MEMORY;
  enum tb_status status = TB_OK;
  unsigned best = 0;
  /* The blocks of a DSTREAM are of the probe alone.  */
  unsigned count = sizeof formats / sizeof formats[0] - is_of_units (&g->s->snapshot, buffer);
  tb_buffer_printf (evidence, "bytes without sense, a reserved packet as 64 of them: ");
  for (unsigned i = 0; i < count && status == TB_OK; i++)
    {
      status = look (g, buffer, formats[i], other);
      tb_buffer_printf (evidence, "%s%s ", i > 0 ? ", " : "", tb_format_name (formats[i]));
      if (other->sources)
	tb_buffer_printf (evidence, "%" PRIu64, other->cost);
      else
	tb_buffer_printf (evidence, "shows no trace unit");
      if (i == 0 || (other->sources && (!found->sources || other->cost < found->cost)))
	{
	  *found = *other;
	  best = i;
	}
    }
  free (other);
  found->formatless = !found->sources;
  /* Most sinks have frames.  */
  if (found->formatless && buffer->size % TB_FRAME == 0)
    best = 1;
  tb_snapshot_set_format (&g->s->snapshot, buffer, formats[best]);
  return status;
}

/* Do registers that are all told say what sent the trace of ID in BUFFER, of SNAPSHOT?  Then it is
   decoded, whatever it shows.  TB_ID_NONE: that of any ID.  */
static bool
is_told (const struct tb_snapshot *snapshot, const struct tb_trace_buffer *buffer, unsigned id)
{
  for (size_t i = 0; i < snapshot->nstreams; i++)
    {
      const struct tb_device *source = snapshot->streams[i].source;
      const struct tb_protocol *protocol = tb_protocol_find (source->type);
      if (snapshot->streams[i].buffer == buffer && !source->unsettled && protocol != NULL
	  && (id == TB_ID_NONE || !tb_buffer_is_framed (buffer)
	      || protocol->trace_id (source) == id))
	return true;
    }
  return false;
}

/* Append to TEXT what else than GUESS, which the user asked for, the trace of ID in BUFFER may be.
   False: no memory.  */
static bool
append_other (struct tb_guessing *g, const struct tb_trace_buffer *buffer, unsigned id,
	      size_t core, struct tb_buffer *text)
{
  struct tb_guess other;
  int is = tb_guessing_find (g, buffer, id, NULL, NULL, core, &other);
  if (is > 0)
    {
      tb_buffer_printf (text, "; without that it is taken for %s (--protocol=", other.kind->type);
      tb_guess_option (text, other.protocol, other.kind);
      tb_buffer_printf (text, ")");
    }
  return is >= 0;
}

/* Say what was found in BUFFER, and add its sources to G's session.  */
static enum tb_status
add_sources (struct tb_guessing *g, const struct tb_trace_buffer *buffer,
	     const struct tb_guessed *found, const char *formats, struct tb_diag *diag)
{
  struct tb_session *s = g->s;
  bool framed = tb_buffer_is_framed (buffer);
  enum tb_status status = TB_OK;
  if (found->formatless && is_told (&s->snapshot, buffer, TB_ID_NONE))
    {
      tb_warning (diag, "%s: %s: its %" PRIu64 " bytes do not show their format; it is taken to be "
		  "%s, and they are decoded as what the registers of the trace units tell",
		  s->snapshot.path, buffer->name, buffer->size, buffer->format_name);
      return TB_OK;
    }
  if (found->formatless)
    {
      const struct tb_senseless all = { .count = 1, .id = TB_ID_NONE, .bytes = buffer->size };
      tb_session_say_senseless (s, buffer, &all, ", in no format", diag);
      return TB_OK;
    }
  struct tb_senseless senseless = { .count = 0 };
  uint64_t taken = 0, skipped = 0;	/* Of what makes sense.  */
  /* That a chip's sink has frames is what is expected.  */
  bool told = is_of_units (&s->snapshot, buffer) && buffer->format != TB_FORMAT_CORESIGHT;
  if (*formats != '\0')
    tb_report (diag, told ? TB_WARNING : TB_NOTE, "%s: %s: its format is taken to be %s, as the "
	       "least speaks against that; %s", s->snapshot.path, buffer->name,
	       buffer->format_name, formats);
  for (unsigned id = 0; id < TB_TRACE_IDS && status == TB_OK; id++)
    {
      const struct tb_guess *guess = &found->guess[id];
      const struct tb_device *core = NULL, *device;
      if (found->bytes[id] == 0 || (framed && id == 0))
	continue;
      if (!found->any[id])
	{
	  if (id < 0x70 && !is_told (&s->snapshot, buffer, id))
	    {
	      if (senseless.count++ == 0)
		senseless.id = framed ? id : TB_ID_NONE;
	      senseless.bytes += found->bytes[id];
	    }
	  continue;
	}
      taken += found->bytes[id];
      skipped += guess->trial.skipped;
      /* Its registers may have been found in a buffer before, or told.  */
      if (!tb_guessing_is_open (&s->snapshot, buffer, id, &device)
	  || (device != NULL && !device->unsettled))
	continue;
      if (!guess->protocol->software && s->ncores > 1 && device == NULL)
	core = s->cores[found->core[id]].device;
      if (device == NULL && g->room-- == 0)
	{
	  tb_error (diag, "%s: expected at most %d sources of trace that no file tells of, found "
		    "more: their devices are to be in the snapshot", s->snapshot.path,
		    TB_FOUND_SOURCES);
	  return TB_ERR_INPUT;
	}
      status = tb_session_add_guess (s, buffer, guess, id, core, device);
      if (status != TB_OK)
	return status;
      const struct tb_device *added
	= device != NULL ? device : &s->snapshot.devices[s->snapshot.ndevices - 1];
      struct tb_buffer why = { 0 };
      tb_buffer_printf (&why, "%s", found->obeyed[id]
			? "as --protocol says, though little speaks for it"
			: "by what decodes with least errors");
      const struct tb_device *rival = core != NULL && found->rival[id] > 0
				      ? g->s->cores[found->rival[id] - 1].device : NULL;
      if (rival != NULL)
	{
	  tb_snapshot_doubt_core (&s->snapshot, core);
	  tb_buffer_printf (&why, "; it fits the code of %s as well, and nothing tells which of "
			    "the cores sent it (@CORE behind a file that an option names "
			    "does), so that the registers and the RAM of %s at the halt do not "
			    "count for it",
			    rival->name, core->name);
	}
      else if (core != NULL && found->passed[id] > 0)
	tb_buffer_printf (&why, "; it fits the code of %s as well, but of those that it fits it "
			  "ends at the PC of %s alone, which has sent it if the trace ends where "
			  "its core was halted (premise ends-at-halt)",
			  g->s->cores[found->passed[id] - 1].device->name, core->name);
      bool done = !found->obeyed[id] || append_other (g, buffer, id, found->core[id], &why);
      tb_buffer_append (&why, "", 1);
      if (!done || why.failed)
	status = TB_ERR_MEMORY;
      else
	tb_warning (diag, "%s: %s: no file tells %s%s; taken for %s%s%s, %s:\n%s",
		    s->snapshot.path, buffer->name,
		    device != NULL ? "all registers of " : "what sent its trace",
		    device != NULL ? device->name : "", added->type,
		    core != NULL ? " of " : "", core != NULL ? core->name : "",
		    (const char *) why.data, added->evidence);
      tb_buffer_fini (&why);
    }
  tb_session_say_senseless (s, buffer, &senseless, "", diag);
  tb_session_say_doubtful (s, buffer, senseless.bytes, taken, skipped, diag);
  return status;
}

static void
say_protocol_idle (const struct tb_snapshot *snapshot, const char *protocol, struct tb_diag *diag)
{
  tb_warning (diag, "--protocol=%s has no effect on %s, which has no trace buffer of which no "
	      "file tells what sent its trace", protocol, snapshot->path);
}

/* Is PROTOCOL that of trace of SNAPSHOT, or was any looked at by it, as FOUND of its buffers
   says?  */
static bool
is_protocol_of (const struct tb_snapshot *snapshot, const char *protocol,
		struct tb_guessed *const *found)
{
  bool is = false;
  for (size_t i = 0; i < snapshot->nstreams; i++)
    is |= tb_protocol_find (snapshot->streams[i].source->type) == tb_protocol_find (protocol);
  for (size_t i = 0; i < snapshot->nbuffers; i++)
    for (unsigned id = 0; found[i] != NULL && id < TB_TRACE_IDS; id++)
      is |= found[i]->bytes[id] != 0;
  return is;
}

enum tb_status
tb_session_guess_sources (struct tb_session *s, const char *protocol,
			  struct tb_diag *diag)
{
  const struct tb_snapshot *snapshot = &s->snapshot;
  struct tb_guessing g = {
    .s = s, .protocol = protocol, .effort = TB_GUESS_EFFORT, .room = TB_FOUND_SOURCES
  };
  bool any = false, unsettled = false;
  for (size_t i = 0; i < snapshot->ndevices; i++)
    {
      /* An MTB that was found does not tell of buffers beside it.  */
      any |= snapshot->devices[i].class == TB_CLASS_TRACE_SOURCE && !snapshot->devices[i].found;
      g.room -= snapshot->devices[i].found && g.room > 0;
      unsettled |= snapshot->devices[i].unsettled;
    }
  size_t n = snapshot->nbuffers;
  for (size_t i = 0; i < n; i++)
    unsettled |= snapshot->buffers[i].unsettled;
  bool none = s->log != NULL || (any && !unsettled);
  if (none)
    {
      if (protocol != NULL)
	say_protocol_idle (snapshot, protocol, diag);
      return TB_OK;
    }
  struct tb_guessed **found = calloc (n + 1, sizeof *found);
  struct tb_buffer *evidence = calloc (n + 1, sizeof *evidence);
  enum tb_status status = found != NULL && evidence != NULL ? TB_OK : TB_ERR_MEMORY;
  for (size_t i = 0; i < n && status == TB_OK; i++)
    {
      const struct tb_trace_buffer *buffer = &snapshot->buffers[i];
      if (buffer->left || (buffer->format == TB_FORMAT_OTHER && !buffer->unsettled))
	continue;
      found[i] = malloc (sizeof *found[i]);
      status = found[i] != NULL ? settle_buffer (&g, buffer, found[i], &evidence[i])
	       : TB_ERR_MEMORY;
      tb_buffer_append (&evidence[i], "", 1);
      if (evidence[i].failed)
	status = TB_ERR_MEMORY;
    }
  if (status == TB_OK && protocol != NULL && !is_protocol_of (snapshot, protocol, found))
    say_protocol_idle (snapshot, protocol, diag);
  if (status == TB_OK)
    status = tb_guessing_choose_cores (&g, found);
  for (size_t i = 0; i < n && status == TB_OK; i++)
    if (found[i] != NULL)
      status = add_sources (&g, &snapshot->buffers[i], found[i],
			    (const char *) evidence[i].data, diag);
  if (g.effort.spent)
    {
      tb_error (diag, "%s: there are too many trace buffers, trace IDs in them, and cores to work "
		"out what sent what; --protocol makes it less, devices in the snapshot all of it",
		snapshot->path);
      status = TB_ERR_INPUT;
    }
  for (size_t i = 0; i < n; i++)
    {
      if (found != NULL)
	free (found[i]);
      if (evidence != NULL)
	tb_buffer_fini (&evidence[i]);
    }
  free (found);
  free (evidence);
  return status;
}
