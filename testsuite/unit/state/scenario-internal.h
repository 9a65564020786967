/* What the files of scenarios share.  See scenario.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_SCENARIO_INTERNAL_H
#define TB_UNIT_SCENARIO_INTERNAL_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fake-recording.h"
#include "scenario.h"

#define NAMES 64
#define BYTES 2048

struct name
{
  char text[32];
  uint64_t value;
};

/* A scenario that is being run.  */
#define SCENARIO_OBJECTS 4

struct scenario
{
  const char *path;
  unsigned line;		/* Where we are, for messages.  */
  char name[64], variant[32];
  struct tb_recording *f;
  struct tb_state *state;	/* Once something is expected.  */
  bool is_a64;
  uint64_t window;		/* Not 0: once more, in windows of so many steps,
				   which may know less, but nothing else.  */
  unsigned warnings;		/* That are expected.  */
  uint8_t bytes[FAKE_REGIONS][BYTES];
  uint64_t at;			/* Where the next opcode goes.  */
  struct tb_extents volatiles, shared, privates;
  struct tb_elf_object objects[SCENARIO_OBJECTS];
  struct name names[NAMES];
  unsigned nnames;
};

/* Say what is wrong in the line at hand, and end.  */
_Noreturn void scenario_bad (const struct scenario *s, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Count a check; if it is not OK, say what the line at hand led to.  */
void scenario_expect (const struct scenario *s, bool ok, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* The number that TEXT is.  */
uint64_t scenario_number (const struct scenario *s, const char *text);

/* Is WHAT so before, or AFTER, STEP?  Its words are taken apart in place.  */
void scenario_expect_one (const struct scenario *s, uint64_t step, bool after,
			  char *what);

/* Are the registers and flags that the instruction of STEP "reads", "writes" or
   "may-write", as WHICH says, those of NAMES, which is taken apart in place?  */
void scenario_expect_effect (const struct scenario *s, uint64_t step,
			     const char *which, char *names);

/* Behind the blanks at TEXT.  */
const char *scenario_blanks (const char *text);

/* The word at *TEXT, which is moved behind it, into WORD of SIZE characters.  False: none
   is left.  */
bool scenario_next_word (const char **text, char *word, size_t size);

/* The number that the next word at *TEXT is.  */
uint64_t scenario_next_number (const struct scenario *s, const char **text);

/* If TEXT begins with a name and a colon, that is VALUE.  Returns what is behind.  */
const char *scenario_named (struct scenario *s, const char *text, uint64_t value);

/* The place of WORD in the NULL-terminated NAMES.  */
unsigned scenario_choice (const struct scenario *s, const char *word,
			  const char *const *names);

/* Take in TEXT, a line of a path.  */
void scenario_path (struct scenario *s, const char *text);

#endif /* TB_UNIT_SCENARIO_INTERNAL_H */
