/* Steps that did not run what the dump holds.  See code-stores.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/internal.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* A word of code of the window that is stored to, in the window or in others.  */
struct word
{
  uint64_t word;
  const struct tb_code_word *others;
  bool untimed;			/* Others store to it, nobody knows when.  */
  uint8_t same, other;		/* Bytes that the last store left as the dump has
				   them, or not.  */
  uint32_t coming[4];		/* Stores that come.  */
};

struct search
{
  struct tb_state *window;
  struct tb_words ran, hit;
  struct tb_stored *stored;	/* What hits the code, in order.  */
  size_t count, room;
  struct word *words;		/* By their numbers.  */
  size_t nwords, words_room;
};

static int
compare (const void *a, const void *b)
{
  const struct word *x = a, *y = b;
  return (x->word > y->word) - (x->word < y->word);
}

static struct word *
find (const struct search *q, uint64_t word)
{
  struct word key = { .word = word };
  return q->nwords == 0 ? NULL
	 : bsearch (&key, q->words, q->nwords, sizeof key, compare);
}

static bool
add_stored (void *context, const struct tb_stored *stored)
{
  struct search *q = context;
  bool news = false;
  if (!tb_words_hit (&q->ran, stored->address, stored->size))
    return true;
  bool ok = TB_GROW (q->stored, q->room, q->count, 1);
  if (ok)
    q->stored[q->count++] = *stored;
  return ok && tb_words_add (&q->hit, stored->address, stored->size, &news);
}

/* List the words that templates have a part in and that are stored to; SUSPECT says of
   each template whether it has.  False: no memory.  */
static bool
list_words (struct search *q, const struct tb_code_stores *others,
	    bool *suspect)
{
  const struct tb_state *s = q->window;
  for (size_t i = 0; i < tb_own_templates (s); i++)
    {
      uint64_t pc = s->templates[i].pc;
      unsigned size = tb_template_size (&s->templates[i]);
      if (!tb_words_hit (&q->ran, pc, size))
	continue;
      for (uint64_t word = pc >> 2; word <= (pc + size - 1) >> 2; word++)
	{
	  bool theirs = others != NULL
			&& tb_words_hit (&others->touched, word << 2, 4);
	  if (!theirs && !tb_words_hit (&q->hit, word << 2, 4))
	    continue;
	  suspect[i] = true;
	  bool ok = TB_GROW (q->words, q->words_room, q->nwords, 1);
	  if (!ok)
	    return false;
	  const struct tb_code_word *known
	    = theirs ? tb_code_stores_word (others, word) : NULL;
	  q->words[q->nwords++] = (struct word) {
	    .word = word, .others = known,
	    .untimed = theirs && !tb_words_hit (&others->ran, word << 2, 4)
	  };
	}
    }
  if (q->nwords == 0)
    return true;
  qsort (q->words, q->nwords, sizeof *q->words, compare);
  size_t n = 1;
  for (size_t i = 1; i < q->nwords; i++)
    if (q->words[i].word != q->words[n - 1].word)
      q->words[n++] = q->words[i];
  q->nwords = n;
  for (size_t i = 0; i < q->count; i++)
    for (unsigned k = 0; k < q->stored[i].size && !q->stored[i].given; k++)
      {
	uint64_t address = q->stored[i].address + k;
	struct word *w = find (q, address >> 2);
	if (w != NULL)
	  w->coming[address & 3]++;
      }
  return true;
}

/* From now on STORED counts.  */
static void
put (struct search *q, const struct tb_stored *stored)
{
  for (unsigned k = 0; k < stored->size; k++)
    {
      uint64_t address = stored->address + k;
      struct word *w = find (q, address >> 2);
      uint8_t bit = (uint8_t) (1u << (address & 3));
      bool same = stored->same >> k & 1;
      if (w == NULL || (stored->given && !(stored->known >> k & 1)))
	continue;
      w->coming[address & 3] -= !stored->given;
      if (same && stored->maybe)
	continue;
      w->same = (uint8_t) (same ? w->same | bit : w->same & ~bit);
      w->other = (uint8_t) (same ? w->other & ~bit : w->other | bit);
    }
}

/* Is what the dump holds in the SIZE bytes at PC what was there before STEP?  */
static bool
holds (const struct search *q, uint64_t pc, unsigned size, uint64_t step)
{
  for (unsigned k = 0; k < size; k++)
    {
      const struct word *w = find (q, (pc + k) >> 2);
      unsigned byte = (pc + k) & 3;
      if (w == NULL || w->same >> byte & 1)
	continue;
      if (w->other >> byte & 1 || w->coming[byte] != 0 || w->untimed
	  || (w->others != NULL && (w->others->last[byte] > step
				    || w->others->other >> byte & 1)))
	return false;
    }
  return true;
}

static bool
sweep (struct search *q, const bool *suspect, struct tb_recoded *recoded)
{
  struct tb_state *s = q->window;
  size_t next = 0, templates = tb_own_templates (s);
  uint64_t from = 0;
  bool begun = false;
  for (uint64_t i = 0; i < s->steps; i++)
    {
      while (next < q->count)
	{
	  if (!begun)
	    from = tb_code_stores_after (s, q->stored[next].access, from);
	  begun = true;
	  if (from > i)
	    break;
	  put (q, &q->stored[next++]);
	  begun = false;
	}
      size_t number = s->info[i] & TB_INFO_TEMPLATE;
      number -= number >= templates ? templates : 0;
      if (!suspect[number] || tb_recoded_has (recoded, i))
	continue;
      const struct tb_template *t = &s->templates[number];
      if (holds (q, t->pc, tb_template_size (t), s->base + i))
	continue;
      if (recoded->bits == NULL)
	recoded->bits = calloc (s->steps / 64 + 1, sizeof *recoded->bits);
      if (recoded->bits == NULL)
	return false;
      recoded->bits[i >> 6] |= UINT64_C (1) << (i & 63);
      recoded->count++;
    }
  return true;
}

bool
tb_recoded_find (struct tb_state *s, const struct tb_code_stores *others,
		 struct tb_recoded *recoded)
{
  struct search q = { .window = s };
  bool *suspect = NULL;
  bool ok = tb_code_stores_ran (s, &q.ran);
  if (ok && q.ran.count != 0)
    {
      ok = tb_memory_stores (&s->memory, add_stored, &q);
      if (ok && (q.count != 0
		 || (others != NULL && others->touched.count != 0)))
	{
	  suspect = calloc (tb_own_templates (s) + 1, sizeof *suspect);
	  ok = suspect != NULL && list_words (&q, others, suspect);
	  if (ok && q.nwords != 0)
	    ok = sweep (&q, suspect, recoded);
	}
    }
  free (suspect);
  free (q.stored);
  free (q.words);
  tb_words_fini (&q.ran);
  tb_words_fini (&q.hit);
  return ok;
}

bool
tb_recoded_take (struct tb_recoded *recoded, const struct tb_recoded *from,
		 uint64_t steps)
{
  if (from->bits == NULL)
    return true;
  if (recoded->bits == NULL)
    recoded->bits = calloc (steps / 64 + 1, sizeof *recoded->bits);
  if (recoded->bits == NULL)
    return false;
  for (uint64_t i = 0; i < steps / 64 + 1; i++)
    {
      recoded->count += (size_t)
	__builtin_popcountll (from->bits[i] & ~recoded->bits[i]);
      recoded->bits[i] |= from->bits[i];
    }
  return true;
}

void
tb_recoded_apply (const struct tb_recoded *recoded, struct tb_state *s)
{
  uint32_t templates = (uint32_t) s->own_templates;
  for (uint64_t i = 0; recoded->bits != NULL && i < s->steps; i++)
    if (tb_recoded_has (recoded, i) && (s->info[i] & TB_INFO_TEMPLATE) < templates)
      s->info[i] += templates;
}
