/* SVE registers.  See sve.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/sve.h"

#include <stdio.h>
#include <string.h>

#include "recording/facts.h"
#include "state/evidence/log.h"
#include "state/window/internal.h"

unsigned
tb_state_sve_length (const struct tb_state *s)
{
  return s->log != NULL ? tb_state_log_sve (s->log)->length : 0;
}

unsigned
tb_sve_length (const struct tb_columns *facts)
{
  struct tb_log_sve sve = { .length = 0 };
  if (facts != NULL)
    tb_log_sve_find (&sve, facts);
  return sve.length;
}

unsigned
tb_sve_size (unsigned length, unsigned reg)
{
  return reg < TB_SVE_P ? length : length / 8;
}

const char *
tb_sve_name (unsigned reg, char room[8])
{
  if (reg == TB_SVE_FFR)
    snprintf (room, 8, "ffr");
  else
    snprintf (room, 8, "%c%u", reg < TB_SVE_P ? 'z' : 'p', reg % TB_SVE_P);
  return room;
}

static void
put_word (uint8_t *to, uint32_t word)
{
  for (unsigned i = 0; i < 4; i++)
    to[i] = (uint8_t) (word >> 8 * i);
}

bool
tb_state_sve (const struct tb_state *s, uint64_t step, unsigned reg,
	      struct tb_sve *value)
{
  const struct tb_log_sve *sve = s->log != NULL ? tb_state_log_sve (s->log) : NULL;
  bool any = false;
  memset (value, 0, sizeof *value);
  if (sve == NULL || sve->length == 0 || sve->regs[reg] == NULL)
    return false;
  unsigned size = tb_sve_size (sve->length, reg);
  for (unsigned i = 0; 4 * i < size; i++)
    {
      uint32_t bits, mask;
      if (!tb_facts_register (sve->regs[reg], i, step, &bits, &mask))
	continue;
      any = true;
      put_word (value->bytes + 4 * i, bits);
      put_word (value->mask + 4 * i, mask);
    }
  return any;
}

bool
tb_sve_known (const struct tb_sve *value, unsigned from, unsigned size)
{
  for (unsigned i = from; i < from + size; i++)
    if (value->mask[i] != 0xff)
      return false;
  return true;
}

uint64_t
tb_state_sve_next (const struct tb_state *s, uint64_t step, unsigned reg)
{
  const struct tb_log_sve *sve = s->log != NULL ? tb_state_log_sve (s->log) : NULL;
  return sve != NULL && sve->length != 0 && sve->regs[reg] != NULL
	 ? tb_facts_next (sve->regs[reg], step) : UINT64_MAX;
}
