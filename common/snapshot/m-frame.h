/* What an exception of the M profile leaves: a frame of eight words on a stack, and
   EXC_RETURN in LR.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, B1.5.6 to B1.5.8; DDI 0553, B3.19, D1.2.96.  */

#ifndef TB_SNAPSHOT_M_FRAME_H
#define TB_SNAPSHOT_M_FRAME_H

#include <stdint.h>

/* What is where, in words from the lowest address on; the general registers are the
   first TB_M_FRAME_GENERAL.  */
enum
{
  TB_M_FRAME_GENERAL = 6,
  TB_M_FRAME_RETURN = 6,	/* The return address.  */
  TB_M_FRAME_PSR = 7,
  TB_M_FRAME_WORDS = 8
};

/* Bytes, and how many more there are with FP registers.  */
#define TB_M_FRAME_SIZE (4 * TB_M_FRAME_WORDS)
#define TB_M_FRAME_FP 0x48

/* The xPSR there: the Thumb bit, and the numbers of the bits that say that the frame was
   moved down by 4 to align it, and (ARMv8-M, DDI 0553, RETPSR) that FP registers hold what is
   Secure.  */
#define TB_M_FRAME_THUMB UINT32_C (0x01000000)
#define TB_M_FRAME_MOVED 9
#define TB_M_FRAME_SFPA 20

/* Bits of EXC_RETURN, by their numbers.  */
enum
{
  TB_EXC_RETURN_ES = 0,		/* ARMv8-M: the handler is of Secure state.  */
  TB_EXC_RETURN_PSP = 2,	/* The frame is on the process stack.  */
  TB_EXC_RETURN_THREAD = 3,	/* Thread mode was left.  */
  TB_EXC_RETURN_NO_FP = 4,	/* The frame has no FP registers.  */
  TB_EXC_RETURN_DCRS = 5,	/* ARMv8-M: nothing more is stacked.  */
  TB_EXC_RETURN_S = 6		/* ARMv8-M: Secure state was left.  */
};

#endif /* TB_SNAPSHOT_M_FRAME_H */
