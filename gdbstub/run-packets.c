/* The packets that move through the recording: s, c, vCont, bs, bc.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Packets", "vCont packet", "Reverse Execution".  */

#include "config.h"
#include "run.h"

#include <string.h>

#include "dispatch.h"
#include "frames.h"
#include "threads.h"

static const struct tb_visit_range no_range = { 0, 0 };

/* Move the thread that the last Hc chose, or the one that the user chose and with it all:
   before GDB lets all go it may have read the registers of each.  */
static void
go (struct client *c, bool backward, enum run_extent extent)
{
  bool alone = c->resumed.core != SIZE_MAX;
  /* Execution has no trace frame.  */
  frames_leave (c);
  threads_look (c, alone ? c->resumed : c->chosen);
  run_go (c, backward, extent, no_range, alone);
}

static void
go_forward (struct client *c, const struct packet_args *args)
{
  (void) args;
  go (c, false, GO_ON);
}

static void
step_forward (struct client *c, const struct packet_args *args)
{
  (void) args;
  go (c, false, GO_STEP);
}

static void
go_backward (struct client *c, const struct packet_args *args)
{
  (void) args;
  go (c, true, GO_ON);
}

static void
step_backward (struct client *c, const struct packet_args *args)
{
  (void) args;
  go (c, true, GO_STEP);
}

static void
actions (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_text (c, "vCont;c;C;s;S;t;r");
}

/* An action of vCont.  */
struct action
{
  const char *text;
  size_t length;		/* Without the thread.  */
};

/* Find the actions of ARGS: *FIRST of a thread alone, which is *ID, and *REST of all that
   have no other; NULL texts where there is none.  */
static void
find_actions (struct client *c, const struct packet_args *args,
	      struct action *first, struct thread_id *id, struct action *rest)
{
  const char *at = args->text, *end = args->text + args->length;
  *first = *rest = (struct action) { NULL, 0 };
  for (const char *next; at < end; at = next + 1)
    {
      next = memchr (at, ';', (size_t) (end - at));
      if (next == NULL)
	next = end;
      const char *colon = memchr (at, ':', (size_t) (next - at));
      if (colon == NULL)
	colon = next;
      struct action action = { at, (size_t) (colon - at) };
      const char *text = colon + 1;
      size_t length = colon < next ? (size_t) (next - text) : 0;
      struct thread_id thread;
      bool any = length == 0 || (length == 2 && memcmp (text, "-1", 2) == 0)
		 || (length == 1 && *text == '0');
      if (any && rest->text == NULL)
	*rest = action;
      else if (!any && first->text == NULL && threads_parse (c, text, length, &thread))
	{
	  *first = action;
	  *id = thread;
	}
    }
}

/* vCont;ACTION[:THREAD][;ACTION...].  A thread that has an action of its own leads; if all
   others have one, they go on, whichever it is.  */
static void
continue_by_action (struct client *c, const struct packet_args *args)
{
  struct action own, rest;
  struct packet_args range;
  struct thread_id id = c->chosen;
  find_actions (c, args, &own, &id, &rest);
  bool alone = rest.text == NULL;
  const struct action *action = own.text != NULL ? &own : &rest;
  /* As in go.  */
  frames_leave (c);
  threads_look (c, id);
  /* Signals are not delivered: the program has run.  */
  switch (action->text != NULL && action->length > 0 ? *action->text : 0)
    {
    case 'c': case 'C':
      if (threads_announce (c))
	break;
      run_go (c, false, GO_ON, no_range, alone);
      break;
    case 's': case 'S':
      run_go (c, false, GO_STEP, no_range, alone);
      break;
    case 't':
      reply_stop (c, 0, "");
      break;
    case 'r':
      if (!packet_parse ("rx,x", action->text, action->length, &range))
	reply_error (c);
      else if (range.number[0] >= range.number[1])
	run_go (c, false, GO_STEP, no_range, alone);
      else
	run_go (c, false, GO_RANGE,
		(struct tb_visit_range) { range.number[0], range.number[1] - 1 },
		alone);
      break;
    default:
      reply_error (c);
    }
}

const struct packet_handler packets_run[] = {
  { "c", "", go_forward },
  { "C", "x", go_forward },
  { "s", "", step_forward },
  { "S", "x", step_forward },
  { "bc", "", go_backward },
  { "bs", "", step_backward },
  { "vCont?", "", actions },
  { "vCont;", "*", continue_by_action },
  { NULL, NULL, NULL }
};
