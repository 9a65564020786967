/* Threads: the cores of one connection, and the tasks that they run.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A client has the place of the thread that it looks at in its own members, and those of
   the others in a list; where it has one core there is no list.  They count from 0.

   For GDB a core's tasks are threads too, where there are any (tasks.h).  */

#ifndef TB_GDBSTUB_THREADS_H
#define TB_GDBSTUB_THREADS_H

#include "client.h"
#include "dispatch.h"

/* What a thread has of its own; see the members of struct client.  */
struct thread
{
  struct target *target;
  uint64_t position;
  bool watch_stop, watch_backward;
  uint64_t watch_position;
  bool btrace, btrace_read;
  uint64_t btrace_at, btrace_size;
  unsigned task;
  /* When other cores moved on, this one did: breakpoints behind REPORTED, and accesses of
     steps from LOOKED on, have not stopped it yet.  */
  uint64_t reported, looked;
  uint64_t from;		/* Where it was before all moved.  */
  bool narrow_said;
};

/* Give CLIENT the cores of GROUP, all of them at their ends.  False: no memory.  */
bool threads_begin (struct client *client, const struct target_group *group);
void threads_end (struct client *client);

/* Look at core NUMBER from now on, and there at what was looked at last.  */
void threads_select (struct client *client, size_t number);

/* Look at thread ID.  */
void threads_look (struct client *client, struct thread_id id);

struct target *threads_target (const struct client *client, size_t number);
uint64_t threads_position (const struct client *client, size_t number);

/* Move thread NUMBER to POSITION.  */
void threads_move (struct client *client, size_t number, uint64_t position);

/* What CLIENT watches is reported again where threads stand.  */
void threads_forget_stops (struct client *client);

/* The threads that GDB is told of, one after the other: AT begins as THREADS_FIRST.  */
#define THREADS_FIRST ((struct thread_id) { SIZE_MAX, 0 })
bool threads_next (struct client *client, struct thread_id *at);

/* Where GDB began again and lets all go on before it has asked for threads, it would number the one
   that stops first before the others: tell it that the next one was made, with which it goes on at
   once.  False: it knows all.  */
bool threads_announce (struct client *client);

/* What GDB calls thread ID.  */
uint64_t threads_number (struct thread_id id);

/* The thread that GDB's TEXT stands for, among those of CLIENT; false: none of them, or
   any.  */
bool threads_parse (struct client *client, const char *text, size_t length,
		    struct thread_id *id);

/* Let ANSWER reply as if CLIENT looked at the thread that ARGS has the number of; in a trace frame
   it looks at that.  An error where there is no such thread.  */
void threads_ask (struct client *client, const struct packet_args *args,
		  void (*answer) (struct client *));

/* Append the name of thread ID; in a trace frame that of the core which CLIENT looks at.  */
void threads_put_name (struct client *client, struct thread_id id, struct tb_buffer *text);

/* Append what it does, and where the core stands that runs it.  */
void threads_put_standing (struct client *client, struct thread_id id,
			   struct tb_buffer *text);

/* Say on the console of CLIENT what is of the core that it looks at, with its name where there are
   several.  */
void threads_say (struct client *client, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

#endif /* TB_GDBSTUB_THREADS_H */
