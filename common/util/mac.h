/* A fast keyed hash of large content.  Only those who know the key can make two
   contents with one hash, or the hash of a content.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: J. Black et al., "UMAC: Fast and Secure Message Authentication"
   (NH, with 64-bit words); J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast
   short-input PRF" (with 128 bits of output), over whole words.  */

#ifndef TB_UTIL_MAC_H
#define TB_UTIL_MAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TB_MAC_SECRET 16	/* Bytes of a secret.  */
#define TB_MAC_BLOCK 128	/* Words that NH makes two of.  */

struct tb_mac_key
{
  uint64_t sip[2];
  uint64_t nh[TB_MAC_BLOCK];
};

struct tb_mac_value
{
  uint64_t word[2];
};

struct tb_mac
{
  const struct tb_mac_key *key;
  uint64_t v[4];
};

void tb_mac_key_init (struct tb_mac_key *key,
		      const uint8_t secret[TB_MAC_SECRET]);

/* Begin; KEY must outlive MAC.  */
void tb_mac_start (struct tb_mac *mac, const struct tb_mac_key *key);
void tb_mac_u64 (struct tb_mac *mac, uint64_t value);

/* LENGTH bytes, and that they are so many: two calls are not the same as one
   with both.  */
void tb_mac_bytes (struct tb_mac *mac, const void *bytes, size_t length);
void tb_mac_text (struct tb_mac *mac, const char *text);
struct tb_mac_value tb_mac_end (struct tb_mac *mac);

static inline bool
tb_mac_equal (struct tb_mac_value a, struct tb_mac_value b)
{
  return ((a.word[0] ^ b.word[0]) | (a.word[1] ^ b.word[1])) == 0;
}

#endif /* TB_UTIL_MAC_H */
