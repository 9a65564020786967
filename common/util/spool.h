/* Inputs that can be read once, from the start to the end: standard input and FIFOs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All that comes out of one is kept in a file of its own for as long as it is used, as readers
   need any part at any time.  */

#ifndef TB_UTIL_SPOOL_H
#define TB_UTIL_SPOOL_H

#include <stdbool.h>

#include "util/diag.h"
#include "util/status.h"

/* Zero-initialise, or tb_spool_open.  */
struct tb_spool
{
  char *folder, *path;		/* Of the file; NULL: there is none.  */
  const char *shown;		/* What the user calls the input; borrowed.  */
  struct tb_diag diag, *outer;
};

/* Is PATH such an input: "-", which is standard input, or a FIFO?  */
bool tb_spool_is_stream (const char *path);

/* Read the input PATH, which is one and is borrowed, to its end into a file in TMPDIR.  Anything
   but TB_OK: DIAG was told why, and *SPOOL is zero.  */
enum tb_status tb_spool_open (struct tb_spool *spool, const char *path,
			      struct tb_diag *diag);

/* Where messages on the file are to go: they reach the DIAG of before with the name that the user
   gave in place of the file's.  */
struct tb_diag *tb_spool_diag (struct tb_spool *spool);

/* Remove the file, which may still be mapped.  It goes by itself where a signal (SIGHUP,
   SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGXCPU), a limit of time or an input that is cut ends
   the process.  */
void tb_spool_remove (void);

/* The same, and forget SPOOL.  */
void tb_spool_close (struct tb_spool *spool);

#endif /* TB_UTIL_SPOOL_H */
