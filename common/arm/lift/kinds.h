/* What instructions are for flow: the rows of arm/lift say so, and arm/flow says where
   they lead.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_LIFT_KINDS_H
#define TB_ARM_LIFT_KINDS_H

#include <stdbool.h>

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

#endif /* TB_ARM_LIFT_KINDS_H */
