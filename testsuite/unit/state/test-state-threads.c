/* State: what another thread does is no return of a call of this one.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state-program.h"

#include "state/assume/frames.h"

#define HANDLER 0x140u
#define TO_PSP 0xfffffffdu
#define NOP 0xbf00

static void
assumed (struct tb_state *s, uint64_t step, unsigned reg, uint32_t want)
{
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, step, v);
  CHECK_INT (v[reg].origin, TB_ASSUMED);
  CHECK_INT (v[reg].bits, want);
}

/* A handler that loses r4 and gets it back from memory nobody knows, and perhaps
   sets PSP, returns to where it was entered from: that may be another thread which
   waits there, too.  */
static void
exception (bool psp_written)
{
  struct tb_recording *f = BEGIN (0x0020,	/* movs r0,r4  */
				  0xbf00);
  static const uint16_t handler[] = {
    0xf3ef, 0x8009,		/* mrs r0,psp  */
    0x6804,			/* ldr r4,[r0]  */
    0xf380, 0x8809,		/* msr psp,r0  */
    0x4770			/* bx lr  */
  };
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  if (!psp_written)
    flash[HANDLER / 2 + 3] = flash[HANDLER / 2 + 4] = 0xbf00;
  fake_step (f, MAIN, 0);
  fake_event (f, TB_EVENT_EXCEPTION, MAIN + 2)->exception = 14;
  fake_run (f, HANDLER, psp_written ? 3 : 4);
  fake_step (f, HANDLER + 10, TB_STEP_TAKEN);
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, MAIN + 2)->value = TO_PSP;
  fake_reg (f, "R4", 0x44);
  f->options.assume = TB_ASSUME_AAPCS;
  fake_end (f, fake_run (f, MAIN + 2, 1), true);
  struct tb_state *s = finish (f);
  if (psp_written)
    UNKNOWN (s, 0, TB_R4);
  else
    assumed (s, 0, TB_R4, 0x44);
  end (f, s);
}

/* A function that loses r4, and sets SP: from a register that MOV, an instruction
   before it, filled.  It returns behind its call.  */
static void
call (const char *what, uint16_t first, uint16_t second, uint16_t mov, bool kept,
      uint64_t window)
{
  struct tb_recording *f = BEGIN (0xf000, 0xf806, /* bl 0x110  */
				  0x0020,	  /* movs r0,r4  */
				  0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00,
				  first,	  /* 0x110  */
				  second,
				  0x6804,	  /* ldr r4,[r0]  */
				  mov,
				  0x4695,	  /* mov sp,r2  */
				  0x4770,	  /* bx lr  */
				  0x4000, 0);	  /* No address of a dump.  */
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_run (f, MAIN + 0x10, 5);
  fake_step (f, MAIN + 0x1a, TB_STEP_TAKEN);
  fake_run (f, MAIN + 4, 1);
  fake_reg (f, "R4", 0x44);
  fake_reg (f, "SP", FAKE_RAM + 0x80);
  ram[33] = FAKE_RAM + 0x80;
  f->options.assume = TB_ASSUME_AAPCS;
  f->options.window = window;
  fake_end (f, MAIN + 6, true);
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 0, v);
  /* In small windows less may be seen of where SP came from.  */
  if ((window == 0 || !kept)
      && !CHECK_INT (v[TB_R4].origin, kept ? TB_ASSUMED : TB_UNKNOWN))
    fprintf (stderr, "%s\n", what);
  end (f, s);
}

/* What a task that waits has saved is looked for in the dumps: where two of them differ it may be,
   too, so that the one other place is not the only one.  */
static void
word (bool disputed)
{
  static uint32_t other[4];
  uint32_t address = 0;
  struct tb_recording *f = BEGIN (NOP, NOP);
  ram[3] = 0x12345678;
  other[1] = disputed ? 0x12345678 : 0;
  fake_dump (f, FAKE_RAM + 0x10, other, sizeof other);
  fake_end (f, fake_run (f, MAIN, 2), true);
  struct tb_state *s = fake_open (f);
  if (!CHECK (s != NULL))
    return;
  CHECK_INT (tb_frames_find_word (s, 0x12345678, &address), !disputed);
  if (!disputed)
    CHECK_INT (address, FAKE_RAM + 12);
  tb_state_close (s);
  fake_free (f);
}

/* A task's frame is looked for in the dumps: it may be another one where two of them differ in such
   a frame, in the stack above one, or in what points to one.  */
enum doubt { CLEAR, OTHER, FRAME, STACK, POINTER };
static void
frame (enum doubt doubt)
{
  /* Of 8 words, in RAM, farther apart than what is saved below one.  */
  enum { AT = 8, SECOND = 48 };
  static uint32_t frame_above[9], pointer[1];
  static struct tb_task_frame wanted;
  uint32_t above = 0;
  struct tb_recording *f = BEGIN (NOP, NOP);
  wanted = (struct tb_task_frame) { .address = MAIN };
  wanted.stack[0] = (struct tb_border_register) { .mask = UINT32_MAX, .bits = 0x5a5a };
  wanted.fp = (struct tb_border_register) { .mask = 1 };
  for (unsigned at = AT; at <= SECOND; at += SECOND - AT)
    {
      ram[at + 6] = MAIN;
      ram[at + 7] = 0x01000000;
      ram[at + 8] = 0x5a5a;
    }
  ram[0] = FAKE_RAM + 4 * AT;
  ram[1] = doubt == CLEAR || doubt == POINTER ? 0 : FAKE_RAM + 4 * SECOND;
  /* The other dump has something else there.  */
  memset (frame_above, 0, sizeof frame_above);
  pointer[0] = FAKE_RAM + 4 * SECOND;
  if (doubt == FRAME)
    fake_dump (f, FAKE_RAM + 4 * SECOND, frame_above, 4 * 8);
  if (doubt == STACK)
    fake_dump (f, FAKE_RAM + 4 * (SECOND + 8), frame_above, 4);
  if (doubt == POINTER)
    fake_dump (f, FAKE_RAM + 4, pointer, sizeof pointer);
  fake_end (f, fake_run (f, MAIN, 2), true);
  struct tb_state *s = fake_open (f);
  if (!CHECK (s != NULL))
    return;
  CHECK_INT (tb_frames_find (s, &wanted, &above), doubt == CLEAR);
  if (doubt == CLEAR)
    CHECK_INT (above, FAKE_RAM + 4 * (AT + 8));
  tb_state_close (s);
  fake_free (f);
}

int
main (void)
{
  for (enum doubt doubt = CLEAR; doubt <= POINTER; doubt++)
    frame (doubt);
  word (false);
  word (true);
  exception (false);
  exception (true);
  for (uint64_t window = 0; window <= 6; window++)
    {
      call ("from SP", NOP, NOP, 0x466a /* mov r2,sp  */, true, window);
      call ("from the frame", 0x466a /* mov r2,sp  */,
	    0x9201 /* str r2,[sp,#4]  */, 0x9a01 /* ldr r2,[sp,#4]  */, true,
	    window);
      call ("from a frame pointer", 0x466f /* mov r7,sp  */, NOP,
	    0x003a /* movs r2,r7  */, true, window);
      call ("from memory", 0x4902 /* ldr r1,[pc,#8]  */, NOP,
	    0x680a /* ldr r2,[r1]  */, false, window);
      call ("from an argument in the frame", 0x9101 /* str r1,[sp,#4]  */, NOP,
	    0x9a01 /* ldr r2,[sp,#4]  */, false, window);
      call ("from a register of before", NOP, NOP, 0x460a /* mov r2,r1  */,
	    false, window);
      call ("from memory by a register of before", NOP, NOP,
	    0x680a /* ldr r2,[r1]  */, false, window);
      call ("from a caller's memory", NOP, 0xa901 /* add r1,sp,#4  */,
	    0x680a /* ldr r2,[r1]  */, false, window);
    }
  return check_done ();
}
