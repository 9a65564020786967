/* Compiled programs for the judge: small computations with integers, floating point and
   vectors, as compilers write them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   All data are in the memory that the caller gives and on the stack.  */

#include "library.h"

static uint32_t
next (uint32_t *state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

static NOINLINE float
filter (const float *taps, const float *in, float *out, int count)
{
  float energy = 0;
  for (int i = 0; i + 4 <= count; i++)
    {
      float sum = 0;
      for (int j = 0; j < 4; j++)
	sum += taps[j] * in[i + j];
      out[i] = sum;
      energy += sum * sum;
    }
  return energy;
}

static NOINLINE double
polynomial (const double *c, int degree, double x)
{
  double y = c[degree];
  while (degree-- > 0)
    y = y * x + c[degree];
  return y;
}

struct vector { float x, y, z; };
struct matrix { float m[4][4]; };

static NOINLINE struct vector
cross (struct vector a, struct vector b)
{
  return (struct vector) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
			   a.x * b.y - a.y * b.x };
}

static NOINLINE void
multiply (struct matrix *to, const struct matrix *a, const struct matrix *b)
{
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      {
	float sum = 0;
	for (int k = 0; k < 4; k++)
	  sum += a->m[i][k] * b->m[k][j];
	to->m[i][j] = sum;
      }
}

static NOINLINE void
sort (float *v, int count)
{
  for (int i = 1; i < count; i++)
    {
      float key = v[i];
      int j = i;
      for (; j > 0 && v[j - 1] > key; j--)
	v[j] = v[j - 1];
      v[j] = key;
    }
}

static NOINLINE uint64_t
mix (uint64_t x, unsigned n)
{
  x ^= x >> (n & 31);
  x *= UINT64_C (0x9e3779b97f4a7c15);
  return x + (x << 7) / 3;
}

static NOINLINE void
blend (uint8_t *to, const uint8_t *a, const uint8_t *b, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (uint8_t) ((3 * a[i] + b[i]) >> 2);
}

static NOINLINE unsigned
parse (const char *text)
{
  unsigned value = 0;
  for (; *text != '\0'; text++)
    switch (*text)
      {
      case '0': case '1': case '2': case '3': case '4':
      case '5': case '6': case '7': case '8': case '9':
	value = 10 * value + (unsigned) (*text - '0');
	break;
      case '-':
	value = -value;
	break;
      case 'x':
	value = 0;
	break;
      }
  return value;
}

static NOINLINE int
depth (const uint32_t *heap, int at, int count)
{
  if (at >= count || heap[at] % 7 == 0)
    return 0;
  int a = depth (heap, 2 * at + 1, count), b = depth (heap, 2 * at + 2, count);
  return (a > b ? a : b) + 1;
}

void
program (unsigned char *ram, uint32_t seed)
{
  float *f = (float *) ram, *g = f + 64;
  double *d = (double *) (ram + 1024);
  uint32_t *words = (uint32_t *) (ram + 2048), state = seed;
  static const char *const texts[] = { "123", "-77", "9x41", "" };
  static const struct vector axis = { 1.5f, -2.25f, 0.75f };

  for (;;)
    {
      unsigned count = 6 + next (&state) % 8;
      switch (next (&state) % 9)
	{
	case 0:
	  for (unsigned i = 0; i < count; i++)
	    f[i] = (float) (int) next (&state) / 3.0f;
	  f[62] = filter (f + 4, f, g, (int) count);
	  break;
	case 1:
	  for (int i = 0; i < 5; i++)
	    d[i] = (double) next (&state) / 7;
	  d[6] = polynomial (d, 4, d[5]);
	  break;
	case 2:
	  {
	    struct vector v = { f[0], f[1], f[2] };
	    v = cross (v, axis);
	    memcpy (f + 8, &v, sizeof v);
	    break;
	  }
	case 3:
	  {
	    struct matrix a, b;
	    for (int i = 0; i < 16; i++)
	      a.m[i / 4][i % 4] = b.m[i % 4][i / 4] = (float) (next (&state) & 255);
	    multiply ((struct matrix *) g, &a, &b);
	    break;
	  }
	case 4:
	  sort (f, (int) count);
	  break;
	case 5:
	  words[count] = (uint32_t) mix (words[0] | (uint64_t) words[1] << 32, count);
	  break;
	case 6:
	  blend (ram + 3000, ram + 3100, ram + 3200, (int) count * 2);
	  break;
	case 7:
	  words[2] += parse (texts[next (&state) & 3]);
	  break;
	case 8:
	  words[3] = (uint32_t) depth (words, 0, 20);
	  d[7] = (double) words[3] * d[6];
	  break;
	}
    }
}
