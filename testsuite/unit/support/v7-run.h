/* Decoding ETMv3 and PTM bytes over code in memory, for tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_V7_RUN_H
#define TB_UNIT_V7_RUN_H

#include "decode-run.h"

/* A trace unit, its core and the core's code.  */
struct v7_unit
{
  const char *type;		/* "ETM3.5", "PTM1.1".  */
  const char *core;
  uint32_t cr, idr, ccer;
  struct run_code code;
};

static inline bool
v7_run_init (struct run *run, const struct v7_unit *unit, const uint8_t *trace,
	     size_t size)
{
  const struct run_register regs[] = {
    { "ETMCR", 0x000, unit->cr }, { "ETMIDR", 0x079, unit->idr },
    { "ETMCCER", 0x07a, unit->ccer }, { "ETMTRACEIDR", 0x080, 0x10 }
  };
  return run_begin (run, unit->type, unit->core, regs, sizeof regs / sizeof regs[0],
		    unit->code, trace, size);
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
  static const struct run_reading readings[] = {
    { RUN_MOST, false }, { 1, false }, { 1, true }, { 2, true }, { 3, false },
    { 5, true }, { 19, false }, { 23, true }
  };
  static uint8_t bytes[4096];
  size_t size = v7_bytes (bytes, sizeof bytes, trace);
  struct run run;

  for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++)
    {
      struct tb_buffer text = { 0 };
      if (!v7_run_init (&run, unit, bytes, size))
	return;
      run_decode (&run, readings[i], &text, NULL);
      if (text.size == 0
	  || !check_str ((const char *) text.data, want, name, (int) i,
			 "elements"))
	i = sizeof readings / sizeof readings[0];
      tb_buffer_fini (&text);
      run_fini (&run);
    }
}

/* The elements of TRACE for UNIT, at most ROOM; how many there are.  */
static inline size_t
v7_elements (const struct v7_unit *unit, const char *trace,
	     struct tb_element *elements, size_t room)
{
  uint8_t bytes[256];
  struct run run;
  size_t size = v7_bytes (bytes, sizeof bytes, trace), n = 0, more = 1;

  if (!v7_run_init (&run, unit, bytes, size))
    return 0;
  struct tb_decoder *d = tb_decoder_open (&run.config, NULL);
  if (CHECK (d != NULL))
    {
      for (; n < room && more > 0; n += more)
	more = d->read (d, elements + n, room - n);
      d->close (d);
    }
  run_fini (&run);
  return n;
}

#endif /* TB_UNIT_V7_RUN_H */
