/* Memory in a trial: what follows where an address or a value is taken to be some number.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A trial leaves no trace in memory: stores are not placed, loads are not tied.  So what
   reads a word is held against all that may have written there: the last access that is
   known to be there, and the suspects behind it.  If no suspect can have written what is
   read that access tells it; if it says something else and there is just one suspect, that
   one must have.  */

#include "config.h"
#include "state/memory/memory.h"

/* Suspects that one look takes into account, ...  */
#define SUSPECTS 100
/* ... and readers of a store whose address or value changed.  */
#define READERS 32

/* Bytes of a word that are read, by a load or at the end.  */
struct read_bytes
{
  uint32_t id;			/* 0: what memory holds at the end.  */
  tb_word word;
  unsigned todo;		/* Bytes without a source.  */
  uint32_t scan;		/* Suspects after this one are cleared.  */
  struct tb_known x;		/* What is known of them.  */
};

static inline struct tb_known
known_address (const struct tb_memory *m, uint32_t id)
{
  return tb_known_untagged (tb_graph_known (m->graph, m->accesses[id].address));
}

/* The bytes of WORD that ID, at AT, accesses.  */
static inline unsigned
bytes_of (const struct tb_memory *m, uint32_t id, tb_word at, tb_word word)
{
  return tb_word_covered (m, word, at, tb_access_size (&m->accesses[id]));
}

/* X, from the position of what is at AT, in that of what is at TO; less than a word lies
   between them.  */
static struct tb_known
shifted (struct tb_known x, tb_word at, tb_word to)
{
  unsigned left = at > to ? 8 * (unsigned) (at - to) : 0;
  unsigned right = to > at ? 8 * (unsigned) (to - at) : 0;
  return (struct tb_known) { x.mask << left >> right, x.bits << left >> right, 0,
			     UINT64_MAX };
}

/* What is known of access ID, which is at AT, in the position of WORD.  */
static struct tb_known
in_word (const struct tb_memory *m, uint32_t id, tb_word at, tb_word word)
{
  struct tb_known v = tb_graph_known (m->graph, m->accesses[id].value);
  tb_word own = tb_word_bits ((1u << tb_access_size (&m->accesses[id])) - 1);
  v.mask &= own;
  v.bits &= own;
  return shifted (v, at, word);
}

/* Of the value of ID, which is at AT, X is known, in the position of WORD.  */
static void
learn (struct tb_memory *m, uint32_t id, tb_word at, tb_word word, struct tb_known x)
{
  struct tb_known own = shifted (x, word, at);
  own.mask &= tb_word_bits ((1u << tb_access_size (&m->accesses[id])) - 1);
  if (own.mask != 0)
    tb_graph_set_bits (m->graph, m->accesses[id].value, own.mask, own.bits & own.mask);
}

/* What R reads in BYTES is what ID, at AT, wrote or saw there.  */
static void
exchange (struct tb_memory *m, const struct read_bytes *r, uint32_t id, tb_word at,
	  unsigned bytes)
{
  struct tb_known v = in_word (m, id, at, r->word), x = r->x;
  v.mask &= tb_word_bits (bytes);
  x.mask &= tb_word_bits (bytes);
  learn (m, id, at, r->word, x);
  if (r->id == 0 || m->graph->conflict)
    return;
  bool is_final = m->accesses[r->id].kind == TB_MEM_FINAL;
  learn (m, r->id, is_final ? r->word : known_address (m, r->id).bits, r->word, v);
}

/* If suspect S wrote what R reads, to where?  False: not known.  */
static bool
find_hit (const struct tb_memory *m, const struct read_bytes *r, uint32_t s, tb_word *address)
{
  const struct tb_mem_access *a = &m->accesses[s];
  *address = r->word - tb_access_size (a) + 1;
  if (!tb_memory_next_hit (m, s, r->word, r->todo, &r->x, address))
    return false;
  tb_word second = *address + 1;
  return !tb_memory_next_hit (m, s, r->word, r->todo, &r->x, &second);
}

/* SUSPECT is the only one that can have written what R reads, and one has.  */
static void
blame (struct tb_memory *m, const struct read_bytes *r, uint32_t suspect)
{
  tb_word address;
  if (m->accesses[suspect].kind != TB_MEM_STORE || !find_hit (m, r, suspect, &address))
    return;
  tb_graph_set (m->graph, m->accesses[suspect].address, address);
  if (!m->graph->conflict)
    exchange (m, r, suspect, address,
	      bytes_of (m, suspect, address, r->word) & r->todo);
}

/* If suspect S wrote any of what R reads, did it write all of it?  */
static bool
writes_all (const struct tb_memory *m, const struct read_bytes *r, uint32_t s)
{
  tb_word address;
  return find_hit (m, r, s, &address)
	 && (bytes_of (m, s, address, r->word) & r->todo) == r->todo;
}

/* May suspect S have written any byte that R reads?  IN_PART: another one may have written
   over some of its bytes, so that these say nothing.  */
static bool
may_write (const struct tb_memory *m, const struct read_bytes *r, uint32_t s, bool in_part)
{
  if (!in_part)
    return tb_memory_may_write (m, s, r->word, r->todo, &r->x);
  for (unsigned b = 0; r->todo >> b != 0; b++)
    if (r->todo >> b & 1 && tb_memory_may_write (m, s, r->word, 1u << b, &r->x))
      return true;
  return false;
}

/* Look at R.  SOURCE: the last access before it that is known to be there (0: there is
   none); suspects up to UNTIL come before that.  */
static void
look (struct tb_memory *m, const struct read_bytes *r, uint32_t source, uint32_t until)
{
  uint32_t suspect = 0;
  unsigned cost = 0;
  bool in_part = false;
  for (uint32_t s = tb_memory_suspect (m, r->scan); s > until && s != 0;
       s = tb_memory_suspect (m, s - 1))
    {
      m->looks++;
      if (++cost > SUSPECTS)
	return;
      struct tb_known at = known_address (m, s);
      if (m->accesses[s].kind == TB_MEM_STORE && tb_known_all (at)
	  && (bytes_of (m, s, at.bits, r->word) & r->todo) == r->todo)
	{
	  source = s;
	  break;
	}
      if (!may_write (m, r, s, in_part))
	continue;
      if (suspect != 0)
	return;
      suspect = s;
      in_part = !writes_all (m, r, s);
    }
  if (source == 0)
    return;
  tb_word at = known_address (m, source).bits;
  unsigned bytes = bytes_of (m, source, at, r->word) & r->todo;
  struct tb_known v = in_word (m, source, at, r->word);
  if (suspect == 0)
    exchange (m, r, source, at, bytes);
  else if (((v.bits ^ r->x.bits) & v.mask & r->x.mask & tb_word_bits (bytes)) != 0)
    blame (m, r, suspect);
}

/* Look at those of BYTES of its word that J reads, a load whose address is known or what is
   known of the end.  */
static void
look_back (struct tb_memory *m, uint32_t j, unsigned bytes)
{
  const struct tb_mem_access *a = &m->accesses[j];
  tb_word at = known_address (m, j).bits;
  bool is_final = a->kind == TB_MEM_FINAL;
  struct read_bytes r = { .id = j, .word = tb_word_at (m, at), .scan = a->scan };
  const struct tb_cell *cell = tb_memory_cell (m, r.word);
  const uint8_t *data;
  /* What has no place yet has one in the trial; what else than RAM is there may have been
     changed by others than stores.  */
  if (!a->placed
      && tb_memory_kind (m, r.word, tb_word_bytes (m), &data) != TB_MEMORY_RAM)
    return;
  r.todo = (a->placed ? a->todo : bytes_of (m, j, at, r.word)) & bytes;
  if (r.todo == 0 || (!is_final && (at & a->size_1) != 0))
    return;
  r.x = in_word (m, j, is_final ? r.word : at, r.word);
  uint32_t start = m->epoch_start[tb_memory_epoch (m, j)], source = 0;
  uint32_t n = cell == NULL ? 0
	       : is_final ? cell->count : tb_memory_position (cell, j);
  while (n-- > 0 && source == 0)
    if (tb_entry_bytes (tb_cell_entry (cell, n)) & r.todo)
      source = tb_cell_access (cell, n);
  if (source < start)
    source = 0;
  look (m, &r, source, source != 0 ? source : start - 1);
}

/* Store S writes BYTES of WORD: what reads them next?  */
static void
look_ahead (struct tb_memory *m, uint32_t s, tb_word word, unsigned bytes)
{
  const uint8_t *data;
  if (bytes == 0 || m->graph->conflict
      || tb_memory_kind (m, word, tb_word_bytes (m), &data) != TB_MEMORY_RAM)
    return;
  const struct tb_cell *cell = tb_memory_cell (m, word);
  uint32_t epoch = tb_memory_epoch (m, s);
  uint32_t n = cell != NULL ? tb_memory_position (cell, s) : 0;
  for (; cell != NULL && n < cell->count; n++)
    {
      uint32_t id = tb_cell_access (cell, n);
      if (!(tb_entry_bytes (tb_cell_entry (cell, n)) & bytes))
	continue;
      if (m->accesses[id].kind == TB_MEM_LOAD && tb_memory_epoch (m, id) == epoch)
	look_back (m, id, bytes);
      return;
    }
  if (!m->final || epoch != m->final_epoch)
    return;
  if (cell != NULL)
    {
      if (cell->final != 0)
	look_back (m, cell->final, bytes);
      return;
    }
  struct read_bytes r = { .word = word, .todo = bytes, .scan = (uint32_t) m->built };
  r.x = tb_memory_at_end (m, word);
  look (m, &r, s, s);
}

/* Load ID: what does memory say?  */
static void
look_at_load (struct tb_memory *m, uint32_t id)
{
  const struct tb_mem_access *a = &m->accesses[id];
  if (!a->placed && !tb_known_all (known_address (m, id)))
    {
      tb_memory_look_up (m, id);
      return;
    }
  if (!a->placed)
    tb_memory_recall (m, id);
  if (m->tries_hit && !m->graph->conflict)
    look_back (m, id, tb_word_all (m));
}

/* Store ID, at AT, is in the way of reader J: does a look at that tell anything new?  */
static bool
is_cleared (const struct tb_memory *m, uint32_t id, uint32_t j, struct tb_known at)
{
  const struct tb_mem_access *a = &m->accesses[j];
  if (a->watch != id || a->todo == 0)
    return false;
  if (tb_known_all (at))
    return true;
  struct tb_known x = tb_memory_in_word (m, j);
  return !tb_memory_may_write (m, id, tb_word_at (m, known_address (m, j).bits), a->todo, &x);
}

/* Store ID: what of that is read?  */
static void
look_at_store (struct tb_memory *m, uint32_t id)
{
  const struct tb_mem_access *a = &m->accesses[id];
  struct tb_known at = known_address (m, id);
  if (a->kind == TB_MEM_STORE && !a->placed && tb_known_all (at))
    {
      tb_word first = tb_word_at (m, at.bits);
      tb_word last = tb_word_at (m, at.bits + a->size_1);
      look_ahead (m, id, first, bytes_of (m, id, at.bits, first));
      if (last != first)
	look_ahead (m, id, last, bytes_of (m, id, at.bits, last));
    }
  unsigned readers = 0;
  for (uint32_t n = a->watch; n != 0 && !m->graph->conflict && readers++ < READERS;
       n = m->watches[n].next)
    if (is_cleared (m, id, m->watches[n].access, at))
      look_back (m, m->watches[n].access, tb_word_all (m));
}

void
tb_memory_in_trial (struct tb_memory *m, uint32_t id)
{
  if (m->accesses[id].kind == TB_MEM_LOAD)
    look_at_load (m, id);
  else if (m->tries_hit)
    look_at_store (m, id);
}
