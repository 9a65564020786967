/* Target descriptions: what registers and types are by their names.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: GDB manual, "Standard Target Features", "Predefined Target Types"; GDB
   compares names of registers without regard to case.  */

#include "arm/machine/tdesc-internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

bool
tdesc_is_base (const struct tb_profile *profile, unsigned reg)
{
  return tdesc_is_a64 (profile) ? reg < TB_NREGS64 : reg <= TB_PSR;
}

/* Is NAME the letter LETTER and a number below END?  */
static bool
is_numbered (const char *name, char letter, unsigned end, unsigned *number)
{
  if (tolower ((unsigned char) name[0]) != letter || !isdigit ((unsigned char) name[1])
      || (name[1] == '0' && name[2] != '\0'))
    return false;
  *number = (unsigned) (name[1] - '0');
  if (isdigit ((unsigned char) name[2]))
    {
      *number = 10 * *number + (unsigned) (name[2] - '0');
      name++;
    }
  return name[2] == '\0' && *number < end;
}

/* DDI 0406, B1.3.1: modes whose registers have names of their own.  */
static const struct
{
  char name[4];
  uint8_t mode, first;		/* FIRST: the first register that it banks.  */
} modes[] = {
  { "usr", 0x10, 8 }, { "fiq", 0x11, 8 }, { "irq", 0x12, 13 }, { "svc", 0x13, 13 },
  { "mon", 0x16, 13 }, { "abt", 0x17, 13 }, { "hyp", 0x1a, 13 }, { "und", 0x1b, 13 }
};

/* Is NAME that of a mode's register, "r8_fiq", "sp_svc"?  Say which one in REG.  */
static bool
find_banked (const struct tb_profile *profile, const char *name,
	     struct tb_tdesc_reg *reg)
{
  char core[4] = "";
  const char *line = strchr (name, '_');
  size_t length = line != NULL ? (size_t) (line - name) : 0;
  if (profile->is_m || profile->has_a64 || length == 0 || length >= sizeof core)
    return false;
  memcpy (core, name, length);
  int number = tb_reg_number (profile, core);
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
    if (strcasecmp (line + 1, modes[i].name) == 0 && number >= modes[i].first
	&& number <= TB_LR)
      {
	reg->reg = (uint8_t) number;
	reg->part = modes[i].mode;
	return true;
      }
  return false;
}

bool
tb_tdesc_in_use (const struct tb_tdesc_reg *reg, const struct tb_value *psr)
{
  enum { MODE = 0x1f, USR = 0x10, FIQ = 0x11, HYP = 0x1a, SYS = 0x1f };
  unsigned mode = (unsigned) psr->bits & MODE;
  if (psr->origin == TB_UNKNOWN || (psr->mask & MODE) != MODE)
    return false;
  /* System mode has those of User mode, Hyp mode its LR, and all but FIQ mode its R8
     to R12.  */
  return mode == reg->part
	 || (reg->part == USR
	     && (mode == SYS || (reg->reg < TB_SP && mode != FIQ)
		 || (reg->reg == TB_LR && mode == HYP)));
}

/* Is NAME an FP or vector register?  Say which one in REG, and how long it is.  */
static uint32_t
find_vector (const struct tb_profile *profile, const char *name,
	     struct tb_tdesc_reg *reg)
{
  unsigned n = 0;
  bool a64 = tdesc_is_a64 (profile);
  reg->part = 0;
  if (strcasecmp (name, a64 ? "fpcr" : "fpscr") == 0)
    {
      reg->reg = TB_FPSCR;
      return 4;
    }
  if (a64 && strcasecmp (name, "fpsr") == 0)
    {
      reg->reg = TB_FPSR;
      return 4;
    }
  if (a64 && (is_numbered (name, 'v', 32, &n) || is_numbered (name, 'q', 32, &n)))
    {
      reg->reg = (uint8_t) n;
      return 16;
    }
  if (is_numbered (name, 'd', 32, &n))
    {
      reg->reg = (uint8_t) n;
      return 8;
    }
  if (is_numbered (name, 's', 32, &n))
    {
      /* DDI 0406, A2.6: of AArch32 two are a D register.  */
      reg->reg = (uint8_t) (a64 ? n : n / 2);
      reg->part = a64 || n % 2 == 0 ? 0 : 4;
      return 4;
    }
  if (!a64 && is_numbered (name, 'q', 16, &n))
    {
      reg->reg = (uint8_t) (2 * n);
      return 16;
    }
  return 0;
}

/* Is NAME an SVE register?  Say which one in REG.  */
static bool
find_sve (const char *name, struct tb_tdesc_reg *reg)
{
  unsigned n;
  reg->part = 0;
  if (is_numbered (name, 'z', TB_SVE_P, &n))
    reg->reg = (uint8_t) n;
  else if (is_numbered (name, 'p', TB_SVE_FFR - TB_SVE_P, &n))
    reg->reg = (uint8_t) (TB_SVE_P + n);
  else if (strcasecmp (name, "ffr") == 0)
    reg->reg = TB_SVE_FFR;
  else if (strcasecmp (name, "vg") == 0)
    reg->reg = TB_NSVE;
  else
    return false;
  return true;
}

void
tdesc_mean (const struct tb_profile *profile, struct tb_tdesc_reg *reg,
	    uint32_t *expected)
{
  size_t nregs;
  const struct tb_reg_info *info = tb_regs (profile, &nregs);
  int number = tb_reg_number (profile, reg->name);
  reg->kind = TB_TDESC_NOT_FOLLOWED;
  reg->part = 0;
  *expected = 0;
  if (number >= 0)
    {
      reg->reg = (uint8_t) number;
      *expected = info[number].bits / 8u;
      /* CONTROL and the masks have few bits; OpenOCD describes a byte.  */
      bool narrow = profile->is_m && number >= TB_CONTROL;
      if (reg->size == *expected || tdesc_is_base (profile, reg->reg)
	  || (narrow && reg->size < *expected))
	reg->kind = TB_TDESC_CORE;
      return;
    }
  if (find_banked (profile, reg->name, reg))
    {
      *expected = 4;
      if (reg->size == 4)
	reg->kind = TB_TDESC_BANKED;
      return;
    }
  /* These have any length.  */
  if (tdesc_is_a64 (profile) && find_sve (reg->name, reg))
    {
      reg->kind = TB_TDESC_SVE;
      return;
    }
  *expected = find_vector (profile, reg->name, reg);
  if (*expected != 0 && reg->size == *expected)
    reg->kind = TB_TDESC_VECTOR;
}

/* Types that GDB has of its own.  */
static const struct
{
  const char *id;
  uint8_t size;			/* 0: that of an address.  */
} own_types[] = {
  { "bool", 1 }, { "int8", 1 }, { "int16", 2 }, { "int32", 4 }, { "int64", 8 },
  { "int128", 16 }, { "uint8", 1 }, { "uint16", 2 }, { "uint32", 4 },
  { "uint64", 8 }, { "uint128", 16 }, { "code_ptr", 0 }, { "data_ptr", 0 },
  { "ieee_half", 2 }, { "ieee_single", 4 }, { "ieee_double", 8 },
  { "arm_fpa_ext", 12 }, { "i387_ext", 10 }, { "bfloat16", 2 }
};

uint32_t
tdesc_type_size (const struct tdesc_type *types, const char *id,
		 const struct tb_profile *profile)
{
  for (; types != NULL; types = types->next)
    if (strcmp (types->id, id) == 0)
      return types->size;
  for (size_t i = 0; i < sizeof own_types / sizeof own_types[0]; i++)
    if (strcmp (own_types[i].id, id) == 0)
      return own_types[i].size != 0 ? own_types[i].size
	     : tdesc_is_a64 (profile) ? 8 : 4;
  return 0;
}

uint32_t
tdesc_reg_size (const struct tdesc_type *types, const char *id, unsigned bits,
		const struct tb_profile *profile)
{
  bool a64 = tdesc_is_a64 (profile);
  uint32_t size = tdesc_type_size (types, id, profile);
  if (size != 0)
    return size;
  /* GDB, target-descriptions.c (tdesc_register_type): those of a length that C has
     no type for are a long, or a double.  */
  if (strcmp (id, "int") == 0)
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8
	   : a64 ? 8 : 4;
  if (strcmp (id, "float") == 0)
    return bits == 32 || bits == 64 || (bits == 128 && a64) ? bits / 8 : 8;
  return 0;
}
