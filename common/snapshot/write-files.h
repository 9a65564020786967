/* The files of a snapshot's folder that is written (private to the writer).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_WRITE_FILES_H
#define TB_SNAPSHOT_WRITE_FILES_H

#include "snapshot/write.h"
#include "util/buffer.h"
#include "util/outdir.h"

/* A snapshot while it is written.  */
struct tb_writing
{
  const struct tb_snapshot *snapshot;
  const struct tb_written_parts *parts;
  struct tb_outdir *dir;
  struct tb_diag *diag;
  const char *path;
  char **files;			/* Names, ended by NULL.  */
  size_t nfiles, capacity;
};

/* Append the name of the file of device DEVICE, "device2-core.ini": the number makes it the only
   one of its name.  */
void tb_write_device_file (struct tb_buffer *text, const struct tb_writing *w, size_t device);

/* The same of buffer BUFFER.  */
void tb_write_buffer_file (struct tb_buffer *text, const struct tb_writing *w, size_t buffer);

/* The same of dump NUMBER of DEVICE: of the first device that has the same bytes there, as
   threads of a core file have.  True: it is DEVICE's own.  */
bool tb_write_dump_file (struct tb_buffer *text, const struct tb_writing *w, size_t device,
			 size_t number);

/* The same of the memory NUMBER that the parts have.  */
void tb_write_memory_file (struct tb_buffer *text, size_t number);

/* Name all files.  False: no memory.  */
bool tb_write_list_files (struct tb_writing *w);

/* List what an older snapshot in the folder has beside, so that it can be replaced.  False: no
   memory.  */
bool tb_write_list_older (struct tb_writing *w);

#endif /* TB_SNAPSHOT_WRITE_FILES_H */
