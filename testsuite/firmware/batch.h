/* Samples that the interrupt collects and the main loop drains.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef BATCH_H
#define BATCH_H

#include <stdint.h>

struct report;

#define BATCH_SLOTS 8

struct sample
{
  uint16_t channel;
  int16_t value;
};

struct batch
{
  struct sample slot[BATCH_SLOTS];
  struct report *sink;		/* Where drained samples go.  */
  volatile uint32_t count;
  uint32_t lost;
};

/* Append a sample; 0 when there is no room.  */
int batch_put (struct batch *batch, unsigned channel, int value);

/* Filter all samples, report them to the batch's sink, empty the batch.  */
void batch_drain (struct batch *batch);

#endif /* BATCH_H */
