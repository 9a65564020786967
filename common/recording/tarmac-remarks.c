/* What was taken for something that a Tarmac log does not say outright.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <string.h>

unsigned
tb_tarmac_core_remarks (const struct tb_tarmac_core *c,
			const struct tb_tarmac_remark **remarks)
{
  *remarks = c->remarks;
  return c->nremarks;
}

void
tb_tarmac_core_remark (struct tb_tarmac_core *c, enum tb_tarmac_remark_kind kind,
		       struct tb_tarmac_word word, uint64_t line)
{
  struct tb_tarmac_remark remark = { .kind = (uint8_t) kind, .line = line,
				     .count = 1 };
  size_t n = word.length < sizeof remark.text - 1 ? word.length
						  : sizeof remark.text - 1;
  for (size_t i = 0; i < n; i++)
    remark.text[i] = word.text[i] >= ' ' && word.text[i] <= '~' ? word.text[i]
								 : '?';
  for (unsigned i = 0; i < c->nremarks; i++)
    if (c->remarks[i].kind == kind
	&& strcmp (c->remarks[i].text, remark.text) == 0)
      {
	c->remarks[i].count++;
	return;
      }
  if (c->nremarks < TB_TARMAC_REMARKS)
    c->remarks[c->nremarks++] = remark;
}
