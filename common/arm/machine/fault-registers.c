/* Fault registers.  See fault-registers.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/machine/fault-registers.h"

#include <inttypes.h>
#include <string.h>

#include "util/number.h"

struct bit
{
  uint8_t number;
  const char *name, *says;
};

struct fault_register
{
  const char *name;
  uint32_t address;
  bool v8;			/* It is there from ARMv8-M on.  */
  const struct bit *bits;	/* The last has no name.  */
};

static const struct bit cfsr[] = {
  { 0, "IACCVIOL", "an instruction where none may be fetched" },
  { 1, "DACCVIOL", "an access that the MPU forbids" },
  { 3, "MUNSTKERR", "an MPU fault on exception return" },
  { 4, "MSTKERR", "an MPU fault on exception entry" },
  { 5, "MLSPERR", "an MPU fault while FP registers were saved" },
  { 8, "IBUSERR", "a bus error of an instruction fetch" },
  { 9, "PRECISERR", "a bus error of the instruction at the PC" },
  { 10, "IMPRECISERR", "a bus error of an earlier instruction" },
  { 11, "UNSTKERR", "a bus error on exception return" },
  { 12, "STKERR", "a bus error on exception entry" },
  { 13, "LSPERR", "a bus error while FP registers were saved" },
  { 16, "UNDEFINSTR", "an undefined instruction" },
  { 17, "INVSTATE", "a branch to an address without bit 0, or a bad EPSR" },
  { 18, "INVPC", "a return from an exception that is not allowed" },
  { 19, "NOCP", "a coprocessor that is off" },
  { 20, "STKOF", "a stack below its limit" },
  { 24, "UNALIGNED", "an unaligned access" },
  { 25, "DIVBYZERO", "a division by zero" },
  { 0, NULL, NULL }
};

static const struct bit hfsr[] = {
  { 1, "VECTTBL", "a bus error of a read from the vector table" },
  { 30, "FORCED", "another fault whose handler could not run" },
  { 31, "DEBUGEVT", "a debug event, as a BKPT, while debugging was off" },
  { 0, NULL, NULL }
};

static const struct bit sfsr[] = {
  { 0, "INVEP", "a call into secure code not by an SG" },
  { 1, "INVIS", "a bad signature in a frame" },
  { 2, "INVER", "an EXC_RETURN that is not allowed" },
  { 3, "AUVIOL", "an access that the SAU forbids" },
  { 4, "INVTRAN", "a branch out of secure code that is not allowed" },
  { 5, "LSPERR", "an SAU fault while FP registers were saved" },
  { 7, "LSERR", "a wrong state of saved FP registers" },
  { 0, NULL, NULL }
};

/* In the order that they are told.  */
static const struct fault_register registers[] = {
  { "HFSR", 0xe000ed2c, false, hfsr },
  { "CFSR", 0xe000ed28, false, cfsr },
  { "SFSR", 0xe000ede4, true, sfsr }
};

/* Of the addresses each counts only if a bit says so.  */
static const struct
{
  const char *name, *in;
  uint32_t address, valid;	/* Bit VALID of register IN.  */
} addresses[] = {
  { "MMFAR", "CFSR", 0xe000ed34, UINT32_C (1) << 7 },
  { "BFAR", "CFSR", 0xe000ed38, UINT32_C (1) << 15 },
  { "SFAR", "SFSR", 0xe000ede8, UINT32_C (1) << 6 }
};

static bool
value_of (const struct tb_device *core, const struct tb_memmap *map, const char *name,
	  uint32_t address, uint32_t *value)
{
  const struct tb_device_reg *reg = tb_device_reg (core, name);
  const struct tb_region *region = NULL;
  uint64_t length;
  const uint8_t *bytes = NULL;
  if (reg != NULL)
    {
      *value = (uint32_t) reg->value;
      return true;
    }
  if (map != NULL)
    bytes = tb_memmap_at (map, TB_SPACE_ANY, address, &length, &region);
  if (bytes == NULL || length < 4 || !region->halt_contents)
    return false;
  *value = tb_number_32 (bytes);
  return true;
}

/* Append the addresses that VALUE of the register NAME calls valid.  */
static void
put_addresses (struct tb_buffer *text, const struct tb_device *core,
	       const struct tb_memmap *map, const char *name, uint32_t value)
{
  uint32_t address;
  for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
    if (strcmp (addresses[i].in, name) == 0 && value & addresses[i].valid
	&& value_of (core, map, addresses[i].name, addresses[i].address, &address))
      tb_buffer_printf (text, "; %s 0x%08" PRIx32, addresses[i].name, address);
}

void
tb_fault_registers_text (struct tb_buffer *text, const struct tb_device *core,
		const struct tb_memmap *map, const struct tb_profile *profile,
		const char *prefix)
{
  /* The others have no such registers.  */
  bool mainline = profile->is_m && tb_profile_groups (profile) & 1u << TB_GROUP_NOT_BASELINE;
  for (size_t i = 0; i < sizeof registers / sizeof registers[0] && mainline; i++)
    {
      const struct fault_register *r = &registers[i];
      uint32_t value;
      if (r->v8 && !(tb_profile_groups (profile) & 1u << TB_GROUP_V8M_MAIN))
	continue;
      if (!value_of (core, map, r->name, r->address, &value) || value == 0)
	continue;
      tb_buffer_printf (text, "%s%s 0x%08" PRIx32, prefix, r->name, value);
      const char *between = ": ";
      for (const struct bit *b = r->bits; b->name != NULL; b++)
	if (value >> b->number & 1)
	  {
	    tb_buffer_printf (text, "%s%s (%s)", between, b->name, b->says);
	    between = ", ";
	  }
      put_addresses (text, core, map, r->name, value);
      tb_buffer_printf (text, "\n");
    }
}
