/* Slots: what is known of each by its name, and of the registers by that.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_SLOTS_H
#define TB_STATE_WINDOW_SLOTS_H

#include "arm/machine/regs.h"
#include "arm/ir/semantics.h"

struct tb_state;
struct tb_names;

/* The bits in MASK are those of BITS; behind the slots BITS has temporaries, as
   tb_forward_run wants.  */
struct tb_slots
{
  uint32_t bits[TB_NPLACES];
  uint32_t mask[TB_NSLOTS];
};

#define TB_SLOTS_ALL ((UINT32_C (1) << TB_NSLOTS) - 1)

/* Look up the slots WHICH (bit number = enum tb_place) by the names that STATE has
   now.  Returns those of them that are known wholly.  */
uint32_t tb_slots_read (const struct tb_state *state, uint32_t which,
			struct tb_slots *slots);

/* The same by NAMES.  */
uint32_t tb_slots_by_names (const struct tb_state *state,
			    const struct tb_names *names, uint32_t which,
			    struct tb_slots *slots);

/* Put what VALUES (by arm/machine/regs.h) have of the slots WHICH as SLOTS say.  */
void tb_slots_values (const struct tb_state *state,
		      const struct tb_slots *slots, uint32_t which,
		      struct tb_value *values);

#endif /* TB_STATE_WINDOW_SLOTS_H */
