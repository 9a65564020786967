/* What the windows ran and stored of code.  See code-stores.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/internal.h"

#include <stdlib.h>

void
tb_code_stores_fini (struct tb_code_stores *c)
{
  tb_words_fini (&c->ran);
  tb_words_fini (&c->touched);
  free (c->words);
  *c = (struct tb_code_stores) { .words = NULL };
}

/* The place of WORD, which may not be in use.  */
static struct tb_code_word *
place_of (const struct tb_code_stores *c, uint64_t word)
{
  uint32_t folded = (uint32_t) (word ^ word >> 32);
  size_t at = (folded * UINT32_C (2654435761) >> 7) & (c->room - 1);
  while (c->words[at].used && c->words[at].word != word)
    at = (at + 1) & (c->room - 1);
  return &c->words[at];
}

const struct tb_code_word *
tb_code_stores_word (const struct tb_code_stores *c, uint64_t word)
{
  const struct tb_code_word *w = c->room != 0 ? place_of (c, word) : NULL;
  return w != NULL && w->used ? w : NULL;
}

static bool
grow (struct tb_code_stores *c)
{
  struct tb_code_stores old = *c;
  if (2 * (c->count + 1) <= c->room)
    return true;
  size_t room = old.room != 0 ? 2 * old.room : 64;
  c->words = calloc (room, sizeof *c->words);
  if (c->words == NULL)
    {
      c->words = old.words;
      return false;
    }
  c->room = room;
  for (size_t i = 0; i < old.room; i++)
    if (old.words[i].used)
      *place_of (c, old.words[i].word) = old.words[i];
  free (old.words);
  return true;
}

/* The byte at ADDRESS was stored to before STEP; OTHER: not what the dump holds.
   *NEWS is set if that was not known.  False: no memory.  */
static bool
note (struct tb_code_stores *c, uint64_t address, uint64_t step, bool other,
      bool *news)
{
  if (!grow (c))
    return false;
  struct tb_code_word *w = place_of (c, address >> 2);
  unsigned byte = address & 3, bit = 1u << byte;
  c->count += !w->used;
  w->word = address >> 2;
  w->used = true;
  if (step < w->last[byte])
    return true;
  *news |= step > w->last[byte] || (other && !(w->other & bit));
  w->last[byte] = step;
  w->other = (uint8_t) ((w->other & ~bit) | (other ? bit : 0));
  return true;
}

/* Is T in memory that is not constant?  */
static bool
may_change (const struct tb_state *s, const struct tb_template *t)
{
  const uint8_t *bytes;
  return tb_memory_kind (&s->memory, t->pc, tb_template_size (t), &bytes)
	 != TB_MEMORY_CONSTANT;
}

bool
tb_code_stores_ran (const struct tb_state *s, struct tb_words *ran)
{
  bool ok = true, news = false;
  for (size_t i = 0; ok && i < tb_own_templates (s); i++)
    if (may_change (s, &s->templates[i]))
      ok = tb_words_add (ran, s->templates[i].pc, tb_template_size (&s->templates[i]), &news);
  return ok;
}

/* Steps that are looked at one by one before others are.  */
#define NEAR 512
/* Then those that have a checkpoint are.  */
#define FAR TB_CHECKPOINT_STEPS

/* Comes step I behind access number ACCESS?  */
static bool
is_behind (struct tb_state *s, uint64_t i, uint32_t access)
{
  tb_state_seek (s, i);
  return s->names.next_access > access;
}

uint64_t
tb_code_stores_after (struct tb_state *s, uint32_t access, uint64_t from)
{
  uint64_t at = from;
  while (at < s->steps && !is_behind (s, at, access))
    if (++at == from + NEAR)
      {
	/* At LOW it is not there, at HIGH it is.  */
	uint64_t low = at / FAR, high = s->steps / FAR + 1;
	while (high - low > 1)
	  {
	    uint64_t middle = low + (high - low) / 2;
	    if (is_behind (s, middle * FAR, access))
	      high = middle;
	    else
	      low = middle;
	  }
	at = low * FAR > at ? low * FAR : at;
      }
  return at;
}

/* A window tells the others what it stored.  */
struct sharing
{
  struct tb_code_stores *stores;
  struct tb_state *window;
  uint64_t at;
  bool earlier;			/* One before it was solved.  */
  bool *more;
};

static bool
add_stored (void *context, const struct tb_stored *stored)
{
  struct sharing *sharing = context;
  struct tb_code_stores *c = sharing->stores;
  bool touches = false;
  unsigned all = (1u << stored->size) - 1;
  unsigned other = stored->maybe ? all : all & ~(unsigned) stored->same;
  /* What the dump holds may have been there always.  */
  unsigned bytes = stored->given ? stored->known & other : all;
  if (bytes == 0)
    return true;
  if (bytes == all
      && !tb_words_add (&c->touched, stored->address, stored->size, &touches))
    return false;
  for (unsigned i = 0; i < stored->size && bytes != all; i++)
    if (bytes >> i & 1
	&& !tb_words_add (&c->touched, stored->address + i, 1, &touches))
      return false;
  if (!tb_words_hit (&c->ran, stored->address, stored->size))
    return true;
  sharing->at = tb_code_stores_after (sharing->window, stored->access, sharing->at);
  for (unsigned i = 0; i < stored->size; i++)
    {
      bool news = false;
      uint64_t address = stored->address + i;
      if (bytes >> i & 1 && tb_words_hit (&c->ran, address, 1)
	  && !note (c, address, sharing->window->base + sharing->at,
		    other >> i & 1, &news))
	return false;
      /* What it leaves as the dump has it matters only before it.  */
      *sharing->more |= news && (other >> i & 1 || sharing->earlier);
    }
  return true;
}

/* Add to C what S ran.  Where others stored to that it was not written down when.  */
static bool
share_code (struct tb_code_stores *c, const struct tb_state *s)
{
  bool ok = true, news = false;
  for (size_t i = 0; ok && i < tb_own_templates (s); i++)
    {
      uint64_t pc = s->templates[i].pc;
      unsigned size = tb_template_size (&s->templates[i]);
      if (!may_change (s, &s->templates[i]))
	continue;
      for (uint64_t at = pc; at < pc + size; at++)
	if (tb_words_hit (&c->touched, at, 1)
	    && !tb_words_hit (&c->ran, at, 1))
	  for (unsigned k = 0; ok && k < 4; k++)
	    ok = note (c, (at & ~UINT64_C (3)) + k, UINT64_MAX, true, &news);
      ok = ok && tb_words_add (&c->ran, pc, size, &news);
    }
  return ok;
}

bool
tb_code_stores_share (struct tb_code_stores *c, struct tb_state *s, bool *more)
{
  if (!share_code (c, s))
    return false;
  if (c->ran.count == 0)
    return true;
  struct sharing sharing = { .stores = c, .window = s, .more = more,
			     .earlier = c->from < s->base };
  if (s->base < c->from)
    c->from = s->base;
  return tb_memory_stores (&s->memory, add_stored, &sharing);
}
