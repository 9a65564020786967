/* Packets of channels that are text, joined to lines.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A channel is text if all its data are characters, which only a pass over all of it tells; that
   pass notes where a line ends of which the last packet does not say so: before a mark, before
   what was lost, and at the end.  The next pass then gives each line when its last packet comes,
   and keeps nothing but the lines that have begun.  */

#ifndef TB_RECORDING_SOFTWARE_LINES_H
#define TB_RECORDING_SOFTWARE_LINES_H

#include "recording/software-reader.h"

/* A master's channel: its data so far.  */
struct tb_said_channel
{
  uint16_t master, channel;
  uint8_t source;		/* enum tb_element_kind; 0: this place of the table is free.  */
  bool numbers;			/* Some of it is no text.  */
  bool text;			/* All of it is; known behind the first pass.  */
  uint8_t npending;		/* Bytes of a character that has begun.  */
  /* Bits of packets of more than 8 that are characters alone: of the one before, if it is
     one (0: it is not); and whether there is any.  */
  uint8_t filled;
  bool any_filled;
  bool any_short;		/* A wide packet has a whole line and zeros.  */
  unsigned char pending[8];
  uint64_t characters, packets;
  /* The line.  */
  bool open;			/* There is one ...  */
  uint8_t lost;			/* ... before which packets were lost: TB_SAID_LOST.  */
  uint64_t index;		/* Of its first packet ...  */
  uint64_t last;		/* ... and the number of the last packet of the channel.  */
  uint64_t breaks;		/* BREAKS of the lines then.  */
  struct tb_buffer line;
};

/* Zero-initialise but for AHEAD and SURVEY; tb_said_lines_fini leaves it as it was then.  */
struct tb_said_lines
{
  struct tb_said_ahead *ahead;
  bool survey;			/* The first pass: TAKE is not called.  */
  tb_said_take *take;
  void *context;
  struct tb_said_channel *channels;	/* A table, of a power of 2.  */
  size_t size, used;
  uint64_t factor;		/* Of the table's hash.  */
  uint64_t breaks;		/* How often something was lost ...  */
  uint64_t broken;		/* ... up to when that was of all channels last, ...  */
  uint64_t errors;		/* ... and by a global error.  */
  uint64_t begun;		/* Bytes of lines that have begun.  */
  bool failed;			/* No memory, or TAKE said so.  */
};

/* Take item NUMBER, SAID, which has the TEXT.  */
void tb_said_join (struct tb_said_lines *lines, uint64_t number, const struct tb_said *said,
		   const void *text);

/* The first pass has ended: the next one begins.  */
void tb_said_lines_surveyed (struct tb_said_lines *lines);

/* Another pass than the first begins, or all are done.  */
void tb_said_lines_again (struct tb_said_lines *lines);
void tb_said_lines_fini (struct tb_said_lines *lines);

#endif /* TB_RECORDING_SOFTWARE_LINES_H */
