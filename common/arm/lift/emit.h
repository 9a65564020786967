/* What the descriptions of instructions are made of; for the files of arm/lift
   only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_LIFT_EMIT_H
#define TB_ARM_LIFT_EMIT_H

#include "arm/lift/rows.h"

#define T0 TB_PLACE_T0
#define T1 TB_PLACE_T1
#define T2 TB_PLACE_T2
#define T3 TB_PLACE_T3
#define SP TB_SLOT_SP
#define LR TB_SLOT_LR

/* The functions below use T0 (results) and more where they say so; what they are
   given may be in the others.  */

/* DST = A + B with flags; SUBTRACT: A - B.  DST may be NONE.  */
void tb_sem_add_flags (struct tb_semantics *s, bool subtract, unsigned dst,
		       unsigned a, unsigned b, uint32_t imm);

/* DST = A + B + C, or A - B - 1 + C, with flags if FLAGS.  */
void tb_sem_adc (struct tb_semantics *s, bool subtract, bool flags,
		 unsigned dst, unsigned a, unsigned b);

/* DST = A OP B with N and Z; DST may be NONE.  */
void tb_sem_logic_flags (struct tb_semantics *s, unsigned op, unsigned dst,
			 unsigned a, unsigned b, uint32_t imm);

/* DST = A shifted by B with N, Z and C.  */
void tb_sem_shift_flags (struct tb_semantics *s, unsigned op, unsigned dst,
			 unsigned a, unsigned b, uint32_t imm);

/* A write of DST; the low bits of the stack pointer are always zero (DDI 0419
   B1.4.1, DDI 0403 B1.4.1, DDI 0553 RCLBC), the PC is a branch without change of
   state.  */
void tb_sem_write_any (struct tb_semantics *s, unsigned dst, unsigned place);

/* DST is a value that is not defined or not worked out.  */
void tb_sem_unknown (struct tb_semantics *s, unsigned dst);

/* What is emitted from here on is done if PLACE, which is 0 or 1, is 1, and what was
   emitted last was done.  */
void tb_sem_only_if (struct tb_semantics *s, unsigned place);

/* An operation that is done if PLACE is 1, as above; PLACE may be written.  */
void tb_sem_emit_if (struct tb_semantics *s, unsigned place, unsigned op, unsigned dst,
		     unsigned a, unsigned b, uint32_t imm);

/* DST = A (IMM: the number IMMEDIATE) if PLACE is 1, as above.  DST is no temporary, as what
   such one was is lost.  */
void tb_sem_move_if (struct tb_semantics *s, unsigned place, unsigned dst, unsigned a,
		     uint32_t immediate);

/* Store SIZE bytes of VALUE at the place ADDRESS, perhaps.  PLACE is used.  */
void tb_sem_store_perhaps (struct tb_semantics *s, unsigned value, unsigned address,
			   unsigned place, unsigned size);

/* LSL, LSR, ASR, ROR, as shifts of encodings number them.  */
extern const uint8_t tb_sem_shifts[4];

/* A second operand and the carry out that it makes.  */
struct tb_sem_operand
{
  unsigned place;		/* IMM: VALUE.  */
  uint32_t value;
  enum
  {
    TB_CARRY_STAYS,
    TB_CARRY_IS,		/* Bit 31 of VALUE.  */
    TB_CARRY_SHIFT,		/* By SHIFT of RM by AMOUNT or register BY.  */
    TB_CARRY_LOW_BIT		/* Of RM.  */
  } carry;
  unsigned shift, by, amount;
  unsigned rm;
};

/* What A32's bits 24:21 select (AND, EOR, SUB, RSB, ADD, ADC, SBC, RSC, TST, TEQ, CMP,
   CMN, ORR, MOV, BIC, MVN) or ORN, on RN and O; with flags RD 15 stands for none.  */
enum { TB_SEM_ORN = 16 };
void tb_sem_operate (struct tb_semantics *s, unsigned which, bool flags,
		     unsigned rd, unsigned rn, struct tb_sem_operand *o);

/* Load DST (not the PC) or store VALUE, SIZE bytes (and TB_ACCESS_ALIGNED) at
   BASE + INDEX.  EXTEND: TB_OP_MOV, TB_OP_SXTB or TB_OP_SXTH.  A load uses T1
   too.  */
void tb_sem_load (struct tb_semantics *s, unsigned dst, unsigned base,
		  unsigned index, uint32_t imm, uint32_t size,
		  unsigned extend);
void tb_sem_store (struct tb_semantics *s, unsigned value, unsigned base,
		   unsigned index, uint32_t imm, uint32_t size);

/* LIST (bit 14 LR, bit 15 PC) from BASE upwards, or BELOW it.  They use T1 and
   T2.  */
void tb_sem_load_multiple (struct tb_semantics *s, unsigned base,
			   unsigned list, bool below, bool write_back);
void tb_sem_store_multiple (struct tb_semantics *s, unsigned base,
			    unsigned list, bool below, bool write_back);

/* Words that are transferred from BASE + START up; BASE becomes BASE + END.  */
struct tb_sem_multiple
{
  unsigned base, list;
  int start, end;
  bool is_load, write_back;
  bool user;			/* The registers of User mode.  */
  uint32_t pc;			/* What is stored for PC.  */
};
/* A PC that is loaded is left in T1.  */
void tb_sem_multiple (struct tb_semantics *s, const struct tb_sem_multiple *m);

/* The core may be in the other security state now, which has its own stack
   pointers, CONTROL and PRIMASK.  */
void tb_sem_other_security (struct tb_semantics *s);

/* 16-bit ones of the A and R profile only.  */
bool tb_sem_t16_system (struct tb_semantics *s, uint32_t op);

/* Both, on the A and R profile (lift/system.c, lift/coprocessor.c).  */
bool tb_sem_msr (struct tb_semantics *s, unsigned rn, uint32_t imm,
		 unsigned fields, bool spsr);
void tb_sem_mrs (struct tb_semantics *s, unsigned rd, bool spsr,
		 const struct tb_profile *profile);
bool tb_sem_banked (struct tb_semantics *s, bool is_msr, unsigned reg,
		    unsigned sysm, bool spsr);
bool tb_sem_cps (struct tb_semantics *s, unsigned imod, unsigned masks,
		 bool change, unsigned mode);
void tb_sem_setend (struct tb_semantics *s, bool big);
/* The words of SRS and RFE begin at the base + START; the base becomes base +
   END.  */
bool tb_sem_srs (struct tb_semantics *s, unsigned mode, int start, int end,
		 bool write_back);
void tb_sem_rfe (struct tb_semantics *s, unsigned rn, int start, int end,
		 bool write_back);
/* To the address in PLACE with the CPSR in PSR.  */
void tb_sem_exception_return (struct tb_semantics *s, unsigned place,
			      unsigned psr);

#endif /* TB_ARM_LIFT_EMIT_H */
