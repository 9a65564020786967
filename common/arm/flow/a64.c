/* Flow of A64 instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm Architecture Reference Manual for A-profile (DDI 0487), C4.1
   "A64 instruction set encoding".  TEXIT: FEAT_TEV.  */

#include "config.h"

#include "arm/flow/impl.h"

/* A direct branch at PC by the signed number of words OFFSET of WIDTH bits. */
static void
direct (struct tb_flow *flow, uint64_t pc, uint32_t offset, unsigned width,
	bool conditional)
{
  flow->kind = TB_FLOW_BRANCH;
  flow->target = pc + (tb_sign_extend (offset, width) << 2);
  flow->conditional = conditional;
  flow->marked_conditional = conditional;
}

static void
indirect (struct tb_flow *flow, enum tb_flow_sub sub)
{
  flow->kind = TB_FLOW_INDIRECT;
  flow->sub = sub;
}

/* Compare and branch, FEAT_CMPBR: bits 31:25 are x111010.  */
static void
compare_branch (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  bool wide = tb_bits (opcode, 31, 31) != 0;
  bool immediate = tb_bits (opcode, 24, 24) != 0;
  uint32_t condition = tb_bits (opcode, 23, 21);
  uint32_t form = tb_bits (opcode, 15, 14);

  /* Conditions 4 and 5 are not allocated.  Registers: 0 whole, 2 bytes, 3
     halfwords, the last two only with bit 31 clear.  Immediate: bit 14 is 0,
     bit 15 belongs to the immediate.  */
  if ((condition & 6) == 4
      || (immediate ? (form & 1) != 0 : form == 1 || (wide && form != 0)))
    flow->kind = TB_FLOW_UNDEFINED;
  else
    {
      direct (flow, pc, tb_bits (opcode, 13, 5), 9, true);
      flow->marked_conditional = false;
    }
}

/* "Unconditional branch (register)": bits 31:25 are 1101011.  */
static void
branch_register (struct tb_flow *flow, uint32_t opcode)
{
  static const struct
  {
    uint32_t mask, value;
    uint8_t sub;
  } table[] =
  {
    { 0xfffffc1f, 0xd61f0000, TB_SUB_NONE },	/* BR */
    { 0xfffff81f, 0xd61f081f, TB_SUB_NONE },	/* BRAAZ, BRABZ */
    { 0xfffff800, 0xd71f0800, TB_SUB_NONE },	/* BRAA, BRAB */
    { 0xfffffc1f, 0xd63f0000, TB_SUB_LINK },	/* BLR */
    { 0xfffff81f, 0xd63f081f, TB_SUB_LINK },	/* BLRAAZ, BLRABZ */
    { 0xfffff800, 0xd73f0800, TB_SUB_LINK },	/* BLRAA, BLRAB */
    { 0xfffffc1f, 0xd65f0000, TB_SUB_RETURN },	/* RET */
    /* RETAA, RETAB (Rm is 31); RETAASPPCR, RETABSPPCR (any other Rm).  */
    { 0xfffffbe0, 0xd65f0be0, TB_SUB_RETURN },
    { 0xffffffff, 0xd69f03e0, TB_SUB_ERET },	/* ERET */
    { 0xfffffbff, 0xd69f0bff, TB_SUB_ERET },	/* ERETAA, ERETAB */
    { 0xffffffff, 0xd6bf03e0, TB_SUB_ERET },	/* DRPS */
    { 0xfffffbff, 0xd6ff03e0, TB_SUB_ERET },	/* TEXIT, TEXIT NB */
  };

  for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
    if ((opcode & table[i].mask) == table[i].value)
      {
	indirect (flow, table[i].sub);
	return;
      }
  flow->kind = TB_FLOW_UNDEFINED;
}

/* "System": bits 31:24 are 11010101.  */
static void
system_group (struct tb_flow *flow, uint32_t opcode)
{
  static const struct
  {
    uint32_t mask, value;
    uint8_t kind;
  } table[] =
  {
    { 0xfffff0ff, 0xd50330df, TB_FLOW_ISB },
    { 0xfffff0df, 0xd503309f, TB_FLOW_BARRIER },	/* DSB, DMB */
    { 0xfffff3ff, 0xd503323f, TB_FLOW_BARRIER },	/* DSB nXS */
    { 0xffffffdf, 0xd503205f, TB_FLOW_WAIT },		/* WFE, WFI */
    { 0xffffffc0, 0xd5031000, TB_FLOW_WAIT },		/* WFET, WFIT */
    { 0xffffffe0, 0xd5233060, TB_FLOW_TSTART },
  };

  for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
    if ((opcode & table[i].mask) == table[i].value)
      {
	flow->kind = table[i].kind;
	return;
      }
}

/* "Exception generation": bits 31:24 are 11010100.  TENTER and others that come
   here are not told apart.  */
static void
exceptions (struct tb_flow *flow, uint32_t opcode)
{
  switch (opcode & 0x00e0001f)
    {
    case 0x01: case 0x02: case 0x03:		/* SVC, HVC, SMC  */
      flow->kind = TB_FLOW_SERVICE;
      break;
    case 0x00400000:				/* HLT  */
      if (tb_bits (opcode, 20, 5) != 0xf000)
	flow->kind = TB_FLOW_BREAK;
      break;
    case 0x00200000:				/* BRK  */
      flow->kind = TB_FLOW_BREAK;
      break;
    default:
      break;
    }
}

/* "Branches, exception generating and system instructions": bits 28:26 are
   101; by bits 31:24.  */
static void
branch_group (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  switch (opcode >> 24)
    {
    case 0x14: case 0x15: case 0x16: case 0x17:
    case 0x94: case 0x95: case 0x96: case 0x97:	/* B, BL */
      direct (flow, pc, tb_bits (opcode, 25, 0), 26, false);
      flow->sub = opcode >> 31 ? TB_SUB_LINK : TB_SUB_NONE;
      break;
    case 0x34: case 0x35: case 0xb4: case 0xb5:	/* CBZ, CBNZ */
      direct (flow, pc, tb_bits (opcode, 23, 5), 19, true);
      break;
    case 0x36: case 0x37: case 0xb6: case 0xb7:	/* TBZ, TBNZ */
      direct (flow, pc, tb_bits (opcode, 18, 5), 14, true);
      break;
    case 0x54:
      /* B.cond, BC.cond.  AL and NV are conditional branches too, whose
	 condition always holds.  */
      direct (flow, pc, tb_bits (opcode, 23, 5), 19, true);
      break;
    case 0x55:
      /* RETAASPPC, RETABSPPC: the immediate locates the PAC, not the
	 target.  */
      if ((opcode & 0xffc0001f) == 0x5500001f)
	indirect (flow, TB_SUB_RETURN);
      else
	flow->kind = TB_FLOW_UNDEFINED;
      break;
    case 0x74: case 0x75: case 0xf4: case 0xf5:
      compare_branch (flow, opcode, pc);
      break;
    case 0xd4:
      exceptions (flow, opcode);
      break;
    case 0xd5:
      system_group (flow, opcode);
      break;
    case 0xd6: case 0xd7:
      branch_register (flow, opcode);
      break;
    default:
      flow->kind = TB_FLOW_UNDEFINED;
      break;
    }
}

void
tb_flow_a64 (struct tb_flow *flow, uint32_t opcode, uint64_t pc)
{
  tb_flow_plain (flow, 4, TB_ISA_A64);
  switch (tb_bits (opcode, 28, 25))
    {
    case 0xa: case 0xb:
      branch_group (flow, opcode, pc);
      break;
    case 0x0:
      /* With bit 31 set SME, else "Reserved", UDF among them.  */
      if (opcode >> 31 == 0)
	flow->kind = TB_FLOW_UNDEFINED;
      break;
    case 0x1: case 0x3:
      flow->kind = TB_FLOW_UNDEFINED;
      break;
    default:
      break;
    }
}
