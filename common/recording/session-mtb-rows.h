/* Rows of packets of an MTB that a session's memory or trace buffers have (private to the recording
   part).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_MTB_ROWS_H
#define TB_RECORDING_SESSION_MTB_ROWS_H

#include "decode/mtb/find.h"
#include "recording/session.h"

/* Rows of packets that were found.  */
struct tb_mtb_row
{
  struct tb_mtb_area area;	/* In DATA.  */
  const struct tb_session_core *core;	/* Whose code leads from one to the next.  */
  /* The code of another core does so as well, and which of them ran nothing tells.  */
  const struct tb_session_core *or_core;
  const struct tb_trace_buffer *buffer;	/* That has them; NULL: the memory of CORE has.  */
  const uint8_t *data;		/* What was searched, */
  uint64_t address, length;	/* where it is (in a buffer 0), and how long.  */
  char name[64];		/* What the program calls it; empty: nothing.  */
};

/* More are not looked at.  */
#define TB_MTB_ROWS_MOST 16

/* Rows that do not overlap.  */
struct tb_mtb_rows
{
  struct tb_mtb_effort *effort;
  struct tb_mtb_row row[TB_MTB_ROWS_MOST];
  int count;
  enum tb_status status;	/* TB_ERR_MEMORY is the only error.  */
};

/* The dump of DEVICE that has all LENGTH bytes at ADDRESS; NULL: none.  */
const struct tb_dump *tb_session_dump_of (const struct tb_device *device, uint64_t address,
					  uint64_t length);

/* Where ROW begins: in memory, or in its buffer.  */
uint64_t tb_mtb_row_at (const struct tb_mtb_row *row);

/* Add to ROWS those in the memory of CORE, first where its program has an object that could be the
   buffer.  */
void tb_mtb_rows_in_memory (struct tb_mtb_rows *rows, const struct tb_session_core *core);

/* Add to ROWS those in BUFFER, which has one span, by the code of CORE.  */
void tb_mtb_rows_in_buffer (struct tb_mtb_rows *rows, const struct tb_session_core *core,
			    const struct tb_trace_buffer *buffer);

/* The row that leads to the halt, or else the longest.  NULL: there is none, or *AMBIGUOUS, more
   than one leads to the halt.  */
const struct tb_mtb_row *tb_mtb_rows_choose (const struct tb_mtb_rows *rows, bool *ambiguous);

/* Of ROWS add to S for its trace the packets of that which tb_mtb_rows_choose chooses, and tell
   DIAG; where nothing tells where they begin, only those are taken whose order is known, or none.
   Or tell DIAG that more than one lead to the halt.  *DONE: one of both was done; else there are
   none.  TB_ERR_MEMORY is the only error, said to nobody.  */
enum tb_status tb_mtb_rows_settle (struct tb_session *s, const struct tb_mtb_rows *rows,
				   bool *done, struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_MTB_ROWS_H */
