/* Registers of the cores, numbered for the whole program.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_MACHINE_REGS_H
#define TB_ARM_MACHINE_REGS_H

#include <stddef.h>
#include <stdint.h>

#include "arm/machine/profile.h"

/* AArch32 cores, M profile and A/R.  */
enum tb_reg32
{
  TB_R0, TB_R1, TB_R2, TB_R3, TB_R4, TB_R5, TB_R6, TB_R7, TB_R8, TB_R9,
  TB_R10, TB_R11, TB_R12,
  TB_SP, TB_LR, TB_PC,
  TB_PSR,			/* xPSR (M) or CPSR (A/R).  */
  TB_MSP, TB_PSP,		/* M profile only.  */
  TB_CONTROL, TB_PRIMASK,	/* M profile only.  */
  TB_BASEPRI, TB_FAULTMASK,	/* Those too; the smaller architectures have none.  */
  TB_NREGS32
};

/* AArch64 cores.  */
enum tb_reg64
{
  TB_X0 = 0,			/* X1 .. X30 follow.  */
  TB_X30 = 30,
  TB_SP64, TB_PC64, TB_PSTATE,
  TB_NREGS64
};

#define TB_NREGS_MAX 40

/* Condition flags in PSR and PSTATE.  */
#define TB_PSR_N UINT32_C (0x80000000)
#define TB_PSR_Z UINT32_C (0x40000000)
#define TB_PSR_C UINT32_C (0x20000000)
#define TB_PSR_V UINT32_C (0x10000000)
#define TB_PSR_NZCV UINT32_C (0xf0000000)
/* The number of the exception that is handled (M profile).  */
#define TB_PSR_IPSR UINT32_C (0x1ff)
/* ITSTATE, or how far an instruction that goes on has come (M profile).  */
#define TB_PSR_IT UINT32_C (0x0600fc00)

/* Where a value came from (DESIGN: State).  Stronger tiers are lower.  */
enum tb_origin
{
  TB_UNKNOWN,
  TB_STATED,			/* The trace itself says so.  */
  TB_DERIVED,			/* Follows with certainty.  */
  TB_ASSUMED			/* Holds under an assumption that is on.  */
};

/* A register's value, perhaps known in part: only the bits of MASK mean
   anything, the others of BITS are 0.  */
struct tb_value
{
  uint64_t bits;
  uint64_t mask;		/* All ones over the register's width when it is
				   wholly known.  */
  uint8_t origin;		/* enum tb_origin; the weakest that took part. */
  uint64_t assumed;		/* Registers: those bits of MASK that hold only
				   under an assumption.  */
};

/* What the trace says of the bits MASK.  */
static inline struct tb_value
tb_value_stated (uint64_t bits, uint64_t mask)
{
  return (struct tb_value) { .bits = bits, .mask = mask,
			     .origin = TB_STATED };
}

/* *VALUE is computed from what is of ORIGIN, an enum tb_origin, and from nothing weaker.  What was
   assumed counts for each bit.  */
static inline void
tb_value_set_origin (struct tb_value *value, uint8_t origin)
{
  value->origin = value->mask != 0 ? origin : TB_UNKNOWN;
  value->assumed = value->origin == TB_ASSUMED ? value->mask : 0;
}

/* The PC that the trace says, in a register of the bits MASK.  An address that has more is
   none of that core's, as a log may tell it, and says nothing.  */
static inline struct tb_value
tb_value_pc (uint64_t pc, uint64_t mask)
{
  return (pc & ~mask) == 0 ? tb_value_stated (pc, mask)
			   : (struct tb_value) { .origin = TB_UNKNOWN };
}

/* Are all the bits MASK (not 0) of VALUE known, and how; TB_UNKNOWN: not all are.  */
static inline enum tb_origin
tb_value_origin (const struct tb_value *value, uint64_t mask)
{
  if (mask == 0 || (value->mask & mask) != mask)
    return TB_UNKNOWN;
  if (value->origin != TB_ASSUMED)
    return (enum tb_origin) value->origin;
  return value->assumed & mask ? TB_ASSUMED : TB_DERIVED;
}

/* FP and vector registers: D0 to D31 (M profile: to D15) or V0 to V31, by their
   numbers, and behind them what controls them.  Of V registers each half counts for
   itself; the others have only the first.  */
enum tb_vector_reg
{
  TB_FPSCR = 32,		/* A64: FPCR.  */
  TB_FPSR,			/* A64 only.  */
  TB_NVECTORS
};

struct tb_vector
{
  struct tb_value half[2];
};

/* SVE registers: Z0 to Z31, P0 to P15, FFR.  */
enum tb_sve_reg { TB_SVE_P = 32, TB_SVE_FFR = 48, TB_NSVE };

/* The bytes of the shortest and of the longest vector.  */
enum { TB_SVE_MIN = 16, TB_SVE_MAX = 256 };

/* One register of a register file.  */
struct tb_reg_info
{
  const char *name;		/* As GDB and the listings call it.  */
  uint8_t bits;			/* 32 or 64.  */
};

/* The table of the registers of PROFILE in number order; *COUNT entries.  */
const struct tb_reg_info *tb_regs (const struct tb_profile *profile,
				   size_t *count);

/* The number in that table of the register of a core of PROFILE that somebody calls NAME, in
   capitals or not: as here, as snapshots spell some (R13, PSR), or as assemblers do (fp).  -1: it
   is none of them.  */
int tb_reg_number (const struct tb_profile *profile, const char *name);

/* The same of a NAME that a user types, which may also be one of GDB or of the procedure call
   standard: ps, a1 to a4, v1 to v8 (IHI 0042, "Core registers"), or the low half of a register of
   AArch64: w0, wsp.  *SIZE: its bytes, set if there is one.  */
int tb_reg_typed (const struct tb_profile *profile, const char *name, unsigned *size);

/* How many bits a value may have that is told of register NUMBER of that table: as many as it has
   here, but 64 of PSTATE, as newer architectures have state above bit 31 (DDI 0487, SPSR_EL1).  */
unsigned tb_reg_room (const struct tb_profile *profile, int number);

#endif /* TB_ARM_MACHINE_REGS_H */
