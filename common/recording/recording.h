/* A recording: what one core executed, step by step, with random access.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A recording of hardware trace keeps the trace bytes and, every so many
   elements, a checkpoint of the decoder.  A step is found by decoding forward
   from the checkpoint before it into a window of ranges; nothing of size
   O(steps) is held.  */

#ifndef TB_RECORDING_RECORDING_H
#define TB_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "arm/machine/regs.h"
#include "decode/decoder.h"

/* Bits of tb_step.flags.  */
enum
{
  /* The step is a branch that was taken (the last of a range, atom E).  Any
     other branch went on to the next instruction.  */
  TB_STEP_TAKEN = 1,
  /* The step is a waypoint with atom N: its condition failed.  For steps that
     are neither, the trace does not say whether a condition passed.  */
  TB_STEP_NOT_TAKEN = 2,
  /* One or more events stand between the step before and this one.  */
  TB_STEP_EVENTS = 4,
  /* A gap stands between the step before and this one.  */
  TB_STEP_AFTER_GAP = 8
};

/* One executed instruction.  */
struct tb_step
{
  uint64_t pc;			/* Thumb bit clear.  */
  uint32_t opcode;		/* T32: see tb_follow_opcode.  */
  uint8_t size;			/* 2 or 4; 0: the opcode is not readable.  */
  uint8_t isa;			/* enum tb_isa  */
  uint8_t flags;
  uint8_t space;		/* enum tb_space  */
};

enum tb_event_kind
{
  TB_EVENT_EXCEPTION,		/* Taken just before STEP.  */
  TB_EVENT_EXCEPTION_RETURN,
  TB_EVENT_GAP,			/* What ran here is not in the trace.  */
  TB_EVENT_CONTEXT,
  TB_EVENT_TIMESTAMP,
  TB_EVENT_CYCLES,
  TB_EVENT_HALT,		/* Debug halt.  */
  TB_EVENT_MARKER		/* The next timestamp is of here.  */
};

/* Bit of tb_event.flags.  TIMESTAMP: a marker of its own stood right before it.  */
#define TB_EVENT_MARKED 1

/* Something between two steps.  Events before the same step are in order.  */
struct tb_event
{
  uint64_t step;		/* It lies before this step; tb_recording_steps
				   for those after the last.  */
  uint64_t index;		/* Byte in the trace buffer.  */
  uint64_t address;		/* EXCEPTION: preferred return address.
				   EXCEPTION_RETURN: where it resumes, if told.
				   GAP: address that is not readable, if that is
				   why.  CONTEXT: VMID; 0: none was stated.  */
  uint64_t value;		/* EXCEPTION_RETURN: EXC_RETURN or 0.  TIMESTAMP,
				   CYCLES: the value (cycles summed up).  CONTEXT:
				   context ID.  */
  uint8_t kind;			/* enum tb_event_kind  */
  uint8_t reason;		/* GAP: enum tb_reason.  */
  uint16_t exception;		/* EXCEPTION: M profile: the vector's number;
				   else the protocol's, for people to read;
				   TB_EXCEPTION_UNKNOWN.  */
  uint8_t flags;		/* TB_EXCEPTION_... of the element.  */
  uint8_t el, security;		/* CONTEXT  */
  uint8_t taken;		/* EXCEPTION: enum tb_exception, whatever told of
				   it (decode/exception.h).  */
};

/* Who made a transfer that data trace tells of.  */
enum tb_transfer_by
{
  TB_BY_STEP,			/* Instruction STEP.  */
  TB_BY_ENTRY, TB_BY_RETURN	/* M profile: of an exception, before STEP.  */
};

/* What data trace tells of a transfer.  */
struct tb_transfer
{
  uint64_t step;
  uint64_t index, late_index;	/* Bytes in the trace buffer: of the packet that tells
				   of it first, and of that with its value.  */
  uint32_t address, value;
  uint8_t by;			/* enum tb_transfer_by  */
  uint8_t entry;		/* BY_ENTRY: of those exceptions that were taken before
				   STEP, and behind the step before it, from 0.  */
  uint8_t part;			/* Of those of the same maker, from 0.  */
  uint8_t address_bits;		/* Low bits of ADDRESS that are told, ...  */
  bool relative;		/* ... not all of them by its own packet.  */
  bool has_value;
  bool failed;			/* An exclusive store: nothing was stored.  */
  bool done;			/* It is certain that it did not fail.  */
  bool big_endian;
  bool doubtful;		/* There may be others of the same maker, before or
				   behind it, that are not told.  */
};

struct tb_recording;

/* Was there once no memory for something that R, or what is worked out of it, was asked
   for?  Answers are then short of what they should be: steps, events or values are
   missing.  Who has asked at will looks once at the end.  */
bool tb_recording_no_memory (const struct tb_recording *r);

/* For what is worked out of R: say so.  */
void tb_recording_lacks_memory (struct tb_recording *r);

/* Totals, from one pass over the trace at opening.  */
struct tb_recording_info
{
  uint64_t steps;
  uint64_t ranges;
  uint64_t exceptions;
  uint64_t gaps;		/* Between steps.  */
  uint64_t lead_in;		/* MTB: address of the branch that led to step
				   0; UINT64_MAX when not known.  */
  /* Where the trace stops: the address the last step went on to, if told.  */
  bool end_known;
  uint64_t end_pc;
};

/* Open a recording of what DECODER decodes; takes DECODER over, even on
   failure (NULL after a diagnostic: no memory).  MAP and PROFILE are borrowed. */
struct tb_recording *tb_recording_open (struct tb_decoder *decoder,
					const struct tb_profile *profile,
					const struct tb_memmap *map,
					struct tb_diag *diag);

/* Where the index of a trace buffer is looked for and kept.  */
struct tb_index_options
{
  const char *cache;		/* The directory with the user's secret; NULL: no
				   index.  */
  const char *file;		/* NULL: one in that directory, named after the
				   trace.  */
  bool beside;			/* FILE is beside the input; of a log that is a
				   part of the input it is beside the log.  */
  uint64_t least;		/* No index for buffers of fewer bytes.  */
  uint64_t block;		/* Bytes of trace that it tells of together; an index
				   with other blocks is made anew.  0: any.  */
};

/* How to open a recording.  */
struct tb_recording_options
{
  unsigned jobs;		/* Threads; 0 and 1: the caller's alone.  */
  const struct tb_index_options *index;	/* NULL: no index.  */
};

/* Open a recording of the trace of CONFIG, which is copied; what it points to
   must outlive the recording.  With an index that fits the trace is not read;
   with one that turns out not to fit what is decoded, the recording's totals
   change when that is found out.  OPTIONS may be NULL, and are not kept.  NULL
   after a diagnostic.  */
struct tb_recording *
tb_recording_open_trace (const struct tb_decoder_config *config,
			 const struct tb_recording_options *options,
			 struct tb_diag *diag);

/* Warn where the trace unit was on at the halt, as its registers say, and the trace of RECORDING,
   of CONFIG, does not lead to the PC there.  tb_recording_open_trace does so by itself.  */
void tb_recording_check_end (const struct tb_recording *recording,
			     const struct tb_decoder_config *config, struct tb_diag *diag);

/* A number that grows when the totals and the windows of RECORDING change because
   its index did not fit.  */
unsigned tb_recording_generation (const struct tb_recording *recording);

/* A recording without steps (a snapshot without trace): the halt state only. */
struct tb_recording *tb_recording_empty (const struct tb_profile *profile,
					 const struct tb_memmap *map);
void tb_recording_close (struct tb_recording *recording);

const struct tb_recording_info *
tb_recording_info (const struct tb_recording *recording);
const struct tb_profile *
tb_recording_profile (const struct tb_recording *recording);
const struct tb_memmap *
tb_recording_memmap (const struct tb_recording *recording);

/* The decoder, for its statistics; NULL when there is no trace.  */
const struct tb_decoder *
tb_recording_decoder (const struct tb_recording *recording);

/* Does the trace tell of every instruction whether its condition passed?  */
bool tb_recording_conditions_told (const struct tb_recording *recording);

/* Do the registers of SOURCE, the trace unit of RECORDING, show that it traced until
   the core was halted?  */
static inline bool
tb_recording_reaches_halt (const struct tb_recording *recording,
			   const struct tb_device *source)
{
  const struct tb_decoder *decoder = tb_recording_decoder (recording);
  return decoder != NULL && decoder->protocol->reaches_halt != NULL
	 && decoder->protocol->reaches_halt (source);
}

/* The statistics of the whole trace.  */
const struct tb_decoder_stats *
tb_recording_stats (const struct tb_recording *recording);

/* An index was used.  */
bool tb_recording_indexed (const struct tb_recording *recording);

static inline uint64_t
tb_recording_steps (const struct tb_recording *recording)
{
  return tb_recording_info (recording)->steps;
}

/* Read steps FIRST, FIRST + 1, ... into STEPS, at most COUNT; returns how
   many (fewer only at the end).  */
size_t tb_recording_read (struct tb_recording *recording, uint64_t first,
			  struct tb_step *steps, size_t count);

/* Read the events that lie before steps FIRST to LAST inclusive (LAST may be
   the number of steps: those after the last step).  Returns how many there are;
   at most CAPACITY are stored.  */
size_t tb_recording_events (struct tb_recording *recording, uint64_t first,
			    uint64_t last, struct tb_event *events,
			    size_t capacity);

/* What data trace tells of steps FIRST to before END, and of exceptions before them: by
   steps, makers and parts, each once, into *TRANSFERS (to be freed).  Values that came
   more than TB_TRANSFER_LATE instructions late are left out.  False: no memory.  */
#define TB_TRANSFER_LATE 1024
bool tb_recording_transfers (struct tb_recording *recording, uint64_t first,
			     uint64_t end, struct tb_transfer **transfers,
			     size_t *count);

/* For searches: the recording cut into windows (recording/window.h), numbered
   from 0 in order.  Some hold no step at all.  */
struct tb_window;
size_t tb_recording_windows (const struct tb_recording *recording);

/* The first step of window NUMBER; of the number of windows: the number of
   steps.  */
uint64_t tb_recording_window_step (const struct tb_recording *recording,
				   size_t number);

/* The number of the window that holds STEP (the last one: the number of
   steps).  */
size_t tb_recording_window_at (const struct tb_recording *recording,
			       uint64_t step);

/* What ran in window NUMBER, and perhaps some that did not (recording/packed-ran.h), by the
   index; valid as long as the window is.  NULL: no index says.  */
struct tb_packed_ran;
const struct tb_packed_ran *
tb_recording_window_ran (const struct tb_recording *recording, size_t number);

/* The gaps in window NUMBER, as the pass over the trace noted them; valid as long as the window
   is.  NULL: its events alone say (of a log).  */
struct tb_packed_gaps;
const struct tb_packed_gaps *
tb_recording_window_gaps (const struct tb_recording *recording, size_t number);

/* Window NUMBER, decoded if need be; valid until anything else is asked of
   RECORDING.  NULL: no memory, or no such window: where the index does not fit, which
   shows when a window is read, the recording has other windows from then on, and another
   generation.  */
const struct tb_window *tb_recording_window (struct tb_recording *recording,
					     size_t number);

/* Timestamp and cycle count in force at STEP (the last stated before it);
   false where none was stated.  */
bool tb_recording_timestamp (struct tb_recording *recording, uint64_t step,
			     uint64_t *timestamp);
bool tb_recording_cycles (struct tb_recording *recording, uint64_t step,
			  uint64_t *cycles);

/* The context in force at STEP: *CONTEXT is a TB_EVENT_CONTEXT as far as VALUE,
   ADDRESS, FLAGS, EL and SECURITY go.  False where none was stated.  */
bool tb_recording_context (struct tb_recording *recording, uint64_t step,
			   struct tb_event *context);

#endif /* TB_RECORDING_RECORDING_H */
