/* Files mapped into memory, read only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_FILEMAP_H
#define TB_UTIL_FILEMAP_H

#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/status.h"

/* A mapped regular file.  DATA is NULL for an empty file.  */
struct tb_filemap
{
  const uint8_t *data;
  size_t size;
};

/* Map the regular file PATH.  On failure a diagnostic has said why and *MAP is
   zero; anything that is not a regular file is TB_ERR_INPUT.  */
enum tb_status tb_filemap_open (struct tb_filemap *map, const char *path,
				struct tb_diag *diag);
void tb_filemap_close (struct tb_filemap *map);

#endif /* TB_UTIL_FILEMAP_H */
