/* Expressions: operators and the types of their operands.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: C11, 6.3.1.8 (usual arithmetic conversions), 6.5; GDB 13.1 where it has its
   own way.  */

#include "config.h"
#include "frame/expression-internal.h"

#include <stdlib.h>

struct tb_term *
tb_term_new (struct tb_compiler *c, enum tb_term_kind kind, size_t at,
	     const struct tb_type *type)
{
  if (c->failed)
    return NULL;
  struct tb_term *node = c->nnodes < TB_TERMS_MAX ? calloc (1, sizeof *node)
						  : NULL;
  if (node == NULL)
    return tb_compiler_null (c, at, c->nnodes < TB_TERMS_MAX
			     ? "no memory" : "the expression is too long");
  c->nnodes++;
  node->next = c->nodes;
  c->nodes = node;
  node->kind = kind;
  node->at = at;
  node->type = type;
  return node;
}

struct tb_term *
tb_term_const (struct tb_compiler *c, size_t at, const struct tb_type *type,
	       uint64_t value)
{
  struct tb_term *node = tb_term_new (c, TB_TERM_CONST, at, type);
  if (node == NULL)
    return NULL;
  struct tb_value extended = {
    .bits = value, .mask = UINT64_MAX, .origin = TB_STATED
  };
  if (type->size > 0 && type->size < 8)
    tb_agent_extend (&extended, 8 * (unsigned) type->size, type->is_signed);
  node->value = extended.bits;
  return node;
}

bool
tb_term_is_lvalue (const struct tb_term *a)
{
  switch ((enum tb_term_kind) a->kind)
    {
    case TB_TERM_OBJECT: case TB_TERM_REGISTER: case TB_TERM_DEREF:
      return true;
    case TB_TERM_MEMBER:
      return tb_term_is_lvalue (a->a);
    default:
      return false;
    }
}

/* There is nothing but constants in a folded node: no registers, no memory.  */
static bool
no_register (void *data, unsigned number, struct tb_value *value)
{
  (void) data;
  (void) number;
  (void) value;
  return false;
}

/* NODE, or if its operands are constant the constant that it is.  */
static struct tb_term *
fold (struct tb_compiler *c, struct tb_term *node)
{
  struct tb_emitter e = { .c = c };
  struct tb_value value;
  static const struct tb_agent_world world = {
    .reg = no_register, .get = no_register, .address_mask = UINT64_MAX
  };
  if (node == NULL || (node->a != NULL && node->a->kind != TB_TERM_CONST)
      || (node->b != NULL && node->b->kind != TB_TERM_CONST)
      || (node->c != NULL && node->c->kind != TB_TERM_CONST))
    return node;
  struct tb_term *result = node;
  if (!tb_emit_value (&e, node) || !tb_emit_op (&e, AGENT_END, 0))
    result = NULL;
  else
    {
      enum tb_agent_status status = tb_agent_run (e.code.data, e.code.size,
						  &world, &value);
      result = status == TB_AGENT_DONE
	       ? tb_term_const (c, node->at, node->type, value.bits)
	       : tb_compiler_null (c, node->at, "%s", tb_agent_text (status));
    }
  tb_buffer_fini (&e.code);
  return result;
}

struct tb_term *
tb_term_decay (struct tb_compiler *c, struct tb_term *a)
{
  if (a == NULL)
    return NULL;
  if (a->type->kind == TB_TYPE_FUNCTION)
    return a->kind == TB_TERM_OBJECT
	   ? tb_term_const (c, a->at, tb_type_pointer (c->v, a->type),
			    a->object.value)
	   : a->kind == TB_TERM_DEREF ? a->a : a;
  if (a->type->kind != TB_TYPE_ARRAY || !tb_term_is_lvalue (a))
    return a;
  struct tb_term *node = tb_term_new
    (c, TB_TERM_ADDRESS, a->at,
     tb_type_pointer (c->v, tb_type_target (c->v, a->type)));
  if (node != NULL)
    node->a = a;
  return node;
}

/* A as a number or a pointer.  */
static struct tb_term *
scalar (struct tb_compiler *c, struct tb_term *a)
{
  a = tb_term_decay (c, a);
  if (a == NULL || tb_type_is_scalar (a->type))
    return a;
  if (a->type->kind == TB_TYPE_FLOAT)
    return tb_compiler_null (c, a->at, TB_EXPRESSION_NO_FLOAT);
  return tb_compiler_null (c, a->at, "expected a number or a pointer, found %s%s",
			   tb_type_text (a->type), tb_type_hint (a->type));
}

static struct tb_term *
integral (struct tb_compiler *c, struct tb_term *a)
{
  a = scalar (c, a);
  if (a != NULL && !tb_type_is_integral (a->type))
    return tb_compiler_null (c, a->at, "expected a number, found %s",
			     tb_type_text (a->type));
  return a;
}

/* A as a value of TYPE.  */
static struct tb_term *
convert (struct tb_compiler *c, struct tb_term *a, const struct tb_type *type)
{
  if (a == NULL || a->type == type)
    return a;
  struct tb_term *node = tb_term_new (c, TB_TERM_CAST, a->at, type);
  if (node == NULL)
    return NULL;
  node->a = a;
  return fold (c, node);
}

struct tb_term *
tb_term_unary (struct tb_compiler *c, size_t at, uint8_t op,
	       struct tb_term *a)
{
  a = op == '!' ? scalar (c, a) : integral (c, a);
  if (a != NULL && op != '!')
    a = convert (c, a, tb_type_promoted (c, a->type));
  if (a == NULL || op == '+')
    return a;
  struct tb_term *node = tb_term_new (c, TB_TERM_UNARY, at,
				      op == '!' ? tb_type_int (c) : a->type);
  if (node == NULL)
    return NULL;
  node->op = op;
  node->a = a;
  return fold (c, node);
}

/* A new node of KIND for A and B.  */
static struct tb_term *
pair (struct tb_compiler *c, enum tb_term_kind kind, size_t at, uint8_t op,
      const struct tb_type *type, struct tb_term *a, struct tb_term *b)
{
  if (a == NULL || b == NULL)
    return NULL;
  struct tb_term *node = tb_term_new (c, kind, at, type);
  if (node == NULL)
    return NULL;
  node->op = op;
  node->a = a;
  node->b = b;
  return node;
}

/* The size of what POINTER points to; 0 after an error.  */
static uint64_t
target_size (struct tb_compiler *c, const struct tb_term *pointer)
{
  const struct tb_type *type = tb_type_target (c->v, pointer->type);
  /* GDB: what has no size counts as bytes.  */
  if (type->kind == TB_TYPE_VOID || type->kind == TB_TYPE_FUNCTION)
    return 1;
  if (type->is_incomplete || type->size == 0)
    tb_compiler_error (c, pointer->at, "the size of what this points to is not "
		       "known");
  return type->is_incomplete ? 0 : type->size;
}

/* POINTER plus or minus (OP) NUMBER.  */
static struct tb_term *
offset_pointer (struct tb_compiler *c, size_t at, uint8_t op,
		struct tb_term *pointer, struct tb_term *number)
{
  uint64_t size = target_size (c, pointer);
  struct tb_term *node = size != 0 ? pair (c, TB_TERM_OFFSET, at, op,
					   pointer->type, pointer, number)
				   : NULL;
  if (node == NULL)
    return NULL;
  node->value = size;
  return fold (c, node);
}

static struct tb_term *
pointer_distance (struct tb_compiler *c, size_t at, struct tb_term *a,
		  struct tb_term *b)
{
  uint64_t size = target_size (c, a);
  if (size == 0 || target_size (c, b) == 0)
    return NULL;
  if (target_size (c, b) != size)
    return tb_compiler_null (c, at, "the pointers point to things of different "
			     "size");
  struct tb_term *node = pair (c, TB_TERM_DISTANCE, at, '-',
			       tb_type_integer (c, true, c->address_size), a,
			       b);
  if (node == NULL)
    return NULL;
  node->value = size;
  return fold (c, node);
}

static bool
is_pointer (const struct tb_term *a)
{
  return a->type->kind == TB_TYPE_POINTER;
}

struct tb_term *
tb_term_binary (struct tb_compiler *c, size_t at, uint8_t op,
		struct tb_term *a, struct tb_term *b)
{
  a = scalar (c, a);
  b = scalar (c, b);
  if (a == NULL || b == NULL)
    return NULL;
  if (op == TB_OPERATOR_AND || op == TB_OPERATOR_OR)
    return fold (c, pair (c, TB_TERM_LOGIC, at, op, tb_type_int (c), a, b));
  bool compares = op == TB_OPERATOR_EQ || op == TB_OPERATOR_NE || op == '<' || op == '>'
		  || op == TB_OPERATOR_LE || op == TB_OPERATOR_GE;
  const struct tb_type *type;
  if (is_pointer (a) || is_pointer (b))
    {
      if (op == '+' && is_pointer (a) != is_pointer (b))
	return is_pointer (a) ? offset_pointer (c, at, op, a, b)
			      : offset_pointer (c, at, op, b, a);
      if (op == '-' && is_pointer (a))
	return is_pointer (b) ? pointer_distance (c, at, a, b)
			      : offset_pointer (c, at, op, a, b);
      if (!compares)
	return tb_compiler_null (c, at, "the operator does not take a pointer");
      /* GDB: a number that is compared with an address is one of 64 bits.  */
      type = tb_type_integer (c, false, 8);
    }
  else if ((op == TB_OPERATOR_SHL || op == TB_OPERATOR_SHR) && a->kind == TB_TERM_CONST
	   && b->kind == TB_TERM_CONST)
    {
      /* GDB computes constants as C does, but what it sends for others converts
	 the operands of shifts together.  */
      type = tb_type_promoted (c, a->type);
      return fold (c, pair (c, TB_TERM_BINARY, at, op, type,
			    convert (c, a, type),
			    convert (c, b, tb_type_promoted (c, b->type))));
    }
  else
    type = tb_type_common (c, a->type, b->type);
  return fold (c, pair (c, TB_TERM_BINARY, at, op,
			compares ? tb_type_int (c) : type,
			convert (c, a, type), convert (c, b, type)));
}

struct tb_term *
tb_term_choice (struct tb_compiler *c, size_t at, struct tb_term *a,
		struct tb_term *b, struct tb_term *other)
{
  a = scalar (c, a);
  b = scalar (c, b);
  other = scalar (c, other);
  if (a == NULL || b == NULL || other == NULL)
    return NULL;
  const struct tb_type *type = is_pointer (b) ? b->type
			       : is_pointer (other) ? other->type
			       : tb_type_common (c, b->type, other->type);
  struct tb_term *node = pair (c, TB_TERM_CHOICE, at, '?', type, a,
			       convert (c, b, type));
  if (node == NULL || (node->c = convert (c, other, type)) == NULL)
    return NULL;
  return fold (c, node);
}

struct tb_term *
tb_term_cast (struct tb_compiler *c, size_t at, const struct tb_type *type,
	      struct tb_term *a)
{
  if (a == NULL)
    return NULL;
  /* What has no type of its own is what the user says.  */
  if (a->kind == TB_TERM_OBJECT && a->object.kind == TB_OBJECT_SYMBOL)
    return tb_term_deref (c, at,
			  tb_term_const (c, at, tb_type_pointer (c->v, type),
					 a->object.value));
  /* So are variables whose description has none (gcc -g1).  */
  if (a->kind == TB_TERM_OBJECT && a->object.kind == TB_OBJECT_VARIABLE
      && a->type->kind == TB_TYPE_VOID)
    {
      struct tb_term *address = tb_term_address (c, at, a);
      return address != NULL
	     ? tb_term_deref (c, at, tb_term_cast (c, at, tb_type_pointer (c->v, type), address))
	     : NULL;
    }
  if (type->kind == TB_TYPE_FLOAT)
    return tb_compiler_null (c, at, TB_EXPRESSION_NO_FLOAT);
  if (!tb_type_is_scalar (type))
    return tb_compiler_null (c, at, "cannot cast to %s", tb_type_text (type));
  a = scalar (c, a);
  if (a == NULL || a->type == type)
    return a;
  return convert (c, a, type);
}

struct tb_term *
tb_term_deref (struct tb_compiler *c, size_t at, struct tb_term *a)
{
  if (a == NULL)
    return NULL;
  if (a->type->kind != TB_TYPE_POINTER && a->type->kind != TB_TYPE_REFERENCE)
    return tb_compiler_null (c, at, "expected a pointer, found %s",
			     tb_type_text (a->type));
  struct tb_term *node = tb_term_new (c, TB_TERM_DEREF, at,
				      tb_type_target (c->v, a->type));
  if (node == NULL)
    return NULL;
  node->a = a;
  /* What is at the address of something is that.  */
  if (a->kind == TB_TERM_ADDRESS && a->a->type == node->type)
    return a->a;
  return node;
}

struct tb_term *
tb_term_address (struct tb_compiler *c, size_t at, struct tb_term *a)
{
  if (a == NULL)
    return NULL;
  if (a->kind == TB_TERM_OBJECT && a->object.kind != TB_OBJECT_VARIABLE)
    return tb_term_const (c, at, tb_type_pointer (c->v, a->type),
			  a->object.value);
  if (!tb_term_is_lvalue (a) || a->bits != 0 || a->kind == TB_TERM_REGISTER)
    return tb_compiler_null (c, at, a->bits != 0
			     ? "a bit field has no address"
			     : "this has no address");
  if (a->kind == TB_TERM_DEREF && a->a->type->kind == TB_TYPE_POINTER)
    return a->a;
  struct tb_term *node = tb_term_new (c, TB_TERM_ADDRESS, at,
				      tb_type_pointer (c->v, a->type));
  if (node != NULL)
    node->a = a;
  return node;
}

struct tb_term *
tb_term_index (struct tb_compiler *c, size_t at, struct tb_term *a,
	       struct tb_term *b)
{
  if (a == NULL || b == NULL)
    return NULL;
  const struct tb_type *type = a->type;
  struct tb_expression_traits *traits = c->scope->traits;
  bool constant = type->kind == TB_TYPE_ARRAY && b->kind == TB_TERM_CONST;
  if (constant && traits != NULL && b->value >= type->count && !type->is_incomplete
      && type->count > 0)
    {
      traits->is_outside = true;
      traits->index = (int64_t) b->value;
      traits->count = type->count;
    }
  if (constant && tb_term_is_lvalue (a) && b->value < type->count)
    {
      struct tb_term *node = tb_term_new (c, TB_TERM_MEMBER, at,
					  tb_type_target (c->v, type));
      if (node == NULL)
	return NULL;
      node->a = a;
      node->value = b->value * node->type->size;
      return node;
    }
  struct tb_term *sum = tb_term_binary (c, at, '+', a, b);
  if (sum != NULL && !is_pointer (sum))
    return tb_compiler_null (c, at, "expected an array or a pointer before `['");
  return tb_term_deref (c, at, sum);
}

struct tb_term *
tb_term_repeat (struct tb_compiler *c, size_t at, struct tb_term *a,
		struct tb_term *b)
{
  b = integral (c, b);
  if (a == NULL || b == NULL)
    return NULL;
  if (!tb_term_is_lvalue (a) || a->bits != 0 || a->kind == TB_TERM_REGISTER)
    return tb_compiler_null (c, at, "what stands before `@' is not in memory");
  if (a->type->is_incomplete || a->type->size == 0)
    return tb_compiler_null (c, at, "the size of what stands before `@' is not "
			     "known");
  if (b->kind != TB_TERM_CONST)
    return pair (c, TB_TERM_REPEAT, at, '@',
		 tb_variables_base (c->v, TB_TYPE_OTHER, false, 0), a, b);
  if ((int64_t) b->value <= 0)
    return tb_compiler_null (c, b->at, "expected a positive number behind `@'");
  const struct tb_type *type = tb_type_array (c->v, a->type, b->value);
  if (type->is_incomplete)
    return tb_compiler_null (c, b->at, "the number behind `@' is too large");
  struct tb_term *node = tb_term_new (c, TB_TERM_MEMBER, at, type);
  if (node != NULL)
    node->a = a;
  return node;
}

struct tb_term *
tb_term_assign (struct tb_compiler *c, size_t at, uint8_t op,
		struct tb_term *a, struct tb_term *b)
{
  if (a == NULL || b == NULL)
    return NULL;
  const struct tb_trace_variable *variable
    = a->kind == TB_TERM_STATE
      ? tb_trace_variable_find (c->scope->set, (unsigned) a->value) : NULL;
  if (variable == NULL)
    return tb_compiler_null (c, at, "only state variables can be set");
  if (variable->own != 0)
    return tb_compiler_null (c, a->at, "`$%.60s' cannot be set",
			     variable->name);
  if (op != 0)
    b = tb_term_binary (c, at, op, a, b);
  b = integral (c, b);
  b = b != NULL ? convert (c, b, a->type) : NULL;
  struct tb_term *node = pair (c, TB_TERM_ASSIGN, at, '=', a->type, b, b);
  if (node != NULL)
    node->value = a->value;
  return node;
}

struct tb_term *
tb_term_comma (struct tb_compiler *c, size_t at, struct tb_term *a,
	       struct tb_term *b)
{
  a = scalar (c, a);
  b = scalar (c, b);
  return b != NULL ? pair (c, TB_TERM_COMMA, at, ',', b->type, a, b) : NULL;
}

struct tb_term *
tb_term_size (struct tb_compiler *c, size_t at, const struct tb_type *type)
{
  uint64_t size = type->kind == TB_TYPE_VOID || type->kind == TB_TYPE_FUNCTION
		  ? 1 : type->size;
  if (type->is_incomplete)
    return tb_compiler_null (c, at, "its size is not known");
  /* GDB: an int.  */
  return tb_term_const (c, at, tb_type_int (c), size);
}
