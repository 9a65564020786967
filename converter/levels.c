/* The history of calls as a stack of names.  See levels.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "levels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

struct walk
{
  const struct tb_symbols *symbols;
  const struct level_user *user;
  struct level *levels;
  size_t count, room;
  uint64_t step;
};

static bool
open_level (struct walk *w, struct level level)
{
  void *levels = w->levels;
  if (!tb_grow (&levels, &w->room, w->count, 1, sizeof *w->levels))
    return false;
  w->levels = levels;
  w->levels[w->count++] = level;
  return w->user->open (w->user->context, w->levels, w->count, w->step);
}

static bool
close_level (struct walk *w)
{
  bool ok = w->user->close (w->user->context, w->levels, w->count, w->step);
  w->count--;
  return ok;
}

/* Close what is deeper than DEPTH.  */
static bool
close_above (struct walk *w, size_t depth)
{
  while (w->count > 0 && w->levels[w->count - 1].depth > depth)
    if (!close_level (w))
      return false;
  return true;
}

/* The level of the code that runs, at ADDRESS; one is opened if need be.  */
static bool
settle (struct walk *w, uint64_t address, size_t depth)
{
  const struct tb_function *function
    = tb_symbols_function_at (w->symbols, address);
  const struct level *top = w->count > 0 ? &w->levels[w->count - 1] : NULL;
  if (top != NULL && top->depth == depth && !top->exception)
    {
      if (top->function == function)
	return true;
      if (!close_level (w))
	return false;
    }
  return open_level (w, (struct level) { .function = function,
					 .depth = depth });
}

static bool
take (void *context, const struct tb_history_event *event)
{
  struct walk *w = context;
  w->step = event->step;
  switch (event->kind)
    {
    case TB_HISTORY_RUN:
      w->step += event->count;
      return settle (w, event->address, event->depth)
	     && w->user->ran (w->user->context, w->levels, w->count,
			      event->step, event->address, event->count);
    case TB_HISTORY_CALL:
      /* The history may have forgotten what was below.  */
      return close_above (w, event->depth - 1)
	     && open_level (w, (struct level) {
			      .function = tb_symbols_function_at
					    (w->symbols, event->address),
			      .address = event->address,
			      .depth = event->depth });
    case TB_HISTORY_EXCEPTION:
      return close_above (w, event->depth - 1)
	     && open_level (w, (struct level) { .depth = event->depth,
						.exception = true,
						.number = event->number });
    case TB_HISTORY_LOST:
      while (w->count > 0)
	if (!close_level (w))
	  return false;
      return true;
    default:
      return close_above (w, event->depth);
    }
}

bool
levels_walk (struct tb_recording *recording, const struct tb_symbols *symbols,
	     const struct level_user *user)
{
  struct walk w = { .symbols = symbols, .user = user };
  bool ok = tb_history_walk (recording, take, &w);
  while (w.count > 0 && ok)
    ok = close_level (&w);
  free (w.levels);
  return ok;
}

/* Exceptions of the M profile by number (DDI 0553, B3.9 "Exception numbers and
   exception priority numbers").  */
static const char *const m_names[16] = {
  [1] = "Reset", [2] = "NMI", [3] = "HardFault", [4] = "MemManage",
  [5] = "BusFault", [6] = "UsageFault", [7] = "SecureFault", [11] = "SVCall",
  [12] = "DebugMonitor", [14] = "PendSV", [15] = "SysTick"
};

char *
level_name (const struct level *level, const struct tb_profile *profile)
{
  struct tb_buffer text = { 0 };
  char *name = NULL;
  if (level->function != NULL)
    return tb_symbols_demangle (level->function->name);
  if (!level->exception && level->address != 0)
    tb_buffer_printf (&text, "%#" PRIx64, level->address);
  else if (!level->exception)
    tb_buffer_printf (&text, "[unknown]");
  else if (level->number == TB_EXCEPTION_UNKNOWN)
    tb_buffer_printf (&text, "[exception]");
  else if (profile->is_m && level->number >= 16)
    tb_buffer_printf (&text, "[IRQ %u]", level->number - 16u);
  else if (profile->is_m && m_names[level->number] != NULL)
    tb_buffer_printf (&text, "[%s]", m_names[level->number]);
  else
    tb_buffer_printf (&text, "[exception %u]", level->number);
  if (!text.failed)
    name = strndup ((const char *) text.data, text.size);
  tb_buffer_fini (&text);
  return name;
}
