/* Trace frames of all cores of a client, by one count.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A trace frame is of one core, and while GDB looks at one all threads show that core, as
   GDB's trace frames have registers and no threads.  With one core they count as that
   core's do.  With several they are in the order of time (together.h); those of cores of
   which no time is known follow, core by core.  */

#ifndef TB_GDBSTUB_FRAMES_H
#define TB_GDBSTUB_FRAMES_H

#include "client.h"

/* How many there are.  */
uint64_t frames_count (struct client *client);

/* Which of the frames of thread *CORE number NUMBER, which exists, is.  */
void frames_at (struct client *client, uint64_t number, size_t *core,
		uint64_t *local);

/* Look at number NUMBER, which exists, or at none.  */
void frames_look (struct client *client, uint64_t number);
void frames_leave (struct client *client);

/* Where there is no run of GDB's: the number of the first frame of thread CORE whose number
   is FROM or more, among that thread's, and the number of frame LOCAL of it.  */
uint64_t frames_first (struct client *client, size_t core, uint64_t from);
uint64_t frames_number (struct client *client, size_t core, uint64_t local);

/* The number of the frame of STEP of the core that CLIENT looks at; false: there is none, as in a
   run that GDB made, whose frames are those of its tracepoints.  */
bool frames_find (struct client *client, uint64_t step, uint64_t *number);

/* The number of a frame of where the execution of the core that CLIENT looks at stands, for the
   project's commands for GDB; in a run that GDB made it is FRAMES_HERE, a frame besides those that
   count.  False: there is none.  */
bool frames_here (struct client *client, uint64_t *number);
#define FRAMES_HERE INT32_MAX

/* Look at FRAMES_HERE; false: there is no run that GDB made.  */
bool frames_look_here (struct client *client);

/* The frames of GDB's runs are others now.  */
void frames_outdated (struct client *client);

#endif /* TB_GDBSTUB_FRAMES_H */
