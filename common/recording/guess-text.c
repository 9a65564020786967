/* Saying what it rests on that trace was sent by some unit.  See guess.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/guess.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "util/number.h"

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

bool
tb_guess_reads_unit (const uint8_t *code, uint64_t count)
{
  /* Op0 is 2, op1 is 1, and CRn below 8 (DDI 0487).  */
  for (uint64_t i = 0; i < count; i++)
    if ((tb_number_32 (code + 4 * i) & 0xffdf8000) == 0xd5110000)
      return true;
  return false;
}

/* Append what returns from exceptions say of GUESS and its rival, an ETMv4 and an ETE: the one has
   a packet for each, the other for none.  False: nothing.  */
static bool
append_returns (struct tb_buffer *text, const struct tb_guess *guess, const char *prefix)
{
  const struct tb_trial *t = &guess->trial;
  bool is_ete = strcmp (guess->kind->type, "ETE") == 0;
  uint64_t count = is_ete ? t->told_returns : t->returns;
  if (guess->rival == NULL || count == 0 || (!is_ete && t->told_returns > 0))
    return false;
  tb_buffer_printf (text, "%sof %" PRIu64 " return%s from exceptions in the code that ran none has "
		    "a packet, as of an ETE; of an ETMv4 each has", prefix, count, many (count));
  if (is_ete && guess->core == TB_GUESS_CORE_MISNAMED)
    tb_buffer_printf (text, "; the core is not what it is called, which has no system registers "
		      "for its trace unit, and the code that ran has accesses to them");
  else if (!is_ete)
    tb_buffer_printf (text, "; but the core, as it is called, has no ETE");
  tb_buffer_printf (text, " (--protocol=");
  tb_guess_option (text, guess->protocol, guess->rival);
  tb_buffer_printf (text, " takes it for %s)\n", guess->rival->type);
  return true;
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
		      " time%s%s, and is missing %" PRIu64 " time%s\n", prefix,
		      t->instructions, t->contradictions, many (t->contradictions),
		      t->contradictions == 1 ? " (as where a ring was not read from its oldest "
		      "byte on, at the write pointer)" : "", t->lost, many (t->lost));
  if (guess->core == TB_GUESS_CORE_OPEN)
    tb_buffer_printf (text, "%sbut the core, as it is called, has no %s: it may be another one "
		      "(--core)\n", prefix, guess->protocol->name);
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
  bool open = !append_returns (text, guess, prefix) && guess->rival != NULL;
  if (!any && !open)
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
  if (open)
    {
      tb_buffer_printf (text, "%sthat it is not %s (--protocol=", comma, guess->rival->type);
      tb_guess_option (text, guess->protocol, guess->rival);
      tb_buffer_printf (text, ")");
    }
  tb_buffer_printf (text, "\n");
}
