/* Flow: is an instruction a branch, of which kind, where to?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm Architecture Reference Manuals (DDI 0487 for A64 and A32/T32,
   DDI 0553 for v8-M, DDI 0419 for v6-M).  */

#ifndef TB_ARM_FLOW_FLOW_H
#define TB_ARM_FLOW_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "arm/machine/profile.h"

/* What kind of waypoint an instruction may be.  Which of them really are
   waypoints depends on the trace protocol and its configuration.  */
enum tb_flow_kind
{
  TB_FLOW_OTHER,		/* Goes on to the next instruction.  */
  TB_FLOW_BRANCH,		/* Direct branch: the target is known.  */
  TB_FLOW_INDIRECT,		/* Target from a register or memory.  */
  TB_FLOW_ISB,
  TB_FLOW_BARRIER,		/* DSB, DMB.  */
  TB_FLOW_WAIT,			/* WFI, WFE (and WFIT, WFET).  */
  TB_FLOW_TSTART,		/* Transaction start.  */
  TB_FLOW_ACCESS,		/* A load or store, where trace tells of it: no
				   decoder of opcodes says so.  */
  TB_FLOW_UNDEFINED,		/* Not an instruction of this ISA; A64's UDF,
				   as memory that is 0 consists of it.  */
  /* The next two never go on to the next instruction by themselves.  What a
     debugger serves and then goes on with, semihosting calls, are not of them:
     BKPT 0xab, HLT 0x3c (T32), HLT 0xf000, SVC 0xab (T32) and SVC 0x123456
     (Arm's "Semihosting for AArch32 and AArch64", 3.1).  */
  TB_FLOW_SERVICE,		/* SVC, HVC, SMC without condition: an exception
				   comes behind it.  */
  TB_FLOW_BREAK			/* BKPT, BRK, HLT, A32's and T32's UDF: an
				   exception or a debugger comes in its place.
				   Debuggers under Linux make breakpoints of
				   UDF.  */
};

/* Does what is of KIND, an enum tb_flow_kind, never go on by itself?  */
static inline bool
tb_flow_traps (unsigned kind)
{
  return kind == TB_FLOW_SERVICE || kind == TB_FLOW_BREAK;
}

/* May what is of KIND, an enum tb_flow_kind, go elsewhere than to the instruction
   behind it, or is it none?  */
static inline bool
tb_flow_leads_away (unsigned kind)
{
  return kind == TB_FLOW_BRANCH || kind == TB_FLOW_INDIRECT
	 || kind == TB_FLOW_UNDEFINED || tb_flow_traps (kind);
}

enum tb_flow_sub
{
  TB_SUB_NONE,
  TB_SUB_LINK,			/* BL, BLX, BLR ...  */
  TB_SUB_RETURN,		/* A64 RET and its authenticated forms.  */
  TB_SUB_ERET,			/* ERET; RFE, SUBS PC, LR and friends.  */
  TB_SUB_V7RETURN		/* A32/T32 idioms of return: BX LR, POP {..PC},
				   MOV PC, LR, LDR PC, [SP], #n ...  */
};

/* One instruction, as far as flow is concerned.  */
struct tb_flow
{
  uint64_t target;		/* TB_FLOW_BRANCH: where to.  */
  uint8_t kind;			/* enum tb_flow_kind  */
  uint8_t sub;			/* enum tb_flow_sub  */
  uint8_t size;			/* 2 or 4 bytes.  */
  uint8_t target_isa;		/* enum tb_isa after the branch, where it is
				   direct.  */
  bool conditional;		/* May not be taken: B.cond, CBZ, TBZ, A32
				   condition; T32 in an IT block; LE/WLS.  */
  bool marked_conditional;	/* The "c" of element listings: CONDITIONAL,
				   save for loop branches (LE, WLS ...) and
				   A64 compare-and-branch (FEAT_CMPBR), which
				   the reference listings leave unmarked.  */
  uint8_t it_length;		/* T32 IT: how many instructions it governs. */
};

/* Decode the A64 OPCODE at PC.  */
void tb_flow_a64 (struct tb_flow *flow, uint32_t opcode, uint64_t pc);

/* Decode the A32 OPCODE at PC.  */
void tb_flow_a32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
		  const struct tb_profile *profile);

/* Decode the T32 instruction at PC whose first halfword is in bits 31:16 of
   OPCODE, its second (or zero) in bits 15:0.  IN_IT: it is governed by an IT
   instruction.  */
void tb_flow_t32 (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
		  bool in_it, const struct tb_profile *profile);

/* The same for ThumbEE.  */
void tb_flow_t32ee (struct tb_flow *flow, uint32_t opcode, uint64_t pc,
		    bool in_it, const struct tb_profile *profile);

/* Bytes of the T32 or ThumbEE instruction whose first halfword is HALF: 2 or 4.  */
static inline unsigned
tb_t32_size (uint32_t half)
{
  return (half & 0xffff) >= 0xe800 ? 4 : 2;
}

#endif /* TB_ARM_FLOW_FLOW_H */
