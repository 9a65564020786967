/* What threads were called when perf recorded.  See names.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/names.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"
#include "util/number.h"
#include "util/search.h"

/* Where a record COMM has the thread, and its name.  */
enum { COMM_TID = 12, COMM_NAME = 16 };

bool
tb_perf_names_take (struct tb_perf_names *names, const struct tb_perf_record *record)
{
  if (record->length <= COMM_NAME)
    return true;
  if (!TB_GROW (names->items, names->capacity, names->count, 1))
    return false;
  struct tb_perf_name *name = &names->items[names->count];
  *name = (struct tb_perf_name) {
    .tid = tb_number_32 (record->bytes + COMM_TID), .order = names->count
  };
  size_t room = record->length - COMM_NAME;
  size_t length = strnlen ((const char *) record->bytes + COMM_NAME,
			   room < TB_PERF_NAME - 1 ? room : TB_PERF_NAME - 1);
  memcpy (name->text, record->bytes + COMM_NAME, length);
  names->count++;
  return true;
}

static int
compare_names (const void *left, const void *right)
{
  const struct tb_perf_name *a = left, *b = right;
  if (a->tid != b->tid)
    return a->tid < b->tid ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* What TID was called last; NULL: nobody says it.  */
static const char *
name_of (const struct tb_perf_names *names, uint32_t tid)
{
  size_t low;
  TB_LOWER_BOUND (low, names->count, names->items[low].tid <= tid);
  return low > 0 && names->items[low - 1].tid == tid ? names->items[low - 1].text : NULL;
}

void
tb_perf_names_make (struct tb_perf_names *names, const struct tb_perf_code *code,
		    enum tb_perf_naming naming, struct tb_maker *maker)
{
  if (naming == TB_PERF_BY_NOTHING && maker->nstays == 0)
    return;
  maker->threads_by_time = naming == TB_PERF_BY_NOTHING;
  maker->threads_by_vmid = naming == TB_PERF_BY_VMID;
  if (names->count > 1)
    qsort (names->items, names->count, sizeof *names->items, compare_names);
  for (size_t i = 0; i < code->nthreads; i++)
    {
      const struct tb_perf_thread *t = &code->threads[i];
      bool like_next = i + 1 < code->nthreads && t[1].tid == t->tid;
      /* 0 is the number of each CPU's idle thread.  */
      if (t->tid == 0)
	continue;
      /* Which of several threads in turn had a number the trace does not say.  */
      if (like_next || (i > 0 && t[-1].tid == t->tid))
	{
	  if (names->nshared == 0)
	    names->first_shared = t->tid;
	  names->nshared += !like_next;
	  continue;
	}
      struct tb_thread thread = {
	.number = t->tid, .process = code->processes[t->process].pid
      };
      thread.name = name_of (names, t->tid);
      if (thread.name == NULL)
	thread.name = name_of (names, thread.process);
      if (thread.name == NULL)
	thread.name = "";
      tb_maker_thread (maker, &thread);
    }
}

void
tb_perf_names_fini (struct tb_perf_names *names)
{
  free (names->items);
}
