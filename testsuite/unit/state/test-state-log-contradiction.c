/* The state of logs where what instructions do and what lines tell do not fit: what is
   said, what is shown, and what is no contradiction.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-text.h"

/* Was it said of STEP, in line LINE of the log, that WHAT?  */
static void
expect_said (uint64_t step, unsigned line, const char *what)
{
  char want[1400];
  snprintf (want, sizeof want, "  Behind step %" PRIu64 " (%s:%u): %s by the instruction.",
	    step, tree_path (&tree, "log"), line, what);
  if (!CHECK (strstr (tree.said, want) != NULL))
    fprintf (stderr, "  expected \"%s\", got \"%s\"\n", want, tree.said);
}

/* Lines that contradict what instructions do: they are shown, nothing else is.  */
static void
test_contradiction (void)
{
  struct log log;
  if (!open_text (&log, "1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n"
		 "1 ns R r0 00000002\n"
		 "2 ns IT (2) 00000102 2105 T16 MOVS r1,#5\n"
		 "3 ns IT (3) 00000104 bf00 T16 NOP\n"))
    return;
  CHECK (strstr (tree.said, "contradicts what its instructions do.") != NULL);
  expect_said (1, 2, "r0 is 0x2 by the log, 0x1");
  CHECK_INT (tree.diag.warnings, 1);
  expect_values (&log, 1, "r0=2", true);
  expect_values (&log, 2, "r0=2 r1=?", true);
  close_log (&log);
  if (!open_text (&log, "1 clk cpu0 IT (1) 1000 d2800020 O EL1h_n : MOV x0,#1\n"
		 "1 clk cpu0 R X0 0000000000000001\n"
		 "2 clk cpu0 IT (2) 1004 91000800 O EL1h_n : ADD x0,x0,#2\n"
		 "2 clk cpu0 R X0 0000000100000003\n"
		 "3 clk cpu0 IT (3) 1008 d503201f O EL1h_n : NOP\n"))
    return;
  expect_said (1, 3, "x0 is 0x100000003 by the log, 0x3");
  expect_values (&log, 2, "x0=100000003", true);
  close_log (&log);
}

/* The step that is named is the first that cannot be so, not one of which too little is
   known: what it reads, or what it does.  */
static void
test_contradiction_place (void)
{
  static const struct { const char *before; } cases[] = {
    { "1 ns IT (1) 00000100 1c81 T16 ADDS r1,r0,#2\n1 ns R r1 00000007\n" },
    { "1 ns IT (1) 00000100 bf00 T16 NOP\n1 ns R xPSR 01000000\n" },
    { "1 ns IT (1) 00000100 1c89 T16 ADDS r1,r1,#2\n1 ns R r1 00000007\n" }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct log log;
      char text[512];
      snprintf (text, sizeof text, "%s"
		"2 ns IT (2) 00000102 f3ef8210 T32 MRS r2,PRIMASK\n"
		"2 ns R r2 00000001\n"
		"3 ns IT (3) 00000106 2301 T16 MOVS r3,#1\n3 ns R r3 00000002\n"
		"4 ns IT (4) 00000108 bf00 T16 NOP\n", cases[i].before);
      if (!open_text (&log, text))
	return;
      expect_said (3, 6, "r3 is 0x2 by the log, 0x1");
      close_log (&log);
    }
}

/* So is a load that gives another value than its line of memory tells.  */
static void
test_contradiction_load (void)
{
  static const struct { const char *text; unsigned step, line; const char *said; } cases[] = {
    { "1 ns IT (1) 00000100 2110 T16 MOVS r1,#0x10\n1 ns R r1 00000010\n"
      "2 ns IT (2) 00000102 2207 T16 MOVS r2,#7\n2 ns R r2 00000007\n"
      "3 ns IT (3) 00000104 600a T16 STR r2,[r1]\n3 ns MNW4___D 00000010 00000007\n"
      "4 ns IT (4) 00000106 684b T16 LDR r3,[r1,#4]\n4 ns MNR4___D 00000014 00000055\n"
      "4 ns R r3 00000056\n"
      "5 ns IT (5) 00000108 bf00 T16 NOP\n",
      4, 8, "r3 is 0x56 by the log, 0x55" },
    { "1 clk cpu0 IT (1) 1000 d2840001 O EL1h_n : MOV x1,#0x2000\n"
      "1 clk cpu0 R X1 0000000000002000\n"
      "2 clk cpu0 IT (2) 1004 d28000e2 O EL1h_n : MOV x2,#7\n"
      "2 clk cpu0 R X2 0000000000000007\n"
      "3 clk cpu0 IT (3) 1008 f9000022 O EL1h_n : STR x2,[x1]\n"
      "3 clk cpu0 MW8 00002000 00000000_00000007\n"
      "4 clk cpu0 IT (4) 100c f9400423 O EL1h_n : LDR x3,[x1,#8]\n"
      "4 clk cpu0 MR8 00002008 00000001_00000055\n"
      "4 clk cpu0 R X3 0000000100000056\n"
      "5 clk cpu0 IT (5) 1010 d503201f O EL1h_n : NOP\n",
      3, 7, "x3 is 0x100000056 by the log, 0x100000055" },
    /* A store, wherever it goes, whose line shows another value than its register's.  */
    { "1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n1 ns R r0 00000001\n"
      "2 ns IT (2) 00000102 7010 T16 STRB r0,[r2]\n2 ns MNW1___D 20000000 74\n"
      "3 ns IT (3) 00000104 bf00 T16 NOP\n",
      2, 4, "what is stored at 0x20000000 is 0x74 by the log, 0x1" },
    { "1 clk cpu0 IT (1) 1000 d28000e2 O EL1h_n : MOV x2,#7\n"
      "1 clk cpu0 R X2 0000000000000007\n"
      "2 clk cpu0 IT (2) 1004 a9000823 O EL1h_n : STP x3,x2,[x1]\n"
      "2 clk cpu0 MW8 00002000 00000000_00000007\n"
      "2 clk cpu0 MW8 00002008 00000000_00000008\n"
      "3 clk cpu0 IT (3) 1008 d503201f O EL1h_n : NOP\n",
      1, 3, "what is stored at 0x2008 is 0x8 by the log, 0x7" }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct log log;
      if (!open_text (&log, cases[i].text))
	return;
      expect_said (cases[i].step, cases[i].line, cases[i].said);
      close_log (&log);
    }
}

/* Of such a log a line's value holds up to what may write the register, and no further:
   an instruction without a line, or an event.  */
static void
test_doubted_lines (void)
{
  struct log log;
  if (!open_text (&log, "1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n"
		 "1 ns R r0 00000002\n1 ns R r5 00000055\n1 ns R MSP 20001000\n"
		 "1 ns R r14 00000ff1\n1 ns R xPSR 01000000\n"
		 "2 ns IT (2) 00000102 2105 T16 MOVS r1,#5\n"
		 "2 ns R r1 00000005\n2 ns R xPSR 21000000\n"
		 "3 ns IT (3) 00000104 460a T16 MOV r2,r1\n"
		 "4 ns IT (4) 00000106 2106 T16 MOVS r1,#6\n"
		 "5 ns IT (5) 00000108 b510 T16 PUSH {r4,lr}\n"
		 "6 ns IT (6) 0000010a df00 T16 SVC #0\n"
		 "6 ns R r1 00000007\n"
		 "7 ns IT (7) 0000010c bf00 T16 NOP\n"
		 "7 ns E SVCall\n"
		 "8 ns IT (8) 00000200 bf00 T16 NOP\n"))
    return;
  CHECK (strstr (tree.said, "contradicts what its instructions do") != NULL);
  expect_values (&log, 1, "r0=2 r1=? r5=55 sp=20001000 msp=20001000 lr=ff1 c=0", true);
  expect_values (&log, 2, "r0=2 r1=5 r5=55 c=1 xpsr=21000000", true);
  expect_values (&log, 3, "r0=2 r1=5 r2=? c=1 sp=20001000", true);
  expect_values (&log, 4, "r0=2 r1=? r5=55 c=? sp=20001000", true);
  expect_values (&log, 5, "r0=2 r5=55 sp=? msp=? lr=ff1", true);
  expect_values (&log, 6, "r0=2 r1=7 r5=55 sp=?", true);
  expect_values (&log, 8, "r0=? r1=? r5=55 sp=? lr=?", true);
  close_log (&log);
  /* A64, a pair of lanes.  */
  if (!open_text (&log, "1 clk cpu0 IT (1) 1000 d2800020 O EL1h_n : MOV x0,#1\n"
		 "1 clk cpu0 R X0 0000000100000003\n"
		 "1 clk cpu0 R X1 0000000700000009\n"
		 "2 clk cpu0 IT (2) 1004 d503201f O EL1h_n : NOP\n"
		 "3 clk cpu0 IT (3) 1008 91000420 O EL1h_n : ADD x0,x1,#1\n"
		 "4 clk cpu0 IT (4) 100c d503201f O EL1h_n : NOP\n"
		 "4 clk cpu0 R X0 000000010000000a\n"
		 "5 clk cpu0 IT (5) 1010 d503201f O EL1h_n : NOP\n"))
    return;
  CHECK (strstr (tree.said, "contradicts what its instructions do") != NULL);
  expect_values (&log, 2, "x0=100000003 x1=700000009", true);
  expect_values (&log, 3, "x0=? x1=700000009", true);
  expect_values (&log, 4, "x0=10000000a x1=700000009", true);
  close_log (&log);
}

/* A snapshot of one core that stands beside its log, tarmac.log.  */
static void
write_snapshot (const char *log, const char *core)
{
  tree_write (&tree, "snapshot.ini", "[snapshot]\nversion=1.0\n\n"
	      "[device_list]\ndevice0=core.ini\n");
  tree_write (&tree, "tarmac.log", log);
  tree_write (&tree, "core.ini", core);
}

/* A log that lacks lines is relied on less; what else is given up then is told, too, once
   each.  */
static void
test_given_up_later (void)
{
  struct log log;
  write_snapshot ("1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n1 ns R r0 00000001\n"
		  "2 ns IT (2) 00000102 2007 T16 MOVS r0,#7\n"
		  "3 ns IT (3) 00000104 2505 T16 MOVS r5,#5\n3 ns R r5 00000005\n"
		  "4 ns IT (4) 00000106 bf00 T16 NOP\n",
		  "[device]\nname=core\nclass=core\n"
		  "type=Cortex-M0\n\n[regs]\nR5=0x6\nR9=0x99\nPC=0x108\n");
  if (!open_input (&log, "tarmac.log"))
    return;
  expect_values (&log, 3, "r0=7* r5=5 r9=?", true);
  CHECK_INT (tree.diag.warnings, 2);
  CHECK (strstr (tree.said, "has no lines for registers") != NULL);
  if (!CHECK (strstr (tree.said, "at the halt contradict the trace") != NULL))
    fprintf (stderr, "  got \"%s\"\n", tree.said);
  close_log (&log);
}

/* The last lines of a log that was cut off are no contradiction.  */
static void
test_cut (void)
{
  expect_all ("1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n"
	      "1 ns R r0 00000001\n"
	      "2 ns IT (2) 00000102 2002 T16 MOVS r0,#2\n",
	      "1: r0=1\n2: r0=2*\n");
  /* Nor is a return of which the last step is not there.  */
  expect_all ("1 ns IT (1) 00000100 bf00 T16 NOP\n"
	      "1 ns R MSP 20000fd8\n1 ns R xPSR 0100000b\n"
	      "2 ns IT (2) 00000102 bd08 T16 POP {r3,pc}\n"
	      "2 ns R MSP 20001000\n2 ns R r14 00000ff1\n"
	      "2 ns R xPSR 01000000\n",
	      "1: sp=20000fd8\n2: sp=20001000\n");
}

/* Somebody else writes RAM, as loads show: they are no contradiction.  */
static void
test_dma (void)
{
  struct log log;
  write_snapshot ("1 ns IT (1) 00000100 6808 T16 LDR r0,[r1]\n"
		  "1 ns MNR4___D 20000000 00000001\n1 ns R r0 00000001\n"
		  "2 ns IT (2) 00000102 6808 T16 LDR r0,[r1]\n"
		  "2 ns MNR4___D 20000000 00000002\n2 ns R r0 00000002\n"
		  "3 ns IT (3) 00000104 680a T16 LDR r2,[r1]\n"
		  "4 ns IT (4) 00000106 bf00 T16 NOP\n",
		  "[device]\nname=core\nclass=core\n"
		  "type=Cortex-M0\n\n[regs]\nPC=0x108\n\n"
		  "[dump0]\nfile=ram.bin\naddress=0x20000000\nlength=16\n");
  tree_write_bytes (&tree, "ram.bin", "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  if (!open_input (&log, "tarmac.log"))
    return;
  CHECK_INT (tree.diag.warnings, 0);
  expect_values (&log, 0, "r1=20000000*", true);
  expect_values (&log, 3, "r0=2 r2=?", true);
  close_log (&log);
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_contradiction,
    test_contradiction_place,
    test_contradiction_load,
    test_doubted_lines,
    test_given_up_later,
    test_cut,
    test_dma
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
