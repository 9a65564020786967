/* Finding places in the trace of a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is asked for is looked for in the parts of the trace, between two places to decode
   from, that may have it; what is known of the others without decoding them, from the
   recording's checkpoints and its index, tells that they have not.  */

#ifndef TB_RECORDING_FIND_H
#define TB_RECORDING_FIND_H

#include "recording/recording.h"
#include "recording/visits.h"
#include "util/buffer.h"

enum tb_find_what
{
  TB_FIND_BYTE,			/* The last element whose packet begins at byte VALUE
				   or before it.  */
  TB_FIND_STEP,			/* The range that step VALUE is in.  */
  TB_FIND_TIMESTAMP,		/* The first timestamp that is VALUE or more, where times
				   grow; where a clock was set back, one that is.  */
  TB_FIND_ELEMENTS		/* All elements of KIND ...  */
};

struct tb_find_query
{
  uint8_t what;			/* enum tb_find_what  */
  uint8_t kind;			/* ELEMENTS: enum tb_element_kind ...  */
  bool trigger;			/* EVENT: a trigger, not a numbered event.  */
  bool any;			/* ... whatever number they have; else VALUE: of an
				   exception, an event, a context ID.  */
  uint64_t value;
};

/* Append what find expects, for messages, with the names of all kinds of elements.  */
void tb_find_expected (struct tb_buffer *text);

/* Read TEXT.  False: it is none.  */
bool tb_find_parse (const char *text, struct tb_find_query *query);

struct tb_find_hit
{
  uint64_t step;		/* The element lies before it; of a range: its
				   first one.  */
  struct tb_element element;
};

struct tb_find
{
  struct tb_find_query query;
  uint64_t from;		/* ELEMENTS: hits before this step do not count ...  */
  uint64_t skip;		/* ... nor so many of the first ones before it.  */
  /* Called with each hit, in their order.  False: that is enough.  */
  bool (*take) (void *context, const struct tb_find_hit *hit);
  /* Called now and then; false: stop.  NULL: nobody.  */
  bool (*go_on) (void *context);
  void *context;
  /* Set: the parts of the trace, and how many of them were decoded.  */
  size_t parts, decoded;
};

/* Look for what FIND says in RECORDING, which is one of hardware trace.  FOUND: there was
   a hit.  */
enum tb_search tb_recording_find (struct tb_recording *recording,
				  struct tb_find *find);

/* Does QUERY look for elements that only software's trace has?  */
bool tb_find_is_of_software (const struct tb_find_query *query);

/* The same in all that DECODER, software's, has from where it stands; there are no steps, but
   bytes of the trace in their place.  Times are the system's, in whatever element they are
   told.  */
enum tb_search tb_software_find (struct tb_decoder *decoder, struct tb_find *find);

#endif /* TB_RECORDING_FIND_H */
