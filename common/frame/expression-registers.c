/* Expressions: the names of registers.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/expression-internal.h"

/* Other names of registers, as GDB has them.  */
static const struct { char name[4]; uint8_t a32, a64; } aliases[] = {
  { "a1", 0, 255 }, { "a2", 1, 255 }, { "a3", 2, 255 }, { "a4", 3, 255 },
  { "v1", 4, 255 }, { "v2", 5, 255 }, { "v3", 6, 255 }, { "v4", 7, 255 },
  { "v5", 8, 255 }, { "v6", 9, 255 }, { "v7", 10, 255 }, { "v8", 11, 255 },
  { "sb", 9, 255 }, { "sl", 10, 255 }, { "fp", 11, 29 }, { "ip", 12, 255 },
  { "ip0", 255, 16 }, { "ip1", 255, 17 }, { "lr", 14, 30 }
};

const struct tb_tdesc_slot *
tb_register_named (const struct tb_compiler *c, const char *name, size_t length,
		   unsigned *size)
{
  const struct tb_tdesc *tdesc = c->tdesc;
  const struct tb_tdesc_slot *slot;
  bool wide = c->address_size == 8;
  size_t nregs;
  const struct tb_reg_info *regs = tb_regs (&tdesc->profile, &nregs);
  for (unsigned i = 0; i < nregs; i++)
    {
      slot = tb_tdesc_slot (tdesc, i);
      if (slot == NULL)
	continue;
      *size = slot->size;
      if (tb_is_text (name, length, regs[i].name)
	  || (slot == &tdesc->slots[tdesc->psr] && tb_is_text (name, length, "ps")))
	return slot;
      /* $w0 is the low half of $x0.  */
      if (wide && i < 31 && length >= 2 && name[0] == 'w'
	  && tb_is_text (name + 1, length - 1, regs[i].name + 1))
	{
	  *size = 4;
	  return slot;
	}
    }
  for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
    {
      uint8_t reg = wide ? aliases[i].a64 : aliases[i].a32;
      if (reg != 255 && tb_is_text (name, length, aliases[i].name))
	{
	  slot = tb_tdesc_slot (tdesc, reg);
	  *size = slot->size;
	  return slot;
	}
    }
  /* What the description calls them.  */
  for (unsigned i = 0; i < tdesc->nblock; i++)
    if (tdesc->regs[i].slot >= 0 && tb_is_text (name, length, tdesc->regs[i].name))
      {
	slot = &tdesc->slots[tdesc->regs[i].slot];
	*size = slot->size;
	return slot;
      }
  return NULL;
}
