/* Variables of one name in several places: of a block, of a function, of one that is inlined,
   of none; and what changes them behind the back of the trace.  scopes-o2 is a run of it,
   recorded by ../gdbsuite/record.py --target=m4f --steps=9000: compiled with -O2 -g
   -mfp16-format=ieee -ffile-prefix-map of this folder, linked with ../gdbsuite/startup.c, link.ld
   and newlib (libc_nano.a, without its debug information).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

struct pair { int a, b; };

int reading = 7;
volatile int sink = 3, source = 4;
volatile int flag = 1;

/* The name of a global variable, of what has no history.  */
__attribute__ ((noinline)) static int
hide_structure (int k)
{
  struct pair reading = { k, k + 1 };
  sink = k;
  reading.a += sink;
  asm volatile ("" : "+m" (reading));
  return reading.a + reading.b;
}

/* The same of what has no place at the end.  */
__attribute__ ((noinline)) static int
hide_short (int k)
{
  int reading = k * 3;
  sink = reading;
  sink = 1;
  sink = 2;
  sink = 3;
  return sink;
}

/* Store the value that *PLACE has, then another one through a pointer that is not known: memory
   at 0x21007000 is a device's for the test.  */
__attribute__ ((noinline)) static void
poke (int *place, int value)
{
  *place = 5;
  int *again = *(int *volatile *) 0x21007000;
  if (flag)
    *again = value;
}

__attribute__ ((noinline)) static void
put (int *place, int value)
{
  *place = value;
}

__attribute__ ((noinline)) static void
put_twice (int *place, int value)
{
  *place = value;
  asm volatile ("" ::: "memory");
  *place = value + 1;
}

__attribute__ ((noinline)) static int
lend (void)
{
  volatile int n = 5;
  *(int *volatile *) 0x21007000 = (int *) &n;
  poke ((int *) &n, 9);
  sink = n;
  put ((int *) &n, 12);
  sink = n;
  put_twice ((int *) &n, 20);
  sink = n;
  return n;
}

__attribute__ ((noinline)) static void
loops (void)
{
  for (int i = 0; i < 2; i++)
    sink = i;
  for (int i = 10; i < 13; i++)
    sink = i;
  if (sink == 12)
    {
      volatile short i = 99;
      sink = i;
    }
}

__attribute__ ((noinline)) static void
blocks (void)
{
  for (int i = 0; i < 2; i++)
    sink = i;
  for (int i = 10; i < 13; i++)
    sink = i;
}

static inline __attribute__ ((always_inline)) void
once (void)
{
  int part = source;
  sink = part + 1;
}

/* Longer than 2 KiB, with small blocks, and one function inlined twice.  */
__attribute__ ((noinline)) static int
lengthy (int k)
{
  asm volatile (".rept 1000\n nop\n .endr" ::: "memory");
  { int first = source; sink = first; }
  asm volatile ("nop\n nop\n nop" ::: "memory");
  { int second = source + 1; sink = second; }
  asm volatile ("nop\n nop\n nop\n nop" ::: "memory");
  { int third = source + 2; sink = third; }
  once ();
  asm volatile ("nop\n nop" ::: "memory");
  once ();
  return k + sink;
}

__attribute__ ((noinline)) static int
halves (int k)
{
  volatile __fp16 half = (__fp16) k;
  return (int) half + sink;
}

int
main (void)
{
  int total = 0;
  for (int i = 0; i < 2; i++)
    {
      reading += 2;
      total += hide_structure (i);
      total += hide_short (i);
      total += lend ();
    }
  blocks ();
  loops ();
  return total + lengthy (1) + halves (2);
}
