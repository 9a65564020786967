/* A case of the corpus run anew.  See case-run.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/case-run.h"
#include "run-32.h"

bool
case_open (struct case_run *run, const char *name)
{
  char type[64];
  if (!corpus_open (&run->c, name))
    return false;
  tb_profile_find (&run->profile, case_core_value (run, "type=", type, sizeof type));
  return true;
}

char *
case_core_value (const struct case_run *run, const char *key, char *to, size_t room)
{
  size_t size;
  char *text = (char *) corpus_file (run->c.directory, "cpu_0.ini", &size);
  to[0] = 0;
  if (text != NULL && size > 0)
    {
      text[size - 1] = 0;
      char *at = strstr (text, key);
      if (at != NULL)
	snprintf (to, room, "%.*s", (int) strcspn (at + strlen (key), "\r\n"),
		  at + strlen (key));
    }
  free (text);
  return to;
}

bool
case_is_thumb (const struct case_run *run, const struct corpus_step *s)
{
  return run->profile.is_m || s->flags & CORPUS_THUMB;
}

bool
case_read (const struct case_run *run, uint32_t address, unsigned size,
	   uint32_t *value)
{
  const struct corpus_case *c = &run->c;
  uint32_t in_ram = address - c->ram_base, in_flash = address - c->flash_base;
  *value = 0;
  if (in_ram <= c->ram_size - size)
    memcpy (value, c->ram + in_ram, size);
  else if (in_flash <= c->flash_size - size)
    memcpy (value, c->flash + in_flash, size);
  else
    return false;
  return true;
}

void
case_note (struct case_run *run, uint32_t address, unsigned size, uint32_t value,
	   bool known)
{
  if (run->naccesses < CASE_ACCESSES_MOST)
    run->accesses[run->naccesses++] = (struct case_access) {
      .address = address, .value = value, .size = size, .known = known
    };
}

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct case_run *run = context;
  uint32_t value;
  bool known = case_read (run, address, size, &value);
  case_note (run, address, size, value, known);
  return known ? value : run->filler;
}

/* What is stored is what the truth says, if it does.  */
static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct case_run *run = context;
  bool known = false;
  for (size_t i = run->write; i < run->c.nwrites
			    && run->c.writes[i].index == run->step; i++)
    if (run->c.writes[i].address == address && run->c.writes[i].size == size)
      {
	value = (uint32_t) run->c.writes[i].value;
	known = true;
      }
  unsigned number = run->naccesses;
  case_note (run, address, size, value, known);
  if (number < CASE_ACCESSES_MOST)
    run->accesses[number].is_store = true;
}

void
case_places (const struct case_run *run, const struct corpus_step *s, uint32_t *places)
{
  memset (places, 0, TB_PLACE_END * sizeof *places);
  memcpy (places, s->r, sizeof s->r);
  for (unsigned i = 0; i < 4; i++)
    places[TB_SLOT_N + i] = s->psr >> (31 - i) & 1;
  if (!run->profile.is_m)
    {
      places[TB_SLOT_MODE] = s->psr & 31;
      places[TB_SLOT_MASKS] = s->psr >> 6 & 7;
    }
}

static void
run_step (struct case_run *run, const struct corpus_step *s,
	  const struct tb_semantics *semantics, uint32_t *places)
{
  struct tb_forward_memory memory = { load, store, run };
  struct tb_semantics_result result;
  case_places (run, s, places);
  run->naccesses = 0;
  run_32 (semantics, places, &memory, &result);
  /* Registers of other modes are not in the truth.  */
  if (result.banked)
    run->naccesses = 0;
}

void
case_find_accesses (struct case_run *run, const struct corpus_step *s,
		    const struct corpus_step *next)
{
  struct tb_semantics semantics;
  uint32_t zeros[TB_PLACE_END], ones[TB_PLACE_END];
  run->naccesses = 0;
  if (case_is_thumb (run, s))
    tb_semantics_t32 (&semantics, s->opcode, s->length, s->pc, &run->profile);
  else
    tb_semantics_a32 (&semantics, s->opcode, s->pc, &run->profile);
  if (!semantics.modelled)
    return;
  run->filler = UINT32_MAX;
  run_step (run, s, &semantics, ones);
  run->filler = 0;
  run_step (run, s, &semantics, zeros);
  if (run->naccesses != 1 || run->accesses[0].known || next == NULL
      || next->flags & CORPUS_EXCEPTION)
    return;
  /* The register that it shows in.  */
  for (unsigned i = 0; i < 15; i++)
    if (zeros[i] != ones[i])
      {
	unsigned size = run->accesses[0].size;
	run->accesses[0].value
	  = size < 4 ? next->r[i] & ((1u << 8 * size) - 1) : next->r[i];
	run->accesses[0].known = run->accesses[0].elsewhere = true;
      }
}
