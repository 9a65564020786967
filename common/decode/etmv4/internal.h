/* The ETMv4 and ETE decoder's own parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Packets (packet.h) become items of a queue; items become elements once they
   are known to be architectural.  P0 items are those that speculation counts:
   atoms, exceptions, Q ...; all other items wait for the P0 item after them.
   Where the trace unit does not speculate (TRCIDR8 is 0) and nothing waits,
   atoms and addresses go past the queue.  */

#ifndef TB_DECODE_ETMV4_INTERNAL_H
#define TB_DECODE_ETMV4_INTERNAL_H

#include "decode/decoder.h"
#include "decode/etmv4/address.h"
#include "decode/etmv4/packet.h"
#include "decode/return-stack.h"
#include "decode/etmv4/settings.h"

enum tb_etmv4_item_kind
{
  TB_ITEM_ATOMS, TB_ITEM_ADDRESS, TB_ITEM_CONTEXT, TB_ITEM_TRACE_ON,
  TB_ITEM_TRACE_INFO, TB_ITEM_EXCEPTION, TB_ITEM_EXCEPTION_RETURN,
  TB_ITEM_FUNCTION_RETURN, TB_ITEM_EVENT, TB_ITEM_TIMESTAMP, TB_ITEM_CYCLES,
  TB_ITEM_MARKER, TB_ITEM_Q, TB_ITEM_SOURCE, TB_ITEM_TRANSACTION,
  TB_ITEM_INSTRUMENTATION,
  TB_ITEM_CONDITIONAL, TB_ITEM_RESULT, TB_ITEM_FLUSH,
  TB_ITEM_UNSEEN		/* P0 elements from before the trace began.  */
};

/* Flags of items.  */
enum
{
  /* EXCEPTION  */
  TB_ITEM_SAME_ADDRESS = 1, TB_ITEM_RESET = 2,
  /* Q  */
  TB_ITEM_HAS_ADDRESS = 1,
  /* TIMESTAMP  */
  TB_ITEM_HAS_CYCLES = 1,
  /* CONDITIONAL, RESULT: as in struct tb_element.  */
  /* CONTEXT  */
  TB_ITEM_NS = 1, TB_ITEM_NSE = 2, TB_ITEM_SF = 4,
  TB_ITEM_HAS_VMID = 8, TB_ITEM_HAS_CID = 16
};

struct tb_etmv4_item
{
  uint8_t kind;			/* enum tb_etmv4_item_kind  */
  uint8_t is;			/* Addresses.  CONTEXT, INSTRUMENTATION: EL.
				   TRANSACTION, RESULT: as in struct
				   tb_element.  */
  uint8_t flags;
  uint32_t atoms;		/* ATOMS: P0 of them, the oldest in bit 0.  */
  uint32_t number;		/* EXCEPTION: type.  Q, CONDITIONAL: count.
				   Cycles.  */
  uint32_t p0;			/* How many P0 elements it is.  */
  uint64_t value;		/* Address, value, key; CONTEXT: VMID << 32 | CID.  */
  uint64_t index;		/* Of its packet.  */
};

enum tb_etmv4_phase
{
  TB_PHASE_SEARCH,		/* For an alignment synchronisation packet.  */
  TB_PHASE_INFO,		/* For the Trace Info packet after it.  */
  TB_PHASE_DECODE,
  TB_PHASE_DRAIN,		/* No bytes left, but items.  */
  TB_PHASE_ENDED
};

/* A key by which results are tied to conditional instructions, if it is known.  */
struct tb_etmv4_key
{
  uint32_t value;
  uint32_t known;		/* 0 or 1; no gap that a comparison would see.  */
};

/* Elements that one step may make at most, and room for what a caller's array
   does not take at once.  */
#define TB_ETMV4_STEP 6
#define TB_ETMV4_SPILL 8

/* Address spaces to look for code in, one after the other.  */
#define TB_ETMV4_SPACES 7

/* All that changes, but the queue.  No pointers: a copy is a checkpoint.  */
struct tb_etmv4_state
{
  struct tb_stream_place place;	/* Set in copies only.  */
  struct tb_stream_place sync;	/* Where the newest such packet begins, if
				   reads stop behind them.  */
  struct tb_decoder_stats stats;

  /* Packets.  */
  uint64_t packet_index;	/* Where the packet at hand is.  */
  struct tb_etmv4_addresses addresses;
  uint64_t timestamp;
  uint32_t cycle_threshold;
  uint8_t zeros;		/* Zero bytes, up to 11, before the next one.  */
  bool timestamp_given;		/* Since the last Trace Info.  */
  bool sf;			/* AArch64, by the newest context packet.  */
  uint8_t phase;		/* enum tb_etmv4_phase  */
  bool report;			/* NO_SYNC is to be said, with LOST.  */
  uint8_t lost;			/* enum tb_reason  */
  bool overflow;		/* Since the last Trace On.  */
  bool marker_seen;		/* ETE: timestamps count from here on.  */

  /* Of conditional instructions: the newest one's, the newest result's.  */
  struct tb_etmv4_key instruction, result;

  /* Speculation.  */
  uint32_t depth;		/* P0 elements that wait.  */
  bool address_pending;		/* The newest P0 item wants an address.  */
  uint32_t commit, cancel;	/* Still to be done.  */
  bool mispredict, discard;

  /* Atoms that are being committed.  */
  uint64_t atoms_index;
  uint32_t atoms, atoms_left;

  /* What has been committed.  */
  uint64_t address;		/* Of the next instruction ...  */
  bool have_address;		/* ... if this is set.  */
  bool have_context;
  /* ADDRESS may be walked on from to an exception's return address: it is
     known, or is where the code was not readable.  */
  bool walkable;
  bool gap_said;		/* That there is no address was said.  */
  bool locked_up;		/* M profile: the newest exception was a lockup.  */
  bool may_jump;		/* The next address may be elsewhere: a transaction
				   failed.  */
  uint8_t isa;			/* enum tb_isa  */
  uint8_t is;			/* IS of the newest address.  */
  struct tb_return_stack stack;
  struct { uint32_t vmid, cid; uint8_t el, security, flags; } context;
  uint8_t nspaces, spaces[TB_ETMV4_SPACES];

  uint8_t spill_at, spill_end;
  struct tb_element spill[TB_ETMV4_SPILL];
};

struct tb_etmv4_decoder
{
  struct tb_decoder base;
  struct tb_etmv4_config config;
  struct tb_etmv4_table table;
  struct tb_stream *stream;
  bool has_region[TB_SPACE_COUNT];	/* The map has regions of it.  */
  const struct tb_memmap *map;
  uint8_t unnamed;		/* A space: until the trace names a context.  */
  const struct tb_block *block;	/* At state.address; NULL: not looked up.  */
  struct tb_etmv4_item *items;	/* The queue: HEAD .. TAIL - 1.  */
  size_t head, tail, capacity;
  bool paused;			/* Behind a synchronisation packet.  */
  struct tb_etmv4_state state;
};

/* Where elements go; a step may begin while AT < STOP and then has room for
   TB_ETMV4_STEP elements.  */
struct tb_etmv4_out
{
  struct tb_element *at, *stop;
};

static inline struct tb_element *
tb_etmv4_emit (struct tb_etmv4_out *out, enum tb_element_kind kind,
	       uint64_t index)
{
  struct tb_element *e = out->at++;
  *e = (struct tb_element) { .index = index, .kind = kind };
  return e;
}

/* checkpoint.c: make D able to be saved, restored and sent elsewhere.  */
void tb_etmv4_checkpoint_init (struct tb_etmv4_decoder *d);

/* bytes.c: look for synchronisation in what the stream has.  */
void tb_etmv4_search (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out);

/* bytes.c: read packets until there is no room, something is to be done with the
   queue, or synchronisation is lost.  */
void tb_etmv4_decode_packets (struct tb_etmv4_decoder *d,
			      struct tb_etmv4_out *out);

/* decode.c: forget what is known of the program and look for synchronisation.  */
void tb_etmv4_lose_sync (struct tb_etmv4_decoder *d, enum tb_reason reason);

/* decode.c: nothing of what was before a break in the buffer counts behind it. */
void tb_etmv4_start_over (struct tb_etmv4_decoder *d);

/* Put ITEM, which the packet at hand makes, into the queue, unless synchronisation was
   lost over another item of the packet.  */
void tb_etmv4_add (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		   struct tb_etmv4_item item);

/* The packets do not make sense: say so and lose synchronisation.  */
void tb_etmv4_bad (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out);

/* Put what PACKET says into the queue.  */
void tb_etmv4_decode_packet (struct tb_etmv4_decoder *d,
			     struct tb_etmv4_out *out,
			     const struct tb_etmv4_packet *packet);

/* conditional.c: packets of conditional instructions that are no branches, and of their
   results.  */
void tb_etmv4_decode_conditional (struct tb_etmv4_decoder *d,
				  struct tb_etmv4_out *out,
				  const struct tb_etmv4_packet *packet);

/* The keys are not known: trace begins, or what was traced is taken back.  */
void tb_etmv4_forget_keys (struct tb_etmv4_decoder *d);

/* speculation.c: the queue.  */

/* Something is to be done before the next packet.  */
static inline bool
tb_etmv4_must_resolve (const struct tb_etmv4_state *s)
{
  return s->commit | s->cancel | s->mispredict | s->discard
	 | s->atoms_left;
}

/* Append ITEM; false and synchronisation lost if there is no room.  */
bool tb_etmv4_push (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		    const struct tb_etmv4_item *item);

static inline bool
tb_etmv4_queue_empty (const struct tb_etmv4_decoder *d)
{
  return d->head == d->tail;
}

/* One step of what is to be done with the queue: commit, cancel, mispredict,
   discard.  */
void tb_etmv4_resolve (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out);

/* One step at the end of the trace: items that need no P0 item after them
   become elements, up to the first P0 item.  */
void tb_etmv4_drain (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out);

/* Is nothing known, and said to be so, that atoms could be followed from?  */
static inline bool
tb_etmv4_is_lost (const struct tb_etmv4_state *s)
{
  return !(s->have_address && s->have_context) && s->gap_said && !s->stack.pending;
}

/* Is the address known and code missing there, and was some before, as far as is known
   without looking?  An atom does no more than to say so then.  */
static inline bool
tb_etmv4_is_in_hole (const struct tb_etmv4_decoder *d)
{
  const struct tb_etmv4_state *s = &d->state;
  if (!s->stack.lost || s->stack.pending || !s->have_address || !s->have_context)
    return false;
  for (unsigned i = 0; i < s->nspaces; i++)
    if (!tb_follow_in_hole (d->base.follow, (enum tb_space) s->spaces[i], s->address))
      return false;
  return s->nspaces > 0;
}

/* flow.c: what has been committed.  */

/* Follow the atoms of the state while there is room.  */
void tb_etmv4_follow_atoms (struct tb_etmv4_decoder *d,
			    struct tb_etmv4_out *out);

/* The block at the current address, in the first space that has code there;
   NULL: no memory.  */
const struct tb_block *tb_etmv4_find_block (struct tb_etmv4_decoder *d);

/* The space to read code at ADDRESS from.  */
enum tb_space tb_etmv4_find_space (const struct tb_etmv4_decoder *d,
				   uint64_t address);

/* The code at ADDRESS cannot be read: nothing is known until the trace gives an
   address.  */
void tb_etmv4_no_code (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		       uint64_t index, uint64_t address);

/* What ran up to TRAP, from START on, in SPACE: the code there would have stopped
   the core, so it is not what ran.  Nothing is known until the trace gives an
   address.  */
void tb_etmv4_trapped (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
		       uint64_t index, enum tb_space space, uint64_t start,
		       uint64_t trap);

/* Instructions ran from an address that the trace does not tell.  Said once
   until it tells one.  */
void tb_etmv4_no_address (struct tb_etmv4_decoder *d,
			  struct tb_etmv4_out *out, uint64_t index);

/* The instruction set of an address with IS in the current context.  */
enum tb_isa tb_etmv4_isa_of (const struct tb_etmv4_decoder *d, unsigned is);

/* Go on at the address VALUE, which an address packet at INDEX gives: a place
   where the program already is, if the code is what ran.  */
void tb_etmv4_take_address (struct tb_etmv4_decoder *d, uint64_t value,
			    unsigned is, uint64_t index);

/* Go on at the address VALUE.  */
void tb_etmv4_set_address (struct tb_etmv4_decoder *d, uint64_t value,
			   unsigned is);
void tb_etmv4_set_context (struct tb_etmv4_decoder *d,
			   struct tb_etmv4_out *out,
			   const struct tb_etmv4_item *item, uint64_t index);

/* A branch whose target the return stack may hold: take it from there.  False
   if synchronisation was lost over it.  */
bool tb_etmv4_pop_pending (struct tb_etmv4_decoder *d,
			   struct tb_etmv4_out *out);

/* straight.c: code up to a place that the trace tells.  */

/* An exception.  CONTEXT may be NULL; ADDRESS too, for a reset.  */
void tb_etmv4_take_exception (struct tb_etmv4_decoder *d,
			      struct tb_etmv4_out *out,
			      const struct tb_etmv4_item *item,
			      const struct tb_etmv4_item *context,
			      const struct tb_etmv4_item *address);

/* COUNT instructions ran up to ADDRESS.  */
void tb_etmv4_follow_q (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out,
			const struct tb_etmv4_item *item,
			const struct tb_etmv4_item *address);

/* ETE: the branch at the item's address was taken.  */
void tb_etmv4_follow_source (struct tb_etmv4_decoder *d,
			     struct tb_etmv4_out *out,
			     const struct tb_etmv4_item *item);

#endif /* TB_DECODE_ETMV4_INTERNAL_H */
