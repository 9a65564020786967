/* Variables of all sorts, for expressions.exp: it is compiled, never run.
   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <stdint.h>

namespace ns
{
  enum class color : uint8_t { red = 1, green = 200 };
  enum plain { minus = -1, zero };
  static int counter = 3;

  struct base
  {
    int tag;
    virtual int describe () { return tag; }
  };

  struct item : base
  {
    int value : 5;
    unsigned flag : 3;
    uint64_t wide : 40;
    bool on;
    double weight;
    static int total;
    union { int as_int; char as_bytes[4]; };
    item *next;
    color hue;
    plain kind;
    int add (int x, int &out);
  };

  int item::total = 7;

  __attribute__ ((noinline)) int
  item::add (int x, int &out)
  {
    static int calls;
    int sum = x + value;
    for (int i = 0; i < x; i++)
      {
	int sum = i * total;
	out += sum;
	calls++;
      }
    if (item *p = next)
      sum += p->value;
    counter++;
    out = sum;
    return sum;
  }

  static inline int
  twice (int y)
  {
    static int uses;
    int z = y * 2;
    uses += z;
    return z;
  }

  __attribute__ ((noinline)) long long
  mix (long long a, char b, float f, short c)
  {
    struct { int x, y; } pair = { (int) a, b };
    int matrix[3][4];
    matrix[1][2] = pair.x + twice (b);
    return a + b + (int) f + c + matrix[1][2] + pair.y;
  }
}

namespace
{
  int hidden = 5;
}

ns::item first, second;
volatile int sink;
int (*handler) (int) = 0;
const int table[4] = { 1, 2, 3, 4 };

extern "C" void
_start ()
{
  int out = hidden;
  int &ref = out;
  first.next = &second;
  sink = first.add (3, ref) + ns::mix (1, 2, 3.0f, 4) + ns::twice (sink)
	 + table[sink & 3];
  for (;;)
    ;
}
