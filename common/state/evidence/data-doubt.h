/* Data trace that contradicts the rest: which transfers are not relied on.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A byte of the trace may have changed on its way, or others (DMA) may have written what
   was loaded; both look alike.  So neither is relied on: not the transfer, nor those whose
   addresses were sent relative to its own, nor, where it is a value, what memory holds
   there, nor a register at the halt without which there would be no contradiction.

   Where all else is sound without data, transfers that it contradicts are those.  Else,
   or if it takes more, a set of transfers is looked for that contradict each other: one of
   them at least is wrong, and none of them is used.  Where that does not end soon the path
   that the trace tells may be wrong in place of them: that is given up with the code.  */

#ifndef TB_STATE_EVIDENCE_DATA_DOUBT_H
#define TB_STATE_EVIDENCE_DATA_DOUBT_H

#include "state/evidence/evidence.h"

/* C->s, solved alone, contradicts itself: if it takes data trace alone to do so, give up what it
   takes and say so, and set C->resolved.  Else all is as it was.  False: no memory.  */
bool tb_data_doubt_alone (struct tb_contradiction *c);

/* The same of one of several windows, for all of them; look_alone was asked before.  */
bool tb_data_doubt_of_windows (struct tb_contradiction *c);

#endif /* TB_STATE_EVIDENCE_DATA_DOUBT_H */
