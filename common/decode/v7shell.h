/* What the decoders of ETMv3 and PTM have in common: state, bytes, and the
   interface to callers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each packet becomes its elements at once; none waits.  A protocol's decoder
   begins with struct tb_v7_decoder and reads by tb_v7_read, to which it gives
   what one step is.  The functions here that run for every packet are inline,
   so that each protocol has a loop of its own.  */

#ifndef TB_DECODE_V7SHELL_H
#define TB_DECODE_V7SHELL_H

#include "decode/decoder.h"
#include "decode/return-stack.h"
#include "decode/v7trace.h"

enum tb_v7_phase
{
  TB_V7_SEARCH,			/* For an A-sync packet.  */
  TB_V7_SYNC,			/* For the I-sync packet after it.  */
  TB_V7_DECODE,
  TB_V7_ENDED
};

/* The most elements that one packet makes: an ETMv3 P-header with 16 atoms, or
   8 and their cycles, a hole with its cycles, and the cycles left over.  */
#define TB_V7_STEP 20

/* What data belong to.  */
enum tb_v7_owner
{
  TB_V7_NOBODY,			/* It is not known.  */
  TB_V7_INSTRUCTION,
  TB_V7_ENTRY, TB_V7_RETURN	/* M profile: of an exception.  */
};

struct tb_v7_transfer
{
  uint64_t at;			/* Instructions listed up to it.  */
  uint32_t pc;
  uint8_t owner;		/* enum tb_v7_owner  */
  uint8_t part;
  uint8_t entry;		/* Exceptions before it since AT.  */
  bool waits;			/* For its value.  */
};

/* What data that come in order change.  It has no padding, as it is compared byte by byte
   and assigned as a whole.  */
struct tb_v7_in_order
{
  uint64_t count;		/* Instructions listed.  */
  struct tb_v7_transfer next;	/* The next one of the newest owner.  */
  uint32_t address;		/* The one sent last.  */
  uint32_t follows;		/* The one behind that of the transfer before.  */
  uint32_t bits;		/* So many low ones of both are known.  */
  uint32_t flags;		/* TB_DATA_BIG_ENDIAN, if data are.  */
};

/* ETMv3: data trace.  */
struct tb_v7_data
{
  struct tb_v7_in_order now;
  struct tb_v7_transfer taken;	/* Of the newest exception.  */
  struct tb_v7_transfer late[4];	/* By tag, 1 to 3.  */
};

/* All that changes.  No pointers: a copy is a checkpoint.  */
struct tb_v7_state
{
  struct tb_stream_place place;	/* Set in copies only.  */
  struct tb_stream_place sync;	/* Of the newest A-sync packet; for callers that
				   want to stop there.  */
  struct tb_decoder_stats stats;
  uint64_t index;		/* Where the packet at hand is.  */
  uint64_t timestamp;		/* As sent.  */
  struct tb_return_stack stack;	/* PTM  */
  struct tb_v7_context context;
  struct tb_v7_data data;	/* ETMv3  */
  uint32_t last;		/* The newest packet's address.  */
  uint32_t address;		/* Of the next instruction ...  */
  bool have_address;		/* ... if this is set.  */
  bool hole_told;		/* ETMv3: that it is not known.  */
  bool half;			/* ETMv3: the first half of the 32-bit T32
				   instruction at ADDRESS had its atom.  */
  uint8_t trapped;		/* ETMv3: the instruction before ADDRESS, of so
				   many bytes, never goes on by itself; or 0.  */
  bool returned;		/* ETMv3, M profile: nothing ran since the
				   exception return.  */
  uint64_t jump;		/* Packets up to the newest one that led elsewhere than
				   the code; 0: none.  */
  bool alternative;		/* ThumbEE is the T32 state.  */
  bool halted;			/* The core stopped for the debugger: ADDRESS is
				   not where.  */
  uint8_t isa;			/* enum tb_isa, at ADDRESS.  */
  uint8_t packet_isa;		/* Of the newest packet that told.  */
  uint8_t phase;		/* enum tb_v7_phase  */
  bool report;			/* NO_SYNC is to be said, with LOST.  */
  uint8_t lost;			/* enum tb_reason  */
  uint8_t spill_at, spill_end;	/* Elements that the caller had no room for.  */
  struct tb_element spill[TB_V7_STEP];
};

struct tb_v7_decoder
{
  struct tb_decoder base;
  struct tb_v7_settings settings;
  struct tb_v7_spaces spaces;
  struct tb_stream *stream;
  uint8_t async;		/* The number of that packet type.  */
  /* The code at state.address, as the protocol follows it; NULL: not looked
     up.  */
  const void *here;
  /* What the stream showed: AT of LENGTH bytes are done with.  */
  const uint8_t *view;
  const uint64_t *indexes;	/* Of them in the buffer, or NULL.  */
  bool in_sequence;		/* INDEXES is NULL: they are from FIRST on.  */
  uint64_t first;
  size_t at, length;
  bool last;
  bool paused;			/* Behind an A-sync packet.  */
  struct tb_v7_state state;
};

/* Make D, all zero, ready, but for base.read, base.close and base.follow.
   False after a diagnostic.  */
bool tb_v7_shell_init (struct tb_v7_decoder *d,
		       const struct tb_protocol *protocol, unsigned async,
		       const struct tb_decoder_config *config, bool is_ptm,
		       struct tb_diag *diag);

/* Free what D has, and D.  */
void tb_v7_close (struct tb_decoder *base);

/* Let the stream know what is done with; VIEW begins at the next byte then.  */
void tb_v7_settle (struct tb_v7_decoder *d);

/* The same, and let VIEW have all that the stream shows.  */
void tb_v7_refill (struct tb_v7_decoder *d);

/* Elements.  */

static inline struct tb_element *
tb_v7_emit (struct tb_v7_decoder *d, struct tb_element **out,
	    enum tb_element_kind kind)
{
  struct tb_element *e = (*out)++;
  *e = (struct tb_element) { .index = d->state.index, .kind = kind,
			     .isa = d->state.isa };
  return e;
}

/* Cycles carried by the element before.  */
static inline void
tb_v7_add_cycles (struct tb_v7_decoder *d, struct tb_element **out,
		  uint32_t cycles)
{
  struct tb_element *e = tb_v7_emit (d, out, TB_ELEMENT_CYCLES);

  e->flags = TB_CYCLES_WITH_PREVIOUS;
  e->u.value = cycles;
}

/* The bytes are no packet.  */
void tb_v7_bad_packet (struct tb_v7_decoder *d, struct tb_element **out);

/* Which context runs is not known.  */
void tb_v7_forget_context (struct tb_v7_decoder *d);

/* The context has changed, and with it where code is looked for.  */
void tb_v7_emit_context (struct tb_v7_decoder *d, struct tb_element **out);

/* Where execution stands.  */

/* Go on from ADDRESS in ISA.  */
static inline void
tb_v7_set_address (struct tb_v7_decoder *d, uint32_t address, enum tb_isa isa)
{
  struct tb_v7_state *s = &d->state;

  s->address = address;
  s->isa = isa;
  s->have_address = true;
  s->hole_told = s->half = false;
  s->trapped = 0;
  d->here = NULL;
}

/* Nothing is known of it.  */
static inline void
tb_v7_lose_address (struct tb_v7_decoder *d)
{
  d->state.have_address = d->state.half = false;
  d->state.trapped = 0;
  d->here = NULL;
}

/* Count that the packet at hand leads elsewhere than the code at the state's address does.  Where
   the next one is no packet that does not count.  */
void tb_v7_count_jump (struct tb_v7_decoder *d);

/* Execution stands elsewhere than the atoms led: the code is not what ran.  */
void tb_v7_jumped (struct tb_v7_decoder *d, struct tb_element **out);

/* Bytes.  */

/* What tb_v7_at_packet does where there is no packet at AT.  */
bool tb_v7_pass_on (struct tb_v7_decoder *d, struct tb_element **out);

/* Is there a whole packet at AT, without looking any further?  */
static inline bool
tb_v7_sees_packet (const struct tb_v7_decoder *d)
{
  return d->length - d->at >= TB_STREAM_LOOKAHEAD;
}

/* What comes next is told by the packet at AT.  */
static inline void
tb_v7_note_index (struct tb_v7_decoder *d)
{
  d->state.index = d->indexes != NULL ? d->indexes[d->at]
		   : d->in_sequence ? d->first + d->at
		   : tb_stream_index (d->stream, d->at);
}

/* Is there a packet at AT?  If not, one step has been done: the end, a break in
   the buffer, or a stretch of bytes without synchronisation.  */
static inline bool
tb_v7_at_packet (struct tb_v7_decoder *d, struct tb_element **out)
{
  if (__builtin_expect (!tb_v7_sees_packet (d)
			&& !(d->last && d->at < d->length), 0)
      || __builtin_expect (d->state.phase == TB_V7_SEARCH, 0))
    {
      if (!tb_v7_pass_on (d, out))
	return false;
    }
  tb_v7_note_index (d);
  return true;
}

/* Go behind a packet of SIZE bytes at AT, which nobody wants to be noted.  */
static inline void
tb_v7_pass_packet (struct tb_v7_decoder *d, size_t size)
{
  d->at += size;
  d->state.stats.packets++;
}

/* Go behind the packet of TYPE at AT, whose size was found to be SIZE and of which
   PACKET was read.  False: the trace ends within it, so that it says nothing.  Type
   0 is what is no packet.  */
bool tb_v7_pass_any (struct tb_v7_decoder *d, unsigned type, size_t size,
		     const void *packet);

/* The function "read" of a decoder one step of which is STEP: a packet, or what
   tb_v7_at_packet does.  It makes TB_V7_STEP elements at most.  STRETCH reads packets
   of the kinds that come most often as long as it finds such and there is room
   for another step before its last argument.  */
static inline __attribute__ ((always_inline)) size_t
tb_v7_read (struct tb_v7_decoder *d, struct tb_element *elements,
	    size_t capacity,
	    void (*stretch) (struct tb_v7_decoder *, struct tb_element **,
			     const struct tb_element *),
	    void (*step) (struct tb_v7_decoder *, struct tb_element **))
{
  struct tb_v7_state *s = &d->state;
  struct tb_element *out = elements, *stop = elements + capacity;

  d->base.at_sync = false;
  d->indexes = NULL;
  d->in_sequence = false;
  d->length = d->at = 0;
  d->last = false;
  while (out < stop)
    {
      if (s->spill_at < s->spill_end)
	*out++ = s->spill[s->spill_at++];
      else if (d->paused)
	{
	  d->paused = false;
	  d->base.at_sync = true;
	  d->base.sync = s->sync;
	  break;
	}
      else if (s->phase == TB_V7_ENDED)
	break;
      else
	{
	  stretch (d, &out, stop);
	  bool room = stop - out >= TB_V7_STEP;
	  /* What SPILL takes is moved twice, and none of it in a stretch.  */
	  if (!room && out > elements)
	    break;
	  struct tb_element *spilled = s->spill;
	  step (d, room ? &out : &spilled);
	  if (!room)
	    {
	      s->spill_at = 0;
	      s->spill_end = (uint8_t) (spilled - s->spill);
	    }
	}
    }
  tb_v7_settle (d);
  d->base.stats = s->stats;
  return (size_t) (out - elements);
}

#endif /* TB_DECODE_V7SHELL_H */
