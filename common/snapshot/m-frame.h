/* What an exception of the M profile leaves: a frame of eight words on a stack, and
   EXC_RETURN in LR.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0419 (ARMv6-M) and DDI 0403 (ARMv7-M), B1.5.6 to B1.5.8; DDI 0553 (ARMv8-M),
   B3.19, D1.2.96.  */

#ifndef TB_SNAPSHOT_M_FRAME_H
#define TB_SNAPSHOT_M_FRAME_H

#include <stdbool.h>
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

/* The bits that every EXC_RETURN has alike: 31 to 7 are 1, and 1 is 0.  Those of ARMv6-M and
   ARMv7-M (DDI 0419, DDI 0403, B1.5.8: 0xfffffff1, f9, fd, and e1, e9, ed of ARMv7-M) have them
   as well as those of ARMv8-M (DDI 0553, D1.2.96: 31 to 24, PREFIX; 23 to 7 RES1; 1 RES0).  */
#define TB_EXC_RETURN_MASK UINT32_C (0xffffff82)
#define TB_EXC_RETURN_BITS UINT32_C (0xffffff80)

/* Is VALUE, of a register or (without bit 0) as an address, an EXC_RETURN?  What LR has after a
   reset (0xffffffff) is none.  */
static inline bool
tb_m_is_exc_return (uint64_t value)
{
  return value <= UINT32_MAX && (value & TB_EXC_RETURN_MASK) == TB_EXC_RETURN_BITS;
}

/* Does a core that stands at ADDRESS lock up?  ARMv6-M and ARMv7-M: DDI 0419, B1.5.14 and DDI 0403,
   B1.5.15 "Unrecoverable exception cases"; ARMv8-M: DDI 0553, B3.33 "Lockup".  */
static inline bool
tb_m_is_lockup (uint64_t address)
{
  return address == UINT32_C (0xfffffffe) || address == UINT32_C (0xeffffffe);
}

/* Is at ADDRESS never code?  From there on nothing can be executed (DDI 0419 and DDI 0403, B3.1;
   DDI 0553, B8.1: the System region, XN); EXC_RETURN and lockup are addresses there.  */
static inline bool
tb_m_is_never_code (uint64_t address)
{
  return address >= UINT32_C (0xe0000000);
}

#endif /* TB_SNAPSHOT_M_FRAME_H */
