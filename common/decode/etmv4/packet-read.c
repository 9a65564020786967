/* Reading one ETMv4 or ETE packet.  See packet.h; section numbers are those of
   IHI 0064.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/packet.h"

#include <string.h>

/* Bytes still to be read.  */
struct input
{
  const uint8_t *at, *end;
  bool truncated;		/* More was wanted than there is.  */
  bool bad;
};

static unsigned
byte (struct input *in)
{
  if (in->at < in->end)
    return *in->at++;
  in->truncated = true;
  return 0;
}

/* The bytes are no packet; bytes that are not there prove nothing.  */
static void
reject (struct input *in)
{
  if (!in->truncated)
    in->bad = true;
}

/* LENGTH bytes, lowest first.  */
static uint64_t
little_endian (struct input *in, unsigned length)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < length; i++)
    value |= (uint64_t) byte (in) << (8 * i);
  return value;
}

/* A field of bytes with seven bits each, bit 7 saying that another follows; at
   most LIMIT of them (6.4, "unsigned LEB128").  */
static uint32_t
continued (struct input *in, unsigned limit)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < limit; i++)
    {
      unsigned b = byte (in);
      value |= (uint64_t) (b & 0x7f) << (7 * i);
      if ((b & 0x80) == 0)
	return (uint32_t) value;
    }
  reject (in);
  return 0;
}

/* 6.4.1 to 6.4.3: after 0x00.  */
static void
read_extension (struct input *in, struct tb_etmv4_packet *p)
{
  switch (byte (in))
    {
    case 0x00:
      p->type = TB_ETMV4_ASYNC;
      for (int i = 2; i < 11; i++)
	if (byte (in) != 0)
	  {
	    reject (in);
	    return;
	  }
      if (byte (in) != 0x80)
	reject (in);
      break;
    case 0x03:
      p->type = TB_ETMV4_DISCARD;
      break;
    case 0x05:
      p->type = TB_ETMV4_OVERFLOW;
      break;
    default:
      reject (in);
    }
}

/* Trace Info: a control field says which sections follow.  */
static void
read_trace_info (struct input *in, struct tb_etmv4_packet *p)
{
  enum { INFO = 1, KEY = 2, SPECULATION = 4, CYCLES = 8, WINDOW = 16 };
  unsigned control = byte (in), more = control;
  for (unsigned i = 0; more & 0x80; i++)
    {
      more = byte (in);
      if (i == 3)
	{
	  reject (in);
	  return;
	}
    }
  if (control & INFO)
    p->in_transaction = continued (in, 5) >> 6 & 1;
  if (control & KEY)
    continued (in, 5);
  if (control & SPECULATION)
    p->count = continued (in, 5);
  if (control & CYCLES)
    p->cycles = continued (in, 5);
  if (control & WINDOW)
    continued (in, 5);
}

/* Timestamp: up to nine bytes, the ninth with eight bits.  */
static void
read_timestamp (struct input *in, struct tb_etmv4_packet *p, unsigned header,
		const struct tb_etmv4_table *table)
{
  p->bits = 64;
  for (unsigned i = 0; i < 9; i++)
    {
      unsigned b = byte (in);
      if (i == 8)
	p->value |= (uint64_t) b << 56;
      else
	{
	  p->value |= (uint64_t) (b & 0x7f) << (7 * i);
	  if ((b & 0x80) == 0)
	    {
	      p->bits = (uint8_t) (7 * (i + 1));
	      break;
	    }
	}
    }
  if (header & 1)
    {
      p->has_cycles = true;
      p->cycles = continued (in, 3) & table->cycle_mask;
    }
}

static void
read_cycles (struct input *in, struct tb_etmv4_packet *p, unsigned header,
	     const struct tb_etmv4_table *table)
{
  p->has_cycles = p->plus_threshold = true;
  if (p->type == TB_ETMV4_CYCLES_1)
    {
      if (!table->commit_mode_1)
	p->count = continued (in, 5);
      /* Bit 0, U: the count is not known.  */
      if (header & 1)
	p->has_cycles = p->plus_threshold = false;
      else
	p->cycles = continued (in, 3);
    }
  else if (p->type == TB_ETMV4_CYCLES_2)
    {
      unsigned b = byte (in);
      p->cycles = b & 0xf;
      /* Bit 0, F: counted down from the greatest speculation depth.  */
      int64_t commit = (b >> 4) + (header & 1
				   ? (int64_t) table->max_speculation - 15
				   : 1);
      if (!table->commit_mode_1 && commit > 0)
	p->count = (uint32_t) commit;
    }
  else
    {
      p->cycles = header & 3;
      if (!table->commit_mode_1)
	p->count = (header >> 2 & 3) + 1;
    }
}

static void
read_context (struct input *in, struct tb_etmv4_packet *p,
	      const struct tb_etmv4_table *table)
{
  struct tb_etmv4_context *c = &p->context;
  unsigned info = byte (in);
  c->present = true;
  c->el = info & 3;
  c->nse = info >> 3 & 1;	/* ETE  */
  c->sf = info >> 4 & 1;
  c->ns = info >> 5 & 1;
  c->has_vmid = (info & 0x40) && table->vmid_bytes > 0;
  c->has_cid = (info & 0x80) && table->cid_bytes > 0;
  if (c->has_vmid)
    c->vmid = (uint32_t) little_endian (in, table->vmid_bytes);
  if (c->has_cid)
    c->cid = (uint32_t) little_endian (in, table->cid_bytes);
}

/* 6.4.14, short: 7 bits, or 7 and 8, from bit 2 (IS0) or bit 1 (IS1) on.  */
static void
read_short_address (struct input *in, struct tb_etmv4_packet *p, unsigned is)
{
  unsigned shift = is ? 1 : 2, b = byte (in);
  p->is = (uint8_t) is;
  p->value = (uint64_t) (b & 0x7f) << shift;
  p->bits = (uint8_t) (7 + shift);
  if (b & 0x80)
    {
      p->value |= (uint64_t) byte (in) << (7 + shift);
      p->bits += 8;
    }
}

/* 6.4.13, long: 32 or 64 bits.  The first byte has seven bits, and so has the
   second of IS0.  */
static void
read_long_address (struct input *in, struct tb_etmv4_packet *p, unsigned is,
		   unsigned bytes)
{
  uint64_t raw = little_endian (in, bytes);
  p->is = (uint8_t) is;
  p->bits = (uint8_t) (bytes * 8);
  p->value = tb_etmv4_long_address (raw, is);
}

/* Exception: its address follows in an address packet.  */
static void
read_exception (struct input *in, struct tb_etmv4_packet *p,
		const struct tb_etmv4_table *table)
{
  enum { RESET = 0, TRANSACTION_FAILURE = 0x18 };
  unsigned first = byte (in);
  p->exception = first >> 1 & 0x1f;
  p->same_address = (first & 0x41) == 0x40;	/* E1, E0  */
  if (first & 0x80)
    p->exception |= (byte (in) & 0x1f) << 5;
  if (table->ete && !(first & 0x80)
      && (p->exception == RESET || p->exception == TRANSACTION_FAILURE))
    byte (in);
  if (table->ete && p->exception == RESET)
    p->type = TB_ETMV4_PE_RESET;
  if (table->ete && p->exception == TRANSACTION_FAILURE)
    p->type = TB_ETMV4_TRANSACTION_FAIL;
}

static void
read_q (struct input *in, struct tb_etmv4_packet *p, unsigned type)
{
  p->has_address = true;
  switch (type)
    {
    case 0x0: case 0x1: case 0x2:
      p->address_type = TB_ETMV4_ADDRESS_EXACT;
      p->is = (uint8_t) type;
      break;
    case 0x5: case 0x6:
      p->address_type = TB_ETMV4_ADDRESS_SHORT;
      read_short_address (in, p, type == 0x6);
      break;
    case 0xa: case 0xb:
      p->address_type = TB_ETMV4_ADDRESS_32;
      read_long_address (in, p, type == 0xb, 4);
      break;
    default:		/* 0xc, and 0xf without a count.  */
      p->has_address = false;
    }
  if (type != 0xf)
    p->count = continued (in, 5);
}

/* Conditional result format 1 has one or two payloads: a result, and the key that ties it
   to its instruction, the lowest three bits of which stand beside it.  */
static void
read_result_1 (struct input *in, struct tb_etmv4_packet *p, unsigned header,
	       unsigned payloads)
{
  p->natoms = (uint8_t) payloads;
  for (unsigned i = 0; i < payloads; i++)
    {
      unsigned first = byte (in);
      uint64_t key = first >> 4 & 7;
      if (first & 0x80)
	key |= (uint64_t) continued (in, 5) << 3;
      p->value |= (key & UINT32_MAX) << 32 * i;
      p->atoms |= (first & 0xf) << 8 * i | (header >> i & 1) << (8 * i + 4);
    }
}

/* Speculation packets with atoms in their low bits: none, E, EE or N.  */
static void
speculation_atoms (struct tb_etmv4_packet *p, unsigned code)
{
  static const uint8_t counts[4] = { 0, 1, 2, 1 };
  static const uint8_t bits[4] = { 0, 1, 3, 0 };
  p->natoms = counts[code];
  p->atoms = bits[code];
}

static void
read_payload (const struct tb_etmv4_table *table, struct input *in,
	      unsigned header, unsigned arg, struct tb_etmv4_packet *p)
{
  switch (p->type)
    {
    case TB_ETMV4_BAD:
      reject (in);
      break;
    case TB_ETMV4_EXTENSION:
      read_extension (in, p);
      break;
    case TB_ETMV4_TRACE_INFO:
      read_trace_info (in, p);
      break;
    case TB_ETMV4_TIMESTAMP:
      read_timestamp (in, p, header, table);
      break;
    case TB_ETMV4_CYCLES_1:
    case TB_ETMV4_CYCLES_2:
    case TB_ETMV4_CYCLES_3:
      read_cycles (in, p, header, table);
      break;
    case TB_ETMV4_EVENT:
      p->value = arg;
      break;
    case TB_ETMV4_Q:
      read_q (in, p, arg);
      break;
    case TB_ETMV4_EXCEPTION:
      read_exception (in, p, table);
      break;
    case TB_ETMV4_CONTEXT:
      if (arg != 0)
	read_context (in, p, table);
      break;
    case TB_ETMV4_ADDRESS_EXACT:
    case TB_ETMV4_SOURCE_EXACT:
      p->is = (uint8_t) arg;
      break;
    case TB_ETMV4_ADDRESS_SHORT:
    case TB_ETMV4_SOURCE_SHORT:
      read_short_address (in, p, arg);
      break;
    case TB_ETMV4_ADDRESS_32:
    case TB_ETMV4_SOURCE_32:
      read_long_address (in, p, arg, 4);
      break;
    case TB_ETMV4_ADDRESS_64:
    case TB_ETMV4_SOURCE_64:
      read_long_address (in, p, arg, 8);
      break;
    case TB_ETMV4_ADDRESS_CONTEXT_32:
      read_long_address (in, p, arg, 4);
      read_context (in, p, table);
      break;
    case TB_ETMV4_ADDRESS_CONTEXT_64:
      read_long_address (in, p, arg, 8);
      read_context (in, p, table);
      break;
    case TB_ETMV4_COMMIT:
    case TB_ETMV4_CANCEL_1:
    case TB_ETMV4_CANCEL_1_MISPREDICT:
      p->count = continued (in, 5);
      break;
    case TB_ETMV4_CANCEL_2:
      p->count = 1;
      speculation_atoms (p, arg);
      break;
    case TB_ETMV4_CANCEL_3:
      p->count = (arg >> 1) + 2;
      speculation_atoms (p, arg & 1);
      break;
    case TB_ETMV4_MISPREDICT:
      speculation_atoms (p, arg);
      break;
    case TB_ETMV4_CONDITIONAL_1:
      p->value = continued (in, 6);
      break;
    case TB_ETMV4_CONDITIONAL_2:
    case TB_ETMV4_RESULT_2:
    case TB_ETMV4_RESULT_4:
    case TB_ETMV4_DATA_SYNC_MARKER:
      p->value = arg;
      break;
    case TB_ETMV4_CONDITIONAL_3:
      p->value = byte (in);
      break;
    case TB_ETMV4_RESULT_3:
      p->value = arg << 8 | byte (in);
      break;
    case TB_ETMV4_RESULT_1:
      read_result_1 (in, p, header, arg);
      break;
    case TB_ETMV4_INSTRUMENTATION:
      p->el = (uint8_t) byte (in);
      p->value = little_endian (in, 8);
      break;
    default:			/* The header is all.  */
      break;
    }
}

size_t
tb_etmv4_packet_read (const struct tb_etmv4_table *table,
		      const uint8_t *bytes, size_t length,
		      struct tb_etmv4_packet *packet)
{
  struct input in = { bytes + 1, bytes + length, false, false };
  const struct tb_etmv4_header *header = &table->header[bytes[0]];
  memset (packet, 0, sizeof *packet);
  packet->type = header->type;
  packet->natoms = header->natoms;
  packet->atoms = header->atoms;
  if (header->type != TB_ETMV4_ATOM)
    read_payload (table, &in, bytes[0], header->arg, packet);
  if (in.bad)
    {
      packet->value = bytes[0];
      packet->address_type = header->type;
      packet->type = TB_ETMV4_BAD;
    }
  else if (in.truncated)
    return 0;
  return (size_t) (in.at - bytes);
}
