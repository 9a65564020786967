/* Why values are not known, counted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is not known was computed of something that is not known, and so on back to
   a value that came from nowhere that is seen: that one is the reason.  Each value
   is looked at once, so that the cost follows the values, not how often they are
   asked for.  */

#ifndef TB_STATE_EXPLAIN_REASONS_H
#define TB_STATE_EXPLAIN_REASONS_H

#include "state/state.h"

/* Why a value is not known: what was in the way of the first unknown value of those
   it comes from.  */
enum tb_why_not
{
  TB_WHY_NOT_START,		/* Held since the trace began.  */
  TB_WHY_NOT_WINDOW,		/* Held since before the steps that were worked
				   out together, of which none was asked for.  */
  TB_WHY_NOT_GAP,		/* Held since a gap.  */
  TB_WHY_NOT_EXCEPTION,		/* An exception's entry or return leaves it open,
				   or which stack it uses.  */
  TB_WHY_NOT_INSTRUCTION,	/* Made by an instruction that is not followed,
				   or that does not say what it made.  */
  TB_WHY_NOT_ADDRESS,		/* Loaded from an address that is not known.  */
  TB_WHY_NOT_STORE,		/* Loaded, and a store to who knows where may have
				   written there: but for it this was known.  */
  TB_WHY_NOT_CONTENTS,		/* Loaded where nothing tells what memory held: not
				   written before, overwritten since.  */
  TB_WHY_NOT_DEVICE,		/* Loaded from a device, from volatile memory or
				   what the trace unit writes.  */
  TB_WHY_NOT_SHARED,		/* Loaded from memory that another core may
				   write.  */
  TB_WHY_NOT_DUMPED,		/* Loaded from memory that no dump has.  */
  TB_WHY_NOT_SPACE,		/* Loaded in another address space.  */
  TB_WHY_NOT_CONDITION,		/* One of two, by a condition that is not known;
				   of a store, that it may not have happened.  */
  TB_WHY_NOT_ENOUGH,		/* Something is known of it, but not all.  */
  TB_WHY_NOT_ANALYSED,		/* The step, or what ran before it, is not
				   analysed.  */
  TB_WHY_NOT_LOGGED,		/* No line of the log tells it.  */
  TB_WHY_NOT_DOUBT,		/* A premise is doubted: else it is known.  */
  TB_WHY_NOTS
};

/* How often something was not known for one reason.  */
struct tb_reasons_count
{
  uint64_t pairs;		/* A register, or the flags, live before a step. */
  uint64_t load_addresses, load_values, store_addresses, store_values;
};

/* A store that was in the way.  */
struct tb_reasons_store
{
  uint64_t step;
  uint64_t pairs;		/* That were known but for it: what was loaded, or
				   stored, and what comes of that.  */
  uint64_t through;		/* Of which the address they were loaded from, or
				   the condition that chooses, is such a value.  */
};

/* Zero-initialise; free with tb_reasons_fini.  */
struct tb_reasons
{
  struct tb_reasons_count counts[TB_WHY_NOTS];
  /* After tb_reasons_end: those with the most pairs of both kinds come first.  */
  struct tb_reasons_store *stores;
  size_t nstores, stores_room;
  bool failed;			/* No memory: not all was counted.  */
  struct tb_reasons_window *window;	/* Whose steps come now.  */
};

void tb_reasons_fini (struct tb_reasons *reasons);

/* Count why before STEP of STATE, which was opened with the option MAKERS, the
   registers REGISTERS (a set as in effect.h; its flags count once) are not known, and
   what is not known of the N ACCESSES, those that tb_state_accesses lists of the
   step.  Between steps of one window of STATE no other window is asked for
   anything.  */
void tb_reasons_add (struct tb_reasons *reasons, struct tb_state *state,
		     uint64_t step, uint64_t registers,
		     const struct tb_access_info *accesses, size_t n);

/* All steps were counted.  */
void tb_reasons_end (struct tb_reasons *reasons);

/* The name of WHY, a word.  */
const char *tb_why_not_name (enum tb_why_not why);

/* The same in words, at most 28 characters.  */
const char *tb_why_not_words (enum tb_why_not why);

#endif /* TB_STATE_EXPLAIN_REASONS_H */
