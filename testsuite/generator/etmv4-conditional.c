/* Conditional instructions that are no branches, and their results, in an encoded ETMv4
   trace.  See etmv4-encoder.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Packets are made at random: which instructions of the walk they are of no decoder
   says.  Facts are the elements that they stand for, with keys where these are
   certain.  */

#include "config.h"
#include "generator/etmv4-encoder.h"

/* NOBODY: a key that is not known.  */
#define NOBODY UINT64_MAX

void
gen_etmv4_forget_keys (struct gen_etmv4 *e)
{
  e->key = e->result_key = e->options->keys == 1 ? 0 : NOBODY;
}

/* The key BY behind KEY.  */
static uint64_t
behind (const struct gen_etmv4 *e, uint64_t key, unsigned by)
{
  if (e->options->keys == 0 || key == NOBODY)
    return NOBODY;
  for (; by > 0; by--)
    key = key + 1 == e->options->keys ? 0 : key + 1;
  return key;
}

static void
add_instructions (struct gen_etmv4 *e, unsigned count, uint64_t key, bool shared)
{
  struct gen_fact *f = gen_add_fact (e->trace, GEN_FACT_CONDITIONAL, key);
  f->number = count;
  f->flags = shared;
}

static void
add_result (struct gen_etmv4 *e, uint64_t key, unsigned result)
{
  gen_add_fact (e->trace, GEN_FACT_RESULT, key)->number = result;
}

/* A key that a packet tells: TOLD is what it says, the return value what is the newest
   one then.  */
static uint64_t
told_key (struct gen_etmv4 *e, uint64_t before, uint32_t *told)
{
  unsigned normal = e->options->keys;
  if (normal > 0 && gen_chance (e->random, 70))
    return *told = gen_below (e->random, normal);
  *told = normal + gen_scaled (e->random, 12);
  return behind (e, before, 1);
}

static void
put_instructions (struct gen_etmv4 *e)
{
  struct gen_random *r = e->random;
  struct gen_trace *t = e->trace;
  unsigned form = gen_below (r, 3), count, again;
  uint32_t told;
  switch (form)
    {
    case 0:
      e->key = told_key (e, e->key, &told);
      gen_put (t, 0x6c);
      gen_put_continued (t, told);
      add_instructions (e, 1, told, false);
      break;
    case 1:
      form = gen_below (r, 3);
      gen_put (t, 0x40 + form);
      e->key = form == 1 ? behind (e, e->key, 0) : behind (e, e->key, 1);
      add_instructions (e, form == 2 ? 2 : 1, e->key, form > 0);
      break;
    default:
      count = gen_below (r, 64);
      again = count == 0 || gen_chance (r, 50);
      gen_put (t, 0x6d);
      gen_put (t, count << 1 | again);
      e->key = behind (e, e->key, count);
      add_instructions (e, count + again, e->key, again);
    }
}

/* What the low bits of a token say: 0 to 2 of two bits, 3, 7 and 11 of four.  */
static unsigned
meaning (const struct gen_etmv4 *e, unsigned token)
{
  if (!e->options->flags)
    return token;
  switch (token)
    {
    case 0:
      return 16 | 2;
    case 1:
      return 16 | 8;
    case 2:
      return 16 | 6;
    case 3:
      return 16 | 10;
    case 7:
      return 16;
    default:
      return 16 | 4;
    }
}

/* Results of which each is a token, as many as there is room for, or fewer: then there
   are ones behind.  */
static void
put_tokens (struct gen_etmv4 *e)
{
  struct gen_random *r = e->random;
  unsigned tokens = 0, at = 0, most = gen_below (r, 7);
  gen_etmv4_forget_keys (e);
  for (unsigned i = 0; i < most; i++)
    {
      bool wide = e->options->flags && gen_chance (r, 40);
      unsigned token = wide ? 3 + 4 * gen_below (r, 3) : gen_below (r, 3);
      unsigned bits = wide ? 4 : 2;
      if (at + bits > 12)
	break;
      tokens |= token << at;
      at += bits;
      add_result (e, e->result_key, meaning (e, token));
    }
  tokens |= 0xfff << at & 0xfff;
  gen_put (e->trace, 0x50 | tokens >> 8);
  gen_put (e->trace, tokens & 0xff);
}

static void
put_told_results (struct gen_etmv4 *e)
{
  struct gen_random *r = e->random;
  struct gen_trace *t = e->trace;
  unsigned payloads = gen_between (r, 1, 2), header = payloads == 1 ? 0x6e : 0x68;
  size_t at = t->nbytes;
  gen_put (t, 0);
  for (unsigned i = 0; i < payloads; i++)
    {
      unsigned raw = gen_below (r, 16);
      bool implied = gen_chance (r, 50);
      uint32_t told;
      e->result_key = told_key (e, e->result_key, &told);
      header |= (unsigned) implied << i;
      gen_put (t, raw | (told & 7) << 4 | (told > 7) << 7);
      if (told > 7)
	gen_put_continued (t, told >> 3);
      if (implied)
	{
	  e->key = e->result_key;
	  add_instructions (e, 0, e->key, false);
	}
      add_result (e, told, e->options->flags ? 16 | raw : raw < 2 ? raw : 2);
    }
  t->bytes[at] = (uint8_t) header;
}

void
gen_etmv4_conditional (struct gen_etmv4 *e)
{
  struct gen_random *r = e->random;
  struct gen_trace *t = e->trace;
  unsigned token = gen_below (r, 3), more = gen_below (r, 2);
  if (e->awaited)
    {
      /* It should not come here: of what it is, is not clear.  */
      gen_put (t, 0x40 + token);
      gen_etmv4_forget_keys (e);
      return;
    }
  switch (gen_below (r, 7))
    {
    case 0:
      put_told_results (e);
      break;
    case 1:
      gen_put (t, 0x48 | more << 2 | token);
      e->key = e->result_key = behind (e, e->result_key, 1 + more);
      add_instructions (e, 0, e->key, false);
      add_result (e, e->result_key, meaning (e, token));
      break;
    case 2:
      put_tokens (e);
      break;
    case 3:
      gen_put (t, 0x44 | token);
      if (e->result_key != NOBODY && e->options->keys > 0)
	e->result_key = e->result_key == 0 ? e->options->keys - 1 : e->result_key - 1;
      else
	e->result_key = NOBODY;
      add_result (e, e->result_key, meaning (e, token));
      break;
    case 4:
      gen_put (t, 0x43);
      gen_add_fact (t, GEN_FACT_FLUSH, 0);
      break;
    default:
      put_instructions (e);
    }
}
