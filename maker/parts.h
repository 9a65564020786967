/* A snapshot of the parts on the command line.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_MAKER_PARTS_H
#define TB_MAKER_PARTS_H

#include "options.h"
#include "snapshot/maker.h"

/* Make SNAPSHOT of the parts of OPTIONS.  Anything but TB_OK: DIAG was told why, and *USAGE says
   whether the command line is what is wrong.  The snapshot is to be closed in any case.  */
enum tb_status parts_make (struct tb_snapshot *snapshot, const struct options *options,
			   bool *usage, struct tb_diag *diag);

/* Add to the core DEVICE, of PROFILE, the registers that TEXT names: a file, or
   NAME=VALUE,... .  False: DIAG was told why.  */
bool registers_add (struct tb_maker *maker, size_t device,
		    const struct tb_profile *profile, const char *text,
		    struct tb_diag *diag);

#endif /* TB_MAKER_PARTS_H */
