/* MTB packets to elements.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A packet says that the program counter went from a source to a destination.
   Between the destination of one packet and the source of the next, the core
   executed in sequence: conditional branches in between were not taken.  The
   oldest packet's source is where the trace came from, not a step of it.  */

#include "config.h"
#include "decode/mtb/mtb.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arm/machine/vectors.h"
#include "decode/mtb/jumps.h"
#include "decode/mtb/path.h"
#include "snapshot/m-frame.h"

/* Nested exceptions whose entry was seen; deeper ones are forgotten.  */
#define NESTING 32

enum phase
{
  PHASE_BEGIN,
  PHASE_PACKET,			/* Look at the next packet.  */
  PHASE_WALK,			/* In sequence from PC up to GOAL.  */
  PHASE_ARRIVE,			/* The packet's source is reached.  */
  PHASE_ENTERED,		/* An exception return is followed by an entry. */
  PHASE_TAIL,			/* After the last packet.  */
  PHASE_END,
  PHASE_DONE
};

/* All that a checkpoint keeps.  */
struct mtb_state
{
  enum phase phase;
  bool pc_known;		/* PC is where execution stands.  */
  uint64_t packet;		/* Next or current packet.  */
  uint32_t pc;
  uint32_t goal;		/* Walk up to, not including, this address ...  */
  bool inclusive;		/* ... the last one is the packet's source.  */
  bool tail;			/* The walk is to the halt PC.  */
  bool doubted;			/* The packet that led to PC is not what the branch
				   at its source does: one of the two is wrong.  */
  bool resumed;			/* No branch led to the destination, but a return
				   from an exception or the debugger; or the
				   instruction before, which made a packet.  */
  uint32_t walked;
  uint64_t index;
  unsigned depth;
  uint32_t returns[NESTING];	/* Preferred return addresses.  */
  struct tb_decoder_stats stats;
};

struct mtb_decoder
{
  struct tb_decoder base;
  struct tb_mtb_buffer buffer;
  struct tb_vectors vectors;
  struct tb_mtb_jumps jumps;	/* A debugger's.  */
  bool halt_known;
  uint32_t halt_pc;
  struct mtb_state s;
};

/* Make *E one of KIND.  Elements are filled in where they are delivered: a copy of
   what was just written in bytes waits until it is in the cache.  */
static inline void
element (const struct mtb_decoder *d, struct tb_element *e, enum tb_element_kind kind)
{
  memset (e, 0, sizeof *e);
  e->index = d->s.index;
  e->kind = kind;
  e->isa = TB_ISA_T32;
}

/* How packets are counted.  */
enum { TYPE_BRANCH, TYPE_ATOMIC, TYPE_START, TYPES };

static const char *const type_names[TYPES] = {
  [TYPE_BRANCH] = "Branch", [TYPE_ATOMIC] = "Exception or debug (A)",
  [TYPE_START] = "First after a start (S)"
};

static void
count_packet (struct mtb_decoder *d, const struct tb_mtb_packet *p)
{
  unsigned type = p->start ? TYPE_START : p->atomic ? TYPE_ATOMIC : TYPE_BRANCH;
  if (tb_packets_noted (&d->base))
    tb_packet_noted (&d->base, type, 64, d->s.index, p);
}

/* Trace begins with packet P.  */
static void
trace_on (const struct mtb_decoder *d, struct tb_element *e,
	  const struct tb_mtb_packet *p, enum tb_reason reason)
{
  element (d, e, TB_ELEMENT_TRACE_ON);
  e->reason = reason;
  e->u.address = p->source;
  if (!p->atomic)
    e->flags = TB_TRACE_ON_SOURCE;
}

/* The walk cannot go on: the code is not there (FAULT is TB_FAULT_COUNT), or, by
   FAULT at ADDRESS, cannot have run so.  */
static void
lost (struct mtb_decoder *d, struct tb_element *e, enum tb_fault fault, uint32_t address)
{
  if (fault != TB_FAULT_COUNT)
    {
      tb_count_fault (&d->base.stats, fault, d->s.index, address);
      element (d, e, TB_ELEMENT_NO_SYNC);
      e->reason = TB_REASON_BAD_IMAGE;
    }
  else
    {
      element (d, e, TB_ELEMENT_NO_CODE);
      e->u.address = d->s.pc;
    }
  d->s.pc_known = false;
  d->s.phase = d->s.tail ? PHASE_END : PHASE_ARRIVE;
}

static inline void
range (struct mtb_decoder *d, struct tb_element *e, uint32_t end,
       uint32_t count, bool taken, const struct tb_flow *last)
{
  element (d, e, TB_ELEMENT_RANGE);
  e->u.range.start = d->s.pc;
  e->u.range.end = end;
  e->u.range.count = count;
  e->last_kind = last->kind;
  e->last_sub = last->sub;
  e->last_size = last->size;
  bool branch = last->kind == TB_FLOW_BRANCH || last->kind == TB_FLOW_INDIRECT;
  e->flags = (taken || !branch ? TB_RANGE_EXECUTED : 0)
	     | (last->conditional ? TB_RANGE_CONDITIONAL : 0);
  d->s.pc = end;
  d->s.walked += count;
}

/* The walk ends inside BLOCK: an exception, a plain instruction that made a
   packet, or the end of a readable run.  */
static void
walk_part (struct mtb_decoder *d, struct tb_element *e,
	   const struct tb_block *block)
{
  struct mtb_state *s = &d->s;
  uint64_t stop = s->goal, reached;
  unsigned size = 0;
  if (s->inclusive)
    {
      uint32_t opcode;
      size = tb_follow_opcode (d->base.follow, TB_SPACE_ANY, TB_ISA_T32,
			       s->goal, &opcode);
      stop += size;
    }
  struct tb_flow last;
  uint32_t count
    = tb_follow_straight (d->base.follow, TB_SPACE_ANY, TB_ISA_T32, s->pc,
			  stop < block->end ? stop : block->end, &reached,
			  &last);
  assert (reached == stop || stop > block->end);
  bool done = reached == stop && size != 0;
  if (done)
    s->phase = PHASE_ARRIVE;
  range (d, e, (uint32_t) reached, count, done, &last);
}

/* The walk comes to TRAP, which would have stopped the core: deliver what is before
   it.  */
static void
walk_up_to (struct mtb_decoder *d, struct tb_element *e, uint32_t trap)
{
  struct tb_flow last;
  uint64_t reached;
  uint32_t count
    = tb_follow_straight (d->base.follow, TB_SPACE_ANY, TB_ISA_T32, d->s.pc,
			  trap, &reached, &last);
  range (d, e, trap, count, false, &last);
}

/* Deliver the next element of the walk from PC to GOAL.  False: it is done and
   delivered nothing.  */
static bool
walk (struct mtb_decoder *d, struct tb_element *e)
{
  struct mtb_state *s = &d->s;
  if (s->pc == s->goal && !s->inclusive)
    {
      s->phase = s->tail ? PHASE_END : PHASE_ARRIVE;
      return false;
    }
  const struct tb_block *block
    = tb_follow_block (d->base.follow, TB_SPACE_ANY, TB_ISA_T32, s->pc);
  if (block == NULL || block->count == 0)
    {
      lost (d, e, TB_FAULT_COUNT, s->pc);
      return true;
    }
  bool taken = s->inclusive && block->end - block->size == s->goal;
  if (block->kind == TB_FLOW_OTHER || (!taken && s->goal < block->end))
    {
      walk_part (d, e, block);
      return true;
    }
  /* An SVC is the last before a packet.  */
  if (tb_flow_traps (block->kind)
      && (block->kind == TB_FLOW_BREAK
	  || !(taken || (!s->inclusive && s->goal == block->end))))
    {
      uint32_t trap = (uint32_t) (block->end - block->size);
      if (trap == s->pc)
	lost (d, e, TB_FAULT_TRAP, trap);
      else
	walk_up_to (d, e, trap);
      return true;
    }
  struct tb_flow last = { .kind = block->kind, .sub = block->sub,
			  .size = block->size,
			  .conditional = block->conditional };
  if (taken)
    s->phase = PHASE_ARRIVE;
  range (d, e, (uint32_t) block->end, block->count, taken, &last);
  return true;
}

/* The packet's source is reached; go to its destination.  False: nothing to
   deliver.  */
static bool
arrive (struct mtb_decoder *d, struct tb_element *e)
{
  struct mtb_state *s = &d->s;
  struct tb_mtb_packet p;
  tb_mtb_packet (&d->buffer, s->packet, &p, &s->index);
  bool was_known = s->pc_known;
  uint64_t number = s->packet;
  s->phase = PHASE_PACKET;
  s->packet++;
  s->pc = p.destination;
  s->pc_known = !tb_m_is_never_code (p.destination);
  s->resumed = p.atomic ? !tb_vectors_has (&d->vectors, p.destination)
			: p.destination - p.source <= 4;
  if (!p.atomic)
    return false;

  if (tb_m_is_exc_return (p.source))
    {
      /* The second packet of an exception return.  A destination that is not
	 where the exception would have returned to, but a handler, is the next
	 handler: a tail chain.  */
      element (d, e, TB_ELEMENT_EXCEPTION_RETURN);
      e->u.ret.exc_return = p.source | 1;
      e->u.ret.resume = p.destination;
      bool expected = false;
      if (s->depth > 0)
	expected = s->returns[--s->depth] == p.destination;
      else
	s->returns[0] = 0;
      if (!expected && tb_vectors_has (&d->vectors, p.destination))
	{
	  s->phase = PHASE_ENTERED;
	  s->depth++;
	}
      return true;
    }
  if (tb_mtb_jumps_has (&d->jumps, number))
    {
      /* What trace begins with was told.  The exceptions that were active are
	 active still.  */
      if (number == 0 || p.start)
	return false;
      trace_on (d, e, &p, TB_REASON_DEBUG);
      return true;
    }
  if (tb_m_is_never_code (p.destination))
    {
      /* A lockup, before which nothing is stacked, or no address at all.  */
      trace_on (d, e, &p, TB_REASON_NONE);
      return true;
    }
  element (d, e, TB_ELEMENT_EXCEPTION);
  unsigned vector = tb_vectors_lookup (&d->vectors, p.destination);
  e->u.exception.number = (uint16_t) (vector != 0 ? vector : TB_EXCEPTION_UNKNOWN);
  e->u.exception.return_address = p.source;
  /* A branch to the return address came right before?  */
  if (was_known && s->walked == 0)
    e->flags |= TB_EXCEPTION_BRANCH_TARGET;
  if (s->depth == NESTING)
    memmove (s->returns, s->returns + 1, --s->depth * sizeof s->returns[0]);
  s->returns[s->depth++] = p.source;
  return true;
}

/* The packet does not come from where the last one led to, or does not lead to where its
   branch does.  */
static void
misled (struct mtb_decoder *d, struct tb_element *e)
{
  d->base.stats.bad_packets++;
  element (d, e, TB_ELEMENT_NO_SYNC);
  e->reason = TB_REASON_BAD_PACKET;
  d->s.pc_known = false;
  d->s.phase = PHASE_ARRIVE;
}

/* Start on the next packet.  False: nothing to deliver.  */
static bool
begin_packet (struct mtb_decoder *d, struct tb_element *e)
{
  struct mtb_state *s = &d->s;
  if (s->packet == d->buffer.count)
    {
      s->phase = PHASE_TAIL;
      return false;
    }
  struct tb_mtb_packet p;
  tb_mtb_packet (&d->buffer, s->packet, &p, &s->index);
  d->base.stats.packets++;
  d->base.stats.bytes += 8;
  count_packet (d, &p);
  if (p.start && s->packet != 0)
    {
      /* Tracing was paused: what ran since the last destination is not told. */
      d->base.stats.syncs++;
      s->pc_known = s->doubted = false;
      s->depth = 0;
      trace_on (d, e, &p, TB_REASON_PAUSED);
      s->phase = PHASE_ARRIVE;
      return true;
    }
  s->walked = 0;
  s->tail = false;
  s->goal = p.source;
  s->inclusive = !p.atomic;
  if (s->doubted)
    {
      s->doubted = s->pc_known = false;
      s->phase = PHASE_ARRIVE;
    }
  else if (s->pc_known && !tb_m_is_never_code (p.source))
    {
      uint32_t at;
      enum tb_mtb_path path = tb_mtb_path (d->base.follow, s->pc, s->resumed, &p, NULL, &at);
      if (path == TB_MTB_PATH_ELSEWHERE)
	{
	  s->doubted = true;
	  misled (d, e);
	  return true;
	}
      if (path == TB_MTB_PATH_BLOCKED)
	{
	  lost (d, e, TB_FAULT_JUMP, at);
	  return true;
	}
      s->phase = PHASE_WALK;
    }
  else if (tb_mtb_leads_on (s->pc, &p))
    s->phase = PHASE_ARRIVE;
  else
    {
      misled (d, e);
      return true;
    }
  return false;
}

/* After the last packet the core ran in sequence to the halt.  */
static void
begin_tail (struct mtb_decoder *d)
{
  struct mtb_state *s = &d->s;
  s->phase = PHASE_END;
  s->pc_known &= !s->doubted;
  if (!s->pc_known || !d->halt_known || d->buffer.stopped)
    return;
  /* A halt PC out of reach means that the trace does not end at the halt, not that the
     code is wrong.  */
  const struct tb_mtb_packet halt
    = { .source = d->halt_pc, .destination = d->halt_pc, .atomic = true };
  uint32_t at;
  if (tb_mtb_path (d->base.follow, s->pc, s->resumed, &halt, NULL, &at) != TB_MTB_PATH_FITS)
    return;
  s->walked = 0;
  s->tail = true;
  s->inclusive = false;
  s->goal = d->halt_pc;
  s->phase = PHASE_WALK;
}

static size_t
mtb_read (struct tb_decoder *decoder, struct tb_element *out, size_t capacity)
{
  struct mtb_decoder *d = (struct mtb_decoder *) decoder;
  struct mtb_state *s = &d->s;
  size_t n = 0;
  while (n < capacity && s->phase != PHASE_DONE)
    switch (s->phase)
      {
      case PHASE_BEGIN:
	s->phase = d->buffer.count > 0 ? PHASE_ARRIVE : PHASE_END;
	if (d->buffer.count > 0)
	  {
	    struct tb_mtb_packet p;
	    tb_mtb_packet (&d->buffer, 0, &p, &s->index);
	    d->base.stats.packets = 1;
	    d->base.stats.bytes = 8;
	    d->base.stats.syncs = 1;
	    count_packet (d, &p);
	    trace_on (d, &out[n++], &p, TB_REASON_BEGIN);
	  }
	break;
      case PHASE_PACKET:
	n += begin_packet (d, &out[n]);
	break;
      case PHASE_WALK:
	n += walk (d, &out[n]);
	break;
      case PHASE_ARRIVE:
	n += arrive (d, &out[n]);
	break;
      case PHASE_ENTERED:
	{
	  struct tb_element *e = &out[n++];
	  element (d, e, TB_ELEMENT_EXCEPTION);
	  unsigned number = tb_vectors_lookup (&d->vectors, s->pc);
	  e->u.exception.number = (uint16_t) (number != 0 ? number : TB_EXCEPTION_UNKNOWN);
	  /* The interrupted program's address stays where it was; it is 0 if
	     that exception's entry is not in the trace.  */
	  e->u.exception.return_address = s->returns[s->depth - 1];
	  e->flags = TB_EXCEPTION_TAIL_CHAIN;
	  if (e->u.exception.return_address == 0)
	    e->flags |= TB_EXCEPTION_NO_RETURN;
	  s->phase = PHASE_PACKET;
	}
	break;
      case PHASE_TAIL:
	begin_tail (d);
	break;
      case PHASE_END:
	element (d, &out[n], TB_ELEMENT_END);
	if (s->pc_known && d->halt_known && s->pc == d->halt_pc
	    && !d->buffer.stopped)
	  {
	    out[n].flags = TB_END_ADDRESS;
	    out[n].u.address = s->pc;
	  }
	n++;
	s->phase = PHASE_DONE;
	break;
      case PHASE_DONE:
	break;
      }
  s->stats = d->base.stats;
  return n;
}

static void *
mtb_save (const struct tb_decoder *decoder)
{
  const struct mtb_decoder *d = (const struct mtb_decoder *) decoder;
  struct mtb_state *copy = malloc (sizeof *copy);
  if (copy != NULL)
    *copy = d->s;
  return copy;
}

static void
mtb_restore (struct tb_decoder *decoder, const void *saved)
{
  struct mtb_decoder *d = (struct mtb_decoder *) decoder;
  memcpy (&d->s, saved, sizeof d->s);
  d->base.stats = d->s.stats;
}

static void
mtb_close (struct tb_decoder *decoder)
{
  tb_mtb_jumps_fini (&((struct mtb_decoder *) decoder)->jumps);
  tb_follow_free (decoder->follow);
  free (decoder);
}

static struct tb_decoder *
mtb_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  struct mtb_decoder *d = calloc (1, sizeof *d);
  if (d == NULL)
    {
      tb_error (diag, "no memory for an MTB decoder");
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = &tb_protocol_mtb, .read = mtb_read, .save = mtb_save,
    .restore = mtb_restore, .close = mtb_close
  };
  static const struct tb_follow_options options = { 0 };
  if (!tb_mtb_locate (&d->buffer, config, diag))
    {
      free (d);
      return NULL;
    }
  d->base.follow = tb_follow_new (config->map, config->profile, &options);
  if (d->base.follow == NULL)
    {
      tb_error (diag, "no memory for an MTB decoder");
      free (d);
      return NULL;
    }
  tb_vectors_find (&d->vectors, config->map, config->profile, config->core);
  if (!tb_mtb_jumps_find (&d->jumps, &d->buffer, &d->vectors, d->base.follow,
			  config))
    {
      tb_error (diag, "no memory for an MTB decoder");
      mtb_close (&d->base);
      return NULL;
    }
  if (config->core != NULL)
    {
      const struct tb_device_reg *pc = tb_device_pc (config->core);
      d->halt_known = pc != NULL;
      d->halt_pc = pc != NULL ? (uint32_t) pc->value & ~1u : 0;
    }
  d->s.phase = PHASE_BEGIN;
  return &d->base;
}

const struct tb_protocol tb_protocol_mtb = {
  .name = "MTB",
  .matches = tb_mtb_matches,
  .trace_id = tb_mtb_trace_id,
  .unit = tb_mtb_unit,
  .open = mtb_open,
  .exceptions = TB_NUMBERS_VECTORS,
  .reaches_halt = tb_mtb_reaches_halt,
  .linked = true,
  .packet_names = type_names,
  .npacket_types = TYPES, .packet_text = tb_mtb_packet_text
};
