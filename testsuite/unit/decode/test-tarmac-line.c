/* Lines of Tarmac logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "decode/tarmac/line.h"

static uint8_t wide[TB_TARMAC_VALUE];

/* What TEXT is, in a word or a few.  */
static const char *
parse (const char *text)
{
  static char said[256];
  static char copy[1024];
  struct tb_tarmac_line l;
  snprintf (copy, sizeof copy, "%s\n", text);
  tb_tarmac_parse (&l, copy, copy + strlen (text), wide);
  char *p = said;
#define PUT(...) (p += snprintf (p, (size_t) (said + sizeof said - p), \
				 __VA_ARGS__))
  PUT ("%s", tb_tarmac_kind_name (l.kind));
  if (l.has_time)
    PUT (" @%" PRIu64 "%.*s", l.time, (int) l.unit.length, l.unit.text);
  if (l.cpu.length > 0)
    PUT (" %.*s", (int) l.cpu.length, l.cpu.text);
  if (l.has_tag)
    PUT (" #%" PRIx64, l.tag);
  switch (l.kind)
    {
    case TB_TARMAC_STEP:
      PUT (" %c %" PRIx64 " %x/%u %s %.*s", l.how, l.address, l.opcode, l.size,
	   tb_isa_name (l.isa), (int) l.mode.length, l.mode.text);
      break;
    case TB_TARMAC_REGISTER:
      PUT (" %.*s", (int) l.name.length, l.name.text);
      if (l.first_bit != 0)
	PUT ("+%u", l.first_bit);
      PUT ("=%" PRIx64 "/%u%s", l.value, l.bytes, l.unknown ? "?" : "");
      break;
    case TB_TARMAC_MEMORY:
    case TB_TARMAC_BUS:
      PUT (" %c%u %" PRIx64, l.write ? 'w' : 'r', l.length, l.address);
      if (l.has_physical)
	PUT (":%" PRIx64, l.physical);
      if (l.lanes)
	{
	  PUT (" touched %04x shown %04x", l.touched, l.shown);
	  for (unsigned i = 8; i > 0; i--)
	    l.value = l.value << 8 | wide[i - 1];
	}
      PUT ("=%" PRIx64 " p%u%s%s%s", l.value, l.port, l.unknown ? "?" : "",
	   l.aborted ? " aborted" : l.continued ? " continued" : "",
	   l.speculative ? " speculative" : "");
      break;
    case TB_TARMAC_EVENT:
      PUT (" %.*s", (int) l.name.length, l.name.text);
      if (l.has_number)
	PUT ("=%x at %" PRIx64, l.number, l.address);
      else if (l.number != 0)
	PUT (" number %u", l.number);
      if (l.has_vector)
	PUT (" vector %x", l.vector);
      break;
    case TB_TARMAC_BAD:
      PUT (" %s at %d", tb_tarmac_problem_text (l.problem),
	   (int) (l.at - copy));
      break;
    default:
      break;
    }
  return said;
}

static const struct
{
  const char *text, *want;
} rows[] = {
  /* The test benches of the Cortex-M.  */
  { "     315760 ns IT (000007e8:0000247c) 000007e8     2900 T16 CMP r1,#0",
    "instruction @315760ns #247c T 7e8 2900/2 T32 " },
  { "1 ns IS (7e8:247d) 000007ea d0f9 T16 BEQ 0x7e0",
    "instruction @1ns #247d S 7ea d0f9/2 T32 " },
  { "1 ns IF (7e8:1) 000007ea bf00 T16 NOP",
    "instruction @1ns #1 F 7ea bf00/2 T32 " },
  { "1 ns IA (7e8:1) 000007ea 0000e7fe X B .",
    "instruction @1ns #1 A 7ea e7fe/4 A32 " },
  { "1 ns IE (7e8:1) 80000000 ---- X",
    "instruction @1ns #1 E 80000000 0/0 T32 " },
  { "1 ns IE (7e8:1) 80000000 X",
    "instruction @1ns #1 E 80000000 0/0 T32 " },
  { "1 ns IT (17) 000007e8 2900 T16 CMP r1,#0",
    "instruction @1ns #11 T 7e8 2900/2 T32 " },
  { "1 ns IT (7e8:2) 000007e8 f44f7180 T32 MOV.W r1,#0x100",
    "instruction @1ns #2 T 7e8 f44f7180/4 T32 " },
  { "1 ns IT (7e8:2) 000007e8 f44f 7180 T32 MOV.W r1,#0x100",
    "instruction @1ns #2 T 7e8 f44f7180/4 T32 " },
  { "1 ns IT 000007e8 2900 T16 CMP", "instruction @1ns T 7e8 2900/2 T32 " },
  { "12 ns R r9 0000000a", "register @12ns r9=a/4" },
  { "12 ns R (7e8:2) r9 0000000a", "register @12ns #2 r9=a/4" },
  { "12 ns R r9 0000000a (7e8:2)", "register @12ns #2 r9=a/4" },
  { "12ns R r9 0", "register @12ns r9=0/1" },
  { "12 ns R r9 xxxxxxxx", "register @12ns r9=0/4?" },
  { "12 ns R q9 --------_00000001", "register @12ns q9=1/8?" },
  { "4000 ns E Reset", "event @4000ns Reset" },
  { "100 ns BNR4___I 00000000 00000a44", "bus @100ns r4 0=a44 p1" },
  { "140 ns BNR4O__I 00000838 f0018800", "bus @140ns r4 838=f0018800 p1" },
  { "140 ns BNW4___S e000ed08 00000000", "bus @140ns w4 e000ed08=0 p3" },
  { "830 ns MNW1___D 00400000 74", "memory @830ns w1 400000=74 p0" },
  { "830 ns MNW4___D 00400000 74", "memory @830ns w4 400000=74 p0" },
  { "830 ns MSR4___A 00400000 00000074", "memory @830ns r4 400000=74 p2" },
  { "830 ns MNR4___I 00400000 00000074", "memory @830ns r4 400000=74 p1" },
  { "830 ns MNR4___D 00400000 xxxxxx74", "memory @830ns r4 400000=74 p0?" },
  /* Opcode fetches by any port, sequential, locked and speculative ones.  */
  { "830 ns MNR4O__D 00400000 46c046c0", "memory @830ns r4 400000=46c046c0 p1" },
  { "830 ns BSR2O__S 00400000 46c0", "bus @830ns r2 400000=46c0 p1" },
  { "830 ns BSW4_L_D 00400000 00000001", "bus @830ns w4 400000=1 p0" },
  { "830 ns MSR8_LSD 00400000 00000001",
    "memory @830ns r8 400000=1 p0 speculative" },
  { "830 ns BNR1__SI 00400000 01", "bus @830ns r1 400000=1 p1 speculative" },
  /* Models.  */
  { "1 clk cpu0 IT (1) 10300000 14004000 O EL3h_s : B        0x10310000",
    "instruction @1clk cpu0 #1 T 10300000 14004000/4 A64 EL3h_s" },
  { "1 clk IT (12) 80000000:000080000000_NS e1a00000 A svc_s : NOP",
    "instruction @1clk #c T 80000000 e1a00000/4 A32 svc_s" },
  { "1 clk IT (12) 80000000 4770 T svc_s: BX lr",
    "instruction @1clk #c T 80000000 4770/2 T32 svc_s" },
  { "4 clk cpu0 R TCR_EL3 00000000:80800000",
    "register @4clk cpu0 TCR_EL3=80800000/8" },
  { "4 clk R Q0 0123456789abcdef_0011223344556677",
    "register @4clk Q0=11223344556677/16" },
  { "4 clk R V3<63:0> 0011223344556677", "register @4clk V3=11223344556677/8" },
  { "4 clk R V3<127:64> 0011223344556677",
    "register @4clk V3+64=11223344556677/8" },
  { "4 clk R DC CIVAC 0000000000001000", "register @4clk DC CIVAC=1000/8" },
  /* Values in groups, the highest first.  */
  { "4 clk R X7 01234567 89abcdef", "register @4clk X7=123456789abcdef/8" },
  { "R SP_EL2 fedcba98 76543210", "register SP_EL2=fedcba9876543210/8" },
  { "4 clk R Q0 93c467e3 7db0c7a4 d1be3f81 0152cb56",
    "register @4clk Q0=d1be3f810152cb56/16" },
  { "4 clk R Q0 -------- -------- 3ff6a09e 667f3bcd",
    "register @4clk Q0=3ff6a09e667f3bcd/16?" },
  { "4 clk MR16 400171e0 400f731b40000000 3ff87cc460000000",
    "memory @4clk r16 400171e0=3ff87cc460000000 p0" },
  { "6000000 cs R cpsr 20000000 __C_", "register @6000000cs cpsr=20000000/4" },
  /* Two lines that have run together.  */
  { "4 clk MR4 400171e0 00000001 31559000 ns IT (1)",
    "memory @4clk r4 400171e0=1 p0" },
  { "4 ns R r0 00000001 31559000 ns IT (1)", "register @4ns r0=1/4" },
  { "15 clk cpu0 MR8 10310040:000010310040 00000000_163a0bd0",
    "memory @15clk cpu0 r8 10310040:10310040=163a0bd0 p0" },
  { "15 clk cpu1 MW4X 80000000 00000001",
    "memory @15clk cpu1 w4 80000000=1 p0" },
  { "15 clk MR4 80000000 (ABORTED)", "memory @15clk r4 80000000=0 p0 aborted" },
  { "15 clk MR4 80000000 00000000 (ABORTED)",
    "memory @15clk r4 80000000=0 p0 aborted" },
  { "9 clk cpu0 E 0009ef4c:00001009ef4c_NS 00000084 CoreEvent_CURRENT_SPx_SYNC",
    "event @9clk cpu0 CoreEvent_CURRENT_SPx_SYNC=84 at 9ef4c" },
  { "9 clk E 00000000 EL1h 00000019 CoreEvent_ModeChange",
    "event @9clk CoreEvent_ModeChange=19 at 0" },
  { "9 clk cpu0 TTW ITLB LPAE 1:0 000060430000", "note @9clk cpu0" },
  { "9 clk SIGNAL: irq=1", "note @9clk" },
  { "9 clk CADI E simulation_stopped", "note @9clk" },
  { "9 clk cpu0 CACHE cpu.cpu0.l1dcache LINE 00c8 ALLOC 0x000080000000_NS",
    "note @9clk cpu0" },
  { "9 clk cpu0 TLB FILL cpu.cpu0.UTLB 4K 0x10300000", "note @9clk cpu0" },
  { "9 clk INFO_CORE 1", "note @9clk" },
  { "9 clk WARNING: something", "note @9clk" },
  { "1 clk IT (12) 80000000 e1a00000 E svc_s : NOP",
    "instruction @1clk #c T 80000000 e1a00000/4 T32EE svc_s" },
  /* Cycle models.  */
  { "      17000 ns  ES  EXC [0x00] Reset", "event @17000ns Reset vector 0" },
  { "1 ns ES EXC [0xff8] Odd", "event @1ns Odd vector ff8" },
  { "1 ns ES EXC [0x1000] Odd", "event @1ns Odd" },
  { "1 ns ES EXC [0x18 ] Odd", "event @1ns Odd" },
  { "1 ns ES EXC [0x18 Odd", "event @1ns " },
  { "1 ns ES EXC [15] SysTick", "event @1ns SysTick number 15" },
  { "1 ns ES EXC [15]", "event @1ns  number 15" },
  { "1 ns ES EXC [511] Last  ", "event @1ns Last number 511" },
  { "1 ns ES EXC [10000] Odd", "event @1ns Odd" },
  { "1 ns ES EXC [1x] Odd", "event @1ns Odd" },
  { "1 ns ES EXC [] Odd", "event @1ns Odd" },
  { "1 ns ES EXC [15 Odd", "event @1ns " },
  { "1 ns ES EXC", "event @1ns " },
  { "5 ns ES (1000:2074) T", "instruction @5ns T 1000 2074/2 T32 " },
  { "5 ns ES (1000:46c0) E thrd: NOP", "instruction @5ns T 1000 46c0/2 T32EE thrd" },
  { "5 ns ES (1000:46c0) A thrd: NOP", "instruction @5ns T 1000 46c0/4 A32 thrd" },
  { "5 ns ES (1000:46c0) O el1h: NOP", "instruction @5ns T 1000 46c0/4 A64 el1h" },
  { "5 ns ES (1000:e59f) T svc NOP", "instruction @5ns T 1000 e59f/2 T32 " },
  { "5 ns ES (1000:e59ff) T svc: NOP", "instruction @5ns T 1000 e59ff/4 T32 svc" },
  { "5 ns ES (1000:xxxx) T svc: NOP", "instruction @5ns T 1000 0/0 T32 svc" },
  { "5 ns ES (1000:----) T svc: NOP", "instruction @5ns E 1000 0/0 T32 svc" },
  { "5 ns ES (1000:123456789) A svc: NOP", "bad @5ns expected an opcode at 14" },
  { "5 ns ES (1000:) T svc: NOP", "bad @5ns expected an opcode at 14" },
  { "5 ns ES (1000:46c0", "bad @5ns expected an opcode at 14" },
  { "5 ns ES (1000) T svc: NOP", "bad @5ns expected an address at 8" },
  { "5 ns ES (:46c0) T svc: NOP", "bad @5ns expected an address at 8" },
  { "EXC [0x200] Synchronous Current EL with SP_ELx",
    "event Synchronous Current EL with SP_ELx vector 200" },
  { "      12345 ns  ES  Reset", "event @12345ns Reset" },
  { "10 ns ES (00001000:2074) T thread : MOVS r0,#0x74",
    "instruction @10ns T 1000 2074/2 T32 thread" },
  { "10 ns ES (00001000:d0fe) T thread : CCFAIL BEQ 0x1000",
    "instruction @10ns S 1000 d0fe/2 T32 thread" },
  { "BR (00000000) A", "note" },
  { "      41000 ns  ES  (00000000:e59ff018) A svc:            LDR      pc,{pc}",
    "instruction @41000ns T 0 e59ff018/4 A32 svc" },
  { "     800000 ns  ES  (000001a4:03a06a01) A svc:     CCFAIL MOVEQ    r6,#0x1000",
    "instruction @800000ns S 1a4 3a06a01/4 A32 svc" },
  { "       3981 tic ES  (000000d8:c878)     T thrd_s:         LDMCS    r0!,{r3}",
    "instruction @3981tic T d8 c878/2 T32 thrd_s" },
  { "     307754 tic ES  (0000aaaaabaf59f0:--------) O el0t_ns:",
    "instruction @307754tic E aaaaabaf59f0 0/0 A64 el0t_ns" },
  { "R R1 (USR) 00000800", "register R1 (USR)=800/4" },
  { "LD 00000300  ........ ........ 00000800 ........     0000000300    NM ISH",
    "memory r16 300 touched 00f0 shown 00f0=80000000000 p0" },
  { "ST b0000000  ........ ........ ........ ......##     00b0000000    SO ISH",
    "memory w16 b0000000 touched 0001 shown 0000=0 p0" },
  { "       00004010  3e000a73 ........ ........ ........   S:0000000000004010",
    "memory r16 4010 touched f000 shown f000=0 p0 continued" },
  /* Others.  */
  { "    6000000 cs IT (00000000004d6eb8) 54fffea1 O  ---_- :        b.ne",
    "instruction @6000000cs T 4d6eb8 54fffea1/4 A64 ---_-" },
  { "    6000001 cs R08 0000007f99d14af4 4305000042ea0000",
    "memory @6000001cs r8 7f99d14af4=4305000042ea0000 p0" },
  { "    6379085 cs W04 X ffffffbdc3c15c30 010c010b",
    "memory @6379085cs w4 ffffffbdc3c15c30=10c010b p0" },
  { "    6000019 cs R E15 0000007f99d14b94",
    "register @6000019cs E15=7f99d14b94/8" },
  { "1340833 ns MNW4____ (00000050:000000a8) 05011000 00000003",
    "memory @1340833ns #a8 w4 5011000=3 p0" },
  { "1359353 ns MCW4___R (01000250:000000bb) TRANSFER 00000000", "note @1359353ns" },
  { "271ns R r13 20001fff (MSP)", "register @271ns r13=20001fff/4" },
  /* Units and names that nobody has heard of.  */
  { "7 zorks IT (1) 00001000 2900 T16 CMP",
    "instruction @7zorks #1 T 1000 2900/2 T32 " },
  { "7 clk cluster0.cpu1 R r0 00000001", "register @7clk cluster0.cpu1 r0=1/4" },
  { "7 ms R r0 00000001", "register @7ms r0=1/4" },
  { "R r0 00000001", "register r0=1/4" },
  { "7 R r0 00000001", "register @7 r0=1/4" },
  /* What is none, or bad.  */
  { "", "blank" }, { "  \t\r", "blank" },
  { "Warning: the cache was not invalidated", "text" },
  { "R is for rocket", "text" },
  { "5 clk FROBNICATE 1 2 3", "unknown @5clk" },
  { "5 clk IT (1)", "bad @5clk #1 expected an address at 12" },
  { "5 clk IT (1) 180000000 4770 T svc_s: BX lr",
    "bad @5clk #1 expected an address of 32 bits at 13" },
  { "5 clk IT (180000000) 00004770 T svc_s: BX lr",
    "bad @5clk expected an address of 32 bits at 9" },
  { "5 clk IA (1) 180000000 e12fff1e", "bad @5clk #1 expected an address of 32 bits at 13" },
  { "5 clk ES (180000000:4770) T BX lr", "bad @5clk expected an address of 32 bits at 10" },
  { "5 clk IT (1) 00001000", "bad @5clk #1 expected an opcode at 21" },
  { "5 clk R", "bad @5clk expected the name of a register at 7" },
  { "5 clk R r0", "bad @5clk expected a value at 10" },
  { "5 clk R r0 zorro", "bad @5clk expected a value at 11" },
  { "5 clk MR4 00001000", "bad @5clk expected the data that was transferred at "
    "18" },
  { "5 clk MR4 is not memory", "bad @5clk expected an address at 10" },
  /* More groups than are a value; remarks are none.  */
  { "5 ns R r6 12 34", "bad @5ns the value is too long at 13" },
  { "5 ns R r6 12 xx", "bad @5ns the value is too long at 13" },
  { "5 ns R r6 12345678 9abc", "bad @5ns the value is too long at 19" },
  { "5 ns R r6 01234567 89abcdef 012", "bad @5ns the value is too long at 28" },
  { "5 ns R cpsr 60000000 -ZC-", "register @5ns cpsr=60000000/4" },
  { "5 ns R nzcv 6 Z", "register @5ns nzcv=6/1" },
  { "5 ns R r6 00000012 (34)", "register @5ns #22 r6=12/4" },
  { "5 ns R r6 00000012 6 zorks R r7 00000034", "register @5ns r6=12/4" },
  /* Addresses with digits that are not known, as test benches have them.  */
  { "5 ns MNR4___D 2000zz10 00000074", "bad @5ns expected an address at 14" },
  { "5 ns MNW4___D 2000xx10 00000074", "bad @5ns expected an address at 14" },
  { "5 clk MW4 0zz0 11", "bad @5clk expected an address at 10" },
  { "5 clk MR4 0X1000 11", "memory @5clk r4 1000=11 p0" },
  { "5 clk MW4 0000_xx10 11", "bad @5clk expected an address at 10" },
  { "5 clk MW4 0x20Z0 11", "bad @5clk expected an address at 10" },
  { "5 clk MW4 00001000_NS 11", "memory @5clk w4 1000=11 p0" },
  { "5 clk MW4 1000:0000zz00_NS 11", "memory @5clk w4 1000=11 p0" },
  { "5 clk W04 X 1000---- 11", "bad @5clk expected an address at 12" },
  { "5 ns BNR4___D 2000ZZ10 00000074", "bad @5ns expected an address at 14" },
  { "5 ns IT (1:2) 0000zz04 46c0 T16 NOP",
    "bad @5ns #2 expected an address at 14" },
  { "5 ns IT 0000xx04 46c0 T16 NOP", "bad @5ns expected an address at 8" },
  { "5 ns IT (0000zz04) e1a00000 A svc: NOP",
    "bad @5ns expected an address at 8" },
  { "5 ns IT (00001004) e1a00000 A svc: NOP",
    "instruction @5ns T 1004 e1a00000/4 A32 svc" },
  { "5 ns ES (0000zz04:46c0) T thrd: NOP", "bad @5ns expected an address at 8" },
  { "5 clk MNWx___D 00001000 0", "bad @5clk expected the number of bytes "
    "transferred at 6" }
};

int
main (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    CHECK_STR (parse (rows[i].text), rows[i].want);

  /* A wide value, lowest byte first.  */
  parse ("4 clk R Q0 0123456789abcdef_0011223344556677");
  CHECK_INT (wide[0], 0x77);
  CHECK_INT (wide[7], 0x00);
  CHECK_INT (wide[8], 0xef);
  CHECK_INT (wide[15], 0x01);

  /* One that no register has.  */
  char text[1000] = "4 clk R z0 ";
  memset (text + strlen (text), '0', 2 * TB_TARMAC_VALUE + 1);
  CHECK_STR (parse (text), "bad @4clk the value is too long at 11");
  return check_done ();
}
