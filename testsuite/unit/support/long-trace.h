/* A long ETMv4 trace of a little program, for tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_LONG_TRACE_H
#define TB_UNIT_LONG_TRACE_H

#include "etmv4-run.h"
#include "util/buffer.h"

/* A64, at LONG_TRACE_CODE:
     0: cbz x0, 12      8: b 0
     4: bl 20          12: nop
     16: b 0
     20: cbz x1, 28    24: nop    28: ret  */
#define LONG_TRACE_CODE UINT64_C (0x400000)
static const uint8_t long_trace_code[] = {
  0x60, 0x00, 0x00, 0xb4, 0x04, 0x00, 0x00, 0x94, 0xfe, 0xff, 0xff, 0x17,
  0x1f, 0x20, 0x03, 0xd5, 0xfc, 0xff, 0xff, 0x17, 0x41, 0x00, 0x00, 0xb4,
  0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6
};

/* Return stack (TRCCONFIGR bit 12), timestamps, no speculation.  */
static const struct run_unit long_trace_unit = {
  .type = "ETM4.0", .core = "Cortex-A53", .configr = 0x1801,
  .idr0 = 0x28000ea1, .idr1 = 0x4100f403, .idr2 = 0x488, .idr8 = 0,
  .devarch = 0x47704a13,
  .code = { long_trace_code, sizeof long_trace_code, LONG_TRACE_CODE }
};

static inline void
long_trace_byte (struct tb_buffer *trace, unsigned byte)
{
  tb_buffer_append_le (trace, byte, 1);
}

/* Where the program is, in the text above.  */
struct long_trace
{
  struct tb_buffer *trace;
  uint32_t random;
  unsigned pc;
  bool in_call;			/* BL since the last Trace Info.  */
  uint64_t timestamp;
};

static inline unsigned
long_trace_random (struct long_trace *t)
{
  t->random = t->random * 1664525 + 1013904223;
  return t->random >> 16;
}

/* Alignment synchronisation, Trace Info (no information but the form), a long
   address with context (64 bits, EL1 non-secure).  */
static inline void
long_trace_sync (struct long_trace *t, bool first)
{
  for (int i = 0; i < 11; i++)
    long_trace_byte (t->trace, 0);
  long_trace_byte (t->trace, 0x80);
  long_trace_byte (t->trace, 0x01);	/* Trace Info  */
  long_trace_byte (t->trace, 0x01);
  long_trace_byte (t->trace, 0x00);
  if (first)
    long_trace_byte (t->trace, 0x04);	/* Trace On.  */
  uint64_t address = LONG_TRACE_CODE + t->pc;
  long_trace_byte (t->trace, 0x85);	/* Long address, 64 bits, IS0, context.  */
  long_trace_byte (t->trace, address >> 2 & 0x7f);
  long_trace_byte (t->trace, address >> 9 & 0x7f);
  for (int i = 16; i < 64; i += 8)
    long_trace_byte (t->trace, address >> i & 0xff);
  long_trace_byte (t->trace, 0x31);	/* NS, SF, EL1.  */
  t->in_call = false;
}

/* One waypoint, an atom a packet; a return whose call is too long ago gets its
   address.  */
static inline void
long_trace_step (struct long_trace *t)
{
  bool taken = t->pc == 0 || t->pc == 20 ? long_trace_random (t) & 1 : true;
  long_trace_byte (t->trace, taken ? 0xf7 : 0xf6);
  switch (t->pc)
    {
    case 0:
      t->pc = taken ? 12 : 4;
      break;
    case 4:
      t->pc = 20;
      t->in_call = true;
      break;
    case 20:
      t->pc = taken ? 28 : 24;
      break;
    case 24:
    case 28:
      t->pc = 8;
      if (!t->in_call)
	{
	  /* Short address, IS0: bits 8:2.  */
	  long_trace_byte (t->trace, 0x95);
	  long_trace_byte (t->trace, (LONG_TRACE_CODE + t->pc) >> 2 & 0x7f);
	}
      t->in_call = false;
      break;
    default:			/* 8; 12 and 16.  */
      t->pc = 0;
    }
}

/* Append a trace of at least SIZE bytes to TRACE, synchronised about every
   INTERVAL bytes.  */
static inline void
long_trace_make (struct tb_buffer *trace, size_t size, size_t interval)
{
  struct long_trace t = { .trace = trace, .random = 12345 };
  size_t next = 0;
  while (trace->size < size && !trace->failed)
    {
      if (trace->size >= next)
	{
	  if (trace->size == 0)
	    long_trace_byte (trace, 0x70);
	  long_trace_sync (&t, next == 0);
	  next = trace->size + interval;
	}
      long_trace_step (&t);
      if (long_trace_random (&t) % 64 == 0)
	{
	  /* Timestamp: seven of its bits.  */
	  t.timestamp = (t.timestamp + long_trace_random (&t) % 20) & 0x7f;
	  long_trace_byte (trace, 0x02);
	  long_trace_byte (trace, t.timestamp);
	}
    }
}

/* Append the bytes of TRACE to FRAMES, in frames, as those of ID 0x10, with a
   frame of ID 0x20 after every third.  */
static inline void
long_trace_frame (struct tb_buffer *frames, const struct tb_buffer *trace)
{
  size_t at = 0;
  for (unsigned n = 0; at + 14 <= trace->size; n++)
    {
      uint8_t frame[16] = { n % 4 == 3 ? 0x41 : 0x21 };
      for (unsigned i = 1; i < 15; i++)
	{
	  uint8_t byte = n % 4 == 3 ? n : trace->data[at++];
	  frame[i] = i % 2 == 0 ? byte & ~1 : byte;
	  if (i % 2 == 0)
	    frame[15] |= (byte & 1) << (i / 2);
	}
      tb_buffer_append (frames, frame, sizeof frame);
    }
}

#endif /* TB_UNIT_LONG_TRACE_H */
