/* A data logger: a sensor's interrupt takes samples, the main loop reports them.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   It runs until a bug (see batch.c) ends it in a HardFault.  */

#include <stdint.h>

#include "batch.h"
#include "filter.h"
#include "report.h"

/* The sensor's interrupt and the register that enables it.  */
#define SENSOR_IRQ 7
#define NVIC_ISER (*(volatile uint32_t *) 0xe000e100)

static struct report report;
static struct batch batch = { .sink = &report };
static uint32_t ticks;
static uint32_t noise = 0x1d872b41;

/* The sensor: a slow triangle with noise on it.  */
static int
sensor_read (unsigned channel)
{
  noise ^= noise << 13;
  noise ^= noise >> 17;
  noise ^= noise << 5;
  int wave = (ticks << 4) & 0x3ff;
  if (wave > 0x1ff)
    wave = 0x3ff - wave;
  return wave - 0x80 * (int) channel + (int) (noise & 31);
}

void
Sensor_Handler (void)
{
  unsigned channel = ticks & 3;
  ticks++;
  batch_put (&batch, channel, sensor_read (channel));
}

int
main (void)
{
  NVIC_ISER = 1u << SENSOR_IRQ;
  for (unsigned round = 1;; round++)
    {
      while (batch.count < 4)
	__asm volatile ("nop");
      batch_drain (&batch);
      if ((round & 7) == 0)
	filter_calibrate ();
    }
}
