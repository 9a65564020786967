/* Traced: what data trace says of the steps of a window, put to its values.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The trace is taken for true, and its data with it.  They are put to an instruction's
   accesses where they are certainly those: as many transfers as it has accesses, in
   order, or of a frame of an exception eight words in a row.  Of what is told else
   nothing is used.  */

#ifndef TB_STATE_EVIDENCE_TRACED_H
#define TB_STATE_EVIDENCE_TRACED_H

#include "state/window/teller.h"

/* The data trace tells, if anything does.  */
extern const struct tb_teller tb_teller_trace;

/* Of trace that is doubted: no data, and no exceptions either.  */
extern const struct tb_teller tb_teller_doubted;

void tb_traced_free (struct tb_state *state);

#endif /* TB_STATE_EVIDENCE_TRACED_H */
