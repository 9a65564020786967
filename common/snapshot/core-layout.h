/* How the parts of an ELF core file lie in it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   ELF has no sum over its headers.  But those who write core files put their segments one behind
   the other, without more between them than fills up a page, and nothing else than notes and
   memory (the System V ABI, "Program Header").  So a header that is damaged mostly leaves bytes
   that are of no segment, or of two.  */

#ifndef TB_SNAPSHOT_CORE_LAYOUT_H
#define TB_SNAPSHOT_CORE_LAYOUT_H

#include "snapshot/extents.h"
#include "util/diag.h"
#include "util/filemap.h"
#include "util/status.h"

/* Warn of what in the headers of the core file MAP, called PATH, cannot be right: segments that
   are neither notes nor memory, bytes of two segments, bytes of none.  *MEMORY, which is empty,
   gets the addresses of its memory, also of that which the file does not have.  TB_ERR_MEMORY is
   the only error; a file whose headers cannot be read has no layout.  */
enum tb_status tb_core_layout_check (const struct tb_filemap *map, const char *path,
				     struct tb_extents *memory, struct tb_diag *diag);

#endif /* TB_SNAPSHOT_CORE_LAYOUT_H */
