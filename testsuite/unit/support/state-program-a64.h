/* Programs of A64 of a few instructions for tests of state, and what is expected
   of them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_STATE_PROGRAM_A64_H
#define TB_UNIT_STATE_PROGRAM_A64_H

#include <stdlib.h>

#include "check.h"
#include "fake-recording.h"

#define MAIN 0x1000u
#define HANDLER 0x1100u
#define RAM 0x8000u

static uint32_t code[128];	/* From MAIN.  */
static uint64_t ram[32];	/* From RAM.  */

static inline struct tb_recording *
begin (const uint32_t *words, size_t count)
{
  struct tb_recording *f = fake_new (TB_ARCH_V8A);
  memset (code, 0, sizeof code);
  memset (ram, 0, sizeof ram);
  memcpy (code, words, 4 * count);
  fake_dump (f, MAIN, code, sizeof code);
  fake_dump (f, RAM, ram, sizeof ram);
  fake_event (f, TB_EVENT_CONTEXT, 0)->el = 1;
  return f;
}

#define BEGIN(...) \
  begin ((const uint32_t[]) { __VA_ARGS__ }, \
	 sizeof (uint32_t[]) { __VA_ARGS__ } / 4)

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

static inline void
known (struct tb_state *s, uint64_t step, unsigned reg, uint64_t want,
       unsigned line)
{
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, step, v);
  if (!CHECK (v[reg].mask == UINT64_MAX && v[reg].bits == want))
    fprintf (stderr, "line %u: mask %#llx bits %#llx\n", line,
	     (unsigned long long) v[reg].mask,
	     (unsigned long long) v[reg].bits);
}

#define KNOWN(s, step, reg, want) known ((s), (step), (reg), (want), __LINE__)

static inline bool
all_known (struct tb_state *s, uint64_t step, unsigned reg)
{
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, step, v);
  return v[reg].mask == UINT64_MAX;
}

/* Which of the flags are known, and what they are: mask and bits as in NZCV. */
static inline void
flags (struct tb_state *s, uint64_t step, unsigned mask, unsigned bits)
{
  struct tb_value v[TB_NREGS_MAX];
  tb_state_registers (s, step, v);
  CHECK_INT (v[TB_PSTATE].mask >> 28, mask);
  CHECK_INT (v[TB_PSTATE].bits >> 28, bits);
}

#endif /* TB_UNIT_STATE_PROGRAM_A64_H */
