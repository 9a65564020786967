/* The names of a core's code, from the ELF files that the options give.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_NAMES_H
#define TB_CONVERTER_NAMES_H

#include "convert.h"
#include "snapshot/symbols.h"
#include "state/answer/level-sp.h"

/* The symbols of CORE: of the --elf files that are for it, and of files that perf saw
   mapped.  NULL after a diagnostic; free
   with tb_symbols_free.  */
struct tb_symbols *job_symbols (struct job *job,
				const struct tb_session_core *core);

/* The tasks of a recording, found when they are asked for first.  */
struct found_tasks
{
  struct job *job;
  const struct tb_session_core *core;
  struct tb_recording *recording;
  struct tb_symbols *symbols;
  struct tb_tasks *tasks;	/* NULL: not yet, or no memory.  */
};

/* Those of FOUND, a struct found_tasks of which the first three members are set and the
   others NULL (a tb_moment_tasks).  */
const struct tb_tasks *job_find_tasks (void *found);
void job_forget_tasks (struct found_tasks *found);

/* A recording with the names of its code.  */
struct named_recording
{
  const struct tb_session_stream *stream;
  struct tb_symbols *symbols;
  struct tb_recording *recording;
  struct tb_level_sp *sp;	/* For levels.  */
  struct tb_tasks *tasks;	/* For levels, too.  */
  const char *core;		/* Its name; "" for that without one.  */
  bool several;			/* More than one is wanted.  */
};

/* Call WRITE for each recording that is wanted, to write it to OUT.  LEVELS: it asks for
   levels.  */
enum tb_status job_each_named
  (struct job *job, FILE *out, bool levels,
   enum tb_status (*write) (struct job *job,
			    const struct named_recording *named, FILE *out));

#endif /* TB_CONVERTER_NAMES_H */
