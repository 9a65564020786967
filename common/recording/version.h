/* The version of tracebridge, and what is built in.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_VERSION_H
#define TB_RECORDING_VERSION_H

/* What --version of PROGRAM prints, from malloc; NULL: no memory.  */
char *tb_version_text (const char *program);

#endif /* TB_RECORDING_VERSION_H */
