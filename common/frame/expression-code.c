/* Expressions: nodes to agent bytecode.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Bytecode Descriptions".  A value on the stack is extended to 64
   bits as its type says.  */

#include "config.h"
#include "frame/expression-internal.h"

/* Where jumps can go to: they have 16 bits.  */
#define CODE_MAX 65535

bool
tb_emit_op (struct tb_emitter *e, enum tb_agent_code code, uint64_t operand)
{
  const struct tb_agent_op *op = tb_agent_op (code);
  uint8_t bytes[9] = { (uint8_t) code };
  for (unsigned i = 0; i < op->operand; i++)
    bytes[1 + i] = (uint8_t) (operand >> 8 * (op->operand - 1 - i));
  e->depth = e->depth - op->pops + op->pushes;
  if (e->depth > TB_AGENT_STACK - 1)
    return tb_compiler_error (e->c, 0, "nested too deep");
  if (e->code.size + op->operand + 1 > CODE_MAX)
    return tb_compiler_error (e->c, 0, "the expression is too long");
  tb_buffer_append (&e->code, bytes, op->operand + 1u);
  return !e->code.failed || tb_compiler_error (e->c, 0, "no memory");
}

bool
tb_emit_const (struct tb_emitter *e, uint64_t value)
{
  static const struct { uint8_t code, bits; } sizes[] = {
    { AGENT_CONST8, 8 }, { AGENT_CONST16, 16 }, { AGENT_CONST32, 32 }
  };
  for (unsigned i = 0; i < 3; i++)
    {
      unsigned unused = 64u - sizes[i].bits;
      if (value >> sizes[i].bits == 0)
	return tb_emit_op (e, sizes[i].code, value);
      if ((uint64_t) ((int64_t) (value << unused) >> unused) == value)
	return tb_emit_op (e, sizes[i].code, value)
	       && tb_emit_op (e, AGENT_EXT, sizes[i].bits);
    }
  return tb_emit_op (e, AGENT_CONST64, value);
}

bool
tb_emit_trace (struct tb_emitter *e, uint64_t size)
{
  if (!e->collects || size == 0)
    return true;
  if (size <= 0xff)
    return tb_emit_op (e, AGENT_TRACE_QUICK, size);
  if (size <= 0xffff)
    return tb_emit_op (e, AGENT_TRACE16, size);
  return tb_emit_op (e, AGENT_DUP, 0) && tb_emit_const (e, size)
	 && tb_emit_op (e, AGENT_TRACE, 0);
}

/* Extend the low BITS bits.  */
static bool
extend (struct tb_emitter *e, unsigned bits, bool is_signed)
{
  return bits >= 64
	 || tb_emit_op (e, is_signed ? AGENT_EXT : AGENT_ZERO_EXT, bits);
}

static bool
shift_right (struct tb_emitter *e, uint64_t bits)
{
  return bits == 0 || (tb_emit_const (e, bits)
		       && tb_emit_op (e, AGENT_RSH_UNSIGNED, 0));
}

/* Replace the address by SIZE bytes (1 to 8) there.  */
static bool
load_bytes (struct tb_emitter *e, unsigned size)
{
  unsigned each = size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
  enum tb_agent_code code = each == 8 ? AGENT_REF64 : each == 4 ? AGENT_REF32
			    : each == 2 ? AGENT_REF16 : AGENT_REF8;
  if (each == size)
    return tb_emit_op (e, code, 0);
  return tb_emit_op (e, AGENT_DUP, 0) && tb_emit_op (e, code, 0)
	 && tb_emit_op (e, AGENT_SWAP, 0) && tb_emit_const (e, each)
	 && tb_emit_op (e, AGENT_ADD, 0) && load_bytes (e, size - each)
	 && tb_emit_const (e, 8 * each) && tb_emit_op (e, AGENT_LSH, 0)
	 && tb_emit_op (e, AGENT_BIT_OR, 0);
}

/* Push the bytes from FIRST on, SIZE of them, of piece NUMBER.  */
static bool
load_piece (struct tb_emitter *e, struct tb_term *a,
	    const struct tb_storage *storage, unsigned number, uint64_t first,
	    uint64_t size)
{
  const struct tb_piece *piece = &storage->pieces[number];
  unsigned remote;
  switch ((enum tb_piece_kind) piece->kind)
    {
    case TB_PIECE_LOST:
      return tb_compiler_error (e->c, a->at, "a part of it is optimized out");
    case TB_PIECE_MEMORY:
      return tb_emit_program (e, a->at, storage, number)
	     && (first == 0 || (tb_emit_const (e, first)
				&& tb_emit_op (e, AGENT_ADD, 0)))
	     && tb_emit_trace (e, size) && load_bytes (e, (unsigned) size);
    case TB_PIECE_REGISTER:
      if (first + size > e->c->address_size)
	return tb_compiler_error (e->c, a->at, "it is wider than the register "
				  "that it is in");
      if (!tb_emit_register (e, a->at, piece->reg, &remote)
	  || !tb_emit_op (e, AGENT_REG, remote))
	return false;
      break;
    case TB_PIECE_VALUE:
      if (first + size > 8)
	return tb_compiler_error (e->c, a->at, "its value is too wide");
      if (!tb_emit_program (e, a->at, storage, number))
	return false;
      break;
    }
  return shift_right (e, 8 * first) && extend (e, 8 * (unsigned) size, false);
}

/* Push SIZE bytes from OFFSET on of what STORAGE tells.  */
static bool
load_pieces (struct tb_emitter *e, struct tb_term *a,
	     const struct tb_storage *storage, uint64_t offset, uint64_t size)
{
  uint64_t begin = 0;
  bool any = false;
  for (unsigned i = 0; i < storage->npieces; i++)
    {
      uint64_t length = storage->pieces[i].size;
      uint64_t end = length == 0 || length > UINT64_MAX - begin
		     ? UINT64_MAX : begin + length;
      uint64_t low = begin > offset ? begin : offset;
      uint64_t high = end < offset + size ? end : offset + size;
      if (low < high)
	{
	  if (!load_piece (e, a, storage, i, low - begin, high - low))
	    return false;
	  if (low > offset && !(tb_emit_const (e, 8 * (low - offset))
				&& tb_emit_op (e, AGENT_LSH, 0)))
	    return false;
	  if (any && !tb_emit_op (e, AGENT_BIT_OR, 0))
	    return false;
	  any = true;
	}
      begin = end;
    }
  return (any && begin >= offset + size)
	 || tb_compiler_error (e->c, a->at, "a part of it is nowhere");
}

/* The bytes of a register in remote number REMOTE.  */
static unsigned
register_size (const struct tb_compiler *c, unsigned remote)
{
  const struct tb_tdesc_reg *reg = tb_tdesc_find (c->tdesc, remote);
  return reg != NULL ? reg->size : 0;
}

/* Push the value of the lvalue A.  */
static bool
load (struct tb_emitter *e, struct tb_term *a)
{
  struct tb_lvalue place;
  const struct tb_type *type = a->type;
  if (type->kind == TB_TYPE_FLOAT && a != e->bits_of)
    return tb_compiler_error (e->c, a->at, TB_EXPRESSION_NO_FLOAT);
  if ((!tb_type_is_scalar (type) && type->kind != TB_TYPE_REFERENCE
       && type->kind != TB_TYPE_FLOAT)
      || type->size == 0 || type->size > 8)
    return tb_compiler_error (e->c, a->at, "expected a number or a pointer, "
			      "found %s%s", tb_type_text (type), tb_type_hint (type));
  if (!tb_emit_place (e, a, &place))
    return false;
  if (place.size > 8)
    return tb_compiler_error (e->c, a->at, "the bit field is too wide");
  unsigned bits = a->bits != 0 ? a->bits : 8 * (unsigned) type->size;
  switch ((enum tb_lvalue_kind) place.kind)
    {
    case TB_LVALUE_REGISTER:
      if (place.offset + place.size > register_size (e->c, place.base))
	return tb_compiler_error (e->c, a->at, "it is wider than the register "
				  "that it is in");
      if (!tb_emit_op (e, AGENT_REG, place.base)
	  || !shift_right (e, 8 * place.offset + a->bit))
	return false;
      return extend (e, bits, type->is_signed);
    case TB_LVALUE_PIECES:
      if (!load_pieces (e, a, &place.storage, place.offset, place.size)
	  || !shift_right (e, a->bit))
	return false;
      return extend (e, bits, type->is_signed);
    default:
      break;
    }
  if (!tb_emit_address (e, a, &place) || !tb_emit_trace (e, place.size)
      || !load_bytes (e, (unsigned) place.size) || !shift_right (e, a->bit))
    return false;
  /* What is loaded has zeros above it.  */
  return (a->bits == 0 && !type->is_signed)
	 || extend (e, bits, type->is_signed);
}

/* The value of type FROM is one of type TO.  */
static bool
convert (struct tb_emitter *e, const struct tb_type *from,
	 const struct tb_type *to)
{
  if (to->kind == TB_TYPE_BOOL && from->kind != TB_TYPE_BOOL)
    return tb_emit_op (e, AGENT_LOG_NOT, 0)
	   && tb_emit_op (e, AGENT_LOG_NOT, 0);
  bool same = from->is_signed == to->is_signed;
  if (to->size > from->size ? same || to->is_signed
			    : to->size == from->size && same)
    return true;
  return extend (e, 8 * (unsigned) to->size, to->is_signed);
}

/* A jump whose target is not known yet; 0 after an error.  */
static size_t
jump (struct tb_emitter *e, enum tb_agent_code code)
{
  return tb_emit_op (e, code, 0) ? e->code.size - 2 : 0;
}

/* The jump at AT, from jump, goes here.  */
static void
land (struct tb_emitter *e, size_t at)
{
  e->code.data[at] = (uint8_t) (e->code.size >> 8);
  e->code.data[at + 1] = (uint8_t) e->code.size;
}

/* A && B, A || B: 0 or 1.  */
static bool
emit_logic (struct tb_emitter *e, struct tb_term *n)
{
  size_t over, end;
  if (!tb_emit_value (e, n->a)
      || (n->op == TB_OPERATOR_OR && !tb_emit_op (e, AGENT_LOG_NOT, 0))
      || (over = jump (e, AGENT_IF_GOTO)) == 0
      || !tb_emit_const (e, n->op == TB_OPERATOR_OR)
      || (end = jump (e, AGENT_GOTO)) == 0)
    return false;
  land (e, over);
  e->depth--;
  if (!tb_emit_value (e, n->b) || !tb_emit_op (e, AGENT_LOG_NOT, 0)
      || !tb_emit_op (e, AGENT_LOG_NOT, 0))
    return false;
  land (e, end);
  return true;
}

static bool
emit_choice (struct tb_emitter *e, struct tb_term *n)
{
  size_t then, end;
  if (!tb_emit_value (e, n->a) || (then = jump (e, AGENT_IF_GOTO)) == 0
      || !tb_emit_value (e, n->c) || (end = jump (e, AGENT_GOTO)) == 0)
    return false;
  land (e, then);
  e->depth--;
  if (!tb_emit_value (e, n->b))
    return false;
  land (e, end);
  return true;
}

/* The operations for operator OP, of numbers with a sign or without: up to three; and
   whether the result may not fit its type.  */
static const struct
{
  uint8_t op;
  uint8_t with_sign[3], without[3];
  bool extends;
} binaries[] = {
  { '+', { AGENT_ADD }, { AGENT_ADD }, true },
  { '-', { AGENT_SUB }, { AGENT_SUB }, true },
  { '*', { AGENT_MUL }, { AGENT_MUL }, true },
  { '/', { AGENT_DIV_SIGNED }, { AGENT_DIV_UNSIGNED }, true },
  { '%', { AGENT_REM_SIGNED }, { AGENT_REM_UNSIGNED }, true },
  { '&', { AGENT_BIT_AND }, { AGENT_BIT_AND }, false },
  { '|', { AGENT_BIT_OR }, { AGENT_BIT_OR }, false },
  { '^', { AGENT_BIT_XOR }, { AGENT_BIT_XOR }, false },
  { TB_OPERATOR_SHL, { AGENT_LSH }, { AGENT_LSH }, true },
  { TB_OPERATOR_SHR, { AGENT_RSH_SIGNED }, { AGENT_RSH_UNSIGNED }, false },
  { TB_OPERATOR_EQ, { AGENT_EQUAL }, { AGENT_EQUAL }, false },
  { TB_OPERATOR_NE, { AGENT_EQUAL, AGENT_LOG_NOT }, { AGENT_EQUAL, AGENT_LOG_NOT },
    false },
  { '<', { AGENT_LESS_SIGNED }, { AGENT_LESS_UNSIGNED }, false },
  { '>', { AGENT_SWAP, AGENT_LESS_SIGNED }, { AGENT_SWAP, AGENT_LESS_UNSIGNED },
    false },
  { TB_OPERATOR_GE, { AGENT_LESS_SIGNED, AGENT_LOG_NOT },
    { AGENT_LESS_UNSIGNED, AGENT_LOG_NOT }, false },
  { TB_OPERATOR_LE, { AGENT_SWAP, AGENT_LESS_SIGNED, AGENT_LOG_NOT },
    { AGENT_SWAP, AGENT_LESS_UNSIGNED, AGENT_LOG_NOT }, false }
};

static bool
emit_binary (struct tb_emitter *e, struct tb_term *n)
{
  size_t i = 0;
  while (binaries[i].op != n->op)
    i++;
  const uint8_t *codes = n->a->type->is_signed ? binaries[i].with_sign
					       : binaries[i].without;
  if (!tb_emit_value (e, n->a) || !tb_emit_value (e, n->b))
    return false;
  for (unsigned j = 0; j < 3 && codes[j] != 0; j++)
    if (!tb_emit_op (e, codes[j], 0))
      return false;
  return !binaries[i].extends
	 || extend (e, 8 * (unsigned) n->type->size, n->type->is_signed);
}

static bool
emit_unary (struct tb_emitter *e, struct tb_term *n)
{
  unsigned bits = 8 * (unsigned) n->type->size;
  if (n->op == '-')
    return tb_emit_const (e, 0) && tb_emit_value (e, n->a)
	   && tb_emit_op (e, AGENT_SUB, 0)
	   && extend (e, bits, n->type->is_signed);
  if (!tb_emit_value (e, n->a))
    return false;
  if (n->op == '!')
    return tb_emit_op (e, AGENT_LOG_NOT, 0);
  return tb_emit_op (e, AGENT_BIT_NOT, 0)
	 && extend (e, bits, n->type->is_signed);
}

/* A pointer plus or minus so many elements; how many are between two.  */
static bool
emit_offset (struct tb_emitter *e, struct tb_term *n)
{
  return tb_emit_value (e, n->a) && tb_emit_value (e, n->b)
	 && (n->value == 1 || (tb_emit_const (e, n->value)
			       && tb_emit_op (e, AGENT_MUL, 0)))
	 && tb_emit_op (e, n->op == '-' ? AGENT_SUB : AGENT_ADD, 0)
	 && extend (e, 8 * e->c->address_size, false);
}

static bool
emit_distance (struct tb_emitter *e, struct tb_term *n)
{
  return tb_emit_value (e, n->a) && tb_emit_value (e, n->b)
	 && tb_emit_op (e, AGENT_SUB, 0)
	 && extend (e, 8 * e->c->address_size, true)
	 && (n->value == 1 || (tb_emit_const (e, n->value)
			       && tb_emit_op (e, AGENT_DIV_SIGNED, 0)));
}

bool
tb_emit_value (struct tb_emitter *e, struct tb_term *n)
{
  struct tb_lvalue place;
  switch ((enum tb_term_kind) n->kind)
    {
    case TB_TERM_CONST:
      return tb_emit_const (e, n->value);
    case TB_TERM_OBJECT: case TB_TERM_REGISTER: case TB_TERM_DEREF:
    case TB_TERM_MEMBER:
      return load (e, n);
    case TB_TERM_STATE:
      return tb_emit_op (e, AGENT_GETV, n->value);
    case TB_TERM_ADDRESS:
      return tb_emit_place (e, n->a, &place)
	     && tb_emit_address (e, n->a, &place)
	     && (place.kind == TB_LVALUE_FIXED
		 || extend (e, 8 * e->c->address_size, false));
    case TB_TERM_CAST:
      return tb_emit_value (e, n->a) && convert (e, n->a->type, n->type);
    case TB_TERM_UNARY:
      return emit_unary (e, n);
    case TB_TERM_BINARY:
      return emit_binary (e, n);
    case TB_TERM_OFFSET:
      return emit_offset (e, n);
    case TB_TERM_DISTANCE:
      return emit_distance (e, n);
    case TB_TERM_LOGIC:
      return emit_logic (e, n);
    case TB_TERM_CHOICE:
      return emit_choice (e, n);
    case TB_TERM_COMMA:
      return tb_emit_value (e, n->a) && tb_emit_op (e, AGENT_POP, 0)
	     && tb_emit_value (e, n->b);
    case TB_TERM_ASSIGN:
      return tb_emit_value (e, n->a) && tb_emit_op (e, AGENT_SETV, n->value);
    case TB_TERM_REPEAT:
      break;
    }
  return tb_compiler_error (e->c, n->at, "a range can only be collected");
}
