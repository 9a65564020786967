/* Random walks.  See walk.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/walk.h"

#include <stdlib.h>
#include <string.h>

/* Calls and exceptions that have not returned; more are forgotten.  */
#define FRAMES 64

struct frame
{
  bool exception;
  uint64_t address;
  uint8_t isa;
  struct gen_context context;
};

struct walker
{
  struct gen_walk *walk;
  const struct gen_program *program;
  const struct gen_walk_options *options;
  struct gen_random *random;
  const struct gen_insn *at;	/* What runs next.  */
  struct gen_context context;
  uint64_t time;
  struct frame frames[FRAMES];
  unsigned depth;
  bool silent;			/* Tracing is off.  */
  bool block_start;		/* A waypoint or an exception has just been.  */
};

static struct gen_item *
add (struct walker *w, enum gen_event kind)
{
  static struct gen_item nowhere;
  struct gen_walk *walk = w->walk;
  if (w->silent && kind != GEN_CONTEXT)
    {
      memset (&nowhere, 0, sizeof nowhere);
      return &nowhere;
    }
  walk->items = gen_grow (walk->items, &walk->capacity, walk->count,
			  sizeof *walk->items);
  struct gen_item *item = &walk->items[walk->count++];
  memset (item, 0, sizeof *item);
  item->kind = kind;
  return item;
}

static bool
happens (struct walker *w, unsigned frequency)
{
  return gen_below (w->random, 10000) < frequency;
}

static void
go (struct walker *w, const struct gen_insn *to)
{
  w->at = to;
}

static const struct gen_insn *
next_of (const struct walker *w, const struct gen_insn *insn)
{
  size_t i = insn - w->program->insns + 1;
  return i < w->program->ninsns
	 && w->program->insns[i].address == insn->address + insn->size
	 ? &w->program->insns[i] : NULL;
}

/* Somewhere that an indirect branch may lead to.  */
static const struct gen_insn *
anywhere (struct walker *w, const struct gen_insn *from)
{
  const struct gen_program *p = w->program;
  for (;;)
    {
      const struct gen_function *f
	= &p->functions[gen_between (w->random, GEN_HANDLERS,
				     p->nfunctions - 1)];
      if (gen_chance (w->random, 30))
	f = &p->functions[from->function];
      const struct gen_insn *to
	= &p->insns[f->first + (gen_chance (w->random, 60)
				? 0 : gen_below (w->random, f->count))];
      if (to->governed || (to->isa != from->isa && !from->interworks))
	{
	  /* There may be no other function of this instruction set.  */
	  f = &p->functions[from->function];
	  to = &p->insns[f->first];
	}
      return to;
    }
}

static void
push (struct walker *w, bool exception, const struct gen_insn *to)
{
  if (to == NULL)
    return;
  if (w->depth == FRAMES)
    memmove (w->frames, w->frames + 1, --w->depth * sizeof w->frames[0]);
  w->frames[w->depth++] = (struct frame) { exception, to->address, to->isa,
					   w->context };
}

static void
set_context (struct walker *w, const struct gen_context *c)
{
  if (gen_context_same (c, &w->context))
    return;
  w->context = *c;
  add (w, GEN_CONTEXT)->context = *c;
}

/* Exceptions.  */

/* Take exception NUMBER with its preferred return address RETURN_TO.  */
static void
take (struct walker *w, unsigned number, unsigned handler,
      const struct gen_insn *return_to, bool tail_chain)
{
  const struct gen_program *p = w->program;
  const struct gen_insn *to = &p->insns[p->functions[handler].first];
  struct gen_item *item = add (w, GEN_EXCEPTION);
  item->number = number;
  item->value = return_to->address;
  item->handler = to->address;
  item->tail_chain = tail_chain;
  item->next_isa = return_to->isa;
  if (!tail_chain)
    push (w, true, return_to);
  struct gen_context c = w->context;
  if (!gen_is_m (p->arch))
    c.el = gen_chance (w->random, 90) && c.el < 2 ? 1 : 2;
  else
    c.el = 1;
  set_context (w, &c);
  go (w, to);
  w->block_start = true;
}

static void
take_any (struct walker *w, const struct gen_insn *return_to, bool tail_chain)
{
  unsigned handler = gen_below (w->random, GEN_HANDLERS);
  unsigned number = gen_is_m (w->program->arch)
		    ? w->program->vectors[handler]
		    : gen_between (w->random, 1, GEN_EXC_COUNT - 1);
  take (w, number, handler, return_to, tail_chain);
}

/* The frame that a return goes to; NULL: there is none of that kind on top.  */
static const struct frame *
pop (struct walker *w, bool exception)
{
  if (w->depth == 0 || w->frames[w->depth - 1].exception != exception)
    return NULL;
  return &w->frames[--w->depth];
}

static void
exception_return (struct walker *w, struct gen_item *step)
{
  bool is_m = gen_is_m (w->program->arch);
  if (!is_m)
    /* Calls that never returned are forgotten.  */
    while (w->depth > 0 && !w->frames[w->depth - 1].exception)
      w->depth--;
  const struct frame *f = pop (w, true);
  const struct gen_insn *to;
  struct gen_context c = w->context;
  if (f != NULL)
    {
      to = gen_program_at (w->program, f->address);
      c = f->context;
    }
  else
    {
      to = &w->program->insns
	     [w->program->functions[gen_between (w->random, GEN_HANDLERS,
						 w->program->nfunctions - 1)]
	      .first];
      if (c.el > 0)
	c.el--;
    }
  step->value = to->address;
  step->next_isa = to->isa;
  if (is_m)
    {
      struct gen_item *back = add (w, GEN_RETURN);
      back->value = to->address;
      back->tail_chain = gen_chance (w->random, 25);
      if (back->tail_chain)
	{
	  w->depth++;		/* It stays.  */
	  take_any (w, to, true);
	  return;
	}
    }
  set_context (w, &c);
  go (w, to);
}

/* Steps.  */

static void
branch (struct walker *w, const struct gen_insn *insn, struct gen_item *step,
	const struct gen_insn *next)
{
  const struct gen_insn *to;
  const struct frame *f = NULL;
  if (insn->kind == GEN_DIRECT)
    to = gen_program_at (w->program, insn->target);
  else
    {
      if (insn->returns && gen_is_m (w->program->arch) && w->depth > 0
	  && w->frames[w->depth - 1].exception)
	{
	  exception_return (w, step);
	  return;
	}
      if (insn->returns && gen_chance (w->random, 90))
	f = pop (w, false);
      to = f != NULL ? gen_program_at (w->program, f->address)
	   : anywhere (w, insn);
      if (to == NULL || (to->isa != insn->isa && !insn->interworks))
	to = anywhere (w, insn);
    }
  if (insn->link)
    push (w, false, next);
  step->value = to->address;
  step->next_isa = to->isa;
  go (w, to);
}

static void
one_step (struct walker *w)
{
  const struct gen_insn *insn = w->at, *next = next_of (w, insn);
  struct gen_item *step = add (w, GEN_STEP);
  size_t number = w->walk->count;
  step->insn = insn - w->program->insns;
  step->passed = !insn->conditional || gen_chance (w->random, 50);
  step->cycles = gen_chance (w->random, 5) ? gen_scaled (w->random, 12)
		 : gen_between (w->random, 1, 4);
  step->value = insn->address + insn->size;
  step->next_isa = insn->isa;
  w->block_start = false;
  bool branches = insn->kind == GEN_DIRECT || insn->kind == GEN_INDIRECT;
  if (branches && step->passed)
    {
      /* The items may move when more are added.  */
      struct gen_item copy = *step;
      branch (w, insn, &copy, next);
      if (!w->silent)
	{
	  w->walk->items[number - 1].value = copy.value;
	  w->walk->items[number - 1].next_isa = copy.next_isa;
	}
      w->block_start = true;
      return;
    }
  if (insn->kind == GEN_ERET)
    {
      struct gen_item copy = *step;
      exception_return (w, &copy);
      if (!w->silent)
	{
	  w->walk->items[number - 1].value = copy.value;
	  w->walk->items[number - 1].next_isa = copy.next_isa;
	}
      w->block_start = true;
      return;
    }
  w->block_start = branches || insn->kind == GEN_ISB;
  if (insn->kind == GEN_CALL)
    {
      bool is_m = gen_is_m (w->program->arch);
      take (w, is_m ? 11 : GEN_EXC_CALL,
	    is_m ? 0 : gen_below (w->random, GEN_HANDLERS), next, false);
      return;
    }
  go (w, next);
}

/* Run on for a while with tracing off.  */
static void
gap (struct walker *w, enum gen_event why)
{
  if (why == GEN_HALTED)
    {
      struct gen_item *item = add (w, GEN_EXCEPTION);
      item->number = GEN_EXC_HALT;
      item->value = w->at->address;
      item->next_isa = w->at->isa;
    }
  add (w, why);
  w->silent = true;
  for (unsigned n = gen_below (w->random, 60); n > 0; n--)
    one_step (w);
  w->silent = false;
  w->block_start = true;
}

static void
between_steps (struct walker *w)
{
  const struct gen_walk_options *o = w->options;
  if (happens (w, o->times))
    {
      w->time += gen_scaled (w->random, gen_chance (w->random, 2) ? 60 : 20);
      add (w, GEN_TIME)->value = w->time;
    }
  if (happens (w, o->triggers))
    add (w, GEN_TRIGGER)->number = gen_between (w->random, 1, 15);
  if (happens (w, o->syncs))
    add (w, GEN_SYNC);
  if (w->block_start && happens (w, o->contexts))
    {
      struct gen_context c = w->context;
      if (gen_chance (w->random, 70))
	c.cid = (uint32_t) gen_scaled (w->random, 32);
      if (gen_chance (w->random, 40))
	c.vmid = (uint32_t) gen_scaled (w->random, 8);
      set_context (w, &c);
    }
  if (happens (w, o->gaps))
    gap (w, gen_chance (w->random, 30) ? GEN_HALTED : GEN_OFF);
  else if (happens (w, o->losses))
    gap (w, GEN_LOST);
  else
    while (happens (w, o->exceptions))
      take_any (w, w->at, false);
}

void
gen_walk_make (struct gen_walk *walk, const struct gen_program *program,
	       const struct gen_walk_options *options,
	       struct gen_random *random)
{
  struct walker w = { .walk = walk, .program = program, .options = options,
		      .random = random };
  memset (walk, 0, sizeof *walk);
  walk->program = program;
  const struct gen_function *f
    = &program->functions[gen_between (random, GEN_HANDLERS,
				       program->nfunctions - 1)];
  w.at = &program->insns[f->first];
  w.block_start = true;
  w.time = gen_scaled (random, 50);
  w.context.cid = (uint32_t) gen_scaled (random, 32);
  w.context.vmid = (uint32_t) gen_scaled (random, 8);
  w.context.el = gen_is_m (program->arch) ? 0 : gen_below (random, 2);
  w.context.nonsecure = gen_chance (random, 50);
  walk->start = w.context;
  for (unsigned i = 0; i < options->steps; i++)
    {
      between_steps (&w);
      one_step (&w);
    }
  walk->items = gen_grow (walk->items, &walk->capacity, walk->count,
			  sizeof *walk->items);
  memset (&walk->items[walk->count], 0, sizeof *walk->items);
  walk->end = w.at->address;
  walk->end_isa = w.at->isa;
}

void
gen_walk_free (struct gen_walk *walk)
{
  free (walk->items);
}
