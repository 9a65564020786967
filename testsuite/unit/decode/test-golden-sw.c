/* ITM and STM captures against the reference's listings, line by line, and the
   stimulus writes of a program against what it wrote.

   Needs the environment variable TB_SHARED, the directory that has "golden"
   (its FORMAT.md explains the lines), "snapshots" and "corpus".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "decode/element-text.h"
#include "recording/session.h"

static const struct
{
  const char *snapshot, *buffer;
  /* The reference gave up at a frame that has an ID and no byte of it; there
     the trace ends.  */
  bool cut;
} captures[] =
{
  { "stm_only", "ETB_1", false },
  { "stm_only-juno", "ETB_1", true },
  { "juno_r1_1", "ETB_1", true },
  { "infrastructure", "ETB_1", true },
  { "itm_only_csformat", "ETB_1", false },
  { "itm_only_raw", "ETB_1", false },
  { "TC2", "ETB_0", false },
};

static const char *shared;

/* The file PATH below the shared directory, with a zero after it; NULL if it
   cannot be read.  */
static char *
read_file (const char *path)
{
  char whole[1000];
  snprintf (whole, sizeof whole, "%s/%s", shared, path);
  FILE *file = fopen (whole, "rb");
  if (file == NULL)
    return NULL;
  size_t size = 0, capacity = 1 << 16, n;
  char *text = malloc (capacity);
  while (text != NULL
	 && (n = fread (text + size, 1, capacity - size - 1, file)) > 0)
    {
      size += n;
      if (size + 1 == capacity)
	text = realloc (text, capacity *= 2);
    }
  fclose (file);
  if (text != NULL)
    text[size] = '\0';
  return text;
}

static bool
open_session (struct tb_session *session, const char *path)
{
  char whole[1000];
  snprintf (whole, sizeof whole, "%s/%s", shared, path);
  return tb_session_open (session, whole, NULL, NULL) == TB_OK;
}

/* The stream of an ITM or STM in the buffer called BUFFER (NULL: any).  */
static const struct tb_session_stream *
find_stream (const struct tb_session *session, const char *buffer)
{
  for (size_t i = 0; i < session->nstreams; i++)
    {
      const struct tb_session_stream *s = &session->streams[i];
      if (s->protocol != NULL && s->protocol->software
	  && (buffer == NULL || strcmp (s->buffer->name, buffer) == 0))
	return s;
    }
  return NULL;
}

/* What a decoder says, read CAPACITY (up to 512) elements at a time.  */
static struct tb_buffer
decode (const struct tb_session *session,
	const struct tb_session_stream *stream, size_t capacity)
{
  struct tb_buffer text = { 0 };
  struct tb_element elements[512];
  size_t n;
  struct tb_decoder *d = tb_session_decoder (session, stream, NULL);
  if (!CHECK (d != NULL))
    return text;
  while ((n = d->read (d, elements, capacity)) > 0)
    for (size_t i = 0; i < n; i++)
      tb_element_text (&text, &elements[i]);
  CHECK_INT (d->stats.bad_packets, 0);
  tb_decoder_close (d);
  tb_buffer_append (&text, "", 1);
  return text;
}

/* Compare the lines of GOT with those of ID's section in GOLDEN.  Returns how
   many there were.  */
static unsigned
compare (const char *got, char *golden, unsigned id, bool cut)
{
  char heading[40];
  unsigned lines = 0;
  snprintf (heading, sizeof heading, "# id 0x%02x\n", id);
  char *line = strstr (golden, heading);
  if (!CHECK (line != NULL))
    return 0;
  line += strlen (heading);
  while (*line != '#' && *line != '\0')
    {
      char *next = strchr (line, '\n') + 1;
      line[strcspn (line, "\t\n")] = '\0';
      size_t length = strlen (line);
      lines++;
      if (strncmp (got, line, length) != 0 || got[length] != '\n')
	{
	  char saved[200];
	  snprintf (saved, sizeof saved, "%.*s", (int) strcspn (got, "\n"),
		    got);
	  CHECK_STR (saved, line);
	  fprintf (stderr, "  line %u\n", lines);
	  return lines;
	}
      got += length + 1;
      line = next;
    }
  CHECK_STR (got, cut ? "Z end-of-trace\n" : "");
  return lines;
}

static void
test_captures (void)
{
  unsigned lines = 0;
  for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++)
    {
      char path[200];
      struct tb_session session;
      unsigned before = check_failures;
      snprintf (path, sizeof path, "snapshots/%s", captures[i].snapshot);
      if (!CHECK (open_session (&session, path)))
	continue;
      const struct tb_session_stream *stream
	= find_stream (&session, captures[i].buffer);
      snprintf (path, sizeof path, "golden/%s.%s.txt", captures[i].snapshot,
		captures[i].buffer);
      for (size_t capacity = 1; capacity <= 512 && stream != NULL;
	   capacity += 511)
	{
	  char *golden = read_file (path);
	  struct tb_buffer text = decode (&session, stream, capacity);
	  if (CHECK (golden != NULL && text.data != NULL))
	    lines += compare ((const char *) text.data, golden, stream->id,
			      captures[i].cut);
	  tb_buffer_fini (&text);
	  free (golden);
	}
      CHECK (stream != NULL);
      if (check_failures != before)
	fprintf (stderr, "  in: %s\n", path);
      tb_session_close (&session);
    }
  CHECK_INT (lines, 2 * (6281 + 3 * 42 + 2 * 60 + 1));
}

/* "itm_writes": [[port, size, value], ...] against the elements.  */
static void
test_writes (void)
{
  static const char path[] = "corpus/cases/p28-multi-a57x2-itm";
  struct tb_session session;
  struct tb_element e;
  unsigned writes = 0;
  char *json = read_file ("corpus/cases/p28-multi-a57x2-itm/case.json");
  const char *at = json != NULL ? strstr (json, "\"itm_writes\"") : NULL;
  if (!CHECK (at != NULL) || !CHECK (open_session (&session, path)))
    return;
  const struct tb_session_stream *stream = find_stream (&session, NULL);
  struct tb_decoder *d = stream != NULL
			 ? tb_session_decoder (&session, stream, NULL) : NULL;
  CHECK (d != NULL);
  while (d != NULL && d->read (d, &e, 1) == 1)
    if (e.kind == TB_ELEMENT_ITM)
      {
	unsigned long want[3];
	for (int i = 0; i < 3; i++)
	  {
	    at += strcspn (at, "0123456789");
	    want[i] = strtoul (at, (char **) &at, 10);
	  }
	CHECK_INT (e.u.itm.channel, want[0]);
	CHECK_INT (e.u.itm.bytes, want[1]);
	CHECK_INT (e.u.itm.value, want[2]);
	writes++;
      }
  CHECK_INT (writes, 60);
  CHECK_INT (strcspn (at, "0123456789"), strlen (at));
  tb_decoder_close (d);
  tb_session_close (&session);
  free (json);
}

int
main (void)
{
  shared = getenv ("TB_SHARED");
  char *there = shared != NULL ? read_file ("golden/FORMAT.md") : NULL;
  if (there == NULL)
    return check_skip ("TB_SHARED is not set or has no golden listings");
  free (there);
  test_captures ();
  test_writes ();
  return check_done ();
}
