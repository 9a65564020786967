/* A log that contradicts its instructions: how long the value of a line holds.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Such a log need not have a line for what an instruction writes.  So a line's value
   holds up to the next instruction that may write the register and has no line of it,
   or the next event that may: behind that it is not known until a line tells it again.
   What an instruction does not write stays.  */

#ifndef TB_STATE_EVIDENCE_LOG_DOUBT_H
#define TB_STATE_EVIDENCE_LOG_DOUBT_H

#include "recording/facts.h"
#include "state/evidence/log.h"

/* The registers of the facts of LOG, of a core as PROFILE says, in their order, with no
   more known of each than so.  Values are LOG's.  NULL: no memory.  */
struct tb_facts_register *tb_log_doubt (const struct tb_state_log *log,
					const struct tb_profile *profile);

/* Free such REGISTERS of FACTS; NULL does nothing.  */
void tb_log_doubt_free (const struct tb_columns *facts,
			struct tb_facts_register *registers);

#endif /* TB_STATE_EVIDENCE_LOG_DOUBT_H */
