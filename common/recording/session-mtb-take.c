/* Taking a row of packets of an MTB for a session's trace, and saying so.  See session-mtb-rows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-mtb-rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "recording/session-mtb.h"

/* Append where the packets of ROW are, and how to choose them, there being several CORES.  Of a
   buffer the registers of an MTB tell only if it has nothing else.  */
static void
say_row (struct tb_buffer *text, const struct tb_mtb_row *row, bool cores)
{
  const struct tb_mtb_area *area = &row->area;
  uint64_t mask = 0;
  while (UINT64_C (16) << mask < area->length)
    mask++;
  if (row->buffer != NULL)
    {
      tb_buffer_printf (text, "%" PRIu64 " of %s at byte %#" PRIx64 " of %s", area->packets,
			row->core->device->name, tb_mtb_row_at (row), row->buffer->name);
      return;
    }
  tb_buffer_printf (text, "%" PRIu64 " at %#" PRIx64, area->packets, tb_mtb_row_at (row));
  if (!area->round && !area->open)
    tb_buffer_printf (text, " (--mtb=%#" PRIx64 ",%#" PRIx64 ",%#" PRIx64 "%s%s)",
		      tb_mtb_row_at (row), area->pointer | (area->wrapped ? 4 : 0), mask,
		      cores ? "@" : "", cores ? row->core->device->name : "");
}

/* Append those of ROWS that are CORE's, but for CHOSEN, which may be NULL; only those that lead to
   the halt if AT_HALT.  */
static void
say_rows (struct tb_buffer *text, const struct tb_mtb_rows *rows,
	  const struct tb_session_core *core, const struct tb_mtb_row *chosen, bool at_halt)
{
  const char *comma = "";
  for (int i = 0; i < rows->count; i++)
    if (rows->row[i].core == core && &rows->row[i] != chosen
	&& rows->row[i].area.at_halt >= at_halt)
      {
	tb_buffer_printf (text, "%s", comma);
	say_row (text, &rows->row[i], rows->cores);
	comma = ", ";
      }
}

/* Was trace taken out of BUFFER?  */
static bool
is_taken (const struct tb_snapshot *snapshot, const struct tb_trace_buffer *buffer)
{
  for (size_t i = 0; i < snapshot->nstreams; i++)
    if (snapshot->streams[i].buffer == buffer)
      return true;
  return false;
}

void
tb_mtb_rows_leave (struct tb_session *s, const struct tb_mtb_rows *rows)
{
  for (int i = 0; i < rows->count; i++)
    if (rows->row[i].buffer != NULL && !is_taken (&s->snapshot, rows->row[i].buffer))
      tb_snapshot_leave_buffer (&s->snapshot, rows->row[i].buffer);
}

/* Tell DIAG that of ROWS more than one of CORE lead to the halt.  TB_ERR_MEMORY is the only
   error.  */
static enum tb_status
say_ambiguous (struct tb_session *s, const struct tb_mtb_rows *rows,
	       const struct tb_session_core *core, struct tb_diag *diag)
{
  struct tb_buffer text = { 0 };
  const struct tb_mtb_row *row = NULL;
  bool buffers = false;
  for (int i = 0; i < rows->count; i++)
    if (rows->row[i].area.at_halt && rows->row[i].core == core)
      {
	row = row != NULL ? row : &rows->row[i];
	buffers |= rows->row[i].buffer != row->buffer;
      }
  bool memory = row->buffer == NULL;
  say_rows (&text, rows, core, NULL, true);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    tb_warning (diag, "%s: %s%s%s has packets of an MTB in several places, each of which leads to "
		"the next one through the program, or to a pause in tracing, and the last to the "
		"halt: %s; at most one of these is of the run that halted, and none is taken: %s",
		s->snapshot.path, memory ? tb_mtb_untold (s) : "no file tells what sent its trace",
		memory ? ", and the memory of " : ", and ",
		memory ? core->device->name : buffers ? "it" : row->buffer->name,
		(const char *) text.data,
		memory ? "--mtb chooses" : "--trace=FILE with the bytes of that alone chooses");
  bool failed = text.failed;
  tb_buffer_fini (&text);
  return failed ? TB_ERR_MEMORY : TB_OK;
}

/* How the packets of AREA hang together, into TEXT.  */
static void
say_chain (const struct tb_mtb_area *area, char text[160])
{
  int n = snprintf (text, 160, TB_MTB_CHAIN);
  if (area->pauses > 0)
    snprintf (text + n, (size_t) (160 - n), ", but for %" PRIu64
	      " pause%s in tracing, behind which it was started again", area->pauses,
	      area->pauses == 1 ? "" : "s");
}

const char *
tb_mtb_untold (const struct tb_session *s)
{
  return s->snapshot.nbuffers > 0 ? "no trace of its instructions is given" : "no trace is named";
}

/* Append which packets ROW of S has, and where.  */
static void
say_where (const struct tb_session *s, struct tb_buffer *text, const struct tb_mtb_row *row)
{
  const struct tb_mtb_area *area = &row->area;
  const char *core = row->core->device->name;
  bool named = *row->name != '\0';
  if (row->buffer == NULL)
    tb_buffer_printf (text, "%s, but the memory of %s at %#" PRIx64 "%s%s%s has %"
		      PRIu64 " packets of an MTB", tb_mtb_untold (s), core, tb_mtb_row_at (row),
		      named ? ", which the program calls " : "", row->name, named ? "," : "",
		      area->packets);
  else
    tb_buffer_printf (text, "%s: no file tells what sent its trace; it has %" PRIu64
		      " packets of an MTB of %s", row->buffer->name, area->packets, core);
  if (row->buffer != NULL && area->offset > 0)
    tb_buffer_printf (text, " at byte %#" PRIx64, tb_mtb_row_at (row));
}

/* Append what is done with the packets of ROW, some of them if PART, none if its buffer is
   USED.  */
static void
say_what_of_it (struct tb_buffer *text, const struct tb_mtb_row *row, bool used, bool part)
{
  const struct tb_mtb_area *area = &row->area;
  if (used)
    tb_buffer_printf (text, "packets of another core were taken out of it, and these are left out: "
		      "--trace=FILE with the bytes of these alone is another buffer");
  else if (row->or_core != NULL)
    {
      tb_buffer_printf (text, "they do so through that of %s, too, and which of the cores sent "
			"them is not known, so that none is taken: ", row->or_core->device->name);
      if (row->buffer != NULL)
	tb_buffer_printf (text, "--mtb=BASE,POSITION,MASTER@CORE, if all of the file is the "
			  "MTB's, or @CORE behind the file's name tells");
      else
	tb_buffer_printf (text, "--mtb=BASE,POSITION,MASTER@CORE tells");
    }
  else if (area->cut)
    tb_buffer_printf (text, "they go on to the end of %s, behind which newer ones may lie, and are "
		      "taken for its trace, and as far as they go for that of the run that halted "
		      "(premise found-packets)",
		      row->buffer != NULL ? "the file" : "the dump");
  else if (!area->round)
    tb_buffer_printf (text, "they %sare taken for its trace, and for that of the run that halted "
		      "(premise found-packets)",
		      area->wrapped && !area->open ? "fill the buffer, and " : "");
  else
    {
      tb_buffer_printf (text, "the newest leads to the oldest, too, %s",
			area->pauses > 0
			? "or they begin or end at a pause, so that where is not known"
			: part
			? "and several lead to the halt, so that where they begin is not known"
			: "so that where they begin is not known");
      if (part)
	tb_buffer_printf (text, ": the %" PRIu64 " that are in the same order wherever they begin "
			  "are taken", area->sure);
      tb_buffer_printf (text, "%s --mtb=BASE,POSITION,MASTER tells%s", part ? ";" : ":",
			tb_device_pc (row->core->device) != NULL ? ""
			: ", or the PC at the halt (tracebridge-snapshot --registers=PC=VALUE)");
    }
}

/* How many rows CORE has in ROWS.  */
static unsigned
count_rows (const struct tb_mtb_rows *rows, const struct tb_session_core *core)
{
  unsigned n = 0;
  for (int i = 0; i < rows->count; i++)
    n += rows->row[i].core == core;
  return n;
}

/* Tell DIAG of ROW, one of ROWS, the thread RAN's, of which some packets are taken if PART, none if
   its buffer is USED.  False: no memory.  */
static bool
say_found (const struct tb_session *s, const struct tb_mtb_rows *rows,
	   const struct tb_mtb_row *row, const struct tb_session_core *ran, const char *chain,
	   bool used, bool part, struct tb_diag *diag)
{
  struct tb_buffer text = { 0 };
  say_where (s, &text, row);
  tb_buffer_printf (&text, ", %s; ", chain);
  say_what_of_it (&text, row, used, part);
  if (ran != row->core)
    tb_buffer_printf (&text, TB_MTB_RAN "%s", ran->device->name);
  if (row->area.older > 0 && !used && row->or_core == NULL)
    tb_buffer_printf (&text, "; the %" PRIu64 " before them are left out", row->area.older);
  if (count_rows (rows, row->core) > 1)
    {
      tb_buffer_printf (&text, "; %s, and not: ",
			row->area.at_halt ? "they alone lead to the halt"
			: "they are the most, none leads to the halt");
      say_rows (&text, rows, row->core, row, false);
    }
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    tb_warning (diag, "%s: %s", s->snapshot.path, (const char *) text.data);
  bool failed = text.failed;
  tb_buffer_fini (&text);
  return !failed;
}

/* Take the packets of ROW, one of ROWS, for the trace of S, as tb_mtb_rows_settle says.  */
static enum tb_status
add (struct tb_session *s, const struct tb_mtb_rows *rows, const struct tb_mtb_row *row,
     struct tb_diag *diag)
{
  const struct tb_session_core *ran = row->core;
  const struct tb_mtb_area *area = &row->area;
  bool part = area->round && area->sure > 0;
  bool used = row->buffer != NULL && is_taken (&s->snapshot, row->buffer);
  bool none = used || row->or_core != NULL || (area->round && !part);
  char chain[160], evidence[300];
  say_chain (area, chain);
  if (row->buffer == NULL && !none && !part
      && tb_session_mtb_thread (s, row->core, tb_mtb_row_at (row), area->length,
				area->pointer | (area->wrapped ? 4 : 0), rows->effort, &ran)
	 != TB_OK)
    return TB_ERR_MEMORY;
  const struct tb_device *core = ran->device;
  if (!say_found (s, rows, row, ran, chain, used, part, diag))
    return TB_ERR_MEMORY;
  if (none)
    return TB_OK;
  const uint8_t *data = row->data + area->offset;
  uint64_t left = row->length - area->offset;
  uint64_t length = area->length < left ? area->length : left;
  /* POSITION has the pointer, and WRAP in bit 2; BASE tells where the packets are even when they
     are written to a file of their own.  */
  struct tb_mtb_registers registers = {
    .value = { [0] = (uint32_t) area->pointer | (area->wrapped ? 4 : 0),
	       [3] = (uint32_t) tb_mtb_row_at (row) },
    .known = row->buffer != NULL ? 1 : 1 | 1 << 3
  };
  struct tb_span spans[2] = { { .data = data, .size = (size_t) length } };
  if (part)
    {
      /* As if they began where the area does, and were not yet written round.  */
      spans[0] = (struct tb_span) { .data = data + area->sure_first,
				    .size = (size_t) (length - area->sure_first) };
      spans[1] = (struct tb_span) { .data = data, .size = (size_t) area->sure_first };
      registers.value[0] = (uint32_t) (TB_MTB_PACKET_SIZE * area->sure);
    }
  else if (area->length > left)
    /* A buffer has the size of a power of two: what lies before stands for what is lacking.  */
    spans[1] = (struct tb_span) { .data = data - (area->length - left),
				  .size = (size_t) (area->length - left) };
  if (row->buffer != NULL)
    snprintf (evidence, sizeof evidence, "%" PRIu64 " packets in %.60s, %s", area->packets,
	      row->buffer->name, chain);
  else
    snprintf (evidence, sizeof evidence, "%" PRIu64 " packets in the memory of %.40s at %#" PRIx64
	      ", %s", area->packets, row->core->device->name, tb_mtb_row_at (row), chain);
  return tb_snapshot_add_mtb (&s->snapshot, core, &registers, row->buffer, spans,
			      1 + (spans[1].size > 0), evidence)
	 ? TB_OK : TB_ERR_MEMORY;
}

enum tb_status
tb_mtb_rows_settle (struct tb_session *s, const struct tb_mtb_rows *rows,
		    const struct tb_session_core *core, struct tb_diag *diag)
{
  bool ambiguous;
  const struct tb_mtb_row *row = tb_mtb_rows_choose (rows, core, &ambiguous);
  return row != NULL ? add (s, rows, row, diag)
	 : ambiguous ? say_ambiguous (s, rows, core, diag) : TB_OK;
}
