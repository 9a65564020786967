/* Reading ETMv3 packets.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The readers of payloads get the bytes behind what was read so far and return
   how many they took; GOES_ON where the packet goes on after the bytes that are
   there.  */

#include "config.h"
#include "decode/etmv3/packet.h"

#include <string.h>

#define GOES_ON SIZE_MAX

static size_t
read_fixed (uint32_t *value, unsigned size, const uint8_t *bytes,
	    size_t length)
{
  if (length < size)
    return GOES_ON;
  *value = (uint32_t) tb_number (bytes, size);
  return size;
}

/* 7.3.4: up to 32 bits in one to five bytes.  */
static size_t
read_cycles (uint32_t *cycles, const uint8_t *bytes, size_t length)
{
  uint64_t value;
  size_t size = tb_v7_number_read (&value, NULL, bytes, length, 5, false);

  if (size == 0)
    return GOES_ON;
  *cycles = (uint32_t) value;
  return size;
}

/* The three-bit exceptions that the original form had in its fifth address
   byte (DDI 0301, table 15-2), as numbers of the newer encoding: "other", IRQ,
   reserved, reserved, Jazelle, FIQ, data abort, debug.  */
static const uint8_t old_exceptions[8] = { 13, 14, 6, 6, 5, 15, 12, 1 };

/* Address bytes and what may follow them (7.3.5).  */
static size_t
read_branch (const struct tb_etmv3_table *table, struct tb_etmv3_packet *p,
	     const uint8_t *bytes, size_t length)
{
  if (!tb_v7_address_read (&p->address, table->form, bytes, length))
    return GOES_ON;
  size_t size = p->address.size;
  if (p->address.old_exception)
    {
      p->has_exception = true;
      p->exception = (struct tb_v7_exception) {
	.number = old_exceptions[p->address.old_number],
	.cancel = p->address.old_cancel
      };
    }
  else if (p->address.more)
    {
      if (!tb_v7_exception_read (&p->exception, bytes + size, length - size))
	return GOES_ON;
      p->has_exception = true;
      size += p->exception.size;
    }
  return size;
}

/* I-sync after the header (7.10.5).  */
static size_t
read_isync (const struct tb_etmv3_table *table, struct tb_etmv3_packet *p,
	    const uint8_t *bytes, size_t length)
{
  size_t at = 0, size;
  if (p->type == TB_ETMV3_ISYNC_CYCLES)
    {
      p->type = TB_ETMV3_ISYNC;
      p->has_cycles = true;
      at = read_cycles (&p->cycles, bytes, length);
      if (at == GOES_ON)
	return GOES_ON;
    }
  if (length - at < table->cid_bytes + 1u)
    return GOES_ON;
  p->has_id = table->cid_bytes > 0;
  p->id = (uint32_t) tb_number (bytes + at, table->cid_bytes);
  at += table->cid_bytes;

  /* Information: LSiP, Reason[1:0], J, NS, AltISA, Hyp, 1.  */
  uint8_t info = bytes[at++];
  p->reason = info >> 5 & 3;
  p->nonsecure = (info & 8) != 0;
  p->alternative = table->has_alternative && (info & 4) != 0;
  p->hyp = table->has_hyp && (info & 2) != 0;
  if (!table->instructions)
    return at;

  uint32_t address;
  size = read_fixed (&address, 4, bytes + at, length - at);
  if (size == GOES_ON)
    return GOES_ON;
  at += size;
  p->has_address = true;
  if ((info & 0x10) != 0)
    p->isa = TB_ISA_UNKNOWN;
  else if ((address & 1) != 0)
    p->isa = p->alternative ? TB_ISA_T32EE : TB_ISA_T32;
  else
    p->isa = TB_ISA_A32;
  p->value = p->isa == TB_ISA_UNKNOWN ? address : address & ~1u;
  if ((info & 0x80) != 0)
    {
      p->in_progress = true;
      size = read_branch (table, p, bytes + at, length - at);
      if (size == GOES_ON)
	return GOES_ON;
      at += size;
    }
  return at;
}

static size_t
read_data (const struct tb_etmv3_table *table, struct tb_etmv3_packet *p,
	   const uint8_t *bytes, size_t length)
{
  const struct tb_etmv3_header *header = &table->header[bytes[0]];
  bool late = p->type == TB_ETMV3_DATA_LATE;
  uint8_t copy[1 + TB_ETMV3_DATA_ROOM] = { 0 };

  if (late)
    p->tag = bytes[0] >> 5 & 3;
  if (p->type == TB_ETMV3_DATA_PLACEHOLDER)
    p->tag = bytes[0] >> 2 & 3;
  /* Where it ends sooner, it goes on with zeros, which an address ends with; so it is
     longer than what is there.  */
  memcpy (copy, bytes, length < sizeof copy ? length : sizeof copy);
  size_t size = tb_etmv3_data_read (header, late || (p->type == TB_ETMV3_DATA
						     && table->data_values),
				    copy, &p->data);
  return size <= length ? size : 0;
}

static size_t
read_timestamp (const struct tb_etmv3_table *table,
		struct tb_etmv3_packet *p, const uint8_t *bytes,
		size_t length)
{
  size_t size = tb_v7_timestamp_read (&p->value, &p->value_bits, bytes, length,
				      table->timestamp_bytes);
  return size == 0 ? GOES_ON : size;
}

size_t
tb_etmv3_packet_read (const struct tb_etmv3_table *table,
		      const uint8_t *bytes, size_t length,
		      struct tb_etmv3_packet *p)
{
  const struct tb_etmv3_header *header = &table->header[bytes[0]];
  const uint8_t *payload = bytes + 1;
  size_t rest = length - 1, size = 0;

  *p = (struct tb_etmv3_packet) { .type = header->type };
  switch ((enum tb_etmv3_packet_type) header->type)
    {
    case TB_ETMV3_BRANCH:
      size = read_branch (table, p, bytes, length);
      return size == GOES_ON ? 0 : size;
    case TB_ETMV3_ASYNC:
      {
	bool bad;
	size = tb_v7_async_read (bytes, length, &bad);
	if (bad)
	  {
	    p->type = TB_ETMV3_BAD;
	    p->value = bytes[0];
	  }
	return size;
      }
    case TB_ETMV3_P_HEADER:
      p->atoms = *header;
      return 1;
    case TB_ETMV3_ISYNC:
    case TB_ETMV3_ISYNC_CYCLES:
      size = read_isync (table, p, payload, rest);
      break;
    case TB_ETMV3_CYCLES:
      size = read_cycles (&p->cycles, payload, rest);
      break;
    case TB_ETMV3_CONTEXT_ID:
      p->has_id = table->cid_bytes > 0;
      size = read_fixed (&p->id, table->cid_bytes, payload, rest);
      break;
    case TB_ETMV3_VMID:
      p->has_id = true;
      size = read_fixed (&p->id, 1, payload, rest);
      break;
    case TB_ETMV3_TIMESTAMP:
      size = read_timestamp (table, p, payload, rest);
      break;
    case TB_ETMV3_DATA:
    case TB_ETMV3_DATA_LATE:
    case TB_ETMV3_DATA_PLACEHOLDER:
    case TB_ETMV3_DATA_NOT_TRACED:
      return read_data (table, p, bytes, length);
    case TB_ETMV3_BAD:
      p->value = bytes[0];
      break;
    case TB_ETMV3_TRIGGER:
    case TB_ETMV3_IGNORE:
    case TB_ETMV3_EXCEPTION_ENTRY:
    case TB_ETMV3_EXCEPTION_RETURN:
    case TB_ETMV3_DATA_SUPPRESSED:
    case TB_ETMV3_STORE_FAILED:
      break;
    }
  return size == GOES_ON ? 0 : size + 1;
}
