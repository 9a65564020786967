/* The CoreSight snapshot directory.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: "Debug and Trace Snapshot File Format", ARM-ECM-0611873, version
   0.2, section 3; where real snapshots differ, comments in the reader name
   the producer.

   What the reader decides where the format leaves it open:

   - Names of sections, keys and keywords (classes, formats, spaces) are
     compared without regard to ASCII case.  Names of devices and buffers are
     compared as they are; a reference that fits one device but for case is
     taken for it with a warning.
   - An inline comment begins with white space and ';', in numbers and keywords
     also '#'.  A description is never cut.  References to files and devices are
     tried whole first, then without the comment.
   - A key that stands twice with one value counts once, with two values it is
     an error; so is a register.  Sections of one name are read as one, but
     each "dump" is its own.
   - Paths are relative to the snapshot's directory, or failing that to the file
     that names them.  They may not lead out of the directory.
   - An error fails the open: a bad line or number, a required key that is
     missing, a file read twice, a device or trace metadata file that is
     missing, a name given twice, a dump beyond the end of its file or of the
     address space, the file of the only trace buffer missing, no
     "source_buffers" with several buffers.
   - A warning leaves out what cannot be used and keeps the rest: missing dump
     files, dumps in unknown spaces, registers whose value does not fit the size
     given (their value is unknown), trace buffers whose file is missing where
     others are there, references to devices and buffers that do not exist,
     unknown keys and sections (each said once; any key is allowed in
     "device").
   - A register without a size whose value needs more than 32 bits is as wide
     as its value needs (64, 128 ...), with a warning.  */

#ifndef TB_SNAPSHOT_SNAPSHOT_H
#define TB_SNAPSHOT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "snapshot/loaded.h"
#include "snapshot/stays.h"
#include "util/diag.h"
#include "util/filemap.h"
#include "util/status.h"

/* Address spaces of a dump (3.2.3), and those that newer cores need.  ANY is
   a dump without "space": it serves every space.  */
enum tb_space
{
  TB_SPACE_ANY,
  TB_SPACE_N, TB_SPACE_S, TB_SPACE_H,
  TB_SPACE_EL1N, TB_SPACE_EL1S, TB_SPACE_EL2, TB_SPACE_EL3,
  TB_SPACE_P, TB_SPACE_NP, TB_SPACE_SP,
  TB_SPACE_REALM, TB_SPACE_ROOT,
  TB_SPACE_COUNT,
  /* From here on the memory of contexts (struct tb_context), first that of those which
     are not known.  */
  TB_SPACE_CONTEXTS = TB_SPACE_COUNT,
  TB_SPACE_LIMIT = 256		/* A space is kept in a byte.  */
};

/* A context that has memory of its own, as processes and virtual machines do.  Trace names
   it by a context ID, by a VMID, or by both.  */
struct tb_context
{
  bool has_cid, has_vmid;
  uint32_t cid, vmid;		/* 0 where there is none.  */
  enum tb_space space;		/* Above TB_SPACE_CONTEXTS; contexts may share one.  */
};

/* Put into TEXT, of ROOM bytes, how CONTEXT is named: "context:0x7", "vmid:0x3", and both as
   "vmid:0x3,context:0x7".  */
void tb_context_text (const struct tb_context *context, char *text, size_t room);

/* The other way: read NAME, numbers being of any base of C's, into *CONTEXT, whose space is
   ANY then.  False: it is no such name.  */
bool tb_context_parse (const char *name, struct tb_context *context);

/* A thread of an operating system, as whoever recorded its trace saw it.  */
struct tb_thread
{
  uint32_t number;		/* By which trace names it; see struct tb_snapshot.  */
  uint32_t process;
  const char *name;		/* "": not told.  */
};

/* The name as a snapshot spells it ("EL1N"; "-" for ANY).  */
const char *tb_space_name (enum tb_space space);

struct tb_snapshot;

/* How SPACE is shown, if need be in TEXT, of ROOM bytes: that of a context of SNAPSHOT by the
   first name that it has.  */
const char *tb_space_text (const struct tb_snapshot *snapshot, enum tb_space space, char *text,
			   size_t room);

/* All names but that of ANY, for messages.  */
#define TB_SPACE_NAMES \
  "N, S, H, EL1N, EL1S, EL2, EL3, P, NP, SP, REALM, ROOT"

/* The space called NAME, of LENGTH characters, without regard to case, which is not
   ANY.  False: there is none.  */
bool tb_space_parse (const char *name, size_t length, enum tb_space *space);

enum tb_device_class
{
  TB_CLASS_CORE,
  TB_CLASS_TRACE_SOURCE,
  TB_CLASS_MEMORY_SPACE,
  TB_CLASS_OTHER	/* Any other value, or none.  */
};

/* One key of "regs" (3.2.2).  NAME is without the parenthesis.  */
struct tb_device_reg
{
  const char *name;
  bool has_id;
  uint32_t id;
  unsigned bits;		/* Size in bits; 32 where the key does not say. */
  uint64_t value;		/* The low 64 bits.  */
  const uint8_t *bytes;		/* All (BITS + 7) / 8 bytes, lowest first.  */
};

/* One "dump" section (3.2.3), checked: its bytes exist.  */
struct tb_dump
{
  const char *section;		/* "dump0", "dump.text" ...  */
  const char *name;		/* "cpu_0.ini [dump0]": for messages.  */
  const char *path;
  enum tb_space space;
  uint64_t address;
  const uint8_t *data;		/* LENGTH mapped bytes.  */
  uint64_t length;
  /* It is what of the ELF file PATH was mapped there, from byte OFFSET on, by a process.  */
  bool mapped;
  uint64_t offset;
};

/* One device file (3.2).  Strings are never NULL; "" where absent.  */
struct tb_device
{
  const char *name;
  const char *file;		/* The device file's path.  */
  enum tb_device_class class;
  const char *class_name;
  const char *type;
  const char *location;
  const char *cluster;		/* The cluster that lists it.  */
  const struct tb_device_reg *regs;
  size_t nregs;
  const struct tb_dump *dumps;
  size_t ndumps;
  size_t missing_dumps;		/* Dumps whose file does not exist.  */
  bool found;			/* No file lists it (tb_snapshot_add_source).  */
  /* No file lists its registers, or not all: they are to be worked out from its trace
     (common/recording/session-guess.c), and so is its type if that is empty.  */
  bool unsettled;
  /* Its dumps were made by code that ran behind the moment that the registers are of, as in
     crash dumps of kernels: together they are no moment at which the core halted.  */
  bool late;
  /* Trace was taken for this core's, but may be another's: the end of it is no moment of which
     its registers are.  */
  bool unsure;
  /* By what it was worked out; NULL: it was not.  Then a snapshot that was written has the key
     "settings" in its section [device], with the word TB_WORKED_OUT, which others ignore.  */
  const char *evidence;
};
#define TB_WORKED_OUT "worked-out"

/* A run of bytes of a trace buffer: one file.  */
struct tb_span
{
  const uint8_t *data;
  size_t size;
};

/* When one was written, by the times of the kernel's (snapshot/stays.h); BEFORE 0: that is not
   known.  */
struct tb_written
{
  uint64_t after, before;
};

enum tb_buffer_format
{
  TB_FORMAT_CORESIGHT,		/* 16-byte frames, in memory or from a port.  */
  TB_FORMAT_SOURCE_DATA,	/* One source's bytes as they are.  */
  TB_FORMAT_DSTREAM,		/* "dstream_coresight": 512-byte blocks.  */
  TB_FORMAT_TPIU,		/* "tpiu": frames from a trace port.  */
  TB_FORMAT_OTHER
};

/* One trace buffer (3.3.2): the concatenation of its files.  */
struct tb_trace_buffer
{
  const char *id;		/* Its section: "buffer0".  */
  const char *name;		/* "ETB_0"; the id where there is no name.  */
  enum tb_buffer_format format;
  const char *format_name;
  const struct tb_span *spans;	/* Files in order; empty ones are left out. */
  size_t nspans;
  uint64_t size;		/* Sum of the spans.  */
  unsigned line;		/* Of its section in the file.  */
  bool unsettled;		/* Its format is to be worked out, too.  */
  bool left;			/* What it has is not used (tb_snapshot_leave_buffer).  */
  /* Whose instructions it has, as the user says of what no file tells; NULL: not told.  */
  const struct tb_device *core;
  /* By span: what is before it does not go on in it: there is a break, which in a buffer of
     frames bytes of the buffer show (coresight/frame.h).  NULL: there is none.  A snapshot that
     was written has the offsets of such spans as the key "breaks" of the buffer's section, which
     others ignore.  */
  const bool *fresh;
  const struct tb_written *written;	/* By span; NULL: it is not known of any.  */
  /* Of frames: all IDs are those of its one source, one at a time.  */
  bool joined;
  /* Of frames: any source may have written there, and not only those that streams name;
     which ones did their IDs say.  */
  bool shared;
};

/* Does BUFFER have the trace of several sources, by their IDs?  */
static inline bool
tb_buffer_is_framed (const struct tb_trace_buffer *buffer)
{
  return buffer->format != TB_FORMAT_SOURCE_DATA
	 && buffer->format != TB_FORMAT_OTHER;
}

/* "core_trace_sources" (3.3.3) and "source_buffers" (3.3.4), resolved as far
   as the devices exist.  CORE is NULL for a source that no core owns; a pair
   stands once however often the file repeats it.  BUFFER is NULL for a source
   that a core owns but whose trace is in no buffer: it was not captured, or it
   is in a dump (an MTB in the core's RAM).  First those of "source_buffers" in
   the order of the file, then those without a buffer.  */
struct tb_trace_stream
{
  const struct tb_device *source;
  const struct tb_device *core;
  const struct tb_trace_buffer *buffer;	/* May be NULL.  */
  enum tb_space space;		/* Of code while its trace names no context.  */
  /* Of shared buffers: a number for the sink that SOURCE writes into, in which its ID is its own;
     0: not known.  */
  uint64_t sink;
  unsigned stream;		/* N of "(stream:N)"; where not said the first
				   that is not said for SOURCE, mostly 0.  */
  bool named;			/* N was said.  */
};

struct tb_snapshot
{
  const char *directory;
  const char *path;		/* snapshot.ini.  */
  const char *version;
  const char *description;
  /* Of the timestamps in trace, a second; 0: not known.  [timestamp] of the trace
     metadata, as DS-5 writes it; the format has no such section.  */
  uint64_t timestamp_frequency;
  const struct tb_device *devices;
  size_t ndevices;
  const struct tb_trace_buffer *buffers;
  size_t nbuffers;
  const struct tb_trace_stream *streams;	/* In file order.  */
  size_t nstreams;
  const struct tb_context *contexts;	/* Whose code the dumps of cores have.  */
  size_t ncontexts;
  const struct tb_thread *threads;	/* By number, each once.  */
  size_t nthreads;
  bool threads_by_vmid;		/* Trace has their numbers as VMIDs; else as context IDs.  */
  bool threads_by_time;		/* Trace does not have them: STAYS tell.  */
  struct tb_stays stays;
  struct tb_loaded loaded;	/* Of a core file; else zero.  */
  struct tb_snapshot_store *store;	/* Owns all of the above.  */
};

/* What a snapshot is read from.  */
enum tb_input
{
  TB_INPUT_FOLDER,		/* A snapshot.  */
  TB_INPUT_CORE_FILE,		/* core-file.h  */
  TB_INPUT_SYSFS,		/* sysfs.h  */
  TB_INPUT_PERF,		/* perf/data.h  */
  TB_INPUT_CRASH,		/* crash-dump.h  */
  TB_INPUT_RAW_BUFFER		/* raw-buffer.h  */
};

/* Trace buffers that are told of beside the input (beside.h).  */
struct tb_beside
{
  /* Files with their bytes, or FILE@CORE with what that core sent; the last '@' counts, and none if
     there is a file of the whole name.  */
  const char *const *traces;
  size_t ntraces;
  /* None: they are to be worked out; one: of all; else one for each, in their order.  */
  const enum tb_buffer_format *formats;
  size_t nformats;
  bool streams;			/* Such a file may be standard input, "-", or a FIFO, as it is read
				   once.  */
};

/* Options of the reader.  */
struct tb_snapshot_options
{
  bool allow_outside;	/* Paths may leave the snapshot's directory.  */
  enum tb_input input;	/* What PATH is.  */
  /* Of what does not say so: what kind of core it is of, of the M profile if IS_M.  NULL,
     which a core file does not take: what its trace units show.  */
  const char *core_type;
  bool is_m;
  /* Of a crash dump: the ELF file that says where its kernel has its threads
     (zephyr-threads.h); NULL: there is none.  */
  const char *kernel;
  /* Of perf.data: where the files of the target are; NULL: not told.  */
  const char *sysroot;
  struct tb_beside beside;
};

/* Read the snapshot at PATH, a directory or its snapshot.ini, or what OPTIONS, which may be
   NULL, say it is.  On TB_OK the caller frees it with tb_snapshot_close; otherwise DIAG has
   been told why and *SNAPSHOT is zero.  What is missing but not needed (dumps, sources without
   a device) is a warning, said once.  */
enum tb_status tb_snapshot_open (struct tb_snapshot *snapshot,
				 const char *path,
				 const struct tb_snapshot_options *options,
				 struct tb_diag *diag);
void tb_snapshot_close (struct tb_snapshot *snapshot);

/* What is known of the registers of an MTB that no file lists (DDI 0486, 3.2): POSITION,
   MASTER, FLOW, BASE.  */
#define TB_MTB_NREGS 4
struct tb_mtb_registers
{
  uint32_t value[TB_MTB_NREGS];
  unsigned known;		/* Bit N: VALUE[N].  */
};

/* Add to SNAPSHOT, which names no trace source, an MTB of CORE with REGISTERS.  Its trace area are
   the NPACKETS PACKETS, one behind the other: part of BUFFER, which then has nothing else; or,
   where BUFFER is NULL and no file lists buffers, of one of the core's dumps.  There are none: it
   is where the registers say.  EVIDENCE says by what they were found; NULL: they are told of.  Once
   for each core.  False: no memory.  */
bool tb_snapshot_add_mtb (struct tb_snapshot *snapshot,
			  const struct tb_device *core,
			  const struct tb_mtb_registers *registers,
			  const struct tb_trace_buffer *buffer,
			  const struct tb_span *packets, size_t npackets,
			  const char *evidence);

/* Note that trace which is taken for CORE's may be another core's.  */
void tb_snapshot_doubt_core (struct tb_snapshot *snapshot, const struct tb_device *core);

/* Note that BUFFER of SNAPSHOT is left out, as was told: nothing else is to be found in it.  */
void tb_snapshot_leave_buffer (struct tb_snapshot *snapshot,
			       const struct tb_trace_buffer *buffer);

/* At most so many sources can be added to a snapshot: those of several buffers with all trace IDs,
   or more than any system has.  */
#define TB_FOUND_SOURCES 512

/* Add to SNAPSHOT a trace source that no file lists: SOURCE, all of which is copied, whose
   trace of CORE (NULL: of none) BUFFER has (NULL: a dump has it).  False: no memory.  */
bool tb_snapshot_add_source (struct tb_snapshot *snapshot,
			     const struct tb_device *source,
			     const struct tb_device *core,
			     const struct tb_trace_buffer *buffer);

/* Add to SNAPSHOT, which has threads, the core NAME at LOCATION, which are copied, otherwise as
   LIKE, another core.  There is room for as many as it has threads, or TB_MOST_THREAD_CORES.
   NULL: no memory.  */
#define TB_MOST_THREAD_CORES 2048
const struct tb_device *tb_snapshot_add_core (struct tb_snapshot *snapshot, const char *name,
					      const char *location,
					      const struct tb_device *like);

/* Let DEVICE, of SNAPSHOT, which is not settled, have the type of SOURCE, if it has none,
   those of its registers that DEVICE does not have, and its evidence.  False: no
   memory.  */
bool tb_snapshot_settle_source (struct tb_snapshot *snapshot, const struct tb_device *device,
				const struct tb_device *source);

/* Say that the format of BUFFER, of SNAPSHOT, is FORMAT.  */
void tb_snapshot_set_format (struct tb_snapshot *snapshot,
			     const struct tb_trace_buffer *buffer,
			     enum tb_buffer_format format);

/* The format that a snapshot calls NAME, in capitals or not; TB_FORMAT_OTHER: none.  */
enum tb_buffer_format tb_format_find (const char *name);

/* The name that a snapshot has for FORMAT, "coresight"; "": TB_FORMAT_OTHER has none.  */
const char *tb_format_name (enum tb_buffer_format format);

/* Is the file PATH one of those that SNAPSHOT was read from?  */
bool tb_snapshot_has_file (const struct tb_snapshot *snapshot,
			   const char *path);

/* Call TAKE with the resolved path of each file that SNAPSHOT was read from.  */
void tb_snapshot_files (const struct tb_snapshot *snapshot,
			void (*take) (void *context, const char *path),
			void *context);

/* The device called NAME (exact), or NULL.  */
const struct tb_device *tb_snapshot_device (const struct tb_snapshot *snapshot,
					    const char *name);

/* Has SNAPSHOT a thread of that NUMBER?  */
bool tb_snapshot_has_thread (const struct tb_snapshot *snapshot, uint32_t number);

/* The PC of DEVICE, which snapshots call so or R15; NULL: it has none.  */
const struct tb_device_reg *tb_device_pc (const struct tb_device *device);

/* The register of DEVICE called NAME (case ignored), or NULL.  */
const struct tb_device_reg *tb_device_reg (const struct tb_device *device,
					   const char *name);

/* The register of DEVICE with ID, else the one called NAME, or NULL.  */
const struct tb_device_reg *tb_device_reg_id (const struct tb_device *device,
					      uint32_t id, const char *name);

/* Take from DEVICE, of SNAPSHOT, its register NUMBER, counted from 0: it is unknown.  False: no
   memory.  */
bool tb_snapshot_forget_reg (struct tb_snapshot *snapshot, const struct tb_device *device,
			     size_t number);

#endif /* TB_SNAPSHOT_SNAPSHOT_H */
