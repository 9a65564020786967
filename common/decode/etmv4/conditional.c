/* What an ETMv4 tells of conditional instructions that are no branches.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An element says that such instructions ran, another one whether their condition held,
   or what the flags were; keys tie the two, for results may come later.  TRCIDR12 and 13
   say how many keys there are and how many of them, the highest, are special: a key is
   told by format 1 or goes on from the one before, where those that are not special go
   round.

   What is not certain is not told.  No public description says which instructions of the
   code the elements are of, so nothing but listings has them.  Nor does one say which keys
   the results of format 3 have, or how many instructions a result implies that tells of its
   instructions too (all other formats but 4, if they say so).  Keys from before a
   synchronisation, or before elements that are taken back, are taken as not known.

   Source: IHI 0064, chapter 6, the names and fields of the packets; what they do to the
   keys as two decoders have it (OpenCSD's packet fields, ptm2human).  */

#include "config.h"
#include "decode/etmv4/internal.h"

/* Keys that are not special; 0: how many is not known.  */
static uint32_t
normal_keys (const struct tb_etmv4_decoder *d)
{
  uint32_t all = d->config.condition_keys, special = d->config.special_keys;
  return all > special ? all - special : 0;
}

/* A key of which nothing was told.  Where there is only one it is that.  */
static struct tb_etmv4_key
unknown_key (const struct tb_etmv4_decoder *d)
{
  return (struct tb_etmv4_key) { 0, normal_keys (d) == 1 };
}

void
tb_etmv4_forget_keys (struct tb_etmv4_decoder *d)
{
  d->state.instruction = d->state.result = unknown_key (d);
}

/* KEY is BY above what it was.  */
static void
advance (const struct tb_etmv4_decoder *d, struct tb_etmv4_key *key, uint32_t by)
{
  uint32_t n = normal_keys (d);
  if (n == 0 || !key->known)
    *key = unknown_key (d);
  else
    key->value = (uint32_t) (((uint64_t) key->value + by) % n);
}

/* KEY is what was TOLD; a special one only goes on.  Returns what the element has.  */
static struct tb_etmv4_key
take_key (const struct tb_etmv4_decoder *d, struct tb_etmv4_key *key, uint32_t told)
{
  uint32_t n = normal_keys (d);
  if (told < n)
    *key = (struct tb_etmv4_key) { told, true };
  else
    advance (d, key, 1);
  return (struct tb_etmv4_key) { told, true };
}

static void
add_instructions (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out, uint32_t count,
		  struct tb_etmv4_key key, bool shared)
{
  tb_etmv4_add (d, out, (struct tb_etmv4_item) {
    .kind = TB_ITEM_CONDITIONAL, .number = count, .value = key.value,
    .flags = (key.known ? TB_CONDITIONAL_KEY : 0)
	     | (shared ? TB_CONDITIONAL_SHARED : 0) });
}

static void
add_result (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	    struct tb_etmv4_key key, unsigned result)
{
  d->state.stats.conditions++;
  tb_etmv4_add (d, out, (struct tb_etmv4_item) {
    .kind = TB_ITEM_RESULT, .is = (uint8_t) result, .value = key.value,
    .flags = key.known ? TB_CONDITIONAL_KEY : 0 });
}

/* A result tells of instructions, too: up to its own key.  */
static void
imply_instructions (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  s->instruction = s->result;
  add_instructions (d, out, 0, s->instruction, false);
}

/* The first token of TOKENS, of which LEFT bits are left.  Returns its bits; 0: there is
   none.  */
static unsigned
read_token (const struct tb_etmv4_decoder *d, unsigned tokens, unsigned left,
	    unsigned *result)
{
  enum { N = 8, Z = 4, C = 2 };
  static const uint8_t short_flags[] = { C, N, Z | C };
  static const uint8_t long_flags[] = { N | C, 0, Z };
  unsigned low = tokens & 3, high = tokens >> 2 & 3;
  if (left < 2)
    return 0;
  if (!tb_etmv4_results_are_flags (&d->config))
    {
      *result = low;		/* In the order of enum tb_condition_result.  */
      return low < 3 ? 2 : 0;
    }
  if (low < 3)
    {
      *result = TB_CONDITION_FLAGS | short_flags[low];
      return 2;
    }
  if (left < 4 || high == 3)
    return 0;
  *result = TB_CONDITION_FLAGS | long_flags[high];
  return 4;
}

static void
decode_result_1 (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		 const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  for (unsigned i = 0; i < p->natoms; i++)
    {
      unsigned raw = p->atoms >> 8 * i & 0xf;
      struct tb_etmv4_key key
	= take_key (d, &s->result, (uint32_t) (p->value >> 32 * i));
      if (p->atoms >> (8 * i + 4) & 1)
	imply_instructions (d, out);
      add_result (d, out, key, tb_etmv4_results_are_flags (&d->config)
			       ? TB_CONDITION_FLAGS | raw
			       : raw <= TB_CONDITION_PASSED ? raw
			       : TB_CONDITION_NOT_TOLD);
    }
}

/* Several results: with more than one key it is not told whose they are, nor which keys
   come next.  */
static void
decode_result_3 (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		 const struct tb_etmv4_packet *p)
{
  enum { BITS = 12 };
  unsigned result, size;
  tb_etmv4_forget_keys (d);
  for (unsigned at = 0;
       (size = read_token (d, (unsigned) p->value >> at, BITS - at, &result)) > 0;
       at += size)
    add_result (d, out, d->state.result, result);
}

/* One result in a token.  */
static void
decode_token (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	      const struct tb_etmv4_packet *p)
{
  unsigned result;
  if (read_token (d, p->value & 3, 2, &result) > 0)
    add_result (d, out, d->state.result, result);
}

void
tb_etmv4_decode_conditional (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
			     const struct tb_etmv4_packet *p)
{
  struct tb_etmv4_state *s = &d->state;
  struct tb_etmv4_key key;
  uint32_t count;
  bool shared;
  /* Nothing comes between an exception and its address; if it does, what it is of is not
     clear.  */
  if (s->address_pending)
    {
      tb_etmv4_forget_keys (d);
      return;
    }
  switch ((enum tb_etmv4_packet_type) p->type)
    {
    case TB_ETMV4_CONDITIONAL_1:
      key = take_key (d, &s->instruction, (uint32_t) p->value);
      add_instructions (d, out, 1, key, false);
      break;
    case TB_ETMV4_CONDITIONAL_2:
      /* One with the next key, one with the same key, or one with each.  */
      if (p->value != 1)
	advance (d, &s->instruction, 1);
      add_instructions (d, out, p->value == 2 ? 2 : 1, s->instruction, p->value != 0);
      break;
    case TB_ETMV4_CONDITIONAL_3:
      count = (uint32_t) (p->value >> 1 & 0x3f);
      shared = p->value & 1;
      advance (d, &s->instruction, count);
      if (count + shared > 0)
	add_instructions (d, out, count + shared, s->instruction, shared);
      break;
    case TB_ETMV4_CONDITIONAL_FLUSH:
      tb_etmv4_add (d, out, (struct tb_etmv4_item) { .kind = TB_ITEM_FLUSH });
      break;
    case TB_ETMV4_RESULT_1:
      decode_result_1 (d, out, p);
      break;
    case TB_ETMV4_RESULT_2:
      advance (d, &s->result, (uint32_t) (1 + (p->value >> 2)));
      imply_instructions (d, out);
      decode_token (d, out, p);
      break;
    case TB_ETMV4_RESULT_3:
      decode_result_3 (d, out, p);
      break;
    default:			/* Format 4: the key before.  */
      if (normal_keys (d) > 0)
	advance (d, &s->result, normal_keys (d) - 1);
      else
	s->result = unknown_key (d);
      decode_token (d, out, p);
    }
}
