/* The way that a core took, as scenarios have it.  See scenario.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ctype.h>

#include "decode/element.h"
#include "scenario-internal.h"

static void
halt_registers (struct scenario *s, const char *text)
{
  char word[64];
  while (scenario_next_word (&text, word, sizeof word))
    {
      char *equals = strchr (word, '=');
      if (equals == NULL)
	scenario_bad (s, "NAME=VALUE is expected: %s", word);
      *equals = '\0';
      /* The recording borrows the name.  */
      static char kept[FAKE_REGS][16];
      char *name = kept[s->f->core.nregs % FAKE_REGS];
      for (unsigned i = 0; i < sizeof kept[0] - 1 && word[i] != '\0'; i++)
	{
	  name[i] = (char) toupper ((unsigned char) word[i]);
	  name[i + 1] = '\0';
	}
      fake_reg (s->f, name, scenario_number (s, equals + 1));
      if (s->is_a64 && strcmp (name, "CPSR") != 0)
	s->f->regs[s->f->core.nregs - 1].bits = 64;
    }
}

static void
path_context (struct scenario *s, const char *text)
{
  struct tb_event *e = fake_event (s->f, TB_EVENT_CONTEXT, 0);
  char word[64];
  e->el = (uint8_t) scenario_next_number (s, &text);
  while (scenario_next_word (&text, word, sizeof word))
    if (strcmp (word, "secure") == 0)
      e->security = TB_SECURE;
    else if (strcmp (word, "nonsecure") == 0)
      e->security = TB_NONSECURE;
    else if (strcmp (word, "id") == 0)
      {
	e->flags |= TB_CONTEXT_CID;
	e->value = scenario_next_number (s, &text);
      }
    else
      scenario_bad (s, "not understood: %s", word);
}

void
scenario_path (struct scenario *s, const char *text)
{
  struct tb_recording *f = s->f;
  text = scenario_named (s, text, f->info.steps);
  char word[64];
  if (!scenario_next_word (&text, word, sizeof word))
    return;
  if (strcmp (word, "run") == 0)
    {
      uint32_t pc = (uint32_t) scenario_next_number (s, &text);
      fake_run (f, pc, (unsigned) scenario_next_number (s, &text));
    }
  else if (strcmp (word, "taken") == 0)
    fake_step (f, (uint32_t) scenario_next_number (s, &text), TB_STEP_TAKEN);
  else if (strcmp (word, "failed") == 0)
    fake_step (f, (uint32_t) scenario_next_number (s, &text), TB_STEP_NOT_TAKEN);
  else if (strcmp (word, "raw") == 0)
    {
      uint64_t pc = scenario_next_number (s, &text);
      uint32_t opcode = (uint32_t) scenario_next_number (s, &text);
      fake_raw_step (f, pc, opcode, (unsigned) scenario_next_number (s, &text), 0);
    }
  else if (strcmp (word, "isa") == 0)
    {
      static const char *const names[] = { "t32", "a32", NULL };
      if (!scenario_next_word (&text, word, sizeof word))
	scenario_bad (s, "isa t32 or a32");
      f->isa = scenario_choice (s, word, names) == 0 ? TB_ISA_T32 : TB_ISA_A32;
    }
  else if (strcmp (word, "gap") == 0)
    {
      static const char *const names[]
	= { "overflow", "bad-image", "debug", "paused", NULL };
      static const uint8_t reasons[]
	= { TB_REASON_OVERFLOW, TB_REASON_BAD_IMAGE, TB_REASON_DEBUG,
	    TB_REASON_PAUSED };
      unsigned i = scenario_next_word (&text, word, sizeof word)
		   ? scenario_choice (s, word, names) : 0;
      fake_event (f, TB_EVENT_GAP, 0)->reason = reasons[i];
    }
  else if (strcmp (word, "exception") == 0)
    {
      uint16_t exception = (uint16_t) scenario_next_number (s, &text);
      struct tb_event *e
	= fake_event (f, TB_EVENT_EXCEPTION, scenario_next_number (s, &text));
      e->exception = exception;
      static const char *const names[]
	= { "branch-target", "tail-chain", "no-return", "debug", NULL };
      static const uint8_t flags[]
	= { TB_EXCEPTION_BRANCH_TARGET, TB_EXCEPTION_TAIL_CHAIN,
	    TB_EXCEPTION_NO_RETURN, TB_EXCEPTION_HALT };
      while (scenario_next_word (&text, word, sizeof word))
	e->flags |= flags[scenario_choice (s, word, names)];
    }
  else if (strcmp (word, "return") == 0)
    {
      uint64_t value = scenario_next_number (s, &text);
      fake_event (f, TB_EVENT_EXCEPTION_RETURN, scenario_next_number (s, &text))->value
	= value;
    }
  else if (strcmp (word, "context") == 0)
    path_context (s, text);
  else if (strcmp (word, "debug") == 0)
    fake_event (f, TB_EVENT_HALT, scenario_next_number (s, &text))->flags
      = TB_EXCEPTION_HALT;
  else if (strcmp (word, "end") == 0)
    fake_end (f, scenario_next_number (s, &text), false);
  else if (strcmp (word, "halt") == 0)
    {
      fake_end (f, scenario_next_number (s, &text), true);
      halt_registers (s, text);
    }
  else if (strcmp (word, "stop") == 0)
    {
      fake_reg (f, "PC", scenario_next_number (s, &text));
      halt_registers (s, text);
    }
  else
    scenario_bad (s, "not understood in a path: %s", word);
}
