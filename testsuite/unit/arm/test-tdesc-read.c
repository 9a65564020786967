/* Target descriptions that users give: what is in them, and where it stands.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "tdesc-text.h"

/* As OpenOCD describes an M profile core: names in capitals, registers of a few bits,
   numbers with gaps.  Sizes and offsets are those that GDB 13.1 says ("maintenance print
   remote-registers").  */
static void
test_m (void)
{
  struct tb_tdesc *t = parse (
    "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
    "<target version=\"1.0\"><architecture> arm\n</architecture>"
    "<feature name=\"org.gnu.gdb.arm.m-profile\">"
    "<reg name=\"R0\" bitsize=\"32\" regnum=\"0\" type=\"int\"/>"
    "<reg name=\"r1\" bitsize=\"32\"/><reg name=\"r2\" bitsize=\"32\"/>"
    "<reg name=\"r3\" bitsize=\"32\"/><reg name=\"r4\" bitsize=\"32\"/>"
    "<reg name=\"r5\" bitsize=\"32\"/><reg name=\"r6\" bitsize=\"32\"/>"
    "<reg name=\"r7\" bitsize=\"32\"/><reg name=\"r8\" bitsize=\"32\"/>"
    "<reg name=\"r9\" bitsize=\"32\"/><reg name=\"r10\" bitsize=\"32\"/>"
    "<reg name=\"r11\" bitsize=\"32\"/><reg name=\"r12\" bitsize=\"32\"/>"
    "<reg name=\"r13\" bitsize=\"32\" type=\"data_ptr\"/>"
    "<reg name=\"r14\" bitsize=\"32\"/>"
    "<reg name=\"r15\" bitsize=\"32\" type=\"code_ptr\"/>"
    "<reg name=\"xPSR\" bitsize=\"32\" regnum=\"0x10\"/></feature>"
    "<feature name=\"org.gnu.gdb.arm.m-system\">"
    "<reg name=\"primask\" bitsize=\"1\" regnum=\"20\" type=\"int8\"/>"
    "<reg name=\"basepri\" bitsize=\"8\" type=\"int8\"/>"
    "<reg name=\"control\" bitsize=\"3\" regnum=\"23\" type=\"int8\"/>"
    "<reg name=\"msp\" bitsize=\"32\" regnum=\"17\" type=\"data_ptr\"/>"
    "<reg name=\"psp\" bitsize=\"32\" type=\"data_ptr\"/></feature>"
    "<feature name=\"vendor.vfp\">"
    "<reg name=\"s0\" bitsize=\"32\" regnum=\"42\" type=\"float\"/>"
    "<reg name=\"s1\" bitsize=\"32\" type=\"float\"/>"
    "<reg name=\"d1\" bitsize=\"64\" type=\"ieee_double\"/>"
    "<reg name=\"fpscr\" bitsize=\"32\"/></feature>"
    "<feature name=\"vendor\"><reg name=\"odd\" bitsize=\"24\"/>"
    "<reg name=\"w\" bitsize=\"16\"/></feature></target>", &m_profile);
  if (!CHECK (t != NULL))
    {
      fprintf (stderr, "  %s", said);
      return;
    }
  check_reg (t, "R0", 0, 0, 4, TB_TDESC_CORE, TB_R0, 0);
  check_reg (t, "r13", 13, 52, 4, TB_TDESC_CORE, TB_SP, 0);
  check_reg (t, "r15", 15, 60, 4, TB_TDESC_CORE, TB_PC, 0);
  check_reg (t, "xPSR", 16, 64, 4, TB_TDESC_CORE, TB_PSR, 0);
  check_reg (t, "msp", 17, 68, 4, TB_TDESC_CORE, TB_MSP, 0);
  check_reg (t, "psp", 18, 72, 4, TB_TDESC_CORE, TB_PSP, 0);
  check_reg (t, "primask", 20, 76, 1, TB_TDESC_CORE, TB_PRIMASK, 0);
  check_reg (t, "basepri", 21, 77, 1, TB_TDESC_CORE, TB_BASEPRI, 0);
  check_reg (t, "control", 23, 78, 1, TB_TDESC_CORE, TB_CONTROL, 0);
  check_reg (t, "s0", 42, 79, 4, TB_TDESC_VECTOR, 0, 0);
  check_reg (t, "s1", 43, 83, 4, TB_TDESC_VECTOR, 0, 4);
  check_reg (t, "d1", 44, 87, 8, TB_TDESC_VECTOR, 1, 0);
  check_reg (t, "fpscr", 45, 95, 4, TB_TDESC_VECTOR, TB_FPSCR, 0);
  /* GDB takes what has no type of C for a long.  */
  check_reg (t, "odd", 46, 99, 4, TB_TDESC_NOT_FOLLOWED, 0, 0);
  check_reg (t, "w", 47, 103, 2, TB_TDESC_NOT_FOLLOWED, 0, 0);
  CHECK (t->stacks && !t->is_own);
  /* With MSP and PSP the block has the FP registers, which GDB reads first.  */
  CHECK_INT (t->size, 99);
  CHECK_INT (t->nblock, 26);
  CHECK_INT (t->count, 22);
  CHECK_INT (t->slots[t->pc].reg, TB_PC);
  CHECK_INT (t->slots[t->sp].gdb, 13);
  CHECK_INT (t->slots[t->psr].gdb, 16);
  CHECK_INT (tb_tdesc_slot (t, TB_CONTROL)->bit, 21);
  CHECK_INT (t->others, UINT64_C (0x3c00000) & ~(UINT64_C (1) << 21)
			& ~(UINT64_C (1) << 19));
  /* By what the names mean.  */
  struct tb_tdesc *own = tb_tdesc_own (&m_profile, NULL);
  CHECK_INT (tb_tdesc_translate (t, own, 16), 25);
  CHECK_INT (tb_tdesc_translate (own, t, 25), 16);
  CHECK_INT (tb_tdesc_translate (t, own, 17), TB_TDESC_BARE (TB_MSP));
  CHECK_INT (tb_tdesc_translate (t, own, 21), TB_TDESC_BARE (TB_BASEPRI));
  CHECK_INT (tb_tdesc_translate (t, own, 44), TB_TDESC_NOTHING);
  CHECK (tb_tdesc_translate (t, own, 19) == -1);
  tb_tdesc_free (own);
  /* What is handed on is the same description.  */
  struct tb_tdesc *again = parse (t->text, &m_profile);
  if (CHECK (again != NULL))
    {
      CHECK_STR (again->text, t->text);
      CHECK_INT (again->nregs, t->nregs);
    }
  tb_tdesc_free (again);
  tb_tdesc_free (t);
}

static void
test_types (void)
{
  struct tb_tdesc *t = parse (whole (&a64_profile,
    "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>"
    "<vector id=\"v16u\" type=\"uint8\" count=\"16\"/>"
    "<union id=\"vec\"><field name=\"f\" type=\"v4f\"/>"
    "<field name=\"u\" type=\"v16u\"/><field name=\"h\" type=\"ieee_half\"/></union>"
    "<struct id=\"pair\"><field name=\"a\" type=\"uint32\"/>"
    "<field name=\"b\" type=\"data_ptr\"/></struct>"
    "<struct id=\"bits\" size=\"4\"><field name=\"x\" start=\"0\" end=\"3\"/></struct>"
    "<flags id=\"fl\" size=\"8\"><field name=\"N\" start=\"0\" end=\"0\"/></flags>"
    "<enum id=\"en\" size=\"4\"><evalue name=\"one\" value=\"1\"/></enum>"
    "<reg name=\"v0\" bitsize=\"128\" type=\"vec\"/>"
    "<reg name=\"v31\" bitsize=\"128\" type=\"uint128\" regnum=\"70\"/>"
    "<reg name=\"p\" bitsize=\"96\" type=\"pair\"/>"
    "<reg name=\"b\" bitsize=\"32\" type=\"bits\"/>"
    "<reg name=\"f\" bitsize=\"64\" type=\"fl\"/>"
    "<reg name=\"e\" bitsize=\"32\" type=\"en\"/>"
    "<reg name=\"l\" bitsize=\"128\" type=\"float\"/>",
    "<feature name=\"g\"><reg name=\"fpcr\" bitsize=\"32\"/></feature>"),
    &a64_profile);
  if (!CHECK (t != NULL))
    {
      fprintf (stderr, "  %s", said);
      return;
    }
  check_reg (t, "x30", 30, 240, 8, TB_TDESC_CORE, TB_X30, 0);
  check_reg (t, "cpsr", 33, 264, 4, TB_TDESC_CORE, TB_PSTATE, 0);
  check_reg (t, "v0", 34, 268, 16, TB_TDESC_VECTOR, 0, 0);
  check_reg (t, "v31", 70, 284, 16, TB_TDESC_VECTOR, 31, 0);
  check_reg (t, "p", 71, 300, 12, TB_TDESC_NOT_FOLLOWED, 0, 0);
  check_reg (t, "b", 72, 312, 4, TB_TDESC_NOT_FOLLOWED, 0, 0);
  check_reg (t, "f", 73, 316, 8, TB_TDESC_NOT_FOLLOWED, 0, 0);
  check_reg (t, "e", 74, 324, 4, TB_TDESC_NOT_FOLLOWED, 0, 0);
  check_reg (t, "l", 75, 328, 16, TB_TDESC_NOT_FOLLOWED, 0, 0);
  check_reg (t, "fpcr", 76, 344, 4, TB_TDESC_VECTOR, TB_FPSCR, 0);
  /* The block ends behind what is followed.  */
  CHECK_INT (t->size, 0x10c);
  CHECK_INT (t->others, 0);
  tb_tdesc_free (t);
}

/* GDB's own description for those who have the registers of the FPA in their packets.  */
static void
test_slack (void)
{
  char text[8000];
  snprintf (text, sizeof text, "%s", whole (&m_profile, "", ""));
  char *psr = strstr (text, "<reg name=\"xpsr\"");
  strcpy (psr, "<reg name=\"\" bitsize=\"96\" type=\"arm_fpa_ext\" regnum=\"16\"/>");
  for (unsigned i = 0; i < 7; i++)
    strcat (psr, "<reg name=\"\" bitsize=\"96\" type=\"arm_fpa_ext\"/>");
  strcat (psr, "<reg name=\"\" bitsize=\"32\"/><reg name=\"xpsr\" bitsize=\"32\" "
	  "regnum=\"25\"/></feature></target>");
  struct tb_tdesc *t = parse (text, &m_profile);
  if (CHECK (t != NULL))
    {
      check_reg (t, "xpsr", 25, 164, 4, TB_TDESC_CORE, TB_PSR, 0);
      CHECK_INT (t->size, 0xa8);
      CHECK_INT (t->others, 0x1ff0000);
    }
  else
    fprintf (stderr, "  %s", said);
  tb_tdesc_free (t);
}

/* A description that puts another register before the status register has it in the
   block, and the bits of $unknown_registers are those of the block.  */
static void
test_before (void)
{
  struct tb_tdesc *t = parse (whole (&ar_profile, "",
    "<feature name=\"banked\"><reg name=\"q3\" bitsize=\"128\" regnum=\"70\" "
    "type=\"uint128\"/><reg name=\"sp_svc\" bitsize=\"32\" regnum=\"90\"/>"
    "</feature>"), &ar_profile);
  if (CHECK (t != NULL))
    {
      check_reg (t, "q3", 70, 68, 16, TB_TDESC_VECTOR, 6, 0);
      CHECK_INT (t->size, 0x44);
    }
  tb_tdesc_free (t);
  /* GDB has those of the FPA in its block wherever they stand, and no others.  */
  static const struct { const char *name; uint32_t size; } fpa[] = {
    { "f0", 0x50 }, { "f7", 0x50 }, { "fps", 0x50 }, { "f8", 0x44 }, { "f/", 0x44 },
    { "f00", 0x44 }, { "g0", 0x44 }
  };
  char text[8000];
  for (unsigned i = 0; i < sizeof fpa / sizeof fpa[0]; i++)
    {
      snprintf (text, sizeof text, "<feature name=\"fpa\"><reg name=\"%s\" bitsize=\"96\" "
		"regnum=\"70\" type=\"arm_fpa_ext\"/></feature>", fpa[i].name);
      t = parse (whole (&ar_profile, "", text), &ar_profile);
      if (CHECK (t != NULL) && !CHECK_INT (t->size, fpa[i].size))
	fprintf (stderr, "  %s\n", fpa[i].name);
      tb_tdesc_free (t);
    }
  snprintf (text, sizeof text, "%s", whole (&ar_profile, "", ""));
  char *cpsr = strstr (text, "<reg name=\"cpsr\"");
  memcpy (cpsr, "<reg name=\"zzzz\"", 16);
  char *end = strstr (text, "</feature>");
  strcpy (end, "<reg name=\"cpsr\" bitsize=\"32\" regnum=\"25\"/></feature></target>");
  t = parse (text, &ar_profile);
  if (CHECK (t != NULL))
    {
      CHECK_INT (t->size, 0x48);
      CHECK_INT (t->others, 0x10000);
      CHECK_INT (t->slots[t->psr].bit, 17);
      CHECK_INT (t->slots[t->psr].offset, 0x44);
    }
  tb_tdesc_free (t);
}

/* What is not known is handed on, in lines that a trace file can have.  */
static void
test_handed_on (void)
{
  static char rest[60000] = "<compatible>spu</compatible><odd a='1' b='&lt;&quot;'>";
  char word[101];
  memset (word, '&', 20);
  word[20] = '\0';
  for (unsigned i = 0; i < 500; i++)
    strcat (rest, "&amp;&#38;word ");
  strcat (rest, "<deeper/></odd>");
  struct tb_tdesc *t = parse (whole (&m_profile, "", rest), &m_profile);
  if (!CHECK (t != NULL))
    {
      fprintf (stderr, "  %s", said);
      return;
    }
  CHECK (strstr (t->text, "<compatible>spu</compatible>\n") != NULL);
  CHECK (strstr (t->text, "<odd a=\"1\" b=\"&lt;&quot;\">") != NULL);
  CHECK (strstr (t->text, "&amp;&amp;word") != NULL);
  size_t line = 0, longest = 0;
  for (size_t i = 0; i < t->length; i++)
    {
      line = t->text[i] == '\n' ? 0 : line + 1;
      longest = line > longest ? line : longest;
    }
  CHECK (longest < 990);
  tb_tdesc_free (t);
}

/* Which banked register the one in use is, by the mode of CPSR.  */
static void
test_in_use (void)
{
  enum { USR = 0x10, FIQ = 0x11, IRQ = 0x12, HYP = 0x1a, SYS = 0x1f };
  static const struct { uint8_t reg, part, mode; bool is; } rows[] = {
    { TB_SP, IRQ, IRQ, true }, { TB_SP, IRQ, FIQ, false }, { TB_SP, USR, USR, true },
    { TB_SP, USR, SYS, true }, { TB_SP, USR, IRQ, false }, { TB_SP, SYS, USR, false },
    { TB_R8, USR, IRQ, true }, { TB_R8, USR, FIQ, false }, { TB_R8, FIQ, FIQ, true },
    { TB_R12, USR, HYP, true }, { TB_R12, USR, FIQ, false }, { TB_R8, FIQ, USR, false },
    { TB_LR, USR, HYP, true }, { TB_SP, USR, HYP, false }, { TB_LR, USR, IRQ, false },
    { TB_LR, FIQ, HYP, false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_tdesc_reg reg = { .reg = rows[i].reg, .part = rows[i].part };
      struct tb_value psr = { .bits = 0x600001c0 | rows[i].mode, .mask = 0x1f,
			      .origin = TB_DERIVED };
      if (!CHECK_INT (tb_tdesc_in_use (&reg, &psr), rows[i].is))
	fprintf (stderr, "  row %zu\n", i);
      /* Of a mode that is not wholly known nothing is said.  */
      psr.mask = 0x1e;
      CHECK (!tb_tdesc_in_use (&reg, &psr));
      psr.mask = 0x1f;
      psr.origin = TB_UNKNOWN;
      CHECK (!tb_tdesc_in_use (&reg, &psr));
    }
}

/* Registers of a length that C has no type for are a long, or a double (GDB,
   target-descriptions.c).  */
static void
test_lengths (void)
{
  static const struct tb_profile a64 = { .arch = TB_ARCH_V8A, .has_a64 = true };
  static const struct { const char *type; unsigned bits, arm, a64; } rows[] = {
    { "int", 8, 1, 1 }, { "int", 16, 2, 2 }, { "int", 32, 4, 4 }, { "int", 64, 8, 8 },
    { "int", 7, 4, 8 }, { "int", 9, 4, 8 }, { "int", 24, 4, 8 }, { "float", 32, 4, 4 },
    { "float", 64, 8, 8 }, { "float", 128, 8, 16 }, { "float", 80, 8, 8 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned wide = 0; wide < 2; wide++)
      {
	char more[200];
	snprintf (more, sizeof more, "<feature name=\"x\"><reg name=\"odd\" bitsize="
		  "\"%u\" type=\"%s\"/><reg name=\"next\" bitsize=\"32\"/></feature>",
		  rows[i].bits, rows[i].type);
	const struct tb_profile *profile = wide ? &a64 : &m_profile;
	struct tb_tdesc *t = parse (whole (profile, "", more), profile);
	if (!CHECK (t != NULL))
	  {
	    fprintf (stderr, "  %s %u: %s", rows[i].type, rows[i].bits, said);
	    continue;
	  }
	const struct tb_tdesc_reg *odd = named (t, "odd"), *next = named (t, "next");
	if (!CHECK_INT (next->offset - odd->offset, wide ? rows[i].a64 : rows[i].arm))
	  fprintf (stderr, "  %s %u\n", rows[i].type, rows[i].bits);
	tb_tdesc_free (t);
      }
}

int
main (void)
{
  test_in_use ();
  test_lengths ();
  test_m ();
  test_types ();
  test_slack ();
  test_before ();
  test_handed_on ();
  return check_done ();
}
