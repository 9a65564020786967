/* Tarmac logs as recordings: accesses of the core, of others and of the bus.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-run.h"

/* Memory: short data, ports, hindsight byte by byte, other writers.  */
static void
test_memory (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 bf00 T16 NOP\n"
		 "1 ns MNW4___D 20000000 74\n"
		 "1 ns MNW1___D 20000009 55\n"
		 "2 ns IT (2) 00000102 bf00 T16 NOP\n"
		 "2 ns MNR4___D 20000008 11225544\n"
		 "2 ns MNW2___A 20000010 00001234\n"
		 "2 ns MNR4___I 00000104 bf00bf00\n"
		 "3 ns IT (3) 00000104 bf00 T16 NOP\n"
		 "3 ns MNR4___D 40000000 00000007\n"
		 "4 ns IT (4) 00000106 bf00 T16 NOP\n"
		 "4 ns MNW4___D 40000000 00000008\n"
		 "5 ns IT (5) 00000108 bf00 T16 NOP\n"
		 "5 ns MNR4___D 20000000 00000099\n"
		 "6 ns IT (6) 0000010a bf00 T16 NOP\n"
		 "6 ns BNR4O__I 0000010c bf00bf00\n"
		 "6 ns BNW4___S 20000000 00000001\n"))
    return;
  expect (&log, 0, "m:20000000=???????? m:20000008=44??2211");
  expect (&log, 1, "m:20000000=74000000 m:20000008=44552211 m:20000010=????");
  expect (&log, 2, "m:20000010=3412 m:20000000=??000000");
  /* A device's register was so when it was read, no sooner and no later.  */
  expect (&log, 1, "m:40000000=????????");
  expect (&log, 2, "m:40000000=07000000");
  expect (&log, 3, "m:40000000=????????");
  expect (&log, 4, "m:40000000=???????? m:20000000=99000000");
  /* What somebody else wrote on the bus is not what was there.  */
  expect (&log, 5, "m:20000000=99000000");
  expect (&log, 6, "m:20000000=??000000 m:10c=00bf00bf");
  CHECK_INT (log.session.streams[0].facts->totals.others, 1);
  /* What an instruction accesses, with its value; not the fetch, the debugger
     and the bus.  */
  struct tb_access_info a[4];
  CHECK_INT (tb_state_accesses (log.state, 1, a, 4), 1);
  CHECK_INT (a[0].address, 0x20000008);
  CHECK (!a[0].store && a[0].value_known && a[0].value == 0x11225544);
  CHECK_INT (tb_state_accesses (log.state, 3, a, 4), 1);
  CHECK (a[0].store && a[0].value_known && a[0].value == 8);
  CHECK_INT (tb_state_accesses (log.state, 5, a, 4), 0);
  close_log (&log);
}

/* Memory that was read, and that nobody wrote, was so from the start to the end, wherever it
   lies among other memory; what only the bus had is not taken for its neighbour.  */
static void
test_read_only (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 bf00 T16 NOP\n"
		 "1 ns MNW4___D 20001000 00000011\n"
		 "1 ns BNW4___S 20001800 00000044\n"
		 "2 ns IT (2) 00000102 bf00 T16 NOP\n"
		 "2 ns MNR4___D 20002000 55667788\n"
		 "3 ns IT (3) 00000104 bf00 T16 NOP\n"
		 "3 ns MNW4___D 20003000 00000033\n"
		 "3 ns MNR4___D 20004000 99aabbcc\n"
		 "4 ns IT (4) 00000106 bf00 T16 NOP\n"))
    return;
  for (unsigned step = 0; step <= 4; step++)
    {
      expect (&log, step, "m:20002000=88776655 m:20004000=ccbbaa99 m:20002008=????????");
      expect (&log, step, "m:20001800=????????");
    }
  expect (&log, 1, "m:20001000=11000000 m:20003000=????????");
  expect (&log, 3, "m:20001000=11000000 m:20003000=33000000");
  close_log (&log);
}

/* The bus: what contradicts it is not known behind it, what it repeats stays, and
   what it says is no memory of the core's.  */
static void
test_bus (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 bf00 T16 NOP\n"
		 "1 ns MNW4___D 20000000 00000011\n"
		 "1 ns BNW4___S 20000000 00000011\n"
		 "1 ns MNW4___D 20000008 00000033\n"
		 "2 ns IT (2) 00000102 bf00 T16 NOP\n"
		 "2 ns BNW4___S 20000004 00000022\n"
		 "2 ns BNW1___S 20000001 7f\n"
		 "3 ns IT (3) 00000104 bf00 T16 NOP\n"
		 "3 ns BNR4___S 20000008 00000034\n"
		 "4 ns IT (4) 00000106 bf00 T16 NOP\n"
		 "4 ns MNR4___D 20000004 00000022\n"
		 "4 ns MNR4___D 20000000 00007f11\n"
		 "5 ns IT (5) 00000108 bf00 T16 NOP\n"
		 "5 ns BNW4___S 20000000 xxxxxxxx\n"
		 "6 ns IT (6) 0000010a bf00 T16 NOP\n"))
    return;
  expect (&log, 0, "m:20000004=????????");
  expect (&log, 1, "m:20000000=11000000 m:20000008=33000000");
  expect (&log, 2, "m:20000000=11??0000 m:20000004=???????? m:20000008=??000000");
  expect (&log, 4, "m:20000000=117f0000 m:20000004=22000000 m:20000008=??000000");
  expect (&log, 5, "m:20000000=????????");
  close_log (&log);

  /* An access and its transfer: the instruction's is known all the same, unless the
     bus shows another value; what is read ahead is none.  */
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 7010 T16 STRB r0,[r2]\n"
		 "1 ns MNW1___D 00400000 74\n"
		 "1 ns BNW1___D 00400000 74\n"
		 "2 ns IT (2) 00000102 6018 T16 STR r0,[r3]\n"
		 "2 ns MNW4___D 203ffff8 00000000\n"
		 "2 ns BSW4_L_S 203ffff8 00000000\n"
		 "3 ns IT (3) 00000104 6018 T16 STR r0,[r3]\n"
		 "3 ns MNW4___D 203ffff8 00000001\n"
		 "3 ns BNW4___S 203ffff8 00000002\n"
		 "4 ns IT (4) 00000106 6818 T16 LDR r0,[r3]\n"
		 "4 ns MNR4___D 203ffff4 00000005\n"
		 "4 ns MNR2__SD 203fffe0 1234\n"
		 "5 ns IT (5) 00000108 bf00 T16 NOP\n"))
    return;
  struct tb_access_info a[4];
  static const struct { uint64_t address, value; bool known; } want[] = {
    { 0x400000, 0x74, true }, { 0x203ffff8, 0, true },
    { 0x203ffff8, 0, false }, { 0x203ffff4, 5, true }
  };
  for (unsigned i = 0; i < 4; i++)
    {
      CHECK_INT (tb_state_accesses (log.state, i, a, 4), 1);
      CHECK_INT (a[0].address, want[i].address);
      CHECK_INT (a[0].store, i < 3);
      CHECK_INT (a[0].value_known, want[i].known);
      CHECK (!want[i].known || a[0].value == want[i].value);
    }
  expect (&log, 2, "m:400000=74 m:203ffff8=00000000");
  expect (&log, 3, "m:203fffe0=3412");
  close_log (&log);
}

/* A byte that is read first tells what was there before, unless something wrote
   it: never a whole word.  */
static void
test_hindsight (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 clk cpu0 IT (1) 1000 d503201f O EL1h_n : NOP\n"
		 "1 clk cpu0 MW1 00002001 aa\n"
		 "2 clk cpu0 IT (2) 1004 d503201f O EL1h_n : NOP\n"
		 "2 clk cpu0 MR8 00002000 00000000_0000aabb\n"
		 "3 clk cpu0 IT (3) 1008 d503201f O EL1h_n : NOP\n"
		 "3 clk cpu0 MR16 00003000 11111111_22222222_33333333_44444444\n"
		 "4 clk cpu0 IT (4) 100c d503201f O EL1h_n : NOP\n"
		 "4 clk cpu0 MR4 00004000 00000000 (ABORTED)\n"))
    return;
  expect (&log, 0, "m:2000=bb??000000000000 m:3000=44444444333333332222222211111111"
	  " m:4000=????????");
  expect (&log, 1, "m:2000=bbaa000000000000");
  expect (&log, 4, "m:4000=????????");
  close_log (&log);
}

/* A store at an instruction that only loads is not believed.  */
static void
test_store_at_load (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (800:1) 00000800 6008 T16 STR r0,[r1]\n"
		 "1 ns MNW4___D 20000000 00000011\n"
		 "2 ns IT (802:2) 00000802 6808 T16 LDR r0,[r1]\n"
		 "2 ns MNW4___D 20000000 efbeefbe\n"
		 "3 ns IT (804:3) 00000804 6808 T16 LDR r0,[r1]\n"
		 "3 ns MNW4___D 20000010 efbeefbe\n"
		 "4 ns IT (806:4) 00000806 46c0 T16 NOP\n"))
    return;
  expect (&log, 1, "m:20000000=11000000");
  expect (&log, 2, "m:20000000=????????");
  expect (&log, 3, "m:20000010=????????");
  struct tb_access_info a[4];
  CHECK (tb_state_accesses (log.state, 1, a, 4) == 0 || !a[0].store);
  const char *first = strstr (tree.said, "log:4: a line \"MNW4___D\" says");
  CHECK (first != NULL && strstr (first + 8, "a line \"MN") == NULL);
  close_log (&log);
}

/* Data whose bytes are in the order of addresses, where registers tell so.  */
static void
test_order (void)
{
  struct log log;
  static const char reversed[] =
    "0 ns R MSP 00204800\n0 ns R r4 00000001\n0 ns R LR 00000009\n"
    "1 ns IT (10a:1) 0000010a b510 T16 push {r4, lr}\n"
    "2 ns MNW4___D 002047f8 01000000\n3 ns MNW4___D 002047fc 09000000\n"
    "3 ns R MSP 002047f8\n"
    "4 ns IT (10c:2) 0000010c 6808 T16 LDR r0,[r1]\n"
    "4 ns MNR4___D 20000000 78563412\n4 ns R r0 12345678\n"
    "5 ns IT (10e:3) 0000010e 8808 T16 LDRH r0,[r1]\n"
    "5 ns MNR2___D 20000010 3412\n5 ns R r0 00001234\n"
    "6 ns IT (110:4) 00000110 bf00 T16 NOP\n"
    "6 ns BNW4___S 20000020 78563412\n";
  if (!open_log (&log, reversed))
    return;
  expect (&log, 4, "m:2047f8=0100000009000000 m:20000000=78563412 m:20000010=3412 "
		   "r0=1234");
  CHECK (strstr (tree.said, "in the order of addresses") != NULL);
  close_log (&log);
  /* One number among them: all are.  */
  char text[2048];
  snprintf (text, sizeof text, "%s%s", reversed,
	    "7 ns IT (112:5) 00000112 6810 T16 LDR r0,[r2]\n"
	    "7 ns MNR4___D 20000030 11223344\n7 ns R r0 11223344\n"
	    "8 ns IT (114:6) 00000114 bf00 T16 NOP\n");
  if (!open_log (&log, text))
    return;
  CHECK (strstr (tree.said, "in the order of addresses") == NULL);
  expect (&log, 5, "m:20000030=44332211 m:2047f8=0000000100000009");
  close_log (&log);
  /* Bytes and what reads alike both ways say nothing.  */
  if (!open_log (&log,
		 "1 ns IT (10c:1) 0000010c 6808 T16 LDR r0,[r1]\n"
		 "1 ns MNR4___D 20000000 12343412\n1 ns R r0 12343412\n"
		 "2 ns IT (10e:2) 0000010e 7808 T16 LDRB r0,[r1]\n"
		 "2 ns MNR1___D 20000010 34\n2 ns R r0 00000034\n"
		 "3 ns IT (110:3) 00000110 6808 T16 LDR r0,[r1]\n"
		 "3 ns MNR4___D 20000014 00000001\n"
		 "4 ns IT (112:4) 00000112 bf00 T16 NOP\n"))
    return;
  CHECK (strstr (tree.said, "in the order of addresses") == NULL);
  expect (&log, 3, "m:20000000=12343412 m:20000014=01000000");
  close_log (&log);
}

/* What the letters of a transfer say: its size, of which at most 32 bits are written
   out, whether it is locked, or ahead of what runs, or a fetch.  */
static void
test_letters (void)
{
  static const struct { const char *line, *want; unsigned accesses; } rows[] = {
    { "MNW8___D 20000000 11223344", "m:20000000=44332211????????", 1 },
    { "MSW2_L_D 20000002 1122", "m:20000000=aaaa2211aaaaaaaa", 1 },
    { "MNR8___D 20000000 aaaaaaaa", "m:20000000=aaaaaaaaaaaaaaaa", 1 },
    { "MNR4__SD 20000000 aaaaaaaa", "m:20000000=aaaaaaaaaaaaaaaa", 0 },
    { "MNR4O__D 20000000 aaaaaaaa", "m:20000000=aaaaaaaaaaaaaaaa", 0 },
    /* Perhaps it was not made.  */
    { "MNW4__SD 20000000 11223344", "m:20000000=????????aaaaaaaa", 1 },
    { "BNW4__SD 20000000 11223344", "m:20000000=????????aaaaaaaa", 0 },
    { "BNW4__SI 20000010 11223344", "m:20000000=aaaaaaaaaaaaaaaa", 0 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[400];
      struct log log;
      struct tb_access_info a[4];
      snprintf (text, sizeof text,
		"1 ns IT (1) 00000100 46c0 T16 NOP\n"
		"1 ns MNW4___D 20000000 aaaaaaaa\n1 ns MNW4___D 20000004 aaaaaaaa\n"
		"2 ns IT (2) 00000102 46c0 T16 NOP\n2 ns %s\n"
		"3 ns IT (3) 00000104 46c0 T16 NOP\n", rows[i].line);
      if (!open_log (&log, text))
	return;
      if (!expect (&log, 2, rows[i].want)
	  || !CHECK_INT (tb_state_accesses (log.state, 1, a, 4), rows[i].accesses))
	fprintf (stderr, "  %s\n", rows[i].line);
      close_log (&log);
    }
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_memory, test_read_only, test_bus, test_hindsight, test_store_at_load, test_order,
    test_letters
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
