/* What data trace says, put to the values of a window.  See traced.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/traced.h"

#include "state/evidence/stated.h"
#include "state/memory/fpccr.h"
#include "state/window/fp.h"

#include <stdlib.h>

#include "util/search.h"

#define WORD 4

void
tb_traced_apply (struct tb_state *s)
{
  struct tb_traced *t = s->traced;
  for (size_t i = 0; t != NULL && i < t->count; i++)
    t->off[i] = tb_extents_hit (s->options.untraced, t->items[i].index, 1)
		|| tb_extents_hit (s->options.untraced, t->items[i].late_index, 1);
}

/* Read what is told of the steps, and of exceptions up to the one behind them.  */
static bool
load (struct tb_state *s)
{
  struct tb_transfer *items;
  size_t count;
  if (s->steps == 0 || s->traced != NULL || s->options.doubt & TB_PREMISE_DATA)
    return true;
  if (!tb_recording_transfers (s->recording, s->base, s->base + s->steps + 1,
			       &items, &count))
    return false;
  if (count == 0)
    {
      free (items);
      return true;
    }
  s->traced = calloc (1, sizeof *s->traced);
  if (s->traced == NULL)
    {
      free (items);
      return false;
    }
  *s->traced = (struct tb_traced) {
    .items = items, .count = count, .off = calloc (count, sizeof (bool)),
    .access = calloc (count, sizeof (uint32_t))
  };
  if (s->traced->off == NULL || s->traced->access == NULL)
    return false;
  tb_traced_apply (s);
  return true;
}

void
tb_traced_free (struct tb_state *s)
{
  if (s->traced != NULL)
    {
      free (s->traced->items);
      free (s->traced->off);
      free (s->traced->access);
    }
  free (s->traced);
}

/* What is told of the transfers of STEP by BY, of exceptions by number ENTRY, and how many
   in *COUNT; none where others of it may be missing.  */
static const struct tb_transfer *
find (const struct tb_state *s, uint64_t step, unsigned by, unsigned entry,
      size_t *count)
{
  const struct tb_transfer *items = s->traced->items;
  size_t low, all = s->traced->count;
  *count = 0;
  TB_LOWER_BOUND (low, all, items[low].step < step
			    || (items[low].step == step
				&& (items[low].by < by
				    || (items[low].by == by
					&& items[low].entry < entry))));
  size_t end = low;
  for (; end < all && items[end].step == step && items[end].by == by
	 && items[end].entry == entry; end++)
    if (items[end].doubtful || items[end].big_endian
	|| items[end].part != end - low)
      return NULL;
  *count = end - low;
  return items + low;
}

/* A value of an access of SIZE bytes: the trace leaves out zeros on top, and some
   trace units extend the sign.  */
static bool
fits (uint32_t value, unsigned size)
{
  uint32_t mask = (uint32_t) tb_stated_moved (size);
  return (value & ~mask) == 0
	 || ((value | mask) == UINT32_MAX && value >> (8 * size - 1) & 1);
}

/* Access ID is what T tells of.  */
static void
put (struct tb_builder *b, uint32_t id, const struct tb_transfer *t)
{
  struct tb_state *s = b->state;
  struct tb_mem_access a = s->memory.accesses[id];
  size_t number = (size_t) (t - s->traced->items);
  unsigned size = tb_access_size (&a);
  s->traced->access[number] = id;
  if (s->traced->off[number])
    return;
  uint32_t mask = (uint32_t) tb_stated_moved (size);
  uint32_t at = t->address_bits >= 32 ? UINT32_MAX
		: (UINT32_C (1) << t->address_bits) - 1;
  if (at != 0)
    tb_namer_bits (&b->n, a.address, at, t->address & at);
  if (t->has_value && !t->failed && fits (t->value, size))
    tb_namer_bits (&b->n, a.value, a.kind == TB_MEM_LOAD ? UINT32_MAX : mask,
		   t->value & mask);
  /* An exclusive store's status tells whether it stored.  */
  const struct tb_condition *c = a.kind == TB_MEM_MAYBE
				 ? tb_memory_condition (&s->memory, id) : NULL;
  if (c != NULL && c->if1 && c->if0 && (t->done || t->failed))
    tb_namer_bits (&b->n, c->condition, UINT32_MAX, !t->failed);
}

/* May data trace be put to accesses FIRST on now?  */
static bool
may_put (const struct tb_builder *b, uint32_t first)
{
  const struct tb_state *s = b->state;
  return s->traced != NULL && !s->graph.failed
	 && !s->big_endian && b->names->next_access != first;
}

/* Step I makes no access: does it move a word from or to a coprocessor (MRC, MCR), which T tells,
   and no more?  FP registers have instructions of their own there.  */
static void
put_moved (struct tb_builder *b, uint64_t i)
{
  enum { FP_SINGLE = 10, FP_DOUBLE = 11, WRITE = 0x0e000010, MASK = 0x0f000010 };
  struct tb_state *s = b->state;
  const struct tb_template *template = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  uint32_t op = template->opcode;
  unsigned rt = op >> 12 & 15, number = op >> 8 & 15;
  size_t count;
  if (s->traced == NULL || s->graph.failed || s->big_endian || template->size != WORD
      || (op & MASK) != WRITE || template->isa == TB_ISA_A64 || !template->modelled
      || number == FP_SINGLE || number == FP_DOUBLE || rt >= TB_SP)
    return;
  const struct tb_transfer *t = find (s, s->base + i, TB_BY_STEP, 0, &count);
  if (count != 1 || t->address_bits != 0 || !t->has_value || b->names->slot[rt] == 0
      || s->traced->off[t - s->traced->items])
    return;
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_DATA;
  tb_namer_bits (&b->n, b->names->slot[rt], UINT32_MAX, t->value);
  s->graph.cause = cause;
}

/* May what is told of step I, which makes several accesses, be the last ones of them?  Once a trace
   unit that filters data has told of one it tells of all that follow, if not of their values
   (IHI 0014, 6.4.4 and 7.4.5), unless something comes in between.  The COUNT transfers at T
   are told: with their addresses, as nothing else tells of one whose value was lost on its
   way.  */
static bool
ends_well (const struct tb_state *s, uint64_t i, const struct tb_transfer *t,
	   size_t count)
{
  for (size_t k = 0; k < count; k++)
    if (t[k].address_bits < 32 || t[k].address != t[0].address + WORD * k)
      return false;
  return i + 1 < s->steps && !(s->info[i + 1] & TB_INFO_EVENTS)
	 && s->templates[s->info[i] & TB_INFO_TEMPLATE].flags & TB_SEM_MULTIPLE;
}

/* How many of the COUNT accesses IDS are not of the instruction: of the M profile's FP registers,
   which its first FP instruction in a handler may save.  Their words, or one that is
   anywhere, would be told with the instruction's own.  */
static uint32_t
saved_before (const struct tb_state *s, const uint32_t *ids, uint32_t count)
{
  uint32_t n = 0;
  while (n < count && s->memory.accesses[ids[n]].kind == TB_MEM_MAYBE)
    n++;
  return s->profile->is_m && s->has_fp && n < count
	 && (n == 1 || n == TB_FP_FRAME_WORDS) ? n : 0;
}

/* More accesses than an instruction makes.  */
#define ACCESSES 128

static void
put_accesses (struct tb_builder *b, uint64_t i, uint32_t first)
{
  struct tb_state *s = b->state;
  uint32_t room[ACCESSES], *ids = room;
  size_t count;
  if (b->names->next_access == first)
    put_moved (b, i);
  if (!may_put (b, first))
    return;
  const struct tb_transfer *t = find (s, s->base + i, TB_BY_STEP, 0, &count);
  uint32_t all = tb_fpccr_leave_out (&s->memory, first, b->names->next_access, ids, ACCESSES);
  if (all > ACCESSES)
    return;
  uint32_t saved = count != all ? saved_before (s, ids, all) : 0;
  ids += saved;
  all -= saved;
  uint32_t skipped = count < all && ends_well (s, i, t, count) ? all - (uint32_t) count : 0;
  if (count != all - skipped)
    return;
  ids += skipped;
  for (size_t k = 0; k < count; k++)
    {
      const struct tb_mem_access *a = &s->memory.accesses[ids[k]];
      /* One of several is a word (IHI 0014, 7.4.5 "Tracing LSMs").  */
      if (a->kind > TB_MEM_MAYBE
	  || (all > 1 ? tb_access_size (a) != WORD
			: tb_access_size (a) > WORD))
	return;
    }
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_DATA;
  for (size_t k = 0; k < count; k++)
    put (b, ids[k], &t[k]);
  s->graph.cause = cause;
}

/* Word K of the frame at BASE among the COUNT transfers at T; NULL: it is not
   told.  */
static const struct tb_transfer *
word_of_frame (const struct tb_transfer *t, size_t count, uint32_t base,
	       unsigned k)
{
  for (size_t i = 0; i < count; i++)
    if (t[i].address == base + WORD * k)
      return &t[i];
  return NULL;
}

/* The core moves the words of a frame in any order: without addresses it is not known
   which is which.  */
static void
put_frame (struct tb_builder *b, uint32_t at, const struct tb_transfer *t,
	   size_t count)
{
  uint32_t base = UINT32_MAX;
  for (size_t i = 0; i < count; i++)
    {
      if (t[i].address_bits < 32)
	return;
      base = t[i].address < base ? t[i].address : base;
    }
  for (unsigned k = 0; k < TB_STATED_FRAME / WORD; k++)
    if (word_of_frame (t, count, base, k) == NULL)
      return;
  for (unsigned k = 0; k < TB_STATED_FRAME / WORD; k++)
    put (b, at + k, word_of_frame (t, count, base, k));
}

/* Put what is told of exceptions before step I to the frames among the accesses FIRST on:
   one for each that was ENTERED, or returned from, in their order.  */
static void
put_frames (struct tb_builder *b, uint64_t i, uint32_t first, bool entered)
{
  struct tb_state *s = b->state;
  size_t nchanges;
  const struct tb_change *changes = tb_build_changes (s, i, &nchanges);
  unsigned kind = entered ? TB_MEM_STORE : TB_MEM_LOAD, entry = 0;
  uint32_t at = first;
  for (size_t k = 0; k < nchanges; k++)
    {
      const struct tb_change *c = &changes[k];
      bool enters = c->kind == TB_CHANGE_ENTRY, counts = enters || c->kind == TB_CHANGE_TAIL;
      bool moves = entered ? enters
		   : c->kind == TB_CHANGE_RETURN || c->kind == TB_CHANGE_RETURN_MAYBE;
      size_t count;
      if (c->kind == TB_CHANGE_LOST)
	return;
      if (moves)
	{
	  at = tb_stated_find_frame (s, kind, at, b->names->next_access);
	  if (at == 0)
	    return;
	  const struct tb_transfer *t
	    = find (s, s->base + i, entered ? TB_BY_ENTRY : TB_BY_RETURN,
		    entered ? entry : 0, &count);
	  if (count > 0)
	    put_frame (b, at, t, count);
	  at += TB_STATED_FRAME / WORD;
	}
      else if (enters)
	{
	  uint32_t frame = tb_stated_find_frame (s, TB_MEM_STORE, at, b->names->next_access);
	  at = frame != 0 ? frame + TB_STATED_FRAME / WORD : at;
	}
      entry += counts;
    }
}

static void
put_stacked (struct tb_builder *b, uint64_t i, uint32_t first)
{
  struct tb_state *s = b->state;
  /* Where what ran contradicts the code the data was perhaps misread, too, as what is told of
     an address depends on the one before.  */
  if (!may_put (b, first) || tb_trust_is_lost (&s->trust, i)
      || (i > 0 && tb_trust_is_lost (&s->trust, i - 1)))
    return;
  uint32_t cause = s->graph.cause;
  s->graph.cause = TB_CAUSE_DATA;
  put_frames (b, i, first, true);
  put_frames (b, i, first, false);
  s->graph.cause = cause;
}

const struct tb_teller tb_teller_trace = {
  .load = load, .before = put_stacked, .accesses = put_accesses
};

/* Nothing is told.  */
static bool
nothing (struct tb_state *s)
{
  (void) s;
  return true;
}

const struct tb_teller tb_teller_doubted = { .changes = nothing, .load = nothing };
