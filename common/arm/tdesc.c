/* Target descriptions.  See tdesc.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/tdesc.h"

#include <stdbool.h>

/* GDB's arm architectures keep numbers 16 to 24 for the registers of the FPA:
   the status register is 25 whatever comes before it.  */
#define PSR_GDB 25

#define W(n) { n, 4, n, 4 * n }
static const struct tb_tdesc_slot slots32[] = {
  W (TB_R0), W (TB_R1), W (TB_R2), W (TB_R3), W (TB_R4), W (TB_R5), W (TB_R6),
  W (TB_R7), W (TB_R8), W (TB_R9), W (TB_R10), W (TB_R11), W (TB_R12),
  W (TB_SP), W (TB_LR), W (TB_PC), { TB_PSR, 4, PSR_GDB, 64 }
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

const struct tb_tdesc_layout *
tb_tdesc_layout (const struct tb_profile *profile)
{
  return !profile->is_m && profile->has_a64 ? &layout64 : &layout32;
}

static void
compose_core (struct tb_buffer *text, const struct tb_profile *profile,
	      const struct tb_tdesc_layout *layout)
{
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (profile, &nregs);
  unsigned next = 0;
  for (unsigned i = 0; i < layout->count; i++)
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
      else if (i == layout->sp)
	tb_buffer_printf (text, " type=\"data_ptr\"");
      tb_buffer_printf (text, "/>\n");
    }
}

static void
compose_a64_vectors (struct tb_buffer *text)
{
  tb_buffer_printf (text, "<feature name=\"org.gnu.gdb.aarch64.fpu\">\n");
  for (unsigned i = 0; i < 32; i++)
    tb_buffer_printf (text, "<reg name=\"v%u\" bitsize=\"128\" "
		      "type=\"uint128\"/>\n", i);
  tb_buffer_printf (text, "<reg name=\"fpsr\" bitsize=\"32\"/>\n"
		    "<reg name=\"fpcr\" bitsize=\"32\"/>\n"
		    "</feature>\n");
}

void
tb_tdesc_compose (struct tb_buffer *text, const struct tb_profile *profile)
{
  const struct tb_tdesc_layout *layout = tb_tdesc_layout (profile);
  bool a64 = layout == &layout64;
  tb_buffer_printf (text, "<?xml version=\"1.0\"?>\n"
		    "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
		    "<target version=\"1.0\">\n"
		    "<architecture>%s</architecture>\n"
		    "<feature name=\"org.gnu.gdb.%s\">\n",
		    a64 ? "aarch64" : "arm",
		    a64 ? "aarch64.core"
		    : profile->is_m ? "arm.m-profile" : "arm.core");
  compose_core (text, profile, layout);
  tb_buffer_printf (text, "</feature>\n");
  if (a64)
    compose_a64_vectors (text);
  tb_buffer_printf (text, "</target>\n");
}
