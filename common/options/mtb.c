/* What an option tells of a Micro Trace Buffer in memory.  See mtb.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm DDI 0486, 3.2: the registers of the MTB.  */

#include "config.h"
#include "options/mtb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/mtb/find.h"

/* The size of the buffer is 16 bytes, doubled as often as bits 4:0 of MASTER say (3.2.2); that of
   the largest still has an address of 32 bits.  */
#define MASTER_MASK 0x1fu
#define MASK_MOST 27u

bool
tb_mtb_parse (const char *text, struct tb_mtb_registers *registers, const char **core,
	      char *why, size_t size)
{
  enum { BASE, POSITION, MASTER, COUNT };
  static const char prefix[] = "ram:";
  uint64_t numbers[COUNT];
  const char *p = text;
  unsigned n = 0;
  *core = NULL;
  if (strncmp (p, prefix, sizeof prefix - 1) == 0)
    p += sizeof prefix - 1;
  for (; n < COUNT; n++)
    {
      char *end;
      errno = 0;
      numbers[n] = strtoull (p, &end, 0);
      if (end == p || errno != 0 || *p == '-' || numbers[n] > UINT32_MAX
	  || (n + 1 < COUNT ? *end != ',' : *end != 0 && (*end != '@' || end[1] == 0)))
	break;
      *core = *end == '@' ? end + 1 : NULL;
      p = end + 1;
    }
  if (n < COUNT)
    {
      snprintf (why, size, "expected BASE,POSITION,MASTER, three numbers of 32 bits, as the "
		"registers of the MTB have them, and @CORE behind them where there are several, "
		"found '%s'", text);
      return false;
    }
  if (numbers[BASE] % TB_MTB_PACKET_SIZE != 0 || (numbers[POSITION] & 3) != 0
      || (numbers[MASTER] & MASTER_MASK) > MASK_MOST)
    {
      snprintf (why, size, "expected BASE at a multiple of %d, found %#" PRIx64 "; POSITION "
		"with bits 1:0 clear, found %#" PRIx64 "; MASTER with at most %u in bits 4:0, "
		"found %u", TB_MTB_PACKET_SIZE, numbers[BASE], numbers[POSITION], MASK_MOST,
		(unsigned) (numbers[MASTER] & MASTER_MASK));
      return false;
    }
  *registers = (struct tb_mtb_registers) {
    .value = { (uint32_t) numbers[POSITION], (uint32_t) numbers[MASTER], 0,
	       (uint32_t) numbers[BASE] },
    .known = 1u << 0 | 1u << 1 | 1u << 3
  };
  return true;
}
