/* From elements of software's trace to what was said, packet by packet, with times.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What was said keeps changing: its latest time is told behind it, and so is its local time, and
   another packet of a match of the DWT may come.  Items are numbered from 0 on; those from
   SETTLED on are kept until nothing of them can change.  */

#ifndef TB_RECORDING_SOFTWARE_READER_H
#define TB_RECORDING_SOFTWARE_READER_H

#include "recording/local-clock.h"
#include "recording/software.h"

/* Whose packets tell which one it is (DDI 0403, D4.3.4).  */
#define TB_DWT_COMPARATORS 4

/* A bit each of the items.  Zero-initialise; BYTES is to be freed.  */
struct tb_said_bits
{
  uint8_t *bytes;
  size_t capacity;
};

/* False: no memory.  */
bool tb_said_bit_set (struct tb_said_bits *bits, uint64_t number);

static inline bool
tb_said_bit (const struct tb_said_bits *bits, uint64_t number)
{
  return number / 8 < bits->capacity && bits->bytes[number / 8] >> number % 8 & 1;
}

/* What a pass over all elements finds, which the next one need not wait for.  */
struct tb_said_ahead
{
  /* No local, no other time is told behind so many items.  */
  uint64_t last_local, last_time;
  bool time_zero;		/* A time of zero is told, ...  */
  uint64_t time_most;		/* ... others, of which this is the greatest; 0: none.  */
  bool goes_back;		/* One was less than one before it.  */
  /* Of the DWT's: another packet of its match comes.  Of data of channels: the line, if they are
     text, ends with it, which another packet would tell (software-lines.h).  */
  struct tb_said_bits bits;
};

/* Zero-initialise but for CLOCK's rates, AHEAD and SURVEY; free with
   tb_software_reader_fini.  */
struct tb_software_reader
{
  struct tb_said_ahead *ahead;	/* Made where this is a SURVEY, which keeps no items.  */
  bool survey;
  struct tb_said *items;	/* The first one has the number BASE.  */
  size_t capacity;
  uint64_t base, settled, count;
  struct tb_buffer text;	/* Of the DWT's items.  */
  uint64_t local_from;		/* From this one on there is no local time yet ...  */
  uint64_t time_from;		/* ... or no latest system time.  */
  uint64_t last;		/* That of the last packet.  */
  uint64_t time;		/* Stated last, if HAS_TIME ...  */
  uint64_t reached;		/* ... and what comes is no earlier than this.  */
  bool has_time;
  bool lost;			/* Packets before the next item.  */
  bool failed;
  struct tb_local_clock clock;
  /* Of each comparator of the DWT the item, counted from 1, that its next packet may
     go on with, and what that has last: enum tb_dwt.  */
  uint64_t match[TB_DWT_COMPARATORS];
  uint8_t matched[TB_DWT_COMPARATORS];
};

/* Take E.  FAILED: there is no memory.  */
void tb_software_take (struct tb_software_reader *reader, const struct tb_element *e);

/* Those before the number that this returns change no more: they may be given away.  END: there
   are no more elements.  */
uint64_t tb_software_settled (const struct tb_software_reader *reader, bool end);

/* Item NUMBER, from SETTLED on.  */
static inline struct tb_said *
tb_software_item (const struct tb_software_reader *reader, uint64_t number)
{
  return &reader->items[number - reader->base];
}

/* Those before NUMBER are needed no more.  */
void tb_software_drop (struct tb_software_reader *reader, uint64_t number);

/* Bytes that its items and their text take.  */
uint64_t tb_software_taken (const struct tb_software_reader *reader);

void tb_software_reader_fini (struct tb_software_reader *reader);

#endif /* TB_RECORDING_SOFTWARE_READER_H */
