/* The fields of packets as text: what the protocols' texts are made of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A field is " NAME=VALUE"; numbers with 0x are hexadecimal.  */

#ifndef TB_DECODE_PACKET_TEXT_H
#define TB_DECODE_PACKET_TEXT_H

#include <stdint.h>

#include "decode/v7trace.h"
#include "util/buffer.h"

void tb_packet_put_hex (struct tb_buffer *text, const char *name,
			uint64_t value);
void tb_packet_put_number (struct tb_buffer *text, const char *name,
			   uint64_t value);

/* " NAME", if SET: what is said or not.  */
void tb_packet_put_flag (struct tb_buffer *text, const char *name, bool set);

/* The COUNT low bits of ATOMS, the oldest first: E where they are set, N
   where not.  Nothing if there is none.  */
void tb_packet_put_atoms (struct tb_buffer *text, uint32_t atoms,
			  unsigned count);

/* The instruction set ISA (enum tb_isa), UNKNOWN being Jazelle.  */
void tb_packet_put_isa (struct tb_buffer *text, unsigned isa);

/* What is no packet, and why: it began with HEADER, which no packet does; or, with
   what the headers of NAME (NULL: of none) are like, what came behind.  */
void tb_packet_put_bad (struct tb_buffer *text, unsigned header,
			const char *name);

/* What ETMv3 and PTM have in common.  */
void tb_v7_reason_text (struct tb_buffer *text, unsigned reason);
void tb_v7_address_text (struct tb_buffer *text,
			 const struct tb_v7_address *address);
void tb_v7_exception_text (struct tb_buffer *text,
			   const struct tb_v7_exception *exception);

#endif /* TB_DECODE_PACKET_TEXT_H */
