/* Reading PTM packets.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The readers of payloads get the bytes behind what was read so far and return
   how many they took; GOES_ON where the packet goes on after the bytes that are
   there.  */

#include "config.h"
#include "decode/ptm/packet.h"

#include <string.h>

#define GOES_ON SIZE_MAX

/* The table.  */

/* IHI 0035 table 4.1, but for atoms and branches.  */
static const struct
{
  uint8_t header;
  uint8_t type;
} headers[] =
{
  { 0x00, TB_PTM_ASYNC },
  { 0x08, TB_PTM_ISYNC },
  { 0x0c, TB_PTM_TRIGGER },
  { 0x3c, TB_PTM_VMID },
  { 0x42, TB_PTM_TIMESTAMP },
  { 0x46, TB_PTM_TIMESTAMP },
  { 0x66, TB_PTM_IGNORE },
  { 0x6e, TB_PTM_CONTEXT_ID },
  { 0x72, TB_PTM_WAYPOINT_UPDATE },
  { 0x76, TB_PTM_EXCEPTION_RETURN },
};

/* Atoms (4.5.3).  A one above up to five of them says how many there are; a
   single one has no such mark.  The oldest is the topmost; 0 is E: 11FFFFF0,
   101FFFF0, 1001FFF0, 10001FF0, 10000xF0.  With cycle counts there is one atom:
   1CccccF0.  */
static void
atom_header (struct tb_ptm_header *h, unsigned byte, bool cycle_accurate)
{
  unsigned n = 1;

  if (!cycle_accurate)
    for (unsigned mark = 6; mark >= 3 && n == 1; mark--)
      if (byte >> mark & 1)
	n = mark - 1;
  h->type = TB_PTM_ATOM;
  h->natoms = (uint8_t) n;
  for (unsigned i = 0; i < n; i++)
    if ((byte >> (n - i) & 1) == 0)
      h->atoms |= 1u << i;
}

const char *const tb_ptm_packet_names[TB_PTM_PACKET_TYPES] =
{
  [TB_PTM_BAD] = "Reserved", [TB_PTM_ATOM] = "Atom",
  [TB_PTM_BRANCH] = "Branch address",
  [TB_PTM_WAYPOINT_UPDATE] = "Waypoint update",
  [TB_PTM_ASYNC] = "A-sync", [TB_PTM_ISYNC] = "I-sync",
  [TB_PTM_TRIGGER] = "Trigger", [TB_PTM_IGNORE] = "Ignore",
  [TB_PTM_CONTEXT_ID] = "Context ID", [TB_PTM_VMID] = "VMID",
  [TB_PTM_TIMESTAMP] = "Timestamp",
  [TB_PTM_EXCEPTION_RETURN] = "Exception return"
};

void
tb_ptm_table_init (struct tb_ptm_table *table,
		   const struct tb_v7_settings *settings)
{
  *table = (struct tb_ptm_table) { .cid_bytes = 0 };
  table->cid_bytes = (uint8_t) tb_v7_context_id_bytes (settings);
  table->timestamp_bytes = tb_v7_timestamp_bits (settings) == 64 ? 9 : 7;
  table->cycle_accurate = tb_v7_cycle_accurate (settings);
  table->has_hyp = tb_v7_has_virtualization (settings);
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
    table->header[headers[i].header].type = headers[i].type;
  for (unsigned byte = 0; byte < 256; byte++)
    if ((byte & 1) != 0)
      table->header[byte].type = TB_PTM_BRANCH;
    else if (byte >= 0x80)
      atom_header (&table->header[byte], byte, table->cycle_accurate);
}

/* Payloads.  */

size_t
tb_ptm_long_cycles_read (uint32_t *cycles, const uint8_t *bytes, size_t length)
{
  uint64_t more;
  size_t size = tb_v7_number_read (&more, NULL, bytes + 1, length - 1, 4,
				   false);
  if (size == 0)
    return 0;
  *cycles |= (uint32_t) (more << 4);
  return size + 1;
}

static size_t
read_cycles (struct tb_ptm_packet *p, const uint8_t *bytes, size_t length)
{
  size_t size = length > 0 ? tb_ptm_cycles_read (&p->cycles, bytes, length) : 0;
  if (size == 0)
    return GOES_ON;
  p->has_cycles = true;
  return size;
}

static size_t
read_fixed (uint32_t *value, unsigned size, const uint8_t *bytes,
	    size_t length)
{
  if (length < size)
    return GOES_ON;
  *value = 0;
  for (unsigned i = 0; i < size; i++)
    *value |= (uint32_t) bytes[i] << (8 * i);
  return size;
}

/* 4.5.4; the header is the first address byte.  */
static size_t
read_branch (const struct tb_ptm_table *table, struct tb_ptm_packet *p,
	     const uint8_t *bytes, size_t length)
{
  if (!tb_v7_address_read (&p->address, TB_V7_ALTERNATIVE, bytes, length))
    return GOES_ON;
  size_t at = p->address.size;
  if (p->address.more)
    {
      if (!tb_v7_exception_read (&p->exception, bytes + at, length - at))
	return GOES_ON;
      p->has_exception = true;
      at += p->exception.size;
    }
  if (table->cycle_accurate)
    {
      size_t size = read_cycles (p, bytes + at, length - at);
      if (size == GOES_ON)
	return GOES_ON;
      at += size;
    }
  return at;
}

/* 4.5.5; a fifth byte may be followed by one that has AltISA in bit 6.  */
static size_t
read_update (struct tb_ptm_packet *p, const uint8_t *bytes, size_t length)
{
  if (!tb_v7_address_read (&p->address, TB_V7_WAYPOINT, bytes, length))
    return GOES_ON;
  if (!p->address.more)
    return p->address.size;
  if (p->address.size >= length)
    return GOES_ON;
  p->has_alternative = true;
  p->alternative = (bytes[p->address.size] & 0x40) != 0;
  return p->address.size + 1;
}

/* 4.5.2: address, information, cycle count unless periodic, context ID.  */
static size_t
read_isync (const struct tb_ptm_table *table, struct tb_ptm_packet *p,
	    const uint8_t *bytes, size_t length)
{
  uint32_t address;
  size_t at = 5, size;

  if (length < 5)
    return GOES_ON;
  read_fixed (&address, 4, bytes, length);
  /* Information: 0, Reason[1:0], 0, NS, AltISA, Hyp, 1.  */
  uint8_t info = bytes[4];
  p->reason = info >> 5 & 3;
  p->nonsecure = (info & 8) != 0;
  p->alternative = (info & 4) != 0;
  p->hyp = table->has_hyp && (info & 2) != 0;
  p->isa = (address & 1) == 0 ? TB_ISA_A32
	   : p->alternative ? TB_ISA_T32EE : TB_ISA_T32;
  p->value = address & ~1u;
  if (table->cycle_accurate && p->reason != TB_V7_PERIODIC)
    {
      size = read_cycles (p, bytes + at, length - at);
      if (size == GOES_ON)
	return GOES_ON;
      at += size;
    }
  p->has_id = table->cid_bytes > 0;
  size = read_fixed (&p->id, table->cid_bytes, bytes + at, length - at);
  return size == GOES_ON ? GOES_ON : at + size;
}

/* 4.5.9  */
static size_t
read_timestamp (const struct tb_ptm_table *table, struct tb_ptm_packet *p,
		const uint8_t *bytes, size_t length)
{
  size_t at = tb_v7_timestamp_read (&p->value, &p->value_bits, bytes, length,
				    table->timestamp_bytes);
  if (at == 0)
    return GOES_ON;
  if (!table->cycle_accurate)
    return at;
  size_t size = read_cycles (p, bytes + at, length - at);
  return size == GOES_ON ? GOES_ON : at + size;
}

size_t
tb_ptm_packet_read (const struct tb_ptm_table *table, const uint8_t *bytes,
		    size_t length, struct tb_ptm_packet *p)
{
  const struct tb_ptm_header *header = &table->header[bytes[0]];
  const uint8_t *payload = bytes + 1;
  size_t rest = length - 1, size = 0;
  bool bad;

  *p = (struct tb_ptm_packet) { .type = header->type };
  switch ((enum tb_ptm_packet_type) header->type)
    {
    case TB_PTM_ATOM:
      p->natoms = header->natoms;
      p->atoms = header->atoms;
      if (!table->cycle_accurate)
	return 1;
      size = read_cycles (p, bytes, length);
      return size == GOES_ON ? 0 : size;
    case TB_PTM_BRANCH:
      size = read_branch (table, p, bytes, length);
      return size == GOES_ON ? 0 : size;
    case TB_PTM_ASYNC:
      size = tb_v7_async_read (bytes, length, &bad);
      if (bad)
	{
	  p->type = TB_PTM_BAD;
	  p->value = bytes[0];
	}
      return size;
    case TB_PTM_WAYPOINT_UPDATE:
      size = read_update (p, payload, rest);
      break;
    case TB_PTM_ISYNC:
      size = read_isync (table, p, payload, rest);
      break;
    case TB_PTM_CONTEXT_ID:
      p->has_id = table->cid_bytes > 0;
      size = read_fixed (&p->id, table->cid_bytes, payload, rest);
      break;
    case TB_PTM_VMID:
      p->has_id = true;
      size = read_fixed (&p->id, 1, payload, rest);
      break;
    case TB_PTM_TIMESTAMP:
      size = read_timestamp (table, p, payload, rest);
      break;
    case TB_PTM_BAD:
      p->value = bytes[0];
      break;
    case TB_PTM_TRIGGER:
    case TB_PTM_IGNORE:
    case TB_PTM_EXCEPTION_RETURN:
      break;
    }
  return size == GOES_ON ? 0 : size + 1;
}
