/* The state of logs: what is derived of their steps beside what their lines tell.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-text.h"
#include "state/effect.h"
#include "state/explain/why.h"

/* Forward by what instructions do; backward through what can be inverted, and from what
   was stored.  */
static void
test_derived (void)
{
  expect_all ("1 ns IT (1) 00000100 2105 T16 MOVS r1,#5\n"
	      "2 ns IT (2) 00000102 1c8b T16 ADDS r3,r1,#2\n"
	      "3 ns IT (3) 00000104 1d20 T16 ADDS r0,r4,#4\n"
	      "3 ns R r0 00000104\n"
	      "4 ns IT (4) 00000106 603d T16 STR r5,[r7]\n"
	      "4 ns MNW4___D 20000010 00000077\n"
	      "5 ns IT (5) 00000108 bf00 T16 NOP\n",
	      "0: r1=? r3=? r4=100* r5=77* r7=20000010*\n"
	      "1: r1=5* r3=? z=0 n=0\n"
	      "2: r1=5* r3=7* r0=?\n"
	      "3: r0=104 r3=7* r4=100* r5=77*\n"
	      "5: r0=104 r1=5* r3=7* r5=77*\n");
  /* A64 and A32.  */
  expect_all ("1 clk cpu0 IT (1) 1000 91001021 O EL1h_n : ADD x1,x1,#4\n"
	      "2 clk cpu0 IT (2) 1004 aa0103e2 O EL1h_n : MOV x2,x1\n"
	      "2 clk cpu0 R X2 0000000500000010\n"
	      "3 clk cpu0 IT (3) 1008 f9000064 O EL1h_n : STR x4,[x3]\n"
	      "3 clk cpu0 MW8 00002000 00000001_00000002\n"
	      "4 clk cpu0 IT (4) 100c b4000045 O EL1h_n : CBZ x5,0x1014\n"
	      "5 clk cpu0 IT (5) 1014 d503201f O EL1h_n : NOP\n",
	      "0: x1=50000000c* x3=2000* x4=100000002* x5=0*\n"
	      "1: x1=500000010* x2=?\n2: x1=500000010* x2=500000010\n");
  expect_all ("1 clk cpu0 IT (1) 00001000 e2811004 A svc : ADD r1,r1,#4\n"
	      "2 clk cpu0 IT (2) 00001004 e1a02001 A svc : MOV r2,r1\n"
	      "2 clk cpu0 R r2 00000010\n"
	      "3 clk cpu0 IS (3) 00001008 03a03001 A svc : MOVEQ r3,#1\n"
	      "4 clk cpu0 IT (4) 0000100c 13a04001 A svc : MOVNE r4,#1\n"
	      "5 clk cpu0 IT (5) 00001010 e320f000 A svc : NOP\n",
	      "0: r1=c* z=0 r4=?\n1: r1=10*\n3: z=0 r3=? r4=?\n4: r4=1*\n");
}

/* The frame of an exception tells what was in registers, and the return brings them
   back.  */
static const char exception[]
  = "1 ns IT (1) 00000100 bf00 T16 NOP\n"
    "1 ns R MSP 20001000\n"
    "1 ns R xPSR 01000000\n"
    "2 ns IT (2) 00000102 df00 T16 SVC #0\n"
    "3 ns E SVCall\n"
    "3 ns MNW4___D 20000fe0 00000001\n3 ns MNW4___D 20000fe4 00000002\n"
    "3 ns MNW4___D 20000fe8 00000003\n3 ns MNW4___D 20000fec 00000004\n"
    "3 ns MNW4___D 20000ff0 0000000c\n3 ns MNW4___D 20000ff4 00000ff1\n"
    "3 ns MNW4___D 20000ff8 00000104\n3 ns MNW4___D 20000ffc 01000000\n"
    "3 ns R MSP 20000fe0\n3 ns R r14 fffffff9\n3 ns R xPSR 0100000b\n"
    "4 ns IT (3) 00000200 2409 T16 MOVS r4,#9\n"
    "5 ns IT (4) 00000202 4770 T16 BX lr\n"
    "5 ns R MSP 20001000\n5 ns R r14 00000ff1\n5 ns R xPSR 01000000\n"
    "6 ns IT (5) 00000104 bf00 T16 NOP\n"
    "7 ns IT (6) 00000106 6005 T16 STR r5,[r0]\n"
    "7 ns MNW4___D 00000001 00000055\n"
    "8 ns IT (7) 00000108 bf00 T16 NOP\n";

static void
test_exception (void)
{
  expect_all (exception,
	      "0: r0=1* r1=2* r3=4* r5=55* r12=c* lr=ff1*\n"
	      "1: r0=1* r12=c* lr=ff1* sp=20001000\n"
	      "2: r4=? r5=55* lr=fffffff9 sp=20000fe0\n"
	      "3: r4=9* r5=55*\n"
	      "4: r0=1* r12=c* lr=ff1 r4=9* sp=20001000 r5=55*\n");
}

/* General registers of which no line tells go through exceptions, but not through what
   the log does not show: there may be more in between.  */
static void
test_through (void)
{
  static const char text[] = "0 clk cpu0 R cpsr 00000005\n"
			     "1 clk cpu0 IT (1) 1000 d503201f O EL1h_n : NOP\n"
			     "1 clk cpu0 R X0 0000000000000001\n%s"
			     "2 clk cpu0 IT (%d) 2280 f9000064 O EL1h_n : STR x4,[x3]\n"
			     "2 clk cpu0 MW8 00002000 00000001_00000002\n"
			     "3 clk cpu0 IT (9) 2284 d503201f O EL1h_n : NOP\n";
  static const struct { const char *between, *want; int serial; } cases[] = {
    { "1 clk cpu0 E 00001004 00000018 CoreEvent_IRQ\n"
      "1 clk cpu0 R cpsr 000003c5\n", "0: x3=2000* x4=100000002*\n", 2 },
    { "1 clk cpu0 R cpsr 000003c5\n", "0: x3=2000* x4=100000002*\n", 2 },
    { "1 clk cpu0 E 00001004 00000018 CoreEvent_IRQ\n"
      "1 clk cpu0 R X4 0000000100000002\n", "0: x3=2000* x4=?\n", 2 },
    { "", "0: x3=? x4=?\n1: x3=2000*\n", 8 }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      char whole[1024];
      snprintf (whole, sizeof whole, text, cases[i].between,
		cases[i].serial);
      expect_all (whole, cases[i].want);
    }
}

/* A task with a stack of its own.  */
static void
test_task (void)
{
  expect_all ("1 ns IT (1) 00000100 bf00 T16 NOP\n"
	      "1 ns R MSP 20002000\n1 ns R PSP 20001000\n1 ns R CONTROL 00000002\n"
	      "1 ns R xPSR 01000000\n"
	      "2 ns IT (2) 00000102 df00 T16 SVC #0\n"
	      "3 ns E SVCall\n"
	      "3 ns MNW4___D 20000fe0 00000001\n3 ns MNW4___D 20000fe4 00000002\n"
	      "3 ns MNW4___D 20000fe8 00000003\n3 ns MNW4___D 20000fec 00000004\n"
	      "3 ns MNW4___D 20000ff0 0000000c\n3 ns MNW4___D 20000ff4 00000ff1\n"
	      "3 ns MNW4___D 20000ff8 00000104\n3 ns MNW4___D 20000ffc 01000000\n"
	      "3 ns R PSP 20000fe0\n3 ns R r14 fffffffd\n3 ns R xPSR 0100000b\n"
	      "4 ns IT (3) 00000200 b510 T16 PUSH {r4,lr}\n"
	      "4 ns MNW4___D 20001ff8 00000044\n4 ns MNW4___D 20001ffc fffffffd\n"
	      "4 ns R MSP 20001ff8\n"
	      "5 ns IT (4) 00000202 bd10 T16 POP {r4,pc}\n"
	      "5 ns MNR4___D 20001ff8 00000044\n5 ns MNR4___D 20001ffc fffffffd\n"
	      "5 ns R MSP 20002000\n5 ns R PSP 20001000\n5 ns R r14 00000ff1\n"
	      "5 ns R xPSR 01000000\n"
	      "6 ns IT (5) 00000104 bf00 T16 NOP\n"
	      "7 ns IT (6) 00000106 6005 T16 STR r5,[r0]\n"
	      "7 ns MNW4___D 00000001 00000055\n"
	      "8 ns IT (7) 00000108 bf00 T16 NOP\n",
	      "0: r0=1* r4=44* r5=55* r12=c* lr=ff1*\n"
	      "1: sp=20001000 msp=20002000 psp=20001000 r4=44*\n"
	      "2: sp=20002000 msp=20002000 psp=20000fe0 lr=fffffffd r5=55*\n"
	      "3: sp=20001ff8\n"
	      "4: r0=1* r12=c* sp=20001000 psp=20001000 r4=44* r5=55*\n");
}

/* An exception of which there is no line: what the branch went to is not where it
   would have gone.  */
static void
test_no_line (void)
{
  expect_all ("1 ns IT (1) 00000100 bf00 T16 NOP\n"
	      "1 ns R xPSR 01000000\n"
	      "2 ns IT (2) 00000102 4718 T16 BX r3\n"
	      "2 ns R xPSR 0100000f\n"
	      "3 ns IT (3) 00000200 2409 T16 MOVS r4,#9\n"
	      "4 ns IT (4) 00000202 bf00 T16 NOP\n",
	      "0: r3=?\n1: r3=?\n2: r3=?\n");
  expect_all ("1 clk cpu0 IT (1) 1000 d503201f O EL1h_n : NOP\n"
	      "1 clk cpu0 R cpsr 00000005\n"
	      "2 clk cpu0 IT (2) 1004 d61f0060 O EL1h_n : BR x3\n"
	      "2 clk cpu0 R cpsr 000003c5\n"
	      "3 clk cpu0 IT (3) 2280 d503201f O EL1h_n : NOP\n",
	      "0: x3=?\n1: x3=?\n2: x3=?\n");
  /* But so it is.  */
  expect_all ("1 ns IT (1) 00000100 bf00 T16 NOP\n"
	      "1 ns R xPSR 01000000\n"
	      "2 ns IT (2) 00000102 4718 T16 BX r3\n"
	      "3 ns IT (3) 00000200 bf00 T16 NOP\n",
	      "0: r3=201*\n2: r3=201*\n");
}

/* What the host, or a debugger, writes.  */
static void
test_others (void)
{
  expect_all ("1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n"
	      "1 ns R r0 00000001\n"
	      "2 ns IT (2) 00000102 beab T16 BKPT #0xab\n"
	      "2 ns R r0 00000063\n"
	      "3 ns IT (3) 00000104 1c01 T16 MOVS r1,r0\n"
	      "4 ns IT (4) 00000106 bf00 T16 NOP\n",
	      "1: r0=1\n2: r0=63\n3: r0=63 r1=63*\n");
}

/* A register that is written without a line is as it was, as far as that can be.  */
static void
test_lines (void)
{
  struct log log;
  const char *text = "1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n"
		     "1 ns R r0 00000001\n"
		     "2 ns IT (2) 00000102 6808 T16 LDR r0,[r1]\n"
		     "3 ns IT (3) 00000104 3002 T16 ADDS r0,#2\n"
		     "3 ns R r0 00000003\n"
		     "4 ns IT (4) 00000106 bf00 T16 NOP\n";
  expect_all (text, "1: r0=1\n2: r0=1\n3: r0=3\n");
  /* Here it cannot: it was loaded anew.  */
  char other[512];
  snprintf (other, sizeof other, "%s", text);
  strstr (other, "00000003\n4")[7] = '9';
  if (!open_text (&log, other))
    return;
  CHECK (strstr (tree.said, "has no lines for registers") != NULL);
  expect_values (&log, 1, "r0=1", true);
  expect_values (&log, 2, "r0=7*", true);
  expect_values (&log, 3, "r0=9", true);
  close_log (&log);
}

/* What its instructions access and write is told of a log without lines of memory.  */
static void
test_answers (void)
{
  struct log log;
  struct tb_access_info access[4];
  struct tb_effect effect;
  if (!open_text (&log, "1 ns IT (1) 00000100 2110 T16 MOVS r1,#0x10\n"
		 "1 ns R r1 00000010\n"
		 "2 ns IT (2) 00000102 6848 T16 LDR r0,[r1,#4]\n"
		 "2 ns R r0 00000007\n"
		 "3 ns IT (3) 00000104 6008 T16 STR r0,[r1]\n"
		 "4 ns IT (4) 00000106 bf00 T16 NOP\n"))
    return;
  CHECK_INT (tb_state_accesses (log.state, log.first, access, 4), 0);
  CHECK_INT (tb_state_accesses (log.state, log.first + 1, access, 4), 1);
  CHECK (!access[0].store && access[0].address_known && access[0].value_known);
  CHECK_INT (access[0].address, 0x14);
  CHECK_INT (access[0].value, 7);
  CHECK_INT (tb_state_accesses (log.state, log.first + 2, access, 4), 1);
  CHECK (access[0].store && access[0].address_known && access[0].value_known);
  CHECK_INT (access[0].address, 0x10);
  CHECK_INT (access[0].value, 7);
  CHECK (tb_state_effect (log.state, log.first + 1, &effect));
  CHECK_INT (effect.reads, 1 << 1);
  CHECK_INT (effect.writes, 1 << 0);
  CHECK (tb_state_effect (log.state, log.first + 2, &effect));
  CHECK_INT (effect.reads, 1 << 0 | 1 << 1);
  CHECK_INT (effect.writes | effect.may_write, 0);
  CHECK (tb_state_analysed (log.state, log.first + 2));
  CHECK (!tb_state_effect (log.state, log.first + 4, &effect));
  CHECK (!tb_state_analysed (log.state, log.first + 4));
  close_log (&log);
  /* Of which nothing follows from the instructions.  */
  if (!open_text (&log, "1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n"
		 "1 ns R r0 00000002\n"
		 "2 ns IT (2) 00000102 6008 T16 STR r0,[r1]\n"
		 "3 ns IT (3) 00000104 bf00 T16 NOP\n"))
    return;
  CHECK (strstr (tree.said, "contradicts what its instructions do") != NULL);
  CHECK (!tb_state_analysed (log.state, log.first + 1));
  CHECK_INT (tb_state_accesses (log.state, log.first + 1, access, 4), 0);
  close_log (&log);
}

/* An instruction that an exception returns to was given up, or may have been: what it
   would have written is not known.  */
static void
test_given_up (void)
{
  static const char before[] = "1 ns IT (1) 00000100 2405 T16 MOVS r4,#5\n"
			       "1 ns R MSP 20001000\n1 ns R xPSR 01000000\n"
			       "2 ns IT (2) 00000102 1c64 T16 ADDS r4,r4,#1\n%s";
  static const struct { const char *behind, *want; } cases[] = {
    { "3 ns E SysTick\n"
      "3 ns MNW4___D 20000fe0 00000001\n3 ns MNW4___D 20000fe4 00000002\n"
      "3 ns MNW4___D 20000fe8 00000003\n3 ns MNW4___D 20000fec 00000004\n"
      "3 ns MNW4___D 20000ff0 0000000c\n3 ns MNW4___D 20000ff4 00000ff1\n"
      "3 ns MNW4___D 20000ff8 00000102\n3 ns MNW4___D 20000ffc 01000000\n"
      "3 ns R MSP 20000fe0\n3 ns R r14 fffffff9\n3 ns R xPSR 0100000f\n"
      "4 ns IT (3) 00000200 bf00 T16 NOP\n"
      "5 ns IT (4) 00000202 bf00 T16 NOP\n", "1: r4=5*\n2: r4=?\n3: r4=?\n" },
    { "4 ns IT (3) 00000104 bf00 T16 NOP\n"
      "5 ns IT (4) 00000106 bf00 T16 NOP\n", "1: r4=5*\n2: r4=6*\n3: r4=6*\n" }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      char text[1024];
      snprintf (text, sizeof text, before, cases[i].behind);
      expect_all (text, cases[i].want);
    }
}

/* Where it comes from.  */
static void
test_why (void)
{
  struct log log;
  struct tb_why items[8];
  const struct tb_why_query r4 = { .kind = TB_WHY_REGISTER, .number = 4 };
  const struct tb_why_query r0 = { .kind = TB_WHY_REGISTER, .number = 0 };
  if (!open_text (&log, "1 ns IT (1) 00000100 1d20 T16 ADDS r0,r4,#4\n"
		 "1 ns R r0 00000104\n"
		 "2 ns IT (2) 00000102 bf00 T16 NOP\n"))
    return;
  CHECK_INT (tb_state_why (log.state, log.first + 1, &r0, items, 8), 1);
  CHECK_INT (items[0].rule, TB_WHY_LOG);
  CHECK_INT (items[0].step, log.first);
  CHECK (tb_state_why (log.state, log.first, &r4, items, 8) > 1);
  CHECK (items[0].known);
  CHECK_INT (items[0].value, 0x100);
  close_log (&log);
}

/* A snapshot beside its log: its halt state counts where the log ends at the halt, and
   code that is not that of the log shows that it is of something else.  */
static void
test_snapshot (void)
{
  static const char text[] = "1 ns IT (1) 00000100 bf00 T16 NOP\n"
			     "2 ns IT (2) 00000102 3901 T16 SUBS r1,#1\n"
			     "3 ns IT (3) 00000104 bf00 T16 NOP\n";
  static const struct
  {
    const char *pc, *input, *want;
  } cases[] = {
    { "0x106", "tarmac.log", "r1=12* r9=99*" }, { "0x106", ".", "r1=12* r9=99*" },
    { "0x106", "other.log", "r1=? r9=?" }, { "0x108", "tarmac.log", "r1=? r9=?" }
  };
  tree_write (&tree, "tarmac.log", text);
  tree_write (&tree, "other.log", text);
  tree_write (&tree, "snapshot.ini", "[snapshot]\nversion=1.0\n\n"
	      "[device_list]\ndevice0=core.ini\n");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct log log;
      char core[512];
      snprintf (core, sizeof core, "[device]\nname=core\nclass=core\n"
		"type=Cortex-M0\n\n[regs]\nR1=0x11\nR9=0x99\nPC=%s\n",
		cases[i].pc);
      tree_write (&tree, "core.ini", core);
      if (!open_input (&log, cases[i].input))
	return;
      expect_values (&log, 0, cases[i].want, true);
      close_log (&log);
    }
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_derived,
    test_exception,
    test_through,
    test_task,
    test_no_line,
    test_others,
    test_lines,
    test_answers,
    test_given_up,
    test_why,
    test_snapshot
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
