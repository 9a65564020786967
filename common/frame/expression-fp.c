/* Expressions: registers of floating point.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: "DWARF for the Arm Architecture" (IHI 0040): 64 to 95 are S0 to S31, 256 to 287
   D0 to D31; "DWARF for the Arm 64-bit Architecture" (IHI 0057): 64 to 95 are V0 to
   V31.  S registers are halves of D registers, or the low part of V registers as D are.  */

#include "config.h"
#include "frame/expression-internal.h"

enum { DWARF_S = 64, DWARF_D = 256, DWARF_COUNT = 32 };

/* The register of the description that holds the one of KIND ('s', 'd') and NUMBER, from
   byte *OFFSET on; NULL: none.  */
static const struct tb_tdesc_reg *
find (const struct tb_compiler *c, char kind, unsigned number, unsigned *offset)
{
  const struct tb_tdesc *tdesc = c->tdesc;
  bool wide = tdesc->profile.has_a64 && c->address_size == 8;
  unsigned reg = number, size = kind == 's' ? 4 : 8;
  if (number >= DWARF_COUNT)
    return NULL;
  *offset = 0;
  if (!wide && kind == 's')
    {
      reg = number / 2;
      *offset = 4 * (number % 2);
    }
  for (unsigned i = 0; i < tdesc->nregs; i++)
    if (tdesc->regs[i].kind == TB_TDESC_VECTOR && tdesc->regs[i].reg == reg
	&& tdesc->regs[i].part == 0 && tdesc->regs[i].size >= *offset + size)
      return &tdesc->regs[i];
  return NULL;
}

struct tb_term *
tb_fp_register_node (struct tb_compiler *c, size_t at, const char *name, size_t length)
{
  unsigned number = 0, offset;
  if (length < 2 || length > 3 || (name[0] != 's' && name[0] != 'd'))
    return NULL;
  for (size_t i = 1; i < length; i++)
    {
      if (name[i] < '0' || name[i] > '9')
	return NULL;
      number = 10 * number + (unsigned) (name[i] - '0');
    }
  const struct tb_tdesc_reg *reg = find (c, name[0], number, &offset);
  if (reg == NULL || (length == 3 && name[1] == '0'))
    return NULL;
  struct tb_term *whole = tb_term_new (c, TB_TERM_REGISTER, at,
				       tb_type_integer (c, false, 8));
  struct tb_term *part = tb_term_new (c, TB_TERM_MEMBER, at,
				      tb_variables_base (c->v, TB_TYPE_FLOAT, true,
							 name[0] == 's' ? 4 : 8));
  if (whole == NULL || part == NULL)
    return NULL;
  whole->value = reg->gdb;
  part->a = whole;
  part->value = offset;
  return part;
}

bool
tb_emit_fp_place (struct tb_emitter *e, unsigned number, struct tb_lvalue *place)
{
  bool wide = e->c->tdesc->profile.has_a64 && e->c->address_size == 8;
  const struct tb_tdesc_reg *reg = NULL;
  unsigned offset = 0;
  if (number >= DWARF_D && !wide)
    reg = find (e->c, 'd', number - DWARF_D, &offset);
  else if (number >= DWARF_S)
    reg = find (e->c, wide ? 'd' : 's', number - DWARF_S, &offset);
  if (reg == NULL)
    return false;
  place->kind = TB_LVALUE_REGISTER;
  place->base = reg->gdb;
  place->offset = offset;
  e->uses_registers = true;
  return true;
}
