/* The tables of A32 and T32, and the emitters that several files have; for the files of
   arm/lift, and the rows for those of arm/flow.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A32 and T32 have the same instructions in other bits: they share the emitters, and
   their rows say where the registers are.  */

#ifndef TB_ARM_LIFT_AARCH32_H
#define TB_ARM_LIFT_AARCH32_H

#include "arm/lift/fp.h"
#include "arm/lift/rows.h"

/* The fields of rows: the lowest bits of registers D, N, M and A, each plus 4, and which
   of them may be neither PC nor (T32) SP.  A register that is not there is 15.  */
#define TB_AT(d, n, m, a) \
  ((uint32_t) ((d) + 4) | (uint32_t) ((n) + 4) << 5 \
   | (uint32_t) ((m) + 4) << 10 | (uint32_t) ((a) + 4) << 15)
#define TB_NO_PC(registers) ((uint32_t) (registers) << 20)
#define TB_NO_SP(registers) ((uint32_t) (registers) << 24)
#define TB_NO_SP_PC(registers) (TB_NO_PC (registers) | TB_NO_SP (registers))
enum { D = 1, N = 2, M = 4, A = 8, ABSENT = -4 };

/* Where rows are valid, if not everywhere.  */
#define TB_ON(group) ((uint32_t) (group) << 28)
#define TB_ON_M TB_ON (TB_GROUP_M)
#define TB_ON_AR TB_ON (TB_GROUP_AR)
#define TB_ON_V8M TB_ON (TB_GROUP_V8M)
#define TB_ON_V81M TB_ON (TB_GROUP_V81M)
#define TB_ON_NEWER TB_ON (TB_GROUP_NEWER)

/* The rows of A32, of T32 of 16 bits (in bits 15:0) and of 32; NULL: there is none.
   GROUPS: those of the profile, which is one of A or R for A32.  */
const struct tb_row *tb_a32_row (uint32_t op);
const struct tb_row *tb_t16_row (uint32_t op, unsigned groups);
const struct tb_row *tb_t32_row (uint32_t op, unsigned groups);

/* As tb_t32_may_go, of the instruction of 16 bits HALF.  */
static inline bool
tb_t16_may_go (uint32_t half)
{
  /* By bits 15:8: BX; CBZ, HLT, POP, BKPT and IT; B<c>, UDF, SVC; B.  */
  static const uint32_t ones[8] = {
    [2] = 0x00000080, [5] = 0xee0a0000, [6] = 0xffff0000, [7] = 0x000000ff
  };
  /* ADD and MOV if PC is what they write.  */
  return (ones[half >> 13] >> (half >> 8 & 31) & 1) || (half & 0xfd87) == 0x4487;
}

/* Has the T32 OP, as tb_flow_t32 has it, a row of any group that says more for flow than
   that it goes on?  Where none has, nobody need look for its row: most code is so.  The
   rows count; test-flow-rows compares.  What ARMv6-M lacks of 32 bits has no row.  */
static inline bool
tb_t32_may_go (uint32_t op)
{
  /* By bits 28:20 of 32, but for control: RFE; barriers by CP15; BXAUT.  */
  static const uint32_t long_ones[16] = {
    [4] = 0x0f00000f, [7] = 0x00000001, [13] = 0x00200000
  };
  /* Only with all these bits, by which loads of PC are some of all: LDM, TBB; LDR.  */
  static const struct { uint32_t ones, bits; } loads[16] = {
    [4] = { 0x000a2a00, 0x8000 }, [12] = { 0x00002020, 0xf000 }
  };
  if (op >> 16 < 0xe800)
    return tb_t16_may_go (op >> 16);
  if ((op & 0x18008000) == 0x10008000)
    return true;
  unsigned i = op >> 25 & 15;
  uint32_t ones = long_ones[i] | ((~op & loads[i].bits) == 0 ? loads[i].ones : 0);
  return ones >> (op >> 20 & 31) & 1;
}

/* Begin OP, of which ROW may be NULL and which is done if CONDITION holds (14 and 15:
   always).  */
void tb_sem_begin (struct tb_semantics *s, const struct tb_row *row, uint32_t op,
		   unsigned condition, bool is_m);

/* What is emitted from here on is done if condition CC holds; not modelled if the
   instruction has one that it is done under.  */
void tb_sem_condition (struct tb_semantics *s, unsigned cc);

/* Emit what ROW, that of OP, says if its registers are allowed.  TYPE:
   the place of a shift's type; FIVE: that of the immediate of 5 bits; HERE: what PC
   reads as.  */
struct tb_sem_set
{
  uint8_t type, five, here;
  bool split;			/* The amount is in 14:12 and 7:6, not in 11:7.  */
};
bool tb_sem_row (struct tb_semantics *s, const struct tb_row *row,
		 const struct tb_sem_set *set, uint32_t op, uint32_t pc,
		 const struct tb_profile *profile);

/* M, shifted by the immediate (in T1 where it is shifted at all).  */
struct tb_sem_operand tb_sem_shifted (struct tb_semantics *s,
				      const struct tb_fields *f);

/* lift/multiply.c.  */
tb_emitter tb_sem_mul, tb_sem_mla, tb_sem_smulbb, tb_sem_smuad, tb_sem_smusd,
  tb_sem_smulwb, tb_sem_smmul, tb_sem_smmls, tb_sem_divide, tb_sem_smull,
  tb_sem_smlal, tb_sem_smlalbb, tb_sem_smlald, tb_sem_smlsld, tb_sem_umaal;
/* lift/media.c.  */
tb_emitter tb_sem_movw, tb_sem_movt, tb_sem_ssat, tb_sem_ssat16, tb_sem_bfi,
  tb_sem_ubfx, tb_sem_extend, tb_sem_pack, tb_sem_one_source,
  tb_sem_unknown_result;
/* lift/parallel.c.  */
tb_emitter tb_sem_qadd, tb_sem_sel, tb_sem_usad8, tb_t32_parallel,
  tb_a32_parallel;
/* lift/coprocessor.c: bits 27:24 are 1100 to 1110.  */
tb_emitter tb_sem_coprocessor;
/* Nothing that is kept; not modelled; an exception or a debugger comes.  */
tb_emitter tb_sem_undefined, tb_sem_trap;

/* lift/t32-data.c.  */
tb_emitter tb_t32_data_shifted, tb_t32_data_immediate, tb_t32_select,
  tb_t32_long_shift, tb_t32_add_plain, tb_t32_shift;
/* lift/transfer.c: LDM, STM; the row says which registers may not be among them.  */
tb_emitter tb_sem_transfer_multiple;
/* lift/t32-memory.c.  */
tb_emitter tb_t32_offset, tb_t32_indexed, tb_t32_scaled, tb_t32_dual,
  tb_t32_secure_gateway, tb_t32_exclusive, tb_t32_table_branch, tb_t32_ordered,
  tb_t32_clrm, tb_t32_rfe, tb_t32_srs;
/* lift/t32-branch.c.  */
tb_emitter tb_t32_loop, tb_t32_condition, tb_t32_hint, tb_t32_link, tb_t32_cps,
  tb_t32_return, tb_t32_msr_banked, tb_t32_msr_mode, tb_t32_mrs_banked, tb_t32_mrs_mode;
/* lift/system-m.c: of the M profile.  */
tb_emitter tb_t32_msr, tb_t32_mrs, tb_t16_change_state;
/* lift/mve.c.  */
tb_emitter tb_mve_data, tb_mve_count, tb_mve_reduce, tb_mve_shift,
  tb_mve_move_lanes, tb_mve_memory, tb_mve_system;
/* lift/a32-data.c.  */
tb_emitter tb_a32_data_immediate, tb_a32_data_shifted, tb_a32_data_register,
  tb_a32_multiply, tb_a32_multiply_long;
/* lift/a32-memory.c.  */
tb_emitter tb_a32_memory, tb_a32_extra, tb_a32_swap, tb_a32_exclusive;
/* lift/a32-system.c.  */
tb_emitter tb_a32_move_system, tb_a32_exchange, tb_a32_eret, tb_a32_break,
  tb_a32_msr_immediate, tb_a32_setend, tb_a32_cps, tb_a32_srs, tb_a32_rfe;

/* The same for ROW of T32's 16 bits.  */
bool tb_sem_t16 (struct tb_semantics *s, const struct tb_row *row, uint32_t op,
		 uint32_t pc, const struct tb_profile *profile);
/* In the fields of such a row: it sets flags in IT blocks, too.  */
#define TB_KEEPS_FLAGS 1

#endif /* TB_ARM_LIFT_AARCH32_H */
