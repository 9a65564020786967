/* From requests to tracepoints.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The tracepoints are those that GDB defines for the remote stub (frame/tracepoint.h):
   frame/experiment.h runs them, however they came to be.  */

#ifndef TB_FRAME_REQUEST_DEFINE_H
#define TB_FRAME_REQUEST_DEFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/tdesc.h"
#include "frame/request-moments.h"
#include "frame/request.h"
#include "frame/tracepoint.h"
#include "snapshot/variables.h"
#include "util/diag.h"

/* What all tracepoints of one number have in common.  Their numbers are 1, 2, ...,
   in the order in which they were asked for.  */
struct tb_defined
{
  char *name;			/* What was asked for, for reports.  */
  size_t first;			/* Place of the first in the set.  */
  bool several;			/* They are at several addresses.  */
  uint64_t missed;		/* Stores to addresses that are not known: any of
				   them may be a hit, too.  */
  bool missed_values;		/* But of values that are not known.  */
  uint64_t gaps;		/* In the trace, where stores may be.  */
  bool at_end;			/* One more is behind the last step, at a PC that is not
				   known: there is no frame.  */
  bool of_said;			/* They are where software said something ...  */
  uint64_t unplaced;		/* ... and so many things have no place.  */
};

/* Zero-initialise but for SET; free with tb_definitions_fini.  */
struct tb_definitions
{
  struct tb_tracepoint_set *set;	/* Borrowed.  */
  struct tb_defined *items;	/* Number N is ITEMS[N - 1].  */
  size_t count, capacity;
  size_t value_told;		/* Of this item: "value" is the program's there.  */
};

void tb_definitions_fini (struct tb_definitions *definitions);

/* What they are found by; all borrowed.  */
struct tb_define_input
{
  const struct tb_tdesc *tdesc;	/* By which registers have numbers.  */
  struct tb_symbols *symbols;	/* Perhaps of no file.  */
  struct tb_variables *variables;	/* Of SYMBOLS.  */
  const struct tb_svd *svd;	/* Names of peripherals; NULL: none.  */
  struct tb_request_trace trace;	/* ACCESSES: only for some requests.  */
  struct tb_diag *diag;
};

/* Define the tracepoints that REQUEST asks for.  False after a diagnostic.  */
bool tb_define_request (struct tb_definitions *definitions,
			const struct tb_request *request,
			const struct tb_define_input *input);

/* Add an item called NAME, which is taken over.  False: no memory.  */
bool tb_definitions_add (struct tb_definitions *definitions, char *name,
			 size_t first, bool several);

/* Give T what is collected by PART of REQUEST; NO_PC: T's address is not where it is.
   *LEFT_OUT: that is floating point, which is not computed, and left out after a warning.
   False after a diagnostic.  */
bool tb_define_item (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
		     const struct tb_request *request,
		     struct tb_request_part part, bool stepping, bool no_pc,
		     bool *left_out, const struct tb_define_input *input);

/* Let T evaluate what stands from OFFSET on in REQUEST's text, for what that sets.  */
bool tb_define_teval (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
		      const struct tb_request *request, size_t offset,
		      bool stepping, const struct tb_define_input *input);

#endif /* TB_FRAME_REQUEST_DEFINE_H */
