/* Decoding bytes over code in memory, for tests: all that a decoder borrows, and reading it
   in pieces of several sizes.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_DECODE_RUN_H
#define TB_UNIT_DECODE_RUN_H

#include <stdlib.h>

#include "check.h"
#include "decode/decoder.h"
#include "decode/element-text.h"
#include "snapshot/memmap.h"

/* A register of a trace unit.  */
struct run_register
{
  const char *name;
  uint32_t id, value;
};

/* A core's code.  */
struct run_code
{
  const uint8_t *bytes;
  size_t size;
  uint64_t address;
};

/* All that a decoder borrows.  */
struct run
{
  struct tb_device_reg regs[12];
  struct tb_device device;
  struct tb_span span;
  struct tb_trace_buffer buffer;
  struct tb_profile profile;
  struct tb_memmap *map;
  struct tb_decoder_config config;
};

/* A trace unit of type TYPE ("ETM4.2") with NREGS registers sent the SIZE bytes TRACE of
   what a core of type CORE ("Cortex-A57") ran of CODE.  End with run_fini in any case.  */
static inline bool
run_begin (struct run *run, const char *type, const char *core,
	   const struct run_register *regs, size_t nregs, struct run_code code,
	   const uint8_t *trace, size_t size)
{
  memset (run, 0, sizeof *run);
  for (size_t i = 0; i < nregs; i++)
    run->regs[i] = (struct tb_device_reg) { .name = regs[i].name,
					    .has_id = true,
					    .id = regs[i].id, .bits = 32,
					    .value = regs[i].value };
  run->device = (struct tb_device) { .name = "etm_0", .file = "etm_0.ini",
				     .class = TB_CLASS_TRACE_SOURCE,
				     .class_name = "trace_source",
				     .type = type, .location = "",
				     .cluster = "", .regs = run->regs,
				     .nregs = nregs };
  run->span = (struct tb_span) { trace, size };
  run->buffer = (struct tb_trace_buffer) {
    .id = "buffer0", .name = "b", .format = TB_FORMAT_SOURCE_DATA,
    .format_name = "source_data", .spans = &run->span,
    .nspans = size > 0, .size = size };
  tb_profile_find (&run->profile, core);
  run->map = tb_memmap_new ();
  struct tb_region region = { .address = code.address, .length = code.size,
			      .access = TB_ACCESS_UNKNOWN,
			      .halt_contents = true, .data = code.bytes,
			      .name = "code" };
  run->config = (struct tb_decoder_config) {
    .source = &run->device, .buffer = &run->buffer,
    .profile = &run->profile, .map = run->map };
  return CHECK (run->map != NULL)
	 && CHECK (tb_memmap_add (run->map, &region, NULL) == TB_OK)
	 && CHECK (tb_memmap_seal (run->map, NULL) == TB_OK);
}

static inline void
run_fini (struct run *run)
{
  tb_memmap_free (run->map);
}

/* How to read: CAPACITY elements at a time; with SAVE, save before every read
   and restore after it, then read again, now and then by another decoder.  */
struct run_reading
{
  size_t capacity;
  bool save;
};

#define RUN_MOST 4096

/* The elements as text (zero-terminated) in TEXT; STATS may be NULL.  */
static inline void
run_decode (const struct run *run, struct run_reading reading,
	    struct tb_buffer *text, struct tb_decoder_stats *stats)
{
  static struct tb_element elements[RUN_MOST], again[RUN_MOST];
  struct tb_decoder *d = tb_decoder_open (&run->config, NULL);
  size_t n, ends = 0;
  if (!CHECK (d != NULL))
    return;
  for (unsigned reads = 0;; reads++)
    {
      void *saved = reading.save ? d->save (d) : NULL;
      memset (elements, 0, reading.capacity * sizeof elements[0]);
      n = d->read (d, elements, reading.capacity);
      if (saved != NULL)
	{
	  /* Go further, then come back.  */
	  d->read (d, again, 1 + reads % 50);
	  if (reads % 4 == 3)
	    {
	      d->close (d);
	      d = tb_decoder_open (&run->config, NULL);
	      if (!CHECK (d != NULL))
		return;
	    }
	  d->restore (d, saved);
	  free (saved);
	  memset (again, 0, reading.capacity * sizeof again[0]);
	  size_t m = d->read (d, again, reading.capacity);
	  CHECK_INT (m, n);
	  for (size_t i = 0; i < n && i < m; i++)
	    CHECK (memcmp (&elements[i], &again[i], sizeof elements[i]) == 0);
	}
      if (n == 0)
	break;
      CHECK (ends == 0);
      for (size_t i = 0; i < n; i++)
	{
	  ends += elements[i].kind == TB_ELEMENT_END;
	  tb_element_text (text, &elements[i]);
	}
    }
  CHECK_INT (ends, 1);
  CHECK_INT (d->read (d, elements, reading.capacity), 0);
  tb_buffer_append (text, "", 1);
  if (stats != NULL)
    *stats = d->stats;
  d->close (d);
}

#endif /* TB_UNIT_DECODE_RUN_H */
