/* Where a log's facts have SVE registers.  See log.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/log.h"

#include <stdio.h>

#include "recording/facts.h"

/* Bytes of vectors that a lane of them is, or one of their predicates, a bit a byte.  */
enum { LANE = 4, LANE_OF_P = 32 };

/* Does a lane of 32 bits of REG, a predicate, hold more than the shortest vectors
   have?  */
static bool
is_more (const struct tb_facts_register *reg)
{
  uint32_t value, mask;
  for (uint64_t at = 0; at != UINT64_MAX; at = tb_facts_next (reg, at))
    if (tb_facts_register (reg, 0, at, &value, &mask) && value >> TB_SVE_MIN != 0)
      return true;
  return false;
}

void
tb_log_sve_find (struct tb_log_sve *sve, const struct tb_columns *facts)
{
  static const char *const controls[TB_LOG_CONTROLS] = { "fpcr", "fpscr", "fpsr" };
  bool any = false;
  sve->length = TB_SVE_MIN;
  for (unsigned i = 0; i < TB_LOG_CONTROLS; i++)
    sve->controls[i] = tb_facts_find (facts, controls[i]);
  for (unsigned i = 0; i < TB_NSVE; i++)
    {
      char name[8] = "ffr";
      if (i < TB_SVE_FFR)
	snprintf (name, sizeof name, "%c%u", i < TB_SVE_P ? 'v' : 'p', i % TB_SVE_P);
      const struct tb_facts_register *reg = tb_facts_find (facts, name);
      sve->regs[i] = reg;
      if (reg == NULL)
	continue;
      unsigned length = reg->nlanes * (i < TB_SVE_P ? LANE : LANE_OF_P);
      if (i >= TB_SVE_P && reg->nlanes == 1 && !is_more (reg))
	length = TB_SVE_MIN;
      any |= i >= TB_SVE_P || length > TB_SVE_MIN;
      if (length > sve->length)
	sve->length = (length + TB_SVE_MIN - 1) / TB_SVE_MIN * TB_SVE_MIN;
    }
  /* Lines may be longer than any vector is.  */
  if (sve->length > TB_SVE_MAX)
    sve->length = TB_SVE_MAX;
  if (!any || !facts->has_a64)
    sve->length = 0;
}

uint64_t
tb_state_log_vectors_next (const struct tb_state_log *l, uint64_t step)
{
  const struct tb_log_sve *sve = tb_state_log_sve (l);
  uint64_t next = UINT64_MAX;
  for (unsigned i = 0; i < TB_SVE_P + TB_LOG_CONTROLS; i++)
    {
      const struct tb_facts_register *r
	= i < TB_SVE_P ? sve->regs[i] : sve->controls[i - TB_SVE_P];
      uint64_t at = r != NULL ? tb_facts_next (r, step) : UINT64_MAX;
      next = at < next ? at : next;
    }
  return next;
}

bool
tb_state_log_lanes_since (const struct tb_state_log *l, uint64_t step, unsigned reg,
			  unsigned first, unsigned count, uint64_t *made)
{
  const struct tb_log_sve *sve = tb_state_log_sve (l);
  const struct tb_facts_register *r
    = reg < TB_NSVE ? sve->regs[reg] : reg > TB_NSVE ? sve->controls[2]
      : sve->controls[0] != NULL ? sve->controls[0] : sve->controls[1];
  uint64_t last = 0;
  for (unsigned i = first; i < first + count; i++)
    {
      uint64_t at;
      if (r == NULL || i >= r->nlanes || !tb_facts_since (r, i, step, &at))
	return false;
      last = at > last ? at : last;
    }
  *made = last > 0 ? last - 1 : 0;
  return true;
}
