/* Tarmac logs as recordings: vectors and predicates of SVE.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "log-run.h"
#include "state/answer/sve.h"

/* V registers are the lowest part of Z registers.  */
static void
test_scalable (void)
{
  struct log log;
  if (!open_log (&log,
		 "1 clk R Z0 00000008_00000007_00000006_00000005_00000004_00000003"
		 "_00000002_00000001\n"
		 "1 clk R P0 a682\n"
		 "1 clk IT (1) 00008000 d503201f O EL1h_n : NOP\n"
		 "1 clk R Z1 40437ae4_3f9b5c75_403f687a_3fe1f6c0\n"
		 "2 clk IT (2) 00008004 d503201f O EL1h_n : NOP\n"))
    return;
  expect_vectors (&log, 0, "v0=00000004000000030000000200000001 v1=?");
  expect_vectors (&log, 1, "v0=00000004000000030000000200000001 "
		  "v1=40437ae43f9b5c75403f687a3fe1f6c0");
  CHECK_INT (bad_lines (&log), 0);
  close_log (&log);
}

/* SVE register REG before STEP, as hexadecimal bytes: "?" for those not known.  */
static void
expect_sve (struct log *log, uint64_t step, unsigned reg, const char *want)
{
  char got[2 * TB_SVE_MAX + 1] = "";
  struct tb_sve value;
  unsigned size = tb_sve_size (tb_state_sve_length (log->state), reg);
  bool any = tb_state_sve (log->state, step, reg, &value);
  CHECK_INT (any, strspn (want, "?") != strlen (want));
  for (unsigned i = size; i > 0; i--)
    snprintf (got + 2 * (size - i), 3, value.mask[i - 1] == 0xff ? "%02x" : "??",
	      value.bytes[i - 1]);
  if (!CHECK_STR (got, want))
    fprintf (stderr, "  register %u at step %" PRIu64 "\n", reg, step);
}

/* All of Z registers, predicates and FFR are known until an instruction may write them;
   one of Advanced SIMD clears what it does not write.  */
static void
test_sve (void)
{
  static const char unknown[] = "????????????????????????????????"
				"????????????????????????????????";
  struct log log;
  if (!open_log (&log,
		 "0 clk R P0 00010001\n"
		 "0 clk R FFR 0000ffff\n"
		 "0 clk R Z3 00112233_44556677_8899aabb_ccddeeff"
		 "_00112233_44556677_8899aabb_ccddeeff\n"
		 "0 clk IT (0) 00008000 d503201f O EL3h_s : NOP\n"
		 "1 clk IT (1) 00008004 6f00e403 O EL3h_s : MOVI v3.2d,#0\n"
		 "1 clk R V3 00000000000000000000000000000000\n"
		 "2 clk IT (2) 00008008 d503201f O EL3h_s : NOP\n"
		 "3 clk IT (3) 0000800c 25b8c020 O EL3h_s : DUP z0.s,#1\n"
		 "3 clk R Z0 00000001_00000001_00000001_00000001"
		 "_00000001_00000001_00000001_00000001\n"
		 "4 clk IT (4) 00008010 d503201f O EL3h_s : NOP\n"
		 "4 clk R Z0 00000002_00000002_00000002_00000002\n"
		 "5 clk IT (5) 00008014 d503201f O EL3h_s : NOP\n"))
    return;
  CHECK_INT (tb_state_sve_length (log.state), 32);
  for (unsigned step = 0; step < 2; step++)
    {
      expect_sve (&log, step, 3, "00112233445566778899aabbccddeeff"
		  "00112233445566778899aabbccddeeff");
      expect_sve (&log, step, TB_SVE_P, "00010001");
      expect_sve (&log, step, TB_SVE_FFR, "0000ffff");
    }
  for (unsigned step = 2; step < 4; step++)
    {
      expect_sve (&log, step, 3, "00000000000000000000000000000000"
		  "00000000000000000000000000000000");
      expect_sve (&log, step, TB_SVE_P, "00010001");
    }
  expect_sve (&log, 4, 3, unknown);
  expect_sve (&log, 4, TB_SVE_P, "????????");
  expect_sve (&log, 4, TB_SVE_FFR, "????????");
  expect_sve (&log, 4, 0, "00000001000000010000000100000001"
	      "00000001000000010000000100000001");
  /* A shorter line need not mean that the rest is as it was.  */
  expect_sve (&log, 5, 0, "????????????????????????????????"
	      "00000002000000020000000200000002");
  close_log (&log);
}

/* A change of streaming mode clears vectors and predicates if there is one, and sets
   FPSR; that of ZA leaves them alone.  Moves out of ZA and MSR write them without lines,
   too.  */
static void
test_streaming_mode (void)
{
  static const struct
  {
    const char *opcode, *z, *p, *fpsr, *fpcr;
  } rows[] = {
    { "d503457f O EL3h_s : SMSTART za", "11", "0101", "8000000", "1000000" },
    { "d503437f O EL3h_s : SMSTART sm", "??", "????", "?", "1000000" },
    { "d503467f O EL3h_s : SMSTOP", "??", "????", "?", "1000000" },
    { "d51b4241 O EL3h_s : MSR SVCR,x1", "??", "????", "?", "1000000" },
    { "c0020000 O EL3h_s : MOV z0.b,p0/m,za0h.b[w12,#0]", "??", "????", "?", "1000000" },
    { "d51b4401 O EL3h_s : MSR FPCR,x1", "11", "0101", "8000000", "?" },
    { "d51b4421 O EL3h_s : MSR FPSR,x1", "11", "0101", "?", "1000000" },
    { "85804000 O EL3h_s : LDR z0,[x0]", "??", "????", "8000000", "1000000" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[800], z[65], p[9], want[40];
      struct log log;
      snprintf (text, sizeof text,
		"0 clk R P0 01010101\n0 clk R FFR 01010101\n0 clk R FPSR 08000000\n"
		"0 clk R FPCR 01000000\n0 clk R Z3 11111111_11111111_11111111_11111111"
		"_11111111_11111111_11111111_11111111\n"
		"0 clk IT (0) 00008000 %s\n"
		"1 clk IT (1) 00008004 d503201f O EL3h_s : NOP\n", rows[i].opcode);
      if (!open_log (&log, text))
	return;
      for (unsigned k = 0; k < 64; k++)
	z[k] = rows[i].z[0];
      for (unsigned k = 0; k < 8; k++)
	p[k] = rows[i].p[k % 4];
      z[64] = p[8] = 0;
      expect_sve (&log, 1, 3, z);
      expect_sve (&log, 1, TB_SVE_P, p);
      expect_sve (&log, 1, TB_SVE_FFR, p);
      snprintf (want, sizeof want, "fpcr=%s fpsr=%s", rows[i].fpcr, rows[i].fpsr);
      expect_vectors (&log, 1, want);
      close_log (&log);
    }
}

#define NOTHING "????????????????????????????????"
#define ELEVEN "11111111111111111111111111111111"
#define ONES "ffffffffffffffffffffffffffffffff"
#define ZEROS "00000000000000000000000000000000"

/* A line of this program's own tells a Z register and which bits of it are known; "?" says
   that none is, whatever was known before.  */
static void
test_own_lines (void)
{
  struct log log;
  if (!open_log (&log,
		 "0 clk cpu0 TB log 1\n"
		 "0 clk cpu0 TB core Cortex-A510\n"
		 "0 clk cpu0 TB z1 " ELEVEN ELEVEN " " ONES ONES "\n"
		 "0 clk cpu0 TB z2 " ELEVEN ELEVEN " " ZEROS ONES "\n"
		 "0 clk cpu0 TB z3 " ELEVEN ELEVEN " " ONES ZEROS "\n"
		 "1 clk cpu0 IT (1) 00008000 d503201f O any : nop\n"
		 "1 clk cpu0 TB z1 ?\n"
		 "1 clk cpu0 TB z2 " ELEVEN ELEVEN " " ONES ONES "\n"
		 "2 clk cpu0 IT (2) 00008004 d503201f O any : nop\n"))
    return;
  CHECK_INT (bad_lines (&log), 0);
  expect_sve (&log, 0, 1, ELEVEN ELEVEN);
  expect_sve (&log, 0, 2, NOTHING ELEVEN);
  expect_sve (&log, 0, 3, ELEVEN NOTHING);
  expect_sve (&log, 1, 1, NOTHING NOTHING);
  expect_sve (&log, 1, 2, ELEVEN ELEVEN);
  expect_sve (&log, 1, 3, ELEVEN NOTHING);
  close_log (&log);
}

int
main (void)
{
  static void (*const tests[]) (void) = {
    test_scalable, test_sve, test_streaming_mode, test_own_lines
  };
  return log_tests (tests, sizeof tests / sizeof tests[0]);
}
