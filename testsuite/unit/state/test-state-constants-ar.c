/* State: constants of functions of A32 and T32 code on the A and R profile.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "fake-recording.h"
#include "state/assume/constants.h"

#define MAIN 0x100u
#define F 0x108u
#define T 0x160u

static uint32_t flash[128];
static uint32_t ram[16];

/* MAIN, F and what they call; the literal of F is at 0x150, that of T at 0x168.  */
static const uint32_t code[] = {
  0xeb000000,			/* 100  bl F  */
  0xeafffffe,			/* 104  b .  */
  0xe3a04007,			/* 108  F: mov r4, #7  */
  0xe3500000,			/* 10c  cmp r0, #0  */
  0x13a04008,			/* 110  movne r4, #8  */
  0xe3a05005,			/* 114  mov r5, #5  */
  0xe3a00003,			/* 118  mov r0, #3  */
  0x1b000006,			/* 11c  blne 13c  */
  0xe3a08009,			/* 120  mov r8, #9  */
  0xf1020012,			/* 124  cps #18  */
  0xe59f6020,			/* 128  ldr r6, [pc, #32]  */
  0xe1a07006,			/* 12c  mov r7, r6  */
  0xfa00000a,			/* 130  blx T  */
  0x03a05006,			/* 134  moveq r5, #6  */
  0xe12fff1e,			/* 138  bx lr  */
  0xe1a0f00e,			/* 13c  mov pc, lr  */
};

struct wanted
{
  uint32_t pc;			/* As BX takes it.  */
  unsigned reg;
  bool known;
  uint32_t value;
};

static void
check_rows (struct tb_constants *c, const struct wanted *rows, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      const struct wanted *row = &rows[i];
      struct tb_code_step t = { .pc = row->pc, .ours = true };
      const uint64_t *values;
      uint64_t function;
      uint32_t at = row->pc & ~3u;
      t.opcode = row->pc & 1 ? flash[at / 4] >> (row->pc & 2 ? 16 : 0) & 0xffff
		 : flash[at / 4];
      uint32_t known = tb_constants_before (c, &t, &values, &function);
      if (!CHECK_INT (known >> row->reg & 1, row->known))
	fprintf (stderr, "pc %#x, r%u\n", row->pc, row->reg);
      else if (row->known)
	CHECK_INT (values[row->reg], row->value);
    }
}

/* A jump through a table that is done if the index is in bounds, and a frame pointer
   that is r11.  GUARD: the comparison before the jump.  */
static void
test_switch (uint32_t guard, bool known)
{
  static uint32_t program[] = {
    0xeb000000,			/* 100  bl F  */
    0xeafffffe,			/* 104  b .  */
    0xe92d4800,			/* 108  F: push {r11, lr}  */
    0xe28db004,			/* 10c  add r11, sp, #4  */
    0xe24dd008,			/* 110  sub sp, sp, #8  */
    0xe3a04007,			/* 114  mov r4, #7  */
    0,				/* 118  GUARD  */
    0x979ff100,			/* 11c  ldrls pc, [pc, r0, lsl #2]  */
    0xea000006,			/* 120  b 140  */
    0x130, 0x134, 0x13c,	/* 124  */
    0xe3a04008,			/* 130  mov r4, #8  */
    0xe3a05001,			/* 134  mov r5, #1  */
    0xe50b4008,			/* 138  str r4, [r11, #-8]  */
    0xe3a06002,			/* 13c  mov r6, #2  */
    0xe24bd004,			/* 140  sub sp, r11, #4  */
    0xe8bd8800,			/* 144  pop {r11, pc}  */
  };
  const struct wanted rows[] = {
    { 0x11c, 4, known, 7 }, { 0x120, 4, known, 7 },
    { 0x130, 4, false, 0 },		/* A pointer leads here.  */
    { 0x134, 4, false, 0 },
    { 0x138, 5, known, 1 }, { 0x13c, 5, false, 0 },
    { 0x140, 6, false, 0 }
  };
  struct tb_recording *f = fake_new (TB_ARCH_V7A);
  f->decoder = &fake_ptm;
  memset (flash, 0, sizeof flash);
  program[6] = guard;
  memcpy (flash + MAIN / 4, program, sizeof program);
  fake_dump (f, 0, flash, sizeof flash);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_run (f, F, 2);
  f->options.assume = TB_ASSUME_CONSTANTS;
  struct tb_state *state = fake_open (f);
  struct tb_constants *c = state != NULL ? tb_constants_find (state) : NULL;
  if (!CHECK (c != NULL))
    abort ();
  check_rows (c, rows, sizeof rows / sizeof rows[0]);
  struct tb_code_step t = { .pc = 0x120, .opcode = 0xea000006, .ours = true };
  uint32_t frame = 0;
  uint64_t function;
  CHECK_INT (tb_constants_frame (c, &t, &frame, &function), known);
  if (known)
    CHECK_INT (frame, 12);
  tb_constants_free (c);
  tb_state_close (state);
  fake_free (f);
}

/* Where a frame pointer that OPCODE makes of SP stands: FRAME bytes above it, if that is
   KNOWN.  */
static void
test_frame (uint32_t opcode, bool known, uint32_t frame)
{
  const uint32_t program[] = {
    0xeb000000,			/* 100  bl F  */
    0xeafffffe,			/* 104  b .  */
    0xe92d4800,			/* 108  F: push {r11, lr}  */
    opcode,			/* 10c  */
    0xe320f000,			/* 110  nop  */
    0xe8bd8800,			/* 114  pop {r11, pc}  */
  };
  struct tb_recording *f = fake_new (TB_ARCH_V7A);
  f->decoder = &fake_ptm;
  memset (flash, 0, sizeof flash);
  memcpy (flash + MAIN / 4, program, sizeof program);
  fake_dump (f, 0, flash, sizeof flash);
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_run (f, F, 2);
  f->options.assume = TB_ASSUME_CONSTANTS;
  struct tb_state *state = fake_open (f);
  struct tb_constants *c = state != NULL ? tb_constants_find (state) : NULL;
  if (!CHECK (c != NULL))
    abort ();
  struct tb_code_step t = { .pc = 0x110, .opcode = 0xe320f000, .ours = true };
  uint32_t found = 0;
  uint64_t function;
  if (!CHECK_INT (tb_constants_frame (c, &t, &found, &function), known)
      || (known && !CHECK_INT (found, frame)))
    fprintf (stderr, "opcode %#x\n", opcode);
  tb_constants_free (c);
  tb_state_close (state);
  fake_free (f);
}

static void
test_code (void)
{
  static const struct wanted rows[] = {
    { 0x10c, 4, true, 7 },
    { 0x114, 4, false, 0 },	/* Either.  */
    { 0x118, 5, true, 5 }, { 0x11c, 0, true, 3 },
    { 0x120, 0, false, 0 },	/* The call may change it, */
    { 0x120, 5, true, 5 },	/* but not this one.  */
    { 0x124, 8, true, 9 },
    { 0x128, 8, false, 0 },	/* FIQ mode has one of its own.  */
    { 0x128, 5, true, 5 }, { 0x12c, 6, true, 0x12345678 },
    { 0x130, 7, true, 0x12345678 }, { 0x134, 7, true, 0x12345678 },
    { 0x138, 5, false, 0 },
    { T + 1, 7, false, 0 },	/* Any may call it.  */
    { T + 3, 1, true, 4 }, { T + 5, 2, true, 0x87654321 }
  };
  struct tb_recording *f = fake_new (TB_ARCH_V7A);
  f->decoder = &fake_ptm;
  memset (flash, 0, sizeof flash);
  memcpy (flash + MAIN / 4, code, sizeof code);
  flash[0x150 / 4] = 0x12345678;
  flash[T / 4] = 0x4a012104;	/* movs r1, #4; ldr r2, [pc, #4]  */
  flash[T / 4 + 1] = 0x47704770;	/* bx lr  */
  flash[0x168 / 4] = 0x87654321;
  fake_dump (f, 0, flash, sizeof flash);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  fake_step (f, MAIN, TB_STEP_TAKEN);
  fake_run (f, F, 2);
  f->options.assume = TB_ASSUME_CONSTANTS;
  struct tb_state *state = fake_open (f);
  struct tb_constants *c = state != NULL ? tb_constants_find (state) : NULL;
  if (!CHECK (c != NULL))
    abort ();
  check_rows (c, rows, sizeof rows / sizeof rows[0]);
  tb_constants_free (c);
  tb_state_close (state);
  fake_free (f);
}

int
main (void)
{
  test_code ();
  test_frame (0xe1a0b00d, true, 0);	/* mov r11, sp  */
  test_frame (0xe28db004, true, 4);	/* add r11, sp, #4  */
  test_frame (0xe24db004, true, (uint32_t) -4);	/* sub r11, sp, #4  */
  test_frame (0xe3cdb007, false, 0);	/* bic r11, sp, #7  */
  test_frame (0xe20db00f, false, 0);	/* and r11, sp, #15  */
  test_frame (0xe02db004, false, 0);	/* eor r11, sp, r4  */
  test_switch (0xe3500002, true);	/* cmp r0, #2  */
  test_switch (0xe1500001, false);	/* cmp r0, r1  */
  return check_done ();
}
