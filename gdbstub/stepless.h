/* What software and the DWT said of a core of which there is no trace of instructions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Such a core has no steps at which it was said: it has a number, by the order in which it
   was, and the time that the trace tells.  Each question reads the trace anew.  */

#ifndef TB_GDBSTUB_STEPLESS_H
#define TB_GDBSTUB_STEPLESS_H

#include "monitor.h"

/* Answer CALL with what was said from number FROM to number TO.  */
void stepless_software (const struct monitor_call *call, uint64_t from, uint64_t to);

/* Answer CALL with the exceptions that the DWT tells of, from the number that is its second word
   on.  False: its words are wrong.  */
bool stepless_exceptions (const struct monitor_call *call);

#endif /* TB_GDBSTUB_STEPLESS_H */
