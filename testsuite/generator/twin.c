/* Another run beside a recorded one.  See twin.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/twin.h"
#include "run-32.h"

#define MOVED (UINT32_C (1) << 9)	/* Of a saved xPSR: the stack was not a multiple of 8.  */
#define PSR_FLAGS UINT32_C (0xf0000000)

static const uint8_t stacked[] = { 0, 1, 2, 3, 12, TB_SLOT_LR };

static uint32_t
byte_mask (unsigned size)
{
  return size < 4 ? (UINT32_C (1) << 8 * size) - 1 : UINT32_MAX;
}

bool
twin_in_ram (const struct twin_run *b, uint32_t address, unsigned size, size_t *at)
{
  *at = address - b->run.c.ram_base;
  return address >= b->run.c.ram_base && *at + size <= b->run.c.halt_size
	 && *at + size <= b->run.c.ram_size;
}

void
twin_put (struct twin_memory *m, size_t at, uint8_t value)
{
  m->differ -= m->set[at] && m->has[at] != m->truth[at];
  m->set[at] = 1;
  m->has[at] = value;
  m->differ += value != m->truth[at];
}

/* The truth writes VALUE there.  */
static void
put_truth (struct twin_memory *m, size_t at, uint8_t value)
{
  m->differ -= m->set[at] && m->has[at] != m->truth[at];
  m->truth[at] = value;
  m->differ += m->set[at] && m->has[at] != value;
}

static void
write_word (struct twin *t, uint32_t address, unsigned size, uint32_t value)
{
  size_t at;
  if (t->ghosts != NULL && ghosts_have (t->ghosts, address, size, &at))
    {
      ghosts_write (t->ghosts, at, size, value);
      return;
    }
  if (!twin_in_ram (t->b, address, size, &at))
    t->fails = true;
  for (unsigned i = 0; i < size && !t->fails; i++)
    twin_put (&t->m, at + i, (uint8_t) (value >> 8 * i));
}

/* What the truth's access A writes.  */
static void
write_truth (struct twin *t, const struct case_access *a)
{
  size_t at;
  if (a->is_store && twin_in_ram (t->b, a->address, a->size, &at))
    for (unsigned i = 0; i < a->size; i++)
      put_truth (&t->m, at + i, (uint8_t) (a->value >> 8 * i));
}

/* What the truth has in RAM at AT.  */
static uint32_t
truth_at (const struct twin *t, size_t at, unsigned size)
{
  uint32_t value = 0;
  for (unsigned i = 0; i < size; i++)
    value |= (uint32_t) t->m.truth[at + i] << 8 * i;
  return value;
}

/* A ghost's word, of which the truth's object has WISH.  */
static uint32_t
read_ghost (struct twin *t, size_t at, unsigned size, const uint32_t *wish)
{
  size_t truth;
  if (wish == NULL && !twin_in_ram (t->b, ghosts_truth (t->ghosts, at), size, &truth))
    {
      t->fails = true;
      return 0;
    }
  return ghosts_read (t->ghosts, at, size, wish != NULL ? *wish : truth_at (t, truth, size));
}

/* WISH, which the word at AT of RAM holds to begin with, in a twin with ghosts: what the trace
   never writes stays what the dump has, and the object in the dump knows itself.  */
static uint32_t
haunt (const struct twin *t, size_t at, uint32_t wish)
{
  const struct ghosts *g = t->ghosts;
  if (!t->b->written[at / 4] || ghosts_own (g, t->b->run.c.ram_base + (uint32_t) at))
    return wish;
  return ghosts_value (g, wish, g->now);
}

/* What the twin finds there; before anything is known of it WISH, or what the dump has.  */
static uint32_t
read_word (struct twin *t, uint32_t address, unsigned size, const uint32_t *wish)
{
  uint32_t value = 0, haunted;
  size_t at;
  if (t->ghosts != NULL && ghosts_have (t->ghosts, address, size, &at))
    return read_ghost (t, at, size, wish);
  if (!twin_in_ram (t->b, address, size, &at))
    {
      t->fails = true;
      return 0;
    }
  if (t->ghosts != NULL && wish != NULL && size == 4 && (at & 3) == 0)
    {
      haunted = haunt (t, at, *wish);
      wish = &haunted;
    }
  for (unsigned i = 0; i < size; i++)
    {
      if (!t->m.set[at + i])
	twin_put (&t->m, at + i,
		  wish != NULL ? (uint8_t) (*wish >> 8 * i) : t->b->run.c.halt_ram[at + i]);
      value |= (uint32_t) t->m.has[at + i] << 8 * i;
    }
  return value;
}

/* The truth's next access, if it is of that kind.  */
static const struct case_access *
next_access (struct twin *t, unsigned size, bool store)
{
  const struct case_access *a = &t->b->accesses[t->at->first + t->done];
  bool is = t->done++ < t->at->count && a->size == size && a->is_store == store;
  return is && (store || a->known) ? a : NULL;
}

static bool
is_memory (const struct twin *t, uint32_t address, unsigned size)
{
  size_t at;
  return twin_in_ram (t->b, address, size, &at)
	 || (t->ghosts != NULL && ghosts_have (t->ghosts, address, size, &at));
}

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  struct twin *t = context;
  const struct case_access *a = next_access (t, size, false);
  uint32_t value;
  t->fails |= address % size != 0;
  if (t->fails)
    return 0;
  if (is_memory (t, address, size))
    return read_word (t, address, size, a != NULL ? &a->value : NULL);
  if (a != NULL && a->address == address)
    return a->value & byte_mask (size);
  t->fails |= address - t->b->run.c.flash_base > t->b->run.c.flash_size - size
	      || !case_read (&t->b->run, address, size, &value);
  return t->fails ? 0 : value;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct twin *t = context;
  const struct case_access *a = next_access (t, size, true);
  t->fails |= address % size != 0;
  if (t->fails)
    return;
  if (is_memory (t, address, size))
    write_word (t, address, size, value);
  else if (a == NULL || a->address != address || ((a->value ^ value) & byte_mask (size)) != 0)
    t->fails = true;
}

uint32_t
twin_difference (const uint32_t *x, const uint32_t *y)
{
  uint32_t mask = 0;
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (x[i] != y[i])
      mask |= TB_SLOT_BIT (i);
  return mask & TWIN_PLACES;
}

/* The twin's exception saves, for step NEXT; of FRAME it has the return address and the mode.  */
static void
enter (struct twin *t, const struct twin_step *next, const uint32_t *frame)
{
  uint32_t *p = t->p, sp = p[TB_SLOT_SP], to = (sp - 4 * FRAME_WORDS) & ~UINT32_C (7);
  uint32_t psr = (frame[FRAME_PSR] & ~(PSR_FLAGS | MOVED)) | ((sp & 4) != 0 ? MOVED : 0);
  for (unsigned i = 0; i < 4; i++)
    psr |= p[TB_SLOT_N + i] << (31 - i);
  for (unsigned i = 0; i < FRAME_WORDS; i++)
    write_word (t, to + 4 * i, 4,
		i < sizeof stacked ? p[stacked[i]] : i == FRAME_PC ? frame[i] : psr);
  if (p[TB_SLOT_SPSEL])
    {
      p[TB_SLOT_SP] = p[TB_SLOT_SP_OTHER];
      p[TB_SLOT_SP_OTHER] = to;
    }
  else
    p[TB_SLOT_SP] = to;
  /* These may be anything: they are what the truth has.  */
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if ((TWIN_LOST_BY_ENTRY | TB_SLOT_BIT (TB_SLOT_LR)) >> i & 1)
      p[i] = next->before[i];
  p[TB_SLOT_SPSEL] = 0;
  p[TB_SLOT_HANDLER] = 1;
  p[TB_SLOT_IPSR] = next->before[TB_SLOT_IPSR];
}

/* The twin's exception gives back what is saved, FRAME in the truth.  */
static void
leave (struct twin *t, const uint32_t *frame)
{
  uint32_t *p = t->p, word[FRAME_WORDS];
  bool thread = (frame[FRAME_PSR] & 511) == 0;
  unsigned slot = thread ? TB_SLOT_SP_OTHER : TB_SLOT_SP;
  uint32_t at = p[slot];
  for (unsigned i = 0; i < FRAME_WORDS; i++)
    word[i] = read_word (t, at + 4 * i, 4, &frame[i]);
  t->fails |= word[FRAME_PC] != frame[FRAME_PC]
	      || ((word[FRAME_PSR] ^ frame[FRAME_PSR]) & ~(PSR_FLAGS | MOVED)) != 0;
  for (unsigned i = 0; i < sizeof stacked; i++)
    p[stacked[i]] = word[i];
  for (unsigned i = 0; i < 4; i++)
    p[TB_SLOT_N + i] = word[FRAME_PSR] >> (31 - i) & 1;
  at += 4 * FRAME_WORDS + ((word[FRAME_PSR] & MOVED) != 0 ? 4 : 0);
  if (thread)
    {
      p[TB_SLOT_SP_OTHER] = p[TB_SLOT_SP];
      p[TB_SLOT_SPSEL] = 1;
      p[TB_SLOT_HANDLER] = 0;
    }
  p[TB_SLOT_SP] = at;
  p[TB_SLOT_IPSR] = frame[FRAME_PSR] & 511;
}

void
twin_pass (struct twin *t, const struct twin_step *at)
{
  if (at->passage == RETURNS || at->passage == RETURNS_AND_ENTERS)
    leave (t, at->frame);
  if (at->passage == ENTERS)
    enter (t, at + 1, at->frame);
  if (at->passage == RETURNS_AND_ENTERS)
    enter (t, at + 1, at->left);
  if (at->passage == CHAINS)
    for (unsigned i = 0; i < TB_NSLOTS; i++)
      if ((TWIN_LOST_BY_ENTRY | TB_SLOT_BIT (TB_SLOT_LR) | TB_SLOT_BIT (TB_SLOT_IPSR)) >> i & 1)
	t->p[i] = at[1].before[i];
  t->fails |= at->passage == OPAQUE;
}

void
twin_pass_truth (struct twin *t, const struct twin_step *at)
{
  for (unsigned i = 0; i < at->count; i++)
    write_truth (t, &t->b->accesses[at->first + i]);
  if (at->passage != ENTERS && at->passage != RETURNS_AND_ENTERS)
    return;
  const uint32_t *frame = at->passage == ENTERS ? at->frame : at->left;
  uint32_t to = at[1].before[(at[1].before[TB_SLOT_LR] & 4) != 0 ? TB_SLOT_SP_OTHER : TB_SLOT_SP];
  for (unsigned i = 0; i < FRAME_WORDS; i++)
    write_truth (t, &(struct case_access) { .address = to + 4 * i, .value = frame[i], .size = 4,
					    .is_store = true });
}

static bool
same_result (const struct tb_semantics_result *x, const struct tb_semantics_result *y)
{
  return x->conditional == y->conditional && x->taken == y->taken && x->indirect == y->indirect
	 && (!x->indirect || x->target == y->target);
}

/* Memory of the truth before the step that is run, for running the truth.  */
static uint32_t
load_truth (void *context, uint32_t address, unsigned size)
{
  struct twin *t = context;
  const struct case_access *a = next_access (t, size, false);
  (void) address;
  return a != NULL ? a->value & byte_mask (size) : 0;
}

static void
store_truth (void *context, uint32_t address, unsigned size, uint32_t value)
{
  next_access (context, size, true);
  (void) address, (void) value;
}

void
twin_run_truth (struct twin *t, const struct twin_step *at, uint32_t *places,
		struct tb_semantics_result *result)
{
  struct tb_forward_memory memory = { load_truth, store_truth, t };
  t->at = at;
  t->done = 0;
  memset (places, 0, TB_PLACE_END * sizeof *places);
  memcpy (places, at->before, sizeof at->before);
  run_32 (&at->semantics, places, &memory, result);
}

/* The number of the register that AT reads PSPLIM to; -1: it does not.  */
static int
limit_read (const struct twin_step *at)
{
  return (at->s->opcode & 0xfffff0ff) == 0xf3ef800b ? (int) (at->s->opcode >> 8 & 15) : -1;
}

static void
run_twin (struct twin *t, const struct twin_step *at, uint32_t differ)
{
  struct tb_forward_memory memory = { load, store, t };
  struct tb_semantics_result ours, theirs;
  uint32_t truth[TB_PLACE_END];
  if (!at->followed && limit_read (at) >= 0)
    /* The limit is the truth's: what writes it is, below.  */
    {
      t->p[limit_read (at)] = at[1].before[limit_read (at)];
      return;
    }
  if (!at->followed)
    {
      t->fails |= (differ & at->touches) != 0 || at->count != 0;
      for (unsigned i = 0; i < TB_NSLOTS; i++)
	if (!(differ >> i & 1) && at->passage == PLAIN)
	  t->p[i] = at[1].before[i];
      t->fails |= at->passage != PLAIN;
      return;
    }
  twin_run_truth (t, at, truth, &theirs);
  t->done = 0;
  run_32 (&at->semantics, t->p, &memory, &ours);
  t->fails |= !same_result (&ours, &theirs) || t->done > at->count;
}

/* Nothing is other from now on: no ghost and no change of one is to come.  */
static bool
is_settled (const struct twin *t)
{
  const struct ghosts *g = t->ghosts;
  return t->m.differ == 0
	 && (g == NULL || (g->now >= g->count
			   && (g->change == SIZE_MAX || g->nlooks > g->change)));
}

/* Is what the twin has at the end what the halt has?  */
static bool
agrees_with_halt (const struct twin *t)
{
  const struct corpus_case *c = &t->b->run.c;
  for (size_t i = 0; i < c->halt_size && i < c->ram_size; i++)
    if (t->m.set[i] && t->m.has[i] != c->halt_ram[i])
      return false;
  return true;
}

bool
twin_go (struct twin *t, const struct twin_step *at)
{
  run_twin (t, at, twin_difference (t->p, at->before));
  if (!t->fails)
    twin_pass (t, at);
  twin_pass_truth (t, at);
  return !t->fails;
}

bool
twin_try (struct twin *t, size_t first, size_t *end)
{
  struct twin_run *b = t->b;
  for (size_t i = first; i + 1 < b->nsteps; i++)
    {
      b->differing[i] = twin_difference (t->p, b->steps[i].before);
      *end = i + 1;
      if (b->differing[i] == 0 && is_settled (t))
	return true;
      if (!twin_go (t, &b->steps[i]))
	return false;
    }
  /* Before the last step all is as at the halt.  */
  return twin_difference (t->p, b->steps[b->nsteps - 1].before) == 0 && agrees_with_halt (t);
}

bool
twin_open (struct twin *t, struct twin_run *b)
{
  size_t size = b->run.c.ram_size;
  *t = (struct twin) { .b = b, .m = { malloc (size), malloc (size), malloc (size), 0 } };
  return t->m.has != NULL && t->m.set != NULL && t->m.truth != NULL;
}

void
twin_close (struct twin *t)
{
  free (t->m.has);
  free (t->m.set);
  free (t->m.truth);
}

void
twin_begin (struct twin *t, const uint8_t *truth, const struct twin_step *at)
{
  size_t size = t->b->run.c.ram_size;
  memset (t->m.set, 0, size);
  memcpy (t->m.truth, truth, size);
  t->m.differ = 0;
  t->fails = false;
  memset (t->p, 0, sizeof t->p);
  memcpy (t->p, at->before, sizeof at->before);
}
