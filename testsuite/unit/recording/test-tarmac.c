/* Tarmac logs as recordings: what little logs say of every step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "recording/facts.h"
#include "recording/session-log.h"
#include "snapshot-tree.h"
#include "state/state.h"

static struct tree tree;

/* A log, opened.  */
struct log
{
  struct tb_session session;
  struct tb_recording *recording;
  struct tb_state *state;
};

static bool
open_log (struct log *log, const char *text)
{
  static const struct tb_state_options options;
  tree_forget (&tree);
  tree_write_bytes (&tree, "log", text, strlen (text));
  *log = (struct log) { .recording = NULL };
  if (!CHECK (tb_session_open (&log->session, tree_path (&tree, "log"), NULL,
			       &tree.diag) == TB_OK))
    return false;
  struct tb_decoder_config config;
  tb_session_decoder_config (&log->session.streams[0], &config);
  log->recording = tb_recording_open_trace (&config, NULL, &tree.diag);
  log->state = tb_state_open (log->recording, &options, &tree.diag);
  return CHECK (log->state != NULL);
}

static void
close_log (struct log *log)
{
  tb_state_close (log->state);
  tb_recording_close (log->recording);
  tb_session_close (&log->session);
}

/* Registers and memory before a step: "r0=1 sp=20000000 m:20000000=01020304" with
   bytes in the order of addresses; ? stands for what is not known.  What does not
   hold is a failed check, and false.  */
static bool
expect (struct log *log, uint64_t step, const char *want)
{
  char copy[512], got[512] = "";
  struct tb_value values[TB_NREGS_MAX];
  size_t count;
  const struct tb_profile *profile = tb_recording_profile (log->recording);
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  snprintf (copy, sizeof copy, "%s", want);
  tb_state_registers (log->state, step, values);
  for (char *word = strtok (copy, " "); word != NULL;
       word = strtok (NULL, " "))
    {
      char *is = strchr (word, '='), text[64] = "?";
      *is = 0;
      if (word[0] == 'm' && word[1] == ':')
	{
	  size_t length = strlen (is + 1) / 2;
	  uint8_t bytes[32], origins[32];
	  tb_state_memory (log->state, step, strtoull (word + 2, NULL, 16),
			   bytes, origins, length);
	  for (size_t i = 0; i < length; i++)
	    snprintf (text + 2 * i, 3, origins[i] == TB_UNKNOWN ? "??" : "%02x",
		      bytes[i]);
	}
      else
	for (size_t i = 0; i < count; i++)
	  if (strcmp (regs[i].name, word) == 0 && values[i].mask != 0
	      && values[i].mask == (regs[i].bits == 64 ? UINT64_MAX
						       : UINT32_MAX))
	    snprintf (text, sizeof text, "%" PRIx64, values[i].bits);
      snprintf (got + strlen (got), sizeof got - strlen (got), "%s%s=%s",
		*got != 0 ? " " : "", word, text);
    }
  if (CHECK_STR (got, want))
    return true;
  fprintf (stderr, "  at step %" PRIu64 "\n", step);
  return false;
}

/* The PCs of all steps.  */
static const char *
pcs (struct log *log)
{
  static char text[512];
  struct tb_step steps[32];
  size_t n = tb_recording_read (log->recording, 0, steps, 32);
  text[0] = 0;
  for (size_t i = 0; i < n; i++)
    snprintf (text + strlen (text), sizeof text - strlen (text), "%s%" PRIx64
	      "%s", i > 0 ? " " : "", steps[i].pc,
	      steps[i].flags & TB_STEP_NOT_TAKEN ? "-" : "");
  return text;
}

static uint64_t
bad_lines (const struct log *log)
{
  return tb_tarmac_bad (&log->session.log->tarmac);
}

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

/* Lines that are no good are counted; the run goes on.  */
static void
test_bad (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 2001 T16 MOV r0,#1\n"
		 "1 ns R r0 00000001\n"
		 "1 ns MNW4___D nonsense\n"
		 "1 ns M with free text\n"
		 "1 ns R r1 zorro\n"
		 "Free text: a simulator says something.\n"
		 "1 ns FROB 1\n"
		 "1 ns FROB 2\n"
		 "2 ns IT (2) 00000102 2002 T16 MOV r0,#2\n"
		 "2 ns R r0 00000002 3 ns IT (3) 00000104 2003 T16 MOV r0,#3\n"
		 "3 ns R r0 00000003"))
    return;
  CHECK_STR (pcs (&log), "100 102 104");
  expect (&log, 1, "r0=1 r1=?");
  expect (&log, 3, "r0=3");
  CHECK_INT (bad_lines (&log), 5);
  CHECK (strstr (tree.said, "log:3: expected an address; the line is left out, "
		 "and so are others like it\n  1 ns MNW4___D nonsense\n"
		 "                ^") != NULL);
  CHECK (strstr (tree.said, "  1 ns FROB 1\n       ^") != NULL);
  CHECK (strstr (tree.said, "FROB 2") == NULL);
  CHECK (strstr (tree.said, "log: not understood: 2 lines FROB, the first in line 7")
	 != NULL);
  close_log (&log);
}

/* The last line may be cut off: what was before it is known.  */
static void
test_cut (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 ns IT (1) 00000100 46c0 T16 NOP\n"
		 "1 ns R r0 00000001\n"
		 "2 ns IT (2) 00000102 46c0 T16 NOP\n"
		 "2 ns IT (3) 0000"))
    return;
  CHECK_STR (pcs (&log), "100 102");
  expect (&log, 2, "r0=1");
  CHECK_INT (tb_recording_info (log.recording)->gaps, 0);
  CHECK_INT (bad_lines (&log), 1);
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

/* FP and vector registers before STEP: "v1=... d8=... s3=..." (V registers by halves, of
   A64 D and S registers too), ? for what is not wholly known.  */
static bool
expect_vectors (struct log *log, uint64_t step, const char *want)
{
  struct tb_vector vectors[TB_NVECTORS];
  char copy[256], got[256] = "";
  bool wide = tb_recording_profile (log->recording)->has_a64;
  if (!tb_state_vectors (log->state, step, vectors))
    memset (vectors, 0, sizeof vectors);
  snprintf (copy, sizeof copy, "%s", want);
  for (char *word = strtok (copy, " "); word != NULL;
       word = strtok (NULL, " "))
    {
      unsigned n = (unsigned) strtoul (word + 1, NULL, 10);
      unsigned lane = word[0] == 's' && !wide ? n % 2 : 0;
      const struct tb_value *v
	= vectors[strncmp (word, "fp", 2) == 0 ? TB_FPSCR
		  : word[0] == 's' && !wide ? n / 2 : n].half;
      uint64_t need = word[0] == 's' || word[0] == 'f' ? UINT32_MAX : UINT64_MAX;
      char text[40] = "?";
      *strchr (word, '=') = 0;
      if (word[0] == 'v' && (v[0].mask & v[1].mask) == UINT64_MAX)
	snprintf (text, sizeof text, "%016" PRIx64 "%016" PRIx64, v[1].bits,
		  v[0].bits);
      else if (word[0] != 'v' && (v[0].mask >> 32 * lane & need) == need)
	snprintf (text, sizeof text, "%" PRIx64, v[0].bits >> 32 * lane & need);
      snprintf (got + strlen (got), sizeof got - strlen (got), "%s%s=%s",
		*got != 0 ? " " : "", word, text);
    }
  if (CHECK_STR (got, want))
    return true;
  fprintf (stderr, "  at step %" PRIu64 "\n", step);
  return false;
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

/* The events: an exception's number (-1: of unknown kind), where it returns to and the
   step before which it is, t for one that follows another at once; r and EXC_RETURN
   for returns.  */
static const char *
exceptions (struct log *log)
{
  static char text[400];
  struct tb_event events[16];
  size_t n = tb_recording_events (log->recording, 0, UINT64_MAX, events, 16);
  text[0] = 0;
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_event *e = &events[i];
      char *p = text + strlen (text), *end = text + sizeof text;
      p += snprintf (p, (size_t) (end - p), "%s", i > 0 ? " " : "");
      if (e->kind == TB_EVENT_EXCEPTION_RETURN)
	p += snprintf (p, (size_t) (end - p), "r%" PRIx64 ">%" PRIx64, e->value,
		       e->address);
      else
	p += snprintf (p, (size_t) (end - p), "%d",
		       e->exception == TB_EXCEPTION_UNKNOWN ? -1
							    : e->exception);
      if (e->kind == TB_EVENT_EXCEPTION
	  && !(e->flags & TB_EXCEPTION_NO_RETURN))
	p += snprintf (p, (size_t) (end - p), "<%" PRIx64, e->address);
      snprintf (p, (size_t) (end - p), "@%" PRIu64 "%s", e->step,
		e->kind == TB_EVENT_EXCEPTION
		&& e->flags & TB_EXCEPTION_TAIL_CHAIN ? "t" : "");
    }
  return text;
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

/* What a line that is not understood may have changed is not known behind it, and
   nothing else.  */
static void
test_unread (void)
{
  struct log log;
  static const char before[] =
    "1 ns IT (1) 00000100 46c0 T16 NOP\n"
    "1 ns R r0 00000001\n"
    "1 ns R r1 20000000\n"
    "1 ns R MSP 20001000\n"
    "1 ns R s1 3f800000\n"
    "1 ns R xpsr 01000000\n"
    "1 ns MNW4___D 20000000 00000011\n"
    "1 ns MNW4___D 20000020 00000022\n"
    "2 ns IT (2) 00000102 46c0 T16 NOP\n";
  static const char behind[] = "3 ns IT (3) 00000104 46c0 T16 NOP\n";
  static const char all[] = "r0=1 r1=20000000 msp=20001000 xpsr=1000000 "
			    "m:20000000=11000000 m:20000020=22000000";
  static const struct { const char *line, *want; } rows[] = {
    { "", "" },
    { "R r0 oops", "r0=?" },
    { "R r0", "r0=?" },
    { "R MSP", "msp=?" },
    { "R s1 oops", "" },
    { "R xpsr oops", "xpsr=?" },
    { "R", "r0=? r1=? msp=? xpsr=?" },
    { "MNW4___D 20000000 oops", "m:20000000=????????" },
    { "MNW2___D 20000000 oops", "m:20000000=????0000" },
    { "MNW4___D oops", "m:20000000=???????? m:20000020=????????" },
    { "MNWx___D 20000000 00000001", "m:20000000=???????? m:20000020=????????" },
    { "ST 20000000 oops", "m:20000000=????????" },
    { "MNR4___D 20000000 oops", "" }, { "MNR4___D oops", "" },
    { "BNW4___S 20000000 oops", "" }, { "CACHE 20000000 r0", "" },
    { "XYZ r0 00000002", "r0=?" },
    { "XYZ r0,r1 := 2", "r0=? r1=?" },
    { "XYZ r9 20000000", "m:20000000=????????" },
    { "XYZ 0x20000020 00000005", "m:20000020=????????" },
    { "XYZ 5", "" }, { "TB r0 oops", "r0=?" },
    { "IT (7) oops", "r0=? r1=? msp=? xpsr=? m:20000000=???????? "
		     "m:20000020=????????" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[1024], want[512] = "", copy[512];
      snprintf (text, sizeof text, "%s%s%s%s%s", before,
		*rows[i].line != 0 ? "2 ns " : "", rows[i].line,
		*rows[i].line != 0 ? "\n" : "", behind);
      if (!open_log (&log, text))
	return;
      expect (&log, 1, all);
      /* What is not said to change is as it was.  */
      snprintf (copy, sizeof copy, "%s", all);
      for (char *word = strtok (copy, " "); word != NULL; word = strtok (NULL, " "))
	{
	  size_t n = (size_t) (strchr (word, '=') - word) + 1;
	  const char *other = rows[i].want;
	  while (other != NULL && strncmp (other, word, n) != 0)
	    other = strchr (other, ' ') != NULL ? strchr (other, ' ') + 1 : NULL;
	  size_t length = other != NULL ? strcspn (other, " ") : strlen (word);
	  snprintf (want + strlen (want), sizeof want - strlen (want), "%s%.*s",
		    *want != 0 ? " " : "", (int) length,
		    other != NULL ? other : word);
	}
      const char *line = rows[i].line;
      bool lost = strcmp (line, "R") == 0 || strncmp (line, "R s1", 4) == 0
		  || *line == 'I';
      if (!expect (&log, 2, want)
	  || !expect_vectors (&log, 2, lost ? "s1=?" : "s1=3f800000"))
	fprintf (stderr, "  behind %s\n", line);
      close_log (&log);
    }
}

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

int
main (void)
{
  tree_make (&tree);
  test_steps ();
  test_registers ();
  test_plain_sp ();
  test_memory ();
  test_bus ();
  test_hindsight ();
  test_late ();
  test_bad ();
  test_unread ();
  test_cut ();
  test_gap ();
  test_groups ();
  test_lines_at_the_end ();
  test_end ();
  test_alone ();
  test_vectors ();
  test_cycle_model ();
  test_push_without_line ();
  test_jump_without_line ();
  test_entry_without_lines ();
  test_return_without_lines ();
  test_frames ();
  test_not_done ();
  test_reset ();
  test_event_names ();
  test_a_events ();
  test_store_at_load ();
  test_order ();
  test_cores ();
  test_fractions ();
  test_recognise ();
  tree_remove (&tree);
  return check_done ();
}
