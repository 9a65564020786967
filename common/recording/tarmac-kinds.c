/* Lines of a Tarmac log that are not understood.  See tarmac-kinds.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac-kinds.h"

#include <inttypes.h>
#include <string.h>

#include "util/buffer.h"

/* A message shows this many characters of a line.  */
#define SHOWN 160

/* The row of LINE's kind; NULL: there is no room for one more.  */
static struct tb_tarmac_unread_kind *
row_of (struct tb_tarmac_unread *u, const struct tb_tarmac_line *line)
{
  struct tb_tarmac_unread_kind row = { .problem = line->problem };
  uint32_t n = line->begun.length;
  row.length = n < UINT8_MAX ? (uint8_t) n : UINT8_MAX;
  for (uint32_t i = 0; i < n && i < sizeof row.name - 1; i++)
    {
      char ch = line->begun.text[i];
      row.name[i] = ch >= ' ' && ch <= '~' ? ch : '?';
    }
  for (unsigned i = 0; i < u->nkinds; i++)
    if (u->kinds[i].problem == row.problem && u->kinds[i].length == row.length
	&& strcmp (u->kinds[i].name, row.name) == 0)
      return &u->kinds[i];
  if (u->nkinds == TB_TARMAC_UNREAD)
    return NULL;
  u->kinds[u->nkinds] = row;
  return &u->kinds[u->nkinds++];
}

static void
show (const struct tb_tarmac_line *line, const char *path, uint64_t number,
      const char *text, const char *end, struct tb_diag *diag)
{
  char copy[SHOWN + 1], caret[SHOWN + 1];
  size_t n = (size_t) (end - text) < SHOWN ? (size_t) (end - text) : SHOWN;
  size_t at = (size_t) (line->at - text);
  for (size_t i = 0; i < n; i++)
    {
      unsigned char ch = (unsigned char) text[i];
      copy[i] = ch == '\t' ? ' ' : ch < ' ' || ch > '~' ? '?' : (char) ch;
    }
  copy[n] = 0;
  if (at >= SHOWN)
    at = 0;
  memset (caret, ' ', at);
  caret[at] = '^';
  caret[at + 1 <= SHOWN ? at + 1 : SHOWN] = 0;
  tb_warning (diag, "%s:%" PRIu64 ": %s; the line is left out, and so are "
	      "others like it\n  %s\n  %s", path, number,
	      line->kind == TB_TARMAC_BAD
	      ? tb_tarmac_problem_text (line->problem)
	      : "no kind of line that is known", copy, caret);
}

void
tb_tarmac_unread_add (struct tb_tarmac_unread *u,
		      const struct tb_tarmac_line *line, const char *path,
		      uint64_t number, const char *text, const char *end,
		      struct tb_diag *diag)
{
  struct tb_tarmac_unread_kind *row = row_of (u, line);
  if (row == NULL)
    {
      if (u->others++ == 0)
	u->others_line = number;
      return;
    }
  if (row->count++ > 0)
    return;
  row->line = number;
  show (line, path, number, text, end, diag);
}

void
tb_tarmac_unread_text (struct tb_tarmac_unread *u, uint64_t number)
{
  if (u->texts++ == 0)
    u->texts_line = number;
}

bool
tb_tarmac_is_record (const struct tb_tarmac_line *line)
{
  const struct tb_tarmac_word word = line->begun;
  for (uint32_t i = 0; i < word.length; i++)
    {
      char ch = word.text[i];
      bool first = ch >= 'A' && ch <= 'Z';
      if (!first && (i == 0 || ((ch < '0' || ch > '9') && ch != '_')))
	return false;
    }
  return word.length > 0;
}

void
tb_tarmac_unread_say (const struct tb_tarmac_unread *u, const char *path,
		      struct tb_diag *diag)
{
  struct tb_buffer text = { 0 };
  for (unsigned i = 0; i < u->nkinds; i++)
    {
      const struct tb_tarmac_unread_kind *k = &u->kinds[i];
      const char *problem = tb_tarmac_problem_text (k->problem);
      if (k->count > 1)
	tb_buffer_printf (&text, "%s%" PRIu64 " lines %s%s%s%s, the first in line %"
			  PRIu64, text.size > 0 ? "; " : "", k->count, k->name,
			  *problem != 0 ? " (" : "", problem,
			  *problem != 0 ? ")" : "", k->line);
    }
  if (u->others > 0)
    tb_buffer_printf (&text, "%s%" PRIu64 " lines of still other kinds, the first in "
		      "line %" PRIu64, text.size > 0 ? "; " : "", u->others,
		      u->others_line);
  if (text.size > 0 && !text.failed)
    tb_warning (diag, "%s: not understood: %.*s", path, (int) text.size,
		(const char *) text.data);
  tb_buffer_fini (&text);
  if (u->texts > 0)
    tb_warning (diag, "%s: %" PRIu64 " line%s no record%s and passed over as text, the "
	     "first in line %" PRIu64, path, u->texts, u->texts > 1 ? "s are" : " is",
	     u->texts > 1 ? "s" : "", u->texts_line);
}
