/* Agent expressions: each operation on known and unknown data, and code that no
   compiler makes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "frame/agent.h"

/* The world: register 0 is 0x80000001, 1 is unknown, 2 has its low byte known, 3
   is 5 under an assumption; there is none beyond.  The byte of memory at A is A +
   1; from 0x8000 on it is unknown, but for a string at 0x100.  Variable 1 is 7, 2
   is unknown; 3 and more do not exist.  */
struct fake
{
  struct tb_value set[3];
  uint64_t collected[4][2];
  unsigned ncollected, left_out;
};

static bool
fake_reg (void *data, unsigned number, struct tb_value *value)
{
  (void) data;
  const uint64_t above = UINT64_C (0xffffffff00000000);
  const struct tb_value values[] = {
    { 0x80000001, UINT64_MAX, TB_DERIVED, 0 }, { 0, above, TB_UNKNOWN, 0 },
    { 0x21, above | 0xff, TB_DERIVED, 0 }, { 5, UINT64_MAX, TB_ASSUMED, UINT64_MAX }
  };
  if (number >= sizeof values / sizeof values[0])
    return false;
  *value = values[number];
  return true;
}

static void
fake_memory (void *data, uint64_t address, uint8_t *bytes, uint8_t *origins,
	     size_t length)
{
  (void) data;
  static const char text[] = "hello";
  for (size_t i = 0; i < length; i++)
    {
      uint64_t at = address + i;
      bool is_text = at >= 0x100 && at < 0x100 + sizeof text;
      bytes[i] = is_text ? (uint8_t) text[at - 0x100] : (uint8_t) (at + 1);
      origins[i] = at < 0x8000 ? TB_DERIVED : TB_UNKNOWN;
    }
}

static bool
fake_get (void *data, unsigned number, struct tb_value *value)
{
  struct fake *f = data;
  if (number == 0 || number > 2)
    return false;
  *value = f->set[number];
  return true;
}

static bool
fake_set (void *data, unsigned number, const struct tb_value *value)
{
  struct fake *f = data;
  if (number == 0 || number > 2)
    return false;
  f->set[number] = *value;
  return true;
}

static void
fake_collect (void *data, uint64_t address, uint64_t length)
{
  struct fake *f = data;
  if (f->ncollected < 4)
    {
      f->collected[f->ncollected][0] = address;
      f->collected[f->ncollected][1] = length;
    }
  f->ncollected++;
}

static void
fake_leave_out (void *data)
{
  struct fake *f = data;
  f->left_out++;
}

static enum tb_agent_status
run (struct fake *f, const char *hex, struct tb_value *value)
{
  size_t length = strlen (hex) / 2;
  /* Of this size exactly, so that reading beyond it is found out.  */
  uint8_t *code = malloc (length + (length == 0));
  for (size_t i = 0; i < length; i++)
    {
      char digits[3] = { hex[2 * i], hex[2 * i + 1], 0 };
      code[i] = (uint8_t) strtoul (digits, NULL, 16);
    }
  *f = (struct fake) { .set = { { 0 }, { 7, UINT64_MAX, TB_DERIVED, 0 }, { 0 } } };
  const struct tb_agent_world world = {
    f, fake_reg, fake_memory, fake_get, fake_set, fake_collect, fake_leave_out,
    0xffffffff
  };
  enum tb_agent_status status = tb_agent_run (code, length, &world, value);
  free (code);
  return status;
}

#define ALL UINT64_MAX
#define REG0 "260000"
#define REG1 "260001"
#define REG2 "260002"
#define HALF UINT64_C (0xffffffff00000000)
#define OF(x) ((uint64_t) (int64_t) (x))

static void
test_values (void)
{
  static const struct { const char *hex; uint64_t bits, mask; } rows[] = {
    /* Constants, big-endian.  */
    { "220527", 5, ALL }, { "22ff27", 0xff, ALL }, { "23123427", 0x1234, ALL },
    { "248000000027", 0x80000000, ALL },
    { "25010203040506070827", UINT64_C (0x0102030405060708), ALL },
    /* Extensions.  */
    { "22ff160827", OF (-1), ALL }, { "227f160827", 0x7f, ALL },
    { "23ffff2a0827", 0xff, ALL }, { "22ff164027", 0xff, ALL },
    { "2201160127", OF (-1), ALL },
    /* Arithmetic.  */
    { "220522030227", 8, ALL }, { "220522030327", 2, ALL },
    { "220522070327", OF (-2), ALL }, { "220522030427", 15, ALL },
    { "22f9160822020527", OF (-3), ALL }, { "22f9160822020727", OF (-1), ALL },
    { "220722020627", 3, ALL }, { "220722020827", 1, ALL },
    { "25800000000000000022ff16080527", UINT64_C (1) << 63, ALL },
    { "25800000000000000022ff16080727", 0, ALL },
    { "220122040927", 16, ALL }, { "220122400927", 0, ALL },
    { "22f8160822010a27", OF (-4), ALL }, { "22f8160822ff0a27", OF (-1), ALL },
    { "22f822010b27", 0x7c, ALL }, { "22f822400b27", 0, ALL },
    /* Logic and comparisons.  */
    { "22000e27", 1, ALL }, { "22050e27", 0, ALL },
    { "220c220a0f27", 8, ALL }, { "220c220a1027", 14, ALL },
    { "220c220a1127", 6, ALL }, { "22001227", ALL, ALL },
    { "220522051327", 1, ALL }, { "220522061327", 0, ALL },
    { "22ff160822011427", 1, ALL }, { "22ff160822011527", 0, ALL },
    /* The stack.  */
    { "2205280227", 10, ALL }, { "22052206292707", 5, ALL },
    { "220522022b0327", OF (-3), ALL }, { "22012202220332022a0827", 1, ALL },
    { "220122022203332927", 1, ALL }, { "2201220222033327", 2, ALL },
    { "220122022203333202030327", 2, ALL },
    /* Jumps: over a constant, and not.  */
    { "22012000072209220827", 8, ALL }, { "22002000072209220827", 8, ALL },
    { "21000622092a220827", 8, ALL },
    /* Registers, memory, variables.  */
    { REG0 "27", 0x80000001, ALL }, { "22101727", 0x11, ALL },
    { "22101827", 0x1211, ALL }, { "22101927", 0x14131211, ALL },
    { "22101a27", UINT64_C (0x1817161514131211), ALL },
    { "2500000001000000101727", 0x11, ALL },	/* Addresses have 32 bits.  */
    { "2c000127", 7, ALL }, { "22092d00012c00010227", 18, ALL },
    { "2e000122" "0127", 1, ALL },
    { "220122022203" "34010002682527", 0, 0 },
    { "22092201220222033401000268" "2527", 9, ALL },
    /* Nothing is left.  */
    { "27", 0, 0 },

    /* What is not known.  */
    { REG1 "27", 0, HALF }, { REG2 "27", 0x21, HALF | 0xff },
    { "2380001927", 0, HALF }, { "237ffe1927", 0xff, HALF | 0xffff },
    { "2c000227", 0, 0 },
    { REG1 "1927", 0, HALF },			/* At an unknown address.  */
    { REG2 "22ff0f27", 0x21, ALL }, { REG1 "22000f27", 0, ALL },
    { REG1 "22ff1027", 0xff, HALF | 0xff }, { REG1 "22011127", 0, HALF },
    { REG2 "1227", OF (~0x21) & (HALF | 0xff), HALF | 0xff },
    { REG2 "160827", 0x21, ALL }, { REG2 "2a0827", 0x21, ALL },
    { REG2 "161027", 0x21, 0xff }, { REG1 "2a2027", 0, HALF },
    { REG2 "22040927", 0x210, (HALF << 4) | 0xfff },
    { REG2 "22040b27", 2, HALF | 0xf000000f },
    { REG2 "2a0816082204" "0a27", 2, ALL }, { REG2 "161022040a27", 2, 0xf },
    { REG2 REG1 "0927", 0, 0 },
    { REG2 "2201" "0227", 0x22, 0xff }, { REG1 "22010227", 0, 0 },
    { REG2 "22220327", 0xff, 0xff }, { REG2 "22020427", 0x42, 0xff },
    { REG2 "22020627", 0, 0 }, { REG2 REG1 "0627", 0, 0 },
    { REG2 "22221327", 0, ALL }, { REG2 "22211327", 0, ~UINT64_C (1) },
    { REG2 "0e27", 0, ALL }, { REG1 "0e27", 0, ~UINT64_C (1) },
    { REG1 "22051427", 0, ~UINT64_C (1) }, { REG1 "22051527", 0, ~UINT64_C (1) },
    /* A jump either way: the same, another, nothing on one of them.  */
    { REG1 "20000b220521000d220527", 5, ALL },
    { REG1 "20000b220521000d220727", 5, ~UINT64_C (2) },
    /* r1 || 1, r1 && 0, with a second unknown one in between.  */
    { REG1 "20000b2201" "21000d" "2201" "220127", 1, ALL },
    { REG1 REG1 "20000e2200" "210010" "2200" "27", 0, ALL },
    { REG1 "20000627" "27", 0, 0 },
    /* A jump that a known bit decides.  */
    { REG2 "2000082209220827", 8, ALL },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct fake f;
      struct tb_value value;
      enum tb_agent_status status = run (&f, rows[i].hex, &value);
      bool right = CHECK_INT (status, TB_AGENT_DONE);
      right &= CHECK_INT (value.bits, rows[i].bits);
      right &= CHECK_INT (value.mask, rows[i].mask);
      if (!right)
	fprintf (stderr, "  in row %zu: %s\n", i, rows[i].hex);
    }
}

static void
test_errors (void)
{
  static const struct { const char *hex; enum tb_agent_status status; } rows[] = {
    { "", TB_AGENT_MALFORMED }, { "22", TB_AGENT_MALFORMED },
    { "2205", TB_AGENT_MALFORMED }, { "23", TB_AGENT_MALFORMED },
    { "24010203", TB_AGENT_MALFORMED }, { "25010203", TB_AGENT_MALFORMED },
    { "2600", TB_AGENT_MALFORMED }, { "0027", TB_AGENT_MALFORMED },
    { "ff27", TB_AGENT_MALFORMED }, { "3127", TB_AGENT_MALFORMED },
    { "2100ff27", TB_AGENT_MALFORMED }, { "220120ffff27", TB_AGENT_MALFORMED },
    { "2205160027", TB_AGENT_MALFORMED }, { "2205164127", TB_AGENT_MALFORMED },
    { "22052a0027", TB_AGENT_MALFORMED },
    { "220122013400", TB_AGENT_MALFORMED },
    { "22012201340000ff27", TB_AGENT_MALFORMED },
    { "34000000" "27", TB_AGENT_STACK_ERROR },
    { "0227", TB_AGENT_STACK_ERROR }, { "22050227", TB_AGENT_STACK_ERROR },
    { "2927", TB_AGENT_STACK_ERROR }, { "2b27", TB_AGENT_STACK_ERROR },
    { "220122023327", TB_AGENT_STACK_ERROR },
    { "2201320127", TB_AGENT_STACK_ERROR },
    { "2c0001" "210000", TB_AGENT_STACK_ERROR },	/* Fills the stack.  */
    { "21000027", TB_AGENT_TOO_LONG }, { "22012921000027", TB_AGENT_TOO_LONG },
    { "0127", TB_AGENT_NO_FLOAT }, { "22001b27", TB_AGENT_NO_FLOAT },
    { "220522000527", TB_AGENT_DIVIDED_BY_ZERO },
    { "220522000627", TB_AGENT_DIVIDED_BY_ZERO },
    { "220522000727", TB_AGENT_DIVIDED_BY_ZERO },
    { "220522000827", TB_AGENT_DIVIDED_BY_ZERO },
    { "26000427", TB_AGENT_NO_REGISTER }, { "2cffff27", TB_AGENT_NO_VARIABLE },
    { "22052d000927", TB_AGENT_NO_VARIABLE },
    { REG1 "2000062d0001" "27", TB_AGENT_UNKNOWN },	/* It sets one.  */
    { REG1 "20000727" "0227", TB_AGENT_STACK_ERROR },
    { REG1 "20000021000027", TB_AGENT_UNKNOWN },	/* Again and again.  */
    { "21000a" "27272727272727" REG1 "20000a" "21000a", TB_AGENT_UNKNOWN }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct fake f;
      struct tb_value value;
      bool right = CHECK_INT (run (&f, rows[i].hex, &value), rows[i].status);
      right &= CHECK_INT (value.mask, 0);
      if (!right)
	fprintf (stderr, "  in row %zu: %s\n", i, rows[i].hex);
      CHECK (*tb_agent_text (rows[i].status) != 0);
    }
}

static void
test_effects (void)
{
  struct fake f;
  struct tb_value value;
  /* trace, trace_quick, trace16, tracenz with and without a limit that matters,
     at what is not known.  */
  CHECK_INT (run (&f, "221022040c" "22200d08" "300200" "27", &value),
	     TB_AGENT_DONE);
  CHECK_INT (f.ncollected, 3);
  CHECK_INT (f.left_out, 0);
  CHECK_INT (f.collected[0][0], 0x10);
  CHECK_INT (f.collected[0][1], 4);
  CHECK_INT (f.collected[1][0], 0x20);
  CHECK_INT (f.collected[1][1], 8);
  CHECK_INT (f.collected[2][1], 0x200);
  CHECK_INT (value.bits, 0x20);
  run (&f, "23010022ff2f27", &value);
  CHECK_INT (f.collected[0][0], 0x100);
  CHECK_INT (f.collected[0][1], 6);
  run (&f, "23010022022f27", &value);
  CHECK_INT (f.collected[0][1], 2);
  run (&f, REG1 "22040c" REG1 "0d0427", &value);
  CHECK_INT (f.ncollected, 0);
  CHECK_INT (f.left_out, 2);

  /* What is set is as unknown as it was.  */
  run (&f, REG2 "2d000227", &value);
  CHECK_INT (f.set[2].bits, 0x21);
  CHECK_INT (f.set[2].mask, HALF | 0xff);

  /* Assumptions stick.  */
  run (&f, "260003" "22010227", &value);
  CHECK_INT (value.bits, 6);
  CHECK_INT (value.origin, TB_ASSUMED);

  static const struct { uint8_t code[8]; bool sets; } rows[] = {
    { { 0x22, 0x2d, 0x27 }, false }, { { 0x22, 5, 0x2d, 0, 1, 0x27 }, true },
    { { 0x23, 0x2d, 0x2d, 0x27 }, false },
    { { 0x34, 0, 0, 1, 0x2d, 0x27 }, false }, { { 0, 0x2d }, false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    CHECK_INT (tb_agent_sets (rows[i].code, sizeof rows[i].code), rows[i].sets);

  CHECK_INT (tb_agent_truth (&(struct tb_value) { .bits = 0, .mask = ALL }), TB_FALSE);
  CHECK_INT (tb_agent_truth (&(struct tb_value) { .bits = 4, .mask = 4 }), TB_TRUE);
  CHECK_INT (tb_agent_truth (&(struct tb_value) { .bits = 0, .mask = 4 }), TB_MAYBE);
}

/* Noise: it must end, and read nothing that is not there.  */
static void
test_noise (void)
{
  uint32_t state = 1;
  unsigned done = 0;
  for (unsigned n = 0; n < 20000; n++)
    {
      char hex[2 * 24 + 1];
      unsigned length = 1 + n % 24;
      for (unsigned i = 0; i < length; i++)
	{
	  state = state * 1664525 + 1013904223;
	  unsigned byte = state >> 24;
	  if (byte % 3 != 0)
	    byte %= 0x36;
	  snprintf (hex + 2 * i, 3, "%02x", i + 1 == length ? 0x27 : byte);
	}
      struct fake f;
      struct tb_value value;
      done += run (&f, hex, &value) == TB_AGENT_DONE;
    }
  CHECK (done > 100);
}

int
main (void)
{
  test_values ();
  test_errors ();
  test_effects ();
  test_noise ();
  return check_done ();
}
