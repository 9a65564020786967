/* GDB's "monitor": verbs beyond what packets can say.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_MONITOR_H
#define TB_GDBSTUB_MONITOR_H

#include "client.h"

#define MONITOR_WORDS 64

/* A command as typed.  */
struct monitor_call
{
  struct client *client;
  const char *words[MONITOR_WORDS];	/* The verb first.  */
  unsigned count;
};

/* One verb.  RUN prints what it has to say; false: the words after the verb are
   wrong, and its usage is shown.  */
struct monitor_verb
{
  const char *name;
  const char *usage;		/* The words after it.  */
  const char *summary;		/* A sentence.  */
  bool (*run) (const struct monitor_call *call);
};

/* The tables, each ended by a NULL name.  */
extern const struct monitor_verb verbs_run[];
extern const struct monitor_verb verbs_goto[];
extern const struct monitor_verb verbs_exceptions[];
extern const struct monitor_verb verbs_trace[];
extern const struct monitor_verb verbs_device[];
extern const struct monitor_verb verbs_svd[];
extern const struct monitor_verb verbs_why[];
extern const struct monitor_verb verbs_calls[];
extern const struct monitor_verb verbs_software[];
extern const struct monitor_verb verbs_find[];
extern const struct monitor_verb verbs_handlers[];
extern const struct monitor_verb verbs_tasks[];
extern const struct monitor_verb verbs_history[];
extern const struct monitor_verb verbs_values[];

/* Print on GDB's console.  */
void monitor_print (const struct monitor_call *call, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Print where the client's cursor is.  */
void monitor_show_place (const struct monitor_call *call);

/* Append "step NUMBER", its time if it has one and, with PLACE, the function and the line or
   the address.  */
void monitor_append_step (const struct monitor_call *call, struct tb_buffer *line,
			  uint64_t number, bool place);

/* The number that TEXT is, decimal or 0x-hexadecimal; false: none.  */
bool monitor_number (const char *text, uint64_t *value);

#endif /* TB_GDBSTUB_MONITOR_H */
