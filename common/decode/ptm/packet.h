/* Packets of the Program Flow Trace protocol (PTM).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: CoreSight Program Flow Trace Architecture Specification, PFTv1.0 and
   PFTv1.1 (IHI 0035B), chapter 4, "Program Flow Trace Protocol".  */

#ifndef TB_DECODE_PTM_PACKET_H
#define TB_DECODE_PTM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/v7trace.h"
#include "util/buffer.h"

enum tb_ptm_packet_type
{
  TB_PTM_BAD,			/* Reserved, or not what must follow.  */
  TB_PTM_ATOM, TB_PTM_BRANCH, TB_PTM_WAYPOINT_UPDATE,
  TB_PTM_ASYNC, TB_PTM_ISYNC,
  TB_PTM_TRIGGER, TB_PTM_IGNORE,
  TB_PTM_CONTEXT_ID, TB_PTM_VMID, TB_PTM_TIMESTAMP, TB_PTM_EXCEPTION_RETURN
};

#define TB_PTM_PACKET_TYPES (TB_PTM_EXCEPTION_RETURN + 1)

extern const char *const tb_ptm_packet_names[TB_PTM_PACKET_TYPES];

/* What a header byte says.  */
struct tb_ptm_header
{
  uint8_t type;			/* enum tb_ptm_packet_type  */
  uint8_t natoms;
  uint8_t atoms;		/* 1 is E; the oldest is bit 0.  */
};

/* How this trace unit's packets are told apart.  */
struct tb_ptm_table
{
  struct tb_ptm_header header[256];
  uint8_t cid_bytes;
  uint8_t timestamp_bytes;	/* At most.  */
  bool cycle_accurate;
  bool has_hyp;
};

void tb_ptm_table_init (struct tb_ptm_table *table,
			const struct tb_v7_settings *settings);

/* No packet is longer: A-sync with zeros before it.  */
#define TB_PTM_PACKET_MAX 16

/* One packet; only what TYPE has is set.  Nothing here depends on packets
   before it.  */
struct tb_ptm_packet
{
  uint8_t type;
  uint8_t natoms, atoms;	/* ATOM  */
  struct tb_v7_address address;	/* BRANCH, WAYPOINT_UPDATE  */
  bool has_exception;
  struct tb_v7_exception exception;

  /* ISYNC  */
  uint8_t reason;		/* enum tb_v7_reason  */
  uint8_t isa;			/* enum tb_isa  */
  bool nonsecure, hyp;
  bool alternative;		/* ISYNC, WAYPOINT_UPDATE: ThumbEE is the T32
				   state.  */
  bool has_alternative;		/* WAYPOINT_UPDATE  */

  bool has_cycles;
  uint32_t cycles;		/* ATOM, BRANCH, ISYNC, TIMESTAMP  */
  bool has_id;
  uint32_t id;			/* CONTEXT_ID, VMID; ISYNC: context ID.  */
  uint64_t value;		/* ISYNC: address.  TIMESTAMP.  BAD: the header.  */
  uint8_t value_bits;		/* TIMESTAMP  */
};

/* What tb_ptm_cycles_read does where the count goes on behind the first byte, whose part *CYCLES
   has.  */
size_t tb_ptm_long_cycles_read (uint32_t *cycles, const uint8_t *bytes, size_t length);

/* Read the cycle count at the start of the LENGTH > 0 bytes at BYTES: four bits and a
   continuation bit in the first one, which may be an atom's header, and up to four more.
   Returns its size; 0 if it goes on after LENGTH.  */
static inline size_t
tb_ptm_cycles_read (uint32_t *cycles, const uint8_t *bytes, size_t length)
{
  *cycles = bytes[0] >> 2 & 0xf;
  return bytes[0] & 0x40 ? tb_ptm_long_cycles_read (cycles, bytes, length) : 1;
}

/* Read the packet at the start of the LENGTH > 0 bytes at BYTES.  Returns its
   size; 0 if it goes on after LENGTH bytes, which is never so from
   TB_PTM_PACKET_MAX bytes on.  TB_PTM_BAD: the bytes are no packet.  */
size_t tb_ptm_packet_read (const struct tb_ptm_table *table,
			   const uint8_t *bytes, size_t length,
			   struct tb_ptm_packet *packet);

/* PACKET_TEXT of struct tb_protocol.  */
void tb_ptm_packet_text (struct tb_buffer *text, unsigned type,
			 const void *packet);

#endif /* TB_DECODE_PTM_PACKET_H */
