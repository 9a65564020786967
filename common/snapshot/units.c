/* Units by address.  See units.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "util/buffer.h"
#include "util/search.h"

/* The most ranges of code of all units of a file.  */
#define RANGES_MAX ((size_t) 1 << 22)

static bool
add_range (struct tb_units *units, uint64_t low, uint64_t high,
	   const Dwarf_Die *unit)
{
  if (units->count == RANGES_MAX)
    return true;
  bool ok = TB_GROW (units->ranges, units->capacity, units->count, 1);
  if (ok)
    units->ranges[units->count++] = (struct tb_unit_range) { low, high, *unit };
  return ok;
}

static int
by_low (const void *x, const void *y)
{
  const struct tb_unit_range *a = x, *b = y;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  return a->high < b->high ? -1 : a->high > b->high;
}

bool
tb_units_list (struct tb_units *units, Dwarf *dwarf, uint64_t bias)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  uint8_t kind;
  bool ok = true;
  errno = 0;
  while (ok
	 && dwarf_get_units (dwarf, unit, &unit, NULL, &kind, &die, NULL)
	    == 0)
    {
      Dwarf_Addr base, low, high;
      ptrdiff_t at = 0;
      size_t before = units->count;
      if (kind != DW_UT_compile && kind != DW_UT_skeleton)
	continue;
      while (ok && (at = dwarf_ranges (&die, at, &base, &low, &high)) > 0)
	ok = add_range (units, low + bias, high + bias, &die);
      if (ok && units->count == before)
	ok = add_range (units, 0, UINT64_MAX, &die);
    }
  if (units->count > 0)
    qsort (units->ranges, units->count, sizeof *units->ranges, by_low);
  /* What elfutils lacks memory for it leaves out.  */
  return ok && errno != ENOMEM;
}

void
tb_units_fini (struct tb_units *units)
{
  free (units->ranges);
  *units = (struct tb_units) { 0 };
}

struct tb_unit_range *
tb_units_at (const struct tb_units *units, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, units->count, units->ranges[low].low <= address);
  struct tb_unit_range *range = low > 0 ? &units->ranges[low - 1] : NULL;
  return range != NULL && address < range->high
	 && !(range->low == 0 && range->high == UINT64_MAX) ? range : NULL;
}
