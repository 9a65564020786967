/* Program headers of ELF files.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_SEGMENTS_H
#define TB_SNAPSHOT_SEGMENTS_H

#include <gelf.h>
#include <stdint.h>

#include "util/filemap.h"
#include "util/diag.h"
#include "util/status.h"

/* No real file comes near.  */
#define TB_MOST_SEGMENTS 65536

/* A segment that has bytes in its file.  */
struct tb_segment
{
  Elf *elf;			/* The file that is read.  */
  GElf_Phdr header;
  size_t number;
  uint64_t size;		/* So many bytes of it the file has, 1 at least.  */
};

/* Call TAKE with CONTEXT and each segment of TYPE (PT_LOAD ...) of the ELF file MAP, called PATH,
   that has all of FLAGS (PF_X ...), in their order.  Where the file ends before one of those does,
   a warning says so, and what there is of it counts.  TB_ERR_INPUT: it has no headers, too many,
   or not all of them; a message of SEVERITY says which.  */
enum tb_status tb_segments (const struct tb_filemap *map, const char *path, uint32_t type,
			    uint32_t flags, struct tb_diag *diag, enum tb_severity severity,
			    void (*take) (void *context, const struct tb_segment *segment),
			    void *context);

#endif /* TB_SNAPSHOT_SEGMENTS_H */
