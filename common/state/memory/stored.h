/* Stores of known address, as a window's memory tells of them one by one.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_MEMORY_STORED_H
#define TB_STATE_MEMORY_STORED_H

#include <stdbool.h>
#include <stdint.h>

/* A store of known address.  SAME and KNOWN have a bit for each of its bytes.  */
struct tb_stored
{
  uint64_t address;
  uint32_t access;		/* Its number.  */
  uint8_t size;
  uint8_t same;			/* It stores what the dump holds.  */
  uint8_t known;		/* It is known what it stores.  */
  bool maybe;			/* It may not have happened.  */
  /* It is no store: memory holds that where the window begins.  */
  bool given;
};

/* Take STORED.  False: enough, no more are told of.  */
typedef bool tb_take_stored (void *context, const struct tb_stored *stored);

#endif /* TB_STATE_MEMORY_STORED_H */
