/* Exception types of ETMv4 and ETE.  See exception.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/exception.h"

#include <stddef.h>

#include "decode/element.h"

/* M profile: types up to 15 are numbers of IPSR; IRQ 0 to 7 follow, then what
   is no exception; IRQ n from 8 on is 0x200 + n.  */
enum
{
  M_SYSTICK = 15, M_IRQ0 = 16, M_IRQ7 = 23,
  M_DEBUG_HALT = 24, M_LAZY_FP = 25, M_LOCKUP = 26,
  M_IRQ8 = 0x208, M_IRQ_LAST = 0x3ef, M_IRQ_BASE = 0x200
};

static const char *const m_names[] =
{
  [1] = "Reset", [2] = "NMI", [3] = "HardFault", [4] = "MemManage",
  [5] = "BusFault", [6] = "UsageFault", [7] = "SecureFault",
  [11] = "SVCall", [12] = "DebugMonitor", [14] = "PendSV", [15] = "SysTick",
  [16] = "IRQ0", [17] = "IRQ1", [18] = "IRQ2", [19] = "IRQ3",
  [20] = "IRQ4", [21] = "IRQ5", [22] = "IRQ6", [23] = "IRQ7",
  [M_DEBUG_HALT] = "Debug halt", [M_LAZY_FP] = "Lazy FP push",
  [M_LOCKUP] = "Lockup"
};

enum { AR_DEBUG_HALT = 1 };

static const char *const ar_names[] =
{
  [0] = "PE reset", [AR_DEBUG_HALT] = "Debug halt", [2] = "Call",
  [3] = "Trap", [4] = "System error", [6] = "Inst debug",
  [7] = "Data debug", [10] = "Alignment", [11] = "Inst fault",
  [12] = "Data fault", [14] = "IRQ", [15] = "FIQ"
};

unsigned
tb_etmv4_m_vector (unsigned type)
{
  if (type >= M_IRQ8 && type <= M_IRQ_LAST)
    return M_IRQ0 + (type - M_IRQ_BASE);
  if (type <= M_IRQ7 && m_names[type] != NULL)
    return type;
  return TB_EXCEPTION_UNKNOWN;
}

bool
tb_etmv4_is_halt (unsigned type, bool is_m)
{
  return type == (is_m ? M_DEBUG_HALT : AR_DEBUG_HALT);
}

const char *
tb_etmv4_exception_name (unsigned type, bool is_m)
{
  if (is_m)
    return type < sizeof m_names / sizeof m_names[0] ? m_names[type]
	   : type >= M_IRQ8 && type <= M_IRQ_LAST ? "IRQ" : NULL;
  return type < sizeof ar_names / sizeof ar_names[0] ? ar_names[type] : NULL;
}
