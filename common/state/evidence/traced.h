/* Traced: what data trace says of the steps of a window, put to its values.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Data are put to an instruction's accesses where they are certainly those: as many
   transfers as it has accesses, in order, or of a frame of an exception eight words in a
   row.  Of what is told else nothing is used, nor of what contradicts the rest
   (data-doubt.h).  */

#ifndef TB_STATE_EVIDENCE_TRACED_H
#define TB_STATE_EVIDENCE_TRACED_H

#include "state/window/teller.h"

struct tb_traced
{
  struct tb_transfer *items;	/* By steps, makers and parts.  */
  size_t count;
  bool *off;			/* Of each: it is not relied on.  */
  uint32_t *access;		/* The access that it is of; 0: it is put to none.  */
};

/* The data trace tells, if anything does.  */
extern const struct tb_teller tb_teller_trace;

/* Of trace that is doubted: no data, and no exceptions either.  */
extern const struct tb_teller tb_teller_doubted;

/* Of what is told of STATE's steps just what its options leave out is off.  */
void tb_traced_apply (struct tb_state *state);

void tb_traced_free (struct tb_state *state);

#endif /* TB_STATE_EVIDENCE_TRACED_H */
