/* A session: a snapshot opened for use; its cores, their memory, and the
   streams that can be decoded.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_H
#define TB_RECORDING_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "arm/machine/profile.h"
#include "arm/machine/tdesc.h"
#include "decode/decoder.h"
#include "recording/recording.h"
#include "snapshot/elf-image.h"
#include "snapshot/memmap.h"
#include "snapshot/extents.h"
#include "snapshot/snapshot.h"
#include "svd/svd.h"

/* A core (or, without a device, what a source runs on that no core owns).  */
struct tb_session_core
{
  const struct tb_device *device;	/* NULL for the nameless one.  */
  struct tb_profile profile;
  struct tb_memmap *map;		/* Sealed.  */
  bool same_map;			/* It is that of the core before, with all of its
					   dumps.  */
  /* Where its ELF files say that functions begin (tb_elf_image_functions).  */
  uint64_t *functions;
  size_t nfunctions;
  /* The objects of data that they name, by address; what lies within another one is left
     out.  */
  struct tb_elf_object *objects;
  size_t nobjects;
  /* By number in MAP, the bytes of dumps in which code is in place of breakpoints
     (tb_breakpoints_take_out), or NULL.  */
  uint8_t **without_breakpoints;
  size_t nwithout_breakpoints;
  /* Its ELF files; the images are the session's.  */
  struct tb_elf_image **elves;
  size_t nelves;
  /* What they say of memory before the program runs.  */
  struct tb_initial *initial;
  size_t ninitial;
  /* Memory that others change, as the user says; that nobody else changes, as the
     user says; and that another core of the snapshot can write, as far as the
     dumps tell (tb_session_shared).  */
  struct tb_extents volatiles, privates, shared;
  bool shared_found;
  bool is_thread;		/* Of a core file of the M profile: most likely a task of the same
				   core as the others.  Known with SHARED.  */
  struct tb_tdesc *tdesc;	/* Of its registers (tb_session_tdesc); NULL: not
				   needed yet.  */
};

/* One source's trace in one buffer, or one of its streams.  */
struct tb_session_stream
{
  const struct tb_device *source;
  const struct tb_session_core *core;
  const struct tb_trace_buffer *buffer;	/* NULL: an MTB in the core's RAM.  */
  const struct tb_protocol *protocol;	/* NULL: it is not decoded.  */
  const char *passed;			/* A stream of the source that no decoder
					   is for: what it is.  Else NULL.  */
  bool data;				/* That is data of loads and stores
					   (decode/data-stream.h).  */
  unsigned number;			/* Of the source's streams; 0 are
					   instructions, or all.  */
  unsigned id;				/* Trace ID or TB_ID_NONE.  */
  const struct tb_columns *facts;		/* A log's; NULL: hardware trace.  */
  const struct tb_stitched *stitched;	/* A thread's, of which BUFFER is made up; NULL: not
					   put together.  */
  enum tb_space space;			/* Of code while the trace names no context.  */
  bool aligned;				/* Its first byte begins a packet, as the user says.  */
  bool cycles_told;		/* The rate that the user told: that was said.  */
  bool software_told;		/* lane.h: what there is to say of the reading of it was.  */
};

struct tb_session_log;
struct tb_session_threads;

/* Of trace that names threads: what recordings are of.  */
enum { TB_RECORD_CPUS = 1, TB_RECORD_THREADS = 2 };

struct tb_session
{
  struct tb_snapshot snapshot;
  struct tb_session_core *cores;
  size_t ncores;		/* The last one has no device.  */
  struct tb_session_stream *streams;	/* In the snapshot's order.  */
  size_t nstreams;
  uint64_t senseless;		/* Bytes of trace that nothing makes sense of.  */
  bool memory_searched;		/* For packets of an MTB, and what was found was told.  */
  size_t nunused;		/* There are so many behind them, which nobody asked for.  */
  struct tb_session_threads *threads;	/* What recordings of threads are put together of;
					   NULL: there are none.  */
  struct tb_elf_image **elves;
  size_t nelves;
  struct tb_context *contexts;	/* Of the snapshot and of the ELF files.  */
  size_t ncontexts;
  struct tb_session_log *log;	/* NULL: none.  */
  const char *elf_type;		/* What kind of core the input is of, as an ELF file alone says;
				   NULL: it is known otherwise.  */
  bool of_linux;		/* Linux made the input, or the process that is dumped.  */
  struct tb_svd *svd;		/* Names of peripherals; NULL: none.  */
  char *tdesc;			/* The file of a target description; NULL: none.  */
  uint64_t local_frequency;	/* As in its options.  */
  uint64_t core_frequency;	/* As in its options.  */
  uint64_t software_memory;	/* As in its options.  */
  bool frequency_told;		/* The snapshot's frequency of timestamps is the user's
				   word.  */
  /* clock.h: what the packets of software's trace say of it, where that was asked.  */
  bool asked_clock;
  uint64_t clock;
};

/* An ELF file for one core (a device's name) or, with CORE NULL, for all.  Where CONTEXT has
   an ID, it is the code of that context alone.  */
struct tb_session_elf
{
  const char *path;
  const char *core;
  struct tb_context context;
};

/* Is ELF the code of one context?  */
static inline bool
tb_session_elf_has_context (const struct tb_session_elf *elf)
{
  return elf->context.has_cid || elf->context.has_vmid;
}

/* An MTB that the user tells of.  */
struct tb_mtb_told
{
  const char *text;		/* That says so.  */
  struct tb_mtb_registers registers;	/* What it says.  */
  const char *core;		/* The name of the core that it says; NULL: none.  */
};

struct tb_session_options
{
  struct tb_snapshot_options snapshot;
  const struct tb_session_elf *elves;
  size_t nelves;
  /* Lists, comma separated, of memory that others than the core change, and of
     memory that none does: see tb_session_add_extents.  */
  const char *const *volatiles, *const *privates;
  size_t nvolatiles, nprivates;
  const char *svd;		/* A device description, by which peripherals have
				   names and are devices for all cores; NULL:
				   none.  */
  const char *tdesc;		/* A target description, for all cores that are asked
				   for theirs; NULL: none.  */
  const struct tb_index_options *index;	/* Of a log; NULL: none.  */
  unsigned jobs;		/* Threads that read a log; 0 and 1: the
				   caller's alone.  */
  const char *core_type;	/* What kind of core a core file is of, as tb_profile_find
				   knows it; NULL: the first of the ELF files says so.  */
  const char *left_type;	/* What it is of where nothing else says so: what an ELF file
				   that was left out was built for.  NULL: not known.  */
  const struct tb_mtb_told *mtbs;	/* Where packets are that no file lists; of buffers in
					   their order.  */
  size_t nmtbs;
  uint64_t frequency;		/* Of timestamps, a second; 0: as the snapshot has
				   it.  */
  uint64_t local_frequency;	/* Most ticks of an ITM's local clock a second; 0: not
				   known.  */
  uint64_t core_frequency;	/* Most cycles of a core a second; 0: not known.  */
  bool itm_aligned;		/* The trace of each ITM begins with a whole packet, of an
				   ITM that was just reset.  */
  uint64_t software_memory;	/* Bytes that what software said may take, of each
				   stream; 0: as many as it needs.  */
  const char *protocol;		/* The type of what sends trace of which no file
				   tells; NULL: it is to be worked out.  */
  unsigned recordings;		/* TB_RECORD_...; 0: of the CPUs.  */
};

/* Open the snapshot PATH, or the log or the ELF core file.  A snapshot without trace, or a
   core file, may have an MTB's in the RAM of a core; that is found.  On anything but TB_OK
   a diagnostic said why and *SESSION is zero.  OPTIONS may be NULL; it is not kept.  */
enum tb_status tb_session_open (struct tb_session *session, const char *path,
				const struct tb_session_options *options,
				struct tb_diag *diag);

/* The same of SNAPSHOT, which was made otherwise.  It becomes the session's, and is closed
   where there is none.  */
enum tb_status tb_session_open_made (struct tb_session *session,
				     struct tb_snapshot *snapshot,
				     const struct tb_session_options *options,
				     struct tb_diag *diag);
void tb_session_close (struct tb_session *session);

/* By how much the addresses in the ELF file PATH, one of SESSION's, are lower than where it was
   loaded.  */
uint64_t tb_session_elf_bias (const struct tb_session *session, const char *path);

/* Call TAKE with CONTEXT and each file that SESSION was read from, save ELF files.  */
void tb_session_files (const struct tb_session *session,
		       void (*take) (void *context, const char *path),
		       void *context);

/* A decoder for STREAM; NULL after a diagnostic.  The session must outlive
   it.  */
struct tb_decoder *tb_session_decoder (const struct tb_session *session,
				       const struct tb_session_stream *stream,
				       struct tb_diag *diag);

/* What a decoder for STREAM needs; borrowed from the session.  */
void tb_session_decoder_config (const struct tb_session_stream *stream,
				struct tb_decoder_config *config);

/* The RAM that the trace unit of STREAM writes, of *LENGTH bytes (0: none): where its registers
   say, or where the dumps of the core have the packets of its buffer.  TB_ERR_MEMORY is the only
   error, said to nobody.  */
enum tb_status tb_session_trace_ram (const struct tb_session_stream *stream,
				     uint64_t *address, uint64_t *length);

/* Add the argument TEXT of --elf, FILE, FILE@CORE or FILE@CONTEXT (as tb_context_parse has
   it), which is borrowed and changed, to OPTIONS; free their elves with free.  The last '@'
   counts, and none if there is a file of the whole name.  False: no memory.  */
bool tb_session_add_elf (struct tb_session_options *options, char *text);

/* Append TEXT, which is borrowed, to a list of OPTIONS; free it with free.  False:
   no memory.  */
bool tb_session_add_text (const char *const **list, size_t *count,
			  const char *text);

/* Add to EXTENTS what TEXT names: comma separated ADDRESS:SIZE, SYMBOL:SIZE or
   SYMBOL (of the size that it has), symbols being those of the ELF files of CORE;
   or "all".  Symbols that only other cores of SESSION have are passed over.
   OPTION is what the user calls it.  Anything but TB_OK: a diagnostic said
   why.  */
enum tb_status tb_session_add_extents (const struct tb_session *session,
				      const struct tb_session_core *core,
				      const char *option, const char *text,
				      struct tb_extents *extents,
				      struct tb_diag *diag);

/* The memory of CORE, of SESSION, that another core of the snapshot can write; found
   when first asked for.  What is dumped of a core may be what another one works
   with, too, unless the dumps of that one show something else there: then it has
   memory of its own at these addresses.  Compared are pages of 4 KiB, the least
   that cores map.  DIAG is told (a note) how much it is.  NULL: no memory, as DIAG was told.  */
const struct tb_extents *tb_session_shared (struct tb_session *session,
					   const struct tb_session_core *core,
					   struct tb_diag *diag);

/* What GDB is told of the registers of CORE, of SESSION: by the user's description, if
   there is one, else the core registers alone.  It is read when first asked for, and the
   session's.  NULL after a diagnostic.  */
const struct tb_tdesc *tb_session_tdesc (struct tb_session *session,
					 const struct tb_session_core *core,
					 struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_H */
