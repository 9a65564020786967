/* Taking a row of packets of an MTB for a session's trace, and saying so.  See session-mtb-rows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-mtb-rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "recording/session-mtb.h"

/* Append where the packets of ROW are, and how to choose them.  Of a buffer the registers of an MTB
   tell only if it has nothing else.  */
static void
say_row (struct tb_buffer *text, const struct tb_mtb_row *row)
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
  if (!area->round)
    tb_buffer_printf (text, " (--mtb=%#" PRIx64 ",%#" PRIx64 ",%#" PRIx64 ")",
		      tb_mtb_row_at (row), area->pointer | (area->wrapped ? 4 : 0), mask);
}

/* Append the ROWS but for CHOSEN, which may be NULL; only those that lead to the halt if
   AT_HALT.  */
static void
say_rows (struct tb_buffer *text, const struct tb_mtb_rows *rows, const struct tb_mtb_row *chosen,
	  bool at_halt)
{
  const char *comma = "";
  for (int i = 0; i < rows->count; i++)
    if (&rows->row[i] != chosen && rows->row[i].area.at_halt >= at_halt)
      {
	tb_buffer_printf (text, "%s", comma);
	say_row (text, &rows->row[i]);
	comma = ", ";
      }
}

/* What is said of ROWS is all that is to be said of the buffers of S that have them.  */
static void
leave_buffers (struct tb_session *s, const struct tb_mtb_rows *rows,
	       const struct tb_mtb_row *chosen)
{
  for (int i = 0; i < rows->count; i++)
    if (rows->row[i].buffer != NULL
	&& (chosen == NULL || rows->row[i].buffer != chosen->buffer))
      tb_snapshot_leave_buffer (&s->snapshot, rows->row[i].buffer);
}

/* Tell DIAG that of ROWS more than one lead to the halt.  TB_ERR_MEMORY is the only error.  */
static enum tb_status
say_ambiguous (struct tb_session *s, const struct tb_mtb_rows *rows, struct tb_diag *diag)
{
  struct tb_buffer text = { 0 };
  const struct tb_mtb_row *row = NULL;
  bool buffers = false, cores = false;
  for (int i = 0; i < rows->count; i++)
    if (rows->row[i].area.at_halt)
      {
	row = row != NULL ? row : &rows->row[i];
	buffers |= rows->row[i].buffer != row->buffer;
	cores |= rows->row[i].core != row->core;
      }
  bool memory = row->buffer == NULL;
  say_rows (&text, rows, NULL, true);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    tb_warning (diag, "%s: %s%s has packets of an MTB in several places, each of which leads to "
		"the next one through the program, or to a pause in tracing, and the last to the "
		"halt: %s; at most one of %s is of the run that halted, and %s: %s",
		s->snapshot.path, memory ? "no trace is named, and the memory of "
		: "no file tells what sent its trace, and ",
		memory ? row->core->device->name : buffers ? "it" : row->buffer->name,
		(const char *) text.data, cores ? "each core" : "these",
		cores ? "one alone can be taken at a time" : "none is taken",
		memory ? "--mtb chooses" : "--trace=FILE with the bytes of that alone chooses");
  leave_buffers (s, rows, NULL);
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

/* Append which packets ROW has, and where.  */
static void
say_where (struct tb_buffer *text, const struct tb_mtb_row *row)
{
  const struct tb_mtb_area *area = &row->area;
  const char *core = row->core->device->name;
  bool named = *row->name != '\0';
  if (row->buffer == NULL)
    tb_buffer_printf (text, "no trace is named, but the memory of %s at %#" PRIx64 "%s%s%s has %"
		      PRIu64 " packets of an MTB", core, tb_mtb_row_at (row),
		      named ? ", which the program calls " : "", row->name, named ? "," : "",
		      area->packets);
  else
    tb_buffer_printf (text, "%s: no file tells what sent its trace; it has %" PRIu64
		      " packets of an MTB of %s", row->buffer->name, area->packets, core);
  if (row->buffer != NULL && area->offset > 0)
    tb_buffer_printf (text, " at byte %#" PRIx64, tb_mtb_row_at (row));
}

/* Append what is done with the packets of ROW, some of them if PART.  */
static void
say_what_of_it (struct tb_buffer *text, const struct tb_mtb_row *row, bool part)
{
  const struct tb_mtb_area *area = &row->area;
  if (row->or_core != NULL)
    tb_buffer_printf (text, "they do so through that of %s, too, and which of the cores sent "
		      "them is not known, so that none is taken: parts of that core alone tell",
		      row->or_core->device->name);
  else if (!area->round)
    tb_buffer_printf (text, "they %sare taken for its trace, and for that of the run that halted "
		      "(premise found-packets)", area->wrapped ? "fill the buffer, and " : "");
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
      tb_buffer_printf (text, "%s --mtb=BASE,POSITION,MASTER tells", part ? ";" : ":");
    }
}

/* Tell DIAG of ROW, one of ROWS, of which some packets are taken if PART.  False: no memory.  */
static bool
say_found (const struct tb_session *s, const struct tb_mtb_rows *rows,
	   const struct tb_mtb_row *row, const char *chain, bool part, struct tb_diag *diag)
{
  struct tb_buffer text = { 0 };
  say_where (&text, row);
  tb_buffer_printf (&text, ", %s; ", chain);
  say_what_of_it (&text, row, part);
  if (rows->count > 1)
    {
      tb_buffer_printf (&text, "; %s, and not: ",
			row->area.at_halt ? "they alone lead to the halt"
			: "they are the most, none leads to the halt");
      say_rows (&text, rows, row, false);
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
  const struct tb_device *core = row->core->device;
  const struct tb_mtb_area *area = &row->area;
  bool part = area->round && area->sure > 0, none = row->or_core != NULL || (area->round && !part);
  char chain[160], evidence[300];
  say_chain (area, chain);
  if (!say_found (s, rows, row, chain, part, diag))
    return TB_ERR_MEMORY;
  leave_buffers (s, rows, none ? NULL : row);
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
  if (row->buffer != NULL)
    snprintf (evidence, sizeof evidence, "%" PRIu64 " packets in %.60s, %s", area->packets,
	      row->buffer->name, chain);
  else
    snprintf (evidence, sizeof evidence, "%" PRIu64 " packets in the memory of %.40s at %#" PRIx64
	      ", %s", area->packets, core->name, tb_mtb_row_at (row), chain);
  return tb_snapshot_add_mtb (&s->snapshot, core, &registers, row->buffer, spans,
			      1 + (spans[1].size > 0), evidence)
	 ? TB_OK : TB_ERR_MEMORY;
}

enum tb_status
tb_mtb_rows_settle (struct tb_session *s, const struct tb_mtb_rows *rows, bool *done,
		    struct tb_diag *diag)
{
  bool ambiguous;
  const struct tb_mtb_row *row = tb_mtb_rows_choose (rows, &ambiguous);
  *done = row != NULL || ambiguous;
  return row != NULL ? add (s, rows, row, diag)
	 : ambiguous ? say_ambiguous (s, rows, diag) : TB_OK;
}
