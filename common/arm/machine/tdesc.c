/* Target descriptions.  See tdesc.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/tdesc.h"

#include <stdio.h>

/* GDB's arm architectures keep numbers 16 to 24 for the registers of the FPA:
   the status register is 25 whatever comes before it.  */
#define PSR_GDB 25

/* Behind it MSP and PSP.  Slots of descriptions without them end before.  */
#define W(n) { n, 4, n, 4 * n }
static const struct tb_tdesc_slot slots32[] = {
  W (TB_R0), W (TB_R1), W (TB_R2), W (TB_R3), W (TB_R4), W (TB_R5), W (TB_R6),
  W (TB_R7), W (TB_R8), W (TB_R9), W (TB_R10), W (TB_R11), W (TB_R12),
  W (TB_SP), W (TB_LR), W (TB_PC), { TB_PSR, 4, PSR_GDB, 64 },
  { TB_MSP, 4, PSR_GDB + 1, 68 }, { TB_PSP, 4, PSR_GDB + 2, 72 }
};
#undef W

#define X(n) { n, 8, n, 8 * (n) }
static const struct tb_tdesc_slot slots64[] = {
  X (0), X (1), X (2), X (3), X (4), X (5), X (6), X (7), X (8), X (9), X (10),
  X (11), X (12), X (13), X (14), X (15), X (16), X (17), X (18), X (19),
  X (20), X (21), X (22), X (23), X (24), X (25), X (26), X (27), X (28),
  X (29), X (30), X (TB_SP64), X (TB_PC64), { TB_PSTATE, 4, 33, 264 }
};
#undef X

static const struct tb_tdesc_layout layout32 =
  { slots32, 17, TB_PC, TB_SP, TB_PSR, 0x44 };
static const struct tb_tdesc_layout layout64 =
  { slots64, 34, TB_PC64, TB_SP64, TB_PSTATE, 0x10c };

static const struct tb_tdesc_layout layout_stacks =
  { slots32, 19, TB_PC, TB_SP, TB_PSR, 0x4c };
static const struct tb_tdesc_layout layout_stacks_fp =
  { slots32, 19, TB_PC, TB_SP, TB_PSR, 0x4c + 16 * 8 + 4 };

/* Registers that are described and in no slot, by groups of one kind, in the order of
   their numbers.  The names of features and registers are GDB's; of what it does not
   know it takes any.  FP registers come before the special ones so that a block may
   have them behind the slots.  */
enum group_kind
{
  M_FP, M_SPECIAL, M_SPECIAL_MAIN, AR_FP, AR_SIMD, A64_FP
};

static const struct group
{
  enum group_kind kind;
  uint8_t gdb, count, bytes;
  int8_t reg;			/* -1: it is not followed.  */
  const char *name;		/* With COUNT above 1 numbers follow it, */
  uint8_t first;		/* from this one on.  */
  const char *feature;		/* NULL: that of the group before.  */
  const char *rest;		/* Attributes.  */
} groups[] = {
  { M_FP, 28, 16, 8, -1, "d", 0, "org.gnu.gdb.arm.vfp", "type=\"ieee_double\"" },
  { M_FP, 60, 1, 4, -1, "fpscr", 0, NULL, "type=\"int\" group=\"float\"" },
  { M_SPECIAL, 61, 1, 4, TB_PRIMASK, "primask", 0,
    "org.tracebridge.gdb.m-special", "group=\"system\"" },
  { M_SPECIAL, 62, 1, 4, TB_CONTROL, "control", 0, NULL, "group=\"system\"" },
  { M_SPECIAL_MAIN, 63, 1, 4, -1, "basepri", 0, NULL, "group=\"system\"" },
  { M_SPECIAL_MAIN, 64, 1, 4, -1, "faultmask", 0, NULL, "group=\"system\"" },
  { AR_FP, 28, 16, 8, -1, "d", 0, "org.gnu.gdb.arm.vfp", "type=\"ieee_double\"" },
  { AR_SIMD, 44, 16, 8, -1, "d", 16, NULL, "type=\"ieee_double\"" },
  { AR_FP, 60, 1, 4, -1, "fpscr", 0, NULL, "type=\"int\" group=\"float\"" },
  { A64_FP, 34, 32, 16, -1, "v", 0, "org.gnu.gdb.aarch64.fpu",
    "type=\"aarch64v\"" },
  { A64_FP, 66, 1, 4, -1, "fpsr", 0, NULL, "type=\"int\" group=\"float\"" },
  { A64_FP, 67, 1, 4, -1, "fpcr", 0, NULL, "type=\"int\" group=\"float\"" }
};

#define NGROUPS (sizeof groups / sizeof groups[0])

static bool
is_a64 (const struct tb_profile *profile)
{
  return !profile->is_m && profile->has_a64;
}

static bool
has_group (const struct tb_tdesc *t, const struct group *g)
{
  const struct tb_profile *p = t->profile;
  switch (g->kind)
    {
    case M_FP:
      return p->is_m && t->fp;
    case M_SPECIAL:
      return p->is_m && t->special;
    case M_SPECIAL_MAIN:
      /* DDI 0419, DDI 0553: the smaller architectures have none.  */
      return p->is_m && t->special && p->arch != TB_ARCH_V6M
	     && p->arch != TB_ARCH_V8M_BASE;
    case AR_FP:
      return !p->is_m && !p->has_a64 && t->fp;
    case AR_SIMD:
      /* Without Advanced SIMD there are 16.  */
      return !p->is_m && !p->has_a64 && t->fp
	     && (p->arch == TB_ARCH_V7A || p->arch == TB_ARCH_V8A
		 || p->arch == TB_ARCH_V8R);
    case A64_FP:
      return is_a64 (p);
    }
  return false;
}

const struct tb_tdesc_layout *
tb_tdesc_layout_of (const struct tb_tdesc *t)
{
  return is_a64 (t->profile) ? &layout64
	 : !t->profile->is_m || !t->stacks ? &layout32
	 : t->fp ? &layout_stacks_fp : &layout_stacks;
}

const struct tb_tdesc_layout *
tb_tdesc_layout (const struct tb_profile *profile)
{
  const struct tb_tdesc plain = { .profile = profile };
  return tb_tdesc_layout_of (&plain);
}

bool
tb_tdesc_find_other (const struct tb_tdesc *t, unsigned number,
		     struct tb_tdesc_other *other)
{
  for (size_t i = 0; i < NGROUPS; i++)
    {
      const struct group *g = &groups[i];
      if (!has_group (t, g) || number - g->gdb >= g->count)
	continue;
      if (g->count > 1)
	snprintf (other->name, sizeof other->name, "%s%u", g->name,
		  number - g->gdb + g->first);
      else
	snprintf (other->name, sizeof other->name, "%s", g->name);
      other->bytes = g->bytes;
      other->reg = g->reg;
      return true;
    }
  return false;
}

/* The slots from FIRST on, before END.  */
static void
compose_slots (struct tb_buffer *text, const struct tb_profile *profile,
	       const struct tb_tdesc_layout *layout, unsigned first,
	       unsigned end)
{
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (profile, &nregs);
  unsigned next = 0;
  for (unsigned i = first; i < end; i++)
    {
      const struct tb_tdesc_slot *slot = &layout->slots[i];
      tb_buffer_printf (text, "<reg name=\"%s\" bitsize=\"%d\"",
			regs[slot->reg].name, 8 * slot->size);
      /* A number is said only where it is not the one after.  */
      if (slot->gdb != next)
	tb_buffer_printf (text, " regnum=\"%d\"", slot->gdb);
      next = slot->gdb + 1u;
      if (i == layout->pc)
	tb_buffer_printf (text, " type=\"code_ptr\"");
      else if (i == layout->sp || first != 0)
	tb_buffer_printf (text, " type=\"data_ptr\"");
      if (first != 0)
	tb_buffer_printf (text, " group=\"system\"");
      tb_buffer_printf (text, "/>\n");
    }
}

/* The types of AArch64's vector registers, as GDB's own description has them: what
   is in "$v0.d.f" is in every script.  */
static void
compose_a64_types (struct tb_buffer *text)
{
  static const struct
  {
    const char *letter, *id;
    unsigned bits;
    bool has_f;
  } parts[] = {
    { "d", "vnd", 64, true }, { "s", "vns", 32, true },
    { "h", "vnh", 16, false }, { "b", "vnb", 8, false },
    { "q", "vnq", 128, false }
  };
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    {
      const char *letter = parts[i].letter;
      unsigned bits = parts[i].bits, count = 128 / bits;
      if (parts[i].has_f)
	tb_buffer_printf (text, "<vector id=\"v%u%sf\" type=\"ieee_%s\" "
			  "count=\"%u\"/>\n", count, letter,
			  bits == 64 ? "double" : "single", count);
      tb_buffer_printf (text, "<vector id=\"v%u%su\" type=\"uint%u\" "
			"count=\"%u\"/>\n"
			"<vector id=\"v%u%ss\" type=\"int%u\" count=\"%u\"/>\n",
			count, letter, bits, count, count, letter, bits, count);
      tb_buffer_printf (text, "<union id=\"%s\">\n", parts[i].id);
      if (parts[i].has_f)
	tb_buffer_printf (text, "<field name=\"f\" type=\"v%u%sf\"/>\n", count,
			  letter);
      tb_buffer_printf (text, "<field name=\"u\" type=\"v%u%su\"/>\n"
			"<field name=\"s\" type=\"v%u%ss\"/>\n</union>\n",
			count, letter, count, letter);
    }
  tb_buffer_printf (text, "<union id=\"aarch64v\">\n");
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    tb_buffer_printf (text, "<field name=\"%s\" type=\"%s\"/>\n",
		      parts[i].letter, parts[i].id);
  tb_buffer_printf (text, "</union>\n");
}

/* One register of G after the other.  */
static void
compose_group (struct tb_buffer *text, const struct group *g)
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
compose_others (struct tb_buffer *text, const struct tb_tdesc *t)
{
  bool open = false, simd = false;
  for (size_t i = 0; i < NGROUPS; i++)
    {
      const struct group *g = &groups[i];
      if (!has_group (t, g))
	continue;
      simd |= g->kind == AR_SIMD;
      if (g->feature != NULL)
	tb_buffer_printf (text, "%s<feature name=\"%s\">\n",
			  open ? "</feature>\n" : "", g->feature);
      open = true;
      if (g->kind == A64_FP && g->feature != NULL)
	compose_a64_types (text);
      compose_group (text, g);
    }
  if (open)
    tb_buffer_printf (text, "</feature>\n");
  if (simd)
    tb_buffer_printf (text, "<feature name=\"org.gnu.gdb.arm.neon\"/>\n");
}

void
tb_tdesc_compose (struct tb_buffer *text, const struct tb_tdesc *t)
{
  const struct tb_tdesc_layout *layout = tb_tdesc_layout_of (t);
  const struct tb_profile *profile = t->profile;
  unsigned core = layout == &layout64 ? layout->count : TB_PSR + 1;
  tb_buffer_printf (text, "<?xml version=\"1.0\"?>\n"
		    "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
		    "<target version=\"1.0\">\n"
		    "<architecture>%s</architecture>\n"
		    "<feature name=\"org.gnu.gdb.%s\">\n",
		    is_a64 (profile) ? "aarch64" : "arm",
		    is_a64 (profile) ? "aarch64.core"
		    : profile->is_m ? "arm.m-profile" : "arm.core");
  compose_slots (text, profile, layout, 0, core);
  tb_buffer_printf (text, "</feature>\n");
  if (layout->count > core)
    {
      tb_buffer_printf (text, "<feature name=\"org.gnu.gdb.arm.m-system\">\n");
      compose_slots (text, profile, layout, core, layout->count);
      tb_buffer_printf (text, "</feature>\n");
    }
  compose_others (text, t);
  tb_buffer_printf (text, "</target>\n");
}
