/* Which step made which access.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Accesses get their numbers along the steps: those that are made before a step, by
   exceptions, and then its own.  Kept for each access, this spares who lists them to go
   from step to step.  */

#ifndef TB_STATE_WINDOW_OWNERS_H
#define TB_STATE_WINDOW_OWNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise.  */
struct tb_owners
{
  uint32_t *items;		/* By access: of step I of the window 2 * I + 1, and of
				   what is before it 2 * I.  */
  size_t count, room;
  size_t at;			/* Where the last look ended.  */
};

void tb_owners_fini (struct tb_owners *owners);

/* The numbers up to END, which is not less than COUNT, are of what is before step I of the
   window or, if OWN, its own.  False: no memory.  */
bool tb_owners_add (struct tb_owners *owners, size_t end, uint64_t i, bool own);

/* No more will be added.  */
void tb_owners_fit (struct tb_owners *owners);

/* The first access of step I's own; *END: the number behind the last one.  */
uint32_t tb_owners_first (struct tb_owners *owners, uint64_t i, uint32_t *end);

#endif /* TB_STATE_WINDOW_OWNERS_H */
