/* GDB trace files: a strict reader, for tests and tools.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   It refuses what GDB would misread, and what GDB reads but tracebridge would
   never write.  Little-endian files only.  */

#ifndef TB_FRAME_TRACEFILE_READER_H
#define TB_FRAME_TRACEFILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/filemap.h"
#include "util/status.h"

/* A trace file being read.  The header is checked when it is opened, frames and
   blocks as they are read.  */
struct tb_tracefile_reader
{
  struct tb_filemap map;
  const char *path;		/* Borrowed.  */
  struct tb_diag *diag;
  size_t header;		/* Bytes before the first frame.  */
  size_t line;			/* Where the next line begins.  */
  size_t position;		/* Where the next frame begins.  */
  uint64_t frames;		/* Read so far.  */
  uint64_t announced;		/* "tframes" of the status line.  */
  unsigned register_bytes;	/* The R line.  */
  unsigned tracepoints;		/* T definitions; numbered 1 to so many.  */
};

/* A frame.  */
struct tb_read_frame
{
  unsigned tracepoint;
  uint64_t number;		/* 0 is the first.  */
  size_t offset;		/* Of its blocks in the file.  */
  size_t size;
  size_t next;			/* Of the next block; advanced by
				   tb_tracefile_reader_block.  */
};

/* A block.  */
struct tb_read_block
{
  char kind;			/* 'R', 'M' or 'V'.  */
  const uint8_t *bytes;		/* R, M; valid while the file is open.  */
  size_t length;
  uint64_t address;		/* M */
  unsigned variable;		/* V */
  int64_t value;
};

/* Open PATH (borrowed) and check its header.  Unless TB_OK, a diagnostic has
   said at which byte what was expected, and the reader is closed.  */
enum tb_status tb_tracefile_reader_open (struct tb_tracefile_reader *reader,
					 const char *path,
					 struct tb_diag *diag);
void tb_tracefile_reader_close (struct tb_tracefile_reader *reader);

/* The next line of the header, without its newline and not terminated; false
   after the last.  */
bool tb_tracefile_reader_line (struct tb_tracefile_reader *reader,
			       const char **line, size_t *length);

/* The next frame; *MORE is false at the end, which is checked too.  */
enum tb_status tb_tracefile_reader_frame (struct tb_tracefile_reader *reader,
					  struct tb_read_frame *frame,
					  bool *more);

/* The next block of FRAME; *MORE is false after the last.  */
enum tb_status tb_tracefile_reader_block (struct tb_tracefile_reader *reader,
					  struct tb_read_frame *frame,
					  struct tb_read_block *block,
					  bool *more);

#endif /* TB_FRAME_TRACEFILE_READER_H */
