/* What a window relies on that is assumed, and what none relies on any longer.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What a window assumes its neighbours hear of by its borders, and they tell it again by
   theirs, even when it has given the assumption up in the meantime.  So what it relies on is
   compared with what it relied on when it told them.  What it gave up nobody relies on from
   then on, and all windows begin again (windows.c).  */

#ifndef TB_STATE_WINDOW_RELIED_H
#define TB_STATE_WINDOW_RELIED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tb_state;

/* What may be relied on; what tells one from others of its kind is an address, or steps of
   the trace.  */
enum tb_relied_kind
{
  TB_RELIED_PAIR,		/* And enum tb_pair_kind; two steps.  */
  TB_RELIED_HALT = 64,		/* The first step of the window in these: ...  */
  TB_RELIED_FP_SAVED,
  TB_RELIED_BEFORE,		/* ... what the window before it assumes, ...  */
  TB_RELIED_AFTER,		/* ... the one behind.  */
  TB_RELIED_FUNCTION,		/* Constants of the one at this address.  */
  TB_RELIED_OBJECT
};

/* Hashes of such, sorted.  */
struct tb_relied_set
{
  uint64_t *items;
  size_t count;
};

struct tb_relied
{
  /* What is told by the way of execution alone, as that a call returned somewhere: what is no
     longer found was taken for something else.  */
  struct tb_relied_set on;
  /* All else is looked for only as long as not all is known: what of it was disproved.  */
  struct tb_relied_set not;
};

/* What STATE, solved with assumptions, relies on; nothing, if it is NULL.  CERTAIN: the same
   window without assumptions.  The caller owns RELIED in any case.  False: no memory.  */
bool tb_relied_read (struct tb_relied *relied, const struct tb_state *state,
		     const struct tb_state *certain);
void tb_relied_fini (struct tb_relied *relied);

/* Add to GIVEN_UP what was relied on BEFORE and is not NOW; *LESS: there is some.  False: no
   memory.  */
bool tb_relied_give_up (struct tb_relied_set *given_up, const struct tb_relied *before,
			const struct tb_relied *now, bool *less);

/* Is that not to be relied on?  GIVEN_UP may be NULL.  */
bool tb_relied_given_up (const struct tb_relied_set *given_up, unsigned kind, uint64_t a,
			 uint64_t b);

#endif /* TB_STATE_WINDOW_RELIED_H */
