/* Where ETMv3 atoms cannot be followed.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/internal.h"

void
tb_etmv3_follow_unknown (struct tb_etmv3_decoder *d, struct tb_element **out,
			 uint32_t cycles)
{
  struct tb_v7_state *s = &d->v7.state;
  bool tell = !s->hole_told;

  if (tell)
    {
      tb_v7_emit (&d->v7, out, TB_ELEMENT_NO_CODE)->flags = TB_NO_CODE_UNKNOWN;
      s->hole_told = true;
    }
  if (!d->cycle_accurate)
    return;
  struct tb_element *e = tb_v7_emit (&d->v7, out, TB_ELEMENT_CYCLES);
  e->flags = tell ? TB_CYCLES_WITH_PREVIOUS : 0;
  e->u.value = cycles;
}

void
tb_etmv3_no_code (struct tb_etmv3_decoder *d, struct tb_element **out,
		  uint32_t cycles)
{
  struct tb_v7_state *s = &d->v7.state;
  struct tb_element *e = tb_v7_emit (&d->v7, out, TB_ELEMENT_NO_CODE);

  e->space = tb_v7_space (&d->v7.spaces, &s->context);
  e->u.address = s->address;
  if (d->cycle_accurate)
    tb_v7_add_cycles (&d->v7, out, cycles);
  tb_v7_lose_address (&d->v7);
  s->hole_told = true;
}

void
tb_etmv3_went_on (struct tb_etmv3_decoder *d, struct tb_element **out)
{
  struct tb_v7_state *s = &d->v7.state;

  tb_count_fault (&s->stats, TB_FAULT_TRAP, s->index,
		  s->address - s->trapped);
  tb_v7_emit (&d->v7, out, TB_ELEMENT_NO_SYNC)->reason = TB_REASON_BAD_IMAGE;
  tb_v7_lose_address (&d->v7);
  s->hole_told = true;
}
