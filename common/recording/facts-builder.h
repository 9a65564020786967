/* Inside of what makes facts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_FACTS_BUILDER_H
#define TB_RECORDING_FACTS_BUILDER_H

#include "recording/facts-build.h"

/* A register being told of: what is in FACTS, and the last values.  */
struct tb_facts_last
{
  uint32_t *values, *masks;	/* A lane each.  */
  uint32_t hash;		/* Of its name.  */
};

struct tb_facts_builder
{
  struct tb_columns *facts;
  bool failed;
  /* Distinct instructions: numbers, plus one, by hash.  */
  uint32_t *table;
  size_t table_size, ncodes;
  uint32_t last_code;
  /* Times.  */
  uint64_t time;
  int64_t delta;
  bool irregular;		/* The block has bytes.  */
  /* Registers.  */
  struct tb_facts_last *last;
  size_t register_room, last_room;
  size_t mode_room;
  uint64_t forgotten;		/* The step, plus one, before which all was, at last.  */
  /* Accesses.  */
  uint64_t access_step, access_address;
  struct tb_memory_build memory;
};

#endif /* TB_RECORDING_FACTS_BUILDER_H */
