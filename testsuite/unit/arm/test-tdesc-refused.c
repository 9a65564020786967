/* Target descriptions that users give: files that include each other, and what is
   refused.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "tdesc-text.h"

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
  /* GDB 13 leaves out descriptions with each of these.  */
  static const struct { const char *type, *said; } bits[] = {
    { "<flags id=\"f\" size=\"8\"><field name=\"a\" start=\"0\" end=\"64\"/></flags>",
      "expected end=\"...\" with a number from 0 to 63, found 64" },
    { "<flags id=\"f\" size=\"4\"><field name=\"a\" start=\"0\" end=\"32\"/></flags>",
      "expected some of the 32 bits of the type" },
    { "<flags id=\"f\" size=\"4\"><field name=\"a\" start=\"5\" end=\"2\"/></flags>",
      "found start=\"5\" end=\"2\"" },
    { "<flags id=\"f\" size=\"4\"><field name=\"a\" start=\"3\"/></flags>",
      "expected end=\"...\" with a number from 0 to 63, found none" },
    { "<flags id=\"f\" size=\"4\"><field name=\"a\" type=\"int8\"/></flags>",
      "expected start=\"...\" with a number from 0 to 63, found none" },
    { "<struct id=\"s\" size=\"4\"><field name=\"a\" end=\"3\"/></struct>",
      "expected start=\"...\"" },
    { "<struct id=\"s\" size=\"4\"><field name=\"a\" start=\"x\" end=\"3\"/></struct>",
      "expected start=\"...\" with a number from 0 to 63, found x" },
    { "<struct id=\"s\"><field name=\"a\" type=\"int8\"/>"
      "<field name=\"b\" start=\"0\" end=\"3\"/></struct>",
      "in types that have a size alone" },
    { "<union id=\"u\" size=\"4\"><field name=\"a\" start=\"0\" end=\"3\"/></union>",
      "in types that have a size alone" },
    { "<enum id=\"e\" size=\"4\"><evalue name=\"x\" value=\"-1\"/></enum>",
      "<evalue>: expected value=\"...\" with a number from 0 to 2147483647, found -1" },
    { "<enum id=\"e\" size=\"4\"/>", "<enum>: expected at least one <evalue>" },
  };
  for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
    refuse (whole (&m_profile, bits[i].type, ""), &m_profile, bits[i].said);
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

int
main (void)
{
  test_refused ();
  test_included ();
  test_noise ();
  return check_done ();
}
