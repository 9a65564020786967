/* Semantics of A64 branches, exceptions and system instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Branches, Exception Generating and System
   instructions", C5.2 (special-purpose registers), D18.  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* A system register's number: op0, op1, CRn, CRm, op2 as in bits 20 to 5 of MRS
   and MSR.  */
#define SYSREG(op0, op1, n, m, op2) \
  ((op0) << 14 | (op1) << 11 | (n) << 7 | (m) << 3 | (op2))

enum
{
  SPSR_EL1 = SYSREG (3, 0, 4, 0, 0), SPSR_EL2 = SYSREG (3, 4, 4, 0, 0),
  SPSR_EL12 = SYSREG (3, 5, 4, 0, 0), SPSR_EL3 = SYSREG (3, 6, 4, 0, 0),
  SP_EL0 = SYSREG (3, 0, 4, 1, 0), SP_EL1 = SYSREG (3, 4, 4, 1, 0),
  SP_EL2 = SYSREG (3, 6, 4, 1, 0), SPSEL = SYSREG (3, 0, 4, 2, 0),
  RNDR = SYSREG (3, 3, 2, 4, 0), RNDRRS = SYSREG (3, 3, 2, 4, 1),
  NZCV = SYSREG (3, 3, 4, 2, 0), SVCR = SYSREG (3, 3, 4, 2, 2),
  FPCR = SYSREG (3, 3, 4, 4, 0), FPSR = SYSREG (3, 3, 4, 4, 1)
};

/* What every core keeps of what is written to them (C5.2.8, C5.2.9): AHP, DN, FZ,
   RMode; QC, IDC, IXC, UFC, OFC, DZC, IOC.  */
#define FPCR_KEPT UINT64_C (0x07c00000)
#define FPSR_KEPT (TB_FPSR_QC | TB_FPSR_FP)

static void
unknown (struct tb_semantics *s, unsigned dst)
{
  tb_emit_64 (s, TB_OP_UNKNOWN, dst, TB_A64_NONE, TB_A64_NONE, UINT64_MAX);
}

static void
unknown_flags (struct tb_semantics *s)
{
  for (unsigned i = 0; i < 4; i++)
    tb_emit_64 (s, TB_OP_UNKNOWN, TB_A64_N + i, TB_A64_NONE, TB_A64_NONE, 1);
}

static void
read_register (struct tb_semantics *s, unsigned number, unsigned dst)
{
  switch (number)
    {
    case NZCV:
      emit_imm (s, TB_OP_MOV, TB_A64_T0, TB_A64_IMM, 0);
      for (unsigned i = 0; i < 4; i++)
	{
	  emit_imm (s, TB_OP_LSL, TB_A64_T1, TB_A64_N + i, 31 - i);
	  tb_emit_64 (s, TB_OP_ORR, TB_A64_T0, TB_A64_T0, TB_A64_T1, 0);
	}
      emit_imm (s, TB_OP_MOV, dst, TB_A64_T0, 0);
      break;
    case SP_EL0: case SP_EL1: case SP_EL2:
      emit_imm (s, TB_OP_READ_SP, dst, TB_A64_NONE,
	    number == SP_EL0 ? 0 : number == SP_EL1 ? 1 : 2);
      break;
    case SPSEL:
      emit_imm (s, TB_OP_MOV, dst, TB_A64_SPSEL, 0);
      break;
    case FPCR: case FPSR:
      emit_imm (s, TB_OP_MOV, dst,
		number == FPCR ? TB_A64_FPCR : TB_A64_FPSR, 0);
      break;
    case RNDR: case RNDRRS:	/* The flags tell whether there is a number.  */
      unknown_flags (s);
      unknown (s, dst);
      break;
    default:
      unknown (s, dst);
      break;
    }
}

/* Does writing the register change what memory is at an address?  CRn 1: system
   control, 2: translation tables, 10: memory attributes, 13: address space
   (CONTEXTIDR; TPIDR is there, too, with op2 2 and more).  */
static bool
maps_memory (unsigned number)
{
  unsigned n = number >> 7 & 15;
  return n == 1 || n == 2 || n == 10 || n == 11 || n == 15
	 || (n == 13 && (number & 7) < 2);
}

/* PLACE = what FROM has in the bits KEPT, and perhaps in others; what is written as 0
   is 0.  */
static void
write_control (struct tb_semantics *s, unsigned place, unsigned from,
	       uint64_t kept)
{
  unknown (s, TB_A64_T0);
  emit_imm (s, TB_OP_ORR, TB_A64_T0, TB_A64_T0, kept);
  tb_emit_64 (s, TB_OP_AND, place, from, TB_A64_T0, 0);
}

static void
write_register (struct tb_semantics *s, unsigned number, unsigned from)
{
  switch (number)
    {
    case NZCV:
      for (unsigned i = 0; i < 4; i++)
	emit_imm (s, TB_OP_BIT, TB_A64_N + i, from, 31 - i);
      break;
    case SP_EL0: case SP_EL1: case SP_EL2:
      emit_imm (s, TB_OP_WRITE_SP, TB_A64_NONE, from,
	    number == SP_EL0 ? 0 : number == SP_EL1 ? 1 : 2);
      break;
    case SPSEL:
      emit_imm (s, TB_OP_AND, TB_A64_T0, from, 1);
      emit_imm (s, TB_OP_WRITE_SPSEL, TB_A64_NONE, TB_A64_T0, 0);
      break;
    case SPSR_EL1: case SPSR_EL2: case SPSR_EL12: case SPSR_EL3:
      tb_emit_64 (s, TB_OP_FORGET_SAVED, TB_A64_NONE, TB_A64_NONE,
		  TB_A64_NONE, 0);
      break;
    case FPCR:
      write_control (s, TB_A64_FPCR, from, FPCR_KEPT);
      break;
    case FPSR:
      write_control (s, TB_A64_FPSR, from, FPSR_KEPT);
      break;
    case SVCR:			/* Streaming mode (SME).  */
      emit_forget_vectors (s);
      break;
    default:
      if (maps_memory (number))
	tb_emit_64 (s, TB_OP_FORGET, TB_A64_NONE, TB_A64_NONE,
		    TB_A64_NONE, 0);
      break;
    }
}

/* HINT: those of pointer authentication change a register where the core has
   it.  */
static void
hint (struct tb_semantics *s, unsigned number)
{
  if (number == 7 || (number >= 24 && number < 32))
    unknown (s, 30);
  else if (number >= 8 && number < 16)
    unknown (s, 17);
  else if (number == 40)	/* CHKFEAT */
    unknown (s, 16);
}

/* MSR (immediate), hints, barriers: op0 is 0.  */
static void
pstate (struct tb_semantics *s, uint32_t opcode)
{
  unsigned op1 = tb_bits (opcode, 18, 16), crn = tb_bits (opcode, 15, 12);
  unsigned crm = tb_bits (opcode, 11, 8), op2 = tb_bits (opcode, 7, 5);
  if (crn == 2 && op1 == 3)
    hint (s, crm << 3 | op2);
  else if (crn == 4 && op1 == 0 && op2 == 5)
    emit_imm (s, TB_OP_WRITE_SPSEL, TB_A64_NONE, TB_A64_IMM, crm & 1);
  else if (crn == 4 && op1 == 0 && op2 < 3)	/* CFINV, XAFLAG, AXFLAG */
    unknown_flags (s);
  else if (crn == 4 && op1 == 3 && op2 == 3)	/* SMSTART, SMSTOP  */
    emit_forget_vectors (s);
  else if (crn != 3 && crn != 4 && !(crn == 1 && op1 == 3))
    s->modelled = false;	/* Not a barrier, WFET or WFIT.  */
}

/* Memory may be another one or, if CHANGED, be changed where nobody knows.  */
static void
forget_memory (struct tb_semantics *s, bool changed)
{
  tb_emit_64 (s, TB_OP_FORGET, TB_A64_NONE, TB_A64_NONE, TB_A64_NONE,
	      changed);
}

/* DC ZVA, DC GZVA: the block of SIZE bytes that holds the address in place AT becomes
   zero.  If that is not known (0) or a long one, only the least block there can be
   (DDI 0487, D24.2 "DCZID_EL0": a word) is followed.  */
static void
zero_block (struct tb_semantics *s, unsigned at, unsigned size)
{
  bool is_known = size >= 8 && size <= TB_ZERO_MOST;
  unsigned step = is_known ? 8 : 4;
  if (!is_known)
    {
      forget_memory (s, true);
      size = 4;
    }
  emit_imm (s, TB_OP_AND, TB_A64_T0, at, ~(uint64_t) (size - 1));
  for (unsigned offset = 0; offset < size; offset += step)
    {
      if (offset != 0)
	emit_imm (s, TB_OP_ADD, TB_A64_T1, TB_A64_T0, offset);
      tb_emit_64 (s, TB_OP_STORE, TB_A64_NONE,
		  offset != 0 ? TB_A64_T1 : TB_A64_T0, TB_A64_ZERO, step);
    }
}

/* What a system instruction with op0 1 may do to memory.  */
enum memory_effect { NO_EFFECT, OTHER_MEMORY, ZEROES, CHANGES };

/* DDI 0487, C5.3 "Cache maintenance", C5.4 "Address translation", C5.5 "TLB
   maintenance".  What is of no kind here may do anything.  */
static enum memory_effect
effect_of (unsigned op1, unsigned crn, unsigned crm, unsigned op2)
{
  if (crn == 8 || crn == 9)	/* TLBI */
    return OTHER_MEMORY;
  if (crn != 7)
    return CHANGES;
  switch (crm)
    {
    case 1: case 5:		/* IC */
      return NO_EFFECT;
    case 2:			/* TRCIT; BRB */
      return op1 == 3 || op1 == 1 ? NO_EFFECT : CHANGES;
    case 3:			/* CFP, DVP, COSP, CPP */
      return NO_EFFECT;
    case 4:
      if (op1 != 3)
	return CHANGES;
      /* DC ZVA, GZVA; DC GVA writes tags alone.  */
      return op2 == 1 || op2 == 4 ? ZEROES : op2 == 3 ? NO_EFFECT : CHANGES;
    case 8: case 9:		/* AT */
      return NO_EFFECT;
    case 10: case 11: case 12: case 13: case 14:	/* DC that write back. */
      return op1 <= 3 ? NO_EFFECT : CHANGES;
    default:			/* DC IVAC, ISW; stacks of GCS.  */
      return CHANGES;
    }
}

/* "System instructions" with op0 1: caches, translation.  */
static void
operation (struct tb_semantics *s, uint32_t opcode, unsigned block)
{
  unsigned rt = opcode & 31;
  bool get = tb_bits (opcode, 21, 21);
  enum memory_effect effect
    = effect_of (tb_bits (opcode, 18, 16), tb_bits (opcode, 15, 12),
		 tb_bits (opcode, 11, 8), tb_bits (opcode, 7, 5));
  if (get)			/* SYSL */
    unknown (s, tb_a64_write (rt));
  if (get || effect == CHANGES)
    forget_memory (s, true);
  else if (effect == OTHER_MEMORY)
    forget_memory (s, false);
  else if (effect == ZEROES)
    zero_block (s, tb_a64_read (rt), block);
}

static void
system_instruction (struct tb_semantics *s, uint32_t opcode, unsigned block)
{
  bool read = tb_bits (opcode, 21, 21);
  if (tb_bits (opcode, 31, 22) != 0x354)
    {
      s->modelled = false;	/* Pairs of registers.  */
      return;
    }
  switch (tb_bits (opcode, 20, 19))
    {
    case 0:
      if (read)
	s->modelled = false;
      else
	pstate (s, opcode);
      break;
    case 1:
      operation (s, opcode, block);
      break;
    default:
      if (read)
	read_register (s, tb_bits (opcode, 20, 5),
		       tb_a64_write (opcode & 31));
      else
	write_register (s, tb_bits (opcode, 20, 5),
			tb_a64_read (opcode & 31));
      break;
    }
}

/* A test whose outcome is bit VALUE of T0.  */
static void
branch_if (struct tb_semantics *s, unsigned value)
{
  emit_imm (s, TB_OP_BRANCH_IF, TB_A64_NONE, TB_A64_T0, value);
}

static void
branch_register (struct tb_semantics *s, uint32_t opcode, uint64_t pc)
{
  unsigned n = tb_bits (opcode, 9, 5);
  switch (tb_bits (opcode, 24, 21))
    {
    case 0: case 1: case 2:	/* BR, BLR, RET */
      if (tb_bits (opcode, 15, 10) == 0)
	tb_emit_64 (s, TB_OP_TARGET, TB_A64_NONE, tb_a64_read (n), TB_A64_NONE,
		    UINT64_MAX);
      break;
    case 4:
      emit_imm (s, TB_OP_ERET, TB_A64_NONE, TB_A64_NONE, 0);
      return;
    case 8: case 9:		/* BRAA, BLRAA: what X holds is not the target. */
      break;
    default:
      s->modelled = false;
      return;
    }
  if (tb_bits (opcode, 22, 21) == 1)
    emit_imm (s, TB_OP_MOV, 30, TB_A64_IMM, pc + 4);
}

void
tb_semantics_a64_system (struct tb_semantics *s, uint32_t opcode,
			 uint64_t pc, unsigned zero_block_size)
{
  unsigned rt = tb_a64_read (opcode & 31);
  switch (opcode >> 24)
    {
    case 0x14: case 0x15: case 0x16: case 0x17:	/* B */
      break;
    case 0x94: case 0x95: case 0x96: case 0x97:	/* BL */
      emit_imm (s, TB_OP_MOV, 30, TB_A64_IMM, pc + 4);
      break;
    case 0x34: case 0x35:	/* CBZ, CBNZ */
      emit_imm (s, TB_OP_AND, TB_A64_T0, rt, LOW_WORD);
      tb_emit_64 (s, TB_OP_ISZERO, TB_A64_T0, TB_A64_T0, TB_A64_NONE, 0);
      branch_if (s, !tb_bits (opcode, 24, 24));
      break;
    case 0xb4: case 0xb5:
      tb_emit_64 (s, TB_OP_ISZERO, TB_A64_T0, rt, TB_A64_NONE, 0);
      branch_if (s, !tb_bits (opcode, 24, 24));
      break;
    case 0x36: case 0x37: case 0xb6: case 0xb7:	/* TBZ, TBNZ */
      emit_imm (s, TB_OP_BIT, TB_A64_T0, rt,
	    tb_bits (opcode, 31, 31) << 5 | tb_bits (opcode, 23, 19));
      branch_if (s, tb_bits (opcode, 24, 24));
      break;
    case 0x54:			/* B.cond, BC.cond */
      tb_emit_64 (s, TB_OP_CONDITION, TB_A64_T0, TB_A64_NONE, TB_A64_NONE,
		  opcode & 15);
      branch_if (s, 1);
      break;
    case 0xd4:			/* SVC, HVC, SMC; BRK; HLT, DCPS */
      if (tb_bits (opcode, 23, 21) <= 1)
	emit_imm (s, TB_OP_TRAP, TB_A64_NONE, TB_A64_NONE, 0);
      else
	s->modelled = false;
      break;
    case 0xd5:
      system_instruction (s, opcode, zero_block_size);
      break;
    case 0xd6: case 0xd7:
      branch_register (s, opcode, pc);
      break;
    default:
      s->modelled = false;
      break;
    }
}
