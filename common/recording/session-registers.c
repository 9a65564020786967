/* Registers of cores at the halt that cannot be.  See session-cores.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-cores.h"

#include <inttypes.h>

#include "arm/machine/regs.h"
#include "snapshot/snapshot.h"

/* How many bits the value of REG needs.  */
static unsigned
bits_needed (const struct tb_device_reg *reg)
{
  unsigned bits = reg->bits;
  while (bits > 0 && (reg->bytes[(bits - 1) / 8] >> (bits - 1) % 8 & 1) == 0)
    bits--;
  return bits;
}

bool
tb_session_check_registers (struct tb_session *s, const struct tb_device *device,
			    const struct tb_profile *profile, struct tb_diag *diag)
{
  for (size_t i = 0; i < device->nregs;)
    {
      const struct tb_device_reg *reg = &device->regs[i];
      int number = tb_reg_number (profile, reg->name);
      unsigned room = number >= 0 ? tb_reg_room (profile, number) : reg->bits;
      if (reg->bits <= room || bits_needed (reg) <= room)
	{
	  i++;
	  continue;
	}
      tb_warning (diag, "%s: [regs] %s: expected a value of %u bits, which this register of a %s "
		  "has, found one of %u, whose low 64 are %#" PRIx64 "; the register is unknown",
		  device->file, reg->name, room, device->type, bits_needed (reg), reg->value);
      if (!tb_snapshot_forget_reg (&s->snapshot, device, i))
	return false;
    }
  return true;
}
