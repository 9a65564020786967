/* The vector table of the M profile, from what a Tarmac log tells.  See tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A core that takes exception N goes to the address in word N of the table at VTOR, with
   bit 0 set for T32 (DDI 0403, B1.5.3 and B1.5.6).  So the first instruction of a handler
   tells that word, where a line tells VTOR: of the register itself, of an access to it, or
   the two words that a reset fetches from its beginning.  Else nothing is known.

   An exception that an event names, and none other there, was taken if the PSR has its
   number, or the instruction before does not lead to the next one.  Where there may be
   two security states, each with its table, nothing is concluded, nor where the log does
   not tell of stores.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <string.h>

#include "recording/facts-memory.h"

/* VTOR, and the bits of it that may be set (DDI 0403, B3.2.5).  */
#define VTOR UINT64_C (0xe000ed08)
#define VTOR_BITS UINT32_C (0xffffff80)

/* EXC_RETURN: bits 31 to 8, S and ES.  */
#define EXC_PLAIN UINT32_C (0xffffff41)

/* Tables are below (Code and SRAM regions).  */
#define TABLES_END UINT32_C (0x40000000)

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
  if (c->vtor.start == 0 && address == c->vtor.next && address >= 4
      && ((address - 4) & ~(uint64_t) VTOR_BITS) == 0)
    {
      c->vtor.table = (uint32_t) (address - 4);
      c->vtor.start = value;
    }
  c->vtor.next = address + 4;
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

/* Was the entry told to be one as those of cores without security states?  EXC_RETURN
   then has the bits ES and S, which are constant there (DDI 0403, B1.5.8; DDI 0553, D1.2.96).  */
static bool
is_plain (const struct tb_tarmac_core *c)
{
  uint32_t mask = 0, value = 0;
  size_t reg = c->between.told & TB_TOLD_LR ? tb_tarmac_core_number (c, "lr") : SIZE_MAX;
  if (reg != SIZE_MAX)
    value = tb_facts_build_last (c->builder, reg, 0, &mask);
  return mask == UINT32_MAX && (value & EXC_PLAIN) == EXC_PLAIN;
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
    return leads || named > TB_PSR_IPSR || (named >= 4 && named <= 7) ? 0 : named;
  psr = tb_facts_build_last (c->builder, reg, 0, &mask) & TB_PSR_IPSR;
  return (mask & TB_PSR_IPSR) == TB_PSR_IPSR && (named == psr || named > TB_PSR_IPSR)
	 ? psr : 0;
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
  /* Stores that have no line could change the table.  */
  if (c->vtor.value >= TABLES_END || address >= TABLES_END || is_secure (f)
      || !is_plain (c) || f->totals.writes == 0)
    return;
  uint32_t value = (uint32_t) next->address | 1;
  const uint8_t bytes[4] = { (uint8_t) value, (uint8_t) (value >> 8),
			     (uint8_t) (value >> 16), (uint8_t) (value >> 24) };
  tb_facts_build_fetched (c->builder, f->steps, address, bytes, sizeof bytes);
}
