/* The records of perf.data.  See records.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/records.h"

#include <inttypes.h>
#include <stdlib.h>

#include "snapshot/perf/unpack.h"
#include "util/buffer.h"
#include "util/number.h"

/* struct perf_event_attr: the end of its oldest version, and what is read of it.  */
#define ATTR_LEAST 64
#define ATTR_SAMPLE_TYPE 24
#define ATTR_FLAGS 40
#define SAMPLE_ID_ALL (UINT64_C (1) << 18)
#define USE_CLOCKID (UINT64_C (1) << 25)
/* Behind each attribute: where its IDs are.  */
#define IDS 16
/* More IDs than any system has CPUs and events.  */
#define MOST_EVENTS 1048576

/* What is kept of records is not bounded by the file where those are compressed: so many
   bytes come out, and so many more for each that is there.  */
#define MOST_UNPACKED (UINT64_C (16) << 20)
#define MOST_RATIO 256

/* What a record of the kernel's ends with, in this order; each has eight bytes.  */
enum
{
  SAMPLE_TID = 1 << 1, SAMPLE_TIME = 1 << 2, SAMPLE_ID = 1 << 6, SAMPLE_STREAM_ID = 1 << 9,
  SAMPLE_CPU = 1 << 7, SAMPLE_IDENTIFIER = 1 << 16
};
#define SAMPLE_ENDS (SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU \
		     | SAMPLE_IDENTIFIER)

void
tb_perf_fail (const struct tb_perf_reader *reader, uint64_t at, const char *expected,
	      uint64_t found)
{
  struct tb_reader *to = &reader->maker->reader;
  tb_error (to->diag, "%s: byte %#" PRIx64 ": expected %s, found %#" PRIx64, reader->path, at,
	    expected, found);
  to->status = TB_ERR_INPUT;
}

static int
compare_events (const void *left, const void *right)
{
  const struct tb_perf_event *a = left, *b = right;
  return a->id < b->id ? -1 : a->id > b->id;
}

/* Add the IDs of an attribute, COUNT of them at byte AT, whose records end with SAMPLE.  */
static void
add_ids (struct tb_perf_reader *reader, uint64_t at, uint64_t count, uint64_t sample,
	 size_t *capacity)
{
  if (!TB_GROW (reader->events, *capacity, reader->nevents, (size_t) count))
    {
      tb_no_memory (&reader->maker->reader);
      return;
    }
  for (uint64_t i = 0; i < count; i++)
    reader->events[reader->nevents++] = (struct tb_perf_event) {
      .id = tb_number_64 (reader->map->data + at + 8 * i), .sample = sample
    };
}

void
tb_perf_read_events (struct tb_perf_reader *reader, uint64_t at, uint64_t size, uint64_t each)
{
  const struct tb_filemap *map = reader->map;
  size_t capacity = 0;
  reader->alike = true;
  if (at > map->size || size > map->size - at || each < ATTR_LEAST + IDS)
    {
      tb_warning (reader->maker->reader.diag, "%s: byte 0x10: expected attributes of events, of "
		  "%d bytes at least, inside of the file, found %#" PRIx64 " bytes, each of %#"
		  PRIx64 ", at %#" PRIx64 ": which CPU wrote a record is not known",
		  reader->path, ATTR_LEAST + IDS, size, each, at);
      return;
    }
  for (uint64_t i = 0; i < size / each && reader->maker->reader.status == TB_OK; i++)
    {
      const uint8_t *attr = map->data + at + i * each;
      uint64_t sample = tb_number_64 (attr + ATTR_SAMPLE_TYPE) & SAMPLE_ENDS;
      if (!(tb_number_64 (attr + ATTR_FLAGS) & SAMPLE_ID_ALL))
	sample = 0;
      reader->other_clock |= (tb_number_64 (attr + ATTR_FLAGS) & USE_CLOCKID) != 0;
      reader->alike &= i == 0 || sample == reader->sample;
      reader->sample = sample;
      uint64_t ids = tb_number_64 (attr + each - IDS), length = tb_number_64 (attr + each - 8);
      if (ids > map->size || length > map->size - ids
	  || length / 8 > MOST_EVENTS - reader->nevents)
	tb_perf_fail (reader, at + i * each + each - IDS, "IDs inside of the file", ids);
      else
	add_ids (reader, ids, length / 8, sample, &capacity);
    }
  if (reader->nevents > 1)
    qsort (reader->events, reader->nevents, sizeof *reader->events, compare_events);
}

/* Read what RECORD, the kernel's, ends with.  */
static void
read_end (const struct tb_perf_reader *reader, struct tb_perf_record *record)
{
  uint64_t sample = reader->sample;
  const uint8_t *end = record->bytes + record->length;
  if (!reader->alike)
    {
      /* Where they differ, an identifier is last in all of them.  */
      const struct tb_perf_event key = {
	.id = record->length >= TB_PERF_HEAD + 8 ? tb_number_64 (end - 8) : 0
      };
      const struct tb_perf_event *event
	= reader->nevents > 0 ? bsearch (&key, reader->events, reader->nevents,
					 sizeof key, compare_events) : NULL;
      sample = event != NULL && event->sample & SAMPLE_IDENTIFIER ? event->sample : 0;
    }
  size_t size = 8 * (size_t) __builtin_popcountll (sample);
  if (size == 0 || record->length - TB_PERF_HEAD < size)
    return;
  end -= size;
  if (sample & SAMPLE_TID)
    {
      record->has_tid = true;
      record->pid = tb_number_32 (end);
      record->tid = tb_number_32 (end + 4);
      end += 8;
    }
  if (sample & SAMPLE_TIME)
    {
      record->time = tb_number_64 (end);
      end += 8;
    }
  end += 8 * (size_t) __builtin_popcountll (sample & (SAMPLE_ID | SAMPLE_STREAM_ID));
  if (sample & SAMPLE_CPU)
    {
      record->has_cpu = true;
      record->cpu = tb_number_32 (end);
    }
}

/* Give RECORD, whose bytes are set, to who takes them.  Returns how many bytes of trace are
   behind it; LEFT are there.  */
static uint64_t
give (const struct tb_perf_reader *reader, struct tb_perf_record *record, uint64_t left)
{
  static const struct { uint32_t type; size_t least; } least[] = {
    { TB_PERF_MMAP, 41 }, { TB_PERF_MMAP2, 73 }, { TB_PERF_AUX, 32 }, { TB_PERF_COMM, 17 },
    { TB_PERF_FORK, 32 }, { TB_PERF_ITRACE_START, 16 }, { TB_PERF_SWITCH_CPU_WIDE, 16 },
    { TB_PERF_AUX_OUTPUT_HW_ID, 16 }, { TB_PERF_AUXTRACE_INFO, 16 }, { TB_PERF_AUXTRACE, 48 },
    { TB_PERF_TIME_CONV, 32 }, { TB_PERF_COMPRESSED2, 16 }
  };
  record->misc = (uint16_t) tb_number_16 (record->bytes + 4);
  for (size_t i = 0; i < sizeof least / sizeof least[0]; i++)
    if (least[i].type == record->type && record->length < least[i].least)
      {
	tb_perf_fail (reader, record->at + 6, "a longer record of its type", record->length);
	return 0;
      }
  if (record->type < TB_PERF_KERNEL_LAST && record->type != TB_PERF_SAMPLE)
    read_end (reader, record);
  if (record->type == TB_PERF_AUXTRACE)
    {
      record->trace = record->bytes + record->length;
      record->trace_size = tb_number_64 (record->bytes + 8);
      if (record->trace_size > left)
	{
	  tb_warning (reader->maker->reader.diag, "%s: byte %#" PRIx64 ": expected %" PRIu64
		      " bytes of trace, found %" PRIu64 ": the file is cut", reader->path,
		      record->at, record->trace_size, left);
	  record->trace_size = left;
	}
    }
  reader->take (reader->context, record);
  return record->trace_size;
}

/* Records that came out of a compressed one at byte AT.  */
struct unpacked
{
  struct tb_perf_reader *reader;
  uint64_t at;
};

/* Take as many whole records as there are.  */
static size_t
take_unpacked (void *context, const uint8_t *bytes, size_t count)
{
  const struct unpacked *from = context;
  struct tb_perf_reader *reader = from->reader;
  size_t done = 0;
  while (reader->maker->reader.status == TB_OK && count - done >= TB_PERF_HEAD)
    {
      struct tb_perf_record record = {
	.bytes = bytes + done, .at = from->at, .type = tb_number_32 (bytes + done),
	.length = tb_number_16 (bytes + done + 6)
      };
      if (record.length < TB_PERF_HEAD)
	tb_perf_fail (reader, from->at, "the size of each compressed record, 8 at least",
		      record.length);
      else if (record.type == TB_PERF_AUXTRACE || record.type == TB_PERF_COMPRESSED
	       || record.type == TB_PERF_COMPRESSED2)
	/* perf writes trace as it is; where what is behind the record would be nobody
	   says.  */
	tb_perf_fail (reader, from->at, "compressed records of the kernel's", record.type);
      else if (record.length > count - done)
	break;
      else
	give (reader, &record, 0);
      done += record.length;
    }
  reader->unpacked += done;
  if (reader->maker->reader.status == TB_OK
      && reader->unpacked > MOST_UNPACKED + MOST_RATIO * reader->packed)
    tb_perf_fail (reader, from->at, "compressed records of no more than 256 times their size",
		  reader->unpacked);
  /* Nothing is kept where it ends.  */
  return reader->maker->reader.status != TB_OK || done > count ? count : done;
}

/* Unpack RECORD.  */
static void
unpack (struct tb_perf_reader *reader, const struct tb_perf_record *record)
{
  struct unpacked from = { reader, record->at };
  bool sized = record->type == TB_PERF_COMPRESSED2;
  size_t head = TB_PERF_HEAD + (sized ? 8 : 0), size = record->length - head;
  if (reader->broken || !tb_perf_unpacks ())
    {
      reader->compressed++;
      return;
    }
  if (reader->unpacker == NULL)
    reader->unpacker = tb_perf_unpacker_new ();
  /* The second kind is filled up to eight bytes.  */
  uint64_t told = sized ? tb_number_64 (record->bytes + TB_PERF_HEAD) : size;
  if (told > size)
    {
      tb_perf_fail (reader, record->at + TB_PERF_HEAD, "the size of what is compressed inside "
		    "of the record", told);
      return;
    }
  reader->packed += told;
  enum tb_perf_unpacked outcome
    = reader->unpacker == NULL ? TB_PERF_UNPACK_NO_MEMORY
      : tb_perf_unpack (reader->unpacker, record->bytes + head, (size_t) told, take_unpacked,
			&from);
  if (outcome == TB_PERF_UNPACK_NO_MEMORY)
    tb_no_memory (&reader->maker->reader);
  else if (outcome == TB_PERF_UNPACK_BROKEN && reader->maker->reader.status == TB_OK)
    {
      /* Nor can what continues it.  */
      tb_warning (reader->maker->reader.diag, "%s: byte %#" PRIx64 ": expected records "
		  "compressed by zstd, found others, or cut ones", reader->path, record->at);
      reader->broken = true;
      reader->compressed++;
    }
}

void
tb_perf_read_records (struct tb_perf_reader *reader, uint64_t at, uint64_t size)
{
  const uint8_t *data = reader->map->data;
  uint64_t end = at + size;
  while (reader->maker->reader.status == TB_OK && end - at >= TB_PERF_HEAD)
    {
      struct tb_perf_record record = {
	.bytes = data + at, .at = at, .type = tb_number_32 (data + at),
	.length = tb_number_16 (data + at + 6)
      };
      if (record.length < TB_PERF_HEAD)
	{
	  tb_perf_fail (reader, at + 6, "the size of a record, 8 at least", record.length);
	  return;
	}
      if (record.length > end - at)
	{
	  tb_warning (reader->maker->reader.diag, "%s: byte %#" PRIx64 ": expected a record of "
		      "%zu bytes, found the end of the data: the file is cut", reader->path,
		      at, record.length);
	  return;
	}
      at += record.length;
      at += give (reader, &record, end - at);
      if ((record.type == TB_PERF_COMPRESSED || record.type == TB_PERF_COMPRESSED2)
	  && reader->maker->reader.status == TB_OK)
	unpack (reader, &record);
    }
}

void
tb_perf_reader_next (struct tb_perf_reader *reader, const char *path,
		     const struct tb_filemap *map)
{
  reader->path = path;
  reader->map = map;
  tb_perf_unpacker_free (reader->unpacker);
  reader->unpacker = NULL;
  reader->broken = false;
}

void
tb_perf_reader_fini (struct tb_perf_reader *reader)
{
  free (reader->events);
  tb_perf_unpacker_free (reader->unpacker);
}
