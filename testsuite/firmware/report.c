/* Text lines for the outside world.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "report.h"

static void
put_char (struct report *report, char c)
{
  uint32_t used = report->used;
  report->text[used] = c;
  used++;
  report->used = used < sizeof report->text ? used : 0;
}

static void
put_number (struct report *report, int value)
{
  static const uint16_t powers[] = { 10000, 1000, 100, 10, 1 };
  int started = 0;
  if (value < 0)
    {
      put_char (report, '-');
      value = -value;
    }
  for (unsigned i = 0; i < sizeof powers / sizeof powers[0]; i++)
    {
      char digit = '0';
      while (value >= powers[i])
	{
	  value -= powers[i];
	  digit++;
	}
      started |= digit != '0' || powers[i] == 1;
      if (started)
	put_char (report, digit);
    }
}

void
report_start (struct report *report, unsigned count)
{
  put_char (report, '0' + count);
  put_char (report, ':');
  put_char (report, '\n');
}

void
report_sample (struct report *report, unsigned channel, int value)
{
  put_char (report, 'A' + (channel & 15));
  put_char (report, '=');
  put_number (report, value);
  put_char (report, '\n');
  report->lines++;
}
