/* Why values are not known, counted.  See reasons.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/reasons.h"
#include "state/window/builder.h"
#include "state/window/it.h"
#include "state/explain/reasons-window.h"
#include "state/window/walk.h"
#include "state/window/windows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/search.h"

/* Accesses of a step.  */
#define ACCESSES 64

static const struct
{
  const char *name, *words;
} names[TB_WHY_NOTS] = {
  [TB_WHY_NOT_START] = { "start", "held since the trace began" },
  [TB_WHY_NOT_WINDOW] = { "window", "held since before the window" },
  [TB_WHY_NOT_GAP] = { "gap", "held since a gap" },
  [TB_WHY_NOT_EXCEPTION] = { "exception", "left open by an exception" },
  [TB_WHY_NOT_INSTRUCTION] = { "instruction", "made by what is not followed" },
  [TB_WHY_NOT_ADDRESS] = { "address", "loaded, address not known" },
  [TB_WHY_NOT_STORE] = { "store", "loaded, a store in the way" },
  [TB_WHY_NOT_CONTENTS] = { "contents", "loaded, contents not told" },
  [TB_WHY_NOT_DEVICE] = { "device", "loaded from a device" },
  [TB_WHY_NOT_SHARED] = { "shared", "loaded, others may write it" },
  [TB_WHY_NOT_DUMPED] = { "dump", "loaded, in no dump" },
  [TB_WHY_NOT_SPACE] = { "space", "loaded in another space" },
  [TB_WHY_NOT_CONDITION] = { "condition", "a condition is not known" },
  [TB_WHY_NOT_ENOUGH] = { "part", "known in part only" },
  [TB_WHY_NOT_ANALYSED] = { "analysed", "step is not analysed" },
  [TB_WHY_NOT_LOGGED] = { "log", "not in the log" },
  [TB_WHY_NOT_DOUBT] = { "doubt", "a premise is doubted" }
};

const char *
tb_why_not_name (enum tb_why_not why)
{
  return names[why].name;
}

const char *
tb_why_not_words (enum tb_why_not why)
{
  return names[why].words;
}

/* Has T an operation with one of PROPERTIES?  */
static bool
does (const struct tb_state *s, const struct tb_template *t,
      unsigned properties)
{
  for (unsigned k = 0; k < t->count; k++)
    if (tb_op_is (s->uops[t->first + k].op, properties))
      return true;
  return false;
}

/* Why what has names before step I, which changes make, is not known.  */
static enum tb_why_not
by_changes (const struct tb_state *s, uint64_t i)
{
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i, &count);
  /* Of A64 an instruction alone may lead to another exception level.  */
  enum tb_why_not why = s->a64 != NULL ? TB_WHY_NOT_EXCEPTION : TB_WHY_NOT_GAP;
  for (size_t k = 0; k < count; k++)
    if (change[k].kind == TB_CHANGE_LOST)
      return TB_WHY_NOT_GAP;
    else if (change[k].kind != TB_CHANGE_CONTEXT)
      why = TB_WHY_NOT_EXCEPTION;
  return why;
}

/* Why the names behind step I that nothing makes are not known, LOST: why those before
   it if all were lost; *END: the next value when the instruction was done.  */
static enum tb_why_not
behind_step (struct tb_state *s, uint64_t i, enum tb_why_not lost, tb_vid *end)
{
  uint32_t number = s->info[i] & TB_INFO_TEMPLATE;
  const struct tb_template *t = &s->templates[number];
  bool modelled = t->modelled;
  bool changes = i + 1 == s->steps || s->info[i + 1] & TB_INFO_EVENTS
		 || (s->a64 != NULL && does (s, t, TB_SWITCHES));
  enum tb_why_not why = TB_WHY_NOT_INSTRUCTION;
  if (!modelled && s->own_templates != 0 && number >= s->own_templates)
    why = TB_WHY_NOT_ANALYSED;
  else if (s->names.lost && t->it == TB_IT_UNSURE)
    /* Not followed as it may be in an IT block, until that is told.  */
    why = lost;
  if (changes)
    {
      struct tb_names after = s->names;
      struct tb_builder b = tb_builder_of (s, &after, true);
      tb_build_step (&b, i);
      *end = after.next_value;
      if (modelled)
	why = by_changes (s, i + 1);
      tb_state_seek (s, i + 1);
      return why;
    }
  *end = s->names.next_value;
  tb_state_seek (s, i + 1);
  if (modelled)
    *end = s->names.next_value;
  return why;
}

/* Look through the window once, for which values and accesses each step makes.  */
static void
look_through (struct tb_state *s, struct tb_reasons_window *w)
{
  enum tb_why_not why = s->base == 0 ? TB_WHY_NOT_START : TB_WHY_NOT_WINDOW;
  tb_state_seek (s, 0);
  tb_reasons_mark (&w->values, 1, s->names.next_value, why);
  for (uint64_t i = 0; i < s->steps; i++)
    {
      tb_vid begin = s->names.next_value, end;
      const struct tb_template *t
	= &s->templates[s->info[i] & TB_INFO_TEMPLATE];
      w->accesses[i] = s->names.next_access;
      bool foreign = s->names.foreign && does (s, t, TB_LOADS);
      why = behind_step (s, i, why, &end);
      tb_reasons_mark (&w->values, begin, end,
		       foreign ? TB_WHY_NOT_SPACE : TB_WHY_NOT_INSTRUCTION);
      tb_reasons_mark (&w->values, end, s->names.next_value, why);
    }
  w->accesses[s->steps] = s->names.next_access;
}

/* A value that is not known of those that RULE makes a flag of; 0: there is none.  */
static tb_vid
by_rule (const struct tb_state *s, const struct tb_flag_rule *rule)
{
  const tb_vid of[] = { rule->a, rule->b, rule->carry };
  for (unsigned k = 0; k < 3 && rule->op != TB_OP_UNKNOWN; k++)
    if (of[k] != 0 && !tb_known_all (tb_graph_known (&s->graph, of[k])))
      return of[k];
  return 0;
}

/* The value in PLACE before step I of the window, or one that a flag without a value
   follows from; 0: there is none.  */
static tb_vid
value_at (struct tb_state *s, uint64_t i, unsigned place)
{
  bool a64 = s->a64 != NULL;
  tb_state_seek (s, i);
  const struct tb_names *n = &s->names;
  if (place < TB_EFFECT_N)
    return place <= (a64 ? (unsigned) TB_A64_SP : (unsigned) TB_LR)
	   ? n->slot[place] : 0;
  unsigned flag = place - TB_EFFECT_N;
  tb_vid id = n->slot[tb_slot_n (s) + flag];
  return id != 0 || a64 ? id : flag < 2 ? n->nz
	 : by_rule (s, flag == 2 ? &n->c : &n->v);
}

/* The accesses of step I, but those that CERTAIN, which may be S, knows not to have
   happened.  */
static size_t
accesses_of (struct tb_state *s, struct tb_state *certain, uint64_t i,
	     struct tb_reasons_access *accesses)
{
  struct tb_walk_access own[ACCESSES], sure[ACCESSES];
  size_t count = 0;
  size_t all = tb_walk_accesses (certain, i, sure, ACCESSES);
  size_t n = tb_walk_accesses (s, i, own, ACCESSES);
  for (size_t k = 0; k < n && k < all; k++)
    if (sure[k].kind != TB_MEM_NONE)
      accesses[count++] = (struct tb_reasons_access) {
	.address = own[k].address, .value = own[k].value,
	.maybe = own[k].kind == TB_MEM_MAYBE || own[k].kind == TB_MEM_NONE,
	.foreign = own[k].address == 0
      };
  return count;
}

/* Let go of the window, but keep what its end was.  */
static void
let_go (struct tb_reasons_window *w)
{
  struct tb_reasons_carried carried = w->carried;
  tb_reasons_values_fini (&w->values);
  free (w->accesses);
  free (w->blames);
  *w = (struct tb_reasons_window) { .carried = carried };
}

/* One more of STORES; it keeps the order.  */
static void
add_store (struct tb_reasons *r, uint64_t step, struct tb_reasons_blame blame)
{
  if (blame.pairs == 0 && blame.through == 0)
    return;
  if (!TB_GROW (r->stores, r->stores_room, r->nstores, 1))
    {
      r->failed = true;
      return;
    }
  r->stores[r->nstores++] = (struct tb_reasons_store) {
    step, blame.pairs, blame.through
  };
}

/* The step that made ACCESS; what an exception stacks is done by the step before.  */
static uint64_t
step_of (const struct tb_reasons_window *w, uint32_t access)
{
  uint64_t low;
  TB_LOWER_BOUND (low, w->steps, w->accesses[low + 1] <= access);
  return w->base + low;
}

/* No more steps of the window will come.  */
static void
leave (struct tb_reasons *r)
{
  struct tb_reasons_window *w = r->window;
  if (w->state == NULL)
    return;
  for (size_t i = 0; i < w->naccesses; i++)
    add_store (r, step_of (w, (uint32_t) i), w->blames[i]);
  for (unsigned k = 0; k < TB_REASONS_PLACES; k++)
    {
      add_store (r, w->carried.store[k], w->carried.blames[k]);
      w->carried.blames[k] = (struct tb_reasons_blame) { 0, 0 };
    }
  r->failed |= w->values.failed;
  let_go (w);
}

/* What is not known at the first step is so for the reason that it has at the end of
   the window before.  */
static void
take_carried (struct tb_state *s, struct tb_reasons_window *w)
{
  for (unsigned k = 0; k < TB_REASONS_PLACES; k++)
    {
      tb_vid id = value_at (s, 0, k);
      if (id == 0 || id & TB_CONSTANT || id >= w->values.count)
	continue;
      uint32_t store = w->carried.store[k] != TB_REASONS_NONE
		       ? TB_REASONS_CARRIED | k : 0;
      tb_reasons_settle (&w->values, id, w->carried.why[k], store);
    }
}

/* Begin with window S; false: no memory.  */
static bool
enter (struct tb_reasons_window *w, struct tb_state *s)
{
  w->state = s;
  w->base = s->base;
  w->steps = s->steps;
  w->naccesses = s->memory.naccesses;
  w->accesses = malloc ((w->steps + 1) * sizeof *w->accesses);
  w->blames = calloc (w->naccesses + 1, sizeof *w->blames);
  bool ok = w->accesses != NULL && w->blames != NULL;
  assert (s->graph.kinds == NULL);
  ok = ok && tb_reasons_values_begin (&w->values, &s->graph, &s->memory);
  if (ok)
    look_through (s, w);
  if (ok && w->carried.valid && w->carried.end == w->base)
    take_carried (s, w);
  w->carried.valid = false;
  if (!ok)
    let_go (w);
  return ok;
}

/* Count one more pair that access STORE is in the way of, because of WHY.  */
static void
blame (struct tb_reasons_window *w, uint32_t store, enum tb_why_not why)
{
  struct tb_reasons_blame *blame
    = store & TB_REASONS_CARRIED
      ? &w->carried.blames[store & (TB_REASONS_PLACES - 1)]
      : &w->blames[store];
  if (why == TB_WHY_NOT_STORE)
    blame->pairs++;
  else
    blame->through++;
}

/* The steps of the window are at their end: keep why what is in registers there is not
   known.  */
static void
carry (struct tb_reasons *r, struct tb_state *s)
{
  struct tb_reasons_window *w = r->window;
  struct tb_reasons_carried next = { .valid = true,
				     .end = w->base + w->steps };
  for (unsigned k = 0; k < TB_REASONS_PLACES; k++)
    {
      uint32_t store = 0;
      tb_vid id = value_at (s, w->steps, k);
      next.why[k] = id != 0 ? (uint8_t) tb_reasons_find (&w->values, id, &store)
		    : TB_WHY_NOT_ANALYSED;
      next.store[k] = store == 0 ? TB_REASONS_NONE
		      : store & TB_REASONS_CARRIED
		      ? w->carried.store[store & (TB_REASONS_PLACES - 1)]
		      : step_of (w, store);
    }
  leave (r);
  w->carried = next;
}

/* Why the value ID of the window is not known; BLAMED: the store that is in the way
   counts one more pair.  */
static struct tb_reasons_count *
reason_of (struct tb_reasons *r, tb_vid id, bool blamed)
{
  struct tb_reasons_window *w = r->window;
  uint32_t store;
  if (id == 0)
    return &r->counts[TB_WHY_NOT_ANALYSED];
  enum tb_why_not why = tb_reasons_find (&w->values, id, &store);
  if (blamed && store != 0)
    blame (w, store, why);
  return &r->counts[why];
}

/* The registers and flags REGISTERS before step I of window S.  */
static void
add_registers (struct tb_reasons *r, struct tb_state *s, uint64_t i,
	       uint64_t registers)
{
  uint64_t left = registers & ~TB_EFFECT_NZCV, flags = registers & TB_EFFECT_NZCV;
  /* Of the flags the first one tells.  */
  left |= flags & -flags;
  for (; left != 0; left &= left - 1)
    reason_of (r, value_at (s, i, (unsigned) __builtin_ctzll (left)),
	       true)->pairs++;
}

/* Why ID, the address or the value of ACCESS, is not known.  */
static struct tb_reasons_count *
access_reason (struct tb_reasons *r, const struct tb_reasons_access *access, tb_vid id)
{
  if (access->foreign)
    return &r->counts[TB_WHY_NOT_SPACE];
  struct tb_reasons_count *c = reason_of (r, id, false);
  /* What may not have happened has none that is certain.  */
  return access->maybe && c == &r->counts[TB_WHY_NOT_ENOUGH]
	 ? &r->counts[TB_WHY_NOT_CONDITION] : c;
}

static void
add_accesses (struct tb_reasons *r, struct tb_state *s,
	      struct tb_state *certain, uint64_t i,
	      const struct tb_access_info *accesses, size_t n)
{
  struct tb_reasons_access own[ACCESSES];
  size_t count = accesses_of (s, certain, i, own);
  for (size_t k = 0; k < n; k++)
    {
      const struct tb_access_info *a = &accesses[k];
      struct tb_reasons_access none = { .address = 0 };
      const struct tb_reasons_access *o = k < count ? &own[k] : &none;
      if (!a->address_known && a->store)
	access_reason (r, o, o->address)->store_addresses++;
      else if (!a->address_known)
	access_reason (r, o, o->address)->load_addresses++;
      if (!a->value_known && a->store)
	access_reason (r, o, o->value)->store_values++;
      else if (!a->value_known)
	access_reason (r, o, o->value)->load_values++;
    }
}

/* The same reason for all of it.  */
static void
add_all (struct tb_reasons_count *c, uint64_t registers,
	 const struct tb_access_info *accesses, size_t n)
{
  c->pairs += (uint64_t) __builtin_popcountll (registers & ~TB_EFFECT_NZCV)
	      + ((registers & TB_EFFECT_NZCV) != 0);
  for (size_t k = 0; k < n; k++)
    {
      *(accesses[k].store ? &c->store_addresses : &c->load_addresses)
	+= !accesses[k].address_known;
      *(accesses[k].store ? &c->store_values : &c->load_values)
	+= !accesses[k].value_known;
    }
}

void
tb_reasons_add (struct tb_reasons *r, struct tb_state *state, uint64_t step,
		uint64_t registers, const struct tb_access_info *accesses,
		size_t n)
{
  if (state->log != NULL)
    {
      add_all (&r->counts[TB_WHY_NOT_LOGGED], registers, accesses, n);
      return;
    }
  struct tb_state *certain = tb_windows_at (state, step);
  struct tb_state *s = certain->assumed != NULL ? certain->assumed : certain;
  uint64_t base = s->base, count = s->steps;
  if (step < base || step - base >= count)
    {
      add_all (&r->counts[TB_WHY_NOT_ANALYSED], registers, accesses, n);
      return;
    }
  if (r->window == NULL)
    r->window = calloc (1, sizeof *r->window);
  r->failed |= r->window == NULL;
  if (r->failed)
    return;
  if (r->window->state != s || r->window->base != base)
    {
      leave (r);
      r->failed |= !enter (r->window, s);
    }
  if (r->failed)
    return;
  add_registers (r, s, step - base, registers);
  add_accesses (r, s, certain, step - base, accesses, n);
  if (step + 1 == base + count)
    carry (r, s);
}

static int
by_step (const void *x, const void *y)
{
  const struct tb_reasons_store *a = x, *b = y;
  return a->step < b->step ? -1 : a->step > b->step;
}

static int
by_pairs (const void *x, const void *y)
{
  const struct tb_reasons_store *a = x, *b = y;
  uint64_t p = a->pairs + a->through, q = b->pairs + b->through;
  return p > q ? -1 : p < q ? 1 : by_step (x, y);
}

void
tb_reasons_end (struct tb_reasons *r)
{
  size_t n = 0;
  if (r->window != NULL)
    leave (r);
  if (r->nstores == 0)
    return;
  qsort (r->stores, r->nstores, sizeof *r->stores, by_step);
  for (size_t i = 1; i < r->nstores; i++)
    if (r->stores[i].step == r->stores[n].step)
      {
	r->stores[n].pairs += r->stores[i].pairs;
	r->stores[n].through += r->stores[i].through;
      }
    else
      r->stores[++n] = r->stores[i];
  r->nstores = n + 1;
  qsort (r->stores, r->nstores, sizeof *r->stores, by_pairs);
}

void
tb_reasons_fini (struct tb_reasons *r)
{
  if (r->window != NULL)
    let_go (r->window);
  free (r->window);
  free (r->stores);
  *r = (struct tb_reasons) { .window = NULL };
}
