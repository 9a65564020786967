/* Asking now and then, while a window is worked out, whether to go on.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_SOLVER_POLL_H
#define TB_STATE_SOLVER_POLL_H

#include <stdbool.h>
#include <stddef.h>

struct tb_poll
{
  bool (*go_on) (void *context);
  void *context;
  unsigned units;		/* Done since that was asked.  */
  bool stopped;			/* It said no once.  */
};

/* So many units are done between two questions: a unit is a node that is looked at, or a
   step that is read or named; all take well below a microsecond.  */
#define TB_POLL_UNITS 4096

/* UNITS more are done: is POLL (NULL: nobody asks) for going on?  Who is not goes back as
   without memory, and lets go of what was begun.  */
static inline bool
tb_poll_goes_on (struct tb_poll *poll, unsigned units)
{
  if (poll == NULL)
    return true;
  poll->units += units;
  if (poll->units < TB_POLL_UNITS)
    return !poll->stopped;
  poll->units = 0;
  poll->stopped |= !poll->go_on (poll->context);
  return !poll->stopped;
}

#endif /* TB_STATE_SOLVER_POLL_H */
