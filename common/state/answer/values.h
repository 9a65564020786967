/* Searches by value: who stores it, which instruction puts it into a register.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A store counts whether or not it is known where it goes.  What an exception puts on the
   stack counts as done by the step behind which it is taken, as in accesses.h.  */

#ifndef TB_STATE_ANSWER_VALUES_H
#define TB_STATE_ANSWER_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "recording/visits.h"
#include "state/state.h"

/* What is looked for.  */
struct tb_wanted_value
{
  uint64_t value;
  bool negative;		/* It is one of two's complement, as long as what holds it.  */
  unsigned length;		/* Bytes of the store, 1 to 8; 0: any.  */
  /* Not stores: registers that take it, bits by arm/machine/regs.h; 0: stores.  */
  uint64_t registers;
};

struct tb_value_found
{
  uint64_t step;
  struct tb_access_info access;	/* The first store of it that the step makes.  */
  unsigned reg;			/* The first register that takes it.  */
  bool assumed;
};

/* What of a search is open: any of it may be a hit.  */
struct tb_values_missed
{
  uint64_t values;		/* Stores of, or registers that take, what is not known.  */
  uint64_t steps;		/* Instructions that are not understood.  */
  uint64_t gaps;		/* Of the trace.  */
};

/* Where it is looked for; all is borrowed.  */
struct tb_values_source
{
  struct tb_state *state;
  struct tb_recording *recording;
  bool (*go_on) (void *context);	/* False: stop.  NULL: go on.  */
  void *context;
  uint64_t *reached;		/* The step that is looked at.  NULL: nobody asks.  */
};

/* Does VALUE, of SIZE bytes, equal what is WANTED?  */
bool tb_value_is_wanted (const struct tb_wanted_value *wanted, uint64_t value, unsigned size);

/* Tell TAKE of each step from FROM on, before END, that stores what is WANTED, or whose
   instruction puts it into one of the registers, where it was not known to be before; until
   TAKE returns false.  TB_SEARCH_NONE: all was told.  */
enum tb_search tb_values_find (const struct tb_values_source *source,
			       const struct tb_wanted_value *wanted, uint64_t from,
			       uint64_t end,
			       bool (*take) (void *context,
					     const struct tb_value_found *found),
			       void *context, struct tb_values_missed *missed);

#endif /* TB_STATE_ANSWER_VALUES_H */
