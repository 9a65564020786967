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

#include "recording/session-cores.h"
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

/* Do all dumps of CORE that have the registers BLOCK, which DUMP has, have the same?  */
static bool
is_agreed (const struct tb_session_core *core, const struct tb_dump *dump,
	   const struct tb_mtb_block *block)
{
  uint64_t run;
  return tb_session_is_known (core, dump->space, block->address, sizeof block->value, &run)
	 && run == sizeof block->value;
}

/* The registers of an MTB that a dump of CORE has, whose trace area is in a dump, too.  */
static bool
find_registers (const struct tb_session_core *core, struct tb_mtb_block *block)
{
  const struct tb_device *device = core->device;
  struct tb_mtb_block one;
  bool found = false;
  for (size_t i = 0; i < device->ndumps && !(found && block->identified); i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      uint64_t address, length;
      if (!tb_mtb_find_registers (&one, d->data, d->address, d->length)
	  || !is_agreed (core, d, &one)
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

/* That of ROWS which the registers BLOCK tell of, of CORE; NULL: none.  */
static const struct tb_mtb_row *
row_of (const struct tb_mtb_block *block, const struct tb_mtb_rows *rows,
	const struct tb_session_core *core)
{
  for (int i = 0; i < rows->count; i++)
    if (rows->row[i].core == core && is_of (block, &rows->row[i]))
      return &rows->row[i];
  return NULL;
}

/* Do the registers BLOCK, which the memory of CORE has, tell of ROWS that are of other cores?
   Cores that have memory in common find the registers of each other's MTB there.  */
static bool
is_of_other (const struct tb_mtb_block *block, const struct tb_mtb_rows *rows,
	     const struct tb_session_core *core)
{
  uint64_t address, length;
  bool other = false;
  if (!tb_mtb_block_area (block, &address, &length))
    return false;
  for (int i = 0; i < rows->count && !other; i++)
    {
      const struct tb_mtb_row *row = &rows->row[i];
      uint64_t at = tb_mtb_row_at (row), size = TB_MTB_PACKET_SIZE * row->area.packets;
      const struct tb_dump *dump = tb_session_dump_of (core->device, at, size);
      other = row->core != core && at - address < length && dump != NULL
	      && memcmp (dump->data + (at - dump->address), row->data + row->area.offset,
			 (size_t) size) == 0;
    }
  return other;
}

/* Can the registers BLOCK be believed by themselves?  Those of an MTB that nobody set up have
   anything (DDI 0486, 3.2).  */
static bool
is_tracing (const struct tb_mtb_block *block)
{
  return block->identified && is_on (block) && (block->value[0] & ~UINT32_C (3)) != 0;
}

/* Add to S the MTB of CORE whose registers are BLOCK; PACKETS were found by themselves, too (0:
   none were).  EFFORT is for looking at them.  */
static enum tb_status
add_block (struct tb_session *s, const struct tb_session_core *core,
	   const struct tb_mtb_block *block, uint64_t packets, struct tb_mtb_effort *effort,
	   struct tb_diag *diag)
{
  struct tb_mtb_registers registers = { .known = (1u << TB_MTB_NREGS) - 1 };
  const struct tb_session_core *ran;
  uint64_t address, length;
  memcpy (registers.value, block->value, sizeof registers.value);
  tb_mtb_block_area (block, &address, &length);
  enum tb_status status
    = tb_session_mtb_thread (s, core, address, length, block->value[0], effort, &ran);
  if (status != TB_OK)
    return status;
  tb_warning (diag, "%s: %s, but the memory of %s has the registers of an MTB at %#"
	      PRIx64 ", by which its packets are in the %" PRIu64 " bytes at %#" PRIx64 "%s%s%s",
	      s->snapshot.path, tb_mtb_untold (s), core->device->name, block->address, length,
	      address, packets > 0 ? "; they lead to each other through the program" : "",
	      ran != core ? TB_MTB_RAN : "", ran != core ? ran->device->name : "");
  return tb_snapshot_add_mtb (&s->snapshot, ran->device, &registers, NULL, NULL, 0, NULL)
	 ? TB_OK : TB_ERR_MEMORY;
}

/* Is core number NUMBER of S one that may have an MTB, and the first with its dumps?  Threads of a
   core file have the same.  */
static bool
may_have_mtb (const struct tb_session *s, size_t number)
{
  const struct tb_session_core *core = &s->cores[number];
  bool may = core->device != NULL && core->profile.is_m;
  for (size_t i = 0; i < number && may; i++)
    may = !tb_session_shares_dumps (core, &s->cores[i]);
  return may;
}

bool
tb_session_has_mtb_cores (const struct tb_session *s)
{
  unsigned n = 0;
  for (size_t i = 0; i < s->ncores; i++)
    n += may_have_mtb (s, i);
  return n > 1;
}

/* Is CORE one of the COUNT cores TOLD, whose MTBs the user tells of?  */
static bool
is_one_of (const struct tb_session_core *core, const struct tb_session_core *const *told,
	   size_t count)
{
  bool is = false;
  for (size_t i = 0; i < count && !is; i++)
    is = core == told[i];
  return is;
}

/* Let *CORE be that of S whose MTB MTB tells of: the one that is named, by MTB or of BUFFER, which
   has the packets; or the only one that is not of the COUNT cores TOLD, whose memory has the area
   of the MTB if BUFFER is NULL.  */
static enum tb_status
find_told (struct tb_session *s, const struct tb_mtb_told *mtb,
	   const struct tb_trace_buffer *buffer,
	   const struct tb_session_core *const *told, size_t count,
	   const struct tb_session_core **core, struct tb_diag *diag)
{
  const struct tb_mtb_registers *registers = &mtb->registers;
  const struct tb_session_core *named = NULL, *first = NULL, *fitting[2] = { NULL };
  const char *name = mtb->core != NULL || buffer == NULL || buffer->core == NULL
		     ? mtb->core : buffer->core->name;
  bool any = false, in_memory = buffer == NULL;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_session_core *one = &s->cores[i];
      if (one->device == NULL || !one->profile.is_m)
	continue;
      any = true;
      if (name != NULL && strcmp (one->device->name, name) == 0)
	named = one;
      if (!may_have_mtb (s, i) || is_one_of (one, told, count))
	continue;
      first = first != NULL ? first : one;
      if (!in_memory || tb_session_dump_of (one->device, registers->value[3],
					    tb_mtb_length (registers)) != NULL)
	fitting[fitting[0] != NULL] = one;
    }
  /* Where no memory has the area, the decoder says so of the first core.  */
  *core = name != NULL ? named : fitting[0] != NULL ? fitting[0] : first;
  if (!any)
    tb_error (diag, "--mtb=%s: expected a core of the M profile, found none in %s", mtb->text,
	      s->snapshot.path);
  else if (*core == NULL && name != NULL)
    tb_error (diag, "--mtb=%s: expected the name of a core of the M profile, found '%s'; --list "
	      "shows what %s has", mtb->text, name, s->snapshot.path);
  else if (*core != NULL && buffer != NULL && buffer->core != NULL
	   && buffer->core != (*core)->device)
    {
      tb_error (diag, "--mtb=%s: expected the core of the trace buffer %s, which is told to be "
		"%s's, found %s", mtb->text, buffer->name, buffer->core->name,
		(*core)->device->name);
      *core = NULL;
    }
  else if (*core == NULL || is_one_of (*core, told, count))
    {
      tb_error (diag, "--mtb=%s: expected one --mtb for each core, found another one %s%s",
		mtb->text, *core != NULL ? "of " : "than those of all cores of the M profile in ",
		*core != NULL ? (*core)->device->name : s->snapshot.path);
      *core = NULL;
    }
  else if (name == NULL && fitting[1] != NULL)
    {
      tb_error (diag, "--mtb=%s: expected @CORE behind it, as it may be the MTB of %s or of %s",
		mtb->text, fitting[0]->device->name, fitting[1]->device->name);
      *core = NULL;
    }
  return *core != NULL ? TB_OK : TB_ERR_INPUT;
}

/* Let *RAN be the thread of CORE, the one of S whose MTB MTB tells of, that ran, unless MTB names
   it.  TB_ERR_MEMORY is the only error.  */
static enum tb_status
find_ran (const struct tb_session *s, const struct tb_mtb_told *mtb,
	  const struct tb_session_core *core, struct tb_mtb_effort *effort,
	  const struct tb_session_core **ran)
{
  struct tb_mtb_block block;
  uint64_t address, length;
  *ran = core;
  memcpy (block.value, mtb->registers.value, sizeof block.value);
  return mtb->core != NULL || !tb_mtb_block_area (&block, &address, &length) ? TB_OK
	 : tb_session_mtb_thread (s, core, address, length, block.value[0], effort, ran);
}

/* Add to S the MTBs that the user tells of in OPTIONS, of the cores TOLD, which has room for as
   many.  *DONE: they are trace buffers, and no other one is to be found.  */
static enum tb_status
add_told (struct tb_session *s, const struct tb_session_options *options,
	  const struct tb_session_core **told, bool *done, struct tb_diag *diag)
{
  bool untold = has_untold_trace (s) && s->snapshot.nbuffers == options->nmtbs;
  *done = untold;
  if (!has_no_trace (s) && !untold)
    {
      tb_error (diag, "--mtb=%s: expected an input without trace, or with one buffer for each "
		"--mtb (%zu) of which no file tells what sent its trace, found one that has it: %s",
		options->mtbs[0].text, options->nmtbs, s->snapshot.path);
      return TB_ERR_INPUT;
    }
  enum tb_status status = TB_OK;
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  for (size_t i = 0; i < options->nmtbs && status == TB_OK; i++)
    {
      const struct tb_mtb_told *mtb = &options->mtbs[i];
      const struct tb_session_core *ran = NULL;
      status = find_told (s, mtb, untold ? &s->snapshot.buffers[i] : NULL, told, i, &told[i],
			  diag);
      if (status == TB_OK && !untold)
	status = find_ran (s, mtb, told[i], &effort, &ran);
      if (status == TB_OK && untold)
	status = tb_session_tell_mtb_buffer (s, told[i], &s->snapshot.buffers[i], mtb, diag);
      else if (status == TB_OK)
	status = tb_snapshot_add_mtb (&s->snapshot, ran->device, &mtb->registers, NULL, NULL, 0,
				      NULL)
		 ? TB_OK : TB_ERR_MEMORY;
    }
  return status;
}

/* Add to S the MTB of CORE, if its memory has the registers of one or ROWS tell.  TB_ERR_MEMORY is
   the only error.  */
static enum tb_status
settle_core (struct tb_session *s, const struct tb_mtb_rows *rows,
	     const struct tb_session_core *core, struct tb_diag *diag)
{
  struct tb_mtb_block block;
  bool ambiguous, has_registers = find_registers (core, &block);
  const struct tb_mtb_row *best = tb_mtb_rows_choose (rows, core, &ambiguous);
  bool any = best != NULL || ambiguous;
  const struct tb_mtb_row *row = has_registers ? row_of (&block, rows, core) : NULL;
  if (row != NULL || (has_registers && !any && is_tracing (&block) && !core->device->late
		      && !is_of_other (&block, rows, core)))
    return add_block (s, core, &block, row != NULL ? row->area.packets : 0, rows->effort, diag);
  if (has_registers && any && (best == NULL || !best->area.round))
    tb_warning (diag, "%s: the registers of an MTB that the memory of %s has at %#" PRIx64
		" do not tell of the packets in it, and are not used", s->snapshot.path,
		core->device->name, block.address);
  return tb_mtb_rows_settle (s, rows, core, diag);
}

/* Is the memory of core number NUMBER of S to be looked through, the COUNT cores TOLD being those
   whose MTBs the user tells of?  */
static bool
is_searched (const struct tb_session *s, size_t number,
	     const struct tb_session_core *const *told, size_t count)
{
  bool is = may_have_mtb (s, number);
  for (size_t i = 0; i < count && is; i++)
    is = !tb_session_shares_dumps (&s->cores[number], told[i]);
  return is;
}

/* The trace source of S that tells of the instructions of CORE; NULL: none.  */
static const struct tb_device *
source_of (const struct tb_session *s, const struct tb_session_core *core)
{
  const struct tb_device *source = NULL;
  for (size_t i = 0; i < s->snapshot.nstreams && source == NULL; i++)
    {
      const struct tb_trace_stream *stream = &s->snapshot.streams[i];
      const struct tb_protocol *protocol = tb_protocol_find (stream->source->type);
      if (stream->core == core->device && protocol != NULL && !protocol->software)
	source = stream->source;
    }
  return source;
}

/* SOURCE is what tells of the instructions of CORE.  Tell DIAG which of ROWS are left out because
   of that; packets of an MTB that is the source may be in memory as well.  */
static void
say_left (const struct tb_session *s, const struct tb_mtb_rows *rows,
	  const struct tb_session_core *core, const struct tb_device *source,
	  struct tb_diag *diag)
{
  for (int i = 0; i < rows->count && tb_protocol_find (source->type) != &tb_protocol_mtb; i++)
    if (rows->row[i].core == core)
      tb_warning (diag, "%s: the memory of %s at %#" PRIx64 " has %" PRIu64 " packets of an MTB, "
		  TB_MTB_CHAIN "; they are left out, as the trace of %s that is given is of %s",
		  s->snapshot.path, core->device->name, tb_mtb_row_at (&rows->row[i]),
		  rows->row[i].area.packets, core->device->name, source->type);
}

/* Look in the memory of the cores of S, but for the COUNT cores TOLD, for MTBs; OPTIONS tells of
   those.  */
static enum tb_status
find_in_memory (struct tb_session *s, const struct tb_session_options *options,
		const struct tb_session_core *const *told, size_t count, struct tb_diag *diag)
{
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  struct tb_mtb_rows rows = { .effort = &effort, .cores = tb_session_has_mtb_cores (s) };
  s->memory_searched = true;
  for (size_t i = 0; i < count; i++)
    tb_mtb_rows_tell (&rows, told[i], &options->mtbs[i].registers);
  for (size_t i = 0; i < s->ncores; i++)
    if (is_searched (s, i, told, count))
      tb_mtb_rows_in_memory (&rows, &s->cores[i]);
  enum tb_status status = rows.status;
  for (size_t i = 0; i < s->ncores && status == TB_OK; i++)
    if (is_searched (s, i, told, count))
      {
	const struct tb_device *source = source_of (s, &s->cores[i]);
	if (source != NULL)
	  say_left (s, &rows, &s->cores[i], source, diag);
	else
	  status = settle_core (s, &rows, &s->cores[i], diag);
      }
  if (effort.spent && s->snapshot.nstreams == 0)
    tb_warning (diag, "%s: %s, and there is too much memory, or code in it, to look everywhere for "
		"packets of an MTB; --mtb=BASE,POSITION,MASTER tells where they are",
		s->snapshot.path, tb_mtb_untold (s));
  return status;
}

enum tb_status
tb_session_find_mtb (struct tb_session *s, const struct tb_session_options *options,
		     struct tb_diag *diag)
{
  const char *protocol = options != NULL ? options->protocol : NULL;
  bool expected = protocol != NULL && tb_protocol_find (protocol) == &tb_protocol_mtb;
  size_t count = options != NULL ? options->nmtbs : 0;
  if (count == 0 && has_untold_trace (s) && (protocol == NULL || expected))
    return tb_session_find_mtb_buffer (s, expected, diag);
  if (count == 0)
    return has_no_trace (s) ? find_in_memory (s, options, NULL, 0, diag) : TB_OK;
  const struct tb_session_core **told = calloc (count, sizeof *told);
  bool done = false;
  enum tb_status status = told != NULL ? add_told (s, options, told, &done, diag) : TB_ERR_MEMORY;
  if (status == TB_OK && !done)
    status = find_in_memory (s, options, told, count, diag);
  free (told);
  return status;
}

enum tb_status
tb_session_find_mtb_beside (struct tb_session *s, const struct tb_session_options *options,
			    struct tb_diag *diag)
{
  bool beside = !s->memory_searched && s->log == NULL && s->snapshot.nbuffers > 0
		&& (options == NULL || options->nmtbs == 0);
  /* What the input tells of its trace is all.  */
  for (size_t i = 0; i < s->snapshot.ndevices && beside; i++)
    beside = s->snapshot.devices[i].class != TB_CLASS_TRACE_SOURCE || s->snapshot.devices[i].found;
  return beside ? find_in_memory (s, options, NULL, 0, diag) : TB_OK;
}
