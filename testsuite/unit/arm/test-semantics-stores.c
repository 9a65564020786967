/* No store is missed: random opcodes, of which the disassembler says that they store,
   are described with stores, as changing memory nobody knows where, or not at all.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "arm/ir/semantics-a64.h"
#include "check.h"

#if HAVE_LIBCAPSTONE

#include <capstone/capstone.h>

#define OPCODES 150000
#define PC 0x1000

/* How names of instructions that store begin; a - before one: these do not.  */
static const char *const a64_names[] = {
  "-str_", "-stg", "-st2g", "-stgm", "st", "cas", "swp", "ldadd", "ldclr",
  "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "cpy", "setp",
  "setm", "sete", "setg", NULL
};
static const char *const a32_names[] = {
  "st", "push", "srs", "vst", "vpush", "fst", "swp", "vlstm", NULL
};

static bool
does_store (const char *name, const char *const *names)
{
  for (; *names != NULL; names++)
    {
      bool none = **names == '-';
      if (strncmp (name, *names + none, strlen (*names) - none) == 0)
	return !none;
    }
  return false;
}

/* Is all that A64 OPCODE stores described?  */
static bool
told_a64 (uint32_t opcode)
{
  struct tb_semantics s;
  tb_semantics_a64 (&s, opcode, PC, 64);
  bool told = !s.modelled;
  for (unsigned k = 0; k < s.count; k++)
    {
      unsigned op = s.uops[k].op;
      told |= op == TB_OP_STORE || (op == TB_OP_FORGET && s.uops[k].imm != 0);
    }
  return told;
}

static bool
told_32 (uint32_t opcode, unsigned size, bool thumb,
	 const struct tb_profile *profile)
{
  struct tb_semantics s;
  if (thumb)
    tb_semantics_t32 (&s, opcode, size, PC, profile);
  else
    tb_semantics_a32 (&s, opcode, PC, profile);
  bool told = !s.modelled;
  for (unsigned k = 0; k < s.count; k++)
    {
      unsigned op = s.uops[k].op;
      told |= op == TB_OP_STORE || (op == TB_OP_FORGET && s.uops[k].imm != 0);
    }
  return told;
}

static uint64_t
next_random (uint64_t *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

/* A random opcode, more often one of loads and stores.  THUMB: the first halfword is
   the upper one, *SIZE its size.  */
static uint32_t
make (uint64_t *seed, cs_arch arch, bool thumb, unsigned *size)
{
  uint32_t r = (uint32_t) next_random (seed);
  unsigned choice = *seed >> 40 & 7;
  *size = 4;
  if (arch == CS_ARCH_ARM64)
    return choice < 5 ? (r & ~0x0a000000u) | 0x08000000 : r;
  if (!thumb)
    return (r & 0x0fffffff) | (choice == 0 ? 0xf0000000 : 0xe0000000);
  if (choice == 0)
    {
      *size = 2;
      return r % 0xe000;
    }
  r |= 0xe8000000;
  return choice < 5 ? r & 0xefffffff : r;
}

/* STC2 of coprocessors 8 to 13: Advanced SIMD of ARMv8.2 and later (DDI 0487, F3.1.11
   "Additional Advanced SIMD and floating-point instructions").  */
static bool
is_simd (uint32_t opcode)
{
  unsigned number = opcode >> 8 & 15;
  return opcode >> 25 == 0x7e && number >= 8 && number < 14;
}

static void
check_set (cs_arch arch, int mode, const char *core, const char *const *names,
	   uint64_t seed)
{
  csh engine;
  struct tb_profile profile;
  unsigned stores = 0, named = 0;
  bool thumb = mode & CS_MODE_THUMB;
  CHECK (tb_profile_find (&profile, core));
  if (!CHECK (cs_open (arch, (cs_mode) mode, &engine) == CS_ERR_OK))
    return;
  for (unsigned i = 0; i < OPCODES; i++)
    {
      unsigned size;
      uint32_t opcode = make (&seed, arch, thumb, &size);
      uint32_t order = thumb && size == 4 ? opcode << 16 | opcode >> 16
		       : opcode;
      uint8_t bytes[4];
      cs_insn *insn;
      for (unsigned k = 0; k < 4; k++)
	bytes[k] = (uint8_t) (order >> 8 * k);
      if (cs_disasm (engine, bytes, size, PC, 1, &insn) != 1)
	continue;
      named++;
      if (does_store (insn->mnemonic, names)
	  && !(arch == CS_ARCH_ARM && is_simd (opcode)))
	{
	  stores++;
	  if (!CHECK (arch == CS_ARCH_ARM64 ? told_a64 (opcode)
		      : told_32 (opcode, size, thumb, &profile)))
	    fprintf (stderr, "%s: %#x: %s %s\n", core, opcode, insn->mnemonic,
		     insn->op_str);
	}
      cs_free (insn, 1);
    }
  cs_close (&engine);
  printf ("%s: %u opcodes, %u are some, %u store\n", core, OPCODES, named, stores);
  CHECK (stores > 1000);
}

int
main (void)
{
  check_set (CS_ARCH_ARM64, CS_MODE_ARM, "Cortex-A57", a64_names, 1);
  check_set (CS_ARCH_ARM, CS_MODE_ARM, "Cortex-A15", a32_names, 2);
  check_set (CS_ARCH_ARM, CS_MODE_THUMB, "Cortex-A15", a32_names, 3);
  check_set (CS_ARCH_ARM, CS_MODE_ARM | CS_MODE_V8, "Cortex-A32", a32_names,
	     4);
  check_set (CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_MCLASS, "Cortex-M4",
	     a32_names, 5);
  check_set (CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_MCLASS | CS_MODE_V8,
	     "Cortex-M55", a32_names, 6);
  return check_done ();
}

#else

int
main (void)
{
  puts ("no capstone: skipped");
  return 77;
}

#endif
