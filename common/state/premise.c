/* The table of premises.  See premise.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Where each one is given up: CODE in evidence/stretches.c; HALT in state.c; READ_ONLY,
   LITERALS, NO_WRITER and DUMPED_RAM in memory/region.c; ONE_ADDRESS in memory/memory.c
   and stack.c; FRAMES_... in window/exceptions.c; UNSEEN in window/features.c and
   features-a.c; ENDIAN and SCALAR in state.c and window/fp.c; UNIT, without which nothing
   that the trace says is relied on, and FOUND, without which the halt is of another run, by
   tb_state_doubts below; DATA in evidence/traced.c.  */

#include "config.h"
#include "state/premise.h"
#include "state/state.h"

#include <string.h>

#include "decode/found.h"
#include "util/like.h"

static const struct tb_premise premises[] = {
  { "dump-is-code",
    "The dumps and ELF files are the code that ran, but for what traced stores wrote "
    "there; stores of unknown address did not write code.",
    "flash that was reprogrammed or overlays that were loaded after the trace, an ELF "
    "file of another build, software breakpoints left in memory" },
  { "ends-at-halt",
    "The snapshot's registers and RAM are those at the end of the trace, where "
    "something shows that the trace ends at the halt.",
    "a debugger that changed a register or RAM before it saved the snapshot, or saved "
    "them at different moments" },
  { "read-only",
    "Sections that an ELF file calls read only, and on the M profile dumps below "
    "0x20000000 that hold code and no stack, change by no store but one that is seen.",
    "a program that writes its own flash during the trace, memory that is remapped" },
  { "literals",
    "On A and R cores, what an instruction loads relative to itself is as the dump of "
    "the code has it.",
    "programs that store to their literal pools outside of the trace" },
  { "no-other-writer",
    "Only the core and the trace unit write dumped RAM, other cores of the snapshot only "
    "where the dumps agree; the stack is RAM.",
    "DMA, a debugger that writes RAM while the core runs, peripherals with memory, cores "
    "that are not in the snapshot" },
  { "dumps-are-ram",
    "On A and R cores a dump is RAM unless it looks like a device's page.",
    "a device that looks like RAM" },
  { "one-address",
    "Memory has one address: on the M profile but for the bit-band alias, on A and R "
    "cores within one context.",
    "secure and non-secure aliases, a core's own RAM that is also elsewhere, two virtual "
    "addresses of one page" },
  { "frames-fit",
    "On the M profile the frames that exceptions put on the stack fit there.",
    "a stack that overflowed" },
  { "frames-aligned",
    "On ARMv7-M these frames are aligned to 8 bytes, unless the trace shows otherwise.",
    "software that clears CCR.STKALIGN; the first Cortex-M3" },
  { "unseen-code",
    "What no code in the snapshot does is not done: use FP registers, PSP or the other "
    "security state, store to the bit-band alias; on A and R cores use Monitor or Hyp "
    "mode.  A handler without FP instructions leaves saved FP registers alone.",
    "code that is not in the snapshot, such as a secure image or a boot ROM" },
  { "little-endian",
    "On A and R cores data are little-endian until a traced instruction changes that.",
    "a core that changed it before the trace and back before the halt" },
  { "unit-settings",
    "Where no file tells what sent the trace, or how that was set, it is what it decodes as with "
    "least errors.",
    "trace too short to show how its unit was set, of a unit that is not known, or without "
    "the code that ran" },
  { "found-packets",
    "Packets of an MTB that were found in memory or in a buffer, without registers that tell of "
    "them, are of the run that was halted.",
    "RAM that keeps the packets of a run before a reset, a copy of a buffer" },
  { "no-short-vectors",
    "The short vectors of VFPv2 and VFPv3 (FPSCR.Len) are not in use.",
    "hand-written code of that time" },
  { "traced-data",
    "What data trace says was loaded and stored was, unless that contradicts the rest.",
    "bytes of the trace that were lost or changed on their way, where nothing contradicts "
    "them" }
};

const struct tb_premise *
tb_premise_number (size_t number)
{
  return number < sizeof premises / sizeof premises[0] ? &premises[number] : NULL;
}

/* Add the bits of the premises that LIST names, separated by commas, to *SET.  NULL; or
   the first name that is none, *LENGTH characters in LIST.  */
static const char *
parse (const char *list, unsigned *set, size_t *length)
{
  for (;; list += *length + 1)
    {
      size_t i = 0, n = sizeof premises / sizeof premises[0];
      *length = strcspn (list, ",");
      while (i < n && (strlen (premises[i].name) != *length
		       || strncmp (premises[i].name, list, *length) != 0))
	i++;
      if (i == n)
	return list;
      *set |= 1u << i;
      if (list[*length] == 0)
	return NULL;
    }
}

void
tb_premise_names (struct tb_buffer *text, unsigned set)
{
  const char *between = "";
  for (size_t i = 0; i < sizeof premises / sizeof premises[0]; i++)
    if (set >> i & 1)
      {
	tb_buffer_printf (text, "%s%s", between, premises[i].name);
	between = ", ";
      }
}

/* Append what is said of the LENGTH characters WORD, which are the name of no
   premise.  */
static void
put_unknown (struct tb_buffer *text, const char *word, size_t length)
{
  enum { COUNT = sizeof premises / sizeof premises[0] };
  const char *names[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    names[i] = premises[i].name;
  const char *like = tb_like_word (names, COUNT, word, length);
  tb_buffer_printf (text, "expected premises, separated by commas, of these: ");
  tb_premise_names (text, (1u << COUNT) - 1);
  tb_buffer_printf (text, "; found '%.*s'", (int) length, word);
  if (like != NULL)
    tb_buffer_printf (text, "; did you mean %s?", like);
}

/* Append WORDS in lines of at most 79 columns, the first of which has COLUMN
   already.  */
static void
put_words (struct tb_buffer *text, const char *words, size_t column)
{
  enum { INDENT = 18, WIDTH = 79 };
  while (*words != 0)
    {
      size_t n = strcspn (words, " ");
      if (column + 1 + n > WIDTH)
	{
	  tb_buffer_printf (text, "\n%*s", INDENT, "");
	  column = INDENT;
	}
      else if (column > INDENT)
	{
	  tb_buffer_printf (text, " ");
	  column++;
	}
      tb_buffer_printf (text, "%.*s", (int) n, words);
      column += n;
      words += n + strspn (words + n, " ");
    }
  tb_buffer_printf (text, "\n");
}

/* Append the table, for people to read.  */
static void
put_table (struct tb_buffer *text)
{
  for (size_t i = 0; i < sizeof premises / sizeof premises[0]; i++)
    {
      tb_buffer_printf (text, "%-18s", premises[i].name);
      put_words (text, premises[i].states, 18);
      tb_buffer_printf (text, "%*sBroken by", 18, "");
      put_words (text, premises[i].broken_by, 18 + 9);
    }
}

enum tb_premise_asked
tb_premise_ask (const char *text, unsigned *set, struct tb_buffer *said)
{
  size_t length;
  if (strcmp (text, "list") == 0)
    {
      put_table (said);
      return TB_PREMISES_LISTED;
    }
  const char *wrong = parse (text, set, &length);
  if (wrong == NULL)
    return TB_PREMISES_DOUBTED;
  put_unknown (said, wrong, length);
  return TB_PREMISES_WRONG;
}

unsigned
tb_state_of_trace (const struct tb_state_options *options)
{
  if (options->source == NULL || options->source->evidence == NULL)
    return 0;
  return tb_source_is_found (options->source) ? TB_PREMISE_FOUND : TB_PREMISE_UNIT;
}

unsigned
tb_state_doubts (const struct tb_state_options *options)
{
  unsigned doubts = options->doubt;
  unsigned doubted = doubts & tb_state_of_trace (options);
  if (doubted & TB_PREMISE_UNIT)
    doubts |= TB_PREMISE_CODE | TB_PREMISE_HALT;
  if (doubted & TB_PREMISE_FOUND)
    doubts |= TB_PREMISE_HALT;
  return doubts;
}
