/* Finding the registers of a Micro Trace Buffer in memory.  See find.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/mtb/find.h"

#include <string.h>

#include "util/number.h"

#define PAGE UINT64_C (4096)

/* Where Cortex-M23 and Cortex-M33 have the registers of their MTB.  */
#define OWN_PLACE UINT64_C (0xe0043000)

/* POSITION, MASTER, FLOW and BASE, words.  */
#define BLOCK_SIZE (4 * TB_MTB_NREGS)

/* Identification registers: offsets, and what an MTB has (DDI 0486, 3.2; IHI 0029, B2).  */
enum { AT_DEVARCH = 0xfbc, AT_DEVTYPE = 0xfcc, AT_CIDR = 0xff0 };
#define ARCHITECTURE UINT32_C (0x0a31)
#define PRESENT (UINT32_C (1) << 20)
#define TYPE UINT32_C (0x31)
static const uint8_t coresight[] = { 0x0d, 0x90, 0x05, 0xb1 };

/* Do the bytes of PAGE end as those of a component of CoreSight?  */
static bool
is_component (const uint8_t *page)
{
  for (unsigned i = 0; i < sizeof coresight; i++)
    if (page[AT_CIDR + 4 * i] != coresight[i])
      return false;
  return true;
}

static bool
is_mtb (const uint8_t *page)
{
  uint32_t architecture = tb_number_32 (&page[AT_DEVARCH]);
  return (architecture & PRESENT) != 0 ? (architecture & 0xffff) == ARCHITECTURE
	 : (tb_number_32 (&page[AT_DEVTYPE]) & 0xff) == TYPE;
}

static void
read_block (struct tb_mtb_block *block, const uint8_t *data, uint64_t address, bool identified)
{
  *block = (struct tb_mtb_block) { .address = address, .identified = identified };
  for (unsigned i = 0; i < TB_MTB_NREGS; i++)
    block->value[i] = tb_number_32 (&data[4 * i]);
}

bool
tb_mtb_find_registers (struct tb_mtb_block *block, const uint8_t *data, uint64_t address,
		       uint64_t length)
{
  uint64_t at = -address & (PAGE - 1), own = OWN_PLACE - address;
  for (; at < length && length - at >= PAGE; at += PAGE)
    if (is_component (&data[at]) && is_mtb (&data[at]))
      {
	read_block (block, &data[at], address + at, true);
	return true;
      }
  if (own >= length || length - own < BLOCK_SIZE
      || (length - own >= PAGE && is_component (&data[own])))
    return false;
  read_block (block, &data[own], OWN_PLACE, false);
  return true;
}

/* Of registers whose MASTER is VALUE: 16 bytes, doubled as often as its bits 4:0 say.  */
static uint64_t
length_of (uint32_t value)
{
  return UINT64_C (1) << ((value & 0x1f) + 4);
}

uint64_t
tb_mtb_length (const struct tb_mtb_registers *registers)
{
  return length_of (registers->value[1]);
}

bool
tb_mtb_block_area (const struct tb_mtb_block *block, uint64_t *address, uint64_t *length)
{
  enum { POSITION, MASTER, FLOW, BASE };
  /* As in tb_mtb_ram (mtb.h).  */
  uint64_t size = length_of (block->value[MASTER]);
  *length = size;
  *address = (uint32_t) (block->value[BASE] + (block->value[POSITION] & 0xfffffff8u & ~(size - 1)));
  return block->value[BASE] != 0;
}
