/* Registers by their names: each view of them understands each name that they have.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ctype.h>

#include "frame/expression.h"
#include "snapshot/snapshot.h"
#include "state/evidence/halt.h"
#include "state/explain/why.h"
#include "tdesc-text.h"

#define NONE -1

/* FILES: snapshots and descriptions of targets have the name; else only users type it.  */
static const struct
{
  const char *name;
  bool files;
  int m, ar, a64, size64;	/* Registers, and the bytes that it is of A64.  */
} rows[] = {
  { "r0", true, TB_R0, TB_R0, NONE, 0 },
  { "r12", true, TB_R12, TB_R12, NONE, 0 },
  { "r13", true, TB_SP, TB_SP, NONE, 0 },
  { "r14", true, TB_LR, TB_LR, NONE, 0 },
  { "r15", true, TB_PC, TB_PC, NONE, 0 },
  { "r16", true, NONE, NONE, NONE, 0 },
  { "x0", true, NONE, NONE, TB_X0, 8 },
  { "x30", true, NONE, NONE, TB_X30, 8 },
  { "x31", false, NONE, NONE, TB_SP64, 8 },
  { "x32", true, NONE, NONE, NONE, 0 },
  { "sp", true, TB_SP, TB_SP, TB_SP64, 8 },
  { "lr", true, TB_LR, TB_LR, TB_X30, 8 },
  { "pc", true, TB_PC, TB_PC, TB_PC64, 8 },
  { "psr", true, TB_PSR, TB_PSR, TB_PSTATE, 4 },
  { "xpsr", true, TB_PSR, TB_PSR, NONE, 0 },
  { "cpsr", true, TB_PSR, TB_PSR, TB_PSTATE, 4 },
  { "pstate", true, NONE, NONE, TB_PSTATE, 4 },
  { "ps", false, TB_PSR, TB_PSR, TB_PSTATE, 4 },
  { "fp", true, TB_R11, TB_R11, TB_X0 + 29, 8 },
  { "sb", true, TB_R9, TB_R9, NONE, 0 },
  { "sl", true, TB_R10, TB_R10, NONE, 0 },
  { "ip", true, TB_R12, TB_R12, NONE, 0 },
  { "ip0", true, NONE, NONE, TB_X0 + 16, 8 },
  { "ip1", true, NONE, NONE, TB_X0 + 17, 8 },
  { "a1", false, TB_R0, TB_R0, NONE, 0 },
  { "a4", false, TB_R3, TB_R3, NONE, 0 },
  { "v1", false, TB_R4, TB_R4, NONE, 0 },
  { "v8", false, TB_R11, TB_R11, NONE, 0 },
  { "w0", false, NONE, NONE, TB_X0, 4 },
  { "w30", false, NONE, NONE, TB_X30, 4 },
  { "w31", false, NONE, NONE, NONE, 0 },
  { "wsp", false, NONE, NONE, TB_SP64, 4 },
  { "msp", true, TB_MSP, NONE, NONE, 0 },
  { "basepri", true, TB_BASEPRI, NONE, NONE, 0 }
};

static void
capitals (char *text, size_t size, const char *name)
{
  size_t i = 0;
  for (; i + 1 < size && name[i] != '\0'; i++)
    text[i] = (char) toupper ((unsigned char) name[i]);
  text[i] = '\0';
}

/* The registers at the halt: of a device that has this one alone, in capitals.  */
static void
check_halt (const struct tb_profile *profile, const char *name, int number)
{
  char text[16];
  capitals (text, sizeof text, name);
  struct tb_device_reg reg = { .name = text, .value = 0x1234, .bits = 32 };
  const struct tb_device core = { .regs = &reg, .nregs = 1 };
  struct tb_value values[TB_NREGS_MAX] = { { .bits = 0 } };
  tb_state_at_halt (&core, profile, values);
  for (int i = 0; i < TB_NREGS_MAX; i++)
    CHECK_INT (values[i].bits, i == number ? 0x1234 : 0);
}

/* A description that calls the register so.  */
static void
check_description (const struct tb_profile *profile, const char *name, int number)
{
  char more[200], text[16];
  size_t count;
  capitals (text, sizeof text, name);
  unsigned bits = number >= 0 ? tb_regs (profile, &count)[number].bits : 32;
  snprintf (more, sizeof more, "<feature name=\"more\"><reg name=\"%s\" bitsize=\"%u\"/></feature>",
	    text, bits);
  struct tb_tdesc *t = parse (whole (profile, "", more), profile);
  /* Where it is there twice, that is told.  */
  const struct tb_tdesc_reg *reg = t != NULL ? named (t, text) : NULL;
  bool is_core = reg != NULL && reg->kind == TB_TDESC_CORE;
  CHECK_INT (is_core ? reg->reg : NONE, number);
  tb_tdesc_free (t);
}

/* An expression with the register: it has the size of the name.  */
static void
check_expression (const struct tb_profile *profile, const char *name, int number, int size)
{
  char text[20];
  struct tb_tdesc *own = tb_tdesc_own (profile, NULL);
  struct tb_expression_scope scope = { .tdesc = own };
  struct tb_expression code = { .code = NULL }, same = { .code = NULL };
  struct tb_expression_error error;
  size_t count;
  bool described = number >= 0 && tb_tdesc_slot (own, (unsigned) number) != NULL;
  snprintf (text, sizeof text, "$%s", name);
  bool found = tb_expression_compile (text, strlen (text), &scope, &code, NULL, &error);
  if (CHECK_INT (found, described) && found)
    {
      const struct tb_reg_info *regs = tb_regs (profile, &count);
      snprintf (text, sizeof text, "$%s", regs[number].name);
      CHECK (tb_expression_compile (text, strlen (text), &scope, &same, NULL, &error));
      bool is_same = code.length == same.length && memcmp (code.code, same.code, same.length) == 0;
      CHECK_INT (is_same, size == regs[number].bits / 8);
      tb_expression_fini (&same);
    }
  tb_expression_fini (&code);
  tb_tdesc_free (own);
}

static void
check_name (size_t i, const struct tb_profile *profile, int number)
{
  char text[16];
  unsigned size = 0;
  int told = profile->has_a64 ? rows[i].size64 : 4;
  int in_files = rows[i].files ? number : NONE;
  struct tb_why_query query = { .size = 0 };
  unsigned before = check_failures;
  capitals (text, sizeof text, rows[i].name);
  CHECK_INT (tb_reg_number (profile, rows[i].name), in_files);
  CHECK_INT (tb_reg_number (profile, text), in_files);
  if (CHECK_INT (tb_reg_typed (profile, rows[i].name, &size), number) && number >= 0)
    CHECK_INT (size, told);
  check_halt (profile, rows[i].name, in_files);
  check_description (profile, rows[i].name, in_files);
  check_expression (profile, rows[i].name, number, told);
  bool is_register = tb_why_parse (&query, profile, rows[i].name)
		     && query.kind == TB_WHY_REGISTER;
  CHECK_INT (is_register ? query.number : NONE, number);
  if (is_register)
    CHECK_INT (query.size, told);
  if (check_failures != before)
    fprintf (stderr, "  %s of %s\n", rows[i].name, profile->name);
}

/* Of a register that a device has by two names, its own counts, wherever it stands.  */
static void
test_twice (void)
{
  struct tb_device_reg regs[] = {
    { .name = "R13", .value = 1, .bits = 32 }, { .name = "SP", .value = 2, .bits = 32 },
    { .name = "R14", .value = 3, .bits = 32 }
  };
  const struct tb_device core = { .regs = regs, .nregs = 3 };
  struct tb_value values[TB_NREGS_MAX] = { { .bits = 0 } };
  tb_state_at_halt (&core, &m_profile, values);
  CHECK_INT (values[TB_SP].bits, 2);
  CHECK_INT (values[TB_LR].bits, 3);
}

/* Registers of AArch64 that have the numbers of MSP and PSP are integers.  */
static void
test_types (void)
{
  static const struct { const char *text; bool right; } types[] = {
    { "$x17 * 2", true }, { "$x18 * 2", true }, { "$wsp * 2", true }, { "$sp * 2", false },
    { "$pc * 2", false }
  };
  struct tb_tdesc *own = tb_tdesc_own (&a64_profile, NULL);
  struct tb_expression_scope scope = { .tdesc = own };
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    {
      struct tb_expression code = { .code = NULL };
      struct tb_expression_error error;
      CHECK_INT (tb_expression_compile (types[i].text, strlen (types[i].text), &scope, &code, NULL,
					&error), types[i].right);
      tb_expression_fini (&code);
    }
  tb_tdesc_free (own);
}

int
main (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      check_name (i, &m_profile, rows[i].m);
      check_name (i, &ar_profile, rows[i].ar);
      check_name (i, &a64_profile, rows[i].a64);
    }
  test_twice ();
  test_types ();
  return check_done ();
}
