/* Moments of events: where requests that name no place in the code are hit.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_REQUEST_MOMENTS_H
#define TB_FRAME_REQUEST_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/request.h"
#include "frame/tracepoint.h"
#include "recording/lane.h"
#include "recording/recording.h"
#include "snapshot/symbols.h"
#include "state/answer/accesses.h"
#include "state/answer/values.h"

/* A request may have so many.  */
#define TB_REQUEST_MOMENTS_MAX ((size_t) 1 << 24)

/* Where they are looked for.  */
struct tb_request_trace
{
  struct tb_recording *recording;
  struct tb_accesses *accesses;	/* WRITES; else it may be NULL.  */
  struct tb_state *state;	/* STORES, TAKES; else it may be NULL.  */
  const struct tb_symbols *symbols;
  const struct tb_lane *lane;	/* SOFTWARE  */
  uint64_t from, end;		/* Moments FROM to END - 1.  */
  bool end_known;		/* There is a moment behind the last step ...  */
  uint64_t end_pc;		/* ... at this PC.  */
};

/* Does REQUEST need accesses or a state?  */
bool tb_request_needs_state (const struct tb_request *request);

/* Does REQUEST need a lane?  */
bool tb_request_needs_lane (const struct tb_request *request);

/* Whose words.  */
struct tb_request_channel
{
  bool any;			/* Of all.  */
  bool dwt;			/* The DWT's.  */
  bool has_master;
  uint64_t master, channel;
};

/* Read what REQUEST, which is SOFTWARE, names: "3", "0x41:3", "dwt", or nothing.  False
   after a diagnostic: it is none.  */
bool tb_request_read_channel (const struct tb_request *request,
			      struct tb_request_channel *channel,
			      struct tb_diag *diag);

/* What they are about.  */
struct tb_request_subject
{
  struct tb_request_channel channel;	/* SOFTWARE  */
  uint64_t address, length;	/* WRITES  */
  struct tb_wanted_value value;	/* STORES, TAKES  */
  /* CALLS, RETURNS: of these functions; none: of all.  */
  const struct tb_function *const *functions;
  size_t nfunctions;
};

/* Zero-initialise; free ITEMS and SAID.  */
struct tb_request_moments
{
  uint64_t *items;		/* Sorted, each once; SOFTWARE: for each thing that is
				   said.  */
  size_t count, capacity;
  struct tb_said_value *said;	/* SOFTWARE: what, of each.  */
  size_t said_capacity;
  uint64_t elsewhere;		/* More are said, but trace does not tell where, or it
				   was behind the last step, where there is no moment.  */
  bool at_end;			/* One more is behind the last step, where there is no
				   moment (SOFTWARE: see above).  */
  uint64_t gaps;		/* Of searches for stores: gaps that were passed. */
  uint64_t unknown;		/* Stores whose addresses, or where a value is looked
				   for: whose values, are not known: any of them may be
				   a moment, too.  */
};

enum tb_listed
{
  TB_LISTED,
  TB_LISTED_TOO_MANY,
  TB_LISTED_NO_MEMORY
};

/* List the moments of the events of KIND.  */
enum tb_listed tb_request_list (enum tb_request_kind kind,
				const struct tb_request_subject *subject,
				const struct tb_request_trace *trace,
				struct tb_request_moments *moments);

#endif /* TB_FRAME_REQUEST_MOMENTS_H */
