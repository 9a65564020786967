/* The index of a trace buffer: counts, places to read from, triggers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Where the environment variable TB_SHARED names the directory that has them,
   with real captures too.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "coresight/source-index.h"
#include "util/buffer.h"

/* From each block on, ID reads as from the start.  */
static void
check_places (const struct tb_source_index *index,
	      const struct tb_trace_buffer *buffer, unsigned id)
{
  struct tb_stream *on = tb_stream_open (buffer, id);
  struct tb_stream *there = tb_stream_open (buffer, id);
  size_t block = 0;
  if (!CHECK (on != NULL && there != NULL))
    return;
  for (;;)
    {
      size_t length, other;
      bool last, end;
      const uint8_t *p = tb_stream_peek (on, &length, &last), *q;
      if (length == 0)
	{
	  if (tb_stream_pass_break (on))
	    continue;
	  break;
	}
      uint64_t byte = tb_stream_index (on, 0);
      while (block < index->nblocks
	     && index->blocks[block].start.offset <= byte)
	{
	  tb_stream_seek (there, &index->blocks[block].start);
	  do
	    q = tb_stream_peek (there, &other, &end);
	  while (other == 0 && tb_stream_pass_break (there));
	  if (!CHECK (other > 0) || !CHECK_INT (tb_stream_index (there, 0), byte)
	      || !CHECK_INT (*q, *p))
	    return;
	  block++;
	}
      tb_stream_consume (on, 1);
    }
  tb_stream_close (on);
  tb_stream_close (there);
}

static void
check_buffer (const struct tb_trace_buffer *buffer, uint64_t block_size)
{
  struct tb_source_index whole, bits;
  uint64_t counts[TB_TRACE_IDS], totals[TB_TRACE_IDS], syncs, sum = 0;
  tb_source_index_init (&whole, buffer, block_size);
  CHECK_INT (whole.covered, 0);
  CHECK_INT (tb_source_index_extend (&whole, buffer, buffer->size), TB_OK);
  CHECK_INT (whole.covered, buffer->size);
  tb_stream_census (buffer, counts, &syncs);
  tb_source_index_totals (&whole, totals);
  for (unsigned id = 0; id < TB_TRACE_IDS; id++)
    {
      CHECK_INT (totals[id], counts[id]);
      if (counts[id] > 0 && id > 0)
	{
	  check_places (&whole, buffer, id);
	  CHECK (tb_source_index_next (&whole, id, 0) != NULL);
	}
      else if (counts[id] == 0)
	CHECK (tb_source_index_next (&whole, id, 0) == NULL);
    }
  for (size_t i = 0; i < whole.nblocks; i++)
    sum += whole.blocks[i].full_syncs;
  CHECK_INT (sum, syncs);

  /* Bit by bit it is the same.  */
  tb_source_index_init (&bits, buffer, block_size);
  for (uint64_t to = 1; to < buffer->size + 5000; to += 5000)
    {
      CHECK_INT (tb_source_index_extend (&bits, buffer, to), TB_OK);
      CHECK (bits.covered >= (to < buffer->size ? to : buffer->size));
      CHECK (tb_source_index_block (&bits, bits.covered) == NULL);
    }
  if (CHECK_INT (bits.nblocks, whole.nblocks)
      && CHECK_INT (bits.ncounts, whole.ncounts))
    {
      for (size_t i = 0; i < bits.nblocks; i++)
	{
	  const struct tb_source_block *x = &bits.blocks[i];
	  const struct tb_source_block *y = &whole.blocks[i];
	  CHECK_INT (x->start.offset, y->start.offset);
	  CHECK_INT (x->start.id, y->start.id);
	  CHECK_INT (x->full_syncs, y->full_syncs);
	  CHECK_INT (x->ncounts, y->ncounts);
	}
      for (size_t i = 0; i < bits.ncounts; i++)
	{
	  CHECK_INT (bits.counts[i].id, whole.counts[i].id);
	  CHECK_INT (bits.counts[i].bytes, whole.counts[i].bytes);
	}
    }
  tb_source_index_fini (&whole);
  tb_source_index_fini (&bits);
}

/* Frames of IDs 0x10 and 0x11, with a trigger now and then.  */
static void
test_made (void)
{
  struct tb_buffer frames = { 0 };
  unsigned triggers = 0;
  for (unsigned n = 0; n < 5000; n++)
    {
      uint8_t frame[16];
      for (unsigned i = 0; i < 16; i++)
	frame[i] = n * 7 + i * 2;
      for (unsigned i = 0; i < 15; i += 2)
	frame[i] &= ~1;
      if (n == 0 || n % 37 == 5)
	frame[0] = (0x10 + n % 2) << 1 | 1;
      if (n % 1000 == 999)
	{
	  /* The trigger's byte, then the ID that was.  */
	  frame[4] = 0x7d << 1 | 1;
	  frame[6] = 0x10 << 1 | 1;
	  frame[15] &= ~0xc;
	  triggers++;
	}
      tb_buffer_append (&frames, frame, 16);
    }
  struct tb_span span = { frames.data, frames.size };
  struct tb_trace_buffer buffer = {
    .id = "b", .name = "b", .format = TB_FORMAT_CORESIGHT,
    .format_name = "coresight", .spans = &span, .nspans = 1,
    .size = frames.size
  };
  check_buffer (&buffer, 1);
  check_buffer (&buffer, 5000);
  check_buffer (&buffer, 0);

  struct tb_source_index index;
  tb_source_index_init (&index, &buffer, 4096);
  CHECK_INT (tb_source_index_extend (&index, &buffer, 40000), TB_OK);
  CHECK (index.covered >= 40000 && index.covered < 45000);
  CHECK_INT (tb_source_index_extend (&index, &buffer, UINT64_MAX), TB_OK);
  CHECK_INT (index.ntriggers, triggers);
  CHECK_INT (index.triggers[0], 999 * 16 + 5);
  CHECK_INT (tb_source_index_block (&index, index.triggers[0])->triggers, 1);
  CHECK (tb_source_index_block (&index, buffer.size) == NULL);
  tb_source_index_fini (&index);
  tb_buffer_fini (&frames);
}

static void
test_real (const char *shared)
{
  char path[1024];
  snprintf (path, sizeof path, "%s/snapshots", shared);
  DIR *dir = opendir (path);
  struct dirent *entry;
  if (!CHECK (dir != NULL))
    return;
  while ((entry = readdir (dir)) != NULL)
    {
      struct tb_snapshot snapshot;
      snprintf (path, sizeof path, "%s/snapshots/%s", shared, entry->d_name);
      if (entry->d_name[0] == '.'
	  || tb_snapshot_open (&snapshot, path, NULL, NULL) != TB_OK)
	continue;
      for (size_t i = 0; i < snapshot.nbuffers; i++)
	if (snapshot.buffers[i].format != TB_FORMAT_SOURCE_DATA)
	  {
	    check_buffer (&snapshot.buffers[i], 1024);
	    check_buffer (&snapshot.buffers[i], 10000);
	  }
      tb_snapshot_close (&snapshot);
    }
  closedir (dir);
}

int
main (void)
{
  test_made ();
  const char *shared = getenv ("TB_SHARED");
  if (shared != NULL)
    test_real (shared);
  return check_done ();
}
