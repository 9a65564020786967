/* Trace frames in the Common Trace Format, as GDB reads them (target ctf).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A folder with two files, metadata and datastream.  Source: the Common Trace Format
   1.8 and what GDB 13 reads (gdb/ctf.c, by libbabeltrace): the names and numbers of the
   events are GDB's.  Each frame is a packet; the first packet has the status and
   the definitions.  The limits of GDB's reader:
   - it has no target description: registers are taken to be those of GDB's
     architecture, in the order of its numbers.  .target.xml in the folder is for
     "set tdesc filename", before the folder is opened;
   - it leaves out the last register of a block; so blocks have a byte more;
   - it knows the kind of a tracepoint by a number of its own, which is that of
     GDB 13 here;
   - it shows neither notes nor why the trace ended, and "tstatus" says that trace
     cannot be run there.
   "tfind pc" looks at the addresses of tracepoints, as in trace files, but finds frames
   of whatever sizes.  */

#ifndef TB_FRAME_CTF_H
#define TB_FRAME_CTF_H

#include "frame/tracefile.h"

struct tb_ctf;

/* Begin writing the folder PATH; it gets its name by tb_ctf_finish.  H is as for trace
   files.  NULL after a diagnostic.  */
struct tb_ctf *tb_ctf_create (const char *path,
			      const struct tb_tracefile_header *h,
			      struct tb_diag *diag);

/* A frame of LENGTH bytes of whole blocks, as of struct tb_frame (frame.h).  */
enum tb_status tb_ctf_frame (struct tb_ctf *ctf, unsigned tracepoint,
			     const uint8_t *blocks, size_t length);

/* On failure, and by tb_ctf_abandon, nothing is left.  Both free CTF.  */
enum tb_status tb_ctf_finish (struct tb_ctf *ctf);
void tb_ctf_abandon (struct tb_ctf *ctf);

#endif /* TB_FRAME_CTF_H */
