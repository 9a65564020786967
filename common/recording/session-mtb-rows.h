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
  bool told;			/* The user tells of it: no other one counts there.  */
  const struct tb_trace_buffer *buffer;	/* That has them; NULL: the memory of CORE has.  */
  const uint8_t *data;		/* What was searched, */
  uint64_t address, length;	/* where it is (in a buffer 0), and how long.  */
  char name[64];		/* What the program calls it; empty: nothing.  */
};

/* More are not looked at.  */
#define TB_MTB_ROWS_MOST 64

/* Rows that do not overlap.  */
struct tb_mtb_rows
{
  struct tb_mtb_effort *effort;
  struct tb_mtb_row row[TB_MTB_ROWS_MOST];
  int count;
  bool cores;			/* There are several that may have an MTB.  */
  enum tb_status status;	/* TB_ERR_MEMORY is the only error.  */
};

/* Is the first of the LENGTH bytes at ADDRESS of CORE in SPACE known at the halt?  It is not where
   dumps differ.  *RUN: so many of them are like the first.  */
bool tb_session_is_known (const struct tb_session_core *core, enum tb_space space,
			  uint64_t address, uint64_t length, uint64_t *run);

/* The PC of CORE at the halt; NULL: not known.  */
const uint64_t *tb_mtb_halt_pc (const struct tb_device *core);

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

/* Add to ROWS the trace area that REGISTERS, which the user tells of, say that the memory of CORE
   has.  */
void tb_mtb_rows_tell (struct tb_mtb_rows *rows, const struct tb_session_core *core,
		       const struct tb_mtb_registers *registers);

/* The row of CORE that leads to the halt, or else the longest.  NULL: there is none, or *AMBIGUOUS,
   more than one leads to the halt.  */
const struct tb_mtb_row *tb_mtb_rows_choose (const struct tb_mtb_rows *rows,
					     const struct tb_session_core *core, bool *ambiguous);

/* Of ROWS add to S for the trace of CORE the packets of that which tb_mtb_rows_choose chooses, and
   tell DIAG; where nothing tells where they begin, only those are taken whose order is known, or
   none.  Or tell DIAG that more than one lead to the halt.  TB_ERR_MEMORY is the only error, said
   to nobody.  */
enum tb_status tb_mtb_rows_settle (struct tb_session *s, const struct tb_mtb_rows *rows,
				   const struct tb_session_core *core, struct tb_diag *diag);

/* Why the memory of cores of S was looked through, for a message.  */
const char *tb_mtb_untold (const struct tb_session *s);

/* What is said of ROWS is all that is to be said of the trace buffers of S that have them, but for
   those whose packets were taken: leave them out.  */
void tb_mtb_rows_leave (struct tb_session *s, const struct tb_mtb_rows *rows);

#endif /* TB_RECORDING_SESSION_MTB_ROWS_H */
