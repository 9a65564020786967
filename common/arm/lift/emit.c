/* What the descriptions of instructions are made of.  See emit.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/lift/aarch32.h"

#include <assert.h>

void
tb_sem_add_flags (struct tb_semantics *s, bool subtract, unsigned dst,
		  unsigned a, unsigned b, uint32_t imm)
{
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, a, b, imm);
  tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  tb_sem_emit (s, subtract ? TB_OP_CV_SUB : TB_OP_CV_ADD, NONE, a, b, imm);
  if (dst != NONE)
    tb_sem_emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

void
tb_sem_adc (struct tb_semantics *s, bool subtract, bool flags, unsigned dst,
	    unsigned a, unsigned b)
{
  tb_sem_emit (s, subtract ? TB_OP_SUB : TB_OP_ADD, T0, a, b, 0);
  if (subtract)
    tb_sem_emit (s, TB_OP_ADD, T0, T0, IMM, UINT32_MAX);
  tb_sem_emit (s, TB_OP_ADD, T0, T0, TB_SLOT_C, 0);
  if (flags)
    {
      tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
      tb_sem_emit (s, subtract ? TB_OP_CV_SUB : TB_OP_CV_ADD, TB_SLOT_C, a, b,
		   0);
    }
  tb_sem_emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

void
tb_sem_logic_flags (struct tb_semantics *s, unsigned op, unsigned dst,
		    unsigned a, unsigned b, uint32_t imm)
{
  tb_sem_emit (s, op, T0, a, b, imm);
  tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  if (dst != NONE)
    tb_sem_emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

void
tb_sem_shift_flags (struct tb_semantics *s, unsigned op, unsigned dst,
		    unsigned a, unsigned b, uint32_t imm)
{
  tb_sem_emit (s, op, T0, a, b, imm);
  tb_sem_emit (s, TB_OP_C_SHIFT, op, a, b, imm);
  tb_sem_emit (s, TB_OP_NZ, NONE, T0, NONE, 0);
  tb_sem_emit (s, TB_OP_MOV, dst, T0, NONE, 0);
}

void
tb_sem_write_any (struct tb_semantics *s, unsigned dst, unsigned place)
{
  if (dst == 15)
    tb_sem_emit (s, TB_OP_TARGET, NONE, place, NONE, ~UINT32_C (1));
  else if (dst == SP && s->is_m)
    tb_sem_emit (s, TB_OP_AND, SP, place, IMM, ~UINT32_C (3));
  else
    tb_sem_emit (s, TB_OP_MOV, dst, place, NONE, 0);
}

void
tb_sem_unknown (struct tb_semantics *s, unsigned dst)
{
  tb_sem_emit (s, TB_OP_UNKNOWN, dst, NONE, NONE, UINT32_MAX);
}

void
tb_sem_only_if (struct tb_semantics *s, unsigned place)
{
  unsigned before = s->when;
  s->when = TB_ALWAYS;
  if (before != TB_ALWAYS)
    tb_sem_emit (s, TB_OP_AND, place, place, before, 0);
  s->when = (uint8_t) place;
}

void
tb_sem_emit_if (struct tb_semantics *s, unsigned place, unsigned op, unsigned dst,
		unsigned a, unsigned b, uint32_t imm)
{
  uint8_t before = s->when;
  tb_sem_only_if (s, place);
  tb_sem_emit (s, op, dst, a, b, imm);
  s->when = before;
}

void
tb_sem_move_if (struct tb_semantics *s, unsigned place, unsigned dst, unsigned a,
		uint32_t immediate)
{
  assert (dst < TB_NSLOTS);
  tb_sem_emit_if (s, place, TB_OP_MOV, dst, a, NONE, immediate);
}

void
tb_sem_store_perhaps (struct tb_semantics *s, unsigned value, unsigned address,
		      unsigned place, unsigned size)
{
  tb_sem_emit (s, TB_OP_UNKNOWN, place, NONE, NONE, 1);
  tb_sem_emit_if (s, place, TB_OP_STORE, NONE, address, value, size);
}

/* BASE + INDEX, in T0 if it has to be worked out.  */
static unsigned
address (struct tb_semantics *s, unsigned base, unsigned index, uint32_t imm)
{
  if (index == IMM && imm == 0)
    return base;
  tb_sem_emit (s, TB_OP_ADD, T0, base, index, imm);
  return T0;
}

void
tb_sem_load (struct tb_semantics *s, unsigned dst, unsigned base,
	     unsigned index, uint32_t imm, uint32_t size, unsigned extend)
{
  unsigned at = address (s, base, index, imm);
  bool through = extend != TB_OP_MOV || dst == SP;
  tb_sem_emit (s, TB_OP_LOAD, through ? T1 : dst, at, NONE, size);
  if (extend != TB_OP_MOV)
    tb_sem_emit (s, extend, dst, T1, NONE, 0);
  else if (through)
    tb_sem_write_any (s, dst, T1);
  s->flags |= TB_SEM_LOADS;
}

void
tb_sem_store (struct tb_semantics *s, unsigned value, unsigned base,
	      unsigned index, uint32_t imm, uint32_t size)
{
  unsigned at = address (s, base, index, imm);
  tb_sem_emit (s, TB_OP_STORE, NONE, at, value, size);
  s->flags |= TB_SEM_STORES;
}

/* TO = FROM + BY, which may be negative.  */
static void
step (struct tb_semantics *s, unsigned to, unsigned from, int by)
{
  if (by == 0)
    tb_sem_emit (s, TB_OP_MOV, to, from, NONE, 0);
  else
    tb_sem_emit (s, by < 0 ? TB_OP_SUB : TB_OP_ADD, to, from, IMM,
		 (uint32_t) (by < 0 ? -by : by));
}

/* The words from T2 + OFFSET up hold LIST.  */
static void
load_list (struct tb_semantics *s, unsigned list, bool user)
{
  uint32_t offset = 0;
  for (unsigned r = 0; r < 16; r++)
    if (list >> r & 1)
      {
	unsigned at = address (s, T2, IMM, offset);
	bool banked = user && r >= 8 && r < 15;
	tb_sem_emit (s, TB_OP_LOAD, r == 15 || banked ? T1 : r, at, NONE,
		     4 | TB_ACCESS_ALIGNED);
	if (banked)
	  tb_sem_emit (s, TB_OP_WRITE_BANKED, NONE, T1, NONE,
		       TB_SYS_REG (TB_MODE_USR, r));
	offset += 4;
      }
  s->flags |= TB_SEM_LOADS;
}

static void
store_list (struct tb_semantics *s, unsigned base, unsigned list,
	    bool write_back, bool user, uint32_t pc)
{
  uint32_t offset = 0;
  for (unsigned r = 0; r < 16; r++)
    if (list >> r & 1)
      {
	unsigned value = r;
	if (user && r >= 8 && r < 15)
	  {
	    tb_sem_emit (s, TB_OP_READ_BANKED, T1, NONE, NONE,
			 TB_SYS_REG (TB_MODE_USR, r));
	    value = T1;
	  }
	else if (r == 15)
	  {
	    tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, pc);
	    value = T1;
	  }
	/* A base that changes and is not the lowest register of the list is
	   stored as a value that is not defined (DDI 0419, A6.7.59).  */
	else if (r == base && write_back && (list & ((1u << r) - 1)) != 0)
	  {
	    tb_sem_unknown (s, T1);
	    value = T1;
	  }
	tb_sem_emit (s, TB_OP_STORE, NONE, address (s, T2, IMM, offset), value,
		     4 | TB_ACCESS_ALIGNED);
	offset += 4;
      }
  s->flags |= TB_SEM_STORES;
}

void
tb_sem_multiple (struct tb_semantics *s, const struct tb_sem_multiple *m)
{
  /* The base stays in T2: it may be in the list.  */
  step (s, T2, m->base, m->start);
  if (m->is_load)
    load_list (s, m->list, m->user);
  else
    store_list (s, m->base, m->list, m->write_back, m->user, m->pc);
  if (m->write_back)
    step (s, m->base, T2, m->end - m->start);
  if ((m->list & (m->list - 1)) != 0)
    s->flags |= TB_SEM_MULTIPLE | TB_SEM_CONTINUES;
}

/* LIST from BASE upwards, or BELOW it.  */
static struct tb_sem_multiple
multiple (unsigned base, unsigned list, bool below, bool write_back)
{
  int length = 4 * __builtin_popcount (list);
  return (struct tb_sem_multiple) {
    .base = base, .list = list, .write_back = write_back,
    .start = below ? -length : 0, .end = below ? -length : length
  };
}

void
tb_sem_load_multiple (struct tb_semantics *s, unsigned base, unsigned list,
		      bool below, bool write_back)
{
  struct tb_sem_multiple m = multiple (base, list, below, write_back);
  m.is_load = true;
  tb_sem_multiple (s, &m);
  if (list >> 15 & 1)
    tb_sem_emit (s, TB_OP_TARGET, NONE, T1, NONE, UINT32_MAX);
}

void
tb_sem_store_multiple (struct tb_semantics *s, unsigned base, unsigned list,
		       bool below, bool write_back)
{
  struct tb_sem_multiple m = multiple (base, list, below, write_back);
  tb_sem_multiple (s, &m);
}

void
tb_sem_other_security (struct tb_semantics *s)
{
  static const uint8_t slots[] = {
    TB_SLOT_SP, TB_SLOT_SP_OTHER, TB_SLOT_SPSEL, TB_SLOT_NPRIV,
    TB_SLOT_PRIMASK, TB_SLOT_FPCA
  };
  for (unsigned i = 0; i < sizeof slots; i++)
    tb_sem_unknown (s, slots[i]);
}

/* Is a register that REFUSED (bits 0 to 3: D, N, M, A) forbids the one of that number?  */
static bool
is_refused (unsigned refused, const struct tb_fields *f, unsigned number)
{
  return (refused & 1 && f->d == number) || (refused & 2 && f->n == number)
	 || (refused & 4 && f->m == number) || (refused & 8 && f->a == number);
}

void
tb_sem_condition (struct tb_semantics *s, unsigned cc)
{
  s->modelled = s->modelled && s->when == TB_ALWAYS;
  s->when = TB_ALWAYS;
  tb_sem_emit (s, TB_OP_CONDITION, TB_PLACE_IF, NONE, NONE, cc);
  s->when = TB_PLACE_IF;
}

void
tb_sem_begin (struct tb_semantics *s, const struct tb_row *row, uint32_t op,
	      unsigned condition, bool is_m)
{
  unsigned kind = row != NULL ? tb_row_kind (row, op) : TB_FLOW_UNDEFINED;
  s->count = 0;
  s->flags = 0;
  s->when = TB_ALWAYS;
  s->modelled = false;
  s->wide = false;
  s->is_m = is_m;
  if (kind == TB_FLOW_BRANCH || kind == TB_FLOW_INDIRECT)
    s->flags |= TB_SEM_BRANCH;
  if (condition < 14)
    tb_sem_condition (s, condition);
}

bool
tb_sem_row (struct tb_semantics *s, const struct tb_row *row,
	    const struct tb_sem_set *set, uint32_t op, uint32_t pc,
	    const struct tb_profile *profile)
{
  /* Bits below the opcode's stand for what is not there.  */
  uint64_t bits = (uint64_t) op << 4 | 15;
  uint32_t fields = (uint32_t) row->fields;
  struct tb_fields f = {
    .op = op, .arg = row->arg, .pc = pc, .here = pc + set->here,
    .d = bits >> (fields & 31) & 15, .n = bits >> (fields >> 5 & 31) & 15,
    .m = bits >> (fields >> 10 & 31) & 15,
    .a = bits >> (fields >> 15 & 31) & 15,
    .type = op >> set->type & 3, .width = op >> set->five & 31,
    .amount = set->split ? (op >> 10 & 0x1c) | (op >> 6 & 3) : op >> 7 & 31,
    .profile = profile
  };
  if ((fields >> 20 & 255) != 0
      && (is_refused (fields >> 20 & 15, &f, 15)
	  || is_refused (fields >> 24 & 15, &f, 13)))
    return false;
  s->modelled = true;
  row->emit (s, &f);
  return s->modelled;
}

void
tb_sem_undefined (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  s->modelled = false;
}

void
tb_sem_trap (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  s->flags |= TB_SEM_TRAPS;
}
