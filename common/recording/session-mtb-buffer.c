/* An MTB whose packets are a trace buffer, of which no file tells what sent it: the RAM of an MTB
   that was dumped by itself.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-mtb.h"

#include <inttypes.h>

#include "recording/session-mtb-rows.h"

/* May the bytes of BUFFER be those of an MTB?  */
static bool
is_plain (const struct tb_trace_buffer *buffer)
{
  return buffer->nspans == 1
	 && (buffer->unsettled || buffer->format == TB_FORMAT_SOURCE_DATA);
}

enum tb_status
tb_session_tell_mtb_buffer (struct tb_session *s, const struct tb_session_core *core,
			    const struct tb_trace_buffer *buffer, const struct tb_mtb_told *told,
			    struct tb_diag *diag)
{
  const struct tb_mtb_registers *registers = &told->registers;
  const uint64_t length = tb_mtb_length (registers);
  if (!is_plain (buffer) || buffer->size != length)
    {
      tb_error (diag, "--mtb=%s: expected %" PRIu64 " bytes of MTB packets (MASTER) in %s, found "
		"%" PRIu64 "%s", told->text, length, buffer->name, buffer->size,
		is_plain (buffer) ? "" : " with frames");
      return TB_ERR_INPUT;
    }
  return tb_snapshot_add_mtb (&s->snapshot, core->device, registers, buffer, &buffer->spans[0], 1,
			      NULL)
	 ? TB_OK : TB_ERR_MEMORY;
}

/* Say that the buffers of S, in which the user expects an MTB, have no packets.  */
static void
say_none (struct tb_session *s, struct tb_diag *diag)
{
  bool program = false;
  for (size_t i = 0; i < s->ncores; i++)
    program |= s->cores[i].nelves > 0;
  for (size_t i = 0; i < s->snapshot.nbuffers; i++)
    {
      const struct tb_trace_buffer *buffer = &s->snapshot.buffers[i];
      tb_warning (diag, "%s: %s: its %" PRIu64 " bytes have no packets of an MTB, "
		  TB_MTB_CHAIN "; they are left out: --mtb=BASE,POSITION,MASTER tells which are "
		  "packets%s", s->snapshot.path, buffer->name, buffer->size,
		  program ? "" : ", and --elf=FILE is the program");
      tb_snapshot_leave_buffer (&s->snapshot, buffer);
      s->senseless += buffer->size;
    }
}

enum tb_status
tb_session_find_mtb_buffer (struct tb_session *s, bool expected, struct tb_diag *diag)
{
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  struct tb_mtb_rows rows = { .effort = &effort, .cores = tb_session_has_mtb_cores (s) };
  for (size_t i = 0; i < s->snapshot.nbuffers; i++)
    for (size_t k = 0; k < s->ncores; k++)
      if (s->cores[k].device != NULL && s->cores[k].profile.is_m
	  && (s->snapshot.buffers[i].core == NULL
	      || s->snapshot.buffers[i].core == s->cores[k].device)
	  && is_plain (&s->snapshot.buffers[i]))
	tb_mtb_rows_in_buffer (&rows, &s->cores[k], &s->snapshot.buffers[i]);
  if (rows.status != TB_OK)
    return rows.status;
  enum tb_status status = TB_OK;
  for (size_t k = 0; k < s->ncores && status == TB_OK; k++)
    status = tb_mtb_rows_settle (s, &rows, &s->cores[k], diag);
  tb_mtb_rows_leave (s, &rows);
  if (rows.count > 0)
    return status;
  if (effort.spent)
    tb_warning (diag, "%s: there is too much trace of which no file tells what sent it, or code, "
		"to look everywhere for packets of an MTB; --mtb=BASE,POSITION,MASTER tells which "
		"they are", s->snapshot.path);
  if (expected)
    say_none (s, diag);
  return TB_OK;
}
