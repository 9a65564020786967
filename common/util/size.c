/* Sizes in bytes.  See size.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/size.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
tb_size_parse (const char *text, uint64_t *size)
{
  static const char units[] = "KMGT";
  char *end;
  errno = 0;
  unsigned long long value = strtoull (text, &end, 10);
  if (end == text || *text == '-' || errno != 0 || value == 0)
    return false;
  const char *unit = *end != '\0' ? strchr (units, *end) : NULL;
  unsigned shift = unit != NULL ? 10 * (unsigned) (unit - units + 1) : 0;
  if (end[unit != NULL] != '\0' || value > UINT64_MAX >> shift)
    return false;
  *size = (uint64_t) value << shift;
  return true;
}
