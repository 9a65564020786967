/* Unit test of arm/flow/flow.h for T32.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "flow-row.h"

/* Cores that differ in what they have.  */
static const char *const cores[] =
{
  "Cortex-A15", "Cortex-M0", "Cortex-M4", "Cortex-M23", "Cortex-M33",
  "Cortex-M55"
};
#define NCORES (sizeof cores / sizeof cores[0])

/* Sets of them.  */
enum
{
  A15 = 1, M0 = 2, M4 = 4, M23 = 8, M33 = 16, M55 = 32,
  ALL = 63, M = ALL & ~A15, MAIN = M4 | M33 | M55, T2 = MAIN | A15,
  V8 = M23 | M33 | M55, V81 = M33 | M55
};

/* Instructions of 16 bits stand in the low half.  Outside CORES each must be
   no instruction.  */
static const struct
{
  const char *text;
  uint32_t opcode;
  uint32_t pc;
  const char *want;
  uint64_t target;
  unsigned cores;
  unsigned it_length;
} rows[] =
{
  /* Immediate branches of 16 bits.  */
  { "beq .", 0xd0fe, 0x1000, "Bc", 0x1000, ALL, 0 },
  { "bne .+4", 0xd100, 0x1000, "Bc", 0x1004, ALL, 0 },
  { "ble .+0x102", 0xdd7f, 0x1000, "Bc", 0x1102, ALL, 0 },
  { "bgt .-0xfc", 0xdc80, 0x1000, "Bc", 0xf04, ALL, 0 },
  { "udf #0", 0xde00, 0x1000, "BRK", 0, ALL, 0 },
  { "svc #0", 0xdf00, 0x1000, "SVC", 0, ALL, 0 },
  { "svc for semihosting", 0xdfab, 0x1000, "-", 0, ALL, 0 },
  { "b .", 0xe7fe, 0x1000, "B", 0x1000, ALL, 0 },
  { "b .+0x802", 0xe3ff, 0x1000, "B", 0x1802, ALL, 0 },
  { "b .-0x7fc", 0xe400, 0x1000, "B", 0x804, ALL, 0 },
  { "b .-0x7fc around 0", 0xe400, 0, "B", 0xfffff804, ALL, 0 },
  { "b .+4 around the top", 0xe000, 0xfffffffe, "B", 2, ALL, 0 },
  { "cbz r0, .+4", 0xb100, 0x1000, "Bc", 0x1004, ALL & ~M0, 0 },
  { "cbnz r7, .+0x82", 0xbbff, 0x1000, "Bc", 0x1082, ALL & ~M0, 0 },
  { "cbz r1, .+0x46", 0xb309, 0x1000, "Bc", 0x1046, ALL & ~M0, 0 },
  /* Register branches of 16 bits.  */
  { "bx lr", 0x4770, 0, "I7", 0, ALL, 0 },
  { "bx r0", 0x4700, 0, "I", 0, ALL, 0 },
  { "bx pc", 0x4778, 0, "I", 0, ALL, 0 },
  { "blx r3", 0x4798, 0, "Il", 0, ALL, 0 },
  { "blx lr", 0x47f0, 0, "Il", 0, ALL, 0 },
  { "bxns lr", 0x4774, 0, "I7", 0, ALL, 0 },
  { "bxns r0", 0x4704, 0, "I", 0, ALL, 0 },
  { "blxns r0", 0x4784, 0, "Il", 0, ALL, 0 },
  { "mov pc, lr", 0x46f7, 0, "I7", 0, ALL, 0 },
  { "mov pc, r0", 0x4687, 0, "I", 0, ALL, 0 },
  { "mov lr, pc", 0x46fe, 0, "-", 0, ALL, 0 },
  { "mov r7, r8", 0x4647, 0, "-", 0, ALL, 0 },
  { "add pc, r0", 0x4487, 0, "I", 0, ALL, 0 },
  { "add r7, lr", 0x4477, 0, "-", 0, ALL, 0 },
  { "cmp pc, r0", 0x4587, 0, "-", 0, ALL, 0 },
  { "pop {pc}", 0xbd00, 0, "I7", 0, ALL, 0 },
  { "pop {r4-r7, pc}", 0xbdf0, 0, "I7", 0, ALL, 0 },
  { "pop {r4-r7}", 0xbcf0, 0, "-", 0, ALL, 0 },
  { "push {r4, lr}", 0xb510, 0, "-", 0, ALL, 0 },
  { "ldm r0!, {r7}", 0xc880, 0, "-", 0, ALL, 0 },
  { "ldr r7, [pc, #4]", 0x4f01, 0, "-", 0, ALL, 0 },
  /* IT and hints.  */
  { "it eq", 0xbf08, 0, "-", 0, T2, 1 },
  { "itt eq", 0xbf04, 0, "-", 0, T2, 2 },
  { "ite eq", 0xbf0c, 0, "-", 0, T2, 2 },
  { "itt ne", 0xbf1c, 0, "-", 0, T2, 2 },
  { "ittt gt", 0xbfc2, 0, "-", 0, T2, 3 },
  { "itete eq", 0xbf0b, 0, "-", 0, T2, 4 },
  { "itttt eq", 0xbf01, 0, "-", 0, T2, 4 },
  { "nop", 0xbf00, 0, "-", 0, ALL, 0 },
  { "yield", 0xbf10, 0, "-", 0, ALL, 0 },
  { "wfe", 0xbf20, 0, "WAIT", 0, ALL, 0 },
  { "wfi", 0xbf30, 0, "WAIT", 0, ALL, 0 },
  { "sev", 0xbf40, 0, "-", 0, ALL, 0 },
  { "bkpt #0", 0xbe00, 0, "BRK", 0, ALL, 0 },
  { "bkpt for semihosting", 0xbeab, 0, "-", 0, ALL, 0 },
  { "cpsid i", 0xb672, 0, "-", 0, ALL, 0 },
  { "movs r0, #0", 0x2000, 0, "-", 0, ALL, 0 },
  /* Immediate branches of 32 bits.  */
  { "bl .+4", 0xf000f800, 0x1000, "Bl", 0x1004, ALL, 0 },
  { "bl .", 0xf7fffffe, 0x1000, "Bl", 0x1000, ALL, 0 },
  { "bl .+0x1000002", 0xf3ffd7ff, 0x1000, "Bl", 0x1001002, ALL, 0 },
  { "bl .-0xfffffc", 0xf400d000, 0x2000000, "Bl", 0x1000004, ALL, 0 },
  { "bl .+0x400004", 0xf000f000, 0x1000, "Bl", 0x401004, ALL, 0 },
  { "bl .+0x800004", 0xf000d800, 0x1000, "Bl", 0x801004, ALL, 0 },
  { "b.w .", 0xf7ffbffe, 0x1000, "B", 0x1000, ALL & ~M0, 0 },
  { "b.w .+0x1000002", 0xf3ff97ff, 0x1000, "B", 0x1001002, ALL & ~M0, 0 },
  { "beq.w .", 0xf43faffe, 0x1000, "Bc", 0x1000, T2, 0 },
  { "bne.w .+0x100002", 0xf07fafff, 0x1000, "Bc", 0x101002, T2, 0 },
  { "ble.w .-0xffffc", 0xf7408000, 0x200000, "Bc", 0x100004, T2, 0 },
  { "bge.w .+0x40004", 0xf280a000, 0x1000, "Bc", 0x41004, T2, 0 },
  { "bge.w .+0x80004", 0xf2808800, 0x1000, "Bc", 0x81004, T2, 0 },
  { "blx .+4", 0xf000e800, 0x1000, "Bla", 0x1004, A15, 0 },
  { "blx .+2 from a half word", 0xf000e800, 0x1002, "Bla", 0x1004, A15, 0 },
  { "blx .", 0xf7ffeffe, 0x1000, "Bla", 0x1000, A15, 0 },
  /* Loops and branch futures of v8.1-M.  */
  { "wls lr, r0, .+0x24", 0xf040c011, 0x1000, "Bu", 0x1024, V81, 0 },
  { "wls lr, r3, .+6", 0xf043c801, 0x1000, "Bu", 0x1006, V81, 0 },
  { "wlstp.8 lr, r0, .+0x1002", 0xf000cfff, 0x1000, "Bu", 0x2002, V81, 0 },
  { "wlstp.64 lr, r2, .+4", 0xf032c001, 0x1000, "Bu", 0x1004, V81, 0 },
  { "le lr, .-0x10", 0xf00fc00b, 0x1010, "Bu", 0x1000, V81, 0 },
  { "le .-0x12", 0xf02fc80b, 0x1010, "B", 0xffe, V81, 0 },
  { "letp lr, .-4", 0xf01fc005, 0x1010, "Bu", 0x100c, V81, 0 },
  { "dls lr, r0", 0xf040e001, 0x1000, "-", 0, V81, 0 },
  { "dlstp.16 lr, r0", 0xf010e001, 0x1000, "-", 0, V81, 0 },
  { "lctp", 0xf00fe001, 0x1000, "-", 0, V81, 0 },
  { "bf", 0xf140e001, 0x1000, "-", 0, V81, 0 },
  { "bfx", 0xf0e0e001, 0x1000, "-", 0, V81, 0 },
  { "bfl", 0xf080c001, 0x1000, "-", 0, V81, 0 },
  { "wls lr, pc", 0xf04fc011, 0x1000, "UND", 0, ALL, 0 },
  { "letp, bits 22:20 3", 0xf03fc011, 0x1000, "UND", 0, ALL, 0 },
  /* Returns from exceptions of A and R.  */
  { "subs pc, lr, #4", 0xf3de8f04, 0, "Ie", 0, A15, 0 },
  { "eret", 0xf3de8f00, 0, "Ie", 0, A15, 0 },
  { "bxj r2", 0xf3c28f00, 0, "I", 0, A15, 0 },
  { "rfeia sp!", 0xe9bdc000, 0, "Ie", 0, A15, 0 },
  { "rfedb r0", 0xe810c000, 0, "Ie", 0, A15, 0 },
  { "srsdb sp!, #19", 0xe82dc013, 0, "-", 0, A15, 0 },
  /* Loads and table branches.  */
  { "pop.w {r4-r8, pc}", 0xe8bd81f0, 0, "I7", 0, ALL & ~M0, 0 },
  { "ldmia.w sp, {r4, pc}", 0xe89d8010, 0, "I", 0, ALL & ~M0, 0 },
  { "ldmdb r0!, {r4, pc}", 0xe9308010, 0, "I", 0, ALL & ~M0, 0 },
  { "ldmia.w r0, {r4, lr}", 0xe8904010, 0, "-", 0, ALL & ~M0, 0 },
  { "stmdb sp!, {r4, lr}", 0xe92d4010, 0, "-", 0, ALL & ~M0, 0 },
  { "clrm {r0, r1, apsr}", 0xe89f8003, 0, "-", 0, M & ~M0, 0 },
  { "tbb [pc, r0]", 0xe8dff000, 0, "I", 0, ALL & ~M0, 0 },
  { "tbh [r1, r2, lsl #1]", 0xe8d1f012, 0, "I", 0, ALL & ~M0, 0 },
  { "ldrexb r0, [r1]", 0xe8d10f4f, 0, "-", 0, ALL & ~M0, 0 },
  { "ldr.w pc, [r0, #4]", 0xf8d0f004, 0, "I", 0, ALL & ~M0, 0 },
  { "ldr.w pc, [pc, #4]", 0xf8dff004, 0, "I", 0, ALL & ~M0, 0 },
  { "ldr.w pc, [pc, #-4]", 0xf85ff004, 0, "I", 0, ALL & ~M0, 0 },
  { "ldr.w pc, [sp], #4", 0xf85dfb04, 0, "I7", 0, ALL & ~M0, 0 },
  { "ldr.w pc, [sp], #-4", 0xf85df904, 0, "I", 0, ALL & ~M0, 0 },
  { "ldr.w pc, [r0, #-4]!", 0xf850fd04, 0, "I", 0, ALL & ~M0, 0 },
  { "ldr.w pc, [r0, #-4]", 0xf850fc04, 0, "I", 0, ALL & ~M0, 0 },
  { "ldr pc, neither index", 0xf850f804, 0, "UND", 0, ALL, 0 },
  { "ldr.w pc, [r0, r1, lsl #2]", 0xf850f021, 0, "I", 0, ALL & ~M0, 0 },
  { "ldr.w r0, [r0, r1, lsl #2]", 0xf8500021, 0, "-", 0, ALL & ~M0, 0 },
  { "pld [r0, #4]", 0xf890f004, 0, "-", 0, ALL & ~M0, 0 },
  { "size 2 of the signed loads", 0xf950f004, 0, "-", 0, ALL & ~M0, 0 },
  { "bxaut r12, lr, sp", 0xfb5ecf1d, 0, "I7", 0, M55, 0 },
  { "bxaut r12, r3, sp", 0xfb53cf1d, 0, "I", 0, M55, 0 },
  /* Barriers and hints.  */
  { "isb", 0xf3bf8f6f, 0, "ISB", 0, ALL, 0 },
  { "dsb sy", 0xf3bf8f4f, 0, "BAR", 0, ALL, 0 },
  { "dmb sy", 0xf3bf8f5f, 0, "BAR", 0, ALL, 0 },
  { "clrex", 0xf3bf8f2f, 0, "-", 0, ALL, 0 },
  { "mcr p15, 0, r0, c7, c5, 4", 0xee070f95, 0, "ISB", 0, A15, 0 },
  { "mcr p15, 0, r3, c7, c10, 4", 0xee073f9a, 0, "BAR", 0, A15, 0 },
  { "mcr p15, 0, r3, c7, c10, 5", 0xee073fba, 0, "BAR", 0, A15, 0 },
  { "wfi.w", 0xf3af8003, 0, "WAIT", 0, ALL & ~M0, 0 },
  { "wfe.w", 0xf3af8002, 0, "WAIT", 0, ALL & ~M0, 0 },
  { "nop.w", 0xf3af8000, 0, "-", 0, ALL & ~M0, 0 },
  { "cpsid.w i", 0xf3af8640, 0, "-", 0, ALL & ~M0, 0 },
  { "msr primask, r0", 0xf3808810, 0, "-", 0, ALL, 0 },
  { "mrs r0, primask", 0xf3ef8010, 0, "-", 0, ALL, 0 },
  { "udf.w #0", 0xf7f0a000, 0, "BRK", 0, ALL, 0 },
  { "smc #0", 0xf7f08000, 0, "SVC", 0, A15, 0 },
  { "hvc #0", 0xf7e08000, 0, "SVC", 0, A15, 0 },
  { "add.w r0, r1, #1", 0xf1010001, 0, "-", 0, ALL & ~M0, 0 },
  { "vmov.f32 s0, s1", 0xeeb00a60, 0, "-", 0, ALL & ~M0, 0 },
};

/* In an IT block everything is conditional.  */
static void
test_in_it (const struct tb_profile *profile)
{
  static const struct
  {
    uint32_t opcode;
    const char *want;
    unsigned size;
  } in_it[] =
  {
    { 0x47700000, "I7c", 2 }, { 0xbd100000, "I7c", 2 },
    { 0x47980000, "Ilc", 2 }, { 0x20000000, "-c", 2 },
    { 0xe8bd81f0, "I7c", 4 }, { 0xf85dfb04, "I7c", 4 },
    { 0xdf000000, "-c", 2 }, { 0xbe000000, "BRKc", 2 },
    { 0xf3bf8f6f, "ISBc", 4 }, { 0xbf300000, "WAITc", 2 },
  };
  struct tb_flow flow;

  for (size_t i = 0; i < sizeof in_it / sizeof in_it[0]; i++)
    {
      tb_flow_t32 (&flow, in_it[i].opcode, 0x1000, true, profile);
      check_flow (&flow, in_it[i].want, 0, in_it[i].size, TB_ISA_T32,
		  "in an IT block");
    }
  tb_flow_t32 (&flow, 0xe0000000, 0x1000, true, profile);
  check_flow (&flow, "Bc", 0x1004, 2, TB_ISA_T32, "b in an IT block");
  tb_flow_t32 (&flow, 0xf000f800, 0x1000, true, profile);
  check_flow (&flow, "Blc", 0x1004, 4, TB_ISA_T32, "bl in an IT block");
}

/* ThumbEE.  */
static void
test_t32ee (void)
{
  static const struct { const char *text; uint32_t opcode; const char *want;
			uint64_t target; } ee[] = {
    { "hbp #1, #2", 0xc022, "I", 0 }, { "udf", 0xc100, "UND", 0 },
    { "hb #255", 0xc2ff, "I", 0 }, { "hbl #1", 0xc301, "Il", 0 },
    { "hblp #0, #0", 0xc400, "Il", 0 }, { "hblp #31, #31", 0xc7ff, "Il", 0 },
    { "ldr r0, [r0, #-4]", 0xc840, "-", 0 }, { "chka r0, r1", 0xca08, "-", 0 },
    { "ldr r0, [r10, #0]", 0xcb00, "-", 0 }, { "str r0, [r9]", 0xce00, "-", 0 },
    { "leavex", 0xf3bf8f0f, "Bt", 0x1004 }, { "enterx", 0xf3bf8f1f, "-", 0 },
    { "isb", 0xf3bf8f6f, "ISB", 0 }, { "beq .", 0xd0fe, "Bc", 0x1000 },
    { "bl .", 0xf7fffffe, "Bl", 0x1000 }, { "bx lr", 0x4770, "I7", 0 },
    { "pop {pc}", 0xbd00, "I7", 0 }, { "nop", 0xbf00, "-", 0 },
    { "mov r0, r1", 0x4608, "-", 0 }
  };
  struct tb_profile a9, m4;
  struct tb_flow flow;
  CHECK (tb_profile_find (&a9, "Cortex-A9"));
  CHECK (tb_profile_find (&m4, "Cortex-M4"));
  for (size_t i = 0; i < sizeof ee / sizeof ee[0]; i++)
    {
      bool wide = ee[i].opcode > 0xffff;
      tb_flow_t32ee (&flow, wide ? ee[i].opcode : ee[i].opcode << 16, 0x1000,
		     false, &a9);
      check_flow (&flow, ee[i].want, ee[i].target, wide ? 4 : 2, TB_ISA_T32EE,
		  ee[i].text);
    }
  tb_flow_t32ee (&flow, 0xc2000000, 0x1000, true, &a9);
  check_flow (&flow, "Ic", 0, 2, TB_ISA_T32EE, "hb in an IT block");
  /* And the way there.  */
  tb_flow_t32 (&flow, 0xf3bf8f1f, 0x1000, false, &a9);
  check_flow (&flow, "Bx", 0x1004, 4, TB_ISA_T32, "enterx");
  tb_flow_t32 (&flow, 0xf3bf8f0f, 0x1000, false, &a9);
  check_flow (&flow, "-", 0, 4, TB_ISA_T32, "leavex in T32");
  tb_flow_t32 (&flow, 0xf3bf8f1f, 0x1000, false, &m4);
  check_flow (&flow, "-", 0, 4, TB_ISA_T32, "no enterx on M profile");
  tb_flow_t32 (&flow, 0xc2ff0000, 0x1000, false, &a9);
  check_flow (&flow, "-", 0, 2, TB_ISA_T32, "stmia in T32");
}

int
main (void)
{
  struct tb_profile profiles[NCORES];
  struct tb_flow flow;

  for (size_t k = 0; k < NCORES; k++)
    CHECK (tb_profile_find (&profiles[k], cores[k]));
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (size_t k = 0; k < NCORES; k++)
      {
	bool wide = rows[i].opcode > 0xffff;
	bool has = (rows[i].cores >> k & 1) != 0;
	char text[128];

	snprintf (text, sizeof text, "%s on %s", rows[i].text, cores[k]);
	tb_flow_t32 (&flow, wide ? rows[i].opcode : rows[i].opcode << 16,
		     rows[i].pc, false, &profiles[k]);
	/* Encodings that are something else where they are not this.  */
	if (!has && flow.kind == TB_FLOW_OTHER
	    && ((rows[i].opcode & 0xff000000) == 0xfb000000
		|| (rows[i].opcode & 0xff000000) == 0xee000000))
	  continue;
	if (!has && strstr (rows[i].text, "clrm") != NULL)
	  continue;
	check_flow (&flow, has ? rows[i].want : "UND",
		    has ? rows[i].target : 0, wide ? 4 : 2, TB_ISA_T32, text);
	check_int (flow.it_length, has ? rows[i].it_length : 0, text, 0,
		   "IT");
      }
  test_in_it (&profiles[0]);
  test_in_it (&profiles[2]);
  test_t32ee ();

  CHECK_INT (tb_t32_size (0xe7ff), 2);
  CHECK_INT (tb_t32_size (0xe800), 4);
  CHECK_INT (tb_t32_size (0xffff), 4);
  return check_done ();
}
