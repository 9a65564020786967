/* The state of the trace run: qTStatus, its definitions, state variables, and
   the frames' bytes for tsave.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Tracepoint Packets"; GDB 13.1 where that is silent.  */

#include "config.h"
#include "tracing.h"

#include <inttypes.h>
#include <stdlib.h>

#include "dispatch.h"
#include "frame/collect.h"
#include "frame/definitions.h"

static struct tb_tracepoint_def
run_tracepoint (struct client *c)
{
  struct tb_tracepoint_def tracepoint = { .number = RUN_TRACEPOINT,
					  .hits = target_frames (c->target) };
  struct tb_moment first;
  bool has_pc;
  if (target_moment (c->target, c->target->first_frame, &first, &has_pc)
      && has_pc)
    tracepoint.address = first.pc;
  return tracepoint;
}

/* Why there is no more trace.  */
static const char *
stop_note (const struct target *t)
{
  if (t->steps == 0)
    return "no trace: the state at the halt";
  switch (t->state != NULL ? tb_state_halt (t->state) : TB_HALT_NONE)
    {
    case TB_HALT_USED: return "the core halted";
    case TB_HALT_ELSEWHERE: return "the trace ends before the halt";
    case TB_HALT_CONTRADICTED: return "the halt contradicts the trace";
    case TB_HALT_NONE: break;
    }
  return "end of the trace";
}

static void
status (struct client *c, const struct packet_args *args)
{
  (void) args;
  uint64_t frames = target_frames (c->target);
  struct tb_tracefile_header header = {
    .frames = frames, .created = frames, .stop_note = stop_note (c->target)
  };
  reply_text (c, "T");
  tb_definition_status (&c->reply, &header);
}

/* qTfP, and qTsP with the rest: the pieces of one tracepoint.  */
static void
first_tracepoint (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct tb_tracepoint_def tracepoint = run_tracepoint (c);
  c->piece = 1;
  tb_definition_tracepoint (&c->reply, &tracepoint, 0);
}

static void
next_tracepoint (struct client *c, const struct packet_args *args)
{
  (void) args;
  struct tb_tracepoint_def tracepoint = run_tracepoint (c);
  if (c->piece < tb_definition_pieces (&tracepoint))
    tb_definition_tracepoint (&c->reply, &tracepoint, c->piece++);
  else
    reply_text (c, "l");
}

/* qTfV and qTsV: the state variables.  */
static void
send_variable (struct client *c)
{
  size_t count;
  const struct tb_tsv_def *variables
    = tb_moment_variables (target_profile (c->target), &count);
  if (c->piece < count)
    tb_definition_variable (&c->reply, &variables[c->piece++]);
  else
    reply_text (c, "l");
}

static void
first_variable (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->piece = 0;
  send_variable (c);
}

static void
next_variable (struct client *c, const struct packet_args *args)
{
  (void) args;
  send_variable (c);
}

static void
variable_value (struct client *c, const struct packet_args *args)
{
  const struct tb_moment *moment = client_moment (c);
  int64_t value;
  if (moment != NULL && args->number[0] < TB_VAR_COUNT
      && tb_moment_variable (c->target->moments, moment,
			     (unsigned) args->number[0], &value))
    reply_printf (c, "V%" PRIx64, (uint64_t) value);
  else
    reply_text (c, "U");
}

static void
tracepoint_hits (struct client *c, const struct packet_args *args)
{
  if (args->number[0] == RUN_TRACEPOINT)
    reply_printf (c, "V%" PRIx64 ":0", target_frames (c->target));
}

/* More frames than this are not saved: the file would have gigabytes, and GDB
   could not walk it.  */
#define SAVE_MAX 1000000

/* Make the bytes of frame NUMBER, with its head.  */
static bool
make_frame (struct client *c, uint64_t number, struct tb_frame *frame)
{
  enum tb_collected made = tb_collect (c->collector,
				       c->target->first_frame + number, frame,
				       NULL);
  return made == TB_COLLECTED && !frame->bytes.failed;
}

/* qTBuffer:OFFSET,LENGTH: frames one after the other, as in a trace file.  GDB
   reads from the start on, so the frame that was in use last is kept.  */
static void
read_frames (struct client *c, const struct packet_args *args)
{
  uint64_t offset = args->number[0], length = args->number[1];
  if (target_frames (c->target) > SAVE_MAX)
    {
      client_console (c, "The run has %" PRIu64 " frames; a trace file of more "
		      "than %d is not made.  tracebridge-convert writes part of "
		      "a recording.\n", target_frames (c->target), SAVE_MAX);
      return;
    }
  if (c->collector == NULL)
    {
      struct tb_collect_options options = TB_COLLECT_DEFAULTS;
      if (target_prepare (c->target))
	c->collector = tb_collector_new (c->target->state,
					 c->target->recording, &options);
      if (c->collector == NULL)
	return;
      c->save_valid = false;
    }
  if (!c->save_valid || offset < c->save_offset)
    {
      c->save_number = c->save_offset = 0;
      c->save_valid = make_frame (c, 0, &c->save_frame);
    }
  if (length > PACKET_LIMIT / 2)
    length = PACKET_LIMIT / 2;
  while (c->save_valid && length > 0
	 && c->save_number < target_frames (c->target))
    {
      const struct tb_buffer *blocks = &c->save_frame.bytes;
      uint8_t head[6] = { RUN_TRACEPOINT, 0 };
      for (unsigned i = 0; i < 4; i++)
	head[2 + i] = (uint8_t) (blocks->size >> 8 * i);
      uint64_t end = c->save_offset + sizeof head + blocks->size;
      while (offset < end && length > 0)
	{
	  uint64_t at = offset - c->save_offset;
	  if (at < sizeof head)
	    {
	      hex_append (&c->reply, &head[at], 1);
	      offset++;
	      length--;
	      continue;
	    }
	  uint64_t part = end - offset < length ? end - offset : length;
	  hex_append (&c->reply, blocks->data + (at - sizeof head),
		      (size_t) part);
	  offset += part;
	  length -= part;
	}
      if (offset < end)
	break;
      c->save_offset = end;
      if (++c->save_number < target_frames (c->target))
	c->save_valid = make_frame (c, c->save_number, &c->save_frame);
    }
  if (!c->save_valid)
    tb_buffer_clear (&c->reply);
  else if (c->reply.size == 0)
    reply_text (c, "l");
}

const struct packet_handler packets_tracing[] = {
  { "qTStatus", "", status },
  { "qTfP", "", first_tracepoint },
  { "qTsP", "", next_tracepoint },
  { "qTfV", "", first_variable },
  { "qTsV", "", next_variable },
  { "qTV:", "x", variable_value },
  { "qTP:", "x:x", tracepoint_hits },
  { "qTBuffer:", "x,x", read_frames },
  { NULL, NULL, NULL }
};
