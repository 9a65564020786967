/* Target descriptions that users give: what is in them, where it stands, and what is
   wrong in them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arm/machine/tdesc.h"
#include "check.h"

static const struct tb_profile m_profile
  = { TB_ARCH_V7EM, true, false, true, "Cortex-M4", 0 };
static const struct tb_profile ar_profile
  = { TB_ARCH_V7A, false, false, true, "Cortex-A9", 0 };
static const struct tb_profile a64_profile
  = { TB_ARCH_V8A, false, true, true, "Cortex-A53", 0 };

static char said[4096];

static void
take (void *context, enum tb_severity severity, const char *message)
{
  (void) context, (void) severity;
  size_t length = strlen (said);
  snprintf (said + length, sizeof said - length, "%s\n", message);
}

static struct tb_diag diag = { .report = take };

static struct tb_tdesc *
parse (const char *text, const struct tb_profile *profile)
{
  said[0] = '\0';
  return tb_tdesc_parse (text, strlen (text), "x.xml", profile, &diag);
}

/* A description with the core registers of PROFILE, MORE in its feature and REST behind
   it.  */
static const char *
whole (const struct tb_profile *profile, const char *more, const char *rest)
{
  static char text[200000];
  size_t n = 0, count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  if (profile->is_m)
    count = TB_PSR + 1;
  n += (size_t) snprintf (text + n, sizeof text - n, "<target><architecture>%s"
			  "</architecture>\n<feature name=\"org.gnu.gdb.%s\">",
			  profile->has_a64 ? "aarch64" : "arm",
			  profile->has_a64 ? "aarch64.core"
			  : profile->is_m ? "arm.m-profile" : "arm.core");
  for (size_t i = 0; i < count; i++)
    n += (size_t) snprintf (text + n, sizeof text - n,
			    "<reg name=\"%s\" bitsize=\"%d\"/>", regs[i].name,
			    regs[i].bits);
  snprintf (text + n, sizeof text - n, "%s</feature>%s</target>", more, rest);
  return text;
}

/* Is TEXT refused, with a message that has WANT in it?  */
static void
refuse (const char *text, const struct tb_profile *profile, const char *want)
{
  struct tb_tdesc *t = parse (text, profile);
  if (!CHECK (t == NULL) || !CHECK (strstr (said, want) != NULL))
    fprintf (stderr, "  expected \"%s\", said: %s", want, said);
  CHECK (strchr (said, '\n') == strrchr (said, '\n'));
  tb_tdesc_free (t);
}

/* The register NAME of T; NULL: none.  */
static const struct tb_tdesc_reg *
named (const struct tb_tdesc *t, const char *name)
{
  for (unsigned i = 0; i < t->nregs; i++)
    if (strcmp (t->regs[i].name, name) == 0)
      return &t->regs[i];
  return NULL;
}

static void
check_reg (const struct tb_tdesc *t, const char *name, unsigned number,
	   unsigned offset, unsigned size, enum tb_tdesc_kind kind, unsigned reg,
	   unsigned part)
{
  const struct tb_tdesc_reg *r = named (t, name);
  if (!CHECK (r != NULL))
    return;
  CHECK_INT (r->gdb, number);
  CHECK_INT (r->offset, offset);
  CHECK_INT (r->size, size);
  CHECK_INT (r->kind, kind);
  if (kind != TB_TDESC_NOT_FOLLOWED)
    CHECK_INT (r->reg, reg);
  CHECK_INT (r->part, part);
  CHECK (tb_tdesc_find (t, number) == r);
}

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
  char text[8000];
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

static void
test_refused (void)
{
  static char deep[20000], many[200000];
  refuse ("", &m_profile, "x.xml:1: expected a target description of");
  refuse ("<target", &m_profile, "x.xml:1: ");
  refuse ("<device/>", &m_profile, "x.xml:1: expected <target>, the root");
  refuse ("<target>\n<reg name=\"r0\" bitsize=\"32\"/></target>", &m_profile,
	  "x.xml:2: <reg> is expected elsewhere");
  refuse ("<target/>", &m_profile,
	  "x.xml: expected all core registers of Cortex-M4, found no r0 of 32 bits");
  refuse (whole (&a64_profile, "", ""), &m_profile,
	  "x.xml:1: <architecture>: expected arm, as Cortex-M4 is, found 'aarch64'");
  refuse (whole (&m_profile, "", ""), &a64_profile,
	  "expected aarch64, as Cortex-A53 is, found 'arm'");
  refuse (whole (&m_profile, "\n<reg name=\"pc\" bitsize=\"64\"/>", ""), &m_profile,
	  "x.xml:3: register pc: expected 32 bits, as Cortex-M4 has, found 64");
  refuse (whole (&m_profile, "\n<reg name=\"a\" bitsize=\"32\" regnum=\"3\"/>", ""),
	  &m_profile, "a number that no other one has, found 3");
  refuse (whole (&m_profile, "\n<reg name=\"a\" bitsize=\"32\" regnum=\"99999\"/>",
		 ""), &m_profile, "x.xml:3: <reg>: expected regnum=\"...\" with a number");
  refuse (whole (&m_profile, "<reg name=\"a\" bitsize=\"32\" "
		 "regnum=\"18446744073709551616\"/>", ""), &m_profile, "expected regnum");
  refuse (whole (&m_profile, "<reg name=\"a\" bitsize=\"-1\"/>", ""), &m_profile,
	  "expected bitsize=\"...\" with a number from 1 to 32768, found -1");
  refuse (whole (&m_profile, "<reg name=\"a\" bitsize=\"0\"/>", ""), &m_profile,
	  "expected bitsize");
  refuse (whole (&m_profile, "<reg bitsize=\"8\"/>", ""), &m_profile,
	  "<reg>: expected name=\"...\" of at most 100 characters, found none");
  refuse (whole (&m_profile, "<reg name=\"a\" bitsize=\"8\" type=\"what\"/>", ""),
	  &m_profile, "register a: expected a type that its feature defines");
  /* What GDB would reject.  */
  refuse (whole (&m_profile, "", "\n<feature name=\"org.gnu.gdb.arm.vfp\"><reg name=\"d0\" "
		 "bitsize=\"64\"/></feature>"), &m_profile,
	  "x.xml:3: feature org.gnu.gdb.arm.vfp: expected a register d1 in it");
  refuse (whole (&m_profile, "", "<feature name=\"org.gnu.gdb.arm.m-system\"><reg "
		 "name=\"msp\" bitsize=\"32\"/></feature>"), &m_profile,
	  "feature org.gnu.gdb.arm.m-system: expected a register psp in it");
  refuse (whole (&a64_profile, "", "<feature name=\"org.gnu.gdb.aarch64.fpu\"/>"),
	  &a64_profile, "feature org.gnu.gdb.aarch64.fpu: expected a register v0 in it");
  /* A type of another feature.  */
  refuse (whole (&m_profile, "<vector id=\"v\" type=\"int8\" count=\"2\"/>",
		 "<feature name=\"g\"><reg name=\"a\" bitsize=\"16\" type=\"v\"/>"
		 "</feature>"), &m_profile, "register a: expected a type");
  refuse (whole (&m_profile, "<vector id=\"v\" type=\"int8\" count=\"99999999\"/>", ""),
	  &m_profile, "<vector>: expected count");
  refuse (whole (&m_profile, "<vector id=\"v\" type=\"int64\" count=\"4096\"/>", ""),
	  &m_profile, "of at most 4096 bytes");
  refuse (whole (&m_profile, "<union id=\"u\"/>", ""), &m_profile,
	  "<union>: expected fields, or a size");
  refuse (whole (&m_profile, "<union id=\"u\"><field name=\"f\" type=\"u\"/></union>",
		 ""), &m_profile, "<field>: expected type");
  refuse (whole (&m_profile, "<xi:include href=\"other.xml\"/>", ""), &m_profile,
	  "expected a description in one piece");
  refuse ("<!DOCTYPE target [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>"
	  "<target>&b;</target>", &m_profile, "expected no declarations of entities");
  refuse ("<!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>&x;</target>", &m_profile,
	  "expected no entities, found &x;");
  memset (many, 'a', 500);
  many[500] = '\0';
  char *text = strdup (whole (&m_profile, "<reg name=\"r\" bitsize=\"8\" group=\"%s\"/>",
			      ""));
  snprintf (deep, sizeof deep, text, many);
  free (text);
  refuse (deep, &m_profile, "at most 120 characters");
  deep[0] = many[0] = '\0';
  for (unsigned i = 0; i < 3000; i++)
    strcpy (deep + 3 * i, "<x>");
  refuse (whole (&m_profile, deep, ""), &m_profile, "elements at most 16 deep");
  for (unsigned i = 0; i < 4100; i++)
    sprintf (many + strlen (many), "<reg name=\"a%u\" bitsize=\"8\"/>", i);
  refuse (whole (&m_profile, many, ""), &m_profile, "expected at most 4096 registers");
  many[0] = '\0';
  for (unsigned i = 0; i < 128; i++)
    sprintf (many + strlen (many), "<reg name=\"r0\" bitsize=\"32\" regnum=\"%u\"/>",
	     100 + i);
  refuse (whole (&m_profile, many, ""), &m_profile, "expected at most 127 core registers");
  many[0] = '\0';
  for (unsigned i = 0; i < 5; i++)
    sprintf (many + strlen (many), "<reg name=\"a%u\" bitsize=\"32768\" type=\"v\"/>", i);
  text = strdup (many);
  snprintf (many, sizeof many, "<vector id=\"v\" type=\"int8\" count=\"4096\"/>%s", text);
  free (text);
  refuse (whole (&m_profile, many, ""), &m_profile, "registers of at most 16384 bytes");
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

/* Files that include each other.  */
static char folder[] = "/tmp/test-tdesc-XXXXXX";

static void
write_text (const char *name, const char *text)
{
  char path[100];
  snprintf (path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen (path, "w");
  if (CHECK (out != NULL))
    {
      fputs (text, out);
      fclose (out);
    }
}

static struct tb_tdesc *
read_named (const char *name)
{
  char path[100];
  snprintf (path, sizeof path, "%s/%s", folder, name);
  said[0] = '\0';
  return tb_tdesc_read (path, &m_profile, &diag);
}

static void
refuse_file (const char *name, const char *want)
{
  struct tb_tdesc *t = read_named (name);
  if (!CHECK (t == NULL) || !CHECK (strstr (said, want) != NULL))
    fprintf (stderr, "  %s: expected \"%s\", said: %s", name, want, said);
  tb_tdesc_free (t);
}

static void
test_included (void)
{
  char text[8000], name[40];
  if (!CHECK (mkdtemp (folder) != NULL))
    return;
  const char *all = whole (&m_profile, "", "");
  const char *from = strstr (all, "<feature"), *to = strstr (all, "</target>");
  snprintf (text, sizeof text, "<?xml version=\"1.0\"?>\n<!DOCTYPE feature SYSTEM "
	    "\"gdb-target.dtd\">\n%.*s", (int) (to - from), from);
  write_text ("core.xml", text);
  write_text ("target.xml", "<target xmlns:xi=\"http://www.w3.org/2001/XInclude\">\n"
	      "<architecture>arm</architecture>\n<xi:include href=\"core.xml\">"
	      "<xi:fallback><reg/></xi:fallback></xi:include>\n<feature name=\"g\">"
	      "<reg name=\"more\" bitsize=\"32\"/></feature></target>");
  struct tb_tdesc *t = read_named ("target.xml");
  if (CHECK (t != NULL))
    {
      CHECK_INT (t->nregs, 18);
      CHECK_INT (t->nfiles, 1);
      CHECK (strstr (t->files[0], "core.xml") != NULL);
      check_reg (t, "more", 17, 68, 4, TB_TDESC_NOT_FOLLOWED, 0, 0);
      CHECK (strstr (t->text, "include") == NULL);
      CHECK (strstr (t->text, "fallback") == NULL);
      CHECK (strstr (strstr (t->text, "DOCTYPE") + 7, "DOCTYPE") == NULL);
      struct tb_tdesc *again = parse (t->text, &m_profile);
      CHECK (again != NULL && again->nregs == 18);
      tb_tdesc_free (again);
    }
  else
    fprintf (stderr, "  %s", said);
  tb_tdesc_free (t);

  write_text ("a.xml", "<target><xi:include href=\"b.xml\"/></target>");
  write_text ("b.xml", "<feature name=\"b\">\n<xi:include href=\"c.xml\"/></feature>");
  write_text ("c.xml", "<xi:include href=\"b.xml\"/>");
  refuse_file ("a.xml", "c.xml:1: 'b.xml' includes itself");
  write_text ("self.xml", "<target>\n\n<xi:include href=\"self.xml\"/></target>");
  refuse_file ("self.xml", "self.xml:3: 'self.xml' includes itself");
  static const char *const outside[] = { "../core.xml", "/etc/passwd", "..", "",
					 "./core.xml", "sub/core.xml" };
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
    {
      snprintf (text, sizeof text, "<target><xi:include href=\"%s\"/></target>",
		outside[i]);
      write_text ("out.xml", text);
      refuse_file ("out.xml", "out.xml:1: expected to include a file of the same folder");
    }
  write_text ("none.xml", "<target><xi:include href=\"missing.xml\"/></target>");
  refuse_file ("none.xml", "missing.xml");
  write_text ("none.xml", "<target><xi:include/></target>");
  refuse_file ("none.xml", "expected it in a description, with href");
  write_text ("part.xml", "<feature name=\"b\">");
  write_text ("whole.xml", "<target><xi:include href=\"part.xml\"/></target>");
  refuse_file ("whole.xml", "part.xml:1: ");
  /* Each includes the next one twice: that doubles with each file.  */
  for (unsigned i = 0; i < 12; i++)
    {
      snprintf (name, sizeof name, "l%u.xml", i);
      snprintf (text, sizeof text, "<%s>%s<xi:include href=\"l%u.xml\"/>"
		"<xi:include href=\"l%u.xml\"/></%s>", i == 0 ? "target" : "odd", "",
		i + 1, i + 1, i == 0 ? "target" : "odd");
      write_text (name, text);
    }
  write_text ("l12.xml", "<odd/>");
  refuse_file ("l0.xml", "expected ");
  /* A whole description where a part is expected.  */
  write_text ("twice.xml", "<target><xi:include href=\"target.xml\"/></target>");
  refuse_file ("twice.xml", "<target> is expected elsewhere");
  refuse_file ("not-there.xml", "not-there.xml");
  snprintf (text, sizeof text, "rm -r %s", folder);
  CHECK_INT (system (text), 0);
}

/* Whatever bytes there are, there is a description or a message.  */
static void
test_noise (void)
{
  uint32_t seed = 1;
  char *text = strdup (whole (&m_profile, "<union id=\"u\"><field name=\"f\" "
			      "type=\"int8\"/></union><reg name=\"q\" bitsize=\"8\" "
			      "type=\"u\" regnum=\"40\"/>", "<odd>text &amp; more</odd>"));
  size_t length = strlen (text);
  for (unsigned i = 0; i < 3000; i++)
    {
      char *copy = malloc (length);
      memcpy (copy, text, length);
      for (unsigned k = 0; k < 1 + i % 3; k++)
	{
	  seed = seed * 1664525 + 1013904223;
	  copy[(seed >> 8) % length] = (char) (seed >> 3);
	}
      seed = seed * 1664525 + 1013904223;
      size_t n = i % 5 == 0 ? (seed >> 8) % length : length;
      said[0] = '\0';
      struct tb_tdesc *t = tb_tdesc_parse (copy, n, "x.xml", &m_profile, &diag);
      CHECK ((t == NULL) == (said[0] != '\0'));
      tb_tdesc_free (t);
      free (copy);
    }
  free (text);
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
  test_refused ();
  test_handed_on ();
  test_included ();
  test_noise ();
  return check_done ();
}
