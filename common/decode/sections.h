/* One trace decoded in sections, by several threads.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A buffer is cut into sections at synchronisation packets.  To find where one
   may begin, a decoder is sent to a place near there, synchronises, and goes on
   to the next synchronisation packet: the section starts there, in the state that
   the decoder then has.  The decoder of the section before runs up to that packet.
   If its state is the same there, the elements of both sections together are
   those that one decoder would have delivered; if not, the section is decoded
   again from the state that the one before ended in.  So the elements, their
   order and the statistics do not depend on how many threads there are.  */

#ifndef TB_DECODE_SECTIONS_H
#define TB_DECODE_SECTIONS_H

#include "decode/decoder.h"
#include "util/status.h"

enum tb_section_answer
{
  TB_SECTION_MORE,		/* Go on.  */
  TB_SECTION_FULL,		/* Finish this section first.  */
  TB_SECTION_FAILED		/* No memory.  */
};

/* What becomes of the elements.  */
struct tb_section_consumer
{
  void *context;

  /* Begin what one section becomes.  DECODER stands at its start.  IN_TURN:
     all before it has been finished, and nothing else is being finished while
     this runs; otherwise this may run at any time, in any thread, and must not
     look at what FINISH changes.  NULL: no memory.  */
  void *(*begin) (void *context, bool in_turn, struct tb_decoder *decoder);

  /* The next COUNT elements, all in the sections' order; DECODER stands behind
     them.  COUNT may be 0 where it stopped at a synchronisation packet
     (DECODER->at_sync); a section that ends at one is told so, the one that
     begins there is not.  Several threads call this, each for its own section.
     A section of any length may come: one that has grown large says FULL.  */
  enum tb_section_answer (*take) (void *section, struct tb_decoder *decoder,
				  const struct tb_element *elements,
				  size_t count);

  /* May SECTION, which was not begun in turn, come after what has been
     finished?  If not it is dropped and done again in turn.  NULL: always.  */
  bool (*fits) (void *context, const void *section);

  /* SECTION is complete, and so is all before it.  Frees it.  DECODER is of
     the same configuration as the one that read it, for its block cache.
     One at a time, in order, but in any thread.  Anything but TB_OK ends
     everything.  */
  enum tb_status (*finish) (void *context, void *section,
			    struct tb_decoder *decoder);

  /* Free SECTION, which is of no use.  */
  void (*drop) (void *section);
};

struct tb_sections_options
{
  unsigned jobs;		/* Threads; 0 and 1: the caller's alone.  */
  uint64_t size;		/* Bytes of the buffer a section, or a few times the
				   distance of synchronisation packets where that
				   is more; 0: choose.  */
  bool opened_before;		/* A decoder was opened already, and said what
				   there was to say.  */
};

/* Decode all of CONFIG's trace into CONSUMER.  *STATS gets the whole trace's
   statistics, and may be NULL; OPTIONS too.  On anything but TB_OK a diagnostic
   said why, unless it is FINISH that failed, which must say so itself.  */
enum tb_status tb_sections_decode (const struct tb_decoder_config *config,
				   const struct tb_sections_options *options,
				   const struct tb_section_consumer *consumer,
				   struct tb_decoder_stats *stats,
				   struct tb_diag *diag);

#endif /* TB_DECODE_SECTIONS_H */
