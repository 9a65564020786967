/* The names of levels, for people.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_LEVEL_NAMES_H
#define TB_RECORDING_LEVEL_NAMES_H

#include "arm/machine/profile.h"
#include "recording/levels.h"

/* The name of LEVEL, from malloc; NULL: no memory.  */
char *tb_level_name (const struct tb_level *level,
		     const struct tb_profile *profile);

#endif /* TB_RECORDING_LEVEL_NAMES_H */
