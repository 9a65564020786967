/* Loads and stores of vectors, element by element, as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0406, A7.7, A8.8 (VLD1 to VLD4, VST1 to VST4).  */

#include "config.h"
#include "arm/lift/fp.h"

/* Structures of COUNT elements of SIZE bytes, in memory one behind the other from
   T2 on.  The first elements go to the register at PLACE, the next ones to that
   STEP words further on, ...  */
struct elements
{
  unsigned place, step, count, size;
  bool is_load;
};

/* T0 = T2 + OFFSET; returns the place of that.  */
static unsigned
address (struct tb_semantics *s, uint32_t offset)
{
  if (offset == 0)
    return T2;
  tb_sem_emit (s, TB_OP_ADD, T0, T2, IMM, offset);
  return T0;
}

/* The element of the word PLACE from bit SHIFT on is stored at OFFSET.  */
static void
store (struct tb_semantics *s, const struct elements *e, unsigned place,
       unsigned shift, uint32_t offset)
{
  unsigned at = address (s, offset);
  if (shift != 0)
    {
      tb_sem_emit (s, TB_OP_LSR, T1, place, IMM, shift);
      place = T1;
    }
  tb_sem_emit (s, TB_OP_STORE, NONE, at, place, e->size);
}

/* It is loaded, and the others stay.  */
static void
insert (struct tb_semantics *s, const struct elements *e, unsigned place,
	unsigned shift, uint32_t offset)
{
  unsigned at = address (s, offset);
  uint32_t mask = (UINT32_C (1) << 8 * (e->size & 3)) - 1;
  if (e->size == 4)
    {
      tb_sem_emit (s, TB_OP_LOAD, place, at, NONE, 4);
      return;
    }
  tb_sem_emit (s, TB_OP_LOAD, T1, at, NONE, e->size);
  if (shift != 0)
    tb_sem_emit (s, TB_OP_LSL, T1, T1, IMM, shift);
  tb_sem_emit (s, TB_OP_AND, place, place, IMM, ~(mask << shift));
  tb_sem_emit (s, TB_OP_ORR, place, place, T1, 0);
}

/* All elements of the word PLACE, which are STRIDE bytes apart from OFFSET on.  */
static void
transfer_word (struct tb_semantics *s, const struct elements *e,
	       unsigned place, uint32_t offset, uint32_t stride)
{
  for (unsigned k = 0; k < 4 / e->size; k++)
    {
      unsigned shift = 8 * e->size * k;
      if (!e->is_load)
	{
	  store (s, e, place, shift, offset + k * stride);
	  continue;
	}
      unsigned at = address (s, offset + k * stride);
      tb_sem_emit (s, TB_OP_LOAD, k == 0 ? place : T1, at, NONE, e->size);
      if (k == 0)
	continue;
      tb_sem_emit (s, TB_OP_LSL, T1, T1, IMM, shift);
      tb_sem_emit (s, TB_OP_ORR, place, place, T1, 0);
    }
}

/* By bits 11:8: how many elements a structure has, how far apart their registers
   are, and how many registers one element has.  */
static const struct { uint8_t count, step, registers; } structures[16] = {
  { 4, 1, 1 }, { 4, 2, 1 }, { 1, 1, 4 }, { 2, 2, 2 }, { 3, 1, 1 }, { 3, 2, 1 },
  { 1, 1, 3 }, { 1, 1, 1 }, { 2, 1, 1 }, { 2, 2, 1 }, { 1, 1, 2 }, { 0, 0, 0 }
};

/* Whole registers.  Returns how many bytes; 0: there is no such.  */
static unsigned
multiple (struct tb_semantics *s, uint32_t op, struct elements *e)
{
  unsigned type = op >> 8 & 15, size = op >> 6 & 3, align = op >> 4 & 3;
  unsigned registers = structures[type].registers;
  unsigned words = 2 * registers, last;
  e->count = structures[type].count;
  e->step = 2 * structures[type].step;
  e->size = 1u << size;
  last = e->place + (e->count - 1) * e->step + words;
  if (e->count == 0 || last > TB_PLACE_FP + 64 || (e->count > 1 && size == 3)
      || ((type == 7 || type >> 1 == 2 || type == 6) && align >> 1)
      || ((type >> 1 == 4 || type == 10) && align == 3))
    return 0;
  /* Elements behind one another are as good as words.  */
  if (e->count == 1)
    e->size = 4;
  for (unsigned i = 0; i < e->count; i++)
    for (unsigned w = 0; w < words; w++)
      transfer_word (s, e, e->place + i * e->step + w,
		     4 * w * e->count + i * e->size, e->count * e->size);
  return 4 * words * e->count;
}

/* One lane of each register.  */
static unsigned
lane (struct tb_semantics *s, uint32_t op, struct elements *e)
{
  unsigned size = op >> 10 & 3, align = op >> 4 & 15;
  unsigned byte = (align >> (size + 1)) << size;
  e->count = (op >> 8 & 3) + 1;
  e->size = 1u << size;
  e->step = size != 0 && align >> size & 1 ? 4 : 2;
  /* Bits that are no alignment.  */
  if ((e->count == 1 && ((size == 0 && align & 1) || (size == 1 && align & 2)
			 || (size == 2 && (align & 7) != 0 && (align & 7) != 3)))
      || (e->count == 2 && size == 2 && align & 2)
      || (e->count == 3 && (align & (size == 2 ? 3 : 1)) != 0)
      || (e->count == 4 && size == 2 && (align & 3) == 3)
      || e->place + (e->count - 1) * e->step >= TB_PLACE_FP + 64)
    return 0;
  for (unsigned i = 0; i < e->count; i++)
    (e->is_load ? insert : store) (s, e, e->place + i * e->step + byte / 4,
				   8 * (byte & 3), i * e->size);
  return e->count * e->size;
}

/* One element for all lanes of each register.  */
static unsigned
all_lanes (struct tb_semantics *s, uint32_t op, struct elements *e)
{
  unsigned size = op >> 6 & 3, align = op >> 4 & 1, registers = 1;
  bool more = op >> 5 & 1;
  e->count = (op >> 8 & 3) + 1;
  /* VLD4 of words has a form of its own for a larger alignment.  */
  if (!e->is_load || (size == 3 && (e->count != 4 || !align))
      || (align && (e->count == 3 || (e->count == 1 && size == 0))))
    return 0;
  e->size = size == 3 ? 4 : 1u << size;
  e->step = more ? 4 : 2;
  if (e->count == 1)
    registers = more ? 2 : 1;
  if (e->place + (e->count - 1) * e->step + 2 * registers > TB_PLACE_FP + 64)
    return 0;
  for (unsigned i = 0; i < e->count; i++)
    {
      unsigned place = e->place + i * e->step;
      tb_sem_emit (s, TB_OP_LOAD, place, address (s, i * e->size), NONE,
		   e->size);
      if (e->size < 4)
	tb_sem_emit (s, TB_OP_MUL, place, place, IMM,
		     e->size == 1 ? 0x01010101 : 0x00010001);
      for (unsigned w = 1; w < 2 * registers; w++)
	tb_sem_emit (s, TB_OP_MOV, place + w, place, NONE, 0);
    }
  return e->count * e->size;
}

void
tb_sem_simd_memory (struct tb_semantics *s, const struct tb_fields *f)
{
  uint32_t op = f->op;
  unsigned rn = op >> 16 & 15, rm = op & 15, bytes;
  struct elements e = {
    .place = TB_PLACE_FP + 2 * ((op >> 18 & 16) | (op >> 12 & 15)),
    .is_load = op >> 21 & 1
  };
  s->modelled = rn != 15;
  if (!s->modelled)
    return;
  tb_sem_emit (s, TB_OP_MOV, T2, rn, NONE, 0);
  if (!(op >> 23 & 1))
    bytes = multiple (s, op, &e);
  else if ((op >> 10 & 3) != 3)
    bytes = lane (s, op, &e);
  else
    bytes = all_lanes (s, op, &e);
  s->modelled = bytes != 0;
  if (!s->modelled)
    return;
  s->flags |= e.is_load ? TB_SEM_LOADS : TB_SEM_STORES;
  if (bytes > 4)
    s->flags |= TB_SEM_MULTIPLE;
  if (rm == 13)
    tb_sem_emit (s, TB_OP_ADD, rn, T2, IMM, bytes);
  else if (rm != 15)
    tb_sem_emit (s, TB_OP_ADD, rn, T2, rm, 0);
}
