/* Compiled programs for the judge: what leaves the beaten track of calls and stacks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Jumps out of functions, frames of sizes by chance, pointers into the frames of callers,
   arguments and results in memory, code that is chosen by tables, stacks that are swapped.  All
   data are in the memory that the caller gives and on the stack.  */

#include <stdarg.h>

#include "library.h"

#if defined __ARM_NEON && defined VECTORS
# include <arm_neon.h>
#endif

/* Compilers call it without being asked.  */
void
abort (void)
{
  for (;;)
    ;
}

static NOINLINE uint32_t
next (uint32_t *state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

/* Jumps out of functions.  */

struct catcher { void *buffer[5]; unsigned code; struct catcher *outer; };

static NOINLINE void
dig (struct catcher *at, unsigned depth, volatile uint32_t *seen)
{
  uint32_t local[3] = { depth, depth * 3, at->code };
  seen[depth & 7] += local[depth % 3];
  if (depth == 0)
    {
      at->code++;
      __builtin_longjmp (at->buffer, 1);
    }
  dig (at, depth - 1, seen);
  seen[7] ^= local[1];
}

static NOINLINE uint32_t
try (unsigned depth, volatile uint32_t *seen)
{
  struct catcher at;
  at.code = depth;
  at.outer = NULL;
  if (__builtin_setjmp (at.buffer) == 0)
    dig (&at, depth, seen);
  else
    seen[1] = at.code;
  return at.code + seen[0];
}

/* A function within one, which goes on in the outer one.  */
static NOINLINE uint32_t
outer (uint32_t *words, unsigned count)
{
  __label__ found;
  uint32_t sum = 1;
  unsigned at = 0;
  NOINLINE void look (unsigned i)
  {
    sum += words[i];
    at = i;
    if (i >= count && (words[i] & 3) != 0)
      goto found;
    if (i >= count)
      return;
    if (sum & 1)
      look (i + 2);
    look (i + 1);
  }
  look (0);
found:
  return sum + at;
}

/* Frames of sizes that are not known, and pointers into those of callers.  */

struct link { struct link *up; uint32_t value; };

static NOINLINE uint32_t
chain (struct link *up, unsigned depth, unsigned size)
{
  struct link here = { up, size };
  uint8_t room[size];
  for (unsigned i = 0; i < size; i += 5)
    room[i] = (uint8_t) (depth + i);
  uint32_t sum = room[5 * (depth % ((size + 4) / 5))];
  if (depth > 0)
    return sum + chain (&here, depth - 1, (size * 7 + 3) % 29 + 1);
  for (struct link *l = &here; l != NULL; l = l->up)
    {
      sum += l->value;
      l->value = sum;
    }
  return sum;
}

static NOINLINE void
swap (uint32_t *a, uint32_t *b)
{
  uint32_t t = *a;
  *a = *b;
  *b = t;
}

static NOINLINE uint32_t
grow (unsigned count, uint32_t *state)
{
  uint32_t *last = NULL, sum = 0;
  for (unsigned i = 0; i < count; i++)
    {
      uint32_t *more = __builtin_alloca (4 * (i % 3 + 1));
      more[i % 3] = next (state);
      if (last != NULL)
	swap (&more[i % 3], last);
      last = &more[i % 3];
      sum += *last;
    }
  return sum;
}

/* Arguments and results in memory.  */

struct big { uint32_t a[9]; uint16_t h; uint8_t b[5]; int64_t wide; };
struct pair { int32_t x, y; };
struct small { uint8_t a, b; int16_t c; };

static NOINLINE struct big
turn (struct big in, struct pair p, struct small s, uint64_t wide, int last)
{
  struct big out = in;
  for (int i = 0; i < 9; i++)
    out.a[i] = in.a[8 - i] + (uint32_t) p.x;
  out.h = (uint16_t) (in.h + s.c);
  out.b[last & 3] = (uint8_t) (s.a + s.b);
  out.wide = in.wide - (int64_t) wide * p.y;
  return out;
}

static NOINLINE struct pair
divide (int32_t a, int32_t b)
{
  return (struct pair) { a / b, a % b };
}

static NOINLINE uint64_t
gather (const char *kinds, ...)
{
  va_list list, copy;
  uint64_t sum = 0;
  va_start (list, kinds);
  va_copy (copy, list);
  for (const char *k = kinds; *k != '\0'; k++)
    switch (*k)
      {
      case 'i':
	sum += (unsigned) va_arg (list, int);
	break;
      case 'q':
	sum ^= va_arg (list, uint64_t);
	break;
      case 'p':
	{
	  uint32_t *p = va_arg (list, uint32_t *);
	  sum += ++*p;
	  break;
	}
      case 's':
	{
	  struct pair p = va_arg (list, struct pair);
	  sum += (uint64_t) ((int64_t) p.x * p.y);
	  break;
	}
      }
  sum += (unsigned) va_arg (copy, int);
  va_end (copy);
  va_end (list);
  return sum;
}

/* Code that is chosen by tables.  */

static NOINLINE uint32_t
interpret (const uint8_t *code, uint32_t *stack, uint32_t limit)
{
  static const void *const labels[] = { &&push, &&add, &&dup, &&jump, &&rot, &&stop };
  uint32_t *top = stack;
  top[0] = limit;
#define NEXT goto *labels[*code++ % 6]
  NEXT;
push:
  *++top = *code++;
  NEXT;
add:
  top[-1] += top[0] * 3;
  top--;
  NEXT;
dup:
  top[1] = top[0];
  top++;
  NEXT;
jump:
  if (limit-- == 0)
    goto stop;
  code -= *code;
  NEXT;
rot:
  top[0] = top[0] >> 7 | top[0] << 25;
  NEXT;
stop:
  return *top;
}

static NOINLINE int
dense (unsigned kind, int x, int y)
{
  switch (kind)
    {
    case 0: return x + y;
    case 1: return x - y;
    case 2: return x * y;
    case 3: return y != 0 ? x / y : x;
    case 4: return x & y;
    case 5: return x | y;
    case 6: x ^= y; /* fall through */
    case 7: return x << (y & 31);
    case 8: return (int) ((unsigned) x >> (y & 31));
    case 9: return x > y ? x : y;
    case 10: return ~x;
    case 12: return -y;
    case 13: return x % 10 + y % 7;
    default: return 0;
    }
}

static NOINLINE uint32_t even (uint32_t *p, unsigned n);

static NOINLINE uint32_t
odd (uint32_t *p, unsigned n)
{
  *p += n;
  return n == 0 ? *p : even (p + 1, n - 1);
}

static NOINLINE uint32_t
even (uint32_t *p, unsigned n)
{
  *p ^= n << 5;
  return n == 0 ? *p + 1 : odd (p - 1, n - 1);
}

typedef int compare (const void *, const void *);

static NOINLINE int
upwards (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

static NOINLINE int
bytewise (const void *a, const void *b)
{
  return *(const uint8_t *) b - *(const uint8_t *) a;
}

static NOINLINE void
quick (uint32_t *v, int low, int high, compare *by)
{
  while (low < high)
    {
      uint32_t pivot = v[(low + high) / 2];
      int i = low, j = high;
      while (i <= j)
	{
	  while (by (&v[i], &pivot) < 0)
	    i++;
	  while (by (&v[j], &pivot) > 0)
	    j--;
	  if (i <= j)
	    swap (&v[i++], &v[j--]);
	}
      if (j - low < high - i)
	{
	  quick (v, low, j, by);
	  low = i;
	}
      else
	{
	  quick (v, i, high, by);
	  high = j;
	}
    }
}

/* Parts of words, and words that are not aligned.  */

struct __attribute__ ((packed)) message
{
  uint8_t kind;
  uint32_t id;
  uint16_t parts[3];
  int64_t time;
};
struct fields { unsigned a : 3, b : 11, c : 7; int d : 9; unsigned e : 2; };

static NOINLINE uint32_t
pack (uint8_t *at, struct fields *f, uint32_t id)
{
  struct message *m = (struct message *) at;
  m->kind = (uint8_t) f->a;
  m->id = id;
  m->parts[id % 3] = (uint16_t) f->b;
  m->time += (int64_t) f->d * (int32_t) id;
  f->d = (int) id;
  f->b += (uint16_t) m->time;
  f->c ^= m->kind + 1u;
  f->e++;
  return m->parts[0] + (uint32_t) (m->time >> 20);
}

/* A heap of blocks in a list, and pointers that carry a mark in their lowest bits.  */

struct block { uintptr_t next; uint32_t size; };
struct heap { struct block *free; uint32_t count; };

static NOINLINE void *
take (struct heap *heap, uint32_t size)
{
  uintptr_t *at = (uintptr_t *) (void *) &heap->free;
  while (*at != 0)
    {
      struct block *b = (struct block *) (*at & ~(uintptr_t) 3);
      if (b->size >= size)
	{
	  *at = b->next;
	  heap->count++;
	  return b + 1;
	}
      at = &b->next;
    }
  return NULL;
}

static NOINLINE void
give (struct heap *heap, void *what, unsigned mark)
{
  struct block *b = (struct block *) what - 1;
  b->next = (uintptr_t) heap->free;
  heap->free = (struct block *) ((uintptr_t) b | (mark & 3));
}

/* Two stacks: SWITCH leaves *SAVE as the stack pointer of the one, and goes on with the
   other.  */

void switch_stacks (void **save, void *other);

#if defined __aarch64__
__asm__ (".text; .balign 4; switch_stacks:; stp x29, x30, [sp, #-96]!; stp x19, x20, [sp, #16];"
	 "stp x21, x22, [sp, #32]; stp x23, x24, [sp, #48]; stp x25, x26, [sp, #64];"
	 "stp x27, x28, [sp, #80]; mov x9, sp; str x9, [x0]; mov sp, x1; ldp x19, x20, [sp, #16];"
	 "ldp x21, x22, [sp, #32]; ldp x23, x24, [sp, #48]; ldp x25, x26, [sp, #64];"
	 "ldp x27, x28, [sp, #80]; ldp x29, x30, [sp], #96; ret");
# define SAVED 12
# define SAVED_LR 1
#elif defined __ARM_ARCH_6M__
__asm__ (".text; .syntax unified; .thumb; .balign 4; .thumb_func; switch_stacks:; push {r4-r7, lr};"
	 "mov r2, r8; mov r3, r9; mov r4, r10; mov r5, r11; push {r2-r5}; mov r2, sp; str r2, [r0];"
	 "mov sp, r1; pop {r2-r5}; mov r8, r2; mov r9, r3; mov r10, r4; mov r11, r5;"
	 "pop {r4-r7, pc}");
# define SAVED 9
# define SAVED_LR 8
#else
# ifdef __thumb__
__asm__ (".text; .syntax unified; .thumb; .balign 4; .thumb_func; .type switch_stacks, %function;"
# else
__asm__ (".text; .syntax unified; .arm; .balign 4; .type switch_stacks, %function;"
# endif
	 "switch_stacks:; push {r4-r11, lr}; str sp, [r0]; mov sp, r1; pop {r4-r11, pc}");
# define SAVED 9
# define SAVED_LR 8
#endif

struct routine { void *own, *other; uint32_t *words; unsigned round; };

static struct routine *
fiber_of (uintptr_t address)
{
  return (struct routine *) (address & ~(uintptr_t) 2047);
}

static NOINLINE void
yield (struct routine *r, uint32_t value)
{
  r->words[r->round & 7] += value;
  switch_stacks (&r->own, r->other);
}

static NOINLINE void
walk (struct routine *r, unsigned depth)
{
  yield (r, depth);
  if (depth > 0)
    walk (r, depth - 1);
  yield (r, depth * 5);
}

static NOINLINE void
fiber (void)
{
  uint32_t here;
  struct routine *r = fiber_of ((uintptr_t) &here);
  for (;;)
    {
      walk (r, r->round % 4);
      here = r->round++;
      yield (r, here);
    }
}

static NOINLINE void
start_fiber (struct routine *r, uint32_t *words)
{
  uintptr_t *stack = (uintptr_t *) (void *) ((uint8_t *) r + 2032) - SAVED;
  for (int i = 0; i < SAVED; i++)
    stack[i] = (uintptr_t) i;
  stack[SAVED_LR] = (uintptr_t) fiber;
  r->own = stack;
  r->words = words;
  r->round = 0;
}

static NOINLINE void
resume (struct routine *r)
{
  switch_stacks (&r->other, r->own);
}

#if __ARM_ARCH_PROFILE == 'M'
/* A supervisor call that gives a result by its frame, and an undefined instruction.  */

static NOINLINE uint32_t
supervisor (uint32_t a, uint32_t b)
{
  register uint32_t r0 __asm__ ("r0") = a;
  register uint32_t r1 __asm__ ("r1") = b;
  __asm__ volatile ("svc #77" : "+r" (r0), "+r" (r1) : : "r2", "r3", "r12", "cc", "memory");
  return r0 + r1;
}

static NOINLINE uint32_t
undefined (uint32_t a)
{
  __asm__ volatile ("udf #3" : "+r" (a) : : "memory");
  return a * 3;
}

static NOINLINE uint32_t
masked (uint32_t *p, unsigned level)
{
  uint32_t before, after;
  __asm__ volatile ("mrs %0, primask; cpsid i" : "=r" (before) : : "memory");
  *p += level;
# ifndef __ARM_ARCH_6M__
  uint32_t base;
  __asm__ volatile ("mrs %0, basepri; msr basepri, %1; msr basepri_max, %2"
		    : "=&r" (base) : "r" (level << 5), "r" (0x40) : "memory");
  p[1] ^= base;
  __asm__ volatile ("cpsid f; mrs %0, faultmask; cpsie f" : "=r" (after) : : "memory");
  p[2] += after;
  __asm__ volatile ("msr basepri, %0" : : "r" (base) : "memory");
# endif
  __asm__ volatile ("msr primask, %1; mrs %0, primask" : "=r" (after) : "r" (before) : "memory");
  return *p + after;
}
#endif

#if !defined __ARM_ARCH_6M__ && !defined __aarch64__
static NOINLINE uint32_t
parallel (const uint32_t *a, const uint32_t *b, uint32_t *to, int count)
{
  uint32_t worst = 0;
  for (int i = 0; i < count; i++)
    {
      uint32_t x = a[i], y = b[i], d, s, m;
      __asm__ ("usub8 %0, %3, %4; sel %1, %3, %4; uqadd8 %2, %3, %4"
	       : "=&r" (d), "=&r" (m), "=&r" (s) : "r" (x), "r" (y) : "cc");
      to[i] = d ^ s;
      worst = m > worst ? m : worst;
      int64_t sum = (int64_t) worst << 9;
      __asm__ ("smlald %Q0, %R0, %1, %2; qadd %1, %1, %2" : "+&r" (sum), "+&r" (x) : "r" (y));
      to[i] += (uint32_t) (sum >> 16) + x;
    }
  return worst;
}
#endif

#ifndef __ARM_ARCH_6M__
static NOINLINE uint32_t
shared (uint32_t *p, uint32_t value)
{
  uint32_t old = __atomic_fetch_add (p, value, __ATOMIC_SEQ_CST);
  uint32_t expected = p[1];
  while (!__atomic_compare_exchange_n (&p[1], &expected, expected + old, 0, __ATOMIC_ACQ_REL,
				       __ATOMIC_RELAXED))
    ;
  uint8_t flag = __atomic_exchange_n ((uint8_t *) &p[2] + 1, (uint8_t) value, __ATOMIC_ACQUIRE);
  __atomic_fetch_and ((uint16_t *) (void *) &p[3], (uint16_t) old, __ATOMIC_RELEASE);
  if (__atomic_test_and_set ((uint8_t *) &p[4], __ATOMIC_ACQUIRE))
    __atomic_clear ((uint8_t *) &p[4], __ATOMIC_RELEASE);
  return old + flag;
}
#endif

#if defined __ARM_NEON && defined VECTORS
static NOINLINE void
planes (uint8_t *to, const uint8_t *from, unsigned rounds)
{
  for (unsigned i = 0; i < rounds; i++, from += 24, to += 24)
    {
      uint8x8x3_t v = vld3_u8 (from);
      uint8x8_t t = v.val[0];
      v.val[0] = v.val[2];
      v.val[2] = t;
      vst3_u8 (to, v);
    }
  uint32x2x2_t pairs = vld2_u32 ((const uint32_t *) (const void *) from);
  vst2_lane_u32 ((uint32_t *) (void *) to, pairs, 1);
  uint16x4x4_t four = vld4_dup_u16 ((const uint16_t *) (const void *) (from + 2));
  vst4_u16 ((uint16_t *) (void *) (to + 8), four);
}
#endif

/* What is told apart by the caller alone.  */
static NOINLINE uint32_t
collatz (uint32_t n, uint32_t *longest)
{
  uint32_t steps = 0;
  for (; n > 1 && steps < 20; steps++)
    n = n & 1 ? 3 * n + 1 : n >> 1;
  if (steps > *longest)
    *longest = steps;
  return steps;
}

void
program (unsigned char *ram, uint32_t seed)
{
  /* Where pointers of handlers do not lead to.  */
  uint32_t *words = (uint32_t *) (void *) (ram + 0x3000), *stack = words + 64, state = seed;
  struct routine *routine = fiber_of ((uintptr_t) ram + 0x6800);
  struct heap *heap = (struct heap *) (void *) (words + 128);
  struct fields *fields = (struct fields *) (void *) (words + 140);
  uint8_t *bytes = (uint8_t *) (words + 150);
  static const uint8_t code[] = { 0, 7, 2, 1, 4, 0, 3, 2, 1, 3, 9, 1, 5 };

  start_fiber (routine, words + 32);
  heap->free = NULL;
  heap->count = 0;
  for (int i = 0; i < 6; i++)
    {
      struct block *b = (struct block *) (void *) (ram + 0x3800) + 4 * i;
      b->size = 16 + 8 * (unsigned) (i & 3);
      give (heap, b + 1, (unsigned) i);
    }
  for (;;)
    {
      uint32_t n = next (&state) % 24, m = next (&state);
      switch (n)
	{
	case 0:
	  words[0] = try (m % 5, words + 8);
	  break;
	case 1:
	  words[1] = outer (words, m % 9);
	  break;
	case 2:
	  words[2] += chain (NULL, m % 4, m % 23 + 1);
	  break;
	case 3:
	  words[3] = grow (m % 7 + 1, &state);
	  break;
	case 4:
	  {
	    struct big b;
	    memset (&b, (int) m, sizeof b);
	    b = turn (b, (struct pair) { (int) m, 3 }, (struct small) { 1, (uint8_t) m, -5 },
		      m, (int) n);
	    words[4] = b.a[m % 9] + (uint32_t) b.wide;
	    break;
	  }
	case 5:
	  words[5] = (uint32_t) gather ("iqpis", 5, (uint64_t) m << 20, words + 6, 9,
				       (struct pair) { (int) m, (int) n });
	  break;
	case 6:
	case 7:
	  words[7] = interpret (code, stack, m % 5);
	  break;
	case 8:
	case 9:
	  words[8] = (uint32_t) dense (m % 16, (int) words[9], (int) (m >> 3));
	  words[9] = (uint32_t) dense (m >> 4 & 15, (int) words[8], 5);
	  break;
	case 10:
	  words[10] = odd (words + 16, m % 9);
	  break;
	case 11:
	  for (int i = 0; i < 7; i++)
	    stack[i] = next (&state) % 100;
	  quick (stack, 0, 6, m & 1 ? upwards : bytewise);
	  break;
	case 12:
#ifndef __ARM_ARCH_6M__
	  words[12] = pack (bytes + m % 4, fields, m);
#endif
	  break;
	case 13:
	  {
	    uint32_t *a = take (heap, 16), *b = take (heap, 24);
	    if (a != NULL)
	      a[0] = m;
	    if (b != NULL)
	      {
		b[1] = a != NULL ? a[0] + 1 : 5;
		give (heap, b, m);
	      }
	    if (a != NULL)
	      give (heap, a, m + 1);
	    break;
	  }
	case 14:
	case 15:
	case 16:
	  resume (routine);
	  break;
	case 17:
	  {
	    struct pair p = divide ((int) m - 400000, (int) (n + m % 3));
	    words[13] = (uint32_t) (p.x + p.y);
	    break;
	  }
#if __ARM_ARCH_PROFILE == 'M'
	case 18:
	  words[14] = supervisor (m, n);
	  break;
	case 19:
	  words[15] = undefined (m);
	  break;
	case 20:
	  words[16] = masked (words + 17, m & 7);
	  break;
#endif
#if !defined __ARM_ARCH_6M__ && !defined __aarch64__
	case 21:
	  words[20] = parallel (words, words + 8, words + 40, 4);
	  break;
#endif
#ifndef __ARM_ARCH_6M__
	case 22:
	  words[21] = shared (words + 22, m);
	  break;
#endif
#if defined __ARM_NEON && defined VECTORS
	case 23:
	  planes (bytes + 200, bytes, m % 3);
	  break;
#endif
	default:
	  words[31] += collatz (m % 1000, words + 30);
	  break;
	}
    }
}
