/* A keyed hash of much content.  See mac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/mac.h"
#include "util/wide.h"

#include <string.h>

#include "util/number.h"

static inline uint64_t
rotate (uint64_t x, unsigned by)
{
  return x << by | x >> (64 - by);
}

static void
rounds (uint64_t v[4], unsigned count)
{
  for (; count > 0; count--)
    {
      v[0] += v[1];
      v[1] = rotate (v[1], 13) ^ v[0];
      v[0] = rotate (v[0], 32);
      v[2] += v[3];
      v[3] = rotate (v[3], 16) ^ v[2];
      v[0] += v[3];
      v[3] = rotate (v[3], 21) ^ v[0];
      v[2] += v[1];
      v[1] = rotate (v[1], 17) ^ v[2];
      v[2] = rotate (v[2], 32);
    }
}

void
tb_mac_start (struct tb_mac *mac, const struct tb_mac_key *key)
{
  mac->key = key;
  mac->v[0] = key->sip[0] ^ UINT64_C (0x736f6d6570736575);
  mac->v[1] = key->sip[1] ^ UINT64_C (0x646f72616e646f6d) ^ 0xee;
  mac->v[2] = key->sip[0] ^ UINT64_C (0x6c7967656e657261);
  mac->v[3] = key->sip[1] ^ UINT64_C (0x7465646279746573);
}

void
tb_mac_u64 (struct tb_mac *mac, uint64_t value)
{
  mac->v[3] ^= value;
  rounds (mac->v, 2);
  mac->v[0] ^= value;
}

struct tb_mac_value
tb_mac_end (struct tb_mac *mac)
{
  struct tb_mac_value value;
  uint64_t *v = mac->v;
  v[2] ^= 0xee;
  rounds (v, 4);
  value.word[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
  v[1] ^= 0xdd;
  rounds (v, 4);
  value.word[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
  return value;
}

void
tb_mac_key_init (struct tb_mac_key *key, const uint8_t secret[TB_MAC_SECRET])
{
  key->sip[0] = tb_number_64 (secret);
  key->sip[1] = tb_number_64 (secret + 8);
  for (unsigned i = 0; i < TB_MAC_BLOCK; i += 2)
    {
      struct tb_mac mac;
      tb_mac_start (&mac, key);
      tb_mac_u64 (&mac, i);
      struct tb_mac_value value = tb_mac_end (&mac);
      key->nh[i] = value.word[0];
      key->nh[i + 1] = value.word[1];
    }
}

/* One block of NH.  */
static void
add_block (struct tb_mac *mac, const uint8_t *bytes)
{
  const uint64_t *k = mac->key->nh;
  struct tb_u128 sum = { 0, 0 }, other = { 0, 0 };
  for (unsigned i = 0; i < TB_MAC_BLOCK; i += 4, bytes += 32)
    {
      sum = tb_wide_add (sum, tb_wide_product (tb_number_64 (bytes) + k[i],
					       tb_number_64 (bytes + 8) + k[i + 1]));
      other = tb_wide_add (other,
			   tb_wide_product (tb_number_64 (bytes + 16) + k[i + 2],
					    tb_number_64 (bytes + 24) + k[i + 3]));
    }
  sum = tb_wide_add (sum, other);
  tb_mac_u64 (mac, sum.low);
  tb_mac_u64 (mac, sum.high);
}

void
tb_mac_bytes (struct tb_mac *mac, const void *bytes, size_t length)
{
  const uint8_t *p = bytes;
  size_t left = length;
  for (; left >= TB_MAC_BLOCK * 8; p += TB_MAC_BLOCK * 8)
    {
      add_block (mac, p);
      left -= TB_MAC_BLOCK * 8;
    }
  if (left > 0)
    {
      uint8_t rest[TB_MAC_BLOCK * 8] = { 0 };
      memcpy (rest, p, left);
      if (left > 64)
	add_block (mac, rest);
      else
	for (size_t i = 0; i < left; i += 8)
	  tb_mac_u64 (mac, tb_number_64 (rest + i));
    }
  tb_mac_u64 (mac, length);
}

void
tb_mac_text (struct tb_mac *mac, const char *text)
{
  tb_mac_bytes (mac, text, strlen (text));
}
