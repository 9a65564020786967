/* Making facts: steps, registers, accesses, events.  See facts-build.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/facts-builder.h"

#include <stdlib.h>
#include <string.h>

#include "recording/facts-memory.h"
#include "util/buffer.h"

/* No core has more registers.  */
#define REGISTERS_MOST 2048

struct tb_facts_builder *
tb_facts_build_new (const char *name, size_t length)
{
  struct tb_facts_builder *b = calloc (1, sizeof *b);
  if (b == NULL)
    return NULL;
  b->facts = calloc (1, sizeof *b->facts);
  b->table_size = 1024;
  b->table = calloc (b->table_size, sizeof *b->table);
  if (b->facts != NULL)
    b->facts->name = strndup (name, length);
  if (b->table == NULL || b->facts == NULL || b->facts->name == NULL
      || tb_facts_build_mode (b, "", 0) != 0 || b->failed)
    {
      tb_facts_build_free (b);
      return NULL;
    }
  return b;
}

void
tb_facts_build_free (struct tb_facts_builder *b)
{
  if (b == NULL)
    return;
  if (b->facts != NULL)
    for (size_t i = 0; i < b->facts->nregisters; i++)
      {
	free (b->last[i].values);
	free (b->last[i].masks);
      }
  free (b->last);
  free (b->table);
  tb_memory_build_fini (&b->memory);
  tb_facts_free (b->facts);
  free (b);
}

struct tb_columns *
tb_facts_build_facts (struct tb_facts_builder *b)
{
  return b->facts;
}

void
tb_facts_build_fail (struct tb_facts_builder *b)
{
  b->failed = true;
}

bool
tb_facts_build_failed (const struct tb_facts_builder *b)
{
  return b->failed;
}

/* Modes.  */

uint8_t
tb_facts_build_mode (struct tb_facts_builder *b, const char *text,
		     size_t length)
{
  struct tb_columns *f = b->facts;
  for (size_t i = 0; i < f->nmodes; i++)
    if (strncmp (f->modes[i], text, length) == 0 && f->modes[i][length] == 0)
      return (uint8_t) i;
  if (f->nmodes == UINT8_MAX)
    return 0;
  bool ok = TB_GROW (f->modes, b->mode_room, f->nmodes, 1);
  char *copy = ok ? strndup (text, length) : NULL;
  if (copy == NULL)
    {
      b->failed = true;
      return 0;
    }
  f->modes[f->nmodes] = copy;
  return (uint8_t) f->nmodes++;
}

/* Steps.  */

static inline uint32_t
hash_code (const struct tb_facts_code *c)
{
  uint64_t h = c->pc * UINT64_C (0x9e3779b97f4a7c15);
  h ^= ((uint64_t) c->opcode << 8 | (uint64_t) c->flags << 4 | c->mode)
       * UINT64_C (0xc2b2ae3d27d4eb4f);
  return (uint32_t) (h >> 32 ^ h >> 15);
}

static inline bool
same_code (const struct tb_facts_code *a, const struct tb_facts_code *b)
{
  return a->pc == b->pc && a->opcode == b->opcode && a->size == b->size
	 && a->isa == b->isa && a->flags == b->flags && a->mode == b->mode;
}

/* Twice the table.  */
static bool
grow_table (struct tb_facts_builder *b)
{
  const struct tb_facts_code *codes
    = (const struct tb_facts_code *) b->facts->codes.data;
  size_t size = 2 * b->table_size;
  uint32_t *table = calloc (size, sizeof *table);
  if (table == NULL)
    return false;
  for (size_t i = 0; i < b->ncodes; i++)
    {
      size_t at = hash_code (&codes[i]) & (size - 1);
      while (table[at] != 0)
	at = (at + 1) & (size - 1);
      table[at] = (uint32_t) i + 1;
    }
  free (b->table);
  b->table = table;
  b->table_size = size;
  return true;
}

/* The bytes of the code that C is, as its fetch has read them.  */
static void
fetch (struct tb_facts_builder *b, const struct tb_facts_code *c)
{
  uint8_t bytes[4];
  uint32_t word = c->opcode;
  if (c->size == 0 || c->pc % 2 != 0)
    return;
  if (c->isa == TB_ISA_T32 && c->size == 4)
    word = word >> 16 | word << 16;
  for (unsigned i = 0; i < c->size; i++)
    bytes[i] = (uint8_t) (word >> 8 * i);
  for (unsigned i = 0; i < c->size; i += 2)
    if (tb_memory_build_read (&b->memory, b->facts->steps, c->pc + i,
			      bytes + i, 2, false) == TB_MEMORY_FAILED)
      b->failed = true;
}

/* The number of C among the distinct instructions.  */
static uint32_t
code_number (struct tb_facts_builder *b, const struct tb_facts_code *c)
{
  struct tb_columns *f = b->facts;
  const struct tb_facts_code *codes
    = (const struct tb_facts_code *) f->codes.data;
  /* As a rule what ran after the last one ran after it before.  */
  uint32_t next = b->last_code + 1;
  if (next < b->ncodes && same_code (&codes[next], c))
    return next;
  size_t at = hash_code (c) & (b->table_size - 1);
  for (; b->table[at] != 0; at = (at + 1) & (b->table_size - 1))
    if (same_code (&codes[b->table[at] - 1], c))
      return b->table[at] - 1;
  struct tb_facts_code *new = tb_column_extend (&f->codes, sizeof *new);
  if (new == NULL)
    {
      b->failed = true;
      return 0;
    }
  *new = *c;
  b->table[at] = (uint32_t) ++b->ncodes;
  if (b->ncodes > b->table_size / 2 && !grow_table (b))
    b->failed = true;
  fetch (b, c);
  return (uint32_t) (b->ncodes - 1);
}

/* Keep TIME of the step that is being added.  */
static void
add_time (struct tb_facts_builder *b, uint64_t time)
{
  struct tb_columns *f = b->facts;
  unsigned at = f->steps % TB_TIMES_BLOCK;
  int64_t delta = (int64_t) (time - b->time);
  bool ok = true;
  if (at == 0)
    {
      struct tb_facts_times *t = tb_column_extend (&f->times, sizeof *t);
      ok = t != NULL;
      if (ok)
	*t = (struct tb_facts_times) { .time = time, .delta = b->delta,
				       .offset = f->time_bytes.size };
      b->irregular = false;
    }
  else
    {
      if (delta != b->delta && !b->irregular)
	{
	  /* All so far had the difference of the block.  */
	  struct tb_facts_times *t
	    = (struct tb_facts_times *) (f->times.data + f->times.size) - 1;
	  b->irregular = true;
	  if (at == 1)
	    {
	      t->delta = delta;
	      b->delta = delta;
	      b->irregular = false;
	    }
	  else
	    {
	      uint8_t *zeros = tb_column_extend (&f->time_bytes, at - 1);
	      ok = zeros != NULL;
	      if (ok)
		memset (zeros, 0, at - 1);
	    }
	}
      if (b->irregular)
	ok = ok && tb_varint_put (&f->time_bytes,
				  tb_zigzag ((int64_t) ((uint64_t) delta
							- (uint64_t) b->delta)));
      b->delta = delta;
    }
  b->time = time;
  b->failed |= !ok;
}

void
tb_facts_build_step (struct tb_facts_builder *b,
		     const struct tb_facts_code *code, bool has_time,
		     uint64_t time)
{
  struct tb_columns *f = b->facts;
  if (b->failed || f->steps >= TB_FACTS_STEPS_MOST)
    {
      b->failed = true;
      return;
    }
  uint32_t number = code_number (b, code);
  if (f->steps == 0 || number != b->last_code + 1)
    b->failed |= !tb_column_u32 (&f->run_steps, (uint32_t) f->steps)
		 || !tb_column_u32 (&f->run_codes, number);
  b->last_code = number;
  f->has_times |= has_time;
  add_time (b, has_time ? time : b->time);
  f->totals.skipped += (code->flags & TB_CODE_SKIPPED) != 0;
  f->steps++;
}

void
tb_facts_build_scale (struct tb_facts_builder *b, uint64_t factor)
{
  b->failed |= !tb_facts_scale_times (b->facts, factor);
  b->time *= factor;
  b->delta = (int64_t) ((uint64_t) b->delta * factor);
}

const struct tb_facts_code *
tb_facts_build_code (const struct tb_facts_builder *b)
{
  return (const struct tb_facts_code *) b->facts->codes.data + b->last_code;
}

/* Registers.  */

size_t
tb_facts_build_register (struct tb_facts_builder *b, const char *name,
			 size_t length, unsigned lanes)
{
  struct tb_columns *f = b->facts;
  size_t n = 0;
  uint32_t hash = (uint32_t) length;
  for (size_t i = 0; i < length; i++)
    hash = hash * 31 + (unsigned char) name[i];
  while (n < f->nregisters
	 && (b->last[n].hash != hash
	     || strncmp (f->registers[n].name, name, length) != 0
	     || f->registers[n].name[length] != 0))
    n++;
  if (n == REGISTERS_MOST)
    return SIZE_MAX;
  if (n == f->nregisters)
    {
      bool ok = TB_GROW (f->registers, b->register_room, n, 1)
		&& TB_GROW (b->last, b->last_room, n, 1);
      char *copy = ok ? strndup (name, length) : NULL;
      if (copy == NULL)
	{
	  b->failed = true;
	  return SIZE_MAX;
	}
      f->registers[n] = (struct tb_facts_register) { .name = copy };
      b->last[n] = (struct tb_facts_last) { NULL, NULL, hash };
      f->nregisters++;
    }
  struct tb_facts_register *r = &f->registers[n];
  if (lanes <= r->nlanes)
    return n;
  struct tb_facts_last *l = &b->last[n];
  struct tb_facts_lane *more = realloc (r->lanes, lanes * sizeof *more);
  if (more != NULL)
    r->lanes = more;
  uint32_t *values = realloc (l->values, lanes * sizeof *values);
  if (values != NULL)
    l->values = values;
  uint32_t *masks = realloc (l->masks, lanes * sizeof *masks);
  if (masks != NULL)
    l->masks = masks;
  if (more == NULL || values == NULL || masks == NULL)
    {
      b->failed = true;
      return SIZE_MAX;
    }
  for (unsigned i = r->nlanes; i < lanes; i++)
    {
      r->lanes[i] = (struct tb_facts_lane) { 0 };
      values[i] = masks[i] = 0;
    }
  r->nlanes = lanes;
  return n;
}

/* Let LANE become VALUE before step AT.  */
static bool
put_change (struct tb_facts_changes *lane, uint64_t at, uint32_t value)
{
  uint32_t *steps = (uint32_t *) lane->steps.data;
  uint32_t *values = (uint32_t *) lane->values.data;
  size_t n = TB_COLUMN_COUNT (&lane->steps, uint32_t), place = n;
  /* What comes late is not much older than what came last.  */
  while (place > 0 && steps[place - 1] > at)
    place--;
  if (place > 0 && steps[place - 1] == at)
    {
      values[place - 1] = value;
      return true;
    }
  /* Both or none: they have as many items.  */
  if (!tb_column_reserve (&lane->steps, sizeof *steps)
      || !tb_column_reserve (&lane->values, sizeof *values))
    return false;
  tb_column_u32 (&lane->steps, (uint32_t) at);
  tb_column_u32 (&lane->values, value);
  if (place == n)
    return true;
  steps = (uint32_t *) lane->steps.data;
  values = (uint32_t *) lane->values.data;
  memmove (steps + place + 1, steps + place, (n - place) * sizeof *steps);
  memmove (values + place + 1, values + place, (n - place) * sizeof *values);
  steps[place] = (uint32_t) at;
  values[place] = value;
  return true;
}

void
tb_facts_build_value (struct tb_facts_builder *b, size_t reg, unsigned lane,
		      uint64_t at, uint32_t value, uint32_t mask)
{
  if (b->failed)
    return;
  struct tb_facts_register *r = &b->facts->registers[reg];
  struct tb_facts_last *l = &b->last[reg];
  struct tb_facts_changes *to = &r->lanes[lane].values;
  struct tb_facts_changes *masks = &r->lanes[lane].masks;
  size_t n = TB_COLUMN_COUNT (&to->steps, uint32_t);
  const uint32_t *steps = (const uint32_t *) to->steps.data;
  bool late = n > 0 && steps[n - 1] > at;
  size_t m = TB_COLUMN_COUNT (&masks->steps, uint32_t);
  if (mask != (m > 0 ? ((uint32_t *) masks->values.data)[m - 1] : UINT32_MAX))
    b->failed |= !put_change (masks, at, mask);
  if (!late)
    {
      bool same = n > 0 && l->values[lane] == value;
      l->values[lane] = value;
      l->masks[lane] = mask;
      if (same)
	return;
    }
  b->failed |= !put_change (to, at, value);
}

uint32_t
tb_facts_build_last (const struct tb_facts_builder *b, size_t reg,
		     unsigned lane, uint32_t *mask)
{
  *mask = b->last[reg].masks[lane];
  return b->last[reg].values[lane];
}

/* Events.  */

void
tb_facts_build_event (struct tb_facts_builder *b, const struct tb_event *event)
{
  struct tb_event *to = tb_column_extend (&b->facts->events, sizeof *to);
  if (to == NULL)
    b->failed = true;
  else
    *to = *event;
}

/* Lane LANE of register REG, which is known, is not any more behind an event before step AT:
   if lines told of it there, in front of the first such event, keep what they did.  */
static void
undo (struct tb_facts_builder *b, size_t reg, unsigned lane, uint64_t at)
{
  const struct tb_facts_lane *of = &b->facts->registers[reg].lanes[lane];
  bool told = false;
  for (unsigned i = 0; i < 2; i++)
    {
      const struct tb_column *steps = i != 0 ? &of->masks.steps : &of->values.steps;
      size_t n = TB_COLUMN_COUNT (steps, uint32_t);
      told |= n > 0 && ((const uint32_t *) steps->data)[n - 1] == at;
    }
  if (!told || b->forgotten == at + 1)
    return;
  struct tb_facts_undone *to = tb_column_extend (&b->facts->undone, sizeof *to);
  if (to != NULL)
    *to = (struct tb_facts_undone) { .step = (uint32_t) at, .reg = (uint32_t) reg,
				     .lane = lane, .value = b->last[reg].values[lane],
				     .mask = b->last[reg].masks[lane] };
  b->failed |= to == NULL;
}

void
tb_facts_build_forget (struct tb_facts_builder *b, uint64_t at)
{
  for (size_t i = 0; i < b->facts->nregisters; i++)
    {
      struct tb_facts_register *r = &b->facts->registers[i];
      for (unsigned k = 0; k < r->nlanes; k++)
	if (b->last[i].masks[k] != 0)
	  {
	    undo (b, i, k, at);
	    b->last[i].masks[k] = 0;
	    b->failed |= !put_change (&r->lanes[k].masks, at, 0);
	  }
    }
  b->forgotten = at + 1;
  b->failed |= !tb_memory_build_forget (&b->memory, at);
}

static int
by_step (const void *a, const void *b)
{
  const struct tb_facts_access *x = a, *y = b;
  return x->step != y->step ? (x->step < y->step ? -1 : 1) : 0;
}

static int
other_by_step (const void *a, const void *b)
{
  const struct tb_facts_other *x = a, *y = b;
  return x->step != y->step ? (x->step < y->step ? -1 : 1) : 0;
}

/* Sort what may have come late.  */
static void
sort_others (struct tb_column *column)
{
  struct tb_facts_other *items = (struct tb_facts_other *) column->data;
  size_t count = TB_COLUMN_COUNT (column, struct tb_facts_other);
  for (size_t i = 1; i < count; i++)
    if (items[i].step < items[i - 1].step)
      {
	qsort (items, count, sizeof *items, other_by_step);
	break;
      }
}

struct tb_columns *
tb_facts_build_finish (struct tb_facts_builder *b)
{
  struct tb_columns *f = b->facts;
  free (b->table);
  b->table = NULL;
  if (!b->failed)
    b->failed = !tb_memory_build_seal (&b->memory, f);
  if (f->late_accesses.size > 0)
    qsort (f->late_accesses.data,
	   TB_COLUMN_COUNT (&f->late_accesses, struct tb_facts_access),
	   sizeof (struct tb_facts_access), by_step);
  sort_others (&f->others);
  if (f->unit == NULL)
    f->unit = strdup ("");
  bool ok = !b->failed && f->unit != NULL;
  if (ok)
    {
      for (size_t i = 0; i < f->nregisters; i++)
	{
	  free (b->last[i].values);
	  free (b->last[i].masks);
	  b->last[i] = (struct tb_facts_last) { NULL, NULL, 0 };
	}
      b->facts = NULL;
    }
  else
    f = NULL;
  tb_facts_build_free (b);
  return f;
}
