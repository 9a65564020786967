/* Packets of ETMv3.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Embedded Trace Macrocell Architecture Specification (IHI 0014Q),
   chapter 7, "ETMv3 Signal Protocol".  */

#ifndef TB_DECODE_ETMV3_PACKET_H
#define TB_DECODE_ETMV3_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/v7trace.h"
#include "util/buffer.h"
#include "util/number.h"

enum tb_etmv3_packet_type
{
  TB_ETMV3_BAD,			/* Reserved, or not what must follow.  */
  TB_ETMV3_BRANCH,
  TB_ETMV3_P_HEADER,
  TB_ETMV3_ASYNC, TB_ETMV3_ISYNC, TB_ETMV3_ISYNC_CYCLES,
  TB_ETMV3_CYCLES, TB_ETMV3_TRIGGER, TB_ETMV3_IGNORE,
  TB_ETMV3_CONTEXT_ID, TB_ETMV3_VMID, TB_ETMV3_TIMESTAMP,
  TB_ETMV3_EXCEPTION_ENTRY,	/* M profile: data of the stacking follow.  */
  TB_ETMV3_EXCEPTION_RETURN,
  /* Data trace.  */
  TB_ETMV3_DATA,		/* Of the newest data instruction.  */
  TB_ETMV3_DATA_LATE,		/* Out of order: a placeholder's value.  */
  TB_ETMV3_DATA_PLACEHOLDER,	/* Its value comes later, by tag.  */
  TB_ETMV3_DATA_NOT_TRACED,	/* A transfer of an LSM that is left out.  */
  TB_ETMV3_DATA_SUPPRESSED,
  TB_ETMV3_STORE_FAILED
};

#define TB_ETMV3_PACKET_TYPES (TB_ETMV3_STORE_FAILED + 1)

extern const char *const tb_etmv3_packet_names[TB_ETMV3_PACKET_TYPES];

/* What a header byte says.  */
struct tb_etmv3_header
{
  uint8_t type;			/* enum tb_etmv3_packet_type  */
  /* P_HEADER: atoms, 1 is E, the oldest is bit 0; and, if tracing is
     cycle-accurate, the cycles before the first and before each later one, or
     all there are where there is no atom.  */
  uint8_t natoms;
  uint16_t atoms;
  uint8_t first_cycles, more_cycles;
  /* Data trace: an address comes next, and then so many bytes of a value.  */
  bool has_address;
  uint8_t value_bytes;
};

/* What a packet of data trace says of one transfer.  */
struct tb_etmv3_transfer
{
  uint32_t value, address;
  uint8_t value_bytes;		/* It is zero where there are none.  */
  bool has_value;
  uint8_t address_bits;		/* Low bits given; 0: contiguous.  */
  bool has_endianness, big_endian;
};

/* How this trace unit's packets are told apart.  */
struct tb_etmv3_table
{
  struct tb_etmv3_header header[256];
  uint8_t cid_bytes;
  uint8_t timestamp_bytes;	/* At most.  */
  uint8_t form;			/* enum tb_v7_address_form  */
  bool has_alternative;		/* AltISA (ThumbEE) from ETMv3.3 on.  */
  bool has_hyp;
  bool instructions;		/* Not only data.  */
  bool data_addresses, data_values;
};

void tb_etmv3_table_init (struct tb_etmv3_table *table,
			  const struct tb_v7_settings *settings);

/* No packet is longer: I-sync with cycle count, context ID, and the addresses
   of a load or store in progress and of the instruction.  */
#define TB_ETMV3_PACKET_MAX 24

/* One packet; only what TYPE has is set.  Nothing here depends on packets
   before it.  The large fields come first: it is cleared for each packet, and compilers do
   that by a few stores only where it is small.  */
struct tb_etmv3_packet
{
  uint64_t value;		/* ISYNC: address.  TIMESTAMP.  BAD: the header.  */
  uint32_t cycles;		/* CYCLES, ISYNC  */
  uint32_t id;			/* CONTEXT_ID, VMID; ISYNC: context ID.  */
  struct tb_etmv3_transfer data;	/* Data trace.  */
  /* BRANCH; ISYNC with IN_PROGRESS: of the instruction.  */
  struct tb_v7_address address;
  struct tb_v7_exception exception;	/* Its number in the newer encoding.  */
  struct tb_etmv3_header atoms;	/* P_HEADER  */

  uint8_t type;
  bool has_exception;

  /* ISYNC  */
  uint8_t reason;		/* enum tb_v7_reason  */
  uint8_t isa;			/* enum tb_isa; TB_ISA_UNKNOWN is Jazelle.  */
  bool nonsecure, hyp, alternative;
  bool has_address;
  bool in_progress;		/* The load or store at VALUE ran, and is not
				   done; execution stands at ADDRESS.  */
  bool has_cycles;
  bool has_id;
  uint8_t value_bits;		/* TIMESTAMP  */

  uint8_t tag;			/* DATA_LATE, DATA_PLACEHOLDER: 1 to 3.  */
};

/* As many bytes as this are there behind a header: those of a data packet are read
   without asking.  */
#define TB_ETMV3_DATA_ROOM 12

/* How many bytes an address is that begins with BYTES, of which eight are there: bit 7 says
   that it goes on, up to five (7.4).  */
static inline unsigned
tb_etmv3_data_address_size (uint64_t bytes)
{
  uint64_t ends = (~bytes & UINT64_C (0x80808080)) | UINT64_C (1) << 39;

  return ((unsigned) __builtin_ctzll (ends) + 1) / 8;
}

/* The size of the data packet of HEADER at BYTES, which TB_ETMV3_DATA_ROOM bytes
   follow.  */
static inline size_t
tb_etmv3_data_size (const struct tb_etmv3_header *header, const uint8_t *bytes)
{
  size_t address = header->has_address
		   ? tb_etmv3_data_address_size (tb_number_64 (bytes + 1)) : 0;

  return 1 + address + header->value_bytes;
}

/* Read the data packet of HEADER at BYTES, which TB_ETMV3_DATA_ROOM bytes follow.  Returns
   its size.  VALUES: packets of its type have values.  */
static inline size_t
tb_etmv3_data_read (const struct tb_etmv3_header *header, bool values,
		    const uint8_t *bytes, struct tb_etmv3_transfer *t)
{
  /* Without branches: which addresses come whole is hard to foresee.  Of an address of no
     bytes no bit is told.  */
  uint64_t told = tb_number_64 (bytes + 1);
  unsigned size = header->has_address ? tb_etmv3_data_address_size (told) : 0;
  const uint8_t *value = bytes + 1 + size;

  told &= (UINT64_C (1) << 8 * size) - 1;
  /* Seven bits a byte: of two, then of four together, then the fifth, which has
     Addr[31:28].  */
  bool big_endian = told >> 36 & 1;
  told &= UINT64_C (0x7f7f7f7f7f);
  told = (told & UINT64_C (0x7f007f007f)) | (told & UINT64_C (0x7f007f00)) >> 1;
  *t = (struct tb_etmv3_transfer) {
    .has_value = values,
    .has_endianness = size == 5, .big_endian = big_endian,
    .address_bits = (uint8_t) (size == 5 ? 32 : 7 * size),
    .address = (uint32_t) ((told & 0x3fff) | (told & 0x3fff0000) >> 2 | told >> 32 << 28),
    .value = tb_number_32 (value)
	     & (uint32_t) ((UINT64_C (1) << 8 * header->value_bytes) - 1),
    .value_bytes = header->value_bytes
  };
  return 1 + size + header->value_bytes;
}

/* Read the packet at the start of the LENGTH > 0 bytes at BYTES.  Returns its
   size; 0 if it goes on after LENGTH bytes, which is never so from
   TB_ETMV3_PACKET_MAX bytes on.  TB_ETMV3_BAD: the bytes are no packet.  */
size_t tb_etmv3_packet_read (const struct tb_etmv3_table *table,
			     const uint8_t *bytes, size_t length,
			     struct tb_etmv3_packet *packet);

/* PACKET_TEXT of struct tb_protocol.  */
void tb_etmv3_packet_text (struct tb_buffer *text, unsigned type,
			 const void *packet);

#endif /* TB_DECODE_ETMV3_PACKET_H */
