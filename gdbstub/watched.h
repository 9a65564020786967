/* What GDB compares what it watches with.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB 13.1, breakpoint.c (update_watchpoint, watchpoint_check).  GDB reads what is watched
   when the watchpoint is made, and again behind each access that is reported.  Where it reads then
   what it has it goes on without a word.  Where the client has gone to another moment in between
   ("monitor goto", "tfind") that is no sign that nothing was changed.

   The project's commands for GDB mend that: whatever goes to another moment has GDB read what it
   watches anew, and they say so (qTracebridge.Watched).  From then on what such a client reads at
   the moment of execution does not count, but what it reads in a trace frame does until they have
   said so again: GDB runs none of them behind MI's "-trace-find none".  */

#ifndef TB_GDBSTUB_WATCHED_H
#define TB_GDBSTUB_WATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is kept of what is watched, and of what only looks so.  */
#define WATCHED_MOST 32
/* Reads of memory right before another one.  */
#define WATCHED_READS 8

/* A moment whose memory was read.  */
struct watched_place
{
  size_t core;
  uint64_t position;
};

/* GDB has the LENGTH bytes at ADDRESS of one of these moments, or of the only one.  */
struct watched_range
{
  uint64_t address, length;
  struct watched_place places[2];
  unsigned count;		/* Of PLACES, one at least.  */
  bool lapsed;			/* GDB has made a motion without watching it since.  */
};

struct watched_read
{
  uint64_t address, length;
};

struct watched
{
  struct watched_range ranges[WATCHED_MOST];	/* What was of use last comes first.  */
  size_t count;
  /* Reads with no other packet between: the packet behind the last of them is number NEXT.  */
  struct watched_read reads[WATCHED_READS];
  size_t nreads;
  uint64_t next;
  bool mended;			/* By the client's commands.  */
  /* An access to CHECKED_ADDRESS was reported, and GDB compares at CHECKED.  */
  bool checks;
  uint64_t checked_address;
  struct watched_place checked;
};

struct breakpoint;
struct client;
struct motion;
struct tb_access_found;

/* How a store that is reported would look to GDB.  */
enum watched_look
{
  WATCHED_STOPS,		/* As a change, or as what changes nothing, rightly.  */
  WATCHED_DARK,			/* As none; it is not known whether it is one.  */
  WATCHED_SAME			/* As none, but it is one.  */
};

/* CLIENT reads LENGTH bytes of memory at ADDRESS; MARKS: to mark what is not known of them.  */
void watched_note (struct client *client, uint64_t address, uint64_t length, bool marks);

/* CLIENT makes a motion with what is set.  GDB takes all away for a step over something, but where
   it GOES_ON to a stop what is not set is not watched: forget that.  */
void watched_move (struct client *client, bool goes_on);

/* CLIENT is told of an access to ADDRESS, and compares at POSITION.  */
void watched_report (struct client *client, uint64_t address, uint64_t position);

/* M came to FOUND, after (or backward, before) which it would stand at TO.  */
enum watched_look watched_find (const struct motion *m, const struct tb_access_found *found,
				uint64_t to);

/* It is WATCHED_SAME: say what it changes.  */
void watched_tell (const struct motion *m, const struct tb_access_found *found);

#endif /* TB_GDBSTUB_WATCHED_H */
