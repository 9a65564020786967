/* A recording made by hand, for tests of state: steps, events, memory and halt
   registers as a test wants them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Linked in place of recording/recording.c: it defines the functions of
   recording/recording.h that state uses.  */

#ifndef TB_UNIT_FAKE_RECORDING_H
#define TB_UNIT_FAKE_RECORDING_H

#include "recording/window.h"
#include "snapshot/memmap.h"
#include "state/state.h"
#include "target-memory.h"

#define FAKE_RAM UINT32_C (0x20000000)
#define FAKE_REGIONS 8
#define FAKE_REGS 80

struct tb_recording
{
  const struct tb_decoder *decoder;	/* NULL, or one of those below.  */
  struct tb_recording_info info;
  struct tb_decoder_stats stats;
  struct tb_profile profile;
  struct tb_memmap *map;	/* Made by fake_open.  */
  struct tb_step *steps;
  size_t steps_room;
  struct tb_event *events;
  size_t nevents, events_room;
  unsigned read_whole;		/* How often all events were asked for at once.  */
  struct tb_transfer *transfers;	/* By steps, makers and parts.  */
  size_t ntransfers, transfers_room;
  struct tb_region regions[FAKE_REGIONS];
  size_t nregions;
  /* Where the host has the other byte order, regions are made of arrays of numbers.  */
  const void *arrays[FAKE_REGIONS];
  size_t items[FAKE_REGIONS];	/* Bytes each; 0: REGIONS has the array itself.  */
  uint8_t isa;			/* Of the next steps.  */
  struct tb_window window;	/* That was asked for.  */
  struct tb_device core;
  struct tb_device_reg regs[FAKE_REGS];
  uint8_t bytes[FAKE_REGS][8];	/* Of each, lowest first.  */
  struct tb_state_options options;
  struct tb_diag diag;		/* Counts the warnings of fake_open.  */
};

/* The decoder of a protocol that tells of every instruction whether its
   condition passed.  */
extern const struct tb_decoder fake_etmv3;
/* One that does not.  */
extern const struct tb_decoder fake_ptm;
extern const struct tb_decoder fake_mtb;

/* An empty recording of a core of architecture ARCH, TB_ARCH_V8A (which runs A64),
   TB_ARCH_V7A (which runs A32 at first) or one of the M profile; free with
   fake_free.  */
struct tb_recording *fake_new (enum tb_arch arch);
void fake_free (struct tb_recording *fake);

/* Memory as dumped at the halt.  DATA is borrowed; it is an array of bytes or of numbers
   that stand for the target's memory (target-memory.h), and may change until fake_open.  */
#define fake_dump(fake, address, data, length) \
  fake_dump_items ((fake), (address), (data), sizeof *(data), (length))
void fake_dump_items (struct tb_recording *fake, uint64_t address,
		      const void *data, size_t item, uint64_t length);

/* Append the step at PC; its opcode is read from the dumps.  FLAGS:
   TB_STEP_TAKEN.  */
void fake_step (struct tb_recording *fake, uint32_t pc, unsigned flags);
void fake_raw_step (struct tb_recording *fake, uint64_t pc, uint32_t opcode,
		    unsigned size, unsigned flags);

/* COUNT steps in sequence from PC; returns the address after them.  */
uint32_t fake_run (struct tb_recording *fake, uint32_t pc, unsigned count);

/* Append an event before the next step.  */
struct tb_event *fake_event (struct tb_recording *fake,
			     enum tb_event_kind kind, uint64_t address);

/* Append a transfer of the last step: one more of those of data trace.  */
struct tb_transfer *fake_transfer (struct tb_recording *fake,
				   uint32_t address, uint32_t value);

/* Set a register of the halt state: of 32 bits, D registers 64.  */
void fake_reg (struct tb_recording *fake, const char *name, uint64_t value);

/* The trace ends at PC, and so does the core if HALTED.  */
void fake_end (struct tb_recording *fake, uint64_t pc, bool halted);

/* Reconstruct.  */
struct tb_state *fake_open (struct tb_recording *fake);

/* Is what is known of the dumps and 16 bytes around each, before the first step, in the
   middle and at the end, the same where it is asked for at once and byte by byte?  */
bool fake_same_memory (const struct tb_recording *fake, struct tb_state *state);

/* The value of register REG before STEP, in *VALUE; false when it is not
   wholly known.  */
bool fake_known (struct tb_state *state, uint64_t step, unsigned reg,
		 uint32_t *value);

/* The memory word at ADDRESS before STEP.  */
bool fake_word (struct tb_state *state, uint64_t step, uint32_t address,
		uint32_t *value);

#endif /* TB_UNIT_FAKE_RECORDING_H */
