/* Writing a snapshot's folder.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: as snapshot.h.  */

#ifndef TB_SNAPSHOT_WRITE_H
#define TB_SNAPSHOT_WRITE_H

#include "snapshot/snapshot.h"

/* In a snapshot that is written of the dump of a kernel the key "memory" in the section [device] of
   a core, which others ignore: its dumps are of later than its registers (struct tb_device).  */
#define TB_DUMPED_LATER "later"

/* Memory of DEVICE beside its dumps.  */
struct tb_written_memory
{
  const struct tb_device *device;
  const char *from;		/* What has it, for a comment.  */
  uint64_t address, length;
  const uint8_t *data;
};

/* What is written beside what a snapshot has.  */
struct tb_written_parts
{
  const struct tb_written_memory *memory;
  size_t nmemory;
  /* Which sources the IDs in shared buffers (struct tb_trace_buffer) are of; of these buffers the
     streams of the snapshot are not written.  */
  const struct tb_trace_stream *streams;
  size_t nstreams;
};

/* Write SNAPSHOT, and PARTS, as the folder PATH, which is whole or not there (util/outdir.h);
   one that is there may have nothing but the files of such a snapshot, and is replaced.  Each
   source's file says by what it was worked out, if it was.  Anything but TB_OK: DIAG was told
   why.  */
enum tb_status tb_snapshot_write (const struct tb_snapshot *snapshot,
				  const struct tb_written_parts *parts, const char *path,
				  struct tb_diag *diag);

#endif /* TB_SNAPSHOT_WRITE_H */
