/* The numbers of exceptions.  See exception.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/exception.h"

#include <stddef.h>
#include <stdint.h>

#include "decode/element.h"

/* Numbers FIRST to LAST are of one kind; on the M profile VECTOR is the number in IPSR
   of FIRST, and those of the others follow.  What no row has is TB_EXC_OTHER.  */
struct row
{
  uint8_t numbers;		/* enum tb_exception_numbers  */
  bool is_m;
  uint8_t kind;			/* enum tb_exception  */
  uint16_t first, last, vector;
};

#define M(numbers, first, last, vector, kind) \
  { TB_NUMBERS_ ## numbers, true, TB_EXC_ ## kind, first, last, vector }
#define A(numbers, number, kind) \
  { TB_NUMBERS_ ## numbers, false, TB_EXC_ ## kind, number, number, 0 }

static const struct row rows[] = {
  /* DDI 0403, B1.5.2 "Exception number definition"; DDI 0553, B3.9.  */
  M (VECTORS, 1, 1, 1, RESET), M (VECTORS, 2, 2, 2, IRQ),
  M (VECTORS, 3, 7, 3, FAULT), M (VECTORS, 11, 11, 11, CALL),
  M (VECTORS, 12, 12, 12, MONITOR), M (VECTORS, 14, 511, 14, IRQ),
  /* Logs.  DDI 0406, B1.8.1, by vector; of AArch64 (DDI 0487, D1.3.1) the vector does not
     say more of what is synchronous.  */
  A (VECTORS, 1, RESET), A (VECTORS, TB_EXCEPTION_AARCH32, RESET),
  A (VECTORS, TB_EXCEPTION_AARCH32 + 1, UNDEFINED),
  A (VECTORS, TB_EXCEPTION_AARCH32 + 2, CALL),
  A (VECTORS, TB_EXCEPTION_AARCH32 + 3, PREFETCH),
  A (VECTORS, TB_EXCEPTION_AARCH32 + 4, DATA),
  A (VECTORS, TB_EXCEPTION_AARCH32 + 5, HYP),
  A (VECTORS, TB_EXCEPTION_AARCH32 + 6, IRQ),
  A (VECTORS, TB_EXCEPTION_AARCH32 + 7, FIQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 1, IRQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 2, FIQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 5, IRQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 6, FIQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 9, IRQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 10, FIQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 13, IRQ),
  A (VECTORS, TB_EXCEPTION_AARCH64 + 14, FIQ),
  /* ETMv3 of the M profile: DDI 0337, table 14-8 "Exception tracing mapping": what
     is most frequent comes first.  */
  M (V7, 1, 7, 17, IRQ), M (V7, 8, 8, 16, IRQ), M (V7, 9, 9, 6, FAULT),
  M (V7, 10, 10, 2, IRQ), M (V7, 11, 11, 11, CALL), M (V7, 12, 12, 12, MONITOR),
  M (V7, 13, 13, 4, FAULT), M (V7, 14, 15, 14, IRQ), M (V7, 17, 17, 1, RESET),
  M (V7, 19, 19, 3, FAULT), M (V7, 21, 21, 5, FAULT), M (V7, 24, 511, 24, IRQ),
  /* ETMv3 (IHI 0014, table 7-12), PTM (IHI 0035, table 4-15).  Number 4 is an
     asynchronous data abort, 5 ThumbEE's check, 6 and 7 are reserved.  */
  A (V7, 1, HALT), A (V7, 2, SMC), A (V7, 3, HYP), A (V7, 4, DATA),
  A (V7, 8, RESET), A (V7, 9, UNDEFINED), A (V7, 10, CALL), A (V7, 11, PREFETCH),
  A (V7, 12, DATA), A (V7, 14, IRQ), A (V7, 15, FIQ),
  /* ETMv4 and ETE of the M profile: IHI 0064, 6.4 "Exception packet", the table of
     ARMv7-M and ARMv8-M: up to 15 numbers of IPSR; IRQ 0 to 7 follow, then what is
     no exception of the core (24 halt, 25 lazy FP state, 26 lockup); IRQ n from
     8 on is 0x200 + n.  */
  M (V8, 1, 1, 1, RESET), M (V8, 2, 2, 2, IRQ), M (V8, 3, 7, 3, FAULT),
  M (V8, 11, 11, 11, CALL), M (V8, 12, 12, 12, MONITOR), M (V8, 14, 23, 14, IRQ),
  M (V8, 24, 24, TB_EXCEPTION_UNKNOWN, HALT),
  M (V8, 25, 25, TB_EXCEPTION_UNKNOWN, FP_SAVED), M (V8, 26, 26, TB_EXCEPTION_UNKNOWN, LOCKUP),
  M (V8, 0x208, 0x3ef, 24, IRQ),
  /* The other profiles: IHI 0064, table 5-7.  4 is a system error, 6 and 7 are debug
     events of instructions and data.  */
  A (V8, 0, RESET), A (V8, 1, HALT), A (V8, 2, CALL), A (V8, 3, UNDEFINED),
  A (V8, 4, DATA), A (V8, 6, PREFETCH), A (V8, 7, DATA), A (V8, 11, PREFETCH),
  A (V8, 12, DATA), A (V8, 14, IRQ), A (V8, 15, FIQ)
};

/* The row of NUMBER; NULL: there is none.  */
static const struct row *
find (enum tb_exception_numbers numbers, bool is_m, unsigned number)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].numbers == numbers && rows[i].is_m == is_m
	&& number >= rows[i].first && number <= rows[i].last)
      return &rows[i];
  return NULL;
}

/* ETMv4 has one number for all calls.  */
static const char *const kind_names[] = {
  [TB_EXC_HALT] = "debug halt", [TB_EXC_RESET] = "Reset", [TB_EXC_CALL] = "call",
  [TB_EXC_IRQ] = "IRQ", [TB_EXC_FIQ] = "FIQ", [TB_EXC_UNDEFINED] = "undefined",
  [TB_EXC_SMC] = "SMC", [TB_EXC_HYP] = "Hyp", [TB_EXC_PREFETCH] = "prefetch abort",
  [TB_EXC_DATA] = "data abort", [TB_EXC_FP_SAVED] = "FP registers saved late",
  [TB_EXC_LOCKUP] = "lockup"
};

#define NKINDS (sizeof kind_names / sizeof kind_names[0])

const char *
tb_exception_kind_name (enum tb_exception kind)
{
  return (unsigned) kind < NKINDS ? kind_names[kind] : NULL;
}

enum tb_exception
tb_exception_kind (enum tb_exception_numbers numbers, bool is_m, unsigned number)
{
  if (numbers == TB_NUMBERS_VECTORS && !is_m && number - TB_EXCEPTION_KIND < NKINDS)
    return (enum tb_exception) (number - TB_EXCEPTION_KIND);
  const struct row *row = find (numbers, is_m, number);
  return row != NULL ? (enum tb_exception) row->kind : TB_EXC_OTHER;
}

unsigned
tb_exception_vector (enum tb_exception_numbers numbers, bool is_m, unsigned number)
{
  /* Software may give names to vectors that the architecture leaves out.  */
  if (!is_m || numbers == TB_NUMBERS_VECTORS)
    return number;
  const struct row *row = find (numbers, is_m, number);
  return row == NULL || row->vector == TB_EXCEPTION_UNKNOWN
	 ? TB_EXCEPTION_UNKNOWN : row->vector + (number - row->first);
}
