/* Options that several programs have alike: what is read, and how what it does not say is
   worked out.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A program puts their rows into its table for getopt_long, and hands on what it finds.
   What an option has an effect on each program says itself (util/option-rules.h).  */

#ifndef TB_OPTIONS_SHARED_H
#define TB_OPTIONS_SHARED_H

#include <getopt.h>

#include "recording/index-store.h"
#include "recording/session.h"
#include "util/buffer.h"
#include "util/words.h"

/* The most threads.  */
#define TB_JOBS_MOST 256

struct tb_shared_options
{
  const char *core, *source, *buffer;	/* NULL: not chosen.  */
  struct tb_session_options session;
  bool accept_elf;		/* ELF files are used even if other code ran.  */
  unsigned jobs;		/* Threads; 0: not told.  */
  enum tb_index_place index;
  const char *index_file;	/* TB_INDEX_FILE  */
  uint64_t index_block;		/* Bytes; 0: not told.  */
  unsigned assume;		/* TB_ASSUME_...  */
  unsigned doubt;		/* TB_PREMISE_...  */
  unsigned start;		/* TB_START_...  */
  enum tb_space space;		/* ANY: as the core was at the halt.  */
  uint64_t window;		/* Steps that are worked out together; 0: the default.  */
  uint64_t memory;		/* --memory-limit, bytes; 0: not told.  */
  uint64_t seconds;		/* --time-limit; 0: none.  */
  const char *format_option;	/* What the user calls TB_OPTION_RAW_FORMAT; NULL: "raw-format".  */
};

/* What getopt_long returns for them; a program's own are below.  */
enum
{
  TB_OPTION_CORE = 1024, TB_OPTION_SOURCE, TB_OPTION_BUFFER, TB_OPTION_ELF,
  TB_OPTION_ACCEPT_ELF, TB_OPTION_SVD, TB_OPTION_TDESC, TB_OPTION_CORE_TYPE,
  TB_OPTION_SYSROOT, TB_OPTION_MTB, TB_OPTION_FREQUENCY, TB_OPTION_LOCAL, TB_OPTION_CYCLES,
  TB_OPTION_ALIGNED, TB_OPTION_OUTSIDE,
  TB_OPTION_VOLATILE, TB_OPTION_PRIVATE, TB_OPTION_START, TB_OPTION_SPACE,
  TB_OPTION_ASSUME, TB_OPTION_DOUBT, TB_OPTION_WINDOW, TB_OPTION_JOBS, TB_OPTION_INDEX,
  TB_OPTION_INDEX_BLOCK, TB_OPTION_MEMORY_LIMIT, TB_OPTION_TIME_LIMIT, TB_OPTION_RECORDINGS,
  TB_OPTION_PROTOCOL, TB_OPTION_RAW_TRACE, TB_OPTION_RAW_FORMAT
};

/* Rows of a table for getopt_long: of all that reads any INPUT, and of what a recording
   and its state are worked out by.  */
#define TB_OPTIONS_OF_INPUT \
  { "elf", required_argument, NULL, TB_OPTION_ELF }, \
  { "core-type", required_argument, NULL, TB_OPTION_CORE_TYPE }, \
  { "sysroot", required_argument, NULL, TB_OPTION_SYSROOT }, \
  { "protocol", required_argument, NULL, TB_OPTION_PROTOCOL }, \
  { "mtb", required_argument, NULL, TB_OPTION_MTB }, \
  { "memory-limit", required_argument, NULL, TB_OPTION_MEMORY_LIMIT }, \
  { "time-limit", required_argument, NULL, TB_OPTION_TIME_LIMIT }
/* Of trace buffers beside the input (snapshot/beside.h).  tracebridge-snapshot calls these "trace"
   and "format", which the others have for what they write.  */
#define TB_OPTIONS_OF_BYTES \
  { "raw-trace", required_argument, NULL, TB_OPTION_RAW_TRACE }, \
  { "raw-format", required_argument, NULL, TB_OPTION_RAW_FORMAT }
#define TB_OPTIONS_OF_STATE \
  { "core", required_argument, NULL, TB_OPTION_CORE }, \
  { "recordings", required_argument, NULL, TB_OPTION_RECORDINGS }, \
  { "source", required_argument, NULL, TB_OPTION_SOURCE }, \
  { "buffer", required_argument, NULL, TB_OPTION_BUFFER }, \
  { "accept-elf", no_argument, NULL, TB_OPTION_ACCEPT_ELF }, \
  { "svd", required_argument, NULL, TB_OPTION_SVD }, \
  { "tdesc", required_argument, NULL, TB_OPTION_TDESC }, \
  { "timestamp-frequency", required_argument, NULL, TB_OPTION_FREQUENCY }, \
  { "local-frequency", required_argument, NULL, TB_OPTION_LOCAL }, \
  { "core-frequency", required_argument, NULL, TB_OPTION_CYCLES }, \
  { "itm-aligned", no_argument, NULL, TB_OPTION_ALIGNED }, \
  { "allow-outside", no_argument, NULL, TB_OPTION_OUTSIDE }, \
  { "volatile", required_argument, NULL, TB_OPTION_VOLATILE }, \
  { "private", required_argument, NULL, TB_OPTION_PRIVATE }, \
  { "start", required_argument, NULL, TB_OPTION_START }, \
  { "space", required_argument, NULL, TB_OPTION_SPACE }, \
  { "assume", required_argument, NULL, TB_OPTION_ASSUME }, \
  { "doubt", required_argument, NULL, TB_OPTION_DOUBT }, \
  { "window", required_argument, NULL, TB_OPTION_WINDOW }, \
  { "jobs", required_argument, NULL, TB_OPTION_JOBS }, \
  { "index", required_argument, NULL, TB_OPTION_INDEX }, \
  { "index-block", required_argument, NULL, TB_OPTION_INDEX_BLOCK }

/* What became of an option.  */
enum tb_option_fate
{
  TB_OPTION_NOT_SHARED,		/* It is none of these.  */
  TB_OPTION_TAKEN,
  TB_OPTION_WRONG,		/* SAID is what is wrong, a line without its end.  */
  TB_OPTION_LISTED		/* SAID is a list that was asked for, to be printed.  */
};

/* Take the option VALUE of getopt_long with its ARGUMENT, which must last and may be
   changed, into OPTIONS (to be freed with tb_shared_options_fini).  SAID may have failed
   for want of memory, whatever is returned.  */
enum tb_option_fate tb_shared_option_take (struct tb_shared_options *options, int value,
					   char *argument, struct tb_buffer *said);

/* What excludes each other of OPTIONS, in words that are not to be freed; NULL: nothing.  */
const char *tb_shared_options_clash (const struct tb_shared_options *options);

void tb_shared_options_fini (struct tb_shared_options *options);

/* Parse TEXT, of option NAME, a number, decimal or hexadecimal with 0x, that is LEAST or
   more.  False: SAID is what is wrong.  */
bool tb_option_number (const char *name, const char *text, uint64_t least,
		       uint64_t *number, struct tb_buffer *said);

/* Threads of a program that was not told how many (TB_JOBS_MOST at most).  */
unsigned tb_jobs_default (void);

/* May OPTIONS have the trace buffers beside the input that they have, there being several inputs if
   MANY?  Else SAID is what is wrong.  */
bool tb_shared_options_check (const struct tb_shared_options *options, bool many,
			      struct tb_buffer *said);

/* The words of --assume.  */
extern const struct tb_word tb_assumption_words[];

#endif /* TB_OPTIONS_SHARED_H */
