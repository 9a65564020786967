/* The values of options.  See options-values.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/size.h"

_Noreturn void
try_help (void)
{
  fputs ("Try 'tracebridge-convert --help' for more information.\n", stderr);
  exit (EXIT_USAGE);
}

_Noreturn void
usage_error (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  fputs ("tracebridge-convert: ", stderr);
  vfprintf (stderr, format, arguments);
  va_end (arguments);
  fputs ("\n", stderr);
  try_help ();
}

_Noreturn void
usage_expected (const char *name, const char *what, const char *found)
{
  usage_error ("--%s: expected %s, found '%s'", name, what, found);
}

_Noreturn void
usage_no_memory (void)
{
  fputs ("tracebridge-convert: no memory\n", stderr);
  exit (EXIT_FAILED);
}

/* The number TEXT, which is LEAST or more.  */
static uint64_t
parse_at_least (const char *name, const char *text, uint64_t least)
{
  struct tb_buffer said = { 0 };
  uint64_t number = 0;
  if (tb_option_number (name, text, least, &number, &said))
    return number;
  if (said.failed)
    usage_no_memory ();
  usage_error ("%.*s", (int) said.size, (const char *) said.data);
}

uint64_t
parse_number (const char *name, const char *text)
{
  return parse_at_least (name, text, 0);
}

uint64_t
parse_count (const char *name, const char *text)
{
  return parse_at_least (name, text, 1);
}

/* Option NAME has LENGTH characters FOUND in place of one of WORDS.  */
static _Noreturn void
unknown_word (const char *name, const struct tb_word *words, const char *found, int length)
{
  struct tb_buffer list = { 0 };
  tb_words_list (words, &list);
  if (list.failed)
    usage_no_memory ();
  usage_error ("--%s: expected %.*s, found '%.*s'", name, (int) list.size,
	       (const char *) list.data, length, found);
}

int
parse_word (const char *name, const char *text, const struct tb_word *words)
{
  const struct tb_word *word = tb_word_find (words, text);
  if (word == NULL)
    unknown_word (name, words, text, (int) strlen (text));
  return word->value;
}

unsigned
parse_bits (const char *name, const char *text, const struct tb_word *words)
{
  unsigned all = 0;
  const char *wrong;
  int length;
  if (!tb_words_bits (words, text, &all, &wrong, &length))
    unknown_word (name, words, wrong, length);
  return all;
}

/* Is LENGTH what memory is shown of at most, and within the addresses?  */
static bool
is_piece (uint64_t address, uint64_t length)
{
  return length != 0 && length <= 1 << 24 && length - 1 <= UINT64_MAX - address;
}

/* --read=DEVICE:ADDRESS:SIZE; a name may have colons of its own.  */
void
parse_read (struct options *o, char *text)
{
  char *size = strrchr (text, ':'), *address = NULL;
  if (size != NULL)
    {
      *size = 0;
      address = strrchr (text, ':');
    }
  if (address == NULL)
    usage_error ("--read: expected DEVICE:ADDRESS:SIZE");
  *address = 0;
  o->read = (struct read_request) { text, parse_number ("read", address + 1),
				    parse_number ("read", size + 1) };
  if (!is_piece (o->read.address, o->read.length))
    usage_error ("--read: expected 1 to 16777216 bytes that do not go beyond the "
		 "last address");
}

/* --why=STEP:REGISTER  */
void
parse_why (struct options *o, char *text)
{
  char *colon = strchr (text, ':');
  if (colon == NULL || colon[1] == 0)
    usage_error ("--why: expected STEP:REGISTER, STEP:FLAG or "
		 "STEP:ADDRESS[:SIZE]");
  *colon = 0;
  struct why_request *whys = realloc (o->whys, (o->nwhys + 1) * sizeof *whys);
  if (whys == NULL)
    usage_no_memory ();
  o->whys = whys;
  uint64_t step = strcmp (text, "end") == 0 ? UINT64_MAX
					    : parse_number ("why", text);
  whys[o->nwhys++] = (struct why_request) { step, colon + 1 };
}

/* --find=PLACE  */
void
parse_find (struct options *o, const char *text)
{
  struct tb_find_query query;
  if (!tb_find_parse (text, &query))
    {
      struct tb_buffer expected = { 0 };
      tb_find_expected (&expected);
      tb_buffer_append (&expected, "", 1);
      if (expected.failed)
	usage_no_memory ();
      usage_expected ("find", (const char *) expected.data, text);
    }
  struct find_request *finds
    = realloc (o->finds, (o->nfinds + 1) * sizeof *finds);
  if (finds == NULL)
    usage_no_memory ();
  o->finds = finds;
  o->finds[o->nfinds++] = (struct find_request) { query, text };
}

/* --history=EXPRESSION, which only a core gives a meaning.  */
void
add_history (struct options *o, const char *text)
{
  const char **histories = realloc (o->histories,
				    (o->nhistories + 1) * sizeof *histories);
  if (histories == NULL)
    usage_no_memory ();
  o->histories = histories;
  histories[o->nhistories++] = text;
}

/* --memory=auto|all|none|ADDRESS:SIZE  */
void
parse_memory (struct options *o, char *text)
{
  o->memory_auto = strcmp (text, "auto") == 0;
  o->memory_all = strcmp (text, "all") == 0;
  if (o->memory_auto || o->memory_all || strcmp (text, "none") == 0)
    {
      o->nranges = 0;
      return;
    }
  char *colon = strchr (text, ':');
  if (colon == NULL)
    usage_expected ("memory", "auto, all, none or ADDRESS:SIZE", text);
  *colon = 0;
  struct tb_collect_range range = { parse_number ("memory", text),
				    parse_number ("memory", colon + 1) };
  if (!is_piece (range.address, range.length))
    usage_error ("--memory: expected 1 to 16777216 bytes that do not go beyond "
		 "the last address");
  struct tb_collect_range *ranges
    = realloc (o->ranges, (o->nranges + 1) * sizeof *ranges);
  if (ranges == NULL)
    usage_no_memory ();
  o->ranges = ranges;
  ranges[o->nranges++] = range;
}

/* --stack=BYTES  */
void
parse_stack (struct options *o, const char *text)
{
  uint64_t bytes = parse_number ("stack", text);
  if (bytes > 1 << 20)
    usage_error ("--stack: expected at most 1048576 bytes");
  o->collect.limit += bytes > o->collect.stack ? bytes - o->collect.stack : 0;
  o->collect.stack = (unsigned) bytes;
}
