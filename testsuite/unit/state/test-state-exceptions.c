/* State: exception entry, return and tail-chaining on ARMv6-M.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/element.h"
#include "decode/exception.h"
#include "state-program.h"

#define HANDLER 0x140u
#define OTHER 0x160u
#define TO_HANDLER 0xfffffff1u
#define TO_MSP 0xfffffff9u
#define TO_PSP 0xfffffffdu

static void
enter (struct tb_recording *f, uint32_t return_address, unsigned number)
{
  fake_event (f, TB_EVENT_EXCEPTION, return_address)->exception
    = (uint16_t) number;
}

static void
leave (struct tb_recording *f, uint32_t resume, uint32_t exc_return)
{
  fake_event (f, TB_EVENT_EXCEPTION_RETURN, resume)->value = exc_return;
}

/* Thread code with one interrupt in the middle.  */
static struct tb_recording *
interrupted (uint32_t sp, uint32_t told)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0x2c44,	/* cmp r4,#0x44  */
				  0xbf00, 0xbf00);
  /* The handler destroys what it may.  */
  static const uint16_t handler[] = { 0x2099,	/* movs r0,#0x99  */
				      0x2098,	/* movs r0,#0x98  */
				      0x4770 };	/* bx lr  */
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  uint32_t pc = fake_run (f, MAIN, 2);
  enter (f, pc, 15);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, 0);
  fake_step (f, HANDLER + 4, TB_STEP_TAKEN);
  leave (f, pc, told);
  pc = fake_run (f, pc, 2);
  /* The frame is still in RAM.  */
  unsigned at = (sp / 8 * 8 - 32 - FAKE_RAM) / 4;
  uint32_t frame[8] = { 0x11, 1, 2, 3, 12, 14, MAIN + 4,
			0x61000000 | (sp & 4) << 7 };
  memcpy (ram + at, frame, sizeof frame);
  fake_reg (f, "R1", 1);
  fake_reg (f, "R4", 0x44);
  fake_reg (f, "R12", 12);
  fake_reg (f, "LR", 14);
  fake_reg (f, "SP", sp);
  fake_reg (f, "xPSR", 0x61000000);
  fake_end (f, pc, true);
  return f;
}

static void
test_interrupt (uint32_t sp)
{
  struct tb_recording *f = interrupted (sp, TO_MSP);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  uint32_t frame = (sp & ~UINT32_C (7)) - 32;

  /* In the handler: scratch registers and flags are not defined.  */
  UNKNOWN (s, 2, TB_R0);
  UNKNOWN (s, 2, TB_R1);
  UNKNOWN (s, 2, TB_R3);
  UNKNOWN (s, 2, TB_R12);
  KNOWN (s, 2, TB_R4, 0x44);
  KNOWN (s, 2, TB_LR, TO_MSP);	/* It is the target of bx lr.  */
  KNOWN (s, 2, TB_SP, frame);
  KNOWN (s, 2, TB_MSP, frame);
  KNOWN (s, 3, TB_R0, 0x99);
  tb_state_registers (s, 2, v);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_NZCV, 0);
  CHECK_INT (v[TB_PSR].bits & 0x1ff, 15);
  CHECK_INT (v[TB_PSR].mask & 0x1ff, 0x1ff);
  CHECK_INT (v[TB_CONTROL].mask & v[TB_CONTROL].bits & 2, 0);
  /* The frame holds what was interrupted.  */
  WORD (s, 2, frame, 0x11);
  WORD (s, 2, frame + 24, MAIN + 4);
  NO_WORD (s, 1, frame);
  /* Before and after.  */
  KNOWN (s, 1, TB_SP, sp);
  KNOWN (s, 1, TB_R1, 1);
  KNOWN (s, 5, TB_R0, 0x11);
  KNOWN (s, 5, TB_SP, sp);
  KNOWN (s, 0, TB_LR, 14);
  KNOWN (s, 1, TB_R12, 12);
  tb_state_registers (s, 2, v);
  tb_state_registers (s, 5, v);
  CHECK_INT (v[TB_PSR].mask & TB_PSR_NZCV, TB_PSR_NZCV);
  CHECK_INT (v[TB_PSR].bits & TB_PSR_NZCV, TB_PSR_Z | TB_PSR_C);
  CHECK_INT (v[TB_PSR].mask & 0x1ff, 0x1ff);
  CHECK_INT (v[TB_PSR].bits & 0x1ff, 0);
  end (f, s);
}

/* What the architecture fixes of a frame: the return address, as the trace tells it,
   and all of xPSR but the flags, whatever becomes of the frame later.  */
static void
test_fixed_words (void)
{
  uint32_t sp = FAKE_RAM + 0x80, frame = sp - 32;
  static const uint16_t handler[] = { 0xbf00, 0x4770 };	/* nop; bx lr  */
  struct tb_recording *f = BEGIN (0x2c44,	/* cmp r4,#0x44  */
				  0xbf00,
				  0xb4ff,	/* push {r0-r7}  */
				  0xbf00);
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  uint32_t pc = fake_run (f, MAIN, 2);
  enter (f, pc, 15);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  leave (f, pc, TO_MSP);
  pc = fake_run (f, pc, 2);
  uint32_t pushed[8] = { 10, 1, 2, 3, 0x44, 5, 6, 7 };
  memcpy (ram + (frame - FAKE_RAM) / 4, pushed, sizeof pushed);
  fake_reg (f, "R4", 0x44);
  fake_reg (f, "SP", frame);
  fake_reg (f, "xPSR", 0x61000000);
  fake_end (f, pc, true);
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  KNOWN (s, 2, TB_SP, frame);
  WORD (s, 2, frame + 24, MAIN + 4);
  WORD (s, 2, frame + 28, 0x61000000);
  WORD (s, 3, frame + 24, MAIN + 4);
  /* The register as a whole, where the flags are known; else all but them.  */
  KNOWN (s, 1, TB_PSR, 0x61000000);
  tb_state_registers (s, 2, v);
  CHECK_INT (v[TB_PSR].mask, 0x0fffffff);
  CHECK_INT (v[TB_PSR].bits & v[TB_PSR].mask, 0x0100000f);
  end (f, s);
}

/* Code writes PSP somewhere.  */
static void
write_psp (void)
{
  flash[8] = 0xf380;		/* msr psp,r0  */
  flash[9] = 0x8809;
}

/* Where the trace does not show EXC_RETURN (no MTB), either stack may have been
   in use: SP after the return does not say what it was in the handler.  */
static void
test_not_told (void)
{
  uint32_t sp = FAKE_RAM + 0x80;
  struct tb_recording *f = interrupted (sp, 0);
  write_psp ();
  struct tb_state *s = finish (f);
  struct tb_value v[TB_NREGS_MAX];
  UNKNOWN (s, 2, TB_SP);
  UNKNOWN (s, 2, TB_LR);
  tb_state_registers (s, 2, v);
  CHECK_INT (v[TB_LR].mask, 0xfffffffb);
  CHECK_INT (v[TB_LR].bits, 0xfffffff9);
  KNOWN (s, 5, TB_SP, sp);
  KNOWN (s, 2, TB_R4, 0x44);
  end (f, s);
  /* CONTROL at the halt settles it.  */
  f = interrupted (sp, 0);
  write_psp ();
  fake_reg (f, "CONTROL", 0);
  s = finish (f);
  KNOWN (s, 2, TB_SP, sp - 32);
  KNOWN (s, 2, TB_LR, TO_MSP);
  end (f, s);
  /* So does code that never writes PSP.  */
  f = interrupted (sp, 0);
  s = finish (f);
  KNOWN (s, 2, TB_SP, sp - 32);
  KNOWN (s, 2, TB_LR, TO_MSP);
  end (f, s);
}

/* An ETM does not say where a return leads.  What comes behind it, before the next step,
   does: an exception that is taken at once, or nobody where tracing paused.  */
static void
test_taken_at_once (bool gap)
{
  uint32_t sp = FAKE_RAM + 0x80;
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0x2c44,	/* cmp r4,#0x44  */
				  0xbf00, 0xbf00);
  static const uint16_t handler[] = { 0x6811,	/* ldr r1,[r2]  */
				      0x4770 };	/* bx lr  */
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  memcpy (flash + OTHER / 2, handler, sizeof handler);
  uint32_t pc = fake_run (f, MAIN, 2);
  enter (f, pc, 15);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  leave (f, 0, 0);
  if (gap)
    fake_event (f, TB_EVENT_GAP, 0)->reason = TB_REASON_PAUSED;
  else
    enter (f, pc, 16);
  fake_step (f, OTHER, 0);
  fake_step (f, OTHER + 2, TB_STEP_TAKEN);
  leave (f, 0, 0);
  fake_run (f, pc, 2);
  uint32_t frame[8] = { 0x11, 1, 2, 3, 12, 14, pc, 0x61000000 };
  memcpy (ram + 24, frame, sizeof frame);
  fake_reg (f, "R4", 0x44);
  fake_reg (f, "SP", sp);
  fake_reg (f, "xPSR", 0x61000000);
  fake_end (f, pc + 4, true);
  struct tb_state *s = finish (f);
  CHECK_INT (tb_state_halt (s), TB_HALT_USED);
  KNOWN (s, 5, TB_SP, sp - 32);
  WORD (s, 5, sp - 32 + 24, pc);
  if (gap)
    UNKNOWN (s, 3, TB_SP);
  else
    {
      KNOWN (s, 3, TB_SP, sp - 32);
      KNOWN (s, 0, TB_R4, 0x44);
    }
  end (f, s);
}

/* FP registers that are saved late and a lockup, which ETMv4 tells as exceptions, stack no frame:
   what RAM has below the stack says nothing.  The first leave the other registers as they were, if
   execution goes on ELSEWHERE it was another thing.  */
static void
test_no_entry (enum tb_exception taken, bool elsewhere)
{
  bool entry = tb_exception_enters (taken);
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00, 0xbf00);
  uint32_t pc = fake_run (f, MAIN, 2);
  struct tb_event *e = fake_event (f, TB_EVENT_EXCEPTION, pc);
  e->exception = entry ? 15 : TB_EXCEPTION_UNKNOWN;
  if (entry)
    pc = HANDLER;
  else
    {
      e->taken = (uint8_t) taken;
      e->address += elsewhere ? 2 : 0;
    }
  flash[HANDLER / 2] = 0xbf00;
  pc = fake_run (f, pc, 1);
  ram[56] = 0x11;		/* Where a frame would be: at 0x200000e0.  */
  ram[62] = MAIN + 4;
  ram[63] = 0x01000000;
  fake_reg (f, "SP", FAKE_RAM + 0xe0);
  fake_reg (f, "R0", 0x22);
  fake_end (f, pc, true);
  struct tb_state *s = finish (f);
  if (entry)
    KNOWN (s, 1, TB_R0, 0x11);
  else if (taken == TB_EXC_FP_SAVED && !elsewhere)
    KNOWN (s, 1, TB_R0, 0x22);
  else
    UNKNOWN (s, 1, TB_R0);
  end (f, s);
}

/* A thread on PSP: the frame is there, the handler runs on MSP.  */
static void
test_psp (void)
{
  uint32_t sp = FAKE_RAM + 0x80;
  struct tb_recording *f = interrupted (sp, TO_PSP);
  fake_reg (f, "PSP", sp);
  fake_reg (f, "MSP", FAKE_RAM + 0xf0);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_SP, sp);
  KNOWN (s, 0, TB_PSP, sp);
  KNOWN (s, 2, TB_SP, FAKE_RAM + 0xf0);
  KNOWN (s, 2, TB_PSP, sp - 32);
  KNOWN (s, 5, TB_SP, sp);
  KNOWN (s, 5, TB_MSP, FAKE_RAM + 0xf0);
  KNOWN (s, 2, TB_LR, TO_PSP);
  end (f, s);
}

/* A second handler after the first.  CHAINED: without unstacking; else the
   first one returned before the second was entered.  */
static struct tb_recording *
two_handlers (bool chained)
{
  struct tb_recording *f = BEGIN (0x2011, 0xbf00, 0xbf00);
  static const uint16_t handler[] = { 0x2099, 0x4770 };
  uint32_t sp = FAKE_RAM + 0x80;
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  memcpy (flash + OTHER / 2, handler, sizeof handler);
  uint32_t pc = fake_run (f, MAIN, 1);
  enter (f, pc, 16);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  if (chained)
    {
      leave (f, OTHER, TO_MSP);
      struct tb_event *e = fake_event (f, TB_EVENT_EXCEPTION, pc);
      e->exception = 17;
      e->flags = TB_EXCEPTION_TAIL_CHAIN;
    }
  else
    {
      leave (f, pc, TO_MSP);
      enter (f, pc, 17);
    }
  fake_step (f, OTHER, 0);
  fake_step (f, OTHER + 2, TB_STEP_TAKEN);
  leave (f, pc, TO_MSP);
  pc = fake_run (f, pc, 2);
  uint32_t frame[8] = { 0x11, 1, 2, 3, 12, 14, MAIN + 2, 0x01000000 };
  memcpy (ram + 24, frame, sizeof frame);
  fake_reg (f, "R1", 1);
  fake_reg (f, "SP", sp);
  fake_reg (f, "xPSR", 0x01000000);
  fake_end (f, pc, true);
  return f;
}

static void
test_two (bool chained)
{
  struct tb_recording *f = two_handlers (chained);
  struct tb_state *s = finish (f);
  uint32_t sp = FAKE_RAM + 0x80;
  KNOWN (s, 0, TB_SP, sp);
  KNOWN (s, 1, TB_SP, sp - 32);
  KNOWN (s, 3, TB_SP, sp - 32);
  UNKNOWN (s, 3, TB_R0);
  UNKNOWN (s, 3, TB_R1);
  KNOWN (s, 5, TB_R0, 0x11);
  KNOWN (s, 5, TB_SP, sp);
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, 3, v);
  CHECK_INT (v[TB_PSR].bits & v[TB_PSR].mask & 0x1ff, 17);
  end (f, s);
}

/* An MTB shows a tail chain and a return alike.  Without the entry in the trace
   it was a return if the frame says so.  */
static void
test_maybe (bool agrees)
{
  struct tb_recording *f = BEGIN (0xbf00, 0xbf00);
  static const uint16_t handler[] = { 0x2099, 0x4770 };
  uint32_t sp = FAKE_RAM + 0x60;
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  leave (f, MAIN, TO_MSP);
  uint32_t pc = fake_run (f, MAIN, 2);
  uint32_t frame[8] = { 0x11, 1, 2, 3, 12, 14, agrees ? MAIN : MAIN + 2,
			0x01000000 };
  memcpy (ram + 24, frame, sizeof frame);
  fake_reg (f, "SP", agrees ? sp + 32 : sp);
  fake_reg (f, "R4", 4);
  if (agrees)
    fake_reg (f, "R0", 0x11);
  fake_end (f, pc, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 0, TB_R4, 4);
  KNOWN (s, 1, TB_R0, 0x99);
  if (agrees)
    {
      /* The frame may be at SP - 32 or, not returned from, at SP.  */
      UNKNOWN (s, 2, TB_R2);
      UNKNOWN (s, 1, TB_SP);
    }
  else
    UNKNOWN (s, 2, TB_R0);
  end (f, s);

  /* Thread mode at the end proves that it was a return.  */
  f = BEGIN (0xbf00, 0xbf00);
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  leave (f, MAIN, TO_MSP);
  pc = fake_run (f, MAIN, 2);
  frame[6] = MAIN;
  memcpy (ram + 24, frame, sizeof frame);
  fake_reg (f, "SP", sp + 32);
  fake_reg (f, "xPSR", 0x01000000);
  fake_end (f, pc, true);
  s = finish (f);
  KNOWN (s, 2, TB_R2, 2);
  KNOWN (s, 2, TB_R12, 12);
  KNOWN (s, 1, TB_SP, sp);
  end (f, s);
}

/* A store multiple that an interrupt breaks off may have stored some words
   already; a load multiple may have loaded some registers.  */
static void
test_abandoned (uint16_t opcode)
{
  struct tb_recording *f = BEGIN (0xbf00, opcode, 0x2000, 0x2100);
  static const uint16_t handler[] = { 0xbf00, 0x4770 };
  uint32_t sp = FAKE_RAM + 0x80;
  bool store = opcode == 0xc606;	/* stm r6!,{r1,r2}  */
  bool load = opcode == 0xce30;		/* ldm r6!,{r4,r5}  */
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  uint32_t pc = fake_run (f, MAIN, 1);
  enter (f, pc, 16);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  leave (f, pc, TO_MSP);
  pc = fake_run (f, pc, 3);
  uint32_t frame[8] = { 0, 0xaa, 0xbb, 3, 12, 14, MAIN + 2, 0x01000000 };
  memcpy (ram + 24, frame, sizeof frame);
  ram[0] = 0xaa;
  ram[1] = 0xbb;
  fake_reg (f, "R2", 0xbb);
  fake_reg (f, "R4", load ? 0xaa : 4);
  fake_reg (f, "R6", store || load ? FAKE_RAM + 8 : 6);
  fake_reg (f, "R7", 7);
  fake_reg (f, "SP", sp);
  fake_reg (f, "xPSR", 0x41000000);
  fake_end (f, pc, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_R7, 7);
  if (load)
    UNKNOWN (s, 1, TB_R4);
  else
    KNOWN (s, 1, TB_R4, 4);
  if (store)
    {
      KNOWN (s, 1, TB_R6, FAKE_RAM);
      NO_WORD (s, 1, FAKE_RAM);
      NO_WORD (s, 0, FAKE_RAM);
      WORD (s, 4, FAKE_RAM, 0xaa);
    }
  else
    WORD (s, 1, FAKE_RAM, 0xaa);
  end (f, s);
}

/* A store that faults may have stored a part, where it need not be aligned; a load of one
   register that faults has loaded nothing.  */
static void
test_faulted (bool store, unsigned exception)
{
  /* movs r4,#4; str r4,[r6]; str r1,[r6] or ldr r4,[r6]  */
  struct tb_recording *f = BEGIN (0x2404, 0x6034, store ? 0x6031 : 0x6834, 0x2000, 0x2100);
  static const uint16_t handler[] = { 0xbf00, 0x4770 };
  f->profile.arch = TB_ARCH_V7M;
  memcpy (flash + HANDLER / 2, handler, sizeof handler);
  uint32_t pc = fake_run (f, MAIN, 2);
  enter (f, pc, exception);
  fake_step (f, HANDLER, 0);
  fake_step (f, HANDLER + 2, TB_STEP_TAKEN);
  leave (f, pc, TO_MSP);
  pc = fake_run (f, pc, 3);
  uint32_t frame[8] = { 0, 0xaa, 2, 3, 12, 14, MAIN + 4, 0x01000000 };
  memcpy (ram + 24, frame, sizeof frame);
  ram[0] = store ? 0xaa : 4;
  fake_reg (f, "R2", 2);
  fake_reg (f, "R4", 4);
  fake_reg (f, "R6", FAKE_RAM);
  fake_reg (f, "SP", FAKE_RAM + 0x80);
  fake_reg (f, "xPSR", 0x41000000);
  fake_end (f, pc, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 2, TB_R6, FAKE_RAM);
  KNOWN (s, 2, TB_R4, 4);
  KNOWN (s, 3, TB_R4, 4);
  if (store && exception == 3)
    NO_WORD (s, 2, FAKE_RAM);
  else
    WORD (s, 2, FAKE_RAM, 4);
  WORD (s, 5, FAKE_RAM, store ? 0xaa : 4);
  end (f, s);
}

/* Other architectures.  USED: code that makes more than one kind of frame
   possible where the trace does not tell EXC_RETURN.  */
static void
test_other_architecture (enum tb_arch arch, uint32_t sp, uint32_t told,
			 uint32_t lr, uint16_t used)
{
  struct tb_recording *f = interrupted (sp, told);
  f->profile.arch = arch;
  flash[8] = used;
  flash[9] = used >= 0xe800 ? 0x0a20 : 0;
  struct tb_state *s = finish (f);
  KNOWN (s, 1, TB_R0, 0x11);
  KNOWN (s, 5, TB_R4, 0x44);
  KNOWN (s, 5, TB_SP, sp);
  if (used != 0x4774)
    {
      KNOWN (s, 0, TB_R1, 1);
      KNOWN (s, 0, TB_SP, sp);
      KNOWN (s, 2, TB_SP, sp / 8 * 8 - 32);
      KNOWN (s, 2, TB_R4, 0x44);
      KNOWN (s, 0, TB_LR, 14);
    }
  else
    UNKNOWN (s, 2, TB_SP);
  if (lr != 0)
    KNOWN (s, 2, TB_LR, lr);
  else
    UNKNOWN (s, 2, TB_LR);
  end (f, s);
}

static void
test_other_architectures (void)
{
  for (uint32_t sp = FAKE_RAM + 0x80; sp <= FAKE_RAM + 0x84; sp += 4)
    {
      test_other_architecture (TB_ARCH_V7M, sp, 0, TO_MSP, 0);
      test_other_architecture (TB_ARCH_V7EM, sp, TO_MSP, TO_MSP, 0);
      test_other_architecture (TB_ARCH_V8M_MAIN, sp, 0xffffffb8, 0xffffffb8,
			       0);
      test_other_architecture (TB_ARCH_V8M_BASE, sp, 0xffffffb8, 0xffffffb8,
			       0);
      /* Secure or not is not told.  */
      test_other_architecture (TB_ARCH_V8M_MAIN, sp, 0, 0, 0);
    }
  /* vadd.f32: there may be a frame with FP registers, but what is in RAM excludes
     it.  bxns lr: the frame may be anywhere.  */
  test_other_architecture (TB_ARCH_V7EM, FAKE_RAM + 0x80, 0, TO_MSP, 0xee30);
  test_other_architecture (TB_ARCH_V8M_MAIN, FAKE_RAM + 0x80, 0, 0, 0x4774);
}

/* An MTB does not tell a reset from an exception but by where it leads: nothing is
   kept, and nothing is stacked.  */
static void
test_reset (bool reset)
{
  struct tb_recording *f = BEGIN (0x2011,	/* movs r0,#0x11  */
				  0xbf00);
  for (unsigned i = 0; i < 16; i++)
    TARGET_STORE (flash, 4 * i, 4, i == 0 ? FAKE_RAM + sizeof ram
		  : i == 1 ? OTHER | 1 : HANDLER | 1);
  flash[HANDLER / 2] = flash[OTHER / 2] = 0x2305;	/* movs r3,#5  */
  uint32_t pc = fake_run (f, MAIN, 2);
  enter (f, pc, TB_EXCEPTION_UNKNOWN);
  pc = fake_run (f, reset ? OTHER : HANDLER, 1);
  ram[56] = 0x11;		/* The frame is at 0x200000e0.  */
  ram[62] = MAIN + 4;
  ram[63] = 0x01000000;
  fake_reg (f, "R4", 0x44);
  fake_reg (f, "SP", FAKE_RAM + 0xe0);
  fake_end (f, pc, true);
  struct tb_state *s = finish (f);
  KNOWN (s, 2, TB_R4, 0x44);
  KNOWN (s, 1, TB_R0, 0x11);
  if (reset)
    {
      UNKNOWN (s, 1, TB_R4);
      UNKNOWN (s, 1, TB_SP);
    }
  else
    {
      KNOWN (s, 1, TB_R4, 0x44);
      KNOWN (s, 1, TB_SP, FAKE_RAM + 0x100);
    }
  end (f, s);
}

int
main (void)
{
  test_reset (false);
  test_reset (true);
  test_interrupt (FAKE_RAM + 0x80);
  test_interrupt (FAKE_RAM + 0x84);
  test_fixed_words ();
  test_not_told ();
  test_taken_at_once (false);
  test_taken_at_once (true);
  test_no_entry (TB_EXC_IRQ, false);
  test_no_entry (TB_EXC_FP_SAVED, false);
  test_no_entry (TB_EXC_FP_SAVED, true);
  test_no_entry (TB_EXC_LOCKUP, false);
  test_psp ();
  test_two (false);
  test_two (true);
  test_maybe (true);
  test_maybe (false);
  test_abandoned (0xbf00);
  test_abandoned (0xc606);
  test_abandoned (0xce30);
  test_faulted (false, 3);
  test_faulted (false, 16);
  test_faulted (true, 3);
  test_faulted (true, 16);
  test_other_architectures ();
  return check_done ();
}
