/* Where a variable stands, as a text that a test compares.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_TESTS_UNIT_SUPPORT_PLACES_TEXT_H
#define TB_TESTS_UNIT_SUPPORT_PLACES_TEXT_H

#include <inttypes.h>
#include <stdio.h>

#include "snapshot/variables.h"

/* The pieces of STORAGE in the ROOM bytes at TEXT: "register 3", "memory of 4: reg 13,
   const -8, add; lost of 4".  */
static inline const char *
storage_text (const struct tb_storage *storage, char *text, size_t room)
{
  static const char *const kinds[] = { "lost", "memory", "register", "value" };
  static const char *const codes[] = {
    "const", "reg", "load", "dup", "drop", "swap", "rot", "pick", "add", "sub", "mul",
    "div", "rem", "and", "or", "xor", "shl", "shr", "sar", "neg", "not", "eq", "ne", "lt",
    "le", "gt", "ge", "sign", "zero"
  };
  FILE *out = fmemopen (text, room, "w");
  for (unsigned i = 0; i < storage->npieces; i++)
    {
      const struct tb_piece *p = &storage->pieces[i];
      fprintf (out, "%s%s", i != 0 ? "; " : "", kinds[p->kind]);
      if (p->kind == TB_PIECE_REGISTER)
	fprintf (out, " %u", p->reg);
      if (p->size != 0)
	fprintf (out, " of %" PRIu64, p->size);
      for (size_t k = p->op; k < p->op + p->nops; k++)
	{
	  const struct tb_storage_op *op = &storage->ops[k];
	  fprintf (out, "%s %s", k == p->op ? ":" : ",", codes[op->code]);
	  if (op->code <= TB_STORE_LOAD || op->code == TB_STORE_PICK
	      || op->code >= TB_STORE_SIGN)
	    fprintf (out, " %" PRId64, (int64_t) op->number);
	}
    }
  fclose (out);
  return text;
}

#endif /* TB_TESTS_UNIT_SUPPORT_PLACES_TEXT_H */
