/* Finding out what a step does to any names.  See walk.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/walk.h"
#include "state/window/walk-code.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* So often a step is met until it is worth while.  */
#define VISITS 3

/* The part of struct tb_names that steps change, as words; two of them are not
   numbers, but what the rules of C and V are.  */
#define WORD(member) (offsetof (struct tb_names, member) / sizeof (tb_vid))
#define WORDS WORD (x)
_Static_assert (WORDS <= TB_WALK_WORDS, "More words than moves can be of.");

/* No rule.  */
#define UNTOUCHED 0xff

void
tb_walk_reset (struct tb_walk *w)
{
  free (w->first);
  free (w->codes);
  free (w->pool.moves);
  free (w->ops);
  *w = (struct tb_walk) { .first = NULL };
}

size_t
tb_walk_bytes (const struct tb_walk *w)
{
  return w->codes_room * sizeof *w->codes + w->pool.room * sizeof *w->pool.moves
	 + w->ops_room * sizeof *w->ops;
}

static tb_vid *
word (struct tb_names *n, size_t i)
{
  return (tb_vid *) n + i;
}

static bool
is_rule (size_t i)
{
  return i == WORD (c) || i == WORD (v);
}

/* Do the names that U makes depend on nothing but it, the flags that are read later
   and the outcome?  */
static bool
is_simple (const struct tb_state *s, const struct tb_template *t,
	   const struct tb_uop *u)
{
  if (u->dst >= TB_PLACE_FP || u->a >= TB_PLACE_FP || u->b >= TB_PLACE_FP)
    return false;
  switch (u->op)
    {
    case TB_OP_IF:
      return t->flags & TB_SEM_BRANCH || s->conditions_told;
    case TB_OP_TARGET:
      /* It may lead to the other security state.  */
      return !(s->profile->is_m && s->profile->arch >= TB_ARCH_V8M_BASE);
    default:
      return tb_op_is (u->op, TB_PLAIN);
    }
}

/* Can the numbers that U computes be computed?  By names nothing is known of a C that
   nobody reads and that a shift by 0 left; the answer is to be the same.  */
static bool
is_computed (const struct tb_uop *u)
{
  return u->op != TB_OP_UNKNOWN && u->op != TB_OP_STORE_MAYBE
	 && !(u->op == TB_OP_C_SHIFT && u->b != TB_PLACE_IMM);
}

/* Names that stand for any.  */
static void
stand (const struct tb_state *s, struct tb_names *n)
{
  memcpy (n, &s->names, sizeof *n);
  for (size_t i = 0; i < WORDS; i++)
    if (!is_rule (i))
      *word (n, i) = TB_WALK_STANDS + (uint32_t) i;
  n->c.op = n->v.op = UNTOUCHED;
  n->next_value = TB_WALK_MADE;
  n->next_access = 0;
  n->goes_on = 0;
  n->holds[0] = 0;
  n->nchosen = 0;
  n->lost = false;
}

/* Is nothing but the words and the next numbers other than BEFORE?  */
static bool
rest_same (const struct tb_names *n, const struct tb_names *before)
{
  struct tb_names same;
  memcpy (&same, n, sizeof same);
  memcpy (&same, before, WORDS * sizeof (tb_vid));
  same.next_value = before->next_value;
  same.next_access = before->next_access;
  return memcmp (&same, before, sizeof same) == 0;
}

/* The slots that word I of the names is about.  */
static uint32_t
slots_of (size_t i)
{
  if (i < TB_NSLOTS)
    return TB_SLOT_BIT (i);
  if (i == WORD (nz))
    return TB_SLOT_BIT (TB_SLOT_N) | TB_SLOT_BIT (TB_SLOT_Z);
  return i < WORD (c) ? 0
	 : TB_SLOT_BIT (i < WORD (v) ? TB_SLOT_C : TB_SLOT_V);
}

/* Note how N differs from BEFORE.  False without memory, or if it is not simple.  */
static bool
note (struct tb_walk *w, struct tb_walk_code *code, struct tb_names *n,
      struct tb_names *before)
{
  uint64_t changed;
  code->c = n->c.op;
  code->v = n->v.op;
  /* These are no numbers.  */
  *word (n, WORD (c)) = *word (before, WORD (c));
  *word (n, WORD (v)) = *word (before, WORD (v));
  if (!tb_walk_moves_note (&w->pool, &code->moves, word (n, 0),
			   word (before, 0), WORDS, n->next_value, &changed))
    return false;
  code->writes |= code->c != UNTOUCHED ? TB_SLOT_BIT (TB_SLOT_C) : 0;
  code->writes |= code->v != UNTOUCHED ? TB_SLOT_BIT (TB_SLOT_V) : 0;
  for (size_t i = 0; i < WORDS; i++)
    if (changed >> i & 1)
      code->writes |= slots_of (i);
  return true;
}

/* Compile T.  */
static void
compile (struct tb_state *s, const struct tb_template *t,
	 struct tb_walk_code *code)
{
  struct tb_walk *w = &s->walk;
  const struct tb_uop *uops = s->uops + t->first;
  struct tb_semantics_effect effect;
  void *items = w->ops;
  if (!tb_grow (&items, &w->ops_room, w->nops, t->count + 1u,
		sizeof *w->ops))
    return;
  w->ops = items;
  unsigned n = tb_forward_compile (w->ops + w->nops, uops, t->count,
				   t->flags);
  tb_semantics_effect (uops, t->count, &effect);
  /* A flag that may keep its value passes it on.  */
  code->reads = effect.reads | (effect.may_write & ~effect.writes);
  code->may_write = effect.may_write;
  code->op = (uint32_t) w->nops;
  code->computes = n != 0;
  for (unsigned k = 0; k < t->count; k++)
    {
      code->computes = code->computes && is_computed (&uops[k]);
      code->skips |= uops[k].op == TB_OP_IF;
    }
  w->nops += n;
}

static void
find_out (struct tb_state *s, uint64_t i, struct tb_walk_code *code)
{
  const struct tb_template *t
    = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  struct tb_names names, before;
  struct tb_builder b = tb_builder_of (s, &names, true);
  code->found = true;
  if (!t->modelled || t->flags & TB_SEM_TRAPS)
    return;
  code->needs = t->reads;
  for (unsigned k = 0; k < t->count; k++)
    {
      const struct tb_uop *u = &s->uops[t->first + k];
      if (!is_simple (s, t, u))
	return;
      /* A shift that sets C asks for the C before.  */
      if (u->op == TB_OP_C_SHIFT)
	code->needs |= s->info[i] >> TB_INFO_LIVE & 4;
    }
  stand (s, &names);
  memcpy (&before, &names, sizeof before);
  tb_build_step (&b, i);
  code->forgets = t->it >= TB_IT_NONE;
  code->values = names.next_value - TB_WALK_MADE;
  code->accesses = names.next_access;
  code->simple = rest_same (&names, &before)
		 && note (&s->walk, code, &names, &before);
  if (code->simple)
    compile (s, t, code);
}

/* A new code of the steps with INFO.  NULL: no memory.  */
static struct tb_walk_code *
add (struct tb_state *s, uint32_t info)
{
  struct tb_walk *w = &s->walk;
  uint32_t *first = &w->first[info & TB_INFO_TEMPLATE];
  void *items = w->codes;
  if (!tb_grow (&items, &w->codes_room, w->ncodes, 1, sizeof *w->codes))
    return NULL;
  w->codes = items;
  struct tb_walk_code *code = &w->codes[w->ncodes++];
  *code = (struct tb_walk_code) {
    .next = *first, .bits = (info & ~TB_INFO_EVENTS) >> 26
  };
  *first = (uint32_t) w->ncodes;
  return code;
}

const struct tb_walk_code *
tb_walk_code (struct tb_state *s, uint64_t i)
{
  struct tb_walk *w = &s->walk;
  const struct tb_names *n = &s->names;
  uint32_t info = s->info[i], number = info & TB_INFO_TEMPLATE;
  struct tb_walk_code *code = NULL;
  if (w->first == NULL && !w->failed)
    {
      w->first = calloc (s->ntemplates + 1, sizeof *w->first);
      w->failed = w->first == NULL;
    }
  if (w->failed)
    return NULL;
  for (uint32_t at = w->first[number]; at != 0 && code == NULL;
       at = w->codes[at - 1].next)
    if (w->codes[at - 1].bits == (info & ~TB_INFO_EVENTS) >> 26)
      code = &w->codes[at - 1];
  if (code == NULL && (code = add (s, info)) == NULL)
    return NULL;
  if (!code->found)
    {
      if (++code->visits < VISITS)
	return NULL;
      find_out (s, i, code);
    }
  if (!code->simple || n->lost || n->goes_on != 0)
    return NULL;
  /* A flag without a name would be given one where it is read.  */
  for (unsigned k = 0; k < 4; k++)
    if (code->needs >> k & 1 && n->slot[TB_SLOT_N + k] == 0)
      return NULL;
  return code;
}

void
tb_walk_name (const struct tb_walk *w, const struct tb_walk_code *code,
	      struct tb_names *n)
{
  tb_walk_moves_do (&w->pool, &code->moves, word (n, 0), n->next_value);
  if (code->c != UNTOUCHED)
    n->c.op = code->c;
  if (code->v != UNTOUCHED)
    n->v.op = code->v;
  n->next_value += code->values;
  n->next_access += code->accesses;
  if (code->forgets)
    {
      n->holds[0] = 0;
      n->nchosen = 0;
    }
}
