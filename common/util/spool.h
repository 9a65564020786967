/* Inputs that can be read once, from the start to the end: standard input and FIFOs; and texts
   that grow while they are read.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All that comes out of one is kept in a file of its own for as long as it is used, as readers
   need any part at any time.  */

#ifndef TB_UTIL_SPOOL_H
#define TB_UTIL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"
#include "util/diag.h"
#include "util/status.h"

/* Zero-initialise, or tb_spool_open.  */
struct tb_spool
{
  char *folder, *path;		/* Of the file; NULL: there is none.  */
  const char *shown;		/* What the user calls the input; borrowed.  */
  struct tb_diag diag, *outer;
  /* What grows: the input, the file, and the part of a line.  */
  bool grows;
  int in, out;
  uint64_t taken;		/* Bytes read.  */
  struct tb_buffer rest;
};

/* Is PATH such an input: "-", which is standard input, or a FIFO?  */
bool tb_spool_is_stream (const char *path);

/* Read the input PATH, which is one and is borrowed, to its end into a file in TMPDIR.  Anything
   but TB_OK: DIAG was told why, and *SPOOL is zero.  */
enum tb_status tb_spool_open (struct tb_spool *spool, const char *path,
			      struct tb_diag *diag);

/* A text that grows: what is there when TB_SPOOL_... is returned.  */
enum tb_spool_news
{
  TB_SPOOL_QUIET,		/* Nothing more yet.  */
  TB_SPOOL_GREW,		/* More lines.  */
  TB_SPOOL_ENDED,		/* The input is a pipe, and nothing more will come.  */
  TB_SPOOL_SHRANK,		/* The file has become shorter; ...  */
  TB_SPOOL_REPLACED,		/* ... is another one, or gone.  */
  TB_SPOOL_FAILED		/* DIAG was told why.  */
};

/* As tb_spool_open, but nothing is read yet; PATH may be a regular file, too.  */
enum tb_status tb_spool_begin (struct tb_spool *spool, const char *path,
			       struct tb_diag *diag);

/* Copy the whole lines that came since the last call; with the end of a pipe the last line needs
   no end.  Where nothing came, wait up to MILLISECONDS, or for a signal.  */
enum tb_spool_news tb_spool_more (struct tb_spool *spool, unsigned milliseconds,
				  struct tb_diag *diag);

/* Bytes behind the last whole line, which are in no file yet.  */
size_t tb_spool_rest (const struct tb_spool *spool);

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
