/* The trace source that was worked out, as one of a session, and what is of none.  See
   session-streams.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-streams.h"

#include <inttypes.h>
#include <stdio.h>

#include "coresight/frame.h"
#include "recording/guess.h"

/* More than so many parts of ten without sense make the rest doubtful.  */
#define SENSELESS_TENTHS 9

enum tb_status
tb_session_add_guess (struct tb_session *s, const struct tb_trace_buffer *buffer,
		      const struct tb_guess *guess, unsigned id, const struct tb_device *core,
		      const struct tb_device *device)
{
  struct tb_guess_source made;
  tb_guess_make_source (guess, &made);
  char name[80];
  const char *type = guess->kind->type;
  snprintf (name, sizeof name, "%s_%x", guess->protocol->name, id);
  for (unsigned n = 2; tb_snapshot_device (&s->snapshot, name) != NULL; n++)
    snprintf (name, sizeof name, "%s_%x_%u", guess->protocol->name, id, n);
  struct tb_buffer text = { 0 };
  tb_guess_text (&text, guess, "");
  tb_buffer_append (&text, "", 1);
  const struct tb_device source = {
    .name = name, .file = s->snapshot.path, .type = type, .regs = made.regs,
    .nregs = made.device.nregs, .evidence = (const char *) text.data
  };
  bool done = !text.failed
	      && (device != NULL
		  ? tb_snapshot_settle_source (&s->snapshot, device, &source)
		  : tb_snapshot_add_source (&s->snapshot, &source, core, buffer));
  tb_buffer_fini (&text);
  return done ? TB_OK : TB_ERR_MEMORY;
}

void
tb_session_say_senseless (struct tb_session *s, const struct tb_trace_buffer *buffer,
			  const struct tb_senseless *found, const char *more,
			  struct tb_diag *diag)
{
  char of[60] = "";
  if (found->count == 0)
    return;
  if (found->count > 1)
    snprintf (of, sizeof of, " of %u trace IDs, 0x%02x the first", found->count, found->id);
  else if (found->id != TB_ID_NONE)
    snprintf (of, sizeof of, " of trace ID 0x%02x", found->id);
  s->senseless += found->bytes;
  tb_warning (diag, "%s: %s: nothing makes sense of the %" PRIu64 " bytes%s%s; they are left "
	      "out", s->snapshot.path, buffer->name, found->bytes, of, more);
}

void
tb_session_say_doubtful (const struct tb_session *s, const struct tb_trace_buffer *buffer,
			 uint64_t left, uint64_t taken, uint64_t skipped, struct tb_diag *diag)
{
  if (taken == 0 || left + skipped <= (left + taken) / 10 * SENSELESS_TENTHS)
    return;
  tb_warning (diag, "%s: %s: nothing makes sense of %" PRIu64 " of its %" PRIu64 " bytes; what is "
	      "decoded of the others may be chance: then the buffer %s", s->snapshot.path,
	      buffer->name, left + skipped, left + taken, tb_buffer_is_framed (buffer)
	      ? "has no frames, which its format says that it has (source_data has none)"
	      : "is something else than trace");
}
