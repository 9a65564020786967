/* Expressions: tokens to nodes.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: C11, 6.5; GDB's own operators @ and {TYPE} bind as in GDB 13.1.  */

#include "config.h"
#include "frame/expression-internal.h"

#include <string.h>

static struct tb_term *parse_unary (struct tb_compiler *c);

/* Operators of two operands by how tightly they bind.  */
static unsigned
precedence (uint8_t op)
{
  switch (op)
    {
    case TB_OPERATOR_OR: return 1;
    case TB_OPERATOR_AND: return 2;
    case '|': return 3;
    case '^': return 4;
    case '&': return 5;
    case TB_OPERATOR_EQ: case TB_OPERATOR_NE: return 6;
    case '<': case '>': case TB_OPERATOR_LE: case TB_OPERATOR_GE: return 7;
    case TB_OPERATOR_SHL: case TB_OPERATOR_SHR: return 8;
    case '@': return 9;
    case '+': case '-': return 10;
    case '*': case '/': case '%': return 11;
    default: return 0;
    }
}

static bool
is_operator (const struct tb_compiler *c, uint8_t op)
{
  return c->token == TB_TOKEN_OPERATOR && c->op == op;
}

/* Go past operator OP.  */
static bool
take (struct tb_compiler *c, uint8_t op, const char *text)
{
  if (!is_operator (c, op))
    return tb_compiler_expected (c, text);
  tb_lex (c);
  return !c->failed;
}

static bool
enter (struct tb_compiler *c)
{
  if (c->depth == TB_TERM_DEPTH_MAX)
    return tb_compiler_error (c, c->token_at, "nested too deep");
  c->depth++;
  return true;
}

/* ( ... ), a constant or a name.  */
static struct tb_term *
parse_primary (struct tb_compiler *c)
{
  struct tb_term *node = NULL;
  switch (c->token)
    {
    case TB_TOKEN_NUMBER: case TB_TOKEN_CHAR:
      node = tb_term_const (c, c->token_at, c->value_type, c->value);
      tb_lex (c);
      return node;
    case TB_TOKEN_NAME:
      return tb_name_node (c);
    case TB_TOKEN_DOLLAR:
      return tb_dollar_node (c);
    case TB_TOKEN_OPERATOR:
      if (c->op == '(')
	{
	  tb_lex (c);
	  node = tb_parse_comma (c);
	  return node != NULL && take (c, ')', "`)'") ? node : NULL;
	}
      if (c->op == TB_OPERATOR_NOT_ALLOWED)
	return tb_compiler_null (c, c->token_at,
				 "only state variables can be set, by `='");
      break;
    default:
      break;
    }
  tb_compiler_expected (c, "an operand");
  return NULL;
}

/* What stands behind an operand: [ ], . and ->.  */
static struct tb_term *
parse_postfix (struct tb_compiler *c)
{
  struct tb_term *node = parse_primary (c);
  while (node != NULL && c->token == TB_TOKEN_OPERATOR)
    {
      size_t at = c->token_at;
      if (c->op == '[')
	{
	  tb_lex (c);
	  struct tb_term *index = tb_parse_comma (c);
	  if (index == NULL || !take (c, ']', "`]'"))
	    return NULL;
	  node = tb_term_index (c, at, node, index);
	}
      else if (c->op == '.' || c->op == TB_OPERATOR_ARROW)
	{
	  tb_lex (c);
	  if (c->token != TB_TOKEN_NAME)
	    {
	      tb_compiler_expected (c, "the name of a member");
	      return NULL;
	    }
	  node = tb_member_node (c, c->token_at, node, c->text + c->token_at,
				 c->token_length);
	  tb_lex (c);
	}
      else if (c->op == '(')
	return tb_compiler_null (c, at, "functions cannot be called");
      else if (c->op == TB_OPERATOR_NOT_ALLOWED)
	return tb_compiler_null (c, at,
				 "only state variables can be set, by `='");
      else
	break;
    }
  return c->failed ? NULL : node;
}

/* sizeof ( TYPE ), sizeof EXPRESSION  */
static struct tb_term *
parse_sizeof (struct tb_compiler *c)
{
  size_t at = c->token_at;
  tb_lex (c);
  if (is_operator (c, '('))
    {
      size_t operand = c->token_at;
      tb_lex (c);
      if (tb_is_type (c))
	{
	  const struct tb_type *type = tb_read_type (c);
	  return type != NULL && take (c, ')', "`)'")
		 ? tb_term_size (c, at, type) : NULL;
	}
      if (c->failed)
	return NULL;
      c->next = operand;
      tb_lex (c);
    }
  struct tb_term *node = parse_unary (c);
  return node != NULL ? tb_term_size (c, at, node->type) : NULL;
}

/* ( TYPE ) OPERAND, { TYPE } OPERAND, where the bracket has been read.  */
static struct tb_term *
parse_cast (struct tb_compiler *c, size_t at, bool is_memory)
{
  const struct tb_type *type = tb_read_type (c);
  if (type == NULL || !take (c, is_memory ? '}' : ')', is_memory ? "`}'" : "`)'"))
    return NULL;
  struct tb_term *node = parse_unary (c);
  if (node == NULL)
    return NULL;
  if (!is_memory)
    return tb_term_cast (c, at, type, node);
  node = tb_term_decay (c, node);
  if (node != NULL && !tb_type_is_scalar (node->type))
    return tb_compiler_null (c, node->at, "expected an address, found %s",
			     tb_type_text (node->type));
  node = tb_term_cast (c, at, tb_type_pointer (c->v, type), node);
  return tb_term_deref (c, at, node);
}

static struct tb_term *
parse_prefix (struct tb_compiler *c)
{
  size_t at = c->token_at;
  if (c->token == TB_TOKEN_NAME && c->token_length == 6
      && memcmp (c->text + at, "sizeof", 6) == 0)
    return parse_sizeof (c);
  if (c->token != TB_TOKEN_OPERATOR)
    return parse_postfix (c);
  uint8_t op = c->op;
  struct tb_term *node;
  switch (op)
    {
    case '(':
      {
	tb_lex (c);
	if (tb_is_type (c))
	  return parse_cast (c, at, false);
	if (c->failed)
	  return NULL;
	c->next = at;		/* Again: an operand.  */
	tb_lex (c);
	return parse_postfix (c);
      }
    case '{':
      tb_lex (c);
      return parse_cast (c, at, true);
    case '+': case '-': case '~': case '!': case '*': case '&':
      tb_lex (c);
      node = parse_unary (c);
      if (node == NULL)
	return NULL;
      return op == '*' ? tb_term_deref (c, at, tb_term_decay (c, node))
	     : op == '&' ? tb_term_address (c, at, node)
			 : tb_term_unary (c, at, op, node);
    default:
      return parse_postfix (c);
    }
}

static struct tb_term *
parse_unary (struct tb_compiler *c)
{
  if (!enter (c))
    return NULL;
  struct tb_term *node = parse_prefix (c);
  c->depth--;
  return c->failed ? NULL : node;
}

/* Is it an operator with "=" behind it?  */
static bool
is_compound (const struct tb_compiler *c)
{
  return c->token == TB_TOKEN_OPERATOR
	 && (precedence (c->op) >= 8 || c->op == '&' || c->op == '|'
	     || c->op == '^')
	 && c->op != '@' && c->next < c->length && c->text[c->next] == '=';
}

/* Operators that bind at least as tightly as LEVEL.  */
static struct tb_term *
parse_binary (struct tb_compiler *c, unsigned level)
{
  struct tb_term *left = parse_unary (c);
  while (left != NULL && c->token == TB_TOKEN_OPERATOR)
    {
      uint8_t op = c->op;
      size_t at = c->token_at;
      unsigned own = precedence (op);
      if (own < level || own == 0 || is_compound (c))
	break;
      tb_lex (c);
      struct tb_term *right = parse_binary (c, own + 1);
      if (right == NULL)
	return NULL;
      left = op == '@' ? tb_term_repeat (c, at, left, right)
		       : tb_term_binary (c, at, op, left, right);
    }
  return left;
}

/* "=" or "OP="; *OP is the operator, 0: none.  */
static bool
take_assignment (struct tb_compiler *c, uint8_t *op)
{
  if (is_operator (c, '='))
    *op = 0;
  else if (is_compound (c))
    {
      *op = c->op;
      c->next++;
    }
  else
    return false;
  tb_lex (c);
  return true;
}

struct tb_term *
tb_parse (struct tb_compiler *c)
{
  uint8_t op;
  if (!enter (c))
    return NULL;
  struct tb_term *node = parse_binary (c, 1);
  size_t at = c->token_at;
  if (node != NULL && is_operator (c, '?'))
    {
      tb_lex (c);
      struct tb_term *then = tb_parse_comma (c);
      struct tb_term *other = then != NULL && take (c, ':', "`:'")
			      ? tb_parse (c) : NULL;
      node = tb_term_choice (c, at, node, then, other);
    }
  else if (node != NULL && take_assignment (c, &op))
    node = tb_term_assign (c, at, op, node, tb_parse (c));
  c->depth--;
  return c->failed ? NULL : node;
}

struct tb_term *
tb_parse_comma (struct tb_compiler *c)
{
  struct tb_term *node = tb_parse (c);
  while (node != NULL && is_operator (c, ','))
    {
      size_t at = c->token_at;
      tb_lex (c);
      node = tb_term_comma (c, at, node, tb_parse (c));
    }
  return node;
}
