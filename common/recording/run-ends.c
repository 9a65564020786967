/* Run ends.  See run-ends.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/run-ends.h"

#include <stdlib.h>
#include <string.h>

#include "arm/flow/flow.h"
#include "arm/ir/semantics.h"
#include "recording/facts.h"
#include "recording/open-calls.h"
#include "recording/stack-code.h"
#include "util/number.h"

/* Ends are kept by hash.  Of more pieces of code, as of a log whose code changes all
   the time, all are worked out again.  */
#define CHUNK 256
#define CHUNKS_MOST 512
#define SLOTS_FIRST 1024	/* A power of two.  */

/* The link register is set so many instructions before a branch at most.  */
#define BEFORE_MOST 6

/* A literal lies so near to the instruction that loads it (DDI 0406, A8.8.65).  */
#define LITERAL_MOST 4096

struct tb_run_ends
{
  struct tb_recording *recording;
  const struct tb_symbols *symbols;
  const struct tb_columns *facts;
  struct tb_run_end *chunks[CHUNKS_MOST];
  size_t count;			/* Ends, of which */
  struct tb_run_end **slots;	/* each has one, by open addressing: */
  unsigned shift;		/* 64 - log2 (how many).  */
  struct tb_run_end kept;	/* What was dropped, but is wanted still.  */
};

struct tb_run_ends *
tb_run_ends_new (struct tb_recording *recording,
		 const struct tb_symbols *symbols)
{
  struct tb_run_ends *r = calloc (1, sizeof *r);
  if (r == NULL)
    return NULL;
  r->recording = recording;
  r->symbols = symbols;
  r->facts = tb_recording_facts (recording);
  r->shift = 64 - (unsigned) __builtin_ctz (SLOTS_FIRST);
  r->slots = calloc (SLOTS_FIRST, sizeof *r->slots);
  if (r->slots != NULL)
    return r;
  free (r);
  return NULL;
}

void
tb_run_ends_free (struct tb_run_ends *r)
{
  if (r == NULL)
    return;
  for (size_t i = 0; i < CHUNKS_MOST; i++)
    free (r->chunks[i]);
  free (r->slots);
  free (r);
}

static const struct tb_function *
function_at (const struct tb_run_ends *r, uint64_t address)
{
  return r->symbols != NULL ? tb_symbols_function_at (r->symbols, address)
			    : NULL;
}

/* Literals, for the instructions before a branch: what else they load is not
   known, and never the same twice.  */
struct literals
{
  const struct tb_memmap *map;
  uint64_t pc;
  uint8_t space;
  uint32_t unknown;
};

static uint64_t
load (void *context, uint64_t address, unsigned size)
{
  struct literals *l = context;
  uint8_t bytes[4] = { 0 };
  if ((uint32_t) (address - l->pc) + LITERAL_MOST > 2 * LITERAL_MOST || size > 4
      || tb_memmap_read (l->map, l->space, address, bytes, size) != size)
    return l->unknown += 0x01234567;
  return tb_number_32 (bytes);
}

static void
store (void *context, uint64_t address, unsigned size, uint64_t value, bool certain)
{
  (void) certain;
  (void) context;
  (void) address;
  (void) size;
  (void) value;
}

/* May S be passed without having its effect, or does it make the next ones so?  */
static bool
is_conditional (const struct tb_step *s)
{
  return s->isa == TB_ISA_A32 ? s->opcode >> 28 < 14
	 : s->size == 2 && (s->opcode & 0xff00) == 0xbf00
	   && (s->opcode & 15) != 0;
}

/* What STEPS leave in the link register if all registers hold numbers made of
   UNKNOWN, which are far from code; false: they are not understood.  */
static bool
run_32 (const struct tb_step *steps, size_t count,
	const struct tb_profile *profile, struct literals *literals,
	uint32_t unknown, uint32_t *lr)
{
  uint64_t places[TB_PLACE_END] = { 0 };
  const struct tb_semantics_memory memory = { load, store, literals };
  for (unsigned i = 0; i < 16; i++)
    places[i] = (uint32_t) (unknown + 0x00100000 * i);
  literals->unknown = unknown;
  for (size_t i = 0; i < count; i++)
    {
      struct tb_semantics s;
      struct tb_semantics_result result;
      uint32_t pc = (uint32_t) steps[i].pc;
      literals->pc = pc;
      if (!tb_semantics_of (&s, steps[i].isa, steps[i].opcode, steps[i].size, pc,
			    TB_IT_NONE, profile)
	  || is_conditional (&steps[i]))
	return false;
      tb_semantics_run (&s, places, &memory, &result);
    }
  *lr = (uint32_t) places[TB_SLOT_LR];
  return true;
}

/* Of A64: ADR and LDR (literal), DDI 0487, C6.2.10 and C6.2.168.  */
static bool
run_64 (const struct tb_step *s, const struct tb_memmap *map, uint64_t *lr)
{
  uint32_t op = s->opcode;
  uint64_t offset = op >> 5 & 0x7ffff;
  offset = (offset ^ 0x40000) - 0x40000;
  if ((op & 0x9f00001f) == 0x1000001e)
    *lr = s->pc + offset * 4 + (op >> 29 & 3);
  else if ((op & 0xff00001f) == 0x5800001e)
    {
      uint8_t b[8];
      if (tb_memmap_read (map, s->space, s->pc + offset * 4, b, 8) != 8)
	return false;
      *lr = tb_number_64 (b);
    }
  else
    return false;
  return true;
}

/* How STEP, the last of a run, goes on.  */
static void
find_flow (const struct tb_profile *profile, const struct tb_step *step,
	   struct tb_run_end *e)
{
  struct tb_flow flow = { .kind = TB_FLOW_OTHER };
  tb_flow_of (&flow, step->isa, step->opcode, step->size, step->pc, false, profile);
  e->kind = flow.kind;
  e->sub = flow.sub;
  e->conditional = flow.conditional;
  e->target = flow.target;
  e->last = step->pc;
  e->next = step->pc + step->size;
}

/* Where what is branched to returns, if the COUNT instructions STEPS before the
   branch set the link register to an address of code: "mov lr, pc", "ldr lr,
   =label", "adr lr, label" and what comes to the same.  */
static uint64_t
find_back (const struct tb_run_ends *r, const struct tb_step *steps,
	   size_t count)
{
  const struct tb_memmap *map = tb_recording_memmap (r->recording);
  const struct tb_profile *profile = tb_recording_profile (r->recording);
  uint64_t back = TB_BACK_NONE;
  /* A branch that was not taken has no such effect.  */
  for (size_t i = 0; i < count; i++)
    {
      struct tb_run_end branch;
      find_flow (profile, &steps[i], &branch);
      if (branch.kind == TB_FLOW_BRANCH || branch.kind == TB_FLOW_INDIRECT)
	return back;
    }
  if (count == 0)
    return back;
  const struct tb_step *last = &steps[count - 1];
  if (last->isa == TB_ISA_A64)
    {
      for (size_t i = count; i-- > 0 && back == TB_BACK_NONE;)
	if (!run_64 (&steps[i], map, &back))
	  back = TB_BACK_NONE;
    }
  else if (last->isa == TB_ISA_A32 || last->isa == TB_ISA_T32)
    {
      /* What does not depend on what was in the registers is set here.  */
      struct literals literals = { .map = map, .space = last->space };
      uint32_t one, two, far = (uint32_t) last->pc ^ UINT32_C (0x50000000);
      if (run_32 (steps, count, profile, &literals, far + 0x01000010, &one)
	  && run_32 (steps, count, profile, &literals, ~far - 0x02000020, &two)
	  && one == two)
	back = one & ~UINT32_C (1);
    }
  uint8_t code[2];
  if (back == 0 || back == TB_BACK_NONE
      || tb_memmap_read (map, last->space, back, code, 2) != 2)
    return TB_BACK_NONE;
  return back;
}

/* Which part of RUN is in the function of its start.  */
static void
find_part (struct tb_run_ends *r, const struct tb_run *run,
	   struct tb_run_end *e)
{
  e->function = function_at (r, run->start);
  if (r->symbols == NULL
      || (e->function != NULL && run->end <= e->function->end
	  && function_at (r, run->end - 1) == e->function))
    return;
  struct tb_step steps[64];
  for (uint32_t done = 0; done < run->count;)
    {
      size_t n = tb_recording_read (r->recording, run->step + done, steps,
				    run->count - done < 64 ? run->count - done
							   : 64);
      for (size_t i = 0; i < n; i++)
	if (function_at (r, steps[i].pc) != e->function)
	  {
	    e->part = done + (uint32_t) i;
	    e->part_end = steps[i].pc;
	    return;
	  }
      if (n == 0)
	return;
      done += (uint32_t) n;
    }
}

/* Make E the end of RUN, whose last instruction is step LAST.  */
static void
make_end (struct tb_run_ends *r, const struct tb_run *run, uint64_t last,
	  struct tb_run_end *e)
{
  struct tb_step steps[TB_STACK_BEFORE + 1];
  const struct tb_profile *profile = tb_recording_profile (r->recording);
  uint64_t before = profile->is_m ? TB_STACK_BEFORE : BEFORE_MOST;
  uint64_t wanted = run->count <= before ? run->count : before + 1;
  size_t n = tb_recording_read (r->recording, last + 1 - wanted, steps,
				(size_t) wanted);
  find_part (r, run, e);
  if (n == 0)
    return;
  find_flow (profile, &steps[n - 1], e);
  size_t near = n - 1 < BEFORE_MOST ? n - 1 : BEFORE_MOST;
  if ((e->kind == TB_FLOW_BRANCH || e->kind == TB_FLOW_INDIRECT)
      && e->sub == TB_SUB_NONE)
    e->back = find_back (r, steps + (n - 1 - near), near);
  if (profile->is_m)
    e->stack = (uint8_t) tb_stack_code (steps, n, profile);
}

/* The slot where the search for the end of a run begins.  */
static size_t
first_slot (const struct tb_run_ends *r, uint64_t start, uint64_t end)
{
  return (start ^ end << 32 ^ end >> 32) * UINT64_C (0x9e3779b97f4a7c15)
	 >> r->shift;
}

/* Twice as many slots, or, where there are too many ends, none: *KEPT is what is
   still wanted of those.  False: no memory.  */
static bool
make_room (struct tb_run_ends *r, const struct tb_run_end **kept)
{
  size_t size = (size_t) 1 << (64 - r->shift);
  if (r->count == CHUNKS_MOST * CHUNK)
    {
      if (*kept != NULL)
	r->kept = **kept;
      *kept = *kept != NULL ? &r->kept : NULL;
      memset (r->slots, 0, size * sizeof *r->slots);
      r->count = 0;
    }
  if (r->chunks[r->count / CHUNK] == NULL)
    r->chunks[r->count / CHUNK] = malloc (CHUNK * sizeof (struct tb_run_end));
  if (r->chunks[r->count / CHUNK] == NULL)
    return false;
  if (r->count < size / 2)
    return true;
  struct tb_run_end **slots = calloc (size * 2, sizeof *slots);
  if (slots == NULL)
    return false;
  r->shift--;
  for (size_t i = 0; i < r->count; i++)
    {
      struct tb_run_end *e = &r->chunks[i / CHUNK][i % CHUNK];
      size_t at = first_slot (r, e->start, e->end);
      while (slots[at] != NULL)
	at = (at + 1) & (size * 2 - 1);
      slots[at] = e;
    }
  free (r->slots);
  r->slots = slots;
  return true;
}

const struct tb_run_end *
tb_run_ends_find (struct tb_run_ends *r, const struct tb_run *run,
		  const struct tb_run_end **kept, bool *asked)
{
  uint64_t last = run->step + run->count - 1;
  /* The code of a log is what ran there, which may be other code now.  */
  uint32_t opcode = r->facts != NULL ? tb_facts_step (r->facts, last)->opcode
				     : 0;
  size_t mask = ((size_t) 1 << (64 - r->shift)) - 1;
  size_t at = first_slot (r, run->start, run->end);
  for (; r->slots[at] != NULL; at = (at + 1) & mask)
    {
      const struct tb_run_end *e = r->slots[at];
      if (e->start == run->start && e->end == run->end && e->space == run->space
	  && e->isa == run->isa && e->opcode == opcode)
	return e;
    }
  *asked = true;
  if (!make_room (r, kept))
    return NULL;
  struct tb_run_end *e = &r->chunks[r->count / CHUNK][r->count % CHUNK];
  *e = (struct tb_run_end) {
    .start = run->start, .end = run->end, .opcode = opcode,
    .space = run->space, .isa = run->isa, .back = TB_BACK_NONE
  };
  make_end (r, run, last, e);
  mask = ((size_t) 1 << (64 - r->shift)) - 1;
  at = first_slot (r, e->start, e->end);
  while (r->slots[at] != NULL)
    at = (at + 1) & mask;
  r->slots[at] = e;
  r->count++;
  return e;
}
