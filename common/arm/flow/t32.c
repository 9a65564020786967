/* Flow of T32 instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: Arm Architecture Reference Manual for A-profile (DDI 0487), F3.1
   "T32 instruction set encoding"; for v8-M (DDI 0553), C2.2; v7-M (DDI 0403)
   and v6-M (DDI 0419), A5.  The M profile has neither A32 state nor the
   exception returns of A and R; v8.1-M put its loop and branch-future
   instructions where A and R have BLX with an immediate.  */

#include "config.h"

#include "arm/flow/impl.h"

static void
direct (struct tb_flow *flow, uint64_t pc, uint64_t offset)
{
  flow->kind = TB_FLOW_BRANCH;
  flow->target = (pc + 4 + offset) & 0xffffffff;
}

/* A branch that is conditional by itself, not by an IT instruction.  */
static void
direct_conditional (struct tb_flow *flow, uint64_t pc, uint64_t offset)
{
  direct (flow, pc, offset);
  flow->conditional = true;
  flow->marked_conditional = true;
}

static void
indirect (struct tb_flow *flow, enum tb_flow_sub sub)
{
  flow->kind = TB_FLOW_INDIRECT;
  flow->sub = sub;
}

/* SVC, HVC, SMC; PLAIN: not for semihosting.  */
static void
service (struct tb_flow *flow, bool plain)
{
  if (plain && !flow->conditional)
    flow->kind = TB_FLOW_SERVICE;
}

/* Not an instruction unless AVAILABLE.  True if it is.  */
static bool
needs (struct tb_flow *flow, bool available)
{
  if (!available)
    flow->kind = TB_FLOW_UNDEFINED;
  return available;
}

/* v6-M and v8-M Baseline lack IT and B<c>.W.  */
static bool
is_baseline (const struct tb_profile *profile)
{
  return profile->arch == TB_ARCH_V6M || profile->arch == TB_ARCH_V8M_BASE;
}

/* IT and the hints of 16 bits: bits 15:8 are 10111111.  */
static void
it_and_hints (struct tb_flow *flow, uint32_t opcode,
	      const struct tb_profile *profile)
{
  uint32_t mask = tb_bits (opcode, 3, 0);

  if (mask != 0)
    {
      if (needs (flow, !is_baseline (profile)))
	flow->it_length = (uint8_t) (4 - __builtin_ctz (mask));
    }
  else if ((opcode & 0xe0) == 0x20)	/* WFE, WFI.  */
    flow->kind = TB_FLOW_WAIT;
}

/* "Special data instructions and branch and exchange": bits 15:10 are 010001. */
static void
special_data (struct tb_flow *flow, uint32_t opcode)
{
  bool from_lr = tb_bits (opcode, 6, 3) == 14;

  switch (tb_bits (opcode, 9, 7))
    {
    case 1:
      if ((opcode & 7) == 7)	/* ADD PC, Rm.  */
	indirect (flow, TB_SUB_NONE);
      break;
    case 5:
      if ((opcode & 7) == 7)	/* MOV PC, Rm.  */
	indirect (flow, from_lr ? TB_SUB_V7RETURN : TB_SUB_NONE);
      break;
    case 6:			/* BX, BXNS.  */
      indirect (flow, from_lr ? TB_SUB_V7RETURN : TB_SUB_NONE);
      break;
    case 7:			/* BLX, BLXNS.  */
      indirect (flow, TB_SUB_LINK);
      break;
    default:
      break;
    }
}

/* Instructions of 16 bits; OPCODE is in bits 15:0 here.  */
static void
narrow (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
	const struct tb_profile *profile)
{
  switch (opcode >> 10)
    {
    case 0x11:
      special_data (flow, opcode);
      return;
    case 0x34: case 0x35: case 0x36: case 0x37:	/* 1101xx */
      if (tb_bits (opcode, 11, 8) == 14)	/* UDF */
	flow->kind = TB_FLOW_BREAK;
      else if (tb_bits (opcode, 11, 8) != 15)	/* B<c>  */
	direct_conditional (flow, pc,
			    tb_sign_extend (tb_bits (opcode, 7, 0), 8) << 1);
      else					/* SVC  */
	service (flow, (opcode & 0xff) != 0xab);
      return;
    case 0x38: case 0x39:			/* B */
      direct (flow, pc, tb_sign_extend (tb_bits (opcode, 10, 0), 11) << 1);
      return;
    }

  /* The others are all in "miscellaneous" (1011xx).  */
  if (opcode >> 12 != 0xb)
    return;
  if ((opcode & 0xf500) == 0xb100)		/* CBZ, CBNZ */
    {
      if (needs (flow, profile->arch != TB_ARCH_V6M))
	direct_conditional (flow, pc, tb_bits (opcode, 9, 9) << 6
				      | tb_bits (opcode, 7, 3) << 1);
    }
  else if ((opcode & 0xff00) == 0xbd00)		/* POP {..., PC} */
    indirect (flow, TB_SUB_V7RETURN);
  else if ((opcode & 0xff00) == 0xbe00)		/* BKPT  */
    {
      if ((opcode & 0xff) != 0xab)
	flow->kind = TB_FLOW_BREAK;
    }
  else if ((opcode & 0xffc0) == 0xba80)		/* HLT  */
    {
      if (!profile->is_m && (opcode & 0x3f) != 0x3c)
	flow->kind = TB_FLOW_BREAK;
    }
  else if ((opcode & 0xff00) == 0xbf00)
    it_and_hints (flow, opcode, profile);
}

/* The offset of B.W, BL and BLX.  */
static uint64_t
long_offset (uint32_t opcode)
{
  uint32_t s = tb_bits (opcode, 26, 26);
  uint32_t i1 = !(tb_bits (opcode, 13, 13) ^ s);
  uint32_t i2 = !(tb_bits (opcode, 11, 11) ^ s);

  return tb_sign_extend (s << 24 | i1 << 23 | i2 << 22
			 | tb_bits (opcode, 25, 16) << 12
			 | tb_bits (opcode, 10, 0) << 1, 25);
}

/* Where branches of "branches and miscellaneous control" lead, and which condition they
   have: none or that of an IT block, one of their own, that of a loop (which is not
   marked).  */
enum target
{
  TARGET_NOWHERE, TARGET_LONG, TARGET_A32, TARGET_SHORT, TARGET_LOOP,
  TARGET_BACK, TARGET_PAST, TARGET_T32EE
};

static const struct
{
  uint32_t mask, value;
  uint8_t group, kind, sub, target;
} control[] =
{
#define ROW(mask, value, group, kind, sub, target, fields, arg, emitter) \
  { mask, value, TB_GROUP_##group, TB_FLOW_##kind, TB_SUB_##sub, TARGET_##target },
#include "arm/flow/t32-control.def"
#undef ROW
};

static void
find_target (struct tb_flow *flow, enum target target, uint32_t opcode,
	     uint64_t pc)
{
  bool in_it = flow->marked_conditional;
  uint64_t loop = tb_bits (opcode, 10, 1) << 2 | tb_bits (opcode, 11, 11) << 1;
  switch (target)
    {
    case TARGET_NOWHERE:
      break;
    case TARGET_LONG:
      direct (flow, pc, long_offset (opcode));
      break;
    case TARGET_A32:
      direct (flow, pc & ~UINT64_C (3), long_offset (opcode));
      flow->target_isa = TB_ISA_A32;
      break;
    case TARGET_SHORT:
      direct_conditional (flow, pc,
			  tb_sign_extend (tb_bits (opcode, 26, 26) << 20
					  | tb_bits (opcode, 11, 11) << 19
					  | tb_bits (opcode, 13, 13) << 18
					  | tb_bits (opcode, 21, 16) << 12
					  | tb_bits (opcode, 10, 0) << 1, 21));
      break;
    case TARGET_BACK:
      direct (flow, pc, -loop);
      break;
    case TARGET_LOOP: case TARGET_PAST:
      direct_conditional (flow, pc, target == TARGET_LOOP ? -loop : loop);
      flow->marked_conditional = in_it;
      break;
    case TARGET_T32EE:
      direct (flow, pc, 0);
      flow->target_isa = TB_ISA_T32EE;
      break;
    }
}

/* "Branches and miscellaneous control": bits 31:27 are 11110, 15 is 1.  */
static void
branches (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
	  const struct tb_profile *profile)
{
  unsigned groups = tb_profile_groups (profile);
  for (unsigned i = 0; i < sizeof control / sizeof control[0]; i++)
    if ((opcode & control[i].mask) == control[i].value
	&& groups >> control[i].group & 1)
      {
	if (control[i].kind == TB_FLOW_SERVICE)
	  service (flow, true);
	else
	  flow->kind = control[i].kind;
	flow->sub = control[i].sub;
	find_target (flow, control[i].target, opcode, pc);
	return;
      }
  flow->kind = TB_FLOW_UNDEFINED;
}

/* LDM and STM, RFE and SRS: bits 31:25 are 1110100, 22 is 0.  */
static void
multiple (struct tb_flow *flow, uint32_t opcode,
	  const struct tb_profile *profile)
{
  bool load = tb_bits (opcode, 20, 20) != 0;

  switch (tb_bits (opcode, 24, 23))
    {
    case 0: case 3:		/* RFE, SRS */
      if (needs (flow, !profile->is_m) && load)
	indirect (flow, TB_SUB_ERET);
      break;
    default:
      /* With Rn = PC it is CLRM in v8.1-M, and bit 15 means APSR.  */
      if (load && (opcode & 0x8000) != 0
	  && !(profile->is_m && tb_bits (opcode, 19, 16) == 15))
	indirect (flow, (opcode & 0x0fff0000) == 0x08bd0000	/* POP.W */
			? TB_SUB_V7RETURN : TB_SUB_NONE);
      break;
    }
}

/* "Load word" with Rt = PC: bits 31:24 are 11111000, 22:20 are 101, 15:12 are
   1111.  */
static void
load_pc (struct tb_flow *flow, uint32_t opcode)
{
  bool literal = tb_bits (opcode, 19, 16) == 15;

  if (literal || tb_bits (opcode, 23, 23) != 0)
    indirect (flow, TB_SUB_NONE);
  else if ((opcode & 0x800) != 0)
    {
      /* Pre- or post-indexed; LDR PC, [SP], #n is POP {PC}.  */
      if (needs (flow, (opcode & 0x500) != 0))
	indirect (flow, (opcode & 0x000f0f00) == 0x000d0b00
			? TB_SUB_V7RETURN : TB_SUB_NONE);
    }
  else if (needs (flow, (opcode & 0xfc0) == 0))
    indirect (flow, TB_SUB_NONE);
}

/* Instructions of 32 bits outside "branches".  */
static void
wide (struct tb_flow *flow, uint32_t opcode, const struct tb_profile *profile)
{
  if ((opcode & 0xfe400000) == 0xe8000000)
    multiple (flow, opcode, profile);
  else if ((opcode & 0xfff0ffe0) == 0xe8d0f000)		/* TBB, TBH */
    indirect (flow, TB_SUB_NONE);
  else if ((opcode & 0xff70f000) == 0xf850f000)
    load_pc (flow, opcode);
  else if ((opcode & 0xfff00ff0) == 0xfb500f10)		/* BXAUT */
    {
      if (profile->arch == TB_ARCH_V81M_MAIN)
	indirect (flow, tb_bits (opcode, 19, 16) == 14
			? TB_SUB_V7RETURN : TB_SUB_NONE);
    }
  /* CP15 operations of before v7: MCR p15, 0, Rt, c7, ...  */
  else if (!profile->is_m)
    switch (opcode & 0xffff0fff)
      {
      case 0xee070f95:		/* c5, 4 */
	flow->kind = TB_FLOW_ISB;
	break;
      case 0xee070f9a:		/* c10, 4: DSB */
      case 0xee070fba:		/* c10, 5: DMB */
	flow->kind = TB_FLOW_BARRIER;
	break;
      default:
	break;
      }
}

void
tb_flow_t32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc, bool in_it,
	     const struct tb_profile *profile)
{
  tb_flow_plain (flow, tb_t32_size (opcode >> 16), TB_ISA_T32);
  flow->conditional = in_it;
  flow->marked_conditional = in_it;
  if (flow->size == 2)
    narrow (flow, opcode >> 16, pc, profile);
  else if ((opcode & 0xf8008000) == 0xf0008000)
    branches (flow, opcode, pc, profile);
  /* v6-M has no other instruction of 32 bits.  */
  else if (needs (flow, profile->arch != TB_ARCH_V6M))
    wide (flow, opcode, profile);
}
