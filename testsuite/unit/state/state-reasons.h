/* Expectations of why registers are not known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_STATE_REASONS_H
#define TB_UNIT_STATE_REASONS_H

#include "check.h"
#include "fake-recording.h"
#include "state/explain/coverage.h"
#include "state/answer/live.h"

/* No store.  */
#define NOBODY UINT64_MAX

/* PLACE (by effect.h) before STEP is not known for the reason WHY alone; STORE: the
   step of the store that is in the way.  */
static inline void
check_why_not (struct tb_state *s, uint64_t step, unsigned place,
	       enum tb_why_not why, uint64_t store, unsigned line)
{
  struct tb_reasons r = { .window = NULL };
  tb_reasons_add (&r, s, step, UINT64_C (1) << place, NULL, 0);
  tb_reasons_end (&r);
  bool right = CHECK (!r.failed);
  right &= CHECK_INT (r.nstores, store != NOBODY);
  right &= r.nstores == 0 || CHECK_INT (r.stores[0].step, store);
  for (unsigned i = 0; i < TB_WHY_NOTS; i++)
    right &= CHECK_STR (r.counts[i].pairs != 0 ? tb_why_not_name (i) : "",
			i == why ? tb_why_not_name (why) : "");
  if (!right)
    fprintf (stderr, "line %u\n", line);
  tb_reasons_fini (&r);
}

#define WHY_NOT(s, step, place, why) \
  check_why_not ((s), (step), (place), TB_WHY_NOT_ ## why, NOBODY, __LINE__)
#define BLOCKED(s, step, place, store) \
  check_why_not ((s), (step), (place), TB_WHY_NOT_STORE, (store), __LINE__)

/* What all steps of S have is not known for as many reasons as there are things that are
   not known; returns how many of the pairs are so for the reason WHY.  */
static inline uint64_t
check_all (struct tb_state *s, const struct tb_recording *f,
	   enum tb_why_not why)
{
  struct tb_reasons r = { .window = NULL };
  struct tb_coverage c = { .reasons = &r };
  struct tb_reasons_count sum = { 0 }, want = { 0 };
  uint64_t count = tb_recording_steps (f), set, stores = 0;
  struct tb_live *live = tb_live_new (s, 0);
  for (uint64_t i = 0; i < count && CHECK (live != NULL); i++)
    if (CHECK (tb_live_before (live, i, &set)))
      tb_coverage_add (&c, s, i, &f->profile, &set);
  tb_reasons_end (&r);
  for (unsigned i = 0; i < TB_NREGS_MAX; i++)
    want.pairs += c.live.registers[i].count - c.live.registers[i].known.certain
		  - c.live.registers[i].known.assumed;
  want.pairs += c.live.flags.count - c.live.flags.known.certain
		- c.live.flags.known.assumed;
  want.load_addresses = c.loads.count - c.loads.addresses.certain;
  want.load_values = c.loads.count - c.loads.values.certain;
  want.store_addresses = c.stores.count - c.stores.addresses.certain;
  want.store_values = c.stores.count - c.stores.values.certain;
  for (unsigned i = 0; i < TB_WHY_NOTS; i++)
    {
      sum.pairs += r.counts[i].pairs;
      sum.load_addresses += r.counts[i].load_addresses;
      sum.load_values += r.counts[i].load_values;
      sum.store_addresses += r.counts[i].store_addresses;
      sum.store_values += r.counts[i].store_values;
    }
  CHECK (!r.failed);
  CHECK (want.pairs != 0);
  CHECK_INT (sum.pairs, want.pairs);
  CHECK_INT (sum.load_addresses, want.load_addresses);
  CHECK_INT (sum.load_values, want.load_values);
  CHECK_INT (sum.store_addresses, want.store_addresses);
  CHECK_INT (sum.store_values, want.store_values);
  for (size_t i = 0; i < r.nstores; i++)
    stores += r.stores[i].pairs;
  CHECK_INT (stores, r.counts[TB_WHY_NOT_STORE].pairs);
  uint64_t result = r.counts[why].pairs;
  tb_reasons_fini (&r);
  tb_live_free (live);
  return result;
}

#endif /* TB_UNIT_STATE_REASONS_H */
