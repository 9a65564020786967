/* Decoding ETMv3 and PTM bytes over code in memory, for tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_V7_RUN_H
#define TB_UNIT_V7_RUN_H

#include <stdlib.h>

#include "check.h"
#include "decode/decoder.h"
#include "decode/element-text.h"
#include "snapshot/memmap.h"

/* A trace unit, its core and the core's code.  */
struct v7_unit
{
  const char *type;		/* "ETM3.5", "PTM1.1".  */
  const char *core;
  uint32_t cr, idr, ccer;
  const uint8_t *code;
  size_t code_size;
  uint64_t code_address;
};

/* All that a decoder borrows.  */
struct v7_run
{
  struct tb_device_reg regs[4];
  struct tb_device device;
  struct tb_span span;
  struct tb_trace_buffer buffer;
  struct tb_profile profile;
  struct tb_memmap *map;
  struct tb_decoder_config config;
};

static inline bool
v7_run_init (struct v7_run *run, const struct v7_unit *unit,
	     const uint8_t *trace, size_t size)
{
  const struct { const char *name; uint32_t id, value; } regs[] = {
    { "ETMCR", 0x000, unit->cr }, { "ETMIDR", 0x079, unit->idr },
    { "ETMCCER", 0x07a, unit->ccer }, { "ETMTRACEIDR", 0x080, 0x10 }
  };
  size_t nregs = sizeof regs / sizeof regs[0];

  memset (run, 0, sizeof *run);
  for (size_t i = 0; i < nregs; i++)
    run->regs[i] = (struct tb_device_reg) { .name = regs[i].name,
					    .has_id = true,
					    .id = regs[i].id, .bits = 32,
					    .value = regs[i].value };
  run->device = (struct tb_device) { .name = "etm_0", .file = "etm_0.ini",
				     .class = TB_CLASS_TRACE_SOURCE,
				     .class_name = "trace_source",
				     .type = unit->type, .location = "",
				     .cluster = "", .regs = run->regs,
				     .nregs = nregs };
  run->span = (struct tb_span) { trace, size };
  run->buffer = (struct tb_trace_buffer) {
    .id = "buffer0", .name = "b", .format = TB_FORMAT_SOURCE_DATA,
    .format_name = "source_data", .spans = &run->span,
    .nspans = size > 0, .size = size };
  tb_profile_find (&run->profile, unit->core);
  run->map = tb_memmap_new ();
  struct tb_region region = { .address = unit->code_address,
			      .length = unit->code_size,
			      .access = TB_ACCESS_UNKNOWN,
			      .halt_contents = true, .data = unit->code,
			      .name = "code" };
  run->config = (struct tb_decoder_config) {
    .source = &run->device, .buffer = &run->buffer,
    .profile = &run->profile, .map = run->map };
  return CHECK (run->map != NULL)
	 && CHECK (tb_memmap_add (run->map, &region, NULL) == TB_OK)
	 && CHECK (tb_memmap_seal (run->map, NULL) == TB_OK);
}

static inline void
v7_run_fini (struct v7_run *run)
{
  tb_memmap_free (run->map);
}

static inline struct tb_decoder *
v7_open (const struct v7_run *run)
{
  return tb_decoder_open (&run->config, NULL);
}

#define V7_MOST 4096

/* The elements as text (zero-terminated) in TEXT, read CAPACITY at a time; with
   SAVE, save before every read and restore after it, then read again, now and
   then by another decoder.  STATS may be NULL.  */
static inline void
v7_decode (const struct v7_run *run, size_t capacity, bool save,
	   struct tb_buffer *text, struct tb_decoder_stats *stats)
{
  static struct tb_element elements[V7_MOST], again[V7_MOST];
  struct tb_decoder *d = v7_open (run);
  size_t n, ends = 0;

  if (!CHECK (d != NULL))
    return;
  for (unsigned reads = 0;; reads++)
    {
      void *saved = save ? d->save (d) : NULL;
      memset (elements, 0, capacity * sizeof elements[0]);
      n = d->read (d, elements, capacity);
      if (saved != NULL)
	{
	  /* Go further, then come back.  */
	  d->read (d, again, 1 + reads % 50);
	  if (reads % 4 == 3)
	    {
	      d->close (d);
	      d = v7_open (run);
	      if (!CHECK (d != NULL))
		return;
	    }
	  d->restore (d, saved);
	  free (saved);
	  memset (again, 0, capacity * sizeof again[0]);
	  CHECK_INT (d->read (d, again, capacity), n);
	  CHECK (memcmp (elements, again, n * sizeof elements[0]) == 0);
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
  CHECK_INT (d->read (d, elements, capacity), 0);
  tb_buffer_append (text, "", 1);
  if (stats != NULL)
    *stats = d->stats;
  d->close (d);
}

/* BYTES written in hexadecimal, spaces ignored; returns how many.  */
static inline size_t
v7_bytes (uint8_t *bytes, size_t room, const char *hex)
{
  size_t n = 0;
  int high = -1;

  for (; *hex != '\0'; hex++)
    {
      static const char digits[] = "0123456789abcdef";
      const char *digit = strchr (digits, *hex);
      if (*hex == ' ' || *hex == '\n')
	continue;
      if (!CHECK (digit != NULL && n < room))
	return n;
      if (high < 0)
	high = (int) (digit - digits);
      else
	{
	  bytes[n++] = (uint8_t) (high << 4 | (digit - digits));
	  high = -1;
	}
    }
  CHECK (high < 0);
  return n;
}

/* Decode TRACE (hexadecimal) for UNIT in pieces of several sizes: each time the
   elements must be WANT.  */
static inline void
v7_scenario (const char *name, const struct v7_unit *unit, const char *trace,
	     const char *want)
{
  static const struct { size_t capacity; bool save; } readings[] = {
    { V7_MOST, false }, { 1, false }, { 1, true }, { 2, true }, { 3, false },
    { 5, true }, { 19, false }, { 23, true }
  };
  static uint8_t bytes[4096];
  size_t size = v7_bytes (bytes, sizeof bytes, trace);
  struct v7_run run;

  for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++)
    {
      struct tb_buffer text = { 0 };
      if (!v7_run_init (&run, unit, bytes, size))
	return;
      v7_decode (&run, readings[i].capacity, readings[i].save, &text, NULL);
      if (text.size == 0
	  || !check_str ((const char *) text.data, want, name, (int) i,
			 "elements"))
	i = sizeof readings / sizeof readings[0];
      tb_buffer_fini (&text);
      v7_run_fini (&run);
    }
}

/* The elements of TRACE for UNIT, at most ROOM; how many there are.  */
static inline size_t
v7_elements (const struct v7_unit *unit, const char *trace,
	     struct tb_element *elements, size_t room)
{
  uint8_t bytes[256];
  struct v7_run run;
  size_t size = v7_bytes (bytes, sizeof bytes, trace), n = 0;

  if (!v7_run_init (&run, unit, bytes, size))
    return 0;
  struct tb_decoder *d = v7_open (&run);
  if (CHECK (d != NULL))
    {
      n = d->read (d, elements, room);
      d->close (d);
    }
  v7_run_fini (&run);
  return n;
}

#endif /* TB_UNIT_V7_RUN_H */
