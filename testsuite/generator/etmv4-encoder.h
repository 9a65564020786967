/* The ETMv4 encoder's own parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_ETMV4_ENCODER_H
#define GEN_ETMV4_ENCODER_H

#include "generator/encode-etmv4.h"

/* Atoms that may wait for a packet.  */
#define GEN_ATOMS 64

#define GEN_RETURN_STACK 15

struct gen_etmv4
{
  struct gen_trace *trace;
  const struct gen_walk *walk;
  const struct gen_etmv4_options *options;
  struct gen_random *random;
  enum gen_arch arch;

  /* The three addresses last given, the newest first, and their IS.  */
  uint64_t value[3];
  uint8_t is[3];
  uint64_t timestamp;		/* The last one given since Trace Info, or 0.  */

  /* Atoms that wait for a packet; 1 is E.  */
  uint8_t atoms[GEN_ATOMS];
  unsigned natoms, atom_limit;
  /* Steps since the last P0 element: nothing tells of them yet.  */
  struct gen_fact *open;
  size_t nopen, open_capacity;

  /* P0 elements that are not committed, with the atoms that wait: how many facts
     there are up to each.  */
  size_t *p0;
  size_t depth, p0_capacity;
  size_t known;			/* Facts that are committed.  */

  struct { uint64_t address; uint8_t isa; } stack[GEN_RETURN_STACK];
  unsigned nstack, stack_depth;
  bool stack_waiting;		/* For an address after Trace Info.  */

  /* The next address is not known to a decoder.  */
  bool need_address;
  bool may_match;		/* ... but the return stack may tell it.  */
  bool after_branch;		/* ... and a branch led there.  */
  bool matched;			/* The return stack told where the block begins. */

  struct gen_context context, sent;
  bool context_sent, vmid_sent, cid_sent;
  uint64_t cycles;		/* Since the last count.  */
  bool off;			/* Trace On is to come.  */
  enum gen_on on_reason;
  size_t overflow_at;		/* Where it is said.  */
  bool sync_due;
  uint64_t key, result_key;	/* The newest ones of conditional instructions. */
  bool quiet;			/* Nothing of them now: what is put will be taken
				   back, a decoder is not synchronised, or is about
				   to be told where it is.  */
  bool awaited;			/* An address must follow.  */
  bool in_transaction;
  bool relearn;			/* ... which a decoder does not know.  */
  unsigned skip;		/* Steps that a Q element has told.  */
  unsigned resync;		/* Blocks until the address that Trace Info
				   makes necessary; 0: none is.  */
};

/* etmv4-packets.c: packets.  All but those of synchronisation flush the atoms
   that wait.  */

void gen_etmv4_flush (struct gen_etmv4 *e);

/* Add a P0 element that a packet has just told.  */
void gen_etmv4_add_p0 (struct gen_etmv4 *e);

/* An address packet, perhaps with the context WITH.  */
void gen_etmv4_address (struct gen_etmv4 *e, uint64_t address, enum gen_isa isa,
			const struct gen_context *with);
/* A source address packet: the branch at ADDRESS was taken.  */
void gen_etmv4_source (struct gen_etmv4 *e, uint64_t address,
		       enum gen_isa isa);
/* A Q packet and the address that follows; COUNT 0: none is said.  */
void gen_etmv4_q (struct gen_etmv4 *e, uint32_t count, uint64_t address,
		  enum gen_isa isa);
void gen_etmv4_context (struct gen_etmv4 *e, const struct gen_context *c);
/* The header of an exception: the address follows.  */
void gen_etmv4_exception_header (struct gen_etmv4 *e, unsigned type,
				 bool same);
void gen_etmv4_timestamp (struct gen_etmv4 *e, uint64_t value);
void gen_etmv4_trigger (struct gen_etmv4 *e, unsigned number);
void gen_etmv4_async (struct gen_etmv4 *e);
void gen_etmv4_info (struct gen_etmv4 *e);
/* A cycle count, seldom one that says it is not known; COMMIT is how many elements it commits,
   where it says so.  */
void gen_etmv4_cycles (struct gen_etmv4 *e, uint32_t count, unsigned commit);

/* etmv4-speculation.c.  */

/* Elements that packets have told and that are not committed.  */
static inline size_t
gen_etmv4_told (const struct gen_etmv4 *e)
{
  return e->depth - e->natoms;
}

/* Facts that stand for themselves, whatever was speculated.  */
static inline bool
gen_etmv4_is_plain (enum gen_fact_kind kind)
{
  return kind == GEN_FACT_TIME || kind == GEN_FACT_CYCLES
	 || kind == GEN_FACT_TRIGGER || kind == GEN_FACT_MARKER
	 || kind == GEN_FACT_INSTRUMENTATION || kind == GEN_FACT_RESULT
	 || kind == GEN_FACT_FLUSH;
}

/* What has been told is now known as far as the oldest COUNT P0 elements.  */
void gen_etmv4_note_commit (struct gen_etmv4 *e, size_t count);
/* After a packet: what exceeds the speculation depth is committed.  */
void gen_etmv4_note_excess (struct gen_etmv4 *e);
/* Commit COUNT by a packet.  */
void gen_etmv4_commit (struct gen_etmv4 *e, size_t count);
/* Make room for COUNT more P0 elements.  */
void gen_etmv4_make_room (struct gen_etmv4 *e, size_t count);
/* Maybe commit something.  */
void gen_etmv4_maybe_commit (struct gen_etmv4 *e);
/* The newest P0 element is an atom and right.  Tell instead of something wrong
   that is taken back.  */
void gen_etmv4_wrong_path (struct gen_etmv4 *e, bool conditional);
/* The trace unit loses (OVERFLOW) or throws away what is not committed.  */
void gen_etmv4_lose (struct gen_etmv4 *e, bool overflow);
/* The trace ends: forget what a decoder cannot know then.  */
void gen_etmv4_finish (struct gen_etmv4 *e);

/* etmv4-rare.c  */

void gen_etmv4_instrumentation (struct gen_etmv4 *e);
/* A transaction begins, or the one at hand is committed.  */
void gen_etmv4_transaction (struct gen_etmv4 *e);
/* The transaction at hand fails: execution goes on elsewhere.  */
void gen_etmv4_transaction_fails (struct gen_etmv4 *e);
void gen_etmv4_reset (struct gen_etmv4 *e);
/* The branch before returned to another security state.  */
void gen_etmv4_function_return (struct gen_etmv4 *e);
/* Maybe tell the block that ends with ITEM, which is of INSN, by a Q element.  */
bool gen_etmv4_maybe_q (struct gen_etmv4 *e, const struct gen_insn *insn,
			const struct gen_item *item);

/* etmv4-conditional.c  */

/* A packet of conditional instructions or of their results.  */
void gen_etmv4_conditional (struct gen_etmv4 *e);
/* A decoder does not know the keys.  */
void gen_etmv4_forget_keys (struct gen_etmv4 *e);

/* encode-etmv4.c: does INSN end a block?  */
bool gen_etmv4_is_waypoint (const struct gen_etmv4 *e,
			    const struct gen_insn *insn);

#endif /* GEN_ETMV4_ENCODER_H */
