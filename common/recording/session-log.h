/* Sessions of a log, or of a trace file, in place of hardware trace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A log alone is shown like a snapshot that has a core and a trace source for each core
   of the log.  A snapshot without trace may have a log beside it,
   named tarmac.log, of the cores that it has; the two belong together, whichever of
   them is asked for.

   A trace file of GDB is shown like the log of a core whose instructions are those at
   which something was collected, with a gap between each two.  */

#ifndef TB_RECORDING_SESSION_LOG_H
#define TB_RECORDING_SESSION_LOG_H

#include "recording/session.h"
#include "recording/tarmac.h"
#include "recording/trace-file.h"

struct tb_session_log
{
  /* Of a trace file only the path, its size and the one core.  */
  struct tb_tarmac_log tarmac;
  struct tb_trace_file file;	/* Path NULL: it is no trace file.  */
  bool asked_for;		/* By its own name, not by that of a snapshot.  */
  struct tb_device *devices;	/* Of the cores, then of the sources.  */
  struct tb_trace_buffer buffer;
  char *directory;
  char **names;			/* Of the sources.  */
  uint8_t **code;		/* The code that the log shows, a piece each.  */
  size_t ncode, code_room;
};

/* Is PATH to be read as a log?  */
bool tb_session_is_log (const char *path);

/* Is PATH a trace file of GDB?  */
bool tb_session_is_trace_file (const char *path);

/* The trace file that SESSION is of; NULL: it is of something else.  */
const struct tb_trace_file *tb_session_trace_file (const struct tb_session *session);

/* Read the log or trace file PATH, as OPTIONS say, which may be NULL, into SESSION->log and
   make the snapshot that it looks like.  */
enum tb_status tb_session_log_open (struct tb_session *session,
				    const char *path,
				    const struct tb_session_options *options,
				    struct tb_diag *diag);

/* Read the log that lies beside SESSION's snapshot, if there is one and no trace;
   ASKED_FOR: by its own name.  */
enum tb_status tb_session_log_beside (struct tb_session *session,
				      bool asked_for,
				      const struct tb_session_options *options,
				      struct tb_diag *diag);
void tb_session_log_close (struct tb_session *session);

/* May the log PATH be that of a snapshot that it lies beside?  That one's folder into
   DIRECTORY, of SIZE bytes.  */
bool tb_session_log_has_snapshot (const char *path, char *directory,
				  size_t size);

/* Has SESSION, of a log beside a snapshot, a core for each one of the log?  */
bool tb_session_log_fits (const struct tb_session *session);

/* What the log says of DEVICE, a core; NULL: nothing.  */
const struct tb_columns *tb_session_log_facts (const struct tb_session *session,
					     const struct tb_device *device);

/* The source of FACTS.  */
const struct tb_device *
tb_session_log_source (const struct tb_session *session,
		       const struct tb_columns *facts);

/* Take the instructions that FACTS, of a trace file, have no opcodes of from MAP, the memory
   of its core.  */
void tb_session_log_read_code (struct tb_session *session, const struct tb_columns *facts,
			       const struct tb_memmap *map);

/* Add the code that FACTS show to MAP.  */
enum tb_status tb_session_log_map (struct tb_session *session,
				   const struct tb_columns *facts,
				   struct tb_memmap *map,
				   struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_LOG_H */
