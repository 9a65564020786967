/* Expressions: what is collected, and what is evaluated for what it sets.  See
   expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Tracepoint Actions".  */

#include "config.h"
#include "frame/expression.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frame/expression-internal.h"

/* A string without a limit of its own.  */
#define STRING_LIMIT 65536

/* Is the operator OP the token?  */
static bool
at_operator (const struct tb_compiler *c, uint8_t op)
{
  return c->token == TB_TOKEN_OPERATOR && c->op == op;
}

void
tb_action_list_fini (struct tb_action_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    tb_expression_fini (&list->items[i].expression);
  free (list->items);
  *list = (struct tb_action_list) { 0 };
}

static bool
same_action (const struct tb_action *a, const struct tb_action *b)
{
  return a->kind == b->kind
	 && (a->kind == TB_ACTION_REGISTERS
	     || (a->kind == TB_ACTION_MEMORY && a->base == b->base
		 && a->offset == b->offset && a->length == b->length));
}

/* Append ACTION, whose expression becomes LIST's, unless LIST has it.  */
static bool
add_action (struct tb_compiler *c, struct tb_action_list *list,
	    struct tb_action action)
{
  for (size_t i = 0; i < list->count; i++)
    if (same_action (&list->items[i], &action))
      return true;
  bool ok = TB_GROW (list->items, list->capacity, list->count, 1);
  if (ok)
    list->items[list->count++] = action;
  else
    tb_expression_fini (&action.expression);
  return ok || tb_compiler_error (c, 0, "no memory");
}

static bool
add_registers (struct tb_compiler *c, struct tb_action_list *list)
{
  return add_action (c, list, (struct tb_action) {
    .kind = TB_ACTION_REGISTERS, .base = -1
  });
}

/* Add what E's code does, if it has any.  */
static bool
add_code (struct tb_emitter *e, struct tb_action_list *list)
{
  struct tb_action action = { .kind = TB_ACTION_EXPRESSION, .base = -1 };
  if (e->uses_registers && !add_registers (e->c, list))
    return false;
  return e->code.size == 0
	 || (tb_emit_end (e, &action.expression) && add_action (e->c, list, action));
}

/* How strings are collected; LIMIT 0: they are not followed.  */
struct strings
{
  uint64_t limit;
};

/* Collect the pieces of PLACE that are in memory.  */
static bool
collect_pieces (struct tb_emitter *e, struct tb_term *a,
		const struct tb_lvalue *place)
{
  const struct tb_storage *s = &place->storage;
  uint64_t begin = 0;
  for (unsigned i = 0; i < s->npieces; i++)
    {
      const struct tb_piece *piece = &s->pieces[i];
      uint64_t length = piece->size != 0 ? piece->size : a->type->size;
      uint64_t end = length > UINT64_MAX - begin ? UINT64_MAX : begin + length;
      unsigned remote;
      bool wanted = begin < place->offset + place->size && place->offset < end;
      begin = end;
      if (!wanted)
	continue;
      if (piece->kind == TB_PIECE_REGISTER)
	{
	  if (!tb_emit_register (e, a->at, piece->reg, &remote))
	    return false;
	  continue;
	}
      if (piece->kind == TB_PIECE_LOST)
	continue;
      if (!tb_emit_program (e, a->at, s, i)
	  || (piece->kind == TB_PIECE_MEMORY && !tb_emit_trace (e, length))
	  || !tb_emit_op (e, AGENT_POP, 0))
	return false;
    }
  return true;
}

/* Collect the string at the address on the stack.  */
static bool
collect_string (struct tb_emitter *e, uint64_t limit)
{
  return tb_emit_const (e, limit) && tb_emit_op (e, AGENT_TRACENZ, 0);
}

/* Is A an array of characters, or does it point to one?  */
static bool
is_string (struct tb_emitter *e, const struct tb_term *a)
{
  return (a->type->kind == TB_TYPE_ARRAY || a->type->kind == TB_TYPE_POINTER)
	 && tb_type_target (e->c->v, a->type)->kind == TB_TYPE_CHAR;
}

/* Collect the lvalue A.  */
static bool
collect_lvalue (struct tb_emitter *e, struct tb_term *a,
		struct tb_action_list *list, const struct strings *strings)
{
  struct tb_lvalue place;
  bool text = strings->limit != 0 && is_string (e, a);
  if (text && a->type->kind == TB_TYPE_POINTER)
    return tb_emit_value (e, a) && collect_string (e, strings->limit)
	   && add_code (e, list);
  if (!tb_emit_place (e, a, &place))
    return false;
  if (a->type->is_incomplete || a->type->kind == TB_TYPE_VOID
      || a->type->kind == TB_TYPE_FUNCTION)
    return tb_compiler_error (e->c, a->at, "its size is not known: cast it to its "
			      "type, or collect a range (A@N)");
  switch ((enum tb_lvalue_kind) place.kind)
    {
    case TB_LVALUE_REGISTER:
      return add_code (e, list);
    case TB_LVALUE_PIECES:
      return collect_pieces (e, a, &place) && add_code (e, list);
    case TB_LVALUE_FIXED: case TB_LVALUE_BASED:
      if (text || e->code.size != 0)
	break;
      if (e->c->address_size == 4 && place.kind == TB_LVALUE_FIXED)
	place.offset = (uint32_t) place.offset;
      return add_code (e, list)
	     && (place.size == 0 || add_action (e->c, list, (struct tb_action) {
		   .kind = TB_ACTION_MEMORY,
		   .base = place.kind == TB_LVALUE_BASED ? (int) place.base : -1,
		   .offset = place.offset, .length = place.size
		 }));
    case TB_LVALUE_COMPUTED:
      break;
    }
  return tb_emit_address (e, a, &place)
	 && (text ? collect_string (e, strings->limit < a->type->size
				       ? strings->limit : a->type->size)
		  : tb_emit_trace (e, place.size)
		    && tb_emit_op (e, AGENT_POP, 0))
	 && add_code (e, list);
}

/* A@B, B of what is not known before.  */
static bool
collect_repeat (struct tb_emitter *e, struct tb_term *n,
		struct tb_action_list *list)
{
  struct tb_lvalue place;
  return tb_emit_place (e, n->a, &place) && tb_emit_address (e, n->a, &place)
	 && tb_emit_value (e, n->b) && tb_emit_const (e, n->a->type->size)
	 && tb_emit_op (e, AGENT_MUL, 0) && tb_emit_op (e, AGENT_TRACE, 0)
	 && add_code (e, list);
}

static bool
collect_node (struct tb_compiler *c, struct tb_term *node,
	      struct tb_action_list *list, const struct strings *strings)
{
  struct tb_emitter e = { .c = c, .collects = true };
  bool ok;
  if (node->kind == TB_TERM_STATE)
    ok = tb_emit_op (&e, AGENT_TRACEV, node->value) && add_code (&e, list);
  else if (node->kind == TB_TERM_CONST
	   && (strings->limit == 0 || !is_string (&e, node)))
    ok = true;			/* It is what it is.  */
  else if (node->kind == TB_TERM_REPEAT)
    ok = collect_repeat (&e, node, list);
  else if (node->kind == TB_TERM_OBJECT
	   && node->object.kind == TB_OBJECT_SYMBOL && node->object.size != 0)
    ok = add_action (c, list, (struct tb_action) {
      .kind = TB_ACTION_MEMORY, .base = -1, .offset = node->object.value,
      .length = node->object.size
    });
  else if (tb_term_is_lvalue (node))
    ok = collect_lvalue (&e, node, list, strings);
  else
    ok = tb_emit_value (&e, node)
	 && (strings->limit != 0 && is_string (&e, node)
	     ? collect_string (&e, strings->limit)
	     : tb_emit_op (&e, AGENT_POP, 0))
	 && add_code (&e, list);
  tb_buffer_fini (&e.code);
  return ok;
}

/* Collecting all arguments, or all local variables.  */
struct all
{
  struct tb_compiler *c;
  struct tb_action_list *list;
  const struct strings *strings;
  size_t at;
  unsigned count;
};

static bool
collect_object (void *context, const struct tb_object *object)
{
  struct all *all = context;
  struct tb_compiler *c = all->c;
  if (++all->count > TB_TERMS_MAX / 2)
    return tb_compiler_error (c, all->at, "there are too many variables");
  if (object->kind != TB_OBJECT_VARIABLE)
    return true;		/* Always the same.  */
  struct tb_term *node = tb_term_new (c, TB_TERM_OBJECT, all->at,
				      object->type);
  if (node == NULL)
    return false;		/* And no others.  */
  node->object = *object;
  /* What a reference refers to is what its name means.  */
  if (object->type->kind == TB_TYPE_REFERENCE)
    node = tb_term_deref (c, all->at, node);
  if (node != NULL && collect_node (c, node, all->list, all->strings))
    return true;
  tb_warning (c->scope->diag, "at 0x%" PRIx64 ": `%.100s' is left out: %s",
	      c->scope->pc, object->name, c->error->text);
  c->failed = false;
  return true;
}

static bool
collect_all (struct tb_compiler *c, size_t at, bool arguments,
	     struct tb_action_list *list, const struct strings *strings)
{
  struct all all = { c, list, strings, at, 0 };
  if (c->scope->no_pc)
    return tb_compiler_error (c, at, "there is no one function that has them");
  if (!tb_variables_list (c->v, c->scope->pc, arguments, collect_object, &all))
    tb_warning (c->scope->diag, "at 0x%" PRIx64 ": `%s' has nothing: there is no "
		"debugging information", c->scope->pc,
		arguments ? "$args" : "$locals");
  return !c->failed;
}

/* Collect where the function returns to.  */
static bool
collect_return (struct tb_compiler *c, size_t at, struct tb_action_list *list)
{
  struct tb_emitter e = { .c = c, .collects = true };
  struct tb_lvalue place = { .kind = TB_LVALUE_PIECES };
  struct tb_term *node = tb_term_new (c, TB_TERM_OBJECT, at,
				      tb_type_integer (c, false,
						       c->address_size));
  const char *why = "there is no PC";
  if (node == NULL)
    return false;
  place.size = c->address_size;
  bool ok = (!c->scope->no_pc
	     && tb_variables_return (c->v, c->scope->pc, &place.storage, &why))
	    || tb_compiler_error (c, at, "the return address is not known: %s",
				  why);
  ok = ok && collect_pieces (&e, node, &place) && add_code (&e, list);
  tb_buffer_fini (&e.code);
  return ok;
}

/* "$args" and the like.  False: the token is none of them.  */
static bool
collect_special (struct tb_compiler *c, struct tb_action_list *list,
		 const struct strings *strings, bool *ok)
{
  static const char *const names[] = {
    "$regs", "$args", "$locals", "$_ret", "$_sdata"
  };
  size_t at = c->token_at, which = 0;
  if (c->token != TB_TOKEN_DOLLAR)
    return false;
  while (which < 5 && (strlen (names[which]) != c->token_length
		       || memcmp (names[which], c->text + at,
				  c->token_length) != 0))
    which++;
  if (which == 5)
    return false;
  tb_lex (c);
  switch (which)
    {
    case 0: *ok = add_registers (c, list); break;
    case 1: *ok = collect_all (c, at, true, list, strings); break;
    case 2: *ok = collect_all (c, at, false, list, strings); break;
    case 3: *ok = collect_return (c, at, list); break;
    default:
      *ok = tb_compiler_error (c, at, "there are no static tracepoint markers");
      break;
    }
  return true;
}

/* "/s" or "/sN".  */
static bool
read_options (struct tb_compiler *c, struct strings *strings)
{
  size_t at = c->token_at;
  strings->limit = 0;
  if (!at_operator (c, '/'))
    return true;
  tb_lex (c);
  if (c->token != TB_TOKEN_NAME || c->text[c->token_at] != 's')
    return tb_compiler_error (c, at, "expected `/s', perhaps with a number");
  strings->limit = c->token_length == 1 ? STRING_LIMIT : 0;
  for (size_t i = 1; i < c->token_length; i++)
    {
      char digit = c->text[c->token_at + i];
      if (digit < '0' || digit > '9' || strings->limit > STRING_LIMIT)
	return tb_compiler_error (c, at, "expected a number up to %u behind "
				  "`/s'", STRING_LIMIT);
      strings->limit = strings->limit * 10 + (unsigned) (digit - '0');
    }
  if (strings->limit > STRING_LIMIT)
    return tb_compiler_error (c, at, "expected a number up to %u behind `/s'",
			      STRING_LIMIT);
  tb_lex (c);
  return !c->failed;
}

/* Take the actions from number COUNT on out of LIST.  */
static void
drop_actions (struct tb_action_list *list, size_t count)
{
  while (list->count > count)
    tb_expression_fini (&list->items[--list->count].expression);
  if (count == 0)
    tb_action_list_fini (list);
}

/* Items separated by commas; DO_ITEM makes the actions of one.  */
static bool
each_item (const char *text, size_t length,
	   const struct tb_expression_scope *scope,
	   struct tb_action_list *list, struct tb_expression_error *error,
	   bool (*do_item) (struct tb_compiler *c, struct tb_action_list *list,
			    const struct strings *strings),
	   bool has_options)
{
  struct tb_compiler c;
  struct strings strings = { 0 };
  size_t before = list->count;
  bool ok = tb_compiler_init (&c, text, length, scope, error)
	    && (!has_options || read_options (&c, &strings));
  while (ok && (ok = do_item (&c, list, &strings)) && at_operator (&c, ','))
    tb_lex (&c);
  ok = ok && (c.token == TB_TOKEN_END || tb_compiler_expected (&c, "`,'"));
  if (!ok || c.failed)
    drop_actions (list, before);
  ok = ok && !c.failed;
  tb_compiler_fini (&c);
  return ok;
}

static bool
collect_item (struct tb_compiler *c, struct tb_action_list *list,
	      const struct strings *strings)
{
  bool ok;
  if (collect_special (c, list, strings, &ok))
    return ok;
  struct tb_term *node = tb_parse (c);
  return node != NULL && collect_node (c, node, list, strings);
}

static bool
teval_item (struct tb_compiler *c, struct tb_action_list *list,
	    const struct strings *strings)
{
  struct tb_emitter e = { .c = c };
  (void) strings;
  struct tb_term *node = tb_term_decay (c, tb_parse (c));
  bool ok = node != NULL && tb_emit_value (&e, node);
  e.uses_registers = false;	/* They are not collected.  */
  ok = ok && add_code (&e, list);
  tb_buffer_fini (&e.code);
  return ok;
}

bool
tb_expression_collect (const char *text, size_t length,
		       const struct tb_expression_scope *scope,
		       struct tb_action_list *list,
		       struct tb_expression_error *error)
{
  return each_item (text, length, scope, list, error, collect_item, true);
}

bool
tb_expression_teval (const char *text, size_t length,
		     const struct tb_expression_scope *scope,
		     struct tb_action_list *list,
		     struct tb_expression_error *error)
{
  return each_item (text, length, scope, list, error, teval_item, false);
}
