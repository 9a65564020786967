/* Registers of cores at the halt that cannot be, or are told in two ways.  See session-cores.h.

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

/* The bits 64 and up of a register are not compared: none of those that have several names has
   them.  */
static bool
is_same (const struct tb_device_reg *a, const struct tb_device_reg *b)
{
  return a->value == b->value && (bits_needed (a) > 64) == (bits_needed (b) > 64);
}

/* Forget the register NUMBER of DEVICE, a core of PROFILE, by all its names.  */
static bool
forget_all (struct tb_snapshot *snapshot, const struct tb_device *device,
	    const struct tb_profile *profile, int number)
{
  for (size_t k = device->nregs; k-- > 0;)
    if (tb_reg_number (profile, device->regs[k].name) == number
	&& !tb_snapshot_forget_reg (snapshot, device, k))
      return false;
  return true;
}

/* Which of two values is right nobody can say.  Each name is looked up once: a core file has a core
   for each thread.  */
static bool
check_names (struct tb_session *s, const struct tb_device *device,
	     const struct tb_profile *profile, struct tb_diag *diag)
{
  const struct tb_device_reg *first[TB_NREGS_MAX] = { NULL };
  for (size_t i = 0; i < device->nregs; i++)
    {
      const struct tb_device_reg *other = &device->regs[i];
      int number = tb_reg_number (profile, other->name);
      const struct tb_device_reg *reg = number >= 0 ? first[number] : other;
      if (reg == NULL)
	first[number] = other;
      if (reg == NULL || is_same (reg, other))
	continue;
      tb_warning (diag, "%s: [regs] %s: expected one value of this register, found %#" PRIx64
		  ", and %#" PRIx64 " of %s, which is the same; the register is unknown",
		  device->file, reg->name, reg->value, other->value, other->name);
      /* The registers behind it move up; no more than TB_NREGS_MAX can go so.  */
      return forget_all (&s->snapshot, device, profile, number)
	     && check_names (s, device, profile, diag);
    }
  return true;
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
  return check_names (s, device, profile, diag);
}
