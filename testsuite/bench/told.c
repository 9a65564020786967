/* What decoders tell of a source.  See told.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "told.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <opencsd/c_api/opencsd_c_api.h>

const char *const outcome_names[OUTCOMES] = {
  "equal", "the peer ended by a signal", "the peer gave up",
  "behind an error of both", "behind an error of ours",
  "behind an error of the peer",
  "ours: an address is not told", "the peer walks on to an exception",
  "the last two bytes of an image", "upper halves of addresses in AArch32",
  "reserved bits of exceptions", "at an address without code", "without an error"
};

static void
append (struct told_list *list, struct told told)
{
  if (list->count == list->room)
    {
      list->room = 2 * list->room + 64;
      list->told = realloc (list->told, list->room * sizeof *list->told);
      if (list->told == NULL)
	abort ();
    }
  list->told[list->count++] = told;
}

/* Ours.  */

static void
take_ours (struct told_list *list, const struct tb_element *whole)
{
  for (uint32_t n = 0; n < tb_element_lines (whole); n++)
    {
      struct tb_element e;
      tb_element_line (&e, whole, n);
      struct told t = { .kind = 0 };
      switch (e.kind)
	{
	case TB_ELEMENT_RANGE:
	  t = (struct told) { .kind = 'R', .a = e.u.range.start, .b = e.u.range.end,
			      .n = e.u.range.count, .isa = e.isa,
			      .executed = e.flags & TB_RANGE_EXECUTED };
	  break;
	case TB_ELEMENT_EXCEPTION:
	  t = (struct told) { .kind = 'X', .n = e.u.exception.number };
	  break;
	case TB_ELEMENT_EXCEPTION_RETURN:
	  t.kind = 'E';
	  break;
	case TB_ELEMENT_TRACE_ON:
	  t.kind = 'T';
	  break;
	case TB_ELEMENT_TIMESTAMP:
	  t = (struct told) { .kind = 'S', .a = e.u.value };
	  break;
	case TB_ELEMENT_NO_CODE:
	  t.kind = '?';
	  if (!(e.flags & (TB_NO_CODE_SILENT | TB_NO_CODE_UNKNOWN)))
	    t = (struct told) { .kind = 'A', .a = e.u.address };
	  break;
	case TB_ELEMENT_Q:
	  t = (struct told) { .kind = 'Q', .a = e.u.q.first, .b = e.u.q.next,
			      .n = e.u.q.count };
	  break;
	case TB_ELEMENT_EVENT:
	  t = (struct told) { .kind = 'V', .n = (uint32_t) e.u.value };
	  break;
	case TB_ELEMENT_NO_SYNC:
	  if (e.reason == TB_REASON_BAD_PACKET || e.reason == TB_REASON_BAD_IMAGE)
	    t.kind = '!';
	  break;
	case TB_ELEMENT_BAD_PACKET:
	  t.kind = '!';
	  break;
	default:
	  break;
	}
      if (t.kind != 0)
	append (list, t);
    }
}

void
told_decode (const struct bench_input *input, struct told_list *lists)
{
  for (size_t i = 0; i < input->nstreams; i++)
    {
      struct tb_decoder_config config;
      struct tb_element some[256];
      size_t n;
      tb_session_decoder_config (input->streams[i], &config);
      config.buffer = input->buffer;
      struct tb_decoder *d = tb_decoder_open (&config, NULL);
      while (d != NULL && (n = d->read (d, some, 256)) > 0)
	for (size_t k = 0; k < n; k++)
	  take_ours (&lists[i], &some[k]);
      if (d != NULL)
	tb_decoder_close (d);
    }
}

/* The peer.  */

void
told_take_peer (void *context, size_t stream, const void *element)
{
  struct told_list *lists = context;
  const ocsd_generic_trace_elem *e = element;
  struct told t = { .kind = 0 };
  switch (e->elem_type)
    {
    case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
      /* It has ranges of nothing.  */
      if (e->num_instr_range == 0)
	return;
      t = (struct told) { .kind = 'R', .a = e->st_addr, .b = e->en_addr,
			  .n = e->num_instr_range,
			  .isa = e->isa == ocsd_isa_arm ? TB_ISA_A32
				 : e->isa == ocsd_isa_thumb2 ? TB_ISA_T32 : TB_ISA_A64,
			  .executed = e->last_instr_exec };
      break;
    case OCSD_GEN_TRC_ELEM_EXCEPTION:
      t = (struct told) { .kind = 'X', .n = e->exception_number };
      break;
    case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
      t.kind = 'E';
      break;
    case OCSD_GEN_TRC_ELEM_TRACE_ON:
      t.kind = 'T';
      break;
    case OCSD_GEN_TRC_ELEM_TIMESTAMP:
      t = (struct told) { .kind = 'S', .a = e->timestamp };
      break;
    case OCSD_GEN_TRC_ELEM_ADDR_NACC:
      t = (struct told) { .kind = 'A', .a = e->st_addr };
      break;
    case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
      t = (struct told) { .kind = 'Q', .a = e->st_addr, .b = e->en_addr,
			  .n = e->num_instr_range };
      break;
    case OCSD_GEN_TRC_ELEM_EVENT:
      t = (struct told) { .kind = 'V', .n = e->trace_event.ev_number };
      break;
    case OCSD_GEN_TRC_ELEM_NO_SYNC:
      if (e->unsync_eot_info == UNSYNC_BAD_PACKET)
	t.kind = '!';
      break;
    default:
      break;
    }
  if (t.kind != 0)
    append (&lists[stream], t);
}

/* The comparison.  */

static bool
same (const struct told *a, const struct told *b)
{
  return a->kind == b->kind && a->a == b->a && a->b == b->b && a->n == b->n
	 && a->isa == b->isa && a->executed == b->executed;
}

void
told_print (const char *who, const struct told_list *list, size_t at)
{
  printf ("      %s ", who);
  if (at >= list->count)
    {
      printf ("(end)\n");
      return;
    }
  const struct told *t = &list->told[at];
  printf ("%c isa %u %#" PRIx64 " %#" PRIx64 " n %" PRIu32 " %s\n", t->kind, t->isa, t->a, t->b,
	  t->n, t->executed ? "E" : "N");
}

/* Is T something that only one of them tells of?  */
static bool
is_aside (const struct told *t)
{
  return t->kind == '!' || t->kind == '?';
}

/* The next of LIST from *AT on that both tell of; *ERRORS counts errors before it.  */
static const struct told *
next_told (const struct told_list *list, size_t *at, unsigned *errors)
{
  for (; *at < list->count && is_aside (&list->told[*at]); ++*at)
    *errors += list->told[*at].kind == '!';
  return *at < list->count ? &list->told[(*at)++] : NULL;
}

/* Does ours say around AT, where no instructions are told of, that an address is not told?
   So it does where trace begins anew and no address has come.  */
static bool
lacks_address (const struct told_list *list, size_t at)
{
  for (size_t i = at; i < list->count && list->told[i].kind != 'R'; i++)
    if (list->told[i].kind == '?')
      return true;
  for (size_t i = at; i-- > 0 && list->told[i].kind != 'R';)
    if (list->told[i].kind == '?' || list->told[i].kind == 'T')
      return true;
  return false;
}

/* The lists differ at A of OURS and B of PEER, without an error.  */
static enum outcome
explain (const struct told_list *ours, const struct told_list *peer, size_t a, size_t b)
{
  const struct told *x = a < ours->count ? &ours->told[a] : NULL;
  const struct told *y = b < peer->count ? &peer->told[b] : NULL;
  if (x != NULL && y != NULL && y->a >> 32 != x->a >> 32 && (uint32_t) x->a == (uint32_t) y->a)
    return HIGH_HALF;
  if (x != NULL && y != NULL && x->kind == 'X' && y->kind == 'X' && x->n % 16 == y->n % 16)
    return RESERVED;
  if (lacks_address (ours, a))
    return NOT_TOLD;
  /* A branch leads nobody knows where, and an exception is what is told of next.  */
  if (x != NULL && y != NULL && x->kind == 'X' && (y->kind == 'R' || y->kind == 'A'))
    for (size_t i = b + 1; i < peer->count && i < b + 3; i++)
      if (same (x, &peer->told[i]))
	return WALKED_ON;
  if (x != NULL && y != NULL && x->kind == 'R' && b + 1 < peer->count
      && ((y->kind == 'R' && x->a == y->a && x->b == y->b + 2 && peer->told[b + 1].kind == 'A'
	   && peer->told[b + 1].a == y->b)
	  || (y->kind == 'A' && x->a == y->a && x->b == x->a + 2)))
    return LAST_BYTES;
  /* What follows is where no code is, in either.  */
  for (size_t i = a; i < ours->count && i < a + 2; i++)
    if (ours->told[i].kind == 'A')
      return NO_CODE;
  for (size_t i = b; i < peer->count && i < b + 2; i++)
    if (peer->told[i].kind == 'A')
      return NO_CODE;
  return NO_ERROR;
}

enum outcome
told_compare (const struct told_list *ours, const struct told_list *peer, bool stopped,
	      size_t *a, size_t *b)
{
  unsigned our_errors = 0, peer_errors = 0;
  *a = *b = 0;
  for (;;)
    {
      const struct told *x = next_told (ours, a, &our_errors);
      const struct told *y = next_told (peer, b, &peer_errors);
      if (x == NULL && y == NULL)
	return EQUAL;
      if (x == NULL || y == NULL || !same (x, y))
	{
	  *a -= x != NULL;
	  *b -= y != NULL;
	  if (stopped && y == NULL)
	    return PEER_STOPS;
	  /* An error is told of right behind what it made, or before.  */
	  for (size_t i = *a; i < ours->count && i < *a + 2; i++)
	    our_errors += ours->told[i].kind == '!';
	  for (size_t i = *b; i < peer->count && i < *b + 2; i++)
	    peer_errors += peer->told[i].kind == '!';
	  return our_errors > 0 && peer_errors > 0 ? BOTH_FOUND : our_errors > 0 ? OURS_FOUND
		 : peer_errors > 0 ? PEER_FOUND : explain (ours, peer, *a, *b);
	}
    }
}
