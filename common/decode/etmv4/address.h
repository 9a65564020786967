/* The address registers of ETMv4 and ETE packets (IHI 0064, 6.4 "Address
   packets"): the three addresses last given.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_ETMV4_ADDRESS_H
#define TB_DECODE_ETMV4_ADDRESS_H

#include <stdint.h>
#include <string.h>

/* The newest is number 0.  IS is the instruction set bit that came along.  */
struct tb_etmv4_addresses
{
  uint64_t value[3];
  uint8_t is[3];
};

/* What Trace Info does.  */
static inline void
tb_etmv4_addresses_reset (struct tb_etmv4_addresses *a)
{
  memset (a, 0, sizeof *a);
}

static inline void
tb_etmv4_addresses_push (struct tb_etmv4_addresses *a, uint64_t value,
			 uint8_t is)
{
  a->value[2] = a->value[1];
  a->value[1] = a->value[0];
  a->value[0] = value;
  a->is[2] = a->is[1];
  a->is[1] = a->is[0];
  a->is[0] = is;
}

/* Exact match: the address in register WHICH again.  */
static inline void
tb_etmv4_addresses_exact (struct tb_etmv4_addresses *a, unsigned which)
{
  tb_etmv4_addresses_push (a, a->value[which], a->is[which]);
}

/* The low BITS of the newest address change to those of VALUE.  */
static inline void
tb_etmv4_addresses_update (struct tb_etmv4_addresses *a, uint64_t value,
			   unsigned bits, uint8_t is)
{
  uint64_t mask = bits < 64 ? (UINT64_C (1) << bits) - 1 : UINT64_MAX;
  tb_etmv4_addresses_push (a, (a->value[0] & ~mask) | (value & mask), is);
}

#endif /* TB_DECODE_ETMV4_ADDRESS_H */
