/* ETM, ETE and PTM against two judges: the reference decoder's listings of real
   captures, line by line, and the hash of the PCs of recorded programs.

   Needs the environment variable TB_SHARED, the directory that has "golden"
   (its FORMAT.md explains the lines), "snapshots" and "corpus".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "decode/decoder.h"
#include "decode/element-text.h"
#include "util/fnv.h"

/* Lines that are not true.  */
static const struct
{
  const char *listing, *line;
} wrong[] =
{
  /* BX LR is taken, no address says where to, then comes an exception: the
     listing walks from the instruction after BX LR, which never ran next, to
     the exception's return address, over some 9000 others.  */
  { "ete_ip.ETB_1.txt", "R A32 0x1aa948 0x1b37f4 9131 E OTHER NONE - 4" },
};

/* The protocols that are compared.  */
static const struct tb_protocol *const protocols[] =
  { &tb_protocol_etmv3, &tb_protocol_etmv4, &tb_protocol_ptm };

/* Is SOURCE of one of them, with trace ID?  */
static bool
is_source (const struct tb_device *source, unsigned id)
{
  const struct tb_protocol *protocol = tb_protocol_find (source->type);
  for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++)
    if (protocol == protocols[i])
      return protocol->trace_id (source) == id;
  return false;
}

/* One source of a snapshot, ready to be decoded.  */
struct source
{
  struct tb_memmap *map;
  struct tb_profile profile;
  struct tb_decoder *decoder;
};

static bool
open_source (struct source *source, const struct tb_trace_stream *stream)
{
  const char *core = stream->core != NULL ? stream->core->type : "";
  memset (source, 0, sizeof *source);
  tb_profile_find (&source->profile, core);
  source->map = tb_memmap_new ();
  if (source->map == NULL
      || (stream->core != NULL
	  && tb_memmap_add_device (source->map, stream->core, NULL) != TB_OK)
      || tb_memmap_seal (source->map, NULL) != TB_OK)
    return false;
  struct tb_decoder_config config = {
    .source = stream->source, .core = stream->core, .buffer = stream->buffer,
    .profile = &source->profile, .map = source->map };
  source->decoder = tb_decoder_open (&config, NULL);
  return source->decoder != NULL;
}

static void
close_source (struct source *source)
{
  if (source->decoder != NULL)
    source->decoder->close (source->decoder);
  tb_memmap_free (source->map);
}

/* Lines, one after the other.  */
struct lines
{
  FILE *file;
  char line[256];
  unsigned number;
  bool ended;
};

/* The next line, without what comes after a tab and without the newline.  */
static void
next_line (struct lines *lines)
{
  lines->ended = fgets (lines->line, sizeof lines->line, lines->file) == NULL;
  lines->number++;
  if (lines->ended)
    lines->line[0] = '\0';
  lines->line[strcspn (lines->line, "\t\n")] = '\0';
}

static bool
is_wrong (const char *listing, const char *line)
{
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    if (strcmp (listing, wrong[i].listing) == 0
	&& strcmp (line, wrong[i].line) == 0)
      return true;
  return false;
}

/* Compare the lines of TEXT with those of the listing, up to the first that
   differs.  */
static bool
same_lines (const struct tb_buffer *text, struct lines *lines,
	    const char *listing, bool *skipped)
{
  const char *p = (const char *) text->data, *end = p + text->size;
  while (p < end)
    {
      size_t length = (const char *) memchr (p, '\n', end - p) - p;
      next_line (lines);
      while (is_wrong (listing, lines->line))
	{
	  *skipped = true;
	  next_line (lines);
	}
      if (*skipped && strncmp (lines->line, "# sum", 5) == 0
	  && strncmp (p, "# sum", 5) == 0)
	;
      else if (!CHECK (strlen (lines->line) == length
		       && memcmp (lines->line, p, length) == 0))
	{
	  fprintf (stderr, "%s:%u: \"%s\", but decoded \"%.*s\"\n", listing,
		   lines->number, lines->line, (int) length, p);
	  return false;
	}
      p += length + 1;
    }
  return true;
}

/* Check the section of ID; the listing stands at its first line.  */
static void
check_section (const struct tb_trace_stream *stream, unsigned id,
	       struct lines *lines, const char *listing)
{
  struct tb_element elements[1000];
  struct tb_element_sum sum = TB_ELEMENT_SUM_START;
  struct tb_buffer text = { 0 };
  struct source source;
  bool same = true, skipped = false;
  size_t n;
  if (!CHECK (open_source (&source, stream)))
    {
      close_source (&source);
      return;
    }
  struct tb_decoder *d = source.decoder;
  while (same && (n = d->read (d, elements, 1000)) > 0)
    {
      tb_buffer_clear (&text);
      for (size_t i = 0; i < n; i++)
	{
	  tb_element_text (&text, &elements[i]);
	  tb_element_sum_add (&sum, &elements[i], d->follow);
	}
      same = same_lines (&text, lines, listing, &skipped);
    }
  tb_buffer_clear (&text);
  tb_element_sum_text (&text, id, &sum);
  if (same)
    same_lines (&text, lines, listing, &skipped);
  tb_buffer_fini (&text);
  close_source (&source);
}

static const struct tb_trace_stream *
find_stream (const struct tb_snapshot *snapshot, const char *buffer,
	     unsigned id)
{
  for (size_t i = 0; i < snapshot->nstreams; i++)
    {
      const struct tb_trace_stream *stream = &snapshot->streams[i];
      if (strcmp (stream->buffer->name, buffer) == 0
	  && is_source (stream->source, id))
	return stream;
    }
  return NULL;
}

/* NAME is SNAPSHOT.BUFFER.txt, perhaps with .xz.  Listings of several buffers
   in one session (MULTI) are not for one decoder.  */
static void
check_listing (const char *shared, const char *name)
{
  char command[8192], snapshot_name[256], buffer[256];
  struct tb_snapshot snapshot;
  struct lines lines = { .ended = false };
  const char *dot = strchr (name, '.');
  snprintf (snapshot_name, sizeof snapshot_name, "%.*s", (int) (dot - name),
	    name);
  snprintf (buffer, sizeof buffer, "%s", dot + 1);
  *strstr (buffer, ".txt") = '\0';
  if (strcmp (buffer, "MULTI") == 0)
    return;
  snprintf (command, sizeof command, "%s/snapshots/%s", shared,
	    snapshot_name);
  if (!CHECK (tb_snapshot_open (&snapshot, command, NULL, NULL) == TB_OK))
    return;
  bool packed = strstr (name, ".xz") != NULL;
  snprintf (command, sizeof command, "%s '%s/golden/%s'",
	    packed ? "xz -dc" : "cat", shared, name);
  lines.file = popen (command, "r");
  if (CHECK (lines.file != NULL))
    {
      while (next_line (&lines), !lines.ended)
	{
	  unsigned id;
	  if (sscanf (lines.line, "# id 0x%x", &id) != 1)
	    continue;
	  const struct tb_trace_stream *stream
	    = find_stream (&snapshot, buffer, id);
	  if (stream != NULL)
	    check_section (stream, id, &lines, name);
	}
      pclose (lines.file);
    }
  tb_snapshot_close (&snapshot);
}

/* The number after KEY at or after *P, which moves behind it.  */
static bool
find_number (const char **p, const char *key, int base, uint64_t *value)
{
  const char *at = strstr (*p, key);
  if (at == NULL)
    return false;
  at += strlen (key);
  char *end;
  *value = strtoull (at, &end, base);
  *p = end;
  return end > at;
}

static void
check_hash (const char *name, const struct tb_trace_stream *stream,
	    uint64_t instructions, uint64_t hash)
{
  struct tb_element elements[1000];
  struct tb_element_sum sum = TB_ELEMENT_SUM_START;
  struct source source;
  size_t n;
  if (CHECK (open_source (&source, stream)))
    {
      struct tb_decoder *d = source.decoder;
      while ((n = d->read (d, elements, 1000)) > 0)
	for (size_t i = 0; i < n; i++)
	  tb_element_sum_add (&sum, &elements[i], d->follow);
      bool right = CHECK_INT (sum.instructions, instructions);
      right &= CHECK_INT (sum.pc_hash, hash);
      if (!right)
	fprintf (stderr, "%s, %s\n", name, stream->source->name);
    }
  close_source (&source);
}

/* A case's folder: what case.json says of each ETM or PTM source, and of the
   MTB that is recorded for speed.  */
static void
check_case (const char *directory)
{
  static char text[65536];
  char path[4200];
  snprintf (path, sizeof path, "%s/case.json", directory);
  FILE *file = fopen (path, "r");
  if (file == NULL)
    return;
  text[fread (text, 1, sizeof text - 1, file)] = '\0';
  fclose (file);
  /* Of MTBs the big one; the others are checked as recordings.  */
  if (strstr (text, "\"protocol\": \"etm") == NULL
      && strstr (text, "\"protocol\": \"ptm") == NULL
      && strstr (text, "\"name\": \"b4-mtb-m0\"") == NULL)
    return;
  struct tb_snapshot snapshot;
  if (!CHECK (tb_snapshot_open (&snapshot, directory, NULL, NULL) == TB_OK))
    return;
  const char *p = strstr (text, "\"sources\": [");
  uint64_t id, instructions, hash;
  if (p == NULL)
    {
      /* One source, for speed: the case itself says it all.  */
      const char *q = text;
      if (CHECK (find_number (&q, "\"instructions\": ", 10, &instructions)
		 && find_number (&q, "\"pc_fnv1a64\": \"", 16, &hash)
		 && snapshot.nstreams == 1))
	check_hash (directory, &snapshot.streams[0], instructions, hash);
      tb_snapshot_close (&snapshot);
      return;
    }
  while (find_number (&p, "\"stream_id\": ", 10, &id)
	 && find_number (&p, "\"instructions\": ", 10, &instructions)
	 && find_number (&p, "\"pc_fnv1a64\": \"", 16, &hash))
    {
      const struct tb_trace_stream *stream = NULL;
      for (size_t i = 0; i < snapshot.nstreams; i++)
	if (is_source (snapshot.streams[i].source, id))
	  stream = &snapshot.streams[i];
      if (CHECK (stream != NULL))
	check_hash (directory, stream, instructions, hash);
    }
  tb_snapshot_close (&snapshot);
}

/* Call CHECK_ONE for each entry of DIRECTORY whose name has PART in it.  */
static bool
each_entry (const char *directory, const char *part,
	    void (*check_one) (const char *directory, const char *name))
{
  DIR *dir = opendir (directory);
  struct dirent *entry;
  if (dir == NULL)
    return false;
  while ((entry = readdir (dir)) != NULL)
    if (strstr (entry->d_name, part) != NULL)
      check_one (directory, entry->d_name);
  closedir (dir);
  return true;
}

static void
check_golden (const char *directory, const char *name)
{
  char shared[4096];
  snprintf (shared, sizeof shared, "%s/..", directory);
  check_listing (shared, name);
}

static void
check_corpus (const char *directory, const char *name)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s", directory, name);
  check_case (path);
}

int
main (void)
{
  const char *shared = getenv ("TB_SHARED");
  char path[4096];
  snprintf (path, sizeof path, "%s/golden", shared != NULL ? shared : "");
  if (shared == NULL || !each_entry (path, ".txt", check_golden))
    return check_skip ("TB_SHARED is not set or has no golden listings");
  snprintf (path, sizeof path, "%s/corpus/cases", shared);
  CHECK (each_entry (path, "-", check_corpus));
  snprintf (path, sizeof path, "%s/corpus/bulk", shared);
  CHECK (each_entry (path, "-", check_corpus));
  return check_done ();
}
