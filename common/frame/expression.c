/* Expressions: conditions and places.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/expression.h"

#include <stdlib.h>

#include "frame/expression-internal.h"

bool
tb_compiler_init (struct tb_compiler *c, const char *text, size_t length,
		  const struct tb_expression_scope *scope,
		  struct tb_expression_error *error)
{
  const struct tb_tdesc *tdesc = scope->tdesc;
  *c = (struct tb_compiler) {
    .scope = scope, .v = scope->variables, .tdesc = tdesc,
    .address_size = tdesc->slots[tdesc->pc].size, .error = error,
    .text = text, .length = length, .members_left = 100000
  };
  if (c->v == NULL)
    {
      c->v = tb_variables_new (NULL, c->address_size);
      c->owns_variables = true;
    }
  if (c->v == NULL)
    return tb_compiler_error (c, 0, "no memory");
  if (length > TB_EXPRESSION_TEXT_MAX)
    return tb_compiler_error (c, TB_EXPRESSION_TEXT_MAX,
			      "the expression is too long");
  tb_lex (c);
  return !c->failed;
}

void
tb_compiler_fini (struct tb_compiler *c)
{
  while (c->nodes != NULL)
    {
      struct tb_term *next = c->nodes->next;
      free (c->nodes);
      c->nodes = next;
    }
  if (c->owns_variables)
    tb_variables_free (c->v);
}

bool
tb_emit_end (struct tb_emitter *e, struct tb_expression *code)
{
  if (!tb_emit_op (e, AGENT_END, 0))
    return false;
  *code = (struct tb_expression) { e->code.data, e->code.size };
  e->code = (struct tb_buffer) { 0 };
  return true;
}

bool
tb_expression_compile (const char *text, size_t length,
		       const struct tb_expression_scope *scope,
		       struct tb_expression *code, const struct tb_type **type,
		       struct tb_expression_error *error)
{
  struct tb_compiler c;
  struct tb_emitter e = { .c = &c };
  *code = (struct tb_expression) { NULL, 0 };
  bool ok = tb_compiler_init (&c, text, length, scope, error);
  struct tb_term *node = ok ? tb_term_decay (&c, tb_parse_comma (&c)) : NULL;
  if (scope->traits != NULL && node != NULL)
    scope->traits->is_object = tb_term_is_lvalue (node) && node->bits == 0;
  if (scope->float_bits && node != NULL && tb_term_is_lvalue (node))
    e.bits_of = node;
  ok = node != NULL
       && (c.token == TB_TOKEN_END || tb_compiler_expected (&c, "an operator"))
       && tb_emit_value (&e, node) && tb_emit_end (&e, code);
  if (ok && type != NULL)
    *type = c.owns_variables ? NULL : node->type;
  tb_buffer_fini (&e.code);
  tb_compiler_fini (&c);
  return ok;
}

bool
tb_expression_place (const char *text, size_t length,
		     const struct tb_expression_scope *scope,
		     uint64_t *address, uint64_t *size,
		     struct tb_expression_error *error)
{
  struct tb_compiler c;
  struct tb_emitter e = { .c = &c };
  struct tb_lvalue place;
  bool ok = tb_compiler_init (&c, text, length, scope, error);
  struct tb_term *node = ok ? tb_parse (&c) : NULL;
  ok = node != NULL
       && (c.token == TB_TOKEN_END || tb_compiler_expected (&c, "an operator"))
       && (tb_term_is_lvalue (node)
	   || tb_compiler_error (&c, node->at, "this stands nowhere"))
       && tb_emit_place (&e, node, &place);
  if (ok && place.kind != TB_LVALUE_FIXED)
    ok = tb_compiler_error (&c, node->at, "its address is not always the same");
  if (ok && node->kind == TB_TERM_OBJECT && node->object.kind == TB_OBJECT_SYMBOL)
    place.size = node->object.size;
  else if (ok && (node->type->is_incomplete || node->type->size == 0))
    ok = tb_compiler_error (&c, node->at, "its size is not known");
  if (ok)
    {
      *address = c.address_size == 4 ? (uint32_t) place.offset : place.offset;
      *size = place.size;
    }
  tb_buffer_fini (&e.code);
  tb_compiler_fini (&c);
  return ok;
}
