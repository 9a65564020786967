/* Files of tracepoints.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A line each:
     nothing, or # and anything		is passed over;
     tp T..., tp A..., tp S..., tp Z...	definitions as in the header of a trace file;
     tsv ...				a state variable, likewise;
     tdesc ...				a line of the target description by which registers
					have numbers in what stands above;
     QTDP:..., QTDPsrc:..., QTDV:...	the same as the remote protocol has them
     w $..., r ..., c ...		a log of GDB's ("set remotelogfile"): those that
					were sent last count
     anything else			a request (frame/request.h).
   A trace file is one, too: its header counts.  What the file says of a tracepoint by
   agent expressions counts; where there are none, what it says by GDB's commands.
   Registers in agent expressions have the numbers that the file's target description
   gives them; without one, those of the user's or the program's own.

   Source: GDB manual, "Tracepoint Packets" and "Trace File Format".  */

#ifndef TB_FRAME_REQUEST_FILE_H
#define TB_FRAME_REQUEST_FILE_H

#include "frame/request-define.h"

struct tb_request_line
{
  char *text;
  char *origin;			/* "FILE:LINE"  */
  struct tb_request request;	/* If TEXT is one.  */
  bool is_request;
};

/* Zero-initialise; free with tb_request_file_fini.  */
struct tb_request_file
{
  char *path;
  struct tb_request_line *lines;	/* Those that say something.  */
  size_t count, capacity;
  struct tb_buffer tdesc;	/* The target description; empty: it has none.  */
  uint64_t hash;		/* Of the lines.  */
};

/* Read the file PATH and take its lines apart.  False after a diagnostic.  */
bool tb_request_file_read (struct tb_request_file *file, const char *path,
			   struct tb_diag *diag);
void tb_request_file_fini (struct tb_request_file *file);

/* Read the definitions of FILE, under the numbers that it gives them, into SET, those of
   state variables into VARIABLES, which may be the same; IS_FIRST: no other file has
   defined any.  False after a diagnostic.  */
bool tb_request_file_define (const struct tb_request_file *file,
			     struct tb_tracepoint_set *set,
			     struct tb_tracepoint_set *variables, bool is_first,
			     const struct tb_define_input *input);

/* Define the tracepoints of FILE: definitions in the order of their numbers, then
   requests in that of their lines.  False after a diagnostic.  */
bool tb_define_file (struct tb_definitions *definitions,
		     const struct tb_request_file *file,
		     const struct tb_define_input *input);

#endif /* TB_FRAME_REQUEST_FILE_H */
