/* Monitor commands about the recording: where, coverage, cores, unknown,
   assume.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interrupted.h"
#include "monitor.h"
#include "options.h"
#include "server.h"
#include "state/premise.h"

/* Steps that "coverage" looks at.  */
#define SAMPLES 200

static const char *
core_type (const struct target *t)
{
  return target_profile (t)->name;
}

/* Names of the registers in the bits of MASK, as far as they fit.  */
static void
name_registers (const struct target *t, uint64_t mask, char *text,
		size_t room)
{
  size_t used = 0;
  const struct tb_tdesc *tdesc = tb_moments_tdesc (t->moments);
  *text = 0;
  for (unsigned i = 0; i < tdesc->nblock && used < room; i++)
    if (tdesc->regs[i].slot >= 0
	&& mask >> tdesc->slots[tdesc->regs[i].slot].bit & 1)
      used += (size_t) snprintf (text + used, room - used, " %s",
				 tdesc->regs[i].name);
}

static const char *
halt_text (const struct target *t)
{
  if (t->steps == 0)
    return "There is no trace: this is the state at the halt.";
  switch (tb_state_halt (t->state))
    {
    case TB_HALT_USED:
      return "The trace ends at the halt.";
    case TB_HALT_ELSEWHERE:
      if (tb_state_halt_assumed (t->state))
	return "The trace ends before the halt, whose registers and RAM count by assumption "
	       "(\"monitor assume halt\" is on).";
      return "The trace ends before the halt, whose registers and RAM do not "
	     "count.";
    case TB_HALT_UNCONFIRMED:
      if (tb_state_halt_assumed (t->state))
	return "The trace ends at the PC of the halt, which alone does not do: its "
	       "registers and RAM count by assumption (\"monitor assume halt\" is on).";
      return "The trace ends at the PC of the halt, which alone does not do: its "
	     "registers and RAM do not count (\"monitor assume halt on\").";
    case TB_HALT_CONTRADICTED:
      return "The registers and RAM at the halt contradict the trace and do not "
	     "count.";
    case TB_HALT_NONE:
      break;
    }
  return "The snapshot has no registers of the halt.";
}

void
monitor_show_place (const struct monitor_call *call)
{
  struct client *c = call->client;
  const struct target *t = c->target;
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL)
    {
      monitor_print (call, "There is no memory to work out the state.\n");
      return;
    }
  if (moment->at_end)
    monitor_print (call, "%s: the end, after %" PRIu64 " steps", t->name,
		   t->steps);
  else
    monitor_print (call, "%s: before step %" PRIu64 " of 0 to %" PRIu64,
		   t->name, moment->number, t->steps - 1);
  if (c->frame >= 0)
    monitor_print (call, " (trace frame %" PRId64 ")", c->frame);
  if (c->moment_has_pc)
    monitor_print (call, ", PC 0x%" PRIx64, moment->pc);
  int64_t value;
  if (tb_moment_variable (t->moments, moment, TB_VAR_TIMESTAMP, &value))
    monitor_print (call, ", timestamp %" PRIu64, (uint64_t) value);
  if (tb_moment_variable (t->moments, moment, TB_VAR_CYCLES, &value))
    monitor_print (call, ", cycle %" PRIu64, (uint64_t) value);
  if (tb_moment_variable (t->moments, moment, TB_VAR_EXCEPTION, &value)
      && value != 0)
    monitor_print (call, ", exception %" PRId64, value);
  monitor_print (call, ".\n");
}

static bool
where (const struct monitor_call *call)
{
  struct client *c = call->client;
  const struct target *t = c->target;
  if (call->count != 1)
    return false;
  monitor_show_place (call);
  if (t->wrong_elf != NULL)
    monitor_print (call, "%s%s.\n", t->wrong_elf,
		   t->elf == NULL ? "; it was left out" : "");
  const struct tb_moment *moment = client_moment (c);
  if (moment == NULL)
    return true;
  char names[400];
  if (moment->unknown == 0)
    monitor_print (call, "All core registers are known here.\n");
  else
    {
      name_registers (t, moment->unknown, names, sizeof names);
      monitor_print (call, "Registers that are not wholly known here:%s.\n", names);
    }
  if (tb_state_glanced (t->state, moment->number))
    monitor_print (call, "Only instructions near this one were looked at so far; more may be "
		   "known here in a moment.\n\"maintenance flush register-cache\" has GDB "
		   "ask again; --ahead=0 of the stub waits for all at once.\n");
  if (moment->assumed != 0)
    {
      name_registers (t, moment->assumed, names, sizeof names);
      monitor_print (call, "Registers that are known only under an assumption:%s.\n", names);
    }
  const struct stacked *stacked = client_stacked (c);
  for (unsigned i = 0; stacked != NULL && i < stacked->count; i++)
    monitor_print (call, "Made up for GDB where it is not known: %s, at 0x%"
		   PRIx32 ".\n", stacked->patches[i].what,
		   stacked->patches[i].address);
  struct tb_buffer interrupted = { 0 };
  interrupted_made_up (c, &interrupted);
  if (interrupted.size != 0 && !interrupted.failed)
    monitor_print (call, "%.*s", (int) interrupted.size,
		   (const char *) interrupted.data);
  tb_buffer_fini (&interrupted);
  monitor_print (call, "%s\n", halt_text (t));
  const char *start = tb_state_start_name (tb_state_start (t->state));
  if (start != NULL)
    monitor_print (call, "The trace begins as given by --start=%s.\n", start);
  else if (tb_state_begins_as_reset (t->state))
    monitor_print (call, "The trace begins as at a reset; if it does, the stub's --start=reset "
		   "makes more known.\n");
  return true;
}

/* How many registers are known at steps spread over the recording?  */
static void
cover_registers (const struct monitor_call *call)
{
  struct target *t = call->client->target;
  uint64_t from = t->watched, span = t->steps - from;
  uint64_t samples = span < SAMPLES ? span : SAMPLES, known = 0, all = 0;
  for (uint64_t i = 0; i < samples; i++)
    {
      struct tb_moment moment;
      bool has_pc;
      if (!client_poll (call->client))
	{
	  monitor_print (call, "Interrupted.\n");
	  return;
	}
      if (!target_moment (t, from + span * i / samples, &moment, &has_pc))
	return;
      const struct tb_tdesc *tdesc = tb_moments_tdesc (t->moments);
      all += tdesc->count;
      for (unsigned j = 0; j < tdesc->count; j++)
	known += !(moment.unknown >> tdesc->slots[j].bit & 1);
    }
  if (all != 0)
    monitor_print (call, "Registers known at %" PRIu64 " steps spread from step "
		   "%" PRIu64 " on: %" PRIu64 "%%.\n", samples, from,
		   100 * known / all);
}

static bool
coverage (const struct monitor_call *call)
{
  struct client *c = call->client;
  struct target *t = c->target;
  const struct tb_recording_info *info = tb_recording_info (t->recording);
  if (call->count != 1)
    return false;
  if (t->steps == 0)
    {
      monitor_print (call, "There is no trace.\n");
      return true;
    }
  if (!target_prepare_visits (t))
    {
      monitor_print (call, "There is no memory to find out.\n");
      return true;
    }
  for (size_t i = 0; i < tb_recording_windows (t->recording); i++)
    {
      uint64_t step = tb_recording_window_step (t->recording, i);
      c->reached = step;
      if (!client_poll (c))
	{
	  monitor_print (call, "Interrupted: only up to step %" PRIu64 " was looked for what "
			 "ran.\n", step);
	  return true;
	}
      if (step < t->steps)
	tb_visits_see (t->visits, step);
    }
  struct tb_visits_coverage found;
  tb_visits_coverage (t->visits, &found);
  monitor_print (call, "%" PRIu64 " steps in %" PRIu64 " ranges, %" PRIu64
		 " exception%s, %" PRIu64 " gap%s.\n", info->steps, info->ranges,
		 info->exceptions, info->exceptions == 1 ? "" : "s",
		 info->gaps, info->gaps == 1 ? "" : "s");
  monitor_print (call, "%" PRIu64 " bytes of code ran, in %zu pieces.\n",
		 found.bytes, found.pieces);
  cover_registers (call);
  return true;
}

static bool
cores (const struct monitor_call *call)
{
  const struct server *s = call->client->server;
  if (call->count != 1)
    return false;
  for (size_t i = 0; i < s->targets->count; i++)
    {
      const struct target *t = &s->targets->items[i];
      const struct listener *listener = server_listener (s, t);
      uint64_t position;
      monitor_print (call, "%c %s (%s)%s%s: ",
		     t == call->client->target ? '*' : ' ', t->name,
		     core_type (t), listener == NULL ? "" : " at ",
		     listener == NULL ? "" : listener->name);
      if (t->stream == NULL)
	monitor_print (call, "no trace");
      else
	monitor_print (call, "%" PRIu64 " steps of %s", t->steps,
		       t->stream->source->name);
      uint64_t timestamp;
      if (server_position (s, t, &position))
	{
	  monitor_print (call, "; a GDB is at step %" PRIu64, position);
	  if (tb_recording_timestamp (t->recording, position, &timestamp))
	    monitor_print (call, ", timestamp %" PRIu64, timestamp);
	}
      monitor_print (call, ".\n");
    }
  return true;
}

/* GDB may have read what is other now.  */
static void
outdate (const struct monitor_call *call)
{
  struct client *c = call->client;
  c->outdated = true;
  if (!c->refreshes)
    monitor_print (call, "Type \"maintenance flush register-cache\" and "
		   "\"maintenance flush dcache\" for GDB to see it.\n");
}

static bool
unknown (const struct monitor_call *call)
{
  struct client *c = call->client;
  if (call->count > 2
      || (call->count == 2 && !policy_parse (call->words[1], &c->policy)))
    return false;
  static const char *const texts[] = {
    [UNKNOWN_AUTO] = ("as \"exact\" where the ELF file has call frame "
		      "information, but for the way out of handlers; else as "
		      "\"navigable\""),
    [UNKNOWN_EXACT] = "all are <unavailable>",
    [UNKNOWN_NAVIGABLE] = ("0xbad00bad in SP, LR, the frame pointer and the status "
			   "register, the others <unavailable>"),
    [UNKNOWN_FILLED] = ("as \"auto\"; memory that is known in part shows 0xbad00bad "
			"in the rest")
  };
  monitor_print (call, "Registers that are not known: %s (%s).\n",
		 policy_name (c->policy), texts[c->policy]);
  if (call->count == 2)
    outdate (call);
  return true;
}

/* assume [NAME on|off]  */
static bool
assume (const struct monitor_call *call)
{
  struct client *c = call->client;
  struct target *t = c->target;
  if (call->count == 3)
    {
      const struct tb_word *word = tb_word_find (tb_assumption_words, call->words[1]);
      bool on = strcmp (call->words[2], "on") == 0;
      if (word == NULL || (!on && strcmp (call->words[2], "off") != 0))
	return false;
      unsigned bit = (unsigned) word->value;
      target_assume (t, on ? t->assume | bit : t->assume & ~bit);
      client_forget (c);
    }
  else if (call->count != 1)
    return false;
  for (const struct tb_word *w = tb_assumption_words; w->name != NULL; w++)
    monitor_print (call, "%s: %s\n", w->name,
		   t->assume & (unsigned) w->value ? "on" : "off");
  if (call->count == 3)
    outdate (call);
  return true;
}

/* doubt [NAME on|off]  */
static bool
doubt (const struct monitor_call *call)
{
  struct client *c = call->client;
  struct target *t = c->target;
  const struct tb_premise *p;
  if (call->count == 3)
    {
      unsigned bits = 0;
      bool on = strcmp (call->words[2], "on") == 0;
      struct tb_buffer said = { 0 };
      if (!on && strcmp (call->words[2], "off") != 0)
	return false;
      if (tb_premise_ask (call->words[1], &bits, &said) != TB_PREMISES_DOUBTED)
	{
	  monitor_print (call, "%.*s\n", (int) said.size, (const char *) said.data);
	  tb_buffer_fini (&said);
	  return true;
	}
      target_doubt (t, on ? t->doubt | bits : t->doubt & ~bits);
      client_forget (c);
    }
  else if (call->count != 1)
    return false;
  for (size_t i = 0; (p = tb_premise_number (i)) != NULL; i++)
    monitor_print (call, "%-17s %s%s\n", p->name,
		   t->doubt >> i & 1 ? "doubted. " : "", p->states);
  if (call->count == 3)
    outdate (call);
  return true;
}

const struct monitor_verb verbs_run[] = {
  { "where", "", "Tell the step, the time, and what is known there.", where },
  { "coverage", "", "Tell how much ran, and how much of the registers is known.",
    coverage },
  { "cores", "", "List the cores, where they are served, and who is there.",
    cores },
  { "unknown", "[auto|exact|navigable|filled]",
    "Tell or set what registers that are not known show.", unknown },
  { "assume", "[aapcs|halt|constants|tasks|frames|objects on|off]",
    "Tell or set what is assumed; $assumed_registers has what follows.", assume },
  { "doubt", "[PREMISE[,PREMISE...] on|off]",
    "List what certain knowledge takes for granted, or do not rely on some of it.",
    doubt },
  { NULL, NULL, NULL, NULL }
};
