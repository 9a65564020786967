/* An MTB that a session's input does not name (private to the recording part).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_MTB_H
#define TB_RECORDING_SESSION_MTB_H

#include "decode/mtb/find.h"
#include "recording/session.h"

/* By what packets are known to be some.  */
#define TB_MTB_CHAIN "each of which leads to the next one through the program"

/* Whose they are, if that is not the first thread; a name comes behind it.  */
#define TB_MTB_RAN "; of its threads they lead to the PC of one alone, "

/* The memory of CORE, the first of the threads of a core file or the only one, has at ADDRESS the
   LENGTH bytes of the trace area of an MTB, whose POSITION has the pointer and WRAP.  *RAN is the
   thread that ran: the only one to whose PC the newest packet leads; CORE, if there is none, or
   several.  EFFORT as for tb_mtb_find.  TB_ERR_MEMORY is the only error, said to nobody.  */
enum tb_status tb_session_mtb_thread (const struct tb_session *s,
				      const struct tb_session_core *core, uint64_t address,
				      uint64_t length, uint64_t position,
				      struct tb_mtb_effort *effort,
				      const struct tb_session_core **ran);

/* May several cores of S have an MTB of their own?  */
bool tb_session_has_mtb_cores (const struct tb_session *s);

/* BUFFER of S, of which no file tells what sent it, has the packets of an MTB of CORE that the user
   tells of by TOLD: add that.  TB_ERR_INPUT: it has another size, said to DIAG; TB_ERR_MEMORY is
   said to nobody.  */
enum tb_status tb_session_tell_mtb_buffer (struct tb_session *s,
					   const struct tb_session_core *core,
					   const struct tb_trace_buffer *buffer,
					   const struct tb_mtb_told *told, struct tb_diag *diag);

/* Where the trace buffers of S, which names no source, have packets of an MTB: add that, and tell
   DIAG; or that there are none, if they are EXPECTED.  TB_ERR_MEMORY is the only error, said to
   nobody.  */
enum tb_status tb_session_find_mtb_buffer (struct tb_session *s, bool expected,
					   struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_MTB_H */
