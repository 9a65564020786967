/* The properties of decoders that generated traces test.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_PROPERTY_H
#define GEN_PROPERTY_H

#include "generator/observe.h"

/* What the test program was asked for, and where it is.  */
struct gen_run
{
  uint64_t seed;		/* Of walk 0; each one after has the next.  */
  uint64_t walk;		/* The one at hand.  */
  unsigned count;
  unsigned failures;
  unsigned checks;
  const char *property;		/* The one at hand.  */
  char about[200];		/* What kind of walk it is.  */
};

/* Read "--seed=N" and "--count=M"; COUNT walks where nothing is said.  False:
   wrong usage, which is then said.  */
bool gen_run_options (struct gen_run *run, int argc, char **argv,
		      uint64_t seed, unsigned count);

/* Say what failed, once; OFFSET is about where in the trace, SIZE_MAX: nowhere. */
void gen_fail (struct gen_run *run, const char *what,
	       const struct gen_trace *trace, size_t offset);

/* The exit status.  */
int gen_run_done (const struct gen_run *run);

/* GOT must be the facts of TRACE from SYNC on; NULL: all.  */
bool gen_check_facts (struct gen_run *run, const struct gen_trace *trace,
		      const struct gen_sync *sync,
		      const struct gen_observation *got);

/* GOT must be facts of TRACE from SYNC on, in sequence, and have all that are
   known after BYTES bytes.  */
bool gen_check_prefix (struct gen_run *run, const struct gen_trace *trace,
		       const struct gen_sync *sync, size_t bytes,
		       const struct gen_observation *got);

/* The end of GOT must be the facts of TRACE from SYNC on, at which the address
   is told at once.  Why trace is on and virtual context IDs do not matter: wrong
   bits may have looked like them.  */
bool gen_check_suffix (struct gen_run *run, const struct gen_trace *trace,
		       const struct gen_sync *sync,
		       struct gen_observation *got);

#endif /* GEN_PROPERTY_H */
