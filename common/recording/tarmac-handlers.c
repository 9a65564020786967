/* The vector table of the M profile, from what a Tarmac log tells.  See tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A core that takes exception N goes to the address in word N of the table at VTOR, with
   bit 0 set for T32 (DDI 0403, B1.5.3 and B1.5.6).  So the first instruction of a handler
   tells that word, where a line tells VTOR: of the register itself, of an access to it, or
   the two words that a reset fetches from its beginning.  Else nothing is known.

   An exception that an event names, and none other there, was taken if the PSR has its
   number, or the instruction before does not lead to the next one.  Where there are two
   security states, each with its table, nothing is concluded.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <string.h>

#include "recording/facts-memory.h"

#define IPSR UINT32_C (0x1ff)

/* VTOR, and the bits of it that may be set (DDI 0403, B3.2.5).  */
#define VTOR UINT64_C (0xe000ed08)
#define VTOR_BITS UINT32_C (0xffffff80)

/* The last address of the Code region, which programs do not change.  */
#define CODE_LAST UINT32_C (0x1fffffff)

void
tb_tarmac_core_vtor (struct tb_tarmac_core *c, bool known, uint32_t value)
{
  c->vtor.known = known;
  c->vtor.value = value & VTOR_BITS;
}

void
tb_tarmac_core_vtor_access (struct tb_tarmac_core *c,
			    const struct tb_tarmac_line *line, unsigned known)
{
  uint64_t last = line->address + (line->length > 0 ? line->length - 1 : 0);
  if (line->address > VTOR + 3 || last < VTOR)
    return;
  bool whole = line->address == VTOR && line->length == 4 && known == 4;
  /* A line that comes late may be older than what is known.  */
  bool now = !line->has_tag
	     || tb_tarmac_core_step (c, line) + 1 == c->facts->steps;
  if (whole && now)
    tb_tarmac_core_vtor (c, true, (uint32_t) line->value);
  else if (line->write)
    tb_tarmac_core_vtor (c, false, 0);
}

void
tb_tarmac_core_fetched (struct tb_tarmac_core *c, uint64_t address,
			uint32_t value)
{
  /* A reset reads the table before anything else.  */
  if (c->vtor.start == 0 && address == c->vtor.fetched + 4
      && (c->vtor.fetched & ~(uint64_t) VTOR_BITS) == 0)
    {
      c->vtor.table = (uint32_t) c->vtor.fetched;
      c->vtor.start = value;
    }
  c->vtor.fetched = address;
}

void
tb_tarmac_core_started (struct tb_tarmac_core *c, uint64_t pc)
{
  if ((c->vtor.start & 1) && pc == (c->vtor.start & ~UINT32_C (1)))
    tb_tarmac_core_vtor (c, true, c->vtor.table);
  c->vtor.start = 0;
}

/* Has the core two security states, as names of registers or modes tell?  */
static bool
is_secure (const struct tb_columns *f)
{
  static const char *const ends[] = { "_s", "_ns" };
  for (size_t k = 0; k < 2; k++)
    {
      size_t n = strlen (ends[k]);
      for (size_t i = 0; i < f->nregisters + f->nmodes; i++)
	{
	  const char *name = i < f->nregisters ? f->registers[i].name
					       : f->modes[i - f->nregisters];
	  size_t length = strlen (name);
	  if (length > n && strcmp (name + length - n, ends[k]) == 0)
	    return true;
	}
    }
  return false;
}

/* The exception, of which there is an event at this place and no other one, that was
   taken; 0: it is not known.  LEADS: the last instruction leads to the next one.  */
static unsigned
number_taken (const struct tb_tarmac_core *c, bool leads)
{
  const struct tb_tarmac_between *b = &c->between;
  unsigned named = b->pending[0].exception;
  uint32_t mask, psr;
  if (b->npending != 1 || b->pending[0].kind != TB_EVENT_EXCEPTION || b->reset)
    return 0;
  size_t reg = b->told & TB_TOLD_PSR ? tb_tarmac_core_number (c, "psr") : SIZE_MAX;
  if (reg == SIZE_MAX)
    /* A fault may have become a HardFault.  */
    return leads || named > IPSR || (named >= 4 && named <= 7) ? 0 : named;
  psr = tb_facts_build_last (c->builder, reg, 0, &mask) & IPSR;
  return (mask & IPSR) == IPSR && (named == psr || named > IPSR) ? psr : 0;
}

void
tb_tarmac_core_handler (struct tb_tarmac_core *c,
			const struct tb_tarmac_line *next, bool leads)
{
  const struct tb_columns *f = c->facts;
  if (!c->vtor.known || next->isa != TB_ISA_T32 || next->address > UINT32_MAX
      || (next->has_tag && !c->in_order))
    return;
  unsigned number = number_taken (c, leads);
  if (number < 2)
    return;
  uint32_t address = c->vtor.value + 4 * number;
  /* Stores that have no line could change a table in RAM.  */
  if (address >= UINT32_C (0x40000000) || is_secure (f)
      || (address > CODE_LAST && f->totals.writes == 0))
    return;
  uint32_t value = (uint32_t) next->address | 1;
  const uint8_t bytes[4] = { (uint8_t) value, (uint8_t) (value >> 8),
			     (uint8_t) (value >> 16), (uint8_t) (value >> 24) };
  tb_facts_build_fetched (c->builder, f->steps, address, bytes, sizeof bytes);
}
