/* The registers of one core's lines of a Tarmac log.  See tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

uint64_t
tb_tarmac_core_step (const struct tb_tarmac_core *c, const struct tb_tarmac_line *line)
{
  uint64_t steps = c->facts->steps;
  if (line->has_tag)
    for (uint64_t i = 1; i <= TB_TARMAC_TAGS && i <= steps; i++)
      if (c->tags[(steps - i) % TB_TARMAC_TAGS] == line->tag)
	return steps - i;
  return steps - 1;
}

/* The TB_TOLD_... that the register NAME is, with the number of a general one into
   *NUMBER.  */
static uint16_t
told_of (const char *name, unsigned *number)
{
  static const struct { const char *name; uint16_t told; } rows[] = {
    { "psr", TB_TOLD_PSR }, { "lr", TB_TOLD_LR }, { "sp", TB_TOLD_SP },
    { "msp", TB_TOLD_MSP }, { "psp", TB_TOLD_PSP },
    { "control", TB_TOLD_CONTROL }, { "basepri", TB_TOLD_BASEPRI },
    { "faultmask", TB_TOLD_FAULTMASK }
  };
  *number = 16;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp (name, rows[i].name) == 0)
      {
	*number = i == 1 ? 14 : 16;
	return rows[i].told;
      }
  if (name[0] != 'r' || name[1] < '0' || name[1] > '9'
      || (name[2] != 0 && (name[1] != '1' || name[2] < '0' || name[2] > '2'
			   || name[3] != 0)))
    return 0;
  *number = (unsigned) (name[1] - '0');
  if (name[2] != 0)
    *number = 10 + (unsigned) (name[2] - '0');
  return *number == 12 ? TB_TOLD_R12
	 : *number < 4 ? (uint16_t) (TB_TOLD_R0 << *number) : 0;
}

const struct tb_tarmac_known *
tb_tarmac_core_name (struct tb_tarmac_core *c, struct tb_tarmac_word text)
{
  uint32_t h = text.length;
  for (uint32_t i = 0; i < text.length && i < 24; i++)
    h = h * 31 + (unsigned char) text.text[i];
  struct tb_tarmac_known *k = &c->names[(h ^ h >> 8) % TB_TARMAC_NAMES];
  if (k->length == text.length && memcmp (k->text, text.text, k->length) == 0
      && (k->role != TB_ROLE_BANKED || k->mode == c->mode))
    return k;
  struct tb_tarmac_name name;
  if (!tb_tarmac_name (&name, text.text, text.length))
    return NULL;
  char bank[40];
  const char *what = name.name;
  if (tb_tarmac_is_vector (name.name))
    name.role = TB_ROLE_VECTOR;
  else if (tb_tarmac_is_predicate (name.name))
    tb_tarmac_core_vectors_told (c);
  if (c->own && name.role != TB_ROLE_PSR && name.role != TB_ROLE_PC
      && name.role != TB_ROLE_VECTOR)
    {
      name.role = TB_ROLE_PLAIN;
      /* "r13_svc" is the one of the moment.  */
      char *end = strchr (name.name, '_');
      if (end != NULL)
	*end = 0;
    }
  if (name.role == TB_ROLE_BANKED)
    {
      tb_facts_bank (bank, name.name, c->facts->modes[c->mode]);
      what = bank;
      if (strcmp (bank, "x30") == 0 || strncmp (bank, "sp_el", 5) == 0)
	name.lanes = 2;
    }
  size_t reg = name.role == TB_ROLE_PC || name.role == TB_ROLE_VECTOR ? 0
	       : tb_facts_build_register (c->builder, what, strlen (what),
					  name.lanes);
  if (reg == SIZE_MAX)
    return NULL;
  if (text.length > sizeof k->text)
    k = &c->names[TB_TARMAC_NAMES - 1];	/* Not found again; its length never fits.  */
  unsigned number;
  uint16_t told = told_of (name.name, &number);
  if (number < 16)
    c->general[number] = reg;
  *k = (struct tb_tarmac_known) {
    .length = text.length <= sizeof k->text ? (uint8_t) text.length : 0,
    .role = name.role, .told = told, .number = (uint8_t) number, .mode = c->mode,
    .lanes = name.lanes,
    .psr_mask = name.psr_mask, .reg = reg
  };
  memcpy (k->text, text.text, k->length);
  return k;
}

size_t
tb_tarmac_core_number (const struct tb_tarmac_core *c, const char *name)
{
  const struct tb_facts_register *reg = tb_facts_find (c->facts, name);
  return reg != NULL ? (size_t) (reg - c->facts->registers) : SIZE_MAX;
}

uint32_t
tb_tarmac_core_lane (const struct tb_tarmac_line *line, unsigned lane)
{
  if (lane < 2)
    return (uint32_t) (line->value >> 32 * lane);
  uint32_t value = 0;
  for (unsigned i = 4; i > 0; i--)
    {
      unsigned byte = 4 * lane + i - 1;
      value = value << 8 | (line->bytes > 8 && byte < line->bytes
			    ? line->wide[byte] : 0);
    }
  return value;
}

/* The digits that the register NAME, which is written as SPELT, has; UINT_MAX: that is not
   known.  */
static unsigned
digits_of (const struct tb_tarmac_core *c, const struct tb_tarmac_name *name,
	   char spelt)
{
  /* These are of the M profile, or of AArch32.  */
  static const char *const words[] = {
    "primask", "basepri", "basepri_max", "faultmask", "fpscr", "fpexc"
  };
  const char *n = name->name;
  bool a64 = c->own || c->facts->has_a64;
  if (tb_tarmac_is_vector (n))
    return *n == 'v' || *n == 'z' ? UINT_MAX : *n == 'q' ? 32 : *n == 'd' ? 16 : 8;
  if (name->lanes == 2)
    return spelt == 'w' || spelt == 'W' ? 8 : 16;
  /* Models show more of PSTATE as CPSR.  */
  if (name->role == TB_ROLE_PSR)
    return spelt == 'c' || spelt == 'C' ? 16 : 8;
  if (name->role != TB_ROLE_PLAIN && name->role != TB_ROLE_BANKED
      && name->role != TB_ROLE_PC)
    return 8;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp (n, words[i]) == 0)
      return 8;
  if (n[0] == 'r' && n[1] >= '0' && n[1] <= '9')
    return a64 ? 16 : 8;
  /* Before the first instruction these may be of A64.  */
  bool bank = strncmp (n, "sp", 2) == 0 || strncmp (n, "lr", 2) == 0;
  if (bank && (n[2] == 0 || n[2] == '_'))
    return a64 || (c->facts->steps == 0 && !c->facts->is_m) ? 16 : 8;
  return UINT_MAX;
}

bool
tb_tarmac_core_fits (const struct tb_tarmac_core *c, const struct tb_tarmac_line *line)
{
  struct tb_tarmac_name name;
  const char *text = line->name.text;
  /* Most are short, or X registers.  */
  if (line->bytes <= 4
      || (line->bytes <= 8 && (text[0] == 'X' || text[0] == 'x')
	  && line->name.length > 1 && text[1] >= '0' && text[1] <= '9'))
    return true;
  return !tb_tarmac_name (&name, text, line->name.length)
	 || tb_tarmac_fits (line, digits_of (c, &name, *text));
}

/* Some bits of the PSR.  */
static void
add_psr (struct tb_tarmac_core *c, const struct tb_tarmac_known *k, uint64_t at,
	 const struct tb_tarmac_line *line)
{
  uint32_t mask, value = (uint32_t) line->value;
  /* Flags alone may be a digit.  */
  if (k->psr_mask == TB_PSR_NZCV && line->bytes == 1)
    value <<= 28;
  uint32_t last = tb_facts_build_last (c->builder, k->reg, 0, &mask);
  value = (value & k->psr_mask) | (last & mask & ~k->psr_mask);
  mask |= k->psr_mask;
  if (line->unknown)
    {
      bool written;
      uint32_t told = tb_tarmac_known (line, 0, &written);
      mask &= ~k->psr_mask | (line->bytes > 1 ? told : 0);
    }
  tb_facts_build_value (c->builder, k->reg, 0, at, value, mask);
  if ((mask & TB_PSR_IPSR) == TB_PSR_IPSR)
    tb_sp_psr (&c->sp, value);
}

void
tb_tarmac_core_register (struct tb_tarmac_core *c, const struct tb_tarmac_line *line)
{
  const struct tb_tarmac_known *k = tb_tarmac_core_name (c, line->name);
  uint64_t at = tb_tarmac_core_step (c, line) + 1;
  c->facts->totals.registers++;
  if (k == NULL || k->role == TB_ROLE_PC)
    return;
  if (k->role == TB_ROLE_VECTOR)
    {
      struct tb_tarmac_name name;
      tb_tarmac_name (&name, line->name.text, line->name.length);
      tb_tarmac_core_vector (c, name.name, line, at);
      return;
    }
  size_t reg = k->reg;
  if (at == c->facts->steps)
    {
      c->between.told |= k->told;
      c->between.lines |= (uint16_t) (1u << k->number);
    }
  switch (k->role)
    {
    case TB_ROLE_PSR:
      /* No other profile calls it so.  */
      if (line->name.length == 4 && strncasecmp (line->name.text, "xpsr", 4) == 0)
	c->facts->is_m = true;
      add_psr (c, k, at, line);
      return;
    case TB_ROLE_MSP:
    case TB_ROLE_PSP:
      c->facts->is_m = true;
      tb_sp_write (&c->sp, k->role == TB_ROLE_PSP);
      break;
    case TB_ROLE_CONTROL:
      c->facts->is_m = true;
      if (!line->unknown)
	tb_sp_control (&c->sp, (uint32_t) line->value);
      break;
    case TB_ROLE_VTOR:
      tb_tarmac_core_vtor (c, !line->unknown && at == c->facts->steps,
			   (uint32_t) line->value);
      break;
    case TB_ROLE_BANKED:
      if (c->facts->is_m
	  && strcmp (c->facts->registers[reg].name, "sp") == 0)
	tb_sp_plain (&c->sp);
      if (c->after_event && !line->unknown
	  && strcmp (c->facts->registers[reg].name, "lr") == 0)
	tb_sp_lr (&c->sp, (uint32_t) line->value);
      break;
    default:
      break;
    }
  unsigned first = line->first_bit / 32;
  unsigned lanes = (line->bytes + 3u) / 4 + first;
  if (lanes < k->lanes)
    lanes = k->lanes;
  if (lanes > c->facts->registers[reg].nlanes)
    {
      const char *name = c->facts->registers[reg].name;
      if (tb_facts_build_register (c->builder, name, strlen (name), lanes)
	  == SIZE_MAX)
	return;
    }
  if (first == 0)
    lanes = c->facts->registers[reg].nlanes;
  for (unsigned i = first; i < lanes; i++)
    {
      uint32_t mask = UINT32_MAX;
      bool written = true;
      /* Bits beyond the digits are 0.  */
      if (line->unknown && 4 * (i - first) < line->bytes)
	mask = tb_tarmac_known (line, i - first, &written);
      if (written)
	tb_facts_build_value (c->builder, reg, i, at, tb_tarmac_core_lane (line, i - first),
			      mask);
    }
}
