/* Target descriptions: a core's registers as GDB is told of them, and where
   each stands in a block of raw registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Target Descriptions" and "Standard Target Features"
   (Arm, AArch64).  The block is that of the remote protocol's g packet, of a
   trace file's R block and of qTBuffer: the registers in the order of their
   numbers in the description, without padding.

   A description is the program's own or one that a user or a trace file gives; both
   are XML that one reader takes in.  Registers are known by their names: what a
   register of a name means is the same wherever a description puts it.

   Behind the registers that are followed through a trace a description may have
   more: FP registers and the M profile's special ones, which are read one by one
   where they are known, and any that are not followed at all.  */

#ifndef TB_ARM_MACHINE_TDESC_H
#define TB_ARM_MACHINE_TDESC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "arm/machine/regs.h"
#include "util/buffer.h"
#include "util/diag.h"

/* What a register of a description is.  */
enum tb_tdesc_kind
{
  TB_TDESC_NOT_FOLLOWED,
  TB_TDESC_CORE,		/* REG is its number in arm/machine/regs.h.  */
  TB_TDESC_BANKED,		/* A32: what REG, in arm/machine/regs.h, is in mode PART
				   (CPSR.M).  */
  TB_TDESC_VECTOR,		/* REG is its number in enum tb_vector_reg, from byte
				   PART of it on; what is longer goes on in the next
				   one.  */
  TB_TDESC_SVE			/* REG is its number in enum tb_sve_reg; TB_NSVE: VG,
				   how many 64-bit parts a Z register has.  */
};

/* A register that is described.  */
struct tb_tdesc_reg
{
  const char *name;		/* As the description has it.  */
  uint32_t gdb;			/* GDB's (remote) number: p packet, regnum.  */
  uint32_t offset;		/* Bytes from the start of all.  */
  uint32_t size;		/* Bytes, at least 1.  */
  uint8_t kind;			/* enum tb_tdesc_kind  */
  uint8_t reg, part;
  int16_t slot;			/* Its slot; -1: it has none.  */
};

/* One register of the block that is followed.  */
struct tb_tdesc_slot
{
  uint8_t reg;			/* Number in arm/machine/regs.h.  */
  uint8_t size;			/* Bytes: 1 to 8.  */
  uint8_t bit;			/* In $unknown_registers: its place in the block, 63
				   for all from the 64th on.  */
  uint16_t gdb;			/* GDB's (remote) number.  */
  uint32_t offset;		/* Bytes from the start of the block.  */
};

/* A description for one core.  */
struct tb_tdesc
{
  struct tb_profile profile;	/* The core's.  */
  const struct tb_tdesc_reg *regs;	/* All, by GDB's numbers.  */
  unsigned nregs;
  /* The block: the first NBLOCK of them, SIZE bytes.  It ends behind the core
     registers; where MSP and PSP are described behind these and FP registers: GDB reads
     a trace file's block in an order of its own, in which FP registers come before
     MSP, and no further than to the first that is not there.  */
  unsigned nblock, size;
  const struct tb_tdesc_slot *slots;	/* By GDB's numbers.  */
  unsigned count;
  unsigned pc, sp, psr;		/* Slots of these.  */
  bool stacks;			/* GDB knows by it of MSP and PSP.  */
  bool is_own;			/* It is the program's own.  */
  uint64_t others;		/* In $unknown_registers: those of the block that are
				   in no slot.  */
  const char *text;		/* The whole XML document, without xi:include (trace
				   files cannot serve another), each line shorter
				   than 1000 characters; ends with a newline and a
				   NUL that does not count.  */
  size_t length;
  const char *const *files;	/* What the file included.  */
  unsigned nfiles;
  int8_t slot_of[TB_NREGS_MAX];	/* By number in arm/machine/regs.h; -1: none.  */
  void *pool;			/* What all that is in.  */
};

/* What a description of the program's own has.  */
struct tb_tdesc_options
{
  bool stacks;			/* M profile: with MSP and PSP, by which GDB finds the
				   frames that exceptions put on either.  It then needs
				   both for every backtrace.  */
  bool fp;			/* With FP registers.  (A64: always.)  */
  bool bare;			/* Not of Linux, as far as is known: GDB takes the
				   program for one of no system unless its file says
				   otherwise.  (M profile: always.)  */
  bool special;			/* M profile: with PRIMASK, CONTROL and the like.  */
  unsigned sve;			/* A64: with SVE registers of vectors of so many bytes;
				   0: without.  */
};

/* The program's own description of a core of PROFILE: blocks of 0x44 bytes, cores with
   AArch64 0x10c; with STACKS 0x4c or, where there are FP registers, 0xd0.  OPTIONS may
   be NULL: the core registers alone, as trace files have them.  Lines are shorter than
   100 characters.  AArch64 cores are described with the vector registers, which are not
   in the block: without them GDB makes up q registers out of the general ones.  NULL:
   no memory.  */
struct tb_tdesc *tb_tdesc_own (const struct tb_profile *profile,
			       const struct tb_tdesc_options *options);

/* Read the file PATH as the description of a core of PROFILE; what it includes lies in
   the same folder.  NULL after a diagnostic: it is none, or cannot be that core's.  */
struct tb_tdesc *tb_tdesc_read (const char *path, const struct tb_profile *profile,
				struct tb_diag *diag);

/* The same of LENGTH bytes TEXT, called ORIGIN in diagnostics, which can include
   nothing.  */
struct tb_tdesc *tb_tdesc_parse (const char *text, size_t length,
				 const char *origin,
				 const struct tb_profile *profile,
				 struct tb_diag *diag);

void tb_tdesc_free (struct tb_tdesc *tdesc);

/* No register of a description has a number as high as that.  */
#define TB_TDESC_NUMBERS 0xff00

/* Bytes of all registers of the longest description.  */
#define TB_TDESC_SIZE_MAX 0x4000

/* The one that has GDB's number NUMBER; NULL: none.  */
const struct tb_tdesc_reg *tb_tdesc_find (const struct tb_tdesc *tdesc,
					  uint64_t number);

/* Is register REG of a kind TB_TDESC_BANKED the one that is in use where CPSR is
   PSR?  */
bool tb_tdesc_in_use (const struct tb_tdesc_reg *reg, const struct tb_value *psr);

/* The slot of register REG of arm/machine/regs.h; NULL: it has none.  */
const struct tb_tdesc_slot *tb_tdesc_slot (const struct tb_tdesc *tdesc,
					   unsigned reg);

/* The number that register REG, of arm/machine/regs.h, has in agent expressions where
   the description has none for it; and the number for all that is not followed.  */
#define TB_TDESC_BARE(reg) (TB_TDESC_NUMBERS + (reg))
#define TB_TDESC_NOTHING 0xffff

/* What FROM calls NUMBER, as TO calls it, by what it means; one of the above where TO
   has none.  The above stay what they are: who reads files of other programs must not
   take their numbers for these.  -1: FROM has no such register.  */
long tb_tdesc_translate (const struct tb_tdesc *from, const struct tb_tdesc *to,
			 unsigned number);

#endif /* TB_ARM_MACHINE_TDESC_H */
