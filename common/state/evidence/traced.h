/* Traced: what data trace says of the steps of a window, put to its values.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The trace is taken for true, and its data with it.  They are put to an instruction's
   accesses where they are certainly those: as many transfers as it has accesses, in
   order, or of a frame of an exception eight words in a row.  Of what is told else
   nothing is used.  */

#ifndef TB_STATE_EVIDENCE_TRACED_H
#define TB_STATE_EVIDENCE_TRACED_H

#include "state/window/builder.h"

/* Read what is told of the steps of STATE, and of exceptions up to the one behind them.
   False: no memory.  */
bool tb_traced_load (struct tb_state *state);
void tb_traced_free (struct tb_state *state);

/* State what is told of the accesses of step I, numbers FIRST on, ...  */
void tb_traced_accesses (struct tb_builder *b, uint64_t i, uint32_t first);

/* ... and of those, FIRST on, of an exception before step I.  */
void tb_traced_stacked (struct tb_builder *b, uint64_t i, uint32_t first);

#endif /* TB_STATE_EVIDENCE_TRACED_H */
