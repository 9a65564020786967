/* The histories that --history asks for, for whoever writes them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_HISTORIES_H
#define TB_CONVERTER_HISTORIES_H

#include "convert.h"
#include "frame/history.h"
#include "names.h"

/* Who is told of them; what returns false ends the telling: OUT failed, or no memory.  */
struct history_teller
{
  /* VARIABLES, which live until END, name functions.  */
  bool (*begin) (void *context, const char *expression, struct tb_variables *variables);
  bool (*take) (void *context, const struct tb_history_change *change,
		const struct tb_type *type);
  bool (*end) (void *context, const struct tb_history_missed *missed);
  void *context;
  FILE *out;
};

/* Tell TELLER of each expression of --history, one after the other, over the steps of CHOICE.  */
enum tb_status tell_histories (struct job *job, const struct named_recording *named,
			       const struct tb_choice *choice,
			       const struct history_teller *teller);

/* Write them to OUT as a member of a report's JSON.  */
enum tb_status report_histories (struct job *job, const struct named_recording *named,
				 FILE *out);

#endif /* TB_CONVERTER_HISTORIES_H */
