/* The registers of a written Tarmac log.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "tarmac.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NEVER UINT64_MAX
#define NOTHING UINT64_MAX	/* Of FLAGS_SHOWN.  */

/* Steps are looked at from the end in blocks, until nothing is left to be found.  */
#define BLOCK 4096

/* CPSR.M  */
#define MODE_BITS 0x1f

static bool
is_wide (const struct log_registers *r)
{
  return r->regs[0].bits == 64;
}

static bool
is_pc (const struct log_registers *r, size_t reg)
{
  return reg == (is_wide (r) ? (size_t) TB_PC64 : TB_PC);
}

static uint64_t
whole (const struct log_registers *r, size_t reg)
{
  return r->regs[reg].bits == 64 ? UINT64_MAX : UINT32_MAX;
}

/* What is certain before STEP.  */
static void
find_values (struct log_registers *r, uint64_t step, struct tb_value *values)
{
  tb_state_registers (r->state, step, values);
  for (size_t i = 0; i < r->nregs; i++)
    {
      struct tb_value *v = &values[i];
      v->mask &= v->origin == TB_UNKNOWN ? 0 : whole (r, i) & ~v->assumed;
      v->bits &= v->mask;
    }
}

/* What is looked for beside the registers: their indices are behind those.  */
enum { FLAGS = TB_NREGS_MAX, MODE, ALL };

/* Look at steps FROM to TO - 1; the last one at which each was not known goes into
   BAD (plus one; 0: not found yet).  What was found before stays.  */
static void
look_at (struct log_registers *r, uint64_t from, uint64_t to, uint64_t *bad)
{
  uint64_t found[ALL] = { 0 };
  struct tb_value values[TB_NREGS_MAX];
  for (uint64_t step = from; step < to; step++)
    {
      find_values (r, step, values);
      for (size_t i = 0; i < r->nregs; i++)
	if (values[i].mask != whole (r, i))
	  found[i] = step + 1;
      if ((values[r->psr].mask & TB_PSR_NZCV) != TB_PSR_NZCV)
	found[FLAGS] = step + 1;
      if ((values[r->psr].mask & MODE_BITS) != MODE_BITS)
	found[MODE] = step + 1;
    }
  for (size_t i = 0; i < ALL; i++)
    if (bad[i] == 0)
      bad[i] = found[i];
}

void
log_registers_look (struct log_registers *r, uint64_t from, uint64_t to,
		    bool after)
{
  uint64_t bad[ALL] = { 0 }, end = to + after;
  r->regs = tb_regs (r->profile, &r->nregs);
  r->psr = is_wide (r) ? (size_t) TB_PSTATE : TB_PSR;
  bool modes = !r->profile->is_m && !is_wide (r);
  for (uint64_t at = end, begin; at > from; at = begin)
    {
      begin = at - from > BLOCK ? at - BLOCK : from;
      look_at (r, begin, at, bad);
      bool all = bad[FLAGS] != 0 && (bad[MODE] != 0 || !modes);
      for (size_t i = 0; i < r->nregs; i++)
	all &= bad[i] != 0 || is_pc (r, i);
      if (all)
	break;
    }
  for (size_t i = 0; i < r->nregs; i++)
    r->good[i] = bad[i] >= end ? NEVER : bad[i];
  r->flags_good = bad[FLAGS] >= end || bad[FLAGS] >= r->good[r->psr] ? NEVER : bad[FLAGS];
  r->mode_good = modes ? bad[MODE] : NEVER;
  log_vectors_look (r, from, end);
  log_registers_forget (r);
}

void
log_registers_forget (struct log_registers *r)
{
  memset (r->shown, 0, sizeof r->shown);
  r->flags_shown = NOTHING;
  log_vectors_forget (r);
  log_sve_forget (r);
}

/* Which registers there are more than one of, by the mode's number (DDI 0406C,
   B1.3.1), as models name them: "svc".  NULL: it is none.  */
static const char *
bank_of (uint32_t mode, size_t reg)
{
  static const struct { uint8_t mode; char name[4]; } banks[] = {
    { 0x10, "usr" }, { 0x11, "fiq" }, { 0x12, "irq" }, { 0x13, "svc" },
    { 0x16, "mon" }, { 0x17, "abt" }, { 0x1a, "hyp" }, { 0x1b, "und" },
    { 0x1f, "usr" }
  };
  /* Hyp mode has the link register of user mode.  */
  if (mode == 0x1a && reg == TB_LR)
    mode = 0x10;
  if (reg < TB_R8 || reg > TB_LR || (reg <= TB_R12 && mode != 0x11))
    return NULL;
  for (size_t i = 0; i < sizeof banks / sizeof banks[0]; i++)
    if (banks[i].mode == mode)
      return banks[i].name;
  return NULL;
}

/* The names that others have for registers.  */
static const char *
name_of (const struct log_registers *r, size_t reg, char *room, size_t size)
{
  const char *name = r->regs[reg].name;
  bool wide = is_wide (r);
  /* Of one that has a line under another name, readers would keep what is in that.  */
  const char *bank = r->mode_good <= r->good[reg] ? bank_of (r->mode, reg) : NULL;
  snprintf (room, size, "%s", name);
  if (wide && *room == 'x')
    *room = 'X';
  else if (!wide && (reg == TB_SP || reg == TB_LR || bank != NULL))
    snprintf (room, size, "r%zu%s%s", reg, bank != NULL ? "_" : "",
	      bank != NULL ? bank : "");
  /* The test benches of the M profile call it so, and other readers know only
     that.  */
  else if (!wide && r->profile->is_m && reg == TB_PSR)
    snprintf (room, size, "psr");
  else if (!wide && reg >= TB_MSP)
    for (char *c = room; *c != 0; c++)
      *c = (char) (*c - 'a' + 'A');
  return room;
}

/* May others be told of register REG at STEP?  */
static bool
is_good (const struct log_registers *r, size_t reg, uint64_t step)
{
  /* Some readers take MSP for r13: that one must have the last word.  */
  if (!is_wide (r) && r->profile->is_m && reg == TB_MSP
      && step < r->good[TB_SP])
    return false;
  return step >= r->good[reg];
}

/* Register REG is NOW.  */
static void
put_register (struct log_registers *r, size_t reg, uint64_t step,
	      const struct tb_value *now, struct log_text *text)
{
  char room[16];
  const char *name = name_of (r, reg, room, sizeof room);
  int digits = r->regs[reg].bits / 4;
  log_begin (text);
  if (is_good (r, reg, step))
    tb_buffer_printf (&text->buffer, "R %s %0*" PRIx64 "\n", name, digits,
		      now->bits);
  else if (now->mask == 0)
    tb_buffer_printf (&text->buffer, "TB %s ?\n", name);
  else
    tb_buffer_printf (&text->buffer, "TB %s %0*" PRIx64 " %0*" PRIx64 "\n", name,
		      digits, now->bits, digits, now->mask);
}

/* N, Z, C and V alone.  */
static void
put_flags (struct log_registers *r, uint64_t step, const struct tb_value *psr,
	   struct log_text *text)
{
  uint64_t flags = psr->bits & TB_PSR_NZCV;
  if (step < r->flags_good || flags == r->flags_shown)
    return;
  log_begin (text);
  tb_buffer_printf (&text->buffer, "R nzcv %08" PRIx64 "\n", flags);
  r->flags_shown = flags;
}

void
log_registers_put (struct log_registers *r, uint64_t step,
		   struct log_text *text)
{
  struct tb_value values[TB_NREGS_MAX];
  bool m = !is_wide (r) && r->profile->is_m;
  find_values (r, step, values);
  uint32_t mode = values[r->psr].bits & MODE_BITS;
  /* Other names: said anew, even that nothing is known.  */
  if (step >= r->mode_good && mode != r->mode)
    for (size_t i = TB_R8; i <= TB_LR; i++)
      if (bank_of (mode, i) != bank_of (r->mode, i))
	r->shown[i] = (struct tb_value) { .bits = UINT64_MAX, .mask = 0 };
  r->mode = mode;
  put_flags (r, step, &values[r->psr], text);
  for (size_t i = 0; i < r->nregs; i++)
    {
      struct tb_value *now = &values[i], *was = &r->shown[i];
      if (is_pc (r, i))
	continue;
      bool all = now->mask == whole (r, i);
      r->known += all;
      r->told += all && is_good (r, i, step);
      if (now->mask == was->mask && now->bits == was->bits)
	continue;
      put_register (r, i, step, now, text);
      *was = *now;
      if (m && i == TB_MSP && is_good (r, i, step))
	put_register (r, TB_SP, step, &values[TB_SP], text);
    }
  log_vectors_put (r, step, text);
  log_sve_put (r, step, text);
}
