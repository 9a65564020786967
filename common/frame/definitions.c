/* Definitions of tracepoints and state variables as text.  See definitions.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/hex.h"

/* Free texts are cut here so that the status fits a trace file's line of 999
   characters: twice their length in hexadecimal, and about 140 for the rest. */
#define STOP_NOTE_LIMIT 120
#define NOTES_LIMIT 300

/* STRING in hexadecimal, cut to LIMIT characters.  */
static void
append_cut (struct tb_buffer *text, const char *string, size_t limit)
{
  size_t length = strlen (string);
  if (length <= limit)
    tb_hex_append (text, string, length);
  else
    {
      tb_hex_append (text, string, limit - 3);
      tb_hex_append (text, "...", 3);
    }
}

void
tb_definition_buffer (struct tb_buffer *text, uint64_t size, uint64_t used, bool circular,
		      bool kept)
{
  /* GDB holds these in an int.  */
  if (size <= INT32_MAX)
    tb_buffer_printf (text, ";tfree:%" PRIx64 ";tsize:%" PRIx64, size > used ? size - used : 0,
		      size);
  tb_buffer_printf (text, ";circular:%d;disconn:%d", circular, kept);
}

void
tb_definition_status (struct tb_buffer *text,
		      const struct tb_tracefile_header *h)
{
  /* GDB holds both counts in an int.  */
  uint64_t frames = h->frames < INT32_MAX ? h->frames : INT32_MAX;
  uint64_t created = h->created < INT32_MAX ? h->created : INT32_MAX;

  tb_buffer_printf (text, "0;");
  if (h->stop_note == NULL)
    tb_buffer_printf (text, "tunknown:0");
  else
    {
      tb_buffer_printf (text, h->stop_is_error ? "terror:" : "tstop:");
      append_cut (text, h->stop_note, STOP_NOTE_LIMIT);
      tb_buffer_printf (text, ":0");
    }
  tb_buffer_printf (text, ";tframes:%" PRIx64 ";tcreated:%" PRIx64, frames,
		    created);
  tb_definition_buffer (text, h->buffer_size != 0 ? h->buffer_size : UINT64_MAX, 0, h->circular,
			false);
  if (h->stop != 0)
    tb_buffer_printf (text, ";starttime:%" PRIx64 ";stoptime:%" PRIx64,
		      h->start, h->stop);
  if (h->notes != NULL && *h->notes != '\0')
    {
      tb_buffer_printf (text, ";notes:");
      append_cut (text, h->notes, NOTES_LIMIT);
    }
}

size_t
tb_definition_pieces (const struct tb_tracepoint_def *tracepoint)
{
  return 2 + (size_t) (tracepoint->condition != NULL) + tracepoint->nactions
	 + tracepoint->ncollect;
}

void
tb_definition_tracepoint (struct tb_buffer *text,
			  const struct tb_tracepoint_def *tracepoint,
			  size_t piece)
{
  /* Steps only where a while-stepping command says them: GDB would else not
     recognise its own tracepoint when the file is opened again.  */
  if (piece == 0)
    {
      tb_buffer_printf (text, "T%x:%" PRIx64 ":%c:%" PRIx64 ":%" PRIx64,
			tracepoint->number, tracepoint->address,
			tracepoint->disabled ? 'D' : 'E', tracepoint->steps,
			tracepoint->pass);
      if (tracepoint->code != NULL)
	{
	  tb_buffer_printf (text, ":X%zx,", tracepoint->code_length);
	  tb_hex_append (text, tracepoint->code, tracepoint->code_length);
	}
      return;
    }

  /* The location as an address: GDB would move a function's name to the end of
     its prologue, and needs symbols for it.  */
  char at[32];
  const char *source = at, *kind = "at";
  size_t actions = 2 + (tracepoint->condition != NULL);
  size_t before = actions + tracepoint->nactions;
  if (piece >= actions && piece < before)
    {
      source = tracepoint->actions[piece - actions];
      tb_buffer_printf (text, "%c%x:%" PRIx64 ":%s", *source == 'S' ? 'S' : 'A',
			tracepoint->number, tracepoint->address,
			source + (*source == 'S'));
      return;
    }
  if (piece == 1)
    snprintf (at, sizeof at, tracepoint->partial ? "*(0x%" PRIx64 ")"
	      : "*0x%" PRIx64, tracepoint->address);
  else if (piece < actions)
    {
      source = tracepoint->condition;
      kind = "cond";
    }
  else
    {
      source = tracepoint->collect[piece - before];
      kind = "cmd";
    }
  size_t length = strlen (source);
  tb_buffer_printf (text, "Z%x:%" PRIx64 ":%s:0:%zx:", tracepoint->number,
		    tracepoint->address, kind, length);
  tb_hex_append (text, source, length);
}

void
tb_definition_variable (struct tb_buffer *text,
			const struct tb_tsv_def *variable)
{
  tb_buffer_printf (text, "%x:%" PRIx64 ":0:", variable->number,
		    (uint64_t) variable->initial);
  tb_hex_append (text, variable->name, strlen (variable->name));
}
