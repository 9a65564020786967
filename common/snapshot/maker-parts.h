/* The parts of a snapshot that is made.  Private to the maker.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_MAKER_PARTS_H
#define TB_SNAPSHOT_MAKER_PARTS_H

#include "snapshot/maker.h"

struct tb_made_device
{
  struct tb_device device;
  struct tb_device_reg *regs;
  struct tb_dump *dumps;
  size_t regs_capacity, dumps_capacity;
  size_t same_dumps;		/* Whose it has; TB_MADE_NONE: its own.  */
  unsigned copies;		/* So many names were made of its name.  */
};

struct tb_made_buffer
{
  struct tb_trace_buffer buffer;
  unsigned copies;
  struct tb_span *spans;
  size_t spans_capacity;
  bool *fresh;			/* By span; NULL: none is.  */
  size_t fresh_capacity;	/* From here on none is.  */
  bool next_is_fresh;
  struct tb_written *written;	/* Of the first NWRITTEN spans.  */
  size_t nwritten, written_capacity;
};

struct tb_made_stream
{
  size_t source, core, buffer;
  enum tb_space space;
  uint64_t sink;
};

#endif /* TB_SNAPSHOT_MAKER_PARTS_H */
