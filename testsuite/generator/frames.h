/* Trace of several sources in one buffer.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Arm CoreSight Architecture Specification (IHI 0029), chapter D4
   "Trace formatter".  */

#ifndef GEN_FRAMES_H
#define GEN_FRAMES_H

#include "generator/trace.h"

#define GEN_BREAKS 8

/* A source's bytes.  */
struct gen_source
{
  uint8_t id;			/* 1 to 0x6f.  */
  const uint8_t *bytes;
  size_t size;
  size_t done;			/* How many are in frames.  */
  uint64_t *places;		/* Where in the buffer each is; SIZE of them.  */
  size_t breaks[GEN_BREAKS];	/* How many came before each break.  */
  unsigned nbreaks;
};

struct gen_frame_options
{
  bool port;			/* From a trace port: with full and half
				   synchronisation packets.  */
  bool blocks;			/* DSTREAM: 512-byte blocks with footers.  */
  bool breaks;			/* Here and there trace of different times
				   meets, with four full synchronisation packets
				   in place of a frame.  */
  unsigned switches;		/* In 100th of byte pairs: another ID.  */
  unsigned padding;		/* In 100th of those: ID 0.  */
  unsigned full_syncs, half_syncs;	/* In 100th of frames and of pairs.  */
};

void gen_frames_choose (struct gen_frame_options *options,
			struct gen_random *random);

/* Append frames with all bytes of the COUNT sources to the bytes of TRACE; blocks
   take their footers when all is there: gen_frames_block.  */
void gen_frames_encode (struct gen_trace *trace, struct gen_source *sources,
			unsigned count,
			const struct gen_frame_options *options,
			struct gen_random *random);

/* Make blocks of the bytes of TRACE, and move the places of the sources.  */
void gen_frames_block (struct gen_trace *trace, struct gen_source *sources,
		       unsigned count, struct gen_random *random);

#endif /* GEN_FRAMES_H */
