/* Semantics of A64 loads and stores of registers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "Loads and stores".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* An access.  */
enum
{
  SIZE = 31,			/* Bytes.  */
  LOADS = 32,
  SIGN = 64,			/* The loaded value is sign-extended to 64 bits ...  */
  SIGN_32 = 128,		/* ... to 32.  */
  VECTOR = 256,
  TAG = 512,			/* STGP: the offset counts in 16.  */
  PREFETCH = 1024
};

/* T0 = base register N (31: SP) + OFFSET.  */
static void
address (struct tb_semantics *s, unsigned n, uint64_t offset)
{
  emit_imm (s, offset != 0 ? TB_OP_ADD : TB_OP_MOV, T0, n, offset);
}

/* Register RT = SIZE bytes in FROM, extended.  */
static void
put (struct tb_semantics *s, unsigned rt, unsigned from, unsigned size,
     unsigned how)
{
  static const uint8_t ops[3] = { TB_OP_SXTB, TB_OP_SXTH, TB_OP_SXTW };
  unsigned dst = tb_a64_write (rt);
  if (!(how & (SIGN | SIGN_32)))
    {
      emit (s, TB_OP_MOV, dst, from, NONE);
      return;
    }
  emit (s, ops[size >> 1 & 3], dst, from, NONE);
  if (how & SIGN_32)
    emit_imm (s, TB_OP_AND, dst, dst, LOW_WORD);
}

/* Load vector register V of SIZE bytes from AT, which is T0 or T3, or store it there.
   T1 is used.  LITERAL: AT is relative to the PC.  */
static void
vector (struct tb_semantics *s, unsigned v, unsigned size, unsigned at,
	bool load, bool literal)
{
  unsigned op = literal ? TB_OP_LOAD_LITERAL : TB_OP_LOAD;
  unsigned low = size < 8 ? size : 8;
  if (load)
    tb_sem_emit (s, op, TB_A64_LOW (v), at, NONE, low);
  else
    emit_store (s, at, TB_A64_LOW (v), low);
  if (size == 16)
    {
      emit_imm (s, TB_OP_ADD, T1, at, 8);
      if (load)
	tb_sem_emit (s, op, TB_A64_HIGH (v), T1, NONE, 8);
      else
	emit_store (s, T1, TB_A64_HIGH (v), 8);
    }
  else if (load)
    emit_constant (s, TB_A64_HIGH (v), 0);
}

/* Load or store register RT of SIZE bytes at T0; a load leaves it in T1.  */
static void
single (struct tb_semantics *s, unsigned rt, unsigned size, bool load)
{
  if (load)
    emit_load (s, T1, T0, size);
  else
    emit_store (s, T0, tb_a64_read (rt), size);
}

/* The access HOW to T0; between it and the write of RT the base becomes itself plus
   UPDATE.  */
static void
transfer (struct tb_semantics *s, const struct tb_fields *f, unsigned how,
	  uint64_t update)
{
  if (how & VECTOR)
    vector (s, f->d, how & SIZE, T0, how & LOADS, false);
  else
    single (s, f->d, how & SIZE, how & LOADS);
  if (update != 0)
    emit_imm (s, TB_OP_ADD, f->n, f->n, update);
  if (how & LOADS && !(how & VECTOR))
    put (s, f->d, T1, how & SIZE, how);
}

/* "Load register (literal)".  */
static void
literal (struct tb_semantics *s, const struct tb_fields *f)
{
  emit_constant (s, T0, f->pc + (tb_sign_extend (tb_bits (f->op, 23, 5), 19)
				 << 2));
  if (f->arg & VECTOR)
    vector (s, f->d, f->arg & SIZE, T0, true, true);
  else
    {
      tb_sem_emit (s, TB_OP_LOAD_LITERAL, T1, T0, NONE, f->arg & SIZE);
      put (s, f->d, T1, f->arg & SIZE, f->arg);
    }
}

static const struct tb_row literals[] = {
  { 0xff000000, 0x18000000, RAW, 4, literal },
  { 0xff000000, 0x58000000, RAW, 8, literal },
  { 0xff000000, 0x98000000, RAW, 4 | SIGN, literal },
  { 0xff000000, 0xd8000000, RAW, 0, tb_sem_nothing },	/* PRFM  */
  { 0xff000000, 0x1c000000, RAW, 4 | VECTOR, literal },
  { 0xff000000, 0x5c000000, RAW, 8 | VECTOR, literal },
  { 0xff000000, 0x9c000000, RAW, 16 | VECTOR, literal },
};
const struct tb_rows tb_a64_literals_rows = TB_ROWS (literals);

/* "Load/store register pair".  */
static void
pair (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = f->arg & SIZE, rt = f->d, rt2 = f->a;
  bool load = tb_bits (f->op, 22, 22);
  uint64_t offset = tb_sign_extend (tb_bits (f->op, 21, 15), 7)
		    * (f->arg & TAG ? 16 : size);
  /* Bits 24:23: 0 no-allocate, 1 post-indexed, 2 with an offset, 3 pre-indexed.  */
  address (s, f->n, tb_bits (f->op, 24, 23) == 1 ? 0 : offset);
  emit_imm (s, TB_OP_ADD, T3, T0, size);
  if (f->arg & VECTOR)
    {
      vector (s, rt, size, T0, load, false);
      vector (s, rt2, size, T3, load, false);
      if (load && rt == rt2)	/* Constrained unpredictable.  */
	emit_forget (s, rt);
    }
  else
    {
      single (s, rt, size, load);
      if (load)
	emit_load (s, T2, T3, size);
      else
	emit_store (s, T3, tb_a64_read (rt2), size);
    }
  if (tb_bits (f->op, 23, 23))
    emit_imm (s, TB_OP_ADD, f->n, f->n, offset);
  if (load && !(f->arg & VECTOR))
    {
      put (s, rt, T1, size, f->arg);
      put (s, rt2, T2, size, f->arg);
    }
}

static const struct tb_row pairs[] = {
  { 0xfe000000, 0x28000000, RAW, 4, pair },
  { 0xfe000000, 0xa8000000, RAW, 8, pair },
  { 0xfec00000, 0x68c00000, RAW, 4 | SIGN, pair },	/* LDPSW  */
  { 0xffc00000, 0x69400000, RAW, 4 | SIGN, pair },
  { 0xfec00000, 0x68800000, RAW, 8 | TAG, pair },	/* STGP  */
  { 0xffc00000, 0x69000000, RAW, 8 | TAG, pair },
  { 0xfe000000, 0x2c000000, RAW, 4 | VECTOR, pair },
  { 0xfe000000, 0x6c000000, RAW, 8 | VECTOR, pair },
  { 0xfe000000, 0xac000000, RAW, 16 | VECTOR, pair },
};
const struct tb_rows tb_a64_pairs_rows = TB_ROWS (pairs);

/* How "Load/store register" has its address.  */
enum address_form { UNSCALED, POST_INDEXED, PRE_INDEXED, REGISTER, SCALED };

/* T0 = the base and the offset register, shifted if the instruction says so.  */
static void
register_offset (struct tb_semantics *s, const struct tb_fields *f,
		 unsigned size)
{
  static const uint8_t extend[8] = { [2] = TB_OP_AND, [3] = TB_OP_MOV,
				     [6] = TB_OP_SXTW, [7] = TB_OP_MOV };
  unsigned option = tb_bits (f->op, 15, 13), m = tb_a64_read (f->m);
  if (option == 2)
    emit_imm (s, TB_OP_AND, T0, m, LOW_WORD);
  else
    emit (s, extend[option], T0, m, NONE);
  if (tb_bits (f->op, 12, 12) && size != 1)
    emit_imm (s, TB_OP_LSL, T0, T0, (unsigned) __builtin_ctz (size));
  emit (s, TB_OP_ADD, T0, T0, f->n);
}

static void
one_register (struct tb_semantics *s, const struct tb_fields *f)
{
  /* By size (bits 31:30) and opc (23:22); 0: not allocated.  */
  static const uint16_t accesses[2][16] = {
    { 1, 1 | LOADS, 1 | LOADS | SIGN, 1 | LOADS | SIGN_32,
      2, 2 | LOADS, 2 | LOADS | SIGN, 2 | LOADS | SIGN_32,
      4, 4 | LOADS, 4 | LOADS | SIGN, 0,
      8, 8 | LOADS, PREFETCH, 0 },
    { VECTOR | 1, VECTOR | 1 | LOADS, VECTOR | 16, VECTOR | 16 | LOADS,
      VECTOR | 2, VECTOR | 2 | LOADS, 0, 0,
      VECTOR | 4, VECTOR | 4 | LOADS, 0, 0,
      VECTOR | 8, VECTOR | 8 | LOADS, 0, 0 }
  };
  unsigned how = accesses[tb_bits (f->op, 26, 26)]
			 [(f->op >> 30) << 2 | tb_bits (f->op, 23, 22)];
  uint64_t offset = tb_sign_extend (tb_bits (f->op, 20, 12), 9);
  s->modelled = how != 0 && (f->arg != REGISTER || tb_bits (f->op, 14, 14));
  if (!s->modelled || how == PREFETCH)
    return;
  switch (f->arg)
    {
    case POST_INDEXED:
      address (s, f->n, 0);
      break;
    case REGISTER:
      register_offset (s, f, how & SIZE);
      break;
    case SCALED:
      address (s, f->n, (uint64_t) tb_bits (f->op, 21, 10) * (how & SIZE));
      break;
    default:
      address (s, f->n, offset);
      break;
    }
  transfer (s, f, how,
	    f->arg == POST_INDEXED || f->arg == PRE_INDEXED ? offset : 0);
}

/* LDRAA, LDRAB: where the address is, once it is authenticated, is not told.  */
static void
authenticated (struct tb_semantics *s, const struct tb_fields *f)
{
  if (tb_bits (f->op, 11, 11))
    emit_unknown (s, f->n, UINT64_MAX);
  emit_unknown (s, tb_a64_write (f->d), UINT64_MAX);
}

/* "Atomic memory operations": the row's argument is the operation, or EXTREME.  */
enum { EXTREME = TB_OP_COUNT };

static void
atomic (struct tb_semantics *s, const struct tb_fields *f)
{
  static const uint8_t extend[4] = { TB_OP_SXTB, TB_OP_SXTH, TB_OP_SXTW,
				     TB_OP_MOV };
  unsigned scale = f->op >> 30, size = 1u << scale, m = tb_a64_read (f->m);
  address (s, f->n, 0);
  emit_load (s, T1, T0, size);
  if (f->arg == TB_OP_MOV)
    emit (s, TB_OP_MOV, T2, m, NONE);
  else if (f->arg != EXTREME)
    emit (s, f->arg, T2, T1, m);
  else if (tb_bits (f->op, 13, 13))	/* LDUMAX, LDUMIN  */
    {
      emit_imm (s, TB_OP_AND, T2, m, ones (8 * size));
      tb_a64_extreme (s, 1 | tb_bits (f->op, 12, 12) << 1, T2, T1, T2);
    }
  else					/* LDSMAX, LDSMIN  */
    {
      emit (s, extend[scale], T2, m, NONE);
      emit (s, extend[scale], T3, T1, NONE);
      tb_a64_extreme (s, tb_bits (f->op, 12, 12) << 1, T2, T3, T2);
    }
  emit_store (s, T0, T2, size);
  put (s, f->d, T1, size, 0);
}

/* LD64B, ST64B: eight registers from D on.  */
static void
eight_registers (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = !(f->d & 1) && f->d < 24;
  emit (s, TB_OP_MOV, T0, f->n, NONE);
  for (unsigned i = 0; s->modelled && i < 8; i++)
    {
      emit_imm (s, TB_OP_ADD, T1, T0, 8 * i);
      if (f->arg & LOADS)
	emit_load (s, f->d + i, T1, 8);
      else
	emit_store (s, T1, f->d + i, 8);
    }
}

/* ST64BV, ST64BV0: M tells whether it stored; of ST64BV0 the low word is another.  */
static void
eight_or_not (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = !(f->d & 1) && f->d < 24;
  emit_unknown (s, T3, 1);
  for (unsigned i = 0; s->modelled && i < 8; i++)
    {
      unsigned from = f->d + i;
      emit_imm (s, TB_OP_ADD, T1, f->n, 8 * i);
      if (f->arg && i == 0)
	emit_unknown (s, from = T2, UINT64_MAX);
      emit_store_if (s, T3, T1, from, 8);
    }
  emit_unknown (s, tb_a64_write (f->m), UINT64_MAX);
}

/* LDAPR  */
static void
load_ordered (struct tb_semantics *s, const struct tb_fields *f)
{
  address (s, f->n, 0);
  transfer (s, f, LOADS | 1u << (f->op >> 30), 0);
}

static const struct tb_row one[] = {	/* "Load/store register"  */
  { 0x3b000000, 0x39000000, RAW, SCALED, one_register },
  { 0x3b200c00, 0x38000000, RAW, UNSCALED, one_register },
  { 0x3b200c00, 0x38000400, RAW, POST_INDEXED, one_register },
  { 0x3f200c00, 0x38000800, RAW, UNSCALED, one_register },	/* Unprivileged.  */
  { 0x3b200c00, 0x38000c00, RAW, PRE_INDEXED, one_register },
  { 0x3b200c00, 0x38200800, RAW, REGISTER, one_register },
  { 0xff200400, 0xf8200400, RAW, 0, authenticated },
  /* "Atomic memory operations"  */
  { 0x3f20fc00, 0x38200000, RAW, TB_OP_ADD, atomic },
  { 0x3f20fc00, 0x38201000, RAW, TB_OP_BIC, atomic },
  { 0x3f20fc00, 0x38202000, RAW, TB_OP_EOR, atomic },
  { 0x3f20fc00, 0x38203000, RAW, TB_OP_ORR, atomic },
  { 0x3f20cc00, 0x38204000, RAW, EXTREME, atomic },
  { 0x3f20fc00, 0x38208000, RAW, TB_OP_MOV, atomic },	/* SWP  */
  { 0x3fe0fc00, 0x38a0c000, RAW, 0, load_ordered },
  { 0xfffffc00, 0xf83f9000, RAW, 0, eight_registers },	/* ST64B  */
  { 0xffe0fc00, 0xf820b000, RAW, 0, eight_or_not },	/* ST64BV  */
  { 0xffe0fc00, 0xf820a000, RAW, 1, eight_or_not },	/* ST64BV0  */
  { 0xfffffc00, 0xf83fd000, RAW, LOADS, eight_registers },	/* LD64B  */
};
const struct tb_rows tb_a64_single_rows = TB_ROWS (one);

/* "Load/store exclusive register", "pair"; with acquire or release or not.  The
   row's argument is 1 for pairs.  STXR: M tells whether it stored.  */
static void
exclusive (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = 1u << (f->op >> 30);
  address (s, f->n, 0);
  if (f->arg)
    emit_imm (s, TB_OP_ADD, T3, T0, size);
  if (tb_bits (f->op, 22, 22))
    {
      emit_load (s, T1, T0, size);
      if (f->arg)
	emit_load (s, T2, T3, size);
      put (s, f->d, T1, size, 0);
      if (f->arg)
	put (s, f->a, T2, size, 0);
      return;
    }
  emit_unknown (s, T1, 1);
  emit_imm (s, TB_OP_EOR, T2, T1, 1);
  emit_store_if (s, T2, T0, tb_a64_read (f->d), size);
  if (f->arg)
    emit_store_if (s, T2, T3, tb_a64_read (f->a), size);
  emit (s, TB_OP_MOV, tb_a64_write (f->m), T1, NONE);
}

/* LDAR, STLR, LDLAR, STLLR.  */
static void
ordered (struct tb_semantics *s, const struct tb_fields *f)
{
  address (s, f->n, 0);
  transfer (s, f, (tb_bits (f->op, 22, 22) ? LOADS : 0) | 1u << (f->op >> 30),
	    0);
}

/* DST = A differs from the low SIZE bytes of register M, if that is not 0.  */
static void
differ (struct tb_semantics *s, unsigned dst, unsigned a, unsigned m, unsigned size)
{
  emit_imm (s, TB_OP_AND, dst, tb_a64_read (m), ones (8 * size));
  emit (s, TB_OP_EOR, dst, dst, a);
}

/* CAS: stores D where memory holds M, which gets what it held.  */
static void
compare_and_swap (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = 1u << (f->op >> 30);
  address (s, f->n, 0);
  emit_load (s, T1, T0, size);
  differ (s, T2, T1, f->m, size);
  emit (s, TB_OP_ISZERO, T2, T2, NONE);
  emit_store_if (s, T2, T0, tb_a64_read (f->d), size);
  put (s, f->m, T1, size, 0);
}

/* CASP  */
static void
compare_and_swap_pair (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned size = 4u << tb_bits (f->op, 30, 30);
  address (s, f->n, 0);
  emit_imm (s, TB_OP_ADD, T3, T0, size);
  emit_load (s, T1, T0, size);
  emit_load (s, T2, T3, size);
  differ (s, T4, T1, f->m, size);
  differ (s, T5, T2, f->m | 1, size);
  emit (s, TB_OP_ORR, T4, T4, T5);
  emit (s, TB_OP_ISZERO, T4, T4, NONE);
  emit_store_if (s, T4, T0, tb_a64_read (f->d), size);
  emit_store_if (s, T4, T3, tb_a64_read (f->d | 1), size);
  put (s, f->m, T1, size, 0);
  put (s, f->m | 1, T2, size, 0);
}

static const struct tb_row exclusives[] = {
  { 0x3fa00000, 0x08000000, RAW, 0, exclusive },
  { 0xbfa00000, 0x88200000, RAW, 1, exclusive },
  { 0x3fa00000, 0x08800000, RAW, 0, ordered },
  { 0x3fa07c00, 0x08a07c00, RAW, 0, compare_and_swap },
  { 0xbfa07c00, 0x08207c00, RAW, 0, compare_and_swap_pair },
};
const struct tb_rows tb_a64_exclusives_rows = TB_ROWS (exclusives);

/* "Memory Copy and Memory Set": CPY*, CPYF* (the row's argument is 1) and SET*, SETG*.
   How far each of their three steps gets is left to the core.  */
static void
copy_or_set (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = f->d != 31 && f->n != 31 && !(f->arg && f->m == 31);
  emit_unknown (s, f->d, UINT64_MAX);
  emit_unknown (s, f->n, UINT64_MAX);
  if (f->arg && s->modelled)
    emit_unknown (s, f->m, UINT64_MAX);
  emit_unknown_flags (s);
  emit_forget_memory (s, true);
}

static const struct tb_row ordered_rows[] = {
  /* LDAPUR, STLUR; bits 11:10 are 10 for vectors.  */
  { 0x3f200c00, 0x19000000, RAW, UNSCALED, one_register },
  { 0x3f200c00, 0x1d000800, RAW, UNSCALED, one_register },
  { 0xfbe00c00, 0x19c00400, RAW, 0, copy_or_set },
  { 0xfb200c00, 0x19000400, RAW, 1, copy_or_set },
  /* "Load/store memory tags"  */
  { 0xffe00c00, 0xd9600000, RAW, 0, tb_a64_tags },	/* LDG  */
  { 0xff3ffc00, 0xd9200000, RAW, 0, tb_a64_tags_bulk },
  { 0xff200400, 0xd9200400, RAW, 0, tb_a64_tags },	/* STG ...  */
  { 0xff200c00, 0xd9200800, RAW, 0, tb_a64_tags },
};
const struct tb_rows tb_a64_ordered_rows = TB_ROWS (ordered_rows);
