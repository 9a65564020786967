/* Which packets of a Micro Trace Buffer a debugger made.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_MTB_JUMPS_H
#define TB_DECODE_MTB_JUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/vectors.h"
#include "decode/mtb/mtb.h"

/* Packets whose A bit does not stand for an exception, by their numbers, ascending:
   the PC was changed while the core was halted, by a debugger, which may have
   changed anything else too; or the core was reset.  */
struct tb_mtb_jumps
{
  uint64_t *numbers;
  size_t count, capacity;
};

/* Find them in BUFFER, of CONFIG, whose core has the VECTORS; FOLLOW reads its
   code.  In doubt a packet is an exception.  False: no memory.  */
bool tb_mtb_jumps_find (struct tb_mtb_jumps *jumps,
			const struct tb_mtb_buffer *buffer,
			const struct tb_vectors *vectors,
			struct tb_follow *follow,
			const struct tb_decoder_config *config);
void tb_mtb_jumps_fini (struct tb_mtb_jumps *jumps);

/* Is packet NUMBER one of them?  */
bool tb_mtb_jumps_has (const struct tb_mtb_jumps *jumps, uint64_t number);

#endif /* TB_DECODE_MTB_JUMPS_H */
