/* Expressions: the names of registers.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/expression-internal.h"

#include <ctype.h>

/* The register of the core that the LENGTH characters NAME are, and how many of its bytes are meant
   in *SIZE; NULL: none.  As in GDB, names in capitals are no registers: they may be state
   variables.  */
static const struct tb_tdesc_slot *
core_register (const struct tb_tdesc *tdesc, const char *name, size_t length, unsigned *size)
{
  char text[16];
  unsigned bytes;
  if (length >= sizeof text)
    return NULL;
  for (size_t i = 0; i < length; i++)
    if (isupper ((unsigned char) name[i]))
      return NULL;
  memcpy (text, name, length);
  text[length] = '\0';
  int number = tb_reg_typed (&tdesc->profile, text, &bytes);
  const struct tb_tdesc_slot *slot = number >= 0 ? tb_tdesc_slot (tdesc, (unsigned) number) : NULL;
  if (slot != NULL)
    /* The target may describe others than the core's.  */
    *size = text[0] == 'w' ? bytes : slot->size;
  return slot;
}

const struct tb_tdesc_slot *
tb_register_named (const struct tb_compiler *c, const char *name, size_t length,
		   unsigned *size)
{
  const struct tb_tdesc *tdesc = c->tdesc;
  const struct tb_tdesc_slot *slot = core_register (tdesc, name, length, size);
  if (slot != NULL)
    return slot;
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
