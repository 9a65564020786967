/* Walk: from one step of A64 code to the next.  See walk-a64.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

/* So often an instruction is met until it is worth while, and so many codes it may
   have.  Where it is met so often after that without one of them being right, as with
   a counter that is a constant each time, they are no longer looked at.  */
#define VISITS 3
#define CODES 4
#define MISSES 50

/* The part of struct tb_names that steps change, as words.  */
#define WORD(member) (offsetof (struct tb_names, member) / sizeof (tb_vid))
#define WORDS (WORD (y) + 1)
_Static_assert (WORDS <= TB_WALK_WORDS, "More words than moves can be of.");

#define PLACE(place) (UINT64_C (1) << (place))
#define UNTOUCHED 0xff

struct tb_a64_walk_first
{
  uint32_t code;		/* + 1; 0: there is none.  */
  uint8_t visits, codes;
  bool simple;			/* It may write only WRITES.  */
  bool anew;			/* It is named anew each time.  */
  uint64_t writes;		/* Slots.  */
};

/* One instruction, where what it reads is as the guards say.  */
struct tb_a64_walk_code
{
  uint32_t next;		/* The next one of the template + 1, or 0.  */
  uint32_t guard;		/* The first.  */
  uint8_t nguards;
  uint8_t had, has;		/* BITS of the names before and after; UNTOUCHED:
				   any, and as they were.  */
  struct tb_walk_moves moves;
  uint32_t values, accesses;	/* Numbers that are given.  */
  uint64_t reads, narrow;	/* Slots, and which of them are narrow.  */
  uint64_t clear, set;		/* Of NARROW.  */
  uint64_t writes;		/* Slots.  */
};

void
tb_a64_walk_reset (struct tb_a64_walk *w)
{
  free (w->first);
  free (w->codes);
  free (w->guards);
  free (w->pool.moves);
  *w = (struct tb_a64_walk) { .first = NULL };
}

size_t
tb_a64_walk_bytes (const struct tb_a64_walk *w)
{
  return w->codes_room * sizeof *w->codes
	 + w->guards_room * sizeof *w->guards
	 + w->pool.room * sizeof *w->pool.moves;
}

static tb_vid *
word (struct tb_names *n, size_t i)
{
  return (tb_vid *) n + i;
}

/* Do the names that operation K of T makes depend on nothing but what is guarded?  */
static bool
is_simple (const struct tb_uop *uops, unsigned k)
{
  const struct tb_uop *u = &uops[k];
  if (u->dst >= TB_A64_VECTOR || u->a >= TB_A64_VECTOR
      || u->b >= TB_A64_VECTOR)
    return false;
  /* Its address is looked at.  */
  if (u->op == TB_OP_LOAD_LITERAL)
    return k > 0 && u[-1].op == TB_OP_MOV && u[-1].a == TB_A64_IMM
	   && u[-1].dst == u->a;
  return tb_op_is (u->op, TB_PLAIN);
}

/* What T reads, and what it writes.  */
struct use
{
  uint64_t reads;		/* Slots.  */
  uint64_t writes;		/* Places.  */
  bool compared;		/* By what the flags were compared counts.  */
  bool sets_flags;
};

static void
look_at (const struct tb_uop *uops, unsigned count, struct use *use)
{
  *use = (struct use) { .reads = 0 };
  for (unsigned k = 0; k < count; k++)
    {
      const struct tb_uop *u = &uops[k];
      if (u->a < TB_A64_NSLOTS)
	use->reads |= PLACE (u->a);
      if (u->b < TB_A64_NSLOTS)
	use->reads |= PLACE (u->b);
      if (u->dst < TB_A64_NPLACES)
	use->writes |= PLACE (u->dst);
      if (tb_op_is (u->op, TB_READS_FLAGS))
	{
	  use->compared = true;
	  use->reads |= PLACE (TB_A64_N) | PLACE (TB_A64_Z) | PLACE (TB_A64_C)
			| PLACE (TB_A64_V);
	}
      use->sets_flags |= u->op == TB_OP_COMPARED
			 || (u->dst >= TB_A64_N && u->dst <= TB_A64_V);
    }
}

static bool
add_guard (struct tb_a64_walk *w, struct tb_a64_walk_code *code,
	   const struct tb_names *n, size_t i)
{
  tb_vid x = *word ((struct tb_names *) n, i);
  void *items = w->guards;
  if (!tb_grow (&items, &w->guards_room, w->nguards, 1, sizeof *w->guards))
    return false;
  w->guards = items;
  w->guards[w->nguards++] = (struct tb_a64_walk_guard) {
    .index = (uint32_t) i, .is = x & TB_CONSTANT ? x : 0
  };
  code->nguards++;
  return true;
}

/* Guard what USE reads of the names N.  */
static bool
guard (struct tb_a64_walk *w, struct tb_a64_walk_code *code,
       const struct tb_names *n, const struct use *use)
{
  code->guard = (uint32_t) w->nguards;
  code->reads = use->reads;
  code->narrow = n->narrow & use->reads;
  code->had = use->compared ? n->bits : UNTOUCHED;
  for (uint64_t left = use->reads; left != 0; left &= left - 1)
    if (!add_guard (w, code, n, (size_t) __builtin_ctzll (left)))
      return false;
  return !use->compared || (add_guard (w, code, n, WORD (x))
			    && add_guard (w, code, n, WORD (y)));
}

/* The names of S, but what is not guarded to be a constant stands for any.  */
static void
stand (const struct tb_state *s, const struct tb_a64_walk_code *code,
       struct tb_names *n)
{
  memcpy (n, &s->names, sizeof *n);
  for (size_t i = 0; i < WORDS; i++)
    *word (n, i) = TB_WALK_STANDS + (uint32_t) i;
  for (unsigned k = 0; k < code->nguards; k++)
    {
      const struct tb_a64_walk_guard *g = &s->a64->walk.guards[code->guard + k];
      if (g->is != 0)
	*word (n, g->index) = g->is;
    }
  n->next_value = TB_WALK_MADE;
  n->next_access = 0;
}

/* Is nothing but the words, BITS and the next numbers other than BEFORE?  */
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

/* Find out what step I does, and note it in CODE.  False without memory, or if it is
   not simple.  */
static bool
find_out (struct tb_state *s, uint64_t i, const struct use *use,
	  struct tb_a64_walk_code *code)
{
  struct tb_names names, before;
  struct tb_builder b = tb_builder_of (s, &names, true);
  uint64_t changed;
  stand (s, code, &names);
  memcpy (&before, &names, sizeof before);
  tb_build_step (&b, i);
  code->clear = use->writes;
  code->set = names.narrow & use->writes;
  code->has = use->sets_flags ? names.bits : UNTOUCHED;
  code->values = names.next_value - TB_WALK_MADE;
  code->accesses = names.next_access;
  if (((names.narrow ^ before.narrow) & ~use->writes) != 0
      || !rest_same (&names, &before))
    return false;
  names.narrow = before.narrow;
  if (!tb_walk_moves_note (&s->a64->walk.pool, &code->moves, word (&names, 0),
			   word (&before, 0), WORDS, names.next_value,
			   &changed))
    return false;
  code->writes = changed & (PLACE (TB_A64_NSLOTS) - 1);
  return true;
}

/* A new code of step I; NULL: it must be named anew.  */
static const struct tb_a64_walk_code *
add (struct tb_state *s, uint64_t i, struct tb_a64_walk_first *first)
{
  struct tb_a64_walk *w = &s->a64->walk;
  const struct tb_template *t
    = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  const struct tb_uop *uops = s->uops + t->first;
  struct tb_a64_walk_code code = { .next = first->code };
  struct use use;
  first->anew = !t->modelled;
  for (unsigned k = 0; k < t->count && !first->anew; k++)
    first->anew = !is_simple (uops, k);
  if (first->anew)
    return NULL;
  look_at (uops, t->count, &use);
  first->simple = true;
  first->writes = use.writes & (PLACE (TB_A64_NSLOTS) - 1);
  void *items = w->codes;
  first->anew = !tb_grow (&items, &w->codes_room, w->ncodes, 1,
			  sizeof *w->codes);
  if (first->anew)
    return NULL;
  w->codes = items;
  first->anew = !guard (w, &code, &s->names, &use)
		|| !find_out (s, i, &use, &code);
  if (first->anew)
    return NULL;
  first->codes++;
  w->codes[w->ncodes++] = code;
  first->code = (uint32_t) w->ncodes;
  return &w->codes[w->ncodes - 1];
}

/* Are the names N as CODE wants them?  */
static bool
is_guarded (const struct tb_a64_walk *w, const struct tb_a64_walk_code *code,
	    const struct tb_names *n)
{
  const tb_vid *words = (const tb_vid *) n;
  if ((n->narrow & code->reads) != code->narrow
      || (code->had != UNTOUCHED && code->had != n->bits))
    return false;
  for (unsigned k = 0; k < code->nguards; k++)
    {
      const struct tb_a64_walk_guard *g = &w->guards[code->guard + k];
      tb_vid x = words[g->index];
      if ((x & TB_CONSTANT ? x : 0) != g->is)
	return false;
    }
  return true;
}

/* What the step at the cursor does; NULL: it must be named anew.  */
static const struct tb_a64_walk_code *
find (struct tb_state *s)
{
  struct tb_a64_walk *w = &s->a64->walk;
  const struct tb_names *n = &s->names;
  if (w->first == NULL && !w->failed)
    {
      w->first = calloc (s->ntemplates + 1, sizeof *w->first);
      w->failed = w->first == NULL;
    }
  if (w->failed || n->lost || n->foreign || n->returning || n->trapped)
    return NULL;
  struct tb_a64_walk_first *first
    = &w->first[s->info[s->cursor] & TB_INFO_TEMPLATE];
  if (first->anew)
    return NULL;
  for (uint32_t at = first->code; at != 0; at = w->codes[at - 1].next)
    if (is_guarded (w, &w->codes[at - 1], n))
      {
	first->visits = 0;
	return &w->codes[at - 1];
      }
  if (++first->visits < (first->codes == CODES ? MISSES : VISITS))
    return NULL;
  first->visits = 0;
  if (first->codes < CODES)
    return add (s, s->cursor, first);
  first->anew = true;
  return NULL;
}

static void
name (const struct tb_a64_walk *w, const struct tb_a64_walk_code *code,
      struct tb_names *n)
{
  tb_walk_moves_do (&w->pool, &code->moves, word (n, 0), n->next_value);
  n->narrow = (n->narrow & ~code->clear) | code->set;
  if (code->has != UNTOUCHED)
    n->bits = code->has;
  n->next_value += code->values;
  n->next_access += code->accesses;
}

uint64_t
tb_a64_walk_step (struct tb_state *s)
{
  const struct tb_a64_walk_code *code = find (s);
  struct tb_builder b = tb_builder_of (s, &s->names, true);
  uint64_t next = s->cursor + 1, changed = 0;
  bool quiet = next < s->steps && !(s->info[next] & TB_INFO_EVENTS)
	       && (s->templates[s->info[next] & TB_INFO_TEMPLATE].space
		   == s->memory.space);
  if (code != NULL && quiet)
    {
      name (&s->a64->walk, code, &s->names);
      s->cursor = next;
      return code->writes;
    }
  const struct tb_a64_walk_first *first
    = s->a64->walk.first != NULL && quiet && !s->names.lost
      ? &s->a64->walk.first[s->info[s->cursor] & TB_INFO_TEMPLATE] : NULL;
  if (first != NULL && first->simple)
    {
      tb_build_step (&b, s->cursor);
      tb_build_arrive (&b, ++s->cursor);
      return first->writes;
    }
  tb_vid before[TB_A64_NSLOTS];
  memcpy (before, s->names.slot, sizeof before);
  tb_build_step (&b, s->cursor);
  tb_build_arrive (&b, ++s->cursor);
  for (unsigned i = 0; i < TB_A64_NSLOTS; i++)
    changed |= (uint64_t) (before[i] != s->names.slot[i]) << i;
  return changed;
}

const struct tb_value *
tb_a64_walk_registers (struct tb_state *s, uint64_t i)
{
  struct tb_a64_walk *w = &s->a64->walk;
  if (w->valid && w->at == i)
    return w->values;
  if (w->valid && w->at + 1 == i && s->cursor_valid && s->cursor == w->at)
    tb_a64_values (s, tb_a64_walk_step (s), w->values);
  else
    {
      tb_state_seek (s, i);
      memset (w->values, 0, sizeof w->values);
      tb_a64_values (s, UINT64_MAX, w->values);
    }
  w->valid = true;
  w->at = i;
  return w->values;
}

/* Follow a return from an exception, which the builder has followed as far as the step
   itself, up to step I of the window, to which it leads; false: more lies between
   them, or it is not known what.  */
static bool
follow_return (struct tb_builder *b, uint64_t i)
{
  size_t count;
  const struct tb_change *change = tb_build_changes (b->state, i, &count);
  if (i >= b->state->steps || count > 1
      || (count == 1 && change->kind != TB_CHANGE_CONTEXT))
    return false;
  tb_a64_change (b, i);
  return true;
}

void
tb_a64_after (struct tb_state *s, uint64_t i, struct tb_value *values)
{
  memset (values, 0, TB_NREGS_MAX * sizeof *values);
  tb_state_seek (s, i);
  struct tb_names before = s->names;
  struct tb_builder b = tb_builder_of (s, &s->names, true);
  tb_build_step (&b, i);
  bool unknown = s->names.returning && !follow_return (&b, i + 1);
  tb_a64_values (s, UINT64_MAX, values);
  if (unknown)
    values[TB_SP64] = values[TB_PSTATE] = (struct tb_value) { 0 };
  s->names = before;
}
