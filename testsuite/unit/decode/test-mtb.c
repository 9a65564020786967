/* Tests of the MTB decoder and of recordings over it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "check.h"

#include <stdlib.h>

#include "arm/machine/vectors.h"
#include "decode/decoder.h"
#include "decode/mtb/mtb.h"
#include "recording/recording.h"

/* A vector table at 0 and some code from 0x100 on.  */
static uint8_t flash[0x200];

static void
put16 (unsigned at, unsigned value)
{
  flash[at] = (uint8_t) value;
  flash[at + 1] = (uint8_t) (value >> 8);
}

static void
put32 (unsigned at, uint32_t value)
{
  put16 (at, value & 0xffff);
  put16 (at + 2, value >> 16);
}

/* What the core's xPSR is at the halt; -1: not in the snapshot.  */
static int64_t halt_psr = -1;

/* The flash's changes for a test, or NULL.  */
static void (*alter_flash) (void);

static void
make_flash (void)
{
  memset (flash, 0, sizeof flash);
  put32 (0, 0x20001000);
  put32 (4, 0x101);		/* Reset.  */
  put32 (4 * 11, 0x131);	/* SVCall.  */
  put32 (4 * 15, 0x121);	/* SysTick.  */
  put16 (0x100, 0x2001);	/* movs r0, #1  */
  put16 (0x102, 0xd001);	/* beq 0x108  */
  put16 (0x104, 0xe004);	/* b 0x110  */
  put16 (0x108, 0xbf00);	/* nop  */
  put16 (0x110, 0xbf00);	/* nop  */
  put16 (0x112, 0x4770);	/* bx lr  */
  put16 (0x120, 0xbf00);	/* nop: the handler of SysTick  */
  put16 (0x122, 0x4770);	/* bx lr  */
  put16 (0x130, 0x4770);	/* bx lr: the handler of SVCall  */
  put16 (0x140, 0xbf08);	/* it eq, or data  */
  put16 (0x142, 0x4770);	/* bx lr  */
  put16 (0x144, 0xbf00);	/* nop  */
  if (alter_flash != NULL)
    alter_flash ();
}

/* A packet: source, A, destination, S.  */
#define PACKET(source, a, destination, s) (source) | (a), (destination) | (s)

/* Everything that a decoder needs, on the caller's stack.  */
struct bench
{
  struct tb_memmap *map;
  struct tb_profile profile;
  struct tb_device core, source;
  struct tb_device_reg core_regs[2], source_regs[4];
  struct tb_span span;
  struct tb_trace_buffer buffer;
  uint8_t bytes[256];
  struct tb_decoder_config config;
  struct tb_diag diag;
};

static const struct tb_device no_device
  = { .name = "", .file = "mtb_0.ini", .class_name = "", .type = "",
      .location = "", .cluster = "" };

static void
bench_init (struct bench *b, const uint32_t *words, size_t count,
	    uint32_t position, uint32_t master, uint32_t flow,
	    uint32_t halt_pc)
{
  memset (b, 0, sizeof *b);
  make_flash ();
  for (size_t i = 0; i < count; i++)
    for (int j = 0; j < 4; j++)
      b->bytes[4 * i + j] = (uint8_t) (words[i] >> 8 * j);
  b->map = tb_memmap_new ();
  struct tb_region region = { .address = 0, .length = sizeof flash,
			      .access = TB_ACCESS_UNKNOWN,
			      .halt_contents = true, .data = flash,
			      .name = "flash" };
  tb_memmap_add (b->map, &region, NULL);
  tb_memmap_seal (b->map, NULL);
  tb_profile_find (&b->profile, "Cortex-M0+");
  b->core = b->source = no_device;
  b->core_regs[0] = (struct tb_device_reg) { .name = "PC", .bits = 32,
					     .value = halt_pc };
  b->core_regs[1] = (struct tb_device_reg) { .name = "xPSR", .bits = 32,
					     .value = (uint64_t) halt_psr };
  b->core.regs = b->core_regs;
  b->core.nregs = (halt_pc != 0) + (halt_pc != 0 && halt_psr >= 0);
  const uint32_t values[] = { position, master, flow, 0x40200000 };
  static const char *const names[] = { "POSITION", "MASTER", "FLOW", "BASE" };
  for (int i = 0; i < 4; i++)
    b->source_regs[i] = (struct tb_device_reg) {
      .name = names[i], .has_id = true, .id = i, .bits = 32,
      .value = values[i]
    };
  b->source.type = "MTB";
  b->source.regs = b->source_regs;
  b->source.nregs = 4;
  b->span = (struct tb_span) { b->bytes, 4 * count };
  b->buffer = (struct tb_trace_buffer) {
    .id = "buffer0", .name = "mtb", .format = TB_FORMAT_SOURCE_DATA,
    .format_name = "source_data", .spans = &b->span, .nspans = 1,
    .size = 4 * count
  };
  b->config = (struct tb_decoder_config) {
    .source = &b->source, .core = &b->core, .buffer = &b->buffer,
    .profile = &b->profile, .map = b->map
  };
}

static void
bench_fini (struct bench *b)
{
  tb_memmap_free (b->map);
}

/* From 0x100: not taken beq, b, then an exception before the bx lr, its
   return, the bx lr, and on to the halt at 0x102.  */
static const uint32_t story[] = {
  PACKET (0x1fe, 0, 0x100, 1),
  PACKET (0x104, 0, 0x110, 0),
  PACKET (0x112, 1, 0x120, 0),
  PACKET (0x122, 0, 0xfffffff8, 0),
  PACKET (0xfffffff8, 1, 0x112, 0),
  PACKET (0x112, 0, 0x100, 0),
  0, 0, 0, 0
};

struct expected
{
  enum tb_element_kind kind;
  uint64_t a, b;		/* RANGE: start, end; else the address.  */
  uint32_t n;			/* RANGE: count; EXCEPTION: number.  */
  unsigned flags;
};

static const struct expected story_elements[] = {
  { TB_ELEMENT_TRACE_ON, 0x1fe, 0, 0, TB_TRACE_ON_SOURCE },
  { TB_ELEMENT_RANGE, 0x100, 0x104, 2, TB_RANGE_CONDITIONAL },
  { TB_ELEMENT_RANGE, 0x104, 0x106, 1, TB_RANGE_EXECUTED },
  { TB_ELEMENT_RANGE, 0x110, 0x112, 1, TB_RANGE_EXECUTED },
  { TB_ELEMENT_EXCEPTION, 0x112, 0, 15, 0 },
  { TB_ELEMENT_RANGE, 0x120, 0x124, 2, TB_RANGE_EXECUTED },
  { TB_ELEMENT_EXCEPTION_RETURN, 0x112, 0, 0, 0 },
  { TB_ELEMENT_RANGE, 0x112, 0x114, 1, TB_RANGE_EXECUTED },
  { TB_ELEMENT_RANGE, 0x100, 0x102, 1, TB_RANGE_EXECUTED },
  { TB_ELEMENT_END, 0x102, 0, 0, TB_END_ADDRESS },
};

static void
check_element (const struct tb_element *e, const struct expected *x,
	       size_t number)
{
  if (!CHECK_INT (e->kind, x->kind))
    fprintf (stderr, "  element %zu\n", number);
  CHECK_INT (e->flags, x->flags);
  switch (x->kind)
    {
    case TB_ELEMENT_RANGE:
      CHECK_INT (e->u.range.start, x->a);
      CHECK_INT (e->u.range.end, x->b);
      CHECK_INT (e->u.range.count, x->n);
      break;
    case TB_ELEMENT_EXCEPTION:
      CHECK_INT (e->u.exception.return_address, x->a);
      CHECK_INT (e->u.exception.number, x->n);
      break;
    case TB_ELEMENT_EXCEPTION_RETURN:
      CHECK_INT (e->u.ret.resume, x->a);
      CHECK_INT (e->u.ret.exc_return, 0xfffffff9);
      break;
    default:
      CHECK_INT (e->u.address, x->a);
    }
}

static void
test_story (void)
{
  /* Whatever the capacity, and through a checkpoint at each element.  */
  for (size_t capacity = 1; capacity <= 16; capacity += 5)
    {
      struct bench b;
      bench_init (&b, story, 16, 0x30, 0x80000002, 0, 0x102);
      struct tb_decoder *d = tb_decoder_open (&b.config, &b.diag);
      if (!CHECK (d != NULL))
	return;
      struct tb_element e[16];
      size_t n, total = 0;
      while ((n = d->read (d, e, capacity)) > 0)
	{
	  for (size_t i = 0; i < n; i++, total++)
	    if (CHECK (total < 10))
	      check_element (&e[i], &story_elements[total], total);
	  void *saved = d->save (d);
	  d->read (d, e, 16);
	  d->restore (d, saved);
	  free (saved);
	}
      CHECK_INT (total, 10);
      CHECK_INT (d->stats.packets, 6);
      CHECK_INT (d->stats.bad_image, 0);
      tb_decoder_close (d);
      bench_fini (&b);
    }
}

static void
test_recording (void)
{
  struct bench b;
  bench_init (&b, story, 16, 0x30, 0x80000002, 0, 0x102);
  struct tb_recording *r
    = tb_recording_open (tb_decoder_open (&b.config, &b.diag), &b.profile,
			 b.map, &b.diag);
  if (!CHECK (r != NULL))
    return;
  static const uint32_t pcs[] = { 0x100, 0x102, 0x104, 0x110, 0x120, 0x122,
				  0x112, 0x100 };
  static const unsigned flags[] = {
    0, TB_STEP_NOT_TAKEN, TB_STEP_TAKEN, 0, TB_STEP_EVENTS, TB_STEP_TAKEN,
    TB_STEP_EVENTS | TB_STEP_TAKEN, 0
  };
  const struct tb_recording_info *info = tb_recording_info (r);
  CHECK_INT (info->steps, 8);
  CHECK_INT (info->exceptions, 1);
  CHECK_INT (info->gaps, 0);
  CHECK_INT (info->lead_in, 0x1fe);
  CHECK (info->end_known);
  CHECK_INT (info->end_pc, 0x102);
  for (uint64_t first = 0; first < 8; first++)
    {
      struct tb_step steps[10];
      size_t n = tb_recording_read (r, first, steps, 10);
      CHECK_INT (n, 8 - first);
      for (size_t i = 0; i < n; i++)
	{
	  CHECK_INT (steps[i].pc, pcs[first + i]);
	  CHECK_INT (steps[i].flags, flags[first + i]);
	}
    }
  struct tb_event events[4];
  CHECK_INT (tb_recording_events (r, 0, 8, events, 4), 2);
  CHECK_INT (events[0].step, 4);
  CHECK_INT (events[0].kind, TB_EVENT_EXCEPTION);
  CHECK_INT (events[0].exception, 15);
  CHECK_INT (events[1].step, 6);
  CHECK_INT (events[1].kind, TB_EVENT_EXCEPTION_RETURN);
  CHECK_INT (events[1].value, 0xfffffff9);
  CHECK_INT (tb_recording_events (r, 5, 5, events, 4), 0);
  CHECK_INT (tb_recording_events (r, 4, 4, events, 0), 1);
  uint64_t value;
  CHECK (!tb_recording_timestamp (r, 8, &value));
  CHECK_INT (tb_recording_read (r, 8, NULL, 1), 0);
  tb_recording_close (r);
  bench_fini (&b);
}

/* Decode WORDS; the kinds of the elements as letters.  */
static void
kinds_of (const char *core, const uint32_t *words, size_t count,
	  uint32_t position, uint32_t master, uint32_t flow, uint32_t halt_pc,
	  char letters[64])
{
  static const char letter[] = {
    [TB_ELEMENT_NO_SYNC] = 'Y', [TB_ELEMENT_TRACE_ON] = 'T',
    [TB_ELEMENT_RANGE] = 'R', [TB_ELEMENT_NO_CODE] = 'A',
    [TB_ELEMENT_EXCEPTION] = 'X', [TB_ELEMENT_EXCEPTION_RETURN] = 'E',
    [TB_ELEMENT_BAD_PACKET] = '!', [TB_ELEMENT_END] = 'Z'
  };
  struct bench b;
  bench_init (&b, words, count, position, master, flow, halt_pc);
  tb_profile_find (&b.profile, core);
  struct tb_decoder *d = tb_decoder_open (&b.config, &b.diag);
  size_t n = 0;
  if (d != NULL)
    {
      struct tb_element e;
      while (n < 63 && d->read (d, &e, 1) > 0)
	letters[n++] = e.kind < sizeof letter && letter[e.kind] != 0
		       ? letter[e.kind] : '?';
      tb_decoder_close (d);
    }
  else
    letters[n++] = '-';
  letters[n] = 0;
  bench_fini (&b);
}

static void
kinds (const uint32_t *words, size_t count, uint32_t position, uint32_t master,
       uint32_t flow, uint32_t halt_pc, char letters[64])
{
  kinds_of ("Cortex-M0+", words, count, position, master, flow, halt_pc,
	    letters);
}

/* A BX LR after what looks like IT: it is passed where an exception returned to
   it, never where a branch led there.  */
static void
test_within_it (void)
{
  static const uint32_t branched[] = { PACKET (0x1fe, 0, 0x142, 1), 0, 0 };
  static const uint32_t resumed[] = {
    PACKET (0x1fe, 0, 0x140, 1), PACKET (0x142, 1, 0x120, 0),
    PACKET (0x122, 0, 0xfffffff8, 0), PACKET (0xfffffff8, 1, 0x142, 0), 0, 0
  };
  char letters[64];

  kinds_of ("Cortex-M33", branched, 4, 8, 0x80000002, 0, 0x146, letters);
  CHECK_STR (letters, "TZ");
  kinds_of ("Cortex-M33", resumed, 10, 0x20, 0x80000002, 0, 0x146, letters);
  CHECK_STR (letters, "TRXRERRZ");
}

static void
no_table (void)
{
  put32 (0, 0);
}

/* A second table, not where the first one is looked for, with the handler 0x110.  */
static void
second_table (void)
{
  put32 (0x180, 0x20001000);
  put32 (0x184, 0x101);
  put32 (0x188, 0x131);
  put32 (0x18c, 0x111);
  put32 (0x190, 0);
}

static void
handler_changes_lr (void)
{
  put16 (0x120, 0x468e);	/* mov lr, r1  */
}

/* The A bit of a packet that no exception made: a debugger set the PC.  */
static void
test_debugger (void)
{
  enum { MOST = 16 };
  static const struct
  {
    const char *name;
    int64_t psr;
    uint32_t halt_pc;
    void (*alter) (void);
    uint32_t words[MOST];	/* Packets; after the first, from 0x100.  */
    const char *letters;
  } rows[] = {
#define FIRST PACKET (0x1fe, 0, 0x100, 1)
    { "to what is no handler", -1, 0x112, NULL,
      { FIRST, PACKET (0x102, 1, 0x110, 0) }, "TRTRZ" },
    { "... in Thread mode at the halt", 0x01000000, 0x112, NULL,
      { FIRST, PACKET (0x102, 1, 0x110, 0) }, "TRTRZ" },
    { "... in Handler mode, of an exception of before the trace", 0x0100000f,
      0x112, NULL, { FIRST, PACKET (0x102, 1, 0x110, 0) }, "TRTRZ" },
    { "... at the start of the trace", -1, 0x112, NULL,
      { PACKET (0x102, 1, 0x110, 1) }, "TRZ" },
    { "... behind a pause", -1, 0x112, NULL,
      { FIRST, PACKET (0x102, 1, 0x110, 1) }, "TTRZ" },
    { "no vector table to tell by", -1, 0x112, no_table,
      { FIRST, PACKET (0x102, 1, 0x110, 0) }, "TRXRZ" },
    { "... but Thread mode at the halt", 0x01000000, 0x112, no_table,
      { FIRST, PACKET (0x102, 1, 0x110, 0) }, "TRTRZ" },
    { "another table has it", -1, 0x112, second_table,
      { FIRST, PACKET (0x102, 1, 0x110, 0) }, "TRXRZ" },
    { "an exception returns to its source", -1, 0x104, NULL,
      { FIRST, PACKET (0x102, 1, 0x110, 0), PACKET (0x112, 0, 0xfffffff8, 0),
	PACKET (0xfffffff8, 1, 0x102, 0) }, "TRXRERZ" },
    { "an exception of before returns", -1, 0x104, NULL,
      { FIRST, PACKET (0x102, 1, 0x110, 0), PACKET (0x112, 0, 0xfffffff8, 0),
	PACKET (0xfffffff8, 1, 0x100, 0) }, "TRTRERZ" },
    { "a handler, and Handler mode", 0x0100000f, 0x122, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0) }, "TRXRZ" },
    { "a handler, nothing known of the halt", -1, 0x122, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0) }, "TRXRZ" },
    { "a handler, but Thread mode", 0x01000000, 0x122, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0) }, "TRTRZ" },
    { "a handler that returns like a function", -1, 0x112, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0), PACKET (0x122, 0, 0x110, 0) },
      "TRTRRZ" },
    { "a handler that changes LR", -1, 0x112, handler_changes_lr,
      { FIRST, PACKET (0x102, 1, 0x120, 0), PACKET (0x122, 0, 0x110, 0) },
      "TRXRRZ" },
    { "within a handler, which then returns", -1, 0x104, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0), PACKET (0x120, 1, 0x130, 0),
	PACKET (0x130, 0, 0xfffffff8, 0), PACKET (0xfffffff8, 1, 0x102, 0) },
      "TRXTRERZ" },
    { "a nested exception", -1, 0x104, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0), PACKET (0x122, 1, 0x130, 0),
	PACKET (0x130, 0, 0xfffffff0, 0), PACKET (0xfffffff0, 1, 0x122, 0),
	PACKET (0x122, 0, 0xfffffff8, 0), PACKET (0xfffffff8, 1, 0x102, 0) },
      "TRXRXRERERZ" },
    /* A fault in a handler that no handler takes: nothing is stacked.  */
    { "a lockup", -1, 0xfffffffe, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0), PACKET (0x122, 1, 0xfffffffe, 0) }, "TRXRTZ" },
    { "an exception out of a lockup", -1, 0x130, NULL,
      { FIRST, PACKET (0x102, 1, 0x120, 0), PACKET (0x122, 1, 0xfffffffe, 0),
	PACKET (0xfffffffe, 1, 0x130, 0) }, "TRXRTXZ" },
    { "to the start of the program", -1, 0x102, NULL,
      { FIRST, PACKET (0x102, 1, 0x100, 0) }, "TRTRZ" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char letters[64];
      uint32_t used = 0;
      for (unsigned k = 0; k < MOST; k++)
	if (rows[i].words[k] != 0)
	  used = (k / 2 + 1) * 8;
      halt_psr = rows[i].psr;
      alter_flash = rows[i].alter;
      kinds (rows[i].words, MOST, used, 0x80000003, 0, rows[i].halt_pc,
	     letters);
      if (!CHECK_STR (letters, rows[i].letters))
	fprintf (stderr, "  %s\n", rows[i].name);
    }
  halt_psr = -1;
  alter_flash = NULL;
}

static void
test_variants (void)
{
  char letters[64];

  /* Wrapped: the oldest packet is where the pointer is.  */
  static const uint32_t wrapped[] = {
    PACKET (0x112, 0, 0x100, 0), PACKET (0x104, 0, 0x110, 0),
    PACKET (0x1fe, 0, 0x100, 0), PACKET (0x104, 0, 0x110, 0)
  };
  kinds (wrapped, 8, 0x10 | 4, 0x80000001, 0, 0x112, letters);
  CHECK_STR (letters, "TRRRRRRZ");

  /* Stopped at its watermark, or switched off: nothing after the last
     destination.  */
  kinds (story, 16, 0x30, 0x00000002, 1, 0x102, letters);
  CHECK_STR (letters, "TRRRXRERZ");
  kinds (story, 16, 0x30, 0x00000002, 0, 0x102, letters);
  CHECK_STR (letters, "TRRRXRERZ");
  /* A halt PC out of reach: behind an unconditional branch, or before.  */
  kinds (story, 16, 0x30, 0x80000002, 0, 0x108, letters);
  CHECK_STR (letters, "TRRRXRERZ");
  kinds (story, 16, 0x30, 0x80000002, 0, 0x90, letters);
  CHECK_STR (letters, "TRRRXRERZ");

  /* Tracing paused: S in the middle.  */
  static const uint32_t paused[] = {
    PACKET (0x1fe, 0, 0x100, 1), PACKET (0x112, 0, 0x100, 1),
    PACKET (0x104, 0, 0x110, 0), 0, 0
  };
  kinds (paused, 8, 0x18, 0x80000001, 0, 0x110, letters);
  CHECK_STR (letters, "TTRRZ");

  /* SysTick's return goes to SVCall's handler, not to where it came from: a
     tail chain.  */
  static const uint32_t chained[] = {
    PACKET (0x1fe, 0, 0x100, 1), PACKET (0x102, 1, 0x120, 0),
    PACKET (0x122, 0, 0xfffffff8, 0), PACKET (0xfffffff8, 1, 0x130, 0),
    PACKET (0x130, 0, 0xfffffff8, 0), PACKET (0xfffffff8, 1, 0x102, 0),
    0, 0, 0, 0
  };
  kinds (chained, 16, 0x30, 0x80000002, 0, 0x104, letters);
  CHECK_STR (letters, "TRXREXRERZ");

  /* Code that cannot have run so: past an unconditional branch; backwards;
     where there is none.  Nothing is told of the way there; decoding goes on with the next
     packet.  */
  static const uint32_t wrong[] = {
    PACKET (0x1fe, 0, 0x100, 1), PACKET (0x112, 0, 0x110, 0),
    PACKET (0x104, 0, 0x1000, 0), PACKET (0x1004, 0, 0x110, 0),
  };
  kinds (wrong, 8, 0x18, 0x80000001, 0, 0, letters);
  CHECK_STR (letters, "TYYZ");
  kinds (wrong, 8, 0x4, 0x80000001, 0, 0x112, letters);
  CHECK_STR (letters, "TYYARZ");

  /* Branches that lead elsewhere than their packets say, and what is no branch.  Neither the
     way to the source nor that from the destination is told; but an instruction may make a packet
     without branching.  */
  static const uint32_t elsewhere[] = {
    PACKET (0x1fe, 0, 0x100, 1), PACKET (0x104, 0, 0x112, 0),
    PACKET (0x112, 0, 0x100, 0), PACKET (0x104, 0, 0x110, 0),
  };
  kinds (elsewhere, 8, 0x20, 0x80000002, 0, 0x112, letters);
  CHECK_STR (letters, "TYRRRZ");
  static const uint32_t plain[] = {
    PACKET (0x1fe, 0, 0x100, 1), PACKET (0x100, 0, 0x108, 0),
    PACKET (0x110, 0, 0x112, 0), PACKET (0x112, 0, 0x100, 0),
  };
  kinds (plain, 8, 0x20, 0x80000002, 0, 0x102, letters);
  CHECK_STR (letters, "TYRRZ");
  /* Memory that is 0 has no packets.  */
  static const uint32_t nothing[8] = { 0 };
  kinds (nothing, 8, 0x20, 0x80000002, 0, 0x112, letters);
  CHECK_STR (letters, "TYYZ");
  /* The halt, too, is on from the destination.  */
  kinds (elsewhere, 4, 0x10, 0x80000002, 0, 0x112, letters);
  CHECK_STR (letters, "TYZ");

  /* No packet at all.  */
  kinds (story, 16, 0, 0x80000002, 0, 0x100, letters);
  CHECK_STR (letters, "Z");
}

/* Packets with an address where nothing executes.  One that comes from there comes from where
   the one before led to; else what ran between them is not known.  */
static void
test_never_code (void)
{
  enum { MOST = 8 };
  static const struct
  {
    const char *name;
    uint32_t words[MOST];	/* Packets; after the first, from 0x110.  */
    const char *letters;
  } rows[] = {
#define AT_110 PACKET (0x1fe, 0, 0x110, 1)
    { "from nowhere", { AT_110, PACKET (0xe0000010, 0, 0x110, 0) }, "TYRZ" },
    { "from the end of no exception", { AT_110, PACKET (0xfffffff8, 1, 0x110, 0) }, "TYERZ" },
    { "from a lockup that was not entered", { AT_110, PACKET (0xfffffffe, 1, 0x120, 0) }, "TYXZ" },
    { "to nowhere",
      { AT_110, PACKET (0x112, 0, 0xe0000010, 0), PACKET (0x112, 0, 0x110, 0) }, "TRYRZ" },
    { "to the end of an exception",
      { AT_110, PACKET (0x112, 0, 0xfffffff8, 0), PACKET (0x112, 0, 0x110, 0) }, "TRYRZ" },
    { "to a lockup",
      { AT_110, PACKET (0x112, 0, 0xfffffffe, 0), PACKET (0x112, 0, 0x110, 0) }, "TRYRZ" },
    { "to the end of one exception, from that of another",
      { AT_110, PACKET (0x112, 0, 0xfffffff8, 0), PACKET (0xfffffff0, 1, 0x110, 0) }, "TRYERZ" },
    { "a branch at the end of an exception",
      { AT_110, PACKET (0x112, 0, 0xfffffff8, 0), PACKET (0xfffffff8, 0, 0x110, 0) }, "TRYRZ" },
    { "an exception's end",
      { AT_110, PACKET (0x112, 0, 0xfffffff8, 0), PACKET (0xfffffff8, 1, 0x110, 0) }, "TRERZ" },
    { "the end of a function of Non-secure state",
      { AT_110, PACKET (0x112, 0, 0xfefffffe, 0), PACKET (0xfefffffe, 0, 0x110, 0) }, "TRRZ" },
    { "the fault of a branch to nowhere",
      { AT_110, PACKET (0x112, 0, 0xe0000010, 0), PACKET (0xe0000010, 1, 0x120, 0) }, "TRXZ" },
    { "tracing was paused there",
      { AT_110, PACKET (0x112, 0, 0xe0000010, 0), PACKET (0x112, 0, 0x110, 1) }, "TRTRZ" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char letters[64];
      uint32_t used = 0;
      for (unsigned k = 0; k < MOST; k++)
	if (rows[i].words[k] != 0)
	  used = (k / 2 + 1) * 8;
      kinds (rows[i].words, MOST, used, 0x80000001, 0, 0x112, letters);
      if (!CHECK_STR (letters, rows[i].letters))
	fprintf (stderr, "  %s\n", rows[i].name);
    }
}

/* A tail chain in a trace that began within the first handler: where the
   interrupted program would go on is not known.  */
static void
test_chained_unknown (void)
{
  static const uint32_t words[] = {
    PACKET (0x1fe, 0, 0x120, 1), PACKET (0x122, 0, 0xfffffff8, 0),
    PACKET (0xfffffff8, 1, 0x130, 0), 0, 0
  };
  struct bench b;
  struct tb_element e[16];
  bench_init (&b, words, 8, 0x18, 0x80000001, 0, 0x130);
  struct tb_decoder *d = tb_decoder_open (&b.config, &b.diag);
  if (CHECK (d != NULL))
    {
      /* T R E X Z  */
      if (CHECK_INT (d->read (d, e, 16), 5)
	  && CHECK_INT (e[3].kind, TB_ELEMENT_EXCEPTION))
	{
	  CHECK_INT (e[3].u.exception.number, 11);
	  CHECK_INT (e[3].flags,
		     TB_EXCEPTION_TAIL_CHAIN | TB_EXCEPTION_NO_RETURN);
	}
      tb_decoder_close (d);
    }
  bench_fini (&b);
}

/* Memory is searched for another table as far as the effort goes.  */
static void
test_tables_effort (void)
{
  struct bench b;
  alter_flash = second_table;
  bench_init (&b, story, 16, 0x30, 0x80000002, 0, 0x102);
  tb_profile_find (&b.profile, "Cortex-M0+");
  uint64_t effort = UINT64_C (1) << 30;
  CHECK (tb_vectors_elsewhere (b.map, &b.profile, 0x110, &effort));
  CHECK (effort > 0 && effort < UINT64_C (1) << 30);
  /* The whole of the flash for what is not there.  */
  effort = 2 * sizeof flash;
  CHECK (!tb_vectors_elsewhere (b.map, &b.profile, 0x112, &effort));
  CHECK_INT (effort, sizeof flash);
  effort = 0x100;
  CHECK (!tb_vectors_elsewhere (b.map, &b.profile, 0x110, &effort));
  CHECK_INT (effort, 0);
  CHECK (!tb_vectors_elsewhere (b.map, &b.profile, 0x110, &effort));
  alter_flash = NULL;
  bench_fini (&b);
}

/* Where dumps differ in a vector, any handler may be its own as well: no number is told, and the
   table goes on behind it.  */
static void
test_disputed_vector (void)
{
  static uint8_t other[sizeof flash];
  struct bench b;
  struct tb_vectors vectors;
  bench_init (&b, story, 16, 0x30, 0x80000002, 0, 0x102);
  CHECK (tb_vectors_find (&vectors, b.map, &b.profile, NULL));
  CHECK (!vectors.disputed);
  CHECK_INT (tb_vectors_lookup (&vectors, 0x130), 11);
  memcpy (other, flash, sizeof flash);
  other[4 * 14] = 0x31;		/* PendSV, as SVCall.  */
  other[4 * 14 + 1] = 0x01;
  const struct tb_region region = {
    .length = sizeof other, .access = TB_ACCESS_UNKNOWN, .halt_contents = true, .data = other,
    .name = "another dump"
  };
  CHECK_INT (tb_memmap_add (b.map, &region, NULL), TB_OK);
  CHECK_INT (tb_memmap_seal (b.map, NULL), TB_OK);
  CHECK (tb_memmap_disputed (b.map, TB_SPACE_ANY, 4 * 14));
  CHECK (!tb_memmap_disputed (b.map, TB_SPACE_ANY, 4 * 14 + 2));
  CHECK (tb_vectors_find (&vectors, b.map, &b.profile, NULL));
  CHECK (vectors.disputed);
  CHECK_INT (tb_vectors_lookup (&vectors, 0x130), 0);
  CHECK (tb_vectors_has (&vectors, 0x120));
  bench_fini (&b);
}

static char message[512];

static void
keep (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  if (severity == TB_ERROR)
    snprintf (message, sizeof message, "%s", text);
}

/* Registers that ask for more than there is.  */
static void
test_bad_input (void)
{
  struct bench b;
  bench_init (&b, story, 16, 0x30 | 4, 0x80000003, 0, 0);
  b.diag.report = keep;
  CHECK (tb_decoder_open (&b.config, &b.diag) == NULL);
  CHECK (strstr (message, "mtb_0.ini") != NULL);
  CHECK (strstr (message, "expected 128 bytes") != NULL);
  CHECK (strstr (message, "found 64") != NULL);

  /* Packets in RAM that no dump has.  */
  b.config.buffer = NULL;
  CHECK (tb_decoder_open (&b.config, &b.diag) == NULL);
  CHECK (strstr (message, "RAM at 0x40200000") != NULL);

  b.source.nregs = 0;
  CHECK (tb_decoder_open (&b.config, &b.diag) == NULL);
  CHECK (strstr (message, "POSITION") != NULL);
  bench_fini (&b);
}

static void
test_names (void)
{
  static const char *const names[] = { "MTB", "mtb", "MTB-M0+", "CSMTB",
				       "CoreSight MTB-M33" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    CHECK (tb_protocol_find (names[i]) == &tb_protocol_mtb);
  CHECK (tb_protocol_find ("M-TB") != &tb_protocol_mtb);
}

int
main (void)
{
  test_story ();
  test_recording ();
  test_variants ();
  test_within_it ();
  test_debugger ();
  test_never_code ();
  test_chained_unknown ();
  test_tables_effort ();
  test_disputed_vector ();
  test_bad_input ();
  test_names ();
  return check_done ();
}
