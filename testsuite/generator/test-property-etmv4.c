/* Property tests of the ETMv4 and ETE decoder: decode (encode (walk)) = walk.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/bench.h"
#include "generator/case-etmv4.h"

#define SEED 4001
#define COUNT 1000

static void
test_walk (struct gen_run *run)
{
  struct gen_random random = { run->seed + run->walk };
  struct gen_etmv4_case c;
  gen_etmv4_case_make (&c, 3000, 0x10, &random);
  gen_etmv4_case_describe (&c, run->about, sizeof run->about);
  struct gen_bench bench = { run, &random, &c.subject, &c.trace,
			     c.options.max_speculation > 0 };
  gen_bench_test (&bench);
  gen_etmv4_case_free (&c);
}

int
main (int argc, char **argv)
{
  struct gen_run run;
  if (!gen_run_options (&run, argc, argv, SEED, COUNT))
    return 2;
  for (run.walk = 0; run.walk < run.count && run.failures < 10; run.walk++)
    test_walk (&run);
  return gen_run_done (&run);
}
