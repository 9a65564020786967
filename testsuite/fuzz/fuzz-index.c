/* Index files, as somebody with the secret could write them: whatever they say, who reads from
   the start gets what the trace says.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses what is changed; for the file of a trace, patches: a place
   (2 bytes), what to add to it (1 byte); or a part of a file.  Keys and tags are made to
   fit.  */

#include "config.h"
#include "fuzz.h"

#include "long-trace.h"
#include "recording/index-store.h"
#include "util/fnv.h"

static char folder[] = "/tmp/fuzz-index-XXXXXX";
static char file[sizeof folder + 20], secret_file[sizeof folder + 20];

/* The trace, its index, and what its steps are.  */
static struct run run;
static struct tb_mac_key key;
static struct tb_index index_of_run;
static struct tb_buffer stream_part, source_part;
static uint64_t steps, hash;

static struct tb_recording *
open_run (void)
{
  static const struct tb_index_options index = { .cache = folder, .file = file };
  const struct tb_recording_options options = { .jobs = 1, .index = &index };
  return tb_recording_open_trace (&run.config, &options, NULL);
}

/* The hash of all steps of R, from the first on; sets *COUNT to how many there are.  */
static uint64_t
read_all (struct tb_recording *r, uint64_t *count)
{
  static struct tb_step some[256];
  uint64_t sum = TB_FNV_START;
  size_t n;
  *count = 0;
  while ((n = tb_recording_read (r, *count, some, 256)) > 0)
    {
      for (size_t i = 0; i < n; i++)
	sum = tb_fnv_u64 (tb_fnv_u64 (sum, some[i].pc), some[i].flags);
      *count += n;
    }
  return sum;
}

static void
remove_files (void)
{
  unlink (file);
  unlink (secret_file);
  rmdir (folder);
}

static void
prepare (void)
{
  static struct tb_buffer trace, frames;
  uint8_t secret[TB_MAC_SECRET];
  MUST (mkdtemp (folder) != NULL);
  snprintf (file, sizeof file, "%s/index", folder);
  snprintf (secret_file, sizeof secret_file, "%s/secret", folder);
  atexit (remove_files);
  /* So long that the index has places in the middle.  */
  long_trace_make (&trace, 60000, 400);
  long_trace_frame (&frames, &trace);
  MUST (run_init (&run, &long_trace_unit, frames.data, frames.size));
  run.buffer.format = TB_FORMAT_CORESIGHT;
  struct tb_recording *r = open_run ();
  MUST (r != NULL);
  hash = read_all (r, &steps);
  tb_recording_close (r);
  MUST (steps > 1000 && tb_index_secret (folder, secret, NULL) == TB_OK);
  tb_mac_key_init (&key, secret);
  MUST (tb_index_load (&index_of_run, file, tb_index_buffer_key (&run.buffer, &key), &key,
		       NULL));
  MUST (index_of_run.nstreams == 1 && index_of_run.has_source
	&& index_of_run.streams[0].npoints > 3);
  tb_index_encode_stream (&index_of_run.streams[0], &stream_part);
  tb_index_encode_source (&index_of_run.source, &source_part);
}

/* Parts of the SIZE bytes DATA.  */
static void
try_parts (const uint8_t *data, size_t size)
{
  struct tb_index_stream stream;
  struct tb_source_index source;
  uint64_t totals[TB_TRACE_IDS];
  if (tb_index_decode_stream (&stream, data, size))
    {
      MUST (tb_index_step (&stream, UINT64_MAX) != NULL);
      MUST (tb_index_byte (&stream, 0) != NULL);
      MUST (tb_index_timestamp (&stream, 5) != NULL);
      tb_index_stream_fini (&stream);
    }
  if (tb_index_decode_source (&source, data, size))
    {
      tb_source_index_totals (&source, totals);
      tb_source_index_next (&source, 0x10, 0);
      tb_source_index_fini (&source);
    }
}

/* The recording opened by an index with SOURCE or STREAM in place of its own.  */
static void
try_index (const struct tb_source_index *source, struct tb_index_stream *stream)
{
  struct tb_index changed = index_of_run;
  if (source != NULL)
    changed.source = *source;
  if (stream != NULL)
    {
      stream->key = index_of_run.streams[0].key;
      changed.streams = stream;
    }
  tb_index_save (&changed, file, &key, NULL);
  struct tb_recording *r = open_run ();
  uint64_t count;
  MUST (r != NULL && read_all (r, &count) == hash && count == steps
	&& tb_recording_steps (r) == steps);
  tb_recording_close (r);
}

FUZZ_TARGET (index)
{
  if (steps == 0)
    prepare ();
  struct fuzz_reader in = { data, data + size };
  unsigned what = fuzz_u8 (&in) % 4;
  if (what == 0)
    {
      try_parts (in.at, (size_t) (in.end - in.at));
      return 0;
    }
  struct tb_buffer *part = what == 1 ? &source_part : &stream_part;
  struct tb_buffer changed = { 0 };
  tb_buffer_append (&changed, part->data, part->size);
  for (unsigned i = 0; i < 8 && in.at < in.end; i++)
    {
      size_t at = fuzz_u16 (&in) % changed.size;
      changed.data[at] = (uint8_t) (changed.data[at] + fuzz_u8 (&in));
    }
  try_parts (changed.data, changed.size);
  struct tb_index_stream stream;
  struct tb_source_index source;
  if (what == 1 && tb_index_decode_source (&source, changed.data, changed.size))
    {
      try_index (&source, NULL);
      tb_source_index_fini (&source);
    }
  else if (what != 1 && tb_index_decode_stream (&stream, changed.data, changed.size))
    {
      try_index (NULL, &stream);
      tb_index_stream_fini (&stream);
    }
  tb_buffer_fini (&changed);
  return 0;
}
