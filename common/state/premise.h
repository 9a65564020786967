/* Premises: what certain knowledge takes for granted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   One table (premise.c) has them all.  A premise that is doubted (struct
   tb_state_options) is not relied on anywhere: what rests on it is unknown.  */

#ifndef TB_STATE_PREMISE_H
#define TB_STATE_PREMISE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buffer.h"

/* A bit each, in the order of the table.  */
enum
{
  TB_PREMISE_CODE = 1 << 0,		/* dump-is-code  */
  TB_PREMISE_HALT = 1 << 1,		/* ends-at-halt  */
  TB_PREMISE_READ_ONLY = 1 << 2,	/* read-only  */
  TB_PREMISE_LITERALS = 1 << 3,		/* literals  */
  TB_PREMISE_NO_WRITER = 1 << 4,	/* no-other-writer  */
  TB_PREMISE_DUMPED_RAM = 1 << 5,	/* dumps-are-ram  */
  TB_PREMISE_ONE_ADDRESS = 1 << 6,	/* one-address  */
  TB_PREMISE_FRAMES_FIT = 1 << 7,	/* frames-fit  */
  TB_PREMISE_FRAMES_ALIGNED = 1 << 8,	/* frames-aligned  */
  TB_PREMISE_UNSEEN = 1 << 9,		/* unseen-code  */
  TB_PREMISE_ENDIAN = 1 << 10,		/* little-endian  */
  TB_PREMISE_UNIT = 1 << 11,		/* unit-settings  */
  TB_PREMISE_FOUND = 1 << 12,		/* found-packets  */
  TB_PREMISE_SCALAR = 1 << 13,		/* no-short-vectors  */
  TB_PREMISE_DATA = 1 << 14,		/* traced-data  */
  TB_PREMISE_ALL = (1 << 15) - 1
};

struct tb_premise
{
  const char *name;		/* For --doubt and --why.  */
  const char *states;		/* What is taken for granted, a sentence.  */
  const char *broken_by;	/* What breaks it on a real target.  */
};

/* Premise NUMBER, of bit 1 << NUMBER; NULL: no more.  */
const struct tb_premise *tb_premise_number (size_t number);

/* The argument TEXT of a program's --doubt: names of premises, separated by commas,
   the bits of which are added to *SET, or "list".  SAID gets what the program is to print:
   the table, for people to read, or, where a name is wrong, what was expected and what may
   have been meant.  */
enum tb_premise_asked { TB_PREMISES_DOUBTED, TB_PREMISES_LISTED, TB_PREMISES_WRONG };
enum tb_premise_asked tb_premise_ask (const char *text, unsigned *set,
				      struct tb_buffer *said);

/* Append the names of PREMISES, separated by commas.  */
void tb_premise_names (struct tb_buffer *text, unsigned premises);

#endif /* TB_STATE_PREMISE_H */
