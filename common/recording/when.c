/* Between which two times something was.  See when.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/when.h"

#include <inttypes.h>

#include "util/wide.h"

/* Its nanoseconds.  */
#define SECOND UINT64_C (1000000000)

/* UP: of a time between two nanoseconds tell the later one, so that what is no later than
   TIME is no later than what is told.  */
static void
put_time (struct tb_buffer *text, uint64_t time, uint64_t frequency, bool up)
{
  if (frequency == 0)
    {
      tb_buffer_printf (text, "0x%" PRIx64, time);
      return;
    }
  /* The part of a second is below one, so that its nanoseconds always fit.  */
  uint64_t seconds = time / frequency, nanoseconds = 0;
  struct tb_u128 parts = tb_wide_product (time % frequency, SECOND);
  if (up)
    parts = tb_wide_add (parts, (struct tb_u128) { 0, frequency - 1 });
  tb_wide_divide (parts, frequency, &nanoseconds);
  seconds += nanoseconds / SECOND;
  nanoseconds %= SECOND;
  tb_buffer_printf (text, "%" PRIu64 ".%09" PRIu64 "s", seconds, nanoseconds);
}

void
tb_when_text (struct tb_buffer *text, const struct tb_when *when,
	      uint64_t frequency)
{
  if (!when->from && !when->to)
    return;
  if (!when->from || !when->to)
    tb_buffer_printf (text, when->from ? ">=" : "<=");
  put_time (text, when->from ? when->earliest : when->latest, frequency,
	    !when->from);
  if (when->from && when->to && when->earliest != when->latest)
    {
      tb_buffer_printf (text, "-");
      put_time (text, when->latest, frequency, true);
    }
}
