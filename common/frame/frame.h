/* One trace frame as bytes: what was collected at one step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A frame is a run of blocks, in the form that trace files and the remote
   protocol (qTBuffer) share: R and the raw registers; M, an address (8 bytes),
   a length (2) and the bytes; V, a state variable's number (4) and value (8).
   Source: GDB manual, "Trace File Format".  All little-endian: GDB takes the
   byte order of the architecture, and only little-endian cores are
   supported.  */

#ifndef TB_FRAME_FRAME_H
#define TB_FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"

/* What each block takes beside its contents.  */
#define TB_BLOCK_R_HEAD 1
#define TB_BLOCK_M_HEAD 11
#define TB_BLOCK_V_SIZE 13

/* The longest M block.  */
#define TB_BLOCK_M_LIMIT 65535

/* Zero-initialise before use.  BYTES.failed stays set when there was no
   memory; a frame that has it must not be used.  */
struct tb_frame
{
  struct tb_buffer bytes;
};

void tb_frame_fini (struct tb_frame *frame);

/* Forget the blocks, keep the memory.  */
void tb_frame_clear (struct tb_frame *frame);

/* Append a block of LENGTH bytes of raw registers.  */
void tb_frame_registers (struct tb_frame *frame, const uint8_t *bytes,
			 size_t length);

/* Append blocks for LENGTH bytes at ADDRESS; several where one does not hold
   them, none for length 0.  */
void tb_frame_memory (struct tb_frame *frame, uint64_t address,
		      const uint8_t *bytes, size_t length);

/* Append the value of state variable NUMBER.  */
void tb_frame_variable (struct tb_frame *frame, unsigned number,
			int64_t value);

/* Can LENGTH bytes be filled by blocks without effect?  Any length of
   TB_FRAME_PAD_MIN and more can.  */
#define TB_FRAME_PAD_MIN 130
bool tb_frame_can_pad (size_t length);

/* Fill FRAME up to SIZE bytes, of which it must be possible to fill the
   missing ones, by V blocks for VARIABLE, which shall have VALUE there, and by M blocks
   of length 0 at address 0: nothing that is not so or that GDB could take for
   collected memory.  */
void tb_frame_pad (struct tb_frame *frame, size_t size, unsigned variable,
		   int64_t value);

#endif /* TB_FRAME_FRAME_H */
