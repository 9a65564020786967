/* Lines of a listing of steps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_CHANGES_H
#define TB_CONVERTER_CHANGES_H

#include "recording/recording.h"
#include "state/state.h"
#include "svd/svd.h"
#include "util/buffer.h"

/* What lines are made of.  */
struct line_source
{
  struct tb_recording *recording;
  struct tb_state *state;
  const struct tb_svd *svd;	/* Names of peripherals; NULL: none.  */
};

/* Append what there is to say of STEP to a line that has its number and PC.  */
typedef void put_line (struct tb_buffer *line, const struct line_source *from,
		       uint64_t step);

/* The number of SIZE bytes, lowest first.  */
void put_bytes (struct tb_buffer *line, const uint8_t *bytes, unsigned size);

/* What the instruction writes.  */
put_line put_changes;

/* A comment for each exception, return from one and gap before STEP, of which FLAGS
   (TB_STEP_...) are known.  */
void put_events (struct tb_buffer *line, const struct line_source *from,
		 uint64_t step, unsigned flags);

#endif /* TB_CONVERTER_CHANGES_H */
