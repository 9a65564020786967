/* What the descriptions of instructions are made of; for arm/semantics-*.c
   only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_SEMANTICS_EMIT_H
#define TB_ARM_SEMANTICS_EMIT_H

#include "arm/semantics.h"

#define T0 TB_PLACE_T0
#define T1 TB_PLACE_T1
#define T2 TB_PLACE_T2
#define T3 TB_PLACE_T3
#define IMM TB_PLACE_IMM
#define NONE TB_PLACE_NONE
#define SP TB_SLOT_SP
#define LR TB_SLOT_LR

/* The functions below use T0 (results) and more where they say so; what they are
   given may be in the others.  */
void tb_sem_emit (struct tb_semantics *s, unsigned op, unsigned dst,
		  unsigned a, unsigned b, uint32_t imm);

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

/* The core may be in the other security state now, which has its own stack
   pointers, CONTROL and PRIMASK.  */
void tb_sem_other_security (struct tb_semantics *s);

/* The 16-bit instructions (semantics-t16.c), those of 32 bits of ARMv6-M, and
   those of the Main Extension (semantics-t32*.c).  False: not modelled.  */
bool tb_sem_t16 (struct tb_semantics *s, uint32_t op, uint32_t pc,
		 const struct tb_profile *profile);
bool tb_sem_t32_v6m (struct tb_semantics *s, uint32_t op, uint32_t pc);
bool tb_sem_t32_data (struct tb_semantics *s, uint32_t op, uint32_t pc,
		      const struct tb_profile *profile);
bool tb_sem_t32_plain (struct tb_semantics *s, uint32_t op, uint32_t pc);
bool tb_sem_t32_registers (struct tb_semantics *s, uint32_t op);
bool tb_sem_t32_multiply (struct tb_semantics *s, uint32_t op);
bool tb_sem_t32_memory (struct tb_semantics *s, uint32_t op, uint32_t pc,
			const struct tb_profile *profile);
bool tb_sem_t32_branch (struct tb_semantics *s, uint32_t op, uint32_t pc,
			const struct tb_profile *profile);
bool tb_sem_t32_fp (struct tb_semantics *s, uint32_t op, uint32_t pc);

#endif /* TB_ARM_SEMANTICS_EMIT_H */
