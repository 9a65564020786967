/* Branch history for GDB's "record btrace": Qbtrace, qXfer:btrace.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Branch Trace Format"; what GDB 13.1 asks for was established
   with it.  The history is a list of blocks, the newest first: code that ran in
   sequence, from its first to its last instruction; the newest block ends with the
   one that execution stands at.  Of the blocks since the last reading the oldest
   begins at 0, which GDB replaces by where it was.  A block whose end is before its
   begin makes GDB show a gap.  */

#include "config.h"
#include "btrace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "recording/window.h"

/* An entry of the buffer that the user can set the size of has three addresses of
   8 bytes.  */
#define ENTRY_SIZE 24
#define DEFAULT_SIZE 0x10000

/* As many blocks as GDB is sent at most: of ten times as many it makes a history
   in a minute.  */
#define BLOCKS_MAX 200000

struct block
{
  uint64_t begin, end;
};

struct history
{
  struct block *blocks;		/* The newest first.  */
  size_t count, capacity, limit;
};

static bool
add (struct history *h, uint64_t begin, uint64_t end)
{
  bool ok = TB_GROW (h->blocks, h->capacity, h->count, 1);
  if (ok)
    h->blocks[h->count++] = (struct block) { begin, end };
  return ok;
}

/* The address of step NUMBER.  */
static uint64_t
address_of (struct target *t, uint64_t number)
{
  struct tb_step step;
  return tb_recording_read (t->recording, number, &step, 1) == 1 ? step.pc : 0;
}

/* Add the runs of window NUMBER, the last first, as far as they are in FIRST to
   LAST - 1.  */
static bool
add_window (struct history *h, struct target *t, size_t number,
	    uint64_t first, uint64_t last)
{
  const struct tb_window *w = tb_recording_window (t->recording, number);
  for (size_t i = w != NULL ? w->nruns : 0; i-- > 0 && h->count < h->limit;)
    {
      const struct tb_run run = w->runs[i];
      uint64_t from = run.step < first ? first : run.step;
      uint64_t to = run.step + run.count < last ? run.step + run.count : last;
      if (from >= to)
	continue;
      bool gap = run.step > first && (run.first_flags & TB_STEP_AFTER_GAP);
      if (!add (h, address_of (t, from), address_of (t, to - 1))
	  || (gap && !add (h, 1, 0)))
	return false;
      /* Reading steps may have put another window into its place.  */
      w = tb_recording_window (t->recording, number);
      if (w == NULL)
	return false;
    }
  return w != NULL;
}

/* The blocks from step FIRST to position LAST.  False: no memory, interrupted, or
   no PC at LAST.  */
static bool
collect (struct history *h, struct client *c, uint64_t first, uint64_t last)
{
  struct target *t = c->target;
  uint64_t pc;
  if (last < t->steps)
    pc = address_of (t, last);
  else if (!target_end_pc (t, &pc))
    return false;
  if (!add (h, pc, pc))
    return false;
  if (first >= last)
    return true;
  size_t number = tb_recording_window_at (t->recording, last - 1);
  for (;; number--)
    {
      if (!client_poll (c) || !add_window (h, t, number, first, last))
	return false;
      if (number == 0 || h->count >= h->limit
	  || tb_recording_window_step (t->recording, number) <= first)
	return true;
    }
}

static void
write_history (const struct history *h, struct tb_buffer *text)
{
  tb_buffer_printf (text, "<!DOCTYPE btrace SYSTEM \"btrace.dtd\">\n"
		    "<btrace version=\"1.0\">\n");
  for (size_t i = 0; i < h->count; i++)
    tb_buffer_printf (text, "<block begin=\"0x%" PRIx64 "\" end=\"0x%" PRIx64
		      "\"/>\n", h->blocks[i].begin, h->blocks[i].end);
  tb_buffer_printf (text, "</btrace>\n");
}

static size_t
limit_of (const struct client *c)
{
  uint64_t blocks = c->btrace_size / ENTRY_SIZE;
  return blocks != 0 && blocks < BLOCKS_MAX ? (size_t) blocks : BLOCKS_MAX;
}

bool
make_btrace_conf (struct client *c, struct tb_buffer *text)
{
  tb_buffer_printf (text,
		    "<!DOCTYPE btrace-conf SYSTEM \"btrace-conf.dtd\">\n"
		    "<btrace-conf version=\"1.0\">\n");
  if (c->btrace)
    tb_buffer_printf (text, "<bts size=\"0x%" PRIx64 "\"/>\n",
		      c->btrace_size != 0 ? c->btrace_size : DEFAULT_SIZE);
  tb_buffer_printf (text, "</btrace-conf>\n");
  return true;
}

bool
make_btrace_all (struct client *c, struct tb_buffer *text)
{
  struct history h = { .limit = limit_of (c) };
  bool ok = c->btrace && collect (&h, c, 0, c->position);
  if (ok)
    write_history (&h, text);
  free (h.blocks);
  c->btrace_read = ok;
  c->btrace_at = c->position;
  return ok;
}

/* GDB asks for this first; without an answer it asks for all.  */
bool
make_btrace_delta (struct client *c, struct tb_buffer *text)
{
  struct history h = { .limit = limit_of (c) };
  if (!c->btrace || !c->btrace_read || c->position < c->btrace_at)
    return false;
  bool ok = true;
  if (c->position > c->btrace_at)
    {
      ok = collect (&h, c, c->btrace_at, c->position) && h.count < h.limit;
      if (ok)
	h.blocks[h.count - 1].begin = 0;
    }
  if (ok)
    write_history (&h, text);
  free (h.blocks);
  c->btrace_at = c->position;
  c->btrace_read = ok;
  return ok;
}

static void
enable (struct client *c, const struct packet_args *args)
{
  (void) args;
  if (c->btrace)
    {
      reply_text (c, "E.branch tracing is on already");
      return;
    }
  c->btrace = true;
  c->btrace_read = false;
  reply_ok (c);
}

static void
disable (struct client *c, const struct packet_args *args)
{
  (void) args;
  if (!c->btrace)
    {
      reply_text (c, "E.branch tracing is off already");
      return;
    }
  c->btrace = false;
  reply_ok (c);
}

static void
set_size (struct client *c, const struct packet_args *args)
{
  c->btrace_size = args->number[0];
  reply_ok (c);
}

const struct packet_handler packets_btrace[] = {
  { "Qbtrace:bts", "", enable },
  { "Qbtrace:off", "", disable },
  { "Qbtrace-conf:bts:size=0x", "x", set_size },
  { "Qbtrace-conf:bts:size=", "x", set_size },
  { NULL, NULL, NULL }
};
