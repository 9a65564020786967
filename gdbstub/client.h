/* A client: one connection, and what it has set.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_CLIENT_H
#define TB_GDBSTUB_CLIENT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filled.h"
#include "frame/collect.h"
#include "frame/tracepoint.h"
#include "packet.h"
#include "stacked.h"
#include "target.h"
#include "watched.h"

/* The contents of the longest packet, in both directions.  */
#define PACKET_LIMIT 0x10000

/* Breakpoints and watchpoints of one client.  */
#define BREAKPOINTS_MAX 4096

/* How many single bytes are read before what is marked.  */
#define CLIENT_KNOCKS 4

/* What registers that are not known show to GDB (see registers.c), and memory (see
   memory.c).  */
enum unknown_policy
{
  UNKNOWN_AUTO,
  UNKNOWN_EXACT,
  UNKNOWN_NAVIGABLE,
  UNKNOWN_FILLED		/* As AUTO; memory that is known in part is filled.  */
};

/* Kinds of Z packets.  */
enum breakpoint_kind
{
  BREAK_SOFTWARE, BREAK_HARDWARE, WATCH_WRITE, WATCH_READ, WATCH_ACCESS,
  BREAKPOINT_KINDS
};

struct breakpoint
{
  uint64_t address;
  uint64_t length;		/* Watchpoints: bytes.  Breakpoints: the kind of
				   instruction, which does not matter.  */
  uint8_t kind;			/* enum breakpoint_kind  */
  bool odd;			/* The address that GDB said is one more.  */
  /* Breakpoints: execution stops where one of them holds; none: always.  */
  struct tb_expression *conditions;
  size_t nconditions;
};

/* A document that qXfer reads in pieces.  */
struct document
{
  const void *object;		/* Which; NULL: none.  */
  struct tb_buffer text;
};

/* A thread: a core, or a task of a kernel that it runs (tasks.h).  */
struct thread_id
{
  size_t core;			/* From 0 on.  */
  unsigned task;		/* Its number; 0: the core itself.  */
};

struct server;
struct thread;
struct merged_frame;

struct client
{
  struct server *server;
  /* The core that it looks at.  With several, that is one of its threads (threads.h).  */
  struct target *target;
  struct thread *threads;	/* NULL: there is one.  */
  size_t nthreads, thread;	/* How many; which.  */
  unsigned task;		/* The task of that core that it looks at; 0: the core.  */
  struct thread_id user;	/* What GDB looks at: it steps back that one.  */
  struct thread_id chosen;	/* What its user does: GDB looks at others to list them.  */
  struct thread_id resumed;	/* What is to be resumed; core SIZE_MAX: any.  */
  bool follows_core;		/* Steps follow the core, and its thread is what stops.  */
  bool chose_core;		/* The same of stops, as the user looks at a core.  */
  bool steps;			/* GDB makes a step of STEPPED, a task, or the core if 0.  */
  bool steps_over;		/* It is alone: over a breakpoint.  */
  unsigned stepped;
  bool stop_told;		/* GDB knows what stopped.  */
  size_t leader;		/* The one whose place is the others' time (together.h). */
  unsigned steps_alone;		/* One thread's, in a row.  */
  bool untied_said;
  int in, out;			/* The same, but for standard input and output. */
  bool refused;			/* It came while another was connected.  */
  bool no_ack;
  bool has_symbols;		/* GDB has loaded some.  */
  bool is_lldb;			/* It sent a packet that LLDB alone sends.  */
  bool has_front_end;		/* The user sees a front end of GDB, which takes a stop of no
				   reason that it knows for an exception of the program.  */
  bool asked_registers;		/* As LLDB it asked for one of them.  */
  bool wants_swbreak, wants_hwbreak;	/* As reasons of a stop.  */
  bool gone;			/* To be closed: it ended, or an error.  */
  bool leaving;			/* To be closed when all is sent.  */
  bool busy;			/* A packet of its is being answered.  */
  uint64_t packets;		/* How many were.  */

  struct tb_buffer input;	/* Bytes read and not looked at yet.  */
  size_t input_used;
  struct packet_reader reader;
  struct tb_buffer output;	/* To be sent.  */
  size_t output_sent;
  struct tb_buffer sent;	/* The last packet, as sent.  */
  struct tb_buffer reply;	/* Contents of the reply being made.  */
  bool no_reply;
  uint64_t heard;		/* When bytes came.  */
  uint64_t said;		/* When something was last sent, in ms.  */
  uint64_t polled;		/* When its input was last looked at during one,
				   in ms.  */
  bool interrupted;		/* ^C came, or this:  */
  bool given_up;		/* GDB no longer waits for the answer to its command.  */
  bool may_give_up;		/* It may do so, as its user types ^C: a monitor command, or a
				   packet of trace frames.  */
  bool takes_text;		/* A monitor command: its answer can be text.  */
  uint64_t begun;		/* When that packet was begun with, in ms.  */
  struct tb_buffer held;	/* What its console is told by then.  */
  unsigned waited;		/* How often GDB said meanwhile that it waits.  */
  uint64_t signalled;		/* When it was last told how far the command is, in ms; 0: not
				   yet.  */
  uint64_t reached;		/* The step that a monitor command is at; UINT64_MAX: that
				   is not known.  */

  /* The two cursors.  */
  int64_t frame;		/* The trace frame; -1: none.  */
  bool keeps_frame;		/* GDB took one with it when it began anew.  */
  int64_t local;		/* Its number among its core's (frames.h).  */
  bool at_moment;		/* It is that of no run: see frames_here.  */
  struct merged_frame *merged;	/* Those of GDB's run, of several cores; NULL: not put in
				   order yet.  */
  size_t nmerged;
  unsigned run_number;		/* What GDB calls the preloaded run's
				   tracepoint.  */
  uint64_t position;		/* Where execution stands.  */

  enum unknown_policy policy;
  struct breakpoint *breakpoints;
  size_t nbreakpoints, breakpoint_capacity;
  /* GDB finishes the handler that began at FINISH_FIRST, by a breakpoint.  */
  bool finishes;
  uint64_t finish_first, finish_address;
  uint64_t *ran;		/* The addresses of those that were set when it last ran.  */
  size_t nran, ran_room;
  /* The watchpoint stop that was reported last: it is not reported again when
     execution goes on from it the same way.  */
  bool watch_stop, watch_backward;
  uint64_t watch_position;
  /* Steps stop in handlers that interrupt them; else they pass over those, and that
     they did so was said.  */
  bool steps_into_handlers, passing_said;
  struct watched watched;	/* What GDB has of what it watches.  */
  unsigned stop_signal;		/* Of the last stop that was told; 0: none was.  */
  struct thread_id stop_thread;	/* Its thread.  */
  const char *stop_description;	/* What LLDB's user reads of it; NULL: nothing.  */
  bool moved;			/* "monitor goto" moved execution, and GDB has not read
				   the registers since.  */
  /* LLDB keeps what it has read until execution goes on: so it is shown where it stood until
     then, when execution stands at GOES_TO.  All cores go there if that is a bound, the end or
     the begin.  */
  bool goes, goes_to_bound;
  uint64_t goes_to;
  bool outdated;		/* What GDB has read of registers or memory here is no longer
				   what it would be told.  */
  bool refreshes;		/* It asks of both behind each monitor command.  */
  bool ended;			/* Nothing runs until GDB begins or attaches again.  */
  bool extended;		/* "target extended-remote".  */
  bool end_stepped;		/* The last step was one at the end, which ended as any other,
				   and GDB's user has seen no stop since.  */
  bool knows_threads_made;	/* That a thread was made can be a reason of a stop.  */
  bool announces;		/* GDB began again, and has not heard yet of the threads */
  struct thread_id announced;	/* behind this one.  */
  bool anew;			/* GDB began again at the first step, and has not moved yet.  */
  bool names_said;		/* That names are of another core's program.  */
  bool narrow_said;		/* Where watchpoints begin to look.  */
  struct tb_buffer callers;	/* What was told of callers at CALLERS_POSITION, of
				   CALLERS_THREAD.  */
  bool callers_valid;
  uint64_t callers_position;
  struct thread_id callers_thread;
  uint64_t read_address, read_length;	/* The memory that it read last;  */
  uint64_t read_known;		/* it got so much of that.  */
  bool read_line;		/* That was of a line of its cache.  */
  bool read_marks;		/* It marks what is not known of that.  */
  uint64_t knocks[CLIENT_KNOCKS];	/* Where it read single bytes before; else UINT64_MAX.  */
  bool learned, learned_said;	/* It has the project's commands; that it has not was told.  */
  bool asked_interrupted;	/* Its backtraces from handlers ask for what these interrupted.  */
  bool made_up_read, made_up_said;	/* Memory that has bits that are not known.  */
  struct filled filled;		/* Memory that was filled since that was told, and that
				   nobody marks.  */
  bool filled_ever, filled_here, filled_said;	/* Some, some of this moment; that such
				   are was told.  */

  bool write_refused;		/* One of memory, at */
  uint64_t write_address;	/* this address, since that was last told.  */
  bool part_refused;		/* A read of memory that is known in part; which */
  uint64_t part_address;	/* address is not known.  */
  bool part_said;		/* That was told; once.  */

  struct tb_moment moment;	/* Of MOMENT_POSITION.  */
  uint64_t moment_position;
  bool moment_valid, moment_has_pc;
  struct tb_moment view;	/* That moment for the task VIEW_TASK, which does not run
				   then */
  unsigned view_task;
  bool view_valid, waits;	/* if it WAITS; else it is the moment itself.  */
  struct stacked stacked;	/* Of that moment.  */
  bool stacked_valid;

  /* "record btrace".  */
  bool btrace;			/* It is on.  */
  bool btrace_read;		/* The history was read up to BTRACE_AT.  */
  uint64_t btrace_at;
  uint64_t btrace_size;		/* Of GDB's buffer, in bytes; 0: any.  */

  struct document document;
  size_t piece;			/* The next for qTsP, qTsV.  */

  /* For qTBuffer: the frame SAVE_NUMBER, which begins at SAVE_OFFSET.  */
  struct tb_collector *collector;
  struct tb_frame save_frame;
  unsigned save_tracepoint;
  uint64_t save_number, save_offset;
  bool save_valid;
};

/* The state when a client has just connected to the cores of GROUP (NULL: it is turned
   away).  False: no memory.  */
bool client_begin (struct client *client, const struct target_group *group);
void client_fini (struct client *client);

/* Forget what was read of the target: it says something else now.  */
void client_forget (struct client *client);

/* Look at the bytes in INPUT.  */
void client_process (struct client *client);

/* Read what is there into INPUT, without waiting.  */
void client_receive (struct client *client);

/* Before anything was answered: GDB sends its first packet again and again until it is
   acknowledged; leave one of those in INPUT.  */
void client_drop_repeats (struct client *client);

/* Send what can be sent without waiting.  */
void client_send (struct client *client);

/* Text on GDB's console, at once.  Only where GDB takes it: while it waits for
   execution to stop, for a monitor command, or for a tracepoint packet.  */
void client_console (struct client *client, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* The same, with "WHO: " before it, if that is not empty.  */
void client_console_of (struct client *client, const char *who, const char *format,
			va_list arguments)
  __attribute__ ((format (printf, 3, 0)));

/* CLIENT's packet takes long: look at what it says meanwhile, and tell it that the answer is
   still to come if it waits for that.  */
void client_attend (struct client *client);

/* For long operations: false when CLIENT interrupted or is gone, or the program is
   to end.  Other clients are served meanwhile.  */
bool client_poll (void *client);

/* The position that registers and memory are those of.  */
uint64_t client_position (const struct client *client);

/* The moment there, of the core; NULL: no memory.  */
const struct tb_moment *client_core_moment (struct client *client);

/* The same of the thread that CLIENT looks at, which may be a task that waits then.  */
const struct tb_moment *client_moment (struct client *client);

/* Is it?  */
bool client_looks_at_waiting (struct client *client);

/* As target_memory, of that moment, with what is made up for GDB by CLIENT's policy
   for what is not known.  */
void client_memory (struct client *client, uint64_t address, uint8_t *bytes,
		    uint8_t *origins, size_t length);

/* Where CLIENT shows messages, before a stop or what a command prints: say what its user has to
   know of what GDB did by itself: once that it has read memory that is made up; each time that it
   has read filled memory that it did not ask about then, to mark it; and the like.  */
void client_tell_made_up (struct client *client);

/* Append to TEXT why memory was not written, or was not read, as far as that was not told yet.  */
void client_put_refusal (const struct client *client, struct tb_buffer *text);

/* That was told.  */
void client_refusal_told (struct client *client);

/* CLIENT's policy.  LLDB gets on without values of what is not known.  */
enum unknown_policy client_policy (const struct client *client);

/* What is; NULL: nothing.  */
const struct stacked *client_stacked (struct client *client);

/* Replies.  */
void reply_text (struct client *client, const char *text);
void reply_ok (struct client *client);
void reply_error (struct client *client);
void reply_read_only (struct client *client);
#define reply_printf(client, ...) \
  tb_buffer_printf (&(client)->reply, __VA_ARGS__)

#endif /* TB_GDBSTUB_CLIENT_H */
