/* Frames of suspended tasks in the dump.  See frames.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/assume/frames.h"

#include "arm/ir/system-registers.h"
#include "snapshot/memmap.h"
#include "util/number.h"

/* More than so many frames fit too little to be looked at.  */
#define FITTING_MOST 32

/* Call LOOK with CONTEXT and each word of RAM that is dumped.  */
static void
each_word (struct tb_state *s, void (*look) (void *context, struct tb_state *s,
					     uint32_t address, uint32_t word),
	   void *context)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (s->memory.map, &regions);
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_region *r = &regions[i];
      if (!r->halt_contents || r->address > UINT32_MAX)
	continue;
      for (uint64_t at = -r->address & 3; at + 4 <= r->length; at += 4)
	look (context, s, (uint32_t) (r->address + at),
	      tb_number_32 (r->data + at));
    }
}

/* LENGTH bytes of RAM at ADDRESS as the dump has them; NULL: it does not.  */
static const uint8_t *
dumped (const struct tb_state *s, uint32_t address, unsigned length)
{
  const uint8_t *bytes;
  return tb_memory_kind (&s->memory, address, length, &bytes) == TB_MEMORY_RAM
	 ? bytes : NULL;
}

/* Do dumps differ in any of the LENGTH bytes at ADDRESS?  Then what is looked for may be there.  */
static bool
is_disputed (const struct tb_state *s, uint32_t address, unsigned length)
{
  bool is = false;
  for (unsigned i = 0; i < length && !is; i++)
    is = tb_memmap_disputed (s->memory.map, s->memory.space, (uint64_t) address + i);
  return is;
}

static bool
agrees (struct tb_border_register known, uint32_t value)
{
  return ((known.bits ^ value) & known.mask) == 0;
}

struct frame_search
{
  const struct tb_task_frame *frame;
  uint32_t at[FITTING_MOST], above[FITTING_MOST];
  bool pointed[FITTING_MOST];
  unsigned count;
  bool disputed;		/* There may be another one.  */
};

/* Does what is known of the stack fit a frame at AT that ends before ABOVE?  */
static void
fit_stack (struct frame_search *search, const struct tb_state *s, uint32_t at, uint32_t above)
{
  const struct tb_task_frame *frame = search->frame;
  const uint8_t *bytes;
  if (!agrees (frame->sp, above))
    return;
  for (unsigned i = 0; i < TB_TASK_STACK; i++)
    if (frame->stack[i].mask != 0
	&& ((bytes = dumped (s, above + 4 * i, 4)) == NULL
	    || !agrees (frame->stack[i], tb_number_32 (bytes))))
      {
	search->disputed |= bytes == NULL && is_disputed (s, above + 4 * i, 4);
	return;
      }
  if (search->count < FITTING_MOST)
    {
      search->at[search->count] = at;
      search->above[search->count] = above;
      search->pointed[search->count] = false;
    }
  search->count++;
}

/* The word at ADDRESS: is it the return address of such a frame?  */
static void
fit (void *context, struct tb_state *s, uint32_t address, uint32_t word)
{
  struct frame_search *search = context;
  const struct tb_task_frame *frame = search->frame;
  uint32_t at = address - 4 * TB_M_FRAME_RETURN;
  if (word != frame->address || (at & (s->stkalign ? 7 : 3)) != 0
      || search->count > FITTING_MOST)
    return;
  const uint8_t *bytes = dumped (s, at, TB_M_FRAME_SIZE);
  search->disputed |= bytes == NULL && is_disputed (s, at, TB_M_FRAME_SIZE);
  if (bytes == NULL)
    return;
  uint32_t psr = tb_number_32 (bytes + 4 * TB_M_FRAME_PSR);
  uint32_t zero = TB_PSR_IPSR | tb_system_psr (s->profile).zero
		  | tb_state_it_zero (s, frame->address);
  if ((psr & (zero | TB_M_FRAME_THUMB)) != TB_M_FRAME_THUMB)
    return;
  for (unsigned i = 0; i < TB_M_FRAME_GENERAL; i++)
    if (!agrees (frame->general[i], tb_number_32 (bytes + 4 * i)))
      return;
  uint32_t above = at + TB_M_FRAME_SIZE + (psr >> TB_M_FRAME_MOVED & 1 ? 4 : 0);
  if (agrees (frame->fp, 0))
    fit_stack (search, s, at, above);
  if (agrees (frame->fp, 1))
    fit_stack (search, s, at, above + TB_M_FRAME_FP);
}

/* The word at ADDRESS: does it point to one of those, or to what is saved below it?  */
static void
point (void *context, struct tb_state *s, uint32_t address, uint32_t word)
{
  struct frame_search *search = context;
  for (unsigned i = 0; i < search->count; i++)
    if (search->at[i] - word <= TB_TASK_SAVED_MOST && (word & 3) == 0)
      {
	bool known = dumped (s, address, 4) != NULL;
	search->pointed[i] |= known;
	search->disputed |= !known && is_disputed (s, address, 4);
      }
}

bool
tb_frames_find (struct tb_state *s, const struct tb_task_frame *frame, uint32_t *above)
{
  struct frame_search search = { .frame = frame };
  unsigned found = 0;
  each_word (s, fit, &search);
  if (search.count == 0 || search.count > FITTING_MOST)
    return false;
  each_word (s, point, &search);
  for (unsigned i = 0; i < search.count; i++)
    if (search.pointed[i])
      {
	*above = search.above[i];
	found++;
      }
  return found == 1 && !search.disputed;
}

struct word_search
{
  uint32_t value, address;
  unsigned count;
  bool disputed;		/* There may be another one.  */
};

static void
look (void *context, struct tb_state *s, uint32_t address, uint32_t word)
{
  struct word_search *search = context;
  if (word != search->value)
    return;
  bool known = dumped (s, address, 4) != NULL;
  search->disputed |= !known && is_disputed (s, address, 4);
  search->address = known ? address : search->address;
  search->count += known;
}

bool
tb_frames_find_word (struct tb_state *s, uint32_t value, uint32_t *address)
{
  struct word_search search = { .value = value };
  each_word (s, look, &search);
  *address = search.address;
  return search.count == 1 && !search.disputed;
}
