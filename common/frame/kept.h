/* Frames that wait until all are known, because a trace file begins with counts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_KEPT_H
#define TB_FRAME_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/frame.h"
#include "frame/tracefile.h"
#include "util/diag.h"
#include "util/status.h"

enum tb_export_form
{
  TB_EXPORT_TFILE,		/* tracefile.h  */
  TB_EXPORT_CTF			/* ctf.h  */
};

/* More bytes than this are refused.  */
#define TB_KEPT_LIMIT ((size_t) 512 << 20)

struct tb_kept_frame
{
  size_t offset, size;		/* Of its blocks.  */
  uint64_t step;
  unsigned tracepoint;		/* Its number; 0: it is not written.  */
};

/* Zero-initialise but for PATH and DIAG; free with tb_kept_fini.  */
struct tb_kept
{
  const char *path;		/* Of the file, for messages; borrowed.  */
  struct tb_diag *diag;
  struct tb_buffer blocks;	/* Of all frames.  */
  struct tb_kept_frame *frames;
  size_t count, capacity;
  size_t longest;		/* The largest frame.  */
};

void tb_kept_fini (struct tb_kept *kept);

/* Keep FRAME.  Unless TB_OK, a diagnostic said why not.  */
enum tb_status tb_keep (struct tb_kept *kept, const struct tb_frame *frame,
			uint64_t step, unsigned tracepoint);

/* Say that there is no memory.  */
enum tb_status tb_kept_no_memory (const struct tb_kept *kept);

/* Write the file in FORM: all frames that have a tracepoint.  SAME_SIZE: those of a
   trace file are filled up to one size, as GDB needs to search: it skips frames by
   the size of the one before.  *BYTES is what their blocks take.  */
enum tb_status tb_kept_write (const struct tb_kept *kept,
			      enum tb_export_form form,
			      const struct tb_tracefile_header *header,
			      bool same_size, uint64_t *bytes);

#endif /* TB_FRAME_KEPT_H */
