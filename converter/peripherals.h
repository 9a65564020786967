/* Accesses to peripherals, by a device description.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_PERIPHERALS_H
#define TB_CONVERTER_PERIPHERALS_H

#include "names.h"
#include "state/state.h"
#include "svd/svd.h"
#include "util/buffer.h"

/* If SVD, which may be NULL, describes what lies where A goes: append a comma, its name
   and, if VALUE is not NULL, in braces the fields that VALUE is.  */
void put_peripheral (struct tb_buffer *line, const struct tb_svd *svd,
		     const struct tb_access_info *a, const uint64_t *value);

/* The registers of peripherals that a recording's instructions access.  Zero-initialise
   but for SVD; free with peripherals_fini.  */
struct peripherals
{
  const struct tb_svd *svd;
  struct htab *uses;
  uint64_t unknown;		/* Stores whose address is not known, and steps that may
				   store nobody knows where.  */
  bool failed;			/* No memory.  */
};

/* Add the accesses of STEP, which is behind those that were added.  CONTEXT is a struct
   peripherals.  */
void peripherals_add (void *context, struct tb_state *state, uint64_t step);
void peripherals_fini (struct peripherals *all);

/* A member of NAMED's JSON object: "devices", in the order of addresses; "maybe" are the
   stores that need not have happened, "since" those that may have come there, for all
   that is known, after the last certain one.  False: no
   memory.  */
bool peripherals_json (const struct peripherals *all,
		       const struct named_recording *named, FILE *out);

#endif /* TB_CONVERTER_PERIPHERALS_H */
