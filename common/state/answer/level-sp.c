/* The stack pointer for levels.  See level-sp.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/level-sp.h"

#include "recording/facts.h"

static struct tb_state *
find_state (struct tb_level_sp *l)
{
  const struct tb_state_options lines = { .lines_alone = true };
  bool log = tb_recording_facts (l->recording) != NULL;
  if (!log && tb_recording_steps (l->recording) > TB_LEVEL_SP_STEPS)
    return NULL;
  if (l->state != NULL)
    return l->state;
  if (!l->tried && log)
    l->made = tb_state_open (l->recording, &lines, NULL);
  else if (!l->tried && l->open != NULL)
    l->made = l->open (l->context);
  if (!l->tried && l->made == NULL && (log || l->open != NULL))
    tb_recording_lacks_memory (l->recording);
  l->tried = true;
  return l->made;
}

bool
tb_level_sp (void *context, uint64_t step, uint64_t *sp)
{
  struct tb_level_sp *l = context;
  struct tb_state *state = find_state (l);
  struct tb_value values[TB_NREGS_MAX];
  if (state == NULL)
    return false;
  bool wide = tb_recording_profile (l->recording)->has_a64;
  tb_state_registers (state, step, values);
  const struct tb_value *value = &values[wide ? TB_SP64 : TB_SP];
  uint64_t all = wide ? UINT64_MAX : UINT32_MAX;
  *sp = value->bits & all;
  return (value->mask & ~value->assumed & all) == all;
}

void
tb_level_sp_fini (struct tb_level_sp *l)
{
  tb_state_close (l->made);
  l->made = NULL;
}
