/* Packets of ETMv4 and ETE instruction trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: IHI 0064 (ETMv4), chapter 6, "Instruction trace packets"; DDI 0487,
   chapter D, "ETE protocol descriptions".  */

#ifndef TB_DECODE_ETMV4_PACKET_H
#define TB_DECODE_ETMV4_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/etmv4/settings.h"
#include "util/buffer.h"

enum tb_etmv4_packet_type
{
  TB_ETMV4_BAD,			/* Reserved, or not what must follow.  */
  TB_ETMV4_EXTENSION,		/* A header only: 0x00.  */
  /* Synchronisation and state.  */
  TB_ETMV4_ASYNC, TB_ETMV4_DISCARD, TB_ETMV4_OVERFLOW,
  TB_ETMV4_TRACE_INFO, TB_ETMV4_TRACE_ON,
  TB_ETMV4_TIMESTAMP, TB_ETMV4_TIMESTAMP_MARKER,
  TB_ETMV4_CYCLES_1, TB_ETMV4_CYCLES_2, TB_ETMV4_CYCLES_3,
  TB_ETMV4_EVENT, TB_ETMV4_IGNORE,
  /* Program flow.  */
  TB_ETMV4_ATOM, TB_ETMV4_Q,
  TB_ETMV4_EXCEPTION, TB_ETMV4_EXCEPTION_RETURN, TB_ETMV4_FUNCTION_RETURN,
  TB_ETMV4_CONTEXT,
  TB_ETMV4_ADDRESS_EXACT, TB_ETMV4_ADDRESS_SHORT, TB_ETMV4_ADDRESS_32,
  TB_ETMV4_ADDRESS_64, TB_ETMV4_ADDRESS_CONTEXT_32,
  TB_ETMV4_ADDRESS_CONTEXT_64,
  /* Speculation.  */
  TB_ETMV4_COMMIT, TB_ETMV4_CANCEL_1, TB_ETMV4_CANCEL_1_MISPREDICT,
  TB_ETMV4_CANCEL_2, TB_ETMV4_CANCEL_3, TB_ETMV4_MISPREDICT,
  /* Conditional instructions that are no branches, and data trace's markers.  */
  TB_ETMV4_CONDITIONAL_1, TB_ETMV4_CONDITIONAL_2, TB_ETMV4_CONDITIONAL_3,
  TB_ETMV4_CONDITIONAL_FLUSH,
  TB_ETMV4_RESULT_1, TB_ETMV4_RESULT_2, TB_ETMV4_RESULT_3, TB_ETMV4_RESULT_4,
  TB_ETMV4_DATA_SYNC_MARKER,
  /* ETE  */
  TB_ETMV4_SOURCE_EXACT, TB_ETMV4_SOURCE_SHORT, TB_ETMV4_SOURCE_32,
  TB_ETMV4_SOURCE_64,
  TB_ETMV4_TRANSACTION_START, TB_ETMV4_TRANSACTION_COMMIT,
  TB_ETMV4_TRANSACTION_FAIL, TB_ETMV4_PE_RESET, TB_ETMV4_INSTRUMENTATION
};

#define TB_ETMV4_PACKET_TYPES (TB_ETMV4_INSTRUMENTATION + 1)

extern const char *const tb_etmv4_packet_names[TB_ETMV4_PACKET_TYPES];

/* What a header byte says.  */
struct tb_etmv4_header
{
  uint8_t type;			/* enum tb_etmv4_packet_type  */
  uint8_t arg;			/* Short and long addresses: the IS bit.  */
  uint8_t natoms;		/* ATOM  */
  uint32_t atoms;		/* 1 is E; the oldest is bit 0.  */
};

/* How this trace unit's packets are told apart.  */
struct tb_etmv4_table
{
  struct tb_etmv4_header header[256];
  uint8_t vmid_bytes, cid_bytes;
  bool commit_mode_1;
  bool ete;
  uint32_t max_speculation;
  uint32_t cycle_mask;
};

void tb_etmv4_table_init (struct tb_etmv4_table *table,
			  const struct tb_etmv4_config *config);

/* No packet is longer.  */
#define TB_ETMV4_PACKET_MAX 40

/* The address that RAW, the payload of a long address packet, tells: of A32 and A64 the
   lowest two bytes have seven bits each, of T32 (IS) the lowest one.  */
static inline uint64_t
tb_etmv4_long_address (uint64_t raw, unsigned is)
{
  return is ? (raw & 0x7f) << 1 | (raw & ~UINT64_C (0xff))
	 : (raw & 0x7f) << 2 | (raw >> 8 & 0x7f) << 9 | (raw & ~UINT64_C (0xffff));
}

/* Context information byte and what follows it (6.4, "Context packet").  */
struct tb_etmv4_context
{
  bool present;			/* False: as before.  */
  bool has_vmid, has_cid;
  bool sf, ns, nse;
  uint8_t el;
  uint32_t vmid, cid;
};

/* One packet; only what TYPE has is set.  Nothing here depends on packets
   before it.  */
struct tb_etmv4_packet
{
  uint8_t type;
  uint8_t natoms;		/* ATOM, CANCEL_2, CANCEL_3, MISPREDICT.  RESULT_1:
				   how many results; ATOMS has each in 4 bits of a
				   byte, and in the next one CI.  */
  uint8_t is;			/* Addresses: IS.  EXACT, Q: which register. */
  uint8_t bits;			/* How many low bits of VALUE are given.  */
  uint32_t atoms;
  uint64_t value;		/* Address, timestamp, event, payload.  BAD: the
				   header.  CONDITIONAL_1: the key; RESULT_1: the
				   first key, and above 32 bits the second; others of
				   these and DATA_SYNC_MARKER: what is given.  */
  uint32_t count;		/* Q: instructions.  COMMIT, CYCLES: elements to
				   commit.  CANCEL: elements to cancel.
				   TRACE_INFO: speculation depth.  */
  uint32_t cycles;		/* CYCLES, TIMESTAMP; TRACE_INFO: threshold. */
  bool has_cycles;
  bool plus_threshold;		/* The threshold is to be added to CYCLES.  */
  bool in_transaction;		/* TRACE_INFO  */
  bool same_address;		/* EXCEPTION: its address is also that of a
				   branch before it.  */
  bool has_address;		/* Q  */
  uint8_t address_type;		/* Q: TB_ETMV4_ADDRESS_...  BAD: of the header.  */
  uint8_t el;			/* INSTRUMENTATION  */
  uint16_t exception;
  struct tb_etmv4_context context;
};

/* Read the packet at the start of the LENGTH > 0 bytes at BYTES.  Returns its
   size; 0 if it goes on after LENGTH bytes, which is never so from
   TB_ETMV4_PACKET_MAX bytes on.  TB_ETMV4_BAD: the bytes are no packet; the
   size is how many of them were understood.  */
size_t tb_etmv4_packet_read (const struct tb_etmv4_table *table,
			     const uint8_t *bytes, size_t length,
			     struct tb_etmv4_packet *packet);

/* PACKET_TEXT of struct tb_protocol.  */
void tb_etmv4_packet_text (struct tb_buffer *text, unsigned type,
			   const void *packet);

#endif /* TB_DECODE_ETMV4_PACKET_H */
