/* What lines of a Tarmac log that are not understood may have changed.  See
   tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What was told before such a line is stale where the line may have told otherwise, and
   nowhere else: a line of a register whose value cannot be read says which register was
   written; one of a store without its data says where.  A line of a kind that is not
   known is taken to speak of the registers that it names or, if it names none, of the
   memory at what looks like an address.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <string.h>

#include "recording/facts-memory.h"

/* Words of a line of an unknown kind that are looked at; and bytes behind an address
   in it.  */
#define WORDS 16
#define REACH 16

/* The bytes from ADDRESS on, LENGTH of them, hold something else before step AT.  */
static void
forget_bytes (struct tb_tarmac_core *c, uint64_t at, uint64_t address,
	      unsigned length)
{
  for (unsigned i = 0; i < length; i++)
    tb_facts_build_memory (c->builder, at, address + i, NULL, 1);
}

/* The register called NAME was written; LINE tells when.  */
static void
forget_register (struct tb_tarmac_core *c, struct tb_tarmac_word name,
		 const struct tb_tarmac_line *line)
{
  static const char digits[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  uint8_t none[TB_TARMAC_VALUE] = { 0 };
  const struct tb_tarmac_known *k = tb_tarmac_core_name (c, name);
  if (k == NULL)
    return;
  /* As a line that tells that nothing of it is known.  */
  unsigned lanes = k->role == TB_ROLE_VECTOR ? 4
		   : k->role == TB_ROLE_PC ? 1
					   : c->facts->registers[k->reg].nlanes;
  const unsigned most = (sizeof digits - 1) / 8;
  if (lanes < k->lanes)
    lanes = k->lanes;
  if (lanes > most)
    lanes = most;
  struct tb_tarmac_line unknown = {
    .kind = TB_TARMAC_REGISTER, .name = name, .unknown = true, .wide = none,
    .bytes = (uint16_t) (4 * lanes), .text = { digits, 8 * lanes },
    .has_tag = line->has_tag, .tag = line->tag
  };
  tb_tarmac_core_register (c, &unknown);
}

/* Any register may have been written before the next step.  */
static void
forget_registers (struct tb_tarmac_core *c)
{
  for (size_t i = 0; i < c->facts->nregisters; i++)
    for (unsigned k = 0; k < c->facts->registers[i].nlanes; k++)
      {
	uint32_t mask, value = tb_facts_build_last (c->builder, i, k, &mask);
	if (mask != 0)
	  tb_facts_build_value (c->builder, i, k, c->facts->steps, value, 0);
      }
  tb_sp_lost (&c->sp);
}

static void
forget_store (struct tb_tarmac_core *c, const struct tb_tarmac_line *line)
{
  uint64_t step = tb_tarmac_core_step (c, line);
  if (line->problem == TB_TARMAC_NO_DATA || line->problem == TB_TARMAC_TOO_LONG)
    {
      forget_bytes (c, step + 1, line->address,
		    line->length != 0 ? line->length : 16);
      return;
    }
  if (step != UINT64_MAX)
    tb_facts_build_anywhere (c->builder, step);
  tb_facts_build_forget_memory (c->builder, c->facts->steps);
}

void
tb_tarmac_core_lose (struct tb_tarmac_core *c)
{
  c->lost = false;
  if (c->facts->steps == 0)
    {
      tb_facts_build_forget (c->builder, 0);
      return;
    }
  /* The exceptions before it are before the gap.  */
  if (!c->own)
    tb_tarmac_core_between (c, NULL, "");
  size_t n = TB_COLUMN_COUNT (&c->facts->events, struct tb_event);
  const struct tb_event *last = (const struct tb_event *) c->facts->events.data;
  if (n > 0 && last[n - 1].kind == TB_EVENT_GAP
      && last[n - 1].step == c->facts->steps)
    tb_facts_build_forget (c->builder, c->facts->steps);
  else
    tb_tarmac_core_gap (c, c->lost_offset);
  c->between = (struct tb_tarmac_between) { .next_offset = c->lost_offset };
  c->after_event = false;
}

/* Is the word TEXT a register that the log has told of?  */
static bool
is_told (const struct tb_tarmac_core *c, struct tb_tarmac_word text)
{
  struct tb_tarmac_name name;
  char bank[40];
  if (!tb_tarmac_name (&name, text.text, text.length))
    return false;
  if (tb_tarmac_is_vector (name.name))
    return c->vectors.any;
  if (name.role == TB_ROLE_BANKED)
    tb_facts_bank (bank, name.name, c->facts->modes[c->mode]);
  return tb_facts_find (c->facts, name.name) != NULL
	 || (name.role == TB_ROLE_BANKED
	     && tb_facts_find (c->facts, bank) != NULL);
}

/* The address that TEXT looks like; false: none.  */
static bool
is_address (struct tb_tarmac_word text, uint64_t *address)
{
  *address = 0;
  if (text.length > 2 && text.text[0] == '0'
      && (text.text[1] == 'x' || text.text[1] == 'X'))
    {
      text.text += 2;
      text.length -= 2;
    }
  if (text.length != 8 && text.length != 16)
    return false;
  for (uint32_t i = 0; i < text.length; i++)
    {
      char ch = text.text[i];
      unsigned digit = ch >= '0' && ch <= '9' ? (unsigned) (ch - '0')
		       : ch >= 'a' && ch <= 'f' ? (unsigned) (ch - 'a' + 10)
		       : ch >= 'A' && ch <= 'F' ? (unsigned) (ch - 'A' + 10)
						: 16;
      if (digit == 16)
	return false;
      *address = *address << 4 | digit;
    }
  return true;
}

/* LINE, which ends at END, is of an unknown kind.  */
static void
forget_named (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	      const char *end)
{
  static const char between[] = " \t\r,;=()[]";
  uint64_t address, at = 0;
  bool named = false, found = false;
  const char *p = line->name.text + line->name.length;
  for (unsigned i = 0; i < WORDS && p < end; i++)
    {
      while (p < end && strchr (between, *p) != NULL)
	p++;
      const char *start = p;
      while (p < end && strchr (between, *p) == NULL)
	p++;
      const struct tb_tarmac_word word = { start, (uint32_t) (p - start) };
      if (word.length == 0)
	continue;
      if (is_told (c, word))
	{
	  forget_register (c, word, line);
	  named = true;
	}
      else if (!found && is_address (word, &address))
	{
	  at = address;
	  found = true;
	}
    }
  if (found && !named)
    forget_bytes (c, c->facts->steps, at, REACH);
}

void
tb_tarmac_core_unread (struct tb_tarmac_core *c,
		       const struct tb_tarmac_line *line,
		       const struct tb_tarmac_where *where, const char *end)
{
  if (c->lost)
    tb_tarmac_core_lose (c);
  tb_tarmac_core_vtor (c, false, 0);
  if (line->kind == TB_TARMAC_UNKNOWN)
    {
      forget_named (c, line, end);
      return;
    }
  switch (line->begins)
    {
    case TB_TARMAC_STEP:
      /* Where it is the last line, cut off, the state before it is known.  */
      c->lost = true;
      c->lost_offset = where->offset;
      break;
    case TB_TARMAC_REGISTER:
      if (line->problem == TB_TARMAC_NO_NAME)
	forget_registers (c);
      else
	forget_register (c, line->name, line);
      break;
    case TB_TARMAC_MEMORY:
      if (line->write)
	forget_store (c, line);
      break;
    default:
      /* A transfer on the bus is late by an unknown time: an M line tells of it.  */
      break;
    }
}
