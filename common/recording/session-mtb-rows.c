/* Looking for rows of packets of an MTB.  See session-mtb-rows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-mtb-rows.h"

#include <stdio.h>
#include <string.h>

const uint64_t *
tb_mtb_halt_pc (const struct tb_device *core)
{
  if (core->late)
    return NULL;
  const struct tb_device_reg *pc = tb_device_pc (core);
  return pc != NULL ? &pc->value : NULL;
}

const struct tb_dump *
tb_session_dump_of (const struct tb_device *device, uint64_t address, uint64_t length)
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

uint64_t
tb_mtb_row_at (const struct tb_mtb_row *row)
{
  return row->address + row->area.offset;
}

/* Do A and B have packets in common?  What cores have at one address is one memory if it has the
   same bytes.  */
static bool
overlaps (const struct tb_mtb_row *a, const struct tb_mtb_row *b)
{
  uint64_t at_a = tb_mtb_row_at (a), at_b = tb_mtb_row_at (b);
  uint64_t end_a = at_a + TB_MTB_PACKET_SIZE * a->area.packets;
  uint64_t end_b = at_b + TB_MTB_PACKET_SIZE * b->area.packets;
  if (a->buffer != b->buffer || at_a >= end_b || at_b >= end_a)
    return false;
  uint64_t first = at_a > at_b ? at_a : at_b, end = end_a < end_b ? end_a : end_b;
  return a->buffer != NULL || a->core == b->core
	 || memcmp (a->data + (first - a->address), b->data + (first - b->address),
		    (size_t) (end - first)) == 0;
}

/* Is A more likely the trace of the run that halted than B?  */
static bool
is_better (const struct tb_mtb_row *a, const struct tb_mtb_row *b)
{
  return a->area.at_halt != b->area.at_halt ? a->area.at_halt
	 : a->area.packets > b->area.packets;
}

/* Add ROW, unless one that overlaps it is longer, or as long and was found before.  Of those of
   several cores it counts first which leads to the halt.  */
static void
add_row (struct tb_mtb_rows *rows, const struct tb_mtb_row *row)
{
  for (int i = 0; i < rows->count; i++)
    {
      struct tb_mtb_row *other = &rows->row[i];
      if (!overlaps (other, row))
	continue;
      if (other->told)
	return;
      if (other->core == row->core)
	{
	  if (other->area.packets >= row->area.packets)
	    return;
	}
      else if (!is_better (row, other))
	{
	  if (!is_better (other, row))
	    other->or_core = row->core;
	  return;
	}
    }
  int kept = 0;
  for (int i = 0; i < rows->count; i++)
    if (!overlaps (&rows->row[i], row))
      rows->row[kept++] = rows->row[i];
  rows->count = kept;
  if (kept < TB_MTB_ROWS_MOST)
    rows->row[rows->count++] = *row;
}

/* Look for packets in WHERE, from OFFSET of its data on, LENGTH bytes; EXACT as for
   tb_mtb_find.  */
static void
look (struct tb_mtb_rows *rows, const struct tb_mtb_row *where, uint64_t offset, uint64_t length,
      bool exact)
{
  const struct tb_session_core *core = where->core;
  struct tb_mtb_area found[TB_MTB_ROWS_MOST / 4];
  if (rows->status != TB_OK)
    return;
  int n = tb_mtb_find (found, TB_MTB_ROWS_MOST / 4, where->data + offset, where->address + offset,
		       length, exact, tb_mtb_halt_pc (core->device), core->map, &core->profile,
		       rows->effort);
  if (n < 0)
    rows->status = TB_ERR_MEMORY;
  for (int i = 0; i < n; i++)
    {
      struct tb_mtb_row row = *where;
      row.area = found[i];
      row.area.offset += offset;
      add_row (rows, &row);
    }
}

bool
tb_session_is_known (const struct tb_session_core *core, enum tb_space space, uint64_t address,
		     uint64_t length, uint64_t *run)
{
  uint64_t first, last, there;
  if (tb_memmap_hole (core->map, space, address, &first, &last))
    {
      *run = last - address < length ? last - address + 1 : length;
      return false;
    }
  *run = 0;
  while (*run < length && tb_memmap_at (core->map, space, address + *run, &there, NULL) != NULL)
    *run += there < length - *run ? there : length - *run;
  return true;
}

/* Look for packets in the LENGTH bytes from OFFSET of DUMP, of CORE, which the program calls NAME
   (NULL: nothing), but not in those that another dump has otherwise.  */
static void
look_in_dump (struct tb_mtb_rows *rows, const struct tb_session_core *core,
	      const struct tb_dump *dump, uint64_t offset, uint64_t length, const char *name)
{
  struct tb_mtb_row where = {
    .core = core, .data = dump->data, .address = dump->address, .length = dump->length
  };
  snprintf (where.name, sizeof where.name, "%s", name != NULL ? name : "");
  for (uint64_t end = offset + length, run = 0; offset < end; offset += run)
    if (tb_session_is_known (core, dump->space, dump->address + offset, end - offset, &run)
	&& run >= TB_MTB_FIND_LEAST * TB_MTB_PACKET_SIZE)
      look (rows, &where, offset, run, name != NULL && run == length);
}

/* Whose objects are looked at.  */
struct searched_objects
{
  struct tb_mtb_rows *rows;
  const struct tb_session_core *core;
};

/* The program has an object called NAME: the size of a buffer is a power of two.  */
static void
look_at_object (void *context, const char *name, uint64_t address, uint64_t size)
{
  const struct searched_objects *objects = context;
  const struct tb_device *device = objects->core->device;
  if ((size & (size - 1)) != 0 || size < TB_MTB_FIND_LEAST * TB_MTB_PACKET_SIZE
      || address % TB_MTB_PACKET_SIZE != 0
      /* Of many objects and dumps it would take long to find out which has which.  */
      || !tb_mtb_spend (objects->rows->effort, device->ndumps))
    return;
  const struct tb_dump *dump = tb_session_dump_of (device, address, size);
  if (dump != NULL)
    look_in_dump (objects->rows, objects->core, dump, address - dump->address, size, name);
}

void
tb_mtb_rows_in_memory (struct tb_mtb_rows *rows, const struct tb_session_core *core)
{
  struct searched_objects objects = { rows, core };
  for (size_t i = 0; i < core->nelves; i++)
    tb_elf_image_objects (core->elves[i], look_at_object, &objects);
  for (size_t i = 0; i < core->device->ndumps; i++)
    look_in_dump (rows, core, &core->device->dumps[i], 0, core->device->dumps[i].length, NULL);
}

void
tb_mtb_rows_in_buffer (struct tb_mtb_rows *rows, const struct tb_session_core *core,
		       const struct tb_trace_buffer *buffer)
{
  const struct tb_span *span = &buffer->spans[0];
  const struct tb_mtb_row where = {
    .core = core, .buffer = buffer, .data = span->data, .length = span->size
  };
  if ((span->size & (span->size - 1)) == 0)
    look (rows, &where, 0, span->size, true);
  look (rows, &where, 0, span->size, false);
}

void
tb_mtb_rows_tell (struct tb_mtb_rows *rows, const struct tb_session_core *core,
		  const struct tb_mtb_registers *registers)
{
  uint64_t base = registers->value[3], length = tb_mtb_length (registers);
  const struct tb_dump *dump = tb_session_dump_of (core->device, base, length);
  if (dump == NULL)
    return;
  const struct tb_mtb_row row = {
    .area = { .offset = base - dump->address, .length = length,
	      .packets = length / TB_MTB_PACKET_SIZE },
    .core = core, .told = true,
    .data = dump->data, .address = dump->address, .length = dump->length
  };
  add_row (rows, &row);
}

const struct tb_mtb_row *
tb_mtb_rows_choose (const struct tb_mtb_rows *rows, const struct tb_session_core *core,
		    bool *ambiguous)
{
  const struct tb_mtb_row *best = NULL;
  *ambiguous = false;
  for (int i = 0; i < rows->count; i++)
    {
      const struct tb_mtb_row *row = &rows->row[i];
      if (row->core != core)
	continue;
      *ambiguous |= best != NULL && best->area.at_halt && row->area.at_halt;
      if (best == NULL || is_better (row, best))
	best = row;
    }
  return *ambiguous ? NULL : best;
}
