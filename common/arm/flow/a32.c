/* Flow of A32 instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm Architecture Reference Manual for A-profile (DDI 0487), F4.1
   "A32 instruction set encoding".  Where the manual says that a use of the PC
   is CONSTRAINED UNPREDICTABLE, the instruction counts as a branch if a core
   that executes it would write the PC.  */

#include "config.h"

#include "arm/flow/impl.h"

/* B, BL, and BLX with an immediate: bits 27:25 are 101.  */
static void
direct (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  uint64_t offset = tb_sign_extend (tb_bits (opcode, 23, 0), 24) << 2;
  bool h = tb_bits (opcode, 24, 24) != 0;

  flow->kind = TB_FLOW_BRANCH;
  flow->target = pc + 8 + offset;
  if (opcode >> 28 == 0xf)
    {
      flow->sub = TB_SUB_LINK;
      flow->target += h ? 2 : 0;
      flow->target_isa = TB_ISA_T32;
    }
  else
    flow->sub = h ? TB_SUB_LINK : TB_SUB_NONE;
  flow->target &= 0xffffffff;
}

static void
indirect (struct tb_flow *flow, enum tb_flow_sub sub)
{
  flow->kind = TB_FLOW_INDIRECT;
  flow->sub = sub;
}

/* F4.1 with bits 31:28 all ones.  */
static void
unconditional (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  switch (tb_bits (opcode, 27, 24))
    {
    case 0x0:
      flow->kind = TB_FLOW_UNDEFINED;
      break;
    case 0x1:			/* CPS, SETEND, SETPAN.  */
      if ((opcode & 0x00e00000) != 0)
	flow->kind = TB_FLOW_UNDEFINED;
      break;
    case 0x5:
      if ((opcode & 0x00f00000) == 0x00700000)
	switch (tb_bits (opcode, 7, 4))
	  {
	  case 4: case 5:	/* DSB, DMB.  */
	    flow->kind = TB_FLOW_BARRIER;
	    break;
	  case 6:
	    flow->kind = TB_FLOW_ISB;
	    break;
	  }
      break;
    case 0x8: case 0x9:		/* RFE, SRS.  */
      switch (opcode & 0x00500000)
	{
	case 0x00100000:
	  indirect (flow, TB_SUB_ERET);
	  break;
	case 0x00400000:
	  break;
	default:
	  flow->kind = TB_FLOW_UNDEFINED;
	  break;
	}
      break;
    case 0xa: case 0xb:
      direct (flow, opcode, pc);
      break;
    case 0xf:
      flow->kind = TB_FLOW_UNDEFINED;
      break;
    default:
      break;			/* Advanced SIMD, hints, coprocessors.  */
    }
}

/* A data-processing instruction that is neither of the miscellaneous ones nor
   a comparison: it may have Rd = PC.  */
static void
data_processing (struct tb_flow *flow, uint32_t opcode)
{
  if (tb_bits (opcode, 15, 12) != 15 || tb_bits (opcode, 24, 23) == 2)
    return;
  if (tb_bits (opcode, 20, 20) != 0)	/* SUBS PC, LR and related.  */
    indirect (flow, TB_SUB_ERET);
  else if ((opcode & 0x0fe00fff) == 0x01a0000e)	/* MOV PC, LR.  */
    indirect (flow, TB_SUB_V7RETURN);
  else
    indirect (flow, TB_SUB_NONE);
}

/* Bits 27:25 are 000.  */
static void
register_group (struct tb_flow *flow, uint32_t opcode)
{
  if ((opcode & 0x90) == 0x90)
    return;			/* Multiply, extra loads, synchronisation.  */
  if ((opcode & 0x01900000) != 0x01000000)
    {
      data_processing (flow, opcode);
      return;
    }

  /* "Miscellaneous", F4.1.3.  */
  switch (opcode & 0x006000f0)
    {
    case 0x00200010:		/* BX */
      indirect (flow, (opcode & 15) == 14 ? TB_SUB_V7RETURN : TB_SUB_NONE);
      break;
    case 0x00200020:		/* BXJ */
      indirect (flow, TB_SUB_NONE);
      break;
    case 0x00200030:		/* BLX */
      indirect (flow, TB_SUB_LINK);
      break;
    case 0x00600060:
      indirect (flow, TB_SUB_ERET);
      break;
    case 0x00000070:		/* HLT  */
      if ((opcode & 0x000fff0f) != 0x000f0000)
	flow->kind = TB_FLOW_BREAK;
      break;
    case 0x00200070:		/* BKPT  */
      flow->kind = TB_FLOW_BREAK;
      break;
    case 0x00400070: case 0x00600070:		/* HVC; SMC.  */
      if (!flow->conditional)
	flow->kind = TB_FLOW_SERVICE;
      break;
    default:
      break;
    }
}

/* Bits 27:25 are 001.  */
static void
immediate_group (struct tb_flow *flow, uint32_t opcode)
{
  if ((opcode & 0x01900000) != 0x01000000)
    data_processing (flow, opcode);
  else if ((opcode & 0x0fff00fe) == 0x03200002)	/* Hints WFE, WFI.  */
    flow->kind = TB_FLOW_WAIT;
}

/* Bits 27:26 are 01.  */
static void
load_store_word (struct tb_flow *flow, uint32_t opcode)
{
  if ((opcode & 0x02000010) == 0x02000010)
    {
      /* "Media".  UDF: only its form with condition AL is assembled.  */
      if ((opcode & 0x0ff000f0) == 0x07f000f0)
	flow->kind = opcode >> 28 == 14 ? TB_FLOW_BREAK : TB_FLOW_UNDEFINED;
    }
  else if ((opcode & 0x0050f000) == 0x0010f000)
    /* LDR PC.  LDR PC, [SP], #n is POP {PC}.  */
    indirect (flow, (opcode & 0x03ff0000) == 0x009d0000
		    ? TB_SUB_V7RETURN : TB_SUB_NONE);
}

/* Bits 27:25 are 100.  */
static void
load_multiple (struct tb_flow *flow, uint32_t opcode)
{
  if ((opcode & 0x00108000) != 0x00108000)
    return;
  if ((opcode & 0x00400000) != 0)	/* LDM ...^ with the PC.  */
    indirect (flow, TB_SUB_ERET);
  else if ((opcode & 0x01bf2000) == 0x00bd0000)	/* LDMIA SP! */
    indirect (flow, TB_SUB_V7RETURN);
  else
    indirect (flow, TB_SUB_NONE);
}

/* Bits 27:25 are 111.  CP15 operations of before v7: MCR p15, 0, Rt, c7, ...  */
static void
coprocessor (struct tb_flow *flow, uint32_t opcode)
{
  switch (opcode & 0x0fff0fff)
    {
    case 0x0e070f95:		/* c5, 4 */
      flow->kind = TB_FLOW_ISB;
      break;
    case 0x0e070f9a:		/* c10, 4: DSB */
    case 0x0e070fba:		/* c10, 5: DMB */
      flow->kind = TB_FLOW_BARRIER;
      break;
    default:
      break;
    }
}

void
tb_flow_a32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
	     const struct tb_profile *profile)
{
  tb_flow_plain (flow, 4, TB_ISA_A32);
  if (profile->is_m)
    {
      flow->kind = TB_FLOW_UNDEFINED;
      return;
    }
  if (opcode >> 28 == 0xf)
    {
      unconditional (flow, opcode, pc);
      return;
    }
  flow->conditional = opcode >> 28 != 0xe;
  flow->marked_conditional = flow->conditional;
  switch (tb_bits (opcode, 27, 25))
    {
    case 0:
      register_group (flow, opcode);
      break;
    case 1:
      immediate_group (flow, opcode);
      break;
    case 2: case 3:
      load_store_word (flow, opcode);
      break;
    case 4:
      load_multiple (flow, opcode);
      break;
    case 5:
      direct (flow, opcode, pc);
      break;
    case 7:
      if (tb_bits (opcode, 24, 24) == 0)
	coprocessor (flow, opcode);
      else if (!flow->conditional && (opcode & 0xffffff) != 0x123456)
	flow->kind = TB_FLOW_SERVICE;		/* SVC  */
      break;
    default:
      break;
    }
}
