/* Registers in the frame of an exception of the M profile (snapshot/m-frame.h).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, B1.5.6; DDI 0553, B3.19.  */

#ifndef TB_ARM_MACHINE_M_FRAME_H
#define TB_ARM_MACHINE_M_FRAME_H

#include "arm/machine/regs.h"
#include "snapshot/m-frame.h"

/* The general registers, as TB_R0 and so on.  */
static const uint8_t tb_m_frame_regs[TB_M_FRAME_GENERAL]
  = { TB_R0, TB_R1, TB_R2, TB_R3, TB_R12, TB_LR };

/* A bit for each of them.  */
#define TB_M_FRAME_SET \
  (UINT64_C (15) << TB_R0 | UINT64_C (1) << TB_R12 | UINT64_C (1) << TB_LR)

#endif /* TB_ARM_MACHINE_M_FRAME_H */
