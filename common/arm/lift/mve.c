/* Vector instructions of the M profile (MVE) as micro-operations: what they may touch.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   VPR, which leaves out lanes, is not kept: what is written may stay as well, and what is
   stored may not be.

   Source: ARMv8-M Architecture Reference Manual (DDI 0553), C2.3.5, C2.4.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* COUNT Q registers, the first of which is at bits 15:13, become unknown.  */
static void
vectors (struct tb_semantics *s, uint32_t op, unsigned count)
{
  unsigned first = op >> 13 & 7;
  for (unsigned i = 0; i < count; i++)
    tb_sem_fp_unknown (s, TB_PLACE_FP + 4 * ((first + i) & 7), 4);
}

/* So does a core register; 15 is none.  */
static void
core (struct tb_semantics *s, unsigned r)
{
  if (r != 15)
    tb_sem_unknown (s, r);
}

/* What arithmetic tells of itself; the carry of VADC stands with the flags.  */
static void
status (struct tb_semantics *s)
{
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM,
	       TB_FP_RAISES | TB_FP_SATURATES | TB_FP_COMPARES);
  tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR_STATUS, TB_PLACE_FPSCR_STATUS,
	       IMM, ~TB_FP_COMPARES);
  tb_sem_emit (s, TB_OP_ORR, TB_PLACE_FPSCR_STATUS, TB_PLACE_FPSCR_STATUS, T0,
	       0);
}

/* Arithmetic into a vector register.  */
void
tb_mve_data (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_use_fp (s);
  vectors (s, f->op, 1);
  status (s);
}

/* VIDUP, VDDUP, VIWDUP, VDWDUP: they go on counting in a core register.  */
void
tb_mve_count (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_use_fp (s);
  vectors (s, f->op, 1);
  core (s, f->n & 14);
}

/* What may reduce to core registers (VADDV, VMLADAV, VMAXV, VABAV ...: bits 15:12 and
   22:20), or have a vector as its result.  */
void
tb_mve_reduce (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_mve_data (s, f);
  core (s, f->a);
  core (s, f->a & 14);
  core (s, (f->op >> 19 & 14) | 1);
}

/* VSHLC shifts through a core register.  */
void
tb_mve_shift (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_mve_data (s, f);
  core (s, f->m);
}

/* VMOV of two lanes and two core registers.  */
void
tb_mve_move_lanes (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_use_fp (s);
  if (f->op >> 20 & 1)
    vectors (s, f->op, 1);
  else
    {
      core (s, f->n);
      core (s, f->m);
    }
}

/* Store something of 4 bytes at T2 + OFFSET, perhaps.  */
static void
store_word (struct tb_semantics *s, uint32_t offset)
{
  tb_sem_unknown (s, T1);
  tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, offset);
  tb_sem_store_perhaps (s, T1, T0, T3, 4);
  s->flags |= TB_SEM_STORES;
}

/* VLDR, VSTR of FPSCR, VPR or what secure code keeps of these.  */
void
tb_mve_system (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t imm = (f->op & 127) << 2;
  bool index = f->op >> 24 & 1, add = f->op >> 23 & 1;
  s->modelled = f->n != 15 && (index || f->op >> 21 & 1);
  if (!s->modelled)
    return;
  tb_sem_use_fp (s);
  tb_sem_emit (s, add ? TB_OP_ADD : TB_OP_SUB, T2, f->n, IMM, index ? imm : 0);
  if (f->op >> 20 & 1)
    {
      tb_sem_unknown (s, T0);
      tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR, T0, IMM, TB_FPSCR_CONTROL);
      tb_sem_emit (s, TB_OP_AND, TB_PLACE_FPSCR_STATUS, T0, IMM,
		   ~TB_FPSCR_CONTROL);
      tb_sem_unknown (s, T0);
      tb_sem_emit (s, TB_OP_AND, TB_SLOT_FPCA, T0, IMM, 1);
      s->flags |= TB_SEM_LOADS;
    }
  else
    store_word (s, 0);
  if (f->op >> 21 & 1)
    core (s, f->n);
}

/* VLDR, VSTR of consecutive bytes (the row's argument is 1), or at a vector of
   addresses; VLD2, VLD4, VST2, VST4 (the row's argument is 4).  With W, bit 21, the base
   changes: a core register, or of vectors of addresses that at bits 19:17.  */
void
tb_mve_memory (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t imm = (f->op & 127) << (f->op >> 7 & 3);
  bool index = f->op >> 24 & 1, add = f->op >> 23 & 1;
  bool write_back = f->op >> 21 & 1, plain = f->arg == 1;
  s->modelled = f->n != 15 || !(plain || write_back);
  if (!s->modelled)
    return;
  tb_sem_use_fp (s);
  if (f->op >> 20 & 1)
    {
      vectors (s, f->op, f->arg == 4 ? 4 : 1);
      s->flags |= TB_SEM_LOADS;
    }
  else if (plain)
    {
      tb_sem_emit (s, add ? TB_OP_ADD : TB_OP_SUB, T2, f->n, IMM,
		   index ? imm : 0);
      for (unsigned i = 0; i < 16; i += 4)
	store_word (s, i);
    }
  else
    {
      tb_sem_emit (s, TB_OP_FORGET, NONE, NONE, NONE, 1);
      s->flags |= TB_SEM_STORES;
    }
  s->flags |= TB_SEM_MULTIPLE | TB_SEM_CONTINUES;
  if (!write_back)
    return;
  core (s, f->n);
  if (f->arg == 0)		/* The base may have three bits, or be a vector.  */
    {
      core (s, f->n & 7);
      tb_sem_fp_unknown (s, TB_PLACE_FP + 4 * (f->op >> 17 & 7), 4);
    }
}
