/* The A32 instructions as micro-operations: which encodings.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What the manuals call UNPREDICTABLE is not modelled; that includes fields that
   should be zero and are not.  For flow it is what a core makes of it: it counts as a
   branch if the core would write the PC.  So some rows that are not modelled stand
   behind one that is.

   Source: ARMv7-A and ARMv7-R Architecture Reference Manual (DDI 0406), A5.1 to A5.7;
   DDI 0487, F4.1.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* Where registers are: of multiplications, and of media instructions.  */
#define PRODUCT (TB_AT (16, 0, 8, 12) | TB_NO_PC (D | N | M))
#define PRODUCT_ALL (PRODUCT | TB_NO_PC (A))
#define PRODUCT_ONLY (TB_AT (16, 0, 8, ABSENT) | TB_NO_PC (D | N | M))
#define DNM (TB_AT (12, 16, 0, ABSENT) | TB_NO_PC (D | N | M))
#define DNM_OR_NONE (TB_AT (12, 16, 0, ABSENT) | TB_NO_PC (D | M))
#define DM (TB_AT (12, ABSENT, 0, ABSENT) | TB_NO_PC (D | M))
#define DN (TB_AT (12, 0, ABSENT, ABSENT) | TB_NO_PC (D | N))
#define ANY TB_AT (12, 16, 0, 8)
/* Data processing, which may have PC for Rd; with bit 20 it returns from an exception.  */
#define DATA (ANY | TB_IF_PC (BY_S))
#define LOAD (ANY | TB_IF_PC (PLAIN))

/* BL, BLX (immediate).  */
static void
call (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, f->here - 4);
}

/* A5.2.5: multiplications; A5.2.8, A5.2.9: extra loads and stores; A5.2.1, A5.2.2: data
   processing (register, register-shifted register).  */
static const struct tb_row zero[] = {
  { 0x0f000010, 0x00000000, DATA, 0, tb_a32_data_shifted },
  { 0x0fe0f0f0, 0x00000090, PRODUCT_ONLY, 0, tb_a32_multiply },	/* MUL  */
  { 0x0fe000f0, 0x00200090, PRODUCT_ALL, TB_OP_ADD, tb_a32_multiply },
  { 0x0ff000f0, 0x00400090, PRODUCT_ALL, 0, tb_sem_umaal },
  { 0x0ff000f0, 0x00600090, PRODUCT_ALL, TB_OP_SUB, tb_sem_mla },	/* MLS  */
  { 0x0fc000f0, 0x00800090, PRODUCT_ALL, TB_OP_UMULH, tb_a32_multiply_long },
  { 0x0fc000f0, 0x00c00090, PRODUCT_ALL, TB_OP_SMULH, tb_a32_multiply_long },
  { 0x0f0000f0, 0x00000090, ANY, 0, tb_sem_undefined },
  { 0x0f000090, 0x00000090, ANY, 0, tb_a32_extra },
  { 0x0f000090, 0x00000010, DATA, 0, tb_a32_data_register },
};

/* A5.2.10: synchronisation; A5.2.11, A5.2.12: miscellaneous; A5.2.7: multiplications of
   halfwords.  */
static const struct tb_row one[] = {
  { 0x0f900010, 0x01100000, ANY, 0, tb_a32_data_shifted },
  /* MOV PC, LR  */
  { 0x0ff0ffff, 0x01a0f00e, ANY | TB_INDIRECT (V7RETURN), 0, tb_a32_data_shifted },
  { 0x0f800010, 0x01800000, DATA, 0, tb_a32_data_shifted },
  { 0x0fb00ff0, 0x01000090, ANY, 0, tb_a32_swap },
  { 0x0f8000f0, 0x01800090, ANY, 0, tb_a32_exclusive },
  { 0x0f0000f0, 0x01000090, ANY, 0, tb_sem_undefined },
  { 0x0f000090, 0x01000090, ANY, 0, tb_a32_extra },

  { 0x0f900cf0, 0x01000000, ANY, 0, tb_a32_move_system },
  { 0x0ffffff0, 0x012fff10, ANY | TB_EXCHANGE, 0, tb_a32_exchange },	/* BX  */
  { 0x0ff000f0, 0x01200010, ANY | TB_EXCHANGE, 0, tb_sem_undefined },
  { 0x0ff000f0, 0x01200020, ANY | TB_INDIRECT (NONE), 0, tb_sem_undefined },	/* BXJ  */
  { 0x0ffffff0, 0x012fff30, ANY | TB_NO_PC (M) | TB_INDIRECT (LINK), 1, tb_a32_exchange },
  { 0x0ff000f0, 0x01200030, ANY | TB_INDIRECT (LINK), 0, tb_sem_undefined },
  { 0x0fff0ff0, 0x016f0f10, DM, TB_OP_CLZ, tb_sem_one_source },
  { 0x0fd00df0, 0x01000040, DNM, 0, tb_sem_unknown_result },	/* CRC32  */
  { 0x0ff00df0, 0x01400040, DNM, 0, tb_sem_unknown_result },
  { 0x0f900ff0, 0x01000050, DNM, 21 | 22 << 8, tb_sem_qadd },
  { 0x0fffffff, 0x0160006e, ANY | TB_INDIRECT (ERET), 0, tb_a32_eret },
  { 0x0ff000f0, 0x01600060, ANY | TB_INDIRECT (ERET), 0, tb_sem_undefined },
  /* HLT, of which one is a semihosting call; BKPT; HVC; SMC.  */
  { 0x0fffffff, 0x010f0070, ANY, 0, tb_sem_undefined },
  { 0x0ff000f0, 0x01000070, ANY | TB_IS (BREAK), 0, tb_sem_undefined },
  { 0xfff000f0, 0xe1200070, ANY | TB_IS (BREAK), 0, tb_sem_trap },
  { 0x0ff000f0, 0x01200070, ANY | TB_IS (BREAK), 0, tb_sem_undefined },
  { 0xfff000f0, 0xe1400070, ANY | TB_IS (SERVICE), 0, tb_sem_trap },
  { 0x0ffffff0, 0x01600070, ANY | TB_IS (SERVICE), 0, tb_sem_trap },
  { 0x0ff000f0, 0x01600070, ANY | TB_IS (SERVICE), 0, tb_sem_undefined },
  { 0x0ff00090, 0x01000080, PRODUCT_ALL, 6, tb_sem_smulbb },	/* SMLABB  */
  { 0x0ff000b0, 0x01200080, PRODUCT_ALL, 6, tb_sem_smulwb },	/* SMLAWB  */
  { 0x0ff0f0b0, 0x012000a0, PRODUCT_ONLY, 6, tb_sem_smulwb },
  { 0x0ff00090, 0x01400080, PRODUCT_ALL, 6, tb_sem_smlalbb },
  { 0x0ff0f090, 0x01600080, PRODUCT_ONLY, 6, tb_sem_smulbb },
  { 0x0f900000, 0x01000000, ANY, 0, tb_sem_undefined },
  { 0x0f900090, 0x01100010, ANY, 0, tb_a32_data_register },
  { 0x0f000090, 0x01000010, DATA, 0, tb_a32_data_register },
};

/* A5.2.3: data processing (immediate); constants; hints and MSR.  */
static const struct tb_row immediate[] = {
  { 0x0f000000, 0x02000000, DATA, 0, tb_a32_data_immediate },
  { 0x0f900000, 0x03100000, ANY, 0, tb_a32_data_immediate },
  { 0x0f800000, 0x03800000, DATA, 0, tb_a32_data_immediate },
  { 0x0ff00000, 0x03000000, ANY | TB_NO_PC (D), 0, tb_sem_movw },
  { 0x0ff00000, 0x03400000, ANY | TB_NO_PC (D), 0, tb_sem_movt },
  { 0x0ffffffe, 0x0320f002, ANY | TB_IS (WAIT), 0, tb_sem_nothing },	/* WFE, WFI.  */
  { 0x0fff00fe, 0x03200002, ANY | TB_IS (WAIT), 0, tb_sem_undefined },
  { 0x0fffff00, 0x0320f000, ANY, 0, tb_sem_nothing },	/* Hints.  */
  { 0x0ffff000, 0x0320f000, ANY, 0, tb_sem_undefined },
  { 0x0fb0f000, 0x0320f000, ANY, 0, tb_a32_msr_immediate },
};

/* A5.3: load and store of words and bytes; A5.4: media instructions.  */
#define RIGHT(op) ((op) | 6 << 8)
#define ROTATED(which) ((which) | 10 << 8)
static const struct tb_row memory[] = {
  /* POP {PC}; words that are loaded; others.  */
  { 0x0ffff000, 0x049df000, ANY | TB_INDIRECT (V7RETURN), 0, tb_a32_memory },
  { 0x0e500000, 0x04100000, LOAD, 0, tb_a32_memory },
  { 0x0e000000, 0x04000000, ANY, 0, tb_a32_memory },
  { 0x0e500010, 0x06100000, LOAD, 0, tb_a32_memory },
  { 0x0e000010, 0x06000000, ANY, 0, tb_a32_memory },
  { 0x0f800f10, 0x06000f10, DNM, 0, tb_a32_parallel },
  { 0x0ff00030, 0x06800010, DNM, 0, tb_sem_pack },
  { 0x0fe00030, 0x06a00010, DN, RIGHT (TB_OP_SSAT), tb_sem_ssat },
  { 0x0fe00030, 0x06e00010, DN, RIGHT (TB_OP_USAT), tb_sem_ssat },
  { 0x0ff00ff0, 0x06a00f30, DN, TB_OP_SSAT, tb_sem_ssat16 },
  { 0x0ff00ff0, 0x06e00f30, DN, TB_OP_USAT, tb_sem_ssat16 },
  { 0x0ff003f0, 0x06800070, DNM_OR_NONE, ROTATED (2), tb_sem_extend },
  { 0x0ff003f0, 0x06a00070, DNM_OR_NONE, ROTATED (4), tb_sem_extend },
  { 0x0ff003f0, 0x06b00070, DNM_OR_NONE, ROTATED (0), tb_sem_extend },
  { 0x0ff003f0, 0x06c00070, DNM_OR_NONE, ROTATED (3), tb_sem_extend },
  { 0x0ff003f0, 0x06e00070, DNM_OR_NONE, ROTATED (5), tb_sem_extend },
  { 0x0ff003f0, 0x06f00070, DNM_OR_NONE, ROTATED (1), tb_sem_extend },
  { 0x0ff00ff0, 0x06800fb0, DNM, 0, tb_sem_sel },
  { 0x0fff0ff0, 0x06bf0f30, DM, TB_OP_REV, tb_sem_one_source },
  { 0x0fff0ff0, 0x06bf0fb0, DM, TB_OP_REV16, tb_sem_one_source },
  { 0x0fff0ff0, 0x06ff0f30, DM, TB_OP_RBIT, tb_sem_one_source },
  { 0x0fff0ff0, 0x06ff0fb0, DM, TB_OP_REVSH, tb_sem_one_source },
  { 0x0ff000d0, 0x07000010, PRODUCT, 5, tb_sem_smuad },
  { 0x0ff000d0, 0x07000050, PRODUCT, 5, tb_sem_smusd },
  { 0x0ff0f0f0, 0x0710f010, PRODUCT, TB_OP_SDIV, tb_sem_divide },
  { 0x0ff0f0f0, 0x0730f010, PRODUCT, TB_OP_UDIV, tb_sem_divide },
  { 0x0ff000d0, 0x07400010, PRODUCT_ALL, 5, tb_sem_smlald },
  { 0x0ff000d0, 0x07400050, PRODUCT_ALL, 5, tb_sem_smlsld },
  { 0x0ff000d0, 0x07500010, PRODUCT, 5, tb_sem_smmul },
  { 0x0ff000d0, 0x075000d0, PRODUCT_ALL, 5, tb_sem_smmls },
  { 0x0ff000f0, 0x07800010, PRODUCT, 0, tb_sem_usad8 },
  /* UDF: only its form with condition AL is assembled.  */
  { 0xfff000f0, 0xe7f000f0, ANY | TB_IS (BREAK), 0, tb_sem_nothing },
  { 0x0ff000f0, 0x07f000f0, ANY | TB_IS (UNDEFINED), 0, tb_sem_nothing },
  { 0x0fe00070, 0x07a00050, DN, TB_OP_ASR, tb_sem_ubfx },
  { 0x0fe00070, 0x07e00050, DN, TB_OP_LSR, tb_sem_ubfx },
  { 0x0fe00070, 0x07c00010, DN & ~TB_NO_PC (N), 0, tb_sem_bfi },
};

/* A5.5: branch, load and store multiple; A5.6: coprocessors, SVC.  */
static const struct tb_row rest[] = {
  /* LDM of PC: with bit 22 an exception return; POP, without SP.  */
  { 0x0e508000, 0x08508000, ANY | TB_INDIRECT (ERET), 0, tb_sem_transfer_multiple },
  { 0x0fffa000, 0x08bd8000, ANY | TB_INDIRECT (V7RETURN), 0, tb_sem_transfer_multiple },
  { 0x0e108000, 0x08108000, ANY | TB_INDIRECT (NONE), 0, tb_sem_transfer_multiple },
  { 0x0e000000, 0x08000000, ANY, 0, tb_sem_transfer_multiple },
  { 0x0f000000, 0x0a000000, ANY | TB_DIRECT (NONE, 24), 0, tb_sem_nothing },	/* B  */
  { 0x0f000000, 0x0b000000, ANY | TB_DIRECT (LINK, 24), 0, call },
  /* SVC, of which one is a semihosting call.  */
  { 0x0fffffff, 0x0f123456, ANY, 0, tb_sem_trap },
  { 0x0f000000, 0x0f000000, ANY | TB_IS (SERVICE), 0, tb_sem_trap },
  /* CP15 operations of before v7, MCR p15, 0, Rt, c7: c5, 4; c10, 4 (DSB) and 5 (DMB).  */
  { 0x0fff0fff, 0x0e070f95, ANY | TB_IS (ISB), 0, tb_sem_coprocessor },
  { 0x0fff0fdf, 0x0e070f9a, ANY | TB_IS (BARRIER), 0, tb_sem_coprocessor },
  { 0x0c000000, 0x0c000000, ANY, 0, tb_sem_coprocessor },
};

/* A5.7: unconditional instructions.  */
static const struct tb_row unconditional_rows[] = {
  { 0x0ffffdff, 0x01010000, ANY, 0, tb_a32_setend },
  { 0x0ffffdff, 0x01100000, ANY, 0, tb_sem_nothing },	/* SETPAN  */
  { 0x0ff1fe20, 0x01000000, ANY, 0, tb_a32_cps },
  { 0x0fe00000, 0x01000000, ANY, 0, tb_sem_undefined },
  { 0x0e000000, 0x00000000, ANY | TB_IS (UNDEFINED), 0, tb_sem_undefined },
  { 0x0e000000, 0x02000000, ANY, 24, tb_sem_simd_data },
  { 0x0f100000, 0x04000000, ANY, 0, tb_sem_simd_memory },
  { 0x0f300000, 0x04100000, ANY, 0, tb_sem_nothing },	/* PLI  */
  { 0x0f30f000, 0x0510f000, ANY, 0, tb_sem_nothing },	/* PLD  */
  { 0x0e30f010, 0x0610f000, ANY, 0, tb_sem_nothing },
  { 0x0ffffff0, 0x057ff010, ANY, 0, tb_sem_nothing },	/* CLREX  */
  /* DSB, DMB; ISB; SB.  */
  { 0x0fffffe0, 0x057ff040, ANY | TB_IS (BARRIER), 0, tb_sem_nothing },
  { 0x0ff000e0, 0x05700040, ANY | TB_IS (BARRIER), 0, tb_sem_undefined },
  { 0x0ffffff0, 0x057ff060, ANY | TB_IS (ISB), 0, tb_sem_nothing },
  { 0x0ff000f0, 0x05700060, ANY | TB_IS (ISB), 0, tb_sem_undefined },
  { 0x0ffffff0, 0x057ff070, ANY, 0, tb_sem_nothing },
  { 0x0e5fffe0, 0x084d0500, ANY, 0, tb_a32_srs },
  { 0x0e500000, 0x08400000, ANY, 0, tb_sem_undefined },
  { 0x0e50ffff, 0x08100a00, ANY | TB_NO_PC (N) | TB_INDIRECT (ERET), 0, tb_a32_rfe },
  { 0x0e500000, 0x08100000, ANY | TB_INDIRECT (ERET), 0, tb_sem_undefined },
  { 0x0e000000, 0x08000000, ANY | TB_IS (UNDEFINED), 0, tb_sem_undefined },
  { 0x0e000000, 0x0a000000, ANY | TB_DIRECT (LINK, 24_T32), 0, call },	/* BLX  */
  { 0x0f000000, 0x0f000000, ANY | TB_IS (UNDEFINED), 0, tb_sem_undefined },
  { 0x0c000000, 0x0c000000, ANY, 0, tb_sem_coprocessor },
};
static const struct tb_rows unconditional = TB_ROWS (unconditional_rows);

/* By bits 27:24.  */
static const struct tb_rows tables[16] = {
  TB_ROWS (zero), TB_ROWS (one), TB_ROWS (immediate), TB_ROWS (immediate),
  TB_ROWS (memory), TB_ROWS (memory), TB_ROWS (memory), TB_ROWS (memory),
  TB_ROWS (rest), TB_ROWS (rest), TB_ROWS (rest), TB_ROWS (rest),
  TB_ROWS (rest), TB_ROWS (rest), TB_ROWS (rest), TB_ROWS (rest)
};

const struct tb_row *
tb_a32_row (uint32_t op)
{
  return tb_find_row (op >> 28 == 15 ? &unconditional : &tables[op >> 24 & 15], op,
		      1 << TB_GROUP_ALL);
}

void
tb_semantics_a32 (struct tb_semantics *s, uint32_t op, uint32_t pc,
		  const struct tb_profile *profile)
{
  static const struct tb_sem_set set = { .type = 5, .five = 16, .here = 8,
					 .split = false };
  const struct tb_row *row = profile->is_m ? NULL : tb_a32_row (op);
  tb_sem_begin (s, row, op, op >> 28, profile->is_m);
  if (row != NULL)
    s->modelled = tb_sem_row (s, row, &set, op, pc, profile);
}
