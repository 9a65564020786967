/* The trace in perf.data.  See trace.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "snapshot/perf/code.h"
#include "util/buffer.h"
#include "util/number.h"
#include "util/search.h"

/* Flags of AUX records.  */
enum
{
  AUX_TRUNCATED = 1, AUX_OVERWRITE = 2, AUX_PARTIAL = 4, AUX_COLLISION = 8, AUX_RAW = 0x100
};
/* perf fills its pieces up to this.  */
#define ALIGNMENT 8

static bool
take_piece (struct tb_perf_trace *trace, const struct tb_perf_record *record)
{
  const uint8_t *bytes = record->bytes;
  if (record->trace_size == 0)
    return true;
  if (!TB_GROW (trace->pieces, trace->pieces_capacity, trace->npieces, 1))
    return false;
  trace->pieces[trace->npieces++] = (struct tb_perf_piece) {
    .index = tb_number_32 (bytes + 32), .tid = tb_number_32 (bytes + 36),
    .cpu = tb_number_32 (bytes + 40), .offset = tb_number_64 (bytes + 16),
    .data = record->trace, .size = record->trace_size
  };
  return true;
}

bool
tb_perf_trace_take (struct tb_perf_trace *trace, const struct tb_perf_record *record)
{
  if (record->type == TB_PERF_AUXTRACE)
    return take_piece (trace, record);
  struct tb_perf_aux aux = {
    .offset = tb_number_64 (record->bytes + 8), .size = tb_number_64 (record->bytes + 16),
    .flags = tb_number_64 (record->bytes + 24), .tid = record->tid,
    .time = record->time, .number = trace->naux,
    .cpu = record->has_cpu ? record->cpu : TB_PERF_NO_CPU
  };
  trace->raw |= (aux.flags & AUX_RAW) != 0;
  trace->truncated += (aux.flags & (AUX_TRUNCATED | AUX_PARTIAL)) != 0;
  trace->collisions += (aux.flags & AUX_COLLISION) != 0;
  trace->lost_order |= !record->has_cpu && !record->has_tid;
  if (!TB_GROW (trace->aux, trace->aux_capacity, trace->naux, 1))
    return false;
  trace->aux[trace->naux++] = aux;
  return true;
}

/* By buffer, then by where they were in it; pieces that were written twice in the order of
   the file.  */
static int
compare_pieces (const void *left, const void *right)
{
  const struct tb_perf_piece *a = left, *b = right;
  if (a->index != b->index)
    return a->index < b->index ? -1 : 1;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return a->data < b->data ? -1 : a->data > b->data;
}

/* By where they are in a buffer, then by when that was, then as in the file.  */
static int
compare_aux (const struct tb_perf_aux *a, const struct tb_perf_aux *b)
{
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

static int
compare_by_cpu (const void *left, const void *right)
{
  const struct tb_perf_aux *a = left, *b = right;
  if (a->cpu != b->cpu)
    return a->cpu < b->cpu ? -1 : 1;
  return compare_aux (a, b);
}

static int
compare_by_tid (const void *left, const void *right)
{
  const struct tb_perf_aux *a = left, *b = right;
  if (a->tid != b->tid)
    return a->tid < b->tid ? -1 : 1;
  return compare_aux (a, b);
}

/* The AUX records of the buffer that PIECE is of: *COUNT from the one returned on, of those
   that are sorted by CPU or by thread.  NULL: none.  */
static const struct tb_perf_aux *
aux_of (const struct tb_perf_trace *trace, const struct tb_perf_piece *piece, size_t *count)
{
  bool wide = piece->cpu != TB_PERF_NO_CPU;
  size_t low;
  *count = 0;
  TB_LOWER_BOUND (low, trace->naux, wide ? trace->aux[low].cpu < piece->cpu
				    : trace->aux[low].tid < piece->tid);
  for (size_t i = low; i < trace->naux
		       && (wide ? trace->aux[i].cpu == piece->cpu
			   : trace->aux[i].tid == piece->tid); i++)
    ++*count;
  return *count > 0 ? &trace->aux[low] : NULL;
}

/* Buffers while they are made.  */
struct stitching
{
  struct tb_maker *maker;
  size_t buffer;
  const struct tb_perf_piece *pieces;	/* Of the buffer, COUNT of them.  */
  size_t count;
  size_t spans;			/* That the buffer has.  */
  uint64_t reached;		/* Where the last one ended.  */
  uint64_t missing;		/* Bytes that records AUX tell of, but no piece has.  */
  bool raw;
};

/* The first of M's pieces that may have a byte at OFFSET or behind it.  */
static size_t
piece_at (const struct stitching *m, uint64_t offset)
{
  size_t low;
  TB_LOWER_BOUND (low, m->count, m->pieces[low].offset <= offset);
  return low > 0 ? low - 1 : 0;
}

/* Where the bytes of piece NUMBER end.  The one behind it has what perf wrote over its
   filling.  */
static uint64_t
end_of (const struct stitching *m, size_t number)
{
  const struct tb_perf_piece *piece = &m->pieces[number];
  uint64_t end = piece->size < UINT64_MAX - piece->offset ? piece->offset + piece->size
		 : UINT64_MAX;
  return number + 1 < m->count && m->pieces[number + 1].offset < end
	 ? m->pieces[number + 1].offset : end;
}

/* Add the bytes from FIRST up to END as far as there are pieces, which go on from what was
   before unless FRESH or a piece is missing.  Leave out less than LEAST bytes of a piece.  Returns
   how many bytes there are.  */
static uint64_t
add_fragment (struct stitching *m, uint64_t first, uint64_t end, bool fresh, uint64_t least)
{
  uint64_t there = 0;
  for (size_t i = piece_at (m, first); i < m->count && m->pieces[i].offset < end; i++)
    {
      const struct tb_perf_piece *piece = &m->pieces[i];
      uint64_t from = piece->offset > first ? piece->offset : first;
      uint64_t to = end_of (m, i) < end ? end_of (m, i) : end;
      if (from >= to || to - from < least)
	continue;
      if ((fresh || from != m->reached) && m->spans > 0)
	tb_maker_break (m->maker, m->buffer);
      fresh = least > 0;
      tb_maker_span (m->maker, m->buffer, piece->data + (from - piece->offset), to - from);
      m->spans++;
      m->reached = to;
      there += to - from;
    }
  return there;
}

/* Add the bytes of a buffer, of which N records AUX tell.  Where these were lost, what a
   piece has is all that is known; less than it is filled up to is its filling.  */
static void
add_bytes (struct stitching *m, const struct tb_perf_aux *aux, size_t n)
{
  uint64_t done = 0, stopped = 0;
  for (size_t i = 0; i < n; i++)
    {
      size_t spans = tb_maker_spans (m->maker, m->buffer);
      uint64_t first = aux[i].offset, end = first + aux[i].size;
      if (aux[i].flags & AUX_OVERWRITE)
	{
	  /* The head is where it ends, and the pieces have what was left of it.  */
	  end = first;
	  first = aux[i].size < end ? end - aux[i].size : 0;
	}
      if (first < done)
	first = done;
      if (first >= end)
	continue;
      bool gap = first > done;
      if (gap)
	add_fragment (m, done, first, true, ALIGNMENT);
      /* Of what a trace unit writes by itself into memory, a stop loses nothing unless that
	 is told; frames begin anew.  */
      bool lost = i > 0 && aux[i - 1].flags & (AUX_TRUNCATED | AUX_PARTIAL);
      m->missing += end - first - add_fragment (m, first, end, !m->raw || gap || lost, 0);
      done = end;
      /* What was left from before could be in a buffer that is written round.  */
      if (aux[i].flags & AUX_OVERWRITE || gap)
	stopped = 0;
      if (aux[i].time >= stopped)
	tb_maker_written (m->maker, m->buffer, spans, stopped, aux[i].time);
      stopped = aux[i].time > stopped ? aux[i].time : stopped;
    }
  /* Nobody tells of any: they are what is there.  */
  add_fragment (m, done, UINT64_MAX, n > 0, n > 0 ? ALIGNMENT : 0);
  if (n > 0)
    tb_maker_written (m->maker, m->buffer, tb_maker_spans (m->maker, m->buffer), 0, 0);
}

/* Add the streams of the buffer of PIECE.  */
static void
add_streams (struct stitching *m, struct tb_perf_units *units,
	     const struct tb_perf_piece *piece, bool joined, enum tb_space space)
{
  if (joined)
    {
      const struct tb_perf_unit thread
	= tb_perf_units_copy (units, m->maker, &units->items[0], piece->tid);
      if (m->maker->reader.status != TB_OK)
	return;
      tb_maker_stream (m->maker, thread.source, thread.core, m->buffer);
      tb_maker_space (m->maker, space);
      tb_maker_join (m->maker, m->buffer);
      return;
    }
  for (size_t k = 0; k < units->count; k++)
    {
      struct tb_perf_unit *unit = &units->items[k];
      /* A thread's trace comes from any CPU.  */
      if (piece->cpu != TB_PERF_NO_CPU && piece->cpu != unit->cpu)
	continue;
      tb_maker_stream (m->maker, unit->source, unit->core, m->buffer);
      tb_maker_space (m->maker, space);
      tb_maker_sink (m->maker, unit->sink);
      unit->has_buffer |= piece->cpu != TB_PERF_NO_CPU;
    }
}

/* What the buffers have in common while they are made.  */
struct trace_maker
{
  struct tb_perf_trace *trace;
  struct tb_perf_units *units;
  struct tb_maker *maker;
  bool alike;			/* One decoder reads all trace units.  */
  uint64_t missing;		/* Bytes that are not there.  */
  bool untold;			/* A thread's trace is that of units that differ.  */
  bool shared;
};

/* Make the buffer of the COUNT pieces from PIECE on, the code of whose thread is in SPACE.  */
static void
make_buffer (struct trace_maker *to, const struct tb_perf_piece *piece, size_t count,
	     enum tb_space space)
{
  const struct tb_perf_trace *trace = to->trace;
  bool wide = piece->cpu != TB_PERF_NO_CPU;
  size_t n = 0;
  const struct tb_perf_aux *aux = trace->lost_order ? NULL : aux_of (trace, piece, &n);
  bool raw = n > 0 ? (aux[0].flags & AUX_RAW) != 0 : trace->raw;
  char name[32];
  snprintf (name, sizeof name, "aux%" PRIu32, piece->index);
  struct stitching m = {
    .maker = to->maker, .pieces = piece, .count = count, .raw = raw,
    .buffer = tb_maker_buffer (to->maker, name, raw ? TB_FORMAT_SOURCE_DATA
			       : TB_FORMAT_CORESIGHT)
  };
  if (to->maker->reader.status != TB_OK)
    return;
  add_bytes (&m, aux, n);
  to->missing += m.missing;
  to->untold |= !wide && !to->alike;
  add_streams (&m, to->units, piece, !wide && to->alike && to->units->count > 1, space);
  if (wide && !raw)
    tb_maker_share (to->maker, m.buffer);
  to->shared |= wide && !raw;
}

void
tb_perf_trace_make (struct tb_perf_trace *trace, struct tb_perf_units *units,
		    struct tb_maker *maker,
		    enum tb_space (*space) (void *context, uint32_t tid), void *context)
{
  struct tb_reader *reader = &maker->reader;
  struct trace_maker making = {
    .trace = trace, .units = units, .maker = maker, .alike = tb_perf_units_alike (units)
  };
  if (trace->npieces > 0)
    qsort (trace->pieces, trace->npieces, sizeof *trace->pieces, compare_pieces);
  /* First the buffers of CPUs, then those of threads: each needs an order of its own.  */
  for (int wide = 1; wide >= 0; wide--)
    {
      if (trace->naux > 1)
	qsort (trace->aux, trace->naux, sizeof *trace->aux,
	       wide ? compare_by_cpu : compare_by_tid);
      for (size_t i = 0, next; i < trace->npieces && reader->status == TB_OK; i = next)
	{
	  const struct tb_perf_piece *piece = &trace->pieces[i];
	  for (next = i; next < trace->npieces && trace->pieces[next].index == piece->index;)
	    next++;
	  if (wide == (piece->cpu != TB_PERF_NO_CPU))
	    make_buffer (&making, piece, next - i,
			 space (context, wide ? TB_PERF_ANY_THREAD : piece->tid));
	}
    }
  /* Where several CPUs have one sink, perf finds its trace in the buffer of one of them.  */
  for (size_t k = 0; k < units->count && making.shared; k++)
    if (!units->items[k].has_buffer)
      {
	tb_maker_stream (maker, units->items[k].source, units->items[k].core, TB_MADE_NONE);
	tb_maker_sink (maker, units->items[k].sink);
      }
  if (making.untold)
    tb_warning (reader->diag, "%s: the trace units of the CPUs differ: what a thread did is a "
		"recording for each CPU that it ran on", reader->snapshot->path);
  if (trace->lost_order)
    tb_warning (reader->diag, "%s: %zu records say what was recorded between a start and a stop, "
		"but some not of which CPU or thread: where there are gaps is not known",
		reader->snapshot->path, trace->naux);
  if (trace->truncated > 0)
    tb_warning (reader->diag, "%s: perf lost trace %zu times, where its buffer was full: there "
		"are gaps", reader->snapshot->path, trace->truncated);
  if (making.missing > 0)
    tb_warning (reader->diag, "%s: expected %" PRIu64 " bytes of trace more, of which records tell "
		"(AUX), found no record that has them (AUXTRACE): there are gaps, behind which the "
		"path begins where the trace says next where it is", reader->snapshot->path,
		making.missing);
  if (trace->collisions > 0)
    tb_warning (reader->diag, "%s: perf lost trace %zu times, where two events asked for it",
		reader->snapshot->path, trace->collisions);
}

void
tb_perf_trace_fini (struct tb_perf_trace *trace)
{
  free (trace->pieces);
  free (trace->aux);
}
