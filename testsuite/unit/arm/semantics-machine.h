/* A machine that runs one A32 or T32 instruction by what it is lifted to.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_SEMANTICS_MACHINE_H
#define TB_UNIT_SEMANTICS_MACHINE_H

#include "arm/ir/semantics.h"
#include "check.h"
#include "run-32.h"
#include "target-memory.h"

#define BASE 0x20001000u
#define NROWS(rows) (sizeof (rows) / sizeof (rows)[0])

/* Places, and 256 bytes at BASE - 128; all elsewhere is 0.  */
struct machine
{
  uint32_t p[TB_PLACE_END];
  uint8_t ram[256];
  unsigned stores;
  bool outside;			/* Something else was accessed.  */
};

static inline uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct machine *m = context;
  uint32_t value = 0, at = address - (BASE - 128);
  if (at <= sizeof m->ram - size)
    value = (uint32_t) TARGET_LOAD (m->ram, at, size);
  else
    m->outside = true;
  return value;
}

static inline void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct machine *m = context;
  uint32_t at = address - (BASE - 128);
  if (at <= sizeof m->ram - size)
    TARGET_STORE (m->ram, at, size, value);
  else
    m->outside = true;
  m->stores++;
}

/* Run S, which OPCODE is lifted to: that it is modelled, and changes no more than its
   effect says, is checked.  */
static inline struct tb_semantics_result
run_lifted (struct machine *m, const struct tb_semantics *s, uint32_t opcode)
{
  struct tb_forward_memory memory = { load, store, m };
  struct tb_semantics_result result = { 0 };
  struct tb_semantics_effect effect;
  uint32_t before[TB_PLACE_END];
  if (!CHECK (s->modelled))
    {
      fprintf (stderr, "opcode %#x\n", opcode);
      return result;
    }
  memcpy (before, m->p, sizeof before);
  run_32 (s, m->p, &memory, &result);
  tb_semantics_effect (s->uops, s->count, false, &effect);
  CHECK_INT (effect.writes & ~effect.may_write, 0);
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (!CHECK (m->p[i] == before[i] || (effect.may_write >> i & 1)))
      fprintf (stderr, "opcode %#x, slot %u\n", opcode, i);
  return result;
}

#endif /* TB_UNIT_SEMANTICS_MACHINE_H */
