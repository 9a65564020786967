/* The lines of a Tarmac log, parsed, in batches; by a second thread if there is one.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_TARMAC_LINES_H
#define TB_RECORDING_TARMAC_LINES_H

#include "decode/tarmac/line.h"
#include "util/status.h"
#include "util/unpack.h"

struct tb_tarmac_item
{
  struct tb_tarmac_line line;
  const char *text, *end;	/* A newline is at END.  */
  uint64_t number;		/* Of the line, from 1.  */
};

struct tb_tarmac_batch
{
  struct tb_tarmac_item *items;
  size_t count, room;
  char *text;			/* Where they are; ...  */
  uint64_t offset;		/* ... this byte of the log.  */
  uint64_t end;			/* Bytes of the log up to the last line's end; ... */
  uint64_t lines;		/* ... lines of it up to there.  */
  uint64_t overlong;		/* Lines left out: too long to mean anything.  */
  uint64_t blanks, blank_bytes;	/* And those in which there is nothing.  */
  uint8_t *wide;		/* Values of the lines that have wide ones.  */
  size_t nwide, wide_room;
  size_t kept;			/* Bytes behind the last line, not used yet.  */
  size_t size;
  enum tb_status status;
  bool last;
};

/* Read all lines of UNPACK and hand them to TAKE with CONTEXT; it may change a batch.
   With JOBS of more than 1 they are parsed while TAKE works.  What went wrong has
   been said, save TB_ERR_MEMORY.  */
enum tb_status
tb_tarmac_lines (struct tb_unpack *unpack, unsigned jobs,
		 enum tb_status (*take) (void *context,
					 struct tb_tarmac_batch *batch),
		 void *context);

#endif /* TB_RECORDING_TARMAC_LINES_H */
