/* Tests of what the numbers of exceptions mean: decode/exception.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "decode/decoder.h"
#include "decode/element.h"
#include "decode/exception.h"
#include "snapshot/m-frame.h"

#define NONE TB_EXCEPTION_UNKNOWN

/* The M profile: the specifications' tables, by number: IPSR and kind.  */
static void
test_m (void)
{
  static const struct { uint8_t numbers; uint16_t number, vector; uint8_t kind; }
  rows[] = {
    /* IHI 0064.  */
    { TB_NUMBERS_V8, 1, 1, TB_EXC_RESET }, { TB_NUMBERS_V8, 2, 2, TB_EXC_IRQ },
    { TB_NUMBERS_V8, 3, 3, TB_EXC_FAULT }, { TB_NUMBERS_V8, 6, 6, TB_EXC_FAULT },
    { TB_NUMBERS_V8, 7, 7, TB_EXC_FAULT }, { TB_NUMBERS_V8, 11, 11, TB_EXC_CALL },
    { TB_NUMBERS_V8, 12, 12, TB_EXC_MONITOR },
    { TB_NUMBERS_V8, 14, 14, TB_EXC_IRQ }, { TB_NUMBERS_V8, 15, 15, TB_EXC_IRQ },
    { TB_NUMBERS_V8, 16, 16, TB_EXC_IRQ }, { TB_NUMBERS_V8, 23, 23, TB_EXC_IRQ },
    { TB_NUMBERS_V8, 0x208, 24, TB_EXC_IRQ },
    { TB_NUMBERS_V8, 0x236, 70, TB_EXC_IRQ },
    { TB_NUMBERS_V8, 0x3ef, 511, TB_EXC_IRQ },
    { TB_NUMBERS_V8, 0, NONE, TB_EXC_OTHER }, { TB_NUMBERS_V8, 8, NONE, TB_EXC_OTHER },
    { TB_NUMBERS_V8, 13, NONE, TB_EXC_OTHER },
    { TB_NUMBERS_V8, 24, NONE, TB_EXC_HALT },
    /* Saving FP registers late; a lockup.  */
    { TB_NUMBERS_V8, 25, NONE, TB_EXC_FP_SAVED }, { TB_NUMBERS_V8, 26, NONE, TB_EXC_LOCKUP },
    { TB_NUMBERS_V8, 31, NONE, TB_EXC_OTHER },
    { TB_NUMBERS_V8, 0x207, NONE, TB_EXC_OTHER },
    { TB_NUMBERS_V8, 0x3f0, NONE, TB_EXC_OTHER },
    /* DDI 0337, table 14-8.  */
    { TB_NUMBERS_V7, 1, 17, TB_EXC_IRQ }, { TB_NUMBERS_V7, 7, 23, TB_EXC_IRQ },
    { TB_NUMBERS_V7, 8, 16, TB_EXC_IRQ }, { TB_NUMBERS_V7, 9, 6, TB_EXC_FAULT },
    { TB_NUMBERS_V7, 10, 2, TB_EXC_IRQ }, { TB_NUMBERS_V7, 11, 11, TB_EXC_CALL },
    { TB_NUMBERS_V7, 12, 12, TB_EXC_MONITOR },
    { TB_NUMBERS_V7, 13, 4, TB_EXC_FAULT }, { TB_NUMBERS_V7, 14, 14, TB_EXC_IRQ },
    { TB_NUMBERS_V7, 15, 15, TB_EXC_IRQ }, { TB_NUMBERS_V7, 17, 1, TB_EXC_RESET },
    { TB_NUMBERS_V7, 19, 3, TB_EXC_FAULT }, { TB_NUMBERS_V7, 21, 5, TB_EXC_FAULT },
    { TB_NUMBERS_V7, 24, 24, TB_EXC_IRQ }, { TB_NUMBERS_V7, 255, 255, TB_EXC_IRQ },
    { TB_NUMBERS_V7, 16, NONE, TB_EXC_OTHER }, { TB_NUMBERS_V7, 0, NONE, TB_EXC_OTHER },
    /* By IPSR; what is not told is nothing.  */
    { TB_NUMBERS_VECTORS, 1, 1, TB_EXC_RESET }, { TB_NUMBERS_VECTORS, 3, 3, TB_EXC_FAULT },
    { TB_NUMBERS_VECTORS, 8, 8, TB_EXC_OTHER }, { TB_NUMBERS_VECTORS, 11, 11, TB_EXC_CALL },
    { TB_NUMBERS_VECTORS, 511, 511, TB_EXC_IRQ },
    { TB_NUMBERS_VECTORS, NONE, NONE, TB_EXC_OTHER }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      enum tb_exception_numbers numbers
	= (enum tb_exception_numbers) rows[i].numbers;
      CHECK_INT (tb_exception_vector (numbers, true, rows[i].number), rows[i].vector);
      CHECK_INT (tb_exception_kind (numbers, true, rows[i].number), rows[i].kind);
    }
}

/* The other profiles: by number, 0 first.  */
static void
test_a (void)
{
  static const uint8_t v7[16] = {	/* IHI 0014, table 7-12.  */
    TB_EXC_OTHER, TB_EXC_HALT, TB_EXC_SMC, TB_EXC_HYP, TB_EXC_DATA, TB_EXC_OTHER,
    TB_EXC_OTHER, TB_EXC_OTHER, TB_EXC_RESET, TB_EXC_UNDEFINED, TB_EXC_CALL,
    TB_EXC_PREFETCH, TB_EXC_DATA, TB_EXC_OTHER, TB_EXC_IRQ, TB_EXC_FIQ
  };
  static const uint8_t v8[16] = {	/* IHI 0064, table 5-7.  */
    TB_EXC_RESET, TB_EXC_HALT, TB_EXC_CALL, TB_EXC_UNDEFINED, TB_EXC_DATA,
    TB_EXC_OTHER, TB_EXC_PREFETCH, TB_EXC_DATA, TB_EXC_OTHER, TB_EXC_OTHER,
    TB_EXC_OTHER, TB_EXC_PREFETCH, TB_EXC_DATA, TB_EXC_OTHER, TB_EXC_IRQ, TB_EXC_FIQ
  };
  static const uint8_t aarch32[8] = {	/* DDI 0406, B1.8.1.  */
    TB_EXC_RESET, TB_EXC_UNDEFINED, TB_EXC_CALL, TB_EXC_PREFETCH, TB_EXC_DATA,
    TB_EXC_HYP, TB_EXC_IRQ, TB_EXC_FIQ
  };
  static const uint8_t aarch64[4] = {	/* DDI 0487, D1.3.1.  */
    TB_EXC_OTHER, TB_EXC_IRQ, TB_EXC_FIQ, TB_EXC_OTHER
  };
  for (unsigned i = 0; i < 16; i++)
    {
      CHECK_INT (tb_exception_kind (TB_NUMBERS_V7, false, i), v7[i]);
      CHECK_INT (tb_exception_kind (TB_NUMBERS_V8, false, i), v8[i]);
      CHECK_INT (tb_exception_kind (TB_NUMBERS_VECTORS, false,
				    TB_EXCEPTION_AARCH64 + i), aarch64[i % 4]);
      /* People read these.  */
      CHECK_INT (tb_exception_vector (TB_NUMBERS_V8, false, i), i);
    }
  for (unsigned i = 0; i < 8; i++)
    CHECK_INT (tb_exception_kind (TB_NUMBERS_VECTORS, false,
				  TB_EXCEPTION_AARCH32 + i), aarch32[i]);
  CHECK_INT (tb_exception_kind (TB_NUMBERS_VECTORS, false, 1), TB_EXC_RESET);
  CHECK_INT (tb_exception_kind (TB_NUMBERS_V7, false, 16), TB_EXC_OTHER);
  CHECK_INT (tb_exception_kind (TB_NUMBERS_V8, false, NONE), TB_EXC_OTHER);
}

/* EXC_RETURN, in LR or as an address, beside what looks like it.  */
static void
test_exc_return (void)
{
  static const struct { uint64_t value; bool exc_return, lockup, never_code; } rows[] = {
    /* DDI 0403, B1.5.8; without bit 0 as an address; DDI 0553, D1.2.96.  */
    { 0xfffffff1, true, false, true }, { 0xfffffff9, true, false, true },
    { 0xfffffffd, true, false, true }, { 0xffffffe1, true, false, true },
    { 0xffffffed, true, false, true }, { 0xfffffff8, true, false, true },
    { 0xffffffbc, true, false, true }, { 0xffffff80, true, false, true },
    /* LR after a reset; lockups; a return from a Non-secure function (B3.20); code.  */
    { 0xffffffff, false, false, true }, { 0xfffffffe, false, true, true },
    { 0xeffffffe, false, true, true }, { 0xfefffffe, false, false, true },
    { 0xffffff7d, false, false, true }, { 0xffff0001, false, false, true },
    { 0xdffffffe, false, false, false }, { 0x08000101, false, false, false },
    { UINT64_C (0x1fffffff9), false, false, true }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      CHECK_INT (tb_m_is_exc_return (rows[i].value), rows[i].exc_return);
      CHECK_INT (tb_m_is_lockup (rows[i].value), rows[i].lockup);
      CHECK_INT (tb_m_is_never_code (rows[i].value), rows[i].never_code);
    }
}

/* What protocols tell beside the path.  */
static void
test_properties (void)
{
  static const struct
  {
    const struct tb_protocol *protocol;
    uint8_t exceptions;
    bool conditions, halt;
  } rows[] = {
    { &tb_protocol_mtb, TB_NUMBERS_VECTORS, false, true },
    { &tb_protocol_etmv3, TB_NUMBERS_V7, true, false },
    { &tb_protocol_ptm, TB_NUMBERS_V7, false, false },
    { &tb_protocol_etmv4, TB_NUMBERS_V8, false, false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const struct tb_protocol *p = rows[i].protocol;
      CHECK_INT (p->exceptions, rows[i].exceptions);
      CHECK_INT (p->conditions_told, rows[i].conditions);
      CHECK_INT (p->reaches_halt != NULL, rows[i].halt);
    }
}

int
main (void)
{
  test_m ();
  test_a ();
  test_exc_return ();
  test_properties ();
  return check_done ();
}
