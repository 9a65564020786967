/* The FNV-1a hash, 64 bits.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_FNV_H
#define TB_UTIL_FNV_H

#include <stdint.h>

/* The hash of nothing.  Offset basis and prime of the 64-bit FNV-1a hash.  */
#define TB_FNV_START UINT64_C (0xcbf29ce484222325)
#define TB_FNV_PRIME UINT64_C (0x100000001b3)

/* HASH continued with the eight bytes of VALUE, lowest first: the hash of a
   list of PCs.  */
static inline uint64_t
tb_fnv_u64 (uint64_t hash, uint64_t value)
{
  for (int i = 0; i < 8; i++, value >>= 8)
    hash = (hash ^ (value & 0xff)) * TB_FNV_PRIME;
  return hash;
}

#endif /* TB_UTIL_FNV_H */
