/* Functions that nothing in the graph calls.  See constants.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A function that is called by a pointer alone, before the trace (a task's, a handler's
   callback), is reached by no way that the graph has.  That a word which does not change
   points to code before it, as pointers do, and that execution gets from there to what
   ran, tells where it begins.  If the function began further up, execution could come from
   there in two more ways: it runs on into where the word points, which is an entry and
   where nothing is known; and it branches beyond that, which is looked for in all that may
   be an instruction.  */

#include "config.h"
#include "state/assume/constants.h"

#include "util/buffer.h"
#include "util/search.h"

/* So many bytes before code at most its function's entry is looked for, and branches
   before that.  */
#define REACH 4096

static void
add_branch (struct tb_constants *c, uint64_t target)
{
  if (!TB_GROW (c->branches, c->branches_room, c->nbranches, 1))
    c->failed = true;
  if (!c->failed)
    c->branches[c->nbranches++] = target;
}

/* Gather where branches before ENTRY lead to, if that is behind it.  */
static void
search_branches (struct tb_constants *c, uint64_t entry)
{
  uint64_t length;
  uint8_t bytes[REACH];
  const struct tb_region *region;
  if (tb_memmap_at (c->map, c->space, entry, &length, &region) == NULL)
    return;
  uint64_t low = entry - region->address > REACH ? entry - REACH
		 : region->address;
  low += low & 1;
  if (tb_memmap_read (c->map, c->space, low, bytes, entry - low)
      != entry - low)
    return;
  for (uint64_t at = low; at < entry && !c->failed; at += 2)
    {
      const uint8_t *b = bytes + (at - low);
      struct tb_insn i = { .pc = at, .size = 2,
			   .opcode = (uint32_t) b[1] << 8 | b[0] };
      struct tb_flow flow;
      if (i.opcode >= 0xe800 && at + 4 <= entry)
	{
	  i.size = 4;
	  i.opcode = i.opcode << 16 | (uint32_t) b[3] << 8 | b[2];
	}
      c->isa->flow (c, &i, &flow);
      if (flow.kind == TB_FLOW_BRANCH && !tb_code_is_call (&flow)
	  && flow.target > entry && flow.target - entry <= REACH)
	add_branch (c, flow.target);
    }
}

bool
tb_constants_enter_before (struct tb_constants *c, uint64_t pc)
{
  size_t low;
  /* Where pointers to code look like any others, words tell nothing.  */
  if (c->isa->pointer_bit == 0)
    return false;
  TB_LOWER_BOUND (low, c->npointers, c->pointers[low] <= pc);
  while (low-- > 0 && pc - c->pointers[low] <= REACH)
    if (tb_code_find (c, c->pointers[low]) == TB_CODE_NONE
	&& tb_code_enter (c, c->pointers[low], TB_CODE_FUNCTION))
      {
	search_branches (c, c->pointers[low]);
	return true;
      }
  return false;
}

bool
tb_constants_enter_branches (struct tb_constants *c)
{
  bool news = false;
  for (size_t i = 0; i < c->nbranches; i++)
    if (tb_code_find (c, c->branches[i]) != TB_CODE_NONE)
      news |= tb_code_enter (c, c->branches[i], 0);
  return news;
}
