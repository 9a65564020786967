/* What a state is worked out from, by rank, and what is given up of it where it
   contradicts itself.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The trace's path is taken for true.  All else may be wrong: what its data tell
   (data-doubt.h), a dump may be a device's, the halt may be of another moment, a log may
   leave lines out, and the code in the snapshot may not be what ran.  evidence.c has the
   one list of these, the weakest first; a contradiction costs the weakest one that it goes
   away without.  */

#ifndef TB_STATE_EVIDENCE_EVIDENCE_H
#define TB_STATE_EVIDENCE_EVIDENCE_H

#include "state/window/internal.h"

/* A contradiction that is being resolved.  */
struct tb_contradiction
{
  struct tb_state *s;		/* The window that was solved and has it.  */
  struct tb_diag *diag;
  bool resolved;		/* What was given up was what it takes.  */

  /* Of one window alone: the halt as it was before anything was given up, and whether
     it is given up.  */
  enum tb_halt untried;
  bool no_halt;
  bool tried_devices;
  bool told_of_data;		/* That data trace contradicts the path.  */

  /* Of one of several windows: */
  struct tb_state *home;	/* The last one.  */
  bool *more;			/* Set if others must be solved again.  */
  bool looked;			/* The following are known.  */
  bool own;			/* S contradicts itself, whatever its neighbours
				   know.  */
  bool past;			/* Else: what the window before it knows.  */
};

/* Solve S; on ARMv7-M, where that leads to a contradiction, with frames that are not
   aligned.  False: no memory.  */
bool tb_evidence_solve (struct tb_state *s);

/* S contradicts itself without the halt: lose the code that does, see trust.h.
   False: no memory.  */
bool tb_evidence_lose_code (struct tb_state *s, struct tb_diag *diag);

/* The same where S contradicts its neighbours: of the stretch between them.  */
bool tb_evidence_lose_border (struct tb_contradiction *c);

/* What all windows of HOME have lost; NULL: no memory.  */
struct tb_trust *tb_evidence_all_trust (struct tb_state *home);

/* Put into *TRUST, which is zero, what the whole of RECORDING shows not to be what ran, as OPTIONS
   say; it stays zero where nothing does.  False: no memory.  */
bool tb_evidence_find_faults (struct tb_recording *recording,
			      const struct tb_state_options *options,
			      struct tb_trust *trust);

/* Nothing of S is worked out.  False: no memory.  */
bool tb_evidence_give_up (struct tb_state *s);

/* Say what of the code of a whole trace was found not to be what ran.  */
void tb_evidence_say_lost (const struct tb_trust *trust, struct tb_diag *diag,
			   const char *why);

/* Say that the halt is not used; S was solved without it.  */
void tb_evidence_say_halt (struct tb_state *s, struct tb_diag *diag);

/* S says of a start what it uses of it, with A64 code, too.  */
void tb_evidence_set_start (struct tb_state *s, unsigned start);

/* S, one of several windows, of which HOME is the last one, has been solved and
   contradicts itself, or what its neighbours know: give up what does not hold.
   *MORE is set if others must be solved again, without it.  False: no memory.  */
bool tb_evidence_weigh_windows (struct tb_state *s, struct tb_state *home,
				bool *more, struct tb_diag *diag);

#endif /* TB_STATE_EVIDENCE_EVIDENCE_H */
