/* Floating point in memory, in registers, and through pointers; variables of functions, of
   one that calls itself too.  floats-o0 and floats-o2 are runs of it, recorded by
   ../gdbsuite/record.py --target=m4f: compiled with -O0 and -O2 -g, linked with
   ../gdbsuite/startup.c and link.ld.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <stdint.h>

float level = 0.5f;
double sum = 1e-3;
float limits[2] = { -1.0f, 1.0f };
double *best = &sum;

__attribute__ ((noinline)) static void
clip (float *value)
{
  if (*value > limits[1])
    *value = limits[1];
}

__attribute__ ((noinline)) static float
scale (float value, unsigned times)
{
  float result = value;
  for (unsigned i = 0; i < times; i++)
    {
      result *= 1.25f;
      sum += 0.125;
    }
  clip (&result);
  return result;
}

__attribute__ ((noinline)) static unsigned
count (unsigned depth)
{
  volatile unsigned below = depth;
  if (depth > 0)
    below = count (depth - 1) + 1;
  return below;
}

int
main (void)
{
  for (unsigned round = 1; round < 5; round++)
    {
      level = scale (level / 2, round);
      *best -= level;
    }
  limits[0] = limits[1] / 0.0f;
  return count (3) + (int) level;
}
