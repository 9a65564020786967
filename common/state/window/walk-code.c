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

/* Find out what a step does after this many visits of its instruction, and of A64 for this
   many sets of constants.  Where it is met MISSES times after that without one of them
   being right, as with a counter that is a constant each time, no longer look.  */
#define VISITS 3
#define CODES_A64 4
#define MISSES 50

#define WORD(member) TB_WALK_WORD (member)
#define WORDS TB_NAME_WORDS
_Static_assert (WORDS <= TB_WALK_WORDS, "More words than moves can be of.");

#define PLACE(place) (UINT64_C (1) << (place))

/* No rule; any BITS, or as they were.  */
#define UNTOUCHED 0xff

void
tb_walk_reset (struct tb_walk *w)
{
  free (w->first);
  free (w->codes);
  free (w->guards);
  free (w->pool.moves);
  free (w->ops);
  *w = (struct tb_walk) { .first = NULL };
}

size_t
tb_walk_bytes (const struct tb_walk *w)
{
  return w->codes_room * sizeof *w->codes + w->guards_room * sizeof *w->guards
	 + w->pool.room * sizeof *w->pool.moves + w->ops_room * sizeof *w->ops;
}

static tb_vid *
word (struct tb_names *n, size_t i)
{
  return (tb_vid *) n + i;
}

/* What the rules of C and V are is no number.  */
static bool
is_rule (size_t i)
{
  return i == WORD (c) || i == WORD (v);
}

uint64_t
tb_walk_slots (const struct tb_state *s, size_t i)
{
  if (i < tb_nslots (s))
    return PLACE (i);
  if (i < WORD (nz) || i >= WORD (x))
    return 0;
  if (i == WORD (nz))
    return PLACE (TB_SLOT_N) | PLACE (TB_SLOT_Z);
  return PLACE (i < WORD (v) ? TB_SLOT_C : TB_SLOT_V);
}

/* Do the names that operation K of T makes depend on nothing but it, what is guarded, the
   flags that are read later and the outcome?  */
static bool
is_simple (const struct tb_state *s, const struct tb_template *t, unsigned k)
{
  const struct tb_uop *u = &s->uops[t->first + k];
  if (u->dst >= TB_PLACE_FP || u->a >= TB_PLACE_FP || u->b >= TB_PLACE_FP
      || (s->a64 == NULL && u->when != TB_ALWAYS && u->when != TB_PLACE_IF)
      /* Whether what is chosen gets a name depends on what may be.  */
      || (s->a64 != NULL && u->when != TB_ALWAYS && tb_op_is (u->op, TB_WRITES)))
    return false;
  switch (u->op)
    {
    case TB_OP_CONDITION:
      return s->a64 != NULL || u->dst != TB_PLACE_IF || tb_build_told (s, t);
    case TB_OP_TARGET:
      /* It may lead to the other security state.  */
      return !(s->profile->is_m && s->profile->arch >= TB_ARCH_V8M_BASE);
    case TB_OP_LOAD_LITERAL:
      /* Its address is looked at.  */
      return s->a64 == NULL
	     || (k > 0 && u[-1].op == TB_OP_MOV && u[-1].a == TB_PLACE_IMM
		 && u[-1].dst == u->a);
    default:
      return tb_op_is (u->op, TB_PLAIN);
    }
}

/* Can the numbers that U computes be computed?  By names nothing is known of a C that
   nobody reads and that a shift by 0 left; the answer is to be the same.  */
static bool
is_computed (const struct tb_uop *u)
{
  return u->op != TB_OP_UNKNOWN && !(u->op == TB_OP_C_SHIFT && u->b != TB_PLACE_IMM);
}

/* What an instruction of A64 reads, and what it writes.  */
struct use
{
  struct tb_semantics_effect slots;
  bool compared;		/* By what the flags were compared counts.  */
  bool sets_flags;
};

static void
look_at (const struct tb_uop *uops, unsigned count, struct use *use)
{
  const uint64_t flags = UINT64_C (15) << TB_A64_N;
  tb_semantics_effect (uops, count, true, &use->slots);
  use->sets_flags = (use->slots.writes & flags) != 0;
  for (unsigned k = 0; k < count; k++)
    {
      use->sets_flags |= uops[k].op == TB_OP_COMPARED;
      use->compared |= tb_op_is (uops[k].op, TB_READS_FLAGS);
    }
}

static bool
add_guard (struct tb_walk *w, struct tb_walk_code *code, struct tb_names *n,
	   size_t i)
{
  tb_vid x = *word (n, i);
  if (!TB_GROW (w->guards, w->guards_room, w->nguards, 1))
    return false;
  w->guards[w->nguards++] = (struct tb_walk_guard) {
    .index = (uint32_t) i, .is = x & TB_CONSTANT ? x : 0
  };
  code->nguards++;
  return true;
}

/* Guard what USE reads of the names N.  False: no memory.  */
static bool
guard (struct tb_walk *w, struct tb_walk_code *code, struct tb_names *n,
       const struct use *use)
{
  code->guard = (uint32_t) w->nguards;
  code->looks = use->slots.reads;
  code->narrow = n->narrow & use->slots.reads;
  code->had = use->compared ? n->bits : UNTOUCHED;
  for (uint64_t left = use->slots.reads; left != 0; left &= left - 1)
    if (!add_guard (w, code, n, (size_t) __builtin_ctzll (left)))
      return false;
  return !use->compared || (add_guard (w, code, n, WORD (x))
			    && add_guard (w, code, n, WORD (y)));
}

/* Are the names N as CODE wants them?  */
static bool
is_guarded (const struct tb_walk *w, const struct tb_walk_code *code,
	    const struct tb_names *n)
{
  const tb_vid *words = (const tb_vid *) n;
  if ((n->narrow & code->looks) != code->narrow
      || (code->had != UNTOUCHED && code->had != n->bits))
    return false;
  for (unsigned k = 0; k < code->nguards; k++)
    {
      const struct tb_walk_guard *g = &w->guards[code->guard + k];
      tb_vid x = words[g->index];
      if ((x & TB_CONSTANT ? x : 0) != g->is)
	return false;
    }
  return true;
}

/* Names that stand for any, but for what is guarded to be a constant.  */
static void
stand (const struct tb_state *s, const struct tb_walk_code *code,
       struct tb_names *n)
{
  memcpy (n, &s->names, sizeof *n);
  for (size_t i = 0; i < WORDS; i++)
    if (!is_rule (i))
      *word (n, i) = TB_WALK_STANDS + (uint32_t) i;
  for (unsigned k = 0; k < code->nguards; k++)
    {
      const struct tb_walk_guard *g = &s->walk.guards[code->guard + k];
      if (g->is != 0)
	*word (n, g->index) = g->is;
    }
  n->c.op = n->v.op = UNTOUCHED;
  n->next_value = TB_WALK_MADE;
  n->next_access = 0;
  n->goes_on = 0;
  n->holds[0] = 0;
  n->nchosen = 0;
  n->lost = false;
}

/* Is nothing but the words, the width of values and the next numbers other than
   BEFORE?  */
static bool
rest_same (const struct tb_names *n, const struct tb_names *before)
{
  struct tb_names same;
  memcpy (&same, n, sizeof same);
  memcpy (&same, before, WORDS * sizeof (tb_vid));
  same.bits = before->bits;
  same.narrow = before->narrow;
  same.next_value = before->next_value;
  same.next_access = before->next_access;
  return memcmp (&same, before, sizeof same) == 0;
}

/* Note how N differs from BEFORE.  False without memory, or if it is not simple.  */
static bool
note (struct tb_state *s, struct tb_walk_code *code, struct tb_names *n,
      struct tb_names *before)
{
  uint64_t changed;
  code->c = n->c.op;
  code->v = n->v.op;
  /* These are no numbers.  */
  *word (n, WORD (c)) = *word (before, WORD (c));
  *word (n, WORD (v)) = *word (before, WORD (v));
  if (!tb_walk_moves_note (&s->walk.pool, &code->moves, word (n, 0),
			   word (before, 0), WORDS, n->next_value, &changed))
    return false;
  code->writes |= code->c != UNTOUCHED ? PLACE (TB_SLOT_C) : 0;
  code->writes |= code->v != UNTOUCHED ? PLACE (TB_SLOT_V) : 0;
  for (size_t i = 0; i < WORDS; i++)
    if (changed >> i & 1)
      code->writes |= tb_walk_slots (s, i);
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
  if (!TB_GROW (w->ops, w->ops_room, w->nops, TB_FORWARD_MOST (t->count + 0u)))
    return;
  unsigned n = tb_forward_compile (w->ops + w->nops, uops, t->count,
				   t->flags);
  tb_semantics_effect (uops, t->count, false, &effect);
  /* A flag that may keep its value passes it on.  */
  code->reads = (uint32_t) (effect.reads | (effect.may_write & ~effect.writes));
  code->may_write = (uint32_t) effect.may_write;
  code->op = (uint32_t) w->nops;
  code->computes = n != 0;
  for (unsigned k = 0; k < t->count; k++)
    {
      code->computes = code->computes && is_computed (&uops[k]);
      code->skips |= uops[k].when == TB_PLACE_IF;
    }
  w->nops += n;
}

/* Find out what step I, of T, does, and note it in CODE; USE: of A64.  */
static void
find_out (struct tb_state *s, uint64_t i, const struct tb_template *t,
	  const struct use *use, struct tb_walk_code *code)
{
  bool a64 = s->a64 != NULL;
  struct tb_names names, before;
  struct tb_builder b = tb_builder_of (s, &names, true);
  stand (s, code, &names);
  memcpy (&before, &names, sizeof before);
  tb_build_step (&b, i);
  code->forgets = !a64 && t->it >= TB_IT_NONE;
  code->values = names.next_value - TB_WALK_MADE;
  code->accesses = names.next_access;
  /* Temporaries are written before they are read.  */
  code->clear = a64 ? use->slots.writes | ~(PLACE (TB_A64_NSLOTS) - 1) : 0;
  code->set = names.narrow & code->clear;
  code->has = use->sets_flags ? names.bits : UNTOUCHED;
  code->simple = ((names.narrow ^ before.narrow) & ~code->clear) == 0
		 && rest_same (&names, &before)
		 && note (s, code, &names, &before);
  if (code->simple && !a64)
    compile (s, t, code);
}

/* A new code of step I, for steps with BITS.  NULL: no memory, or it must be named
   anew.  */
static const struct tb_walk_code *
add (struct tb_state *s, uint64_t i, struct tb_walk_first *first, uint8_t bits)
{
  struct tb_walk *w = &s->walk;
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  struct tb_walk_code code = { .next = first->code, .bits = bits,
			       .needs = t->reads };
  struct use use = { .compared = false };
  first->anew = !t->modelled || t->flags & TB_SEM_TRAPS;
  for (unsigned k = 0; k < t->count && !first->anew; k++)
    {
      first->anew = !is_simple (s, t, k);
      /* A shift that sets C asks for the C before.  */
      if (s->a64 == NULL && s->uops[t->first + k].op == TB_OP_C_SHIFT)
	code.needs |= s->info[i] >> TB_INFO_LIVE & 4;
    }
  if (first->anew)
    return NULL;
  w->failed = !TB_GROW (w->codes, w->codes_room, w->ncodes, 1);
  if (w->failed)
    return NULL;
  if (s->a64 != NULL)
    {
      look_at (s->uops + t->first, t->count, &use);
      first->bounded = true;
      first->writes = use.slots.writes;
      w->failed = !guard (w, &code, &s->names, &use);
      if (w->failed)
	return NULL;
    }
  find_out (s, i, t, &use, &code);
  first->codes++;
  w->codes[w->ncodes++] = code;
  first->code = (uint32_t) w->ncodes;
  return &w->codes[w->ncodes - 1];
}

/* CODE, if it can be done to the names N.  */
static const struct tb_walk_code *
usable (const struct tb_walk_code *code, const struct tb_names *n)
{
  if (!code->simple)
    return NULL;
  /* A flag without a name would be given one where it is read.  */
  for (unsigned k = 0; code->needs >> k != 0; k++)
    if (code->needs >> k & 1 && n->slot[TB_SLOT_N + k] == 0)
      return NULL;
  return code;
}

const struct tb_walk_code *
tb_walk_code (struct tb_state *s, uint64_t i)
{
  struct tb_walk *w = &s->walk;
  const struct tb_names *n = &s->names;
  uint32_t info = s->info[i];
  bool a64 = s->a64 != NULL;
  uint8_t bits = a64 ? 0 : (info & ~TB_INFO_EVENTS) >> 26;
  if (w->first == NULL && !w->failed)
    {
      w->first = calloc (s->ntemplates + 1, sizeof *w->first);
      w->failed = w->first == NULL;
    }
  if (w->failed || n->goes_on != 0
      || (n->lost | n->foreign | n->returning | n->trapped))
    return NULL;
  struct tb_walk_first *first = &w->first[info & TB_INFO_TEMPLATE];
  if (first->anew)
    return NULL;
  for (uint32_t at = first->code; at != 0; at = w->codes[at - 1].next)
    {
      const struct tb_walk_code *code = &w->codes[at - 1];
      if (code->bits == bits && (!a64 || is_guarded (w, code, n)))
	{
	  first->visits = 0;
	  return usable (code, n);
	}
    }
  bool full = a64 && first->codes == CODES_A64;
  if (++first->visits < (full ? MISSES : VISITS))
    return NULL;
  first->visits = 0;
  first->anew = full;
  const struct tb_walk_code *code = full ? NULL : add (s, i, first, bits);
  return code != NULL ? usable (code, n) : NULL;
}

bool
tb_walk_bounds (const struct tb_state *s, uint64_t i, uint64_t *writes)
{
  const struct tb_walk_first *first = s->walk.first;
  if (first == NULL || s->names.lost)
    return false;
  first += s->info[i] & TB_INFO_TEMPLATE;
  *writes = first->writes;
  return first->bounded;
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
  n->narrow = (n->narrow & ~code->clear) | code->set;
  if (code->has != UNTOUCHED)
    n->bits = code->has;
  n->next_value += code->values;
  n->next_access += code->accesses;
  if (code->forgets)
    {
      n->holds[0] = 0;
      n->nchosen = 0;
    }
}
