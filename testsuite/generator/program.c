/* Random programs.  See program.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A program is some functions, of which the first are exception handlers, in a
   few regions of memory.  First the instructions are chosen, then placed, then
   the branches get targets; a branch that has none within reach becomes a
   straight instruction.  */

#include "config.h"
#include "generator/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/shape.h"

/* Instructions whose opcode is made with them: IT.  */
#define SHAPE_NONE 0xff

/* Vectors of the M profile that the table has.  */
#define VECTORS 64

void *
gen_grow (void *array, size_t *capacity, size_t count, size_t size)
{
  if (count < *capacity)
    return array;
  *capacity = *capacity < 16 ? 32 : *capacity * 2;
  array = realloc (array, *capacity * size);
  if (array == NULL)
    {
      fputs ("no memory\n", stderr);
      exit (1);
    }
  return array;
}

struct gen_shapes
gen_shapes_of (enum gen_isa isa)
{
  return isa == GEN_A64 ? gen_shapes_a64
	 : isa == GEN_A32 ? gen_shapes_a32 : gen_shapes_t32;
}

static struct gen_insn *
add_insn (struct gen_program *p, uint32_t function, enum gen_isa isa,
	  unsigned shape)
{
  p->insns = gen_grow (p->insns, &p->capacity, p->ninsns, sizeof *p->insns);
  struct gen_insn *insn = &p->insns[p->ninsns++];
  memset (insn, 0, sizeof *insn);
  insn->function = function;
  insn->isa = insn->target_isa = isa;
  insn->shape = shape;
  if (shape != SHAPE_NONE)
    {
      const struct gen_shape *s = &gen_shapes_of (isa).shape[shape];
      insn->size = s->size;
      insn->kind = s->kind;
      insn->conditional = s->flags & GEN_COND;
      insn->link = s->flags & GEN_LINK;
      insn->returns = s->flags & GEN_RET;
      insn->words = s->flags & GEN_TWO_WORDS ? 2
		    : (s->flags & GEN_ONE_WORD) != 0;
      insn->stores = s->flags & GEN_STORES;
      insn->interworks = (s->flags & GEN_SWITCH) && !gen_is_m (p->arch);
    }
  return insn;
}

/* A shape that this architecture has and that has all of WANT and none of
   AVOID; BRANCHES says whether anything but straight instructions will do.  */
static unsigned
pick_shape (const struct gen_program *p, enum gen_isa isa, unsigned want,
	    unsigned avoid, bool branches, struct gen_random *r)
{
  struct gen_shapes shapes = gen_shapes_of (isa);
  if (p->arch == GEN_V6M)
    avoid |= GEN_NOT_V6M;
  avoid |= gen_is_m (p->arch) ? GEN_A_ONLY : GEN_M_ONLY;
  for (;;)
    {
      unsigned i = gen_below (r, shapes.count);
      const struct gen_shape *s = &shapes.shape[i];
      if ((s->flags & want) != want || (s->flags & avoid) != 0)
	continue;
      if (s->kind == GEN_STRAIGHT || s->kind == GEN_BARRIER
	  || (branches && s->kind != GEN_ERET))
	return i;
    }
}

/* An IT block of one to four instructions, perhaps with a branch at its end. */
static void
add_it_block (struct gen_program *p, uint32_t function, struct gen_random *r)
{
  unsigned length = gen_between (r, 1, 4), condition = gen_below (r, 14);
  unsigned mask = 1;		/* The one that ends it.  */
  for (unsigned i = 1; i < length; i++)
    mask = mask | gen_below (r, 2) << i;
  /* The bits of the second instruction and on come first.  */
  mask = mask << (4 - length);
  struct gen_insn *it = add_insn (p, function, GEN_T32, SHAPE_NONE);
  it->size = 2;
  it->opcode = 0xbf00 | condition << 4 | mask;
  for (unsigned i = 0; i < length; i++)
    {
      bool last = i == length - 1, branch = last && gen_chance (r, 60);
      unsigned shape = pick_shape (p, GEN_T32, branch ? GEN_IT_END : 0,
				   GEN_NO_IT | (branch ? 0 : GEN_IT_END),
				   branch, r);
      struct gen_insn *insn = add_insn (p, function, GEN_T32, shape);
      insn->conditional = true;
      insn->governed = true;
    }
}

/* What ends a function: nothing may run off its end.  */
static void
add_end (struct gen_program *p, uint32_t function, enum gen_isa isa,
	 struct gen_random *r)
{
  bool handler = function < GEN_HANDLERS;
  if (!gen_is_m (p->arch) && (handler || gen_chance (r, 4)))
    {
      struct gen_shapes shapes = gen_shapes_of (isa);
      unsigned i;
      do
	i = gen_below (r, shapes.count);
      while (shapes.shape[i].kind != GEN_ERET);
      add_insn (p, function, isa, i);
      return;
    }
  unsigned want = GEN_LAST;
  if (handler || gen_chance (r, 60))
    want |= GEN_RET;
  add_insn (p, function, isa, pick_shape (p, isa, want, 0, true, r));
}

static void
add_function (struct gen_program *p, uint32_t number, struct gen_random *r)
{
  struct gen_function *f = &p->functions[number];
  enum gen_isa isa = gen_is_m (p->arch) ? GEN_T32
		     : p->arch == GEN_AARCH64 ? GEN_A64
		     : gen_chance (r, 50) ? GEN_A32 : GEN_T32;
  unsigned branches = gen_between (r, 10, 60);
  f->isa = isa;
  f->region = gen_below (r, p->nregions);
  f->first = p->ninsns;
  for (unsigned n = gen_between (r, 1, 40); n > 0; n--)
    if (isa == GEN_T32 && p->arch != GEN_V6M && gen_chance (r, 8))
      add_it_block (p, number, r);
    else
      add_insn (p, number, isa,
		pick_shape (p, isa, 0, 0, gen_chance (r, branches), r));
  add_end (p, number, isa, r);
  f->count = p->ninsns - f->first;
}

/* Memory.  */

static void
choose_regions (struct gen_program *p, struct gen_random *r)
{
  static const uint64_t bases[][GEN_REGIONS] =
  {
    [GEN_AARCH64] = { 0x400000, 0x7fb7e54000, 0xffff000008080000 },
    [GEN_AARCH32] = { 0x8000, 0x00404000, 0xffff0000 },
    [GEN_V6M] = { 0, 0x8000, 0x20000000 },
    [GEN_V7M] = { 0, 0x08000000, 0x20000000 },
    [GEN_V8M] = { 0, 0x10000000, 0x30000000 }
  };
  p->nregions = gen_between (r, 1, GEN_REGIONS);
  for (size_t i = 0; i < p->nregions; i++)
    p->regions[i].address = bases[p->arch][i];
}

static void
place (struct gen_program *p, struct gen_random *r)
{
  for (size_t i = 0; i < p->nregions; i++)
    {
      struct gen_region *region = &p->regions[i];
      uint64_t at = region->address;
      if (gen_is_m (p->arch) && i == 0)
	at += 4 * VECTORS;
      for (size_t j = 0; j < p->nfunctions; j++)
	{
	  struct gen_function *f = &p->functions[j];
	  if (f->region != i)
	    continue;
	  unsigned align = f->isa == GEN_T32 && gen_chance (r, 50) ? 2 : 4;
	  /* Decoders look back for an IT instruction, over what they take for
	     T32.  A32 there might look like the first half of one.  */
	  at += f->isa == GEN_T32 ? 2 : 0;
	  at = (at + align - 1) & ~(uint64_t) (align - 1);
	  for (uint32_t k = 0; k < f->count; k++)
	    {
	      p->insns[f->first + k].address = at;
	      at += p->insns[f->first + k].size;
	    }
	  at += align * gen_below (r, 4);
	}
      region->size = at - region->address + 16;
      region->bytes = calloc (1, region->size);
      if (region->bytes == NULL)
	{
	  fputs ("no memory\n", stderr);
	  exit (1);
	}
      /* What lies between functions is no first half of a T32 instruction.  */
      for (size_t j = 0; j < region->size; j++)
	region->bytes[j] = gen_next (r) & 0x7f;
    }
}

static uint8_t *
byte_at (const struct gen_program *p, uint64_t address)
{
  for (size_t i = 0; i < p->nregions; i++)
    if (address - p->regions[i].address < p->regions[i].size)
      return p->regions[i].bytes + (address - p->regions[i].address);
  return NULL;
}

static void
store (const struct gen_program *p, const struct gen_insn *insn)
{
  uint8_t *b = byte_at (p, insn->address);
  uint32_t opcode = insn->opcode;
  if (insn->isa == GEN_T32 && insn->size == 4)
    opcode = opcode >> 16 | opcode << 16;
  for (unsigned i = 0; i < insn->size; i++)
    b[i] = (uint8_t) (opcode >> 8 * i);
}

/* Targets.  */

/* The instruction that INSN branches to, or NULL.  */
static const struct gen_insn *
choose_target (const struct gen_program *p, const struct gen_insn *insn,
	       const struct gen_shape *s, struct gen_random *r)
{
  const struct gen_function *own = &p->functions[insn->function];
  for (unsigned tries = 0; tries < 30; tries++)
    {
      const struct gen_function *f = own;
      const struct gen_insn *to;
      bool entry = (s->flags & (GEN_LINK | GEN_OTHER_ISA)) != 0
		   || gen_chance (r, 10);
      if (entry)
	f = &p->functions[gen_between (r, GEN_HANDLERS, p->nfunctions - 1)];
      to = &p->insns[f->first + (entry ? 0 : gen_below (r, f->count))];
      if (to->governed || f->region != own->region
	  || (to->isa != insn->isa) != ((s->flags & GEN_OTHER_ISA) != 0))
	continue;
      int64_t distance = (int64_t) (to->address - insn->address);
      /* An instruction that branches to itself for ever makes no walk.  */
      if (distance < s->low || distance > s->high || distance == 0)
	continue;
      return to;
    }
  return NULL;
}

static void
finish_insn (struct gen_program *p, struct gen_insn *insn,
	     struct gen_random *r)
{
  static uint32_t (*const opcode_of[]) (const struct gen_shape *, uint64_t,
					uint64_t, struct gen_random *)
    = { [GEN_A64] = gen_opcode_a64, [GEN_A32] = gen_opcode_a32,
	[GEN_T32] = gen_opcode_t32 };
  if (insn->shape == SHAPE_NONE)
    return;
  const struct gen_shape *shapes = gen_shapes_of (insn->isa).shape;
  const struct gen_shape *s = &shapes[insn->shape];
  if (insn->kind == GEN_DIRECT)
    {
      const struct gen_insn *to = choose_target (p, insn, s, r);
      const struct gen_function *f = &p->functions[insn->function];
      if (to != NULL)
	{
	  insn->target = to->address;
	  insn->target_isa = to->isa;
	}
      else if (insn == &p->insns[f->first + f->count - 1])
	{
	  /* The end of a function: back to its beginning, which the shapes
	     that end functions reach.  */
	  insn->target = p->insns[f->first].address;
	  insn->target_isa = insn->isa;
	}
      else
	{
	  bool governed = insn->governed;
	  insn->shape = insn->isa == GEN_T32 && insn->size == 4 ? 1 : 0;
	  s = &shapes[insn->shape];
	  insn->kind = s->kind;
	  insn->link = false;
	  insn->conditional = governed;
	}
    }
  insn->opcode = opcode_of[insn->isa] (s, insn->address, insn->target, r);
}

static void
put_word (uint8_t *bytes, uint32_t word)
{
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t) (word >> 8 * i);
}

static void
make_vectors (struct gen_program *p, struct gen_random *r)
{
  static const uint8_t system[] = { 11, 2, 3, 14, 15, 4, 5, 6, 12 };
  uint8_t *table = p->regions[0].bytes;
  unsigned nsystem = p->arch == GEN_V6M ? 5 : sizeof system;
  memset (table, 0, 4 * VECTORS);
  for (unsigned i = 0; i < GEN_HANDLERS; i++)
    {
      /* The first is SVCall; no two are the same.  */
      uint16_t vector;
      bool taken;
      do
	{
	  vector = i == 0 ? system[0]
		   : gen_chance (r, 50) ? system[gen_below (r, nsystem)]
		   : gen_between (r, 16, p->arch == GEN_V6M ? 47
						       : VECTORS - 1);
	  taken = false;
	  for (unsigned j = 0; j < i; j++)
	    taken |= p->vectors[j] == vector;
	}
      while (taken);
      p->vectors[i] = vector;
      put_word (table + 4 * vector,
		p->insns[p->functions[i].first].address | 1);
    }
  /* The stack, and the first function that is no handler for reset.  */
  put_word (table, 0x20008000);
  put_word (table + 4, p->insns[p->functions[GEN_HANDLERS].first].address | 1);
}

void
gen_program_make (struct gen_program *p, enum gen_arch arch,
		  struct gen_random *r)
{
  static const char *const cores[] = {
    [GEN_AARCH64] = "Cortex-A53", [GEN_AARCH32] = "Cortex-A53",
    [GEN_V6M] = "Cortex-M0+", [GEN_V7M] = "Cortex-M7",
    [GEN_V8M] = "Cortex-M33"
  };
  memset (p, 0, sizeof *p);
  p->arch = arch;
  p->core = cores[arch];
  choose_regions (p, r);
  p->nfunctions = GEN_HANDLERS + gen_between (r, 3, 12);
  p->functions = calloc (p->nfunctions, sizeof *p->functions);
  if (p->functions == NULL)
    {
      fputs ("no memory\n", stderr);
      exit (1);
    }
  for (size_t i = 0; i < p->nfunctions; i++)
    add_function (p, i, r);
  place (p, r);
  for (size_t i = 0; i < p->ninsns; i++)
    finish_insn (p, &p->insns[i], r);
  for (size_t i = 0; i < p->ninsns; i++)
    store (p, &p->insns[i]);
  if (gen_is_m (arch))
    make_vectors (p, r);
}

void
gen_program_free (struct gen_program *p)
{
  for (size_t i = 0; i < p->nregions; i++)
    free (p->regions[i].bytes);
  free (p->functions);
  free (p->insns);
}

const struct gen_insn *
gen_program_at (const struct gen_program *p, uint64_t address)
{
  for (size_t i = 0; i < p->nfunctions; i++)
    {
      const struct gen_insn *low = &p->insns[p->functions[i].first];
      const struct gen_insn *high = low + p->functions[i].count - 1;
      if (address < low->address || address > high->address)
	continue;
      while (low < high)
	{
	  const struct gen_insn *middle = low + (high - low + 1) / 2;
	  if (middle->address <= address)
	    low = middle;
	  else
	    high = middle - 1;
	}
      return low->address == address ? low : NULL;
    }
  return NULL;
}
