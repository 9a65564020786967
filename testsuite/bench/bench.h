/* The benchmark's parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/session.h"

/* How far the bytes of a buffer are taken.  */
enum bench_stage
{
  BENCH_BYTES,		/* The deformatter alone: bytes of each ID.  */
  BENCH_PACKETS,	/* Deformatter and packets.  */
  BENCH_ELEMENTS	/* All the way to elements.  */
};

/* What a counting consumer counts of one source.  */
struct bench_count
{
  uint64_t bytes;		/* BENCH_BYTES  */
  uint64_t packets;		/* BENCH_PACKETS  */
  uint64_t elements;		/* Of any kind.  */
  uint64_t ranges;
  uint64_t instructions;	/* In the ranges.  */
};

/* A memory image of a core, and where it lies in its file.  */
struct bench_dump
{
  const struct tb_dump *dump;
  uint64_t offset;
};

/* A buffer of a snapshot, opened once for both decoders.  */
struct bench_input
{
  struct tb_session session;
  const struct tb_trace_buffer *buffer;
  const struct tb_session_stream **streams;	/* Those in BUFFER.  */
  size_t nstreams;
  /* Of all cores; what several of them have at one address only once.  */
  struct bench_dump *dumps;
  size_t ndumps;
  const uint8_t *bytes;		/* All of BUFFER, in RAM.  */
  uint8_t *copy;
  /* Who wants the peer's elements (ocsd_generic_trace_elem) of each stream; NULL: they are
     counted.  */
  void (*take) (void *context, size_t stream, const void *element);
  void *take_context;
};

/* The one who decodes.  All functions but the first two may be called only
   after OPEN succeeded.  */
struct bench_decoder
{
  const char *name;
  /* Make ready for INPUT; NULL when this decoder cannot do STAGE.  */
  void *(*open) (const struct bench_input *input, enum bench_stage stage);
  /* Decode all of the buffer; COUNTS has an entry a stream of INPUT.  Returns
     how many bytes of the buffer were not decoded because of an error.  */
  uint64_t (*decode) (void *decoder, struct bench_count *counts);
  /* Back to the start, keeping what may be kept; NULL: cannot.  Before the first
     "decode", "mark" must have noted where that is, which is no part of what
     decoding takes; false: it could not.  */
  bool (*mark) (void *decoder);
  void (*rewind) (void *decoder);
  void (*close) (void *decoder);
};

/* The peer: libopencsd, with memory images read from files, as its own tools
   do; with the images in RAM; and with a function that is asked for bytes.  */
extern const struct bench_decoder bench_peer_files;
extern const struct bench_decoder bench_peer_ram;
extern const struct bench_decoder bench_peer_callback;
const char *bench_peer_version (void);

extern const struct bench_decoder bench_ours;

/* One row.  */
struct bench_workload
{
  const char *snapshot;		/* In the directory of captures.  */
  const char *buffer;		/* NULL: the first.  */
  enum bench_stage stage;
};

extern const struct bench_workload bench_workloads[];
extern const size_t bench_nworkloads;

/* CPU seconds of this thread.  */
double bench_clock (void);

/* Open WORKLOAD under DIRECTORY; false where it is not there or not whole.  */
bool bench_input_open (struct bench_input *input, const char *directory,
		       const struct bench_workload *workload);
void bench_input_close (struct bench_input *input);

/* Write a trace file of FRAMES frames to a temporary file under /tmp or
   TMPDIR; returns the CPU seconds, or a negative number if it failed, and the
   file's size.  */
double bench_tracefile (uint64_t frames, uint64_t *size);

#endif /* BENCH_H */
