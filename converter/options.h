/* The command line of tracebridge-convert.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_OPTIONS_H
#define TB_CONVERTER_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "formats.h"
#include "frame/choose.h"
#include "frame/collect.h"
#include "frame/request-file.h"
#include "options/shared.h"
#include "recording/find.h"
#include "util/option-rules.h"

/* Exit statuses, as --help documents them.  */
enum
{
  EXIT_DONE = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
  EXIT_TRACE_ERRORS = 3		/* Only with --strict.  */
};

/* What --debug shows beside TB_DUMP_... (state/explain/dump.h): slices of tasks.  */
enum { DEBUG_TASKS = 1 << 8 };

/* Options that not everything takes.  */
enum group
{
  GROUP_TRACE,			/* What trace is read.  */
  GROUP_CODE,			/* What code and memory there is.  */
  GROUP_RECORDING,		/* How a recording is made of it.  */
  GROUP_CALLS,			/* How SP is worked out, to tell calls of tasks
				   apart.  */
  GROUP_RANGE,			/* Which steps.  */
  GROUP_FRAME,			/* What frames have.  */
  GROUP_STATE,			/* How the state is worked out.  */
  GROUP_MEMORY,			/* What may be kept in memory.  */
  GROUP_ASSUMED,		/* What is assumed of it.  */
  GROUP_SPACE,			/* What the dumps are looked at from.  */
  GROUP_JSON,
  GROUP_CSV,
  GROUP_SESSIONS,		/* Buffers as captures of one unit.  */
  GROUP_POSITIONS,		/* Where in the buffer.  */
  GROUP_TICKS,			/* What narrows when software said something.  */
  GROUP_CYCLES,			/* What narrows when steps ran.  */
  GROUP_FOLLOW,			/* It can be told while the input grows.  */
  GROUPS
};

/* --read=DEVICE:ADDRESS:SIZE  */
struct read_request
{
  const char *device;		/* NULL: not asked for.  */
  uint64_t address, length;
};

/* --find=PLACE  */
struct find_request
{
  struct tb_find_query query;
  const char *text;
};

/* --why=STEP:REGISTER  */
struct why_request
{
  uint64_t step;		/* UINT64_MAX: the end.  */
  const char *name;
};

/* Many inputs, and where their outputs go.  */
struct batch_options
{
  const char *directory;	/* --output-dir; NULL: no batch.  */
  const char *name;		/* --name: %p and %n stand for what an input is
				   called.  */
  const char **lists;		/* --from-list: files with a path a line.  */
  size_t nlists;
  unsigned shard, shards;	/* --shard: this one, from 1 on, of so many.  */
  bool force;
};

/* --trace and --trace-file, in their order.  */
struct trace_options
{
  struct trace_option
  {
    bool is_file;
    struct tb_request request;
    struct tb_request_file file;
  } *items;
  size_t count, capacity;
};

struct options
{
  const struct format *format;	/* What is written.  */
  const struct format *other;	/* And what else was asked for, which is wrong.  */
  bool report;			/* By --report, with the name of the output.  */
  const char *output;		/* NULL: the default.  */
  /* Of a batch, each process has the time, and all together have the memory.  */
  struct tb_shared_options shared;
  struct read_request read;
  struct why_request *whys;
  size_t nwhys;
  struct find_request *finds;
  size_t nfinds;
  const char **histories;	/* --history=EXPRESSION  */
  size_t nhistories;
  unsigned debug;		/* TB_DUMP_... (state/explain/dump.h), DEBUG_TASKS.  */
  const char *check;		/* --check-against: a log; NULL: none.  */
  bool sessions;		/* All buffers as captures of the first one's
				   sources.  */
  bool positions;		/* Elements with their bytes in the buffer.  */
  bool strict, quiet, verbose, json, csv;
  bool follow;			/* The input grows: it is told as it does, ...  */
  uint64_t idle;		/* ... until nothing came for so many seconds; 0: for ever.  */
  struct tb_choose_options choose;
  struct tb_collect_options collect;
  /* --memory: what every frame gets beside the default.  */
  struct tb_collect_range *ranges;
  size_t nranges;
  bool memory_auto;		/* Of what the dumps have what is most of use, if it
				   is little.  */
  bool memory_all;		/* All that the dumps have.  */
  char **inputs;
  int ninputs;
  char **arguments;		/* Those of files (@FILE) too; NULL: there are none.  */
  struct batch_options batch;
  const char *output_base;	/* In a batch: path of the outputs of the one input,
				   without suffix.  */
  struct trace_options traces;
  struct tb_options_given given;	/* By the rules in options-check.c.  */
  uint64_t hash;		/* Of the version and of all options that shape an
				   output.  */
};

/* Parse the command line into OPTIONS (to be freed with options_fini); or print
   help, the version or what is wrong, and exit.  */
void options_parse (struct options *options, int argc, char **argv);
void options_fini (struct options *options);

/* Is the input told as it grows?  */
bool options_follow (const struct options *options);

/* Tell of each option that was given and has no effect on what is written.  For all
   inputs; or, IS_SNAPSHOT, of those that only logs take, for one that is none.  */
void options_tell (const struct options *options, bool is_snapshot,
		   struct tb_diag *diag);

/* Write what --help prints (help.c).  */
void options_help (FILE *out);

#endif /* TB_CONVERTER_OPTIONS_H */
