/* INI files over inih.  See ini.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   inih splits sections, keys, values and comments.  As distributions build it
   (Debian's 55 and 59 were looked at) it also

   - takes ':' for '=', which would split "REG(id:4)=1" in the wrong place;
   - drops " ;" and what follows from values;
   - may take an indented line for more of the value before it;
   - reads lines into 200 bytes, or another number, and cuts section names at
     49; what is left of a longer line is the next line in old versions,
     dropped in new ones, and in builds with INI_ALLOW_REALLOC it is read;
   - does not tell where a section begins, nor the line of a key, and returns
     the number of the first bad line only.

   Its switches are global variables or fixed when it is built, so none can be
   set from a library.  All of it is dealt with on the way in: inih asks for a
   line at a time, and the reader below hands it lines in which the characters
   it would trip over are replaced by control characters (which the text itself
   cannot contain).  Each line is complete and has its line feed within the
   bytes that inih asked for: what does not fit follows as the value of a key of
   its own.  So does, after each section line, the section's whole name.  The
   handler turns everything back.  */

#include "config.h"
#include "snapshot/ini.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/pool.h"
#include "util/buffer.h"

/* Stand-ins on the way through inih, and what they stand for.  */
static const char plain_chars[] = ":; \t#";
#define STAND_IN_FIRST 1
/* The key of the line that follows a section line, and of one that has more of
   the value before it.  */
#define SECTION_KEY "\x1f"
#define MORE_KEY "\x1e"

#define BAD_TEXT_MAX 60

/* What the line that inih has now is.  */
enum line_kind { LINE_NONE, LINE_SECTION_HEAD, LINE_KEY, LINE_SECTION_NAME };

struct feed
{
  struct tb_ini *ini;
  struct objalloc *pool;
  const char *end, *next;
  unsigned line;		/* Of the text from which inih has a line.  */

  enum line_kind kind;
  const char *raw;		/* The line, trimmed.  */
  size_t raw_length;
  struct tb_buffer coded;	/* The line for inih ...  */
  size_t coded_next;		/* ... and how much of it inih has.  */
  bool seen;			/* The handler was called for it.  */
  struct tb_buffer key, value;	/* What the handler got.  */

  size_t sections_capacity, entries_capacity, bad_capacity;
  bool no_memory, too_many;
};

static unsigned char
lower (unsigned char c)
{
  return c >= 'A' && c <= 'Z' ? (unsigned char) (c + ('a' - 'A')) : c;
}

bool
tb_begins_nocase (const char *text, const char *prefix)
{
  for (; *prefix != '\0'; text++, prefix++)
    if (lower ((unsigned char) *text) != lower ((unsigned char) *prefix))
      return false;
  return true;
}

bool
tb_same_nocase (const char *a, const char *b)
{
  return tb_begins_nocase (a, b) && strlen (a) == strlen (b);
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

size_t
tb_ini_plain (const char *value, bool hash)
{
  size_t i, length = 0;
  for (i = 0; value[i] != '\0'; i++)
    if (is_blank (value[i]))
      continue;
    else if ((value[i] == ';' || (hash && value[i] == '#'))
	     && (i == 0 || is_blank (value[i - 1])))
      return length;
    else
      length = i + 1;
  return i;
}

/* Append LENGTH bytes at TEXT with stand-ins for the first COUNT of
   plain_chars.  */
static void
encode (struct tb_buffer *to, const char *text, size_t length, size_t count)
{
  for (size_t i = 0; i < length; i++)
    {
      const char *found = memchr (plain_chars, text[i], count);
      char c = found == NULL ? text[i]
	       : (char) (STAND_IN_FIRST + (found - plain_chars));
      tb_buffer_append (to, &c, 1);
    }
}

static void
decode (struct tb_buffer *to, const char *text)
{
  for (; *text != '\0'; text++)
    {
      size_t code = (unsigned char) *text - (size_t) STAND_IN_FIRST;
      tb_buffer_append (to, code < sizeof plain_chars - 1
			? &plain_chars[code] : text, 1);
    }
}

/* The text of BUFFER, trimmed, in the pool.  */
static const char *
keep (struct feed *feed, const struct tb_buffer *buffer)
{
  const char *text = (const char *) buffer->data;
  size_t length = buffer->size;
  while (length > 0 && is_blank (text[length - 1]))
    length--;
  while (length > 0 && is_blank (*text))
    text++, length--;
  const char *kept = buffer->failed ? NULL
		     : tb_pool_text (feed->pool, text, length);
  if (kept == NULL)
    feed->no_memory = true;
  return kept;
}

static void
add_bad (struct feed *feed)
{
  struct tb_ini *ini = feed->ini;
  if (!TB_GROW (ini->bad, feed->bad_capacity, ini->nbad, 1))
    {
      feed->no_memory = true;
      return;
    }
  size_t length = feed->raw_length;
  if (length > BAD_TEXT_MAX)
    length = BAD_TEXT_MAX;
  const char *text = tb_pool_text (feed->pool, feed->raw, length);
  if (text == NULL)
    feed->no_memory = true;
  else
    ini->bad[ini->nbad++] = (struct tb_ini_bad) { feed->line, text };
}

static void
add_section (struct feed *feed, const char *name, unsigned line)
{
  struct tb_ini *ini = feed->ini;
  if (name == NULL
      || !TB_GROW (ini->sections, feed->sections_capacity, ini->nsections, 1))
    {
      feed->no_memory = true;
      return;
    }
  ini->sections[ini->nsections++]
    = (struct tb_ini_section) { ini, name, line, ini->nentries, 0, false };
}

static void
add_entry (struct feed *feed)
{
  struct tb_ini *ini = feed->ini;
  if (ini->nsections == 0)
    add_section (feed, "", feed->line);
  const char *key = keep (feed, &feed->key);
  const char *value = keep (feed, &feed->value);
  if (feed->no_memory
      || !TB_GROW (ini->entries, feed->entries_capacity, ini->nentries, 1))
    {
      feed->no_memory = true;
      return;
    }
  if (*key == '\0')
    {
      add_bad (feed);
      return;
    }
  /* The pointer to the section is set at the end: the array may move.  */
  ini->entries[ini->nentries++]
    = (struct tb_ini_entry) { NULL, key, value, feed->line };
  ini->sections[ini->nsections - 1].count++;
}

/* inih is done with the line it had.  */
static void
finish_line (struct feed *feed)
{
  switch (feed->kind)
    {
    case LINE_NONE:
    case LINE_SECTION_HEAD:
      break;
    case LINE_KEY:
      if (feed->seen)
	add_entry (feed);
      else
	add_bad (feed);
      break;
    case LINE_SECTION_NAME:
      if (feed->seen)
	add_section (feed, keep (feed, &feed->value), feed->line);
      else
	add_bad (feed);
      break;
    }
  if (feed->ini->nentries + feed->ini->nsections + feed->ini->nbad
      > TB_INI_MAX_ENTRIES)
    feed->too_many = true;
  feed->kind = LINE_NONE;
  feed->seen = false;
  tb_buffer_clear (&feed->coded);
  tb_buffer_clear (&feed->key);
  tb_buffer_clear (&feed->value);
  feed->coded_next = 0;
}

/* Step to the next line of the text that says something.  False at the end. */
static bool
next_line (struct feed *feed)
{
  while (feed->next < feed->end)
    {
      const char *start = feed->next;
      const char *stop = memchr (start, '\n', (size_t) (feed->end - start));
      feed->next = stop != NULL ? stop + 1 : feed->end;
      if (stop == NULL)
	stop = feed->end;
      feed->line++;
      while (stop > start && (is_blank (stop[-1]) || stop[-1] == '\r'))
	stop--;
      while (start < stop && is_blank (*start))
	start++;
      feed->raw = start;
      feed->raw_length = (size_t) (stop - start);
      if (feed->raw_length > 0)
	return true;
    }
  return false;
}

/* Prepare the line that inih gets for the current line of text.  */
static void
prepare_line (struct feed *feed)
{
  const char *raw = feed->raw;
  size_t length = feed->raw_length;
  const char *equals = memchr (raw, '=', length);
  if (*raw == ';' || *raw == '#')
    tb_buffer_append (&feed->coded, raw, 1);	/* All that inih looks at.  */
  else if (*raw == '[')
    {
      /* What stands behind the bracket may be a comment only.  */
      const char *close = memchr (raw, ']', length);
      const char *rest = close != NULL ? close + 1 : NULL;
      const char *stop = raw + length;
      while (rest != NULL && rest < stop && is_blank (*rest))
	rest++;
      if (rest == NULL || (rest < stop && *rest != ';' && *rest != '#'))
	add_bad (feed);
      else
	{
	  feed->kind = LINE_SECTION_HEAD;
	  tb_buffer_append (&feed->coded, "[]", 2);
	}
    }
  else
    {
      feed->kind = LINE_KEY;
      size_t key = equals != NULL ? (size_t) (equals - raw) : length;
      encode (&feed->coded, raw, key, 2);
      encode (&feed->coded, raw + key, length - key, sizeof plain_chars - 1);
    }
}

/* After a section's line: its name, as the value of a key.  */
static void
prepare_section_name (struct feed *feed)
{
  const char *close = memchr (feed->raw, ']', feed->raw_length);
  feed->kind = LINE_SECTION_NAME;
  tb_buffer_append (&feed->coded, SECTION_KEY "=", 2);
  encode (&feed->coded, feed->raw + 1, (size_t) (close - feed->raw - 1),
	  sizeof plain_chars - 1);
}

/* inih's reader: the next line into LINE, which has SIZE bytes.  */
static char *
read_line (char *line, int size, void *stream)
{
  struct feed *feed = stream;
  const size_t prefix = sizeof MORE_KEY "=" - 1;
  bool more = feed->coded_next < feed->coded.size;
  if (!more)
    {
      bool head = feed->kind == LINE_SECTION_HEAD;
      finish_line (feed);
      if (head)
	prepare_section_name (feed);
      else if (next_line (feed))
	prepare_line (feed);
      else
	return NULL;
    }
  if (feed->coded.failed)
    feed->no_memory = true;
  /* Room for a part of a value, the line feed and the end of the string.  */
  if (feed->no_memory || feed->too_many || size < 0
      || (size_t) size < prefix + 3)
    return NULL;

  size_t room = (size_t) size - 2, used = 0;
  if (more)
    {
      memcpy (line, MORE_KEY "=", prefix);
      used = prefix;
    }
  size_t length = feed->coded.size - feed->coded_next;
  if (length > room - used)
    length = room - used;
  if (length > 0)
    memcpy (line + used, feed->coded.data + feed->coded_next, length);
  /* A key that does not fit, or a long line without one: what follows must
     not become more of the value before it.  */
  if (!more && feed->kind == LINE_KEY && memchr (line, '=', length) == NULL)
    feed->coded_next = feed->coded.size - length;
  feed->coded_next += length;
  memcpy (line + used + length, "\n", 2);
  return line;
}

/* inih's handler.  It is called once for each line that has a key, so again
   for each further part of its value.  */
static int
handle (void *user, const char *section, const char *name, const char *value)
{
  struct feed *feed = user;
  (void) section;
  if (name == NULL || value == NULL)
    return 1;			/* As other builds of inih may call it.  */
  if (!feed->seen)
    decode (&feed->key, name);
  feed->seen = true;
  decode (&feed->value, value);
  return 1;
}

/* The first byte of TEXT that no text has, or NULL.  */
static const uint8_t *
not_text (const uint8_t *text, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (text[i] < 0x20 && text[i] != '\t' && text[i] != '\n'
	&& !(text[i] == '\r' && (i + 1 == size || text[i + 1] == '\n')))
      return text + i;
  return NULL;
}

static enum tb_status
check_text (const char *path, const uint8_t *text, size_t size,
	    struct tb_diag *diag)
{
  if (size > TB_INI_MAX_BYTES)
    {
      tb_error (diag, "%s: expected an INI file of at most %zu bytes, found "
		"%zu bytes", path, TB_INI_MAX_BYTES, size);
      return TB_ERR_MEMORY;
    }
  const uint8_t *bad = not_text (text, size);
  if (bad == NULL)
    return TB_OK;
  unsigned line = 1;
  for (const uint8_t *p = text; p < bad; p++)
    line += *p == '\n';
  tb_error (diag, "%s:%u: expected text, found the byte 0x%02x", path, line,
	    *bad);
  return TB_ERR_INPUT;
}

enum tb_status
tb_ini_parse (struct tb_ini *ini, struct objalloc *pool, const char *path,
	      const uint8_t *text, size_t size, struct tb_diag *diag)
{
  *ini = (struct tb_ini) { .path = path };
  if (size >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3, size -= 3;
  enum tb_status status = check_text (path, text, size, diag);
  if (status != TB_OK || size == 0)
    return status;

  const char *start = (const char *) text;
  struct feed feed = {
    .ini = ini, .pool = pool, .end = start + size, .next = start
  };
  int result = ini_parse_stream (read_line, &feed, handle, &feed);
  finish_line (&feed);
  tb_buffer_fini (&feed.coded);
  tb_buffer_fini (&feed.key);
  tb_buffer_fini (&feed.value);

  if (result == -2 || feed.no_memory)
    {
      tb_error (diag, "%s: no memory to read it", path);
      status = TB_ERR_MEMORY;
    }
  else if (feed.too_many)
    {
      tb_error (diag, "%s:%u: expected at most %zu keys and sections", path,
		feed.line, TB_INI_MAX_ENTRIES);
      status = TB_ERR_MEMORY;
    }
  if (status != TB_OK)
    {
      tb_ini_fini (ini);
      return status;
    }
  for (size_t i = 0; i < ini->nsections; i++)
    for (size_t j = 0; j < ini->sections[i].count; j++)
      ini->entries[ini->sections[i].first + j].section = &ini->sections[i];
  return TB_OK;
}

void
tb_ini_fini (struct tb_ini *ini)
{
  free (ini->sections);
  free (ini->entries);
  free (ini->bad);
  *ini = (struct tb_ini) { 0 };
}
