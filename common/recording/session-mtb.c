/* An MTB that a snapshot or a core file does not name: looking for its packets in RAM, first where
   the program has an object that could be its buffer.  Nothing fixes what programs call that: the
   tools of Code Red and NXP take __mtb_buffer__, others mtb, micro_trace_buffer, __tracebuffer__.
   So any object of the size of a buffer is looked at, and what it holds decides.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-mtb.h"
#include "recording/session-streams.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/session-mtb-rows.h"

/* Is there nothing in S that could be trace?  */
static bool
has_no_trace (const struct tb_session *s)
{
  const struct tb_snapshot *snapshot = &s->snapshot;
  bool none = s->log == NULL && snapshot->nbuffers == 0 && snapshot->nstreams == 0;
  for (size_t i = 0; i < snapshot->ndevices && none; i++)
    none = snapshot->devices[i].class != TB_CLASS_TRACE_SOURCE;
  return none;
}

/* Does S have trace buffers, and nothing that tells what sent the trace in them?  */
static bool
has_untold_trace (const struct tb_session *s)
{
  const struct tb_snapshot *snapshot = &s->snapshot;
  bool untold = s->log == NULL && snapshot->nbuffers > 0 && snapshot->nstreams == 0;
  for (size_t i = 0; i < snapshot->ndevices && untold; i++)
    untold = snapshot->devices[i].class != TB_CLASS_TRACE_SOURCE;
  return untold;
}

/* The registers of an MTB that a dump of DEVICE has, whose trace area is in a dump, too.  */
static bool
find_registers (const struct tb_device *device, struct tb_mtb_block *block)
{
  struct tb_mtb_block one;
  bool found = false;
  for (size_t i = 0; i < device->ndumps && !(found && block->identified); i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      uint64_t address, length;
      if (!tb_mtb_find_registers (&one, d->data, d->address, d->length)
	  || (found && !one.identified) || !tb_mtb_block_area (&one, &address, &length)
	  || tb_session_dump_of (device, address, length) == NULL)
	continue;
      *block = one;
      found = true;
    }
  return found;
}

static bool
is_on (const struct tb_mtb_block *block)
{
  return (block->value[1] & UINT32_C (1) << 31) != 0;
}

/* Do the registers BLOCK tell of the packets of ROW, and of the same one as the newest?  */
static bool
is_of (const struct tb_mtb_block *block, const struct tb_mtb_row *row)
{
  const struct tb_mtb_area *area = &row->area;
  uint64_t address, length, at = tb_mtb_row_at (row);
  if (!tb_mtb_block_area (block, &address, &length) || at < address || at - address >= length)
    return false;
  /* Of a circle nothing else tells which is the newest; where the memory was dumped later, there
     may be newer ones by then.  */
  if (area->round)
    return at == address && area->length == length && !(row->core->device->late && is_on (block));
  uint64_t pointer = address + (block->value[0] & 0xfffffff8u & (length - 1));
  /* Behind the last place comes the first one.  */
  return ((at + area->pointer - address) & (length - 1)) == pointer - address;
}

/* That of ROWS which the registers BLOCK tell of; NULL: none.  */
static const struct tb_mtb_row *
row_of (const struct tb_mtb_block *block, const struct tb_mtb_rows *rows)
{
  for (int i = 0; i < rows->count; i++)
    if (is_of (block, &rows->row[i]))
      return &rows->row[i];
  return NULL;
}

/* Can the registers BLOCK be believed by themselves?  Those of an MTB that nobody set up have
   anything (DDI 0486, 3.2).  */
static bool
is_tracing (const struct tb_mtb_block *block)
{
  return block->identified && is_on (block) && (block->value[0] & ~UINT32_C (3)) != 0;
}

/* Add to S the MTB of CORE whose registers are BLOCK; PACKETS were found by themselves, too (0:
   none were).  */
static enum tb_status
add_block (struct tb_session *s, const struct tb_session_core *core,
	   const struct tb_mtb_block *block, uint64_t packets, struct tb_diag *diag)
{
  struct tb_mtb_registers registers = { .known = (1u << TB_MTB_NREGS) - 1 };
  uint64_t address, length;
  memcpy (registers.value, block->value, sizeof registers.value);
  tb_mtb_block_area (block, &address, &length);
  tb_warning (diag, "%s: no trace is named, but the memory of %s has the registers of an MTB at %#"
	      PRIx64 ", by which its packets are in the %" PRIu64 " bytes at %#" PRIx64 "%s",
	      s->snapshot.path, core->device->name, block->address, length, address,
	      packets > 0 ? "; they lead to each other through the program" : "");
  return tb_snapshot_add_mtb (&s->snapshot, core->device, &registers, NULL, NULL, 0, NULL)
	 ? TB_OK : TB_ERR_MEMORY;
}

/* Add to S the MTB that the user tells of: TEXT, which says REGISTERS.  */
static enum tb_status
add_told (struct tb_session *s, const char *text, const struct tb_mtb_registers *registers,
	  struct tb_diag *diag)
{
  bool untold = has_untold_trace (s) && s->snapshot.nbuffers == 1;
  if (!has_no_trace (s) && !untold)
    {
      tb_error (diag, "--mtb=%s: expected an input without trace, or with one buffer of which no "
		"file tells what sent its trace, found one that has it: %s", text,
		s->snapshot.path);
      return TB_ERR_INPUT;
    }
  for (size_t i = 0; i < s->ncores; i++)
    if (s->cores[i].device != NULL && s->cores[i].profile.is_m && untold)
      return tb_session_tell_mtb_buffer (s, &s->cores[i], text, registers, diag);
    else if (s->cores[i].device != NULL && s->cores[i].profile.is_m)
      return tb_snapshot_add_mtb (&s->snapshot, s->cores[i].device, registers, NULL, NULL, 0, NULL)
	     ? TB_OK : TB_ERR_MEMORY;
  tb_error (diag, "--mtb=%s: expected a core of the M profile, found none in %s", text,
	    s->snapshot.path);
  return TB_ERR_INPUT;
}

enum tb_status
tb_session_find_mtb (struct tb_session *s, const struct tb_session_options *options,
		     struct tb_diag *diag)
{
  if (options != NULL && options->mtb != NULL)
    return add_told (s, options->mtb, &options->mtb_registers, diag);
  const char *protocol = options != NULL ? options->protocol : NULL;
  bool expected = protocol != NULL && tb_protocol_find (protocol) == &tb_protocol_mtb;
  if (has_untold_trace (s) && (protocol == NULL || expected))
    return tb_session_find_mtb_buffer (s, expected, diag);
  if (!has_no_trace (s))
    return TB_OK;
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  const struct tb_dump *looked = NULL;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_session_core *core = &s->cores[i];
      struct tb_mtb_rows rows = { .effort = &effort };
      /* Threads of a core file have the same dumps.  */
      if (core->device == NULL || !core->profile.is_m || core->device->dumps == looked)
	continue;
      looked = core->device->dumps;
      struct tb_mtb_block block;
      bool done, ambiguous, has_registers = find_registers (core->device, &block);
      tb_mtb_rows_in_memory (&rows, core);
      if (rows.status != TB_OK)
	return rows.status;
      const struct tb_mtb_row *row = has_registers ? row_of (&block, &rows) : NULL;
      if (row != NULL || (has_registers && rows.count == 0 && is_tracing (&block)
			  && !core->device->late))
	return add_block (s, core, &block, row != NULL ? row->area.packets : 0, diag);
      row = tb_mtb_rows_choose (&rows, &ambiguous);
      if (has_registers && rows.count > 0 && (row == NULL || !row->area.round))
	tb_warning (diag, "%s: the registers of an MTB that the memory of %s has at %#" PRIx64
		    " do not tell of the packets in it, and are not used", s->snapshot.path,
		    core->device->name, block.address);
      enum tb_status status = tb_mtb_rows_settle (s, &rows, &done, diag);
      if (done)
	return status;
    }
  if (effort.spent)
    tb_warning (diag, "%s: no trace is named, and there is too much memory, or code in it, "
		"to look everywhere for packets of an MTB; --mtb=BASE,POSITION,MASTER tells "
		"where they are", s->snapshot.path);
  return TB_OK;
}
