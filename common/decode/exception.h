/* Exceptions: what the numbers of protocols and logs mean.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each protocol numbers exceptions in its own way, and most do so in one way for the
   M profile and in another for the others.  One table (exception.c) says what
   each number means; whatever is behind the decoders reads the meaning.  */

#ifndef TB_DECODE_EXCEPTION_H
#define TB_DECODE_EXCEPTION_H

#include <stdbool.h>

/* What an exception is, whatever told of it.  */
enum tb_exception
{
  TB_EXC_OTHER,			/* Not told, or none of these.  */
  TB_EXC_HALT,			/* The core stopped for the debugger.  */
  TB_EXC_RESET,
  TB_EXC_CALL,			/* SVC; of ETMv4 and ETE also HVC or SMC.  */
  TB_EXC_IRQ, TB_EXC_FIQ,	/* IRQ: M profile: NMI, PendSV and SysTick, too.  */
  /* A, R profile: */
  TB_EXC_UNDEFINED, TB_EXC_SMC,
  TB_EXC_HYP,			/* HVC, or a trap to Hyp mode.  */
  TB_EXC_PREFETCH, TB_EXC_DATA,	/* Aborts.  */
  /* M profile: */
  TB_EXC_FAULT,			/* HardFault, MemManage ...  */
  TB_EXC_MONITOR,		/* DebugMonitor.  */
  /* No entries (tb_exception_enters): no frame is stacked, no handler runs.  */
  TB_EXC_FP_SAVED,		/* FP registers were saved late ("lazy FP push").  */
  TB_EXC_LOCKUP
};

/* Does an exception of KIND enter a handler?  */
static inline bool
tb_exception_enters (enum tb_exception kind)
{
  return kind != TB_EXC_FP_SAVED && kind != TB_EXC_LOCKUP;
}

/* Who numbers exceptions in one way.  */
enum tb_exception_numbers
{
  TB_NUMBERS_VECTORS,		/* M profile: by IPSR (an MTB has no more); logs also
				   those of the A profile by vector.  */
  TB_NUMBERS_V7,		/* ETMv3, PTM.  */
  TB_NUMBERS_V8			/* ETMv4, ETE.  */
};

/* TB_NUMBERS_VECTORS of the A profile: AArch64's are 16, by the offset of the vector
   (DDI 0487, D1.3.1), and AArch32's 8 likewise (DDI 0406, B1.8.1), from these on.  A
   reset is number 1 on every profile.  */
#define TB_EXCEPTION_AARCH32 0x40
#define TB_EXCEPTION_AARCH64 0x80
/* Logs of ours tell of the kind alone: that number is this plus enum tb_exception.  */
#define TB_EXCEPTION_KIND 0x200

/* What exception NUMBER of NUMBERS is, on the M profile or another.  */
enum tb_exception tb_exception_kind (enum tb_exception_numbers numbers, bool is_m,
				     unsigned number);

/* What exceptions of KIND are called on other profiles than M, or of what is no entry
   on that; NULL: they have no name.  */
const char *tb_exception_kind_name (enum tb_exception kind);

/* M profile: its number in IPSR; TB_EXCEPTION_UNKNOWN (decode/element.h): it has
   none.  Other profiles: NUMBER.  */
unsigned tb_exception_vector (enum tb_exception_numbers numbers, bool is_m,
			      unsigned number);

#endif /* TB_DECODE_EXCEPTION_H */
