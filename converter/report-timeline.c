/* The time line of a report: calls and exceptions, the longest if there are many.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "recording/level-names.h"
#include "util/buffer.h"

/* What a page can hold and a browser draw.  */
#define LEVELS_MOST 150000

#define LENGTHS 64		/* By the number of bits.  */

/* A level that is over.  */
struct bar
{
  uint64_t begin, end;
  uint32_t depth;
  uint32_t name;
  bool exception;
};

struct timeline
{
  const struct named_recording *named;
  uint64_t lengths[LENGTHS];	/* How many levels have that length.  */
  uint64_t least;		/* Shorter ones are left out.  */
  uint64_t *begins;		/* Of the open levels.  */
  size_t nbegins, begins_room;
  struct bar *bars;
  size_t nbars, bars_room;
  struct tb_level *keys;		/* What has a name, */
  size_t nkeys, keys_room;
  uint32_t *of_function;	/* and of each function its number there + 1.  */
};

static unsigned
length_class (uint64_t steps)
{
  return steps != 0 ? 64u - (unsigned) __builtin_clzll (steps) - 1 : 0;
}

static bool
open_level (void *context, struct tb_level *levels, size_t count, uint64_t step)
{
  struct timeline *t = context;
  (void) levels;
  if (!TB_GROW (t->begins, t->begins_room, count - 1, 1))
    return false;
  t->begins[count - 1] = step;
  return true;
}

static bool
count_level (void *context, struct tb_level *levels, size_t count, uint64_t step,
	     enum tb_level_end end, uint64_t by)
{
  struct timeline *t = context;
  (void) end;
  (void) by;
  (void) levels;
  t->lengths[length_class (step - t->begins[count - 1])]++;
  return true;
}

/* The number of LEVEL's name; SIZE_MAX: no memory.  */
static size_t
name_number (struct timeline *t, const struct tb_level *level)
{
  size_t count;
  const struct tb_function *functions
    = tb_symbols_functions (t->named->symbols, &count);
  uint32_t *known = level->function != NULL
		    ? &t->of_function[level->function - functions] : NULL;
  if (known != NULL && *known != 0)
    return *known - 1;
  /* Exceptions and code without names: there are few.  */
  for (size_t i = t->nkeys; known == NULL && i-- > 0;)
    if (t->keys[i].function == NULL
	&& (t->keys[i].kind == TB_LEVEL_EXCEPTION)
	   == (level->kind == TB_LEVEL_EXCEPTION)
	&& t->keys[i].number == level->number
	&& t->keys[i].address == level->address)
      return i;
  if (!TB_GROW (t->keys, t->keys_room, t->nkeys, 1))
    return SIZE_MAX;
  t->keys[t->nkeys] = *level;
  if (known != NULL)
    *known = (uint32_t) t->nkeys + 1;
  return t->nkeys++;
}

static bool
keep_level (void *context, struct tb_level *levels, size_t count, uint64_t step,
	    enum tb_level_end end, uint64_t by)
{
  struct timeline *t = context;
  (void) end;
  (void) by;
  uint64_t begin = t->begins[count - 1];
  if (step - begin < t->least || step == begin)
    return true;
  size_t name = name_number (t, &levels[count - 1]);
  if (name == SIZE_MAX
      || !TB_GROW (t->bars, t->bars_room, t->nbars, 1))
    return false;
  t->bars[t->nbars++] = (struct bar) {
    begin, step, (uint32_t) (count - 1), (uint32_t) name,
    levels[count - 1].kind == TB_LEVEL_EXCEPTION
  };
  return true;
}

static int
bar_order (const void *x, const void *y)
{
  const struct bar *a = x, *b = y;
  if (a->depth != b->depth)
    return a->depth < b->depth ? -1 : 1;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static bool
put (const struct timeline *t, uint64_t left_out, FILE *out)
{
  fputs (",\"names\":[", out);
  for (size_t i = 0; i < t->nkeys; i++)
    {
      char *name = tb_level_name (&t->keys[i], &t->named->stream->core->profile);
      if (name == NULL)
	return false;
      if (i > 0)
	fputc (',', out);
      json_string (name, out);
      free (name);
    }
  fputs ("],\"levels\":[", out);
  for (size_t i = 0; i < t->nbars; i++)
    {
      const struct bar *b = &t->bars[i];
      fprintf (out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%d]",
	       i > 0 ? "," : "", b->depth, b->name, b->begin, b->end,
	       b->exception);
    }
  fprintf (out, "],\"left_out\":%" PRIu64 ",\"least\":%" PRIu64, left_out,
	   t->least);
  return true;
}

bool
report_timeline (const struct named_recording *named, FILE *out)
{
  struct timeline t = { .named = named };
  struct tb_level_user user = { .open = open_level, .close = count_level,
				.context = &t,
				.sp = tb_level_sp,
				.sp_context = named->sp,
				.tasks = named->tasks };
  size_t count;
  tb_symbols_functions (named->symbols, &count);
  t.of_function = calloc (count + 1, sizeof *t.of_function);
  bool ok = t.of_function != NULL
	    && tb_levels_walk (named->recording, named->symbols, &user);
  /* The longest that are few enough.  */
  uint64_t kept = 0, left_out = 0;
  unsigned class = LENGTHS;
  while (class > 0 && kept + t.lengths[class - 1] <= LEVELS_MOST)
    kept += t.lengths[--class];
  for (unsigned i = 0; i < class; i++)
    left_out += t.lengths[i];
  t.least = class == LENGTHS ? UINT64_MAX : class == 0 ? 0
	    : UINT64_C (1) << class;
  user.close = keep_level;
  ok = ok && tb_levels_walk (named->recording, named->symbols, &user);
  if (ok && t.nbars > 0)
    qsort (t.bars, t.nbars, sizeof *t.bars, bar_order);
  ok = ok && put (&t, left_out, out);
  free (t.begins);
  free (t.bars);
  free (t.keys);
  free (t.of_function);
  return ok;
}
