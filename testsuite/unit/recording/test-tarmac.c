/* Tarmac logs as recordings: what lines of instructions make, and what the log as a
   whole tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-run.h"

/* Instruction lines are steps, whatever they look like; not those of instructions that
   were not done.  */
static void
test_steps (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (000007e8:00000001) 000007e8     2900 T16 CMP r1,#0\n"
		 "2 ns IS (000007ea:00000002) 000007ea     d0f9 T16 BEQ\n"
		 "3 ns IF (000007ec:00000003) 000007ec     bf00 T16 NOP\n"
		 "4 ns IT (4) 000007ee     bf00 T16 NOP\n"
		 "5 ns IT (000007f0:00000005) 000007f0 f44f 7180 T32 MOV\n"
		 "6 ns IT (000007f4:00000006) 000007f4 bf00 X NOP\n"
		 "7 ms IT (000007f6:00000007) 000007f6     4708 T16 BX r1\n"
		 "8 ns IA (00000100:00000008) 00000100 e1a00000 X MOV\n"
		 "9 ns IE (00000200:00000009) 00000200 -------- X\n"))
    return;
  CHECK_STR (pcs (&log), "7e8 7ea- 7ec 7ee 7f0 7f4 7f6");
  CHECK_INT (bad_lines (&log), 0);
  struct tb_step s[7];
  tb_recording_read (log.recording, 0, s, 7);
  CHECK_INT (s[4].opcode, 0xf44f7180);
  CHECK_INT (s[4].size, 4);
  uint64_t time;
  CHECK (tb_recording_timestamp (log.recording, 4, &time));
  CHECK_INT (time, 5);
  /* Code that ran is known.  */
  expect (&log, 0, "m:7e8=0029f9d000bf m:7f0=4ff48071 m:200=????");
  close_log (&log);
}

/* Lines that come late: tied to their instruction by the tag.  */
static void
test_late (void)
{
  struct log log;
  if (!open_log (&log,
		 "10 ns IT (100:1) 00000100 2001 T16 MOV r0,#1\n"
		 "20 ns IT (102:2) 00000102 6008 T16 STR r0,[r1]\n"
		 "25 ns R (100:1) r0 00000001\n"
		 "30 ns IT (104:3) 00000104 680a T16 LDR r2,[r1]\n"
		 "30 ns MNR4___D (104:3) 20000000 00000001\n"
		 "31 ns MNW4___D (102:2) 20000000 00000001\n"
		 "31 ns R r2 00000001 (104:3)\n"
		 "40 ns IT (106:4) 00000106 bf00 T16 NOP\n"))
    return;
  expect (&log, 0, "r0=? m:20000000=????????");
  expect (&log, 1, "r0=1");
  /* The read told nothing of the time before the store.  */
  expect (&log, 1, "m:20000000=????????");
  expect (&log, 2, "m:20000000=01000000 r2=?");
  expect (&log, 3, "r2=1");
  CHECK_STR (pcs (&log), "100 102 104 106");
  close_log (&log);
}

/* Where serial numbers jump, nothing is known behind it.  */
static void
test_gap (void)
{
  char text[4096] = "";
  struct log log;
  for (unsigned i = 0; i < 40; i++)
    snprintf (text + strlen (text), sizeof text - strlen (text),
	      "%u ns IT (%u) %08x bf00 T16 NOP\n%s", i, i < 30 ? i : i + 100,
	      0x100 + 2 * i, i == 3 ? "3 ns R r0 5\n3 ns MNW4___D 20000000 1\n"
	      : i == 35 ? "35 ns R r0 6\n" : "");
  if (!open_log (&log, text))
    return;
  expect (&log, 29, "r0=5 m:20000000=01000000");
  expect (&log, 30, "r0=? m:20000000=????????");
  expect (&log, 36, "r0=6");
  CHECK_INT (tb_recording_info (log.recording)->gaps, 1);
  close_log (&log);
}

/* Serial numbers that count the instructions of all cores: those of another core are no jump.  */
static void
test_shared_numbers (void)
{
  char text[4096] = "";
  struct log log;
  for (unsigned i = 0; i < 40; i++)
    {
      bool other = i == 30;
      snprintf (text + strlen (text), sizeof text - strlen (text),
		"%u clk cpu%u IT (%u) %08x d503201f O EL1h_n : NOP\n%s", i, other, i,
		other ? 0x8000 : 0x100 + 4 * (i - (i > 30)),
		i == 3 ? "3 clk cpu0 R X0 0000000000000005\n" : "");
    }
  if (!open_log (&log, text))
    return;
  expect (&log, 38, "x0=5");
  CHECK_INT (tb_recording_info (log.recording)->gaps, 0);
  close_log (&log);
}

/* What lines of this program's own tell.  */
static void
test_own_lines (void)
{
  static const struct
  {
    const char *text;
    int what;			/* -1: it is none.  */
    uint64_t address, value;
    unsigned size;
  } rows[] = {
    { "log 1", TB_OWN_LOG, 0, 0, 0 }, { "log 2", -1, 0, 0, 0 }, { "log", -1, 0, 0, 0 },
    { "core Cortex-M3", TB_OWN_CORE, 0, 0, 0 }, { "core", -1, 0, 0, 0 },
    { "gap", TB_OWN_GAP, 0, 0, 0 }, { "gap 1", -1, 0, 0, 0 },
    { "step 104 T", TB_OWN_STEP, 0x104, 0, 0 }, { "step 104 Q", -1, 0, 0, 0 },
    { "step 104", -1, 0, 0, 0 }, { "end 108", TB_OWN_END, 0x108, 0, 0 },
    { "end", -1, 0, 0, 0 }, { "end 1 2", -1, 0, 0, 0 },
    { "memory ?", TB_OWN_FORGET, 0, 0, 0 }, { "memory 1", -1, 0, 0, 0 },
    { "memory 20 4 7f", TB_OWN_MEMORY, 0x20, 0x7f, 4 }, { "memory 20 9 7f", -1, 0, 0, 0 },
    { "memory 20 0 7f", -1, 0, 0, 0 }, { "memory 20 11 7f", -1, 0, 0, 0 },
    { "read 20 4", TB_OWN_READ, 0x20, 0, 4 }, { "write 24 8", TB_OWN_WRITE, 0x24, 0, 8 },
    { "read 20", -1, 0, 0, 0 }, { "write 20 4 5", -1, 0, 0, 0 }, { "read x 4", -1, 0, 0, 0 },
    { "write ?", TB_OWN_ANYWHERE, 0, 0, 0 }, { "write 1", -1, 0, 0, 0 },
    { "r0 ?", TB_OWN_REGISTER, 0, 0, 0 }, { "r0 5", -1, 0, 0, 0 },
    { "r0 00000005 ffffffff", TB_OWN_REGISTER, 0, 5, 4 }, { "r0 5 x", -1, 0, 0, 0 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_tarmac_own own;
      const struct tb_tarmac_line line = {
	.text = { rows[i].text, strlen (rows[i].text) }
      };
      bool is = tb_tarmac_own (&own, &line);
      bool right = CHECK_INT (is, rows[i].what >= 0);
      if (is && rows[i].what >= 0)
	{
	  right &= CHECK_INT (own.what, rows[i].what);
	  right &= CHECK_INT (own.address, rows[i].address);
	  right &= CHECK_INT (own.value, rows[i].value);
	  right &= CHECK_INT (own.size, rows[i].size);
	}
      if (!right)
	fprintf (stderr, "  %s\n", rows[i].text);
    }
}

/* The state behind the last line: what an exception's entry stores and writes, and the
   registers of the mode that it leads to.  */
static void
test_end (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 2001 T16 MOVS r0,#1\n"
		 "1 ns R r0 00000001\n"
		 "1 ns R MSP 20001000\n"
		 "1 ns R xpsr 01000000\n"
		 "2 ns IT (2) 00000102 2002 T16 MOVS r0,#2\n"
		 "2 ns R r0 00000002\n"
		 "3 ns E HardFault\n"
		 "3 ns MNW4___D 20000ffc 01000000\n"
		 "3 ns MNW4___D 20000ff8 00000104\n"
		 "3 ns R MSP 20000fe0\n"
		 "3 ns R r14 fffffff9\n"
		 "3 ns R xpsr 01000003\n"))
    return;
  expect (&log, 1, "r0=1 sp=20001000 xpsr=1000000 m:20000ff8=????????");
  expect (&log, 2, "r0=2 sp=20000fe0 lr=fffffff9 xpsr=1000003 pc=? "
		   "m:20000ff8=0401000000000001");
  close_log (&log);

  static const char before[] =
    "1 clk IT (1) 00008000 e1a00000 A svc_s : NOP\n"
    "1 clk R r13_svc 00009000\n"
    "1 clk R r14_svc 00000044\n"
    "1 clk R r13_irq 0000a000\n"
    "1 clk R r8 00000008\n"
    "1 clk R r7 00000007\n"
    "1 clk R cpsr 00000013\n";
  static const struct { const char *line, *want; } rows[] = {
    /* Nothing that can change the mode.  */
    { "2 clk IT (2) 00008004 e1a00000 A svc_s : NOP\n",
      "r7=7 r8=8 sp=9000 lr=44" },
    { "2 clk IT (2) 00008004 e12fff1e A svc_s : BX lr\n",
      "r7=7 r8=8 sp=9000 lr=44" },
    /* The mode is told, or not.  */
    { "2 clk IT (2) 00008004 e1a00000 A svc_s : NOP\n"
      "2 clk E 00008008 00000006 CoreEvent_IRQ\n2 clk R cpsr 00000092\n"
      "2 clk R r14_irq 0000800c\n", "r7=7 r8=8 sp=a000 lr=800c" },
    { "2 clk IT (2) 00008004 e1a00000 A svc_s : NOP\n"
      "2 clk E 00008008 00000007 CoreEvent_FIQ\n2 clk R cpsr 000000d1\n"
      "2 clk R r8_fiq 00000088\n", "r7=7 r8=88 sp=? lr=?" },
    { "2 clk IT (2) 00008004 e1a00000 A svc_s : NOP\n"
      "2 clk E 00008008 00000006 CoreEvent_IRQ\n", "r7=7 r8=? sp=? lr=?" },
    { "2 clk IT (2) 00008004 f1020012 A svc_s : CPS #18\n"
      "2 clk R cpsr 00000012\n", "r7=7 r8=? sp=? lr=?" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[1024];
      snprintf (text, sizeof text, "%s%s", before, rows[i].line);
      if (!open_log (&log, text))
	return;
      expect (&log, 1, "sp=9000 lr=44");
      if (!expect (&log, 2, rows[i].want))
	fprintf (stderr, "  %s", rows[i].line);
      close_log (&log);
    }
  if (!open_log (&log,
		 "1 clk IT (1) 1000 d503201f O EL1h_s : NOP\n"
		 "1 clk R SP_EL1 0000000000001000\n"
		 "1 clk R SP_EL0 0000000000002000\n"
		 "1 clk R SP_EL3 0000000000003000\n"
		 "2 clk IT (2) 1004 d503201f O EL0t_s : NOP\n"
		 "2 clk E 00001008 00000085 CoreEvent_LOWER_64_IRQ\n"
		 "2 clk R CPSR 800003cd\n"))
    return;
  expect (&log, 1, "sp=2000");
  expect (&log, 2, "sp=3000");
  close_log (&log);
}

/* A log of a Cortex-M alone tells as much as one of a model: that an instruction was
   done, whatever IT block it is in, and with which address.  */
static void
test_alone (void)
{
  struct log log;
  if (!open_log (&log,
		 "10 ns IT (1000:1) 00001000 2074 T16 MOVS r0,#0x74\n"
		 "10 ns R r0 00000074\n"
		 "11 ns IT (1002:2) 00001002 6048 T16 STR r0,[r1,#4]\n"
		 "11 ns MNW4___D 20000014 00000074\n"
		 "12 ns IS (1004:3) 00001004 2207 T16 MOVEQ r2,#7\n"
		 "13 ns IT (1006:4) 00001006 2305 T16 MOVS r3,#5\n"
		 "14 ns IT (1008:5) 00001008 2b05 T16 CMP r3,#5\n"
		 "15 ns IT (100a:6) 0000100a 46c0 T16 NOP\n"))
    return;
  expect (&log, 0, "r1=20000010 r2=? r3=?");
  expect (&log, 2, "r1=20000010 r0=74");
  expect (&log, 4, "r2=? r3=5");
  struct tb_value values[TB_NREGS_MAX];
  /* The flags of MOVS are not known if it is in a block; CMP is behind any.  */
  tb_state_registers (log.state, 4, values);
  CHECK_INT (values[TB_PSR].mask & TB_PSR_NZCV, 0);
  tb_state_registers (log.state, 5, values);
  CHECK_INT (values[TB_PSR].mask & TB_PSR_NZCV, TB_PSR_NZCV);
  CHECK_INT (values[TB_PSR].bits & TB_PSR_NZCV, 0x60000000);
  close_log (&log);
}

/* The dialect of cycle models: accesses as lanes, with lines that continue, and events
   by EXC.  */
static void
test_cycle_model (void)
{
  struct log log;
  if (!open_log (&log,
		 "Tarmac Text Rev 3t\n"
		 "      17000 ns  ES  EXC [0x00] Reset\n"
		 "                    BR (00000158) A\n"
		 "      20000 ns  ES  (00000158:e59f1198) A svc:            LDR r1,{pc}\n"
		 "                    LD 000002f0  ........ 00000800 ........ ........\n"
		 "                    R R1 (USR) 00000800\n"
		 "      21000 ns  ES  (0000015c:e3a0d801) A svc:            MOV sp,#0x10000\n"
		 "                    R SP_SVC 00010000\n"
		 "      22000 ns  ES  (00000160:03a06a01) A svc:     CCFAIL MOVEQ r6,#0x1000\n"
		 "      23000 ns  ES  (00000164:e92d0006) A svc:            PUSH {r1,r2}\n"
		 "                    ST 0000fff0  00000022 00000800 ........ ........\n"
		 "                    R SP_SVC 0000fff8\n"
		 "      24000 ns  ES  (00000168:e5c02000) A svc:            STRB r2,[r0,#0]\n"
		 "                    ST 00009000  ........ ........ ........ ......##\n"
		 "      25000 ns  ES  (0000016c:e8b00078) A svc:            LDM r0!,{r3-r6}\n"
		 "                    LD 00004020  ........ 00000006 00000005 00000004\n"
		 "                       00004010  00000003 ........ ........ ........\n"
		 "      26000 ns  ES  (00000170:e1a00000) A svc:            NOP\n"
		 "      27000 ns  ES  EXC [0x18] IRQ\n"
		 "      28000 ns  ES  (00000018:e1a00000) A irq:            NOP\n"))
    return;
  CHECK_STR (pcs (&log), "158 15c 160- 164 168 16c 170 18");
  CHECK_INT (bad_lines (&log), 0);
  expect (&log, 0, "m:2f8=00080000");
  expect (&log, 1, "r1=800");
  expect (&log, 4, "r2=22 sp=fff8 m:fff8=0008000022000000 m:9000=??");
  expect (&log, 5, "m:9000=??");
  expect (&log, 6, "m:401c=03000000040000000500000006000000");
  CHECK_STR (exceptions (&log), "70@7");
  struct tb_access_info a[8];
  CHECK_INT (tb_state_accesses (log.state, 5, a, 8), 4);
  CHECK (!a[3].store && !a[0].store);
  close_log (&log);

  if (!open_log (&log,
		 "      15000 ps  ES  EXC [1] Reset\n"
		 "                    R MSP_S 00000000\n"
		 "                    R XPSR f9000000\n"
		 "      16000 ps  ES  (00000100:bf00) T thrd_s: NOP\n"
		 "      17000 ps  ES  EXC [15] SysTick\n"
		 "      18000 ps  ES  (00000200:bf00) T hdlr_s: NOP\n"
		 "      19000 ps  ES  (00000202:bf00) T hdlr_s: NOP\n"))
    return;
  CHECK_STR (exceptions (&log), "15@1");
  CHECK (tb_recording_profile (log.recording)->is_m);
  close_log (&log);
}

/* Fractions of a log's unit are kept: the unit is a finer one then.  */
static void
test_fractions (void)
{
  static const struct { const char *unit, *finer; unsigned digits; } rows[] = {
    { "ns", "ns", 0 }, { "ns", "ps", 1 }, { "ns", "ps", 3 }, { "us", "ps", 5 },
    { "ns", "as", 9 }, { "clk", "clk/1000", 2 }, { "fs", "fs/1000000", 4 }
  };
  enum { STEPS = 200 };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      static char text[STEPS * 80];
      uint64_t want[STEPS];
      struct log log;
      char *p = text;
      for (unsigned k = 0; k < STEPS; k++)
	{
	  /* In parts; whole at first, and with differences that are the same for a
	     while.  Two cores: they have one unit.  */
	  static const uint64_t pow[] = { 1, 10, 100, 1000, 10000, 100000, 1000000,
					  10000000, 100000000, 1000000000 };
	  unsigned d = rows[i].digits;
	  uint64_t part = k < 50 || d == 0 ? 0 : k < 120 ? 7 % pow[d]
						       : (k * 7919) % pow[d];
	  uint64_t whole = 5 * k + (k > 160 ? k * k : 0), finer = 1;
	  while (d > 0 && finer < pow[d])
	    finer *= 1000;
	  want[k] = whole * finer + part * (finer / pow[d]);
	  p += sprintf (p, "%" PRIu64, whole);
	  if (part != 0)
	    p += sprintf (p, ".%0*" PRIu64, (int) d, part);
	  p += sprintf (p, " %s cpu%u IT (%u) %08x 46c0 T16 NOP\n", rows[i].unit, k == 3,
			k, 0x800 + 2 * k);
	}
      if (!open_log (&log, text))
	return;
      const struct tb_columns *const *f
	= (const struct tb_columns *const *) log.session.log->tarmac.cores;
      bool ok = CHECK_STR (f[0]->unit, rows[i].finer);
      ok &= CHECK_STR (f[1]->unit, rows[i].finer);
      for (unsigned k = 0; k < STEPS && ok; k++)
	{
	  uint64_t time = 0;
	  if (k != 3)
	    CHECK (tb_recording_timestamp (log.recording, k < 3 ? k : k - 1, &time));
	  else
	    CHECK (tb_facts_time (f[1], 0, &time));
	  ok &= CHECK_INT (time, want[k]);
	}
      if (!ok)
	fprintf (stderr, "  %s, %u digits\n", rows[i].unit, rows[i].digits);
      close_log (&log);
    }
}

/* What is no log is not taken for one.  */
static void
test_recognise (void)
{
  static const struct { const char *text; bool is; } rows[] = {
    { "", false }, { "[snapshot]\nversion=1.0\n", false },
    { "hello world\nthis is text\n", false },
    { "1 2 3\n4 5 6\n", false }, { "E R M\nR\n", false },
    { "1 ns IT (1) 00000100 2001 T16 MOV\n", true },
    { "Simulator 1.2\n\n1 clk cpu0 R r0 00000000\n", true },
    { "1 ns IT (1) 00000100 2001 T16 MOV", true }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      tree_write_bytes (&tree, "log", rows[i].text, strlen (rows[i].text));
      if (!CHECK (tb_session_is_log (tree_path (&tree, "log")) == rows[i].is))
	fprintf (stderr, "  %s\n", rows[i].text);
    }
}

/* Dialects of their own: accesses without a letter for memory, names of registers with
   an E, flags as letters; and of the R profile serial numbers on lines of memory, with
   lines that come late.  */
static void
test_other_dialects (void)
{
  struct log log;
  struct tb_access_info a[4];
  if (!open_log (&log,
		 "6000000 cs IT (00000000004d6eb8) 54fffea1 O  ---_- :     b.ne\n"
		 "6000001 cs R08 0000007f99d14af4 4305000042ea0000\n"
		 "6000017 cs R cpsr 20000000 __C_\n"
		 "6000019 cs R E15 0000007f99d14b94\n"
		 "6000020 cs IT (00000000004d6e8c) d503201f O  ---_- :     nop\n"
		 "6000021 cs W04 X 0000007f99d15c30 010c010b\n"
		 "6000022 cs W08 0000007f99d15c38 41fc6886421faa65\n"
		 "6000023 cs IT (00000000004d6e90) d503201f O  ---_- :     nop\n"))
    return;
  CHECK_STR (pcs (&log), "4d6eb8 4d6e8c 4d6e90");
  expect (&log, 1, "x15=7f99d14b94 cpsr=20000000 m:7f99d14af4=0000ea4200000543");
  expect (&log, 2, "m:7f99d15c30=0b010c01 m:7f99d15c38=65aa1f428668fc41");
  CHECK_INT (tb_state_accesses (log.state, 0, a, 4), 1);
  CHECK (!a[0].store && a[0].length == 8);
  CHECK_INT (tb_state_accesses (log.state, 1, a, 4), 2);
  CHECK (a[0].store && a[0].length == 4);
  CHECK_INT (bad_lines (&log), 0);
  close_log (&log);

  if (!open_log (&log,
		 "948756 ns IT (00000000:00000000) 00000000 ea000006 A :    B pc+0x18\n"
		 "948758 ns IT (00000020:00000001) 00000020 e5804000 A :    STR r4,[r0]\n"
		 "948759 ns IT (00000024:00000002) 00000024 e3a05007 A :    MOV r5,#7\n"
		 "948760 ns MNW4____ (00000020:00000001) 05011000 00000003\n"
		 "948760 ns R r5 00000007\n"
		 "948761 ns IT (00000028:00000003) 00000028 ee064f12 A :    MCR\n"
		 "948761 ns MCW4___R (00000028:00000003) TRANSFER 00000000\n"
		 "948762 ns IT (0000002c:00000004) 0000002c e1a00000 A :    NOP\n"))
    return;
  CHECK_STR (pcs (&log), "0 20 24 28 2c");
  expect (&log, 1, "m:5011000=???????? r5=?");
  /* By its number it is of the instruction before the last one.  */
  expect (&log, 2, "m:5011000=03000000 r5=? r4=3 r0=5011000");
  expect (&log, 3, "r5=7");
  CHECK_INT (tb_state_accesses (log.state, 1, a, 4), 1);
  CHECK (a[0].store && a[0].value_known && a[0].value == 3);
  CHECK_INT (bad_lines (&log), 0);
  close_log (&log);
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_steps, test_late, test_gap, test_shared_numbers, test_own_lines,
    test_end, test_alone, test_cycle_model, test_fractions, test_recognise, test_other_dialects
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
