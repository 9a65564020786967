/* What software and the DWT said through an ITM or an STM: lines of text, numbers and
   events, each with the time that the trace tells of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Programs write text a few bytes at a time to a channel of their own.  A channel all of
   whose data are characters is text, and its packets are joined to lines; of any
   other channel each packet is a number.

   Times.  An ITM counts ticks of a local clock up to the packet that tells them, since
   trace began or packets were lost (DDI 0403, D4.2.4).  The system's time is what
   an STM writes with a packet, or an ITM between packets (D4.2.5); what stands between
   two of these was said between them.

   A trace may be longer than memory: what was said can be read at once, or be given one by one;
   then trace is decoded three times.  */

#ifndef TB_RECORDING_SOFTWARE_H
#define TB_RECORDING_SOFTWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/decoder.h"
#include "recording/when.h"
#include "util/buffer.h"

enum tb_said_kind
{
  TB_SAID_NUMBER,		/* VALUE, BITS wide.  */
  TB_SAID_TEXT,			/* A line, without its end.  */
  TB_SAID_DWT,			/* In words.  */
  TB_SAID_FLAG,			/* STM: a mark without data.  */
  TB_SAID_TRIGGER, TB_SAID_FREQUENCY, TB_SAID_ERROR,	/* STM, with VALUE.  */
  TB_SAID_NO_SYNC,		/* What was said here is lost: enum tb_reason VALUE. */
  TB_SAID_BAD			/* So are the bytes at INDEX, which are no packet. */
};

/* Bits of tb_said.flags.  */
enum
{
  TB_SAID_LOST = 1,		/* Packets before it were.  */
  TB_SAID_MARKED = 2,		/* STM  */
  TB_SAID_SENDER = 4,		/* MASTER (STM) and CHANNEL are known.  */
  TB_SAID_LOCAL = 8,		/* LOCAL is known ...  */
  TB_SAID_LATE = 16,		/* ... and it was said then or before.  */
  TB_SAID_EARLIEST = 32, TB_SAID_LATEST = 64,	/* These are known.  */
  TB_SAID_GLOBAL = 128		/* ERROR: of the whole STM, not of a master.  */
};

struct tb_said
{
  uint64_t index;		/* Byte in the buffer of its (first) packet.  */
  uint64_t value;
  uint64_t local;		/* Ticks.  */
  uint64_t earliest, latest;	/* System time.  */
  uint32_t text;		/* TEXT, DWT: where it stands, of what was read.  */
  uint32_t length;
  uint16_t master, channel;	/* DWT: CHANNEL is the discriminator.  */
  uint8_t kind;			/* enum tb_said_kind  */
  uint8_t bits;
  uint8_t flags;
  uint8_t source;		/* enum tb_element_kind: ITM, DWT, SOFTWARE.  */
  uint8_t dwt;			/* DWT: enum tb_dwt, of its last packet.  */
};

/* All that one stream says.  Zero-initialise but for the rates,
   RATE_TOLD, MEMORY and GO_ON; free with tb_software_fini.  */
struct tb_software
{
  /* Ticks a second: most of an ITM's local clock, and those of the system's time; 0: not
     known.  With both, local times narrow the system's.  */
  uint64_t local_rate, system_rate;
  bool rate_told;		/* SYSTEM_RATE is the user's word: it holds whatever the
				   stream states.  */
  uint64_t memory;		/* Bytes that it may take; 0: as many as it needs.  */
  /* Called now and then with CONTEXT; false: stop.  NULL: nobody.  */
  bool (*go_on) (void *context);
  void *context;
  bool stopped;			/* It was stopped.  */
  bool unreadable;		/* lane.h: nothing of it can be decoded.  */
  uint64_t bytes, passed;	/* lane.h: of the trace, and of them those that were passed
				   over, as no synchronisation was known there, ...  */
  uint64_t broken_off;		/* ... and those at the end that are a part of a packet.  */
  bool cut;			/* What was said from byte CUT_AT on found no room.  */
  uint64_t cut_at;
  bool contradicted;		/* The local clock was faster; LOCAL_RATE is not used.  */
  bool narrowed;		/* Local times narrowed some time of the system's.  */
  /* Set by tb_software_read and tb_software_plan.  How many ticks of the stream's times
     there are a second: what it states itself counts before SYSTEM_RATE; 0: not known, or it
     states several.  */
  uint64_t frequency;
  bool several_rates;		/* It states several.  */
  bool foreign;			/* That is not SYSTEM_RATE: its times are another clock's
				   than those of instructions.  */
  bool goes_back;		/* Its times go back: they are no one clock's.  */
  bool all_zero;		/* It tells times, and all are zero: not known.  */
  bool timed, local;		/* Some item has a time of the system, a local one.  */
  uint64_t said;		/* How many items there are.  */
  /* What was read: COUNT is SAID, or 0 where it is given one by one.  */
  struct tb_said *items;
  size_t count, capacity;
  struct tb_buffer text;
};

/* Read all of DECODER, whose protocol is software's, as far as there is room: in the order
   in which it was said, a line by its last packet, a match by its first.  False: no memory, or
   STOPPED.  */
bool tb_software_read (struct tb_software *software,
		       struct tb_decoder *decoder);

/* The same in two parts that need no room for all: what was said between two timestamps or local
   times, lines that have begun, an eighth of a byte for a packet, and what is known of each
   channel.  First the members of SOFTWARE are set but for the items, and *PLAN, to be freed
   with tb_software_plan_free, if this returns true.  */
struct tb_software_plan;
bool tb_software_plan (struct tb_software *software, struct tb_decoder *decoder,
		       struct tb_software_plan **plan);
void tb_software_plan_free (struct tb_software_plan *plan);

/* Is called with what was said, one after the other, and its text, SAID->length bytes.
   False: stop.  */
typedef bool tb_said_take (void *context, const struct tb_said *said, const void *text);

/* Then TAKE is called with CONTEXT for each item.  False: no memory, STOPPED, or TAKE said so.  */
bool tb_software_give (struct tb_software_plan *plan, tb_said_take *take, void *context);

void tb_software_fini (struct tb_software *software);

/* Are the times of SOFTWARE the system's, as those of instructions are?  */
static inline bool
tb_software_has_time (const struct tb_software *software)
{
  return !software->foreign && !software->goes_back;
}

/* software-text.c: append who said SAID ("port 3", "DWT", "master 0x41 channel 0x0"); and
   what, on one line, with controls and what is no character as \xNN.  */
void tb_said_who (struct tb_buffer *text, const struct tb_said *said);
void tb_said_what (struct tb_buffer *text, const struct tb_software *software,
		   const struct tb_said *said);
void tb_said_what_of (struct tb_buffer *text, const struct tb_said *said,
		      const void *said_text);

/* When, by the system's time.  */
struct tb_when tb_said_time (const struct tb_said *said);

/* Append when SAID, of SOFTWARE, was, in seconds, if its FREQUENCY is known, else as a
   number: "17" or "<=17" local ticks; "@1.500000000s", "@0x10-0x20",
   "@>=0x10" or "@<=0x20" of the system; both; or "-".  Times that go back bound nothing,
   and are no one's but those of packets that have one.  */
void tb_said_when (struct tb_buffer *text, const struct tb_software *software,
		   const struct tb_said *said);

#endif /* TB_RECORDING_SOFTWARE_H */
