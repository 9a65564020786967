/* Code that ran near a step.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/code.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How many steps on either side of the asked one are looked at; a caller that
   goes from step to step causes reads of half as many at a time.  */
#define REACH 512

/* Bytes where an instruction ran are marked in lines of 64, kept in a table
   where two lines of one place push each other out: forgetting is harmless.  */
#define LINE UINT64_C (64)
#define LINES 1024

struct line
{
  uint64_t address;		/* A multiple of LINE.  */
  uint64_t ran;			/* Bit N: byte N; 0: the line is not in use.  */
  uint8_t space;		/* enum tb_space  */
};

struct tb_code
{
  struct tb_recording *recording;
  uint64_t begin, end;		/* Steps BEGIN to END - 1 are marked.  */
  struct line lines[LINES];
};

struct tb_code *
tb_code_new (struct tb_recording *recording)
{
  struct tb_code *code = calloc (1, sizeof *code);
  if (code != NULL)
    code->recording = recording;
  return code;
}

void
tb_code_free (struct tb_code *code)
{
  free (code);
}

static size_t
place_of (uint64_t address)
{
  return address / LINE % LINES;
}

static void
mark (struct tb_code *code, const struct tb_step *step)
{
  for (uint64_t address = step->pc, end = step->pc + step->size;
       address != end; address++)
    {
      struct line *line = &code->lines[place_of (address)];
      uint64_t start = address & ~(LINE - 1);
      if (line->address != start || line->space != step->space)
	*line = (struct line) { start, 0, step->space };
      line->ran |= UINT64_C (1) << address % LINE;
    }
}

/* Mark the steps BEGIN to END - 1, as far as there are any.  */
static void
mark_steps (struct tb_code *code, uint64_t begin, uint64_t end)
{
  struct tb_step steps[64];
  while (begin < end)
    {
      size_t want = end - begin < 64 ? (size_t) (end - begin) : 64;
      size_t count = tb_recording_read (code->recording, begin, steps, want);
      for (size_t i = 0; i < count; i++)
	mark (code, &steps[i]);
      if (count < want)
	return;
      begin += count;
    }
}

void
tb_code_near (struct tb_code *code, uint64_t number)
{
  uint64_t steps = tb_recording_steps (code->recording);
  uint64_t begin = number > REACH ? number - REACH : 0;
  uint64_t end = steps - number > REACH ? number + REACH : steps;
  if (number < code->begin || number >= code->end)
    {
      mark_steps (code, begin, end);
      code->begin = begin;
      code->end = end;
      return;
    }
  if (code->end < end && code->end - number < REACH / 2)
    {
      mark_steps (code, code->end, end);
      code->end = end;
    }
  if (code->begin > begin && number - code->begin < REACH / 2)
    {
      mark_steps (code, begin, code->begin);
      code->begin = begin;
    }
}

void
tb_code_fill (const struct tb_code *code, enum tb_space space,
	      uint64_t address, uint8_t *bytes, uint8_t *origins,
	      size_t length)
{
  const struct tb_memmap *map = tb_recording_memmap (code->recording);
  for (size_t begin = 0; begin < length;)
    {
      /* What there is of one line.  */
      uint64_t at = address + begin;
      size_t rest = (size_t) (LINE - at % LINE);
      size_t end = length - begin < rest ? length : begin + rest;
      const struct line *line = &code->lines[place_of (at)];
      bool here = line->address == (at & ~(LINE - 1)) && line->space == space;
      uint64_t ran = here ? line->ran >> at % LINE : 0;
      for (size_t i = begin; i < end && ran != 0;)
	{
	  /* A stretch of bytes that ran and are not known.  */
	  size_t stop = i;
	  while (stop < end && origins[stop] == TB_UNKNOWN && (ran & 1) != 0)
	    {
	      stop++;
	      ran >>= 1;
	    }
	  while (i < stop)
	    {
	      size_t got = tb_memmap_read (map, space, address + i, &bytes[i],
					   stop - i);
	      memset (&origins[i], TB_STATED, got);
	      /* Past what there is not.  */
	      i += got < stop - i ? got + 1 : got;
	    }
	  if (stop < end)
	    {
	      i = stop + 1;
	      ran >>= 1;
	    }
	}
      begin = end;
    }
}
