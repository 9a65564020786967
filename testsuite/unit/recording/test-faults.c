/* What trace and code tell of each other: made-up trace of ETMv4, ETMv3 and PTM
   that the code cannot have made, how its faults are counted, where they are,
   and what is said of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "etmv4-run.h"
#include "v7-run.h"

/* At 0x1000.  */
static const uint32_t a64_words[] =
{
  0xd503201f,		/* 1000	nop  */
  0x54000060,		/* 1004	b.eq 1010  */
  0x17fffffe,		/* 1008	b 1000  */
  0x00000000,		/* 100c	udf  */
  0xd503201f,		/* 1010	nop  */
  0xd65f03c0,		/* 1014	ret  */
  0xd503201f,		/* 1018	nop  */
  0xd4200000,		/* 101c	brk #0  */
  0xd65f03c0,		/* 1020	ret  */
  0xd45e0000,		/* 1024	hlt #0xf000  */
  0xd65f03c0,		/* 1028	ret  */
  0xd4000001,		/* 102c	svc #0  */
  0xd65f03c0,		/* 1030	ret  */
};

static const uint32_t a32_words[] =
{
  0xe1a00000,		/* 1000	nop  */
  0x0afffffd,		/* 1004	beq 1000  */
  0xeafffffc,		/* 1008	b 1000  */
  0xe7f000f0,		/* 100c	udf  */
  0xe1a00000,		/* 1010	nop  */
  0xe12fff1e,		/* 1014	bx lr  */
  0xe1a00000,		/* 1018	nop  */
  0xe1200070,		/* 101c	bkpt #0  */
  0xe12fff1e,		/* 1020	bx lr  */
  0xef123456,		/* 1024	svc #0x123456  */
  0xe12fff1e,		/* 1028	bx lr  */
  0xef000000,		/* 102c	svc #0  */
  0xe12fff1e,		/* 1030	bx lr  */
  0xf0000000,		/* 1034	No instruction.  */
  0xe12fff1e,		/* 1038	bx lr  */
};

/* Code without a branch, longer than what is followed.  */
#define LONG_SIZE (80u << 20)

#define ASYNC4 "000000000000000000000080 0100 "
#define AT4_1000 "820008000031 "	/* A64, EL1, non-secure.  */
#define AT4_100C "820308000031 "
#define AT4_1018 "820608000031 "
#define AT4_1024 "820908000031 "
#define AT4_102C "820b08000031 "
#define ASYNC "000000000080 "
#define AT_1000 "080010000029 "		/* PTM: A32, non-secure.  */
#define AT_100C "080c10000029 "
#define AT3_1000 "082900100000 "	/* ETMv3.  */
#define AT3_100C "08290c100000 "
#define AT_1018 "081810000029 "
#define AT_1024 "082410000029 "
#define AT_102C "082c10000029 "
#define AT_1034 "083410000029 "
#define AT3_1018 "082918100000 "
#define AT3_1024 "082924100000 "
#define AT3_102C "08292c100000 "
#define AT3_1034 "082934100000 "

#define JUMP "the trace goes on elsewhere than the code"
#define UNDEFINED "what ran is no instruction"
#define TRAP "what stops the core (BKPT, UDF, SVC) did not"
#define RUNAWAY "the code has no end within reach"

enum unit { ETMV4, PTM, ETMV3 };

static const struct scenario
{
  const char *name;
  enum unit unit;
  bool straight;		/* Code without a branch.  */
  const char *trace;
  unsigned faults[TB_FAULT_COUNT];
  const char *want;		/* What is said.  */
} scenarios[] =
{
  { "ETMv4: all is well", ETMV4, false,
    ASYNC4 AT4_1000 "f7",
    { 0 },
    "" },
  { "ETMv4: an address where the program is not", ETMV4, false,
    ASYNC4 AT4_1000 "f7 9a00080000 f7",
    { [TB_FAULT_JUMP] = 1 },
    "1 times " JUMP "; first at byte 0x15 by the code at 0x1010 (jump)" },
  { "ETMv4: no instruction", ETMV4, false,
    ASYNC4 AT4_100C "f7",
    { [TB_FAULT_UNDEFINED] = 1 },
    "1 times " UNDEFINED "; first at byte 0x14 by the code at 0x100c"
    " (undefined)" },
  { "ETMv4: an atom, but no branch", ETMV4, true,
    ASYNC4 AT4_1000 "f7",
    { [TB_FAULT_RUNAWAY] = 1 },
    "1 times " RUNAWAY "; first at byte 0x14 by the code at 0x1000"
    " (runaway)" },
  { "ETMv4: several", ETMV4, false,
    ASYNC4 AT4_1000 "f7 9a00080000 f7 9a03080000 f7",
    { [TB_FAULT_JUMP] = 2, [TB_FAULT_UNDEFINED] = 1 },
    "2 times " JUMP ", 1 times " UNDEFINED "; first at byte 0x15 by the code"
    " at 0x1010 (jump), at byte 0x1b by the code at 0x1010 (jump),"
    " at byte 0x20 by the code at 0x100c (undefined)" },
  { "PTM: all is well", PTM, false,
    ASYNC AT_1000 "84",
    { 0 },
    "" },
  { "PTM: a synchronisation that the code does not reach", PTM, false,
    ASYNC AT_1000 "84 081410000009",
    { [TB_FAULT_JUMP] = 1 },
    "1 times " JUMP "; first at byte 0xd by the code at 0x1000 (jump)" },
  { "PTM: a direct branch to elsewhere", PTM, false,
    ASYNC AT_1000 "09",
    { [TB_FAULT_JUMP] = 1 },
    "1 times " JUMP "; first at byte 0xc by the code at 0x1000 (jump)" },
  { "PTM: no instruction", PTM, false,
    ASYNC AT_1034 "84",
    { [TB_FAULT_UNDEFINED] = 1 },
    "1 times " UNDEFINED "; first at byte 0xc by the code at 0x1034"
    " (undefined)" },
  { "PTM: an atom, but no branch", PTM, true,
    ASYNC AT_1000 "84",
    { [TB_FAULT_RUNAWAY] = 1 },
    "1 times " RUNAWAY "; first at byte 0xc by the code at 0x1000"
    " (runaway)" },
  { "ETMv3: all is well", ETMV3, false,
    ASYNC AT3_1000 "84 84",
    { 0 },
    "" },
  { "ETMv3: a branch, but of a NOP", ETMV3, false,
    ASYNC AT3_1000 "84 09",
    { [TB_FAULT_JUMP] = 1 },
    "1 times " JUMP "; first at byte 0xd by the code at 0x1004 (jump)" },
  { "ETMv3: no instruction", ETMV3, false,
    ASYNC AT3_1034 "84",
    { [TB_FAULT_UNDEFINED] = 1 },
    "1 times " UNDEFINED "; first at byte 0xc by the code at 0x1034"
    " (undefined)" },
  { "ETMv4: past a breakpoint", ETMV4, false,
    ASYNC4 AT4_1018 "f7",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0x14 by the code at 0x101c (trap)" },
  { "ETMv4: past a call of the supervisor", ETMV4, false,
    ASYNC4 AT4_102C "f7",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0x14 by the code at 0x102c (trap)" },
  { "ETMv4: an exception in place of a breakpoint, and behind a call", ETMV4, false,
    ASYNC4 AT4_1018 "061b 9a07080000 " AT4_102C "0605 9a0c080000 ",
    { 0 },
    "" },
  { "ETMv4: an exception behind a breakpoint", ETMV4, false,
    ASYNC4 AT4_1018 "061b 9a08080000 ",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0x14 by the code at 0x101c (trap)" },
  { "ETMv4: semihosting", ETMV4, false,
    ASYNC4 AT4_1024 "f7",
    { 0 },
    "" },
  { "PTM: past a breakpoint", PTM, false,
    ASYNC AT_1018 "84",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0xc by the code at 0x101c (trap)" },
  { "PTM: past a breakpoint under Linux", PTM, false,
    ASYNC AT_100C "84",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0xc by the code at 0x100c (trap)" },
  { "PTM: past a call of the supervisor", PTM, false,
    ASYNC AT_102C "84",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0xc by the code at 0x102c (trap)" },
  { "PTM: semihosting", PTM, false,
    ASYNC AT_1024 "84",
    { 0 },
    "" },
  { "ETMv3: past a breakpoint", ETMV3, false,
    ASYNC AT3_1018 "84 84 84",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0xe by the code at 0x101c (trap)" },
  { "ETMv3: past a breakpoint under Linux", ETMV3, false,
    ASYNC AT3_100C "84 84",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0xd by the code at 0x100c (trap)" },
  { "ETMv3: up to a breakpoint", ETMV3, false,
    ASYNC AT3_1018 "84 84",
    { 0 },
    "" },
  { "ETMv3: past a call of the supervisor", ETMV3, false,
    ASYNC AT3_102C "84 84",
    { [TB_FAULT_TRAP] = 1 },
    "1 times " TRAP "; first at byte 0xd by the code at 0x102c (trap)" },
  { "ETMv3: semihosting", ETMV3, false,
    ASYNC AT3_1024 "84 84",
    { 0 },
    "" },
};

static uint8_t *
make_code (enum unit unit, bool straight, size_t *size)
{
  const uint32_t *words = unit == ETMV4 ? a64_words : a32_words;
  size_t count = unit == ETMV4 ? sizeof a64_words / 4 : sizeof a32_words / 4;
  *size = straight ? LONG_SIZE : 4 * count;
  uint8_t *code = malloc (*size);
  for (size_t i = 0; code != NULL && i < *size; i++)
    code[i] = (uint8_t) (words[straight ? 0 : i / 4] >> 8 * (i % 4));
  return code;
}

static void
decode (enum unit unit, const uint8_t *code, size_t code_size,
	const char *hex, struct tb_decoder_stats *stats)
{
  uint8_t bytes[256];
  size_t size = v7_bytes (bytes, sizeof bytes, hex);
  struct tb_buffer text = { 0 };
  if (unit == ETMV4)
    {
      const struct run_unit etm
	= { "ETM4.2", "Cortex-A57", 1, 0x28000ea1, 0x4100f421, 0x488, 0, 0,
	    { code, code_size, 0x1000 } };
      struct run run;
      if (run_init (&run, &etm, bytes, size))
	run_decode (&run, (struct run_reading) { RUN_MOST, false }, &text,
		    stats);
      run_fini (&run);
    }
  else
    {
      static const struct v7_unit kinds[] = {
	[PTM] = { "PTM1.1", "Cortex-A15", 0x400, 0x411cf312, 0x34c01ac2,
		  { NULL, 0, 0x1000 } },
	[ETMV3] = { "ETM3.5", "Cortex-A7", 0x400, 0x410cf250, 0x344008f2,
		    { NULL, 0, 0x1000 } }
      };
      struct v7_unit kind = kinds[unit];
      struct run run;
      kind.code.bytes = code;
      kind.code.size = code_size;
      if (v7_run_init (&run, &kind, bytes, size))
	run_decode (&run, (struct run_reading) { RUN_MOST, false }, &text, stats);
      run_fini (&run);
    }
  tb_buffer_fini (&text);
}

static void
check_scenario (const struct scenario *scenario)
{
  struct tb_decoder_stats stats = { 0 };
  struct tb_buffer text = { 0 };
  size_t size;
  uint8_t *code = make_code (scenario->unit, scenario->straight, &size);
  uint64_t sum = 0;
  bool same = true;

  if (!CHECK (code != NULL))
    return;
  decode (scenario->unit, code, size, scenario->trace, &stats);
  tb_faults_text (&text, &stats);
  tb_buffer_append (&text, "", 1);
  for (unsigned i = 0; i < TB_FAULT_COUNT; i++)
    {
      same &= CHECK_INT (stats.faults[i], scenario->faults[i]);
      sum += stats.faults[i];
    }
  same &= CHECK_INT (stats.bad_image, sum);
  same &= CHECK_STR ((const char *) text.data, scenario->want);
  if (!same)
    fprintf (stderr, "%s\n", scenario->name);
  tb_buffer_fini (&text);
  free (code);
}

int
main (void)
{
  for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
    check_scenario (&scenarios[i]);
  return check_done ();
}
