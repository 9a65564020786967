/* A made-up recording and state, for tests of what is built upon them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A program that links fake-state.c has these instead of the library's
   recording, state and memory map.  The world is one of formulas:

   step I runs the no-operation at CODE + SIZE * (I % PCS);
   register K before it holds K * 0x10000 + I, but
     SP is FAKE_STACK, the PC the step's, the status register has the flags Z
     and C and, on the M profile, exception number I % 4;
   the byte of RAM at A before it is (A + I) & 0xff, known from FAKE_KNOWN to
     FAKE_KNOWN_END, but for each 64th byte where HOLES is set;
   it stores the word at FAKE_VARIABLES + 4 * (I % 16), known too;
   the timestamp is 1000 + I from step 10 on; 3 * I cycles were counted;
   the context ID is 0x77 and the exception level 1 from step 20 on;
   an exception 11 is taken before steps that are multiples of 100 (not 0).

   The state at the end follows the same formulas.  Registers whose bits are in
   UNKNOWN (bit K is register K of arm/machine/regs.h) are unknown before steps for which
   I % UNKNOWN_EVERY is not 0, and before all if UNKNOWN_EVERY is 0; an unknown
   status register still has its flags N and Z known.  ASSUMED alike: assumed. */

#ifndef TB_UNIT_FAKE_STATE_H
#define TB_UNIT_FAKE_STATE_H

#include "recording/recording.h"
#include "state/state.h"

#define FAKE_CODE 0x8000
#define FAKE_STACK 0x20001000
#define FAKE_KNOWN 0x20000f00
#define FAKE_KNOWN_END 0x20001080
#define FAKE_VARIABLES 0x20000800
#define FAKE_VARIABLES_END 0x20000840

struct fake
{
  struct tb_profile profile;
  uint64_t steps;
  unsigned pcs;			/* Different PCs.  */
  unsigned size;		/* Of an instruction: 2 or 4.  */
  uint64_t unknown, assumed;
  unsigned unknown_every;
  bool holes;
  bool vectors;			/* D1 is known, D2 under an assumption.  */
  bool assumed_memory;		/* Each third byte of what is known.  */
  bool no_end;			/* Nothing is known at the end.  */
  bool code_in_ram;		/* The state knows no code bytes, and the memory
				   map calls them writable.  */
};

/* The world.  Set it before tb_collector_new.  */
extern struct fake fake;

/* For M, A32 or A64 ('m', 'a', '6'), STEPS steps at 16 PCs, all known.  */
void fake_setup (char profile, uint64_t steps);

/* What GDB is told of its registers.  */
const struct tb_tdesc *fake_tdesc (void);

/* The recording and the state of the world.  */
struct tb_recording *fake_recording (void);
struct tb_state *fake_state (void);

#endif /* TB_UNIT_FAKE_STATE_H */
