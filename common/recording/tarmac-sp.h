/* Which stack pointer of the M profile is in use, as far as a log tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Handlers use MSP; thread mode uses what CONTROL.SPSEL says (DDI 0403, B1.4.1).
   Some logs do not tell of CONTROL.  An exception's EXC_RETURN tells which stack pointer
   is in use, and so does an instruction that pushes or pops, except the moves to MSP and
   PSP.  Lines of r13 say its value; after a switch r13 is unknown until such a line.  */

#ifndef TB_RECORDING_TARMAC_SP_H
#define TB_RECORDING_TARMAC_SP_H

#include <stdbool.h>
#include <stdint.h>

struct tb_sp_finder
{
  uint8_t active, thread;	/* TB_FACTS_SP_...  */
  bool mode_known, handler;
  /* Since the last instruction.  */
  bool wrote[2];		/* MSP, PSP  */
  bool exception, returned, msr, control;
  bool left;			/* The exception number is another one.  */
  uint32_t ipsr;		/* The exception number; 0 where not told, too.  */
  uint32_t exc_return;		/* By which it returned; 0: not told.  */
  /* The log has lines of r13; since the last instruction; r13 is not known now.  */
  bool plain, wrote_plain, lost;
};

/* What the lines since the last instruction say.  */
void tb_sp_step (struct tb_sp_finder *sp, uint32_t opcode, unsigned size);
void tb_sp_write (struct tb_sp_finder *sp, bool process);
void tb_sp_plain (struct tb_sp_finder *sp);
void tb_sp_control (struct tb_sp_finder *sp, uint32_t value);
void tb_sp_psr (struct tb_sp_finder *sp, uint32_t value);
/* LR after an exception's event.  */
void tb_sp_lr (struct tb_sp_finder *sp, uint32_t value);
void tb_sp_exception (struct tb_sp_finder *sp, bool reset);
/* The last instruction returned from an exception by EXC_RETURN or, if that is 0, may
   have done so.  */
void tb_sp_return (struct tb_sp_finder *sp, uint32_t exc_return);
void tb_sp_lost (struct tb_sp_finder *sp);

/* Before the next instruction: find ACTIVE and LOST.  */
void tb_sp_settle (struct tb_sp_finder *sp);

#endif /* TB_RECORDING_TARMAC_SP_H */
