/* Assumption: an access through an object's address and an index stays within the object;
   solving with it, and finding what disproves it.  See objects.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/objects.h"

#include "state/assume/assume.h"
#include "state/window/relied.h"

/* Objects that are looked for one by one before the assumption is given up.  */
#define CULPRITS_MOST 16

/* Solve with all facts that there are.  */
static bool
solve_all (struct tb_state *s)
{
  return tb_state_solve (s, s->facts.pairs.count, s->facts.nconstants);
}

/* The step of the window that made access ID; what an exception stacks is done by the step
   before.  */
static uint64_t
step_of_access (struct tb_state *s, uint32_t id)
{
  uint64_t low = 0, high = s->steps;
  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      tb_state_seek (s, middle + 1);
      if (s->names.next_access <= id)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Objects that were disproved.  */
struct disproved
{
  const struct tb_elf_object *objects[CULPRITS_MOST];
  unsigned count;
};

/* Leave out the ranges of FACTS from number FROM on that are of the objects NOT.  */
static void
leave_out (struct tb_facts *facts, size_t from, const struct disproved *not)
{
  for (size_t i = from; i < facts->nranges; i++)
    for (unsigned k = 0; k < not->count; k++)
      facts->ranges[i].disproved |= facts->ranges[i].object == not->objects[k];
}

/* The first range that contradicts what is known and those before it.  False: no memory.  */
static bool
find_culprit_range (struct tb_state *s, size_t *culprit)
{
  struct tb_facts *facts = &s->facts;
  size_t low = 0, high = facts->nranges;
  while (high - low > 1)
    {
      facts->ranges_stated = low + (high - low) / 2;
      if (!solve_all (s))
	return false;
      if (s->graph.conflict)
	high = facts->ranges_stated;
      else
	low = facts->ranges_stated;
    }
  *culprit = low;
  facts->ranges_stated = facts->nranges;
  return true;
}

/* Solve with the ranges of objects; where that is a contradiction without those of some
   objects, which are added to NOT.  False: no memory.  */
static bool
disprove_ranges (struct tb_state *s, struct tb_state *certain, struct disproved *not,
		 struct tb_diag *diag)
{
  struct tb_facts *facts = &s->facts;
  facts->ranges_stated = facts->nranges;
  if (!solve_all (s))
    return false;
  while (s->graph.conflict && not->count < CULPRITS_MOST)
    {
      size_t culprit;
      if (!find_culprit_range (s, &culprit))
	return false;
      const struct tb_assumed_range *range = &facts->ranges[culprit];
      const struct tb_elf_object *object = range->object;
      uint64_t step = s->base + step_of_access (s, range->access);
      if (tb_assume_is_news (certain, object->address | UINT64_C (7) << 61))
	tb_warning (diag, "The access of step %llu, whose address was computed from that of "
		    "%s (0x%08llx), is not there: the assumption objects is disproved for it "
		    "(an index out of bounds, or an address that is computed in another "
		    "way).", (unsigned long long) step, object->name,
		    (unsigned long long) object->address);
      not->objects[not->count++] = object;
      leave_out (facts, 0, not);
      if (!solve_all (s))
	return false;
    }
  return true;
}

/* How often what became known of addresses may tell more of them.  */
#define OBJECT_ROUNDS 3

bool
tb_assume_objects (struct tb_state *s, struct tb_state *certain, struct tb_diag *diag)
{
  struct tb_facts *facts = &s->facts;
  struct disproved not = { .count = 0 };
  bool news = true;
  for (unsigned i = 0; i < OBJECT_ROUNDS && news && !s->graph.conflict; i++)
    {
      size_t before = facts->nranges;
      if (!tb_assume_find_objects (s, &news))
	return false;
      for (size_t k = before; k < facts->nranges; k++)
	facts->ranges[k].disproved
	  = tb_relied_given_up (s->options.given_up, TB_RELIED_OBJECT,
				facts->ranges[k].object->address, 0);
      leave_out (facts, before, &not);
      if (news && !disprove_ranges (s, certain, &not, diag))
	return false;
    }
  if (!s->graph.conflict)
    return true;
  tb_warning (diag, "Accesses that were computed from more than %d objects are not there.  "
	      "The assumption objects is given up.", CULPRITS_MOST);
  for (size_t i = 0; i < facts->nranges; i++)
    facts->ranges[i].disproved = true;
  return solve_all (s);
}
