/* What ETMv3 and PTM have in common.  See v7trace.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/v7trace.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Registers.  */

static const struct tb_unit_register registers[] = {
  { 0x000, "ETMCR", "cycle counts, context IDs and timestamps in packets, data trace" },
  { 0x079, "ETMIDR", "the version, how branch addresses are encoded" },
  { 0x07a, "ETMCCER", "the size and encoding of timestamps, what is a waypoint" },
  { 0x080, "ETMTRACEIDR", "which of the buffer's bytes are this source's" }
};

enum { CR, IDR, CCER, ID_REGISTER };

/* A PTM has no data trace, and an ETMv3 no return stack.  */
static const struct tb_unit_register cr_of_ptm = {
  0x000, "ETMCR", "cycle counts, context IDs and timestamps in packets, the return stack"
};

/* Y of "ETM3.Y", or FALLBACK.  */
static unsigned
minor_of_type (const char *type, unsigned fallback)
{
  const char *dot = strchr (type, '.');

  if (dot == NULL || !isdigit ((unsigned char) dot[1]))
    return fallback;
  return (unsigned) (dot[1] - '0');
}

void
tb_v7_settings_read (struct tb_v7_settings *settings,
		     const struct tb_profile *profile, bool is_ptm,
		     struct tb_unit_report *report)
{
  *settings = (struct tb_v7_settings) { .is_ptm = is_ptm };
  settings->is_m = profile != NULL && profile->is_m;
  settings->cr = tb_unit_read (report, is_ptm ? &cr_of_ptm : &registers[CR], 0, true);
  /* As in a PTM-A15, an ETM-M3 or an ETM-A7; the type may tell the minor
     version.  */
  uint32_t idr = is_ptm ? 0x411cf302 : settings->is_m ? 0x4114f200 : 0x410cf200;
  idr |= minor_of_type (report->source->type, is_ptm ? 1 : 5) << 4;
  settings->idr = tb_unit_read (report, &registers[IDR], idr, true);
  uint32_t ccer = is_ptm ? 0x34c01ac2 : settings->is_m ? 0x18541800 : 0x344008f2;
  /* It matters for timestamps (ETMCR[28]) and, in a PTM, for what is a waypoint.  */
  settings->ccer = tb_unit_read (report, &registers[CCER], ccer,
				 is_ptm || (settings->cr >> 28 & 1));
  /* ETMCR, "Data access" (IHI 0014, table 3-3).  */
  report->sends_values = !is_ptm && (settings->cr >> 2 & 1);
  report->sends_addresses = !is_ptm && (settings->cr >> 3 & 1);
  tb_unit_read_permissions (report);
}

unsigned
tb_v7_trace_id (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, registers[ID_REGISTER].id,
			registers[ID_REGISTER].name);

  return reg != NULL ? reg->value & 0x7f : TB_ID_NONE;
}

struct tb_stream *
tb_v7_stream_open (const struct tb_decoder_config *config,
		   struct tb_diag *diag)
{
  unsigned id = TB_ID_NONE;

  if (config->buffer == NULL)
    {
      tb_error (diag, "%s: no trace buffer has the trace of this source",
		config->source->file);
      return NULL;
    }
  if (config->buffer->format != TB_FORMAT_SOURCE_DATA)
    {
      id = tb_v7_trace_id (config->source);
      if (id == TB_ID_NONE)
	{
	  tb_error (diag, "%s: [regs]: expected %s (0x%03" PRIx32 "), which says "
		    "%s; found none", config->source->file,
		    registers[ID_REGISTER].name, registers[ID_REGISTER].id,
		    registers[ID_REGISTER].tells);
	  return NULL;
	}
    }
  struct tb_stream *stream = tb_stream_open (config->buffer, id);
  if (stream == NULL)
    tb_error (diag, "no memory to decode %s", config->source->name);
  return stream;
}

bool
tb_v7_type_matches (const char *type, const char *name, int major)
{
  size_t length = strlen (name);

  if (strncasecmp (type, name, length) != 0)
    return false;
  type += length;
  while (*type == ' ' || *type == '-' || *type == '_')
    type++;
  if (major == 0)
    return !isalpha ((unsigned char) *type);
  if (*type == 'v' || *type == 'V')
    type++;
  return *type == '0' + major && !isdigit ((unsigned char) type[1]);
}

/* Timestamps.  */

uint64_t
tb_v7_timestamp (uint64_t *raw, uint64_t value, unsigned bits,
		 const struct tb_v7_settings *settings)
{
  uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C (1) << bits) - 1;

  *raw = (*raw & ~mask) | (value & mask);
  uint64_t time = *raw;
  /* Bit N of the number is the exclusive or of bits N and up of the code; what
     is compressed is the code.  */
  if (tb_v7_timestamp_is_gray (settings))
    for (unsigned shift = 1; shift < 64; shift *= 2)
      time ^= time >> shift;
  return time;
}

/* Branch addresses.  */

/* The fifth byte has the ISA and the topmost bits.  */
static void
read_fifth (struct tb_v7_address *a, enum tb_v7_address_form form, uint8_t byte)
{
  unsigned bits;

  a->full = true;
  if ((byte & 0x80) != 0 && form == TB_V7_ORIGINAL)
    {
      a->isa = TB_ISA_A32;
      a->old_exception = true;
      a->old_number = byte >> 3 & 7;
      a->old_cancel = (byte & 0x40) != 0;
      bits = 3;
    }
  else
    {
      a->more = (byte & 0x40) != 0;
      if ((byte & 0x20) != 0)
	{
	  a->isa = TB_ISA_UNKNOWN;
	  bits = 5;
	}
      else if ((byte & 0x10) != 0)
	{
	  a->isa = TB_ISA_T32;
	  bits = 4;
	}
      else
	{
	  a->isa = TB_ISA_A32;
	  bits = 3;
	}
    }
  a->field |= (uint32_t) (byte & ((1u << bits) - 1)) << a->bits;
  a->bits += (uint8_t) bits;
}

bool
tb_v7_address_read (struct tb_v7_address *a, enum tb_v7_address_form form,
		    const uint8_t *bytes, size_t length)
{
  *a = (struct tb_v7_address) { .isa = TB_ISA_UNKNOWN };
  if (length == 0)
    return false;
  /* Bit 0 of the first byte is the header's, or nothing.  */
  a->field = bytes[0] >> 1 & 0x3f;
  a->bits = 6;
  a->size = 1;
  if ((bytes[0] & 0x80) == 0)
    return true;
  for (unsigned i = 1; i < 4; i++)
    {
      if (i >= length)
	return false;
      bool goes_on = (bytes[i] & 0x80) != 0;
      unsigned bits = goes_on || form == TB_V7_ORIGINAL ? 7 : 6;
      a->field |= (uint32_t) (bytes[i] & ((1u << bits) - 1)) << a->bits;
      a->bits += (uint8_t) bits;
      a->size++;
      if (!goes_on)
	{
	  a->more = form == TB_V7_ALTERNATIVE && (bytes[i] & 0x40) != 0;
	  return true;
	}
    }
  if (length < 5)
    return false;
  a->size = 5;
  read_fifth (a, form, bytes[4]);
  return true;
}

bool
tb_v7_exception_read (struct tb_v7_exception *x, const uint8_t *bytes,
		      size_t length)
{
  *x = (struct tb_v7_exception) { .size = 1 };
  if (length == 0)
    return false;
  /* Byte 0: C, AltISA, Canc, Exception[3:0], NS.  */
  uint8_t byte = bytes[0];
  x->nonsecure = byte & 1;
  x->number = byte >> 1 & 0xf;
  x->cancel = (byte & 0x20) != 0;
  x->alternative = (byte & 0x40) != 0;
  /* Byte 1: C, 0, Hyp, Exception[8:4].  Byte 2, perhaps in its place: 0, 1, 0,
     0, Resume.  */
  while ((byte & 0x80) != 0 && x->size < 3)
    {
      if (x->size >= length)
	return false;
      byte = bytes[x->size++];
      if ((byte & 0x40) != 0)
	{
	  x->resume = byte & 0xf;
	  break;
	}
      x->has_hyp = true;
      x->hyp = (byte & 0x20) != 0;
      x->number = (x->number & 0xf) | (uint16_t) ((byte & 0x1f) << 4);
    }
  return true;
}

size_t
tb_v7_number_read (uint64_t *value, unsigned *bits, const uint8_t *bytes,
		   size_t length, size_t size, bool whole)
{
  uint64_t v = 0;
  unsigned n = 0;

  for (size_t i = 0; i < length && i < size; i++)
    {
      bool all = whole && i + 1 == size;
      v |= (uint64_t) (all ? bytes[i] : bytes[i] & 0x7f) << n;
      n += all ? 8 : 7;
      if ((bytes[i] & 0x80) == 0 || i + 1 == size)
	{
	  *value = v;
	  if (bits != NULL)
	    *bits = n;
	  return i + 1;
	}
    }
  return 0;
}

size_t
tb_v7_timestamp_read (uint64_t *value, uint8_t *told, const uint8_t *bytes,
		      size_t length, size_t size)
{
  bool wide = size == 9;
  unsigned bits;
  size_t used = tb_v7_number_read (value, &bits, bytes, length, size, wide);
  if (used == 0)
    return 0;
  if (!wide && bits > 48)
    {
      bits = 48;
      *value &= (UINT64_C (1) << 48) - 1;
    }
  *told = (uint8_t) bits;
  return used;
}

/* Contexts.  */

void
tb_v7_spaces_find (struct tb_v7_spaces *spaces, const struct tb_memmap *map,
		   enum tb_space unnamed)
{
  static const uint8_t wanted[] = { TB_SPACE_S, TB_SPACE_N, TB_SPACE_H };
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (map, &regions);

  spaces->map = map;
  spaces->unnamed = (uint8_t) unnamed;
  for (unsigned i = 0; i < 3; i++)
    {
      spaces->space[i] = TB_SPACE_ANY;
      for (size_t r = 0; r < n; r++)
	if (regions[r].space == wanted[i])
	  spaces->space[i] = wanted[i];
    }
}

void
tb_v7_context_element (struct tb_element *e,
		       const struct tb_v7_context *context, enum tb_isa isa,
		       uint64_t index)
{
  *e = (struct tb_element) { .index = index, .kind = TB_ELEMENT_CONTEXT,
			     .isa = isa };
  if (context->has_vmid)
    {
      e->flags |= TB_CONTEXT_VMID;
      e->u.context.vmid = context->vmid;
    }
  if (context->has_cid)
    {
      e->flags |= TB_CONTEXT_CID;
      e->u.context.cid = context->cid;
    }
  /* Of the privilege only Hyp mode is told.  */
  e->u.context.el = context->hyp ? 2 : TB_EL_UNKNOWN;
  e->u.context.security = context->nonsecure ? TB_NONSECURE : TB_SECURE;
}

/* Alignment synchronisation.  */

size_t
tb_v7_async_find (const uint8_t *bytes, size_t length, bool *found)
{
  unsigned zeros = 0;

  for (size_t i = 0; i < length; i++)
    if (bytes[i] == 0)
      zeros += zeros < TB_V7_ASYNC_ZEROS;
    else if (bytes[i] == 0x80 && zeros == TB_V7_ASYNC_ZEROS)
      {
	*found = true;
	return i + 1;
      }
    else
      zeros = 0;
  *found = false;
  return length - zeros;
}

size_t
tb_v7_async_read (const uint8_t *bytes, size_t length, bool *bad)
{
  enum { LONGEST = 16 };

  *bad = false;
  for (size_t i = 0; i < length; i++)
    if (bytes[i] != 0)
      {
	*bad = bytes[i] != 0x80 || i < TB_V7_ASYNC_ZEROS;
	return i + 1;
      }
    else if (i + 1 == LONGEST)
      {
	*bad = true;
	return LONGEST;
      }
  return 0;
}
