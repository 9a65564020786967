/* What addresses and values of peripherals are called.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "svd/svd.h"

#include <inttypes.h>
#include <string.h>

bool
tb_svd_put_name (const struct tb_svd *svd, struct tb_buffer *buffer,
		 uint64_t address, unsigned length, bool store)
{
  const struct tb_svd_register *reg = tb_svd_at (svd, address, length, store);
  const struct tb_svd_peripheral *p
    = reg != NULL ? reg->peripheral : tb_svd_peripheral_at (svd, address);
  if (p == NULL)
    return false;
  uint64_t offset = address - (reg != NULL ? reg->address : p->address);
  tb_buffer_append (buffer, p->name, strlen (p->name));
  if (reg != NULL)
    tb_buffer_printf (buffer, ".%s", reg->name);
  if (offset != 0)
    tb_buffer_printf (buffer, "+0x%" PRIx64, offset);
  return true;
}

/* The named value that BITS (of FIELD, shifted down) are; NULL: they have no
   name.  */
static const struct tb_svd_value *
value_of (const struct tb_svd_field *field, uint64_t bits)
{
  const struct tb_svd_value *other = NULL;
  uint64_t all = field->width < 64 ? (UINT64_C (1) << field->width) - 1 : UINT64_MAX;
  for (size_t i = 0; i < field->nvalues; i++)
    if (field->values[i].is_default)
      other = &field->values[i];
    else if (((field->values[i].bits ^ bits) & field->values[i].mask & all) == 0)
      return &field->values[i];
  return other;
}

void
tb_svd_put_fields (const struct tb_svd_register *reg, struct tb_buffer *buffer,
		   uint64_t bits, uint64_t mask)
{
  uint64_t covered = 0;
  const char *comma = "";
  for (size_t i = 0; i < reg->nfields; i++)
    {
      const struct tb_svd_field *f = &reg->fields[i];
      uint64_t all = (f->width < 64 ? (UINT64_C (1) << f->width) - 1 : UINT64_MAX)
		     << f->lsb;
      covered |= all;
      if ((mask & all) != all)
	continue;
      uint64_t value = (bits & all) >> f->lsb;
      const struct tb_svd_value *named = value_of (f, value);
      if (named != NULL)
	tb_buffer_printf (buffer, "%s%s=%s", comma, f->name, named->name);
      else
	tb_buffer_printf (buffer, value < 10 ? "%s%s=%" PRIu64 : "%s%s=0x%" PRIx64,
			  comma, f->name, value);
      comma = ",";
    }
  uint64_t other = bits & mask & ~covered;
  if (reg->nfields > 0 && other != 0)
    tb_buffer_printf (buffer, "%sother=0x%" PRIx64, comma, other);
}

/* The bits of COUNT bytes.  */
static uint64_t
low_bytes (unsigned count)
{
  return count < 8 ? (UINT64_C (1) << 8 * count) - 1 : UINT64_MAX;
}

bool
tb_svd_part (const struct tb_svd_register *reg, uint64_t address, unsigned length,
	     uint64_t value, struct tb_svd_part *part)
{
  /* One of them is where the other one begins, or behind it.  */
  uint64_t into = address - reg->address, before = reg->address - address;
  bool inside = into < reg->bytes;
  if (!inside && before >= length)
    return false;
  unsigned first = inside ? (unsigned) into : 0;
  unsigned skipped = inside ? 0 : (unsigned) before;
  unsigned room = reg->bytes - first, left = length - skipped;
  part->first = first;
  part->count = left < room ? left : room;
  part->bits = skipped < 8 ? value >> 8 * skipped & low_bytes (part->count) : 0;
  return part->count > 0;
}

bool
tb_svd_put_bytes (const struct tb_svd_register *reg, struct tb_buffer *buffer,
		  const struct tb_svd_part *part)
{
  if (part->count == reg->bytes)
    return false;
  if (part->count == 1)
    tb_buffer_printf (buffer, "byte %u", part->first);
  else
    tb_buffer_printf (buffer, "bytes %u to %u", part->first,
		      part->first + part->count - 1);
  return true;
}

void
tb_svd_put_part (const struct tb_svd_register *reg, struct tb_buffer *buffer,
		 uint64_t address, unsigned length, uint64_t value)
{
  struct tb_svd_part part;
  if (!tb_svd_part (reg, address, length, value, &part))
    return;
  unsigned shift = 8 * part.first;
  tb_svd_put_fields (reg, buffer, part.bits << shift, low_bytes (part.count) << shift);
}
