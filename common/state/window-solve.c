/* Solving one of several windows: what it has from its neighbours, and what is done
   where that cannot be.  See windows.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume.h"
#include "state/windows.h"

#include "state/a64.h"

struct tb_border *
tb_state_border (struct tb_state *s, bool end)
{
  struct tb_border *border = tb_border_new ();
  bool ok = border != NULL;
  if (ok && s->a64 != NULL)
    ok = tb_a64_border (s->a64, end, border);
  else if (ok)
    {
      tb_state_seek (s, end ? s->steps : 0);
      for (unsigned i = 0; i < TB_NSLOTS; i++)
	if (s->names.slot[i] != 0)
	  {
	    struct tb_known k = tb_graph_known (&s->graph, s->names.slot[i]);
	    border->slots[i].mask = k.mask;
	    border->slots[i].bits = k.bits & k.mask;
	  }
      if (!s->profile->is_m)
	tb_state_take_modes (s, border);
      ok = tb_memory_take_border (&s->memory, border, s->names.next_access,
				  s->names.epoch);
    }
  if (ok)
    return border;
  tb_border_unref (border);
  return NULL;
}

void
tb_state_freeze (struct tb_state *s)
{
  if (s->a64 != NULL)
    tb_a64_freeze (s->a64);
  tb_graph_freeze (&s->graph);
  tb_memory_freeze (&s->memory);
  if (s->assumed != NULL)
    tb_state_freeze (s->assumed);
}

bool
tb_state_use_more (struct tb_state *s, const struct tb_state *from)
{
  const bool *theirs[] = { &from->has_fp, &from->has_psp, &from->two_worlds,
			   &from->has_monitor, &from->has_hyp };
  bool *own[] = { &s->has_fp, &s->has_psp, &s->two_worlds, &s->has_monitor,
		  &s->has_hyp };
  bool more = false;
  for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++)
    {
      more |= *theirs[i] && !*own[i];
      *own[i] |= *theirs[i];
    }
  return more;
}

static void
drop_borders (struct tb_state *s)
{
  for (unsigned i = 0; i < 2; i++)
    {
      tb_border_unref (s->before[i]);
      tb_border_unref (s->after[i]);
      s->before[i] = s->after[i] = NULL;
    }
}

/* What S has from its neighbours contradicts it, and it may be by its own fault:
   without them lose what contradicts itself.  */
static bool
solve_alone (struct tb_state *s, bool *own, struct tb_diag *diag)
{
  enum tb_halt halt = s->halt;
  drop_borders (s);
  if (!tb_state_solve (s, 0, 0))
    return false;
  *own = s->graph.conflict;
  s->halt = TB_HALT_NONE;
  bool ok = !*own || tb_state_solve_sound (s, diag);
  s->halt = halt;
  return ok;
}

static void
say_halt (struct tb_diag *diag)
{
  tb_warning (diag, "The registers and memory at the halt contradict the "
	      "trace: expected a state that the traced instructions can "
	      "lead to.  They are not used.");
}

/* Solve another window than the last one, HOME.  */
static bool
solve_earlier (struct tb_state *s, struct tb_state *home, bool *more,
	       struct tb_diag *diag)
{
  bool may_be_0 = s->profile->arch == TB_ARCH_V7M
		  || s->profile->arch == TB_ARCH_V7EM, own;
  *more = tb_state_use_more (home, s);
  if (*more)
    return true;
  tb_state_use_more (s, home);
  s->stkalign = home->stkalign;
  s->halt = home->halt;
  tb_state_find_start (s, diag);
  if (!tb_state_solve (s, 0, 0) || !tb_state_try_start (s, diag))
    return false;
  if (s->graph.conflict && may_be_0 && s->stkalign)
    {
      s->stkalign = false;
      if (!tb_state_solve (s, 0, 0))
	return false;
      if (!s->graph.conflict)
	{
	  home->stkalign = false;
	  *more = true;
	  return true;
	}
      s->stkalign = true;
    }
  if (!s->graph.conflict)
    return true;
  if (!solve_alone (s, &own, diag))
    return false;
  s->stkalign = home->stkalign;
  if (own || s->halt != TB_HALT_USED)
    return true;
  say_halt (diag);
  home->halt = TB_HALT_CONTRADICTED;
  *more = true;
  return true;
}

/* Solve the last window again.  */
static bool
solve_again (struct tb_state *s, struct tb_diag *diag)
{
  bool own;
  enum tb_halt halt = s->halt;
  if (!tb_state_solve (s, 0, 0) || !tb_state_find_end (s))
    return false;
  if (s->graph.conflict && s->halt != halt)
    {
      s->halt = TB_HALT_CONTRADICTED;
      say_halt (diag);
      if (!tb_state_solve (s, 0, 0))
	return false;
    }
  return !s->graph.conflict || solve_alone (s, &own, diag);
}

bool
tb_state_work (struct tb_state *s, struct tb_state *home, bool *more,
	       struct tb_diag *diag)
{
  *more = false;
  s->assuming = false;
  tb_state_close (s->assumed);
  s->assumed = NULL;
  bool ok = s != home ? solve_earlier (s, home, more, diag)
	    : s->worked ? solve_again (s, diag)
	    : tb_state_solve_sound (s, diag);
  s->worked = true;
  return ok && (*more || s->options.assume == 0 || tb_state_assume (s, diag));
}
