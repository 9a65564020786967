/* Compressed records of perf.data.  See records.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_PERF_UNPACK_H
#define TB_SNAPSHOT_PERF_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tb_perf_unpacker;

/* NULL: no memory.  */
struct tb_perf_unpacker *tb_perf_unpacker_new (void);
void tb_perf_unpacker_free (struct tb_perf_unpacker *unpacker);

/* Can this build unpack?  */
bool tb_perf_unpacks (void);

enum tb_perf_unpacked
{
  TB_PERF_UNPACKED,		/* All.  */
  TB_PERF_UNPACK_BROKEN,	/* It is no zstd, or not what continues it.  */
  TB_PERF_UNPACK_NO_MEMORY
};

/* Unpack the LENGTH bytes PACKED.  TAKE is called as often as bytes come out: with what it
   has left from before and the new ones; it says how many it is done with.  */
enum tb_perf_unpacked tb_perf_unpack (struct tb_perf_unpacker *unpacker,
				      const uint8_t *packed, size_t length,
				      size_t (*take) (void *context, const uint8_t *bytes,
						      size_t count),
				      void *context);

#endif /* TB_SNAPSHOT_PERF_UNPACK_H */
