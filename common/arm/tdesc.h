/* Target descriptions: a core's registers as GDB is told of them, and where
   each stands in a block of raw registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Target Descriptions" and "Standard Target Features"
   (Arm, AArch64).  The block is that of the remote protocol's g packet, of a
   trace file's R block and of qTBuffer: the registers in the order of their
   numbers in the description, without padding.  */

#ifndef TB_ARM_TDESC_H
#define TB_ARM_TDESC_H

#include <stddef.h>
#include <stdint.h>

#include "arm/profile.h"
#include "arm/regs.h"
#include "util/buffer.h"

/* One register of the block.  */
struct tb_tdesc_slot
{
  uint8_t reg;			/* Number in arm/regs.h.  */
  uint8_t size;			/* Bytes.  */
  uint8_t gdb;			/* GDB's (remote) number: p packet, regnum.  */
  uint16_t offset;		/* Bytes from the start of the block.  */
};

/* The block of one profile.  Slot N is register N of the description, and bit N
   of the state variable $unknown_registers.  */
struct tb_tdesc_layout
{
  const struct tb_tdesc_slot *slots;
  uint8_t count;
  uint8_t pc, sp, psr;		/* Slots of these.  */
  uint16_t size;		/* Bytes of the whole block.  */
};

/* The layout for PROFILE: M profile and A/R profile 0x44 bytes, cores with
   AArch64 0x10c.  */
const struct tb_tdesc_layout *tb_tdesc_layout (const struct tb_profile *profile);

/* The longest block.  */
#define TB_TDESC_SIZE_MAX 0x10c

/* Append the description of PROFILE's registers: a whole XML document, without
   xi:include (trace files cannot serve another), each line shorter than 100
   characters.  AArch64 cores are described with the vector registers, which are
   not in the block: without them GDB makes up q registers out of the general
   ones.  */
void tb_tdesc_compose (struct tb_buffer *text,
		       const struct tb_profile *profile);

#endif /* TB_ARM_TDESC_H */
