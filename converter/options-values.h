/* The values of options, and what is said of wrong ones.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_OPTIONS_VALUES_H
#define TB_CONVERTER_OPTIONS_VALUES_H

#include "options.h"

/* Say how to get help, exit.  */
_Noreturn void try_help (void);

/* Say what is wrong with the command line and how to get help, exit.  */
_Noreturn void usage_error (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

/* The same: option NAME needs WHAT, and has FOUND.  */
_Noreturn void usage_expected (const char *name, const char *what,
			       const char *found);

_Noreturn void usage_no_memory (void);

/* The value of TEXT of option NAME among WORDS, ended by a NULL name; the bits of
   all that the comma separated TEXT lists.  */
int parse_word (const char *name, const char *text, const struct tb_word *words);
unsigned parse_bits (const char *name, const char *text, const struct tb_word *words);

/* The number TEXT of option NAME, decimal or 0x-hexadecimal; one that is not 0.  */
uint64_t parse_number (const char *name, const char *text);
uint64_t parse_count (const char *name, const char *text);

/* Of single options.  TEXT must last, and may be changed.  */
void parse_read (struct options *o, char *text);
void parse_why (struct options *o, char *text);
void parse_find (struct options *options, const char *text);
void add_history (struct options *o, const char *text);
void parse_memory (struct options *o, char *text);
void parse_stack (struct options *o, const char *text);

/* --trace=TEXT, --trace-file=FILE; and free them.  */
void parse_trace (struct options *o, const char *text);
void parse_trace_file (struct options *o, const char *path);
void options_fini_traces (struct options *o);

/* Parts of a batch.  False: it means nothing.  */
bool parse_shard (struct batch_options *batch, const char *text);
bool add_input_list (struct batch_options *batch, const char *path);

/* Note that the option NAME was given.  */
void options_note (struct options *o, const char *name);

/* Do the options go together?  Else says so and exits.  For --report before it
   becomes a format and an output.  */
void options_check_report (const struct options *o);
void options_check (const struct options *o);

#endif /* TB_CONVERTER_OPTIONS_VALUES_H */
