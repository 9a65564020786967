/* Which halfwords of memory are of breakpoints that debuggers make.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdio.h>

#include "check.h"
#include "recording/breakpoints.h"

static const struct
{
  const char *name;
  uint8_t bytes[4];
  unsigned at;			/* The address that BYTES begin at.  */
  bool want[2];			/* Of the halfwords.  */
} rows[] =
{
  { "T32 bkpt; nop", { 0x00, 0xbe, 0x00, 0xbf }, 0, { true, false } },
  { "T32 nop; bkpt", { 0x00, 0xbf, 0x11, 0xbe }, 0, { false, true } },
  { "T32 udf #1, as under Linux", { 0x01, 0xde, 0x00, 0xbf }, 0, { true, false } },
  { "T32 bne", { 0x01, 0xd1, 0x00, 0xbf }, 0, { false, false } },
  { "T32 hlt #0", { 0x80, 0xba, 0x00, 0xbf }, 0, { true, false } },
  { "T32 revsh", { 0xc0, 0xba, 0x00, 0xbf }, 0, { false, false } },
  { "T32 udf.w, as under Linux", { 0xf0, 0xf7, 0x00, 0xa0 }, 0, { true, true } },
  { "T32 udf.w, not aligned", { 0xf0, 0xf7, 0x00, 0xa0 }, 2, { true, true } },
  { "T32 bl", { 0xf0, 0xf7, 0x00, 0xf8 }, 0, { false, false } },
  { "A32 bkpt", { 0x70, 0x00, 0x20, 0xe1 }, 0, { true, true } },
  { "A32 bkpt, not aligned", { 0x70, 0x00, 0x20, 0xe1 }, 2, { false, false } },
  { "A32 hlt", { 0x70, 0x00, 0x00, 0xe1 }, 0, { true, true } },
  { "A32 udf, as under Linux", { 0xf0, 0x01, 0xf0, 0xe7 }, 0, { true, true } },
  { "A32 hvc", { 0x70, 0x00, 0x40, 0xe1 }, 0, { false, false } },
  { "A64 brk", { 0x00, 0x00, 0x20, 0xd4 }, 0, { true, true } },
  { "A64 hlt", { 0x60, 0x01, 0x40, 0xd4 }, 0, { true, true } },
  { "A64 svc", { 0x01, 0x00, 0x00, 0xd4 }, 0, { false, false } },
  { "zeros", { 0, 0, 0, 0 }, 0, { false, false } }
};

int
main (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned half = 0; half < 2; half++)
      {
	/* Neither byte is read that is not there.  */
	uint64_t at = rows[i].at + 2 * half;
	if (!CHECK_INT (tb_is_breakpoint (rows[i].bytes + 2 * half, at, 2 * half,
					  4 - 2 * half), rows[i].want[half]))
	  fprintf (stderr, "%s: halfword %u\n", rows[i].name, half);
      }
  /* Half of one.  */
  const uint8_t half[2] = { 0xf0, 0xf7 };
  CHECK (!tb_is_breakpoint (half, 0, 0, 2));
  return check_done ();
}
