/* Files of tracepoints: what their numbers of registers mean.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A trace file that GDB saved has the target description of the target it was connected
   to: OpenOCD's numbers are not QEMU's, and neither are ours.  */

#include "config.h"
#include "frame/request-translate.h"

#include <stdio.h>
#include <string.h>

#include "frame/agent-ops.h"
#include "util/number.h"

/* What is translated, and for which tracepoint.  */
struct translating
{
  const struct tb_tdesc *from, *to;
  const char *path;
  struct tb_diag *diag;
  unsigned number;		/* The tracepoint's.  */
  bool bare;			/* The program wrote the file: numbers that no
				   description has are its own.  */
  uint8_t told[TB_TDESC_NUMBERS / 8];	/* By number: the user knows.  */
};

/* What GDB's number NUMBER is by the other description; -1 after a diagnostic.  */
static long
translate (struct translating *t, unsigned number)
{
  long to = number < TB_TDESC_NUMBERS || t->bare
	    ? tb_tdesc_translate (t->from, t->to, number) : -1;
  if (to < 0)
    tb_error (t->diag, "%s: tracepoint %u: expected the number of a register of the "
	      "target description%s, found %u", t->path, t->number,
	      t->from->is_own ? " (the file has none, and none was given by --tdesc)"
	      : "", number);
  else if (to == TB_TDESC_NOTHING && number < TB_TDESC_NUMBERS
	   && !(t->told[number / 8] >> number % 8 & 1))
    {
      t->told[number / 8] |= (uint8_t) (1 << number % 8);
      tb_warning (t->diag, "%s: tracepoint %u: register %s (number %u) is not followed; "
		  "what needs it is not known anywhere", t->path, t->number,
		  tb_tdesc_find (t->from, number)->name, number);
    }
  return to;
}

/* The same for all registers of CODE.  */
static bool
translate_code (struct translating *t, struct tb_expression *code)
{
  /* What is wrong is told where it is evaluated.  */
  for (size_t at = 0; at < code->length && tb_agent_op (code->code[at]) != NULL;
       at = tb_agent_next (code->code, code->length, at))
    if (code->code[at] == AGENT_REG && code->length - at >= 3)
      {
	uint8_t *operand = code->code + at + 1;
	long to = translate (t, (unsigned) tb_number_big (operand, 2));
	if (to < 0)
	  return false;
	operand[0] = (uint8_t) (to >> 8);
	operand[1] = (uint8_t) to;
      }
  return true;
}

static bool
translate_tracepoint (struct translating *t, struct tb_tracepoint *point)
{
  t->number = point->number;
  if (!translate_code (t, &point->condition))
    return false;
  for (size_t i = 0; i < point->nactions; i++)
    {
      struct tb_action *a = &point->actions[i];
      if (!translate_code (t, &a->expression))
	return false;
      if (a->kind == TB_ACTION_MEMORY && a->base >= 0)
	{
	  long to = translate (t, (unsigned) a->base);
	  if (to < 0)
	    return false;
	  a->base = (int) to;
	}
    }
  return true;
}

/* Is TEXT a description that the program itself writes into files, for TO or one of its
   own?  Any other program may give the highest numbers to registers of its own.  */
static bool
is_ours (const struct tb_buffer *text, const struct tb_tdesc *to)
{
  bool is = false;
  for (unsigned i = 0; i <= 8 && !is; i++)
    {
      struct tb_tdesc_options options = {
	.stacks = i & 1, .fp = i & 2, .special = i & 4
      };
      struct tb_tdesc *own
	= i < 8 ? tb_tdesc_own (&to->profile, &options) : NULL;
      const struct tb_tdesc *t = i < 8 ? own : to;
      is = t != NULL && t->length == text->size && text->size > 0
	   && memcmp (t->text, text->data, text->size) == 0;
      tb_tdesc_free (own);
    }
  return is;
}

bool
tb_request_translate (struct tb_tracepoint_set *set, const struct tb_buffer *text,
		      const char *path, const struct tb_define_input *in)
{
  static const struct tb_tdesc_options all = {
    .stacks = true, .fp = true, .special = true
  };
  const struct tb_tdesc *to = in->tdesc;
  struct tb_tdesc *own = NULL;
  struct translating t = { .from = to, .to = to, .path = path, .diag = in->diag };
  char origin[4200];
  snprintf (origin, sizeof origin, "%s, tdesc", path);
  if (text->failed)
    {
      tb_error (in->diag, "%s: no memory", path);
      return false;
    }
  if (text->size > 0)
    t.from = own = tb_tdesc_parse ((const char *) text->data, text->size, origin,
				   &to->profile, in->diag);
  else if (to->is_own)
    {
      t.from = own = tb_tdesc_own (&to->profile, &all);
      if (own == NULL)
	tb_error (in->diag, "%s: no memory", path);
    }
  t.bare = is_ours (text, to);
  bool ok = t.from != NULL;
  for (size_t i = 0; i < set->count && ok; i++)
    ok = translate_tracepoint (&t, &set->items[i]);
  tb_tdesc_free (own);
  return ok;
}
