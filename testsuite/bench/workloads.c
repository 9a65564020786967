/* What the benchmark measures.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "bench.h"

const struct bench_workload bench_workloads[] = {
  { "snapshots/bugfix-exact-match", NULL, BENCH_ELEMENTS },
  { "snapshots/bugfix-exact-match", NULL, BENCH_PACKETS },
  { "snapshots/bugfix-exact-match", NULL, BENCH_BYTES },
  { "snapshots/juno_r1_1", "ETB_0", BENCH_ELEMENTS },
  { "snapshots/Juno", NULL, BENCH_ELEMENTS },
  { "snapshots/001-ack_test", NULL, BENCH_ELEMENTS },
  { "snapshots/tme_test", NULL, BENCH_ELEMENTS },
  { "snapshots/texit-poe2", NULL, BENCH_ELEMENTS },
  { "snapshots/src_addr", NULL, BENCH_ELEMENTS },
  { "snapshots/maxspec0_commopt1", NULL, BENCH_ELEMENTS },
  { "snapshots/trace_file_vmid", NULL, BENCH_ELEMENTS },
  { "snapshots/TC2", NULL, BENCH_ELEMENTS },
  { "snapshots/tc2-ptm-rstk-t32", NULL, BENCH_ELEMENTS },
  { "snapshots/stm_only", NULL, BENCH_ELEMENTS },
  { "snapshots/itm_only_csformat", NULL, BENCH_ELEMENTS },
  { "corpus/bulk/b1-etm4-a57", NULL, BENCH_ELEMENTS },
  { "corpus/bulk/b2-etm3-m3", NULL, BENCH_ELEMENTS },
  { "corpus/bulk/b3-ptm-a15", NULL, BENCH_ELEMENTS },
  { "corpus/bulk/b4-mtb-m0", NULL, BENCH_ELEMENTS },
};

const size_t bench_nworkloads
  = sizeof bench_workloads / sizeof bench_workloads[0];
