/* The table of STPv2 opcodes.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/stm/packet.h"

#include <string.h>

#define M TB_STM_MARKED
#define T TB_STM_TIMED

/* Opcodes of one nibble, and of two that begin with f, by the last one.  The
   size is filled in later.  */
static const struct tb_stm_opcode one[16] =
{
  [0x0] = { TB_STM_NULL, 0, 0, 0 },
  [0x1] = { TB_STM_MASTER_8, 0, 2, 0 },
  [0x2] = { TB_STM_MASTER_ERROR, 0, 2, 0 },
  [0x3] = { TB_STM_CHANNEL_8, 0, 2, 0 },
  [0x4] = { TB_STM_DATA, 0, 2, 0 },
  [0x5] = { TB_STM_DATA, 0, 4, 0 },
  [0x6] = { TB_STM_DATA, 0, 8, 0 },
  [0x7] = { TB_STM_DATA, 0, 16, 0 },
  [0x8] = { TB_STM_DATA, 0, 2, M | T },
  [0x9] = { TB_STM_DATA, 0, 4, M | T },
  [0xa] = { TB_STM_DATA, 0, 8, M | T },
  [0xb] = { TB_STM_DATA, 0, 16, M | T },
  [0xc] = { TB_STM_DATA, 0, 1, 0 },
  [0xd] = { TB_STM_DATA, 0, 1, M | T },
  [0xe] = { TB_STM_FLAG, 0, 0, T },
};

static const struct tb_stm_opcode two[16] =
{
  [0x0] = { TB_STM_LONGER, 0, 0, 0 },
  [0x1] = { TB_STM_MASTER_16, 0, 4, 0 },
  [0x2] = { TB_STM_GLOBAL_ERROR, 0, 2, 0 },
  [0x3] = { TB_STM_CHANNEL_16, 0, 4, 0 },
  [0x4] = { TB_STM_DATA, 0, 2, T },
  [0x5] = { TB_STM_DATA, 0, 4, T },
  [0x6] = { TB_STM_DATA, 0, 8, T },
  [0x7] = { TB_STM_DATA, 0, 16, T },
  [0x8] = { TB_STM_DATA, 0, 2, M },
  [0x9] = { TB_STM_DATA, 0, 4, M },
  [0xa] = { TB_STM_DATA, 0, 8, M },
  [0xb] = { TB_STM_DATA, 0, 16, M },
  [0xc] = { TB_STM_DATA, 0, 1, T },
  [0xd] = { TB_STM_DATA, 0, 1, M },
  [0xe] = { TB_STM_FLAG, 0, 0, 0 },
  [0xf] = { TB_STM_ASYNC, 0, 0, 0 },
};

/* f0x.  USER, TIME and XSYNC (2 to 5, a, b) are of other trace units: no
   CoreSight STM sends them.  */
static const struct tb_stm_opcode three[16] =
{
  [0x0] = { TB_STM_VERSION, 0, 1, 0 },
  [0x1] = { TB_STM_TIME, 0, 0, T },
  [0x6] = { TB_STM_TRIGGER, 0, 2, 0 },
  [0x7] = { TB_STM_TRIGGER, 0, 2, T },
  [0x8] = { TB_STM_FREQUENCY, 0, 8, 0 },
  [0x9] = { TB_STM_FREQUENCY, 0, 8, T },
  [0xf] = { TB_STM_LONGER, 0, 0, 0 },
};

/* f0fx: a frequency that needs 40 bits.  */
static const struct tb_stm_opcode four[16] =
{
  [0x0] = { TB_STM_FREQUENCY, 0, 10, 0 },
  [0x1] = { TB_STM_FREQUENCY, 0, 10, T },
};

#undef M
#undef T

void
tb_stm_table_init (struct tb_stm_table *table)
{
  for (unsigned i = 0; i < 256; i++)
    {
      unsigned first = i & 0xf, second = i >> 4;
      table->two[i] = first == 0xf ? two[second] : one[first];
      table->two[i].size = first == 0xf ? 2 : 1;
    }
  memcpy (table->three, three, sizeof three);
  memcpy (table->four, four, sizeof four);
  for (unsigned i = 0; i < 16; i++)
    {
      table->three[i].size = 3;
      table->four[i].size = 4;
    }
}
