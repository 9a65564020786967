/* What memory holds at the borders of a window.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/memory.h"

#include <stdlib.h>

#include "util/buffer.h"
#include "util/number.h"

/* Suspects that are handed over; where there are more, words that are not listed
   are not known.  */
#define SUSPECTS 4096

/* May S begin at ADDRESS?  */
static bool
may_be_at (const struct tb_border_suspect *s, tb_word address)
{
  return address >= s->lo && address <= s->hi
	 && ((address ^ s->bits) & s->mask) == 0;
}

/* Those of BYTES of WORD that S may have written and left as VALUE has them: a
   store that left something else in any of BYTES that it hit did not happen
   there.  */
static unsigned
may_leave (const struct tb_memory *m, const struct tb_border_suspect *s,
	   tb_word word, unsigned bytes, tb_word value)
{
  unsigned left = 0;
  int length = (int) tb_word_bytes (m);
  for (int offset = 1 - s->size; offset < length; offset++)
    {
      unsigned hit = 0;
      bool differs = false;
      if (!may_be_at (s, word + (tb_word) offset))
	continue;
      for (int i = 0; i < s->size; i++)
	{
	  int b = offset + i;
	  if (b < 0 || b >= length || !(bytes >> b & 1))
	    continue;
	  uint8_t mask = (uint8_t) (s->value_mask >> 8 * i);
	  hit |= 1u << b;
	  differs |= ((uint8_t) (s->value_bits >> 8 * i) & mask)
		     != ((uint8_t) (value >> 8 * b) & mask);
	}
      if (!differs)
	left |= hit;
    }
  return left;
}

/* The bytes of the dumped VALUE of WORD that were there at M's border already.  Of
   the stores that hit any of them the last one would have left something else.  */
static unsigned
unwritten (const struct tb_memory *m, tb_word word, tb_word value)
{
  const struct tb_border *border = m->border;
  unsigned bytes = tb_word_all (m), before;
  do
    {
      before = bytes;
      for (size_t i = 0; i < border->nsuspects && bytes != 0; i++)
	{
	  const struct tb_border_suspect *s = &border->suspects[i];
	  if ((s->hi < word && word - s->hi >= s->size)
	      || (s->lo > word && s->lo - word >= tb_word_bytes (m)))
	    continue;
	  bytes &= ~may_leave (m, s, word, bytes, value);
	}
    }
  while (bytes != before);
  return bytes;
}

struct tb_known
tb_memory_at_end (const struct tb_memory *m, tb_word word)
{
  struct tb_known known = { 0, 0, 0, UINT64_MAX };
  const uint8_t *dumped;
  if (!m->final
      || tb_memory_kind (m, word, tb_word_bytes (m), &dumped) != TB_MEMORY_RAM)
    return known;
  tb_word value = tb_number (dumped, tb_word_bytes (m));
  unsigned bytes = tb_word_all (m);
  tb_word mask = 0;
  if (m->border != NULL)
    {
      const struct tb_border_word *w = tb_border_find (m->border, word);
      if (w != NULL)
	{
	  value = w->value;
	  bytes = w->bytes;
	  mask = w->mask;
	}
      else
	bytes = m->border->rest ? unwritten (m, word, value) : 0;
    }
  known.mask = mask | tb_word_bits (bytes);
  known.bits = value & known.mask;
  return known;
}

/* Suspects that are looked at for a word of which no byte may be known.  */
#define PARTLY 100

/* May a suspect from number FIRST to LAST have written WORD and left K there?  */
static bool
suspected (struct tb_memory *m, uint32_t first, uint32_t last, tb_word word,
	   struct tb_known k)
{
  unsigned cost = 0;
  for (uint32_t s = tb_memory_suspect (m, last); s >= first && s != 0;
       s = tb_memory_suspect (m, s - 1))
    if (++cost > PARTLY || tb_memory_may_write (m, s, word, tb_word_all (m), &k))
      return true;
  return false;
}

/* What is known of CELL's word before access TIME by the access to all of it that
   comes before (after) that, or by what it is at the end.  */
static struct tb_known
partly (struct tb_memory *m, const struct tb_cell *cell, uint32_t time,
	uint32_t epoch, bool before)
{
  struct tb_known none = { 0, 0, 0, UINT64_MAX }, k;
  uint32_t at = tb_memory_position (cell, time);
  if (before ? at == 0 : at == cell->count)
    {
      if (before || cell->final == 0 || epoch != m->final_epoch)
	return none;
      k = tb_memory_at_end (m, cell->address);
      return suspected (m, time, (uint32_t) m->built, cell->address, k)
	     ? none : k;
    }
  uint32_t entry = tb_cell_entry (cell, before ? at - 1 : at);
  uint32_t id = entry >> TB_ENTRY_BITS;
  k = tb_memory_in_word (m, id);
  if (tb_entry_bytes (entry) != tb_word_all (m) || k.mask == 0
      || tb_memory_epoch (m, id) != epoch
      || (!before && m->accesses[id].kind != TB_MEM_LOAD)
      || (before ? suspected (m, id + 1, time - 1, cell->address, none)
	  : suspected (m, time, id - 1, cell->address, k)))
    return none;
  return k;
}

static bool
add_word (struct tb_memory *m, struct tb_border *border, tb_word word,
	  uint32_t time, uint32_t epoch)
{
  struct tb_border_word w = { .address = word };
  const uint8_t *dumped;
  if (tb_memory_kind (m, word, tb_word_bytes (m), &dumped) != TB_MEMORY_RAM)
    return true;
  for (unsigned b = 0; b < tb_word_bytes (m); b++)
    {
      uint8_t byte;
      if (!tb_memory_byte (m, (uint64_t) word + b, time, epoch, &byte))
	continue;
      w.bytes |= (uint8_t) (1u << b);
      w.value |= (uint64_t) byte << 8 * b;
    }
  const struct tb_cell *cell = tb_memory_cell (m, word);
  if (w.bytes != tb_word_all (m) && cell != NULL)
    {
      tb_word all = tb_word_bits (w.bytes);
      for (unsigned i = 0; i < 2; i++)
	{
	  struct tb_known k = partly (m, cell, time, epoch, i == 0);
	  if (((k.bits ^ w.value) & k.mask & w.mask) != 0)
	    continue;
	  w.mask |= k.mask;
	  w.value |= k.bits & k.mask & ~all;
	}
      w.mask = (w.mask & ~all) != 0 ? w.mask | all : 0;
    }
  if (!TB_GROW (border->words, border->words_room, border->nwords, 1))
    return false;
  border->words[border->nwords++] = w;
  return true;
}

static bool
add_suspect (struct tb_border *border, const struct tb_border_suspect *s)
{
  if (border->nsuspects == SUSPECTS)
    {
      border->rest = false;
      return true;
    }
  if (!TB_GROW (border->suspects, border->suspects_room, border->nsuspects, 1))
    return false;
  border->suspects[border->nsuspects++] = *s;
  return true;
}

/* The suspects behind access number TIME, and those behind the window.  False
   without memory.  */
static bool
add_suspects (struct tb_memory *m, struct tb_border *border, uint32_t time)
{
  for (uint32_t id = tb_memory_suspect (m, (uint32_t) m->built);
       id >= time && id != 0 && border->rest;
       id = tb_memory_suspect (m, id - 1))
    {
      const struct tb_mem_access *a = &m->accesses[id];
      struct tb_known at
	= tb_known_untagged (tb_graph_known (m->graph, a->address));
      struct tb_known value = tb_graph_known (m->graph, a->value);
      struct tb_border_suspect s = {
	.mask = at.mask, .bits = at.bits, .lo = at.lo, .hi = at.hi,
	.value_mask = value.mask, .value_bits = value.bits & value.mask,
	.size = (uint8_t) tb_access_size (a)
      };
      if (!add_suspect (border, &s))
	return false;
    }
  if (m->border != NULL)
    for (size_t i = 0; i < m->border->nsuspects && border->rest; i++)
      if (!add_suspect (border, &m->border->suspects[i]))
	return false;
  return true;
}

static int
by_address (const void *a, const void *b)
{
  uint64_t x = ((const struct tb_border_word *) a)->address;
  uint64_t y = ((const struct tb_border_word *) b)->address;
  return x < y ? -1 : x > y;
}

bool
tb_memory_take_border (struct tb_memory *m, struct tb_border *border,
		       uint32_t time, uint32_t epoch)
{
  if (!m->usable)
    return true;
  border->memory = true;
  border->space = (uint8_t) m->space;
  border->rest = m->final && epoch == m->final_epoch
		 && (m->border == NULL || m->border->rest);
  size_t ncells = m->ncells;	/* What is asked for makes more.  */
  for (size_t i = 0; i < ncells; i++)
    if (!add_word (m, border, m->cells[i].address, time, epoch))
      return false;
  for (size_t i = 0; m->border != NULL && i < m->border->nwords; i++)
    {
      tb_word word = m->border->words[i].address;
      const struct tb_cell *cell = tb_memory_cell (m, word);
      if ((cell == NULL || (size_t) (cell - m->cells) >= ncells)
	  && !add_word (m, border, word, time, epoch))
	return false;
    }
  if (border->nwords != 0)
    qsort (border->words, border->nwords, sizeof *border->words, by_address);
  if (!border->rest)
    {
      /* Nor is there anything to be said of words that are not known.  */
      size_t kept = 0;
      for (size_t i = 0; i < border->nwords; i++)
	if (border->words[i].bytes != 0 || border->words[i].mask != 0)
	  border->words[kept++] = border->words[i];
      border->nwords = kept;
    }
  /* To ask may have taken memory.  */
  return (!border->rest || add_suspects (m, border, time)) && !m->graph->failed;
}

uint32_t
tb_memory_put_border (struct tb_memory *m, const struct tb_border *border,
		      uint32_t epoch)
{
  size_t before = m->naccesses;
  if (border == NULL || !border->memory || border->space != m->space)
    return 0;
  m->given = (uint32_t) before;
  for (size_t i = 0; i < border->nwords && !m->graph->failed; i++)
    {
      const struct tb_border_word *w = &border->words[i];
      const uint8_t *dumped;
      if ((w->bytes == 0 && w->mask == 0)
	  || tb_memory_kind (m, w->address, tb_word_bytes (m), &dumped)
	     != TB_MEMORY_RAM)
	continue;
      if (w->mask != 0)
	{
	  /* Some number is there.  */
	  tb_vid value = tb_graph_new (m->graph);
	  tb_memory_add (m, TB_MEM_STORE,
			 tb_graph_constant (m->graph, w->address),
			 value, tb_word_bytes (m), epoch);
	  if (!m->graph->failed)
	    tb_graph_set_bits (m->graph, value, w->mask,
			       w->value);
	}
      else if (w->bytes == tb_word_all (m))
	tb_memory_add (m, TB_MEM_STORE,
		       tb_graph_constant (m->graph, w->address),
		       tb_graph_constant (m->graph, w->value),
		       tb_word_bytes (m), epoch);
      else
	for (unsigned b = 0; b < tb_word_bytes (m); b++)
	  if (w->bytes >> b & 1)
	    tb_memory_add (m, TB_MEM_STORE,
			   tb_graph_constant (m->graph,
					      w->address + b),
			   tb_graph_constant (m->graph,
					      w->value >> 8 * b & 255),
			   1, epoch);
    }
  m->given_end = (uint32_t) m->naccesses;
  return (uint32_t) (m->naccesses - before);
}
