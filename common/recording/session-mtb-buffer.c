/* An MTB whose packets are a trace buffer, of which no file tells what sent it: the RAM of an MTB
   that was dumped by itself.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-mtb.h"

#include <inttypes.h>
#include <stdio.h>

#include "decode/mtb/find.h"

/* May the bytes of BUFFER be those of an MTB?  */
static bool
is_plain (const struct tb_trace_buffer *buffer)
{
  return buffer->nspans == 1
	 && (buffer->unsettled || buffer->format == TB_FORMAT_SOURCE_DATA);
}

/* Add to S the MTB of CORE with REGISTERS, whose packets are the bytes PACKETS of BUFFER.
   EVIDENCE: as tb_snapshot_add_mtb.  */
static enum tb_status
add (struct tb_session *s, const struct tb_session_core *core,
     const struct tb_trace_buffer *buffer, const struct tb_mtb_registers *registers,
     const struct tb_span *packets, const char *evidence)
{
  return tb_snapshot_add_mtb (&s->snapshot, core->device, registers, buffer, packets, 1, evidence)
	 ? TB_OK : TB_ERR_MEMORY;
}

enum tb_status
tb_session_tell_mtb_buffer (struct tb_session *s, const struct tb_session_core *core,
			    const char *text, const struct tb_mtb_registers *registers,
			    struct tb_diag *diag)
{
  const struct tb_trace_buffer *buffer = &s->snapshot.buffers[0];
  const uint64_t length = tb_mtb_length (registers);
  if (!is_plain (buffer) || buffer->size != length)
    {
      tb_error (diag, "--mtb=%s: expected %" PRIu64 " bytes of MTB packets (MASTER) in %s, found "
		"%" PRIu64 "%s", text, length, buffer->name, buffer->size,
		is_plain (buffer) ? "" : " with frames");
      return TB_ERR_INPUT;
    }
  return add (s, core, buffer, registers, &buffer->spans[0], NULL);
}

/* Take the packets AREA of BUFFER for the trace of CORE, of S.  */
static enum tb_status
add_area (struct tb_session *s, const struct tb_session_core *core,
	  const struct tb_trace_buffer *buffer, const struct tb_mtb_area *area,
	  struct tb_diag *diag)
{
  const struct tb_span *all = &buffer->spans[0];
  uint64_t left = all->size - area->offset;
  const struct tb_span packets = {
    .data = all->data + area->offset,
    .size = (size_t) (area->length < left ? area->length : left)
  };
  const struct tb_mtb_registers registers = {
    .value = { (uint32_t) area->pointer | (area->wrapped ? 4 : 0) }, .known = 1
  };
  char evidence[200];
  snprintf (evidence, sizeof evidence, "%" PRIu64 " packets in %.60s, " TB_MTB_CHAIN,
	    area->packets, buffer->name);
  tb_warning (diag, "%s: %s: no file tells what sent its trace; it has %" PRIu64 " packets of an "
	      "MTB, " TB_MTB_CHAIN "%s", s->snapshot.path, buffer->name, area->packets, area->round
	      ? "; the newest leads to the oldest, too, so that where they begin is not known: "
	      "--mtb=BASE,POSITION,MASTER tells"
	      : ", and is taken for that of the run that halted (premise found-packets)");
  return area->round ? TB_OK : add (s, core, buffer, &registers, &packets, evidence);
}

enum tb_status
tb_session_find_mtb_buffer (struct tb_session *s, struct tb_diag *diag)
{
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  for (size_t i = 0; i < s->snapshot.nbuffers; i++)
    for (size_t k = 0; k < s->ncores; k++)
      {
	const struct tb_session_core *core = &s->cores[k];
	const struct tb_trace_buffer *buffer = &s->snapshot.buffers[i];
	struct tb_mtb_area area;
	if (core->device == NULL || !core->profile.is_m || !is_plain (buffer))
	  continue;
	const struct tb_span *span = &buffer->spans[0];
	int n = tb_mtb_find (&area, 1, span->data, 0, span->size,
			     (span->size & (span->size - 1)) == 0,
			     tb_session_halt_pc (core->device), core->map, &core->profile, &effort);
	if (n < 0)
	  return TB_ERR_MEMORY;
	if (n > 0)
	  return add_area (s, core, buffer, &area, diag);
      }
  return TB_OK;
}
