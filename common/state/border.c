/* Borders between windows.  See border.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/border.h"

#include <stdlib.h>
#include <string.h>

#include "util/search.h"

struct tb_border *
tb_border_new (void)
{
  struct tb_border *b = calloc (1, sizeof *b);
  if (b != NULL)
    b->references = 1;
  return b;
}

struct tb_border *
tb_border_ref (struct tb_border *b)
{
  if (b != NULL)
    b->references++;
  return b;
}

void
tb_border_unref (struct tb_border *b)
{
  if (b == NULL || --b->references != 0)
    return;
  free (b->words);
  free (b->suspects);
  free (b->calls);
  free (b);
}

const struct tb_border_word *
tb_border_find (const struct tb_border *b, uint64_t address)
{
  size_t low;
  TB_LOWER_BOUND (low, b->nwords, b->words[low].address < address);
  return low < b->nwords && b->words[low].address == address
	 ? &b->words[low] : NULL;
}

const struct tb_border_call *
tb_border_call (const struct tb_border *b, uint64_t step)
{
  for (size_t i = 0; b != NULL && i < b->ncalls; i++)
    if (b->calls[i].step == step)
      return &b->calls[i];
  return NULL;
}

static bool
differ (const struct tb_border_register *a, const struct tb_border_register *b,
	size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (((a[i].bits ^ b[i].bits) & a[i].mask & b[i].mask) != 0)
      return true;
  return false;
}

/* The bits of W that are known.  */
static uint64_t
word_mask (const struct tb_border_word *w)
{
  uint64_t mask = w->mask;
  for (unsigned i = 0; i < 8; i++)
    if (w->bytes >> i & 1)
      mask |= UINT64_C (255) << 8 * i;
  return mask;
}

bool
tb_border_contradicts (const struct tb_border *a, const struct tb_border *b)
{
  if (differ (a->slots, b->slots, TB_BORDER_SLOTS)
      || differ (a->banked, b->banked, TB_BORDER_BANKED)
      || differ (a->fp, b->fp, TB_BORDER_FP) || differ (&a->fpccr, &b->fpccr, 1))
    return true;
  if (!a->memory || !b->memory)
    return false;
  /* Both are in order.  */
  for (size_t i = 0, k = 0; i < a->nwords && k < b->nwords;)
    {
      const struct tb_border_word *w = &a->words[i], *v = &b->words[k];
      if (w->address == v->address
	  && ((w->value ^ v->value) & word_mask (w) & word_mask (v)) != 0)
	return true;
      i += w->address <= v->address;
      k += v->address <= w->address;
    }
  return false;
}

static bool
same_words (const struct tb_border *a, const struct tb_border *b)
{
  if (a->nwords != b->nwords)
    return false;
  for (size_t i = 0; i < a->nwords; i++)
    if (a->words[i].address != b->words[i].address
	|| a->words[i].value != b->words[i].value
	|| a->words[i].bytes != b->words[i].bytes
	|| a->words[i].mask != b->words[i].mask)
      return false;
  return true;
}

bool
tb_border_same_beside_registers (const struct tb_border *a, const struct tb_border *b)
{
  /* Suspects that have become fewer or are better known make little difference;
     what they leave to be known counts where a word is listed.  */
  return a->fp_saved == b->fp_saved && a->fp_used == b->fp_used
	 && a->fpccr.mask == b->fpccr.mask && a->fpccr.bits == b->fpccr.bits
	 && a->privileged == b->privileged && a->saved_el == b->saved_el
	 && a->memory == b->memory && a->space == b->space && a->rest == b->rest
	 && a->nsuspects == b->nsuspects && same_words (a, b)
	 && a->ncalls == b->ncalls
	 && (a->ncalls == 0
	     || memcmp (a->calls, b->calls, a->ncalls * sizeof *a->calls) == 0);
}

bool
tb_border_same (const struct tb_border *a, const struct tb_border *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return memcmp (a->slots, b->slots, sizeof a->slots) == 0
	 && memcmp (a->banked, b->banked, sizeof a->banked) == 0
	 && memcmp (a->fp, b->fp, sizeof a->fp) == 0
	 && tb_border_same_beside_registers (a, b);
}
