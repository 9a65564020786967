/* Unit test of arm/flow/flow.h for A64.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "flow-row.h"

static const struct
{
  const char *text;
  uint32_t opcode;
  uint64_t pc;
  const char *want;
  uint64_t target;
} rows[] =
{
  /* Immediate branches: forwards, backwards, farthest, around the end.  */
  { "b .", 0x14000000, 0x1000, "B", 0x1000 },
  { "b .+4", 0x14000001, 0x1000, "B", 0x1004 },
  { "b .-4", 0x17ffffff, 0x1000, "B", 0xffc },
  { "b .+0x7fffffc", 0x15ffffff, 0, "B", 0x7fffffc },
  { "b .-0x8000000", 0x16000000, 0x8000000, "B", 0 },
  { "b .-4 at 0", 0x17ffffff, 0, "B", 0xfffffffffffffffc },
  { "b .+4 at the top", 0x14000001, 0xfffffffffffffffc, "B", 0 },
  { "b in the kernel", 0x17ff0000, 0xffffff8008081000, "B",
    0xffffff8008041000 },
  { "bl .+0x100", 0x94000040, 0x80000000, "Bl", 0x80000100 },
  { "bl .-0x100", 0x97ffffc0, 0x80000000, "Bl", 0x7fffff00 },
  { "b.eq .+8", 0x54000040, 0x2000, "Bc", 0x2008 },
  { "b.lt .-8", 0x54ffffcb, 0x2000, "Bc", 0x1ff8 },
  { "b.al .+8", 0x5400004e, 0x2000, "Bc", 0x2008 },
  { "b.nv .+8", 0x5400004f, 0x2000, "Bc", 0x2008 },
  { "b.ne .+0xffffc", 0x547fffe1, 0, "Bc", 0xffffc },
  { "b.ne .-0x100000", 0x54800001, 0x100000, "Bc", 0 },
  { "bc.eq .+8", 0x54000050, 0x2000, "Bc", 0x2008 },
  { "bc.ne .-8", 0x54ffffd1, 0x2000, "Bc", 0x1ff8 },
  { "cbz w0, .+12", 0x34000060, 0x3000, "Bc", 0x300c },
  { "cbnz w1, .-12", 0x35ffffa1, 0x3000, "Bc", 0x2ff4 },
  { "cbz x2, .+12", 0xb4000062, 0x3000, "Bc", 0x300c },
  { "cbnz x30, .-0x100000", 0xb580001e, 0x100000, "Bc", 0 },
  { "tbz w0, #3, .+16", 0x36180080, 0x4000, "Bc", 0x4010 },
  { "tbnz w0, #31, .-16", 0x37ffff80, 0x4000, "Bc", 0x3ff0 },
  { "tbz x0, #32, .+0x7ffc", 0xb603ffe0, 0x4000, "Bc", 0xbffc },
  { "tbnz x0, #63, .-0x8000", 0xb7fc0000, 0x8000, "Bc", 0 },
  /* FEAT_CMPBR.  */
  { "cbgt w0, w1, .+8", 0x74010040, 0x5000, "Bu", 0x5008 },
  { "cbge x0, x1, .-4", 0xf4213fe0, 0x5000, "Bu", 0x4ffc },
  { "cbhi w2, w3, .+0x3fc", 0x74431fe2, 0x5000, "Bu", 0x53fc },
  { "cbhs x2, x3, .-0x400", 0xf4632002, 0x5000, "Bu", 0x4c00 },
  { "cbeq w0, w0, .", 0x74c00000, 0x5000, "Bu", 0x5000 },
  { "cbne w0, w0, .", 0x74e00000, 0x5000, "Bu", 0x5000 },
  { "register form, condition 4", 0x74810040, 0x5000, "UND", 0 },
  { "register form, condition 5", 0x74a10040, 0x5000, "UND", 0 },
  { "cbbgt w0, w1, .+8", 0x74018040, 0x5000, "Bu", 0x5008 },
  { "cbhgt w0, w1, .+8", 0x7401c040, 0x5000, "Bu", 0x5008 },
  { "register form 1", 0x74014040, 0x5000, "UND", 0 },
  { "bytes of x registers", 0xf4018040, 0x5000, "UND", 0 },
  { "halfwords of x registers", 0xf401c040, 0x5000, "UND", 0 },
  { "cbgt w0, #63, .+8", 0x751f8040, 0x5000, "Bu", 0x5008 },
  { "cblo x0, #0, .-8", 0xf5603fc0, 0x5000, "Bu", 0x4ff8 },
  { "cbeq x0, #32, .+8", 0xf5d00040, 0x5000, "Bu", 0x5008 },
  { "immediate form, condition 5", 0x75a10040, 0x5000, "UND", 0 },
  { "immediate form, bit 14", 0x75014040, 0x5000, "UND", 0 },
  /* Register branches.  */
  { "br x0", 0xd61f0000, 0x1000, "I", 0 },
  { "br x30", 0xd61f03c0, 0x1000, "I", 0 },
  { "blr x8", 0xd63f0100, 0x1000, "Il", 0 },
  { "ret", 0xd65f03c0, 0x1000, "Ir", 0 },
  { "ret x1", 0xd65f0020, 0x1000, "Ir", 0 },
  { "eret", 0xd69f03e0, 0x1000, "Ie", 0 },
  { "drps", 0xd6bf03e0, 0x1000, "Ie", 0 },
  { "texit", 0xd6ff03e0, 0x1000, "Ie", 0 },
  { "texit nb", 0xd6ff07e0, 0x1000, "Ie", 0 },
  { "braaz x5", 0xd61f08bf, 0x1000, "I", 0 },
  { "brabz x5", 0xd61f0cbf, 0x1000, "I", 0 },
  { "braa x5, sp", 0xd71f08bf, 0x1000, "I", 0 },
  { "brab x5, x6", 0xd71f0ca6, 0x1000, "I", 0 },
  { "blraaz x5", 0xd63f08bf, 0x1000, "Il", 0 },
  { "blrabz x5", 0xd63f0cbf, 0x1000, "Il", 0 },
  { "blraa x5, x6", 0xd73f08a6, 0x1000, "Il", 0 },
  { "blrab x5, sp", 0xd73f0cbf, 0x1000, "Il", 0 },
  { "retaa", 0xd65f0bff, 0x1000, "Ir", 0 },
  { "retab", 0xd65f0fff, 0x1000, "Ir", 0 },
  { "eretaa", 0xd69f0bff, 0x1000, "Ie", 0 },
  { "eretab", 0xd69f0fff, 0x1000, "Ie", 0 },
  { "retaasppc .-16", 0x5500009f, 0x1000, "Ir", 0 },
  { "retabsppc .-16", 0x5520009f, 0x1000, "Ir", 0 },
  { "retaasppcr x0", 0xd65f0be0, 0x1000, "Ir", 0 },
  { "retabsppcr x17", 0xd65f0ff1, 0x1000, "Ir", 0 },
  /* Nothing of the kind.  */
  { "br with op4 1", 0xd61f0001, 0x1000, "UND", 0 },
  { "br with Rm not 31", 0xd61e0000, 0x1000, "UND", 0 },
  { "br with op3 1", 0xd61f0400, 0x1000, "UND", 0 },
  { "register branch, opc 3", 0xd67f0000, 0x1000, "UND", 0 },
  { "eret x0", 0xd69f0000, 0x1000, "UND", 0 },
  { "ret with PAC of x3", 0xd65f0860, 0x1000, "UND", 0 },
  { "0x55, opc 2", 0x5540009f, 0x1000, "UND", 0 },
  { "0x55, op2 30", 0x5500009e, 0x1000, "UND", 0 },
  { "0x56", 0x56000000, 0x1000, "UND", 0 },
  { "0x76", 0x76000000, 0x1000, "UND", 0 },
  { "0xd7, opc 10", 0xd75f0800, 0x1000, "UND", 0 },
  { "udf #0", 0x00000000, 0x1000, "UND", 0 },
  { "udf #0xffff", 0x0000ffff, 0x1000, "UND", 0 },
  { "reserved", 0x00010000, 0x1000, "UND", 0 },
  { "op0 1", 0x02000000, 0x1000, "UND", 0 },
  { "op0 3", 0x06000000, 0x1000, "UND", 0 },
  { "ones", 0xffffffff, 0x1000, "-", 0 },
  /* Barriers, waiting, transactions.  */
  { "isb", 0xd5033fdf, 0x1000, "ISB", 0 },
  { "isb #0", 0xd50330df, 0x1000, "ISB", 0 },
  { "dsb sy", 0xd5033f9f, 0x1000, "BAR", 0 },
  { "dsb ish", 0xd5033b9f, 0x1000, "BAR", 0 },
  { "dsb oshnxs", 0xd503323f, 0x1000, "BAR", 0 },
  { "dsb synxs", 0xd5033e3f, 0x1000, "BAR", 0 },
  { "ssbb", 0xd503309f, 0x1000, "BAR", 0 },
  { "dmb ish", 0xd5033bbf, 0x1000, "BAR", 0 },
  { "sb", 0xd50330ff, 0x1000, "-", 0 },
  { "clrex", 0xd5033f5f, 0x1000, "-", 0 },
  { "tcommit", 0xd503307f, 0x1000, "-", 0 },
  { "wfe", 0xd503205f, 0x1000, "WAIT", 0 },
  { "wfi", 0xd503207f, 0x1000, "WAIT", 0 },
  { "wfet x3", 0xd5031003, 0x1000, "WAIT", 0 },
  { "wfit x3", 0xd5031023, 0x1000, "WAIT", 0 },
  { "nop", 0xd503201f, 0x1000, "-", 0 },
  { "yield", 0xd503203f, 0x1000, "-", 0 },
  { "sev", 0xd503209f, 0x1000, "-", 0 },
  { "bti jc", 0xd50324df, 0x1000, "-", 0 },
  { "tstart x0", 0xd5233060, 0x1000, "TSTART", 0 },
  { "ttest x0", 0xd5233160, 0x1000, "-", 0 },
  /* Plain ones, exceptions among them.  */
  { "svc #0", 0xd4000001, 0x1000, "SVC", 0 },
  { "hvc #0", 0xd4000002, 0x1000, "SVC", 0 },
  { "smc #0", 0xd4000003, 0x1000, "SVC", 0 },
  { "brk #0", 0xd4200000, 0x1000, "BRK", 0 },
  { "hlt #0", 0xd4400000, 0x1000, "BRK", 0 },
  { "hlt for semihosting", 0xd45e0000, 0x1000, "-", 0 },
  { "dcps1", 0xd4a00001, 0x1000, "-", 0 },
  { "tenter #0", 0xd4e00000, 0x1000, "-", 0 },
  { "msr elr_el1, x0", 0xd5184020, 0x1000, "-", 0 },
  { "add x0, x1, #1", 0x91000420, 0x1000, "-", 0 },
  { "ldr x30, [sp], #16", 0xf84107fe, 0x1000, "-", 0 },
  { "adr x0, .", 0x10000000, 0x1000, "-", 0 },
  { "sve ptrue p0.b", 0x2518e3e0, 0x1000, "-", 0 },
  { "sme fmopa", 0x80800000, 0x1000, "-", 0 },
};

int
main (void)
{
  struct tb_flow flow;

  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      tb_flow_a64 (&flow, rows[i].opcode, rows[i].pc);
      check_flow (&flow, rows[i].want, rows[i].target, 4, TB_ISA_A64,
		  rows[i].text);
      check_int (flow.it_length, 0, rows[i].text, 0, "IT");
    }
  return check_done ();
}
