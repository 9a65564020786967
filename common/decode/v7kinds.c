/* Kinds of ETMv3 and PTM trace units.  See v7kinds.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Sources: IHI 0014Q and IHI 0035B, as v7trace.h.  */

#include "config.h"
#include "decode/v7kinds.h"

#define CONTEXT_IDS \
  { "the size of context IDs", 0x000, 3 << 14, 0, 4, { 0, 3 << 14, 1 << 14, 2 << 14 } }
#define CYCLES \
  { "cycle counts", 0x000, 1 << 12, 0, 2, { 0, 1 << 12 } }
#define WIDE_TIMES \
  { "the size of timestamps", 0x07a, 1 << 29, 0, 2, { 1 << 29, 0 } }
#define HYPERVISOR \
  { "virtualization", 0x07a, 1 << 26, 0, 2, { 1 << 26, 0 } }

/* As of an ETM-A7.  */
static const struct tb_kind_register etm_a[] = {
  { 0x080, "ETMTRACEIDR", 0 },
  { 0x000, "ETMCR", 0x10000000 },
  { 0x079, "ETMIDR", 0x410cf250 },
  { 0x07a, "ETMCCER", 0x344008f2 }
};

/* As of an ETM-M3.  */
static const struct tb_kind_register etm_m[] = {
  { 0x080, "ETMTRACEIDR", 0 },
  { 0x000, "ETMCR", 0x10000000 },
  { 0x079, "ETMIDR", 0x4114f250 },
  { 0x07a, "ETMCCER", 0x18541800 }
};

/* As of a PTM-A15.  */
static const struct tb_kind_register ptm[] = {
  { 0x080, "ETMTRACEIDR", 0 },
  { 0x000, "ETMCR", 0x10000000 },
  { 0x079, "ETMIDR", 0x411cf312 },
  { 0x07a, "ETMCCER", 0x34c01ac2 }
};

#define DATA \
  { "data trace", 0x000, 3 << 2, 0, 4, { 0, 3 << 2, 1 << 2, 2 << 2 } }

static const struct tb_kind_setting etm_a_settings[] = {
  CYCLES, CONTEXT_IDS, DATA,
  { "the encoding of branches", 0x079, 1 << 20, 0, 2, { 0, 1 << 20 } },
  { "data without instructions", 0x000, 1 << 20, 0, 2, { 0, 1 << 20 } },
  WIDE_TIMES, HYPERVISOR
};
static const struct tb_kind_setting etm_m_settings[] = {
  CYCLES, DATA,
  { "the encoding of branches", 0x079, 1 << 20, 0, 2, { 1 << 20, 0 } }
};
static const struct tb_kind_setting ptm_settings[] = {
  { "the return stack", 0x000, 1 << 29, 0, 2, { 0, 1 << 29 } },
  CYCLES, CONTEXT_IDS,
  { "whether barriers are waypoints", 0x07a, 1 << 24, 0, 2, { 0, 1 << 24 } },
  { "the version", 0x079, 0xf0, 0, 2, { 0x10, 0 } },
  WIDE_TIMES, HYPERVISOR
};

#define COUNT(array) (sizeof (array) / sizeof (array)[0])

const struct tb_kind tb_etmv3_kinds[TB_ETMV3_KINDS] = {
  { "ETM3.5", 'A', COUNT (etm_a), COUNT (etm_a_settings), 0, etm_a, etm_a_settings },
  { "ETM3.5", 'M', COUNT (etm_m), COUNT (etm_m_settings), 0, etm_m, etm_m_settings }
};

const struct tb_kind tb_ptm_kinds[TB_PTM_KINDS] = {
  { "PTM1.1", 'A', COUNT (ptm), COUNT (ptm_settings), 0, ptm, ptm_settings }
};
