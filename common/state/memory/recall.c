/* What memory held between two accesses.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/memory.h"

#include <string.h>

#include "arm/machine/regs.h"

/* Suspects that one question looks at; where there are more, the answer is that
   the byte is not known.  */
#define CLEAR_LIMIT 2000
#define CLEAR_LIMIT_TRIAL 300
/* Where a word has no history that could keep how far it is clear.  */
#define CLEAR_LIMIT_END 60000

/* The last suspect from number FIRST on that may have written any of the bytes of
   WORD that X has, and left them so; FIRST - 1: there is none.  */
static uint32_t
clear_until (struct tb_memory *m, uint32_t first, tb_word word,
	     struct tb_known x)
{
  unsigned cost = 0, bytes = 0;
  for (unsigned b = 0; b < tb_word_bytes (m); b++)
    if ((x.mask >> 8 * b & 255) == 255)
      bytes |= 1u << b;
  for (uint32_t s = tb_memory_suspect (m, (uint32_t) m->built);
       s >= first && s != 0; s = tb_memory_suspect (m, s - 1))
    if (++cost > CLEAR_LIMIT_END || tb_memory_may_write (m, s, word, bytes, &x))
      return s;
  return first - 1;
}

/* Is there no suspect from number FIRST to LAST that may have written byte B
   of WORD and left X?  */
static bool
clear (struct tb_memory *m, uint32_t first, uint32_t last, tb_word word,
       unsigned b, struct tb_known x)
{
  unsigned cost = 0;
  unsigned limit = m->graph->trial ? CLEAR_LIMIT_TRIAL : CLEAR_LIMIT;
  for (uint32_t s = tb_memory_suspect (m, last); s >= first && s != 0;
       s = tb_memory_suspect (m, s - 1))
    if (++cost > limit || tb_memory_may_write (m, s, word, 1u << b, &x))
      {
	m->in_way = s;
	return false;
      }
  return true;
}

/* X holds byte B; put it into *BYTE.  */
static bool
take (struct tb_known x, unsigned b, uint8_t *byte)
{
  if ((x.mask >> 8 * b & 255) != 255)
    return false;
  *byte = (uint8_t) (x.bits >> 8 * b);
  return true;
}

/* A word that is asked for.  */
struct asked
{
  tb_word word;
  const struct tb_cell *cell;	/* NULL: it has no history.  */
  uint32_t at;			/* Of CELL: the first access at that time.  */
  bool has_end, has_last;
  struct tb_known end;		/* What it holds at the end.  */
  uint32_t last;		/* Behind that access it is clear of suspects up to the end.  */
};

/* The last suspect, from access TIME on, that may stand between ASKED's word and what the
   dump has there.  The word's cell, which may be new, keeps how far back that is known.  */
static uint32_t
last_in_way (struct tb_memory *m, const struct asked *asked, uint32_t time)
{
  const struct tb_cell *cell = tb_memory_cell (m, asked->word);
  bool is_new = cell == NULL && !m->frozen;
  if (is_new)
    cell = tb_memory_make_cell (m, asked->word);
  if (cell == NULL)
    return clear_until (m, time, asked->word, asked->end);
  if (cell->final == 0)
    return (uint32_t) m->built;
  if (is_new)
    tb_memory_resolve (m, cell->final);
  return m->accesses[cell->final].scan;
}

/* By the dump: nothing wrote from TIME to the end.  The bytes of a word ask for the same
   TIME.  */
static bool
from_end (struct tb_memory *m, struct asked *asked, unsigned b,
	  uint32_t time, uint32_t epoch, uint8_t *byte)
{
  if (!m->final || epoch != m->final_epoch)
    return false;
  if (!asked->has_end)
    asked->end = tb_memory_at_end (m, asked->word);
  asked->has_end = true;
  if ((asked->end.mask >> 8 * b & 255) == 0)
    return false;
  if (!asked->has_last)
    asked->last = last_in_way (m, asked, time);
  asked->has_last = true;
  m->source = 0;
  if (asked->last >= time)
    {
      struct tb_known x = asked->end;
      x.mask &= (tb_word) 0xff << 8 * b;
      x.bits &= x.mask;
      if (!clear (m, time, asked->last, asked->word, b, x))
	return false;
    }
  return take (asked->end, b, byte);
}

/* By the next access of ASKED's cell.  */
static bool
from_later (struct tb_memory *m, struct asked *asked, unsigned b,
	    uint32_t time, uint32_t epoch, uint8_t *byte)
{
  const struct tb_cell *cell = asked->cell;
  tb_word word = cell->address;
  for (uint32_t at = asked->at; at < cell->count; at++)
    {
      uint32_t entry = tb_cell_entry (cell, at), id = entry >> TB_ENTRY_BITS;
      if (!(tb_entry_bytes (entry) >> b & 1))
	continue;
      const struct tb_mem_access *a = &m->accesses[id];
      struct tb_known x = tb_memory_in_word (m, id);
      m->source = id;
      return a->kind == TB_MEM_LOAD && tb_memory_epoch (m, id) == epoch
	     && take (x, b, byte)
	     && clear (m, time, a->scan, word, b, x);
    }
  return from_end (m, asked, b, time, epoch, byte);
}

/* By the last access of ASKED's cell before that.  */
static bool
from_earlier (struct tb_memory *m, const struct asked *asked, unsigned b,
	      uint32_t time, uint32_t epoch, uint8_t *byte)
{
  const struct tb_cell *cell = asked->cell;
  uint32_t at = asked->at;
  tb_word word = cell->address;
  while (at-- > 0)
    {
      uint32_t entry = tb_cell_entry (cell, at), id = entry >> TB_ENTRY_BITS;
      if (!(tb_entry_bytes (entry) >> b & 1))
	continue;
      struct tb_known none = { 0, 0, 0, UINT64_MAX };
      m->source = id;
      return tb_memory_epoch (m, id) == epoch
	     && take (tb_memory_in_word (m, id), b, byte)
	     && clear (m, id + 1, time - 1, word, b, none);
    }
  return false;
}

void
tb_memory_prepare (struct tb_memory *m, uint32_t id, unsigned few)
{
  const struct tb_mem_access *a = &m->accesses[id];
  struct tb_known at = tb_graph_known (m->graph, a->address);
  const uint8_t *bytes;
  if (a->kind != TB_MEM_LOAD || a->placed || !m->final
      || tb_memory_epoch (m, id) != m->final_epoch
      || at.hi - at.lo >= few * tb_word_bytes (m))
    return;
  tb_word word = tb_word_at (m, at.lo);
  for (unsigned i = 0; i <= few && word <= at.hi && !m->graph->failed;
       i++, word += tb_word_bytes (m))
    if (tb_memory_cell (m, word) == NULL
	&& tb_memory_kind (m, word, tb_word_bytes (m), &bytes) == TB_MEMORY_RAM)
      {
	const struct tb_cell *cell = tb_memory_make_cell (m, word);
	if (cell != NULL && cell->final != 0)
	  tb_memory_resolve (m, cell->final);
      }
}

/* Byte B of ASKED, which is RAM, before access TIME of EPOCH.  */
static bool
ask (struct tb_memory *m, struct asked *asked, unsigned b, uint32_t time,
     uint32_t epoch, uint8_t *byte)
{
  m->source = m->in_way = 0;
  /* A trial must leave no trace: see tb_memory_prepare.  */
  if (asked->cell == NULL)
    return !m->graph->trial && from_end (m, asked, b, time, epoch, byte);
  return from_later (m, asked, b, time, epoch, byte)
	 || from_earlier (m, asked, b, time, epoch, byte);
}

static struct asked
word_at (const struct tb_memory *m, uint64_t address, uint32_t time)
{
  struct asked asked = {
    .word = tb_word_at (m, address)
  };
  asked.cell = tb_memory_cell (m, asked.word);
  if (asked.cell != NULL)
    asked.at = tb_memory_position (asked.cell, time);
  return asked;
}

bool
tb_memory_byte (struct tb_memory *m, uint64_t address, uint32_t time,
		uint32_t epoch, uint8_t *byte)
{
  const uint8_t *bytes;
  m->source = m->in_way = 0;
  switch (tb_memory_kind (m, address, 1, &bytes))
    {
    case TB_MEMORY_CONSTANT:
      *byte = *bytes;
      return true;
    case TB_MEMORY_OTHER:
      return false;
    case TB_MEMORY_RAM:
      break;
    }
  struct asked asked = word_at (m, address, time);
  return ask (m, &asked, tb_word_byte (m, address), time, epoch, byte);
}

/* The same of the LENGTH bytes from ADDRESS on, which are in one word; what they are
   as a whole.  */
static enum tb_memory_kind
read_word (struct tb_memory *m, uint64_t address, uint32_t time,
	   uint32_t epoch, uint8_t *bytes, bool *known, unsigned length)
{
  const uint8_t *data;
  /* What a whole word is each of its bytes is, save where an ELF file has a word
     that differs from the dump in part.  */
  enum tb_memory_kind kind = m->nfixed == 0
			    ? tb_memory_kind (m, address, length, &data)
			    : TB_MEMORY_OTHER;
  if (kind == TB_MEMORY_CONSTANT)
    {
      memcpy (bytes, data, length);
      memset (known, true, length);
      return kind;
    }
  if (kind == TB_MEMORY_RAM)
    {
      struct asked asked = word_at (m, address, time);
      unsigned b = tb_word_byte (m, address);
      for (unsigned i = 0; i < length; i++)
	known[i] = ask (m, &asked, b + i, time, epoch, &bytes[i]);
      return kind;
    }
  for (unsigned i = 0; i < length; i++)
    known[i] = tb_memory_byte (m, address + i, time, epoch, &bytes[i]);
  return kind;
}

size_t
tb_memory_read (struct tb_memory *m, uint64_t address, uint32_t time,
		uint32_t epoch, uint8_t *bytes, uint8_t *origins,
		size_t length)
{
  size_t count = 0;
  for (size_t done = 0; done < length;)
    {
      bool known[8] = { false };
      uint64_t at = address + done;
      size_t n = tb_word_bytes (m) - tb_word_byte (m, at);
      if (n > length - done)
	n = length - done;
      /* Nothing is behind the last address.  */
      enum tb_memory_kind kind = TB_MEMORY_OTHER;
      if (at >= address)
	kind = read_word (m, at, time, epoch, bytes + done, known, (unsigned) n);
      for (size_t i = 0; i < n; i++, done++)
	{
	  origins[done] = known[i] ? TB_DERIVED : TB_UNKNOWN;
	  count += known[i];
	  if (!known[i])
	    bytes[done] = 0;
	}
      if (kind != TB_MEMORY_OTHER || done == length)
	continue;
      uint64_t hidden = tb_memory_hidden (m, address + done);
      size_t none = hidden < length - done ? (size_t) hidden : length - done;
      memset (origins + done, TB_UNKNOWN, none);
      memset (bytes + done, 0, none);
      done += none;
    }
  return count;
}

void
tb_memory_recall (struct tb_memory *m, uint32_t id)
{
  const struct tb_mem_access *a = &m->accesses[id];
  tb_word address = tb_untagged (tb_graph_known (m->graph, a->address).bits);
  tb_word mask = 0, bits = 0;
  uint8_t bytes[8], origins[8];
  unsigned size = tb_access_size (a);
  uint32_t time = a->kind == TB_MEM_LOAD ? id : id + 1;
  if (tb_memory_read (m, address, time, tb_memory_epoch (m, id), bytes, origins,
		      size) == 0)
    return;
  for (unsigned i = 0; i < size; i++)
    if (origins[i] != TB_UNKNOWN)
      {
	mask |= (tb_word) 0xff << 8 * i;
	bits |= (tb_word) bytes[i] << 8 * i;
      }
  tb_graph_set_bits (m->graph, a->value, mask, bits);
}
