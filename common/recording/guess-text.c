/* Saying what it rests on that trace was sent by some unit.  See guess.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/guess.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

unsigned
tb_guess_register (const struct tb_kind *kind, uint32_t id)
{
  unsigned i = 0;
  while (kind->registers[i].id != id)
    i++;
  assert (i < kind->nregisters);
  return i;
}

/* Behind a number: what stands for N of "s" at the end of a noun.  */
static const char *
many (uint64_t n)
{
  return n == 1 ? "" : "s";
}

void
tb_guess_option (struct tb_buffer *text, const struct tb_protocol *protocol,
		 const struct tb_kind *kind)
{
  /* One protocol has two kinds that are called by names of their own.  */
  const char *name = strcmp (kind->type, "ETE") == 0 ? kind->type : protocol->name;
  for (; *name != '\0'; name++)
    tb_buffer_printf (text, "%c", tolower ((unsigned char) *name));
}

void
tb_guess_text (struct tb_buffer *text, const struct tb_guess *guess, const char *prefix)
{
  const struct tb_trial *t = &guess->trial;
  tb_buffer_printf (text, "%s%s, by %" PRIu64 " bytes: %" PRIu64 " synchronisation%s, %"
		    PRIu64 " packets, %" PRIu64 " of them reserved, %" PRIu64
		    " bytes without synchronisation\n", prefix, guess->protocol->name,
		    t->bytes, t->syncs,
		    many (t->syncs), t->packets, t->bad, t->skipped);
  if (!guess->protocol->software)
    tb_buffer_printf (text, "%s%" PRIu64 " instructions; the code contradicts %" PRIu64
		      " time%s, and is missing %" PRIu64 " time%s\n", prefix,
		      t->instructions, t->contradictions, many (t->contradictions),
		      t->lost, many (t->lost));
  bool any = false;
  for (unsigned i = 0; i < guess->kind->nsettings; i++)
    {
      const struct tb_kind_setting *s = &guess->kind->settings[i];
      unsigned reg = tb_guess_register (guess->kind, s->id);
      const struct tb_trial *o = &guess->instead[i];
      if (guess->changed[i])
	tb_buffer_printf (text, "%s%s: %s is %#" PRIx32 "; with %#" PRIx32 ", as most units "
			  "have it, reserved packets: %" PRIu64 ", bytes "
			  "without synchronisation: %" PRIu64 ", the code contradicts %" PRIu64
			  " time%s, and is missing %" PRIu64 " time%s\n", prefix, s->says,
			  guess->kind->registers[reg].name, guess->values[reg] & s->mask,
			  s->values[0], o->bad, o->skipped, o->contradictions,
			  many (o->contradictions), o->lost, many (o->lost));
      any |= guess->idle[i];
    }
  if (!any && guess->rival == NULL)
    return;
  tb_buffer_printf (text, "%sas most units have it, because this trace does not show it:",
		    prefix);
  const char *comma = " ";
  for (unsigned i = 0; i < guess->kind->nsettings; i++)
    if (guess->idle[i] && !guess->changed[i])
      {
	tb_buffer_printf (text, "%s%s", comma, guess->kind->settings[i].says);
	comma = "; ";
      }
  if (guess->rival != NULL)
    {
      tb_buffer_printf (text, "%sthat it is not %s (--protocol=", comma, guess->rival->type);
      tb_guess_option (text, guess->protocol, guess->rival);
      tb_buffer_printf (text, ")");
    }
  tb_buffer_printf (text, "\n");
}
