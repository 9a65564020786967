/* The index file of a log: its columns, so that it opens at once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Like the index file of a trace buffer (index-file.h) it is a cache that is never
   trusted.  It carries the tag of a keyed hash of the whole file, made with its user's
   secret, and the key of the log's content.  The log is read again and compared, except
   where the system says that the file is unchanged (device, number, size, times to the
   nanosecond) and nobody had written it for a while when the index was made.  A log that
   has grown since has another content.

   The columns lie in the file as they are in memory, in the byte order of the machine;
   a machine of the other byte order makes its own index.  */

#ifndef TB_RECORDING_LOG_INDEX_H
#define TB_RECORDING_LOG_INDEX_H

#include "recording/tarmac.h"
#include "util/mac.h"

/* Grows with any change of the form, or of what reading a log makes.  */
#define TB_LOG_INDEX_VERSION 11

/* A log and where its index is.  */
struct tb_log_index
{
  struct tb_mac_key key;
  char path[4096];		/* Of the index.  */
  /* Of the log.  */
  uint64_t device, number, size;
  int64_t changed[2], modified[2];	/* Seconds, nanoseconds.  */
  bool settled;			/* It had been left alone for a while.  */
  bool has_content;
  struct tb_mac_value content;
};

/* Prepare for the log PATH as OPTIONS say, which may be NULL.  False: no index is to be
   used, or none can be.  */
bool tb_log_index_open (struct tb_log_index *index, const char *path,
			const struct tb_index_options *options,
			struct tb_diag *diag);

/* Fill LOG, whose path is set, from the index.  False: there is none that fits; the
   log has to be read, up to INDEX->size bytes.  */
bool tb_log_index_load (struct tb_log_index *index, struct tb_tarmac_log *log,
			struct tb_diag *diag);

/* Keep LOG; a failure is a warning.  */
void tb_log_index_save (struct tb_log_index *index,
			const struct tb_tarmac_log *log, struct tb_diag *diag);

#endif /* TB_RECORDING_LOG_INDEX_H */
