/* The queue of an ETMv4 or ETE decoder: commit, cancel, mispredict, discard
   (IHI 0064, 2.6 "Speculation").  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include <string.h>

#include "util/buffer.h"

/* More items than this between two commits is no trace.  */
#define QUEUE_MAX 65536

bool
tb_etmv4_push (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	       const struct tb_etmv4_item *item)
{
  if (d->head == d->tail)
    d->head = d->tail = 0;
  if (d->tail == d->capacity && d->head > 0)
    {
      memmove (d->items, d->items + d->head,
	       (d->tail - d->head) * sizeof *d->items);
      d->tail -= d->head;
      d->head = 0;
    }
  if (d->tail == d->capacity)
    {
      if (d->tail >= QUEUE_MAX
	  || !TB_GROW (d->items, d->capacity, d->tail, 1))
	{
	  tb_etmv4_bad (d, out);
	  return false;
	}
    }
  d->items[d->tail++] = *item;
  d->state.depth += item->p0;
  return true;
}

/* Items that say something of their own, whatever was speculated.  True if
   ITEM is one.  */
static bool
emit_plain (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
	    const struct tb_etmv4_item *item)
{
  struct tb_etmv4_state *s = &d->state;
  struct tb_element *e;
  switch (item->kind)
    {
    case TB_ITEM_EVENT:
      tb_etmv4_emit (out, TB_ELEMENT_EVENT, item->index)->u.value
	= item->value;
      return true;

    case TB_ITEM_TIMESTAMP:
      if (tb_etmv4_has_timestamp_marker (&d->config) && !s->marker_seen)
	return true;
      tb_etmv4_emit (out, TB_ELEMENT_TIMESTAMP, item->index)->u.value
	= item->value;
      if (item->flags & TB_ITEM_HAS_CYCLES)
	{
	  e = tb_etmv4_emit (out, TB_ELEMENT_CYCLES, item->index);
	  e->flags = TB_CYCLES_WITH_PREVIOUS | TB_CYCLES_BESIDE;
	  e->u.value = item->number;
	}
      return true;

    case TB_ITEM_CYCLES:
      tb_etmv4_emit (out, TB_ELEMENT_CYCLES, item->index)->u.value
	= item->number;
      return true;

    case TB_ITEM_MARKER:
      s->marker_seen = true;
      tb_etmv4_emit (out, TB_ELEMENT_MARKER, item->index);
      return true;

    case TB_ITEM_RESULT:
      e = tb_etmv4_emit (out, TB_ELEMENT_CONDITIONAL_RESULT, item->index);
      e->flags = item->flags;
      e->u.conditional.key = (uint32_t) item->value;
      e->u.conditional.result = item->is;
      return true;

    case TB_ITEM_FLUSH:
      tb_etmv4_emit (out, TB_ELEMENT_CONDITIONAL_FLUSH, item->index);
      return true;

    case TB_ITEM_INSTRUMENTATION:
      e = tb_etmv4_emit (out, TB_ELEMENT_INSTRUMENTATION, item->index);
      e->u.instrumentation.value = item->value;
      e->u.instrumentation.el = item->is;
      return true;

    default:
      return false;
    }
}

static bool
is_plain (const struct tb_etmv4_item *item)
{
  return item->kind == TB_ITEM_EVENT || item->kind == TB_ITEM_TIMESTAMP
	 || item->kind == TB_ITEM_CYCLES || item->kind == TB_ITEM_MARKER
	 || item->kind == TB_ITEM_INSTRUMENTATION
	 || item->kind == TB_ITEM_RESULT || item->kind == TB_ITEM_FLUSH;
}

/* Instructions ran that are not told otherwise.  */
static void
emit_conditional (struct tb_etmv4_out *out, const struct tb_etmv4_item *item)
{
  struct tb_element *e
    = tb_etmv4_emit (out, TB_ELEMENT_CONDITIONAL, item->index);
  e->flags = item->flags;
  e->u.conditional.key = (uint32_t) item->value;
  e->u.conditional.count = (uint16_t) item->number;
}

static void
emit_transaction (struct tb_etmv4_out *out, const struct tb_etmv4_item *item)
{
  tb_etmv4_emit (out, TB_ELEMENT_TRANSACTION, item->index)->u.value
    = item->is;
}

/* The item after an exception or a Q element without an address is its address,
   perhaps with a context before it.  */
static const struct tb_etmv4_item *
take_address (struct tb_etmv4_decoder *d,
	      const struct tb_etmv4_item **context)
{
  *context = NULL;
  if (d->head < d->tail && d->items[d->head].kind == TB_ITEM_CONTEXT)
    *context = &d->items[d->head++];
  if (d->head < d->tail && d->items[d->head].kind == TB_ITEM_ADDRESS)
    return &d->items[d->head++];
  return NULL;
}

/* Commit the item at the head, which stays valid while this runs.  */
static void
commit_item (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  struct tb_etmv4_item *item = &d->items[d->head];
  const struct tb_etmv4_item *context, *address;

  if (item->kind == TB_ITEM_ATOMS || item->kind == TB_ITEM_UNSEEN)
    {
      uint32_t n = item->p0 < s->commit ? item->p0 : s->commit;
      s->commit -= n;
      s->depth -= n;
      item->p0 -= n;
      if (item->kind == TB_ITEM_ATOMS)
	{
	  s->atoms_index = item->index;
	  s->atoms = item->atoms;
	  s->atoms_left = n;
	  item->atoms >>= n;
	}
      if (item->p0 == 0)
	d->head++;
      return;
    }

  d->head++;
  s->depth -= item->p0;
  s->commit -= item->p0;
  switch (item->kind)
    {
    case TB_ITEM_TRACE_ON:
      tb_etmv4_emit (out, TB_ELEMENT_TRACE_ON, item->index)->reason
	= s->overflow ? TB_REASON_OVERFLOW : TB_REASON_BEGIN;
      s->overflow = false;
      s->have_address = s->walkable = false;
      s->gap_said = true;
      d->block = NULL;
      s->stack.pending = s->stack.lost = false;
      tb_return_stack_flush (&s->stack);
      break;

    case TB_ITEM_TRACE_INFO:
      s->stack.waiting = true;
      s->stack.lost = false;
      tb_return_stack_flush (&s->stack);
      break;

    case TB_ITEM_ADDRESS:
      tb_etmv4_take_address (d, item->value, item->is, item->index);
      break;

    case TB_ITEM_CONTEXT:
      tb_etmv4_set_context (d, out, item, item->index);
      break;

    case TB_ITEM_CONDITIONAL:
      emit_conditional (out, item);
      break;

    case TB_ITEM_EXCEPTION:
      if (item->flags & TB_ITEM_RESET)
	context = address = NULL;
      else
	{
	  address = take_address (d, &context);
	  if (address == NULL)
	    {
	      tb_etmv4_bad (d, out);
	      break;
	    }
	}
      tb_etmv4_take_exception (d, out, item, context, address);
      break;

    case TB_ITEM_EXCEPTION_RETURN:
      /* The branch before went to no code, so its target is not on the return
	 stack; a tail-chained exception may follow without any address.  */
      s->stack.pending = false;
      tb_etmv4_emit (out, TB_ELEMENT_EXCEPTION_RETURN, item->index);
      break;

    case TB_ITEM_Q:
      if (item->flags & TB_ITEM_HAS_ADDRESS)
	tb_etmv4_follow_q (d, out, item, item);
      else
	{
	  address = take_address (d, &context);
	  if (address == NULL)
	    {
	      tb_etmv4_bad (d, out);
	      break;
	    }
	  tb_etmv4_follow_q (d, out, item, address);
	  /* The context is that of the address.  */
	  if (context != NULL && s->phase == TB_PHASE_DECODE)
	    tb_etmv4_set_context (d, out, context, context->index);
	}
      break;

    case TB_ITEM_SOURCE:
      tb_etmv4_follow_source (d, out, item);
      break;

    case TB_ITEM_TRANSACTION:
      if (item->is == 3)
	{
	  s->may_jump = true;
	  tb_return_stack_doubt (&s->stack);
	}
      emit_transaction (out, item);
      break;

    default:
      emit_plain (d, out, item);
    }
}

/* Cancel the newest P0 elements; what came after the oldest of them goes too,
   but for items that stand for themselves.  */
static void
cancel (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  size_t from = d->tail;
  while (s->cancel > 0 && from > d->head)
    {
      struct tb_etmv4_item *item = &d->items[--from];
      uint32_t n = item->p0 < s->cancel ? item->p0 : s->cancel;
      item->p0 -= n;
      s->cancel -= n;
      s->depth -= n;
      if (item->p0 > 0)
	{
	  from++;
	  break;
	}
      /* Now empty: marked for removal below.  */
      if (!is_plain (item))
	item->kind = TB_ITEM_UNSEEN;
    }
  size_t to = from;
  for (; from < d->tail; from++)
    if (is_plain (&d->items[from]))
      d->items[to++] = d->items[from];
  d->tail = to;
  if (s->cancel > 0)
    {
      s->cancel = 0;
      tb_etmv4_bad (d, out);
    }
}

/* The newest atom is the other way round, and addresses after it are void.  */
static void
mispredict (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  size_t i = d->tail;
  d->state.mispredict = false;
  while (i > d->head)
    {
      struct tb_etmv4_item *item = &d->items[--i];
      if (item->kind == TB_ITEM_ATOMS)
	{
	  item->atoms ^= UINT32_C (1) << (item->p0 - 1);
	  return;
	}
      if (item->kind == TB_ITEM_UNSEEN)
	return;			/* It was among these.  */
      if (item->kind == TB_ITEM_ADDRESS)
	{
	  memmove (item, item + 1,
		   (d->tail - i - 1) * sizeof *item);
	  d->tail--;
	}
    }
  tb_etmv4_bad (d, out);
}

void
tb_etmv4_resolve (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  if (s->commit > 0)
    {
      if (!tb_etmv4_queue_empty (d))
	commit_item (d, out);
      else
	tb_etmv4_bad (d, out);
    }
  else if (s->cancel > 0)
    cancel (d, out);
  else if (s->mispredict)
    mispredict (d, out);
  else if (!tb_etmv4_queue_empty (d))
    {
      const struct tb_etmv4_item *item = &d->items[d->head++];
      if (item->kind == TB_ITEM_CONDITIONAL && s->depth == 0)
	emit_conditional (out, item);
      else
	emit_plain (d, out, item);
    }
  else
    tb_etmv4_lose_sync (d, s->overflow ? TB_REASON_OVERFLOW
				       : TB_REASON_DISCARD);
}

void
tb_etmv4_drain (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  if (tb_etmv4_queue_empty (d))
    {
      if (tb_stream_pass_break (d->stream))
	{
	  tb_etmv4_start_over (d);
	  return;
	}
      struct tb_element *e
	= tb_etmv4_emit (out, TB_ELEMENT_END, tb_stream_index (d->stream, 0));
      e->reason = s->overflow ? TB_REASON_OVERFLOW : TB_REASON_NONE;
      if (s->have_address && s->have_context && !s->stack.pending)
	{
	  e->flags = TB_END_ADDRESS;
	  e->u.address = s->address;
	}
      s->phase = TB_PHASE_ENDED;
      return;
    }
  const struct tb_etmv4_item *item = &d->items[d->head++];
  switch (item->kind)
    {
    case TB_ITEM_ADDRESS:
    case TB_ITEM_CONTEXT:
    case TB_ITEM_TRACE_INFO:
    case TB_ITEM_FUNCTION_RETURN:
    case TB_ITEM_SOURCE:
      break;

    case TB_ITEM_CONDITIONAL:
      if (s->depth == 0)
	emit_conditional (out, item);
      break;

    case TB_ITEM_TRANSACTION:
      if (item->p0 > 0)
	d->head = d->tail;
      else if (item->is >= 2 && s->depth == 0)
	emit_transaction (out, item);
      break;

    default:
      /* What is not committed has not happened.  */
      if (!emit_plain (d, out, item))
	d->head = d->tail;
    }
}
