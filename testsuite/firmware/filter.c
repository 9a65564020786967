/* Smoothing and calibration of the sensor's channels.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <stdint.h>

#include "filter.h"

struct channel
{
  int16_t history[HISTORY];
  uint16_t next;
  int16_t median;
  int32_t smooth;		/* 4 fraction bits.  */
  uint32_t noise;
};

static struct channel channels[CHANNELS];

int
filter_update (unsigned channel, int value)
{
  struct channel *c = &channels[channel % CHANNELS];
  c->history[c->next] = value;
  c->next = (c->next + 1) % HISTORY;
  c->smooth += value - (c->smooth >> 4);
  return c->smooth >> 4;
}

/* Insertion sort.  */
static void
sort (int16_t *values, unsigned count)
{
  for (unsigned i = 1; i < count; i++)
    {
      int16_t value = values[i];
      unsigned at = i;
      while (at > 0 && values[at - 1] > value)
	{
	  values[at] = values[at - 1];
	  at--;
	}
      values[at] = value;
    }
}

/* The integer part of the square root, bit by bit.  */
static uint32_t
root (uint32_t value)
{
  uint32_t result = 0;
  for (uint32_t bit = 1u << 14; bit != 0; bit >>= 2)
    if (value >= result + bit)
      {
	value -= result + bit;
	result = (result >> 1) + bit;
      }
    else
      result >>= 1;
  return result;
}

static void
calibrate_channel (struct channel *c)
{
  int16_t sorted[HISTORY];
  for (unsigned i = 0; i < HISTORY; i++)
    sorted[i] = c->history[i];
  sort (sorted, HISTORY);
  c->median = sorted[HISTORY / 2];
  uint32_t sum = 0;
  for (unsigned i = 0; i < HISTORY; i++)
    {
      int32_t distance = sorted[i] - c->median;
      sum += (uint32_t) (distance * distance);
    }
  c->noise = root (sum / HISTORY);
}

void
filter_calibrate (void)
{
  for (unsigned i = 0; i < CHANNELS; i++)
    calibrate_channel (&channels[i]);
}
