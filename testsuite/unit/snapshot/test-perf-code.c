/* Tests of whose code was where when perf recorded: snapshot/perf/code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <time.h>

#include "snapshot-tree.h"
#include "snapshot/maker.h"
#include "snapshot/perf/code.h"
#include "util/buffer.h"

#define PARENT 1000
#define CHILDREN 20000

/* TRCCONFIGR.CID.  */
#define NAMES_CONTEXTS 0x41

static struct tree tree;

/* Let UNITS and MAKER have one trace unit, of ETMv4, which names contexts by CONFIGURATION.  */
static void
make_unit (struct tb_perf_units *units, struct tb_maker *maker, uint64_t configuration)
{
  struct tb_buffer bytes = { 0 };
  const uint64_t words[] = {
    1, 1, 0, UINT64_C (0x4040404040404040), 0, 7, configuration, 0x10, 0x28000ea1, 0x4100f403,
    0x488, 0, 0
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    tb_buffer_append_le (&bytes, words[i], 8);
  tb_perf_units_read (units, maker, bytes.data, bytes.size, 0);
  tb_buffer_fini (&bytes);
}

/* Process CHILD is forked by PARENT.  */
static void
fork_child (struct tb_perf_code *code, uint32_t parent, uint32_t child)
{
  struct tb_buffer bytes = { 0 };
  const uint32_t words[] = { 0, 0, child, parent, child, parent, 0, 0 };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    tb_buffer_append_le (&bytes, words[i], 4);
  const struct tb_perf_record record = {
    .bytes = bytes.data, .length = bytes.size, .type = TB_PERF_FORK
  };
  tb_perf_code_take (code, &record);
  tb_buffer_fini (&bytes);
}

/* Each of many processes has all maps of the one that forked it.  If these are more than are looked
   at, that takes no longer for each of them.  */
static void
test_many_children (void)
{
  struct tb_snapshot snapshot;
  struct tb_maker maker;
  struct tb_perf_files files = { .maker = &maker };
  struct tb_perf_code code = { .files = &files };
  struct tb_perf_units units = { .path = "perf.data" };
  tree_forget (&tree);
  tb_maker_init (&maker, &snapshot, "perf.data", &tree.diag);
  make_unit (&units, &maker, NAMES_CONTEXTS);
  for (uint32_t i = 0; i < CHILDREN; i++)
    fork_child (&code, PARENT, PARENT + 1 + i);
  for (size_t i = 0; i < code.nprocesses; i++)
    if (code.processes[i].pid == PARENT)
      {
	struct tb_perf_process *parent = &code.processes[i];
	parent->nmaps = TB_PERF_MOST_MAPS + 1;
	parent->maps = calloc (parent->nmaps, sizeof *parent->maps);
	if (!CHECK (parent->maps != NULL))
	  exit (1);
	for (size_t k = 0; k < parent->nmaps; k++)
	  parent->maps[k] = (struct tb_perf_map) { .address = 0x1000 * k, .size = 16 };
      }
  for (size_t i = 0; i < code.nprocesses; i++)
    if (code.processes[i].pid != PARENT)
      code.processes[i].program.inherited = TB_PERF_MOST_MAPS + 1;
  clock_t begin = clock ();
  tb_perf_code_make (&code, &units, &maker);
  double seconds = (double) (clock () - begin) / CLOCKS_PER_SEC;
  if (!CHECK (seconds < 20))
    fprintf (stderr, "  %f s\n", seconds);
  CHECK_INT (maker.reader.status, TB_OK);
  CHECK_INT (code.uncollected, CHILDREN + 1);
  CHECK_INT (code.nthreads, CHILDREN);
  tb_perf_code_fini (&code);
  tb_perf_units_fini (&units);
  tb_maker_finish (&maker);
  tb_snapshot_close (&snapshot);
}

int
main (void)
{
  tree_make (&tree);
  test_many_children ();
  tree_remove (&tree);
  return check_done ();
}
