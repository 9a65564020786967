/* Scenarios.  See scenario.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

#include "check.h"
#include "decode/element.h"
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

static const char *
blanks (const char *text)
{
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

/* The word at *TEXT, which is moved behind it, into WORD.  False: none is left.  */
static bool
next_word (const char **text, char *word, size_t size)
{
  const char *at = blanks (*text);
  size_t n = strcspn (at, " \t,");
  if (n == 0 || n >= size)
    return false;
  memcpy (word, at, n);
  word[n] = '\0';
  *text = at + n;
  return true;
}

static uint64_t
term (const struct scenario *s, const char *text, size_t length)
{
  char word[32];
  if (length == 0 || length >= sizeof word)
    scenario_bad (s, "a number is expected: %s", text);
  memcpy (word, text, length);
  word[length] = '\0';
  if (isdigit ((unsigned char) word[0]))
    {
      char *end;
      uint64_t value = strtoull (word, &end, 0);
      if (*end != '\0')
	scenario_bad (s, "not a number: %s", word);
      return value;
    }
  if (strcmp (word, "end") == 0)
    return s->f->info.steps;
  for (unsigned i = 0; i < s->nnames; i++)
    if (strcmp (s->names[i].text, word) == 0)
      return s->names[i].value;
  scenario_bad (s, "nothing is called %s", word);
}

uint64_t
scenario_number (const struct scenario *s, const char *text)
{
  uint64_t sum = 0;
  bool minus = false;
  for (;;)
    {
      size_t length = strcspn (text, "+-");
      uint64_t value = term (s, text, length);
      sum += minus ? -value : value;
      if (text[length] == '\0')
	return sum;
      minus = text[length] == '-';
      text += length + 1;
    }
}

static uint64_t
next_number (const struct scenario *s, const char **text)
{
  char word[64];
  if (!next_word (text, word, sizeof word))
    scenario_bad (s, "a number is missing");
  return scenario_number (s, word);
}

static void
set_name (struct scenario *s, const char *text, size_t length, uint64_t value)
{
  if (s->nnames == NAMES || length >= sizeof s->names[0].text)
    scenario_bad (s, "too many names, or too long");
  struct name *n = &s->names[s->nnames++];
  memcpy (n->text, text, length);
  n->text[length] = '\0';
  n->value = value;
}

/* If TEXT begins with a name and a colon, that is VALUE.  Returns what is behind.  */
static const char *
named (struct scenario *s, const char *text, uint64_t value)
{
  text = blanks (text);
  size_t n = strcspn (text, " \t:");
  if (text[n] != ':')
    return text;
  set_name (s, text, n, value);
  return blanks (text + n + 1);
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
  text = named (s, text, s->at);
  for (;;)
    {
      const char *word = blanks (text);
      size_t n = strspn (word, "0123456789abcdef");
      if ((n != 4 && n != 8)
	  || (word[n] != '\0' && word[n] != ' ' && word[n] != '\t'))
	return;
      put (s, s->at, strtoul (word, NULL, 16), (unsigned) n / 2);
      s->at += n / 2;
      text = word + n;
    }
}

/* The place of WORD in the NULL-terminated NAMES.  */
static unsigned
choice (const struct scenario *s, const char *word, const char *const *names)
{
  for (unsigned i = 0; names[i] != NULL; i++)
    if (strcmp (word, names[i]) == 0)
      return i;
  scenario_bad (s, "not understood: %s", word);
}

static void
halt_registers (struct scenario *s, const char *text)
{
  char word[64];
  while (next_word (&text, word, sizeof word))
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
  e->el = (uint8_t) next_number (s, &text);
  while (next_word (&text, word, sizeof word))
    if (strcmp (word, "secure") == 0)
      e->security = TB_SECURE;
    else if (strcmp (word, "nonsecure") == 0)
      e->security = TB_NONSECURE;
    else if (strcmp (word, "id") == 0)
      {
	e->flags |= TB_CONTEXT_CID;
	e->value = next_number (s, &text);
      }
    else
      scenario_bad (s, "not understood: %s", word);
}

static void
path_line (struct scenario *s, const char *text)
{
  struct tb_recording *f = s->f;
  text = named (s, text, f->info.steps);
  char word[64];
  if (!next_word (&text, word, sizeof word))
    return;
  if (strcmp (word, "run") == 0)
    {
      uint32_t pc = (uint32_t) next_number (s, &text);
      fake_run (f, pc, (unsigned) next_number (s, &text));
    }
  else if (strcmp (word, "taken") == 0)
    fake_step (f, (uint32_t) next_number (s, &text), TB_STEP_TAKEN);
  else if (strcmp (word, "failed") == 0)
    fake_step (f, (uint32_t) next_number (s, &text), TB_STEP_NOT_TAKEN);
  else if (strcmp (word, "raw") == 0)
    {
      uint64_t pc = next_number (s, &text);
      uint32_t opcode = (uint32_t) next_number (s, &text);
      fake_raw_step (f, pc, opcode, (unsigned) next_number (s, &text), 0);
    }
  else if (strcmp (word, "isa") == 0)
    {
      static const char *const names[] = { "t32", "a32", NULL };
      if (!next_word (&text, word, sizeof word))
	scenario_bad (s, "isa t32 or a32");
      f->isa = choice (s, word, names) == 0 ? TB_ISA_T32 : TB_ISA_A32;
    }
  else if (strcmp (word, "gap") == 0)
    {
      static const char *const names[]
	= { "overflow", "bad-image", "debug", "paused", NULL };
      static const uint8_t reasons[]
	= { TB_REASON_OVERFLOW, TB_REASON_BAD_IMAGE, TB_REASON_DEBUG,
	    TB_REASON_PAUSED };
      unsigned i = next_word (&text, word, sizeof word)
		   ? choice (s, word, names) : 0;
      fake_event (f, TB_EVENT_GAP, 0)->reason = reasons[i];
    }
  else if (strcmp (word, "exception") == 0)
    {
      uint16_t exception = (uint16_t) next_number (s, &text);
      struct tb_event *e
	= fake_event (f, TB_EVENT_EXCEPTION, next_number (s, &text));
      e->exception = exception;
      static const char *const names[]
	= { "branch-target", "tail-chain", "no-return", "debug", NULL };
      static const uint8_t flags[]
	= { TB_EXCEPTION_BRANCH_TARGET, TB_EXCEPTION_TAIL_CHAIN,
	    TB_EXCEPTION_NO_RETURN, TB_EXCEPTION_HALT };
      while (next_word (&text, word, sizeof word))
	e->flags |= flags[choice (s, word, names)];
    }
  else if (strcmp (word, "return") == 0)
    {
      uint64_t value = next_number (s, &text);
      fake_event (f, TB_EVENT_EXCEPTION_RETURN, next_number (s, &text))->value
	= value;
    }
  else if (strcmp (word, "context") == 0)
    path_context (s, text);
  else if (strcmp (word, "debug") == 0)
    fake_event (f, TB_EVENT_HALT, next_number (s, &text))->flags
      = TB_EXCEPTION_HALT;
  else if (strcmp (word, "end") == 0)
    fake_end (f, next_number (s, &text), false);
  else if (strcmp (word, "halt") == 0)
    {
      fake_end (f, next_number (s, &text), true);
      halt_registers (s, text);
    }
  else if (strcmp (word, "stop") == 0)
    {
      fake_reg (f, "PC", next_number (s, &text));
      halt_registers (s, text);
    }
  else
    scenario_bad (s, "not understood in a path: %s", word);
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
  if (!next_word (&text, word, sizeof word))
    return;
  bool after = strcmp (word, "after") == 0;
  if (!after && strcmp (word, "before") != 0 && s->window != 0)
    return;
  if (after || strcmp (word, "before") == 0)
    {
      char line[512], *save = NULL;
      snprintf (line, sizeof line, "%s", blanks (text));
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
      snprintf (line, sizeof line, "%s", blanks (text));
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
      if (!next_word (&text, word, sizeof word))
	scenario_bad (s, "how does the halt count?");
      enum tb_halt got = tb_state_halt (s->state);
      scenario_expect (s, got == choice (s, word, names), "the halt is %s", names[got]);
    }
  else if (strcmp (word, "warnings") == 0)
    s->warnings = (unsigned) next_number (s, &text);
  else
    scenario_bad (s, "not understood in what is expected: %s", word);
}

static void
add_extent (struct scenario *s, struct tb_extents *extents, const char *text)
{
  uint64_t address = next_number (s, &text);
  if (!tb_extents_add (extents, address, next_number (s, &text)))
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
    = { "aapcs", "halt", "constants", NULL };
  static const char *const starts[] = { "reset", "data", NULL };
  char word[64];
  if (!next_word (&text, section, size))
    return;
  if (strcmp (section, "machine") == 0)
    {
      if (!next_word (&text, word, sizeof word))
	scenario_bad (s, "which machine?");
      unsigned arch = choice (s, word, machines);
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
      uint64_t address = next_number (s, &text);
      add_dump (s, address, next_number (s, &text));
    }
  else if (strcmp (section, "code") == 0)
    s->at = next_number (s, &text);
  else if (strcmp (section, "data") == 0)
    {
      uint64_t at = next_number (s, &text);
      unsigned size_of = s->is_a64 ? 8 : 4;
      for (; next_word (&text, word, sizeof word); at += size_of)
	put (s, at, scenario_number (s, word), size_of);
    }
  else if (strcmp (section, "protocol") == 0)
    {
      static const char *const names[] = { "etmv3", "ptm", "mtb", NULL };
      static const struct tb_decoder *const decoders[]
	= { &fake_etmv3, &fake_ptm, &fake_mtb };
      if (!next_word (&text, word, sizeof word))
	scenario_bad (s, "which protocol?");
      f->decoder = decoders[choice (s, word, names)];
    }
  else if (strcmp (section, "assume") == 0)
    while (next_word (&text, word, sizeof word))
      f->options.assume |= 1u << choice (s, word, assumptions);
  else if (strcmp (section, "start") == 0)
    while (next_word (&text, word, sizeof word))
      f->options.start |= 1u << choice (s, word, starts);
  else if (strcmp (section, "wrong-code") == 0)
    {
      f->stats.bad_image = next_number (s, &text);
      f->stats.places[0].address = next_number (s, &text);
    }
  else if (strcmp (section, "window") == 0)
    f->options.window = next_number (s, &text);
  else if (strcmp (section, "volatile") == 0)
    add_extent (s, &s->volatiles, text);
  else if (strcmp (section, "shared") == 0)
    add_extent (s, &s->shared, text);
  else if (strcmp (section, "private") == 0)
    add_extent (s, &s->privates, text);
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
  const char *at = blanks (*text);
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
      if (*blanks (text) == '#' || *blanks (text) == '\0')
	continue;
      bool inner = *text == ' ' || *text == '\t';
      if (!counts (&s, &text))
	continue;
      if (!inner)
	head_line (&s, blanks (text), section, sizeof section);
      else if (strcmp (section, "code") == 0)
	code_line (&s, text);
      else if (strcmp (section, "path") == 0)
	path_line (&s, text);
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
  const char *name = blanks (lines[first] + strlen ("scenario"));
  for (size_t i = first; i < last; i++)
    if (strncmp (lines[i], "variants ", 9) == 0)
      {
	const char *text = lines[i] + 9;
	char variant[32];
	while (next_word (&text, variant, sizeof variant))
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
	  && (only == NULL || strcmp (blanks (lines[i] + 9), only) == 0))
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
