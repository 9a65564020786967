/* Which steps can be reasoned about: those whose code is what ran.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A dump (or a part of an ELF file) that shows in one place not to be the code that
   ran may be wrong in any other, too, and what the trace is followed by then may be
   any code.  So all stretches of the trace, from gap to gap, that run any of it are
   lost; others, which do not, are not.  */

#ifndef TB_STATE_WINDOW_TRUST_H
#define TB_STATE_WINDOW_TRUST_H

#include "recording/recording.h"
#include "state/solver/poll.h"

/* Steps of the window between two gaps.  */
struct tb_stretch
{
  uint64_t first, end;
  uint32_t faults;		/* That the gap at its end tells, in which the decoder lost the
				   way since the code is not what ran.  */
  bool lost;
};

/* Zero-initialise; free with tb_trust_fini.  */
struct tb_trust
{
  struct tb_recording *recording;
  uint64_t base, steps;		/* The window.  */
  struct tb_stretch *stretches;
  size_t count, room;
  bool *distrusted;		/* By region of the memory map.  */
  size_t nregions;
};

void tb_trust_fini (struct tb_trust *trust);

/* Find the stretches of the window of STEPS steps from BASE on.  False: no
   memory.  */
bool tb_trust_init (struct tb_trust *trust, struct tb_recording *recording,
		    uint64_t base, uint64_t steps);

/* Step I, which is STEP, is of code that is not what ran: lose its stretch, and distrust its
   dump; tb_trust_spread loses others.  */
void tb_trust_blame (struct tb_trust *trust, const struct tb_step *step, uint64_t i);

/* Lose the stretches that run what is distrusted, or may, where reading them all would take too
   long.  AT, zero at first, says how far that has come; false: not to the end, as POLL (NULL:
   nobody asks) is against going on.  */
struct tb_trust_spread
{
  size_t stretch;
  uint64_t next;		/* Step of the window.  */
  uint64_t read;		/* Steps.  */
};
bool tb_trust_spread (struct tb_trust *trust, struct tb_trust_spread *at,
		      struct tb_poll *poll);

/* As tb_trust_init of a whole trace, and lose what the decoder's faults, and the steps
   themselves if there are MOST of them at most, show not to be what ran; where they
   cannot be found, everything.  */
#define TB_TRUST_LOOK_MOST (UINT64_C (1) << 24)
bool tb_trust_find_faults (struct tb_trust *trust,
			   struct tb_recording *recording, uint64_t most);

/* As tb_trust_init, and lose everything.  */
bool tb_trust_none (struct tb_trust *trust, struct tb_recording *recording);

/* What WHOLE, of a whole trace, says of the window of STEPS steps from BASE on.
   False: no memory.  */
bool tb_trust_cut (struct tb_trust *trust, const struct tb_trust *whole,
		   uint64_t base, uint64_t steps);

/* Lose stretch NUMBER, and all that run any of its code.  */
void tb_trust_lose (struct tb_trust *trust, size_t number);

/* The same of that with step I.  */
void tb_trust_lose_at (struct tb_trust *trust, uint64_t i);

/* Is step I of a stretch that is lost?  */
bool tb_trust_is_lost (const struct tb_trust *trust, uint64_t i);

/* Is there no gap behind step I?  */
bool tb_trust_reaches_end (const struct tb_trust *trust, uint64_t i);

/* WHOLE, of a whole trace, loses what PART lost, of a window; is that news?  */
bool tb_trust_add (struct tb_trust *whole, const struct tb_trust *part);

/* How many stretches are lost, and in *STEPS how many steps they have.  */
size_t tb_trust_lost (const struct tb_trust *trust, uint64_t *steps);

/* The name of a region that is distrusted, the first; NULL: there is none.  */
const char *tb_trust_name (const struct tb_trust *trust);

/* Is ADDRESS in a dump that shows somewhere not to be what ran?  */
bool tb_trust_distrusts (const struct tb_trust *trust, enum tb_space space,
			 uint64_t address);

/* INFO is about the steps of the window; the bits MASK of each are the number of a
   template, of which there are COUNT and COUNT twins behind them, one each, that
   say that nothing is known of the instruction.  Put the twins where a stretch is
   lost, the others elsewhere.  */
void tb_trust_apply (const struct tb_trust *trust, uint32_t *info,
		     uint32_t mask, size_t count);

#endif /* TB_STATE_WINDOW_TRUST_H */
