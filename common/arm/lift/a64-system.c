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

/* MRS  */
static void
read_register (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned number = tb_bits (f->op, 20, 5), dst = f->d;
  switch (number)
    {
    case NZCV:
      emit_imm (s, TB_OP_MOV, T0, IMM, 0);
      for (unsigned i = 0; i < 4; i++)
	{
	  emit_imm (s, TB_OP_LSL, T1, TB_A64_N + i, 31 - i);
	  tb_sem_emit (s, TB_OP_ORR, T0, T0, T1, 0);
	}
      emit_imm (s, TB_OP_MOV, dst, T0, 0);
      break;
    case SP_EL0: case SP_EL1: case SP_EL2:
      emit_imm (s, TB_OP_READ_SP, dst, NONE,
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
      emit_unknown_flags (s);
      emit_unknown (s, dst, UINT64_MAX);
      break;
    default:
      emit_unknown (s, dst, UINT64_MAX);
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
  emit_unknown (s, T0, UINT64_MAX);
  emit_imm (s, TB_OP_ORR, T0, T0, kept);
  tb_sem_emit (s, TB_OP_AND, place, from, T0, 0);
}

/* MSR (register)  */
static void
write_register (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned number = tb_bits (f->op, 20, 5), from = tb_a64_read (f->op & 31);
  switch (number)
    {
    case NZCV:
      for (unsigned i = 0; i < 4; i++)
	emit_imm (s, TB_OP_BIT, TB_A64_N + i, from, 31 - i);
      break;
    case SP_EL0: case SP_EL1: case SP_EL2:
      emit_imm (s, TB_OP_WRITE_SP, NONE, from,
	    number == SP_EL0 ? 0 : number == SP_EL1 ? 1 : 2);
      break;
    case SPSEL:
      emit_imm (s, TB_OP_AND, T0, from, 1);
      emit_imm (s, TB_OP_WRITE_SPSEL, NONE, T0, 0);
      break;
    case SPSR_EL1: case SPSR_EL2: case SPSR_EL12: case SPSR_EL3:
      tb_sem_emit (s, TB_OP_FORGET_SAVED, NONE, NONE,
		  NONE, 0);
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
	emit_forget_memory (s, false);
      break;
    }
}

/* HINT: those of pointer authentication change a register where the core has
   it.  */
static void
hint (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned number = tb_bits (f->op, 11, 5);
  if (number == 7 || (number >= 24 && number < 32))
    emit_unknown (s, 30, UINT64_MAX);
  else if (number >= 8 && number < 16)
    emit_unknown (s, 17, UINT64_MAX);
  else if (number == 40)	/* CHKFEAT */
    emit_unknown (s, 16, UINT64_MAX);
}

/* CFINV  */
static void
invert_carry (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_imm (s, TB_OP_EOR, TB_A64_C, TB_A64_C, 1);
}

/* XAFLAG: N = neither C nor Z, V = Z without C, Z = both, C = either.  */
static void
flags_from_external (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_imm (s, TB_OP_EOR, T0, TB_A64_C, 1);
  emit (s, TB_OP_BIC, TB_A64_N, T0, TB_A64_Z);
  emit (s, TB_OP_AND, TB_A64_V, T0, TB_A64_Z);
  emit (s, TB_OP_ORR, T1, TB_A64_C, TB_A64_Z);
  emit (s, TB_OP_AND, TB_A64_Z, TB_A64_C, TB_A64_Z);
  emit (s, TB_OP_MOV, TB_A64_C, T1, NONE);
}

/* AXFLAG: V, which says that numbers are not ordered, goes into Z and C.  */
static void
flags_to_external (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit (s, TB_OP_ORR, TB_A64_Z, TB_A64_Z, TB_A64_V);
  emit (s, TB_OP_BIC, TB_A64_C, TB_A64_C, TB_A64_V);
  emit_constant (s, TB_A64_N, 0);
  emit_constant (s, TB_A64_V, 0);
}

/* MSR SPSel  */
static void
write_spsel (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_imm (s, TB_OP_WRITE_SPSEL, NONE, IMM, f->op >> 8 & 1);
}

/* SMSTART, SMSTOP.  */
static void
streaming_mode (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_forget_vectors (s);
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
      emit_forget_memory (s, true);
      size = 4;
    }
  emit_imm (s, TB_OP_AND, T0, at, ~(uint64_t) (size - 1));
  for (unsigned offset = 0; offset < size; offset += step)
    {
      if (offset != 0)
	emit_imm (s, TB_OP_ADD, T1, T0, offset);
      emit_store (s, offset != 0 ? T1 : T0, ZERO, step);
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

/* "System instructions" with op0 1, SYS and SYSL: caches, translation.  */
static void
operation (struct tb_semantics *s, const struct tb_fields *f)
{
  bool get = tb_bits (f->op, 21, 21);
  enum memory_effect effect
    = effect_of (tb_bits (f->op, 18, 16), tb_bits (f->op, 15, 12),
		 tb_bits (f->op, 11, 8), tb_bits (f->op, 7, 5));
  if (get)			/* SYSL */
    emit_unknown (s, f->d, UINT64_MAX);
  if (get || effect == CHANGES)
    emit_forget_memory (s, true);
  else if (effect == OTHER_MEMORY)
    emit_forget_memory (s, false);
  else if (effect == ZEROES)
    zero_block (s, tb_a64_read (f->op & 31), f->zero_block);
}

/* MRRS, MSRR: pairs of registers (FEAT_D128).  */
static void
read_pair (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = !(f->op & 1) && f->d != 30;
  emit_unknown (s, f->d, UINT64_MAX);
  emit_unknown (s, f->d | 1, UINT64_MAX);
}

static void
write_pair (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit_forget_memory (s, false);
}

/* A test whose outcome is bit VALUE of T0.  */
static void
branch_if (struct tb_semantics *s, unsigned value)
{
  emit_imm (s, TB_OP_BRANCH_IF, NONE, T0, value);
}

static void
zero (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rt = tb_a64_read (f->op & 31);
  if (!f->wide)
    emit_imm (s, TB_OP_AND, T0, rt, LOW_WORD);
  emit (s, TB_OP_ISZERO, T0, f->wide ? rt : T0, NONE);
  branch_if (s, !tb_bits (f->op, 24, 24));
}

static void
test_bit (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_imm (s, TB_OP_BIT, T0, tb_a64_read (f->op & 31),
	    (unsigned) f->wide << 5 | tb_bits (f->op, 23, 19));
  branch_if (s, tb_bits (f->op, 24, 24));
}

static void
flags (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_only (s, TB_OP_CONDITION, T0, f->op & 15);
  branch_if (s, 1);
}

/* CB: by bits 23:21 GT, GE, HI, HS, EQ, NE of registers; GT, LT, HI, LO, EQ, NE of a
   register and a constant.  */
static void
compare (struct tb_semantics *s, const struct tb_fields *f)
{
  static const uint8_t extend[4] = { TB_OP_SXTW, 0, TB_OP_SXTB, TB_OP_SXTH };
  static const uint8_t bits[4] = { 32, 0, 8, 16 };
  unsigned condition = tb_bits (f->op, 23, 21);
  bool constant = tb_bits (f->op, 24, 24), is_signed = condition < 2;
  unsigned form = constant ? 0 : tb_bits (f->op, 15, 14);
  unsigned rt = tb_a64_read (f->op & 31);
  for (unsigned i = 0; i < (constant ? 1 : 2); i++)
    {
      unsigned from = i == 0 ? rt : f->m;
      if (f->wide)
	emit (s, TB_OP_MOV, T0 + i, from, NONE);
      else if (is_signed)
	emit (s, extend[form], T0 + i, from, NONE);
      else
	emit_imm (s, TB_OP_AND, T0 + i, from, ones (bits[form]));
    }
  if (constant)
    emit_constant (s, T1, tb_bits (f->op, 20, 15));
  /* T0 > T1, or T0 < T1 (which is the reverse of >=).  */
  bool less = condition & 1;
  if (condition >= 6)
    {
      emit (s, TB_OP_EOR, T0, T0, T1);
      emit (s, TB_OP_ISZERO, T0, T0, NONE);
    }
  else
    emit (s, is_signed ? TB_OP_LTS : TB_OP_LTU, T0, less ? T0 : T1,
	  less ? T1 : T0);
  branch_if (s, condition == 7 || (less && condition < 6 && !constant) ? 0 : 1);
}

/* BL and its kin.  */
static void
link (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_constant (s, 30, f->pc + 4);
}

static void
target (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_TARGET, NONE, f->n, NONE, UINT64_MAX);
}

static void
target_link (struct tb_semantics *s, const struct tb_fields *f)
{
  target (s, f);
  link (s, f);
}

/* TB_OP_ERET, TB_OP_TRAP.  */
static void
leave (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_imm (s, f->arg, NONE, NONE, 0);
}

/* What is authenticated goes elsewhere than the register says.  TEXIT: FEAT_TEV; CB:
   FEAT_CMPBR.  */
static const struct tb_row rows[] = {
  /* Hints, WFE and WFI of them: first, as vectors are full of NOP.  */
  { 0xffffffdf, 0xd503205f, TB_IS (WAIT), 0, hint },
  { 0xfffff01f, 0xd503201f, 0, 0, hint },
  { 0xfc000000, 0x14000000, TB_DIRECT (NONE, 26), 0, tb_sem_nothing }, /* B  */
  { 0xfc000000, 0x94000000, TB_DIRECT (LINK, 26), 0, link },	/* BL  */
  { 0x7e000000, 0x34000000, TB_DIRECT (NONE, 19), 0, zero },	/* CBZ, CBNZ */
  { 0x7e000000, 0x36000000, TB_DIRECT (NONE, 14), 0, test_bit }, /* TBZ, TBNZ */
  /* B.cond, BC.cond.  AL and NV are conditional branches too, whose condition always
     holds.  */
  { 0xff000000, 0x54000000, TB_DIRECT (NONE, 19), 0, flags },
  { 0xfffffc1f, 0xd65f0000, TB_INDIRECT (RETURN), 0, target },	/* RET */
  { 0xfffffc1f, 0xd63f0000, TB_INDIRECT (LINK), 0, target_link },	/* BLR */
  { 0xfffffc1f, 0xd61f0000, TB_INDIRECT (NONE), 0, target },	/* BR */
  /* RETAASPPC, RETABSPPC: the immediate locates the PAC, not the target.  */
  { 0xffc0001f, 0x5500001f, TB_INDIRECT (RETURN), 0, tb_sem_nothing },
  /* CB: registers whole, bytes (bits 15:14 10), halfwords (11); a constant.  Conditions 4
     and 5 are not allocated.  */
  { 0x7f80c000, 0x74000000, TB_DIRECT (NONE, 9), 0, compare },
  { 0x7fc0c000, 0x74c00000, TB_DIRECT (NONE, 9), 0, compare },
  { 0xff808000, 0x74008000, TB_DIRECT (NONE, 9), 0, compare },
  { 0xffc08000, 0x74c08000, TB_DIRECT (NONE, 9), 0, compare },
  { 0x7f804000, 0x75000000, TB_DIRECT (NONE, 9), 0, compare },
  { 0x7fc04000, 0x75c00000, TB_DIRECT (NONE, 9), 0, compare },
  /* "Unconditional branch (register)".  */
  { 0xfffff81f, 0xd61f081f, TB_INDIRECT (NONE), 0, tb_sem_nothing }, /* BRAAZ */
  { 0xfffff800, 0xd71f0800, TB_INDIRECT (NONE), 0, tb_sem_nothing }, /* BRAA */
  { 0xfffff81f, 0xd63f081f, TB_INDIRECT (LINK), 0, link },	/* BLRAAZ */
  { 0xfffff800, 0xd73f0800, TB_INDIRECT (LINK), 0, link },	/* BLRAA */
  /* RETAA, RETAB (Rm is 31); RETAASPPCR, RETABSPPCR (any other Rm).  */
  { 0xfffffbe0, 0xd65f0be0, TB_INDIRECT (RETURN), 0, tb_sem_nothing },
  { 0xffffffff, 0xd69f03e0, TB_INDIRECT (ERET), TB_OP_ERET, leave },	/* ERET */
  { 0xfffffbff, 0xd69f0bff, TB_INDIRECT (ERET), TB_OP_ERET, leave },	/* ERETAA */
  { 0xffffffff, 0xd6bf03e0, TB_INDIRECT (ERET), TB_OP_TRAP, leave },	/* DRPS */
  { 0xfffffbff, 0xd6ff03e0, TB_INDIRECT (ERET), TB_OP_TRAP, leave },	/* TEXIT */
  /* "Exception generation": SVC, HVC, SMC; BRK; HLT, of which one is a semihosting call.
     TENTER, DCPS and others are not told apart.  */
  { 0xffe0001f, 0xd4000001, TB_IS (SERVICE), TB_OP_TRAP, leave },
  { 0xffe0001f, 0xd4000002, TB_IS (SERVICE), TB_OP_TRAP, leave },
  { 0xffe0001f, 0xd4000003, TB_IS (SERVICE), TB_OP_TRAP, leave },
  { 0xffe0001f, 0xd4200000, TB_IS (BREAK), TB_OP_TRAP, leave },
  { 0xffffffff, 0xd45e0000, 0, TB_OP_TRAP, leave },
  { 0xffe0001f, 0xd4400000, TB_IS (BREAK), TB_OP_TRAP, leave },
  { 0xff000000, 0xd4000000, 0, TB_OP_TRAP, leave },
  /* "Barriers", "System instructions with register argument", TSTART.  */
  { 0xfffff0ff, 0xd50330df, TB_IS (ISB), 0, tb_sem_nothing },
  { 0xfffff0df, 0xd503309f, TB_IS (BARRIER), 0, tb_sem_nothing }, /* DSB, DMB */
  { 0xfffff3ff, 0xd503323f, TB_IS (BARRIER), 0, tb_sem_nothing }, /* DSB nXS */
  { 0xffffffc0, 0xd5031000, TB_IS (WAIT), 0, tb_sem_nothing },	/* WFET, WFIT */
  { 0xffffffe0, 0xd5233060, TB_IS (TSTART), TB_OP_TRAP, leave },
  { 0xfff00000, 0xd5300000, 0, 0, read_register },
  { 0xfff00000, 0xd5100000, 0, 0, write_register },
  { 0xfffff01f, 0xd503301f, 0, 0, tb_sem_nothing },	/* "Barriers"  */
  { 0xfff80000, 0xd5080000, 0, 0, operation },
  { 0xfff80000, 0xd5280000, 0, 0, operation },
  /* "PSTATE"; PAN, DAIF ... are not kept.  */
  { 0xfffff0ff, 0xd500401f, 0, 0, invert_carry },
  { 0xfffff0ff, 0xd500403f, 0, 0, flags_from_external },
  { 0xfffff0ff, 0xd500405f, 0, 0, flags_to_external },
  { 0xfffff0ff, 0xd50040bf, 0, 0, write_spsel },
  { 0xfffff6ff, 0xd503447f, 0, 0, tb_sem_nothing },	/* SMSTART ZA, SMSTOP ZA  */
  { 0xfffff0ff, 0xd503407f, 0, 0, streaming_mode },
  { 0xfff8f01f, 0xd500401f, 0, 0, tb_sem_nothing },
  { 0xffffffe0, 0xd5233160, 0, 64, tb_a64_unknown },	/* TTEST  */
  { 0xfff00000, 0xd5700000, 0, 0, read_pair },
  { 0xfff00000, 0xd5500000, 0, 0, write_pair },
  { 0xfff80000, 0xd5480000, 0, 0, operation },		/* SYSP  */
};
const struct tb_rows tb_a64_branches_rows = TB_ROWS (rows);
