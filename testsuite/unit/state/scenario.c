/* Scenarios.  See scenario.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdarg.h>
#include <stdlib.h>

#include "check.h"
#include "scenario-internal.h"

void
scenario_bad (const struct scenario *s, const char *format, ...)
{
  va_list args;
  fprintf (stderr, "%s:%u: ", s->path, s->line);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  exit (99);
}

/* What the line at hand says did not come out so.  */
void
scenario_expect (const struct scenario *s, bool ok, const char *format, ...)
{
  check_count++;
  if (ok)
    return;
  check_failures++;
  va_list args;
  fprintf (stderr, "%s:%u: %s%s%s: ", s->path, s->line, s->name,
	   s->variant[0] != '\0' ? " " : "", s->variant);
  if (s->window != 0)
    fprintf (stderr, "in windows of %u: ", (unsigned) s->window);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
}

static void
add_dump (struct scenario *s, uint64_t address, uint64_t length)
{
  if (s->f->nregions == FAKE_REGIONS || length > BYTES)
    scenario_bad (s, "too many dumps, or too long");
  fake_dump (s->f, address, s->bytes[s->f->nregions], length);
}

static void
put (struct scenario *s, uint64_t address, uint64_t value, unsigned size)
{
  if (s->f->nregions == 0)
    {
      add_dump (s, s->is_a64 ? 0x1000 : 0, s->is_a64 ? 0x200 : 0x400);
      add_dump (s, s->is_a64 ? 0x8000 : FAKE_RAM, 0x100);
    }
  for (size_t i = 0; i < s->f->nregions; i++)
    if (address - s->f->regions[i].address < s->f->regions[i].length)
      {
	uint64_t offset = address - s->f->regions[i].address;
	if (s->f->regions[i].length - offset < size)
	  break;
	for (unsigned b = 0; b < size; b++)
	  s->bytes[i][offset + b] = (uint8_t) (value >> 8 * b);
	return;
      }
  scenario_bad (s, "no dump has %#" PRIx64, address);
}

static void
code_line (struct scenario *s, const char *text)
{
  text = scenario_named (s, text, s->at);
  for (;;)
    {
      const char *word = scenario_blanks (text);
      size_t n = strspn (word, "0123456789abcdef");
      if ((n != 4 && n != 8)
	  || (word[n] != '\0' && word[n] != ' ' && word[n] != '\t'))
	return;
      put (s, s->at, strtoul (word, NULL, 16), (unsigned) n / 2);
      s->at += n / 2;
      text = word + n;
    }
}

/* Work the state out, before the first that is expected of it.  */
static void
open_state (struct scenario *s)
{
  if (s->state != NULL)
    return;
  if (s->window != 0)
    s->f->options.window = s->window;
  s->f->options.volatiles = s->volatiles.count ? &s->volatiles : NULL;
  s->f->options.shared = s->shared.count ? &s->shared : NULL;
  s->f->options.privates = s->privates.count ? &s->privates : NULL;
  s->state = fake_open (s->f);
  if (s->state == NULL)
    scenario_bad (s, "no memory");
  if (s->f->options.window != 0)
    tb_state_prepare (s->state, 0, NULL, NULL, &s->f->diag);
}

static void
expect_line (struct scenario *s, const char *text)
{
  char word[64];
  open_state (s);
  if (!scenario_next_word (&text, word, sizeof word))
    return;
  bool after = strcmp (word, "after") == 0;
  if (!after && strcmp (word, "before") != 0 && s->window != 0)
    return;
  if (after || strcmp (word, "before") == 0)
    {
      char line[512], *save = NULL;
      snprintf (line, sizeof line, "%s", scenario_blanks (text));
      char *colon = strstr (line, ": ");
      if (colon == NULL)
	scenario_bad (s, "%s STEP: WHAT is expected", word);
      *colon = '\0';
      uint64_t step = scenario_number (s, line);
      for (char *what = strtok_r (colon + 1, ",", &save); what != NULL;
	   what = strtok_r (NULL, ",", &save))
	scenario_expect_one (s, step, after, what);
    }
  else if (strcmp (word, "reads") == 0 || strcmp (word, "writes") == 0
	   || strcmp (word, "may-write") == 0)
    {
      char line[512];
      snprintf (line, sizeof line, "%s", scenario_blanks (text));
      char *colon = strchr (line, ':');
      if (colon == NULL)
	scenario_bad (s, "%s STEP: NAMES is expected", word);
      *colon = '\0';
      scenario_expect_effect (s, scenario_number (s, line), word, colon + 1);
    }
  else if (strcmp (word, "halt") == 0)
    {
      static const char *const names[] = { "used", "none", "elsewhere",
					   "unconfirmed", "contradicted",
					   NULL };
      if (!scenario_next_word (&text, word, sizeof word))
	scenario_bad (s, "how does the halt count?");
      enum tb_halt got = tb_state_halt (s->state);
      scenario_expect (s, got == scenario_choice (s, word, names), "the halt is %s", names[got]);
    }
  else if (strcmp (word, "warnings") == 0)
    s->warnings = (unsigned) scenario_next_number (s, &text);
  else
    scenario_bad (s, "not understood in what is expected: %s", word);
}

static void
add_extent (struct scenario *s, struct tb_extents *extents, const char *text)
{
  uint64_t address = scenario_next_number (s, &text);
  if (!tb_extents_add (extents, address, scenario_next_number (s, &text)))
    scenario_bad (s, "no memory");
}

/* A line that begins in the first column; SECTION: what it is, for those below.  */
static void
head_line (struct scenario *s, const char *text, char *section, size_t size)
{
  static const char *const machines[]
    = { "v6m", "v7m", "v7em", "v8m", "v81m", "v7a", "v8a", NULL };
  static const enum tb_arch archs[]
    = { TB_ARCH_V6M, TB_ARCH_V7M, TB_ARCH_V7EM, TB_ARCH_V8M_MAIN, TB_ARCH_V81M_MAIN,
	TB_ARCH_V7A, TB_ARCH_V8A };
  static const char *const assumptions[]
    = { "aapcs", "halt", "constants", "tasks", "frames", "objects", NULL };
  static const char *const starts[] = { "reset", "data", NULL };
  char word[64];
  if (!scenario_next_word (&text, section, size))
    return;
  if (strcmp (section, "machine") == 0)
    {
      if (!scenario_next_word (&text, word, sizeof word))
	scenario_bad (s, "which machine?");
      unsigned arch = scenario_choice (s, word, machines);
      s->f = fake_new (archs[arch]);
      s->is_a64 = archs[arch] == TB_ARCH_V8A;
      return;
    }
  if (strcmp (section, "variants") == 0)
    return;
  if (s->f == NULL)
    scenario_bad (s, "the machine comes first");
  struct tb_recording *f = s->f;
  if (strcmp (section, "dump") == 0)
    {
      uint64_t address = scenario_next_number (s, &text);
      add_dump (s, address, scenario_next_number (s, &text));
    }
  else if (strcmp (section, "code") == 0)
    s->at = scenario_next_number (s, &text);
  else if (strcmp (section, "data") == 0)
    {
      uint64_t at = scenario_next_number (s, &text);
      unsigned size_of = s->is_a64 ? 8 : 4;
      for (; scenario_next_word (&text, word, sizeof word); at += size_of)
	put (s, at, scenario_number (s, word), size_of);
    }
  else if (strcmp (section, "protocol") == 0)
    {
      static const char *const names[] = { "etmv3", "ptm", "mtb", NULL };
      static const struct tb_decoder *const decoders[]
	= { &fake_etmv3, &fake_ptm, &fake_mtb };
      if (!scenario_next_word (&text, word, sizeof word))
	scenario_bad (s, "which protocol?");
      f->decoder = decoders[scenario_choice (s, word, names)];
    }
  else if (strcmp (section, "assume") == 0)
    while (scenario_next_word (&text, word, sizeof word))
      f->options.assume |= 1u << scenario_choice (s, word, assumptions);
  else if (strcmp (section, "start") == 0)
    while (scenario_next_word (&text, word, sizeof word))
      f->options.start |= 1u << scenario_choice (s, word, starts);
  else if (strcmp (section, "wrong-code") == 0)
    {
      f->stats.bad_image = scenario_next_number (s, &text);
      f->stats.places[0].address = scenario_next_number (s, &text);
    }
  else if (strcmp (section, "window") == 0)
    f->options.window = scenario_next_number (s, &text);
  else if (strcmp (section, "volatile") == 0)
    add_extent (s, &s->volatiles, text);
  else if (strcmp (section, "shared") == 0)
    add_extent (s, &s->shared, text);
  else if (strcmp (section, "private") == 0)
    add_extent (s, &s->privates, text);
  else if (strcmp (section, "object") == 0)
    {
      uint64_t address = scenario_next_number (s, &text);
      if (f->options.nobjects == SCENARIO_OBJECTS)
	scenario_bad (s, "too many objects");
      s->objects[f->options.nobjects++] = (struct tb_elf_object) {
	address, address + scenario_next_number (s, &text), "object"
      };
      f->options.objects = s->objects;
    }
  else if (strcmp (section, "path") == 0)
    {
      if (s->is_a64)
	fake_event (f, TB_EVENT_CONTEXT, 0)->el = 1;
    }
  else if (strcmp (section, "expect") == 0)
    open_state (s);
  else
    scenario_bad (s, "not understood: %s", section);
}

/* Does TEXT, perhaps with variants in brackets at its head, count in this variant?
   *TEXT is moved behind them.  */
static bool
counts (const struct scenario *s, const char **text)
{
  const char *at = scenario_blanks (*text);
  if (*at != '[')
    return true;
  const char *close = strchr (at, ']');
  if (close == NULL)
    scenario_bad (s, "a bracket is not closed");
  *text = close + 1;
  bool not = at[1] == '!', found = false;
  for (at += 1 + not; at < close; at++)
    {
      size_t n = strcspn (at, " ]");
      found |= n == strlen (s->variant) && strncmp (at, s->variant, n) == 0;
      at += n;
    }
  return found != not;
}

/* Run the scenario whose lines are LINES to END in the variant VARIANT, in windows of
   WINDOW steps if that is not 0.  Returns whether it says itself what windows it wants. */
static bool
run (const char *path, char **lines, size_t first, size_t last,
     const char *name, const char *variant, uint64_t window)
{
  static struct scenario s;
  char section[32] = "";
  memset (&s, 0, sizeof s);
  s.path = path;
  s.window = window;
  snprintf (s.name, sizeof s.name, "%s", name);
  snprintf (s.variant, sizeof s.variant, "%s", variant);
  unsigned before = check_count;
  for (size_t i = first; i < last; i++)
    {
      const char *text = lines[i];
      s.line = (unsigned) i + 1;
      if (*scenario_blanks (text) == '#' || *scenario_blanks (text) == '\0')
	continue;
      bool inner = *text == ' ' || *text == '\t';
      if (!counts (&s, &text))
	continue;
      if (!inner)
	head_line (&s, scenario_blanks (text), section, sizeof section);
      else if (strcmp (section, "code") == 0)
	code_line (&s, text);
      else if (strcmp (section, "path") == 0)
	scenario_path (&s, text);
      else if (strcmp (section, "expect") == 0)
	expect_line (&s, text);
      else
	scenario_bad (&s, "an indented line belongs to nothing");
    }
  if (s.state == NULL || (window == 0 && check_count == before))
    scenario_bad (&s, "nothing is expected of %s", name);
  scenario_expect (&s, window != 0 || s.f->diag.warnings == s.warnings,
		   "%u warnings, expected %u", s.f->diag.warnings, s.warnings);
  bool windows = s.f->options.window != window;
  tb_state_close (s.state);
  fake_free (s.f);
  tb_extents_fini (&s.volatiles);
  tb_extents_fini (&s.shared);
  tb_extents_fini (&s.privates);
  return windows;
}

/* Run it as it is, and then in small windows.  */
static void
run_both (const char *path, char **lines, size_t first, size_t last,
	  const char *name, const char *variant)
{
  if (!run (path, lines, first, last, name, variant, 0))
    for (unsigned window = 2; window < 6; window += 3)
      run (path, lines, first, last, name, variant, window);
}

/* All variants of the scenario in LINES.  */
static void
run_variants (const char *path, char **lines, size_t first, size_t last)
{
  const char *name = scenario_blanks (lines[first] + strlen ("scenario"));
  for (size_t i = first; i < last; i++)
    if (strncmp (lines[i], "variants ", 9) == 0)
      {
	const char *text = lines[i] + 9;
	char variant[32];
	while (scenario_next_word (&text, variant, sizeof variant))
	  run_both (path, lines, first + 1, last, name, variant);
	return;
      }
  run_both (path, lines, first + 1, last, name, "");
}

void
scenarios_run (const char *path, const char *only)
{
  static char *lines[4096];
  size_t count = 0, room = 0;
  FILE *file = fopen (path, "r");
  if (file == NULL)
    {
      perror (path);
      exit (99);
    }
  char *line = NULL;
  for (; count < 4096 && getline (&line, &room, file) >= 0;
       line = NULL, room = 0)
    {
      line[strcspn (line, "\n")] = '\0';
      lines[count++] = line;
    }
  free (line);
  if (!feof (file) || ferror (file))
    {
      fprintf (stderr, "%s: cannot be read, or is too long\n", path);
      exit (99);
    }
  fclose (file);
  for (size_t i = 0; i < count;)
    {
      size_t last = i + 1;
      while (last < count && strncmp (lines[last], "scenario ", 9) != 0)
	last++;
      if (strncmp (lines[i], "scenario ", 9) == 0
	  && (only == NULL || strcmp (scenario_blanks (lines[i] + 9), only) == 0))
	run_variants (path, lines, i, last);
      i = last;
    }
  for (size_t i = 0; i < count; i++)
    free (lines[i]);
}

int
scenarios_done (void)
{
  return check_done ();
}
