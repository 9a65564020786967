/* GDB trace files: the reader.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What GDB's tsave, a stub or a gdbserver wrote: a header of lines, and frames, each what
   was collected at one moment.  What ran between two frames is not in the file.

   Source: GDB manual, appendix "Trace File Format"; where GDB 13 reads otherwise
   (gdb/tracefile-tfile.c), GDB counts: the size of R is hexadecimal, V has 4 and 8 bytes,
   and frames end with one of tracepoint 0.  */

#ifndef TB_RECORDING_TRACE_FILE_H
#define TB_RECORDING_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"
#include "util/diag.h"
#include "util/filemap.h"
#include "util/status.h"

/* What a trace file begins with.  */
#define TB_TRACE_FILE_MAGIC "\177TRACE0\n"
#define TB_TRACE_FILE_MAGIC_SIZE 8

/* The blocks of a frame.  */
struct tb_trace_file_frame
{
  uint64_t number;		/* In the file, from 0.  */
  uint64_t at;			/* Its blocks' first byte in the file.  */
  uint32_t size;		/* Of its blocks.  */
  uint16_t tracepoint;
  bool has_registers;
};

/* Where a tracepoint is.  */
struct tb_trace_file_place
{
  uint64_t tracepoint, address;
  bool alone;			/* It has no frames of steps behind it.  */
};

struct tb_trace_file
{
  char *path;
  struct tb_filemap map;
  uint32_t register_bytes;	/* Of each R block.  */
  struct tb_buffer tdesc;	/* The target description; empty: it has none.  */
  struct tb_trace_file_frame *frames;
  size_t nframes, room;
  size_t lines;			/* Of the header.  */
  struct tb_trace_file_place *places;	/* By tracepoint; one may have several.  */
  size_t nplaces, places_room;
  bool no_memory;		/* While it was opened.  */
  /* The number of the state variable $unknown_registers, by which this program tells
     which registers of a block are no values, of $assumed_registers and of $assumed_memory
     (frame/moment.h); -1: the file has none.  */
  int64_t unknown, assumed, assumed_memory;
  size_t nassumed;		/* Frames with what holds under an assumption.  */
};

/* Does the file PATH begin as a trace file?  */
bool tb_trace_file_recognise (const char *path);

/* Open the trace file PATH.  Frames that it does not have whole are left out with a
   warning.  Anything but TB_OK: DIAG was told why, and *FILE is zero.  */
enum tb_status tb_trace_file_open (struct tb_trace_file *file, const char *path,
				   struct tb_diag *diag);
void tb_trace_file_close (struct tb_trace_file *file);

/* What stands in a frame.  */
struct tb_trace_file_block
{
  char kind;			/* 'R', 'M', 'V'.  */
  uint64_t address;		/* M  */
  uint32_t number;		/* V: of the variable.  */
  const uint8_t *data;		/* LENGTH bytes; of V its value.  */
  uint32_t length;
};

/* The block *AT bytes into FRAME; *AT is then behind it.  False: there is none.  */
bool tb_trace_file_block (const struct tb_trace_file *file,
			  const struct tb_trace_file_frame *frame, uint32_t *at,
			  struct tb_trace_file_block *block);

/* The PC of frames of TRACEPOINT that have no registers: where it is, if it has one
   location and no frames of steps behind it.  False: that is not told.  */
bool tb_trace_file_location (const struct tb_trace_file *file, unsigned tracepoint,
			     uint64_t *address);

struct tb_columns;

/* What FILE says of a core of TYPE, called NAME: a step of each frame, between which
   gaps are.  FILE loses the frames whose PC is not told, with a warning.  NULL after a
   diagnostic.  */
struct tb_columns *tb_trace_file_facts (struct tb_trace_file *file, const char *name,
					const char *type, struct tb_diag *diag);

/* What kind of core FILE is of, as its target description says; NULL: it does not
   say.  */
const char *tb_trace_file_core_type (const struct tb_trace_file *file);

#endif /* TB_RECORDING_TRACE_FILE_H */
