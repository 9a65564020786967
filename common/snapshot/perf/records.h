/* The records of perf.data, one after the other.  See data.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Compressed records (tools/perf/util/compress.h, zstd.c) are one stream of zstd in the
   order of the file, flushed at the end of each; what comes out are records.  */

#ifndef TB_SNAPSHOT_PERF_RECORDS_H
#define TB_SNAPSHOT_PERF_RECORDS_H

#include "snapshot/maker.h"
#include "util/filemap.h"

/* Types of records: the kernel's, then perf's own.  */
enum
{
  TB_PERF_MMAP = 1, TB_PERF_LOST = 2, TB_PERF_COMM = 3, TB_PERF_FORK = 7, TB_PERF_SAMPLE = 9,
  TB_PERF_MMAP2 = 10, TB_PERF_AUX = 11, TB_PERF_ITRACE_START = 12, TB_PERF_SWITCH = 14,
  TB_PERF_SWITCH_CPU_WIDE = 15, TB_PERF_AUX_OUTPUT_HW_ID = 21, TB_PERF_KERNEL_LAST = 63,
  TB_PERF_AUXTRACE_INFO = 70, TB_PERF_AUXTRACE = 71, TB_PERF_TIME_CONV = 79,
  TB_PERF_COMPRESSED = 81,
  TB_PERF_COMPRESSED2 = 83
};

/* What perf gives as the process of the kernel's code.  */
#define TB_PERF_KERNEL UINT32_MAX

/* Before the first of a record's own bytes: type, misc, size.  */
#define TB_PERF_HEAD 8

struct tb_perf_record
{
  const uint8_t *bytes;		/* LENGTH of them, with the head.  */
  size_t length;
  uint64_t at;			/* In the file; of one that was compressed where that is.  */
  uint32_t type;
  uint16_t misc;
  const uint8_t *trace;		/* AUXTRACE: what is behind it, TRACE_SIZE bytes.  */
  uint64_t trace_size;
  /* Who ran where, as the kernel says at the end of its records.  */
  bool has_tid, has_cpu;
  uint32_t pid, tid, cpu;
  uint64_t time;		/* When; 0: not told, or before all.  */
};

/* One event's settings, as far as they say what ends its records.  */
struct tb_perf_event
{
  uint64_t id;
  uint64_t sample;		/* sample_type; 0: nothing does.  */
};

struct tb_perf_unpacker;

/* Zero but for MAKER, PATH and MAP before use.  */
struct tb_perf_reader
{
  struct tb_maker *maker;
  const char *path;
  const struct tb_filemap *map;
  struct tb_perf_event *events;	/* By ID.  */
  size_t nevents;
  uint64_t sample;		/* Of all, if they are alike, else 0.  */
  bool alike;
  bool other_clock;		/* Times are not of the kernel's clock for perf (use_clockid).  */
  struct tb_perf_unpacker *unpacker;
  size_t compressed;		/* Records that could not be unpacked.  */
  bool broken;			/* What follows in the file cannot, either.  */
  uint64_t packed, unpacked;	/* Bytes so far.  */
  void (*take) (void *context, const struct tb_perf_record *record);
  void *context;
};

/* An error of READER's file at byte AT: there is no EXPECTED, but FOUND.  */
void tb_perf_fail (const struct tb_perf_reader *reader, uint64_t at, const char *expected,
		   uint64_t found);

/* Read what ends the records from the attributes: SIZE bytes at byte AT, each of EACH.  */
void tb_perf_read_events (struct tb_perf_reader *reader, uint64_t at, uint64_t size,
			  uint64_t each);

/* Go on with the file PATH, which has nothing but records, in MAP: what is compressed there is a
   stream of its own.  */
void tb_perf_reader_next (struct tb_perf_reader *reader, const char *path,
			  const struct tb_filemap *map);

/* Give all records of SIZE bytes at byte AT to TAKE.  Errors go to the maker.  */
void tb_perf_read_records (struct tb_perf_reader *reader, uint64_t at, uint64_t size);

void tb_perf_reader_fini (struct tb_perf_reader *reader);

#endif /* TB_SNAPSHOT_PERF_RECORDS_H */
