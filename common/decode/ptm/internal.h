/* The PTM decoder's own parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each packet becomes its elements at once; none waits.  */

#ifndef TB_DECODE_PTM_INTERNAL_H
#define TB_DECODE_PTM_INTERNAL_H

#include "decode/follow.h"
#include "decode/ptm/packet.h"
#include "decode/v7shell.h"

struct tb_ptm_decoder
{
  struct tb_v7_decoder v7;	/* HERE: struct tb_block.  */
  struct tb_ptm_table table;
};

/* decode.c  */

/* What packet P says.  */
void tb_ptm_decode_packet (struct tb_ptm_decoder *d, struct tb_element **out,
			   const struct tb_ptm_packet *p);

/* flow.c  */

/* NATOMS atoms, the oldest in bit 0 of ATOMS.  BY_PACKET: the only one is
   implied by a branch packet, which tells where it led.  CYCLES is NULL or the
   cycle count of the packet; as in reference listings it is not told where
   there is no range.  */
void tb_ptm_follow (struct tb_ptm_decoder *d, struct tb_element **out,
		    unsigned natoms, unsigned atoms, bool by_packet,
		    const uint32_t *cycles);

/* All instructions up to and with the one at LAST ran.  */
void tb_ptm_follow_to (struct tb_ptm_decoder *d, struct tb_element **out,
		       uint32_t last);

#endif /* TB_DECODE_PTM_INTERNAL_H */
