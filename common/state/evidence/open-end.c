/* A trace that ends with a branch to where it does not tell: does it end at the halt?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/evidence.h"

bool
tb_state_ends_at_halt (struct tb_state *s)
{
  if (!s->end_open)
    return false;
  if (s->steps == 0 || !(s->info[s->steps - 1] & TB_INFO_TAKEN))
    return false;
  const struct tb_template *last
    = &s->templates[s->info[s->steps - 1] & TB_INFO_TEMPLATE];
  bool indirect = false;
  for (unsigned k = 0; k < last->count; k++)
    indirect |= s->uops[last->first + k].op == TB_OP_TARGET;
  tb_state_seek (s, s->steps);
  if (!indirect || s->names.target == 0)
    return false;
  struct tb_known k = tb_graph_known (&s->graph, s->names.target);
  /* Bit 0 tells A32 and T32 apart.  */
  return tb_known_all (k)
	 && (s->a64 != NULL ? k.bits == s->at_halt[TB_PC64].bits
	     : k.bits >> 1 == s->at_halt[TB_PC].bits >> 1);
}

bool
tb_state_find_end (struct tb_state *s)
{
  if (s->graph.conflict || s->halt != TB_HALT_ELSEWHERE || !tb_state_ends_at_halt (s))
    return true;
  s->halt = TB_HALT_USED;
  return s->worked ? tb_state_solve (s, 0, 0) : tb_evidence_solve (s);
}
