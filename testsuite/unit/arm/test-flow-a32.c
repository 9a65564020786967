/* Unit test of arm/flow/flow.h for A32.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "flow-row.h"

static const struct
{
  const char *text;
  uint32_t opcode;
  uint32_t pc;
  const char *want;
  uint64_t target;
} rows[] =
{
  /* Immediate branches.  */
  { "b .", 0xeafffffe, 0x8000, "B", 0x8000 },
  { "b .+8", 0xea000000, 0x8000, "B", 0x8008 },
  { "b .-4", 0xeafffffd, 0x8000, "B", 0x7ffc },
  { "b .+0x2000004", 0xea7fffff, 0, "B", 0x2000004 },
  { "b .-0x1fffff8 around 0", 0xea800000, 0, "B", 0xfe000008 },
  { "b .+8 around the top", 0xea000000, 0xfffffffc, "B", 4 },
  { "bne .-8", 0x1afffffc, 0x8000, "Bc", 0x7ff8 },
  { "bl .+0x100", 0xeb00003e, 0x8000, "Bl", 0x8100 },
  { "blls .+0x100", 0x9b00003e, 0x8000, "Blc", 0x8100 },
  { "blx .+0x100", 0xfa00003e, 0x8000, "Blt", 0x8100 },
  { "blx .+0x102", 0xfb00003e, 0x8000, "Blt", 0x8102 },
  { "blx .-6", 0xfbfffffc, 0x8000, "Blt", 0x7ffa },
  /* Register branches.  */
  { "bx lr", 0xe12fff1e, 0, "I7", 0 },
  { "bxeq lr", 0x012fff1e, 0, "I7c", 0 },
  { "bx r3", 0xe12fff13, 0, "I", 0 },
  { "bxgt r3", 0xc12fff13, 0, "Ic", 0 },
  { "blx r3", 0xe12fff33, 0, "Il", 0 },
  { "blx lr", 0xe12fff3e, 0, "Il", 0 },
  { "blxne r3", 0x112fff33, 0, "Ilc", 0 },
  { "bxj r1", 0xe12fff21, 0, "I", 0 },
  { "eret", 0xe160006e, 0, "Ie", 0 },
  { "clz r0, r1", 0xe16f0f11, 0, "-", 0 },
  { "qadd r0, r1, r2", 0xe1020051, 0, "-", 0 },
  { "hlt #0", 0xe1000070, 0, "BRK", 0 },
  { "hlt for semihosting", 0xe10f0070, 0, "-", 0 },
  { "bkpt #0", 0xe1200070, 0, "BRK", 0 },
  { "hvc #0", 0xe1400070, 0, "SVC", 0 },
  { "smc #0", 0xe1600070, 0, "SVC", 0 },
  { "smcne #0", 0x11600070, 0, "-c", 0 },
  { "mrs r0, cpsr", 0xe10f0000, 0, "-", 0 },
  { "msr cpsr_c, r0", 0xe121f000, 0, "-", 0 },
  { "msr spsr_fsxc, r0", 0xe16ff000, 0, "-", 0 },
  { "smlabb r0, r1, r2, r3", 0xe1003281, 0, "-", 0 },
  { "smulbb with Rd 15", 0xe16f0281, 0, "-", 0 },
  /* Data processing.  */
  { "mov pc, lr", 0xe1a0f00e, 0, "I7", 0 },
  { "moveq pc, lr", 0x01a0f00e, 0, "I7c", 0 },
  { "mov pc, r0", 0xe1a0f000, 0, "I", 0 },
  { "mov pc, lr, lsl #1", 0xe1a0f08e, 0, "I", 0 },
  { "movs pc, lr", 0xe1b0f00e, 0, "Ie", 0 },
  { "subs pc, lr, #4", 0xe25ef004, 0, "Ie", 0 },
  { "subsne pc, lr, #8", 0x125ef008, 0, "Iec", 0 },
  { "add pc, pc, r0, lsl #2", 0xe08ff100, 0, "I", 0 },
  { "addls pc, pc, r3, lsl #2", 0x908ff103, 0, "Ic", 0 },
  { "sub pc, lr, #4", 0xe24ef004, 0, "I", 0 },
  { "bic pc, lr, #1", 0xe3cef001, 0, "I", 0 },
  { "mvn pc, #0", 0xe3e0f000, 0, "I", 0 },
  { "mov r0, pc", 0xe1a0000f, 0, "-", 0 },
  { "movs r0, lr", 0xe1b0000e, 0, "-", 0 },
  { "teq r0, r1 with Rd 15", 0xe130f001, 0, "-", 0 },
  { "cmp r0, #0 with Rd 15", 0xe350f000, 0, "-", 0 },
  { "movw r0, #0xf000", 0xe30f0000, 0, "-", 0 },
  { "movt r0, #0xf000", 0xe34f0000, 0, "-", 0 },
  { "mul r0, r1, r2", 0xe0000291, 0, "-", 0 },
  { "strexb", 0xe1c20f91, 0, "-", 0 },
  { "ldrh r0, [pc, #4]", 0xe1df00b4, 0, "-", 0 },
  { "ldrd", 0xe1c0f0d0, 0, "-", 0 },
  /* Loads.  */
  { "ldr pc, [r0]", 0xe590f000, 0, "I", 0 },
  { "ldr pc, [pc, #24]", 0xe59ff018, 0, "I", 0 },
  { "ldr pc, [pc, #-24]", 0xe51ff018, 0, "I", 0 },
  { "ldr pc, [sp], #4", 0xe49df004, 0, "I7", 0 },
  { "ldreq pc, [sp], #8", 0x049df008, 0, "I7c", 0 },
  { "ldr pc, [sp, #4]!", 0xe5bdf004, 0, "I", 0 },
  { "ldr pc, [sp], #-4", 0xe41df004, 0, "I", 0 },
  { "ldr pc, [r0, r1, lsl #2]", 0xe790f101, 0, "I", 0 },
  { "ldrls pc, [pc, r0, lsl #2]", 0x979ff100, 0, "Ic", 0 },
  { "ldr pc, [sp], r1", 0xe69df001, 0, "I", 0 },
  { "ldr r0, [pc, #24]", 0xe59f0018, 0, "-", 0 },
  { "str pc, [r0]", 0xe580f000, 0, "-", 0 },
  { "ldrb with Rt 15", 0xe5d0f000, 0, "-", 0 },
  { "usada8 r0, r1, r2, pc", 0xe780f211, 0, "-", 0 },
  { "sdiv r0, r1, r2", 0xe710f211, 0, "-", 0 },
  { "pop {pc}, many", 0xe8bd8000, 0, "I7", 0 },
  { "pop {r4, pc}", 0xe8bd8010, 0, "I7", 0 },
  { "popne {r4-r11, pc}", 0x18bd8ff0, 0, "I7c", 0 },
  { "ldmia r0, {r1, pc}", 0xe8908002, 0, "I", 0 },
  { "ldmia r0!, {r1, pc}", 0xe8b08002, 0, "I", 0 },
  { "ldmdb fp, {fp, sp, pc}", 0xe91ba800, 0, "I", 0 },
  { "ldmib sp!, {r1, pc}", 0xe9bd8002, 0, "I", 0 },
  { "ldm sp, {fp, sp, pc}", 0xe89da800, 0, "I", 0 },
  { "ldmia sp!, {r0-r12, pc}^", 0xe8fd9fff, 0, "Ie", 0 },
  { "ldmia sp, {r0-lr}^", 0xe8dd7fff, 0, "-", 0 },
  { "pop {r4, lr}", 0xe8bd4010, 0, "-", 0 },
  { "push {r4, pc}", 0xe92d8010, 0, "-", 0 },
  { "stmia r0, {r1, pc}", 0xe8808002, 0, "-", 0 },
  /* Barriers, hints, exceptions.  */
  { "isb", 0xf57ff06f, 0, "ISB", 0 },
  { "dsb sy", 0xf57ff04f, 0, "BAR", 0 },
  { "dmb ish", 0xf57ff05b, 0, "BAR", 0 },
  { "clrex", 0xf57ff01f, 0, "-", 0 },
  { "sb", 0xf57ff070, 0, "-", 0 },
  { "pld [r0]", 0xf5d0f000, 0, "-", 0 },
  { "mcr p15, 0, r0, c7, c5, 4", 0xee070f95, 0, "ISB", 0 },
  { "mcr p15, 0, r3, c7, c10, 4", 0xee073f9a, 0, "BAR", 0 },
  { "mcrne p15, 0, r3, c7, c10, 5", 0x1e073fba, 0, "BARc", 0 },
  { "mcr p15, 0, r0, c7, c5, 0", 0xee070f15, 0, "-", 0 },
  { "mcr p14, 0, r0, c7, c5, 4", 0xee070e95, 0, "-", 0 },
  { "mrc p15, 0, r0, c7, c5, 4", 0xee170f95, 0, "-", 0 },
  { "wfi", 0xe320f003, 0, "WAIT", 0 },
  { "wfe", 0xe320f002, 0, "WAIT", 0 },
  { "wfieq", 0x0320f003, 0, "WAITc", 0 },
  { "nop", 0xe320f000, 0, "-", 0 },
  { "sev", 0xe320f004, 0, "-", 0 },
  { "csdb", 0xe320f014, 0, "-", 0 },
  { "msr cpsr_c, #0x1f", 0xe321f01f, 0, "-", 0 },
  { "svc #0", 0xef000000, 0, "SVC", 0 },
  { "svceq #0", 0x0f000000, 0, "-c", 0 },
  { "svc for semihosting", 0xef123456, 0, "-", 0 },
  { "addeq r0, r0, #1", 0x02800001, 0, "-c", 0 },
  { "rfeia sp!", 0xf8bd0a00, 0, "Ie", 0 },
  { "rfedb r0", 0xf9100a00, 0, "Ie", 0 },
  { "srsdb sp!, #19", 0xf96d0513, 0, "-", 0 },
  { "cpsid i", 0xf10c0080, 0, "-", 0 },
  { "setend be", 0xf1010200, 0, "-", 0 },
  { "vadd.i32 d0, d1, d2", 0xf2210802, 0, "-", 0 },
  { "mcr2", 0xfe070f95, 0, "-", 0 },
  { "udf #0", 0xe7f000f0, 0, "BRK", 0 },
  { "udf, a breakpoint under Linux", 0xe7f001f0, 0, "BRK", 0 },
  { "udf #0xffff", 0xe7ffffff, 0, "BRK", 0 },
  { "udf, conditional", 0x07f000f0, 0, "UNDc", 0 },
  { "0xf0000000", 0xf0000000, 0, "UND", 0 },
  { "0xff000000", 0xff000000, 0, "UND", 0 },
  { "neither RFE nor SRS", 0xf8000a00, 0, "UND", 0 },
};

int
main (void)
{
  struct tb_flow flow;
  struct tb_profile a15, m3;

  CHECK (tb_profile_find (&a15, "Cortex-A15"));
  CHECK (tb_profile_find (&m3, "Cortex-M3"));
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      tb_flow_a32 (&flow, rows[i].opcode, rows[i].pc, &a15);
      check_flow (&flow, rows[i].want, rows[i].target, 4, TB_ISA_A32,
		  rows[i].text);
      check_int (flow.it_length, 0, rows[i].text, 0, "IT");
      /* M profile has no A32.  */
      tb_flow_a32 (&flow, rows[i].opcode, rows[i].pc, &m3);
      check_flow (&flow, "UND", 0, 4, TB_ISA_A32, rows[i].text);
    }
  return check_done ();
}
