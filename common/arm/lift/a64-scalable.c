/* Semantics of A64: SVE and SME, as far as what they do not touch stays.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0487, C4.1 "SVE encodings", "SME encodings", "Reserved".  */

#include "config.h"
#include "arm/lift/a64-impl.h"

/* UDF  */
static void
undefined (struct tb_semantics *s, const struct tb_fields *f)
{
  (void) f;
  emit (s, TB_OP_TRAP, NONE, NONE, NONE);
}

static const struct tb_row rows[] = {
  { 0xffff0000, 0x00000000, 0, 0, undefined },
};
const struct tb_rows tb_a64_scalable_rows = TB_ROWS (rows);
