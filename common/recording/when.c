/* Between which two times something was.  See when.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/when.h"

#include <inttypes.h>

#include "util/wide.h"

static void
put_time (struct tb_buffer *text, uint64_t time, uint64_t frequency)
{
  if (frequency == 0)
    {
      tb_buffer_printf (text, "0x%" PRIx64, time);
      return;
    }
  /* The part of a second is below one, so that its nanoseconds always fit.  */
  uint64_t nanoseconds = 0;
  tb_wide_divide (tb_wide_product (time % frequency, 1000000000), frequency,
		  &nanoseconds);
  tb_buffer_printf (text, "%" PRIu64 ".%09" PRIu64 "s", time / frequency,
		    nanoseconds);
}

void
tb_when_text (struct tb_buffer *text, const struct tb_when *when,
	      uint64_t frequency)
{
  if (!when->from && !when->to)
    return;
  if (!when->from || !when->to)
    tb_buffer_printf (text, when->from ? ">=" : "<=");
  put_time (text, when->from ? when->earliest : when->latest, frequency);
  if (when->from && when->to && when->earliest != when->latest)
    {
      tb_buffer_printf (text, "-");
      put_time (text, when->latest, frequency);
    }
}
