/* An encoded trace, and what a decoder must say of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_TRACE_H
#define GEN_TRACE_H

#include "generator/walk.h"

enum gen_fact_kind
{
  GEN_FACT_STEP,		/* A is the PC.  */
  GEN_FACT_EXCEPTION,		/* A is the return address, NUMBER the protocol's;
				   of the M profile the vector's or
				   GEN_NO_VECTOR.  */
  GEN_FACT_RETURN,
  GEN_FACT_CONTEXT,		/* A is VMID << 32 | CID, NUMBER the rest.  */
  GEN_FACT_ON,			/* NUMBER is an enum gen_on.  */
  GEN_FACT_TIME,		/* A is the value.  */
  GEN_FACT_CYCLES,		/* A is the count.  */
  GEN_FACT_TRIGGER,
  GEN_FACT_MARKER,		/* A timestamp belongs here.  */
  GEN_FACT_SOFTWARE,		/* STM: A is the data, ISA its bits, NUMBER is
				   master << 16 | channel.  */
  GEN_FACT_ITM,			/* A is bytes << 32 | value, NUMBER the port.  */
  GEN_FACT_DWT,			/* A is exception << 48 | bytes << 32 | value,
				   NUMBER meaning << 24 | action << 16
				   | comparator << 8 | discriminator.  */
  GEN_FACT_LOCAL_TIME,		/* A is how much is added to the sum, NUMBER
				   relation << 28 | the ticks as sent.  */
  GEN_FACT_GLOBAL_TIME,		/* A is the value.  */
  GEN_FACT_INSTRUMENTATION,	/* A is the value, NUMBER the exception level.  */
  GEN_FACT_TRANSACTION,		/* NUMBER: 0 one is at hand, 1 start, 2 commit,
				   3 failure.  */
  GEN_FACT_Q,			/* NUMBER instructions (0: not told) ran by a way
				   that is not known, up to A.  */
  GEN_FACT_DATA_ADDRESS,	/* A is part << 56 | steps since << 32 | address,
				   NUMBER the PC.  */
  GEN_FACT_DATA_VALUE,		/* The same of a value.  */
  GEN_FACT_CONDITIONAL,		/* NUMBER instructions (0: not told), FLAGS is 1 where
				   the last has the key of the one before; A is its
				   key, or UINT64_MAX.  */
  GEN_FACT_RESULT,		/* A is the key, or UINT64_MAX; NUMBER 0 failed, 1
				   passed, 2 not told, or 16 and N, Z, C, V.  */
  GEN_FACT_FLUSH,
  GEN_FACT_OTHER		/* What no good trace says; NUMBER is the kind of
				   the element.  */
};

/* M profile: the debugger, who has no vector.  */
#define GEN_NO_VECTOR 0xffff

/* Why trace starts.  */
enum gen_on
{
  GEN_ON_BEGIN, GEN_ON_OVERFLOW, GEN_ON_PAUSED, GEN_ON_OTHER
};

/* What the DWT says.  */
enum gen_dwt
{
  GEN_DWT_NOTHING, GEN_DWT_EVENTS, GEN_DWT_EXCEPTION, GEN_DWT_PC,
  GEN_DWT_SLEEP, GEN_DWT_PROHIBITED, GEN_DWT_PMU, GEN_DWT_DATA_PC,
  GEN_DWT_DATA_ADDRESS, GEN_DWT_DATA_MATCH, GEN_DWT_DATA_READ,
  GEN_DWT_DATA_WRITE
};

/* Bits of gen_fact.flags.  */
enum
{
  /* STEP  */
  GEN_TAKEN = 1, GEN_NOT_TAKEN = 2,	/* Of branches and ISB.  */
  GEN_NO_INSN = 4,			/* The program has none there.  */
  /* EXCEPTION  */
  GEN_SAME = 1, GEN_TAIL = 2, GEN_HALT = 4, GEN_NO_RETURN = 8,
  /* CYCLES  */
  GEN_WITH_PREVIOUS = 1,
  /* CONTEXT  */
  GEN_HAS_VMID = 1, GEN_HAS_CID = 2,
  /* SOFTWARE; SENDER: master and channel are told.  */
  GEN_SOFTWARE_SENDER = 1, GEN_SOFTWARE_MARKED = 2, GEN_SOFTWARE_TRIGGER = 4,
  GEN_SOFTWARE_FREQUENCY = 8, GEN_SOFTWARE_MASTER_ERROR = 16,
  GEN_SOFTWARE_GLOBAL_ERROR = 32,
  /* ITM, DWT, LOCAL_TIME, GLOBAL_TIME; AFTER_LOSS: packets were lost.  */
  GEN_AFTER_LOSS = 1, GEN_CLOCK_CHANGED = 2,
  /* DATA_ADDRESS, DATA_VALUE; UNTIED: of which step is not told.  */
  GEN_DATA_UNTIED = 1, GEN_DATA_PUSHED = 2, GEN_DATA_POPPED = 4,
  GEN_DATA_BIG_ENDIAN = 8, GEN_DATA_NOT_TRACED = 16, GEN_DATA_SUPPRESSED = 32,
  GEN_DATA_FAILED = 64, GEN_DATA_LATE = 128
};

struct gen_fact
{
  uint8_t kind;
  uint8_t isa;			/* STEP: enum gen_isa.  */
  uint8_t flags;
  uint32_t number;
  uint64_t a;
  /* From this many bytes of the trace on it is known; SIZE_MAX: never.  */
  size_t known_at;
  size_t cause;			/* ON after an overflow: where that is said, if
				   not there.  */
};

#define GEN_LEAD 4

/* A place where a decoder may start.  */
struct gen_sync
{
  size_t offset;		/* Of its first byte.  */
  size_t fact;			/* The first fact that comes after it.  */
  size_t address;		/* The first fact from which on addresses are
				   known: steps before are not told.  */
  /* What only who begins here is told, before that fact.  */
  struct gen_fact lead[GEN_LEAD];
  unsigned nlead;
};

/* Where a trace ends between FROM and TO, decoders say what is not so, for the
   bytes up to TO take it back.  */
struct gen_doubt
{
  size_t from, to;
};

struct gen_trace
{
  uint8_t *bytes;
  size_t nbytes, byte_capacity;
  struct gen_fact *facts;
  size_t nfacts, fact_capacity;
  struct gen_sync *syncs;
  size_t nsyncs, sync_capacity;
  struct gen_doubt *doubts;
  size_t ndoubts, doubt_capacity;
};

/* Registers for a snapshot.  */
struct gen_register
{
  const char *name;
  uint32_t id, value;
};

void gen_trace_init (struct gen_trace *trace);
void gen_trace_free (struct gen_trace *trace);

void gen_put (struct gen_trace *trace, unsigned byte);
/* COUNT bytes of VALUE, the lowest first.  */
void gen_put_value (struct gen_trace *trace, uint64_t value, unsigned count);
/* Seven bits a byte, the lowest first, bit 7 saying that more follows.  */
void gen_put_continued (struct gen_trace *trace, uint64_t value);

struct gen_fact *gen_add_fact (struct gen_trace *trace,
			       enum gen_fact_kind kind, uint64_t a);

void gen_add_doubt (struct gen_trace *trace, size_t from, size_t to);

/* An end of TRACE from TO on that is in no doubt.  */
size_t gen_clear_end (const struct gen_trace *trace, size_t to);

bool gen_fact_same (const struct gen_fact *x, const struct gen_fact *y);

/* "step 0x400120 A64 taken".  The text lives until the fourth call after.  */
const char *gen_fact_text (const struct gen_fact *fact);

/* Where two lists of facts first differ, or the shorter one's length; -1 where
   they are the same.  */
ptrdiff_t gen_facts_differ (const struct gen_fact *x, size_t nx,
			    const struct gen_fact *y, size_t ny);

#endif /* GEN_TRACE_H */
