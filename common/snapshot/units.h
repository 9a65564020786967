/* Which units of an ELF file's debugging information have code where (private to the
   snapshot part).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DWARF 5, 2.17 (code addresses).  The ranges are those that each
   unit states of itself, because some compilers do not write the table of addresses
   (.debug_aranges) that libdw reads.  */

#ifndef TB_SNAPSHOT_UNITS_H
#define TB_SNAPSHOT_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tb_unit_range
{
  uint64_t low, high;		/* 0 and UINT64_MAX: it does not say where.  */
  Dwarf_Die unit;
};

/* Zero-initialise.  */
struct tb_units
{
  struct tb_unit_range *ranges;	/* By LOW.  */
  size_t count, capacity;
};

/* List those of DWARF, whose addresses BIAS is to be added to.  False: no memory for all
   of them.  */
bool tb_units_list (struct tb_units *units, Dwarf *dwarf, uint64_t bias);
void tb_units_fini (struct tb_units *units);

/* The range that holds ADDRESS; NULL: none says so.  */
struct tb_unit_range *tb_units_at (const struct tb_units *units,
				   uint64_t address);

#endif /* TB_SNAPSHOT_UNITS_H */
