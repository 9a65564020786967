/* Programs of a few instructions for tests of state, and what is expected of
   them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_STATE_PROGRAM_H
#define TB_UNIT_STATE_PROGRAM_H

#include <stdlib.h>

#include "check.h"
#include "fake-recording.h"

#define MAIN 0x100u

/* Flash from 0, RAM from FAKE_RAM.  */
static uint16_t flash[512];
static uint32_t ram[64];

static inline struct tb_recording *
begin (const uint16_t *code, size_t count)
{
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  memset (flash, 0, sizeof flash);
  memset (ram, 0, sizeof ram);
  memcpy (flash + MAIN / 2, code, 2 * count);
  fake_dump (f, 0, flash, sizeof flash);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  return f;
}

#define BEGIN(...) \
  begin ((const uint16_t[]) { __VA_ARGS__ }, \
	 sizeof (uint16_t[]) { __VA_ARGS__ } / 2)

static inline struct tb_state *
finish (struct tb_recording *f)
{
  struct tb_state *state = fake_open (f);
  if (!CHECK (state != NULL))
    abort ();
  CHECK_INT (f->diag.warnings, 0);
  return state;
}

static inline void
end (struct tb_recording *f, struct tb_state *state)
{
  CHECK (fake_same_memory (f, state));
  tb_state_close (state);
  fake_free (f);
}

/* Expectations at a step: the value, or that it is not known.  */
#define KNOWN(state, step, reg, want) \
  do \
    { \
      uint32_t got_; \
      CHECK (fake_known ((state), (step), (reg), &got_)); \
      CHECK_INT (got_, (want)); \
    } \
  while (0)
#define UNKNOWN(state, step, reg) \
  do \
    { \
      uint32_t got_; \
      CHECK (!fake_known ((state), (step), (reg), &got_)); \
    } \
  while (0)
#define WORD(state, step, address, want) \
  do \
    { \
      uint32_t got_; \
      CHECK (fake_word ((state), (step), (address), &got_)); \
      CHECK_INT (got_, (want)); \
    } \
  while (0)
#define NO_WORD(state, step, address) \
  do \
    { \
      uint32_t got_; \
      CHECK (!fake_word ((state), (step), (address), &got_)); \
    } \
  while (0)

#endif /* TB_UNIT_STATE_PROGRAM_H */
