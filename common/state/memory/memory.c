/* Memory in a window: placing accesses and tying loads to their sources.  See
   memory.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/bit-band.h"
#include "state/memory/fpccr.h"
#include "state/memory/memory.h"

#include "util/buffer.h"
#include "util/number.h"
#include "util/search.h"

/* Suspects and neighbours that one access may look at in all, so that the cost
   is in proportion to their number; what needs more stays unknown.  The dump of
   a word has the whole trace to look through.  */
#define LOAD_COST_LIMIT 4000
#define FINAL_COST_LIMIT 60000

const struct tb_condition *
tb_memory_condition (const struct tb_memory *m, uint32_t id)
{
  size_t low;
  TB_LOWER_BOUND (low, m->nconditions, m->conditions[low].access < id);
  return low < m->nconditions && m->conditions[low].access == id
	 ? &m->conditions[low] : NULL;
}

/* May it turn out that ID did not happen?  */
static bool
is_refutable (const struct tb_memory *m, uint32_t id)
{
  if (m->accesses[id].kind != TB_MEM_MAYBE)
    return false;
  const struct tb_condition *c = tb_memory_condition (m, id);
  return c != NULL && c->if0;
}

uint32_t
tb_memory_suspect (struct tb_memory *m, uint32_t id)
{
  while (id != 0 && m->accesses[id].before != id)
    {
      uint32_t before = m->accesses[id].before;
      m->accesses[id].before = m->accesses[before].before;
      id = before;
    }
  return id;
}

static inline tb_word
known_address (const struct tb_memory *m, uint32_t id)
{
  return tb_untagged (tb_graph_known (m->graph,
				      m->accesses[id].address).bits);
}

/* That access ID, whose address must be known, covers.  */
static unsigned
covered_by (const struct tb_memory *m, tb_word word, uint32_t id)
{
  return tb_word_covered (m, word, known_address (m, id),
			  tb_access_size (&m->accesses[id]));
}

/* May a store of SIZE bytes of V to AT have been to OFFSET of WORD, and left what X says
   in the bytes TODO?  */
static inline bool
may_be_to (const struct tb_memory *m, int offset, unsigned size, tb_word word, unsigned todo,
	   const struct tb_known *at, const struct tb_known *v, const struct tb_known *x)
{
  tb_word address = word + (tb_word) offset;
  if (((address ^ at->bits) & at->mask) != 0 || address < at->lo || address > at->hi)
    return false;
  unsigned hit = tb_word_covered (m, word, address, size) & todo;
  /* In the position of the word.  */
  unsigned left = offset > 0 ? 8 * (unsigned) offset : 0;
  unsigned right = offset < 0 ? 8 * (unsigned) -offset : 0;
  tb_word mask = v->mask << left >> right & x->mask & tb_word_bits (hit);
  return hit != 0 && ((v->bits << left >> right ^ x->bits) & mask) == 0;
}

bool
tb_memory_may_write (const struct tb_memory *m, uint32_t s, tb_word word,
		  unsigned todo, const struct tb_known *x)
{
  const struct tb_mem_access *a = &m->accesses[s];
  struct tb_known at = tb_known_untagged (tb_graph_known (m->graph, a->address));
  unsigned size = tb_access_size (a);
  /* By another address of the word.  */
  if (m->doubt & TB_PREMISE_ONE_ADDRESS)
    return true;
  if (m->bit_band && tb_bit_band_may_be (at)
      && tb_bit_band_may_write (at, tb_graph_known (m->graph, a->value), word,
				todo, *x))
    return true;
  int length = (int) tb_word_bytes (m);
  if (tb_fpccr_is_at (m, word))
    todo = tb_word_all (m);
  if ((at.hi < word && word - at.hi >= size)
      || at.lo > word + (tb_word) length - 1)
    return false;
  struct tb_known v = tb_graph_known (m->graph, a->value);
  /* What is known of the lowest bits leaves few offsets.  */
  int offset = 1 - (int) size, step = (at.mask & 3) == 3 ? 4 : (at.mask & 1) + 1;
  offset += (int) ((at.bits - (tb_word) offset) & ((tb_word) step - 1));
  for (; offset < length; offset += step)
    if (may_be_to (m, offset, size, word, todo, &at, &v, x))
      return true;
  return false;
}

bool
tb_memory_next_hit (const struct tb_memory *m, uint32_t s, tb_word word, unsigned todo,
		    const struct tb_known *x, tb_word *address)
{
  const struct tb_mem_access *a = &m->accesses[s];
  struct tb_known at = tb_known_untagged (tb_graph_known (m->graph, a->address));
  struct tb_known v = tb_graph_known (m->graph, a->value);
  unsigned size = tb_access_size (a);
  if (tb_fpccr_is_at (m, word))
    todo = tb_word_all (m);
  for (int offset = (int) (*address - word); offset < (int) tb_word_bytes (m); offset++)
    if (may_be_to (m, offset, size, word, todo, &at, &v, x))
      {
	*address = word + (tb_word) offset;
	return true;
      }
  return false;
}

struct tb_known
tb_memory_in_word (const struct tb_memory *m, uint32_t id)
{
  const struct tb_mem_access *a = &m->accesses[id];
  struct tb_known v = tb_graph_known (m->graph, a->value);
  unsigned shift = 8 * tb_word_byte (m, known_address (m, id));
  tb_word own = tb_word_bits ((1u << tb_access_size (a)) - 1);
  return (struct tb_known) { (v.mask & own) << shift, (v.bits & own) << shift,
			     0, UINT64_MAX };
}

/* LATER saw in BYTES of the word what EARLIER left there.  */
static void
tie (struct tb_memory *m, uint32_t earlier, uint32_t later, unsigned bytes)
{
  const struct tb_mem_access *e = &m->accesses[earlier], *l = &m->accesses[later];
  tb_word ea = known_address (m, earlier), la = known_address (m, later);
  tb_word word = tb_word_at (m, la);
  unsigned size = tb_access_size (l);
  bool whole = tb_access_size (e) == size && ea == la
	       && (size == tb_word_bytes (m) || (e->kind == TB_MEM_LOAD
						 && l->kind == TB_MEM_LOAD));
  if (whole && bytes == tb_word_covered (m, word, la, size))
    tb_graph_equal (m->graph, l->value, e->value);
  else
    for (unsigned b = 0; b < tb_word_bytes (m); b++)
      if (bytes >> b & 1)
	tb_graph_byte (m->graph, l->value, b - (unsigned) (la - word),
		       e->value, b - (unsigned) (ea - word));
}

static void
watch (struct tb_memory *m, uint32_t access, uint32_t suspect)
{
  uint32_t number = m->free_watch;
  if (m->accesses[access].watch == suspect
      || (number == 0
	  && !tb_memory_room (m, &m->watches, &m->watches_room, m->nwatches + 1,
			      1, sizeof *m->watches)))
    return;
  if (number != 0)
    m->free_watch = m->watches[number].next;
  else
    number = (uint32_t) ++m->nwatches;
  m->watches[number] = (struct tb_watch) {
    .access = access, .next = m->accesses[suspect].watch
  };
  m->accesses[suspect].watch = number;
  m->accesses[access].watch = suspect;
}

void
tb_memory_resolve (struct tb_memory *m, uint32_t j)
{
  tb_word word = tb_word_at (m, known_address (m, j));
  const struct tb_cell *cell = tb_memory_cell (m, word);
  struct tb_mem_access *a = &m->accesses[j];
  uint32_t start = m->epoch_start[tb_memory_epoch (m, j)];
  uint32_t at = a->kind == TB_MEM_FINAL ? cell->count
		: tb_memory_position (cell, j);

  unsigned limit = a->kind == TB_MEM_FINAL ? FINAL_COST_LIMIT
		   : LOAD_COST_LIMIT;
  struct tb_known x = tb_memory_in_word (m, j);

  while (a->todo != 0 && a->cost < limit)
    {
      uint32_t source = 0;
      unsigned bytes = 0;
      while (at > 0 && bytes == 0 && a->cost < limit)
	{
	  uint32_t entry = tb_cell_entry (cell, --at);
	  source = entry >> TB_ENTRY_BITS;
	  bytes = tb_entry_bytes (entry) & a->todo;
	  a->cost++;
	}
      if (a->cost >= limit)
	return;
      if (bytes == 0 || source < start)
	source = 0;
      uint32_t s = tb_memory_suspect (m, a->scan);
      uint32_t until = source != 0 ? source : start - 1;
      while (s > until)
	{
	  a->cost++;
	  if (a->cost >= limit)
	    return;
	  if (tb_memory_may_write (m, s, word, a->todo, &x))
	    {
	      a->scan = s;
	      watch (m, j, s);
	      return;
	    }
	  a->scan = s - 1;
	  s = tb_memory_suspect (m, s - 1);
	}
      if (source == 0)
	return;
      tie (m, source, j, bytes);
      a->todo &= (uint8_t) ~bytes;
    }
}

/* Byte B of the word that J loaded, which is not tied: may it be, although a suspect
   stands in the way of others?  Ties it.  */
static bool
tie_byte (struct tb_memory *m, uint32_t j, unsigned b)
{
  tb_word word = tb_word_at (m, known_address (m, j));
  const struct tb_cell *cell = tb_memory_cell (m, word);
  struct tb_mem_access *a = &m->accesses[j];
  bool final = a->kind == TB_MEM_FINAL;
  unsigned limit = final ? FINAL_COST_LIMIT : LOAD_COST_LIMIT;
  uint32_t at = final ? cell->count : tb_memory_position (cell, j);
  uint32_t source = 0;
  struct tb_known x = tb_memory_in_word (m, j);
  for (; at > 0 && source == 0 && a->cost < limit; a->cost++)
    {
      uint32_t entry = tb_cell_entry (cell, --at);
      if (tb_entry_bytes (entry) >> b & 1)
	source = entry >> TB_ENTRY_BITS;
    }
  if (source == 0 || source < m->epoch_start[tb_memory_epoch (m, j)])
    return false;
  for (uint32_t s = tb_memory_suspect (m, a->scan); s > source;
       s = tb_memory_suspect (m, s - 1))
    if (++a->cost >= limit || tb_memory_may_write (m, s, word, 1u << b, &x))
      return false;
  tie (m, source, j, 1u << b);
  a->todo &= (uint8_t) ~(1u << b);
  return true;
}

/* ID is not aligned, so that it is in no cell: it loaded what memory is known to hold,
   or stored what it holds then.  True if that is news.  */
static bool
recall_unaligned (struct tb_memory *m, uint32_t id)
{
  tb_vid value = m->accesses[id].value;
  tb_word mask = tb_graph_known (m->graph, value).mask;
  tb_memory_recall (m, id);
  return tb_graph_known (m->graph, value).mask != mask;
}

bool
tb_memory_tie_bytes (struct tb_memory *m)
{
  bool tied = false;
  uint32_t count = (uint32_t) m->naccesses;
  for (uint32_t id = 1; id < count && !m->graph->failed; id++)
    {
      const struct tb_mem_access *a = &m->accesses[id];
      if ((a->kind == TB_MEM_LOAD || a->kind == TB_MEM_STORE)
	  && a->size_1 != 0 && a->todo == 0
	  && tb_known_all (tb_graph_known (m->graph, a->address))
	  && (known_address (m, id) & a->size_1) != 0)
	tied |= recall_unaligned (m, id);
      if ((a->todo & (a->todo - 1)) == 0)
	continue;
      tb_word word = tb_word_at (m, known_address (m, id));
      uint32_t s = tb_memory_suspect (m, a->scan);
      struct tb_known x = tb_memory_in_word (m, id);
      for (unsigned b = 0; s != 0 && b < tb_word_bytes (m); b++)
	if (a->todo >> b & 1 && !tb_memory_may_write (m, s, word, 1u << b, &x))
	  tied |= tie_byte (m, id, b);
    }
  return tied;
}

/* Access ID is new in CELL: look at it and at those that may see it.  */
static void
look_around (struct tb_memory *m, tb_word word, uint32_t id)
{
  const struct tb_cell *cell = tb_memory_cell (m, word);
  unsigned open = covered_by (m, word, id);
  bool is_store = m->accesses[id].kind == TB_MEM_STORE;

  if (!is_store)
    tb_memory_resolve (m, id);
  for (uint32_t at = tb_memory_position (cell, id) + 1; open != 0; at++)
    {
      uint32_t later = cell->final;
      unsigned bytes;
      if (at < cell->count)
	{
	  uint32_t entry = tb_cell_entry (cell, at);
	  later = entry >> TB_ENTRY_BITS;
	  bytes = tb_entry_bytes (entry);
	}
      else if (later == 0)
	return;
      else
	/* At a border something may be known of some bytes only.  */
	bytes = tb_memory_bytes_of (m, tb_graph_known (m->graph,
					     m->accesses[later].value).mask);
      struct tb_mem_access *l = &m->accesses[later];
      if (l->kind != TB_MEM_STORE && (bytes & open) != 0)
	{
	  /* Cleared of a store that now turns out to have hit it.  */
	  if (is_store && (l->scan < id || (bytes & open & ~l->todo) != 0)
	      && tb_memory_epoch (m, later) == tb_memory_epoch (m, id))
	    m->graph->conflict = true;
	  if (l->todo != 0)
	    tb_memory_resolve (m, later);
	}
      open &= ~bytes;
      if (later == cell->final)
	return;
    }
}

void
tb_memory_end (struct tb_memory *m)
{
  for (uint32_t id = 1; id <= m->built && !m->keeps; id++)
    if (is_refutable (m, id))
      {
	struct tb_known k = tb_graph_known (m->graph, m->accesses[id].address);
	if (tb_known_all (k))
	  tb_memory_store_to (m, tb_untagged (k.bits),
			      tb_access_size (&m->accesses[id]));
      }
}

/* The address of ID is known: what follows from it?  */
static void
place (struct tb_memory *m, uint32_t id, bool look)
{
  struct tb_mem_access *a = &m->accesses[id];
  tb_word address = known_address (m, id);
  unsigned size = tb_access_size (a);
  const uint8_t *bytes;

  if (a->kind == TB_MEM_LOAD)
    a->watch = 0;
  /* It may still turn out that it did not happen: see tb_memory_end.  What need
     not have happened contradicts nothing.  */
  if (a->kind != TB_MEM_LOAD && !is_refutable (m, id)
      && !(id >= m->given && id < m->given_end)
      && !(m->keeps && a->kind == TB_MEM_MAYBE))
    tb_memory_store_to (m, address, size);
  if (a->kind == TB_MEM_MAYBE
      || (a->kind == TB_MEM_STORE && m->doubt & TB_PREMISE_ONE_ADDRESS)
      || tb_fpccr_in_part (m, id, address))
    return;			/* It stays a suspect.  */
  if (a->kind == TB_MEM_STORE && m->may_bit_band
      && tb_bit_band_may_be (tb_graph_known (m->graph, a->address)))
    {
      /* So does this.  */
      if (!m->bit_band && m->keeps)
	m->graph->conflict = true;
      else
	{
	  m->restart |= !m->bit_band;
	  m->bit_band = true;
	}
      return;
    }
  if ((address & (size - 1u)) != 0)
    {
      /* So does this, if it is a store.  */
      a->placed = a->kind == TB_MEM_LOAD;
      if (a->placed && tb_memory_kind (m, address, size, &bytes)
		       == TB_MEMORY_CONSTANT)
	tb_graph_set (m->graph, a->value, tb_number (bytes, size));
      return;
    }
  a->placed = true;
  if (a->kind == TB_MEM_STORE)
    a->before = id - 1;
  enum tb_memory_kind kind = tb_memory_kind (m, address, size, &bytes);
  if (kind == TB_MEMORY_CONSTANT && a->kind == TB_MEM_LOAD)
    tb_graph_set (m->graph, a->value, tb_number (bytes, size));
  else if (kind == TB_MEMORY_RAM || tb_fpccr_remembers (m, id, address))
    {
      tb_word word = tb_word_at (m, address);
      struct tb_cell *cell = tb_memory_make_cell (m, word);
      if (cell == NULL)
	return;
      a = &m->accesses[id];
      if (a->kind == TB_MEM_LOAD)
	a->todo = (uint8_t) tb_word_covered (m, word, address, size);
      tb_memory_insert (m, cell, id);
      if (look && !m->graph->failed)
	look_around (m, word, id);
    }
}

/* Has it turned out whether ID happened?  */
static void
decide (struct tb_memory *m, uint32_t id)
{
  struct tb_mem_access *a = &m->accesses[id];
  if (a->kind != TB_MEM_MAYBE)
    return;
  const struct tb_condition *c = tb_memory_condition (m, id);
  if (c == NULL)
    return;
  struct tb_known k = tb_graph_known (m->graph, c->condition);
  if (!tb_known_all (k) || !(k.bits != 0 ? c->if1 : c->if0))
    return;
  a->kind = k.bits != 0 ? TB_MEM_STORE : TB_MEM_NONE;
  if (a->kind == TB_MEM_NONE)
    {
      a->placed = true;
      a->before = id - 1;
    }
}

void
tb_memory_begin (struct tb_memory *m, uint32_t last_epoch)
{
  tb_graph_trim (m->graph);
  TB_FIT (m->accesses, m->accesses_room, m->naccesses + m->naccesses / 64 + 64);
  m->built = m->naccesses - 1;
  m->final_epoch = last_epoch;
  for (uint32_t id = 1; id <= m->built && !m->graph->failed; id++)
    {
      decide (m, id);
      if (!m->accesses[id].placed
	  && tb_known_all (tb_graph_known (m->graph, m->accesses[id].address)))
	place (m, id, false);
    }
  for (size_t i = 0; i < m->ncells && !m->graph->failed; i++)
    if (m->cells[i].final != 0)
      tb_memory_resolve (m, m->cells[i].final);
}

void
tb_memory_changed (void *memory, uint32_t id)
{
  struct tb_memory *m = memory;
  struct tb_mem_access *a = &m->accesses[id];
  bool is_known = tb_known_all (tb_graph_known (m->graph, a->address));

  if (m->graph->trial)
    {
      tb_memory_in_trial (m, id);
      return;
    }
  if (a->kind == TB_MEM_LOAD)
    {
      if (!a->placed && is_known)
	place (m, id, true);
      else if (!a->placed)
	tb_memory_look_up (m, id);
      else if (a->todo != 0)
	tb_memory_resolve (m, id);
      return;
    }
  decide (m, id);
  if (!a->placed && is_known)
    place (m, id, true);
  uint32_t number = m->accesses[id].watch;
  m->accesses[id].watch = 0;
  while (number != 0 && !m->graph->failed)
    {
      struct tb_watch w = m->watches[number];
      m->watches[number].next = m->free_watch;
      m->free_watch = number;
      if (m->accesses[w.access].watch == id)
	m->accesses[w.access].watch = 0;
      if (m->accesses[w.access].todo != 0)
	tb_memory_resolve (m, w.access);
      number = w.next;
    }
}
