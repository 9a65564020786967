/* Target descriptions as texts, and what is said of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_TDESC_TEXT_H
#define TB_UNIT_TDESC_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arm/machine/tdesc.h"
#include "check.h"

static const struct tb_profile m_profile
  = { TB_ARCH_V7EM, true, false, true, "Cortex-M4", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 };
static const struct tb_profile ar_profile
  = { TB_ARCH_V7A, false, false, true, "Cortex-A9", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 };
static const struct tb_profile a64_profile
  = { TB_ARCH_V8A, false, true, true, "Cortex-A53", TB_ETE_PERHAPS, TB_M_ETM_ANY, 0 };

static char said[4096];

static inline void
take (void *context, enum tb_severity severity, const char *message)
{
  (void) context, (void) severity;
  size_t length = strlen (said);
  snprintf (said + length, sizeof said - length, "%s\n", message);
}

static struct tb_diag diag = { .report = take };

static inline struct tb_tdesc *
parse (const char *text, const struct tb_profile *profile)
{
  said[0] = '\0';
  return tb_tdesc_parse (text, strlen (text), "x.xml", profile, &diag);
}

/* A description with the core registers of PROFILE, MORE in its feature and REST behind
   it.  */
static inline const char *
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
static inline void
refuse (const char *text, const struct tb_profile *profile, const char *want)
{
  struct tb_tdesc *t = parse (text, profile);
  if (!CHECK (t == NULL) || !CHECK (strstr (said, want) != NULL))
    fprintf (stderr, "  expected \"%s\", said: %s", want, said);
  CHECK (strchr (said, '\n') == strrchr (said, '\n'));
  tb_tdesc_free (t);
}

/* The register NAME of T; NULL: none.  */
static inline const struct tb_tdesc_reg *
named (const struct tb_tdesc *t, const char *name)
{
  for (unsigned i = 0; i < t->nregs; i++)
    if (strcmp (t->regs[i].name, name) == 0)
      return &t->regs[i];
  return NULL;
}

static inline void
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

#endif /* TB_UNIT_TDESC_TEXT_H */
