/* GDB trace files: the writer.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, appendix "Trace File Format"; where GDB 13 reads
   otherwise (the R size is hexadecimal, for one), GDB wins.  */

#ifndef TB_FRAME_TRACEFILE_H
#define TB_FRAME_TRACEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/status.h"

/* A tracepoint definition ("tp T...", with its location "at *0xADDR").  */
struct tb_tracepoint_def
{
  unsigned number;		/* 1 to 32767.  */
  uint64_t address;		/* Thumb bit clear.  */
  uint64_t hits;		/* As "info tracepoints" shows them.  */
  const char *const *collect;	/* The texts of commands, as "collect ...".  */
  size_t ncollect;
  const char *condition;	/* Its text; NULL: none.  */
  const uint8_t *code;		/* Of the condition; NULL: none.  */
  size_t code_length;
  const char *const *actions;	/* As in a QTDP packet: "R44", "SX2,0027".  */
  size_t nactions;
  bool partial;			/* It stands for more than is said here.  GDB sees no
				   difference, frame/request-file.h does.  */
  uint64_t steps, pass;		/* STEPS only with a "while-stepping" among
				   COLLECT.  */
  bool disabled;
};

/* A trace state variable.  */
struct tb_tsv_def
{
  unsigned number;
  const char *name;		/* Without '$'.  */
  int64_t initial;
};

/* What stands before the frames.  */
struct tb_tracefile_header
{
  unsigned register_bytes;	/* Size of every R block; > 0.  */
  const char *tdesc;		/* target.xml; lines of at most 990 bytes. */
  uint64_t frames;		/* To be written.  */
  uint64_t created;		/* That the run had in all.  */
  const char *stop_note;	/* Free text: why the trace ends; may be NULL. */
  bool stop_is_error;		/* Show it as an error ("Trace stopped by an
				   error (NOTE)").  */
  const char *notes;		/* Free text for "tstatus"; may be NULL.  */
  bool circular;		/* A buffer that keeps the last frames is wanted.  */
  uint64_t buffer_size;		/* In bytes; 0: any.  */
  uint64_t start, stop;		/* Of the system's time, in microseconds; 0: not
				   known.  */
  const struct tb_tracepoint_def *tracepoints;	/* In any order.  */
  size_t ntracepoints;
  const struct tb_tsv_def *variables;
  size_t nvariables;
};

struct tb_tracefile;

/* Begin writing to PATH ("-" is standard output).  The file gets a temporary
   name in the same folder until tb_tracefile_finish renames it.  NULL after a
   diagnostic.  */
struct tb_tracefile *tb_tracefile_create (const char *path,
					  const struct tb_tracefile_header *h,
					  struct tb_diag *diag);

/* One frame: begin, any number of blocks, end.  A frame is written whole.  */
void tb_tracefile_begin (struct tb_tracefile *file, unsigned tracepoint);
/* LENGTH bytes of whole blocks, as of struct tb_frame (frame.h).  */
void tb_tracefile_blocks (struct tb_tracefile *file, const uint8_t *blocks,
			  size_t length);
void tb_tracefile_registers (struct tb_tracefile *file, const uint8_t *bytes);
/* Splits at 65535 bytes; adjacent or overlapping blocks should be merged by
   the caller.  */
void tb_tracefile_memory (struct tb_tracefile *file, uint64_t address,
			  const uint8_t *bytes, size_t length);
void tb_tracefile_variable (struct tb_tracefile *file, unsigned number,
			    int64_t value);
/* Fill the frame up to SIZE bytes of blocks, as tb_frame_pad (frame.h) does.  */
void tb_tracefile_pad (struct tb_tracefile *file, size_t size,
		       unsigned variable, int64_t value);
/* TB_OK, or why the disk did not take it.  */
enum tb_status tb_tracefile_end (struct tb_tracefile *file);

/* Write the terminator, flush to the disk, rename.  On failure, and by
   tb_tracefile_abandon, the temporary file is removed and nothing is left under
   PATH.  Both free FILE.  */
enum tb_status tb_tracefile_finish (struct tb_tracefile *file);
void tb_tracefile_abandon (struct tb_tracefile *file);

#endif /* TB_FRAME_TRACEFILE_H */
