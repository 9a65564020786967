/* What there is to write of an input: the formats, and what has an option of its own.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_FORMATS_H
#define TB_CONVERTER_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "util/status.h"

struct job;
struct tb_outfile;

/* What is true of a format.  */
enum trait
{
  TRAIT_STEPS = 1,		/* It is nothing without traced instructions.  */
  TRAIT_FRAMES = 2,		/* It has frames, of few steps unless told.  */
  TRAIT_NAMES = 4,		/* It calls code by its names.  */
  TRAIT_FOLDER = 8,		/* It is a folder, not a file.  */
  TRAIT_DUMPS = 16,		/* It does not read the trace.  */
  TRAIT_MAKERS = 32,		/* It tells why values are not known.  */
  TRAIT_RUN = 64,		/* It tells of what ran one after the other.  */
  TRAIT_HISTORIES = 128,	/* It draws those of --history.  */
  TRAIT_SOFTWARE = 256		/* Where there is no trace of instructions, it has
				   something of software's.  */
};

/* A row of formats.def.  */
struct format
{
  const char *name;
  const char *value;		/* What --NAME has behind it in --help; NULL: it is
				   asked for by --format=NAME.  */
  const char *suffix;		/* Of files, without the dot.  */
  /* One of these: fill the text OUT; or write files of its own.  */
  enum tb_status (*text) (struct job *job, struct tb_outfile *out);
  enum tb_status (*files) (struct job *job);
  unsigned traits;
  unsigned takes;		/* A bit for each enum group that has an effect.  */
  const char *help;
};

/* The functions of the rows.  */
#define TEXT(function) \
  enum tb_status function (struct job *job, struct tb_outfile *out)
#define FILES(function) enum tb_status function (struct job *job)
#define FORMAT(name, suffix, makes, traits, takes, help) makes;
#define LISTING(name, value, suffix, makes, traits, takes, help) makes;
#include "formats.def"
#undef TEXT
#undef FILES
#undef FORMAT
#undef LISTING

/* Row NUMBER, from 0 on, which is what is written if nothing is asked for; NULL behind
   the last one.  */
const struct format *format_number (size_t number);

/* That of --format=NAME; of option --NAME.  NULL: there is none.  */
const struct format *format_find (const char *name);
const struct format *format_of_option (const char *name);

/* What stands before FORMAT's name where it is asked for: "--format=" or "--".  */
const char *format_lead (const struct format *format);

/* Write the lines of --help: those of --format; of the others' own options.  */
void formats_help (FILE *out);
void listings_help (FILE *out);

#endif /* TB_CONVERTER_FORMATS_H */
