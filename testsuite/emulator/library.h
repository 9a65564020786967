/* What the compiled programs for the judge have in common.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <stddef.h>
#include <stdint.h>

#define NOINLINE __attribute__ ((noinline))

/* What compilers call without being asked.  */

void *
memcpy (void *to, const void *from, size_t size)
{
  unsigned char *t = to;
  for (const unsigned char *f = from; size > 0; size--)
    *t++ = *f++;
  return to;
}

void *
memset (void *to, int value, size_t size)
{
  for (unsigned char *t = to; size > 0; size--)
    *t++ = (unsigned char) value;
  return to;
}
