/* Expressions: where things are.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/expression-internal.h"

bool
tb_emit_register (struct tb_emitter *e, size_t at, unsigned number,
		  unsigned *remote)
{
  const struct tb_tdesc *tdesc = e->c->tdesc;
  const struct tb_tdesc_slot *slot = tb_tdesc_slot (tdesc, number);
  /* DWARF for the Arm architecture, DWARF for AArch64: the general registers come
     first, as they do here.  */
  if (slot == NULL || number > tdesc->slots[tdesc->pc].reg)
    return tb_compiler_error (e->c, at, "it is in a register that is not traced "
			      "(DWARF number %u)", number);
  *remote = slot->gdb;
  e->uses_registers = true;
  return true;
}

/* Is the program of PIECE a constant, or a register and a constant?  */
static bool
simple_program (const struct tb_storage *s, const struct tb_piece *piece,
		bool *has_base, unsigned *base, uint64_t *offset)
{
  const struct tb_storage_op *op = &s->ops[piece->op];
  size_t at = 1;
  if (piece->nops == 0
      || (op->code != TB_STORE_CONST && op->code != TB_STORE_REG))
    return false;
  *has_base = op->code == TB_STORE_REG;
  *base = (unsigned) op->number;
  *offset = *has_base ? 0 : op->number;
  for (; at + 1 < piece->nops && op[at].code == TB_STORE_CONST
	 && op[at + 1].code == TB_STORE_ADD; at += 2)
    *offset += op[at].number;
  return at == piece->nops;
}

/* Is what STORAGE tells that of one call, found by registers?  */
static bool
is_of_call (const struct tb_storage *storage)
{
  bool registers = false;
  for (unsigned i = 0; i < storage->npieces; i++)
    {
      const struct tb_piece *piece = &storage->pieces[i];
      registers |= piece->kind == TB_PIECE_REGISTER;
      for (size_t k = 0; k < piece->nops; k++)
	registers |= storage->ops[piece->op + k].code == TB_STORE_REG;
    }
  return registers;
}

/* Where OBJECT stands.  */
static bool
object_place (struct tb_emitter *e, struct tb_term *a, struct tb_lvalue *place)
{
  struct tb_compiler *c = e->c;
  const char *why;
  bool has_base;
  unsigned base;
  if (a->object.kind != TB_OBJECT_VARIABLE)
    {
      place->kind = TB_LVALUE_FIXED;
      place->offset = a->object.value;
      return a->object.kind == TB_OBJECT_SYMBOL
	     || tb_compiler_error (c, a->at, "`%.100s' is no variable",
				   a->object.name != NULL ? a->object.name : "?");
    }
  if (!tb_object_storage (c->v, &a->object, c->scope->no_pc ? UINT64_MAX
							    : c->scope->pc,
			  &place->storage, &why))
    return tb_compiler_error (c, a->at, "not available here: %s", why);
  if (c->scope->no_pc && is_of_call (&place->storage))
    return tb_compiler_error (c, a->at, "not available here: it is a variable of a function");
  struct tb_piece *piece = &place->storage.pieces[0];
  place->offset = 0;
  if (place->storage.npieces > 1
      || (piece->kind != TB_PIECE_MEMORY && piece->kind != TB_PIECE_REGISTER))
    {
      place->kind = TB_LVALUE_PIECES;
      return true;
    }
  if (piece->kind == TB_PIECE_REGISTER)
    {
      if (tb_emit_fp_place (e, piece->reg, place))
	return true;
      place->kind = TB_LVALUE_REGISTER;
      return tb_emit_register (e, a->at, piece->reg, &place->base);
    }
  if (simple_program (&place->storage, piece, &has_base, &base,
		      &place->offset))
    {
      place->kind = has_base ? TB_LVALUE_BASED : TB_LVALUE_FIXED;
      return !has_base || tb_emit_register (e, a->at, base, &place->base);
    }
  place->kind = TB_LVALUE_COMPUTED;
  place->offset = 0;
  return tb_emit_program (e, a->at, &place->storage, 0);
}

/* Where the pointer A points to.  */
static bool
pointed_place (struct tb_emitter *e, struct tb_term *a, struct tb_lvalue *place)
{
  switch ((enum tb_term_kind) a->kind)
    {
    case TB_TERM_CONST:
      place->kind = TB_LVALUE_FIXED;
      place->offset = a->value;
      return true;
    case TB_TERM_ADDRESS:
      return tb_emit_place (e, a->a, place)
	     && (place->kind <= TB_LVALUE_COMPUTED
		 || tb_compiler_error (e->c, a->at, "it is not in memory"));
    case TB_TERM_REGISTER:
      if (a->type->size < e->c->address_size)
	break;
      e->uses_registers = true;
      place->kind = TB_LVALUE_BASED;
      place->base = (unsigned) a->value;
      place->offset = 0;
      return true;
    case TB_TERM_CAST:
      if (a->a->type->size != a->type->size)
	break;
      return pointed_place (e, a->a, place);
    case TB_TERM_OFFSET:
      if (a->b->kind != TB_TERM_CONST)
	break;
      if (!pointed_place (e, a->a, place))
	return false;
      place->offset += a->op == '-' ? -(a->b->value * a->value)
				    : a->b->value * a->value;
      return true;
    default:
      break;
    }
  place->kind = TB_LVALUE_COMPUTED;
  place->offset = 0;
  return tb_emit_value (e, a);
}

bool
tb_emit_place (struct tb_emitter *e, struct tb_term *a, struct tb_lvalue *place)
{
  bool ok = false;
  switch ((enum tb_term_kind) a->kind)
    {
    case TB_TERM_OBJECT:
      ok = object_place (e, a, place);
      break;
    case TB_TERM_REGISTER:
      e->uses_registers = true;
      place->kind = TB_LVALUE_REGISTER;
      place->base = (unsigned) a->value;
      place->offset = 0;
      ok = true;
      break;
    case TB_TERM_DEREF:
      ok = pointed_place (e, a->a, place);
      break;
    case TB_TERM_MEMBER:
      ok = tb_emit_place (e, a->a, place);
      place->offset += a->value;
      break;
    default:
      ok = tb_compiler_error (e->c, a->at, "this stands nowhere");
      break;
    }
  place->size = a->bits != 0 ? (a->bit + a->bits + 7u) / 8u : a->type->size;
  return ok;
}

bool
tb_emit_address (struct tb_emitter *e, const struct tb_term *a,
		 const struct tb_lvalue *place)
{
  uint64_t offset = place->offset;
  if (e->c->address_size == 4)
    offset = place->kind == TB_LVALUE_FIXED
	     ? (uint32_t) offset : (uint64_t) (int64_t) (int32_t) offset;
  switch ((enum tb_lvalue_kind) place->kind)
    {
    case TB_LVALUE_FIXED:
      return tb_emit_const (e, offset);
    case TB_LVALUE_BASED:
      if (!tb_emit_op (e, AGENT_REG, place->base))
	return false;
      break;
    case TB_LVALUE_COMPUTED:
      break;
    default:
      return tb_compiler_error (e->c, a->at, "it is in a register, not in "
				"memory");
    }
  return offset == 0 || (tb_emit_const (e, offset)
			 && tb_emit_op (e, AGENT_ADD, 0));
}

/* How storage programs are agent expressions: up to three operations.  SIGNED,
   UNSIGNED: both operands are extended before.  */
static const struct
{
  uint8_t codes[3];
  bool is_signed, is_unsigned;
} programs[] = {
  [TB_STORE_DUP] = { { AGENT_DUP }, false, false },
  [TB_STORE_DROP] = { { AGENT_POP }, false, false },
  [TB_STORE_SWAP] = { { AGENT_SWAP }, false, false },
  [TB_STORE_ROT] = { { AGENT_ROT }, false, false },
  [TB_STORE_ADD] = { { AGENT_ADD }, false, false },
  [TB_STORE_SUB] = { { AGENT_SUB }, false, false },
  [TB_STORE_MUL] = { { AGENT_MUL }, false, false },
  [TB_STORE_DIV_SIGNED] = { { AGENT_DIV_SIGNED }, true, false },
  [TB_STORE_REM_UNSIGNED] = { { AGENT_REM_UNSIGNED }, false, true },
  [TB_STORE_AND] = { { AGENT_BIT_AND }, false, false },
  [TB_STORE_OR] = { { AGENT_BIT_OR }, false, false },
  [TB_STORE_XOR] = { { AGENT_BIT_XOR }, false, false },
  [TB_STORE_SHL] = { { AGENT_LSH }, false, false },
  [TB_STORE_SHR] = { { AGENT_RSH_UNSIGNED }, false, true },
  [TB_STORE_SAR] = { { AGENT_RSH_SIGNED }, true, false },
  [TB_STORE_NOT] = { { AGENT_BIT_NOT }, false, false },
  [TB_STORE_EQ] = { { AGENT_EQUAL }, false, true },
  [TB_STORE_NE] = { { AGENT_EQUAL, AGENT_LOG_NOT }, false, true },
  [TB_STORE_LT] = { { AGENT_LESS_SIGNED }, true, false },
  [TB_STORE_GE] = { { AGENT_LESS_SIGNED, AGENT_LOG_NOT }, true, false },
  [TB_STORE_GT] = { { AGENT_SWAP, AGENT_LESS_SIGNED }, true, false },
  [TB_STORE_LE] = { { AGENT_SWAP, AGENT_LESS_SIGNED, AGENT_LOG_NOT }, true,
		    false }
};

static bool
emit_storage_op (struct tb_emitter *e, size_t at,
		 const struct tb_storage_op *op)
{
  unsigned bits = 8 * e->c->address_size, remote = 0;
  switch ((enum tb_storage_code) op->code)
    {
    case TB_STORE_CONST:
      return tb_emit_const (e, op->number);
    case TB_STORE_REG:
      return tb_emit_register (e, at,
			       op->number < UINT32_MAX ? (unsigned) op->number
						       : UINT32_MAX, &remote)
	     && tb_emit_op (e, AGENT_REG, remote);
    case TB_STORE_LOAD:
      return tb_emit_trace (e, op->number)
	     && tb_emit_op (e, op->number == 1 ? AGENT_REF8
			       : op->number == 2 ? AGENT_REF16
			       : op->number == 4 ? AGENT_REF32 : AGENT_REF64, 0);
    case TB_STORE_PICK:
      return tb_emit_op (e, AGENT_PICK, op->number);
    case TB_STORE_NEG:
      return tb_emit_const (e, 0) && tb_emit_op (e, AGENT_SWAP, 0)
	     && tb_emit_op (e, AGENT_SUB, 0);
    case TB_STORE_SIGN:
      return tb_emit_op (e, AGENT_EXT, op->number);
    case TB_STORE_ZERO:
      return tb_emit_op (e, AGENT_ZERO_EXT, op->number);
    default:
      break;
    }
  if (bits < 64 && (programs[op->code].is_signed
		    || programs[op->code].is_unsigned))
    for (unsigned i = 0; i < 2; i++)
      if (!tb_emit_op (e, programs[op->code].is_signed ? AGENT_EXT
						       : AGENT_ZERO_EXT, bits)
	  || !tb_emit_op (e, AGENT_SWAP, 0))
	return false;
  for (unsigned i = 0; i < 3 && programs[op->code].codes[i] != 0; i++)
    if (!tb_emit_op (e, programs[op->code].codes[i], 0))
      return false;
  return true;
}

bool
tb_emit_program (struct tb_emitter *e, size_t at,
		 const struct tb_storage *storage, unsigned number)
{
  const struct tb_piece *piece = &storage->pieces[number];
  for (size_t i = 0; i < piece->nops; i++)
    if (!emit_storage_op (e, at, &storage->ops[piece->op + i]))
      return false;
  return true;
}
