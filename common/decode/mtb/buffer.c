/* Where an MTB's packets are.  See mtb.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/mtb/mtb.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "snapshot/m-frame.h"

/* DDI 0486, 3.2: registers are words at 4 * id.  */
enum { POSITION = 0, MASTER = 1, FLOW = 2, BASE = 3 };

#define POSITION_WRAP (1u << 2)
#define POSITION_POINTER 0xfffffff8u
#define MASTER_EN (1u << 31)
#define MASTER_INPUTS (3u << 5)	/* TSTARTEN, TSTOPEN.  */
#define MASTER_MASK 0x1fu
#define FLOW_AUTOSTOP 1u

static const struct tb_unit_register registers[] = {
  { POSITION, "MTB_POSITION", "where the packets begin and end" },
  { MASTER, "MTB_MASTER", "the size of the trace area, and whether tracing was still "
    "on at the halt" },
  { FLOW, "MTB_FLOW", "why tracing was off at the halt" },
  { BASE, "MTB_BASE", "where the packets are in RAM" }
};

/* Tools call them by the manual's names, with and without "MTB_".  */
static const struct tb_device_reg *
mtb_reg (const struct tb_device *source, uint32_t id)
{
  const char *name = registers[id].name;
  const struct tb_device_reg *reg
    = tb_device_reg (source, name + strlen ("MTB_"));
  if (reg == NULL)
    reg = tb_device_reg (source, name);
  return reg != NULL ? reg : tb_device_reg_id (source, id, name);
}

void
tb_mtb_unit (const struct tb_decoder_config *config,
	     struct tb_unit_report *report)
{
  const struct tb_device_reg *master = mtb_reg (config->source, MASTER);
  /* That some registers of an MTB that was found are not known is told as what it rests on, also of
     one that was written.  */
  if (config->source->found || config->source->evidence != NULL)
    return;
  /* Without POSITION nothing is decoded, and without a buffer BASE and MASTER say
     where it is.  */
  if (master == NULL && config->buffer != NULL)
    tb_unit_lacks (report, &registers[MASTER], "the size of the file, and tracing "
		   "on,", true);
  if (master != NULL && (master->value & MASTER_EN) == 0
      && mtb_reg (config->source, FLOW) == NULL)
    tb_unit_lacks (report, &registers[FLOW], "FLOW.AUTOSTOP 0", false);
}

/* Size of the trace area: 2^(MASK + 4) bytes.  */
static uint64_t
area_length (const struct tb_device *source)
{
  const struct tb_device_reg *master = mtb_reg (source, MASTER);
  return master == NULL ? 0
	 : UINT64_C (1) << ((master->value & MASTER_MASK) + 4);
}

/* Has MAP any of the SIZE bytes at ADDRESS?  A dump may begin or end among them.  */
static bool
is_mapped (const struct tb_memmap *map, uint64_t address, uint64_t size)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (map, &regions);
  for (size_t i = 0; i < n; i++)
    if (address - regions[i].address < regions[i].length
	|| regions[i].address - address < size)
      return true;
  return false;
}

bool
tb_mtb_ram (const struct tb_device *source, const struct tb_memmap *map, uint64_t held,
	    uint64_t *address, uint64_t *length)
{
  const struct tb_device_reg *base = mtb_reg (source, BASE);
  const struct tb_device_reg *position = mtb_reg (source, POSITION);
  uint64_t size = area_length (source);
  bool cut = size == 0 && (held & (held - 1)) != 0;
  if (size == 0)
    size = held;
  if (base == NULL || position == NULL || size == 0)
    return false;
  /* Bits of POSITION above the area select one of its naturally aligned places
     in the SRAM.  What was cut short by its dump begins at BASE.  */
  uint64_t block = cut ? 0 : (position->value & POSITION_POINTER) & ~(size - 1);
  *address = (uint32_t) (base->value + block);
  *length = is_mapped (map, *address, size) ? size : 0;
  return true;
}

bool
tb_mtb_reaches_halt (const struct tb_device *source)
{
  const struct tb_device_reg *master = mtb_reg (source, MASTER);
  return master != NULL && (master->value & MASTER_EN) != 0
	 && (master->value & MASTER_INPUTS) != MASTER_INPUTS;
}

bool
tb_mtb_locate (struct tb_mtb_buffer *buffer,
	       const struct tb_decoder_config *config, struct tb_diag *diag)
{
  const struct tb_device *source = config->source;
  const struct tb_device_reg *position = mtb_reg (source, POSITION);
  const struct tb_device_reg *master = mtb_reg (source, MASTER);
  const struct tb_device_reg *flow = mtb_reg (source, FLOW);
  struct tb_unit_report report = { .source = source };
  memset (buffer, 0, sizeof *buffer);
  tb_mtb_unit (config, &report);
  tb_unit_say (&report, diag);
  if (position == NULL)
    {
      tb_error (diag, "%s: [regs]: expected POSITION (id 0), which says where "
		"the MTB's packets begin; found none", source->file);
      return false;
    }
  uint32_t pointer = (uint32_t) position->value & POSITION_POINTER;
  buffer->wrapped = (position->value & POSITION_WRAP) != 0;
  /* A trace that stopped at its watermark says nothing of the time between then
     and the halt; nor does one that something else switched off.  */
  buffer->stopped = master != NULL && (master->value & MASTER_EN) == 0;
  if (buffer->stopped
      && !(flow != NULL && (flow->value & FLOW_AUTOSTOP) != 0))
    tb_note (diag, "%s: MASTER.EN is 0 without FLOW.AUTOSTOP: tracing was "
	     "switched off some time before the halt, so the trace is not "
	     "taken to reach it", source->file);

  uint64_t available;
  if (config->buffer != NULL)
    {
      buffer->file = config->buffer;
      available = config->buffer->size;
      buffer->length = area_length (source);
      if (buffer->length == 0)
	/* Without MASTER the file is the area, a power of two in size.  */
	for (buffer->length = 8; buffer->length * 2 <= available;)
	  buffer->length *= 2;
      uint64_t block = master != NULL ? pointer & ~(buffer->length - 1) : 0;
      /* The file is the trace area, or the whole SRAM with the area in it.  */
      if (block != 0 && available >= block + buffer->length)
	buffer->offset = block;
      available -= buffer->offset;
    }
  else
    {
      if (master == NULL || mtb_reg (source, BASE) == NULL)
	{
	  tb_error (diag, "%s: [regs]: expected BASE (id 3) and MASTER (id 1): "
		    "no trace buffer is given, so the packets are looked for "
		    "in the core's RAM; found none", source->file);
	  return false;
	}
      buffer->map = config->map;
      buffer->length = area_length (source);
      uint64_t block = pointer & ~(buffer->length - 1);
      buffer->address = (uint32_t) (mtb_reg (source, BASE)->value + block);
      uint64_t run;
      available = 0;
      while (available < buffer->length
	     && tb_memmap_at (config->map, TB_SPACE_ANY,
			      buffer->address + available, &run, NULL))
	available += run;
    }

  pointer &= (uint32_t) (buffer->length - 1);
  uint64_t need = buffer->wrapped ? buffer->length : pointer;
  if (need > available)
    {
      tb_error (diag, "%s: %s %#" PRIx64 ": expected %" PRIu64 " bytes of MTB "
		"packets (POSITION %#" PRIx64 ", MASTER %#" PRIx64 "), found %"
		PRIu64, source->file,
		buffer->file != NULL ? "buffer, offset" : "RAM at",
		buffer->file != NULL ? buffer->offset : buffer->address, need,
		position->value, master != NULL ? master->value : 0,
		available);
      return false;
    }
  buffer->first = buffer->wrapped ? pointer : 0;
  buffer->count = need / 8;
  uint64_t run = 0;
  if (buffer->file == NULL)
    buffer->bytes = tb_memmap_at (config->map, TB_SPACE_ANY, buffer->address,
				  &run, NULL);
  else if (buffer->file->nspans == 1)
    {
      buffer->bytes = buffer->file->spans[0].data + buffer->offset;
      run = available;
    }
  if (run < need)
    buffer->bytes = NULL;
  return true;
}

void
tb_mtb_gather (const struct tb_mtb_buffer *buffer, uint64_t offset, uint8_t bytes[8])
{
  memset (bytes, 0, 8);
  if (buffer->file == NULL)
    {
      tb_memmap_read (buffer->map, TB_SPACE_ANY, buffer->address + offset, bytes, 8);
      return;
    }
  offset += buffer->offset;
  size_t done = 0;
  for (size_t i = 0; i < buffer->file->nspans && done < 8; i++)
    {
      const struct tb_span *span = &buffer->file->spans[i];
      if (offset >= span->size)
	{
	  offset -= span->size;
	  continue;
	}
      size_t part = span->size - offset < 8 - done ? span->size - offset
						   : 8 - done;
      memcpy (bytes + done, span->data + offset, part);
      done += part;
      offset = 0;
    }
}

/* "MTB", "MTB-M0+", "CSMTB", "CoreSight MTB-M33" in any case.  */
bool
tb_mtb_matches (const char *type)
{
  for (; *type != 0; type++)
    if (toupper ((unsigned char) type[0]) == 'M'
	&& toupper ((unsigned char) type[1]) == 'T'
	&& toupper ((unsigned char) type[2]) == 'B')
      return true;
  return false;
}

unsigned
tb_mtb_trace_id (const struct tb_device *source)
{
  (void) source;
  return TB_ID_NONE;
}

bool
tb_mtb_leads_on (uint32_t destination, const struct tb_mtb_packet *next)
{
  return next->source == destination
	 && (next->atomic || !tb_m_is_exc_return (next->source));
}
