/* The PTM decoder's own parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each packet becomes its elements at once; none waits.  */

#ifndef TB_DECODE_PTM_INTERNAL_H
#define TB_DECODE_PTM_INTERNAL_H

#include "decode/return-stack.h"
#include "decode/follow.h"
#include "decode/ptm/packet.h"
#include "decode/v7trace.h"

enum tb_ptm_phase
{
  TB_PTM_SEARCH,		/* For an A-sync packet.  */
  TB_PTM_SYNC,			/* For the I-sync packet after it.  */
  TB_PTM_DECODE,
  TB_PTM_ENDED
};

/* The most elements that one packet makes: five atoms, a hole, cycles and a
   context.  */
#define TB_PTM_STEP 10

/* All that changes.  No pointers: a copy is a checkpoint.  */
struct tb_ptm_state
{
  struct tb_stream_place place;	/* Set in copies only.  */
  struct tb_stream_place sync;	/* Of the newest A-sync packet; for callers that
				   want to stop there.  */
  struct tb_decoder_stats stats;
  uint64_t index;		/* Where the packet at hand is.  */
  uint64_t timestamp;		/* As sent.  */
  struct tb_return_stack stack;
  struct tb_v7_context context;
  uint32_t last;		/* The newest packet's address.  */
  uint32_t address;		/* Of the next instruction ...  */
  bool have_address;		/* ... if this is set.  */
  bool alternative;		/* ThumbEE is the T32 state.  */
  bool halted;			/* The core stopped for the debugger: ADDRESS is
				   not where.  */
  uint8_t isa;			/* enum tb_isa, at ADDRESS.  */
  uint8_t packet_isa;		/* Of the newest packet that told.  */
  uint8_t phase;		/* enum tb_ptm_phase  */
  bool report;			/* NO_SYNC is to be said, with LOST.  */
  uint8_t lost;			/* enum tb_reason  */
  uint8_t spill_at, spill_end;	/* Elements that the caller had no room for.  */
  struct tb_element spill[TB_PTM_STEP];
};

struct tb_ptm_decoder
{
  struct tb_decoder base;
  struct tb_v7_settings settings;
  struct tb_ptm_table table;
  struct tb_v7_spaces spaces;
  struct tb_stream *stream;
  const struct tb_block *block;	/* At state.address; NULL: not looked up.  */
  /* What the stream showed: AT of LENGTH bytes are done with.  */
  const uint8_t *view;
  size_t at, length;
  bool last;
  bool paused;			/* Behind an A-sync packet.  */
  struct tb_ptm_state state;
};

static inline struct tb_element *
tb_ptm_emit (struct tb_ptm_decoder *d, struct tb_element **out,
	     enum tb_element_kind kind)
{
  struct tb_element *e = (*out)++;
  *e = (struct tb_element) { .index = d->state.index, .kind = kind,
			     .isa = d->state.isa };
  return e;
}

/* decode.c  */

/* Forget where execution stands and look for synchronisation; say why.  */
void tb_ptm_lose_sync (struct tb_ptm_decoder *d, enum tb_reason reason);

/* Nothing of what was before a break in the buffer counts behind it.  */
void tb_ptm_start_over (struct tb_ptm_decoder *d);

/* What packet P says.  */
void tb_ptm_decode_packet (struct tb_ptm_decoder *d, struct tb_element **out,
			   const struct tb_ptm_packet *p);

/* checkpoint.c: the functions that save, restore and send elsewhere.  */
void tb_ptm_checkpoint_init (struct tb_ptm_decoder *d);

/* flow.c  */

/* Go on from ADDRESS in ISA.  */
void tb_ptm_set_address (struct tb_ptm_decoder *d, uint32_t address,
			 enum tb_isa isa);

/* Nothing is known of where execution stands.  */
void tb_ptm_lose_address (struct tb_ptm_decoder *d);

/* NATOMS atoms, the oldest in bit 0 of ATOMS.  BY_PACKET: the only one is
   implied by a branch packet, which tells where it led.  CYCLES is NULL or the
   cycle count of the packet; as in reference listings it is not told where
   there is no range.  */
void tb_ptm_follow (struct tb_ptm_decoder *d, struct tb_element **out,
		    unsigned natoms, unsigned atoms, bool by_packet,
		    const uint32_t *cycles);

/* All instructions up to and with the one at LAST ran.  */
void tb_ptm_follow_to (struct tb_ptm_decoder *d, struct tb_element **out,
		       uint32_t last);

#endif /* TB_DECODE_PTM_INTERNAL_H */
