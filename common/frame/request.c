/* Trace requests.  See request.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

#define BLANKS " \t"

/* Longer texts are not shown whole.  */
#define SHOWN_MOST 160

struct parser
{
  struct tb_request *request;
  struct tb_diag *diag;
  size_t at;
};

void
tb_request_error (const struct tb_request *request, size_t offset,
		  struct tb_diag *diag, const char *format, ...)
{
  struct tb_buffer before = { 0 };
  char *text = NULL;
  va_list arguments;
  va_start (arguments, format);
  int length = vasprintf (&text, format, arguments);
  va_end (arguments);
  const char *what = length >= 0 ? text : "no memory";
  /* What stands before the mark must be as wide as in the line above.  */
  for (size_t i = 0; i < offset && strlen (request->text) <= SHOWN_MOST; i++)
    if (request->text[i] == '\t')
      tb_buffer_append (&before, "\t", 1);
    else if ((request->text[i] & 0xc0) != 0x80)
      tb_buffer_append (&before, " ", 1);
  tb_buffer_append (&before, "", 1);
  if (strlen (request->text) > SHOWN_MOST || before.failed)
    tb_error (diag, "%s: column %zu: %s", request->origin, offset + 1, what);
  else
    tb_error (diag, "%s: column %zu: %s\n  %s\n  %s^", request->origin, offset + 1, what,
	      request->text, (const char *) before.data);
  tb_buffer_fini (&before);
  if (length >= 0)
    free (text);
}

bool
tb_request_number (const char *text, size_t length, uint64_t *number)
{
  char digits[32], *end;
  if (length == 0 || length >= sizeof digits || text[0] < '0' || text[0] > '9')
    return false;
  memcpy (digits, text, length);
  digits[length] = '\0';
  errno = 0;
  *number = strtoull (digits, &end, 0);
  return *end == '\0' && errno == 0;
}

void
tb_request_fini (struct tb_request *request)
{
  free (request->text);
  free (request->items);
  *request = (struct tb_request) { .text = NULL };
}

static bool
is_word (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
	 || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '-';
}

static const char *
rest (const struct parser *p)
{
  return p->request->text + p->at;
}

static void
skip_blanks (struct parser *p)
{
  p->at += strspn (rest (p), BLANKS);
}

/* Does WORD stand at TEXT, as a whole word?  */
static bool
starts_with (const char *text, const char *word)
{
  size_t length = strlen (word);
  return strncmp (text, word, length) == 0 && !is_word (text[length]);
}

/* Pass over WORD.  */
static bool
take_word (struct parser *p, const char *word)
{
  skip_blanks (p);
  if (!starts_with (rest (p), word))
    return false;
  p->at += strlen (word);
  return true;
}

static const char *const clause_words[] = { "if", "collect", "passcount",
					    "while-stepping", "stepping", "ws",
					    NULL };

/* Which of WORDS stands at TEXT; NULL: none.  */
static const char *
find_word (const char *text, const char *const *words)
{
  for (; *words != NULL; words++)
    if (starts_with (text, *words))
      return *words;
  return NULL;
}

/* Go on to the end of the text, to a character of STOPS or to a word of WORDS behind
   a blank, none of which count in brackets and quotes.  False after a diagnostic: a
   bracket or a quote is open.  */
static bool
pass_over (struct parser *p, const char *stops, const char *const *words)
{
  const char *text = p->request->text;
  char open[64];
  size_t places[64], depth = 0;
  for (; text[p->at] != '\0'; p->at++)
    {
      char c = text[p->at];
      if (depth == 0 && (strchr (stops, c) != NULL
			 || (p->at > 0 && strchr (BLANKS, text[p->at - 1]) != NULL
			     && find_word (text + p->at, words) != NULL)))
	return true;
      if (c == '"' || c == '\'')
	{
	  size_t from = p->at++;
	  while (text[p->at] != c && text[p->at] != '\0')
	    p->at += text[p->at] == '\\' && text[p->at + 1] != '\0' ? 2 : 1;
	  if (text[p->at] == '\0')
	    {
	      tb_request_error (p->request, from, p->diag, "expected a second %c "
				"behind this one", c);
	      return false;
	    }
	}
      const char *brackets = "(){}[]", *which = strchr (brackets, c);
      if (which == NULL)
	continue;
      if ((which - brackets) % 2 == 0)
	{
	  if (depth == sizeof open)
	    {
	      tb_request_error (p->request, p->at, p->diag, "expected fewer "
				"brackets in each other than %zu", depth + 1);
	      return false;
	    }
	  places[depth] = p->at;
	  open[depth++] = which[1];
	}
      else if (depth == 0 || open[depth - 1] != c)
	{
	  tb_request_error (p->request, p->at, p->diag,
			    "this %c closes nothing", c);
	  return false;
	}
      else
	depth--;
    }
  if (depth > 0)
    tb_request_error (p->request, places[depth - 1], p->diag,
		      "expected a %c that closes this one", open[depth - 1]);
  return depth == 0;
}

/* What stands from FROM to where P is, without blanks at its ends.  */
static struct tb_request_part
part_from (const struct parser *p, size_t from)
{
  const char *text = p->request->text;
  size_t to = p->at;
  while (from < to && strchr (BLANKS, text[from]) != NULL)
    from++;
  while (to > from && strchr (BLANKS, text[to - 1]) != NULL)
    to--;
  return (struct tb_request_part) { from, to - from };
}

static bool
expected (const struct parser *p, size_t offset, const char *what)
{
  const char *text = p->request->text + offset;
  if (*text == '\0')
    tb_request_error (p->request, offset, p->diag, "expected %s", what);
  else
    tb_request_error (p->request, offset, p->diag, "expected %s, found '%.*s'",
		      what, (int) strcspn (text, BLANKS ","), text);
  return false;
}

/* /REGEX/, in which "\/" stands for "/".  */
static bool
parse_regex (struct parser *p)
{
  struct tb_request *r = p->request;
  size_t from = p->at++;
  while (*rest (p) != '\0' && *rest (p) != '/')
    p->at += *rest (p) == '\\' && rest (p)[1] != '\0' ? 2 : 1;
  if (*rest (p) != '/')
    {
      tb_request_error (r, from, p->diag, "expected a / that ends the regular "
			"expression; /REGEX/ is each function whose name it "
			"matches");
      return false;
    }
  r->kind = TB_REQUEST_FUNCTIONS;
  r->subject = (struct tb_request_part) { from + 1, p->at - from - 1 };
  p->at++;
  r->place = part_from (p, from);
  return r->subject.length != 0
	 || expected (p, from + 1, "a regular expression between the /");
}

/* The kinds of events, the word that comes before what they are about, and what that is.
   Those with the same first word stand together, the last of them with what MUST follow,
   if anything must; where that word ALONE is a function or the like of that name, and no
   event.  */
static const struct
{
  const char *word, *link, *subject;
  enum tb_request_kind kind;
  const char *must;
  bool alone;
} kinds[] = {
  { "exceptions", NULL, NULL, TB_REQUEST_EXCEPTIONS, NULL, false },
  { "gaps", NULL, NULL, TB_REQUEST_GAPS, NULL, false },
  { "branches", NULL, NULL, TB_REQUEST_BRANCHES, NULL, false },
  { "writes", "to", "an address or a symbol", TB_REQUEST_WRITES, NULL, false },
  { "writes", "of", "a value", TB_REQUEST_STORES,
    "to and an address or a symbol, or of and a value", false },
  { "values", "of", "a value", TB_REQUEST_TAKES, "of and a value", true },
  { "calls", "of", "a function", TB_REQUEST_CALLS, NULL, false },
  { "returns", "of", "a function", TB_REQUEST_RETURNS, NULL, false }
};

#define NKINDS (sizeof kinds / sizeof kinds[0])

/* "software" stands before a channel, or alone.  */
static bool
parse_software (struct parser *p)
{
  struct tb_request *r = p->request;
  size_t from = p->at;
  if (!take_word (p, "software")
      || (*rest (p) != '\0' && strchr (BLANKS, *rest (p)) == NULL))
    {
      p->at = from;
      return false;
    }
  skip_blanks (p);
  size_t subject = p->at;
  while (*rest (p) != '\0' && find_word (rest (p), clause_words) == NULL)
    p->at += strcspn (rest (p), BLANKS), skip_blanks (p);
  r->kind = TB_REQUEST_SOFTWARE;
  r->subject = part_from (p, subject);
  r->place = part_from (p, from);
  return true;
}

static bool
parse_location (struct parser *p)
{
  struct tb_request *r = p->request;
  skip_blanks (p);
  if (*rest (p) == '/')
    return parse_regex (p);
  if (parse_software (p))
    return true;
  size_t from = p->at;
  r->kind = TB_REQUEST_PLACE;
  for (size_t i = 0; i < NKINDS; i++)
    if (take_word (p, kinds[i].word))
      {
	size_t behind = p->at;
	skip_blanks (p);
	while (i + 1 < NKINDS && strcmp (kinds[i].word, kinds[i + 1].word) == 0
	       && !starts_with (rest (p), kinds[i].link))
	  i++;
	/* A function may be called so, too: then it stands alone with an
	   offset or the like.  */
	if (*rest (p) != '\0' && find_word (rest (p), clause_words) == NULL
	    && (kinds[i].link == NULL
		|| !starts_with (rest (p), kinds[i].link)))
	  {
	    if (p->at > behind)
	      return expected (p, p->at, kinds[i].must != NULL ? kinds[i].must
			       : kinds[i].link != NULL ? kinds[i].link
			       : "if, collect, passcount or while-stepping");
	    p->at = from;
	    break;
	  }
	r->kind = kinds[i].kind;
	if (kinds[i].link != NULL && take_word (p, kinds[i].link))
	  {
	    skip_blanks (p);
	    size_t subject = p->at;
	    if (!pass_over (p, "", clause_words))
	      return false;
	    r->subject = part_from (p, subject);
	    if (r->subject.length == 0)
	      return expected (p, subject, kinds[i].subject);
	  }
	else if (kinds[i].alone)
	  {
	    r->kind = TB_REQUEST_PLACE;
	    p->at = from;
	    break;
	  }
	else if (kinds[i].must != NULL)
	  return expected (p, p->at, kinds[i].must);
	r->place = part_from (p, from);
	return true;
      }
  if (!pass_over (p, "", clause_words))
    return false;
  r->place = r->subject = part_from (p, from);
  return r->place.length != 0 || expected (p, from, "a location");
}

static bool
parse_number (struct parser *p, uint64_t *number)
{
  skip_blanks (p);
  size_t from = p->at, length = strcspn (rest (p), BLANKS);
  if (!tb_request_number (rest (p), length, number) || *number == 0)
    return expected (p, from, "a number of at least 1");
  p->at += length;
  return true;
}

static bool
parse_items (struct parser *p, bool stepping)
{
  struct tb_request *r = p->request;
  for (;;)
    {
      skip_blanks (p);
      size_t from = p->at;
      /* "/s" is about all that follow.  */
      if (!pass_over (p, *rest (p) == '/' ? "" : ",", clause_words))
	return false;
      struct tb_request_item item = { part_from (p, from), stepping };
      if (item.part.length == 0)
	return expected (p, from, "what to collect");
      bool ok = TB_GROW (r->items, r->item_capacity, r->nitems, 1);
      if (!ok)
	{
	  tb_error (p->diag, "%s: no memory", r->origin);
	  return false;
	}
      r->items[r->nitems++] = item;
      if (*rest (p) != ',')
	return true;
      p->at++;
    }
}

static bool
parse_clauses (struct parser *p)
{
  struct tb_request *r = p->request;
  for (;;)
    {
      skip_blanks (p);
      size_t from = p->at;
      const char *word = find_word (rest (p), clause_words);
      if (*rest (p) == '\0')
	return true;
      if (word == NULL)
	return expected (p, from, "if, collect, passcount or while-stepping");
      p->at += strlen (word);
      bool ok;
      if (strcmp (word, "if") == 0)
	{
	  size_t condition = p->at;
	  if (r->condition.length != 0 || r->nitems != 0 || r->steps != 0)
	    return expected (p, from, "at most one condition, before what is "
				      "collected");
	  ok = pass_over (p, "", clause_words);
	  r->condition = part_from (p, condition);
	  if (ok && r->condition.length == 0)
	    ok = expected (p, p->at, "a condition behind if");
	}
      else if (strcmp (word, "collect") == 0)
	ok = parse_items (p, r->steps != 0);
      else if (strcmp (word, "passcount") == 0)
	ok = r->pass == 0 ? parse_number (p, &r->pass)
	     : expected (p, from, "at most one passcount");
      else if (r->steps != 0)
	ok = expected (p, from, "at most one while-stepping");
      else
	ok = parse_number (p, &r->steps);
      if (!ok)
	return false;
    }
}

bool
tb_request_parse (struct tb_request *request, const char *text,
		  const char *origin, struct tb_diag *diag)
{
  *request = (struct tb_request) { .text = strdup (text), .origin = origin };
  struct parser p = { request, diag, 0 };
  bool ok = request->text != NULL;
  if (!ok)
    tb_error (diag, "%s: no memory", origin);
  ok = ok && parse_location (&p) && parse_clauses (&p);
  if (!ok)
    tb_request_fini (request);
  return ok;
}
