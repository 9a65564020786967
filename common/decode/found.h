/* Trace that was found in memory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_FOUND_H
#define TB_DECODE_FOUND_H

#include "decode/decoder.h"

/* Was the trace of SOURCE found by what it looks like, so that nothing tells of which run it is?
   Else what was worked out of it (its evidence) is how the unit was set, of protocols that have
   kinds of units to try.  */
static inline bool
tb_source_is_found (const struct tb_device *source)
{
  if (source->evidence == NULL)
    return false;
  const struct tb_protocol *protocol = tb_protocol_find (source->type);
  return protocol != NULL && protocol->nkinds == 0;
}

#endif /* TB_DECODE_FOUND_H */
