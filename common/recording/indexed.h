/* The index of a stream that is being opened: found, or made and kept.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_INDEXED_H
#define TB_RECORDING_INDEXED_H

#include "recording/index-store.h"

struct tb_indexed
{
  struct tb_mac_key key;
  struct tb_mac_value stream_key;
  char path[4096];
  struct tb_index index;	/* What the file had, if anything.  */
};

/* Look for the index of CONFIG's buffer as OPTIONS say.  False: no index is to be
   used, or none can be.  */
bool tb_indexed_open (struct tb_indexed *indexed,
		      const struct tb_decoder_config *config,
		      const struct tb_index_options *options,
		      struct tb_diag *diag);
void tb_indexed_close (struct tb_indexed *indexed);

/* What it has of CONFIG's stream; NULL: nothing.  */
const struct tb_index_stream *
tb_indexed_stream (const struct tb_indexed *indexed);

/* Keep what SCAN found, which goes on to be SCAN's, in the file, with JOBS threads;
   what could not be kept is a warning.  */
void tb_indexed_keep (struct tb_indexed *indexed,
		      const struct tb_decoder_config *config,
		      const struct tb_scan *scan, unsigned jobs,
		      struct tb_diag *diag);

#endif /* TB_RECORDING_INDEXED_H */
