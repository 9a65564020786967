/* Decoders: one trace source's bytes to elements.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_DECODER_H
#define TB_DECODE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coresight/stream.h"
#include "decode/element.h"
#include "decode/exception.h"
#include "decode/follow-share.h"
#include "decode/kind.h"
#include "decode/unit.h"
#include "snapshot/memmap.h"
#include "snapshot/snapshot.h"
#include "util/buffer.h"
#include "util/diag.h"

/* What a log says (recording/facts.h).  */
struct tb_columns;

/* Elements of several decoders (decode/stitched.h).  */
struct tb_stitched;

/* What a decoder needs.  All is borrowed and must outlive it.  */
struct tb_decoder_config
{
  const struct tb_device *source;	/* Registers of the trace unit.  */
  const struct tb_device *core;		/* May be NULL.  */
  const struct tb_trace_buffer *buffer;	/* NULL: an MTB in the core's RAM.  */
  const struct tb_profile *profile;	/* Of the core.  */
  const struct tb_memmap *map;		/* Sealed.  */
  const struct tb_columns *facts;		/* A log's, in place of a buffer; else
					   NULL.  */
  const struct tb_protocol *protocol;	/* NULL: what the source's type says.  */
  const struct tb_stitched *stitched;	/* Parts of what other decoders deliver, in place of
					   all but SOURCE and MAP; else NULL.  */
  enum tb_space space;			/* Where code is looked for as long as the trace
					   names no context; ANY: where its state is.  */
  struct tb_follow_share *share;	/* For who opens several decoders and reads them
					   in one thread; NULL: what is known of code is the
					   decoder's own.  */
  bool aligned;				/* The user's word: its first byte begins a packet, of a
					   unit that was just reset (for CAN_BE_ALIGNED).  */
};

/* How code shows that it is not what ran.  */
enum tb_fault
{
  TB_FAULT_NOT_TAKEN,		/* A branch without condition was not taken, or
				   such an instruction did not execute.  */
  TB_FAULT_JUMP,		/* The trace goes on elsewhere than the code.  */
  TB_FAULT_UNDEFINED,		/* What ran is no instruction.  */
  TB_FAULT_TRAP,		/* Execution went on behind a breakpoint or a call
				   of the supervisor, without an exception.  */
  TB_FAULT_RUNAWAY,		/* There is no branch, or no end, for very long. */
  TB_FAULT_COUNT
};

struct tb_fault_place
{
  uint64_t index;		/* Byte in the buffer of the packet that shows it. */
  uint64_t address;		/* Of the code.  */
  enum tb_fault fault;
};

/* The most places that statistics keep.  */
#define TB_FAULT_PLACES 4

/* Counts, complete once the END element was read.  */
struct tb_decoder_stats
{
  uint64_t bytes;		/* Of this source.  */
  uint64_t packets;
  uint64_t bad_packets;		/* Or those of a LINKED protocol that do not fit.  */
  uint64_t syncs;
  uint64_t skipped;		/* Bytes passed over while not in sync.  */
  uint64_t broken_off;		/* Of software's: bytes of a packet that the end cut off.  */
  uint64_t bad_image;		/* Places where the code cannot have run ...  */
  uint64_t faults[TB_FAULT_COUNT];	/* ... by why; the sum is BAD_IMAGE.  */
  struct tb_fault_place places[TB_FAULT_PLACES];	/* The first of them.  */
  uint64_t conditions;		/* Results of conditional instructions that are
				   listed, and of which nothing else is said.  */
  /* How often a context began of which no code is known, where that of others is; and
     the first of these.  */
  uint64_t strange;
  struct tb_context stranger;
};

/* How many of PLACES are valid.  */
static inline unsigned
tb_fault_places (const struct tb_decoder_stats *stats)
{
  return stats->bad_image < TB_FAULT_PLACES ? (unsigned) stats->bad_image
					    : TB_FAULT_PLACES;
}

/* For decoders: count FAULT and note where it is.  */
void tb_count_fault (struct tb_decoder_stats *stats, enum tb_fault fault,
		     uint64_t index, uint64_t address);

/* For decoders: the fault that was counted last, FAULT, was none of the code.  */
void tb_uncount_fault (struct tb_decoder_stats *stats, enum tb_fault fault);

/* For decoders: the space of the context that trace names as NAMED.  If it is not known,
   STATS counts it.  OTHERWISE: where the trace names none, or MAP has none.  */
enum tb_space tb_decoder_context (struct tb_decoder_stats *stats,
				  const struct tb_memmap *map,
				  const struct tb_context *named,
				  enum tb_space otherwise);

/* Add to TO what was counted from BEFORE (NULL: from the start) to AFTER.  */
void tb_decoder_stats_add (struct tb_decoder_stats *to,
			   const struct tb_decoder_stats *after,
			   const struct tb_decoder_stats *before);

/* Packets of one type.  Of some protocols they end within a byte.  */
struct tb_packet_count
{
  uint64_t packets, bits;
};

/* A packet as it is listed.  */
struct tb_packet_note
{
  uint64_t index;		/* Byte in the buffer of its first one.  */
  uint64_t bits;		/* 0: of one that is none, from which on
				   synchronisation is looked for.  */
  unsigned type;		/* As they are counted; or ...  */
  const void *packet;		/* What was read of it, for PACKET_TEXT; NULL:
				   nothing but the type.  */
};

/* ... by how much TYPE is above npacket_types: what the end of the trace cut off, and
   bytes passed over while not in sync.  */
enum { TB_PACKET_CUT, TB_PACKET_SKIPPED };

/* Who is told of each packet.  */
struct tb_packet_taker
{
  void (*take) (struct tb_packet_taker *taker,
		const struct tb_packet_note *note);
};

struct tb_decoder;

/* What a protocol provides.  A decoder's state that checkpoints must keep is one
   block of memory without pointers to itself.  */
struct tb_protocol
{
  const char *name;		/* "MTB", "ETMv4".  */
  /* Does it decode device TYPE ("ETM4.2", "CSMTB")?  */
  bool (*matches) (const char *type);
  /* The trace ID that the source's registers select; TB_ID_NONE if none.  */
  unsigned (*trace_id) (const struct tb_device *source);
  /* What SOURCE sends as its stream NUMBER, which is not 0 and of which the trace
     ID is NUMBER above that of its instructions, for messages: "data trace".
     Nothing decodes it.  *ON: the registers say that it was sent.  NULL: there
     is no such stream; and where this is NULL, of no NUMBER.  */
  const char *(*further_stream) (const struct tb_device *source,
				 unsigned number, bool *on);
  /* What the registers of CONFIG->source leave to be assumed, into REPORT, whose
     source is set.  NULL: nothing.  */
  void (*unit) (const struct tb_decoder_config *config,
		struct tb_unit_report *report);
  struct tb_decoder *(*open) (const struct tb_decoder_config *config,
			      struct tb_diag *diag);
  uint8_t exceptions;		/* How it numbers them: enum tb_exception_numbers  */
  /* It tells of every instruction, not of branches alone, whether its condition
     passed.  */
  bool conditions_told;
  /* Do the registers of SOURCE show that it traced until the core was halted?
     NULL: they cannot, as those of an ETM: it stays enabled where its filters leave
     out what runs, and where the buffer behind it is full, or was stopped by a
     trigger.  */
  bool (*reaches_halt) (const struct tb_device *source);
  /* Its elements tell of no instructions: what software wrote, and when.  */
  bool software;
  /* All bytes are packets; bad are those that do not come from where the one before
     led to.  */
  bool linked;
  /* They may state how many timestamps there are a second.  */
  bool states_clock;
  /* Of software's: the packet that decoding begins at, in words; and whether it may begin
     at the first byte, where the user says so.  */
  const char *sync_text;
  bool can_be_aligned;
  /* The names of its packet types, by number; NULL for numbers that mean none,
     and for those whose packets are counted under others.  */
  const char *const *packet_names;
  unsigned npacket_types;
  /* Append " NAME=VALUE" for each field of a packet of TYPE, by which it was
     noted.  NULL: it is not packets that are read.  */
  void (*packet_text) (struct tb_buffer *text, unsigned type,
		       const void *packet);
  /* The kinds of trace units that send it, to try on trace that nothing tells of; NULL:
     it is never tried.  */
  const struct tb_kind *kinds;
  unsigned nkinds;
};

/* Every decoder begins with this.  */
struct tb_decoder
{
  const struct tb_protocol *protocol;
  /* Fill up to CAPACITY (at least 1) elements in stream order; returns how
     many; fewer than CAPACITY is no sign of the end, 0 is: END was delivered. */
  size_t (*read) (struct tb_decoder *decoder, struct tb_element *elements,
		  size_t capacity);
  /* A copy of the state between two elements, malloc'ed; after restore the
     decoder delivers exactly what it would have delivered after save.  NULL: no
     memory.  Free with free ().  */
  void *(*save) (const struct tb_decoder *decoder);
  void (*restore) (struct tb_decoder *decoder, const void *saved);
  void (*close) (struct tb_decoder *decoder);
  struct tb_follow *follow;	/* The block cache in use; NULL if SOFTWARE. */
  bool has_data;		/* The trace tells what was loaded and stored.  */
  struct tb_decoder_stats stats;
  /* Set by the caller before it reads: where to count packets, by type, and in
     one more entry after those what the end of the trace cut off.  All bits are
     there that are not STATS.skipped.  NULL: nowhere.  Not saved.  */
  struct tb_packet_count *packet_counts;
  /* The same: who is told of them, where they are counted.  NULL: nobody.  */
  struct tb_packet_taker *packet_taker;

  /* Decoding in sections.  All or none of SEEK, TELL, SAME and COUNTS are there;
     a decoder without them is read from its start only.  */

  /* The caller's wish: reads end behind each synchronisation packet.  A read
     that ended so, perhaps with 0 elements, has set AT_SYNC, and the decoder
     stands just behind that packet, which begins at SYNC.  SYNC is saved and
     restored.  */
  bool stop_at_sync;
  bool at_sync;
  struct tb_stream_place sync;
  /* What STATS is a copy of after each read; saved with the rest.  */
  struct tb_decoder_stats *counts;
  /* Forget everything and look for synchronisation from PLACE on.  */
  void (*seek) (struct tb_decoder *decoder,
		const struct tb_stream_place *place);
  /* The place that has been decoded up to, one of those to seek, and its byte
     index in the buffer.  */
  uint64_t (*tell) (const struct tb_decoder *decoder,
		    struct tb_stream_place *place);
  /* Would what was saved twice, by decoders of one configuration, deliver the
     same elements from here to the end?  False if in doubt.  Statistics do not
     count.  */
  bool (*same) (const void *saved, const void *other);
};

/* The protocol for a device type, or NULL.  */
const struct tb_protocol *tb_protocol_find (const char *type);

/* Each of those that there are; NULL: no more.  */
const struct tb_protocol *tb_protocol_number (size_t number);

/* Zero-initialise REPORT and find what the registers of CONFIG->source leave to be
   assumed.  */
void tb_decoder_unit (const struct tb_decoder_config *config,
		      struct tb_unit_report *report);

/* Open the decoder for CONFIG->source.  NULL after a diagnostic.  */
struct tb_decoder *tb_decoder_open (const struct tb_decoder_config *config,
				    struct tb_diag *diag);
void tb_decoder_close (struct tb_decoder *decoder);

/* Has DECODER found no memory for the code that it follows since this was asked last?
   If so, what it has delivered since then is worth nothing: there are gaps that the
   trace does not have.  What is shared does not say whose gaps: then they are everybody's
   from there on.  */
static inline bool
tb_decoder_no_memory (struct tb_decoder *decoder)
{
  bool none = decoder->follow != NULL && decoder->follow->no_memory;
  if (none)
    decoder->follow->no_memory = decoder->follow->shared;
  return none;
}

/* For decoders: does anybody count packets, or listen to them?  */
static inline bool
tb_packets_noted (const struct tb_decoder *decoder)
{
  return __builtin_expect (decoder->packet_counts != NULL, 0);
}

/* The same: there is a packet of TYPE at INDEX; the others as in struct
   tb_packet_note.  */
void tb_packet_noted (const struct tb_decoder *decoder, unsigned type,
		      uint64_t bits, uint64_t index, const void *packet);

/* BITS at INDEX are what the end of the trace cut off.  */
void tb_packet_cut (const struct tb_decoder *decoder, uint64_t bits,
		    uint64_t index);

/* BYTES from INDEX on are passed over for want of synchronisation.  */
void tb_packet_skipped (const struct tb_decoder *decoder, uint64_t bytes,
			uint64_t index);

/* For decoders: why there is no synchronisation behind a break in the buffer, where
   they still had to REPORT that it was LOST.  Before the first byte there was
   nothing to lose.  */
static inline enum tb_reason
tb_break_reason (bool report, uint8_t lost)
{
  return report && lost == TB_REASON_INIT ? TB_REASON_INIT : TB_REASON_RESET;
}

/* "not-taken" ...: a word for programs.  */
const char *tb_fault_name (enum tb_fault fault);

/* Append how many faults of each kind STATS has, in words, and where the first
   ones are; nothing where there are none.  */
void tb_faults_text (struct tb_buffer *buffer,
		     const struct tb_decoder_stats *stats);

extern const struct tb_protocol tb_protocol_mtb;
extern const struct tb_protocol tb_protocol_etmv3;
extern const struct tb_protocol tb_protocol_etmv4;
extern const struct tb_protocol tb_protocol_ptm;
extern const struct tb_protocol tb_protocol_itm;
extern const struct tb_protocol tb_protocol_stm;

#endif /* TB_DECODE_DECODER_H */
