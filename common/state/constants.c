/* Assumption: constants of the enclosing function.  See constants.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/constants.h"

#include <stdlib.h>
#include <string.h>

#include "arm/vectors.h"
#include "state/code-graph.h"
#include "util/buffer.h"

/* Bytes of memory that are searched for code pointers, at most.  */
#define SEARCH_LIMIT (UINT64_C (1) << 26)

/* How often newly found code may lead to more entries, before nothing is said
   at all.  */
#define ROUNDS 64

static int
compare_words (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return x < y ? -1 : x > y;
}

/* Does anything that REGION holds run?  */
static bool
has_code (const struct tb_state *s, const struct tb_region *region)
{
  for (size_t i = 0; i < s->ntemplates; i++)
    if (s->templates[i].pc - region->address < region->length)
      return true;
  return false;
}

static void
add_pointer (struct tb_constants *c, uint32_t address)
{
  void *items = c->pointers;
  if (!tb_grow (&items, &c->pointers_room, c->npointers, 1,
		sizeof *c->pointers))
    c->failed = true;
  c->pointers = items;
  if (!c->failed)
    c->pointers[c->npointers++] = address;
}

/* Is what REGION has at ADDRESS from the start of the program, and does it stay
   so (or was it so at the start)?  */
static bool
is_initial (const struct tb_constants *c, const struct tb_region *region,
	    uint64_t address)
{
  const uint8_t *bytes;
  return !region->halt_contents
	 || tb_memory_kind (&c->state->memory, address, 4, &bytes)
	    == TB_MEMORY_CONSTANT;
}

/* Gather the odd words of REGION that may be code pointers.  */
static void
search_pointers (struct tb_constants *c, const struct tb_region *region)
{
  uint64_t skip = -region->address & 3;
  for (uint64_t at = skip; at + 4 <= region->length && !c->failed; at += 4)
    {
      const uint8_t *b = region->data + at;
      uint32_t word = b[0] | (uint32_t) b[1] << 8 | (uint32_t) b[2] << 16
		      | (uint32_t) b[3] << 24;
      uint64_t there;
      if (word & 1
	  && tb_memmap_at (c->state->memory.map, c->state->memory.space,
			   word & ~UINT32_C (1), &there, NULL) != NULL
	  && is_initial (c, region, region->address + at))
	add_pointer (c, word & ~UINT32_C (1));
    }
}

/* Where BL instructions of REGION lead to.  Data that looks like one does no
   harm but that less is known.  */
static void
search_calls (struct tb_constants *c, const struct tb_region *region)
{
  uint64_t skip = region->address & 1;
  for (uint64_t at = skip; at + 4 <= region->length && !c->failed; at += 2)
    {
      const uint8_t *b = region->data + at;
      uint32_t opcode = (uint32_t) b[1] << 24 | (uint32_t) b[0] << 16
			| (uint32_t) b[3] << 8 | b[2];
      struct tb_flow flow;
      if ((opcode & 0xf800d000) != 0xf000d000)
	continue;
      tb_flow_t32 (&flow, opcode, region->address + at, false,
		   c->state->profile);
      if (tb_code_is_call (&flow)
	  && flow.target - region->address < region->length)
	tb_code_enter (c, (uint32_t) flow.target, TB_CODE_FUNCTION);
    }
}

static void
search_memory (struct tb_constants *c)
{
  const struct tb_state_options *o = &c->state->options;
  const struct tb_region *region;
  size_t count = tb_memmap_regions (c->state->memory.map, &region);
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
      search_pointers (c, &region[i]);
      if (o->nfunctions == 0 && has_code (c->state, &region[i]))
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
  const struct tb_state *s = c->state;
  struct tb_vectors *vectors = malloc (sizeof *vectors);
  if (vectors == NULL)
    {
      c->failed = true;
      return;
    }
  if (tb_vectors_find (vectors, s->memory.map, s->profile, s->options.core))
    for (unsigned i = 1; i < vectors->count; i++)
      if (vectors->handler[i] != 0)
	tb_code_enter (c, vectors->handler[i], TB_CODE_FUNCTION);
  free (vectors);
  for (size_t i = 0; i < s->options.nfunctions; i++)
    tb_code_enter (c, (uint32_t) s->options.functions[i] & ~UINT32_C (1),
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
  for (size_t i = 0; i < c->ncode; i++)
    for (unsigned r = 0; r < TB_CONSTANTS_REGS; r++)
      {
	const struct tb_code *code = &c->code[i];
	if (code->known >> r & 1 && code->value[r] & 1
	    && tb_code_find (c, code->value[r] - 1) != TB_CODE_NONE)
	  news |= tb_code_enter (c, code->value[r] - 1, 0);
      }
  return news;
}

/* Exceptions that have been entered and not left.  */
struct pending
{
  uint32_t back[64];
  unsigned count;
};

/* An exception returned to BACK.  If it was entered in the same function, but
   elsewhere, the handler changed its return address.  */
static bool
follow_return (struct tb_constants *c, struct pending *p, uint32_t back)
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
	       const struct tb_change *change, uint32_t pc)
{
  switch (change->kind)
    {
    case TB_CHANGE_ENTRY:
      if (p->count == sizeof p->back / sizeof p->back[0])
	memmove (p->back, p->back + 1, --p->count * sizeof *p->back);
      p->back[p->count++] = change->address;
      return tb_code_enter (c, pc, TB_CODE_FUNCTION);
    case TB_CHANGE_TAIL:
      return tb_code_enter (c, pc, TB_CODE_FUNCTION);
    case TB_CHANGE_RETURN: case TB_CHANGE_RETURN_MAYBE:
      return follow_return (c, p, change->address != 0 ? change->address
						       : pc);
    default:
      p->count = 0;
      return false;
    }
}

/* Execution went from FROM, by a branch if TAKEN, to PC: is that a way that the
   graph has?  If not, it is an entry.  */
static bool
follow_step (struct tb_constants *c, const struct tb_template *from,
	     bool taken, uint32_t pc)
{
  uint32_t to = tb_code_find (c, pc), number = tb_code_find (c, from->pc);
  struct tb_flow flow;
  if (!taken && number != TB_CODE_NONE)
    return false;
  tb_flow_t32 (&flow, from->size == 2 ? from->opcode << 16 : from->opcode,
	       from->pc, false, c->state->profile);
  if (taken && tb_code_is_call (&flow))
    return tb_code_enter (c, pc, TB_CODE_FUNCTION);
  /* BX that neither returns nor is a jump inside a function: a tail call.  */
  bool bx = taken && from->size == 2 && (from->opcode & 0xff87) == 0x4700
	    && flow.sub != TB_SUB_V7RETURN;
  if (to == TB_CODE_NONE)
    return bx && tb_code_enter (c, pc, TB_CODE_FUNCTION);
  const struct tb_code *code = &c->code[to];
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

/* Enter where the trace shows other ways than the graph has; true if that is
   news.  */
static bool
enter_traced (struct tb_constants *c)
{
  const struct tb_state *s = c->state;
  struct pending pending = { .count = 0 };
  size_t change = 0;
  bool news = false;
  for (uint64_t i = 0; i < s->steps && !c->failed; i++)
    {
      uint32_t pc = s->templates[s->info[i] & TB_INFO_TEMPLATE].pc;
      if (s->info[i] & TB_INFO_EVENTS)
	{
	  for (; change < s->nchanges && s->changes[change].step <= i;
	       change++)
	    news |= follow_change (c, &pending, &s->changes[change], pc);
	  continue;
	}
      if (i == 0)
	continue;
      uint32_t from = s->info[i - 1];
      bool taken = from & TB_INFO_TAKEN;
      if (taken || pc != s->templates[from & TB_INFO_TEMPLATE].pc
			 + s->templates[from & TB_INFO_TEMPLATE].size
	  || tb_code_find (c, s->templates[from & TB_INFO_TEMPLATE].pc)
	     == TB_CODE_NONE)
	news |= follow_step (c, &s->templates[from & TB_INFO_TEMPLATE], taken,
			     pc);
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
      tb_code_flow (c, &c->code[i], &flow);
      if (!tb_code_is_call (&flow) || flow.kind != TB_FLOW_BRANCH
	  || c->code[i].flags & TB_CODE_SWITCH)
	continue;
      uint32_t callee = tb_code_find (c, (uint32_t) flow.target);
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
	tb_code_load (&c->code[i], &p);
	tb_code_eval (c, c->uops + c->code[i].first, c->code[i].count, &p);
	if (!tb_code_switch (c, i, &p))
	  c->code[i].flags |= TB_CODE_WILD;
      }
  tb_code_run (c);
  finish_calls (c);
  for (uint32_t i = 0; i < c->ncode; i++)
    c->code[i].function = UINT32_MAX;
  for (uint32_t i = 0; i < c->ncode; i++)
    {
      struct tb_code *root = &c->code[tb_code_root (c, i)];
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
  c->state = s;
  if (!s->profile->is_m)
    return c;
  enter_known (c);
  search_memory (c);
  bool news = true;
  for (unsigned round = 0; news && !c->failed; round++)
    {
      tb_code_run (c);
      news = enter_pointers (c);
      news |= enter_traced (c);
      c->failed |= round == ROUNDS;
    }
  if (!c->failed)
    finish (c);
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
  free (c->hash);
  free (c->uops);
  free (c->queue);
  free (c->pointers);
  free (c);
}

unsigned
tb_constants_before (const struct tb_constants *c,
		     const struct tb_template *t, uint32_t *values,
		     uint32_t *function)
{
  uint32_t number = t->isa == TB_ISA_T32 ? tb_code_find (c, t->pc)
					 : TB_CODE_NONE;
  if (number == TB_CODE_NONE || c->code[number].opcode != t->opcode)
    return 0;
  const struct tb_code *code = &c->code[number], *root = code;
  while (root != &c->code[root->root])
    root = &c->code[root->root];
  if (root->flags & TB_CODE_WILD)
    return 0;
  memcpy (values, code->value, sizeof code->value);
  *function = root->function;
  return code->known;
}
