/* Target descriptions: what is in one, and where.  See tdesc.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "arm/machine/tdesc-internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/search.h"

void
tb_tdesc_free (struct tb_tdesc *tdesc)
{
  /* The description itself is in it.  */
  if (tdesc != NULL)
    objalloc_free (tdesc->pool);
}

const struct tb_tdesc_reg *
tb_tdesc_find (const struct tb_tdesc *tdesc, uint64_t number)
{
  unsigned low;
  TB_LOWER_BOUND (low, tdesc->nregs, tdesc->regs[low].gdb < number);
  return low < tdesc->nregs && tdesc->regs[low].gdb == number
	 ? &tdesc->regs[low] : NULL;
}

const struct tb_tdesc_slot *
tb_tdesc_slot (const struct tb_tdesc *tdesc, unsigned reg)
{
  return reg < TB_NREGS_MAX && tdesc->slot_of[reg] >= 0
	 ? &tdesc->slots[tdesc->slot_of[reg]] : NULL;
}

long
tb_tdesc_translate (const struct tb_tdesc *from, const struct tb_tdesc *to,
		    unsigned number)
{
  if (number >= TB_TDESC_NUMBERS)
    return number < TB_TDESC_BARE (TB_NREGS_MAX) || number == TB_TDESC_NOTHING
	   ? (long) number : -1;
  const struct tb_tdesc_reg *reg = tb_tdesc_find (from, number);
  if (reg == NULL)
    return -1;
  /* In expressions core registers alone are.  */
  if (reg->kind != TB_TDESC_CORE)
    return TB_TDESC_NOTHING;
  for (unsigned i = 0; i < to->nregs; i++)
    {
      const struct tb_tdesc_reg *other = &to->regs[i];
      if (other->kind == TB_TDESC_CORE && other->reg == reg->reg)
	return other->gdb;
    }
  return TB_TDESC_BARE (reg->reg);
}

/* Must GDB find REG in each block that has what it knows of a core with MSP and PSP
   (STACKS) or without?  */
static bool
is_of_block (const struct tb_profile *profile, const struct tb_tdesc_reg *reg,
	     bool stacks)
{
  switch (reg->kind)
    {
    case TB_TDESC_CORE:
      return tdesc_is_base (profile, reg->reg)
	     || (profile->is_m && (reg->reg == TB_MSP || reg->reg == TB_PSP));
    case TB_TDESC_VECTOR:
      return stacks;
    default:
      /* Those of the FPA, which GDB puts before the status register.  */
      return !tdesc_is_a64 (profile)
	     && (strcmp (reg->name, "fps") == 0
		 || (reg->name[0] == 'f' && reg->name[1] >= '0'
		     && reg->name[1] <= '7' && reg->name[2] == '\0'));
    }
}

/* Are all registers there that a core of PROFILE has?  False after a diagnostic.  */
static bool
has_all (const struct tb_profile *profile, const struct tb_tdesc_reg *regs,
	 unsigned count, const char *path, struct tb_diag *diag)
{
  size_t nregs;
  const struct tb_reg_info *info = tb_regs (profile, &nregs);
  for (size_t k = 0; k < nregs; k++)
    {
      bool found = !tdesc_is_base (profile, (unsigned) k);
      for (unsigned i = 0; i < count && !found; i++)
	found = regs[i].kind == TB_TDESC_CORE && regs[i].reg == k;
      if (found)
	continue;
      tb_error (diag, "%s: expected all core registers of %s, found no %s of %u bits",
		path, profile->name, info[k].name, info[k].bits);
      return false;
    }
  return true;
}

/* Lay out the COUNT ITEMS as REGS; false after a diagnostic.  */
static bool
lay_out (struct tb_tdesc_reg *regs, const struct tdesc_item *items, unsigned count,
	 const struct tb_profile *profile, struct tb_diag *diag)
{
  uint32_t offset = 0, expected;
  for (unsigned i = 0; i < count; i++)
    {
      regs[i] = items[i].reg;
      regs[i].offset = offset;
      regs[i].slot = -1;
      offset += regs[i].size;
      if (i > 0 && regs[i].gdb == regs[i - 1].gdb)
	{
	  tb_error (diag, "%s:%u: register %s: expected a number that no other one "
		    "has, found %u, which %s in line %u has", items[i].path,
		    items[i].line, regs[i].name, regs[i].gdb, regs[i - 1].name,
		    items[i - 1].line);
	  return false;
	}
      tdesc_mean (profile, &regs[i], &expected);
      if (regs[i].kind == TB_TDESC_CORE && expected != regs[i].size
	  && tdesc_is_base (profile, regs[i].reg))
	{
	  tb_error (diag, "%s:%u: register %s: expected %u bits, as %s has, found %u",
		    items[i].path, items[i].line, regs[i].name, 8 * expected,
		    profile->name, 8 * regs[i].size);
	  return false;
	}
      if (offset > TB_TDESC_SIZE_MAX)
	{
	  tb_error (diag, "%s:%u: expected registers of at most %d bytes in all",
		    items[i].path, items[i].line, TB_TDESC_SIZE_MAX);
	  return false;
	}
    }
  return true;
}

/* Find the end of T's block, and whether GDB knows of two stacks.  */
static void
end_block (struct tb_tdesc *t, const struct tdesc_item *items)
{
  bool stacks = false, msp = false, psp = false;
  for (unsigned i = 0; i < t->nregs && t->profile.is_m; i++)
    if (t->regs[i].kind == TB_TDESC_CORE)
      {
	stacks |= t->regs[i].reg == TB_MSP || t->regs[i].reg == TB_PSP;
	msp |= t->regs[i].reg == TB_MSP && items[i].is_system;
	psp |= t->regs[i].reg == TB_PSP && items[i].is_system;
      }
  t->stacks = msp && psp;
  for (unsigned i = 0; i < t->nregs; i++)
    if (is_of_block (&t->profile, &t->regs[i], stacks))
      {
	t->nblock = i + 1;
	t->size = t->regs[i].offset + t->regs[i].size;
      }
}

/* Fill in the slots of T, for which there is room at SLOTS.  */
static void
fill_slots (struct tb_tdesc *t, struct tb_tdesc_reg *regs,
	    struct tb_tdesc_slot *slots)
{
  memset (t->slot_of, -1, sizeof t->slot_of);
  for (unsigned i = 0; i < t->nblock; i++)
    {
      uint8_t bit = i < 63 ? (uint8_t) i : 63;
      /* A register has one slot for each of its names.  */
      if (regs[i].kind != TB_TDESC_CORE)
	{
	  t->others |= UINT64_C (1) << bit;
	  continue;
	}
      regs[i].slot = (int16_t) t->count;
      slots[t->count] = (struct tb_tdesc_slot) {
	.reg = regs[i].reg, .size = (uint8_t) regs[i].size, .bit = bit,
	.gdb = (uint16_t) regs[i].gdb, .offset = regs[i].offset
      };
      if (t->slot_of[regs[i].reg] < 0)
	t->slot_of[regs[i].reg] = (int8_t) t->count;
      t->count++;
    }
  bool a64 = tdesc_is_a64 (&t->profile);
  t->pc = (unsigned) t->slot_of[a64 ? (int) TB_PC64 : (int) TB_PC];
  t->sp = (unsigned) t->slot_of[a64 ? (int) TB_SP64 : (int) TB_SP];
  t->psr = (unsigned) t->slot_of[a64 ? (int) TB_PSTATE : (int) TB_PSR];
}

/* Are there as few core registers as slots can be numbered?  */
static bool
has_few (const struct tb_tdesc_reg *regs, unsigned count, const char *path,
	 struct tb_diag *diag)
{
  unsigned cores = 0;
  for (unsigned i = 0; i < count; i++)
    cores += regs[i].kind == TB_TDESC_CORE;
  if (cores > INT8_MAX)
    tb_error (diag, "%s: expected at most %d core registers, found %u", path, INT8_MAX,
	      cores);
  return cores <= INT8_MAX;
}

struct tb_tdesc *
tdesc_bind (struct objalloc *pool, struct tdesc_item *items, unsigned count,
	    const char *text, size_t length, const char *path,
	    const struct tb_profile *profile, struct tb_diag *diag)
{
  struct tb_tdesc *t = tb_pool_alloc (pool, sizeof *t);
  struct tb_tdesc_reg *regs
    = tb_pool_alloc (pool, (count + 1) * sizeof *regs);
  struct tb_tdesc_slot *slots
    = tb_pool_alloc (pool, (count + 1) * sizeof *slots);
  char *copy = tb_pool_alloc (pool, length + 1);
  if (t == NULL || regs == NULL || slots == NULL || copy == NULL)
    tb_error (diag, "%s: no memory for this description", path);
  else if (lay_out (regs, items, count, profile, diag)
	   && has_all (profile, regs, count, path, diag)
	   && has_few (regs, count, path, diag))
    {
      memcpy (copy, text, length);
      copy[length] = '\0';
      *t = (struct tb_tdesc) {
	.profile = *profile, .regs = regs, .nregs = count, .slots = slots,
	.text = copy, .length = length, .pool = pool
      };
      end_block (t, items);
      fill_slots (t, regs, slots);
      return t;
    }
  objalloc_free (pool);
  return NULL;
}
