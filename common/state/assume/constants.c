/* Assumption: constants of the enclosing function.  See constants.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/constants.h"

#include <stdlib.h>
#include <string.h>

#include "state/assume/code-graph.h"
#include "state/window/internal.h"
#include "util/buffer.h"

/* Bytes of memory that are searched for code pointers, at most.  */
#define SEARCH_LIMIT (UINT64_C (1) << 26)

/* How often newly found code may lead to more entries, before nothing is said
   at all.  */
#define ROUNDS 64

/* In so many of these functions are looked for that no way leads to.  */
#define ROUNDS_BEFORE 24

static int
compare_words (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

/* Does anything that REGION holds run?  */
static bool
has_code (const struct tb_constants *c, const struct tb_region *region)
{
  for (size_t i = 0; i < c->window->ntemplates; i++)
    {
      struct tb_code_step t;
      tb_code_template (c, i, &t);
      if (t.ours && t.pc - region->address < region->length)
	return true;
    }
  return false;
}

static void
add_pointer (struct tb_constants *c, uint64_t address)
{
  if (!TB_GROW (c->pointers, c->pointers_room, c->npointers, 1))
    c->failed = c->no_memory = true;
  if (!c->failed)
    c->pointers[c->npointers++] = address;
}

/* Is what REGION has at ADDRESS from the start of the program, and does it stay
   so (or was it so at the start)?  Where pointers to code look like any others, so
   is all of what lies beside code: to take too much for a pointer only means that
   less is known.  */
static bool
is_initial (const struct tb_constants *c, const struct tb_region *region,
	    uint64_t address, bool has_its_code)
{
  uint64_t value;
  return !region->halt_contents
	 || (has_its_code && c->isa->pointer_bit == 0)
	 || tb_code_constant (c, address, c->isa->pointer_size, &value);
}

/* Gather the words of REGION that may be code pointers.  */
static void
search_pointers (struct tb_constants *c, const struct tb_region *region,
		 bool has_its_code)
{
  const struct tb_code_isa *isa = c->isa;
  unsigned size = isa->pointer_size;
  uint64_t skip = -region->address & (size - 1), bit = isa->pointer_bit;
  for (uint64_t at = skip; at + size <= region->length && !c->failed;
       at += size)
    {
      const uint8_t *b = region->data + at;
      uint64_t word = 0, there;
      for (unsigned k = 0; k < size; k++)
	word |= (uint64_t) b[k] << 8 * k;
      if ((word & (isa->unit - 1)) == bit
	  && tb_memmap_at (c->map, c->space, word - bit, &there, NULL) != NULL
	  && is_initial (c, region, region->address + at, has_its_code))
	add_pointer (c, word - bit);
    }
}

/* Where calls in REGION lead to.  Data that looks like one does no harm but that
   less is known.  */
static void
search_calls (struct tb_constants *c, const struct tb_region *region)
{
  unsigned unit = c->isa->unit;
  uint64_t skip = -region->address & (unit - 1);
  for (uint64_t at = skip; at + 4 <= region->length && !c->failed; at += unit)
    {
      struct tb_insn i = { .pc = region->address + at };
      struct tb_flow flow;
      if (!c->isa->call_at (region->data + at, &i))
	continue;
      c->isa->flow (c, &i, &flow);
      if (tb_code_is_call (&flow)
	  && flow.target - region->address < region->length)
	tb_code_enter (c, flow.target, TB_CODE_FUNCTION);
    }
}

static void
search_memory (struct tb_constants *c)
{
  const struct tb_region *region;
  size_t count = tb_memmap_regions (c->map, &region);
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += region[i].length;
  if (total > SEARCH_LIMIT)
    {
      c->failed = true;
      return;
    }
  for (size_t i = 0; i < count; i++)
    {
      bool code = has_code (c, &region[i]);
      search_pointers (c, &region[i], code);
      if (c->options->nfunctions == 0 && code)
	search_calls (c, &region[i]);
    }
  if (c->npointers == 0)
    return;
  qsort (c->pointers, c->npointers, sizeof *c->pointers, compare_words);
  size_t kept = 1;
  for (size_t i = 1; i < c->npointers; i++)
    if (c->pointers[i] != c->pointers[kept - 1])
      c->pointers[kept++] = c->pointers[i];
  c->npointers = kept;
}

static void
enter_known (struct tb_constants *c)
{
  if (c->isa->enter != NULL)
    c->isa->enter (c);
  for (size_t i = 0; i < c->options->nfunctions; i++)
    tb_code_enter (c, c->options->functions[i] & ~c->isa->pointer_bit,
		   TB_CODE_FUNCTION);
}

/* Enter where pointers lead; true if that is news.  */
static bool
enter_pointers (struct tb_constants *c)
{
  bool news = false;
  for (size_t i = 0; i < c->npointers; i++)
    if (tb_code_find (c, c->pointers[i]) != TB_CODE_NONE)
      news |= tb_code_enter (c, c->pointers[i], 0);
  for (uint32_t i = 0; i < c->ncode; i++)
    for (unsigned r = 0; r < c->isa->registers; r++)
      {
	uint64_t value = tb_code_values (c, i)[r], bit = c->isa->pointer_bit;
	if (c->code[i].known >> r & 1 && (value & bit) == bit
	    && tb_code_find (c, value - bit) != TB_CODE_NONE)
	  news |= tb_code_enter (c, value - bit, 0);
      }
  return news;
}

/* Exceptions that have been entered and not left.  */
struct pending
{
  uint64_t back[64];
  unsigned count;
};

/* An exception returned to BACK.  If it was entered in the same function, but
   elsewhere, the handler changed its return address.  */
static bool
follow_return (struct tb_constants *c, struct pending *p, uint64_t back)
{
  uint32_t number = tb_code_find (c, back);
  bool moved = false;
  for (unsigned i = p->count; i-- > 0;)
    {
      uint32_t other = tb_code_find (c, p->back[i]);
      if (p->back[i] == back)
	{
	  p->count--;
	  memmove (p->back + i, p->back + i + 1,
		   (p->count - i) * sizeof *p->back);
	  return false;
	}
      moved |= number != TB_CODE_NONE && other != TB_CODE_NONE
	       && tb_code_root (c, number) == tb_code_root (c, other);
    }
  return moved && tb_code_enter (c, back, 0);
}

/* What happened before step I, which is at PC.  */
static bool
follow_change (struct tb_constants *c, struct pending *p,
	       const struct tb_code_change *change, uint64_t pc)
{
  switch (change->kind)
    {
    case TB_CODE_ENTERED:
      if (p->count == sizeof p->back / sizeof p->back[0])
	memmove (p->back, p->back + 1, --p->count * sizeof *p->back);
      p->back[p->count++] = change->address;
      return tb_code_enter (c, pc, TB_CODE_FUNCTION);
    case TB_CODE_CHAINED:
      return tb_code_enter (c, pc, TB_CODE_FUNCTION);
    case TB_CODE_RETURNED:
      return follow_return (c, p, change->address != 0 ? change->address
						       : pc);
    default:
      p->count = 0;
      return false;
    }
}

/* Execution went from FROM to PC: is that a way that the graph has?  If not, it is
   an entry.  */
static bool
follow_step (struct tb_constants *c, const struct tb_code_step *from,
	     uint64_t pc)
{
  uint32_t to = tb_code_find (c, pc);
  uint32_t number = from->ours ? tb_code_find (c, from->pc) : TB_CODE_NONE;
  struct tb_insn one = { .pc = from->pc, .opcode = from->opcode,
			 .size = from->size };
  struct tb_flow flow;
  if (!from->taken && number != TB_CODE_NONE)
    return false;
  c->isa->flow (c, &one, &flow);
  if (from->taken && tb_code_is_call (&flow))
    return tb_code_enter (c, pc, TB_CODE_FUNCTION);
  /* A jump that neither returns nor is one inside a function: a tail call.  */
  bool tail = from->taken && c->isa->role (&one) == TB_CODE_TAIL
	      && flow.sub != TB_SUB_V7RETURN;
  if (to == TB_CODE_NONE)
    return tail && tb_code_enter (c, pc, TB_CODE_FUNCTION);
  const struct tb_insn *code = &c->code[to];
  if (code->flags & (TB_CODE_RETURN | TB_CODE_ENTRY))
    return false;
  if (number != TB_CODE_NONE
      && (flow.kind == TB_FLOW_BRANCH
	  || (c->code[number].flags & TB_CODE_SWITCH
	      && code->flags & TB_CODE_CASE)
	  || code->from == number))
    return false;
  return tb_code_enter (c, pc, 0);
}

/* Changes before one step that are looked at; more are as if all was lost.  */
#define CHANGES 16

/* Enter where the trace shows other ways than the graph has; true if that is
   news.  */
static bool
enter_traced (struct tb_constants *c, bool before)
{
  struct pending pending = { .count = 0 };
  struct tb_code_step last = { .ours = false };
  bool news = false;
  for (uint64_t i = 0; i < c->window->steps && !c->failed; i++)
    {
      struct tb_code_step step;
      tb_code_step_at (c, i, &step);
      if (step.changed)
	{
	  struct tb_code_change changes[CHANGES];
	  unsigned n = tb_code_changes (c, i, changes, CHANGES);
	  for (unsigned k = 0; k < n; k++)
	    news |= follow_change (c, &pending, &changes[k], step.pc);
	  if (n == CHANGES)
	    pending.count = 0;
	}
      else if (i > 0
	       && (last.taken || !last.ours || step.pc != last.pc + last.size
		   || tb_code_find (c, last.pc) == TB_CODE_NONE))
	news |= follow_step (c, &last, step.pc);
      if (before && step.ours && step.pc - last.pc > 4
	  && tb_code_find (c, step.pc) == TB_CODE_NONE)
	news |= tb_constants_enter_before (c, step.pc);
      last = step;
    }
  return news;
}

/* Functions that call one that uses its return address, if what for is not
   known, cannot be analysed.  */
static void
finish_calls (struct tb_constants *c)
{
  for (uint32_t i = 0; i < c->ncode; i++)
    if (c->code[i].flags & TB_CODE_LR_USED)
      c->code[tb_code_root (c, i)].flags |= TB_CODE_LR_USED;
  for (uint32_t i = 0; i < c->ncode; i++)
    {
      struct tb_flow flow;
      c->isa->flow (c, &c->code[i], &flow);
      if (!tb_code_is_call (&flow) || flow.kind != TB_FLOW_BRANCH
	  || c->code[i].flags & TB_CODE_SWITCH)
	continue;
      uint32_t callee = tb_code_find (c, flow.target);
      if (callee != TB_CODE_NONE
	  && c->code[tb_code_root (c, callee)].flags & TB_CODE_LR_USED)
	c->code[i].flags |= TB_CODE_WILD;
    }
}

/* Functions that cannot be analysed, and the entries of all.  */
static void
finish (struct tb_constants *c)
{
  /* A way in that was found later may have got around a bound.  */
  for (uint32_t i = 0; i < c->ncode; i++)
    if (c->code[i].flags & TB_CODE_SWITCH)
      {
	struct tb_code_places p;
	tb_code_load (c, i, &p);
	tb_code_eval (c, &c->code[i], &p);
	if (!tb_code_switch (c, i, &p))
	  c->code[i].flags |= TB_CODE_WILD;
      }
  tb_code_run (c);
  finish_calls (c);
  for (uint32_t i = 0; i < c->ncode; i++)
    c->code[i].function = UINT64_MAX;
  for (uint32_t i = 0; i < c->ncode; i++)
    {
      struct tb_insn *root = &c->code[tb_code_root (c, i)];
      root->flags |= c->code[i].flags & TB_CODE_WILD;
      if (c->code[i].flags & TB_CODE_FUNCTION
	  && c->code[i].pc < root->function)
	root->function = c->code[i].pc;
    }
}

struct tb_constants *
tb_constants_find (struct tb_state *s)
{
  struct tb_constants *c = calloc (1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->isa = s->a64 != NULL ? &tb_code_a64
	   : s->profile->is_m ? &tb_code_t32 : &tb_code_ar;
  c->window = s;
  c->profile = s->profile;
  c->map = s->memory.map;
  c->space = s->memory.space;
  c->options = &s->options;
  enter_known (c);
  search_memory (c);
  bool news = true;
  for (unsigned round = 0; news && !c->failed; round++)
    {
      tb_code_run (c);
      news = enter_pointers (c);
      news |= tb_constants_enter_branches (c);
      news |= enter_traced (c, round < ROUNDS_BEFORE);
      c->failed |= round == ROUNDS;
    }
  if (!c->failed)
    finish (c);
  if (c->no_memory)
    {
      tb_constants_free (c);
      return NULL;
    }
  if (c->failed)
    c->ncode = c->hash_size = 0;
  return c;
}

void
tb_constants_free (struct tb_constants *c)
{
  if (c == NULL)
    return;
  free (c->code);
  free (c->values);
  free (c->hash);
  free (c->uops);
  free (c->queue);
  free (c->pointers);
  free (c->branches);
  free (c);
}

/* The analysed instruction T; NULL: there is none, or nothing can be said of it.
   *FUNCTION: the root of its function.  */
static const struct tb_insn *
analysed (const struct tb_constants *c, const struct tb_code_step *t,
	  const struct tb_insn **function)
{
  uint32_t number = t->ours ? tb_code_find (c, t->pc) : TB_CODE_NONE;
  if (number == TB_CODE_NONE || c->code[number].opcode != t->opcode)
    return NULL;
  const struct tb_insn *root = &c->code[number];
  while (root != &c->code[root->root])
    root = &c->code[root->root];
  *function = root;
  return root->flags & TB_CODE_WILD ? NULL : &c->code[number];
}

uint32_t
tb_constants_before (const struct tb_constants *c,
		     const struct tb_code_step *t, const uint64_t **values,
		     uint64_t *function)
{
  const struct tb_insn *root, *code = analysed (c, t, &root);
  if (code == NULL)
    return 0;
  *values = tb_code_values (c, (uint32_t) (code - c->code));
  *function = root->function;
  return code->known;
}

bool
tb_constants_frame (const struct tb_constants *c,
		    const struct tb_code_step *t, uint32_t *frame,
		    uint64_t *function)
{
  const struct tb_insn *root, *code = analysed (c, t, &root);
  if (code == NULL || !code->has_frame)
    return false;
  *frame = code->frame;
  *function = root->function;
  return true;
}
