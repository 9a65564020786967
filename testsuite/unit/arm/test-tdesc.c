/* Target descriptions: well formed, of the registers GDB asks for, and with
   the layout that GDB computes from them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <expat.h>
#include <stdlib.h>

#include "arm/machine/tdesc.h"
#include "check.h"

/* What is found in a description.  */
struct found
{
  char architecture[40];
  char features[200];
  bool in_architecture;
  bool in_core;
  /* The registers of the first feature, laid out as GDB does: in the order of
     their numbers, without padding.  */
  struct { char name[16]; unsigned bits, number; } regs[64];
  unsigned count;
  unsigned next;		/* Number of the register to come.  */
  unsigned all;			/* Registers of all features.  */
  struct { char name[16]; unsigned bits; } numbered[128];	/* By number.  */
};

static void
on_start (void *data, const char *element, const char **attributes)
{
  struct found *found = data;
  found->in_architecture = strcmp (element, "architecture") == 0;
  CHECK (strcmp (element, "xi:include") != 0);
  bool feature = strcmp (element, "feature") == 0;
  bool reg = strcmp (element, "reg") == 0;
  unsigned bits = 0;
  const char *name = "";
  for (; *attributes != NULL; attributes += 2)
    {
      if (strcmp (attributes[0], "name") == 0)
	name = attributes[1];
      else if (strcmp (attributes[0], "bitsize") == 0)
	bits = (unsigned) atoi (attributes[1]);
      else if (strcmp (attributes[0], "regnum") == 0)
	found->next = (unsigned) atoi (attributes[1]);
    }
  if (feature)
    {
      found->in_core = *found->features == '\0';
      strncat (found->features, name, 40);
      strncat (found->features, " ", 2);
    }
  if (reg && found->in_core)
    {
      snprintf (found->regs[found->count].name, 16, "%s", name);
      found->regs[found->count].bits = bits;
      found->regs[found->count++].number = found->next;
    }
  if (reg && CHECK (found->next < 128)
      && CHECK_STR (found->numbered[found->next].name, ""))
    {
      snprintf (found->numbered[found->next].name, 16, "%s", name);
      found->numbered[found->next].bits = bits;
    }
  found->next += reg;
  found->all += reg;
}

static void
on_text (void *data, const char *text, int length)
{
  struct found *found = data;
  if (found->in_architecture)
    strncat (found->architecture, text, (size_t) length);
}

static void
on_end (void *data, const char *element)
{
  (void) element;
  ((struct found *) data)->in_architecture = false;
}

/* A profile and what its description must have.  The offsets are those of a g
   packet, measured with GDB 13.1.  */
static const struct
{
  struct tb_profile profile;
  const char *architecture, *features;
  unsigned size, regs, all;
  struct { const char *name; unsigned offset, size, gdb, reg; } some[6];
} cases[] =
  {
    { { TB_ARCH_V7M, true, false, false, "m", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, "arm",
      "org.gnu.gdb.arm.m-profile ", 0x44, 17, 17,
      { { "r0", 0, 4, 0, TB_R0 }, { "r7", 28, 4, 7, TB_R7 },
	{ "sp", 52, 4, 13, TB_SP }, { "lr", 56, 4, 14, TB_LR },
	{ "pc", 60, 4, 15, TB_PC }, { "xpsr", 64, 4, 25, TB_PSR } } },
    { { TB_ARCH_V7A, false, false, true, "a", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, "arm",
      "org.gnu.gdb.arm.core ", 0x44, 17, 17,
      { { "r0", 0, 4, 0, TB_R0 }, { "r11", 44, 4, 11, TB_R11 },
	{ "sp", 52, 4, 13, TB_SP }, { "lr", 56, 4, 14, TB_LR },
	{ "pc", 60, 4, 15, TB_PC }, { "cpsr", 64, 4, 25, TB_PSR } } },
    { { TB_ARCH_V8A, false, true, true, "8", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, "aarch64",
      "org.gnu.gdb.aarch64.core org.gnu.gdb.aarch64.fpu ", 0x10c, 34, 68,
      { { "x0", 0, 8, 0, TB_X0 }, { "x29", 232, 8, 29, 29 },
	{ "x30", 240, 8, 30, TB_X30 }, { "sp", 248, 8, 31, TB_SP64 },
	{ "pc", 256, 8, 32, TB_PC64 }, { "cpsr", 264, 4, 33, TB_PSTATE } } }
  };

/* The register NAME in FOUND and its offset; the number of registers if
   there is none.  */
static unsigned
find (const struct found *found, const char *name, unsigned *offset)
{
  *offset = 0;
  for (unsigned i = 0; i < found->count; i++)
    {
      if (strcmp (found->regs[i].name, name) == 0)
	return i;
      *offset += found->regs[i].bits / 8;
    }
  return found->count;
}

/* What TDESC's description says.  */
static void
read_description (const struct tb_tdesc *tdesc, struct found *found)
{
  *found = (struct found) { .count = 0 };
  XML_Parser parser = XML_ParserCreate (NULL);
  XML_SetUserData (parser, found);
  XML_SetElementHandler (parser, on_start, on_end);
  XML_SetCharacterDataHandler (parser, on_text);
  CHECK_INT (XML_Parse (parser, tdesc->text, (int) tdesc->length, 1),
	     XML_STATUS_OK);
  XML_ParserFree (parser);

  /* Lines fit a trace file; the text ends with a newline.  */
  size_t line = 0;
  for (size_t at = 0; at < tdesc->length; at++)
    {
      line = tdesc->text[at] == '\n' ? 0 : line + 1;
      if (line >= 100)
	CHECK (!"a line of 100 characters");
    }
  CHECK_INT (line, 0);
}

#define SPECIAL "org.tracebridge.gdb.m-special "
#define SYSTEM "org.gnu.gdb.arm.m-system "
#define VFP "org.gnu.gdb.arm.vfp "
#define NEON "org.gnu.gdb.arm.neon "

/* Descriptions with more than the core.  */
static const struct
{
  struct tb_profile profile;
  bool stacks, fp;
  const char *features;
  unsigned size, all;
} more[] =
  {
    { { TB_ARCH_V6M, true, false, false, "m0", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, false, false,
      "org.gnu.gdb.arm.m-profile " SPECIAL, 0x44, 17 + 2 },
    { { TB_ARCH_V6M, true, false, false, "m0", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, true, false,
      "org.gnu.gdb.arm.m-profile " SYSTEM SPECIAL, 0x4c, 19 + 2 },
    { { TB_ARCH_V7M, true, false, false, "m3", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, true, false,
      "org.gnu.gdb.arm.m-profile " SYSTEM SPECIAL, 0x4c, 19 + 4 },
    { { TB_ARCH_V7EM, true, false, true, "m4", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, false, true,
      "org.gnu.gdb.arm.m-profile " VFP SPECIAL, 0x44, 17 + 17 + 4 },
    { { TB_ARCH_V8M_MAIN, true, false, true, "m33", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, true, true,
      "org.gnu.gdb.arm.m-profile " SYSTEM VFP SPECIAL, 0xd0, 19 + 17 + 4 },
    { { TB_ARCH_V7R, false, false, true, "r", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, false, true,
      "org.gnu.gdb.arm.core " VFP, 0x44, 17 + 17 },
    { { TB_ARCH_V7A, false, false, true, "a", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, false, true,
      "org.gnu.gdb.arm.core " VFP NEON, 0x44, 17 + 33 },
    { { TB_ARCH_V7A, false, false, true, "a", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, false, false,
      "org.gnu.gdb.arm.core ", 0x44, 17 },
    { { TB_ARCH_V8A, false, true, true, "8", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 }, false, true,
      "org.gnu.gdb.aarch64.core org.gnu.gdb.aarch64.fpu ", 0x10c, 34 + 34 }
  };

/* Each register that is described is in a slot or one of the others.  */
static void
test_more (void)
{
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    {
      const struct tb_tdesc_options with = { .stacks = more[i].stacks,
					     .fp = more[i].fp, .special = true };
      struct tb_tdesc *layout = tb_tdesc_own (&more[i].profile, &with);
      if (!CHECK (layout != NULL))
	continue;
      struct found found;
      read_description (layout, &found);
      CHECK_STR (found.features, more[i].features);
      CHECK_INT (found.all, more[i].all);
      CHECK_INT (layout->size, more[i].size);
      CHECK (layout->size <= TB_TDESC_SIZE_MAX);
      unsigned slot = 0, offset = 0;
      for (unsigned n = 0; n < 128; n++)
	{
	  bool in_slot = slot < layout->count && layout->slots[slot].gdb == n;
	  const struct tb_tdesc_reg *other = tb_tdesc_find (layout, n);
	  bool is_other = other != NULL && other->slot < 0;
	  unsigned bits = found.numbered[n].bits;
	  if (bits == 0)
	    {
	      CHECK (!in_slot && !is_other);
	      continue;
	    }
	  CHECK_STR (other->name, found.numbered[n].name);
	  /* The slots come first, and then only what ends with a register.  */
	  if (offset < layout->size)
	    CHECK (offset + bits / 8 <= layout->size);
	  if (in_slot)
	    {
	      CHECK_INT (layout->slots[slot].offset, offset);
	      CHECK_INT (8u * layout->slots[slot].size, bits);
	      CHECK (!is_other);
	      slot++;
	    }
	  else if (CHECK (is_other))
	    {
	      CHECK_STR (other->name, found.numbered[n].name);
	      CHECK_INT (8 * other->size, bits);
	    }
	  offset += bits / 8;
	}
      CHECK_INT (slot, layout->count);
      tb_tdesc_free (layout);
    }
}

int
main (void)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      const struct tb_profile *profile = &cases[i].profile;
      struct tb_tdesc *layout = tb_tdesc_own (profile, NULL);
      struct found found;
      read_description (layout, &found);
      CHECK_STR (found.architecture, cases[i].architecture);
      CHECK_STR (found.features, cases[i].features);
      CHECK_INT (found.count, cases[i].regs);
      CHECK_INT (found.all, cases[i].all);

      CHECK_INT (layout->size, cases[i].size);
      CHECK (layout->size <= TB_TDESC_SIZE_MAX);
      if (!CHECK_INT (layout->count, cases[i].regs))
	continue;
      size_t nregs;
      const struct tb_reg_info *regs = tb_regs (profile, &nregs);
      unsigned end = 0;
      for (unsigned j = 0; j < layout->count; j++)
	{
	  const struct tb_tdesc_slot *slot = &layout->slots[j];
	  CHECK (slot->reg < nregs);
	  CHECK_STR (found.regs[j].name, regs[slot->reg].name);
	  CHECK_INT (slot->size * 8u, found.regs[j].bits);
	  CHECK_INT (slot->size * 8u, regs[slot->reg].bits);
	  CHECK_INT (slot->gdb, found.regs[j].number);
	  CHECK_INT (slot->offset, end);
	  end += slot->size;
	  /* GDB orders the block by number.  */
	  if (j > 0)
	    CHECK (slot->gdb > layout->slots[j - 1].gdb);
	}
      CHECK_INT (end, layout->size);
      for (unsigned j = 0; j < 6; j++)
	{
	  unsigned offset;
	  unsigned at = find (&found, cases[i].some[j].name, &offset);
	  if (!CHECK (at < found.count))
	    continue;
	  CHECK_INT (offset, cases[i].some[j].offset);
	  CHECK_INT (layout->slots[at].offset, cases[i].some[j].offset);
	  CHECK_INT (layout->slots[at].size, cases[i].some[j].size);
	  CHECK_INT (layout->slots[at].gdb, cases[i].some[j].gdb);
	  CHECK_INT (layout->slots[at].reg, cases[i].some[j].reg);
	}
      CHECK_STR (found.regs[layout->pc].name, "pc");
      CHECK_STR (found.regs[layout->sp].name, "sp");
      CHECK_INT (layout->psr, layout->count - 1);
      tb_tdesc_free (layout);
    }
  test_more ();
  return check_done ();
}
