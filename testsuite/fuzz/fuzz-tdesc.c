/* Target descriptions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "arm/machine/tdesc.h"

FUZZ_TARGET (tdesc)
{
  struct tb_profile profile;
  static const char *const cores[] = { "Cortex-M33", "Cortex-A15", "Cortex-A57" };
  for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
    {
      MUST (tb_profile_find (&profile, cores[i]));
      tb_tdesc_free (tb_tdesc_parse ((const char *) data, size, "input", &profile,
				     NULL));
    }
  return 0;
}
