/* Lines of a Tarmac log that are not understood: by kind, counted, the first of each
   shown.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_TARMAC_KINDS_H
#define TB_RECORDING_TARMAC_KINDS_H

#include "decode/tarmac/line.h"
#include "util/diag.h"

/* The most kinds that have counts of their own; all others share one count.  */
#define TB_TARMAC_UNREAD 48

struct tb_tarmac_unread
{
  struct tb_tarmac_unread_kind
  {
    uint64_t count, line;	/* The first one's number, from 1.  */
    char name[24];		/* The word that it begins with, printable; ...  */
    uint8_t length;		/* ... of so many letters in all, at most 255.  */
    uint8_t problem;		/* enum tb_tarmac_problem: of a known kind.  */
  } kinds[TB_TARMAC_UNREAD];
  unsigned nkinds;
  uint64_t others, others_line;	/* Lines of further kinds; the first.  */
  uint64_t texts, texts_line;	/* Lines that are no records; the first.  */
};

/* Count LINE, number NUMBER of the log PATH, which is the text from TEXT to END; show it
   if it is the first of its kind, with a caret below the place that is not
   understood.  */
void tb_tarmac_unread_add (struct tb_tarmac_unread *unread,
			   const struct tb_tarmac_line *line, const char *path,
			   uint64_t number, const char *text, const char *end,
			   struct tb_diag *diag);

/* Line NUMBER is no record.  */
void tb_tarmac_unread_text (struct tb_tarmac_unread *unread, uint64_t number);

/* Does LINE, of a log whose records have no time, begin as records do, by a word in
   capitals?  Otherwise such a line is text.  */
bool tb_tarmac_is_record (const struct tb_tarmac_line *line);

/* Say how many there were, if there were more than were shown.  */
void tb_tarmac_unread_say (const struct tb_tarmac_unread *unread,
			   const char *path, struct tb_diag *diag);

#endif /* TB_RECORDING_TARMAC_KINDS_H */
