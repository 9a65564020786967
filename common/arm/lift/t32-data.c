/* 32-bit T32 data processing as micro-operations: modified immediates and
   shifted registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv7-M Architecture Reference Manual (DDI 0403), A5.3.1 (modified
   immediate), A5.3.2 (its values), A5.3.11 (shifted register); ARMv8-M (DDI
   0553), C2.4 for conditional select and long shifts.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* DDI 0403, A5.3.2.  */
static struct tb_sem_operand
modified_immediate (uint32_t op)
{
  uint32_t imm12 = (op >> 15 & 0x800) | (op >> 4 & 0x700) | (op & 255);
  uint32_t low = imm12 & 255;
  struct tb_sem_operand o = { .place = IMM, .carry = TB_CARRY_STAYS };
  switch (imm12 >> 8)
    {
    case 0: o.value = low; break;
    case 1: o.value = low << 16 | low; break;
    case 2: o.value = low << 24 | low << 8; break;
    case 3: o.value = low * UINT32_C (0x01010101); break;
    default:
      {
	uint32_t unrotated = (imm12 & 127) | 128;
	unsigned n = imm12 >> 7;
	o.value = unrotated >> n | unrotated << (32 - n);
	o.carry = TB_CARRY_IS;
	break;
      }
    }
  return o;
}

/* What bits 24:21 select; bit 20: with flags.  */
static void
operate (struct tb_semantics *s, const struct tb_fields *f,
	 struct tb_sem_operand *o)
{
  /* AND, BIC, ORR, ORN, EOR, ADD, ADC, SBC, SUB, RSB as A32 counts them; 0x20: with
     flags and without a register it compares; 0x40: without Rn it moves (which is one
     more in A32); 0x80: not into SP.  */
  static const uint8_t numbers[16] = {
    0x20 | 0, 14, 0x40 | 12, 0x40 | TB_SEM_ORN, 0x20 | 1, 0xff, 0xff, 0xff,
    0x20 | 4, 0xff, 0x80 | 5, 0x80 | 6, 0xff, 0x20 | 2, 0x80 | 3, 0xff
  };
  unsigned how = numbers[f->op >> 21 & 15], which = how & 0x1f;
  bool flags = f->op >> 20 & 1;
  s->modelled = how != 0xff && (f->d != 15 || (flags && how & 0x20))
		&& (f->n != 15 || how & 0x40) && (f->d != SP || !(how & 0x80));
  if (!s->modelled)
    return;
  if (f->n == 15)
    which = which == TB_SEM_ORN ? 15 : 13;
  tb_sem_operate (s, which, flags, f->d, f->n, o);
}

void
tb_t32_data_immediate (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_operand o = modified_immediate (f->op);
  operate (s, f, &o);
}

void
tb_t32_data_shifted (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_sem_operand o = tb_sem_shifted (s, f);
  operate (s, f, &o);
}

/* ADDW, SUBW; ADR.  */
void
tb_t32_add_plain (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t imm = (f->op >> 15 & 0x800) | (f->op >> 4 & 0x700) | (f->op & 255);
  s->modelled = f->n != 15 || f->d != SP;
  if (f->n == 15)
    tb_sem_emit (s, TB_OP_MOV, f->d, IMM, NONE,
		 (f->here & ~UINT32_C (3)) + (f->arg == TB_OP_SUB ? -imm : imm));
  else
    tb_sem_emit (s, f->arg, f->d == SP ? T0 : f->d, f->n, IMM, imm);
  if (f->d == SP)
    tb_sem_write_any (s, f->d, T0);
}

/* Shifts by a register.  */
void
tb_t32_shift (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned shift = tb_sem_shifts[f->op >> 21 & 3];
  if (f->op >> 20 & 1)
    tb_sem_shift_flags (s, shift, f->d, f->n, f->m, 0);
  else
    tb_sem_emit (s, shift, f->d, f->n, f->m, 0);
}

/* CSEL, CSINC, CSINV, CSNEG of v8.1-M: bits 15:14 are 10.  */
void
tb_t32_select (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  unsigned rd = op >> 8 & 15, rn = op >> 16 & 15, rm = op & 15;
  unsigned which = op >> 12 & 3, condition = op >> 4 & 15;
  /* In an IT block (S has the condition then) it is not an instruction.  */
  if (rd == 13 || rd == 15 || rn == 13 || rm == 13 || condition >= 14
      || s->count != 0)
    {
      s->modelled = false;
      return;
    }
  if (rm == 15)			/* Zero.  */
    tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, 0);
  else
    tb_sem_emit (s, TB_OP_MOV, T0, rm, NONE, 0);
  if (which == 1)
    tb_sem_emit (s, TB_OP_ADD, T0, T0, IMM, 1);
  else if (which > 1)
    tb_sem_emit (s, TB_OP_EOR, T0, T0, IMM, UINT32_MAX);
  if (which == 3)
    tb_sem_emit (s, TB_OP_ADD, T0, T0, IMM, 1);
  if (rn == 15)
    tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, 0);
  else
    tb_sem_emit (s, TB_OP_MOV, T1, rn, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, rd, T0, NONE, 0);
  /* No condition of the instruction, which is always done: no trace tells whether it holds.  */
  tb_sem_emit (s, TB_OP_CONDITION, T2, NONE, NONE, condition);
  tb_sem_only_if (s, T2);
  tb_sem_emit (s, TB_OP_MOV, rd, T1, NONE, 0);
}

/* The shifts of 64 bits of v8.1-M (RdaLo is even, RdaHi odd), and those of 32
   bits that saturate or round (bits 11:8 are 15): not worked out.  */
void
tb_t32_long_shift (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  bool is_long = (op >> 8 & 15) != 15;
  unsigned rda = op >> 16 & 15, hi = (op >> 8 & 14) | 1;
  if (is_long)
    rda &= 14;
  if (!(op >> 8 & 1) || rda == 13 || rda == 15 || hi == 13
      || (is_long && hi == 15))
    {
      s->modelled = false;
      return;
    }
  tb_sem_unknown (s, rda);
  if (is_long)
    tb_sem_unknown (s, hi);
  tb_sem_unknown (s, T0);
  tb_sem_emit (s, TB_OP_AND, T0, T0, IMM, 1);
  tb_sem_emit (s, TB_OP_ORR, TB_SLOT_Q, TB_SLOT_Q, T0, 0);
}
