/* Measures how fast compiled instructions run where everything is known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The path is that of a recording; the registers begin with any numbers, and memory
   as the snapshot has it.  So values are not those of the run that was recorded,
   but it is the same instructions that compute them.  */

#include "config.h"
#include "bench/forward.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arm/ir/forward.h"
#include "arm/ir/semantics-a64.h"
#include "util/buffer.h"

#define PAGE 4096
#define BATCH 1024

/* Memory: pages that are made when they are met.  */
struct memory
{
  const struct tb_memmap *map;
  uint8_t **pages;		/* 2^20.  */
};

static uint8_t *
page_at (struct memory *m, uint32_t address)
{
  uint8_t **page = &m->pages[address / PAGE];
  if (__builtin_expect (*page == NULL, 0))
    {
      *page = calloc (1, PAGE);
      if (*page == NULL)
	abort ();
      tb_memmap_read (m->map, TB_SPACE_ANY, address / PAGE * PAGE, *page,
		      PAGE);
    }
  return *page;
}

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct memory *m = context;
  uint32_t at = address % PAGE, value = 0;
  const uint8_t *page = page_at (m, address);
  if (size == 4 && at <= PAGE - 4)
    memcpy (&value, page + at, 4);
  else
    for (unsigned i = 0; i < size; i++)
      value |= (uint32_t) page_at (m, address + i)[(at + i) % PAGE] << 8 * i;
  return value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct memory *m = context;
  uint32_t at = address % PAGE;
  uint8_t *page = page_at (m, address);
  if (size == 4 && at <= PAGE - 4)
    memcpy (page + at, &value, 4);
  else
    for (unsigned i = 0; i < size; i++)
      page_at (m, address + i)[(at + i) % PAGE] = (uint8_t) (value >> 8 * i);
}

/* The same for A64, with memory of 32 bits of address.  */
static uint64_t
load_64 (void *context, uint64_t address, unsigned size)
{
  uint64_t low = load (context, (uint32_t) address, size < 4 ? size : 4);
  if (size <= 4)
    return low;
  return low | (uint64_t) load (context, (uint32_t) address + 4, 4) << 32;
}

static void
store_64 (void *context, uint64_t address, unsigned size, uint64_t value,
	  bool certain)
{
  (void) certain;
  store (context, (uint32_t) address, size < 4 ? size : 4, (uint32_t) value);
  if (size > 4)
    store (context, (uint32_t) address + 4, 4, (uint32_t) (value >> 32));
}

/* A distinct instruction.  */
struct instruction
{
  struct tb_step step;
  unsigned it;
  struct tb_semantics semantics;
  struct tb_forward_op *ops;	/* NULL: it is not compiled.  */
};

struct path
{
  struct instruction *all;
  size_t count, room;
  uint32_t *hash;		/* 2^16: number + 1.  */
  uint32_t *steps;		/* Number of each step's.  */
  size_t nsteps;
};

static void *
need (void *block)
{
  if (block == NULL)
    abort ();
  return block;
}

/* The number of the instruction of STEP, governed by IT.  */
static uint32_t
instruction (struct path *path, const struct tb_step *step, unsigned it,
	     const struct tb_profile *profile)
{
  uint32_t at = (uint32_t) (step->pc >> 1) * UINT32_C (40503) ^ it;
  for (;; at++)
    {
      uint32_t number = path->hash[at & 0xffff];
      if (number == 0)
	break;
      const struct instruction *i = &path->all[number - 1];
      if (i->step.pc == step->pc && i->step.opcode == step->opcode
	  && i->step.isa == step->isa && i->it == it)
	return number - 1;
    }
  void *items = path->all;
  if (path->count > 0x8000
      || !tb_grow (&items, &path->room, path->count, 1, sizeof *path->all))
    abort ();
  path->all = items;
  struct instruction *i = &path->all[path->count];
  memset (i, 0, sizeof *i);
  i->step = *step;
  i->it = it;
  if (step->isa == TB_ISA_A64)
    tb_semantics_a64 (&i->semantics, step->opcode, step->pc, 0);
  else if (step->isa == TB_ISA_A32)
    tb_semantics_a32 (&i->semantics, step->opcode, (uint32_t) step->pc,
		      profile);
  else
    tb_semantics_t32_it (&i->semantics, step->opcode, step->size,
			 (uint32_t) step->pc, it, profile);
  const struct tb_semantics *s = &i->semantics;
  if (s->modelled && !s->wide)
    {
      i->ops = need (malloc (TB_FORWARD_MOST (s->count + 0u) * sizeof *i->ops));
      if (tb_forward_compile (i->ops, s->uops, s->count, s->flags) == 0)
	{
	  free (i->ops);
	  i->ops = NULL;
	}
    }
  path->hash[at & 0xffff] = (uint32_t) ++path->count;
  return (uint32_t) path->count - 1;
}

static void
read_path (struct path *path, struct tb_recording *r, uint64_t count)
{
  static struct tb_step steps[BATCH];
  uint64_t end = tb_recording_steps (r);
  uint8_t it = 0;
  path->hash = need (calloc (0x10000, sizeof *path->hash));
  path->steps = need (calloc (count, sizeof *path->steps));
  for (uint64_t at = end - count; at < end;)
    {
      size_t got = tb_recording_read (r, at, steps, BATCH);
      for (size_t i = 0; i < got; i++)
	{
	  const struct tb_step *step = &steps[i];
	  bool t32 = step->isa == TB_ISA_T32;
	  unsigned governs = t32 ? tb_it_condition (it) : TB_IT_NONE;
	  path->steps[path->nsteps++]
	    = instruction (path, step, governs, tb_recording_profile (r));
	  it = t32 ? tb_it_next (it, step->opcode, step->size) : 0;
	}
      if (got == 0)
	break;
      at += got;
    }
}

/* Seconds that the whole path takes.  */
static double
run (const struct path *path, struct memory *m, bool compiled)
{
  const struct tb_forward_memory memory = { load, store, m };
  const struct tb_semantics_memory memory_64 = { load_64, store_64, m };
  struct tb_semantics_result result;
  struct tb_forward_result fast;
  uint32_t p[TB_PLACE_END] = { 0 };
  uint64_t x[(int) TB_A64_END > (int) TB_PLACE_END ? (int) TB_A64_END : (int) TB_PLACE_END] = { 0 };
  struct timespec from, to;
  for (unsigned i = 0; i < 15; i++)
    x[i] = p[i] = UINT32_C (0x20000000) + 0x100 * i;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &from);
  for (size_t k = 0; k < path->nsteps; k++)
    {
      const struct instruction *i = &path->all[path->steps[k]];
      if (compiled && i->ops != NULL)
	tb_forward_run (i->ops, p, &memory, &fast);
      else if (i->semantics.modelled)
	tb_semantics_run (&i->semantics, x, &memory_64, &result);
    }
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &to);
  return (double) (to.tv_sec - from.tv_sec)
	 + (double) (to.tv_nsec - from.tv_nsec) * 1e-9;
}

struct bench_forward
bench_forward (struct tb_recording *r, uint64_t count)
{
  struct path path = { .count = 0 };
  struct memory memory = { tb_recording_memmap (r), NULL };
  double best[2] = { 0, 0 };
  memory.pages = need (calloc (1u << 20, sizeof *memory.pages));
  read_path (&path, r, count);
  for (unsigned round = 0; round < 10; round++)
    {
      double took = run (&path, &memory, round % 2);
      if (round < 2 || took < best[round % 2])
	best[round % 2] = took;
    }
  bool is_a64 = path.count > 0 && path.all[0].step.isa == TB_ISA_A64;
  double compiled = is_a64 ? 0 : (double) path.nsteps / best[1];
  for (size_t i = 0; i < 1u << 20; i++)
    free (memory.pages[i]);
  for (size_t i = 0; i < path.count; i++)
    free (path.all[i].ops);
  free (memory.pages);
  free (path.all);
  free (path.hash);
  free (path.steps);
  return (struct bench_forward) { compiled, (double) path.nsteps / best[0] };
}
