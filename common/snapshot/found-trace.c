/* Trace that a snapshot does not name.  See tb_snapshot_add_mtb in snapshot.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "snapshot/reader.h"

/* The registers of an MTB, by their numbers (DDI 0486, 3.2).  */
static const char *const names[TB_MTB_NREGS] = { "POSITION", "MASTER", "FLOW", "BASE" };

bool
tb_snapshot_add_mtb (struct tb_snapshot *snapshot, const struct tb_device *core,
		     const struct tb_mtb_registers *registers,
		     const struct tb_span *packets)
{
  struct tb_snapshot_store *store = snapshot->store;
  assert (snapshot->nbuffers == 0 && snapshot->nstreams == 0);
  struct tb_device_reg regs[TB_MTB_NREGS];
  unsigned nregs = 0;
  for (unsigned i = 0; i < TB_MTB_NREGS; i++)
    {
      uint8_t bytes[4];
      for (unsigned k = 0; k < sizeof bytes; k++)
	bytes[k] = (uint8_t) (registers->value[i] >> 8 * k);
      const uint8_t *kept = tb_pool_copy (store->pool, bytes, sizeof bytes);
      if (kept == NULL)
	return false;
      if (registers->known >> i & 1)
	regs[nregs++] = (struct tb_device_reg) {
	  .name = names[i], .has_id = true, .id = i, .bits = 32,
	  .value = registers->value[i], .bytes = kept
	};
    }
  const struct tb_device_reg *kept = tb_pool_copy (store->pool, regs,
						   nregs * sizeof *regs);
  const struct tb_span *span
    = packets != NULL ? tb_pool_copy (store->pool, packets, sizeof *packets) : NULL;
  store->buffers = malloc (sizeof *store->buffers);
  store->streams = malloc (sizeof *store->streams);
  if (kept == NULL || (packets != NULL && span == NULL) || store->buffers == NULL
      || store->streams == NULL)
    return false;
  /* The reader has room for it.  */
  struct tb_device *source = &store->devices[snapshot->ndevices++];
  *source = (struct tb_device) {
    .name = "mtb", .file = core->file, .class = TB_CLASS_TRACE_SOURCE,
    .class_name = "trace_source", .type = "MTB", .location = "", .cluster = "",
    .regs = kept, .nregs = nregs, .found = true
  };
  *store->streams = (struct tb_trace_stream) { .source = source, .core = core };
  snapshot->streams = store->streams;
  snapshot->nstreams = 1;
  if (packets == NULL)
    return true;
  *store->buffers = (struct tb_trace_buffer) {
    .id = "found", .name = "mtb_ram", .format = TB_FORMAT_SOURCE_DATA,
    .format_name = "source_data", .spans = span, .nspans = 1, .size = packets->size
  };
  store->streams->buffer = store->buffers;
  snapshot->buffers = store->buffers;
  snapshot->nbuffers = 1;
  return true;
}
