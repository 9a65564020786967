/* Target descriptions: a core's registers as GDB is told of them, and where
   each stands in a block of raw registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Target Descriptions" and "Standard Target Features"
   (Arm, AArch64).  The block is that of the remote protocol's g packet, of a
   trace file's R block and of qTBuffer: the registers in the order of their
   numbers in the description, without padding.

   Behind the registers that are followed through a trace a description may have
   more: FP registers and the M profile's special ones, which are read one by one
   where they are known.  */

#ifndef TB_ARM_MACHINE_TDESC_H
#define TB_ARM_MACHINE_TDESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "arm/machine/regs.h"
#include "util/buffer.h"

/* One register of the block.  */
struct tb_tdesc_slot
{
  uint8_t reg;			/* Number in arm/machine/regs.h.  */
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

/* What is described.  */
struct tb_tdesc
{
  const struct tb_profile *profile;
  bool stacks;			/* M profile: with MSP and PSP, by which GDB finds the
				   frames that exceptions put on either.  It then needs
				   both for every backtrace.  */
  bool fp;			/* With FP registers.  (A64: always.)  */
  bool special;			/* M profile: with PRIMASK, CONTROL and the like.  */
};

/* The layout of what is described: 0x44 bytes, cores with AArch64 0x10c; with STACKS
   0x4c or, where there are FP registers, 0xd0, of which those behind the slots are
   theirs: GDB reads a trace file's block in an order of its own, in which FP registers
   come before MSP, and no further than to the first that is not there.  */
const struct tb_tdesc_layout *
tb_tdesc_layout_of (const struct tb_tdesc *tdesc);

/* The same of PROFILE's core registers alone, for trace files.  */
const struct tb_tdesc_layout *tb_tdesc_layout (const struct tb_profile *profile);

/* The longest block.  */
#define TB_TDESC_SIZE_MAX 0x10c

/* Append the description of TDESC: a whole XML document, without xi:include (trace
   files cannot serve another), each line shorter than 100 characters.  AArch64
   cores are described with the vector registers, which are not in the block: without
   them GDB makes up q registers out of the general ones.  */
void tb_tdesc_compose (struct tb_buffer *text, const struct tb_tdesc *tdesc);

/* A register that is described and not in a slot.  */
struct tb_tdesc_other
{
  char name[12];		/* As GDB calls it: "d0", "v0", "fpscr", "control". */
  unsigned bytes;
  int reg;			/* Number in arm/machine/regs.h; -1: it is not followed.  */
};

/* No register has a number as high as that.  */
#define TB_TDESC_NUMBERS 68

/* The one that has GDB's number NUMBER; false: none.  */
bool tb_tdesc_find_other (const struct tb_tdesc *tdesc, unsigned number,
			  struct tb_tdesc_other *other);

#endif /* TB_ARM_MACHINE_TDESC_H */
