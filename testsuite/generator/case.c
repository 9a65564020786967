/* Cases of all protocols.  See case.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/case.h"

#include <stdio.h>
#include <string.h>

#include "generator/bench.h"
#include "generator/encode-etmv3.h"
#include "generator/encode-etmv4.h"
#include "generator/encode-itm.h"
#include "generator/encode-ptm.h"
#include "generator/encode-stm.h"

/* A program and a walk over it.  */
static void
make_walk (struct gen_case *c, enum gen_arch arch, unsigned steps,
	   struct gen_random *r)
{
  struct gen_walk_options wo = {
    .steps = gen_between (r, 1, steps), .exceptions = gen_scaled (r, 8),
    .contexts = gen_scaled (r, 9), .times = gen_scaled (r, 9),
    .triggers = gen_scaled (r, 7), .gaps = gen_scaled (r, 6),
    .losses = gen_scaled (r, 6), .syncs = gen_scaled (r, 7)
  };
  gen_program_make (&c->program, arch, r);
  gen_walk_make (&c->walk, &c->program, &wo, r);
}

static void
make_subject (struct gen_case *c, const char *type,
	      const struct gen_register *registers, size_t count)
{
  gen_subject_init (&c->subject, &c->program, type);
  for (size_t i = 0; i < count; i++)
    gen_subject_register (&c->subject, registers[i].name, registers[i].id,
			  registers[i].value);
}

static void
make_etmv3 (struct gen_case *c, unsigned steps, unsigned trace_id,
	    struct gen_random *r)
{
  struct gen_etmv3_options o;
  struct gen_register registers[GEN_ETMV3_REGISTERS];
  enum gen_arch arch = gen_chance (r, 50) ? GEN_AARCH32 : GEN_V7M;
  make_walk (c, arch, steps, r);
  if (arch == GEN_V7M)
    c->program.core = "Cortex-M4";
  gen_etmv3_choose (&o, arch, r);
  gen_etmv3_encode (&c->trace, &c->walk, &o, r);
  gen_etmv3_registers (&o, trace_id, registers);
  make_subject (c, "ETM3.5", registers, GEN_ETMV3_REGISTERS);
  snprintf (c->about, sizeof c->about,
	    "%s%s%s%s%s%s%s%s%s%s%s cancels=%u cid=%u", c->program.core,
	    o.alternative ? " alternative" : "", o.timestamps ? " time" : "",
	    o.cycle_accurate ? " cycles" : "",
	    o.broadcast ? " broadcast" : "", o.wide ? " wide" : "",
	    o.gray ? " gray" : "", o.halves ? " halves" : "",
	    o.vmid ? " vmid" : "", o.data_addresses ? " data-addresses" : "",
	    o.data_values ? " data-values" : "", o.cancels, o.cid_bytes);
}

static void
make_ptm (struct gen_case *c, unsigned steps, unsigned trace_id,
	  struct gen_random *r)
{
  struct gen_ptm_options o;
  struct gen_register registers[GEN_PTM_REGISTERS];
  make_walk (c, GEN_AARCH32, steps, r);
  gen_ptm_choose (&o, r);
  gen_ptm_encode (&c->trace, &c->walk, &o, r);
  gen_ptm_registers (&o, trace_id, registers);
  make_subject (c, "PTM1.1", registers, GEN_PTM_REGISTERS);
  snprintf (c->about, sizeof c->about, "PTM%s%s%s%s%s%s%s%s cid=%u",
	    o.return_stack ? " return-stack" : "",
	    o.timestamps ? " time" : "", o.cycle_accurate ? " cycles" : "",
	    o.broadcast ? " broadcast" : "", o.wide ? " wide" : "",
	    o.gray ? " gray" : "", o.barriers ? " barriers" : "",
	    o.vmid ? " vmid" : "", o.cid_bytes);
}

static void
make_etmv4 (struct gen_case *c, unsigned steps, unsigned trace_id,
	    struct gen_random *r)
{
  static const enum gen_arch arches[] = { GEN_AARCH64, GEN_AARCH32, GEN_V7M,
					  GEN_V8M };
  struct gen_etmv4_options o;
  struct gen_register registers[GEN_ETMV4_REGISTERS];
  enum gen_arch arch = arches[gen_below (r, 4)];
  make_walk (c, arch, steps, r);
  gen_etmv4_choose (&o, arch, r);
  gen_etmv4_encode (&c->trace, &c->walk, &o, r);
  gen_etmv4_registers (&o, arch, trace_id, registers);
  make_subject (c, o.ete ? "ETE" : "ETM4", registers, GEN_ETMV4_REGISTERS);
  c->waits = o.max_speculation > 0;
  snprintf (c->about, sizeof c->about,
	    "%s %s.%u%s%s%s%s%s%s%s%s vmid=%u threshold=%u commit-mode=%u"
	    " speculation=%u sources=%u%s%s%s q=%u", c->program.core,
	    o.ete ? "ETE" : "ETMv4", o.minor, o.markers ? " markers" : "",
	    o.return_stack ? " return-stack" : "",
	    o.broadcast ? " broadcast" : "", o.loads ? " loads" : "",
	    o.stores ? " stores" : "", o.timestamps ? " time" : "",
	    o.cycle_counts ? " cycles" : "", o.context_id ? " cid" : "",
	    o.vmid_bytes, (unsigned) o.threshold, o.commit_mode_1,
	    (unsigned) o.max_speculation, o.sources,
	    o.transactions ? " transactions" : "",
	    o.start_is_p0 ? " start-is-p0" : "", o.resets ? " resets" : "",
	    o.q);
}

static void
make_itm (struct gen_case *c, unsigned trace_id, struct gen_random *r)
{
  struct gen_itm_options o;
  gen_itm_choose (&o, r);
  gen_itm_encode (&c->trace, &o, r);
  const struct gen_register control = gen_itm_register (&o, trace_id);
  make_subject (c, "ITM", &control, 1);
  snprintf (c->about, sizeof c->about,
	    "ITM prescaler=%u local=%u global=%u pages=%u losses=%u syncs=%u"
	    " dwt=%u", o.prescaler, o.local, o.global, o.pages, o.losses,
	    o.syncs, o.dwt);
}

static void
make_stm (struct gen_case *c, unsigned trace_id, struct gen_random *r)
{
  struct gen_stm_options o;
  gen_stm_choose (&o, r);
  gen_stm_encode (&c->trace, &o, r);
  const struct gen_register control = { "STMTCSR", 0x3a0, trace_id << 16 };
  make_subject (c, "STM", &control, 1);
  snprintf (c->about, sizeof c->about,
	    "STM times=%u%s%s timed=%u marked=%u nulls=%u senders=%u"
	    " errors=%u syncs=%u", o.times, o.extended ? " extended" : "",
	    o.low_first ? " low-first" : "", o.timed, o.marked, o.nulls,
	    o.senders, o.errors, o.syncs);
}

void
gen_case_make (struct gen_case *c, enum gen_protocol protocol, unsigned steps,
	       unsigned trace_id, struct gen_random *r)
{
  memset (c, 0, sizeof *c);
  c->protocol = protocol;
  c->program.core = "Cortex-M4";
  switch (protocol)
    {
    case GEN_ETMV3:
      make_etmv3 (c, steps, trace_id, r);
      break;
    case GEN_PTM:
      make_ptm (c, steps, trace_id, r);
      break;
    case GEN_ETMV4:
      make_etmv4 (c, steps, trace_id, r);
      break;
    case GEN_ITM:
      make_itm (c, trace_id, r);
      break;
    default:
      make_stm (c, trace_id, r);
      break;
    }
}

void
gen_case_free (struct gen_case *c)
{
  gen_subject_fini (&c->subject);
  gen_trace_free (&c->trace);
  gen_walk_free (&c->walk);
  gen_program_free (&c->program);
}

int
gen_case_main (int argc, char **argv, enum gen_protocol protocol,
	       uint64_t seed, unsigned count)
{
  struct gen_run run;
  if (!gen_run_options (&run, argc, argv, seed, count))
    return 2;
  for (run.walk = 0; run.walk < run.count && run.failures < 10; run.walk++)
    {
      struct gen_random random = { run.seed + run.walk };
      struct gen_case c;
      gen_case_make (&c, protocol, 3000, 0x10, &random);
      memcpy (run.about, c.about, sizeof run.about);
      struct gen_bench bench = { &run, &random, &c.subject, &c.trace,
				 c.waits };
      gen_bench_test (&bench);
      gen_case_free (&c);
    }
  return gen_run_done (&run);
}
