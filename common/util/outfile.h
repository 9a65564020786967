/* Output files that are either whole or not there.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_OUTFILE_H
#define TB_UTIL_OUTFILE_H

#include <stddef.h>
#include <stdio.h>

#include "util/buffer.h"
#include "util/diag.h"
#include "util/status.h"

struct tb_outfile;

/* Begin writing PATH; "-" is standard output.  A regular file is written without
   a name, so that nothing is left if the process is killed, or where the system
   cannot do that under a temporary name; in the same folder (of what PATH points
   to, where PATH is a symbolic link), with the mode that the umask gives.
   tb_outfile_finish renames it: a reader never sees half of it, and an older
   file of that name stays until then.  What exists and is not a regular file (a
   FIFO, a device) is written directly.  NULL after a diagnostic.  DIAG is
   borrowed until the file is finished.  */
struct tb_outfile *tb_outfile_open (const char *path, struct tb_diag *diag);

/* The stream to write to, fully buffered.  Its error indicator is looked at by
   tb_outfile_finish; a writer that produces much looks at tb_outfile_check now
   and then so as not to work for a disk that is full.  */
FILE *tb_outfile_stream (struct tb_outfile *file);

/* PATH as given, "standard output" for "-".  */
const char *tb_outfile_name (const struct tb_outfile *file);

/* Write LENGTH bytes.  TB_ERR_IO after a diagnostic, which is said once a
   file; from then on every call fails.  */
enum tb_status tb_outfile_write (struct tb_outfile *file, const void *bytes,
				 size_t length);

/* Write TEXT and clear it, if there is so much of it that a call pays or, at the END, in any
   case.  TB_ERR_MEMORY, without a word: TEXT had none.  */
enum tb_status tb_outfile_put (struct tb_outfile *file, struct tb_buffer *text, bool end);

/* Whether all that was written so far was taken.  */
enum tb_status tb_outfile_check (struct tb_outfile *file);

/* Flush to the disk and rename.  On failure, and by tb_outfile_abandon, the
   temporary file is removed and what had the name before is untouched.  Both
   free FILE; tb_outfile_abandon takes NULL.  */
enum tb_status tb_outfile_finish (struct tb_outfile *file);
void tb_outfile_abandon (struct tb_outfile *file);

/* For programs, at their end: has all that was printed to standard output, beside outputs,
   arrived there?  Else a diagnostic.  */
enum tb_status tb_outfile_told (struct tb_diag *diag);

#endif /* TB_UTIL_OUTFILE_H */
