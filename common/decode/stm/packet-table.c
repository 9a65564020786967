/* The table of STPv2 opcodes.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/stm/packet.h"

#include "decode/element.h"

#define M TB_SOFTWARE_MARKER

/* Opcodes of one nibble, and of two that begin with f, by the last one.  */
const struct tb_stm_opcode tb_stm_one[16] =
{
  [0x0] = { TB_STM_NULL, 0, false, 0 },
  [0x1] = { TB_STM_MASTER_8, 2, false, 0 },
  [0x2] = { TB_STM_MASTER_ERROR, 2, false, TB_SOFTWARE_MASTER_ERROR },
  [0x3] = { TB_STM_CHANNEL_8, 2, false, 0 },
  [0x4] = { TB_STM_DATA, 2, false, 0 },
  [0x5] = { TB_STM_DATA, 4, false, 0 },
  [0x6] = { TB_STM_DATA, 8, false, 0 },
  [0x7] = { TB_STM_DATA, 16, false, 0 },
  [0x8] = { TB_STM_DATA, 2, true, M },
  [0x9] = { TB_STM_DATA, 4, true, M },
  [0xa] = { TB_STM_DATA, 8, true, M },
  [0xb] = { TB_STM_DATA, 16, true, M },
  [0xc] = { TB_STM_DATA, 1, false, 0 },
  [0xd] = { TB_STM_DATA, 1, true, M },
  [0xe] = { TB_STM_FLAG, 0, true, M },
};

const struct tb_stm_opcode tb_stm_two[16] =
{
  [0x0] = { TB_STM_LONGER, 0, false, 0 },
  [0x1] = { TB_STM_MASTER_16, 4, false, 0 },
  [0x2] = { TB_STM_GLOBAL_ERROR, 2, false, TB_SOFTWARE_GLOBAL_ERROR },
  [0x3] = { TB_STM_CHANNEL_16, 4, false, 0 },
  [0x4] = { TB_STM_DATA, 2, true, 0 },
  [0x5] = { TB_STM_DATA, 4, true, 0 },
  [0x6] = { TB_STM_DATA, 8, true, 0 },
  [0x7] = { TB_STM_DATA, 16, true, 0 },
  [0x8] = { TB_STM_DATA, 2, false, M },
  [0x9] = { TB_STM_DATA, 4, false, M },
  [0xa] = { TB_STM_DATA, 8, false, M },
  [0xb] = { TB_STM_DATA, 16, false, M },
  [0xc] = { TB_STM_DATA, 1, true, 0 },
  [0xd] = { TB_STM_DATA, 1, false, M },
  [0xe] = { TB_STM_FLAG, 0, false, M },
  [0xf] = { TB_STM_ASYNC, 0, false, 0 },
};

/* f0x.  USER, TIME and XSYNC (2 to 5, a, b) are of other trace units: no
   CoreSight STM sends them.  */
const struct tb_stm_opcode tb_stm_three[16] =
{
  [0x0] = { TB_STM_VERSION, 1, false, 0 },
  [0x1] = { TB_STM_TIME, 0, true, 0 },
  [0x6] = { TB_STM_TRIGGER, 2, false, TB_SOFTWARE_TRIGGER },
  [0x7] = { TB_STM_TRIGGER, 2, true, TB_SOFTWARE_TRIGGER },
  [0x8] = { TB_STM_FREQUENCY, 8, false, TB_SOFTWARE_FREQUENCY },
  [0x9] = { TB_STM_FREQUENCY, 8, true, TB_SOFTWARE_FREQUENCY },
  [0xf] = { TB_STM_LONGER, 0, false, 0 },
};

/* f0fx: a frequency that needs 40 bits.  */
const struct tb_stm_opcode tb_stm_four[16] =
{
  [0x0] = { TB_STM_FREQUENCY, 10, false, TB_SOFTWARE_FREQUENCY },
  [0x1] = { TB_STM_FREQUENCY, 10, true, TB_SOFTWARE_FREQUENCY },
};

#undef M

/* A type, without and with a timestamp; data of a size, then marked.  */
#define TYPE(type, name) \
  [2 * TB_STM_##type] = name, [2 * TB_STM_##type + 1] = name "_TS"
#define DATA(size, name)						\
  [2 * TB_STM_TYPES + 4 * (size)] = name,					\
  [2 * TB_STM_TYPES + 4 * (size) + 1] = name "TS",			\
  [2 * TB_STM_TYPES + 4 * (size) + 2] = name "M",				\
  [2 * TB_STM_TYPES + 4 * (size) + 3] = name "MTS"

const char *const tb_stm_count_names[TB_STM_COUNTS] =
{
  [2 * TB_STM_BAD] = "Reserved", [2 * TB_STM_NULL] = "NULL",
  [2 * TB_STM_ASYNC] = "ASYNC", [2 * TB_STM_VERSION] = "VERSION",
  [2 * TB_STM_MASTER_8] = "M8", [2 * TB_STM_MASTER_16] = "M16",
  [2 * TB_STM_CHANNEL_8] = "C8", [2 * TB_STM_CHANNEL_16] = "C16",
  [2 * TB_STM_MASTER_ERROR] = "MERR", [2 * TB_STM_GLOBAL_ERROR] = "GERR",
  TYPE (FLAG, "FLAG"), TYPE (TRIGGER, "TRIG"), TYPE (FREQUENCY, "FREQ"),
  TYPE (TIME, "TIME"),
  DATA (0, "D4"), DATA (1, "D8"), DATA (2, "D16"), DATA (3, "D32"),
  DATA (4, "D64")
};
