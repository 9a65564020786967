/* Dumps of devices on the A profile: they cost what depends on them, no more.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program-a64.h"

/* Where the dump is: near to the code, or far from it; and whether it ends with the
   identification of a component.  */
enum place { NEAR, NEAR_IDENTIFIED, FAR };

/* 5 is stored to the first word of a dump, and LOADED from it, which is what a register
   says; at the halt it is DUMPED.  */
static void
test (enum place place, uint64_t loaded, uint64_t dumped, uint64_t window,
      bool is_ram, unsigned warnings)
{
  static uint8_t page[0x1000];
  uint64_t address = place == FAR ? 0x10000000 : 0x10000;
  struct tb_recording *f
    = BEGIN (place == FAR ? 0xd2a20001u	/* mov x1,#0x10000000  */
	     : 0xd2a00021u,		/* mov x1,#0x10000  */
	     0xd28000a0u,		/* mov x0,#5  */
	     0xf9000020u,		/* str x0,[x1]  */
	     0xf9400022u,		/* ldr x2,[x1]  */
	     0xd2800063u,		/* mov x3,#3  */
	     0xd2900004u,		/* mov x4,#RAM  */
	     0xf9000083u,		/* str x3,[x4]  */
	     0xf9400085u,		/* ldr x5,[x4]  */
	     0xd503201fu);
  memset (page, 0, sizeof page);
  TARGET_STORE (page, 0, 8, dumped);
  if (place == NEAR_IDENTIFIED)
    {
      page[0xff0] = 0x0d;
      page[0xff4] = 0xf0;
      page[0xff8] = 0x05;
      page[0xffc] = 0xb1;
    }
  ram[0] = 3;
  fake_dump (f, address, page, sizeof page);
  fake_reg (f, "X2", loaded);
  fake_reg (f, "SP", RAM + sizeof ram);
  fake_end (f, fake_run (f, MAIN, 9), true);
  f->options.window = window;
  struct tb_state *s = fake_open (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  CHECK_INT (f->diag.warnings, warnings);
  KNOWN (s, 1, TB_X0 + 1, address);
  KNOWN (s, 2, TB_X0, 5);
  KNOWN (s, 5, TB_X0 + 3, 3);
  KNOWN (s, 8, TB_X0 + 5, 3);
  KNOWN (s, 4, TB_X0 + 2, loaded);
  uint8_t bytes[8], origins[8];
  CHECK_INT (tb_state_memory (s, 5, address, bytes, origins, 8),
	     is_ram ? 8 : 0);
  CHECK_INT (tb_state_memory (s, 8, RAM, bytes, origins, 8), 8);
  struct tb_access_info access;
  CHECK_INT (tb_state_accesses (s, 3, &access, 1), 1);
  CHECK (access.address_known && access.address == address);
  CHECK (tb_state_halt (s) == TB_HALT_USED);
  end (f, s);
}

int
main (void)
{
  static const uint64_t windows[] = { 0, 3, 4 };
  for (unsigned i = 0; i < 3; i++)
    {
      test (NEAR, 5, 5, windows[i], true, 0);
      test (NEAR, 7, 5, windows[i], false, 1);
      test (NEAR, 7, 9, windows[i], false, 1);
      test (NEAR_IDENTIFIED, 7, 9, windows[i], false, 0);
      test (FAR, 7, 9, windows[i], false, 0);
    }
  return check_done ();
}
