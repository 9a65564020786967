/* Trace experiments: what tracepoints would have collected had they been set
   while a recorded run ran.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A run looks up the visits of the tracepoints' addresses, and the moments of those
   that are listed, and makes of each hit a frame: the tracepoint and the step.  What
   is known at that step is known in the frame, whatever the tracepoint collects.  */

#ifndef TB_FRAME_EXPERIMENT_H
#define TB_FRAME_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/agent.h"
#include "frame/collect.h"
#include "frame/scene.h"
#include "frame/tracepoint.h"
#include "recording/visits.h"

/* The most frames; a buffer that has more is full.  */
#define TB_EXPERIMENT_FRAMES ((size_t) 1 << 22)

struct tb_trace_frame
{
  uint64_t step;
  uint64_t pc;
  uint32_t tracepoint;		/* Its place in the set.  */
  uint32_t values;		/* Which values the user's variables have.  */
  bool stepping;		/* Of a step behind a hit.  */
};

/* A place where a condition met what is not known.  */
struct tb_undecided
{
  uint64_t step;
  uint32_t tracepoint;		/* Its place in the set.  */
};

/* The most of them that are kept: the first ones.  */
#define TB_UNDECIDED_MAX 200

enum tb_experiment_end
{
  TB_EXPERIMENT_NOT_RUN,
  TB_EXPERIMENT_DONE,		/* To the end of the recording.  */
  TB_EXPERIMENT_PASSED,		/* By the pass count of a tracepoint.  */
  TB_EXPERIMENT_FULL,
  TB_EXPERIMENT_FAILED,		/* By an error of an expression.  */
  TB_EXPERIMENT_INTERRUPTED,
  TB_EXPERIMENT_NO_MEMORY
};

/* Zero-initialise but for SET; free with tb_experiment_fini.  */
struct tb_experiment
{
  struct tb_tracepoint_set set;
  uint64_t buffer_size;		/* In bytes of frames; UINT64_MAX: any.  */
  bool circular;		/* Full: the first frames go.  */

  /* What the run made.  */
  struct tb_trace_frame *frames;
  size_t count, capacity, gone;	/* GONE: that a circular buffer lost.  */
  uint64_t dropped;		/* How many in all.  */
  struct tb_value *values;	/* SET.nvariables each time.  */
  size_t nvalues, value_capacity;
  uint64_t usage;
  struct tb_undecided undecided[TB_UNDECIDED_MAX];
  size_t nundecided;
  enum tb_experiment_end end;
  unsigned end_tracepoint;	/* PASSED, FAILED: whose number.  */
  enum tb_agent_status error;	/* FAILED  */
};

void tb_experiment_fini (struct tb_experiment *experiment);

/* What an experiment is run on.  */
struct tb_experiment_input
{
  struct tb_recording *recording;
  struct tb_visits *visits;	/* Its poll ends the run, too.  */
  struct tb_stage stage;
  uint64_t first;		/* The first moment.  */
  uint64_t end;			/* Behind the last one; 0: that of the
				   recording.  */
  /* The moment behind the last step has this PC, if it is known.  */
  bool end_known;
  uint64_t end_pc;
  unsigned register_bytes;	/* Of a frame with registers.  */
  /* Called now and then; false ends the run.  NULL: none.  */
  bool (*go_on) (void *context);
  void *context;
};

/* Run it, from the start: frames and counts of an earlier run are forgotten.  */
void tb_experiment_run (struct tb_experiment *experiment,
			const struct tb_experiment_input *input);

/* Frame NUMBER.  */
const struct tb_trace_frame *
tb_experiment_frame (const struct tb_experiment *experiment, size_t number);

/* The value of variable V in FRAME; in none: at the end.  */
const struct tb_value *
tb_experiment_value (const struct tb_experiment *experiment,
		     const struct tb_trace_frame *frame,
		     const struct tb_trace_variable *v);

/* The first frame from number FROM on of tracepoint NUMBER, or whose PC is in
   FIRST to LAST (OUTSIDE: is not); the number of frames: there is none.  */
size_t tb_experiment_find_tracepoint (const struct tb_experiment *experiment,
				      size_t from, unsigned number);
size_t tb_experiment_find_pc (const struct tb_experiment *experiment,
			      size_t from, uint64_t first, uint64_t last,
			      bool outside);

/* Call COLLECT for the memory that FRAME's tracepoint collects there.  */
void tb_experiment_collect (struct tb_experiment *experiment,
			    const struct tb_stage *stage,
			    const struct tb_trace_frame *frame,
			    void (*collect) (void *data, uint64_t address,
					     uint64_t length), void *data);

/* How often conditions met what is not known; *FIRST is the tracepoint of the
   first time (NULL: none).  */
uint64_t tb_experiment_unknown (const struct tb_experiment *experiment,
				const struct tb_tracepoint **first);

#endif /* TB_FRAME_EXPERIMENT_H */
