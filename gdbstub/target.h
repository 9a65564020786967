/* A target: one core with its recording, as it is served.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_TARGET_H
#define TB_GDBSTUB_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfi.h"
#include "frame/moment.h"
#include "frame/scene.h"
#include "recording/recording.h"
#include "recording/session.h"
#include "recording/stamps.h"
#include "recording/tasks.h"
#include "recording/visits.h"
#include "snapshot/variables.h"
#include "state/answer/accesses.h"
#include "state/state.h"

/* Watchpoints look at so many steps before the end.  Each that is looked at must be
   worked out: a million in a quarter of a second or so.  */
#define WATCHED_STEPS ((uint64_t) 1 << 24)

struct options;
struct experiment;
struct tb_open_exceptions;
struct tb_lane;
struct kernel;

/* How far the work ahead (ahead.h) has come.  */
enum ahead_stage
{
  AHEAD_VISITS,			/* Where breakpoints are hit.  */
  AHEAD_ACCESSES,		/* What watchpoints look through, window by window
				   of the state from the end back.  */
  AHEAD_STATE,			/* What more windows know by their neighbours.  */
  AHEAD_AGAIN,			/* The accesses, with what is known now.  */
  AHEAD_DONE
};

/* The buffer that GDB's runs get.  */
struct wanted_buffer
{
  bool is_limited, is_circular;
  uint64_t size;		/* In bytes of frames.  */
};

/* Position N of a target is the moment before step N; its last one the state at
   the end, where the PC there is known.  */
struct target
{
  const char *name;		/* Of the core.  */
  struct tb_session *session;
  const struct tb_session_core *core;
  const struct tb_session_stream *stream;	/* NULL: no trace.  */
  struct tb_recording *recording;
  uint64_t steps;
  uint64_t last;		/* The last position.  */
  uint64_t first_frame;		/* Position of trace frame 0: GDB counts frames
				   in an int.  */
  uint64_t window;		/* Steps that are worked out together.  */
  size_t memory;		/* Bytes of them that are kept.  */
  unsigned jobs;		/* Threads that work them out.  */
  uint64_t watched;		/* The first step that watchpoints look at.  */
  uint64_t ahead;		/* Steps before the end to work out ahead.  */
  const char *elf;		/* For GDB to read symbols from; NULL: none.  */
  char *elf_path;		/* The same, absolute; NULL: none.  */
  char *wrong_elf;		/* Says that an ELF file is not what ran; or
				   NULL.  */
  bool exact;			/* New clients see no poison.  */
  bool tasks_as_threads;	/* See tasks.h.  */
  struct cfi *cfi;		/* Where GDB can unwind; NULL: not known.  */
  unsigned assume;		/* TB_ASSUME_...  */
  unsigned doubt;		/* TB_PREMISE_...  */
  unsigned start;		/* TB_START_...  */
  enum tb_space space;		/* To look at dumps from where there is no trace;
				   ANY: as the core was at the halt.  */
  unsigned generation;		/* Of RECORDING, for what is above.  */
  struct tb_diag *diag;
  bool lacks_memory;		/* That it does was said.  */

  /* What GDB is told of the registers; does not change while it is connected.  */
  const struct tb_tdesc *tdesc;	/* NULL: not found out yet.  */
  struct tb_tdesc *own_tdesc;	/* It is this one; NULL: the user's.  */
  bool has_fp;			/* The core is known to have FP registers.  */

  /* Made when first needed.  */
  struct tb_faults *faults;	/* What STATE needs first; NULL again when it has it.  */
  struct tb_state *state;
  struct tb_moments *moments;
  struct tb_visits *visits;
  struct tb_accesses *accesses;
  struct tb_accesses *better_accesses;	/* They will be, when all are listed. */
  struct tb_open_exceptions *interruptions;
  struct tb_stamps stamps;	/* See target_stamps.  */
  bool has_stamps;		/* They were read.  */
  struct tb_lane *lane;		/* What software said; NULL: not asked for yet, */
  bool no_lane;			/* or there is none.  */
  struct tb_symbols *symbols;	/* Of ELF.  */
  struct tb_variables *variables;	/* Of SYMBOLS.  */
  struct tb_tasks *tasks;
  struct kernel *kernel;	/* What they are called; see kernels.h.  */
  bool failed;			/* There was no memory for them.  */
  enum ahead_stage stage;

  struct experiment *experiment;	/* NULL: the preloaded run.  */
  struct wanted_buffer buffer;
};

/* Cores that are the threads of one connection; one at least.  */
struct target_group
{
  struct target **members;
  size_t count;
};

/* What keeps A and B from being threads of one connection, of which GDB has one description and
   one program: the noun; NULL: nothing.  */
const char *targets_differ (struct target *a, struct target *b);

/* All targets of a snapshot.  */
struct targets
{
  struct tb_session session;
  struct tb_session_elf *elves;	/* Those that are what ran, if others were left
				   out; else NULL.  */
  struct target *items;
  size_t count;
  struct target_group *groups;	/* Each item is in one of them.  */
  size_t ngroups;
  struct target **members;	/* Theirs.  */
};

/* Open the snapshot that OPTIONS names and a target for each core that it
   chooses; DIAG must outlive them.  Anything but TB_OK: a diagnostic said
   why.  */
enum tb_status targets_open (struct targets *targets,
			     const struct options *options,
			     struct tb_diag *diag);
void targets_close (struct targets *targets);

/* Make the groups: of TOGETHER, each of all cores with the same registers and program;
   else one for each core.  False: no memory.  */
bool targets_group (struct targets *targets, bool together);

/* Has the recording changed since the last call (its index did not fit it)?  What
   was made from it is then forgotten, and STEPS, LAST and the like are new.  */
bool target_changed (struct target *target);

/* Assume WHAT from now on.  */
void target_assume (struct target *target, unsigned what);

/* Do not rely on the premises WHAT (TB_PREMISE_...), and on all others, from now on.  */
void target_doubt (struct target *target, unsigned what);

/* Look at dumps from SPACE from now on (struct target).  */
void target_look_from (struct target *target, enum tb_space space);

/* Make what registers and memory need (MOMENTS, STATE).  */
bool target_prepare (struct target *target);

/* Do some of what that needs to know of the whole trace, until GO_ON says no.  True when it is
   done.  */
bool target_begin_prepare (struct target *target, bool (*go_on) (void *context),
			   void *context);

/* The same for VISITS and for ACCESSES.  */
bool target_prepare_visits (struct target *target);
bool target_prepare_accesses (struct target *target);

/* When the recording ran its steps, as far as timestamps tell; NULL: no memory.  All of it
   is looked through when they are asked for first.  */
const struct tb_stamps *target_stamps (struct target *target);

/* Forget what software said.  */
void target_forget_lane (struct target *target);

/* Execution of TARGET can stand behind its last step, too, where its trace does not tell that that
   leads to the halt, but what is known of the registers does.  */
void target_know_end (struct target *target);

/* Which exceptions were under way.  All of the recording is looked through when they are asked for
   first, until GO_ON (NULL: there is none) says no; NULL: it said so, or no memory.  */
const struct tb_open_exceptions *target_interruptions (struct target *target,
						       bool (*go_on) (void *context),
						       void *context);

/* Work out what each client asks for first.  GDB waits no more than three times its remotetimeout,
   2 seconds, for such an answer, and to work out one window alone can take longer.  True: the
   recording has changed meanwhile (target_changed), which was taken in.  */
bool target_make_ready (struct target *target);

/* Take in what follows from the recording of TARGET, when it is opened or has changed.  */
void target_measure (struct target *target);

/* The names of the ELF file's code, none without one; NULL: no memory.  */
struct tb_symbols *target_symbols (struct target *target);

/* The variables of the same; NULL: no memory.  */
struct tb_variables *target_variables (struct target *target);

/* The tasks of a kernel; NULL: no memory.  All of the recording is looked through when
   they are asked for first.  */
const struct tb_tasks *target_tasks (struct target *target);

/* The same of a struct target, for $task.  */
tb_moment_tasks target_find_tasks;

const struct tb_profile *target_profile (const struct target *target);

/* The number of trace frames.  */
uint64_t target_frames (const struct target *target);

/* What MOMENT is, even where its PC is not known (*HAS_PC).  False: no
   memory.  */
bool target_moment (struct target *target, uint64_t position,
		    struct tb_moment *moment, bool *has_pc);

/* Is all of the stack pointer known at POSITION?  */
bool target_knows_sp (struct target *target, uint64_t position);

/* While ON, moments that nobody has looked at yet are shown as far as that is known soon
   (tb_state_glance); the rest is worked out ahead, so not where nothing is.  Returns what it
   was before.  */
bool target_glance (struct target *target, bool on);

/* The PC at the last position, if that is one behind the last step.  */
bool target_end_pc (struct target *target, uint64_t *pc);

/* LENGTH bytes of memory at ADDRESS at MOMENT, as tb_moment_memory; code that
   ran in any window seen so far is known too.  */
void target_memory (struct target *target, const struct tb_moment *moment,
		    uint64_t address, uint8_t *bytes, uint8_t *origins,
		    size_t length);

/* What agent expressions get their data from; target_prepare went before.  */
struct tb_stage target_stage (struct target *target);

#endif /* TB_GDBSTUB_TARGET_H */
