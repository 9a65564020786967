/* Expressions: registers of peripherals, by a device description.  See expression.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/expression-internal.h"

#include <string.h>

#include "svd/svd.h"

/* How many characters of TEXT may be of such a name: "DMA.CH[2].CFG.EN".  */
static size_t
name_length (const char *text, size_t length)
{
  size_t n = 0;
  while (n < length && text[n] != '\0'
	 && strchr ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		    "0123456789_.[]", text[n]) != NULL)
    n++;
  return n;
}

/* Can a name end before the character at LENGTH of TEXT?  */
static bool
may_end (const char *text, size_t length, size_t whole)
{
  return length == whole || text[length] == '.' || text[length] == '[';
}

struct tb_term *
tb_peripheral_node (struct tb_compiler *c)
{
  const char *text = c->text + c->token_at;
  size_t at = c->token_at, length = name_length (text, c->length - at);
  const size_t whole = length;
  struct tb_svd_found found = { .reg = NULL };
  if (c->scope->svd == NULL)
    return NULL;
  while (length > 0 && found.reg == NULL)
    if (!may_end (text, length, whole)
	|| !tb_svd_find (c->scope->svd, text, length, &found)
	|| found.reg == NULL)
      length--;
  if (found.reg == NULL)
    return NULL;
  const struct tb_svd_register *reg = found.reg;
  if ((reg->bytes & (reg->bytes - 1)) != 0)
    return tb_compiler_null (c, at, "`%.*s' has %u bytes, not 1, 2, 4 or 8",
			     length > 100 ? 100 : (int) length, text, reg->bytes);
  c->next = at + length;
  tb_lex (c);
  const struct tb_type *type = tb_type_integer (c, false, reg->bytes);
  struct tb_term *node
    = tb_term_const (c, at, tb_type_pointer (c->v, type), reg->address);
  node = node != NULL ? tb_term_deref (c, at, node) : NULL;
  const struct tb_svd_field *f = found.field;
  if (node == NULL || f == NULL || f->width == 8 * reg->bytes)
    return node;
  struct tb_term *field = tb_term_new (c, TB_TERM_MEMBER, at, type);
  if (field == NULL)
    return NULL;
  field->a = node;
  field->value = f->lsb / 8;
  field->bit = (uint8_t) (f->lsb % 8);
  field->bits = (uint8_t) f->width;
  return field;
}
