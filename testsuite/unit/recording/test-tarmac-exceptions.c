/* Tarmac logs as recordings: exceptions, their entries and returns, whether lines
   tell of them or not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-run.h"
#include "state/evidence/log.h"

/* Execution goes on where the last instruction does not lead, and no line says why: with
   serial numbers in order it was an exception, else something ran in between.  */
static void
test_jump_without_line (void)
{
  static const struct
  {
    const char *code;		/* At 800.  */
    int serial;			/* Of the next instruction.  */
    bool exception;
  } cases[] = {
    { "46c0 T16 NOP", 1, true }, { "e7fe T16 B 0x800", 1, true },
    { "46c0 T16 NOP", 5, false }
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct log log;
      char text[512];
      snprintf (text, sizeof text,
		"0 ns R r13 20001000\n0 ns R r14 00000123\n0 ns R r0 00000005\n"
		"0 ns R xpsr 01000000\n"
		"1 ns IT (800:0) 00000800 %s\n"
		"3 ns IT (900:%d) 00000900 46c0 T16 NOP\n"
		"4 ns IT (902:%d) 00000902 e7fe T16 B 0x902\n",
		cases[i].code, cases[i].serial, cases[i].serial + 1);
      if (!open_log (&log, text))
	return;
      expect (&log, 0, "sp=20001000 lr=123 xpsr=1000000 r0=5");
      expect (&log, 1, cases[i].exception ? "sp=? lr=? xpsr=? r0=5"
					  : "sp=? lr=? xpsr=? r0=?");
      /* Else it is a gap.  */
      CHECK_STR (exceptions (&log), cases[i].exception ? "-1@1" : "0@1");
      const char *said = strstr (tree.said, "log:5: behind this instruction");
      CHECK ((said != NULL) == cases[i].exception);
      close_log (&log);
    }
  struct log log;
  /* The instruction before such a place need not have its own lines, either.  */
  if (!open_log (&log,
		 "0 ns R xpsr 01000000\n0 ns R r1 00000002\n0 ns R r4 00000004\n"
		 "1 ns IT (800:0) 00000800 6841 T16 LDR r1,[r0,#4]\n"
		 "3 ns IT (900:1) 00000900 46c0 T16 NOP\n"))
    return;
  expect (&log, 0, "r1=2 r4=4");
  expect (&log, 1, "r1=? r4=4");
  close_log (&log);
  if (!open_log (&log,
		 "0 clk cpu0 R X30 0000000000000123\n0 clk cpu0 R X0 5\n"
		 "0 clk cpu0 R SP_EL1 0000000000001000\n0 clk cpu0 R cpsr 00000005\n"
		 "1 clk cpu0 IT (1) 1000 d503201f O EL1h_n : NOP\n"
		 "2 clk cpu0 IT (2) 2280 d503201f O EL1h_n : NOP\n"))
    return;
  expect (&log, 0, "x0=5 x30=123 cpsr=5");
  expect (&log, 1, "x0=5 x30=123 cpsr=?");
  CHECK (strstr (tree.said, "taken for exceptions") != NULL);
  close_log (&log);
}

/* What a core writes at an exception is not known where the log has no lines for it;
   where it has some, what has none is as it was.  */
static void
test_entry_without_lines (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		 "0 ns R MSP 20001000\n"
		 "0 ns R PSP 20002000\n"
		 "0 ns R r14 00000123\n"
		 "0 ns R r7 00000007\n"
		 "0 ns R psr 61000000\n"
		 "0 ns R control 00000000\n"
		 "1 ns IT (802:2) 00000802 6808 T16 LDR r0,[r1]\n"
		 "2 ns E HardFault\n"
		 "3 ns IT (900:3) 00000900 46c0 T16 NOP\n"
		 "4 ns IT (902:4) 00000902 46c0 T16 NOP\n"))
    return;
  expect (&log, 1, "sp=20001000 lr=123 xpsr=61000000 control=0");
  expect (&log, 2, "sp=? msp=? psp=20002000 lr=? xpsr=? control=? r7=7");
  expect (&log, 3, "sp=? lr=?");
  CHECK_STR (exceptions (&log), "3@2");
  struct tb_value values[TB_NREGS_MAX];
  tb_state_registers (log.state, 3, values);
  CHECK_INT (values[TB_PSR].mask & 0x1ff, 0x1ff);
  CHECK_INT (values[TB_PSR].bits & 0x1ff, 3);
  close_log (&log);

  /* A handler behind another: SP and LR stay, xPSR tells that lines tell.  */
  if (!open_log (&log,
		 "0 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		 "0 ns R MSP 20001000\n"
		 "0 ns R psr 61000000\n"
		 "1 ns E SysTick\n"
		 "1 ns R MSP 20000fe0\n"
		 "1 ns R r14 fffffff9\n"
		 "1 ns R psr 6100000f\n"
		 "2 ns IT (900:2) 00000900 4770 T16 BX lr\n"
		 "3 ns E IRQ1\n"
		 "3 ns R psr 61000011\n"
		 "4 ns IT (a00:3) 00000a00 46c0 T16 NOP\n"
		 "5 ns IT (a02:4) 00000a02 46c0 T16 NOP\n"))
    return;
  expect (&log, 1, "sp=20000fe0 lr=fffffff9 xpsr=6100000f");
  expect (&log, 2, "sp=20000fe0 lr=fffffff9 xpsr=61000011");
  CHECK_STR (exceptions (&log), "15@1 17@2t");
  close_log (&log);

  if (!open_log (&log,
		 "1 clk IT (1) 8010 d503201f O EL1h_n : NOP\n"
		 "1 clk R cpsr 80000305\n"
		 "1 clk R X30 0000000000008004\n"
		 "2 clk E 00008014 0000008d CoreEvent_CURRENT_SPx_IRQ\n"
		 "3 clk IT (2) 10280 d503201f O EL1h_n : NOP\n"
		 "4 clk IT (3) 10284 d69f03e0 O EL1h_n : ERET\n"
		 "5 clk IT (4) 8014 d503201f O EL1h_n : NOP\n"))
    return;
  expect (&log, 0, "x30=?");
  expect (&log, 1, "x30=8004 cpsr=?");
  tb_state_registers (log.state, 1, values);
  CHECK_INT (values[TB_PSTATE].mask & TB_PSR_NZCV, TB_PSR_NZCV);
  CHECK_INT (values[TB_PSTATE].mask & 0x3cf, 0);
  tb_state_registers (log.state, 3, values);
  CHECK_INT (values[TB_PSTATE].mask & TB_PSR_NZCV, 0);
  struct tb_event event;
  CHECK_INT (tb_recording_events (log.recording, 1, 1, &event, 1), 1);
  CHECK_INT (event.address, 0x8014);
  CHECK_INT (event.flags & TB_EXCEPTION_NO_RETURN, 0);
  close_log (&log);
}

/* The same of a return from an exception: the frame has other values.  */
static void
test_return_without_lines (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		 "0 ns R MSP 20001000\n"
		 "0 ns R r4 00000004\n"
		 "1 ns E SysTick\n"
		 "2 ns IT (900:2) 00000900 2005 T16 MOVS r0,#5\n"
		 "2 ns R r0 00000005\n"
		 "2 ns R r14 fffffff9\n"
		 "2 ns R r12 0000000c\n"
		 "2 ns R psr 0100000f\n"
		 "2 ns R MSP 20000fe0\n"
		 "3 ns IT (902:3) 00000902 4770 T16 BX lr\n"
		 "4 ns IT (802:4) 00000802 46c0 T16 NOP\n"
		 "5 ns IT (804:5) 00000804 46c0 T16 NOP\n"))
    return;
  expect (&log, 2, "r0=5 r12=c lr=fffffff9 sp=20000fe0 xpsr=100000f r4=4");
  expect (&log, 3, "r0=? r12=? lr=? sp=? xpsr=? r4=4");
  CHECK_STR (exceptions (&log), "15@1 rfffffff9>802@3");
  close_log (&log);

  /* A function's return is none.  */
  if (!open_log (&log,
		 "0 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		 "0 ns R psr 0100000f\n"
		 "0 ns R r0 00000005\n"
		 "0 ns R MSP 20000fe0\n"
		 "1 ns IT (802:2) 00000802 bd00 T16 POP {pc}\n"
		 "1 ns MNR4___D 20000fe0 00000901\n"
		 "1 ns R MSP 20000fe4\n"
		 "2 ns IT (900:3) 00000900 46c0 T16 NOP\n"
		 "3 ns IT (902:4) 00000902 46c0 T16 NOP\n"))
    return;
  expect (&log, 2, "r0=5 sp=20000fe4 xpsr=100000f");
  close_log (&log);
}

/* Entries with the frames that they store, and returns by the value that went to the
   PC, from one handler to another as well.  */
static void
test_frames (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		 "0 ns R MSP 20001000\n"
		 "0 ns R psr 61000000\n"
		 "1 ns E SysTick\n"
		 "1 ns MNW4___D 20000fe0 00000000\n"
		 "1 ns MNW4___D 20000fe4 00000001\n"
		 "1 ns MNW4___D 20000fe8 00000002\n"
		 "1 ns MNW4___D 20000fec 00000003\n"
		 "1 ns MNW4___D 20000ff0 0000000c\n"
		 "1 ns MNW4___D 20000ff4 00000123\n"
		 "1 ns MNW4___D 20000ff8 00000802\n"
		 "1 ns MNW4___D 20000ffc 61000000\n"
		 "1 ns R MSP 20000fe0\n"
		 "1 ns R r14 fffffff9\n"
		 "1 ns R psr 6100000f\n"
		 "2 ns IT (900:2) 00000900 b500 T16 PUSH {lr}\n"
		 "2 ns MNW4___D 20000fdc fffffff9\n"
		 "2 ns R MSP 20000fdc\n"
		 "3 ns IT (902:3) 00000902 bd00 T16 POP {pc}\n"
		 "3 ns MNR4___D 20000fdc fffffff9\n"
		 "3 ns R MSP 20001000\n"
		 "3 ns R psr 61000000\n"
		 "4 ns IT (802:4) 00000802 46c0 T16 NOP\n"
		 "5 ns IT (804:5) 00000804 46c0 T16 NOP\n"))
    return;
  CHECK_STR (exceptions (&log), "15<802@1 rfffffff9>802@3");
  expect (&log, 3, "sp=20001000 xpsr=61000000 pc=802");
  close_log (&log);

  /* By the numbers in xPSR alone.  */
  if (!open_log (&log,
		 "0 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		 "0 ns R psr 61000010\n"
		 "1 ns E SysTick\n"
		 "1 ns R psr 6100000f\n"
		 "2 ns IT (900:2) 00000900 4770 T16 BX lr\n"
		 "2 ns R psr 61000010\n"
		 "3 ns IT (802:3) 00000802 4770 T16 BX lr\n"
		 "3 ns R psr 61000000\n"
		 "4 ns IT (700:4) 00000700 46c0 T16 NOP\n"))
    return;
  CHECK_STR (exceptions (&log), "15@1 r0>802@2 r0>700@3");
  close_log (&log);
}

/* What was fetched with an error, or with the T bit clear, was not done: it is no step
   but an exception, whose event may follow.  */
static void
test_not_done (void)
{
  struct log log;
  if (!open_log (&log,
		 "10 ns IT (800:1) 00000800 2001 T16 MOVS r0,#1\n"
		 "10 ns R r0 00000001\n"
		 "20 ns IE (802:2) 00000802 2002 T16 MOVS r0,#2\n"
		 "30 ns IT (804:3) 00000804 46c0 T16 NOP\n"
		 "40 ns IA (806:4) 00000806 2005 X   ???\n"
		 "40 ns E UsageFault\n"
		 "50 ns IT (900:5) 00000900 46c0 T16 NOP\n"
		 "60 ns IF (902:6) 00000902 46c0 T16 NOP\n"
		 "70 ns IT (904:7) 00000904 46c0 T16 NOP\n"))
    return;
  CHECK_STR (pcs (&log), "800 804 900 902 904");
  CHECK_STR (exceptions (&log), "-1<802@1 6<806@2");
  expect (&log, 1, "r0=1");
  expect (&log, 4, "r0=1");
  CHECK_INT (log.session.streams[0].facts->totals.faulted, 2);
  CHECK_INT (bad_lines (&log), 0);
  close_log (&log);
  /* What the instruction before wrote is no line of the entry.  */
  if (!open_log (&log,
		 "1 ns R VTOR 00000000\n1 ns MNW4___D 20000000 00000001\n"
		 "10 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		 "10 ns R psr 61000014\n10 ns R r14 fffffff9\n"
		 "40 ns IT (802:2) 00000802 1c49 T16 ADDS r1,r1,#1\n"
		 "40 ns R r1 00000005\n40 ns R psr 21000014\n"
		 "50 ns IE (804:3) 00000804 6808 T16 LDR r0,[r1,#0]\n"
		 "60 ns IT (a00:3) 00000a00 46c0 T16 NOP\n"))
    return;
  expect (&log, 1, "lr=fffffff9 xpsr=61000014");
  expect (&log, 2, "lr=? xpsr=? r1=5 m:50=????????");
  close_log (&log);
}

/* Behind a reset no register is known until a line tells of it.  */
static void
test_reset (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 ns R r7 00000007\n"
		 "0 ns E Reset\n"
		 "1 ns IT (800:1) 00000800 2001 T16 MOVS r0,#1\n"
		 "1 ns R r0 00000001\n"
		 "1 ns R MSP 20001000\n"
		 "1 ns MNW4___D 20000000 00000001\n"
		 "2 ns E Reset\n"
		 "2 ns R MSP 20002000\n"
		 "3 ns IT (900:2) 00000900 46c0 T16 NOP\n"
		 "4 ns IT (902:3) 00000902 46c0 T16 NOP\n"))
    return;
  expect (&log, 0, "r7=7");
  expect (&log, 1, "r0=? r7=? sp=20002000 m:20000000=????????");
  expect (&log, 2, "r0=? sp=20002000");
  CHECK_STR (exceptions (&log), "1@1");
  close_log (&log);
}

/* Events by all of their names; one of an unknown name is an exception if execution
   goes on elsewhere, and said once.  */
static void
test_event_names (void)
{
  static const struct
  {
    const char *name, *jump, *none;
    bool said;
  } rows[] = {
    { "HardFault", "3@1", "3@1", false }, { "SVCall", "11@1", "11@1", false },
    { "IRQ", "-1@1", "-1@1", false }, { "IRQ3", "19@1", "19@1", false },
    { "ExtInt 3", "19@1", "19@1", false },
    { "INTISR[4]", "20@1", "20@1", false },
    { "Exc 15", "15@1", "15@1", false },
    { "Undefined Instruction", "-1@1", "-1@1", false },
    { "Lockup", "-1@1", "-1@1", false },
    { "NMI", "2@1", "2@1", false }, { "MemManage", "4@1", "4@1", false },
    { "MemManage Fault", "4@1", "4@1", false }, { "BusFault", "5@1", "5@1", false },
    { "UsageFault", "6@1", "6@1", false }, { "SecureFault", "7@1", "7@1", false },
    { "SVC", "11@1", "11@1", false }, { "DebugMonitor", "12@1", "12@1", false },
    { "DebugMon", "12@1", "12@1", false }, { "PendSV", "14@1", "14@1", false },
    { "SysTick", "15@1", "15@1", false }, { "FIQ", "-1@1", "-1@1", false },
    { "Interrupt", "-1@1", "-1@1", false },
    { "External Interrupt", "-1@1", "-1@1", false },
    { "ExtInt", "-1@1", "-1@1", false }, { "Exc", "-1@1", "-1@1", false },
    { "Exception", "-1@1", "-1@1", false }, { "Undef", "-1@1", "-1@1", false },
    { "Prefetch Abort", "-1@1", "-1@1", false },
    { "Data Abort", "-1@1", "-1@1", false }, { "Abort", "-1@1", "-1@1", false },
    { "SError", "-1@1", "-1@1", false }, { "HVC", "-1@1", "-1@1", false },
    { "SMC", "-1@1", "-1@1", false }, { "Interrupt 3", "19@1", "19@1", false },
    { "External Interrupt 3", "19@1", "19@1", false },
    { "Int 3", "19@1", "19@1", false }, { "Exception 15", "15@1", "15@1", false },
    { "Frobnication", "-1@1", "", true },
    { "Reset", "1@1", "1@1", false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned jumps = 0; jumps < 2; jumps++)
      {
	char text[400];
	struct log log;
	snprintf (text, sizeof text,
		  "10 ns IT (800:1) 00000800 46c0 T16 NOP\n"
		  "10 ns R r14 00000123\n"
		  "20 ns E %s\n"
		  "30 ns IT (900:2) %08x 46c0 T16 NOP\n"
		  "40 ns IT (902:3) %08x 46c0 T16 NOP\n",
		  rows[i].name, jumps ? 0x900 : 0x802, jumps ? 0x902 : 0x804);
	if (!open_log (&log, text))
	  return;
	const char *want = jumps ? rows[i].jump : rows[i].none;
	if (!CHECK_STR (exceptions (&log), want)
	    || !CHECK ((strstr (tree.said, "is of no kind that is known") != NULL)
		       == (jumps && rows[i].said)))
	  fprintf (stderr, "  event %s: %s\n", rows[i].name, tree.said);
	expect (&log, 1, *want != 0 ? "lr=?" : "lr=123");
	close_log (&log);
      }
  struct log log;
  if (!open_log (&log,
		 "10 ns IT (1) 00000800 46c0 T16 NOP\n"
		 "20 ns E Frob\n"
		 "30 ns IT (2) 00000900 46c0 T16 NOP\n"
		 "40 ns E Frob\n"
		 "50 ns IT (3) 00000a00 46c0 T16 NOP\n"))
    return;
  CHECK_STR (exceptions (&log), "-1@1 -1@2");
  const char *first = strstr (tree.said, "log:2: event \"Frob\" is of no kind");
  CHECK (first != NULL && strstr (first + 8, "event \"Frob") == NULL);
  close_log (&log);
}

/* Exceptions of the A profile by the names and vectors that logs have.  */
static void
test_a_events (void)
{
  static const struct { const char *line; int number; } rows[] = {
    { "2 clk E 00008004 0000008d CoreEvent_CURRENT_SPx_IRQ", 0x85 },
    { "2 clk E 00008004 00000084 CoreEvent_CURRENT_SPx_SYNC", 0x84 },
    { "2 clk E 00008004 00000001 CoreEvent_LOWER_32_SERROR", 0x8f },
    { "2 clk E 00008004 00000099 CoreEvent_LOWER_64_FIQ", 0x8a },
    { "2 clk E 00008004 00000006 CoreEvent_IRQ", 6 },
    { "EXC [0x200] Synchronous Current EL with SP_ELx", 0x84 },
    { "EXC [0x480] IRQ Lower EL using AArch64", 0x89 },
    { "EXC IRQ Current EL with SP_EL0", 0x81 },
    { "EXC [0x18] IRQ", 0x46 }, { "EXC [0x10] whatever", 0x44 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[400], want[40];
      struct log log;
      snprintf (text, sizeof text,
		"1 clk IT (1) 00008000 d503201f O EL1h_n : NOP\n%s\n"
		"3 clk IT (2) 00000280 d503201f O EL1h_n : NOP\n"
		"4 clk IT (3) 00000284 d503201f O EL1h_n : NOP\n", rows[i].line);
      snprintf (want, sizeof want, rows[i].line[0] == '2' ? "%d<8004@1" : "%d@1",
		rows[i].number);
      if (!open_log (&log, text))
	return;
      if (!CHECK_STR (exceptions (&log), want))
	fprintf (stderr, "  %s\n", rows[i].line);
      close_log (&log);
    }
}

/* A change of mode that a model tells of is no exception.  */
static void
test_mode_change (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 clk R X30 0000000000000123\n"
		 "1 clk IT (1) 00008000 d503201f O EL1h_n : NOP\n"
		 "2 clk E 00008004 EL1h 00000019 CoreEvent_ModeChange\n"
		 "3 clk IT (2) 00008004 d503201f O EL1h_n : NOP\n"
		 "4 clk IT (3) 00008008 d503201f O EL1h_n : NOP\n"))
    return;
  CHECK_STR (exceptions (&log), "");
  expect (&log, 1, "x30=123");
  close_log (&log);
}

/* Cycle models tell a vector in brackets; where the name is of the M profile alone, that is
   the number there.  */
static void
test_vectors_of_m (void)
{
  static const struct { const char *event, *want; } rows[] = {
    { "EXC [0xf] SysTick", "15@1" }, { "EXC [0x3] HardFault", "3@1" },
    { "EXC [0x2c] SVCall", "11@1" }, { "EXC [14] PendSV", "14@1" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[400];
      struct log log;
      snprintf (text, sizeof text,
		"10 ns ES (00001000:46c0) T thread : NOP\n10 ns %s\n"
		"15 ns ES (00001100:46c0) T handler : NOP\n"
		"16 ns ES (00001102:46c0) T handler : NOP\n", rows[i].event);
      if (!open_log (&log, text))
	return;
      CHECK_STR (exceptions (&log), rows[i].want);
      CHECK (tb_recording_profile (log.recording)->is_m);
      close_log (&log);
    }
}

/* In which mode a log ends: that of its last instruction, where that cannot leave it.  */
static void
test_mode_at_end (void)
{
  static const struct { const char *code; bool known; } rows[] = {
    { "d503201f O EL1h_n : NOP", true },
    { "d5033fdf O EL1h_n : ISB", true },
    { "8b010000 O EL1h_n : ADD x0,x0,x1", true },
    { "d5184100 O EL1h_n : MSR SP_EL0,x0", false },
    { "d4000001 O EL0t_n : SVC #0", false },
    { "d69f03e0 O EL1h_n : ERET", false },
    { "e1a00000 A svc_s : MOV r0,r0", true },
    { "ef000000 A usr_s : SVC #0", false },
    { "e129f000 A svc_s : MSR CPSR_fc,r0", false },
    { "f10e0000 A svc_s : CPS", false },
    { "f8bd0a00 A svc_s : RFE sp!", false },
    { "e8fd8000 A svc_s : LDM sp!,{pc}^", false },
    { "e1b0f00e A svc_s : MOVS pc,lr", false },
    { "bf00 T svc_s : NOP", true },
    { "df00 T usr_s : SVC #0", false },
    { "f3808100 T svc_s : MSR CPSR_c,r0", false },
    { "e9bdc000 T svc_s : RFEIA sp!", false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[200], room[TB_STATE_LOG_MODE];
      const char *mode = NULL;
      struct log log;
      snprintf (text, sizeof text, "1 clk IT (1) 00001000 %s\n", rows[i].code);
      if (!open_log (&log, text))
	return;
      bool known = tb_state_log_end_mode (log.session.streams[0].facts, &mode, room);
      if (!CHECK_INT (known, rows[i].known))
	fprintf (stderr, "  %s\n", rows[i].code);
      close_log (&log);
    }
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_jump_without_line, test_entry_without_lines, test_return_without_lines,
    test_frames, test_not_done, test_reset, test_event_names, test_a_events,
    test_mode_change, test_vectors_of_m, test_mode_at_end
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
