/* What scenarios expect of registers and memory.  See scenario.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "scenario-internal.h"
#include "state/effect.h"
#include "state/answer/level-sp.h"
#include "state/explain/why.h"

/* The register NAME before or AFTER the instruction of STEP, and which of its bits (all,
   where *MASK is 0).  */
static struct tb_value
register_value (const struct scenario *s, uint64_t step, bool after,
		const char *name, uint64_t *mask)
{
  struct tb_value values[TB_NREGS_MAX];
  struct tb_vector vectors[TB_NVECTORS];
  unsigned psr = s->is_a64 ? TB_PSTATE : TB_PSR;
  static const char flags[] = "vczn";
  (after ? tb_state_after : tb_state_registers) (s->state, step, values);
  if (name[1] == '\0' && strchr (flags, name[0]) != NULL)
    {
      unsigned bit = 28 + (unsigned) (strchr (flags, name[0]) - flags);
      *mask = 1;
      values[psr].bits >>= bit;
      values[psr].mask >>= bit;
      values[psr].assumed >>= bit;
      return values[psr];
    }
  size_t count;
  const struct tb_reg_info *regs = tb_regs (&s->f->profile, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp (regs[i].name, name) == 0)
      {
	if (*mask == 0)
	  *mask = regs[i].bits == 64 ? UINT64_MAX : UINT32_MAX;
	return values[i];
      }
  char *end = NULL;
  unsigned long v = strcmp (name, "fpscr") == 0
		    ? TB_FPSCR : strtoul (name + 1, &end, 10);
  bool high = end != NULL && strcmp (end, "h") == 0;
  if (v >= TB_NVECTORS || (end != NULL && *end != '\0' && !high))
    scenario_bad (s, "no register %s", name);
  if (*mask == 0)
    *mask = end == NULL ? UINT32_MAX : UINT64_MAX;
  if (!(after ? tb_state_vectors_after : tb_state_vectors) (s->state, step,
							     vectors))
    return (struct tb_value) { .origin = TB_UNKNOWN };
  return vectors[v].half[high];
}

static struct tb_value
memory_value (const struct scenario *s, uint64_t step, char *place,
	      uint64_t *mask)
{
  uint8_t bytes[8], origins[8];
  struct tb_value value = { .origin = TB_DERIVED };
  char *colon = strchr (place, ':');
  unsigned size = s->is_a64 ? 8 : 4;
  if (colon != NULL)
    {
      *colon = '\0';
      size = (unsigned) scenario_number (s, colon + 1);
    }
  *mask = size == 8 ? UINT64_MAX : (UINT64_C (1) << 8 * size) - 1;
  tb_state_memory (s->state, step, scenario_number (s, place), bytes, origins, size);
  for (unsigned i = 0; i < size; i++)
    if (origins[i] != TB_UNKNOWN)
      {
	uint64_t byte = UINT64_C (255) << 8 * i;
	value.mask |= byte;
	value.bits |= (uint64_t) bytes[i] << 8 * i;
	if (origins[i] == TB_ASSUMED)
	  {
	    value.origin = TB_ASSUMED;
	    value.assumed |= byte;
	  }
      }
  return value;
}

/* What is said of why that which is called TEXT (as --why names it) is so before STEP
   must fit VALUE, of which MASK counts.  */
static void
expect_why (const struct scenario *s, uint64_t step, const char *text,
	    const struct tb_value *value, uint64_t mask)
{
  enum { MOST = 40 };
  struct tb_why items[MOST];
  struct tb_why_named named[TB_WHY_NAMES];
  char line[512];
  if (!tb_why_parse_all (named, &s->f->profile, 0, NULL, text))
    scenario_bad (s, "--why does not know %s", text);
  const struct tb_why_query *query = &named[0].query;
  struct tb_why_verdict verdict
    = tb_why_find_verdict (s->state, step, query, &s->f->profile);
  enum tb_origin origin = tb_value_origin (value, mask);
  scenario_expect (s, verdict.whole == (origin != TB_UNKNOWN), "%s: the verdict is %s",
	  text, verdict.whole ? "known" : "not known");
  if (verdict.whole)
    scenario_expect (s, verdict.value == (value->bits & mask)
	       && (verdict.origin == TB_ASSUMED) == (origin == TB_ASSUMED),
	    "%s: the verdict is %#" PRIx64, text, verdict.value);
  size_t count = tb_state_why (s->state, step, query, items, MOST);
  if (count == 0)
    return;
  scenario_expect (s, items[0].assumed == (origin == TB_ASSUMED),
		   "%s: it is explained as %s", text,
		   items[0].assumed ? "assumed" : "certain");
  scenario_expect (s, items[0].known == verdict.whole
		      && (!verdict.whole || items[0].value == verdict.value),
		   "%s: it is explained as %s, %#" PRIx64, text,
		   items[0].known ? "known" : "not known", items[0].value);
  for (size_t i = 0; i < count; i++)
    {
      tb_why_line (line, sizeof line, s->f, NULL, items, i);
      bool fits = items[i].step <= s->f->info.steps
		  && (!items[i].known || items[i].rule < TB_WHY_BEGIN);
      for (unsigned k = 0; k < items[i].from_count; k++)
	fits &= items[i].from[k] < count
		&& items[items[i].from[k]].known == items[i].known;
      scenario_expect (s, fits, "%s, item %zu: %s", text, i, line);
    }
}

/* Ask why NAME is what GOT tells, where there is an answer: not of the PC and what is
   beyond it.  */
static void
ask_why (const struct scenario *s, uint64_t step, const char *name,
	 const struct tb_value *got, uint64_t mask)
{
  static const char *const none[] = { "pc", "xpsr", "cpsr", "msp", "psp",
				      "control", "primask", NULL };
  char text[64];
  size_t length = strlen (name);
  unsigned size = 0;
  uint64_t sp;
  for (unsigned i = 0; none[i] != NULL; i++)
    if (strcmp (name, none[i]) == 0)
      return;
  while (size < 8 && mask >> 8 * size != 0)
    size++;
  if (name[0] == '[')
    snprintf (text, sizeof text, "%#" PRIx64 ":%u", scenario_number (s, name + 1), size);
  else if (s->is_a64 && name[0] == 'v' && length > 1)
    snprintf (text, sizeof text, "v%d.d[%d]", atoi (name + 1),
	      name[length - 1] == 'h');
  else
    snprintf (text, sizeof text, "%s", name);
  expect_why (s, step, text, got, mask);
  if (strcmp (name, "sp") == 0)
    {
      struct tb_level_sp level = { .recording = s->f, .state = s->state };
      enum tb_origin origin = tb_value_origin (got, mask);
      bool certain = origin != TB_UNKNOWN && origin != TB_ASSUMED;
      scenario_expect (s, tb_level_sp (&level, step, &sp) == certain
		 && (!certain || sp == (got->bits & mask)),
	      "SP of a level is another one");
      tb_level_sp_fini (&level);
    }
}

/* One WHAT: its words are taken apart in place.  */
void
scenario_expect_one (const struct scenario *s, uint64_t step, bool after, char *what)
{
  char *words[8], *save = NULL;
  unsigned n = 0;
  for (char *word = strtok_r (what, " \t", &save); word != NULL && n < 8;
       word = strtok_r (NULL, " \t", &save))
    words[n++] = word;
  uint64_t mask = 0;
  unsigned i = 1;
  if (n > 3 && strcmp (words[1], "&") == 0)
    {
      mask = scenario_number (s, words[2]);
      i = 3;
    }
  if (n < 2)
    scenario_bad (s, "NAME = VALUE or NAME unknown is expected");
  const char *when = after ? "after" : "before";
  struct tb_value got;
  size_t length = strlen (words[0]);
  if (!after && words[0][0] == '[' && words[0][length - 1] == ']')
    {
      words[0][length - 1] = '\0';
      got = memory_value (s, step, words[0] + 1, &mask);
    }
  else
    got = register_value (s, step, after, words[0], &mask);
  enum tb_origin origin = tb_value_origin (&got, mask);
  if (!after && i == 1)
    ask_why (s, step, words[0], &got, mask);
  if (n == i + 1 && strcmp (words[i], "unknown") == 0)
    scenario_expect (s, origin == TB_UNKNOWN, "%s step %" PRIu64 " %s is known: %#"
	    PRIx64, when, step, words[0], got.bits & mask);
  else if (n >= i + 2 && strcmp (words[i], "=") == 0)
    {
      uint64_t want = scenario_number (s, words[i + 1]);
      bool assumed = n == i + 3 && strcmp (words[i + 2], "assumed") == 0;
      if (s->window != 0)
	{
	  uint64_t known = got.mask & mask;
	  scenario_expect (s, ((got.bits ^ want) & known) == 0,
			   "%s step %" PRIu64 " %s: %#" PRIx64 ", of which %#"
			   PRIx64 " is known, expected %#" PRIx64, when, step,
			   words[0], got.bits, known, want);
	  return;
	}
      scenario_expect (s, origin != TB_UNKNOWN && (got.bits & mask) == want
	      && (origin == TB_ASSUMED) == assumed,
	      "%s step %" PRIu64 " %s: %s%#" PRIx64 ", of which %#" PRIx64
	      " is known, expected %#" PRIx64, when, step, words[0],
	      origin == TB_ASSUMED ? "assumed " : "", got.bits, got.mask & mask,
	      want);
    }
  else
    scenario_bad (s, "NAME = VALUE or NAME unknown is expected");
}

void
scenario_expect_effect (const struct scenario *s, uint64_t step,
			const char *which, char *names)
{
  static const char flags[] = "nzcv";
  struct tb_effect effect;
  uint64_t want = 0;
  size_t count;
  char *save = NULL;
  const struct tb_reg_info *regs = tb_regs (&s->f->profile, &count);
  for (char *name = strtok_r (names, " \t", &save); name != NULL;
       name = strtok_r (NULL, " \t", &save))
    {
      uint64_t bit = 0;
      for (size_t i = 0; i < count && i < TB_EFFECT_N; i++)
	if (strcmp (regs[i].name, name) == 0)
	  bit = UINT64_C (1) << i;
      if (name[1] == '\0' && strchr (flags, name[0]) != NULL)
	bit = UINT64_C (1) << (TB_EFFECT_N + (strchr (flags, name[0]) - flags));
      if (bit == 0)
	scenario_bad (s, "no register %s", name);
      want |= bit;
    }
  if (!tb_state_effect (s->state, step, &effect))
    {
      scenario_expect (s, false, "step %" PRIu64 " is not analysed", step);
      return;
    }
  uint64_t got = which[0] == 'r' ? effect.reads
		 : which[0] == 'w' ? effect.writes : effect.may_write;
  scenario_expect (s, got == want, "step %" PRIu64 " %s %#" PRIx64
		   ", expected %#" PRIx64, step, which, got, want);
}
