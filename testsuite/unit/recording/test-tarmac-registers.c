/* Tarmac logs as recordings: their registers, by all names, and what is not said of
   them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-run.h"

/* Registers: by any of their names, banked ones apart, never invented.  */
static void
test_registers (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns R r9 0000000a\n"
		 "1 ns R xPSR 01000000\n"
		 "1 ns IT (1) 00000100 b500 T16 PUSH {lr}\n"
		 "1 ns R MSP 20000ff8\n"
		 "2 ns IT (2) 00000102 4600 T16 NOP\n"
		 "2 ns R control 00000002\n"
		 "2 ns R PSP 20002000\n"
		 "3 ns IT (3) 00000104 b500 T16 PUSH {lr}\n"
		 "3 ns R PSP 20001ffc\n"
		 "4 ns IT (4) 00000106 f3808808 T32 MSR MSP,r0\n"
		 "4 ns R MSP 20000100\n"
		 "5 ns IT (5) 0000010a 2000 T16 MOV\n"
		 "5 ns R r0 0\n"
		 "5 ns R PRIMASK 1\n"
		 "5 ns R psr 61000000\n"
		 "6 ns E SysTick\n"
		 "6 ns R PSP 20001fdc\n"
		 "6 ns R r14 fffffffd\n"
		 "6 ns R xPSR 6100000f\n"
		 "7 ns IT (6) 00000200 4600 T16 NOP\n"
		 "8 ns IT (7) 00000202 4770 T16 BX lr\n"
		 "8 ns R PSP 20001ffc\n"
		 "8 ns R xPSR 61000000\n"
		 "9 ns IT (8) 0000010c 4600 T16 NOP\n"
		 "9 ns R r1 xxxxxxxx\n"))
    return;
  expect (&log, 0, "r9=a xpsr=1000000 msp=? sp=? r0=?");
  expect (&log, 1, "sp=20000ff8 msp=20000ff8 psp=? control=?");
  expect (&log, 2, "sp=20002000 msp=20000ff8 psp=20002000 control=2");
  expect (&log, 3, "sp=20001ffc");
  /* MSP is written while PSP is in use.  */
  expect (&log, 4, "sp=20001ffc msp=20000100 r0=? primask=?");
  /* A handler has MSP.  */
  expect (&log, 5, "r0=0 primask=1 sp=20000100 psp=20001fdc xpsr=6100000f "
	  "lr=fffffffd");
  expect (&log, 7, "sp=20001ffc xpsr=61000000 pc=10c r1=?");
  expect (&log, 8, "r1=? r9=a");
  struct tb_event event;
  CHECK_INT (tb_recording_events (log.recording, 0, 8, &event, 1), 2);
  CHECK_INT (event.step, 5);
  CHECK_INT (event.exception, 15);
  close_log (&log);
}

/* A log with lines of r13 itself.  */
static void
test_plain_sp (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 b500 T16 PUSH {lr}\n"
		 "1 ns R r13 20000ff8\n"
		 "1 ns R xPSR 01000000\n"
		 "2 ns IT (2) 00000102 bf00 T16 NOP\n"
		 "3 ns E SysTick\n"
		 "3 ns R r13 20000fd8\n"
		 "3 ns R xPSR 0100000f\n"
		 "3 ns IT (3) 00000200 4770 T16 BX lr\n"
		 "3 ns R xPSR 01000000\n"
		 "4 ns IT (4) 00000104 bf00 T16 NOP\n"
		 "4 ns R r13 20000ff0\n"
		 "5 ns IT (5) 00000106 bf00 T16 NOP\n"))
    return;
  expect (&log, 1, "sp=20000ff8");
  expect (&log, 2, "sp=20000fd8");
  /* Which one it is after the return no line tells.  */
  expect (&log, 3, "sp=?");
  expect (&log, 4, "sp=20000ff0");
  close_log (&log);
}

/* Values in groups with blanks between them are one number, and one some digits of
   which are not known leaves the others known.  */
static void
test_groups (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 clk R X1 0000000000009000\n"
		 "0 clk IT (0) 00008000 a9400820 O EL3h_s : LDP x0,x2,[x1]\n"
		 "0 clk MR16 00009000 400f731b40000000 3ff87cc460000000\n"
		 "5 clk IT (1) 00008004 d503201f O EL3h_s : NOP\n"
		 "5 clk R X7 01234567 89abcdef\n"
		 "5 clk R X8 01234567 89abcdef\n"
		 "6 clk IT (2) 00008008 d503201f O EL3h_s : NOP\n"
		 "6 clk R X8 -------- --------\n"
		 "7 clk IT (3) 0000800c d503201f O EL3h_s : NOP\n"))
    return;
  expect (&log, 0, "m:9000=00000060c47cf83f000000401b730f40");
  expect (&log, 1, "x0=3ff87cc460000000 x2=400f731b40000000");
  expect (&log, 2, "x7=123456789abcdef x8=123456789abcdef");
  expect (&log, 3, "x7=123456789abcdef x8=?");
  close_log (&log);

  if (!open_log (&log,
		 "1 ns IT (1) 00000100 bf00 T16 NOP\n"
		 "1 ns R psr 6xxxxxxx\n"
		 "1 ns R r0 0000xx12\n"
		 "2 ns IT (2) 00000102 bf00 T16 NOP\n"))
    return;
  struct tb_value values[TB_NREGS_MAX];
  tb_state_registers (log.state, 1, values);
  CHECK_INT (values[TB_PSR].mask & 0xf80001ff, 0xf0000000);
  CHECK_INT (values[TB_PSR].bits & 0xf0000000, 0x60000000);
  CHECK_INT (values[0].mask, 0xffff00ff);
  CHECK_INT (values[0].bits, 0x12);
  close_log (&log);
}

/* Register lines that come only at the end say nothing of the time before: that there
   was none then does not mean that a register was as before.  */
static void
test_lines_at_the_end (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 clk IT (1) 1000 d28007e4 O EL1h_n : MOV x4,#63\n"
		 "2 clk IT (2) 1004 d53b4204 O EL1h_n : MRS x4,nzcv\n"
		 "2 clk E 00001008 00000085 CoreEvent_CURRENT_SPx_IRQ\n"
		 "3 clk IT (3) 8280 d503201f O EL1h_n : NOP\n"
		 "4 clk IT (4) 8284 d2800000 O EL1h_n : MOV x0,#0\n"
		 "4 clk R X0 0000000000000000\n"
		 "5 clk IT (5) 8288 d503201f O EL1h_n : NOP\n"))
    return;
  expect (&log, 1, "x4=3f");
  expect (&log, 2, "x4=?");
  expect (&log, 4, "x4=? x0=0");
  close_log (&log);
}

/* FP and vector registers, by any of their names, are known until an instruction may
   write them for which there is no line.  */
static void
test_vectors (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 clk R d8 3ff0000000000000\n"
		 "0 clk R FPCR 01230123:03000000\n"
		 "0 clk IT (0) 00008000 1e604100 O EL3h_s : FMOV d0,d8\n"
		 "1 clk R d0 3ff0000000000000\n"
		 "1 clk R V1 93c467e37db0c7a4_d1be3f810152cb56\n"
		 "1 clk R s3 3f800000\n"
		 "1 clk R Q4 93c467e3 7db0c7a4 d1be3f81 0152cb56\n"
		 "10 clk IT (1) 00008004 d503201f O EL3h_s : NOP\n"
		 "10 clk R Q4 -------- -------- 00000001 00000002\n"
		 "10 clk R V1<127:64> ffeeddccbbaa9988\n"
		 "11 clk IT (2) 00008008 1e602821 O EL3h_s : FADD d1,d1,d0\n"
		 "12 clk IT (3) 0000800c d503201f O EL3h_s : NOP\n"))
    return;
  expect_vectors (&log, 0, "d8=3ff0000000000000 d0=? fp=3000000");
  expect_vectors (&log, 1, "d0=3ff0000000000000 s3=3f800000 d3=? d8=3ff0000000000000 "
		  "v1=93c467e37db0c7a4d1be3f810152cb56");
  expect_vectors (&log, 2, "v4=93c467e37db0c7a40000000100000002 "
		  "v1=ffeeddccbbaa9988d1be3f810152cb56");
  expect_vectors (&log, 3, "d1=? v1=? d0=3ff0000000000000 "
		  "v4=93c467e37db0c7a40000000100000002");
  close_log (&log);

  if (!open_log (&log,
		 "0 clk R s0 3f800000\n"
		 "0 clk R d1 4000000040000001\n"
		 "0 clk R fpscr 03000000\n"
		 "1 clk IT (1) 00008000 ee100a10 T thread : VMOV r0,s0\n"
		 "1 clk R r0 3f800000\n"
		 "1 clk R s1 40000000\n"
		 "2 clk IT (2) 00008004 bf00 T thread : NOP\n"
		 "2 clk R s4 41000000\n"
		 "3 clk IT (3) 00008006 ee300a20 T thread : VADD.F32 s0,s0,s1\n"
		 "4 clk IT (4) 0000800a bf00 T thread : NOP\n"
		 "4 clk R q1 00000004_00000003_00000002_00000001\n"
		 "5 clk IT (5) 0000800c bf00 T thread : NOP\n"))
    return;
  expect_vectors (&log, 0, "s0=3f800000 s2=40000001 s3=40000000 fp=3000000");
  expect_vectors (&log, 1, "d0=400000003f800000 d1=4000000040000001");
  expect_vectors (&log, 2, "s4=41000000 s5=?");
  expect_vectors (&log, 3, "s0=? s1=40000000 d1=4000000040000001 fp=?");
  expect_vectors (&log, 5, "d2=200000001 d3=400000003");
  close_log (&log);
}

/* A push without a line of SP says that SP has changed all the same.  */
static void
test_push_without_line (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 ns R MSP 00204808\n"
		 "0 ns R PSP 00208000\n"
		 "0 ns R r7 00000009\n"
		 "1 ns IT (108:1) 00000108 b082 T16 sub sp,#8\n"
		 "1 ns R MSP 00204800\n"
		 "2 ns IT (10a:2) 0000010a b510 T16 push {r4, lr}\n"
		 "3 ns IT (10c:3) 0000010c bf00 T16 NOP\n"
		 "4 ns IT (10e:4) 0000010e b500 T16 push {lr}\n"
		 "4 ns R MSP 002047f4\n"
		 "5 ns IT (110:5) 00000110 bf00 T16 NOP\n"))
    return;
  expect (&log, 1, "msp=204800");
  /* Which is worked out, then.  */
  expect (&log, 2, "sp=2047f8 r7=9");
  expect (&log, 4, "msp=2047f4 psp=208000");
  const char *first = strstr (tree.said, "log:6: no line of \"SP\" follows");
  CHECK (first != NULL && strstr (first + 8, "no line of") == NULL);
  close_log (&log);
}

/* Several cores are a recording each; banks of registers by the mode.  */
static void
test_cores (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 clk cpu0 R cpsr 000003cd\n"
		 "1 clk cpu0 IT (1) 1000 d503201f O EL3h_s : NOP\n"
		 "1 clk cpu0 R SP_EL3 0000000000008000\n"
		 "1 clk cpu0 R SP_EL1 0000000000001000\n"
		 "1 clk cpu1 IT (1) 9000 d503201f O EL3h_s : NOP\n"
		 "1 clk cpu1 R X0 0123456789abcdef\n"
		 "2 clk cpu0 IT (2) 1004 d69f03e0 O EL3h_s : ERET\n"
		 "2 clk cpu0 R X0 11111111:22222222\n"
		 "3 clk cpu0 IT (3) 2000 d503201f O EL1h_n : NOP\n"
		 "3 clk cpu0 R W0 00000001\n"
		 "4 clk cpu0 IT (4) 2004 d503201f O EL0t_n : NOP\n"))
    return;
  expect (&log, 0, "cpsr=3cd sp=?");
  expect (&log, 1, "sp=8000 x0=?");
  expect (&log, 2, "sp=1000 x0=1111111122222222");
  expect (&log, 3, "sp=? x0=1");
  CHECK_INT (log.session.nstreams, 2);
  CHECK_STR (log.session.streams[1].core->device->name, "cpu1");
  CHECK_INT (log.session.streams[1].facts->steps, 1);
  close_log (&log);

  if (!open_log (&log,
		 "1 clk IT (1) 1000 e1a00000 A svc_s : NOP\n"
		 "1 clk R r13_svc 00008000\n"
		 "1 clk R r13_usr 00001000\n"
		 "1 clk R r14 00000044\n"
		 "2 clk IT (2) 1004 e1a00000 A usr_s : NOP\n"
		 "2 clk R r13 00000ffc\n"
		 "3 clk IT (3) 1008 e1a00000 A svc_s : NOP\n"
		 "4 clk IT (4) 100c e1a00000 A sys_s : NOP\n"))
    return;
  expect (&log, 1, "sp=1000 lr=?");
  expect (&log, 2, "sp=8000 lr=44");
  expect (&log, 3, "sp=ffc");
  close_log (&log);
}

/* The special registers of the M profile, by all names that logs have for them.  */
static void
test_special_registers (void)
{
  static const struct { const char *line, *want; } rows[] = {
    { "R PRIMASK 00000001", "primask=1" }, { "R FAULTMASK 00000001", "faultmask=1" },
    { "R BASEPRI 00000040", "basepri=40" }, { "R CONTROL 00000004", "control=4" },
    { "R xPSR 6100000f", "xpsr=6100000f" }, { "R psr 6100000f", "xpsr=6100000f" },
    /* Parts of it.  */
    { "R APSR 68000000", "xpsr=69000003" }, { "R IPSR 0000000b", "xpsr=a100000b" },
    { "R NZCV 60000000", "xpsr=61000003" }, { "R nzcv 6", "xpsr=61000003" },
    { "R r13_main 20003000", "msp=20003000 psp=20002000" },
    { "R R13_PROCESS 20003000", "msp=20001000 psp=20003000" },
    { "R sp_main 20003000", "msp=20003000" },
    { "R SP_process 20003000", "psp=20003000" },
    { "R LR 00000123", "lr=123" }, { "R r14 00000123", "lr=123" },
    /* The PC is in lines of instructions.  */
    { "R r15 00000123", "pc=104" }, { "R pc 00000123", "pc=104" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[400];
      struct log log;
      snprintf (text, sizeof text,
		"1 ns IT (1) 00000100 46c0 T16 NOP\n1 ns R xPSR a1000003\n"
		"1 ns R MSP 20001000\n1 ns R PSP 20002000\n"
		"2 ns IT (2) 00000102 46c0 T16 NOP\n2 ns %s\n"
		"3 ns IT (3) 00000104 46c0 T16 NOP\n", rows[i].line);
      if (!open_log (&log, text))
	return;
      if (!expect (&log, 2, rows[i].want))
	fprintf (stderr, "  %s\n", rows[i].line);
      close_log (&log);
    }
}

/* BASEPRI and FAULTMASK are as lines say until something may write them without one.  */
static void
test_masks (void)
{
  static const struct { const char *lines, *want; } rows[] = {
    { "f3808811 T32 MSR BASEPRI,r0\n", "basepri=? faultmask=?" },
    { "f3808811 T32 MSR BASEPRI,r0\n2 ns R BASEPRI 00000080\n",
      "basepri=80 faultmask=?" },
    { "b671 T16 CPSID f\n2 ns R FAULTMASK 00000001\n", "basepri=? faultmask=1" },
    { "b672 T16 CPSID i\n", "basepri=40 faultmask=0" },
    { "46c0 T16 NOP\n", "basepri=40 faultmask=0" },
    { "4770 T16 BX lr\n2 ns R xPSR 61000000\n", "basepri=40 faultmask=?" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[400];
      struct log log;
      snprintf (text, sizeof text,
		"1 ns IT (1) 00000100 46c0 T16 NOP\n1 ns R BASEPRI 00000040\n"
		"1 ns R FAULTMASK 00000000\n1 ns R xPSR 61000003\n"
		"1 ns R r14 fffffff9\n"
		"2 ns IT (2) 00000102 %s"
		"3 ns IT (3) 0000010%c 46c0 T16 NOP\n", rows[i].lines,
		rows[i].lines[4] == ' ' ? '4' : '6');
      if (!open_log (&log, text))
	return;
      expect (&log, 1, "basepri=40 faultmask=0");
      if (!expect (&log, 2, rows[i].want))
	fprintf (stderr, "  %s\n", rows[i].lines);
      close_log (&log);
    }
}

/* A value that is too long for its register is not understood, and the register not
   known behind it.  Zeros and dashes in front of it are as good as nothing.  */
static void
test_too_long (void)
{
  static const char *const sets[] = {
    "46c0 T16 NOP", "e1a00000 A svc_s : NOP", "d503201f O EL1h_n : NOP"
  };
  static const struct { unsigned set; const char *line, *want, *vectors; } rows[] = {
    { 0, "R r4 00000012", "r4=12", "" }, { 0, "R r4 1234567890", "r4=?", "" },
    { 0, "R r4 123456789", "r4=?", "" }, { 0, "R r4 xx12345678", "r4=?", "" },
    { 0, "R r4 0012345678", "r4=12345678", "" },
    { 0, "R r4 00000000_12345678", "r4=12345678", "" },
    { 0, "R r4 --------_12345678", "r4=12345678", "" },
    { 0, "R r4 01234567 89abcdef", "r4=?", "" }, { 0, "R r4 12 34", "r4=?", "" },
    { 0, "R MSP 1234567890", "msp=?", "" }, { 0, "R r14 1234567890", "lr=?", "" },
    { 0, "R xPSR 1261000000", "xpsr=?", "" },
    { 0, "R PRIMASK 100000001", "primask=?", "" },
    { 0, "R s1 123f800000", "r4=11", "s1=?" },
    { 0, "R d1 123ff0000000000000", "r4=11", "d1=?" },
    { 0, "R d1 3ff0000000000000", "r4=11", "d1=3ff0000000000000" },
    { 1, "R r4 1234567890", "r4=?", "" }, { 1, "R r14 1234567890", "lr=?", "" },
    { 1, "R r4 0X12345678", "r4=12345678", "" },
    { 2, "R X2 1234567812345678", "x2=1234567812345678", "" },
    { 2, "R X2 12345678 12345678", "x2=1234567812345678", "" },
    { 2, "R X2 1234567812345678123", "x2=?", "" },
    { 2, "R X2 12345678 12345678 00000123", "x2=?", "" },
    { 2, "R cpsr 1220023cd", "cpsr=220023cd", "" },
    { 2, "R P7 fedcba98_76543210", "x2=11", "" },
    { 2, "R W2 12345678", "x2=12345678", "" }, { 2, "R W2 1212345678", "x2=?", "" },
    { 2, "R SP_EL1 0000ffff00001000", "sp=ffff00001000", "" },
    { 2, "R SP 0000ffff00001000", "sp=ffff00001000", "" },
    { 2, "R q1 1_0000000000000002_0000000000000003", "", "v1=?" },
    { 2, "R q1 0000000000000002_0000000000000003", "",
      "v1=00000000000000020000000000000003" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const char *set = sets[rows[i].set], *a64 = rows[i].set == 2 ? "X2" : "r4";
      char text[400];
      struct log log;
      snprintf (text, sizeof text,
		"1 ns IT (1) 00000100 %s\n1 ns R %s 00000011\n1 ns R MSP 20001000\n"
		"1 ns R r14 00000100\n1 ns R xPSR 01000000\n"
		"1 ns R PRIMASK 00000000\n1 ns R s1 3f800000\n"
		"2 ns IT (2) 00000104 %s\n2 ns %s\n3 ns IT (3) 00000108 %s\n",
		set, a64, set, rows[i].line, set);
      if (rows[i].set != 0)
	snprintf (text, sizeof text,
		  "1 ns IT (1) 00000100 %s\n1 ns R %s 00000011\n"
		  "1 ns R q1 00000000000000040000000000000005\n"
		  "2 ns IT (2) 00000104 %s\n2 ns %s\n3 ns IT (3) 00000108 %s\n",
		  set, a64, set, rows[i].line, set);
      if (!open_log (&log, text))
	return;
      bool lost = strchr (rows[i].want, '?') != NULL
		  || strchr (rows[i].vectors, '?') != NULL;
      bool ok = CHECK_INT (bad_lines (&log), lost);
      ok &= *rows[i].want == 0 || expect (&log, 2, rows[i].want);
      ok &= *rows[i].vectors == 0 || expect_vectors (&log, 2, rows[i].vectors);
      ok &= CHECK ((strstr (tree.said, "too long") != NULL) == lost);
      if (!ok)
	fprintf (stderr, "  %s\n", rows[i].line);
      close_log (&log);
    }

  /* What has run together with such a line is read.  */
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 46c0 T16 NOP\n"
		 "1 ns R r4 1234567890 2 ns IT (2) 00000102 46c0 T16 NOP\n"
		 "2 ns R r4 00000002\n"))
    return;
  CHECK_STR (pcs (&log), "100 102");
  expect (&log, 1, "r4=?");
  expect (&log, 2, "r4=2");
  close_log (&log);
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_registers, test_plain_sp, test_groups, test_lines_at_the_end, test_vectors,
    test_push_without_line, test_cores,
    test_special_registers, test_masks, test_too_long
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
