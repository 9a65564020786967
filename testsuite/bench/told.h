/* What decoders tell of a source, ours and the peer's, and how two such lists differ.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_BENCH_TOLD_H
#define TB_BENCH_TOLD_H

#include "bench.h"

/* What is compared of an element.  */
struct told
{
  uint64_t a, b;
  uint32_t n;
  char kind;			/* As in listings; '!' is an error that was found, '?' code
				   at an address that the trace does not tell.  */
  uint8_t isa;
  bool executed;
};

/* Of one source.  */
struct told_list
{
  struct told *told;
  size_t count, room;
};

/* What a difference is called; bench/README says what each means.  */
enum outcome
{
  EQUAL, PEER_DIES, PEER_STOPS, BOTH_FOUND, OURS_FOUND, PEER_FOUND,
  NOT_TOLD, WALKED_ON, LAST_BYTES, HIGH_HALF, RESERVED, NO_CODE, NO_ERROR, OUTCOMES
};

extern const char *const outcome_names[OUTCOMES];

/* Decode all streams of INPUT with our decoders into LISTS, one a stream, whose told are to
   be freed with free.  */
void told_decode (const struct bench_input *input, struct told_list *lists);

/* Add what the peer tells of STREAM, its ELEMENT, to the lists CONTEXT.  */
void told_take_peer (void *context, size_t stream, const void *element);

/* Where OURS and the PEER's begin to differ, *A and *B, and what that is called.  STOPPED: the
   peer gave up in the end.  */
enum outcome told_compare (const struct told_list *ours, const struct told_list *peer,
			   bool stopped, size_t *a, size_t *b);

/* Print what WHO tells at AT of LIST.  */
void told_print (const char *who, const struct told_list *list, size_t at);

#endif /* TB_BENCH_TOLD_H */
