/* Places of requests: from what a user calls a place to addresses.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_REQUEST_PLACES_H
#define TB_FRAME_REQUEST_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/expression.h"
#include "frame/request.h"
#include "snapshot/symbols.h"

/* A place that was found.  */
struct tb_request_place
{
  uint64_t address;
  const struct tb_function *function;	/* FUNCTIONS, CALLS, RETURNS: which. */
};

/* Zero-initialise; free ITEMS.  */
struct tb_request_places
{
  struct tb_request_place *items;	/* Sorted by address, each once.  */
  size_t count, capacity;
};

/* Find where REQUEST, a PLACE, FUNCTIONS, CALLS or RETURNS, is by SYMBOLS.  Of a
   function that is a place it is behind its prologue; of CALLS and RETURNS its
   first instruction.  False after a diagnostic: there is no such place, or no
   memory.  */
bool tb_request_find (const struct tb_request *request,
		      struct tb_symbols *symbols,
		      struct tb_request_places *places, struct tb_diag *diag);

/* What REQUEST, a WRITES, is about; an expression for it means what it does in SCOPE,
   and must always be at the same place.  False after a diagnostic.  */
bool tb_request_memory (const struct tb_request *request,
			const struct tb_symbols *symbols,
			const struct tb_expression_scope *scope,
			uint64_t *address, uint64_t *length,
			struct tb_diag *diag);

#endif /* TB_FRAME_REQUEST_PLACES_H */
