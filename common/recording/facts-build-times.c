/* Making facts: times of a finer unit.  See facts-build.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/facts-build.h"
#include "recording/facts-memory.h"

bool
tb_facts_scale_times (struct tb_columns *f, uint64_t factor)
{
  struct tb_facts_times *times = (struct tb_facts_times *) f->times.data;
  size_t n = TB_COLUMN_COUNT (&f->times, struct tb_facts_times);
  struct tb_column scaled = { 0 };
  bool ok = true;
  /* Times, their differences and the differences of these are all sums of times.  */
  for (size_t i = 0; i < n && ok; i++)
    {
      uint64_t end = i + 1 < n ? times[i + 1].offset : f->time_bytes.size;
      const uint8_t *bytes = f->time_bytes.data;	/* NULL: there are none.  */
      const uint8_t *p = bytes != NULL ? bytes + times[i].offset : NULL;
      const uint8_t *stop = bytes != NULL ? bytes + end : NULL;
      times[i].time *= factor;
      times[i].delta = (int64_t) ((uint64_t) times[i].delta * factor);
      times[i].offset = scaled.size;
      while (ok && p < stop)
	{
	  uint64_t delta = (uint64_t) tb_unzigzag (tb_varint_get (&p));
	  ok = tb_varint_put (&scaled, tb_zigzag ((int64_t) (delta * factor)));
	}
    }
  tb_column_fini (&f->time_bytes);
  f->time_bytes = scaled;
  return ok;
}
