/* Output folders that are either whole or not there.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_OUTDIR_H
#define TB_UTIL_OUTDIR_H

#include "util/diag.h"
#include "util/outfile.h"
#include "util/status.h"

struct tb_outdir;

/* Begin making the folder PATH, under a hidden temporary name beside it.  FILES, ended
   by NULL and borrowed, are the files that it may have: "metadata", "sub/file".  What
   has the name PATH already stays until the end; it must be a folder with nothing but
   such files, which is replaced then.  NULL after a diagnostic.  DIAG is borrowed.  */
struct tb_outdir *tb_outdir_open (const char *path, const char *const *files,
				  struct tb_diag *diag);

/* Begin writing one of the files, whose folder is made; the caller finishes it.  NULL
   after a diagnostic.  */
struct tb_outfile *tb_outdir_file (struct tb_outdir *dir, const char *file);

/* Give it its name.  On failure, and by tb_outdir_abandon, all of it is removed, and
   what had the name before is untouched.  Both free DIR; tb_outdir_abandon takes
   NULL.  */
enum tb_status tb_outdir_finish (struct tb_outdir *dir);
void tb_outdir_abandon (struct tb_outdir *dir);

#endif /* TB_UTIL_OUTDIR_H */
