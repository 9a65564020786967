/* Expressions: the types of what they compute.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/expression-internal.h"

const struct tb_type *
tb_type_integer (struct tb_compiler *c, bool is_signed, unsigned size)
{
  return tb_variables_base (c->v, TB_TYPE_INTEGER, is_signed, size);
}

const struct tb_type *
tb_type_int (struct tb_compiler *c)
{
  return tb_type_integer (c, true, 4);
}

const char *
tb_type_text (const struct tb_type *type)
{
  switch ((enum tb_type_kind) type->kind)
    {
    case TB_TYPE_VOID: return "what has no type (cast it to its type)";
    case TB_TYPE_INTEGER: case TB_TYPE_CHAR: case TB_TYPE_BOOL:
    case TB_TYPE_ENUM:
      return "a number";
    case TB_TYPE_FLOAT: return "a floating-point number";
    case TB_TYPE_POINTER: return "a pointer";
    case TB_TYPE_REFERENCE: return "a reference";
    case TB_TYPE_ARRAY: return "an array";
    case TB_TYPE_STRUCT: return "a structure";
    case TB_TYPE_UNION: return "a union";
    case TB_TYPE_FUNCTION: return "a function";
    case TB_TYPE_OTHER: break;
    }
  return "what has a type that is not understood";
}

const char *
tb_type_hint (const struct tb_type *type)
{
  return type->kind == TB_TYPE_STRUCT || type->kind == TB_TYPE_UNION
	 ? "; name a member of it" : "";
}

const struct tb_type *
tb_type_promoted (struct tb_compiler *c, const struct tb_type *type)
{
  return type->size < 4 ? tb_type_int (c)
			: tb_type_integer (c, type->is_signed,
					   (unsigned) type->size);
}

const struct tb_type *
tb_type_common (struct tb_compiler *c, const struct tb_type *a,
		const struct tb_type *b)
{
  a = tb_type_promoted (c, a);
  b = tb_type_promoted (c, b);
  if (a->size != b->size)
    return a->size > b->size ? a : b;
  return a->is_signed ? b : a;
}
