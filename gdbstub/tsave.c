/* The trace frames' bytes for tsave: qTBuffer.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Tracepoint Packets" and "Trace File Format".  */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "dispatch.h"
#include "experiment.h"
#include "frames.h"
#include "frame/export-trace.h"
#include "threads.h"
#include "tracing.h"

/* More frames than this are not saved: the file would have gigabytes, and GDB
   could not walk it.  */
#define SAVE_MAX 1000000

/* Make what collects the frames of the core that C looks at.  */
static bool
make_collector (struct client *c)
{
  struct target *t = c->target;
  struct tb_collect_options options = TB_COLLECT_DEFAULTS;
  options.tasks = target_find_tasks;
  options.tasks_context = t;
  if (c->collector == NULL && target_prepare (t))
    c->collector = tb_collector_new (t->state, t->recording, t->tdesc, &options);
  return c->collector != NULL;
}

/* Make the blocks of frame NUMBER; *TRACEPOINT is whose it is.  */
static bool
make_frame (struct client *c, uint64_t number, struct tb_frame *frame,
	    unsigned *tracepoint)
{
  enum tb_collected made;
  size_t core;
  uint64_t local;
  *tracepoint = c->run_number;
  frames_at (c, number, &core, &local);
  threads_select (c, core);
  struct target *t = c->target;
  if (!make_collector (c))
    return false;
  if (experiment_of (c) != NULL)
    {
      const struct tb_stage stage = target_stage (t);
      struct tb_experiment *e = &t->experiment->trace;
      const struct tb_trace_frame *f = tb_experiment_frame (e, (size_t) local);
      *tracepoint = e->set.items[f->tracepoint].number;
      made = tb_collect_traced (c->collector, e, &stage, f, NULL, 0, frame,
				NULL);
    }
  else
    made = tb_collect (c->collector, local + (c->nthreads == 1 ? t->first_frame : 0), frame,
		       NULL);
  return made == TB_COLLECTED && !frame->bytes.failed;
}

/* qTBuffer:OFFSET,LENGTH: frames one after the other, as in a trace file.  GDB
   reads from the start on, so the frame that was in use last is kept.  */
static void
append_frames (struct client *c, const struct packet_args *args)
{
  uint64_t offset = args->number[0], length = args->number[1];
  uint64_t frames = frames_count (c);
  if (frames > SAVE_MAX)
    {
      client_console (c, "The run has %" PRIu64 " frames; a trace file of more "
		      "than %d is not made.  tracebridge-convert writes part of "
		      "a recording.\n", frames, SAVE_MAX);
      return;
    }
  if (frames == 0)
    {
      reply_text (c, "l");
      return;
    }
  if (!make_collector (c))
    return;
  if (!c->save_valid || offset < c->save_offset)
    {
      c->save_number = c->save_offset = 0;
      c->save_valid = make_frame (c, 0, &c->save_frame, &c->save_tracepoint);
    }
  if (length > PACKET_LIMIT / 2)
    length = PACKET_LIMIT / 2;
  while (c->save_valid && length > 0
	 && c->save_number < frames)
    {
      const struct tb_buffer *blocks = &c->save_frame.bytes;
      uint8_t head[6] = { (uint8_t) c->save_tracepoint,
			  (uint8_t) (c->save_tracepoint >> 8) };
      for (unsigned i = 0; i < 4; i++)
	head[2 + i] = (uint8_t) (blocks->size >> 8 * i);
      uint64_t end = c->save_offset + sizeof head + blocks->size;
      while (offset < end && length > 0)
	{
	  uint64_t at = offset - c->save_offset;
	  if (at < sizeof head)
	    {
	      tb_hex_append (&c->reply, &head[at], 1);
	      offset++;
	      length--;
	      continue;
	    }
	  uint64_t part = end - offset < length ? end - offset : length;
	  tb_hex_append (&c->reply, blocks->data + (at - sizeof head),
			 (size_t) part);
	  offset += part;
	  length -= part;
	}
      if (offset < end)
	break;
      c->save_offset = end;
      /* The offset may be anything, and be far.  */
      if (!client_poll (c))
	{
	  c->save_valid = false;
	  tb_buffer_clear (&c->reply);
	  reply_error (c);
	  return;
	}
      if (++c->save_number < frames)
	c->save_valid = make_frame (c, c->save_number, &c->save_frame,
				    &c->save_tracepoint);
    }
  if (!c->save_valid)
    tb_buffer_clear (&c->reply);
  else if (c->reply.size == 0)
    reply_text (c, "l");
}

/* What the file lacks of that which GDB is shown here.  */
static void
tell_left_out (struct client *c)
{
  client_console (c, "The file has of each frame the registers, and of memory what %s, "
		  "the top of the stack and\nthe code around the PC; what else is known of memory "
		  "is not in it%s.\n", c->target->experiment != NULL ? "was collected"
		  : "the instruction accesses",
		  c->target->experiment != NULL ? ""
		  : ", but in what tracebridge-convert writes");
  if (c->target->assume != 0)
    client_console (c, "Assumptions are on (\"monitor assume\"): the file marks registers that "
		    "rest on them by\n$assumed_registers, and memory by $assumed_memory, the bytes "
		    "of a frame; where it is read\nas a recording again, both are assumed, too.\n");
}

static void
read_frames (struct client *c, const struct packet_args *args)
{
  size_t selected = c->thread;
  append_frames (c, args);
  if (args->number[0] == 0 && c->reply.size > 1 && *c->reply.data != 'E')
    tell_left_out (c);
  threads_select (c, selected);
}

/* "tsave -r".  GDB shows what is told before an error, and of the error a number alone.  */
static void
refuse_file (struct client *c, const struct packet_args *args)
{
  (void) args;
  client_console (c, "The stub writes no files where it runs: \"tsave FILE\" without -r saves "
		  "the frames where GDB runs.\n");
  reply_error (c);
}

const struct packet_handler packets_tsave[] = {
  { "QTSave:", "*", refuse_file },
  { "qTBuffer:", "x,x", read_frames },
  { NULL, NULL, NULL }
};
