/* Snapshots that no folder has: made of parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Parts are added in any order; what refers to another part does so by its number.  The
   first error is said and kept: from then on all calls do nothing, and tb_maker_finish
   says that there was one.  */

#ifndef TB_SNAPSHOT_MAKER_H
#define TB_SNAPSHOT_MAKER_H

#include "snapshot/reader.h"
#include "util/buffer.h"

/* No device, or no buffer.  */
#define TB_MADE_NONE SIZE_MAX

/* Regions of memory of all devices together: no real system comes near.  */
#define TB_MAX_MADE_DUMPS 1048576

struct tb_made_device;
struct tb_made_buffer;
struct tb_made_stream;

struct tb_maker
{
  struct tb_reader reader;
  struct tb_made_device *devices;
  struct tb_made_buffer *buffers;
  struct tb_made_stream *streams;
  size_t ndevices, nbuffers, nstreams;
  size_t devices_capacity, buffers_capacity, streams_capacity;
  struct tb_context *contexts;
  size_t ncontexts, contexts_capacity;
  struct tb_thread *threads;
  size_t nthreads, threads_capacity;
  bool threads_by_vmid, threads_by_time;	/* See struct tb_snapshot.  */
  struct tb_stay *stays;
  size_t nstays, stays_capacity;
  struct tb_kernel_clock clock;	/* Of the snapshot.  */
  uint64_t looked;		/* Regions that tb_maker_read looked at, of all calls.  */
};

/* Begin making SNAPSHOT, which is called PATH in messages.  All but PATH is borrowed until
   the end.  */
void tb_maker_init (struct tb_maker *maker, struct tb_snapshot *snapshot,
		    const char *path, struct tb_diag *diag);

/* Map the file PATH, which the snapshot keeps.  NULL after an error.  */
const struct tb_file *tb_maker_file (struct tb_maker *maker, const char *path);

/* Names of files and folders become names of parts: append NAME to TEXT, with "_" for what the
   files of a snapshot could not have in a name, and a 0.  */
void tb_maker_put_name (struct tb_buffer *text, const char *name);

/* Add a core or trace source called NAME, of TYPE, which was read from FILE; its number.
   Names that are taken get a number behind them; what the files of snapshots could not have
   in a name becomes "_".  */
size_t tb_maker_device (struct tb_maker *maker, enum tb_device_class class,
			const char *name, const char *type, const char *file);

/* Is DEVICE a core?  */
bool tb_maker_is_core (const struct tb_maker *maker, size_t device);

/* The registers of DEVICE that are not added are to be worked out.  */
void tb_maker_unsettled (struct tb_maker *maker, size_t device);

/* Add a register of DEVICE; ID is its number, or -1.  One that is there gets VALUE.  */
void tb_maker_reg (struct tb_maker *maker, size_t device, const char *name, int64_t id,
		   unsigned bits, uint64_t value);

/* The same for one whose value are the (BITS + 7) / 8 bytes at BYTES, the lowest first.  */
void tb_maker_reg_bytes (struct tb_maker *maker, size_t device, const char *name, int64_t id,
			 unsigned bits, const uint8_t *bytes);

/* The registers of DEVICE, *COUNT; borrowed until more are added.  */
const struct tb_device_reg *tb_maker_regs (const struct tb_maker *maker, size_t device,
					   size_t *count);

/* Add to DEVICE memory in SPACE at ADDRESS: LENGTH bytes from OFFSET of FILE, which has
   them.  An address space that ends before is an error.  */
void tb_maker_dump (struct tb_maker *maker, size_t device, const struct tb_file *file,
		    uint64_t offset, uint64_t length, enum tb_space space,
		    uint64_t address);

/* What was added to DEVICE last is of a program that was mapped there (struct tb_dump).  */
void tb_maker_mapped (struct tb_maker *maker, size_t device, uint64_t offset);

/* The same of the LENGTH bytes DATA, which live as long as the snapshot; messages call them
   PATH.  */
void tb_maker_memory (struct tb_maker *maker, size_t device, const char *path,
		      const uint8_t *data, uint64_t length, enum tb_space space,
		      uint64_t address);

/* The memory of DEVICE was dumped later than its registers (struct tb_device).  */
void tb_maker_late (struct tb_maker *maker, size_t device);

/* At most LENGTH bytes at ADDRESS of the first dump of DEVICE that has some, up to one that
   another dump has otherwise; returns how many.  */
size_t tb_maker_read (struct tb_maker *maker, size_t device, uint64_t address,
		      uint8_t *bytes, size_t length);

/* Add a trace buffer; its number.  TB_FORMAT_OTHER: the format is to be worked out.  */
size_t tb_maker_buffer (struct tb_maker *maker, const char *name,
			enum tb_buffer_format format);

/* Add to BUFFER the LENGTH bytes DATA, which live as long as the snapshot.  */
void tb_maker_span (struct tb_maker *maker, size_t buffer, const uint8_t *data,
		    uint64_t length);

/* The spans of BUFFER from number FIRST on, of which nothing was said yet, were written between the
   times AFTER and BEFORE of the kernel's.  */
void tb_maker_written (struct tb_maker *maker, size_t buffer, size_t first, uint64_t after,
		       uint64_t before);

/* How many spans BUFFER has.  */
size_t tb_maker_spans (const struct tb_maker *maker, size_t buffer);

/* What is added to BUFFER next does not go on from what is there.  */
void tb_maker_break (struct tb_maker *maker, size_t buffer);

/* The frames of BUFFER are of one source, whichever IDs they have; or of any of those that
   there are (see struct tb_trace_buffer).  */
void tb_maker_join (struct tb_maker *maker, size_t buffer);
void tb_maker_share (struct tb_maker *maker, size_t buffer);

/* A context of which dumps have the memory; its space is set.  */
void tb_maker_context (struct tb_maker *maker, const struct tb_context *context);

/* A thread, whose number is above those before; its name is copied.  */
void tb_maker_thread (struct tb_maker *maker, const struct tb_thread *thread);

/* What ran on a core; those of a core come one behind the other, in their order.  */
void tb_maker_stay (struct tb_maker *maker, const struct tb_stay *stay);

/* Let DEVICE have all memory that OTHER has in the end, and none of its own.  */
void tb_maker_same_dumps (struct tb_maker *maker, size_t device, size_t other);

/* The code of the stream that was added last is in SPACE while its trace names no context.  */
void tb_maker_space (struct tb_maker *maker, enum tb_space space);

/* The source of the stream that was added last writes into SINK, a number for it, but for 0.  */
void tb_maker_sink (struct tb_maker *maker, uint64_t sink);

/* BUFFER has trace of SOURCE, which is CORE's, or of none (TB_MADE_NONE).  */
void tb_maker_stream (struct tb_maker *maker, size_t source, size_t core,
		      size_t buffer);

/* The snapshot has all parts.  What the maker has is freed.  Anything but TB_OK: an error
   was said, and the snapshot is what tb_snapshot_close takes.  */
enum tb_status tb_maker_finish (struct tb_maker *maker);

#endif /* TB_SNAPSHOT_MAKER_H */
