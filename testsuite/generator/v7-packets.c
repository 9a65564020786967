/* Packets of ETMv3 and PTM, written.  See v7-packets.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/v7-packets.h"

void
gen_v7_address (struct gen_trace *t, enum gen_v7_form form,
		struct gen_v7_last *last, uint32_t address, enum gen_isa isa,
		bool first, bool more, struct gen_random *r)
{
  unsigned shift = isa == GEN_A32 ? 2 : 1;
  unsigned end = form == GEN_V7_ORIGINAL ? 7 : 6;
  uint32_t field = address >> shift;
  uint32_t changed = (address ^ last->address) >> shift;
  unsigned n = 5;
  if (last->isa_known && last->isa == isa)
    for (n = more ? 2 : 1; n < 5; n++)
      {
	/* The first byte has six bits, the last END, others seven.  */
	unsigned bits = n == 1 ? 6 : 6 + 7 * (n - 2) + end;
	if (changed >> bits == 0 && !gen_chance (r, 5))
	  break;
      }
  if (form != GEN_V7_ALTERNATIVE && more)
    n = 5;
  gen_put (t, (field & 0x3f) << 1 | first | (n > 1) << 7);
  field >>= 6;
  for (unsigned i = 1; i < n && i < 4; i++)
    {
      bool ends = i == n - 1;
      unsigned bits = ends ? end : 7;
      unsigned byte = field & ((1u << bits) - 1);
      if (!ends)
	byte |= 0x80;
      else if (more)
	byte |= 0x40;
      gen_put (t, byte);
      field >>= bits;
    }
  if (n == 5)
    gen_put (t, (isa == GEN_A32 ? 0x08 | (field & 7) : 0x10 | (field & 0xf))
		| more << 6);
  last->address = address;
  last->isa = isa;
  last->isa_known = true;
}

void
gen_v7_exception (struct gen_trace *t, unsigned number, bool nonsecure,
		  bool cancel, struct gen_random *r)
{
  bool two = number > 0xf || gen_chance (r, 5);
  gen_put (t, nonsecure | (number & 0xf) << 1 | cancel << 5 | two << 7);
  if (two)
    gen_put (t, number >> 4);
}

void
gen_v7_timestamp (struct gen_trace *t, uint64_t value, uint64_t before,
		  bool wide, struct gen_random *r)
{
  unsigned most = wide ? 9 : 7, n = 1;
  uint64_t changed = value ^ before;
  while (n < most && (changed >> 7 * n != 0 || gen_chance (r, 5)))
    n++;
  for (unsigned i = 0; i < n; i++)
    if (i == 8)
      gen_put (t, value >> 56);
    else
      gen_put (t, (value >> 7 * i & 0x7f) | (i < n - 1) << 7);
}

void
gen_v7_async (struct gen_trace *t, struct gen_random *r)
{
  for (unsigned zeros = 5 + (gen_chance (r, 20) ? gen_below (r, 5) : 0);
       zeros > 0; zeros--)
    gen_put (t, 0);
  gen_put (t, 0x80);
}

/* IHI 0014 table 7-7, IHI 0035 table 4-6.  */
unsigned
gen_v7_exception_number (unsigned number)
{
  static const uint8_t numbers[] = {
    [GEN_EXC_CALL] = 10, [GEN_EXC_TRAP] = 9, [GEN_EXC_SYSTEM_ERROR] = 4,
    [GEN_EXC_FETCH_FAULT] = 11, [GEN_EXC_DATA_FAULT] = 12,
    [GEN_EXC_IRQ] = 14, [GEN_EXC_FIQ] = 15
  };
  return number == GEN_EXC_HALT ? 1 : numbers[number];
}
