/* Recordings of the corpus' A64 cases, made from their truth.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   As the trace tells them: what was not traced is a gap, contexts are stated, and
   where the last branch went is told if that is direct.  */

#ifndef TB_UNIT_CORPUS_A64_RUN_H
#define TB_UNIT_CORPUS_A64_RUN_H

#include "check.h"
#include "corpus-a64.h"
#include "fake-recording.h"

struct corpus_run_64
{
  struct corpus_case_64 c;
  struct tb_recording *f;
  size_t *traced;		/* The number in the truth of each step.  */
  size_t count;
  uint64_t regs[33];		/* X0 to X30, SP, PC at the halt.  */
};

/* The record that the exception before record I returns to, by the ERET that belongs
   to it; 0: there is none.  */
static inline size_t
corpus_resumed (const struct corpus_case_64 *c, size_t i)
{
  unsigned depth = 0;
  for (size_t k = i; k + 1 < c->nsteps; k++)
    {
      depth += k > i && (c->steps[k].flags & CORPUS_EXCEPTION) != 0;
      if (!(c->steps[k].flags & CORPUS_RETURN) || depth-- != 0)
	continue;
      /* Another exception may be taken before anything has run.  */
      if (!(c->steps[k + 1].flags & CORPUS_EXCEPTION))
	return k + 1;
      i = k + 1;
      depth = 0;
    }
  return 0;
}

/* The value of the register NAME in TEXT, of a core's file.  */
static inline uint64_t
corpus_reg_64 (const char *text, const char *name)
{
  char key[16];
  snprintf (key, sizeof key, "\n%s", name);
  for (const char *at = strstr (text, key); at != NULL;
       at = strstr (at + 1, key))
    {
      const char *next = at + strlen (key);
      const char *value = strchr (next, '=');
      if ((*next == '(' || *next == '=') && value != NULL)
	return strtoull (value + 1, NULL, 0);
    }
  CHECK (false);
  return 0;
}

static inline void
corpus_read_regs_64 (struct corpus_run_64 *run,
		     const struct corpus_name_64 *which)
{
  static const char *const names[33] = {
    "X0", "X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "X9", "X10", "X11",
    "X12", "X13", "X14", "X15", "X16", "X17", "X18", "X19", "X20", "X21",
    "X22", "X23", "X24", "X25", "X26", "X27", "X28", "X29", "X30", "SP", "PC"
  };
  char file[64];
  size_t size;
  snprintf (file, sizeof file, "cpu_%u.ini",
	    which->source == CORPUS_ALONE ? 0 : which->source);
  char *text = (char *) corpus_file (run->c.directory, file, &size);
  if (!CHECK (text != NULL && size > 0))
    return;
  text[size - 1] = 0;
  for (unsigned i = 0; i < 33; i++)
    run->regs[i] = corpus_reg_64 (text, names[i]);
  for (unsigned i = 0; i < 33; i++)
    fake_reg (run->f, names[i], run->regs[i]);
  free (text);
}

static inline bool
corpus_run_open_64 (struct corpus_run_64 *run,
		    const struct corpus_name_64 *which)
{
  memset (run, 0, sizeof *run);
  struct corpus_case_64 *c = &run->c;
  if (!CHECK (corpus_open_64 (c, which)))
    return false;
  struct tb_recording *f = run->f = fake_new (TB_ARCH_V8A);
  fake_dump (f, c->flash_base, c->flash, c->flash_size);
  fake_dump (f, c->ram_base, c->halt_ram, c->halt_size);
  run->traced = calloc (c->nsteps + 1, sizeof *run->traced);
  unsigned el = 4;
  size_t last = 0;
  for (size_t i = 0; i < c->nsteps; i++)
    {
      const struct corpus_step_64 *s = &c->steps[i];
      if (!(s->flags & CORPUS_IN_TRACE))
	continue;
      if (run->count > 0 && last + 1 != i)
	fake_event (f, TB_EVENT_GAP, 0);
      else if (s->flags & CORPUS_EXCEPTION && run->count > 0)
	{
	  size_t to = corpus_resumed (c, i);
	  if (c->steps[i - 1].flags & CORPUS_RETURN && to != 0)
	    {
	      el = c->steps[to].pstate >> 2 & 3;
	      fake_event (f, TB_EVENT_CONTEXT, 0)->el = (uint8_t) el;
	    }
	  fake_event (f, TB_EVENT_EXCEPTION, to != 0 ? c->steps[to].pc
					     : c->steps[i - 1].pc + 4);
	}
      if ((s->pstate >> 2 & 3) != el)
	{
	  el = s->pstate >> 2 & 3;
	  fake_event (f, TB_EVENT_CONTEXT, 0)->el = (uint8_t) el;
	}
      fake_raw_step (f, s->pc, s->opcode, 4,
		     s->flags & CORPUS_TAKEN ? TB_STEP_TAKEN
		     : (s->opcode & 0xff000010) == 0x54000000
		     || (s->opcode & 0x7c000000) == 0x34000000
		     ? TB_STEP_NOT_TAKEN : 0);
      run->traced[run->count++] = i;
      last = i;
    }
  corpus_read_regs_64 (run, which);
  if ((c->steps[last].opcode & 0xfe000000) != 0xd6000000)
    fake_end (f, last + 1 < c->nsteps ? c->steps[last + 1].pc : run->regs[32],
	      false);
  return true;
}

static inline void
corpus_run_close_64 (struct corpus_run_64 *run)
{
  if (run->f != NULL)
    fake_free (run->f);
  free (run->traced);
  corpus_close_64 (&run->c);
}

#endif /* TB_UNIT_CORPUS_A64_RUN_H */
