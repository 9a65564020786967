/* Which transfers of a data trace are wrong, where it contradicts the rest: what to leave out is
   tried, as faults are localised by solving again without some of the statements.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_EVIDENCE_DATA_WEIGHING_H
#define TB_STATE_EVIDENCE_DATA_WEIGHING_H

#include "state/evidence/evidence.h"
#include "state/evidence/traced.h"

/* The transfer that is told of to the user.  */
struct tb_data_fault
{
  const struct tb_transfer *transfer;	/* NULL: none yet.  */
  bool of_address;		/* Its address is contradicted, not its value.  */
  bool known;			/* What it would be else is known.  */
  bool load, address_known;
  uint32_t told, made, address;
};

/* The transfers of one state, some of which are tried to be left out.  */
struct tb_weighing
{
  struct tb_state *s;
  struct tb_traced *t;
  bool (*solve) (struct tb_state *s);
  bool *before;			/* What was off.  */
  bool *wrong;			/* What is contradicted, ...  */
  bool *out;			/* ... and all that goes with it.  */
  struct tb_data_fault fault;
  size_t ncontradicted;		/* So many are, by what is sound without data.  */
  bool halt;			/* The halt may be wrong instead.  */
  bool all;			/* It took all data.  */
  struct tb_extents disputed;	/* Where memory may be what is wrong.  */
  bool failed;			/* No memory.  */
};

/* Begin to weigh the transfers of S, which SOLVE solves (false: no memory).  *SOUND: without any
   of them nothing is contradicted.  False: no memory.  To be ended in any case.  */
bool tb_weighing_begin (struct tb_weighing *d, struct tb_state *s,
			bool (*solve) (struct tb_state *s), bool *sound);
void tb_weighing_end (struct tb_weighing *d);

/* Solve with what is off now.  Returns whether that is sound.  */
bool tb_weighing_try (struct tb_weighing *d);

/* Only what was off before, and OUT unless that is NULL, are off.  */
void tb_weighing_set_off (struct tb_weighing *d, const bool *out);

/* Find as many transfers as it takes, all else being sound without any: they are out, and D is
   solved without them.  */
void tb_weighing_find (struct tb_weighing *d);

/* What would the transfer that is told of be, now that it is not used?  */
void tb_weighing_look_again (struct tb_weighing *d);

#endif /* TB_STATE_EVIDENCE_DATA_WEIGHING_H */
