/* Block caches that the decoders of one thread have in common.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Cores that run one system run the same code.  Decoders of their sources that are given one
   share use one block cache where that would hold the same: the same memory, the same kind
   of core, the same protocol and waypoints.  Within it, space and ISA tell blocks apart as ever.

   A share is of one thread, and so are all decoders that were given it.  Who makes it frees it,
   after them.  */

#ifndef TB_DECODE_FOLLOW_SHARE_H
#define TB_DECODE_FOLLOW_SHARE_H

#include "decode/follow.h"

struct tb_follow_share;

struct tb_follow_share *tb_follow_share_new (void);	/* NULL: no memory.  */
void tb_follow_share_free (struct tb_follow_share *share);

/* The block cache of SHARE for such code, or a new one, as tb_follow_new; tb_follow_free then
   leaves it to the share, and MAP must outlive that.  Where SHARE is NULL: one of its own.
   NULL: no memory.  */
struct tb_follow *tb_follow_share_get (struct tb_follow_share *share,
				       const struct tb_memmap *map,
				       const struct tb_profile *profile,
				       const struct tb_follow_options *options);

#endif /* TB_DECODE_FOLLOW_SHARE_H */
