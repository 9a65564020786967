/* The command line of tracebridge-gdbstub.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_OPTIONS_H
#define TB_GDBSTUB_OPTIONS_H

#include <stdbool.h>

#include "client.h"
#include "confine.h"
#include "options/shared.h"
#include "transport.h"
#include "util/option-rules.h"

/* Exit statuses, as --help documents them.  */
enum
{
  EXIT_DONE = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2
};

/* What --threads chooses, besides cores that have a place of their own: bits.  */
enum
{
  THREADS_CORES = 1,		/* Those of one target.  */
  THREADS_TASKS = 2,
  THREADS_AUTO = 4		/* Cores at standard input; tasks of recordings that are soon
				   looked through.  */
};

/* What --idle-limit is without that option: a day.  */
#define IDLE_SECONDS 86400

struct options
{
  struct address listen;
  struct tb_shared_options shared;
  uint64_t ahead;		/* Steps to work out while GDB asks nothing.  */
  enum unknown_policy policy;
  unsigned threads;		/* What the threads of a connection are: THREADS_...  */
  enum confine_mode confine;
  uint64_t idle;		/* --idle-limit, seconds; 0: none.  */
  bool once, quiet, verbose;
  struct tb_options_given given;	/* By the rules in options-check.c.  */
  const char *input;
  char **arguments;		/* Those of files (@FILE) too; NULL: there are none.  */
};

extern const char options_help[];

/* Parse the command line into OPTIONS (to be freed with options_fini); or print
   help, the version or what is wrong, and exit.  */
void options_parse (struct options *options, int argc, char **argv);
void options_fini (struct options *options);

/* Note that the option NAME was given; find one that was given twice and counts once
   (NULL: none); and tell of each that has no effect.  HAS_TRACE: a core with trace is
   served.  */
void options_note (struct options *options, const char *name);
const char *options_repeated (const struct options *options);
void options_tell (const struct options *options, bool has_trace,
		   struct tb_diag *diag);

/* The policy, the mode called NAME, the threads of NAMES; false: there is none.  */
bool policy_parse (const char *name, enum unknown_policy *policy);
bool confine_parse (const char *name, enum confine_mode *mode);
bool threads_policy_parse (const char *names, unsigned *policy);
const char *policy_name (enum unknown_policy policy);

#endif /* TB_GDBSTUB_OPTIONS_H */
