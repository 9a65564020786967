/* Tarmac logs as recordings: the vector table of the M profile, from the handlers that
   exceptions reached.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-run.h"

/* The vector table is what the handlers that exceptions reached say, where a line tells
   where it is: VTOR, an access to it, or the fetch of a reset.  */
static void
test_vector_table (void)
{
  static const char begin[] =
    "10 ns IT (800:1) 00000800 46c0 T16 NOP\n"
    "10 ns R psr 61000000\n10 ns R MSP 20001000\n"
    "11 ns MNW4___D 20000000 00000001\n";
  static const char entry[] =
    "20 ns E SysTick\n"
    "20 ns MNW4___D 20000ffc 61000000\n"
    "20 ns R MSP 20000fe0\n20 ns R r14 fffffff9\n20 ns R psr 6100000f\n";
  static const char handler[] =
    "30 ns IT (900:2) 00000900 46c0 T16 NOP\n"
    "40 ns IT (902:3) 00000902 46c0 T16 NOP\n";
  static const char rest[] = "50 ns MNW4___D 2000003c 00000a01\n"
			     "60 ns IT (904:4) 00000904 46c0 T16 NOP\n";
  static const char fetch[] =
    "1 ns BNR4___I 00000000 20001000\n1 ns BNR4___I 00000004 00000801\n"
    "2 ns E Reset\n";
  static const struct
  {
    const char *before, *middle, *entry;
    const char *want;		/* Before step 1; ...  */
    const char *later;		/* ... before step 3.  */
  } rows[] = {
    { "", "", entry, "m:3c=???????? m:2000003c=????????", "" },
    { "5 ns R VTOR 00000000\n", "", entry, "m:3c=01090000", "" },
    { "5 ns MNR4___D e000ed08 00000000\n", "", entry, "m:3c=01090000", "" },
    { fetch, "", entry, "m:3c=01090000 m:4=01080000", "" },
    /* Another start: it is not what was fetched there.  */
    { "1 ns BNR4___I 00000000 20001000\n1 ns BNR4___I 00000004 00000811\n", "",
      entry, "m:3c=????????", "" },
    { fetch, "15 ns MNW4___D e000ed08 20000000\n", entry,
      "m:3c=???????? m:2000003c=01090000", "m:2000003c=010a0000" },
    { fetch, "15 ns MNW4___D e000ed08 xxxxxxxx\n", entry, "m:3c=????????", "" },
    { fetch, "15 ns MNW1___D e000ed09 20\n", entry, "m:3c=????????", "" },
    { fetch, "15 ns MNW4___D oops\n", entry, "m:3c=????????", "" },
    { fetch, "15 ns E DebugEvent_HaltingDebugState\n", entry, "m:3c=????????", "" },
    { fetch, "15 ns R MSP_NS 20003000\n", entry, "m:3c=????????", "" },
    /* No line of the PSR: the jump tells; two events and faults do not.  */
    { fetch, "", "20 ns E SysTick\n20 ns R r14 fffffff9\n", "m:3c=01090000", "" },
    /* The entry is not known to be one of a core without security states.  */
    { fetch, "", "20 ns E SysTick\n", "m:3c=????????", "" },
    { fetch, "", "20 ns E SysTick\n20 ns R r14 ffffffb8\n", "m:3c=????????", "" },
    { fetch, "", "20 ns E SysTick\n20 ns R r14 fffffff8\n", "m:3c=????????", "" },
    { fetch, "", "20 ns E SysTick\n20 ns R r14 00000801\n", "m:3c=????????", "" },
    /* One word alone is no fetch of a reset; a table is not around the end.  */
    { "1 ns BNR4___I 00000004 00000801\n2 ns E Reset\n", "", entry, "m:3c=????????", "" },
    { "5 ns R VTOR ffffff80\n", "", "20 ns E IRQ24\n20 ns R r14 fffffff9\n",
      "m:20=????????", "" },
    { fetch, "", "20 ns E SysTick\n20 ns E IRQ1\n", "m:3c=???????? m:44=????????",
      "" },
    { fetch, "", "20 ns E UsageFault\n", "m:18=????????", "" },
    /* Its number tells which of those of no known number it was; or another one.  */
    { fetch, "", "20 ns E IRQ\n20 ns R r14 fffffff9\n20 ns R psr 61000012\n",
      "m:48=01090000", "" },
    { fetch, "", "20 ns E SysTick\n20 ns R psr 61000003\n",
      "m:3c=???????? m:c=????????", "" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[2048];
      struct log log;
      snprintf (text, sizeof text, "%s%s%s%s%s%s", rows[i].before, begin,
		rows[i].middle, rows[i].entry, handler, rest);
      if (!open_log (&log, text))
	return;
      bool ok = expect (&log, 1, rows[i].want);
      ok &= *rows[i].later == 0 || expect (&log, 3, rows[i].later);
      if (!ok)
	fprintf (stderr, "  in row %zu\n", i);
      close_log (&log);
    }
  struct log log;
  char text[1024];
  /* An event alone, where the instruction goes on as usual, and missing lines.  */
  static const char *const others[] = {
    "20 ns E SysTick\n30 ns IT (802:2) 00000802 46c0 T16 NOP\n",
    "20 ns E SysTick\n30 ns IT (900:9) 00000900 46c0 T16 NOP\n"
  };
  for (size_t i = 0; i < 2; i++)
    {
      snprintf (text, sizeof text, "%s%s%s", fetch, begin, others[i]);
      if (!open_log (&log, text))
	return;
      expect (&log, 1, "m:3c=????????");
      close_log (&log);
    }
  /* A line told of another handler: neither is believed.  */
  snprintf (text, sizeof text, "%s%s15 ns MNW4___D 0000003c 00000a01\n%s%s", fetch, begin,
	    entry, handler);
  if (!open_log (&log, text))
    return;
  expect (&log, 1, "m:3c=????????");
  close_log (&log);
  /* It may change where the log tells of no stores.  */
  for (unsigned ram = 0; ram < 2; ram++)
    {
      snprintf (text, sizeof text,
		"5 ns R VTOR %s\n10 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		"20 ns E SysTick\n20 ns R r14 fffffff9\n20 ns R psr 6100000f\n%s",
		ram ? "20000000" : "00000000", handler);
      if (!open_log (&log, text))
	return;
      expect (&log, 1, ram ? "m:2000003c=????????" : "m:3c=????????");
      close_log (&log);
    }
}

int
main (void)
{
  static void (*const tests[]) (void) = { test_vector_table };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
