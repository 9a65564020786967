/* Kinds of ETMv4 and ETE trace units.  See decode/kind.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: IHI 0064 and DDI 0487, as settings.h.  */

#include "config.h"
#include "decode/etmv4/kinds.h"

#include "decode/etmv4/packet.h"

/* Packets that are of use only where there is speculation.  */
#define COMMITTING \
  (TB_KIND_PACKET (TB_ETMV4_COMMIT) | TB_KIND_PACKET (TB_ETMV4_CANCEL_1) \
   | TB_KIND_PACKET (TB_ETMV4_CANCEL_1_MISPREDICT) | TB_KIND_PACKET (TB_ETMV4_CANCEL_2) \
   | TB_KIND_PACKET (TB_ETMV4_CANCEL_3) | TB_KIND_PACKET (TB_ETMV4_MISPREDICT))
#define RETURN_STACK \
  { "the return stack", 0x004, 1 << 12, 0, 2, { 0, 1 << 12 } }
#define COMMITS \
  { "how cycle counts commit", 0x078, 1u << 29, 0, 2, { 1u << 29, 0 } }
#define Q_ELEMENTS \
  { "Q elements", 0x078, 3 << 15, 0, 2, { 0, 3 << 15 } }
#define TRANSACTIONS \
  { "whether a transaction's start is a waypoint", 0x078, 1u << 30, 0, 2, { 0, 1u << 30 } }
#define MARKERS \
  { "timestamp markers", 0x078, 1 << 23, 0, 2, { 0, 1 << 23 } }
/* If fewer may be cancelled than can be, trace does not make sense; if more, what is committed
   because the unit holds no more of it is lost where the trace breaks off.  TRCIDR8 of units that
   are known is below this.  */
#define SPECULATION \
  { "how many branches may be cancelled", 0x060, UINT32_MAX, COMMITTING, 0, { 0, 255 } }
#define CONTEXT_IDS \
  { "the size of context IDs", 0x07a, 0x1f << 5, 0, 2, { 4 << 5, 0 } }
#define VIRTUAL_IDS(FIRST, SECOND) \
  { "the size of virtual context IDs", 0x07a, 0x1f << 10, 0, 4, \
    { (FIRST) << 10, (SECOND) << 10, 2 << 10, 0 } }
#define WAITS \
  { "whether WFI and WFE are waypoints", 0x07a, 1u << 31, 0, 2, { 0, 1u << 31 } }

/* As a Cortex-A53's.  */
static const struct tb_kind_register etmv4[] = {
  { 0x010, "TRCTRACEIDR", 0 },
  { 0x004, "TRCCONFIGR", 0x00000001 },
  { 0x078, "TRCIDR0", 0x28000ea1 },
  { 0x079, "TRCIDR1", 0x4100f403 },
  { 0x07a, "TRCIDR2", 0x00000488 },
  { 0x060, "TRCIDR8", 0 }
};

#define VERSIONS \
  { "the version", 0x079, 0xf0, 0, 4, { 0, 0x20, 0x30, 0x60 } }

static const struct tb_kind_setting etmv4_settings[] = {
  VERSIONS, RETURN_STACK, CONTEXT_IDS, VIRTUAL_IDS (1, 4), COMMITS, SPECULATION,
  Q_ELEMENTS, WAITS, MARKERS
};

/* Of the M profile, which has no contexts.  Only there conditional instructions that are no
   branches, and loads and stores, may be traced.  */
static const struct tb_kind_register etmv4_m[] = {
  { 0x010, "TRCTRACEIDR", 0 },
  { 0x004, "TRCCONFIGR", 0x00000001 },
  { 0x078, "TRCIDR0", 0x280006e1 },
  { 0x079, "TRCIDR1", 0x4100f421 },
  { 0x07a, "TRCIDR2", 0x00000004 },
  { 0x060, "TRCIDR8", 0 }
};

static const struct tb_kind_setting etmv4_m_settings[] = {
  { "the version", 0x079, 0xf0, 0, 4, { 0x20, 0, 0x30, 0x60 } },
  RETURN_STACK,
  { "conditional instructions", 0x004, 7 << 8, 0, 2, { 0, 7 << 8 } },
  { "whether loads and stores are waypoints", 0x004, 3 << 1, 0, 4,
    { 0, 1 << 1, 2 << 1, 3 << 1 } },
  COMMITS, SPECULATION, WAITS
};

static const struct tb_kind_register ete[] = {
  { 0x010, "TRCTRACEIDR", 0 },
  { 0x004, "TRCCONFIGR", 0x00000001 },
  { 0x078, "TRCIDR0", 0x28000ea1 },
  { 0x079, "TRCIDR1", 0x4100fff0 },
  { 0x07a, "TRCIDR2", 0x00001088 },
  { 0x060, "TRCIDR8", 0 },
  { 0x3ef, "TRCDEVARCH", 0x47705a13 }
};

static const struct tb_kind_setting ete_settings[] = {
  { "the version", 0x3ef, 0xf << 16, 0, 3, { 0, 1 << 16, 3 << 16 } },
  RETURN_STACK, CONTEXT_IDS, VIRTUAL_IDS (4, 1), COMMITS, SPECULATION, Q_ELEMENTS,
  TRANSACTIONS, WAITS, MARKERS
};

#define COUNT(array) (sizeof (array) / sizeof (array)[0])

const struct tb_kind tb_etmv4_kinds[TB_ETMV4_KINDS] = {
  { "ETM4", 'A', COUNT (etmv4), COUNT (etmv4_settings), 0, etmv4, etmv4_settings },
  { "ETM4", 'M', COUNT (etmv4_m), COUNT (etmv4_m_settings), 0, etmv4_m,
    etmv4_m_settings },
  { "ETE", 'A', COUNT (ete), COUNT (ete_settings), 0, ete, ete_settings }
};
