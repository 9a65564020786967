/* Making facts: a log's lines to columns, in one pass.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The caller gives steps in order.  What a step did may come later, with the number of
   the step.  */

#ifndef TB_RECORDING_FACTS_BUILD_H
#define TB_RECORDING_FACTS_BUILD_H

#include "recording/facts.h"

/* More steps than this do not fit into the columns.  */
#define TB_FACTS_STEPS_MOST (UINT32_MAX - 1)

struct tb_facts_builder;

/* A builder for core NAME.  NULL: no memory.  */
struct tb_facts_builder *tb_facts_build_new (const char *name, size_t length);
void tb_facts_build_free (struct tb_facts_builder *builder);

/* What is being made.  */
struct tb_columns *tb_facts_build_facts (struct tb_facts_builder *builder);

/* There was no memory for something, or there were too many steps: what is told
   since then counts no more.  */
bool tb_facts_build_failed (const struct tb_facts_builder *builder);
void tb_facts_build_fail (struct tb_facts_builder *builder);

/* The next step ran CODE at TIME.  */
void tb_facts_build_step (struct tb_facts_builder *builder,
			  const struct tb_facts_code *code, bool has_time,
			  uint64_t time);

/* All times are of a unit FACTOR times as fine: they are multiplied.  */
void tb_facts_build_scale (struct tb_facts_builder *builder, uint64_t factor);

/* The instruction of the last step, which there is.  */
const struct tb_facts_code *
tb_facts_build_code (const struct tb_facts_builder *builder);

/* The number of the mode called so; 0 for too many.  */
uint8_t tb_facts_build_mode (struct tb_facts_builder *builder,
			     const char *text, size_t length);

/* The number of the register called NAME, of at least LANES lanes; SIZE_MAX: no
   memory.  */
size_t tb_facts_build_register (struct tb_facts_builder *builder,
				const char *name, size_t length,
				unsigned lanes);

/* Before step AT lane LANE of register REG has the value, of which only the bits of
   MASK are known.  */
void tb_facts_build_value (struct tb_facts_builder *builder, size_t reg,
			   unsigned lane, uint64_t at, uint32_t value,
			   uint32_t mask);

/* The last value told of a lane, and its known bits.  */
uint32_t tb_facts_build_last (const struct tb_facts_builder *builder,
			      size_t reg, unsigned lane, uint32_t *mask);

/* Step STEP read or wrote LENGTH bytes at ADDRESS.  Of the value the bytes are
   known that have a bit set in KNOWN, which has 8 for each of VALUE.  FLAGS are
   TB_FACTS_...; DEVICE: no memory is there.  */
void tb_facts_build_access (struct tb_facts_builder *builder, uint64_t step,
			    uint64_t address, const uint8_t *value,
			    unsigned length, unsigned known, unsigned flags,
			    bool device);

/* What is not told is not to be concluded: no hindsight.  */
void tb_facts_build_literal (struct tb_facts_builder *builder);

/* Before step AT memory holds LENGTH BYTES at ADDRESS, 1, 2, 4 or 8 within a line of
   memory, or BYTES is NULL: it is not known what.  */
void tb_facts_build_memory (struct tb_facts_builder *builder, uint64_t at,
			    uint64_t address, const uint8_t *bytes,
			    unsigned length);

/* Before step AT the core read BYTES there, as what it did shows, not a line.  What was
   told and is not these is not known any more.  Otherwise as tb_facts_build_memory.  */
void tb_facts_build_fetched (struct tb_facts_builder *builder, uint64_t at,
			     uint64_t address, const uint8_t *bytes,
			     unsigned length);

/* STEP may have written anywhere.  */
void tb_facts_build_anywhere (struct tb_facts_builder *builder,
			      uint64_t step);

/* From step AT on nothing is known of memory.  */
void tb_facts_build_forget_memory (struct tb_facts_builder *builder,
				   uint64_t at);

/* facts-assumed.c: lane LANE of register REG, and LENGTH bytes of memory at ADDRESS, which were
   told of before step AT, hold there under an assumption only.  In the order of steps.  */
void tb_facts_build_assumed_value (struct tb_facts_builder *builder, size_t reg,
				   unsigned lane, uint64_t at);
void tb_facts_build_assumed_memory (struct tb_facts_builder *builder, uint64_t at,
				    uint64_t address, uint32_t length);

/* EVENT stands before its step, which is the next one or an earlier one.  */
void tb_facts_build_event (struct tb_facts_builder *builder,
			   const struct tb_event *event);

/* From step AT on no register and no memory is known until it is told again.  */
void tb_facts_build_forget (struct tb_facts_builder *builder, uint64_t at);

/* Finish; BUILDER is gone.  NULL: there was no memory.  */
struct tb_columns *tb_facts_build_finish (struct tb_facts_builder *builder);

/* facts-build-times.c: multiply the times of FACTS by FACTOR; false: no memory.  */
bool tb_facts_scale_times (struct tb_columns *facts, uint64_t factor);

/* facts-build-memory.c: memory while it is being made.  */
struct tb_memory_build
{
  struct tb_column lines;	/* struct memory_line  */
  struct tb_column changes;	/* struct memory_change  */
  uint32_t *table;		/* Numbers of lines, plus one, by hash.  */
  size_t table_size, nlines;
  struct tb_column live;	/* Numbers of the lines of which anything may be
				   known, for forgetting.  */
  bool no_hindsight;		/* What is read first need not have been there from the
				   start.  */
  uint64_t last_number;		/* The line looked up last.  */
  size_t last_line;
};

enum tb_memory_read
{
  TB_MEMORY_FITS,		/* Or tells something new.  */
  TB_MEMORY_DIFFERS,
  TB_MEMORY_FAILED
};

/* Within one line; LENGTH is 1, 2, 4 or 8.  LATE: steps after STEP were told of. */
bool tb_memory_build_write (struct tb_memory_build *memory, uint64_t step,
			    uint64_t address, const uint8_t *bytes,
			    unsigned length, bool late);
enum tb_memory_read
tb_memory_build_read (struct tb_memory_build *memory, uint64_t step,
		      uint64_t address, const uint8_t *bytes, unsigned length,
		      bool late);
/* Somebody else moved BYTES (NULL: not told) over the bus: what is known and is not
   these is not known any more.  */
bool tb_memory_build_bus (struct tb_memory_build *memory, uint64_t step,
			  uint64_t address, const uint8_t *bytes,
			  unsigned length, bool write);
bool tb_memory_build_forget (struct tb_memory_build *memory, uint64_t at);
/* Put all into the columns of FACTS; false: no memory.  */
bool tb_memory_build_seal (struct tb_memory_build *memory,
			   struct tb_columns *facts);
void tb_memory_build_fini (struct tb_memory_build *memory);

#endif /* TB_RECORDING_FACTS_BUILD_H */
