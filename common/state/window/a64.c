/* State of A64 code: what only cores with AArch64 have.  See a64.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"

#include <stdlib.h>

/* How many bytes DC ZVA makes zero, as the snapshot's CORE says (DDI 0487, D24.2
   "DCZID_EL0": BS, in words, by powers of 2), or all cores of the kind have it.  */
static unsigned
zero_block (const struct tb_recording *recording, const struct tb_device *core)
{
  const struct tb_device_reg *reg
    = core != NULL ? tb_device_reg (core, "DCZID_EL0") : NULL;
  if (reg != NULL)
    return 4u << (reg->value & 15);
  return tb_recording_profile (recording)->zero_block;
}

bool
tb_a64_open (struct tb_state *s)
{
  struct tb_a64 *a = s->a64 = calloc (1, sizeof *a);
  if (a == NULL)
    return false;
  a->zero_block = zero_block (s->recording, s->options.core);
  return true;
}

/* What is known of ID in the bits ALL; the value's bits are AT higher.  */
static struct tb_value
value_of (const struct tb_state *s, tb_vid id, uint64_t all, unsigned at)
{
  struct tb_value value = { 0 };
  if (s->names.lost)
    return value;
  struct tb_known k = tb_graph_known (&s->graph, id);
  value.mask = (k.mask & all) << at;
  value.bits = (k.bits & k.mask & all) << at;
  value.origin = value.mask != 0 ? TB_DERIVED : TB_UNKNOWN;
  return value;
}

void
tb_a64_values (const struct tb_state *s, uint64_t which,
	       struct tb_value *values)
{
  const uint64_t flags = UINT64_C (15) << TB_A64_N;
  const tb_vid *slot = s->names.slot;
  for (uint64_t left = which & ((UINT64_C (2) << TB_SP64) - 1); left != 0;
       left &= left - 1)
    {
      unsigned i = (unsigned) __builtin_ctzll (left);
      values[i] = value_of (s, slot[i], UINT64_MAX, 0);
    }
  if ((which & flags) == 0)
    return;
  struct tb_value *to = &values[TB_PSTATE];
  *to = (struct tb_value) { 0 };
  for (unsigned i = 0; i < 4; i++)
    {
      struct tb_value flag = value_of (s, slot[TB_A64_N + i], 1, 31 - i);
      to->mask |= flag.mask;
      to->bits |= flag.bits;
    }
  to->origin = to->mask != 0 ? TB_DERIVED : TB_UNKNOWN;
}
