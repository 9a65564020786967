/* Stores that have likely been to a place.  See likely.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/answer/likely.h"

#include "arm/ir/operands.h"
#include "state/window/internal.h"
#include "state/window/windows.h"
#include "util/number.h"

/* An array of more bytes makes no store likely.  */
#define ARRAY_MOST 4096

/* Accesses before a store among which the load of its pointer is looked for.  */
#define NEAR 64

/* Steps that are walked over in their order: what is likely among them is looked for from
   the end of each such part.  */
#define PART 16384

/* What words of memory hold where the search began, as far as it was asked for.  */
#define POINTERS 256

struct pointer
{
  uint64_t at, value;
  bool asked, is_known;
};

/* A store of SIZE bytes to what was loaded from POINTER, plus APART.  */
struct through
{
  uint64_t pointer, apart;
  unsigned size;
};

/* What is looked for.  */
struct likely_search
{
  struct tb_state *state;
  uint64_t address, length, from;
  uint8_t bytes[8];		/* What it holds, if HAS_BYTES.  */
  bool has_bytes;
  struct pointer pointers[POINTERS];
};

/* Can a store of A have left what is there?  */
static bool
may_leave (const struct likely_search *l, const struct tb_access_info *a)
{
  return !l->has_bytes || !a->value_known || a->length != l->length
	 || tb_number (l->bytes, a->length) == a->value;
}

/* Does an access of SIZE bytes at AT hit the place?  */
static bool
hits (const struct likely_search *l, uint64_t at, uint64_t size)
{
  return at <= l->address + (l->length - 1) && l->address <= at + (size - 1);
}

/* What the word at POINTER holds where the search began.  */
static bool
read_pointer (struct likely_search *l, uint64_t pointer, uint64_t *value)
{
  struct pointer *kept = &l->pointers[pointer / 4 % POINTERS];
  if (!kept->asked || kept->at != pointer)
    {
      uint8_t bytes[4], origins[4];
      *kept = (struct pointer) { .at = pointer, .asked = true };
      kept->is_known
	= tb_state_memory (l->state, l->from, pointer, bytes, origins, 4) == 4;
      kept->value = kept->is_known ? tb_number (bytes, 4) : 0;
    }
  *value = kept->value;
  return kept->is_known;
}

/* List in SOME the stores of STEP, at most MOST, that in S are to what was loaded from a known
   address, plus a constant; returns how many.  */
static size_t
list_through (struct tb_state *s, uint64_t step, struct through *some, size_t most)
{
  const struct tb_template *t = &s->templates[s->info[step - s->base] & TB_INFO_TEMPLATE];
  tb_state_seek (s, step - s->base);
  uint32_t first = s->names.next_access;
  size_t count = 0;
  for (const struct tb_uop *u = s->uops + t->first; u < s->uops + t->first + t->count; u++)
    {
      uint32_t apart;
      unsigned slot = u->op == TB_OP_STORE ? tb_operands_base (s->uops + t->first, u, &apart)
		      : TB_PLACE_NONE;
      tb_vid base = slot != TB_PLACE_NONE ? s->names.slot[slot] : 0;
      for (uint32_t id = first; base != 0 && id-- > 1 && first - id < NEAR && count < most;)
	{
	  const struct tb_mem_access *load = &s->memory.accesses[id];
	  if (load->kind != TB_MEM_LOAD || load->value != base)
	    continue;
	  struct tb_known at = tb_graph_known (&s->graph, load->address);
	  if (tb_access_size (load) == 4 && tb_known_all (at))
	    some[count++] = (struct through) { at.bits, apart, (unsigned) u->imm };
	  break;
	}
    }
  return count;
}

/* Is one of the stores of STEP through a pointer that would make it hit?  */
static bool
is_through (struct likely_search *l, uint64_t step, struct tb_likely *likely)
{
  enum { MOST = 64 };
  struct through some[MOST];
  struct tb_state *s = tb_windows_at (l->state, step);
  if (s->graph.bits != 32 || s->a64 != NULL || step < s->base || step - s->base >= s->steps)
    return false;
  uint64_t ones = s->graph.ones, value;
  size_t count = list_through (s, step, some, MOST);
  if (s->assumed != NULL)
    count += list_through (s->assumed, step, some + count, MOST - count);
  /* To read them may take another window's place.  */
  for (size_t i = 0; i < count; i++)
    if (read_pointer (l, some[i].pointer, &value)
	&& hits (l, (value + some[i].apart) & ones, some[i].size))
      {
	*likely = (struct tb_likely) {
	  .step = step, .through = true, .pointer = some[i].pointer
	};
	return true;
      }
  return false;
}

/* Is one of the stores of STEP likely?  */
static bool
is_likely (struct likely_search *l, uint64_t step, struct tb_likely *likely)
{
  enum { MOST = 32 };
  struct tb_access_info some[MOST];
  size_t n = tb_state_accesses (l->state, step, some, MOST);
  bool open = false;
  for (size_t i = 0; i < n && i < MOST; i++)
    {
      const struct tb_access_info *a = &some[i];
      if (!a->store || a->address_known)
	continue;
      bool few = a->address_bounded && a->high - a->low < ARRAY_MOST;
      if (few && hits (l, a->low, a->high - a->low + a->length) && may_leave (l, a))
	{
	  *likely = (struct tb_likely) { .step = step, .low = a->low, .high = a->high };
	  return true;
	}
      open |= !few;
    }
  if (!open || l->state->log != NULL)
    return false;
  return is_through (l, step, likely);
}

bool
tb_likely_store (struct tb_state *state, uint64_t address, uint64_t length,
		 uint64_t from, uint64_t begin, struct tb_likely *likely)
{
  struct likely_search l = { .state = state, .address = address, .length = length, .from = from };
  uint8_t origins[sizeof l.bytes];
  bool found = false;
  if (from <= begin)
    return false;
  l.has_bytes = length <= sizeof l.bytes
		&& tb_state_memory (state, from, address, l.bytes, origins, length) == length;
  if (from - begin > TB_LIKELY_MOST)
    begin = from - TB_LIKELY_MOST;
  while (from > begin && !found)
    {
      uint64_t first = from - begin > PART ? from - PART : begin;
      for (uint64_t step = first; step < from; step++)
	found |= is_likely (&l, step, likely);
      from = first;
    }
  return found;
}
