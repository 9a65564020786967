/* Images of the memory of a Linux that crashed.  The input is in turn a piece's length, what is
   in its first 128 bytes, and so on; what may be metadata gets the right CRCs, because no
   mutation would find them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "snapshot/ramdump.h"

#define PAGE 4096
#define PAGES 8
#define METADATA 96

static uint32_t
crc (uint32_t crc, const uint8_t *data, size_t length)
{
  for (size_t i = 0; i < length; i++)
    {
      crc ^= data[i];
      for (int bit = 0; bit < 8; bit++)
	crc = crc >> 1 ^ (crc & 1 ? UINT32_C (0xedb88320) : 0);
    }
  return crc;
}

static void
put (uint8_t *at, uint32_t value)
{
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t) (value >> 8 * i);
}

FUZZ_TARGET (ramdump)
{
  static uint8_t memory[PAGES][PAGE];
  struct tb_ramdump_piece pieces[PAGES];
  struct tb_ramdump ram = { .pieces = pieces };
  for (; ram.count < PAGES && size > 2; ram.count++)
    {
      size_t length = (size_t) (data[0] | data[1] << 8) % (PAGE + 1);
      size_t n = size - 2 < 128 ? size - 2 : 128;
      uint8_t *page = memory[ram.count];
      memset (page, data[0], PAGE);
      memcpy (page, data + 2, n);
      pieces[ram.count] = (struct tb_ramdump_piece) { PAGE * (ram.count + 1), page, length };
      data += 2 + n;
      size -= 2 + n;
    }
  for (size_t i = 0; i < ram.count; i++)
    {
      /* The trace: so many words, in the page before the one of the address, at this place.  */
      uint8_t *page = memory[i];
      size_t length = (size_t) (page[16] | page[17] << 8) * 4;
      size_t number = page[65] >> 4, place = page[64] + (page[65] & 15u) * 256;
      if (number < 1 || number > ram.count || number - 1 == i)
	continue;
      put (page + 8, UINT32_C (0x10000));
      if (length <= PAGE && place <= PAGE - length)
	put (page + 4, crc (0, memory[number - 1] + place, length));
      put (page, crc (0, page + 4, METADATA - 4));
    }
  struct tb_snapshot snapshot = { 0 };
  struct tb_maker maker;
  size_t buffers[4];
  tb_maker_init (&maker, &snapshot, "memory", NULL);
  size_t count = tb_ramdump_buffers (&ram, &maker, "memory", buffers, 4);
  MUST (count <= 4);
  tb_maker_finish (&maker);
  for (size_t i = 0; i < snapshot.nbuffers; i++)
    for (size_t j = 0; j < snapshot.buffers[i].nspans; j++)
      {
	const struct tb_span *span = &snapshot.buffers[i].spans[j];
	static volatile uint8_t last;
	if (span->size > 0)
	  last = span->data[0] ^ span->data[span->size - 1];
	(void) last;
      }
  tb_snapshot_close (&snapshot);
  return 0;
}
