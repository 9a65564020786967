/* One input of a batch, in a process of its own.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_WORKER_H
#define TB_CONVERTER_WORKER_H

#include <sys/types.h>

#include "items.h"
#include "verdict.h"

/* The path of ITEM's verdict, from malloc; NULL: no memory.  */
char *worker_verdict_path (const struct item *item);

/* Make the folders that PATH lies in; false after a diagnostic.  */
bool worker_make_folders (const char *path, struct tb_diag *diag);

/* Start a process that converts ITEM and writes its verdict, JOBS:
   how many run at once.  -1: there is none, errno says why.  */
pid_t worker_start (const struct item *item, const struct options *options,
		    unsigned jobs);

#endif /* TB_CONVERTER_WORKER_H */
