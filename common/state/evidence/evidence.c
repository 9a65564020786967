/* The evidence by rank: what is given up where it contradicts itself, so that the rest
   is sound.  See evidence.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/evidence.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "state/evidence/data-doubt.h"
#include "state/evidence/stated.h"
#include "state/window/windows.h"
#include "util/number.h"

/* ARMv7-M lets frames be aligned to 4 bytes (CCR.STKALIGN).  */
static bool
may_be_unaligned (const struct tb_state *s)
{
  return s->profile->arch == TB_ARCH_V7M || s->profile->arch == TB_ARCH_V7EM;
}

bool
tb_evidence_solve (struct tb_state *s)
{
  enum tb_halt halt = s->halt;
  s->stkalign = true;
  if (!tb_state_solve (s, 0, 0))
    return false;
  if (!s->graph.conflict || !may_be_unaligned (s))
    return true;
  s->stkalign = false;
  s->halt = halt;
  return tb_state_solve (s, 0, 0);
}

static bool
solve_once (struct tb_state *s)
{
  return tb_state_solve (s, 0, 0);
}

/* What of the halt is not as S, which was solved without it, knows it to be, to WHERE: a register,
   or else a word of RAM; nothing where S knows neither.  */
static void
find_wrong_halt (struct tb_state *s, char *where, size_t size)
{
  static const char found[] = "; found %s 0x%" PRIx64 ", expected 0x%" PRIx64;
  const struct tb_memmap *map = tb_recording_memmap (s->recording);
  unsigned last = s->a64 != NULL ? (unsigned) TB_SP64 : (unsigned) TB_LR;
  size_t count, n = tb_word_bytes (&s->memory);
  const struct tb_reg_info *regs = tb_regs (s->profile, &count);
  where[0] = 0;
  if (s->graph.conflict || s->graph.failed || s->graph.kinds != NULL)
    return;
  tb_state_seek (s, s->steps);
  for (unsigned i = 0; i <= last; i++)
    {
      tb_vid id = s->names.slot[i];
      struct tb_known k = tb_graph_known (&s->graph, id);
      tb_word bits = s->at_halt[i].bits & s->graph.ones;
      if (id == 0 || s->at_halt[i].mask == 0 || !tb_known_all (k) || k.bits == bits)
	continue;
      snprintf (where, size, found, regs[i].name, bits, k.bits);
      return;
    }
  for (size_t i = 0; i < s->memory.ncells; i++)
    {
      uint64_t address = s->memory.cells[i].address;
      uint8_t end[8], origins[8], dumped[8];
      char place[30];
      if (tb_state_memory (s, s->base + s->steps, address, end, origins, n) != n
	  || tb_memmap_read (map, s->memory.space, address, dumped, n) != n
	  || memcmp (dumped, end, n) == 0)
	continue;
      snprintf (place, sizeof place, "the word at 0x%" PRIx64, address);
      snprintf (where, size, found, place, tb_number (dumped, (unsigned) n),
		tb_number (end, (unsigned) n));
      return;
    }
}

void
tb_evidence_say_halt (struct tb_state *s, struct tb_diag *diag)
{
  char where[120];
  find_wrong_halt (s, where, sizeof where);
  if (tb_recording_steps (s->recording) == 0)
    tb_warning (diag, "The registers at the halt contradict each other: "
		"expected SP to be the stack pointer that xPSR and CONTROL "
		"say.  They are shown as they are.");
  else
    tb_warning (diag, "The registers and memory at the halt contradict the "
		"trace: expected a state that the traced instructions can "
		"lead to%s.  They are not used.", where);
}

void
tb_evidence_set_start (struct tb_state *s, unsigned start)
{
  s->start = start;
}

/* Forget what the neighbours of C->s know, and see whether it contradicts itself all
   the same, or else what the window before it knows.  False: no memory.  */
static bool
look_alone (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  if (c->looked)
    return true;
  c->looked = true;
  struct tb_border *before = tb_border_ref (s->before[0]);
  enum tb_halt halt = s->halt;
  tb_state_drop_borders (s);
  s->halt = TB_HALT_NONE;
  bool ok = tb_state_solve (s, 0, 0);
  c->own = s->graph.conflict;
  if (ok && before != NULL && !c->own)
    {
      s->before[0] = tb_border_ref (before);
      ok = tb_state_solve (s, 0, 0);
      c->past = s->graph.conflict;
      tb_state_drop_borders (s);
    }
  tb_border_unref (before);
  s->halt = halt;
  return ok;
}

/* The windows before this one were solved with frames that are aligned.  */
static bool
alignment_of_windows (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  if (!may_be_unaligned (s) || !s->stkalign)
    return true;
  s->stkalign = false;
  if (!tb_state_solve (s, 0, 0))
    return false;
  c->resolved = !s->graph.conflict;
  if (!c->resolved)
    s->stkalign = true;
  else
    c->home->stkalign = false;
  return true;
}

static bool
devices_alone (struct tb_contradiction *c)
{
  if (c->tried_devices)
    return true;
  c->tried_devices = true;
  return tb_state_try_devices (c->s, tb_evidence_solve, c->untried, &c->resolved,
			       c->diag);
}

static bool
devices_of_windows (struct tb_contradiction *c)
{
  return tb_state_try_devices (c->s, solve_once, c->s->halt, &c->resolved,
			       c->diag);
}

static void
say_start (struct tb_diag *diag)
{
  tb_warning (diag, "What is said of the start of the trace (--start) "
	      "contradicts the rest of it or the halt, or the code in the "
	      "snapshot is not what ran.  It is not used.");
}

static bool
start_alone (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  unsigned start = s->start;
  if (start == 0)
    return true;
  tb_evidence_set_start (s, 0);
  if (!tb_evidence_solve (s))
    return false;
  c->resolved = !s->graph.conflict;
  if (c->resolved)
    say_start (c->diag);
  else
    tb_evidence_set_start (s, start);
  return true;
}

/* Wherever what is said of it may be from.  */
static bool
start_of_windows (struct tb_contradiction *c)
{
  if (!look_alone (c))
    return false;
  c->resolved = !c->own && c->home->options.start != 0;
  if (!c->resolved)
    return true;
  say_start (c->diag);
  c->home->options.start = c->s->options.start = 0;
  return true;
}

/* The FP registers at the halt, which a debugger may not have been able to read.  */
static bool
vectors_alone (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  struct tb_vector at_halt[TB_NVECTORS];
  bool any = false;
  for (unsigned i = 0; i < TB_NVECTORS; i++)
    any |= s->vectors_at_halt[i].half[0].mask != 0;
  if (!any || s->halt != TB_HALT_USED)
    return true;
  memcpy (at_halt, s->vectors_at_halt, sizeof at_halt);
  memset (s->vectors_at_halt, 0, sizeof at_halt);
  if (!tb_evidence_solve (s))
    return false;
  c->resolved = !s->graph.conflict;
  if (c->resolved)
    tb_warning (c->diag, "The FP registers at the halt contradict the trace: "
		"expected a state that the traced instructions can lead to.  "
		"They are not used.");
  else
    memcpy (s->vectors_at_halt, at_halt, sizeof at_halt);
  return true;
}

/* What was given up since the halt was may have been all that it takes: use the halt
   again if that can be.  False: no memory.  */
static bool
use_halt_again (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  s->halt = TB_HALT_USED;
  if (!tb_evidence_solve (s))
    return false;
  c->no_halt = s->graph.conflict;
  if (!c->no_halt)
    return true;
  s->halt = TB_HALT_CONTRADICTED;
  return tb_evidence_solve (s);
}

static bool
halt_alone (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  if (s->halt != TB_HALT_USED)
    return true;
  size_t recoded = tb_state_recoded (s);
  s->halt = TB_HALT_CONTRADICTED;
  c->no_halt = true;
  if (!tb_evidence_solve (s))
    return false;
  c->resolved = !s->graph.conflict;
  /* Other code was found to have run than was thought.  */
  return !c->resolved || tb_state_recoded (s) == recoded || use_halt_again (c);
}

/* What the halt says is known back to the last gap.  */
static bool
halt_of_windows (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  uint64_t base = s->base, end = base + s->steps;
  const struct tb_trust *all = tb_evidence_all_trust (c->home);
  if (all == NULL)
    return false;
  c->resolved = !c->own && s->halt == TB_HALT_USED
		&& tb_trust_reaches_end (all, c->past ? base : end - 1);
  if (!c->resolved)
    return true;
  c->home->halt = s->halt = TB_HALT_CONTRADICTED;
  tb_evidence_say_halt (s, c->diag);
  return true;
}

static bool solve_and_weigh (struct tb_state *s, struct tb_diag *diag);

/* A few transfers of data trace.  */
static bool
data_alone (struct tb_contradiction *c)
{
  bool halt = c->no_halt;
  if (!tb_data_doubt_alone (c))
    return false;
  return !c->resolved || !halt || use_halt_again (c);
}

/* The same before the halt is given up, unless it is asked whether that contradicts the trace.  */
static bool
little_data_alone (struct tb_contradiction *c)
{
  return c->s->options.halt == TB_PROOF_CUT || c->s->options.halt == TB_PROOF_WITNESS
	 || data_alone (c);
}

static bool
data_of_windows (struct tb_contradiction *c)
{
  return look_alone (c) && tb_data_doubt_of_windows (c);
}

/* A log is relied on less.  */
static bool
log_alone (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  if (s->stated == NULL)
    return true;
  if (c->no_halt)
    s->halt = TB_HALT_USED;
  c->no_halt = false;
  c->resolved = true;
  if (!tb_state_doubt_log (s, s))
    return false;
  unsigned relied_on = s->options.stated;
  if (relied_on != TB_STATED_NONE)
    {
      /* What is told of the start was told.  */
      tb_state_find_start (s, NULL);
      if (!solve_and_weigh (s, c->diag))
	return false;
    }
  /* Where it took even more that was said.  */
  if (s->options.stated == relied_on)
    tb_state_say_doubt (s, c->diag);
  return true;
}

static bool
log_of_windows (struct tb_contradiction *c)
{
  struct tb_state *home = c->home;
  if (c->s->stated == NULL)
    return true;
  bool news = home->options.stated != TB_STATED_NONE;
  c->resolved = true;
  if (!tb_state_doubt_log (c->s, home))
    return false;
  if (news)
    tb_state_say_doubt (home, c->diag);
  *c->more = home->options.stated != TB_STATED_NONE;
  return true;
}

static bool
code_alone (struct tb_contradiction *c)
{
  c->resolved = true;
  return tb_evidence_lose_code (c->s, c->diag)
	 && (!c->no_halt || use_halt_again (c));
}

static bool
code_of_windows (struct tb_contradiction *c)
{
  struct tb_state *s = c->s;
  enum tb_halt halt = s->halt;
  if (!c->own)
    return tb_evidence_lose_border (c);
  s->halt = TB_HALT_NONE;
  bool ok = tb_state_solve_sound (s, c->diag)
	    && tb_windows_lose (c->home, s, c->more);
  s->halt = halt;
  return ok;
}

/* The weakest comes first.  */
static const struct
{
  /* Give it up if one window goes without a contradiction then, and say so; set
     RESOLVED.  Else take it back, but for the halt.  NULL: tb_evidence_solve does
     that.  False: no memory.  */
  bool (*alone) (struct tb_contradiction *c);
  /* The same for one of several windows, in all of them: they are solved again
     without it.  NULL: it goes with the next one.  */
  bool (*of_windows) (struct tb_contradiction *c);
} ranks[] = {
  { NULL, alignment_of_windows },	/* Frames are aligned to 8 bytes.  */
  { devices_alone, devices_of_windows },	/* Dumps are of memory, not of devices.  */
  { start_alone, start_of_windows },	/* What the user says of the start.  */
  { vectors_alone, NULL },		/* FP registers at the halt.  */
  { little_data_alone, NULL },	/* What data trace tells, where little of it is wrong, ... */
  { halt_alone, halt_of_windows },	/* Registers and memory at the halt.  */
  { data_alone, data_of_windows },	/* ... or the halt is, too.  */
  { log_alone, log_of_windows },	/* The lines of a log.  */
  { code_alone, code_of_windows }	/* The code in the snapshot is what ran.  */
};

#define NRANKS (sizeof ranks / sizeof ranks[0])

/* Give up what it takes in one window alone.  False: no memory.  */
static bool
weigh (struct tb_contradiction *c)
{
  c->resolved = !c->s->graph.conflict;
  for (size_t i = 0; i < NRANKS && !c->resolved; i++)
    if (ranks[i].alone != NULL && !ranks[i].alone (c))
      return false;
  return true;
}

/* Solve S, which knows its start, and give up what it takes.  False: no memory.  */
static bool
solve_and_weigh (struct tb_state *s, struct tb_diag *diag)
{
  struct tb_contradiction c = { .s = s, .diag = diag, .untried = s->halt };
  s->find_end = true;
  bool ok = tb_evidence_solve (s) && (!s->graph.conflict || devices_alone (&c));
  s->find_end = false;
  /* What is worked out may show that the trace ends at the halt.  */
  if (!ok || !weigh (&c) || !tb_state_find_end (s) || !weigh (&c))
    return false;
  if (c.no_halt)
    tb_evidence_say_halt (s, diag);
  return true;
}

bool
tb_state_solve_sound (struct tb_state *s, struct tb_diag *diag)
{
  uint64_t lost;
  if (s->all_trust.count != 0 && tb_trust_lost (&s->all_trust, &lost) != 0
      && !(tb_state_doubts (&s->options) & TB_PREMISE_CODE))
    tb_evidence_say_lost (&s->all_trust, diag,
			  "The code in the snapshot is not what ran.");
  tb_state_find_start (s, diag);
  return solve_and_weigh (s, diag);
}

bool
tb_state_try_start (struct tb_state *s, struct tb_diag *diag)
{
  struct tb_contradiction c = { .s = s, .diag = diag };
  bool conflict = s->graph.conflict;
  if (!conflict || s->start == 0)
    return true;
  /* It need not be that.  */
  return start_alone (&c) && (c.resolved || tb_evidence_solve (s));
}

bool
tb_evidence_weigh_windows (struct tb_state *s, struct tb_state *home, bool *more,
			   struct tb_diag *diag)
{
  struct tb_contradiction c = { .s = s, .home = home, .more = more, .diag = diag };
  for (size_t i = 0; i < NRANKS; i++)
    if (ranks[i].of_windows != NULL)
      {
	if (!ranks[i].of_windows (&c))
	  return false;
	/* A log is read again, or there is nothing more in it.  */
	if (c.resolved)
	  {
	    *more |= s->stated == NULL || ranks[i].of_windows != log_of_windows;
	    return true;
	  }
      }
  return true;
}
