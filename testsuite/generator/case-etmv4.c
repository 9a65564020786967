/* Walks as ETMv4 trace.  See case-etmv4.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/case-etmv4.h"

#include <stdio.h>

void
gen_etmv4_case_make (struct gen_etmv4_case *c, unsigned steps,
		     unsigned trace_id, struct gen_random *r)
{
  static const enum gen_arch arches[] = { GEN_AARCH64, GEN_AARCH32, GEN_V7M,
					  GEN_V8M };
  struct gen_register registers[GEN_ETMV4_REGISTERS];
  enum gen_arch arch = arches[gen_below (r, 4)];
  struct gen_walk_options wo = {
    .steps = gen_between (r, 1, steps), .exceptions = gen_scaled (r, 8),
    .contexts = gen_scaled (r, 9), .times = gen_scaled (r, 9),
    .triggers = gen_scaled (r, 7), .gaps = gen_scaled (r, 6),
    .losses = gen_scaled (r, 6), .syncs = gen_scaled (r, 7)
  };
  gen_program_make (&c->program, arch, r);
  gen_walk_make (&c->walk, &c->program, &wo, r);
  gen_etmv4_choose (&c->options, arch, r);
  gen_etmv4_encode (&c->trace, &c->walk, &c->options, r);
  gen_subject_init (&c->subject, &c->program,
		    c->options.ete ? "ETE" : "ETM4");
  gen_etmv4_registers (&c->options, arch, trace_id, registers);
  for (unsigned i = 0; i < GEN_ETMV4_REGISTERS; i++)
    gen_subject_register (&c->subject, registers[i].name, registers[i].id,
			  registers[i].value);
}

void
gen_etmv4_case_free (struct gen_etmv4_case *c)
{
  gen_subject_fini (&c->subject);
  gen_trace_free (&c->trace);
  gen_walk_free (&c->walk);
  gen_program_free (&c->program);
}

void
gen_etmv4_case_describe (const struct gen_etmv4_case *c, char *text,
			 size_t size)
{
  const struct gen_etmv4_options *o = &c->options;
  snprintf (text, size,
	    "%s %s.%u%s%s%s%s%s%s vmid=%u threshold=%u commit-mode=%u"
	    " speculation=%u sources=%u", c->program.core,
	    o->ete ? "ETE" : "ETMv4", o->minor, o->markers ? " markers" : "",
	    o->return_stack ? " return-stack" : "",
	    o->broadcast ? " broadcast" : "", o->timestamps ? " time" : "",
	    o->cycle_counts ? " cycles" : "", o->context_id ? " cid" : "",
	    o->vmid_bytes, (unsigned) o->threshold, o->commit_mode_1,
	    (unsigned) o->max_speculation, o->sources);
}
