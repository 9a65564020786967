/* Samples that the interrupt collects and the main loop drains.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "batch.h"
#include "filter.h"
#include "report.h"

/* The bug of this firmware: the test should be >=.  With eight samples in the
   batch, the ninth goes where the slots end and the pointer "sink" stands.  */
int
batch_put (struct batch *batch, unsigned channel, int value)
{
  if (batch->count > BATCH_SLOTS)
    {
      batch->lost++;
      return 0;
    }
  struct sample *sample = &batch->slot[batch->count];
  sample->channel = channel;
  sample->value = value;
  batch->count++;
  return 1;
}

void
batch_drain (struct batch *batch)
{
  __asm volatile ("cpsid i" ::: "memory");
  unsigned count = batch->count;
  report_start (batch->sink, count);
  for (unsigned i = 0; i < count; i++)
    {
      const struct sample *sample = &batch->slot[i];
      int smooth = filter_update (sample->channel, sample->value);
      report_sample (batch->sink, sample->channel, smooth);
    }
  batch->count = 0;
  __asm volatile ("cpsie i" ::: "memory");
}
