/* Makes a large capture of a small one: the trace of one source, from its first
   synchronisation to its last, again and again.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Usage: make-large SNAPSHOT SOURCE MIB DIRECTORY

   DIRECTORY, which must exist, gets the files of SNAPSHOT, of which the buffer
   that has SOURCE's trace is replaced by one of MIB megabytes with this trace
   alone, in frames.  */

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recording/session.h"
#include "util/buffer.h"
#include "util/filemap.h"

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  if (severity != TB_NOTE)
    fprintf (stderr, "make-large: %s\n", message);
}

static struct tb_diag diag = { .report = say };

static _Noreturn void
fail (const char *what)
{
  fprintf (stderr, "make-large: %s\n", what);
  exit (1);
}

/* The source's bytes from its first synchronisation packet up to its last.  */
static void
take_bytes (const struct tb_session_stream *stream, struct tb_buffer *bytes)
{
  struct tb_decoder_config config;
  tb_session_decoder_config (stream, &config);
  struct tb_decoder *d = tb_decoder_open (&config, &diag);
  if (d == NULL)
    exit (1);
  if (d->seek == NULL)
    fail ("that protocol's decoder cannot be sent to a place");
  struct tb_stream_place first = { 0 }, last = { 0 };
  struct tb_element elements[512];
  unsigned syncs = 0;
  d->stop_at_sync = true;
  while (d->read (d, elements, 512) > 0 || d->at_sync)
    if (d->at_sync)
      {
	if (syncs++ == 0)
	  first = d->sync;
	last = d->sync;
      }
  tb_decoder_close (d);
  if (syncs < 2)
    fail ("expected two synchronisations at least");

  struct tb_stream *s = tb_stream_open (stream->buffer, stream->id);
  if (s == NULL)
    fail ("no memory");
  size_t length;
  bool end;
  tb_stream_seek (s, &last);
  tb_stream_peek (s, &length, &end);
  uint64_t stop = tb_stream_index (s, 0);
  tb_stream_seek (s, &first);
  for (;;)
    {
      const uint8_t *p = tb_stream_peek (s, &length, &end);
      size_t n = 0;
      while (n < length && tb_stream_index (s, n) < stop)
	n++;
      tb_buffer_append (bytes, p, n);
      tb_stream_consume (s, n);
      if (n < length || n == 0)
	break;
    }
  tb_stream_close (s);
}

/* Write SIZE bytes of frames of ID to PATH.  */
static void
write_frames (const char *path, const struct tb_buffer *bytes, unsigned id,
	      uint64_t size)
{
  FILE *out = fopen (path, "wb");
  size_t at = 0;
  if (out == NULL)
    fail (strerror (errno));
  setvbuf (out, NULL, _IOFBF, 1 << 20);
  for (uint64_t n = 0; n < size / 16; n++)
    {
      uint8_t frame[16] = { 0 };
      unsigned i = 0;
      /* The ID again now and then, as formatters do.  */
      if (n % 64 == 0)
	frame[i++] = id << 1 | 1;
      for (; i < 15; i++)
	{
	  uint8_t byte = bytes->data[at];
	  at = at + 1 < bytes->size ? at + 1 : 0;
	  frame[i] = i % 2 == 0 ? byte & ~1 : byte;
	  if (i % 2 == 0)
	    frame[15] |= (byte & 1) << (i / 2);
	}
      if (fwrite (frame, 1, 16, out) != 16)
	fail (strerror (errno));
    }
  if (fclose (out) != 0)
    fail (strerror (errno));
}

static void
copy_file (const char *from, const char *to)
{
  struct tb_filemap map;
  if (tb_filemap_open (&map, from, &diag) != TB_OK)
    exit (1);
  FILE *out = fopen (to, "wb");
  if (out == NULL || fwrite (map.data, 1, map.size, out) != map.size
      || fclose (out) != 0)
    fail (strerror (errno));
  tb_filemap_close (&map);
}

/* Copy the regular files of FROM to TO.  Those whose contents are BUFFER's are
   the buffer's; its path goes to REPLACE.  */
static void
copy_files (const char *from, const char *to,
	    const struct tb_trace_buffer *buffer, char *replace, size_t room)
{
  DIR *dir = opendir (from);
  struct dirent *entry;
  if (dir == NULL)
    fail (strerror (errno));
  while ((entry = readdir (dir)) != NULL)
    {
      char path[2048], copy[2048];
      struct stat st;
      snprintf (path, sizeof path, "%s/%s", from, entry->d_name);
      snprintf (copy, sizeof copy, "%s/%s", to, entry->d_name);
      if (stat (path, &st) != 0 || !S_ISREG (st.st_mode))
	continue;
      struct tb_filemap map;
      bool is_buffer = false;
      if ((uint64_t) st.st_size == buffer->size && buffer->nspans == 1
	  && tb_filemap_open (&map, path, &diag) == TB_OK)
	{
	  is_buffer = memcmp (map.data, buffer->spans[0].data, map.size) == 0;
	  tb_filemap_close (&map);
	}
      if (is_buffer)
	snprintf (replace, room, "%s", copy);
      else
	copy_file (path, copy);
    }
  closedir (dir);
}

int
main (int argc, char **argv)
{
  if (argc != 5)
    fail ("usage: make-large SNAPSHOT SOURCE MIB DIRECTORY");
  struct tb_session session;
  if (tb_session_open (&session, argv[1], NULL, &diag) != TB_OK)
    return 1;
  const struct tb_session_stream *stream = NULL;
  for (size_t i = 0; i < session.nstreams; i++)
    if (strcmp (session.streams[i].source->name, argv[2]) == 0)
      stream = &session.streams[i];
  if (stream == NULL || stream->protocol == NULL || stream->buffer == NULL
      || stream->id == TB_ID_NONE)
    fail ("expected a source with framed trace that can be decoded");
  struct tb_buffer bytes = { 0 };
  take_bytes (stream, &bytes);
  if (bytes.failed || bytes.size == 0)
    fail ("no bytes");
  char path[2048] = "";
  copy_files (argv[1], argv[4], stream->buffer, path, sizeof path);
  if (path[0] == 0)
    fail ("expected the buffer to be one file in the snapshot's directory");
  write_frames (path, &bytes, stream->id,
		strtoull (argv[3], NULL, 0) << 20);
  printf ("%s: %s MiB, %zu bytes of ID 0x%02x again and again\n", path,
	  argv[3], bytes.size, stream->id);
  tb_buffer_fini (&bytes);
  tb_session_close (&session);
  return 0;
}
