/* Finding where a trace shows that the code in the snapshot is not what ran.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   One fault, wherever it is, makes a whole dump distrusted, and so what is known of any other
   step.  So all of the trace is looked at before anything is said; this can be done in pieces.  */

#ifndef TB_STATE_WINDOW_FAULTS_H
#define TB_STATE_WINDOW_FAULTS_H

#include "state/solver/poll.h"
#include "state/window/trust.h"

struct tb_faults;

/* A search in RECORDING, whose steps are looked at if there are MOST at most.  NULL: no
   memory.  */
struct tb_faults *tb_faults_new (struct tb_recording *recording, uint64_t most);
void tb_faults_free (struct tb_faults *faults);

enum tb_faults_found
{
  TB_FAULTS_FOUND, TB_FAULTS_MORE, TB_FAULTS_NO_MEMORY
};

/* Go on with the search until it is over, or POLL (NULL: nobody asks) is against going on:
   then there is more to do.  */
enum tb_faults_found tb_faults_search (struct tb_faults *faults, struct tb_poll *poll);

/* When it is over: let *TRUST, which is to be freed, have what it found.  */
void tb_faults_take (struct tb_faults *faults, struct tb_trust *trust);

#endif /* TB_STATE_WINDOW_FAULTS_H */
