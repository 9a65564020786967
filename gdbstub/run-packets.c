/* The packets that move through the recording: s, c, vCont, bs, bc.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Packets", "vCont packet", "Reverse Execution".  */

#include "config.h"
#include "run.h"

#include <string.h>

#include "dispatch.h"

static const struct tb_visit_range no_range = { 0, 0 };

static void
go_forward (struct client *c, const struct packet_args *args)
{
  (void) args;
  run_go (c, false, GO_ON, no_range);
}

static void
step_forward (struct client *c, const struct packet_args *args)
{
  (void) args;
  run_go (c, false, GO_STEP, no_range);
}

static void
go_backward (struct client *c, const struct packet_args *args)
{
  (void) args;
  run_go (c, true, GO_ON, no_range);
}

static void
step_backward (struct client *c, const struct packet_args *args)
{
  (void) args;
  run_go (c, true, GO_STEP, no_range);
}

static void
actions (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_text (c, "vCont;c;C;s;S;t;r");
}

/* Is the action that ends with TEXT (":ID" or nothing) for our thread?  */
static bool
for_us (const char *text, size_t length)
{
  struct packet_args id;
  if (length == 0)
    return true;
  if (length == 3 && memcmp (text, ":-1", 3) == 0)
    return true;
  return packet_parse (":x", text, length, &id) && id.number[0] <= 1;
}

/* vCont;ACTION[:THREAD][;ACTION...]: the first action that is for our thread
   counts.  */
static void
continue_by_action (struct client *c, const struct packet_args *args)
{
  const char *at = args->text, *end = args->text + args->length;
  while (at < end)
    {
      const char *next = memchr (at, ';', (size_t) (end - at));
      if (next == NULL)
	next = end;
      const char *colon = memchr (at, ':', (size_t) (next - at));
      if (colon == NULL)
	colon = next;
      struct packet_args range;
      if (!for_us (colon, (size_t) (next - colon)))
	{
	  at = next + 1;
	  continue;
	}
      /* Signals are not delivered: the program has run.  */
      switch (*at)
	{
	case 'c': case 'C':
	  run_go (c, false, GO_ON, no_range);
	  return;
	case 's': case 'S':
	  run_go (c, false, GO_STEP, no_range);
	  return;
	case 't':
	  reply_stop (c, 0, "");
	  return;
	case 'r':
	  if (!packet_parse ("rx,x", at, (size_t) (colon - at), &range))
	    break;
	  if (range.number[0] >= range.number[1])
	    run_go (c, false, GO_STEP, no_range);
	  else
	    run_go (c, false, GO_RANGE,
		(struct tb_visit_range) { range.number[0],
					  range.number[1] - 1 });
	  return;
	default:
	  break;
	}
      break;
    }
  reply_error (c);
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
