/* The doorman: keeps GDB waiting while what is to be served is opened.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Behind "target remote |" GDB sends its first packet at once, sends it again every
   two seconds until it is acknowledged, and gives up after the fourth.  A
   notification makes it begin to wait anew without sending anything (GDB 13.1,
   remote.c, putpkt_binary); one of a name that it does not know has no other
   effect.  */

#ifndef TB_GDBSTUB_DOORMAN_H
#define TB_GDBSTUB_DOORMAN_H

struct doorman;

/* Send a notification to FD every half second from now on, in a thread of its own.
   NULL: that is not possible, and nobody is kept waiting.  */
struct doorman *doorman_begin (int fd);

/* Send no more; DOORMAN may be NULL.  */
void doorman_end (struct doorman *doorman);

#endif /* TB_GDBSTUB_DOORMAN_H */
