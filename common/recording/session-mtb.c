/* An MTB that a snapshot or a core file does not name: looking for its packets in RAM, first where
   the program has an object that could be its buffer.  Nothing fixes what programs call that: the
   tools of Code Red and NXP take __mtb_buffer__, others mtb, micro_trace_buffer, __tracebuffer__.
   So any object of the size of a buffer is looked at, and what it holds decides.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-mtb.h"
#include "recording/session-streams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/mtb/find.h"

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

const uint64_t *
tb_session_halt_pc (const struct tb_device *core)
{
  if (core->late)
    return NULL;
  const struct tb_device_reg *pc = tb_device_reg (core, "PC");
  if (pc == NULL)
    pc = tb_device_reg (core, "R15");
  return pc != NULL ? &pc->value : NULL;
}

/* The dump of DEVICE that has all LENGTH bytes at ADDRESS; NULL: none.  */
static const struct tb_dump *
dump_of (const struct tb_device *device, uint64_t address, uint64_t length)
{
  for (size_t i = 0; i < device->ndumps; i++)
    {
      const struct tb_dump *d = &device->dumps[i];
      if (address >= d->address && address - d->address < d->length
	  && d->length - (address - d->address) >= length)
	return d;
    }
  return NULL;
}

/* A row of packets that was found.  */
struct mtb_row
{
  struct tb_mtb_area area;
  const struct tb_dump *dump;	/* Where it is.  */
  char name[64];		/* What the program calls the buffer; empty: nothing.  */
};

/* More are not looked at.  */
#define ROWS_MOST 16

/* The rows of packets that were found so far, which do not overlap.  */
struct rows
{
  const struct tb_session_core *core;
  struct tb_mtb_effort *effort;
  struct mtb_row row[ROWS_MOST];
  int count;
  enum tb_status status;
};

static uint64_t
address_of (const struct mtb_row *row)
{
  return row->dump->address + row->area.offset;
}

static bool
overlaps (const struct mtb_row *a, const struct mtb_row *b)
{
  uint64_t at_a = address_of (a), at_b = address_of (b);
  return at_a < at_b + TB_MTB_PACKET_SIZE * b->area.packets
	 && at_b < at_a + TB_MTB_PACKET_SIZE * a->area.packets;
}

/* Add ROW, unless a longer one is there, or one as long that was found before.  */
static void
add_row (struct rows *rows, const struct mtb_row *row)
{
  for (int i = 0; i < rows->count; i++)
    if (overlaps (&rows->row[i], row) && rows->row[i].area.packets >= row->area.packets)
      return;
  int kept = 0;
  for (int i = 0; i < rows->count; i++)
    if (!overlaps (&rows->row[i], row))
      rows->row[kept++] = rows->row[i];
  rows->count = kept;
  if (kept < ROWS_MOST)
    rows->row[rows->count++] = *row;
}

/* Look for packets in the LENGTH bytes from OFFSET of DUMP, which the program calls NAME (NULL:
   nothing).  */
static void
look (struct rows *rows, const struct tb_dump *dump, uint64_t offset, uint64_t length,
      const char *name)
{
  const struct tb_session_core *core = rows->core;
  struct tb_mtb_area found[ROWS_MOST];
  if (rows->status != TB_OK)
    return;
  int n = tb_mtb_find (found, ROWS_MOST, dump->data + offset, dump->address + offset, length,
		       name != NULL, tb_session_halt_pc (core->device), core->map, &core->profile,
		       rows->effort);
  if (n < 0)
    rows->status = TB_ERR_MEMORY;
  for (int i = 0; i < n; i++)
    {
      struct mtb_row row = { .area = found[i], .dump = dump };
      row.area.offset += offset;
      snprintf (row.name, sizeof row.name, "%s", name != NULL ? name : "");
      add_row (rows, &row);
    }
}

/* The program has an object called NAME: the size of a buffer is a power of two.  */
static void
look_at_object (void *context, const char *name, uint64_t address, uint64_t size)
{
  struct rows *rows = context;
  const struct tb_device *device = rows->core->device;
  if ((size & (size - 1)) != 0 || size < TB_MTB_FIND_LEAST * TB_MTB_PACKET_SIZE
      || address % TB_MTB_PACKET_SIZE != 0
      /* Of many objects and dumps it would take long to find out which has which.  */
      || !tb_mtb_spend (rows->effort, device->ndumps))
    return;
  const struct tb_dump *dump = dump_of (device, address, size);
  if (dump != NULL)
    look (rows, dump, address - dump->address, size, name);
}

/* Find the rows of packets in what the core of ROWS has.  */
static enum tb_status
find_rows (struct rows *rows)
{
  const struct tb_session_core *core = rows->core;
  for (size_t i = 0; i < core->nelves; i++)
    tb_elf_image_objects (core->elves[i], look_at_object, rows);
  for (size_t i = 0; i < core->device->ndumps; i++)
    look (rows, &core->device->dumps[i], 0, core->device->dumps[i].length, NULL);
  return rows->status;
}

/* The row that leads to the halt, or else the longest.  NULL: there is none, or *AMBIGUOUS, more
   than one leads to the halt.  */
static const struct mtb_row *
choose_row (const struct rows *rows, bool *ambiguous)
{
  const struct mtb_row *best = NULL;
  *ambiguous = false;
  for (int i = 0; i < rows->count; i++)
    {
      const struct mtb_row *row = &rows->row[i];
      *ambiguous |= best != NULL && best->area.at_halt && row->area.at_halt;
      if (best == NULL || row->area.at_halt > best->area.at_halt
	  || (row->area.at_halt == best->area.at_halt
	      && row->area.packets > best->area.packets))
	best = row;
    }
  return *ambiguous ? NULL : best;
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
	  || dump_of (device, address, length) == NULL)
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

/* Do the registers BLOCK tell of the packets AREA of DUMP, of DEVICE, and of the same one as the
   newest?  */
static bool
is_of (const struct tb_mtb_block *block, const struct tb_mtb_area *area, const struct tb_dump *dump,
       const struct tb_device *device)
{
  uint64_t address, length, at = dump->address + area->offset;
  if (!tb_mtb_block_area (block, &address, &length) || at < address || at - address >= length)
    return false;
  /* Of a circle nothing else tells which is the newest; where the memory was dumped later, there
     may be newer ones by then.  */
  if (area->round)
    return at == address && area->length == length && !(device->late && is_on (block));
  uint64_t pointer = address + (block->value[0] & 0xfffffff8u & (length - 1));
  /* Behind the last place comes the first one.  */
  return ((at + area->pointer - address) & (length - 1)) == pointer - address;
}

/* That of ROWS which the registers BLOCK tell of; NULL: none.  */
static const struct mtb_row *
row_of (const struct tb_mtb_block *block, const struct rows *rows)
{
  for (int i = 0; i < rows->count; i++)
    if (is_of (block, &rows->row[i].area, rows->row[i].dump, rows->core->device))
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

/* Append where the packets of ROW are, and how to choose them.  */
static void
say_row (struct tb_buffer *text, const struct mtb_row *row)
{
  const struct tb_mtb_area *area = &row->area;
  uint64_t mask = 0;
  while (UINT64_C (16) << mask < area->length)
    mask++;
  tb_buffer_printf (text, "%" PRIu64 " at %#" PRIx64, area->packets, address_of (row));
  if (!area->round)
    tb_buffer_printf (text, " (--mtb=%#" PRIx64 ",%#" PRIx64 ",%#" PRIx64 ")",
		      address_of (row), area->pointer | (area->wrapped ? 4 : 0), mask);
}

/* Append the ROWS but for CHOSEN, which may be NULL; only those that lead to the halt if
   AT_HALT.  */
static void
say_rows (struct tb_buffer *text, const struct rows *rows, const struct mtb_row *chosen,
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

/* Say that of ROWS more than one lead to the halt.  */
static enum tb_status
say_ambiguous (const struct tb_session *s, const struct rows *rows, struct tb_diag *diag)
{
  struct tb_buffer text = { 0 };
  say_rows (&text, rows, NULL, true);
  tb_buffer_append (&text, "", 1);
  if (!text.failed)
    tb_warning (diag, "%s: no trace is named, and the memory of %s has packets of an MTB in "
		"several places, each of which leads to the next one through the program, "
		"or to a pause in tracing, and the last to the halt: %s; at most one of these is "
		"of the run that halted, and none is taken: --mtb chooses", s->snapshot.path,
		rows->core->device->name,
		(const char *) text.data);
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

#define TAKEN ", and for that of the run that halted (premise found-packets)"

/* Add to S the packets FOUND, of ROWS.  */
static enum tb_status
add_found (struct tb_session *s, const struct rows *rows, const struct mtb_row *found,
	   struct tb_diag *diag)
{
  const struct tb_session_core *core = rows->core;
  const struct tb_mtb_area *area = &found->area;
  const struct tb_dump *dump = found->dump;
  bool named = *found->name != '\0', part = area->round && area->sure > 0;
  char chain[160], some[60] = "";
  snprintf (some, sizeof some, part ? ": of these the %" PRIu64 " before are taken; " : ": ",
	    area->sure);
  say_chain (area, chain);
  struct tb_buffer others = { 0 };
  if (rows->count > 1)
    {
      tb_buffer_printf (&others, "; %s, and not: ",
			area->at_halt ? "they alone lead to the halt"
			: "they are the most, none leads to the halt");
      say_rows (&others, rows, found, false);
    }
  tb_buffer_append (&others, "", 1);
  if (others.failed)
    {
      tb_buffer_fini (&others);
      return TB_ERR_MEMORY;
    }
  tb_warning (diag, "%s: no trace is named, but the memory of %s at %#" PRIx64 "%s%s%s has %"
	      PRIu64 " packets of an MTB, %s; %s%s%s%s", s->snapshot.path, core->device->name,
	      address_of (found),
	      named ? ", which the program calls " : "", found->name, named ? "," : "",
	      area->packets, chain,
	      area->round && area->pauses > 0
	      ? "the newest leads to the oldest, too, or they begin or end at a pause, so "
	      "that where is not known" : !area->round ? ""
	      : part ? "the newest leads to the oldest, too, and several lead to the halt, so that "
	      "where they begin is not known"
	      : "the newest leads to the oldest, too, so that where they begin is not known",
	      area->round ? some : "", area->round ? "--mtb=BASE,POSITION,MASTER tells"
	      : area->wrapped ? "they fill the buffer, and are taken for its trace" TAKEN
	      : "they are taken for its trace" TAKEN, (const char *) others.data);
  tb_buffer_fini (&others);
  if (area->round && !part)
    return TB_OK;
  const uint8_t *data = dump->data + area->offset;
  uint64_t left = dump->length - area->offset;
  uint64_t length = area->length < left ? area->length : left;
  /* POSITION has the pointer, and WRAP in bit 2; BASE tells where the packets are even when they
     are written to a file of their own.  */
  struct tb_mtb_registers registers = {
    .value = { [0] = (uint32_t) area->pointer | (area->wrapped ? 4 : 0),
	       [3] = (uint32_t) address_of (found) }, .known = 1 | 1 << 3
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
  char evidence[300];
  snprintf (evidence, sizeof evidence, "%" PRIu64 " packets in the memory of %.40s at %#" PRIx64
	    ", %s", area->packets, core->device->name, address_of (found), chain);
  return tb_snapshot_add_mtb (&s->snapshot, core->device, &registers, NULL, spans,
			      1 + (spans[1].size > 0), evidence)
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
  if (has_untold_trace (s) && (protocol == NULL
			       || tb_protocol_find (protocol) == &tb_protocol_mtb))
    return tb_session_find_mtb_buffer (s, diag);
  if (!has_no_trace (s))
    return TB_OK;
  struct tb_mtb_effort effort = TB_MTB_EFFORT;
  const struct tb_dump *looked = NULL;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_session_core *core = &s->cores[i];
      struct rows rows = { .core = core, .effort = &effort };
      /* Threads of a core file have the same dumps.  */
      if (core->device == NULL || !core->profile.is_m || core->device->dumps == looked)
	continue;
      looked = core->device->dumps;
      struct tb_mtb_block block;
      bool ambiguous, has_registers = find_registers (core->device, &block);
      enum tb_status status = find_rows (&rows);
      if (status != TB_OK)
	return status;
      const struct mtb_row *row = has_registers ? row_of (&block, &rows) : NULL;
      if (row != NULL || (has_registers && rows.count == 0 && is_tracing (&block)
			  && !core->device->late))
	return add_block (s, core, &block, row != NULL ? row->area.packets : 0, diag);
      row = choose_row (&rows, &ambiguous);
      if (has_registers && rows.count > 0 && (row == NULL || !row->area.round))
	tb_warning (diag, "%s: the registers of an MTB that the memory of %s has at %#" PRIx64
		    " do not tell of the packets in it, and are not used", s->snapshot.path,
		    core->device->name, block.address);
      if (row != NULL)
	return add_found (s, &rows, row, diag);
      if (ambiguous)
	return say_ambiguous (s, &rows, diag);
    }
  if (effort.spent)
    tb_warning (diag, "%s: no trace is named, and there is too much memory, or code in it, "
		"to look everywhere for packets of an MTB; --mtb=BASE,POSITION,MASTER tells "
		"where they are", s->snapshot.path);
  return TB_OK;
}
