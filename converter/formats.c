/* What there is to write of an input.  See formats.h and formats.def.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "formats.h"

#include <string.h>

#include "options.h"

enum
{
  STEPS = TRAIT_STEPS, FRAMES = TRAIT_FRAMES, NAMES = TRAIT_NAMES,
  FOLDER = TRAIT_FOLDER, DUMPS = TRAIT_DUMPS, MAKERS = TRAIT_MAKERS, RUN = TRAIT_RUN,
  HISTORIES = TRAIT_HISTORIES, SOFTWARE = TRAIT_SOFTWARE,

  /* Each has what it is made of.  */
  CODE = 1 << GROUP_CODE, TRACE = CODE | 1 << GROUP_TRACE,
  RECORDING = TRACE | 1 << GROUP_RECORDING, CALLS = RECORDING | 1 << GROUP_CALLS,
  MEMORY = 1 << GROUP_MEMORY,
  CERTAIN = CALLS | MEMORY | 1 << GROUP_STATE, STATE = CERTAIN | 1 << GROUP_ASSUMED,
  RANGE = 1 << GROUP_RANGE, FRAME = 1 << GROUP_FRAME,
  SPACE = 1 << GROUP_SPACE, JSON = 1 << GROUP_JSON, CSV = 1 << GROUP_CSV,
  SESSIONS = 1 << GROUP_SESSIONS, POSITIONS = 1 << GROUP_POSITIONS,
  TICKS = 1 << GROUP_TICKS, CYCLES = 1 << GROUP_CYCLES,
  FOLLOW = 1 << GROUP_FOLLOW
};

static const struct format rows[] = {
#define TEXT(function) function, NULL
#define FILES(function) NULL, function
#define FORMAT(name, suffix, makes, traits, takes, help) \
  { name, NULL, suffix, makes, traits, takes, help },
#define LISTING(name, value, suffix, makes, traits, takes, help) \
  { name, value, suffix, makes, traits, takes, help },
#include "formats.def"
};
#define ROWS (sizeof rows / sizeof rows[0])

/* Where --help says what an option does; where, of --format, what a format is.  */
#define HELP_COLUMN 25
#define FORMAT_COLUMN 36

const struct format *
format_number (size_t number)
{
  return number < ROWS ? &rows[number] : NULL;
}

const struct format *
format_find (const char *name)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].value == NULL && strcmp (rows[i].name, name) == 0)
      return &rows[i];
  return NULL;
}

const struct format *
format_of_option (const char *name)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].value != NULL && strcmp (rows[i].name, name) == 0)
      return &rows[i];
  return NULL;
}

const char *
format_lead (const struct format *format)
{
  return format->value == NULL ? "--format=" : "--";
}

/* Write the lines of TEXT from COLUMN on, where the first one already is.  */
static void
put_lines (FILE *out, const char *text, int column)
{
  for (const char *end; (end = strchr (text, '\n')) != NULL; text = end + 1)
    fprintf (out, "%.*s\n%*s", (int) (end - text), text, column, "");
  fprintf (out, "%s\n", text);
}

void
formats_help (FILE *out)
{
  const char *lead = "      --format=FORMAT";
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].value == NULL)
      {
	fprintf (out, "%-*s%-*s", HELP_COLUMN, lead, FORMAT_COLUMN - HELP_COLUMN,
		 rows[i].name);
	put_lines (out, rows[i].help, FORMAT_COLUMN);
	lead = "";
      }
}

void
listings_help (FILE *out)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].value != NULL)
      {
	int width = fprintf (out, "      --%s%s", rows[i].name, rows[i].value);
	/* One space at least, or on a line of its own.  */
	if (width >= HELP_COLUMN)
	  {
	    fputc ('\n', out);
	    width = 0;
	  }
	fprintf (out, "%*s", HELP_COLUMN - width, "");
	put_lines (out, rows[i].help, HELP_COLUMN);
      }
}
