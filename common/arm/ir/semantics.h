/* Semantics: what an instruction reads, computes and writes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An instruction at one address is described once, as a short list of
   micro-operations (arm/ir/ops.h) on places (registers, single flags, temporaries;
   those of A64 are in arm/ir/semantics-a64.h).  The same
   list is run forward on numbers (tb_semantics_run), turned into a graph of
   values that is solved in any direction (state/window/builder.h), and asked what the
   instruction reads and writes.

   Source: ARMv6-M Architecture Reference Manual (DDI 0419), chapter A6;
   ARMv7-M (DDI 0403), chapters A5 to A7; ARMv8-M (DDI 0553); for A32, and T32 of
   the A and R profile, ARMv7-A and ARMv7-R (DDI 0406), chapters A5, A6, A8 and
   B9, and DDI 0487, part F.  */

#ifndef TB_ARM_IR_SEMANTICS_H
#define TB_ARM_IR_SEMANTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/ir/ops.h"
#include "arm/machine/profile.h"

/* Places.  Those below TB_NSLOTS live from instruction to instruction; the
   flags and the fields of the system registers are places of their own.  */
enum tb_place
{
  /* 0 .. 12: r0 .. r12.  */
  TB_SLOT_SP = 13,		/* The stack pointer in use.  */
  TB_SLOT_LR = 14,
  TB_SLOT_SP_OTHER = 15,	/* The banked stack pointer not in use.  */
  TB_SLOT_N, TB_SLOT_Z, TB_SLOT_C, TB_SLOT_V,
  TB_SLOT_SPSEL,		/* 1: PSP is in use.  0 in handler mode.  */
  TB_SLOT_NPRIV,		/* CONTROL.nPRIV.  */
  TB_SLOT_PRIMASK,
  TB_SLOT_IPSR,			/* The exception number, 0 in thread mode.  */
  TB_SLOT_HANDLER,		/* 1: handler mode.  */
  TB_SLOT_Q,			/* Saturation has happened.  */
  TB_SLOT_GE,			/* Four bits.  */
  TB_SLOT_FPCA,			/* CONTROL.FPCA: FP registers are in use.  */
  TB_NSLOTS,
  /* On the A and R profile some of these are others.  */
  TB_SLOT_SPSR = TB_SLOT_SP_OTHER,	/* That of the mode.  */
  TB_SLOT_MASKS = TB_SLOT_PRIMASK,	/* CPSR bits 8:6: A, I and F.  */
  TB_SLOT_MODE = TB_SLOT_IPSR,		/* CPSR bits 4:0, enum tb_mode.  */
  TB_PLACE_T0 = TB_NSLOTS,	/* Temporaries of one instruction.  */
  TB_PLACE_T1, TB_PLACE_T2, TB_PLACE_T3,
  TB_PLACE_IF,			/* Does the instruction's condition hold?  */
  TB_NPLACES,
  /* From TB_PLACE_FP on the FP and vector registers, word by word: S0 to S31, which are D0
     to D15, and D16 to D31.  */
  TB_PLACE_FPSCR = TB_PLACE_FP + 64,	/* The bits TB_FPSCR_CONTROL, others 0.  */
  TB_PLACE_FPSCR_STATUS,	/* All others.  */
  TB_PLACE_END
};

#define TB_NFP (TB_PLACE_END - TB_PLACE_FP)

/* Is PLACE one, and not the immediate or none?  */
static inline bool
tb_is_place (unsigned place)
{
  return place < TB_NPLACES || place >= TB_PLACE_FP;
}

/* FPSCR: what only VMSR writes, and what comparisons and other arithmetic do, too
   (DDI 0403, A2.5.3; DDI 0406, B4.1.58).  */
#define TB_FPSCR_CONTROL UINT32_C (0x07ff9f00)

/* Modes of the A and R profile (DDI 0406, B1.3.1).  */
enum tb_mode
{
  TB_MODE_USR = 0x10, TB_MODE_FIQ = 0x11, TB_MODE_IRQ = 0x12,
  TB_MODE_SVC = 0x13, TB_MODE_MON = 0x16, TB_MODE_ABT = 0x17,
  TB_MODE_HYP = 0x1a, TB_MODE_UND = 0x1b, TB_MODE_SYS = 0x1f
};

/* The registers of TB_OP_READ_BANKED and TB_OP_WRITE_BANKED.  */
#define TB_SYS_RETURN 0x110	/* Where ERET returns to.  */
/* Register R (8 .. 14; 15: SPSR; 0: ELR_hyp) of MODE, which may be the mode that
   the core is in.  */
#define TB_SYS_REG(mode, r) (0x200 | (unsigned) (r) << 5 | (mode))
#define TB_SYS_REG_MODE(imm) ((imm) & 31)
#define TB_SYS_REG_R(imm) ((imm) >> 5 & 15)

/* What an instruction that is given up half-way may have done already.  */
enum
{
  TB_SEM_LOADS = 1, TB_SEM_STORES = 2,
  TB_SEM_MULTIPLE = 4,		/* More than one word is transferred.  */
  /* A branch; if it has a condition (TB_PLACE_IF), trace tells the outcome.  */
  TB_SEM_BRANCH = 8,
  TB_SEM_CONTINUES = 16,	/* It may be gone on with, not begun again.  */
  TB_SEM_RETURNS = 32,		/* An exception return.  */
  TB_SEM_BIG_ENDIAN = 64,	/* Data may be big-endian from here on.  */
  /* An exception follows; if none does somebody else acted on it, as debuggers do
     on semihosting calls.  */
  TB_SEM_TRAPS = 128
};

/* VLD4 of bytes to four D registers, conditional, is the longest; of A64 DC ZVA of the
   longest block that is described as stores (TB_ZERO_MOST), or LD4 of four whole
   vectors.  */
#define TB_SEM_MAX 128

/* One instruction at one address.  Its places are those of its instruction set: enum
   tb_place, or enum tb_place_a64.  */
struct tb_semantics
{
  bool modelled;		/* False: it may do anything.  */
  bool wide;			/* A64: values have 64 bits.  */
  bool is_m;			/* SP has no low bits.  */
  uint8_t flags;		/* TB_SEM_...  */
  uint8_t when;			/* The predicate of what is emitted next.  */
  uint8_t count;
  struct tb_uop uops[TB_SEM_MAX];
};

/* Masks of slots (bit number = enum tb_place).  */
#define TB_SLOT_BIT(slot) (UINT32_C (1) << (slot))
#define TB_SLOTS_NZCV (TB_SLOT_BIT (TB_SLOT_N) | TB_SLOT_BIT (TB_SLOT_Z) \
		       | TB_SLOT_BIT (TB_SLOT_C) | TB_SLOT_BIT (TB_SLOT_V))

/* The place of an instruction in IT blocks: the condition that governs it, 14
   (always) included, or TB_IT_NONE.  */
#define TB_IT_NONE 15

/* ITSTATE (DDI 0403, A7.3.3): 0 outside of IT blocks.  Behind the 16-bit OPCODE,
   when STATE governed it.  */
static inline uint8_t
tb_it_next (uint8_t state, uint32_t opcode, unsigned size)
{
  if (size == 2 && (opcode & 0xff00) == 0xbf00 && (opcode & 15) != 0)
    return (uint8_t) opcode;
  return (state & 7) == 0 ? 0 : (uint8_t) ((state & 0xe0)
					   | (state << 1 & 0x1f));
}

/* The condition that STATE sets, or TB_IT_NONE.  */
static inline unsigned
tb_it_condition (uint8_t state)
{
  /* 15 is no condition, but always (and not used).  */
  return (state & 15) == 0 ? TB_IT_NONE : state >> 4 == 15 ? 14 : state >> 4;
}

/* Describe the T32 instruction OPCODE of SIZE bytes (as in struct tb_step) at
   PC, governed by IT.  What is not modelled for PROFILE comes back with MODELLED
   false.  */
void tb_semantics_t32_it (struct tb_semantics *semantics, uint32_t opcode,
			  unsigned size, uint32_t pc, unsigned it,
			  const struct tb_profile *profile);

/* The same for the A32 instruction OPCODE.  */
void tb_semantics_a32 (struct tb_semantics *semantics, uint32_t opcode,
		       uint32_t pc, const struct tb_profile *profile);

/* The same for T32 outside of IT blocks.  */
void tb_semantics_t32 (struct tb_semantics *semantics, uint32_t opcode,
		       unsigned size, uint32_t pc,
		       const struct tb_profile *profile);

/* Describe the instruction OPCODE of SIZE bytes of ISA at PC; IT as above, for T32.  What DC
   ZVA writes is not told.  False: it is not modelled, as is what has SIZE 0.  */
bool tb_semantics_of (struct tb_semantics *semantics, enum tb_isa isa, uint32_t opcode,
		      unsigned size, uint64_t pc, unsigned it,
		      const struct tb_profile *profile);

/* The slots that the COUNT micro-operations UOPS, of A64 if WIDE, may read, those that
   they certainly write, and those that they may write.  FP registers are none of them.
   Exception returns of A64 and writes of SPSEL may write SP.  */
struct tb_semantics_effect
{
  uint64_t reads, writes, may_write;
};
void tb_semantics_effect (const struct tb_uop *uops, unsigned count, bool wide,
			  struct tb_semantics_effect *effect);

/* Does condition CC (0 .. 14) hold with these flags?  */
bool tb_condition_holds (unsigned cc, bool n, bool z, bool c, bool v);

/* The slots (flags) that condition CC reads.  */
static inline uint32_t
tb_condition_reads (unsigned cc)
{
  enum
  {
    N = TB_SLOT_BIT (TB_SLOT_N), Z = TB_SLOT_BIT (TB_SLOT_Z),
    C = TB_SLOT_BIT (TB_SLOT_C), V = TB_SLOT_BIT (TB_SLOT_V)
  };
  static const uint32_t reads[8] = { Z, C, N, V, C | Z, N | V, N | Z | V, 0 };
  return reads[cc >> 1 & 7];
}

/* Memory for tb_semantics_run.  A store is not CERTAIN where what is stored, or whether it is
   done, is not told.  */
struct tb_semantics_memory
{
  uint64_t (*load) (void *context, uint64_t address, unsigned size);
  void (*store) (void *context, uint64_t address, unsigned size,
		 uint64_t value, bool certain);
  void *context;
};

/* Where an instruction went on, and what of it is not told.  */
struct tb_semantics_result
{
  bool conditional, taken;	/* A conditional branch's outcome.  */
  bool skipped;			/* A32, T32: its condition failed.  */
  bool indirect;		/* TARGET is meaningful.  */
  bool leaves;			/* A64: an exception or its return follows.  */
  uint64_t target;		/* Only the bits that count.  */
  bool banked;			/* A and R profile: registers of another mode took
				   part; what they hold is not worked out.  */
  /* A64: places whose value is not told: slots, bit number is enum tb_place_a64; vector
     registers, from TB_A64_VECTOR on.  */
  uint64_t unknown, unknown_vectors;
  bool unknown_fpcr, unknown_fpsr;
};

/* Run SEMANTICS, which must be modelled, forward on PLACES (TB_PLACE_END or TB_A64_END
   entries; flags and fields are 0 or 1).  A value that is not defined or not told becomes
   0; of A64 what is made of it, too, and *RESULT says where it got to.  */
void tb_semantics_run (const struct tb_semantics *semantics, uint64_t *places,
		       const struct tb_semantics_memory *memory,
		       struct tb_semantics_result *result);

#endif /* TB_ARM_IR_SEMANTICS_H */
