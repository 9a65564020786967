/* Property tests of the ETMv3 decoder: decode (encode (walk)) = walk.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/bench.h"
#include "generator/encode-etmv3.h"

#include <stdio.h>

#define SEED 3001
#define COUNT 300

static void
test_walk (struct gen_run *run)
{
  struct gen_random random = { run->seed + run->walk }, *r = &random;
  struct gen_program program;
  struct gen_walk walk;
  struct gen_trace trace;
  struct gen_etmv3_options o;
  struct gen_subject subject;
  struct gen_register registers[GEN_ETMV3_REGISTERS];
  struct gen_walk_options wo = {
    .steps = gen_between (r, 1, 3000), .exceptions = gen_scaled (r, 8),
    .contexts = gen_scaled (r, 9), .times = gen_scaled (r, 9),
    .triggers = gen_scaled (r, 7), .gaps = gen_scaled (r, 6),
    .losses = gen_scaled (r, 6), .syncs = gen_scaled (r, 7)
  };
  enum gen_arch arch = gen_chance (r, 50) ? GEN_AARCH32 : GEN_V7M;
  gen_program_make (&program, arch, r);
  if (arch == GEN_V7M)
    program.core = "Cortex-M4";
  gen_walk_make (&walk, &program, &wo, r);
  gen_etmv3_choose (&o, arch, r);
  gen_etmv3_encode (&trace, &walk, &o, r);
  gen_subject_init (&subject, &program, "ETM3.5");
  gen_etmv3_registers (&o, 0x10, registers);
  for (unsigned i = 0; i < GEN_ETMV3_REGISTERS; i++)
    gen_subject_register (&subject, registers[i].name, registers[i].id,
			  registers[i].value);
  snprintf (run->about, sizeof run->about,
	    "%s%s%s%s%s%s%s%s%s cancels=%u cid=%u", program.core, o.alternative ? " alternative" : "",
	    o.timestamps ? " time" : "", o.cycle_accurate ? " cycles" : "",
	    o.broadcast ? " broadcast" : "", o.wide ? " wide" : "",
	    o.gray ? " gray" : "", o.halves ? " halves" : "",
	    o.vmid ? " vmid" : "", o.cancels, o.cid_bytes);
  struct gen_bench bench = { run, r, &subject, &trace, false };
  gen_bench_test (&bench);
  gen_subject_fini (&subject);
  gen_trace_free (&trace);
  gen_walk_free (&walk);
  gen_program_free (&program);
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
