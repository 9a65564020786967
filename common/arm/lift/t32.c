/* The T32 instructions as micro-operations: which encodings, and IT blocks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   For flow an instruction is what a core makes of it: rows that are not modelled stand
   behind one that is where its fields that should be zero are not.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3; ARMv8-M (DDI
   0553), C2.2; for the A and R profile DDI 0406, A6.3; DDI 0487, F3.1 (CRC32);
   ARMv6-M (DDI 0419), A5.3.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* Where registers are, and that none is SP or PC.  */
#define DNM (TB_AT (8, 16, 0, ABSENT) | TB_NO_SP_PC (D | N | M))
#define DNMA (TB_AT (8, 16, 0, 12) | TB_NO_SP_PC (D | N | M) | TB_NO_SP (A))
#define DNMA_ALL (TB_AT (8, 16, 0, 12) | TB_NO_SP_PC (D | N | M | A))
#define DM (TB_AT (8, 16, 0, ABSENT) | TB_NO_SP_PC (D | M) | TB_NO_SP (N))
#define DN (TB_AT (8, 16, ABSENT, ABSENT) | TB_NO_SP_PC (D | N))
#define SHIFTED (TB_AT (8, 16, 0, ABSENT) | TB_NO_SP_PC (M))
#define ANY TB_AT (8, 16, 0, 12)
#define DUAL (TB_AT (12, 16, 0, 8) | TB_NO_SP_PC (D | A))

/* DDI 0403, A5.3.5: load, store multiple; A5.3.6: dual, exclusive, table branch.  */
static const struct tb_row multiple[] = {
  { 0xffff0000, 0xe89f0000, ANY | TB_ON_V81M, 0, tb_t32_clrm },
  { 0xffc00000, 0xe8000000, ANY | TB_IS (UNDEFINED) | TB_ON_M, 0, tb_sem_undefined },
  { 0xffc00000, 0xe9800000, ANY | TB_IS (UNDEFINED) | TB_ON_M, 0, tb_sem_undefined },
  { 0xfe5f0000, 0xe81f0000, ANY | TB_ON_M, 0, tb_sem_undefined },
  /* POP.W of PC; LDM of PC.  */
  { 0xffff8000, 0xe8bd8000, ANY | TB_INDIRECT (V7RETURN), 0x2000, tb_sem_transfer_multiple },
  { 0xffd08000, 0xe8908000, ANY | TB_INDIRECT (NONE), 0x2000, tb_sem_transfer_multiple },
  { 0xffd08000, 0xe9108000, ANY | TB_INDIRECT (NONE), 0x2000, tb_sem_transfer_multiple },
  /* STM, LDM (IA, DB); the argument: what may not be among the registers.  */
  { 0xffd00000, 0xe8800000, ANY, 0xa000, tb_sem_transfer_multiple },
  { 0xffd00000, 0xe8900000, ANY, 0x2000, tb_sem_transfer_multiple },
  { 0xffd00000, 0xe9000000, ANY, 0xa000, tb_sem_transfer_multiple },
  { 0xffd00000, 0xe9100000, ANY, 0x2000, tb_sem_transfer_multiple },
  { 0xffffffff, 0xe97fe97f, ANY | TB_ON_V8M, 0, tb_t32_secure_gateway },
  { 0xff400000, 0xe9400000, DUAL, 0, tb_t32_dual },
  { 0xff600000, 0xe8600000, DUAL, 0, tb_t32_dual },
  { 0xfff0f03f, 0xe840f000, (DN & ~TB_NO_SP_PC (N)) | TB_ON_V8M,
    0, tb_sem_unknown_result },		/* TT  */
  { 0xfff00000, 0xe8400000, ANY | TB_NO_SP (A), 0, tb_t32_exclusive },
  { 0xfff00f00, 0xe8500f00, ANY | TB_NO_SP (A), 0, tb_t32_exclusive },
  { 0xfff0ffe0, 0xe8d0f000, ANY | TB_NO_SP (N) | TB_NO_SP_PC (M) | TB_INDIRECT (NONE),
    0, tb_t32_table_branch },
  { 0xffe00080, 0xe8c00080, ANY | TB_NO_SP (A), 0, tb_t32_ordered },
  { 0xffe000c0, 0xe8c00040, ANY | TB_NO_SP (A), 0, tb_t32_ordered },
  { 0xffdfffe0, 0xe80dc000, ANY | TB_ON_AR, 0, tb_t32_srs },
  { 0xffdfffe0, 0xe98dc000, ANY | TB_ON_AR, 0, tb_t32_srs },
  { 0xffd0ffff, 0xe810c000, ANY | TB_INDIRECT (ERET) | TB_ON_AR, 0, tb_t32_rfe },
  { 0xffd0ffff, 0xe990c000, ANY | TB_INDIRECT (ERET) | TB_ON_AR, 0, tb_t32_rfe },
  { 0xffd00000, 0xe8100000, ANY | TB_INDIRECT (ERET) | TB_ON_AR, 0, tb_sem_undefined },
  { 0xffd00000, 0xe9900000, ANY | TB_INDIRECT (ERET) | TB_ON_AR, 0, tb_sem_undefined },
};

/* A5.3.11: data processing (shifted register).  MOV Rd, SP is allowed.  */
static const struct tb_row shifted[] = {
  { 0xfff0c000, 0xea508000, ANY | TB_ON_V81M, 0, tb_t32_select },
  { 0xfff0800d, 0xea50000d, ANY | TB_ON_V81M, 0, tb_t32_long_shift },
  { 0xfffff0ff, 0xea4f000d, ANY, 0, tb_t32_data_shifted },
  { 0xfff08010, 0xeac00000, DNM, 0, tb_sem_pack },
  { 0xfe008000, 0xea000000, SHIFTED, 0, tb_t32_data_shifted },
};

/* A5.3.1, A5.3.3: modified and plain immediates.  */
#define RIGHT(op) ((op) | 21 << 8)
static const struct tb_row immediate[] = {
  { 0xfa008000, 0xf0000000, ANY, 0, tb_t32_data_immediate },
  { 0xfbf08000, 0xf2400000, TB_AT (8, 16, 0, 12) | TB_NO_SP_PC (D),
    1, tb_sem_movw },
  { 0xfbf08000, 0xf2c00000, TB_AT (8, 16, 0, 12) | TB_NO_SP_PC (D),
    1, tb_sem_movt },
  { 0xfbf08000, 0xf2000000, ANY | TB_NO_PC (D), TB_OP_ADD, tb_t32_add_plain },
  { 0xfbf08000, 0xf2a00000, ANY | TB_NO_PC (D), TB_OP_SUB, tb_t32_add_plain },
  { 0xfbf0f0d0, 0xf3200000, DN, TB_OP_SSAT, tb_sem_ssat16 },
  { 0xfbf0f0d0, 0xf3a00000, DN, TB_OP_USAT, tb_sem_ssat16 },
  { 0xfb70f0c0, 0xf3200000, ANY, 0, tb_sem_undefined },
  { 0xfbd08000, 0xf3000000, DN, RIGHT (TB_OP_SSAT), tb_sem_ssat },
  { 0xfbd08000, 0xf3800000, DN, RIGHT (TB_OP_USAT), tb_sem_ssat },
  { 0xfbf08000, 0xf3400000, DN, TB_OP_ASR, tb_sem_ubfx },
  { 0xfbf08000, 0xf3c00000, DN, TB_OP_LSR, tb_sem_ubfx },
  { 0xfbf08000, 0xf3600000, DN & ~TB_NO_PC (N), 0, tb_sem_bfi },
};

/* A5.3.4: branches and control; of the M profile DDI 0553, C2.3.1 (loops); of the others
   DDI 0406, A6.3.4.  */
#define CONDITIONAL (ANY | TB_DIRECT (NONE, 21) | TB_ON (TB_GROUP_NOT_BASELINE))
#define LOOPS TB_ON (TB_GROUP_V8M_MAIN)
#define NEWER_M TB_ON (TB_GROUP_NEWER_M)
static const struct tb_row control_rows[] = {
  { 0xf800d000, 0xf000d000, ANY | TB_DIRECT (LINK, 25), 0, tb_t32_link },	/* BL  */
  { 0xf800d000, 0xf0009000, ANY | TB_DIRECT (NONE, 25) | TB_ON_NEWER, 0, tb_sem_nothing }, /* B  */
  /* B<c>: bits 25:23 are not 111.  */
  { 0xfa00d000, 0xf0008000, CONDITIONAL, 0, tb_t32_condition },
  { 0xf900d000, 0xf0008000, CONDITIONAL, 0, tb_t32_condition },
  { 0xf880d000, 0xf0008000, CONDITIONAL, 0, tb_t32_condition },
  /* BLX  */
  { 0xf800d001, 0xf000c000, ANY | TB_DIRECT (LINK, 25_A32) | TB_ON_AR, 0, tb_t32_link },
  /* Loops: LE LR, LETP, LE; WLS and WLSTP, whose Rn is not PC and bits 22:20 at most 4; DLS
     and branch futures, which do not branch where they stand.  Names of cores know v8.1-M
     from v8-M, those of architectures may not.  */
  { 0xfffff001, 0xf00fc001, ANY | TB_DIRECT (NONE, LOOP) | LOOPS, 0, tb_t32_loop },
  { 0xfffff001, 0xf01fc001, ANY | TB_DIRECT (NONE, LOOP) | LOOPS, 0, tb_t32_loop },
  { 0xfffff001, 0xf02fc001, ANY | TB_DIRECT (NONE, BACK) | LOOPS, 0, tb_t32_loop },
  { 0xff8ff001, 0xf00fc001, ANY | TB_IS (UNDEFINED) | LOOPS, 0, tb_sem_undefined },
  { 0xffd0f001, 0xf050c001, ANY | TB_IS (UNDEFINED) | LOOPS, 0, tb_sem_undefined },
  { 0xffe0f001, 0xf060c001, ANY | TB_IS (UNDEFINED) | LOOPS, 0, tb_sem_undefined },
  { 0xff80f001, 0xf000c001, ANY | TB_DIRECT (NONE, PAST) | LOOPS, 0, tb_t32_loop },
  { 0xf800d001, 0xf000c001, ANY | LOOPS, 0, tb_t32_loop },

  /* Hints: WFE, WFI; others.  */
  { 0xfff0d7fe, 0xf3a08002, ANY | TB_IS (WAIT) | NEWER_M, 0, tb_t32_hint },
  { 0xfff0d700, 0xf3a08000, ANY | NEWER_M, 0, tb_t32_hint },
  { 0xffffd7fe, 0xf3af8002, ANY | TB_IS (WAIT) | TB_ON_AR, 0, tb_t32_hint },
  { 0xffffd700, 0xf3af8000, ANY | TB_ON_AR, 0, tb_t32_hint },
  { 0xfff0d7fe, 0xf3a08002, ANY | TB_IS (WAIT) | TB_ON_AR, 0, tb_sem_undefined },
  { 0xfffff800, 0xf3af8000, ANY | TB_ON_AR, 0, tb_t32_cps },
  { 0xfff0d000, 0xf3a08000, ANY | TB_ON_NEWER, 0, tb_sem_undefined },
  { 0xfff0d000, 0xf3a08000, ANY | TB_IS (UNDEFINED), 0, tb_sem_undefined },
  /* DSB, DMB; ISB; SB.  CLREX; ENTERX, LEAVEX.  */
  { 0xfff0d0e0, 0xf3b08040, ANY | TB_IS (BARRIER), 0, tb_sem_nothing },
  { 0xfff0d0f0, 0xf3b08060, ANY | TB_IS (ISB), 0, tb_sem_nothing },
  { 0xfff0d0f0, 0xf3b08070, ANY, 0, tb_sem_nothing },
  { 0xfff0d0e0, 0xf3b08020, ANY | TB_ON_M, 0, tb_sem_nothing },
  { 0xfff0d0f0, 0xf3b08020, ANY | TB_ON_AR, 0, tb_sem_nothing },
  { 0xfff0d0f0, 0xf3b08010, ANY | TB_DIRECT (NONE, T32EE) | TB_ON (TB_GROUP_V7AR),
    0, tb_sem_nothing },
  { 0xfff0d0e0, 0xf3b08000, ANY | TB_ON_AR, 0, tb_sem_nothing },

  { 0xffe0d000, 0xf3808000, ANY | TB_NO_SP_PC (N) | TB_ON_M, 0, tb_t32_msr },
  { 0xffe0f0ef, 0xf3808020, ANY | TB_ON_AR, 0, tb_t32_msr_banked },
  { 0xffe0f0ff, 0xf3808000, ANY | TB_NO_SP (N) | TB_ON_AR, 0, tb_t32_msr_mode },
  { 0xffe0d000, 0xf3e08000, ANY | TB_NO_SP_PC (D) | TB_ON_M, 0, tb_t32_mrs },
  { 0xffe0f0ef, 0xf3e08020, ANY | TB_ON_AR, 0, tb_t32_mrs_banked },
  { 0xffeff0ff, 0xf3ef8000, ANY | TB_NO_SP_PC (D) | TB_ON_AR, 0, tb_t32_mrs_mode },
  /* BXJ; SUBS PC, LR, which is ERET by 0; HVC; SMC.  */
  { 0xfff0d000, 0xf3c08000, ANY | TB_INDIRECT (NONE) | TB_ON_AR, 0, tb_sem_undefined },
  { 0xfff0d000, 0xf3c08000, ANY | TB_IS (UNDEFINED) | TB_ON_M, 0, tb_sem_undefined },
  { 0xffffff00, 0xf3de8f00, ANY | TB_INDIRECT (ERET) | TB_ON_AR, 0, tb_t32_return },
  { 0xfff0d000, 0xf3d08000, ANY | TB_INDIRECT (ERET) | TB_ON_AR, 0, tb_sem_undefined },
  { 0xfff0d000, 0xf3d08000, ANY | TB_IS (UNDEFINED) | TB_ON_M, 0, tb_sem_undefined },
  { 0xfff0f000, 0xf7e08000, ANY | TB_IS (SERVICE) | TB_ON_AR, 0, tb_sem_trap },
  { 0xfff0f000, 0xf7e08000, ANY | TB_IS (UNDEFINED) | TB_ON_M, 0, tb_sem_undefined },
  { 0xfff0ffff, 0xf7f08000, ANY | TB_IS (SERVICE) | TB_ON_AR, 0, tb_sem_trap },
  { 0xfff0f000, 0xf7f08000, ANY | TB_IS (SERVICE) | TB_ON_AR, 0, tb_sem_undefined },
  { 0xfff0f000, 0xf7f08000, ANY | TB_IS (UNDEFINED) | TB_ON_M, 0, tb_sem_undefined },
  { 0xfff0f000, 0xf7f0a000, ANY | TB_IS (BREAK) | TB_ON_M, 0, tb_sem_nothing },	/* UDF  */
  { 0xfff0f000, 0xf7f0a000, ANY | TB_IS (BREAK) | TB_ON_AR, 0, tb_sem_trap },
  { 0xfb80d000, 0xf3808000, ANY, 0, tb_sem_undefined },
};
static const struct tb_rows control = TB_ROWS (control_rows);

/* A5.3.7 to A5.3.10: load and store of one register.  Words, of which PC may be loaded;
   others, which are hints where PC would be.  */
#define WORD TB_AT (12, 16, 0, ABSENT)
#define WORD_STORE (WORD | TB_NO_PC (D | N))
#define SHORT (WORD | TB_NO_SP_PC (D))
#define SCALED(fields) ((fields) | TB_NO_SP_PC (M))
static const struct tb_row single[] = {
  { 0xff100000, 0xf9000000, ANY | TB_ON_AR, 0, tb_sem_simd_memory },
  { 0xfff00000, 0xf8d00000, WORD | TB_IF_PC (PLAIN), 0, tb_t32_offset },
  { 0xfff00000, 0xf8c00000, WORD_STORE, 0, tb_t32_offset },
  { 0xff7f0000, 0xf85f0000, WORD | TB_IF_PC (PLAIN), 0, tb_t32_offset },	/* A literal.  */
  /* POP {PC}; neither pre- nor post-indexed.  */
  { 0xffffff00, 0xf85dfb00, WORD | TB_INDIRECT (V7RETURN), 0, tb_t32_indexed },
  { 0xfff0fd00, 0xf850f800, WORD | TB_IS (UNDEFINED), 0, tb_t32_indexed },
  { 0xfff00800, 0xf8500800, WORD | TB_IF_PC (PLAIN), 0, tb_t32_indexed },
  { 0xfff00800, 0xf8400800, WORD_STORE, 0, tb_t32_indexed },
  { 0xfff00fc0, 0xf8500000, SCALED (WORD) | TB_IF_PC (PLAIN), 0, tb_t32_scaled },
  { 0xfff0f000, 0xf850f000, WORD | TB_IS (UNDEFINED), 0, tb_sem_undefined },
  { 0xfff00fc0, 0xf8400000, SCALED (WORD_STORE), 0, tb_t32_scaled },

  { 0xfe400000, 0xf8400000, ANY, 0, tb_sem_undefined },
  { 0xfe5ff000, 0xf81ff000, ANY, 0, tb_sem_nothing },	/* PLD, PLI ...  */
  { 0xfed0f000, 0xf890f000, ANY, 0, tb_sem_nothing },
  { 0xfed0fd00, 0xf810fc00, ANY, 0, tb_sem_nothing },
  { 0xfed0ffc0, 0xf810f000, SCALED (ANY), 0, tb_sem_nothing },
  { 0xfe5f0000, 0xf81f0000, SHORT, 0, tb_t32_offset },
  { 0xfed00000, 0xf8900000, SHORT, 0, tb_t32_offset },
  { 0xffd00000, 0xf8800000, SHORT | TB_NO_PC (N), 0, tb_t32_offset },
  { 0xfed00800, 0xf8100800, SHORT, 0, tb_t32_indexed },
  { 0xffd00800, 0xf8000800, SHORT | TB_NO_PC (N), 0, tb_t32_indexed },
  { 0xfed00fc0, 0xf8100000, SCALED (SHORT), 0, tb_t32_scaled },
  { 0xffd00fc0, 0xf8000000, SCALED (SHORT | TB_NO_PC (N)), 0, tb_t32_scaled },
};

/* A5.3.12 to A5.3.15: data processing (register).  */
#define ROTATED(which) ((which) | 4 << 8)
static const struct tb_row registers[] = {
  { 0xff80f0f0, 0xfa00f000, DNM, 0, tb_t32_shift },
  { 0xfff0f0c0, 0xfa00f080, DM, ROTATED (0), tb_sem_extend },
  { 0xfff0f0c0, 0xfa10f080, DM, ROTATED (1), tb_sem_extend },
  { 0xfff0f0c0, 0xfa20f080, DM, ROTATED (2), tb_sem_extend },
  { 0xfff0f0c0, 0xfa30f080, DM, ROTATED (3), tb_sem_extend },
  { 0xfff0f0c0, 0xfa40f080, DM, ROTATED (4), tb_sem_extend },
  { 0xfff0f0c0, 0xfa50f080, DM, ROTATED (5), tb_sem_extend },
  { 0xff80f080, 0xfa80f000, DNM, 0, tb_t32_parallel },
  { 0xfff0f0c0, 0xfa80f080, DNM, 5 | 4 << 8, tb_sem_qadd },
  { 0xfff0f0f0, 0xfa90f080, DNM, TB_OP_REV, tb_sem_one_source },
  { 0xfff0f0f0, 0xfa90f090, DNM, TB_OP_REV16, tb_sem_one_source },
  { 0xfff0f0f0, 0xfa90f0a0, DNM, TB_OP_RBIT, tb_sem_one_source },
  { 0xfff0f0f0, 0xfa90f0b0, DNM, TB_OP_REVSH, tb_sem_one_source },
  { 0xfff0f0f0, 0xfaa0f080, DNM, 0, tb_sem_sel },
  { 0xfff0f0f0, 0xfab0f080, DNM, TB_OP_CLZ, tb_sem_one_source },
  /* CRC32, CRC32C.  */
  { 0xffe0f0e0, 0xfac0f080, DNM | TB_ON_AR, 0, tb_sem_unknown_result },
  { 0xffe0f0f0, 0xfac0f0a0, DNM | TB_ON_AR, 0, tb_sem_unknown_result },
};

/* A5.3.16, A5.3.17: multiplications.  */
static const struct tb_row multiply[] = {
  { 0xfff0f0f0, 0xfb00f000, DNM, 0, tb_sem_mul },
  { 0xfff000f0, 0xfb000000, DNMA, TB_OP_ADD, tb_sem_mla },
  { 0xfff000f0, 0xfb000010, DNMA_ALL, TB_OP_SUB, tb_sem_mla },
  { 0xfff000c0, 0xfb100000, DNMA, 4, tb_sem_smulbb },
  { 0xfff000e0, 0xfb200000, DNMA, 4, tb_sem_smuad },
  { 0xfff000e0, 0xfb300000, DNMA, 4, tb_sem_smulwb },
  { 0xfff000e0, 0xfb400000, DNMA, 4, tb_sem_smusd },
  { 0xffff0ff0, 0xfb5e0f10, ANY | TB_INDIRECT (V7RETURN) | TB_ON_V81M, 0, tb_sem_undefined },
  { 0xfff00ff0, 0xfb500f10, ANY | TB_INDIRECT (NONE) | TB_ON_V81M, 0, tb_sem_undefined },
  { 0xfff000e0, 0xfb500000, DNMA, 4, tb_sem_smmul },
  { 0xfff0f0f0, 0xfb60f000, DNM, 0, tb_sem_unknown_result },	/* PACG  */
  { 0xfff000e0, 0xfb600000, DNMA_ALL, 4, tb_sem_smmls },
  { 0xfff000f0, 0xfb700000, DNMA, 0, tb_sem_usad8 },
  { 0xfff000f0, 0xfb800000, DNMA_ALL, TB_OP_SMULH, tb_sem_smull },
  { 0xfff000f0, 0xfba00000, DNMA_ALL, TB_OP_UMULH, tb_sem_smull },
  { 0xfff000f0, 0xfbc00000, DNMA_ALL, TB_OP_SMULH, tb_sem_smlal },
  { 0xfff000f0, 0xfbe00000, DNMA_ALL, TB_OP_UMULH, tb_sem_smlal },
  { 0xfff000c0, 0xfbc00080, DNMA_ALL, 4, tb_sem_smlalbb },
  { 0xfff000e0, 0xfbc000c0, DNMA_ALL, 4, tb_sem_smlald },
  { 0xfff000e0, 0xfbd000c0, DNMA_ALL, 4, tb_sem_smlsld },
  { 0xfff000f0, 0xfbe00060, DNMA_ALL, 0, tb_sem_umaal },
  { 0xfff0f0f0, 0xfb90f0f0, DNM, TB_OP_SDIV, tb_sem_divide },
  { 0xfff0f0f0, 0xfbb0f0f0, DNM, TB_OP_UDIV, tb_sem_divide },
};

/* A5.3.18, A6.4: coprocessors and FP; vectors of the A and R profile (DDI 0406,
   A6.3.18).  */
static const struct tb_row coprocessors[] = {
  /* Vectors of the M profile (DDI 0553, C2.3.5).  */
  { 0xef000000, 0xef000000, ANY | TB_ON_V81M, 0, tb_mve_data },
  { 0xff810f70, 0xee010f60, ANY | TB_ON_V81M, 0, tb_mve_count },
  { 0xffa01ff0, 0xeea00fc0, ANY | TB_ON_V81M, 0, tb_mve_shift },
  { 0xef800e00, 0xee000e00, ANY | TB_ON_V81M, 0, tb_mve_data },
  { 0xef800e00, 0xee800e00, ANY | TB_ON_V81M, 0, tb_mve_reduce },
  { 0xfe200f10, 0xfc200800, ANY | TB_ON_V81M, 0, tb_mve_data },	/* VCMLA  */
  { 0xfea00f10, 0xfc800800, ANY | TB_ON_V81M, 0, tb_mve_data },	/* VCADD  */
  { 0xffa01fe0, 0xec000f00, ANY | TB_ON_V81M, 0, tb_mve_move_lanes },
  { 0xff001f80, 0xed000f80, ANY | TB_ON_V81M, 0, tb_mve_system },
  { 0xff201f80, 0xec200f80, ANY | TB_ON_V81M, 0, tb_mve_system },
  { 0xff801e1e, 0xfc801e00, ANY | TB_ON_V81M, 4, tb_mve_memory },
  { 0xfe001e00, 0xec001e00, ANY | TB_ON_V81M, 1, tb_mve_memory },
  { 0xee000e00, 0xec000e00, ANY | TB_ON_V81M, 0, tb_mve_memory },
  { 0xec000000, 0xec000000, ANY | TB_ON_M, 0, tb_sem_fp },
  { 0xef000000, 0xef000000, ANY | TB_ON_AR, 28, tb_sem_simd_data },
  /* CP15 operations of before v7, MCR p15, 0, Rt, c7: c5, 4; c10, 4 (DSB) and 5 (DMB).  */
  { 0xffff0fff, 0xee070f95, ANY | TB_IS (ISB) | TB_ON_AR, 0, tb_sem_coprocessor },
  { 0xffff0fdf, 0xee070f9a, ANY | TB_IS (BARRIER) | TB_ON_AR, 0, tb_sem_coprocessor },
  { 0xec000000, 0xec000000, ANY | TB_ON_AR, 0, tb_sem_coprocessor },
};

/* By bits 28:24, but for what is control; bits 28:27 are never 0.  */
static const struct tb_rows tables[32] = {
  [0x08] = TB_ROWS (multiple), [0x09] = TB_ROWS (multiple),
  [0x0a] = TB_ROWS (shifted), [0x0b] = TB_ROWS (shifted),
  [0x0c] = TB_ROWS (coprocessors), [0x0d] = TB_ROWS (coprocessors),
  [0x0e] = TB_ROWS (coprocessors), [0x0f] = TB_ROWS (coprocessors),
  [0x10] = TB_ROWS (immediate), [0x11] = TB_ROWS (immediate),
  [0x12] = TB_ROWS (immediate), [0x13] = TB_ROWS (immediate),
  [0x14] = TB_ROWS (immediate), [0x15] = TB_ROWS (immediate),
  [0x16] = TB_ROWS (immediate), [0x17] = TB_ROWS (immediate),
  [0x18] = TB_ROWS (single), [0x19] = TB_ROWS (single),
  [0x1a] = TB_ROWS (registers), [0x1b] = TB_ROWS (multiply),
  [0x1c] = TB_ROWS (coprocessors), [0x1d] = TB_ROWS (coprocessors),
  [0x1e] = TB_ROWS (coprocessors), [0x1f] = TB_ROWS (coprocessors)
};

/* All that ARMv6-M has of it (DDI 0419, A5.3).  */
static bool
has_v6m (uint32_t op)
{
  static const struct { uint32_t mask, value; } rows[] = {
    { 0xf800d000, 0xf000d000 },	/* BL  */
    { 0xfff0ff00, 0xf3808800 },	/* MSR  */
    { 0xfffff000, 0xf3ef8000 },	/* MRS  */
    { 0xfffffff0, 0xf3bf8f60 },	/* ISB  */
    { 0xffffffe0, 0xf3bf8f40 },	/* DSB, DMB.  */
    { 0xfff0f000, 0xf7f0a000 },	/* UDF  */
  };
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if ((op & rows[i].mask) == rows[i].value)
      return true;
  return false;
}

const struct tb_row *
tb_t32_row (uint32_t op, unsigned groups)
{
  static const struct tb_row undefined = { 0, 0, ANY | TB_IS (UNDEFINED), 0,
					   tb_sem_undefined };
  /* Control is known whole, and ARMv6-M has nothing else.  */
  bool is_control = (op & 0x18008000) == 0x10008000;
  const struct tb_row *row = NULL;
  if (is_control)
    row = tb_find_row (&control, op, groups);
  else if (groups >> TB_GROUP_NEWER & 1)
    return tb_find_row (&tables[op >> 24 & 31], op, groups);
  return row != NULL ? row : &undefined;
}

/* Within IT blocks other 16-bit instructions set no flags.  */
static void
drop_flags (struct tb_semantics *s)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < s->count; i++)
    switch (s->uops[i].op)
      {
      case TB_OP_NZ: case TB_OP_CV_ADD: case TB_OP_CV_SUB: case TB_OP_C_SHIFT:
	break;
      default:
	s->uops[kept++] = s->uops[i];
	break;
      }
  s->count = (uint8_t) kept;
}

void
tb_semantics_t32_it (struct tb_semantics *s, uint32_t opcode, unsigned size,
		     uint32_t pc, unsigned it,
		     const struct tb_profile *profile)
{
  static const struct tb_sem_set set = { .type = 4, .five = 0, .here = 4,
					 .split = true };
  unsigned groups = tb_profile_groups (profile);
  const struct tb_row *row = size == 2 ? tb_t16_row (opcode & 0xffff, groups)
			     : size == 4 ? tb_t32_row (opcode, groups) : NULL;
  tb_sem_begin (s, row, opcode, it, profile->is_m);
  if (row == NULL)
    return;
  if (size == 2)
    s->modelled = tb_sem_t16 (s, row, opcode & 0xffff, pc, profile);
  else if (profile->arch != TB_ARCH_V6M || has_v6m (opcode))
    s->modelled = tb_sem_row (s, row, &set, opcode, pc, profile);
  if (it <= 14 && size == 2 && !(row->fields & TB_KEEPS_FLAGS))
    drop_flags (s);
}

void
tb_semantics_t32 (struct tb_semantics *s, uint32_t opcode, unsigned size,
		  uint32_t pc, const struct tb_profile *profile)
{
  tb_semantics_t32_it (s, opcode, size, pc, TB_IT_NONE, profile);
}
