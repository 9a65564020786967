/* Records in the order of their times.  See order.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/order.h"

#include <stdlib.h>

struct tb_perf_ordered
{
  struct tb_perf_record record;	/* Without its bytes.  */
  size_t from;			/* Where these are.  */
};

bool
tb_perf_order_keep (struct tb_perf_order *order, const struct tb_perf_record *record)
{
  size_t from = order->bytes.size;
  tb_buffer_append (&order->bytes, record->bytes, record->length);
  if (order->bytes.failed
      || !TB_GROW (order->items, order->capacity, order->count, 1))
    return false;
  order->items[order->count++] = (struct tb_perf_ordered) { .record = *record, .from = from };
  return true;
}

static int
compare_times (const void *left, const void *right)
{
  const struct tb_perf_ordered *a = left, *b = right;
  if (a->record.time != b->record.time)
    return a->record.time < b->record.time ? -1 : 1;
  return a->from < b->from ? -1 : a->from > b->from;
}

void
tb_perf_order_give (struct tb_perf_order *order,
		    void (*take) (void *context, const struct tb_perf_record *record),
		    void *context)
{
  if (order->count > 1)
    qsort (order->items, order->count, sizeof *order->items, compare_times);
  for (size_t i = 0; i < order->count; i++)
    {
      order->items[i].record.bytes = order->bytes.data + order->items[i].from;
      take (context, &order->items[i].record);
    }
}

void
tb_perf_order_fini (struct tb_perf_order *order)
{
  free (order->items);
  tb_buffer_fini (&order->bytes);
}
