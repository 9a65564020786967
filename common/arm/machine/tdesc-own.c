/* Target descriptions: the program's own.  See tdesc.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "arm/machine/tdesc-internal.h"

#include <stdio.h>

/* GDB's arm architectures keep numbers 16 to 24 for the registers of the FPA:
   the status register is 25 whatever comes before it, and MSP and PSP are behind
   it.  */
#define PSR_GDB 25

/* What is described.  */
struct own
{
  const struct tb_profile *profile;
  struct tb_tdesc_options with;
};

/* Registers that are described and in no slot, by groups of one kind, in the order of
   their numbers.  The names of features and registers are GDB's; of what it does not
   know it takes any.  FP registers come before the special ones so that a block may
   have them behind the slots.  */
enum group_kind
{
  M_FP, M_SPECIAL, M_SPECIAL_MAIN, AR_FP, AR_SIMD, A64_FP
};

static const struct register_group
{
  enum group_kind kind;
  uint8_t gdb, count, bytes;
  const char *name;		/* With COUNT above 1 numbers follow it, */
  uint8_t first;		/* from this one on.  */
  const char *feature;		/* NULL: that of the group before.  */
  const char *rest;		/* Attributes.  */
} groups[] = {
  { M_FP, 28, 16, 8, "d", 0, "org.gnu.gdb.arm.vfp", "type=\"ieee_double\"" },
  { M_FP, 60, 1, 4, "fpscr", 0, NULL, "type=\"int\" group=\"float\"" },
  { M_SPECIAL, 61, 1, 4, "primask", 0,
    "org.tracebridge.gdb.m-special", "group=\"system\"" },
  { M_SPECIAL, 62, 1, 4, "control", 0, NULL, "group=\"system\"" },
  { M_SPECIAL_MAIN, 63, 1, 4, "basepri", 0, NULL, "group=\"system\"" },
  { M_SPECIAL_MAIN, 64, 1, 4, "faultmask", 0, NULL, "group=\"system\"" },
  { AR_FP, 28, 16, 8, "d", 0, "org.gnu.gdb.arm.vfp", "type=\"ieee_double\"" },
  { AR_SIMD, 44, 16, 8, "d", 16, NULL, "type=\"ieee_double\"" },
  { AR_FP, 60, 1, 4, "fpscr", 0, NULL, "type=\"int\" group=\"float\"" },
  { A64_FP, 34, 32, 16, "v", 0, "org.gnu.gdb.aarch64.fpu",
    "type=\"aarch64v\"" },
  { A64_FP, 66, 1, 4, "fpsr", 0, NULL, "type=\"int\" group=\"float\"" },
  { A64_FP, 67, 1, 4, "fpcr", 0, NULL, "type=\"int\" group=\"float\"" }
};

#define NGROUPS (sizeof groups / sizeof groups[0])

static bool
has_group (const struct own *t, const struct register_group *g)
{
  const struct tb_profile *p = t->profile;
  switch (g->kind)
    {
    case M_FP:
      return p->is_m && t->with.fp;
    case M_SPECIAL:
      return p->is_m && t->with.special;
    case M_SPECIAL_MAIN:
      /* DDI 0419, DDI 0553: the smaller architectures have none.  */
      return p->is_m && t->with.special && p->arch != TB_ARCH_V6M
	     && p->arch != TB_ARCH_V8M_BASE;
    case AR_FP:
      return !p->is_m && !p->has_a64 && t->with.fp;
    case AR_SIMD:
      /* Without Advanced SIMD there are 16.  */
      return !p->is_m && !p->has_a64 && t->with.fp
	     && (p->arch == TB_ARCH_V7A || p->arch == TB_ARCH_V8A
		 || p->arch == TB_ARCH_V8R);
    case A64_FP:
      return tdesc_is_a64 (p);
    }
  return false;
}

/* The core registers from FIRST on, before END, by arm/machine/regs.h.  */
static void
compose_core (struct tb_buffer *text, const struct tb_profile *profile,
	      unsigned first, unsigned end)
{
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (profile, &nregs);
  bool a64 = tdesc_is_a64 (profile);
  unsigned next = 0;
  for (unsigned i = first; i < end; i++)
    {
      unsigned gdb = a64 || i < TB_PSR ? i : i - TB_PSR + PSR_GDB;
      tb_buffer_printf (text, "<reg name=\"%s\" bitsize=\"%d\"", regs[i].name,
			regs[i].bits);
      /* A number is said only where it is not the one after.  */
      if (gdb != next)
	tb_buffer_printf (text, " regnum=\"%d\"", gdb);
      next = gdb + 1;
      if (i == (a64 ? (unsigned) TB_PC64 : (unsigned) TB_PC))
	tb_buffer_printf (text, " type=\"code_ptr\"");
      else if (i == (a64 ? (unsigned) TB_SP64 : (unsigned) TB_SP) || first != 0)
	tb_buffer_printf (text, " type=\"data_ptr\"");
      if (first != 0)
	tb_buffer_printf (text, " group=\"system\"");
      tb_buffer_printf (text, "/>\n");
    }
}

/* The types of AArch64's vector registers of WHOLE bits, as GDB's own description has them:
   what is in "$v0.d.f" is in every script.  TYPE is theirs, names of parts begin with V. */
static void
compose_a64_types (struct tb_buffer *text, unsigned whole, const char *v,
		   const char *type)
{
  static const struct
  {
    const char *letter, *id;
    unsigned bits;
    bool has_f;
  } parts[] = {
    { "d", "nd", 64, true }, { "s", "ns", 32, true },
    { "h", "nh", 16, false }, { "b", "nb", 8, false },
    { "q", "nq", 128, false }
  };
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    {
      const char *letter = parts[i].letter;
      unsigned bits = parts[i].bits, count = whole / bits;
      if (parts[i].has_f)
	tb_buffer_printf (text, "<vector id=\"%s%u%sf\" type=\"ieee_%s\" "
			  "count=\"%u\"/>\n", v, count, letter,
			  bits == 64 ? "double" : "single", count);
      tb_buffer_printf (text, "<vector id=\"%s%u%su\" type=\"uint%u\" "
			"count=\"%u\"/>\n"
			"<vector id=\"%s%u%ss\" type=\"int%u\" count=\"%u\"/>\n",
			v, count, letter, bits, count, v, count, letter, bits, count);
      tb_buffer_printf (text, "<union id=\"%s%s\">\n", v, parts[i].id);
      if (parts[i].has_f)
	tb_buffer_printf (text, "<field name=\"f\" type=\"%s%u%sf\"/>\n", v,
			  count, letter);
      tb_buffer_printf (text, "<field name=\"u\" type=\"%s%u%su\"/>\n"
			"<field name=\"s\" type=\"%s%u%ss\"/>\n</union>\n",
			v, count, letter, v, count, letter);
    }
  tb_buffer_printf (text, "<union id=\"%s\">\n", type);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    tb_buffer_printf (text, "<field name=\"%s\" type=\"%s%s\"/>\n",
		      parts[i].letter, v, parts[i].id);
  tb_buffer_printf (text, "</union>\n");
}

/* One register of G after the other.  */
static void
compose_group (struct tb_buffer *text, const struct register_group *g)
{
  for (unsigned i = 0; i < g->count; i++)
    {
      tb_buffer_printf (text, "<reg name=\"%s", g->name);
      if (g->count > 1)
	tb_buffer_printf (text, "%u", i + g->first);
      tb_buffer_printf (text, "\" bitsize=\"%u\"", 8u * g->bytes);
      if (i == 0)
	tb_buffer_printf (text, " regnum=\"%u\"", g->gdb);
      tb_buffer_printf (text, " %s/>\n", g->rest);
    }
}

static void
compose_others (struct tb_buffer *text, const struct own *t)
{
  bool open = false, simd = false;
  for (size_t i = 0; i < NGROUPS; i++)
    {
      const struct register_group *g = &groups[i];
      if (!has_group (t, g))
	continue;
      simd |= g->kind == AR_SIMD;
      if (g->feature != NULL)
	tb_buffer_printf (text, "%s<feature name=\"%s\">\n",
			  open ? "</feature>\n" : "", g->feature);
      open = true;
      if (g->kind == A64_FP && g->feature != NULL)
	compose_a64_types (text, 128, "v", "aarch64v");
      compose_group (text, g);
    }
  if (open)
    tb_buffer_printf (text, "</feature>\n");
  if (simd)
    tb_buffer_printf (text, "<feature name=\"org.gnu.gdb.arm.neon\"/>\n");
}

/* SVE registers of vectors of LENGTH bytes.  The feature is not GDB's: with that one V
   registers are parts of Z registers, and GDB knows of no register whose value it has in
   part, so that V registers were not available where less than a Z register is known.  */
static void
compose_sve (struct tb_buffer *text, unsigned length)
{
  tb_buffer_printf (text, "<feature name=\"org.tracebridge.gdb.sve\">\n");
  compose_a64_types (text, 8 * length, "sv", "svez");
  tb_buffer_printf (text, "<vector id=\"svep\" type=\"uint8\" count=\"%u\"/>\n",
		    length / 8);
  for (unsigned i = 0; i < TB_NSVE; i++)
    {
      bool z = i < TB_SVE_P;
      if (i < TB_SVE_FFR)
	tb_buffer_printf (text, "<reg name=\"%c%u\"", z ? 'z' : 'p', i % TB_SVE_P);
      else
	tb_buffer_printf (text, "<reg name=\"ffr\"");
      tb_buffer_printf (text, " bitsize=\"%u\" type=\"%s\" group=\"vector\"/>\n",
			z ? 8 * length : length, z ? "svez" : "svep");
    }
  tb_buffer_printf (text, "<reg name=\"vg\" bitsize=\"64\" type=\"int\" "
		    "group=\"vector\"/>\n</feature>\n");
}

/* A GDB that was built for Linux takes a program whose ELF file does not say otherwise for one
   of Linux, and ends backtraces at code below 0x8000, which has no program there (GDB 13.1,
   arm-linux-tdep.c and arm_prologue_unwind_stop_reason); it looks for a dynamic linker, too.  The M
   profile has no Linux of GDB's.  What the ELF file says GDB prefers.  */
static void
compose (struct tb_buffer *text, const struct own *t)
{
  const struct tb_profile *profile = t->profile;
  bool a64 = tdesc_is_a64 (profile);
  tb_buffer_printf (text, "<?xml version=\"1.0\"?>\n"
		    "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
		    "<target version=\"1.0\">\n"
		    "<architecture>%s</architecture>\n"
		    "%s"
		    "<feature name=\"org.gnu.gdb.%s\">\n",
		    a64 ? "aarch64" : "arm",
		    profile->is_m || t->with.bare ? "<osabi>none</osabi>\n" : "",
		    a64 ? "aarch64.core"
		    : profile->is_m ? "arm.m-profile" : "arm.core");
  compose_core (text, profile, 0, a64 ? (unsigned) TB_NREGS64 : TB_PSR + 1u);
  tb_buffer_printf (text, "</feature>\n");
  if (profile->is_m && t->with.stacks)
    {
      tb_buffer_printf (text, "<feature name=\"org.gnu.gdb.arm.m-system\">\n");
      compose_core (text, profile, TB_MSP, TB_PSP + 1);
      tb_buffer_printf (text, "</feature>\n");
    }
  compose_others (text, t);
  if (a64 && t->with.sve != 0)
    compose_sve (text, t->with.sve);
  tb_buffer_printf (text, "</target>\n");
}

struct tb_tdesc *
tb_tdesc_own (const struct tb_profile *profile,
	      const struct tb_tdesc_options *options)
{
  struct own own = { .profile = profile };
  struct tb_buffer text = { 0 };
  struct tb_tdesc *t = NULL;
  if (options != NULL)
    own.with = *options;
  compose (&text, &own);
  if (!text.failed)
    t = tb_tdesc_parse ((const char *) text.data, text.size, "the core", profile,
			NULL);
  tb_buffer_fini (&text);
  if (t != NULL)
    t->is_own = true;
  return t;
}
