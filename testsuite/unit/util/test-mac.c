/* The keyed hash: every bit of key, content and length counts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "util/mac.h"

static struct tb_mac_value
mac_of (const struct tb_mac_key *key, const uint8_t *bytes, size_t length)
{
  struct tb_mac mac;
  tb_mac_start (&mac, key);
  tb_mac_bytes (&mac, bytes, length);
  return tb_mac_end (&mac);
}

/* How many of 128 bits differ.  */
static int
distance (struct tb_mac_value a, struct tb_mac_value b)
{
  return __builtin_popcountll (a.word[0] ^ b.word[0])
	 + __builtin_popcountll (a.word[1] ^ b.word[1]);
}

int
main (void)
{
  static const size_t lengths[] = { 0, 1, 7, 8, 63, 64, 65, 1023, 1024, 1025,
				    2048, 5000 };
  static uint8_t bytes[5001];
  uint8_t secret[TB_MAC_SECRET] = { 1, 2, 3 };
  struct tb_mac_key key, other;
  tb_mac_key_init (&key, secret);
  secret[15] ^= 0x80;
  tb_mac_key_init (&other, secret);
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = i * 31 >> 3;

  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
    {
      size_t length = lengths[i];
      struct tb_mac_value value = mac_of (&key, bytes, length);
      CHECK (tb_mac_equal (value, mac_of (&key, bytes, length)));
      CHECK (distance (value, mac_of (&other, bytes, length)) > 30);
      /* Zeros at the end are content, too.  */
      uint8_t next = bytes[length];
      bytes[length] = 0;
      CHECK (distance (value, mac_of (&key, bytes, length + 1)) > 30);
      bytes[length] = next;
      for (size_t at = 0; at < length; at += at % 97 + 1)
	{
	  bytes[at] ^= 1 << at % 8;
	  CHECK (distance (value, mac_of (&key, bytes, length)) > 30);
	  bytes[at] ^= 1 << at % 8;
	}
      /* Blocks that change places.  */
      if (length >= 2048)
	{
	  uint8_t swap[1024];
	  bytes[0] ^= 1;
	  value = mac_of (&key, bytes, length);
	  memcpy (swap, bytes, 1024);
	  memcpy (bytes, bytes + 1024, 1024);
	  memcpy (bytes + 1024, swap, 1024);
	  CHECK (distance (value, mac_of (&key, bytes, length)) > 30);
	  memcpy (bytes + 1024, bytes, 1024);
	  memcpy (bytes, swap, 1024);
	  bytes[0] ^= 1;
	}
    }

  /* Two pieces are not one.  */
  struct tb_mac a, b;
  tb_mac_start (&a, &key);
  tb_mac_text (&a, "ab");
  tb_mac_text (&a, "c");
  tb_mac_start (&b, &key);
  tb_mac_text (&b, "a");
  tb_mac_text (&b, "bc");
  CHECK (!tb_mac_equal (tb_mac_end (&a), tb_mac_end (&b)));
  return check_done ();
}
