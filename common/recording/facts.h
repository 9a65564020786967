/* Facts: what a log says outright of one core's run, in columns.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Steps are runs of distinct instructions, which are numbered as they first ran,
   so that code in sequence has numbers in sequence.  Each 32 bits of each register
   are a list of changes.  Memory is in lines of 32 bytes, each with its changes in
   the order of steps and an image every so many of them.  All of it answers by
   binary search; nothing is replayed.

   "Before step N" is as in state/state.h.  What instruction N writes is there
   before step N + 1; what it reads was there before step N.  A byte that is read
   before anything wrote it held that value all the time before (hindsight), unless
   a read shows sooner or later that others write it too.  From the last time that
   such a byte was seen to the read that shows another value, it is unknown.  */

#ifndef TB_RECORDING_FACTS_H
#define TB_RECORDING_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/tarmac/line.h"
#include "recording/recording.h"
#include "util/column.h"

/* A distinct instruction: how it ran is part of it.  */
struct tb_facts_code
{
  uint64_t pc;
  uint32_t opcode;		/* 32-bit Thumb: first halfword on top.  */
  uint8_t size;			/* 0: not told.  */
  uint8_t isa;			/* enum tb_isa  */
  uint8_t flags;		/* TB_CODE_...  */
  uint8_t mode;			/* Number of the mode's name.  */
};

enum
{
  TB_CODE_SKIPPED = 1,		/* Its condition failed.  */
  TB_CODE_FOLDED = 4
};

/* A list of changes: uint32_t each.  */
struct tb_facts_changes
{
  struct tb_column steps, values;
};

/* 32 bits of a register.  */
struct tb_facts_lane
{
  struct tb_facts_changes values;
  /* Which bits of the value mean anything; no changes: all, once there is one.  */
  struct tb_facts_changes masks;
};

struct tb_facts_register
{
  char *name;			/* Canonical: lower case.  */
  unsigned nlanes;		/* 32 bits each, lowest first.  */
  struct tb_facts_lane *lanes;
};

/* Bits of accesses.  */
enum
{
  TB_FACTS_WRITE = 1,
  TB_FACTS_FETCH = 2,
  TB_FACTS_DEBUG = 4,		/* By the debugger.  */
  TB_FACTS_SYSTEM = 6,		/* The system port; a mask of both bits.  */
  TB_FACTS_PORT = 6,
  TB_FACTS_BUS = 8,		/* Seen on the bus, not at the core.  */
  TB_FACTS_EVENT = 16,		/* After an event: of an exception's entry.  */
  TB_FACTS_ABORTED = 32,
  TB_FACTS_ANYWHERE = 64	/* A write of nobody knows what, of length 0.  */
};

struct tb_facts_access
{
  uint64_t address;
  uint32_t step;
  uint16_t length;
  uint8_t flags;
};

/* Values that are no state of memory: those of devices, and what was found to have
   been written by others.  */
struct tb_facts_other
{
  uint64_t address, value;
  uint32_t step;
  uint8_t length;		/* At most 8.  */
  uint8_t flags;		/* TB_FACTS_...  */
  bool device;			/* Else: a read that does not fit what was known. */
};

/* A lane of a register that lines told of before STEP, in front of an event there behind
   which no register is known.  */
struct tb_facts_undone
{
  uint32_t step, reg, lane;	/* REG: of the facts' registers.  */
  uint32_t value, mask;
};

/* Of trace files: lane LANE of register REG (of the facts' registers), and LENGTH bytes of
   memory, hold before STEP under an assumption.  */
struct tb_facts_assumed_value
{
  uint32_t step, reg, lane;
};

struct tb_facts_assumed_memory
{
  uint64_t address;
  uint32_t step, length;
};

/* Counts for reports.  */
struct tb_facts_totals
{
  uint64_t skipped, faulted, registers, reads, writes, bus, events;
  uint64_t others;		/* Reads of what others wrote.  */
  uint64_t devices;		/* Accesses to devices.  */
  uint64_t late;		/* Lines tied to an earlier step by their tag.  */
};

/* What memory maps call the code that a log shows.  */
#define TB_LOG_CODE "the code that the log shows"

struct tb_columns
{
  char *name;			/* Of the core, as the log calls it.  */
  const char *path;		/* Of the log, whose it is; NULL: not told.  */
  char *unit;			/* Of the times; "" where not told.  */
  char *type;			/* What kind of core it is; NULL: not told.  */
  bool is_m, has_a64;
  bool own;			/* tracebridge wrote the log: it says all itself.  */
  bool frames;			/* Each step is a frame of a trace file, and says all
				   itself.  */
  uint64_t steps;
  struct tb_facts_totals totals;
  struct tb_column codes;	/* struct tb_facts_code  */
  struct tb_column run_steps, run_codes;	/* uint32_t  */
  struct tb_column times, time_bytes;
  struct tb_facts_register *registers;
  size_t nregisters;
  char **modes;			/* By number; 0 is "".  */
  size_t nmodes;
  struct tb_column lines, blocks, changes;	/* Memory: facts-memory.h.  */
  struct tb_column accesses, access_marks;	/* In the order of steps.  */
  struct tb_column late_accesses;	/* struct tb_facts_access  */
  struct tb_column others;	/* struct tb_facts_other, by step.  */
  struct tb_column events;	/* struct tb_event  */
  struct tb_column undone;	/* struct tb_facts_undone, by step.  */
  /* What a trace file marks, by step: struct tb_facts_assumed_value, ..._memory.  */
  struct tb_column assumed_values, assumed_memory;
  /* Of the log, for reports: this core's lines and bytes by kind, and those of the
     log that are of no core or not understood.  */
  struct { uint64_t lines, bytes; } kinds[TB_TARMAC_KINDS];
  bool has_times;
  bool end_known;
  uint64_t end_pc;
};

void tb_facts_free (struct tb_columns *facts);

/* Bytes that FACTS takes.  */
uint64_t tb_facts_size (const struct tb_columns *facts);

/* The instruction of STEP, which exists.  */
const struct tb_facts_code *tb_facts_step (const struct tb_columns *facts,
					   uint64_t step);

/* Instructions FIRST ... as tb_recording_read.  */
size_t tb_facts_read (const struct tb_columns *facts, uint64_t first,
		      struct tb_step *steps, size_t count);

/* The index of the last event before a step before STEP, plus one: events from
   there on lie before STEP or later ones.  */
size_t tb_facts_event_at (const struct tb_columns *facts, uint64_t step);

/* Units of time, each a thousandth of the one before: "s" ... "as".  */
#define TB_TIME_UNITS 7
extern const char *const tb_time_units[TB_TIME_UNITS];

/* How many of the times' units there are a second; 0: the log counts something else, as
   cycles, or does not say.  */
uint64_t tb_facts_frequency (const struct tb_columns *facts);

/* The time of STEP; false: the log has none.  */
bool tb_facts_time (const struct tb_columns *facts, uint64_t step,
		    uint64_t *time);

/* The register called NAME, or NULL.  */
const struct tb_facts_register *
tb_facts_find (const struct tb_columns *facts, const char *name);

/* Which of the registers called NAME is used in a MODE as the log calls it, at
   least 40 bytes into TO: "sp_svc", "sp_el1"; NAME itself where there is one of it.  */
void tb_facts_bank (char *to, const char *name, const char *mode);

/* The pseudo register that tells which stack pointer of the M profile is SP.  */
#define TB_FACTS_ACTIVE_SP "@sp"
enum { TB_FACTS_SP_UNKNOWN, TB_FACTS_SP_MSP, TB_FACTS_SP_PSP };

/* The value of 32 bits of REGISTER, number LANE, before STEP; false: unknown.
   *MASK tells which bits are known.  */
bool tb_facts_register (const struct tb_facts_register *reg, unsigned lane,
			uint64_t step, uint32_t *value, uint32_t *mask);

/* Since which step (before it) a lane has had the value of before STEP; false: it had
   none.  */
bool tb_facts_since (const struct tb_facts_register *reg, unsigned lane,
		     uint64_t step, uint64_t *since);

/* Has REGISTER another value before STEP than before the step before it, or is that
   the first one?  */
bool tb_facts_changed (const struct tb_facts_register *reg, uint64_t step);

/* The same of its lane LANE, which it need not have.  */
bool tb_facts_lane_changed (const struct tb_facts_register *reg, unsigned lane,
			    uint64_t step);

/* The first step behind STEP before which a lane of REGISTER, or what is known of it, is
   told anew; UINT64_MAX: there is none.  */
uint64_t tb_facts_next (const struct tb_facts_register *reg, uint64_t step);

/* What was told before STEP and then undone by an event there; *COUNT of them.  */
const struct tb_facts_undone *tb_facts_undone (const struct tb_columns *facts,
					       uint64_t step, size_t *count);

/* Has any line told of REGISTER before STEP?  */
bool tb_facts_told (const struct tb_facts_register *reg, uint64_t step);

/* Is REGISTER before STEP, which is not 0, what it was before the step before it, as
   lines told it by then and none tells otherwise?  Without a line before, none says
   nothing.  */
bool tb_facts_stayed (const struct tb_facts_register *reg, uint64_t step);

/* LENGTH bytes at ADDRESS before STEP; KNOWN[i] is set where BYTES[i] is.
   Returns how many.  */
size_t tb_facts_memory (const struct tb_columns *facts, uint64_t step,
			uint64_t address, uint8_t *bytes, uint8_t *known,
			size_t length);

/* facts-assumed.c: does lane LANE of REG, of the facts, hold before STEP under an assumption
   only?  */
bool tb_facts_assumed_value (const struct tb_columns *facts,
			     const struct tb_facts_register *reg, unsigned lane,
			     uint64_t step);

/* Of LENGTH bytes at ADDRESS before STEP: make ORIGINS[i] ASSUMED where it is not 0 and the byte
   is so.  */
void tb_facts_assumed_memory (const struct tb_columns *facts, uint64_t step,
			      uint64_t address, uint8_t *origins, uint8_t assumed,
			      size_t length);

/* Does anything tell of the byte at ADDRESS at some time?  */
bool tb_facts_touched (const struct tb_columns *facts, uint64_t address);

/* Memory that something tells of at some time, in the order of addresses: run number *AT,
   from 0 on, is FIRST to LAST; *AT is then the next one's number, which is not the next
   number.  Parts that are no further apart than so many bytes are one.  False: there is
   no more.  */
#define TB_FACTS_APART 4096
bool tb_facts_run (const struct tb_columns *facts, size_t *at, uint64_t *first,
		   uint64_t *last);

/* The accesses of STEP in the order of the log; returns how many, at most
   CAPACITY are stored.  */
size_t tb_facts_accesses (const struct tb_columns *facts, uint64_t step,
			  struct tb_facts_access *accesses, size_t capacity);

/* The facts about others of STEP; *COUNT of them.  */
const struct tb_facts_other *tb_facts_others (const struct tb_columns *facts,
					      uint64_t step, size_t *count);

/* For recordings: windows of so many steps, and one of them.  False: no memory. */
#define TB_FACTS_WINDOW 16384

struct tb_window;
size_t tb_facts_windows (const struct tb_columns *facts);
bool tb_facts_window (const struct tb_columns *facts, size_t number,
		      struct tb_window *window);

/* The totals of a recording of FACTS.  */
void tb_facts_info (const struct tb_columns *facts,
		    struct tb_recording_info *info);
void tb_facts_stats (const struct tb_columns *facts,
		     struct tb_decoder_stats *stats);

/* A recording of FACTS, which are borrowed, as are PROFILE and MAP.  NULL: no
   memory.  */
struct tb_recording *tb_recording_open_facts (const struct tb_columns *facts,
					      const struct tb_profile *profile,
					      const struct tb_memmap *map);

/* What makes elements of facts (struct tb_decoder_config.facts): those of a log, and those
   of a trace file.  */
extern const struct tb_protocol tb_protocol_tarmac, tb_protocol_tfile;

/* The facts of RECORDING; NULL: it is one of hardware trace.  */
const struct tb_columns *
tb_recording_facts (const struct tb_recording *recording);

#endif /* TB_RECORDING_FACTS_H */
