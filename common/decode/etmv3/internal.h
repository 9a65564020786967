/* The ETMv3 decoder's own parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each packet becomes its elements at once; none waits.  Where a later packet
   can take an instruction back (branch with cancel), the bytes ahead are looked
   at before the instruction is listed.  */

#ifndef TB_DECODE_ETMV3_INTERNAL_H
#define TB_DECODE_ETMV3_INTERNAL_H

#include "decode/etmv3/code.h"
#include "decode/etmv3/packet.h"
#include "decode/v7trace.h"

enum tb_etmv3_phase
{
  TB_ETMV3_SEARCH,		/* For an A-sync packet.  */
  TB_ETMV3_SYNC,		/* For the I-sync packet after it.  */
  TB_ETMV3_DECODE,
  TB_ETMV3_ENDED
};

/* The most elements that one packet makes: a P-header with 16 atoms, or with 8
   and their cycles, a hole with its cycles, and the cycles left over.  */
#define TB_ETMV3_STEP 20

/* All that changes.  No pointers: a copy is a checkpoint.  */
struct tb_etmv3_state
{
  struct tb_stream_place place;	/* Set in copies only.  */
  struct tb_stream_place sync;	/* Of the newest A-sync packet; for callers that
				   want to stop there.  */
  struct tb_decoder_stats stats;
  uint64_t index;		/* Where the packet at hand is.  */
  uint64_t timestamp;		/* As sent.  */
  struct tb_v7_context context;
  uint32_t last;		/* The newest packet's address.  */
  uint32_t address;		/* Of the next instruction ...  */
  bool have_address;		/* ... if this is set.  */
  bool hole_told;		/* That it is not known.  */
  bool half;			/* The first half of the 32-bit T32 instruction
				   at ADDRESS had its atom.  */
  bool returned;		/* M profile: nothing ran since the exception
				   return.  */
  bool alternative;		/* ThumbEE is the T32 state.  */
  bool halted;			/* The core stopped for the debugger: ADDRESS is
				   not where.  */
  uint8_t isa;			/* enum tb_isa, at ADDRESS.  */
  uint8_t packet_isa;		/* Of the newest packet that told.  */
  uint8_t phase;		/* enum tb_etmv3_phase  */
  bool report;			/* NO_SYNC is to be said, with LOST.  */
  uint8_t lost;			/* enum tb_reason  */
  uint8_t spill_at, spill_end;	/* Elements that the caller had no room for.  */
  struct tb_element spill[TB_ETMV3_STEP];
};

struct tb_etmv3_decoder
{
  struct tb_decoder base;
  struct tb_v7_settings settings;
  struct tb_etmv3_table table;
  struct tb_v7_spaces spaces;
  struct tb_etmv3_code *code;
  struct tb_stream *stream;
  bool cycle_accurate;
  bool halves;			/* 32-bit T32 instructions have two atoms.  */
  /* At state.address; NULL: not looked up.  */
  const struct tb_etmv3_instruction *current;
  /* What the stream showed: AT of LENGTH bytes are done with.  */
  const uint8_t *view;
  size_t at, length;
  bool last;
  bool paused;			/* Behind an A-sync packet.  */
  struct tb_etmv3_state state;
};

static inline struct tb_element *
tb_etmv3_emit (struct tb_etmv3_decoder *d, struct tb_element **out,
	       enum tb_element_kind kind)
{
  struct tb_element *e = (*out)++;
  *e = (struct tb_element) { .index = d->state.index, .kind = kind,
			     .isa = d->state.isa };
  return e;
}

/* decode.c  */

/* Forget where execution stands and look for synchronisation; say why.  */
void tb_etmv3_lose_sync (struct tb_etmv3_decoder *d, enum tb_reason reason);

/* Nothing of what was before a break in the buffer counts behind it.  */
void tb_etmv3_start_over (struct tb_etmv3_decoder *d);

/* What packet P says.  */
void tb_etmv3_decode_packet (struct tb_etmv3_decoder *d,
			     struct tb_element **out,
			     const struct tb_etmv3_packet *p);

/* checkpoint.c: the functions that save, restore and send elsewhere.  */
void tb_etmv3_checkpoint_init (struct tb_etmv3_decoder *d);

/* decoder.c: let VIEW begin at the next byte and have all that the stream
   shows.  */
void tb_etmv3_refill (struct tb_etmv3_decoder *d);

/* cancel.c: what becomes of the instruction, or of the exception return, of the
   packet that ends at AT.  */

bool tb_etmv3_look_for_cancel (struct tb_etmv3_decoder *d);

/* A later packet says that the instruction did not run.  */
static inline bool
tb_etmv3_instruction_cancelled (struct tb_etmv3_decoder *d)
{
  /* Most often more atoms come next.  */
  if (d->at < d->length && d->table.header[d->view[d->at]].natoms > 0)
    return false;
  return tb_etmv3_look_for_cancel (d);
}

/* A later packet says that the exception return was not completed.  If not,
   *RESUME is where it led; *KNOWN: if that is told.  */
bool tb_etmv3_return_cancelled (struct tb_etmv3_decoder *d, uint32_t *resume,
				bool *known);

/* flow.c  */

/* Go on from ADDRESS in ISA.  */
void tb_etmv3_set_address (struct tb_etmv3_decoder *d, uint32_t address,
			   enum tb_isa isa);

/* Nothing is known of where execution stands.  */
void tb_etmv3_lose_address (struct tb_etmv3_decoder *d);

/* A branch packet at hand without exception gives TARGET: where the program
   already is, if the code is what ran.  */
static inline void
tb_etmv3_check_target (struct tb_etmv3_decoder *d, uint32_t target)
{
  struct tb_etmv3_state *s = &d->state;

  if (__builtin_expect (s->have_address && s->address != target, 0)
      && !s->returned)
    tb_count_fault (&s->stats, TB_FAULT_JUMP, s->index, s->address);
}

/* The address and the ISA of a branch packet after what the state has.  */
uint32_t tb_etmv3_branch_target (const struct tb_etmv3_decoder *d,
				 const struct tb_etmv3_packet *packet,
				 enum tb_isa *isa);

/* The packet at hand is a P-header.  */
void tb_etmv3_follow (struct tb_etmv3_decoder *d, struct tb_element **out,
		      const struct tb_etmv3_header *atoms);

#endif /* TB_DECODE_ETMV3_INTERNAL_H */
